"""The tables of systems and of queries that a user may give: TSV or CSV with a header; every column is kept."""

import csv
import io
import re
from dataclasses import dataclass

import pandas as pd

from evalcore.reading.files import Finding, Problem
from evalcore.reading.formats import WANTED, also, shortened, text_problem

KEY = {"systems": ("run", "system"), "queries": ("query", "qid", "query-id", "query_id")}
TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": None}
PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


@dataclass
class Table:
    """A table as read: lower-case names of the known columns, rows of text, and the line that each row is on."""

    name: str
    columns: list
    rows: list
    lines: list

    def column(self, name):
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def read(name, data, role):
    """A table from the bytes of a file. -> (Table or None, problems, findings)"""
    problem = text_problem(name, data, role)
    if problem is not None:
        return None, [problem], []
    text = data.decode("utf-8-sig", "backslashreplace")
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in "\t,;" if mark in first), ",")
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    try:
        cells = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        return None, [Problem(name, reader.line_num, f"{name}, line {reader.line_num}: {error}.")], []
    rows = [(line, row) for line, row in cells if any(row)]
    if not rows:
        return None, [Problem(name, None, f"{name} is empty; {WANTED[role]}.")], []
    return _with_header(name, rows, role)


def _with_header(name, rows, role):
    (_, header), *body = rows
    findings = []
    known = _header(header, role)
    if known is None and role == "queries" and len(header) == 3:
        # the query variations of CLEF eHealth have no header; whether the topics are known is seen later
        known, body = ["topic", "variation", "text"], rows
        message = f"{name} has no header; its three columns were read as topic, variation and text."
        findings.append(Finding("note", "table without header", "", "", len(body), message))
    if known is None:
        key = '"run" or "system"' if role == "systems" else '"query" or "topic"'
        first = shortened(", ".join(header).encode(), 120)
        message = f"{name}, line 1: no column {key} among {first}; the first line must name the columns."
        return None, [Problem(name, 1, message, (first,))], []
    problems = _misshapen(name, known, body)
    if role == "systems" and "pooled" in known and not problems:
        problems = _not_truth(name, known.index("pooled"), body)
    cells = [row + [""] * (len(known) - len(row)) for _, row in body]
    short = sum(len(row) < len(known) for _, row in body)
    if short:
        message = f"{name}: {short} rows have fewer columns than the header; the missing cells are empty."
        findings.append(Finding("note", "short rows", "", "", short, message))
    return (None if problems else Table(name, known, cells, [line for line, _ in body])), problems, findings


def _header(header, role):
    """The names of the columns, those that mean something in one spelling; None where the key is missing."""
    lower = [cell.lower() for cell in header]
    own = {"run": "system", "team": "group"} if role == "systems" else dict.fromkeys(KEY["queries"], "query")
    keys = KEY[role] if role == "systems" else (*KEY["queries"], "topic")
    if not set(lower) & set(keys):
        return None
    more = ("group", "team", "pooled", "type") if role == "systems" else ("variation", "weight", "text")
    names = []
    for cell, low in zip(header, lower, strict=True):
        name = own.get(low, low) if low in (*keys, *more) else cell
        names.append(name if name not in names else f"{name} (column {len(names) + 1})")
    return names


def _misshapen(name, header, body):
    bad = [(line, row) for line, row in body if len(row) > len(header)]
    if not bad:
        return []
    line, row = bad[0]
    examples = tuple(shortened(", ".join(row).encode()) for _, row in bad[:3])
    message = f"{name}, line {line}: {len(row)} columns where the header has {len(header)}.{also(len(bad))}"
    return [Problem(name, line, message, examples)]


def _not_truth(name, place, body):
    bad = [(line, row[place]) for line, row in body if len(row) > place and row[place].lower() not in TRUTH]
    if not bad:
        return []
    line, cell = bad[0]
    message = f'{name}, line {line}: pooled is "{cell}" where 1, 0, true, false, yes or no is needed.'
    return [Problem(name, line, message, tuple(cell for _, cell in bad[:3]))]


def frame(columns):
    """Columns (name -> list of values) as a DataFrame; a column of nothing but plain numbers or blanks is numbers."""
    return pd.DataFrame({name: _typed(name, values) for name, values in columns.items()})


def _typed(name, values):
    if name == "pooled":
        return pd.Series(values, dtype=object)
    names = ("system", "group", "type", "file", "query", "topic", "variation", "text")
    said = [value for value in values if value != ""]
    if name in names or not said or not all(PLAIN_NUMBER.fullmatch(value) for value in said):
        return pd.Series(values, dtype="str")
    if len(said) == len(values) and all(re.fullmatch(r"-?\d{1,18}", value) for value in said):
        return pd.Series([int(value) for value in values], dtype="int64")
    return pd.Series([float(value or "nan") for value in values], dtype="float64")
