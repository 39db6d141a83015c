"""The facts of fusion."""

from .plain import FUZZ, known, mean

TITLES = {"rbc": "RBC", "borda": "Borda", "combsum": "CombSUM", "combmnz": "CombMNZ", "combmax": "CombMAX"}
TITLES |= {"round-robin": "round robin", "rrf": "reciprocal rank fusion"}


def chosen(asked, case):
    """The names of the systems that are asked for."""
    if asked["systems"] in ("all", "pooled", "unpooled"):
        return [
            name
            for name in case.systems
            if asked["systems"] == "all" or (name in case.pooled) == (asked["systems"] == "pooled")
        ]
    return list(dict.fromkeys(asked["systems"]))


def fuse(rows, asked, case):
    if not rows:
        return {}
    alone = sum(1 for row in rows if row["lists"] == 1)
    rankings = {(row["topic"], row.get("query")) for row in rows}
    if len(rankings) > 1:
        return {"rankings": len(rankings), "documents": len(rows), "alone": alone / len(rows)}
    facts = {"document": rows[0]["document"], "lists": len(rows[0]["inputs"].split())}
    return facts | ({"documents": len(rows), "alone": alone} if len(rows) > 1 else {})


def called(row):
    """RBC .9, or Borda over the variations of s0."""
    phi = f"{row['phi']:g}".lstrip("0") or "0" if known(row["phi"]) else ""
    name = f"{TITLES[row['method']]} {phi}".strip()
    return f"{name} over the variations of {row['system']}" if row["system"] else name


def fusion_scores(rows, asked, case):
    first = rows[0]
    rows = [row for row in rows if row["metric"] == first["metric"] and known(row["value"])]
    if len(rows) > 1:
        highest = max(row["value"] for row in rows)
        best = [called(row) for row in rows if highest - row["value"] < FUZZ]
        better = sum(1 for row in rows if row["value"] - row["best_input"] > FUZZ)
        facts = {"runs": len(rows), "better": better, "metric": first["metric"], "value": highest}
        return facts | ({"highest": best} if len(best) < len(rows) else {})
    row = rows[0] if rows else first
    title = TITLES[row["method"]]
    facts = {"method": title[0].upper() + title[1:]}
    facts |= {"system": row["system"]} if asked["over"] == "variations" else {"systems": len(chosen(asked, case))}
    if not rows:
        return facts
    facts["value"] = row["value"]
    apart = row["value"] - row["best_input"]
    if not row["best_input"] or abs(apart) < 0.0005:
        return facts
    facts["above" if apart > 0 else "below"] = abs(apart) / row["best_input"]
    return facts | ({"p": row["p"]} if apart > 0 and known(row["p"]) else {})


def fusion_by_count(rows, asked, case):
    scored = [row for row in rows if known(row["value"])]
    if not scored:
        return {}
    counts = sorted({row["count"] for row in rows})
    facts = {"few": counts[0], "few_value": mean(row["value"] for row in scored if row["count"] == counts[0])}
    systems = list(dict.fromkeys(row["system"] for row in rows))
    facts |= {"system": systems[0]} if len(systems) == 1 else {}
    if len(counts) > 1:
        facts |= {"many": counts[-1], "many_value": mean(row["value"] for row in scored if row["count"] == counts[-1])}
    return facts


def fusion_topics(rows, asked, case):
    rows = [row for row in rows if known(row["difference"])]
    systems = {row["system"] for row in rows}
    won = sum(1 for row in rows if row["fused"] - row["best_input"] > FUZZ)
    lost = sum(1 for row in rows if row["best_input"] - row["fused"] > FUZZ)
    if not won + lost:
        return {}
    facts = {"rankings": len(rows), "won": won, "lost": lost} if len(systems) > 1 else {"won": won}
    if not lost:
        return facts
    worst = min(rows, key=lambda row: row["difference"])
    facts |= {"lost": lost, "topic": worst["topic"], "loss": -worst["difference"]}
    return facts | ({"system": worst["system"]} if len(systems) > 1 else {})


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
