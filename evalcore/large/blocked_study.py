"""A study in blocks of topics: everything except the rankings, which its blocks hold.

It contains the judged documents only. Scores by system and query, judgments and means over topics are computed here as
for any study; values by ranking, topic or judged document are computed by the blocks and concatenated (`joining`).
Whatever needs the rankings of all topics at once is refused.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.block_dispatch import ByBlock, ByItem, of_rankings
from evalcore.collection.judgments import Judgments
from evalcore.collection.track import Track
from evalcore.large.topic_block import Asked, Sent, told
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.evaluation import UNJUDGED, Evaluation
from evalcore.study.study import Study
from evalcore.vocabulary.registry import indices_of
from evalcore.vocabulary.validation import one_of

TOGETHER = (
    "this needs the rankings of all topics at once, but the track is so large that it is read in {blocks} blocks of "
    "topics. Select fewer topics or systems, or use a machine with more memory."
)


BESIDE = "load second or complete judgments when the track in blocks is opened (other=, truth=)."


class NotHeld(ValueError):
    """A request to a study in blocks that needs the rankings of all topics. question : its name, where known"""

    question = None


@dataclass(frozen=True)
class Elsewhere:
    """An array that only the blocks contain: only its shape is known."""

    shape: tuple
    blocks: int

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotHeld(TOGETHER.format(blocks=self.blocks))

    def _not_held(self, *_):
        raise NotHeld(TOGETHER.format(blocks=self.blocks))

    __getitem__ = __array__ = __len__ = __iter__ = _not_held


@dataclass(frozen=True)
class JoinedTrack(Track):
    """A track without its rankings; its items are the judged ones.

    lengths : int (S, Q)
    """

    lengths: np.ndarray = None

    def only(self, systems, queries):
        """The same track with these systems and queries (indices)."""
        shape = len(systems), len(queries), self.shape[2]
        items = Elsewhere(shape, self.items.blocks)
        return replace(
            self,
            items=items,
            scores=items,
            lengths=self.lengths[np.ix_(systems, queries)],
            systems=tuple(self.systems[s] for s in systems),
            groups=tuple(self.groups[s] for s in systems),
            pooled=self.pooled[systems],
            queries=tuple(self.queries[q] for q in queries),
            topic_of_query=self.topic_of_query[queries],
        )


@dataclass(frozen=True)
class JoinedStudy(Study):
    """A study whose rankings are in its `blocks`. Make one with `blocks.open_blocks`."""

    blocks: object = None

    def at(self, *, depth=None, judgments=None, unjudged="irrelevant", judged_depth=None):
        """As for any study."""
        one_of("unjudged", unjudged, UNJUDGED)
        plain = super().at(depth=depth, judgments=judgments, unjudged=unjudged, judged_depth=judged_depth)
        return JoinedEvaluation(**{name: getattr(plain, name) for name in plain.__dataclass_fields__})

    def only(self, systems=None, topics=None):
        """A narrower study: these systems and topics (names; None = all). The pool stays what it was."""
        chosen = indices_of(systems, self.systems, "system")
        wanted = indices_of(topics, self.track.topics, "topic")
        queries = np.flatnonzero(np.isin(self.track.topic_of_query, wanted))
        said = {name: list(value) for name, value in (("systems", systems), ("topics", topics)) if value is not None}
        of = np.ix_(chosen, queries)
        return replace(
            self,
            track=self.track.only(chosen, queries),
            judgments=self.judgments.only(np.isin(self.judgments.topic_of_item, wanted)),
            leads=replace(
                self.leads,
                judged=self.leads.judged[of],
                lengths=self.leads.lengths[of],
                topic_of_query=self.leads.topic_of_query[queries],
            ),
            scope=self.scope | said,
        )

    def with_other(self, other, *, rel_level=None, columns=None):
        raise ValueError(BESIDE)

    def with_truth(self, truth):
        raise ValueError(BESIDE)

    def with_fused(self, name, **how):
        raise NotHeld(TOGETHER.format(blocks=len(self.blocks.parts)))


@dataclass(frozen=True, eq=False)
class JoinedEvaluation(Evaluation):
    """A reading of a study in blocks: each scores its own rankings."""

    def values(self, metric, wanted=None):
        """The scores. float64 (S, Q), or one row of those wanted. wanted : bool (S, Q); None = all"""
        values = values_told(self.study, *self._sent, metric_named(metric).name)
        return values if wanted is None else values[wanted]

    def values_as_judged(self, metric, reached, thresholds):
        raise NotHeld(TOGETHER.format(blocks=len(self.study.blocks.parts)))

    def expected(self, metric, estimator):
        """The expected contribution of unjudged documents to each score, by a model. float64 (S, Q)"""
        return expected_told(self.study, *self._sent, metric.name, estimator)

    def first_unjudged(self):
        """As for any reading."""
        return first_told(self.study, *self._sent)

    def evidence(self, metric="RBP(p=0.95)"):
        raise NotHeld(TOGETHER.format(blocks=len(self.study.blocks.parts)))

    def _cut(self, by, threshold):
        return JoinedEvaluation(self.study, by, threshold, self.unjudged)

    @property
    def _sent(self):
        """The reading as arguments for a block."""
        return self.by, self.threshold, self.unjudged, self.given, self.judged_depth

    def _ends_at(self, metric):
        return self._rows(ends_told(self.study, *self._sent, metric.name, ("_ends_at",)))

    def _ends_within(self, metric, ranks):
        return self._rows(ends_told(self.study, *self._sent, metric.name, ("_ends_within", ranks)))

    def _ends_of_each(self, metric, thresholds, by):
        how = "_ends_of_each", tuple(thresholds), by
        return self._rows(ends_told(self.study, *self._sent, metric.name, how))

    @staticmethod
    def _rows(ends):
        """(S, Q, 4, ...) as four of (S * Q, ...)."""
        return tuple(ends[:, :, end].reshape(-1, *ends.shape[3:]) for end in range(4))


def _reading(study, by, threshold, unjudged, given, depth):
    """A reading of a block."""
    return Evaluation(study, by, threshold, unjudged, given, depth)


@of_rankings
def values_told(study, by, threshold, unjudged, given, depth, metric):
    return _reading(study, by, threshold, unjudged, given, depth).values(metric)


@of_rankings
def expected_told(study, by, threshold, unjudged, given, depth, metric, estimator):
    return _reading(study, by, threshold, unjudged, given, depth).expected(metric_named(metric), estimator)


@of_rankings
def first_told(study, by, threshold, unjudged, given, depth):
    return _reading(study, by, threshold, unjudged, given, depth).first_unjudged()


@of_rankings
def ends_told(study, by, threshold, unjudged, given, depth, metric, how):
    """The score and its ends, see `Metric.ends`. float (S, Q, 4, ...)."""
    what, *said = how
    ends = getattr(_reading(study, by, threshold, unjudged, given, depth), what)(metric_named(metric), *said)
    return np.stack([end.reshape(*study.track.shape[:2], *end.shape[1:]) for end in ends], axis=2)


# ---------------------------------------------------------------------------------------------------------------------
# Asking the blocks


@dataclass(frozen=True)
class Blocks:
    """The blocks of a study, in the order of their topics, and who asks them.

    parts : Blocks as in `block`; items : int (n + 1,), where the judged items of each begin among those of the study
    topics : int (n + 1,), where its topics begin; each : a function that asks all of them, see `spreading`
    on_disk : what holds the text of packed runs, which goes with it
    """

    parts: tuple
    items: np.ndarray
    topics: np.ndarray
    each: object = field(repr=False)
    on_disk: object = field(default=None, repr=False)
    leads: object = field(default=None, repr=False)

    def joined(self, study, function, given, kind, axis):
        """What a function of a study (see `joining`) says of a study in blocks."""
        of_items, everything = kind == "items", kind in ("items", "topics")
        looked_at = study.judged_topics if kind == "judged topics" else np.unique(study.track.topic_of_query)
        block_of_topic = np.searchsorted(self.topics, looked_at, "right") - 1
        blocks = range(len(self.parts)) if everything else np.unique(block_of_topic)
        ordered = "judgments" in _plain(given)
        calls = []
        for b in blocks:
            topics = None if everything else looked_at[block_of_topic == b]
            asked = self._asked(study, b, topics, ordered=ordered)
            calls.append((self.parts[b], asked, function, tuple(self._sent(one, b) for one in given), of_items))
        found = self.each(told, calls)
        if of_items:
            return _of_items(found)
        if kind == "sums":
            return sum(found[1:], found[0])
        if kind not in ("rankings", "tables"):
            return _side_by_side(found, axis)
        block_of_query = np.searchsorted(self.topics, study.track.topic_of_query, "right") - 1
        places = [np.flatnonzero(block_of_query == b) for b in blocks]
        if kind == "rankings":
            return _in_their_places(found, places)
        each = zip((q for here in places for q in here), (one for some in found for one in some), strict=True)
        return [one for _, one in sorted(each, key=lambda pair: pair[0])]

    def each_told(self, study, function, *given):
        """What a function of a study says of each block, all of it."""
        calls = [(part, self._asked(study, b, None), function, given, False) for b, part in enumerate(self.parts)]
        return self.each(told, calls)

    def numbered(self, study, names):
        """The number, from 0, of each of a block's documents, the same in every block. A list of int arrays.

        names(study) : the names of a block's documents, in the order of its own numbers
        """
        found = pa.chunked_array([one.cast(pa.large_binary()) for one in self.each_told(study, names)])
        return [codes.indices.to_numpy() for codes in found.dictionary_encode().chunks]

    def holding(self, study, topic):
        """The block that holds a topic, by name."""
        (t,) = indices_of([topic], study.track.topics, "topic")
        b = int(np.searchsorted(self.topics, t, "right")) - 1
        looked_at = np.unique(study.track.topic_of_query)
        here = looked_at[(looked_at >= self.topics[b]) & (looked_at < self.topics[b + 1])]
        return self.parts[b].asked(self._asked(study, b, here if len(here) else None))

    def _asked(self, study, b, topics, *, ordered=False):
        """What of a block is looked at. topics : int, None for all; ordered : whether the order of judging is needed"""
        first, last = self.topics[b : b + 2]
        return Asked(
            systems=study.systems,
            topics=None if topics is None else tuple(study.track.topics[topic] for topic in topics),
            contributed=_those_pooled(study.whole),
            pooled=_those_pooled(study.track),
            pooling=replace(
                study.pooling,
                depth_of_topic=study.pooling.depth_of_topic[first:last],
                longest=int(study.whole.lengths[study.whole.pooled].max(initial=1)),
            ),
            judged_by=next((role for role in ("other", "truth") if f"judged_by_{role}" in study.scope), ""),
            order=study.judging_order[self._of(b)] if ordered else None,
        )

    def _of(self, b):
        """The judged items of a block, among those of the study."""
        return slice(*self.items[b : b + 2])

    def _sent(self, one, b):
        if isinstance(one, Judgments):
            return Sent(one.level[self._of(b)], one.scale)
        if isinstance(one, ByItem):
            return ByItem(one.values[self._of(b)], one.nothing)
        return one.parts[b] if isinstance(one, ByBlock) else one


def _those_pooled(track):
    return tuple(name for name, has in zip(track.systems, track.pooled, strict=True) if has)


def _plain(given):
    """The words among what is given to a function, and in tuples of it."""
    for one in given:
        if isinstance(one, tuple):
            yield from _plain(one)
        elif isinstance(one, str):
            yield one


def _of_items(found):
    """Arrays (N,), or tuples of them, the empty place first."""
    if isinstance(found[0], tuple):
        return tuple(_of_items(parts) for parts in zip(*found, strict=True))
    return np.concatenate([found[0][:1], *(one[1:] for one in found)])


def _side_by_side(found, axis):
    """Arrays, or tuples of them, one after another along an axis."""
    if isinstance(found[0], tuple):
        return tuple(_side_by_side(parts, axis) for parts in zip(*found, strict=True))
    if isinstance(found[0], pd.DataFrame):
        return pd.concat(found, ignore_index=True)
    return np.concatenate(found, axis=axis)


def _in_their_places(found, queries):
    """Arrays (S, Q, ...), or tuples of them, from those of the blocks. queries : of each, where its queries stand"""
    if isinstance(found[0], tuple):
        return tuple(_in_their_places(parts, queries) for parts in zip(*found, strict=True))
    first = found[0]
    joined = np.empty((len(first), sum(map(len, queries)), *first.shape[2:]), first.dtype)
    for part, here in zip(found, queries, strict=True):
        joined[:, here] = part
    return joined
