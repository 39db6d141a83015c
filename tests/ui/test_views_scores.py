"""The views of collections, scores and pool depth: figures that Plotly accepts, and findings that are true."""

import json
import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.colors import sample_colorscale

import evalcore
from evalcore import answers
from evalcore.answers import Answer
from evalcore.findings import FINDINGS
from evalcore.findings.conclusion import NOTHING, Conclusion
from evalcore.findings.pool_depth import at_each_depth
from evalcore.vocabulary import sentences as words
from evalcore.vocabulary.validation import EQUAL
from tests.small import small_study
from ui.components import choices, depth_slider
from ui.text import interval_labels
from ui.views import VIEWS, charts, theme, traces
from ui.views.data_overview import assumptions, by_check, in_sight, tiles_of
from ui.views.pool_depth import BY_DEPTH, tiles_at

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
KINDS = {"bounds": "RBP(p=0.8)", "guide": "AP", "point": "bpref"}
LOOK = LOOKS[0]


def answer(question, table, **params):
    return Answer(table, question, {"metric": "RBP(p=0.8)", **params}, (), "", (), {}, {})


def board(n=6, kind="bounds", **columns):
    names = (HOSTILE + [f"system {i}" for i in range(n)])[:n]
    values = [1 - i / (n + 1) for i in range(n)]
    ends = [NAN] * n if kind == "point" else [value + 0.1 for value in values]
    lowers = ends if kind == "point" else values
    table = pd.DataFrame({"system": names, "value": values, "lower": lowers, "upper": ends, "kind": kind})
    return with_leads(table).assign(upper_listed=table["upper"], value_final=table["value"] - 0.1).assign(**columns)


def pool(depths=5, *, bounded=True):
    depth = [*map(float, range(1, depths + 1)), NAN]
    part = [0.1 if bounded else NAN] * len(depth)
    more = {"pairs_decided": part, "mean_width": part, "tau": 1.0, "relevant": 3, "share_relevant": 0.5}
    more |= {"width_past_end": part, "change": -0.05, "inversions": 4, "inversions_of_top": 1}
    return answer("pool", pd.DataFrame({"depth": depth, "judgments": range(len(depth)), **more, "per_topic": 1.0}))


def documents(n=12):
    states = ["relevant", "not relevant", "pooled, not judged", "never pooled"]
    return pd.DataFrame(
        {
            "rank": range(1, n + 1), "document": (HOSTILE * n)[:n], "state": (states * n)[:n],
            "grade": ([1.0, 0.0, -1.0, NAN] * n)[:n], "value": 0.3, "lower": 0.1, "upper": 0.9,
        }
    )  # fmt: skip


def judged(systems=4, topics=3):
    names = (HOSTILE + [f"s{i}" for i in range(systems)])[:systems]
    rows = [(s, f"<b>{t}", 10, NAN if t == 1 else 0.5) for s in names for t in range(topics)]
    return answer("judged", pd.DataFrame(rows, columns=["system", "topic", "k", "judged"]), k=10)


def every_figure(look):
    for kind, metric in KINDS.items():
        for n in (0, 1, 6, 50, 143):
            yield VIEWS["leaderboard"].figure(answer("leaderboard", board(n, kind), metric=metric), look, focus="NA")
            topics = board(n, kind).rename(columns={"system": "topic"})
            yield VIEWS["scores"].figure(answer("scores", topics, metric=metric, estimator="rm"), look)
        yield VIEWS["pool"].figure(pool(), look, depth=2)
        for n in (0, 1, 12):
            yield VIEWS["ranking"].figure(answer("ranking", documents(n), metric=metric), look)
    yield VIEWS["pool"].figure(pool(1), look)
    yield VIEWS["pool"].figure(pool(60, bounded=False), look, depth=1)
    for panel in BY_DEPTH.panels:
        yield BY_DEPTH.figure(pool(), look, panel=panel)
    for shape in ((4, 3), (143, 30), (0, 0)):
        yield VIEWS["judged"].figure(judged(*shape), look)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_reaches_it_unescaped(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        shown = json.dumps([figure["layout"], *([trace.get(k) for k in ("name", "text")] for trace in figure["data"])])
        assert "<img" not in shown
        assert "<b>0" not in shown


# Intervals


def drawn(table, **more):
    return charts.intervals(table, LOOK, label="system", measure="AP", **more)


@pytest.mark.parametrize("kind", KINDS)
def test_only_bounds_are_drawn(kind):
    names = [trace["name"] for trace in drawn(board(kind=kind))["data"]]
    ends = [interval_labels.UNJUDGED, "known"]
    strokes = [interval_labels.TO_COME, interval_labels.ALL_JUDGMENTS]
    assert names == [*(ends if kind == "bounds" else strokes), "score"]


@pytest.mark.parametrize("kind", ["guide", "point"])
def test_a_stroke_stands_where_all_judgments_put_a_score(kind):
    line, stroke, dots = drawn(board(2, kind))["data"]
    assert dots["x"] == pytest.approx([1, 2 / 3])
    assert stroke["x"] == pytest.approx([0.9, 2 / 3 - 0.1])
    assert line["x"][:2] == pytest.approx([1, 0.9])
    still = board(2, kind).assign(value_final=[1, 2 / 3])
    assert [trace["name"] for trace in drawn(still)["data"]] == ["score"]


def test_what_lies_past_the_end_is_drawn_apart():
    past, possible, known, _ = drawn(board(2).assign(upper_listed=[1.05, 0.7]))["data"]
    named = [interval_labels.PAST_THE_END, interval_labels.UNJUDGED, "known"]
    assert [one["name"] for one in (past, possible, known)] == named
    assert (past["x"], possible["x"]) == (pytest.approx([1.1, 2 / 3 + 0.1]), [1.05, 0.7])
    assert past["width"] < possible["width"]  # told by more than its colour
    assert "0.0500 of it if rankings were longer" in past["text"][0]
    *_, dots = drawn(board(2).assign(upper_listed=[1.1 - 1e-5, 0.7]))["data"]
    assert ["rankings were longer" in text for text in dots["text"]] == [False, True]  # 0.0000 of it says nothing


def test_rows_stand_in_the_order_of_the_table():
    figure = drawn(board(6), focus="NA")
    *bars, dots, in_focus = figure["data"]
    assert all(rows["customdata"] == HOSTILE and rows["y"] == [1, 2, 3, 4, 5, 6] for rows in (*bars, dots))
    assert in_focus["customdata"] == ["NA"]
    assert in_focus["y"] == [1 + HOSTILE.index("NA")]
    axis = figure["layout"]["yaxis"]
    assert axis["range"][0] > axis["range"][1]
    assert dots["marker"]["color"] != in_focus["marker"]["color"] == LOOK["focus"]


def test_bars_reach_from_the_lower_to_the_upper_end():
    table = board(2)
    possible, known, _ = drawn(table)["data"]
    assert known["x"] == list(table["lower"])  # drawn over the other
    assert possible["x"] == list(table["upper"])


def test_many_rows_show_places_and_few_show_names():
    few, many = (drawn(board(n)) for n in (6, 143))
    assert len(few["layout"]["yaxis"]["ticktext"]) == 6
    places = [name.rpartition(" · ")[::2] for name in many["layout"]["yaxis"]["ticktext"][:3]]
    names = list(board(143)["system"])
    assert places == [(traces.labels(names, traces.WIDTH_OF_NAME)[n - 1], str(n)) for n in (1, 10, 20)]


def test_the_grid_puts_each_share_in_its_place():
    figure = VIEWS["judged"].figure(judged(2, 3), LOOK)
    assert figure["data"][0]["z"] == [[0.5, 0.5], [None, None], [0.5, 0.5]]


# One ranking


def test_a_document_stands_in_the_trace_of_its_state():
    figure = VIEWS["ranking"].figure(answer("ranking", documents(4)), LOOK)
    dots = {trace["name"]: trace["x"] for trace in figure["data"] if trace["mode"] == "markers"}
    assert dots == {"relevant": [1], "not relevant": [2], "pooled, not judged": [3], "never pooled": [4]}


@pytest.mark.parametrize(
    ("metric", "shown"), [("bpref", ["bpref"]), ("AP", ["AP"]), ("nDCG@5", ["upper bound", "lower bound"])]
)
def test_a_ranking_shows_its_ends_or_its_score(metric, shown):
    figure = VIEWS["ranking"].figure(answer("ranking", documents(4), metric=metric), LOOK)
    assert [trace["name"] for trace in figure["data"] if trace["mode"] == "lines"] == shown


# What several pictures share


def test_every_line_differs_in_more_than_its_colour():
    table = pd.DataFrame([(d, f"e{i}", 0.1) for d in (1, 2) for i in range(12)], columns=["depth", "guess", "rmse"])
    figure = charts.lines(table, LOOK, x="depth", y="rmse", series="guess", titles=("pool depth", "RMSE"))
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in figure["data"]}) == 12


