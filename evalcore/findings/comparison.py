"""What the comparison of two systems shows: who is ahead, whether that is significant, and whether it is certain."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.scores import NAMED
from evalcore.findings.setting import test_words
from evalcore.questions.comparison import correction_against, two_of
from evalcore.questions.comparison import judge_to_decide as of_deciding
from evalcore.questions.pairs import topic_scores
from evalcore.questions.table_helpers import mean_of_known
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, opening, verb

AHEAD = "{yes}: {ahead} is ahead of {behind} by {lead:score} on {metric}: "
CHANCE = {True: "significant, taken alone (p {p:chance})", False: "not significant (p {p:chance})"}
CERTAIN = {  # by whether it is significant
    True: "no further judging can reverse it, and it is significant (p {p:chance}).",
    False: "certain on these topics, but not significant for other topics (p {p:chance}).",
}
REVERSED = "judging {reversed_by:digits document} could reverse it."
MIGHT = "judging might reverse it."
PAST_END = "only longer rankings could reverse it."
PLAINLY = {  # by whether it is significant
    True: "Yes: {ahead} {is_better} {behind}, and probably on other topics too.",
    False: "Not clearly: {ahead} {is_better} {behind} on these {topics:digits topic}, but on other topics that may be "
    "luck.",
}
BETTER = {True: "is better than", False: "is ahead of"}  # by whether it is certain
NEVER = "Further judging cannot change who is ahead."
WON = "It is ahead by .001 or more on {won_ahead} of {topics:digits topic}, and behind on {lost_ahead}."


SAME = "{a} is ahead by .001 or more on {won} of {topics:digits topic}, and behind on {lost}."


def comparison(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which system is ahead, whether that is significant over topics, and whether judging could reverse it."""
    row = table.iloc[0]
    facts = {"a": row["a"], "b": row["b"], "metric": params["metric"], "p": row["p"], "topics": row["n"]}
    if not known(row["difference"]):
        return too_little("score")
    topics = {"won": row["won_clearly"], "lost": row["lost_clearly"]}
    bounded, certain = known(row["certain_low"]), row["settled"] != "open"
    facts |= topics | ({"low": row["certain_low"], "high": row["certain_high"]} if bounded else {})
    if abs(row["difference"]) < FUZZ:
        same = "No: {a} and {b} have the same {metric}"
        text = f"{same}, and no further judging can change that." if row["settled"] == "tie" else f"{same}."
        plainly = "No: both score the same{ever}."
        words = {"ever": ", and no further judging can change that" if row["settled"] == "tie" else ""}
        return conclude(text, SAME, plainly=plainly, words=words, **facts)
    first, second = ("a", "b") if row["difference"] > 0 else ("b", "a")
    facts |= {"ahead": row[first], "behind": row[second], "lead": abs(row["difference"])}
    significant, by_few = bool(row["significant"]), known(row["reversed_by"])
    facts |= {"reversed_by": row["reversed_by"]} if by_few else {}
    won, lost = ("won", "lost") if first == "a" else ("lost", "won")
    facts |= {"won_ahead": topics[won], "lost_ahead": topics[lost]}
    words = {"yes": "Yes" if significant else "Not clearly", "is_better": BETTER[bounded and certain]}
    if not known(row["p"]):
        plainly = "{yes}: {ahead} is ahead of {behind}, but only one topic counts for both."
        text = f"{AHEAD.removesuffix(': ')}, on the only topic that counts for both."
        return conclude(text, plainly=plainly, words=words, **facts)
    text = AHEAD + (CERTAIN if bounded and certain else CHANCE)[significant]
    if bounded and not certain:
        text += f", {'but' if significant else 'and'} {could_reverse(row)}"
    plainly = PLAINLY[significant]
    if bounded:
        plainly = f"{plainly} {NEVER if certain else opening(could_reverse(row))}"
    return conclude(text if text.endswith(".") else f"{text}.", WON, plainly=plainly, words=words, **facts)


def could_reverse(row: pd.Series) -> str:
    """What could reverse an open order, as a template. row : of the question `comparison`"""
    return PAST_END if row["only_longer"] else REVERSED if known(row["reversed_by"]) else MIGHT


