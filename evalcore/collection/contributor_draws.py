"""How probable it is that each system contributed to the pool, and sets of contributors drawn with that probability.

What a system has in its pool and no other contributor has is evidence: nearly all of it is judged if the system
contributed. So whether a system contributed is drawn again and again, given all others (a Gibbs sampler of a
pseudo-likelihood), from the contributors that `pool_inference` finds.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import exp, lgamma, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection import pool_inference
from evalcore.collection.judgments import Judgments
from evalcore.collection.shares import share
from evalcore.collection.track import EMPTY, Track

INSIDE = 60.0, 0.6  # the beta distribution of the share that is judged of a contributor's own documents: 99%
ALIKE = 0.02  # share of the other systems that are judged like contributors: nearly copies of runs that are not here
ENOUGH = 0.9  # of the systems that did not contribute, those with so large a share judged do not show what is usual
CHAINS, ROUNDS, UNUSED = 2, 120, 30  # of the chains, from seeds 0 and 1; the first rounds depend on where they begin
ALL_AGAIN, SURE = 40, 8.0  # every so many rounds all are drawn, else only those whose log odds are less sure
FEW = 5  # items that more contributors have are hardly ever the own ones of a system
MOST = 20  # draws that are carried through the figures
LIKELY, DOUBTFUL = 0.5, 0.05  # above this probability a system counts as contributing; above that it may have


def drawn(
    track: Track, judgments: Judgments, leads: pool_inference.Leads, contributes: NDArray[np.bool_],
    pooling: pool_inference.Pooling,
) -> tuple[NDArray[np.bool_], pool_inference.Pooling]:  # fmt: skip
    """The contributing systems, bool (S,), and the `Pooling` with their probabilities and draws.

    contributes, pooling : where the chains begin, and the depth of each topic's pool
    """
    judged = judgments.scale.judged[judgments.level]
    tops = tops_of(track, pooling.depth_of_topic, contributes)
    never = pool_inference.ranks_judged_alone(leads, pooling.depth_of_topic)
    chains = [chain(tops, judged, contributes, never, np.random.default_rng(seed)) for seed in range(CHAINS)]
    draws = np.concatenate(chains)
    probability = draws.mean(axis=0)
    for equal in _equal(tops, np.flatnonzero(~never)):
        probability[equal] = probability[equal].mean()
    likely = probability > LIKELY
    if not likely.any():
        return contributes, pooling
    may_have = (probability >= DOUBTFUL) & ~likely | never
    kept = draws[np.linspace(0, len(draws) - 1, MOST).round().astype(int)]
    return likely, replace(
        pooling,
        doubtful=tuple(track.systems[s] for s in np.flatnonzero(may_have)),
        probability=probability,
        draws=np.unique(kept[kept.any(axis=1)], axis=0),
    )


def tops_of(track: Track, depth_of_topic: NDArray[np.intp], contributes: NDArray[np.bool_]) -> list[NDArray[np.int32]]:
    """The items of each system above its topics' pool depths that few contributors have. A list of int arrays."""
    depths = depth_of_topic[track.topic_of_query]
    inside = np.arange(min(depths.max(initial=0), track.shape[2])) < depths[:, None]
    tops = [pd.unique(rankings[:, : inside.shape[1]][inside]) for rankings in track.items]
    count = _count(tops, contributes, track.size)
    return [np.sort(top[(count[top] <= FEW) & (top != EMPTY)]) for top in tops]


def _count(tops, systems, size):
    """How many of these systems (bool (S,)) have each item. int (N,)"""
    count = np.zeros(size, np.int32)
    for s in np.flatnonzero(systems):
        count[tops[s]] += 1
    return count


