"""The facts of new systems."""

from itertools import pairwise
from statistics import median

from .plain import FUZZ, known, mean, of_answering


def leave_out(rows, asked, case):
    rows = of_answering([row for row in rows if known(row["value"])], case)
    rows = [row | {"fall": row["rank_without"] - row["rank"]} for row in rows]
    if not rows:
        return {}
    lost = {row["system"]: row["value"] - row["value_without"] for row in rows}
    largest, places = max(lost.values()), max(row["fall"] for row in rows)
    facts = {"only": rows[0]["system"], "change": abs(mean(lost.values())), "largest": largest, "places": places}
    facts |= {"most": [name for name, loss in lost.items() if largest - loss < FUZZ]}
    facts |= {"furthest": [row["system"] for row in rows if row["fall"] == places]}
    values = sorted(row["value"] for row in rows)
    gaps = [above - below for below, above in pairwise(values)]
    facts |= {"gap": median(gaps)} if gaps else {}
    return facts | {"unexplained": case.unexplained(asked["depth"])}


def bias_by_width(rows, asked, case):
    first, last = rows[0], rows[-1]
    facts = {"depth": asked["depth"] or case.depth, "narrow": first["width"]}
    if asked["unjudged"] == "both":
        of = {row["unjudged"]: abs(row["mean"]) for row in rows if row["width"] == first["width"]}
        return facts | {"narrow_bias": of["irrelevant"], "removed_bias": of["condensed"]}
    return facts | {"narrow_bias": abs(first["mean"]), "wide_bias": abs(last["mean"]), "wide": last["width"]}


SHOWN = 0.0005
SPOKEN = {
    "unadjusted": "uncorrected",
    "condensed": "unjudged documents removed",
    "from systems": "corrected from other systems",
    "from topics": "corrected from fully judged topics",
}


def group_of(asked, case):
    """The group that a system is left out with."""
    group = dict(zip(case.systems, case.groups, strict=True))[asked["system"]]
    return {"group": group} if asked["by"] == "group" and group else {}


def newcomer(rows, asked, case):
    scores = {row["reading"]: row["value"] for row in rows}
    facts = {"unadjusted": scores["unadjusted"]} | group_of(asked, case)
    if asked["system"] not in case.pooled or not known(scores["unadjusted"]):
        return facts
    true = scores.pop("true")
    if asked["common"] >= rows[0]["n"]:  # then it is the true score
        scores.pop("from topics", None)
    facts["true"] = true
    return facts | (nearest(scores, true) if scores else {})


def nearest(scores, final):
    """Which readings come closest to a score, unless all of them do, and what they give where it is one score."""
    least = min(abs(score - final) for score in scores.values())
    best = {name: score for name, score in scores.items() if abs(score - final) <= least + FUZZ}
    return {"nearest": [SPOKEN[name] for name in best], "closest": next(iter(best.values()))}


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
        {"repeats": 3, "widths": [1, 2], "unjudged": "both"},
    ],
    "newcomer": [
        {"system": system, "common": 2} | asked
        for system in ("s0", "s1")
        for asked in ({}, {"metric": "AP", "by": "group"}, {"metric": "bpref", "depth": 1})
    ],
}
