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
from tests.small import small_study
from ui import theme
from ui.views import VIEWS
from ui.views.estimates import tiles_at

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
USUAL = {"depth": 5, "estimator": "rm", "theta": 0.018, "topic": "<img>1", "depths": None, "judgments": None}
USUAL |= {"reference_depth": None, "metric": "RBP(p=0.8)", "by": "all", "systems": "pooled"}


def answer(question, table, **params):
    return Answer(table, question, USUAL | params, (), "", (), {}, {})


def drawn(question, table, look=LOOKS[0], params=None, **choices):
    return VIEWS[question].figure(answer(question, table, **(params or {})), look, **choices)


def finding(question, table, *, study=None, **params):
    return str(QUESTIONS[question].finding(table, USUAL | params, study or SimpleNamespace(depth=20)))


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
    for panel in VIEWS["two_strata"].panels:
        yield drawn("two_strata", pd.concat([sampled(pool=0.06, InfRBP=0.04, infAP=0.01)] * 3), look, panel=panel)


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


SCORES = "the RBP(p=0.8) scores of contributing systems by all judgments"
PLAIN = "taking unjudged documents as not relevant has"


@pytest.mark.parametrize(
    ("rmse", "may", "sentence"),
    [
        ({"lower": 0.045, "rm": 0.0393}, [],
         f"the guess closest to {SCORES} is rm; the least root mean square error is .039 or more; {PLAIN} .045 or "
         "more."),
        ({"lower": 0.03, "rm": 0.05, "linear": 0.04}, [],
         f"the guess closest to {SCORES} is lower; the least root mean square error is .030 or more; no other "
         "guess compared betters taking unjudged documents as not relevant."),
        ({"rm": 0.03, "zipf": 0.03, "lower": 0.05}, ["zipf"],
         f"the guess closest to {SCORES} is one of rm and zipf; these scores, open by .200 on average, do not tell "
         f"which; the least root mean square error is .030 or more; {PLAIN} .050 or more."),
        ({"rm": 0.03, "zipf": 0.04, "lower": 0.05}, ["zipf"],
         f"the guess closest to {SCORES} is one of rm and zipf; these scores, open by .200 on average, do not tell "
         f"which; the least root mean square error is .030 or more; {PLAIN} .050 or more."),
        ({"zipf": 0.04, "lower": 0.05, "rm": 0.03}, ["zipf", "lower"],
         f"it cannot be told which of three guesses is closest to {SCORES}, which are open by .200 on average; the "
         f"least root mean square error is .030 or more; {PLAIN} .050 or more."),
        ({"zipf": 0.0, "rm": 0.0}, ["rm", "zipf"],
         f"it cannot be told which of two guesses is closest to {SCORES}, which are open by .200 on average; the least "
         "root mean square error may be under .001."),
        ({"zipf": 0.0003, "rm": 0.0003, "lower": 0.0309}, ["rm", "zipf"],
         f"the guess closest to {SCORES} is one of zipf and rm; these scores, open by .200 on average, do not tell "
         f"which; the least root mean square error may be under .001; {PLAIN} .030 or more."),
        ({"lower": 0.0004, "rm": 0.0003}, ["lower"],
         f"it cannot be told which of two guesses is closest to {SCORES}, which are open by .200 on average; the least "
         "root mean square error may be under .001."),
        ({"lower": 0.05}, [], f"the root mean square error of the guess lower against {SCORES} is .050 or more."),
        ({"rm": 0.05}, [], f"the root mean square error of the guess rm against {SCORES} is .050 or more."),
        ({"rm": NAN}, [], "no topic counts for any of these systems."),
    ],
)  # fmt: skip
def test_the_closest_guess(rmse, may, sentence):
    assert finding("estimator_error", errors(rmse, may=may)) == f"At pool depth 5, {sentence}"
    if "width" not in sentence and ".200" not in sentence:
        exact = sentence.replace(" or more", "")
        assert finding("estimator_error", errors(rmse, may=may, width=0.0)) == f"At pool depth 5, {exact}"


