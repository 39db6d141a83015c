"""The faces of estimates and of what shallow judgments teach: figures that Plotly accepts, sentences that are true."""

import json
from types import SimpleNamespace

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.asking import Answer
from evalcore.estimating.estimators import in_short
from evalcore.questions import QUESTIONS
from evalcore.questions.estimates import at_depth
from ui import theme
from ui.views import VIEWS
from ui.views.estimates import tiles_at

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
USUAL = {"depth": 5, "estimator": "rm", "theta": 0.018, "topic": "<img>1", "depths": None, "judgments": None}
USUAL |= {"reference_depth": None}


def answer(question, table, **params):
    return Answer(table, question, USUAL | params, (), "", (), {}, {})


def drawn(question, table, look=LOOKS[0], params=None, **choices):
    return VIEWS[question].figure(answer(question, table, **(params or {})), look, **choices)


def finding(question, table, **params):
    return str(QUESTIONS[question].finding(table, USUAL | params, SimpleNamespace(depth=20)))


def names(n, of="system"):
    return (HOSTILE + [f"{of} {i}" for i in range(n)])[:n]


# ---- tables


def errors(rmse, depths=(5,)):
    """The question `estimator_error`. rmse : of each guess"""
    rows = [(depth, name, error / depth * 5, 30.0) for depth in depths for name, error in rmse.items()]
    table = pd.DataFrame(rows, columns=["depth", "estimator", "rmse", "accuracy"])
    return table.assign(mean_reference=0.4, mean_estimate=0.39)


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
    return table.assign(judgments=[300 if name == "pool" else 500 for name in rmse])


# ---- figures


