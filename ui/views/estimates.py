"""Views of estimates: estimates of the unjudged documents, compared with deeper judgments."""

from typing import Any

import pandas as pd

from evalcore.answers import Answer
from evalcore.estimating.estimators import in_short
from evalcore.findings.scores import range_of
from evalcore.questions.estimates import judged_deeper
from evalcore.vocabulary.sentences import known, written
from ui.text import in_words
from ui.text.escape import plotly
from ui.views.charts import lines, strokes
from ui.views.traces import (
    axis,
    curve,
    figure,
    joined,
    number,
    outlined,
    points,
    rings,
)
from ui.views.view import View

ERRORS = {
    "rmse": ("typical error of a score (RMSE)", ".3f"),
    "accuracy": ("scores inside the reference interval, %", ".0f"),
}


def error(
    answer: Answer, look: dict[str, Any], *, column: str = "rmse", depth: int | None = None,
    whole: pd.DataFrame | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The error of the best two estimators at one depth, in focus, and of `lower`, by pool depth; others on request.

    whole : the table with no group left out, to compare with"""
    compared = {} if whole is None else {"thin": ("no group left out", whole)}
    return _by_depth(answer, look, column, *ERRORS[column], mark=depth, **compared)


def _by_depth(answer, look, column, title, ticks, **more):
    """A line for each estimator. title, ticks : of the axis"""
    of = {"x": "depth", "y": column, "series": "estimator", "titles": ("pool depth", title)}
    few = _closest(answer.table, column, more.get("mark"))
    return lines(answer.table, look, **of, ticks=ticks, words=in_words.guess, drawn=few, **more)


DRAWN = 3  # lines at first


def _closest(table, column, depth):
    """The estimators to draw at first: the best at a depth, and that which counts unjudged documents as not relevant;
    None = all, because they are few."""
    at = table[table["depth"] == (table["depth"].min() if depth is None else depth)]
    best = at.sort_values(column, ascending=column not in MORE_IS_BETTER, kind="stable")["estimator"]
    if table["estimator"].nunique() <= DRAWN:
        return list(table["estimator"].unique())
    always = ["lower"] if "lower" in set(best) else []
    return [*always, *(name for name in best if name not in always)][:DRAWN]


MORE_IS_BETTER = ("accuracy", "tau")


AGREEMENT = {  # column -> title of the axis, and its d3 format
    "tau_distance": ("share of swapped system pairs", ".1%"),
    "tau": ("Kendall's tau-b", ".2f"),
    "distance": ("weighted distance", ".3~g"),
    "distance_per_pair": ("weighted distance per pair", ".3f"),
}


def agreement(
    answer: Answer, look: dict[str, Any], *, column: str = "tau_distance", depth: int | None = None
) -> dict[str, Any]:
    """How each estimator's ordering agrees with that from all judgments, by pool depth; one depth in focus."""
    title, ticks = AGREEMENT[column]
    up = axis(look, title, tickformat=ticks, **({} if column == "tau" else {"rangemode": "tozero"}))
    return _by_depth(answer, look, column, title, ticks, mark=depth, yaxis=up)


REFERENCE = (
    "Mean lower and upper bound of these systems' scores with all judgments. An estimate inside its system's interval "
    "counts as correct."
)


def tiles_at(table: pd.DataFrame, depth: int) -> tuple[tuple[str, str, str], ...]:
    """The tiles of one depth of the question `estimator_error`."""
    at = table[(table["depth"] == depth) & table["rmse"].notna()]
    if not len(at):
        return ()
    low, wide = at["mean_reference"].iloc[0], at["reference_width"].iloc[0]
    ends = {"lower": low, "upper": low + wide}
    return (("Mean score with all judgments", written(range_of(**ends), ends), REFERENCE),)


def against_reference(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """The mean estimate of each system over its reference interval; on the diagonal the estimate is the reference.
    truth : see `charts.strokes`"""
    rows, guess = judged_deeper(answer.table), plotly(in_short(answer.params["estimator"]))
    measure = plotly(answer.params["metric"])
    values, lows, highs = (list(rows[name]) for name in ("value", "reference", "reference_upper"))
    text = [
        f"<b>{plotly(name)}</b><br>estimate {number(value)}<br>reference {number(low)} to {number(high)}"
        for name, value, low, high in zip(rows["system"], values, lows, highs, strict=True)
    ]
    marks, most = [], max([0.05, *values, *highs])
    if truth:
        at = rows["system"].astype(str).map(truth["at"])
        text = [f"{words}<br>{number(value)} {truth['name']}" for words, value in zip(text, at, strict=True)]
        marks = strokes(rows["system"], values, look, truth, rows={"text": text}, tall=12)
        most = max([most, *filter(known, at)])
    diagonal = curve([0, 1], [0, 1], look, "dot", name="estimate = reference", width=1.5, dash="dash", hoverinfo="skip")
    intervals = joined(lows, highs, values, look, "possible", name="reference interval")
    dots = points(
        lows, values, look, "known", name=f"{guess}, at the lower bound", line=outlined(look), text=text,
        customdata=[str(name) for name in rows["system"]],
    )  # fmt: skip
    ranks = answer.params["reference_depth"]
    across = measure if truth else f"{measure} with all judgments{f' to depth {ranks}' if ranks else ''}"
    titles = (across, f"{measure} estimated from the shallow pool")
    along, up = (axis(look, title, range=[0, min(1, 1.05 * most)]) for title in titles)
    around = rings(look, rows["system"], lows, values)
    return figure([diagonal, intervals, *marks, dots, *around], look, 460, along, up)


SHOWN = "A line per estimator, by pool depth: its root mean square error, or the share of its scores that are correct."
ORDER_SHOWN = (
    "A line per estimator, by pool depth: how far its ordering of the systems agrees with the ordering from all "
    "judgments."
)
VIEWS = {
    "estimator_error": View("Error of every estimator at every depth", error, shows=SHOWN),
    "estimator_agreement": View("Order of the systems with every estimator", agreement, shows=ORDER_SHOWN),
    "system_estimates": View("Every system", against_reference),
    "estimates": View("Every system and topic"),
}
