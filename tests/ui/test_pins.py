"""Pinned systems are shown, named and outlined in pictures, marked in tables, and in the address on every page."""

import pandas as pd
import pytest

import evalcore
from tests.small import small_study
from tests.ui.test_pages import app, visit, went_well  # noqa: F401
from ui.views import VIEWS, charts, theme, traces


def board(n):
    names = [f"s{place:02}" for place in range(1, n + 1)]
    values = [1 - place / 200 for place in range(n)]
    ends = {"lower": values, "upper": values, "upper_listed": values}
    return pd.DataFrame({"system": names, "value": values, **ends, "kind": "bounds", "value_final": values})


@pytest.mark.parametrize(("n", "rows"), [(30, None), (30, 8), (90, None), (90, 20)])
def test_a_pinned_row_is_shown_named_and_outlined(n, rows):
    pins = ("s27", "s03")
    look = theme.look(rows=rows, presented=False, pinned=pins)
    drawn = charts.intervals(board(n), look, label="system", measure="P@10")
    axis = drawn["layout"]["yaxis"]
    named = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    shown = list(drawn["data"][0]["customdata"])
    assert len(shown) == (rows or n)
    for pin, mark in zip(pins, traces.PINS, strict=False):
        row = shown.index(pin) + 1
        assert f"{mark} {pin}" in named[row]
        (frame,) = [one for one in drawn["layout"]["shapes"] if one["type"] == "rect" and one["y0"] == row - 0.5]
        assert (frame["y1"], frame["line"]["color"]) == (row + 0.5, look["pin"])
    assert "pinned" not in axis
    without = charts.intervals(board(n), theme.look(rows=rows, presented=False), label="system", measure="P@10")
    assert "shapes" not in without["layout"]


def test_a_pinned_column_of_a_map_is_named_and_outlined():
    runs = {f"s{n:02}": {"t": {"a": 1.0}} for n in range(60)}
    answer = evalcore.ask(small_study(runs, {"t": {"a": 1}}), "judged", k=5)
    names = list(dict.fromkeys(answer.table["system"]))
    drawn = VIEWS["judged"].figure(answer, theme.look(pinned=("s37",)))
    at = names.index("s37")
    axis = drawn["layout"]["xaxis"]
    assert dict(zip(axis["tickvals"], axis["ticktext"], strict=True))[at] == "①s37"
    assert [(one["x0"], one["x1"]) for one in drawn["layout"]["shapes"]] == [(at - 0.5, at + 0.5)]


def test_a_pin_travels_from_page_to_page_and_marks_tables(app):  # noqa: F811
    app.query_params["study"], app.query_params["pin"] = "web", ["lumen-prf", "alder-bm25"]
    app.query_params["open"] = "ties"
    visit(app, "pages/scores.py")
    assert app.multiselect(key="pin").value == ["lumen-prf", "alder-bm25"]
    systems = [frame.value["system"] for frame in app.dataframe if "system" in frame.value]
    assert any("① lumen-prf" in list(names) and "② alder-bm25" in list(names) for names in systems)
    visit(app, "pages/confidence.py")
    assert app.query_params["pin"] == ["lumen-prf", "alder-bm25"]
    went_well(app.multiselect(key="pin").set_value([]).run())
    assert "pin" not in app.query_params
