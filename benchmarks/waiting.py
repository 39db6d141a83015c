"""Rows about what a visitor waits for: a step of a slider, a whole page, a track opened again."""

import itertools
import json
from functools import partial
from statistics import median

import numpy as np
from cold import PROGRAM
from job import DifferentWork, scored, script
from scoring import DEPTHS, process
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

    def question(name, metric):
        return ask(study, name, metric=metric, depths=[next(asked)])

    boards = [
        work
        for name in ("RBP(p=0.95)", "AP", "nDCG@10", "P@10", "INST(T=1)")
        for work in (
            (f"{name}: leaderboard", board, name, PLAIN),
            (f"{name}: leaderboard with possible ranks and leaders", board_with_limits, name, WITH_RANKS),
        )
    ]
    works = [
        *boards,
        ("RBP(p=0.95): pool", partial(question, "pool"), "RBP(p=0.95)", PLAIN),
        ("RBP(p=0.95): depth_sweep", partial(question, "depth_sweep"), "RBP(p=0.95)", WITH_RANKS),
        ("RBP(p=0.95)", step, "RBP(p=0.95)", PLAIN),
        ("P@10", step, "P@10", PLAIN),
        ("bpref", step, "bpref", PLAIN),
        ("infAP", step, "infAP", PLAIN),
        ("AP without its guide", step_of_value, "AP", PLAIN),  # an interval that costs far more than the value
        ("nDCG@10 without its guide", step_of_value, "nDCG@10", PLAIN),
        ("AP with its guide", step, "AP", None),
        ("nDCG@10 with its guide", step, "nDCG@10", None),
    ]
    for _, work, name, _ in works:
        work(name)
    if PROGRAM:
        against, other = "trec_eval, a process for each run", lambda: process(job, "trec_eval")["seconds"]
    else:
        against, other = "one load", timed(job.load)
    table = [
        (f"one step of a slider, {words}", against, short(partial(work, name)), other, target if PROGRAM else None)
        for words, work, name, target in works
    ]
    return compared(job.rounds, table, at_most=True)


PLAIN, WITH_RANKS = 0.0045, 0.0085  # of trec_eval's time: a share of our load would punish a faster load


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


def controls(job):
    """Each option of each picker, its first choice: processor time of a page, and of the client that asks for it."""
    found = json.loads(script("pages.py", job.folder, 0, "controls", POOLSCOPE_CACHE=str(job.scratch / "pages")))
    rows = []
    for page, taken in found.items():
        slowest = max(taken, key=taken.get)
        most = SHARDS if slowest.startswith("shards") else CONTROL
        what = f"{page}: the slowest first choice of {len(taken)}: {slowest}, processor time"
        rows.append(Row(what, f"{most:.1f} s", [taken[slowest]], [most], 1, at_most=True))
    return rows


CONTROL, SHARDS = 0.5, 1.0  # s


def reopen(job):
    """A track that was loaded before."""

    def opened():
        return open_study(job.runs, job.qrels, cache=job.scratch / "cache")

    opened()
    again = opened()
    if again.digest != job.study.digest or not np.array_equal(again.track.items, job.study.track.items):
        raise DifferentWork("the track from the cache is another.")
    table = [("opening a track that was loaded before", "one load", short(opened), timed(job.load), 5)]
    return compared(job.rounds, table)
