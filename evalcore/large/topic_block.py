"""One block: some topics of a track that is too large for the memory, opened as an ordinary study.

What depends on all topics (contributing systems, pool depth, grades, the longest ranking) is determined once from all
blocks and passed to each.
"""

import gc
import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from evalcore.block_dispatch import ByItem
from evalcore.cache import Cache
from evalcore.collection import pool_inference
from evalcore.collection.judgments import Judgments
from evalcore.large import block_cache
from evalcore.reading import loading, track_cache
from evalcore.reading.files import InputError, stamp
from evalcore.study.extra_qrels import UNKNOWN, as_beside, with_beside
from evalcore.study.opening import in_each_order, undecided

LARGE = 1 << 24  # bytes of text
KEPT = Cache(1)  # the block opened last
OF_ALL = ("duplicate documents", "ranks disagree with scores", "head missing", "ranks not from 1")


@dataclass(frozen=True)
class Shared:
    """Values of the whole track, determined from all of its blocks.

    deepest : K, as deep as its rankings are; scales : role ("qrels", "other", "truth") -> `judgments.Scale`
    """

    deepest: int
    scales: dict


@dataclass(frozen=True)
class Asked:
    """The selected part of a block, and its pool.

    systems, topics : names, None = all; contributed, pooled : the names of contributing systems, of all and of the
        selected ones; pooling : of the block's topics
    judged_by : "", "other" or "truth"; order : int (judged items,), their places in the order of judging, or None
    """

    systems: tuple
    topics: tuple | None
    contributed: tuple
    pooled: tuple
    pooling: pool_inference.Pooling
    judged_by: str = ""
    order: np.ndarray | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Block:
    """Some topics of a track.

    topics : names; pieces : of each run file, see `ranges.Piece`; judged : `rankings.Judged` of these topics
    tables : the tables of systems and of queries, as read, or None; beside : role -> second or complete judgments
    options : of `open_study`; cache : likewise; shared : None until it is determined
    """

    topics: tuple
    pieces: tuple
    judged: object
    tables: tuple
    beside: dict
    options: dict
    cache: object
    shared: Shared | None = None

    @cached_property
    def key(self):
        """A digest of the block's files and options."""
        pieces = [(one.name, one.sha256, one.tags, [*map(repr, one.places.items())]) for one in self.pieces]
        judged = [self.judged.topics, self.judged.starts.tolist(), self.judged.grades.tolist()]
        judged += [hashlib.sha256(b"\n".join(self.judged.documents.to_pylist())).hexdigest()]
        tables = [None if one is None else (one.name, one.rows) for one in self.tables]
        said = json.dumps([pieces, judged, tables, self.options], default=str)
        return hashlib.sha256(said.encode()).hexdigest()

    @cached_property
    def name(self):
        """A digest of everything that the block as a study depends on."""
        beside = [(role, file, stamp(file)) for role, file in self.beside.items() if os.path.exists(file)]
        return block_cache.name_of((self.key, beside, self.options, self.shared))

    def opened(self):
        """The block as a study, whose `pooling` is None. Raises InputError."""
        return KEPT.get((self.name,), self._opened)

    def asked(self, asked):
        """The selected part of the block, as a study."""
        study = self.opened()
        pooled = np.isin(study.systems, asked.contributed)
        track = replace(study.track, pooled=pooled)
        as_ranked = replace(asked.pooling, order=study.options["order"])
        whole = replace(study, track=track, whole=track, pooling=as_ranked).whole_by(asked.pooling.order)
        study = replace(study, track=track, whole=whole, pooling=asked.pooling)
        if asked.order is not None:
            order = np.full(track.size, np.iinfo(np.int32).max, np.int32)
            order[judged_items(self.opened())] = asked.order
        if asked.judged_by:
            study = getattr(study, f"judged_by_{asked.judged_by}")
        narrow = asked.topics is not None and set(asked.topics) != set(study.track.topics)
        if narrow or asked.systems != study.systems:
            study = study.only(systems=asked.systems, topics=asked.topics if narrow else None)
        if asked.pooled != asked.contributed:
            study = replace(study, track=replace(study.track, pooled=np.isin(study.systems, asked.pooled)))
        if asked.order is not None:
            study.__dict__["judging_order"] = order
        return study

    def let_go(self):
        """Frees reference cycles of a large block before the next block is loaded."""
        if sum(piece.bytes_of(topic) for piece in self.pieces for topic in piece.places) > LARGE:
            gc.collect()

    def _opened(self):
        self.let_go()
        study = undecided(self._loaded(), self.options)
        for role, file in self.beside.items():
            study = with_beside(study, role, file, as_beside(study.options) if role == "other" else study.options)
        study = replace(study, findings=tuple(one for one in study.findings if one.check not in UNKNOWN.values()))
        return study if self.shared is None else _as_shared(study, self.shared)

    def _loaded(self):
        store, key = track_cache.open_cache(self.cache), "block: " + self.key
        if (made := store.read(key, loading.from_parts)) is None:
            made = self._read()
            store.write(key, lambda: loading.parts_of(made))
        return made

    def _read(self):
        how = (self.options[name] for name in ("duplicates", "names", "columns"))
        how, runs, problems = tuple(how), [], []
        for piece in self.pieces:
            try:
                runs.append(piece.read(*how))
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)
        systems, queries = self.tables
        findings = [finding for run in runs for finding in run.findings]
        loaded = loading.assembled(
            runs, self.judged, systems, queries, variations=self.options["variations"], findings=findings, belong=False
        )
        told = [one for one in loaded.findings if one in findings or one.check in OF_ALL]
        return replace(loaded, findings=tuple(told))


