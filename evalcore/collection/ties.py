"""The order of a ranking, and ties: documents that share a score, so that only a rule orders them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.judgments import Judgments
from evalcore.collection.shares import share
from evalcore.collection.track import Track


def score_order(
    query: NDArray[np.int32], scores: NDArray[np.number], documents: pa.Array
) -> tuple[NDArray[np.intp] | None, NDArray[np.intp]]:
    """The one order of a ranking: score descending, ties by document id descending as bytes.

    query : int32 (L,), the code of each line's query, never falling. Sorts only what is out of order.
    -> (the lines in that order, query by query, or None where they are in it; each query's first place, (n + 1,))
    """
    order = None
    same = query[1:] == query[:-1]
    starts = np.concatenate([[0], np.flatnonzero(~same) + 1, [len(query)]])
    rising = same & (scores[1:] > scores[:-1])
    if rising.any():
        unsorted = np.zeros(len(starts) - 1, bool)
        unsorted[query[1:][rising]] = True
        places = np.flatnonzero(unsorted[query])
        by_score = places[np.lexsort((-scores[places], query[places]))]
        order = np.arange(len(query))
        order[places] = by_score
        scores = scores[order]
    tied = np.flatnonzero(same & (scores[1:] == scores[:-1]))
    if len(tied):
        order = _ties_ordered(tied, order, documents)
    return order, starts


def _ties_ordered(tied, order, documents):
    """`order` with each stretch of equal scores by document id descending; place i ties with i + 1 for i in `tied`."""

    def names(places):
        return documents.take(pa.array(places if order is None else order[places]))

    low = pc.less(names(tied), names(tied + 1)).to_numpy(zero_copy_only=False)
    if not low.any():
        return order
    first = np.concatenate([[True], np.diff(tied) != 1])
    stretch = np.cumsum(first) - 1
    unsorted = np.zeros(stretch[-1] + 1, bool)
    unsorted[stretch[low]] = True
    tied, stretch, first = (values[unsorted[stretch]] for values in (tied, stretch, first))
    # a stretch of n tied pairs covers n + 1 places: its first place and each pair's second
    places = np.sort(np.concatenate([tied[first], tied + 1]))
    owner = np.sort(np.concatenate([stretch[first], stretch]))
    table = pa.table({"stretch": owner, "name": names(places)})
    by_name = pc.sort_indices(table, sort_keys=[("stretch", "ascending"), ("name", "descending")]).to_numpy()
    order = np.arange(len(documents)) if order is None else order
    order[places] = order[places[by_name]]
    return order


def tied(track: Track) -> NDArray[np.bool_]:
    """Whether each place, counted down by score, shares its score with a neighbour. bool (S, Q, K)."""
    scores = track.scores
    if np.any(scores[:, :, 1:] > scores[:, :, :-1]):  # another order is in force
        scores = -np.sort(-scores, axis=2)
    same = scores[:, :, 1:] == scores[:, :, :-1]
    shared = np.zeros(track.shape, bool)
    shared[:, :, 1:] |= same
    shared[:, :, :-1] |= same
    return shared


def tied_share(track: Track) -> NDArray[np.float64]:
    """The share of each system's documents that are tied; NaN for a system without any. float (S,)."""
    count, documents = np.count_nonzero(tied(track), axis=(1, 2)), track.lengths.sum(axis=1)
    return share(count, documents, without=np.nan)


def even(track: Track) -> NDArray[np.bool_]:
    """Whether all documents of each ranking have one score. bool (S, Q)."""
    scores = track.scores
    return np.fmax.reduce(scores, axis=2, initial=np.nan) == np.fmin.reduce(scores, axis=2, initial=np.nan)


def within_ties(track: Track, judgments: Judgments, earned: NDArray[Any], *, best: bool) -> Track:
    """The track with tied documents in the best order for a metric, or in the worst; the unknown earns nothing.

    earned : by level, what a document adds to the metric, see `Metric.earned`
    """
    standing = np.empty(len(earned), np.int64)
    standing[np.lexsort((np.arange(len(earned)), earned))] = np.arange(len(earned))
    if best:
        standing = -standing
    system, query = np.nonzero(tied(track).any(axis=2))
    by_score = np.argsort(-track.scores[system, query], axis=1, kind="stable")
    scores = np.take_along_axis(track.scores[system, query], by_score, axis=1)
    items = np.take_along_axis(track.items[system, query], by_score, axis=1)
    group = np.zeros(scores.shape, np.int64)
    np.cumsum(scores[:, 1:] != scores[:, :-1], axis=1, out=group[:, 1:])
    reordered = np.argsort(group * (2 * len(earned) + 1) + standing[judgments.level[items]], axis=1, kind="stable")
    by = np.broadcast_to(np.arange(track.shape[2], dtype=np.int32), track.shape).copy()
    taken = np.empty_like(by_score)  # the places that a tied group holds stay its own, whatever order is in force
    np.put_along_axis(taken, by_score, np.take_along_axis(by_score, reordered, axis=1), axis=1)
    by[system, query] = taken
    return track.reordered(by)
