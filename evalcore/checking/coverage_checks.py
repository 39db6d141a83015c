"""Checks of what the numbers depend on: missing topics, unjudged ranks, ties, and assumptions."""

from collections.abc import Collection, Iterator

import numpy as np

from evalcore.checking.check_statistics import FEW
from evalcore.checking.split_variations import lacking
from evalcore.collection import shares, ties
from evalcore.reading import files
from evalcore.reading.loading import Finding
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, first_of, listed, verb

HEAVILY_TIED = 0.5  # share of tied documents from which a system's order is mostly the tie rule's
LONG = 10  # documents of a ranking from which it is odd that all have one score


def missing_topics(study: Study) -> Iterator[files.Finding]:
    """Systems that returned nothing for some judged topics for which others did."""
    answered = set(study.whole.topic_of_query[(study.whole.lengths > 0).any(axis=0)].tolist())
    for system, without in lacking(study):
        topics = [study.track.topics[topic] for topic in without if topic in answered]
        if topics:
            counts = _counts_as(study, len(topics))
            message = f"{system} returned nothing for {_some(topics, 'judged topic')}, {counts}."
            yield Finding("warning", "missing topics", system, topics[0], len(topics), message)


def _counts_as(study, topics):
    """How so many missing topics count, as the end of a sentence."""
    means = "the means over query variations" if _kind(study) == "run" else "its mean"
    if study.options["average"] == "common":
        return f"which {'is' if topics == 1 else 'are'} left out of {means}"
    interval = ", although any score is possible there" if study.options["empty"] == "unknown" else ""
    return f"which {'counts' if topics == 1 else 'count'} as 0 in {means}{interval}"


def topics_without_relevant(study: Study) -> Iterator[files.Finding]:
    """Judged topics without a relevant document."""
    names = [study.track.topics[t] for t in study.judged_topics if study.judgments.relevant[t] == 0]
    level = study.judgments.scale.rel_level
    if names:
        document = "relevant document" if level <= 1 else f"document of grade {level} or more"
        message = (
            f"{_some(names, 'judged topic')} {verb(names, 'has', 'have')} no {document}. With metrics that only count "
            "relevant documents, every system scores 0 there, which lowers all means by the same factor. Check "
            f"whether lines of the qrels were lost; if not, leave {verb(names, 'this topic', 'these topics')} out."
        )
        yield Finding("warning", "no relevant document", "", names[0], len(names), message)


def unjudged(study: Study, explained: Collection[str] = ()) -> Iterator[files.Finding]:
    """An error where nothing is judged, and a warning on systems with less than half of their top 10 judged.

    explained : systems of which is known why
    """
    if not len(study.judged_topics):
        message = "The qrels judge none of the selected topics, so nothing can be scored. Select other topics."
        yield Finding("error", "no judgments", "", "", 0, message)
        return
    scale, count = study.judgments.scale, study.judgments.count
    judged, relevant = (int(count(kind)[study.judged_topics].sum()) for kind in (scale.judged, scale.relevant))
    if judged == relevant >= FEW:
        return  # `qrels_checks.only_positives` reports it
    answered = (study.track.lengths > 0) & np.isin(study.track.topic_of_query, study.judged_topics)
    of_answers = shares.share((study.at().estimate("Judged@10").value * answered).sum(axis=1), answered.sum(axis=1))
    barely = sorted((value, name) for value, name in zip(of_answers, study.systems, strict=True) if value < 0.5)
    barely = [(value, name) for value, name in barely if name not in explained]
    if barely:
        value, name = barely[0]
        message = (
            f"{_some([name for _, name in barely], 'system')} have less than half of their top 10 judged ({name}: "
            f"{value:.0%}). Their scores are mostly unknown: compare intervals, not means."
            if len(barely) > 1
            else f"{name} has less than half of its top 10 judged ({value:.0%}). Its score is mostly unknown: compare "
            "its interval, not its mean."
        )
        yield Finding("warning", "barely judged", name, "", len(barely), message)


def without_an_order(study: Study) -> Iterator[files.Finding]:
    """Systems with rankings in which all documents have the same score."""
    long = study.track.lengths >= LONG
    even = long & ties.even(study.track)
    for s in np.flatnonzero(even.any(axis=1)):
        name, count, of = study.systems[s], even[s].sum(), long[s].sum()
        if 2 * count <= of:
            query = study.track.queries[np.flatnonzero(even[s])[0]]
            message = (
                f"{name}: all documents have the same score in {count} of {of} rankings (such as {query}), but not in "
                "the others. Check whether scores were lost there."
            )
            yield Finding("note", "one score in some rankings", name, "", int(count), message)
            continue
        message = f"{name}: all documents have the same score in {count} of {of} rankings, so "
        if study.options["order"] == "rank":
            message += "the rank column decides their order."
        else:
            message += (
                "document names decide their order. Check the score column. If the rank column is right, open the "
                "files in the order of that column."
            )
        yield Finding("warning", "one score", name, "", int(count), message)


