"""Views of corrections: what a new system's score would be, had it contributed to the pool."""

from ui.views.traces import SERIES, axis, curve, figure
from ui.views.view import View

READ = {
    "unadjusted": "uncorrected",
    "mixed": "true scores on fully judged topics",
    "from_systems": "corrected from systems",
    "from_topics": "corrected from topics",
}


def errors(answer, look):
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


VIEWS = {
    "adjust_from_systems": View("Correction from other systems"),
    "adjust_from_topics": View("Correction from fully judged topics"),
    "adjustment_experiment": View("By contributing systems and fully judged topics", errors),
}
