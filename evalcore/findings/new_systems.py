"""What a system loses by not contributing to the pool."""

from typing import Any

import numpy as np
import pandas as pd

from evalcore.findings.caveats import of_known_depth
from evalcore.findings.conclusion import NOTHING, Conclusion, conclude, too_little
from evalcore.pooling import pool_bias
from evalcore.questions.new_systems import READINGS
from evalcore.questions.table_helpers import answering
from evalcore.study import study_pool
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, read_alike, share

SHOWN = 0.0005  # a smaller difference reads .000
NOTICEABLE = 0.05  # a difference of this size counts by itself (Spärck Jones 1974)


def leave_out(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What being left out of the pool costs on average and at worst, and which system falls furthest."""
    table = answering(table[table["value"].notna()], study)
    if not len(table):
        return too_little("score")
    loss, fall = table["value"] - table["value_without"], table["rank_without"] - table["rank"]
    names, average = list(table["system"]), loss.mean()
    group, unit = (" and its group", "a group") if params["by"] == "group" else ("", "a system")
    facts = {"metric": params["metric"], "change": abs(average), "largest": loss.max(), "places": int(fall.max())}
    facts["most"] = list(table["system"][loss > loss.max() - FUZZ])
    facts["furthest"] = list(table["system"][fall == fall.max()])
    if (loss.abs() < FUZZ).all():
        text = "Yes: leaving {unit} out of the pool changes no score."
        if not table["value"].any():
            text = "Leaving {unit} out of the pool changes no score, as all scores are 0."
        return conclude(text, words={"unit": unit}, **facts)
    outside, caveats = study_pool.unexplained(study, params["depth"]), []
    if average > SHOWN and outside > 0:
        facts["unexplained"] = outside
        caveats = [f"{share(outside)} of the judgments{of_known_depth(study)} lie outside the pool."]
    changes = "less" if abs(average) < SHOWN else "loss" if average > 0 else "gain"
    if len(table) == 1:
        text = "Leaving {only}{group} out of the pool {changes}."
        if facts["places"] > 0:
            text = "Leaving {only}{group} out of the pool {changes} and costs it {places:digits rank}."
        words = {"group": group, "changes": OF_ONE[changes]}
        return conclude(text, words=words, caveats=caveats, only=names[0], **facts)
    facts["gap"] = float(np.median(np.diff(np.sort(table["value"]))))
    words = {"fair": _fair(loss, facts), "unit": unit, "loses": OF_SEVERAL[changes]}
    words["worst"] = "at worst" if changes == "loss" else "the largest loss is"
    words["falls"] = "{furthest:listed} {furthest:verb falls/fall} furthest, by {places:digits rank}."
    text = "{fair}: outside the pool, {unit} {loses} on average; {worst} {largest:score} ({most:listed})."
    detail = "{falls} Systems at neighbouring ranks differ by {gap:width} (median)."
    if facts["places"] <= 0:
        words["falls"] = "No system loses a rank."
    if facts["largest"] <= SHOWN:
        text = "{fair}: outside the pool, {unit} {loses} on average."
    elif facts["most"] == facts["furthest"] and facts["places"] > 0:
        text = (
            "{fair}: outside the pool, {unit} {loses} on average; {worst} {largest:score} and {places:digits rank} "
            "({most:listed})."
        )
        detail = "Systems at neighbouring ranks differ by {gap:width} (median)."
    return conclude(text, detail, plainly=_plainly(changes, facts, unit), words=words, caveats=caveats, **facts)


def _plainly(changes, facts, unit):
    """The same in everyday words: a template. The mean change is compared with the usual gap between neighbours where
    the verdict depends on that."""
    apart, gap = facts["change"] - facts["gap"], ""
    if changes != "less" and min(facts["change"], facts["gap"]) < NOTICEABLE:
        gap = f", {'more' if apart > 0 else 'less'} than the usual gap between neighbours"
        gap = ", as much as the usual gap between neighbours" if abs(apart) < FUZZ else gap
    falls = "{furthest:listed} would fall furthest, by {places:digits rank}."
    if changes == "loss" and facts["most"] != facts["furthest"] and len(facts["most"]) == 1 == len(facts["furthest"]):
        falls = "{most:listed} would lose most, {furthest:listed} fall furthest: {places:digits rank}."
    if facts["places"] <= 0:
        falls = "No system would lose a rank."
    return f"{{fair}}: {unit} outside the pool {WOULD[changes]} on average{gap}. {falls}"


WOULD = {
    "less": "would change by less than .001",
    "loss": "would lose {change:score}",
    "gain": "would gain {change:score}",
}
OF_ONE = {
    "less": "changes its score by less than .001",
    "loss": "lowers its score by {change:score}",
    "gain": "raises its score by {change:score}",
}
OF_SEVERAL = {"less": "changes by less than .001", "loss": "loses {change:score}", "gain": "gains {change:score}"}


def _fair(loss, facts):
    """Whether new systems are treated fairly: not if the mean change is noticeable, or as large as the usual gap
    between neighbours; nearly if a score changes, or a rank is lost."""
    if abs(loss.mean()) >= max(min(facts["gap"], NOTICEABLE), SHOWN):
        return "No"
    return "Nearly" if facts["places"] > 0 or loss.abs().max() > 2 * SHOWN else "Yes"


def bias_by_width(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How far off the first and the last of the pools score a new system; with both treatments of unjudged documents,
    how far off the first pool is with each."""
    if params["unjudged"] == "both":
        return _of_both(table, params, study)
    first, last = table.iloc[0], table.iloc[-1]
    facts = {"depth": params["depth"] or study.depth, "narrow": first["width"], "wide": last["width"]}
    facts |= {"metric": params["metric"], "narrow_bias": abs(first["mean"]), "wide_bias": abs(last["mean"])}
    text = f"A pool of {{narrow:digits system}} {_off(first['mean'], 'narrow_bias')}."
    if len(table) == 1:
        return conclude(text, **facts)
    detail = f"A pool of {{wide:digits system}} {_off(last['mean'], 'wide_bias', 'the score')}."
    if min(abs(first["mean"]), abs(last["mean"])) >= SHOWN and first["mean"] * last["mean"] > 0:
        detail = "A pool of {wide:digits system} does so by {wide_bias:score}."
    elif max(abs(first["mean"]), abs(last["mean"])) < SHOWN:
        detail = "So has a pool of {wide:digits system}."
    return conclude(text, detail, **facts)


def _of_both(table, params, study):
    """How far off the first of the pools scores a new system, with each treatment of unjudged documents."""
    first = table[table["width"] == table["width"].iloc[0]].set_index("unjudged")
    counted, removed = first["mean"]["irrelevant"], first["mean"]["condensed"]
    facts = {"depth": params["depth"] or study.depth, "narrow": int(first["width"].iloc[0]), "metric": params["metric"]}
    facts |= {"narrow_bias": abs(counted), "removed_bias": abs(removed)}
    text = f"A pool of {{narrow:digits system}} {_off(counted, 'narrow_bias')}."
    return conclude(
        text, f"With unjudged documents removed, that pool {_off(removed, 'removed_bias', 'the score')}.", **facts
    )


def _off(bias, name, score="a new system's score"):
    """How far off a score is on average, and to which side; a mean bias of 0 does not mean that scores are right."""
    if abs(bias) < SHOWN:
        return "has a mean bias of less than .001 against a new system"
    return f"{'under' if bias > 0 else 'over'}estimates {score} by {{{name}:score}} on average"


def newcomer(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What a system would score without contributing to the pool, and which reading comes closest to its score."""
    value = table.set_index("reading")["value"]
    _, group = pool_bias.left_out_with(study, params["system"], params["by"])
    words = {"own": "its group's" if group else "its own"}
    facts = {"system": params["system"], "metric": params["metric"], "unadjusted": value["unadjusted"]}
    facts |= {"group": group} if group else {}
    if not known(value["unadjusted"]):
        return too_little("score")
    if not known(value.get("true")):
        text = "As a new system, {system} scores {unadjusted:score}."
        return conclude(
            text, "Its score as a contributing system is not known, so there is nothing to compare.", **facts
        )
    facts["true"] = value["true"]
    if abs(value["unadjusted"] - value["true"]) < SHOWN or read_alike(value["unadjusted"], value["true"]):
        text = "Without {own} contribution to the pool, {system} would still score {true:score}."
        return conclude(text, words=words, **facts)
    words["change"] = "drop" if value["unadjusted"] < value["true"] else "rise"
    text = "Without {own} contribution to the pool, {system} would {change} from {true:score} to {unadjusted:score}."
    shared = params["common"] if isinstance(params["common"], int) else len(params["common"])
    unused = (
        ["true"] if shared < table["n"].iloc[0] else ["true", "from topics"]
    )  # of all topics, this is its true score
    detail, nearest = _nearest(value.drop(unused, errors="ignore"), value["true"], "the first score")
    return conclude(text, detail, words=words, **facts, **nearest)


def _nearest(readings, reference, score="that score"):
    """Which readings come closest to a score: a template and its facts.

    readings : a series by name; score : what the sentence calls it
    """
    off = (readings - reference).abs()
    best = readings[off <= off.min() + FUZZ]
    facts = {"nearest": [READINGS[name] for name in best.index], "closest": best.iloc[0]}
    if len(best) == len(readings) > 1:
        return f"All estimates of {score} are equally close.", {}
    if best.max() - best.min() > FUZZ:  # above it and below
        return f"The closest estimates of {score}: {{nearest:listed 4}}.", facts
    if len(best) > 1:
        return f"The closest estimates of {score}: {{nearest:listed 4}} ({{closest:score}}).", facts
    return f"The closest estimate of {score} is “{{nearest:listed 4}}”: {{closest:score}}.", facts


def beside_reference(table: pd.DataFrame, params: dict[str, Any], reference: float, judgments: str) -> Conclusion:
    """What a system scores with the reference judgments, and which reading comes closest; nothing without a score.

    table, params : of one new system; reference : that score; judgments : "with all judgments", or "with the
    complete judgments"
    """
    if not known(reference):
        return NOTHING
    readings = table.set_index("reading")["value"].drop("true", errors="ignore").dropna()
    facts = {"system": params["system"], "metric": params["metric"], "final": reference}
    detail, nearest = _nearest(readings, reference)
    text = "{system} scores {final:score} {judgments}."
    return conclude(text, detail, words={"judgments": judgments}, **facts, **nearest)
