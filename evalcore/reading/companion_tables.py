"""The tables of systems, queries and topics that a user may give: TSV, CSV or Excel with a header; all columns stay."""

import csv
import io
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pandas as pd

from evalcore.reading import sheets, workbooks
from evalcore.reading.error_text import WANTED, also, refuse_unless_text, shortened
from evalcore.reading.files import Finding, refusal

KEYS = {  # one of them must be there; `study.assessors` finds the columns of its table itself
    "systems": ("system",), "queries": ("query", "topic"), "attributes": ("topic",), "assessors": (),
}  # fmt: skip
KNOWN = {
    "systems": ("system", "group", "pooled", "type"),
    "queries": ("query", "topic", "variation", "weight", "text"),
    "attributes": ("topic",),
    "assessors": (),
}
SPELLINGS = {
    "systems": {"run": "system", "team": "group"},
    "queries": dict.fromkeys(("qid", "query-id", "query_id"), "query"),
    "attributes": dict.fromkeys(("query", "qid", "query-id", "query_id"), "topic"),
    "assessors": {},
}
TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": None}
PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
TEXT = ("system", "group", "type", "file", "query", "topic", "variation", "text")


@dataclass
class Table:
    """A table as read: names of its columns, the known ones in lower case, and a dict of texts for each row."""

    name: str
    columns: list[str]
    rows: list[dict[str, str]]


def read(name: str, data: bytes, role: str, sheet: str | None = None) -> tuple[Table, list[Finding]]:
    """A table from the bytes of a file. -> (Table, findings); InputError for what cannot be read

    sheet : the title of the sheet of a workbook that is meant; None = the first
    """
    rows = _of_workbook(name, data, sheet) if sheets.is_workbook(name, data) else _of_text(name, data, role)
    if not rows:
        raise refusal(name, f" is empty; {WANTED[role]}.")
    return _with_header(name, rows, role)


def _of_workbook(name, data, title):
    """The rows of a sheet, of the first with any where none is named. -> a list of (line, cells)"""
    sheets_read = workbooks.sheets_of(name, data, fewest=1)
    sheet = next((sheet for sheet in sheets_read if sheet.title == title), sheets_read[0])
    return [(int(line), sheet.row(number)) for number, line in enumerate(sheet.lines)]


def _of_text(name, data, role):
    refuse_unless_text(name, data, role)
    text = data.decode("utf-8-sig", "backslashreplace")
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in "\t,;" if mark in first), ",")
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL,
    )
    try:
        cells = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        message = f": this table cannot be read ({error}). Check that its quotes are closed."
        raise refusal(name, message, reader.line_num) from None
    return [(line, row) for line, row in cells if any(row)]


def _with_header(name, rows, role):
    (_, header), *body = rows
    findings = []
    columns = _header(header, role)
    if columns is None and role == "queries" and len(header) == 3:
        # the query variations of CLEF eHealth have no header; whether the topics are known is seen later
        columns, body = ["topic", "variation", "text"], rows
        message = f"{name} has no header; its three columns were read as topic, variation and text."
        findings.append(Finding("note", "table without header", "", "", len(body), message))
    if columns is None:
        key = {"systems": '"run" or "system"', "queries": '"query" or "topic"', "attributes": '"topic"'}[role]
        first = shortened(", ".join(header).encode(), 120)
        raise refusal(name, f": no column {key} among {first}; the first line must name the columns.", 1, [first])
    _refuse_long_rows(name, columns, body)
    rows = [dict(zip_longest(columns, row, fillvalue="")) for _, row in body]
    if role == "systems":
        _refuse_untruth(name, [(line, row.get("pooled", "")) for (line, _), row in zip(body, rows, strict=True)])
    short = sum(len(row) < len(columns) for _, row in body)
    if short:
        message = f"{name}: {short} rows have fewer columns than the header; the missing cells are empty."
        findings.append(Finding("note", "short rows", "", "", short, message))
    return Table(name, columns, rows), findings


def _header(header, role):
    """The names of the columns, those that mean something in one spelling; None where the key is missing."""
    spellings = SPELLINGS[role] | {name: name for name in KNOWN[role]}
    names = []
    for cell in header:
        name = spellings.get(cell.lower(), cell)
        names.append(name if name not in names else f"{name} (column {len(names) + 1})")
    return names if not KEYS[role] or set(names) & set(KEYS[role]) else None


def _refuse_long_rows(name, header, body):
    bad = [(line, row) for line, row in body if len(row) > len(header)]
    if bad:
        line, row = bad[0]
        message = f": {len(row)} columns where the header has {len(header)}.{also(len(bad))}"
        raise refusal(name, message, line, [shortened(", ".join(row).encode()) for _, row in bad[:3]])


def _refuse_untruth(name, pooled):
    bad = [(line, cell) for line, cell in pooled if cell.lower() not in TRUTH]
    if bad:
        line, cell = bad[0]
        message = f': pooled is "{cell}", but must be 1, 0, true, false, yes or no.'
        raise refusal(name, message, line, [cell for _, cell in bad[:3]])


def frame(columns: dict[str, Any]) -> pd.DataFrame:
    """Columns (name -> list of values) as a DataFrame; a column of nothing but plain numbers or blanks is numbers."""
    return pd.DataFrame({name: _typed(name, values) for name, values in columns.items()})


def _typed(name, values):
    if name == "pooled":
        return pd.Series(values, dtype=object)
    given_values = [value for value in values if value != ""]
    if name in TEXT or not given_values or not all(PLAIN_NUMBER.fullmatch(value) for value in given_values):
        return pd.Series(values, dtype="str")
    if len(given_values) == len(values) and all(re.fullmatch(r"-?\d{1,18}", value) for value in given_values):
        return pd.Series([int(value) for value in values], dtype="int64")
    return pd.Series([float(value or "nan") for value in values], dtype="float64")
