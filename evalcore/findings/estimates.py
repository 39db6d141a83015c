"""What estimates of unjudged documents show: which comes closest to what deeper judgments show."""

from typing import Any

import pandas as pd

from evalcore.estimating.estimators import counted, estimator_named, in_short
from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.orderings import EQUIVALENT
from evalcore.questions.estimates import judged_deeper, possibly_closest
from evalcore.questions.table_helpers import answering
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, opening, written


def estimator_error(table: pd.DataFrame, params: dict[str, Any], study: Study, depth: int | None = None) -> Conclusion:
    """Which estimator comes closest, or may. depth : one of the table's; None = its first"""
    depth = table["depth"].iloc[0] if depth is None else depth
    at = table[(table["depth"] == depth) & table["rmse"].notna()]
    if not len(at):
        return too_little("score")
    rmse, width, closest = at.set_index("estimator")["rmse"], at["reference_width"].iloc[0], possibly_closest(at)
    facts = {"depth": depth, "metric": params["metric"], "closest": closest, "guesses": len(at)}
    facts |= {"width": width, "rmse": rmse.min(), "plain": rmse.get("lower", float("nan"))}
    alike = width <= FUZZ and rmse[closest].max() <= rmse.min() + FUZZ  # inside an interval no two are known to be
    words = {"size": "at least {rmse:at_least}", "plain_size": "at least {plain:at_least}"}
    if width <= FUZZ:
        words = {"size": "{rmse:score}", "plain_size": "{plain:score}"}
    elif rmse.min() < 0.001:  # only a lower limit is known, and that is nothing
        words["size"] = "possibly under .001"
    off = "is typically off by at least {rmse:at_least}"
    if width <= FUZZ:
        off = "is typically off by {rmse:score}"
    elif rmse.min() < 0.001:
        off = "may be off by less than .001"
    best_to = f"is to count unread documents {counted(closest[0])}"
    plainly = f"At depth {{depth}}, the best guess {best_to}. This {off}."
    detail = "Its error (RMSE) is {size}."
    if "lower" in rmse and "lower" not in closest:
        detail = "Its error (RMSE) is {size}; counted as not relevant, it is {plain_size}."
        plainly = f"{plainly.removesuffix('.')}; counting them as not relevant, by {{plain_size}}."
    if len(at) == 1:
        text = "The error (RMSE) of {closest:listed} at depth {depth} is {size}."
        plainly = f"At depth {{depth}}, counting unread documents {counted(closest[0])} {off}."
        return conclude(text, caveats=_caveats(params), plainly=plainly, words=words, **facts)
    if alike and len(closest) > 1:
        words["all"] = "both" if len(at) == 2 else "all {guesses}"
        text = "the estimators {closest:listed} come closest to the scores with all judgments, with the same error."
        if len(closest) == len(at):
            text = "{all} estimators come equally close to the scores with all judgments."
        detail = "Their error (RMSE) is {rmse:score}."
        several = "{all} guesses are equally good"
        if len(closest) < len(at):
            several = f"{len(closest)} guesses are best, and equally good"
        plainly = f"At depth {{depth}}, {several}. Each {off}."
    elif closest == ["lower"]:
        text = "no estimator comes closer than counting unjudged documents as not relevant."
        plainly = f"At depth {{depth}}, no guess is better than counting unread documents as not relevant. This {off}."
    elif len(closest) == 1:
        text = "the estimator {closest:listed} comes closest to the scores with all judgments."
    else:
        facts["best"] = [name for name in closest if rmse[name] <= rmse.min() + FUZZ]
        facts |= {"rivals": closest[len(facts["best"]) :], "others": len(closest) - len(facts["best"])}
        words["size"] = "RMSE {rmse:score}" if rmse.min() >= 0.001 else "RMSE under .001"
        label = estimator_named(facts["best"][0])[0].label if len(facts["best"]) == 1 else ""
        words["label"] = f" ({label})" if label else ""
        text = "{best:listed}{label} {best:verb has/have} the least error so far ({size})."
        if not facts["rivals"]:
            text = "{best:listed} {best:verb has/have} the least error ({size}); each could be closest."
        detail = "Even with all judgments, {metric} is known only to within {width:width} on average."
        if params["reference_depth"]:
            facts["ranks"] = params["reference_depth"]
            detail = (
                "The top {ranks:digits rank} of the reference determine {metric} only to within {width:width} on "
                "average."
            )
        if facts["rivals"]:
            detail = "Once everything is judged, {rivals:listed} could be as close."
        off = "is typically off by {rmse:score}" if rmse.min() >= 0.001 else off
        so_far = f"At depth {{depth}}, the best guess so far {best_to}. This {off}"
        if len(facts["best"]) > 1:
            so_far = f"At depth {{depth}}, {len(facts['best'])} guesses are best so far. Each {off}"
        plainly = f"{so_far}, but {{others:digits other guess/other guesses}} may be as good."
        if not facts["rivals"]:
            plainly = f"{so_far}, and each may be the best."
    return conclude(
        "At depth {depth}, " + text, detail, plainly=plainly, caveats=_caveats(params), words=words, **facts
    )


