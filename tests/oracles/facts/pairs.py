"""The facts of pairs."""

from .plain import EQUAL, measure, stage


def pairs(rows, asked, case):
    settled = [row["settled"] in ("a", "b", "tie") for row in rows]
    both = [(judged, bool(row["significant"])) for judged, row in zip(settled, rows, strict=True)]
    counts = {"both": (True, True), "judged": (True, False), "tested": (False, True), "neither": (False, False)}
    facts = stage(asked) | {"pairs": len(rows), "measure": measure(asked)}
    exact = asked["metric"].startswith(("P@", "RBP", "SDCG", "INST", "RR", "nDCG@"))
    facts |= {name: both.count(kind) for name, kind in counts.items() if exact or name == "tested"}
    if len(rows) == 1:
        facts = stage(asked) | {"measure": measure(asked)}
    ahead = {name: 0 for row in rows for name in (row["a"], row["b"])}
    for row in rows:
        if abs(row["difference"]) > EQUAL:
            ahead[row["a"] if row["difference"] > 0 else row["b"]] += 1
    first, second, *others = sorted(ahead, key=lambda name: -ahead[name])
    if ahead[first] > ahead[second] and all(ahead[second] > ahead[other] for other in others):
        facts |= {"first": first, "second": second}
    return facts


FACTS = {"pairs": pairs}
ASKED = {
    "pairs": [
        {}, {"metric": "AP"}, {"metric": "bpref", "level": 0.5, "correction": "none"}, {"systems": ["s0", "s1"]},
        {"systems": ["s0", "s1"], "metric": "AP"}, {"metric": "P@2", "depth": 1, "level": 0.7},
        {"metric": "nDCG@2", "depth": 1}, {"estimator": "rm"},
    ],
}  # fmt: skip
