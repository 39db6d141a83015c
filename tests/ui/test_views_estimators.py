"""The views of estimates and of fitted models: figures that Plotly accepts, and findings that are true."""

import json
from types import SimpleNamespace

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.answers import Answer
from evalcore.estimating.estimators import in_short
from evalcore.findings import FINDINGS
from ui.views import VIEWS, theme
from ui.views.estimates import AGREEMENT, tiles_at
from ui.views.traces import axis

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
USUAL = {"depth": 5, "estimator": "rm", "theta": 0.018, "topic": "<img>1", "depths": None, "judgments": None}
USUAL |= {"reference_depth": None, "metric": "RBP(p=0.8)", "by": "all", "systems": "pooled"}


def answer(question, table, **params):
    return Answer(table, question, USUAL | params, (), "", (), {}, {})


def drawn(question, table, look=LOOKS[0], params=None, **choices):
    return VIEWS[question].figure(answer(question, table, **(params or {})), look, **choices)


def finding(question, table, **params):
    return FINDINGS[question](table, USUAL | params, SimpleNamespace(depth=20))


def names(n, of="system"):
    return (HOSTILE + [f"{of} {i}" for i in range(n)])[:n]


# ---- tables


def errors(rmse, depths=(5,), *, width=0.2, may=()):
    """The question `estimator_error`. rmse : of each guess; may : those that may be the closest beside the first"""
    rows = [(depth, name, error / depth * 5, 30.0) for depth in depths for name, error in rmse.items()]
    table = pd.DataFrame(rows, columns=["depth", "estimator", "rmse", "accuracy"])
    far = table["rmse"] > table.groupby("depth")["rmse"].transform("min") + 1e-9
    table = table.assign(mean_reference=0.4, mean_estimate=0.39, reference_width=width)
    return table.assign(certainly_farther=far & ~table["estimator"].isin(may))


def compared(n=4, pooled=True):
    table = pd.DataFrame({"system": names(n), "pooled": pooled, "value": 0.5})
    return table.assign(reference=0.4, reference_upper=0.6)


def single(*rows):
    return pd.DataFrame(rows, columns=["system", "topic", "error"])


def grid():
    pairs = [(C / 2, E / 2) for C in range(3) for E in range(3)]
    rows = [(C, E, 0.1 + C + E, (C, E) == (0, 0)) for C, E in pairs]
    return pd.DataFrame(rows, columns=["C", "E", "rmse_plain", "best"])


def curves(K=5, judged=2):
    observed = [0.5 if k < judged else NAN for k in range(K)]
    return pd.DataFrame({"rank": range(1, K + 1), "observed": observed, "linear": 0.4, "zipf": 0.3, "weibull": 0.2})


def covered(n=4, depth=5):
    rows = [(depth, topic, 0.01 * i, i > 1) for i, topic in enumerate(names(n, "topic"))]
    return pd.DataFrame(rows, columns=["depth", "topic", "gamma", "adjusted"])


def sampled(**rmse):
    table = pd.DataFrame({"estimator": list(rmse), "rmse": list(rmse.values())})
    table["tau_distance"] = [{"pool": 0.06, "InfRBP": 0.02, "infAP": 0.05}.get(name, 0.04) for name in rmse]
    return table.assign(judgments=[300 if name == "pool" else 500 for name in rmse], reference_width=0.2)


# ---- figures


def ordered(inversions, depths=(5,)):
    """The question `estimator_agreement`. inversions : of each estimator"""
    rows = [(depth, name, count) for depth in depths for name, count in inversions.items()]
    table = pd.DataFrame(rows, columns=["depth", "estimator", "inversions"]).assign(pairs=10)
    share = table["inversions"] / 10
    return table.assign(
        tau_distance=share, tau=1 - 2 * share, distance=share * 4, distance_per_pair=share * 0.4, tau_final=1.0
    )


def by_theta(rmse):
    thetas = [place / 100 for place in range(len(rmse))]
    topics = range(len(rmse), 0, -1)
    return pd.DataFrame({"depth": 5, "theta": thetas, "rmse": rmse, "topics": topics, "n": len(rmse)})


