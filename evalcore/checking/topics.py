"""Topics unlike the others: as if the qrels had been cut, exchanged, turned over or shuffled there."""

import re

import numpy as np
import scipy

from evalcore.checking.seen import FEW, FEWEST, HALF, LIKE, LOST, below, far_below
from evalcore.reading.loading import Finding
from evalcore.reading.wording import some
from evalcore.sentences import digits

LENIENT = 2.5  # the same, by which the odds of a document to be relevant are above those of other topics
CLEARLY = 1.5  # times as many of a topic's judged documents are one other topic's as any third one's
THEIRS = 0.6  # as many, for each one that is found for the topic itself
MOST = 0.9  # share of relevant documents, usually, where a topic with no others is not unlike the rest
STOPPED = 0.4  # share of a topic's judged documents after the last relevant one, that looks as if judging had stopped
NEVER = 0.01  # the same of ends of topics: names of relevant documents are close to each other
SELDOM = 0.05  # a chance, times the topics, below which no clean track is expected to show a thing
SHIFTED, CERTAINLY = 2.5, 4.0  # standard errors by which grades fit a neighbour better: in a topic, and in all together
ORDERED = 0.6  # how often relevant documents must stand above others in most topics, for a topic to be unlike
OFF = "If so, its scores are wrong, and so is every mean that includes it"


def topics_cut(seen):
    """Topics of which far less of the pool is judged than of the others."""
    usual, others = _usual(seen.covered), set(_of_others(seen))
    for place in far_below(seen.covered, HALF * usual) if usual > HALF else ():
        if place not in others:
            yield seen.topic(
                "topic cut short",
                place,
                f"{digits(int(seen.count[place]), 'judged document')}, {seen.covered[place]:.0%} of what the pool "
                f"holds, where other topics have {usual:.0%}, as if the file had been cut there. {OFF}; look at that "
                "place in the qrels, or leave the topic out.",
            )


def topics_of_others(seen):
    """Topics with judgments that are another topic's, or of documents that no run retrieved."""
    usual = _usual(seen.unheld)
    most, _, which = seen.of_others
    for place, theirs in _of_others(seen).items():
        topic = seen.topics[place]
        what = (
            f"of its {seen.count[place]:,.0f} judged documents {most[topic]:,} are what the runs find for topic "
            f"{seen.track.topics[which[topic]]}, and not for it: were two topics exchanged, or put under one number?"
            if theirs
            else f"no run retrieved {seen.unheld[place]:.0%} of its judged documents (other topics: {usual:.0%}), as "
            "if they had been judged for another topic."
        )
        do = f"{OFF}; check the topic's number in the qrels."
        yield seen.topic("judgments of another topic", place, f"{what} {do}")


def _of_others(seen):
    """The places of topics with judgments that seem to be another's, and whether the runs find them for one other.

    That of the pool hardly anything is judged, or that much is another topic's, tells them from topics of which the
    runs retrieved less than of others.
    """
    usual, (most, next_one, _) = _usual(seen.unheld), seen.of_others
    own = seen.per_topic(seen.judged & (seen.held >= seen.enough))
    most, next_one = most[seen.topics], next_one[seen.topics]
    others = (most >= FEW) & (most >= CLEARLY * next_one) & (most > THEIRS * own)
    apart = far_below(1 - seen.unheld, 1 - np.clip(usual + 0.3, 0.3, 0.9))
    met = dict.fromkeys(np.flatnonzero(others)[np.argsort(-most[others], kind="stable")].tolist(), True)
    for place in apart if len(seen.topics) >= FEWEST else ():
        if place not in met and seen.covered[place] < HALF * _usual(seen.covered):
            met[int(place)] = False
    return met


def _usual(shares):
    return np.median(shares) if len(shares) else 0


