"""Scores and the intervals that they lie in: by system, by topic, by document."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore import ties as tie_orders
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.clauses import first_place, interval, reading
from evalcore.questions.notes import gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import every_ranking, of_systems
from evalcore.scoring import hopes
from evalcore.sentences import FUZZ, Sentence, joined, known


def scores(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The score of every system on every judged topic, with the interval that it lies in."""
    estimate = study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    scores = every_ranking(study.track).assign(
        value=estimate.value.ravel(), lower=estimate.lower.ravel(), upper=estimate.upper.ravel(), kind=estimate.kind
    )
    judged_query = np.isin(study.track.topic_of_query, study.judged_topics)
    shown = np.outer(study.chosen(systems), judged_query)
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return scores[shown.ravel()].reset_index(drop=True), notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The systems by mean score, each with its interval and with the best and the worst rank that it may have."""
    estimate = study.means(
        study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    )
    chosen = study.chosen(systems)
    value, lower, upper = estimate.value[chosen], estimate.lower[chosen], estimate.upper[chosen]
    board = of_systems(study)[chosen].assign(
        rank=orderings.ranks(value),
        rank_best=orderings.best_ranks(lower, upper),
        rank_worst=orderings.worst_ranks(lower, upper),
        value=value,
        lower=lower,
        upper=upper,
        kind=estimate.kind,
        n=study.counted[chosen].sum(axis=1),
    )
    return board.sort_values(["rank", "system"], ignore_index=True), notes_on(study, metric, estimator, unjudged)


def ranking(study, *, system, topic, metric="RBP(p=0.8)", depth=None, query=None):
    """One ranking, document by document: what is known of each, and the interval of the ranking cut after it.

    A topic with several queries shows its first, or `query`. gain and grade are missing where nothing is known.
    """
    metric = metric_named(metric)
    s, q = _one_ranking(study, system, topic, query)
    length = int(study.track.lengths[s, q])
    items = study.track.items[s, q, :length]
    judgments = study.at(depth=depth).judgments
    level = judgments.level[items]
    known = judgments.scale.judged[level]
    row = s * study.track.shape[1] + q
    scored = metric.with_columns(lambda column: hopes(study, column)[row])
    lower, upper = scored.bounds(study.at(depth=depth).places.cut_after_each(row))
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
    worst, best = (
        replace(study, track=tie_orders.within_ties(study.track, study.judgments, metric_named(metric), best=best))
        for best in (False, True)
    )
    return pd.DataFrame(
        {
            "system": study.systems,
            "tied": tie_orders.tied_share(study.track),
            "lowest": worst.means(worst.at().estimate(metric)).value,
            "value": study.means(study.at().estimate(metric)).value,
            "highest": best.means(best.at().estimate(metric)).value,
        }
    )


def _one_ranking(study, system, topic, query):
    s = int(indices_of([system], study.systems, "system")[0])
    of_topic = [q for q, t in enumerate(study.track.topic_of_query) if study.track.topics[t] == str(topic)]
    if not of_topic:
        raise ValueError(f"no topic {topic!r}. Known: {', '.join(study.topics[:5])}, ...")
    if query is None:
        return s, of_topic[0]
    of_query = [q for q in of_topic if study.track.queries[q] == query]
    if not of_query:
        raise ValueError(f"topic {topic} has no query {query!r}. Known: {[study.track.queries[q] for q in of_topic]}.")
    return s, of_query[0]


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _leader(board, asked, study):
    """Who leads, how surely, and over whom."""
    board = board[board["value"].notna()]
    if not len(board):
        return Sentence("No system has a score here.")
    first, n = board.loc[board["value"].idxmax()], len(board)
    leaders = list(board["system"][board["value"] == first["value"]])
    if len(leaders) > 1:
        return joined(
            first_place(leaders, n, first["value"], begins=True), _could_lead(board, first, len(leaders)), end="."
        )
    facts = {"leader": first["system"], "systems": n, "value": first["value"]}
    lead = Sentence("{leader} leads {systems:digits system} with {value:score}", **facts)
    if n == 1:
        lead = Sentence("{leader} scores {value:score}", leader=first["system"], value=first["value"])
    if not known(first["lower"]):
        return joined(lead, "this measure has no interval", end=".")
    if first["kind"] != "bounds":
        guide = Sentence(
            "its guide, {lower:score} to {upper:score}, is not a bound, so nothing here is certain",
            lower=first["lower"], upper=first["upper"],
        )  # fmt: skip
        return joined(lead, guide, end=".")
    scored = joined(
        Sentence("{leader} scores ", leader=first["system"]), interval(first["lower"], first["upper"]), by=""
    )
    return joined(scored, _below(board, first), end=".")


def _could_lead(board, first, tied):
    """How many systems may be first by their intervals, where several are tied in the first place."""
    if not known(first["lower"]):
        return "this measure has no interval"
    if first["kind"] != "bounds":
        return "a guide is not a bound, so nothing here is certain"
    if tied == len(board):
        return None
    return Sentence(
        "by their intervals {could_be_first:digits system} could be first",
        could_be_first=int((board["rank_best"] == 1).sum()),
    )


def _below(board, first):
    """How many systems stay below the leader by their intervals, whatever the unjudged documents are."""
    others, below = len(board) - 1, int((board["upper"] < first["lower"]).sum())
    if not others:
        return None
    facts = {"others": others, "below": below}
    whose = {1: "the other", 2: "both others"}.get(others, "all {others:number} others")
    if below == others:
        ends = "{others:verb interval/intervals} of " + whose + " {others:verb ends/end} below it"
        return Sentence(f"the {ends}", others=others)
    if below == 0:
        reach = "{others:verb interval/intervals} of " + whose + " {others:verb reaches/reach} it"
        return Sentence(f"the {reach}", others=others)
    these = "the {below:verb interval/intervals} of {below:small} of the {others:number} others"
    return Sentence(these + " {below:verb ends/end} below it", **facts)


def _topics_of(scores, asked, study):
    """One system's topics: where it does best and worst."""
    scored = scores[scores["value"].notna()]
    systems = scored["system"].unique()
    if not len(scored):
        return Sentence("This system has no score on any topic.")
    if len(systems) > 1:
        rows, systems = len(scored), len(systems)
        return Sentence("{rows:digits score} of {systems:digits system}.", rows=rows, systems=systems)
    name = systems[0]
    if len(scored) == 1:
        row = scored.iloc[0]
        alone = Sentence("On its only topic, {topic}, {system} scores ", topic=row["topic"], system=name)
        return joined(alone, reading(row["value"], row["lower"], row["upper"], row["kind"]), by="", end=".")
    best, worst = scored.loc[scored["value"].idxmax()], scored.loc[scored["value"].idxmin()]
    if best["value"] == worst["value"]:
        facts = {"system": name, "value": best["value"], "topics": len(scored)}
        return Sentence("{system} scores {value:score} on all of its {topics:number} topics.", **facts)
    spread = Sentence(
        "{system} does best on topic {best} ({best_value:score}) and worst on topic {worst} ({worst_value:score})",
        system=name, best=best["topic"], best_value=best["value"], worst=worst["topic"], worst_value=worst["value"],
    )  # fmt: skip
    return joined(spread, _most_uncertain(scored), end=".")


