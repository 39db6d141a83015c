"""Evaluation: the score and the bounds of every ranking under the judgments in force.

A *reading* of a study says which of its judgments are in force, all or fewer, and how unjudged documents are read;
`Study.at` gives it. Places, scores, evidence and sweeps are asked of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.collection import pool
from evalcore.collection.judged_positions import Places, judged_positions
from evalcore.collection.judgments import NEVER_POOLED, Judgments
from evalcore.collection.query_numbers import query_numbers
from evalcore.estimating.estimators import Estimate, estimated, is_model, modelled
from evalcore.estimating.evidence import Evidence
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import HOPES
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.study_data import StudyData
from evalcore.vocabulary.validation import NotKnown

UNJUDGED = ("irrelevant", "condensed")
NOBODY = (
    "no run is known to have contributed to the pool, so nothing can be computed from it. Tick the contributing "
    "systems on the Data page, or name them in a systems table."
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A study under some of its judgments. S systems, Q queries; places by row = system * Q + query.

    by, threshold : what its judgments are cut by, "depth" or "judgments", and where; `pool.EVERYTHING` = all are in
        force. What comes of a cut is kept
    unjudged : "irrelevant", or "condensed": unjudged documents are taken out of the rankings
    replacement, replacement_depth : other judgments of the same items instead of a cut, and how deep they were made
    """

    study: StudyData
    by: str = "depth"
    threshold: int = pool.EVERYTHING
    unjudged: str = "irrelevant"
    replacement: Judgments | None = None
    replacement_depth: int | None = None

    @cached_property
    def judgments(self) -> Judgments:
        """The judgments in force."""
        if self.replacement is not None:
            return self.replacement
        everything = self.study.judgments
        if self.threshold == pool.EVERYTHING:
            return everything
        return everything.only(_reached(self.study, self.by) < self.threshold)

    @property
    def judged_depth(self) -> int:
        """How deep the contributing rankings were judged, d' in the models: what was asked for, the study's depth for
        all judgments, or the deepest rank that a count of judgments has left behind."""
        study = self.study
        if self.replacement_depth is not None:
            return self.replacement_depth
        if self.threshold == pool.EVERYTHING:
            return study.depth
        if self.by == "depth":
            return self.threshold
        to_come = study.whole_judgments.pooled_items
        to_come = to_come[study.judging_order[to_come] >= self.threshold]
        return int(np.clip(study.pool_rank[to_come].min(initial=study.depth), 1, study.depth))

    def _judged_depth_of(self, topic):
        """How deep one topic was judged: `judged_depth`, but not deeper than the topic's own pool where that has
        another depth than usual."""
        own = int(self.study.pooling.depth_of_topic[topic])
        return self.judged_depth if own in (0, self.study.depth) else min(self.judged_depth, own)

    def kind(self, metric: str | Metric) -> str:
        """The kind of interval that a metric has under these judgments: "bounds", "guide" (not a bound), or "point"
        (none)."""
        return "point" if self.unjudged == "condensed" else metric_named(metric).kind

    # Places

    @cached_property
    def places(self) -> Places:
        """The places that the judgments in force speak of."""
        if self.replacement is None:
            return self._read(self.study.memo.places.get((self.by, self.threshold), self._fewer_places))
        return self._read(self._places_near())

    def _fewer_places(self):
        """The same, out of the places kept for more judgments, if any: a sweep goes from many to few."""
        kept = self.study.memo.places.items()
        more = (places for (by, cut), places in kept if by == self.by and cut >= self.threshold)
        return next(more, self.study.places).under(self.judgments)

    def places_of(self, metric: Metric, rows: NDArray[np.bool_] | None = None) -> Places:
        """Those that the value of a metric is made of. rows : bool (S * Q,), of these rankings alone; None = of all"""
        if self.unjudged == "condensed":
            return self.places if rows is None else self._places_near(rows=rows).condensed()
        return self._places_near(metric, rows)

    def _places_near(self, metric=None, rows=None):
        everything = _places_under(self.study, self.replacement)
        positions = metric.near(everything) if metric else everything
        positions = positions if rows is None else positions.of_rows(rows)
        if self.judgments is self.study.judgments:
            return positions
        return positions.read_by(self.judgments) if metric and metric.weighted else positions.under(self.judgments)

    def _read(self, positions):
        return positions.condensed() if self.unjudged == "condensed" else positions

    def first_unjudged(self) -> NDArray[np.int32]:
        """The rank, from 0, of the first unjudged document of each ranking; `pool.NEVER` without any. int32 (S, Q)."""
        return pool.first_unjudged(self.study.track, self.judgments)

    # Scores

    def values(self, metric: str | Metric, wanted: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """The scores alone, without what an interval costs. float64 (S, Q), or in a row those wanted.

        wanted : bool (S, Q), whose scores; None = all
        """
        metric, rankings = metric_named(metric), None if wanted is None else wanted.ravel()
        positions = self.places_of(metric, rankings)
        row = np.arange(positions.rows) if rankings is None else np.flatnonzero(rankings)
        values = np.empty(positions.rows)
        for rows, block in metric.read(positions).blocks():
            values[rows] = self._of_rows(metric, row[rows]).value(block)
        return values if wanted is not None else values.reshape(self.study.track.shape[:2])

    def estimate(self, metric: str | Metric, *, estimator: str = "lower", ranks: int | None = None) -> Estimate:
        """The score of every ranking with its interval. An `Estimate` of arrays (S, Q).

        ranks : how many ranks are looked at, the others being unknown; None = all
        """
        metric = metric_named(metric)
        if is_model(estimator) and self.kind(metric) != "point" and not metric.weighted:
            raise ValueError(
                f"{estimator} needs a metric with a weight for every rank: P, RBP or SDCG. {metric.name} has none. "
                "Choose one of these, or an estimator that needs no weights, such as interpolated."
            )
        if self.replacement is None and ranks is None:
            key = (metric.name, self.by, self.threshold, self.unjudged)
            ends = self.study.memo.ends.get(key, lambda: self._ends(metric))
        else:
            positions = self._places_near().within(ranks)
            if metric.weighing and ranks is not None:  # at a rank not looked at, a known document may be, too
                positions = replace(positions, lengths=np.minimum(positions.lengths, ranks), endless=True)
            ends = self._ends_of(metric, self._read(positions))
        shape = self.study.track.shape[:2]
        if not is_model(estimator):
            return self._between(ends, metric, estimator, shape)
        plain = self._between(ends, metric, "lower", shape)
        return plain if plain.kind == "point" else plain.raised(self.expected(metric, estimator))

    def sweep(
        self, metric: str | Metric, thresholds: Sequence[int], *, by: str = "depth", estimator: str = "lower"
    ) -> Estimate:
        """The estimate at each threshold, ascending pool depths or counts of judgments. Arrays (S, Q, thresholds).

        Another estimator at the same thresholds costs nothing: the ends of the last few sweeps are kept.
        """
        metric = metric_named(metric)
        if is_model(estimator):
            each = [self._cut(by, threshold).estimate(metric, estimator=estimator) for threshold in thresholds]
            ends = ("value", "lower", "upper", "upper_listed")
            return replace(each[0], **{end: np.stack([getattr(cut, end) for cut in each], axis=2) for end in ends})
        key = (metric.name, tuple(thresholds), by, self.unjudged)
        ends = self.study.memo.sweeps.get(key, lambda: self._swept(metric, thresholds, by))
        return self._between(ends, metric, estimator, (*self.study.track.shape[:2], len(thresholds)))

    def values_as_judged(
        self, metric: Metric, reached: NDArray[np.intp], thresholds: Sequence[int] | NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """The scores alone as judging goes on. float64 (S, Q, thresholds).

        reached : int (N,), from which threshold on an item's judgment is in force: those above it
        """
        metric, study = metric_named(metric), self.study
        if metric.weighted:
            ends = metric.sweep(study.places, pool.steps(study.judgments, reached, thresholds), len(thresholds))
            return ends[0].reshape(*study.track.shape[:2], len(thresholds))
        cuts = (study.judgments.only(reached < threshold) for threshold in thresholds)
        return np.stack([Evaluation(study, replacement=cut).values(metric) for cut in cuts], axis=2)

    def _cut(self, by, threshold):
        return Evaluation(self.study, by, threshold, self.unjudged)

    # The score and its ends, see `Metric.ends`. Four float64 (S * Q, ...).

    def _ends(self, metric):
        if metric.weighted and self.unjudged == "irrelevant":  # soon done; a sweep adds up in another order
            return self._ends_of(metric, self.places_of(metric))
        for (name, thresholds, by, unjudged), ends in self.study.memo.sweeps.items():
            if (name, by, unjudged) == (metric.name, self.by, self.unjudged) and self.threshold in thresholds:
                return _read_only([end[:, thresholds.index(self.threshold)].copy() for end in ends])
        return self._ends_of(metric, self.places)

    def _swept(self, metric, thresholds, by):
        study, reached = self.study, _reached(self.study, by)
        if metric.weighted and self.unjudged == "irrelevant":
            step = pool.steps(study.judgments, reached, thresholds)
            return _read_only(metric.sweep(study.places, step, len(thresholds)))
        in_force = np.searchsorted(np.sort(reached[study.judgments.pooled_items]), thresholds)  # so many judgments are
        _, differ, each = np.unique(in_force, return_index=True, return_inverse=True)
        cuts = [self._cut(by, thresholds[i]) for i in reversed(differ)]  # ever fewer places
        ends = np.stack([cut._ends(metric) for cut in cuts][::-1], axis=2)
        return _read_only(tuple(ends[:, :, each]))

    def _ends_of(self, metric, positions):
        ends = np.full((4, positions.rows), np.nan)
        for rows, block in metric.read(positions).blocks():
            of_rows = self._of_rows(metric, rows)
            if self.kind(metric) == "point":
                ends[0, rows] = of_rows.value(block)
            else:
                ends[:, rows] = of_rows.ends(block)
        return _read_only(tuple(ends))

    def _of_rows(self, metric, rows):
        """The metric for these rankings, columns of the queries table looked up."""
        return metric.with_columns(lambda column: hopes(self.study, column)[rows])

    def _between(self, ends, metric, estimator, shape):
        """The estimate that lies between these ends."""
        kind = self.kind(metric)
        value, lower, upper, of_list = (end.reshape(shape) for end in ends)
        if kind != "point":
            value = estimated(estimator, value, upper, highest=metric.highest(self.study.judgments.scale))
        return Estimate(value, lower, upper, of_list, kind)

    # Models of the unjudged documents

    def evidence(self, metric: str | Metric = "RBP(p=0.95)") -> list[tuple[NDArray[np.intp], Evidence]]:
        """What the judgments in force say of each judged topic: pairs of its queries (indices) and an `Evidence`.

        metric : whose earnings are learnt: those that read gains, or relevance as P does, share theirs
        Those of the last few cuts are kept, with what was learnt of them. Raises ValueError without a pool.
        """
        metric, cached = metric_named(metric), self.study.memo.evidence
        scale = metric.scale(self.judgments.scale)
        if self.replacement is not None:
            return self._gathered(metric)
        key = (self.by, self.threshold, scale.rel_level, *metric.earned(scale), metric.highest(scale))
        gathered = cached.get(key, lambda: self._gathered(metric))
        cached.measure(key)  # more may have been learnt since
        return gathered

    def _gathered(self, metric):
        study, scale = self.study, metric.scale(self.judgments.scale)
        if not study.whole.pooled.any():
            raise NotKnown(NOBODY)
        gain = np.where(scale.judged, metric.earned(scale), np.nan)[self.judgments.level]
        relevant = scale.relevant[self.judgments.level]
        gathered = []
        for topic, queries, pooled in study.memo.pools.get((), lambda: _pools(study)):
            evidence = Evidence(
                pooled=pooled,
                gain=gain,
                relevant=relevant,
                depth=self._judged_depth_of(topic),
                systems=int(np.count_nonzero(study.whole.pooled)),
                r_max=metric.highest(scale),
                items=slice(*np.searchsorted(study.track.topic_of_item, [topic, topic + 1])),
            )
            gathered.append((queries, evidence))
        return gathered

    def expected(self, metric: Metric, estimator: str) -> NDArray[np.float64]:
        """What a model expects each ranking's unjudged documents to add to its score. float64 (S, Q)."""
        S, Q, K = self.study.track.shape
        weights = metric.weights(max(K, self.study.whole.shape[2]))
        more = np.zeros((S, Q))
        for queries, evidence in self.evidence(metric):
            rankings = self.study.track.items[:, queries].reshape(-1, K)
            more[:, queries] = modelled(estimator, evidence, rankings, weights).reshape(S, len(queries))
        return more


def _pools(study):
    """Each judged topic, its queries looked at (indices), and the items of its contributing rankings, int (n, K)."""
    whole, queries = study.whole, study.track.topic_of_query
    contributed = np.flatnonzero(whole.pooled)
    longest = study.pooling.longest or int(whole.lengths[contributed].max(initial=1))
    pools = []
    for topic in study.judged_topics:
        pooled = whole.items[np.ix_(contributed, whole.topic_of_query == topic)][:, :, :longest]
        pools.append((topic, np.flatnonzero(queries == topic), pooled.reshape(-1, longest)))
    return pools


class RelevantRetrieved(NamedTuple):
    """Statistics of each judged topic's documents that are relevant to a metric, see `Coverage`. Arrays (T',).

    relevant, occurrences, once : how many were retrieved, how often, and how many of them once; expected : how many
    there may be; gamma : of their discovery; adjusted : whether a model adjusts the topic; defined : whether gamma has
    a value; covered : the share of them that was retrieved
    """

    relevant: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    once: NDArray[np.int64]
    expected: NDArray[np.float64]
    gamma: NDArray[np.float64]
    adjusted: NDArray[np.bool_]
    defined: NDArray[np.bool_]
    covered: NDArray[np.float64]


def relevant_retrieved(evaluation: Evaluation, theta: float, metric: str | Metric = "RBP(p=0.95)") -> RelevantRetrieved:
    """Of each judged topic under the judgments in force. theta : the threshold above which a model adjusts a topic"""
    rows = []
    for _, evidence in evaluation.evidence(metric):
        coverage = evidence.coverage
        counts = coverage.relevant, coverage.occurrences, coverage.once, coverage.expected
        rows.append((*counts, evidence.gamma, evidence.adjusted(theta), coverage.defined, coverage.covered))
    kinds = int, int, int, float, float, bool, bool, float
    return RelevantRetrieved(*(np.array([row[i] for row in rows], kind) for i, kind in enumerate(kinds)))


def hopes(study: StudyData, column: str) -> NDArray[np.float64]:
    """A column of the queries table as T of INST, a value for each ranking. float64 (S * Q,)."""
    values = query_numbers(study.track.queries, study.query_table, column)
    fits = (values >= HOPES[0]) & (values <= HOPES[1])
    wrong = np.flatnonzero(~fits & (study.track.lengths > 0).any(axis=0))
    if len(wrong):
        query = study.track.queries[wrong[0]]
        raise ValueError(f"column {column!r} of the queries table: query {query} needs a number from .5 to a million.")
    return np.tile(np.where(fits, values, 1.0), len(study.systems))  # of no effect where no run answers


def _places_under(study, replacement):
    """The places that all judgments of a study speak of, and those that given ones name beside them."""
    if replacement is None or (study.judgments.level[replacement.pooled_items] != NEVER_POOLED).all():
        return study.places
    return judged_positions(study.track, replacement, endless=study.options["empty"] == "unknown")


def _reached(study, by):
    """The vector over items that a cut of the judgments by "depth" or by "judgments" goes through. int32 (N,)."""
    return study.pool_rank if by == "depth" else study.judging_order


def _read_only(arrays):
    for array in arrays:
        array.flags.writeable = False
    return arrays
