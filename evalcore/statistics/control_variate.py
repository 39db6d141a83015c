"""People on some topics, a model on all: the mean over topics with the model's scores as a control variate [ABD23].

METHODS 13.7. Y are scores by people and F by the model, of S systems on N topics; people judge n of the N, in each of D
draws. Lambda is one for all systems.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray


@dataclass(frozen=True)
class Drawn:
    """Means, variances and covariances of Y and F over the topics that people judge. float (S, D) each.

    n, topics : how many topics people judge, and how many there are, N
    everywhere : float (S, 1), the mean of F over all N
    """

    people: NDArray[Any]
    model: NDArray[Any]
    variance: NDArray[Any]
    covariance: NDArray[Any]
    variance_of_model: NDArray[Any]
    everywhere: NDArray[Any]
    n: int
    topics: int

    @cached_property
    def slope(self) -> NDArray[Any]:
        """Lambda: the pooled covariance within systems over the pooled variance of F; 0 where that is 0. float (D,)."""
        variance, covariance = self.variance_of_model.sum(axis=0), self.covariance.sum(axis=0)
        return np.divide(covariance, variance, out=np.zeros_like(covariance), where=variance > 0)

    @property
    def both(self) -> NDArray[Any]:
        """The mean by people, moved by lambda times (mean of F over all topics - over these). float (S, D)."""
        return self.people + self.slope * (self.everywhere - self.model)

    @property
    def variance_of_both(self) -> NDArray[Any]:
        """The variance of the residuals Y - lambda F over these topics. float (S, D)."""
        slope = self.slope
        return np.maximum(self.variance - 2 * slope * self.covariance + slope**2 * self.variance_of_model, 0)

    def half_width(self, variance: NDArray[Any], level: float, *, beyond: NDArray[Any] | float = 0.0) -> NDArray[Any]:
        """Half a t interval of the mean over the N topics, with n - 1 degrees of freedom. float (S, D); NaN for n = 1.

        variance : of Y, or of the residuals; beyond : that of Y, for the mean over other topics as well
        """
        squared = variance * (1 / self.n - 1 / self.topics) + beyond / self.topics
        return scipy.special.stdtrit(max(self.n - 1, 1), 1 - level / 2) * np.sqrt(squared)

    def topics_worth(self, ratio: float) -> float:
        """How many topics people alone would need for an error of `ratio` times theirs: its square is proportional to
        1 / n - 1 / N."""
        return 1 / (1 / self.topics + ratio**2 * (1 / self.n - 1 / self.topics))


def drawn(people: NDArray[Any], model: NDArray[Any], chosen: NDArray[np.bool_]) -> Drawn:
    """The `Drawn` of the topics that people judge. people, model : float (S, N); chosen : bool (D, N), n in each row"""
    n, N = int(chosen[0].sum()), chosen.shape[1]
    any_chosen = chosen.any(axis=0)
    centre = people[:, any_chosen].mean(axis=1, keepdims=True), model.mean(axis=1, keepdims=True)
    Y, F = np.where(any_chosen, people - centre[0], 0.0), model - centre[1]  # small sums lose no digits
    topics = chosen.T.astype(float)
    of_people, of_model = Y @ topics / n, F @ topics / n
    scale = n / (n - 1) if n > 1 else np.nan

    def moment(product, first, second):
        return (product @ topics / n - first * second) * scale

    return Drawn(
        people=of_people + centre[0],
        model=of_model + centre[1],
        variance=np.maximum(moment(Y * Y, of_people, of_people), 0),
        covariance=moment(Y * F, of_people, of_model),
        variance_of_model=np.maximum(moment(F * F, of_model, of_model), 0),
        everywhere=centre[1],
        n=n,
        topics=N,
    )
