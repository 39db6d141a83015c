"""Views of what shallow judgments teach: constants, gain by rank, coverage, and samples."""

from typing import Any

from evalcore.answers import Answer
from evalcore.questions.fitted_models import at_first_depth, published
from ui.text.escape import plotly
from ui.views.charts import WHITE, lines
from ui.views.traces import SERIES, axis, box, column, curve, figure, heat, level, log_axis, names_axis, points
from ui.views.view import View

CURVES = (("linear", "quiet", "dash"), ("zipf", "known", "dot"), ("weibull", "focus", "solid"))


def gains(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The observed gain at each rank of a topic, and the curves fitted to it."""
    rows, topic = answer.table, answer.params["topic"]
    hover = ", rank %{x}: %{y:.3f}"
    curves = [
        curve(rows["rank"], rows[model], look, role, name=model, hover=f"{model}{hover}", width=3, dash=dash)
        for model, role, dash in CURVES
    ]
    dots = points(rows["rank"], rows["observed"], look, "dot", name="observed", hover=f"observed{hover}", size=8)
    across = axis(look, f"rank (topic {plotly(topic)})" if topic else "rank", type="log", dtick=1)
    return figure([*curves, dots], look, 380, across, axis(look, "mean gain", rangemode="tozero"))


def gammas(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """gamma of each topic at the first depth, highest first, and the threshold above which a model is used."""
    rows = at_first_depth(answer.table).sort_values("gamma", ascending=False, kind="stable")
    bars = []
    states = (("estimated by a model", True, "known", ""), ("counted as not relevant", False, "quiet", "/"))
    for name, state, role, pattern in states:
        places = [place for place, adjusted in enumerate(rows["adjusted"]) if bool(adjusted) is state]
        part = rows.iloc[places]
        bars.append(
            column(
                places, part["gamma"], look, role, name=name, hover="%{text}: gamma %{y:.4f}", textposition="none",
                text=[f"topic {plotly(topic)}" for topic in part["topic"]], marker={"pattern": {"shape": pattern}},
            )
        )  # fmt: skip
    across = names_axis(look, list(rows["topic"]), "topic", longest=10, autotickangles=[-40, -90])
    up, threshold = axis(look, "gamma", rangemode="tozero"), level(answer.params["theta"], look)
    return figure(
        bars, look, 320, across, up, barmode="overlay", shapes=[threshold], annotations=[_theta(answer, look)]
    )


def _theta(answer, look):
    """The name of the line at the threshold."""
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": answer.params["theta"], "yanchor": "bottom"}
    return {"text": f"theta {answer.params['theta']:g}", **place, "showarrow": False, "font": {"size": look["text"]}}


def by_theta(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The error of a model by threshold, a line for each depth."""
    rows = answer.table.assign(pool=[f"depth {depth}" for depth in answer.table["depth"]])
    shown: dict[str, Any] = {
        "x": "theta",
        "y": "rmse",
        "series": "pool",
        "titles": ("threshold theta", "root mean square error"),
    }
    return lines(rows, look, xaxis=axis(look, "threshold theta", rangemode="tozero"), **shown)


def gamma_over_depths(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The mean gamma over topics by pool depth, and the threshold."""
    rows = answer.table[answer.table["depth"].notna()]
    line = curve(
        rows["depth"], rows["gamma"], look, "known", name="mean gamma", hover="depth %{x}: %{y:.4f}", symbol="circle"
    )
    across, up = log_axis(look, "pool depth", sorted(set(rows["depth"]))), axis(look, "mean gamma", rangemode="tozero")
    threshold, name = level(answer.params["theta"], look), _theta(answer, look)
    return figure([line], look, 320, across, up, shapes=[threshold], annotations=[name])


def surface(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The error for every C and E, with the best pair and the published one."""
    field = answer.table.pivot(index="E", columns="C", values="rmse_plain").round(4)
    best = answer.table[answer.table["best"]].iloc[0]
    rim = {"color": "#000000", "width": 2}
    marks = [
        points(
            [C], [E], look, [WHITE], name=f"{name}: C = {C:g}, E = {E:g}", hover=f"{name}: C = %{{x}}, E = %{{y}}",
            symbol=symbol, size=13, line=rim, cliponaxis=False,
        )
        for name, (C, E), symbol in (
            ("published", published(answer.params["estimator"]), "diamond"),
            ("learnt here", (best["C"], best["E"]), "circle"),
        )
    ]  # fmt: skip
    errors = heat(
        field.to_numpy().tolist(), look, hover="C = %{x}, E = %{y}: error %{z:.4f}", title="error", reversescale=True,
        x=list(field.columns), y=list(field.index),
    )  # fmt: skip
    return figure([errors, *marks], look, 420, axis(look, "C"), axis(look, "E"))


BY_SAMPLE = {"tau_distance": "share of swapped pairs", "rmse": "root mean square error"}


def repeats(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """Every sample as a dot, a row per estimator: how many pairs it swaps, or its error."""
    rows = answer.table
    names = list(dict.fromkeys(rows["estimator"]))
    boxes = [
        box(
            rows[panel][rows["estimator"] == name], look, role, name=plotly(name), hover="%{x:.4f}", boxpoints="all",
            jitter=0.5, pointpos=0, marker={"color": look[role], "size": 6},
        )
        for name, (role, _, _) in zip(names, SERIES, strict=False)
    ]  # fmt: skip
    ticks = {"tickformat": ".0%"} if panel == "tau_distance" else {}
    along = axis(look, BY_SAMPLE[panel], rangemode="tozero", nticks=5, **ticks)
    return figure(boxes, look, 110 + 46 * len(names), along, axis(look, autorange="reversed", showgrid=False))


SHOWN = "The mean gain at each rank of the topic, and three curves fitted to it."
VIEWS = {
    "rank_models": View("Every rank", gains, shows=SHOWN),
    "coverage": View("Coverage of every topic", gammas),
    "constants": View("Every C and E", surface),
    "error_by_theta": View("Error by threshold theta", by_theta),
    "gamma_by_depth": View("Mean gamma by pool depth", gamma_over_depths),
    "two_strata": View("Every sample", repeats, panels=BY_SAMPLE),
}
