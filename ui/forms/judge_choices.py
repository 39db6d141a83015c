"""Judges: load their judgments, name their kind, remove them, and choose one."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore
from evalcore.questions.people_and_model import SIZES
from evalcore.study import extra_qrels
from evalcore.study.extra_qrels import MOST_JUDGES
from evalcore.study.judge_names import KINDS
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
    for name, file in study_choice.own().judges.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{text(name)}: {WORDS[file.kind]}")
            other = next(kind for kind in KINDS if kind != file.kind)
            st.button(f"Set to {WORDS[other]}", key=f"kind-{name}", on_click=visitor_files.set_kind, args=(name, other))
            st.button("Remove", key=f"remove-judge-{name}", on_click=visitor_files.remove_judge, args=(name,))


def pick(where: choices.Place, table: pd.DataFrame) -> str:
    """One of the judges, the best by tau first."""
    return choices.select(where, "Judge", list(table["judge"]), key="judge", format_func=text)


GAINS = {  # what metrics with gains count -> the option of `Study.with_judges`
    "as for people": None,
    "1 for every relevant grade": "binary",
    "in proportion to the grade": "linear",
    "exponential in the grade": "exponential",
}


def scale(study: Study, name: str) -> bool:
    """Where a judge has another scale, its lowest relevant grade and gains. -> whether its grades can be read"""
    if name in study.judges and extra_qrels.scale_of(study, name) in ("", "relevant or not"):
        return True
    if name not in study.given_judges:  # the second judgments, whose level is chosen with them
        return name not in extra_qrels.without_level(study)
    grades, options = study.judges[name].scale.read, additions.judge_options()
    left, right = st.columns(2)
    level, gains = options["judge_levels"].get(name), options["judge_gains"].get(name)
    offered = GAINS if gains in GAINS.values() else GAINS | {"as given": gains}
    keys = f"judge-level-{name}", f"judge-gains-{name}"

    def keep():
        additions.read_judge(name, "judge_levels", st.session_state[keys[0]])
        additions.read_judge(name, "judge_gains", offered[st.session_state[keys[1]]])

    kind = int if all(isinstance(grade, int) for grade in (*grades, level or 0)) else float
    lowest, highest = (kind(end([*grades, grades[0] if level is None else level])) for end in (min, max))
    value: Any = None if level is None else kind(level)
    left.number_input(
        f"Lowest relevant grade of {md(name)}", lowest, highest, value, key=keys[0], on_change=keep,
        placeholder="Choose a grade",
    )  # fmt: skip
    right.selectbox(
        "Gains of its grades", list(offered), list(offered.values()).index(gains), key=keys[1], on_change=keep,
        help="What metrics such as RBP and nDCG count for a document of each grade.",
    )  # fmt: skip
    return name not in extra_qrels.without_level(study)


def topics(where: choices.Place, study: Study) -> int:
    """A number of topics that people judge, about a third of them first."""
    judged = len(study.judged_topics)
    sizes = sorted([n for n in SIZES if n < judged] or [1], key=lambda n: (abs(n - judged / 3), n))
    return choices.select(where, "Topics judged by people", [sizes[0], *sorted(sizes[1:])], key="people-topics")
