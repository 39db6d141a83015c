"""The facts of judgments."""

from statistics import median

from tests.oracles import contributors, judging

from .plain import known


def judgment_health(rows, asked, case):
    told = [row for row in rows if known(row["still_missing"])]
    missing = [row["still_missing"] for row in told]
    without = [row["topic"] for row in rows if row["relevant"] == 0]
    facts = {"missing": round(sum(missing)), "found": sum(row["relevant"] for row in told)} if missing else {}
    facts |= {"untold": len(rows) - len(missing), "topics": len(rows)} if 0 < len(missing) < len(rows) else {}
    facts |= {"unexplained": case.unexplained()} if missing and case.unexplained() > 0.5 else {}
    return facts | ({"without": len(without)} if without else {})


def pool_audit(rows, asked, case):
    some = [row for row in rows if row["looks_pooled"]]
    known_outside = case.depth_known and known(case.unexplained())
    if not some:
        facts = {"systems": len(rows), "told": len(case.pooled)} if case.pooled else {}
        return facts | ({"unexplained": case.unexplained()} if known_outside else {})
    pairs = contributors.pairs_of(case.runs, case.qrels)
    depth, depth_of_topic, _, _ = contributors.found(pairs, case.systems)
    alike = sum(1 for topic in depth_of_topic if depth_of_topic[topic] >= depth)
    others = [row["system"] for row in some if row["system"] not in case.pooled]
    facts = {"systems": len(rows), "looks": len(some), "depth": depth}
    facts |= {"alike": alike} if alike < len([topic for topic in case.topics if case.qrels.get(topic)]) else {}
    facts |= {"alone": sum(row["unique_relevant"] for row in rows)} if known(rows[0]["unique_relevant"]) else {}
    facts |= {"unexplained": case.unexplained()} if known_outside else {}
    return facts | ({"others": others} if others else {})


def holes(rows, asked, case):
    return {"depth": asked["depth"] or case.depth, "holes": len({(row["topic"], row["document"]) for row in rows})}


def unretrieved(rows, asked, case):
    relevant = sum(1 for row in rows if case.qrels[row["topic"]][row["document"]] > 0)
    return {"documents": len(rows), "relevant": relevant} if rows else {}


def suspects(rows, asked, case):
    count = {kind: sum(1 for row in rows if row["kind"] == kind) for kind in NAMES}
    wanted = list(NAMES) if asked["kind"] == "all" else [asked["kind"]]
    facts = {}
    if len(case.systems) < 10 and asked["kind"] != "contradiction":
        facts, wanted = {"systems": len(case.systems)}, [one for one in wanted if one == "contradiction"]
    for kind in wanted:
        if count[kind] or kind == asked["kind"] or kind == "not relevant":
            facts |= {NAMES[kind]: count[kind]} | ({} if kind == "contradiction" else {"metric": asked["metric"]})
            facts |= {"k": asked["k"], "popular": popular(asked, case)} if kind == "not relevant" else {}
            facts |= {"every": len(relevant(case))} if kind == "relevant" else {}
    if facts.get("popular") == 0:
        facts = {name: fact for name, fact in facts.items() if name not in ("popular", "not_relevant")}
    return facts


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
FACTS = {
    "judgment_health": judgment_health,
    "pool_audit": pool_audit,
    "holes": holes,
    "unretrieved": unretrieved,
    "suspects": suspects,
}
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
