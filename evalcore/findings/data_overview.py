"""What the data contain: systems, topics and judgments, and what the checks report."""

import re
from typing import Any

import pandas as pd

from evalcore.checking.finding_kinds import KINDS, Kind, by_kind
from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.table_helpers import answering
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits


def systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many systems and results there are, and how much of what they rank first is judged."""
    facts = {"systems": len(table), "documents": table["documents"].sum(), "pooled": table["pooled"].sum()}
    words = {"who": {0: "none", len(table): "it" if len(table) == 1 else "all"}.get(facts["pooled"], "{pooled}")}
    text = "{systems:digits system} returned {documents:digits result}; {who}{seems} contributed to the pool."
    words["seems"] = " {pooled:verb seems/seem} to have" if study.pooling.how == "inferred" else ""
    if study.pooling.how == "assumed":
        text = "{systems:digits system} returned {documents:digits result}."
    if not answering(table, study)["judged_at_10"].notna().any():
        return conclude(text, words=words, **facts)
    facts["judged_at_10"] = answering(table, study)["judged_at_10"].mean()
    detail = "On average, {judged_at_10:share} of {systems:verb its/their} top 10 ranks have a judged document."
    return conclude(text, detail, words=words, **facts)


def topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents of the topics are judged, and which topic has the fewest."""
    if not table["judged"].sum():
        return too_little("judgments")
    judged = table[table["judged"] > 0]
    facts: dict[str, Any] = {"topics": len(table), "judged_topics": len(judged), "without": len(table) - len(judged)}
    facts |= {"judgments": table["judged"].sum(), "relevant": table["relevant"].sum()}
    text = (
        "{judged_topics:digits topic} {judged_topics:verb has/have} {judgments:digits judged document}, "
        "{relevant} of them relevant."
    )
    if facts["judgments"] == 1:
        text = "1 topic has 1 judged document, which is {relevant:verb relevant/not relevant}."
    if facts["without"]:
        return conclude(text, "{without:digits other topic} {without:verb has/have} no judgment.", **facts)
    if len(judged) == 1:
        return conclude(text, **facts)
    few = judged[judged["judged"] == judged["judged"].min()]
    facts["fewest_judged"] = few["judged"].iloc[0]
    if len(few) == len(judged):
        return conclude(text, "Each topic has {fewest_judged:digits judged document}.", **facts)
    if len(few) > 1:
        return conclude(text, "The smallest number per topic is {fewest_judged}, shared by several topics.", **facts)
    facts["fewest"] = few["topic"].iloc[0]
    return conclude(text, "Topic {fewest} has the fewest judged documents: {fewest_judged}.", **facts)


def findings(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Whether the data are ready, and what the most serious check reports, in its own words."""
    serious = table[table["severity"] != "note"]
    checks = by_kind(serious)
    facts: dict[str, Any] = {"systems": len(study.systems), "topics": len(study.topics), "others": len(checks) - 1}
    facts |= {f"{severity}s": (checks["severity"] == severity).sum() for severity in ("error", "warning")}
    if study.without_judgments:
        return conclude(
            "Opened without judgments: rankings can be compared, scores cannot.",
            "The page Compare shows what differs between two systems.", **facts,
        )  # fmt: skip
    facts["bare"] = len(study.topics) - len(judged_topics(study))
    if not len(checks):
        text = (
            "Ready, but {bare} of {topics:digits topic} {bare:verb has/have} no judgment." if facts["bare"] else READY
        )
        return conclude(text, **facts)
    text = "Ready, with {warnings:digits warning}."
    if facts["errors"]:
        text = "Not ready: {errors:digits error} and {warnings:digits warning}."
    elif facts["bare"] == len(study.topics):
        text = "Not ready: no topic has a judgment."
    elif facts["bare"]:
        text = "Ready, but {bare} of {topics:digits topic} {bare:verb has/have} no judgment; {warnings:digits warning}."
    first = serious[(serious["severity"] == checks["severity"].iloc[0]) & (serious["check"] == checks["check"].iloc[0])]
    where = list(dict.fromkeys(name for name in first["system"].where(first["system"] != "", first["topic"]) if name))
    several = KINDS.get(checks["check"].iloc[0], Kind()).several
    worst = FIRST_SENTENCE.findall(first["message"].iloc[0])[0].rstrip(".")
    facts |= {"check": checks["check"].iloc[0], "where": where, "worst": worst, "like": len(where) - 1}
    if facts["like"] > 0 and several:
        kind = "run" if (first["system"] != "").all() else "topic"
        return conclude(text, f"{digits(len(where), kind)} {several} ({{where:listed}}).", **facts)
    detail = "{worst} ({like} more like it)." if facts["like"] > 0 else "{worst}."
    return conclude(text, detail, **facts)


READY = "Ready: no errors and no warnings."
FIRST_SENTENCE = re.compile(r".*?(?=, which\b|[.!?](?:\s+[A-Z“(]|$)|$)", re.DOTALL)  # without what follows from it


def judged(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How much of the first k ranks is judged."""
    if not len(table):
        return conclude("There are no results: every run is empty.")
    scored = answering(table, study)
    scored = scored[scored["topic"].isin(judged_topics(study))]
    facts = {"judged": (scored if len(scored) else table)["judged"].mean(), "k": params["k"]}
    if not judged_topics(study):
        return conclude("{judged:share} of the top {k} ranks have a judged document: no topic has judgments.", **facts)
    text = "On average, {judged:share} of the top {k} ranks have a judged document (topics with judgments only)."
    if params["k"] == 1:
        text = "On average, {judged:share} of first ranks have a judged document (topics with judgments only)."
    return conclude(text, **facts)


def judged_topics(study: Study) -> list[str]:
    """The names of the topics that have a judgment."""
    count = study.judgments.count(study.judgments.scale.judged)
    return [topic for topic, judged in zip(study.track.topics, count, strict=True) if judged]


def first_unjudged(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How often the first document of a ranking is not judged."""
    if not len(table):
        return too_little("judgments")
    at_first = table["share"].where(table["rank"] == 1, 0).groupby(table["pooled"]).sum()
    facts = {"pooled": at_first.get(True), "others": at_first.get(False)}
    facts = {name: share for name, share in facts.items() if share is not None}
    text = "The top result is unjudged in {pooled:share} of contributing and {others:share} of new systems' rankings."
    if len(facts) == 1:
        text = "The top result is unjudged in {others:share} of new systems' rankings."
        if "pooled" in facts:
            text = "The top result is unjudged in {pooled:share} of contributing systems' rankings."
    return conclude(text, **facts)
