"""Views of fusion: whether a fused run beats its best input."""

from typing import Any

from evalcore.answers import Answer
from evalcore.questions.fusion import way
from evalcore.vocabulary.sentences import chance, digits, known, level
from evalcore.vocabulary.sentences import figure as figure_of
from ui.text.escape import plotly
from ui.views.charts import bars, lines, numbers_past, strokes
from ui.views.traces import (
    axis,
    column,
    figure,
    number,
    outlined,
    pinned_at,
    points,
    topics_axis,
    with_marks,
)
from ui.views.view import View


def gains(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """A fused run with its best input and the mean of all; or every fused run, where there are several. truth : see
    `charts.strokes`"""
    names, values = zip(*of_bars(answer), strict=True)
    title, focus = plotly(answer.table["metric"].iloc[0]), "fused" if names == INPUTS else None
    return bars(names, values, look, title=title, ticks=".3f", focus=focus, truth=truth)


INPUTS = ("fused", "best input", "mean input")


def of_bars(answer: Answer) -> list[tuple[str, float]]:
    """Bars of `gains`: pairs of label and score."""
    first = answer.table.iloc[0]
    rows = answer.table[(answer.table["metric"] == first["metric"]) & (answer.table["system"] == first["system"])]
    if len(rows) == 1:
        return list(zip(INPUTS, first[["value", "best_input", "mean_input"]], strict=True))
    return [(way(*of), value) for *of, value in zip(rows["method"], rows["phi"], rows["value"], strict=True)]


def gain_tiles(answer: Answer) -> tuple[tuple[str, str, str], ...]:
    """Tiles for the first row."""
    row = answer.table.iloc[0]
    p, above = row["p_against_borda"], "–"
    if known(p):
        above = f"{'yes' if p < answer.params['level'] else 'not significantly'} (p {chance(p)})"
    borda = "One-tailed paired t-test: does the fused run score higher than Borda?"
    return (
        ("Fused run", figure_of(row["value"]), f"Mean score over {digits(row['n'], 'topic')}, with all judgments."),
        ("Best input", figure_of(row["best_input"]), f"{row['best']} has the highest mean of the inputs."),
        ("Mean of inputs", figure_of(row["mean_input"]), "Mean score of all inputs."),
        ("Better than simple voting?", above, f"{borda} (α = {level(answer.params['level'])})"),
    )


def topics(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """How far the fused run is above its best input, topic by topic."""
    rows = answer.table[answer.table["difference"].notna()]
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    shown = []
    for name, subset, role in (
        ("fused run higher or equal", rows[rows["difference"] >= 0], "good"),
        ("best input higher", rows[rows["difference"] < 0], "focus"),
    ):
        text = [
            f"topic {plotly(topic)}: fused {number(fused)}<br>best input {number(best)}, {plotly(who)}"
            for topic, fused, best, who in zip(
                subset["topic"], subset["fused"], subset["best_input"], subset["best"], strict=True
            )
        ]
        x = map(plotly, subset["topic"])
        shown.append(column(x, subset["difference"], look, role, name=name, text=text, textposition="none"))
    up = axis(look, f"{plotly(answer.params['metric'])}, fused − best input")
    return figure(shown, look, 340, topics_axis(look, len(rows)), up)


def by_count(answer: Answer, look: dict[str, Any], *, truth: dict[str, Any] | None = None) -> dict[str, Any]:
    """A line for each system: its score by the number of fused variations. truth : see `charts.strokes`; by names as
    in `points_of`"""
    titles = ("number of fused variations", plotly(answer.params["metric"]))
    whole = axis(look, titles[0], dtick=1)
    systems = list(dict.fromkeys(answer.table["system"]))
    words = dict(zip(systems, with_marks(systems, pinned_at(look, systems)), strict=True))
    of: dict[str, Any] = {"x": "count", "y": "value", "series": "system", "words": words.__getitem__}
    drawn = lines(answer.table, look, titles=titles, xaxis=whole, **of)
    if truth:
        names = [name for name, _ in points_of(answer)]
        texts = [f"{plotly(name)} fused: {number(truth['at'].get(name))} {truth['name']}" for name in names]
        marks = strokes(names, answer.table["count"], look, truth, rows={"text": texts}, lying=True, tall=12)
        drawn["data"] = [*marks, *drawn["data"]]
    return drawn


def points_of(answer: Answer) -> list[tuple[str, float]]:
    """Points of `by_count`: pairs of label and score."""
    rows = answer.table
    names = [f"{system}, {count}" for system, count in zip(rows["system"], rows["count"], strict=True)]
    return list(zip(names, rows["value"], strict=True))


def methods_by_count(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The mean score on the first metric by number of fused variations, with a line for each method."""
    rows = answer.table[answer.table["metric"] == answer.table["metric"].iloc[0]]
    rows = rows.assign(way=[way(method, phi) for method, phi in zip(rows["method"], rows["phi"], strict=True)])
    titles = ("number of fused variations", f"mean {plotly(rows['metric'].iloc[0])}")
    return lines(rows, look, x="count", y="value", series="way", titles=titles, xaxis=axis(look, titles[0], dtick=1))


def steps_of_fusion(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The mean score on the first metric of each step of fusion, method by method. A diamond is the maximum."""
    rows = answer.table[answer.table["metric"] == answer.table["metric"].iloc[0]]
    names = [f"{way(row.method, row.phi)}, {step}" for row in rows.itertuples() for step in STEPS.values()]
    values = [getattr(row, of) for row in rows.itertuples() for of in STEPS]
    highest = [getattr(row, f"{of}_max", None) for row in rows.itertuples() for of in STEPS]
    gains = [row.gain if of == "over_both" else None for row in rows.itertuples() for of in STEPS]
    picture = bars(names, values, look, title=f"mean {rows['metric'].iloc[0]}", ticks=".3f")
    picture["data"][0] |= {"name": "mean", "showlegend": True, "textposition": "none"}
    shown: dict[str, Any] = {"symbol": "diamond", "size": 10, "line": outlined(look), "cliponaxis": False}
    diamonds = points(highest, range(len(names)), look, "dot", name="maximum", hover="maximum: %{x:.3f}", **shown)
    texts = [
        f"{value:.3f}{f' ◆ {most:.3f}' if known(most) else ''}{f' ({gain:+.0%})' if known(gain) else ''}"
        for value, most, gain in zip(values, highest, gains, strict=True)
    ]
    picture["data"] += [diamonds, numbers_past(texts, values, highest, look)]
    picture["layout"]["xaxis"]["range"] = [0, 1.6 * max([0.01, *filter(known, [*values, *highest])])]
    return picture


STEPS = {"single": "no fusion", "over_variations": "variations", "over_systems": "systems", "over_both": "both"}
VIEWS = {
    "fusion_methods_by_count": View("Every method and number of variations", methods_by_count),
    "double_fusion": View("Every step of fusion", steps_of_fusion),
    "fuse": View("Fused ranking"),
    "fusion_scores": View("Gain from fusion", gains, gain_tiles),
    "fusion_by_count": View("By number of variations", by_count),
    "fusion_topics": View("Topics", topics),
}
