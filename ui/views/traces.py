"""Traces and axes: the parts of figures, as plain Plotly dicts.

`look` is `theme.look()`: colours by role and the size of text. Every text from a file passes `escape.plotly`, which
makes it harmless. Heights are fixed.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

import pandas as pd

from ui.text.escape import labels

ROWS_TALL = 720  # pixels for as many rows as have room for their names
FRAME = 110  # pixels of these that are for the legend above and the axis below
NAMES_UP_TO = 52  # rows that still have room for a name each
APART = 5  # rows between two names, if not all are shown
WIDTH_OF_NAME = 24  # characters
LEGEND = {"orientation": "h", "traceorder": "normal", "x": 0, "y": 1.015, "yanchor": "bottom"}
MARGIN = {"l": 8, "r": 16, "t": 36, "b": 44}
QUIET: dict[str, Any] = {"hoverinfo": "skip"}
SERIES = (  # lines that differ in colour, dash and symbol
    ("dot", "solid", "circle"),
    ("known", "solid", "square"),
    ("focus", "solid", "diamond"),
    ("good", "solid", "triangle-up"),
    ("possible", "solid", "triangle-down"),
    ("quiet", "solid", "x"),
    ("known", "dash", "square-open"),
    ("focus", "dash", "diamond-open"),
    ("good", "dash", "triangle-up-open"),
    ("dot", "dash", "circle-open"),
    ("possible", "dash", "triangle-down-open"),
    ("quiet", "dash", "x-open"),
)


# ---------------------------------------------------------------------------------------------------------------------
# The frame


def figure(
    data: Sequence[dict[str, Any]], look: dict[str, Any], height: int, xaxis: dict[str, Any], yaxis: dict[str, Any],
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Traces with the layout that all figures share. height : in pixels"""
    font = {"size": look["text"]}
    if drawn := [*_jumps(yaxis, look), *_outlines(xaxis, yaxis, look)]:
        more["shapes"] = [*more.get("shapes", ()), *drawn]
    shared = {
        "height": height,
        "margin": MARGIN,
        "font": font,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "font": font},
        "legend": {**LEGEND, "font": font},
        "dragmode": "pan",
    }
    return {"data": list(data), "layout": {**shared, "xaxis": xaxis, "yaxis": yaxis, **more}}


def _jumps(yaxis, look):
    """A dotted line between every two rows that are not neighbours; the places are taken off the axis."""
    return [level(place, look, dash="dot", width=1.5, role="quiet") for place in yaxis.pop("jumps", ())]


def _outlines(xaxis, yaxis, look):
    """A frame around each pinned row or column; the places are taken off the axes."""
    line, frames = {"color": look["pin"], "width": 2}, []
    for place in yaxis.pop("pinned", ()):
        ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": place - 0.5, "y1": place + 0.5, "yref": "y"}
        frames.append({"type": "rect", "line": line, **ends})
    for place in xaxis.pop("pinned", ()):
        ends = {"y0": 0, "y1": 1, "yref": "y domain", "x0": place - 0.5, "x1": place + 0.5, "xref": "x"}
        frames.append({"type": "rect", "line": line, **ends})
    return frames


PINS = "①②③④⑤"


def pinned_at(look: dict[str, Any], names: Sequence[str] | pd.Series) -> dict[Any, Any]:
    """Where pinned systems stand among these names: place from 0 -> the mark of the pin."""
    marks = dict(zip(look["pinned"], PINS, strict=False))
    return {place: marks[name] for place, name in enumerate(map(str, names)) if name in marks}


def with_marks(texts: Sequence[str], pinned: Mapping[Any, str]) -> list[str]:
    """These texts, those at the places of pinned systems with their marks. pinned : place from 0 -> mark"""
    return [f"{pinned[place]} {text}" if place in pinned else text for place, text in enumerate(texts)]


def rings(
    look: dict[str, Any], names: Sequence[str] | pd.Series, x: Sequence[Any] | pd.Series, y: Sequence[Any] | pd.Series
) -> list[dict[str, Any]]:
    """A ring with the mark of the pin around the dot of each pinned system; nothing if none of these is pinned."""
    if not (pinned := pinned_at(look, names)):
        return []
    across, up = ([values[place] for place in pinned] for values in (list(x), list(y)))
    rim = {"color": look["pin"], "width": 2}
    words: dict[str, Any] = {"mode": "markers+text", "text": list(pinned.values()), "textposition": "bottom right"}
    words |= {"textfont": {"size": look["text"], "color": look["pin"]}, "cliponaxis": False}
    return [points(across, up, look, "pin", hover=None, symbol="circle-open", size=18, line=rim, **words, **QUIET)]


