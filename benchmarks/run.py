"""How fast Poolscope is beside other programs, as ratios taken side by side: python benchmarks/run.py --help

Every row times both sides in turn, A B A B, and shows the median of the ratios, because machines differ and are noisy.
Where both sides compute the same numbers, these are compared first: a row about different work is an error.
"""

import argparse
import importlib.util
import itertools
import json
import math
import os
import pickle
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from statistics import fmean, median

import numpy as np
from scipy import optimize, stats

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cold import IR_MEASURES, MEASURES, PYTREC_EVAL, RANX  # noqa: E402

from evalcore import RANK_MODELS, ask, fusion, metric, open_study  # noqa: E402
from evalcore.comparing import significance  # noqa: E402
from tests.oracles import models  # noqa: E402

QUICK = {"systems": 40, "pooled": 22, "groups": 14, "topics": 16}  # a tenth of the lines
DEPTHS = range(1, 101)
SAMPLED = (10, 50, 100)  # depths at which the other side is timed; it takes each on its own, so the rest is a product
AGREE = 5e-5
SETTLED = 2.5  # s; a file younger than two seconds may still change, so the cache does not trust its time
REPEATS = 5  # the short side of a comparison is timed so often in each round


class DifferentWork(Exception):
    """Two sides of a row do not give the same numbers."""


class Missing(Exception):
    """A package that a row compares with is not installed."""


@dataclass(frozen=True)
class Row:
    """One comparison: `ours` and `theirs` in `unit`, medians; `ratios`, one a round.

    at_most : the ratio is ours / theirs and the target its upper limit; else theirs / ours and its lower limit
    target : None for a row that is there to be known
    """

    name: str
    job: str
    against: str
    ours: float
    theirs: float
    ratios: tuple
    target: float | None
    at_most: bool = False
    unit: str = "s"

    @property
    def ratio(self):
        return median(self.ratios)

    @property
    def met(self):
        if self.target is None:
            return None
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


def row(name, job, against, ours, theirs, target, *, at_most=False, unit="s"):
    """A Row of what was measured round by round."""
    pairs = zip(ours, theirs, strict=True)
    ratios = tuple(a / b if at_most else b / a for a, b in pairs)
    return Row(name, job, against, median(ours), median(theirs), ratios, target, at_most, unit)


# ---------------------------------------------------------------------------------------------------------------------
# Time


def seconds(work, *arguments):
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def short(work, prepared):
    """Median seconds of a short piece of work, each time on what `prepared()` makes anew."""
    return median(seconds(work, prepared()) for _ in range(REPEATS))


def in_turn(rounds, *sides):
    """What each side's function says it took, in each round: one list a side."""
    taken = [[side() for side in sides] for _ in range(rounds)]
    return [list(times) for times in zip(*taken, strict=True)]


# ---------------------------------------------------------------------------------------------------------------------
# The job: its files, the study of them, the same as the other side holds it


