"""The cells of a table in a file, whatever the program that wrote it: text with commas, semicolons, tabs or bars
between its cells, or a workbook. What the columns mean is the matter of `evalcore.reading.column_meanings`.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from evalcore.reading import archive_limits, files
from evalcore.reading.error_text import MOST_BAD, NUMBER, also, shortened
from evalcore.reading.files import InputError, damage, refusal
from evalcore.vocabulary.sentences import digits

HEAD = 20  # lines that show how a text is laid out
MARKS = b"\t;,|"
MARK = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a text
OLD_OFFICE = b"\xd0\xcf\x11\xe0"  # at the beginning of .xls
OFFICE = (b"PK", OLD_OFFICE)
FEWEST = 3  # columns: less is no run and no qrels
BLOCK = 4 << 20  # bytes that Arrow parses at a time; no line is longer
WIDEST = 200  # columns
MOST_ABOVE = 100_000  # lines above the rows


@dataclass(frozen=True)
class Sheet:
    """One table as texts: the rows that hold anything, from the first that has two cells, the one with the names of
    columns among them.

    title : of the sheet in a workbook, "" in a text
    mark : what stands between cells in a text, "" in a workbook
    columns : a tuple of Arrow string arrays (L,), without white space around cells
    lines : int (L,), the number of each row in the file
    dates, inexact : column -> the first row where a workbook has a date, or a number of more digits than Excel keeps
    comments : how many lines of a text were skipped below the first row, because they start with #
    """

    title: str
    mark: str
    columns: tuple[pa.Array, ...]
    lines: NDArray[np.integer]
    dates: dict[Any, Any] = field(default_factory=dict)
    inexact: dict[Any, Any] = field(default_factory=dict)
    comments: int = 0

    @property
    def first(self) -> list[str]:
        """The cells of the first row."""
        return self.row(0)

    def row(self, number: int) -> list[str]:
        """The cells of a row."""
        return [column[number].as_py() for column in self.columns]

    def head(self, most: int) -> list[list[str]]:
        """The first rows."""
        return [self.row(number) for number in range(min(most, len(self.lines)))]

    def without_first(self) -> Sheet:
        """The rows below the first."""
        return replace(self, columns=tuple(column[1:] for column in self.columns), lines=self.lines[1:])

    @property
    def below(self) -> Sheet:
        """The same, or the only row."""
        return self.without_first() if len(self.lines) > 1 else self

    def only(self, kept: NDArray[np.bool_]) -> Sheet:
        """Some of the rows. kept : bool (L,)"""
        columns = tuple(column.filter(pa.array(kept)) for column in self.columns)
        return replace(self, columns=columns, lines=self.lines[kept])


# Which kind of file


def in_utf8(name: str, data: bytes) -> tuple[bytes, str]:
    """Text as UTF-8, if its first bytes show that it is UTF-16. -> (bytes, the encoding that it had or "")

    A UTF-8 byte order mark at the beginning is reported too, and stays: readers skip it.
    """
    if data.startswith(MARK):
        return data, "UTF-8 with a byte order mark"
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if not marked and not (len(data) > 3 and data[0] and data[2] and data[1] == data[3] == 0):
        return data, ""
    try:
        return data.decode("utf-16" if marked else "utf-16-le").encode("utf-8"), "UTF-16"
    except UnicodeError:
        if not marked:
            return data, ""
        raise damage(name, " is text in UTF-16 that is damaged or cut off. Copy it again, or save as UTF-8.") from None


def is_workbook(name: str, data: bytes) -> bool:
    """Whether these bytes are a workbook; InputError where they are another office file."""
    if data[:4] != b"PK\x03\x04":
        return data[:4] == OLD_OFFICE and any(stream.encode("utf-16-le") in data for stream in ("Workbook", "Book"))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return files.is_workbook(name, archive)
    except InputError:
        raise
    except archive_limits.DAMAGED:
        return False


def mark_of(data: bytes) -> bytes | None:
    """What stands between the cells of a text, as bytes: the one of MARKS that makes most of its first lines rows of as
    many cells, three at least; None where there is none."""
    lines = re.split(rb"\r\n?|\n", data[: 64 << 10].removeprefix(MARK), maxsplit=4 * HEAD)
    head = [line for line in lines[: max(1, len(lines) - 1)] if _is_row(line)][:HEAD]
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in head]
    for mark in MARKS.decode():
        widths = Counter(len(row) for row in _rows_of(texts, mark))
        width, count = max(widths.items(), key=lambda pair: pair[::-1], default=(0, 0))
        if width >= FEWEST and 2 * count > len(texts):
            return mark.encode()
    return None


def _is_row(line):
    return line.strip() and not line.startswith(b"#") and not re.match(rb"\s*sep=.\s*$", line)


def _rows_of(texts, mark):
    """The rows of a few lines of text. A tab stands between cells as they are, the others know quotes."""
    try:
        return [
            [cell.strip() for cell in row]
            for row in csv.reader(texts, delimiter=mark, quoting=csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL)
        ]
    except csv.Error:
        return []


# Text


def of_text(name: str, data: bytes, mark: bytes) -> Sheet:
    """The sheet that a text makes. mark : as `mark_of` found it, or b" " for columns set apart by white space"""
    data = data.removeprefix(MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n" + MARK, b"\n")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:  # as Excel on Windows writes CSV
        data = data.decode("cp1252", "replace").encode("utf-8")
    if mark == b" ":
        data = re.sub(rb"[^\S\n]+", b" ", data)
    start, skipped = _start(data, mark.decode())
    above, body = data[:start], data[start:]
    if mark in b" \t" and _lacks_first(body, mark.decode()):
        body = b"index" + mark + body.removeprefix(b" ")
    if mark == b" ":
        body = re.sub(rb"(?m)^ | $", b"", body)
    columns, lines, comments = _parsed(name, body, skipped, mark.decode())
    sheet = _without_comments(Sheet("", mark.decode(), columns, lines, comments=comments), body, skipped)
    sheet = _tidied(name, sheet)
    _refuse_rows_above(name, above, sheet)
    return sheet


QUOTED = re.compile(rb'(?m)(^| )"[^"\n]*"( |$)')  # a cell between quotes, where blanks stand between cells


def is_of_a_data_frame(data: bytes) -> bool:
    """Whether the first of the lines with blanks between cells is as R and pandas write it: with quotes, or without a
    heading for the numbers of rows."""
    lines = re.sub(rb"[^\S\n]+", b" ", data[: 64 << 10])
    return b'"' in lines.split(b"\n", 1)[0] or _lacks_first(lines, " ")


def _lacks_first(rows, mark):
    """Whether all rows but the first begin with their number, for which R and pandas write no heading; or with another
    name of their own, where only the first begins with a blank, as pandas writes for rows that were sorted."""
    texts = rows[: 64 << 10].decode("utf-8", "replace").replace("\r", "").split("\n")[:HEAD]
    no_heading = [text.startswith(" ") for text in texts if text.strip()]
    first, *rows_below = _rows_of([text.strip(" ") for text in texts] if mark == " " else texts, mark) or [[]]
    rows_below = [row for row in rows_below[: max(1, len(rows_below) - 1)] if row]
    numbered = [[str(start + n) for n in range(len(rows_below))] for start in (0, 1)]
    begin = [row[0].strip('"') for row in rows_below]
    by_blank = mark == " " and no_heading.count(True) == 1 and no_heading[0] and len({*begin}) == len(begin)
    return {len(row) for row in rows_below} == {len(first) + 1} and (begin in numbered or by_blank)


def _start(data, mark):
    """Where the rows begin, behind blank lines, titles and what Excel writes for itself. -> (byte, lines before)"""
    start = skipped = 0
    while start < len(data) and skipped < MOST_ABOVE:
        end = data.find(b"\n", start)
        line = data[start : end if end >= 0 else None]
        (cells,) = _rows_of([line[:BLOCK].decode("utf-8", "replace")], mark) or [[]]
        if _is_row(line) and sum(map(bool, cells)) > 1:
            break
        start, skipped = start + len(line) + 1, skipped + 1
    return start, skipped


def _refuse_rows_above(name, above, sheet):
    """InputError where a line above the rows is one of them, with blanks between its columns, and no title."""
    cells = {cell for cell in sheet.first if cell} if len(sheet.lines) else set()
    for number, line in enumerate(above.splitlines(), 1):
        words = line.split()
        numbers = sum(NUMBER.fullmatch(word) is not None for word in words)
        if len(words) >= len(sheet.columns) and numbers > 1 and cells.intersection(line.decode().split()):
            message = (
                ": its columns are separated by blanks, unlike those of later lines. Use one separator in all lines."
            )
            raise refusal(name, message, number, [shortened(line)])


def _parsed(name, body, skipped, mark):
    """-> (the columns as they stand, the line of each row, how many comments of other columns were skipped)"""
    texts = body[: 64 << 10].decode("utf-8", "replace").split("\n")[:HEAD]
    texts = [text for text in texts if not text.startswith("#")]
    widths = Counter(len(row) for row in _rows_of(texts, mark) if any(row))
    width = max(widths.items(), key=lambda pair: pair[::-1])[0] if widths else 0
    if width < FEWEST:
        columns = f"{digits(width, 'column')} where a table of runs or judgments has at least 3"
        reason = f"It has {columns}."
        raise refusal(name, f": {columns}. Check which character separates its columns.", reason=reason)
    if width > WIDEST:
        columns = f"{width:,} columns, but at most {WIDEST} are allowed"
        raise refusal(name, f": {columns}. Remove those that are not needed.", reason=f"It has {columns}.")
    names, bad, blank, comments = [str(number) for number in range(width)], [], [], 0
    texts_of = pa.string() if len(body) < 2**31 else pa.large_string()

    def odd(row):
        nonlocal comments
        if (is_comment := row.text.lstrip().startswith("#")) or not row.text.strip(f"{mark} \t"):
            blank.append(row.number)
            comments += is_comment
        else:
            bad.append((row.number, row.text, row.actual_columns))
        return "skip" if len(bad) < MOST_BAD else "error"

    quote = mark != "\t" and (mark != " " or QUOTED.search(body[: 64 << 10]) is not None)
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(body + b"\n"),
            pa.csv.ReadOptions(use_threads=False, block_size=BLOCK, column_names=names),
            pa.csv.ParseOptions(
                delimiter=mark, quote_char='"' if quote else False, double_quote=quote, newlines_in_values=quote,
                ignore_empty_lines=False, invalid_row_handler=odd,
            ),
            pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, texts_of), null_values=[], strings_can_be_null=False
            ),
        )  # fmt: skip
    except pa.ArrowInvalid as error:
        if len(bad) < MOST_BAD:
            raise _unreadable(name, body, skipped, error) from None
    if bad:
        number, _, count = bad[0]
        message = f": {digits(count, 'column')} where the first rows have {width}.{also(len(bad))}"
        raise refusal(name, message, number + skipped, [shortened(text.encode()) for _, text, _ in bad[:3]])
    within = np.zeros(table.num_rows, int)  # line ends within quotes
    if quote:
        within = sum(pc.count_substring(column, "\n").to_numpy().astype(int) for column in table.columns)
    columns = tuple(_stripped(table.column(name).combine_chunks(), quote) for name in names)
    odd_rows = np.array(blank, int)
    lines = np.delete(np.arange(1, table.num_rows + len(blank) + 1), odd_rows - 1)
    return columns, lines + skipped + np.cumsum(within) - within, comments


def _without_comments(sheet, body, skipped):
    """The sheet without the rows that start with #, but for those that may be data: with a number, and a first cell
    that is unlike that of any other row, such as #oscars."""
    hashed = np.flatnonzero(pc.starts_with(sheet.columns[0], "#").to_numpy(zero_copy_only=False))
    if not len(hashed):
        return sheet
    kept, texts = np.ones(len(sheet.lines), bool), body.split(b"\n")
    kept[hashed] = False
    alike = {_shape(cell) for cell in pc.unique(sheet.columns[0].filter(pa.array(kept))).to_pylist()}
    for row in hashed:
        first, *cells = sheet.row(int(row))
        quoted = not texts[sheet.lines[row] - skipped - 1].lstrip().startswith(b"#")
        numbers = any(NUMBER.fullmatch(cell.encode()) for cell in cells)
        kept[row] = quoted or (numbers and _shape(first.lstrip("# ")) not in alike)
    return replace(sheet.only(kept), comments=sheet.comments + int(np.sum(~kept)))