@pytest.mark.parametrize(
    ("rmse", "may", "sentence", "tile"),
    [
        ({"rm": 0.03, "zipf": 0.03, "lower": 0.05}, ["zipf"],
         f"the guesses closest to {SCORES} are rm and zipf; the least root mean square error is .030; {PLAIN} .050.",
         "rm and zipf"),
        ({"zipf": 0.03, "lower": 0.03}, ["zipf", "lower"],
         f"two guesses come equally close to {SCORES}; their root mean square error is .030.", "zipf and lower"),
    ],
)  # fmt: skip
def test_guesses_are_equally_close_to_scores_that_are_known_alone(rmse, may, sentence, tile):
    table = errors(rmse, may=may, width=0.0)
    assert finding("estimator_error", table) == f"At pool depth 5, {sentence}"
    assert tiles_at(table, 5)[0][1:] == (tile, "Root mean square error: .030.")


def test_one_guess_inside_open_scores_may_miss_by_nothing():
    told = finding("estimator_error", errors({"rm": 0.0}))
    assert told == f"At pool depth 5, the root mean square error of the guess rm against {SCORES} may be under .001."


def test_groups_that_are_left_out_are_told():
    told = finding("estimator_error", errors({"lower": 0.04, "rm": 0.03}), by="group")
    assert told.startswith(
        f"At pool depth 5, each group left out of the pool in turn, the guess closest to {SCORES} is rm; "
    )


def test_each_depth_has_its_sentence():
    table = errors({"lower": 0.04, "rm": 0.03}, depths=(5, 10))
    assert finding("estimator_error", table) == str(at_depth(table, 5, USUAL))
    told = str(at_depth(table, 10, USUAL))
    assert told.startswith(f"At pool depth 10, the guess closest to {SCORES} is rm; ")
    assert "error is .015 or more" in told


@pytest.mark.parametrize(
    ("may", "which"),
    [([], "rm"), (["zipf"], "rm or zipf"), (["zipf", "linear"], "one of 3"), (["zipf", "linear", "lower"],
                                                                           "unknown")],
)  # fmt: skip
def test_the_numbers_name_a_winner_only_where_there_is_one(may, which):
    table = errors({"lower": 0.05, "rm": 0.03, "zipf": 0.04, "linear": 0.045}, may=may)
    tiles = tiles_at(table, 5)
    assert [tile[1] for tile in tiles] == [which, "lower and 3 others", ".400", ".200"]
    assert tiles[0][2].startswith("Root mean square error: at least .030.")
    assert tiles_at(table.assign(rmse=0.0309), 5)[0][2].startswith("Root mean square error: at least .030.")
    assert tiles_at(table.assign(rmse=0.0003), 5)[0][2].startswith("Root mean square error: possibly below .001.")
    assert ("too wide to say which" in tiles[0][2]) == bool(may)
    for accuracy, said in ((99.7, "more than 99%"), (100, "100%"), (0.2, "less than 1%"), (37.5, "38%")):
        told = tiles_at(table.assign(accuracy=accuracy), 5)[1][2]
        assert told == f"Scores inside the reference interval: {said}."
    assert tiles_at(table.assign(reference_width=0.0), 5)[0][2].startswith("Root mean square error: .030.")


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


POSSIBLE = "inside what all judgments leave possible of RBP(p=0.8)"


def test_mean_estimates_are_inside_above_or_below():
    table = compared(3).assign(value=[0.5, 0.9, 0.1])
    assert finding("system_estimates", table) == (
        f"At pool depth 5, the guess rm puts the mean score of 1 of 3 systems that contributed {POSSIBLE}, 1 above and "
        "1 below; what they leave possible is .200 wide on average."
    )
    assert finding("system_estimates", table[:1], depth=None, estimator="lower") == (
        f"With all judgments, the guess lower puts the mean score of the one system that contributed {POSSIBLE}; "
        "what they leave possible is .200 wide on average."
    )
    outside = POSSIBLE.replace("inside", "above")
    assert f"the mean score of the one system {outside}; " in finding(
        "system_estimates", table[1:2].assign(pooled=False)
    )
    assert "the one system that contributed below what" in finding("system_estimates", table[2:3])
    assert " of 1 of 3 systems inside " in finding("system_estimates", table.assign(pooled=False))
    assert " in the first 20 ranks, 1 above" in finding("system_estimates", table, reference_depth=20)
    assert finding("system_estimates", table[:0]) == "No topic counts for any of these systems."