class Job:
    """The track to work on, and what several rows need of it, made when first asked for."""

    def __init__(self, folder, scratch, rounds):
        self.folder, self.scratch, self.rounds = folder, scratch, rounds
        self.notes = []

    @property
    def runs(self):
        return self.folder / "runs"

    @property
    def qrels(self):
        return self.folder / "qrels.txt"

    @cached_property
    def files(self):
        return [self.qrels, *sorted(self.runs.iterdir())]

    @cached_property
    def bytes(self):
        return sum(path.stat().st_size for path in self.files)

    def load(self):
        return open_study(self.runs, self.qrels, cache=False)

    @cached_property
    def study(self):
        return self.load()

    def untouched(self):
        """The study with its arrays in memory and nothing worked out from them."""
        track = replace(self.study.track)
        judgments = replace(self.study.judgments, scale=replace(self.study.judgments.scale))
        return replace(self.study, track=track, whole=track, judgments=judgments)

    @cached_property
    def dicts(self):
        """What pytrec_eval scores: {run: {topic: {document: score}}} and {topic: {document: grade}}."""
        return self.read_dicts()

    def read_dicts(self):
        pytrec_eval = package("pytrec_eval")
        runs = {}
        for path in self.files[1:]:
            with open(path) as lines:
                runs[path.name] = pytrec_eval.parse_run(lines)
        with open(self.qrels) as lines:
            return runs, pytrec_eval.parse_qrel(lines)

    @cached_property
    def pool_ranks(self):
        """{topic: {document: best rank from 0 that a contributing run gave it}}, of the documents in the qrels."""
        track, ranks = self.study.track, self.study.pool_rank
        items = self.study.judgments.pooled_items
        found = {}
        for item, document in zip(items, track.documents(items), strict=True):
            found.setdefault(track.topics[track.topic_of_item[item]], {})[document] = int(ranks[item])
        return found

    def qrels_at(self, depth):
        """The dict of judgments cut at a pool depth."""
        _, qrels = self.dicts
        return {
            topic: {document: grade for document, grade in judged.items() if self.pool_ranks[topic][document] < depth}
            for topic, judged in qrels.items()
        }

    def scored_at(self, depth, measures, *, judged=False):
        """pytrec_eval's scores of all runs with the judgments cut at a pool depth; every judgment a 1 if `judged`."""
        runs, _ = self.dicts
        qrels = self.qrels_at(depth)
        if judged:
            qrels = {topic: dict.fromkeys(grades, 1) for topic, grades in qrels.items()}
        evaluator = package("pytrec_eval").RelevanceEvaluator(qrels, set(measures))
        return {name: evaluator.evaluate(run) for name, run in runs.items()}

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    # -- the same numbers? -------------------------------------------------------------------------------------------

    @cached_property
    def ordered_alike(self):
        """Rankings without scores that differ in double precision only: pytrec_eval keeps single precision. (S, Q)"""
        scores = self.study.track.scores
        single = scores.astype(np.float32)
        return ~((single[..., 1:] == single[..., :-1]) & (scores[..., 1:] != scores[..., :-1])).any(axis=2)

    @cached_property
    def untied(self):
        """Rankings whose tied documents are all alike to the qrels: ranx breaks ties as they come. (S, Q)"""
        scores, level = self.study.track.scores, self.study.judgments.level[self.study.track.items]
        return ~((scores[..., 1:] == scores[..., :-1]) & (level[..., 1:] != level[..., :-1])).any(axis=2)

    def same(self, who, ours, theirs, names, comparable=None):
        """DifferentWork unless {run: {topic: {name: value}}} agrees with our arrays (S, Q), one a name.

        A ranking that the other side leaves out (a run without the topic) must be 0 here.
        """
        comparable = self.ordered_alike if comparable is None else comparable
        track = self.study.track
        for name, values in zip(names, ours, strict=True):
            other = np.array([[theirs[s].get(q, {}).get(name, 0.0) for q in track.queries] for s in track.systems])
            apart = np.where(comparable, np.abs(values - other), 0)
            if not (apart <= AGREE).all():
                s, q = np.unravel_index(np.argmax(np.nan_to_num(apart, nan=np.inf)), apart.shape)
                raise DifferentWork(
                    f"{name} of {track.systems[s]} on {track.queries[q]}: {values[s, q]:.6f} here, "
                    f"{other[s, q]:.6f} by {who}."
                )
        why = "scores that it rounds to ties" if comparable is self.ordered_alike else "ties, which it orders otherwise"
        self.note(
            f"{who}: the same scores within {AGREE:g} in {comparable.sum():,} of {comparable.size:,} rankings; the "
            f"others hold {why}."
        )


def package(name):
    """An imported package; Missing where it is not installed."""
    if importlib.util.find_spec(name) is None:
        raise Missing(name)
    return importlib.import_module(name)


def made(folder, quick):
    """The folder with the job's files; made where there are none."""
    if not (folder / "queries.tsv").exists():  # the last file that is written
        sizes = [text for name, size in QUICK.items() for text in (f"--{name}", str(size))] if quick else []
        say("making the files")
        command = [sys.executable, "-m", "sample_data.make", "--kind", "benchmark", "--no-gz", "--out", str(folder)]
        subprocess.run([*command, *sizes], check=True, cwd=ROOT)
    youngest = max(path.stat().st_mtime for path in (folder / "runs").iterdir())
    time.sleep(max(0.0, SETTLED - (time.time() - youngest)))
    return folder


