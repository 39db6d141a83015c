"""The bootstrap over topics: the range of ranks and of means of systems when topics are resampled."""

import numpy as np

from evalcore.statistics.orderings import ranks

AT_ONCE = 1 << 24  # draws of topics in memory


def bootstrapped_means(scores, level, *, seed=0, resamples=10_000):
    """The level / 2 and 1 - level / 2 quantiles of each system's mean over resamples of the topics. float (2, R).

    scores : float (R, T)
    """
    T = scores.shape[1]
    rng, step = np.random.default_rng(seed), max(1, AT_ONCE // T)
    counts = [min(step, resamples - first) for first in range(0, resamples, step)]
    means = [scores @ rng.multinomial(T, np.full(T, 1 / T), size=count).T / T for count in counts]
    return np.quantile(np.concatenate(means, axis=1), [level / 2, 1 - level / 2], axis=1)


def bootstrapped(scores, level, *, seed=0, resamples=2000):
    """The level / 2 and 1 - level / 2 quantiles of each system's rank over resamples of the topics. float (2, R).

    scores : float (R, T), NaN where a topic does not count
    """
    T = scores.shape[1]
    drawn = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=resamples)
    counted = ~np.isnan(scores)
    means = np.nan_to_num(scores) @ drawn.T / np.maximum(counted @ drawn.T, 1)
    placed = np.array([ranks(one) for one in means.T])
    return np.quantile(placed, [level / 2, 1 - level / 2], axis=0, method="inverted_cdf")
