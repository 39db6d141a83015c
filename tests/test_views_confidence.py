"""The faces of confidence: figures that Plotly accepts, and sentences that are true."""

import json

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.asking import Answer
from evalcore.questions import QUESTIONS
from evalcore.questions.confidence import undefined_changes
from ui import kinds, theme
from ui.views import VIEWS
from ui.views.confidence import numbers_of

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
LOOK = LOOKS[0]
ASKED = {"metric": "AP", "model": "MD6", "shards": 5, "resamples": 10, "method": "tukey", "level": 0.05}


def answer(question, table, **params):
    return Answer(table, question, ASKED | params, (), "", (), {}, {})


def finding(question, table, **params):
    return str(QUESTIONS[question].finding(table, ASKED | params, None))


def drawn(question, table, look=LOOK, *, panel=None, **params):
    choices = {"panel": panel} if panel else {}
    return VIEWS[question].figure(answer(question, table, **params), look, **choices)


def names(n):
    return (HOSTILE + [f"system {i}" for i in range(n)])[:n]


def board(n=6, kind="tukey"):
    values = [1 - i / (n + 1) for i in range(n)]
    table = pd.DataFrame({"system": names(n), "value": values, "rank": range(1, n + 1), "kind": kind})
    return table.assign(
        lower=table["value"] - 0.1, upper=[value + 0.1 for value in values], in_top_group=table.index < 2
    )


