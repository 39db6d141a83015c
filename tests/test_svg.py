"""Pictures as SVG without a browser: every kind of mark, and names that stand as text."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

import evalcore
from tests.small import small_study
from ui.text.escape import plotly
from ui.views import VIEWS, theme
from ui.views.charts import strokes
from ui.views.svg import svg
from ui.views.traces import (
    axis,
    box,
    column,
    curve,
    few_rows_axis,
    figure,
    heat,
    level,
    log_axis,
    points,
    spans,
    upright,
)

LOOK = theme.look()
HOSTILE = ["<script>alert(1)</script>", "$x_1$", "&amp;", "a]]>b", "c\"d'", "\\frac{1}{0}", "<b>bold</b>", "日本"]


def texts(drawing):
    """All texts of an SVG, which must be XML."""
    return [
        "".join(node.itertext()) for node in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    ]


def drawn(data, xaxis=None, yaxis=None, **more):
    return svg(figure(data, LOOK, 300, xaxis or axis(LOOK, "x"), yaxis or axis(LOOK, "y"), **more), title="A title")


def test_names_stand_as_text():
    names = [plotly(name) for name in HOSTILE]
    bars = column(range(len(names)), range(len(names)), LOOK, "known", name=names[0], lying=True)
    said = texts(drawn([bars], yaxis=few_rows_axis(LOOK, names)))
    assert set(HOSTILE) <= set(said)
    drawing = drawn([bars], axis(LOOK, names[1]), few_rows_axis(LOOK, names)).decode()
    assert "<script" not in drawing
    assert "A title" in texts(drawing)


@pytest.mark.parametrize(
    "data",
    [
        [curve([1, 2, 3], [0.1, math.nan, 0.3], LOOK, "known", name="a"), curve([1, 2], [None, 1], LOOK, "dot")],
        [points([1, 2], [3, 4], LOOK, ["#FF0000", "#00FF00"], name="b", symbol="diamond-open", error_x=spans(
            [1, 2], [0, 1], [2, 3], LOOK, "possible"))],
        [column(["a", "b"], [1, 2], LOOK, "good", name="c"), column(["a", "c"], [2, 1], LOOK, "focus", name="d")],
        [box([1, 2, 3, 9], LOOK, "known", name="e", boxpoints="all"), box([], LOOK, "known", name="f")],
        [heat([[1, None], [0.5, 2]], LOOK, hover="", title="z", ticks=".0%", x=["a", "b"], y=["c", "d"]),
         points(["a", "b"], ["c", "d"], LOOK, "dot", mode="text", text=["1", "2"], textposition="middle center",
                textfont={"color": ["#000000", "#FFFFFF"]})],
        [heat([[0, 1]], LOOK, hover="", colorscale=[[0, "#000000"], [1, "rgba(1,2,3,.5)"]], zmin=0, zmax=1)],
        [points([], [], LOOK, "known", name="none")],
        strokes(["a", "b"], [1, 2], LOOK, {"name": "the truth", "at": {"a": 0.5}}, lying=True),
    ],
    ids=["lines", "dots", "bars", "boxes", "field", "given colours", "nothing", "strokes"],
)  # fmt: skip
def test_every_kind_of_mark_is_drawn(data):
    for mode in ("group", "stack", "overlay"):
        drawing = drawn(data, shapes=[upright(1, LOOK), level(0.5, LOOK)], barmode=mode)
        assert texts(drawing)
        named = {one["name"] for one in data if one.get("name") and one["type"] in ("scatter",) and one["x"]}
        assert named <= set(texts(drawing))


def test_axes_are_as_the_layout_says():
    line = curve([1, 10, 100], [0.25, 0.5, 0.75], LOOK, "known")
    across, up = log_axis(LOOK, "judgments", [1, 10, 100]), axis(LOOK, "share", tickformat=".0%", range=[0, 1])
    said = texts(drawn([line], across, up))
    assert {"1", "10", "100", "judgments", "share", "0%", "100%"} <= set(said)
    assert not any("mathdefault" in one for one in said)


@pytest.mark.parametrize("question", ["leaderboard", "scores", "judged", "leave_out", "pairs", "judgment_health"])
def test_the_pictures_of_pages_are_drawn(question):
    runs = {
        name: {t: {f"d{i}": 9.0 - i for i in range(n)} for t in ("t1", "t2")} for n, name in enumerate(HOSTILE[:4], 2)
    }
    study = small_study(runs, {t: {"d0": 1, "d1": 0, "d2": 2} for t in ("t1", "t2")}, pooled="all")
    params = {"systems": [HOSTILE[0]]} if question == "scores" else {}
    answer = evalcore.ask(study, question, **params)
    drawing = svg(VIEWS[question].figure(answer, LOOK), title=VIEWS[question].title)
    assert VIEWS[question].title in texts(drawing)
    assert b"<script" not in drawing


def test_the_same_picture_is_the_same_file():
    line = [curve([1, 2], [1, 2], LOOK, "known", name="a")]
    assert drawn(line) == drawn(line)


def test_names_that_a_browser_would_turn_are_turned():
    """The first of the angles that it may choose from."""
    field = [heat([[1, 2]], LOOK, hover="", x=["first", "second"], y=["a"])]
    across = axis(LOOK, autotickangles=[-25, -90], tickvals=[0, 1], ticktext=["first", "second"])
    assert "rotate(-25" in drawn(field, across).decode()
