"""Pairs of systems: which differences are significant over topics, and which no further judging can reverse."""

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import mean_of_known
from evalcore.questions.table_notes import gaps, notes_on
from evalcore.statistics import certain_pairs, significance
from evalcore.statistics.setups import Regime
from evalcore.study.study import share_of_topic
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import EQUAL


def pairs(
    study, *, metric="RBP(p=0.8)", depth=None, estimator="lower", test="t", correction="holm", level=0.05, seed=0,
    systems="all", resamples=10_000,
):  # fmt: skip
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
    at_least, at_most = low >= -EQUAL, high <= EQUAL
    table["settled"] = np.select([at_least & at_most, at_least, at_most], ["tie", "a", "b"], "open")
    table["significant"] = p_corrected < level
    table["verdict"] = np.select([at_least | at_most, table["significant"]], ["certain", "likely"], "open")
    notes = notes_on(study, metric, estimator, "irrelevant")
    finest = 1 / (1 + resamples)
    if test != "t" and correction == "holm" and finest * len(p) >= level:
        notes.append(
            f"{resamples:,} resamples give no p below {finest:.2g}; after Holm's correction for {len(p):,} pairs "
            "hardly any can be significant. Choose the correction bh, or more resamples."
        )
    if metric_named(metric).kind != "bounds":
        notes.append(f"No pair is certain for {metric_named(metric).name}, which has no exact bounds.")
    few = "for pairs with fewer than two common topics"
    missing = gaps(table, t=f"for pairs without any difference, and {few}", p=few, p_corrected=few)
    return table, [*notes, *missing]


def topic_scores(study, systems, *, metric, estimator="lower", **at):
    """The chosen systems' scores by judged topic, NaN where one does not count. float (S, T')."""
    chosen = study.chosen(systems)
    if chosen.sum() < 2:
        raise ValueError("a comparison needs at least two systems. Add another system.")
    value = study.topic_scores(study.at(**at).estimate(metric, estimator=estimator).value)[chosen]
    if value.shape[1] < 2:
        raise ValueError("a comparison over topics needs at least two judged topics. Load more judgments.")
    return value


def tested(scores):
    """The mean difference of every pair and the p of its t-test. Two float (pairs,)."""
    return significance.mean_and_p(significance.differences(scores))


def pair_table(study, systems):
    names = np.array(study.systems, object)[study.chosen(systems)]
    a, b = significance.pairs(len(names))
    return pd.DataFrame({"a": names[a], "b": names[b]})


def certain_ends(study, regime, systems):
    """The least and the greatest mean difference of every pair, NaN without exact bounds. Two float (pairs,)."""
    metric = metric_named(regime.metric)
    chosen = np.flatnonzero(study.chosen(systems))
    if metric.kind != "bounds" or regime.unjudged != "irrelevant":
        nothing = np.full(len(significance.pairs(len(chosen))[0]), np.nan)
        return nothing, nothing
    reading = study.at(depth=regime.depth, judgments=regime.judgments)
    estimate = reading.estimate(metric).map(lambda end: study.topic_scores(end)[chosen])
    ends, scale = (estimate.lower, estimate.upper), reading.judgments.scale
    if metric.weighted:
        shared = metric.highest(scale) * _shared(study, metric, reading.judgments, chosen)
        low, high = certain_pairs.certain_differences(*ends, shared)
    else:  # two intervals side by side: safe, and not as tight as it can be
        low, high = certain_pairs.certain_differences(*ends)
    if metric.weighing:
        weighed = reading.estimate(metric.weighing)
        unknown = study.topic_scores(weighed.upper - weighed.lower)[chosen] / metric.weighing.highest(scale)
        shared = _shared(study, metric.weighing, reading.judgments, chosen)
        of_ratios = certain_pairs.certain_differences_of_ratios(estimate.value, estimate.lower, unknown, shared)
        low, high = np.maximum(low, of_ratios[0]), np.minimum(high, of_ratios[1])
    return mean_of_known(low.T), mean_of_known(high.T)


def _shared(study, metric, judgments, chosen):
    """The weight that every two systems give the same unjudged documents. float (S, S, T')."""
    shared = np.zeros((len(chosen), len(chosen), len(study.judged_topics)))
    track = study.track
    unjudged = ~judgments.scale.judged[judgments.level]
    weights, share = metric.weights(track.shape[2]), share_of_topic(study)[chosen]
    for t, topic in enumerate(study.judged_topics):
        queries = np.flatnonzero(track.topic_of_query == topic)
        items = track.items[np.ix_(chosen, queries)]
        shared[:, :, t] = certain_pairs.shared_weight(items, weights, unjudged, share[:, queries])
    return shared


QUESTIONS = by_name(Question("pairs", pairs, section="8.5"))
