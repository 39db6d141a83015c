"""Clauses that the findings of several questions share."""

from evalcore.sentences import FUZZ, Sentence, known


def stage(depth):
    """How far was judged: "At depth 10", or "With all judgments" when depth is None."""
    return Sentence("With all judgments") if depth is None else Sentence("At depth {depth}", depth=int(depth))


def interval(lower, upper):
    """Where a score lies: "at least .604 and at most .665", or "exactly .604"."""
    if not (known(lower) and known(upper)):
        return Sentence("an unknown score")
    if upper - lower < FUZZ:
        return Sentence("exactly {lower:score}", lower=lower)
    return Sentence("at least {lower:at_least} and at most {upper:at_most}", lower=lower, upper=upper)


def reading(value, lower, upper, kind):
    """One score with its interval, as its kind allows."""
    if not (known(lower) and known(upper)):
        return Sentence("{value:score}", value=value)
    if kind == "bounds":
        return interval(lower, upper)
    return Sentence("{value:score} (guide: {lower:score} to {upper:score})", value=value, lower=lower, upper=upper)


def first_place(leaders, n, value, *, begins=False):
    """Who shares the first place, of n systems; begins : whether the clause begins a sentence."""
    if len(leaders) == n:
        all_of_them = "{systems:Everyone}" if begins else "{systems:everyone}"
        return Sentence(all_of_them + " share the same score, {value:score}", systems=n, value=value)
    return Sentence("{leaders:listed} share first place with {value:score}", leaders=list(leaders), value=value)
