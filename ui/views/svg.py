"""Draw Plotly figures as SVG without a browser, with matplotlib.

Only the traces of `ui.views.traces` are supported: scatter, bar, box and heatmap. Text stays text, even if a name looks
like a formula.
"""

import html
import io
import re
import threading
import warnings

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from evalcore.vocabulary.sentences import known
from ui.text.escape import text

mpl.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "poolscope", "text.parse_math": False, "axes.formatter.use_mathtext": False,
    "font.family": "sans-serif", "axes.unicode_minus": True,
})  # fmt: skip
DRAWING = threading.Lock()  # matplotlib's settings are shared by all threads
WIDE = 900  # pixels; the figure sets the height
DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
SYMBOLS = {"circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v", "x": "X",
           "line-ns": "|", "line-ew": "_"}  # fmt: skip
CELLS = 5000  # a larger heatmap is embedded as a bitmap


def svg(figure, *, title):
    """The figure as the bytes of an SVG. figure : plain Plotly, see `ui.views.traces.figure`; title : as text"""
    with DRAWING:
        return _svg(figure, title)


def _svg(figure, title):
    title, layout, size = text(title), figure["layout"], figure["layout"]["font"]["size"]
    drawn = Figure(figsize=(WIDE / 72, (layout["height"] + 30) / 72), dpi=72, layout="constrained")
    FigureCanvasSVG(drawn)
    sides = _Sides(drawn, figure, size)
    for trace in figure["data"]:
        DRAWN[trace["type"]](sides.of(trace), trace, sides)
    sides.finish(title)
    return _bytes(drawn, title)


def _bytes(drawn, title, **more):
    into, about = io.BytesIO(), {"Title": title, "Creator": "Poolscope", "Date": None}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the viewer of the file has a font for it
        drawn.savefig(into, format="svg", metadata=about, facecolor="white", **more)
    return into.getvalue()


def plain(label):
    """A Plotly text without its HTML."""
    return html.unescape(re.sub(r"</?\w+>", "", str(label).replace("<br>", "\n")))


