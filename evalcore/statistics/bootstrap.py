"""The bootstrap over topics: where the mean of each system falls when topics are drawn again."""

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 1 << 24  # draws of topics in memory


def bootstrapped_means(
    scores: NDArray[np.float64], level: float, *, seed: int = 0, resamples: int = 10_000
) -> NDArray[np.float64]:
    """The level / 2 and 1 - level / 2 quantiles of each system's mean over resamples of the topics. float (2, R).

    scores : float (R, T)
    """
    T = scores.shape[1]
    rng, step = np.random.default_rng(seed), max(1, AT_ONCE // T)
    counts = [min(step, resamples - first) for first in range(0, resamples, step)]
    means = [scores @ rng.multinomial(T, np.full(T, 1 / T), size=count).T / T for count in counts]
    return np.quantile(np.concatenate(means, axis=1), [level / 2, 1 - level / 2], axis=1)
