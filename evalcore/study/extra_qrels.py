"""Additional judgments: by further judges, and complete judgments, which contain the study's own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection import pool_inference
from evalcore.collection.judgments import Judgments, Scale, gains_by_grade, judgments_from
from evalcore.collection.track import Track
from evalcore.interop import in_memory
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.reading import column_files, loading
from evalcore.reading.files import File, Finding, Source
from evalcore.reading.item_codes import with_room
from evalcore.reading.rankings import Judged
from evalcore.reading.rows import FRACTIONAL
from evalcore.study.judge_names import KINDS, REFERENCE
from evalcore.study.study_data import SomeStudy, StudyData
from evalcore.vocabulary.sentences import digits, verb
from evalcore.vocabulary.validation import one_of

UNKNOWN_TOPICS = "topics of the second qrels"  # the checks of additional judgments
UNKNOWN = {  # by role
    "other": UNKNOWN_TOPICS, "truth": "topics of the complete judgments", "judge": "topics of a judge",
}  # fmt: skip
LOWER_SCALE = "grades of a judge"  # the check of a judge whose grades all lie below the lowest relevant one
OTHER_SCALE = "scale of a judge"  # the check of a judge of whose grades nobody said which are relevant
MOST_JUDGES = 12
ADDED = "judgments added"  # the check of judgments that were added to the complete ones


IN_WORDS = {"other": "second judgments", "truth": "complete judgments"}


def with_beside(study: SomeStudy, role: str, qrels: File, options: dict[str, Any], judge: str = "") -> SomeStudy:
    """The study with one more file of judgments. role : other, truth, or judge, whose name is `judge`"""
    qrels = in_memory.judgments_as_file(qrels, judge or IN_WORDS[role])
    judged, source, findings = loading.load_judgments(
        qrels, options["names"], options["columns"], role, options["duplicates"], options["aspect"]
    )
    if options["rel_level"] != Scale.rel_level:  # as that warning advises
        findings = tuple(finding for finding in findings if finding.check != FRACTIONAL)
    items, moved = with_room(study.whole, judged)
    findings += unknown_topics(judged, source, study.whole.topics)

    def judgments(old):
        level, stratum = np.zeros(len(items.topic), old.level.dtype), np.zeros(len(items.topic), np.int8)
        level[moved], stratum[moved] = old.level, old.stratum
        return replace(old, level=level, stratum=stratum, topic_of_item=items.topic)

    whole, track = study.whole, study.track
    if len(items.topic) > whole.size:  # else each item keeps its code
        whole, track = (old.recoded(moved, items.topic, items.documents) for old in (whole, track))
    if role == "truth":  # which must read every grade as the study does
        options = options | {"gains": study.whole_judgments.scale.gains}
    try:
        read = judgments_as_read(items.grade, items.listed, whole, options)
    except ValueError as refused:
        raise ValueError(f"in {source.name}: {refused}") from None
    stay = {name: judgments(old) for name in ("other", "truth") if (old := getattr(study, name)) is not None}
    judged_by_each = {name: judgments(old) for name, old in study.given_judges.items()}
    if judge:
        sources, earlier, added = study.sources, study.findings, {"given_judges": judged_by_each | {judge: read}}
    else:  # in place of the earlier one
        sources = tuple(source for source in study.sources if source.role != role)
        earlier = tuple(finding for finding in study.findings if finding.check != UNKNOWN[role])
        added = {"given_judges": judged_by_each, role: read}
    return replace(
        study,
        track=track,
        judgments=judgments(study.judgments),
        whole=whole,
        whole_judgments=judgments(study.whole_judgments),
        **stay | added,
        sources=(*sources, source),
        findings=(*earlier, *findings),
    )


def with_judges(
    study: SomeStudy, judges: Mapping[str, Any], kinds: Mapping[str, str] | None,
    rel_levels: Mapping[str, float] | None, gains: Mapping[str, Any] | None,
) -> SomeStudy:  # fmt: skip
    """The study with the judgments of further judges; see `Study.with_judges`."""
    kinds, levels, gains, known = kinds or {}, rel_levels or {}, gains or {}, study.options.get("judges") or {}
    if len(known) + len(judges) > MOST_JUDGES:
        raise ValueError(f"there are {len(known) + len(judges)} judges. Use at most {MOST_JUDGES}.")
    for option, given in (("kinds", kinds), ("rel_levels", levels), ("gains", gains)):
        if unknown := [name for name in given if name not in judges]:
            raise ValueError(f"{option} names {unknown[0]!r}, which is not among the judges: {', '.join(judges)}.")
    for name, file in judges.items():
        name, kind = str(name), one_of("kind", kinds.get(name, KINDS[0]), KINDS)
        if not name.strip() or name == REFERENCE or name in study.judges:
            raise ValueError(f"a judge cannot be called {name!r}. Give each judge a name of its own.")
        options = study.options | {"judges": (study.options.get("judges") or {}) | {name: kind}}
        rule = gains.get(name)
        own = {"rel_level": levels.get(name), "gains": gains_by_grade(rule) if isinstance(rule, Mapping) else rule}
        read_with = study.options | {option: value for option, value in own.items() if value is not None}
        for option, value in (("judge_levels", own["rel_level"]), ("judge_gains", own["gains"])):
            if value is not None:
                options |= {option: (options.get(option) or {}) | {name: value}}
        study = replace(with_beside(study, "judge", file, read_with, name), options=options)
        study = _on_own_scale(study, name)
    if study.other is None:  # questions about second judgments are about the first judge
        waits = without_level(study)
        first = next((judged for name, judged in study.given_judges.items() if name not in waits), None)
        study = study if first is None else as_second(study, first)
    return study


def scale_of(study: SomeStudy, name: str) -> str:
    """On which scale a judge grades: "" = the study's, "relevant or not" beside more grades, or its lowest and highest
    grade on another one. METHODS 13.6."""
    if name == REFERENCE:
        return ""
    ours, theirs = study.whole_judgments.scale.read, study.judges[name].scale.read
    if not ours or not theirs:
        return ""
    fractions = not all(isinstance(grade, int) for grade in theirs) and all(isinstance(grade, int) for grade in ours)
    from_one = len(theirs) > 1 and theirs[0] >= 1 > ours[0]
    if fractions or from_one or theirs[-1] > max(ours[-1], 1):
        return f"{theirs[0]:g} to {theirs[-1]:g}"
    return "relevant or not" if set(theirs) <= {0, 1} and ours[-1] > 1 else ""


def without_level(study: StudyData) -> list[str]:
    """The judges on another scale of whose grades nobody said from which one on a document is relevant. Names."""
    chosen, second = study.options.get("judge_levels") or {}, study.options.get("other_rel_level")
    waits = (name not in chosen if name in study.given_judges else second is None for name in study.judges)
    return [name for name, waiting in zip(study.judges, waits, strict=True)
            if waiting and scale_of(study, name) not in ("", "relevant or not")]  # fmt: skip


def people_grade(study: StudyData) -> tuple[float, ...]:
    """The grades of the study's own judgments, ascending, without those below 0, which stand for spam and the like."""
    grades = study.whole_judgments.scale.read
    return tuple(grade for grade in grades if grade >= 0) or grades