def _shape(cell):
    return re.sub(r"\d+", "0", cell)


def _unreadable(name, body, skipped, error):
    """An InputError that says why Arrow could not read a table: a line that is too long, else what it says itself."""
    for number, line in enumerate(body.split(b"\n"), 1 + skipped):
        if len(line) >= BLOCK:
            message = (
                f": a line of {len(line):,} bytes, but at most {BLOCK:,} are allowed. Check that its quotes are closed."
            )
            return refusal(name, message, number)
    if "straddl" in str(error):
        return refusal(
            name, f": a row of more than {BLOCK:,} bytes, over several lines. Check that its quotes are closed."
        )
    return refusal(name, f": this table cannot be read ({str(error)[:80]}). Check that its quotes are closed.")


def _stripped(column, quoted):
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    column = pc.utf8_trim_whitespace(column)
    return column if quoted else pc.replace_substring_regex(column, r'^"([^"]*)"$', r"\1")


def _tidied(name, sheet):
    """The sheet without blank rows."""
    filled = np.zeros(len(sheet.lines), bool)
    for column in sheet.columns:
        filled |= pc.greater(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
    if not filled.any():
        raise refusal(name, " contains no row. A table of runs or judgments has a row for each document.")
    return sheet if filled.all() else sheet.only(filled)
