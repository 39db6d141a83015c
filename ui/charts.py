"""Pictures: a tidy table goes in, a plain Plotly figure comes out as a dict, made of places and no arithmetic.

`look` is theme.look(). Every text from a file passes `plotly()`, which makes it harmless. Heights are fixed.
"""

from ui import theme
from ui.safe import plotly

ROWS_TALL = 720  # pixels that hold all rows, however many there are
NAMES_UP_TO = 52  # rows that still have room for a name each
WIDTH_OF_NAME = 24  # characters
LEGEND = {"orientation": "h", "traceorder": "normal", "x": 0, "y": 1, "yanchor": "bottom"}
MARGIN = {"l": 8, "r": 16, "t": 36, "b": 44}


def layout(look, *, height, **more):
    """What every picture shares."""
    return {
        "height": height,
        "margin": MARGIN,
        "font": {"size": look["text"]},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "font": {"size": look["text"]}},
        "legend": {**LEGEND, "font": {"size": look["text"]}},
        "dragmode": "pan",
        **more,
    }


def axis(look, title=None, **more):
    """A number axis with a quiet grid."""
    heading = {"title": {"text": title, "font": {"size": look["text"], "color": look["dot"]}}} if title else {}
    return {
        "gridcolor": look["grid"],
        "zeroline": False,
        "tickfont": {"size": look["text"], "color": look["dot"]},
        "automargin": True,
        **heading,
        **more,
    }


