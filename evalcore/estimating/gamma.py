"""The gamma test: on which topics a model should guess at all, from how unevenly their relevant documents are met
[LMC17, eq. 10]."""

from evalcore.estimating.coverage import Coverage


def gamma(coverage: Coverage, systems: int) -> float:
    """The variation of a topic's `coverage.Coverage` per contributing system, of which there are so many."""
    return coverage.variation / systems


def lets_guess(gamma: float, theta: float) -> bool:
    """The gamma test [LMC17, eq. 10]: a topic is estimated if its gamma, to four decimals, exceeds theta, or theta is
    0. Else its unjudged documents count as not relevant."""
    return theta == 0 or round(gamma, 4) > theta
