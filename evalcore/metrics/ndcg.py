"""nDCG: discounted gain over that of the ideal ranking [JK02], and its bounds when cut at rank k.

The ends of nDCG@k are exact: of all that the documents nobody judged may turn out to be, in the ranking or anywhere
else, none puts the score outside, and some puts it there. Without a cut nothing bounds it from below: every document of
worth that is found later, and there may be any number, lowers the score.
"""

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places, ideal
from evalcore.collection.shares import share

BOUNDED_TO = 1000  # a deeper cut is as none: what it may come to is not worked out
CELLS = 1 << 18  # ranks of some rankings that are gone through at a time


def ndcg(places: Places, *, log: float | None = None, k: int | None = None) -> NDArray[np.float64]:
    """The discounted sum of the grades in a ranking, divided by that of the ideal ranking.

    log : None discounts by `1 / log2(rank + 1)`, as `trec_eval` does; a number b by `1 / max(1, log_b(rank))`
        [JK02]; [FS19] has b = 10
    """
    best = _dcg(ideal(places.judgments), log, k)[places.topic_of_row]
    return share(_dcg(places.worthy, log, k), best)


def ndcg_lower(places: Places, *, log: float | None = None, k: int) -> NDArray[np.float64]:
    """The lowest nDCG@k: unjudged documents of the ranking are worth nothing, and k others are of the best grade."""
    return _dcg(places.worthy, log, k) / (places.scale.most_worth * _discounts(k, log).sum())


def ndcg_upper(places: Places, *, log: float | None = None, k: int) -> NDArray[np.float64]:
    """The highest nDCG@k: the best unjudged documents to find are those of the ranking itself, as many as pay, for
    each of them raises the ideal ranking too. At an empty rank a document may stand that is known already.

    A worth is a sum of steps, one for each grade that it reaches, so both sums are sums over steps; and what reaches a
    step stands at the earliest free ranks, no more of them for a higher step. So a completion is a number of ranks for
    each step. The highest ratio is the t at which the largest excess of the first sum over t times the second is 0,
    found by a few rounds of setting t to the ratio where the excess is largest [Din67].
    """
    upper, at_once, places = np.empty(places.rows), max(1, CELLS // k), places.within(k)
    for first in range(0, places.rows, at_once):
        rows = slice(first, first + at_once)
        upper[rows] = _highest_ratio(*_choices(places.of_rows(rows), log, k))
    return np.minimum(upper, 1.0)


def _choices(places, log, k):
    """By step and by how many new documents reach it, from none to k: what these rankings cumulate, and what the ideal
    one then does. Two float64 (steps, rows, k + 1). found : places within rank k
    """
    discount = _discounts(k, log)
    upto = np.append(0.0, np.cumsum(discount))
    top, end = places.judged, np.minimum(places.lengths, k)[:, None]
    free = np.arange(k) < end
    free[top.row, top.rank] = False
    opened = np.zeros((places.rows, k + 1))
    np.cumsum(-np.sort(-(free * discount), axis=1), axis=1, out=opened[:, 1:])  # by the first, the first two, ...
    new, room = np.arange(k + 1), (k - end) * places.endless
    past_the_list = np.maximum(new - free.sum(axis=1, keepdims=True), 0)
    cumulated, ideally = [], []
    for size, reaches in _steps(places.scale):
        known = places.judgments.count(reaches)[places.topic_of_row, None]
        reaching = top.where(top.marked(reaches))
        earned = reaching.sum(discount[reaching.rank])[:, None] + opened
        if room.any():
            filled = np.minimum(known - reaching.counts[:, None] + past_the_list, room)
            earned += upto[end + filled] - upto[end]
        cumulated.append(size * earned)
        ideally.append(size * upto[np.minimum(known + new, k)])
    return np.stack(cumulated), np.stack(ideally)


def _highest_ratio(cumulated, ideally):
    """The highest sum of the one over the sum of the other, a choice for each step and none more for a higher one.
    float64 (rows,)."""
    highest = share(cumulated.sum(axis=0), ideally.sum(axis=0)).max(axis=1)  # the same choice for every step
    left = np.arange(len(highest) if len(cumulated) > 1 else 0)
    while len(left):
        ratio = share(*_largest_excess(cumulated[:, left], ideally[:, left], highest[left, None]))
        higher = ratio > highest[left]
        left, ratio = left[higher], ratio[higher]
        highest[left] = ratio
    return highest


def _largest_excess(cumulated, ideally, t):
    """The two sums where the one exceeds t times the other most. Two float64 (rows,)."""
    *lower, (last, last_ideally) = zip(cumulated, ideally, strict=True)
    for more, more_ideally in reversed(lower):  # for each choice here, the best of those above that are no more
        excess = last - t * last_ideally
        best = np.maximum.accumulate(excess, axis=1)
        at = np.maximum.accumulate(np.where(excess == best, np.arange(excess.shape[1]), 0), axis=1)
        last = more + np.take_along_axis(last, at, axis=1)
        last_ideally = more_ideally + np.take_along_axis(last_ideally, at, axis=1)
    best = np.argmax(last - t * last_ideally, axis=1)[:, None]
    return (np.take_along_axis(values, best, axis=1)[:, 0] for values in (last, last_ideally))


def _dcg(places, log, k):
    top = places.within(k)
    discount = _discounts(int(places.lengths.max(initial=0)), log)
    return top.sum(top.scale.worth[top.level] * discount[top.rank])


def _discounts(k, log):
    """What the first k ranks are discounted by. float64 (k,)."""
    ranks = np.arange(k) + 1.0
    return 1 / np.log2(ranks + 1) if log is None else 1 / np.maximum(1, np.log(ranks) / np.log(log))


def _steps(scale):
    """The steps of worth from 0 to the most there is: the size of each, and which levels reach it."""
    values = np.union1d(scale.worth[scale.worth > 0], [scale.most_worth])
    return [(size, scale.worth >= value) for size, value in zip(np.diff(values, prepend=0.0), values, strict=True)]
