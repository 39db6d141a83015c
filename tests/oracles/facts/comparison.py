"""The facts of the comparison of two systems."""

from .plain import FUZZ, first_largest, first_least, known, mean


def comparison(rows, asked, case):
    (row,) = rows
    wins = [row["won_clearly"], row["lost_clearly"]]
    facts = row | {"topics": row["n"], "lead": abs(row["difference"]), "won": wins[0], "lost": wins[1]}
    facts |= {"low": row["certain_low"], "high": row["certain_high"]}
    first, second = ("a", "b") if row["difference"] > 0 else ("b", "a")
    facts |= {"ahead": row[first], "behind": row[second]}
    return facts | dict(zip(("won_ahead", "lost_ahead"), wins if first == "a" else wins[::-1], strict=True))


def comparison_topics(rows, asked, case):
    if not rows:
        return {}
    best, worst = first_largest(rows, "difference"), rows[-1]
    facts = {"best": best["topic"], "best_by": best["difference"], "worst": worst["topic"], "topics": len(rows)}
    differences = [row["difference"] for row in rows]
    return facts | {"worst_by": min(differences), "deciding": deciding(differences)}


def deciding(differences):
    """By leaving out ever more of those that favour the leader."""
    total = sum(differences)
    favourable = sorted(differences, reverse=total > 0)
    for n in range(1, len(favourable)):
        total -= favourable[n - 1]
        if total * sum(differences) < 0 and abs(total) > FUZZ:
            return n
    return 0


def comparison_documents(rows, asked, case):
    if not rows:
        return {}
    k = asked["k"] or float("inf")
    both = len([row for row in rows if max(row["rank_a"], row["rank_b"]) <= k and known(row["rank_a"] + row["rank_b"])])
    facts = {"topic": rows[0]["topic"], "documents": len(rows), "both": both}
    facts |= {"unjudged": len([row for row in rows if row["state"] == "not judged"])}
    widest = first_largest([row | {"moves": abs(row["moves"])} for row in rows if known(row["moves"])], "moves")
    return widest | facts if widest and widest["moves"] >= FUZZ else facts


def comparison_metrics(rows, asked, case):
    rows = [row for row in rows if known(row["difference"])]
    if not rows:
        return {}
    ahead, behind, sign = ("a", "b", 1) if rows[0]["difference"] >= 0 else ("b", "a", -1)
    leads = [row for row in rows if row["difference"] * sign > FUZZ]
    return {
        "ahead": rows[0][ahead], "behind": rows[0][behind], "metrics": len(rows), "leads": len(leads),
        "certain": len([row for row in leads if row["settled"] == ahead]),
        "significant": len([row for row in leads if row["significant"]]),
    }  # fmt: skip


def judge_to_decide(rows, asked, case):
    return {
        "documents": len(rows), "reverse": len([row for row in rows if row["reverses"]]),
        "settle": len([row for row in rows if row["settles"]]),
    }  # fmt: skip


def against_baseline(rows, asked, case):
    rows = [row for row in rows if known(row["difference"])]
    if not rows:
        return {}
    sure = [row for row in rows if row["significant"]]
    like = [row["system"] for row in rows if not row["significant"]]
    better = len([row for row in sure if row["difference"] > FUZZ])
    worse = len([row for row in sure if row["difference"] < -FUZZ])
    facts = {"baseline": rows[0]["baseline"], "others": len(rows), "like": like}
    facts |= {"better": better, "worse": worse, "alike": len(rows) - better - worse}
    correction = asked["correction"] or ("holm" if asked["baseline"] else "tukey")
    names = {"holm": "Holm", "bh": "Benjamini–Hochberg", "tukey": "Tukey's test", "dunnett": "Dunnett's test"}
    tests = {"t": "paired t-test, ", "wilcoxon": "Wilcoxon, "}
    test = "" if correction in ("tukey", "dunnett") else tests[asked["test"]]
    facts["test"] = f"{test}{names[correction]}, α = .05"
    return facts | {"differ": "does" if facts["alike"] == 1 else "do"}


def topics_left_out(rows, asked, case):
    if all(not known(row["tau"]) for row in rows):
        return {}
    least, hardest = first_largest(rows, "inversions"), first_least(rows, "value")
    return least | {"swaps": least["inversions"], "hardest": hardest["topic"], "lowest": hardest["value"]}


def comparison_overlap(rows, asked, case):
    if not rows:
        return {}
    unit = "query" if "query" in rows[0] else "topic"
    facts = {"topics": len(rows), "least": rows[0][unit], "mean": mean(row["overlap"] for row in rows)}
    return facts | {"same": len([row for row in rows if not row["entered"] and not row["left"]])}


OF_METRICS = [{}, {"metric": "AP"}, {"metric": "P@2", "depth": 1}, {"metric": "nDCG@2", "depth": 1}]
ASKED = {
    "comparison_overlap": [{}, {"k": 1}],
    "comparison": [*OF_METRICS, {"unjudged": "condensed"}, {"test": "randomisation", "metric": "RR"}],
    "comparison_topics": OF_METRICS,
    "comparison_documents": [*OF_METRICS, {"k": 1}],
    "comparison_metrics": [{}, {"metrics": ["P@1", "AP"]}],
    "judge_to_decide": [{}, {"metric": "P@2", "depth": 1}, {"metric": "AP"}],
    "against_baseline": [
        *OF_METRICS,
        {"correction": "dunnett"},
        {"baseline": "s0"},
        {"correction": "bh", "test": "wilcoxon"},
    ],
    "topics_left_out": [{}, {"metric": "AP"}],
}
