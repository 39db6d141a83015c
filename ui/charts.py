"""Pictures: a tidy table goes in, a plain Plotly figure comes out as a dict, made of places and no arithmetic.

`look` is theme.look(). Every text from a file passes `plotly()`, which makes it harmless. Heights are fixed.
"""

from ui import theme
from ui.escape import plotly

ROWS_TALL = 720  # pixels that hold all rows, however many there are
NAMES_UP_TO = 52  # rows that still have room for a name each
WIDTH_OF_NAME = 24  # characters
LEGEND = {"orientation": "h", "traceorder": "normal", "x": 0, "y": 1.015, "yanchor": "bottom"}
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
    """The axis of rows: every name while there is room, else every tenth place and who stands there."""
    if len(names) <= NAMES_UP_TO:
        shown, texts = list(range(1, len(names) + 1)), [plotly(name, WIDTH_OF_NAME) for name in names]
    else:
        shown = [1, *range(10, len(names) + 1, 10)]
        texts = [f"{plotly(names[place - 1], WIDTH_OF_NAME)} · {place}" for place in shown]
    size = min(look["text"], max(9, ROWS_TALL // (len(shown) or 1) - 2))
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
            (" / ".join(dict.fromkeys(map(theme.so_far, kinds))), lowers, "known", 1),
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


def ranking(documents, *, look, measure, kind):
    """The score as one reads down a ranking: its lowest and highest value so far, and each document's state.

    documents : the question `ranking`; kind : of the interval
    """
    ranks = list(documents["rank"])
    could_be = f"could still be: {plotly(theme.kind_label(kind))}"
    limits = [
        running(documents, "upper", could_be, look, color=look["possible"], fill=None),
        running(documents, "lower", theme.so_far(kind), look, color=look["known"], fill="tonexty"),
    ]
    lines = [] if kind == "point" else limits
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


# ---- guesses of the unjudged

SERIES = (  # told apart by colour, dash and symbol
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


def lines(table, *, look, x, y, series, titles, ticks=".3f", mark=None, height=380):
    """A line for each `series`, y over x.

    titles : of the two axes; ticks : a d3 format of y; mark : an x in focus
    """
    names = list(dict.fromkeys(table[series]))
    data = []
    for name, (role, dash, symbol) in zip(names, SERIES * -(-len(names) // len(SERIES)), strict=False):
        rows = table[table[series] == name]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": plotly(name),
                "x": list(rows[x]),
                "y": list(rows[y]),
                "line": {"color": look[role], "width": 2.5, "dash": dash},
                "marker": {"symbol": symbol, "size": 9, "color": look[role]},
                "hovertemplate": f"<b>{plotly(name)}</b><br>{titles[0]} %{{x:,}}: %{{y:{ticks}}}<extra></extra>",
            }
        )
    across, up = titles
    places = sorted(set(table[x]))
    return {
        "data": data,
        "layout": layout(
            look,
            height=height,
            xaxis=axis(look, across, type="log", tickvals=places, ticktext=[f"{place:,}" for place in places]),
            yaxis=axis(look, up, rangemode="tozero", tickformat=ticks),
            shapes=[] if mark is None else [depth_mark(mark, "", look) | {"yref": "y domain"}],
        ),
    }


def against_reference(table, *, look, estimator):
    """The estimate of each system over its reference interval; on the diagonal the estimate is the reference.

    table : columns system, value, reference, reference_upper, a row per system
    """
    hover = [
        f"<b>{plotly(name)}</b><br>estimate {number(value)}<br>reference {number(low)} to {number(high)}"
        for name, value, low, high in zip(
            table["system"], table["value"], table["reference"], table["reference_upper"], strict=True
        )
    ]
    bars = {
        "type": "scatter",
        "mode": "lines",
        "name": "reference interval",
        "x": [x for ends in zip(table["reference"], table["reference_upper"], strict=True) for x in (*ends, None)],
        "y": [y for value in table["value"] for y in (value, value, None)],
        "line": {"color": look["possible"], "width": 3},
        "hoverinfo": "skip",
    }
    dots = {
        "type": "scatter",
        "mode": "markers",
        "name": f"{plotly(estimator)}, at the reference's lower end",
        "x": list(table["reference"]),
        "y": list(table["value"]),
        "customdata": [str(name) for name in table["system"]],
        "text": hover,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": look["known"], "size": 9, "line": {"color": look["ground"], "width": 1}},
    }
    diagonal = {
        "type": "scatter",
        "mode": "lines",
        "name": "estimate = reference",
        "x": [0, 1],
        "y": [0, 1],
        "line": {"color": look["dot"], "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
    }
    most = max([0.05, *table["value"], *table["reference_upper"]])
    furthest = {"range": [0, min(1, most * 1.05)]}
    return {
        "data": [diagonal, bars, dots],
        "layout": layout(
            look,
            height=460,
            xaxis=axis(look, "score by deeper judgments", **furthest),
            yaxis=axis(look, "estimate from the shallow pool", **furthest),
        ),
    }


def surface(table, *, look, learnt, published):
    """The error for every C and E, with the best pair and the published one.

    table : the question `constants`; learnt, published : (C, E)
    """
    by_E = table.pivot(index="E", columns="C", values="rmse_plain")
    marks = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"{name}: C = {pair[0]:g}, E = {pair[1]:g}",
            "x": [pair[0]],
            "y": [pair[1]],
            "marker": {"symbol": symbol, "size": 13, "color": "#FFFFFF", "line": {"color": "#000000", "width": 2}},
            "hovertemplate": f"{name}: C = %{{x}}, E = %{{y}}<extra></extra>",
            "cliponaxis": False,
        }
        for name, pair, symbol in (("published", published, "diamond"), ("learnt here", learnt, "circle"))
    ]
    field = {
        "type": "heatmap",
        "x": list(by_E.columns),
        "y": list(by_E.index),
        "z": by_E.round(4).to_numpy().tolist(),
        "colorscale": "Cividis",
        "reversescale": True,
        "colorbar": {
            "title": {"text": "RMSE", "side": "top"},
            "thickness": 14,
            "tickfont": {"size": look["text"], "color": look["dot"]},
            "outlinewidth": 0,
        },
        "hovertemplate": "C = %{x}, E = %{y}: error %{z:.4f}<extra></extra>",
    }
    return {
        "data": [field, *marks],
        "layout": layout(look, height=420, xaxis=axis(look, "C"), yaxis=axis(look, "E")),
    }


def gain_curves(table, *, look, topic):
    """The observed gain at each rank of a topic, and the curves fitted to it. table : the question `rank_models`."""
    curves = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": model,
            "x": list(table["rank"]),
            "y": list(table[model]),
            "line": {"color": look[role], "width": 3, "dash": dash},
            "hovertemplate": f"{model}, rank %{{x}}: %{{y:.3f}}<extra></extra>",
        }
        for model, role, dash in (("linear", "quiet", "dash"), ("zipf", "known", "dot"), ("weibull", "focus", "solid"))
    ]
    observed = {
        "type": "scatter",
        "mode": "markers",
        "name": "observed",
        "x": list(table["rank"]),
        "y": list(table["observed"]),
        "marker": {"color": look["dot"], "size": 8},
        "hovertemplate": "observed, rank %{x}: %{y:.3f}<extra></extra>",
    }
    return {
        "data": [*curves, observed],
        "layout": layout(
            look,
            height=380,
            xaxis=axis(look, f"rank (topic {plotly(topic)})", type="log", dtick=1),
            yaxis=axis(look, "mean gain", rangemode="tozero"),
        ),
    }


