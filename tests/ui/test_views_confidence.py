"""The views of confidence: figures that Plotly accepts, and findings that are true."""

import json
from types import SimpleNamespace

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.answers import Answer
from evalcore.findings import FINDINGS
from evalcore.findings.confidence import undefined_changes
from ui.text import interval_labels
from ui.views import VIEWS, theme
from ui.views.charts import ASIDE
from ui.views.confidence import OVERLAP, top_group

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
LOOK = LOOKS[0]
ASKED = {"metric": "AP", "model": "MD6", "shards": 5, "resamples": 10, "method": "tukey", "level": 0.05}


def answer(question, table, **params):
    return Answer(table, question, ASKED | params, (), "", (), {}, {})


def finding(question, table, systems=5, **params):
    return FINDINGS[question](table, ASKED | params, SimpleNamespace(systems=range(systems)))


def drawn(question, table, look=LOOK, *, panel=None, **params):
    choices = {"panel": panel} if panel else {}
    return VIEWS[question].figure(answer(question, table, **params), look, **choices)


def names(n):
    return (HOSTILE + [f"system {i}" for i in range(n)])[:n]


def board(n=6, kind="tukey"):
    values = [1 - i / (n + 1) for i in range(n)]
    table = pd.DataFrame({"system": names(n), "value": values, "rank": range(1, n + 1), "kind": kind})
    table = table.assign(lower=table["value"] - 0.1, upper=[value + 0.1 for value in values])
    return table.assign(in_top_group=table.index < 2, in_top_group_other_topics=table.index < 3)


