"""Significance: which differences between systems are more than the luck of the topics, for all pairs at once. Tukey's
HSD, which needs an analysis of variance, is in `anova`.

Scores are float (S, T), topics in one order for every system; NaN where a topic does not count for a system. A pair is
compared on the topics that count for both. Pairs (a, b) with a < b stand in the order of `pairs(S)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.collection.shares import share
from evalcore.statistics import tukey
from evalcore.statistics.anova import MODELS, Anova
from evalcore.vocabulary import registry
from evalcore.vocabulary.validation import EQUAL, row_of

PAIRS_AT_ONCE = 128
TIED = 10  # digits to which the differences on two topics are the same


def pairs(S: int | np.integer) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The systems of every pair, the first before the second. Two int (S (S - 1) / 2,)."""
    return np.triu_indices(int(S), 1)


def differences(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much the first of each pair is above the second, topic by topic. float (pairs, T)."""
    a, b = pairs(len(scores))
    return scores[a] - scores[b]


def mean_and_t(difference: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean difference and Student's t of each pair. Two float (pairs,).

    difference : float (pairs, T), NaN for topics that do not count
    t is NaN below two topics and for a pair without any difference, infinite where all differences are the same.
    """
    n, mean, deviation = _moments(difference)
    constant = deviation <= EQUAL * np.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(constant, np.where(np.abs(mean) > EQUAL, np.sign(mean) * np.inf, np.nan), mean / deviation)
        return mean, np.where(n < 2, np.nan, t * np.sqrt(np.where(constant, 1.0, n)))


def _moments(difference):
    known = ~np.isnan(difference)
    n = known.sum(axis=1)
    observed = np.where(known, difference, 0.0)
    mean = share(observed.sum(axis=1), n, without=np.nan)
    centred = np.where(known, difference - mean[:, None], 0.0)
    variance = share((centred**2).sum(axis=1), n - 1)
    return n, mean, np.sqrt(variance)


def half_width(values: Sequence[float] | NDArray[Any], level: float) -> float:
    """Half the t interval of the mean of these values; NaN of a single one."""
    n = len(values)
    return scipy.stats.t.ppf(1 - level / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n) if n > 1 else np.nan


# ---------------------------------------------------------------------------------------------------------------------
# Tests. Each gives the two-tailed p of every pair. float (pairs,); NaN below two common topics.


def t_test(difference: NDArray[np.float64], *, seed: int = 0, resamples: int = 10_000) -> NDArray[np.float64]:
    """Student's paired t-test: the probability of so large a mean difference over topics by chance.

    The p is 1 for a pair without any difference, 0 where all differences are the same."""
    return mean_and_p(difference)[1]


def mean_and_p(difference: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean difference and the p of the paired t-test of each pair. Two float (pairs,)."""
    mean, t = mean_and_t(difference)
    n = (~np.isnan(difference)).sum(axis=1)
    p = 2 * scipy.special.stdtr(np.maximum(n - 1, 1), -np.abs(t))
    return mean, np.where(n < 2, np.nan, np.where(np.isnan(t), 1.0, p))


def p_of_better(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p of the one-tailed paired t-test that the first of each pair is better. float (pairs,).

    .5 for a pair without any difference; NaN below two common topics.
    """
    mean, p = mean_and_p(difference)
    return np.where(mean > 0, p / 2, 1 - p / 2)


def wilcoxon_test(difference: NDArray[np.float64], *, seed: int = 0, resamples: int = 10_000) -> NDArray[np.float64]:
    """Wilcoxon's signed-rank test: whether large differences over topics favour one system.

    [Wil45], topics without a difference left out; exact where there are at most 50 topics without ties or such topics.
    The p is 1 for a pair without any difference."""
    size = np.round(np.abs(difference), TIED)
    signed, ordered = np.sign(difference) * size, np.sort(size, axis=1)
    known, exact = ~np.isnan(difference), ~(size == 0).any(axis=1) & (np.diff(ordered, axis=1) != 0).all(axis=1)
    p = np.full(len(difference), np.nan)
    kinds, kind_of = np.unique(np.column_stack([known, exact]), axis=0, return_inverse=True)
    for kind, (*topics, _) in enumerate(kinds):  # SciPy takes one way for all rows that it is given
        rows = np.flatnonzero((kind_of.ravel() == kind) & (size > 0).any(axis=1))
        if sum(topics) > 1 and len(rows):
            p[rows] = scipy.stats.wilcoxon(signed[rows][:, topics], axis=1).pvalue
    return np.where(known.sum(axis=1) < 2, np.nan, np.where(np.isnan(p), 1.0, p))


def randomisation_test(
    difference: NDArray[np.float64], *, seed: int = 0, resamples: int = 10_000
) -> NDArray[np.float64]:
    """How often swapping the two systems' scores on random topics gives so large a mean difference.

    All exchanges are tried where there are at most `resamples`; else p = (1 + as far) / (1 + tried) [SAC07].
    """
    n = (~np.isnan(difference)).sum(axis=1)
    observed, T = np.nan_to_num(difference), difference.shape[1]
    exact = T < 31 and resamples >= 2**T
    if exact:  # every way to give T topics a sign
        signs = 1.0 - 2.0 * ((np.arange(2**T) >> np.arange(T)[:, None]) & 1)
    else:
        signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(T, resamples))
    as_far = _count(lambda rows: np.abs(observed[rows] @ signs), np.abs(observed.sum(axis=1)) - EQUAL)
    p = as_far / signs.shape[1] if exact else (1 + as_far) / (1 + resamples)
    return np.where(n < 2, np.nan, p)


def bootstrap_test(difference: NDArray[np.float64], *, seed: int = 0, resamples: int = 10_000) -> NDArray[np.float64]:
    """How often resampled topics give so large a difference, in standard errors, if there is none in the population.

    [Sak06], the studentised bootstrap of [ET93]; p = (1 + as large) / (1 + drawn). Topics are drawn
    together for all pairs. A pair without any difference has p = 1.
    """
    n, mean, _ = _moments(difference)
    _, t = mean_and_t(difference)
    T = difference.shape[1]
    known = ~np.isnan(difference)
    centred = np.where(known, difference - mean[:, None], 0.0)
    drawn = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=resamples).T.astype(float)

    def size_of_t(rows):
        values, counted = centred[rows], known[rows].astype(float)
        of = np.maximum(counted @ drawn, 1)
        average = (values @ drawn) / of
        variance = np.maximum((values**2 @ drawn) / of - average**2, 0) * of / np.maximum(of - 1, 1)
        error = np.sqrt(variance / of)
        without_error = np.where(np.abs(average) > EQUAL, np.inf, 0.0)
        return np.divide(np.abs(average), error, out=without_error, where=error > EQUAL)

    p = (1 + _count(size_of_t, np.abs(t) * (1 - EQUAL))) / (1 + resamples)
    return np.where(n < 2, np.nan, np.where(np.isnan(t), 1.0, p))


