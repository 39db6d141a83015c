"""Views of corrections: what a new system's score would be, had it contributed to the pool."""

from typing import Any

from evalcore.answers import Answer
from ui.text.escape import plotly
from ui.views.traces import SERIES, axis, curve, few_rows_axis, figure, number, points, spans
from ui.views.view import View

READ = {
    "unadjusted": "uncorrected",
    "mixed": "true scores on fully judged topics",
    "from_systems": "corrected from systems",
    "from_topics": "corrected from topics",
}


def errors(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Mean error by the number of fully judged topics, for the largest pool."""
    rows = answer.table[answer.table["width"] == answer.table["width"].max()]
    common = [str(count) for count in rows["common"]]
    data = [
        curve(
            common, rows[column], look, role, name=name, dash=dash, symbol=symbol,
            hover=f"{name}, %{{x}} fully judged topics: %{{y:.3f}}",
        )
        for (column, name), (role, dash, symbol) in zip(READ.items(), SERIES, strict=False)
    ]  # fmt: skip
    up = axis(look, "mean absolute error", rangemode="tozero", tickformat=".3f")
    return figure(data, look, 340, axis(look, "fully judged topics", type="category"), up)


def corrected(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A system's score before and after a correction, with the interval of the corrected one."""
    row, none = answer.table.iloc[0], float("nan")
    names = ["uncorrected", "corrected"]
    values, lows, highs = [row["unadjusted"], row["adjusted"]], [none, row["lower"]], [none, row["upper"]]
    text = [f"{name}: {number(value)}" for name, value in zip(names, values, strict=True)]
    text[1] += f"<br>{number(row['lower'])} to {number(row['upper'])}"
    error = spans(values, lows, highs, look, "possible", thickness=4)
    dots = points(values, range(2), look, "known", size=11, text=text, error_x=error)
    along = axis(look, plotly(f"{answer.params['metric']} of {row['system']}"))
    return figure([dots], look, 190, along, few_rows_axis(look, names))


VIEWS = {
    "adjust_from_systems": View("Correction from other systems", corrected),
    "adjust_from_topics": View("Correction from fully judged topics", corrected),
    "adjustment_experiment": View("By contributing systems and fully judged topics", errors),
}