def every_figure(look):
    for some in (["lower"], ["lower", *HOSTILE], [f"e{i}" for i in range(14)]):
        table = errors(dict.fromkeys(some, 0.1), depths=(1, 2, 3))
        yield drawn("estimator_error", table, look)
        yield drawn("estimator_error", table, look, column="accuracy", depth=2)
        for column in AGREEMENT:
            yield drawn("estimator_agreement", ordered(dict.fromkeys(some, 3)), look, column=column, depth=5)
    yield drawn("error_by_theta", by_theta([0.1, 0.05, 0.2]), look)
    yield drawn("gamma_by_depth", pd.DataFrame({"depth": [5.0, NAN], "gamma": [0.02, 0.01]}), look, {"theta": 0.018})
    for n in (0, 1, 6, 143):
        yield drawn("system_estimates", compared(n), look)
        yield drawn("coverage", covered(n), look)
    for judged, topic in ((1, None), (2, "<img>1"), (5, "=cmd()")):
        yield drawn("rank_models", curves(judged=judged), look, {"topic": topic})
    for name in ("interpolated", "smoothed"):
        yield drawn("constants", grid(), look, {"estimator": f"{name}(C=0.1, E=0.1)"})
    for panel in VIEWS["two_strata"].panels:
        yield drawn("two_strata", pd.concat([sampled(pool=0.06, InfRBP=0.04, infAP=0.01)] * 3), look, panel=panel)


def test_the_error_with_groups_left_out_is_drawn_with_that_of_the_whole_pool():
    left_out, whole = errors({"lower": 0.2, "rm": 0.1}), errors({"lower": 0.1, "rm": 0.3}, depths=(5, 10))
    made = drawn("estimator_error", left_out, depth=5, whole=whole)
    lines = [(trace["x"], trace["y"], trace["line"]["color"]) for trace in made["data"]]
    (lower, thin_lower, rm, thin_rm, legend) = lines
    assert (lower[:2], thin_lower[:2]) == (([5], [0.2]), ([5, 10], [0.1, 0.05]))
    assert (rm[:2], thin_rm[:2]) == (([5], [0.1]), ([5, 10], [0.3, 0.15]))
    assert (lower[2], rm[2]) == (thin_lower[2], thin_rm[2])
    assert legend[:2] == ([None], [None])
    assert made["layout"]["xaxis"]["tickvals"] == [5, 10]


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_is_read_as_html(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = [trace.get(key) for trace in figure["data"] for key in ("name", "text", "hovertemplate")]
        assert "<img" not in json.dumps([figure["layout"], *texts])


def test_three_lines_are_drawn_and_named_at_their_ends_apart_from_each_other():
    table = errors({"rm": 0.2, "lower": 0.1, "upper": 0.3, "interpolated": 0.05, "background": 0.051}, depths=(5, 10))
    made = drawn("estimator_error", table, depth=5)
    at_once = [line["name"] for line in made["data"] if line.get("visible") != "legendonly"]
    assert at_once == ["as not relevant", "partly like the judged", "at a small chance"]
    notes = made["layout"]["annotations"]
    assert [note["text"].replace("<br>", " ") for note in notes] == [at_once[0], at_once[2], at_once[1]]
    assert notes[1]["y"] - notes[2]["y"] > 0.01  # the ends themselves are .0005 apart
    assert notes[0]["font"]["color"] == made["data"][1]["line"]["color"]


def test_of_accuracy_the_greatest_are_drawn_and_lower_always():
    table = errors({"rm": 0.2, "lower": 0.1, "upper": 0.3, "interpolated": 0.05}).assign(accuracy=[90, 10, 80, 70])
    made = drawn("estimator_error", table, column="accuracy", depth=5)
    assert [line.get("visible", True) for line in made["data"]] == [True, True, True, "legendonly"]


def test_every_line_differs_in_more_than_its_colour():
    figure = drawn("estimator_error", errors({f"e{i}": 0.1 for i in range(12)}, depths=(1, 2)))
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in figure["data"]}) == 12


def test_the_reference_is_drawn_for_the_systems_that_contributed():
    table = compared(4, pooled=[True, False, True, False])
    assert drawn("system_estimates", table)["data"][2]["customdata"] == [HOSTILE[0], HOSTILE[2]]
    alone = drawn("system_estimates", table.assign(pooled=False))
    assert len(alone["data"][2]["x"]) == 4


def test_the_gamma_test_is_drawn_at_the_first_depth():
    table = pd.concat([covered(4, 5), covered(4, 10)])
    adjusted, left = drawn("coverage", table)["data"]
    assert (adjusted["x"], left["x"]) == ([0, 1], [2, 3])
    assert len(drawn("coverage", covered(4, None))["data"][0]["x"]) == 2


