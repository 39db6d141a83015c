"""The facts of corrections."""

from tests.oracles.words import score

from .plain import FUZZ


def adjusted(rows, asked, case):
    row = rows[0]
    facts = {key: row[key] for key in ("n", "system", "unadjusted")}
    if score(row["adjusted"]) == score(row["unadjusted"]):
        return facts
    facts["adjusted"] = row["adjusted"]
    wide, exact = row["lower"] < 0 and row["upper"] > 1, row["upper"] - row["lower"] < FUZZ
    return facts if wide or exact else facts | {"lower": row["lower"], "upper": row["upper"]}


def adjustment_experiment(rows, asked, case):
    left_open = [row for row in rows if row["mixed"] > FUZZ] or rows
    row = max(left_open, key=lambda row: (row["width"], row["common"]))
    if row["unadjusted"] < FUZZ:
        return {"width": row["width"]}
    if row["mixed"] <= FUZZ:
        return {key: row[key] for key in ("width", "common", "unadjusted")}
    return {key: row[key] for key in ("width", "common", "unadjusted", "mixed", "from_systems", "from_topics")}


FACTS = {
    "adjust_from_systems": adjusted,
    "adjust_from_topics": adjusted,
    "adjustment_experiment": adjustment_experiment,
}
SMALL = {"system_samples": 2, "topic_samples": 2}
ASKED = {
    "adjust_from_systems": [
        {"system": "s0"},
        {"system": "s1", "metric": "AP", "level": 0.001},
        {"system": "s2", "unjudged": "condensed"},
    ],
    "adjust_from_topics": [
        {"system": "s0", "common": 2},
        {"system": "s0", "common": 2, "metric": "AP", "level": 0.5},
        {"system": "s0", "common": 2, "unjudged": "condensed", "method": "bootstrap"},
    ],
    "adjustment_experiment": [
        {"widths": [2], "common": [1], **SMALL},
        {"widths": [3, 2], "common": [2, 1, 3], "metric": "AP", "depth": 1, **SMALL},
        {"widths": [2, 3], "common": [1, 2], "unjudged": "condensed", **SMALL},
    ],
}
