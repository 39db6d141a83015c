"""The facts of corrections."""

from .new_systems import group_of
from .plain import FUZZ

SPOKEN = {
    "unadjusted": "not correcting",
    "mixed": "using true scores on fully judged topics",
    "from_systems": "correcting from systems",
    "from_topics": "correcting from topics",
}


def adjust_from_systems(rows, asked, case):
    return rows[0] | group_of(asked, case) | {"sure": 100 - 100 * asked["level"]}


def adjust_from_topics(rows, asked, case):
    rest = len([topic for topic in case.topics if case.qrels.get(topic)]) - rows[0]["n"]
    return adjust_from_systems(rows, asked, case) | {"rest": rest}


def adjustment_experiment(rows, asked, case):
    left_open = [row for row in rows if row["mixed"] > FUZZ] or rows
    row = max(left_open, key=lambda row: (row["width"], row["common"]))
    least = min(row[way] for way in SPOKEN)
    best = [spoken for way, spoken in SPOKEN.items() if row[way] < least + FUZZ]
    return row | {"best": best, "least": least, "depth": asked["depth"] or case.depth}


SMALL = {"system_samples": 2, "topic_samples": 2}
ASKED = {
    "adjust_from_systems": [
        {"system": "s0"},
        {"system": "s1", "metric": "AP", "level": 0.001},
        {"system": "s2", "unjudged": "condensed"},
        {"system": "s0", "by": "group", "depth": 2},
    ],
    "adjust_from_topics": [
        {"system": "s1", "common": 2, "by": "group", "depth": 1},
        {"system": "s0", "common": 2},
        {"system": "s0", "common": 2, "metric": "AP", "level": 0.5},
        {"system": "s0", "common": 2, "unjudged": "condensed", "method": "bootstrap"},
    ],
    "adjustment_experiment": [
        {"widths": [2], "common": [1], **SMALL},
        {"widths": [3, 2], "common": [2, 1, 3], "metric": "AP", "depth": 1, **SMALL},
        {"widths": [2, 3], "common": [1, 2], "unjudged": "condensed", **SMALL},
        {"widths": [2], "common": [1, 2], "best": 2, "pools": "all", **SMALL},
    ],
}
