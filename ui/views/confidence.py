"""Views of confidence: which differences an analysis of variance finds, and their intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore import INTERVALS, MODELS
from evalcore.answers import Answer
from evalcore.vocabulary.sentences import known, percent
from evalcore.vocabulary.sentences import number as number_of
from ui.text import in_words, interval_labels
from ui.text.escape import plotly
from ui.views.charts import bars, lines, numbers_past, pair_squares, strokes
from ui.views.traces import (
    LEGEND,
    MARGIN,
    axis,
    curve,
    dot_size,
    few_of,
    figure,
    joined,
    level,
    number,
    outlined,
    pinned_at,
    points,
    rows_axis,
    rows_height,
    rows_legend,
    spans,
)
from ui.views.view import View


def means(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """Every system's mean and interval, best on top, the top group in focus. truth : see `charts.strokes`"""
    params = answer.params
    of = f"{params['shards']} shards" if MODELS[params["model"]].sharded else "the whole collection"
    about = "other documents" if MODELS[params["model"]].sharded else "other topics"
    title = in_words.axis(params["metric"], narrow=False) + f"<br>{params['model']}, {of}"
    if not look["presented"]:  # before an audience, rows need the space
        title += f", for conclusions about {about}"
    return _intervals(answer.table, look, title=title, groups=("may be as good as the best", "others"), truth=truth)


