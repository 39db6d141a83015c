"""The facts of pairs."""

from .plain import EQUAL


def pairs(rows, asked, case):
    certain = [row["settled"] in ("a", "b", "tie") for row in rows]
    significant = [bool(row["significant"]) for row in rows]
    facts = {"pairs": len(rows), "certain": sum(certain), "significant": sum(significant)}
    each = list(zip(certain, significant, strict=True))
    counts = {"judged": (True, False), "tested": (False, True), "neither": (False, False), "both": (True, True)}
    facts |= {name: each.count(kind) for name, kind in counts.items()}
    ahead = {name: 0 for row in rows for name in (row["a"], row["b"])}
    for row in rows:
        if abs(row["difference"]) > EQUAL:
            ahead[row["a"] if row["difference"] > 0 else row["b"]] += 1
    first, second, *others = sorted(ahead, key=lambda name: -ahead[name])
    if ahead[first] > ahead[second] and all(ahead[second] > ahead[other] for other in others):
        facts |= {"first": first, "second": second}
    return facts


ASKED = {
    "pairs": [
        {}, {"metric": "AP"}, {"metric": "bpref", "level": 0.5, "correction": "none"}, {"systems": ["s0", "s1"]},
        {"systems": ["s0", "s1"], "metric": "AP"}, {"metric": "P@2", "depth": 1, "level": 0.7},
        {"metric": "nDCG@2", "depth": 1}, {"estimator": "rm"},
    ],
}  # fmt: skip
