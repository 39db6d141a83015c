"""Compute the collapsed sections of a page for the report, except slow ones."""

import contextlib
from functools import partial
from typing import Any

from evalcore.study.study import Study
from ui.layout import pins
from ui.session import answers


def computed(study: Study, note: dict[str, Any]) -> dict[str, Any]:
    """The note of a page with the contents of its collapsed sections. note : see `notes.by_page`"""
    note = note | {part: dict(note[part]) for part in ("findings", "tables", "pictures")}
    for section in note["unopened"].values():
        with contextlib.suppress(ValueError):  # the page shows the error when it is opened
            answer = section.answer or answers.ask(section.asked_of or study, section.question, **section.params)
            _add(note, section, answer)
    return note


def _add(note, section, answer):
    """Add the finding, table and pictures of one question to a note."""
    if section.is_said and not any(answer.finding.is_part_of(shown) for shown in note["findings"].values()):
        note["findings"][section.key] = section.conclusion or answer.finding
    if section.has_table:
        note["tables"][section.key] = section.title, answer
    if section.options is not None and section.view.figure and len(answer.table):
        for name, title, shows, options in section.panels(answer):
            note["pictures"][name] = title, shows, partial(section.view.figure, pins.shown(answer), **options)
