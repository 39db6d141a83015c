"""What people's judgments of some topics are worth with a judge's of all."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.judges import judge_named
from evalcore.questions.people_and_model import FEWEST
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known

LITTLE = 0.05  # of people's error: a smaller change of it is little
FEW = 0.9  # of the nominal coverage: intervals that contain the mean less often are said to be too narrow


def people_and_model(table: pd.DataFrame, params: dict[str, Any], study: Study, *, at: int | None = None) -> Conclusion:
    """What the judge adds to people's judgments of `at` topics; None = the number nearest a third of them."""
    sizes = sorted(set(table["topics"]))
    of = table["n"].iloc[0]
    n = at if at in sizes and at is not None else min(sizes, key=lambda size: (abs(size - of / 3), size))
    people, together, model = (table[(table["topics"] == n) & (table["method"] == who)].iloc[0] for who in METHODS)
    facts = {"judge": judge_named(study, params["judge"]), "metric": params["metric"], "topics": n, "all": of}
    facts |= {"people": people["rmse"], "both": together["rmse"], "model": model["rmse"]}
    facts |= {"worth": together["topics_worth"], "tau_people": people["tau"], "tau_both": together["tau"]}
    facts |= {"tau_model": model["tau"]}
    if not known(people["tau"]):
        return too_little("order", **facts)
    if facts["people"] < 1e-12:
        return conclude("All topics give each system the same score, so one topic is enough.", **facts)
    text = "{judge} adds little: people on {topics:digits topic} have an error of {both:score}; alone, {people:score}."
    if facts["people"] - facts["both"] >= LITTLE * facts["people"]:
        text = "{topics:digits topic} judged by people with {judge} are worth about {worth:.0f} by people alone."
    elif facts["both"] - facts["people"] >= LITTLE * facts["people"]:
        text = "{judge} does not help people on {topics:digits topic}: the error is {both:score}, alone {people:score}."
    detail = "" if known(facts["tau_model"]) else NO_ORDER
    if known(facts["tau_model"]) and known(facts["tau_both"]):
        detail = DETAILS[facts["tau_model"] >= facts["tau_both"], facts["model"] > facts["both"]]
    caveats = []
    nominal = 1 - params["level"]
    if together["coverage"] < FEW * nominal:
        caveats.append(f"With {n} topics, the intervals contain the mean too rarely. Judge more topics.")
    return conclude(text, detail, caveats=caveats, **facts)


NO_ORDER = "With the judgments of {judge}, all systems have the same score, so they have no order."
METHODS = ("people", "both", "model")
DETAILS = {  # whether the judge alone orders the systems as well, and whether its scores err by more
    (
        True,
        True,
    ): "For the order of systems, {judge} alone is as good (τ {tau_model:score}; with people {tau_both:score}), but "
    "its scores err by {model:score}.",
    (True, False): "{judge} alone is as good: τ {tau_model:score} (with people {tau_both:score}), error {model:score}.",
    (False, True): "For the level of scores people are needed: {judge} alone has an error of {model:score}.",
    (False, False): "{judge} alone errs less ({model:score}), but orders the systems worse (τ {tau_model:score}; with "
    "people {tau_both:score}).",
}


def people_plus_model(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The leader by people and the judge together, and what the judge adds."""
    first, facts = table.iloc[0], {"judge": judge_named(study, params["judge"]), "metric": params["metric"]}
    facts |= {"topics": first["topics"], "all": first["n"], "system": first["system"], "value": first["value"]}
    facts |= {"lower": first["lower"], "upper": first["upper"]}
    if facts["topics"] == facts["all"]:
        text = "People judged all {all:digits topic} of {judge}, so its judgments add nothing to the scores."
        return conclude(text, "To see what they would add, look at the experiment with fewer topics.", **facts)
    if facts["topics"] < FEWEST:
        text = "People judged {topics} of {all} topics: too few to say who leads; judge at least 5."
        return conclude(text, "Intervals from so few topics would contain the mean too rarely.", **facts)
    width, alone = (
        float((table[upper] - table[lower]).mean())
        for lower, upper in (("lower", "upper"), ("lower_people", "upper_people"))
    )
    facts |= {"width": width, "alone": alone}
    text = "{system} leads with {value:score} ({lower:score} to {upper:score}); people judged {topics} of {all} topics."
    detail = "The mean interval is {width:width} wide; by people alone, {alone:width}."
    return conclude(text, f"{detail} {HELD}" if params["level"] == SIMULATED else detail, **facts)


SIMULATED = 0.05  # the level in METHODS
HELD = "In simulations (METHODS 13.7) such intervals contained the mean in about 95 of 100 cases."
