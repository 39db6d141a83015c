"""Parts of Fusion and Consistency: a worked example with letters, buttons for a fused run, and help on variations."""

import re
from dataclasses import replace
from typing import Any

import streamlit as st

import evalcore
from evalcore.answers import Answer
from evalcore.findings.fusion import gain, letters
from evalcore.fusion import methods
from evalcore.interop.trec_files import trec_run
from evalcore.questions.fusion import way
from evalcore.questions.wrong_pairs import NOTHING_LEFT
from evalcore.study.opening import OPTIONS
from evalcore.study.study import Study
from evalcore.study.study_file import MOST_FUSED
from ui.data import open_options, study_choice
from ui.forms import complete_judgments
from ui.layout import section
from ui.session import answers, notes
from ui.text.escape import md
from ui.views.charts import bars
from ui.views.fusion import of_bars, points_of

EVERY_PHI = (0.8, 0.9, 0.95, 0.98, 0.99)
EXAMPLE = "ADBCGF BDEC ABDCGFE GDEAFC"  # of [BMST17, fig. 1]
ADDS = "Adds the fused run to the systems on every page except Data, until you close this tab."
WORKED_EXAMPLE = "worked example"  # its name among the experiments of the page


def worked_example() -> None:
    """Fuse a few rankings of letters with two methods."""
    left, right = st.columns([3, 2])
    typed = left.text_input("Rankings, best first, separated by spaces", EXAMPLE, key="letters")
    phi = right.slider("Persistence", 0.0, 1.0, 0.8, 0.05, key="letters-phi")
    notes.add_experiment("letters", notes.Experiment(WORKED_EXAMPLE, {"lists": typed, "phi": phi}))
    for place, rule in zip(st.columns(2), (methods.rule("rbc", phi=phi), methods.rule("borda")), strict=True):
        ranking = methods.of_names(map(list, typed.split()), rule)
        name, tells = way(rule.method.name, rule.says("phi")), str(letters(ranking))
        with place:
            with st.container(key=f"sub-finding-letters-{rule.method.name}"):
                st.markdown(md(f"{name}: {tells}"))
            if ranking:
                documents, values = zip(*ranking, strict=True)
                drawn = bars(documents, values, section.look(), title=name, ticks=".3~g")
                section.picture(drawn, alt=tells, key=f"letters-{rule.method.name}")


def say_gain(gained: Answer, inputs: str, *, key: str = "fusion_scores", **by: Any) -> None:
    """Show whether a fused run beats its best input. gained : the question `fusion_scores` for one fused run; inputs :
    its inputs, in words"""
    row, finding = gained.table.iloc[0], gained.finding
    by |= {name: gained.params[name] for name in ("level", "over")}
    by |= {"best_is_fused": row["best"] in study_choice.own().fused, "certain": finding.facts.get("certain")}
    conclusion = gain(row, inputs, **by)  # the second sentence, which also says what judging could do, names no inputs
    section.say(replace(conclusion, detail=finding.detail, facts=finding.facts | conclusion.facts), key=key)


def by_truth(
    study: Study, run: str, recipe: dict[str, Any], inputs: str, metric: str, **tested: Any
) -> tuple[dict[str, Any], dict[str, Answer]]:
    """Show the gain of a fused run with complete judgments, if they are marked. -> marks for its picture, see
    `complete_judgments.at`, and title -> answer"""
    if (final := complete_judgments.in_the_end(study)) is None:
        if complete_judgments.is_on():
            st.caption(NOTHING_LEFT)
        return {}, {}
    params = {name: value for name, value in recipe.items() if name != "method"}
    gained = answers.ask(final, "fusion_scores", methods=[recipe["method"]], metrics=[metric], **params, **tested)
    say_gain(gained, inputs, key="truth-of-fused", by_truth=True)
    tables = {"Gain from fusion": gained}
    if recipe["over"] != "systems":
        return complete_judgments.at(final, of_bars(gained)), tables
    board = among_inputs(final, run, recipe, metric)
    marks = complete_judgments.at(final, zip(board.table["system"], board.table["value"], strict=True))
    return marks, tables | {"Fused run and its inputs": board}


