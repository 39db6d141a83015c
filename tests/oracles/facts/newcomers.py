"""The facts of newcomers."""

from .plain import FUZZ, by_what, known, mean


def leave_out(rows, asked, case):
    rows = [row | {"fall": row["rank_without"] - row["rank"]} for row in rows if known(row["value"])]
    if not rows:
        return {}
    facts, lost = by_what(asked), {row["system"]: row["value"] - row["value_without"] for row in rows}
    if all(abs(loss) < FUZZ for loss in lost.values()):
        return facts
    average, largest, places = mean(lost.values()), max(lost.values()), max(row["fall"] for row in rows)
    facts |= {"change": abs(average)} if abs(average) >= SHOWN else {}
    facts |= {"only": rows[0]["system"]} if len(rows) == 1 else {}
    if largest > SHOWN and len(rows) > 1:
        facts |= {"largest": largest, "most": [name for name, loss in lost.items() if largest - loss < FUZZ]}
    if places > 0 and len(rows) == 1:
        facts |= {"places": places}
    elif places > 0:
        facts |= {"furthest": [row["system"] for row in rows if row["fall"] == places], "places": places}
    outside = case.unexplained(asked["depth"])
    return facts | ({"unexplained": outside} if outside > 0 and average > SHOWN else {})


def bias_by_width(rows, asked, case):
    first, last = rows[0], rows[-1]
    facts = {"metric": asked["metric"], "depth": asked["depth"] or case.depth, "narrow": first["width"]}
    facts |= {"wide": last["width"]} if len(rows) > 1 else {}
    for name, row in (("narrow_bias", first), ("wide_bias", last))[: len(rows)]:
        facts |= {name: abs(row["mean"])} if abs(row["mean"]) >= SHOWN else {}
    return facts


SHOWN = 0.0005
SPOKEN = {
    "unadjusted": "left as it is",
    "condensed": "unjudged documents taken out",
    "from systems": "corrected from other systems",
    "from topics": "corrected from common topics",
}


def group_of(asked, case):
    """The group that a system is left out with."""
    group = dict(zip(case.systems, case.groups, strict=True))[asked["system"]]
    return {"group": group} if asked["by"] == "group" and group else {}


def newcomer(rows, asked, case):
    scores = {row["reading"]: row["value"] for row in rows}
    facts = by_what(asked) | {"system": asked["system"], "unadjusted": scores["unadjusted"]}
    facts |= group_of(asked, case)
    if asked["system"] not in case.pooled or not known(scores["unadjusted"]):
        return facts
    true = scores.pop("true")
    if asked["common"] >= rows[0]["n"]:  # then it is the true score
        scores.pop("from topics", None)
    if abs(true - scores["unadjusted"]) < SHOWN:
        return facts
    return facts | {"true": true} | nearest(scores, true)


def nearest(scores, final):
    """Which readings come closest to a score, unless all of them do, and what they give where it is one score."""
    least = min(abs(score - final) for score in scores.values())
    best = {name: score for name, score in scores.items() if abs(score - final) <= least + FUZZ}
    facts = {"nearest": [f"“{SPOKEN[name]}”" for name in best]} if len(best) < len(scores) or len(scores) == 1 else {}
    one_score = max(best.values()) - min(best.values()) < FUZZ
    return facts | ({"closest": next(iter(best.values()))} if one_score else {})


FACTS = {"leave_out": leave_out, "bias_by_width": bias_by_width, "newcomer": newcomer}
ASKED = {
    "leave_out": [
        {},
        {"by": "group"},
        {"unjudged": "condensed"},
        {"metric": "AP", "depth": 1},
        {"metric": "P@2", "depth": 2},
        {"metric": "bpref"},
    ],
    "bias_by_width": [
        {"repeats": 3, "widths": [1]},
        {"repeats": 3, "widths": [2, 3], "metric": "AP"},
        {"repeats": 3, "widths": [3, 1], "unjudged": "condensed", "depth": 2},
    ],
    "newcomer": [
        {"system": system, "common": 2} | asked
        for system in ("s0", "s1")
        for asked in ({}, {"metric": "AP", "by": "group"}, {"metric": "bpref", "depth": 1})
    ],
}
