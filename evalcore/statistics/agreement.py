"""Agreement of raters on the same units, beyond what chance would give.

Of two raters the table `confusion` counts how often one gave a class and the other another: int (C, C), [i, j] = the
units that the first gave its i-th class and the second its j-th; the classes are the same for both, ascending.
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.vocabulary.validation import one_of

WEIGHTS = {"linear": np.abs, "quadratic": np.square}


def confusion(first: NDArray[np.intp], second: NDArray[np.intp], classes: NDArray[np.intp]) -> NDArray[np.intp]:
    """How often each class of the first meets each of the second. classes : C ascending values; int (C, C)."""
    at = np.searchsorted(classes, first) * len(classes) + np.searchsorted(classes, second)
    return np.bincount(at, minlength=len(classes) ** 2).reshape(len(classes), -1)


def kappa(confusion: NDArray[np.intp], apart: NDArray[np.float64]) -> float:
    """Agreement beyond chance: 1 - observed / expected disagreement; NaN where no disagreement is to be expected.

    apart : float (G, G), how bad it is to give one class for another: 1 off the diagonal for kappa [Coh60], else the
        weighted one [Coh68]
    """
    chance = np.outer(confusion.sum(axis=1), confusion.sum(axis=0)) / max(confusion.sum(), 1)
    expected = (chance * apart).sum()
    return float(1 - (confusion * apart).sum() / expected) if expected > 0 else np.nan


def nominal(classes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Disagreement matrix for plain kappa: 1 off the diagonal, 0 on it. float (G, G)."""
    return 1.0 - np.eye(len(classes))


def weighted(classes: NDArray[np.intp], weights: str) -> NDArray[np.float64]:
    """Disagreement matrix for weighted kappa: the linear or quadratic distance between grades. float (G, G)."""
    return WEIGHTS[weights](np.subtract.outer(classes, classes).astype(float))


def overlap(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """The share of what either says yes to that both do [Voo00]; NaN where neither does. bool, two."""
    either = np.count_nonzero(first | second)
    return np.count_nonzero(first & second) / either if either else np.nan


def alpha(values: NDArray[Any], level: str = "ordinal") -> float:
    """Krippendorff's alpha: 1 = the raters agree, 0 = as chance would have it, below 0 = they contradict each other.

    values : float (raters, units), NaN = not rated; units that fewer than two rated do not count
    level : of measurement. "nominal": two ratings differ or do not; "interval": by their squared difference;
        "ordinal": by the squared number of ratings between them, which is the difference of their mid-ranks
    1 - observed / expected disagreement [Kri11]. NaN where all ratings are the same, or none can be compared.
    """
    one_of("level", level, LEVELS)
    values = np.asarray(values, float)
    values = values[:, (~np.isnan(values)).sum(axis=0) > 1]
    rated = ~np.isnan(values)
    unit, ratings, n = np.nonzero(rated)[1], values[rated], np.count_nonzero(rated)
    if not n or np.all(ratings == ratings[0]):
        return np.nan
    apart, of = LEVELS[level]
    within, among = (apart(group, of(ratings)) for group in (unit, np.zeros(n, int)))
    observed, expected = np.sum(within / (rated.sum(axis=0) - 1)) / n, among[0] / (n * (n - 1))
    return float(1 - observed / expected)


def alpha_of_two(confusion: NDArray[Any]) -> float:
    """The same of two raters, ordinal, from the table of their classes. NaN where all ratings are the same.

    confusion : (C, C), the classes ascending; two ratings are as far apart as there are ratings between them [Kri11]
    """
    coincidences = confusion + confusion.T
    ratings = coincidences.sum(axis=0).astype(float)
    middle = np.cumsum(ratings) - ratings / 2
    apart = np.subtract.outer(middle, middle) ** 2
    expected = (np.outer(ratings, ratings) * apart).sum() / max(ratings.sum() - 1, 1)
    return float(1 - (coincidences * apart).sum() / expected) if expected > 0 else np.nan


def _unlike(group, category):
    """How many ordered pairs within each group are of two categories. float (groups,)."""
    size = np.bincount(group)
    cells = np.bincount(group * (category.max() + 1) + category).astype(float)
    same = np.bincount(np.arange(len(cells)) // (category.max() + 1), cells**2, minlength=len(size))
    return size.astype(float) ** 2 - same


def _squares(group, amounts):
    """The squared differences of the ordered pairs within each group, summed: 2 m times the squares about the mean."""
    size = np.bincount(group)
    mean = np.bincount(group, amounts) / np.maximum(size, 1)
    return 2 * size * np.bincount(group, (amounts - mean[group]) ** 2)


LEVELS = {  # how far two ratings are apart, and what of the ratings that is asked of
    "nominal": (_unlike, lambda ratings: np.unique(ratings, return_inverse=True)[1]),
    "ordinal": (_squares, lambda ratings: scipy.stats.rankdata(ratings)),  # loads it when it is first used
    "interval": (_squares, lambda ratings: ratings),
}
