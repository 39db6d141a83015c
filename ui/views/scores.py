"""Views of scores: by system, by topic, by document."""

from collections.abc import Sequence
from typing import Any

from evalcore.answers import Answer
from evalcore.findings.setting import measured
from evalcore.metrics.metrics import metric
from evalcore.questions.judgment_cuts import is_cut
from evalcore.vocabulary.sentences import figure as figure_of
from evalcore.vocabulary.sentences import number, width
from ui.text import interval_labels
from ui.text.escape import plotly
from ui.views.charts import intervals, strokes
from ui.views.traces import axis, curve, figure, points
from ui.views.traces import number as number_of
from ui.views.view import View


def board(
    answer: Answer, look: dict[str, Any], *, focus: str | None = None, truth: dict[str, Any] | None = None,
    spoken_of: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Every system's interval and score, best on top. spoken_of : systems that the finding names"""
    more: dict[str, Any] = {"dot": measured(answer.params), "focus": focus, "truth": truth, "spoken_of": spoken_of}
    return intervals(answer.table, look, label="system", measure=answer.params["metric"], **more)


def board_tiles(answer: Answer) -> tuple[tuple[str, str, str | None], ...]:
    board = answer.table
    topics = sorted({int(n) for n in board["n"]}) or [0]
    sizes = (
        ("Systems", number(len(board)), None),
        ("Topics", number(topics[0]) if len(topics) == 1 else f"{topics[0]}–{topics[-1]}", "In each mean."),
    )
    if not len(board) or not interval_labels.is_drawn(board["kind"].iloc[0]):
        if not is_cut(answer.params):
            return sizes  # with all judgments, no change is to come
        change = (board["value_final"] - board["value"]).mean()
        return (*sizes, ("Change to come", figure_of(change), "Mean score with all judgments, minus the one shown."))
    past = (board["upper"] - board["upper_listed"]).mean()
    return (
        *sizes,
        (
            "Uncertainty from unjudged documents",
            width((board["upper_listed"] - board["lower"]).mean()),
            "Mean interval width due to unjudged documents.",
        ),
        (
            "Uncertainty from short rankings",
            width(past),
            "Mean width due to ranks past the end of runs, with nothing to judge.",
        ),
    )


def topics(
    answer: Answer, look: dict[str, Any], *, focus: str | None = None, truth: dict[str, Any] | None = None
) -> dict[str, Any]:
    """One system's topics, or queries, best on top."""
    label = "query" if "query" in answer.table else "topic"
    rows = answer.table.sort_values("value", ascending=False, kind="stable")
    more: dict[str, Any] = {"dot": measured(answer.params), "focus": focus, "truth": truth}
    return intervals(rows, look, label=label, measure=answer.params["metric"], **more)


STATES = (
    ("relevant", "good", "circle"),
    ("not relevant", "quiet", "circle-open"),
    ("pooled, not judged", "possible", "diamond-open"),
    ("never pooled", "possible", "diamond"),
)


def ranking(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """Score and bounds of a ranking, cut after each rank, and the state of each document.

    truth : see `charts.strokes`; the score of the whole ranking, at its last rank, by topic or query
    """
    rows, kind = answer.table, metric(answer.params["metric"]).kind
    limits = (
        ("upper", "upper bound", "possible", {}),
        ("lower", "lower bound", "known", {"fill": "tonexty", "fillcolor": "rgba(230,159,0,.16)"}),
    )
    so_far = ("value", plotly(answer.params["metric"]), "dot", {})
    steps = []
    for column, name, role, fill in limits if interval_labels.is_drawn(kind) else (so_far,):
        step = curve(rows["rank"], rows[column], look, role, name=name, hover=f"{name}: %{{y:.4f}}", width=3, **fill)
        step["line"] |= {"shape": "hv"}
        steps.append(step)
    dots = []
    for state, role, symbol in STATES:
        of_state = rows[rows["state"] == state]
        text = (
            f"{plotly(name, 60)}<br>{state}" + ("" if grade != grade else f", grade {grade:g}")
            for name, grade in zip(of_state["document"], of_state["grade"], strict=True)
        )
        foot, rim = [-0.045] * len(of_state), {"width": 2, "color": look[role]}
        if len(of_state):
            dots.append(
                points(of_state["rank"], foot, look, role, name=state, hover="rank %{x}: %{text}", symbol=symbol,
                       line=rim, text=list(text))
            )  # fmt: skip
    if truth and len(rows):
        name = str(answer.params.get("query") or answer.params["topic"])
        text = [f"{number_of(truth['at'].get(name))} {truth['name']}"]
        shown: dict[str, Any] = {"rows": {"text": text}, "lying": True, "tall": 12, "cliponaxis": False}
        dots += strokes([name], rows["rank"][-1:], look, truth, **shown)
    up = axis(look, plotly(answer.params["metric"]), range=[-0.09, 1.04], fixedrange=True)
    return figure([*steps, *dots], look, 320, axis(look, "rank", rangemode="nonnegative"), up)


VIEWS = {
    "leaderboard": View("Every system", board, board_tiles),
    "scores": View("Every topic of this system", topics),
    "ranking": View("Every document of this ranking", ranking),
    "ties": View("Ties"),
}