def gammas(table, *, look, theta):
    """gamma of each topic, highest first, and the threshold above which a topic is adjusted.

    table : the question `coverage` at one depth
    """
    rows = table.sort_values("gamma", ascending=False, kind="stable")
    bars = [
        {
            "type": "bar",
            "name": name,
            "x": [i for i, adjusted in enumerate(rows["adjusted"]) if bool(adjusted) is state],
            "y": [g for g, adjusted in zip(rows["gamma"], rows["adjusted"], strict=True) if bool(adjusted) is state],
            "text": [
                f"topic {plotly(t)}" for t, a in zip(rows["topic"], rows["adjusted"], strict=True) if bool(a) is state
            ],
            "textposition": "none",
            "marker": {"color": look[role], "pattern": {"shape": pattern}},
            "hovertemplate": "%{text}: gamma %{y:.4f}<extra></extra>",
        }
        for name, state, role, pattern in (
            ("adjusted", True, "known", ""),
            ("left at its lower end", False, "quiet", "/"),
        )
    ]
    line = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": theta, "y1": theta}
    return {
        "data": bars,
        "layout": layout(
            look,
            height=320,
            barmode="overlay",
            xaxis=labels(look, list(rows["topic"]), "topic", longest=10, tickangle=-40),
            yaxis=axis(look, "gamma", rangemode="tozero"),
            shapes=[{**line, "line": {"color": look["focus"], "width": 2, "dash": "dash"}}],
        ),
    }


