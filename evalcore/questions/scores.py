"""Scores and the intervals that they lie in: by system, by topic, by document."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore import ties as tie_orders
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.clauses import first_place, reading
from evalcore.questions.notes import gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import ends_of, every_ranking, of_systems
from evalcore.scoring import hopes
from evalcore.sentences import FUZZ, Sentence, joined, known


def scores(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The score of every system on every judged topic, with the interval that it lies in."""
    estimate = study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    scores = every_ranking(study).assign(**ends_of(estimate), kind=estimate.kind)
    shown = np.outer(study.chosen(systems), np.isin(study.track.topic_of_query, study.judged_topics))
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return scores[shown.ravel()].reset_index(drop=True), notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The systems by mean score, each with its interval and with the best and the worst rank that it may have."""
    estimate = study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    chosen = study.chosen(systems)
    ends = ends_of(study.means(estimate), chosen)
    board = of_systems(study)[chosen].assign(
        rank=orderings.ranks(ends["value"]),
        rank_best=orderings.best_ranks(ends["lower"], ends["upper"]),
        rank_worst=orderings.worst_ranks(ends["lower"], ends["upper"]),
        **ends,
        kind=estimate.kind,
        n=study.counted[chosen].sum(axis=1),
    )
    return board.sort_values(["rank", "system"], ignore_index=True), notes_on(study, metric, estimator, unjudged)


def ranking(study, *, system, topic, metric="RBP(p=0.8)", depth=None, query=None):
    """One ranking, document by document: what is known of each, and the interval of the ranking cut after it.

    A topic with several queries shows its first, or `query`. gain and grade are missing where nothing is known.
    """
    metric, in_force = metric_named(metric), study.at(depth=depth)
    s, q = _one_ranking(study, system, topic, query)
    length = int(study.track.lengths[s, q])
    items = study.track.items[s, q, :length]
    judgments = in_force.judgments
    level = judgments.level[items]
    known = judgments.scale.judged[level]
    row = s * study.track.shape[1] + q
    scored = metric.with_columns(lambda column: hopes(study, column)[row])
    lower, upper = scored.bounds(in_force.places.cut_after_each(row))
    pool_rank = study.pool_rank[items]
    documents = pd.DataFrame(
        {
            "rank": np.arange(1, length + 1),
            "document": study.track.documents(items),
            "state": np.select(
                [judgments.scale.relevant[level], known, level > 0],
                ["relevant", "not relevant", "pooled, not judged"],
                "never pooled",
            ),
            "grade": np.where(level > 0, judgments.grade[items], np.nan),
            "pool_rank": np.where(pool_rank == pool.NEVER, np.nan, pool_rank + 1.0),
            "gain": np.where(known, metric.earned(judgments.scale)[level], np.nan),
            "weight": metric.weights(length) if metric.weighted else np.nan,
            "lower": lower,
            "upper": upper,
        }
    )
    missing = gaps(
        documents,
        grade="for documents that the judgments do not name",
        gain="for documents that are not judged",
        pool_rank="for documents that no contributing run retrieved",
        weight=f"because {metric.name} has no fixed weight of a rank",
    )
    return documents, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def ties(study, *, metric="RBP(p=0.8)"):
    """The share of tied documents of each system, and the mean scores with the worst and the best order within ties."""
    lowest, highest = (
        replace(study, track=tie_orders.within_ties(study.track, study.judgments, metric_named(metric), best=best))
        for best in (False, True)
    )
    ordered = {"lowest": lowest, "value": study, "highest": highest}
    means = {name: one.means(one.at().estimate(metric)).value for name, one in ordered.items()}
    return pd.DataFrame({"system": study.systems, "tied": tie_orders.tied_share(study.track), **means})


def _one_ranking(study, system, topic, query):
    """The index of a system and that of a topic's query."""
    s = int(indices_of([system], study.systems, "system")[0])
    of_topic = [q for q, t in enumerate(study.track.topic_of_query) if study.track.topics[t] == str(topic)]
    if not of_topic:
        raise ValueError(f"no topic {topic!r}. Known: {', '.join(study.topics[:5])}, ...")
    if query is None:
        return s, of_topic[0]
    known = [study.track.queries[q] for q in of_topic]
    if query not in known:
        raise ValueError(f"topic {topic} has no query {query!r}. Known: {known}.")
    return s, of_topic[known.index(query)]


# ---------------------------------------------------------------------------------------------------------------------
# Findings

HOW_SURE = {
    "bounds": "by their intervals {others:count other} could be first",
    "guide": "a guide is not a bound, so nothing here is certain",
    "point": "this measure has no interval",
}


def _leader(board, asked, study):
    """Who leads, and how surely."""
    board = board[board["value"].notna()]
    if not len(board):
        return Sentence("No system has a score here.")
    others = ((board["rank_best"] == 1) & (board["value"] < board["value"].max())).sum()
    return joined(first_place(board), HOW_SURE[board["kind"].iloc[0]], end=".", others=others)


def _from_worst_to_best(scores, asked, study):
    """On which topics the scores are lowest, highest and least certain."""
    scores = scores[scores["value"].notna()]
    if not len(scores):
        return Sentence("There is no score on any topic.")
    width = scores["upper"] - scores["lower"]
    at = {"worst": scores["value"].idxmin(), "best": scores["value"].idxmax(), "widest": width.fillna(0).idxmax()}
    facts = {name: scores["topic"][row] for name, row in at.items()} | {"width": width.max()}
    facts |= {f"{name}_value": scores["value"][at[name]] for name in ("worst", "best")}
    return joined(
        "{systems:listed} {systems:verb scores/score} from {worst_value:score} (topic {worst}) to {best_value:score} "
        "(topic {best})", "the widest interval, {width:score}, is on topic {widest}", end=".",
        systems=list(scores["system"].unique()), **facts,
    )  # fmt: skip


TOP = 10
UNJUDGED = ["pooled, not judged", "never pooled"]


def _top_documents(documents, asked, study):
    """What stands at the top of one ranking."""
    if not len(documents):
        return Sentence("This system returned nothing for this topic.")
    top, last = documents["state"].head(TOP), documents.iloc[-1]
    facts = {"top": len(top), "relevant": (top == "relevant").sum(), "unjudged": top.isin(UNJUDGED).sum()}
    scores = reading(last["lower"], last["lower"], last["upper"], metric_named(asked["metric"]).kind)
    return joined(
        "Down to rank {top:number}, {relevant:count document} {relevant:verb is/are} relevant and {unjudged:many} "
        "unjudged",
        known(last["lower"]) and joined("down to rank {rank:number} it scores ", scores, by="", rank=last["rank"]),
        end=".", **facts,
    )  # fmt: skip


def _moved_by_ties(table, asked, study):
    """How far the order of tied documents could move a score."""
    moved = (table["highest"] - table["lowest"]).fillna(0)
    if not (moved >= FUZZ).any():
        return Sentence("The order of documents with tied scores moves no system's score.")
    widest = table.loc[moved.idxmax(), ["system", "lowest", "highest"]]
    text = "The order of documents with tied scores moves the score of {moving:count system}; the widest range "
    return Sentence(
        text + "is that of {system}, {lowest:score} to {highest:score}.", moving=(moved >= FUZZ).sum(), **widest
    )


QUESTIONS = by_name(
    Question("scores", scores, finding=_from_worst_to_best),
    Question("leaderboard", leaderboard, finding=_leader),
    Question("ranking", ranking, finding=_top_documents),
    Question("ties", ties, finding=_moved_by_ties),
)
