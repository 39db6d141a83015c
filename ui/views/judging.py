"""The faces of judging: what a list buys, and how orders of judging get on."""

from ui.marks import axis, curve, figure
from ui.pictures import lines
from ui.views.view import View


def shrinking(answer, look):
    """How wide the intervals still are as the list is judged."""
    rows, hover = answer.table, "after %{x:,} documents: %{y:.4f}"
    return figure(
        [curve(rows["order"], rows["width_left"], look, "possible", hover=hover, width=3)],
        look,
        height=300,
        xaxis=axis(look, "documents judged", rangemode="tozero"),
        yaxis=axis(look, "mean width of the intervals", rangemode="tozero", tickformat=".3f"),
    )


SHOWN = {"relevant": "relevant documents found", "tau": "tau with all judgments"}


def judged_so_far(answer, look, *, panel):
    """How each order of judging gets on."""
    ticks = {"relevant": ",d", "tau": ".2f"}[panel]
    return lines(
        answer.table,
        look,
        x="judgments",
        y=panel,
        series="order",
        titles=("judgments", SHOWN[panel]),
        ticks=ticks,
        height=340,
        xaxis=axis(look, "judgments", rangemode="tozero", tickformat=",d"),
        yaxis=axis(look, SHOWN[panel], tickformat=ticks),
    )


VIEWS = {
    "judge_next": View("The list for the assessors", shrinking),
    "judging_orders": View("Every order", judged_so_far, panels=SHOWN),
}
