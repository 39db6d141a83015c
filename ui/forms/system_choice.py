"""The choice of systems: all, contributing systems, others, a type, a group, or chosen ones."""

import streamlit as st

from ui.components import choices
from ui.data import open_studies
from ui.forms import complete_judgments


def row(study):
    """Draw the choice of systems and the switch of complete judgments in a row. -> the study with these systems

    The pool stays that of all contributing systems.
    """
    where = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    study = narrowed(where, study)
    complete_judgments.switch(where, study)
    return study


def narrowed(where, study):
    """The study with the systems that the visitor chooses."""
    subsets = open_studies.subsets_of_systems(study)
    return open_studies.narrowed(study, choices.systems(where, study.systems, subsets))
