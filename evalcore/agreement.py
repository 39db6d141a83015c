"""Agreement of raters on the same units, beyond what chance would give."""

import numpy as np
from scipy import stats


def alpha(values, level="ordinal"):
    """Krippendorff's alpha: 1 = the raters agree, 0 = as chance would have it, below 0 = they contradict each other.

    values : float (raters, units), NaN = not rated; units that fewer than two rated do not count
    level : of measurement. "nominal": two ratings differ or do not; "interval": by their squared difference;
        "ordinal": by the squared number of ratings between them, which is the difference of their mid-ranks
    1 - observed / expected disagreement (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011). NaN where all
    ratings are the same, or none can be compared.
    """
    if level not in LEVELS:
        raise ValueError(f"level={level!r} is not known. Known: {', '.join(LEVELS)}.")
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


def _unlike(group, category):
    """How many ordered pairs within each group are of two categories. float (groups,)."""
    held = np.bincount(group)
    cells = np.bincount(group * (category.max() + 1) + category).astype(float)
    same = np.bincount(np.arange(len(cells)) // (category.max() + 1), cells**2, minlength=len(held))
    return held.astype(float) ** 2 - same


def _squares(group, amounts):
    """The squared differences of the ordered pairs within each group, summed: 2 m times the squares about the mean."""
    held = np.bincount(group)
    mean = np.bincount(group, amounts) / np.maximum(held, 1)
    return 2 * held * np.bincount(group, (amounts - mean[group]) ** 2)


LEVELS = {  # how far two ratings are apart, and what of the ratings that is asked of
    "nominal": (_unlike, lambda ratings: np.unique(ratings, return_inverse=True)[1]),
    "ordinal": (_squares, stats.rankdata),
    "interval": (_squares, lambda ratings: ratings),
}
