"""How well a set of contributors fits a pool, and how probable it is, in plain Python: METHODS 2.7."""

import itertools
import math


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


def log_beta_binomial(judged, documents, a, b):
    """Without the binomial coefficient, which is the same for all a and b."""
    log_beta = lambda x, y: math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)  # noqa: E731
    return log_beta(a + judged, b + documents - judged) - log_beta(a, b)


def chance_inside(state, s, tops, judged, *, inside, outside, alike, twin):
    """The probability that system s contributed, given who else did (a tuple of booleans)."""
    others = set().union(*(tops[u] for u in range(len(tops)) if u != s and state[u]))
    own = tops[s] - others
    if not own:
        return twin / (1 + twin)
    like = math.exp(log_beta_binomial(len(own & judged), len(own), *inside))
    unlike = math.exp(log_beta_binomial(len(own & judged), len(own), *outside))
    n = sum(state) - state[s]
    odds = (n + 1) / (len(tops) - n) * like / (alike * like + (1 - alike) * unlike)
    return odds / (1 + odds)


def stationary(tops, judged, **given):
    """How often each set of contributors is drawn, if each system in turn is drawn given all others, for ever."""
    states = list(itertools.product((False, True), repeat=len(tops)))
    share = dict.fromkeys(states, 1 / len(states))
    for _ in range(500):
        for s in range(len(tops)):
            after = dict.fromkeys(states, 0.0)
            for state, mass in share.items():
                chance = chance_inside(state, s, tops, judged, **given)
                after[(*state[:s], True, *state[s + 1 :])] += mass * chance
                after[(*state[:s], False, *state[s + 1 :])] += mass * (1 - chance)
            share = after
    return share