def say(text):
    print(text, "...", file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------------------------
# Rows


def process(job, way):
    """Runs cold.py in one of its ways. -> what it pickled, with "seconds" less those that stand apart"""
    out = job.scratch / way
    command = [sys.executable, "-W", "ignore", str(ROOT / "benchmarks" / "cold.py"), way, str(job.folder), str(out)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    whole = seconds(lambda: subprocess.run(command, check=True, env=environment))
    result = pickle.loads(out.read_bytes())
    return result | {"seconds": whole - result.get("apart", 0.0)}


def cold(job):
    """From files to seven scores of every run and topic, each a process of its own."""
    others = {
        "pytrec_eval": ("pytrec_eval, run by run", PYTREC_EVAL, job.ordered_alike, 2.5),
        "ir_measures": ("ir-measures, run by run", IR_MEASURES, job.ordered_alike, 5),
        "ranx": ("ranx, run by run, without its compilation", RANX, job.untied, 10),
    }
    for name in others:
        if importlib.util.find_spec(name) is None:
            job.note(f"{name} is not installed; its row is left out.")
    others = {name: about for name, about in others.items() if importlib.util.find_spec(name)}
    process(job, "evalcore")  # compiles the modules and brings the files into memory, for all
    ways = ("evalcore", "evalcore_intervals", *others)
    rounds = [{way: process(job, way) for way in ways} for _ in range(job.rounds)]
    for found in rounds:
        for name, (_, names, comparable, _) in others.items():
            job.same(name, found["evalcore"]["values"], found[name]["scores"], names, comparable)
            job.same(name, found["evalcore_intervals"]["values"], found[name]["scores"], names, comparable)
    taken = {way: [found[way]["seconds"] for found in rounds] for way in ways}
    first = "cold process: load, 7 measures"
    rows = [
        row("cold", first, words, taken["evalcore"], taken[name], target)
        for name, (words, _, _, target) in others.items()
    ]
    if "pytrec_eval" in others:
        words = others["pytrec_eval"][0]
        ours, theirs = ([found[way]["processor"] for found in rounds] for way in ("evalcore", "pytrec_eval"))
        rows += [
            row("cold", f"{first}, with intervals", words, taken["evalcore_intervals"], taken["pytrec_eval"], None),
            row("cold", f"{first}, processor time", words, ours, theirs, None),
        ]
    return rows


def measures(job):
    """Seven scores of every run and topic from what is in memory."""
    pytrec_eval = package("pytrec_eval")
    runs, qrels = job.dicts
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC_EVAL))

    def ours(study):
        return [metric(name).value(study.places) for name in MEASURES]

    def intervals(study):
        return [study.at().estimate(name) for name in MEASURES]

    def theirs():
        return {name: evaluator.evaluate(run) for name, run in runs.items()}

    shape = job.study.track.shape[:2]
    scores = theirs()
    job.same("pytrec_eval", [values.reshape(shape) for values in ours(job.untouched())], scores, PYTREC_EVAL)
    job.same("pytrec_eval", [found.value for found in intervals(job.untouched())], scores, PYTREC_EVAL)
    a, b, c = in_turn(
        job.rounds,
        lambda: short(ours, job.untouched),
        lambda: short(intervals, job.untouched),
        lambda: seconds(theirs),
    )
    against = "pytrec_eval, its dicts in memory"
    return [
        row("measures", "7 measures, arrays in memory", against, a, c, 20),
        row("measures", "7 measures with intervals, arrays in memory", against, b, c, None),
    ]


def depths(job):
    """Base and residual with the judgments at each pool depth from 1 to 100."""
    package("pytrec_eval")

    def sweep(study, name="RBP(p=0.95)"):
        return study.at().sweep(name, DEPTHS)

    def theirs():
        """P@10 of what is relevant is the base; what P@10 of all that is judged leaves is the residual."""
        return [(job.scored_at(depth, ["P_10"]), job.scored_at(depth, ["P_10"], judged=True)) for depth in SAMPLED]

    at_sampled = job.untouched().at().sweep("P@10", SAMPLED)
    for at, (base, known) in enumerate(theirs()):
        lower, upper = at_sampled.lower[..., at], at_sampled.upper[..., at]
        job.same("pytrec_eval", [lower], base, ["P_10"])
        job.same("pytrec_eval", [1 - (upper - lower)], known, ["P_10"])
    seen = job.untouched()
    sweep(seen)

    def shown():
        """A study of which a page was shown: its places and its pool are known, the answers forgotten."""
        seen.worked_out.sweeps.forget()
        return seen

    known, impatient, first, load, loading, per_depth = in_turn(
        job.rounds,
        lambda: short(sweep, shown),
        lambda: short(lambda study: sweep(study, "RBP(p=0.8)"), shown),
        lambda: short(sweep, job.untouched),
        lambda: seconds(lambda: sweep(job.load())),
        lambda: seconds(job.read_dicts),
        lambda: seconds(theirs),
    )
    product = [taken / len(SAMPLED) * len(DEPTHS) for taken in per_depth]
    whole = [a + b for a, b in zip(loading, product, strict=True)]
    job.note(
        f"pytrec_eval has no RBP: P@10 of the relevant and of the judged documents stand in for base and residual, at "
        f"depths {SAMPLED}; the time of 100 depths is a product."
    )
    against = "pytrec_eval, one depth at a time"
    base = "base and residual at depths 1..100"
    return [
        row("depths", f"{base}, RBP(p=0.95), in memory", against, known, product, 10_000),
        row("depths", f"{base}, RBP(p=0.8), in memory", against, impatient, product, None),
        row("depths", f"{base}, pool and places made anew", against, first, product, None),
        row("depths", f"{base}, with loading", f"{against}, with loading", load, whole, 200),
    ]


