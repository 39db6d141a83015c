"""Every picture is a figure that Plotly accepts, names its kind of interval, and lets no name through unescaped."""

import json

import pandas as pd
import plotly.graph_objects as go
import pytest

from ui import charts, depth_slider, theme, words

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
KINDS = ["bounds", "guide", "point"]


def board(n=6, kind="bounds"):
    names = (HOSTILE + [f"system {i}" for i in range(n)])[:n]
    values = [1 - i / (n + 1) for i in range(n)]
    ends = [NAN] * n if kind == "point" else [value + 0.1 for value in values]
    lowers = ends if kind == "point" else values
    return pd.DataFrame({"system": names, "value": values, "lower": lowers, "upper": ends, "kind": kind})


def pool(depths=5, *, bounded=True):
    depth = [*map(float, range(1, depths + 1)), NAN]
    part = [0.1 if bounded else NAN] * len(depth)
    return pd.DataFrame(
        {"depth": depth, "judgments": range(len(depth)), "pairs_decided": part, "mean_width": part, "tau": 1.0}
    )


def documents(n=12):
    states = ["relevant", "not relevant", "pooled, not judged", "never pooled"]
    return pd.DataFrame(
        {
            "rank": range(1, n + 1),
            "document": (HOSTILE * n)[:n],
            "state": (states * n)[:n],
            "grade": ([1.0, 0.0, -1.0, NAN] * n)[:n],
            "gain": ([1.0, 0.0, NAN, NAN] * n)[:n],
            "lower": 0.1,
            "upper": 0.9,
        }
    )


def judged(systems=4, topics=3):
    names = (HOSTILE + [f"s{i}" for i in range(systems)])[:systems]
    rows = [(s, f"<b>{t}", 10, NAN if t == 1 else 0.5) for s in names for t in range(topics)]
    return pd.DataFrame(rows, columns=["system", "topic", "k", "judged"])


def errors(depths=3, names=("lower", "<b>x")):
    rows = [(d, name, 0.1 / d, 50.0) for d in range(1, depths + 1) for name in names]
    return pd.DataFrame(rows, columns=["depth", "estimator", "rmse", "accuracy"])


def compared(n=4):
    rows = [(name, 0.5, 0.4, 0.6) for name in HOSTILE[:n]]
    return pd.DataFrame(rows, columns=["system", "value", "reference", "reference_upper"])


def constants():
    grid = [(C / 2, E / 2) for C in range(3) for E in range(3)]
    return pd.DataFrame([(C, E, C + E, (C, E) == (0, 0)) for C, E in grid], columns=["C", "E", "rmse_plain", "best"])


def curves(K=5, judged=2):
    observed = [0.5 if k < judged else NAN for k in range(K)]
    return pd.DataFrame({"rank": range(1, K + 1), "observed": observed, "linear": 0.4, "zipf": 0.3, "weibull": 0.2})


def covered(n=4):
    rows = [(f"<b>{i}", 0.01 * i, i > 1) for i in range(n)]
    return pd.DataFrame(rows, columns=["topic", "gamma", "adjusted"])


def pairs(n=4):
    names = (HOSTILE + [f"s{i}" for i in range(n)])[:n]
    rows = [(a, b, 0.1, 0.01, ["certain", "likely", "open"][(i + j) % 3], 0.02, 0.0, "separable in both")
            for i, a in enumerate(names) for j, b in enumerate(names) if i < j]  # fmt: skip
    columns = ["a", "b", "difference", "p_corrected", "verdict", "p_shallow", "p_full", "quadrant"]
    return pd.DataFrame(rows, columns=columns), names