def topics_all_relevant(seen):
    """Topics of which every judged document is relevant, or far more than of the others."""
    share = seen.per_topic(seen.relevant) / np.maximum(seen.count, 1)
    usual = np.median(share) if len(share) else 1
    if len(share) < FEWEST:
        return
    yield from _of_one_grade(seen, usual)
    if usual >= MOST:
        return
    for place in np.flatnonzero((share == 1) & (seen.count >= FEW)):
        yield seen.topic(
            "topic all relevant",
            place,
            f"all {seen.count[place]:,.0f} judged documents are relevant (other topics: {usual:.0%}), as if those that "
            f"are not had been left out, or every grade set to one. {OFF}; compare its grades with the assessor's.",
        )
    odds = scipy.special.logit((seen.per_topic(seen.relevant) + HALF) / (seen.count + 1))
    lenient = (_outlying(-odds, LOST) > LENIENT) & (share > HALF) & (share < 1) & (seen.count >= FEW)
    for place in below(-share, np.where(lenient, np.inf, -np.inf)):
        yield seen.topic(
            "topic mostly relevant",
            place,
            f"{share[place]:.0%} of its {seen.count[place]:,.0f} judged documents are relevant, of other topics' "
            f"{usual:.0%}: a lenient assessor, or another meaning of the grades? Look at some of these documents.",
            "note",
        )


def _of_one_grade(seen, usual):
    """Topics of which every document has one positive grade, as chance hardly has it even if a document had it as often
    as in the topic that has it most; where most documents are relevant, or the others have several grades."""
    items = np.flatnonzero(seen.judged)
    grades, grade = np.unique(seen.study.judgments.grade[items], return_inverse=True)
    place = np.searchsorted(seen.topics, seen.track.topic_of_item[items])
    counts = np.zeros((len(seen.topics), len(grades)))
    np.add.at(counts, (place, grade), 1)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    for place, at in np.argwhere((share == 1) & (grades > 0) & (seen.count[:, None] >= FEW)):
        others = np.delete(share[:, at], place).max()
        all_relevant = seen.relevant[items[grade == at]].all() and usual < MOST
        if not all_relevant and others ** seen.count[place] * len(seen.topics) < SELDOM:
            yield seen.topic(
                "one grade in a topic",
                place,
                f"all {seen.count[place]:,.0f} judged documents have grade {grades[at]}; of any other topic's at most "
                f"{others:.0%} have it. Its grades seem to be lost, and its scores say nothing. Compare them with the "
                "assessor's.",
            )


def topics_in_another_order(seen):
    """Topics whose relevant documents stand below the others, or anywhere, where systems fare unlike elsewhere."""
    chance, error = seen.above(seen.quality**2)
    known = ~np.isnan(chance)
    if known.sum() < FEWEST or np.median(chance[known]) < ORDERED:
        return
    usual, fare = np.median(chance[known]), np.median(seen.faring)
    turned = known & (chance < HALF - np.maximum(3 * error, HALF * (usual - HALF)))
    for place in below(chance, np.where(turned, np.inf, -np.inf)):
        yield seen.topic(
            "topic upside down",
            place,
            f"the systems rank its relevant documents below the others, as if its grades were upside down: a relevant "
            f"one stands above another one in {chance[place]:.0%} of pairs, in other topics in {usual:.0%}. {OFF}; "
            "look at its lines in the qrels.",
        )
    few = 1 / np.sqrt(max(1, len(seen.track.systems)))
    outlying = np.sqrt(HALF) * (_outlying(chance, error) + _outlying(seen.faring, few))
    far = scipy.stats.norm.isf(SELDOM / known.sum())
    odd = known & ~turned & (outlying > far) & (chance < HALF + 2 * error)
    places = below(-outlying, np.where(odd, np.inf, -np.inf))
    if len(places):
        place, more = places[0], [seen.names[place] for place in places[1:]]
        higher = "hardly higher" if chance[place] > HALF else "no higher"
        unlike = (
            f", and who is good elsewhere is not so there (correlation {seen.faring[place]:.2f}; others {fare:.2f})"
        )
        yield seen.topic(
            "topic shuffled",
            place,
            f"the systems rank its relevant documents {higher} than the others ({chance[place]:.0%} of pairs; "
            f"other topics {usual:.0%}){unlike if seen.faring[place] < HALF * fare else ''}. Either all find it "
            f"hard, or its grades belong to other documents.{f' So also {some(more)}.' if more else ''} Look at its "
            "lines in the qrels.",
            "note",
        )


