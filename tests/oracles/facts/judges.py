"""The facts of judges: the only judge of these cases is the second judgments, in the file other.txt."""

from .judgments import SECOND
from .plain import known, mean, of_answering
from .second_qrels import judged

JUDGE = "other"


def judges(rows, asked, case):
    first, second = judged(case.qrels), judged(case.other)
    both = [key for key in first if key in second and key[0] in case.topics]
    facts = {"people": mean(first[key] >= 1 for key in both), "judged": mean(second[key] >= 1 for key in both)}
    facts |= {"by_chance": rows[0]["tau_by_chance"], "kappa": rows[0]["kappa_weighted"]}
    return rows[0] | facts | {"judge": JUDGE, "judges": int(known(rows[0]["tau"]))}


def judge_pairs(rows, asked, case):
    return rows[1] | {"a": "people", "b": JUDGE, "pairs": 1}


def judge_confusion(rows, asked, case):
    first, second = judged(case.qrels), judged(case.other)
    both = [(grade, second[key]) for key, grade in first.items() if key in second and key[0] in case.topics]
    if on_two_scales(case):
        more, fewer = mean(a < 1 <= b for a, b in both), mean(b < 1 <= a for a, b in both)
        return {"judge": JUDGE, "both": len(both), "more": more, "fewer": fewer}
    higher, lower = mean(b > a for a, b in both), mean(b < a for a, b in both)
    return {"judge": JUDGE, "both": len(both), "higher": higher, "lower": lower}


def on_two_scales(case):
    """Whether the judge grades from 1 on, higher than people, or only 0 and 1 beside more grades."""
    people, theirs = (
        {g for topic, of in qrels.items() for g in of.values() if g != -1 and topic in case.topics}
        for qrels in (case.qrels, case.other)
    )
    if not people or not theirs:
        return False
    from_one = len(theirs) > 1 and min(theirs) >= 1 > min(people)
    return from_one or max(theirs) > max(*people, 1) or (theirs <= {0, 1} and max(people) > 1)


def ranks(case, topic, document):
    """The best rank of a document in any ranking of its topic, from 1, and how many systems have it."""
    places = []
    for name in case.systems:
        own = [case.ranked(name, query) for query in case.queries if case.topic_of(query) == topic]
        found = [ranking.index(document) + 1 for ranking in own if document in ranking]
        places += [min(found)] if found else []
    return (min(places), len(places)) if places else (None, 0)


def judge_agreement_by_rank(rows, asked, case):
    first, second = judged(case.qrels), judged(case.other)
    best = {key: ranks(case, *key)[0] for key in first if key in second}
    rows = [row for row in rows if row["by"] == "rank"]
    facts = {"judge": JUDGE}
    ends = ((rows[0], ("judged", "people")), (rows[-1], ("judged_deep", "people_deep")))
    for row, names in ends if len(rows) > 1 else ends[:1]:
        keys = [key for key, rank in best.items() if rank and row["first"] <= rank <= row["last"]]
        facts |= dict(zip(names, (mean(of[key] >= 1 for key in keys) for of in (second, first)), strict=True))
    return rows[0] | facts | ({"deep": rows[-1]["first"]} if len(rows) > 1 else {})


def judge_topics(rows, asked, case):
    measured = [row for row in rows if known(row["kappa_weighted"])]
    facts = {"judge": JUDGE, "topics": len(rows), "measured": len(measured)}
    if not measured:
        return facts
    worst = min(measured, key=lambda row: (row["kappa_weighted"], row["topic"]))
    first, second = judged(case.qrels), judged(case.other)
    keys = [key for key in first if key in second and key[0] == worst["topic"]]
    facts |= {"topic": worst["topic"], "kappa": worst["kappa_weighted"]}
    facts |= {"people": mean(first[key] >= 1 for key in keys), "judged": mean(second[key] >= 1 for key in keys)}
    return facts | {"poor": sum(1 for row in measured if row["kappa_weighted"] < 0.4)}


def judge_systems(rows, asked, case):
    rows = [row for row in of_answering(rows, case) if known(row["value"]) and known(row["value_other"])]
    facts = {"judge": JUDGE, "systems": len(rows)}
    pairs = [(a, b) for place, a in enumerate(rows) for b in rows[:place]]
    if not pairs:
        return facts
    swapped = [
        (a, b)
        for a, b in pairs
        if abs(a["value"] - b["value"]) > 1e-12
        and abs(a["value_other"] - b["value_other"]) > 1e-12
        and (a["value"] > b["value"]) != (a["value_other"] > b["value_other"])
    ]
    facts |= {"pairs": len(pairs), "swapped": len(swapped), "share": len(swapped) / len(pairs)}
    facts |= {"significant": sum(row["swapped_significant"] for row in rows) // 2}
    return facts | {"change": mean(row["value_other"] - row["value"] for row in rows)}


def judge_gains(rows, asked, case):
    significant = [row for row in rows if row["p_corrected"] < asked["level"]]
    facts = {"judge": JUDGE, "groups": len(rows), "significant": len(significant)}
    if not significant:
        return facts
    favour = {row["group"]: row["change"] - row["rest"] - row["expected"] for row in significant}
    gains = any(one > 0 for one in favour.values())
    best = (max if gains else min)(significant, key=lambda row: favour[row["group"]])
    return best | facts | {"favour": abs(favour[best["group"]])}


def judge_checks(rows, asked, case):
    facts = {"judge": JUDGE, "documents": len(rows), "topics": len({row["topic"] for row in rows})}
    return rows[0] | facts if rows else facts


def judge_checks_curve(rows, asked, case):
    facts, most = {"judge": JUDGE}, max(row["judgments"] for row in rows)
    middle = [row for row in rows if 0 < row["judgments"] < most]
    if not known(rows[0]["tau"]) or not middle:
        return facts
    at = min((row["judgments"] for row in middle), key=lambda count: (abs(count - 100), count))
    tau = {row["order"]: row["tau"] for row in middle if row["judgments"] == at}
    facts |= {"start": rows[0]["tau"], "checked": at, "random": tau["random"]}
    return facts | {"tau": tau["documents"], "by_topic": tau["topics"]}


LIKE = {"t0": {"da": 1, "db": 0}, "t1": {"dc": 1}}
MORE = {"t0": {"da": 2, "db": 1, "dc": 1, "dd": 0}, "t1": {"da": 1, "dc": 0, "dd": 2, "de": 1}}
ASK = [{"other": SECOND}, {"other": LIKE, "metric": "AP"}, {"other": MORE, "metric": "nDCG@10"}]
PLAIN = [{"other": SECOND}, {"other": LIKE}, {"other": MORE}]
ASKED = dict.fromkeys(("judges", "judge_pairs", "judge_topics", "judge_systems", "judge_checks_curve"), ASK)
ASKED |= dict.fromkeys(("judge_confusion", "judge_agreement_by_rank"), PLAIN)
ASKED |= {"judge_gains": [{**one, "resamples": 200, "level": 0.2} for one in ASK]}
ASKED |= {"judge_checks": [*ASK, {"other": MORE, "order": "topics"}]}
