"""What the numbers rest on: topics that are missing, ranks that nobody judged, ties, and what was assumed."""

import numpy as np

from evalcore import ties
from evalcore.checking.by_file import lacking
from evalcore.checking.seen import FEW
from evalcore.reading.loading import Finding
from evalcore.sentences import digits, verb

HEAVILY_TIED = 0.5  # share of tied documents from which a system's order is mostly the tie rule's
LONG = 10  # documents of a ranking from which it is odd that all have one score


def missing_topics(study):
    """Systems that have nothing for some judged topics."""
    for system, without in lacking(study):
        if without:
            topics = [study.track.topics[topic] for topic in without]
            means = "its mean"
            if _kind(study) == "run":
                means = "the mean of the topic's queries" if len(topics) == 1 else "the means of these topics' queries"
            counts = _counts_as(study, len(topics), means)
            message = f"{system} has no documents for {_some(topics, 'judged topic')}; {counts}."
            yield Finding("warning", "missing topics", system, topics[0], len(topics), message)


def _counts_as(study, topics, means):
    """What comes of topics that are missing, in words. means : those in which they count"""
    one = topics == 1
    if study.options["average"] == "common":
        return f"{'it is' if one else 'they are'} left out of {means}"
    interval = ", with an interval from 0 to the top" if study.options["empty"] == "unknown" else ""
    return f"{'it counts' if one else 'they count'} as 0 in {means}{interval}"


def topics_without_relevant(study):
    """Judged topics in which no document is relevant."""
    names = [study.track.topics[t] for t in study.judged_topics if study.judgments.relevant[t] == 0]
    level = study.judgments.scale.rel_level
    if names:
        message = (
            f"{_some(names, 'judged topic')} without a {'relevant document' if level <= 1 else 'document'}"
            f"{'' if level <= 1 else f' of grade {level} or more'}: where relevance counts, every system "
            "scores 0 there, which lowers all means alike. Were relevant lines lost? If not, leave "
            f"{'it' if len(names) == 1 else 'them'} out."
        )
        yield Finding("warning", "no relevant document", "", names[0], len(names), message)


def unjudged(study):
    """How much of the first 100 ranks nobody judged, and the systems of which hardly anything is."""
    if not len(study.judged_topics):
        message = "The qrels judge no topic that is looked at: nothing is scored."
        yield Finding("error", "no judgments", "", "", 0, message)
        return
    scale, count = study.judgments.scale, study.judgments.count
    judged, relevant = (int(count(kind)[study.judged_topics].sum()) for kind in (scale.judged, scale.relevant))
    if judged == relevant >= FEW:
        return  # that all are positive is told, and what comes of it
    share = study.means(study.at().estimate("Judged@10")).value
    barely = sorted((value, name) for value, name in zip(share, study.systems, strict=True) if value < 0.5)
    if barely:
        value, name = barely[0]
        message = (
            f"{_some([name for _, name in barely], 'system')} with under half of the first 10 ranks judged, least of "
            f"all {name} ({value:.0%}): what they score is mostly not known. Compare their intervals, not their means."
            if len(barely) > 1
            else f"{name} has under half of its first 10 ranks judged ({value:.0%}): what it scores is mostly not "
            "known. Compare its interval, not its mean."
        )
        yield Finding("warning", "barely judged", name, "", len(barely), message)


def without_an_order(study):
    """Systems most of whose rankings give all documents one score."""
    long = study.track.lengths >= LONG
    even = long & ties.even(study.track)
    for s in np.flatnonzero(even.any(axis=1)):
        name, count, of = study.systems[s], even[s].sum(), long[s].sum()
        if 2 * count <= of:
            query = study.track.queries[np.flatnonzero(even[s])[0]]
            message = (
                f"{name}: all documents have the same score in {count} of {of} rankings (such as that of {query}), in "
                "the others not. Were scores lost there?"
            )
            yield Finding("note", "one score in some rankings", name, "", int(count), message)
            continue
        message = f"{name}: all documents have the same score in {count} of {of} rankings, "
        if study.options["order"] == "rank":
            message += "and the rank column gives the order."
        else:
            message += (
                "so their order is that of document names. Is its score another column? If its ranks say the order, "
                "open the files by rank."
            )
        yield Finding("warning", "one score", name, "", int(count), message)


