"""Rows about scores: from files, from memory, at every pool depth, and the memory that it takes."""

import importlib.util
import itertools
import pickle

import numpy as np
from cold import IR_MEASURES, MEASURES, PROGRAM, PYTREC_EVAL, RANX
from job import scored, script
from timing import Row, compared, in_turn, short, timed

OTHERS = {  # package or program -> how it works, its names of the measures
    "trec_eval": ("trec_eval, a process for each run", PYTREC_EVAL),
    "pytrec_eval": ("pytrec_eval, run by run", PYTREC_EVAL),
    "ir_measures": ("ir-measures, run by run", IR_MEASURES),
    "ranx": ("ranx, run by run, without its compilation", RANX),
}
COLD = (  # what is said, our way of cold.py, the other, what is taken of each, the target
    ("", "evalcore", "trec_eval", "seconds", 2.8),
    ("", "evalcore", "pytrec_eval", "seconds", 2.7),
    ("", "evalcore", "ir_measures", "seconds", 6),
    ("", "evalcore", "ranx", "seconds", 12),
    (", with intervals", "evalcore_intervals", "pytrec_eval", "seconds", None),
    (", processor time", "evalcore", "trec_eval", "processor", 2.2),
    (", processor time", "evalcore", "pytrec_eval", "processor", None),
    (", processor time", "evalcore", "ir_measures", "processor", None),
    (", processor time", "evalcore", "ranx", "processor", None),
)
DEPTHS = range(1, 101)
SAMPLED = (10, 50, 100)  # depths at which the other side is timed; it takes each on its own, so the rest is a product


def process(job, way):
    """Runs cold.py in one of its ways. -> what it pickled, with "seconds" less those that stand apart"""
    out = job.scratch / way
    whole = timed(lambda: script("cold.py", way, job.folder, out))()
    result = pickle.loads(out.read_bytes())
    return result | {"seconds": whole - result.get("apart", 0.0)}


def cold(job):
    """From files to seven scores of every run and topic, each a process of its own."""
    others = [name for name in OTHERS if (PROGRAM if name == "trec_eval" else importlib.util.find_spec(name))]
    job.notes += [f"{name} is not there; its row is left out." for name in OTHERS if name not in others]
    process(job, "evalcore")  # compiles the modules and brings the files into memory, for all
    ways = ("evalcore", "evalcore_intervals", *others)
    rounds = [{way: process(job, way) for way in ways} for _ in range(job.rounds)]
    for found, name, ours in itertools.product(rounds, others, ways[:2]):
        job.same(name, found[ours]["values"], found[name]["scores"], OTHERS[name][1])
    return [
        Row(f"cold process: load, 7 measures{more}", OTHERS[theirs][0],
            [found[ours][what] for found in rounds], [found[theirs][what] for found in rounds], target)
        for more, ours, theirs, what, target in COLD if theirs in others
    ]  # fmt: skip


def measures(job):
    """Seven scores of every run and topic from what is in memory."""

    def untouched():
        return job.untouched().at()

    def values(reading):
        return [reading.values(name) for name in MEASURES]

    def intervals(reading):
        return [reading.estimate(name) for name in MEASURES]

    def theirs():
        return scored(*job.dicts, PYTREC_EVAL)

    scores = theirs()
    job.same("pytrec_eval", values(untouched()), scores, PYTREC_EVAL)
    job.same("pytrec_eval", [found.value for found in intervals(untouched())], scores, PYTREC_EVAL)
    against, other = "pytrec_eval, its dicts in memory", timed(theirs)
    return compared(job.rounds, [
        ("7 measures, arrays in memory", against, short(values, untouched), other, 20),
        ("7 measures with intervals, arrays in memory", against, short(intervals, untouched), other, None),
    ])  # fmt: skip


def depths(job):
    """Base and residual with the judgments at each pool depth from 1 to 100."""

    def sweep(study, name="RBP(p=0.95)"):
        return study.at().sweep(name, DEPTHS)

    def theirs():
        """P@10 of what is relevant is the base; what P@10 of all that is judged leaves is the residual."""
        for depth in SAMPLED:
            relevant = job.qrels_at(depth)
            judged = {topic: dict.fromkeys(grades, 1) for topic, grades in relevant.items()}
            yield [scored(job.dicts[0], qrels, ["P_10"]) for qrels in (relevant, judged)]

    at_sampled = job.untouched().at().sweep("P@10", SAMPLED)
    for at, (relevant, judged) in enumerate(theirs()):
        lower, upper = at_sampled.lower[..., at], at_sampled.upper[..., at]
        job.same("pytrec_eval", [lower], relevant, ["P_10"])
        job.same("pytrec_eval", [1 - (upper - lower)], judged, ["P_10"])
    seen = job.untouched()
    sweep(seen)

    def shown():
        """A study of which a page was shown: its places and its pool are known, the answers forgotten."""
        seen.memo.sweeps.drop()
        return seen

    patient, impatient = short(sweep, shown), short(lambda study: sweep(study, "RBP(p=0.8)"), shown)
    anew, loaded = short(sweep, job.untouched), timed(lambda: sweep(job.load()))
    one_by_one, reading = timed(lambda: list(theirs()), times=len(DEPTHS) / len(SAMPLED)), timed(job.read_dicts)
    taken = in_turn(job.rounds, [patient, impatient, anew, loaded, one_by_one, reading])
    product, whole = taken[one_by_one], np.add(taken[one_by_one], taken[reading]).tolist()
    job.notes.append(
        f"pytrec_eval has no RBP: P@10 of the relevant and of the judged documents stand in for base and residual, at "
        f"depths {SAMPLED}; the time of 100 depths is a product."
    )
    base, against = "base and residual at depths 1..100", "pytrec_eval, one depth at a time"
    return [
        Row(f"{base}, RBP(p=0.95), in memory", against, taken[patient], product, 10_000),
        Row(f"{base}, RBP(p=0.8), in memory", against, taken[impatient], product, None),
        Row(f"{base}, pool and places found again", against, taken[anew], product, None),
        Row(f"{base}, with loading", f"{against}, with loading", taken[loaded], whole, 250),
    ]


def memory(job):
    """The most that a process holds while it loads."""
    found = [process(job, "peak") for _ in range(job.rounds)]
    loaded = [one["loaded"] / 1e6 for one in found]
    above = [(one["loaded"] - one["imported"]) / 1e6 for one in found]
    against, size, reading = "size of the files", [job.megabytes] * job.rounds, {"at_most": True, "unit": "MB"}
    return [
        Row("memory peak of a process that loads", against, loaded, size, 1.5, **reading),
        Row("the same above what the imports hold", against, above, size, None, **reading),
    ]
