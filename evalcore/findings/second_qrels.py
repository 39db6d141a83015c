"""How far two sets of judgments agree, and what that does to the systems."""

from typing import Any

import numpy as np
import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.questions.second_qrels import compares_grades, judged_by_one
from evalcore.study.extra_qrels import second_waits
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, known, written


def agreement(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On how many documents the two sets agree, and how many relevant ones they share."""
    row, by_grade = table.iloc[-1], compares_grades(study, params["rel_level"])
    facts = dict(row[["both", "kappa", "shift", "first_alone", "second_alone", "relevant", "relevant_both"]])
    facts |= {"same": row["same"] / row["both"], "overlap": row["overlap_relevant"]}
    alone = {"first_only": "relevant", "others": "relevant_other"}
    facts |= {name: row[column] - row["relevant_both"] for name, column in alone.items()}
    what, kappa = "the grade" if by_grade else "the relevance", " (κ {kappa:score})" if known(row["kappa"]) else ""
    text = f"The two sets agree on {what} of {{same:share}} of {{both:digits document}} that both judge{kappa}."
    detail = (
        "They share {relevant_both:digits relevant document}. The first set adds {first_only}, the second {others} "
        "(overlap {overlap:score})."
    )
    if not row["relevant"] and not row["relevant_other"]:
        detail = "Neither set has a relevant document."
    assert study.other is not None
    ours, theirs = study.judgments.scale.g_max, study.other.scale.g_max
    waits = second_waits(study)
    caveats = (
        waits or [f"The first set grades up to {ours}, the second up to {theirs}."]
        if by_grade and ours != theirs
        else []
    )
    return conclude(text, detail, caveats=caveats, **facts)


def confusion(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents have two grades, and which two most often."""
    both, level = int(table["count"].sum()), study.options["other_rel_level"]
    if level is not None:  # as in `agreement`
        unlike = (table["grade"] >= study.options["rel_level"]) != (table["grade_other"] >= level)
        differ = int(table["count"][unlike].sum())
        text = "The two sets differ on the relevance of {differ} of {both:digits document}."
        detail = "Each has its own lowest relevant grade, so grades are not compared."
        return conclude(text, detail, differ=differ, both=both)
    differ = table[table["grade"] != table["grade_other"]]
    facts: dict[str, Any] = {"differ": int(differ["count"].sum()), "both": both}
    text = "The two sets grade {differ} of {both:digits document} differently."
    most = differ[differ["count"] == differ["count"].max()]
    caveats = second_waits(study)
    if len(most) != 1:
        return conclude(text, caveats=caveats, **facts)
    detail = (
        "Most often, grade {grade} in the first set is grade {grade_other} in the second ({count:digits document})."
    )
    return conclude(text, detail, caveats=caveats, **facts, **most.iloc[0])


def agreement_effect(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many systems change rank, and which most."""
    table = table.dropna(subset=["rank", "rank_other"])
    climbed = table["rank"] - table["rank_other"]
    facts = {"metric": params["metric"], "systems": len(table), "moving": int((climbed != 0).sum())}
    caveats = [*second_waits(study), *_fewer_topics(study)]
    facts["alone"] = judged_by_one(study)
    if facts["alone"]:
        text = "{alone:digits document} {alone:verb is/are} judged in only one of the two sets."
        caveats.append(written(text, facts))
    if facts["moving"] and 1 in (table["rank"].nunique(), table["rank_other"].nunique()):
        alike = "first" if table["rank"].nunique() == 1 else "second"
        text = f"Ranks cannot be compared: all systems have the same score under the {alike} set of judgments."
        return conclude(text, "Choose another metric.", caveats=caveats, **facts)
    ends = []
    for who, moves, ranks in (("climbers", "rise", climbed), ("fallers", "fall", -climbed)):
        if (most := ranks.max()) > 0:
            facts |= {who: list(table["system"][ranks == most]), f"{who}_places": int(most)}
            ends.append(f"{{{who}:listed}} {{{who}:verb {moves}s/{moves}}} most ({{{who}_places:digits rank}})")
    if not ends:
        return conclude("No system changes rank under the second set of judgments.", caveats=caveats, **facts)
    text = "{moving} of {systems:digits system} {moving:verb changes/change} rank under the second set of judgments."
    return conclude(text, f"{', '.join(ends)}.", caveats=caveats, **facts)


def _fewer_topics(study):
    """The caveat that some topics are left out, where one of the two sets does not judge them. A list."""
    ours, theirs = study.judged_topics, study.judged_by_other.judged_topics
    if np.array_equal(ours, theirs):
        return []
    return [f"The comparison uses only the {digits(len(np.intersect1d(ours, theirs)), 'topic')} that both sets judge."]
