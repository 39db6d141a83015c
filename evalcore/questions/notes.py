"""Notes: sentences on what is missing in a table, or was assumed."""

import numpy as np

from evalcore.beside import UNKNOWN_TOPICS
from evalcore.metrics import metric as metric_named
from evalcore.reading.naming import counted

ALL_JUDGMENTS = "where all judgments are in force"


def gaps(table, **reasons):
    """Why a column has gaps, for those that have."""
    return [f"{column} is missing {reason}." for column, reason in reasons.items() if table[column].isna().any()]


def notes_on(study, metric, estimator, unjudged):
    """Why a score or an interval is missing, or what it is not."""
    metric = metric_named(metric)
    ignored = "" if estimator == "lower" else f", and the estimator {estimator} changes nothing"
    told = {
        "condensed": "The unjudged documents were taken out: there is no interval, lower and upper are missing"
        + ignored,
        "point": f"{metric.name} has no interval, for what unjudged documents do to it has no simple bound: lower, "
        f"upper and what follows from them are missing{ignored}",
        "guide": f"{metric.name} has no interval that holds, for every relevant document found later changes it: the "
        "upper end in the table is a guide, drawn and counted nowhere",
    }
    kind = "condensed" if unjudged == "condensed" else metric.kind
    notes = [f"{told[kind]}."] if kind in told else []
    without = [study.systems[s] for s in np.flatnonzero(~study.counted.any(axis=1))]
    if without:
        notes.append(f"No topic counts for {_some(without)}: what would be a mean over topics is missing.")
    return notes


def only_one_judges(study):
    """Which topics only one of the two sets of judgments has, in words."""
    ours, theirs = (set(one.judged_topics) for one in (study, study.judged_by_other))
    for alone, whose in ((ours - theirs, "the first"), (theirs - ours, "the second")):
        if alone:
            names = ", ".join(study.track.topics[topic] for topic in sorted(alone)[:3])
            topics = counted(len(alone), "topic is", "topics are")
            yield f"{topics} judged by {whose} qrels only ({names}) and left out."
    yield from (finding.message for finding in study.findings if finding.check == UNKNOWN_TOPICS)


def most_variations(track):
    """As many queries as any topic has; ValueError where none has two."""
    most = int(np.bincount(track.topic_of_query).max(initial=0))
    if most < 2:
        raise ValueError(
            "every topic has one query alone, so there are no variations; say how queries name a topic "
            '(variations="-" or "run"), or give a table of queries.'
        )
    return most


def unjudged_topics(study):
    """A note on the topics that have queries and no judgments, if there are any."""
    without = [study.track.topics[topic] for topic in np.setdiff1d(study.track.topic_of_query, study.judged_topics)]
    count = counted(len(without), "topic is", "topics are")
    return [f"Without judgments there is no score: {count} left out ({_some(without)})."] if without else []


def untouched_topics(study, depth):
    """A note on the judged topics from which nothing is taken away, for how deep their pools were is not known."""
    if depth is not None:
        return []
    unknown = study.pooling.depth_of_topic[study.judged_topics] == 0
    names = [study.track.topics[topic] for topic in study.judged_topics[unknown]]
    count = counted(len(names), "topic", "topics")
    return [f"Nothing is taken away on {count} whose pool's depth is not known ({_some(names)})."] if names else []


def _some(names, most=3):
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
