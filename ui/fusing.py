"""What Fusion and Consistency have beside their questions: a worked example with letters, what one can do with a fused
run, and where variations come from."""

from functools import partial

import streamlit as st

import evalcore
from evalcore import fusion
from evalcore.questions.fusion import gain, letters, way
from evalcore.questions.truth import BY_TRUTH, NOTHING_LEFT
from ui import page, session, studies, truth
from ui.escape import md
from ui.pictures import bars
from ui.views.fusion import of_bars, points_of

EXAMPLE = "ADBCGF BDEC ABDCGFE GDEAFC"  # of [BMST17, fig. 1]
WORKED_EXAMPLE = "worked example"  # what it is called among the experiments of the page


def worked_example():
    """A few lists of letters, made one by two rules."""
    left, right = st.columns([3, 2])
    typed = left.text_input("Rankings, best first, with blanks between them", EXAMPLE, key="letters")
    phi = right.slider("Persistence", 0.0, 1.0, 0.8, 0.05, key="letters-phi")
    session.note_experiment("letters", session.Experiment(WORKED_EXAMPLE, {"lists": typed, "phi": phi}))
    for place, rule in zip(st.columns(2), (fusion.rule("rbc", phi=phi), fusion.rule("borda")), strict=True):
        ranking = fusion.of_names(map(list, typed.split()), rule)
        name, tells = way(rule.method.name, rule.says("phi")), str(letters(ranking))
        with place:
            with st.container(key=f"sub-finding-letters-{rule.method.name}"):
                st.markdown(md(f"{name}: {tells}"))
            if ranking:
                documents, values = zip(*ranking, strict=True)
                drawn = bars(documents, values, page.look(), title=name, ticks=".3~g")
                page.picture(drawn, alt=tells, key=f"letters-{rule.method.name}")


def say_gain(gained, crowd, *, key="fusion_scores", **by):
    """Whether the crowd beats its best. gained : the question `fusion_scores` of one fused run; crowd : in words"""
    row = gained.table.iloc[0]
    page.finding(gain(row, crowd, best_is_fused=row["best"] in studies.fused_runs(), **by), key=key)


def by_truth(study, run, recipe, crowd, metric):
    """Says what the truth says of a fused run, where it is marked. -> what its picture marks, see `truth.at`, and the
    answers that tell it, by what they are called"""
    if (final := truth.in_the_end(study)) is None:
        if truth.is_on():
            st.caption(NOTHING_LEFT)
        return {}, {}
    asked = {name: said for name, said in recipe.items() if name != "method"}
    gained = session.ask(final, "fusion_scores", methods=[recipe["method"]], metrics=[metric], **asked)
    say_gain(gained, crowd, key="truth-of-fused", by_truth=True)
    tables = {"What fusing gains": gained}
    if recipe["over"] != "systems":
        return truth.at(final, of_bars(gained)), tables
    board = studies.fused_among_inputs(final, run, recipe, metric)
    marks = truth.at(final, zip(board.table["system"], board.table["value"], strict=True))
    return marks, tables | {"The fused run among its inputs": board}


def give(by_truth):
    """The tables that `by_truth` gives."""
    for title, answer in by_truth.items():
        page.give(answer, key=f"{answer.question}-by-truth", title=f"{title} {BY_TRUTH}", folded=True)


def marks(study, question, **asked):
    """What the picture of several methods, or of several numbers of variations, marks."""
    if (final := truth.in_the_end(study)) is None:
        return {}
    named = {"fusion_scores": of_bars, "fusion_by_count": points_of}[question]
    return truth.at(final, named(session.ask(final, question, **asked)))


def every_method(study, metric, *, opened, **asked):
    """The fused runs of every method side by side. opened : whether they are in sight, and to be marked"""
    every = {"methods": list(evalcore.FUSIONS), "metrics": [metric], "slow": "Fusing …", **asked}
    marked = marks(study, "fusion_scores", **every) if opened else {}
    page.show(study, "fusion_scores", key="methods", table="open", title="Every method", drawn=marked, **every)


def doors(study, run, recipe, *, kept):
    """A fused run as a file, among the systems, and out again. kept : whether it is among the systems"""
    with st.container(horizontal=True):
        written = partial(studies.fused_as_trec, study, run, recipe)
        st.download_button("Download the fused run (TREC)", written, f"{run}.run", "text/plain", on_click="ignore")
        st.button(
            "It is among the systems" if kept else "Keep it among the systems", key="keep", disabled=kept,
            on_click=studies.keep_fused, args=(run, recipe),
            help="On every page but Data, until this tab is closed; it can be fused again.",
        )  # fmt: skip
        if studies.fused_runs():
            st.button("Leave fused runs out again", on_click=studies.drop_fused)


def read_variations(study, *, key):
    """A button that has runs read as variations, where their names look so."""
    if studies.look_like_variations(study):
        by_run = {**studies.assumed(), "variations": "run"}
        said = "Read SYSTEM.v3 as the third variation of SYSTEM's queries"
        st.button(said, key=key, on_click=studies.assume, args=(by_run,))


def no_variations(study):
    """What to do where every topic has one query."""
    st.info(
        "Every topic of this study has one query, so there is nothing to compare. Variations come as run files "
        "(SYSTEM.v3), inside the names of queries (401-7), or in a queries table: say which on the Data page, under "
        "*Assume something else*, *Variations of a query*."
    )
    read_variations(study, key="read-variations")
    st.button("Open the sample with variations", on_click=studies.open_another, args=("variations",), type="primary")
