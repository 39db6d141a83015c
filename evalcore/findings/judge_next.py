"""What to judge next, and which order of judging finds relevant documents soonest."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.table_helpers import mean_over_systems
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known


def judge_next(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What judging the list buys, and which document comes first."""
    if not len(table):
        return _all_judged(metric_named(params["metric"]), study)
    first, last = table.iloc[0], table.iloc[-1]
    facts = {"metric": params["metric"], "documents": len(table), **first[["document", "topic"]]}
    facts |= {"holders": int(first["systems"]), "top": int(first["in_first_ten"])}
    facts |= {"removed": last["mean_width"] - last["width_left"], "can": last["mean_width"] - last["width_past_end"]}
    words = {"these": "Judging 1 document" if len(table) == 1 else "Judging the next {documents} documents"}
    words["if"] = "if it is not relevant" if len(table) == 1 else "if none of them is relevant"
    text = "{these} would narrow the mean interval of {metric} by {removed:width} {if}."
    if last["mean_width"] <= FUZZ:
        text = "Judging can hardly make {metric} more certain: its scores are almost exact."
    elif facts["can"] <= FUZZ:
        text = "Judging can hardly make {metric} more certain: the rest comes from unfilled ranks (without a document)."
    elif metric_named(params["metric"]).weighted:
        facts["part"] = 1 if facts["removed"] > facts["can"] - FUZZ else facts["removed"] / facts["can"]
        text = "{these} would remove {part:share} of the uncertainty in {metric} that judging can remove."
    detail = "Start with document {document} (topic {topic}), which is in the top 10 of {top:digits system}."
    if not facts["top"]:
        detail = "Start with document {document} (topic {topic}), which {holders:digits system} retrieved."
    return conclude(text, detail, words=words, **facts)


def _all_judged(metric, study):
    """That nothing is left to judge; where the ideal ranking of a metric can still change, that this leaves a width."""
    if not metric.weighted:
        means = study.means(study.at().estimate(metric))
        below = float(mean_over_systems(study, means.value - means.lower))
        if known(below) and below > FUZZ:
            text = "Every ranked document that {metric} counts is judged, but the ideal ranking could still change."
            detail = "If other documents are relevant, scores fall by up to {below:width} on average."
            return conclude(text, detail, metric=metric.name, below=below)
    return conclude("Every document that {metric} counts is judged.", metric=metric.name)


def judging_orders(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which order has found most relevant documents early on, after about three in ten judgments, and which fewest."""
    steps = sorted(set(table["judgments"]))
    at = table[table["judgments"] == steps[len(steps) // 4]]
    most, fewest = int(at["relevant"].max()), int(at["relevant"].min())
    first, last = (list(at["order"][at["relevant"] == count]) for count in (most, fewest))
    facts: dict[str, Any] = {"judgments": int(at["judgments"].iloc[0])}
    facts |= {"most": most, "first": first, "fewest": fewest, "last": last}
    if fewest == most:
        every = "The {orders} judging orders find equally many relevant documents"
        text = every + ", {most} in {judgments:digits judgment}."
        if len(first) == 1:
            text = "Judging order {first:listed} finds {most:digits relevant document} in {judgments:digits judgment}."
        return conclude(text, orders=len(first), **facts)
    text = (
        "After {judgments:digits judgment}, judging {first:verb order/orders} {first:listed} {first:verb has/have} "
        "found the most relevant documents ({most})."
    )
    detail = "{last:verb Order/Orders} {last:listed} {last:verb has/have} found the fewest ({fewest})."
    return conclude(text, detail, **facts)
