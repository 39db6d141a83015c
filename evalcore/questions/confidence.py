"""Confidence: which differences would hold on other documents, and on other topics? Analysis of variance over shards.

Models over shards apply to other documents and the same topics. Columns that end in `_other_topics` apply to other
topics as well, with the topic x system interaction as the error; so does MD1.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.question import LARGE, SMALL, Across, Question
from evalcore.questions.table_helpers import by_rank, of_systems
from evalcore.questions.table_notes import gaps
from evalcore.statistics import orderings, significance
from evalcore.statistics.anova import INTERVALS, MODELS, Anova
from evalcore.statistics.rank_intervals import bootstrapped
from evalcore.statistics.shards import filled, shard_scores
from evalcore.statistics.tukey import randomised_tukey, tukey_p
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.validation import EQUAL


def anova(
    study: Study, *, metric: str = "AP", shards: int = 5, seed: int = 0, level: float = 0.05,
    models: Sequence[str] = tuple(MODELS), undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The analysis of variance with each model: sum of squares, degrees of freedom, F, p and size of every effect.

    [FS19]. share = the part of the total sum of squares; f_other_topics = MS of systems over that of topic x system."""
    rows, untested = [], (np.nan,) * 5
    for name in models:
        analysis, _ = _analysed(study, metric, name, shards, seed, 0, undefined)
        effects, (ss, df) = analysis.model.effects, (analysis.ss, analysis.df)
        for e in effects:
            on_topics = analysis.on_other_topics if e == "system" else None
            other_topics = (on_topics.f(e), on_topics.p(e)) if on_topics else untested[:2]
            rows.append((name, e, ss(e), df(e), analysis.f(e), analysis.p(e), analysis.omega2(e), *other_topics))
        rows.append((name, "error", ss("error"), df("error"), *untested))
        rows.append((name, "total", sum(map(ss, (*effects, "error"))), analysis.scores.size - 1, *untested))
    columns = ["model", "effect", "ss", "df", "f", "p", "omega2", "f_other_topics", "p_other_topics"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(4, "ms", (table["ss"] / table["df"]).where(table["effect"] != "total"))
    table["share"] = table["ss"] / table.groupby("model")["ss"].transform("max")
    few = "for the error and the total, and if there is no error or no degree of freedom"
    reason = "for every effect except systems, and if all topics agree on the systems"
    missing = gaps(table, share="if all scores are the same", f=few, f_other_topics=reason)
    return table, [*_notes(study, metric), *missing]


def models(
    study: Study, *, metric: str = "AP", shards: int = 5, seed: int = 0, level: float = 0.05,
    models: Sequence[str] = tuple(MODELS), undefined: float | str = 0, resamples: int = 10,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The number of significant system pairs and of top systems by model, as means over random partitions.

    Also the size of the system effect, half-widths, and tau with the ordering on the whole collection. By Tukey's HSD.
    significant_sd : standard deviation of the significant pairs over partitions
    undefined = cells without a document that the metric counts."""
    table = _outcomes(study, metric, models, shards, seed, level, undefined, resamples)
    alike, alone = "if the scores have no error or no difference", "for MD1, and if there is only one partition"
    return table, [*_notes(study, metric), *gaps(table, omega2_system=alike, tau=alike, significant_sd=alone)]


def _outcomes(study, metric, models, shards, seed, level, undefined, resamples):
    """The numbers of `_outcome` by model, means over random partitions."""
    whole = _means_on_the_whole(study, metric)
    rows = []
    for name in models:
        cuts = resamples if MODELS[name].sharded else 1
        analyses = (_analysed(study, metric, name, shards, seed, cut, undefined) for cut in range(cuts))
        each = [_outcome(analysis, level, whole) | {"undefined": cells} for analysis, cells in analyses]
        means = np.mean([list(outcome.values()) for outcome in each], axis=0)
        deviation = np.std([outcome["significant"] for outcome in each], ddof=1) if cuts > 1 else np.nan
        rows.append({"model": name, **dict(zip(each[0], means, strict=True)), "significant_sd": deviation})
    return pd.DataFrame(rows)


def _outcome(analysis, level, whole):
    """The numbers of significant pairs and of top systems in one analysis, and more.

    whole : means of the systems on the whole collection, float (R,)
    """
    significant, on_topics = _apart(analysis, level), analysis.on_other_topics
    apart_on_topics = _apart(on_topics, level)
    return {
        "omega2_system": analysis.omega2("system"),
        "significant": significant.sum(),
        "not_significant": (~significant).sum(),
        "share_significant": significant.mean(),
        "top_group": analysis.top_group(level).sum(),
        "width_tukey": analysis.half_widths("tukey", level)[0],
        "width_anova": analysis.half_widths("anova", level)[0],
        "tau": orderings.kendall_tau(whole, analysis.means),
        "significant_other_topics": apart_on_topics.sum(),
        "share_significant_other_topics": apart_on_topics.mean(),
        "top_group_other_topics": on_topics.top_group(level).sum(),
        "width_tukey_other_topics": on_topics.half_widths("tukey", level)[0],
    }


def system_intervals(
    study: Study, *, metric: str = "AP", model: str = "MD6", shards: int = 5, seed: int = 0, level: float = 0.05,
    interval: str = "tukey", undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score of every system over topics and shards, with an interval of the chosen kind.

    interval : "tukey": two that overlap do not differ by Tukey's HSD; "sem", each system's own standard error of
        the mean; "anova", the error of the model [FS19, eqs 3 to 5]; "bootstrap", the mean on resampled topics
    """
    analysis, _ = _analysed(study, metric, model, shards, seed, 0, undefined)
    below, above = analysis.reaches(interval, level)
    table = of_systems(study)[["system", "group"]].assign(
        rank=orderings.ranks(analysis.means),
        value=analysis.means,
        lower=analysis.means - below,
        upper=analysis.means + above,
        kind=interval,
        in_top_group=analysis.top_group(level),
        n=len(study.judged_topics),
        in_top_group_other_topics=analysis.on_other_topics.top_group(level),
    )
    return by_rank(table), _notes(study, metric)


def intervals_by_model(
    study: Study, *, system: str | None = None, metric: str = "AP", shards: int = 5, seed: int = 0,
    level: float = 0.05, undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """One system's mean with every kind of interval under every model [FS19, figs 3 to 5].

    system : None = the best on the whole collection; mean_width : of the intervals of all systems
    """
    best = study.systems[int(np.argmax(_means_on_the_whole(study, metric)))]
    (chosen,) = indices_of([best if system is None else system], study.systems, "system")
    rows = []
    for name in MODELS:
        analysis, _ = _analysed(study, metric, name, shards, seed, 0, undefined)
        for kind in INTERVALS:
            below, above = analysis.reaches(kind, level)
            mean = analysis.means[chosen]
            ends = mean, mean - below[chosen], mean + above[chosen]
            rows.append((name, kind, study.systems[chosen], *ends, float(np.mean(below + above))))
    return QUESTIONS["intervals_by_model"].table(rows), _notes(study, metric)


def intervals_compared(
    study: Study, *, metric: str = "AP", models: Sequence[str] = ("MD1", "MD6"),
    kinds: Sequence[str] = tuple(INTERVALS), shards: Sequence[int] = (5,), seed: int = 0, level: float = 0.05,
    undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Every system's interval side by side: of several kinds, under several models, with several numbers of shards.

    [FS19, figs 3 to 5]. MD1 uses the whole collection: one shard. rank : by the mean under the model
    """
    rows = []
    for name in models:
        for count in shards if MODELS[name].sharded else (1,):
            analysis, _ = _analysed(study, metric, name, count, seed, 0, undefined)
            ranks, means = orderings.ranks(analysis.means), analysis.means
            for kind in kinds:
                below, above = analysis.reaches(kind, level)
                each = zip(study.systems, ranks, means, means - below, means + above, strict=True)
                rows += [(name, count, kind, *of_system, len(study.judged_topics)) for of_system in each]
    split = ["The documents are split once, at random."] if any(MODELS[name].sharded for name in models) else []
    return QUESTIONS["intervals_compared"].table(rows), [*split, *_notes(study, metric)]


def models_by_shards(
    study: Study, *, metric: str = "AP", shards: Sequence[int] = (2, 3, 4, 5, 10, 20, 50), seed: int = 0,
    level: float = 0.05, models: Sequence[str] = tuple(MODELS), undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The number of significant pairs of every model by number of shards, and its change against MD1.

    Of one partition [FS19, tables 1, 2]. change : significant pairs over those of MD1 on the whole collection, minus 1
    """
    sharded = [name for name in models if MODELS[name].sharded]
    whole = _outcomes(study, metric, ["MD1"], 1, seed, level, undefined, 1)
    by_count = [_outcomes(study, metric, sharded, count, seed, level, undefined, 1) for count in shards]
    tables = [table.assign(shards=count) for count, table in zip((1, *shards), (whole, *by_count), strict=True)]
    table = pd.concat(tables, ignore_index=True)
    of_whole = whole["significant"].iloc[0]
    table["change"] = table["significant"] / of_whole - 1 if of_whole else np.nan
    columns = ["shards", "model", "omega2_system", "significant", "change", "share_significant", "top_group"]
    table = table[[*columns, "width_tukey", "tau", "undefined"]]
    none = "if model MD1 finds no significant pair"
    alike = "if the scores have no error or no difference"
    return table, [*_notes(study, metric), *gaps(table, change=none, omega2_system=alike, tau=alike)]


def tukey_pairs(
    study: Study, *, metric: str = "AP", model: str = "MD6", shards: int = 5, seed: int = 0, level: float = 0.05,
    undefined: float | str = 0, method: str = "tukey", resamples: int = 1000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Tukey's HSD for every pair of systems: the mean difference, q in standard errors, p and significance.

    method : "tukey", from the studentized range; "randomised", from random exchanges of the systems' scores
        within every topic and shard [Car12], p = (1 + as wide) / (1 + tried)
    """
    analysis, _ = _analysed(study, metric, model, shards, seed, 0, undefined)
    a, b = significance.pairs(len(analysis.means))
    difference = analysis.means[a] - analysis.means[b]
    q = analysis.studentized(difference)
    if method == "tukey":
        p, significant = tukey_p(q, len(analysis.means), analysis.df("error")), q > analysis.threshold(level)
        on_topics = _apart(analysis.on_other_topics, level)
    else:
        drawn = {"seed": seed, "resamples": resamples}
        p = _as_wide(difference, randomised_tukey(analysis.scores, **drawn))
        p_on_topics = _as_wide(difference, randomised_tukey(analysis.on_other_topics.scores, **drawn))
        significant, on_topics = p < level, p_on_topics < level
    names = np.array(study.systems, object)
    table = pd.DataFrame(
        {"a": names[a], "b": names[b], "difference": difference, "q": q, "p": p, "significant": significant}
    )
    return table.assign(significant_other_topics=on_topics), _notes(study, metric)


def _as_wide(difference, widest):
    """How likely so wide a range of means is, of those that came by chance. widest : ascending"""
    return (1 + len(widest) - np.searchsorted(widest, np.abs(difference) - EQUAL)) / (1 + len(widest))


def shard_stability(
    study: Study, *, metric: str = "AP", model: str = "MD6", shards: Sequence[int] = (2, 3, 5, 10),
    resamples: int = 10, seed: int = 0, level: float = 0.05, undefined: float | str = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """How much the results depend on the random partition, by number of shards.

    Means over partitions, with t intervals: tau with the ordering on the whole collection, Tukey's half-width and the
    number of significant pairs.

    common : pairs that are significant on every partition, over the mean number of significant pairs
    share_significant : the mean number over all pairs, which is the last column of [FS19, table 2]
    """
    if not MODELS[model].sharded:
        raise ValueError(
            f"{model} uses the whole collection, so its results do not depend on a partition. Choose MD2 to MD6."
        )
    whole = _means_on_the_whole(study, metric)
    rows = []
    for count in shards:
        analyses = [_analysed(study, metric, model, count, seed, cut, undefined)[0] for cut in range(resamples)]
        significant = np.array([_apart(analysis, level) for analysis in analyses])
        row = {"shards": count}
        for name, values in {
            "tau": [orderings.kendall_tau(whole, analysis.means) for analysis in analyses],
            "width": [analysis.half_widths("tukey", level)[0] for analysis in analyses],
            "significant": significant.sum(axis=1),
        }.items():
            mean, half = np.mean(values), significance.half_width(values, level)
            row |= {name: mean, f"{name}_low": mean - half, f"{name}_high": mean + half}
        common = significant.all(axis=0).sum() / row["significant"] if significant.any() else np.nan
        rows.append(row | {"common": common, "share_significant": significant.mean()})
    table = pd.DataFrame(rows)
    notes = gaps(table, tau_low="if there is only one partition", common="if no pair is significant")
    return table, [*_notes(study, metric), *notes]


def rank_intervals(
    study: Study, *, metric: str = "AP", depth: int | None = None, estimator: str = "lower", method: str = "bootstrap",
    level: float = 0.05, seed: int = 0, resamples: int = 2000,
) -> pd.DataFrame:  # fmt: skip
    """The rank of every system, and the range of its ranks when topics are resampled.

    The range is from the level / 2 to the 1 - level / 2 quantile."""
    estimate = study.of_answering(study.at(depth=depth).estimate(metric, estimator=estimator))
    scores = study.topic_scores(estimate.value)
    if scores.shape[1] < 2:
        raise ValueError("rank intervals need at least two judged topics. Load more judgments.")
    ends = bootstrapped(scores, level, seed=seed, resamples=resamples)
    table = of_systems(study)[["system"]].assign(
        rank=orderings.ranks(study.mean(estimate.value)),
        lower=ends[0],
        upper=ends[1],
        kind="bootstrap",
        n=study.counted.sum(axis=1),
    )
    return by_rank(table)


def _analysed(study, metric, name, shards, seed, cut, undefined):
    """The analysis of one partition, by its number, under a model, and how many cells were undefined."""
    model = MODELS[name]
    if model.sharded and shards == 1:
        raise ValueError(f"{name} needs at least 2 shards. Use more shards, or MD1, which uses the whole collection.")
    scores, defined = _scored(study, metric, shards, seed, cut) if model.sharded else _scored(study, metric, 1)
    return Anova(filled(scores, defined, undefined), model), int((~defined).sum())


def _means_on_the_whole(study, metric):
    scores, _ = _scored(study, metric, 1)
    return scores.mean(axis=(1, 2))


def _scored(study, metric, shards, seed=0, cut=0):
    """`shard_scores` of one partition; ValueError where there is too little to analyse."""
    scores, defined = shard_scores(study, metric, shards, seed=seed, resample=cut)
    systems, topics, _ = scores.shape
    if systems < 2 or topics < 2:
        raise ValueError(
            f"an analysis of variance needs two systems and two judged topics, but there are {systems} and {topics}."
        )
    return scores, defined


def _apart(analysis, level):
    """Which pairs differ by Tukey's HSD. bool (pairs,)."""
    a, b = significance.pairs(len(analysis.means))
    return analysis.studentized(analysis.means[a] - analysis.means[b]) > analysis.threshold(level)


def _notes(study, metric):
    notes = []
    if study.options["average"] == "common":
        notes.append("A system's missing topics count as 0: the analysis needs a score for every system and topic.")
    if metric_named(metric).kind != "point":
        notes.append("Unjudged documents count as not relevant.")
    return notes


def _over_splits(rows):
    """The share of significant pairs, less and plus one standard deviation over the splits; NaN without several.
    Within 0 and 1."""
    row = rows.iloc[0]
    apart = row["significant_sd"] / (row["significant"] + row["not_significant"])
    return max(row["share_significant"] - apart, 0), min(row["share_significant"] + apart, 1)


QUESTIONS = by_name(
    Question(
        "anova", anova, section="10.2", long_from=LARGE,
        columns="model effect ss df ms f p omega2 f_other_topics p_other_topics share",
    ),
    Question(
        "models", models, section="10.2", long_from=SMALL,
        columns="model omega2_system significant not_significant share_significant top_group width_tukey width_anova "
        "tau significant_other_topics share_significant_other_topics top_group_other_topics "
        "width_tukey_other_topics undefined significant_sd",
        across=Across(
            "Pairs that differ significantly", "share_significant",
            ("“{model}” finds more significant pairs than “{other}”", "“{model}” finds fewer significant pairs than "
             "“{other}”"), "MD1",
            {"model": "MD6"}, lambda metric, model: {"metric": metric}, interval=_over_splits,
            interval_is="how much it varies with the split into shards (one standard deviation)", written="share",
        ),
    ),
    Question(
        "system_intervals", system_intervals, section="10.4",
        columns="system group rank value lower upper kind in_top_group n in_top_group_other_topics",
    ),
    Question(
        "intervals_by_model", intervals_by_model, section="10.4", long_from=LARGE,
        columns="model kind system value lower upper mean_width",
    ),
    Question(
        "intervals_compared", intervals_compared, section="10.4", long_from=LARGE,
        columns="model shards kind system rank value lower upper n",
    ),
    Question(
        "models_by_shards", models_by_shards, section="10.5", long_from=SMALL,
        columns="shards model omega2_system significant change share_significant top_group width_tukey tau undefined",
    ),
    Question(
        "tukey_pairs", tukey_pairs, section="10.3",
        columns="a b difference q p significant significant_other_topics",
    ),
    Question(
        "shard_stability", shard_stability, section="10.5", long_from=SMALL,
        columns="shards tau tau_low tau_high width width_low width_high significant significant_low significant_high "
        "common share_significant",
    ),
    Question("rank_intervals", rank_intervals, section="10.6", columns="system rank lower upper kind n"),
)  # fmt: skip