@dataclass(frozen=True)
class ToOne:
    """The differences of all other systems to one, over the topics that count for every system.

    difference : float (S - 1,); S, T : how many systems and topics
    error, df : the error mean square of the model of topics and systems (MD1), and its degrees of freedom
    """

    difference: NDArray[np.float64]
    error: float
    df: int
    S: int
    T: int

    @property
    def t(self) -> NDArray[np.float64]:
        """|difference| in standard errors of a difference; 0 without any. float (S - 1,)"""
        size = np.abs(self.difference)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(size > EQUAL, size / self.standard, 0.0)

    @property
    def standard(self) -> float:
        """The standard error of a difference."""
        return float(np.sqrt(2 * self.error / self.T))


def to_one(scores: NDArray[np.float64], baseline: int) -> ToOne | None:
    """The differences to one system; None below two topics. scores : float (S, T); baseline : its index"""
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    S, T = scores.shape
    if T < 2:
        return None
    analysis = Anova(scores[:, :, None], MODELS["MD1"])
    difference = np.delete(scores.mean(axis=1) - scores[baseline].mean(), baseline)
    return ToOne(difference, analysis.error, analysis.df("error"), S, T)


def dunnett(
    scores: NDArray[np.float64], baseline: int, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Dunnett's test of every other system against one that was chosen beforehand: p, and half the interval that holds
    for all of them together.

    scores : float (S, T); topics that do not count for every system are left out; baseline : the index of the one
    Any two of the t of `ToOne` correlate by .5 [Dun55]. Two float (S - 1,), NaN below two topics. METHODS 8.7.
    """
    if (to := to_one(scores, baseline)) is None:
        return np.full((2, len(scores) - 1), np.nan)  # type: ignore[return-value]
    k = to.S - 1
    critical = scipy.optimize.brentq(lambda at: largest_of_many(np.array([at]), k, to.df)[0] - (1 - level), 0, 1000)
    return np.clip(1 - largest_of_many(to.t, k, to.df), 0, 1), np.full(k, critical * to.standard)


def tukey_to_one(
    scores: NDArray[np.float64], baseline: int, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tukey's test of the same differences: p, and half the interval that holds for all pairs of systems together, so
    also for one that was chosen by its score.

    As `dunnett`, with the studentized range of S means in place of the largest of S - 1 t.
    """
    if (to := to_one(scores, baseline)) is None:
        return np.full((2, len(scores) - 1), np.nan)  # type: ignore[return-value]
    p = np.asarray(tukey.tukey_p(np.sqrt(2) * to.t, to.S, to.df))
    return p, np.full(to.S - 1, tukey.threshold(level, to.S, to.df) * to.standard / np.sqrt(2))


NODES = 96  # of each of two Gauss quadratures: 1e-8 of the probability


def largest_of_many(t: NDArray[np.float64], k: int, df: int) -> NDArray[np.float64]:
    """The probability that the largest of k |t| with a common error and a correlation of .5 is at most t. float (n,)

    With z the baseline's error and s that of the variance, the others are independent [Dun55].
    """
    (z, of_z), (u, of_u) = _nodes()
    s = np.sqrt(scipy.stats.chi2.ppf((u + 1) / 2, df) / df)
    reach = np.sqrt(2) * np.minimum(t, 1e6)[:, None, None] * s[:, None]
    inside = (scipy.special.ndtr(z + reach) - scipy.special.ndtr(z - reach)) ** k
    return inside @ of_z / np.sqrt(2 * np.pi) @ of_u / 2


@cache
def _nodes():
    """The nodes and weights of both quadratures, which take longer than all that is done with them."""
    return np.polynomial.hermite_e.hermegauss(NODES), np.polynomial.legendre.leggauss(NODES)


def _count(statistic, at_least):
    """How many columns of statistic(rows) reach the limit of each row, a few rows at a time. float (rows,)."""
    counts = np.empty(len(at_least))
    for first in range(0, len(at_least), PAIRS_AT_ONCE):
        rows = slice(first, first + PAIRS_AT_ONCE)
        counts[rows] = (statistic(rows) >= at_least[rows, None]).sum(axis=1)
    return counts


# ---------------------------------------------------------------------------------------------------------------------
# Corrections for asking about many pairs. Each takes and gives p-values (pairs,); NaN stays NaN and is not counted.


def uncorrected(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """No correction: every pair is tested as if it were the only one, so some of many pairs differ by chance."""
    return p


def bonferroni(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bonferroni's correction: each p times the number of pairs. It guards as Holm's does, and finds less.

    [Dun61]."""
    return np.minimum(p * len(p), 1.0)


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm's correction: the probability of even one false alarm among all pairs is at most the level.

    Step-down [Hol79]."""
    order = np.argsort(p)
    scaled = p[order] * np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected


def benjamini_hochberg(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Benjamini-Hochberg correction: the expected share of false alarms among significant pairs is at most the level.

    Step-up, for the false discovery rate [BH95]."""
    return scipy.stats.false_discovery_control(p, method="bh") if len(p) else p


def corrected(p: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """The p-values under the correction of this name."""
    function = row_of(CORRECTIONS, "correction", name).function
    known = ~np.isnan(p)
    result = np.full(len(p), np.nan)
    result[known] = function(p[known])
    return result


def stratified_test(first: NDArray[Any], second: NDArray[Any], size: NDArray[Any]) -> float:
    """The p-value of the Mantel-Haenszel test: are shares of two samples the same within every stratum? [MH59]

    first, second : how many of the `size` units of either sample have the property, by stratum. Without a continuity
        correction; NaN where no stratum has units with and without it
    """
    n, successes = 2 * size, first + second
    variance = share(successes * (n - successes), 4 * (n - 1)).sum()
    return float(scipy.stats.chi2.sf((first - successes / 2).sum() ** 2 / variance, 1)) if variance > 0 else np.nan


# ---------------------------------------------------------------------------------------------------------------------
# The tables


TESTS = registry.by_name(
    registry.Row("t", t_test, "paired t-test", "[Stu08]", "scipy.stats.ttest_rel"),
    registry.Row("wilcoxon", wilcoxon_test, "Wilcoxon signed-rank test", "[Wil45]", "scipy.stats.wilcoxon"),
    registry.Row("randomisation", randomisation_test, "randomisation test", "[SAC07]", "scipy.stats.permutation_test"),
    registry.Row("bootstrap", bootstrap_test, "bootstrap test", "[Sak06]"),
)
CORRECTIONS = registry.by_name(
    registry.Row("none", uncorrected, "uncorrected", oracle="the p-values"),
    registry.Row("bonferroni", bonferroni, "Bonferroni", "[Dun61]", "statsmodels.stats.multitest"),
    registry.Row("holm", holm, "Holm", "[Hol79]", "statsmodels.stats.multitest"),
    registry.Row("bh", benjamini_hochberg, "Benjamini-Hochberg", "[BH95]", "SciPy"),
)
