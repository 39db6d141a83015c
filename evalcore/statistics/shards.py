"""Shards: random parts of the documents, on each of which every system and topic has a score.

A (topic, shard) is to a metric what a topic is: rankings keep their order on the documents of a shard, and its
judgments are the shard's [FS19].
"""

from collections.abc import Iterator
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import BLOCK, Places
from evalcore.collection.judgments import Judgments
from evalcore.collection.ragged import offsets
from evalcore.collection.track import EMPTY, Track
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.evaluation import hopes
from evalcore.study.study import Study


def partition(documents: int, shards: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A random even partition: the shard of each of so many documents. int (documents,).

    rng : numpy.random.Generator
    """
    if shards > documents:
        raise ValueError(f"{shards} shards are more than the {documents} documents. Use fewer.")
    return rng.permutation(documents) % shards


def judgments_by_shard(judgments: Judgments, shard_of_item: NDArray[np.intp], shards: int) -> Judgments:
    """The same judgments, of topics * shards + shard. shard_of_item : int (N,)"""
    topic_of_item = np.maximum(judgments.topic_of_item, 0) * np.int32(shards) + shard_of_item.astype(np.int32)
    return replace(judgments, topic_of_item=topic_of_item, topics=judgments.topics * shards)


def sharded(
    track: Track, judgments: Judgments, shard_of_item: NDArray[np.intp], shards: int, *, of: NDArray[np.bool_],
    endless: bool,
) -> Iterator[tuple[slice, Places]]:  # fmt: skip
    """The places of every ranking on every shard, some systems at a time; row = (system * Q + query) * shards + shard.

    judgments : by shard; shard_of_item : int (N,); of : bool (N,), the items whose places are wanted
    -> slices of these rows, each with its `Places`
    """
    S, Q, K = track.shape
    topic_of_row = np.repeat(track.topic_of_query, shards) * shards + np.tile(np.arange(shards), Q)
    shard = shard_of_item.astype(np.min_scalar_type(2 * shards + 1))
    shard[EMPTY] = shards  # empty places come after all others
    shard_and_wanted = 2 * shard + of.astype(shard.dtype)
    at_once = max(1, BLOCK // max(Q * K, 1))
    for first in range(0, S, at_once):
        rankings = track.items[first : first + at_once].reshape(-1, K)
        starts, rank, item, lengths = _by_shard(rankings, shard_and_wanted, shards)
        yield (
            slice(first * Q * shards, first * Q * shards + len(lengths)),
            Places(
                starts=starts,
                rank=rank,
                item=item,
                level=judgments.level[item],
                topic_of_row=np.tile(topic_of_row, len(rankings) // Q),
                lengths=lengths,
                judgments=judgments,
                endless=endless,
            ),
        )


def _by_shard(items, shard_and_wanted, shards):
    """Splits each ranking (n, K) into one per shard, its documents in their old order; row = ranking * shards + shard.

    shard_and_wanted : int (N,), twice the shard of each item, and 1 if its places are wanted; the empty place stands
        after all shards
    -> where the wanted places of each row start, their ranks and items, and how many documents each row holds
    """
    n, K = items.shape
    shard = np.take(shard_and_wanted, items)
    order = np.argsort(shard >> 1, axis=1, kind="stable")
    order += np.arange(n)[:, None] * K
    shard, order = np.take(shard, order), order.ravel()
    row = np.arange(n)[:, None] * (shards + 1) + (shard >> 1)  # empty places have a row of their own
    count = np.bincount(row.ravel(), minlength=n * (shards + 1))
    at = np.flatnonzero(shard & 1 == 1)
    row = row.ravel()[at]
    wanted = np.bincount(row, minlength=len(count)).reshape(n, -1)[:, :shards]
    rank = at - offsets(count)[row]
    item = np.take(items, order[at]).astype(np.int64)
    return offsets(wanted.ravel()), rank, item, count.reshape(n, -1)[:, :shards].ravel()


def shard_scores(
    study: Study, metric: str, shards: int, *, seed: int = 0, resample: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The score of every system, judged topic and shard of a random even partition of a study's documents, and whether
    the shard holds a document of the topic that the metric counts. float (S, T', shards) and bool (T', shards).

    The partition is drawn from (seed, resample); one shard is the whole collection. The last ones are kept.
    """
    metric = metric_named(metric)
    if metric.family.of_whole_pool:
        raise ValueError(f"{metric.name} estimates from a sample of the pool, which shards would split. Use AP.")
    key = (metric.name, shards, seed, resample)
    return study.memo.shards.get(key, lambda: _scored(study, metric, shards, (seed, resample)))


def _scored(study, metric, shards, drawn):
    counting = metric.counting(study.judgments.scale)
    key = (counting.tobytes(), shards, drawn)
    judgments, split = study.memo.splits.get(key, lambda: _split(study, counting, shards, np.random.default_rng(drawn)))
    S, Q, _ = study.track.shape
    value = np.empty(S * Q * shards)
    for rows, places in split:
        column = lambda name, rows=rows: np.repeat(hopes(study, name), shards)[rows]  # noqa: E731
        value[rows] = metric.with_columns(column).value(replace(places))  # a copy, which keeps nothing that it computes
    counts = judgments.count(metric.earned(judgments.scale) > 0).reshape(-1, shards)
    scores, defined = study.by_topic(value.reshape(S, Q, shards)), counts[study.judged_topics] > 0
    scores.flags.writeable = defined.flags.writeable = False
    return scores, defined


def _split(study, counting, shards, rng):
    """The judgments by shard of a random partition, and `sharded` places of what counts, the same for most metrics.

    counting : bool (levels,), see `Metric.counting`
    """
    part = partition(int(study.track.document_of_item.max()), shards, rng)
    shard_of_item = np.concatenate([[0], part])[study.track.document_of_item]  # the empty place is no document
    judgments = judgments_by_shard(study.judgments, shard_of_item, shards)
    of, endless = counting[judgments.level], study.options["empty"] == "unknown"
    return judgments, list(sharded(study.track, judgments, shard_of_item, shards, of=of, endless=endless))


def filled(scores: NDArray[np.float64], defined: NDArray[np.bool_], undefined: float | str) -> NDArray[np.float64]:
    """Scores (R, T, S) in which cells without a document that counts hold one value for every system.

    defined : bool (T, S)
    undefined : a number, or "mean" or "median" of the topic's scores over all systems and defined shards, 0 where no
        shard is defined
    """
    if undefined in ("mean", "median"):
        middle: Any = {"mean": np.mean, "median": np.median}[undefined]
        of_topic = [middle(scores[:, t, known]) if known.any() else 0.0 for t, known in enumerate(defined)]
        return np.where(defined, scores, np.array(of_topic)[:, None])
    if isinstance(undefined, bool) or not isinstance(undefined, Real) or not np.isfinite(undefined):
        raise ValueError(f'undefined={undefined!r} is not valid; it must be a number, "mean" or "median".')
    return np.where(defined, scores, float(undefined))
