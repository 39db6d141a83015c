"""The facts of fusion."""

from ..words import score
from .plain import FUZZ, known, mean

TITLES = {"rbc": "RBC", "borda": "Borda", "combsum": "CombSUM", "combmnz": "CombMNZ", "combmax": "CombMAX"}
TITLES |= {"round-robin": "round robin", "rrf": "reciprocal rank fusion"}


def way(asked):
    """What the rule that was asked for is called."""
    name, _, phi = asked["method"].rstrip(")").partition("(phi=")
    phi = float(phi) if phi else asked["phi"] if asked["phi"] is not None else 0.9
    return TITLES[name] + (f"({phi:g})".replace("0.", ".") if name == "rbc" else "")


def fuse(rows, asked, case):
    rankings = {(row["topic"], row.get("query")) for row in rows}
    facts = {"documents": len(rows), "alone": sum(1 for row in rows if row["lists"] == 1), "method": way(asked)}
    return facts | ({"topic": rows[0]["topic"]} if len(rankings) == 1 else {"rankings": len(rankings)})


def crowd(asked, case):
    """What was fused."""
    names = case.systems if asked["systems"] == "all" else asked["systems"]
    every = {1: case.systems[0], 2: "both systems"}.get(len(case.systems), f"all {len(case.systems)} systems")
    some = every if len(names) == len(case.systems) else names[0] if len(names) == 1 else f"{len(names)} systems"
    return some if asked["over"] == "systems" else f"the variations of {some}"


def called(row):
    """RBC(.9), or Borda over the variations of s0."""
    phi = f"{row['phi']:g}".lstrip("0") or "0" if known(row["phi"]) else ""
    name = TITLES[row["method"]] + (f"({phi})" if phi else "")
    return f"{name} over the variations of {row['system']}" if row["system"] else name


def fusion_scores(rows, asked, case):
    metric = rows[0]["metric"]
    rows = [row for row in rows if row["metric"] == metric]
    if len(rows) == 1:
        return one_gain(rows[0], crowd(asked, case))
    scored = [row for row in rows if known(row["value"])]
    better = [row for row in scored if row["value"] - row["best_input"] > FUZZ]
    facts = {"runs": len(rows), "metric": metric} | ({"better": len(better)} if better else {})
    if better:
        sure = sum(1 for row in better if known(row["p"]) and row["p"] < asked["level"])
        tested = any(known(row["p"]) for row in better)
        facts |= ({"level": asked["level"]} if tested else {}) | ({"sure": sure} if sure else {})
    if not scored:
        return facts
    highest = max(row["value"] for row in scored)
    return facts | {"value": highest, "highest": [called(row) for row in scored if highest - row["value"] < FUZZ]}


def one_gain(row, crowd):
    method = called(row | {"system": ""})
    facts = {"method": method[0].upper() + method[1:], "crowd": crowd, "value": row["value"], "metric": row["metric"]}
    if not known(row["value"]):
        return facts
    by = row["value"] - row["best_input"]
    facts |= {"best": row["best"]} | ({"apart": abs(by)} if score(row["value"]) != score(row["best_input"]) else {})
    if abs(by) < FUZZ or not known(row["p"]):
        return facts
    p = row["p"] if by > 0 else 1 - row["p"]
    return facts | {"n": row["n"]} | ({"least": 0.001} if p < 0.001 else {"p": p})


def fusion_by_count(rows, asked, case):
    facts, counts = {"metric": asked["metric"], "method": way(asked)}, sorted({row["count"] for row in rows})
    systems = {row["system"] for row in rows}
    facts |= {"systems": len(systems)} if len(systems) > 1 else {}
    for name, count in (("few", counts[0]), ("many", counts[-1]))[: len(counts)]:
        values = [row["value"] for row in rows if row["count"] == count and known(row["value"])]
        facts |= {name: count, f"{name}_value": mean(values)}
    return facts


def fusion_topics(rows, asked, case):
    of_systems = not any(row["system"] for row in rows)
    rows = [row for row in rows if known(row["difference"])]
    apart = [row | {"by": row["fused"] - row["best_input"]} for row in rows]
    won, lost = [row for row in apart if row["by"] > FUZZ], [row for row in apart if row["by"] < -FUZZ]
    facts = {"metric": asked["metric"], "method": way(asked), "rankings": len(rows)}
    facts |= {"won": len(won), "lost": len(lost)} | ({"best": rows[0]["best"]} if rows and of_systems else {})
    for some, what in ((won, "gained"), (lost, "lost")):
        if some:
            there = max(abs(row["by"]) for row in some)
            most = [row for row in some if abs(row["by"]) > there - FUZZ]
            facts |= {f"{what}_there": abs(most[0]["by"])}
            if len(most) > 1:
                facts |= {f"{what}_most": len(most)}
            else:
                facts |= {f"{what}_topic": most[0]["topic"]}
                facts |= {} if of_systems else {f"{what}_system": most[0]["system"]}
    return facts


RULES = [{"method": "borda"}, {"method": "rbc(phi=0.5)", "metric": "RBP(p=0.5)"}]
OVER = [{"over": "both"}, {"over": "variations"}, {"over": "variations", "systems": ["s0"]}, {"systems": ["s0"]}]
ONE = {"methods": ["rbc"], "phis": [0.8], "metrics": ["P@2"]}
FACTS = {
    "fuse": fuse,
    "fusion_scores": fusion_scores,
    "fusion_by_count": fusion_by_count,
    "fusion_topics": fusion_topics,
}
ASKED = {
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