def test_learnt_and_published_constants_are_marked():
    _, published, learnt = drawn("constants", grid(), params={"estimator": "smoothed(C=0.1, E=0.2)"})["data"]
    assert (published["name"], learnt["name"]) == ("published: C = 0.91, E = 0.05", "learnt here: C = 0, E = 0")


# ---- which estimator comes closest


@pytest.mark.parametrize(
    ("rmse", "may", "closest", "words"),
    [
        ({"lower": 0.045, "rm": 0.0393}, [], ["rm"], ["rm comes closest", "at least .039", "at least .045"]),
        ({"lower": 0.03, "rm": 0.05, "linear": 0.04}, [], ["lower"], ["no estimator comes closer", "at least .030"]),
        ({"rm": 0.03, "zipf": 0.03, "lower": 0.05}, ["zipf"], ["rm", "zipf"],
         ["rm and zipf have the least error (RMSE .030); each", ".200"]),
        ({"rm": 0.03, "zipf": 0.04, "lower": 0.05}, ["zipf"], ["rm", "zipf"],
         ["rm (like the judged ones) has the least error so far", "judged, zipf could be as close."]),
        ({"zipf": 0.04, "lower": 0.05, "rm": 0.03}, ["zipf", "lower"], ["rm", "zipf", "lower"],
         ["the least error so far (RMSE .030).", "judged, zipf and lower could be as close."]),
        ({"zipf": 0.0, "rm": 0.0}, ["rm", "zipf"], ["zipf", "rm"], ["under .001", "each"]),  # no tie
        ({"lower": 0.05}, [], ["lower"], ["error (RMSE) of lower", "at least .050"]),
        ({"rm": 0.0}, [], ["rm"], ["error (RMSE) of rm", "possibly under .001"]),
        ({"lower": 0.0309, "rm": 0.0003}, [], ["rm"], ["possibly under .001", "at least .030"]),
    ],
)  # fmt: skip
def test_the_closest_estimator(rmse, may, closest, words):
    told = finding("estimator_error", errors(rmse, may=may))
    assert sorted(told.facts["closest"]) == sorted(closest)
    assert told.facts.items() >= {"rmse": min(rmse.values()), "guesses": len(rmse), "width": 0.2}.items()
    assert [word for word in words if word not in str(told)] == []


@pytest.mark.parametrize(
    ("rmse", "may", "closest"),
    [
        ({"rm": 0.03, "zipf": 0.03, "lower": 0.05}, ["zipf"], ["rm", "zipf"]),
        ({"zipf": 0.03, "lower": 0.03}, ["zipf", "lower"], ["zipf", "lower"]),
        ({"rm": 0.03, "lower": 0.05}, [], ["rm"]),
    ],
)
def test_estimators_are_equally_close_to_scores_that_are_known_only(rmse, may, closest):
    table = errors(rmse, may=may, width=0.0)
    told = finding("estimator_error", table)
    assert told.facts["closest"] == closest
    assert "is .030" in told.detail
    assert "at least" not in told.detail


def test_without_a_score_no_estimator_is_closest():
    assert "no score" in str(finding("estimator_error", errors({"rm": NAN})))


def test_groups_that_are_left_out_are_a_caveat():
    table = errors({"lower": 0.04, "rm": 0.03})
    assert finding("estimator_error", table, by="group").caveats
    assert finding("estimator_error", table, reference_depth=20).caveats
    assert not finding("estimator_error", table).caveats


def test_each_depth_has_its_finding():
    table = errors({"lower": 0.04, "rm": 0.03}, depths=(5, 10))
    first, second = (FINDINGS["estimator_error"](table, USUAL, None, depth=depth) for depth in (5, 10))
    assert finding("estimator_error", table) == first
    assert second.facts["depth"] == 10
    assert second.headline.startswith("At depth 10, ")  # at another one, another estimator may be closest
    assert "at least .015" in second.detail


def test_ranks_that_are_cut_on_purpose_are_not_called_a_limit_of_the_judgments():
    table = errors({"rm": 0.03, "zipf": 0.03}, may=["zipf"])
    assert finding("estimator_error", table).detail.startswith("Even with all judgments, ")
    cut = finding("estimator_error", table, reference_depth=5)
    assert cut.detail == "The top 5 ranks of the reference determine RBP(p=0.8) only to within .200 on average."


