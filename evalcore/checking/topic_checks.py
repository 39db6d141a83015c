"""Checks of topics that differ from the others: their qrels lines may be cut off, swapped, reversed or shuffled."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy

from evalcore.checking.check_statistics import FEW, FEWEST, HALF, LIKE, LOST, CheckStatistics, below, far_below
from evalcore.collection import shares
from evalcore.reading import files
from evalcore.reading.error_text import few_of
from evalcore.reading.loading import Finding
from evalcore.vocabulary.sentences import digits, score

LENIENT = 2.5  # the same, by which the odds of a document to be relevant are above those of other topics
CLEARLY = 1.5  # times as many of a topic's judged documents are one other topic's as any third one's
THEIRS = 0.6  # as many, for each one that is found for the topic itself
MOST = 0.9  # share of relevant documents, usually, where a topic with no others is not unlike the rest
BINARY, NEVER = 3, 1e-6  # topics of one positive grade, and the chance of so many, from which some have lost grades
SELDOM = 0.05  # a chance, times the topics, below which no clean track is expected to show a thing
SHIFTED, CERTAINLY = 2.5, 4.0  # standard errors by which grades fit a neighbour better: in a topic, and in all together
SURELY = 3.0  # standard errors below a half, from which a topic is upside down
ORDERED = 0.6  # how often relevant documents must stand above others in most topics, for a topic to be unlike
OFF = "If so, its scores and every mean that includes it are wrong:"


def topics_cut(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics of whose pool a much smaller share is judged than usual."""
    answered = stats.answered[stats.topics]
    usual, misplaced, size = (
        _usual(stats.covered[answered]),
        set(with_judgments_of_others(stats)),
        stats.per_topic(stats.pool),
    )
    for place in far_below(np.where(answered, stats.covered, np.inf), HALF * usual) if usual > HALF else ():
        if place not in misplaced and size[place] >= FEW:
            yield stats.topic(
                "topic cut short",
                place,
                f"only {stats.covered[place]:.0%} of its pool is judged (other topics: {usual:.0%}), with "
                f"{digits(int(stats.count[place]), 'judged document')}. Its judgments may be cut off. {OFF} "
                "check its lines in the qrels, or leave the topic out.",
            )


