"""Whether fused runs are better than their inputs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.findings.comparison import could_reverse
from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.fusion.methods import rule as rule_named
from evalcore.questions.comparison import comparison
from evalcore.questions.fusion import way
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, as_apart, digits, everyone, known, opening


def gain(
    row: Mapping[str, Any] | pd.Series, inputs: str, *, level: float = 0.05, best_is_fused: bool = False,
    by_truth: bool = False, over: str = "systems", compared: pd.Series | None = None, certain: bool | None = None,
) -> Conclusion:  # fmt: skip
    """Whether a fused run beats its best input, whether that is significant, and whether judging could reverse it.

    row : of the question `fusion_scores`; inputs : what was fused, in words; best_is_fused : whether the best input is
    itself a fused run; by_truth : whether the row is for the complete judgments, which may call another input the best;
    over : what was fused; over both, the best input's name is long, so the method is named in the second sentence
    compared : the two of them, see `against_best`; certain : whether no further judging can reverse their order, if
    they are not given; None = not known
    """
    by = row["gain_over_best"]
    if not known(row["value"]):
        return too_little("score")
    facts = {"method": way(row["method"], row["phi"]), "value": row["value"], "metric": row["metric"], "inputs": inputs}
    scores = "merging {inputs} by {method} scores {value:score} on {metric}"
    if over == "both":
        scores = "merging {inputs} scores {value:score} on {metric}"
    if by_truth:
        scores = "the fused run scores {value:score} with the complete judgments"
    words = {"scores": scores, "Scores": opening(scores)}
    if not known(by):
        return conclude("{Scores}.", words=words, **facts)
    facts |= {"best": row["best"], "apart": abs(by), "n": row["n"], "p": row["p"]}
    if compared is not None and known(compared["certain_low"]):
        certain = compared["settled"] != "open"
    facts |= {"certain": certain} if certain is not None else {}
    words["fused"] = ", itself a fused run" if best_is_fused else ""
    if abs(by) < FUZZ:
        detail = "The method is {method}." if over == "both" else ""
        text = "No: {scores}, like the best input, {best}{fused}."
        plainly = "No: merging {inputs} gains nothing over the best input."
        return conclude(text, detail, plainly=plainly, words=words, **facts)
    words |= {"far": as_apart(row["value"], row["value"] - by), "above": "above" if by > 0 else "below"}
    words["yes"] = "No" if by < 0 else "Not clearly" if known(row["p"]) and facts["p"] >= level else "Yes"
    text = "{yes}: {scores}, {far} {above} the best input, {best}{fused}."
    words["gains"] = f"gains {words['far']} over" if by > 0 else f"loses {words['far']} against"
    words["named"] = ", {best}" if over == "systems" and not best_is_fused else ""
    plainly = "{yes}: merging {inputs} {gains} the best input{named}."
    if not known(row["p"]):
        detail = "The method is {method}." if over == "both" else ""
        return conclude(text, detail, plainly=plainly, words=words, **facts)
    plainly += LATER[by > 0 and facts["p"] >= level, certain]
    words |= {"method_too": " by {method}" if over == "both" else ""}
    significant = facts["p"] < level
    words |= {"gain": "gain" if by > 0 else "loss", "is": "is" if significant else "is not"}
    detail = "The {gain}{method_too} {is} significant (t-test over {n:digits topic}, p {p:chance})"
    if by < 0 and significant and known(row["p_tukey"]):
        facts["p_tukey"] = row["p_tukey"]
        among = "also" if row["p_tukey"] < level else "but not"
        detail += f", {among} among all inputs (Tukey's test, p {{p_tukey:chance}})"
    could, reversing = _could(compared, significant)
    return conclude(text, f"{detail}{could}.", plainly=plainly, words=words, **(facts | reversing))


LATER = {  # by whether the gain may be luck, and whether it is certain; None = not known
    (True, True): " On other topics that may be luck, but no further judging can reverse it here.",
    (True, False): " On other topics that may be luck, and further judging might reverse it.",
    (False, True): " No further judging can reverse that.",
    (False, False): " But further judging might reverse that.",
    (True, None): " On other topics that may be luck.",
    (False, None): "",
}


def _could(compared, significant):
    """What judging could change of the order of a fused run and its best input: a template, and its facts."""
    if compared is None or not known(compared["certain_low"]):
        return "", {}
    if compared["settled"] != "open":
        return (", and" if significant else ", though") + " no further judging can reverse it", {}
    facts = {"reversed_by": compared["reversed_by"]} if known(compared["reversed_by"]) else {}
    return f", {'but' if significant else 'and'} {could_reverse(compared).removesuffix('.')}", facts


def against_best(study: Study, params: Mapping[str, Any], row: Mapping[str, Any] | pd.Series) -> pd.Series | None:
    """A fused run and its best input as the question `comparison` has them; None for inputs that are no systems.

    params, row : of the question `fusion_scores` with one method
    """
    if params["over"] != "systems" or not known(row["p"]) or len(study.judged_topics) < 2:
        return None
    name = "fused"
    while name in study.whole.systems:
        name += "+"
    recipe = {parameter: params[parameter] for parameter in ("systems", "normalisation", "weights", "k")}
    phi = row["phi"] if known(row["phi"]) else None
    with_run = study.with_fused(name, method=row["method"], phi=phi, **recipe)
    table, _ = comparison(with_run, a=name, b=row["best"], metric=row["metric"], level=params["level"])
    return table.iloc[0]


def fusion_scores(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many fused runs beat the best of their inputs on the first metric, and which of them scores highest; of a
    single run, by how much."""
    metric = table["metric"].iloc[0]
    rows = table[table["metric"] == metric]
    if len(rows) == 1:
        best_is_fused = rows["best"].iloc[0] in [run["name"] for run in study.scope.get("with_fused", ())]
        tested: dict[str, Any] = {"level": params["level"], "over": params["over"], "best_is_fused": best_is_fused}
        tested["compared"] = against_best(study, params, rows.iloc[0])
        return gain(rows.iloc[0], _inputs(params, study), **tested)
    better = rows["gain_over_best"] > FUZZ
    value = rows["value"].max()
    facts = {"runs": len(rows), "better": int(better.sum()), "metric": metric, "level": params["level"]}
    facts |= {"sure": int((better & rows["better"]).sum()), "value": value}
    facts["highest"] = [
        way(row["method"], row["phi"]) + (f" over the variations of {row['system']}" if row["system"] else "")
        for _, row in rows[rows["value"] > value - FUZZ].iterrows()
    ]
    words = {"sure": ""}
    text = "{better} of {runs} fused runs {better:verb beats/beat} the best input on {metric}{sure}."
    if not facts["better"]:
        text = "No fused run beats the best input on {metric}."
    elif facts["better"] == len(rows):
        text = "All {runs} fused runs beat the best input on {metric}{sure}."
    if rows["p"][better].notna().any():
        none = "but not" if facts["better"] == 1 else "none"
        words["sure"] = {0: f", {none} significantly", facts["better"]: ", significantly"}.get(
            facts["sure"], ", {sure} of them significantly"
        )
    detail = "The highest score, {value:score}, is that of {highest:listed}." if facts["highest"] else ""
    return conclude(text, detail, words=words, **facts)


