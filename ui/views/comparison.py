"""Views of the comparison of two systems: by topic, by document, by metric, and of one system against all others."""

from typing import Any

from evalcore.answers import Answer
from evalcore.questions.comparison import CLEARLY
from evalcore.vocabulary.sentences import chance, gain, known, number, written
from evalcore.vocabulary.sentences import level as level_in_words
from evalcore.vocabulary.validation import EQUAL
from ui.text.escape import labels, md, plotly
from ui.views.charts import WHITE
from ui.views.traces import (
    LEGEND,
    axis,
    column,
    dot_size,
    few_of,
    few_rows_axis,
    figure,
    joined,
    level,
    names_axis,
    outlined,
    pinned_at,
    points,
    rows_axis,
    rows_height,
    rows_legend,
    upright,
)
from ui.views.traces import number as number_of
from ui.views.view import View

AHEAD, LEVEL, POSSIBLE = "{} ahead", "level (less than .001 apart)", "possible range (missing results included)"


def tiles(answer: Answer) -> list[tuple[str, str, str]]:
    """The difference with its possible range, the topics won and lost, p, and how few documents could reverse it."""
    row = answer.table.iloc[0]
    ahead, behind, sign = ("b", "a", -1) if row["difference"] < 0 else ("a", "b", 1)  # as the sentence
    of = f"Mean score of {md(row[ahead])} minus that of {md(row[behind])}."
    shown = [("Difference", gain(sign * row["difference"]), of)]
    if known(row["certain_low"]):
        low, high = sorted((sign * row["certain_low"], sign * row["certain_high"]))
        ends = {"low": low, "high": high}
        shown.append(
            ("Possible difference", written("{low:gain} to {high:gain}", ends), "Whatever judging still finds.")
        )
    won, lost = (row["won_clearly"], row["lost_clearly"])[::sign]
    on = f"On how many topics {md(row[ahead])} is ahead by .001 or more, level, and behind."
    shown.append(("Topics ahead : level : behind", f"{won} : {row['n'] - won - lost} : {lost}", on))
    p = "unknown" if not known(row["p"]) else chance(row["p"]).removeprefix("= ")
    below = f"significant below {level_in_words(answer.params['level'])}; uncorrected"
    note = f"How often chance alone gives a difference at least as large: p, {below}."
    shown.append(("Chance of such a gap if both were equal", p, note))
    return shown


def topics(
    answer: Answer, look: dict[str, Any], *, focus: str | None = None, texts: dict[str, str] | None = None
) -> dict[str, Any]:
    """A bar for each topic, the largest difference first, with its possible range.

    focus : a topic; texts : topic -> what it asks, for hovering
    """
    rows, names = answer.table, [str(name) for name in answer.table["topic"]]
    places = list(range(len(rows)))
    text = [
        f"<b>topic {plotly(row.topic)}</b>{_asks(row.topic, texts)}<br>"
        f"{number_of(row.value_a)} − {number_of(row.value_b)}: {_range(row)}"
        for row in rows.itertuples()
    ]
    data = []
    clearly = rows["difference"].abs() >= CLEARLY - EQUAL
    groups = (("a", clearly & (rows["difference"] > 0), "known"), ("b", clearly & (rows["difference"] < 0), "focus"))
    for name, of, role in (*groups, *((("", ~clearly, "quiet"),) if not clearly.all() else ())):
        at = [place for place, is_of in zip(places, of, strict=True) if is_of]
        more: dict[str, Any] = {"text": [text[place] for place in at], "customdata": [names[place] for place in at]}
        more |= {"textposition": "none"}
        who = AHEAD.format(plotly(labels([answer.params[name] or name.upper()], 24)[0])) if name else LEVEL
        data.append(column(at, rows["difference"][of], look, role, name=who, **more))
    if rows["certain_low"].notna().any():
        ends = rows["certain_low"], rows["certain_high"]
        data.append(joined(*ends, places, look, "possible", name=POSSIBLE, width=3, upright=True))
    marked = [upright(names.index(str(focus)), look)] if str(focus) in names else []
    across = names_axis(look, names, "topic", longest=10)
    shapes = [level(0, look, role="dot", width=1), *marked]
    return figure(data, look, 340, across, axis(look, "score difference"), shapes=shapes)


