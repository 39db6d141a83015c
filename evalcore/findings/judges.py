"""How far two sets of judgments agree, which judge can be trusted, and for what."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.orderings import of_two_sets
from evalcore.questions.judges import compares_grades, judge_named, judged_by_one
from evalcore.questions.table_helpers import answering
from evalcore.statistics.orderings import EQUAL
from evalcore.study.extra_qrels import people_grade, scale_of, second_waits, span, without_level
from evalcore.study.judge_names import REFERENCE
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known, written

# ---------------------------------------------------------------------------------------------------------------------
# The second judgments


def agreement(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On how many documents the two sets agree, and how many relevant ones they share."""
    row, by_grade = table.iloc[-1], compares_grades(study, params["rel_level"])
    facts = dict(row[["both", "kappa", "shift", "first_alone", "second_alone", "relevant", "relevant_both"]])
    facts |= {"same": row["same"] / row["both"], "overlap": row["overlap_relevant"]}
    alone = {"first_only": "relevant", "others": "relevant_other"}
    facts |= {name: row[column] - row["relevant_both"] for name, column in alone.items()}
    judgment, kappa = "the grade" if by_grade else "the relevance", " (κ {kappa:score})" if known(row["kappa"]) else ""
    text = f"The two sets agree on {judgment} of {{same:share}} of {{both:digits document}} that both judge{kappa}."
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
    pairs, level = int(table["count"].sum()), study.options["other_rel_level"]
    if level is not None:  # as in `agreement`
        unlike = (table["grade"] >= study.options["rel_level"]) != (table["grade_other"] >= level)
        differ = int(table["count"][unlike].sum())
        text = "The two sets differ on the relevance of {differ} of {both:digits document}."
        detail = "Each has its own lowest relevant grade, so grades are not compared."
        return conclude(text, detail, differ=differ, both=pairs)
    differ = table[table["grade"] != table["grade_other"]]
    facts: dict[str, Any] = {"differ": int(differ["count"].sum()), "both": pairs}
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
    caveats = of_two_sets(study)
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


# ---------------------------------------------------------------------------------------------------------------------
# All judges

ALMOST, SIMILAR = 0.9, 0.7  # tau from which orderings are almost the same, or similar
ABOVE_CHANCE = 0.5  # of the way from tau by chance to 1: most random judges come to .25, noisy ones from .60 on
SOME_AGREEMENT = 0.1  # kappa on documents from which a judge is not random
MUCH = 0.05  # of share_relevant: a judge that differs by more, or by a fifth, is lenient or strict
FEW_TOPICS = 20  # fewer make tau smaller than it would be over many
VERDICTS = {
    "almost": "{judge} orders the systems almost as people do, so trust it for their order: τ {tau:score} over "
    "{n:digits topic}{chance}.",
    "similarly": "{judge} orders the systems roughly as people do, so trust it for a rough order: τ {tau:score} over "
    "{n:digits topic}{chance}.",
    "otherwise": "{judge} orders the systems differently from people, so do not trust its order: τ {tau:score} over "
    "{n:digits topic}{chance}.",
    "by chance": "Do not trust the order by {judge}: τ {tau:score} over {n:digits topic}, but {by_chance:score} with "
    "the same grades in other places.",
    "at random": "Do not trust the order by {judge} (τ {tau:score} over {n:digits topic}): on documents it hardly "
    "agrees with people (κ {kappa:score}).",
    "untried": "{judge} orders the systems by τ {tau:score} as people do over {n:digits topic}; without τ by chance, "
    "nothing says whether to trust that.",
    "constant": "Do not trust the order by {judge} (τ {tau:score} over {n:digits topic}): grades do not vary, so "
    "nothing shows agreement on documents.",
}
PLAINLY = {  # verdict -> in everyday words
    "almost": "{judge} orders the systems almost as people do, so trust it for their order.",
    "similarly": "{judge} orders the systems roughly as people do, so trust it for a rough order only.",
    "otherwise": "{judge} orders the systems differently from people, so do not trust its order.",
    "by chance": "Do not trust the order by {judge}: too much of its agreement with people could be chance.",
    "at random": "Do not trust the order by {judge}: on documents it hardly agrees with people.",
    "untried": "Cannot say whether to trust the order by {judge}: nothing shows how much of its agreement is chance.",
    "constant": "Do not trust the order by {judge}: nothing shows that it agrees with people on documents.",
}
LEVELS_PLAINLY = {
    "lenient": "It calls more documents relevant than people do.",
    "strict": "It calls fewer documents relevant than people do.",
    "alike": "It calls about as many documents relevant as people do.",
}
CHOOSE = "Choose the lowest relevant grade of {judge}: it grades {theirs}, people {ours}."
OTHER_SCALE = "Choose it on Judges, with rel_levels, or --judge.", "Choose it on Judges, or with other_rel_level."
LEVELS = {  # what it calls relevant
    "lenient": "It is lenient: it calls {judged:share} relevant, people {people:share}.",
    "strict": "It is strict: it calls {judged:share} relevant, people {people:share}.",
    "alike": "It calls about as many documents relevant ({judged:share}; people {people:share}).",
}