class _Sides:
    """The axes of a drawing: (x axis, y axis) of a trace -> matplotlib axes."""

    def __init__(self, drawn, figure, size):
        self.drawn, self.size, self.layout, self.figure = drawn, size, figure["layout"], figure
        pairs = list(dict.fromkeys(map(_pair, figure["data"])))
        own = [pair for pair in pairs if "overlaying" not in self.axis(pair[1], "y")]
        domains = [self.axis(x, "x").get("domain", [0, 1]) for x, _ in own]
        ratios = [high - low for low, high in domains]
        places = drawn.subplots(1, max(1, len(own)), squeeze=False, width_ratios=ratios or [1])[0]
        self.places = dict(zip(own, places, strict=False))
        for pair in pairs:
            if pair not in self.places:
                below = self.axis(pair[1], "y")["overlaying"]
                self.places[pair] = self.places[pair[0], below].twinx()
        self.names = {pair: (self._names(pair, 0), self._names(pair, 1)) for pair in pairs}
        self.ends, self.before, self.grouped = {}, {}, 0
        bars = [trace for trace in figure["data"] if trace["type"] == "bar"]
        self.bars = len(bars) if self.layout.get("barmode", "group") == "group" else 1

    def axis(self, name, letter):
        return self.layout.get(f"{letter}axis{name[1:]}", {})

    def of(self, trace):
        return self.places[_pair(trace)]

    def at(self, trace, letter):
        """The positions of a trace along an axis, float."""
        names, values = self.names[_pair(trace)]["xy".index(letter)], trace[letter]
        if names:
            return np.array([names.index(str(one)) if str(one) in names else np.nan for one in values], float)
        return np.array([np.nan if not known(one) else one for one in values], float)

    def _names(self, pair, side):
        """The names along an axis, in order of appearance; [] for an axis of numbers."""
        letter, traces = "xy"[side], [one for one in self.figure["data"] if _pair(one) == pair]
        if letter == "y" and any(one["type"] == "box" and "y" not in one for one in traces):
            return list(dict.fromkeys(one["name"] for one in traces))
        values = [one for trace in traces for one in trace.get(letter, ()) if one is not None]
        is_named = self.axis(pair[side], letter).get("type") == "category" or any(isinstance(v, str) for v in values)
        return list(dict.fromkeys(map(str, values))) if is_named else []

    def finish(self, title):
        """Add titles, ticks, limits, shapes and the legend, after all traces."""
        for (x, y), place in self.places.items():
            place.tick_params(length=0, labelsize=self.size)
            place.set_axisbelow(True)
            for side in place.spines.values():
                side.set_visible(False)
            for letter, name, names in zip("xy", (x, y), self.names[x, y], strict=True):
                axis = self.axis(name, letter)
                same = self.axis(axis["matches"], letter) if "matches" in axis else {}
                _settle(place, letter, same | axis, names, self.size)
        for shape in self.layout.get("shapes", ()):
            self._line(shape)
        for note in self.layout.get("annotations", ()):
            near = min(self.places, key=lambda pair: abs(self.axis(pair[0], "x").get("domain", [0])[0] - note["x"]))
            self.places[near].set_title(plain(note["text"]), fontsize=self.size, loc="left")
        known = [place.get_legend_handles_labels() for place in self.places.values()]
        handles, labels = ([one for some in known for one in some[i]] for i in (0, 1))
        heading = {"title": title, "title_fontproperties": {"weight": "bold", "size": self.size + 2}}
        columns = max(1, min(4, int(WIDE / (60 + 0.6 * self.size * max(map(len, labels), default=0)))))
        self.drawn.legend(handles, labels, loc="outside upper left", ncols=columns, frameon=False, alignment="left",
                          fontsize=self.size, **heading)  # fmt: skip

    def _line(self, shape):
        style = {"color": shape["line"]["color"], "lw": shape["line"]["width"], "ls": DASHES[shape["line"]["dash"]]}
        for (x, y), place in self.places.items():
            if shape["yref"] == f"{y} domain" and shape["xref"] == x:
                place.axvline(shape["x0"], **style)
            elif shape["xref"] == f"{x} domain" and shape["yref"] == y:
                place.axhline(shape["y0"], **style)
            elif (shape["xref"], shape["yref"]) == (x, y):
                place.plot([shape["x0"], shape["x1"]], [shape["y0"], shape["y1"]], scalex=False, scaley=False, **style)


def _pair(trace):
    return trace.get("xaxis", "x"), trace.get("yaxis", "y")


def _settle(place, letter, axis, names, size):
    """Set up an axis from its layout."""
    side, set_ends = getattr(place, f"{letter}axis"), getattr(place, f"set_{letter}lim")
    get_ends = getattr(place, f"get_{letter}lim")
    is_log = axis.get("type") == "log"
    if is_log:
        getattr(place, f"set_{letter}scale")("log")
        side.set_major_formatter(lambda value, _: f"{value:g}")
        side.set_minor_locator(NullLocator())
    if axis.get("showgrid", True):
        side.grid(color=axis.get("gridcolor", "#E4E8EC"), lw=1)
    if title := axis.get("title", {}).get("text"):
        side.set_label_text(plain(title), fontsize=size)
    font = axis.get("tickfont", {}).get("size", size)
    if "tickvals" in axis:
        labels = axis.get("ticktext", axis["tickvals"])
        side.set_ticks(list(axis["tickvals"]), [plain(label) for label in labels], fontsize=font)
    elif names:
        side.set_ticks(range(len(names)), [plain(name) for name in names], fontsize=font)
    elif form := axis.get("tickformat"):
        side.set_major_formatter(lambda value, _: _written(value, form))
    if angle := axis.get("tickangle") or next(iter(axis.get("autotickangles", ())), 0):
        side.set_tick_params(labelrotation=-angle)
    if axis.get("side") in ("top", "right"):
        getattr(side, f"tick_{axis['side']}")()
    if "range" in axis:
        set_ends(*(10.0**end if is_log else end for end in axis["range"]))
    else:
        low, high = sorted(get_ends())
        if axis.get("rangemode") == "tozero" and not is_log:
            low, high = min(low, 0), max(high, 0)
        set_ends(*((high, low) if axis.get("autorange") == "reversed" else (low, high)))