def test_of_no_rows_none_is_named():
    assert traces.every_tenth({}) == {}


def test_bars_have_room_for_their_numbers_on_both_sides():
    left, right = charts.bars(list("abc"), [0.4, -0.1, NAN], LOOK, title="omega²")["layout"]["xaxis"]["range"]
    assert left < -0.1 < 0.4 < right
    assert charts.bars(["a"], [0.0], LOOK, title="omega²")["layout"]["xaxis"]["range"] == [0, 1]


@pytest.mark.parametrize(
    ("low", "less"), [(0, False), (0.6, True), (-1, False)], ids=["bright is high", "bright is low", "signed"]
)
def test_the_numbers_of_a_heatmap_can_be_read_on_their_cells(low, less):
    steps = [low + (1 - low) * i / 10 for i in range(11)]
    values = [steps[i:] + steps[:i] for i in range(11)]
    field, numbers = charts.square(list("abcdefghijk"), values, LOOK, title="tau", nearer_is_less=less)["data"]
    scale = field["colorscale"]
    cells = (z for row in values for z in row)
    for value, said, colour in zip(cells, numbers["text"], numbers["textfont"]["color"], strict=True):
        at = (value - field["zmin"]) / (field["zmax"] - field["zmin"])
        cell = sample_colorscale(scale, [1 - at if field.get("reversescale") else at], colortype="tuple")[0]
        white, black = 1.05 / (luminance(cell) + 0.05), (luminance(cell) + 0.05) / 0.05
        assert said == f"{value:.2f}".replace("0.", ".", 1)  # no value is 10 or more
        assert (white if colour == charts.WHITE else black) >= 4.5


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_the_names_of_regimes_have_two_lines_and_a_scale_is_no_wider_than_its_words():
    names, title = ["depth=5 | RBP(p=0.95) | rm", "AP"], "Weighted distance per pair"
    figure = charts.square(names, [[0.0, 0.1], [0.1, 0.0]], LOOK, title=title)
    assert figure["layout"]["yaxis"]["ticktext"] == ["depth=5 | RBP(p=0.95) |<br>rm", "AP"]
    assert figure["data"][0]["colorbar"]["title"]["text"] == "Weighted<br>distance per<br>pair"
    assert title in figure["data"][0]["hovertemplate"]


def test_a_cell_without_a_number_says_none():
    _, numbers = charts.square(["a", "b"], [[1.0, None], [NAN, 0.5]], LOOK, title="tau")["data"]
    assert (numbers["text"], numbers["x"], numbers["y"]) == (["1.00", ".50"], [0, 1], [0, 1])


@pytest.mark.parametrize(
    ("rows", "most", "focus", "shown"),
    [
        (3, None, 2, [0, 1, 2]), (3, 8, None, [0, 1, 2]), (20, 8, None, list(range(8))), (20, 8, 5, list(range(8))),
        (20, 8, 12, [0, 1, 2, 10, 11, 12, 13, 14]), (20, 8, 19, [0, 1, 2, 3, 4, 17, 18, 19]),
        (20, 8, 6, [0, 1, 2, 4, 5, 6, 7, 8]),
    ],
)  # fmt: skip
def test_before_an_audience_the_first_rows_are_shown_and_those_around_the_one_in_focus(rows, most, focus, shown):
    assert traces.few_of(rows, most, *([] if focus is None else [focus])) == shown


