"""Fusion of rankings, written out naively (METHODS 11; [BMST17]).

A list to fuse is {document: score}, as in a run file, or a list of documents, best first, where scores do not matter.
Numbers are fractions where they can be, so that what is equal is equal.
"""

from fractions import Fraction
from statistics import fmean, pstdev

from tests.oracles.ranking import order


def documents_of(lists):
    return set().union(*(order(one) for one in lists)) if lists else set()


def normalised(scored, way):
    """document -> its score within its list. All equal: 1 by min-max, 0 by z-score."""
    if not scored:
        return {}
    if way == "rank":  # the first has 1, the last 1/n
        n = len(scored)
        return {document: 1 - Fraction(k, n) for k, document in enumerate(order(scored))}
    values = [Fraction(score) for score in scored.values()]
    low, high = min(values), max(values)
    if way == "min-max":
        return {d: (Fraction(s) - low) / (high - low) if high > low else Fraction(1) for d, s in scored.items()}
    if way == "z-score":
        mean, deviation = fmean(map(float, values)), pstdev(map(float, values))
        return {d: (s - mean) / deviation if high > low else 0.0 for d, s in scored.items()}
    raise ValueError(way)


def values(lists, method, *, phi=0.9, normalisation="min-max", weights=None):
    """document -> what the method gives it. METHODS 11; a list's weight multiplies what the list gives."""
    weights = [Fraction(weight) for weight in weights or [1] * len(lists)]
    documents = documents_of(lists)
    ranks = [{document: k for k, document in enumerate(order(one), 1)} for one in lists]
    places = {d: [(w, of[d]) for w, of in zip(weights, ranks, strict=True) if d in of] for d in documents}
    if method == "rbc":
        phi = Fraction(phi)
        each = lambda k: Fraction(1) if phi == 1 else (1 - phi) * phi ** (k - 1)  # noqa: E731
        return {d: sum(w * each(k) for w, k in places[d]) for d in documents}
    if method == "borda":
        n = len(documents)
        return {d: sum(w * (n - k + 1) for w, k in places[d]) for d in documents}
    if method == "rrf":
        return {d: sum(w / (60 + k) for w, k in places[d]) for d in documents}
    if method == "round-robin":  # in turn: the first of every list, then the second of every list, ...
        taken = []
        turns = sorted(range(len(lists)), key=lambda i: -weights[i])
        for k in range(max(map(len, lists), default=0)):
            for i in turns:
                ranked = order(lists[i])
                if k < len(ranked) and ranked[k] not in taken:
                    taken.append(ranked[k])
        return {d: -place for place, d in enumerate(taken)}
    given = [normalised(one, normalisation) for one in lists]
    parts = {d: [w * of[d] if normalisation != "z-score" else float(w) * of[d]
                 for w, of in zip(weights, given, strict=True) if d in of] for d in documents}  # fmt: skip
    if method == "combsum":
        return {d: sum(parts[d]) for d in documents}
    if method == "combmnz":
        return {d: sum(parts[d]) * len(parts[d]) for d in documents}
    if method == "combmax":
        return {d: max(parts[d]) for d in documents}
    raise ValueError(method)


def fused(lists, method, **settings):
    """The documents of all lists, best first; ties by document id descending as byte strings."""
    return order(values(lists, method, **settings))


def by_falling_weight(queries, weight=None):
    """The queries of a topic as variations are added: heaviest first, then as they stand."""
    return sorted(queries, key=lambda query: -(weight or {}).get(query, 0))


def as_run(ranking):
    """A fused list as scores that fall."""
    return {document: float(-k) for k, document in enumerate(ranking)}
