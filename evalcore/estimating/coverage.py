"""Coverage: the estimated share of relevant documents that the pool contains, from how often runs agree.

A relevant document that many runs retrieve is a species seen often; one that a single run retrieves hints at others
that none did [CL92]; [LMC17, eq. 10].
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Coverage:
    """How often relevant documents were met.

    relevant : R, how many were met at all; occurrences : C, how often in all; once : f_1, how many in one run only
    repeats : the sum of i (i - 1) f_i, f_i being how many were met in exactly i runs
    """

    relevant: int
    occurrences: int
    once: int
    repeats: int

    @property
    def covered(self) -> float:
        """The share of all occurrences, met or not, that the documents met account for; NaN where none was met."""
        return 1 - self.once / self.occurrences if self.occurrences else np.nan

    @property
    def defined(self) -> bool:
        """Whether gamma has a value: something was met twice."""
        return self.occurrences > 1 and self.once < self.occurrences

    @property
    def variation(self) -> float:
        """The coefficient of variation of how easily relevant documents are met; 0 where it has no value."""
        if not self.defined:
            return 0.0
        pairs = self.occurrences * (self.occurrences - 1)
        return float(np.sqrt(max(self.relevant / self.covered * self.repeats / pairs - 1, 0.0)))

    @property
    def expected(self) -> float:
        """How many relevant documents there may be, met or not; NaN where nothing was met twice."""
        if not self.defined:
            return np.nan
        return self.relevant / self.covered + self.once / self.covered * self.variation**2


def coverage_of(times: NDArray[np.intp]) -> Coverage:
    """The coverage of documents that were met so many times each. times : int (documents,)."""
    met = np.asarray(times, np.int64)
    met = met[met > 0]
    return Coverage(len(met), int(met.sum()), int((met == 1).sum()), int((met * (met - 1)).sum()))
