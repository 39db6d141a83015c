"""What the judgments show: what is missing, who formed the pool, and which judgments deserve a second look."""

from dataclasses import replace
from typing import Any

import pandas as pd

from evalcore.findings.caveats import of_known_depth
from evalcore.findings.conclusion import Conclusion, conclude, with_detail
from evalcore.questions.judgments import count_of_holes, popular_among_good, why_no_estimate
from evalcore.study import study_pool
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, known, share, written

MOSTLY = 0.5  # of the judgments, from which the pool is the smaller part of them


def judgment_health(health: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many relevant documents may be missing, and how many topics have none."""
    estimated, relevant = health["still_missing"].notna(), health["relevant"]
    facts: dict[str, Any] = {"topics": len(health), "judged": int(health["judged"].sum())}
    facts["without"] = int((relevant == 0).sum())
    bare = ""
    if facts["without"]:
        bare = "{without:digits topic} {without:verb has/have} no relevant document."
    if not estimated.any():
        why = why_no_estimate(study)
        text = f"The number of missing relevant documents cannot be estimated{', ' if why else ''}{why}."
        return conclude(text, bare, **facts)
    facts |= {"missing": round(health["still_missing"].sum()), "found": int(relevant[estimated].sum())}
    text = (
        "About {missing:digits relevant document} may be missing, on top of the {found} known (Chao & Lee's estimate)."
    )
    if not facts["missing"]:
        text = "No relevant document seems to be missing; {found} {found:verb is/are} known (Chao & Lee's estimate)."
    outside, caveats = study_pool.unexplained(study), []
    if outside > MOSTLY:
        facts["unexplained"] = outside
        beyond = f"{share(outside)} of the judgments{of_known_depth(study)} lie outside the pool"
        caveats = [f"The estimate covers the pool only; {beyond}."]
    if not estimated.all():
        facts["untold"] = int((~estimated).sum())
        bare = "No estimate is possible for {untold} of {topics:digits topic}."
    return conclude(text, bare, caveats=caveats, **facts)


def pool_audit(audit: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which systems contributed to the pool, how deep it is, which of them the judgments alone would count, and what
    single contributors added."""
    looks, pooled, pooling = audit["looks_pooled"], audit["pooled"], study.pooling
    contributing, systems = study_pool.contributing(study)
    facts: dict[str, Any] = {"systems": systems, "contributing": contributing}
    caveats, outside = [], study_pool.unexplained(study)
    if pooling.known and known(outside):
        facts["unexplained"] = outside
        if outside > 0:
            known_only = not pooling.depth_of_topic[study.judged_topics].all()
            of = "judgments of topics with a known pool depth" if known_only else "judgments"
            caveats.append(f"{share(outside)} of the {of} lie outside the contributing systems' pool.")
    if pooling.how == "assumed" and not looks.any():
        text = "The runs and judgments do not show that any system contributed to the pool."
        return conclude(text, caveats=caveats, **facts)
    text = "{contributing} of {systems:digits system} {contributed} to the pool{deep}."
    words = {"contributed": CONTRIBUTED[pooling.how], "deep": ""}
    if pooling.depth_known:
        words["deep"], facts["depth"] = ", of depth {depth}", pooling.depth
        alike, topics = int((pooling.depth_of_topic >= pooling.depth).sum()), len(study.judged_topics)
        if alike < topics:
            facts["alike"] = alike
            caveats.append(f"Only {alike:,} of {digits(topics, 'topic')} show a pool of that depth.")
    added, words["system"] = "", "system" if len(audit) == systems else "system, of those shown"
    if audit["unique_relevant"].notna().all():
        facts["alone"] = int(audit["unique_relevant"].sum())
        added = (
            "{alone:digits relevant document} in the pool {alone:verb was/were each} contributed by only one {system}."
        )
    facts |= {"others": list(audit["system"][looks & ~pooled]), "unlike": list(audit["system"][pooled & ~looks])}
    words["by"] = "By the judgments alone" if params["order"] in (None, pooling.order) else f"By {params['order']}"
    odd = ODD_ONES[bool(facts["others"]), bool(facts["unlike"])] if looks.any() else NOBODY
    return conclude(text, " ".join(filter(None, (added, odd))), caveats=caveats, words=words, **facts)


CONTRIBUTED = {  # by how it is known
    "named": "contributed",
    "inferred": "{contributing:verb seems/seem} to have contributed",
    "assumed": "{contributing:verb is/are} assumed to have contributed",
}
NOBODY = "{by}, no system would be counted."
ODD_ONES = {  # whether the judgments alone would count other systems, and whether they would not count all of these
    (False, False): "",
    (True, False): "{by}, {others:listed} would be counted, too.",
    (False, True): "{by}, {unlike:listed} would not be counted.",
    (True, True): "{by}, {others:listed 2} would be counted, too, but not {unlike:listed 2}.",
}


def holes(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many documents the pool should have contained and nobody judged."""
    depth_of_topic = study.pooling.depth_of_topic[study.judged_topics]
    unknown = 0 if params["depth"] else int((depth_of_topic == 0).sum())
    one_depth = params["depth"] or len(set(depth_of_topic[depth_of_topic > 0])) < 2
    facts: dict[str, Any] = {"holes": count_of_holes(table), "depth": params["depth"] or study.depth}
    facts |= {"unknown": unknown} if unknown else {}
    where = "down to rank {depth}" if one_depth else "down to each topic's pool depth (mostly {depth})"
    text = "The pool has {holes:digits hole} {where}: unjudged documents of contributing systems."
    caveats = [f"Topics without a known pool depth are left out ({unknown:,})."] if unknown else []
    if not facts["holes"]:
        text = "The pool has no holes {where}: every document of a contributing system is judged."
    return conclude(text, caveats=caveats, words={"where": where}, **facts)


def unretrieved(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many judged documents no run has, and how many of them are relevant."""
    if not len(table):
        return conclude("Every judged document is in some run of the track.")
    relevant = int((table["grade"] >= study.options["rel_level"]).sum())
    facts: dict[str, Any] = {"documents": len(table), "relevant": relevant}
    text = "{documents:digits judged document} {documents:verb is/are} in no run of the track ({relevant} relevant)."
    return conclude(text, **facts)


ENOUGH_SYSTEMS = 10  # fewer cannot question a judgment
KINDS = ("not relevant", "relevant", "contradiction")


def suspects(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many judgments deserve a second look, kind by kind; where there are few systems, that there are."""
    kinds = KINDS if params["kind"] == "all" else [params["kind"]]
    few = len(study.systems) < ENOUGH_SYSTEMS and list(kinds) != ["contradiction"]
    if few:
        kinds = [kind for kind in kinds if kind == "contradiction"]
    counts = {kind: int((table["kind"] == kind).sum()) for kind in kinds}
    facts: dict[str, Any] = {kind.replace(" ", "_"): count for kind, count in counts.items()}
    facts["total"] = sum(counts.values())
    if few and not facts["total"]:
        text = "With {systems:digits system}, no judgment can be questioned; at least 10 systems are needed."
        return conclude(text, systems=len(study.systems), **facts)
    facts |= {"metric": params["metric"], "k": params["k"]}
    words = {"more": "At least " if params["top"] in counts.values() else ""}
    text = "{more}{total:digits judgment} {total:verb deserves/deserve} a second look."
    if not facts["total"]:
        text = "No judgment looks wrong."
    detail, named = _by_kind(counts, params, study)
    return conclude(text, detail, words=words, **facts, **named)


def _by_kind(counts, params, study):
    """What is odd about the judgments: a template and its facts. A document judged not relevant counts where most
    of the better half of systems rank it at the top; a relevant one where only a run of the weaker half has it."""
    facts = {"popular": popular_among_good(study, params["metric"], params["k"])} if "not relevant" in counts else {}
    shown = [ODD[kind] for kind in KINDS if counts.get(kind)]
    return f"{'; '.join(shown)}." if shown else "", facts


ODD = {
    "not relevant": "{not_relevant} {not_relevant:verb was/were} judged not relevant, "
    "but most good systems rank {not_relevant:verb it/each} in their top {k}",
    "relevant": "{relevant} {relevant:verb was/were} judged relevant, "
    "but only one weak system retrieved {relevant:verb it/each}",
    "contradiction": "{contradiction} {contradiction:verb was/were} judged relevant in only one of the two sets",
}


SUMMARY = {  # by whether judgments look wrong, and whether relevant documents seem to be missing
    (True, True): "{total} of {judged:digits judgment} {total:verb deserves/deserve} a second look; "
    "about {missing:digits relevant document} may be missing.",
    (True, False): "{total} of {judged:digits judgment} {total:verb deserves/deserve} a second look; "
    "no relevant document seems to be missing.",
    (False, True): "no judgment looks wrong, but about {missing:digits relevant document} may be missing.",
    (False, False): "no judgment looks wrong, and no relevant document seems to be missing.",
}
SUMMARY_PLAINLY = {  # like SUMMARY
    (True, True): "{total:digits judgment} {total:verb deserves/deserve} a second look, and about "
    "{missing:digits relevant document} may be missing.",
    (
        True,
        False,
    ): "{total:digits judgment} {total:verb deserves/deserve} a second look, but no relevant document seems "
    "to be missing.",
    (False, True): SUMMARY[False, True],
    (False, False): SUMMARY[False, False],
}
MAY_BE_MISSING = {  # where no judgment can be questioned
    True: "About {missing:digits relevant document} may be missing; {found} {found:verb is/are} known.",
    False: "No relevant document seems to be missing; {found} {found:verb is/are} known.",
}
FEW = 0.05  # of the judgments, up to which they can mostly be trusted if that many look wrong


def summary(suspects: Conclusion, health: Conclusion, holes: Conclusion, coming: Conclusion) -> Conclusion:
    """What the page on judgments says first: judgments to look at again, relevant documents that may be missing, and
    what judging more would change.

    suspects, health, holes, coming : conclusions of these questions and of `judge_next`, or `conclusion.NOTHING`
    """
    caveats = tuple(dict.fromkeys([*suspects.caveats, *health.caveats, *holes.caveats]))
    facts = suspects.facts | health.facts | holes.facts
    if "total" in facts and "systems" not in suspects.facts and "missing" in facts:
        text = f"{_trusted(facts)}: {SUMMARY[facts['total'] > 0, facts['missing'] > 0]}"
        plainly = f"{_trusted(facts)}: {SUMMARY_PLAINLY[facts['total'] > 0, facts['missing'] > 0]}"
        said_first = conclude(text, coming.headline or health.detail, plainly=plainly, caveats=caveats, **facts)
        return replace(said_first, setting=suspects.setting)
    first, second = (suspects, health) if facts.get("total") else (health, suspects)
    plainly = MAY_BE_MISSING[facts["missing"] > 0] if "missing" in facts and first is health else ""
    return replace(with_detail(first, second), caveats=caveats, plain=written(plainly, facts))


def _trusted(facts):
    """Whether judgments can be trusted: mostly, if few look wrong and two in three relevant documents are known."""
    untold, covered = facts.get("untold", 0), "unexplained" not in facts
    if covered and not any(facts.get(name) for name in ("total", "missing", "untold", "without", "holes")):
        return "Yes"
    few, most = facts["total"] <= FEW * facts["judged"], facts["found"] >= max(1, 2 * facts["missing"])
    return "Mostly" if few and most and covered and 2 * untold <= facts["topics"] else "Only partly"
