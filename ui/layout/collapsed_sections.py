"""Contents of collapsed sections, for the report, except slow ones."""

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
    for key, one in note["unopened"].items():
        with contextlib.suppress(ValueError):  # the page shows the error when it is opened
            _take(note, key, one, one.answer or session.ask(study, one.question, **one.asked))
    return note


def _take(note, key, one, answer):
    """Add the finding, table and pictures of one question to a note."""
    if one.say and not any(answer.finding.is_part_of(shown) for shown in note["findings"].values()):
        note["findings"][key] = answer.finding if one.say is True else one.say
    if one.table:
        note["tables"][key] = one.title, answer
    if one.drawn is False or not one.view.figure or not len(answer.table):
        return
    for panel in one.view.panels or [None]:
        how = (one.drawn or {}) | ({"panel": panel} if panel else {})
        name = "-".join(filter(None, [key, panel]))
        make = partial(one.view.figure, answer, **how)
        note["pictures"][name] = one.view.caption(one.title, panel), one.view.alt(answer, panel), make
