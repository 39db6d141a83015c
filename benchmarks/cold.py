"""One way to do a job from files to numbers, as a process of its own: python benchmarks/cold.py WAY FOLDER OUT

A way imports only what it needs, reads FOLDER/runs and FOLDER/qrels.txt, and pickles what it found into OUT. run.py
takes the seconds of the process from outside; "apart" are seconds in it that do not count, "processor" those of all its
threads that do.
"""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

# Our name of a measure -> what pytrec_eval, ir-measures and ranx call it, and the option of trec_eval that asks for it.
MEASURES = {
    "AP": ("map", "AP", "map", "map"),
    "nDCG": ("ndcg", "nDCG", "ndcg", "ndcg"),
    "nDCG@10": ("ndcg_cut_10", "nDCG@10", "ndcg@10", "ndcg_cut.10"),
    "P@10": ("P_10", "P@10", "precision@10", "P.10"),
    "RR": ("recip_rank", "RR", "mrr", "recip_rank"),
    "Rprec": ("Rprec", "Rprec", "r-precision", "Rprec"),
    "bpref": ("bpref", "Bpref", "bpref", "bpref"),
}
PYTREC_EVAL, IR_MEASURES, RANX, TREC_EVAL = ([names[way] for names in MEASURES.values()] for way in range(4))
PROGRAM = os.environ.get("TREC_EVAL", "")  # the path of trec_eval, built with -O3


def opened(folder):
    """The study, without the cache."""
    from evalcore import open_study

    return open_study(folder / "runs", folder / "qrels.txt", cache=False)


def evalcore(folder):
    """Scores without intervals. Arrays (S, Q), one a measure."""
    reading = opened(folder).at()
    return {"values": [reading.values(name) for name in MEASURES]}


def evalcore_intervals(folder):
    """Scores with the interval that unjudged documents leave."""
    reading = opened(folder).at()
    return {"values": [reading.estimate(name).value for name in MEASURES]}


def pytrec_eval(folder):
    """Run by run: parsed as its README does, scored, forgotten. {run: {topic: {measure: value}}}"""
    import pytrec_eval

    with open(folder / "qrels.txt") as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), set(PYTREC_EVAL))
    scores = {}
    for path in sorted((folder / "runs").iterdir()):
        with open(path) as lines:
            scores[path.name] = evaluator.evaluate(pytrec_eval.parse_run(lines))
    return {"scores": scores}


def trec_eval(folder):
    """A process for each run, its output kept; reading that stands apart."""
    asked = [PROGRAM, "-q", *(word for name in TREC_EVAL for word in ("-m", name)), str(folder / "qrels.txt")]
    paths = sorted((folder / "runs").iterdir())
    start = os.times()
    outputs = [subprocess.run([*asked, path], check=True, stdout=subprocess.PIPE).stdout for path in paths]
    end = os.times()
    processor = end.children_user + end.children_system - start.children_user - start.children_system
    start, scores = time.perf_counter(), {}
    for path, lines in zip(paths, outputs, strict=True):
        scores[path.name] = by_topic = {}
        for name, topic, value in (line.split() for line in lines.decode().splitlines()):
            by_topic.setdefault(topic, {})[name] = float(value)
    return {"scores": scores, "apart": time.perf_counter() - start, "processor": processor - time.process_time()}


def ir_measures(folder):
    """Run by run, with its own reading and one evaluator for all."""
    import ir_measures

    measures = {ir_measures.parse_measure(name): name for name in IR_MEASURES}
    evaluator = ir_measures.evaluator(list(measures), ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    scores = {}
    for path in sorted((folder / "runs").iterdir()):
        scores[path.name] = by_topic = {}
        for found in evaluator.iter_calc(ir_measures.read_trec_run(str(path))):
            by_topic.setdefault(found.query_id, {})[measures[found.measure]] = found.value
    return {"scores": scores}


def ranx(folder):
    """Run by run, with its own reading; what its compiler takes for a first run stands apart."""
    from ranx import Qrels, Run, evaluate

    def scored(path, qrels):
        run = Run.from_file(str(path), kind="trec", name=path.name)
        evaluate(qrels, run, RANX, return_mean=False, make_comparable=True)
        topics = next(iter(run.scores.values()))
        return {topic: {name: run.scores[name][topic] for name in RANX} for topic in topics}

    def judged():
        return Qrels.from_file(str(folder / "qrels.txt"), kind="trec")

    paths = sorted((folder / "runs").iterdir())
    start, processor = time.perf_counter(), time.process_time()
    scored(paths[0], judged())
    apart = {"apart": time.perf_counter() - start, "processor": processor - time.process_time()}
    qrels = judged()
    return {"scores": {path.name: scored(path, qrels) for path in paths}} | apart


def peak(folder):
    """The most memory that the process held, in bytes: after the imports, and after loading."""
    import evalcore  # noqa: F401

    imported = _peak()
    opened(folder)
    return {"imported": imported, "loaded": _peak()}


def _peak():
    try:
        # ru_maxrss of a child starts at what its parent held; VmHWM starts afresh with the program.
        status = Path("/proc/self/status").read_text()
        return 1024 * int(status.split("VmHWM:")[1].split()[0])
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


WAYS = {way.__name__: way for way in (evalcore, evalcore_intervals, trec_eval, pytrec_eval, ir_measures, ranx, peak)}


if __name__ == "__main__":
    way, folder, out = sys.argv[1:]
    found = WAYS[way](Path(folder))
    found["processor"] = found.get("processor", 0.0) + time.process_time()
    Path(out).write_bytes(pickle.dumps(found))