def heavy_ties(study):
    """Systems whose order is the tie rule's: altogether, and mostly."""
    altogether = list(without_an_order(study))
    yield from altogether
    without = {finding.system for finding in altogether if finding.severity == "warning"}
    shares = zip(ties.tied_share(study), study.systems, strict=True)
    tied = [(value, name) for value, name in shares if value >= HEAVILY_TIED and name not in without]
    if tied:
        tied.sort(reverse=True)
        value, name = tied[0]
        most = (
            f"{_some([name for _, name in tied], _kind(study))} whose documents mostly share a score with another, "
            f"most of all {name} ({_part(value)}): their"
            if len(tied) > 1
            else f"{_part(value)} of the documents of {name} share a score with another: their"
        )
        rounded = _rounded(study, [name for _, name in tied])
        if study.options["order"] == "rank":
            message = f"{most} order is that of the rank column.{rounded}"
        else:
            message = (
                f"{most} order is that of document names. Scores may move; how far is told on the Scores page under "
                f"tied scores.{rounded}"
            )
        yield Finding("warning", "ties", name, "", len(tied), message)


def _part(value):
    """A share in percent; 100% only of all."""
    return f"{value:.1%}" if value == 1 else f"{min(value, 0.999):.1%}"


def _rounded(study, tied):
    """Which of these systems have whole numbers as scores, several of them, and what to do."""
    scores = dict(zip(study.systems, study.track.scores, strict=True))
    known = {name: np.unique(scores[name][~np.isnan(scores[name])]) for name in tied}
    whole = [name for name, values in known.items() if len(values) > 2 and np.all(values == np.round(values))]
    if not whole:
        return ""
    return f" The scores of {', '.join(whole[:3])} are whole numbers: were they rounded? Then write them out in full."


def negative_grades(study):
    """Negative grades and what was made of them."""
    judgments = study.judgments
    negative = judgments.pooled_items[judgments.grade[judgments.pooled_items] < 0]
    if len(negative):
        read = {
            "split": "-1 is read as pooled but not judged, lower ones as judged, not relevant",
            "unjudged": "all are read as pooled but not judged",
            "judged": "all are read as judged, not relevant",
        }[study.options["negative"]]
        grades = ", ".join(str(grade) for grade in np.unique(judgments.grade[negative]))
        some = f"{digits(len(negative), 'judgment')} {verb(len(negative), 'has', 'have')}"
        message = f"{some} a negative grade ({grades}): {read}."
        yield Finding("note", "negative grades", "", "", len(negative), message)


def assumptions(study):
    """The conventions in force, in words."""
    options = study.options
    scale = study.judgments.scale
    order = "score, ties by document name descending" if options["order"] == "score" else "the file's rank column"
    shared = "the topics that a system and the qrels have in common"
    beyond = "are not known" if options["empty"] == "unknown" else "hold nothing relevant"
    gains = scale.gains if isinstance(scale.gains, str) else "as given"
    topics = f"the {digits(len(study.judged_topics), 'topic')} of the qrels"
    for message in (
        f"Runs are ordered by {order}.",
        f"{_levels(scale)}; gains are {gains}, {_largest(scale)}.",
        f"Ranks past the end of a list {beyond}.",
        f"Means are over {topics if options['average'] == 'qrels' else shared}.",
        _depths(study),
    ):
        yield Finding("note", "assumed", "", "", 1, message)


GRADED = 3  # a highest grade from which a track may well count as relevant what is above the lowest


def _levels(scale):
    """From which grade on a document is relevant."""
    said = f"Grades from {scale.rel_level} count as relevant"
    if scale.g_max < GRADED or scale.rel_level > 1:
        return said
    return f"{said}, of grades up to {scale.g_max} (TREC's Deep Learning track counts from 2)"


def _largest(scale):
    """The largest grade, and what it is taken as where no grade gains anything."""
    largest = max(scale.grades, default=0)
    return f"the largest grade is {largest}" + (f", taken as {scale.g_max}" if largest < scale.g_max else "")


def _depths(study):
    """How deep the pool is taken to be, and which topics differ."""
    if not study.pooling.depth_known:
        return f"How deep the pool was is not known; where a depth is needed, {study.depth} is taken."
    depth_of_topic = study.pooling.depth_of_topic[study.judged_topics]
    unlike = np.flatnonzero(depth_of_topic != study.depth)
    said = f"The pool is taken as {study.depth} deep"
    if not len(unlike):
        return f"{said}."
    named = [
        f"{study.track.topics[study.judged_topics[place]]}: {depth_of_topic[place] or 'not known'}" for place in unlike
    ]
    return f"{said} in {len(depth_of_topic) - len(unlike)} of {len(depth_of_topic)} topics; {_some(named, 'other')}."


def _kind(study):
    """What is checked file by file: a system, or the run of one of its query variations."""
    return "run" if study.options["variations"] == "run" else "system"


def _some(names, what):
    """`3 systems (a, b, c)`: how many, and up to three of them."""
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'} ({shown})"


OF_FILES = (heavy_ties,)
CHECKS = missing_topics, unjudged, topics_without_relevant, negative_grades, assumptions
