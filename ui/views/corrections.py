"""Views of corrections: what a new system's score would be, had it contributed to the pool."""

from typing import Any

from evalcore.answers import Answer
from ui.text.escape import plotly
from ui.views.traces import SERIES, axis, curve, few_rows_axis, figure, number, points, spans
from ui.views.view import View

READ = {
    "unadjusted": "uncorrected",
    "mixed": "true scores on {} fully judged topics",
    "from_systems": "corrected from systems",
    "from_topics": "corrected from {} fully judged topics",
}


def errors(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Mean error by the number of systems in a pool, with its standard error [WP09, tables 1 to 4].

    True scores on fully judged topics are drawn for the fewest of these, corrections for each number of topics."""
    table, data = answer.table, []
    fewest = table["common"].min()
    drawn = [("unadjusted", fewest), ("mixed", fewest), ("from_systems", fewest)]
    drawn += [("from_topics", count) for count in dict.fromkeys(table["common"])]
    for (column, common), (role, dash, symbol) in zip(drawn, SERIES, strict=False):
        rows, name = table[table["common"] == common], READ[column].format(common)
        middle, error = rows[column], rows[f"{column}_se"]
        bars = spans(list(middle), middle - error, middle + error, look, role, thickness=1.5)
        hover = f"{name}, pool of %{{x}} systems: %{{y:.3f}} ± %{{customdata:.3f}}"
        more: dict[str, Any] = {"customdata": list(error), "error_y": bars}
        data.append(curve(map(str, rows["width"]), middle, look, role, name=name, dash=dash, symbol=symbol, hover=hover,
                          **more))  # fmt: skip
    up = axis(look, "mean error of a score, ± 1 standard error", rangemode="tozero", tickformat=".2f")
    return figure(data, look, 380, axis(look, "systems in the pool", type="category"), up)


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
    "adjustment_experiment": View("By systems in the pool and fully judged topics", errors),
}