def figures_of_estimators(look):
    for names in (("lower",), ("lower", "<b>x"), [f"e{i}" for i in range(14)]):
        titles = ("pool depth", "RMSE")
        yield charts.lines(errors(3, names), look=look, x="depth", y="rmse", series="estimator", titles=titles, mark=2)
    for n in (0, 1, 4):
        yield charts.against_reference(compared(n), look=look, estimator="<b>rm")
    yield charts.surface(constants(), look=look, learnt=(0.0, 0.0), published=(0.42, 0.01))
    yield charts.gain_curves(curves(), look=look, topic="<b>1")
    for n in (0, 1, 4):
        yield charts.gammas(covered(n), look=look, theta=0.018)
    samples = pd.DataFrame({"estimator": ["pool", "InfRBP"] * 3, "rmse": 0.1})
    yield charts.repeats(samples, look=look, column="rmse", title="RMSE")


def figures_of_orderings(look):
    for names in (["<b>AP"], ["depth=5", "<b>AP"]):
        yield charts.square(names, [[-0.2] * len(names)] * len(names), look=look, title="tau")
    boards = [board(6).assign(rank=ranks) for ranks in ([1, 2, 3, 4, 5, 6], [2, 1, 3, 5, 4, NAN])]
    yield charts.slopes(*boards, look=look, names=["<b>AP", "depth=5"])
    for n in (2, 4, 143):
        table, order = pairs(n)
        yield charts.verdicts(table, order, look=look)
        yield charts.p_scatter(table, look=look, level=0.01, names=("depth 5", "all"))


def figures_of_confidence(look):
    for n in (0, 1, 6, 143):
        table = board(n).assign(kind="tukey", in_top_group=[i < 2 for i in range(n)])
        yield charts.means(table, look=look, measure="AP")
    yield charts.bars(["MD1", "<b>MD2"], [0.2, NAN], look=look, title="share", focus="MD1")
    table, order = pairs(4)
    yield charts.told_apart(table.assign(p=0.5, significant=True), order, look=look)
    ends = {f"tau{end}": [0.9, NAN] for end in ("_low", "_high")}
    yield charts.stability(pd.DataFrame({"shards": [2, 5], "tau": 0.95, **ends}), look=look, column="tau", title="tau")


def figures_of_new_systems(look):
    for n in (0, 1, 6, 143):
        table = board(n).assign(value_without=0.1, rank=1, rank_without=2)
        yield charts.before_and_after(table, look=look, measure="<b>AP")
    widths = pd.DataFrame({"width": [2, 4], "mean": 0.1, "q1": 0.0, "q3": 0.2})
    yield charts.quartiles(widths, look=look, title="bias")
    readings = pd.DataFrame({"reading": ["unadjusted", "condensed", "true"], "value": 0.3, "lower": [0.2, NAN, 0.1]})
    readings = readings.assign(upper=[0.4, NAN, 0.5], kind=["t", "point", "bounds"])
    for table in (readings, readings[:2]):
        yield charts.readings(table, words.READINGS, look=look, measure="<b>AP")
    errors = pd.DataFrame(
        {"common": [10, 20], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.1, "from_topics": 0.0}
    )
    yield charts.errors_by_common(errors, look=look)


def figures_of_judgments(look):
    for n in (0, 1, 50):
        health = pd.DataFrame({"topic": ["<b>1"] * n, "relevant": 3, "still_missing": [NAN, *[1.5] * n][:n]})
        yield charts.known_and_missing(health, look=look)
    depths = pd.DataFrame({"depth": [1, 2, NAN], "relevant": [3, 4, 5]})
    yield charts.by_depth(depths, look=look, column="relevant", title="relevant", ticks=",d")
    yield charts.confusion(
        pd.DataFrame({"grade": [0, 0, 2, 2], "grade_other": [0, 2] * 2, "count": range(4)}), look=look
    )
    raced = pd.DataFrame({"order": ["depth", "<b>"], "judgments": 10, "relevant": 4})
    yield charts.judged_so_far(raced, look=look, y="relevant", title="relevant", ticks=",d")
    yield charts.shrinking(pd.DataFrame({"order": [1, 2], "width_left": [0.2, 0.1]}), look=look, title="width")


