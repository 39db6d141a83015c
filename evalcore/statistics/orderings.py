"""Orderings of systems by mean score: ranks, and how far two orderings agree.

Means within 1e-12 of each other are equal: sums taken in another order are no difference.
"""

from functools import wraps
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.shares import share
from evalcore.vocabulary.validation import EQUAL


def ranks(values: NDArray[np.float64]) -> NDArray[Any]:
    """1 + how many are higher. values : float (S,); int (S,), or float where a value and so its rank is NaN."""
    rank = 1 + _higher(values[None, :], values[:, None]).sum(axis=1)
    return np.where(np.isnan(values), np.nan, rank) if np.isnan(values).any() else rank


def best_ranks(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 + how many are certainly higher: their lower end is above this upper end. float (S,); NaN without intervals."""
    certainly_above = _higher(lower[None, :], upper[:, None]).sum(axis=1)
    return np.where(np.isnan(upper), np.nan, 1.0 + certainly_above)


def worst_ranks(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many are not certainly lower, itself included. float (S,); NaN without intervals."""
    certainly_below = _higher(lower[:, None], upper[None, :]).sum(axis=1)
    return np.where(np.isnan(lower), np.nan, np.count_nonzero(~np.isnan(lower)) - certainly_below)


def ranks_between(ahead: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The best and the worst rank of each: 1 + how many are certainly above it, and how many are not certainly below.

    ahead : float (S, S), by how much at least each is ahead of each other; NaN = unknown. Two float (S,).
    """
    unknown = np.isnan(np.diag(ahead))
    above = (ahead > EQUAL) & ~np.eye(len(ahead), dtype=bool)
    best, worst = 1.0 + above.sum(axis=0), np.count_nonzero(~unknown) - above.sum(axis=1)
    return np.where(unknown, np.nan, best), np.where(unknown, np.nan, worst)


def pairs_decided(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> float:
    """The share of pairs whose intervals are strictly apart, of all that have intervals; NaN without any. Two (S,)."""
    n = np.count_nonzero(~np.isnan(lower))
    return _higher(lower[:, None], upper[None, :]).sum() / (n * (n - 1) / 2) if n > 1 else np.nan


# ---------------------------------------------------------------------------------------------------------------------
# How far two orderings agree, by two sets of mean scores (S,). Systems without a score in either are left out; NaN
# where fewer than two are left.


def _of_both(measure):
    @wraps(measure)
    def of_known(a, b, **options):
        known = ~(np.isnan(a) | np.isnan(b))
        return measure(a[known], b[known], **options) if known.sum() > 1 else np.nan

    return of_known


@_of_both
def kendall_tau(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Kendall's tau-b: (concordant - discordant) pairs over the mean of those untied in a and untied in b, so that an
    ordering with ties agrees with itself by 1 [Ken45]; NaN where either is tied throughout."""
    a, b = _signs(a), _signs(b)
    untied = np.sqrt(float((a != 0).sum()) * float((b != 0).sum()))
    return float((a * b).sum() / untied) if untied else np.nan


def kendall_taus(a: NDArray[Any], many: NDArray[Any]) -> NDArray[Any]:
    """Kendall's tau-b of an ordering with each of many. a : float (S,); many : float (D, S); no NaN. float (D,)"""
    first, second = np.triu_indices(len(a), 1)

    def signs(values):
        difference = values[..., first] - values[..., second]
        return (difference > EQUAL).astype(np.float32) - (difference < -EQUAL)

    a, many = signs(a), signs(many)
    untied = np.sqrt(np.count_nonzero(a) * np.count_nonzero(many, axis=-1).astype(float))
    return share(many @ a, untied, without=np.nan)


@_of_both
def kendall_tau_a(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """(concordant - discordant) / pairs, a tie in either being neither [Ken38]."""
    return float((_signs(a) * _signs(b)).sum() / (len(a) * (len(a) - 1)))


@_of_both
def inversions(a: NDArray[np.float64], b: NDArray[np.float64]) -> int:
    """The number of swapped pairs; a tie in either ordering is not a swap."""
    return int((_signs(a) * _signs(b) < 0).sum() // 2)


@_of_both
def kendall_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The share of swapped pairs [LMC17, sec. 5]."""
    return inversions(a, b) / (len(a) * (len(a) - 1) / 2)


@_of_both
def tau_ap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """How well b agrees with the reference a, with more weight at b's top; not symmetric. 1 the same, -1 reversed.

    The mean, over the systems below b's first, of the share of those that b puts above them which a does too, from -1
    to 1. Systems stand in the order of their names, which decides between tied ones [YAR08].
    """
    in_a = np.argsort(ordering(a))[ordering(b)]  # where a puts the systems, in the order of b
    agreeing = np.tril(in_a[None, :] < in_a[:, None]).sum(axis=1)
    return float(2 * np.mean(agreeing[1:] / np.arange(1, len(in_a))) - 1)


@_of_both
def rank_biased_overlap(a: NDArray[np.float64], b: NDArray[np.float64], *, p: float = 0.9) -> float:
    """Rank-biased overlap of two orderings of the same systems, ties as in `tau_ap`. 0 to 1.

    [WMZ10, eq. 32] for two lists that both hold all S systems: what `overlap` extrapolates.
    """
    S = len(a)
    depth_of_both = np.maximum(np.argsort(ordering(a)), np.argsort(ordering(b)))
    depth = np.arange(1, S + 1)
    overlap = np.cumsum(np.bincount(depth_of_both, minlength=S)) / depth
    return float((1 - p) * (p ** (depth - 1) @ overlap) + p**S)


def ordering(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """The systems from the best to the worst, tied ones as they stand. int (S,)."""
    return np.argsort(ranks(values), kind="stable")


def certainties(mean: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
    """rho: how sure each pair is ordered, from -0.5 (the second is better) over 0 (equal) to 0.5. float (pairs,).

    mean, p : float (pairs,), the mean difference and its two-tailed p [LMC17, eq. 11]
    """
    return np.where(np.abs(mean) <= EQUAL, 0.0, np.sign(mean) * (1 - p) / 2)


def weighted_distance(rho: NDArray[np.float64], sigma: NDArray[np.float64], *, weight: int | str = 1) -> float:
    """The sum over pairs of how far two sets of certainties (pairs,) are apart [LMC17, eq. 11].

    weight : 1, or "rho" to weigh each pair by |rho|, the certainty in the reference
    Pairs without a certainty (fewer than two common topics) are left out; NaN where all are.
    """
    displacement = np.abs(rho - sigma) * (1 if weight == 1 else np.abs(rho))
    return float(np.nansum(displacement)) if np.any(~np.isnan(displacement)) else np.nan


def largest_distance(systems: int, *, weight: int | str = 1) -> float:
    """The largest weighted distance of two orderings of so many systems: 1 for each pair if all are certain in both and
    swapped, half of that with the weight "rho"."""
    return comb(systems, 2) * (1 if weight == 1 else 0.5)


def distance_per_pair(rho: NDArray[np.float64], sigma: NDArray[np.float64], *, weight: int | str = 1) -> float:
    """The same over the number of pairs that have a certainty in both, so that it compares across tracks."""
    return weighted_distance(rho, sigma, weight=weight) / max(int(np.count_nonzero(~np.isnan(rho + sigma))), 1)


def _signs(values):
    """Of the first system against the second: 1 higher, -1 lower, 0 equal. int8 (S, S)."""
    difference = values[:, None] - values[None, :]
    return (difference > EQUAL).astype(np.int8) - (difference < -EQUAL)


def _higher(a, b):
    return a > b + EQUAL