def test_single_estimates_are_right_or_off():
    table = single(("a", "1", 0.0), ("b", "1", 0.1231), ("b", "2", 0.0))
    assert finding("estimates", table, estimator="zipf(theta=0.1)") == (
        f"At pool depth 5, the guess zipf(theta=0.1) puts 67% of 3 scores of a system on a topic {POSSIBLE}; it misses "
        "by up to .124, for b on topic 1."
    )
    assert finding("estimates", table[:1]).endswith(f"{POSSIBLE}.")
    assert finding("estimates", table[:0]) == "No topic counts for any of these systems."


# ---- what shallow judgments teach


def test_the_gains_and_their_curves():
    fitted = "on topic 401 the contributing runs gain .500 on average at rank 1 and .500 at rank 2, the last that the "
    fitted += "curves are fitted to; at rank 5 they expect linear .400, zipf .300, weibull .200."
    assert finding("rank_models", curves(), topic="401") == f"At pool depth 5, {fitted}"
    assert finding("rank_models", curves(), topic="401", depth=None) == f"With all judgments, {fitted}"


@pytest.mark.parametrize(
    ("adjusted", "theta", "sentence"),
    [
        ([1, 0, 0], 0.018, "by a threshold of 0.018 on gamma, a model guesses on 1 of 3 topics and leaves 2 as if "
         "unjudged documents were not relevant; the highest gamma is 0.02."),
        ([0, 0, 0], 0.5, "by a threshold of 0.5 on gamma, a model guesses on 0 of 3 topics and leaves 3 as if unjudged "
         "documents were not relevant; the highest gamma is 0.02."),
        ([1, 1, 1], 0.001, "by a threshold of 0.001 on gamma, a model guesses on 3 of 3 topics; the highest gamma is "
         "0.02."),
        ([1, 1, 1], 0.0, "a threshold of 0 lets a model guess on 3 topics; the highest gamma is 0.02."),
    ],
)  # fmt: skip
def test_the_gamma_test(adjusted, theta, sentence):
    table = covered(len(adjusted)).assign(adjusted=adjusted)
    assert finding("coverage", table, theta=theta) == f"At pool depth 5, {sentence}"


def test_the_gamma_test_of_all_judgments_and_of_none():
    told = finding("coverage", covered(1, None))
    assert told.startswith("With all judgments, by a threshold of 0.018 on gamma, a model guesses on 0 of 1 topic ")
    assert finding("coverage", covered(0)) == "No topic is judged."


def test_constants():
    rows = [(0.42, 0.01, 0.08, False), (0.6, 0.02, 0.07, True)]
    table = pd.DataFrame(rows, columns=["C", "E", "rmse_plain", "best"])
    usual = {"estimator": "interpolated(C=0.42, E=0.01)"}
    learnt = "of all C and E, interpolated comes closest to the P@10 scores of all systems by all judgments (unjudged "
    learnt += "= not relevant) with C = 0.6 and E = 0.02 (root mean square error .070)"
    known = "the pair nearest to the published C = 0.42 and E = 0.01 gives .080."
    usual |= {"metric": "P@10", "systems": "all", "depths": None, "judgments": [20, 10]}
    usual["study"] = small_study({"A": {"7": {"d": 1.0}}}, {"7": {f"d{i}": 1 for i in range(64)}})
    learnt = f"Over pools of 10 to 20 judgments, {learnt}"
    assert finding("constants", table, **usual) == f"{learnt}; {known}"
    for sizes, words in (
        ({"judgments": None}, "Over pools of 1 to 32 judgments, "),
        ({"judgments": [1]}, "Over the first 1 judgment, "),
        ({"judgments": None, "depths": [5]}, "Over pool depth 5, "),
        ({"judgments": None, "depths": [5, 2]}, "Over pool depths 2 to 5, "),
        ({"judgments": None, "depths": [5, None]}, "Over pool depths 5 to all judgments, "),
        ({"judgments": None, "depths": [None]}, "Over all judgments, "),
    ):
        assert finding("constants", table, **usual | sizes).startswith(f"{words}of all C and E, interpolated")
    assert finding("constants", table.assign(E=[0.0125, 0.02]), **usual).endswith(known)
    assert f"{learnt}; one other pair comes as close; " in finding("constants", table.assign(rmse_plain=0.07), **usual)


