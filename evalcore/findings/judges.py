"""Which judge can be trusted, and for what."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.judges import judge_named
from evalcore.statistics.orderings import EQUAL
from evalcore.study.extra_qrels import REFERENCE
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known

ALMOST, SIMILAR = 0.9, 0.7  # tau from which orderings are almost the same, or similar
MUCH = 0.05  # of share_relevant: a judge that differs by more is lenient or strict
TEXTS = {  # how the judge orders systems, and what it calls relevant
    ("almost", "lenient"): "{judge} orders the systems almost as people do (τ {tau:score}), but "
    "is lenient: it calls {judged:share} relevant, people {people:share}.",
    ("almost", "strict"): "{judge} orders the systems almost as people do (τ {tau:score}), but "
    "is strict: it calls {judged:share} relevant, people {people:share}.",
    ("almost", "alike"): "{judge} orders the systems almost as people do (τ {tau:score}) and "
    "calls as many documents relevant ({judged:share}; people {people:share}).",
    ("similarly", "lenient"): "{judge} orders the systems roughly as people do (τ {tau:score}), but "
    "is lenient: it calls {judged:share} relevant, people {people:share}.",
    ("similarly", "strict"): "{judge} orders the systems roughly as people do (τ {tau:score}), but "
    "is strict: it calls {judged:share} relevant, people {people:share}.",
    ("similarly", "alike"): "{judge} orders the systems roughly as people do (τ {tau:score}) and "
    "calls as many documents relevant ({judged:share}; people {people:share}).",
    ("otherwise", "lenient"): "{judge} orders the systems differently from people (τ {tau:score}) and "
    "is lenient: it calls {judged:share} relevant, people {people:share}.",
    ("otherwise", "strict"): "{judge} orders the systems differently from people (τ {tau:score}) and "
    "is strict: it calls {judged:share} relevant, people {people:share}.",
    ("otherwise", "alike"): "{judge} orders the systems differently from people (τ {tau:score}), but "
    "calls as many documents relevant ({judged:share}; people {people:share}).",
}
TRUST = {  # so what it can be trusted for
    ("almost", False): "So trust it for the order of the systems, not for the level of their scores.",
    ("almost", True): "So trust it for the order of the systems; compare the scores before you trust their level, too.",
    ("similarly", False): "So trust it for a rough order of the systems, not for the level of their scores.",
    (
        "similarly",
        True,
    ): "So trust it for a rough order of the systems; compare the scores before you trust their level, too.",
    ("otherwise", False): "So trust it neither for the order of the systems nor for the level of their scores.",
    ("otherwise", True): "So do not trust it for the order of the systems.",
}


def judges(table: pd.DataFrame, params: dict[str, Any], study: Study, judge: str | None = None) -> Conclusion:
    """Whether the judge that orders the systems most like people, or this one, is lenient; what to trust it for."""
    best, last = table.iloc[0], table.iloc[-1]
    chosen = best if judge is None else table[table["judge"] == judge].iloc[0]
    facts = {"judge": chosen["judge"], "tau": chosen["tau"], "metric": params["metric"], "judges": len(table)}
    facts |= {"judged": chosen["share_relevant_other"], "people": chosen["share_relevant"]}
    if not known(facts["judged"]):
        return conclude("{judge} judges no document that people judge, so they cannot be compared.", **facts)
    leniency = _leniency(facts["judged"] - facts["people"])
    if not known(facts["tau"]):
        text = "{judge} calls {judged:share} of the documents relevant, people {people:share}."
        return conclude(text, "The systems have no two scores to order by.", **facts)
    order = _order(facts["tau"])
    text, trust = TEXTS[order, leniency], TRUST[order, leniency == "alike"]
    if best["tau"] > chosen["tau"] + EQUAL:
        facts |= {"best": best["judge"], "most": best["tau"]}
        return conclude(text, trust + " Of {judges} judges, {best} agrees most (τ {most:score}).", **facts)
    if len(table) == 1 or not known(last["tau"]) or last["tau"] > best["tau"] - EQUAL:
        return conclude(text, trust, **facts)
    facts |= {"last": last["judge"], "least": last["tau"]}
    return conclude(text, trust + " Of {judges} judges, {last} agrees least (τ {least:score}).", **facts)


def _order(tau):
    return "almost" if tau >= ALMOST else "similarly" if tau >= SIMILAR else "otherwise"


def _leniency(more):
    return "lenient" if more > MUCH else "strict" if more < -MUCH else "alike"


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
    both = ("people" if pair[side] == REFERENCE else pair[side] for side in ("a", "b"))
    return dict(zip(names, both, strict=True))


def judge_confusion(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents the judge grades higher, and lower."""
    facts: dict[str, Any] = {"judge": judge_named(study, params["judge"]), "both": int(table["count"].sum())}
    for name, which in (
        ("higher", table["grade_other"] > table["grade"]),
        ("lower", table["grade_other"] < table["grade"]),
    ):
        facts[name] = float(table["count"][which].sum() / facts["both"])
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
    text = "{judge} agrees least with people on topic {topic} (κ {kappa:score})."
    detail = "There it calls {judged:share} relevant, people {people:share}; κ is below .4 on {poor:digits topic}."
    return conclude(text, detail, **facts)


