"""How long the two sides of a row take, and what comes of it."""

import time
from dataclasses import dataclass
from functools import partial
from statistics import median


@dataclass(frozen=True)
class Row:
    """One comparison: what `ours` and `theirs` took, round by round, in `unit`.

    at_most : the ratio is ours / theirs and the target its upper limit; else theirs / ours and its lower limit
    target : None for a row that is there to be known
    """

    job: str
    against: str
    ours: list
    theirs: list
    target: float | None
    at_most: bool = False
    unit: str = "s"

    @property
    def ratios(self):
        return [a / b if self.at_most else b / a for a, b in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self):
        return median(self.ratios)

    @property
    def met(self):
        if self.target is None:
            return None
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


def timed(work, *prepared, repeats=1, times=1):
    """A side of a row: does a piece of the work when called, and says how many seconds the whole takes.

    prepared : makes what the work is done on, anew each time, which does not count
    repeats : how often the piece is done, of which the median counts; times : how many such pieces the whole has
    """

    def once():
        arguments = [make() for make in prepared]
        start = time.perf_counter()
        work(*arguments)
        return time.perf_counter() - start

    return lambda: times * median(once() for _ in range(repeats))


short = partial(timed, repeats=5)


def in_turn(rounds, sides):
    """What each side says it took, round by round: {side: [seconds]}."""
    taken = [{side: side() for side in sides} for _ in range(rounds)]
    return {side: [of_round[side] for of_round in taken] for side in sides}


def compared(rounds, table, *, at_most=False):
    """A Row for each (job, against, our side, their side, target); a side that several rows share is timed once."""
    taken = in_turn(rounds, dict.fromkeys(side for _, _, *sides, _ in table for side in sides))
    return [
        Row(job, against, taken[ours], taken[theirs], target, at_most) for job, against, ours, theirs, target in table
    ]
