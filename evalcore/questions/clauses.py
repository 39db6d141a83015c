"""Clauses that the findings of several questions share."""

from evalcore.sentences import FUZZ, Sentence, joined, known


def stage(depth):
    """How far was judged: "At depth 10", or "With all judgments" where the depth is missing."""
    return Sentence("At depth {depth}", depth=int(depth)) if known(depth) else Sentence("With all judgments")


def reading(value, lower, upper, kind):
    """One score with its interval, as its kind allows: ".604", "at least .604 and at most .665", "exactly .604",
    and before its ends a value that was guessed between them."""
    if not (known(lower) and known(upper)):
        return Sentence("{value:score}", value=value)
    if kind != "bounds":
        return Sentence("{value:score} (guide: {lower:score} to {upper:score})", value=value, lower=lower, upper=upper)
    if upper - lower < FUZZ:
        return Sentence("exactly {lower:score}", lower=lower)
    ends = Sentence("at least {lower:at_least} and at most {upper:at_most}", lower=lower, upper=upper)
    return Sentence("{value:score}, ", value=value) + ends if value - lower > FUZZ else ends


def first_place(rows):
    """Who has the highest score and where it lies; of several the score alone, for their intervals differ."""
    first = rows.loc[rows["value"].idxmax()]
    leaders = list(rows["system"][rows["value"] == first["value"]])
    one = "{leaders:listed} {leaders:verb is/are} first of {systems:digits system} with "
    score = reading(*first[["value", "lower", "upper", "kind"]]) if len(leaders) == 1 else "{value:score}"
    return joined(one, score, by="", leaders=leaders, systems=len(rows), value=first["value"])
