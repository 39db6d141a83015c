"""Complete judgments on the figures: one switch for all pages, the scores that it marks, and the finding.

Without complete judgments, the marks are the scores with all judgments.
"""

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from evalcore.answers import Answer
from evalcore.findings.new_systems import beside_reference
from evalcore.questions.wrong_pairs import NOTHING_LEFT
from evalcore.statistics.setups import Regime
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known
from ui.components import choices
from ui.data import additions
from ui.layout import page, section
from ui.session import answers, url_state
from ui.text import interval_labels

COMPLETE = "Compare with complete judgments", "Adds a tick at each system's score with complete judgments."
ALL = "Compare with all judgments", "Adds a tick at each system's score with all judgments, where the page uses fewer."


def switch(where: choices.Place, study: Study, *, fewer: bool = True) -> None:
    """Draw the switch that marks complete judgments: one for every page, and in the address. Not drawn where there are
    none and the page uses all judgments.

    fewer : whether the page may use fewer
    """
    with page.part():
        additions.attached_to(study, "truth")  # shows errors in the complete judgments once, here
    complete = beside_its_truth(study).truth is not None
    if complete or fewer:
        label, note = COMPLETE if complete else ALL
        choices.switch(where, label, key="truth", note=note)
    else:  # kept for pages that have it
        st.session_state.pop("truth", None)
        url_state.put("truth", None)


def is_on() -> bool:
    """Whether the switch is on."""
    return bool(st.session_state.get("truth"))


def marks(
    study: Study, question: str = "leaderboard", label: str = "system", *, column: str = "value",
    depth: int | None = None, **params: Any,
) -> dict[str, Any]:  # fmt: skip
    """The marks of a figure, for its view, see `at`; {} if the switch is off or nothing is left to mark.

    question, label, column : the question, and its columns of names and of scores to mark
    depth, asked : the parameters of the figure
    """
    if (final := in_the_end(study, depth)) is None:
        return {}
    table = answers.ask(final, question, **params).table
    return at(final, zip(table[label], table[column], strict=True))


def marks_on_shards(study: Study, **params: Any) -> dict[str, Any]:
    """The marks of `system_intervals`. Complete judgments name more documents, so their shards are other ones."""
    marked = marks(study, "system_intervals", **params).get("truth")
    return {"truth": marked | {"name": f"{marked['name']}, split into as many shards"}} if marked else {}


def in_the_end(study: Study, depth: int | None = None) -> Study | None:
    """The study with its complete judgments, else with all judgments; None if the switch is off or nothing is left to
    mark."""
    if not is_on() or nothing_left(with_truth := beside_its_truth(study), depth):
        return None
    return judged(with_truth)


def at(final: Study, scores: Iterable[tuple[str, float]]) -> dict[str, Any]:
    """The marks of a figure: {"truth": {"name": in the legend, "at": name -> score}}.

    final : see `in_the_end`; scores : pairs of name and score
    """
    return {"truth": {"name": called(final), "at": {str(name): score for name, score in scores}}}


def spoken_of(study: Study, *, depth: int | None = None, **params: Any) -> dict[str, Any]:
    """The pair that `say_swapped` names, for a figure that shows only some systems; {} if it names none."""
    if in_the_end(study, depth) is None:
        return {}
    wrong = answers.ask(beside_its_truth(study), "wrong_pairs", depths=[depth], **params).table
    return {"spoken_of": [name for name in wrong[["a", "b"]].iloc[0] if known(name)]}


def say_swapped(study: Study, *, key: str = "truth", depth: int | None = None, **params: Any) -> None:
    """Show how many pairs are swapped against the complete judgments, or that nothing is left to mark."""
    place = st.empty()  # with and without it, figures keep their places
    if not is_on():
        return
    with_truth = beside_its_truth(study)
    if nothing_left(with_truth, depth):
        place.caption(NOTHING_LEFT)
        return
    with place:
        section.say(answers.ask(with_truth, "wrong_pairs", depths=[depth], **params).finding, key=key)


def say_of_regimes(study: Study, regimes: Sequence[Regime]) -> None:
    """The same for each of these setups that uses a pool, or all judgments, of this study, if anything is left to
    mark."""
    for number, regime in enumerate(dict.fromkeys(regimes)):
        params = regime.params
        by_count = params.pop("judgments") is not None
        if not by_count and not regime.qrels and in_the_end(study, regime.depth) is not None:
            say_swapped(study, key=f"truth-of-regime-{number}", **params)


def say_nearest(came: Answer, marked: dict[str, Any]) -> None:
    """Which estimate of a new system's score comes closest to its final one.

    came : answer with the readings of that score; marked : the marks of its figure, see `at`
    """
    if marked:
        final = marked["truth"]["at"][came.params["system"]]
        section.say(beside_reference(came.table, came.params, final, marked["truth"]["name"]), key="newcomer-by-truth")


def give(study: Study, *, depth: int | None = None, **params: Any) -> None:
    """The table of every system with complete judgments, if these are marked."""
    if is_on() and (with_truth := beside_its_truth(study)).truth is not None:
        board = answers.ask(judged(with_truth), "leaderboard", **params)
        section.table(board, key="by-truth", title=f"Every system {interval_labels.COMPLETE}", folded=True)


def by_depth(study: Study, *, depths: Sequence[int | None], **params: Any) -> tuple[list[Answer], dict[str, Any]]:
    """([answer to `wrong_pairs` at these depths], the marks at every depth); ([], {}) if the switch is off."""
    if not is_on():
        return [], {}
    with_truth = beside_its_truth(study)
    return [answers.ask(with_truth, "wrong_pairs", depths=depths, **params)], marks(study, depth=depths[0], **params)


def beside_its_truth(study: Study) -> Study:
    """The study with its complete judgments, if there are any that contain its own."""
    with contextlib.suppress(ValueError):
        return additions.attached_to(study, "truth")
    return study


def judged(with_truth: Study) -> Study:
    """The study with its complete judgments, else with all judgments."""
    return with_truth if with_truth.truth is None else with_truth.judged_by_truth


def called(final: Study) -> str:
    """The legend of the marks. final : see `in_the_end`"""
    return interval_labels.COMPLETE if "judged_by_truth" in final.scope else interval_labels.ALL_JUDGMENTS


def nothing_left(with_truth: Study, depth: int | None) -> bool:
    """Whether the page uses all judgments that exist."""
    return with_truth.truth is None and depth is None
