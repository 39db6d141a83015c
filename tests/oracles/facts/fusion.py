"""The facts of fusion."""

from tests.oracles import fusion, metrics
from tests.oracles.orderings import difference_range
from tests.oracles.ranking import order

from .plain import EQUAL, FUZZ, first_largest, known, mean

TITLES = {"rbc": "RBC", "borda": "Borda", "combsum": "CombSUM", "combmnz": "CombMNZ", "combmax": "CombMAX"}
TITLES |= {"round-robin": "round robin", "rrf": "reciprocal rank fusion"}


def way(asked):
    """What the rule that was asked for is called."""
    name, _, phi = asked["method"].rstrip(")").partition("(phi=")
    phi = float(phi) if phi else asked["phi"] if asked["phi"] is not None else 0.9
    return TITLES[name] + (f"(phi={phi:g})" if name == "rbc" else "")


def fuse(rows, asked, case):
    if not rows:
        return {}
    rankings = {(row["topic"], row.get("query")) for row in rows}
    facts = {"documents": len(rows), "alone": sum(1 for row in rows if row["lists"] == 1), "method": way(asked)}
    return facts | {"topic": rows[0]["topic"], "rankings": len(rankings)}


def crowd(asked, case):
    """What was fused."""
    names = case.systems if asked["systems"] == "all" else asked["systems"]
    every = {1: case.systems[0], 2: "both systems"}.get(len(case.systems), f"all {len(case.systems)} systems")
    some = every if len(names) == len(case.systems) else names[0] if len(names) == 1 else f"{len(names)} systems"
    return some if asked["over"] == "systems" else f"the variations of {some}"


def of_row(row):
    """RBC(phi=0.9)"""
    return TITLES[row["method"]] + (f"(phi={row['phi']:g})" if known(row["phi"]) else "")


def called(row):
    """RBC(phi=0.9), or Borda over the variations of s0."""
    return f"{of_row(row)} over the variations of {row['system']}" if row["system"] else of_row(row)


def fusion_scores(rows, asked, case):
    metric = rows[0]["metric"]
    rows = [row for row in rows if row["metric"] == metric]
    if len(rows) == 1:
        facts = one_gain(rows[0], crowd(asked, case)) | {"reversed_by": reversed_by(rows[0], asked, case)}
        return facts | {"certain": certain(rows[0], asked, case)}
    scored = [row for row in rows if known(row["value"])]
    better = [row for row in scored if row["value"] - row["best_input"] > FUZZ]
    sure = sum(1 for row in better if known(row["p"]) and row["p"] < asked["level"])
    facts = {"runs": len(rows), "metric": metric, "better": len(better), "sure": sure}
    highest = max((row["value"] for row in scored), default=float("nan"))
    return facts | {"value": highest, "highest": [called(row) for row in scored if highest - row["value"] < FUZZ]}


def one_gain(row, inputs):
    by = row["value"] - row["best_input"]
    facts = {"method": of_row(row), "inputs": inputs, "apart": abs(by)}
    return row | facts


def certain(row, asked, case):
    """Whether no completion of the judgments puts the fused run and its best input in another order, all of them
    tried. METHODS 8.5."""
    if not of_weights(row, asked) or not known(row["p"]):
        return None
    merged = {query: order(fused(row, asked, case, query)) for query in case.queries}
    best = {query: case.ranked(row["best"], query) for query in case.queries}
    topics = {query: case.topic_of(query) for query in case.queries}
    low, high = difference_range(row["metric"], merged, best, {t: of for t, of in case.qrels.items() if of}, topics)
    return bool(low >= -EQUAL or high <= EQUAL)


def of_weights(row, asked):
    return row["metric"].startswith(("P@", "RBP", "SDCG")) and asked["over"] == "systems"


def fused(row, asked, case, query):
    """document -> its value in the fused run."""
    names = case.systems if asked["systems"] == "all" else asked["systems"]
    lists = [case.runs[name].get(query, {}) for name in names]
    return fusion.values(lists, row["method"], phi=row["phi"] if known(row["phi"]) else 0.9)


