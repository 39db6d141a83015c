"""Topics unlike the others: as if the qrels had been cut, exchanged, turned over or shuffled there."""

import numpy as np
import scipy

from evalcore.checking.seen import FEW, FEWEST, HALF, LIKE, LOST, below, far_below
from evalcore.reading.wording import some
from evalcore.sentences import digits

OUTLYING = 2.0  # standard deviations from which the order of a topic's relevance is worth a look
LENIENT = 2.5  # the same, by which the odds of a document to be relevant are above those of other topics
CLEARLY = 1.5  # times as many of a topic's judged documents are one other topic's as any third one's
THEIRS = 0.4  # as many, for each one that is found for the topic itself
STOPPED = 0.4  # share of a topic's judged documents after the last relevant one, that looks as if judging had stopped
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
    if usual >= 0.9 or len(share) < FEWEST:
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
    odd = known & ~turned & (outlying > OUTLYING) & (chance < HALF + 2 * error)
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
            f"other topics {usual:.0%}){unlike if seen.faring[place] < HALF * fare else ''}. Do all find it hard, "
            f"or do its grades stand beside other documents?{f' So also of {some(more)}.' if more else ''} Look at its "
            "lines in the qrels.",
            "note",
        )


def _outlying(values, error):
    """How many standard deviations values, of this error, lie below the middle of those that are known; NaN where
    unknown."""
    usual = np.nanmedian(values)
    return (usual - values) / np.hypot(LIKE * np.nanmedian(np.abs(values - usual)), error)


def topics_half_judged(seen):
    """Topics whose last documents by name hold no relevant one, as no other topic's first or last do."""
    track, judged = seen.track, np.flatnonzero(seen.judged)
    judged = judged[np.argsort(track.name_order[judged])]
    ends = np.searchsorted(track.topic_of_item[judged], [seen.topics, seen.topics + 1])
    first, last = np.zeros((2, len(seen.topics)))
    for place, (start, end) in enumerate(ends.T):
        relevant = np.flatnonzero(seen.relevant[judged[start:end]])
        if len(relevant) >= FEWEST:
            first[place], last[place] = relevant[0] / (end - start), 1 - (relevant[-1] + 1) / (end - start)
    longest = np.maximum(first, last)
    if np.count_nonzero(longest) < FEWEST:
        return
    place = int(longest.argmax())
    others = np.delete(longest, place).max()
    if last[place] == longest[place] > max(STOPPED, 2 * others):
        document = track.documents([judged[ends[1, place] - round(last[place] * np.diff(ends[:, place])[0])]])[0]
        yield seen.topic(
            "topic half judged",
            place,
            f"of its judged documents the last {last[place]:.0%} by name, from {document} on, hold no relevant one; "
            f"in other topics no more than {others:.0%} do: did the assessor stop there? If so, leave out these lines, "
            "which count as not relevant, or have them judged.",
            "note",
        )


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
    topics_in_another_order,
    topics_half_judged,
)
