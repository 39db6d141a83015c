"""The choice of systems on five pages: what it offers, what the pages then show, and what the address carries."""

import pandas as pd
import pytest

import evalcore
from tests.small import small_study
from tests.ui import test_pages
from ui.forms import system_choice

WEB = test_pages.ROOT / "sample_data" / "web"
TABLE = pd.read_csv(WEB / "systems.tsv", sep="\t", keep_default_na=False).set_index("run")
CHOSEN = ["alder-bm25", "alder-rerank", "lumen-lm"]
CHOICES = {  # in the address -> the systems, from the sample's own table
    "contributing": set(TABLE.index[TABLE["pooled"] == 1]),
    "other": set(TABLE.index[TABLE["pooled"] == 0]),
    "type manual": set(TABLE.index[TABLE["type"] == "manual"]),
    "group lumen": set(TABLE.index[TABLE["group"] == "lumen"]),
    "chosen": set(CHOSEN),
}


def opened(page, **choices):
    return test_pages.opened(f"pages/{page}.py", study="web", **choices)


def table(app, key):
    return app.session_state["_note"]["tables"][key][1].table


@pytest.mark.parametrize("choice", CHOICES)
def test_scores_are_those_of_the_chosen_systems(choice):
    app = opened("scores", systems=choice, **({"chosen": CHOSEN} if choice == "chosen" else {}))
    assert app.query_params["systems"] == choice
    board = table(app, "leaderboard").set_index("system")
    whole = evalcore.open_study(WEB / "runs", WEB / "qrels.txt", systems=WEB / "systems.tsv", cache=False)
    everybody = evalcore.ask(whole, "leaderboard").table.set_index("system")
    assert set(board.index) == CHOICES[choice]
    for column in ("value", "lower", "upper"):
        assert board[column].equals(everybody.loc[board.index, column])
    setting = app.session_state["_note"]["tables"]["leaderboard"][1].finding.setting
    assert setting.endswith(f"{len(board)} of 38 systems")


@pytest.mark.parametrize(
    ("page", "key"), [("pool_depth", "leaderboard"), ("new_systems", "leave_out"), ("estimators", "system_estimates")]
)
def test_other_pages_show_the_chosen_systems(page, key):
    of_page = "contributing" if page == "new_systems" else "type manual"
    app = opened(page, systems=of_page)
    assert set(table(app, key)["system"]) <= CHOICES[of_page]


def test_orderings_compare_the_chosen_systems():
    pairs = table(opened("orderings", systems="other", open="verdicts"), "verdicts")
    assert set(pairs["a"]) | set(pairs["b"]) == CHOICES["other"]


@pytest.mark.parametrize("page", ["scores", "estimators", "orderings", "pool_depth", "new_systems"])
def test_one_chosen_system_is_no_error(page):
    opened(page, systems="chosen", chosen=CHOSEN[0])


def test_the_report_contains_a_script_for_the_chosen_systems():
    app = opened("scores", systems="other")
    answer = app.session_state["_note"]["tables"]["leaderboard"][1]
    assert f"only(systems={sorted(CHOICES['other'], key=list(answer.scope['systems']).index)!r})" in answer.script()
    assert answer.question == "leaderboard"


def test_only_subsets_that_differ_from_all_systems_are_offered():
    runs = {name: {"1": {"a": 1.0}} for name in ("s", "r", "q")}
    study = small_study(runs, {"1": {"a": 1}}, pooled="all", groups={"s": "G", "r": "G", "q": "H"})
    subsets = {"group G": ("group G", ["r", "s"]), "group H": ("group H", ["q"])}
    assert system_choice.subsets_of_systems(study) == subsets


def test_the_first_chosen_systems_are_the_one_in_focus_and_the_best_four():
    app = opened("scores", system="marble-fusion", systems="chosen")
    whole = evalcore.open_study(WEB / "runs", WEB / "qrels.txt", systems=WEB / "systems.tsv", cache=False)
    best = evalcore.ask(whole, "leaderboard").table["system"].tolist()[:4]
    assert set(table(app, "leaderboard")["system"]) == {"marble-fusion", *best}
    assert app.query_params["system"] == "marble-fusion"


def test_a_choice_of_two_systems_says_for_how_many_pairs_p_is_corrected():
    app = opened("orderings", systems="chosen", chosen=CHOSEN[:2])
    said = [caption.value for caption in app.caption]
    assert "p is corrected for the 1 pair of the systems shown, not for the 703 pairs of all 38." in said
    everybody = [caption.value for caption in opened("orderings").caption]
    assert not any(words.startswith("p is corrected for the") for words in everybody)


@pytest.mark.parametrize(
    ("choice", "counted", "n"),
    [(None, "contributing (32)", 32), ("contributing", "contributing (32)", 32), ("all", "all 38 systems", 38)],
)
def test_estimators_names_the_systems_that_it_counts(choice, counted, n):
    """Errors are over contributing systems by default, so the choice says so."""
    app = opened("estimators", guesses=["lower", "rm"], **({"systems": choice} if choice else {}))
    shown = app.get_by_key("systems")
    assert shown.options[shown.index] == counted
    errors = app.session_state["_experiments"]["estimator_error"]
    topics = len(evalcore.open_study(WEB / "runs", WEB / "qrels.txt", cache=False).judged_topics)
    assert set(errors.table["n"]) == {n * topics}
    assert errors.params["systems"] == ("all" if n == 38 else "pooled")
