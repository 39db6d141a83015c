"""Topics that their assessor seems to have left half judged, by the order of the judgments in the file."""

import math
from itertools import pairwise

import numpy as np

from evalcore.reading.files import Finding

FEWEST = 5  # relevant documents of a topic that show where judging stopped, and topics that show what is usual
STOPPED = 0.4  # share of a topic's judgments before the first relevant one, or after the last, that looks as if it had
NEVER = 0.04  # ends of all topics that chance may leave
EXCEPTION, TENTH = 2, 0.1  # topics, and their share, that may be unlike the others


def half_judged_findings(judged):
    """Warnings on topics of which the first or the last judgments are all not relevant, as in hardly any other topic.

    In many files the order is that of names, in which relevant documents are close to each other: by date, by source.
    How close they are in the other topics says what such an end means. judged : `rankings.Judged`
    """
    ends, gaps, topics = _ends(judged)
    if len(topics) < FEWEST:
        return
    never = math.log(ends.size / NEVER)
    suspect = (gaps > STOPPED) & (ends > never)
    others = ends[~suspect.any(axis=1)]
    if suspect.any(axis=1).sum() > max(EXCEPTION, TENTH * len(topics)) or not others.size:
        return
    usual = max(1, others.mean(), others.max() / math.log(ends.size))
    for place, at_end in np.argwhere(suspect & (ends > usual * never)).tolist():
        start, end = judged.starts[topics[place] : topics[place] + 2].tolist()
        relevant = start + np.flatnonzero(judged.grades[start:end] > 0)
        lines = range(int(relevant[-1]) + 1, end) if at_end else range(start, int(relevant[0]))
        names = [judged.documents[line].as_py().decode("utf-8", "backslashreplace") for line in (lines[0], lines[-1])]
        name = judged.topics[topics[place]]
        message = (
            f"Topic {name}: its {'last' if at_end else 'first'} {len(lines):,} judgments in the file ({names[0]} to "
            f"{names[1]}) are all not relevant, although {len(relevant):,} of the {end - start - len(lines):,} others "
            "are relevant. Hardly any other topic is like this. The assessor may not have judged these documents, "
            "which count as not relevant: compare the grades with the assessor's."
        )
        yield Finding("warning", "topic half judged", "", name, 1, message)


def _ends(judged):
    """How unlikely the beginning and the end of each topic without relevant documents are by chance.

    -> -log of the probability in a random order, float (T', 2); their share of the topic, likewise; which topics
    """
    chance, share, topics = [], [], []
    for topic, (start, end) in enumerate(pairwise(judged.starts.tolist())):
        relevant = np.flatnonzero(judged.grades[start:end] > 0)
        n, R = end - start, len(relevant)
        if FEWEST <= R < n:
            empty = np.array([relevant[0], n - 1 - relevant[-1]])
            chance.append([_log_choose(n, R) - _log_choose(n - gap, R) for gap in empty.tolist()])
            share.append(empty / n)
            topics.append(topic)
    return np.array(chance), np.array(share), topics


def _log_choose(n, k):
    """The logarithm of a binomial coefficient; SciPy would take longer to load than a track."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