def _inputs(params, study):
    """What was fused, in words."""
    chosen = study.chosen(params["systems"])
    systems = everyone(len(chosen)) if chosen.all() else digits(int(chosen.sum()), "system")
    if chosen.sum() == 1:
        systems = study.systems[int(np.flatnonzero(chosen)[0])]
    return systems if params["over"] == "systems" else f"the variations of {systems}"


def fusion_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On how many topics the fused run beats the best input, and where it gains and loses most."""
    change = table["difference"].dropna()
    of_systems = not table["system"].any()
    won, lost = int((change > FUZZ).sum()), int((change < -FUZZ).sum())
    facts = {"metric": params["metric"], "method": _way_of(params), "rankings": len(change), "won": won, "lost": lost}
    words = {"input": "the input that is best on average", "unit": "topic" if of_systems else "ranking"}
    if not len(change):
        return too_little("score", **facts)
    if of_systems:
        facts["best"] = table["best"].iloc[0]
        words["input"] = "the best input, {best}" + (" with its variations fused" if params["over"] == "both" else "")
    unit = words["unit"]
    words["all"] = {1: f"the only {unit}", 2: f"both {unit}s"}.get(len(change), f"all {len(change):,} {unit}s")
    words["every"] = f"every {unit}" if len(change) > 1 else words["all"]
    words["of"] = digits(len(change), unit)
    text = "{method} beats {input}, on {won} of {of} and loses to it on {lost}."
    if not lost:
        text = "{method} beats {input}, on {won} of {of} and never loses to it."
    if not won and not lost:
        text = "{method} scores the same as {input}, on {every}."
    elif won == len(change):
        text = "{method} beats {input}, on {all}."
    elif lost == len(change):
        text = "{method} loses to {input}, on {all}."
    elif not won:
        text = "{method} beats {input}, on no {unit} and loses to it on {lost} of {rankings}."
    ends = []
    for count, side, turn, name in ((won, change, "gain", "gained"), (lost, -change, "loss", "lost")):
        if count:
            rows = table.loc[side[side > side.max() - FUZZ].index]
            facts |= {f"{name}_there": abs(rows["difference"].iloc[0]), f"{name}_most": len(rows)}
            facts |= {f"{name}_topic": rows["topic"].iloc[0]}
            facts |= {} if of_systems else {f"{name}_system": rows["system"].iloc[0]}
            where = f"topic {{{name}_topic}}" + ("" if of_systems else f" of {{{name}_system}}")
            where = where if len(rows) == 1 else f"{{{name}_most}} {unit}s"
            ends.append(f"largest {turn}: {where} ({'+' if turn == 'gain' else '−'}{{{name}_there:score}})")
    detail = "; ".join(ends)
    return conclude(text, f"{opening(detail)}." if ends else "", words=words, **facts)


def _way_of(params):
    """What the rule is called."""
    rule = rule_named(params["method"], phi=params["phi"], normalisation=params["normalisation"])
    return way(rule.method.name, rule.says("phi"))


def fusion_by_count(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What more variations buy."""
    means = table.groupby("count")["value"].mean()
    if means.isna().any():
        return too_little("score")
    few, many = means.index[0], means.index[-1]
    facts = {"metric": params["metric"], "method": _way_of(params), "systems": table["system"].nunique()}
    facts |= {"few": int(few), "few_value": means[few], "many": int(many), "many_value": means[many]}
    if many == few:
        return conclude("Fusing {few:digits variation} of each topic scores {few_value:score} on {metric}.", **facts)
    change = means[many] - means[few]
    text = (
        "Fusing more variations {raises} {metric} "
        "from {few_value:score} ({few:digits variation}) to {many_value:score} ({many})."
    )
    if abs(change) <= FUZZ:
        text = "Fusing more variations leaves {metric} at {few_value:score}."
    return conclude(text, words={"raises": "raises" if change > 0 else "lowers"}, **facts)


