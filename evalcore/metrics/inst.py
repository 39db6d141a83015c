"""INST: the expected gain of a reader who looks for T relevant documents [BMST15].

Where an unjudged rank gains 0, or 1, the definition is multiplied out over runs of such ranks, so that only the others
are gone through: three to five times as fast for the shallow pools of a sweep, which ask for it most often.
"""

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places
from evalcore.collection.ragged import rows_of

RANKS = 1000  # the sum in its weights runs over so many ranks, as in cwl-eval
HOPES = 0.5, 1e6  # what T may be: below, the interval is not exact; above, its sums lose their digits


def inst(places: Places, *, T: float | NDArray[np.float64] = 1.0) -> NDArray[np.float64]:
    """The gain of a reader who wants T relevant documents; weights depend on those found, and unjudged ranks gain 0.

    T : a number, or float (rows,); in a name, that of a column of the queries table with a value per query [BMST15].
    """
    return _score(places, T, unjudged=0.0)


def inst_upper(places: Places, *, T: float | NDArray[np.float64] = 1.0) -> NDArray[np.float64]:
    """INST when every rank that is not known gains r_max. Exact for T >= 0.5."""
    return _score(places, T, unjudged=places.scale.r_max)


def _score(places, T, unjudged):
    gain_of_level = np.where(places.scale.judged, places.scale.gain, unjudged)
    if unjudged in (0, 1):
        return _by_run(places, T, gain_of_level, full=unjudged == 1)
    return _by_rank(places, T, gain_of_level)


def _by_rank(places, T, gain_of_level):
    """The definition: W(k+1) / W(k) = (1 - 1 / effort_{k+1})^2, where effort_k is 2T + sum_{j<k} (1 - r_j)."""
    gain_of_level = np.append(gain_of_level, 0.0)
    past_the_end = len(gain_of_level) - 1
    levels = np.zeros((RANKS, places.rows), np.uint16)  # level 0: nothing is known
    top = places.within(RANKS)
    levels[top.rank, top.row] = top.level
    if not places.endless:
        levels[np.arange(RANKS)[:, None] >= places.lengths] = past_the_end
    score, total, viewed = np.zeros(places.rows), np.zeros(places.rows), np.ones(places.rows)
    effort = np.full(places.rows, 2.0) * T
    for of_rank in levels:
        gain = gain_of_level[of_rank]
        score += viewed * gain
        total += viewed
        effort += 1 - gain
        viewed *= (1 - 1 / effort) ** 2
    return score / total


def _by_run(places, T, gain_of_level, *, full):
    """The same where an unjudged rank gains 0, or 1 (`full`): rank k is viewed in proportion to
    `prod_{j<k} (1 - r_j / effort_j)^2 / effort_k^2`, the definition multiplied out. Over a run of ranks that all gain 0
    these are inverse squares, over one where all gain 1 a geometric series: so only the other ranks, and the end of
    each ranking, are gone through.
    """
    last = np.full(places.rows, RANKS) if places.endless else np.minimum(places.lengths, RANKS)
    places = places.within(RANKS)
    met = np.flatnonzero(places.marked(gain_of_level != float(full)))
    rows = places.rows_among(met)
    rank = np.insert(places.rank[met], rows.starts[1:], last)
    gain = np.insert(gain_of_level[places.level[met]], rows.starts[1:], 0.0)
    rows = rows_of(rows.counts + 1)
    end = rows.starts[1:] - 1

    run = rows.apart(rank)  # how many ranks lie between each of these and the one before it
    effort = rows.each(np.broadcast_to(2.0 * T, rows.rows)) + rows.above(1 - gain)
    if not full:
        effort += rows.running(run)
    log_left = _log_left(gain, effort)
    log_left_by_run = _log_left(1, effort, run) if full else 0
    before_run = rows.above(log_left + log_left_by_run)
    left = np.exp(before_run + log_left_by_run)
    views_of_run = (
        (np.exp(before_run) - left) / (2 * effort - 1) if full else left * _inverse_squares(effort - run, run)
    )
    view = left / effort**2
    view[end] = left[end] * _inverse_squares(effort[end], RANKS - last)
    return rows.sum(view * gain + views_of_run * full) / rows.sum(view + views_of_run)


def _log_left(gain, effort, n=1):
    """The logarithm of the share of readers left after n ranks of this gain at this effort; -100 for none."""
    return np.maximum(2 * n * np.log(np.maximum(1 - gain / effort, np.exp(-50))), -100)


def _inverse_squares(first, n):
    """`1 / first^2 + 1 / (first + 1)^2 + ...`, n terms, first >= 1: the difference of two trigamma functions, each by 8
    terms and an asymptotic series (Abramowitz & Stegun, 6.4.12). SciPy's take ten times as long."""

    def trigamma(x):
        terms, y, z = sum(1 / (x + i) ** 2 for i in range(8)), x + 8, 1 / (x + 8) ** 2
        return terms + z / 2 + (1 + z * (1 / 6 - z * (1 / 30 - z * (1 / 42 - z * (1 / 30 - z * 5 / 66))))) / y

    return trigamma(first) - trigamma(first + n)
