"""The facts of consistency."""

from tests.oracles.consistency import topic_consistency

from .plain import FUZZ, known, mean


def with_(rows, key):
    return [row for row in rows if known(row[key])]


def tied_at(rows, name, key, end):
    """The names whose value is the largest, or the least."""
    ends = end(row[key] for row in rows)
    return [row[name] for row in rows if abs(row[key] - ends) < FUZZ]


def rbo(rows, asked, case):
    overlaps = {}
    for row in rows:
        who = (row["system"],) if asked["variations"] else (row["a"], row["b"])
        overlaps.setdefault(who, []).append(row["extrapolated"])
    means = [{"who": list(who), "overlap": mean(filter(known, some))} for who, some in overlaps.items()]
    means = [one for one in means if known(one["overlap"])]
    if not means:
        return {}
    most, least = (tied_at(means, "who", "overlap", end) for end in (max, min))
    facts = beside_least(most[0], least[0], [one["overlap"] for one in means])
    return facts | {"most_others": len(most) - 1, "least_others": len(least) - 1}


def beside_least(most, least, values):
    return {"most": most, "highest": max(values), "least": least, "lowest": min(values)}


def consistency(rows, asked, case):
    systems = list({row["system"] for row in rows})
    if len(systems) == 1:
        facts = consistency_of_topics(rows, asked, case)
        return facts | {"system": systems[0]} if facts else {}
    return ends_of([row | {"who": f"{row['system']} on topic {row['topic']}"} for row in rows], "who")


def ends_of(rows, name):
    rows = with_(rows, "consistency")
    if not rows:
        return {}
    most, least = (tied_at(rows, name, "consistency", end) for end in (max, min))
    return beside_least(most, least, [row["consistency"] for row in rows])


def consistency_of_systems(rows, asked, case):
    facts = ends_of(rows, "system")
    return facts | {"nothing": sharing_nothing([row["system"] for row in rows], asked, case)} if facts else {}


def sharing_nothing(systems, asked, case):
    """The consistency of the same rankings with all documents renamed, so that no two of them share one."""
    of_systems = []
    for system in systems:
        of_topics = []
        for topic in case.topics:
            queries = [query for query in case.queries if case.topic_of(query) == topic]
            lengths = [len(case.ranked(system, query)) for query in queries if case.ranked(system, query)]
            renamed = [[f"{query} {rank}" for rank in range(length)] for query, length in enumerate(lengths)]
            of_topics += [topic_consistency(renamed, asked["phi"])[0]] if len(lengths) > 1 else []
        of_systems.append(mean(of_topics))
    return mean(filter(known, of_systems))


def consistency_of_topics(rows, asked, case):
    return ends_of([row | {"who": f"topic {row['topic']}"} for row in rows], "who")


def consistency_pairs(rows, asked, case):
    if not rows:
        return {}
    told = [row for row in rows if row["p"] < 0.05]
    facts = {"apart": len(told), "pairs": len(rows)}
    for system in {row["a"] for row in rows} | {row["b"] for row in rows}:
        own = [(row, 1 if row["a"] == system else -1) for row in rows if system in (row["a"], row["b"])]
        if all(known(row["difference"]) and sign * row["difference"] > FUZZ for row, sign in own):
            facts |= {"ahead": system, "sure": sum(1 for row, _ in own if row in told)}
    return facts


def consistency_correlations(rows, asked, case):
    rhos, topics = {}, {}
    for row in with_(rows, "rho"):
        rhos.setdefault(row["with"], {})[row["system"]] = row["rho"]
        topics.setdefault(row["with"], []).append(row["n"])
    if not rhos:
        return {}
    means = {name: mean(of.values()) for name, of in rhos.items()}
    most = max(abs(value) for value in means.values())
    rho = next(value for value in means.values() if most - abs(value) < FUZZ)
    names = [name for name, value in means.items() if abs(value - rho) < FUZZ]
    called = {"queries": "the number of queries", "variations": "the number of distinct variations"}
    counts = topics[names[0]]
    facts = {"systems": len(rhos[names[0]]), "topics": max(counts), "fewest_topics": min(counts)}
    ps = [row["p"] for row in with_(rows, "rho")]
    facts |= {"tests": len(ps), "significant": sum(1 for p in ps if p < 0.05 / len(ps))}
    return facts | {"names": [called.get(name, name) for name in names], "rho": rho}


def topic_agreement(rows, asked, case):
    _, w, alpha = rows
    return w | {"topics": w["n"], "w": w["value"], "alpha": alpha["value"]} if known(w["value"]) else {}


def oracle_variation(rows, asked, case):
    gains = [row["best_query"] - row["all_queries"] for row in with_(rows, "all_queries")]
    return {"gain": mean(gains)} if gains else {}


SOME = [{}, {"systems": ["s0"]}, {"phi": 0.5}]
ASKED = {
    "rbo": [{}, {"systems": ["s0", "s1"]}, {"variations": True}, {"variations": True, "systems": ["s0"], "k": 1}],
    **dict.fromkeys(
        ("consistency", "consistency_of_systems", "consistency_of_topics", "consistency_pairs"),
        SOME,
    ),
    "consistency_correlations": [*SOME, {"metrics": ["P@1"]}],
    "topic_agreement": [{}, {"of": "AP"}, {"of": "AP", "alpha": "interval"}],
    "oracle_variation": [{}, {"metric": "P@1", "systems": ["s0"]}],
}