def repeats(table, *, look, column, title):
    """Every repeat of a two-strata sample as a dot, a row per way to use it. table : the question `two_strata`."""
    names = list(dict.fromkeys(table["estimator"]))
    data = [
        {
            "type": "box",
            "name": plotly(name),
            "x": list(table[column][table["estimator"] == name]),
            "boxpoints": "all",
            "jitter": 0.5,
            "pointpos": 0,
            "orientation": "h",
            "line": {"color": look[role]},
            "marker": {"color": look[role], "size": 6},
            "fillcolor": "rgba(0,0,0,0)",
            "hovertemplate": "%{x:.4f}<extra></extra>",
            "showlegend": False,
        }
        for name, (role, _, _) in zip(names, SERIES, strict=False)
    ]
    return {
        "data": data,
        "layout": layout(
            look,
            height=110 + 46 * len(names),
            xaxis=axis(look, title, rangemode="tozero"),
            yaxis=axis(look, autorange="reversed", showgrid=False),
        ),
    }


# ---- orderings

SIGNED = {"colorscale": "PuOr", "zmin": -1, "zmax": 1, "zmid": 0}


def square(names, values, *, look, title, ticks=".2f", nearer_is_less=False, axes=(None, None)):
    """A heatmap of names by names, bright where they agree.

    values : rows of numbers, around 0 where any is negative; nearer_is_less : they are distances
    axes : what stands across, and down
    """
    shown = [plotly(name, WIDTH_OF_NAME) for name in names]
    few = len(names) <= 12
    known = [value for row in values for value in row if value == value] or [0]
    low, high = min(known), max(known)
    ends = {"zmin": low if low < high else 0, "zmax": high or 1}  # a scale needs two
    scale = SIGNED if low < 0 else {"colorscale": "Cividis", **ends, "reversescale": nearer_is_less}
    return {
        "data": [
            {
                "type": "heatmap",
                "x": list(range(len(names))),
                "y": list(range(len(names))),
                "z": values,
                "text": [[f"{plotly(a)}<br>{plotly(b)}" for b in names] for a in names],
                "hovertemplate": f"%{{text}}<br>{title} %{{z:{ticks}}}<extra></extra>",
                **({"texttemplate": f"%{{z:{ticks}}}"} if few else {}),
                **scale,
                "xgap": 1,
                "ygap": 1,
                "colorbar": {
                    "title": {"text": title, "side": "top"},
                    "thickness": 14,
                    "tickfont": {"size": look["text"], "color": look["dot"]},
                    "outlinewidth": 0,
                },
            }
        ],
        "layout": layout(
            look,
            height=max(300, min(620, 170 + 46 * len(names))),
            xaxis=axis(look, axes[0], tickvals=list(range(len(names))), ticktext=shown, tickangle=-25, showgrid=False),
            yaxis=axis(
                look, axes[1], tickvals=list(range(len(names))), ticktext=shown, autorange="reversed", showgrid=False
            ),
        ),
    }


