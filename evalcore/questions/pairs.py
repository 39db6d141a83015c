"""Pairs of systems: which differences are significant over topics, and which no further judging can reverse."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection import pool
from evalcore.collection.track import EMPTY
from evalcore.estimating.estimators import Estimate
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import mean_of_known, names_of
from evalcore.questions.table_notes import FEW_TOPICS, gaps, notes_on
from evalcore.statistics import certain_pairs, orderings, significance
from evalcore.statistics.certain_pairs import NEGLIGIBLE, Symmetric
from evalcore.statistics.setups import Regime
from evalcore.study.evaluation import Evaluation
from evalcore.study.study import Study
from evalcore.study.study_data import share_of_topic
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import EQUAL

RESAMPLED = "randomisation", "bootstrap"  # tests


def pairs(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, estimator: str = "lower", test: str = "t",
    correction: str = "holm", level: float = 0.05, seed: int = 0, systems: str | Sequence[str] = "all",
    resamples: int = 10_000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Every pair of systems: the mean difference, its significance, and whether further judging could reverse it.

    certain_low, certain_high : the bounds of the difference; they decide `settled` even if an estimate says otherwise
    settled : the system that no further judging can put behind, "a" or "b", or "tie"; else "open"
    significant : p_corrected is below the level
    verdict : "certain" if settled, "likely" if significant but not settled, else "open"
    """
    scores = topic_scores(study, systems, metric=metric, depth=depth, estimator=estimator)
    difference = significance.differences(scores)
    mean, t = significance.mean_and_t(difference)
    p = significance.TESTS[test].function(difference, seed=seed, resamples=resamples)
    p_corrected = significance.corrected(p, correction)
    low, high = certain_ends(study, Regime(depth=depth, metric=metric), systems)
    table = pair_table(study, systems).assign(
        difference=mean, t=t, p=p, p_corrected=p_corrected, certain_low=low, certain_high=high
    )
    table["settled"] = settled(low, high)
    table["significant"] = p_corrected < level
    table["verdict"] = np.select([table["settled"] != "open", table["significant"]], ["certain", "likely"], "open")
    notes = notes_on(study, metric, estimator, "irrelevant")
    finest = 1 / (1 + resamples)
    if test in RESAMPLED and correction in ("holm", "bonferroni") and finest * len(p) >= level:
        notes.append(
            f"{resamples:,} resamples give no p below {finest:.2g}; after a correction for {len(p):,} pairs "
            "hardly any can be significant. Choose the correction bh, or more resamples."
        )
    if metric_named(metric).kind != "bounds":
        notes.append(f"No pair is certain for {metric_named(metric).name}, which has no exact bounds.")
    missing = gaps(table, t=f"for pairs without any difference, and {FEW_TOPICS}", p=FEW_TOPICS, p_corrected=FEW_TOPICS)
    return table, [*notes, *missing]


def settled(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.str_]:
    """The system that no further judging can put behind, "a" or "b", or "tie"; else "open". Texts (pairs,)

    low, high : the least and the greatest difference
    """
    at_least, at_most = low >= -EQUAL, high <= EQUAL
    return np.select([at_least & at_most, at_least, at_most], ["tie", "a", "b"], "open")


def topic_scores(
    study: Study, systems: str | Sequence[str], *, metric: str, estimator: str = "lower", least: int | None = 2,
    **at: Any,
) -> NDArray[np.float64]:  # fmt: skip
    """The chosen systems' scores by judged topic, NaN where one does not count. float (S, T').

    least : how many judged topics there must be; None = any number
    """
    chosen = study.chosen(systems)
    if chosen.sum() < 2:
        raise ValueError("a comparison needs at least two systems. Add another system.")
    estimate = study.of_answering(study.at(**at).estimate(metric, estimator=estimator))
    value = study.topic_scores(estimate.value)[chosen]
    if value.shape[1] < (least or 0):
        raise ValueError("a comparison over topics needs at least two judged topics. Load more judgments.")
    return value


