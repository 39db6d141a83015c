"""Shards: random parts of the documents, on each of which every system and topic has a score of its own.

A (topic, shard) is to a metric what a topic is: rankings keep their order on the documents of a shard, and its
judgments are the shard's. Ferro & Sanderson, SIGIR 2019.
"""

from dataclasses import replace

import numpy as np

from evalcore.places import Places
from evalcore.track import EMPTY


def partition(documents, shards, rng):
    """A random even partition: the shard of each of so many documents. int (documents,).

    rng : numpy.random.Generator
    """
    if not isinstance(shards, int) or isinstance(shards, bool) or shards < 1:
        raise ValueError(f"shards={shards!r} cannot be; it is a whole number from 1.")
    if shards > documents:
        raise ValueError(f"{shards} shards are more than the {documents} documents; ask for fewer.")
    return rng.permutation(documents) % shards


def sharded(track, judgments, shard_of_item, shards, *, endless):
    """The places of every ranking on every shard; row = (system * Q + query) * shards + shard.

    shard_of_item : int (N,)
    """
    S, Q, K = track.shape
    rows, smallest = S * Q, np.min_scalar_type(shards)
    items = track.items.reshape(rows, K)
    shard = np.where(items == EMPTY, shards, shard_of_item[items]).astype(smallest)  # empty places come last
    by_shard = np.argsort(shard, axis=1, kind="stable")
    items = np.take_along_axis(items, by_shard, axis=1)
    lengths = np.zeros((rows, shards), np.int64)
    counted = np.arange(rows)[:, None] * (shards + 1) + shard
    lengths[:] = np.bincount(counted.ravel(), minlength=rows * (shards + 1)).reshape(rows, shards + 1)[:, :shards]
    level = judgments.level[items]
    row, place = np.nonzero(level)
    item = items[row, place].astype(np.int64)
    shard = shard_of_item[item]
    starts = np.cumsum(lengths, axis=1) - lengths
    return Places(
        row=row * shards + shard,
        rank=place - starts[row, shard],
        item=item,
        level=level[row, place],
        topic_of_row=np.repeat(np.tile(track.topic_of_query, S), shards) * shards + np.tile(np.arange(shards), rows),
        lengths=lengths.reshape(-1),
        judgments=by_topic_and_shard(judgments, shard_of_item, shards),
        endless=endless,
    )


def by_topic_and_shard(judgments, shard_of_item, shards):
    """The same judgments, every (topic, shard) being a topic: topic * shards + shard."""
    topic = np.where(judgments.topic_of_item < 0, 0, judgments.topic_of_item).astype(np.int64)
    return replace(judgments, topic_of_item=topic * shards + shard_of_item, topics=judgments.topics * shards)


def filled(scores, defined, undefined):
    """Scores (R, T, S) in which cells without a relevant document hold one value for every system.

    defined : bool (T, S)
    undefined : a number, or "mean" or "median" of the topic's scores over all systems and defined shards, 0 where no
        shard is defined
    """
    if isinstance(undefined, str):
        if undefined not in ("mean", "median"):
            raise ValueError(f'undefined={undefined!r} cannot be; it is a number, "mean" or "median".')
        of = {"mean": np.mean, "median": np.median}[undefined]
        value = np.array([of(scores[:, topic, known]) if known.any() else 0.0 for topic, known in enumerate(defined)])[
            :, None
        ]
    elif isinstance(undefined, bool) or not np.isfinite(undefined):
        raise ValueError(f'undefined={undefined!r} cannot be; it is a number, "mean" or "median".')
    else:
        value = float(undefined)
    return np.where(defined, scores, value)