def slopes(left, right, *, look, names):
    """Two orderings side by side, a line for each system; lines that cross are pairs that swap.

    left, right : the question `leaderboard` under two regimes; names : of the regimes
    """
    places = {name: (a, None) for name, a in zip(left["system"], left["rank"], strict=True)}
    places |= {name: (places.get(name, (None,))[0], b) for name, b in zip(right["system"], right["rank"], strict=True)}
    moves = {"up": ([], []), "down": ([], []), "same": ([], [])}
    texts = {move: [] for move in moves}
    for name, (a, b) in places.items():
        if a is None or b is None or a != a or b != b:
            continue
        move = "same" if a == b else "up" if b < a else "down"
        moves[move][0].extend((0, 1, None))
        moves[move][1].extend((a, b, None))
        texts[move].extend([f"{plotly(name)}: place {a:g}, then {b:g}"] * 2 + [None])
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label,
            "x": moves[move][0],
            "y": moves[move][1],
            "text": texts[move],
            "hovertemplate": "%{text}<extra></extra>",
            "line": {"color": look[role], "width": 2, "dash": dash},
            "marker": {"size": 6, "color": look[role]},
        }
        for move, label, role, dash in (
            ("same", "the same place", "quiet", "solid"),
            ("up", "climbs", "good", "solid"),
            ("down", "falls", "focus", "dash"),
        )
    ]
    ends = [plotly(name, 44) for name in names]
    height = ROWS_TALL if len(places) > 16 else 160 + 34 * len(places)
    sides = [names_at_places({name: ends[side] for name, ends in places.items()}) for side in (0, 1)]
    if len(places) > NAMES_UP_TO:
        sides = [every_tenth(side) for side in sides]
    size = min(look["text"], max(9, (height - 140) // (max(map(len, sides)) or 1) - 2))
    left_axis, right_axis = (
        axis(look, tickvals=list(side), ticktext=list(side.values()), tickfont={"size": size, "color": look["dot"]})
        for side in sides
    )
    data.append({"type": "scatter", "x": [None], "y": [None], "yaxis": "y2", "showlegend": False, "hoverinfo": "skip"})
    return {
        "data": data,
        "layout": layout(
            look,
            height=height,
            xaxis=axis(
                look,
                tickvals=[0, 1],
                ticktext=ends,
                range=[-0.02, 1.02],
                showgrid=False,
                side="top",
                fixedrange=True,
            ),
            yaxis={**left_axis, "range": [len(places) + 0.7, 0.3], "showgrid": False},
            yaxis2={**right_axis, "matches": "y", "overlaying": "y", "side": "right", "showgrid": False},
            margin={**MARGIN, "t": 70},
            legend={**LEGEND, "y": -0.08, "yanchor": "top", "font": {"size": look["text"]}},
        ),
    }


def names_at_places(places):
    """place -> who stands there, as a label. places : name -> place, None or NaN for none"""
    there = {}
    for name, place in places.items():
        if place is not None and place == place:
            there.setdefault(place, []).append(name)
    return {
        place: plotly(some[0], WIDTH_OF_NAME) + (f" +{len(some) - 1}" if some[1:] else "")
        for place, some in there.items()
    }


def every_tenth(there):
    """place -> label of the first and about every tenth, and which place it is. there : place -> label"""
    shown = []
    for ten in range(0, int(max(there, default=-1)) + 1, 10):
        place = next(place for place in sorted(there) if place >= ten)
        if not shown or place - shown[-1] > 5:  # after ties, the next may stand close by
            shown.append(place)
    return {place: f"{there[place]} · {place:g}" for place in shown}


VERDICTS = (("certain", "known"), ("likely", "possible"), ("open", "grid"))


def verdicts(pairs, order, *, look):
    """What is known of every pair: a square of systems by systems, both in the order given.

    pairs : the question `pairs`; order : the systems, best first
    """
    place = {name: i for i, name in enumerate(order)}
    code = {verdict: i for i, (verdict, _) in enumerate(VERDICTS)}
    cells = [[None] * len(order) for _ in order]
    said = [[""] * len(order) for _ in order]
    for a, b, verdict, difference, p in zip(
        pairs["a"], pairs["b"], pairs["verdict"], pairs["difference"], pairs["p_corrected"], strict=True
    ):
        i, j = place[a], place[b]
        cells[i][j] = cells[j][i] = code[verdict]
        said[i][j] = said[j][i] = f"{plotly(a)} − {plotly(b)}: {difference:.4f}<br>p {p:.3g}: {verdict}"
    return squares(cells, said, VERDICTS, look=look)


def squares(cells, said, states, *, look):
    """A square of systems by systems, best first, each cell in one of a few states: (what it is called, role)."""
    steps = []
    for i, (_, role) in enumerate(states):
        steps += [[i / len(states), look[role]], [(i + 1) / len(states), look[role]]]
    places, gap = list(range(1, len(cells) + 1)), 1 if len(cells) <= 60 else 0
    ends = [0.5, len(cells) + 0.5]
    sides = {"showgrid": False, "constrain": "domain", **({"dtick": 1} if len(cells) <= 12 else {})}
    return {
        "data": [
            {
                "type": "heatmap",
                "x": places,
                "y": places,
                "z": cells,
                "text": said,
                "hovertemplate": "%{text}<extra></extra>",
                "colorscale": steps,
                "zmin": -0.5,
                "zmax": len(states) - 0.5,
                "xgap": gap,
                "ygap": gap,
                "colorbar": {
                    "tickvals": list(range(len(states))),
                    "ticktext": [name for name, _ in states],
                    "thickness": 18,
                    "len": 0.5,
                    "tickfont": {"size": look["text"], "color": look["dot"]},
                    "outlinewidth": 0,
                },
            }
        ],
        "layout": layout(
            look,
            height=620,
            xaxis=axis(look, "system by place", range=ends, **sides),
            yaxis=axis(look, "system by place", range=ends[::-1], scaleanchor="x", **sides),
        ),
    }


QUADRANTS = {
    "separable in both": ("known", "square"),
    "separable only with few judgments": ("focus", "diamond"),
    "separable only with all judgments": ("good", "triangle-up"),
    "separable in neither": ("quiet", "circle"),
}


def p_scatter(table, *, look, level, names):
    """Every pair's p with few judgments and with all, the four quadrants named. table : the question `p_values`."""
    data = []
    for quadrant, (role, symbol) in QUADRANTS.items():
        rows = table[table["quadrant"] == quadrant]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{quadrant} ({len(rows):,})",
                "x": [max(p, 1e-12) for p in rows["p_shallow"]],
                "y": [max(p, 1e-12) for p in rows["p_full"]],
                "text": [f"{plotly(a)}, {plotly(b)}" for a, b in zip(rows["a"], rows["b"], strict=True)],
                "hovertemplate": "%{text}<br>p %{x:.3g}, then %{y:.3g}<extra></extra>",
                "marker": {"color": look[role], "symbol": symbol, "size": 6, "opacity": 0.75},
            }
        )
    cut = {"type": "line", "line": {"color": look["dot"], "width": 1.5, "dash": "dash"}}
    log = {"type": "log", "exponentformat": "power", "dtick": 2}
    return {
        "data": data,
        "layout": layout(
            look,
            height=520,
            xaxis=axis(look, f"p, {names[0]}", **log),
            yaxis=axis(look, f"p, {names[1]}", **log),
            shapes=[
                {**cut, "x0": level, "x1": level, "y0": 0, "y1": 1, "yref": "y domain"},
                {**cut, "y0": level, "y1": level, "x0": 0, "x1": 1, "xref": "x domain"},
            ],
        ),
    }


