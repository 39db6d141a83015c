"""Tidy tables: what questions share to choose systems and depths, and to say what is missing in an answer."""

from collections.abc import Sequence
from numbers import Real

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.metrics import metric as metric_named
from evalcore.reading.naming import counted
from evalcore.study import NOBODY, UNKNOWN_TOPICS, checked_threshold, indices_of


def of_systems(study):
    track = study.track
    return pd.DataFrame({"system": track.systems, "group": track.groups, "pooled": track.pooled})


def every_ranking(track):
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


def chosen_systems(study, systems):
    """Which systems a question is about. bool (S,)."""
    return study.chosen(systems)


def one_ranking(study, system, topic, query):
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


def ascending_depths(study, depths):
    """Ascending pool depths, None (all judgments) last; by default 1 to the study's depth."""
    if depths is None:
        return [*range(1, study.depth + 1)]
    if not isinstance(depths, Sequence) or isinstance(depths, str):
        raise ValueError(f"depths={depths!r} is no list; write one such as [10, 20].")
    asked = {checked_threshold("depth", depth) for depth in depths}
    if not asked:
        raise ValueError("depths is empty; name at least one pool depth, such as 10, or None for all judgments.")
    return [*sorted(asked - {None}), *({None} & asked)]


def ascending_counts(study, judgments):
    total = max(1, int(study.whole_judgments.count(study.whole_judgments.scale.judged).sum()))
    if judgments is None:
        return sorted({max(1, round(total / 2**halvings)) for halvings in range(7)})
    if not isinstance(judgments, Sequence) or isinstance(judgments, str):
        raise ValueError(f"judgments={judgments!r} is no list; write one such as [1000, 2000].")
    if not judgments:
        raise ValueError("judgments is empty; name at least one count, such as 1000, or None for all.")
    return sorted({checked_threshold("judgments", count) or total for count in judgments})


def contributed(study):
    """ValueError where no run is known to have contributed to the pool."""
    if not study.whole.pooled.any():
        raise ValueError(NOBODY)


def only_one_judges(study):
    """Which topics only one of the two sets of judgments has, in words."""
    ours, theirs = (set(one.judged_topics) for one in (study, study.judged_by_other))
    for alone, whose in ((ours - theirs, "the first"), (theirs - ours, "the second")):
        if alone:
            names = ", ".join(study.track.topics[topic] for topic in sorted(alone)[:3])
            topics = counted(len(alone), "topic is", "topics are")
            yield f"{topics} judged by {whose} qrels only ({names}) and left out."
    yield from (finding.message for finding in study.findings if finding.check == UNKNOWN_TOPICS)


def topic_scores(study, metric):
    """The score of every system on every judged topic, NaN where it does not count. float (S, T')."""
    return np.where(study.counted, study.by_topic(study.values_under(study.judgments, metric)), np.nan)


def most_variations(track):
    """As many queries as any topic has; ValueError where none has two."""
    most = int(np.bincount(track.topic_of_query).max(initial=0)) if len(track.topic_of_query) else 0
    if most < 2:
        raise ValueError(
            "every topic has one query alone, so there are no variations; say how queries name a topic "
            '(variations="-" or "run"), or give a table of queries.'
        )
    return most


def unjudged_topics(study):
    """A note on the topics that have queries and no judgments, if there are any."""
    without = [study.track.topics[topic] for topic in np.setdiff1d(study.track.topic_of_query, study.judged_topics)]
    if not without:
        return []
    count = "1 topic is" if len(without) == 1 else f"{len(without)} topics are"
    some = ", ".join(without[:3]) + (", ..." if len(without) > 3 else "")
    return [f"Without judgments there is no score: {count} left out ({some})."]


def listed(some, name, such_as):
    """ValueError for what is no list, or an empty one."""
    if isinstance(some, str) or not isinstance(some, Sequence):
        raise ValueError(f"{name}={some!r} is one value; a list such as [{such_as!r}] is needed.")
    if not len(some):
        raise ValueError(f"{name} is empty; name at least one, such as {such_as}.")


def checked_level(level):
    """ValueError for a level of significance that cannot be."""
    if isinstance(level, bool) or not isinstance(level, Real) or not 0 < level < 1:
        raise ValueError(f"level={level!r} cannot be; it lies between 0 and 1, such as .05.")


def checked_count(name, value):
    """The value, a whole number from 1; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number from 1.")
    return value


def checked_seed(seed):
    """ValueError for a seed that cannot be."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed={seed!r} cannot be; it is a whole number from 0.")
    return seed


def swept(study, metric, depths, **reading):
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    return study.sweep(metric, thresholds, **reading)


def count_by_depth(study, table, depths):
    """How many documents of each topic a table by level says yes to, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[table[judgments.level[judgments.pooled_items]]]
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    step = pool.steps(judgments, study.pool_rank, thresholds)[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


def share_of(part, whole):
    return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)


def mean_of_known(values):
    """The mean over the first axis of what is known; NaN where nothing is. (N, depths) to (depths,)."""
    known = ~np.isnan(values)
    return share_of(np.where(known, values, 0).sum(axis=0), known.sum(axis=0))


ALL_JUDGMENTS = "where all judgments are in force"


def gaps(table, **reasons):
    """Why a column has gaps, for those that have."""
    return [f"{column} is missing {reason}." for column, reason in reasons.items() if table[column].isna().any()]


def notes_on(study, metric, estimator, unjudged):
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