def _outlying(values, error):
    """How many standard deviations values, of this error, lie below the middle of those that are known; NaN where
    unknown."""
    usual = np.nanmedian(values)
    return (usual - values) / np.hypot(LIKE * np.nanmedian(np.abs(values - usual)), error)


def topics_half_judged(seen):
    """Topics whose last or first documents by name are all not relevant, as chance hardly leaves them."""
    by_name, families = _by_name(seen), _families(seen)
    empty = _rate_of_empty(seen, by_name, families)
    met = []
    for place, items in enumerate(by_name):
        for which, ordered in (("last", items), ("first", items[::-1])):
            at = np.flatnonzero(seen.relevant[ordered])
            if len(at) < FEWEST or len(items) - 1 - at[-1] <= STOPPED * len(items):
                continue
            chance = _chance_of_end(families[ordered], at, empty[place])
            if chance * 2 * len(by_name) < NEVER:
                end = np.sort(seen.track.documents(ordered[at[-1] + 1 :]))
                met.append((chance, place, which, end, len(at)))
    for _, place, which, end, relevant in sorted(met, key=lambda one: one[0]):
        yield seen.topic(
            "topic half judged",
            place,
            f"none of its {which} {len(end):,} judged documents by name, from {end[0]} to {end[-1]}, is relevant, "
            f"though {relevant:,} of the {seen.count[place] - len(end):,.0f} others are. Chance leaves no such end. "
            "If the assessor left these out, remove their lines, which count as not relevant.",
        )


def _by_name(seen):
    """The judged items of each topic by name. A list of int."""
    judged = np.flatnonzero(seen.judged)
    judged = judged[np.lexsort((seen.track.name_order[judged], seen.track.topic_of_item[judged]))]
    ends = np.searchsorted(seen.track.topic_of_item[judged], [seen.topics, seen.topics + 1])
    return [judged[start:end] for start, end in ends.T]


def _families(seen):
    """The family of every judged item's name: what comes before its first digit, as a newspaper's documents have it;
    one family where there are more than a few. int (N,)"""
    of_item, judged = np.zeros(seen.track.size, int), np.flatnonzero(seen.judged)
    names, family = np.unique([re.match(r"\D*", name)[0] for name in seen.track.documents(judged)], return_inverse=True)
    of_item[judged] = family if len(names) <= FEW else 0
    return of_item


def _rate_of_empty(seen, by_name, families):
    """How often a family of names has ten documents or more of another topic, with relevant ones, and none of them is
    relevant there: of topics with five relevant documents, the one looked at counted as one of these. (T', families)"""
    counts, relevant = np.zeros((2, len(by_name), int(families.max(initial=0)) + 1))
    for place, items in enumerate(by_name):
        np.add.at(counts[place], families[items], 1)
        np.add.at(relevant[place], families[items], seen.relevant[items])
    known = (counts >= FEW) & (relevant.sum(axis=1, keepdims=True) >= FEWEST)
    empty = known & (relevant == 0)
    return (empty.sum(axis=0) - empty + 1) / (known.sum(axis=0) - known + 1)


def _chance_of_end(family, at, empty):
    """The chance that the relevant documents of a topic leave such an end.

    family : int (n,), of each judged document by name; at : int (R,), where the relevant ones are
    empty : float (families,), how often a family has none
    In the family of the last relevant document, each order of its own counts alike; a family after it has none as
    often as other topics show, or as chance would have it where that is more often.
    """
    n, R, last = len(family), len(at), family[at[-1]]
    own = np.flatnonzero(family == last)
    chance = _all_before(len(own), np.count_nonzero(family[at] == last), np.count_nonzero(own > at[-1]))
    for other in np.unique(family[at[-1] + 1 :]):
        if other != last:
            chance *= max(empty[other], _all_before(n, R, np.count_nonzero(family == other)))
    return chance


def _all_before(n, R, end):
    """The chance that none of R among n documents is one of the last `end`."""
    return scipy.stats.hypergeom.pmf(0, n, R, end)


