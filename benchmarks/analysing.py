"""Rows about what is made of scores and rankings: tests, models, analyses of variance, newcomers, fusion."""

from dataclasses import replace
from functools import partial
from statistics import fmean

import numpy as np
from job import AGREE, DifferentWork, scored
from scipy import optimize, stats
from timing import compared, short, timed

from evalcore import RANK_MODELS, ask
from evalcore.fusion import fused_runs, methods
from evalcore.statistics import significance
from evalcore.study import study_fusion
from tests.oracles import models

GUESSED_FROM, ITERATIONS = 10, 20  # the pool depth of the guesses; how long the other side searches
SHARDS, TIMED = 50, 2  # the other side is timed on so many of the shards, and of the newcomers
FUSED = {  # our rule -> the same of ranx
    "rbc": {"method": "rbc", "norm": None, "params": {"phi": 0.9}},
    "combsum": {"method": "sum", "norm": "min-max"},
}
COMPARED = 3  # topics on which every value is compared


def pairs(job):
    """Paired t-tests of all pairs of systems."""
    scores = job.study.at().values("RBP(p=0.95)")
    every = list(zip(*significance.pairs(len(scores)), strict=True))

    def one_by_one():
        return np.array([stats.ttest_rel(scores[a], scores[b]).pvalue for a, b in every])

    def at_once():
        return significance.t_test(significance.differences(scores))

    apart = np.abs(at_once() - one_by_one()).max()
    if apart > 1e-9:
        raise DifferentWork(f"the p-values differ by {apart:g}.")
    what, against = f"all {len(every):,} paired t-tests", "a loop of scipy.stats.ttest_rel"
    return compared(job.rounds, [(what, against, short(at_once), timed(one_by_one), 100)])


def guesses(job):
    """Two-stage estimates of all topics."""
    evidence = job.study.at(depth=GUESSED_FROM).evidence()
    problems = len(evidence) * (1 + len(RANK_MODELS))

    def ours(name):
        return replace(job.study).at(depth=GUESSED_FROM).estimate("RBP(p=0.95)", estimator=name)

    of = f"all topics ({len(evidence)} x {job.study.track.pooled.sum()} runs), pool depth {GUESSED_FROM}"
    against = "the loss in plain loops inside SLSQP"
    table = [
        (f"{name}, {of}", against, timed(partial(ours, name)),
         timed(partial(by_slsqp, evidence[0][1], name[-1]), times=problems), 300)
        for name in ("two-stage-a", "two-stage-b")
    ]  # fmt: skip
    job.notes.append(
        f"The loss in plain loops was minimised for one rank model of one topic, {ITERATIONS} iterations at most; the "
        f"time of all {problems} problems is a product."
    )
    return compared(job.rounds, table)


def by_slsqp(evidence, loss):
    """The weights of the runs in stage 1 for one rank model, as one would write it first."""
    lists = [[int(item) for item in run if item] for run in evidence.pooled]
    known = {D: float(evidence.gain[D]) for run in lists for D in run if not np.isnan(evidence.gain[D])}
    curve = evidence.curve("linear").tolist()
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


def shards(job):
    """AP of every system, topic and shard of the documents, and six analyses of variance."""
    runs, qrels = job.dicts
    documents = sorted({document for run in runs.values() for ranking in run.values() for document in ranking})
    shard_of = dict(zip(documents, np.random.default_rng(1).permutation(len(documents)) % SHARDS, strict=True))

    def part(of, shard):
        return {topic: {d: x for d, x in held.items() if shard_of.get(d) == shard} for topic, held in of.items()}

    def shard_by_shard():
        for shard in range(TIMED):
            scored({name: part(run, shard) for name, run in runs.items()}, part(qrels, shard), {"map"})

    def at_once():
        return ask(replace(job.study), "models", shards=SHARDS, resamples=1)

    at_once()  # the numbers of the documents, which are the same for every partition
    job.notes.append(
        f"Shards by pytrec_eval: {TIMED} of {SHARDS} are timed, without the analyses; the time of all is a product."
    )
    what, theirs = f"MD1 to MD6 over {SHARDS} shards, in memory", timed(shard_by_shard, times=SHARDS / TIMED)
    return compared(job.rounds, [(what, "pytrec_eval, shard by shard", timed(at_once), theirs, 100)])


