"""Judges: load their judgments, name their kind, remove them, and choose one."""

from functools import partial
from types import ModuleType

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore
from evalcore.questions.people_and_model import SIZES
from evalcore.study.extra_qrels import KINDS, MOST_JUDGES
from evalcore.study.study import Study
from ui.components import choices
from ui.data import additions, study_choice, visitor_files
from ui.forms import uploads
from ui.layout import page
from ui.text.escape import md, text

NONE = (
    "Load judgments by language models or other people next to those of the track, one file each. This page then shows "
    "which judge orders the systems as people do, which one is lenient, which systems it favours, which documents a "
    "person should check, and how many topics people must still judge."
)
SAMPLE = "web"  # which has judges
WORDS = {"model": "a model", "people": "people"}


def judged(study: Study) -> Study | None:
    """The study with its judges; None if there are none or they cannot be read, which is shown."""
    try:
        return additions.with_judges(study)
    except evalcore.InputError as error:
        page.problems(error.problems, folded=False, key="problems-judges")
    except ValueError as refused:
        st.error(md(str(refused)))
    return None


def invite() -> None:
    """Say what the page would show, with an uploader and a sample."""
    st.info(NONE)
    load()
    if study_choice.name() != SAMPLE:
        opens = partial(study_choice.open_another, SAMPLE)
        st.button("Open a sample with judges", on_click=opens, type="primary")


def load() -> None:
    """An uploader of judges, and those that were loaded, with their kinds."""
    note = f"Up to {MOST_JUDGES} files of judgments. Each is named by its file."
    uploads.uploader(
        st, "Judgments by further judges", "judge", several=True, take=visitor_files.take_judges, note=note
    )
    for name, file in visitor_files.judges().items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{text(name)}: {WORDS[file['kind']]}")
            other = next(kind for kind in KINDS if kind != file["kind"])
            st.button(f"Set to {WORDS[other]}", key=f"kind-{name}", on_click=visitor_files.set_kind, args=(name, other))
            st.button("Remove", key=f"remove-judge-{name}", on_click=visitor_files.remove_judge, args=(name,))


def pick(where: DeltaGenerator | ModuleType, table: pd.DataFrame) -> str:
    """One of the judges, the best by tau first."""
    return choices.select(where, "Judge", list(table["judge"]), key="judge", format_func=text)


def topics(where: DeltaGenerator | ModuleType, study: Study) -> int:
    """A number of topics that people judge, about a third of them first."""
    judged = len(study.judged_topics)
    sizes = sorted([n for n in SIZES if n < judged] or [1], key=lambda n: (abs(n - judged / 3), n))
    return choices.select(where, "Topics judged by people", [sizes[0], *sorted(sizes[1:])], key="people-topics")
