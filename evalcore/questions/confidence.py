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
from evalcore.sentences import FUZZ, Sentence, joined, known, verb


def anova(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0):
    """The analysis of variance of each model: sum of squares, degrees of freedom, F, its probability and the size of
    every effect [FS19]. share = the part of the whole sum of squares."""
    rows = []
    for name in models:
        analysis, _ = _analysed(study, metric, name, shards, seed, 0, undefined)
        effects = (*analysis.model.effects, "error")
        total = sum(analysis.ss(effect) for effect in effects)
        for effect in effects:
            df, ss = analysis.df(effect), analysis.ss(effect)
            tests = (analysis.f(effect), analysis.p(effect), analysis.omega2(effect))
            tests = tests if effect != "error" else (np.nan,) * 3
            rows.append((name, effect, ss, df, ss / df if df else np.nan, *tests, ss / total if total else np.nan))
        whole = total / total if total else np.nan
        rows.append((name, "total", total, analysis.scores.size - 1, *(np.nan,) * 4, whole))
    table = pd.DataFrame(rows, columns=["model", "effect", "ss", "df", "ms", "f", "p", "omega2", "share"])
    untested = "for the error, the total, and where there is no degree of freedom or no error"
    missing = gaps(table, share="where all scores are the same", f=untested)
    return table, [*_notes(study, metric), *missing]


def models(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0, resamples=10):
    """What each model tells apart, means over so many partitions: the size of the system effect, pairs of systems that
    differ by Tukey's HSD, the group that is not different from the best, half-widths, and tau with the ordering on the
    whole collection. undefined = cells without a relevant document."""
    whole = _means_on_the_whole(study, metric)
    rows = []
    for name in models:
        cuts = resamples if MODELS[name].sharded else 1
        analyses = (_analysed(study, metric, name, shards, seed, cut, undefined) for cut in range(cuts))
        each = [_outcome(analysis, level, whole) | {"undefined": cells} for analysis, cells in analyses]
        means = np.mean([list(one.values()) for one in each], axis=0)
        rows.append({"model": name, **dict(zip(each[0], means, strict=True))})
    table = pd.DataFrame(rows)
    alike = "where the scores leave no error or no difference to measure by"
    return table, [*_notes(study, metric), *gaps(table, omega2_system=alike, tau=alike)]


def _outcome(analysis, level, whole):
    """What one analysis tells apart. whole : means of the systems on the whole collection, float (R,)"""
    apart = _apart(analysis, level)
    return {
        "omega2_system": analysis.omega2("system"),
        "significant": apart.sum(),
        "not_significant": (~apart).sum(),
        "share_significant": apart.mean(),
        "top_group": analysis.top_group(level).sum(),
        "width_tukey": analysis.half_widths("tukey", level)[0],
        "width_anova": analysis.half_widths("anova", level)[0],
        "tau": orderings.kendall_tau(whole, analysis.means),
    }


def system_intervals(study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, interval="tukey", undefined=0):
    """The mean score of every system over topics and shards, with an interval of a kind that is named.

    interval : "tukey", where two that overlap do not differ by Tukey's HSD; "sem", each system's own standard error of
        the mean; "anova", the error of the model [FS19, eqs 3 to 5]
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


def tukey_pairs(
    study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, undefined=0, method="tukey", resamples=1000
):
    """Every pair of systems by Tukey's HSD: the mean difference, q in standard errors, p and whether it is significant.

    method : "tukey", from the studentized range; "randomised", from so many random exchanges of the systems' scores
        within every topic and shard [Car12], p = (1 + as wide) / (1 + tried)
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
        outcomes, apart = [], []
        for cut in range(resamples):
            analysis, _ = _analysed(study, metric, model, count, seed, cut, undefined)
            apart.append(_apart(analysis, level))
            width = analysis.half_widths("tukey", level)[0]
            outcomes.append((orderings.kendall_tau(whole, analysis.means), width, apart[-1].sum()))
        always = np.all(apart, axis=0).sum()
        common = always / np.mean(np.sum(apart, axis=1)) if np.any(apart) else np.nan
        ends = (end for values in zip(*outcomes, strict=True) for end in _mean_and_interval(values, level))
        rows.append((count, *ends, common))
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


def _analysed(study, metric, name, shards, seed, cut, undefined):
    """The analysis of one partition, by its number, under a model, and how many cells were undefined."""
    model = MODELS[name]
    if model.sharded and shards == 1:
        raise ValueError(f"{name} needs at least 2 shards; on one, the whole collection, only MD1 can be fitted.")
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
            f"an analysis of variance needs two systems and two judged topics or more; here are {systems} and {topics}."
        )
    return scores, defined


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


# ---------------------------------------------------------------------------------------------------------------------
# Findings

PLACES = {"error": "what no effect explains", "system": "systems", "topic": "topics", "shard": "shards"}


def _where_it_lies(table, asked, study):
    """Which two effects of the last model hold most of the variance."""
    model = table["model"].iloc[-1]
    parts = table[(table["model"] == model) & (table["effect"] != "total")]
    if parts["share"].isna().any():
        return Sentence("All scores are the same, so there is no variance to divide.")
    parts = zip(parts["share"].round(9), parts["effect"], strict=True)
    (largest, first), (next_largest, second) = sorted(parts, reverse=True)[:2]
    facts = {"model": model, "largest": largest, "most": PLACES.get(first, first)}
    one = Sentence("By {model}, {largest:share} of the variance lies in {most}", **facts)
    two = Sentence("{next_largest:share} in {more}", next_largest=next_largest, more=PLACES.get(second, second))
    return joined(one, two if next_largest else None, by=" and ", end=".")


