"""Fused runs: the rankings of several systems, or of several query variations, fused by a method of `methods`.

A fused ranking is a ranking: its scores strictly fall, and it can be fused again. A fused run stands in a track like
any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY, Track
from evalcore.fusion.methods import BY_RANK, Lists, Rule, best_first

DEPTH = 1000  # how deep a fused ranking is at most, as TREC's runs are, unless the track's own are deeper
OVER = ("systems", "variations", "both")


# ---------------------------------------------------------------------------------------------------------------------
# One ranking


def fused_list(
    track: Track, rule: Rule, systems: NDArray[np.intp], queries: NDArray[np.intp], weights: NDArray[np.float64], *,
    depth: int | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:  # fmt: skip
    """One ranking of these: the items, best first, and their values. int (n,) and float (n,).

    systems, queries : int (L,), indices, the rankings; weights : float (L,); depth : how deep it is at most; None = all
    Raises ValueError where a method needs scores that a ranking has not.
    """
    length = track.lengths[systems, queries]
    nonempty = np.flatnonzero(length)  # the order of equal weights stays
    nonempty = nonempty[np.argsort(-weights[nonempty], kind="stable")]
    if not len(nonempty):
        return np.zeros(0, np.int32), np.zeros(0)
    places = systems[nonempty], queries[nonempty], slice(length.max())
    topic = track.topic_of_query[queries[0]]
    first, last = np.searchsorted(track.topic_of_item, np.array([topic, topic + 1], track.topic_of_item.dtype))
    lists = Lists(track.items[places], track.scores[places], weights[nonempty], first, last - first)
    if rule.uses_scores:
        _refuse_missing_scores(track, rule, lists, systems[nonempty], queries[nonempty])
    documents, values = best_first(lists, rule, track.doc_of_item.slice(int(first), int(last - first)), depth)
    return (first + documents).astype(np.int32), values


def _refuse_missing_scores(track, rule, lists, systems, queries):
    filled = lists.items != EMPTY
    missing = np.any(filled & ~np.isfinite(lists.scores), axis=1)
    rising = np.any(filled[:, 1:] & (lists.scores[:, 1:] > lists.scores[:, :-1]), axis=1)  # in the rank column's order
    if (missing | rising).any():
        at = np.flatnonzero(missing | rising)[0]
        fault = "lacks some" if missing[at] else "orders scores unlike its rank column"
        of = f"but {track.systems[systems[at]]} {fault} on query {track.queries[queries[at]]}"
        raise ValueError(
            f"{rule.method.title} needs a score for every document, {of}. Use "
            f"{rule.method.name}(normalisation={BY_RANK}), or a method that uses ranks: RBC, Borda or reciprocal rank "
            "fusion."
        )


def ranks_for_scores(items: NDArray[np.int32], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lists have no scores, but those that a file without them is given: -1, -2, ... bool (L,)."""
    return np.all((scores == -1.0 - np.arange(scores.shape[-1])) | (items == EMPTY), axis=-1)


def share_nothing(track: Track, systems: NDArray[np.intp], queries: NDArray[np.intp]) -> bool:
    """Whether no document is in two of these rankings."""
    items = track.items[systems, queries].ravel()
    items = items[items != EMPTY]
    return not len(items) or np.bincount(items - items.min()).max() < 2


