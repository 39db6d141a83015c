"""Attributes of topics, such as difficulty: a table that a user adds to see what consistency depends on."""

import hashlib

import streamlit as st

import evalcore
from ui.data import open_studies
from ui.session import answers, memory
from ui.text.escape import md, text

LABEL = "Attributes of topics (optional)"
NOTE = "CSV, TSV or Excel with a header: topic, and columns of numbers, such as difficulty."


def added(study):
    """An uploader for a table of topics. -> the study with its numbers, or as it was"""
    key = f"attributes-{open_studies.name()}"
    with st.popover("Add attributes of topics"):
        upload = st.file_uploader(LABEL, key="upload-attributes", help=NOTE)
        st.caption(NOTE)
        if upload is not None:
            memory.put(key, evalcore.Upload(upload.name, upload.getvalue()))
        given = memory.get(key)
        if given is not None and upload is None:
            st.text(f"In use: {text(given.name)}")
            st.button("Remove", key="remove-attributes", on_click=memory.put, args=(key, None))
    if given is None:
        return study
    try:
        stamp = [given.name, hashlib.sha256(given.data).hexdigest()]
        return answers.cached(study, "with_attributes", stamp, lambda: study.with_attributes(given))
    except evalcore.InputError as error:
        for problem in error.problems[:3]:
            st.error(md(problem.message))
        return study