def chain(
    tops: list[NDArray[np.int32]], judged: NDArray[np.bool_], contributes: NDArray[np.bool_],
    never: NDArray[np.bool_], rng: np.random.Generator,
) -> NDArray[np.bool_]:  # fmt: skip
    """Draws of the contributing systems, one a round, without the first. bool (rounds, S)

    tops : the items of each system; judged : bool (N,); contributes : bool (S,), where it begins; never : bool (S,)
    """
    inside = contributes & ~never
    copies = [equal for equal in _equal(tops, np.flatnonzero(~never)) if len(equal) > 1]
    count, log_odds, draws = _count(tops, inside, len(judged)), np.zeros(len(tops)), []
    for nth in range(ROUNDS):
        if nth < 2 or nth % ALL_AGAIN == 0:
            systems = np.flatnonzero(~never)
            usual = beta_of(
                *np.transpose([own(tops[s], judged, count, 0) for s in np.flatnonzero(~inside)] or [(0, 0)])
            )
        for s in systems:
            held = inside[s]
            log_odds[s] = odds(*own(tops[s], judged, count, held), inside.sum() - held, len(tops), usual)
            inside[s] = rng.random() < 1 / (1 + exp(min(-log_odds[s], 700)))
            if inside[s] != held:
                count[tops[s]] += int(inside[s]) - held
        for equal in copies:  # any of them may be the one that contributed
            inside[equal] = rng.permutation(inside[equal])
        if nth > 0:
            systems = np.flatnonzero((np.abs(log_odds) < SURE) & ~never)
        draws.append(inside.copy())
    return np.array(draws[UNUSED:])


def _equal(tops, systems):
    """Those of these systems (indices) that have the same items. Lists of indices"""
    equal = {}
    for s in systems:
        equal.setdefault(tops[s].tobytes(), []).append(s)
    return equal.values()


def own(
    top: NDArray[np.int32], judged: NDArray[np.bool_], count: NDArray[np.int32], held: int | np.bool_
) -> tuple[int, int]:
    """How many of these items no other contributor has, and how many of those are judged. Two ints

    count : how many contributors have each item; held : whether this system is one of them
    """
    alone = top[count[top] == held]
    return len(alone), int(np.count_nonzero(judged[alone]))


def odds(documents: int, judged: int, others: int, systems: int, usual: Sequence[float]) -> float:
    """The log odds that a system contributed, given all others.

    documents, judged : its own, see `own`; others : how many others contributed; systems : how many there are
    usual : the beta distribution of the share judged where a system did not contribute
    """
    if not documents:
        return 0.0  # the files do not show it: even odds
    if_inside = log_likelihood(documents, judged, *INSIDE)
    if_outside = np.logaddexp(log(ALIKE) + if_inside, log(1 - ALIKE) + log_likelihood(documents, judged, *usual))
    return log((others + 1) / (systems - others)) + if_inside - float(if_outside)


@lru_cache(1 << 16)
def log_likelihood(documents: int, judged: int, a: float, b: float) -> float:
    """The log likelihood of so many judged documents if their share follows Beta(a, b), without the constant."""
    return _log_beta(a + judged, b + documents - judged) - _log_beta(a, b)


def _log_beta(a, b):
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def beta_of(documents: NDArray[np.intp], judged: NDArray[np.intp]) -> tuple[float, float]:
    """The beta distribution (a, b) with the mean and the variance of the shares judged, by the method of moments.

    documents, judged : int (n,); systems of which `ENOUGH` is judged, and those without documents, do not count.
    """
    usual = judged < ENOUGH * documents
    documents, judged = documents[usual], judged[usual]
    n, total = len(documents), documents.sum()
    if total <= n or n < 2:
        return 1.0, 1.0
    mean = min(max(judged.sum() / total, 0.5 / total), 1 - 0.5 / total)
    binomial = mean * (1 - mean)
    variance = (documents * (share(judged, documents) - mean) ** 2).sum() / total
    alike = min(max((variance - binomial * n / total) / (binomial * (1 - n / total)), 0.01), 0.9)  # a correlation
    return mean * (1 - alike) / alike, (1 - mean) * (1 - alike) / alike