@pytest.mark.parametrize(
    ("spoken_of", "shown"),
    [
        ((0, 15), [0, 1, 2, 3, 4, 13, 14, 15, 16, 17]), ((9, 20), [0, 1, 2, 3, 8, 9, 10, 19, 20, 21]),
        ((0, 15, 30), [0, 1, 2, 3, 14, 15, 16, 29, 30, 31]), ((37, 38, 39), [0, 1, 2, 3, 4, 35, 36, 37, 38, 39]),
    ],
)  # fmt: skip
def test_before_an_audience_all_systems_that_are_spoken_of_are_shown(spoken_of, shown):
    assert traces.few_of(40, 10, *spoken_of) == shown


def test_of_many_rows_those_that_are_spoken_of_are_named():
    names = [f"s{place}" for place in range(1, 101)]
    shown = traces.rows_axis(theme.look(), names, spoken_of=[33, 36, 58])
    assert shown["tickvals"] == [1, 10, 20, 34.5, 50, 58, 70, 80, 90, 100]
    assert "<b>s33 · 33</b><br><b>s36 · 36</b>" in shown["ticktext"]
    assert "<b>s58 · 58</b>" in shown["ticktext"]
    assert min(b - a for a, b in pairwise(shown["tickvals"])) > traces.APART


@pytest.mark.parametrize("spoken_of", [[2, 3, 4, 7, 9], [1, 6, 12, 20], [40, 44, 49, 60], [98, 99, 100]])
def test_names_that_share_a_tick_overprint_no_other(spoken_of):
    shown = traces.rows_axis(theme.look(), [f"s{place}" for place in range(1, 101)], spoken_of=spoken_of)
    lines = [text.count("<br>") + 1 for text in shown["ticktext"]]
    half = [traces.APART * count / 2 for count in lines]
    ends = [(at - up, at + up) for at, up in zip(shown["tickvals"], half, strict=True)]
    assert all(above <= below for (_, above), (below, _) in pairwise(ends))
    assert all(top >= 0 for (top, _), count in zip(ends, lines, strict=True) if count > 1)
    assert {f"<b>s{one} · {one}</b>" for one in spoken_of} <= set("<br>".join(shown["ticktext"]).split("<br>"))


def test_rows_that_leave_others_out_say_their_places():
    names = [f"s{place}" for place in range(1, 31)]
    values = [1 - place / 40 for place in range(30)]
    board = pd.DataFrame({"system": names, "value": values, "lower": values, "upper": values, "upper_listed": values})
    board = board.assign(kind="bounds")
    look = theme.look(large=True, rows=12)
    shown = charts.intervals(board, look, label="system", measure="P@10", focus="s20")
    assert shown["layout"]["yaxis"]["ticktext"][6:] == ["7  s7", "18  s18", "19  s19", "20  s20", "21  s21", "22  s22"]
    assert shown["data"][-1]["customdata"] == ["s20"]
    assert shown["data"][-1]["y"] == [10]
    everyone = charts.intervals(board, theme.look(), label="system", measure="P@10", focus="s20")
    assert list(everyone["layout"]["yaxis"]["ticktext"]) == names
    assert shown["layout"]["yaxis"]["title"]["text"] == "12 of 30 systems"
    assert "title" not in everyone["layout"]["yaxis"]


def test_a_picture_is_as_tall_as_its_names_need():
    """Every name in full size, up to the pixels that there are; never less than fewer rows have."""
    look = theme.look()
    heights = [traces.rows_height(n, look) for n in range(1, traces.NAMES_UP_TO + 1)]
    assert heights == sorted(heights)
    for n, height in enumerate(heights, 1):
        size = traces.size_of_names(n, look)
        assert size * n <= height - traces.FRAME or n < 3
        assert size == look["text"] or height >= traces.ROWS_TALL


@pytest.mark.parametrize("n", [2, 13, 38, traces.NAMES_UP_TO])
def test_large_names_are_large_and_do_not_touch(n):
    look = theme.look(large=True)
    names = [f"s{i}" for i in range(n)]
    size = traces.rows_axis(look, names)["tickfont"]["size"]
    assert size >= 15
    assert size * n <= traces.rows_height(n, look) - traces.FRAME
    sides = [dict(zip(names, range(1, n + 1), strict=True))] * 2
    layout = charts.slopes(*sides, look, names=("a", "b"))["layout"]
    assert layout["yaxis"]["tickfont"]["size"] >= 15
    assert layout["yaxis"]["tickfont"]["size"] * n <= layout["height"] - 126


# The live picture


def with_leads(table):
    """A table of scores with who could still be first, by their intervals alone."""
    by = table["depth"].fillna(-1).to_numpy() if "depth" in table else np.zeros(len(table))
    best, reach = (table.groupby(by)[name].transform("max") for name in ("value", "lower"))
    states = np.where(best - table["value"] < 1e-9, "leads", np.where(table["upper"] >= reach - EQUAL, "yes", "no"))
    return table.assign(could_lead=states)


def sweep(kind="bounds", metric="RBP(p=0.8)"):
    rows = [
        (system, depth, value, value, min(1, value + 0.5 / (depth or 3)))
        for system, value in (("<b>A", 0.5), ("B", 0.30005))
        for depth in (1.0, 2.0, None)
    ]
    table = pd.DataFrame(rows, columns=["system", "depth", "value", "lower", "upper"]).assign(kind=kind)
    table = table if kind != "point" else table.assign(lower=NAN, upper=NAN)
    return answer("depth_sweep", with_leads(table).assign(upper_listed=table["upper"] - 0.1), metric=metric)


def test_the_live_picture_gets_all_depths_at_once():
    content = depth_slider.payload(sweep(), pool(2), dot="AP, rm", pooled=["B"])
    assert content["stages"] == [1, 2, "all"]
    assert content["labels"] == ["1", "2", "all judgments"]
    assert content["systems"] == ["<b>A", "B"]
    assert content["pooled"] == [0, 1]
    assert content["value"] == [[5000, 3000]] * 3
    assert content["place"] == [[1, 2]] * 3
    assert (content["best"][0], content["worst"][0]) == ([1, 1], [2, 2])
    assert content["upper"][0] == [10000, 8001]
    assert content["upper_listed"][0] == [9000, 7001]
    assert content["pastEnd"]
    assert content["rivals"] == [[1], [1], []]  # in the end B reaches .467, below A
    where = ("at depth 1", "at depth 2", "with all judgments")
    assert all(words in text[0] for text, words in zip(content["findings"], where, strict=True))
    assert [dict(tile[:2] for tile in tiles)["Judgments"] for tiles in content["tiles"]] == ["0", "1", "2"]
    json.dumps(content)