def _pairs_by_model(table, asked, study):
    """What the whole collection tells apart, what the last model over shards does, and how it orders the systems."""
    sharded = np.array([MODELS[name].sharded for name in table["model"]])
    whole = over = order = None
    if not sharded.all():
        row = table[~sharded].iloc[0]
        text = "{whole:Share} of pairs are told apart on the whole collection ({whole_model})"
        whole = Sentence(text, whole=row["share_significant"], whole_model=row["model"])
    if sharded.any():
        row = table[sharded].iloc[-1]
        facts = {"shards": asked["shards"], "model": row["model"], "cuts": asked["resamples"]}
        part = "{part:share}" if whole else "{part:Share} of pairs are told apart"
        text = f"{part} over {{shards:digits shard}} ({{model}}, mean of {{cuts:count random cut}})"
        over = Sentence(text, part=row["share_significant"], **facts)
        text = "the ordering by {model} has a mean tau of {tau:score} with that of the whole"
        order = Sentence(text, model=row["model"], tau=row["tau"])
    return joined(joined(whole, over, by=", "), order, end=".")


def _top_group(board, asked, study):
    """Who cannot be told apart from the best."""
    best = list(board["system"][board["rank"] == 1])
    others = int(board["in_top_group"].sum()) - len(best)
    facts = {"model": asked["model"]}
    if board["in_top_group"].all():
        return Sentence("By {model}, no system stands out.", **facts)
    if not others:
        text = "By {model}, {tied:count system} {tied:verb is/are} best, {best:listed}."
        return Sentence(text, tied=len(best), best=best, **facts)
    text = "By {model}, {others:count other system} cannot be told apart from the best, {best:listed}."
    return Sentence(text, others=others, best=best, **facts)


def _told_apart(pairs, asked, study):
    """The share of pairs that differ on this cut of the documents."""
    where, facts = "the whole collection", {}
    if MODELS[asked["model"]].sharded:
        where, facts["shards"] = "one cut of the documents into {shards:digits shard}", asked["shards"]
    tells = "Random exchanges of scores tell"
    if asked["method"] == "tukey":
        tells, facts["model"] = "{model} tells", asked["model"]
    whom = "no two systems"
    if pairs["significant"].any():
        whom, facts["apart"] = "{apart:share} of pairs", pairs["significant"].mean()
    return Sentence(f"{tells} {whom} apart on {where}.", **facts)


def _by_partition(table, asked, study):
    """How alike the ordering is to that of the whole, with the first and the last number of shards."""
    first, last = table.iloc[0], table.iloc[-1]
    facts = {"shards": int(first["shards"]), "tau": first["tau"]}
    text = "With {shards:digits shard} the ordering has a mean tau of {tau:score} with that of the whole collection"
    more = always = None
    if len(table) > 1:
        facts_of_last = {"last_shards": int(last["shards"]), "last_tau": last["tau"]}
        more = Sentence("with {last_shards:number} one of {last_tau:score}", **facts_of_last)
    if known(first["common"]) and asked["resamples"] > 1:
        of = "{common:share} of the significant pairs of {shards:digits shard} are significant on every partition"
        always = Sentence(of, common=first["common"], shards=int(first["shards"]))
    return joined(joined(Sentence(text, **facts), more, by=", "), always, end=".")


def _on_other_topics(table, asked, study):
    """Who might rank first on other topics, and where the first of these topics might."""
    ranked = table[table["rank"].notna()]
    if not len(ranked):
        return Sentence("No system has a score here.")
    first, leading = list(ranked["system"][ranked["rank"] == 1]), int((ranked["lower"] == 1).sum())
    could = Sentence("On other topics {leading:count system} might rank first", leading=leading) if leading else None
    if len(first) > 1:
        return joined(could, Sentence("{first:listed} share first place on these", first=first), end=".")
    facts = {"first": first[0], "best": int(ranked["lower"].iloc[0]), "worst": int(ranked["upper"].iloc[0])}
    if facts["worst"] == 1:
        return Sentence("{first}, first on these topics, stays first on others.", first=first[0])
    might = Sentence("{first}, first on these, might rank {best:number} to {worst:number}", **facts)
    return joined(could, might, end=".")


def undefined_changes(before, after, value):
    """What another value than 0 in cells without a relevant document changes.

    before, after : the question `models` with 0 and with the value there
    """
    cells = after["undefined"].max()
    if not cells:
        return Sentence("Every shard holds a relevant document of every topic, so nothing depends on this.")
    apart = (after["significant"] - before["significant"]).abs() > FUZZ
    changed, same = (list(after["model"][one]) for one in (apart, ~apart))
    facts = {"cells": cells, "value": value} | ({"changed": changed} if changed else {})
    text = "On average {cells:short} {cells:verb shard of a topic holds/shards of topics hold} no relevant document. "
    text += "With {value:short} there in place of 0, "
    if not changed:
        return Sentence(text + "nothing changes.", **facts)
    tells = verb(len(changed), "tells another number", "tell other numbers")
    rest = Sentence("{same:listed 6} " + verb(len(same), "tells", "tell") + " the same", same=same) if same else None
    return joined(Sentence(text + "{changed:listed 6} " + tells + " of pairs apart", **facts), rest, end=".")


QUESTIONS = by_name(
    Question("anova", anova, finding=_where_it_lies),
    Question("models", models, finding=_pairs_by_model),
    Question("system_intervals", system_intervals, finding=_top_group),
    Question("tukey_pairs", tukey_pairs, finding=_told_apart),
    Question("shard_stability", shard_stability, finding=_by_partition),
    Question("rank_intervals", rank_intervals, finding=_on_other_topics),
)