def ranks(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """Every system's rank and its interval on other topics; those that could rank first in focus.

    truth : of ranks, see `charts.strokes`
    """
    table = answer.table.assign(value=answer.table["rank"], in_top_group=answer.table["lower"] == 1)
    return _intervals(table, look, title="rank", groups=("could rank first", "others"), truth=truth)


def _intervals(table, look, *, title, groups, truth=None):
    """A dot and an interval for each system, in two groups: in the top group, and others."""
    at = few_of(len(table), look["rows"], *pinned_at(look, table["system"]))
    everyone, table = len(table), table.iloc[at]
    systems, data = list(table["system"]), []
    table = table.assign(place=range(1, len(table) + 1))
    for name, inside, role, symbol in ((groups[0], True, "focus", "diamond"), (groups[1], False, "known", "circle")):
        rows = table[table["in_top_group"] == inside]
        text = [
            f"<b>{plotly(row.system)}</b><br>{number(row.value)}<br>{number(row.lower)} to {number(row.upper)}"
            for row in rows.itertuples()
        ]
        more: dict[str, Any] = {"text": text}
        more |= {"showlegend": inside} if look["presented"] else {}  # before an audience, the others need no legend
        data.append(joined(rows["lower"], rows["upper"], rows["place"], look, role, opacity=0.55))
        size = dot_size(len(systems))
        data.append(points(rows["value"], rows["place"], look, role, name=name, symbol=symbol, size=size, **more))
    data += strokes(systems, table["place"], look, truth) if truth else []
    data += [
        curve([None], [None], look, "quiet", name=plotly(OVERLAP if kind == "tukey" else interval_labels.label(kind)))
        for kind in table["kind"].unique()
    ]
    down = rows_axis(look, systems, of=everyone, at=at)
    return figure(data, look, rows_height(len(systems), look), axis(look, title), down, **rows_legend(look))


OVERLAP = "bars that overlap: too close to call"
BY_MODEL = {
    "share_significant": "share of significant pairs",
    "width_tukey": "Tukey half-width",
    "omega2_system": "effect of systems (ω²)",
}
BY_PARTITION = {
    "tau": "tau-b with the whole collection",
    "width": "Tukey half-width",
    "significant": "significant pairs",
}
TICKS = {"share_significant": ".0%", "width_tukey": ".3f", "omega2_system": ".2f"}
TICKS |= {"tau": ".2f", "width": ".4f", "significant": ",.0f"}


def by_model(answer: Answer, look: dict[str, Any], *, panel: str, focus: str | None = None) -> dict[str, Any]:
    """One column of every model as bars, with one model in focus. Of significant pairs, a diamond shows the share on
    other topics; a model for other topics has only the diamond."""
    names, values = list(answer.table["model"]), list(answer.table[panel])
    shown: dict[str, Any] = {"title": BY_MODEL[panel], "ticks": TICKS[panel], "focus": focus}
    if panel != "share_significant":
        return bars(names, values, look, **shown)
    of_documents = [value if MODELS[name].sharded else None for name, value in zip(names, values, strict=True)]
    on_topics = list(answer.table["share_significant_other_topics"])
    texts = [
        f"{'' if value is None else percent(value) + ' '}◆ {percent(on)}"
        for on, value in zip(on_topics, of_documents, strict=True)
    ]
    picture = bars(names, of_documents, look, **shown)
    picture["data"][0] |= {"name": "other documents, these topics", "showlegend": True, "textposition": "none"}
    diamonds = points(
        on_topics, range(len(names)), look, "dot", name="other topics too", symbol="diamond", size=10,
        hover="other topics too: %{x:.0%}", line=outlined(look), cliponaxis=False,
    )  # fmt: skip
    picture["data"] += [diamonds, numbers_past(texts, of_documents, on_topics, look)]
    along = picture["layout"]["xaxis"]
    along["range"] = [0, 1.6 * max(0.04, *filter(known, [*of_documents, *on_topics]), 0)]
    return picture


def top_group(board: pd.DataFrame, model: str) -> tuple[str, str, str]:
    """The tile of a panel: how many others are in focus. board : the table of `system_intervals` under the model"""
    scope = "other documents" if MODELS[model].sharded else "other topics"
    group = (
        f"Systems that may be as good as the best on {scope}: they do not differ significantly (Tukey's HSD, {model})."
    )
    count = (board["in_top_group"] & (board["rank"] != 1)).sum()
    return f"Not clearly worse than the best, {scope}", number_of(count), group


def kinds(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """One system's mean and interval of every kind under every model. Rows: models; colours: kinds."""
    table = answer.table
    models, names = list(dict.fromkeys(table["model"])), list(dict.fromkeys(table["kind"]))
    data = []
    for number_of_kind, kind in enumerate(names):
        rows = table[table["kind"] == kind]
        places = [models.index(model) + 0.18 * (number_of_kind - (len(names) - 1) / 2) for model in rows["model"]]
        text = [
            f"{plotly(row.model)}, {plotly(INTERVALS[kind].title)}<br>{number(row.lower)} to {number(row.upper)}"
            for row in rows.itertuples()
        ]
        role, symbol = KINDS[number_of_kind % len(KINDS)]
        data.append(joined(rows["lower"], rows["upper"], places, look, role))
        data.append(points(rows["value"], places, look, role, name=INTERVALS[kind].title, symbol=symbol, text=text))
    down = axis(look, tickvals=list(range(len(models))), ticktext=models, autorange="reversed", showgrid=False)
    along = axis(look, f"{plotly(answer.params['metric'])} of {plotly(table['system'].iloc[0])}")
    return figure(data, look, 100 + 70 * len(models), along, down)


def side_by_side(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every system's intervals, best first, in a panel for each model and number of shards; a band for each kind
    [FS19, figs 3 to 5]."""
    panels = list(answer.table.groupby(["model", "shards"], sort=False))
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    ends = answer.table[["lower", "upper"]].to_numpy()
    limits = [float(end(ends[~np.isnan(ends)], initial=0)) for end in (np.min, np.max)]
    data, axes, titles, metric = [], {}, [], answer.params["metric"]
    for i, ((model, shards), rows) in enumerate(panels):
        n, left, top = str(i + 1) if i else "", (i % across) / across, 1 - (i // across) / down
        wide, tall = 0.92 / across, 0.8 / down
        axes[f"xaxis{n}"] = axis(
            look, "systems, best first", anchor=f"y{n}",
            domain=[left, left + wide], showticklabels=False, showgrid=False,
        )  # fmt: skip
        axes[f"yaxis{n}"] = axis(look, metric, anchor=f"x{n}", domain=[top - tall, top], range=limits, nticks=5)
        cut = f"{shards} shards" if shards > 1 else "the whole collection"
        titles.append(_above_panel(f"{model}, {cut}", left, top, look))
        for (kind, of_kind), (role, _) in zip(rows.groupby("kind", sort=False), KINDS, strict=False):
            data += _band(of_kind, look, role, kind, xaxis=f"x{n}", yaxis=f"y{n}", showlegend=not i)
    line = 1.6 * look["text"]  # the height of a panel's title, above which the legend is
    legend = {**LEGEND, "font": {"size": look["text"]}, "y": 1 + line / (PANEL * down)}
    margin = {**MARGIN, "t": MARGIN["t"] + line}
    return figure(data, look, int(PANEL * down + line) + 80, margin=margin, legend=legend, annotations=titles, **axes)


PANEL = 250  # pixels, of the height of a panel


def _above_panel(text, left, top, look):
    place = {"x": left, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return {"text": text, **place, "showarrow": False, "font": {"size": look["text"]}}


def _band(rows, look, role, kind, **more):
    """The two ends of every system's interval of one kind, the best system first. The upper end is in the legend."""
    rows, title = rows.sort_values("rank", kind="stable"), plotly(INTERVALS[kind].title)
    text = [
        f"<b>{plotly(row.system)}</b>, {title}<br>{number(row.lower)} to {number(row.upper)}"
        for row in rows.itertuples()
    ]
    places = range(1, len(rows) + 1)
    shown: dict[str, Any] = {"width": 1.5, "hover": "%{text}", "text": text}
    upper = curve(places, rows["upper"], look, role, name=title, **shown, **more)
    return [upper, curve(places, rows["lower"], look, role, **shown, **more | {"showlegend": False})]


KINDS = (("known", "circle"), ("possible", "square"), ("good", "diamond"), ("focus", "triangle-up"))


def by_shards(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Significant pairs by number of shards, with a line for each model; dashed: MD1 on the whole collection."""
    table = answer.table
    whole, rows = table["significant"].iloc[0], table[table["shards"] > 1]
    shown: dict[str, Any] = {"x": "shards", "y": "significant", "series": "model", "ticks": ",.0f", "height": 360}
    picture = lines(rows, look, titles=("shards", "significant pairs"), **shown)
    picture["layout"]["shapes"] = [level(whole, look, role="dot", width=1.5, dash="dash")]
    return picture


def variance(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The share of the variance that each effect of the last model has."""
    table = answer.table
    parts = table[(table["model"] == table["model"].iloc[-1]) & (table["effect"] != "total")]
    return bars(list(parts["effect"]), list(parts["share"]), look, title="share of the variance", ticks=".1%")


def significant_pairs(answer: Answer, look: dict[str, Any], *, order: Sequence[str] | None = None) -> dict[str, Any]:
    """Which pairs of systems differ significantly, as a grid. order : the systems, best first"""
    pairs, sharded = answer.table, MODELS[answer.params["model"]].sharded
    states = STATES if sharded else {(True, True): ("on other topics", "known"), (False, False): STATES[False, False]}
    flags = [*zip(pairs["significant"], pairs["significant_other_topics"], strict=True)]
    shown_states = [state for state in states if state in flags or state != (False, True)]
    return pair_squares(
        pairs, order or list(dict.fromkeys([*pairs["a"], *pairs["b"]])), look, p="p",
        state=[shown_states.index(pair) for pair in flags], states=[states[state] for state in shown_states],
    )  # fmt: skip


STATES = {  # whether a pair differs significantly on other documents, and whether on other topics
    (True, True): ("other topics too", "known"),
    (True, False): ("other documents only", "possible"),
    (False, True): ("other topics only", "focus"),
    (False, False): ("not significant", "grid"),
}


def by_partition(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """A mean over partitions and its interval, by number of shards."""
    middle, low, high = (list(answer.table[name]) for name in (panel, f"{panel}_low", f"{panel}_high"))
    shards, ticks = [str(count) for count in answer.table["shards"]], TICKS[panel]
    line = curve(
        shards, middle, look, "known", name="mean, t interval", showlegend=True, symbol="circle",
        error_y=spans(middle, low, high, look, "known"), hover=f"%{{x}} shards: %{{y:{ticks}}}",
    )  # fmt: skip
    across, up = axis(look, "shards", type="category"), axis(look, BY_PARTITION[panel], tickformat=ticks)
    return figure([line], look, 300, across, up)


SHOWN = "Every system's rank, and its interval over random samples of the topics (bootstrap)."
VIEWS = {
    "system_intervals": View("Every system", means),
    "intervals_by_model": View("Every kind of interval under every model", kinds),
    "intervals_compared": View("Every system's intervals, side by side", side_by_side),
    "models_by_shards": View("Every model by number of shards", by_shards),
    "models": View("Every model", by_model, panels=BY_MODEL),
    "anova": View("Analysis of variance", variance),
    "tukey_pairs": View("Every pair", significant_pairs, costly=True),
    "shard_stability": View("Every number of shards", by_partition, panels=BY_PARTITION),
    "rank_intervals": View("Every system's rank", ranks, shows=SHOWN),
}
