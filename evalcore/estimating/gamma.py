"""The gamma test: on which topics a model should guess at all, from how unevenly their relevant documents are met
[LMC17, eq. 10]."""


def gamma(coverage, systems):
    """The variation of a topic's `coverage.Coverage` per contributing system, of which there are so many."""
    return coverage.variation / systems


def lets_guess(gamma, theta):
    """Whether the estimate of a topic leaves the lower end: gamma, to four decimals, is above theta; always if that is
    0."""
    return theta == 0 or round(gamma, 4) > theta
