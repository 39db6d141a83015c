"""Judgments by subtopic: which of a topic's subtopics each document is relevant to."""

from __future__ import annotations

from dataclasses import replace

from evalcore.reading import loading
from evalcore.reading.files import File, refusal
from evalcore.reading.several_judgments import UNION
from evalcore.study.study_data import SomeStudy
from evalcore.study.topic_attributes import of_track


def with_subtopics(study: SomeStudy, qrels: File) -> SomeStudy:
    """The study with judgments by subtopic, in place of earlier ones; its own judgments stay.

    qrels : a path or an `Upload` of a qrels whose second column is the subtopic, as the Web track's for diversity
    Raises `InputError` for a file of one subtopic, or with no topic of the study.
    """
    options = study.options
    judged, source, findings = loading.load_judgments(
        qrels, options["names"], options["columns"], "subtopics", aspect=UNION
    )
    if judged.subtopics is None:
        raise refusal(source.name, " has only one subtopic. Its second column must name the subtopic of each line.")
    frame = of_track(source.name, judged.subtopics, study.whole.topics)
    kept = [source for source in study.sources if source.role != "subtopics"]
    # the study's grades stay
    new = [finding for finding in findings if finding.check != "subtopics" and finding not in study.findings]
    return replace(study, sources=(*kept, source), findings=(*study.findings, *new), subtopics=frame)
