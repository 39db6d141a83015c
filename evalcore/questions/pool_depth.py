"""Pool depth: scores and their intervals by how much was judged."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from evalcore.collection import pool
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.contenders import no_limits, standings
from evalcore.questions.judgment_cuts import ascending_counts, ascending_depths, thresholds
from evalcore.questions.pairs import at_each
from evalcore.questions.question import Across, Question
from evalcore.questions.table_helpers import TOP, bounds_of, ends_of, mean_of_known, mean_over_systems, share_of
from evalcore.questions.table_notes import ALL_JUDGMENTS, gaps, notes_on
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name


def depth_sweep(
    study: Study, *, metric: str = "RBP(p=0.8)", estimator: str = "lower", unjudged: str = "irrelevant",
    depths: Sequence[int | None] | None = None, systems: str | Sequence[str] = "all", limits: bool = True,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score and interval of every system at each pool depth. A blank depth: all judgments."""
    depths = ascending_depths(study, depths)
    estimate = study.at(unjudged=unjudged).sweep(metric, thresholds(depths), estimator=estimator)
    means, chosen = study.means(estimate), np.flatnonzero(study.chosen(systems))
    cuts = at_each(study, thresholds(depths))
    lead, _, _ = standings(study, metric, means, cuts, study.chosen(systems), limits=limits, ranks=False)
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object)[chosen], len(depths)),
            "depth": np.tile(np.array(depths, float), len(chosen)),
            **ends_of(means, chosen),
            "kind": means.kind,
            "could_lead": lead[chosen].ravel(),
        }
    )
    notes = notes_on(study, metric, estimator, unjudged)
    return table, [*notes, *no_limits(limits), *gaps(table, depth=ALL_JUDGMENTS)]


def trend(
    study: Study, *, metrics: Sequence[str] = ("RBP(p=0.8)", "P@10"), estimators: Sequence[str] = ("lower",),
    judgments: Sequence[int | None] | None = None, systems: str | Sequence[str] = "all",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score and interval width by number of judgments, over contributing systems and over the others.

    [RM10, table 1]. By default 1/64, 1/32, ... of all judgments, then all."""
    counts = ascending_counts(study, judgments)
    chosen = study.chosen(systems)
    rows = []
    for metric, estimator in product(metrics, estimators):
        means = study.means(study.at().sweep(metric, counts, by="judgments", estimator=estimator))
        for pooled in (True, False):
            of = chosen & study.answers & (study.track.pooled == pooled)
            like = metric_named(metric).name, estimator, pooled
            if of.any():
                width = np.subtract(*reversed(bounds_of(means)))
                value, width = (mean_of_known(some[of]) for some in (means.value, width))
                rows += [(count, *like, *numbers) for count, *numbers in zip(counts, value, width, strict=True)]
    table = QUESTIONS["trend"].table(rows)
    notes = [note for metric in metrics for note in notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(
    study: Study, *, metric: str = "RBP(p=0.8)", depths: Sequence[int | None] | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """The cost and the benefit of judging to each depth: judgments, relevant documents, interval widths and more.

    Also the pairs of systems whose intervals do not touch, and how far scores and ordering are from those with all
    judgments. A blank depth: all judgments. Widths and pairs decided are blank without exact bounds."""
    depths = ascending_depths(study, depths)
    means = study.means(study.at().sweep(metric, thresholds(depths)))
    final = study.means(study.at().estimate(metric)).value
    scale = study.judgments.scale
    judged, relevant = (_count_by_depth(study, counted, depths) for counted in (scale.judged, scale.relevant))
    lower, upper = bounds_of(means)
    past_end = np.where(np.isnan(lower), np.nan, upper - means.upper_listed)
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged.sum(axis=0),
            "per_topic": judged.sum(axis=0) / max(len(study.judged_topics), 1),
            "relevant": relevant.sum(axis=0),
            "share_relevant": mean_of_known(share_of(relevant, judged)[study.judged_topics]),
            "mean_width": mean_over_systems(study, upper - lower),
            "pairs_decided": [orderings.pairs_decided(*ends) for ends in zip(lower.T, upper.T, strict=True)],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
            "change": mean_over_systems(study, final[:, None] - means.value),
            "inversions": [orderings.inversions(value, final) for value in means.value.T],
            "inversions_of_top": [_inversions_of_top(value, final) for value in means.value.T],
            "width_past_end": mean_over_systems(study, past_end),
        }
    )
    missing = gaps(table, depth=ALL_JUDGMENTS, share_relevant="if no topic has a judgment")
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def _inversions_of_top(values, final):
    """The number of pairs among the top 10 by these scores that all judgments swap."""
    known = ~np.isnan(values + final)
    top = orderings.ordering(values[known])[:TOP]
    return orderings.inversions(values[known][top], final[known][top])


def _count_by_depth(study, counted, depths):
    """How many documents of each topic are of the levels counted, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[counted[judgments.level[judgments.pooled_items]]]
    step = pool.steps(judgments, study.pool_rank, thresholds(depths))[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


def places_at_each_depth(sweep: pd.DataFrame) -> dict[str, Any]:
    """The place of every system by its score at each pool depth, and the best and the worst that its interval leaves to
    it. {"place", "best", "worst"}: a list of float (S,), in the order of the table's depths and systems; NaN without.

    sweep : the table of `depth_sweep`
    """
    each = [rows for _, rows in sweep.groupby("depth", sort=False, dropna=False)]
    ends = [(rows["lower"].to_numpy(float), rows["upper"].to_numpy(float)) for rows in each]
    return {
        "place": [orderings.ranks(rows["value"].to_numpy(float)) for rows in each],
        "best": [orderings.best_ranks(*pair) for pair in ends],
        "worst": [orderings.worst_ranks(*pair) for pair in ends],
    }


QUESTIONS = by_name(
    Question(
        "depth_sweep", depth_sweep, section="2.6", of_pool=True,
        columns="system depth value lower upper upper_listed kind could_lead",
    ),
    Question("trend", trend, section="4.3", of_pool=True, columns="judgments metric estimator pooled value width"),
    Question(
        "pool", pool_depths, section="4.2", of_pool=True,
        columns="depth judgments per_topic relevant share_relevant mean_width pairs_decided tau change inversions "
        "inversions_of_top width_past_end",
        across=Across(
            "Pairs of systems whose order is certain", "pairs_decided",
            ("the order of most pairs is certain {at}", "the order of most pairs is open {at}"), 0.5, {"depth": 5},
            lambda metric, depth: {"metric": metric, "depths": [depth]}, lambda metric: metric.kind == "bounds",
            written="share",
        ),
    ),
)  # fmt: skip
