"""The notes of the pages for the report: findings, tables and pictures as a visitor saw them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from evalcore.answers import Answer
from evalcore.findings.conclusion import Conclusion
from evalcore.study.study import Study
from ui.session import memory, url_state, visit

STUDIES_NOTED = 4
MOST = 5000  # letters of a note


def begin(study: Study, extra_qrels: dict[str, Any]) -> None:
    """Start the notes of this page and study. beside : its second and complete judgments, as plain values"""
    of = study.digest + memory.digest_of(extra_qrels)
    shelf = st.session_state.setdefault("_notes", {})
    shelf[of] = shelf.pop(of, {})  # the latest is last
    for old in list(shelf)[:-STUDIES_NOTED]:
        shelf.pop(old)
    memory.put("note", {"findings": {}, "tables": {}, "pictures": {}, "unopened": {}, "too_long": [],
                          "address": "", "refusal": ""})  # fmt: skip


def by_page() -> dict[str, Any]:
    """Notes of each page's last visit: page -> findings by key; tables, key -> (title, answer); pictures, key ->
    (title, description, make); collapsed sections, see
    `ui.layout.collapsed_sections`, and titles of slow ones; address; refusal."""
    return list(st.session_state["_notes"].values())[-1]


def add_finding(key: str, conclusion: Conclusion) -> bool:
    """Note a finding of this page. -> whether it is the first, the page's own"""
    note = by_page()[memory.get("page")] = memory.get("note")
    first = not note["findings"]
    note["findings"][key] = conclusion
    note["address"] = url_state.page_address()
    return first


def is_first(words: str) -> bool:
    """Whether these words appear for the first time on this page."""
    sentences = memory.get("note").setdefault("said", set())
    first = words not in sentences
    sentences.add(words)
    return first


def add_refusal(words: str) -> None:
    """Note why this page has no finding, unless it has one."""
    note = memory.get("note")
    if note and not note["findings"]:
        by_page()[memory.get("page")] = note | {"refusal": words}


def add_table(key: str, title: str, answer: Answer) -> None:
    """Note a table of this page."""
    memory.get("note")["tables"][key] = title, answer
    add_experiment(key, Experiment(answer.question, answer.params, answer.table))
    memory.get("note")["address"] = url_state.page_address()


class Experiment(NamedTuple):
    """A computation of a page: a question, all its parameters, and its table.

    study : that was asked, None for a table outside of a `section.Section`
    in_orders : the tables in several orders of judging by number, see `drawn_orders`
    """

    question: str
    params: dict[str, Any]
    table: pd.DataFrame | None = None
    study: Study | None = None
    in_orders: Sequence[pd.DataFrame] = ()


def add_experiment(key: str, experiment: Experiment) -> None:
    """Note a computation of this page, to compare with a paper's printed numbers."""
    memory.get("experiments")[key] = experiment


def add_picture(key: str, title: str, shows: str, make: Callable[..., Any]) -> None:
    """Note a picture of this page and the function that draws it, `make(look=)`."""
    memory.get("note")["pictures"][key] = title, shows, make


def add_unopened(key: str, what: object) -> None:
    """Note the content of a collapsed section of this page, which `ui.layout.collapsed_sections` computes."""
    memory.get("note")["unopened"][key] = what


def own_note(study: Study, page: str) -> str:
    """The visitor's note on a page, for the report of this study; kept while the tab is open."""
    key, before = f"own-{study.digest[:12]}-{page}", own_notes(study).get(page, "")[:MOST]
    written = st.text_area(f"On {page}", before, key=key, height=80, max_chars=MOST)
    data_set = st.session_state["study"]
    notes = visit.of(data_set).notes
    visit.change_of(data_set, notes={**notes, study.digest: {**notes.get(study.digest, {}), page: written}})
    return written


def own_notes(study: Study) -> dict[str, str]:
    """The visitor's notes for the report of this study: page -> note."""
    own = visit.of(st.session_state["study"])
    kept = dict(own.saved["notes"]) if own.saved else {}
    return {page: note for page, note in (kept | dict(own.notes.get(study.digest, {}))).items() if note}
