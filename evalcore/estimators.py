"""Point estimates inside an interval: what to report when some documents are not judged.

Ravana & Moffat, ADCS 2010, sec. 3; `rm` is Lu, Moffat & Culpepper, SIGIR 2017, eq. 4. B is the score with unjudged
documents as not relevant, D the share of the metric's weight that is not known.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from evalcore import names

NOTHING = 1e-12  # a share of known weight that is only the rounding of a long sum


def lowest(B, T, D):
    """Nothing that is unjudged is relevant."""
    return B


def uppermost(B, T, D):
    """Everything that is unjudged is as relevant as can be."""
    return T


def background(B, T, D, *, E=0.05):
    """Every unjudged place gains E, the background probability of relevance."""
    return B + D * E


def interpolated(B, T, D, *, C=0.42, E=0.01):
    """Unjudged places gain C times what the judged ones do on average; E where nothing is judged."""
    known = 1 - D
    seen = known > NOTHING
    return np.where(seen, B + C * D * np.divide(B, known, out=np.zeros_like(B), where=seen), E)


def smoothed(B, T, D, *, C=0.91, E=0.05):
    """The mix of the two, by the share that is known: (1 - D) interpolated + D background."""
    return B + C * D * B + D**2 * E


def rank_model(B, T, D):
    """Unjudged places gain exactly what the judged ones do on average: interpolated with C = 1."""
    return interpolated(B, T, D, C=1.0)


@dataclass(frozen=True)
class Estimator:
    """One row of the table of estimators. function(B, T, D, *, ...) takes arrays of one shape and returns one."""

    name: str
    function: Callable
    summary: str
    source: str
    oracle: str = "the formula in plain Python"
    limits: dict = field(default_factory=dict)

    @property
    def parameters(self):
        return names.parameters(self.function)


CONSTANT = (lambda value: isinstance(value, float) and 0 <= value <= 1, "a number from 0 to 1")
RM10 = "Ravana & Moffat, ADCS 2010, sec. 3"

ESTIMATORS = {
    row.name: row
    for row in (
        Estimator("lower", lowest, "unjudged documents are not relevant", RM10),
        Estimator("upper", uppermost, "unjudged documents are all relevant", RM10),
        Estimator("background", background, "unjudged documents gain a constant", RM10, limits={"E": CONSTANT}),
        Estimator(
            "interpolated", interpolated, "unjudged documents gain a part of what judged ones do", RM10,
            limits={"C": CONSTANT, "E": CONSTANT},
        ),
        Estimator(
            "smoothed", smoothed, "interpolated where much is judged, background where little is", RM10,
            limits={"C": CONSTANT, "E": CONSTANT},
        ),
        Estimator(
            "rm", rank_model, "unjudged documents gain what judged ones do",
            "Lu, Moffat & Culpepper, SIGIR 2017, eq. 4",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """A score and the interval that it lies in.

    value, lower, upper : float64, one shape; NaN where the metric has no interval
    kind : "bounds" (exact), "guide" (not a bound), "point" (no interval), or the name of a sampling interval
    """

    value: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    kind: str


def estimator_named(text):
    """An estimator and its parameters from a name such as `interpolated(C=0.42, E=0.01)`. ValueError if unknown."""
    return names.read(text, ESTIMATORS, what="estimator", examples="lower or interpolated(C=0.42, E=0.01)")


def canonical(text):
    """The name in full, with every parameter."""
    row, values = estimator_named(text)
    return names.write(row.name, values)


def estimated(text, lower, upper, *, highest):
    """The value that the estimator named `text` gives inside [lower, upper] for a metric that goes up to `highest`."""
    row, values = estimator_named(text)
    return np.clip(row.function(lower, upper, (upper - lower) / highest, **values), lower, upper)