def steps(job):
    """The scores and their means with the judgments at another pool depth, as a slider asks for them."""
    study = job.study
    targets = {"RBP(p=0.95)": 0.02, "P@10": 0.02, "bpref": 0.05, "infAP": 0.05}
    guides = ("AP", "nDCG@10")  # whose interval costs far more than their value
    theirs = {"P@10": "P_10", "AP": "map", "nDCG@10": "ndcg_cut_10", "bpref": "bpref", "infAP": "infAP"}
    try:
        scores = job.scored_at(50, theirs.values())
        for name, other in theirs.items():
            job.same("pytrec_eval", [study.at(depth=50).estimate(name).value], scores, [other])
    except Missing:
        job.note("pytrec_eval is not installed; the scores of the steps were not compared.")
    asked = itertools.cycle(np.random.default_rng(1).permutation(DEPTHS))

    def step(name):
        return study.means(study.at(depth=int(next(asked))).estimate(name))

    def step_of_value(name):
        return study.mean(metric(name).value(study.at(depth=int(next(asked))).places).reshape(study.track.shape[:2]))

    works = [(name, step, name, target) for name, target in targets.items()]
    works += [(f"{name} without its guide", step_of_value, name, 0.02) for name in guides]
    works += [(f"{name} with its guide", step, name, None) for name in guides]
    for _, work, name, _ in works:
        work(name)
    load, *taken = in_turn(
        job.rounds,
        lambda: seconds(job.load),
        *((lambda work=work, name=name: short(work, lambda: name)) for _, work, name, _ in works),
    )
    return [
        row("steps", f"one step of a slider, {words}", "one load", a, load, target, at_most=True)
        for (words, _, _, target), a in zip(works, taken, strict=True)
    ]


def visit(job, pause):
    """Runs pages.py. -> seconds by page and choice"""
    command = [sys.executable, "-W", "ignore", str(ROOT / "benchmarks" / "pages.py"), str(job.folder), str(pause)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "POOLSCOPE_CACHE": str(job.scratch / "pages")}
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    return json.loads(done.stdout)


def pages(job):
    """A whole page after a choice, by a visitor who looks at it for half a second, and by one who does not."""
    package("streamlit")
    visit(job, 0)  # fills the cache
    rows = []
    for pause, words, target in ((0.5, "half a second after the last", 1), (0, "at once after the last", None)):
        found = [visit(job, pause) for _ in range(job.rounds)]
        for page in found[0]:
            taken = {choice: [one[page][choice] for one in found] for choice in found[0][page]}
            slowest = max(taken, key=lambda choice: median(taken[choice]))
            what = f"{page}: the slowest of {len(taken)} choices, {words}: {slowest}"
            rows.append(row("pages", what, "300 ms", taken[slowest], [0.3] * job.rounds, target, at_most=True))
    return rows


def reopen(job):
    """A track that was loaded before."""
    folder = job.scratch / "cache"

    def opened(_=None):
        return open_study(job.runs, job.qrels, cache=folder)

    opened()
    again = opened()
    if again.digest != job.study.digest or not np.array_equal(again.track.items, job.study.track.items):
        raise DifferentWork("the track from the cache is another.")
    ours, load = in_turn(job.rounds, lambda: short(opened, lambda: None), lambda: seconds(job.load))
    return [row("reopen", "opening a track that was loaded before", "one load", ours, load, 50)]