@pytest.mark.parametrize("kind", ["guide", "point"])
def test_the_live_picture_without_intervals(kind):
    content = depth_slider.payload(sweep(kind), pool(2, bounded=False), dot="AP", pooled=[])
    assert content["lower"] == content["upper"] == content["upper_listed"] == [[None, None]] * 3
    assert [content["interval"], content["pastEnd"]] == [False, False]
    assert "NaN" not in json.dumps(content)


def swept(*rows, kind="bounds"):
    table = pd.DataFrame(rows, columns=["system", "value", "lower", "upper"]).assign(kind=kind, depth=None)
    told = answer("depth_sweep", with_leads(table).assign(upper_listed=table["upper"]), metric="RBP(p=0.8)")
    return depth_slider.payload(told, pool(0), dot="RBP(p=0.8)", pooled=[])


def test_the_places_of_the_live_picture_are_those_of_the_scores_and_not_of_what_is_drawn():
    tied = ("a", 0.40001, 0.4, 0.50002), ("b", 0.40003, 0.4, 0.6)  # in what is drawn
    content = swept(*tied, ("c", NAN, NAN, NAN), ("d", 0.7, 0.50003, 0.8))
    assert content["place"] == [[3, 2, None, 1]]
    assert content["best"] == [[2, 1, None, 1]]
    assert content["worst"] == [[3, 3, None, 2]]
    assert [content["value"][0][0], content["upper"][0][0]] == [4000, 5001]
    guides = swept(("a", 0.4, 0.4, 0.5), kind="guide")
    assert guides["place"] == [[1]]
    assert not {"best", "worst"} & set(guides)


