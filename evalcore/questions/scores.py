"""Scores and the intervals that they lie in: by system, by topic, by document."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore import ties as tie_orders
from evalcore.comparing import orderings
from evalcore.comparing.regimes import Regime
from evalcore.joining import holding, of_rankings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.clauses import first_place, is_cut, leading, measured, reading, stage_of, still_to_move
from evalcore.questions.contenders import BY_JUDGING, PAST_END, could_lead, rank_limits
from evalcore.questions.notes import gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import ends_of, every_ranking, mean_of_known, of_systems
from evalcore.scoring import hopes
from evalcore.sentences import FUZZ, Sentence, joined, read_alike


def scores(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The score of every system on every judged topic, with its interval."""
    estimate = study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    scores = every_ranking(study).assign(**ends_of(estimate), kind=estimate.kind)
    shown = np.outer(study.chosen(systems), np.isin(study.track.topic_of_query, study.judged_topics))
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return scores[shown.ravel()].reset_index(drop=True), notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The systems by mean score, each with its interval and with the best and worst rank that is still possible.

    could_lead : whether it could still be first, see `contenders.could_lead`
    value_final : the score with all judgments and the same estimator; the ranks are blank without exact bounds
    """
    asked = {"metric": metric, "estimator": estimator}
    reading = study.at(depth=depth, judgments=judgments, unjudged=unjudged)
    estimate, chosen = reading.estimate(**asked), study.chosen(systems)
    means = study.means(estimate)
    at_once = estimate.map(lambda end: end[..., None])
    ends, regime = ends_of(means, chosen), Regime(metric=metric, depth=depth, judgments=judgments, unjudged=unjudged)
    best, worst = rank_limits(study, regime, means, systems)
    board = of_systems(study)[chosen].assign(
        rank=orderings.ranks(ends["value"]),
        rank_best=best,
        rank_worst=worst,
        **ends,
        kind=means.kind,
        n=study.counted[chosen].sum(axis=1),
        could_lead=could_lead(study, metric, at_once, [reading.threshold], reading.by, chosen)[chosen, 0],
        value_final=study.mean(study.at(unjudged=unjudged).estimate(**asked).value)[chosen],
    )
    return board.sort_values(["rank", "system"], ignore_index=True), notes_on(study, metric, estimator, unjudged)


def ranking(study, *, system, topic, metric="RBP(p=0.8)", depth=None, query=None):
    """One ranking, document by document: the judgment of each document, and the score of the ranking down to it.

    A topic with several queries shows its first, or `query`. gain and grade are blank for unjudged documents.
    """
    _one_ranking(study, system, topic, query)  # an error where there is none
    study = holding(study, str(topic))
    metric, in_force = metric_named(metric), study.at(depth=depth)
    s, q = _one_ranking(study, system, topic, query)
    length = int(study.track.lengths[s, q])
    items = study.track.items[s, q, :length]
    judgments = in_force.judgments
    level = judgments.level[items]
    known = judgments.scale.judged[level]
    row = s * study.track.shape[1] + q
    scored = metric.with_columns(lambda column: hopes(study, column)[row])
    value, lower, upper, _ = scored.ends(in_force.places.cut_after_each(row))
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
            "value": value,
            "lower": lower,
            "upper": upper,
        }
    )
    missing = gaps(
        documents,
        grade="for documents that the judgments do not contain",
        gain="for unjudged documents",
        pool_rank="for documents that no contributing run retrieved",
        weight=f"because {metric.name} has no fixed weight for a rank",
    )
    return documents, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def ties(study, *, metric="RBP(p=0.8)"):
    """The share of tied documents of each system, and its mean score with the worst and the best order of ties."""
    lowest, highest = _within_ties(study, metric)
    ordered = {"lowest": lowest, "value": study.at().estimate(metric).value, "highest": highest}
    means = {name: study.mean(values) for name, values in ordered.items()}
    return pd.DataFrame({"system": study.systems, "tied": tie_orders.tied_share(study), **means})


@of_rankings
def _within_ties(study, metric):
    """The scores with the worst and with the best order within ties. Two float (S, Q)."""
    tracks = (
        tie_orders.within_ties(study.track, study.judgments, metric_named(metric), best=best) for best in (False, True)
    )
    return tuple(replace(study, track=track).at().estimate(metric).value for track in tracks)


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


def _leader(board, asked, study):
    """Who leads, and how surely."""
    board = board[board["value"].notna()]
    if not len(board):
        return Sentence("No system has a score here.")
    told = joined(stage_of(asked), first_place(board, measured(asked)), by=", ")
    if board["kind"].iloc[0] != "bounds":
        return joined(told, still_to_move(board, measured(asked)) if is_cut(asked) else None, end=".")
    others = board[~leading(board)]
    only_past_end = (others["could_lead"] == PAST_END).sum()
    width = mean_of_known((board["upper"] - board["lower"]).to_numpy())
    past = mean_of_known((board["upper"] - board["upper_listed"]).to_numpy())
    return joined(
        told,
        "{others:count other} could still be first" if len(others) else None,
        "{only_past_end:count other} only through ranks past the end of their runs"
        if only_past_end else None,
        ("intervals are {width:width} wide on average" if len(board) > 1 else "its interval is {width:width} wide")
        + ", and {past:width} of that lies past the end of lists, where there is nothing to judge"
        if past > FUZZ else None, end=".",
        others=(others["could_lead"] == BY_JUDGING).sum(), only_past_end=only_past_end, width=width, past=past,
    )  # fmt: skip


def _from_worst_to_best(scores, asked, study):
    """On which topics, or queries of them, the scores are lowest, highest and least certain."""
    scores = scores[scores["value"].notna()]
    if not len(scores):
        return Sentence("There is no score on any topic.")
    value, width, bounded = scores["value"], scores["upper"] - scores["lower"], scores["kind"].iloc[0] == "bounds"
    unit = "query" if "query" in scores else "topic"
    widest = list(scores[unit][width > width.max() - FUZZ].unique()) if bounded and width.max() > FUZZ else []
    told = Sentence("{systems:listed} {systems:verb scores/score} ", systems=list(scores["system"].unique()))
    by, best = Sentence("by {measure}", measure=measured(asked)), scores[value.max() - value < FUZZ]
    if value.max() - value.min() > FUZZ:
        worst = _at("worst", scores[value - value.min() < FUZZ], unit)
        told += by + Sentence(" from ") + worst + Sentence(" to ") + _at("best", best, unit)
    else:
        told += _at("best", best, unit, by=Sentence(" ") + by)
    wide = f"the widest interval, {{width:width}}, is on {unit} {{widest}}"
    if len(scores) == 1:
        wide = "its interval is {width:width} wide"
    elif len(widest) > 1:
        wide = f"the widest intervals, {{width:width}}, are on {_several('widest', unit)}"
    facts = {
        "width": width.max() if widest else None,
        "widest": next(iter(widest), None),
        **_how_many("widest", unit, widest),
    }
    return joined(stage_of(asked), joined(told, wide, end=".", **facts), by=", ")


def _at(end, rows, unit, *, by=""):
    """A score, by what, and where it is reached: the topic or query, or how many where they are several."""
    places = list(rows[unit].unique())
    value = Sentence(f"{{{end}_value:score}}", **{f"{end}_value": rows["value"].iloc[0]}) + by
    if len(places) == 1:
        return value + Sentence(f" on {unit} {{{end}}}", **{end: places[0]})
    return value + Sentence(f" on {_several(end, unit)}", **_how_many(end, unit, places))


MANY = {"topic": "topics", "query": "queries"}


def _several(end, unit):
    """How a text tells on how many topics or queries."""
    return f"{{{end}_{MANY[unit]}:count {unit}/{MANY[unit]}}}"


def _how_many(end, unit, places):
    """The fact of it."""
    return {f"{end}_{MANY[unit]}": len(places)}


TOP = 10
UNJUDGED = ["pooled, not judged", "never pooled"]


def _top_documents(documents, asked, study):
    """What stands at the top of one ranking."""
    query = asked["query"] if asked["query"] not in (None, asked["topic"]) else None
    whose = "{system}" + (" for query {query}" if query else " for topic {topic}")
    facts = {"system": asked["system"]} | ({"query": query} if query else {"topic": asked["topic"]})
    if not len(documents):
        return Sentence(whose.replace(" for", " returned nothing for") + ".", **facts)
    top, last = documents["state"].head(TOP), documents.iloc[-1]
    facts |= {"top": len(top), "relevant": (top == "relevant").sum(), "unjudged": top.isin(UNJUDGED).sum()}
    score = reading(*last[["value", "lower", "upper"]], metric_named(asked["metric"]).kind)
    scored = {"measure": asked["metric"], "rank": last["rank"]}
    told = joined(
        f"of the first {{top:digits document}} of {whose}, {{relevant:many}} relevant and "
        "{unjudged:many} unjudged",
        joined("down to its end at rank {rank:number} the {measure} of the ranking is ", score, by="", **scored),
        end=".", **facts,
    )  # fmt: skip
    return joined(stage_of(asked), told, by=", ")


def _moved_by_ties(table, asked, study):
    """How far the order of tied documents could move a score."""
    moved, exact = (table["highest"] - table["lowest"]).fillna(0), metric_named(asked["metric"]).family.monotone
    if not (moved >= FUZZ).any():
        text = "With all judgments, another order of the documents with tied scores would change no system's {measure}"
        tried = "" if exact else ", were those that earn something first or last among them"
        return Sentence(f"{text}{tried}.", measure=asked["metric"])
    widest, moving = table.loc[moved.idxmax(), ["system", "value", "lowest", "highest"]], (moved >= FUZZ).sum()
    alone = (moved >= moved.max() - FUZZ).sum() == 1
    which = "" if moving == 1 else "most that of " if alone else "none more than that of "
    how_far = "have from {lowest:score} to {highest:score}"
    if read_alike(widest["lowest"], widest["highest"]):
        how_far, widest = "change by less than .001", widest[["system", "value"]]
    of, beyond = ("", "") if exact else ("at least ", "; some orders may give less or more")
    return Sentence(
        f"With all judgments, another order of the documents with tied scores could change the {{measure}} of {of}"
        "{moving:count system}, " + which + "{system}, which has {value:score} and could " + how_far + f"{beyond}.",
        measure=asked["metric"], moving=moving, **widest,
    )  # fmt: skip


QUESTIONS = by_name(
    Question("scores", scores, section="2.5", finding=_from_worst_to_best, spans="scores"),
    Question("leaderboard", leaderboard, section="4.1", finding=_leader, spans="scores"),
    Question("ranking", ranking, section="4.5", finding=_top_documents, spans="topics"),
    Question("ties", ties, section="3.13", finding=_moved_by_ties, spans="topics"),
)
