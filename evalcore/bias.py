"""Bias: what a system that did not help to build the pool loses by it. Webber & Park, SIGIR 2009.

A system is *unpooled* when the judgments that it alone brought into the pool are taken away: documents that it has
among its first d and no other contributing run has among its own.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

NOBODY = -1


def sole_owners(items, owners):
    """Who alone brought each item into the pool. int (N,); `NOBODY` where none did, or several.

    items : (int (R, ...), N): item codes of R runs down to the pool's depth, and how many codes there are
    owners : int (R,), whose each run is
    """
    codes, size = items
    owner = np.broadcast_to(np.reshape(owners, (-1, *(1,) * (codes.ndim - 1))), codes.shape)
    sole = np.full(size, NOBODY)
    sole[codes] = owner  # one of them, whichever comes last
    sole[codes[sole[codes] != owner]] = NOBODY
    sole[0] = NOBODY
    return sole


@dataclass(frozen=True)
class Adjusted:
    """A score with an adjustment for bias and the interval of the adjusted score."""

    unadjusted: float
    adjustment: float
    lower: float
    upper: float
    n: int

    @property
    def adjusted(self):
        """The score with the adjustment added."""
        return self.unadjusted + self.adjustment


def from_systems(unadjusted, biases, level):
    """The adjustment by the mean bias of the pooled systems (algorithm 1), with the t interval of that mean.

    biases : float (systems,)
    """
    n, mean = len(biases), float(np.mean(biases))
    half = stats.t.ppf(1 - level / 2, n - 1) * np.std(biases, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return Adjusted(unadjusted, mean, unadjusted + mean - half, unadjusted + mean + half, n)


@dataclass(frozen=True)
class FromTopics(Adjusted):
    """With two answers on whether it is likely to help (eqs 3, 5 and 6)."""

    helps_over_unadjusted: bool
    helps_over_common: bool


def from_topics(true, unpooled, everywhere, level, *, method="t", seed=0, resamples=10_000):
    """The adjustment by the mean bias on common topics, where the system is fully judged (algorithm 2).

    true, unpooled : float (n,), its scores on the common topics with and without what it alone brought
    everywhere : float (N,), its unpooled scores on all topics
    method : of the interval: "t" (n - 1 degrees of freedom), or "bootstrap" over the common topics
    """
    bias = true - unpooled
    n, N = len(bias), len(everywhere)
    adjustment, unadjusted = float(bias.mean()), float(everywhere.mean())
    spread = np.sum((true - (unpooled + adjustment)) ** 2) / (n - 1) if n > 1 else np.nan
    deviation = np.sqrt((N - n) / N * spread / n)
    if method == "t":
        half = stats.t.ppf(1 - level / 2, n - 1) * deviation if n > 1 else np.nan
        ends = (-half, half)
    elif method == "bootstrap":
        drawn = np.random.default_rng(seed).integers(0, n, (resamples, n))
        off = (bias[drawn].mean(axis=1) - adjustment) * np.sqrt((N - n) / N)
        ends = np.quantile(off, [level / 2, 1 - level / 2])
    else:
        raise ValueError(f"no method {method!r}. Known: t, bootstrap.")
    adjusted = unadjusted + adjustment
    return FromTopics(
        unadjusted,
        adjustment,
        float(adjusted + ends[0]),
        float(adjusted + ends[1]),
        n,
        helps_over_unadjusted=bool(deviation < abs(adjustment)),
        helps_over_common=bool(spread < np.var(true, ddof=1)) if n > 1 else False,
    )
