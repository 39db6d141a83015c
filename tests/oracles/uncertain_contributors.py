"""Whose contribution to a pool is in doubt, in plain Python: METHODS 2.7.

brought : system -> the set of judged documents, (topic, document), that it has in the pool.
"""

NEAR = 0.3


def alone(brought, systems, system):
    """What none of the other systems brings."""
    others = set().union(*(brought[s] for s in systems if s != system))
    return brought[system] - others


def without_copies(brought, systems, near):
    """The systems that are left when, again and again, the one that brings the smallest share of its documents alone
    goes, the last by name of several, while that share is 0 or below `near`."""
    left = sorted(systems)
    while left:
        share = {s: len(alone(brought, left, s)) / max(1, len(brought[s])) for s in left}
        least = max(s for s in left if share[s] == min(share.values()))
        if share[least] > 0 and share[least] >= near:
            break
        left.remove(least)
    return left


def first_of_each_group(brought, systems, groups):
    """Of each group the one that brings most alone, the first by name of several."""
    counts = {s: len(alone(brought, systems, s)) for s in systems}
    return [
        s
        for s in systems
        if not groups.get(s)
        or s == min(u for u in systems if groups.get(u) == groups[s]
                    and counts[u] == max(counts[v] for v in systems if groups.get(v) == groups[s]))
    ]  # fmt: skip


def contributors_in_doubt(brought, seem, doubtful, unsure, groups):
    """The sets of contributors that the files allow: a list of sets, none empty or twice."""
    fewest = without_copies(brought, seem, 0)
    surest = without_copies(brought, [s for s in seem if s not in unsure], NEAR)
    surest = first_of_each_group(brought, surest, groups)
    found = []
    for some in (set(seem) | set(doubtful), set(seem), set(fewest), set(surest)):
        if some and some not in found:
            found.append(some)
    return found


def fit(runs, qrels, contributing, topics, depth):
    """How many systems are judged in full down to a depth on these topics, and how many holes the contributing ones
    have there. runs : system -> topic -> ranked documents; qrels : topic -> judged documents"""
    full, holes = 0, set()
    for system, run in runs.items():
        tops = {t: run[t][:depth] for t in topics if run.get(t)}
        missing = {(t, D) for t, top in tops.items() for D in top if D not in qrels[t]}
        full += bool(tops) and not missing
        holes |= missing if system in contributing else set()
    return full, len(holes)