def every_figure(look):
    for some in (["lower"], ["lower", *HOSTILE], [f"e{i}" for i in range(14)]):
        table = errors(dict.fromkeys(some, 0.1), depths=(1, 2, 3))
        yield drawn("estimator_error", table, look)
        yield drawn("estimator_error", table, look, column="accuracy", depth=2)
    for n in (0, 1, 6, 143):
        yield drawn("system_estimates", compared(n), look)
        yield drawn("coverage", covered(n), look)
    for judged, topic in ((1, None), (2, "<img>1"), (5, "=cmd()")):
        yield drawn("rank_models", curves(judged=judged), look, {"topic": topic})
    for name in ("interpolated", "smoothed"):
        yield drawn("constants", grid(), look, {"estimator": f"{name}(C=0.1, E=0.1)"})
    yield drawn("two_strata", pd.concat([sampled(pool=0.06, InfRBP=0.04, infAP=0.01)] * 3), look)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_is_read_as_html(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = [trace.get(key) for trace in figure["data"] for key in ("name", "text", "hovertemplate")]
        assert "<img" not in json.dumps([figure["layout"], *texts])


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


# ---- which guess comes closest


@pytest.mark.parametrize(
    ("rmse", "sentence"),
    [
        (
            {"lower": 0.045, "rm": 0.0393},
            "At depth 5, the closest guess is rm, missing by .039 (RMSE); taking unjudged documents as "
            "not relevant misses by .045.",
        ),
        (
            {"lower": 0.03, "rm": 0.05, "linear": 0.04},
            "At depth 5, the closest guess is lower, missing by .030 (RMSE); taking unjudged documents "
            "as not relevant misses by .030.",
        ),
        (
            {"rm": 0.03, "zipf": 0.03, "lower": 0.05},
            "At depth 5, the closest guesses are rm and zipf, missing by .030 (RMSE); taking unjudged "
            "documents as not relevant misses by .050.",
        ),
        ({"rm": 0.05}, "At depth 5, the closest guess is rm, missing by .050 (RMSE)."),
        ({"rm": NAN}, "At depth 5, no topic counts for any of these systems."),
    ],
)
def test_the_closest_guess(rmse, sentence):
    assert finding("estimator_error", errors(rmse)) == sentence


def test_each_depth_has_its_sentence():
    table = errors({"lower": 0.04, "rm": 0.03}, depths=(5, 10))
    assert finding("estimator_error", table) == str(at_depth(table, 5))
    assert str(at_depth(table, 10)).startswith("At depth 10, the closest guess is rm, missing by .015")


def test_the_numbers_name_all_that_are_first():
    tiles = tiles_at(errors({"lower": 0.03, "rm": 0.03, "zipf": 0.04, "linear": 0.03}), 5)
    assert [tile[1] for tile in tiles] == ["lower and 2 others", "lower and 3 others", ".400", ".390"]
    assert tiles_at(errors({"rm": 0.03, "zipf": 0.04}), 5)[0] == ("Closest guess", "rm", "RMSE .030.")


def test_a_guess_without_any_topic_has_no_number():
    assert tiles_at(errors({"rm": NAN}), 5)[0][1] == "–"


# ---- one guess


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


def test_mean_estimates_are_inside_above_or_below():
    table = compared(3).assign(value=[0.5, 0.9, 0.1])
    assert finding("system_estimates", table) == (
        "At depth 5, the guess rm puts 1 of 3 systems that contributed inside what all judgments down to rank "
        "20 leave possible, 1 above and 1 below; that is .200 wide on average."
    )
    assert finding("system_estimates", table[:1], depth=None, estimator="lower") == (
        "With all judgments, the guess lower puts 1 of 1 system that contributed inside what all judgments down "
        "to rank 20 leave possible, 0 above and 0 below; that is .200 wide on average."
    )
    assert " puts 1 of 3 systems inside " in finding("system_estimates", table.assign(pooled=False))
    assert finding("system_estimates", table[:0]) == "No topic counts for any of these systems."


def test_single_estimates_are_right_or_off():
    table = single(("a", "1", 0.0), ("b", "1", 0.1231), ("b", "2", 0.0))
    assert finding("estimates", table, estimator="zipf(theta=0.1)") == (
        "At depth 5, the guess zipf(theta=0.1) puts 67% of 3 scores of a system on a topic inside what all judgments "
        "down to rank 20 leave possible; it misses by up to .124, for b on topic 1."
    )
    assert finding("estimates", table[:1]).endswith("down to rank 20 leave possible.")
    assert finding("estimates", table[:0]) == "No topic counts for any of these systems."


# ---- what shallow judgments teach


def test_the_gains_and_their_curves():
    assert finding("rank_models", curves(), topic="401") == (
        "On topic 401 the contributing runs gain .500 on average at rank 1, and .500 at rank 2, where the pool "
        "ends; at rank 5 the curves expect linear .400, zipf .300, weibull .200."
    )


@pytest.mark.parametrize(
    ("adjusted", "theta", "sentence"),
    [
        ([1, 0, 0], 0.018, "At depth 5, a threshold of 0.018 adjusts 1 of 3 topics; the highest gamma is 0.02."),
        ([0, 0, 0], 0.5, "At depth 5, a threshold of 0.5 adjusts 0 of 3 topics; the highest gamma is 0.02."),
        ([1, 1, 1], 0.0, "At depth 5, a threshold of 0 adjusts 3 of 3 topics; the highest gamma is 0.02."),
        ([], 0.018, "No topic is judged."),
    ],
)  # fmt: skip
def test_the_gamma_test(adjusted, theta, sentence):
    table = covered(len(adjusted)).assign(adjusted=adjusted)
    assert finding("coverage", table, theta=theta) == sentence


def test_the_gamma_test_of_all_judgments():
    assert finding("coverage", covered(1, None)).startswith(
        "With all judgments, a threshold of 0.018 adjusts 0 of 1 topic; "
    )


def test_constants():
    rows = [(0.42, 0.01, 0.08, False), (0.6, 0.02, 0.07, True)]
    table = pd.DataFrame(rows, columns=["C", "E", "rmse_plain", "best"])
    usual = {"estimator": "interpolated(C=0.42, E=0.01)"}
    learnt = "Over these pools, interpolated comes closest with C = 0.6 and E = 0.02 (plain RMSE .070)"
    known = "the pair nearest to the published C = 0.42 and E = 0.01 gives .080."
    assert finding("constants", table, **usual) == f"{learnt}; no other pairs come as close; {known}"
    assert finding("constants", table.assign(E=[0.0125, 0.02]), **usual).endswith(known)
    assert f"{learnt}; one other pair comes as close; " in finding("constants", table.assign(rmse_plain=0.07), **usual)


@pytest.mark.parametrize(
    ("inferred", "sentence"),
    [
        (0.04, "InfRBP misses least, by .040"),
        (0.05, "InfRBP and two-stage-a miss least, by .050"),
        (0.09, "two-stage-a misses least, by .050"),
    ],
)
def test_a_sample_that_helps(inferred, sentence):
    table = sampled(pool=0.06, InfRBP=inferred, infAP=0.01, **{"two-stage-a": 0.05})
    start = f"With 200 more judgments drawn at random below depth 2, {sentence} (RMSE); "
    assert finding("two_strata", table, depth=None) == start + "the shallow pool alone misses by .060."


def test_a_sample_without_a_score():
    table = sampled(pool=NAN, InfRBP=NAN, infAP=0.01)
    assert finding("two_strata", table) == "No topic counts for any of these systems."