@pytest.mark.parametrize(
    ("inferred", "least"),
    [
        (0.04, "InfRBP has the least root mean square error, .040"),
        (0.05, "InfRBP and two-stage-a have the least root mean square error, .050"),
        (0.09, "two-stage-a has the least root mean square error, .050"),
    ],
)
def test_a_sample_orders_systems_and_has_an_error(inferred, least):
    table = sampled(pool=0.06, InfRBP=inferred, infAP=0.01, **{"two-stage-a": 0.05})
    ordering = "With 200 more judgments drawn at random below depth 2, of the ways to use them InfRBP orders "
    ordering += "contributing systems most as all judgments do by RBP(p=0.8): 2% of pairs the other way round, against "
    ordering += "6% by the shallow pool alone"
    last = "against .060 of the shallow pool alone; infAP, against AP, puts 5% of pairs the other way round."
    untold = "which has the least error cannot be told by these scores, which are open by .200 on average; "
    assert finding("two_strata", table, depth=None) == f"{ordering}; {untold}{last.partition('; ')[2]}"
    narrow = finding("two_strata", table.assign(reference_width=0.01), depth=None)
    named = f"{ordering}; {least} or more, {last.replace('.060', '.060 or more')}"
    assert narrow == named or (inferred == 0.05 and "cannot be told" in narrow)  # two errors do not differ at all
    exact = table.assign(reference_width=0.0)
    assert finding("two_strata", exact, depth=None) == f"{ordering}; {least}, {last}"


def test_a_sample_that_orders_about_as_the_shallow_pool():
    table = sampled(pool=0.06, InfRBP=0.05, infAP=0.01, **{"two-stage-a": 0.05})
    table.loc[table["estimator"] == "InfRBP", "tau_distance"] = 0.0571
    table.loc[table["estimator"] == "two-stage-a", "tau_distance"] = 0.0599
    said = finding("two_strata", table, depth=None)
    assert "6% of pairs the other way round, about as many as the 6% by the shallow pool alone; " in said


def test_where_the_shallow_pool_leaves_nothing_open_a_sample_is_not_said_to_have_less_error():
    table = sampled(pool=0.0, InfRBP=0.0, infAP=0.01, **{"two-stage-a": 0.0}).assign(reference_width=0.0)
    table.loc[table["estimator"] != "infAP", "tau_distance"] = 0.0
    said = finding("two_strata", table, depth=None)
    assert (
        "0% of pairs the other way round, as many as the 0% by the shallow pool alone; the shallow pool alone " in said
    )
    assert "alone leaves no error; infAP, against AP, puts" in said


def test_a_sample_without_a_score():
    table = sampled(pool=NAN, InfRBP=NAN, infAP=0.01)
    assert finding("two_strata", table) == "No topic counts for any of these systems."


def test_of_several_guesses_as_far_off_none_is_named():
    rows = [("a", "1", 0.4), ("a", "2", 0.4), ("b", "1", 0.0)]
    table = pd.DataFrame(rows, columns=["system", "topic", "error"])
    asked = {"metric": "P@10", "depth": 5, "estimator": "rm", "reference_depth": None}
    several, one = (str(QUESTIONS["estimates"].finding(some, asked, None)) for some in (table, table[1:]))
    assert several.endswith("it misses by up to .400, in 2 scores.")
    assert one.endswith("it misses by up to .400, for a on topic 2.")
