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

from evalcore.collection.shares import share


@dataclass(frozen=True)
class Drawn:
    """Means, variances and covariances of Y and F over the topics that people judge. float (S, D) each.

    slope_variance : float (D,), the jackknife variance of lambda over these topics; NaN below three
    n, topics : how many topics people judge, and how many there are, N
    everywhere : float (S, 1), the mean of F over all N
    """

    people: NDArray[Any]
    model: NDArray[Any]
    variance: NDArray[Any]
    covariance: NDArray[Any]
    variance_of_model: NDArray[Any]
    slope_variance: NDArray[Any]
    everywhere: NDArray[Any]
    n: int
    topics: int

    @cached_property
    def slope(self) -> NDArray[Any]:
        """Lambda: the pooled covariance within systems over the pooled variance of F, from 0 to 1.5. float (D,)."""
        return _slope(self.covariance.sum(axis=0), self.variance_of_model.sum(axis=0))

    @property
    def both(self) -> NDArray[Any]:
        """The mean by people, moved by lambda times (mean of F over all topics - over these). float (S, D)."""
        return self.people + self.slope * (self.everywhere - self.model)

    @property
    def variance_of_both(self) -> NDArray[Any]:
        """The variance of the residuals Y - lambda F over these topics, with n - 2 degrees of freedom, as lambda is of
        the same topics. float (S, D); NaN below three."""
        slope = self.slope
        moment = self.variance - 2 * slope * self.covariance + slope**2 * self.variance_of_model
        return np.maximum(moment, 0) * ((self.n - 1) / (self.n - 2) if self.n > 2 else np.nan)

    def half_of_people(self, level: float, *, other_topics: bool = False) -> NDArray[Any]:
        """Half a t interval of the mean by people, for the N topics. float (S, D); NaN for n = 1.

        other_topics : for the mean over other topics as well
        """
        squared = self.variance * (1 / self.n - 1 / self.topics + other_topics / self.topics)
        return scipy.special.stdtrit(max(self.n - 1, 1), 1 - level / 2) * np.sqrt(squared)

    def half_of_both(self, level: float, *, other_topics: bool = False) -> NDArray[Any]:
        """The same of `both`, with n - 2 degrees of freedom, and the error of lambda. float (S, D); NaN below three."""
        if self.n == self.topics:  # nothing is left to the model
            return self.half_of_people(level, other_topics=other_topics)
        squared = self.variance_of_both * (1 / self.n - 1 / self.topics)
        squared = squared + self.slope_variance * (self.everywhere - self.model) ** 2
        squared = squared + other_topics * self.variance / self.topics
        return scipy.special.stdtrit(max(self.n - 2, 1), 1 - level / 2) * np.sqrt(squared)

    def topics_worth(self, ratio: float) -> float:
        """How many topics people alone would need for an error of `ratio` times theirs: its square is proportional to
        1 / n - 1 / N."""
        return 1 / (1 / self.topics + ratio**2 * (1 / self.n - 1 / self.topics))


STEEPEST = 1.5  # lambda: more of it is the luck of few topics


def _slope(covariance, variance):
    """Lambda; 0 where F does not vary."""
    return np.clip(share(covariance, variance), 0, STEEPEST)


def _jackknife(Y, F, of_people, of_model, chosen):
    """The variance of lambda if each of the n topics were left out in turn. float (D,)"""
    n = int(chosen[0].sum())
    product = (Y * F).sum(axis=0) - of_people.T @ F - of_model.T @ Y + (of_people * of_model).sum(axis=0)[:, None]
    square = (F * F).sum(axis=0) - 2 * of_model.T @ F + (of_model**2).sum(axis=0)[:, None]
    product, square = np.where(chosen, product, 0.0), np.where(chosen, square, 0.0)  # of each topic, by draw
    left = (whole.sum(axis=1, keepdims=True) - n / (n - 1) * whole for whole in (product, square))
    slope = _slope(*left)
    mean = (slope * chosen).sum(axis=1, keepdims=True) / n
    return (n - 1) / n * ((slope - mean) ** 2 * chosen).sum(axis=1)


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
        slope_variance=_jackknife(Y, F, of_people, of_model, chosen) if n > 2 else np.full(len(chosen), np.nan),
        everywhere=centre[1],
        n=n,
        topics=N,
    )