def judge_systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs the judge swaps, and how many of them are significant."""
    scored = table.dropna(subset=["value", "value_other"])
    n = len(scored)
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "systems": n}
    if n < 2:
        return too_little("systems", **facts)
    facts |= {"pairs": n * (n - 1) // 2, "swapped": int(scored["swapped"].sum() // 2)}
    facts |= {"significant": int(scored["swapped_significant"].sum() // 2)}
    facts |= {"share": facts["swapped"] / facts["pairs"], "change": scored["change"].mean()}
    if not facts["swapped"]:
        return conclude("{judge} swaps no pair of systems ({pairs:digits pair}).", **facts)
    text = "{judge} swaps {share:share} of the system pairs ({swapped} of {pairs})."
    detail = "{significant} of these pairs differ significantly by people's judgments."
    if facts["significant"] < 2:
        detail = f"{('None', 'One')[facts['significant']]} of these pairs differs significantly by people's judgments."
    return conclude(text, detail, **facts)


def judge_gains(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which group the judge favours most, if any significantly."""
    by = table["by"].iloc[0]
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "groups": len(table)}
    significant = table[table["p_corrected"] < params["level"]]
    facts |= {"significant": len(significant)}
    gains, losses = significant[significant["difference"] > 0], significant[significant["difference"] < 0]
    if not len(significant):
        return conclude("{judge} favours no {by} significantly.", CORRECTED, words={"by": by}, **facts)
    rows = gains if len(gains) else losses.iloc[::-1]
    best = rows.iloc[0]
    facts |= {"group": best["group"], "difference": best["difference"], "lower": best["lower"], "upper": best["upper"]}
    facts["difference"] = abs(facts["difference"])
    detail = "Over topics, the difference lies between {lower:gain} and {upper:gain}."
    if len(significant) > 1:
        detail += " In all, {significant} of {groups:digits difference} are significant (Holm)."
    return conclude(FAVOURS[len(gains) > 0, by == "system"], detail, words={"by": by}, **facts)


CORRECTED = "Significance is corrected for {groups:digits difference} (Holm); the intervals are not."
FAVOURS = {  # by whether the judge favours them, and whether they are a single system
    (True, True): "System {group} gains {difference:score} more with {judge} than others.",
    (True, False): "Systems of {by} {group} gain {difference:score} more with {judge} than others.",
    (False, True): "System {group} loses {difference:score} against the others with {judge}.",
    (False, False): "Systems of {by} {group} lose {difference:score} against the others with {judge}.",
}


def judge_checks(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which document a person should judge first."""
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "documents": len(table)}
    if not len(table):
        return conclude("No document of {judge} affects the order of systems with close scores.", **facts)
    first = table.iloc[0]
    facts |= {"document": first["document"], "topic": first["topic"], "topics": table["topic"].nunique()}
    text = "To settle the order soonest, a person should next judge document {document} of topic {topic}."
    detail = "The list has {documents:digits document} of {topics:digits topic}."
    return conclude(text, detail, **facts)


def judge_checks_curve(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What checking in the best order brings, against random order."""
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"]}
    start, most = table["tau"].iloc[0], table["judgments"].max()
    middle = table[(table["judgments"] > 0) & (table["judgments"] < most)]
    if not known(start) or not len(middle):
        return too_little("order", **facts)
    at = min(middle["judgments"].unique(), key=lambda count: (abs(count - most / 10), count))
    tau = middle[middle["judgments"] == at].set_index("order")["tau"]
    best, other = sorted(WAYS, key=lambda order: (-tau[order], order))
    facts |= {"start": start, "checked": at, "random": tau["random"], "tau": tau[best], "other": tau[other]}
    text = "Checking {checked:digits document} {way} gives τ {tau:score}; in random order, {random:score}."
    detail = "Without a check, {judge} has τ {start:score}."
    if tau[other] < start:
        detail = (
            "Without a check, {judge} has τ {start:score}. Checked {other_way}, it has {other:score}: unlike grades "
            "then mix within topics."
        )
    return conclude(text, detail, words={"way": WAYS[best], "other_way": WAYS[other]}, **facts)


WAYS = {"topics": "topic by topic", "documents": "document by document"}
