"""What Fusion and Consistency have beside their questions: a worked example with letters, what one can do with a fused
run, and where variations come from."""

from functools import partial

import streamlit as st

from evalcore import fusion
from evalcore.questions.fusion import letters, way
from ui import page, studies
from ui.escape import md
from ui.pictures import bars


def worked_example():
    """A few lists of letters, made one by two rules."""
    left, right = st.columns([3, 2])
    label, example = "Rankings, best first, with blanks between them", "ADBCGF BDEC ABDCGFE GDEAFC"
    typed = left.text_input(label, example, key="letters")
    phi = right.slider("Persistence", 0.0, 1.0, 0.8, 0.05, key="letters-phi")
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


def no_variations(study):
    """What to do where every topic has one query."""
    st.info(
        "Every topic of this study has one query, so there is nothing to compare. Variations come as run files "
        "(SYSTEM.v3), inside the names of queries (401-7), or in a queries table: say which on the Data page, under "
        "*Assume something else*, *Variations of a query*."
    )
    if studies.look_like_variations(study):
        by_run = {**studies.assumed(), "variations": "run"}
        st.button("Read SYSTEM.v3 as the third variation of SYSTEM's queries", on_click=studies.assume, args=(by_run,))
    st.button("Open the sample with variations", on_click=studies.open_another, args=("variations",), type="primary")
