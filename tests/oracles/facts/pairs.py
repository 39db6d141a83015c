"""The facts of pairs."""


def pairs(rows, asked, case):
    verdicts = [row["verdict"] for row in rows]
    return {"pairs": len(rows)} | {verdict: verdicts.count(verdict) for verdict in ("certain", "likely", "open")}


FACTS = {"pairs": pairs}
ASKED = {
    "pairs": [
        {}, {"metric": "AP"}, {"metric": "bpref", "level": 0.5, "correction": "none"}, {"systems": ["s0", "s1"]},
        {"systems": ["s0", "s1"], "metric": "AP"}, {"metric": "P@2", "depth": 1, "level": 0.7},
    ],
}  # fmt: skip
