"""How consistently systems rank for the query variations of a topic."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.overlaps import ends
from evalcore.statistics.consistency import sharing_nothing
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, read_alike, written

LEVEL = 0.05
ANSWERS = (0.8, "Mostly"), (0.3, "Partly"), (-1, "Hardly")  # by the mean consistency, or by Kendall's W


def _answer(value):
    return next(word for level, word in ANSWERS if value >= level)


def _extremes(names, consistency, params, answered=False, tied="", **of):
    """Between which values consistency lies, with the names of both ends; tied ones together.

    tied : what several of one value are called, where their names are too long; of : the system, if only one
    """
    values = consistency.set_axis(names).dropna()
    if not len(values):
        return too_little("queries")
    most, least = ends(values)
    facts = {"most": most, "least": least, "highest": values.max(), "lowest": values.min(), "phi": params["phi"]} | of
    words = {"consistency": f"{_answer(values.mean())}: consistency" if answered else "Consistency"}
    words |= {"consistency": "{system}'s consistency"} if of else {}
    words |= {"all": "systems" if answered else tied or "topics", "at_most": "{most:listed}"}
    words["at_least"] = "{least:listed}"
    if tied:  # their names are too long for more than one
        words |= {f"at_{end}": f"{len(facts[end]):,} {tied}" for end in ("most", "least") if len(facts[end]) > 1}
    text = (
        "{consistency} ranges from {lowest:score} ({at_least}) to {highest:score} ({at_most}); 1 = identical rankings."
    )
    if len(values) == 1:
        text = "{consistency} is {highest:score} ({most:listed}; 1 = identical rankings)."
    elif values.max() - values.min() <= FUZZ:
        text = "{consistency} is {highest:score} for all {all} (1 = identical rankings)."
    elif read_alike(values.max(), values.min()):
        text = "{consistency} is {highest:score} for all {all}, to within .001 (1 = identical rankings)."
    return conclude(text, words=words, **facts)


def consistency(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """For which system and topic the rankings are most alike, and for which least."""
    systems = table["system"].unique()
    if len(systems) == 1:
        return _extremes("topic " + table["topic"], table["consistency"], params, tied="topics", system=systems[0])
    names = table["system"] + " on topic " + table["topic"]
    return _extremes(names, table["consistency"], params, tied="pairs of system and topic")


def consistency_of_systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Whether systems are consistent, and which most and least."""
    extremes = _extremes(table["system"], table["consistency"], params, answered=True)
    values = table["consistency"].dropna()
    if not len(values):
        return extremes
    facts, range_of = extremes.facts, "{lowest:score} to {highest:score}"
    if read_alike(values.max(), values.min()):
        range_of = "{highest:score}"
    plainly = f"{_answer(values.mean())}: consistency is {range_of} of 1."
    chosen = np.flatnonzero(study.chosen(params["systems"]))
    nothing = sharing_nothing(study.track.only(chosen, np.arange(study.track.shape[1])), phi=params["phi"])
    if known(nothing):
        facts, plainly = facts | {"nothing": nothing}, f"{plainly} {NOTHING_SHARED}"
    return replace(extremes, facts=facts, plain=written(plainly, facts))


NOTHING_SHARED = "If a topic's rankings shared no document, it would be {nothing:score}."


def consistency_of_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """For which topic systems are most consistent, and for which least."""
    return _extremes("topic " + table["topic"], table["consistency"], params)


