"""The facts of scores."""

from .plain import FUZZ, first_largest, first_least, first_place, known, reading


def leaderboard(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    facts, best = first_place(rows), max(row["value"] for row in rows)
    if rows[0]["kind"] == "bounds":
        facts["others"] = sum(1 for row in rows if row["rank_best"] == 1 and row["value"] < best)
    return facts


def scores(rows, asked, case):
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return {}
    best, worst = first_largest(rows, "value"), first_least(rows, "value")
    facts = {"systems": list(dict.fromkeys(row["system"] for row in rows))}
    facts |= {"best": best["topic"], "best_value": best["value"]}
    facts |= {"worst": worst["topic"], "worst_value": worst["value"]}
    widths = [row | {"width": row["upper"] - row["lower"]} for row in rows if known(row["lower"])]
    if widths:
        widest = first_largest(widths, "width")
        facts |= {"widest": widest["topic"], "width": widest["width"]}
    return facts


def ranking(rows, asked, case):
    if not rows:
        return {}
    top, last = rows[:10], rows[-1]
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