def falling(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores that strictly fall, in single precision too, and are as near to these never rising values as can be.

    trec_eval before its version 10 and pytrec_eval compare scores as 32-bit floats. float (n,).
    """
    most = np.finfo(np.float32).max
    bits = np.clip(values, -most, most).astype(np.float32).view(np.int32).astype(np.int64)
    number = np.where(bits >= 0, bits, -(bits & 0x7FFFFFFF))  # counts the 32-bit floats from 0 on
    place = np.arange(len(values))
    number = np.minimum.accumulate(number + place) - place
    bits = np.where(number >= 0, number, -number | 0x80000000)
    return bits.astype(np.uint32).view(np.float32).astype(float)


# ---------------------------------------------------------------------------------------------------------------------
# All rankings of a track


def variations(track: Track, weight: float | NDArray[np.float64] = 0) -> dict[int, NDArray[np.intp]]:
    """topic (index) -> int, its queries in the order in which they are added: heaviest first, then as they stand.

    weight : float (Q,), of each query, or one of all
    """
    by_weight = np.argsort(-np.broadcast_to(weight, track.shape[1]), kind="stable")
    topic = track.topic_of_query[by_weight]
    return {int(number): by_weight[topic == number] for number in np.unique(topic)}


@dataclass(frozen=True, eq=False)
class Inputs:
    """What is fused of a track.

    systems : int, indices; weights : float, one a system, or None
    over : "systems", query by query; "variations", the queries of each topic, system by system; or "both", first the
        variations of every system, then the systems
    variations : topic (index) -> int, its queries, see `variations`; query_weights : float (Q,), or None
    depth : how deep a fused ranking is at most; None = 1000, or as deep as the track
    """

    track: Track
    systems: NDArray[np.intp]
    over: str = "systems"
    weights: NDArray[np.float64] | None = None
    variations: dict[int, NDArray[np.intp]] | None = None
    query_weights: NDArray[np.float64] | None = None
    depth: int | None = None

    @property
    def plain(self) -> tuple[Any, ...]:
        """All that it says beside the track, as a tuple."""
        arrays = (self.systems, self.weights, self.query_weights, *(self.variations or {}).values())
        return self.over, self.depth, *(None if values is None else tuple(values.tolist()) for values in arrays)

    def fused(self, rule: Rule) -> Track:
        """A track of one system, or over "variations" of each, with the same queries: the outcome of a topic's
        queries answers all of them."""
        if self.over == "systems":
            return self._made(rule, [self._by_query()], ("fused",), self.track.queries, self.track.topic_of_query)
        of_topics = self.over_variations(rule)
        if self.over == "both":
            of_topics = self._second_step(of_topics).fused(rule)
        queries, topics = self.track.queries, self.track.topic_of_query
        at = np.searchsorted(of_topics.topic_of_query, topics)
        answers = {"items": of_topics.items[:, at], "scores": of_topics.scores[:, at]}
        return replace(of_topics, queries=queries, topic_of_query=topics, **answers)

    def over_variations(self, rule: Rule) -> Track:
        """Each system's rankings for the queries of a topic fused: a track of those systems, its queries topics."""
        topics = np.array(list(self.variations or ()), np.int32)
        names = tuple(self.track.topics[topic] for topic in topics)
        systems = tuple(self.track.systems[system] for system in self.systems)
        return self._made(rule, [self._by_topic(system) for system in self.systems], systems, names, topics)

    def last_step(
        self, rule: Rule
    ) -> tuple[Track, list[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]]]:
        """The rankings that the last step fuses, each (systems, queries, weights), and the track that they are of."""
        if self.over == "variations":
            return self.track, [inputs for system in self.systems for inputs in self._by_topic(system)]
        last = self._second_step(self.over_variations(rule)) if self.over == "both" else self
        return last.track, last._by_query()

    def _second_step(self, of_topics):
        return Inputs(of_topics, np.arange(len(self.systems)), weights=self.weights, depth=self.depth)

    def _by_query(self):
        """Query by query the systems, the query repeated, and the weights."""
        weights = np.ones(len(self.systems)) if self.weights is None else np.asarray(self.weights, float)
        queries = range(self.track.shape[1])
        return [(self.systems, np.full(len(self.systems), query), weights) for query in queries]

    def _by_topic(self, system):
        """Topic by topic the system repeated, the queries, and their weights."""
        weights = np.ones(self.track.shape[1]) if self.query_weights is None else self.query_weights
        return [(np.full(len(some), system), some, weights[some]) for some in (self.variations or {}).values()]

    @property
    def _depth(self):
        return self.depth or max(DEPTH, self.track.shape[2])

    def _made(self, rule, rankings, systems, queries, topic_of_query):
        """A track of these rankings fused, by system and query, of the same items."""
        fused = [[fused_list(self.track, rule, *lists, depth=self._depth) for lists in some] for some in rankings]
        longest = max((len(items) for of_system in fused for items, _ in of_system), default=0)
        shape = (len(systems), len(queries), longest)
        items, scores = np.zeros(shape, np.int32), np.full(shape, np.nan)
        for s, of_system in enumerate(fused):
            for q, (ranked, values) in enumerate(of_system):
                items[s, q, : len(ranked)] = ranked
                scores[s, q, : len(ranked)] = falling(values)
        names = {"systems": systems, "groups": ("",) * len(systems), "pooled": np.zeros(len(systems), bool)}
        axes = {"queries": queries, "topic_of_query": topic_of_query}
        return replace(self.track, items=items, scores=scores, **names, **axes)


# ---------------------------------------------------------------------------------------------------------------------
# Tracks of the same queries and items


def joined(track: Track, more: Sequence[Track], systems: Sequence[str]) -> Track:
    """The systems of a track and, under these names, those of others with the same queries and items."""
    deepest = max(part.shape[2] for part in (track, *more))

    def together(name, empty):
        rankings = [getattr(part, name) for part in (track, *more)]
        shape = (sum(map(len, rankings)), track.shape[1], deepest)
        rows = (_as_deep_as(row, deepest, empty) for each in rankings for row in each)
        return track.filled(shape, rankings[0].dtype, rows)

    return replace(
        track,
        items=together("items", EMPTY),
        scores=together("scores", np.nan),
        systems=(*track.systems, *systems),
        groups=(*track.groups, *(group for part in more for group in part.groups)),
        pooled=np.concatenate([part.pooled for part in (track, *more)]),
    )


def _as_deep_as(row, depth, empty):
    """Rankings (Q, K) with unfilled ranks down to a depth."""
    return np.pad(row, ((0, 0), (0, depth - row.shape[1])), constant_values=empty)
