"""The facts of pool depth."""

from .plain import EQUAL, FUZZ, first_largest, first_place, known, measure, of_answering, still_to_move


def depth_sweep(rows, asked, case):
    """Those of the last depth."""
    every, last = rows, rows[-1]["depth"]
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
    final = case.means(asked["metric"])
    facts |= still_to_move([row | {"value_final": final[row["system"]][0]} for row in of_answering(rows, case)], asked)
    if leader["kind"] == "bounds" and len(rows) > 1:
        apart = sum(1 for a in rows for b in rows if a["lower"] > b["upper"] + EQUAL)
        others = [row for row in rows if leader["value"] - row["value"] >= FUZZ]
        facts |= {"decided": apart / (len(rows) * (len(rows) - 1) / 2)}
        full = [row for row in every if not known(row["depth"]) and known(row["value"])]
        if depth is not None and full:
            sure = sum(1 for a in full for b in full if a["lower"] > b["upper"] + EQUAL)
            facts |= {"decided_at_last": sure / (len(full) * (len(full) - 1) / 2)}
        depths = sorted({int(row["depth"]) for row in every if known(row["depth"])})
        half = [one for one in depths if one <= (depth or depths[-1]) / 2] if depths else []
        if half:
            some = [row for row in every if row["depth"] == half[-1] and known(row["value"])]
            shallow = sum(1 for a in some for b in some if a["lower"] > b["upper"] + EQUAL)
            facts |= {"half": half[-1], "half_decided": shallow / (len(some) * (len(some) - 1) / 2)}
        others.sort(key=lambda row: -row["value"])
        rivals = [row["system"] for row in others if row["could_lead"] == "yes"]
        facts |= {"others": len(rivals), "rivals": rivals}
    elif leader["kind"] == "bounds":
        facts |= {"others": 0}
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
    facts = last | {"decided": last["pairs_decided"], "moved": abs(first["change"])}
    facts |= {"swaps": first["inversions"], "shallow": first["depth"], "shallow_relevant": first["relevant"]}
    return facts | {"shallow_judgments": first["judgments"]}


def trend(rows, asked, case):
    if not rows:
        return {}
    first = rows[0]
    like = [row for row in rows if all(row[key] == first[key] for key in ("metric", "estimator", "pooled"))]
    few, full = like[0], like[-1]
    return {
        "few": few["judgments"], "few_value": few["value"], "metric": measure(few), "few_width": few["width"],
        "full": full["judgments"], "full_value": full["value"], "full_width": full["width"],
    }  # fmt: skip


ASKED = {
    "depth_sweep": [
        {},
        {"metric": "AP"},
        {"metric": "bpref"},
        {"depths": [1, 2, None]},
        {"depths": [1, 2, 3, 4]},
        {"depths": [1]},
        {"depths": [1], "metric": "AP"},
        {"depths": [2], "metric": "nDCG@2"},
        {"depths": [1, 2], "systems": ["s0"]},
    ],
    "pool": [{}, {"metric": "AP"}, {"depths": [2, None]}, {"depths": [1]}],
    "trend": [{}, {"metrics": ["bpref"]}, {"judgments": [1]}, {"estimators": ["rm"]}],
}
