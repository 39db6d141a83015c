"""Views of estimates: estimates of the unjudged documents, compared with deeper judgments."""

from evalcore.estimating.estimators import in_short
from evalcore.questions.estimates import judged_deeper, possibly_closest
from evalcore.sentences import FUZZ, at_least, known, listed, score, share
from evalcore.sentences import figure as figure_of
from ui.escape import plotly
from ui.marks import axis, curve, figure, joined, number, outlined, points
from ui.pictures import lines, strokes
from ui.views.view import View

ERRORS = {"rmse": ("root mean square error", ".3f"), "accuracy": ("scores inside the reference interval, %", ".0f")}


def error(answer, look, *, column="rmse", depth=None):
    """The error of every estimator by pool depth; one depth in focus."""
    title, ticks = ERRORS[column]
    shown = {"x": "depth", "y": column, "series": "estimator", "ticks": ticks}
    return lines(answer.table, look, titles=("pool depth", title), mark=depth, **shown)


LOWER = "Mean lower bound of contributing systems with all judgments. An estimate above it may be correct."
WIDTH = "Mean width of the reference intervals that all judgments leave. Any estimate inside counts as correct."
ERROR = "Root mean square error:"


def tiles_at(table, depth):
    """The tiles of one depth of the question `estimator_error`."""
    at = table[(table["depth"] == depth) & table["rmse"].notna()]
    if not len(at):
        return (("Closest estimator", "–", "No topic counts for any of the systems."),)
    most, closest = at["accuracy"].max(), possibly_closest(at)
    inside = list(at["estimator"][at["accuracy"] == most])
    least = at["rmse"].min()
    if at["reference_width"].iloc[0] <= FUZZ:
        which, why = listed(closest, 2), f"{ERROR} {score(least)}."
    elif len(closest) == 1:
        which, why = closest[0], f"{ERROR} {_at_least(least)}."
    else:
        which = "unknown" if len(closest) == len(at) else " or ".join(closest) if len(closest) == 2 else ""
        why = f"{ERROR} {_at_least(least)}. The reference intervals are too wide to say which is closest."
    return (
        ("Closest estimator", which or f"one of {len(closest)}", why),
        ("Most often correct", listed(inside, 2), f"Scores inside the reference interval: {share(most / 100)}."),
        ("Reference: lower bound", figure_of(at["mean_reference"].iloc[0]), LOWER),
        ("Reference: width", figure_of(at["reference_width"].iloc[0]), WIDTH),
    )


def _at_least(error):
    return "possibly below .001" if error < 0.001 else f"at least {at_least(error)}"


def against_reference(answer, look, *, truth=None):
    """The mean estimate of each system over its reference interval; on the diagonal the estimate is the reference.
    truth : see `pictures.strokes`"""
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
        text = [f"{said}<br>{number(one)} {truth['name']}" for said, one in zip(text, at, strict=True)]
        marks = strokes(rows["system"], values, look, truth, rows={"text": text}, tall=12)
        most = max([most, *filter(known, at)])
    diagonal = curve([0, 1], [0, 1], look, "dot", name="estimate = reference", width=1.5, dash="dash", hoverinfo="skip")
    intervals = joined(lows, highs, values, look, "possible", name="reference interval")
    dots = points(
        lows, values, look, "known", name=f"{guess}, at the lower bound", line=outlined(look), text=text,
        customdata=[str(name) for name in rows["system"]],
    )  # fmt: skip
    across = measure if truth else f"{measure} with all judgments"
    titles = (across, f"{measure} estimated from the shallow pool")
    along, up = (axis(look, title, range=[0, min(1, 1.05 * most)]) for title in titles)
    return figure([diagonal, intervals, *marks, dots], look, 460, along, up)


SHOWN = "A line per estimator, by pool depth: its root mean square error, or how many of its scores are correct."
VIEWS = {
    "estimator_error": View("Error of every estimator at every depth", error, shows=SHOWN),
    "system_estimates": View("Every system", against_reference),
    "estimates": View("Every system and topic"),
}
