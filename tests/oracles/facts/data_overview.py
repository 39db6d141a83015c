"""The facts of collections."""

import re

from .plain import known, mean, of_answering


def systems(rows, asked, case):
    facts = {
        "systems": len(rows),
        "documents": sum(row["documents"] for row in rows),
        "pooled": sum(1 for row in rows if row["pooled"]),
    }
    judged = mean(row["judged_at_10"] for row in of_answering(rows, case) if known(row["judged_at_10"]))
    return facts | ({"judged_at_10": judged} if known(judged) else {})


def topics(rows, asked, case):
    judgments = sum(row["judged"] for row in rows)
    if not judgments:
        return {}
    judged = [row for row in rows if row["judged"]]
    facts = {"topics": len(rows), "judgments": judgments, "relevant": sum(row["relevant"] for row in rows)}
    facts |= {"judged_topics": len(judged), "without": len(rows) - len(judged)}
    fewest = min(judged, key=lambda row: row["judged"])
    return facts | {"fewest": fewest["topic"], "fewest_judged": fewest["judged"]}


def findings(rows, asked, case):
    """Each check counts once for each severity; the first row of the table is the most serious."""
    serious = [row for row in rows if row["severity"] != "note"]
    checks = list(dict.fromkeys((row["severity"], row["check"]) for row in serious))
    facts = {"systems": len(case.systems), "topics": len(case.topics), "others": len(checks) - 1}
    facts["bare"] = sum(1 for topic in case.topics if all(grade == -1 for grade in case.qrels.get(topic, {}).values()))
    facts |= {f"{severity}s": sum(1 for is_one, _ in checks if is_one == severity) for severity in ("error", "warning")}
    if not checks:
        return facts
    first = [row for row in serious if (row["severity"], row["check"]) == checks[0]]
    where = [name for name in dict.fromkeys(row["system"] or row["topic"] for row in first) if name]
    worst = re.split(r", which\b|(?<=[.!?])\s+(?=[A-Z“(])", first[0]["message"])[0].rstrip(".")
    return facts | {"check": checks[0][1], "where": where, "worst": worst, "like": len(where) - 1}


def is_judged(case, topic):
    """Whether a topic has a judgment; each counts as if where none has."""
    judged = {of for of in case.topics if any(grade != -1 for grade in case.qrels.get(of, {}).values())}
    return topic in judged or not judged


def judged(rows, asked, case):
    answering = [row for row in of_answering(rows, case) if is_judged(case, row["topic"])]
    shares = [row["judged"] for row in answering or rows]
    return {"judged": mean(shares)} if shares else {}


def first_unjudged(rows, asked, case):
    facts = {}
    for name, pooled in (("pooled", True), ("others", False)):
        of = [row for row in rows if row["pooled"] == pooled]
        facts |= {name: sum(row["share"] for row in of if row["rank"] == 1)} if of else {}
    return facts


ASKED = {"judged": [{}, {"k": 1}, {"k": 5}], "first_unjudged": [{}, {"depth": 1}]}
