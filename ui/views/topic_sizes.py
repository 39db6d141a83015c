"""The view of how many topics a difference needs."""

from typing import Any

from evalcore.answers import Answer
from ui.text.escape import plotly
from ui.views.traces import axis, curve, figure, level, points, upright
from ui.views.view import View


def needed(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The topics that are needed, by the difference to find; what the topics at hand show is marked."""
    first, rows = answer.table.iloc[0], answer.table.iloc[1:]
    text = [f"{row.difference:.3g}: {row.topics_needed:,.0f} topics" for row in rows.itertuples()]
    line = curve(rows["difference"], rows["topics_needed"], look, "known", symbol="circle", hover="%{text}", text=text)
    at_hand = points(
        [first["difference"]], [first["n"]], look, "focus", name=f"the {first['n']:,} topics at hand", symbol="diamond",
        size=12, text=[f"{first['difference']:.3g} with {first['n']:,} topics"],
    )  # fmt: skip
    up = axis(look, "topics needed", type="log", dtick=1)
    quantity = "width of the interval" if answer.params["design"] == "width" else "difference"
    along = axis(look, f"{quantity} in {plotly(answer.params['metric'])}", type="log", dtick="D1")
    shapes = [upright(first["difference"], look), level(first["n"], look, dash="dot")]
    return figure([line, at_hand], look, 360, along, up, shapes=shapes)


def trade(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """By pool depth, for the same number of judgments: one of TRADED."""
    rows = answer.table.dropna(subset=["depth", panel])
    text = [f"depth {row.depth:.0f}, {row.topics:,} topics: {getattr(row, panel):.3g}" for row in rows.itertuples()]
    line = curve(rows["depth"], rows[panel], look, "known", symbol="circle", hover="%{text}", text=text)
    along = axis(look, "pool depth", tickformat=",d")
    return figure([line], look, 320, along, axis(look, TRADED[panel], rangemode="tozero"))


TRADED = {
    "topics": "topics that can be judged",
    "difference": "smallest difference that is found",
    "mean_width": "mean width of the intervals",
}
SHOWN = "A curve: the smaller the difference, the more topics a test needs to find it; the topics at hand are marked."
VIEWS = {
    "topics_needed": View("Topics needed by difference", needed, shows=SHOWN),
    "topics_or_depth": View("More topics, or deeper pools", trade, panels=TRADED),
}
