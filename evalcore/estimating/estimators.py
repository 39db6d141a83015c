"""Point estimates inside an interval: what to report when some documents are not judged.

The first six are formulas of the interval ([RM10, sec. 3]; `rm` is [LMC17, eq. 4]): B is the score with unjudged
documents as not relevant, D the share of the metric's weight that is not known. The others are models [LMC16]; [LMC17]:
they expect a gain of every unjudged document, and need a weighted-precision metric to weigh it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.shares import share
from evalcore.collection.track import EMPTY
from evalcore.estimating import two_stage
from evalcore.estimating.evidence import Evidence
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import rbp_weights
from evalcore.vocabulary import registry
from evalcore.vocabulary.validation import EQUAL


def lowest(B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unjudged documents are not relevant."""
    return B


def uppermost(B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unjudged documents all have the highest gain."""
    return T


def background(
    B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64], *, E: float = 0.05
) -> NDArray[np.float64]:
    """Every unjudged document has the same small gain E: the probability that any document is relevant."""
    return B + D * E


def interpolated(
    B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64], *, C: float = 0.42, E: float = 0.01
) -> NDArray[np.float64]:
    """Unjudged documents gain C times the mean gain of the judged ones in the same ranking; E if none is judged."""
    known = 1 - D
    judged = known > EQUAL
    return np.where(judged, B + C * D * np.divide(B, known, out=np.zeros_like(B), where=judged), E)


def smoothed(
    B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64], *, C: float = 0.91, E: float = 0.05
) -> NDArray[np.float64]:
    """Close to interpolated where much of a ranking is judged, and close to background where little is.

    (1 - D) times interpolated plus D times background.
    """
    return B + C * D * B + D**2 * E


def rank_model(B: NDArray[np.float64], T: NDArray[np.float64], D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unjudged documents gain as much as the judged ones in the same ranking on average. Interpolated with C = 1."""
    return interpolated(B, T, D, C=1.0)


# ---------------------------------------------------------------------------------------------------------------------
# Models: the gain to expect of the document at every place of the rankings of one topic. float (m, K).
#
# evidence : see `evidence.Evidence`; weights : float (K,), the metric's, by rank
# theta : a topic is left at its lower end unless gamma, which tells how unevenly its relevant documents are met, is
#     above; 0 adjusts every topic [LMC17, eq. 10]
#
# All assume that the contributing runs were judged down to rank d', which is where the curves are learnt. Empty ranks
# and the tail gain nothing.


def linear(evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0) -> Sequence[NDArray[np.float64]]:
    """The gain of an unjudged document depends on its rank: a straight line fitted to the mean gains at judged ranks.

    The same for every run; exact if the gain falls linearly."""
    return [evidence.curve("linear")]


def zipf(evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0) -> Sequence[NDArray[np.float64]]:
    """The gain of an unjudged document depends on its rank: a power law fitted to the mean gains at judged ranks.

    The same for every run."""
    return [evidence.curve("zipf")]


def weibull(evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0) -> Sequence[NDArray[np.float64]]:
    """The gain of an unjudged document depends on its rank: a Weibull curve fitted to the mean gains at judged ranks.

    The same for every run. Where the observed gain hardly falls, many parameters fit equally well, and the expected
    gain further down is uncertain.
    """
    return [evidence.curve("weibull")]


def two_stage_a(
    evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0, weigh: str | None = None
) -> Sequence[NDArray[np.float64]]:
    """The gain of an unjudged document depends on its ranks in all contributing runs, fitted to the scores of the runs.

    Loss L_a; for a document that no contributing run retrieved, the gain depends on its own rank.

    weigh : the weights of ranks in the loss: None = RBP(0.95)'s, or "own" = those of the metric
    """
    return _two_stage(evidence, two_stage.by_score, weights, weigh)


def two_stage_b(
    evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0, weigh: str | None = None
) -> Sequence[NDArray[np.float64]]:
    """The gain of an unjudged document depends on its ranks in all contributing runs, fitted to judged documents.

    Loss L_b, in the form that the published table follows: the sum over runs of the root of the summed squared weighted
    errors."""
    return _two_stage(evidence, two_stage.by_document, weights, weigh)


def two_stage_b_printed(
    evidence: Evidence, weights: NDArray[np.float64], *, theta: float = 0.0, weigh: str | None = None
) -> Sequence[NDArray[np.float64]]:
    """The same as two-stage-b, but fitted with the formula as printed in the paper.

    Loss L_b as in eq. 8: a sum of squares."""
    return _two_stage(evidence, two_stage.by_document_as_printed, weights, weigh)


def _two_stage(evidence, loss, weights, weigh):
    """The weights of ranks in the loss are RBP(0.95)'s [LMC17, sec. 6], whatever the metric, or the metric's own."""
    K = evidence.pooled.shape[1]
    if weigh == "own":
        return two_stage.document_gains(evidence, loss, weights[:K])
    usual = rbp_weights(np.arange(K), p=0.95)
    return evidence.once(loss.__name__, lambda: two_stage.document_gains(evidence, loss, usual))


def modelled(
    text: str, evidence: Evidence, rankings: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the model named `text` adds to the lower end of each ranking's score. float (m,).

    A model scores K ranks, as many as the longest contributing ranking has: what a longer one gains further down is
    taken off.
    rankings : int (m, K'), items; weights : float, of as many ranks as they have or more
    """
    row, values = estimator_named(text)
    if not evidence.adjusted(values["theta"]):
        return np.zeros(len(rankings))
    gains = evidence.at_places(rankings, *row.function(evidence, weights, **values))
    weights, K = weights[: rankings.shape[1]], evidence.pooled.shape[1]
    known = evidence.gain[rankings]
    further_down = np.nan_to_num(known[:, K:]) @ weights[K:]
    unjudged = np.isnan(known) & (rankings != EMPTY)
    return (unjudged * gains)[:, :K] @ weights[:K] - further_down


# ---------------------------------------------------------------------------------------------------------------------
# The table


@dataclass(frozen=True, kw_only=True)
class Estimator(registry.Row):
    """One row of the table of estimators.

    function : of (B, T, D, *, ...), arrays of one shape, or, for a model, of (evidence, weights, *, theta, ...) to
        what `Evidence.at_places` takes
    label, plainly : how it counts unjudged documents, as terms say it, and where that differs, in everyday words
    compared : whether it is among those that are usually compared
    """

    plainly: str = ""
    model: bool = False
    compared: bool = False


CONSTANT = (lambda value: isinstance(value, float) and 0 <= value <= 1, "a number from 0 to 1")
NOT_NEGATIVE = (lambda value: isinstance(value, float) and 0 <= value < np.inf, "a number from 0")
WEIGH = (lambda value: value in (None, "own"), "own, the metric's weights, or left out")
RM10 = "[RM10, sec. 3]"
RANK_MODEL: dict[str, Any] = {"source": "[LMC17], sec. 3", "limits": {"theta": NOT_NEGATIVE}, "model": True}
TWO_STAGE = RANK_MODEL | {
    "source": "[LMC17], sec. 4",
    "oracle": "the same loss under scipy.optimize.minimize, SLSQP",
    "limits": {"theta": NOT_NEGATIVE, "weigh": WEIGH},
}

ESTIMATORS = registry.by_name(
    Estimator("lower", lowest, label="as not relevant", source=RM10, compared=True),
    Estimator("upper", uppermost, label="as relevant", source=RM10, compared=True),
    Estimator(
        "background",
        background,
        label="at a small chance",
        plainly="as relevant with a small chance",
        source=RM10,
        limits={"E": CONSTANT},
        compared=True,
    ),
    Estimator(
        "interpolated",
        interpolated,
        label="partly like the judged",
        plainly="partly like the read ones",
        source=RM10,
        limits={"C": CONSTANT, "E": CONSTANT},
        compared=True,
    ),
    Estimator(
        "smoothed",
        smoothed,
        label="cautiously like the judged",
        plainly="cautiously like the read ones",
        source=RM10,
        limits={"C": CONSTANT, "E": CONSTANT},
        compared=True,
    ),
    Estimator(
        "rm",
        rank_model,
        label="like the judged ones",
        plainly="like the read ones",
        source="[LMC17], eq. 4",
        compared=True,
    ),
    Estimator("linear", linear, label="by their rank", compared=True, **RANK_MODEL),
    Estimator("zipf", zipf, label="by rank (power law)", **RANK_MODEL),
    Estimator("weibull", weibull, label="by rank (Weibull)", **RANK_MODEL),
    Estimator("two-stage-a", two_stage_a, label="by ranks, fitted to scores", **TWO_STAGE),
    Estimator("two-stage-b", two_stage_b, label="by rank in all runs", compared=True, **TWO_STAGE),
    Estimator("two-stage-b-printed", two_stage_b_printed, label="by ranks, as printed", **TWO_STAGE),
)  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """A score and the interval that it lies in.

    value, lower, upper : float64, one shape; NaN where the metric has no interval
    upper_listed : the same, the upper end if nothing stands past the end of a list, where there is nothing to judge
    kind : "bounds" (exact), "guide" (not a bound), "point" (no interval), or the name of a sampling interval
    """

    value: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    upper_listed: NDArray[np.float64]
    kind: str

    def map(self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Estimate:
        """The estimate with a function applied to its score and to each of its ends."""
        ends: dict[str, Any] = {
            end: function(getattr(self, end)) for end in ("value", "lower", "upper", "upper_listed")
        }
        return replace(self, **ends)

    def raised(self, more: NDArray[np.float64]) -> Estimate:
        """The estimate with a value that lies so much above the lower end, inside the interval."""
        return replace(self, value=np.clip(self.lower + more, self.lower, self.upper))


def estimator_named(text: str) -> tuple[Estimator, dict[str, Any]]:
    """An estimator and its parameters from a name such as `interpolated(C=0.42, E=0.01)`. ValueError if unknown."""
    return registry.read(text, ESTIMATORS, what="estimator", examples="lower or interpolated(C=0.42, E=0.01)")


def canonical(text: str) -> str:
    """The name in full, with every parameter."""
    row, values = estimator_named(text)
    return registry.write(row.name, values)


def in_short(text: str) -> str:
    """Its name without the parameters that go without saying."""
    row, values = estimator_named(text)
    return registry.write(row.name, {name: value for name, value in values.items() if value != row.parameters[name]})


def worded(text: str) -> str:
    """What it does in words, then its name in short: "like the judged ones · rm"."""
    return registry.worded(estimator_named(text)[0].label, in_short(text))


def counted(text: str) -> str:
    """How it counts unread documents, in everyday words: "like the read ones"."""
    row, _ = estimator_named(text)
    return row.plainly or row.label


def is_model(text: str) -> bool:
    """Whether the estimator of this name expects a gain of every document, and so needs more than the interval."""
    return estimator_named(text)[0].model


def allowed_for(metric: Metric, estimators: Sequence[str]) -> list[str]:
    """Those of the estimators (names) that change scores on a metric: none but "lower" without an interval, and models
    only with a weight for every rank."""
    if metric.kind == "point":
        return [name for name in estimators if name == "lower"]
    return [name for name in estimators if metric.weighted or not is_model(name)]


def estimated(
    text: str, lower: NDArray[np.float64], upper: NDArray[np.float64], *, highest: float
) -> NDArray[np.float64]:
    """The value that the formula named `text` gives inside [lower, upper] for a metric that goes up to `highest`."""
    row, values = estimator_named(text)
    return np.clip(row.function(lower, upper, (upper - lower) / highest, **values), lower, upper)


# ---------------------------------------------------------------------------------------------------------------------
# How well an estimate does


def errors(value: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far values lie outside the reference intervals, 0 inside [LMC17, eq. 3]."""
    error = np.maximum(np.maximum(lower - value, value - upper), 0.0)
    return np.where(error <= EQUAL, 0.0, error)


def rmse(error: NDArray[np.float64]) -> float:
    """The mean over topics of each topic's root mean square over systems. error : (S, T), NaN where not counted."""
    by_topic = rmse_by_topic(error)
    return float(np.mean(by_topic[~np.isnan(by_topic)]))


def rmse_by_topic(error: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each topic's root mean square over systems, NaN where none counts. float (T,). error : (S, T), NaN likewise"""
    known = ~np.isnan(error)
    return np.sqrt(share(np.where(known, error**2, 0).sum(axis=0), known.sum(axis=0), without=np.nan))


def most_farther(
    a: NDArray[np.float64], b: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]
) -> float:
    """Upper bound on how much larger the rmse of `a` can be than that of `b`, for any true scores. float.

    Arrays (S, T), NaN where not counted. For each topic, the smallest of three limits (METHODS 6.1). Below 0, b always
    has the larger error.
    """
    counted = ~np.isnan(lower).all(axis=0)
    a, b, lower, upper = (some[:, counted] for some in (a, b, lower, upper))
    worst = np.where(a > b, lower, upper)
    squares = np.nanmean((a - b) * (a + b - 2 * worst), axis=0)
    (least_a, most_a), (least_b, most_b) = (_ends_of_rms(values, lower, upper) for values in (a, b))
    total = np.where(squares > 0, least_a + least_b, most_a + most_b)
    by_squares = share(squares, total, without=np.inf)
    limits = by_squares, most_a - least_b, np.sqrt(np.nanmean((a - b) ** 2, axis=0))
    return float(np.min(limits, axis=0).mean())


def _ends_of_rms(value, lower, upper):
    """The smallest and the largest possible root mean square error over systems. Two float (T,)"""
    farther_end = np.maximum(np.abs(value - lower), np.abs(upper - value))
    return (np.sqrt(np.nanmean(off**2, axis=0)) for off in (errors(value, lower, upper), farther_end))


def linear_in_constants(
    name: str, B: NDArray[np.float64], D: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """An estimate as what it is without C and E, what C adds and what E adds: X = plain + C by_C + E by_E.

    name : "interpolated" or "smoothed"; B, D : arrays of one shape, as in the formulas above
    """
    if name == "smoothed":
        return B, D * B, D**2
    blind = 1 - D <= EQUAL
    return np.where(blind, 0, B), np.where(blind, 0, D * B / np.where(blind, 1, 1 - D)), blind.astype(float)


def rmse_of_constants(
    off: NDArray[np.float64], by_C: NDArray[np.float64], by_E: NDArray[np.float64], C: NDArray[np.float64],
    E: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    """The plain root mean square error of plain + C by_C + E by_E for every C and E: a quadratic form, of six sums.

    off : plain less the reference; off, by_C, by_E : one shape; C, E : one shape, which is that of the result
    """
    squares = np.sum(off**2) + C**2 * np.sum(by_C**2) + E**2 * np.sum(by_E**2)
    squares += 2 * (C * np.sum(off * by_C) + E * np.sum(off * by_E) + C * E * np.sum(by_C * by_E))
    return np.sqrt(np.maximum(squares, 0) / off.size)
