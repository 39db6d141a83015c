"""Charts that several questions share: from a table to a plain Plotly figure.

`look` is `theme.look()`; every text from a file passes `escape.plotly`.
"""

import re
from collections.abc import Callable, Sequence
from itertools import cycle
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from plotly.colors import sample_colorscale

from evalcore.vocabulary.sentences import known
from ui.text import in_words, interval_labels
from ui.text.escape import labels, plotly
from ui.views.traces import (
    LEGEND,
    MARGIN,
    NAMES_UP_TO,
    QUIET,
    SERIES,
    WIDTH_OF_NAME,
    axis,
    column,
    curve,
    dot_size,
    every_tenth,
    few_of,
    few_rows_axis,
    figure,
    heat,
    joined,
    log_axis,
    number,
    outlined,
    pinned_at,
    points,
    row_thickness,
    rows_axis,
    rows_height,
    rows_legend,
    size_of_names,
    upright,
    with_marks,
)


def intervals(
    table: pd.DataFrame, look: dict[str, Any], *, label: str, measure: str, dot: str | None = None,
    focus: str | None = None, truth: dict[str, Any] | None = None, spoken_of: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """A row for each `label`: the known part of its score, the two possible parts, and a dot at the value. Without
    bounds, only the dot. A stroke marks the score with the complete judgments; without these and without bounds, that
    with all judgments.

    table : columns `label`, value, lower, upper, upper_listed, kind, and optionally value_final; first row on top
    measure : title of the axis; dot : what a dot shows, if not just the metric; focus : a name
    truth : see `strokes`; spoken_of : names in the finding, whose rows are always shown and named
    """
    everyone = list(table[label])
    in_focus = everyone.index(focus) if focus in everyone else None
    focus_rows = [
        everyone.index(name) for name in dict.fromkeys([focus, *spoken_of, *look["pinned"]]) if name in everyone
    ]
    at = few_of(len(everyone), look["rows"] if label == "system" else None, *focus_rows)
    table = table.iloc[at]
    names, kind = list(table[label]), next(iter(table["kind"]), "")
    values, places, size = list(table["value"]), list(range(1, len(names) + 1)), dot_size(len(names))
    bounded, final = interval_labels.is_drawn(kind), table.get("value_final")
    if truth:
        final = table[label].astype(str).map(truth["at"])
    by = truth["name"] if truth else interval_labels.ALL_JUDGMENTS
    in_the_end = _final_in_words(values, None if bounded and not truth else final, by)
    ends = _bounds_in_words(table) if bounded else [""] * len(values)
    text = [
        f"<b>{plotly(name)}</b><br>{measure} {number(value)}{low_high}{more}"
        for name, value, low_high, more in zip(names, values, ends, in_the_end, strict=True)
    ]
    rows: dict[str, Any] = {"customdata": [str(name) for name in names], "text": text}
    silent = {"hover": None, **QUIET}  # the dot has the hover text of its whole row
    as_bright: dict[str, Any] = {"unselected": {"marker": {"opacity": 1}}}
    data = _bars(table, look, places, as_bright | silent, rows) if bounded else []
    if not bounded and final is not None and has_moved(table, final):
        data.append(joined(values, final, places, look, "quiet", width=2, name=interval_labels.TO_COME))
        bar = {"color": look["quiet"], "width": 2.5}
        if not truth:
            mark: dict[str, Any] = {"symbol": "line-ns", "size": size, "line": bar, **silent}
            data.append(points(final, places, look, "quiet", name=by, **mark, **as_bright, **rows))
    solid: dict[str, Any] = {"line": outlined(look), **as_bright}
    named = f"score · {dot}" if dot and dot != measure else "score"
    data.append(points(values, places, look, "dot", name=named, size=size, **solid, **rows))
    data += strokes(names, places, look, truth, rows=rows | silent, **as_bright) if truth else []
    for i in [i for i, name in enumerate(names) if name == focus]:
        row: dict[str, Any] = {key: [some[i]] for key, some in rows.items()} | silent
        focus_rows = f"{labels(everyone, WIDTH_OF_NAME)[in_focus]}, chosen"  # type: ignore[index]
        larger = min(13, row_thickness(len(names)) + 4)
        data.append(points([values[i]], [places[i]], look, "focus", name=focus_rows, size=larger, **solid, **row))
    along = axis(look, in_words.axis(measure, narrow=not look["presented"]), rangemode="tozero", side="bottom")
    rows_said = [at.index(everyone.index(name)) + 1 for name in spoken_of if name in everyone]
    down = rows_axis(look, names, of=len(everyone), spoken_of=rows_said, at=at)
    return figure(
        data, look, rows_height(len(names), look), along, down, barmode="overlay", hovermode="y", **rows_legend(look)
    )


UNMOVED = 1e-9


def has_moved(table: pd.DataFrame, final: pd.Series | None = None) -> bool:
    """Whether any score differs from its final one, by default that with all judgments."""
    final = table["value_final"] if final is None else final
    return bool((abs(final - table["value"]) > UNMOVED).any())


def strokes(
    names: Sequence[Any] | pd.Series, places: Sequence[Any] | pd.Series, look: dict[str, Any],
    truth: dict[str, Any], *, rows: dict[str, Any] | None = None, lying: bool = False, tall: int | None = None,
    **more: Any,
) -> list[dict[str, Any]]:  # fmt: skip
    """A vertical stroke with a rim on each row, at its score in `truth`.

    truth : {"name": in the legend, "at": name -> score}; rows : hover texts, as of the dots
    lying : horizontal strokes, for scores on the y axis; tall : length in pixels, None = that of a row
    """
    at, tall = [truth["at"].get(str(name)) for name in names], tall or row_thickness(len(names)) / 1.4 + 2
    rim, bar = ({"color": look[role], "width": width} for role, width in (("ground", 6), ("dot", 3)))
    (x, y), more = (places, at) if lying else (at, places), more | {"symbol": "line-ew" if lying else "line-ns"}
    under = points(x, y, look, "ground", hover=None, size=tall + 1, line=rim, **QUIET, **more)
    over = {"hover": None, **QUIET} if rows is None else rows
    return [under, points(x, y, look, "dot", name=truth["name"], size=tall, line=bar, **over, **more)]


def _bars(table, look, places, shown, rows):
    """Bars of the known and the two possible parts; the longest is drawn first, the others on top."""
    past = (table["upper"] - table["upper_listed"] > UNMOVED).any()
    ends = (
        (interval_labels.PAST_THE_END, "upper", "beyond", 3, 0.3),
        (interval_labels.UNJUDGED, "upper_listed" if past else "upper", "possible", 2, 0.62),
        ("known", "lower", "known", 1, 0.62),
    )
    return [
        column(list(table[end]), places, look, role, name=name, lying=True, width=width, textposition="none",
               legendrank=rank, **shown, **rows)
        for name, end, role, rank, width in ends[0 if past else 1 :]
    ]  # fmt: skip


def _bounds_in_words(table):
    ends = zip(table["lower"], table["upper"], table["upper"] - table["upper_listed"], strict=True)
    longer = f"of it {interval_labels.PAST_THE_END}"
    return [
        f"<br>{number(low)} to {number(high)}" + (f"<br>{number(past)} {longer}" if past >= 0.00005 else "")
        for low, high, past in ends
    ]


def _final_in_words(values, final, by):
    return [f"<br>{number(value)} {by}" for value in final] if final is not None else [""] * len(values)


def dots(
    rows: pd.DataFrame, names: Sequence[str], look: dict[str, Any], title: str,
    series: Sequence[tuple[str, str, str, str]], hover: Callable[[Any], str], **along: Any,
) -> dict[str, Any]:  # fmt: skip
    """A row for each of these, with a dot for each series: (column, name, role, symbol). along : of the axis"""
    everything = rows.reset_index(drop=True)
    at = few_of(len(everything), look["rows"], *pinned_at(look, names))
    some, places = everything.iloc[at], list(range(1, len(at) + 1))
    text = [hover(row) for row in some.itertuples()]
    data = [
        points(some[column], places, look, role, name=name, symbol=symbol, size=dot_size(len(at)), text=text,
               line=outlined(look))
        for column, name, role, symbol in series
    ]  # fmt: skip
    down = rows_axis(look, [names[place] for place in at], of=len(everything), at=at)
    across = axis(look, title, rangemode="tozero", **along)
    return figure(data, look, rows_height(len(at), look), across, down, **rows_legend(look))


def lines(
    table: pd.DataFrame, look: dict[str, Any], *, x: str, y: str, series: str, titles: Sequence[str],
    ticks: str = ".3f", mark: int | None = None, height: int = 380, xaxis: dict[str, Any] | None = None,
    yaxis: dict[str, Any] | None = None, thin: tuple[str, pd.DataFrame] | None = None,
    words: Callable[[Any], str] = str, drawn: Sequence[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A line for each `series`, y over x. titles : of the two axes; ticks : d3 format of y; mark : an x in focus
    words : a function of a series' name that says what the legend calls it
    thin : (name, table) of thin lines of the same series, to compare with
    drawn : series that are drawn at once, each named at its end; a click in the legend draws the others. None = all"""
    names, (other, thin_rows) = list(dict.fromkeys(table[series])), thin or ("", table.iloc[:0])
    data, named = [], []
    for name, (role, dash, symbol) in zip(names, cycle(SERIES), strict=False):
        rows, compared = (of[of[series] == name] for of in (table, thin_rows))
        hover = f"<b>{plotly(name)}</b><br>{titles[0]} %{{x:,}}: %{{y:{ticks}}}"
        line = curve(rows[x], rows[y], look, role, name=plotly(words(name)), hover=hover, dash=dash, symbol=symbol)
        if drawn is not None:
            line |= {"showlegend": False} if name in drawn else {"visible": "legendonly"}
        named += [line] if name in (drawn or ()) and len(rows) else []
        data.append(line)
        if len(compared):
            line["legendgroup"] = plotly(name)  # one click for both
            thin_line = curve(compared[x], compared[y], look, role, hover=f"{hover} ({other})", width=1, dash=dash)
            data.append({**line, **thin_line, "showlegend": False})
    if thin:
        data.append(curve([None], [None], look, "quiet", name=f"thin: {other}", width=1))
    across = xaxis or log_axis(look, titles[0], sorted({*table[x], *thin_rows[x]}))
    up = yaxis or axis(look, titles[1], rangemode="tozero", tickformat=ticks)
    more: dict[str, Any] = {"shapes": [] if mark is None else [upright(mark, look)]}
    if drawn is not None:
        more |= _named_at_ends(named, look, height, up.get("rangemode") == "tozero")
        more["legend"] = {
            **LEGEND,
            "font": {"size": look["text"]},
            "title": {"text": "click to add: ", "font": {"size": look["text"]}},
        }
    return figure(data, look, height, across, up, **more)


END = 16  # letters of a line of a name at the end of a curve


def _named_at_ends(curves, look, height, from_zero):
    """The names of curves to the right of the last points, moved apart where they would touch."""
    ends = sorted(
        ((curve["y"][-1], "<br>".join(wrap(curve["name"], END)), curve["line"]["color"]) for curve in curves),
        key=lambda end: -end[0],
    )
    values = [value for curve in curves for value in curve["y"] if known(value)]
    low, high = (min([0, *values] if from_zero else values, default=0), max(values, default=1))
    letter = 1.7 * look["text"] * ((high - low) or 1) / max(height - 110, 1)  # in units of the y axis
    places: list[float] = []
    for i, (value, text, _) in enumerate(ends):
        tall = letter * (text.count("<br>") + 1)
        above = ends[i - 1][1].count("<br>") + 1 if i else 0
        highest = places[-1] - (tall + letter * above) / 2 if i else high
        places.append(min(value if known(value) else low, highest))
    if places and (under := low - places[-1]) > 0:  # the lowest stay inside
        places = [place + under for place in places]
    side = {"xref": "paper", "x": 1.01, "xanchor": "left", "yref": "y", "yanchor": "middle", "align": "left"}
    notes = [
        {**side, "y": place, "text": text, "showarrow": False, "font": {"size": look["text"], "color": colour}}
        for place, (_, text, colour) in zip(places, ends, strict=True)
    ]
    return {"annotations": notes, "margin": {**MARGIN, "r": round(0.58 * look["text"] * END)}}


def bars(
    names: Sequence[str], values: Sequence[float | None], look: dict[str, Any], *, title: str, ticks: str = ".2f",
    focus: str | None = None, truth: dict[str, Any] | None = None, of_systems: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """A horizontal bar for each name, the first on top, one in focus.

    truth : see `strokes`; of_systems : whether the names are those of systems, of which pinned ones are outlined"""
    marked = [truth["at"].get(name) for name in names] if truth else []
    ends, places = [0, *filter(known, [*values, *marked])], list(range(len(names)))
    trace = column(
        values, places, look, [look["focus"] if name == focus else look["known"] for name in names], lying=True,
        hover=f"%{{text}}: %{{x:{ticks}}}", text=[plotly(name) for name in names], texttemplate=f"%{{x:{ticks}}}",
        textposition="none" if truth else "outside", constraintext="none", textfont={"color": look["dot"]},
        cliponaxis=False,
    )  # fmt: skip
    along = axis(look, title, tickformat=ticks, nticks=4, range=[1.25 * min(ends), 1.25 * max(ends) or 1])
    rows = few_rows_axis(look, labels(names, WIDTH_OF_NAME), pinned_at(look, names) if of_systems else None)
    over = _bars_marked(names, values, marked, look, truth, ticks) if truth else []
    return figure([trace, *over], look, 100 + 30 * len(names), along, rows)


def _bars_marked(names, values, marked, look, truth, ticks):
    """The strokes on bars, and the numbers to the right of both."""
    texts = [f"{plotly(name)}: {number(value)} {truth['name']}" for name, value in zip(names, marked, strict=True)]
    numbers = numbers_past([f"{value:{ticks}}" if known(value) else "" for value in values], values, marked, look)
    return [*strokes(names, range(len(names)), look, truth, rows={"text": texts}), numbers]


ASIDE = "\u00a0\u00a0\u00a0"  # a browser drops blanks at the beginning


def numbers_past(
    texts: Sequence[str], ends: Sequence[float | None], marked: Sequence[float | None], look: dict[str, Any]
) -> dict[str, Any]:
    """A text on each row, to the right of its bar and its mark."""
    past = [max(filter(known, pair), default=None) for pair in zip(ends, marked, strict=True)]
    shown: dict[str, Any] = {
        "mode": "text",
        "text": [f"{ASIDE}{text}" for text in texts],
        "textposition": "middle right",
    }
    shown |= {"textfont": {"color": look["dot"]}, "cliponaxis": False}
    return points(past, range(len(past)), look, "dot", hover=None, **shown, **QUIET)


MOST_WITH_NUMBERS = 14  # all judgments and every estimator are 13


LEADING_ZERO = re.compile(r"(?<!\d)0\.")


def square(
    names: Sequence[str], values: Sequence[Sequence[float | None]], look: dict[str, Any], *, title: str,
    ticks: str = ".2f", nearer_is_less: bool = False, axes: tuple[str | None, str | None] = (None, None),
    of_systems: bool = False, darkest: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A heatmap of names by names, bright where they agree.

    values : rows of numbers, diverging around 0 if any is negative; nearer_is_less : they are distances
    darkest : at which the scale begins, None or a smaller value = at the smallest
    axes : titles of the x axis and the y axis; of_systems : whether the names are those of systems, see `bars`
    """
    pinned = pinned_at(look, names) if of_systems else {}
    shown, places = with_marks(_in_lines(names), pinned), list(range(len(names)))
    known_values = [value for row in values for value in row if known(value)] or [0]
    low, high = min(known_values), max(known_values)
    low = low if darkest is None or low == high else min(low, darkest)
    ends = {"zmin": low if low < high else 0, "zmax": high or 1, "reversescale": nearer_is_less}  # a scale needs two
    signed = {"colorscale": "PuOr", "zmin": -1, "zmax": 1, "zmid": 0}
    sides = {"tickvals": places, "ticktext": shown, "showgrid": False} | ({"pinned": pinned} if pinned else {})
    field = heat(
        values, look, hover=f"%{{text}}<br>{title} %{{z:{ticks}}}", title="<br>".join(wrap(title, 12)),
        x=places, y=places, xgap=1, ygap=1,
        text=[[f"{plotly(a)}<br>{plotly(b)}" for b in names] for a in names], **(signed if low < 0 else ends),
    )  # fmt: skip
    texts = [[LEADING_ZERO.sub(".", f"{value:{ticks}}") if known(value) else "" for value in row] for row in values]
    data = [field, _numbers(field, look, texts)] if len(names) <= MOST_WITH_NUMBERS else [field]
    across = axis(look, axes[0], autotickangles=[-25, -60, -90], **sides)
    down = axis(look, axes[1], autorange="reversed", **sides)
    return figure(data, look, max(300, min(620, 160 + 34 * len(names))), across, down)


def grid(
    columns: Sequence[str], rows: Sequence[str], values: Sequence[Sequence[float]], beside: Sequence[Sequence[float]],
    look: dict[str, Any], *, title: str,
) -> dict[str, Any]:  # fmt: skip
    """A heatmap of columns by rows with two percentages in each cell; the colour is that of the first.

    values, beside : shares, one list for each row, NaN for none; title : of both
    """
    across, down = list(range(len(columns))), list(range(len(rows)))
    texts = [
        [f"{100 * a:.1f} / {100 * b:.1f}" for a, b in zip(*pair, strict=True)]
        for pair in zip(values, beside, strict=True)
    ]
    hover = [
        [f"{plotly(name)}<br>{plotly(row)}<br>{title}: {text}" for name, text in zip(columns, cells, strict=True)]
        for row, cells in zip(rows, texts, strict=True)
    ]
    field = heat(
        values, look, hover="%{text}", x=across, y=down, xgap=1, ygap=1, text=hover, showscale=False,
        zmin=0, zmax=max([value for row in values for value in row if known(value)], default=0) or 1,
    )  # fmt: skip
    x = axis(look, title, tickvals=across, ticktext=labels(columns, WIDTH_OF_NAME), showgrid=False)
    y = axis(look, tickvals=down, ticktext=labels(rows, WIDTH_OF_NAME), showgrid=False, autorange="reversed")
    return figure([field, _numbers(field, look, texts)], look, 160 + 34 * len(rows), x, y)


def _in_lines(names):
    """Names for an axis. The name of a setup breaks between its parts and is never cut."""
    return [
        "<br>".join(map(plotly, _packed(name.split(" | ")))) if " | " in name else label
        for name, label in zip(names, labels(names, WIDTH_OF_NAME), strict=True)
    ]


def _packed(parts):
    """The parts of a setup's name in lines of at most `WIDTH_OF_NAME` characters, where a part is not longer."""
    lines = [parts[0]]
    for part in parts[1:]:
        joined_line = f"{lines[-1]} | {part}"
        if len(joined_line) <= WIDTH_OF_NAME:
            lines[-1] = joined_line
        else:
            lines[-1] += " |"
            lines.append(part)
    return lines


def _numbers(field, look, texts):
    """The numbers on the cells of a heatmap, each in black or white, whichever has more contrast."""
    filled = [(x, y, z, text) for y, row, words in zip(field["y"], field["z"], texts, strict=True)
             for x, z, text in zip(field["x"], row, words, strict=True) if known(z)]  # fmt: skip
    low, high = field["zmin"], field["zmax"]
    along = [min(1, max(0, (z - low) / (high - low))) for _, _, z, _ in filled]
    if field.get("reversescale"):
        along = [1 - value for value in along]
    cells = sample_colorscale(field["colorscale"], along, colortype="tuple") if filled else []
    few = len(field["x"]) <= MOST_WITH_NUMBERS - 2
    font = {"size": look["text"] * (1 if few else 0.8), "color": [readable_on(cell) for cell in cells]}
    x, y, _, written = zip(*filled, strict=True) if filled else ((), (), (), ())
    return points(
        x, y, look, "dot", hover=None, textfont=font, mode="text", text=list(written), textposition="middle center",
        **QUIET,
    )  # fmt: skip


WHITE = "#FEFEFE"  # not the ground's own white, which a page in the dark exchanges


def readable_on(colour: Sequence[float]) -> str:
    """Black or white, whichever has the higher contrast (at least 4.58, by WCAG 2.2) on a colour of three parts from 0
    to 1."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else WHITE


FEW_SYSTEMS = 200  # hover shows the numbers of a pair; with more systems, a cell is smaller than a pixel


def pair_squares(
    pairs: pd.DataFrame, order: Sequence[str], look: dict[str, Any], *, state: Sequence[int],
    states: Sequence[tuple[str, str]], p: str, in_words: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """A grid of systems by systems, in this order, each pair in one of a few states. Hover shows the difference and p
    of a pair; for many systems, only the names.

    pairs : rows with a, b, difference and a column p; state : number of the state of each pair
    states : (name, role) of each; in_words : whether hover shows the name of the state
    """
    many, place = len(order) > FEW_SYSTEMS, {name: i for i, name in enumerate(order)}
    across, down = ([place[name] for name in pairs[side]] for side in ("a", "b"))
    cells = np.full((len(order), len(order)), None)
    cells[across, down] = cells[down, across] = state
    steps = [[end / len(states), look[role]] for i, (_, role) in enumerate(states) for end in (i, i + 1)]
    shown: dict[str, Any] = {"colorscale": steps, "zmin": -0.5, "zmax": len(states) - 0.5, "showscale": False}
    sides = {"showgrid": False, "constrain": "domain"}
    if many:
        places = [f"{n}  {plotly(name)}" for n, name in enumerate(order, 1)]
        tens = range(0, len(order), 10 ** (len(str(len(order) - 1)) - 1))
        sides |= {"type": "category", "tickvals": list(tens), "ticktext": [str(i + 1) for i in tens]}
        hover: dict[str, Any] = {"hover": "%{y}<br>%{x}"}
        ends = [-0.5, len(order) - 0.5]
    else:
        places, ends = list(range(1, len(order) + 1)), [0.5, len(order) + 0.5]
        sides |= {"dtick": 1} if len(order) <= 12 else {}
        words = [f": {name}" if in_words else "" for name, _ in states]
        texts = np.full(cells.shape, "", object)
        texts[across, down] = texts[down, across] = _said_of_pairs(pairs, p, [words[index] for index in state])
        hover = {"hover": "%{text}", "text": texts.tolist()}
    gap = 1 if len(order) <= 60 else 0
    field = heat(cells.tolist(), look, x=places, y=places, xgap=gap, ygap=gap, **hover, **shown)
    pinned = {at if many else at + 1: mark for at, mark in pinned_at(look, order).items()}
    sides |= {"pinned": list(pinned)} if pinned else {}
    at_end = {"x": 1, "xref": "x domain", "xanchor": "left", "yref": "y", "showarrow": False}
    notes = [{**at_end, "y": at, "text": mark, "font": {"color": look["pin"]}} for at, mark in pinned.items()]
    x, y = (axis(look, "system by rank", range=side, **sides) for side in (ends, ends[::-1]))
    rim = {"color": look["quiet"], "width": 1}
    named = [  # above the grid, which then has the whole width of a phone
        points([None], [None], look, role, name=name, hover=None, symbol="square", size=13, line=rim, **QUIET)
        for name, role in states
    ]
    tall, y = max(340, min(620, 150 + 10 * len(order))), {**y, "scaleanchor": "x"}
    return figure([field, *named], look, tall, x, y, annotations=notes)


def _said_of_pairs(pairs, p, words):
    """The hover text of each pair."""
    rows = zip(pairs["a"], pairs["b"], pairs["difference"], pairs[p], words, strict=True)
    return [
        f"{plotly(a)} − {plotly(b)}: {difference:.4f}<br>p {chance:.3g}{word}"
        for a, b, difference, chance, word in rows
    ]


SLOPES_TALL = 500  # pixels for lines that have no room for their names


def slopes(
    left: dict[str, int], right: dict[str, float], look: dict[str, Any], *, names: Sequence[str],
    spoken_of: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Two orderings side by side, with a line for each system; lines that cross are swapped pairs.

    left, right : system -> rank, None or NaN if missing; names : of the two orderings
    spoken_of : systems that the finding names
    If space is limited: these, the first of the left ordering and those that move farthest, without gaps.
    """
    spoken_of = [*spoken_of, *look["pinned"]]
    every = {name: (left.get(name), right.get(name)) for name in {**left, **right}}
    places = _some_that_move(every, look["rows"], spoken_of)
    heights = [_in_order(places, side) if len(places) < len(every) else {} for side in (0, 1)]
    moves = {"same": ([], [], []), "up": ([], [], []), "down": ([], [], [])}
    for name, (a, b) in places.items():
        if known(a) and known(b):
            x, y, text = moves["same" if a == b else "up" if b < a else "down"]
            x += (0, 1, None)
            y += (heights[0].get(a, a), heights[1].get(b, b), None)
            text += [f"{plotly(name)}: rank {a:g}, then {b:g}"] * 2 + [None]
    styles = (("same rank", "quiet", "solid"), ("rises", "good", "solid"), ("falls", "focus", "dash"))
    data = [
        curve(x, y, look, role, name=label, hover="%{text}", text=text, width=2, dash=dash, symbol="circle", size=6)
        for (x, y, text), (label, role, dash) in zip(moves.values(), styles, strict=True)
    ]
    pins = {list(places)[at]: mark for at, mark in pinned_at(look, places).items()}
    if pins:  # below their lines
        left_ends, right_ends = ([at.get(places[name][side], places[name][side]) for name in pins]
                                 for side, at in enumerate(heights))  # fmt: skip
        outline = [end for ends in zip(left_ends, right_ends, strict=True) for end in (*ends, None)]
        data.insert(0, curve([0, 1, None] * len(pins), outline, look, "pin", width=7, showlegend=False, **QUIET))
    ends = [plotly(name, 44) for name in names]
    height = rows_height(len(places), look) if len(places) <= NAMES_UP_TO else SLOPES_TALL
    sides = [_at_places({name: of[side] for name, of in places.items()}, pins) for side in (0, 1)]
    sides = [{at.get(rank, rank): f"{rank:g}  {who}" if at else who for rank, who in side.items()}
             for side, at in zip(sides, heights, strict=True)]  # fmt: skip
    if len(places) > NAMES_UP_TO:
        theirs = [[places[name][side] for name in spoken_of if name in places] for side in (0, 1)]
        sides = [every_tenth(side, marked) for side, marked in zip(sides, theirs, strict=True)]
    size = size_of_names(max(map(len, sides)), look)
    shared: dict[str, Any] = {"tickfont": {"size": size, "color": look["dot"]}, "showgrid": False}
    left_axis, right_axis = (axis(look, tickvals=list(side), ticktext=list(side.values()), **shared) for side in sides)
    if len(places) < len(every):
        left_axis |= {"title": {"text": f"{len(places)} of {len(every)} systems", "font": {"size": look["text"]}}}
    ends_of_rows = [len(places) + 0.7, min(0.3, 1 - 0.02 * len(places))]  # the first name is below the headings
    data.append({"type": "scatter", "x": [None], "y": [None], "yaxis": "y2", "showlegend": False, "hoverinfo": "skip"})
    across = axis(
        look, tickvals=[0, 1], ticktext=ends, range=[-0.02, 1.02], showgrid=False, side="top", fixedrange=True
    )
    return figure(
        data, look, height, across, {**left_axis, "range": ends_of_rows}, margin={**MARGIN, "t": 40},
        yaxis2={**right_axis, "matches": "y", "overlaying": "y", "side": "right"},
        legend={**LEGEND, "y": -0.08, "yanchor": "top", "font": {"size": look["text"]}},
    )  # fmt: skip


def _some_that_move(places, most, spoken_of=()):
    """The systems to show: the first by the left rank, those in `spoken_of`, and those that move farthest.

    places : name -> (left, right); most : None = all
    """
    shared = [name for name, (a, b) in places.items() if known(a) and known(b)]
    if most is None or len(places) <= most:
        return places
    first = sorted(shared, key=lambda name: places[name][0])[: most // 2]
    rest = sorted((name for name in shared if name not in first), key=lambda name: places[name][0])
    farthest = sorted(rest, key=lambda name: (name not in spoken_of, -abs(places[name][0] - places[name][1])))
    far = farthest[: most - len(first)]
    return {name: places[name] for name in [*first, *(name for name in rest if name in far)]}


def _in_order(places, side):
    """rank -> its position among the ranks of one side, from 1."""
    return {place: n for n, place in enumerate(sorted({of[side] for of in places.values()}), 1)}


def _at_places(places, pins):
    """rank -> label of the systems with this rank.

    places : name -> rank, None or NaN if missing; pins : name -> mark
    """
    at_place = {}
    for name, place in places.items():
        if known(place):
            at_place.setdefault(place, []).append(name)
    shown = dict(zip(places, labels(list(places), WIDTH_OF_NAME), strict=True))
    marked = {name: f"{pins[name]} {label}" if name in pins else label for name, label in shown.items()}
    first = {place: min(some, key=lambda name: name not in pins) for place, some in at_place.items()}
    more = {place: f" +{len(some) - 1}" if some[1:] else "" for place, some in at_place.items()}
    return {place: marked[first[place]] + more[place] for place in at_place}
