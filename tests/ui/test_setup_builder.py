"""Setups chosen with pickers, and all estimators compared with one click."""

import pytest

import evalcore
from tests.ui.test_pages import opened
from ui.forms import estimator_choices, setup_choices
from ui.text import in_words
from ui.views import charts
from ui.views.orderings import AGREEMENTS


@pytest.fixture
def app():
    return opened("pages/orderings.py", study="newswire")


def button(app, label):
    return next(one for one in app.button if one.label.startswith(label))


def shown(app):
    return app.session_state["_note"]["tables"]["agreement"][1].params["regimes"]


def test_a_setup_is_added_from_pickers(app):
    before = shown(app)
    app.selectbox(key="setup-metric").set_value("AP").run()
    app.selectbox(key="setup-depth").set_value(7).run()
    app.selectbox(key="setup-unjudged").set_value("condensed").run()
    button(app, "Add this setup").click().run()
    assert not app.exception
    assert shown(app) == [*before, "depth=7 | AP | condensed"]
    assert app.query_params["regimes"][-1] == "depth=7 | AP | condensed"


def test_all_estimators_are_compared_with_one_click(app):
    app.selectbox(key="setup-metric").set_value("RBP(p=0.95)").run()
    button(app, "Compare all estimators at pool depth 10").click().run()
    assert not app.exception
    reference, *at_depth = map(evalcore.regime, shown(app))
    assert (reference.metric, reference.depth, reference.estimator) == ("RBP(p=0.95)", None, "lower")
    assert {setup.estimator.partition("(")[0] for setup in at_depth} == set(evalcore.ESTIMATORS)
    assert {(setup.metric, setup.depth) for setup in at_depth} == {("RBP(p=0.95)", 10)}


def test_all_estimators_are_compared_at_the_depth_of_the_page(app):
    app.multiselect(key="regimes").set_value(["depth=5", "RBP(p=0.8)", "AP"]).run()
    app.session_state["setup-builder"] = True
    button(app, "Compare all estimators at pool depth 5").click().run()
    assert {setup.depth for setup in map(evalcore.regime, shown(app))} == {None, 5}
    assert not app.session_state["setup-builder"]  # it would cover the grid


def test_the_distance_of_orderings_is_a_sum_and_weighs_pairs_as_on_estimators(app):
    labels = {"distance": "Weighted distance", "distance_per_pair": "Weighted distance per pair"}
    assert labels.items() <= AGREEMENTS.items()
    assert labels.items() <= estimator_choices.AGREEMENTS.items()
    assert not [one for one in app.selectbox if one.key == "weight"]  # pairs count alike by tau-b
    app.get_by_key("view").set_value("distance").run()
    app.get_by_key("weight").set_value("rho").run()
    assert app.query_params["weight"] == "rho"
    answer = app.session_state["_note"]["tables"]["agreement"][1]
    assert answer.params["weight"] == "rho"
    finding = app.session_state["_note"]["findings"]["agreement"]
    others = answer.table[answer.table["a"] != answer.table["b"]]["distance"]
    assert (finding.facts["least_distance"], finding.facts["most_distance"]) == (others.min(), others.max())


def test_models_are_left_out_for_a_metric_without_weights(app):
    app.selectbox(key="setup-metric").set_value("AP").run()
    button(app, "Compare all estimators").click().run()
    names = {setup.estimator.partition("(")[0] for setup in map(evalcore.regime, shown(app))}
    assert names == {name for name, row in evalcore.ESTIMATORS.items() if not row.model}


@pytest.mark.parametrize(("metric", "unjudged"), [("bpref", "irrelevant"), ("AP", "condensed")])
def test_an_estimator_without_an_interval_cannot_be_added(metric, unjudged):
    regime = evalcore.regime(" | ".join(filter(None, [metric, unjudged.replace("irrelevant", "")])))
    with_estimator = evalcore.regime(f"{regime.name} | background")
    assert not setup_choices._is_without_effect(regime)
    assert setup_choices._is_without_effect(with_estimator)


def test_no_label_of_a_setup_is_cut():
    pairs = [(depth, last) for depth in (5, 10) for last in (0.01, 0.02)]
    names = [f"depth={depth} | RBP(p=0.95) | interpolated(C=0.42, E={last})" for depth, last in pairs]
    labels = charts._in_lines(names)
    assert [label.replace("<br>", " ") for label in labels] == names
    setups = ["AP", "depth=1 | interpolated(C=0.42, E=0.01)", "depth=1 | interpolated(C=0.5, E=0.01)"]
    assert [in_words.setup(name) for name in setups] == [
        "AP",
        "RBP(p=0.8) estimated by interpolated (judged to depth 1)",
        "RBP(p=0.8) estimated by interpolated(C=0.5) (judged to depth 1)",
    ]
    assert in_words.setup("nonsense | 3") == "nonsense | 3"