def test_the_tiles_of_a_depth():
    table = errors({"lower": 0.05, "rm": 0.03, "zipf": 0.04, "linear": 0.045})
    assert [tile[1] for tile in tiles_at(table, 5)] == [".400–.600"]
    assert tiles_at(table.assign(reference_width=0.0), 5)[0][1] == "exactly .400"


def test_a_guess_without_any_topic_has_no_number():
    assert tiles_at(errors({"rm": NAN}), 5) == ()


# ---- one estimator


@pytest.mark.parametrize(
    ("estimator", "short"),
    [
        ("lower", "lower"),
        ("interpolated(C=0.42, E=0.01)", "interpolated"),
        ("interpolated(C=0.5, E=0.01)", "interpolated(C=0.5)"),
        ("two-stage-b(theta=0, weigh=own)", "two-stage-b(weigh=own)"),
    ],
)
def test_a_guess_is_named_without_what_goes_without_saying(estimator, short):
    assert in_short(estimator) == short


def test_mean_estimates_are_too_high_too_low_or_right():
    table = compared(3).assign(value=[0.5, 0.9, 0.1])
    told = finding("system_estimates", table)
    facts = {"systems": 3, "inside": 1, "above": 1, "below": 1, "width": pytest.approx(0.2)}
    assert told.facts.items() >= facts.items()
    assert "contributing" in told.headline
    assert "contributing" not in finding("system_estimates", table.assign(pooled=False)).headline
    verbs = [finding("system_estimates", table[i : i + 1]).headline.split()[3] for i in range(3)]
    assert verbs == ["is", "overestimates", "underestimates"]
    assert "all 3" in finding("system_estimates", table.assign(value=0.5)).headline
    assert "no score" in str(finding("system_estimates", table[:0]))
    assert finding("system_estimates", table, reference_depth=20).caveats


def test_single_estimates_are_right_or_off():
    table = single(("a", "1", 0.0), ("b", "1", 0.1231), ("b", "2", 0.0))
    told = finding("estimates", table, estimator="zipf(theta=0.1)")
    assert told.facts.items() >= {"guess": "zipf(theta=0.1)", "right": 2 / 3, "most": 0.1231, "furthest": 1}.items()
    assert ".124 (b, topic 1)" in told.detail
    assert not finding("estimates", table[:1]).detail
    assert "no score" in str(finding("estimates", table[:0]))


def test_of_several_estimates_as_far_off_none_is_named():
    table = single(("a", "1", 0.4), ("a", "2", 0.4), ("b", "1", 0.0))
    assert "2 scores" in finding("estimates", table).detail
    assert "a, topic 2" in finding("estimates", table[1:]).detail


# ---- what shallow judgments can be fitted to


def test_the_gains_and_their_curves():
    facts = {"topic": "401", "first": 0.5, "deepest": 0.5, "judged": 2, "rank": 5, "zipf": 0.3}
    assert finding("rank_models", curves(), topic="401").facts.items() >= facts.items()
    assert "rank 1, the last judged" in finding("rank_models", curves(judged=1), topic="401").headline


@pytest.mark.parametrize(
    ("adjusted", "theta", "words"),
    [
        ([1, 0, 0], 0.018, "1 of 3 topics passes"),
        ([1, 1, 0], 0.018, "2 of 3 topics pass "),
        ([0, 0, 0], 0.5, "No topic passes"),
        ([1, 1, 1], 0.0, "documents of 3 topics"),
    ],
)
def test_the_gamma_test(adjusted, theta, words):
    told = finding("coverage", covered(len(adjusted)).assign(adjusted=adjusted), theta=theta)
    assert words in told.headline
    facts = {"topics": 3, "guessed": sum(adjusted), "left": 3 - sum(adjusted), "highest": 0.02, "theta": theta}
    assert told.facts.items() >= facts.items()


def test_the_gamma_test_without_judgments():
    assert "no topic of these runs has judgments" in str(finding("coverage", covered(0)))


