"""Views of consistency: whether a system answers the same need the same way."""

from collections.abc import Sequence
from typing import Any

from evalcore.answers import Answer
from ui.text.escape import labels, plotly
from ui.views.charts import bars, square, strokes
from ui.views.traces import (
    WIDTH_OF_NAME,
    axis,
    box,
    figure,
    number,
    outlined,
    points,
    rings,
    rows_axis,
    spans,
    topics_axis,
)
from ui.views.view import View

FEW = 12  # systems with room for every dot and name


def boxes(answer: Answer, look: dict[str, Any], *, order: Sequence[str] | None = None) -> dict[str, Any]:
    """A box for each system over its topics, and its mean. order : the systems, first on top; None = as in the table"""
    names = list(order or dict.fromkeys(answer.table["system"]))
    known = answer.table[answer.table["consistency"].notna()]
    drawn = []
    for place, name in enumerate(names, 1):
        rows = known[known["system"] == name]
        drawn.append(
            box(
                rows["consistency"], look, "known", name=plotly(name, WIDTH_OF_NAME), y=[place] * len(rows),
                line={"width": 1.5}, marker={"color": look["dot"], "size": 4}, hoverinfo="x+text", jitter=0.4,
                boxpoints="all" if len(names) <= FEW else "outliers",
                text=[f"topic {plotly(topic)}" for topic in rows["topic"]],
            )
        )  # fmt: skip
    means = known.groupby("system")["consistency"].mean().reindex(names)
    drawn.append(
        points(
            means, range(1, len(names) + 1), look, "focus", name="mean over topics", symbol="diamond", size=10,
            line=outlined(look), hover="<b>%{text}</b><br>mean over topics %{x:.3f}", text=list(map(plotly, names)),
        )
    )  # fmt: skip
    height, along = 130 + 46 * min(max(len(names), 1), 14), axis(look, "consistency", range=[0, 1.02])
    return figure(drawn, look, height, along, rows_axis(look, names))


