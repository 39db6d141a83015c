"""Confidence: which differences would hold on other documents and topics? Analysis of variance over shards.

shards : how many even parts of the documents; MD1 always takes the whole collection
undefined : what a cell without a relevant document holds for every system: a number, "mean" or "median" of its topic
model : a name of `evalcore.MODELS`
"""

import numpy as np
import pandas as pd
import scipy

from evalcore.comparing import orderings, significance
from evalcore.comparing.anova import MODELS, Anova, randomised_tukey, tukey_p
from evalcore.comparing.shards import filled, shard_scores
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import of_systems


def anova(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0):
    """The analysis of variance of each model: sum of squares, degrees of freedom, F, its probability and the size of
    every effect (Ferro & Sanderson 2019). share = the part of the whole sum of squares."""
    rows = []
    for name in models:
        analysis, _ = _analysed(study, metric, name, shards, seed, 0, undefined)
        for effect in (*analysis.model.effects, "error"):
            tested = effect != "error"
            df, ss = analysis.df(effect), analysis.ss(effect)
            numbers = (analysis.f(effect), analysis.p(effect), analysis.omega2(effect)) if tested else (np.nan,) * 3
            rows.append((name, effect, ss, df, ss / df if df else np.nan, *numbers))
        rows.append((name, "total", sum(row[2] for row in rows if row[0] == name), analysis.scores.size - 1))
        rows[-1] += (np.nan,) * 4
    table = pd.DataFrame(rows, columns=["model", "effect", "ss", "df", "ms", "f", "p", "omega2"])
    whole = table["model"].map(table[table["effect"] == "total"].set_index("model")["ss"])
    table["share"] = (table["ss"] / whole).where(whole > 0)
    return table, [
        *_notes(study, metric),
        *gaps(
            table,
            share="where all scores are the same",
            f="for the error, the total, and where there is no degree of freedom or no error",
        ),
    ]


def models(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0, resamples=10):
    """What each model tells apart, means over so many partitions: the size of the system effect, pairs of systems that
    differ by Tukey's HSD, the group that is not different from the best, half-widths, and tau with the ordering on the
    whole collection. undefined = cells without a relevant document."""
    whole = _means_on_the_whole(study, metric)
    rows = []
    for name in models:
        drawn = 1 if not MODELS[name].sharded else resamples
        found = []
        for resample in range(drawn):
            analysis, cells = _analysed(study, metric, name, shards, seed, resample, undefined)
            apart = _apart(analysis, level).sum()
            n = len(analysis.means) * (len(analysis.means) - 1) // 2
            found.append(
                (
                    analysis.omega2("system"),
                    apart,
                    n - apart,
                    apart / n,
                    analysis.top_group(level).sum(),
                    analysis.half_widths("tukey", level)[0],
                    analysis.half_widths("anova", level)[0],
                    orderings.kendall_tau(whole, analysis.means),
                    cells,
                )
            )
        rows.append((name, *np.mean(found, axis=0)))
    columns = ["model", "omega2_system", "significant", "not_significant", "share_significant", "top_group"]
    columns += ["width_tukey", "width_anova", "tau", "undefined"]
    table = pd.DataFrame(rows, columns=columns)
    return table, [*_notes(study, metric), *gaps(table, omega2_system=ALIKE, tau=ALIKE)]


def system_intervals(study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, interval="tukey", undefined=0):
    """The mean score of every system over topics and shards, with an interval of a kind that is named.

    interval : "tukey", where two that overlap do not differ by Tukey's HSD; "sem", each system's own standard error of
        the mean; "anova", the error of the model (Ferro & Sanderson 2019, eqs 3 to 5)
    """
    analysis, _ = _analysed(study, metric, model, shards, seed, 0, undefined)
    width = analysis.half_widths(interval, level)
    table = of_systems(study)[["system", "group"]].assign(
        rank=orderings.ranks(analysis.means),
        value=analysis.means,
        lower=analysis.means - width,
        upper=analysis.means + width,
        kind=interval,
        in_top_group=analysis.top_group(level),
        n=len(study.judged_topics),
    )
    return table.sort_values(["rank", "system"], ignore_index=True), _notes(study, metric)


ALIKE = "where the scores leave no error or no difference to measure by"


def tukey_pairs(
    study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, undefined=0, method="tukey", resamples=1000
):
    """Every pair of systems by Tukey's HSD: the mean difference, q in standard errors, p and whether it is significant.

    method : "tukey", from the studentized range; "randomised", from so many random exchanges of the systems' scores
        within every topic and shard (Carterette, TOIS 2012), p = (1 + as wide) / (1 + tried)
    """
    analysis, _ = _analysed(study, metric, model, shards, seed, 0, undefined)
    a, b = significance.pairs(len(analysis.means))
    difference = analysis.means[a] - analysis.means[b]
    q = analysis.studentized(difference)
    if method == "tukey":
        p, significant = tukey_p(q, len(analysis.means), analysis.df("error")), q > analysis.threshold(level)
    else:
        widest = randomised_tukey(analysis.scores, seed=seed, resamples=resamples)
        as_wide = len(widest) - np.searchsorted(widest, np.abs(difference) - orderings.EQUAL)
        p = (1 + as_wide) / (1 + len(widest))
        significant = p < level
    names = np.array(study.systems, object)
    table = pd.DataFrame(
        {"a": names[a], "b": names[b], "difference": difference, "q": q, "p": p, "significant": significant}
    )
    return table, _notes(study, metric)


