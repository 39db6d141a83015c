"""What a step of the depth slider costs, as a share of one load: python benchmarks/steps.py [RUNS QRELS]

Without files, on the sample. Of every metric: the leaderboard with scores and intervals alone, and with the ranks that
are still possible; the first step at a metric, and the median of the next. A part of .ci/run, which asserts none of it.
"""

import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import evalcore  # noqa: E402

METRICS = "RBP(p=0.95)", "RBP(p=0.8)", "AP", "nDCG@10", "P@10", "INST(T=1)"
DEPTHS = range(1, 7)


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def shares(runs, qrels):
    """Per metric: the share of a load of a step without and with limits, and of the first step with them."""
    load = median(seconds(lambda: evalcore.open_study(runs, qrels, cache=False)) for _ in range(3))
    study = evalcore.open_study(runs, qrels, cache=False)
    yield f"load {load:.2f} s, {len(study.systems)} systems"
    for metric in METRICS:
        taken = {
            limits: [
                seconds(lambda: evalcore.ask(study, "leaderboard", metric=metric, depth=depth, limits=limits))  # noqa: B023
                for depth in DEPTHS
            ]
            for limits in (True, False)
        }
        plain, whole, first = median(taken[False]), median(taken[True][1:]), taken[True][0]
        plain, whole, first = (f"{one / load:6.1%}" for one in (plain, whole, first))
        yield f"{metric:12} {plain} of a load, with possible ranks {whole}, first {first}"


if __name__ == "__main__":
    sample = ROOT / "sample_data" / "web"
    for line in shares(*(sys.argv[1:3] or (sample / "runs", sample / "qrels.txt"))):
        print(line)
