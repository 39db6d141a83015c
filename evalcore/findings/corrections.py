"""What corrections for not contributing to the pool do to a score, and how well they work."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, listed, opening, read_alike, written

CORRECTED = ["n", "system", "unadjusted", "adjusted", "lower", "upper"]


def adjust_from_systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What a score becomes when it is corrected by the bias of other systems."""
    row = table.iloc[0]
    facts = {**row[CORRECTED], "sure": 100 * (1 - params["level"])}
    words = {"moves": MOVES[read_alike(row["unadjusted"], row["adjusted"])], "kind": "t"}
    words["others"] = "groups" if params["by"] == "group" else "systems"
    words["if"] = ", if {system} resembles these systems"
    return conclude("Correcting by the mean bias of {n} other {others} {moves}.", _interval(row), words=words, **facts)


def adjust_from_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What a score becomes when it is corrected by the system's own bias on fully judged topics."""
    row = table.iloc[0]
    rest = int(study.counted[study.systems.index(params["system"])].sum() - row["n"])
    facts = {**row[CORRECTED], "sure": 100 * (1 - params["level"]), "rest": rest}
    words = {"topic": "topic", "moves": MOVES[read_alike(row["unadjusted"], row["adjusted"])], "kind": params["method"]}
    if study.track.pooled[study.systems.index(params["system"])]:  # of others, not every document is judged there
        words["topic"] = "fully judged topic"
    if abs(row["adjustment"]) < FUZZ and row["upper"] - row["lower"] < FUZZ:
        text = "{system} shows no bias on {n:digits {topic}}, so its score stays {unadjusted:score}."
        detail = "{system} may have a bias on its other topics." if rest else ""
        return conclude(text, detail, words=words, **facts)
    words["if"] = "; correcting is likely to help"
    if not rest:
        words["if"] = "; these are all its topics, so nothing is left to estimate"
    elif not row["helps_over_unadjusted"]:
        words["if"] = "; correcting may not help"
    elif row["lower"] - FUZZ <= row["unadjusted"] <= row["upper"] + FUZZ:
        words["if"] = "; correcting is likely to help, but the uncorrected score is inside the interval"
    return conclude("Correcting by its own bias on {n:digits {topic}} {moves}.", _interval(row), words=words, **facts)


INTERVAL = "The {sure:short}% {kind} interval is {lower:score} to {upper:score}{if}"
MOVES = {  # what a correction does to the score, by whether it reads the same
    True: "leaves the score of {system} at {adjusted:score}",
    False: "moves the score of {system} from {unadjusted:score} to {adjusted:score}",
}


def _interval(row):
    """The interval of a corrected score, and what limits it."""
    if row["upper"] - row["lower"] < FUZZ and abs(row["upper"] - row["adjusted"]) > FUZZ:
        return "No judging could reach the corrected score, nor any score of its interval."
    if min(row["lower"], row["adjusted"]) < -FUZZ or max(row["upper"], row["adjusted"]) > 1 + FUZZ:
        return f"{INTERVAL}; part of it lies outside 0 to 1."
    if not row["lower"] - FUZZ <= row["adjusted"] <= row["upper"] + FUZZ:
        return f"{INTERVAL}; no judging could reach the corrected score."
    return f"{INTERVAL}."


WAYS = {
    "unadjusted": "not correcting",
    "mixed": "using true scores on fully judged topics",
    "from_systems": "correcting from systems",
    "from_topics": "correcting from topics",
}


def adjustment_experiment(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which correction comes closest, with the widest pool and the most shared topics that leave others to estimate."""
    left_open = table[table["mixed"] > FUZZ]
    row = (left_open if len(left_open) else table).sort_values(["width", "common"]).iloc[-1]
    best = [name for name in WAYS if row[name] <= row[list(WAYS)].min() + FUZZ]
    facts = {**row[["width", "common", *WAYS]], "best": [WAYS[name] for name in best], "least": row[best[0]]}
    facts |= {"metric": params["metric"], "depth": params["depth"] or study.depth}
    close = any(read_alike(row[best[0]], row[name]) for name in WAYS if name not in best)
    words = {"way": "width" if close else "score", "Best": opening(listed(facts["best"], 4))}
    words["where"] = "({width:digits system}, {common:digits topic})"
    caveats = _harmful(table)
    if len(best) == len(WAYS):
        text = "No correction makes a difference: the mean error is {least:{way}} {where}."
        return conclude(text, words=words, caveats=caveats, **facts)
    text = "{Best} {best:verb works/work} best: mean error falls from {unadjusted:{way}} to {least:{way}} {where}."
    if len(best) == len(WAYS) - 1:  # their names would be too long
        text = "Every correction works equally well: mean error falls from {unadjusted:{way}} to {least:{way}} {where}."
    if "unadjusted" in best:
        text = "No correction works better than none: the mean error is {least:{way}} {where}."
    detail = (
        "A new system's mean error is {from_systems:{way}} if corrected from systems, {from_topics:{way}} "
        "from topics, and {mixed:{way}} with true scores on fully judged topics."
    )
    return conclude(text, detail, words=words, caveats=caveats, **facts)


def _harmful(table):
    """A caveat that names the smallest pool in which a correction is worse than none, by more than the standard errors
    of both; as [WP09, table 3] found for removed documents, pools of two and 10 topics."""
    for _, row in table.sort_values(["width", "common"]).iterrows():
        for name in ("from_systems", "from_topics"):
            noise = row["unadjusted_se"] + row[f"{name}_se"]  # not a number for a single draw
            if row[name] - row["unadjusted"] > noise + FUZZ and not read_alike(row[name], row["unadjusted"]):
                facts = {"width": int(row["width"]), "common": int(row["common"]), "worse": row[name]}
                return [written(HARMFUL[name], facts | {"without": row["unadjusted"]})]
    return []


HARMFUL = {
    "from_systems": "Do not correct from systems if {width} {width:verb forms/form} the pool: the error was "
    "{worse:score}, and {without:score} without correction.",
    "from_topics": "Do not correct from {common:digits topic} if {width:digits system} {width:verb forms/form} "
    "the pool: the error was {worse:score}, and {without:score} without correction.",
}
