"""The facts of corrections."""

from .new_systems import group_of
from .plain import FUZZ, by_what

SPOKEN = {
    "unadjusted": "not correcting",
    "mixed": "using true scores on fully judged topics",
    "from_systems": "correcting from systems",
    "from_topics": "correcting from topics",
}


def adjusted(rows, asked, case):
    facts = {key: rows[0][key] for key in ("n", "system", "unadjusted", "adjusted", "lower", "upper")}
    return facts | by_what(asked) | group_of(asked, case) | {"sure": 100 - 100 * asked["level"]}


def from_topics(rows, asked, case):
    rest = len([topic for topic in case.topics if case.qrels.get(topic)]) - rows[0]["n"]
    return adjusted(rows, asked, case) | {"rest": rest}


def adjustment_experiment(rows, asked, case):
    left_open = [row for row in rows if row["mixed"] > FUZZ] or rows
    row = max(left_open, key=lambda row: (row["width"], row["common"]))
    least = min(row[way] for way in SPOKEN)
    best = [spoken for way, spoken in SPOKEN.items() if row[way] < least + FUZZ]
    return {key: row[key] for key in ("width", "common", *SPOKEN)} | {
        "best": best, "least": least, "metric": asked["metric"], "depth": asked["depth"] or case.depth,
    }  # fmt: skip


FACTS = {
    "adjust_from_systems": adjusted,
    "adjust_from_topics": from_topics,
    "adjustment_experiment": adjustment_experiment,
}
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
