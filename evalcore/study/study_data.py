"""What a study is made of: its track, its judgments and files, what is looked at of them, and means over topics.

`study.Study` has the methods that make other studies of it; what these call takes the data of a study alone.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.cache import inherit
from evalcore.collection import pool, pool_inference
from evalcore.collection.judged_positions import Places, judged_positions
from evalcore.collection.judgments import Judgments
from evalcore.collection.shares import share
from evalcore.collection.track import Track
from evalcore.estimating.estimators import Estimate
from evalcore.reading.files import NO_JUDGMENTS, Finding, Source
from evalcore.study.judge_names import judge_name
from evalcore.study.study_caches import StudyCaches
from evalcore.vocabulary.registry import indices_of

SomeStudy = TypeVar("SomeStudy", bound="StudyData")  # what makes another study of one gives one of its class


@dataclass(frozen=True)
class StudyData:
    """The data of a study; see `study.Study`.

    track : the selected systems and queries
    judgments : all judgments of the selected topics
    whole, whole_judgments : the whole track, in the pool's own order (`pooling.order`), and its judgments
    pooling : the depth of the pool and how its contributing systems are known, see `pool_inference.Pooling`
    leads : the judged top of each selected ranking, in the order in use, see `pool_inference.Leads`
    by_rank : int32 (S, Q, K) of the whole track, or None; see `loading.Loaded`
    options : of `open_study`, as plain values; scope : the arguments of `only` and `with_fused`
    sources, findings : the files, and problems and assumptions about them
    system_table, query_table : DataFrames, one row per system and per query of the whole track; see `loading.Loaded`
    other : a second set of judgments of the whole track, see `with_other`; the first judge's where none was given
    given_judges : name -> judgments of the whole track, see `with_judges`; `judges` has all of them
    truth : complete judgments, see `with_truth`
    theirs : the scores of another program, see `conventions.with_scores`
    attributes : numbers of topics, indexed by topic, see `with_attributes`
    assessors : who judged what, in order, see `with_assessors`
    subtopics : topic, subtopic, document and grade, see `with_subtopics`; those of the qrels under the option aspect
    order_seed : of the draw in the order of judging by number (METHODS 2.6), see `study_pool.with_order`
    memo : cached results
    """

    track: Track
    judgments: Judgments
    whole: Track
    whole_judgments: Judgments
    pooling: pool_inference.Pooling
    leads: pool_inference.Leads
    by_rank: NDArray[np.int32] | None
    options: dict[str, Any]
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]
    system_table: pd.DataFrame
    query_table: pd.DataFrame
    scope: dict[str, Any] = field(default_factory=dict)
    other: Judgments | None = None
    truth: Judgments | None = None
    given_judges: dict[str, Judgments] = field(default_factory=dict)
    theirs: pd.DataFrame | None = None
    attributes: pd.DataFrame | None = None
    assessors: pd.DataFrame | None = None
    subtopics: pd.DataFrame | None = None
    order_seed: int = 0

    memo: StudyCaches = field(init=False, repr=False, compare=False, default_factory=StudyCaches)

    # What is looked at

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems looked at."""
        return self.track.systems

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The names of the topics looked at."""
        return tuple(self.track.topics[topic] for topic in np.unique(self.track.topic_of_query))

    @cached_property
    def topic_texts(self) -> dict[str, str]:
        """What each topic asks, by its first query; {} without a table of queries that says so."""
        if "text" not in self.query_table:
            return {}
        rows = self.query_table[self.query_table["text"] != ""].drop_duplicates("topic")
        return dict(zip(rows["topic"], rows["text"], strict=True))

    @property
    def has_variations(self) -> bool:
        """Whether any topic has several queries."""
        return len(np.unique(self.track.topic_of_query)) < self.track.shape[1]

    @cached_property
    def judged_topics(self) -> NDArray[np.int32]:
        """The topics that the qrels hold, of those looked at. int (T',), indices into `track.topics`."""
        return np.intersect1d(self.judgments.topic_of_item[self.judgments.pooled_items], self.track.topic_of_query)

    @property
    def judged_topic_names(self) -> list[str]:
        """The names of the judged topics."""
        return [self.track.topics[topic] for topic in self.judged_topics]

    @cached_property
    def answers(self) -> NDArray[np.bool_]:
        """Whether each system ranks any document for a judged topic; True for all if none does. bool (S,)."""
        answers = (self.track.lengths[:, np.isin(self.track.topic_of_query, self.judged_topics)] > 0).any(axis=1)
        return np.logical_or(answers, not answers.any())

    @property
    def without_judgments(self) -> bool:
        """Whether the track was opened without any judgments (qrels=False), not with a qrels that judges nothing."""
        return any((source.role, source.name) == ("qrels", NO_JUDGMENTS.name) for source in self.sources)

    @cached_property
    def digest(self) -> str:
        """A name for all that the numbers depend on: files, options, scope, and the order of judging by number."""
        return self._digest(self.scope)

    def _digest(self, scope):
        files = [(source.role, source.name, source.sha256) for source in self.sources]
        description = json.dumps([files, self.options, scope, self.order_seed], sort_keys=True, default=str)
        return hashlib.sha256(description.encode()).hexdigest()

    def share_pool(self, other: Self) -> None:
        """Share with another study what was learnt of the pool, if the two differ in the chosen systems only."""
        mine, theirs = (study._digest(study.scope | {"systems": None}) for study in (self, other))
        if mine == theirs:
            self.memo.pools, self.memo.evidence = other.memo.pools, other.memo.evidence

    def only(self, systems: Sequence[str] | None = None, topics: Sequence[str] | None = None) -> Self:
        """A narrower study: these systems and topics (names; None = all). The pool stays what it was."""
        chosen = indices_of(systems, self.systems, "system")
        scope = {name: list(value) for name, value in (("systems", systems), ("topics", topics)) if value is not None}
        scope = self.scope | scope
        if topics is None:  # what a pool shows, and most that was computed, does not depend on who is looked at
            track = self.track.only(chosen, slice(None))
            narrower = replace(self, track=track, leads=self.leads.only(chosen), scope=scope)
            narrower.memo.pools, narrower.memo.evidence = self.memo.pools, self.memo.evidence
            inherit(narrower, self, ("judged_topics", "pool_rank", "judging_order"))
            rows = (chosen[:, None] * self.track.shape[1] + np.arange(self.track.shape[1])).ravel()
            return inherit(narrower, self, ["places"], lambda places: places.of_rows(rows))
        wanted = indices_of(topics, self.track.topics, "topic")
        track = self.track.only(chosen, np.flatnonzero(np.isin(self.track.topic_of_query, wanted)))
        judgments = self.judgments.only(np.isin(self.judgments.topic_of_item, wanted))
        leads = pool_inference.leads_of(track, judgments)
        return replace(self, track=track, judgments=judgments, leads=leads, scope=scope)

    def chosen(self, systems: str | Sequence[str]) -> NDArray[np.bool_]:
        """Which systems are meant by "all", "pooled", "unpooled" or a list of names; ValueError for none. bool (S,)."""
        if isinstance(systems, str):
            pooled = self.track.pooled
            choices = {"all": np.ones(len(pooled), bool), "pooled": pooled, "unpooled": ~pooled}
            if systems not in choices:
                raise ValueError(f"systems={systems!r} is not known. Known: {', '.join(choices)}, or a list of names.")
            if not choices[systems].any():
                have = "are assumed to have" if self.pooling.how == "assumed" else "have"
                why = {"pooled": "none has contributed to the pool", "unpooled": f"all {have} contributed to the pool"}
                raise ValueError(
                    f"systems={systems!r} chooses no system, because {why.get(systems, 'the study has none')}. Choose "
                    "other systems, or mark those that contributed."
                )
            return choices[systems]
        return np.isin(np.arange(len(self.systems)), indices_of(systems, self.systems, "system"))

    # The pool

    @property
    def depth(self) -> int:
        """The pool depth of most topics."""
        return self.pooling.depth

    @cached_property
    def pool_rank(self) -> NDArray[np.int32]:
        """The best rank that a contributing run of the whole track gave each item. int32 (N,)."""
        return pool.pool_ranks(self.whole)

    @cached_property
    def judging_order(self) -> NDArray[np.int32]:
        """The place of each item in the order of judging by number. int32 (N,)."""
        return pool.judging_order(self.track, self.whole_judgments, self.pool_rank, seed=self.order_seed)

    @cached_property
    def places(self) -> Places:
        """The places that all judgments speak of."""
        return judged_positions(self.track, self.judgments, endless=self.options["empty"] == "unknown")

    def find_places(self) -> None:
        """Find the judged places now: narrower studies made from here on choose among them."""
        vars(self)["places"] = self.places

    def ordered_by(self, order: str) -> Self:
        """The study with its rankings in the order of scores ("score") or of the rank column ("rank")."""
        if self.by_rank is None or order == self.options["order"]:
            return self
        whole = self.whole_by(order)
        rows, queries = indices_of(self.systems, whole.systems, "system"), np.isin(whole.queries, self.track.queries)
        track = whole.only(rows, np.flatnonzero(queries))
        leads = pool_inference.leads_of(track, self.judgments)
        return replace(self, track=track, leads=leads, options=self.options | {"order": order})

    @cached_property
    def whole_as_ranked(self) -> Track:
        """The whole track with its rankings in the order in force, which need not be that of the pool."""
        return self.whole_by(self.options["order"])

    def whole_by(self, order: str) -> Track:
        """The whole track with its rankings in the order of scores ("score") or of the rank column ("rank")."""
        if self.by_rank is None or order == self.pooling.order:
            return self.whole
        return self.whole.ranked_by(order, self.by_rank)

    @cached_property
    def judges(self) -> dict[str, Judgments]:
        """The judges in order: name -> `Judgments` of the whole track. The second judgments have their file's name."""
        second = next((source.name for source in self.sources if source.role == "other"), None)
        if second is None or self.other is None:
            return self.given_judges
        return {judge_name(second): self.other} | self.given_judges

    # Means

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Whether each judged topic counts for each system: a query of it does. bool (S, T')."""
        return self.by_topic(_counted_queries(self).astype(float)) > 0

    def by_topic(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over each judged topic's queries that count. (S, Q, ...) to (S, T', ...); 0 where none does."""
        query = np.flatnonzero(np.isin(self.track.topic_of_query, self.judged_topics))
        topic = np.searchsorted(self.judged_topics, self.track.topic_of_query[query])
        if len(topic) == len(self.judged_topics):
            return values[:, query[np.argsort(topic)]]

        def total(of_queries):
            sums = np.zeros((len(of_queries), len(self.judged_topics), *of_queries.shape[2:]))
            # numpy's stub knows no tuple of indices here
            np.add.at(sums, (slice(None), topic), of_queries)  # type: ignore[arg-type]
            return sums

        counted = _as_wide_as(values, _counted_queries(self)[:, query])
        return total(np.where(counted, values[:, query], 0)) / np.maximum(total(counted), 1)

    def topic_scores(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same, NaN where the topic does not count for the system. float (S, T')."""
        return np.where(self.counted, self.by_topic(values), np.nan)

    def mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over judged topics of the mean over their queries. (S, Q, ...) to (S, ...); NaN over no topic."""
        counted = _as_wide_as(values, self.counted)
        n = counted.sum(axis=1)
        total = np.where(counted, self.by_topic(values), 0).sum(axis=1)
        return share(total, n, without=np.nan)

    def means(self, estimate: Estimate) -> Estimate:
        """An estimate's means over topics; see `of_answering`. Arrays (S, ...)."""
        return self.of_answering(estimate).map(self.mean)

    def of_answering(self, estimate: Estimate) -> Estimate:
        """An estimate (S, ...) whose value is the lower end where the system answers no judged topic."""
        if estimate.kind == "point" or self.answers.all():
            return estimate
        answers = self.answers.reshape(-1, *(1,) * (estimate.value.ndim - 1))
        return replace(estimate, value=np.where(answers, estimate.value, estimate.lower))


def share_of_topic(study: StudyData) -> NDArray[np.float64]:
    """What each query counts for in the mean of its topic. float (S, Q)."""
    counted = _counted_queries(study).astype(float)
    of_topic = np.zeros((len(counted), len(study.track.topics)))
    np.add.at(of_topic, (slice(None), study.track.topic_of_query), counted)  # type: ignore[arg-type]
    return counted / np.maximum(of_topic[:, study.track.topic_of_query], 1)


def _counted_queries(study):
    """Whether each query counts for each system: all do, or those that the system answers. bool (S, Q)."""
    everything = study.options["average"] == "qrels"
    return np.ones(study.track.shape[:2], bool) if everything else study.track.lengths > 0


def _as_wide_as(values, table):
    """`table` (two axes) with further axes of length 1, so that it broadcasts against `values`."""
    return table.reshape(*table.shape, *(1,) * (values.ndim - 2))
