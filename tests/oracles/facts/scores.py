"""The facts of scores."""

from .plain import FUZZ, first_largest, first_least, first_place, known, mean, measure, reading, stage, still_to_move


def leaderboard(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    facts, best = stage(asked) | first_place(rows, asked), max(row["value"] for row in rows)
    if rows[0]["kind"] != "bounds":
        return facts | (still_to_move(rows, asked) if stage(asked) else {})
    others = [row for row in rows if best - row["value"] >= FUZZ]
    if others:
        facts["others"] = sum(row["could_lead"] == "yes" for row in others)
        if only_past_end := sum(row["could_lead"] == "past the end" for row in others):
            facts["only_past_end"] = only_past_end
    past = mean(row["upper"] - row["upper_listed"] for row in rows)
    if past > FUZZ:
        facts |= {"past": past, "width": mean(row["upper"] - row["lower"] for row in rows)}
    return facts


def scores(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    facts = stage(asked) | {"systems": list(dict.fromkeys(row["system"] for row in rows)), "measure": measure(asked)}
    unit, many = ("query", "queries") if "query" in rows[0] else ("topic", "topics")
    best, worst = first_largest(rows, "value"), first_least(rows, "value")
    for name, end in (("best", best), ("worst", worst)) if best["value"] - worst["value"] > FUZZ else (("best", best),):
        alike = [row for row in rows if abs(row["value"] - end["value"]) < FUZZ]
        places = list(dict.fromkeys(row[unit] for row in alike))
        facts[f"{name}_value"] = alike[0]["value"]
        facts |= {name: places[0]} if len(places) == 1 else {f"{name}_{many}": len(places)}
    widths = [row | {"width": row["upper"] - row["lower"]} for row in rows if row["kind"] == "bounds"]
    if widths and max(row["width"] for row in widths) > FUZZ:
        most = max(row["width"] for row in widths)
        widest = list(dict.fromkeys(row[unit] for row in widths if row["width"] > most - FUZZ))
        facts["width"] = most
        if len(rows) == 1:
            return facts
        facts |= {"widest": widest[0]} if len(widest) == 1 else {f"widest_{many}": len(widest)}
    return facts


def ranking(rows, asked, case):
    which = {"system": asked["system"], "topic": asked["topic"]}
    if not rows:
        return which
    top, last = rows[:10], rows[-1]
    relevant = sum(1 for row in top if row["state"] == "relevant")
    unjudged = sum(1 for row in top if row["state"] in ("pooled, not judged", "never pooled"))
    facts = {"top": len(top), "relevant": relevant, "unjudged": unjudged} | which
    exact = asked["metric"].startswith(("P@", "RBP", "SDCG", "INST", "RR", "nDCG@"))
    score = reading(last["value"], last["lower"], last["upper"], "bounds" if exact else "")
    return facts | stage(asked) | {"rank": last["rank"], "measure": asked["metric"]} | score


def ties(rows, asked, case):
    moved = [row | {"moved": row["highest"] - row["lowest"]} for row in rows if known(row["highest"])]
    if not moved or max(row["moved"] for row in moved) < FUZZ:
        return {"measure": asked["metric"]}
    widest = first_largest(moved, "moved")
    alike = f"{widest['lowest']:.3f}" == f"{widest['highest']:.3f}"
    ends = () if alike else ("lowest", "highest")
    facts = {name: widest[name] for name in ("system", "value", *ends)} | {"measure": asked["metric"]}
    return facts | {"moving": sum(1 for row in moved if row["moved"] >= FUZZ)}


METRICS = [
    {}, {"metric": "AP"}, {"metric": "bpref"}, {"metric": "P@2", "depth": 1}, {"metric": "nDCG@2", "depth": 1},
    {"metric": "AP", "depth": 1},
]  # fmt: skip
FACTS = {"leaderboard": leaderboard, "scores": scores, "ranking": ranking, "ties": ties}
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
