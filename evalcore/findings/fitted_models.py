"""What shallow judgments can be fitted to: the constants C and E, gains by rank, the gamma test, two strata."""

from typing import Any

import pandas as pd

from evalcore.estimating.estimators import estimator_named, in_short
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.fitted_models import at_first_depth, published, shallow_depth
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, read_alike


def constants(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The C and E that fit best, and how well the published ones fit."""
    C, E = published(params["estimator"])
    best, near = table[table["best"]].iloc[0], ((table["C"] - C).abs() + (table["E"] - E).abs()).idxmin()
    facts = {"estimator": estimator_named(params["estimator"])[0].name, "metric": params["metric"]}
    facts |= {"C": best["C"], "E": best["E"], "rmse": best["rmse_plain"], "published_C": C, "published_E": E}
    facts |= {"published_rmse": table["rmse_plain"][near]}
    facts["equal"] = (table["rmse_plain"] <= best["rmse_plain"] + FUZZ).sum() - 1
    text = (
        "The estimator {estimator} has the least error with C = {C:short} and E = {E:short} "
        "(RMSE {rmse:score} for {metric})."
    )
    exactly = abs(table["C"][near] - C) + abs(table["E"][near] - E) < FUZZ
    words = {"which": "published" if exactly else "pair nearest to the published", "error": "{published_rmse:score}"}
    if read_alike(facts["rmse"], facts["published_rmse"]):
        words["error"] = "as small, to within .001"
    detail = "With the {which} C = {published_C:short}, E = {published_E:short}, the error is {error}."
    if facts["equal"]:
        text = (
            "The estimator {estimator} has the least error (RMSE {rmse:score}) with C = {C:short} and E = {E:short}, "
            "or with {equal:digits other pair}."
        )
    return conclude(text, detail, words=words, **facts)


def rank_models(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What the runs gain where they were judged, and what the curves expect further down."""
    judged, last = table[table["observed"].notna()], table.iloc[-1]
    first, deepest = judged.iloc[0], judged.iloc[-1]
    facts = {"topic": params["topic"] or study.judged_topic_names[0], "first": first["observed"]}
    facts |= {"deepest": deepest["observed"], "judged": deepest["rank"], **last[["rank", *RANK_MODELS]]}
    text = (
        "On topic {topic}, the mean gain goes from {first:score} (rank 1) to {deepest:score} "
        "(rank {judged}, the last judged)."
    )
    if len(judged) == 1:
        text = "On topic {topic}, the mean gain is {first:score} at rank 1, the last judged rank."
    elif read_alike(first["observed"], deepest["observed"]):
        text = (
            "On topic {topic}, the mean gain is {first:score} at the first rank and at the last judged (rank {judged})."
        )
    expected = ", ".join(f"{model} {{{model}:score}}" for model in RANK_MODELS)
    return conclude(text, f"The curves expect at rank {{rank}}: {expected}.", **facts)


def coverage(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On how many topics the gamma test lets a model estimate at the first depth."""
    if not len(table):
        return too_little("judgments")
    first = at_first_depth(table)
    facts = {"topics": len(first), "guessed": first["adjusted"].sum(), "highest": first["gamma"].max()}
    facts |= {"theta": params["theta"], "left": len(first) - facts["guessed"]}
    where, at = _where(first["depth"].iloc[0])
    if params["theta"] == 0:
        text = "With a threshold of 0, a model estimates the unjudged documents of {topics:digits topic} {where}."
        return conclude(text, "The highest gamma is {highest:short}.", words={"where": where}, **facts, **at)
    text = (
        "{guessed} of {topics:digits topic} {guessed:verb passes/pass} the gamma test "
        "{where}, so a model estimates {guessed:verb its/their} unjudged documents."
    )
    if not facts["guessed"]:
        text = "No topic passes the gamma test {where}, so unjudged documents count as not relevant."
    detail = "A topic passes if its gamma is above {theta:short}; the highest gamma is {highest:short}."
    return conclude(text, detail, words={"where": where}, **facts, **at)


def _where(depth, name="depth"):
    """How a template names a pool depth, and its fact; none for all judgments."""
    return (f"at depth {{{name}}}", {name: int(depth)}) if known(depth) else ("with all judgments", {})


def error_by_theta(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The threshold with the least error at the first depth, against adjusting every topic."""
    first = at_first_depth(table)
    first = first[first["rmse"].notna()]
    if not len(first):
        return too_little("score")
    best, start = first.loc[first["rmse"].idxmin()], first.iloc[0]
    facts = {"model": in_short(params["estimator"]), "depth": first["depth"].iloc[0], "theta": best["theta"]}
    facts |= {"rmse": best["rmse"], "first": start["theta"], "first_rmse": start["rmse"]}
    facts |= {"topics": best["topics"], "of": best["n"], "most": first["rmse"].max()}
    if len(first) == 1:
        text = "The error (RMSE) of {model} with theta = {theta:short} at depth {depth} is {rmse:score}."
        return conclude(
            text, "The model is used for {topics} of {of:digits topic} (those that pass the gamma test).", **facts
        )
    if facts["most"] - facts["rmse"] <= FUZZ:
        text = "The threshold theta makes no difference: at depth {depth}, the error (RMSE) of {model} is {rmse:score}."
        return conclude(text, **facts)
    if best["theta"] == start["theta"]:
        text = (
            "At depth {depth}, {model} has the least error (RMSE {rmse:score}) with the least threshold, "
            "theta = {theta:short}."
        )
        return conclude(text, "With other thresholds, the error is up to {most:score}.", **facts)
    text = "At depth {depth}, {model} has the least error (RMSE {rmse:score}) with theta = {theta:short}."
    detail = "With theta = {first:short}, the error is {first_rmse:score}. "
    return conclude(text, f"{detail}{_passing(facts)} the gamma test with the best threshold.", **facts)


def _passing(facts):
    return "{topics} of {of:digits topic} " + ("passes" if 1 in (facts["topics"], facts["of"]) else "pass")


def gamma_by_depth(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The mean gamma at the shallowest and at the deepest pool."""
    rows = table[table["gamma"].notna()]
    if not len(rows):
        return too_little("judgments")
    first, last = rows.iloc[0], rows.iloc[-1]
    facts = {"first": first["gamma"], "topics": first["topics"], "of": first["n"], "theta": params["theta"]}
    words, text = {"pass": _passing(facts)}, "The mean gamma is {first:finely} {where}."
    words["where"], at = _where(first["depth"])
    if len(rows) > 1:
        facts["last"] = last["gamma"]
        words["until"], deepest = _where(last["depth"], "deepest")
        at |= deepest
        text = "The mean gamma goes from {first:finely} ({where}) to {last:finely} ({until})."
    detail = "{pass} the gamma test (threshold theta = {theta:short}) {where}."
    return conclude(text, detail, words=words, **facts, **at)


def two_strata(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which use of the samples orders the systems most like all judgments, against the shallow pool alone."""
    means = table.groupby("estimator", sort=False)[["tau_distance", "rmse", "judgments", "reference_width"]].mean()
    alone, uses = means.loc["pool"], means.drop(["pool", "infAP"])
    if not known(alone["rmse"]):
        return too_little("score")
    swapped = uses["tau_distance"].min()
    facts = {"more": round(means["judgments"].max() - alone["judgments"]), "metric": params["metric"]}
    facts |= {"depth": shallow_depth(study, params["depth"]), "swapped": swapped}
    facts |= {"ordering": list(uses.index[uses["tau_distance"] <= swapped + FUZZ])}
    facts |= {"swapped_alone": alone["tau_distance"], "swapped_AP": means.loc["infAP", "tau_distance"]}
    text = "{swapped:share} of system pairs are swapped after sampling {more:digits more judgment} below depth {depth}."
    if not facts["more"]:
        text = "Sampling adds no judgment below depth {depth}; {swapped:share} of system pairs are swapped."
    detail = (
        "This is the result of {ordering:listed}. Without sampling, {swapped_alone:share} are swapped; with infAP, "
        "{swapped_AP:share} (compared with AP)."
    )
    return conclude(text, detail, **facts)
