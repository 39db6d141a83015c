"""Estimators: orderings by pool depth, and parameters of estimators set without typing."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def app():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["study"] = "newswire"
    return app


def open_page(app, **choices):
    for name, value in choices.items():
        app.query_params[name] = value
    app.switch_page("pages/estimators.py").run()
    assert not app.exception
    return app


def answer(app, key):
    return app.session_state["_note"]["tables"][key][1]


def test_the_address_chooses_the_order_of_the_systems(app):
    open_page(app, error="order", agreement="distance_per_pair", weight="rho", guesses=["lower", "rm"])
    assert answer(app, "estimator_agreement").params["weight"] == "rho"
    finding = app.session_state["_note"]["findings"]["estimator_agreement"]
    assert "he weighted distance is" in str(finding)
    app.selectbox(key="agreement").set_value("tau").run()
    assert not app.exception
    assert answer(app, "estimator_agreement").params["weight"] == 1
    assert app.query_params["agreement"] == "tau"


def test_parameters_are_set_without_typing(app):
    open_page(app, guesses=["lower", "rm"])
    app.selectbox(key="set-estimator").set_value("two-stage-b").run()
    app.number_input(key="set-two-stage-b-theta").set_value(0.02).run()
    app.button(key="add-estimator").click().run()
    app.selectbox(key="set-estimator").set_value("interpolated").run()
    app.number_input(key="set-interpolated-C").set_value(0.7).run()
    app.button(key="add-estimator").click().run()
    assert not app.exception
    named = ["lower", "rm", "two-stage-b(theta=0.02)", "interpolated(C=0.7)"]
    assert answer(app, "estimator_error").params["estimators"] == named
    assert app.query_params["guesses"] == named


def test_an_estimator_that_cannot_be_read_is_left_out(app):
    open_page(app, guesses=["lower", "rm(C=2)"])
    assert answer(app, "estimator_error").params["estimators"] == ["lower"]
    assert app.error or "rm" in " ".join(one.value for one in app.markdown)


def test_thresholds_and_left_out_groups_are_shown_in_their_sections(app):
    open_page(app, guesses=["lower", "rm"], thresholded="linear", open=["error_by_theta", "by_group"])
    assert answer(app, "error_by_theta").params["estimator"].startswith("linear")
    assert answer(app, "gamma_by_depth").table["gamma"].notna().all()
    left_out = answer(app, "by_group")
    assert (left_out.params["by"], len(left_out.params["depths"])) == ("group", 1)