def ranks(n=6):
    table = pd.DataFrame({"system": names(n), "rank": range(1, n + 1), "kind": "bootstrap"})
    return table.assign(lower=[1 + i // 2 for i in range(n)], upper=table["rank"] + 1)


def compared(*models, **columns):
    table = pd.DataFrame({"model": models, "share_significant": 0.5, "width_tukey": 0.02, "omega2_system": NAN})
    return table.assign(significant=3.0, top_group=1.5, tau=0.9, undefined=0.0, **columns)


def effects(*shares, model="MD6"):
    named = ["topic", "system", "error", "total"]
    return pd.DataFrame({"model": model, "effect": named, "share": [*shares, sum(shares)]})


def pairs(n=4):
    rows = [(a, b, 0.1, 0.01, i == 0) for i, a in enumerate(names(n)) for b in names(n)[i + 1 :]]
    return pd.DataFrame(rows, columns=["a", "b", "difference", "p", "significant"])


def stability(*shards, low=0.8, common=0.8):
    ends = {f"{name}{end}": low for name in ("tau", "width", "significant") for end in ("_low", "_high")}
    return pd.DataFrame({"shards": shards, "tau": 0.95, "width": 0.9, "significant": 7.0, **ends, "common": common})


def every_figure(look):
    for n in (0, 1, 6, 143):
        for model in ("MD1", "MD6"):
            yield drawn("system_intervals", board(n), look, model=model)
        yield drawn("rank_intervals", ranks(n), look)
        yield drawn("tukey_pairs", pairs(n), look)
    for models in ((), ("MD1",), ("MD1", "MD6")):
        for panel in VIEWS["models"].panels:
            yield drawn("models", compared(*models), look, panel=panel)
    for part in (0.2, NAN):
        yield drawn("anova", effects(part, 0.3, 0.5), look)
    for panel in VIEWS["shard_stability"].panels:
        for low in (0.8, NAN):
            yield drawn("shard_stability", stability(2, 5, low=low), look, panel=panel)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_reaches_it_unescaped(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        shown = [trace.get(key) for trace in figure["data"] for key in ("name", "text", "hovertemplate")]
        assert "<img" not in json.dumps([figure["layout"], shown])


# Intervals


@pytest.mark.parametrize("kind", ["tukey", "sem", "anova", "bootstrap"])
@pytest.mark.parametrize("n", [1, 6])  # all in the top group, and not all
def test_the_legend_names_the_kind_once(kind, n):
    traces = drawn("system_intervals", board(n, kind))["data"]
    in_legend = [trace["name"] for trace in traces if trace.get("showlegend", True) and len(trace["x"])]
    assert in_legend.count(kinds.label(kind)) == 1


def test_a_system_stands_in_its_row_and_in_its_group():
    traces = drawn("system_intervals", board(4))["data"]
    dots = {trace["name"]: (trace["y"], trace["marker"]) for trace in traces if trace["mode"] == "markers"}
    assert [places for places, _ in dots.values()] == [[1, 2], [3, 4]]
    assert [marker["symbol"] for _, marker in dots.values()] == ["diamond", "circle"]
    assert list(dots) == ["in the top group", "others"]
    stretches = [trace["x"] for trace in traces if trace["mode"] == "lines" and len(trace["x"]) > 1]
    assert stretches[0] == pytest.approx([0.9, 1.1, None, 0.7, 0.9, None])


@pytest.mark.parametrize(("model", "title"), [("MD1", "AP, MD1, not cut"), ("MD6", "AP, MD6, 5 shards")])
def test_the_axis_says_how_the_documents_were_cut(model, title):
    figure = drawn("system_intervals", board(2), model=model)
    assert figure["layout"]["xaxis"]["title"]["text"] == title


def test_systems_that_may_rank_first_are_in_focus():
    traces = drawn("rank_intervals", ranks(4))["data"]
    dots = {trace["name"]: trace["x"] for trace in traces if trace["mode"] == "markers"}
    assert dots == {"may rank first": [1, 2], "others": [3, 4]}


# Models, effects, pairs, partitions


def test_the_model_that_is_chosen_is_in_focus():
    view = VIEWS["models"]
    figure = view.figure(answer("models", compared("MD1", "MD6")), LOOK, panel="width_tukey", focus="MD6")
    assert figure["data"][0]["marker"]["color"] == [LOOK["known"], LOOK["focus"]]
    assert figure["layout"]["xaxis"]["title"]["text"] == view.panels["width_tukey"]


def test_the_effects_are_those_of_the_last_model():
    table = pd.concat([effects(0.9, 0.1, 0.0, model="MD1"), effects(0.2, 0.3, 0.5)], ignore_index=True)
    bars = drawn("anova", table)["data"][0]
    assert (bars["text"], bars["x"]) == (["topic", "system", "error"], [0.2, 0.3, 0.5])


def test_a_pair_stands_on_both_sides_of_the_diagonal_and_systems_in_their_order():
    table = pairs(3)
    field = VIEWS["tukey_pairs"].figure(answer("tukey_pairs", table), LOOK, order=names(3)[::-1])["data"][0]
    assert field["z"] == [[None, 1, 0], [1, None, 0], [0, 0, None]]
    assert drawn("tukey_pairs", table)["data"][0]["z"] == [[None, 0, 0], [0, None, 1], [0, 1, None]]


def test_a_mean_over_partitions_has_its_interval():
    line = drawn("shard_stability", stability(2, 5), panel="tau")["data"][0]
    assert line["x"] == ["2", "5"]
    assert line["error_y"]["arrayminus"] == pytest.approx([0.15, 0.15])
    single = drawn("shard_stability", stability(2, low=NAN), panel="tau")["data"][0]
    assert single["error_y"]["array"] == single["error_y"]["arrayminus"] == [0]


@pytest.mark.parametrize(("model", "over"), [("MD1", False), ("MD6", True)])
def test_the_numbers_of_a_model(model, over):
    numbers = numbers_of(compared(model).iloc[0])
    assert [value for _, value, _ in numbers] == ["3", "1.5", ".020", "–"]
    assert all(("random cuts" in note) == over for _, _, note in numbers)


# Sentences


@pytest.mark.parametrize(
    ("significant", "params", "sentence"),
    [
        ([True, True, False], {}, "MD6 tells 67% of pairs apart on one cut of the documents into 5 shards."),
        ([True, False], {"model": "MD1"}, "MD1 tells 50% of pairs apart on the whole collection."),
        ([False], {"shards": 2}, "MD6 tells 0% of pairs apart on one cut of the documents into 2 shards."),
        ([True], {"model": "MD1", "method": "randomised"},
         "Random exchanges of scores tell 100% of pairs apart on the whole collection."),
    ],
)  # fmt: skip
def test_pairs_told_apart(significant, params, sentence):
    assert finding("tukey_pairs", pd.DataFrame({"significant": significant}), **params) == sentence


@pytest.mark.parametrize(
    ("ranks", "top", "sentence"),
    [
        ([1, 2, 3], 1, "By MD6, 1 of 3 systems belongs to the group that cannot be told apart from the best, a."),
        ([1, 2, 3], 3, "By MD6, 3 of 3 systems belong to the group that cannot be told apart from the best, a."),
        (
            [1, 1, 3, 4],
            3,
            "By MD6, 3 of 4 systems belong to the group that cannot be told apart from the best, a and b.",
        ),
    ],
)
def test_who_cannot_be_told_apart_from_the_best(ranks, top, sentence):
    table = pd.DataFrame({"system": list("abcd")[: len(ranks)], "rank": ranks})
    assert finding("system_intervals", table.assign(in_top_group=table.index < top)) == sentence


def test_what_sharding_buys():
    table = compared("MD1", "MD6").assign(share_significant=[0.41, 0.72], tau=[1.0, 0.95])
    whole = "MD1 tells 41% of pairs apart on the whole collection"
    over = "MD6 tells 72% of pairs apart over 5 shards (mean of ten random cuts), and its ordering has a mean tau of "
    over += ".950 with that of the whole."
    assert finding("models", table) == f"{whole}; {over}"
    assert finding("models", table[:1]) == f"{whole}."
    assert finding("models", table[1:], resamples=1) == over.replace("ten random cuts", "one random cut")


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ([0.5, 0.2, 0.3], "By MD6, 50% of the variance lies in topics and 30% in what no effect explains."),
        ([0.0, 1.0, 0.0], "By MD6, 100% of the variance lies in systems and 0% in topics."),
        ([NAN, NAN, NAN], "All scores are the same, so there is no variance to divide."),
    ],
)
def test_where_the_variance_lies(shares, sentence):
    assert finding("anova", effects(*shares)) == sentence


def test_how_much_depends_on_the_partition():
    table = stability(2, 10).assign(tau=[0.99, 0.97])
    order = "The ordering has a mean tau of .970 or more with that of the whole (10 shards)"
    assert finding("shard_stability", table) == (
        f"{order}; 80% of the significant pairs there are significant on every partition."
    )
    assert finding("shard_stability", table.assign(common=NAN)) == f"{order}."
    assert finding("shard_stability", table[1:].assign(tau=0.9699, common=NAN)) == order.replace("970", "969") + "."


@pytest.mark.parametrize(
    ("rank", "lower", "upper", "sentence"),
    [
        ([1, 2, 3], [1, 1, 2], [2, 3, 3],
         "a, first on these topics, might rank as low as 2 on others; two intervals reach first place."),
        ([1, 2], [1, 2], [1, 2],
         "a, first on these topics, might rank as low as 1 on others; one interval reaches first place."),
        ([1, 1], [1, 1], [2, 3],
         "a and b, first on these topics, might rank as low as 3 on others; two intervals reach first place."),
        ([1, 2], [2, 2], [4, 4],
         "a, first on these topics, might rank as low as 4 on others; no intervals reach first place."),
        ([NAN], [1], [1], "No system has a score here."),
        ([], [], [], "No system has a score here."),
    ],
)  # fmt: skip
def test_ranks_on_other_topics(rank, lower, upper, sentence):
    table = pd.DataFrame({"system": list("abc")[: len(rank)], "rank": rank, "lower": lower, "upper": upper})
    assert finding("rank_intervals", table) == sentence


def test_what_undefined_cells_change():
    before = compared("MD1", "MD5", "MD6").assign(significant=[3.0, 5.0, 7.0], undefined=[0, 4, 4])
    after = before.assign(significant=[3.0, 6.0, 7.0])
    changes = undefined_changes(before, after, 0.5)
    assert str(changes) == (
        "On average 4 shards of topics hold no relevant document. With 0.5 there in place of 0, one model tells "
        "another number of pairs apart (MD5)."
    )
    assert changes.facts == {"cells": 4, "value": 0.5, "models": 1, "changed": ["MD5"]}
    assert str(undefined_changes(before, before, 0.5)).endswith("of 0, no models tell another number of pairs apart.")
    assert str(undefined_changes(before, after.assign(undefined=0), 0.5)).startswith("On average 0 shards of topics")
    all_change = str(undefined_changes(before, before.assign(significant=0.0, undefined=1), 0.5))
    assert all_change.startswith("On average 1 shard of a topic holds no relevant document.")
    assert all_change.endswith("three models tell another number of pairs apart (MD1, MD5 and MD6).")