def shard_stability(
    study, *, metric="AP", model="MD6", shards=(2, 3, 5, 10), resamples=10, seed=0, level=0.05, undefined=0
):
    """How much the outcome depends on the partition that was drawn, by number of shards: means over partitions and
    their t intervals of tau with the ordering on the whole, Tukey's half-width and the number of significant pairs.

    common : pairs that are significant on every partition, over the mean number of significant pairs
    """
    if not MODELS[model].sharded:
        raise ValueError(f"{model} takes the whole collection, so nothing depends on a partition; name MD2 to MD6.")
    whole = _means_on_the_whole(study, metric)
    rows = []
    for count in shards:
        found, apart = [], []
        for resample in range(resamples):
            analysis, _ = _analysed(study, metric, model, count, seed, resample, undefined)
            apart.append(_apart(analysis, level))
            width = analysis.half_widths("tukey", level)[0]
            found.append((orderings.kendall_tau(whole, analysis.means), width, apart[-1].sum()))
        each = zip(*found, strict=True)
        always = np.all(apart, axis=0).sum()
        common = always / np.mean([one.sum() for one in apart]) if np.any(apart) else np.nan
        rows.append((count, *(number for values in each for number in _mean_and_interval(values, level)), common))
    columns = [f"{name}{end}" for name in ("tau", "width", "significant") for end in ("", "_low", "_high")]
    table = pd.DataFrame(rows, columns=["shards", *columns, "common"])
    notes = gaps(table, tau_low="with a single partition, which has no interval", common="where no pair is significant")
    return table, [*_notes(study, metric), *notes]


def rank_intervals(
    study, *, metric="AP", depth=None, estimator="lower", method="bootstrap", level=0.05, seed=0, resamples=2000
):
    """The rank of every system and between which ranks it falls when topics are drawn anew.

    lower, upper : the level / 2 and 1 - level / 2 quantiles of its rank over bootstrap samples of the topics
    """
    estimate = study.at(depth=depth).estimate(metric, estimator=estimator)
    scores = np.where(study.counted, study.by_topic(estimate.value), np.nan)
    T = scores.shape[1]
    if T < 2:
        raise ValueError("ranks over other topics need at least two judged topics.")
    drawn = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=resamples)
    counted = ~np.isnan(scores)
    means = np.nan_to_num(scores) @ drawn.T / np.maximum(counted @ drawn.T, 1)
    ranks = np.array([orderings.ranks(one) for one in means.T])
    ends = np.quantile(ranks, [level / 2, 1 - level / 2], axis=0, method="inverted_cdf")
    table = of_systems(study)[["system"]].assign(
        rank=orderings.ranks(study.mean(estimate.value)),
        lower=ends[0],
        upper=ends[1],
        kind="bootstrap",
        n=study.counted.sum(axis=1),
    )
    return table.sort_values(["rank", "system"], ignore_index=True)


def _analysed(study, metric, name, shards, seed, resample, undefined):
    """The analysis of one partition under a model, and how many cells were undefined."""
    model = MODELS[name]
    if model.sharded and shards == 1:
        raise ValueError(f"{name} needs at least 2 shards; on one, the whole collection, only MD1 can be fitted.")
    drawn = (shards, seed, resample) if model.sharded else (1, 0, 0)
    scores, defined = shard_scores(study, metric, drawn[0], seed=drawn[1], resample=drawn[2])
    systems, topics, _ = scores.shape
    if systems < 2 or topics < 2:
        raise ValueError(
            f"an analysis of variance needs two systems and two judged topics or more; here are {systems} and {topics}."
        )
    return Anova(filled(scores, defined, undefined), model), int((~defined).sum())


def _means_on_the_whole(study, metric):
    scores, _ = shard_scores(study, metric, 1)
    return scores.mean(axis=(1, 2))


def _apart(analysis, level):
    """Which pairs differ by Tukey's HSD. bool (pairs,)."""
    a, b = significance.pairs(len(analysis.means))
    return analysis.studentized(analysis.means[a] - analysis.means[b]) > analysis.threshold(level)


def _mean_and_interval(values, level):
    """The mean and its t interval; NaN ends for a single value."""
    n, mean = len(values), np.mean(values)
    half = scipy.stats.t.ppf(1 - level / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return mean, mean - half, mean + half


def _notes(study, metric):
    notes = []
    if study.options["average"] == "common":
        notes.append("A system's missing topics count as 0 here: the design needs every cell.")
    if metric_named(metric).kind != "point":
        notes.append("Unjudged documents are taken as not relevant.")
    return notes


QUESTIONS = by_name(
    Question("anova", anova),
    Question("models", models),
    Question("system_intervals", system_intervals),
    Question("tukey_pairs", tukey_pairs),
    Question("shard_stability", shard_stability),
    Question("rank_intervals", rank_intervals),
)