def reversed_by(row, asked, case):
    """How few documents could put the leader of the fused run and its best input behind: those that help the other
    most, until they outweigh the lead. METHODS 8.6."""
    if not of_weights(row, asked):
        return None
    by = row["value"] - row["best_input"]
    moves = {}
    for query in case.queries:
        topic = case.topic_of(query)
        if not case.qrels.get(topic):
            continue
        values = fused(row, asked, case, query)
        queries = sum(case.topic_of(one) == topic for one in case.queries)
        for ranking, sign in ((order(values), 1), (case.ranked(row["best"], query), -1)):
            for rank, D in enumerate(ranking, 1):
                if case.qrels[topic].get(D, -1) == -1:
                    weight = sign * metrics.weight(row["metric"], rank) / queries / row["n"]
                    moves[topic, D] = moves.get((topic, D), 0) + weight
    against, total = sorted(-move if by > 0 else move for move in moves.values())[::-1], 0
    for number, move in enumerate((move for move in against if move > EQUAL), 1):
        total += move
        if total > abs(by) + EQUAL:
            return number
    return None


def fusion_by_count(rows, asked, case):
    facts, counts = {"method": way(asked)}, sorted({row["count"] for row in rows})
    facts |= {"systems": len({row["system"] for row in rows})}
    for name, count in (("few", counts[0]), ("many", counts[-1])):
        values = [row["value"] for row in rows if row["count"] == count and known(row["value"])]
        facts |= {name: count, f"{name}_value": mean(values)}
    return facts


def fusion_topics(rows, asked, case):
    of_systems = not any(row["system"] for row in rows)
    rows = [row for row in rows if known(row["difference"])]
    apart = [row | {"by": row["fused"] - row["best_input"]} for row in rows]
    won, lost = [row for row in apart if row["by"] > FUZZ], [row for row in apart if row["by"] < -FUZZ]
    facts = {"method": way(asked), "rankings": len(rows), "won": len(won), "lost": len(lost)}
    facts |= {"best": rows[0]["best"]} if rows and of_systems else {}
    for some, what in ((won, "gained"), (lost, "lost")):
        if some:
            there = max(abs(row["by"]) for row in some)
            most = [row for row in some if abs(row["by"]) > there - FUZZ]
            facts |= {f"{what}_there": abs(most[0]["by"])}
            facts |= {f"{what}_most": len(most), f"{what}_topic": most[0]["topic"]}
            facts |= {} if of_systems else {f"{what}_system": most[0]["system"]}
    return facts


RULES = [{"method": "borda"}, {"method": "rbc(phi=0.5)", "metric": "RBP(p=0.5)"}]
OVER = [{"over": "both"}, {"over": "variations"}, {"over": "variations", "systems": ["s0"]}, {"systems": ["s0"]}]


def fusion_methods_by_count(rows, asked, case):
    """The highest of the first metric at the largest count."""
    count = max(row["count"] for row in rows)
    rows = [row for row in rows if row["metric"] == rows[0]["metric"] and row["count"] == count]
    best = first_largest(rows, "value")
    if not best:
        return {}
    highest = [row for row in rows if row["value"] > best["value"] - FUZZ]
    facts = best | {"best": [of_row(row) for row in highest]}
    borda = [row["value"] for row in rows if row["method"] == "borda"]
    if len(rows) == 1 or any(row["method"] == "borda" for row in highest) or not borda:
        return facts
    return facts | {"borda": borda[0], "p": 2 * min(best["p_against_borda"], 1 - best["p_against_borda"])}


def double_fusion(rows, asked, case):
    best = first_largest([row for row in rows if row["metric"] == rows[0]["metric"]], "over_both")
    if not best:
        return {}
    facts = best | {"method": of_row(best), "both": best["over_both"]}
    return facts | ({"more": abs(best["over_both"] - best["single"]) / best["single"]} if best["single"] else {})


ONE = {"methods": ["rbc"], "phis": [0.8], "metrics": ["P@2"]}


ASKED = {
    "fusion_methods_by_count": [
        {"counts": [1]},
        {},
        {"counts": [2], "methods": ["rrf", "borda"]},
        {"methods": ["combmnz"], "metrics": ["P@1"]},
    ],
    "double_fusion": [{}, {"methods": ["rbc"], "phis": [0.5], "metrics": ["P@1"]}],
    "fuse": [
        {},
        {"topic": "t0"},
        {"topic": "t0", "k": 1},
        {"variations": True},
        {"variations": True, "systems": ["s0"]},
    ],
    "fusion_scores": [{}, ONE, *(ONE | over for over in OVER), *OVER, {"methods": ["rrf"], "metrics": ["AP"]}],
    "fusion_by_count": [{}, {"systems": ["s0"]}, {"counts": [2]}, {"counts": [1, 5], "metric": "P@1"}],
    "fusion_topics": [{}, *RULES, *OVER],
}
