"""What judging deeper shows: by pool depth, and by number of judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.scores import leader, leading, leads_plainly, still_to_move
from evalcore.findings.setting import measured
from evalcore.questions.contenders import BY_JUDGING
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, opening, read_alike, width


def at_each_depth(
    sweep: pd.DataFrame, params: dict[str, Any], pool: pd.DataFrame, unanswering: Sequence[str] = ()
) -> list[Conclusion]:
    """The conclusion of every pool depth, in their order.

    sweep, pool : tables of `depth_sweep`, asked with `params`, and `pool` at the same depths, all judgments among them
    unanswering : names of the systems that answer no judged topic
    """
    final, total = sweep[sweep["depth"].isna()], pool["judgments"].max()
    final = {row.system: row.value for row in final.itertuples() if row.system not in unanswering}
    table = sweep.astype(dict.fromkeys(["system", "kind", "could_lead"], object))  # texts are slow to look up
    each = table.groupby("depth", sort=False, dropna=False)
    shares = _shares(each)
    return [
        _at_depth(depth, rows, params, judgments, total, final, shares)
        for (depth, rows), judgments in zip(each, pool["judgments"], strict=True)
    ]


def depth_sweep(sweep: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What the last of the depths shows."""
    each = list(sweep.groupby("depth", sort=False, dropna=False))
    depth, rows = each[-1]
    half = _half(depth, [stop for stop, _ in each])
    shown = [stop for stop in each if stop[0] in (half, depth) or not known(stop[0])]
    setup = {"metric": params["metric"], "estimator": params["estimator"]}
    final = study.means(study.at(unjudged=params["unjudged"]).estimate(**setup)).value
    judged = study.at(depth=int(depth) if known(depth) else None).judgments, study.judgments
    counts = [judgments.count(judgments.scale.judged).sum() for judgments in judged]
    final = {name: value for name, value, answers in zip(study.systems, final, study.answers, strict=True) if answers}
    return _at_depth(depth, rows, params, *counts, final, _shares(shown))  # type: ignore[call-arg]


def _shares(each):
    """depth -> the share of pairs whose intervals do not overlap; None for all judgments."""
    shares = {}
    for depth, rows in each:
        rows = rows[rows["value"].notna()]
        if len(rows) > 1 and rows["kind"].iloc[0] == "bounds":
            decided = orderings.pairs_decided(rows["lower"].to_numpy(), rows["upper"].to_numpy())
            shares[int(depth) if known(depth) else None] = decided
    return shares


HALF = {  # by whether the order of any pair is certain at half the depth
    True: "Judging to depth {half} makes that of at least {half_decided:share} certain.",
    False: "At depth {half} the intervals of all pairs overlap.",
}


PLAINLY = {  # by whether the order of any pair is certain, and whether that with all judgments is known
    (True, True): "At depth {depth}, the order of {sure} is certain; with all judgments, of {sure_at_last}.",
    (True, False): "At depth {depth}, the order of {sure} is certain.",
    (False, True): "At depth {depth}, the intervals of all system pairs overlap; with all judgments, the order of "
    "{sure_at_last} is certain.",
    (False, False): "",
}
PLAINLY_AT_LAST = {  # with all judgments, by whether the share at half the deepest pool is known
    True: "With all judgments, the order of {sure} is certain; at depth {half}, of {sure_at_half}.",
    False: "With all judgments, the order of {sure} is certain.",
}


def _sure(part, share, pairs=""):
    """How a plain sentence calls a share of pairs: a template. share : if it is none of these"""
    called = {"none": part == 0, f"hardly any{pairs}": part < 0.01, f"all{pairs}": part == 1}
    called |= {f"nearly all{pairs}": round(part, 9) > 0.99}
    return next((words for words, is_so in called.items() if is_so), share)


def _half(depth, depths):
    """The deepest of the depths down to half of this one; of all judgments, of the deepest. None without any."""
    depths = [int(depth) for depth in depths if known(depth)]
    deepest = int(depth) if known(depth) else max(depths, default=0)
    return max((depth for depth in depths if 2 * depth <= deepest), default=None)


