"""Views of people on some topics and a model on all: what people's judgments are worth, and the estimates."""

from typing import Any

from evalcore.answers import Answer
from ui.text.escape import plotly
from ui.views.charts import lines
from ui.views.traces import (
    axis,
    few_of,
    figure,
    outlined,
    pinned_at,
    points,
    rows_axis,
    rows_height,
    rows_legend,
    spans,
)
from ui.views.view import View

METHODS = {"people": "people alone", "both": "people and the judge", "model": "the judge alone"}
PANELS = {
    "error": ("rmse", "Error of the scores", "error (RMSE over systems)", ".3f"),
    "order": ("tau", "Order of the systems", "τ with all of people's judgments", ".2f"),
}


def by_topics(answer: Answer, look: dict[str, Any], *, panel: str = "error", at: int | None = None) -> dict[str, Any]:
    """The error, and how well the order agrees, by the number of topics that people judge. at : a number in focus"""
    column, _, title, ticks = PANELS[panel]
    up = axis(look, title, rangemode="tozero", tickformat=ticks)
    return lines(
        answer.table, look, x="topics", y=column, series="method", titles=("topics judged by people", title),
        ticks=".3f", mark=at, height=360, yaxis=up, words=METHODS.__getitem__,
    )  # fmt: skip


def estimates(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every system's score over all topics, with intervals by people and the judge together and by people alone."""
    everything = answer.table.reset_index(drop=True)
    at = few_of(len(everything), look["rows"], *pinned_at(look, everything["system"]))
    rows = everything.iloc[at]
    data = []
    for value, low, high, name, role, symbol, shift in (
        ("value_people", "lower_people", "upper_people", "people alone", "possible", "square", 0.18),
        ("value", "lower", "upper", "people and the judge", "known", "circle", -0.18),
    ):
        values, lows, highs = (list(rows[column]) for column in (value, low, high))
        text = [
            f"<b>{plotly(system)}</b><br>{name} {score:.4f}<br>{lower:.4f} to {upper:.4f}"
            for system, score, lower, upper in zip(rows["system"], values, lows, highs, strict=True)
        ]
        data.append(
            points(values, [place + shift for place in range(1, len(rows) + 1)], look, role, name=name, symbol=symbol,
                   size=7, text=text, line=outlined(look), error_x=spans(values, lows, highs, look, role, thickness=2))
        )  # fmt: skip
    data.append(
        points(rows["value_model"], range(1, len(rows) + 1), look, "quiet", name="the judge alone", symbol="x", size=7,
               text=[f"<b>{plotly(system)}</b><br>the judge alone {score:.4f}"
                     for system, score in zip(rows["system"], rows["value_model"], strict=True)])
    )  # fmt: skip
    along, down = (
        axis(look, plotly(answer.params["metric"])),
        rows_axis(look, list(rows["system"]), of=len(everything), at=at),
    )
    return figure(data, look, rows_height(len(rows), look), along, down, **rows_legend(look))


VIEWS = {
    "people_and_model": View(
        "Topics judged by people", by_topics, panels={name: row[1] for name, row in PANELS.items()},
        shows="Error and order by the number of topics that people judge: alone, with the judge, and the judge alone.",
    ),
    "people_plus_model": View("Scores by people and the judge", estimates),
}  # fmt: skip
