"""What scores and their intervals say: by system, by topic, by document."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.contenders import BY_JUDGING, PAST_END
from evalcore.questions.judgment_cuts import is_cut
from evalcore.questions.table_helpers import TOP, answering, of_the_top
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, known, read_alike

# ---- one score

SCORE = ["value", "lower", "upper", "kind"]


def range_of(lower: float, upper: float) -> str:
    """How a template writes the interval of the facts `lower` and `upper`: ".820–.826", or "exactly .820"."""
    return "exactly {lower:score}" if upper - lower < FUZZ else "{lower:at_least}–{upper:at_most}"


def score_of(
    value: float, lower: float, upper: float, kind: str, estimator: str = "lower"
) -> tuple[str, dict[str, Any]]:
    """How a template writes one score, and its facts: its interval where it has one, with the value where that is
    another than the lower bound."""
    if kind != "bounds" or not (known(lower) and known(upper)):
        return "{value:score}", {"value": value}
    facts = {"value": value, "lower": lower, "upper": upper}
    if value - lower < FUZZ or upper - lower < FUZZ:
        return range_of(lower, upper), facts
    value_words = "{value:score}" if estimator == "lower" else "an estimated {value:score}"
    return f"{value_words} ({{lower:at_least}}–{{upper:at_most}} possible)", facts


# ---- systems

NAMED = 3  # so many systems are named where a sentence counts them; more would fill it


def leading(rows: pd.DataFrame) -> pd.Series:
    """Whether each has the highest score. bool, by row"""
    return rows["value"].max() - rows["value"] < FUZZ


def leader(
    rows: pd.DataFrame, metric: str, rivals: Sequence[str] | None = None, where: str = "", estimator: str = "lower"
) -> tuple[str, dict[str, str], dict[str, Any]]:
    """The headline on who leads: a template, its words and its facts.

    rows : system, value, lower, upper, kind; rivals : the others that could still be first; None where that is unknown
    where : such as " at depth {depth}", a template, if that is not said elsewhere; estimator : of the value
    """
    first, leaders = rows["value"].argmax(), list(rows["system"][leading(rows)])
    facts = {"leaders": leaders, "metric": metric, "systems": len(rows), "value": rows["value"].iat[first]}
    words = {"where": where, "all": "Both" if len(rows) == 2 else "All {systems}"}
    lead = "{leaders:listed} share the highest {metric}{where}, {value:score}"
    if len(leaders) == 1:
        words["score"], ends = score_of(*rows[SCORE].iloc[first], estimator)  # type: ignore[call-arg]
        lead, facts = "{leaders:listed} leads on {metric}{where}, with {score}", facts | ends
    if len(rows) == 1:
        return "{leaders:listed} scores {score} on {metric}{where}.", words, facts
    if len(leaders) == len(rows):
        return "{all} systems score {value:score} on {metric}{where}.", words, facts
    if rivals is None:
        return f"{lead}.", words, facts
    could = "; at most {others:digits other system} could still be first."  # pair by pair; all at once, maybe fewer
    if not rivals:
        could = "; no further judging can put another {leaders:verb ahead/ahead of all of them}."
    elif len(rivals) <= NAMED:  # "might", pair by pair
        could = "; with more judging, only {rivals:listed} might overtake {leaders:verb it/them}."
    return lead + could, words, facts | {"others": len(rivals), "rivals": list(rivals)}


def leads_plainly(facts: Mapping[str, Any], where: str = "", estimator: str = "lower") -> str:
    """Who leads, and who could still overtake, in everyday words: a template of the facts of `leader`.

    where : "At depth {depth}", if that is not said elsewhere; estimator : of the value
    """
    where, no = (f"{where}, ", "no") if where else ("", "No")
    systems, leaders, rivals = facts["systems"], len(facts["leaders"]), facts.get("others")
    score = "{value:score} of 1"
    if "lower" in facts and facts["upper"] - facts["lower"] >= FUZZ:
        score = "{value:score} of 1 so far" if estimator == "lower" else "an estimated {value:score} of 1"
        if facts["value"] - facts["lower"] < FUZZ:
            score = "{lower:at_least} to {upper:at_most} of 1"
    if systems == 1:
        return f"{where}{{leaders:listed}} scores {score}."
    if leaders == systems:
        return f"{where}{no} system leads: all score {score}."
    lead = f"{where}{{leaders:listed}} {{leaders:verb leads/share the lead}} with {score}."
    if rivals is None:
        return lead
    if not rivals:
        ahead = "ahead" if leaders == 1 else "ahead of them all"
        only = "; only longer rankings could" if facts.get("only_past_end") else ""
        return f"{lead} No further judging can put another system {ahead}{only}."
    if rivals <= NAMED:
        return f"{lead} Only {{rivals:listed}} might still overtake {{leaders:verb it/them}}."
    return f"{lead} At most {{others:digits other system}} might still overtake {{leaders:verb it/them}}."


def leaderboard(board: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Who leads, who could still be first, and how wide the intervals are."""
    board = board[board["value"].notna()]
    if not len(board):
        return too_little("score")
    metric = params["metric"]
    if board["kind"].iloc[0] != "bounds":
        text, words, facts = leader(board, metric)
        no_bounds = NO_BOUNDS_CONDENSED if params["unjudged"] == "condensed" else NO_BOUNDS
        detail, moving = still_to_move(answering(board, study)) if is_cut(params) else (no_bounds, {})
        return conclude(text, detail, plainly=leads_plainly(facts), words=words, **facts, **moving)
    followers = board[~leading(board)]
    rivals = list(followers["system"][followers["could_lead"] == BY_JUDGING]) if params.get("limits", True) else None
    text, words, facts = leader(board, metric, rivals, estimator=params.get("estimator", "lower"))
    longer = list(followers["system"][followers["could_lead"] == PAST_END])
    facts |= {"only_past_end": len(longer), "longer": longer}
    scored = answering(board, study)
    facts |= {"width": (scored["upper"] - scored["lower"]).mean()}
    facts |= {"past": (scored["upper"] - scored["upper_listed"]).mean()}
    detail = ""
    if facts["only_past_end"]:
        words["more"] = "more" if facts.get("others") else "other"
        detail = "{longer:listed} could be first only if {longer:verb its/their} rankings were longer."
        if len(longer) > NAMED:
            detail = "{only_past_end:digits {more} system} could be first only if their rankings were longer."
    elif rivals and len(rivals) <= NAMED:
        facts["reach"] = followers["upper_listed"][followers["system"].isin(rivals)].max()
        detail = "If everything were judged, none of them would score above {reach:at_most}."
        if len(rivals) == 1:
            detail = "If everything were judged, it would score {reach:at_most} at most."
    elif facts["past"] > FUZZ:
        detail = (
            "On average, a score is uncertain by {width:width}; {past:width} of this is missing results, which no "
            "judging can fill."
        )
    elif facts["width"] > FUZZ:
        detail = "On average, a score is uncertain by {width:width}."
    plainly = leads_plainly(facts, estimator=params.get("estimator", "lower"))
    return conclude(text, detail, plainly=plainly, words=words, **facts)


