"""The gamma test: on which topics a model should guess at all, from how unevenly their relevant documents are met
[LMC17, eq. 10]."""


def gamma(coverage, systems):
    """The variation of a topic's `coverage.Coverage` per contributing system, of which there are so many."""
    return coverage.variation / systems


def lets_guess(gamma, theta):
    """The gamma test [LMC17, eq. 10]: a topic is estimated if its gamma, to four decimals, exceeds theta, or theta is
    0. Else its unjudged documents count as not relevant."""
    return theta == 0 or round(gamma, 4) > theta
