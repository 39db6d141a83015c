"""The facts of newcomers."""

from .plain import FUZZ, known, mean


def leave_out(rows, asked, case):
    rows = [row | {"fall": row["rank_without"] - row["rank"]} for row in rows if known(row["value"])]
    if not rows:
        return {}
    losses = [row["value"] - row["value_without"] for row in rows]
    facts = {}
    if any(abs(loss) >= FUZZ for loss in losses):
        facts = {"gain": -mean(losses)} if mean(losses) < -FUZZ else {"loss": mean(losses)}
    places = max(row["fall"] for row in rows)
    furthest = [row for row in rows if row["fall"] == places]
    if places <= 0:
        return facts
    if len(furthest) > 1:
        return facts | {"systems": [row["system"] for row in furthest], "places": places}
    only = furthest[0]
    facts |= {"system": only["system"], "rank": only["rank"], "rank_without": only["rank_without"]}
    return facts | {"places": places}


def bias_by_width(rows, asked, case):
    first, last = rows[0], rows[-1]
    facts = {"narrow": first["width"], "narrow_bias": first["mean"]}
    return facts | ({"wide": last["width"], "wide_bias": last["mean"]} if last["width"] != first["width"] else {})


def newcomer(rows, asked, case):
    scores = {row["reading"].replace(" ", "_"): row["value"] for row in rows}
    facts = {"system": asked["system"]}
    if not known(scores["unadjusted"]):
        return facts
    if asked["system"] not in case.pooled:
        return facts | scores
    facts["true"] = true = scores.pop("true")
    if abs(scores["unadjusted"] - true) < FUZZ:
        return facts
    nearest, score = min(scores.items(), key=lambda one: abs(one[1] - true))
    return facts | {"unadjusted": scores["unadjusted"], nearest: score}


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