def _asks(topic, texts):
    return f"<br>{plotly(texts[topic], 60)}" if texts and topic in texts else ""


def _range(row):
    """A difference and its possible range."""
    possible = f"<br>possible: {gain(row.certain_low)} to {gain(row.certain_high)}" if known(row.certain_low) else ""
    return gain(row.difference) + possible


SIDES = (("rank_a", 0, "middle left"), ("rank_b", 1, "middle right"))
STATES = (
    ("relevant", "good", "circle"),
    ("not relevant", "quiet", "circle-open"),
    ("not judged", "possible", "diamond"),
)


def rankings(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Two rankings side by side: a line joins the places of a document."""
    table, most = answer.table, answer.params["k"] or max(answer.table[["rank_a", "rank_b"]].max())
    shown = table[["rank_a", "rank_b"]].le(most)
    paired = table[shown.all(axis=1)]
    data = []
    for state, role, symbol in STATES:
        rows = paired[paired["state"] == state]
        path = [rank for a, b in zip(rows["rank_a"], rows["rank_b"], strict=True) for rank in (a, b, None)]
        lines = {"mode": "lines", "x": [0, 1, None] * len(rows), "y": path, "hoverinfo": "skip", "showlegend": False}
        data.append({"type": "scatter", "line": {"color": look[role], "width": 2}, **lines})
        x, y, text, details = [], [], [], []
        for side, at, _ in SIDES:
            of = table[(table["state"] == state) & shown[side]]
            x += [at] * len(of)
            y += list(of[side])
            text += labels([str(name) for name in of["document"]], 28)
            details += [_of_document(row) for row in of.itertuples()]
        where = ["middle left" if at == 0 else "middle right" for at in x]
        more: dict[str, Any] = {
            "text": text,
            "textposition": where,
            "textfont": {"color": look["dot"]},
            "customdata": details,
        }
        dots = points(x, y, look, role, name=state, hover="%{customdata}", symbol=symbol, size=9, **more)
        data.append(dots | {"mode": "markers+text", "cliponaxis": False})
    names = [plotly(name) for name in labels([answer.params[side] or side.upper() for side in "ab"], 24)]
    across = axis(look, tickvals=[0, 1], ticktext=names, side="top", range=[-0.9, 1.9], showgrid=False, fixedrange=True)
    down = axis(look, "rank", range=[most + 0.7, 0.3], showgrid=False, fixedrange=True)
    legend = {"legend": {**LEGEND, "y": -0.02, "yanchor": "top", "font": {"size": look["text"]}}}
    return figure(data, look, 120 + 24 * int(most), across, down, **legend)


def _of_document(row):
    """What hovering over a document says."""
    ranks = " and ".join(f"rank {rank:g}" if known(rank) else "not retrieved" for rank in (row.rank_a, row.rank_b))
    grade = f", grade {row.grade:g}" if known(row.grade) else ""
    moves = f"<br>could move the difference by {gain(row.moves)}" if known(row.moves) and row.moves else ""
    return f"<b>{plotly(row.document)}</b><br>{ranks}<br>{row.state}{grade}{moves}"


def overlap(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """How many documents of their tops two systems share, and how many only either has; the least alike first."""
    rows = answer.table
    unit = "query" if "query" in rows else "topic"
    names, places = [str(name) for name in rows[unit]], list(range(len(rows)))
    who = [plotly(labels([answer.params[side] or side.upper()], 24)[0]) for side in "ab"]
    parts = (("left", f"only {who[0]}", "known"), ("overlap", "both", "good"), ("entered", f"only {who[1]}", "focus"))
    data = [
        column(places, rows[part], look, role, name=name, hover="%{text}: %{y}", textposition="none",
               text=[f"{unit} {plotly(label)}, {name}" for label in names])
        for part, name, role in parts
    ]  # fmt: skip
    up = axis(look, f"documents of the top {answer.params['k'] or 'all'}")
    return figure(data, look, 340, names_axis(look, names, unit, longest=10), up, barmode="stack")


def metrics(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The difference on every metric, with its possible range; a filled dot is significant."""
    rows = answer.table
    return _forest(rows, look, rows["metric"], f"{rows['a'].iloc[0]} − {rows['b'].iloc[0]}", few_rows_axis)


def baseline(answer: Answer, look: dict[str, Any], *, focus: str | None = None) -> dict[str, Any]:
    """Every system's difference to the baseline, with its possible range and its interval over topics."""
    at = few_of(len(answer.table), look["rows"], *pinned_at(look, answer.table["system"]))
    rows = answer.table.iloc[at]
    more = {"of": len(answer.table), "at": at}
    return _forest(rows, look, rows["system"], f"difference to {rows['baseline'].iloc[0]}", None, **more)


def _forest(rows, look, names, title, few, **more_rows):
    """A row for each name: its difference, its possible range, and its interval over topics where there is one."""
    names, n = [str(name) for name in names], len(rows)
    places = list(range(n)) if few else list(range(1, n + 1))
    text = [
        f"<b>{plotly(name)}</b><br>{_range(row)}<br>p {chance(row.p) if known(row.p) else 'unknown'}"
        for name, row in zip(names, rows.itertuples(), strict=True)
    ]
    data = [joined(rows["certain_low"], rows["certain_high"], places, look, "possible", name=POSSIBLE, width=7)]
    if "interval_low" in rows:
        data.append(
            joined(
                rows["interval_low"], rows["interval_high"], places, look, "quiet", name="interval over topics", width=2
            )
        )
    for name, symbol, of in (("significant", "circle", True), ("not significant", "circle-open", False)):
        at = rows["significant"].to_numpy(bool) == of
        texts, named = ([label for label, is_at in zip(each, at, strict=True) if is_at] for each in (text, names))
        line = outlined(look) if of else {"color": look["known"], "width": 2}
        here = [place for place, is_at in zip(places, at, strict=True) if is_at]
        data.append(
            points(
                rows["difference"][at], here, look, "known", name=name, symbol=symbol, size=dot_size(n), line=line,
                text=texts, customdata=named,
            )
        )  # fmt: skip
    down = few(look, labels(names, 24)) if few else rows_axis(look, names, **more_rows)
    height = 130 + 34 * n if few else rows_height(n, look)
    return figure(data, look, height, axis(look, plotly(title)), down, shapes=[upright(0, look)], **rows_legend(look))


def by_topic(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """How hard each topic is and how far it tells systems apart; larger dots change the ordering more when left out."""
    rows = answer.table
    text = [
        f"<b>topic {plotly(row.topic)}</b><br>mean {number_of(row.value)}<br>{number(row.inversions)} swaps without"
        for row in rows.itertuples()
    ]
    most = max(1, rows["inversions"].max())
    size = [7 + 15 * count / most for count in rows["inversions"]]
    dots = points(rows["value"], rows["sd"], look, "known", text=text, size=size, line={"color": WHITE, "width": 1})
    along = axis(look, f"mean {plotly(answer.params['metric'])} of the systems (hard topics left)", rangemode="tozero")
    return figure([dots], look, 380, along, axis(look, "standard deviation over systems", rangemode="tozero"))


SHOWN = {
    "topics": "A bar for each topic: by how much either system is ahead, and how far judging could still move it.",
    "rankings": "Two rankings side by side; a line joins the two places of a document.",
    "overlap": "A bar for each topic: how many documents of their tops both systems share, and how many only one has.",
    "metrics": "A row for each metric: the difference, its interval over topics, and how far judging could move it.",
    "baseline": "A row for each system: its difference to the baseline, the possible range, the interval over topics.",
    "left_out": "A dot for each topic: its mean score, its spread over systems, and how many pairs swap without it.",
}
VIEWS = {
    "comparison": View("The comparison in numbers", tiles=tiles),
    "comparison_topics": View("Every topic", topics, shows=SHOWN["topics"]),
    "comparison_documents": View("The documents of both rankings", rankings, shows=SHOWN["rankings"]),
    "comparison_overlap": View("What the two systems share", overlap, shows=SHOWN["overlap"]),
    "comparison_metrics": View("Every metric", metrics, shows=SHOWN["metrics"]),
    "judge_to_decide": View("The documents to judge"),
    "against_baseline": View("Every system against the baseline", baseline, shows=SHOWN["baseline"]),
    "topics_left_out": View("Every topic, left out", by_topic, shows=SHOWN["left_out"]),
}