NO_BOUNDS = "{metric} has no exact bounds: judging more documents could raise or lower it."
NO_BOUNDS_CONDENSED = (
    "With unjudged documents removed, {metric} has no exact bounds: judging more documents could raise or lower it."
)


def still_to_move(rows: pd.DataFrame) -> tuple[str, dict[str, Any]]:
    """How far scores move from these judgments to all, and how many pairs of the first ten are swapped: a template
    about {metric} and its facts.

    rows : columns value and value_final; nothing where fewer than two systems have both
    """
    rows = rows[rows["value"].notna() & rows["value_final"].notna()]
    if len(rows) < 2:
        return "", {}
    top, moved = of_the_top(rows), (rows["value_final"] - rows["value"]).mean()
    swaps = orderings.inversions(top["value"].to_numpy(), top["value_final"].to_numpy())
    facts = {"moved": abs(moved), "swaps": swaps, "top": len(top)}
    change = (
        "raises {metric} by {moved:score} on average" if moved > 0 else "lowers {metric} by {moved:score} on average"
    )
    if abs(moved) < FUZZ:
        change = "leaves the mean {metric} unchanged"
    pairs = "{swaps:digits pair}" if swaps else "no pair"
    return f"Using all judgments {change} and swaps {pairs} among the top {{top}} systems.", facts


# ---- topics