def memory(job):
    """The most that a process holds while it loads."""
    found = [process(job, "peak") for _ in range(job.rounds)]
    size = [job.bytes / 1e6] * job.rounds
    above = [(one["loaded"] - one["imported"]) / 1e6 for one in found]
    reading = {"at_most": True, "unit": "MB"}
    return [
        row("memory", "memory peak of a process that loads", "size of the files",
            [one["loaded"] / 1e6 for one in found], size, 3, **reading),
        row("memory", "the same above what the imports hold", "size of the files", above, size, None, **reading),
    ]  # fmt: skip


def pairs(job):
    """Paired t-tests of all pairs of systems."""
    scores = job.study.at().estimate("RBP(p=0.95)").value
    every = list(zip(*significance.pairs(len(scores)), strict=True))

    def one_by_one():
        return np.array([stats.ttest_rel(scores[a], scores[b]).pvalue for a, b in every])

    def at_once():
        return significance.t_test(significance.differences(scores))

    apart = np.abs(at_once() - one_by_one()).max()
    if apart > 1e-9:
        raise DifferentWork(f"the p-values differ by {apart:g}.")
    ours, theirs = in_turn(job.rounds, lambda: short(lambda _: at_once(), lambda: None), lambda: seconds(one_by_one))
    return [row("pairs", f"all {len(every):,} paired t-tests", "a loop of scipy.stats.ttest_rel", ours, theirs, 100)]


GUESSED_FROM = 10  # the pool depth


def guesses(job):
    """Two-stage estimates of all topics."""
    study, names = job.study, ("two-stage-a", "two-stage-b")
    evidence = study.at(depth=GUESSED_FROM).evidence()
    problems = len(evidence) * (1 + len(RANK_MODELS))
    rows = []
    for name in names:
        ours, theirs = in_turn(
            job.rounds,
            lambda name=name: seconds(
                lambda: fresh(study).at(depth=GUESSED_FROM).estimate("RBP(p=0.95)", estimator=name)
            ),
            lambda name=name: problems * seconds(lambda: by_slsqp(evidence[0][1], name[-1])),
        )
        said = f"{name}, all topics ({len(evidence)} x {study.track.pooled.sum()} runs), pool depth {GUESSED_FROM}"
        rows.append(row("guesses", said, "the loss in plain loops inside SLSQP", ours, theirs, 300))
    job.note(
        f"The loss in plain loops was minimised for one rank model of one topic, {ITERATIONS} iterations at most; the "
        f"time of all {problems} problems is a product."
    )
    return rows


def fresh(study):
    """The same study with nothing computed."""
    return replace(study)


ITERATIONS = 20


def by_slsqp(evidence, loss):
    """The weights of the runs in stage 1 for one rank model, as one would write it first."""
    lists = [[int(item) for item in run if item] for run in evidence.pooled]
    known = {D: float(evidence.gain[D]) for run in lists for D in run if not np.isnan(evidence.gain[D])}
    curve = [float(gain) for gain in evidence.curve("linear")]
    terms = models.errors_to_weigh(lists, known)
    rank = [{D: k for k, D in enumerate(run)} for run in lists]
    by_run = {D: [curve[of_run.get(D, len(curve) - 1)] for of_run in rank] for D in known}
    return optimize.minimize(
        lambda w: models.loss(loss, models.mixed(by_run, w), terms),
        [1 / len(lists)] * len(lists),
        method="SLSQP",
        bounds=[(0, 1)] * len(lists),
        constraints={"type": "eq", "fun": lambda w: sum(w) - 1},
        options={"maxiter": ITERATIONS},
    )


SHARDS, TIMED = 50, 2  # the other side is timed on so many of the shards


def shards(job):
    """AP of every system, topic and shard of the documents, and six analyses of variance."""
    pytrec_eval = package("pytrec_eval")
    runs, qrels = job.dicts
    documents = sorted({document for run in runs.values() for ranking in run.values() for document in ranking})
    shard_of = dict(zip(documents, np.random.default_rng(1).permutation(len(documents)) % SHARDS, strict=True))

    def part(of, shard):
        return {topic: {d: x for d, x in held.items() if shard_of.get(d) == shard} for topic, held in of.items()}

    def one_shard(shard):
        evaluator = pytrec_eval.RelevanceEvaluator(part(qrels, shard), {"map"})
        return {name: evaluator.evaluate(part(run, shard)) for name, run in runs.items()}

    def at_once():
        return ask(fresh(job.study), "models", shards=SHARDS, resamples=1)

    at_once()  # the numbers of the documents, which are the same for every partition
    ours, theirs = in_turn(
        job.rounds,
        lambda: seconds(at_once),
        lambda: SHARDS / TIMED * seconds(lambda: [one_shard(shard) for shard in range(TIMED)]),
    )
    job.note(
        f"Shards by pytrec_eval: {TIMED} of {SHARDS} are timed, without the analyses; the time of all is a product."
    )
    return [
        row("shards", f"MD1 to MD6 over {SHARDS} shards, in memory", "pytrec_eval, shard by shard", ours, theirs, 100)
    ]


