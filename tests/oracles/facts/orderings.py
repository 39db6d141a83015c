"""The facts of orderings."""

from .plain import FUZZ, first_largest, first_least, known


def regimes(rows, asked, case):
    names = set(asked["regimes"])
    rows = [row for row in rows if row["a"] != row["b"] and known(row["tau"])]
    if len(names) < 2 or not rows:
        return {}
    most, least = first_largest(rows, "tau"), first_least(rows, "tau")
    nearest = {"most": [most["a"], most["b"]], "most_tau": most["tau"]}
    if len(names) == 2:
        return nearest
    if most["tau"] - least["tau"] < FUZZ:
        return {"regimes": len(names), "most_tau": most["tau"]}
    return {"regimes": len(names), "least": [least["a"], least["b"]], "least_tau": least["tau"]} | nearest


def swaps(rows, asked, case):
    if asked["a"] == asked["b"]:
        return {}
    facts = {"a": asked["a"], "b": asked["b"]}
    if not rows:
        return facts
    systems = case.systems if asked["systems"] == "all" else asked["systems"]
    facts["alike"] = 1 - len(rows) / len([(a, b) for a in systems for b in systems if a < b])
    certain = [row for row in rows if row["certain"]]
    return facts | ({"swaps": len(rows), "certain": len(certain)} if len(rows) > 1 else {})


def separability(rows, asked, case):
    rows = [row for row in rows if row["estimator"] == rows[0]["estimator"]]
    few, full = rows[0], rows[-1]
    facts = {"few": few["judgments"], "separable": few["separable"], "level": asked["level"]}
    facts |= {"estimator": few["estimator"]} if few["estimator"] != "lower" else {}
    if few["judgments"] < sum(1 for judged in case.qrels.values() for grade in judged.values() if grade != -1):
        facts["reversed"] = few["reversed"]
    facts |= {"opposite": few["opposite"]} if few["opposite"] else {}
    if few["judgments"] < full["judgments"]:
        facts |= {"full": full["judgments"], "full_separable": full["separable"]}
    return facts


def p_values(rows, asked, case):
    level = asked["level"]
    if len(rows) == 1:
        return {"a": rows[0]["a"], "b": rows[0]["b"], "quadrant": rows[0]["quadrant"], "level": level}
    apart = [(row["p_shallow"] < level, row["p_full"] < level) for row in rows]
    facts = {"pairs": len(rows), "level": level}
    if asked["shallow"] in (None, "all"):
        return facts | {"apart": apart.count((True, True))}
    facts |= {"taken_back": apart.count((True, False)), "missed": apart.count((False, True))}
    by, _, count = str(asked["shallow"]).rpartition("=")
    by = by or ("depth" if int(count) <= case.depth else "judgments")
    return facts | {by: int(count)}


FACTS = {"regimes": regimes, "swaps": swaps, "separability": separability, "p_values": p_values}
ASKED = {
    "regimes": [{}, *({"regimes": some} for some in (["AP"], ["AP", "nDCG"], ["AP", "depth=1", "P@1"], ["AP", "AP"]))],
    "swaps": [
        {}, {"a": "AP", "b": "P@2"}, {"a": "P@2", "b": "depth=1 | P@2"}, {"a": "AP", "b": "AP"}, {"a": "P@2 | upper"},
        {"systems": ["s0", "s1"]},
    ],
    "separability": [
        {}, {"level": 0.5, "estimators": ["rm", "lower"]}, {"level": 0.9}, {"depths": [1, None]}, {"depths": [1]},
        {"judgments": [1, 2], "level": 0.5},
    ],
    "p_values": [
        {}, {"level": 0.5}, {"shallow": "judgments=2", "level": 0.7}, {"shallow": None, "level": 0.5},
        {"shallow": "all"}, {"shallow": 1}, {"shallow": 50}, {"systems": ["s0", "s1"], "level": 0.5},
    ],
}  # fmt: skip
