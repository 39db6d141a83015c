"""The questions: each takes a study and plain values and answers with one tidy table.

A question is one function and one row of `QUESTIONS`. Its keyword-only arguments are its parameters; the same argument
has the same name and meaning everywhere:

metric : a name, see `evalcore.METRICS`
depth, judgments : the judgments in force: a pool depth, or a count in the order of judging; None = all; never both
estimator : a name, see `evalcore.ESTIMATORS`
unjudged : "irrelevant", or "condensed" to take unjudged documents out of the rankings
systems : "all", "pooled", "unpooled" or a list of names
k : a depth in a ranking

A question may return notes beside its table: sentences on what is missing or was assumed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evalcore import checks, names, orderings, pool
from evalcore import ties as tie_orders
from evalcore.metrics import metric as metric_named
from evalcore.study import checked_threshold, indices_of

SYSTEM_COLUMNS = ["system", "group", "pooled"]


# ---------------------------------------------------------------------------------------------------------------------
# What there is


def systems(study):
    """What each system brought: topics, documents, how much of it is judged, how deep it seems to have been pooled."""
    track = study.track
    judged_queries = np.isin(track.topic_of_query, study.judged_topics)
    ranked = (track.lengths > 0) & judged_queries
    table = _of_systems(study).assign(
        topics=[len(np.unique(track.topic_of_query[has])) for has in track.lengths > 0],
        documents=track.lengths.sum(axis=1),
        deepest=track.lengths.max(axis=1, initial=0),
        judged_at_10=study.means(study.estimate("Judged@10")).value,
        judged_at_100=study.means(study.estimate("Judged@100")).value,
        pool_depth=study.audited,
        first_unjudged=_median_ranks(pool.first_unjudged(track, study.judgments), ranked),
        tied=tie_orders.tied_share(track),
    )
    unbroken = "where half of a system's rankings or more hold no unjudged document, or it has none"
    return table, _missing(table, first_unjudged=unbroken, tied="for a system without documents")


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
            "share_relevant": _share(relevant, judged),
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
    share = study.estimate(f"Judged@{k}").value
    by_system, by_query = (np.argsort(-share.mean(axis=axis), kind="stable") for axis in (1, 0))
    table = _every_ranking(study.track).assign(k=k, judged=share.ravel())
    rows = np.arange(share.size).reshape(share.shape)[np.ix_(by_system, by_query)]
    return table.iloc[rows.ravel()].reset_index(drop=True)


def first_unjudged(study, *, depth=None, judgments=None):
    """How often the first unjudged document of a ranking stands at each rank, for systems that contributed to the pool
    and for others (Ravana & Moffat 2010, fig. 1). A missing rank: rankings without any unjudged document."""
    track = study.track
    first = pool.first_unjudged(track, study.judgments_at(depth=depth, judgments=judgments))
    counted = (track.lengths > 0) & np.isin(track.topic_of_query, study.judged_topics)
    tables = []
    for pooled in (True, False):
        ranks, counts = np.unique(first[(track.pooled == pooled)[:, None] & counted], return_counts=True)
        rank = np.where(ranks == pool.NEVER, np.nan, ranks + 1.0)
        tables.append(pd.DataFrame({"pooled": pooled, "rank": rank, "share": counts / counts.sum()}))
    table = pd.concat(tables, ignore_index=True)
    return table, _missing(table, rank="for the rankings without any unjudged document")


# ---------------------------------------------------------------------------------------------------------------------
# Scores


def scores(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The score of every system on every judged topic, with the interval that it lies in."""
    estimate = study.estimate(metric, depth=depth, judgments=judgments, estimator=estimator, unjudged=unjudged)
    table = _every_ranking(study.track).assign(
        value=estimate.value.ravel(), lower=estimate.lower.ravel(), upper=estimate.upper.ravel(), kind=estimate.kind
    )
    judged_query = np.isin(study.track.topic_of_query, study.judged_topics)
    shown = np.outer(_chosen(study, systems), judged_query)
    if study.options["average"] == "common":
        shown &= study.track.lengths > 0
    return table[shown.ravel()].reset_index(drop=True), _notes_on(study, metric, estimator, unjudged)


