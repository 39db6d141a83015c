"""The range of ranks of systems when topics are resampled: the bootstrap over topics."""

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.orderings import ranks


def bootstrapped(
    scores: NDArray[np.float64], level: float, *, seed: int = 0, resamples: int = 2000
) -> NDArray[np.intp]:
    """The level / 2 and 1 - level / 2 quantiles of each system's rank over resamples of the topics. float (2, R).

    scores : float (R, T), NaN where a topic does not count
    """
    T = scores.shape[1]
    drawn = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=resamples)
    counted = ~np.isnan(scores)
    means = np.nan_to_num(scores) @ drawn.T / np.maximum(counted @ drawn.T, 1)
    placed = np.array([ranks(row) for row in means.T])
    return np.quantile(placed, [level / 2, 1 - level / 2], axis=0, method="inverted_cdf")
