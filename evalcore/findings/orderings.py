"""What orderings show: how far setups agree on the systems, and what few judgments find significant."""

from collections.abc import Sequence
from math import comb
from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.findings.setting import measured, setup_plainly, setup_words
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.judgment_cuts import in_force
from evalcore.questions.orderings import QUADRANTS, leaders, shallow_cut
from evalcore.statistics import orderings
from evalcore.statistics.setups import regime as setup_named
from evalcore.study.extra_qrels import second_waits
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, digits, read_alike, share

AGREEMENTS = {  # column of `regimes` -> what a sentence calls it
    "tau": "τ-b",
    "tau_ap": "τ-AP",
    "rbo": "RBO",
    "distance": "weighted distance",
    "distance_per_pair": "weighted distance per pair",
}
SWAPPED = {  # (whether there are two setups, whether they swap any pair) -> how many
    (True, True): "the two setups swap {swapped} of {pairs:digits system pair}",
    (True, False): "the two setups swap no system pair",
    (False, True): "any two of these {setups} setups swap at most {swapped} of {pairs:digits system pair}",
    (False, False): "no two of these {setups} setups swap a system pair",
}
TIED = {  # the same where none is swapped, but orderings are not alike: pairs are tied in one of them only
    True: "the two setups swap no system pair, but do not tie the same ones",
    False: "no two of these {setups} setups swap a pair, but some tie pairs",
}
PLAINLY = {  # like SWAPPED
    (True, True): "the two ways of scoring swap {swapped_share:share} of system pairs",
    (True, False): "the two ways of scoring swap no system pair",
    (False, True): "any two of these {setups} ways of scoring swap at most {swapped_share:share_at_most} of pairs",
    (False, False): "no two of these {setups} ways of scoring swap a pair",
}
TIED_PLAINLY = {  # like TIED
    True: "the two ways of scoring swap no pair, but do not tie the same ones",
    False: "no two of these {setups} ways of scoring swap a pair, but some tie pairs",
}
LEADERS = (  # by how many systems lead under all of the setups
    ", but the leaders differ", ", and {leaders:listed} always leads", ", with the same leaders"
)  # fmt: skip
LONGEST = 20  # words of a sentence for the first screen
EQUIVALENT, DIFFERENT = 0.9, 0.8  # tau-b of orderings: effectively equivalent above, noticeably different below [Voo01]
LEVELS = ((EQUIVALENT, "Yes"), (DIFFERENT, "Mostly"))
DISTANCES = {  # column -> how a sentence writes it, and the largest that it can be
    "distance": ("short", "{largest:,g}"),
    "distance_per_pair": ("score", "{largest:level}"),
}
ALIKE = {  # answer -> what it means for two setups, and for any two of several; the first where the distance is 0
    "": (
        "the two setups order the systems alike",
        "any two of these {setups} setups order the systems alike",
    ),
    "Yes": (
        "the two setups order the systems almost alike",
        "any two of these {setups} setups order the systems almost alike",
    ),
    "Mostly": (
        "the two setups order the systems largely alike",
        "any two of these {setups} setups order the systems largely alike",
    ),
    "Not always": (
        "the two setups order the systems differently",
        "some of these {setups} setups order the systems differently",
    ),
}
ALIKE_PLAINLY = {  # like ALIKE
    answer: tuple(
        text.replace("two setups", "two ways of scoring").replace(" setups", " ways of scoring") for text in texts
    )
    for answer, texts in ALIKE.items()
}