def name_of(study: Study, name: str, recipe: dict[str, Any]) -> tuple[str, bool]:
    """Name of a fused run among the systems of a study, unique there, and whether it has been added already."""
    added = study_choice.own().fused.items()
    existing = next((kept for kept, added_recipe in added if added_recipe == recipe and kept in study.systems), None)
    while not existing and name in study.systems:
        name += "+"
    return existing or name, existing is not None


def among_inputs(study: Study, name: str, recipe: dict[str, Any], metric: str) -> Answer:
    """The question `leaderboard` for a fused run and its inputs; the study made for it is not cached."""

    def compute():
        systems = [name, *recipe["systems"]]
        return evalcore.ask(_with_run(study, name, recipe), "leaderboard", metric=metric, systems=systems)

    return answers.cached(study, "fused_among_inputs", [name, recipe, metric], compute)


def _with_run(study, name, recipe):
    return study if name in study.systems else study.with_fused(name, **recipe)


def give(by_truth: dict[str, Answer]) -> None:
    """Show the tables from `by_truth`."""
    for title, answer in by_truth.items():
        section.table(answer, key=f"{answer.question}-by-truth", title=f"{title}, complete judgments", folded=True)


def marks(study: Study, question: str, **params: Any) -> dict[str, Any]:
    """Marks for the picture of several methods, or of several numbers of variations."""
    if (final := complete_judgments.in_the_end(study)) is None:
        return {}
    named = {"fusion_scores": of_bars, "fusion_by_count": points_of}[question]
    return complete_judgments.at(final, named(answers.ask(final, question, **params)))


def every_method(study: Study, metric: str, *, opened: bool, **params: Any) -> None:
    """Show the fused runs of all methods. opened : whether the section is open, and to be marked"""
    every = {"methods": list(evalcore.FUSIONS), "phis": EVERY_PHI, "metrics": [metric], "slow": "Fusing …", **params}
    marked = marks(study, "fusion_scores", **every) if opened else {}
    compared = section.ask(study, "fusion_scores", key="methods", title="Fusion methods", **every)
    compared.say().draw(**marked).table(folded=False)


def actions(study: Study, run: str, recipe: dict[str, Any], *, is_kept: bool) -> None:
    """Buttons to download a fused run, add it to the systems, and remove it. kept : whether it was added"""

    def written():
        return trec_run(_with_run(study, run, recipe).track, run)

    fused = study_choice.own().fused

    def add():
        study_choice.change(fused={**fused, run: recipe})
        st.toast(f"{md(run)} was added to the systems on every page except Data.")

    with st.container(horizontal=True):
        st.download_button("Download the fused run (TREC)", written, f"{run}.run", "text/plain", on_click="ignore")
        is_full = len(fused) >= MOST_FUSED
        st.button(
            "Added to systems" if is_kept else "Add to systems", key="keep", disabled=is_kept or is_full, on_click=add,
            help=f"At most {MOST_FUSED} fused runs can be added. Remove them first." if is_full else ADDS,
        )  # fmt: skip
        if fused:
            st.button("Remove fused runs", on_click=study_choice.change, kwargs={"fused": {}})


def read_variations(study: Study, *, key: str) -> None:
    """A button that reads runs as query variations, if their names look like it."""
    if sum(re.search(r"\.v\d+$", system) is not None for system in study.systems) > 1:
        by_run = {**open_options.assumed(), "variations": "run"}
        label = "Read SYSTEM.v3 as the third query variation of SYSTEM"
        st.button(label, key=key, on_click=open_options.assume, args=(by_run,))


def no_variations(study: Study) -> None:
    """Show what to do if every topic has one query."""
    st.info(
        "This page compares how a system answers several phrasings of the same need (query variations). Every topic of "
        "this track has one query, so there is nothing to compare.\n\nTo add variations, name them by run files "
        "(SYSTEM.v3), by query names (401-7), or in a queries table; then choose which on the Data page, under *Change "
        f"assumptions*, *{OPTIONS['variations'].label}*."
    )
    read_variations(study, key="read-variations")
    st.button("Open a sample with variations", on_click=study_choice.open_another, args=("variations",), type="primary")