def by_topic(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A dot for each topic: the mean over systems, with one standard deviation [BMST17, figure 3]."""
    rows = answer.table[answer.table["consistency"].notna()]
    more = [
        f"<br>range {number(low)}–{number(high)}<br>n = {n} systems"
        for low, high, n in zip(rows["lowest"], rows["highest"], rows["n"], strict=True)
    ]
    return _with_deviation(rows, look, "mean over systems, ± 1 standard deviation", more)


def topics_of_system(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A dot for each topic of one system: the mean over query variations, with one standard deviation [BMST17, fig. 2].
    answer : to `consistency`, of one system"""
    rows = answer.table[answer.table["consistency"].notna()]
    rows = rows.sort_values("consistency", ascending=False, kind="stable")
    more = [f"<br>n = {n} different rankings" for n in rows["variations"]]
    return _with_deviation(rows, look, "mean over query variations, ± 1 standard deviation", more)


def _with_deviation(rows, look, name, more):
    middle, sd = rows["consistency"], rows["sd"]
    dots = points(
        map(plotly, rows["topic"]), list(middle), look, "known", name=name, size=8, showlegend=True,
        hover="topic %{x}: %{y:.3f} ± %{text}", text=[number(d) + m for d, m in zip(sd, more, strict=True)],
        error_y=spans(list(middle), middle - sd, middle + sd, look, "known", thickness=1.5),
    )  # fmt: skip
    return figure([dots], look, 340, topics_axis(look, len(rows)), axis(look, "consistency", range=[0, 1.05]))


def correlations(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A dot for each system and attribute of topics: its correlation with consistency, the strongest on top."""
    known = answer.table[answer.table["rho"].notna()]
    means = known.groupby("with")["rho"].mean()
    names = list(means.sort_values(key=abs, ascending=False, kind="stable").index)
    places = {name: place for place, name in enumerate(names, 1)}
    dots = points(
        known["rho"], [places[name] for name in known["with"]], look, "known", name="one system", size=8,
        hover="<b>%{text}</b><br>ρ %{x:.3f}",
        text=[f"{plotly(name)} (n = {n} topics)" for name, n in zip(known["system"], known["n"], strict=True)],
    )  # fmt: skip
    mean = points(
        [means[name] for name in names], list(places.values()), look, "focus", name="mean over systems",
        symbol="diamond", size=10, line=outlined(look), hover="<b>%{text}</b><br>mean ρ %{x:.3f}",
        text=list(map(plotly, names)),
    )  # fmt: skip
    along = axis(look, "Spearman's ρ over topics", range=[-1.05, 1.05], zeroline=True)
    around = rings(look, known["system"], dots["x"], dots["y"])
    return figure([dots, *around, mean], look, 150 + 34 * len(names), along, rows_axis(look, names))


def beside_score(
    answer: Answer, look: dict[str, Any], *, scores: dict[str, float], metric: str, truth: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A dot for each system by its consistency and its score, labelled while they are few. scores : system -> score;
    truth : see `charts.strokes`"""
    rows = answer.table[answer.table["system"].isin(scores)]
    names, measure = labels(list(rows["system"]), WIDTH_OF_NAME), plotly(metric)
    dots = points(
        rows["consistency"], [scores[name] for name in rows["system"]], look, "known", text=names, size=10,
        hover=f"<b>%{{text}}</b><br>consistency %{{x:.3f}}<br>{measure} %{{y:.3f}}", textposition="top center",
        cliponaxis=False, textfont={"size": look["text"], "color": look["dot"]},
    )  # fmt: skip
    dots["mode"] = "markers+text" if len(names) <= FEW else "markers"
    marks = _marked(rows, look, truth) if truth else []
    around = rings(look, rows["system"], dots["x"], dots["y"])
    return figure([*marks, dots, *around], look, 380, axis(look, "mean consistency"), axis(look, measure))


def _marked(rows, look, truth):
    """A horizontal tick above or below each dot: the score with complete judgments."""
    names = list(rows["system"])
    texts = [f"{plotly(name)}: {number(truth['at'].get(name))} {truth['name']}" for name in names]
    return strokes(names, rows["consistency"], look, truth, rows={"text": texts}, lying=True, tall=12)


def overlaps(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The mean RBO of every two systems, as a square; of the variations of each system, as bars."""
    phi = answer.params["phi"]
    if answer.params["variations"]:
        means = answer.table.groupby("system", sort=False)["extrapolated"].mean().dropna()
        means = means.sort_values(ascending=False)
        return bars(
            list(means.index), list(means), look, title=f"mean RBO of two variations (phi = {phi:g})", ticks=".2f",
            of_systems=True,
        )  # fmt: skip
    means = answer.table.groupby(["a", "b"], sort=False)["extrapolated"].mean()
    names = list(dict.fromkeys([*answer.table["a"], *answer.table["b"]]))
    values = {(name, name): 1.0 for name in names} | means.to_dict() | means.swaplevel().to_dict()
    cells = [[values[a, b] for b in names] for a in names]
    return square(names, cells, look, title=f"mean RBO (phi = {phi:g})", of_systems=True)


SHOWN = "Mean consistency of each topic, with its standard deviation over systems."
TOPICS_OF_SYSTEM = View("Topics of one system", topics_of_system)
BESIDE_SCORE = View("Consistency and score", beside_score)
VIEWS = {
    "rbo": View("Pairs of rankings", overlaps, shows="The mean overlap (RBO) of the rankings of every two systems."),
    "consistency": View("Systems and topics", boxes),
    "consistency_of_systems": View("Systems"),
    "consistency_of_topics": View("Topics", by_topic, shows=SHOWN),
    "consistency_pairs": View("System pairs: paired t-test over topics"),
    "consistency_correlations": View("What consistency correlates with: Spearman's ρ over topics", correlations),
    "topic_agreement": View("Agreement of topics"),
    "oracle_variation": View("Best query variation"),
}