def ranks(n=6):
    table = pd.DataFrame({"system": names(n), "rank": range(1, n + 1), "kind": "bootstrap"})
    return table.assign(lower=[1 + i // 2 for i in range(n)], upper=table["rank"] + 1)


def compared(*models, **columns):
    table = pd.DataFrame({"model": models, "share_significant": 0.5, "width_tukey": 0.02, "omega2_system": NAN})
    table = table.assign(significant=3.0, top_group=1.5, tau=0.9, undefined=0.0, significant_sd=0.3)
    return table.assign(share_significant_other_topics=0.4, top_group_other_topics=2.5, **columns)


def effects(*shares, model="MD6"):
    named = ["topic", "system", "error", "total"]
    return pd.DataFrame({"model": model, "effect": named, "share": [*shares, sum(shares)]})


def pairs(n=4):
    rows = [(a, b, 0.1, 0.01, i == 0, b == names(n)[1]) for i, a in enumerate(names(n)) for b in names(n)[i + 1 :]]
    return pd.DataFrame(rows, columns=["a", "b", "difference", "p", "significant", "significant_other_topics"])


def stability(*shards, low=0.8, common=0.8):
    ends = {f"{name}{end}": low for name in ("tau", "width", "significant") for end in ("_low", "_high")}
    return pd.DataFrame({"shards": shards, "tau": 0.95, "width": 0.9, "significant": 7.0, **ends, "common": common})


def every_figure(look):
    for n in (0, 1, 6, 143):
        for model in ("MD1", "MD6"):
            yield drawn("system_intervals", board(n), look, model=model)
        yield drawn("rank_intervals", ranks(n), look)
        yield drawn("tukey_pairs", pairs(n), look)
        yield drawn("tukey_pairs", pairs(n).assign(significant_other_topics=lambda rows: rows["significant"]), look,
                    model="MD1")  # fmt: skip
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
    assert in_legend.count({"tukey": OVERLAP}.get(kind) or interval_labels.label(kind)) == 1


def test_a_system_stands_in_its_row_and_in_its_group():
    traces = drawn("system_intervals", board(4))["data"]
    dots = {trace["name"]: (trace["y"], trace["marker"]) for trace in traces if trace["mode"] == "markers"}
    assert [places for places, _ in dots.values()] == [[1, 2], [3, 4]]
    assert [marker["symbol"] for _, marker in dots.values()] == ["diamond", "circle"]
    assert list(dots) == ["may be as good as the best", "others"]
    stretches = [trace["x"] for trace in traces if trace["mode"] == "lines" and len(trace["x"]) > 1]
    assert stretches[0] == pytest.approx([0.9, 1.1, None, 0.7, 0.9, None])


TITLES = {
    "MD1": "score, every relevant result (AP)<br>MD1, the whole collection, for conclusions about other topics",
    "MD6": "score, every relevant result (AP)<br>MD6, 5 shards, for conclusions about other documents",
}


@pytest.mark.parametrize(("model", "title"), TITLES.items())
def test_the_axis_says_how_the_documents_were_cut_and_for_what(model, title):
    figure = drawn("system_intervals", board(2), model=model)
    assert figure["layout"]["xaxis"]["title"]["text"] == title


def test_systems_that_may_rank_first_are_in_focus():
    traces = drawn("rank_intervals", ranks(4))["data"]
    dots = {trace["name"]: trace["x"] for trace in traces if trace["mode"] == "markers"}
    assert dots == {"could rank first": [1, 2], "others": [3, 4]}


# Models, effects, pairs, partitions


def test_the_model_that_is_chosen_is_in_focus():
    view = VIEWS["models"]
    figure = view.figure(answer("models", compared("MD1", "MD6")), LOOK, panel="width_tukey", focus="MD6")
    assert figure["data"][0]["marker"]["color"] == [LOOK["known"], LOOK["focus"]]
    assert figure["layout"]["xaxis"]["title"]["text"] == view.panels["width_tukey"]


def test_beside_what_holds_on_other_documents_stands_what_holds_on_other_topics():
    table = compared("MD1", "MD6").assign(share_significant=[0.41, 0.72], share_significant_other_topics=[0.41, 0.43])
    bars, diamonds, numbers = drawn("models", table, panel="share_significant")["data"]
    assert (bars["name"], bars["x"]) == ("other documents, these topics", [None, 0.72])
    assert (diamonds["name"], diamonds["x"], diamonds["y"]) == ("other topics too", [0.41, 0.43], [0, 1])
    assert numbers["text"] == [f"{ASIDE}◆ 41%", f"{ASIDE}72% ◆ 43%"]
    assert numbers["x"] == [0.41, 0.72]  # past bar and diamond


def test_the_effects_are_those_of_the_last_model():
    table = pd.concat([effects(0.9, 0.1, 0.0, model="MD1"), effects(0.2, 0.3, 0.5)], ignore_index=True)
    bars = drawn("anova", table)["data"][0]
    assert (bars["text"], bars["x"]) == (["topic", "system", "error"], [0.2, 0.3, 0.5])


def states_in(table, **asked):
    """What the states of pairs are called, in the legend: each a square of its colour, the field has no scale."""
    field, *named = drawn("tukey_pairs", table, **asked)["data"]
    assert field["showscale"] is False
    colours = [colour for _, colour in field["colorscale"][::2]]
    assert [one["marker"]["color"] for one in named] == colours
    assert {one["marker"]["symbol"] for one in named} == {"square"}
    return [one["name"] for one in named]


def test_a_pair_stands_on_both_sides_of_the_diagonal_and_systems_in_their_order():
    table = pairs(3)
    field = VIEWS["tukey_pairs"].figure(answer("tukey_pairs", table), LOOK, order=names(3)[::-1])["data"][0]
    assert field["z"] == [[None, 2, 1], [2, None, 0], [1, 0, None]]
    assert drawn("tukey_pairs", table)["data"][0]["z"] == [[None, 0, 1], [0, None, 2], [1, 2, None]]
    assert states_in(table) == ["other topics too", "other documents only", "not significant"]


def test_a_pair_that_differs_on_other_topics_alone_is_a_state_of_its_own():
    table = pairs(3).assign(significant=False)
    field = drawn("tukey_pairs", table)["data"][0]
    assert field["z"] == [[None, 2, 3], [2, None, 3], [3, 3, None]]
    assert states_in(table)[2:] == ["other topics only", "not significant"]


def test_of_md1_a_pair_differs_on_other_topics_or_not():
    table = pairs(3)
    table["significant_other_topics"] = table["significant"]
    field = drawn("tukey_pairs", table, model="MD1")["data"][0]
    assert states_in(table, model="MD1") == ["on other topics", "not significant"]
    assert field["z"] == [[None, 0, 0], [0, None, 1], [0, 1, None]]


def test_a_mean_over_partitions_has_its_interval():
    line = drawn("shard_stability", stability(2, 5), panel="tau")["data"][0]
    assert line["x"] == ["2", "5"]
    assert line["error_y"]["arrayminus"] == pytest.approx([0.15, 0.15])
    single = drawn("shard_stability", stability(2, low=NAN), panel="tau")["data"][0]
    assert single["error_y"]["array"] == single["error_y"]["arrayminus"] == [0]


@pytest.mark.parametrize(("model", "scope"), [("MD1", "other topics"), ("MD6", "other documents")])
def test_a_tile_counts_the_others_in_focus_of_its_panel(model, scope):
    label, value, note = top_group(board(6), model)
    dots = next(trace for trace in drawn("system_intervals", board(6), model=model)["data"]
                if trace["mode"] == "markers")  # fmt: skip
    assert (label, value) == (f"Not clearly worse than the best, {scope}", str(len(dots["x"]) - 1))
    assert f"on {scope}: " in note
    assert f"(Tukey's HSD, {model})" in note


# Findings


@pytest.mark.parametrize(
    ("significant", "params", "words", "topics"),
    [
        ([True, True, False], {}, ["67%", "on other documents", "33%", "on other topics"], 1 / 3),
        ([True, False], {"model": "MD1"}, ["50%", "on other topics"], None),
        ([False], {"shards": 2}, ["do not differ", "on other documents"], 0),
        ([True], {"shards": 2}, ["systems differ", "On other topics"], 1),
        ([True], {"model": "MD1", "method": "randomised"}, ["systems differ", "on other topics"], None),
    ],
)
def test_pairs_that_differ(significant, params, words, topics):
    table = pd.DataFrame({"significant": significant})
    table["significant_other_topics"] = table["significant"] & (table.index < 1)
    told = finding("tukey_pairs", table, **params)
    assert all(word in str(told) for word in words)
    assert ("other documents" in str(told)) == ("model" not in params)
    assert told.facts.get("topics") == topics


@pytest.mark.parametrize(
    ("ranks", "top", "best", "others"),
    [([1, 2, 3], 1, ["a"], 0), ([1, 2, 3], 3, ["a"], 2), ([1, 2], 2, ["a"], 1), ([1, 1, 3, 4], 3, ["a", "b"], 1)],
)
def test_which_systems_do_not_differ_from_the_best(ranks, top, best, others):
    table = pd.DataFrame({"system": list("abcd")[: len(ranks)], "rank": ranks})
    table = table.assign(in_top_group=table.index < top, in_top_group_other_topics=True)
    for model, scope in (("MD6", "other documents"), ("MD1", "other topics")):
        told = finding("system_intervals", table, model=model)
        assert told.facts.items() >= {"best": best, "others": others, "top": top}.items()
        assert scope in told.headline
        alike = [name for name in table["system"][:top] if name not in best]
        assert all(name in told.headline for name in alike)
        assert ("All other systems" in told.headline) == (not others)


def test_a_model_of_the_whole_collection_is_named_beside_one_of_shards():
    table = compared("MD1", "MD6").assign(share_significant=[0.41, 0.72], tau=[1.0, 0.95])
    both, whole, cut = (finding("models", rows) for rows in (table, table[:1], table[1:]))
    shards = {"model": "MD6", "part": 0.72, "topics": 0.4, "tau": 0.95}
    assert both.facts.items() >= (shards | {"whole_model": "MD1", "whole": 0.41}).items()
    assert "41%" in whole.headline
    assert "MD1" in whole.headline
    assert not whole.facts.keys() & {"part", "topics"}
    assert cut.facts.items() >= shards.items()
    assert "MD1" not in str(cut)
    assert not finding("models", table[1:].assign(tau=NAN)).detail
    assert "72% of system pairs differ significantly on other documents (MD6" in both.headline
    assert "41% on other topics (MD1" in both.headline
    assert "40%" not in str(both)  # on other topics too, the number is that of the whole collection
    assert "40% on other topics (MD6)" in cut.headline


def test_one_pair_of_systems_differs_in_a_share_of_the_partitions():
    table = compared("MD1", "MD6").assign(share_significant=[0.0, 0.7])
    told = finding("models", table, systems=2)
    assert "The two systems" in told.headline
    assert "70%" in told.headline
    assert "0%" not in told.detail


@pytest.mark.parametrize(
    ("shares", "largest", "second"),
    [([0.5, 0.2, 0.3], ("due to topics", 0.5), ("residual", 0.3)),
     ([0.0, 1.0, 0.0], ("due to systems", 1), ("due to topics", 0))],
)  # fmt: skip
def test_the_two_largest_parts_of_the_variance(shares, largest, second):
    for model in ("MD6", "MD1"):
        facts = finding("anova", effects(*shares, model=model)).facts
        assert (facts["most"], facts["largest"]) == largest
        assert (facts["more"], facts["next_largest"]) == second
        assert facts["model"] == model


def test_without_variance_there_is_none_to_divide():
    assert "same score" in str(finding("anova", effects(NAN, NAN, NAN)))


def test_how_much_depends_on_the_partition():
    table = stability(2, 10).assign(tau=[0.99, 0.97])
    told = finding("shard_stability", table)
    assert told.facts.items() >= {"shards": 10, "tau": 0.97, "common": 0.8, "cuts": 10}.items()
    assert "differ most" in told.headline
    assert "80%" in told.detail
    assert not finding("shard_stability", table.assign(common=NAN)).detail
    alone = finding("shard_stability", table[1:], resamples=1)
    assert "number tried" not in alone.headline
    assert "mean" not in alone.headline
    assert not alone.detail
    assert "same score" in str(finding("shard_stability", table.assign(tau=NAN)))


@pytest.mark.parametrize(
    ("rank", "lower", "upper", "facts"),
    [
        ([1, 2, 3], [1, 1, 2], [2, 3, 3], {"first": ["a"], "best": 1, "worst": 2, "others": 1}),
        ([1, 2], [1, 2], [1, 2], {"first": ["a"], "best": 1, "worst": 1, "others": 0}),
        ([1, 1], [1, 1], [2, 3], {"first": ["a", "b"], "best": 1, "worst": 3, "others": 0}),
        ([1, 2, 3], [1, 1, 1], [3, 3, 3], {"first": ["a"], "best": 1, "worst": 3, "others": 2}),
    ],
)
def test_ranks_on_other_topics(rank, lower, upper, facts):
    table = pd.DataFrame({"system": list("abc")[: len(rank)], "rank": rank, "lower": lower, "upper": upper})
    told = finding("rank_intervals", table, depth=None, estimator="lower")
    assert told.facts.items() >= (facts | {"sure": 0.95}).items()
    assert bool(told.detail) == (len(facts["first"]) < len(table))
    assert "90%" in finding("rank_intervals", table, depth=5, estimator="upper", level=0.1).headline


@pytest.mark.parametrize(("rank", "lower"), [([NAN], [1]), ([], [])])
def test_without_a_score_there_is_no_rank(rank, lower):
    table = pd.DataFrame({"system": list("a")[: len(rank)], "rank": rank, "lower": lower, "upper": lower})
    assert "no score" in str(finding("rank_intervals", table, depth=None, estimator="lower"))
    alone = pd.DataFrame({"system": ["a"], "rank": [1], "lower": [1.0], "upper": [1.0]})
    assert "fewer than two systems" in str(finding("rank_intervals", alone, depth=None, estimator="lower"))


def test_what_undefined_cells_change():
    before = compared("MD1", "MD5", "MD6").assign(significant=[3.0, 5.0, 7.0], undefined=[0, 4, 4])
    after = before.assign(significant=[3.0, 6.0, 7.0])
    changes = undefined_changes(before, after, 0.5, "AP")
    assert changes.facts == {"cells": 4, "value": 0.5, "changed": ["MD5"], "metric": "AP"}
    assert "no model" in undefined_changes(before, before, 0.5, "AP").headline
    none = undefined_changes(before, after.assign(undefined=0), 0.5, "AP")
    assert "Nothing changes" in none.headline
    assert not none.detail
    all_change = undefined_changes(before, before.assign(significant=0.0, undefined=1), 0.5, "AP")
    assert all_change.facts["changed"] == ["MD1", "MD5", "MD6"]
    assert "1 cell (a topic on a shard) contains" in all_change.detail


def test_an_interval_from_t_is_not_called_a_standard_error():
    """Its half-width is the quantile times the error."""
    for kind in ("sem", "anova"):
        assert interval_labels.label(kind).startswith("t interval of each mean")