def leaderboard(
    study, *, metric="RBP(p=0.8)", depth=None, judgments=None, estimator="lower", unjudged="irrelevant", systems="all"
):
    """The systems by mean score, each with its interval and with the best and the worst rank that it may have."""
    estimate = study.means(
        study.estimate(metric, depth=depth, judgments=judgments, estimator=estimator, unjudged=unjudged)
    )
    chosen = _chosen(study, systems)
    value, lower, upper = estimate.value[chosen], estimate.lower[chosen], estimate.upper[chosen]
    table = _of_systems(study)[chosen].assign(
        rank=orderings.ranks(value),
        rank_best=orderings.best_ranks(lower, upper),
        rank_worst=orderings.worst_ranks(lower, upper),
        value=value,
        lower=lower,
        upper=upper,
        kind=estimate.kind,
        n=study.counted[chosen].sum(axis=1),
    )
    return table.sort_values(["rank", "system"], ignore_index=True), _notes_on(study, metric, estimator, unjudged)


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A missing depth: all judgments."""
    depths = _depths(study, depths)
    means = study.means(_sweep(study, metric, depths, estimator=estimator, unjudged=unjudged))
    chosen = np.flatnonzero(_chosen(study, systems))
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
    return table, [*_notes_on(study, metric, estimator, unjudged), *_missing(table, depth=ALL_JUDGMENTS)]


def trend(study, *, metrics=("RBP(p=0.8)", "P@10"), estimators=("lower",), judgments=None, systems="all"):
    """The mean score and interval width as judgments grow, over the systems that contributed to the pool and over the
    others (Ravana & Moffat 2010, table 1). By default 1/64, 1/32, ... of all judgments, then all."""
    counts = _counts(study, judgments)
    chosen = _chosen(study, systems)
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
                        _mean_of_known(means.value[of]),
                        _mean_of_known((means.upper - means.lower)[of]),
                        strict=True,
                    )
                ]
    table = pd.DataFrame(rows, columns=["judgments", "metric", "estimator", "pooled", "value", "width"])
    notes = [note for metric in metrics for note in _notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(study, *, metric="RBP(p=0.8)", depths=None):
    """What pooling to each depth costs and what it settles: judgments, relevant documents found, interval widths, pairs
    of systems decided, and Kendall's tau with the ordering by all judgments. A missing depth: all judgments."""
    depths = _depths(study, depths)
    means = study.means(_sweep(study, metric, depths))
    final = study.means(study.estimate(metric)).value
    judged_by_topic, relevant_by_topic = (
        _count_by_depth(study, table, depths)
        for table in (study.judgments.scale.judged, study.judgments.scale.relevant)
    )
    judged_topics = study.judged_topics
    share = _share(relevant_by_topic, judged_by_topic)[judged_topics]
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged_by_topic.sum(axis=0),
            "per_topic": judged_by_topic.sum(axis=0) / max(len(judged_topics), 1),
            "relevant": relevant_by_topic.sum(axis=0),
            "share_relevant": _mean_of_known(share),
            "mean_width": _mean_of_known(means.upper - means.lower),
            "pairs_decided": [
                orderings.pairs_decided(lower, upper) for lower, upper in zip(means.lower.T, means.upper.T, strict=True)
            ],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
        }
    )
    missing = _missing(table, depth=ALL_JUDGMENTS, share_relevant="where no topic has a judgment")
    return table, [*_notes_on(study, metric, "lower", "irrelevant"), *missing]


def ranking(study, *, system, topic, metric="RBP(p=0.8)", depth=None, query=None):
    """One ranking, document by document: what is known of each, and the interval of the ranking cut after it.

    A topic with several queries shows its first, or `query`. gain and grade are missing where nothing is known.
    """
    metric = metric_named(metric)
    s, q = _one_ranking(study, system, topic, query)
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
    missing = _missing(
        table,
        grade="for documents that the judgments do not name",
        gain="for documents that are not judged",
        pool_rank="for documents that no contributing run retrieved",
        weight=f"because {metric.name} has no fixed weight of a rank",
    )
    return table, [*_notes_on(study, metric, "lower", "irrelevant"), *missing]


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


# ---------------------------------------------------------------------------------------------------------------------
# Pieces that questions share


def _of_systems(study):
    track = study.track
    return pd.DataFrame({"system": track.systems, "group": track.groups, "pooled": track.pooled})


def _every_ranking(track):
    """A row per system and query: system, group, pooled, topic, and query where a topic has several."""
    S, Q, _ = track.shape
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(track.systems, object), Q),
            "group": np.repeat(np.array(track.groups, object), Q),
            "pooled": np.repeat(track.pooled, Q),
            "topic": np.tile(np.array(track.topics, object)[track.topic_of_query], S),
        }
    )
    if len(np.unique(track.topic_of_query)) < Q:
        table["query"] = np.tile(np.array(track.queries, object), S)
    return table


