"""What shallow judgments got wrong, written out naively (METHODS 4.6)."""

import scipy.stats

SAME = 1e-12  # means this close are equal (METHODS 2.5)


def wrong_pairs(means, final):
    """The pairs (a, b) of systems of which a is above b by `means` and below by `final`; both are system -> mean."""
    return [
        (a, b)
        for a in means
        for b in means
        if means[a] - means[b] > SAME and final[b] - final[a] > SAME  # never where one is missing
    ]


def touching(wrong, final, at_most):
    """How many of these pairs (a, b) the truth leaves open: what a could have at most, were all that is not judged in
    its lists relevant, is no less than what b has; both are system -> mean."""
    return sum(1 for a, b in wrong if at_most[a] > final[b] - SAME)


def clear(pair, means, final):
    """How clearly a pair is wrong: the lesser of how far it is apart one way, and the other way in the end."""
    a, b = pair
    return min(means[a] - means[b], final[b] - final[a])


def p_of(pair, scores):
    """p of the paired t-test over the topics of both; scores : system -> topic -> score. None below two topics."""
    a, b = (scores[system] for system in pair)
    differences = [a[topic] - b[topic] for topic in a if topic in b]
    if len(differences) < 2:
        return None
    if max(differences) - min(differences) < SAME:
        # all the same; 0 where the means differ only on topics that the two do not share
        return 0.0 if abs(differences[0]) > SAME else 1.0
    return float(scipy.stats.ttest_1samp(differences, 0).pvalue)
