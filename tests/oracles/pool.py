"""Who was pooled and how deep, judgments at a depth or by number, and orderings of systems, written out naively.

Everywhere: `runs` is system -> topic -> run (document -> score, or documents in order), `qrels` is topic ->
(document -> grade).
"""

import hashlib
import math
from collections import Counter
from itertools import combinations

from .ranking import is_judged, order

SAME = 1e-12  # means this close are equal (METHODS 7.1)


# ---------------------------------------------------------------- pools (METHODS 2.6)


def pool_ranks(runs, contributing):
    """(topic, doc) -> the smallest rank, from 1, at which any contributing run retrieved it. METHODS 2.6, `pool_rank`.

    A pair that no contributing run holds has no entry: its pool rank is infinite.
    """
    ranks = {}
    for system in contributing:
        for topic, run in runs[system].items():
            for rank, doc in enumerate(order(run), start=1):
                ranks[topic, doc] = min(rank, ranks.get((topic, doc), math.inf))
    return ranks


def judgments_at_depth(qrels, ranks, depth):
    """The judgments at pool depth `depth`: the rows with pool_rank <= depth. METHODS 2.6.

    Rows that say "pooled but not judged" are cut by the same rule (those deeper count as never pooled). Every topic
    stays, if need be without a row. depth=None: all judgments.
    """
    if depth is None:
        return {topic: dict(rows) for topic, rows in qrels.items()}
    return {
        topic: {doc: grade for doc, grade in rows.items() if ranks.get((topic, doc), math.inf) <= depth}
        for topic, rows in qrels.items()
    }


def drawn(seed, *names):
    """The first 64 bits of the SHA-256 of the seed and the names, joined by tabs. METHODS 2.6."""
    return int(hashlib.sha256("\t".join([str(seed), *names]).encode()).hexdigest()[:16], 16)


def turns(qrels, ranks, *, negative="split", seed=0):
    """(topic, doc) -> when it is judged: (pool rank, round, the topic's draw), METHODS 2.6. A round takes one document
    of each topic that has any left of that pool rank. What is pooled and not judged has the turn of the judgment
    before it in its topic; -inf where there is none."""
    found = {}
    for topic, rows in qrels.items():
        rounds, turn = Counter(), (-math.inf,)
        for doc in sorted(rows, key=lambda doc: (ranks.get((topic, doc), math.inf), drawn(seed, topic, doc))):
            rank = ranks.get((topic, doc), math.inf)
            if is_judged(rows[doc], negative=negative):
                rounds[rank] += 1
                turn = (rank, rounds[rank], drawn(seed, topic))
            found[topic, doc] = turn
    return found


def first_judgments(qrels, ranks, n, *, negative="split", seed=0):
    """The first n judgments, and what was pooled and not judged before the next. METHODS 2.6."""
    of = turns(qrels, ranks, negative=negative, seed=seed)
    judged = sorted(of[t, doc] for t, rows in qrels.items() for doc in rows if is_judged(rows[doc], negative=negative))
    taken = {*judged[:n], (-math.inf,)}
    return {t: {doc: grade for doc, grade in rows.items() if of[t, doc] in taken} for t, rows in qrels.items()}


# ---------------------------------------------------------------- first unjudged rank (METHODS 4.4)


def first_unjudged_rank(run, qrels, *, negative="split"):
    """The first rank that holds an unjudged document; infinite when the list has none (empty ranks hold nothing)."""
    for rank, doc in enumerate(order(run), start=1):
        if not is_judged(qrels.get(doc), negative=negative):
            return rank
    return math.inf


def first_unjudged_ranks(runs, qrels, systems, *, negative="split"):
    """How many system-topic pairs have each first unjudged rank: rank -> count (RM10 fig. 1).

    Pairs: the topics of the qrels that the run has.
    """
    return Counter(
        first_unjudged_rank(runs[system][topic], qrels[topic], negative=negative)
        for system in systems
        for topic in runs[system]
        if topic in qrels
    )


# ---------------------------------------------------------------- ordering systems by means (METHODS 7.1)


def sign(a, b):
    """1, 0 or -1 as a is above, equal to (within 1e-12) or below b."""
    return 0 if abs(a - b) <= SAME else 1 if a > b else -1


def rank(means):
    """system -> 1 + the number of systems with a higher mean. means : system -> mean."""
    return {s: 1 + sum(1 for u in means if sign(means[u], means[s]) > 0) for s in means}


def rank_best(intervals):
    """system -> 1 + the number of systems whose lower is above this one's upper.

    intervals : system -> (lower, upper) of the mean.
    """
    return {s: 1 + sum(1 for u in intervals if sign(intervals[u][0], intervals[s][1]) > 0) for s in intervals}


def rank_worst(intervals):
    """system -> n minus the number of systems whose upper is below this one's lower."""
    n = len(intervals)
    return {s: n - sum(1 for u in intervals if sign(intervals[u][1], intervals[s][0]) < 0) for s in intervals}


def pairs_decided(intervals):
    """The fraction of system pairs whose intervals of the mean do not overlap: one's lower above the other's upper.

    Touching intervals overlap. NaN with fewer than two systems.
    """
    pairs = list(combinations(intervals.values(), 2))
    decided = sum(1 for a, b in pairs if sign(a[0], b[1]) > 0 or sign(b[0], a[1]) > 0)
    return decided / len(pairs) if pairs else math.nan


def kendall_tau(means, other):
    """(concordant - discordant) / sqrt(pairs not tied in one * pairs not tied in the other): tau-b. METHODS 7.1.

    NaN where one of the two has ties only.
    """
    pairs = list(combinations(means, 2))
    here = [sign(means[a], means[b]) for a, b in pairs]
    there = [sign(other[a], other[b]) for a, b in pairs]
    untied = sum(s != 0 for s in here) * sum(s != 0 for s in there)
    return sum(s * t for s, t in zip(here, there, strict=True)) / math.sqrt(untied) if untied else math.nan


def tau_a(means, other):
    """(concordant - discordant) / pairs; a tie in either is neither. METHODS 7.1. NaN with fewer than two systems.

    means, other : system -> mean, over the same systems.
    """
    pairs = list(combinations(means, 2))
    agreement = sum(sign(means[a], means[b]) * sign(other[a], other[b]) for a, b in pairs)
    return agreement / len(pairs) if pairs else math.nan


def kendall_distance(means, other):
    """The share of pairs ordered oppositely; a tie in either is not an inversion. METHODS 7.1."""
    pairs = list(combinations(means, 2))
    inverted = sum(1 for a, b in pairs if sign(means[a], means[b]) * sign(other[a], other[b]) < 0)
    return inverted / len(pairs) if pairs else math.nan