def test_constants():
    rows = [(0.42, 0.01, 0.08, False), (0.6, 0.02, 0.07, True)]
    table = pd.DataFrame(rows, columns=["C", "E", "rmse_plain", "best"])
    asked = {"estimator": "interpolated(C=0.42, E=0.01)", "metric": "P@10"}
    told = finding("constants", table, **asked)
    facts = {"C": 0.6, "E": 0.02, "rmse": 0.07, "published_C": 0.42, "published_E": 0.01, "published_rmse": 0.08}
    assert told.facts.items() >= (facts | {"equal": 0}).items()
    near = finding("constants", table.assign(E=[0.0125, 0.02]), **asked)
    assert near.facts["published_rmse"] == 0.08
    assert "E = 0.01, the error is .080." in told.detail
    alike = finding("constants", table.assign(rmse_plain=[0.0703, 0.0698]), **asked)
    assert alike.detail == "With the published C = 0.42, E = 0.01, the error is as small, to within .001."
    assert "or with 1 other pair" in finding("constants", table.assign(rmse_plain=0.07), **asked).headline


def test_which_use_of_a_sample_orders_the_systems_best():
    table = sampled(pool=0.06, InfRBP=0.04, infAP=0.01, **{"two-stage-a": 0.05})
    told = finding("two_strata", table, depth=None)
    facts = {"more": 200, "depth": 2, "ordering": ["InfRBP"], "swapped": 0.02, "swapped_alone": 0.06}
    assert told.facts.items() >= (facts | {"swapped_AP": 0.05}).items()
    table.loc[table["estimator"] != "infAP", "tau_distance"] = 0.0
    assert finding("two_strata", table, depth=None).facts["ordering"] == ["InfRBP", "two-stage-a"]
    assert "no score" in str(finding("two_strata", sampled(pool=NAN, InfRBP=NAN, infAP=0.01)))


@pytest.mark.parametrize(
    ("inversions", "headline"),
    [
        ({"lower": 3, "rm": 2, "linear": 1}, "the estimator linear orders the systems most like all judgments do."),
        (
            {"lower": 3, "rm": 1, "linear": 1},
            "the estimators rm and linear order the systems most like all judgments do.",
        ),
        ({"lower": 1, "rm": 1, "linear": 2}, "no estimator orders the systems better"),
        ({"lower": 1, "rm": 1}, "both estimators order the systems equally well."),
    ],
)
@pytest.mark.parametrize("by", AGREEMENT)
def test_the_estimator_that_orders_the_systems_best(inversions, headline, by):
    conclude = FINDINGS["estimator_agreement"]
    table = ordered({"lower": 0, "rm": 9}, (5,))
    table = pd.concat([table, ordered(inversions, (10,))])
    words = conclude(table, USUAL, None, depth=10, by=by)
    assert words.headline.startswith(f"At depth 10, {headline}")
    lower = table[(table["depth"] == 10) & (table["estimator"] == "lower")]
    assert words.facts["plain"] == lower["inversions" if by == "tau_distance" else by].item()
    assert {"tau_distance": "of 10 system pairs", "tau": "tau-b"}.get(by, "weighted distance") in words.detail


def test_a_metric_that_reads_deeper_than_all_judgments_is_named():
    """A deep pool, on which the model linear orders the systems alike, gives no warning."""
    conclude, asked = FINDINGS["estimator_agreement"], USUAL | {"metric": "RBP(p=0.95)"}
    table = ordered({"lower": 3, "upper": 2})
    assert not conclude(table.assign(tau_final=0.9), asked, None).caveats
    assert not conclude(table.assign(tau_final=NAN), asked, None).caveats  # of a metric without models
    assert conclude(table.assign(tau_final=0.75), asked, None).caveats == (
        "Even all judgments are few for RBP(p=0.95): with the estimator linear, they order the systems differently "
        "(τ-b .750). Choose a shallower metric.",
    )


@pytest.mark.parametrize(
    ("rmse", "headline"),
    [
        ([0.1, 0.05, 0.2], "least error (RMSE .050) with theta = 0.01."),
        ([0.1, 0.15, 0.2], "with the least threshold, theta = "),
        ([0.1, 0.1, 0.1], "The threshold theta makes no difference"),
    ],
)
def test_the_threshold_with_the_least_error(rmse, headline):
    words = FINDINGS["error_by_theta"](by_theta(rmse), {"estimator": "two-stage-b"}, None)
    assert headline in words.headline


@pytest.mark.parametrize(("written", "steps"), [(".0%", ".2~%"), (".0f", ".2~f"), (".3f", ".3f")])
def test_ticks_of_small_steps_are_not_the_same_number(written, steps):
    """0%, 1%, 1%, 2% and 2% are steps of half a per cent; d3 drops zeros at the end."""
    assert axis(LOOKS[0], tickformat=written)["tickformat"] == steps
