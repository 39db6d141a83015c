"""Two-stage estimates: the gain of an unjudged document from the ranks that all contributing runs gave it.

From [LMC17, sec. 4]. Stage 1, for each rank model: a document's gain is a weighted mean over the runs of the gain that
the model expects where that run put it. Stage 2: a weighted mean of the three. The weights are not negative, sum to 1,
and make the judged documents' gains come out as well as a loss can measure.
"""

from collections.abc import Callable, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY
from evalcore.estimating.evidence import Evidence
from evalcore.estimating.rank_models import RANK_MODELS

# ---------------------------------------------------------------------------------------------------------------------
# Losses. Each gives the weights (m,) of the columns of `predicted` that it likes best.
#
# predicted : float (D, m), gains of D judged documents; gain : float (D,), what they really are
# weight : float (D, n), the metric's weight where each of n runs put each document, 0 where it did not retrieve it


def by_score(
    predicted: NDArray[np.float64], gain: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The model weights that minimise L_a [LMC17, eq. 7]: the squared error of each run's score, summed over runs."""
    return simplex_weights(weight.T @ (predicted - gain[:, None]))


def by_document(
    predicted: NDArray[np.float64], gain: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """L_b: the root of each run's summed squared weighted errors, summed over runs.

    Not eq. 8 as printed: the published table follows this form. A sum of roots is minimised by least squares whose
    terms are weighted again in each round, with the latest roots.
    """
    error = predicted - gain[:, None]
    squared = weight**2
    of_run = np.ones(weight.shape[1])
    best, lowest = of_run, np.inf
    for _ in range(ROUNDS):
        weights = simplex_weights(np.sqrt((squared / of_run).sum(axis=1))[:, None] * error)
        roots = np.sqrt(squared.T @ (error @ weights) ** 2)
        loss, before = roots.sum(), lowest
        if loss < lowest:
            best, lowest = weights, loss
        if loss == 0 or loss > before * (1 - CLOSE):
            break
        of_run = np.maximum(roots, loss * TINY)
    return best


ROUNDS, CLOSE, TINY = 1000, 1e-11, 1e-12


def by_document_as_printed(
    predicted: NDArray[np.float64], gain: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Eq. 8 as printed: each document's squared error, by the square of its weight summed over runs."""
    return simplex_weights(weight.sum(axis=1)[:, None] * (predicted - gain[:, None]))


def simplex_weights(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """The w >= 0 with sum 1 that makes |C w| least. C : float (rows, m); float (m,).

    Exact: of |C w|^2 + s^2 (1'w - 1)^2, every s > 0 makes the least w point the same way.
    """
    size = np.abs(C).max(initial=0)
    if size == 0:
        return np.full(C.shape[1], 1 / C.shape[1])
    system, target = np.ones((len(C) + 1, C.shape[1])), np.zeros(len(C) + 1)
    np.divide(C, size, out=system[:-1])
    target[-1] = 1.0
    solution, _ = scipy.optimize.nnls(system, target, maxiter=50 * C.shape[1])
    return solution / solution.sum()


# ---------------------------------------------------------------------------------------------------------------------
# Stages


def document_gains(
    evidence: Evidence, loss: Callable[..., NDArray[np.float64]], weights: NDArray[np.float64]
) -> Sequence[NDArray[np.float64]]:
    """The gain to expect at ranks 1..K, and of the topic's items, NaN where no contributing run retrieved one: float
    (K,) and (items,); the first alone where no run retrieved a judged document.

    loss : one of the functions above; weights : float (K,), of ranks, in the loss
    """
    pooled, curves = evidence.pooled, [evidence.curve(model) for model in RANK_MODELS]
    run, rank = np.nonzero(~np.isnan(evidence.gain[pooled]) & (pooled != EMPTY))
    first, size = evidence.items.start, evidence.items.stop - evidence.items.start
    if not len(run):  # nothing to learn from
        return [np.mean(curves, axis=0)]
    items = pooled[run, rank] - first
    judged = np.bincount(items) > 0
    place = (np.cumsum(judged) - 1)[items]
    gain = evidence.gain[first + np.flatnonzero(judged)]
    weight = np.zeros((len(gain), len(pooled)))
    weight[place, run] = weights[rank]
    expected, by_model = [], np.empty((len(gain), len(curves)))
    for model, curve in enumerate(curves):
        predicted = np.full(weight.shape, curve[-1])  # a run that did not retrieve it: as at its last rank
        predicted[place, run] = curve[rank]
        of_run = loss(predicted, gain, weight)
        by_model[:, model] = predicted @ of_run
        expected.append(_weighted_mean(evidence, curve, of_run))
    mix = loss(by_model, gain, weight)
    unmet = np.ones(size, bool)
    unmet[pooled[pooled != EMPTY] - first] = False
    return mix @ np.array(curves), np.where(unmet, np.nan, mix @ np.array(expected))


def _weighted_mean(evidence, curve, of_run):
    """By item of the topic: the mean over runs of the curve where each put it. float (items,)."""
    runs = np.flatnonzero(of_run)
    run, rank = np.nonzero(evidence.pooled[runs] != EMPTY)
    item = evidence.pooled[runs][run, rank] - evidence.items.start
    more = of_run[runs][run] * (curve[rank] - curve[-1])
    return curve[-1] + np.bincount(item, weights=more, minlength=evidence.items.stop - evidence.items.start)
