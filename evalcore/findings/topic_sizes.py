"""How many topics: what those at hand can show, and what it would take to show less."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.judges import ALMOST
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known


def topics_needed(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The smallest difference that these topics show, and the topics that half of it would need."""
    first, larger = table.iloc[0], table.iloc[1:]
    facts = {"topics": first["n"], "smallest": first["difference"], "metric": params["metric"]}
    facts |= {} if params["design"] == "width" else {"power": params["power"]}
    text = SHOWN[params["design"]]
    if params["design"] != "width" and facts["smallest"] > metric_named(params["metric"]).highest(
        study.judgments.scale
    ):
        return conclude(NONE_SHOWN, **facts)
    smaller = larger[larger["difference"] < first["difference"] * 0.75]
    row = smaller.iloc[-1] if len(smaller) else None
    if row is None or not known(row["topics_needed"]):
        return conclude(text, **facts)
    facts |= {"difference": row["difference"], "needed": row["topics_needed"]}
    words = {"what": "An interval" if params["design"] == "width" else "A difference"}
    return conclude(text, "{what} of {difference:score} would need {needed:digits topic}.", words=words, **facts)


SHOWN = {  # design -> what the topics at hand show
    "t": "With {topics:digits topic}, a paired t-test finds a difference of {smallest:score} in {metric} "
    "{power:share} of the time.",
    "anova": "With {topics:digits topic}, an analysis of variance finds a difference of {smallest:score} in {metric} "
    "between best and worst {power:share} of the time.",
    "width": "With {topics:digits topic}, the interval of a difference in {metric} is {smallest:score} wide "
    "on average.",
}


NONE_SHOWN = (
    "With {topics:digits topic}, not even the largest possible difference in {metric} would be found {power:share} of "
    "the time."
)


TOO_UNCERTAIN = (
    "With the same judgments, more topics judged less deeply would show smaller differences, but scores would be too "
    "uncertain for these."
)
TOO_FEW = "{budget:digits judgment} {budget:verb is/are} too few: at no depth here would two topics be judged."


def topics_or_depth(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Whether the same judgments show a smaller difference on more topics that are judged less deeply.

    The depth is that where the larger of difference and mean width is least: a smaller difference is either not
    significant, or not beyond an interval. Depths that order the systems otherwise are not considered.
    """
    rows = table[table["difference"].notna()]
    if not len(rows) and params["budget"]:
        return conclude(TOO_FEW, budget=params["budget"])
    if not len(rows):
        return too_little("score")
    alike = rows[~(rows["tau"] < ALMOST)]
    if not len(alike.iloc[:-1]) and len(rows) > len(alike):
        return conclude(
            "Deeper judging is needed: at no shallower depth here is the order nearly that of all judgments."
        )
    rest, rows = len(rows) - len(alike), alike
    best, last = rows.loc[rows[["difference", "mean_width"]].max(axis=1).idxmin()], rows.iloc[-1]
    facts = {"metric": params["metric"], "smallest": best["difference"], "topics": int(best["topics"])}
    if best["difference"] >= last["difference"]:
        text = "With the same judgments, more topics judged less deeply would not separate systems better."
        if rows["difference"].min() < last["difference"]:
            text = TOO_UNCERTAIN
        return conclude(
            text, "At some depths the order is too far from that of all judgments." if rest else "", **facts
        )
    facts |= {"depth": int(best["depth"]), "last": last["difference"]}
    text = (
        "The same judgments would show smaller differences with more topics, judged to depth {depth}: "
        "{smallest:score}, not {last:score}."
    )
    if not (known(best["mean_width"]) and known(last["mean_width"])):
        return conclude(text, "They would be enough for {topics:digits topic}.", **facts)
    facts |= {"width": best["mean_width"], "last_width": last["mean_width"]}
    detail = (
        "They would be enough for {topics:digits topic}, but a score would be uncertain by {width:width} on average, "
        "not {last_width:width}."
    )
    return conclude(text, detail, **facts)