def regimes(table: pd.DataFrame, params: dict[str, Any], study: Study, by: str = "tau") -> Conclusion:
    """How far setups agree, and which two agree most and least. by : the column of agreement, one of AGREEMENTS"""
    pairs = table[(table["a"] != table["b"]) & table[by].notna()]
    caveats = shared_topics(study, params["regimes"])
    left_out = len(set(params["regimes"])) - pairs["a"].nunique()
    if left_out and len(pairs):
        caveats += [f"Setups under which all systems score the same are left out ({left_out:,})."]
    if not len(pairs):
        return too_little("setups")
    most, least = pairs.loc[pairs[by].idxmax()], pairs.loc[pairs[by].idxmin()]
    facts: dict[str, Any] = dict.fromkeys(["regimes", "setups"], len(set(params["regimes"])))
    facts |= {f"most_{by}": most[by], f"least_{by}": least[by]}
    name, (size, largest) = AGREEMENTS[by], DISTANCES.get(by, ("score", ""))
    systems = int(study.chosen(params["systems"]).sum())
    apart = abs(most[by] - least[by]) >= FUZZ
    if apart:
        two = [[_named(row[end], study) for end in "ab"] for row in (most, least)]
        facts["most"], facts["least"] = reversed(two) if by in DISTANCES else two
    detail = "{least:listed} agree least; {most:listed} agree most." if apart else ""
    of_each = leaders(study, list(pairs["a"].unique()), params["systems"])
    facts["leaders"] = of_each[0] if all(leaders == of_each[0] for leaders in of_each) else []
    words = {"lead": LEADERS[min(len(facts["leaders"]), 2)]}
    least_alike = _least_alike(most if by in DISTANCES else least, study) if apart and facts["setups"] > 2 else ""
    ends = f"{{least_{by}:{size}}} to {{most_{by}:{size}}}"
    if not apart or (size == "score" and read_alike(most[by], least[by])):
        ends = f"{{most_{by}:{size}}}" if not apart else f"{{most_{by}:{size}}}, to within .001"
    if by == "tau":
        facts["swapped"] = int(pairs["inversions"].max())
        facts["pairs"] = comb(systems, 2)
        facts["swapped_share"] = facts["swapped"] / facts["pairs"]
        plainly = PLAINLY[facts["setups"] == 2, facts["swapped"] > 0]
        text = SWAPPED[facts["setups"] == 2, facts["swapped"] > 0]
        if not facts["swapped"] and least[by] < LEVELS[0][0]:
            text = TIED[facts["setups"] == 2]
            plainly, words["lead"] = TIED_PLAINLY[facts["setups"] == 2], ""
        answer = _answer(least[by])
        text, plainly = f"{answer}: {text} (τ-b {ends}; 1 = same order).", f"{answer}: {plainly}{{lead}}.{least_alike}"
        return conclude(text, detail, plainly=plainly, words=words, caveats=caveats, **facts)
    if by in DISTANCES:
        one_pair = by == "distance_per_pair"
        facts["largest"] = orderings.largest_distance(2 if one_pair else systems, weight=params["weight"])
        answer = _answer(min(1 - 2 * most[by] / facts["largest"], pairs["tau"].min()))
        case = answer if most[by] > FUZZ else "", facts["setups"] > 2
        text = f"{answer}: {ALIKE[case[0]][case[1]]} ({name} {ends}, of at most {largest})."
        plainly = f"{answer}: {ALIKE_PLAINLY[case[0]][case[1]]}{{lead}}.{least_alike}"
        return conclude(text, detail, plainly=plainly, words=words, caveats=caveats, **facts)
    setups = "the two" if facts["setups"] == 2 else "the {setups}"
    text = f"The agreement of {setups} orderings ({name}) is {ends}."
    plainly = f"Any two of the {{setups}} orderings agree by at least {{least_{by}:at_least}} of 1{{lead}}."
    if facts["setups"] == 2:
        plainly = f"The two orderings agree by {{least_{by}:score}} of 1{{lead}}."
    return conclude(text, detail, plainly=plainly + least_alike, words=words, caveats=caveats, **facts)


def _least_alike(pair, study):
    """Which two setups agree least, in a sentence with everyday words; "" where these are too long for one."""
    pair_words = [setup_plainly(setup_named(pair[end]), study) for end in "ab"]
    sentence = f" Least alike: {pair_words[0]}, and {pair_words[1]}."
    return sentence if len(sentence.split()) <= LONGEST else ""