IN_STEPS = {".0%": ".2~%", ".1%": ".2~%", ".0f": ".2~f", ",.0f": ",.2~f"}  # digits that small steps need, no others


def axis(look: dict[str, Any], title: str | None = None, **more: Any) -> dict[str, Any]:
    """A number axis with a quiet grid. Steps below a whole number or per cent have their digits."""
    if more.get("tickformat") in IN_STEPS:
        more["tickformat"] = IN_STEPS[more["tickformat"]]
    font = {"size": look["text"], "color": look["dot"]}
    heading = {"title": {"text": title, "font": font}} if title else {}
    quiet = {
        "gridcolor": look["grid"],
        "zeroline": False,
        "tickfont": font,
        "automargin": True,
        "exponentformat": "none",
    }
    return {**quiet, **heading, **more}


def rows_axis(
    look: dict[str, Any], names: Sequence[str], of: int | None = None, spoken_of: Sequence[int] = (),
    at: Sequence[int] = (),
) -> dict[str, Any]:  # fmt: skip
    """The axis of rows from 1: every name if there is room, else about every tenth name with its rank.

    of : the number of rows of which these are shown, for the title; spoken_of : rows that are always named, as pinned
    systems are; at : the positions of these rows from 0, which are named if they are not the first ones; a line
    separates two that are not neighbours
    """
    pinned = {place + 1: mark for place, mark in pinned_at(look, names).items()}
    ranked = list(at) != list(range(len(at)))
    there = {
        row: f"{f'{at[row - 1] + 1}  ' if ranked else ''}{f'{pinned[row]} ' if row in pinned else ''}{label}"
        for row, label in enumerate(labels(names, WIDTH_OF_NAME), 1)
    }
    spoken_of = [*spoken_of, *pinned]
    shown = there if len(names) <= NAMES_UP_TO else every_tenth(there, spoken_of)
    font = {"size": size_of_names(len(shown), look), "color": look["dot"]}
    ticks = {"tickvals": list(shown), "ticktext": list(shown.values()), "tickfont": font}
    title = f"{len(names)} of {of} systems" if of and of > len(names) else None
    jumps = [row + 0.5 for row, (above, below) in enumerate(pairwise(at), 1) if below > above + 1]
    more = ({"pinned": list(pinned)} if pinned else {}) | ({"jumps": jumps} if jumps else {})
    return axis(look, title, **ticks, range=[len(names) + 0.7, 0.3], showgrid=False, fixedrange=True, **more)


def every_tenth(label_at: dict[Any, str], spoken_of: Sequence[int] = ()) -> dict[Any, str]:
    """rank -> label with its rank, for the first and about every tenth row. Rows in `spoken_of` replace those close to
    them, in bold; two of them that are close share a tick. label_at : rank -> label"""
    groups: list[list[Any]] = []
    for place in sorted(set(spoken_of) & set(label_at)):
        if groups and place - _middle(groups[-1]) <= APART * (len(groups[-1]) + 1) / 2:
            groups[-1].append(place)
        else:
            groups.append([place])
    bold = {_middle(some): "<br>".join(f"<b>{label_at[at]} · {at:g}</b>" for at in some) for some in groups}
    shown: list[Any] = []
    for ten in range(0, int(max(label_at, default=-1)) + 1, 10):
        place = next(place for place in sorted(label_at) if place >= ten)
        if not shown or place - shown[-1] > APART:  # after ties, the next may be close
            shown.append(place)
    quiet = [at for at in shown if all(abs(at - _middle(some)) > APART * (len(some) + 1) / 2 for some in groups)]
    return dict(sorted({**{at: f"{label_at[at]} · {at:g}" for at in quiet}, **bold}.items()))


def _middle(places):
    """Where a label of a line for each of these rows stands, below the top."""
    return places[0] if len(places) == 1 else max(sum(places) / len(places), APART * len(places) / 2)


def rows_legend(look: dict[str, Any]) -> dict[str, Any]:
    """A legend whose marks have the same size, however small those of the rows are."""
    return {"legend": {**LEGEND, "itemsizing": "constant", "font": {"size": look["text"]}}}


