"""The facts of fusion."""

from .plain import FUZZ, known, mean

TITLES = {"rbc": "RBC", "borda": "Borda", "combsum": "CombSUM", "combmnz": "CombMNZ", "combmax": "CombMAX"}
TITLES |= {"round-robin": "round robin", "rrf": "reciprocal rank fusion"}


def fuse(rows, asked, case):
    rankings = {(row["topic"], row.get("query")) for row in rows}
    return {"rankings": len(rankings), "documents": len(rows), "alone": sum(1 for row in rows if row["lists"] == 1)}


def called(row):
    """RBC .9, or Borda over the variations of s0."""
    phi = f"{row['phi']:g}".lstrip("0") or "0" if known(row["phi"]) else ""
    name = f"{TITLES[row['method']]} {phi}".strip()
    return f"{name} over the variations of {row['system']}" if row["system"] else name


def fusion_scores(rows, asked, case):
    metric = rows[0]["metric"]
    rows = [row for row in rows if row["metric"] == metric]
    scored = [row for row in rows if known(row["value"])]
    better = sum(1 for row in scored if row["value"] - row["best_input"] > FUZZ)
    facts = {"runs": len(rows), "better": better, "metric": metric}
    if not scored:
        return facts
    highest = max(row["value"] for row in scored)
    return facts | {"value": highest, "highest": [called(row) for row in scored if highest - row["value"] < FUZZ]}


def fusion_by_count(rows, asked, case):
    facts, counts = {"metric": asked["metric"]}, sorted({row["count"] for row in rows})
    for name, count in (("few", counts[0]), ("many", counts[-1]))[: len(counts)]:
        values = [row["value"] for row in rows if row["count"] == count and known(row["value"])]
        facts |= {name: count, f"{name}_value": mean(values)}
    return facts


def fusion_topics(rows, asked, case):
    rows = [row for row in rows if known(row["difference"])]
    won = sum(1 for row in rows if row["fused"] - row["best_input"] > FUZZ)
    lost = sum(1 for row in rows if row["best_input"] - row["fused"] > FUZZ)
    facts = {"metric": asked["metric"], "rankings": len(rows), "won": won, "lost": lost}
    if not lost:
        return facts
    worst = min(rows, key=lambda row: row["difference"])
    facts |= {"topic": worst["topic"], "loss": -worst["difference"]}
    return facts | ({"system": worst["system"]} if worst["system"] else {})


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
