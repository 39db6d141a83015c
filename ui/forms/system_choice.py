"""The choice of systems: all, contributing systems, others, a type, a group, or chosen ones."""

import contextlib
from functools import partial

import streamlit as st

import evalcore
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits
from ui.components import choices
from ui.forms import complete_judgments
from ui.layout.pins import subsets_of_systems
from ui.session import answers, memory, url_state

FIRST_CHOSEN = 5


def column(where: choices.Place, study: Study, *, fewer: bool) -> Study:
    """Draw the choice of systems, and below it the switch of complete judgments. -> the study with these systems

    The pool stays that of all contributing systems. fewer : as of `complete_judgments.switch`
    """
    study = narrowed(where, study)
    complete_judgments.switch(where, study, fewer=fewer)
    return study


def narrowed(where: choices.Place, study: Study, *, first: str = "all") -> Study:
    """The study with the systems that the visitor chooses; as it is for the default. first : the default"""
    subsets = subsets_of_systems(study)
    names = choices.systems(where, study.systems, subsets, usual=partial(_usual, study), first=first)
    if names is None:
        return study
    return answers.cached(study, "narrowed", names, lambda: study.only(systems=names))


def _usual(study):
    """The system in focus and the best four others, by the metric in use."""
    board = answers.ask(study, "leaderboard", metric=_metric()).table
    focus = url_state.value_of("system") or memory.get("system")
    return list(dict.fromkeys([*([focus] if focus in study.systems else []), *board["system"]]))[:FIRST_CHOSEN]


def _metric():
    """The metric chosen on this page, or the default."""
    chosen = st.session_state.get("metric") or choices.USUAL
    with contextlib.suppress(ValueError):
        return evalcore.metric(chosen).name
    return choices.USUAL


def say_corrected(shown: int, every: int, correction: str) -> None:
    """Say for how many pairs p is corrected if only some systems are shown. shown, every : numbers of systems"""
    place = st.empty()  # with and without it, figures keep their places
    if shown == every or shown < 2 or correction == "none":
        return
    pairs, of_all = (digits(n * (n - 1) // 2, "pair") for n in (shown, every))
    place.caption(f"p is corrected for the {pairs} of the systems shown, not for the {of_all} of all {every}.")