def second_waits(study: StudyData) -> list[str]:
    """What to do about second judgments on another scale, as a caveat. A list"""
    return [choose_level(study, name) for name in without_level(study) if name not in study.given_judges]


def refuse_level(study: StudyData, metric: str | Metric, names: Sequence[str]) -> None:
    """Raises ValueError if a metric has a relevance level of its own and one of these judges another scale."""
    metric = metric_named(metric)
    if metric.rel is not None:
        for name in names:
            if scale_of(study, name):
                raise ValueError(
                    f"{metric.name} names a grade of the study's judgments, but {name} grades documents "
                    f"{span(study.judges[name].scale.read)}. Choose the metric without rel: it uses each judge's own "
                    "lowest relevant grade."
                )


def span(grades: Sequence[float]) -> str:
    """From where to where grades go, in words."""
    return f"from {grades[0]:g} to {grades[-1]:g}" if len(grades) > 1 else f"only with {grades[0]:g}"


def choose_level(study: StudyData, name: str) -> str:
    """What to do about a judge on another scale, in two sentences."""
    theirs, ours = study.judges[name].scale.read, people_grade(study)
    where = f"on Judges, with rel_levels={{{name!r}: …}}, or --judge {name}=FILE:GRADE"
    if name not in study.given_judges:
        where = "on Judges, or with other_rel_level"
    grades = f"{name} grades documents {span(theirs)}, people {span(ours)}"
    return f"{grades}. Choose the lowest relevant grade of {name}: {where}."


