"""What there is: the systems, the topics, and what was found in their files."""

import numpy as np
import pandas as pd

from evalcore import contributors, pool
from evalcore import ties as tie_orders
from evalcore.checking import findings as checks
from evalcore.checking import kinds
from evalcore.names import by_name
from evalcore.questions import apart
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import every_ranking, of_systems, share_of
from evalcore.sentences import Sentence, joined, opening


def systems(study):
    """Each system's number of topics and documents, how much of it is judged, and to which depth it seems pooled."""
    track = study.track
    ranked = (track.lengths > 0) & np.isin(track.topic_of_query, study.judged_topics)
    table = of_systems(study).assign(
        topics=[len(np.unique(track.topic_of_query[has])) for has in track.lengths > 0],
        documents=track.lengths.sum(axis=1),
        deepest=track.lengths.max(axis=1, initial=0),
        judged_at_10=study.means(study.at().estimate("Judged@10")).value,
        judged_at_100=study.means(study.at().estimate("Judged@100")).value,
        pool_depth=contributors.depth_of_system(study),
        first_unjudged=_median_ranks(study.at().first_unjudged(), ranked),
        tied=tie_orders.tied_share(study),
    )
    unbroken = "for systems without rankings, or with at least half of them fully judged"
    return table, gaps(table, first_unjudged=unbroken, tied="for a system without documents")


def _median_ranks(first, counted):
    """The median rank from 1 over the rankings counted; one without any unjudged document lies past every rank."""
    rank = pd.DataFrame(np.where(first == pool.NEVER, np.inf, first + 1.0)).where(counted)
    return rank.median(axis=1).replace(np.inf, np.nan)


def topics(study):
    """The number of judged, relevant and pooled documents of each topic."""
    judgments, track = study.judgments, study.track
    looked_at = np.unique(track.topic_of_query)
    judged = judgments.count(judgments.scale.judged)[looked_at]
    relevant = judgments.relevant[looked_at]
    pooled = contributors.pool_sizes(study)
    counts = {"judged": judged, "relevant": relevant, "share_relevant": share_of(relevant, judged)}
    known = study.pooling.how != "assumed"
    table = pd.DataFrame({"topic": study.topics, **counts, "pool": pooled[looked_at] if known else np.nan})
    return table, gaps(table, pool="because the files do not show which systems contributed to the pool")


def findings(study):
    """Problems found in the files, by severity and by the share of scores they may change; and assumptions."""
    told = [row for row in study.findings if row.severity == "note"]  # what was done to files goes before what is odd
    rows = [vars(row) for row in (*told, *checks.findings(study), *(row for row in study.findings if row not in told))]
    table = pd.DataFrame(rows, columns=["severity", "check", "system", "topic", "count", "message"])
    table["effect"] = kinds.effects(table, study)
    few = np.where(table.index < len(told), max(1, checks.OF_FEW * len(study.systems)), 1)
    return table.iloc[np.lexsort(_gravest_first(table, few))].reset_index(drop=True)


def _gravest_first(table, few):
    """What comes first: by the last of these keys, then by the one before. How grave a finding is, the gravest 0; how
    many scores all findings of its check may change, and which check that is; how many it may itself.

    few : int, of how many notes of one check each befell one file alone
    """
    of_kind = table.groupby(["severity", "check"], sort=False)
    note, as_they_are = table["severity"] == "note", table["check"].isin(checks.AS_THEY_ARE)
    usual = note & table["check"].isin(checks.USUAL)
    alone = note & ~usual & ~table["check"].isin(checks.FAINT) & (of_kind["count"].transform("size") <= few)
    gravity = table["severity"].map({"error": 0, "warning": 1, "note": 2}) + 0.5 * (usual | (as_they_are & ~note))
    gravity = gravity.mask(alone, 1.25)  # what befell one file tells more than what many runs are like
    return -table["effect"], of_kind.ngroup(), -of_kind["effect"].transform("sum"), gravity


def judged(study, *, k=100):
    """The judged share of the top k for every system and topic; the most judged systems and topics first."""
    share = study.at().estimate(f"Judged@{k}").value
    by_system, by_query = (np.argsort(-share.mean(axis=axis), kind="stable") for axis in (1, 0))
    table = every_ranking(study).assign(k=k, judged=share.ravel())
    rows = np.arange(share.size).reshape(share.shape)[np.ix_(by_system, by_query)]
    return table.iloc[rows.ravel()].reset_index(drop=True)


