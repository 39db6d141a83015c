"""Rank models: the expected gain at each rank, fitted to the judged ranks.

From [LMC16]. Each is a curve over ranks, fitted by least squares to what the contributing runs gained at ranks 1..d' on
average, `observed` (d',); it gives the gain at ranks 1..K, not clipped. Zipf and Weibull are a shape times a scale; for
a given shape the best scale has a closed form, so only the shape is searched for.
"""

import sys
from functools import lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.vocabulary.registry import Row, by_name


def linear(observed: NDArray[np.float64], K: int) -> NDArray[np.float64]:
    """A straight line that never rises: a k + c with a <= 0 and c >= 0."""
    ranks = np.arange(1, len(observed) + 1)
    centred = ranks - ranks.mean()
    spread = (centred**2).sum()
    slope = min((centred * observed).sum() / spread, 0.0) if spread else 0.0
    return observed.mean() + slope * (np.arange(1, K + 1) - ranks.mean())


EXPONENTS = np.linspace(0, 12, 241)


def zipf(observed: NDArray[np.float64], K: int) -> NDArray[np.float64]:
    """A power of the rank: b / (k^c H) with b, c >= 0, H the sum of i^-c over the ranks 1..K."""
    step = EXPONENTS[1]
    start = EXPONENTS[np.argmin(_misfits(_unit(zipf_shape(len(observed), EXPONENTS)), observed))]
    exponent = scipy.optimize.minimize_scalar(
        lambda c: _misfits(_unit(zipf_shape(len(observed), np.array([c]))), observed)[0],
        bounds=(max(start - step, 0.0), min(start + step, EXPONENTS[-1])),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    return _scaled(zipf_shape(max(K, len(observed)), np.array([exponent]))[0], observed, K)


def zipf_shape(ranks: int, exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """k^-c at the first ranks. float (shapes, ranks)."""
    return np.exp(-np.outer(exponents, np.log(np.arange(1, ranks + 1))))


# Starting points, over all widths and steepnesses that a curve down 1000 ranks can have.
WIDTHS, STEEPNESSES = np.meshgrid(np.geomspace(0.05, 1e5, 57), np.geomspace(0.1, 300, 41), indexing="ij")
STARTS = np.stack([WIDTHS.ravel(), STEEPNESSES.ravel()], axis=1)
FLATTEST, STEEPEST = np.log(STARTS.min(axis=0)), np.log(STARTS.max(axis=0))
POLISHED = 2  # of the starting points that fit better than those around them


def weibull(observed: NDArray[np.float64], K: int) -> NDArray[np.float64]:
    """A discrete Weibull distribution, scaled: c (exp(-(x/a)^b) - exp(-((x+1)/a)^b)), x = k - 1, with a, b, c >= 0."""
    misfits = _misfits(_unit_starts(len(observed)), observed)
    least_around = scipy.ndimage.minimum_filter(misfits.reshape(WIDTHS.shape), 3, mode="nearest").ravel()
    hollows = np.flatnonzero(misfits <= least_around)
    starts = hollows[np.argsort(misfits[hollows], kind="stable")[:POLISHED]]
    shapes = np.exp([_polished(start, observed) for start in np.log(STARTS[starts])])
    best = shapes[np.argmin(_misfits(_unit(weibull_shape(len(observed), shapes)), observed))]
    return _scaled(weibull_shape(max(K, len(observed)), best[None, :])[0], observed, K)


@lru_cache(maxsize=4)
def _unit_starts(ranks):
    """The curves of all starting points, each of length 1. float (starts, ranks)."""
    return _unit(weibull_shape(ranks, STARTS))


def _polished(start, observed):
    """The logarithms of (a, b) that fit best near a start. float (2,)."""
    if len(observed) < len(start):  # every curve goes through one point
        return start

    def left(logarithms):
        inside = np.exp(np.minimum(np.maximum(logarithms, FLATTEST), STEEPEST))  # as np.clip, in half the time
        curve = _unit(weibull_shape(len(observed), inside[None, :]))[0]
        return observed - curve * (curve @ observed)

    with np.errstate(over="ignore"):  # of a covariance that comes along
        fitted, *_ = scipy.optimize.leastsq(left, start, ftol=1e-13, xtol=1e-9, maxfev=300, full_output=True)
    return np.clip(fitted, FLATTEST, STEEPEST)


def weibull_shape(ranks: int, shapes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve with c = 1 for each (a, b), at the first ranks. float (shapes, ranks)."""
    a, b = shapes[:, :1], shapes[:, 1:]
    with np.errstate(over="ignore"):  # what is surely past is past
        power = np.minimum((np.arange(ranks + 1) / a) ** b, sys.float_info.max)
    before, after = power[:, :-1], power[:, 1:]
    return -np.expm1(before - after) * np.exp(-before)  # the difference would keep few of its digits


def _unit(shapes):
    """Each shape (n, d') made so long that the sum of its squares is 1; 0 where it is nothing."""
    highest = shapes.max(axis=1, keepdims=True)  # first, for the squares of small numbers are 0
    shapes = shapes / np.where(highest > 0, highest, 1.0)
    return shapes / np.sqrt(np.maximum((shapes**2).sum(axis=1, keepdims=True), 1))


def _misfits(units, observed):
    """What is left of the squares of `observed` (d',) by the best scale >= 0 of each shape (n, d'). float (n,)."""
    return observed @ observed - (units @ observed) ** 2


def _scaled(curve, observed, K):
    """The curve's first K ranks, times the scale that fits `observed` best."""
    unit = _unit(curve[None, : len(observed)])[0]
    top = np.argmax(unit)
    if not unit[top]:
        return np.zeros(K)
    with np.errstate(over="ignore"):  # of a curve that is nearly nothing where it was observed, and not further down
        return curve[:K] / curve[top] * unit[top] * (unit @ observed)


AIRS: dict[str, Any] = {"source": "[LMC16]", "oracle": "scipy.optimize.least_squares from many starting points"}
RANK_MODELS = by_name(Row("linear", linear, **AIRS), Row("zipf", zipf, **AIRS), Row("weibull", weibull, **AIRS))