def _written(value, form):
    """A number in a d3 format: Python's formats, except for whole numbers and thousands."""
    if form.endswith("s"):
        return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
    return format(round(value) if form.endswith("d") else value, form.lstrip("~"))


def _filled(template, **values):
    """Fill in a Plotly template such as %{x:.2f}."""

    def one(found):
        value = values.get(found[1])
        return plain(value) if isinstance(value, str) else _written(value, found[2] or "") if known(value) else ""

    return plain(re.sub(r"%\{(\w+)(?::([^}]*))?\}", one, template))


def _colour(colour):
    """A matplotlib colour from a Plotly one, such as rgba(230,159,0,.16)."""
    if found := re.fullmatch(r"rgba\((.*)\)", colour):
        *rgb, alpha = (float(part) for part in found[1].split(","))
        return (*(part / 255 for part in rgb), alpha)
    return to_rgba(colour)


def _label(trace):
    return plain(trace["name"]) if trace.get("name") and trace.get("showlegend", True) else None


# ---------------------------------------------------------------------------------------------------------------------
# Traces


def _scatter(place, trace, sides):
    x, y, mode, label = sides.at(trace, "x"), sides.at(trace, "y"), trace.get("mode", "lines"), _label(trace)
    line, marker, alpha = trace.get("line", {}), trace.get("marker", {}), trace.get("opacity")
    if "lines" in mode and len(x):
        steps = {"hv": "steps-post", "vh": "steps-pre"}.get(line.get("shape"), "default")
        place.plot(x, y, color=_colour(line.get("color", "#000000")), lw=line.get("width", 2), alpha=alpha,
                   ls=DASHES[line.get("dash", "solid")], drawstyle=steps, label=label)  # fmt: skip
        if trace.get("fill") == "tonexty" and place in sides.before:
            over = {"color": _colour(trace["fillcolor"]), "lw": 0, "step": "post" if "steps" in steps else None}
            place.fill_between(x, y, np.interp(x, *sides.before[place]), **over)
        sides.before[place] = x, y
        label = None
    if "markers" in mode and len(x):
        _markers(place, x, y, marker, label, alpha)
    for letter, ends in (("x", trace.get("error_x")), ("y", trace.get("error_y"))):
        if ends and len(x):
            some = np.nan_to_num([ends["arrayminus"], ends["array"]])
            thick = {"elinewidth": ends["thickness"], "ecolor": ends["color"], "zorder": 1.5}
            place.errorbar(x, y, **{f"{letter}err": some}, fmt="none", **thick)
    if "text" in mode:
        colours = trace.get("textfont", {}).get("color", "#000000")
        colours = [colours] * len(x) if isinstance(colours, str) else colours
        where = trace.get("textposition", "")
        beside = {"va": "bottom"} if where.startswith("top") else {"va": "center"}
        beside |= {"ha": "left", "xytext": (6, 0)} if "right" in where else {"ha": "center", "xytext": (0, 0)}
        for *one, said, colour in zip(x, y, trace["text"], colours, strict=True):
            place.annotate(plain(said), one, textcoords="offset points", fontsize=sides.size, color=colour, **beside)


def _markers(place, x, y, marker, label, alpha):
    def each(value):
        return list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value] * len(x)

    symbols, sizes, colours = (each(marker.get(name, usual)) for name, usual in
                               (("symbol", "circle"), ("size", 6), ("color", "#000000")))  # fmt: skip
    rim = marker.get("line", {})
    for symbol in dict.fromkeys(symbols):
        of = [i for i, one in enumerate(symbols) if one == symbol]
        shown, is_open = [_colour(colours[i]) for i in of], symbol.endswith("-open")
        edges = shown if is_open or "color" not in rim else _colour(rim["color"])
        shape = SYMBOLS.get(symbol.removesuffix("-open"), "o")
        place.scatter(x[of], y[of], s=[sizes[i] ** 2 for i in of], marker=shape, alpha=alpha, label=label, zorder=3,
                      facecolors="none" if is_open else shown, edgecolors=None if shape in "|_" else edges,
                      linewidths=max(1, rim.get("width", 1)))  # fmt: skip
        label = None


