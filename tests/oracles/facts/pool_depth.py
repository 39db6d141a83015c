"""The facts of pool depth."""

from .plain import EQUAL, FUZZ, first_largest, first_place, known, still_to_move


def depth_sweep(rows, asked, case):
    """Those of the last depth."""
    last = rows[-1]["depth"]
    depth = None if not known(last) else int(last)
    rows = [row for row in rows if row["depth"] == last or (depth is None and not known(row["depth"]))]
    facts = {} if depth is None else {"depth": depth}
    facts |= {"judgments": judgments_at(case, depth)}
    facts |= {} if depth is None else {"total": judgments_at(case, None)}
    rows = [row for row in rows if known(row["value"])]
    if not rows:
        return facts
    facts |= first_place(rows, asked)
    leader = first_largest(rows, "value")
    if leader["kind"] != "bounds":
        final = case.means(asked["metric"])
        last = [row | {"value_final": final[row["system"]][0]} for row in rows]
        return facts | (still_to_move(last, asked) if depth is not None else {})
    if len(rows) > 1:
        apart = sum(1 for a in rows for b in rows if a["lower"] > b["upper"] + EQUAL)
        others = [row for row in rows if leader["value"] - row["value"] >= FUZZ]
        facts |= {"decided": apart / (len(rows) * (len(rows) - 1) / 2)}
        facts |= {"reach": sum(row["could_lead"] == "yes" for row in others)} if others else {}
    return facts


def judgments_at(case, depth):
    """How many documents are judged at a pool depth."""
    count = 0
    for topic, judged in case.qrels.items():
        for document, grade in judged.items():
            best = min(
                (
                    case.ranked(system, query).index(document)
                    for system in case.pooled
                    for query in case.queries
                    if case.topic_of(query) == topic and document in case.ranked(system, query)
                ),
                default=10**9,
            )
            count += grade != -1 and (depth is None or best < depth)
    return count


def pool(rows, asked, case):
    first, last = rows[0], rows[-1]
    facts = {"judgments": last["judgments"], "relevant": last["relevant"]}
    facts |= {"depth": int(last["depth"])} if known(last["depth"]) else {}
    facts |= {"decided": last["pairs_decided"], "metric": asked["metric"]} if known(last["pairs_decided"]) else {}
    if known(first["depth"]) and not known(last["pairs_decided"]) and known(first["change"] + first["inversions"]):
        moved = {"moved": abs(first["change"])} if abs(first["change"]) >= FUZZ else {}
        facts |= {"measure": asked["metric"], "swaps": first["inversions"], "shallow": int(first["depth"])} | moved
    if known(first["depth"]) and len(rows) > 1:
        facts |= {"shallow": int(first["depth"]), "shallow_relevant": first["relevant"]}
        facts |= {"shallow_judgments": first["judgments"]}
    return facts


def trend(rows, asked, case):
    first = rows[0]
    like = [row for row in rows if all(row[key] == first[key] for key in ("metric", "estimator", "pooled"))]
    few, full = like[0], like[-1]
    facts = {"few": few["judgments"], "few_value": few["value"], "metric": few["metric"]}
    facts |= {"few_width": few["width"]} if known(few["width"]) else {}
    if len(like) > 1:
        facts |= {"full": full["judgments"], "full_value": full["value"]}
        facts |= {"full_width": full["width"]} if known(full["width"]) else {}
    return facts


FACTS = {"depth_sweep": depth_sweep, "pool": pool, "trend": trend}
ASKED = {
    "depth_sweep": [
        {},
        {"metric": "AP"},
        {"metric": "bpref"},
        {"depths": [1, 2, None]},
        {"depths": [1]},
        {"depths": [1], "metric": "AP"},
        {"depths": [2], "metric": "nDCG@2"},
    ],
    "pool": [{}, {"metric": "AP"}, {"depths": [2, None]}, {"depths": [1]}],
    "trend": [{}, {"metrics": ["bpref"]}, {"judgments": [1]}],
}
