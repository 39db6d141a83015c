"""Agreement of two sets of judgments, from the table that counts how often one gave a grade and the other another.

confusion : int (G, G), [i, j] = the documents that the first gave its i-th class and the second its j-th; the classes
are the same for both, ascending.
"""

import numpy as np

WEIGHTS = {
    "linear": lambda apart: np.abs(apart),
    "quadratic": lambda apart: apart**2,
}


def confusion(first, second, classes):
    """How often each class of the first meets each of the second. classes : C ascending values; int (C, C)."""
    at = np.searchsorted(classes, first) * len(classes) + np.searchsorted(classes, second)
    return np.bincount(at, minlength=len(classes) ** 2).reshape(len(classes), -1)


def kappa(confusion, apart):
    """Agreement beyond chance: 1 - observed / expected disagreement; NaN where no disagreement is to be expected.

    apart : float (G, G), how bad it is to give one class for another: 1 off the diagonal for Cohen's kappa (1960), else
        the weighted one (1968)
    """
    chance = np.outer(confusion.sum(axis=1), confusion.sum(axis=0)) / max(confusion.sum(), 1)
    expected = (chance * apart).sum()
    return float(1 - (confusion * apart).sum() / expected) if expected > 0 else np.nan


def nominal(classes):
    """Every class is as far from every other. float (G, G)."""
    return 1.0 - np.eye(len(classes))


def weighted(classes, weights):
    """Classes are apart by their difference, or by its square. float (G, G)."""
    if weights not in WEIGHTS:
        raise ValueError(f"weights={weights!r} is not known. Known: {', '.join(WEIGHTS)}.")
    values = np.array(classes, float)
    return WEIGHTS[weights](values[:, None] - values[None, :])


def ordinal_alpha(confusion):
    """Krippendorff's alpha for ordered classes; NaN where all judgments are of one class."""
    coincidences = (confusion + confusion.T).astype(float)
    n = coincidences.sum(axis=1)
    up_to = np.cumsum(n) - n / 2  # the ranks of the classes
    apart = (up_to[:, None] - up_to[None, :]) ** 2
    expected = (np.outer(n, n) * apart).sum() / max(n.sum() - 1, 1)
    return float(1 - (coincidences * apart).sum() / expected) if expected > 0 else np.nan


def overlap(first, second):
    """The share of what either says yes to that both do (Voorhees, IPM 2000); NaN where neither does. bool, two."""
    either = np.count_nonzero(first | second)
    return np.count_nonzero(first & second) / either if either else np.nan