def _answer(tau):
    """The answer to whether setups agree, by the smallest tau-b, or what it would be if every pair were certain."""
    return next((answer for level, answer in LEVELS if tau >= level), "Not always")


def _named(setup, study):
    return setup_words(setup_named(setup), study)


def shared_topics(study: Study, setups: Sequence[str]) -> list[str]:
    """The caveats of setups with two sets of judgments. A list."""
    return of_two_sets(study) if study.other is not None and any(setup_named(name).qrels for name in setups) else []


def of_two_sets(study: Study) -> list[str]:
    """The caveats that two sets of judgments are compared on fewer topics, where one has more, and that the second one
    waits for its lowest relevant grade. A list."""
    waits, shared = second_waits(study), len(study.on_shared_topics.judged_topics)
    if shared == len(study.judged_topics) == len(study.judged_by_other.judged_topics):
        return waits
    return [*waits, f"The comparison uses only the {digits(shared, 'topic')} that both sets judge."]


def swaps(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs two setups order differently, how many of these are certain, and the clearest."""
    first, second = setup_named(params["a"]), setup_named(params["b"])
    systems = int(study.chosen(params["systems"]).sum())
    facts: dict[str, Any] = {"a": _named(first.name, study), "b": _named(second.name, study), "swaps": len(table)}
    facts |= {"pairs": systems * (systems - 1) // 2}
    caveats = shared_topics(study, (params["a"], params["b"]))
    if not len(table):
        return conclude("No system pair swaps its order between {a} and {b}.", caveats=caveats, **facts)
    text = "{swaps} of {pairs} system pairs {swaps:verb swaps/swap} order between {a} and {b}."
    if systems == 2:
        text = "The two systems swap order between {a} and {b}."
    surest = table.iloc[0]
    facts |= {"better": surest["better"], "worse": surest["worse"], "certain": int(table["certain"].sum())}
    detail = "The clearest swap: {better} is ahead of {worse} under the first setup and behind it under the second."
    if len(table) == 1:
        detail = "{better} is ahead of {worse} under the first setup and behind it under the second."
    if _has_bounds(first) and not _judges_on(first, second) and facts["certain"]:
        detail = (
            "Under the first setup, {certain} of these {certain:verb is/are} certain; the clearest is {better} ahead "
            "of {worse}."
        )
        if len(table) == 1:
            detail = "Under the first setup, {better} is certain to be ahead of {worse}."
    return conclude(text, detail, caveats=caveats, **facts)


def _has_bounds(setup):
    return setup.unjudged == "irrelevant" and metric_named(setup.metric).kind == "bounds"


def _judges_on(first, second):
    """Whether the second setup is the first with more judged, where no certain pair can swap."""
    alike = all(getattr(first, name) == getattr(second, name) for name in ("qrels", "metric", "unjudged"))
    every = second.depth is None and second.judgments is None
    depths, counts = (
        None not in pair and pair[0] <= pair[1]
        for pair in ((first.depth, second.depth), (first.judgments, second.judgments))
    )
    return alike and second.estimator == "lower" and (every or depths or counts)


def separability(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What few judgments find significant and all judgments take back, for the first of the estimators."""
    rows = table[table["estimator"] == table["estimator"].iloc[0]]
    few, full = rows.iloc[0], rows.iloc[-1]
    facts: dict[str, Any] = {"measure": measured({"metric": params["metric"], "estimator": few["estimator"]})}
    facts |= {"few": few["judgments"], "separable": few["separable"], "level": params["level"]}
    if len(rows) == 1:
        text = "{separable:share} of system pairs differ significantly on {measure} with {few:digits judgment}."
        return conclude(text, **facts)
    facts |= {"full": full["judgments"], "full_separable": full["separable"]}
    most = rows.loc[rows["reversed"].idxmax()]
    facts |= {"reversed": most["reversed"], "most_at": most["judgments"], "swapped": rows["opposite"].max()}
    text = (
        "The share of system pairs that differ significantly on {measure} goes from {separable:share} "
        "({few:digits judgment}) to {full_separable:share} ({full:digits judgment})."
    )
    if share(few["separable"]) == share(full["separable"]):
        text = (
            "{separable:share} of system pairs differ significantly on {measure} with both {few} and "
            "{full:digits judgment}."
        )
    detail = (
        "With {most_at:digits judgment}, {reversed:share} of pairs are significant but not with all judgments, the "
        "largest share; at most {swapped:share} are significant in the reverse order."
    )
    if not facts["swapped"]:
        detail = (
            "With {most_at:digits judgment}, {reversed:share} of pairs are significant but not with all "
            "judgments, the largest share; none is significant in the reverse order."
        )
    elif not facts["reversed"]:
        detail = "With fewer judgments, at most {swapped:share} of pairs are significant in the reverse order."
    if not rows["separable"].iloc[:-1].any():
        detail = ""
    elif not facts["reversed"] and not facts["swapped"]:
        detail = "With all judgments, no significant difference is lost or reversed."
    return conclude(text, detail, **facts)


def separability_by_metric(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The metric and estimator that make most pairs significant, and how many of these all judgments take back."""
    rows = table[table["separable"].notna()]
    if not len(rows):
        return too_little("systems")
    best = rows.loc[rows["separable"].idxmax()]
    facts: dict[str, Any] = {"measure": measured({"metric": best["metric"], "estimator": best["estimator"]})}
    facts |= {"judgments": best["judgments"], "separable": best["separable"], "reversed": best["reversed"]}
    facts |= {"level": params["level"]}
    if not best["separable"]:
        text = "With {judgments:digits judgment}, no pair differs significantly on any of these metrics."
        return conclude(text, **facts)
    facts["alike"] = int((rows["separable"] > best["separable"] - FUZZ).sum()) - 1
    words = {"most": "{measure} and {alike:digits other setup} make", "on": " on {measure}"}
    words = words if facts["alike"] else {"most": "{measure} makes", "on": ""}
    text = "With {judgments:digits judgment}, {most} the largest share of pairs significant: {separable:share}."
    detail = "With all judgments, {reversed:share} of pairs are no longer significant{on}."
    return conclude(text, detail, words=words, **facts)


def p_values(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How many pairs are significant with few judgments, with all, and with both."""
    in_both, only_few, only_all, _ = (int((table["quadrant"] == quadrant).sum()) for quadrant in QUADRANTS.values())
    cut = {name: n for name, n in in_force(shallow_cut(study, params["shallow"]), study).items() if n is not None}
    facts = {"pairs": len(table), "both": in_both, "level": params["level"], "measure": measured(params)} | cut
    if not cut:
        text = "{both} of {pairs} system pairs {both:verb differs/differ} significantly on {measure}."
        if len(table) == 1:
            text = "The two systems {both:verb differ/do not differ} significantly on {measure}."
        return conclude(text, **facts)
    facts |= {"only_few": only_few, "only_all": only_all}
    words = {"few": "at depth {depth}" if "depth" in cut else "with {judgments:digits judgment}"}
    if len(table) == 1:
        case = 0 if in_both else 1 if only_few else 2 if only_all else 3
        text = (
            "The two systems differ significantly both {few} and with all judgments.",
            "The two systems differ significantly {few}, but not with all judgments.",
            "The two systems differ significantly with all judgments, but not {few}.",
            "The two systems differ significantly neither {few} nor with all judgments.",
        )[case]
        return conclude(text, words=words, **facts)
    text = "{both} of {pairs} system pairs {both:verb differs/differ} significantly both {few} and with all judgments."
    detail = "{only_few:digits pair} {only_few:verb differs/differ} only {few}, and {only_all} only with all judgments."
    return conclude(text, detail, words=words, **facts)
