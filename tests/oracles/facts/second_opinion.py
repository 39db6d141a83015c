"""The facts of a second opinion."""

from .judgments import SECOND
from .plain import known


def judged(qrels):
    """topic and document -> grade, of what is judged."""
    return {(topic, one): grade for topic, of in qrels.items() for one, grade in of.items() if grade != -1}


def agreement(rows, asked, case):
    first, second, row = judged(case.qrels), judged(case.other), rows[-1]
    both = [(first[one], second[one]) for one in first if one in second]
    if asked["rel_level"] is not None:
        both = [(a >= asked["rel_level"], b >= asked["rel_level"]) for a, b in both]
    facts = {"both": len(both), "same": sum(1 for a, b in both if a == b) / len(both)}
    facts |= {"kappa": row["kappa"]} if known(row["kappa"]) else {}
    highest, highest_other = (max(grades) for grades in zip(*both, strict=True))
    shift = sum(b - a for a, b in both) / len(both)
    if asked["rel_level"] is None and highest != highest_other:
        facts |= {"highest": highest, "highest_other": highest_other}
    elif asked["rel_level"] is None and abs(shift) >= 0.0005:
        facts |= {"higher": shift} if shift > 0 else {"lower": -shift}
    for name, one, other in (("first_alone", first, second), ("second_alone", second, first)):
        alone = [key for key in one if key not in other and key[0] in case.topics]
        facts |= {name: len(alone)} if alone else {}
    return facts


def confusion(rows, asked, case):
    both, apart = sum(row["count"] for row in rows), [row for row in rows if row["grade"] != row["grade_other"]]
    differ, most = sum(row["count"] for row in apart), max((row["count"] for row in apart), default=0)
    if not differ:
        return {"both": both}
    often = [row for row in apart if row["count"] == most]
    facts = {"both": both, "differ": differ}
    if len(often) > 1:
        return facts
    return facts | {"grade": often[0]["grade"], "grade_other": often[0]["grade_other"], "most": most}


def agreement_effect(rows, asked, case):
    rows, facts = [row for row in rows if known(row["rank"]) and known(row["rank_other"])], {"metric": asked["metric"]}
    moves = {row["system"]: row["rank"] - row["rank_other"] for row in rows}
    if not any(moves.values()):
        return facts
    facts |= {"systems": len(rows), "moving": sum(1 for move in moves.values() if move)}
    for who, places in (("climbers", moves), ("fallers", {name: -move for name, move in moves.items()})):
        most = max(places.values())
        names = [name for name, move in places.items() if move == most]
        if most <= 0:
            continue
        facts[who] = names
        if len(names) > 1:
            facts[f"{who}_places"] = most
        else:
            row = next(row for row in rows if row["system"] == names[0])
            facts |= {f"{who}_before": row["rank"], f"{who}_after": row["rank_other"]}
    first, second = judged(case.qrels), judged(case.other)
    shared = set(case.qrels) & set(case.other) & set(case.topics)
    alone = [key for key in set(first) ^ set(second) if key[0] in shared]
    return facts | ({"alone": len(alone)} if alone else {})


LIKE = {"t0": {"da": 1, "db": 0}, "t1": {"dc": 1}}
FACTS = {"agreement": agreement, "confusion": confusion, "agreement_effect": agreement_effect}
ASKED = {
    "agreement": [{"other": SECOND}, {"other": SECOND, "rel_level": 1}, {"other": LIKE}],
    "confusion": [{"other": SECOND}, {"other": LIKE}],
    "agreement_effect": [{"other": SECOND}, {"other": LIKE, "metric": "AP"}],
}
