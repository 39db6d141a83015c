"""Certain pairs: how far one system is ahead of another at least, over all possible judgments.

Tighter than two intervals side by side: a document that both systems retrieved has one gain, the same for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.shares import share

NEGLIGIBLE = 1e-13  # the weight of all ranks further down
UNBOUNDED = 1e300  # times less than 1, and 0 times it is 0
MANY = 64  # times as many sums as pairs that are added; then looking for those that change takes less time
PAIRS_AT_ONCE = 1 << 20  # of holders of a document; more do not fit into the cache of the processor


def least_leads(
    lower: NDArray[np.float64], upper: NDArray[np.float64], counted: NDArray[np.bool_],
    shared: float | NDArray[np.float64] = 0.0, of: slice | NDArray[np.intp] = slice(None),
) -> NDArray[np.float64]:  # fmt: skip
    """By how much each system's mean is ahead of each other's at least, over the topics that count for both. float
    (S, C); NaN without such a topic.

    lower, upper : float (S, T), exact bounds; counted : bool (S, T), which topics count for which system
    shared : float (S, S), the weight that both give the same unjudged documents, times the largest gain; over topics
    of : which systems the others are ahead of, C of them
    """
    pairs, topics = "at, bt -> ab", counted.astype(float)
    alike = (counted == counted[:1]).all()  # if all answer the same ones, one system stands for all
    first, second = (topics[:1], topics[:1]) if alike else (topics, topics[of])
    of_first, of_second = np.einsum(pairs, lower * topics, second), np.einsum(pairs, (upper * topics)[of], first)
    common = np.broadcast_to(shared, (len(lower), len(lower)))[:, of]
    return share(of_first - of_second.T + common, np.einsum(pairs, topics, second), without=np.nan)


def least_leads_of_ratios(
    value: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64], unknown: NDArray[np.float64],
    counted: NDArray[np.bool_], shared: Symmetric, of: slice | NDArray[np.intp] = slice(None),
) -> NDArray[np.float64]:  # fmt: skip
    """The same for sums over one denominator that both systems share, such as the ideal ranking's of nDCG, which
    further judging can only raise, up to a largest one. float (S, C).

    value, lower : float (S, T), the sums that are known over the denominator as it is, and over the largest
    upper, unknown : float (S, T), the upper bound; the unknown weight of each, of all weight
    shared : T matrices, what two have of it in common
    A difference of sums that is surely positive is least over the largest denominator, another one over that of now.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        grows = np.where(lower > 0, value / lower, 0.0).max(axis=0, initial=0)  # by how much the denominator may
    grows = np.where(grows > 0, grows, UNBOUNDED)
    highest, count = lower + unknown, counted.astype(float)
    total = np.zeros((len(lower), len(lower[of])))
    of_ratios, of_bounds = np.empty((2, *total.shape))
    for t in range(lower.shape[1]):
        np.subtract(lower[:, t, None], highest[of, t], out=of_ratios)
        of_ratios += shared.columns(t, of)
        np.minimum(of_ratios, np.multiply(of_ratios, grows[t], out=of_bounds), out=of_ratios)
        np.subtract(lower[:, t, None], upper[of, t], out=of_bounds)
        least = np.maximum(of_ratios, of_bounds, out=of_bounds)
        total += least if counted[:, t].all() else np.where(counted[:, t, None] & counted[of, t], least, 0)
    return share(total, np.einsum("at, bt -> ab", count, count[of]), without=np.nan)


