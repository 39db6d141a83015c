"""Compare the scores of another program with those of the open study."""

import hashlib

import streamlit as st

import evalcore
from evalcore.interop.conventions import with_scores
from ui.data import open_studies
from ui.layout import section
from ui.session import answers, memory
from ui.text.escape import md, text

NOTE = "Output of trec_eval -q or ir_measures, or JSON lines, for one or several runs; also as .gz or .zip."


def compare(study):
    """An uploader for the other program's output, and every score that differs, with the reason."""
    key = f"theirs-{open_studies.name()}"
    upload = st.file_uploader("Scores from another program", key="upload-theirs", help=NOTE)
    if upload is not None:
        memory.put(key, evalcore.Upload(upload.name, upload.getvalue()))
    printed = memory.get(key)
    if printed is None:
        st.caption(f"{NOTE} The table lists each score that differs, with the convention that explains it, if known.")
        return
    if upload is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Scores: {text(printed.name)}")
            st.button("Remove", key="remove-theirs", on_click=memory.put, args=(key, None))
    try:
        stamp = [printed.name, hashlib.sha256(printed.data).hexdigest()]
        both = answers.cached(study, "with_scores", stamp, lambda: with_scores(study, printed))
    except evalcore.InputError as error:
        for problem in error.problems[:3]:
            st.error(md(problem.message))
        return
    section.ask(both, "score_differences", slow="Comparing the scores …").say().draw(tiles=True).table(folded=False)
