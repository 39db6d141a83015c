"""The facts of confidence."""

from .plain import first_least, known, mean

EQUAL = 1e-12
WHOLE = "MD1"
SPOKEN = {name: f"due to {name}s" for name in ("system", "topic", "shard")} | {"error": "residual"}


def best_of(rows):
    """The names of those with the highest value."""
    highest = max(row["value"] for row in rows)
    return [row["system"] for row in rows if row["value"] >= highest - EQUAL]


def anova(rows, asked, case):
    """The two effects that hold most, their sums of squares divided by that of all."""
    model = asked["models"][-1]
    squares = {row["effect"]: row["ss"] for row in rows if row["model"] == model}
    total = squares.pop("total")
    if total == 0:
        return {}
    shares = sorted(((round(part / total, 9), effect) for effect, part in squares.items()), reverse=True)
    (most, first), (more, second) = shares[0], shares[1]
    facts = {"model": model, "largest": most, "most": SPOKEN.get(first, f"{first} interaction")}
    return facts | {"next_largest": more, "more": SPOKEN.get(second, f"{second} interaction")}


def models(rows, asked, case):
    facts, pairs = {"cuts": asked["resamples"]}, len(case.systems) * (len(case.systems) - 1) / 2
    for row in rows:
        told = row["significant"] / pairs
        if row["model"] == WHOLE:
            facts |= {"whole": told, "whole_model": WHOLE}
        else:
            facts |= row | {"part": told, "topics": row["significant_other_topics"] / pairs}
            facts |= {"deviation": row["significant_sd"] / pairs} if asked["resamples"] > 1 else {}
    return facts


def system_intervals(rows, asked, case):
    """Tukey's intervals say who is not told apart: those that overlap the best one's."""
    alike = [row for row in rows if row["in_top_group"]]
    if asked["interval"] == "tukey":
        lowest = max(row["lower"] for row in rows)
        alike = [row for row in rows if row["upper"] >= lowest - EQUAL]
    best = best_of(rows)
    names = [row["system"] for row in alike if row["system"] not in best]
    facts = {"top": len(alike), "systems": len(case.systems), "best": best}
    return facts | {"others": len(alike) - len(best), "alike": names}


KINDS = {
    "tukey": "comparing all systems (Tukey)",
    "sem": "one score (standard error)",
    "anova": "one score (ANOVA)",
    "bootstrap": "other topics (bootstrap)",
}


def intervals_by_model(rows, asked, case):
    """The narrowest and the widest of them, the first of equal ones."""
    widths = [(row["upper"] - row["lower"], row) for row in rows if known(row["lower"]) and known(row["upper"])]
    if not widths:
        return {"system": rows[0]["system"]}
    if max(width for width, _ in widths) - min(width for width, _ in widths) < 1e-9:
        return {"system": rows[0]["system"], "narrow": widths[0][0]}
    (narrow, narrowest), (wide, widest) = (end(widths, key=lambda pair: pair[0]) for end in (min, max))
    called = [f"{KINDS[row['kind']]}, {row['model']}" for row in (narrowest, widest)]
    facts = {"system": rows[0]["system"], "narrow": narrow, "wide": wide}
    return facts | {"narrowest": called[0], "widest": called[1]}


def intervals_compared(rows, asked, case):
    """The mean width of every kind under every model, with every number of shards; the first of equal ones."""
    widths = {}
    for row in rows:
        if known(row["lower"]) and known(row["upper"]):
            called = f"{KINDS[row['kind']]}, {row['model']}" + (
                f", {row['shards']} shards" if row["shards"] > 1 else ""
            )
            widths.setdefault(called, []).append(row["upper"] - row["lower"])
    if not widths:
        return {}
    means = {called: mean(each) for called, each in widths.items()}
    narrowest, widest = min(means, key=means.get), max(means, key=means.get)
    if means[widest] - means[narrowest] < 1e-9:
        return {"narrow": means[narrowest]}
    return {"narrow": means[narrowest], "wide": means[widest], "narrowest": narrowest, "widest": widest}


def models_by_shards(rows, asked, case):
    """The last model at the fewest and the most shards, and MD1, which has none."""
    facts = {"pairs": rows[0]["significant"]}
    by_count = {row["shards"]: row["significant"] for row in rows if row["model"] == rows[-1]["model"] != WHOLE}
    if not by_count:
        return facts
    few, many = min(by_count), max(by_count)
    facts |= {"model": rows[-1]["model"], "few": few, "many": many}
    return facts | {"with_few": by_count[few], "with_many": by_count[many]}


def tukey_pairs(rows, asked, case):
    facts = {"apart": mean(row["p"] < asked["level"] for row in rows)}
    topics = {"topics": mean(row["significant_other_topics"] for row in rows)}
    return facts | ({} if asked["model"] == WHOLE else topics)


def shard_stability(rows, asked, case):
    return first_least(rows, "tau") | {"cuts": asked["resamples"]}


def rank_intervals(rows, asked, case):
    first = [row for row in rows if row["rank"] == 1]
    if not first:
        return {}
    others = sum(1 for row in rows if row["lower"] <= 1 < row["rank"])
    best, worst = min(row["lower"] for row in first), max(row["upper"] for row in first)
    facts = {"first": [row["system"] for row in first], "best": best, "worst": worst, "others": others}
    facts |= {"guess": asked["estimator"]} if asked["estimator"] != "lower" else {}
    return facts | {"sure": 1 - asked["level"]}


CUT = {"shards": 2}
ASKED = {
    "anova": [CUT, {"models": ["MD1"]}, CUT | {"models": ["MD6", "MD3"], "metric": "P@2"}],
    "models": [
        CUT | {"resamples": 2}, CUT | {"resamples": 1, "models": ["MD3", "MD6"]}, {"models": ["MD1"]},
        CUT | {"resamples": 2, "undefined": 0.5, "level": 0.43},
    ],
    "system_intervals": [
        CUT, CUT | {"interval": "sem", "level": 0.43}, {"model": "MD1", "level": 0.43}, CUT | {"level": 0.43},
    ],
    "intervals_by_model": [CUT, CUT | {"level": 0.43, "metric": "P@2"}],
    "models_by_shards": [
        {"shards": [2, 3], "level": 0.43}, {"shards": [2], "models": ["MD3", "MD6"], "level": 0.6},
    ],
    "tukey_pairs": [
        CUT, {"model": "MD1", "level": 0.43}, CUT | {"level": 0.43}, CUT | {"method": "randomised", "resamples": 40},
        {"model": "MD1", "method": "randomised", "resamples": 40, "level": 0.6},
    ],
    "shard_stability": [
        {"shards": [2, 3], "resamples": 2, "level": 0.43}, {"shards": [2], "resamples": 1, "level": 0.43},
    ],
    "rank_intervals": [
        {"resamples": 40}, {"resamples": 40, "level": 0.6, "metric": "RR"}, {"resamples": 40, "estimator": "upper",
         "metric": "P@2"}, {"resamples": 40, "depth": 1},
    ],
}  # fmt: skip