def judges(table: pd.DataFrame, params: dict[str, Any], study: Study, judge: str | None = None) -> Conclusion:
    """Whether the judge that orders the systems most like people, or this one, is to be trusted; how lenient it is."""
    ordered = table.dropna(subset=["tau"])
    best, last = table.iloc[0], table.iloc[max(0, len(ordered) - 1)]
    chosen = best if judge is None else table[table["judge"] == judge].iloc[0]
    facts = {"judge": chosen["judge"], "tau": chosen["tau"], "metric": params["metric"], "judges": len(ordered)}
    if chosen["judge"] in without_level(study):
        spans = {"theirs": study.judges[chosen["judge"]].scale.read, "ours": people_grade(study)}
        words = {name: span(grades) for name, grades in spans.items()}
        where = OTHER_SCALE[chosen["judge"] not in study.given_judges]
        return conclude(CHOOSE, f"{where} Until then, nothing says whether to trust it.", words=words, **facts)
    facts |= {"judged": chosen["share_relevant_other"], "people": chosen["share_relevant"], "n": chosen["n"]}
    if not known(facts["judged"]):
        return conclude("{judge} judges no document that people judge, so they cannot be compared.", **facts)
    leniency = _leniency(facts["judged"], facts["people"])
    level = LEVELS[leniency]
    if not known(facts["tau"]):
        text = "{judge} calls {judged:share} of the documents relevant, people {people:share}."
        return conclude(text, "The systems have no two scores to order by.", **facts)
    facts |= {"kappa": chosen["kappa_weighted"], "by_chance": chosen["tau_by_chance"]}
    facts = {name: value for name, value in facts.items() if value == value}
    if facts["n"] == 1:
        text = "{judge} and people share one topic: too few to say whether to trust its order (τ {tau:score})."
        plainly = "{judge} and people share only one topic: too few to say whether to trust its order."
        return conclude(text, level, plainly=f"{plainly} {LEVELS_PLAINLY[leniency]}", **facts)
    verdict = _verdict(facts)
    words = {"chance": ", {by_chance:score} by chance" if "by_chance" in facts else ""}
    if facts["n"] < FEW_TOPICS and facts["tau"] < 1 - EQUAL and not _rejected(facts):
        level += " Over more topics, τ would probably be higher."
    if best["tau"] > chosen["tau"] + EQUAL:
        facts |= {"best": best["judge"], "most": best["tau"]}
        level += " Of {judges} judges, {best} agrees most (τ {most:score})."
    elif len(ordered) > 1 and last["tau"] < best["tau"] - EQUAL:
        facts |= {"last": last["judge"], "least": last["tau"]}
        level += " Of {judges} judges, {last} agrees least (τ {least:score})."
    plainly = f"{PLAINLY[verdict]} {LEVELS_PLAINLY[leniency]}"
    return conclude(VERDICTS[verdict], level, plainly=plainly, words=words, **facts)


def _verdict(facts):
    """What a judge is to be trusted for, or why not: its tau may come from which documents were judged at all."""
    order = _order(facts["tau"])
    return order if order == "otherwise" else _rejected(facts) or order


def _rejected(facts):
    """Why nothing is trusted, however large tau is; "" where nothing speaks against trust."""
    if "kappa" not in facts:
        return "constant"
    if "by_chance" not in facts:
        return "untried"
    if facts["tau"] - facts["by_chance"] < ABOVE_CHANCE * (1 - facts["by_chance"]):
        return "by chance"
    return "" if facts["kappa"] >= SOME_AGREEMENT else "at random"


def _order(tau):
    return "almost" if tau >= ALMOST else "similarly" if tau >= SIMILAR else "otherwise"