def fuse(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How much of the fused rankings comes from one input only."""
    if not len(table):
        return conclude("There is nothing to fuse: the runs have no document for these topics.")
    rankings, alone = table.filter(["topic", "query"]).drop_duplicates(), int((table["lists"] == 1).sum())
    facts = {"documents": len(table), "method": _way_of(params), "alone": alone, "rankings": len(rankings)}
    where = "in {rankings} fused rankings"
    if len(rankings) == 1:
        where, facts["topic"] = "of the fused ranking for topic {topic}", table["topic"].iloc[0]
    text = "{alone} of the {documents:digits document} {where} {alone:verb comes/come} from one input only."
    if len(table) == 1:
        text = "The only document {where} comes from {alone:verb one input only/several inputs}."
    return conclude(text, words={"where": where}, **facts)


def letters(ranking: Sequence[tuple[str, float]]) -> Conclusion:
    """What a worked example gives, with = between ties. ranking : (name, value) pairs, best first"""
    if not ranking:
        return conclude("Write at least one letter.")
    places = {}
    for name, value in ranking:
        places.setdefault(value, []).append(name)
    return conclude("The fused ranking is {ranking}.", ranking=" ".join("=".join(sorted(n)) for n in places.values()))


def fusion_methods_by_count(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The method that scores highest with the most variations, on the first metric, and Borda's score there."""
    rows = table[(table["metric"] == table["metric"].iloc[0]) & (table["count"] == table["count"].max())]
    if not rows["value"].notna().any():
        return too_little("score")
    best = rows.loc[rows["value"].idxmax()]
    facts = {"metric": best["metric"], "count": int(best["count"]), "value": best["value"]}
    highest = rows[rows["value"] > best["value"] - FUZZ]
    facts["best"] = [way(row.method, row.phi) for row in highest.itertuples()]
    fused = "With {count:digits variation} fused, "
    text = fused + "{best:listed} {best:verb scores/score} highest on {metric}: {value:score}."
    if len(highest) == len(rows) > 1:
        return conclude(fused + "all methods score {value:score} on {metric}.", **facts)
    borda = rows.loc[rows["method"] == "borda", "value"]
    if len(rows) == 1 or "borda" in list(highest["method"]) or not len(borda):
        return conclude(text, **facts)
    p = best["p_against_borda"]
    facts |= {"borda": borda.iloc[0], "p": 2 * min(p, 1 - p)}
    detail = "Borda scores {borda:score} (t-test of the difference, p {p:chance})."
    return conclude(text, detail if known(facts["p"]) else "Borda scores {borda:score}.", **facts)


def double_fusion(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What fusing variations and systems gains on the first metric, with the method that scores highest there."""
    rows = table[table["metric"] == table["metric"].iloc[0]]
    if not rows["over_both"].notna().any():
        return too_little("score")
    best = rows.loc[rows["over_both"].idxmax()]
    facts = {"method": way(best["method"], best["phi"]), "metric": best["metric"], "both": best["over_both"]}
    facts |= {name: best[name] for name in ("single", "single_max", "over_systems", "over_variations")}
    words = {"against": "against"}
    if known(best["gain"]):
        facts["more"] = abs(best["gain"])
        words["against"] = "{more:share} more than" if best["gain"] >= 0 else "{more:share} less than"
    text = (
        "Fusing variations and systems scores {both:score} on {metric}, {against} {single:score} without fusion "
        "({method})."
    )
    detail = (
        "Fusing only systems scores {over_systems:score}; only variations, {over_variations:score}; "
        "the best system and variation without fusion, {single_max:score}."
    )
    return conclude(text, detail, words=words, **facts)
