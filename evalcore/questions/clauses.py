"""Clauses that the findings of several questions share."""

from evalcore.comparing import orderings
from evalcore.estimating.estimators import in_short
from evalcore.metrics import metric as metric_named
from evalcore.sentences import FUZZ, Sentence, everyone, joined, known

TOP = 10  # so many first places are looked at


def stage(depth):
    """How far was judged: "At pool depth 10", or "With all judgments" where the depth is missing."""
    return Sentence("At pool depth {depth}", depth=int(depth)) if known(depth) else Sentence("With all judgments")


def stage_of(asked):
    """The same of what was asked, a count of judgments too."""
    if asked.get("judgments") is not None:
        return Sentence("With ") + the_first(asked["judgments"])
    return stage(asked.get("depth"))


def the_first(judgments):
    """So many judgments in the order of the pool: "the first 500 judgments"."""
    text = "the first {judgments:digits judgment}" if judgments > 1 else "the first judgment"
    return Sentence(text, judgments=judgments)


def is_cut(asked):
    """Whether fewer judgments than all were asked for."""
    return asked.get("depth") is not None or asked.get("judgments") is not None


def measured(asked):
    """The measure, with the guess that was made of the unjudged documents, or that they were taken out."""
    name, guess = asked["metric"], asked.get("estimator", "lower")
    if asked.get("unjudged") == "condensed":
        return f"{name} without the unjudged documents"
    return name if guess == "lower" or metric_named(name).kind == "point" else f"{name} guessed by {in_short(guess)}"


def by_what(metric, depth, unjudged="irrelevant"):
    """By which measure and which judgments: "By AP with all judgments", "By AP at pool depth 5", and how unjudged
    documents are read where they do not count as not relevant."""
    judged = Sentence(" at pool depth {depth}", depth=int(depth)) if known(depth) else Sentence(" with all judgments")
    taken_out = ", unjudged documents taken out" if unjudged == "condensed" else ""
    return Sentence("By {metric}", metric=metric) + judged + Sentence(taken_out)


def reading(value, lower, upper, kind):
    """One score with its interval, where it has one: ".604", "at least .604 and at most .665", ".604 for certain", and
    before its ends a value that was guessed between them."""
    if kind != "bounds" or not (known(lower) and known(upper)):
        return Sentence("{value:score}", value=value)
    if upper - lower < FUZZ:
        return Sentence("{lower:score} for certain", lower=lower)
    ends = Sentence("at least {lower:at_least} and at most {upper:at_most}", lower=lower, upper=upper)
    return Sentence("{value:score}, ", value=value) + ends if value - lower > FUZZ else ends


def first_place(rows, measure):
    """Who has the highest score and where it lies; of several the score alone, for their intervals differ; where all
    have it, nobody is first."""
    first = rows.loc[rows["value"].idxmax()]
    leaders = list(rows["system"][leading(rows)])
    score = reading(*first[["value", "lower", "upper", "kind"]]) if len(leaders) == 1 else "{value:score}"
    facts = {"leaders": leaders, "measure": measure, "value": first["value"]}
    if len(rows) == 1:
        return joined("{leaders:listed} scores ", score, " by {measure}", by="", **facts)
    if len(leaders) == len(rows):
        return joined(f"{everyone(len(rows))} score {{value:score}} by {{measure}}", by="", **facts)
    text = "{leaders:listed} {leaders:verb is/are} first of {systems:digits system} by {measure} with "
    return joined(text, score, by="", systems=len(rows), **facts)


def leading(rows):
    """Whether each has the highest score. bool, by row"""
    return rows["value"].max() - rows["value"] < FUZZ


def on_average(change):
    """How a measure changes on average: the end of a clause about {measure}, and its facts."""
    if abs(change) < FUZZ:
        return "does not change on average", {}
    return f"{'rises' if change > 0 else 'falls'} by {{moved:score}} on average", {"moved": abs(change)}


LEAST = 0.001  # what is less likely is told so


def chance(p):
    """How likely something is by chance alone."""
    return Sentence("p below {least:short}", least=LEAST) if p < LEAST else Sentence("p = {p:short}", p=p)


def still_to_move(rows, measure):
    """How far scores move from these judgments to all, and how many pairs of the first ten change places.

    rows : columns value and value_final; None where fewer than two systems have both
    """
    rows = rows[rows["value"].notna() & rows["value_final"].notna()]
    if len(rows) < 2:
        return None
    top, (text, moved) = of_the_top(rows), on_average((rows["value_final"] - rows["value"]).mean())
    swaps = orderings.inversions(top["value"].to_numpy(), top["value_final"].to_numpy())
    places = "and {swaps:count pair} of the first {top:small} {swaps:verb changes/change} places"
    if len(rows) == 2:
        places = "and the two {swaps:verb change/do not change} places"
    return joined(
        f"from there to all judgments {{measure}} {text}",
        places,
        by=", ",
        measure=measure,
        swaps=swaps,
        top=len(top),
        **moved,
    )


def of_the_top(rows):
    """The rows of the first ten by their value; of tied ones those that stand first."""
    return rows.iloc[orderings.ordering(rows["value"].to_numpy())[:TOP]]


def of_judgments(study, *, whole=False):
    """The judgments of which a share lies outside the pool, in words. whole : whether fewer are in force"""
    named = f"{'all' if whole else 'the'} judgments"
    pooling = study.pooling
    if pooling.depth_known and (pooling.depth_of_topic[study.judged_topics] == 0).any():
        return f"{named} of topics whose pool's depth is known"
    return named
