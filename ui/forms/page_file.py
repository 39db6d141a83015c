"""A file that one part of a page needs, such as the scores of another program: its uploader, and the study with it."""

import streamlit as st

import evalcore
from evalcore.reading.files import Upload
from evalcore.study.study import Study
from ui.data import additions, study_choice
from ui.session.visit import without
from ui.text.escape import md, text


def given(kind: str, name: str, label: str, note: str) -> Upload | None:
    """Show an uploader, which keeps its file while the data set is open. -> an `Upload`, None without one

    kind : for keys; name : of what is in the file, such as "Scores"; label : of the uploader
    """
    upload = st.file_uploader(label, key=f"upload-{kind}", help=note)
    if upload is not None:
        _keep(kind, evalcore.Upload(upload.name, upload.getvalue()))
    file = study_choice.own().by_page.get(kind)
    if file is not None and upload is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{name}: {text(file.name)}")
            st.button("Remove", key=f"remove-{kind}", on_click=_keep, args=(kind, None))
    return file


def _keep(kind, file):
    kept = without(study_choice.own().by_page, kind)
    study_choice.change(by_page=kept if file is None else kept | {kind: file})


def added(study: Study, kind: str, label: str, note: str) -> Study:
    """An uploader for a table that questions take, such as attributes. -> the study with it, or as it was"""
    table = given(kind, label, label, note)
    st.caption(note)
    return study if table is None else attached(study, kind) or study


def attached(study: Study, kind: str) -> Study | None:
    """The study with the file; None, with the problems shown, if it cannot be read."""
    try:
        return additions.attached_to(study, kind)
    except evalcore.InputError as error:
        for problem in error.problems[:3]:
            st.error(md(problem.message))
        return None
