"""What corrections for not contributing to the pool do to a score, and how well they work."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, listed, opening, read_alike

CORRECTED = ["n", "system", "unadjusted", "adjusted", "lower", "upper"]


def adjust_from_systems(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What a score becomes when it is corrected by the bias of other systems."""
    row = table.iloc[0]
    others = "{n} other groups" if params["by"] == "group" else "{n} other systems"
    facts = {**row[CORRECTED], "sure": 100 * (1 - params["level"])}
    text = f"Correcting by the mean bias of {others} {_moves(row)}."
    return conclude(text, _interval("t", row, "if {system} resembles these systems"), **facts)


def adjust_from_topics(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What a score becomes when it is corrected by the system's own bias on fully judged topics."""
    row = table.iloc[0]
    rest = int(study.counted[study.systems.index(params["system"])].sum() - row["n"])
    facts = {**row[CORRECTED], "sure": 100 * (1 - params["level"]), "rest": rest}
    topics = "topic"  # of a system that did not contribute, not every document is judged there
    if study.track.pooled[study.systems.index(params["system"])]:
        topics = "fully judged topic"
    if abs(row["adjustment"]) < FUZZ and row["upper"] - row["lower"] < FUZZ:
        text = f"{{system}} shows no bias on {{n:digits {topics}}}, so its score stays {{unadjusted:score}}."
        return conclude(text, "{system} may have a bias on its other topics." if rest else "", **facts)
    text = f"Correcting by its own bias on {{n:digits {topics}}} {_moves(row)}."
    if not rest:
        helps = "these are all its topics, so nothing is left to estimate"
    elif not row["helps_over_unadjusted"]:
        helps = "correcting may not help"
    elif row["lower"] - FUZZ <= row["unadjusted"] <= row["upper"] + FUZZ:
        helps = "correcting is likely to help, but the uncorrected score is inside the interval"
    else:
        helps = "correcting is likely to help"
    return conclude(text, _interval(params["method"], row, helps, by="; "), **facts)


def _moves(row):
    """What a correction does to the score."""
    if read_alike(row["unadjusted"], row["adjusted"]):
        return "leaves the score of {system} at {adjusted:score}"
    return "moves the score of {system} from {unadjusted:score} to {adjusted:score}"


def _interval(kind, row, more, by=", "):
    """The interval of a corrected score, and what limits it."""
    if row["upper"] - row["lower"] < FUZZ and abs(row["upper"] - row["adjusted"]) > FUZZ:
        return "No judging could reach the corrected score, nor any score of its interval."
    text = f"The {{sure:short}}% {kind} interval is {{lower:score}} to {{upper:score}}{by}{more}"
    if min(row["lower"], row["adjusted"]) < -FUZZ or max(row["upper"], row["adjusted"]) > 1 + FUZZ:
        return f"{text}; part of it lies outside 0 to 1."
    if not row["lower"] - FUZZ <= row["adjusted"] <= row["upper"] + FUZZ:
        return f"{text}; no judging could reach the corrected score."
    return f"{text}."


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
    way, where = "width" if close else "score", "({width:digits system}, {common:digits topic})"
    if len(best) == len(WAYS):
        return conclude(f"No correction makes a difference: the mean error is {{least:{way}}} {where}.", **facts)
    works = "works" if len(best) == 1 else "work"
    text = (
        f"{opening(listed(facts['best'], 4))} {works} best: mean error falls "
        f"from {{unadjusted:{way}}} to {{least:{way}}} {where}."
    )
    if "unadjusted" in best:
        text = f"No correction works better than none: the mean error is {{least:{way}}} {where}."
    detail = (
        f"A new system's mean error is {{from_systems:{way}}} if corrected from systems, {{from_topics:{way}}} "
        f"from topics, and {{mixed:{way}}} with true scores on fully judged topics."
    )
    return conclude(text, detail, **facts)
