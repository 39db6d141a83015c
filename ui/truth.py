"""The truth on the pictures: one switch for all pages, what it marks, and the sentence beside it.

Marked is where complete judgments put each system, which samples have beside their own; else where all judgments do.
"""

import contextlib

import streamlit as st

from evalcore.questions.newcomers import beside_truth
from evalcore.questions.truth import BY_ALL, BY_TRUTH, NOTHING_LEFT
from evalcore.sentences import known
from ui import choices, page, session, studies

COMPLETE = "Marks where the complete judgments, the truth, put each system."
ALL = "Marks where all judgments put each system, while fewer are looked at."


def switch(where, study):
    """Whether the truth is marked: the same on every page, in the address as other choices."""
    with page.part():
        studies.with_truth(study)  # what is wrong with a truth is said once, here
    known = beside_its_truth(study).truth is not None
    label, note = ("Show the truth", COMPLETE) if known else ("Show all judgments", ALL)
    return choices.switch(where, label, key="truth", note=note)


def is_on():
    """Whether the switch of this page is on."""
    return bool(st.session_state.get("truth"))


def marks(study, question="leaderboard", label="system", *, column="value", depth=None, **asked):
    """What a picture marks, for its view: {} where the switch is off or nothing is left to mark, else as `at` gives it.

    question, label, column : whose scores, and the columns of their names and of what is marked
    depth, asked : what is looked at
    """
    if (final := in_the_end(study, depth)) is None:
        return {}
    table = session.ask(final, question, **asked).table
    return at(final, zip(table[label], table[column], strict=True))


def marks_on_shards(study, **asked):
    """What the picture of `system_intervals` marks. Complete judgments name more documents, so that the parts that are
    drawn from them are others."""
    marked = marks(study, "system_intervals", **asked)
    return {"truth": marked["truth"] | {"name": f"{marked['truth']['name']}, cut into as many parts"}} if marked else {}


def in_the_end(study, depth=None):
    """The study judged by its truth, or by all its judgments where it has none; None where the switch is off or nothing
    is left to mark."""
    if not is_on() or nothing_left(beside := beside_its_truth(study), depth):
        return None
    return judged(beside)


def at(final, scores):
    """What a picture marks: {"truth": {"name": what marks are called, "at": name -> score}}. final : as `in_the_end`
    gives it; scores : pairs of name and score"""
    return {"truth": {"name": called(final), "at": {str(name): score for name, score in scores}}}


def spoken_of(study, *, depth=None, **asked):
    """The pair that `say` names, for the view of a picture with room for few systems; {} where it names none."""
    if in_the_end(study, depth) is None:
        return {}
    wrong = session.ask(beside_its_truth(study), "wrong_pairs", depths=[depth], **asked).table
    return {"spoken_of": [name for name in wrong[["a", "b"]].iloc[0] if known(name)]}


def say(study, *, key="truth", depth=None, **asked):
    """How many pairs of systems the judgments in force get wrong by the truth, or that nothing is left to mark."""
    if not is_on():
        return
    beside = beside_its_truth(study)
    if nothing_left(beside, depth):
        st.caption(NOTHING_LEFT)
    else:
        page.finding(session.ask(beside, "wrong_pairs", depths=[depth], **asked).finding, key=key)


def say_of_regimes(study, regimes):
    """The same of each of these ways of measuring that looks at a pool, or at all judgments, of this study, where
    anything is left to mark."""
    for number, regime in enumerate(dict.fromkeys(regimes)):
        asked = regime.asked
        by_count = asked.pop("judgments") is not None
        if not by_count and not regime.qrels and in_the_end(study, regime.depth) is not None:
            say(study, key=f"truth-of-regime-{number}", **asked)


def say_nearest(came, marked):
    """Which reading of a newcomer comes closest to what it scores in the end. came : the question `newcomer`; marked :
    what its picture marks, see `at`"""
    if marked:
        final = marked["truth"]["at"][came.params["system"]]
        page.finding(beside_truth(came.table, came.params, final, marked["truth"]["name"]), key="newcomer-by-truth")


def give(study, *, depth=None, **asked):
    """Every system by the complete judgments, as a table, where they are marked."""
    if is_on() and (beside := beside_its_truth(study)).truth is not None:
        board = session.ask(judged(beside), "leaderboard", **asked)
        page.give(board, key="by-truth", title=f"Every system {BY_TRUTH}", folded=True)


def by_depth(study, *, depths, **asked):
    """The answer to `wrong_pairs` at these depths, in a list, and what is marked whatever the depth; none of both where
    the switch is off."""
    if not is_on():
        return [], {}
    beside = beside_its_truth(study)
    return [session.ask(beside, "wrong_pairs", depths=depths, **asked)], marks(study, depth=depths[0], **asked)


def beside_its_truth(study):
    """The study with its complete judgments; as it is where there are none, or none that hold its own."""
    with contextlib.suppress(ValueError):
        return studies.with_truth(study)
    return study


def judged(beside):
    """The study judged by its truth, or by all its judgments where it has none."""
    return beside if beside.truth is None else beside.judged_by_truth


def called(final):
    """What the marks of a study as `in_the_end` gives it are called."""
    return BY_TRUTH if "judged_by_truth" in final.scope else BY_ALL


def nothing_left(beside, depth):
    """Whether all judgments there are are in force."""
    return beside.truth is None and depth is None
