"""Topics that their assessor seems to have left half judged, by the order of the judgments in the file."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from evalcore.reading.files import Finding
from evalcore.reading.rankings import Judged

FEWEST = 5  # relevant documents of a topic that show where judging stopped, and topics that show what is usual
STOPPED = 0.4  # share of a topic's judgments before the first relevant one, or after the last, that looks as if it had
NEVER = 0.04  # ends of all topics that chance may leave
EXCEPTION, TENTH = 2, 0.1  # topics, and their share, that may be unlike the others


def half_judged_findings(judged: Judged) -> Iterator[Finding]:
    """Warnings on topics of which the first or the last judgments are all not relevant, as in hardly any other topic.

    In many files the order is that of names, in which relevant documents are close to each other: by source, by date.
    Sources without a relevant document do not count, and how close these are in the other topics says what such an end
    means. judged : `rankings.Judged`
    """
    ends, gaps, topics = _ends(judged.starts, judged.grades)
    if len(topics) < FEWEST:
        return
    never = math.log(ends.size / NEVER)
    if not np.any((gaps > STOPPED) & (ends > never)):
        return
    ends = _ends_within_sources(judged, topics)
    suspect = (gaps > STOPPED) & (ends > never)
    rest = ends[~suspect.any(axis=1)]
    if suspect.any(axis=1).sum() > max(EXCEPTION, TENTH * len(topics)) or not rest.size:
        return
    usual = max(1, rest.mean(), rest.max() / math.log(ends.size))
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


def _ends_within_sources(judged, topics):
    """The same chance without the sources of which a topic has no relevant document. float (T', 2).

    A source is how names begin, up to the first digit; those with few judgments are one. Where no other topic lacks a
    source as surely, by half, this says nothing of sources.
    """
    names = pc.replace_substring_regex(judged.documents, pattern="[0-9].*", replacement="")
    source = names.dictionary_encode().indices.to_numpy()
    source = np.where(np.bincount(source)[source] < TENTH * len(source), 0, source + 1)
    topic = np.repeat(np.arange(len(judged.starts) - 1), np.diff(judged.starts))
    size, relevant = np.zeros((2, len(judged.topics), source.max() + 1), int)
    np.add.at(size, (topic, source), 1)
    np.add.at(relevant, (topic, source), judged.grades > 0)
    lacks = np.zeros(size.shape)
    for place, at in np.argwhere((relevant == 0) & (size > 0) & (relevant.sum(axis=1, keepdims=True) > 0)):
        lacks[place, at] = _chance(int(size[place].sum()), int(relevant[place].sum()), int(size[place, at]))
    surest = lacks.max(axis=1)
    surest_of_others = np.array([np.delete(surest, place).max() for place in range(len(surest))])
    kept = ~((lacks > 0) & (lacks <= 2 * surest_of_others[:, None]))[topic, source]
    ends, _, known = _ends(np.append(0, kept.cumsum())[judged.starts], judged.grades[kept])
    chance = dict.fromkeys(topics, np.zeros(2)) | dict(zip(known, ends, strict=True))
    return np.array([chance[topic] for topic in topics])


def _ends(starts, grades):
    """How unlikely the beginning and the end of each topic without relevant documents are by chance.

    -> -log of the probability in a random order, float (T', 2); their share of the topic, likewise; which topics
    """
    chance, share, topics = [], [], []
    for topic, (start, end) in enumerate(pairwise(starts.tolist())):
        relevant = np.flatnonzero(grades[start:end] > 0)
        n, R = end - start, len(relevant)
        if FEWEST <= R < n:
            empty = np.array([relevant[0], n - 1 - relevant[-1]])
            chance.append([_chance(n, R, gap) for gap in empty.tolist()])
            share.append(empty / n)
            topics.append(topic)
    return np.array(chance), np.array(share), topics


def _chance(n, R, gap):
    """-log of the probability that none of R of n documents is among `gap` of them."""
    return _log_choose(n, R) - _log_choose(n - gap, R)


def _log_choose(n, k):
    """The logarithm of a binomial coefficient; SciPy would take longer to load than a track."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
