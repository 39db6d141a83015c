"""Evidence: what shallow judgments say about one topic, from which the gains of unjudged documents are guessed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.estimating.coverage import coverage_of
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.track import EMPTY


@dataclass(frozen=True)
class Evidence:
    """One topic.

    pooled : int (n, K), the items of the contributing rankings; what models are fitted to
    rankings : int (m, K'), the items of the rankings to be estimated
    gain : float (N,), by item, NaN where there is no judgment in force
    relevant : bool (N,), by item, judged relevant
    depth : d', how deep the contributing rankings were judged
    systems : how many systems contributed
    r_max : the largest gain there is
    items : the slice of items that are the topic's
    """

    pooled: np.ndarray
    rankings: np.ndarray
    gain: np.ndarray
    relevant: np.ndarray
    depth: int
    systems: int
    r_max: float
    items: slice

    @cached_property
    def observed(self):
        """The mean gain of the contributing rankings at each of the ranks 1..d'; what is not judged adds 0. (d',)"""
        gains = np.nan_to_num(self.gain[self.pooled[:, : self.depth]]).mean(axis=0)
        return np.pad(gains, (0, self.depth - len(gains)))

    def curve(self, model):
        """The gain at ranks 1..K that a rank model expects, in [0, r_max]. float (K,)."""
        if model not in self._fitted:
            found = RANK_MODELS[model].function(self.observed, self.pooled.shape[1])
            self._fitted[model] = np.clip(found, 0, self.r_max)
        return self._fitted[model]

    @cached_property
    def _fitted(self):
        return {}

    @cached_property
    def coverage(self):
        """How often the relevant documents of the pool at d' were met in the contributing rankings' top d'."""
        met = self.pooled[:, : self.depth]
        return coverage_of(np.bincount(met[self.relevant[met]] - self.items.start))

    @property
    def gamma(self):
        """The variation of coverage per contributing system [LMC17, eq. 10]."""
        return self.coverage.variation / self.systems

    def adjusted(self, theta):
        """Whether the topic's estimate leaves the lower end: gamma, to four decimals, is above theta; always if 0."""
        return theta == 0 or round(self.gamma, 4) > theta

    @cached_property
    def unjudged(self):
        """Which places of `rankings` hold a document without a judgment. bool (m, K')."""
        return np.isnan(self.gain[self.rankings]) & (self.rankings != EMPTY)

    def at_rank(self, curve):
        """The same gain at a rank for every ranking; 0 past the end of the curve. float (K',)."""
        K = self.rankings.shape[1]
        return np.pad(curve[:K], (0, max(0, K - len(curve))))