def topics_of_others(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics whose judgments seem to be another topic's: runs retrieve their documents for that topic, or for none."""
    usual = _usual(stats.unheld[stats.answered[stats.topics]])
    most, _, main_topic = stats.of_others
    for place, theirs in with_judgments_of_others(stats).items():
        topic = stats.topics[place]
        fact = (
            f"runs retrieve {most[topic]:,} of its {stats.count[place]:,.0f} judged documents for topic "
            f"{stats.track.topics[main_topic[topic]]} instead. The two topics may be swapped, or have the same number."
            if theirs
            else f"no run retrieved {stats.unheld[place]:.0%} of its judged documents (other topics: {usual:.0%}). "
            "They may have been judged for another topic."
        )
        do = f"{OFF} check the topic's number in the qrels."
        yield stats.topic("judgments of another topic", place, f"{fact} {do}")


def with_judgments_of_others(stats: CheckStatistics) -> dict[int, Any]:
    """Topics (by position) whose judgments seem to be another topic's, and whether runs find them for one other topic.

    They differ from topics of which runs retrieved little: hardly anything of their pool is judged, or many of their
    judged documents are retrieved for one other topic. Neighbouring questions share some documents; another topic's
    judgments are half as many, at least, as those of the documents found for that topic usually are. The judgments of a
    topic that no run answers are another's only if that one has none.
    """
    answered = stats.answered[stats.topics]
    usual, (most, next_one, main_topic) = _usual(stats.unheld[answered]), stats.of_others
    held = stats.holders_of_item >= stats.enough
    own, of_topic = stats.per_topic(stats.judged & held), stats.found
    expected = _usual(shares.share(own, of_topic[stats.topics])[answered]) * of_topic[main_topic[stats.topics]]
    most, next_one = most[stats.topics], next_one[stats.topics]
    foreign = (most >= FEW) & (most >= CLEARLY * next_one) & (most > THEIRS * own) & (most >= HALF * expected)
    foreign &= answered | ~np.isin(main_topic[stats.topics], stats.topics)
    # turns of one conversation are alike
    turns = stats.conversation[stats.topics] == stats.conversation[main_topic[stats.topics]]
    foreign &= ~turns | (own < LOST * most)
    misplaced = far_below(np.where(answered, 1 - stats.unheld, np.inf), 1 - np.clip(usual + 0.3, 0.3, 0.9))
    met = dict.fromkeys(np.flatnonzero(foreign)[np.argsort(-most[foreign], kind="stable")].tolist(), True)
    for place in misplaced if len(stats.topics) >= FEWEST else ():
        known = answered[place] and stats.count[place] >= FEW
        if place not in met and known and stats.covered[place] < HALF * _usual(stats.covered[answered]):
            met[int(place)] = False
    return met


def _usual(values):
    return np.median(values) if len(values) else 0


def topics_all_relevant(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics of which every judged document is relevant, or many more than in other topics."""
    share = stats.per_topic(stats.relevant) / np.maximum(stats.count, 1)
    usual = np.median(share) if len(share) else 1
    if len(share) < FEWEST:
        return
    yield from _of_one_grade(stats, usual)
    if usual >= MOST:
        return
    for place in np.flatnonzero((share == 1) & (stats.count >= FEW)):
        yield stats.topic(
            "topic all relevant",
            place,
            f"all {stats.count[place]:,.0f} judged documents are relevant (other topics: {usual:.0%}). Documents that "
            f"are not relevant may be left out or marked relevant. {OFF} compare its grades with the assessor's.",
        )
    odds = scipy.special.logit((stats.per_topic(stats.relevant) + HALF) / (stats.count + 1))
    lenient = (_outlying(-odds, LOST) > LENIENT) & (share > HALF) & (share < 1) & (stats.count >= FEW)
    for place in below(-share, np.where(lenient, np.inf, -np.inf)):
        yield stats.topic(
            "topic mostly relevant",
            place,
            f"{share[place]:.0%} of its {stats.count[place]:,.0f} judged documents are relevant (other topics: "
            f"{usual:.0%}). Its assessor may be lenient, or use grades differently: check some of these documents.",
            "note",
        )


def _of_one_grade(stats, usual):
    """Topics whose judged documents all have the same positive grade, where that is very unlikely by chance.

    By chance: if each document had the grade as often as in the topic where it is most common. Topics of which all
    documents are relevant, where that is unusual, are left to `topics_all_relevant`.
    """
    grades, counts, of_grade = _by_grade(stats)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    for place, at in np.argwhere((share == 1) & (grades > 0) & (stats.count[:, None] >= FEW)):
        highest = np.delete(share[:, at], place).max()
        all_relevant = of_grade[at] and usual < MOST
        if not all_relevant and highest ** stats.count[place] * len(stats.topics) < SELDOM:
            yield stats.topic(
                "one grade in a topic",
                place,
                f"all {stats.count[place]:,.0f} judged documents have grade {grades[at]}; in any other topic, at most "
                f"{highest:.0%} do. Its grades seem to be lost, so its scores mean nothing: compare the grades with "
                "the assessor's.",
            )


def _by_grade(stats):
    """The grades, how many judged documents of each topic have each, int (T', grades), and which are relevant."""
    items = np.flatnonzero(stats.judged)
    grades, grade = np.unique(stats.study.judgments.grade[items], return_inverse=True)
    place = np.searchsorted(stats.topics, stats.track.topic_of_item[items])
    counts = np.bincount(place * len(grades) + grade, minlength=len(stats.topics) * len(grades))
    relevant = np.bincount(grade, stats.relevant[items], len(grades)) > 0
    return grades, counts.reshape(len(stats.topics), len(grades)), relevant


def topics_without_grades(stats: CheckStatistics) -> Iterator[files.Finding]:
    """A note where more topics have a single positive grade than chance allows, given the shares in the others."""
    grades, counts, _ = _by_grade(stats)
    counts, grades = counts[:, grades > 0], grades[grades > 0]
    number = counts.sum(axis=1)
    single = (number >= FEWEST) & (counts.max(axis=1, initial=0) == number)
    several = counts[(number >= FEWEST) & ~single] + HALF
    if single.sum() < BINARY or len(several) < BINARY:
        return
    share = several / several.sum(axis=1, keepdims=True)
    chance = np.array([(share**n).sum(axis=1).mean() for n in number[number >= FEWEST]])
    so_many = np.ones(1)  # the chance of each number of such topics
    for p in chance:
        so_many = np.convolve(so_many, [1 - p, p])
    if so_many[single.sum() :].sum() < NEVER:
        places = np.flatnonzero(single)
        grade_of = counts[single].argmax(axis=1)
        grade = f"grade {grades[grade_of[0]]}" if len(set(grade_of)) == 1 else "one grade"
        message = (
            f"In {single.sum()} of {digits(len(stats.topics), 'topic')} ({few_of([stats.names[at] for at in places])}),"
            f" all relevant documents have {grade}; in the others, {share.max(axis=1).mean():.0%} have the most common "
            "one on average. These topics seem to be judged without grades, so gains and nDCG mean something else "
            "there: compare their grades with the assessor's, or use a metric of binary relevance."
        )
        yield Finding("note", "topics without grades", "", "", int(single.sum()), message)


def topics_in_another_order(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics whose relevant documents rank below the others, or anywhere, and on which other systems do well."""
    weight = stats.quality**2
    chance, error = stats.above(weight)
    known = ~np.isnan(chance)
    if known.sum() < FEWEST or np.median(chance[known]) < ORDERED:
        return
    usual, fare = np.median(chance[known]), np.median(stats.faring)
    turned = known & (chance < HALF - np.maximum(SURELY * error, HALF * (usual - HALF)))
    for place in np.flatnonzero(turned):  # what one run or two say is no verdict on a topic
        turned[place] = HALF - chance[place] > SURELY * np.hypot(error[place], stats.error_of_runs(place, weight))
    for place in below(chance, np.where(turned, np.inf, -np.inf)):
        yield stats.topic(
            "topic upside down",
            place,
            "systems rank its relevant documents below those that are not relevant: the relevant document of a pair "
            f"comes first {chance[place]:.0%} of the time (other topics: {usual:.0%}). Its grades may be reversed. "
            f"{OFF} check its lines in the qrels.",
        )
    few = 1 / np.sqrt(max(1, len(stats.track.systems)))
    outlying = np.sqrt(HALF) * (_outlying(chance, error) + _outlying(stats.faring, few))
    far = scipy.stats.norm.isf(SELDOM / known.sum())
    odd = known & ~turned & (outlying > far) & (chance < HALF + 2 * error)
    places = below(-outlying, np.where(odd, np.inf, -np.inf))
    if len(places):
        place, more = places[0], [stats.names[place] for place in places[1:]]
        higher = "hardly higher" if chance[place] > HALF else "no higher"
        fact = (
            f"systems rank its relevant documents {higher} than those that are not relevant (in {chance[place]:.0%} of "
            f"pairs; other topics: {usual:.0%})."
        )
        if stats.faring[place] < HALF * fare:
            fact += (
                " Systems that do well on other topics do not do well here (correlation "
                f"{score(stats.faring[place])}; other topics: {score(fare)})."
            )
        fact += " Either the topic is hard, or its grades are attached to the wrong documents."
        also = f" The same is true for {few_of(more)}." if more else ""
        yield stats.topic("topic shuffled", place, f"{fact}{also} Check its lines in the qrels.", "note")


def _outlying(values, error):
    """Robust z-score of each value below the median, given its standard error; NaN where it is unknown."""
    usual = np.nanmedian(values)
    return (usual - values) / np.hypot(LIKE * np.nanmedian(np.abs(values - usual)), error)


def _by_name(stats):
    """The judged items of each topic by name. A list of int."""
    judged = np.flatnonzero(stats.judged)
    judged = judged[np.lexsort((stats.track.name_order[judged], stats.track.topic_of_item[judged]))]
    ends = np.searchsorted(stats.track.topic_of_item[judged], [stats.topics, stats.topics + 1])
    return [judged[start:end] for start, end in ends.T]


def topics_shifted(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics whose grades fit the next document (by name) better than their own; one error where all topics do."""
    better = np.array([_better_shifted(stats, items, votes) for items, votes in _voted(stats)]).reshape(-1, 2)
    known = better[~np.isnan(better).any(axis=1)]
    if len(known) < FEWEST:
        return
    together = known.sum(axis=0) / np.sqrt(len(known))
    way = ("moved down", "moved up")
    if together.max() > CERTAINLY:
        message = (
            f"In {np.count_nonzero(known[:, together.argmax()] > 0)} of {len(known)} topics, the grades fit the next "
            f"document (by name) better than their own: they seem to be {way[together.argmax()]} by one row. All "
            "scores are wrong: move the column of grades back."
        )
        yield Finding("error", "grades shifted", "", "", len(known), message)
        return
    most = np.where(np.isnan(better), -np.inf, better).max(axis=1)
    for place in below(-most, np.where(most > SHIFTED, np.inf, -np.inf)):
        yield stats.topic(
            "grades shifted",
            place,
            f"its grades fit the next document (by name) better than their own, by {most[place]:.1f} standard errors: "
            f"they seem to be {way[better[place].argmax()]} by one row. If so, its scores are wrong: move its grades "
            "back.",
        )


def _voted(stats):
    """The judged items of each topic by name, and the votes of good systems for them. Pairs of int, float (n,)"""
    votes = stats.votes(stats.quality**2)
    return [(items, votes[items]) for items in _by_name(stats)]


def _better_shifted(stats, items, votes):
    """How much better a topic's grades agree with the votes when moved up, and down, by a row. Two floats.

    In standard errors: the smaller of the gain and the agreement itself. NaN where a topic has few of a kind.
    """
    retrieved = stats.retrieved[items]
    relevant = np.count_nonzero(stats.relevant[items])
    if (
        min(relevant, len(items) - relevant) < FEW
        or np.count_nonzero(retrieved) < 2 * FEW
        or np.ptp(votes[retrieved]) < 1e-12
    ):
        return np.nan, np.nan
    votes, grades = scipy.stats.rankdata(votes[retrieved]), scipy.stats.rankdata(stats.study.judgments.grade[items])
    up, as_is, down = (_agree(votes, np.roll(grades, by)[retrieved]) for by in (-1, 0, 1))
    return tuple(min((other - as_is) / np.sqrt(2), other) for other in (up, down))


def _agree(a, b):
    """The correlation of two rows of values divided by its standard error under independence; 0 if one is constant."""
    a, b = a - a.mean(), b - b.mean()
    norm = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / norm * np.sqrt(len(a))) if norm > 1e-9 else 0.0


def topics_on_another_scale(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Topics with grades far above those of all others, or whose grades are all multiples, unlike those of others."""
    items = np.flatnonzero(stats.judged)
    grade, topic = stats.study.judgments.grade[items], stats.track.topic_of_item[items]
    levels = [np.unique(grade[(topic == number) & (grade > 0)]) for number in stats.topics]
    if len(levels) < FEWEST:
        return
    highest = np.array([of[-1] if len(of) else 0 for of in levels])
    whole = np.issubdtype(grade.dtype, np.integer)  # fractions are multiples of nothing
    every = max(1, np.gcd.reduce(np.concatenate(levels))) if whole and any(map(len, levels)) else 1
    step = np.array([np.gcd.reduce(of) // every if whole and len(of) else 1 for of in levels])
    several = np.array([len(of) > 1 for of in levels]) | (highest > highest[step == 1].max(initial=every))
    other_scale = (step > 1) & several & (stats.per_topic(stats.relevant) >= FEW)
    for place in range(len(highest)):
        other_scale[place] |= highest[place] > 2 * max(1, np.delete(highest, place).max())
    places = np.flatnonzero(other_scale)
    if len(places) and not other_scale.all():
        usual, first = highest[~other_scale].max(), places[highest[places].argmax()]
        names = [stats.names[place] for place in places if place != first]
        fact = f"its grades go up to {highest[first]}, those of other topics up to {usual}."
        if highest[first] <= usual:
            fact = f"all its grades are multiples of {step[first] * every}, unlike those of other topics."
        more = f" {digits(len(names), 'more topic')} may have the same problem ({few_of(names)})." if names else ""
        yield stats.topic(
            "topic on another scale",
            first,
            f"{fact} Its assessor may have used another scale.{more} Gains and nDCG depend on the highest "
            "grade: convert all topics to one scale.",
        )


CHECKS = (
    topics_of_others,
    topics_cut,
    topics_all_relevant,
    topics_without_grades,
    topics_on_another_scale,
    topics_shifted,
    topics_in_another_order,
)
