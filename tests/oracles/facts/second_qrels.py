"""The facts of a second opinion."""

from .judgments import SECOND
from .plain import known


def judged(qrels):
    """topic and document -> grade, of what is judged."""
    return {(topic, one): grade for topic, of in qrels.items() for one, grade in of.items() if grade != -1}


def agreement(rows, asked, case):
    first, second, row = judged(case.qrels), judged(case.other), rows[-1]
    both = [(first[one], second[one]) for one in first if one in second]
    level = 1 if asked["rel_level"] is None else asked["rel_level"]
    ours, theirs = sum(a >= level for a, _ in both), sum(b >= level for _, b in both)
    shared = sum(a >= level and b >= level for a, b in both)
    found = {"relevant": ours, "relevant_both": shared, "first_only": ours - shared, "others": theirs - shared}
    found["overlap"] = shared / (ours + theirs - shared) if ours + theirs else float("nan")
    if asked["rel_level"] is not None:
        both = [(a >= asked["rel_level"], b >= asked["rel_level"]) for a, b in both]
    facts = row | found | {"both": len(both), "same": sum(1 for a, b in both if a == b) / len(both)}
    facts["shift"] = sum(second[one] - first[one] for one in first if one in second) / len(both)
    highest, highest_other = (
        max([1, *(grade for topic, of in qrels.items() if topic in case.topics for grade in of.values())])
        for qrels in (case.qrels, case.other)
    )
    if asked["rel_level"] is None and highest != highest_other:
        facts |= {"highest": highest, "highest_other": highest_other}
    for name, one, other in (("first_alone", first, second), ("second_alone", second, first)):
        facts[name] = len([key for key in one if key not in other and key[0] in case.topics])
    return facts


def confusion(rows, asked, case):
    both, apart = sum(row["count"] for row in rows), [row for row in rows if row["grade"] != row["grade_other"]]
    differ, most = sum(row["count"] for row in apart), max((row["count"] for row in apart), default=0)
    often = [row for row in apart if row["count"] == most]
    return {"both": both, "differ": differ} | (often[0] if len(often) == 1 else {})


def agreement_effect(rows, asked, case):
    rows = [row for row in rows if known(row["rank"]) and known(row["rank_other"])]
    moves = {row["system"]: row["rank"] - row["rank_other"] for row in rows}
    moving = sum(1 for move in moves.values() if move)
    first, second = judged(case.qrels), judged(case.other)
    ours, theirs = ({topic for topic in of if of[topic]} & set(case.topics) for of in (case.qrels, case.other))
    shared = ours & theirs
    facts = {"alone": sum(1 for key in set(first) ^ set(second) if key[0] in shared)}
    facts |= {"systems": len(rows), "moving": moving}
    for who, places in (("climbers", moves), ("fallers", {name: -move for name, move in moves.items()})):
        most = max(places.values(), default=0)
        facts |= {who: [name for name, move in places.items() if move == most], f"{who}_places": most}
    return facts


LIKE = {"t0": {"da": 1, "db": 0}, "t1": {"dc": 1}}
ASKED = {
    "agreement": [{"other": SECOND}, {"other": SECOND, "rel_level": 1}, {"other": LIKE}],
    "confusion": [{"other": SECOND}, {"other": LIKE}],
    "agreement_effect": [{"other": SECOND}, {"other": LIKE, "metric": "AP"}],
}