def tested(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean difference of every pair and the p of its t-test. Two float (pairs,)."""
    return significance.mean_and_p(significance.differences(scores))


def means_and_certainties(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean score of every system, and how certain the order of every pair is. Two float, (S,) and (pairs,)."""
    return mean_of_known(scores.T), orderings.certainties(*tested(scores))


def agreement(
    a: tuple[NDArray[np.float64], ...], b: tuple[NDArray[np.float64], ...], weight: int | str
) -> dict[str, float]:
    """How far two orderings agree, as of `means_and_certainties`, the first the reference. weight : of the distances"""
    (of_a, rho), (of_b, sigma) = a, b
    return {
        "tau": orderings.kendall_tau(of_a, of_b),
        "tau_distance": orderings.kendall_distance(of_a, of_b),
        "distance": orderings.weighted_distance(rho, sigma, weight=weight),
        "distance_per_pair": orderings.distance_per_pair(rho, sigma, weight=weight),
        "inversions": orderings.inversions(of_a, of_b),
    }


def pair_table(study: Study, systems: str | Sequence[str]) -> pd.DataFrame:
    names = names_of(study, systems)
    a, b = significance.pairs(len(names))
    return pd.DataFrame({"a": names[a], "b": names[b]})


def certain_ends(
    study: Study, regime: Regime, systems: str | Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and the greatest mean difference of every pair, NaN without exact bounds. Two float (pairs,)."""
    metric, chosen = metric_named(regime.metric), study.chosen(systems)
    a, b = significance.pairs(np.count_nonzero(chosen))
    if metric.kind != "bounds" or regime.unjudged != "irrelevant":
        return np.full(len(a), np.nan), np.full(len(a), np.nan)
    reading = study.at(depth=regime.depth, judgments=regime.judgments)
    (least,) = least_leads(study, metric, at_one(reading), chosen)
    ahead = least()
    return ahead[a, b], -ahead[b, a]


MOST_KEPT = 1 << 25  # bytes of the weights that systems share, of all depths


@dataclass(frozen=True)
class Cuts:
    """Growing sets of judgments: `estimate(metric)` has arrays (S, Q, cuts); thresholds and by are `Study.at`'s."""

    estimate: Callable[[Metric], Estimate]
    thresholds: list[int]
    by: str


def at_one(reading: Evaluation) -> Cuts:
    """The judgments in force of one evaluation as `Cuts`."""
    return Cuts(
        lambda metric: reading.estimate(metric).map(lambda end: end[..., None]), [reading.threshold], reading.by
    )


def at_each(study: Study, depths: list[int]) -> Cuts:
    """Several pool depths as `Cuts`."""
    return Cuts(lambda metric: study.at().sweep(metric, depths), depths, "depth")


def least_leads(
    study: Study, metric: Metric, cuts: Cuts, chosen: NDArray[np.bool_], *, negligible: float = NEGLIGIBLE
) -> Iterator[Callable[..., Any]]:
    """By how much each chosen system is ahead of each other at least, over the topics that count for both.

    metric : with exact bounds. Yields, from the last cut to the first, a function of the upper end, "upper", or
        "upper_listed" for the rankings as they are, without what could be past their ends, and of the systems that the
        others are ahead of, C of them: float (S', C)
    negligible : by twice this a lead may be too small, see `certain_pairs.SharedWeight`
    METHODS 8.5.
    """
    systems = slice(None) if chosen.all() else np.flatnonzero(chosen)

    def of_topics(metric):
        return cuts.estimate(metric).map(lambda end: study.by_topic(end)[systems])

    estimate, counted, scale = of_topics(metric), study.counted[systems], study.judgments.scale
    shared = _shared_by_cut(study, metric, cuts, chosen, negligible)
    weighing = None if metric.weighted else metric.weighing
    weighed = of_topics(weighing) if weighing else None

    def least(cut, common, end="upper", of=slice(None)):
        value, lower, upper = (getattr(estimate, bound)[..., cut] for bound in ("value", "lower", end))
        if weighing is None or weighed is None:
            shared_weight = common.columns(0) * metric.highest(scale) if common else 0.0
            return certain_pairs.least_leads(lower, upper, counted, shared_weight, of)
        unknown = (getattr(weighed, end) - weighed.lower)[..., cut] / weighing.highest(scale)
        return certain_pairs.least_leads_of_ratios(value, lower, upper, unknown, counted, common, of)

    for cut in reversed(range(len(cuts.thresholds))):
        yield partial(least, cut, shared(cut))


def leads_by_topic(study: Study, metric: Metric, reading: Evaluation) -> NDArray[np.float64]:
    """By how much each system is ahead of each other at least on each judged topic. float (T', S, S)

    metric : with exact bounds; reading : the `Evaluation` of the judgments in force. METHODS 8.5.
    """
    everyone = np.ones(len(study.systems), bool)
    cuts, counted, scale = at_one(reading), study.counted, study.judgments.scale
    estimate = reading.estimate(metric)
    value, lower, upper = (study.by_topic(end) for end in (estimate.value, estimate.lower, estimate.upper))
    weighing = metric if metric.weighted else metric.weighing
    shared = None
    if weighing:
        of = _shared_weight(study, weighing, cuts.by, cuts.thresholds, everyone, NEGLIGIBLE, by_topic=True)
        shared = of.unjudged_from(0)
    if metric.weighted or not weighing or not shared:
        highest = metric.highest(scale)
        return np.stack([
            certain_pairs.least_leads(
                lower[:, [t]], upper[:, [t]], counted[:, [t]], shared.columns(t) * highest if shared else 0.0
            )
            for t in range(lower.shape[1])
        ])  # fmt: skip
    weighed = reading.estimate(weighing)
    unknown = study.by_topic(weighed.upper - weighed.lower) / weighing.highest(scale)
    return np.stack([
        certain_pairs.least_leads_of_ratios(
            value[:, [t]], lower[:, [t]], upper[:, [t]], unknown[:, [t]], counted[:, [t]], shared.alone(t)
        )
        for t in range(lower.shape[1])
    ])  # fmt: skip


def _shared_by_cut(study, metric, cuts, chosen, negligible):
    """The weight that every two chosen systems give the same unjudged documents, as a function of the cut, called from
    the last to the first: `Symmetric`, one sum over all topics, or one by topic for a ratio; None for a metric without
    weights, such as RR.

    From the second pool depth on it is kept for all of them, so that another one costs nothing.
    """
    weighing = metric if metric.weighted else metric.weighing
    if not weighing:
        return lambda cut: None
    depths, kept = [*range(1, study.depth + 1), pool.EVERYTHING], study.memo.shared
    size = len(depths) * np.count_nonzero(chosen) ** 2 * np.dtype(float).itemsize

    def of_these():
        by_topic = not metric.weighted
        return _shared_weight(study, weighing, cuts.by, cuts.thresholds, chosen, negligible, by_topic).unjudged_from

    def of_every_depth():
        shared = _shared_weight(study, weighing, "depth", depths, chosen, negligible)
        return np.stack([shared.unjudged_from(cut).halves[0].copy() for cut in reversed(range(len(depths)))])[::-1]

    if not metric.weighted or cuts.by != "depth" or not set(cuts.thresholds) <= set(depths) or size > MOST_KEPT:
        return of_these()
    key = metric.name, chosen.tobytes(), negligible
    first = kept.get((*key, "first"), lambda: np.array(cuts.thresholds))
    if first.tolist() == list(cuts.thresholds) and len(first) == 1:
        of_first = kept.get((*key, "of first"), lambda: of_these()(0).halves)
        return lambda cut: Symmetric(of_first)
    of_each = kept.get(key, of_every_depth)
    return lambda cut: Symmetric(of_each[[depths.index(cuts.thresholds[cut])]])


def _shared_weight(study, weighing, by, thresholds, chosen, negligible, by_topic=False):
    """The `SharedWeight` of the chosen systems by a metric's weights, summed over all topics, or by topic."""
    track, judgments, systems = study.track, study.judgments, slice(None) if chosen.all() else np.flatnonzero(chosen)
    step = pool.steps(judgments, study.pool_rank if by == "depth" else study.judging_order, thresholds)
    step[~judgments.scale.judged[judgments.level]] = len(thresholds)
    step[EMPTY] = 0
    queries = np.flatnonzero(np.isin(track.topic_of_query, study.judged_topics))
    items, share_of = track.items[systems], share_of_topic(study)[systems]
    if len(queries) < track.shape[1]:
        items, share_of = items[:, queries], share_of[:, queries]
    sum_of_topic = np.zeros(len(track.topics), int)
    if by_topic:
        sum_of_topic[study.judged_topics] = np.arange(len(study.judged_topics))
    return certain_pairs.SharedWeight(
        items,
        weighing.weights(track.shape[2]),
        share_of,
        step,
        sum_of=(track.topic_of_item, sum_of_topic),
        several=study.has_variations,
        negligible=negligible,
    )


QUESTIONS = by_name(
    Question(
        "pairs", pairs, section="8.5",
        columns="a b difference t p p_corrected certain_low certain_high settled significant verdict",
    ),
)  # fmt: skip