def as_second(study: SomeStudy, judged: Judgments) -> SomeStudy:
    """The study with the judgments of a judge as the second ones, at the judge's own lowest relevant grade."""
    own = judged.scale.rel_level
    level = None if own == study.options["rel_level"] else own
    return replace(study, other=judged, options=study.options | {"other_rel_level": level})


def _on_own_scale(study: SomeStudy, name: str) -> SomeStudy:
    """The study with this judge's grades read as they are meant: from its own lowest grade on where that is not
    relevant, and where all whole grades lie below the lowest relevant one, the highest as relevant."""
    judged = study.given_judges[name]
    scale = judged.scale
    chosen = (study.options.get("judge_levels") or {}).get(name)
    if scale_of(study, name) not in ("", "relevant or not") and chosen is None:
        waits = loading.Finding("warning", OTHER_SCALE, "", "", 1, f"{choose_level(study, name)} Until then it waits.")
        study = replace(study, findings=(*study.findings, waits))
    elif chosen is not None:
        ours = study.whole_judgments.scale
        given = isinstance(ours.gains, dict) or name in (study.options.get("judge_gains") or {})
        scale = replace(scale, gains=scale.gains if given else ours.gains)
        if scale_of(study, name) not in ("", "relevant or not"):
            if len(scale.read) > 1 and 1 <= scale.read[0] < chosen:  # its lowest grade is not relevant
                scale = replace(scale, zero=scale.read[0])
            scale = replace(scale, unit=scale.height / ours.height)  # as many steps as people's grades
    elif scale.grades and isinstance(max(scale.grades), int) and 0 < max(scale.grades) < scale.rel_level:
        scale = replace(scale, rel_level=max(scale.grades))
        text = f"All grades of {name} are below {study.options['rel_level']}, so its highest, {scale.rel_level}, counts"
        note = loading.Finding("note", LOWER_SCALE, "", "", 1, f"{text} as relevant.")
        study = replace(study, findings=(*study.findings, note))
    return replace(study, given_judges=study.given_judges | {name: replace(judged, scale=scale)})


def unknown_topics(judged: Judged, source: Source, topics: Sequence[str]) -> tuple[Finding, ...]:
    """A warning on topics of additional judgments that are not among these. A tuple, () for none"""
    gone = [topic for topic in judged.topics if topic not in set(topics)]
    if not gone:
        return ()
    message = f"{source.name} judges topic {gone[0]}, which is in neither the runs nor the qrels."
    if len(gone) > 1:
        message = f"{source.name} judges {len(gone)} topics that are in neither the runs nor the qrels ({gone[0]}, …)."
    return (loading.Finding("warning", UNKNOWN[source.role], "", gone[0], len(gone), message),)


def with_columns(options: dict[str, Any], qrels: File, columns: dict[str, Any] | None) -> dict[str, Any]:
    """The options of a study with the columns of one more file (a path or an `Upload`); unchanged for None."""
    if columns is None:
        return options
    name = qrels.name if isinstance(qrels, loading.Upload) else os.path.basename(os.fspath(qrels))
    return options | {"columns": column_files.read_option((options["columns"] or {}) | {name: columns})}


def as_beside(options: dict[str, Any]) -> dict[str, Any]:
    """The options with which a second qrels is read."""
    level = options.get("other_rel_level")
    return options if level is None else options | {"rel_level": level}


def judged_by(study: SomeStudy, judgments: Judgments, mark: str, by: str | bool = True) -> SomeStudy:
    """The study with these judgments of the whole track in place of its own. mark, by : what its scope then says"""
    looked_at = judgments.only(np.isin(judgments.topic_of_item, study.track.topic_of_query))
    return replace(
        study,
        judgments=looked_at,
        whole_judgments=judgments,
        leads=pool_inference.leads_of(study.track, looked_at),
        scope=study.scope | {mark: by},
    )


