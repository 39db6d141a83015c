"""Another program's scores beside those of the study that is open: its output goes in, the differences come out."""

import hashlib

import streamlit as st

import evalcore
from evalcore.conventions import with_scores
from ui import page, session, studies
from ui.escape import md, text

NOTE = "What trec_eval -q or ir_measures prints, or JSON lines; of one run or of several; .gz and .zip allowed."


def compare(study):
    """An uploader for what the other program printed, and every score that differs, with why."""
    kept = f"theirs-{studies.name()}"
    held = st.file_uploader("Scores that another program printed", key="upload-theirs", help=NOTE)
    if held is not None:
        session.keep_in_mind(kept, evalcore.Upload(held.name, held.getvalue()))
    printed = session.remember(kept)
    if printed is None:
        st.caption(f"{NOTE} Each score that differs is listed with the convention that explains it, or as unexplained.")
        return
    if held is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Scores: {text(printed.name)}")
            st.button("Remove", key="remove-theirs", on_click=session.keep_in_mind, args=(kept, None))
    try:
        said = [printed.name, hashlib.sha256(printed.data).hexdigest()]
        both = session.kept(study, "with_scores", said, lambda: with_scores(study, printed))
    except evalcore.InputError as error:
        for problem in error.problems[:3]:
            st.error(md(problem.message))
        return
    page.show(both, "score_differences", tiles=True, table="open", slow="Trying the conventions …")
