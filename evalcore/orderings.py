"""Orderings of systems by their mean scores: where each stands, and how far two orderings agree.

Means within 1e-12 of each other are equal: sums taken in another order are no difference.
"""

import numpy as np

EQUAL = 1e-12


def ranks(values):
    """1 + how many are higher. values : float (S,); int (S,), or float where a value and so its rank is NaN."""
    rank = 1 + _higher(values[None, :], values[:, None]).sum(axis=1)
    return np.where(np.isnan(values), np.nan, rank) if np.isnan(values).any() else rank


def best_ranks(lower, upper):
    """1 + how many are certainly higher: their lower end is above this upper end. float (S,); NaN without intervals."""
    certainly_above = _higher(lower[None, :], upper[:, None]).sum(axis=1)
    return np.where(np.isnan(upper), np.nan, 1.0 + certainly_above)


def worst_ranks(lower, upper):
    """How many are not certainly lower, itself included. float (S,); NaN without intervals."""
    certainly_below = _higher(lower[:, None], upper[None, :]).sum(axis=1)
    return np.where(np.isnan(lower), np.nan, np.count_nonzero(~np.isnan(lower)) - certainly_below)


def pairs_decided(lower, upper):
    """The share of pairs whose intervals are strictly apart, of all that have intervals; NaN without any. Two (S,)."""
    n = np.count_nonzero(~np.isnan(lower))
    return _higher(lower[:, None], upper[None, :]).sum() / (n * (n - 1) / 2) if n > 1 else np.nan


def kendall_tau(a, b):
    """(concordant - discordant) / pairs between two sets of mean scores (S,), of those in both; NaN without pairs.

    Lu, Moffat & Culpepper, SIGIR 2017, sec. 5: a tie in either is neither.
    """
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if len(a) < 2:
        return np.nan
    upper_triangle = np.triu_indices(len(a), 1)
    return float(np.mean(_signs(a)[upper_triangle] * _signs(b)[upper_triangle]))


def _higher(a, b):
    return a > b + EQUAL


def _signs(values):
    difference = values[:, None] - values[None, :]
    return np.sign(np.where(np.abs(difference) <= EQUAL, 0.0, difference))
