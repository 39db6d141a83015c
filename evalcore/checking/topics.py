"""Topics unlike the others: as if the qrels had been cut, exchanged, turned over or shuffled there."""

import numpy as np

from evalcore.checking.seen import FEW, FEWEST, HALF, LIKE, below, far_below
from evalcore.reading.wording import some
from evalcore.sentences import digits

APART = 4.0  # standard deviations from which the order of a topic's relevance is told from the others'
OUTLYING = 2.0  # the same, from which it is worth a look
ORDERED = 0.65  # how often relevant documents must stand above others in most topics, for a topic to be unlike
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
    """Topics whose judged documents no run retrieved."""
    usual = _usual(seen.unheld)
    for place, theirs in _of_others(seen).items():
        whose = (
            f" Many are what the runs retrieve for topic {theirs}: exchanged, or numbered wrongly?" if theirs else ""
        )
        yield seen.topic(
            "judgments of another topic",
            place,
            f"no run retrieved {seen.unheld[place]:.0%} of its judged documents (other topics: {usual:.0%}), as if "
            f"they had been judged for another topic.{whose} {OFF}; check the topic's number in the qrels.",
        )


def _of_others(seen):
    """The places of topics whose judged documents no run retrieved, and for which topic the runs do (None: for none).

    That of the pool hardly anything is judged, or that much is another topic's, tells them from topics of which the
    runs retrieved less than of others.
    """
    usual, met = _usual(seen.unheld), {}
    apart = far_below(1 - seen.unheld, 1 - np.clip(usual + 0.3, 0.3, 0.9))
    for place in below(1 - seen.unheld, 1 - np.clip(usual + 0.1, 0.3, 0.95)):
        theirs = _whose(seen, seen.topics[place], usual)
        if theirs or (place in apart and seen.covered[place] < HALF * _usual(seen.covered)):
            met[place] = theirs
    return met


def _usual(shares):
    return np.median(shares) if len(shares) else 0


def _whose(seen, topic, usual):
    """The other topic for which the runs retrieve a good part of what is judged for this one and was not retrieved for
    it, or None. usual : what share of a topic's judged documents no run retrieves"""
    track = seen.track
    judged = np.flatnonzero(seen.judged & (track.topic_of_item == topic))
    documents = track.document_of_item[judged[seen.held[judged] == 0]]
    held = np.flatnonzero((seen.held > 0) & (track.topic_of_item != topic))
    held = held[np.isin(track.document_of_item[held], documents)]
    counts = np.bincount(track.topic_of_item[held], minlength=1)
    best = int(counts.argmax())
    return track.topics[best] if counts[best] > HALF * max(HALF, 1 - usual) * len(documents) else None


def topics_all_relevant(seen):
    """Topics of which every judged document is relevant, where other topics have others."""
    share = seen.per_topic(seen.relevant) / np.maximum(seen.count, 1)
    usual = np.median(share) if len(share) else 1
    for place in np.flatnonzero((share == 1) & (seen.count >= FEW)) if usual < 0.9 and len(share) >= FEWEST else ():
        yield seen.topic(
            "topic all relevant",
            place,
            f"all {seen.count[place]:,.0f} judged documents are relevant (other topics: {usual:.0%}), as if those that "
            f"are not had been left out, or every grade set to one. {OFF}; compare its grades with the assessor's.",
        )


def topics_in_another_order(seen):
    """Topics whose relevant documents stand below the others, or anywhere."""
    chance, error = seen.above(seen.quality**2)
    if (~np.isnan(chance)).sum() < FEWEST or np.nanmedian(chance) < ORDERED:
        return
    usual = np.nanmedian(chance)
    spread = LIKE * np.nanmedian(np.abs(chance - usual))
    apart = (usual - chance) / np.hypot(spread, error)
    for place in below(chance, np.where(apart > APART, HALF + 2 * error, HALF - 3 * error)):
        if chance[place] < HALF - 3 * error[place]:
            yield _in_another_order(seen, "topic upside down", place, chance[place], usual)
        else:
            yield _in_another_order(seen, "topic shuffled", place, chance[place], usual)
    place = np.nanargmin(chance)
    if OUTLYING < apart[place] <= APART and abs(chance[place] - HALF) <= error[place]:
        yield _in_another_order(seen, "topic shuffled", place, chance[place], usual, "note")


def _in_another_order(seen, check, place, chance, usual, severity="warning"):
    what = {
        "topic upside down": "below the others, as if its grades were upside down",
        "topic shuffled": "no higher than the others, as if its grades stood beside other documents",
    }[check]
    do = f"{OFF}; look" if severity == "warning" else "Or do all of them find it hard? Look"
    return seen.topic(
        check,
        place,
        f"the systems rank its relevant documents {what}: a relevant one stands above another one in {chance:.0%} of "
        f"pairs, in other topics in {usual:.0%}. {do} at its lines in the qrels.",
        severity,
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


CHECKS = topics_of_others, topics_cut, topics_all_relevant, topics_on_another_scale, topics_in_another_order