# ---- confidence


def means(table, *, look, measure, names=("in the top group", "others")):
    """A dot and an interval for each system, the best on top; those that are not told apart from it in focus.

    table : the question `system_intervals`
    """
    systems = list(table["system"])
    thick = row_height(len(systems))
    traces = []
    for label, inside, role, symbol in ((names[0], True, "focus", "diamond"), (names[1], False, "known", "circle")):
        rows = [i for i, one in enumerate(table["in_top_group"]) if bool(one) is inside]
        low, high, value = (list(table[column].iloc[rows]) for column in ("lower", "upper", "value"))
        places = [i + 1 for i in rows]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [x for ends in zip(low, high, strict=True) for x in (*ends, None)],
                "y": [y for place in places for y in (place, place, None)],
                "line": {"color": look[role], "width": max(1.5, thick / 3)},
                "opacity": 0.55,
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": label,
                "x": value,
                "y": places,
                "customdata": [str(systems[i]) for i in rows],
                "text": [
                    f"<b>{plotly(systems[i])}</b><br>{number(v)}<br>{number(a)} to {number(b)}"
                    for i, v, a, b in zip(rows, value, low, high, strict=True)
                ],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": look[role], "symbol": symbol, "size": max(4, min(9, thick))},
            }
        )
    kinds = [plotly(theme.kind_label(kind)) for kind in dict.fromkeys(table["kind"])]
    line = {"type": "scatter", "mode": "lines", "x": [None], "y": [None], "line": {"color": look["quiet"], "width": 3}}
    return {
        "data": traces + [{**line, "name": kind, "hoverinfo": "skip"} for kind in kinds],
        "layout": layout(
            look,
            height=ROWS_TALL if len(systems) > 12 else 130 + 28 * len(systems),
            xaxis=axis(look, measure),
            yaxis=row_ticks(look, systems),
        ),
    }


def bars(names, values, *, look, title, ticks=".2f", focus=None):
    """A bar for each name, the first on top, one of them in focus."""
    known = [0, *(value for value in values if value == value)]
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": list(range(len(names))),
                "x": list(values),
                "text": [plotly(name) for name in names],
                "texttemplate": f"%{{x:{ticks}}}",
                "textposition": "outside",
                "constraintext": "none",
                "textfont": {"color": look["dot"]},
                "cliponaxis": False,
                "marker": {"color": [look["focus"] if name == focus else look["known"] for name in names]},
                "hovertemplate": f"%{{text}}: %{{x:{ticks}}}<extra></extra>",
            }
        ],
        "layout": layout(
            look,
            height=100 + 30 * len(names),
            xaxis=axis(look, title, tickformat=ticks, nticks=4, range=[1.25 * min(known), 1.25 * max(known) or 1]),
            yaxis=axis(
                look,
                tickvals=list(range(len(names))),
                ticktext=[plotly(name, WIDTH_OF_NAME) for name in names],
                autorange="reversed",
                showgrid=False,
            ),
        ),
    }


def told_apart(pairs, order, *, look):
    """Which pairs of systems differ: a square of systems by systems. pairs : the question `tukey_pairs`"""
    place = {name: i for i, name in enumerate(order)}
    cells = [[None] * len(order) for _ in order]
    said = [[""] * len(order) for _ in order]
    for a, b, difference, p, significant in zip(
        pairs["a"], pairs["b"], pairs["difference"], pairs["p"], pairs["significant"], strict=True
    ):
        i, j = place[a], place[b]
        cells[i][j] = cells[j][i] = 0 if significant else 1
        said[i][j] = said[j][i] = f"{plotly(a)} − {plotly(b)}: {difference:.4f}<br>p {p:.3g}"
    return squares(cells, said, (("significant", "known"), ("not significant", "grid")), look=look)


