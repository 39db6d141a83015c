"""Shares of a whole that may be 0."""

import numpy as np


def share(part, whole, *, without=0.0):
    """Each part over its whole; `without` where the whole is not positive. float, of the shape of `part`."""
    return np.divide(part, whole, out=np.full(np.shape(part), without), where=np.greater(whole, 0))