def _leniency(judged, people):
    """As many documents are relevant where both their difference and their ratio are small."""
    if abs(judged - people) <= MUCH and 0.8 * people <= judged <= 1.25 * people:
        return "alike"
    return "lenient" if judged > people else "strict"


def judge_pairs(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The two judges whose orderings agree most, and least."""
    pairs = table[table.index // (len(study.judges) + 1) < table.index % (len(study.judges) + 1)].dropna(subset=["tau"])
    if not len(pairs):
        return too_little("order")
    most, least = pairs.loc[pairs["tau"].idxmax()], pairs.loc[pairs["tau"].idxmin()]
    facts = {"metric": params["metric"], "tau": most["tau"], "pairs": len(pairs)} | _two(most, "a", "b")
    if len(pairs) == 1:
        return conclude("On the order of the systems, {a} and {b} agree by τ {tau:score}.", **facts)
    facts |= {"least": least["tau"]} | _two(least, "c", "d")
    text = "On the order of the systems, {a} and {b} agree most (τ {tau:score})."
    return conclude(text, "The least agreement is between {c} and {d} (τ {least:score}).", **facts)


def _two(pair, *names):
    """The two judges of a pair, as facts."""
    sides = ("people" if pair[side] == REFERENCE else pair[side] for side in ("a", "b"))
    return dict(zip(names, sides, strict=True))


def judge_confusion(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents the judge grades higher, and lower; on another scale, how many it alone calls relevant."""
    judge = judge_named(study, params["judge"])
    facts: dict[str, Any] = {"judge": judge, "both": int(table["count"].sum())}
    if scale_of(study, judge):
        relevant = table["grade"] >= study.judgments.scale.rel_level
        theirs = table["grade_other"] >= study.judges[judge].scale.rel_level
        for name, documents in (("more", ~relevant & theirs), ("fewer", relevant & ~theirs)):
            facts[name] = float(table["count"][documents].sum() / facts["both"])
        text = (
            "Of the documents that both judge, {judge} alone calls {more:share} relevant, people alone {fewer:share}."
        )
        return conclude(text, "Grades are on two scales, so they are not compared.", **facts)
    for name, documents in (
        ("higher", table["grade_other"] > table["grade"]),
        ("lower", table["grade_other"] < table["grade"]),
    ):
        facts[name] = float(table["count"][documents].sum() / facts["both"])
    text = "{judge} grades {higher:share} of the documents that both judge higher than people, and {lower:share} lower."
    return conclude(text, **facts)


def judge_agreement_by_rank(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Where in the rankings the judge agrees least."""
    rows = table[table["by"] == "rank"]
    top, bottom = rows.iloc[0], rows.iloc[-1]
    facts = {"judge": judge_named(study, params["judge"]), "first": top["first"], "last": top["last"]}
    facts |= {"judged": top["share_relevant_other"], "people": top["share_relevant"]}
    words = {"where": "best rank {first}" if top["first"] == top["last"] else "best ranks {first} to {last}"}
    text = "Of documents near the top ({where}), {judge} calls {judged:share} relevant, people {people:share}."
    if len(rows) == 1:
        return conclude(text, words=words, **facts)
    facts |= {"deep": bottom["first"], "judged_deep": bottom["share_relevant_other"]}
    facts |= {"people_deep": bottom["share_relevant"]}
    detail = "From rank {deep} on, it calls {judged_deep:share} relevant, people {people_deep:share}."
    return conclude(text, detail, words=words, **facts)


def judge_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The topic on which the judge agrees least."""
    rows = table.dropna(subset=["kappa_weighted"])
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "topics": len(table)}
    if not len(rows):
        return conclude("The agreement of {judge} cannot be measured on any topic: grades do not vary.", **facts)
    worst, poor = rows.iloc[0], int((rows["kappa_weighted"] < 0.4).sum())
    facts |= {"topic": worst["topic"], "kappa": worst["kappa_weighted"], "poor": poor}
    facts |= {"judged": worst["share_relevant_other"], "people": worst["share_relevant"]}
    if len(rows) > 1 and rows["kappa_weighted"].max() - facts["kappa"] < EQUAL:
        text = (
            "{judge} and people agree to the same degree on all {measured} topics where grades vary (κ {kappa:score})."
        )
        return conclude(text, measured=len(rows), **facts)
    text = "{judge} agrees least with people on topic {topic} (κ {kappa:score})."
    detail = "There it calls {judged:share} relevant, people {people:share}; κ is below .4 on {poor:digits topic}."
    return conclude(text, detail, **facts)


def judge_systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs the judge swaps, and how many of them are significant."""
    scored = answering(table.dropna(subset=["value", "value_other"]), study)
    n = len(scored)
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "systems": n}
    if n < 2:
        return too_little("systems", **facts)
    facts |= {"pairs": n * (n - 1) // 2, "swapped": int(scored["swapped"].sum() // 2)}
    facts |= {"significant": int(scored["swapped_significant"].sum() // 2)}
    facts |= {"share": facts["swapped"] / facts["pairs"], "change": scored["change"].mean()}
    for who, of in (("people", scored["value"]), ("{judge}", scored["value_other"])):
        if of.max() - of.min() < EQUAL:
            return conclude(ALL_ALIKE, words={"who": who}, **facts)
    if not facts["swapped"]:
        return conclude("{judge} swaps no pair of systems ({pairs:digits pair}).", **facts)
    text = "{judge} swaps {share:share} of the system pairs ({swapped} of {pairs})."
    detail = "{significant} of these pairs differ significantly by people's judgments (paired t-test, Holm)."
    if table["n"].max() < 2:
        detail = "On one topic, no difference can be tested."
    elif facts["significant"] < 2:
        number_word = ("None", "One")[facts["significant"]]
        detail = f"{number_word} of these pairs differs significantly by people's judgments (paired t-test, Holm)."
    return conclude(text, detail, **facts)


ALL_ALIKE = "By the judgments of {who}, all systems have the same {metric}, so there is no order to compare."


def judge_gains(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which group the judge favours most, if any significantly."""
    by = table["by"].iloc[0]
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "groups": len(table)}
    significant = table[table["p_corrected"] < params["level"]]
    facts |= {"significant": len(significant)}
    favour = significant["difference"] - significant["expected"]
    gains, losses = significant[favour > 0], significant[favour < 0]
    if not len(significant):
        return conclude("{judge} favours no {by} significantly.", CORRECTED, words={"by": by}, **facts)
    rows = gains if len(gains) else losses.iloc[::-1]
    best = rows.iloc[0]
    facts |= {name: best[name] for name in ("group", "difference", "expected", "lower", "upper")}
    facts["favour"] = abs(best["difference"] - best["expected"])
    detail = (
        "Against all others it gains {difference:gain} ({lower:gain} to {upper:gain} over topics); errors at random "
        "would give it {expected:gain}."
    )
    if len(significant) > 1:
        detail += " Systems with the same documents gain or lose with it: {significant} of {groups} differ (Holm)."
    text = "{judge} favours {who} by {favour:score}." if len(gains) else "{judge} disfavours {who} by {favour:score}."
    who = "{group}" if by == "system" else f"the systems of {by} {{group}}"
    return conclude(text, detail, words={"who": who}, **facts)


