"""Columns and rows that the tables of several questions share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection.shares import mean_of_known, share
from evalcore.estimating.estimators import Estimate
from evalcore.statistics import orderings
from evalcore.study.study import Study

TOP = 10  # so many first ranks, of systems or of documents, are looked at


def of_systems(study: Study) -> pd.DataFrame:
    track = study.track
    return pd.DataFrame({"system": track.systems, "group": track.groups, "pooled": track.pooled})


def names_of(study: Study, systems: str | Sequence[str]) -> NDArray[np.object_]:
    """The names of the systems that are chosen. object (n,)"""
    return np.array(study.systems, object)[study.chosen(systems)]


def by_rank(table: pd.DataFrame) -> pd.DataFrame:
    """A table of systems, the best first, and by name where ranks are tied."""
    return table.sort_values(["rank", "system"], ignore_index=True)


def every_ranking(study: Study) -> pd.DataFrame:
    """A row per system and query: system, group, pooled, topic, and query where a topic has several."""
    track = study.track
    S, Q, _ = track.shape
    table = of_systems(study).iloc[np.repeat(np.arange(S), Q)].reset_index(drop=True)
    table["topic"] = np.tile(np.array(track.topics, object)[track.topic_of_query], S)
    if len(np.unique(track.topic_of_query)) < Q:
        table["query"] = np.tile(np.array(track.queries, object), S)
    return table


def ends_of(estimate: Estimate, rows: slice | NDArray[Any] = slice(None)) -> dict[str, NDArray[np.float64]]:
    """The table columns value, lower, upper and upper_listed of an estimate, for the chosen rows."""
    return {name: getattr(estimate, name)[rows].ravel() for name in ("value", "lower", "upper", "upper_listed")}


def bounds_of(estimate: Estimate) -> Sequence[NDArray[np.float64]]:
    """Its lower and upper ends where they bound the score; else, for a guide bounds nothing, NaN."""
    ends = estimate.lower, estimate.upper
    return ends if estimate.kind == "bounds" else tuple(np.full_like(end, np.nan) for end in ends)


def share_of(part: float | NDArray[Any], whole: int | NDArray[np.intp]) -> NDArray[np.float64]:
    """A share for a table: NaN where the whole is 0."""
    return share(part, whole, without=np.nan)


def mean_over_systems(study: Study, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of known values over the systems that answer a judged topic. (S, ...) to (...)"""
    return mean_of_known(values[study.answers])


def answering(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """The rows without those of systems that answer no judged topic; all of a table that comes without its study."""
    answers = getattr(study, "answers", None)
    if answers is None or answers.all():
        return table
    return table[~table["system"].isin(np.array(study.systems, object)[~answers])]


def scores_by_topic(study: Study, metric: str) -> NDArray[np.float64]:
    """The score of every system on every judged topic with all judgments, NaN where it does not count. float (S, T')"""
    return study.topic_scores(study.at().values(metric))


def documents(study: Study, items: NDArray[Any]) -> pd.DataFrame:
    """The topic and the name of each of these items."""
    topics = np.array(study.track.topics, object)[study.track.topic_of_item[items]]
    return pd.DataFrame({"topic": topics, "document": study.track.documents(items)})


def query_of(study: Study, topic: str, query: str | None = None) -> int:
    """The index of a topic's query, by default its first. ValueError for an unknown one."""
    of_topic = [q for q, t in enumerate(study.track.topic_of_query) if study.track.topics[t] == str(topic)]
    if not of_topic:
        raise ValueError(f"no topic {topic!r}. Known: {', '.join(study.topics[:5])}, ...")
    if query is None:
        return of_topic[0]
    known = [study.track.queries[q] for q in of_topic]
    if query not in known:
        raise ValueError(f"topic {topic} has no query {query!r}. Known: {known}.")
    return of_topic[known.index(query)]


def of_the_top(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first ten by their value; of tied ones those that come first."""
    return rows.iloc[orderings.ordering(rows["value"].to_numpy())[:TOP]]
