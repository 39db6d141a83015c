"""The facts of judgments."""

from statistics import median

from tests.oracles import judging

from .plain import known


def judgment_health(rows, asked, case):
    estimated = [row for row in rows if known(row["still_missing"])]
    facts = {"topics": len(rows), "without": sum(1 for row in rows if row["relevant"] == 0)}
    facts["judged"] = sum(row["judged"] for row in rows)
    facts |= {"missing": round(sum(row["still_missing"] for row in estimated)), "unexplained": case.unexplained()}
    return facts | {"found": sum(row["relevant"] for row in estimated), "untold": len(rows) - len(estimated)}


def pool_audit(rows, asked, case):
    look = [row["system"] for row in rows if row["looks_pooled"]]
    facts = {"systems": len(case.systems), "contributing": len(case.pooled), "unexplained": case.unexplained()}
    judged = [topic for topic in case.topics if any(grade != -1 for grade in case.qrels.get(topic, {}).values())]
    facts |= {"depth": case.depth, "alike": sum(1 for topic in judged if case.depth_of_topic[topic] >= case.depth)}
    facts |= {"alone": sum(row["unique_relevant"] for row in rows)} if known(rows[0]["unique_relevant"]) else {}
    facts |= {"others": [row["system"] for row in rows if row["system"] in set(look) - set(case.pooled)]}
    return facts | {"unlike": [row["system"] for row in rows if row["system"] in set(case.pooled) - set(look)]}


def holes(rows, asked, case):
    unknown = sum(1 for topic, judged in case.qrels.items() if judged and not case.depth_of_topic[topic])
    facts = {"unknown": unknown} if unknown and not asked["depth"] else {}
    holes = len({(row["topic"], row["document"]) for row in rows})
    return facts | {"depth": asked["depth"] or case.depth, "holes": holes}


def unretrieved(rows, asked, case):
    relevant = sum(1 for row in rows if case.qrels[row["topic"]][row["document"]] > 0)
    return {"documents": len(rows), "relevant": relevant} if rows else {}


def suspects(rows, asked, case):
    count = {kind: sum(1 for row in rows if row["kind"] == kind) for kind in NAMES}
    wanted = list(NAMES) if asked["kind"] == "all" else [asked["kind"]]
    if len(case.systems) < 10 and asked["kind"] != "contradiction":
        wanted = [kind for kind in wanted if kind == "contradiction"]
    facts = {NAMES[kind]: count[kind] for kind in wanted} | {"total": sum(count[kind] for kind in wanted)}
    facts |= {"systems": len(case.systems)}
    return facts | ({"popular": popular(asked, case)} if "not relevant" in wanted else {})


def relevant(case):
    return [D for topic in case.topics for D, grade in case.qrels.get(topic, {}).items() if grade > 0]


def popular(asked, case):
    """How many judged documents most of the good systems have at the top."""
    means = judging.system_means(asked["metric"], case.runs, case.qrels, case.qrels)
    good, found = [s for s in means if means[s] >= median(means.values()) - 1e-12], 0
    for topic, judged in judging.only_judged(case.qrels).items():
        tops = [judging.has_at(case.runs, s, topic, asked["k"]) for s in good]
        found += sum(1 for D in judged if 2 * sum(D in top for top in tops) > len(good))
    return found


NAMES = {"not relevant": "not_relevant", "relevant": "relevant", "contradiction": "contradiction"}
SECOND = {"t0": {"da": 0, "db": 1, "dc": 2}, "t1": {"da": 0, "dc": 1, "dd": 1}}
ASKED = {
    "pool_audit": [{}, {"order": "rank"}],
    "holes": [{}, {"depth": 1}, {"depth": 3}],
    "suspects": [
        {},
        {"top": None, "k": 2},
        {"kind": "not relevant", "k": 1},
        {"kind": "not relevant", "k": 2, "top": 1},
        {"kind": "relevant"},
        {"kind": "contradiction", "other": SECOND},
        {"other": SECOND, "top": 2},
    ],
}
