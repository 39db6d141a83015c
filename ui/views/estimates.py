"""The faces of estimates: guesses of the unjudged, held against what deeper judgments say."""

from evalcore.estimating.estimators import in_short
from evalcore.questions.estimates import judged_deeper, possibly_closest
from evalcore.sentences import FUZZ, at_least, known, listed, opening, score, share
from evalcore.sentences import figure as figure_of
from ui.escape import plotly
from ui.marks import axis, curve, figure, joined, number, outlined, points
from ui.pictures import lines, strokes
from ui.views.view import View

ERRORS = {"rmse": ("root mean square error", ".3f"), "accuracy": ("scores inside the reference interval, %", ".0f")}


def error(answer, look, *, column="rmse", depth=None):
    """How far every guess is off, by pool depth; one depth in focus."""
    title, ticks = ERRORS[column]
    shown = {"x": "depth", "y": column, "series": "estimator", "ticks": ticks}
    return lines(answer.table, look, titles=("pool depth", title), mark=depth, **shown)


CERTAIN = (
    "The mean score of contributing systems that all judgments make certain. What they leave unjudged may add to it, "
    "so a guess above this may be right."
)
OPEN = "How wide, on average, what all judgments leave possible of a score is. Guesses inside it cannot be told apart."


def tiles_at(table, depth):
    """The numbers of one depth of the question `estimator_error`."""
    at = table[(table["depth"] == depth) & table["rmse"].notna()]
    if not len(at):
        return (("Closest guess", "–", "No topic counts for any of the systems."),)
    most, closest = at["accuracy"].max(), possibly_closest(at)
    inside = list(at["estimator"][at["accuracy"] == most])
    least = at["rmse"].min()
    if at["reference_width"].iloc[0] <= FUZZ:
        which, said = listed(closest, 2), f"Root mean square error {score(least)}."
    else:
        which = "cannot be told" if 1 < len(closest) == len(at) else " or ".join(closest) if len(closest) < 3 else ""
        said = f"Root mean square error {'perhaps under .001' if least < 0.001 else f'{at_least(least)} or more'}."
        said += " All judgments leave the scores too open to tell which." if len(closest) > 1 else ""
    return (
        ("Closest guess", which or f"one of {len(closest)}", said),
        (
            "Most often inside",
            listed(inside, 2),
            f"{opening(share(most / 100))} of {'its' if len(inside) == 1 else 'their'} scores lie inside the reference "
            "interval.",
        ),
        ("Certain by all judgments", figure_of(at["mean_reference"].iloc[0]), CERTAIN),
        ("Left open by them", figure_of(at["reference_width"].iloc[0]), OPEN),
    )


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
        lows, values, look, "known", name=f"{guess}, at the reference's lower end", line=outlined(look), text=text,
        customdata=[str(name) for name in rows["system"]],
    )  # fmt: skip
    across = measure if truth else f"{measure} by all judgments"
    titles = (across, f"{measure} guessed from the shallow pool")
    along, up = (axis(look, title, range=[0, min(1, 1.05 * most)]) for title in titles)
    return figure([diagonal, intervals, *marks, dots], look, 460, along, up)


SHOWN = (
    "A line per guess: its root mean square error, or how many of its scores lie inside the reference, by pool depth."
)
VIEWS = {
    "estimator_error": View("Error of every guess at every depth", error, shows=SHOWN),
    "system_estimates": View("Every system", against_reference),
    "estimates": View("Every system and topic"),
}