def row_ticks(look, names):
    """The axis of rows: every name while there is room, else every tenth place."""
    places = list(range(1, len(names) + 1))
    if len(names) <= NAMES_UP_TO:
        shown, texts = places, [plotly(name, WIDTH_OF_NAME) for name in names]
    else:
        shown = [1, *range(10, len(names) + 1, 10)]
        texts = [str(place) for place in shown]
    size = min(look["text"], max(9, ROWS_TALL // (len(names) or 1) - 2))
    return axis(
        look,
        tickvals=shown,
        ticktext=texts,
        tickfont={"size": size, "color": look["dot"]},
        range=[len(names) + 0.7, 0.3],
        showgrid=False,
        fixedrange=True,
    )


def row_height(n):
    """Pixels for the bar of one row."""
    return max(2, min(14, 0.62 * (ROWS_TALL - 80) / max(n, 1)))


def intervals(table, *, look, label, measure, dot=None, focus=None):
    """A bar from the lowest to the highest possible score and a dot at the value, a row for each `label`.

    table : columns `label`, value, lower, upper, kind; rows in the order of the picture, first on top
    measure : named on the axis; dot : what a dot shows, if that is not the measure alone
    """
    names, kinds = list(table[label]), list(dict.fromkeys(table["kind"]))
    values, lowers, uppers = list(table["value"]), list(table["lower"]), list(table["upper"])
    places = list(range(1, len(names) + 1))
    thick = row_height(len(names))
    hover = [
        f"<b>{plotly(name)}</b><br>{measure} {number(value)}<br>{number(low)} to {number(high)}"
        for name, value, low, high in zip(names, values, lowers, uppers, strict=True)
    ]
    rows = {
        "y": places,
        "customdata": [str(name) for name in names],
        "text": hover,
        "hovertemplate": "%{text}<extra></extra>",
    }
    bars = [] if kinds == ["point"] else interval_bars(rows, lowers, uppers, look, kinds)
    dots = {
        **rows,
        "type": "scatter",
        "mode": "markers",
        "name": f"{dot or measure}, {theme.kind_label('point')}" if kinds == ["point"] else dot or measure,
        "x": values,
        "marker": {
            "color": look["dot"],
            "size": max(4, min(9, thick)),
            "line": {"color": look["ground"], "width": 1},
        },
        "unselected": {"marker": {"opacity": 1}},
    }
    in_focus = [
        {
            **dots,
            **{key: [rows[key][i]] for key in ("y", "customdata", "text")},
            "x": [values[i]],
            "name": f"{plotly(names[i], WIDTH_OF_NAME)}, in focus",
            "marker": {**dots["marker"], "color": look["focus"], "size": min(13, thick + 4)},
        }
        for i in [i for i, name in enumerate(names) if name == focus]
    ]
    return {
        "data": [*bars, dots, *in_focus],
        "layout": layout(
            look,
            height=ROWS_TALL if len(names) > 12 else 130 + 28 * len(names),
            barmode="overlay",
            xaxis=axis(look, measure, rangemode="tozero", side="bottom"),
            yaxis=row_ticks(look, names),
        ),
    }


def interval_bars(rows, lowers, uppers, look, kinds):
    """What could still be, from 0 to the upper end, and over it what is known, from 0 to the lower."""
    kind = plotly(" / ".join(theme.kind_label(kind) for kind in kinds))
    return [
        {
            **rows,
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": ends,
            "width": 0.62,
            "textposition": "none",
            "marker": {"color": look[role]},
            "unselected": {"marker": {"opacity": 1}},
            "legendrank": rank,
        }
        for name, ends, role, rank in (
            (f"could still be: {kind}", uppers, "possible", 2),
            ("known", lowers, "known", 1),
        )
    ]


def number(value):
    """A score as hover texts show it."""
    return "unknown" if value is None or value != value else f"{value:.4f}"


def trend(pool, *, look, depth, kind):
    """What judging deeper buys: pairs decided, width left and judgments paid, by pool depth.

    pool : the question `pool`; depth : the depth in focus, or None
    """
    widths = f"mean width<br>{theme.kind_label(kind)}"
    panels = [
        ("pairs_decided", "share of pairs decided", "known", ".0%"),
        ("mean_width", widths, "possible", ".2f"),
        ("judgments", "judgments", "dot", "~s"),
    ]
    data, axes, notes = [], {}, []
    pool = pool[pool["depth"].notna()]  # "all judgments" is no depth
    for i, (column, title, role, ticks) in enumerate(panels):
        n = str(i + 1) if i else ""
        left, right = i * 0.355, i * 0.355 + 0.29
        axes[f"xaxis{n}"] = axis(look, "pool depth", domain=[left, right], anchor=f"y{n}", fixedrange=True)
        axes[f"yaxis{n}"] = axis(look, anchor=f"x{n}", rangemode="tozero", tickformat=ticks, fixedrange=True, nticks=5)
        unknown = len(pool) and pool[column].isna().all()
        notes.append(panel_title(f"{title}: none" if unknown else title, left, look))
        if unknown:
            axes[f"xaxis{n}"]["visible"] = axes[f"yaxis{n}"]["visible"] = False
            continue
        data.append(
            {
                "type": "scatter",
                "mode": "lines" if len(pool) > 20 else "lines+markers",
                "name": title,
                "x": list(pool["depth"]),
                "y": list(pool[column]),
                "xaxis": f"x{n}",
                "yaxis": f"y{n}",
                "line": {"color": look[role], "width": 3},
                "marker": {"size": 7, "color": look[role]},
                "hovertemplate": f"depth %{{x}}: %{{y:{',' if column == 'judgments' else ticks}}}<extra></extra>",
                "showlegend": False,
            }
        )
    marks = [] if depth is None else [depth_mark(depth, str(i + 1) if i else "", look) for i in range(len(panels))]
    return {
        "data": data,
        "layout": layout(look, height=290, margin={**MARGIN, "t": 56}, shapes=marks, annotations=notes, **axes),
    }


def panel_title(title, left, look):
    """The heading of one of several panels."""
    return {
        "text": title,
        "x": left,
        "y": 1.02,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": look["text"] + 1},
    }


def depth_mark(depth, n, look):
    """A line at the depth in focus."""
    return {
        "type": "line",
        "x0": depth,
        "x1": depth,
        "y0": 0,
        "y1": 1,
        "xref": f"x{n}",
        "yref": f"y{n} domain",
        "line": {"color": look["focus"], "width": 2, "dash": "dot"},
    }


def judged_grid(judged, *, look):
    """How much of each system's first k ranks is judged, for each topic, or each query where topics have several.

    judged : the question `judged` at one k; systems and topics in their order of appearance
    """
    unit = "query" if "query" in judged else "topic"
    systems, topics = list(dict.fromkeys(judged["system"])), list(dict.fromkeys(judged[unit]))
    row, column = {t: i for i, t in enumerate(topics)}, {s: i for i, s in enumerate(systems)}
    shares = [[None] * len(systems) for _ in topics]
    for system, topic, part in zip(judged["system"], judged[unit], judged["judged"], strict=True):
        shares[row[topic]][column[system]] = None if part != part else round(float(part), 3)
    names = [plotly(system) for system in systems]
    grid = {
        "type": "heatmap",
        "z": shares,
        "x": list(range(len(systems))),
        "y": list(range(len(topics))),
        "text": [[f"{name}<br>{unit} {plotly(topic)}" for name in names] for topic in topics],
        "hovertemplate": "%{text}<br>%{z:.0%} judged<extra></extra>",
        "colorscale": "Cividis",
        "zmin": 0,
        "zmax": 1,
        "xgap": 1 if len(systems) <= 60 else 0,
        "ygap": 1 if len(topics) <= 60 else 0,
        "colorbar": {
            "title": {"text": "judged", "side": "top"},
            "tickformat": ".0%",
            "thickness": 14,
            "tickfont": {"size": look["text"], "color": look["dot"]},
            "outlinewidth": 0,
        },
    }
    return {
        "data": [grid],
        "layout": layout(
            look,
            height=max(300, min(560, 180 + 14 * len(topics))),
            xaxis=labels(look, systems, "system", tickangle=-40, longest=16),
            yaxis=labels(look, topics, unit, autorange="reversed", longest=10),
        ),
    }


def labels(look, names, title, *, longest, most=26, **more):
    """An axis of names: all, or an even choice of about `most`; the full name is on hover."""
    step = -(-len(names) // most) or 1
    shown = list(range(0, len(names), step))
    return axis(
        look,
        title,
        tickvals=shown,
        ticktext=[plotly(names[i], longest) for i in shown],
        tickfont={"size": look["text"] - 2, "color": look["dot"]},
        showgrid=False,
        ticks="",
        **more,
    )


STATES = (
    ("relevant", "good", "circle"),
    ("not relevant", "quiet", "circle-open"),
    ("pooled, not judged", "possible", "diamond-open"),
    ("never pooled", "possible", "diamond"),
)


def ranking(documents, *, look, measure):
    """The score as one reads down a ranking: its lowest and highest value so far, and each document's state.

    documents : the question `ranking`
    """
    ranks = list(documents["rank"])
    lines = [
        running(documents, "upper", "highest possible so far", look, color=look["possible"], fill=None),
        running(documents, "lower", "known so far", look, color=look["known"], fill="tonexty"),
    ]
    states = list(documents["state"])
    dots = [document_dots(documents, ranks, states, *state, look) for state in STATES if state[0] in states]
    return {
        "data": [*lines, *dots],
        "layout": layout(
            look,
            height=380,
            xaxis=axis(look, "rank", rangemode="nonnegative"),
            yaxis=axis(look, plotly(measure), range=[-0.09, 1.04], fixedrange=True),
        ),
    }


def running(documents, column, name, look, *, color, fill):
    """One of the two running limits, as steps."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(documents["rank"]),
        "y": list(documents[column]),
        "line": {"color": color, "width": 3, "shape": "hv"},
        "hovertemplate": f"{name}: %{{y:.4f}}<extra></extra>",
        **({"fill": fill, "fillcolor": "rgba(230,159,0,.16)"} if fill else {}),
    }


def document_dots(documents, ranks, states, state, role, symbol, look):
    """The documents in one state, along the foot of the picture."""
    chosen = [i for i, s in enumerate(states) if s == state]
    names, grades = list(documents["document"]), list(documents["grade"])
    return {
        "type": "scatter",
        "mode": "markers",
        "name": state,
        "x": [ranks[i] for i in chosen],
        "y": [-0.045 for _ in chosen],
        "text": [
            f"{plotly(names[i], 60)}<br>{state}" + ("" if grades[i] != grades[i] else f", grade {grades[i]:g}")
            for i in chosen
        ],
        "hovertemplate": "rank %{x}: %{text}<extra></extra>",
        "marker": {"color": look[role], "symbol": symbol, "size": 9, "line": {"width": 2, "color": look[role]}},
    }
