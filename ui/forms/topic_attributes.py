"""Attributes of topics, such as difficulty: a table that a user adds to see what consistency depends on."""

import streamlit as st

from evalcore.study.study import Study
from evalcore.study.topic_attributes import with_attributes
from ui.forms import page_file

NOTE = "CSV, TSV or Excel with a header: topic, and columns of numbers, such as difficulty."


def added(study: Study) -> Study:
    """An uploader for a table of topics. -> the study with its numbers, or as it was"""
    with st.popover("Add attributes of topics"):
        table = page_file.given("attributes", "Attributes", "Attributes of topics", NOTE)
        st.caption(NOTE)
    return study if table is None else page_file.with_file(study, "attributes", table, with_attributes) or study
