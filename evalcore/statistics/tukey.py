"""Tukey's HSD: how wide a range of means, in standard errors, is met by chance (the studentized range) [Tuk], and the
same by exchanging scores at random. Which systems differ by it, under which model, is in `anova`."""

import warnings
from functools import cache

import numpy as np
import scipy
from numpy.typing import NDArray


@cache
def threshold(level: float, systems: int, df: int) -> float:
    """The range that so many means exceed with this probability: found from Bonferroni's bound by a secant."""
    bound = np.sqrt(2) * scipy.stats.t.isf(level / (systems * (systems - 1)), df)

    def off(q):
        return np.log(exceeded(np.array([q]), systems, df)[0] / level)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of integrals far out, and of a secant that leads nowhere
        root = scipy.optimize.root_scalar(off, method="secant", x0=bound, x1=0.98 * bound, xtol=1e-11)
        if root.converged and abs(off(root.root)) < 1e-9:
            return float(root.root)
        return float(scipy.stats.studentized_range.ppf(1 - level, systems, df))


def tukey_p(q: NDArray[np.float64], systems: int, df: int) -> float | NDArray[np.float64]:
    """The probability of a range at least q wide among so many means. float, of the shape of q.

    Interpolated between values on a grid; to about 1e-5 of p, and no less than 1e-10.
    """
    grid, logarithm = _tail(systems, df)
    return np.exp(scipy.interpolate.PchipInterpolator(grid, logarithm)(np.clip(q, 0, grid[-1])))


SURE, FINE, POINTS = 1e-10, 0.05, 400  # p that is negligible, the first step of q, and how many steps at most


@cache
def _tail(systems, df):
    """q and log p from 0 to where p is negligible."""
    grid = [0.0]
    while len(grid) < POINTS:
        grid.append(grid[-1] + FINE * max(1.0, grid[-1] / 4))
    tail = np.minimum.accumulate([1.0, *exceeded(np.array(grid[1:]), systems, df)])
    ends = 1 + np.count_nonzero(tail > SURE)
    return np.array(grid[:ends]), np.log(np.maximum(tail[:ends], SURE))


REACH, STEPS, NODES = 16.0, 400, 300  # a range of normal deviates that is never met; points below it; of an integral
AROUND = 12  # standard deviations of an estimate of the error, beyond which it is never met


def exceeded(q: NDArray[np.float64], systems: int, df: int) -> NDArray[np.float64]:
    """The probability that the studentized range of so many means exceeds each q. float, as q, which are above 0.

    SciPy's `studentized_range.sf`, to 1e-11, by Gauss-Legendre quadrature of all q at once; SciPy takes some 20 ms for
    each. With s the estimate of a standard deviation of 1, p = E[P(range of normal deviates > q s)].
    """
    at = (df / (df + q**2 / 2)) ** 0.5  # near where the integrand is largest
    low = np.maximum(at - AROUND / (2 * df) ** 0.5, 0)
    s, weight = _gauss(low, np.maximum(low, np.minimum(1 + AROUND / (2 * df) ** 0.5, REACH / q)))
    density = np.log(2) + df / 2 * np.log(df / 2) - scipy.special.gammaln(df / 2) + (df - 1) * np.log(s) - df * s**2 / 2
    return (weight * np.exp(density + _normal_range(systems)(s * q[:, None]))).sum(axis=1)


@cache
def _normal_range(systems):
    """The logarithm of the probability that the range of so many normal deviates exceeds r, as a spline over r up to
    REACH: the largest is at z, and not all others lie within r below it."""
    r = np.linspace(0, REACH, STEPS)
    z, weight = _gauss(np.full(STEPS, -9.0), 9 + r / 2)
    below = scipy.special.log_ndtr(z)
    beyond = np.minimum(np.exp(scipy.special.log_ndtr(z - r[:, None]) - below), 1)
    with np.errstate(divide="ignore"):  # at r = 0 all others lie beyond
        some = -np.expm1((systems - 1) * np.log1p(-beyond))
    largest = systems / (2 * np.pi) ** 0.5 * np.exp((systems - 1) * below - z**2 / 2)
    return scipy.interpolate.make_interp_spline(r, np.log((weight * largest * some).sum(axis=1)), k=5)


def _gauss(low, high):
    """Nodes and weights of an integral from each low to its high. float (n, NODES)"""
    x, weight = _nodes()
    half = ((high - low) / 2)[:, None]
    return low[:, None] + half * (1 + x), half * weight


@cache
def _nodes():
    return np.polynomial.legendre.leggauss(NODES)


def randomised_tukey(scores: NDArray[np.float64], *, seed: int = 0, resamples: int = 1000) -> NDArray[np.float64]:
    """The same test without its assumptions: how often the systems' scores, exchanged at random within every topic and
    shard, give a range of means at least as wide as each pair's difference.

    -> the widest ranges, ascending, float (resamples,) [Car12].
    """
    rng = np.random.default_rng(seed)
    cells = scores.reshape(len(scores), -1)
    means = (rng.permuted(cells, axis=0).mean(axis=1) for _ in range(resamples))
    return np.sort([mean.max() - mean.min() for mean in means])
