"""Shares of a whole that may be 0."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def share(part: float | NDArray[Any], whole: float | NDArray[Any], *, without: float = 0.0) -> NDArray[np.float64]:
    """Each part over its whole; `without` where the whole is not positive. float, of the shape of `part`."""
    return np.divide(part, whole, out=np.full(np.shape(part), without), where=np.greater(whole, 0))


def mean_of_known(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over the first axis of what is known; NaN where nothing is. (N, depths) to (depths,)."""
    known = ~np.isnan(values)
    return share(np.where(known, values, 0).sum(axis=0), known.sum(axis=0), without=np.nan)
