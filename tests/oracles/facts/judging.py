"""The facts of judging."""

from .plain import FUZZ


def judge_next(rows, asked, case):
    if not rows:
        return {"metric": asked["metric"]}
    first, last, topic = rows[0], rows[-1], rows[0]["topic"]
    width = last["mean_width"]
    held = [
        [case.ranked(system, query) for query in case.queries if case.topic_of(query) == topic]
        for system in case.systems
    ]
    facts = {"document": first["document"], "topic": topic, "metric": asked["metric"]}
    facts |= {"documents": len(rows)} if width - last["width_past_end"] > FUZZ else {}
    facts["holders"] = sum(any(first["document"] in ranked for ranked in of) for of in held)
    top = sum(any(first["document"] in ranked[:10] for ranked in of) for of in held)
    facts |= {"top": top} if 0 < top < facts["holders"] else {}
    past = last["width_past_end"]
    cut_ndcg = asked["metric"].startswith("nDCG")
    if width - past > FUZZ:
        facts |= {"removed": width - last["width_left"]} | ({"width": width} if cut_ndcg else {"can": width - past})
    return facts | ({"past_end": past} if past > FUZZ else {})


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
    "judge_next": [{}, {"budget": 1}, {"metric": "P@2", "budget": None}, {"metric": "nDCG@2"}],
    "judging_orders": [{}, {"orders": ["depth"]}, {"metric": "AP", "budget": 3}],
}