class SharedWeight:
    """The weight that every two systems give the same unjudged documents: the sum of the smaller ones.

    `unjudged_from` is called with ever lower numbers of judgments, so all depths of a sweep cost one pass: a document
    that is unjudged with many judgments is also unjudged with fewer.
    """

    def __init__(
        self, items: NDArray[np.int32], weights: NDArray[np.float64], share_of: NDArray[np.float64],
        step: NDArray[np.integer], *, sum_of: tuple[NDArray[np.integer], NDArray[np.intp]], several: bool = False,
        negligible: float = 0.0,
    ) -> None:  # fmt: skip
        """items : int (S, Q, K); weights : float (K,), of ranks, falling
        share_of : float (S, Q), what a query counts for in the topic's mean
        step : int (N,), by item, the number of the first judgments that contain it; 0 = always judged, or not counted
        sum_of : int (N,), the topic of each item, and int (T,), the sum that a topic's weights are added to
        several : whether a topic has several queries, so that a system may rank a document twice
        negligible : ranks that weigh no more together are left out: the shared weight is smaller by at most twice that
        """
        reach = np.count_nonzero(weights.sum() - np.cumsum(weights) > negligible) + 1
        item, query, rank, system = _unjudged(items[:, :, :reach], step > 0)
        self.weight, level = weights[:reach], rank
        if several:
            item, system, self.weight, level = _added_up(item, system, weights[rank] * share_of[system, query])
        common = np.flatnonzero((np.bincount(item, minlength=1) > 1)[item])
        bits_of_level, bits_of_system = (int(n).bit_length() for n in (len(self.weight), len(items)))
        key = (item[common].astype(np.int64) << bits_of_level | level[common]) << bits_of_system | system[common]
        key.sort()  # by document, the higher weight first
        self.system = key & ((1 << bits_of_system) - 1)
        key >>= bits_of_system
        self.level = key & ((1 << bits_of_level) - 1)
        key >>= bits_of_level
        self.begins = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
        self.holders = np.diff(self.begins, append=len(key))
        self.second, self.first = np.tril_indices(self.holders.max(initial=0), -1)  # those of fewer holders come first
        of_document = key[self.begins]
        topic_of_item, sum_of_topic = sum_of
        self.step, self.offset = step[of_document], sum_of_topic[topic_of_item[of_document]] * len(items) ** 2
        self.shape = (sum_of_topic.max(initial=0) + 1, len(items), len(items))
        self.total = np.zeros(np.prod(self.shape))
        self.added = np.iinfo(np.int64).max

    def unjudged_from(self, number: int) -> Symmetric:
        """The shared weight with so many judgments: of documents whose step is above `number`. A matrix for each sum;
        the next call changes them."""
        new = np.flatnonzero((self.step > number) & (self.step <= self.added))
        self.added = number
        new = new[np.argsort(self.holders[new], kind="stable")]
        waiting, pairs = [], 0
        for begin, end in _runs(self.holders[new]):
            holders = int(self.holders[new[begin]])
            at_once = max(1, PAIRS_AT_ONCE // (holders * (holders - 1) // 2))
            for start in range(begin, end, at_once):
                waiting.append(self._pairs(new[start : min(start + at_once, end)], holders))
                pairs += len(waiting[-1][0])
                if pairs >= PAIRS_AT_ONCE:
                    self._add(waiting)
                    waiting, pairs = [], 0
        self._add(waiting)
        return Symmetric(self.total.reshape(self.shape))

    def _pairs(self, documents, holders):
        """Where each pair of these documents' holders is added up, and what they share: the weight of the later one,
        which is the smaller. Two (pairs,)."""
        pairs = holders * (holders - 1) // 2
        first, second = self.first[:pairs], self.second[:pairs]
        at = self.begins[documents][:, None] + np.arange(holders)
        system = self.system[at]
        pair = (system * self.shape[1] + self.offset[documents][:, None])[:, first] + system[:, second]
        return pair.ravel(), self.weight[self.level[at]][:, second].ravel()

    def _add(self, waiting):
        if waiting:
            pair, weight = (np.concatenate(each) for each in zip(*waiting, strict=True))
            if len(self.total) < MANY * len(pair):
                self.total += np.bincount(pair, weight, minlength=len(self.total))
            else:  # most stay as they are
                places, pair = np.unique(pair, return_inverse=True)
                self.total[places] += np.bincount(pair, weight)


@dataclass(frozen=True)
class Symmetric:
    """Matrices (S, S), each the sum of a stored one and its mirror image; all sums at once would take as much again.

    halves : float (n, S, S)
    """

    halves: NDArray[np.float64]

    def columns(self, nth: int, of: slice | NDArray[np.intp] = slice(None)) -> NDArray[np.float64]:
        """C columns of one of them. float (S, C)"""
        return self.halves[nth][:, of] + self.halves[nth][of].T

    def alone(self, nth: int) -> Symmetric:
        """One of them."""
        return Symmetric(self.halves[nth : nth + 1])


def _unjudged(items, wanted):
    """The item, the query, the rank and the system of each wanted item, by system. Four int (M,)."""
    _, Q, K = items.shape
    query, rank = (of.ravel() for of in np.indices((Q, K), np.int32))
    places = []
    for system, rankings in enumerate(items):  # one after the other: all of them take three times the memory
        rankings = rankings.ravel()
        place = np.flatnonzero(wanted[rankings])
        places.append((rankings[place], query[place], rank[place], np.full(len(place), system, np.int32)))
    return (np.concatenate(each) for each in zip(*places, strict=True))


def _added_up(item, system, weight):
    """The weights of a system's document added up over queries. -> item, system, the different sums, falling, and which
    of them each is"""
    _, at, back = np.unique(np.stack([item, system]), axis=1, return_index=True, return_inverse=True)
    weights, level = np.unique(-np.bincount(back.ravel(), weight, len(at)), return_inverse=True)
    return item[at], system[at], -weights, level


def _runs(values):
    """Where each run of equal values begins and ends."""
    return pairwise(np.flatnonzero(np.diff(values, prepend=-1, append=-1))) if len(values) else ()
