"""Confidence: which differences would hold on other documents, and on other topics? Analysis of variance over shards.

Models over shards apply to other documents and the same topics. Columns that end in `_other_topics` apply to other
topics as well, with the topic x system interaction as the error; so does MD1.
"""

import numpy as np
import pandas as pd

from evalcore.comparing import orderings, significance
from evalcore.comparing.anova import MODELS, Anova
from evalcore.comparing.rank_intervals import bootstrapped
from evalcore.comparing.shards import filled, shard_scores
from evalcore.comparing.tukey import randomised_tukey, tukey_p
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.clauses import stage
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import of_systems
from evalcore.sentences import FUZZ, Sentence, joined, known, opening
from evalcore.values import EQUAL


def anova(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0):
    """The analysis of variance with each model: sum of squares, degrees of freedom, F, p and size of every effect.

    [FS19]. share = the part of the total sum of squares; f_other_topics = MS of systems over that of topic x system."""
    rows, untested = [], (np.nan,) * 5
    for name in models:
        analysis, _ = _analysed(study, metric, name, shards, seed, 0, undefined)
        effects, (ss, df) = analysis.model.effects, (analysis.ss, analysis.df)
        for e in effects:
            on_topics = analysis.on_other_topics if e == "system" else None
            beside = (on_topics.f(e), on_topics.p(e)) if on_topics else untested[:2]
            rows.append((name, e, ss(e), df(e), analysis.f(e), analysis.p(e), analysis.omega2(e), *beside))
        rows.append((name, "error", ss("error"), df("error"), *untested))
        rows.append((name, "total", sum(map(ss, (*effects, "error"))), analysis.scores.size - 1, *untested))
    columns = ["model", "effect", "ss", "df", "f", "p", "omega2", "f_other_topics", "p_other_topics"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(4, "ms", (table["ss"] / table["df"]).where(table["effect"] != "total"))
    table["share"] = table["ss"] / table.groupby("model")["ss"].transform("max")
    few = "for the error and the total, and without degrees of freedom or error"
    others = "for all effects but systems, and where topics do not disagree on systems"
    missing = gaps(table, share="where all scores are the same", f=few, f_other_topics=others)
    return table, [*_notes(study, metric), *missing]


def models(study, *, metric="AP", shards=5, seed=0, level=0.05, models=tuple(MODELS), undefined=0, resamples=10):
    """The number of significant system pairs and of top systems by model, as means over random partitions.

    Also the size of the system effect, half-widths, and tau with the ordering on the whole collection. By Tukey's HSD.
    undefined = cells without a document that the metric counts."""
    whole = _means_on_the_whole(study, metric)
    rows = []
    for name in models:
        cuts = resamples if MODELS[name].sharded else 1
        analyses = (_analysed(study, metric, name, shards, seed, cut, undefined) for cut in range(cuts))
        each = [_outcome(analysis, level, whole) | {"undefined": cells} for analysis, cells in analyses]
        means = np.mean([list(one.values()) for one in each], axis=0)
        rows.append({"model": name, **dict(zip(each[0], means, strict=True))})
    table = pd.DataFrame(rows)
    alike = "where the scores have no error or no difference"
    return table, [*_notes(study, metric), *gaps(table, omega2_system=alike, tau=alike)]


def _outcome(analysis, level, whole):
    """The numbers of significant pairs and of top systems in one analysis, and more.

    whole : means of the systems on the whole collection, float (R,)
    """
    apart, on_topics = _apart(analysis, level), analysis.on_other_topics
    apart_on_topics = _apart(on_topics, level)
    return {
        "omega2_system": analysis.omega2("system"),
        "significant": apart.sum(),
        "not_significant": (~apart).sum(),
        "share_significant": apart.mean(),
        "top_group": analysis.top_group(level).sum(),
        "width_tukey": analysis.half_widths("tukey", level)[0],
        "width_anova": analysis.half_widths("anova", level)[0],
        "tau": orderings.kendall_tau(whole, analysis.means),
        "significant_other_topics": apart_on_topics.sum(),
        "share_significant_other_topics": apart_on_topics.mean(),
        "top_group_other_topics": on_topics.top_group(level).sum(),
        "width_tukey_other_topics": on_topics.half_widths("tukey", level)[0],
    }


def system_intervals(study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, interval="tukey", undefined=0):
    """The mean score of every system over topics and shards, with an interval of the chosen kind.

    interval : "tukey": two that overlap do not differ by Tukey's HSD; "sem", each system's own standard error of
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
        in_top_group_other_topics=analysis.on_other_topics.top_group(level),
    )
    return table.sort_values(["rank", "system"], ignore_index=True), _notes(study, metric)


def tukey_pairs(
    study, *, metric="AP", model="MD6", shards=5, seed=0, level=0.05, undefined=0, method="tukey", resamples=1000
):
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
    study, *, metric="AP", model="MD6", shards=(2, 3, 5, 10), resamples=10, seed=0, level=0.05, undefined=0
):
    """How much the results depend on the random partition, by number of shards.

    Means over partitions, with t intervals: tau with the ordering on the whole collection, Tukey's half-width and the
    number of significant pairs.

    common : pairs that are significant on every partition, over the mean number of significant pairs
    """
    if not MODELS[model].sharded:
        raise ValueError(
            f"{model} uses the whole collection, so its results do not depend on a partition. Choose MD2 to MD6."
        )
    whole = _means_on_the_whole(study, metric)
    rows = []
    for count in shards:
        analyses = [_analysed(study, metric, model, count, seed, cut, undefined)[0] for cut in range(resamples)]
        apart = np.array([_apart(analysis, level) for analysis in analyses])
        row = {"shards": count}
        for name, values in {
            "tau": [orderings.kendall_tau(whole, analysis.means) for analysis in analyses],
            "width": [analysis.half_widths("tukey", level)[0] for analysis in analyses],
            "significant": apart.sum(axis=1),
        }.items():
            mean, half = np.mean(values), significance.half_width(values, level)
            row |= {name: mean, f"{name}_low": mean - half, f"{name}_high": mean + half}
        rows.append(row | {"common": apart.all(axis=0).sum() / row["significant"] if apart.any() else np.nan})
    table = pd.DataFrame(rows)
    notes = gaps(table, tau_low="with a single partition, which has no interval", common="where no pair is significant")
    return table, [*_notes(study, metric), *notes]


def rank_intervals(
    study, *, metric="AP", depth=None, estimator="lower", method="bootstrap", level=0.05, seed=0, resamples=2000
):
    """The rank of every system, and the range of its ranks when topics are resampled.

    The range is from the level / 2 to the 1 - level / 2 quantile."""
    estimate = study.at(depth=depth).estimate(metric, estimator=estimator)
    scores = study.topic_scores(estimate.value)
    if scores.shape[1] < 2:
        raise ValueError("rank intervals need at least two judged topics.")
    ends = bootstrapped(scores, level, seed=seed, resamples=resamples)
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
            f"an analysis of variance needs two systems and two judged topics or more; here are {systems} and {topics}."
        )
    return scores, defined


def _apart(analysis, level):
    """Which pairs differ by Tukey's HSD. bool (pairs,)."""
    a, b = significance.pairs(len(analysis.means))
    return analysis.studentized(analysis.means[a] - analysis.means[b]) > analysis.threshold(level)


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
THESE, TOO = "on other documents, for these topics", "on other topics too"
MORE = "on other topics, topic x system being the error"  # where fewer hold for these: the model's error is larger
CUT, WHOLE = "{shards:digits shard}", "the whole collection"


def _sharded(asked):
    """Whether the model that was asked for takes shards."""
    return MODELS[asked["model"]].sharded


def _where_it_lies(table, asked, study):
    """Which two effects of the last model hold most of the variance."""
    model = table["model"].iloc[-1]
    parts = table[(table["model"] == model) & (table["effect"] != "total")].round({"share": 9})
    if parts["share"].isna().any():
        return Sentence("All scores are the same, so there is no variance to divide.")
    first, second = parts.sort_values(["share", "effect"], ascending=False)[:2].itertuples()
    sharded = MODELS[model].sharded
    return joined(
        "By {model}, {largest:share} of the variance of {metric} over ", CUT if sharded else WHOLE,
        " lies in {most} and {next_largest:share} in {more}.", by="",
        model=model, largest=first.share, most=PLACES.get(first.effect, f"the interaction {first.effect}"),
        next_largest=second.share, more=PLACES.get(second.effect, f"the interaction {second.effect}"),
        metric=asked["metric"], shards=asked["shards"],
    )  # fmt: skip


def _pairs_by_model(table, asked, study):
    """What the last model over shards tells apart, on these topics and on others; what the whole collection does; and
    how the shards order the systems."""
    sharded = table["model"].map(lambda name: MODELS[name].sharded)
    uncut, cut = table[~sharded], table[sharded]
    facts = {"metric": asked["metric"], "whole_model": None, "whole": None}
    if len(uncut):
        facts |= {"whole_model": uncut["model"].iloc[0], "whole": uncut["share_significant"].iloc[0]}
    if not len(cut):
        text = "On other topics, {whole:share} of pairs of systems would differ by {metric} ({whole_model}, the whole "
        return Sentence(text + "collection).", **facts)
    row = cut.iloc[-1]
    facts |= {"model": row["model"], "part": row["share_significant"], "topics": row["share_significant_other_topics"]}
    differ = "{part:share} of pairs of systems would differ by {metric} ({model}, CUT, mean of {cuts:count random cut})"
    tells = "tells {whole:share}"
    if len(study.systems) == 2:
        differ = "the one pair of systems would differ by {metric} in {part:share} of {cuts:count random cut} "
        differ += "({model}, CUT)"
        tells = "{whole:verb tells/does not tell} it"
    return joined(
        f"{opening(THESE)}, {differ.replace('CUT', CUT)}",
        f"{MORE if row['share_significant_other_topics'] > row['share_significant'] + FUZZ else TOO}, {{topics:share}}",
        f"on the whole collection {{whole_model}}, which is for other topics too, {tells} apart",
        "the mean Kendall's tau-b of the ordering over shards with that of the whole is {tau:score}", end=".",
        **facts, tau=row["tau"], shards=asked["shards"], cuts=asked["resamples"],
    )  # fmt: skip


def _top_group(board, asked, study):
    """Who cannot be told apart from the best, by the model whose intervals are drawn."""
    holds = "{best:listed}, holds {top:number} of {systems:digits system} ({model})"
    facts = {"model": asked["model"], "metric": asked["metric"], "systems": len(board)}
    facts |= {"best": list(board["system"][board["rank"] == 1]), "top": board["in_top_group"].sum()}
    group = "the group that cannot be told apart from the best by {metric}"
    if not _sharded(asked):
        return Sentence(f"On other topics, {group}, {holds}.", **facts)
    return Sentence(f"{opening(THESE)}, {group} over {CUT}, {holds}.", shards=asked["shards"], **facts)


def _told_apart(pairs, asked, study):
    """The share of pairs that would differ on other documents and on other topics, by this cut of the documents."""
    by = "{model}" if asked["method"] == "tukey" else "random exchanges of scores"
    facts = {"apart": pairs["significant"].mean(), "metric": asked["metric"]}
    facts |= {"model": asked["model"]} if asked["method"] == "tukey" else {}
    differ, on_these = "{apart:share} of pairs of systems would differ by {metric}", "{topics:share}"
    if len(pairs) == 1:
        differ = "the one pair of systems {apart:verb would/would not} differ by {metric}"
        on_these = "it {topics:verb would/would not}"
    if not _sharded(asked):
        return Sentence(f"On other topics, {differ} ({by}, {WHOLE}, all judgments).", **facts)
    on_topics = pairs["significant_other_topics"].mean()
    too = MORE if on_topics > facts["apart"] else TOO
    text = f"{opening(THESE)}, {differ} ({by}, {CUT}, all judgments); {too}, {on_these}."
    return Sentence(text, shards=asked["shards"], topics=on_topics, **facts)


def _by_partition(table, asked, study):
    """How little alike the ordering can be to that of the whole, and how many pairs are always significant there."""
    if not table["tau"].notna().any():
        return Sentence("All systems score the same by {metric}, so there is no ordering.", metric=asked["metric"])
    row = table.loc[table["tau"].idxmin()]
    several = asked["resamples"] > 1
    of = "the ordering over {shards:digits shard} has a" + (" mean" if several else "")
    least = f"By {{metric}}, {of} Kendall's tau-b of {{tau:score}} with that of the whole"
    least += ", and over no other number tried a lower one" if len(table) > 1 else ""
    told = [Sentence(least, metric=asked["metric"], tau=row["tau"], shards=int(row["shards"]))]
    if known(row["common"]) and several:
        text = "pairs that {model} tells apart there on every one of {cuts:count partition} are {common:share} as many "
        text += "as on one of them on average"
        told.append(Sentence(text, model=asked["model"], cuts=asked["resamples"], common=row["common"]))
    return joined(*told, end=".")


def _on_other_topics(table, asked, study):
    """Between which ranks the first on these topics falls on others, and how many reach the first place."""
    first = table[table["rank"] == 1]
    if not len(first):
        return Sentence("No system has a score here.")
    if len(table) == 1:
        return Sentence(
            "{first:listed} is the only system, so it ranks first on any topics.", first=list(first["system"])
        )
    ranks = "{first:verb ranks/rank} {best:number} to {worst:number}"
    if (only := first["lower"].min()) == first["upper"].max():
        ranks = "{first:verb ranks/rank} {best:number}"
    guess = "" if asked["estimator"] == "lower" else " under the guess {guess}"
    text = (
        f"{{first:listed}}, first by {{metric}}{guess} on these topics, {ranks} in at least {{sure:share}} of draws "
        "of as many topics from these"
    )
    others = int(((table["lower"] == 1) & (table["rank"] != 1)).sum())
    reach = "no other interval reaches rank 1"
    if len(first) == len(table):
        reach = None
    elif others:
        reach = "the {others:verb interval/intervals} of {others:count other system} {others:verb reaches/reach} rank 1"
    told = joined(
        text, reach, end=".",
        first=list(first["system"]), worst=first["upper"].max(), best=only, others=others or None,
        metric=asked["metric"], guess=asked["estimator"], sure=1 - asked["level"],
    )  # fmt: skip
    return joined(stage(asked["depth"]), told, by=", ")


def undefined_changes(before, after, value, metric):
    """What another value than 0 in cells without a document that counts changes.

    before, after : the question `models` with 0 and with the value there, by the metric
    """
    if not after["undefined"].max():
        return Sentence("Every shard of every topic holds what {metric} counts, so nothing is changed.", metric=metric)
    changed = list(after["model"][(after["significant"] - before["significant"]).abs() > FUZZ])
    text = Sentence(
        "On average {cells:short} {cells:verb shard of a topic holds/shards of topics hold} nothing that {metric} "
        "counts. With {value:short} there in place of 0, {models:count model} {models:verb tells/tell} another number "
        "of pairs apart",
        cells=after["undefined"].max(), value=value, models=len(changed), metric=metric,
    )  # fmt: skip
    return joined(text, Sentence(" ({changed:listed 6})", changed=changed) if changed else None, by="", end=".")


QUESTIONS = by_name(
    Question("anova", anova, section="10.2", finding=_where_it_lies, spans="topics"),
    Question("models", models, section="10.2", finding=_pairs_by_model, spans="topics"),
    Question("system_intervals", system_intervals, section="10.4", finding=_top_group, spans="topics"),
    Question("tukey_pairs", tukey_pairs, section="10.3", finding=_told_apart, spans="topics"),
    Question("shard_stability", shard_stability, section="10.5", finding=_by_partition, spans="topics"),
    Question("rank_intervals", rank_intervals, section="10.6", finding=_on_other_topics, spans="scores"),
)