def _at_depth(depth, rows, params, judgments, total, final, shares):
    """Which share of pairs has intervals that do not overlap, at half the depth too, who leads and who else could;
    without bounds, who leads and how far scores still move, to `final`: name -> score. shares : see `_shares`"""
    rows, metric, estimator = rows[rows["value"].notna()], params["metric"], params.get("estimator", "lower")
    if not len(rows):
        return too_little("score")
    where, at = "with all judgments", {}
    if known(depth):
        where, at = "at depth {depth}", {"depth": int(depth)}
    if rows["kind"].iloc[0] != "bounds":
        text, words, facts = leader(rows, metric, where=f" {where}")
        detail, moving = still_to_move(rows.assign(value_final=rows["system"].map(final))) if at else ("", {})
        swaps = SWAPS[moving["swaps"] > 0] if "swaps" in moving else ""
        plainly = leads_plainly(facts, opening(where)) + swaps
        return conclude(text, detail, plainly=plainly, words=words, **(facts | moving | at))
    could = (rows["could_lead"] == BY_JUDGING) & ~leading(rows)
    rivals = list(rows[could].sort_values("value", ascending=False)["system"]) if params.get("limits", True) else None
    if len(rows) == 1:
        text, words, facts = leader(rows, metric, rivals, f" {where}", estimator=estimator)
        return conclude(text, plainly=leads_plainly(facts, opening(where), estimator), words=words, **(facts | at))
    detail, words, facts = leader(rows, metric, rivals, estimator=estimator)
    facts["decided"] = shares[int(depth) if known(depth) else None]
    facts |= at | ({"judgments": judgments, "total": total} if at else {})
    words |= {"make": "Judging to depth {depth} makes" if at else "All judgments make", "at": where}
    text = "{make} the order of at least {decided:share} of system pairs certain."
    last = shares.get(None)
    facts |= {"decided_at_last": last} if at and known(last) else {}
    words["sure"] = _sure(facts["decided"], "at least {decided:share} of system pairs", " system pairs")
    words |= {"sure_at_last": _sure(last, "at least {decided_at_last:share}")} if at and known(last) else {}
    plainly = PLAINLY[facts["decided"] > 0, known(last) and last > 0]
    if not at:
        plainly = PLAINLY_AT_LAST[_half(depth, shares) is not None] if facts["decided"] else ""
    if len(rows) == 2:
        plainly = ""
        text = "The intervals of the two systems overlap {at}."
        if facts["decided"]:
            text = "The intervals of the two systems do not overlap {at}: their order is certain."
    elif not facts["decided"]:
        text = "The intervals of all system pairs overlap {at}."
    elif half := _half(depth, shares):
        facts |= {"half": half, "half_decided": shares[half]}
        words["sure_at_half"] = _sure(shares[half], "at least {half_decided:share}")
        detail = f"{HALF[shares[half] > 0]} {detail}"
    return conclude(text, detail, plainly=plainly, words=words, **facts)


SWAPS = {  # by whether judging on swaps any pair
    True: " Using all judgments swaps {swaps:digits pair} among the top {top} systems.",
    False: " Using all judgments swaps no pair among the top {top} systems.",
}


def pool(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What judging from the first to the last of the depths buys."""
    first, last = table.iloc[0], table.iloc[-1]
    facts = {"metric": params["metric"], "judgments": last["judgments"], "relevant": last["relevant"]}
    if known(last["depth"]):
        facts["depth"] = int(last["depth"])
    if known(last["pairs_decided"]):
        facts["decided"] = last["pairs_decided"]
    text = FINDS["depth" in facts, "decided" in facts]
    if len(table) == 1 or not known(first["depth"]):
        return conclude(text, **facts)
    facts |= {f"shallow_{name}": first[name] for name in ("judgments", "relevant")} | {"shallow": int(first["depth"])}
    detail, words = "Depth {shallow} ({shallow_judgments:digits judgment}) finds {shallow_relevant}.", {}
    if not known(last["pairs_decided"]) and known(first["change"]) and known(first["inversions"]):
        facts |= {"moved": abs(first["change"]), "swaps": first["inversions"]}
        words["moves"] = "raises" if first["change"] > 0 else "lowers"
        words["pairs"] = "{swaps:digits system pair}" if facts["swaps"] else "no system pair"
        is_final = abs(last["change"]) < FUZZ and not last["inversions"]  # what is compared with all judgments
        words["how"] = "this" if is_final else "using all judgments"
        detail = "Compared with depth {shallow}, {how} {moves} {metric} by {moved:score} on average and swaps {pairs}."
        if not facts["moved"]:
            detail = "Compared with depth {shallow}, {how} leaves the mean {metric} unchanged and swaps {pairs}."
    return conclude(text, detail, words=words, **facts)


FINDS = {  # by whether it is one pool depth, and whether intervals are bounds
    (True, True): "Judging to depth {depth} ({judgments:digits judgment}) finds {relevant:digits relevant document}; "
    "the intervals of {decided:share} of system pairs do not overlap.",
    (True, False): "Judging to depth {depth} ({judgments:digits judgment}) finds {relevant:digits relevant document}.",
    (False, True): "All judgments together ({judgments}) find {relevant:digits relevant document}; "
    "the intervals of {decided:share} of system pairs do not overlap.",
    (False, False): "All judgments together ({judgments}) find {relevant:digits relevant document}.",
}


def trend(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How the mean score and the mean width change as judgments grow, for the first metric and estimator."""
    if not len(table):
        return too_little("score")
    setup = ["metric", "estimator", "pooled"]
    rows = table[(table[setup] == table[setup].iloc[0]).all(axis=1)]
    few, full = rows.iloc[0], rows.iloc[-1]
    words = {"new": "contributing" if few["pooled"] else "new"}
    facts = {"metric": measured(few[setup]), "few": few["judgments"], "few_value": few["value"]}
    text = "The mean {metric} of {new} systems is {few_value:score} with {few:digits judgment}."
    detail = "Their mean interval width is {few_width:width}."
    if len(rows) > 1:
        facts |= {"full": full["judgments"], "full_value": full["value"]}
        text = (
            "The mean {metric} of {new} systems goes from {few_value:score} ({few:digits judgment}) "
            "to {full_value:score} ({full:digits judgment})."
        )
        if read_alike(few["value"], full["value"]):
            text = (
                "The mean {metric} of {new} systems is {few_value:score} both with {few} and with "
                "{full:digits judgment}."
            )
        detail = "Their mean interval width goes from {few_width:width} to {full_width:width}."
        if width(few["width"]) == width(full["width"]):
            detail = "Their mean interval width is {few_width:width} with both."
    if not known(few["value"]):
        return too_little("score")
    if not known(few["width"]):
        return conclude(text, words=words, **facts)
    return conclude(text, detail, words=words, **facts, few_width=few["width"], full_width=full["width"])
