"""What there is: the systems, the topics, and what was found in their files."""

import numpy as np
import pandas as pd

from evalcore import checks, pool
from evalcore import ties as tie_orders
from evalcore.names import by_name
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import every_ranking, of_systems, share_of
from evalcore.sentences import Sentence, joined, known, opening


def systems(study):
    """What each system brought: topics, documents, how much of it is judged, how deep it seems to have been pooled."""
    track = study.track
    judged_queries = np.isin(track.topic_of_query, study.judged_topics)
    ranked = (track.lengths > 0) & judged_queries
    table = of_systems(study).assign(
        topics=[len(np.unique(track.topic_of_query[has])) for has in track.lengths > 0],
        documents=track.lengths.sum(axis=1),
        deepest=track.lengths.max(axis=1, initial=0),
        judged_at_10=study.means(study.at().estimate("Judged@10")).value,
        judged_at_100=study.means(study.at().estimate("Judged@100")).value,
        pool_depth=study.audited,
        first_unjudged=_median_ranks(pool.first_unjudged(track, study.judgments), ranked),
        tied=tie_orders.tied_share(track),
    )
    unbroken = "where half of a system's rankings or more hold no unjudged document, or it has none"
    return table, gaps(table, first_unjudged=unbroken, tied="for a system without documents")


def _median_ranks(first, counted):
    """The median rank from 1 over the rankings counted; one without any unjudged document lies past every rank."""
    rank = np.where(first == pool.NEVER, np.inf, first + 1.0)
    medians = np.array([np.median(row[has]) if has.any() else np.nan for row, has in zip(rank, counted, strict=True)])
    return np.where(np.isfinite(medians), medians, np.nan)


def topics(study):
    """How many documents of each topic are judged, relevant, and in the pool at the study's depth."""
    judgments, track = study.judgments, study.track
    looked_at = np.unique(track.topic_of_query)
    judged = judgments.count(judgments.scale.judged)[looked_at]
    relevant = judgments.relevant[looked_at]
    pooled = np.bincount(track.topic_of_item[study.pool_rank < study.depth], minlength=len(track.topics))
    return pd.DataFrame(
        {
            "topic": study.topics,
            "judged": judged,
            "relevant": relevant,
            "share_relevant": share_of(relevant, judged),
            "pool": pooled[looked_at],
        }
    )


def findings(study):
    """What was found in the files that one should know of, and what was assumed about them."""
    rows = [*study.findings, *checks.findings(study)]
    table = pd.DataFrame(
        [vars(row) for row in rows], columns=["severity", "check", "system", "topic", "count", "message"]
    )
    rank = table["severity"].map({"error": 0, "warning": 1, "note": 2})
    return table.iloc[np.argsort(rank.to_numpy(), kind="stable")].reset_index(drop=True)


def judged(study, *, k=100):
    """The share of the first k ranks of every system and topic that is judged; systems and topics most judged first."""
    share = study.at().estimate(f"Judged@{k}").value
    by_system, by_query = (np.argsort(-share.mean(axis=axis), kind="stable") for axis in (1, 0))
    table = every_ranking(study.track).assign(k=k, judged=share.ravel())
    rows = np.arange(share.size).reshape(share.shape)[np.ix_(by_system, by_query)]
    return table.iloc[rows.ravel()].reset_index(drop=True)


def first_unjudged(study, *, depth=None, judgments=None):
    """How often the first unjudged document of a ranking stands at each rank, for systems that contributed to the pool
    and for others [RM10, fig. 1]. A missing rank: rankings without any unjudged document."""
    track = study.track
    first = pool.first_unjudged(track, study.at(depth=depth, judgments=judgments).judgments)
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
    if not len(table):
        return Sentence("No run could be read.")
    facts = {"systems": len(table), "documents": int(table["documents"].sum()), "pooled": int(table["pooled"].sum())}
    text = "{systems:digits system} retrieved {documents:digits document}; {pooled:number} contributed to the pool"
    share = float(table["judged_at_10"].mean())
    judged = Sentence("{judged_at_10:share} of their first 10 ranks are judged", judged_at_10=share)
    return joined(Sentence(text, **facts), judged if known(share) else None, end=".")


def _judged_by_topic(table, asked, study):
    """How many judgments a topic has, and which has the fewest."""
    if not len(table) or not table["judged"].sum():
        return Sentence("No topic is judged.")
    few = table.loc[table["judged"].idxmin()]
    facts = {"topics": len(table), "judgments": int(table["judged"].sum()), "relevant": int(table["relevant"].sum())}
    text = "{topics:digits topic} with {judgments:digits judgment}, {relevant:number} of them relevant"
    fewest = Sentence(
        "topic {fewest} has the fewest, {fewest_judged:number}", fewest=few["topic"], fewest_judged=int(few["judged"])
    )
    return joined(Sentence(text, **facts), fewest if len(table) > 1 else None, end=".")


def _there(table, asked, study):
    """What there is, and how many checks found something."""
    judgments = int(study.judgments.count(study.judgments.scale.judged).sum())
    held = Sentence(
        "{systems:digits system}, {topics:digits topic}", systems=len(study.systems), topics=len(study.topics)
    )
    if not judgments:
        return joined(held, "no judgment says anything about them yet", end=".")
    of = {severity: int((table["severity"] == severity).sum()) for severity in ("error", "warning")}
    found = [Sentence("{errors:count error}", errors=of["error"]) if of["error"] else None]
    found += [Sentence("{warnings:count warning}", warnings=of["warning"]) if of["warning"] else None]
    troubles = joined("the checks give ", joined(*found, by=" and "), by="") if any(found) else None
    counted = joined(held, Sentence("{judgments:digits judgment}", judgments=judgments), by=", ")
    return joined(counted, _unjudged(study), troubles or "no check found anything wrong", end=".")


def _unjudged(study):
    """How much of the top of the rankings nobody judged, or None where there is nothing to say."""
    return _of_first_ranks(float(study.at().estimate(f"Judged@{TOP}").value.mean()), TOP)


def _of_first_ranks(share, k):
    if not known(share):
        return None
    ranks = "first rank" if k == 1 else "first {k:number} ranks"
    if share >= 1:
        return Sentence(f"everything in the {ranks} is judged", **({} if k == 1 else {"k": k}))
    holds = "{unjudged:share} of the " + ranks + " {k:verb holds/hold} no judged document"
    return Sentence(holds, unjudged=1 - share, k=k)


def _first_ranks(table, asked, study):
    """How much of the first k ranks nobody judged."""
    share = float(table["judged"].mean()) if len(table) else float("nan")
    clause = _of_first_ranks(share, asked["k"])
    return joined(Sentence(opening(clause.text), **clause.facts), end=".") if clause else Sentence("Nothing is ranked.")


def _broken_at(table, asked, study):
    """How often the first document of a ranking is not judged."""
    if not len(table):
        return Sentence("No ranking is of a judged topic.")
    told = [
        Sentence(
            f"{{{name}:share}} of the rankings of systems that {who} begin with an unjudged document", **{name: part}
        )
        for pooled, name, who in ((True, "pooled", "contributed"), (False, "others", "did not contribute"))
        if len(rows := table[table["pooled"] == pooled])
        for part in [float(rows.loc[rows["rank"] == 1, "share"].sum())]
    ]
    return joined(*told, end=".")


TOP = 10
QUESTIONS = by_name(
    Question("systems", systems, finding=_brought),
    Question("topics", topics, finding=_judged_by_topic),
    Question("findings", findings, finding=_there),
    Question("judged", judged, finding=_first_ranks),
    Question("first_unjudged", first_unjudged, finding=_broken_at),
)
