"""What judging deeper tells: scores and their intervals by how much was judged."""

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.cuts import ascending_counts, ascending_depths
from evalcore.questions.notes import ALL_JUDGMENTS, gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, share_of


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(_swept(study, metric, depths, estimator=estimator, unjudged=unjudged))
    chosen = np.flatnonzero(study.chosen(systems))
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
    chosen = study.chosen(systems)
    rows = []
    for metric in metrics:
        for estimator in estimators:
            means = study.means(study.at().sweep(metric, counts, by="judgments", estimator=estimator))
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
    means = study.means(_swept(study, metric, depths))
    final = study.means(study.at().estimate(metric)).value
    judged_by_topic, relevant_by_topic = (
        _count_by_depth(study, table, depths)
        for table in (study.judgments.scale.judged, study.judgments.scale.relevant)
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


def _swept(study, metric, depths, **reading):
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    estimator = reading.pop("estimator", "lower")
    return study.at(**reading).sweep(metric, thresholds, estimator=estimator)


def _count_by_depth(study, table, depths):
    """How many documents of each topic a table by level says yes to, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[table[judgments.level[judgments.pooled_items]]]
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    step = pool.steps(judgments, study.pool_rank, thresholds)[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


QUESTIONS = by_name(
    Question("depth_sweep", depth_sweep),
    Question("trend", trend),
    Question("pool", pool_depths),
)
