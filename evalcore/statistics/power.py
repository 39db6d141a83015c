"""How many topics a comparison of systems needs, and what it finds with those at hand [Sak16].

An effect is a difference of means in standard deviations; `topics` is a whole number of at least 2.
"""

from collections.abc import Callable

import numpy as np
import scipy

DESIGNS = ("t", "anova", "width")
FEWEST, MOST = 2, 10**6  # topics


def power(effect: float, topics: int, level: float) -> float:
    """How often a two-tailed paired t-test finds an effect. float, shaped as the arguments together

    effect : the mean difference in standard deviations of the differences
    """
    df = np.asarray(topics) - 1
    critical, shift = scipy.stats.t.ppf(1 - level / 2, df), np.asarray(effect) * np.sqrt(topics)
    other_tail = np.nan_to_num(scipy.stats.nct.cdf(-critical, df, shift))  # SciPy has no number for what is below 1e-15
    return scipy.stats.nct.sf(critical, df, shift) + other_tail


def power_among(effect: float, topics: int, level: float, systems: int) -> float:
    """How often a one-way analysis of variance finds that systems differ if the best and the worst do by an effect: the
    least, when all others are half-way between them.

    effect : that difference in standard deviations within systems
    """
    between, within = systems - 1, systems * (topics - 1)
    critical = scipy.stats.f.ppf(1 - level, between, within)
    return float(scipy.stats.ncf.sf(critical, between, within, topics * effect**2 / 2))


def width(topics: int, level: float) -> float:
    """How wide the t interval of a mean difference is on average, in standard deviations of the differences."""
    shrunk = np.exp(scipy.special.gammaln(topics / 2) - scipy.special.gammaln((topics - 1) / 2))
    deviation = shrunk * np.sqrt(2 / (topics - 1))  # of a sample, on average
    return 2 * scipy.stats.t.ppf(1 - level / 2, topics - 1) * deviation / np.sqrt(topics)


def fewest(enough: Callable[[int], bool]) -> float:
    """The fewest topics that are enough, where more always are, too; NaN for more than a million."""
    low, high = FEWEST - 1, FEWEST
    while not enough(high):
        low, high = high, high * 2
        if high > MOST:
            return np.nan
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_effect(found: Callable[[float], float], wanted: float) -> float:
    """The effect that is found as often as wanted, 0 if chance finds one so often. found : effect -> how often"""
    if found(0) >= wanted:
        return 0.0
    high = 1.0
    while found(high) < wanted:
        high *= 2
    return scipy.optimize.brentq(lambda effect: found(effect) - wanted, 0, high)