def stability(table, *, look, column, title, ticks=".3f"):
    """A mean and its interval over partitions, by number of shards. table : the question `shard_stability`"""
    middle, low, high = (list(table[name]) for name in (column, f"{column}_low", f"{column}_high"))
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "mean, t interval",
                "showlegend": True,
                "x": [str(count) for count in table["shards"]],
                "y": middle,
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [None if b != b else b - a for a, b in zip(middle, high, strict=True)],
                    "arrayminus": [None if b != b else a - b for a, b in zip(middle, low, strict=True)],
                    "color": look["known"],
                },
                "line": {"color": look["known"], "width": 2.5},
                "marker": {"size": 9},
                "hovertemplate": f"%{{x}} shards: %{{y:{ticks}}}<extra></extra>",
            }
        ],
        "layout": layout(
            look, height=300, xaxis=axis(look, "shards", type="category"), yaxis=axis(look, title, tickformat=ticks)
        ),
    }


# ---- new systems


def before_and_after(table, *, look, measure):
    """Each system's score with and without what it alone brought into the pool. table : the question `leave_out`"""
    names = list(table["system"])
    places = list(range(1, len(names) + 1))
    before, after = list(table["value"]), list(table["value_without"])
    hover = [
        f"<b>{plotly(name)}</b><br>{number(a)}, place {i:g}<br>left out {number(b)}, place {j:g}"
        for name, a, b, i, j in zip(names, before, after, table["rank"], table["rank_without"], strict=True)
    ]
    thick = row_height(len(names))
    gap = {
        "type": "scatter",
        "mode": "lines",
        "name": "what it loses",
        "x": [x for ends in zip(after, before, strict=True) for x in (*ends, None)],
        "y": [y for place in places for y in (place, place, None)],
        "line": {"color": look["possible"], "width": max(2, thick / 2)},
        "hoverinfo": "skip",
    }
    dots = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": label,
            "x": values,
            "y": places,
            "customdata": [str(name) for name in names],
            "text": hover,
            "hovertemplate": "%{text}<extra></extra>",
            "marker": {"color": look[role], "symbol": symbol, "size": max(4, min(9, thick))},
        }
        for label, values, role, symbol in (
            ("helping to build the pool", before, "known", "circle"),
            ("left out of the pool", after, "focus", "diamond"),
        )
    ]
    return {
        "data": [gap, *dots],
        "layout": layout(
            look,
            height=ROWS_TALL if len(names) > 12 else 130 + 28 * len(names),
            xaxis=axis(look, plotly(measure), rangemode="tozero"),
            yaxis=row_ticks(look, names),
        ),
    }


def quartiles(table, *, look, title):
    """Mean and quartiles of the bias by the number of pooled systems. table : the question `bias_by_width`"""
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "mean",
                "x": [str(width) for width in table["width"]],
                "y": list(table["mean"]),
                "line": {"color": look["known"], "width": 2.5},
                "marker": {"size": 9},
                "hovertemplate": "%{x} systems: mean %{y:.3f}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines",
                "name": "quartiles",
                "x": [x for width in table["width"] for x in (str(width), str(width), None)],
                "y": [y for ends in zip(table["q1"], table["q3"], strict=True) for y in (*ends, None)],
                "line": {"color": look["possible"], "width": 6},
                "hovertemplate": "%{y:.3f}<extra></extra>",
            },
        ],
        "layout": layout(
            look,
            height=340,
            xaxis=axis(look, "systems in the pool", type="category"),
            yaxis=axis(look, title, rangemode="tozero"),
        ),
    }


def readings(table, said, *, look, measure):
    """A dot for each reading of one system's score, with its interval; a line at the true one.

    table : the question `newcomer`; said : what each reading is called
    """
    value, true = list(table["value"]), list(table.loc[table["reading"] == "true", "value"])
    names = [said[reading] for reading in table["reading"]]
    lows, highs = list(table["lower"]), list(table["upper"])
    kinds = [theme.kind_label(kind) for kind in table["kind"]]
    rows = [f"{name}<br>{kind}" if low == low else name for name, low, kind in zip(names, lows, kinds, strict=True)]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "x": value,
                "y": list(range(len(names))),
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [0 if high != high else high - x for x, high in zip(value, highs, strict=True)],
                    "arrayminus": [0 if low != low else x - low for x, low in zip(value, lows, strict=True)],
                    "color": look["possible"],
                    "thickness": 4,
                    "width": 0,
                },
                "marker": {
                    "size": 11,
                    "color": [look["focus"] if one == "true" else look["known"] for one in table["reading"]],
                },
                "text": [
                    f"{name}: {number(x)}" + (f"<br>{number(low)} to {number(high)}, {kind}" if low == low else "")
                    for name, x, low, high, kind in zip(names, value, lows, highs, kinds, strict=True)
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        ],
        "layout": layout(
            look,
            height=130 + 40 * len(names),
            xaxis=axis(look, plotly(measure)),
            yaxis=axis(look, tickvals=list(range(len(names))), ticktext=rows, autorange="reversed", showgrid=False),
            shapes=[
                {
                    "type": "line",
                    "x0": x,
                    "x1": x,
                    "yref": "y domain",
                    "y0": 0,
                    "y1": 1,
                    "line": {"color": look["focus"], "width": 1.5, "dash": "dot"},
                }
                for x in true
            ],
        ),
    }