SWAPPED = {
    False: "{least} of {pairs:digits system pair} are swapped",
    True: "{least} of {pairs:digits system pair} is swapped",
}
ORDERED = {  # column -> whether more is better, and how the sentences write it
    "tau_distance": (False, SWAPPED[False], "{plain}"),
    "tau": (True, "the correlation (tau-b) is {least:score}", "{plain:score}"),
    "distance": (False, "the weighted distance is {least:short}", "{plain:short}"),
    "distance_per_pair": (False, "the weighted distance is {least:finely} per pair", "{plain:finely}"),
}


def estimator_agreement(
    table: pd.DataFrame, params: dict[str, Any], study: Study, depth: int | None = None, by: str = "tau_distance"
) -> Conclusion:
    """Which estimator orders the systems most like all judgments.

    depth : one of the table's; None = its first; by : the column that the sentences are about
    """
    depth = table["depth"].iloc[0] if depth is None else depth
    at = table[(table["depth"] == depth) & table[by].notna()]
    if not len(at):
        return too_little("order")
    more_is_better, amount, plain = ORDERED[by]
    column = "inversions" if by == "tau_distance" else by
    values = at.set_index("estimator")[column]
    least = values.max() if more_is_better else values.min()
    best = list(values.index[(values - least).abs() <= FUZZ])
    facts = {"depth": depth, "estimators": len(at), "best": best, "least": least, "pairs": at["pairs"].iloc[0]}
    facts |= {"plain": values.get("lower", float("nan"))}
    caveats = _too_shallow(at["tau_final"].iloc[0], params["metric"])
    amount = SWAPPED[1 in (least, facts["pairs"])] if by == "tau_distance" else amount
    swapped, guess = f" {amount}." if by == "tau_distance" else "", counted(best[0])
    words = {"amount": amount, "Amount": opening(amount), "all": "both" if len(at) == 2 else "all {estimators}"}
    if len(at) == 1:
        text = "At depth {depth}, {amount} with {best:listed}, compared with all judgments."
        plainly = f"At depth {{depth}}, unread documents are counted {guess}.{swapped}" if swapped else ""
        return conclude(text, plainly=plainly, words=words, caveats=caveats, **facts)
    detail = "{Amount}."
    if known(facts["plain"]) and "lower" not in best:
        detail = "{Amount}; with unjudged documents as not relevant, {as_plain}."
        words["as_plain"] = plain
    text = "the estimator {best:listed} orders the systems most like all judgments do."
    plainly = f"counting unread documents {guess} orders the systems most like all judgments do"
    if len(best) == len(at):
        text = "{all} estimators order the systems equally well."
        plainly = "{all} guesses order the systems equally well"
    elif "lower" in best:
        text = "no estimator orders the systems better than counting unjudged documents as not relevant."
        plainly = "no guess orders the systems better than counting unread documents as not relevant"
    elif len(best) > 1:
        text = "the estimators {best:listed} order the systems most like all judgments do."
        plainly = f"{len(best)} guesses order the systems best, and equally well"
    plainly = f"At depth {{depth}}, {plainly}.{swapped}"
    return conclude("At depth {depth}, " + text, detail, plainly=plainly, words=words, caveats=caveats, **facts)


