"""Rows about what a visitor waits for: a step of a slider, a whole page, a track opened again."""

import itertools
import json
from functools import partial
from statistics import median

import numpy as np
from job import DifferentWork, scored, script
from scoring import DEPTHS
from timing import Row, compared, short, timed

from evalcore import ask, open_study


def steps(job):
    """The scores and their means with the judgments at another pool depth, as a slider asks for them."""
    study = job.study
    theirs = {"P@10": "P_10", "AP": "map", "nDCG@10": "ndcg_cut_10", "bpref": "bpref", "infAP": "infAP"}
    try:
        scores = scored(job.dicts[0], job.qrels_at(50), theirs.values())
        for name, other in theirs.items():
            job.same("pytrec_eval", [study.at(depth=50).estimate(name).value], scores, [other])
    except ModuleNotFoundError as missing:
        job.notes.append(f"{missing.name} is not installed; the scores of the steps were not compared.")
    asked = itertools.cycle(np.random.default_rng(1).permutation(DEPTHS).tolist())

    def step(name):
        return study.means(study.at(depth=next(asked)).estimate(name))

    def step_of_value(name):
        return study.mean(study.at(depth=next(asked)).values(name))

    def board(name):
        return ask(study, "leaderboard", metric=name, depth=next(asked), limits=False)

    def board_with_limits(name):
        return ask(study, "leaderboard", metric=name, depth=next(asked))

    boards = [
        work
        for name, most in (("RBP(p=0.95)", 0.1), ("AP", 0.04), ("nDCG@10", 0.04), ("P@10", 0.04), ("INST(T=1)", 0.04))
        for work in (
            (f"{name}: leaderboard", board, name, 0.02),
            (f"{name}: leaderboard with possible ranks and leaders", board_with_limits, name, most),
        )
    ]
    works = [
        *boards,
        ("RBP(p=0.95)", step, "RBP(p=0.95)", 0.02),
        ("P@10", step, "P@10", 0.02),
        ("bpref", step, "bpref", 0.05),
        ("infAP", step, "infAP", 0.05),
        ("AP without its guide", step_of_value, "AP", 0.02),  # an interval that costs far more than the value
        ("nDCG@10 without its guide", step_of_value, "nDCG@10", 0.02),
        ("AP with its guide", step, "AP", None),
        ("nDCG@10 with its guide", step, "nDCG@10", None),
    ]
    for _, work, name, _ in works:
        work(name)
    load = timed(job.load)
    table = [
        (f"one step of a slider, {words}", "one load", short(partial(work, name)), load, target)
        for words, work, name, target in works
    ]
    return compared(job.rounds, table, at_most=True)


def pages(job):
    """A whole page after a choice, by a visitor who looks at it for half a second, and by one who does not."""

    def visit(pause):
        return json.loads(script("pages.py", job.folder, pause, POOLSCOPE_CACHE=str(job.scratch / "pages")))

    visit(0)  # fills the cache
    rows = []
    for pause, words, target in ((0.5, "half a second after the last", 1), (0, "at once after the last", None)):
        found = [visit(pause) for _ in range(job.rounds)]
        for page in found[0]:
            taken = {choice: [one[page][choice] for one in found] for choice in found[0][page]}
            slowest = max(taken, key=lambda choice: median(taken[choice]))
            what = f"{page}: the slowest of {len(taken)} choices, {words}: {slowest}"
            rows.append(Row(what, "300 ms", taken[slowest], [0.3] * job.rounds, target, at_most=True))
    return rows


def reopen(job):
    """A track that was loaded before."""

    def opened():
        return open_study(job.runs, job.qrels, cache=job.scratch / "cache")

    opened()
    again = opened()
    if again.digest != job.study.digest or not np.array_equal(again.track.items, job.study.track.items):
        raise DifferentWork("the track from the cache is another.")
    table = [("opening a track that was loaded before", "one load", short(opened), timed(job.load), 50)]
    return compared(job.rounds, table)
