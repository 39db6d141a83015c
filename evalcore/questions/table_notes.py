"""Notes on a table: why cells are blank, and what was assumed."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from evalcore.collection.track import Track
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.extra_qrels import UNKNOWN_TOPICS
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, first_of

ALL_JUDGMENTS = "if all judgments are used"
FEW_TOPICS = "for pairs with fewer than two common topics"


def gaps(table: pd.DataFrame, **reasons: str) -> list[str]:
    """A note for each column with blank cells, with the reason."""
    return [
        f"The column “{column}” is empty {reason}." for column, reason in reasons.items() if table[column].isna().any()
    ]


def notes_on(study: Study, metric: Metric | str, estimator: str, unjudged: str) -> list[str]:
    """Notes on scores or intervals that are blank, and on intervals that are not bounds."""
    metric = metric_named(metric)
    texts = {
        "condensed": "Unjudged documents are removed from the rankings, so there is no interval: columns lower and "
        "upper are empty.",
        "point": f"{metric.name} has no simple bounds, so columns lower and upper, and those based on them, are empty.",
        "guide": f"{metric.name} has no exact bounds, because each newly found relevant document changes it. Column "
        "upper is only a guide; charts and counts do not use it.",
    }
    kind = "condensed" if unjudged == "condensed" else metric.kind
    ignored = f" The estimator {estimator} has no effect." if kind != "guide" and estimator != "lower" else ""
    notes = [texts[kind] + ignored] if kind in texts else []
    without = [study.systems[s] for s in np.flatnonzero(~study.counted.any(axis=1))]
    if without:
        notes.append(f"{first_of(without)}: no topic counts, so means over topics are empty.")
    return notes


def only_one_judges(study: Study) -> Iterator[str]:
    """Notes on the topics that only one of the two sets of judgments has."""
    ours, theirs = (set(judged.judged_topics) for judged in (study, study.judged_by_other))
    for alone, whose in ((ours - theirs, "the first"), (theirs - ours, "the second")):
        if alone:
            names = first_of([study.track.topics[topic] for topic in sorted(alone)])
            topics = digits(len(alone), "topic is", "topics are")
            yield f"{topics} judged only in {whose} qrels ({names}) and therefore left out."
    yield from (finding.message for finding in study.findings if finding.check == UNKNOWN_TOPICS)


def most_variations(track: Track) -> int:
    """The largest number of queries of a topic; ValueError if none has two."""
    most = int(np.bincount(track.topic_of_query).max(initial=0))
    if most < 2:
        raise ValueError(
            "every topic has only one query, so there are no query variations. Set how queries name their topic "
            '(variations="-" or "run"), or load a queries table.'
        )
    return most


def unjudged_topics(study: Study) -> list[str]:
    """A note on topics with queries but without judgments; [] for none."""
    without = [study.track.topics[topic] for topic in np.setdiff1d(study.track.topic_of_query, study.judged_topics)]
    count = digits(len(without), "topic without judgments is", "topics without judgments are")
    return [f"{count} left out ({first_of(without)})."] if without else []


def untouched_topics(study: Study, depth: int | None) -> list[str]:
    """A note on judged topics whose judgments all stay, because their pool depth is unknown."""
    if depth is not None:
        return []
    unknown = study.pooling.depth_of_topic[study.judged_topics] == 0
    names = [study.track.topics[topic] for topic in study.judged_topics[unknown]]
    count = digits(len(names), "topic", "topics")
    return [f"All judgments are kept on {count} of unknown pool depth ({first_of(names)})."] if names else []
