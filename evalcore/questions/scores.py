"""Scores and the intervals that they lie in: by system, by topic, by document."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore import ties as tie_orders
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.notes import gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import every_ranking, of_systems
from evalcore.scoring import hopes


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


QUESTIONS = by_name(
    Question("scores", scores),
    Question("leaderboard", leaderboard),
    Question("ranking", ranking),
    Question("ties", ties),
)