def newcomers(job):
    """Every contributing system left out of the pool, all systems scored anew each time."""
    pytrec_eval = package("pytrec_eval")
    (runs, _), qrels = job.dicts, job.qrels_at(10)
    pooled = [name for name, helped in zip(job.study.systems, job.study.track.pooled, strict=True) if helped]
    brought = {name: {topic: set(_top(ranking)) for topic, ranking in runs[name].items()} for name in pooled}

    def without(left_out):
        others = [brought[name] for name in pooled if name != left_out]
        kept = {}
        for topic, judged in qrels.items():
            alone = brought[left_out].get(topic, set()) - set().union(*(other.get(topic, ()) for other in others))
            kept[topic] = {document: grade for document, grade in judged.items() if document not in alone}
        evaluator = pytrec_eval.RelevanceEvaluator(kept, {"P.10"})
        return {name: evaluator.evaluate(run) for name, run in runs.items()}

    def at_once():
        return ask(job.study, "leave_out", metric="P@10", depth=10)

    table = at_once().table.set_index("system")["value_without"]
    theirs = {name: fmean(of["P_10"] for of in without(name)[name].values()) for name in pooled[:TIMED]}
    alike = sum(abs(table[name] - score) < AGREE for name, score in theirs.items())
    everyone = f"the time of all {len(pooled)} is a product"
    job.note(f"Left out: {alike} of {TIMED} systems score as pytrec_eval has them; {everyone}.")
    ours, theirs = in_turn(
        job.rounds,
        lambda: short(lambda _: at_once(), lambda: None),
        lambda: len(pooled) / TIMED * seconds(lambda: [without(name) for name in pooled[:TIMED]]),
    )
    what = f"leave out each of {len(pooled)} systems, P@10, pool depth 10"
    return [row("newcomers", what, "pytrec_eval, one after the other", ours, theirs, None)]


def _top(ranking, depth=10):
    """The first documents of a ranking {document: score} as trec_eval orders them."""
    return sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)[:depth]


FUSED = {"rbc": ({"phi": 0.9}, None, "rbc"), "combsum": ({}, "min-max", "sum")}  # ours -> ranx: parameters, norm, name
COMPARED = 3  # topics on which every value is compared


def fuse(job):
    """All runs made one."""
    ranx = package("ranx")
    study, (runs, _) = job.study, job.dicts
    whole = study.track.lengths.all(axis=1)  # ranx wants the same topics in every run
    systems = [name for name, has_all in zip(study.systems, whole, strict=True) if has_all]
    theirs = [ranx.Run(runs[name], name=name) for name in systems]
    rows = []
    for method, (params, norm, their_name) in FUSED.items():

        def by_ranx(runs=theirs, params=params, norm=norm, their_name=their_name):
            return ranx.fuse(runs, norm=norm, method=their_name, params=params)

        same_fused(study, np.flatnonzero(whole), method, by_ranx)  # which compiles it too
        ours, other = in_turn(
            job.rounds,
            lambda method=method: short(lambda study: study.fused(systems, method=method), job.untouched),
            lambda by_ranx=by_ranx: seconds(by_ranx),
        )
        said = f"{len(systems)} runs fused, {method}, in memory"
        rows.append(row("fuse", said, "ranx, its runs in memory", ours, other, 5))
    job.note(
        f"ranx, fusion: the same value of every document within {AGREE:g} on {COMPARED} topics without a list of one "
        "score, which it makes 0; where ranks decide it is given them as scores, for it orders ties otherwise."
    )
    return rows