def figures_of_fusion(look):
    differences = pd.DataFrame({"topic": ["<b>1", "2", "3"], "difference": [0.1, -0.1, NAN], "fused": 0.3})
    for table in (differences, differences[:0]):
        yield charts.gains_and_losses(table.assign(best_input=0.2, best="<b>"), look=look, measure="<b>AP")
    counted = pd.DataFrame({"system": ["<b>a"] * 2, "count": [1, 2], "value": [0.1, NAN]})
    yield charts.by_count(counted, look=look, measure="<b>AP")
    consistent = pd.DataFrame({"system": ["<b>a", "<b>a", "b"], "topic": ["1", "<b>2", "1"]})
    consistent["consistency"] = [0.5, 0.2, NAN]
    yield charts.boxes(consistent, ["<b>a", "b"], look=look, title="consistency")
    spread = pd.DataFrame({"topic": ["1", "<b>2"], "consistency": [0.5, NAN], "lowest": 0.2, "highest": 0.6})
    yield charts.spread_by_topic(spread, look=look, title="consistency")
    for n in (1, 20):
        table = pd.DataFrame({"system": ["<b>a"] * n, "consistency": 0.5, "value": 0.1})
        yield charts.scatter(table, look=look, x="consistency", y="value", titles=("consistency", "<b>AP"))


def every_figure(look):
    yield from figures_of_fusion(look)
    yield from figures_of_new_systems(look)
    yield from figures_of_judgments(look)
    yield from figures_of_confidence(look)
    yield from figures_of_estimators(look)
    yield from figures_of_orderings(look)
    for kind in KINDS:
        for n in (0, 1, 6, 50, 143):
            yield charts.intervals(board(n, kind), look=look, label="system", measure="RBP(p=0.8)", focus="NA")
        yield charts.trend(pool(), look=look, depth=2, kind=kind)
    yield charts.trend(pool(1), look=look, depth=None, kind="bounds")
    yield charts.trend(pool(60, bounded=False), look=look, depth=1, kind="point")
    yield charts.judged_grid(judged(), look=look)
    yield charts.judged_grid(judged(143, 30), look=look)
    yield charts.judged_grid(judged(0, 0), look=look)
    for n in (0, 1, 12):
        yield charts.ranking(documents(n), look=look, measure="<b>AP", kind="bounds")


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)


