"""The kinds of interval in words, so that an exact one and a guess are never confused."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Kind:
    """One row. label : in a legend

    seen, deeper, apart : what one sees, what judging deeper does to it, and what two of them tell
    drawn : whether its ends are drawn, for the score lies between them
    """

    label: str
    seen: str = ""
    deeper: str = ""
    apart: str = ""
    drawn: bool = True


NOT_RELEVANT = "while unjudged documents count as not relevant"
UNBOUNDED = {
    "seen": f"the dot is the score {NOT_RELEVANT}; this measure has no interval that holds",
    "deeper": "Judging deeper finds relevant documents that a system missed, so a score may rise or fall.",
    "apart": "Without intervals no ordering is certain.",
    "drawn": False,
}
POINT = UNBOUNDED | {  # some of these pass unjudged documents over, or infer what they are
    "seen": "the dot is the score; this measure has no interval",
    "deeper": "Judging deeper may move a score.",
}
KINDS = {
    "bounds": Kind(
        "bounds (exact)",
        "blue is what it certainly has, amber what unjudged documents could still make of it, and the thin pale end "
        "what could stand past the end of its list, where there is nothing to judge",
        "Judging deeper can only shorten the amber; at the pale end there is nothing to judge.",
        "Two systems whose intervals do not touch are told apart whatever the unjudged documents are. While they "
        "touch, the intervals decide nothing; Orderings tells some such pairs apart, for one document has one gain in "
        "both.",
    ),
    "guide": Kind("guide (not a bound)", **UNBOUNDED),
    "point": Kind("point (no interval)", **POINT),
    "tukey": Kind("Tukey (overlap = not told apart)"),
    "sem": Kind("t interval of each mean (its own error)"),
    "anova": Kind("t interval of each mean (error of the model)"),
    "bootstrap": Kind("bootstrap over topics"),
    "t": Kind("t interval"),
}


def of_measure(kind, metric, *, estimator="lower", stroke=False):
    """The row of a kind, as it is of this measure. What lies past the end is fixed by weights of ranks alone, and
    Orderings has more than intervals where there are weights, those in nDCG@k included.

    estimator : what is guessed of unjudged documents; stroke : whether one is drawn where all judgments put a score
    """
    row = KINDS[kind]
    if not row.drawn:
        guessed = row.seen if estimator == "lower" else row.seen.replace(NOT_RELEVANT, "by the guess that is chosen")
        return replace(row, seen=guessed + (". Where all judgments put it, there is a stroke" if stroke else ""))
    if kind != "bounds" or metric.weighted:
        return row
    row = replace(row, deeper="Judging deeper can only shorten the interval; of its parts, the pale one may grow.")
    if metric.weighing:
        return row
    return replace(row, apart=row.apart.partition("; Orderings")[0] + ", nor has Orderings more of this measure.")


UNJUDGED = "unjudged documents could still make of it"  # two causes of not knowing, in legends
PAST_THE_END = "past the end of the list, nothing to judge"
BY_ALL = "by all judgments"


def label(kind):
    """The legend's name for a kind; one that is not known is named as it is."""
    return KINDS[kind].label if kind in KINDS else str(kind)


def is_drawn(kind):
    """Whether the ends of this kind are drawn."""
    return kind not in KINDS or KINDS[kind].drawn
