"""Diversity measures from their definitions, in plain Python: METHODS 3.15."""

from math import log2


def gains(ranking, subtopics_of, alpha):
    """The gain of each document of a ranking. subtopics_of : document -> the set of its subtopics"""
    seen, by_rank = {}, []
    for document in ranking:
        by_rank.append(sum((1 - alpha) ** seen.get(one, 0) for one in subtopics_of.get(document, ())))
        for one in subtopics_of.get(document, ()):
            seen[one] = seen.get(one, 0) + 1
    return by_rank


def greedy(subtopics_of, alpha):
    """The ideal ranking as ndeval makes it."""
    ideal, left = [], set(subtopics_of)
    while left:
        best = max(left, key=lambda document: (gains([*ideal, document], subtopics_of, alpha)[-1], document))
        ideal.append(best)
        left.remove(best)
    return ideal


def measures(ranking, subtopics_of, k=20, alpha=0.5):
    """(alpha-nDCG@k, ERR-IA@k, subtopic recall@k) of one topic; 0 where no document has a subtopic."""
    every = set().union(*subtopics_of.values()) if subtopics_of else set()
    if not every:
        return 0.0, 0.0, 0.0

    def discounted_sum(gains_by_rank, discount):
        return sum(gain * discount(rank) for rank, gain in enumerate(gains_by_rank[:k], 1))

    of_run, of_ideal = gains(ranking, subtopics_of, alpha), gains(greedy(subtopics_of, alpha), subtopics_of, alpha)
    of_all = [len(every) * (1 - alpha) ** place for place in range(k)]
    logarithm, inverse = (lambda rank: 1 / log2(rank + 1)), (lambda rank: 1 / rank)
    covered = set().union(*(subtopics_of.get(document, set()) for document in ranking[:k]))
    return (
        discounted_sum(of_run, logarithm) / discounted_sum(of_ideal, logarithm),
        discounted_sum(of_run, inverse) / discounted_sum(of_all, inverse),
        len(covered) / len(every),
    )
