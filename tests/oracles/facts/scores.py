"""The facts of scores."""

from .plain import FUZZ, first_largest, first_least, first_place, interval, known, reading


def leaderboard(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    first, n = first_largest(rows, "value"), len(rows)
    leaders = [row["system"] for row in rows if row["value"] == first["value"]]
    if len(leaders) > 1:
        facts = first_place(leaders, n, first["value"])
        if known(first["lower"]) and first["kind"] == "bounds" and len(leaders) < n:
            facts["could_be_first"] = sum(1 for row in rows if row["rank_best"] == 1)
        return facts
    facts = {"leader": first["system"]}
    if not known(first["lower"]) or first["kind"] != "bounds":
        facts |= {"value": first["value"]} | ({"systems": n} if n > 1 else {})
        return facts | ({"lower": first["lower"], "upper": first["upper"]} if known(first["lower"]) else {})
    facts |= interval(first["lower"], first["upper"])
    below = sum(1 for row in rows if row["upper"] < first["lower"])
    if n > 1:
        facts |= {"others": n - 1} | ({"below": below} if 0 < below < n - 1 else {})
    return facts


def scores(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    names = list(dict.fromkeys(row["system"] for row in rows))
    if not rows:
        return {}
    if len(names) > 1:
        return {"rows": len(rows), "systems": len(names)}
    if len(rows) == 1:
        row = rows[0]
        told = reading(row["value"], row["lower"], row["upper"], row["kind"])
        return {"topic": row["topic"], "system": names[0]} | told
    best, worst = first_largest(rows, "value"), first_least(rows, "value")
    if best["value"] == worst["value"]:
        return {"system": names[0], "value": best["value"], "topics": len(rows)}
    facts = {"system": names[0], "best": best["topic"], "best_value": best["value"]}
    facts |= {"worst": worst["topic"], "worst_value": worst["value"]}
    widths = [row | {"width": row["upper"] - row["lower"]} for row in rows if known(row["lower"])]
    if widths and max(row["width"] for row in widths) >= FUZZ:
        widest = first_largest(widths, "width")
        facts |= {"widest": widest["topic"], "width": widest["width"]}
    return facts


def ranking(rows, asked, case):
    if not rows:
        return {}
    top, last = rows[:10], rows[-1]
    facts = {}
    if len(top) > 1:
        relevant = sum(1 for row in top if row["state"] == "relevant")
        unjudged = sum(1 for row in top if row["state"] in ("pooled, not judged", "never pooled"))
        facts = {"top": len(top), "relevant": relevant, "unjudged": unjudged}
    if not known(last["lower"]):
        return facts
    kind = "bounds" if asked["metric"].startswith(("P@", "RBP", "SDCG", "INST", "RR")) else "guide"
    return facts | {"rank": last["rank"]} | reading(last["lower"], last["lower"], last["upper"], kind)


def ties(rows, asked, case):
    moved = [row | {"moved": row["highest"] - row["lowest"]} for row in rows if known(row["highest"])]
    if not moved or max(row["moved"] for row in moved) < FUZZ:
        return {}
    widest = first_largest(moved, "moved")
    facts = {"system": widest["system"], "lowest": widest["lowest"], "highest": widest["highest"]}
    return facts | {"moving": sum(1 for row in moved if row["moved"] >= FUZZ)}


METRICS = [{}, {"metric": "AP"}, {"metric": "bpref"}, {"metric": "P@2", "depth": 1}]
FACTS = {"leaderboard": leaderboard, "scores": scores, "ranking": ranking, "ties": ties}
ASKED = {
    "leaderboard": [*METRICS, {"unjudged": "condensed"}, {"estimator": "rm"}],
    "scores": [*METRICS, {"systems": ["s0"]}, {"systems": ["s0"], "metric": "AP"}],
    "ranking": [{"system": "s0", "topic": "t0"} | asked for asked in METRICS],
    "ties": [{}, {"metric": "AP"}],
}
