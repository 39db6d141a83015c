"""The facts of pairs."""


def pairs(rows, asked, case):
    if len(rows) == 1:
        return {name: rows[0][name] for name in ("a", "b", "verdict")}
    verdicts = [row["verdict"] for row in rows]
    facts = {"pairs": len(rows), "likely": verdicts.count("likely")}
    if asked["metric"] in ("AP", "bpref"):
        return facts | {"level": asked["level"]}
    return facts | {"certain": verdicts.count("certain"), "open": verdicts.count("open")}


FACTS = {"pairs": pairs}
ASKED = {
    "pairs": [
        {}, {"metric": "AP"}, {"metric": "bpref", "level": 0.5, "correction": "none"}, {"systems": ["s0", "s1"]},
        {"systems": ["s0", "s1"], "metric": "AP"}, {"metric": "P@2", "depth": 1, "level": 0.7},
    ],
}  # fmt: skip