def comparison_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On which topics either system is far ahead, and how few topics decide the order."""
    if not len(table):
        return too_little("score")
    difference = table["difference"]
    mean, first, last = difference.mean(), table.iloc[0], table.iloc[-1]
    facts = {"best": first["topic"], "best_by": first["difference"], "worst": last["topic"]}
    facts |= {"worst_by": last["difference"], "metric": params["metric"], "topics": len(table)}
    text = "The difference ranges from {worst_by:gain} (topic {worst}) to {best_by:gain} (topic {best})."
    if difference.max() - difference.min() < FUZZ:
        text = "The difference is {best_by:gain} on every topic."
    facts["deciding"] = deciding_topics(difference) if abs(mean) >= FUZZ else 0
    if not facts["deciding"]:
        return conclude(text, **facts)
    detail = "Leaving out {deciding:digits topic} would be enough to reverse the order."
    return conclude(text, detail, **facts)


def deciding_topics(difference: pd.Series) -> int:
    """The fewest topics without which the mean difference has the other sign; 0 if there are none such."""
    leading = sorted(difference * (1 if difference.mean() > 0 else -1), reverse=True)
    for n in range(1, len(leading)):
        if sum(leading[n:]) < -FUZZ:
            return n
    return 0


def comparison_documents(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents of the two tops are the same, and which unjudged one could change the scores most."""
    if not len(table):
        return conclude("Neither system ranks a document for this topic.")
    deepest = params["k"] or table[["rank_a", "rank_b"]].max(axis=None)
    in_a, in_b = (table[side] <= deepest for side in ("rank_a", "rank_b"))
    facts = {"topic": table["topic"].iloc[0], "documents": len(table), "both": (in_a & in_b).sum()}
    facts |= {"unjudged": (table["state"] == "not judged").sum()}
    text = (
        "Of these {documents:digits document} on topic {topic}, both systems retrieved {both}; {unjudged} "
        "{unjudged:verb is/are} not judged."
    )
    if study.without_judgments:
        text = "Of these {documents:digits document} on topic {topic}, both systems retrieved {both}."
    widest = table.loc[table["moves"].abs().fillna(0).idxmax()]
    if not known(widest["moves"]) or abs(widest["moves"]) < FUZZ:
        return conclude(text, **facts)
    facts |= {"document": widest["document"], "moves": abs(widest["moves"])}
    return conclude(
        text, "Judging {document} could move the difference of these two rankings by {moves:at_most}.", **facts
    )


