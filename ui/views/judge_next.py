"""Views of judging: the effect of judging more, and judging orders compared."""

from typing import Any

from evalcore import metric
from evalcore.answers import Answer
from ui.text import interval_labels
from ui.views.charts import lines
from ui.views.traces import axis, curve, figure
from ui.views.view import View


def shrinking(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Mean width of the intervals as the list is judged, and the part that no judging can remove."""
    rows, hover = answer.table, "after %{x:,} documents: %{y:.4f}"
    name = "remaining" if metric(answer.params["metric"]).weighted else "remaining if none is relevant"
    left = curve(rows["order"], rows["width_left"], look, "possible", name=name, hover=hover, width=3)
    past: dict[str, Any] = {"name": interval_labels.PAST_THE_END, "hover": "%{y:.4f}", "width": 3, "dash": "dash"}
    lines = [left, curve(rows["order"], rows["width_past_end"], look, "beyond", **past)]
    up = axis(look, "mean interval width", rangemode="tozero", tickformat=".3f")
    return figure(lines, look, 300, axis(look, "documents judged", rangemode="tozero"), up)


SHOWN = {"relevant": "relevant documents found", "tau": "τ-b with all judgments"}


def judged_so_far(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """Progress of each judging order."""
    titles, ticks = ("judgments", SHOWN[panel]), {"relevant": ",d", "tau": ".2f"}[panel]
    across, up = axis(look, titles[0], rangemode="tozero", tickformat=",d"), axis(look, titles[1], tickformat=ticks)
    shown: dict[str, Any] = {"x": "judgments", "y": panel, "series": "order", "titles": titles, "ticks": ticks}
    return lines(answer.table, look, **shown, height=340, xaxis=across, yaxis=up)


VIEWS = {
    "judge_next": View("Documents to judge next", shrinking),
    "judging_orders": View("Judging orders", judged_so_far, panels=SHOWN),
}
