"""Who judged what: leniency, drift, and documents judged twice."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.questions.judges import judge_named
from evalcore.statistics.orderings import EQUAL
from evalcore.study.study import Study


def assessors(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The most lenient and the strictest assessor, and who agrees least with the judge."""
    first, last = table.iloc[0], table.iloc[-1]
    facts = {"assessors": len(table), "most": first["assessor"], "high": first["share_relevant"]}
    facts |= {"least": last["assessor"], "low": last["share_relevant"], "topics": first["topics"]}
    text, alone = "Each of {assessors} assessors calls {high:share} of the documents relevant.", ""
    if len(table) == 1:
        text = "{most} judged {topics:digits topic} and calls {high:share} of the documents relevant."
    elif facts["high"] - facts["low"] > EQUAL:
        text, alone = LENIENT_AND_STRICT
    agreeing = table.dropna(subset=["kappa_weighted"])
    if not len(agreeing):
        return conclude(text, alone, **facts)
    worst = agreeing.loc[agreeing["kappa_weighted"].idxmin()]
    facts |= {"judge": judge_named(study, params["judge"]), "worst": worst["assessor"]}
    facts |= {"kappa": worst["kappa_weighted"], "both": worst["both"]}
    detail = "{judge} agrees least with {worst} (κ {kappa:score}, {both:digits document})."
    if len(agreeing) == 1:
        detail = "{judge} agrees with {worst} by κ {kappa:score} ({both:digits document})."
    return conclude(text, detail, **facts)


LENIENT_AND_STRICT = (
    "Of {assessors} assessors, {most} calls most documents relevant ({high:share}) and {least} fewest ({low:share}).",
    "Their topics may explain this. Load a judge of the same documents to compare them.",
)


def assessors_twice(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How often two judgments of one document agree, and the two who agree least."""
    facts = {"both": int(table["both"].sum()), "share": table["same"].sum() / table["both"].sum()}
    text = "In {share:share} of {both:digits case}, two judgments of the same document have the same grade."
    agreeing = table.dropna(subset=["kappa_weighted"])
    if not len(agreeing):
        return conclude(text, **facts)
    worst = agreeing.loc[agreeing["kappa_weighted"].idxmin()]
    facts |= {"a": worst["a"], "b": worst["b"], "kappa": worst["kappa_weighted"], "shared": worst["both"]}
    detail = "{a} and {b} agree" if worst["a"] != worst["b"] else "{a} agrees with earlier judgments of the same person"
    least = " least" if len(agreeing) > 1 else ""
    return conclude(text, f"{detail}{least} (κ {{kappa:score}}, {{shared:digits document}}).", **facts)


def assessor_drift(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Who changes most surely from the first half to the second."""
    tested = table.dropna(subset=["p"])
    facts = {"assessors": table["assessor"].nunique(), "tests": len(tested), "level": params["level"]}
    if not len(tested):
        return conclude("Drift cannot be measured: no assessor has two halves in which relevance varies.", **facts)
    significant = tested[tested["p_corrected"] < params["level"]]
    facts |= {"significant": len(significant)}
    if not len(significant):
        text = "No assessor became significantly stricter or more lenient."
        return conclude(text, "This rests on {tests:digits test}, corrected by Holm.", **facts)
    surest = significant.loc[significant["p_corrected"].idxmin()]
    facts |= {"assessor": surest["assessor"], "first": surest["share_first"], "second": surest["share_second"]}
    facts |= {"p": surest["p_corrected"]}
    stricter = bool(surest["difference"] < 0)
    text = DRIFT[stricter, surest["by"]]
    detail = "The difference is significant (Holm over {tests:digits test}, p {p:chance})."
    if len(significant) > 1:
        detail = "{significant} of {tests} differences are significant (Holm), this one with p {p:chance}."
    caveats = [DOWN_THE_RANKINGS] if stricter and surest["by"] == "documents" else []
    return conclude(text, detail, caveats=caveats, **facts)


DOWN_THE_RANKINGS = "Documents that were judged from the top of the rankings down would show the same without drift."
DRIFT = {  # by whether the assessor became stricter, and by what was halved
    (True, "topics"): "{assessor} became stricter: {first:share} relevant in the first half of the topics, "
    "{second:share} in the second.",
    (True, "documents"): "{assessor} became stricter: {first:share} relevant in the first half of each topic's "
    "documents, {second:share} in the second.",
    (False, "topics"): "{assessor} became more lenient: {first:share} relevant in the first half of the topics, "
    "{second:share} in the second.",
    (False, "documents"): "{assessor} became more lenient: {first:share} relevant in the first half of each topic's "
    "documents, {second:share} in the second.",
}
