"""The facts of another program's scores."""

import re

NAMES = {"map", "P_2", "RBP(p=0.8)", "ndcg"}  # of those below, the ones that there are here

PRINTED = """map t0 0.5000
P_2 t0 0.1234
num_ret t0 3
map t1 0.2500
P_2 t1 0.5000
ndcg t9 1.0000
runid all s0
map all 0.3750
P_2 all 0.2500
RBP(p=0.8) t0 0.2000
runid all s1
ndcg all 0.5
map t0 0.4000
runid all nobody
map all 0.4000
"""


def score_differences(rows, asked, case):
    compared = sum(line.split()[0] in NAMES for line in case.theirs.splitlines())
    printed = [row for row in rows if row["theirs"] == row["theirs"]]
    both = [row for row in printed if row["value"] == row["value"]]
    facts = {"compared": compared, "agreeing": compared - len(printed)}
    reasons = {}
    for row in both:
        if row["explained_by"] != "unexplained":
            reasons[row["explained_by"]] = reasons.get(row["explained_by"], 0) + 1
    if reasons:
        reason = max(reasons, key=reasons.get)  # the first of the most frequent
        facts |= {"explained": sum(reasons.values()), "convention": re.sub(r" \((no )?-.*?\)", "", reason)}
        facts |= {"most": reasons[reason]}
    left = [row for row in both if row["explained_by"] == "unexplained"]
    if left:
        worst = max(left, key=lambda row: round(abs(row["difference"]), 12))
        facts = worst | facts | {"unexplained": len(left), "size": abs(worst["difference"])}
    return facts | {"lone": len(rows) - len(both)}


ASKED = {"score_differences": [{"theirs": PRINTED}]}