def comparison_overlap(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How much of two systems' tops is the same, and on which topic they differ most."""
    if not len(table):
        return conclude("Neither system ranks a document.")
    unit = "query" if "query" in table else "topic"
    least = table.iloc[0]
    facts = {"k": params["k"], "mean": table["overlap"].mean(), "topics": len(table), "least": least[unit]}
    facts |= {"same": (table["entered"] + table["left"] == 0).sum()}
    text = "On average, the two systems share {mean:short} of their top {k} documents."
    text = text if facts["k"] else "On average, the two systems share {mean:short} documents."
    words = {"unit": unit, "units": "topic" if unit == "topic" else "query/queries"}
    detail = "They hold the same ones on {same} of {topics:digits {units}} and differ most on {unit} {least}."
    if facts["same"] == facts["topics"]:
        detail = "They hold the same ones on every {unit}."
    if study.without_judgments:
        detail = f"{detail} Without judgments, nothing shows which system is better."
    return conclude(text, detail, words=words, **facts)


def comparison_metrics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On how many metrics the system that is ahead on the first one is ahead, and on how many that is certain."""
    rows = table[table["difference"].notna()]
    if not len(rows):
        return too_little("score")
    ahead, behind = ("a", "b") if rows["difference"].iloc[0] >= 0 else ("b", "a")
    leads = rows["difference"] * (1 if ahead == "a" else -1) > FUZZ
    facts = {"ahead": rows[ahead].iloc[0], "behind": rows[behind].iloc[0], "metrics": len(rows)}
    facts |= {"leads": leads.sum(), "certain": (leads & (rows["settled"] == ahead)).sum()}
    facts |= {"significant": (leads & rows["significant"].astype(bool)).sum()}
    text = "{ahead} leads {behind} on {leads} of {metrics:digits metric}; the lead is certain on {certain}."
    if not facts["leads"]:
        return conclude("{ahead} and {behind} have the same score on the first metric.", **facts)
    return conclude(text, "It is significant on {significant} of them (uncorrected).", **facts)


def judge_to_decide(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How few documents could reverse the order, and how many make it certain if none turns out relevant."""
    if params["top"]:  # the sentence is about all of them
        table, _ = of_deciding(study, **params | {"top": None})
    facts = {"documents": len(table), "reverse": table["reverses"].sum(), "settle": table["settles"].sum()}
    if not len(table):
        return conclude("No unjudged document can change the difference of the two systems.", **facts)
    two = two_of(study, **{name: params[name] for name in ("a", "b", "metric", "depth")})
    first, second = topic_scores(two, "all", least=1, metric=params["metric"], depth=params["depth"])
    if abs(mean_of_known(first - second)) < FUZZ:
        documents_in_words = "1 more document" if facts["documents"] == 1 else "any of {documents} documents"
        text = "The two systems have the same score: judging {which} could put one ahead."
        return conclude(text, words={"which": documents_in_words}, **facts)
    text = "Judging {reverse:digits document} could be enough to put the leading system behind."
    if not facts["reverse"]:
        text = "No judging can put the leading system behind."
    return conclude(text, SETTLING.get(facts["settle"], SETTLING[2]), **facts)


SETTLING = {  # by how many documents make the order certain; 2 = several
    0: "{documents:digits unjudged document} can move the difference at all.",
    1: "If the document under “settles” is not relevant, no further judging can reverse the order. "
    "{documents:digits unjudged document} can move the difference at all.",
    2: "If the {settle:digits document} under “settles” are not relevant, no further judging can reverse the order. "
    "{documents:digits unjudged document} can move the difference at all.",
}


def against_baseline(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many systems are better or worse than the baseline, significantly and certainly."""
    rows = table[table["difference"].notna()]
    if not len(rows):
        return too_little("systems")
    better = rows["difference"] > FUZZ
    worse = rows["difference"] < -FUZZ
    significant = rows["significant"].astype(bool)
    facts = {"baseline": rows["baseline"].iloc[0], "others": len(rows), "metric": params["metric"]}
    facts["test"] = test_words(params)
    facts |= {"better": (better & significant).sum(), "worse": (worse & significant).sum()}
    facts["alike"] = len(rows) - facts["better"] - facts["worse"]
    text = (
        "On {metric}, {better} of {others:digits other system} {better:verb is/are} significantly better than "
        "{baseline}, {worse} significantly worse ({test})."
    )
    like = rows["system"][~significant]
    detail = "{alike} {differ} not differ significantly."
    facts["differ"] = verb(facts["alike"], "does", "do")
    if 0 < len(like) <= NAMED:
        facts["like"] = list(like)
        detail = "Only {like:listed} {differ} not differ significantly."
    by_score = (
        worse.any() and not better.any() and correction_against(params["baseline"], params["correction"]) != "tukey"
    )
    caveats = [BEST_BASELINE.format(facts["baseline"])] if by_score else []
    return conclude(text, detail if facts["alike"] else "", caveats=caveats, **facts)


BEST_BASELINE = (
    "The baseline {} has the highest score. If it was chosen for that, p is too small; Tukey's test allows for it."
)


def topics_left_out(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which single topic the ordering depends on most."""
    if table["tau"].isna().all():
        return too_little("order")
    least = table.loc[table["inversions"].idxmax()]
    facts = {"topic": least["topic"], "swaps": least["inversions"], "metric": params["metric"]}
    facts |= {"hardest": table.loc[table["value"].idxmin(), "topic"], "lowest": table["value"].min()}
    text = "Without topic {topic}, {swaps:digits system pair} would swap; no other topic changes more."
    if not facts["swaps"]:
        text = "No single topic changes the order of any two systems."
    return conclude(text, "No topic is harder than {hardest} (mean {metric} {lowest:score}).", **facts)