def topics_shifted(seen):
    """Topics with grades that fit the document next to theirs, by name, better than their own; first whether all do."""
    better = np.array([_better_shifted(seen, items, votes) for items, votes in _voted(seen)]).reshape(-1, 2)
    known = better[~np.isnan(better).any(axis=1)]
    if len(known) < FEWEST:
        return
    together = known.sum(axis=0) / np.sqrt(len(known))
    way = ("down", "up")
    if together.max() > CERTAINLY:
        message = (
            f"In {np.count_nonzero(known[:, together.argmax()] > 0)} of {len(known)} topics the grades fit the next "
            f"document by name better than their own: they seem to have slid {way[together.argmax()]} by one row. "
            "All scores are wrong; move the column of grades back."
        )
        yield Finding("error", "grades shifted", "", "", len(known), message)
        return
    most = np.where(np.isnan(better), -np.inf, better).max(axis=1)
    for place in below(-most, np.where(most > SHIFTED, np.inf, -np.inf)):
        yield seen.topic(
            "grades shifted",
            place,
            "its grades fit the next document by name better than their own, by "
            f"{most[place]:.1f} standard errors: they seem to have slid {way[better[place].argmax()]} by one row. "
            "If so, its scores are wrong; move its grades back.",
        )


def _voted(seen):
    """Of each topic the judged items by name, and what the good systems say for each. -> pairs of int, float (n,)"""
    votes = seen.votes(seen.quality**2)
    return [(items, votes[items]) for items in _by_name(seen)]


def _better_shifted(seen, items, votes):
    """By how many standard errors the grades of a topic agree better with the votes once they are moved up, or down, by
    a row, and how clearly they then do: the smaller one. Two floats; NaN where a topic has few of a kind."""
    held = seen.retrieved[items]
    relevant = np.count_nonzero(seen.relevant[items])
    if min(relevant, len(items) - relevant) < FEW or np.count_nonzero(held) < 2 * FEW or np.ptp(votes[held]) < 1e-12:
        return np.nan, np.nan
    votes, grades = scipy.stats.rankdata(votes[held]), scipy.stats.rankdata(seen.study.judgments.grade[items])
    up, as_is, down = (_agree(votes, np.roll(grades, by)[held]) for by in (-1, 0, 1))
    return tuple(min((other - as_is) / np.sqrt(2), other) for other in (up, down))


def _agree(a, b):
    """The correlation of two rows of values over its standard error, were there none; 0 where one is constant."""
    a, b = a - a.mean(), b - b.mean()
    both = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / both * np.sqrt(len(a))) if both > 1e-9 else 0.0


def topics_on_another_scale(seen):
    """Topics with grades far above those of all others, or of which every grade is a multiple as of no other topic."""
    items = np.flatnonzero(seen.judged)
    grade, topic = seen.study.judgments.grade[items], seen.track.topic_of_item[items]
    levels = [np.unique(grade[(topic == one) & (grade > 0)]) for one in seen.topics]
    if len(levels) < FEWEST:
        return
    highest = np.array([of[-1] if len(of) else 0 for of in levels])
    every = max(1, np.gcd.reduce(np.concatenate(levels))) if any(map(len, levels)) else 1
    step = np.array([np.gcd.reduce(of) // every if len(of) else 1 for of in levels])
    several = np.array([len(of) > 1 for of in levels]) | (highest > highest[step == 1].max(initial=every))
    apart = (step > 1) & several & (seen.per_topic(seen.relevant) >= FEW)
    for place in range(len(highest)):
        apart[place] |= highest[place] > 2 * max(1, np.delete(highest, place).max())
    places = np.flatnonzero(apart)
    if len(places) and not apart.all():
        others, first = highest[~apart].max(), places[highest[places].argmax()]
        names = [seen.names[place] for place in places if place != first]
        more = f" So in {digits(len(names), 'more topic')} ({some(names)})." if names else ""
        yield seen.topic(
            "topic on another scale",
            first,
            f"it has grades up to {highest[first]}, other topics up to {others}: another assessor's scale?{more} Gains "
            "and nDCG take the highest grade for the best; bring them to one scale.",
        )


CHECKS = (
    topics_of_others,
    topics_cut,
    topics_all_relevant,
    topics_on_another_scale,
    topics_shifted,
    topics_half_judged,
    topics_in_another_order,
)