def few_rows_axis(
    look: dict[str, Any], texts: Sequence[str], pinned: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """The axis of a few rows from 0, the first on top. pinned : row -> its mark"""
    ticks: dict[str, Any] = {"tickvals": list(range(len(texts))), "ticktext": with_marks(texts, pinned or {})}
    ticks |= {"pinned": list(pinned)} if pinned else {}
    return axis(look, **ticks, autorange="reversed", showgrid=False)


def names_axis(look: dict[str, Any], names: Sequence[str], title: str, *, longest: int, **more: Any) -> dict[str, Any]:
    """An axis of names: all, or about 26 of them, evenly spaced; hover shows the full name."""
    step, pinned = -(-len(names) // 26) or 1, pinned_at(look, names)
    every = [f"{pinned.get(i, '')}{label}" for i, label in enumerate(labels(names, longest))]
    shown = [i for i in range(0, len(names), step) if not any(0 < abs(i - pin) < step for pin in pinned)]
    shown = sorted({*shown, *pinned})
    more |= {"pinned": list(pinned)} if pinned else {}
    font = {"size": look["text"] - 2, "color": look["dot"]}
    ticks = {"tickvals": shown, "ticktext": [every[i] for i in shown], "tickfont": font}
    return axis(look, title, **ticks, showgrid=False, ticks="", **more)


def topics_axis(look: dict[str, Any], n: int) -> dict[str, Any]:
    """An axis of topics, each by its name."""
    return axis(look, "topic", type="category", showgrid=False, tickangle=-45 if n > 12 else 0)


def log_axis(look: dict[str, Any], title: str, places: Sequence[float]) -> dict[str, Any]:
    """An axis of a few whole numbers."""
    return axis(look, title, type="log", tickvals=places, ticktext=[f"{place:,}" for place in places])


def rows_height(n: int, look: dict[str, Any]) -> int:
    """Pixels for n rows: enough for every name, and at least as many as for twelve rows."""
    if n <= 12:
        return 130 + 28 * n
    if n > NAMES_UP_TO:
        return ROWS_TALL
    in_full = min(ROWS_TALL, FRAME + (look["text"] + 3) * n)
    return max(rows_height(12, look), in_full, FRAME + look["row"] * n)


def size_of_names(n: int, look: dict[str, Any]) -> int:
    """Text size of n names, in pixels, such that they do not touch."""
    return min(look["text"], max(9, (rows_height(n, look) - FRAME) // max(n, 1) - 2))


def few_of(places: int, most: int | None, *spoken_of: int) -> list[int]:
    """The rows to show where space is limited: the first ones, and those in `spoken_of` with their neighbours.

    places : number of rows; most : to show, None = all; spoken_of : rows from 0
    """
    if most is None or places <= most:
        return list(range(places))
    for far in (2, 1, 0):
        shown = {place + i for place in spoken_of for i in range(-far, far + 1) if 0 <= place + i < places}
        if len(shown) <= most - 2:
            break
    rest = (place for place in range(places) if place not in shown)
    return sorted([*shown, *islice(rest, most - len(shown))])


def row_thickness(n: int) -> float:
    """Pixels for the bar of one of n rows."""
    return max(2, min(14, 0.62 * (ROWS_TALL - 80) / max(n, 1)))


def dot_size(n: int) -> float:
    """Pixels for the dot of one of n rows."""
    return max(4, min(9, row_thickness(n)))


def upright(
    at: float, look: dict[str, Any], *, axes: Sequence[str] = ("x", "y"), dash: str = "dot", width: float = 2,
    role: str = "focus",
) -> dict[str, Any]:  # fmt: skip
    """A vertical line at a number of the x axis."""
    ends = {"x0": at, "x1": at, "y0": 0, "y1": 1, "xref": axes[0], "yref": f"{axes[1]} domain"}
    return {"type": "line", **ends, "line": {"color": look[role], "width": width, "dash": dash}}


def level(
    at: float, look: dict[str, Any], *, dash: str = "dash", width: float = 2, role: str = "focus"
) -> dict[str, Any]:
    """A horizontal line at a number of the y axis."""
    ends = {"x0": 0, "x1": 1, "y0": at, "y1": at, "xref": "x domain", "yref": "y"}
    return {"type": "line", **ends, "line": {"color": look[role], "width": width, "dash": dash}}


def number(value: float) -> str:
    """A score as hover texts show it."""
    return "unknown" if value is None or value != value else f"{value:.4f}"


# ---------------------------------------------------------------------------------------------------------------------
# Traces


def _trace(kind, name, hover, more):
    named = {"name": name} if name else {"showlegend": False}
    shown = {"hovertemplate": f"{hover}<extra></extra>"} if hover else {}
    return {"type": kind, **named, **shown, **more}


def points(
    x: Sequence[Any] | pd.Series, y: Sequence[Any] | pd.Series, look: dict[str, Any], role: str | Sequence[str], *,
    name: str | None = None, hover: str | None = "%{text}", symbol: str = "circle", size: float | Sequence[float] = 9,
    line: dict[str, Any] | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Dots. text, customdata : of each, if any"""
    marker = {"color": look[role] if isinstance(role, str) else role, "symbol": symbol, "size": size}
    marker |= {"line": line} if line else {}
    return _trace("scatter", name, hover, {"mode": "markers", "x": list(x), "y": list(y), "marker": marker, **more})


def curve(
    x: Sequence[Any] | pd.Series, y: Sequence[Any] | pd.Series, look: dict[str, Any], role: str, *,
    name: str | None = None, hover: str | None = None, width: float = 2.5, dash: str = "solid",
    symbol: str | None = None, size: int = 9, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A line. symbol : of its dots, None = without dots"""
    line = {"color": look[role], "width": width, "dash": dash}
    dots = {"marker": {"symbol": symbol, "size": size, "color": look[role]}} if symbol else {}
    mode = "lines+markers" if symbol else "lines"
    return _trace("scatter", name, hover, {"mode": mode, "x": list(x), "y": list(y), "line": line, **dots, **more})


def joined(
    starts: Sequence[Any] | pd.Series, ends: Sequence[Any] | pd.Series, across: Sequence[Any] | pd.Series,
    look: dict[str, Any], role: str, *, name: str | None = None, width: float = 3, upright: bool = False, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A line from each start to its end, at its position across."""
    along = [end for pair in zip(starts, ends, strict=True) for end in (*pair, None)]
    path = [at for place in across for at in (place, place, None)]
    x, y = (path, along) if upright else (along, path)
    line = {"color": look[role], "width": width}
    hover = {} if "hovertemplate" in more else QUIET
    return _trace("scatter", name, None, {"mode": "lines", "x": x, "y": y, "line": line, **hover, **more})


def spans(
    values: Sequence[float], lows: Sequence[Any] | pd.Series, highs: Sequence[Any] | pd.Series, look: dict[str, Any],
    role: str, *, thickness: float = 3,
) -> dict[str, Any]:  # fmt: skip
    """Error bars from each low to its high, around the value."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if b != b else b - a for a, b in zip(values, highs, strict=True)],
        "arrayminus": [0 if b != b else a - b for a, b in zip(values, lows, strict=True)],
        "color": look[role],
        "thickness": thickness,
        "width": 0,
    }


def column(
    x: Iterable[float | str | None], y: Sequence[Any] | pd.Series, look: dict[str, Any], role: str | Sequence[str], *,
    name: str | None = None, hover: str | None = "%{text}", lying: bool = False, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Bars, vertical or (lying) horizontal. role : a role, or a colour for each"""
    marker = {"color": look[role] if isinstance(role, str) else role} | more.pop("marker", {})
    lies = {"orientation": "h"} if lying else {}
    return _trace("bar", name, hover, {**lies, "x": list(x), "y": list(y), "marker": marker, **more})


def box(
    x: pd.Series, look: dict[str, Any], role: str, *, name: str, hover: str | None = None, **more: Any
) -> dict[str, Any]:
    """A horizontal box plot of these numbers, with its dots."""
    line = {"color": look[role], **more.pop("line", {})}
    drawn = {"orientation": "h", "fillcolor": "rgba(0,0,0,0)", "name": name, "x": list(x), "line": line}
    return _trace("box", None, hover, {**drawn, **more})


def heat(
    z: Sequence[Sequence[float | None]], look: dict[str, Any], *, hover: str, title: str | None = None,
    ticks: str | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A heatmap, bright at the high end, or diverging around `zmid`."""
    font = {"size": look["text"], "color": look["dot"]}
    bar = {"thickness": 14, "tickfont": font, "outlinewidth": 0}
    bar |= {"title": {"text": title, "side": "top", "font": font}} if title else {}
    bar |= {"tickformat": ticks} if ticks else {}
    scale = {"colorscale": "Cividis", "colorbar": bar | more.pop("colorbar", {})}
    return {"type": "heatmap", "z": z, "hovertemplate": f"{hover}<extra></extra>", **scale, **more}


def outlined(look: dict[str, Any]) -> dict[str, Any]:
    """The rim that separates a dot from the bar under it."""
    return {"color": look["ground"], "width": 1}
