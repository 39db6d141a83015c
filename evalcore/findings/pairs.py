"""What pairs of systems show: which are certain, and which are significant over topics."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.findings.setting import test_words
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.study import Study
from evalcore.vocabulary.validation import EQUAL


def pairs(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs are certain, how many significant, and the two systems with the highest scores."""
    certain, significant = table["settled"] != "open", table["significant"].astype(bool)
    metric, test = metric_named(params["metric"]), test_words(params)
    facts = {"metric": params["metric"], "pairs": len(table), "certain": certain.sum()}
    facts |= {"significant": significant.sum(), "both": (certain & significant).sum()}
    facts |= {"judged": (certain & ~significant).sum(), "tested": (significant & ~certain).sum()}
    facts |= {"neither": (~certain & ~significant).sum()}
    lead, names = _first_two(table)
    facts |= names
    if metric.kind != "bounds":
        text = "{significant} of {pairs} system pairs {significant:verb differs/differ} significantly in {metric}."
        if len(table) == 1:
            text = "The two systems {significant:verb differ/do not differ} significantly in {metric}."
        return conclude(
            text,
            "{metric} has no exact bounds, so it cannot be said which orders further judging could reverse.",
            **facts,
        )
    open_pairs = len(table) - facts["certain"]
    caveats = [MORE.format(metric=metric.name)] if open_pairs and not metric.weighted else []
    if len(table) == 1:
        text = "The order of the two systems is certain: no further judging can reverse it."
        if open_pairs:
            text = "The order of the two systems is not certain."
        elif lead == UNDONE:
            text = UNDONE
        elif table["settled"].iloc[0] == "tie":
            text = "The two systems are certain to have the same {metric}."
        detail = f"Their difference is {'' if facts['significant'] else 'not '}significant over topics."
        if table["settled"].iloc[0] == "tie" and not facts["significant"]:
            detail = ""
        return conclude(text, detail, caveats=caveats, **facts)
    text = "{certain} of {pairs} system pairs are certain: no further judging can reverse them."
    if facts["certain"] == 1:
        text = "1 of {pairs} system pairs is certain: no further judging can reverse it."
    elif not facts["certain"]:
        text = "No system pair is certain."
    detail = "{significant} {significant:verb is/are} {over}; {both} {both:verb is/are} both."
    if not facts["significant"]:
        detail = "No pair is significant over topics."
    elif not facts["certain"]:
        detail = "{significant} {significant:verb is/are} {over}."
    elif not facts["both"]:
        detail = "{significant} {significant:verb is/are} {over}; none is both."
    elif facts["both"] == facts["significant"]:
        detail = "{both} of these {both:verb is/are} significant over topics, too ({test})."
    words = {"test": test, "over": f"significant over topics ({test})"}
    return conclude(text, " ".join(filter(None, (detail, lead))), caveats=caveats, words=words, **facts)


MORE = "More pairs may be certain than the intervals of {metric} show."  # those of weights of ranks show all
LEADS = {
    (True, True): "{first}'s lead over {second} is certain and significant.",
    (True, False): "{first}'s lead over {second} is certain but not significant.",
    (False, True): "{first}'s lead over {second} is significant but not certain.",
    (False, False): "{first}'s lead over {second} is neither certain nor significant.",
}
UNDONE = "{first}'s lead over {second} is estimated; further judging is certain to undo it."


def _first_two(table):
    """What is known of the two systems with the highest scores, and their names; nothing where several share the first
    or second rank. (a template, facts)"""
    wins = dict.fromkeys([*table["a"], *table["b"]], 0)
    for a, b, difference in zip(table["a"], table["b"], table["difference"], strict=True):
        for winner in [a] * (difference > EQUAL) + [b] * (difference < -EQUAL):
            wins[winner] += 1
    first, second, *rest = sorted(wins, key=wins.__getitem__, reverse=True)
    if len({wins[name] for name in (first, second, *rest[:1])}) < 2 + len(rest[:1]):
        return None, {}
    pair = table[table["a"].isin([first, second]) & table["b"].isin([first, second])].iloc[0]
    is_certain, names = pair["settled"] != "open", {"first": first, "second": second}
    if is_certain and pair.get(pair["settled"]) != first:  # an estimate puts it ahead
        return UNDONE, names
    return LEADS[is_certain, bool(pair["significant"])], names