def _too_shallow(tau, metric):
    """A caveat if all judgments are too few for the metric: the model linear, which agrees with them where pools are
    deep, orders the systems differently. As on CW10, pooled to depth 20 [LMC17]. tau : τ-b of the two orderings"""
    text = (
        "Even all judgments are few for {metric}: with the estimator linear, they order the systems differently "
        "(τ-b {tau:score}). Choose a shallower metric."
    )
    return [written(text, {"metric": metric, "tau": tau})] if tau < EQUIVALENT else []


def _caveats(params):
    caveats = ["Each group is left out of the pool in turn."] if params.get("by") == "group" else []
    if params["reference_depth"]:
        caveats.append(f"Only the top {params['reference_depth']} ranks are compared.")
    return caveats


def estimates(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many single estimates agree with all judgments, and the largest error."""
    table = answering(table, study)
    if not len(table):
        return too_little("score")
    facts = {"guess": in_short(params["estimator"]), "metric": params["metric"], "scores": len(table)}
    facts |= {"right": (table["error"] == 0).mean(), "most": table["error"].max()}
    text = (
        "The estimates of {guess} agree with all judgments for {right:share} of {scores:digits score} of systems "
        "on topics."
    )
    if not facts["most"]:
        return conclude(text, caveats=_caveats(params), **facts)
    furthest = table[table["error"] > table["error"].max() - FUZZ]
    facts |= {"furthest": len(furthest), "system": furthest["system"].iloc[0], "topic": furthest["topic"].iloc[0]}
    words = {"where": "{system}, topic {topic}" if len(furthest) == 1 else "{furthest} scores"}
    detail = "The largest error is {most:at_most} ({where})."
    return conclude(text, detail, caveats=_caveats(params), words=words, **facts)


def system_estimates(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many mean estimates are too high, too low and right."""
    if not len(table):
        return too_little("score")
    rows = judged_deeper(answering(table, study))
    above = (rows["value"] > rows["reference_upper"] + FUZZ).sum()
    below = (rows["value"] < rows["reference"] - FUZZ).sum()
    facts = {"guess": in_short(params["estimator"]), "metric": params["metric"], "systems": len(rows)}
    facts |= {"inside": len(rows) - above - below, "above": above, "below": below}
    facts |= {"width": (rows["reference_upper"] - rows["reference"]).mean()}
    words = {"who": "contributing system" if rows["pooled"].any() else "system"}
    words |= {"under": "{below}" if below else "none", "right": "{inside}" if facts["inside"] else "none"}
    text = "The estimator {guess} overestimates {above:digits {who}}, underestimates {under} and is right for {right}."
    if len(rows) == 1:
        words["does"] = "overestimates" if above else "underestimates" if below else "is right for"
        text = "The estimator {guess} {does} the only {who}."
    elif facts["inside"] == len(rows):
        words["all"] = "both" if len(rows) == 2 else "all {systems}"
        text = "The estimator {guess} is right for {all} {who}s."
    elif not above:
        text = "The estimator {guess} underestimates {below:digits {who}}, overestimates none and is right for {right}."
    detail = "“Right” means inside the interval that remains with all judgments ({width:width} wide on average)."
    if params["reference_depth"]:
        facts["ranks"] = params["reference_depth"]
        detail = (
            "“Right” means inside the interval that the top {ranks:digits rank} leave with all judgments "
            "({width:width} wide on average)."
        )
    return conclude(text, detail, caveats=_caveats(params), words=words, **facts)