@pytest.mark.parametrize("score", [0.60446, 0.0625, 0.0025, 0.60404, 0.6046, 0.9996, 1.0, 0.0, 1e-5])
def test_scores_of_the_live_picture_have_the_digits_of_the_tables(score):
    """0.60446 is .604 in tables; rounded to four digits and then to three it would be .605."""
    content = swept(("a", score, score, score))
    assert f"{content['value'][0][0] / depth_slider.UNIT:.3f}" == f"{score:.3f}"
    assert content["value"][0][0] % 10 != 5  # which JavaScript may round otherwise
    assert words.at_least(score) == words.score(content["lower"][0][0] // 10 / 1000)
    assert words.at_most(score) == words.score(-(-content["upper"][0][0] // 10) / 1000)


def test_the_key_follows_the_content():
    payloads = (depth_slider.payload(sweep(metric=m), pool(2), dot=m, pooled=[]) for m in ("AP", "AP", "RR"))
    one, again, other = (payload["key"] for payload in payloads)
    assert one == again != other


def test_the_live_script_sets_names_as_text_only():
    code = "".join(Path(depth_slider.__file__).with_name(name).read_text("utf-8") for name in depth_slider.SCRIPTS)
    assert "innerHTML" not in code
    assert "http" not in code.replace("http://www.w3.org/2000/svg", "")


# ---- The finding at a depth


def at_depth(*rows, depth=10.0, kind="bounds", judgments=13100, metric="P@10", final=()):
    table = pd.DataFrame(rows, columns=["system", "value", "lower", "upper"]).assign(depth=depth, kind=kind)
    end = pd.DataFrame(final or rows, columns=table.columns[:4]).assign(depth=NAN, kind=kind)
    swept = with_leads(pd.concat([table, end] if depth == depth else [table]))
    stages = [judgments, 84000] if depth == depth else [judgments]
    return at_each_depth(swept, {"metric": metric}, pd.DataFrame({"judgments": stages}))[0]


def test_many_systems_at_a_depth():
    told = at_depth(("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.65), ("C", 0.1, 0.1, 0.2))
    facts = {"decided": 2 / 3, "leaders": ["A"], "others": 1, "depth": 10, "judgments": 13100, "total": 84000}
    assert told.facts.items() >= facts.items()
    assert "67%" in told.headline
    assert ".600–.700" in told.detail


def test_intervals_that_just_meet_still_overlap():
    told = at_depth(("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.6), ("C", 0.5, 0.5, 0.6), ("D", 0, 0, 0.1))
    assert told.facts["others"] == 2


@pytest.mark.parametrize(("upper", "words"), [(0.55, "is certain"), (0.65, "two systems overlap")])
def test_two_systems_at_a_depth(upper, words):
    told = at_depth(("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, upper), judgments=1)
    assert "the two systems" in told.headline
    assert words in told.headline
    assert told.facts["others"] == (upper > 0.6)


def test_where_all_intervals_overlap_no_order_is_certain():
    told = at_depth(("A", 0.6, 0.6, 0.9), ("B", 0.5, 0.5, 0.8), ("C", 0.4, 0.4, 0.7), depth=NAN)
    assert "with all judgments" in told.headline
    assert "certain" not in told.headline
    assert told.facts.items() >= {"decided": 0, "others": 2}.items()
    assert "depth" not in told.facts


def test_all_tied():
    rows = [(name, 0.5, 0.5, 0.7) for name in "ABC"]
    assert at_depth(*rows).detail.startswith("All 3 systems")  # there are no others
    assert "others" not in at_depth(*rows).facts
    assert at_depth(*rows[:2], ("C", 0.4, 0.4, 0.6)).facts.items() >= {"leaders": ["A", "B"], "others": 1}.items()


def test_one_system_at_a_depth():
    assert ".600–.700" in at_depth(("A", 0.6, 0.6, 0.7)).headline
    assert "exactly .600" in at_depth(("A", 0.6, 0.6, 0.6)).headline


@pytest.mark.parametrize("kind", ["guide", "point"])
def test_without_bounds_a_depth_says_how_far_scores_move(kind):
    rows = [("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.55), ("C", 0.4, 0.4, 0.65)]
    final = [("A", 0.4, 0, 0), ("B", 0.45, 0, 0), ("C", 0.3, 0, 0)]
    told = at_depth(*rows, kind=kind, metric="AP", final=final)
    assert told.facts.items() >= {"leaders": ["A"], "moved": pytest.approx(0.35 / 3), "swaps": 1, "top": 3}.items()
    assert "lowers" in told.detail
    assert "1 pair" in told.detail
    assert "raises" in at_depth(*final, kind=kind, metric="AP", final=rows).detail
    still = at_depth(*rows, kind=kind, metric="AP")
    assert "unchanged" in still.detail
    assert "no pair" in still.detail
    assert not at_depth(*rows, kind=kind, metric="AP", depth=NAN).detail


def test_no_score():
    assert "no score" in at_depth(("A", NAN, NAN, NAN)).headline


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_who_reaches_the_leader_is_counted_right(ends):
    rows = [(f"s{i}", min(pair), min(pair), max(pair)) for i, pair in enumerate(ends)]
    best = max(value for _, value, _, _ in rows)
    reach = sum(upper >= best - EQUAL for _, _, _, upper in rows) - 1
    if sum(value > best - 2e-9 for _, value, _, _ in rows) == 1:
        assert at_depth(*rows).facts["others"] == reach


def test_numbers_of_a_depth():
    assert [value for _, value, _ in tiles_at(pool().table.iloc[0])] == [".100", "0", "3"]
    narrow = pool().table.iloc[0].copy()
    narrow["mean_width"] = 0.0901  # as sentences write it
    assert tiles_at(narrow)[0][1] == ".0901"
    assert [value for _, value, _ in tiles_at(pool(bounded=False).table.iloc[0])] == ["−.050", "4", "0", "3"]


def test_depths_are_spaced_where_each_is_scored_anew():
    study = small_study({"s": {"t": {f"d{i}": 40.0 - i for i in range(40)}}}, {"t": {f"d{i}": 1 for i in range(40)}})
    assert choices.depths(study, "P@5") == [*range(1, 41), None]
    assert choices.depths(study, "AP") == [1, 2, 3, 5, 7, 10, 20, 30, 40, None]


# ---- The findings on scores


def finding(question, table, **asked):
    asked = {"metric": "P@10", "unjudged": "irrelevant", "depth": None, "judgments": None} | asked
    return FINDINGS[question](table, asked, None)


def leaders(*rows, kind="bounds"):
    table = pd.DataFrame(rows, columns=["system", "value", "lower", "upper"])
    table = table.assign(kind=kind, n=50, rank_best=1, rank_worst=len(rows), group="", pooled=True)
    return with_leads(table).assign(upper_listed=table["upper"], value_final=table["value"])


@pytest.mark.parametrize(
    ("could_lead", "others", "words"),
    [
        (["yes", "yes"], 2, "only B and C might overtake it"),
        (["yes", "no"], 1, "only B might overtake it"),
        (["no", "no"], 0, "no further judging can"),
        (["past the end", "no"], 0, "no further judging can"),
    ],
)
def test_who_could_lead(could_lead, others, words):
    table = leaders(("A", 0.604, 0.604, 0.665), ("B", 0.5, 0.5, 0.62), ("C", 0.1, 0.1, 0.2))
    told = finding("leaderboard", table.assign(could_lead=["leads", *could_lead]))
    past = could_lead.count("past the end")
    assert told.facts.items() >= {"leaders": ["A"], "others": others, "only_past_end": past, "value": 0.604}.items()
    assert words in told.headline
    assert ".604–.665" in told.headline
    assert ("rankings were longer" in told.detail) == bool(past)


def test_leaders_that_tie():
    rows = [("A", 0.5, 0.5, 0.6), ("B", 0.5, 0.5, 0.6)]
    three = leaders(*rows, ("C", 0.1, 0.1, 0.2))
    assert finding("leaderboard", three).facts.items() >= {"leaders": ["A", "B"], "others": 0, "value": 0.5}.items()
    assert finding("leaderboard", leaders(*rows)).headline.startswith("Both systems score .500")
    for rest in ({"kind": "guide"}, {"kind": "point", "lower": NAN, "upper": NAN}):
        told = finding("leaderboard", three.assign(**rest))
        assert told.facts["leaders"] == ["A", "B"]
        assert "others" not in told.facts


def test_what_unfilled_ranks_leave_open_is_said():
    table = leaders(("A", 0.5, 0.5, 0.6), ("B", 0.4, 0.4, 0.48)).assign(upper_listed=[0.55, 0.47])
    told = finding("leaderboard", table)
    assert told.facts.items() >= {"width": pytest.approx(0.09), "past": pytest.approx(0.03)}.items()
    assert ".0300" in told.detail
    hardly = finding("leaderboard", table.assign(upper_listed=table["upper"] - 1e-5))
    assert "under .0001" in hardly.detail


def test_an_estimate_is_shown_with_the_interval_that_it_lies_in():
    told = finding("leaderboard", leaders(("A", 0.8, 0.6, 0.9), ("B", 0.7, 0.5, 0.85)), depth=5, estimator="rm")
    assert [number for number in (".800", ".600", ".900") if number not in told.headline] == []


@pytest.mark.parametrize("kind", ["guide", "point"])
def test_without_bounds_a_leader_is_shown_with_how_far_scores_move(kind):
    two = leaders(("A", 0.6, 0.6, 0.7), ("B", 0.1, 0.1, 0.2), kind=kind).assign(value_final=[0.5, 0.1])
    assert "no exact bounds" in finding("leaderboard", two, metric="AP").detail
    removed = finding("leaderboard", two, unjudged="condensed").detail
    assert removed.startswith("With unjudged documents removed")  # P@10 itself has bounds
    told = finding("leaderboard", two, metric="AP", judgments=1000)
    assert told.facts.items() >= {"leaders": ["A"], "moved": pytest.approx(0.05), "swaps": 0, "top": 2}.items()
    alone = finding("leaderboard", two[:1], metric="AP", judgments=1000)
    assert "A scores .600" in alone.headline
    assert not alone.detail


def test_nothing_to_lead():
    assert "no score" in finding("leaderboard", leaders()).headline
    assert "no score" in finding("leaderboard", leaders(("A", NAN, NAN, NAN))).headline


def test_numbers_of_a_leaderboard():
    def tiles(table, **asked):
        return [value for _, value, _ in VIEWS["leaderboard"].tiles(answer("leaderboard", table, **asked))]

    assert tiles(leaders(("A", 0.5, 0.5, 0.6)).assign(upper_listed=0.58)) == ["1", "50", ".0800", ".0200"]
    assert tiles(leaders()) == ["0", "0"]
    assert tiles(leaders(), judgments=9) == ["0", "0", "–"]
    uneven = leaders(("A", 0.5, NAN, NAN), ("B", 0.4, NAN, NAN), kind="point").assign(n=[50, 48])
    assert tiles(uneven.assign(value_final=[0.4, 0.2]), depth=5) == ["2", "48–50", "−.150"]
    assert tiles(uneven.assign(value_final=uneven["value"])) == ["2", "48–50"]


def topics(*rows, kind="bounds"):
    return pd.DataFrame(rows, columns=["topic", "value", "lower", "upper"]).assign(system="A", kind=kind)


def test_topics_of_a_system():
    told = finding("scores", topics(("301", 0.9, 0.9, 0.9), ("302", 0.1, 0.1, 0.5)))
    ends = {"best": "301", "best_value": 0.9, "worst": "302", "worst_value": 0.1, "widest": "302"}
    assert told.facts.items() >= (ends | {"width": pytest.approx(0.4), "systems": ["A"]}).items()
    alone = finding("scores", topics(("301", 0.9, 0.9, 1)))
    assert "ranges" not in alone.headline
    assert alone.facts["width"] == pytest.approx(0.1)
    same = finding("scores", topics(("301", 0.9, 0.9, 1), ("302", 0.1, 0.1, 0.2)))
    assert same.facts["widest_topics"] == 2
    assert "2 topics" in same.detail
    points = finding("scores", topics(("1", 0.3, NAN, NAN), ("2", 0.2, NAN, NAN), kind="point"), depth=5)
    assert not points.detail
    assert "width" not in points.facts
    tied = finding("scores", topics(("1", 1, 1, 1), ("2", 1, 1, 1), ("3", 0.99998, 0.9, 1)))
    assert tied.facts.items() >= {"best_topics": 2, "worst": "3"}.items()
    assert "over .999" in tied.headline
    for none in (topics(), topics(("1", NAN, NAN, NAN))):
        assert "no score" in finding("scores", none).headline


def test_topics_of_several_systems():
    table = topics(("301", 0.9, 0.9, 0.9), ("302", 0.1, 0.1, 0.5)).assign(system=["A", "B"])
    assert finding("scores", table).facts.items() >= {"systems": ["A", "B"], "worst": "302"}.items()
    one = finding("scores", table.assign(topic="301"))
    assert one.headline.count("301") == 1
    assert ".100" in one.headline
    assert "301" not in one.detail


def test_queries_of_a_system():
    queries = topics(("1", 0.0, 0.0, 0.5), ("1", 1.0, 1.0, 1.0), ("1", 1.0, 1.0, 1.0), ("2", 0.0, 0.0, 0.5))
    queries.insert(2, "query", ["1.v1", "1.v2", "1.v3", "2.v1"])  # of a topic that has both a 0 and a 1
    told = finding("scores", queries)
    assert told.facts.items() >= {"best_queries": 2, "worst_queries": 2, "widest_queries": 2}.items()
    assert "topic" not in str(told)
    one = finding("scores", queries[2:].assign(upper=[1.0, 0.1]))
    assert one.facts.items() >= {"best": "1.v3", "worst": "2.v1", "widest": "2.v1"}.items()


def ranked(*states, value=0.2, lower=0.2, upper=0.6):
    ends = {"value": value, "lower": lower, "upper": upper}
    return pd.DataFrame({"rank": range(1, len(states) + 1), "state": states, **ends})


def test_one_ranking():
    yes, no, unknown = "relevant", "not relevant", "never pooled"
    of = {"system": "A", "topic": "7", "query": None}
    told = finding("ranking", ranked(yes, unknown, no), depth=5, **of)
    facts = {"system": "A", "topic": "7", "top": 3, "relevant": 1, "unjudged": 1, "rank": 3}
    assert told.facts.items() >= facts.items()
    assert ".200–.600" in told.detail
    asked = {**of, "query": "7-2"}
    told = finding("ranking", ranked(unknown, "pooled, not judged", no), **asked)
    assert told.facts.items() >= {"query": "7-2", "relevant": 0, "unjudged": 2}.items()
    assert "None of the top 3" in told.headline
    assert "topic" not in told.headline
    assert "None of the top 2" in finding("ranking", ranked(unknown, unknown), **of).headline
    one = finding("ranking", ranked(yes, lower=NAN, upper=NAN), metric="bpref", **of)
    assert "is relevant" in one.headline
    assert one.detail == "bpref is .200."
    assert "empty" in finding("ranking", ranked(), **of).headline
    assert "–" not in finding("ranking", ranked(yes, no), metric="AP", **of).detail


def test_ties():
    table = pd.DataFrame({"system": ["A", "B"], "lowest": [0.1, 0.3], "value": [0.2, 0.3], "highest": [0.4, 0.3]})
    facts = {"system": "A", "value": 0.2, "lowest": 0.1, "highest": 0.4}
    assert finding("ties", table).facts.items() >= (facts | {"moving": 1}).items()
    both = finding("ties", table.assign(highest=[0.4, 0.5]))
    assert both.facts.items() >= (facts | {"moving": 2}).items()
    hardly = finding("ties", table.assign(lowest=[0.1996, 0.3], highest=[0.2004, 0.3]))
    assert "No score" in hardly.detail
    assert hardly.facts["moving"] == 1
    tried = finding("ties", table, metric="infAP")  # a better document further up may lower it
    assert "at least 1 system" in tried.headline
    assert "found" in tried.detail
    assert "orders tried" in finding("ties", table[1:], metric="infAP").headline
    none = finding("ties", table[1:])
    assert "no system" in none.headline
    assert "tried" not in none.headline
    assert none.facts["moving"] == 0


def test_rows_of_names_that_are_cut_can_be_told_apart():
    names = [f"baselineterrierBM25spam{n}_EN_Run1" for n in (80, 90)]
    look = theme.look()
    for axis in (traces.rows_axis(look, names), traces.names_axis(look, names, "system", longest=16)):
        assert len(set(axis["ticktext"])) == 2
    places = {name: place for place, name in enumerate(names, 1)}
    slopes = charts.slopes(places, places, look, names=("one", "other"))["layout"]
    square = charts.square(names, [[1, 0], [0, 1]], look, title="tau")["layout"]["xaxis"]
    bars = charts.bars(names, [0.1, 0.2], look, title="tau")["layout"]["yaxis"]
    for axis in (slopes["yaxis"], slopes["yaxis2"], square, bars):
        assert len(set(axis["ticktext"])) == 2


def test_what_a_metric_does_with_unjudged_documents_is_stated_only_for_those_that_do_it():
    """bpref skips them, and infAP infers their relevance."""
    not_relevant = "unjudged documents counted as not relevant"
    assert not_relevant in interval_labels.KINDS["guide"].seen
    assert not_relevant not in interval_labels.KINDS["point"].seen


@pytest.mark.parametrize("metric", ["RBP(p=0.8)", "P@1", "SDCG@20", "RR", "INST(T=2)", "nDCG(log=10)@5"])
def test_orderings_is_stated_to_decide_more_only_for_metrics_where_it_does(metric):
    weighted = evalcore.metric(metric).weighted
    row = interval_labels.of_metric("bounds", evalcore.metric(metric))
    assert (row.pairs == interval_labels.KINDS["bounds"].pairs) == weighted
    assert (row.pairs == interval_labels.ONLY_INTERVALS) != weighted
    a, b = ({topic: {"d": 2.0, other: 1.0} for topic in "tu"} for other in "ef")
    study = small_study({"a": a, "b": b}, {topic: {"x": 1, "e": 1} for topic in "tu"})
    assert bool(evalcore.ask(study, "pairs", metric=metric).finding.caveats) != weighted
    assert interval_labels.of_metric("guide", evalcore.metric("AP")) == interval_labels.KINDS["guide"]


# ---- The findings on a collection


def test_documents_are_counted_in_every_ranking_and_nothing_is_compared_with_itself():
    one = small_study({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"t": {"x": 1, "y": 0}}, pooled="all")
    told = {question: evalcore.ask(one, question).finding for question in ("systems", "topics", "leaderboard")}
    assert told["systems"].facts == {"systems": 1, "documents": 2, "pooled": 1, "judged_at_10": 0.2}
    assert "all" not in str(told["systems"])
    assert "their" not in str(told["systems"])
    assert told["topics"].facts.items() >= {"topics": 1, "judgments": 2, "relevant": 1}.items()
    assert not told["topics"].detail
    assert told["leaderboard"].facts.items() >= {"width": pytest.approx(0.64), "past": pytest.approx(0.64)}.items()
    assert not evalcore.ask(one, "leaderboard", metric="P@2").finding.detail
    two = small_study({"a-1": {"t-1": {"x": 1.0}}, "b": {"t-1": {"x": 1.0}, "t-2": {"x": 1.0}}}, {"t": {"x": 1}})
    assert evalcore.ask(two, "systems").finding.facts["documents"] == 3


@pytest.mark.parametrize(
    ("pooled", "words"),
    [(["a", "b", "c"], "all contributed"), (["a", "b"], "2 contributed"), (["a"], "1 contributed"), ([], "none")],
)
def test_who_contributed_is_counted(pooled, words):
    study = small_study({name: {"t": {"x": 1.0}} for name in "abc"}, {"t": {"x": 1}}, pooled=["a", "b", "c"])
    table = evalcore.ask(study, "systems").table
    told = FINDINGS["systems"](table.assign(pooled=table["system"].isin(pooled)), {}, study)
    assert words in told.headline


@pytest.mark.parametrize(
    ("judged", "words"),
    [
        ([3, 1, 2], "Topic t1 has the fewest judged documents: 1."),
        ([3, 1, 1], "The smallest number per topic is 1, shared by several topics."),
        ([2, 2, 2], "Each topic has 2 judged documents."),
        ([2, 0, 0], "2 other topics have no judgment."),
        ([2, 1, 0], "1 other topic has no judgment."),
    ],
)
def test_the_topic_with_the_fewest_judgments(judged, words):
    table = pd.DataFrame({"topic": ["t0", "t1", "t2"], "judged": judged, "relevant": 1})
    told = finding("topics", table)
    assert told.detail == words
    assert ("fewest" in told.facts) == ("fewest" in words)


def test_whether_the_data_are_ready():
    study = small_study({"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 1.0}}}, {"t": {"x": 1, "y": 0}})

    def told(*severities):
        found = [(severity, f"check {n}", "", "", f"This is no. {n}.") for n, severity in enumerate(severities, 1)]
        columns = ["severity", "check", "system", "topic", "message"]
        return FINDINGS["findings"](pd.DataFrame(found, columns=columns), {}, study)

    assert told("warning", "note").facts.items() >= {"errors": 0, "warnings": 1, "check": "check 1"}.items()
    assert told("error", "warning", "warning").facts.items() >= {"errors": 1, "warnings": 2, "others": 2}.items()
    assert "Not ready" in told("error", "warning").headline
    assert "Not ready" not in told("warning").headline
    assert told("note", "warning", "error").detail == "This is no. 2."  # the table has the gravest first
    assert told("error", "note").detail == "This is no. 1."
    assert told("note").headline.startswith("Ready:")
    assert not told("note").detail


@pytest.mark.parametrize(
    ("k", "shares", "words"),
    [
        (10, [0.5, 1.0], "75% of the top 10"), (1, [0.001], "<1% of first ranks "), (10, [], "every run is empty"),
        (10, [0.5, 0.0], "25% of the top 10"),
    ],
)  # fmt: skip
def test_how_much_of_the_top_is_judged(k, shares, words):
    study = small_study({"a": {"t": {"x": 1.0}}}, {"t": {"x": 1}})
    table = pd.DataFrame({"judged": shares, "topic": ["t"] * len(shares)})
    assert words in FINDINGS["judged"](table, {"k": k}, study).headline
    unjudged = small_study({"a": {"t": {"x": 1.0}}}, {})
    assert "judged topics" not in FINDINGS["judged"](table, {"k": k}, unjudged).headline


SHARE = "Share of ranks with a judged document (Judged@10), averaged over systems and"


def test_rankings_of_topics_without_judgments_do_not_count():
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}, "u": {"x": 1.0}}, "b": {"t": {"y": 1.0}}}
    study = small_study(runs, {"t": {"x": 1, "y": 0}})
    answers = [evalcore.ask(study, question) for question in ("systems", "topics")]
    judged = evalcore.ask(study, "judged", k=10)
    assert judged.finding.facts["judged"] == pytest.approx(0.15)
    assert tiles_of(*answers, judged)[-1][1:] == ("15%", f"{SHARE} judged topics.")


def test_numbers_of_the_data_page():
    systems = answer("systems", pd.DataFrame({"system": [0, 1], "pooled": True}))
    topics = answer("topics", pd.DataFrame({"topic": [0, 1], "judged": [100, 20], "relevant": 1}))
    shares = answer("judged", pd.DataFrame({"topic": [0, 1], "judged": [0.5, 1.0]}), k=10)
    shares = replace(shares, finding=Conclusion("", facts={"judged": 0.625}))  # the tile says what the finding says
    assert [value for _, value, _ in tiles_of(systems, topics, shares)] == ["2", "2", "120", "62%"]
    assert tiles_of(systems, topics, shares)[0][2] == "Contributing to the pool: 2."
    one = answer("systems", systems.table.assign(pooled=[True, False]))
    assert tiles_of(one, topics, shares)[0][2] == "Contributing to the pool: 1."
    of_queries = replace(shares, table=shares.table.assign(query=["0-1", "0-2"]))
    assert tiles_of(systems, topics, of_queries)[-1][2] == f"{SHARE} queries."
    topics.table["judged"] = [100, 0]
    assert tiles_of(systems, topics, of_queries)[-1][2] == f"{SHARE} queries of judged topics."
    assert tiles_of(systems, topics, shares)[-1][1:] == ("62%", f"{SHARE} judged topics.")
    topics.table["judged"] = 0  # where none is, all count
    assert tiles_of(systems, topics, shares)[-1][1:] == ("62%", f"{SHARE} topics.")
    assert tiles_of(systems, topics, replace(shares, finding=NOTHING))[-1][1] == "–"


@pytest.mark.parametrize(
    ("severities", "lines"), [("", 3), ("n", 3), ("nnnnn", 3), ("wwwww", 5), ("ewnnn", 3), ("wwnwnn", 4), ("wnnnw", 5)]
)
def test_a_note_above_a_warning_is_in_sight(severities, lines):
    names = {"e": "error", "w": "warning", "n": "note"}
    assert in_sight(pd.DataFrame({"severity": [names[one] for one in severities]})) == lines


def test_findings_by_check():
    rows = [("warning", "ties", "A", "A is tied."), ("warning", "ties", "B", "B is.")]
    table = pd.DataFrame([*rows, ("note", "assumed", "", "Gains are linear.")])
    table = table.set_axis(["severity", "check", "system", "message"], axis=1).assign(topic="413")
    assert by_check(table)["message"].tolist() == ["A is tied. (1 more like it: B.)"]
    many = pd.concat([table.iloc[:1].assign(system=name) for name in "ABCDE"])
    assert by_check(many)["message"].tolist() == ["A is tied. (4 more like it: B, C, D, …)"]
    assert assumptions(table) == ["Gains are linear."]


def test_a_check_of_several_runs_is_one_line():
    rows = [("A", 3), ("B", 1224), ("C", 1), ("D", 2)]
    table = pd.DataFrame(rows, columns=["system", "count"]).assign(severity="warning", topic="", message="So.")
    repeated = by_check(table.assign(check="duplicate documents"))["message"]
    assert list(repeated) == ["4 runs (A, B, C, …) repeat documents. The most affected: B (1,224 lines)."]
    short = by_check(table.assign(check="short lists", message=table["system"] + ": 10 documents."))["message"]
    said = "4 runs (A, B, C, …) have far shorter rankings than the others. For example: A: 10 documents."
    assert list(short) == [said]
    topics = table.assign(check="topic cut short", system="", topic=["1", "2", "3", "4"]).iloc[:2]
    fewer = "2 topics (1, 2) have a far smaller share of their pool judged than other topics. For example: So."
    assert list(by_check(topics)["message"]) == [fewer]


def test_a_notebook_is_given_the_figure():
    study = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}})
    shown = evalcore.ask(study, "leaderboard")._repr_mimebundle_()
    assert shown["application/vnd.plotly.v1+json"]["data"]
    undrawn = next(question for question in ("ties", "systems", "topics") if VIEWS[question].figure is None)
    assert "application/vnd.plotly.v1+json" not in evalcore.ask(study, undrawn)._repr_mimebundle_()


def test_what_draws_is_found_where_it_is_installed(monkeypatch):
    """Without an import: by the entry points of pyproject.toml."""

    class Point:
        def load(self):
            answers.DRAWN_BY.append(lambda answer: {"data": [answer.question]})

    study = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}})
    monkeypatch.setattr(answers, "DRAWN_BY", [])
    monkeypatch.setattr(answers, "entry_points", lambda group: [Point()] if group == "poolscope.figures" else [])
    assert evalcore.ask(study, "leaderboard").figure() == {"data": ["leaderboard"]}
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert [*project["entry-points"]["poolscope.figures"].values()] == ["ui.views"]


def test_the_legend_of_many_rows_has_marks_that_are_seen():
    table = pd.DataFrame({"system": [f"S{n}" for n in range(143)], "value": 0.5, "kind": "point"})
    layout = charts.intervals(table, LOOK, label="system", measure="AP")["layout"]
    assert layout["legend"]["itemsizing"] == "constant"


def test_the_live_figure_has_plain_and_exact_sentences():
    """The exact ones are for a saved picture, and for one alone in another site's frame."""
    content = depth_slider.payload(sweep("guide", "AP"), pool(2, bounded=False), dot="AP", pooled=[])
    exact, plain = (content[name][0] for name in ("findings", "plain"))
    assert exact[0].startswith("<b>A leads on AP at depth 1, ")
    assert plain[0] == "At depth 1, <b>A leads with .500 of 1."