def _chosen(study, systems):
    """Which systems a question is about. bool (S,)."""
    if isinstance(systems, str):
        choices = {
            "all": np.ones(len(study.systems), bool),
            "pooled": study.track.pooled,
            "unpooled": ~study.track.pooled,
        }
        if systems not in choices:
            raise ValueError(f"systems={systems!r} is not known. Known: {', '.join(choices)}, or a list of names.")
        return choices[systems]
    return np.isin(np.arange(len(study.systems)), indices_of(systems, study.systems, "system"))


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


def _depths(study, depths):
    """Ascending pool depths, None (all judgments) last; by default 1 to the study's depth."""
    if depths is None:
        return [*range(1, study.depth + 1)]
    asked = {checked_threshold("depth", depth) for depth in depths}
    if not asked:
        raise ValueError("depths is empty; name at least one pool depth, such as 10, or None for all judgments.")
    return [*sorted(asked - {None}), *({None} & asked)]


def _counts(study, judgments):
    total = max(1, int(study.whole_judgments.count(study.whole_judgments.scale.judged).sum()))
    if judgments is None:
        return sorted({max(1, round(total / 2**halvings)) for halvings in range(7)})
    if not judgments:
        raise ValueError("judgments is empty; name at least one count, such as 1000, or None for all.")
    return sorted({checked_threshold("judgments", count) or total for count in judgments})


def _sweep(study, metric, depths, **reading):
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    return study.sweep(metric, thresholds, **reading)


def _count_by_depth(study, table, depths):
    """How many documents of each topic a table by level says yes to, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[table[judgments.level[judgments.pooled_items]]]
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    step = pool.steps(judgments, study.pool_rank, thresholds)[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


def _share(part, whole):
    return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)


def _mean_of_known(values):
    """The mean over the first axis of what is known; NaN where nothing is. (N, depths) to (depths,)."""
    known = ~np.isnan(values)
    return _share(np.where(known, values, 0).sum(axis=0), known.sum(axis=0))


ALL_JUDGMENTS = "where all judgments are in force"


def _missing(table, **reasons):
    """Why a column has gaps, for those that have."""
    return [f"{column} is missing {reason}." for column, reason in reasons.items() if table[column].isna().any()]


def _notes_on(study, metric, estimator, unjudged):
    """Why a score or an interval is missing, or what it is not."""
    metric = metric_named(metric)
    ignored = "" if estimator == "lower" else f", and the estimator {estimator} changes nothing"
    notes = []
    if unjudged == "condensed":
        notes = [f"The unjudged documents were taken out: there is no interval, lower and upper are missing{ignored}."]
    elif metric.kind == "point":
        notes = [
            f"{metric.name} has no interval, for what unjudged documents do to it has no simple bound: lower, upper "
            f"and what follows from them are missing{ignored}."
        ]
    elif metric.kind == "guide":
        notes = [
            f"The upper end of {metric.name} is a guide, not a bound: the number of relevant documents is not known, "
            "so the final score can lie outside."
        ]
    without = [name for name, counted in zip(study.systems, study.counted, strict=True) if not counted.any()]
    if without:
        names_of = ", ".join(without[:3]) + (", ..." if len(without) > 3 else "")
        notes.append(f"No topic counts for {names_of}: what would be a mean over topics is missing.")
    return notes


# ---------------------------------------------------------------------------------------------------------------------
# The table


@dataclass(frozen=True)
class Question:
    """One row of the table of questions. function(study, *, ...) gives a table, or a table and notes."""

    name: str
    function: Callable

    @property
    def summary(self):
        """The first sentence of the docstring."""
        return " ".join(self.function.__doc__.split("\n\n")[0].split())

    @property
    def parameters(self):
        return names.parameters(self.function)


QUESTIONS = {
    row.name: row
    for row in (
        Question("systems", systems),
        Question("topics", topics),
        Question("findings", findings),
        Question("judged", judged),
        Question("first_unjudged", first_unjudged),
        Question("scores", scores),
        Question("leaderboard", leaderboard),
        Question("depth_sweep", depth_sweep),
        Question("trend", trend),
        Question("pool", pool_depths),
        Question("ranking", ranking),
        Question("ties", ties),
    )
}
