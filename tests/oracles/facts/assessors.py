"""The facts of assessors: the table of these cases is the text `case.assessors`, the judge the second judgments."""

from .judgments import SECOND
from .plain import first_least, known, mean
from .second_qrels import judged


def judgments_of(case):
    """(assessor, topic, document) -> whether it is relevant, as a list in the table's order."""
    header, *lines = (line.split(",") for line in case.assessors.splitlines())
    qrels, found = judged(case.qrels), []
    for row in (dict(zip(header, line, strict=True)) for line in lines):
        if "grade" in row and row["topic"] in case.topics:
            found.append((row["assessor"], row["topic"], row["document"], int(row["grade"]) >= 1))
        elif row["topic"] in case.topics:
            found += [
                (row["assessor"], topic, document, grade >= 1)
                for (topic, document), grade in qrels.items()
                if topic == row["topic"] and document == row.get("document", document)
            ]
    return found


def assessors(rows, asked, case):
    found = judgments_of(case)
    of = {name: [one for one in found if one[0] == name] for name in sorted({one[0] for one in found})}
    shares = {name: mean(one[3] for one in some) for name, some in of.items()}
    most = max(shares, key=shares.get)
    least = [name for name, share in shares.items() if share == min(shares.values())][-1]
    facts = {"assessors": len(of), "most": most, "high": shares[most], "least": least, "low": shares[least]}
    facts |= {"topics": len({one[1] for one in of[most]})}
    worst = first_least(rows, "kappa_weighted")
    if not worst:
        return facts
    second = judged(case.other)
    both = sum(one[1:3] in second for one in of[worst["assessor"]])
    return facts | {"judge": "other", "worst": worst["assessor"], "kappa": worst["kappa_weighted"], "both": both}


def assessors_twice(rows, asked, case):
    header, *lines = (line.split(",") for line in case.assessors.splitlines())
    given = [dict(zip(header, line, strict=True)) for line in lines]
    given = [row for row in given if row["topic"] in case.topics]
    pairs = [
        (a["grade"], b["grade"])
        for place, a in enumerate(given)
        for b in given[:place]
        if (a["topic"], a["document"]) == (b["topic"], b["document"])
    ]
    facts = {"both": len(pairs), "share": mean(a == b for a, b in pairs)}
    worst = first_least(rows, "kappa_weighted")
    return worst | facts | ({"kappa": worst["kappa_weighted"], "shared": worst["both"]} if worst else {})


def assessor_drift(rows, asked, case):
    tested = [row for row in rows if known(row["p"])]
    names = {one[0] for one in judgments_of(case)}
    facts = {"assessors": len(names), "tests": len(tested)}
    if not tested:
        return facts
    significant = [row for row in tested if row["p_corrected"] < asked["level"]]
    facts |= {"significant": len(significant)}
    if significant:
        surest = min(significant, key=lambda row: row["p_corrected"])
        facts = surest | facts | {"p": surest["p_corrected"]}
        facts |= {"first": surest["share_first"], "second": surest["share_second"]}
    return facts


TOPICS = "topic,assessor\nt0,ann\nt1,bob\n"
ONE = "topic,assessor\nt0,ann\nt1,ann\n"
DOCUMENTS = "topic,assessor,document\n" + "".join(f"t{n % 2},{'ab'[n % 3 > 1]},d{'abcd'[n // 2]}\n" for n in range(8))
TWICE = "topic,assessor,document,grade\n" + "".join(
    f"t{n % 2},{who},d{'abcd'[n // 2]},{(n // 3 + (n % 5 == 1) * place) % 3}\n"
    for n in range(8)
    for place, who in enumerate(("ann", "bob", "cas")[: 2 + n % 2])
)
AGAIN = "topic,assessor,document,grade\nt0,ann,da,1\nt0,ann,db,0\nt0,ann,da,0\nt0,ann,db,0\nt0,ann,dc,1\nt0,ann,dc,1\n"
STRICTER = "topic,assessor,document,grade\n" + "".join(f"t0,ann,d{n},{int(n < 10)}\n" for n in range(20))
TABLES = [{"assessors": table} for table in (TOPICS, ONE, DOCUMENTS, TWICE, AGAIN, STRICTER)]
ASKED = {
    "assessors": [*TABLES, {"assessors": TWICE, "other": SECOND}, {"assessors": ONE, "other": SECOND}],
    "assessors_twice": TABLES,
    "assessor_drift": [*TABLES, {"assessors": TWICE, "level": 0.5}],
}
