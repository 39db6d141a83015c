"""Scores and the intervals that they lie in, by system, by topic, by document and by how much was judged."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore import ties as tie_orders
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.questions.tidy import (
    ALL_JUDGMENTS,
    ascending_counts,
    ascending_depths,
    chosen_systems,
    count_by_depth,
    every_ranking,
    gaps,
    mean_of_known,
    notes_on,
    of_systems,
    one_ranking,
    share_of,
    swept,
)  # fmt: skip


def scores(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The score of every system on every judged topic, with the interval that it lies in."""
    estimate = study.estimate(metric, depth=depth, judgments=judgments, estimator=estimator, unjudged=unjudged)
    table = every_ranking(study.track).assign(
        value=estimate.value.ravel(), lower=estimate.lower.ravel(), upper=estimate.upper.ravel(), kind=estimate.kind
    )
    judged_query = np.isin(study.track.topic_of_query, study.judged_topics)
    shown = np.outer(chosen_systems(study, systems), judged_query)
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return table[shown.ravel()].reset_index(drop=True), notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The systems by mean score, each with its interval and with the best and the worst rank that it may have."""
    estimate = study.means(
        study.estimate(metric, depth=depth, judgments=judgments, estimator=estimator, unjudged=unjudged)
    )
    chosen = chosen_systems(study, systems)
    value, lower, upper = estimate.value[chosen], estimate.lower[chosen], estimate.upper[chosen]
    table = of_systems(study)[chosen].assign(
        rank=orderings.ranks(value),
        rank_best=orderings.best_ranks(lower, upper),
        rank_worst=orderings.worst_ranks(lower, upper),
        value=value,
        lower=lower,
        upper=upper,
        kind=estimate.kind,
        n=study.counted[chosen].sum(axis=1),
    )
    return table.sort_values(["rank", "system"], ignore_index=True), notes_on(study, metric, estimator, unjudged)


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(swept(study, metric, depths, estimator=estimator, unjudged=unjudged))
    chosen = np.flatnonzero(chosen_systems(study, systems))
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object)[chosen], len(depths)),
            "depth": np.tile(np.array(depths, float), len(chosen)),
            "value": means.value[chosen].ravel(),
            "lower": means.lower[chosen].ravel(),
            "upper": means.upper[chosen].ravel(),
            "kind": means.kind,
        }
    )
    return table, [*notes_on(study, metric, estimator, unjudged), *gaps(table, depth=ALL_JUDGMENTS)]


def trend(study, *, metrics=("RBP(p=0.8)", "P@10"), estimators=("lower",), judgments=None, systems="all"):
    """The mean score and interval width as judgments grow, over the systems that contributed to the pool and over the
    others (Ravana & Moffat 2010, table 1). By default 1/64, 1/32, ... of all judgments, then all."""
    counts = ascending_counts(study, judgments)
    chosen = chosen_systems(study, systems)
    rows = []
    for metric in metrics:
        for estimator in estimators:
            means = study.means(study.sweep(metric, counts, by="judgments", estimator=estimator))
            for pooled in (True, False):
                of = chosen & (study.track.pooled == pooled)
                if not of.any():
                    continue
                rows += [
                    (count, metric_named(metric).name, estimator, pooled, value, width)
                    for count, value, width in zip(
                        counts,
                        mean_of_known(means.value[of]),
                        mean_of_known((means.upper - means.lower)[of]),
                        strict=True,
                    )
                ]
    table = pd.DataFrame(rows, columns=["judgments", "metric", "estimator", "pooled", "value", "width"])
    notes = [note for metric in metrics for note in notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(study, *, metric="RBP(p=0.8)", depths=None):
    """What pooling to each depth costs and what it settles: judgments, relevant documents found, interval widths, pairs
    of systems decided, and Kendall's tau with the ordering by all judgments. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(swept(study, metric, depths))
    final = study.means(study.estimate(metric)).value
    judged_by_topic, relevant_by_topic = (
        count_by_depth(study, table, depths) for table in (study.judgments.scale.judged, study.judgments.scale.relevant)
    )
    judged_topics = study.judged_topics
    share = share_of(relevant_by_topic, judged_by_topic)[judged_topics]
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged_by_topic.sum(axis=0),
            "per_topic": judged_by_topic.sum(axis=0) / max(len(judged_topics), 1),
            "relevant": relevant_by_topic.sum(axis=0),
            "share_relevant": mean_of_known(share),
            "mean_width": mean_of_known(means.upper - means.lower),
            "pairs_decided": [
                orderings.pairs_decided(lower, upper) for lower, upper in zip(means.lower.T, means.upper.T, strict=True)
            ],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
        }
    )
    missing = gaps(table, depth=ALL_JUDGMENTS, share_relevant="where no topic has a judgment")
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def ranking(study, *, system, topic, metric="RBP(p=0.8)", depth=None, query=None):
    """One ranking, document by document: what is known of each, and the interval of the ranking cut after it.

    A topic with several queries shows its first, or `query`. gain and grade are missing where nothing is known.
    """
    metric = metric_named(metric)
    s, q = one_ranking(study, system, topic, query)
    length = int(study.track.lengths[s, q])
    items = study.track.items[s, q, :length]
    judgments = study.judgments_at(depth=depth)
    level = judgments.level[items]
    known = judgments.scale.judged[level]
    row = s * study.track.shape[1] + q
    scored = metric.with_columns(lambda column: study.by_ranking(column)[row])
    lower, upper = scored.bounds(study.places_at(depth=depth).cut_after_each(row))
    pool_rank = study.pool_rank[items]
    table = pd.DataFrame(
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
        table,
        grade="for documents that the judgments do not name",
        gain="for documents that are not judged",
        pool_rank="for documents that no contributing run retrieved",
        weight=f"because {metric.name} has no fixed weight of a rank",
    )
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


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
            "lowest": worst.means(worst.estimate(metric)).value,
            "value": study.means(study.estimate(metric)).value,
            "highest": best.means(best.estimate(metric)).value,
        }
    )
