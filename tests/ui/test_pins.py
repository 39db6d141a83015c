"""Pinned systems are shown, named and outlined in pictures, marked in tables, and in the address on every page."""

import pandas as pd
import pytest

import evalcore
from tests.small import small_study
from tests.ui.test_choice_line import said
from tests.ui.test_pages import opened, visit, went_well
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


def test_a_pin_travels_from_page_to_page_and_marks_tables(app):
    visit(app, "pages/scores.py", study="web", pin=["lumen-prf", "alder-bm25"], open="ties")
    assert app.multiselect(key="pin").value == ["lumen-prf", "alder-bm25"]
    systems = [frame.value["system"] for frame in app.dataframe if "system" in frame.value]
    assert any("① lumen-prf" in list(names) and "② alder-bm25" in list(names) for names in systems)
    visit(app, "pages/confidence.py")
    assert app.query_params["pin"] == ["lumen-prf", "alder-bm25"]
    went_well(app.multiselect(key="pin").set_value([]).run())
    assert "pin" not in app.query_params


def test_the_line_of_choices_says_what_is_pinned(app):
    visit(app, "pages/scores.py", study="web")
    assert said(app, "pin") == "find a system"
    for pinned, words in (
        (["lumen-prf"], "**① lumen\\-prf**"),
        (["lumen-prf", "alder-bm25"], "**① lumen\\-prf ② alder\\-bm25**"),
        (["lumen-prf", "alder-bm25", "indigo-dense"], "**3 systems pinned**"),
        ([], "find a system"),
    ):
        went_well(app.multiselect(key="pin").set_value(pinned).run())
        assert said(app, "pin") == words


@pytest.mark.parametrize("page", ["start", "methods", "report"])
def test_a_page_without_a_line_knows_the_pins_of_its_link(page):
    app = opened(f"pages/{page}.py", study="web", pin=["lumen-prf", "alder-bm25"])
    assert not [one.value for one in app.warning]
    assert app.query_params["pin"] == ["lumen-prf", "alder-bm25"]
    assert page != "report" or app.session_state["_pin"] == ["lumen-prf", "alder-bm25"]
    visit(app, "pages/scores.py", study="web")
    assert app.multiselect(key="pin").value == ["lumen-prf", "alder-bm25"]


def test_a_pin_that_is_not_there_is_said_once(app):
    app = opened("pages/scores.py", study="web", pin=["lumen-prf", "nobody"])
    (said_of_link,) = [one.value for one in app.warning]
    assert said_of_link.count("nobody") == 1
    assert app.query_params["pin"] == "lumen-prf"


def drawn_systems(app):
    """The systems of each picture of the page that names some, by its key."""
    pictures = app.session_state["_note"]["pictures"]
    drawn = {
        name: make(look=theme.look(rows=app.session_state["_few-rows"])) for name, (_, _, make) in pictures.items()
    }
    names = {name: [one for trace in of["data"] for one in trace.get("customdata") or ()] for name, of in drawn.items()}
    return {name: set(map(str, of)) for name, of in names.items() if of}


def test_figures_show_the_systems_that_are_left(app):
    visit(app, "pages/scores.py", study="web")
    every = set(evalcore.open_study("sample_data/web/runs", "sample_data/web/qrels.txt").systems)
    assert drawn_systems(app)["leaderboard"] == every
    finding = next(iter(app.session_state["_note"]["findings"].values()))
    app.multiselect(key="only").set_value(["group alder", "group lumen"])
    app.multiselect(key="hide").set_value(["alder-bm25"])
    went_well(app.multiselect(key="pin").set_value(["indigo-dense"]).run())
    left = {name for name in every if name.startswith(("alder-", "lumen-"))} - {"alder-bm25"} | {"indigo-dense"}
    assert drawn_systems(app)["leaderboard"] == left
    assert f"Figures show {len(left)} of {len(every)} systems." in [one.value for one in app.caption]
    assert next(iter(app.session_state["_note"]["findings"].values())) == finding
    (_, board) = app.session_state["_note"]["tables"]["leaderboard"]
    assert len(board.table) == len(every)
    visit(app, "pages/confidence.py")
    assert app.query_params["only"] == ["group alder", "group lumen"]
    assert app.query_params["hide"] == "alder-bm25"
    assert all(of <= left for name, of in drawn_systems(app).items() if of & every)


def test_a_figure_shows_so_many_systems_as_are_asked_for(app):
    visit(app, "pages/scores.py", study="web", most="10")
    assert len(drawn_systems(app)["leaderboard"]) == 10
    went_well(app.selectbox(key="most").set_value("all").run())
    assert len(drawn_systems(app)["leaderboard"]) == 38


@pytest.mark.parametrize("rows", [None, 8])
def test_a_pinned_line_between_two_orderings_is_marked_and_outlined(rows):
    left = {f"s{n:02}": n for n in range(1, 31)}
    right = {name: 31 - rank for name, rank in left.items()}
    look = theme.look(rows=rows, presented=False, pinned=("s14",))
    drawn = charts.slopes(left, right, look, names=("a", "b"))
    outline = drawn["data"][0]
    assert outline["line"]["color"] == look["pin"]
    for axis, place in zip(("yaxis", "yaxis2"), outline["y"][:2], strict=True):
        named = dict(zip(drawn["layout"][axis]["tickvals"], drawn["layout"][axis]["ticktext"], strict=True))
        assert named[place].endswith("① s14")
    without = charts.slopes(left, right, theme.look(rows=rows, presented=False), names=("a", "b"))
    assert len(without["data"]) == len(drawn["data"]) - 1
