"""The Fusion page: any persistence of a method, and how alike the inputs are."""

import pytest

import evalcore
from tests.ui.test_pages import ROOT, opened
from ui.views import VIEWS, theme

FUSION = "pages/fusion.py"
TOY = ROOT / "sample_data" / "toy"


def test_any_persistence_can_be_typed():
    app = opened(FUSION, study="newswire", rule="rbc(phi=0.85)")
    answer = app.session_state["_note"]["tables"]["fusion_scores"][1]
    assert answer.params["methods"] == ["rbc(phi=0.85)"]
    assert answer.table["phi"].tolist() == [0.85]
    assert app.query_params["rule"] == "rbc(phi=0.85)"


def test_the_level_of_significance_is_that_of_the_address():
    for level in (0.05, 0.001):
        app = opened(FUSION, study="newswire", level=str(level))
        gained = app.session_state["_note"]["tables"]["fusion_scores"][1]
        assert gained.params["level"] == level
        p, by = gained.table["p"].iloc[0], gained.table["gain_over_best"].iloc[0]
        p = p if by > 0 else 1 - p
        said = "is significant" if p < level else "is not significant"
        assert any(said in str(one) for one in app.session_state["_note"]["findings"].values())
    app.switch_page("pages/new_systems.py").run()
    assert app.session_state["_note"]["tables"]["newcomer"][1].params["level"] == 0.001
    assert app.query_params["level"] == "0.001"


@pytest.mark.parametrize("rule", ["rbc(phi=2)", "median"])
def test_a_method_that_cannot_be_read_is_an_error_on_the_page(rule):
    assert opened(FUSION, study="newswire", rule=rule).error


def test_the_square_shows_the_mean_overlap_of_every_two_systems():
    study = evalcore.open_study(TOY / "runs", TOY / "qrels.txt", cache=False)
    answer = evalcore.ask(study, "rbo", phi=0.8)
    field = VIEWS["rbo"].figure(answer, theme.look())["data"][0]
    names = list(dict.fromkeys([*answer.table["a"], *answer.table["b"]]))
    of_pair = {}
    for row in answer.table.itertuples():
        of_pair.setdefault((row.a, row.b), []).append(row.extrapolated)
    for y, a in enumerate(names):
        for x, b in enumerate(names):
            values = of_pair.get((a, b)) or of_pair.get((b, a)) or [1.0]
            assert float(field["z"][y][x]) == pytest.approx(sum(values) / len(values))


def test_the_overlap_of_the_inputs_is_on_the_page():
    app = opened(FUSION, study="variations", open="rbo")
    assert "rbo" in app.session_state["_note"]["findings"]


def test_the_worked_example_with_letters_is_fused():
    app = opened(FUSION, study="variations", open="letters")
    assert any("The fused ranking is D A B C G E F" in one.value for one in app.markdown)
