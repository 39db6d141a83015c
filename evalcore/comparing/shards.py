"""Shards: random parts of the documents, on each of which every system and topic has a score of its own.

A (topic, shard) is to a metric what a topic is: rankings keep their order on the documents of a shard, and its
judgments are the shard's [FS19].
"""

from dataclasses import replace
from numbers import Real

import numpy as np
import pyarrow as pa

from evalcore.joining import ByBlock, of_judged_topics
from evalcore.metrics import metric as metric_named
from evalcore.places import Places
from evalcore.scoring import hopes
from evalcore.track import EMPTY


def partition(documents, shards, rng):
    """A random even partition: the shard of each of so many documents. int (documents,).

    rng : numpy.random.Generator
    """
    if shards > documents:
        raise ValueError(f"{shards} shards are more than the {documents} documents; ask for fewer.")
    return rng.permutation(documents) % shards


def sharded(track, judgments, shard_of_item, shards, *, endless):
    """The places of every ranking on every shard; row = (system * Q + query) * shards + shard.

    shard_of_item : int (N,)
    """
    S, Q, _ = track.shape
    shard = shard_of_item.astype(np.min_scalar_type(shards))
    shard[EMPTY] = shards  # empty places come after all others
    each = [_by_shard(rankings, judgments.level, shard, shards) for rankings in track.items]  # small enough for a cache
    row, rank, item, lengths = (np.concatenate(parts) for parts in zip(*each, strict=True))
    row += np.repeat(np.arange(S) * Q * shards, [len(part[0]) for part in each])
    topic_of_item = np.maximum(judgments.topic_of_item, 0).astype(np.int64) * shards + shard_of_item
    return Places(
        starts=np.searchsorted(row, np.arange(S * Q * shards + 1)),
        rank=rank,
        item=item,
        level=judgments.level[item],
        topic_of_row=np.repeat(np.tile(track.topic_of_query, S), shards) * shards + np.tile(np.arange(shards), S * Q),
        lengths=lengths,
        judgments=replace(judgments, topic_of_item=topic_of_item, topics=judgments.topics * shards),
        endless=endless,
    )


def _by_shard(items, level, shard_of_item, shards):
    """One system's rankings (Q, K), shard by shard: row = query * shards + shard, rank and item of the pooled places,
    and how many documents each row holds."""
    Q = len(items)
    shard = shard_of_item[items]
    order = np.argsort(shard, axis=1, kind="stable")
    items = np.take_along_axis(items, order, axis=1)
    held = np.bincount((np.arange(Q)[:, None] * (shards + 1) + shard).ravel(), minlength=Q * (shards + 1))
    lengths = held.reshape(Q, shards + 1)[:, :shards]
    starts = np.cumsum(lengths, axis=1) - lengths
    query, place = np.nonzero(level[items])
    item = items[query, place].astype(np.int64)
    shard = shard_of_item[item]
    return query * shards + shard, place - starts[query, shard], item, lengths.reshape(-1)


def shard_scores(study, metric, shards, *, seed=0, resample=0):
    """The score of every system, judged topic and shard of a random even partition of a study's documents, and whether
    the shard holds a relevant document of the topic. float (S, T', shards) and bool (T', shards).

    The partition is drawn from (seed, resample); one shard is the whole collection. The last ones are kept.
    """
    metric = metric_named(metric)
    if metric.family.of_whole_pool:
        raise ValueError(f"{metric.name} infers from a sample of the pool, which shards cut to pieces; take AP.")
    asked = (metric.name, shards, seed, resample)
    return study.memo.shards.get(asked, lambda: _scored(study, metric, shards, np.random.default_rng([seed, resample])))


def _scored(study, metric, shards, rng):
    if study.blocks is None:
        part = [partition(int(study.track.document_of_item.max()), shards, rng)]
    else:
        numbers = study.memo.shards.get("documents", lambda: study.blocks.numbered(study, _names))
        of_all = partition(1 + max(int(of_block.max(initial=-1)) for of_block in numbers), shards, rng)
        part = [of_all[of_block] for of_block in numbers]
    scores, defined = _scored_on(study, metric.name, shards, ByBlock(part))
    scores.flags.writeable = defined.flags.writeable = False
    return scores, defined[0]


def _names(study):
    """The names of a study's documents, in the order of their numbers. Arrow binary array."""
    number = study.track.document_of_item
    _, first = np.unique(number, return_index=True)
    return pa.concat_arrays([study.track.doc_of_item.take(pa.array(first[1:]))])


@of_judged_topics(axis=1)
def _scored_on(study, metric, shards, part):
    """The same on a given partition. part : int (documents,), by the numbers of a study's documents

    -> float (S, T', shards) and bool (1, T', shards)
    """
    metric = metric_named(metric)
    shard_of_item = np.concatenate([[0], part])[study.track.document_of_item]  # the empty place is no document
    found = sharded(study.track, study.judgments, shard_of_item, shards, endless=study.options["empty"] == "unknown")
    value = np.empty(found.rows)
    for rows, block in found.blocks():
        column = lambda name, rows=rows: np.repeat(hopes(study, name), shards)[rows]  # noqa: E731
        value[rows] = metric.with_columns(column).value(block)
    scores = study.by_topic(value.reshape(*study.track.shape[:2], shards))
    return scores, found.judgments.relevant.reshape(1, -1, shards)[:, study.judged_topics] > 0


def filled(scores, defined, undefined):
    """Scores (R, T, S) in which cells without a relevant document hold one value for every system.

    defined : bool (T, S)
    undefined : a number, or "mean" or "median" of the topic's scores over all systems and defined shards, 0 where no
        shard is defined
    """
    if undefined in ("mean", "median"):
        middle = {"mean": np.mean, "median": np.median}[undefined]
        of_topic = [middle(scores[:, t, known]) if known.any() else 0.0 for t, known in enumerate(defined)]
        return np.where(defined, scores, np.array(of_topic)[:, None])
    if isinstance(undefined, bool) or not isinstance(undefined, Real) or not np.isfinite(undefined):
        raise ValueError(f'undefined={undefined!r} cannot be; it is a number, "mean" or "median".')
    return np.where(defined, scores, float(undefined))
