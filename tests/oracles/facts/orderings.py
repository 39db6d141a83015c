"""The facts of orderings."""

from tests.oracles import pool

from .plain import FUZZ, first_largest, first_least, judged_in_all, known, measure


def regimes(rows, asked, case):
    names = list(dict.fromkeys(asked["regimes"]))
    rows = [row for row in rows if row["a"] != row["b"] and known(row["tau"])]
    if not rows:
        return {}
    most, least = first_largest(rows, "tau"), first_least(rows, "tau")
    systems = len(case.systems if asked["systems"] == "all" else asked["systems"])
    swapped, pairs = max(row["inversions"] for row in rows), systems * (systems - 1) // 2
    ahead = [leaders(name, asked, case) for name in {row["a"] for row in rows}]
    return {
        "swapped": swapped, "pairs": pairs, "swapped_share": swapped / pairs,
        "leaders": ahead[0] if all(some == ahead[0] for some in ahead) else [],
        "regimes": len(names), "setups": len(names), "most_tau": most["tau"], "least_tau": least["tau"],
        "most": [in_words(most[end], case) for end in "ab"], "least": [in_words(least[end], case) for end in "ab"],
    }  # fmt: skip


def leaders(name, asked, case):
    """The systems with the highest mean score under a regime of ASKED, by name."""
    parts = dict(part.split("=") for part in name.split(" | ") if part.startswith("depth="))
    metric = next((part for part in name.split(" | ") if "=" not in part or "(" in part), "RBP(p=0.8)")
    judged = pool.judgments_at_depth(case.qrels, pool_ranks(case), int(parts["depth"]) if parts else None)
    means = case.means(metric, judged)
    scores = {system: value for system, (value, *_) in means.items() if asked["systems"] == "all"}
    highest = max(score for score in scores.values() if known(score))
    return sorted(system for system, score in scores.items() if highest - score < FUZZ)


def pool_ranks(case):
    """(topic, document) -> its best rank for a query of the topic by a system that contributed."""
    ranks = {}
    for (query, D), rank in pool.pool_ranks(case.runs, case.pooled).items():
        ranks[case.topic_of(query), D] = min(rank, ranks.get((case.topic_of(query), D), rank))
    return ranks


def in_words(name, case):
    """A regime of ASKED as one would say it: the measure, its guess, and the cut."""
    said = {"metric": "RBP(p=0.8)", "estimator": "lower"}
    cut = ""
    for part in name.split(" | "):
        if part.startswith("depth="):
            cut = f" (judged to depth {part[6:]})"
        elif part.startswith("judgments="):
            count = int(part[10:])
            cut = " (first judgment)" if count == 1 else f" (first {count:,} judgments)"
            cut = cut if count < judged_in_all(case) else ""
        else:
            said["estimator" if part in ("upper", "rm") else "metric"] = part
    return measure(said) + cut


def swaps(rows, asked, case):
    systems = case.systems if asked["systems"] == "all" else asked["systems"]
    pairs = len([(a, b) for a in systems for b in systems if a < b])
    facts = {"a": in_words(asked["a"], case), "b": in_words(asked["b"], case), "pairs": pairs, "swaps": len(rows)}
    return rows[0] | facts | {"certain": len([row for row in rows if row["certain"]])} if rows else facts


def separability(rows, asked, case):
    rows = [row for row in rows if row["estimator"] == rows[0]["estimator"]]
    few, full = rows[0], rows[-1]
    most = max(rows, key=lambda row: row["reversed"])  # the first of equal ones
    facts = few | {"reversed": most["reversed"], "most_at": most["judgments"]}
    facts |= {"swapped": max(row["opposite"] for row in rows)}
    facts |= {"measure": measure({"metric": asked["metric"], "estimator": few["estimator"]})}
    return facts | {"few": few["judgments"], "full": full["judgments"], "full_separable": full["separable"]}


def separability_by_metric(rows, asked, case):
    best = first_largest(rows, "separable")
    if not best:
        return {}
    facts = best | {"alike": sum(1 for row in rows if abs(row["separable"] - best["separable"]) < FUZZ) - 1}
    return facts | {"measure": measure({"metric": best["metric"], "estimator": best["estimator"]})}


def p_values(rows, asked, case):
    level = asked["level"]
    apart = [(row["p_shallow"] < level, row["p_full"] < level) for row in rows]
    facts = {"pairs": len(rows), "measure": measure(asked), "both": apart.count((True, True))}
    if asked["shallow"] in (None, "all"):
        return facts
    by, _, count = str(asked["shallow"]).rpartition("=")
    by = by or ("depth" if int(count) <= case.depth else "judgments")
    if by == "judgments" and int(count) >= max(1, judged_in_all(case)):
        return facts
    return facts | {by: int(count), "only_few": apart.count((True, False)), "only_all": apart.count((False, True))}


ASKED = {
    "regimes": [{}, *({"regimes": some} for some in (["AP"], ["AP", "nDCG"], ["AP", "depth=1", "P@1"], ["AP", "AP"]))],
    "swaps": [
        {}, {"a": "AP", "b": "P@2"}, {"a": "P@2", "b": "depth=1 | P@2"}, {"a": "AP", "b": "AP"}, {"a": "P@2 | upper"},
        {"a": "depth=1 | P@2", "b": "P@2"}, {"a": "depth=1", "b": "depth=2"}, {"a": "depth=2", "b": "depth=1"},
        {"a": "judgments=1", "b": "judgments=2"}, {"a": "depth=1", "b": "depth=2 | rm"},
        {"systems": ["s0", "s1"]},
    ],
    "separability": [
        {}, {"level": 0.5, "estimators": ["rm", "lower"]}, {"level": 0.9}, {"depths": [1, None]}, {"depths": [1]},
        {"judgments": [1, 2], "level": 0.5},
    ],
    "separability_by_metric": [
        {"judgments": 2, "level": 0.6}, {"metrics": ["P@1", "AP"], "estimators": ["lower", "rm"], "judgments": 3},
    ],
    "p_values": [
        {}, {"level": 0.5}, {"shallow": "judgments=2", "level": 0.7}, {"shallow": None, "level": 0.5},
        {"shallow": "all"}, {"shallow": 1}, {"shallow": 50}, {"systems": ["s0", "s1"], "level": 0.5},
    ],
}  # fmt: skip