def shown(figure):
    """Every text that Plotly would read as HTML."""
    texts = json.dumps(figure["layout"])
    for trace in figure["data"]:
        texts += json.dumps([trace.get(key) for key in ("name", "text", "hovertemplate")])
    return texts


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_no_name_reaches_plotly_unescaped(look):
    for figure in every_figure(look):
        assert "<img" not in shown(figure)
        assert "<b>0" not in shown(figure)
        assert "<b>AP" not in shown(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_the_legend_names_the_kind(kind):
    figure = charts.intervals(board(kind=kind), look=LOOKS[0], label="system", measure="AP")
    names = " ".join(trace["name"] for trace in figure["data"])
    assert theme.kind_label(kind) in names
    assert not any(theme.kind_label(other) in names for other in KINDS if other != kind)
    assert ("known" in names) == (kind == "bounds")


@pytest.mark.parametrize("kind", ["tukey", "sem", "anova", "bootstrap"])
def test_the_legend_of_means_names_the_kind_once(kind):
    for n in (1, 6):  # all in the top group, and not all
        table = board(n).assign(kind=kind, in_top_group=[i < 2 for i in range(n)])
        traces = charts.means(table, look=LOOKS[0], measure="AP")["data"]
        in_legend = [one["name"] for one in traces if one.get("showlegend", True) and len(one["x"])]
        assert in_legend.count(theme.kind_label(kind)) == 1


def test_rows_stand_in_the_order_of_the_table():
    figure = charts.intervals(board(6), look=LOOKS[0], label="system", measure="AP", focus="NA")
    *bars, dots, in_focus = figure["data"]
    assert all(rows["customdata"] == HOSTILE and rows["y"] == [1, 2, 3, 4, 5, 6] for rows in (*bars, dots))
    assert in_focus["customdata"] == ["NA"]
    assert in_focus["y"] == [1 + HOSTILE.index("NA")]
    axis = figure["layout"]["yaxis"]
    assert axis["range"][0] > axis["range"][1]
    assert dots["marker"]["color"] != in_focus["marker"]["color"] == LOOKS[0]["focus"]


def test_bars_reach_from_the_lower_to_the_upper_end():
    table = board(2)
    possible, known, _ = charts.intervals(table, look=LOOKS[0], label="system", measure="AP")["data"]
    assert known["x"] == list(table["lower"])  # drawn over the other
    assert possible["x"] == list(table["upper"])


def test_many_rows_show_places_and_few_show_names():
    few, many = (charts.intervals(board(n), look=LOOKS[0], label="system", measure="AP") for n in (6, 143))
    assert len(few["layout"]["yaxis"]["ticktext"]) == 6
    places = [name.rpartition(" · ")[::2] for name in many["layout"]["yaxis"]["ticktext"][:3]]
    names = list(board(143)["system"])
    assert places == [(charts.plotly(names[n - 1], charts.WIDTH_OF_NAME), str(n)) for n in (1, 10, 20)]


def test_the_grid_puts_each_share_in_its_place():
    figure = charts.judged_grid(judged(2, 3), look=LOOKS[0])
    assert figure["data"][0]["z"] == [[0.5, 0.5], [None, None], [0.5, 0.5]]


def test_a_document_stands_in_the_trace_of_its_state():
    figure = charts.ranking(documents(4), look=LOOKS[0], measure="AP", kind="bounds")
    dots = {trace["name"]: trace["x"] for trace in figure["data"] if trace["mode"] == "markers"}
    assert dots == {"relevant": [1], "not relevant": [2], "pooled, not judged": [3], "never pooled": [4]}


# ---- the live picture


def sweep(kind="bounds"):
    rows = [
        (system, depth, value, value, min(1, value + 0.5 / (depth or 3)))
        for system, value in (("<b>A", 0.5), ("B", 0.30005))
        for depth in (1.0, 2.0, None)
    ]
    table = pd.DataFrame(rows, columns=["system", "depth", "value", "lower", "upper"]).assign(kind=kind)
    return table if kind != "point" else table.assign(lower=NAN, upper=NAN)


def test_the_live_picture_gets_all_depths_at_once():
    content = depth_slider.payload(sweep(), pool(2), measure="AP", dot="AP, rm", pooled=["B"])
    assert content["stages"] == [1, 2, "all"]
    assert content["labels"] == ["1", "2", "all judgments"]
    assert content["systems"] == ["<b>A", "B"]
    assert content["pooled"] == [0, 1]
    assert content["value"] == [[5000, 3000]] * 3
    assert content["upper"][0] == [10000, 8000]
    assert content["kind"] == "bounds (exact)"
    assert [s[:10] for s in content["sentences"]] == ["At depth 1", "At depth 2", "With all j"]
    json.dumps(content)


@pytest.mark.parametrize(("kind", "said"), [("bounds", "known"), ("guide", "by the judgments so far")])
def test_only_a_bound_is_called_known(kind, said):
    content = depth_slider.payload(sweep(kind), pool(2), measure="AP", dot="AP", pooled=[])
    assert content["soFar"] == said
    figure = charts.ranking(documents(4), look=LOOKS[0], measure="AP", kind=kind)
    assert said in [trace["name"] for trace in figure["data"]]


def test_a_ranking_without_intervals_shows_documents_only():
    figure = charts.ranking(documents(4), look=LOOKS[0], measure="bpref", kind="point")
    assert {trace["mode"] for trace in figure["data"]} == {"markers"}


def test_the_live_picture_without_intervals():
    content = depth_slider.payload(sweep("point"), pool(2, bounded=False), measure="bpref", dot="bpref", pooled=[])
    assert content["lower"] == [[None, None]] * 3
    assert not content["interval"]
    assert "NaN" not in json.dumps(content)


def test_the_key_follows_the_content():
    payloads = (depth_slider.payload(sweep(), pool(2), measure=m, dot=m, pooled=[]) for m in ("AP", "AP", "RR"))
    one, again, other = (payload["key"] for payload in payloads)
    assert one == again != other


def test_the_live_script_sets_names_as_text_only():
    script = (charts.__file__).replace("charts.py", "depth_slider.js")
    with open(script, encoding="utf-8") as file:
        code = file.read()
    assert "innerHTML" not in code
    assert "http" not in code.replace("http://www.w3.org/2000/svg", "")


def test_every_line_differs_in_more_than_its_colour():
    names = [f"e{i}" for i in range(12)]
    titles = ("pool depth", "RMSE")
    figure = charts.lines(errors(2, names), look=LOOKS[0], x="depth", y="rmse", series="estimator", titles=titles)
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in figure["data"]}) == 12