def errors_by_common(table, *, look):
    """How far a score is off by the number of common topics. table : the question `adjustment_experiment`, one width"""
    names = {
        "unadjusted": "left as it is",
        "mixed": "true scores on common topics",
        "from_systems": "from systems",
        "from_topics": "from topics",
    }
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": name,
                "x": [str(count) for count in table["common"]],
                "y": list(table[column]),
                "line": {"color": look[role], "width": 2.5, "dash": dash},
                "marker": {"symbol": symbol, "size": 9, "color": look[role]},
                "hovertemplate": f"{name}, %{{x}} common topics: %{{y:.3f}}<extra></extra>",
            }
            for (column, name), (role, dash, symbol) in zip(names.items(), SERIES, strict=False)
        ],
        "layout": layout(
            look,
            height=340,
            xaxis=axis(look, "common topics", type="category"),
            yaxis=axis(look, "mean absolute error", rangemode="tozero", tickformat=".3f"),
        ),
    }


# ---- judgments


def known_and_missing(table, *, look):
    """The relevant documents of each topic, and how many more there may be. table : the question `judgment_health`"""
    topics = [plotly(topic) for topic in table["topic"]]
    missing = list(table["still_missing"])
    return {
        "data": [
            {
                "type": "bar",
                "name": name,
                "x": topics,
                "y": values,
                "marker": {"color": look[role]},
                "hovertemplate": f"topic %{{x}}: %{{y:,.0f}} {name}<extra></extra>",
            }
            for name, values, role in (
                ("relevant, known", list(table["relevant"]), "known"),
                ("still missing, by estimate", [0 if value != value else value for value in missing], "possible"),
            )
        ],
        "layout": layout(
            look,
            height=380,
            barmode="stack",
            xaxis=axis(look, "topic", type="category", showgrid=False, tickangle=-45 if len(topics) > 12 else 0),
            yaxis=axis(look, "relevant documents"),
        ),
    }


def by_depth(pool, *, look, column, title, ticks):
    """A column of the question `pool` by pool depth."""
    rows = pool[pool["depth"].notna()]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": list(rows["depth"]),
                "y": list(rows[column]),
                "line": {"color": look["known"], "width": 2.5},
                "marker": {"size": 6},
                "hovertemplate": f"depth %{{x}}: %{{y:{ticks}}}<extra></extra>",
            }
        ],
        "layout": layout(
            look,
            height=300,
            xaxis=axis(look, "pool depth", rangemode="tozero"),
            yaxis=axis(look, title, rangemode="tozero", tickformat=ticks),
        ),
    }


def confusion(table, *, look):
    """How often each grade meets each other one. table : the question `confusion`"""
    grades = list(dict.fromkeys(table["grade"]))
    counts = table["count"].to_numpy().reshape(len(grades), len(grades)).tolist()
    return square(
        [f"grade {grade}" for grade in grades],
        counts,
        look=look,
        title="documents",
        ticks=",d",
        axes=("the second judgments", "these judgments"),
    )


def judged_so_far(table, *, look, y, title, ticks):
    """How each order of judging gets on. table : the question `judging_orders`"""
    figure = lines(
        table, look=look, x="judgments", y=y, series="order", titles=("judgments", title), ticks=ticks, height=340
    )
    figure["layout"]["xaxis"] = axis(look, "judgments", rangemode="tozero", tickformat=",d")
    figure["layout"]["yaxis"] = axis(look, title, tickformat=ticks)
    return figure


def shrinking(table, *, look, title):
    """How wide the intervals still are as the list is judged. table : the question `judge_next`"""
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": list(table["order"]),
                "y": list(table["width_left"]),
                "line": {"color": look["possible"], "width": 3},
                "hovertemplate": "after %{x:,} documents: %{y:.4f}<extra></extra>",
            }
        ],
        "layout": layout(
            look,
            height=300,
            xaxis=axis(look, "documents judged", rangemode="tozero"),
            yaxis=axis(look, title, rangemode="tozero", tickformat=".3f"),
        ),
    }


