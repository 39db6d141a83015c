"""Rank models: the gain to expect at a rank, learnt from the ranks that were judged.

From [LMC16]. Each is a curve over ranks, fitted by least squares to what the contributing runs gained at ranks 1..d' on
average, `observed` (d',); it gives the gain at ranks 1..K, not clipped. Zipf and Weibull are a shape times a scale; for
a given shape the best scale has a closed form, so only the shape is searched for.
"""

import numpy as np
import scipy

from evalcore.names import Row, by_name


def linear(observed, K):
    """A straight line that does not rise: a k + c with a <= 0 and c >= 0."""
    ranks = np.arange(1, len(observed) + 1)
    centred = ranks - ranks.mean()
    spread = (centred**2).sum()
    slope = min((centred * observed).sum() / spread, 0.0) if spread else 0.0
    return observed.mean() + slope * (np.arange(1, K + 1) - ranks.mean())


EXPONENTS = np.linspace(0, 12, 241)


def zipf(observed, K):
    """A power of the rank: b / (k^c H) with b, c >= 0, H the sum of i^-c over the ranks 1..K."""
    step = EXPONENTS[1]
    start = EXPONENTS[np.argmin(_misfits(zipf_shape(len(observed), EXPONENTS), observed))]
    exponent = scipy.optimize.minimize_scalar(
        lambda c: _misfits(zipf_shape(len(observed), np.array([c])), observed)[0],
        bounds=(max(start - step, 0.0), start + step),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    return _scaled(lambda ranks: zipf_shape(ranks, np.array([exponent]))[0], observed, K)


def zipf_shape(ranks, exponents):
    """k^-c at the first ranks. float (shapes, ranks)."""
    return np.exp(-np.outer(exponents, np.log(np.arange(1, ranks + 1))))


# Starting points, over all widths and steepnesses that a curve down 1000 ranks can have.
WIDTHS, STEEPNESSES = np.meshgrid(np.geomspace(0.05, 1e5, 57), np.geomspace(0.1, 300, 41), indexing="ij")
STARTS = np.stack([WIDTHS.ravel(), STEEPNESSES.ravel()], axis=1)
POLISHED = 2  # of the starting points that fit better than those around them


def weibull(observed, K):
    """A discrete Weibull distribution, scaled: c (exp(-(x/a)^b) - exp(-((x+1)/a)^b)), x = k - 1, with a, b, c >= 0."""

    def misfit(logarithms):
        return _misfits(weibull_shape(len(observed), np.exp(logarithms)[None, :]), observed)[0]

    misfits = _misfits(weibull_shape(len(observed), STARTS), observed)
    search = {
        "method": "Nelder-Mead",
        "bounds": list(zip(*np.log([STARTS.min(axis=0), STARTS.max(axis=0)]), strict=True)),
        "options": {"xatol": 1e-5, "fatol": 1e-10},
    }
    hollows = np.flatnonzero(misfits <= _least_around(misfits))
    starts = hollows[np.argsort(misfits[hollows], kind="stable")[:POLISHED]]
    found = [scipy.optimize.minimize(misfit, start, **search) for start in np.log(STARTS[starts])]
    best = np.exp(min(found, key=lambda one: one.fun).x)
    return _scaled(lambda ranks: weibull_shape(ranks, best[None, :])[0], observed, K)


def _least_around(misfits):
    """The least of each starting point and those around it. float, as `misfits`."""
    return scipy.ndimage.minimum_filter(misfits.reshape(WIDTHS.shape), 3, mode="nearest").ravel()


def weibull_shape(ranks, shapes):
    """The curve with c = 1 for each (a, b), at the first ranks. float (shapes, ranks)."""
    a, b = shapes[:, :1], shapes[:, 1:]
    with np.errstate(over="ignore"):  # what is surely past is past
        survival = np.exp(-((np.arange(ranks + 1) / a) ** b))
    return survival[:, :-1] - survival[:, 1:]


def _misfits(shapes, observed):
    """What is left of the squares of `observed` (d',) by the best scale >= 0 of each shape (n, d'). float (n,)."""
    power = (shapes**2).sum(axis=1)
    explained = np.divide((shapes @ observed) ** 2, power, out=np.zeros(len(power)), where=power > 0)
    return observed @ observed - explained


def _scaled(shape, observed, K):
    """The shape over K ranks, times the scale that fits `observed` best."""
    curve = shape(max(K, len(observed)))
    near = curve[: len(observed)]
    power = near @ near
    return curve[:K] * ((near @ observed) / power if power > 0 else 0.0)


AIRS = {"source": "[LMC16]", "oracle": "scipy.optimize.least_squares from many starting points"}
RANK_MODELS = by_name(Row("linear", linear, **AIRS), Row("zipf", zipf, **AIRS), Row("weibull", weibull, **AIRS))