CORRECTED = "Significance is corrected for {groups:digits difference} (Holm); the intervals are not."


def judge_checks(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which document a person should judge first."""
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "documents": len(table)}
    if not len(table):
        return conclude("No document of {judge} affects the order of systems with close scores.", **facts)
    first = table.iloc[0]
    facts |= {"document": first["document"], "topic": first["topic"], "topics": table["topic"].nunique()}
    text = (
        "A person should next judge document {document} of topic {topic}: it separates systems with close scores most."
    )
    detail = "The list has {documents:digits document} of {topics:digits topic}."
    return conclude(text, detail, **facts)


def judge_checks_curve(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What checking as many documents as the list has brings, against random order and no check."""
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"]}
    start, most = table["tau"].iloc[0], table["judgments"].max()
    middle = table[(table["judgments"] > 0) & (table["judgments"] < most)]
    if not known(start):
        return too_little("order", **facts)
    if not len(middle):
        return conclude("People judged only one document of {judge}: no order of checking can be tried.", **facts)
    at = min(middle["judgments"].unique(), key=lambda count: (abs(count - LIST), count))
    tau = middle[middle["judgments"] == at].set_index("order")["tau"]
    facts |= {"start": start, "checked": at, "random": tau["random"]}
    facts |= {"tau": tau["documents"], "by_topic": tau["topics"]}
    if tau.isna().any():
        return conclude("With {checked:digits document} checked, all systems can have the same score.", **facts)
    text = "Checking {checked:digits document} one by one gives τ {tau:score}; in random order, {random:score}."
    return conclude(text, "Without a check, {judge} has τ {start:score}; topic by topic, {by_topic:score}.", **facts)


LIST = 100  # documents: the usual length of the list of `judge_checks`
