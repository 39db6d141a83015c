"""Pairs of systems: which differences are significant over topics, and which no further judging can turn."""

import numpy as np
import pandas as pd

from evalcore.comparing import certain_pairs, significance
from evalcore.comparing.regimes import Regime
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.notes import gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known
from evalcore.sentences import Sentence
from evalcore.values import EQUAL


def pairs(
    study, *, metric="RBP(p=0.8)", depth=None, estimator="lower", test="t", correction="holm", level=0.05, seed=0,
    systems="all", resamples=10_000,
):  # fmt: skip
    """Every pair of systems: the mean difference, whether it is significant over topics, and whether any further
    judging could turn it.

    certain_low, certain_high : they say which system is ahead where an estimate puts the other one there
    verdict : "certain" when these do not straddle 0, "likely" when p_corrected is below the level, else "open"
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
    certain_pair = (low >= -EQUAL) | (high <= EQUAL)
    table["verdict"] = np.select([certain_pair, p_corrected < level], ["certain", "likely"], "open")
    notes = notes_on(study, metric, estimator, "irrelevant")
    finest = 1 / (1 + resamples)
    if test != "t" and correction == "holm" and finest * len(p) >= level:
        notes.append(
            f"{resamples:,} resamples give no p below {finest:.2g}; after Holm's correction for {len(p):,} pairs "
            "hardly any can be significant. Take the correction bh, or more resamples."
        )
    if metric_named(metric).kind != "bounds":
        notes.append(f"No pair is certain by {metric_named(metric).name}, which has no exact interval.")
    few = "for pairs with fewer than two common topics"
    missing = gaps(table, t=f"for pairs without any difference and {few}", p=few, p_corrected=few)
    return table, [*notes, *missing]


def topic_scores(study, systems, *, metric, estimator="lower", **at):
    """The chosen systems' scores by judged topic, NaN where one does not count. float (S, T')."""
    chosen = study.chosen(systems)
    if chosen.sum() < 2:
        raise ValueError("a comparison needs at least two systems.")
    value = study.topic_scores(study.at(**at).estimate(metric, estimator=estimator).value)[chosen]
    if value.shape[1] < 2:
        raise ValueError("a comparison over topics needs at least two judged topics.")
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
    estimate = reading.estimate(metric)
    ends = [study.topic_scores(end)[chosen] for end in (estimate.lower, estimate.upper)]
    low, high = certain_pairs.certain_differences(*ends, _shared(study, metric, reading.judgments, chosen))
    return mean_of_known(low.T), mean_of_known(high.T)


def _shared(study, metric, judgments, chosen):
    """What the same unjudged documents may add to both of two systems, at most. float (S, S, T')."""
    shared = np.zeros((len(chosen), len(chosen), len(study.judged_topics)))
    if not metric.weighted:
        return shared  # INST and RR: their intervals side by side, which is safe and not as tight
    track = study.track
    unjudged = ~judgments.scale.judged[judgments.level]
    weights = metric.weights(track.shape[2]) * metric.highest(judgments.scale)
    for t, topic in enumerate(study.judged_topics):
        queries = np.flatnonzero(track.topic_of_query == topic)
        share = study.share_of_topic[np.ix_(chosen, queries)]
        shared[:, :, t] = certain_pairs.shared_weight(track.items[np.ix_(chosen, queries)], weights, unjudged, share)
    return shared


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _settled(table, asked, study):
    """How many pairs are certain, likely and open."""
    verdicts = list(table["verdict"])
    return Sentence(
        "Of {pairs:digits pair} of systems, {certain:number} {certain:verb is/are} certain whatever further judging "
        "finds, {likely:number} more {likely:verb is/are} likely, and {open:number} {open:verb is/are} open.",
        pairs=len(verdicts), **{verdict: verdicts.count(verdict) for verdict in ("certain", "likely", "open")},
    )  # fmt: skip


QUESTIONS = by_name(Question("pairs", pairs, finding=_settled))