def heavy_ties(study: Study, explained: Collection[str] = ()) -> Iterator[files.Finding]:
    """Systems whose order is decided by the tie rule: completely, or mostly.

    explained : systems of which is known what to do
    """
    altogether = list(without_an_order(study))
    yield from altogether
    without = {finding.system for finding in altogether if finding.severity == "warning"}.union(explained)
    shares = zip(ties.tied_share(study.track), study.systems, strict=True)
    tied = [(value, name) for value, name in shares if value >= HEAVILY_TIED and name not in without]
    if tied:
        tied.sort(reverse=True)
        value, name = tied[0]
        fact = (
            f"In {_some([name for _, name in tied], _kind(study))}, most documents have tied scores ({name}: "
            f"{_part(value)})"
            if len(tied) > 1
            else f"{name}: {_part(value)} of documents have tied scores"
        )
        rounded = _rounded(study, [name for _, name in tied])
        if study.options["order"] == "rank":
            message = f"{fact}, so the rank column decides their order.{rounded}"
        else:
            message = f"{fact}, so document names decide their order. The Scores page shows the effect.{rounded}"
        yield Finding("warning", "ties", name, "", len(tied), message)


def _part(value):
    """A share in percent, in words; 100% only where it is all."""
    return "more than 99%" if 0.99 < value < 1 else f"{value:.0%}"


def _rounded(study, tied):
    """Which of these systems have only whole numbers as scores, and what to do; else ""."""
    scores = dict(zip(study.systems, study.track.scores, strict=True))
    known = {name: np.unique(scores[name][~np.isnan(scores[name])]) for name in tied}
    whole = [name for name, values in known.items() if len(values) > 2 and np.all(values == np.round(values))]
    if not whole:
        return ""
    return f" All scores of {listed(whole)} are whole numbers; if they were rounded, export them with decimals."


def negative_grades(study: Study) -> Iterator[files.Finding]:
    """A note on how negative grades are read."""
    judgments = study.judgments
    negative = judgments.pooled_items[judgments.grade[judgments.pooled_items] < 0]
    if len(negative):
        grades = np.unique(judgments.grade[negative])
        reading = study.options["negative"]
        if reading == "split" and len(grades) > 1 and -1 in grades:
            read = "−1 is read as pooled but not judged, lower grades as judged and not relevant"
        elif reading == "unjudged" or (reading == "split" and -1 in grades):
            read = "negative grades are read as pooled but not judged"
        else:
            read = "negative grades are read as judged and not relevant"
        count = f"{digits(len(negative), 'judgment')} {verb(len(negative), 'has', 'have')}"
        message = f"{count} a negative grade ({', '.join(f'−{-grade}' for grade in grades)}): {read}."
        yield Finding("note", "negative grades", "", "", len(negative), message)


def assumptions(study: Study) -> Iterator[files.Finding]:
    """Notes on the conventions in force."""
    options = study.options
    scale = study.judgments.scale
    order = "score, and by name (descending) if scores are tied" if options["order"] == "score" else "the rank column"
    shared = "the topics that a system and the qrels share"
    beyond = "unknown" if options["empty"] == "unknown" else "not relevant"
    gains = scale.gains if isinstance(scale.gains, str) else "as given"
    topics = f"the {digits(len(study.judged_topics), 'topic')} of the qrels"
    for message in (
        f"The documents of a run are ordered by {order}.",
        f"{_levels(scale)}; gains are {gains}, {_largest(scale)}.",
        f"Ranks past the end of a run count as {beyond}.",
        f"Means are over {topics if options['average'] == 'qrels' else shared}.",
        _depths(study),
    ):
        yield Finding("note", "assumed", "", "", 1, message)


GRADED = 3  # a highest grade from which a track may well count as relevant what is above the lowest


def _levels(scale):
    """The lowest relevant grade, in words."""
    text = f"Grades of {scale.rel_level} or more count as relevant"
    if scale.g_max < GRADED or scale.rel_level > 1:
        return text
    return f"{text} (TREC's Deep Learning track counts grades of 2 or more)"


def _largest(scale):
    """The highest grade, and the one used instead where no grade gains anything."""
    largest = max(scale.grades, default=0)
    return f"the highest grade is {largest}" + (f", but {scale.g_max} is used" if largest < scale.g_max else "")


def _depths(study):
    """The depth of the pool, and the topics where it differs."""
    if not study.pooling.depth_known:
        return f"The pool depth is unknown; {study.depth} is used where a depth is needed."
    depth_of_topic = study.pooling.depth_of_topic[study.judged_topics]
    unlike = np.flatnonzero(depth_of_topic != study.depth)
    if not len(unlike):
        return f"The pool depth is {study.depth}."
    named = [
        f"{study.track.topics[study.judged_topics[place]]}: {depth_of_topic[place] or 'unknown'}" for place in unlike
    ]
    usual = f"{len(depth_of_topic) - len(unlike)} of {len(depth_of_topic)} topics"
    return f"The pool depth is {study.depth} for {usual}, but different for {_some(named, 'topic')}."


def _kind(study):
    """What is checked file by file: a system, or the run of one of its query variations."""
    return "run" if study.options["variations"] == "run" else "system"


def _some(names, kind):
    """`3 systems (a, b, c)`: how many, and up to three of them."""
    return f"{digits(len(names), kind)} ({first_of(names)})"


CHECKS = missing_topics, topics_without_relevant, negative_grades, assumptions
