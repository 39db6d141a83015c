"""Estimators: orderings by pool depth, and parameters of estimators set without typing."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore

ROOT = Path(__file__).parents[2]


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
    app.get_by_key("agreement").set_value("tau").run()
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


OF_REFERENCE = ("estimator_error", "system_estimates", "estimates", "by_group", "error_by_theta")


def test_the_reference_is_all_judgments_or_the_top_ranks(app):
    """One choice for all that is compared with it, which the address and the script have."""
    choices = {"metric": "RBP(p=0.95)", "guesses": ["lower", "rm"], "open": ["error_by_theta", "by_group"]}
    open_page(app, reference="20", **choices)
    shown = {name: answer(app, name) for name in OF_REFERENCE}
    assert {one.params["reference_depth"] for one in shown.values()} == {20}
    assert all("reference_depth=20" in one.script() for one in shown.values())
    assert shown["estimator_error"].table["depth"].max() < 20
    table = shown["estimator_error"].table.set_index(["depth", "estimator"])
    expected = evalcore.ask(newswire(), "estimator_error", metric="RBP(p=0.95)", reference_depth=20,
                            estimators=["lower", "rm"]).table.set_index(["depth", "estimator"])  # fmt: skip
    assert table["accuracy"].to_dict() == expected["accuracy"].to_dict()
    app.selectbox(key="reference").set_value("all").run()
    assert "reference" not in app.query_params
    assert {answer(app, name).params["reference_depth"] for name in OF_REFERENCE} == {None}
    later = answer(app, "estimator_error").table.set_index(["depth", "estimator"])
    assert (later["accuracy"] < table["accuracy"].reindex(later.index)).loc[5].all()  # narrower intervals


def newswire():
    of = ROOT / "sample_data" / "newswire"
    return evalcore.open_study(of / "runs", of / "qrels.txt", systems=of / "systems.tsv", cache=False)


def test_a_reference_that_would_change_nothing_is_not_offered(app):
    open_page(app, metric="P@10", guesses=["lower", "rm"])
    assert not [one for one in app.selectbox if one.key == "reference"]
    assert answer(app, "estimator_error").params["reference_depth"] is None


def test_the_constants_are_learnt_from_chosen_numbers_of_judgments_of_contributing_systems(app):
    """Numbers that the track does not have are named and left out; without a choice, 1/64 to 1/2 of all count."""
    open_page(app, metric="P@10", formula="smoothed", counts=["200", "1000", "900000"], open="constants")
    learnt = answer(app, "constants")
    assert (learnt.params["judgments"], learnt.params["systems"]) == ([200, 1000], "pooled")
    assert any("Left out: 900000" in one.value for one in app.caption)
    asked = {"metric": "P@10", "estimator": "smoothed", "judgments": [200, 1000], "systems": "pooled"}
    assert evalcore.ask(newswire(), "constants", **asked).table["rmse_plain"].min() == learnt.table["rmse_plain"].min()
    app.multiselect(key="counts").set_value([]).run()
    assert answer(app, "constants").params["judgments"] is None
    assert "counts" not in app.query_params


def note_of(app, path, key, **choices):
    for name, value in choices.items():
        app.query_params[name] = value
    app.switch_page(path).run()
    assert not app.exception
    return answer(app, key)


def test_numbers_of_judgments_and_metrics_are_chosen_where_the_first_paper_has_them(app):
    """[RM10, fig. 1, tables 1 and 2]: 1,000 judgments; several metrics; three estimators of the systems that did not
    contribute."""
    app.query_params["study"] = "web"
    chosen = {"with": ["P@10", "SDCG@100"], "counts": ["1000"], "count": "1000", "open": ["trend", "first_unjudged"]}
    trend = note_of(app, "pages/pool_depth.py", "trend", metric="RBP(p=0.95)", **chosen)
    assert (trend.params["metrics"], trend.params["judgments"]) == (["RBP(p=0.95)", "P@10", "SDCG@100"], [1000, None])
    first = answer(app, "first_unjudged")
    assert (first.params["judgments"], first.params["depth"]) == (1000, None)
    chosen = {"by-metrics": ["SDCG@100", "nDCG"], "by-estimators": ["lower", "smoothed"], "systems": "other"}
    table = note_of(app, "pages/orderings.py", "separability_by_metric", **chosen, open="separability_by_metric").table
    assert list(zip(table["metric"], table["estimator"], strict=True)) == [
        ("SDCG@100", "lower"), ("SDCG@100", "smoothed"), ("nDCG", "lower"), ("nDCG", "smoothed"),
    ]  # fmt: skip
    assert set(table["pairs"]) == {15}  # of the six that did not contribute
