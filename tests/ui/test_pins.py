"""Pinned systems are shown, named and outlined in pictures, marked in tables, and in the address on every page."""

from itertools import pairwise

import pandas as pd
import pytest

import evalcore
from evalcore.answers import Answer
from tests.small import small_study
from tests.ui.test_choice_line import said
from tests.ui.test_pages import opened, visit, went_well
from ui.views import VIEWS, charts, theme, traces
from ui.views.consistency import BESIDE_SCORE


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


def jumps(drawn, look):
    """Where dotted lines separate rows of a figure."""
    lines = [
        one for one in drawn["layout"].get("shapes", ()) if one["type"] == "line" and one.get("xref") == "x domain"
    ]
    assert all(one["line"] == {"color": look["quiet"], "width": 1.5, "dash": "dot"} for one in lines)
    assert "jumps" not in drawn["layout"]["yaxis"]
    return [one["y0"] for one in lines if one["y0"] == one["y1"]]


def test_a_line_separates_rows_that_are_not_neighbours():
    for pins, between in (((), []), (("s15",), [5.5]), (("s15", "s30"), [2.5, 5.5])):
        look = theme.look(rows=8, presented=False, pinned=pins)
        drawn = charts.intervals(board(30), look, label="system", measure="P@10")
        shown = [int(name[1:]) for name in drawn["data"][0]["customdata"]]
        gaps = [row + 0.5 for row, (one, then) in enumerate(pairwise(shown), 1) if then > one + 1]
        assert jumps(drawn, look) == gaps
        assert len(gaps) == len(between)
    in_full = theme.look(pinned=("s15",))
    assert not jumps(charts.intervals(board(30), in_full, label="system", measure="P@10"), in_full)


NAMES = [f"s{n}" for n in range(1, 6)]
HALF = [0.5] * 5
PAIRS = [(a, b) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]]
OF_PAIRS = {"a": [a for a, _ in PAIRS], "b": [b for _, b in PAIRS], "difference": [0.1] * 10}
OF_PAIRS |= {"settled": ["open"] * 10, "significant": [False] * 10, "p_corrected": [0.2] * 10, "p": [0.2] * 10}
OF_PAIRS |= {"significant_other_topics": [False] * 10, "extrapolated": [0.4] * 10}
SCORES = {"system": NAMES, "value": HALF, "value_other": HALF, "rank": HALF, "rank_other": HALF, "lower": HALF}
SCORES |= {"upper": HALF, "consistency": HALF, "topic": ["1"] * 5, "swapped": [0] * 5, "swapped_significant": [0] * 5}
SCORES |= {"reference": HALF, "reference_upper": HALF, "pooled": [True] * 5, "n": [3] * 5, "rho": HALF}
SCORES |= {"with": ["AP"] * 5, "alpha_ndcg": HALF, "err_ia": HALF, "subtopic_recall": HALF, "value_model": HALF}
SCORES |= {"value_people": HALF, "lower_people": HALF, "upper_people": HALF, "count": [1] * 5}
FRAMED = {  # question -> its table, and how many frames a pin has
    "pairs": (OF_PAIRS, 2), "tukey_pairs": (OF_PAIRS, 2), "rbo": (OF_PAIRS, 2), "consistency": (SCORES, 1),
    "diversity": (SCORES, 1), "people_plus_model": (SCORES, 1),
}  # fmt: skip
RINGED = "judge_systems", "system_estimates", "consistency_correlations"
ASKED = {"metric": "P@10", "model": "MD1", "phi": 0.9, "variations": False, "k": 10, "estimator": "rm"}
ASKED |= {"reference_depth": None}


def drawn_with(question, table, view=None, *, pinned=("s4",), **options):
    answer = Answer(pd.DataFrame(table), question, ASKED, (), "", (), {}, {})
    return (view or VIEWS[question]).figure(answer, theme.look(pinned=pinned), **options)


@pytest.mark.parametrize("question", FRAMED)
def test_a_pin_is_framed_where_systems_are_rows_or_columns(question):
    table, frames = FRAMED[question]
    drawn = drawn_with(question, table)
    framed = [one for one in drawn["layout"]["shapes"] if one["type"] == "rect"]
    assert len(framed) == frames
    assert "①" in str(drawn)
    first = 0 if question == "rbo" else 1  # the place of the first row
    for axis, frame in zip(("y", "x"), framed, strict=False):
        assert (frame[f"{axis}0"], frame[f"{axis}1"]) == (first + 2.5, first + 3.5)
        assert "pinned" not in drawn["layout"][f"{axis}axis"]
    assert "rect" not in str(drawn_with(question, table, pinned=())["layout"].get("shapes"))


