"""The pool: the best rank that a contributing run gave each item, and the judgments of shallower pools.

Everything that comes with judging more is a cut through one vector over items: `reached`, the depth (or the count of
judgments) from which an item is in force. By number: [RM10, sec. 4].
"""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.collection.judgments import Judgments
from evalcore.collection.shares import share
from evalcore.collection.track import Track

NEVER = np.iinfo(np.int32).max  # the pool rank of an item that no contributing run retrieved
CACHE_LINE = 16  # item codes that the processor fetches at once
RANKS_AT_ONCE = 64  # most rankings meet an unjudged document early: the rest need not be looked at
EVERYTHING = NEVER + 1  # the threshold that every item has reached


def pool_ranks(track: Track) -> NDArray[np.int32]:
    """The best rank, from 0, that any contributing run gave each item; `NEVER` where none did. int32 (N,)."""
    first = np.full(track.size, NEVER, np.int32)
    contributing = np.flatnonzero(track.pooled)
    for start in reversed(range(0, track.shape[2], CACHE_LINE)):
        block = np.ascontiguousarray(track.items[contributing, :, start : start + CACHE_LINE].transpose(2, 0, 1))
        for rank in reversed(range(len(block))):  # better ranks overwrite worse ones
            first[block[rank]] = start + rank
    first[0] = NEVER
    return first


def holders(
    items: NDArray[np.int32], wanted: NDArray[np.bool_], k: int | None = None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """How many systems have each wanted item among their first k for any query of its topic, and the mean of the best
    ranks, from 1, that they give it. int64 (N,) and float (N,), NaN where none has it.

    items : int (S, Q, K); wanted : bool (N,)
    """
    count, total = np.zeros(len(wanted), np.int64), np.zeros(len(wanted))
    for rankings in items[:, :, :k]:  # a system at a time: all of them take three times the memory of the track
        rank, query = np.nonzero(wanted[rankings.T])  # best ranks first
        item, first = np.unique(rankings[query, rank], return_index=True)
        count[item] += 1
        total[item] += rank[first] + 1
    return count, share(total, count, without=np.nan)


def judging_order(
    track: Track, judgments: Judgments, pool_rank: NDArray[np.int32], *, seed: int = 0
) -> NDArray[np.int32]:
    """How many judgments come before each item's when judging by number: by pool rank, and all topics in turn.

    int32 (N,); `NEVER` for items that were never pooled. Of the same pool rank every topic has one document judged,
    then every topic a second one, and so on; which comes first is drawn (METHODS 2.6). Documents that no contributing
    run retrieved come last. What was pooled and not judged goes with the judgment before it in its topic, or is there
    from the beginning.
    """
    items = judgments.pooled_items
    topic, rank = track.topic_of_item[items], pool_rank[items]
    judged = judgments.scale.judged[judgments.level[items]]
    of_topic = np.array([_drawn(seed, name.encode()) for name in track.topics], np.uint64)
    names = track.doc_of_item.take(pa.array(items)).to_pylist()
    of_document = np.array(
        [_drawn(seed, track.topics[number].encode(), name) for number, name in zip(topic, names, strict=True)],
        np.uint64,
    )
    within = np.lexsort((of_document, rank, topic))  # topic by topic
    items, topic, rank, judged = items[within], topic[within], rank[within], judged[within]
    new_topic = np.diff(topic, prepend=-1) != 0
    begins = np.flatnonzero(new_topic | (np.diff(rank, prepend=-1) != 0))
    before = np.cumsum(judged) - judged
    turn = before - np.repeat(before[begins], np.diff(begins, append=len(items)))  # within its topic and pool rank
    place = np.full(len(items), -1, np.int32)
    first = np.flatnonzero(judged)
    place[first[np.lexsort((of_topic[topic[first]], turn[first], rank[first]))]] = np.arange(len(first))
    goes_with = np.maximum.accumulate(np.where(judged | new_topic, np.arange(len(items)), 0))
    order = np.full(len(pool_rank), NEVER, np.int32)
    order[items] = place[goes_with]
    return order


def _drawn(seed, *names):
    """A number of 64 bits from names, in bytes: the same whatever other names there are."""
    return int.from_bytes(sha256(b"\t".join([b"%d" % seed, *names])).digest()[:8], "big")


def first_unjudged(track: Track, judgments: Judgments) -> NDArray[np.int32]:
    """The rank, from 0, of the first unjudged document of each ranking; `NEVER` where it has none. int32 (S, Q)."""
    S, Q, K = track.shape
    judged = judgments.marked(judgments.scale.judged)
    judged[0] = True  # an empty place breaks nothing
    first = np.full(S * Q, NEVER, np.int32)
    unbroken = np.arange(S * Q)
    items = track.items.reshape(S * Q, K)
    for start in range(0, K, RANKS_AT_ONCE):
        unjudged = ~judged[items[unbroken, start : start + RANKS_AT_ONCE]]
        broken = unjudged.any(axis=1)
        first[unbroken[broken]] = start + unjudged[broken].argmax(axis=1)
        unbroken = unbroken[~broken]
    return first.reshape(S, Q)


def steps(
    judgments: Judgments, reached: NDArray[np.integer], thresholds: Sequence[int] | NDArray[np.intp]
) -> NDArray[np.integer]:
    """Which of the ascending thresholds is the first at which each item's judgment is in force, that is `reached <
    threshold`; `len(thresholds)` where none is. int (N,)."""
    step = np.full(len(reached), len(thresholds), np.min_scalar_type(len(thresholds)))
    items = judgments.pooled_items
    step[items] = np.searchsorted(thresholds, reached[items], side="right")
    return step