# ---- fusion and consistency


def gains_and_losses(table, *, look, measure):
    """How far the fused run is above its best input, topic by topic. table : the question `fusion_topics`"""
    rows = table[table["difference"].notna()].sort_values("difference", ascending=False, kind="stable")
    return {
        "data": [
            {
                "type": "bar",
                "name": name,
                "x": [plotly(topic) for topic in some["topic"]],
                "y": list(some["difference"]),
                "text": [
                    f"topic {plotly(topic)}: fused {number(fused)}<br>best input {number(best)}, {plotly(who)}"
                    for topic, fused, best, who in zip(
                        some["topic"], some["fused"], some["best_input"], some["best"], strict=True
                    )
                ],
                "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": look[role]},
            }
            for name, some, role in (
                ("fused is better", rows[rows["difference"] >= 0], "good"),
                ("the best input is better", rows[rows["difference"] < 0], "focus"),
            )
        ],
        "layout": layout(
            look,
            height=340,
            xaxis=axis(look, "topic", type="category", showgrid=False, tickangle=-45 if len(rows) > 12 else 0),
            yaxis=axis(look, f"{plotly(measure)}, difference"),
        ),
    }


def by_count(table, *, look, measure):
    """A line for each system: its score by the number of variations fused. table : the question `fusion_by_count`"""
    figure = lines(
        table,
        look=look,
        x="count",
        y="value",
        series="system",
        titles=("variations fused", plotly(measure)),
        height=380,
    )
    figure["layout"]["xaxis"] = axis(look, "variations fused", dtick=1)
    return figure


def boxes(table, order, *, look, title):
    """A box for each system over its topics. table : the question `consistency`; order : the systems, first on top"""
    known = {name: table[(table["system"] == name) & table[title].notna()] for name in order}
    return {
        "data": [
            {
                "type": "box",
                "name": plotly(name, WIDTH_OF_NAME),
                "x": list(rows[title]),
                "y": [place] * len(rows),
                "orientation": "h",
                "line": {"color": look["known"], "width": 1.5},
                "fillcolor": "rgba(0,0,0,0)",
                "marker": {"color": look["dot"], "size": 4},
                "boxpoints": "all" if len(order) <= 12 else "outliers",
                "jitter": 0.4,
                "showlegend": False,
                "text": [f"topic {plotly(topic)}" for topic in rows["topic"]],
                "hoverinfo": "x+text",
            }
            for place, (name, rows) in enumerate(known.items(), 1)
        ],
        "layout": layout(
            look,
            height=130 + 46 * min(max(len(order), 1), 14),
            xaxis=axis(look, title, range=[0, 1.02]),
            yaxis=row_ticks(look, order),
        ),
    }


def spread_by_topic(table, *, look, title):
    """A dot for each topic with the smallest and the largest. table : topic, `title`, lowest, highest"""
    rows = table.dropna(subset=title)
    middle = list(rows[title])
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "name": "mean over systems, lowest and highest",
                "showlegend": True,
                "x": [plotly(topic) for topic in rows["topic"]],
                "y": middle,
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [high - value for value, high in zip(middle, rows["highest"], strict=True)],
                    "arrayminus": [value - low for value, low in zip(middle, rows["lowest"], strict=True)],
                    "color": look["possible"],
                    "thickness": 3,
                    "width": 0,
                },
                "marker": {"size": 8, "color": look["known"]},
                "hovertemplate": "topic %{x}: %{y:.3f}<extra></extra>",
            }
        ],
        "layout": layout(
            look,
            height=340,
            xaxis=axis(look, "topic", type="category", showgrid=False, tickangle=-45 if len(rows) > 12 else 0),
            yaxis=axis(look, title, range=[0, 1.02]),
        ),
    }


def scatter(table, *, look, x, y, titles):
    """A dot for each system, named while there are few."""
    names = [plotly(name, WIDTH_OF_NAME) for name in table["system"]]
    across, up = map(plotly, titles)
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers+text" if len(names) <= 12 else "markers",
                "x": list(table[x]),
                "y": list(table[y]),
                "text": names,
                "textposition": "top center",
                "cliponaxis": False,
                "textfont": {"size": look["text"], "color": look["dot"]},
                "marker": {"size": 10, "color": look["known"]},
                "hovertemplate": f"<b>%{{text}}</b><br>{across} %{{x:.3f}}<br>{up} %{{y:.3f}}<extra></extra>",
            }
        ],
        "layout": layout(look, height=380, xaxis=axis(look, across), yaxis=axis(look, up)),
    }
