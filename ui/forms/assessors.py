"""Assessors: a table that a user adds to see who judged what."""

import streamlit as st

from evalcore.study.assessors import with_assessors
from evalcore.study.study import Study
from ui.forms import page_file

NOTE = "CSV, TSV or Excel with a header: topic, assessor, and, if known, document, grade and time."


def added(study: Study) -> Study:
    """An uploader for a table of assessors. -> the study with it, or as it was"""
    table = page_file.given("assessors", "Assessors", "Assessors", NOTE)
    st.caption(NOTE)
    return study if table is None else page_file.with_file(study, "assessors", table, with_assessors) or study