def judged_items(study):
    """The items in any of a study's judgments, ascending."""
    level = study.whole_judgments.level > 0
    for role in UNKNOWN:
        if (beside := getattr(study, role)) is not None:
            level |= beside.level > 0
    return np.flatnonzero(level)


def _as_shared(study, shared):
    """The study with rankings as deep as in the whole track, and its scale of grades."""
    whole = _deeper(study.whole, shared.deepest)
    scaled = {
        role: _on_scale(getattr(study, name), shared.scales[role])
        for role, name in (("qrels", "whole_judgments"), ("other", "other"), ("truth", "truth"))
        if role in shared.scales
    }
    by_rank = study.by_rank
    if by_rank is not None and by_rank.shape[2] < shared.deepest:
        by_rank = np.concatenate([by_rank, np.broadcast_to(
            np.arange(by_rank.shape[2], shared.deepest, dtype=by_rank.dtype),
            (*by_rank.shape[:2], shared.deepest - by_rank.shape[2]))], axis=2)  # fmt: skip
    return replace(
        study, track=whole, whole=whole, judgments=scaled["qrels"], whole_judgments=scaled["qrels"], by_rank=by_rank,
        other=scaled.get("other"), truth=scaled.get("truth"),
    )  # fmt: skip


def _deeper(track, deepest):
    """The track with unfilled ranks down to a depth."""
    more = ((0, 0), (0, 0), (0, deepest - track.shape[2]))
    if not more[2][1]:
        return track
    return replace(track, items=np.pad(track.items, more), scores=np.pad(track.scores, more, constant_values=np.nan))


def _on_scale(judgments, scale):
    """The judgments with their grades as levels of a scale of more grades."""
    moved = np.array([0, *(1 + scale.grades.index(grade) for grade in judgments.scale.grades)])
    level = moved[judgments.level].astype(np.min_scalar_type(len(scale.grades)))
    return Judgments(level, judgments.stratum, scale, judgments.topic_of_item, judgments.topics)


# ---------------------------------------------------------------------------------------------------------------------
# What a block returns


@dataclass(frozen=True)
class Skeleton:
    """Everything about a block except its rankings, before values of the whole track are determined.

    queries, topic_of_query : as in `Track`; lengths, leads : int (S, Q); deepest : K
    other_leads : the leads in the other order of runs, or the same if there is no other
    topic, documents, grades, listed : of the items in any judgments; the last two by role
    reordered : whether any file's ranks and scores disagree
    """

    queries: tuple
    topics: tuple
    topic_of_query: np.ndarray
    lengths: np.ndarray
    leads: np.ndarray
    other_leads: np.ndarray
    deepest: int
    topic: np.ndarray
    documents: pa.Array
    grades: dict
    listed: dict
    reordered: bool
    findings: tuple
    sources: tuple


def skeleton(block):
    """The `Skeleton` of a block, or the problems of its files."""
    try:
        study = block.opened()
    except InputError as error:
        return error.problems
    items = judged_items(study)
    beside = {"qrels": study.whole_judgments, "other": study.other, "truth": study.truth}
    beside = {role: judgments for role, judgments in beside.items() if judgments is not None}
    return Skeleton(
        queries=study.track.queries,
        topics=study.track.topics,
        topic_of_query=study.track.topic_of_query,
        lengths=study.track.lengths,
        leads=study.leads.judged,
        other_leads=list(in_each_order(study).values())[-1][1].judged,
        deepest=study.track.shape[2],
        topic=study.track.topic_of_item[items],
        documents=pa.concat_arrays([study.track.doc_of_item.take(pa.array(items))]),
        grades={role: one.grade[items].astype(np.int32) for role, one in beside.items()},
        listed={role: one.level[items] > 0 for role, one in beside.items()},
        reordered=study.by_rank is not None,
        findings=study.findings,
        sources=study.sources,
    )


def told(block, asked, function, given, of_items):
    """The result of a function of a study on the selected part of a block, cached.

    For a function of items, the result for the unfilled rank and the judged items only. A ValueError is returned.
    """
    said = block.name, asked, function, given, of_items
    return block_cache.kept(block.cache, said, lambda: _told(block, asked, function, given, of_items))


def _told(block, asked, function, given, of_items):
    study, items = block.asked(asked), judged_items(block.opened())
    found = function(study, *(_arrived(one, study, items) for one in given))
    if of_items:
        here = np.append(0, items)
        found = tuple(one[here] for one in found) if isinstance(found, tuple) else found[here]
    del study
    block.let_go()
    return found


def _arrived(one, study, items):
    """An argument of a function, converted for a block's study."""
    if isinstance(one, ByItem):
        values = np.full(study.track.size, one.nothing, one.values.dtype)
        values[items] = one.values
        return values
    return one.of(study, items) if isinstance(one, Sent) else one


@dataclass(frozen=True)
class Sent:
    """Judgments sent to a block: the level of each of its judged items, on a scale."""

    level: np.ndarray
    scale: object

    def of(self, study, items):
        """These judgments for a block's study. items : its judged items"""
        own = study.whole_judgments
        level = np.zeros(len(own.level), self.level.dtype)
        level[items] = self.level
        return Judgments(level, (level > 0).astype(np.int8), self.scale, own.topic_of_item, own.topics)