@pytest.mark.parametrize(("n", "first"), [(charts.FEW_SYSTEMS, 1), (charts.FEW_SYSTEMS + 1, 0)])
def test_a_pin_is_marked_at_the_end_of_its_row_of_a_grid(n, first):
    """Of many systems, the places of a grid are counted from 0."""
    names = [f"s{n}" for n in range(n)]
    pairs = pd.DataFrame({"a": names[:1], "b": names[1:2], "difference": [0.1], "p": [0.2]})
    states = {"state": [0], "states": [("known", "known"), ("other", "grid")], "p": "p"}
    grid = charts.pair_squares(pairs, names, theme.look(pinned=("s7", "s9")), **states)
    assert [(note["text"], note["y"]) for note in grid["layout"]["annotations"]] == [("①", first + 7), ("②", first + 9)]
    frames = [one for one in grid["layout"]["shapes"] if one["yref"] == "y"]
    assert [(one["y0"], one["y1"]) for one in frames] == [(first + at - 0.5, first + at + 0.5) for at in (7, 9)]
    assert not charts.pair_squares(pairs, names, theme.look(), **states)["layout"]["annotations"]


@pytest.mark.parametrize("question", RINGED)
def test_a_pin_has_a_ring_where_systems_are_dots(question):
    drawn = drawn_with(question, SCORES)
    (ring,) = [one for one in drawn["data"] if one.get("text") == ["①"]]
    assert (ring["marker"]["symbol"], ring["marker"]["color"]) == ("circle-open", theme.look()["pin"])
    assert len(ring["x"]) == len(ring["y"]) == 1
    assert len(drawn_with(question, SCORES, pinned=())["data"]) == len(drawn["data"]) - 1


def test_a_pin_is_marked_where_consistency_is_beside_scores_and_in_a_legend():
    scores = dict.fromkeys(NAMES, 0.3)
    drawn = drawn_with("", SCORES, BESIDE_SCORE, scores=scores, metric="AP")
    assert [(one["x"], one["y"]) for one in drawn["data"] if one.get("text") == ["①"]] == [([0.5], [0.3])]
    assert [one["name"] for one in drawn_with("fusion_by_count", SCORES)["data"]][3] == "① s4"


def test_a_pin_is_marked_in_bars_of_systems_only():
    look = theme.look(pinned=("b",))
    systems, others = (charts.bars(["a", "b"], [1, 2], look, title="", of_systems=of) for of in (True, False))
    assert systems["layout"]["yaxis"]["ticktext"] == ["a", "① b"]
    assert [(one["y0"], one["y1"]) for one in systems["layout"]["shapes"]] == [(0.5, 1.5)]
    assert others["layout"]["yaxis"]["ticktext"] == ["a", "b"]
    assert "shapes" not in others["layout"]


def pair_of(app):
    """The two systems that are compared, and whether the line of choices says that somebody chose them."""
    return [app.get_by_key(key).value for key in ("system", "rival")], "**" in said(app, "system") + said(app, "rival")


def test_pinned_systems_are_compared_until_others_are_chosen(app):
    visit(app, "pages/compare.py", study="web")
    (best, second), _ = pair_of(app)
    for pinned, pair in (
        (["lumen-prf", "alder-bm25"], ["lumen-prf", "alder-bm25"]),
        (["lumen-prf"], ["lumen-prf", best]),
        (["alder-bm25", "indigo-dense", "lumen-prf"], ["alder-bm25", "indigo-dense"]),
        ([], [best, second]),
    ):
        went_well(app.multiselect(key="pin").set_value(pinned).run())
        assert pair_of(app) == (pair, False)
    went_well(app.selectbox(key="system").set_value("marble-prf").run())
    went_well(app.multiselect(key="pin").set_value(["lumen-prf", "alder-bm25"]).run())
    assert pair_of(app) == (["marble-prf", second], True)
    assert (app.query_params["system"], app.query_params["rival"]) == ("marble-prf", second)


def test_a_link_chooses_the_systems_to_compare_before_pins_do(app):
    visit(app, "pages/compare.py", study="web", pin=["lumen-prf", "alder-bm25"], system="indigo-dense")
    assert pair_of(app)[0] == ["indigo-dense", "lumen-prf"]
    app = opened("pages/compare.py", study="web", pin=["lumen-prf", "alder-bm25"])
    assert pair_of(app) == (["lumen-prf", "alder-bm25"], False)
    assert "system" not in app.query_params


@pytest.mark.parametrize(
    ("page", "key", "columns"),
    [
        ("judgments", "pool_audit", ["system"]),
        ("orderings", "swaps", ["better", "worse"]),
        ("confidence", "tukey_pairs", ["a", "b"]),
    ],
)
def test_tables_mark_pins_in_every_column_that_names_systems(page, key, columns):
    app = opened(f"pages/{page}.py", study="web", pin=["indigo-rerank"], open="tukey_pairs")
    app.session_state[f"fold-{key}"] = True
    went_well(app.run())
    (sheet,) = [frame.value for frame in app.dataframe if columns[-1] in frame.value]
    assert all("indigo-rerank" not in list(sheet[name]) for name in columns)
    assert any("① indigo-rerank" in list(sheet[name]) for name in columns)
