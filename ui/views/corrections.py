"""The faces of corrections: what a newcomer's score would be had it helped to build the pool."""

from ui.marks import SERIES, axis, curve, figure
from ui.views.view import View

READ = {
    "unadjusted": "left as it is",
    "mixed": "true scores on common topics",
    "from_systems": "from systems",
    "from_topics": "from topics",
}


def errors(answer, look):
    """How far a score is off by the number of common topics, with the widest of the pools."""
    rows = answer.table[answer.table["width"] == answer.table["width"].max()]
    common = [str(count) for count in rows["common"]]
    data = [
        curve(
            common, rows[column], look, role, name=name, dash=dash, symbol=symbol,
            hover=f"{name}, %{{x}} common topics: %{{y:.3f}}",
        )
        for (column, name), (role, dash, symbol) in zip(READ.items(), SERIES, strict=False)
    ]  # fmt: skip
    up = axis(look, "mean absolute error", rangemode="tozero", tickformat=".3f")
    return figure(data, look, 340, axis(look, "common topics", type="category"), up)


VIEWS = {
    "adjust_from_systems": View("Corrected from other systems"),
    "adjust_from_topics": View("Corrected from common topics"),
    "adjustment_experiment": View("Every width and number of common topics", errors),
}