def _bar(place, trace, sides):
    if not len(trace["x"]):
        return
    lies = trace.get("orientation") == "h"
    along, across = (sides.at(trace, letter) for letter in ("xy" if lies else "yx"))
    along, width = np.nan_to_num(along), trace.get("width", 0.8 / sides.bars)
    stacked = sides.layout.get("barmode") == "stack"
    start = sides.ends.setdefault(place, {})
    base = np.array([start.get(one, 0.0) for one in across]) if stacked else np.zeros(len(across))
    if stacked:
        start.update(zip(across, base + along, strict=True))
    colour = trace["marker"]["color"]
    colours = [_colour(one) for one in colour] if isinstance(colour, list) else _colour(colour)
    at = across + (sides.grouped - (sides.bars - 1) / 2) * 0.8 / sides.bars
    sides.grouped += sides.bars > 1
    draw, thick = (place.barh, "height") if lies else (place.bar, "width")
    drawn = draw(at, along, **{thick: width, "left" if lies else "bottom": base}, color=colours, label=_label(trace),
                 alpha=trace.get("opacity"))  # fmt: skip
    if trace.get("texttemplate") and trace.get("textposition") == "outside":
        pair = ("x", "y") if lies else ("y", "x")
        said = [_filled(trace["texttemplate"], **dict(zip(pair, one, strict=True)))
                for one in zip(trace[pair[0]], across, strict=True)]  # fmt: skip
        place.bar_label(drawn, said, padding=3, fontsize=sides.size)


def _box(place, trace, sides):
    values = [one for one in trace["x"] if known(one)]
    if not values:
        return
    at = sides.at(trace, "y")[0] if "y" in trace else sides.names[_pair(trace)][1].index(trace["name"])
    colour = {"color": _colour(trace["line"]["color"])}
    styles = {f"{part}props": colour for part in ("box", "whisker", "cap", "median")}
    place.boxplot([values], positions=[at], orientation="horizontal", widths=0.5, showfliers=False, manage_ticks=False,
                  **styles)  # fmt: skip
    if trace.get("boxpoints") == "all":
        place.scatter(values, [at + 0.38] * len(values), s=9, **colour)


def _heat(place, trace, sides):
    z = np.array([[np.nan if not known(one) else one for one in row] for row in trace["z"]], float)
    x, y = (
        sides.at(trace, letter) if letter in trace else np.arange(z.shape[side], dtype=float)
        for letter, side in (("x", 1), ("y", 0))
    )
    scale = trace["colorscale"]
    if isinstance(scale, str):
        colours = mpl.colormaps[{"Cividis": "cividis"}.get(scale, scale)]
    else:
        colours = LinearSegmentedColormap.from_list("given", [(at, _colour(one)) for at, one in scale])
    colours = colours.reversed() if trace.get("reversescale") else colours
    ends = {"vmin": trace.get("zmin"), "vmax": trace.get("zmax")}
    field = place.pcolormesh(_edges(x), _edges(y), z, cmap=colours, rasterized=z.size > CELLS, **ends)
    bar = trace.get("colorbar", {})
    if trace.get("showscale", True):
        drawn = sides.drawn.colorbar(field, ax=place, shrink=bar.get("len", 1), aspect=30)
        drawn.outline.set_visible(False)
        drawn.ax.tick_params(length=0, labelsize=sides.size)
        if "tickvals" in bar:
            drawn.set_ticks(bar["tickvals"], labels=[plain(label) for label in bar["ticktext"]])
        elif form := bar.get("tickformat"):
            drawn.ax.yaxis.set_major_formatter(lambda value, _: _written(value, form))
        drawn.ax.set_title(plain(bar.get("title", {}).get("text", "")), fontsize=sides.size)


def _edges(centres):
    """The edges of cells with these centres."""
    if len(centres) < 2:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    middle = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


DRAWN = {"scatter": _scatter, "bar": _bar, "box": _box, "heatmap": _heat}
