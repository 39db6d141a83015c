"""Scores and the intervals that they lie in: by system, by topic, by document."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.collection import pool
from evalcore.collection import ties as tie_orders
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.contenders import no_limits, standings
from evalcore.questions.pairs import at_one
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import by_rank, ends_of, every_ranking, of_systems, query_of
from evalcore.questions.table_notes import gaps, notes_on
from evalcore.statistics import orderings
from evalcore.study.evaluation import hopes
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of


def scores(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, judgments: int | None = None,
    estimator: str = "lower", unjudged: str = "irrelevant", systems: str | Sequence[str] = "all",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The score of every system on every judged topic, with its interval."""
    estimate = study.at(depth=depth, judgments=judgments, unjudged=unjudged).estimate(metric, estimator=estimator)
    scores = every_ranking(study).assign(**ends_of(estimate), kind=estimate.kind)
    shown = np.outer(study.chosen(systems), np.isin(study.track.topic_of_query, study.judged_topics))
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return scores[shown.ravel()].reset_index(drop=True), notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, judgments: int | None = None,
    estimator: str = "lower", unjudged: str = "irrelevant", systems: str | Sequence[str] = "all", limits: bool = True,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The systems by mean score, each with its interval and with the best and worst rank that is still possible.

    could_lead : whether it could still be first, see `contenders.standings`
    value_final : the score with all judgments and the same estimator; the ranks are blank without exact bounds
    """
    options: dict[str, Any] = {"metric": metric, "estimator": estimator}
    reading = study.at(depth=depth, judgments=judgments, unjudged=unjudged)
    estimate, chosen = reading.estimate(**options), study.chosen(systems)
    means = study.means(estimate)
    at_once = means.map(lambda end: end[:, None])
    states, best, worst = standings(study, metric, at_once, at_one(reading), chosen, limits=limits)
    ends: dict[str, Any] = ends_of(means, chosen)
    board = of_systems(study)[chosen].assign(
        rank=orderings.ranks(ends["value"]),
        rank_best=best[chosen, 0],
        rank_worst=worst[chosen, 0],
        **ends,
        kind=means.kind,
        n=study.counted[chosen].sum(axis=1),
        could_lead=states[chosen, 0],
        value_final=study.means(study.at(unjudged=unjudged).estimate(**options)).value[chosen],
    )
    notes = [*notes_on(study, metric, estimator, unjudged), *no_limits(limits)]
    return by_rank(board), notes


def ranking(
    study: Study, *, system: str, topic: str, metric: str = "RBP(p=0.8)", depth: int | None = None,
    query: str | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """One ranking, document by document: the judgment of each document, and the score of the ranking down to it.

    A topic with several queries shows its first, or `query`. gain and grade are blank for unjudged documents.
    """
    metric, in_force = metric_named(metric), study.at(depth=depth)
    s, q = int(indices_of([system], study.systems, "system")[0]), query_of(study, topic, query)
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


def ties(study: Study, *, metric: str = "RBP(p=0.8)") -> pd.DataFrame:
    """The share of tied documents of each system, and its mean score with the worst and the best order of ties."""
    lowest, highest = _within_ties(study, metric)
    ordered = {"lowest": lowest, "value": study.at().estimate(metric).value, "highest": highest}
    means = {name: study.mean(values) for name, values in ordered.items()}
    return pd.DataFrame({"system": study.systems, "tied": tie_orders.tied_share(study.track), **means})


def _within_ties(study, metric):
    """The scores with the worst and with the best order within ties. Two float (S, Q)."""
    earned = metric_named(metric).earned(study.judgments.scale)
    tracks = (tie_orders.within_ties(study.track, study.judgments, earned, best=best) for best in (False, True))
    return tuple(replace(study, track=track).at().estimate(metric).value for track in tracks)


QUESTIONS = by_name(
    Question(
        "scores", scores, section="2.5",
        columns="system group pooled topic value lower upper upper_listed kind",
    ),
    Question(
        "leaderboard", leaderboard, section="4.1",
        columns="system group pooled rank rank_best rank_worst value lower upper upper_listed kind n could_lead "
        "value_final",
    ),
    Question(
        "ranking", ranking, section="4.5",
        columns="rank document state grade pool_rank gain weight value lower upper",
    ),
    Question("ties", ties, section="3.13", columns="system tied lowest value highest"),
)  # fmt: skip
