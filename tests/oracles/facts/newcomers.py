"""The facts of newcomers."""

from .plain import known, mean


def leave_out(rows, asked, case):
    rows = [row | {"fall": row["rank_without"] - row["rank"]} for row in rows if known(row["value"])]
    if not rows:
        return {}
    facts = {"change": mean(row["value_without"] - row["value"] for row in rows)}
    facts |= {"unexplained": case.unexplained()} if case.unexplained() > 0 else {}
    places = max(row["fall"] for row in rows)
    if places <= 0:
        return facts
    return facts | {"systems": [row["system"] for row in rows if row["fall"] == places], "places": places}


def bias_by_width(rows, asked, case):
    first, last = rows[0], rows[-1]
    facts = {"narrow": first["width"], "narrow_bias": first["mean"]}
    return facts | ({"wide": last["width"], "wide_bias": last["mean"]} if len(rows) > 1 else {})


SPOKEN = {
    "unadjusted": "left as it is",
    "condensed": "unjudged documents taken out",
    "from systems": "corrected from other systems",
    "from topics": "corrected from common topics",
}


def newcomer(rows, asked, case):
    scores = {row["reading"]: row["value"] for row in rows}
    facts = {"system": asked["system"], "unadjusted": scores["unadjusted"]}
    if asked["system"] not in case.pooled or not known(scores["unadjusted"]):
        return facts
    true = scores.pop("true")
    nearest, score = min(scores.items(), key=lambda one: abs(one[1] - true))
    return facts | {"true": true, "nearest": SPOKEN[nearest], "closest": score}


FACTS = {"leave_out": leave_out, "bias_by_width": bias_by_width, "newcomer": newcomer}
ASKED = {
    "leave_out": [{}, {"by": "group"}, {"unjudged": "condensed"}, {"metric": "AP", "depth": 1}, {"metric": "bpref"}],
    "bias_by_width": [
        {"repeats": 3, "widths": [1]},
        {"repeats": 3, "widths": [2, 3], "metric": "AP"},
        {"repeats": 3, "widths": [3, 1], "unjudged": "condensed"},
    ],
    "newcomer": [
        {"system": system, "common": 2} | asked
        for system in ("s0", "s1")
        for asked in ({}, {"metric": "AP"}, {"metric": "bpref", "depth": 1})
    ],
}
