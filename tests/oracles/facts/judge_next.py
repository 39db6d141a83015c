"""The facts of judging."""

from .plain import FUZZ, mean


def judge_next(rows, asked, case):
    if not rows:
        means = case.means(asked["metric"]) if case.answering else {}
        return {"below": mean(means[name][0] - means[name][1] for name in case.answering)}
    first, last, topic = rows[0], rows[-1], rows[0]["topic"]
    width = last["mean_width"]
    held = [
        [case.ranked(system, query) for query in case.queries if case.topic_of(query) == topic]
        for system in case.systems
    ]
    past = last["width_past_end"]
    facts = first | {"documents": len(rows)}
    facts["holders"] = sum(any(first["document"] in ranked for ranked in of) for of in held)
    facts["top"] = sum(any(first["document"] in ranked[:10] for ranked in of) for of in held)
    facts |= {"removed": width - last["width_left"], "can": width - past}
    return facts | {"part": min(1, (width - last["width_left"]) / (width - past)) if width - past > FUZZ else None}


def judging_orders(rows, asked, case):
    steps = sorted({row["judgments"] for row in rows})
    after = steps[len(steps) // 4]
    at = {row["order"]: row["relevant"] for row in rows if row["judgments"] == after}
    most, fewest = max(at.values()), min(at.values())
    first, last = ([name for name, count in at.items() if count == end] for end in (most, fewest))
    return {"judgments": after, "most": most, "first": first, "fewest": fewest, "last": last, "orders": len(first)}


ASKED = {
    "judge_next": [{}, {"budget": 1}, {"metric": "P@2", "budget": None}, {"metric": "nDCG@2"}, {"metric": "nDCG@1"}],
    "judging_orders": [{}, {"orders": ["depth"]}, {"metric": "AP", "budget": 3}],
}
