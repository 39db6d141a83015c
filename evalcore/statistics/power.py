"""How many topics a paired t-test needs to find a difference, and how often it finds one with those at hand."""

import numpy as np
import scipy

FEWEST, MOST = 2, 10**6  # topics


def power(effect: float, topics: int, level: float) -> float:
    """How often a two-tailed paired t-test finds an effect. float, shaped as the arguments together

    effect : the mean difference in standard deviations of the differences; topics : int, at least 2 [Sak16]
    """
    df = np.asarray(topics) - 1
    critical, shift = scipy.stats.t.ppf(1 - level / 2, df), np.asarray(effect) * np.sqrt(topics)
    other_tail = np.nan_to_num(scipy.stats.nct.cdf(-critical, df, shift))  # SciPy has no number for what is below 1e-15
    return scipy.stats.nct.sf(critical, df, shift) + other_tail


def topics_needed(effect: float, wanted: float, level: float) -> float:
    """The fewest topics with which the test finds an effect so often; NaN for more than a million."""
    low, high = FEWEST - 1, FEWEST
    while power(effect, high, level) < wanted:
        low, high = high, high * 2
        if high > MOST:
            return np.nan
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(effect, middle, level) >= wanted else (middle, high)
    return high


def smallest_effect(topics: int, wanted: float, level: float) -> float:
    """The effect that the test finds so often with these topics."""
    return scipy.optimize.brentq(lambda effect: power(effect, topics, level) - wanted, 0, 1000)
