"""The facts of collections."""

from .plain import known, mean


def systems(rows, asked, case):
    facts = {
        "systems": len(rows),
        "documents": sum(row["documents"] for row in rows),
        "pooled": sum(1 for row in rows if row["pooled"]),
    }
    judged = mean(row["judged_at_10"] for row in rows if known(row["judged_at_10"]))
    return facts | ({"judged_at_10": judged} if known(judged) else {})


def topics(rows, asked, case):
    judgments = sum(row["judged"] for row in rows)
    if not judgments:
        return {}
    facts = {"topics": len(rows), "judgments": judgments, "relevant": sum(row["relevant"] for row in rows)}
    if without := sum(1 for row in rows if not row["judged"]):
        return facts | {"without": without}
    fewest = min(rows, key=lambda row: row["judged"])
    return facts | ({"fewest": fewest["topic"], "fewest_judged": fewest["judged"]} if len(rows) > 1 else {})


def findings(rows, asked, case):
    facts = {"systems": len(case.systems), "topics": len(case.topics)}
    judgments = sum(1 for of_topic in case.qrels.values() for grade in of_topic.values() if grade != -1)
    grave = {}
    for row in rows:
        if row["severity"] != "note":
            grave.setdefault((row["severity"], row["check"]), []).append(row)
    facts |= {"gravest": together(next(iter(grave.values())))} if grave else {}
    facts |= {"others": len(grave) - 1} if len(grave) > 1 else {}
    return facts | {"judgments": judgments} | judged_of(shares(case, 10), 10)


SEVERAL = {  # what is said of several runs, and what is counted, for the checks of random small studies
    "missing topics": ("have no documents for some judged topics", "topic"),
    "no topic of the qrels": ("have no topic of the qrels", ""),
    "one list for all topics": ("have the same first documents for all topics", ""),
    "same ranking twice": ("have the rankings of another system", ""),
}


def together(rows):
    """What is said of several findings of one check."""
    names = list(dict.fromkeys(row["system"] for row in rows if row["system"]))
    if len(rows) == 1:
        return rows[0]["message"]
    phrase, unit = SEVERAL[rows[0]["check"]]
    said = f"{len(names)} runs ({', '.join(names[:3])}{', …' if len(names) > 3 else ''}) {phrase}"
    if not unit:
        return f"{said}. {rows[0]['message']}"
    most = max(rows, key=lambda row: row["count"])
    return f"{said}; {most['system']} has the most, {most['count']} {unit}{'s' if most['count'] > 1 else ''}."


def shares(case, k):
    """The share of the first k ranks of every ranking that is judged."""
    found = []
    for system in case.systems:
        for query in case.queries:
            judged = case.qrels.get(case.topic_of(query), {})
            if not is_judged(case, case.topic_of(query)):
                continue
            top = case.ranked(system, query)[:k]
            found.append(sum(1 for document in top if judged.get(document, -1) != -1) / k)
    return found


def is_judged(case, topic):
    """Whether a topic has a judgment; each counts as if where none has."""
    judged = {of for of in case.topics if any(grade != -1 for grade in case.qrels.get(of, {}).values())}
    return topic in judged or not judged


def judged_of(shares, k):
    return {"judged": mean(shares), "k": k} if shares else {}


def judged(rows, asked, case):
    return judged_of([row["judged"] for row in rows if is_judged(case, row["topic"])], asked["k"])


def first_unjudged(rows, asked, case):
    facts = {}
    for name, pooled in (("pooled", True), ("others", False)):
        of = [row for row in rows if row["pooled"] == pooled]
        facts |= {name: sum(row["share"] for row in of if row["rank"] == 1)} if of else {}
    return facts


FACTS = {
    "systems": systems,
    "topics": topics,
    "findings": findings,
    "judged": judged,
    "first_unjudged": first_unjudged,
}
ASKED = {"judged": [{}, {"k": 1}, {"k": 5}], "first_unjudged": [{}, {"depth": 1}]}
