"""A study: a track, its judgments, their files, and the selected systems and topics.

`Study.at` selects judgments and returns an `evaluation.Evaluation`, which computes scores. Means over topics belong to
the data of the study, because they do not depend on the selected judgments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.collection import pool
from evalcore.collection.judgments import Judgments
from evalcore.reading.files import File
from evalcore.study import assessors as assessors_table
from evalcore.study import extra_qrels, study_fusion, study_pool, topic_attributes
from evalcore.study import subtopics as subtopics_of_topics
from evalcore.study.evaluation import UNJUDGED, Evaluation
from evalcore.study.judge_names import REFERENCE
from evalcore.study.study_data import StudyData
from evalcore.vocabulary.validation import listed, one_of, row_of, threshold

JUDGED_OTHERWISE = {"judged_by_other", "judged_by_truth", "judged_by"}  # marks in the scope


@dataclass(frozen=True)
class Study(StudyData):
    """A track with its judgments. Make one with `open_study`. `StudyData` has its fields, and the means."""

    def at(
        self, *, depth: int | None = None, judgments: Judgments | int | None = None, unjudged: str = "irrelevant",
        judged_depth: int | None = None,
    ) -> Evaluation:  # fmt: skip
        """The `evaluation.Evaluation` under the judgments at a pool depth, the first so many, or any `Judgments`.

        None = all judgments; unjudged : "irrelevant", or "condensed": unjudged documents are removed from the rankings
        judged_depth : for `Judgments`, the depth to which contributing rankings were judged
        """
        one_of("unjudged", unjudged, UNJUDGED)
        if depth is not None and judgments is not None:
            raise ValueError("depth and judgments exclude each other: choose a pool depth or a number of judgments.")
        if isinstance(judgments, Judgments):
            return Evaluation(self, unjudged=unjudged, replacement=judgments, replacement_depth=judged_depth)
        by, at = ("depth", depth) if judgments is None else ("judgments", judgments)
        return Evaluation(self, by, threshold(by, at) or pool.EVERYTHING, unjudged)

    def with_fused(self, name: str, **how: Any) -> Study:
        """The study with one system more, whose rankings are those of others made one.

        how : as of `study_fusion.with_fused`
        """
        return study_fusion.with_fused(self, name, **how)

    def without_contribution_of(self, systems: Sequence[str]) -> Study:
        """The study, had these systems (names) not helped to form the pool: what they alone retrieved was pooled by
        nobody."""
        systems = listed("systems", systems, self.systems[0])
        before = self.scope.get("without_contribution_of", ())
        scope = self.scope | {"without_contribution_of": [*before, *systems]}
        pooling = self.pooling.without(np.isin(self.whole.systems, systems))
        return study_pool.with_those(
            self, lambda track: track.pooled & ~np.isin(track.systems, systems), scope=scope, pooling=pooling
        )

    # A second qrels, and the truth

    def with_other(
        self, other: File, *, rel_level: float | None = None, columns: dict[str, Any] | None = None
    ) -> Study:
        """The study with second judgments (a path or an `Upload`). Raises `InputError`.

        They are read with the same options, except for their lowest relevant grade (`rel_level`) and their columns
        (`columns`, as in `open_study`). Topics that the study does not have are left out, with a finding.
        """
        if self.scope.keys() & {"judged_by_other", "judged_by"}:
            raise ValueError(
                "this study already uses second judgments. Add other ones to the study that it was made from."
            )
        options = extra_qrels.with_columns(self.options, other, columns) | {"other_rel_level": rel_level}
        return replace(extra_qrels.with_beside(self, "other", other, extra_qrels.as_beside(options)), options=options)

    def with_judges(
        self, judges: Mapping[str, Any], *, kinds: Mapping[str, str] | None = None,
        rel_levels: Mapping[str, float] | None = None, gains: Mapping[str, Any] | None = None,
    ) -> Study:  # fmt: skip
        """The study with the judgments of further judges, such as language models. Raises `InputError`.

        judges : name -> judgments (a path, an `Upload`, or a frame or dict as for `open_study`), at most 12
        kinds : name -> "model" or "people"; None = models
        rel_levels, gains : name -> the judge's own lowest relevant grade, and gains as for `open_study`; needed where
            the judge has another scale than the study's judgments: until then it has no verdict (METHODS 13.6)
        Else read with the same options. The highest grade of a judge whose grades are all below the lowest relevant one
        counts as relevant. Topics that the study does not have are left out, with a finding.
        """
        if self.scope.keys() & JUDGED_OTHERWISE:
            raise ValueError("this study already uses other judgments. Add judges to the study that it was made from.")
        return extra_qrels.with_judges(self, judges, kinds, rel_levels, gains)

    def judged_by(self, name: str) -> Study:
        """The study with the judgments of one of its `judges` instead of its own, and the same pool."""
        if name == REFERENCE:
            return self
        if not self.judges:
            raise ValueError("there are no judges. Load their judgments with study.with_judges, or other=.")
        judgments = row_of(self.judges, "judge", name)
        return self.memo.judged.get(name, lambda: extra_qrels.judged_by(self, judgments, "judged_by", name))

    def compared_with(self, name: str) -> Study:
        """The study with one of its `judges` as the second judgments."""
        study = extra_qrels.as_second(self, row_of(self.judges, "judge", name))
        return replace(study, scope=self.scope | {"compared_with": name})

    def with_truth(self, truth: File, *, add: bool = False) -> Study:
        """The study with complete judgments (a path or an `Upload`): its own, and what pooling missed.

        Read with the same options. Topics that the study does not judge are left out. add : whether the study's own
        judgments are added if the file lacks them; else it is refused (`extra_qrels.Lacking`). Raises `InputError`, and
        ValueError if they contradict the study's, because then a score could leave its interval.
        """
        if self.scope.keys() & JUDGED_OTHERWISE:
            raise ValueError(
                "this study already uses other judgments. Add complete judgments to the study that it was made from."
            )
        study = extra_qrels.with_beside(self, "truth", truth, self.options)
        if add:
            study = replace(extra_qrels.with_own_added(study), options=self.options | {"add_to_truth": True})
        extra_qrels.refuse_contradictions(study)
        return study

    def with_attributes(self, attributes: File) -> Study:
        """The study with a table of its topics' attributes; see `topic_attributes.with_attributes`."""
        return topic_attributes.with_attributes(self, attributes)

    def with_assessors(self, assessors: File) -> Study:
        """The study with a table of who judged what; see `assessors.with_assessors`."""
        return assessors_table.with_assessors(self, assessors)

    def with_subtopics(self, qrels: File) -> Study:
        """The study with judgments by subtopic; see `subtopics.with_subtopics`."""
        return subtopics_of_topics.with_subtopics(self, qrels)

    @cached_property
    def judged_by_other(self) -> Study:
        """The study with the second judgments instead of its own, and the same pool."""
        if self.other is None:
            raise ValueError("there are no second judgments. Load them with other=, such as other='llm-qrels.txt'.")
        return extra_qrels.judged_by(self, self.other, "judged_by_other")

    @cached_property
    def judged_by_truth(self) -> Study:
        """The study with the complete judgments instead of its own, and the same pool."""
        if self.truth is None:
            raise ValueError("there are no complete judgments. Load them with truth=, such as truth='complete.txt'.")
        judged = np.unique(self.whole_judgments.topic_of_item[self.whole_judgments.pooled_items])
        truth = self.truth.only(np.isin(self.truth.topic_of_item, judged))
        return extra_qrels.judged_by(self, truth, "judged_by_truth")

    @property
    def on_shared_topics(self) -> Study:
        """The study on the topics that both sets of judgments contain."""
        topics = np.intersect1d(self.judged_topics, self.judged_by_other.judged_topics)
        if not len(topics):
            raise ValueError("the two qrels share no topic. Check that they belong to the same track.")
        return self.only(topics=[self.track.topics[topic] for topic in topics])
