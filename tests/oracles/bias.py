"""Bias against unpooled systems, written out naively (METHODS 9; [WP09]).

`runs` is system -> topic -> document -> score, `qrels` topic -> document -> grade, `pooled` the contributing systems.
"""

from tests.oracles.ranking import order


def top(runs, system, topic, depth):
    """The documents that a system has at rank <= depth."""
    return set(order(runs[system].get(topic, {}))[:depth])


def own(runs, qrels, members, pooled, depth):
    """topic -> the judged documents that only these systems, of those that contributed, have at rank <= depth."""
    found = {}
    for topic, judged in qrels.items():
        mine = set().union(*(top(runs, s, topic, depth) for s in members))
        others = set().union(*(top(runs, s, topic, depth) for s in pooled if s not in members))
        found[topic] = (mine - others) & set(judged)
    return found


def without(qrels, taken):
    """The judgments without those documents."""
    return {topic: {D: g for D, g in judged.items() if D not in taken[topic]} for topic, judged in qrels.items()}


def replaced(runs, qrels, system, new, pooled, depth):
    """Algorithm 1: the judgments without what a pooled system alone brought, but with all that the new one has."""
    taken = own(runs, qrels, [system], pooled, depth)
    return without(qrels, {topic: taken[topic] - top(runs, new, topic, depth) for topic in qrels})
