"""The facts of corrections."""

from .plain import FUZZ

SPOKEN = {
    "unadjusted": "leaving it as it is",
    "mixed": "taking true scores on the common topics",
    "from_systems": "correcting from systems",
    "from_topics": "correcting from topics",
}


def adjusted(rows, asked, case):
    return {key: rows[0][key] for key in ("n", "system", "unadjusted", "adjusted", "lower", "upper")}


def adjustment_experiment(rows, asked, case):
    left_open = [row for row in rows if row["mixed"] > FUZZ] or rows
    row = max(left_open, key=lambda row: (row["width"], row["common"]))
    least = min(row[way] for way in SPOKEN)
    best = next(spoken for way, spoken in SPOKEN.items() if row[way] < least + FUZZ)
    return {key: row[key] for key in ("width", "common", *SPOKEN)} | {"best": best}


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