def _most_uncertain(scored):
    """The topic that the unjudged documents leave most open."""
    width = scored["upper"] - scored["lower"]
    if not width.notna().any() or width.max() < FUZZ:
        return None
    widest = scored.loc[width.idxmax(), "topic"]
    text = "topic {widest} is the most uncertain ({width:score} wide)"
    return Sentence(text, widest=widest, width=width.max())


TOP = 10
UNJUDGED = ["pooled, not judged", "never pooled"]


def _top_documents(documents, asked, study):
    """What stands at the top of one ranking."""
    if not len(documents):
        return Sentence("This system returned nothing for this topic.")
    top, last = documents[documents["rank"] <= TOP], documents.iloc[-1]
    relevant, unjudged = (int(top["state"].isin(states).sum()) for states in (["relevant"], UNJUDGED))
    if len(top) == 1:
        state = "is relevant" if relevant else "is unjudged" if unjudged else "is judged not relevant"
        first = Sentence(f"The only document {state}")
    else:
        text = "Of the first {top:number} documents, {relevant:many} relevant and {unjudged:many} unjudged"
        first = Sentence(text, top=len(top), relevant=relevant, unjudged=unjudged)
    if not known(last["lower"]):
        return joined(first, end=".")
    kind = metric_named(asked["metric"]).kind
    down = Sentence("down to rank {rank:number} it scores ", rank=int(last["rank"]))
    return joined(first, joined(down, reading(last["lower"], last["lower"], last["upper"], kind), by=""), end=".")


def _moved_by_ties(table, asked, study):
    """How far the order of tied documents could move a score."""
    moved = table["highest"] - table["lowest"]
    if not len(table) or not moved.notna().any() or moved.max() < FUZZ:
        return Sentence("The order of documents with tied scores moves no system's score.")
    widest = table.loc[moved.idxmax()]
    return Sentence(
        "{moving:Count system} would score otherwise with another order of tied documents; most of all {system}, from "
        "{lowest:score} to {highest:score}.",
        moving=int((moved >= FUZZ).sum()), system=widest["system"], lowest=widest["lowest"], highest=widest["highest"],
    )  # fmt: skip


QUESTIONS = by_name(
    Question("scores", scores, finding=_topics_of),
    Question("leaderboard", leaderboard, finding=_leader),
    Question("ranking", ranking, finding=_top_documents),
    Question("ties", ties, finding=_moved_by_ties),
)