def consistency_pairs(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs of systems differ significantly, and from how many the most consistent system does."""
    if not len(table):
        return too_little("systems")
    significant = table["p"] < LEVEL
    facts: dict[str, Any] = {"apart": int(significant.sum()), "pairs": len(table)}
    words = {"test": "(paired t-test, α = .05, uncorrected)"}
    text = "{apart} of {pairs} system pairs {apart:verb differs/differ} significantly in consistency {test}."
    if len(table) == 1:
        text = "The two systems {apart:verb differ/do not differ} significantly in consistency {test}."
    behind = {*table["a"][~(table["difference"] > FUZZ)], *table["b"][~(table["difference"] < -FUZZ)]}
    detail = ""
    for name in {*table["a"], *table["b"]} - behind:
        sure = int(significant[(table["a"] == name) | (table["b"] == name)].sum())
        facts |= {"ahead": name, "sure": sure}
        detail = "{ahead} is the most consistent; it differs significantly from {sure:digits system}."
        if not sure or len(table) == 1:
            detail = "{ahead} is the most consistent."
    return conclude(text, detail, words=words, **facts)


def beside_score(systems: pd.DataFrame, board: pd.DataFrame, metric: str) -> Conclusion:
    """Whether consistent systems are good. systems, board : the tables of `consistency_of_systems` and `leaderboard`"""
    scored = systems[["system", "consistency"]].merge(board[["system", "value"]], on="system").dropna()
    if len(scored) < 2:
        return too_little("systems")
    scored = scored.set_index("system")
    consistent, good = (ends(scored[name])[0] for name in ("consistency", "value"))
    facts = {"consistent": consistent, "good": good, "metric": metric}
    text = "{consistent:listed} {consistent:verb is/are} the most consistent and the best on {metric}."
    if consistent != good:
        text = (
            "{consistent:listed} {consistent:verb is/are} the most consistent; {good:listed} {good:verb is/are} "
            "the best on {metric}."
        )
    return conclude(text, **facts)


CALLED = {"queries": "the number of queries", "variations": "the number of distinct variations"}


def consistency_correlations(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What correlates most with consistency over topics, and whether that may be chance."""
    rows = table[table["rho"].notna()]
    if not len(rows):
        return conclude("No correlation can be computed: the topics are too few or too alike.")
    means = rows.groupby("with", sort=False)["rho"].mean()
    rho = means[means.abs() > means.abs().max() - FUZZ].iloc[0]
    alike = list(means.index[(means - rho).abs() < FUZZ])
    facts = {"names": [CALLED.get(name, name) for name in alike], "rho": rho}
    of_first = rows["n"][rows["with"] == alike[0]]
    facts |= {"systems": len(of_first), "topics": of_first.max(), "fewest_topics": of_first.min()}
    words = {"across": "{topics:digits topic}" if of_first.nunique() == 1 else "{fewest_topics}–{topics} topics"}
    text = (
        "Consistency correlates most with {names:listed} across {across} "
        "(mean Spearman's ρ {rho:score}, {systems:digits system})."
    )
    facts |= {"tests": len(rows), "significant": int((rows["p"] * len(rows) < LEVEL).sum())}  # [Bonferroni]
    how_many = "{significant} of {tests:digits correlation} {significant:verb is/are}"
    how_many = how_many if facts["significant"] else "No correlation is"
    detail = f"{how_many} significant after correcting for many tests (Bonferroni, α = .05)."
    return conclude(text, detail, words=words, **facts)


def topic_agreement(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How far topics agree on which systems are good, or consistent."""
    by = table.set_index("measure")
    w, alpha = by.loc["W"], by.loc["alpha"]
    if not known(w["value"]):
        return too_little("order", of=params["of"])
    facts = {"topics": int(w["n"]), "of": params["of"], "w": w["value"], "p": w["p"], "alpha": alpha["value"]}
    words = {"mostly": _answer(w["value"]).lower(), "chance": "; p {p:chance}" if known(w["p"]) else ""}
    words["good"] = "consistent" if params["of"] == "consistency" else "good on {of}"
    text = "The topics {mostly} agree on which systems are {good} (Kendall's W {w:score}{chance})."
    detail = "W is 0 for no agreement and 1 for full agreement; Krippendorff's α is {alpha:score} (0 = chance)."
    detail = detail if known(alpha["value"]) else "W is 0 for no agreement and 1 for full agreement."
    return conclude(text, detail, words=words, **facts)


def oracle_variation(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What choosing the best query variation is worth."""
    gain = (table["best_query"] - table["all_queries"]).mean()
    if not known(gain):
        return too_little("score")
    facts = {"gain": gain, "metric": params["metric"]}
    return conclude(
        "Choosing each topic's best query variation adds {gain:score} to the mean {metric} of all variations.", **facts
    )
