"""The faces of estimates: guesses of the unjudged, held against what deeper judgments say."""

from evalcore.estimating.estimators import in_short
from evalcore.questions.estimates import judged_deeper
from evalcore.sentences import FUZZ, listed, score
from evalcore.sentences import figure as figure_of
from ui.escape import plotly
from ui.marks import axis, curve, figure, joined, number, outlined, points
from ui.pictures import lines
from ui.views.view import View

ERRORS = {"rmse": ("RMSE", ".3f"), "accuracy": ("estimates inside the reference interval, %", ".0f")}


def error(answer, look, *, column="rmse", depth=None):
    """How far every guess is off, by pool depth; one depth in focus."""
    title, ticks = ERRORS[column]
    shown = {"x": "depth", "y": column, "series": "estimator", "ticks": ticks}
    return lines(answer.table, look, titles=("pool depth", title), mark=depth, **shown)


CERTAIN = (
    "The mean score that all judgments make certain. What they leave unjudged may add to it, so a guess above this may "
    "be right."
)


def tiles_at(table, depth):
    """The numbers of one depth of the question `estimator_error`."""
    at = table[(table["depth"] == depth) & table["rmse"].notna()]
    if not len(at):
        return (("Closest guess", "–", "No topic counts for any of the systems."),)
    least, most = at["rmse"].min(), at["accuracy"].max()
    closest, right = at[at["rmse"] <= least + FUZZ], at[at["accuracy"] == most]
    return (
        ("Closest guess", listed(closest["estimator"], 2), f"RMSE {score(least)}."),
        ("Most often right", listed(right["estimator"], 2), f"{most:.0f}% inside the reference interval."),
        ("Certain in the end", figure_of(at["mean_reference"].iloc[0]), CERTAIN),
        ("Guessed mean", figure_of(closest["mean_estimate"].iloc[0]), "The mean score by the closest guess."),
    )


def against_reference(answer, look):
    """The mean estimate of each system over its reference interval; on the diagonal the estimate is the reference."""
    rows, guess = judged_deeper(answer.table), plotly(in_short(answer.params["estimator"]))
    values, lows, highs = (list(rows[name]) for name in ("value", "reference", "reference_upper"))
    text = [
        f"<b>{plotly(name)}</b><br>estimate {number(value)}<br>reference {number(low)} to {number(high)}"
        for name, value, low, high in zip(rows["system"], values, lows, highs, strict=True)
    ]
    diagonal = curve([0, 1], [0, 1], look, "dot", name="estimate = reference", width=1.5, dash="dash", hoverinfo="skip")
    intervals = joined(lows, highs, values, look, "possible", name="reference interval")
    dots = points(
        lows, values, look, "known", name=f"{guess}, at the reference's lower end", line=outlined(look), text=text,
        customdata=[str(name) for name in rows["system"]],
    )  # fmt: skip
    titles, whole = ("score by deeper judgments", "estimate from the shallow pool"), max([0.05, *values, *highs])
    along, up = (axis(look, title, range=[0, min(1, 1.05 * whole)]) for title in titles)
    return figure([diagonal, intervals, dots], look, 460, along, up)


SHOWN = "A line per guess: how far it is off, by pool depth."
VIEWS = {
    "estimator_error": View("Error of every guess at every depth", error, shows=SHOWN),
    "system_estimates": View("Every system", against_reference),
    "estimates": View("Every system and topic"),
}
