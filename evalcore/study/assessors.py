"""Assessors: a user's table of who judged what, and when."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.reading.companion_tables import PLAIN_NUMBER
from evalcore.reading.error_text import few_of
from evalcore.reading.fields import NAMES, TRUTH
from evalcore.reading.files import File, Finding, refusal
from evalcore.study.study_data import SomeStudy
from evalcore.study.topic_attributes import of_track, with_table
from evalcore.vocabulary.sentences import digits, verb

MEANINGS = ("topic", "document", "grade", "assessor", "order")


def with_assessors(study: SomeStudy, assessors: File) -> SomeStudy:
    """The study with a table of who judged what, in place of an earlier one.

    assessors : a path or an `Upload` of a TSV, CSV or Excel table with a header: topic and assessor, and, as far as
        known, document, grade (the assessor's own) and time or order. Its rows are in the order of judging, unless
        there is a time. Rows with an empty cell are ignored, with a note, and topics that the study does not have
    Raises `InputError`.
    """
    return with_table(study, "assessors", assessors, _judgments)


def _judgments(table, topics):
    """The columns of MEANINGS that there are, in the order of judging. -> DataFrame of texts, and numbers as
    grades, and notes"""
    called = {"".join(filter(str.isalnum, name.lower())): name for name in reversed(table.columns)}
    columns = {meaning: next((called[name] for name in NAMES[meaning] if name in called), None) for meaning in MEANINGS}
    for needed in ("topic", "assessor"):
        if columns[needed] is None:
            raise refusal(table.name, f": no column {needed!r} among {few_of(table.columns)}. Name it in line 1.", 1)
    rows = {name: [row[column] for row in table.rows] for name, column in columns.items() if column is not None}
    frame = of_track(table.name, pd.DataFrame(rows, dtype=object), topics)
    complete = (frame != "").all(axis=1)
    if not complete.any():
        raise refusal(table.name, f" has no row without an empty cell. Fill in the columns {few_of(list(rows))}.")
    frame, ignored = frame[complete], int((~complete).sum())
    message = f"{digits(ignored, 'row')} of {table.name} with an empty cell {verb(ignored, 'is', 'are')} ignored."
    notes = [Finding("note", "rows of assessors", "", "", ignored, message)] if ignored else []
    if "order" in frame:
        frame = frame.iloc[np.argsort(_times(table.name, frame.pop("order")), kind="stable")]
    if "document" not in frame:
        frame = frame[["topic", "assessor"]]
    if "grade" not in frame:
        return frame.drop_duplicates(ignore_index=True), notes
    return frame.assign(grade=_grades(table.name, frame["grade"])).reset_index(drop=True), notes


def _grades(name, cells):
    numbers = [TRUTH.get(cell.lower(), cell) for cell in cells]
    if bad := [cell for cell in numbers if not PLAIN_NUMBER.fullmatch(cell)]:
        raise refusal(name, f" has grades that are no numbers ({few_of(bad)}). Write each grade as a number.")
    return np.array(numbers, float)


def _times(name, cells):
    """Numbers, or dates and times of ISO 8601, as numbers."""
    if all(map(PLAIN_NUMBER.fullmatch, cells)):
        return cells.astype(float).to_numpy()
    try:
        return pd.to_datetime(cells, format="ISO8601", utc=True).to_numpy()
    except ValueError:
        bad = few_of(list(cells))
        raise refusal(name, f" has times that cannot be put in order ({bad}). Write 2026-01-31 14:05.") from None
