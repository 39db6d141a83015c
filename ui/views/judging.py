"""The faces of judging: what a list buys, and how orders of judging get on."""

from evalcore import metric
from ui import kinds
from ui.marks import axis, curve, figure
from ui.pictures import lines
from ui.views.view import View


def shrinking(answer, look):
    """How wide the intervals still are as the list is judged, and what of that no judging takes away."""
    rows, hover = answer.table, "after %{x:,} documents: %{y:.4f}"
    name = "left" if metric(answer.params["metric"]).weighted else "left if none is relevant"
    left = curve(rows["order"], rows["width_left"], look, "possible", name=name, hover=hover, width=3)
    past = {"name": kinds.PAST_THE_END, "hover": "%{y:.4f}", "width": 3, "dash": "dash"}
    lines = [left, curve(rows["order"], rows["width_past_end"], look, "beyond", **past)]
    up = axis(look, "mean width of the intervals", rangemode="tozero", tickformat=".3f")
    return figure(lines, look, 300, axis(look, "documents judged", rangemode="tozero"), up)


SHOWN = {"relevant": "relevant documents found", "tau": "tau-b with all judgments"}


def judged_so_far(answer, look, *, panel):
    """How each order of judging gets on."""
    titles, ticks = ("judgments", SHOWN[panel]), {"relevant": ",d", "tau": ".2f"}[panel]
    across, up = axis(look, titles[0], rangemode="tozero", tickformat=",d"), axis(look, titles[1], tickformat=ticks)
    shown = {"x": "judgments", "y": panel, "series": "order", "titles": titles, "ticks": ticks}
    return lines(answer.table, look, **shown, height=340, xaxis=across, yaxis=up)


VIEWS = {
    "judge_next": View("The list for the assessors", shrinking),
    "judging_orders": View("Every order", judged_so_far, panels=SHOWN),
}
