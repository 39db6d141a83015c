"""Compute the collapsed sections of a page for the report, except slow ones."""

import contextlib
from dataclasses import dataclass
from functools import partial
from typing import Any

from ui.session import session


@dataclass(frozen=True)
class Unopened:
    """A question in a collapsed section, see `page.show`. answer : if already computed"""

    question: str
    asked: dict
    answer: Any
    view: Any
    say: bool | str
    drawn: dict | bool | None
    title: str
    table: str | None


def asked(study, note):
    """The note of a page with the contents of its collapsed sections. note : see `session.notes`"""
    note = note | {part: dict(note[part]) for part in ("findings", "tables", "pictures")}
    for key, section in note["unopened"].items():
        with contextlib.suppress(ValueError):  # the page shows the error when it is opened
            _take(note, key, section, section.answer or session.ask(study, section.question, **section.asked))
    return note


def _take(note, key, section, answer):
    """Add the finding, table and pictures of one question to a note."""
    if section.say and not any(answer.finding.is_part_of(shown) for shown in note["findings"].values()):
        note["findings"][key] = answer.finding if section.say is True else section.say
    if section.table:
        note["tables"][key] = section.title, answer
    if section.drawn is False or not section.view.figure or not len(answer.table):
        return
    for panel in section.view.panels or [None]:
        options = (section.drawn or {}) | ({"panel": panel} if panel else {})
        name = "-".join(filter(None, [key, panel]))
        make = partial(section.view.figure, answer, **options)
        note["pictures"][name] = section.view.caption(section.title, panel), section.view.alt(answer, panel), make
