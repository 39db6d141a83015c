"""A file that one part of a page needs, such as the scores of another program: its uploader, and the study with it."""

import hashlib
from collections.abc import Callable

import streamlit as st

import evalcore
from evalcore.answers import JOINED
from evalcore.reading.files import Upload
from evalcore.study.study import Study
from ui.data import study_choice
from ui.session import answers, memory
from ui.text.escape import md, text


def given(kind: str, name: str, label: str, note: str) -> Upload | None:
    """Show an uploader, which keeps its file while the data set is open. -> an `Upload`, None without one

    kind : for keys; name : of what is in the file, such as "Scores"; label : of the uploader
    """
    key = f"{kind}-{study_choice.name()}"
    upload = st.file_uploader(label, key=f"upload-{kind}", help=note)
    if upload is not None:
        memory.put(key, evalcore.Upload(upload.name, upload.getvalue()))
    file = memory.get(key)
    if file is not None and upload is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{name}: {text(file.name)}")
            st.button("Remove", key=f"remove-{kind}", on_click=memory.put, args=(key, None))
    return file


def added(study: Study, kind: str, label: str, note: str) -> Study:
    """An uploader for a table that questions take, such as attributes. -> the study with it, or as it was"""
    table = given(kind, label, label, note)
    st.caption(note)
    return study if table is None else with_file(study, kind, table, JOINED[kind]) or study


def with_file(study: Study, kind: str, file: Upload, add: Callable[[Study, Upload], Study]) -> Study | None:
    """The study after `add(study, file)`; None, with the problems shown, if the file cannot be read."""
    try:
        stamp = [file.name, hashlib.sha256(file.data).hexdigest()]
        return answers.cached(study, f"with-{kind}", stamp, lambda: add(study, file))
    except evalcore.InputError as error:
        for problem in error.problems[:3]:
            st.error(md(problem.message))
        return None
