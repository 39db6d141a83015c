"""How far another program's scores agree with those here."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.questions.other_programs import ALL, NOTHING, OPTION
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits


def score_differences(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many scores agree, and what explains the others."""
    compared = int((study.theirs["metric"] != "").sum())  # type: ignore[index]
    if not compared:
        return conclude("The other program printed no score on a metric of Poolscope.")
    scores = table[table["value"].notna() & table["theirs"].notna()]
    lone = len(table) - len(scores)
    facts = {"compared": compared, "agreeing": compared - table["theirs"].notna().sum(), "lone": lone}
    caveats = [f"{digits(lone, 'score')} {'is' if lone == 1 else 'are'} from one of the programs only."] if lone else []
    text = (
        "{agreeing} of {compared:digits printed score} {agreeing:verb agrees/agree} with Poolscope's to the last digit."
    )
    if facts["agreeing"] == compared:
        text = "All {compared:digits printed score} agree with Poolscope's to the last digit."
        text = text if compared > 1 else "The only printed score agrees with Poolscope's to the last digit."
    unexplained = scores[scores["explained_by"] == NOTHING]
    reasons = scores["explained_by"][scores["explained_by"] != NOTHING].value_counts(sort=False)
    detail, words = "", {}
    if len(reasons):
        facts |= {"explained": int(reasons.sum()), "most": int(reasons.max())}
        facts |= {"convention": OPTION.sub("", reasons.idxmax())}
        detail = "{explained} scores follow another convention: “{convention}”."
        if facts["explained"] == 1:  # which may be chance
            detail = "1 score may follow another convention: “{convention}”."
        elif (reasons == reasons.max()).sum() > 1:
            detail = "{explained} scores follow other conventions, such as “{convention}”."
        elif len(reasons) > 1:
            detail = "{explained} scores follow other conventions; for {most} of them it is “{convention}”."
    if len(unexplained):
        worst = unexplained.iloc[0]
        facts |= {"unexplained": len(unexplained), "size": abs(worst["difference"]), "system": worst["system"]}
        facts |= {"metric": worst["metric"]} | ({} if worst["topic"] == ALL else {"topic": worst["topic"]})
        words["where"] = "{system}, topic {topic}, {metric}" if "topic" in facts else "{system}, mean {metric}"
        detail = "{unexplained:digits difference} are unexplained; the largest is {size:width} ({where})."
        if len(unexplained) == 1:
            detail = "1 difference is unexplained: {size:width} ({where})."
    return conclude(text, detail, caveats=caveats, words=words, **facts)
