"""The facts of judging."""


def judge_next(rows, asked, case):
    if not rows:
        return {"metric": asked["metric"]}
    first, left = rows[0], rows[-1]["width_left"]
    facts = {"document": first["document"], "topic": first["topic"], "holders": first["systems"]}
    return facts | {"documents": len(rows), "metric": asked["metric"], "left": left}


def judging_orders(rows, asked, case):
    steps = sorted({row["judgments"] for row in rows})
    after = steps[len(steps) // 4]
    at = {row["order"]: row["relevant"] for row in rows if row["judgments"] == after}
    most, fewest = max(at.values()), min(at.values())
    first, last = ([name for name, count in at.items() if count == end] for end in (most, fewest))
    facts = {"judgments": after, "most": most, "first": first}
    return facts | ({"fewest": fewest, "last": last} if fewest < most else {})


FACTS = {"judge_next": judge_next, "judging_orders": judging_orders}
ASKED = {
    "judge_next": [{}, {"budget": 1}, {"metric": "P@2", "budget": None}],
    "judging_orders": [{}, {"orders": ["depth"]}, {"metric": "AP", "budget": 3}],
}
