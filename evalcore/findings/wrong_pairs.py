"""What shallow judgments get wrong: the system pairs that they swap."""

from __future__ import annotations

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.wrong_pairs import NOTHING_LEFT
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known, written


def at_each_depth(wrong: pd.DataFrame, params: dict[str, Any], *, complete: bool) -> list[Conclusion]:
    """The conclusion of every row of a table of `wrong_pairs`, asked with `params`.

    complete : whether the reference is the complete judgments; else it is all judgments
    """
    return [_at_depth(row, params, complete) for row in wrong.to_dict("records")]


def wrong_pairs(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What the first of the depths gets wrong."""
    return _at_depth(table.iloc[0].to_dict(), params, study.truth is not None)


def _at_depth(row, params, complete):
    """How many pairs are swapped, how many of them significantly, and the clearest of them; see `at_each_depth`."""
    if not (complete or known(row["depth"])):
        return conclude(NOTHING_LEFT)
    if not row["pairs"]:
        return too_little("systems")
    reference = "the complete judgments" if complete else "all judgments"
    facts = {"pairs": row["pairs"], "inversions": row["inversions"]}
    words = {"reference": reference, "at_depth": ""}
    if known(row["depth"]):
        facts["depth"] = int(row["depth"])
        words["at_depth"] = " at depth {depth}"
    if not row["inversions"]:
        return conclude("No system pair is swapped{at_depth} compared with {reference}.", words=words, **facts)
    text = "{inversions} of {pairs} system pairs {inversions:verb is/are} swapped{at_depth} compared with {reference}."
    if row["pairs"] == 1:
        text = "The two systems are swapped{at_depth} compared with {reference}."
    facts |= {"a": row["a"], "b": row["b"], "ahead": row["difference"], "behind": -row["difference_final"]}
    detail = "{a} leads {b} by {ahead:score}, but trails it by {behind:score} with {reference}."
    if row["inversions"] > 1:
        detail = f"The clearest: {detail}"
    if known(row["p"]):  # on one topic there is no test
        facts |= {"significant": row["significant"], "level": params["level"]}
        words["test"] = "(paired t-test, α = {level:level}, uncorrected)"
        sure = "{significant} {significant:verb differs/differ} significantly {test}."
        if row["inversions"] == 1:
            sure = "Their difference is {significant:verb significant/not significant} {test}."
        detail = f"{sure} {detail}"
    caveats = ()
    if known(row["touching"]) and row["touching"]:
        facts["touching"] = row["touching"]
        text_of = f"Even with {reference}, the intervals of {{touching}} of {{inversions}} swapped pairs overlap."
        if row["inversions"] == 1:
            text_of = f"Even with {reference}, the intervals of {{a}} and {{b}} overlap."
        caveats = [written(text_of, facts)]
    return conclude(text, detail, caveats=caveats, words=words, **facts)
