"""Consistency: how similar a system's rankings are for the query variations of a topic.

From [BMST17], with the rank-biased overlap of [WMZ10].
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.fusion import fused_runs, methods
from evalcore.statistics.overlap import rank_biased_overlap
from evalcore.vocabulary.validation import EQUAL

DECIMALS = 12  # what differs by less is tied


@dataclass(frozen=True)
class Consistency:
    """Of every system on every topic that has queries. float (S, T''); topics : int (T'',), indices.

    value, sd : mean and standard deviation, over the distinct rankings of a topic's variations, of their overlap with
        all of them fused; NaN where a system answers fewer than two queries of the topic (value) or gives but one
        distinct ranking (sd)
    answered, distinct : int, how many of the topic's queries the system answers and in how many different ways
    """

    topics: NDArray[np.intp]
    value: NDArray[np.float64]
    sd: NDArray[np.float64]
    answered: NDArray[np.intp]
    distinct: NDArray[np.intp]


def consistency(track: Track, *, phi: float = 0.9) -> Consistency:
    """How alike each system answers the variations of each topic: C_t. -> Consistency

    The mean RBO, extrapolated, of each distinct variation with the rank-biased centroid of them, both of persistence
    phi [BMST17].
    """
    rule, topics = methods.rule("rbc", phi=phi), fused_runs.variations(track)
    systems = np.arange(len(track.systems))
    value, sd = np.full((2, len(systems), len(topics)), np.nan)
    answered, distinct = np.zeros((2, len(systems), len(topics)), int)
    for t, queries in enumerate(topics.values()):
        for s in systems:
            answering = queries[track.lengths[s, queries] > 0]
            _, first = np.unique(track.items[s, answering], axis=0, return_index=True)
            each = answering[np.sort(first)]
            answered[s, t], distinct[s, t] = len(answering), len(each)
            if len(answering) > 1:
                fused, _ = fused_runs.fused_list(track, rule, np.full(len(each), s), each, np.ones(len(each)))
                overlap = rank_biased_overlap(track.items[s, each], np.tile(fused, (len(each), 1)), phi=phi)
                value[s, t] = overlap.extrapolated.mean()
                sd[s, t] = overlap.extrapolated.std(ddof=1) if len(each) > 1 else np.nan
    return Consistency(np.array(list(topics), int), value, sd, answered, distinct)


def sharing_nothing(track: Track, *, phi: float = 0.9) -> float:
    """The mean over systems of the C_T that they would have if a topic's rankings, of the same lengths, shared no
    document: about one over their number, and more where they are short. NaN without two rankings."""
    topics = list(fused_runs.variations(track).values())
    found = [[of_system[queries][of_system[queries] > 0] for queries in topics] for of_system in track.lengths]
    means = [[_sharing_nothing(tuple(of.tolist()), phi) for of in lengths if len(of) > 1] for lengths in found]
    values = [np.mean(of_topics) for of_topics in means if of_topics]
    return float(np.mean(values)) if values else np.nan


@lru_cache(1000)
def _sharing_nothing(lengths, phi):
    """The consistency of rankings of these lengths without a common document: they are fused rank by rank."""
    n, deepest = len(lengths), max(lengths)
    items = 1 + np.arange(n * deepest).reshape(n, deepest)
    items[np.arange(deepest) >= np.array(lengths)[:, None]] = 0
    by_rank = items[::-1].T
    return float(rank_biased_overlap(items, np.tile(by_rank[by_rank > 0], (n, 1)), phi=phi).extrapolated.mean())


# ---------------------------------------------------------------------------------------------------------------------
# Agreement of topics on the ordering of systems. scores : float (S, T); the topics judge, the systems are judged.


def icc(scores: NDArray[np.float64]) -> tuple[float, float]:
    """One-way intraclass correlation of single topics, ICC(1), and the p of its F test. (float, float)

    [SF79, case 1]. NaN where there is no variation. Two or more of either are needed.
    """
    n, k = scores.shape
    means = scores.mean(axis=1)
    between = k * means.var(ddof=1)
    within = ((scores - means[:, None]) ** 2).sum() / (n * (k - 1))
    if between + within <= EQUAL**2:
        return np.nan, np.nan
    p = scipy.stats.f.sf(between / within, n - 1, n * (k - 1)) if within > 0 else 0.0
    return float((between - within) / (between + (k - 1) * within)), float(p)


def kendall_w(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Kendall's coefficient of concordance, corrected for ties, and the p of its chi-square test. (float, float)

    [KBS39]. NaN where every topic ties all systems.
    """
    n, m = scores.shape
    ranks = scipy.stats.rankdata(np.round(scores, DECIMALS), axis=0)
    ties = sum((np.unique(column, return_counts=True)[1] ** 3.0).sum() - n for column in ranks.T)
    most = m * m * (n**3 - n) - m * ties
    if most <= 0:
        return np.nan, np.nan
    w = 12 * np.square(ranks.sum(axis=1) - m * (n + 1) / 2).sum() / most
    return float(w), float(scipy.stats.chi2.sf(m * (n - 1) * w, n - 1))


def spearman(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[float, float]:
    """Spearman's rank correlation of what is known in both and its two-tailed p; NaN where there is no variation.

    p is that of the t distribution, but at least 2 / n!: of n! orders, two have the largest correlation or its reverse.
    """
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = np.round(a[known], DECIMALS), np.round(b[known], DECIMALS)
    if len(a) < 3 or np.all(a == a[0]) or np.all(b == b[0]):
        return np.nan, np.nan
    correlation = scipy.stats.spearmanr(a, b)
    return float(correlation.statistic), max(float(correlation.pvalue), 2 / math.factorial(min(len(a), 20)))