def newcomers(job):
    """Every contributing system left out of the pool, all systems scored anew each time."""
    (runs, _), qrels = job.dicts, job.qrels_at(10)
    pooled = [name for name, helped in zip(job.study.systems, job.study.track.pooled, strict=True) if helped]
    brought = {name: {topic: first_ten(ranking) for topic, ranking in runs[name].items()} for name in pooled}

    def without(left_out):
        others = [brought[name] for name in pooled if name != left_out]
        kept = {}
        for topic, judged in qrels.items():
            alone = brought[left_out].get(topic, set()).difference(*(other.get(topic, ()) for other in others))
            kept[topic] = {document: grade for document, grade in judged.items() if document not in alone}
        return scored(runs, kept, {"P.10"})

    def one_by_one():
        return {name: without(name)[name] for name in pooled[:TIMED]}

    def at_once():
        return ask(job.study, "leave_out", metric="P@10", depth=10)

    value = at_once().table.set_index("system")["value_without"]
    alike = sum(
        abs(value[name] - fmean(of["P_10"] for of in scores.values())) < AGREE for name, scores in one_by_one().items()
    )
    everyone = f"the time of all {len(pooled)} is a product"
    job.notes.append(f"Left out: {alike} of {TIMED} systems score as pytrec_eval has them; {everyone}.")
    what = f"leave out each of {len(pooled)} systems, P@10, pool depth 10"
    theirs = timed(one_by_one, times=len(pooled) / TIMED)
    return compared(job.rounds, [(what, "pytrec_eval, one after the other", short(at_once), theirs, None)])


def first_ten(ranking):
    """The first documents of a ranking {document: score} as trec_eval orders them."""
    return set(sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)[:10])


def fuse(job):
    """All runs made one."""
    job.notes.append(
        f"ranx, fusion: the same value of every document within {AGREE:g} on {COMPARED} topics without a list of one "
        "score, which it makes 0; where ranks decide it is given them as scores, for it orders ties otherwise."
    )
    return [row for name, theirs in FUSED.items() for row in fused(job, methods.rule(name), name, theirs)]


def fused(job, rule, name, theirs):
    """The row of a rule, which ranx knows by `theirs`; DifferentWork unless documents have the same values there."""
    import ranx

    track = job.study.track
    whole = np.flatnonzero(track.lengths.all(axis=1))  # ranx wants the same topics in every run
    systems = [track.systems[system] for system in whole]

    def scores(system, query):
        length = track.lengths[system, query]
        given = track.scores[system, query, :length] if rule.uses_scores else np.arange(length, 0.0, -1)
        return dict(zip(track.documents(track.items[system, query, :length]), given.tolist(), strict=True))

    runs = [
        ranx.Run({topic: scores(s, q) for q, topic in enumerate(track.queries)}, name=track.systems[s]) for s in whole
    ]

    def by_ranx():
        return ranx.fuse(runs, **theirs)

    def ours(study):
        return study_fusion.fused(study, rule, study_fusion.inputs_of(study, systems))

    made = by_ranx()  # which compiles it too
    lists = ((query, track.items[whole, query] > 0, track.scores[whole, query]) for query in range(track.shape[1]))
    varied = [query for query, held, scores in lists if not methods.all_equal(held, scores).any()]
    for query in varied[:COMPARED]:
        each = np.full(len(whole), query), np.ones(len(whole))
        items, values = fused_runs.fused_list(track, rule, whole, *each)
        other = made[track.queries[query]]
        given = np.array([other[document] for document in track.documents(items)])
        if len(other) != len(items) or np.abs(given - values).max() > AGREE:
            raise DifferentWork(f"{rule.name} on {track.queries[query]}: ranx gives other values.")
    what = f"{len(systems)} runs fused, {name}, in memory"
    return compared(job.rounds, [(what, "ranx, its runs in memory", short(ours, job.untouched), timed(by_ranx), 5)])