def same_fused(study, systems, method, by_ranx):
    """DifferentWork unless every document of a few topics has the same value here and by ranx."""
    track, rule = study.track, fusion.Rule(method)
    varied = [
        not fusion.all_equal(track.items[systems, q] > 0, track.scores[systems, q]).any() for q in range(track.shape[1])
    ]
    queries = np.flatnonzero(varied)[:COMPARED].tolist()

    def run(system):
        return {track.queries[query]: held(system, query) for query in queries}

    def held(system, query):
        length = track.lengths[system, query]
        scores = track.scores[system, query, :length] if rule.uses_scores else np.arange(length, 0.0, -1)
        return dict(zip(track.documents(track.items[system, query, :length]), scores.tolist(), strict=True))

    theirs = by_ranx(runs=[package("ranx").Run(run(system), name=str(system)) for system in systems])
    for query in queries:
        items, values = fusion.fused_list(track, rule, systems, np.full(len(systems), query), np.ones(len(systems)))
        other = theirs[track.queries[query]]
        given = np.array([other[document] for document in track.documents(items)])
        if len(other) != len(items) or np.abs(given - values).max() > AGREE:
            raise DifferentWork(f"{method} on {track.queries[query]}: ranx gives other values.")


GROUPS = {
    group.__name__: group
    for group in (cold, measures, depths, steps, pages, reopen, memory, pairs, guesses, shards, newcomers, fuse)
}


# ---------------------------------------------------------------------------------------------------------------------
# The report


def table(rows):
    """The rows as a Markdown table, aligned for a terminal too."""
    cells = [("job", "against", "ours", "theirs", "ratio", "lowest - highest", "target", "met?")]
    for one in rows:
        sign = "<=" if one.at_most else ">="
        target = "" if one.target is None else f"{sign} {_ratio(one, one.target)}"
        met = {True: "yes", False: "no", None: ""}[one.met]
        spread = f"{_ratio(one, min(one.ratios))} - {_ratio(one, max(one.ratios))}"
        amounts = (f"{_three(one.ours)} {one.unit}", f"{_three(one.theirs)} {one.unit}")
        cells.append((one.job, one.against, *amounts, _ratio(one, one.ratio), spread, target, met))
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    padded = ([text.ljust(width) for text, width in zip(line, widths, strict=True)] for line in cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def _ratio(one, ratio):
    """As a share of a load where a row is about one, else as a number of times."""
    return f"{100 * ratio:.{0 if ratio >= 0.1 else 1}f}%" if one.at_most and one.unit == "s" else _three(ratio)


def _three(number):
    """Three digits, thousands in full."""
    if number == 0 or not math.isfinite(number):
        return str(number)
    return f"{number:,.{max(0, 2 - math.floor(math.log10(abs(number))))}f}"


def description(job):
    """What was worked on, where and when. Plain values."""
    S, Q, _ = job.study.track.shape
    return {
        "date": date.today().isoformat(),
        "runs": S,
        "topics": Q,
        "lines": int(job.study.track.lengths.sum()),
        "judgments": len(job.study.judgments.pooled_items),
        "megabytes": round(job.bytes / 1e6),
        "rounds": job.rounds,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def arguments(given):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    groups = "; ".join(f"{name}: {group.__doc__.splitlines()[0]}" for name, group in GROUPS.items())
    parser.add_argument("--only", nargs="+", choices=GROUPS, metavar="NAME", help=groups)
    parser.add_argument("--quick", action="store_true", help="a tenth of the job, once: to see that all works")
    parser.add_argument("--rounds", type=int, help="how often each row is timed; 5, or 1 with --quick")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the same as JSON")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the files are, or shall be put and kept")
    return parser.parse_args(given)


def measured(job, names):
    """All rows of these groups; a note in place of those that miss a package."""
    rows = []
    for name in names:
        say(GROUPS[name].__doc__.splitlines()[0].rstrip("."))
        try:
            rows += GROUPS[name](job)
        except Missing as package_name:
            job.note(f"{package_name} is not installed; the rows of {name} are left out.")
    return rows


def main(given=None):
    asked = arguments(given)
    rounds = asked.rounds or (1 if asked.quick else 5)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        job = Job(made(asked.folder or scratch / "job", asked.quick), scratch, rounds)
        rows = measured(job, asked.only or GROUPS)
        about = description(job)
    told = (f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in about.items())
    print(", ".join(told), "", table(rows), "", *(f"- {note}" for note in job.notes), sep="\n")
    if asked.json:
        found = [asdict(one) | {"ratio": one.ratio, "met": one.met} for one in rows]
        asked.json.write_text(json.dumps({"about": about, "rows": found, "notes": job.notes}, indent=1))


if __name__ == "__main__":
    main()
