"""Views of pool depth: what deeper judging shows."""

from textwrap import wrap
from typing import Any

import pandas as pd

from evalcore.answers import Answer
from evalcore.metrics.metrics import metric
from evalcore.vocabulary.sentences import FUZZ, known, number, width
from evalcore.vocabulary.sentences import figure as figure_of
from ui.text import interval_labels
from ui.views.charts import lines
from ui.views.traces import MARGIN, axis, curve, figure, upright
from ui.views.view import View

PANEL = 0.25, 0.375  # of the picture's width: a panel, and from one to the next, with room for numbers on a phone


def bought(answer: Answer, look: dict[str, Any], *, depth: int | None = None) -> dict[str, Any]:
    """Benefit and cost by pool depth: pairs without overlap and interval width, or the distance to the scores with all
    judgments; and judgments. depth : the one in focus"""
    bounded = interval_labels.is_drawn(metric(answer.params["metric"]).kind)
    panels = (
        *(BOUNDED if bounded else UNBOUNDED),
        ("judgments", "judgments", "dot", "~s"),
    )
    rows = answer.table[answer.table["depth"].notna()]  # the row of all judgments has no depth
    data, axes, titles, marks = [], {}, [], []
    for i, (column, title, role, ticks) in enumerate(panels):
        n, left = str(i + 1) if i else "", i * PANEL[1]
        axes[f"xaxis{n}"] = axis(look, "pool depth", domain=[left, left + PANEL[0]], anchor=f"y{n}", fixedrange=True)
        axes[f"yaxis{n}"] = axis(look, anchor=f"x{n}", rangemode="tozero", tickformat=ticks, fixedrange=True, nticks=5)
        unknown = len(rows) and rows[column].isna().all()
        titles.append(_heading(f"{title}: not available" if unknown else title, left, look))
        if depth is not None:
            marks.append(upright(depth, look, axes=(f"x{n}", f"y{n}")))
        if unknown:
            axes[f"xaxis{n}"]["visible"] = axes[f"yaxis{n}"]["visible"] = False
            continue
        data.append(
            curve(
                rows["depth"], rows[column], look, role, width=3, symbol=None if len(rows) > 20 else "circle", size=7,
                hover=f"depth %{{x}}: %{{y:{',' if column == 'judgments' else ticks}}}", xaxis=f"x{n}", yaxis=f"y{n}",
            )
        )  # fmt: skip
    return figure(data, look, 290, margin={**MARGIN, "t": 56}, shapes=marks, annotations=titles, **axes)


BOUNDED = (
    ("pairs_decided", "pairs without overlap", "known", ".0%"),
    ("mean_width", "mean interval width", "possible", ".2f"),
)
UNBOUNDED = (
    ("tau", "tau-b with all judgments", "known", ".2f"),
    ("change", "mean change to come", "focus", ".2f"),
)


def _heading(title, left, look):
    place = {"x": left, "y": 1.02, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return {
        "text": "<br>".join(wrap(title, 16)),
        **place,
        "showarrow": False,
        "font": {"size": look["text"] + 1, "color": look["dot"]},
    }


def by_depth(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """One column of the question `pool`, by pool depth."""
    rows = answer.table[answer.table["depth"].notna()]
    ticks = {"relevant": ",d", "share_relevant": ".0%"}[panel]
    hover = f"depth %{{x}}: %{{y:{ticks}}}"
    line = curve(rows["depth"], rows[panel], look, "known", symbol="circle", size=6, hover=hover)
    up = axis(look, FOUND[panel], rangemode="tozero", tickformat=ticks)
    return figure([line], look, 300, axis(look, "pool depth", rangemode="tozero"), up)


def trends(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """The mean score or interval width by number of judgments, of contributing systems and of others; of more curves
    than one can follow, those of the first metric."""
    rows = answer.table
    if rows.groupby(["metric", "estimator", "pooled"]).ngroups > FOLLOWED:
        rows = rows[rows["metric"] == rows["metric"].iloc[0]]
    metrics = rows["metric"].unique()
    parts = [rows["pooled"].map({True: "contributing", False: "other"})]
    parts += [rows[name] for name in ("estimator", "metric") if rows[name].nunique() > 1]
    names = [", ".join(some) for some in zip(*parts, strict=True)]
    titles = ("judgments", TRENDS[panel] + (f", {metrics[0]}" if len(metrics) == 1 else ""))
    return lines(rows.assign(series=names), look, x="judgments", y=panel, series="series", titles=titles, height=320)


FOLLOWED = 8  # curves, at most
TRENDS = {"value": "mean score", "width": "mean width"}


def by_first_unjudged(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The share of rankings whose first unjudged document is at each rank, of contributing systems and of others."""
    rows = answer.table[answer.table["rank"].notna()]
    rows = rows.assign(series=["contributing" if pooled else "other" for pooled in rows["pooled"]])
    titles = ("rank of the first unjudged document", "share of rankings")
    shown: dict[str, Any] = {"x": "rank", "y": "share", "series": "series", "ticks": ".0%", "height": 320}
    return lines(rows, look, titles=titles, xaxis=axis(look, titles[0], rangemode="tozero"), **shown)


FOUND = {
    "relevant": "relevant documents found",
    "share_relevant": "relevant share of judged documents, mean over topics",
}


def tiles_at(row: pd.Series) -> tuple[tuple[str, str, str], ...]:
    """The tiles of one depth. row : of the question `pool`"""
    wide = "Width of the intervals, averaged over systems."
    if row["width_past_end"] > FUZZ:
        wide += f" Ranks past the end of runs, which cannot be judged, account for {width(row['width_past_end'])}."
    bounded = (("Mean width", width(row["mean_width"]), wide),)
    unbounded = (
        ("Change to come", figure_of(row["change"]), "Mean score with all judgments, minus that at this depth."),
        ("Swapped pairs", number(row["inversions"]), "System pairs whose order is the reverse with all judgments."),
    )
    return (
        *(bounded if known(row["mean_width"]) else unbounded if known(row["depth"]) else ()),
        ("Judgments", number(row["judgments"]), f"{row['per_topic']:,.1f} per topic."),
        ("Relevant documents", number(row["relevant"]), "Relevant documents among those judged, over all topics."),
    )


BY_DEPTH = View("Every depth", by_depth, panels=FOUND)
SHOWN = (
    "Three curves by pool depth: how certain the ordering is, how much scores can still change, and how many "
    "judgments are needed."
)
VIEWS = {
    "pool": View("Every depth", bought, shows=SHOWN),
    "depth_sweep": View("Every system at every depth"),
    "trend": View("Every number of judgments", trends, panels=TRENDS),
    "first_unjudged": View("First unjudged document", by_first_unjudged),
}