class Lacking(ValueError):
    """Complete judgments that lack `count` of the study's own and contradict none: the missing ones can be added."""

    def __init__(self, message: str, count: int) -> None:
        super().__init__(message)
        self.count = count


def with_own_added(study: SomeStudy) -> SomeStudy:
    """The study with its own judgments added to the complete ones that lack them, and a note. Grades must agree."""
    ours, truth = study.whole_judgments, study.truth
    assert truth is not None
    items = ours.pooled_items[truth.level[ours.pooled_items] == 0]
    grades = ours.grade[items]
    scale = truth.scale
    for grade in np.setdiff1d(grades, scale.grades):
        scale = scale.knowing(int(grade))
    level = np.searchsorted(scale.grades, truth.grade).astype(truth.level.dtype) + 1
    level[truth.level == 0] = 0
    level[items] = np.searchsorted(scale.grades, grades) + 1
    stratum = truth.stratum.copy()
    stratum[items] = 1
    names = {source.role: source.name for source in study.sources}
    own, were = names.get("qrels", "the qrels"), verb(len(items), "was", "were")
    message = f"{digits(len(items), 'judgment')} of {own} {were} added to {names['truth']}, which lacks them."
    note = loading.Finding("note", ADDED, "", "", len(items), message)
    added = replace(truth, level=level, stratum=stratum, scale=scale)
    return replace(study, truth=added, findings=(*study.findings, note)) if len(items) else study


def refuse_contradictions(study: StudyData) -> None:
    """ValueError unless the complete judgments contain every document of the study's qrels with the same grade.

    Nor may they have a higher grade than the qrels, which would change gains and bounds.
    """
    ours, truth, track = study.whole_judgments, study.truth, study.whole
    assert truth is not None
    names = {source.role: source.name for source in study.sources}
    file, own = names["truth"], names.get("qrels", "the qrels")
    items = ours.pooled_items
    same = (truth.grade[items] == ours.grade[items]) | ~ours.scale.judged[ours.level[items]]
    wrong = items[(truth.level[items] == 0) | ~same]
    if len(wrong):
        topic, document = track.topics[track.topic_of_item[wrong[0]]], track.documents(wrong[:1])[0]
        fault = "lack" if truth.level[wrong[0]] == 0 else "have another grade for"
        lacking = items[truth.level[items] == 0]
        if len(lacking) == len(wrong):
            count = digits(len(lacking), "judgment")
            raise Lacking(
                f"the complete judgments {file} lack {count} of {own}, such as document {document} of topic {topic}; "
                "all other grades agree. Add these judgments (add_to_truth=True, or the button on the Data page).",
                len(lacking),
            )
        more = f", as for {digits(len(wrong) - 1, 'more document')}" if len(wrong) > 1 else ""
        raise ValueError(
            f"the complete judgments {file} {fault} document {document} of topic {topic}, judged in {own}{more}. "
            f"Complete judgments must contain all judgments of {own}, with the same grades. Load judgments by somebody "
            "else as second judgments instead."
        )
    if truth.scale.g_max > ours.scale.g_max and not isinstance(study.options["gains"], dict):
        raise ValueError(
            f"the complete judgments {file} have grade {truth.scale.g_max}, but the highest grade of {own} is "
            f"{ours.scale.g_max}. Gains depend on the highest grade, so no interval would be valid. Set the gain of "
            "each grade, or remove these documents."
        )


def judgments_as_read(
    grade: NDArray[Any], listed: NDArray[np.bool_], track: Track, options: dict[str, Any],
    stratum: NDArray[np.int8] | None = None,
) -> Judgments:  # fmt: skip
    """The judgments of a qrels file, read with the options of `open_study`. Without gains, fractions are gains."""
    whole = np.issubdtype(grade.dtype, np.integer)
    gains = ("binary" if whole else "linear") if options["gains"] is None else options["gains"]
    return judgments_from(
        grade, listed, stratum=stratum, topic_of_item=track.topic_of_item, topics=len(track.topics),
        rel_level=options["rel_level"], gains=gains, negative=options["negative"],
    )  # fmt: skip
