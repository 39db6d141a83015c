"""Judgments beside a study's own: a second qrels, and the truth, which holds its own and all that pooling missed."""

import os
from dataclasses import replace

import numpy as np

from evalcore import contributors, pool
from evalcore.joining import of_rankings
from evalcore.judgments import judgments_from
from evalcore.reading import loading, tabular
from evalcore.reading.items import with_room
from evalcore.sentences import digits, verb

UNKNOWN_TOPICS = "topics of the second qrels"  # the checks of what stands beside the study's own qrels
UNKNOWN = {"other": UNKNOWN_TOPICS, "truth": "topics of the truth"}  # by role
ADDED = "judgments added"  # the check of those that were added to the truth


def with_beside(study, role, qrels, options):
    """The study with one more file of judgments, which is its `role`."""
    judged, source, findings = loading.load_judgments(qrels, options["names"], options["columns"], role)
    items, moved = with_room(study.whole, judged)
    findings += unknown_topics(judged, source, study.whole.topics)

    def track(old):
        return replace(old, items=moved[old.items], topic_of_item=items.topic, doc_of_item=items.documents)

    def judgments(old):
        level, stratum = np.zeros(len(items.topic), old.level.dtype), np.zeros(len(items.topic), np.int8)
        level[moved], stratum[moved] = old.level, old.stratum
        return replace(old, level=level, stratum=stratum, topic_of_item=items.topic)

    whole = track(study.whole)
    try:
        read = judgments_as_read(items.grade, items.listed, whole, options)
    except ValueError as refused:
        raise ValueError(f"in {source.name}: {refused}") from None
    stay = {one: judgments(old) for one in ("other", "truth") if (old := getattr(study, one)) is not None}
    return replace(
        study,
        track=track(study.track),
        judgments=judgments(study.judgments),
        whole=whole,
        whole_judgments=judgments(study.whole_judgments),
        **stay | {role: read},
        sources=(*(one for one in study.sources if one.role != role), source),
        findings=(*(one for one in study.findings if one.check != UNKNOWN[role]), *findings),
    )


def unknown_topics(judged, source, topics):
    """A finding on the topics of a file beside the study's qrels that are none of these. A tuple."""
    gone = [topic for topic in judged.topics if topic not in set(topics)]
    if not gone:
        return ()
    said = "a topic" if len(gone) == 1 else f"{len(gone)} topics"
    message = f"{source.name} judges {said} that neither the runs nor the qrels have ({gone[0]})."
    return (loading.Finding("warning", UNKNOWN[source.role], "", gone[0], len(gone), message),)


def with_columns(options, qrels, columns):
    """The options of a study, which say of one file more (a path or an `Upload`) what its columns are; None = they
    stay."""
    if columns is None:
        return options
    name = qrels.name if isinstance(qrels, loading.Upload) else os.path.basename(os.fspath(qrels))
    return options | {"columns": tabular.read_option((options["columns"] or {}) | {name: columns})}


def as_beside(options):
    """The options by which a second qrels is read."""
    level = options.get("other_rel_level")
    return options if level is None else options | {"rel_level": level}


def judged_by(study, judgments, said):
    """The study with these judgments of the whole in the place of its own."""
    looked_at = judgments.only(np.isin(judgments.topic_of_item, study.track.topic_of_query))
    return replace(
        study,
        judgments=looked_at,
        whole_judgments=judgments,
        leads=contributors.leads_from(_first_unjudged(study, looked_at), study.track, looked_at),
        scope=study.scope | {said: True},
    )


@of_rankings
def _first_unjudged(study, judgments):
    return pool.first_unjudged(study.track, judgments)


class Lacking(ValueError):
    """Complete judgments that lack some of the study's own and contradict none: these may be added. count : of them"""

    def __init__(self, message, count):
        super().__init__(message)
        self.count = count


def with_own_added(study):
    """The study whose complete judgments have those of its own that they lack, with a note. The same grades only."""
    ours, truth = study.whole_judgments, study.truth
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


def refuse_contradictions(study):
    """ValueError unless the truth holds every document of the study's qrels, with the same grade where it is judged,
    and no grade above theirs: gains and the ends of intervals would be read another way."""
    ours, truth, track = study.whole_judgments, study.truth, study.whole
    names = {one.role: one.name for one in study.sources}
    file, own = names["truth"], names.get("qrels", "the qrels")
    items = ours.pooled_items
    same = (truth.grade[items] == ours.grade[items]) | ~ours.scale.judged[ours.level[items]]
    wrong = items[(truth.level[items] == 0) | ~same]
    if len(wrong):
        topic, document = track.topics[track.topic_of_item[wrong[0]]], track.documents(wrong[:1])[0]
        what = "says nothing of" if truth.level[wrong[0]] == 0 else "has another grade for"
        lacking = items[truth.level[items] == 0]
        if len(lacking) == len(wrong):
            count = digits(len(lacking), "judgment")
            message = f"the truth {file} lacks {count} of {own}, such as document {document} of topic {topic}"
            remedy = "Add them to it (add_to_truth=True, or the button on the Data page)."
            raise Lacking(f"{message}; the grades that both have agree. {remedy}", len(lacking))
        more = f", and of {len(wrong) - 1:,} more" * (len(wrong) > 1)
        raise ValueError(
            f"the truth {file} {what} document {document} of topic {topic}, which {own} names{more}: a truth holds all "
            "that was judged, with the same grades, and more. Judgments of somebody else are a second qrels."
        )
    if truth.scale.g_max > ours.scale.g_max and not isinstance(study.options["gains"], dict):
        raise ValueError(
            f"the truth {file} has grade {truth.scale.g_max}, and the highest of {own} is {ours.scale.g_max}: what a "
            "grade is worth hangs on the highest one, so that no interval would hold. Say what each grade gains, or "
            "leave such documents out."
        )


def judgments_as_read(grade, listed, track, options):
    """The judgments of a qrels file, read as the options of `open_study` say."""
    return judgments_from(
        grade, listed, topic_of_item=track.topic_of_item, topics=len(track.topics),
        rel_level=options["rel_level"], gains=options["gains"], negative=options["negative"],
    )  # fmt: skip
