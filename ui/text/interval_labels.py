"""Interval kinds in words, so that exact bounds are never confused with estimates or confidence intervals."""

from dataclasses import dataclass, replace

from evalcore.metrics.intervals import Metric

UNJUDGED = "possible, if unread documents are relevant"  # legends: the two reasons why a score is not known
PAST_THE_END = "if rankings were longer"
ALL_JUDGMENTS, COMPLETE = "with all judgments", "with complete judgments"  # legends: where a score ends up
TO_COME = "change to come"


@dataclass(frozen=True)
class Kind:
    """One row of the table.

    label : in a legend
    seen, deeper, pairs : what the figure shows, what deeper judging changes, and what follows for two systems
    drawn : whether the interval is drawn, because the score must lie in it
    """

    label: str
    seen: str = ""
    deeper: str = ""
    pairs: str = ""
    drawn: bool = True


SEPARATE = "If two intervals do not overlap, no further judging can reverse the order."
KINDS = {
    "bounds": Kind(
        "bounds (exact)",
        seen=(
            "Blue is the known part of the score. Amber is what unjudged documents could add. The thin pale end is "
            "what ranks past the end of the run could add. The dot is the score, or the estimate if you chose one."
        ),
        deeper="Deeper judging can shorten only the amber part; past the end of a run there is nothing to judge.",
        pairs=(
            f"{SEPARATE} If they overlap, the intervals do not show the order. The page Orderings can show it for "
            "some pairs, because a document that both systems retrieve has the same grade in both."
        ),
    ),
    "guide": Kind(
        "guide (not a bound)",
        seen="The dot is the score, with unjudged documents counted as not relevant. This metric has no bounds.",
        deeper="Deeper judging also finds relevant documents that a system missed, so its score may rise or fall.",
        pairs="Without bounds, no order is certain.",
        drawn=False,
    ),
    "point": Kind(
        "point (no interval)",  # some of these skip unjudged documents, or infer their relevance
        seen="The dot is the score. This metric has no interval.",
        deeper="Deeper judging may change a score.",
        pairs="Without bounds, no order is certain.",
        drawn=False,
    ),
    "tukey": Kind("Tukey (overlap: no significant difference)"),
    "sem": Kind("t interval of each mean (its own error)"),
    "anova": Kind("t interval of each mean (error of the model)"),
    "bootstrap": Kind("bootstrap over topics"),
    "t": Kind("t interval"),
}
ESTIMATED = "The dot is the estimate that you chose. This metric has no bounds."
TICK = "A tick marks the score with all judgments."
MAY_GROW = "Deeper judging can only shorten the interval; within it, the pale part may grow."
ONLY_INTERVALS = (
    f"{SEPARATE} If they overlap, the intervals do not show the order. If they only touch, the page Orderings counts "
    "the pair as certain."
)


def of_metric(kind: str, metric: Metric, *, estimator: str = "lower", tick: bool = False) -> Kind:
    """The row of a kind, in the words that fit this metric.

    estimator : of the unjudged documents; tick : whether the figure marks the scores with all judgments
    """
    row = KINDS[kind]
    if kind == "guide" and estimator != "lower":
        row = replace(row, seen=ESTIMATED)
    if tick and not row.drawn:
        return replace(row, seen=f"{row.seen} {TICK}")
    if kind != "bounds" or metric.weighted:  # only weights of ranks fix what lies past the end
        return row
    return replace(row, deeper=MAY_GROW, pairs=row.pairs if metric.weighing else ONLY_INTERVALS)


def label(kind: str) -> str:
    """The legend's name for a kind; an unknown kind keeps its name."""
    return KINDS[kind].label if kind in KINDS else str(kind)


def is_drawn(kind: str) -> bool:
    """Whether intervals of this kind are drawn."""
    return kind not in KINDS or KINDS[kind].drawn
