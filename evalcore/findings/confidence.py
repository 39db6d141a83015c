"""How sure differences are: on other documents (shards) and on other topics."""

from dataclasses import replace
from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little, with_detail
from evalcore.findings.scores import NAMED
from evalcore.statistics.anova import INTERVALS, MODELS
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, digits, known, opening, written

EFFECTS = {"error": "residual", "system": "due to systems", "topic": "due to topics", "shard": "due to shards"}


def anova(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which two effects of the last model explain most of the variance."""
    model = table["model"].iloc[-1]
    parts = table[(table["model"] == model) & (table["effect"] != "total")].round({"share": 9})
    if parts["share"].isna().any():
        return too_little("order")
    first, second = parts.sort_values(["share", "effect"], ascending=False)[:2].itertuples()
    text = "{largest:share} of the variance in {metric} is {most} and {next_largest:share} is {more} (model {model})."
    return conclude(
        text, model=model, metric=params["metric"], largest=first.share, most=_effect(first.effect),
        next_largest=second.share, more=_effect(second.effect),
    )  # fmt: skip


def _effect(name):
    return EFFECTS.get(name, f"{name} interaction")


def models(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which share of pairs the last model over shards finds significant, and which the whole collection."""
    sharded = table["model"].map(lambda name: MODELS[name].sharded)
    uncut, cut = table[~sharded], table[sharded]
    facts = {"metric": params["metric"], "cuts": params["resamples"]}
    if len(uncut):
        facts |= {"whole_model": uncut["model"].iloc[0], "whole": uncut["share_significant"].iloc[0]}
    if not len(cut):
        return conclude(
            "{whole:share} of system pairs differ significantly on other topics (model {whole_model}).", **facts
        )
    row = cut.iloc[-1]
    facts |= {"model": row["model"], "part": row["share_significant"], "topics": row["share_significant_other_topics"]}
    facts |= {"tau": row["tau"]}
    by_topics = (
        "{whole:share} on other topics ({whole_model})" if len(uncut) else "{topics:share} on other topics ({model})"
    )
    text = f"{{part:share}} of system pairs differ significantly on other documents ({{model}}) and {by_topics}."
    if len(study.systems) == 2:
        in_part = "The two systems differ significantly in {part:share} of partitions on other documents ({model})"
        do = "do" if facts.get("whole") else "do not"
        text = f"{in_part} and in {by_topics}."
        if len(uncut):
            text = f"{in_part}; on other topics, they {do} ({{whole_model}})."
    tau = "Orderings by shard and by the whole collection have a mean τ-b of {tau:score}."
    if params["resamples"] > 1:
        tau = f"{tau} Shares on other documents are means of {{cuts}} partitions"
        pairs = len(study.systems) * (len(study.systems) - 1) / 2
        if pairs > 1:
            facts["deviation"] = row["significant_sd"] / pairs
            tau = f"{tau}, standard deviation {{deviation:share}}"
        tau += "."
    return conclude(text, tau if known(row["tau"]) else "", **facts)


def system_intervals(board: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which systems do not differ significantly from the best."""
    facts = {"model": params["model"], "metric": params["metric"], "systems": len(board)}
    facts |= {"best": list(board["system"][board["rank"] == 1]), "top": board["in_top_group"].sum()}
    facts["others"] = facts["top"] - len(facts["best"])
    if len(facts["best"]) == len(board):
        return too_little("order" if len(board) > 1 else "systems", **facts)
    scope = "on other documents" if MODELS[params["model"]].sharded else "on other topics"
    if facts["others"] <= 0:
        text = "All other systems differ significantly from the best, {best:listed}, {scope}."
        return conclude(text, words={"scope": scope}, **facts)
    alike = list(board["system"][board["in_top_group"] & (board["rank"] != 1)])
    who = "{others:digits other system} {others:verb does/do}"
    if len(alike) <= NAMED:
        facts["alike"], who = alike, "only {alike:listed} {alike:verb does/do}"
    text = "{Who} not differ significantly from the best, {best:listed}, {scope}."
    if len(facts["best"]) > 1:
        text = "{best:listed} share the best score; {who} not differ significantly from them, {scope}."
    return conclude(text, words={"who": who, "Who": opening(who), "scope": scope}, **facts)


def top_groups(on_documents: Conclusion, on_topics: Conclusion) -> Conclusion:
    """Both conclusions of `system_intervals` in one sentence; the first alone where it is about topics, too, or where
    there is no best system."""
    documents, topics = on_documents.facts, on_topics.facts
    if documents["model"] == topics["model"] or not (_has_best(documents) and _has_best(topics)):
        return on_documents
    facts = {name: documents[name] for name in ("best", "others")} | {"on_topics": topics["others"]}
    facts |= {"best_on_topics": topics["best"]}
    text = NEAR_THE_BEST[documents["best"] == topics["best"]]
    return replace(conclude(text, **facts), caveats=on_documents.caveats)


NEAR_THE_BEST = {  # by whether it is the same system
    True: "Not significantly different from the best, {best:listed}: {others:digits other system} on other documents, "
    "{on_topics} on other topics.",
    False: "Not significantly different from the best: {others:digits other system} on other documents (best: "
    "{best:listed}), {on_topics} on other topics (best: {best_on_topics:listed}).",
}


def elsewhere(
    models: Conclusion, top: Conclusion, on_topics: Conclusion, on_documents: Conclusion | None = None
) -> Conclusion:
    """What the page on confidence says first: of which pairs one can be sure elsewhere, and who may be the best.

    models : the conclusion of `models`; top : what it says of the systems, such as `top_groups`
    on_topics : the conclusion of `system_intervals` with MD1; on_documents : that with shards, if the picture shows it
    """
    joint, topics = with_detail(models, top), on_topics.facts
    if not known(models.facts.get("whole")):
        return joint
    plainly = SURE["part" in models.facts]
    facts = joint.facts | {"systems": topics["systems"]}
    if topics["systems"] == 2:
        plainly = TWO[facts["whole"] > 0] + ("" if "part" not in facts else TWO_ON_DOCUMENTS[facts["part"] == 1])
    elif _has_best(pictured := on_documents.facts if on_documents else topics):
        facts |= {"best_there": pictured["best"], "as_good": pictured["others"]}
        facts |= {"alike_there": pictured["alike"]} if "alike" in pictured else {}
        crowd = "no" if pictured["others"] <= 0 else "few" if "alike" in pictured else "many"
        plainly += f" On other {'documents' if on_documents else 'topics'}, {BEST[crowd]}"
    return replace(joint, facts=facts, plain=written(plainly, facts))


SURE = {  # by whether other documents are tested, too
    True: "For {whole:share_in_words} of system pairs, it is fairly sure which is better on other topics; for "
    "{part:share_in_words}, on other documents.",
    False: "For {whole:share_in_words} of system pairs, it is fairly sure which is better on other topics.",
}
BEST = {  # how many others do not differ significantly from the best there
    "no": "{best_there:listed} would probably still be the best.",
    "few": "only {alike_there:listed} may be as good as {best_there:listed}.",
    "many": "{as_good:digits other system} may be as good as {best_there:listed}.",
}
TWO = {
    True: "On other topics, the same of the two systems would probably be better.",
    False: "On other topics, either of the two systems may be better.",
}
TWO_ON_DOCUMENTS = {
    True: " On other documents, the same one would probably be better.",
    False: " On other documents, either may be.",
}


def _has_best(facts):
    return len(facts.get("best", ())) < facts["systems"]


def intervals_by_model(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The narrowest and the widest interval of one system, by model and kind."""
    rows = table.assign(width=table["upper"] - table["lower"]).dropna(subset="width")
    if not len(rows):
        return too_little("score", system=table["system"].iloc[0])
    if rows["width"].max() - rows["width"].min() < FUZZ:
        facts = {"system": rows["system"].iloc[0], "metric": params["metric"], "narrow": rows["width"].iloc[0]}
        return conclude("Every interval of {system} is {narrow:score} wide, whatever its model and kind.", **facts)
    narrow, wide = rows.loc[rows["width"].idxmin()], rows.loc[rows["width"].idxmax()]
    facts = {"system": narrow["system"], "metric": params["metric"], "narrow": narrow["width"], "wide": wide["width"]}
    facts |= {"narrowest": _interval(narrow), "widest": _interval(wide)}
    text = "The interval of {system} is {narrow:score} to {wide:score} wide, depending on its model and kind."
    return conclude(text, "Kind and model of the narrowest: {narrowest}; of the widest: {widest}.", **facts)


def _interval(row):
    return f"{INTERVALS[row['kind']].title}, {row['model']}"


def intervals_compared(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which intervals are the narrowest and the widest on average over systems."""
    widths = table.assign(width=table["upper"] - table["lower"])
    means = widths.groupby(["model", "shards", "kind"], sort=False)["width"].mean().dropna().reset_index()
    if not len(means):
        return too_little("score")
    narrow, wide = means.loc[means["width"].idxmin()], means.loc[means["width"].idxmax()]
    facts = {"metric": params["metric"], "narrow": narrow["width"]}
    if wide["width"] - narrow["width"] < FUZZ:
        return conclude("On average over systems, every interval is {narrow:score} wide.", **facts)
    facts |= {"wide": wide["width"], "narrowest": _compared(narrow), "widest": _compared(wide)}
    text = "On average over systems, intervals are {narrow:score} to {wide:score} wide."
    return conclude(text, "The narrowest: {narrowest}; the widest: {widest}.", **facts)


def _compared(row):
    cut = f", {digits(row['shards'], 'shard')}" if row["shards"] > 1 else ""
    return _interval(row) + cut


def models_by_shards(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many more pairs the last model finds significant than MD1, with the fewest and the most shards."""
    rows = table[(table["model"] == table["model"].iloc[-1]) & (table["shards"] > 1)]
    facts = {"metric": params["metric"], "pairs": int(table["significant"].iloc[0])}
    if not len(rows):
        return conclude(
            "Without shards, model MD1 finds {pairs:digits significant system pair} for other topics.", **facts
        )
    facts |= {"model": rows["model"].iloc[0]}
    few, many = rows.loc[rows["shards"].idxmin()], rows.loc[rows["shards"].idxmax()]
    facts |= {"few": int(few["shards"]), "many": int(many["shards"])}
    facts |= {"with_few": int(few["significant"]), "with_many": int(many["significant"])}
    text = "With {few} shards, model {model} finds {with_few:digits significant system pair}."
    detail = "With {many} shards, it finds {with_many}. Model MD1, without shards and for other topics, finds {pairs}."
    if len(rows) == 1:
        detail = "Model MD1, without shards and for other topics, finds {pairs}."
    return conclude(text, detail, **facts)


def tukey_pairs(pairs: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which share of pairs differs significantly on other documents and on other topics."""
    facts = {"metric": params["metric"], "model": params["model"], "apart": pairs["significant"].mean()}
    sharded = MODELS[params["model"]].sharded
    scope = "on other documents" if sharded else "on other topics"
    text, detail = "{apart:share} of system pairs differ significantly on other topics.", ""
    if sharded:
        facts["topics"] = pairs["significant_other_topics"].mean()
        text = (
            "{apart:share} of system pairs differ significantly on other documents and {topics:share} on other topics."
        )
    if len(pairs) == 1:
        text = f"The two systems {DIFFER[facts['apart'] > 0]} significantly {scope}."
        detail = f"On other topics, they {DIFFER[facts['topics'] > 0]} significantly." if sharded else ""
    return conclude(text, detail, **facts)


DIFFER = {True: "differ", False: "do not differ"}


def shard_stability(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How much depends on the partition, at the number of shards that is least like the whole collection."""
    if not table["tau"].notna().any():
        return too_little("order")
    row = table.loc[table["tau"].idxmin()]
    facts = {"metric": params["metric"], "model": params["model"], "tau": row["tau"], "shards": int(row["shards"])}
    facts |= {"cuts": params["resamples"], "common": row["common"]}
    words = {"mean": "mean τ-b" if params["resamples"] > 1 else "τ-b"}
    text = "With {shards} shards, orderings by shard and by the whole collection have a {mean} of {tau:score}."
    if len(table) > 1:
        text = "Orderings by shard differ most from the whole collection's with {shards} shards ({mean} {tau:score})."
        if row["tau"] > 1 - FUZZ:
            text = "Orderings by shard do not differ from the whole collection's ({mean} {tau:score})."
    words["every"] = "both" if params["resamples"] == 2 else "all {cuts}"
    detail = "Of an average partition's significant pairs, {common:share} are significant in {every} (model {model})."
    if not known(row["common"]) or params["resamples"] == 1:
        detail = ""
    return conclude(text, detail, words=words, **facts)


def rank_intervals(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Between which ranks the first system falls on other topics, and how many others could be first."""
    first = table[table["rank"] == 1]
    if not len(first):
        return too_little("score")
    if len(table) == 1:
        return too_little("systems")
    facts = {"first": list(first["system"]), "best": first["lower"].min(), "worst": first["upper"].max()}
    facts |= {"metric": params["metric"], "sure": 1 - params["level"]}
    facts["others"] = int(((table["lower"] == 1) & (table["rank"] != 1)).sum())
    within = "in the top {worst}" if facts["best"] == 1 else "within ranks {best} to {worst}"
    if facts["worst"] == facts["best"]:
        within = "at rank {best}"
    text = "{first:listed} {first:verb stays/stay} " + within + " in at least {sure:share} of samples of the topics."
    detail = {0: "No other system's rank interval includes 1.", 1: "1 other system's rank interval includes 1."}
    detail = detail.get(facts["others"], "The rank intervals of {others} other systems include 1.")
    return conclude(text, detail if len(first) < len(table) else "", **facts)


def undefined_changes(before: pd.DataFrame, after: pd.DataFrame, value: float, metric: str) -> Conclusion:
    """What another score than 0 changes in topic–shard cells without a document that counts.

    before, after : the question `models` with 0 and with the value there, on the metric
    """
    facts = {"metric": metric, "cells": after["undefined"].max(), "value": value}
    if not facts["cells"]:
        return conclude(
            "Nothing changes: every shard contains a document that {metric} can score for every topic.", **facts
        )
    facts["changed"] = list(after["model"][(after["significant"] - before["significant"]).abs() > FUZZ])
    text = "A score of {value:short} in empty cells changes how many pairs {changed:listed 6} find significant."
    if not facts["changed"]:
        text = "A score of {value:short} in empty cells changes no model's number of significant pairs."
    detail = "On average, {cells:short} cells (a topic on a shard) contain nothing that {metric} can score."
    if facts["cells"] == 1:
        detail = "On average, 1 cell (a topic on a shard) contains nothing that {metric} can score."
    return conclude(text, detail, **facts)
