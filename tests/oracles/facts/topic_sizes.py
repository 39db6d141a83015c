"""The facts of how many topics are needed."""

from .plain import known


def topics_needed(rows, asked, case):
    facts = {"topics": rows[0]["n"], "smallest": rows[0]["difference"]}
    smaller = [row for row in rows[1:] if row["difference"] < 0.75 * rows[0]["difference"]]
    if smaller:
        facts |= {"difference": smaller[-1]["difference"], "needed": smaller[-1]["topics_needed"]}
    return facts


def topics_or_depth(rows, asked, case):
    rows = [row for row in rows if known(row["difference"])]
    alike = [row for row in rows if not row["tau"] < 0.9]
    if len(alike) < 2 and len(rows) > len(alike):
        return {}
    rows = alike
    best = min(rows, key=lambda row: max(row["difference"], row["mean_width"] if known(row["mean_width"]) else 0))
    facts = best | {"smallest": best["difference"], "width": best["mean_width"]}
    return facts | {"last": rows[-1]["difference"], "last_width": rows[-1]["mean_width"]}


ASKED = {
    "topics_needed": [
        {}, {"metric": "AP", "power": 0.9}, {"differences": [0.5, 0.1], "level": 0.01}, {"design": "anova"},
        {"design": "width", "differences": [0.5, 0.1]},
    ],
    "topics_or_depth": [{}, {"metric": "AP", "budget": 20}, {"depths": [1, None], "power": 0.5}],
}  # fmt: skip
