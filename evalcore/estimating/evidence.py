"""Evidence: the shallow judgments of one topic, from which models estimate the gains of unjudged documents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY
from evalcore.estimating.coverage import Coverage, coverage_of
from evalcore.estimating.gamma import gamma, lets_guess
from evalcore.estimating.rank_models import RANK_MODELS


@dataclass(frozen=True)
class Evidence:
    """One topic.

    pooled : int (n, K), the items of the contributing rankings; what models are fitted to
    gain : float (N,), by item, NaN where there is no judgment in force
    relevant : bool (N,), by item, judged relevant
    depth : d', how deep the contributing rankings were judged
    systems : how many systems contributed
    r_max : the largest gain there is
    items : the slice of items that are the topic's
    """

    pooled: NDArray[np.int32]
    gain: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    depth: int
    systems: int
    r_max: float
    items: slice

    @cached_property
    def observed(self) -> NDArray[np.float64]:
        """The mean gain of the contributing rankings at each of the ranks 1..d'; what is not judged adds 0. (d',)"""
        gains = np.nan_to_num(self.gain[self.pooled[:, : self.depth]]).mean(axis=0)
        return np.pad(gains, (0, self.depth - len(gains)))

    def curve(self, model: str) -> NDArray[np.float64]:
        """The gain at ranks 1..K that a rank model expects, in [0, r_max]. float (K,)."""
        fitted = RANK_MODELS[model].function
        return self.once(model, lambda: [np.clip(fitted(self.observed, self.pooled.shape[1]), 0, self.r_max)])[0]

    def once(self, name: str, learn: Callable[[], Sequence[NDArray[np.float64]]]) -> Sequence[NDArray[np.float64]]:
        """What is learnt of the evidence alone, arrays, learnt once."""
        if name not in self._learnt:
            self._learnt[name] = learn()
        return self._learnt[name]

    @cached_property
    def _learnt(self):
        return {}

    @property
    def nbytes(self) -> int:
        """The bytes of what was learnt of it."""
        return sum(array.nbytes for arrays in [*self._learnt.values()] for array in arrays)  # others may be learning

    @cached_property
    def coverage(self) -> Coverage:
        """How often the relevant documents of the pool at d' were met in the contributing rankings' top d'."""
        met = self.pooled[:, : self.depth]
        return coverage_of(np.bincount(met[self.relevant[met]] - self.items.start))

    @property
    def gamma(self) -> float:
        """How unevenly the topic's relevant documents are met."""
        return gamma(self.coverage, self.systems)

    def adjusted(self, theta: float) -> bool:
        """Whether the topic's estimate leaves the lower end, by the gamma test."""
        return lets_guess(self.gamma, theta)

    def at_places(
        self, rankings: NDArray[np.int32], of_rank: NDArray[np.float64], of_item: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """The gain to expect at every place of some rankings. float (m, K').

        rankings : int (m, K'), items; of_rank : float (K,), by rank, 0 further down; of_item : float, by item of the
            topic, NaN for those that gain what their rank lets expect; None = all do
        """
        K = rankings.shape[1]
        of_rank = np.pad(of_rank[:K], (0, max(0, K - len(of_rank))))
        if of_item is None:
            return np.broadcast_to(of_rank, rankings.shape)
        values = of_item[np.where(rankings == EMPTY, 0, rankings - self.items.start)]
        return np.where(np.isnan(values), of_rank, values)