def first_unjudged(study, *, depth=None, judgments=None):
    """How often each rank has a ranking's first unjudged document, for contributing systems and for others.

    [RM10, fig. 1]. A blank rank: rankings without any unjudged document."""
    track = study.track
    first = study.at(depth=depth, judgments=judgments).first_unjudged()
    counted = (track.lengths > 0) & np.isin(track.topic_of_query, study.judged_topics)
    tables = []
    for pooled in (True, False):
        ranks, counts = np.unique(first[(track.pooled == pooled)[:, None] & counted], return_counts=True)
        rank = np.where(ranks == pool.NEVER, np.nan, ranks + 1.0)
        tables.append(pd.DataFrame({"pooled": pooled, "rank": rank, "share": counts / counts.sum()}))
    table = pd.concat(tables, ignore_index=True)
    return table, gaps(table, rank="for the rankings without any unjudged document")


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _brought(table, asked, study):
    """How many systems there are, and how much of what they put first is judged."""
    text = (
        "{systems:digits system} {systems:verb has/have} {documents:digits document} in {systems:verb its/their} "
        "rankings, each counted in every ranking that holds it"
    )
    judged = "{judged_at_10:share} of {systems:verb its/their} first 10 ranks are judged"
    how = {"told": "contributed", "found": "{pooled:verb seems/seem} to have contributed"}.get(study.pooling.how)
    pooled = how and f"{{pooled:number}} {how} to the pool"
    facts = {"systems": len(table), "documents": table["documents"].sum(), "pooled": table["pooled"].sum()}
    return joined(text, judged, pooled, end=".", judged_at_10=table["judged_at_10"].mean(), **facts)


def _judged_by_topic(table, asked, study):
    """How many documents of the topics are judged, and of which the fewest."""
    if not table["judged"].sum():
        return Sentence("No topic is judged.")
    few = table.loc[table["judged"].idxmin()]
    text = "{topics:digits topic} with {judgments:digits judged document}, {relevant:number} of them relevant"
    facts = {"topics": len(table), "judgments": table["judged"].sum(), "relevant": table["relevant"].sum()}
    if without := int((table["judged"] == 0).sum()):
        fewest = "{without:digits topic} {without:verb has/have} no judgment"
    else:
        fewest = "topic {fewest} has the fewest judged ({fewest_judged:number})" if len(table) > 1 else None
        facts |= {"fewest": few["topic"], "fewest_judged": few["judged"]}
    return joined(text, fewest, end=".", without=without, **facts)


TOP = 10


def _there(table, asked, study):
    """What there is, and the gravest thing that the checks found."""
    grave = kinds.by_kind(table[table["severity"] != "note"])
    facts = {"systems": len(study.systems), "topics": len(study.topics), "k": TOP}
    of_judged = _of_judged(study, [study.track.topics[topic] for topic in study.track.topic_of_query])
    facts |= {"judged": study.at().estimate(f"Judged@{TOP}").value[:, of_judged].mean()}
    facts |= {"judgments": study.judgments.count(study.judgments.scale.judged).sum()}
    facts |= {"gravest": grave["message"].iloc[0] if len(grave) else None, "others": len(grave) - 1}
    there = joined(
        "{systems:digits system}, {topics:digits topic}, {judgments:digits judgment}", _ranks(of_judged), end=".",
        **facts,
    )  # fmt: skip
    if not len(grave):
        return joined(there, "The checks find nothing grave.", by=" ")
    worst = "more error or warning/more errors and warnings" if "error" in set(grave["severity"][1:]) else MORE
    more = f"{{others:Count {worst}}} below." if len(grave) > 1 else None
    return joined(there, "{gravest}", more, by=" ", **facts)


MORE = "more warning/more warnings"


def _of_judged(study, topics):
    """Which of these topics (names) are judged; all of them where none is. bool"""
    count = study.judgments.count(study.judgments.scale.judged)
    judged = pd.Series(topics).isin([study.track.topics[topic] for topic in np.flatnonzero(count)]).to_numpy()
    return judged | ~judged.any()


def _ranks(of_judged):
    """How much of the first ranks is judged, in words. of_judged : as `_of_judged` gives it"""
    where = "" if of_judged.all() else " of judged topics"
    return f"down to rank {{k:number}}, {{judged:share}} of the ranks{where} hold a judged document"


def _first_ranks(table, asked, study):
    """How much of the first k ranks is judged."""
    if not len(table):
        return Sentence("Nothing is ranked.")
    of_judged = _of_judged(study, table["topic"])
    return Sentence(opening(_ranks(of_judged)) + ".", judged=table["judged"][of_judged].mean(), k=asked["k"])


def _broken_at(table, asked, study):
    """How often the first document of a ranking is not judged."""
    if not len(table):
        return Sentence("No ranking is of a judged topic.")
    at_first = table["share"].where(table["rank"] == 1, 0).groupby(table["pooled"]).sum()
    pooled = "in {pooled:share} of the rankings of systems that contributed"
    others = "in {others:share} of the rankings of systems that did not contribute"
    where = joined(pooled, others, by=" and ", end=".", pooled=at_first.get(True), others=at_first.get(False))
    return Sentence("An unjudged document stands first ") + where


QUESTIONS = by_name(
    Question("systems", systems, section="2.7", finding=_brought, spans="topics", of_pool=True),
    Question("topics", topics, section="13.2", finding=_judged_by_topic, spans="topics"),
    Question("findings", findings, section="13.1", finding=_there, spans="track", apart=apart.CHECKED),
    Question("judged", judged, section="3.10", finding=_first_ranks, spans="scores"),
    Question("first_unjudged", first_unjudged, section="4.4", finding=_broken_at, spans="topics", of_pool=True),
)