def test_a_system_that_falls_is_drawn_as_falling():
    boards = [board(2).assign(rank=ranks) for ranks in ([1, 2], [2, 1])]
    same, climbs, falls, _ = charts.slopes(*boards, look=LOOKS[0], names=["a", "b"])["data"]
    assert (climbs["y"], falls["y"], same["y"]) == ([2, 1, None], [1, 2, None], [])


def test_many_systems_side_by_side_show_about_every_tenth():
    ranks = [1, 1, *range(3, 144)]
    boards = [board(143).assign(rank=given) for given in (ranks, ranks[::-1])]
    layout = charts.slopes(*boards, look=LOOKS[0], names=["a", "b"])["layout"]
    names = list(board(143)["system"])
    assert layout["yaxis"]["tickvals"][:3] == [1, 10, 20]
    first, tenth = (charts.plotly(names[n], charts.WIDTH_OF_NAME) for n in (0, 9))
    assert layout["yaxis"]["ticktext"][:2] == [f"{first} +1 · 1", f"{tenth} · 10"]
    assert layout["yaxis2"]["tickvals"][-1] == 140


def test_bars_have_room_for_their_numbers_on_both_sides():
    left, right = charts.bars(["a", "b", "c"], [0.4, -0.1, NAN], look=LOOKS[0], title="omega²")["layout"]["xaxis"][
        "range"
    ]
    assert left < -0.1 < 0.4 < right
    assert charts.bars(["a"], [0.0], look=LOOKS[0], title="omega²")["layout"]["xaxis"]["range"] == [0, 1]


def test_after_many_ties_labels_keep_their_distance():
    there = dict.fromkeys([1, *range(19, 61)], "name")
    assert list(charts.every_tenth(there)) == [1, 19, 30, 40, 50, 60]
    assert charts.every_tenth({}) == {}


@pytest.mark.parametrize(
    ("value", "less", "ends"),
    [(1.0, False, (0, 1)), (0.0, True, (0, 1)), (0.0, False, (0, 1)), (7, False, (0, 7)), (-0.3, False, (-1, 1))],
)
def test_a_square_of_one_value_has_a_scale_that_could_be(value, less, ends):
    figure = charts.square(["a", "b"], [[value] * 2] * 2, look=LOOKS[0], title="tau", nearer_is_less=less)
    assert (figure["data"][0]["zmin"], figure["data"][0]["zmax"]) == ends


@pytest.mark.parametrize("n", [2, 13, 143])
def test_a_square_of_systems_has_no_place_that_nobody_holds(n):
    table, order = pairs(n)
    layout = charts.verdicts(table, order, look=LOOKS[0])["layout"]
    assert layout["xaxis"]["range"] == layout["yaxis"]["range"][::-1] == [0.5, n + 0.5]  # the first on top
    assert layout["xaxis"]["constrain"] == layout["yaxis"]["constrain"] == "domain"


def test_a_verdict_stands_on_both_sides_of_the_diagonal():
    table, order = pairs(3)
    cells = charts.verdicts(table, order, look=LOOKS[0])["data"][0]["z"]
    assert cells == [[None, 1, 2], [1, None, 0], [2, 0, None]]