def scores(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """On which topics, or queries of them, the scores are lowest, highest and least certain."""
    table = answering(table[table["value"].notna()], study)
    if not len(table):
        return too_little("score")
    unit = "query" if "query" in table else "topic"
    value, systems = table["value"], list(table["system"].unique())
    words = {"whose": "{systems:listed}'s {metric}" if len(systems) == 1 else "{metric}", "every": f"every {unit}"}
    facts = {"systems": systems, "metric": params["metric"]}
    words["at_best"], at_best = _where("best", table[value.max() - value < FUZZ], unit)
    words["at_worst"], at_worst = _where("worst", table[value - value.min() < FUZZ], unit)
    facts |= at_best | at_worst | {"best_value": value.max(), "worst_value": value.min()}
    text = "{whose} ranges from {worst_value:score} ({at_worst}) to {best_value:score} ({at_best})."
    only = table[unit].nunique() == 1
    if value.max() - value.min() <= FUZZ:
        text = "{whose} is {best_value:score} on {at_best}."
    elif read_alike(value.max(), value.min()):
        words["every"] = words["at_best"] if only else words["every"]
        text = "{whose} is {best_value:score} on {every}, to within .001."
    elif only:
        text = "{whose} ranges from {worst_value:score} to {best_value:score} on {at_best}."
    width = table["upper"] - table["lower"]
    if table["kind"].iloc[0] != "bounds" or not width.max() > FUZZ:
        return conclude(text, words=words, **facts)
    words["at_widest"], at_widest = _where("widest", table[width > width.max() - FUZZ], unit)
    detail = "The widest interval, {width:width}, is on {at_widest}."
    if len(table) == 1:
        detail = "Its interval is {width:width} wide."
    elif table[unit].nunique() == 1:
        detail = "The widest interval is {width:width} wide."
    elif "widest" not in at_widest:
        detail = "The widest intervals, {width:width}, are on {at_widest}."
    return conclude(text, detail, words=words, width=width.max(), **facts, **at_widest)


def _where(end, rows, unit):
    """How a template names the topic or query of these rows, or how many there are, and its facts."""
    names = list(rows[unit].unique())
    if len(names) == 1:
        return f"{unit} {{{end}}}", {end: names[0]}
    units = "queries" if unit == "query" else "topics"
    return f"{{{end}_{units}}} {units}", {f"{end}_{units}": len(names)}


# ---- documents


UNJUDGED = ["pooled, not judged", "never pooled"]
ONLY = {"pooled, not judged": "in the pool, but not judged", "never pooled": "not judged"}


def ranking(documents: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """What is at the top of one ranking, and its score down to its end."""
    query = params["query"] if params["query"] not in (None, params["topic"]) else None
    whose = "({system}, query {query})" if query else "({system}, topic {topic})"
    facts = {"system": params["system"], "metric": params["metric"]}
    facts |= {"query": query} if query else {"topic": params["topic"]}
    if not len(documents):
        return conclude("The ranking {whose} is empty.", words={"whose": whose}, **facts)
    top, last = documents["state"].head(TOP), documents.iloc[-1]
    facts |= {"top": len(top), "relevant": (top == "relevant").sum(), "unjudged": top.isin(UNJUDGED).sum()}
    words = {"whose": whose, "only": ONLY.get(top.iloc[0], top.iloc[0])}
    words["rest"] = "{unjudged} {unjudged:verb is/are} unjudged" if facts["unjudged"] else "all are judged"
    text = "{relevant} of the top {top} documents {whose} {relevant:verb is/are} relevant and {rest}."
    if facts["unjudged"] == len(top):
        text = "None of the top {top} documents {whose} is judged."
    elif not facts["relevant"]:
        text = "None of the top {top} documents {whose} is relevant; {rest}."
    kind = metric_named(params["metric"]).kind
    words["score"], ends = score_of(*last[["value", "lower", "upper"]], kind)  # type: ignore[call-arg]
    detail = "Over all {rank} ranks, {metric} is {score}."
    if len(top) == 1:
        text, detail = "The only document of the ranking {whose} is {only}.", "{metric} is {score}."
    return conclude(text, detail, words=words, rank=int(last["rank"]), **facts, **ends)


# ---- ties


def ties(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """How far the order of tied documents could move a score."""
    moved, exact = (table["highest"] - table["lowest"]).fillna(0), metric_named(params["metric"]).family.monotone
    facts = {"metric": params["metric"], "moving": (moved >= FUZZ).sum()}
    if not facts["moving"]:
        text = "Another order of documents with equal scores would change no system's {metric}{tried}."
        return conclude(text, words={"tried": "" if exact else " (orders tried)"}, **facts)
    facts |= table.loc[moved.idxmax(), ["system", "value", "lowest", "highest"]].to_dict()
    text = "Another order of documents with equal scores could change the {metric} of {at_least}{moving:digits system}."
    detail = "The largest effect: {system}, now {value:score}, could score {lowest:score} to {highest:score}."
    if read_alike(facts["lowest"], facts["highest"]):
        detail = "No score changes by more than .001."
    elif not exact:
        detail = "The largest effect found: {system}, now {value:score}, could score {lowest:score} to {highest:score}."
    return conclude(text, detail, words={"at_least": "" if exact else "at least "}, **facts)
