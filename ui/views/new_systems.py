"""Views of new systems: what a system loses that did not contribute to the pool."""

from typing import Any

from evalcore.answers import Answer
from evalcore.questions.new_systems import READINGS
from evalcore.vocabulary.sentences import known, score
from evalcore.vocabulary.sentences import number as number_of
from ui.text import in_words, interval_labels
from ui.text.escape import plotly
from ui.views.charts import ASIDE, strokes
from ui.views.traces import (
    NAMES_UP_TO,
    QUIET,
    SERIES,
    axis,
    column,
    curve,
    few_of,
    few_rows_axis,
    figure,
    joined,
    level,
    number,
    pinned_at,
    points,
    rows_axis,
    rows_height,
    rows_legend,
    size_of_names,
    spans,
    upright,
)
from ui.views.view import View


def changes(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """What each system's score loses or gains without the judgments that only it contributed, the best system on top;
    with the usual gap between neighbours, where there is one. truth : see `charts.strokes`, drawn as changes, too"""
    everyone, facts = list(answer.table["system"]), answer.finding.facts
    named = dict.fromkeys([*facts.get("most", ())[:1], *facts.get("furthest", ())[:2]])
    spoken_of = [everyone.index(name) for name in named]
    at = few_of(len(everyone), look["rows"], *spoken_of, *pinned_at(look, everyone))
    rows = answer.table.iloc[at]
    names, before, after = (list(rows[column]) for column in ("system", "value", "value_without"))
    places, n = list(range(1, len(names) + 1)), len(names)
    marked_rows = [at.index(place) + 1 for place in spoken_of if place in at]
    change = [late - early for early, late in zip(before, after, strict=True)]
    text = [
        f"<b>{plotly(name)}</b><br>{number(early)}, rank {rank:g}<br>left out {number(late)}, rank {without:g}"
        for name, early, late, rank, without in zip(
            names, before, after, rows["rank"], rows["rank_without"], strict=True
        )
    ]
    data = []
    for role, name, sign in (("focus", "loses outside the pool", -1), ("known", "gains", 1)):
        of_sign = [i for i, difference in enumerate(change) if difference * sign >= (0 if sign < 0 else 1e-9)]
        each: dict[str, Any] = {"text": [text[i] for i in of_sign], "customdata": [str(names[i]) for i in of_sign]}
        bars = column([change[i] for i in of_sign], [places[i] for i in of_sign], look, role, name=name, **each,
                      lying=True, width=0.7, textposition="none")  # fmt: skip
        data += [bars] if of_sign else []
    marks: dict[str, float] = {}
    if truth:
        early = dict(zip(map(str, names), before, strict=True))
        marks = {name: value - early[name] for name, value in truth["at"].items() if name in early and known(value)}
        data += strokes(names, places, look, truth | {"at": marks})
    if (gap := facts.get("gap", 0)) > 0:
        ends: dict[str, Any] = {"name": "usual gap between neighbours", "dash": "dash", "width": 1.5}
        data.append(curve([-gap, -gap], [0.3, n + 0.7], look, "dot", **ends, **QUIET))
    written = [n <= NAMES_UP_TO or place in marked_rows for place in places]
    numbers = [f"{ASIDE}{score(value)}" if shown else "" for value, shown in zip(change, written, strict=True)]
    font = {"size": size_of_names(n, look), "color": look["dot"]}
    words: dict[str, Any] = {"mode": "text", "text": numbers, "textposition": "middle right", "textfont": font}
    drawn_at = zip(change, (marks.get(str(name)) for name in names), strict=True)
    right = [max([0, *filter(known, pair)]) for pair in drawn_at]  # where nothing crosses the numbers
    data.append(points(right, places, look, "dot", hover=None, **words, cliponaxis=False, **QUIET))
    drawn = [0, -1.4 * gap, *filter(known, [*change, *marks.values()])]
    low, high = min(drawn), max(drawn)
    wide = high - low or 1
    title = in_words.axis(answer.params["metric"], of="change of the score if left out", narrow=not look["presented"])
    along = axis(look, title, range=[low - 0.04 * wide, high + 0.2 * wide], zeroline=True, zerolinecolor=look["dot"])
    down = rows_axis(look, names, of=len(everyone), spoken_of=marked_rows, at=at)
    of = f"{n} of {len(everyone)}" if n < len(everyone) else f"{n}"
    down["title"] = {"text": f"{of} contributing systems", "font": {"size": look["text"]}}
    return figure(data, look, rows_height(n, look), along, down, barmode="overlay", **rows_legend(look))


def losses(answer: Answer) -> tuple[tuple[str, str, str], ...]:
    """The relevant documents that only one of the systems has."""
    rows, unit = answer.table, "group" if answer.params["by"] == "group" else "system"
    alone = rows.drop_duplicates("left_out")
    brought, own = (number_of(alone[column].sum()) for column in ("unique_relevant", "retrieved_alone"))
    pooled = f"Relevant documents that only one contributing {unit} has within the pool depth."
    retrieved = f"Relevant documents that one contributing {unit}, and no other {unit} of the track, has at any rank."
    return (
        (f"Relevant documents that only one {unit} contributed", brought, pooled),
        (f"Relevant documents that only one {unit} retrieved", own, retrieved),
    )


def hardest_hit(answer: Answer) -> list[str]:
    """Names of the systems, the largest loss first."""
    loss = answer.table["value"] - answer.table["value_without"]
    return list(answer.table.loc[loss.sort_values(ascending=False, kind="stable").index, "system"])


def by_width(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Mean and quartiles of the bias by the number of systems in the pool, for each treatment of unjudged documents."""
    table = answer.table
    widths, data = [str(width) for width in dict.fromkeys(table["width"])], []
    treatments = list(dict.fromkeys(table["unjudged"]))
    for treatment, (role, dash, symbol) in zip(treatments, SERIES, strict=False):
        rows, several = table[table["unjudged"] == treatment], len(treatments) > 1
        at, name = [str(width) for width in rows["width"]], TREATED[treatment] if several else "mean"
        hover = f"{name}, %{{x}} systems: mean %{{y:.3f}}" if several else "%{x} systems: mean %{y:.3f}"
        quartiles: dict[str, Any] = {
            "name": f"{name}: quartiles" if several else "quartiles",
            "width": 3 if several else 6,
        }
        quartiles |= {"hovertemplate": "%{y:.3f}<extra></extra>", "upright": True}
        data.append(curve(at, rows["mean"], look, role, name=name, hover=hover, dash=dash, symbol=symbol))
        data.append(joined(rows["q1"], rows["q3"], at, look, role if several else "possible", **quartiles))
    across = axis(look, "contributing systems", type="category", categoryarray=widths)
    up = axis(look, "bias", rangemode="tozero", tickformat=".2f")
    return figure(data, look, 380, across, up, shapes=[level(0, look, role="dot", width=1.5)])


TREATED = {"irrelevant": "unjudged as not relevant", "condensed": "unjudged documents removed"}


def readings(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """A dot for each estimate of one system's score, with its interval if it has one (a guide is none); a line at the
    true score. truth : see `charts.strokes`, of systems"""
    rows = answer.table
    ends = rows[["lower", "upper"]].where(rows["kind"] != "guide")
    names, values, lows, highs = [], list(rows["value"]), list(ends["lower"]), list(ends["upper"])
    text = []
    for reading, value, low, high, kind in zip(rows["reading"], values, lows, highs, rows["kind"], strict=True):
        limits = f"{number(low)}–{number(high)}, {interval_labels.label(kind)}" if low == low else ""
        names.append(READINGS[reading] + (f"<br>{interval_labels.label(kind)}" if limits else ""))
        text.append(f"{READINGS[reading]}: {number(value)}" + (f"<br>{limits}" if limits else ""))
    is_true = [reading == "true" for reading in rows["reading"]]
    dots = points(
        values, range(len(names)), look, [look["focus" if flag else "known"] for flag in is_true], size=11, text=text,
        error_x=spans(values, lows, highs, look, "possible", thickness=4),
    )  # fmt: skip
    line = [upright(value, look) for value, flag in zip(values, is_true, strict=True) if flag and value == value]
    data = [dots, *(_ending(answer, names, look, truth) if truth else ())]
    along, down = axis(look, plotly(answer.params["metric"])), few_rows_axis(look, names)
    return figure(data, look, 130 + 40 * len(names), along, down, shapes=line)


def _ending(answer, names, look, truth):
    """A tick on every row, at the system's score with complete judgments."""
    system = answer.params["system"]
    final = truth["at"].get(system)
    drawn_text = {"text": [f"{plotly(system)}: {number(final)} {truth['name']}"] * len(names)}
    return strokes(names, range(len(names)), look, truth | {"at": dict.fromkeys(names, final)}, rows=drawn_text)


VIEWS = {
    "leave_out": View("Contributing systems", changes, losses),
    "bias_by_width": View("Bias by number of contributing systems", by_width),
    "newcomer": View("Estimates of its score", readings),
}
