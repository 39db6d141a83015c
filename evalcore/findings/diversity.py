"""Which system covers the subtopics of the topics soonest."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.scores import leader
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, share

COVERS = (
    "On average over {topics:digits topic}, its {top} {share:share} of the subtopics{most}. Unjudged documents count "
    "as relevant to none."
)
COVER = "Unjudged documents count as relevant to no subtopic, so more judging can change these scores."
MOST = {
    "none": "; no other system covers more",
    "alike": "; no other system covers a percentage point more",
    "other": "; those of {widest} cover most, {most_share:share}",
}


def diversity(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Who leads on alpha-nDCG, and how much of the subtopics its top covers."""
    table = table[table["alpha_ndcg"].notna()]
    if not len(table):
        return too_little("score")
    rows = table.assign(value=table["alpha_ndcg"], lower=float("nan"), upper=float("nan"), kind="point")
    text, words, facts = leader(rows, f"α-nDCG@{params['k']}")
    if len(facts["leaders"]) > 1 or len(table) == 1:
        return conclude(text, COVER, words=words, **facts)
    first, widest = table.iloc[0], table.loc[table["subtopic_recall"].idxmax()]
    facts |= {"k": params["k"], "topics": first["n"], "share": first["subtopic_recall"]}
    ahead = widest["subtopic_recall"] - first["subtopic_recall"]
    most = "none" if ahead < FUZZ else "alike" if share(widest["subtopic_recall"]) == share(facts["share"]) else "other"
    words["top"] = "first result covers" if params["k"] == 1 else "first {k} results cover"
    facts |= {} if most == "none" else {"widest": widest["system"], "most_share": widest["subtopic_recall"]}
    return conclude(text, COVERS, words=words | {"most": MOST[most]}, **facts)
