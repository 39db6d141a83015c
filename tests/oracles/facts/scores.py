"""The facts of scores."""

from .plain import FUZZ, first_largest, first_least, first_place, known, mean, of_answering, still_to_move


def leaderboard(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    best = max(row["value"] for row in rows)
    others = [row for row in rows if best - row["value"] >= FUZZ]
    answering = of_answering(rows, case)
    return (
        first_place(rows, asked)
        | still_to_move(answering, asked)
        | {
            "others": sum(row["could_lead"] == "yes" for row in others),
            "rivals": [row["system"] for row in others if row["could_lead"] == "yes"],
            "reach": max((row["upper_listed"] for row in others if row["could_lead"] == "yes"), default=None),
            "only_past_end": sum(row["could_lead"] == "past the end" for row in others),
            "longer": [row["system"] for row in others if row["could_lead"] == "past the end"],
            "past": mean(row["upper"] - row["upper_listed"] for row in answering),
            "width": mean(row["upper"] - row["lower"] for row in answering),
        }
    )


def scores(rows, asked, case):
    rows = of_answering([row for row in rows if known(row["value"])], case)
    if not rows:
        return {}
    facts = {"systems": list(dict.fromkeys(row["system"] for row in rows))}
    unit = "query" if "query" in rows[0] else "topic"
    for name, end in ("best", first_largest(rows, "value")), ("worst", first_least(rows, "value")):
        alike = [row for row in rows if abs(row["value"] - end["value"]) < FUZZ]
        facts |= {f"{name}_value": alike[0]["value"]} | where(name, alike, unit)
    widths = [row | {"width": row["upper"] - row["lower"]} for row in rows if row["kind"] == "bounds"]
    if widths:
        most = max(row["width"] for row in widths)
        facts |= {"width": most} | where("widest", [row for row in widths if row["width"] > most - FUZZ], unit)
    return facts


def where(name, rows, unit):
    """The topic or query of these rows, or how many."""
    names = list(dict.fromkeys(row[unit] for row in rows))
    many = {"topic": "topics", "query": "queries"}[unit]
    return {name: names[0]} if len(names) == 1 else {f"{name}_{many}": len(names)}


def ranking(rows, asked, case):
    if not rows:
        return {}
    top = rows[:10]
    relevant = sum(1 for row in top if row["state"] == "relevant")
    unjudged = sum(1 for row in top if row["state"] in ("pooled, not judged", "never pooled"))
    return rows[-1] | {"top": len(top), "relevant": relevant, "unjudged": unjudged}


def ties(rows, asked, case):
    moved = [row | {"moved": row["highest"] - row["lowest"]} for row in rows if known(row["highest"])]
    moving = sum(1 for row in moved if row["moved"] >= FUZZ)
    return (first_largest(moved, "moved") if moving else {}) | {"moving": moving}


METRICS = [
    {}, {"metric": "AP"}, {"metric": "bpref"}, {"metric": "P@2", "depth": 1}, {"metric": "nDCG@2", "depth": 1},
    {"metric": "AP", "depth": 1},
]  # fmt: skip
ASKED = {
    "leaderboard": [
        *METRICS,
        {"unjudged": "condensed"},
        {"estimator": "rm"},
        {"judgments": 2, "metric": "AP"},
        {"judgments": 99},
    ],
    "scores": [*METRICS, {"systems": ["s0"]}, {"systems": ["s0"], "metric": "AP"}],
    "ranking": [{"system": "s0", "topic": "t0"} | asked for asked in METRICS],
    "ties": [{}, {"metric": "AP"}],
}
