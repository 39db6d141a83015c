"""The sheets of an Excel workbook, read within limits: a workbook is XML in a zip archive, and XML can be a trap.

openpyxl reads it, with defusedxml in place of Python's own parser. Before that every part of the archive is looked
through once without being kept: openpyxl takes a hundred bytes for each element, and a millisecond for some.
"""

import datetime
import io
import zipfile
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from xml.parsers import expat

import numpy as np
import pyarrow as pa

from evalcore.reading import archive_limits
from evalcore.reading.error_text import shortened
from evalcore.reading.files import InputError, refusal
from evalcore.reading.sheets import FEWEST, WIDEST, Sheet

MOST_SHEETS, MOST_ROWS = 500, 1 << 20  # Excel's own limit of rows; of the others what people have
MOST_CELLS = 500_000  # of all sheets, empty ones between filled ones among them: some ten seconds of work; also of rows
MOST_ELEMENTS = 5 * MOST_CELLS  # of cells and of the texts in them; of all workbooks of an archive
MOST_LETTERS, LONGEST_CELL = 64 << 20, 32_767  # of all cells, for many may be one shared text; Excel's own limit of one
UNPACKED = 128 << 20  # bytes of XML; so many cells take 20 to 60 MB
CELL = frozenset(("row", "c", "v", "f", "is", "t", "r", "si"))  # elements of cells and of the texts in them
MOST_OTHERS = 50_000  # other elements: styles, columns, merged cells, names
DEEPEST, LONGEST = 100, 4 << 20  # elements within each other; bytes of a tag, with its attributes
MOST_ATTRIBUTES = 1000  # of a tag; Excel's have at most some forty
STEP = 1 << 16  # bytes
ONE_AT_A_TIME = Lock()  # a workbook takes ten times its size in memory
NOT_EXACT = 10**15  # Excel keeps 15 digits of a number
SAVE_AS_CSV = "Save its table as CSV, which can have any size."


def sheets_of(name, data, fewest=FEWEST, progress=None, tally=None):
    """The sheets of an Excel workbook that have as many columns; numbers as short texts, formulas as they stand.

    progress : called with (cells read, cells in all), and with (0, 1) while they are counted; what it raises ends the
        reading
    tally : a dict that counts the elements of all workbooks of an archive
    Raises InputError for a workbook that is damaged, too large, or a trap.
    """
    import openpyxl  # takes a quarter of a second, and few files are workbooks

    progress = progress or (lambda done, total: None)
    with ONE_AT_A_TIME:
        cells = _cells_within_limits(name, data, progress, {} if tally is None else tally)
        with _readable(name):
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        if len(book.worksheets) > MOST_SHEETS:
            many = f" is a workbook of {len(book.worksheets):,} sheets, but at most {MOST_SHEETS} are read."
            raise refusal(name, f"{many} {SAVE_AS_CSV}")
        _refuse_shared_parts(name, book)
        reader = _Reader(name, fewest, cells, progress)
        sheets = [reader.sheet(worksheet) for worksheet in book.worksheets]
    sheets = [sheet for sheet in sheets if sheet is not None]
    if not sheets:
        raise refusal(name, f" is an Excel workbook without a table of {fewest} to {WIDEST} columns.")
    return sheets


@contextmanager
def _readable(name):
    """Whatever zipfile, expat and openpyxl raise for bytes that somebody changed, as an InputError."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        message = f" is an Excel workbook that cannot be read ({type(error).__name__}). Save it again, or save as CSV."
        raise refusal(name, message) from None


# Limits


def _refuse_shared_parts(name, book):
    """InputError where several sheets are one part of the archive, which would be read as often."""
    if len({sheet._worksheet_path for sheet in book.worksheets}) < len(book.worksheets):
        raise refusal(name, " is a workbook in which several sheets refer to the same part. Save it again.")


def _cells_within_limits(name, data, progress, tally):
    """How many cells a workbook has; InputError where it has more of anything than a table has, or contains what only a
    trap contains."""
    looked = _Look(name, progress, tally)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(info.file_size for info in archive.infolist())
        if unpacked > UNPACKED:
            sizes = f"unpacks to {unpacked >> 20:,} MB, but at most {UNPACKED >> 20} are allowed"
            raise refusal(name, f" is an Excel workbook that {sizes}. {SAVE_AS_CSV}")
        for info in archive.infolist():
            if info.compress_type in archive_limits.STEPWISE:
                with _readable(name):
                    part = archive.open(info)
                with part:
                    looked.through(part)
            else:
                raise refusal(name, " is a workbook with an unsupported compression. Save it again.")
    return looked.cells


class _Look:
    """What was counted in the parts of a workbook, of which nothing is kept. tally : as of `sheets_of`"""

    def __init__(self, name, progress, tally):
        self.name, self.progress, self.cells, self._tally = name, progress, 0, tally
        self._rows = self._others = self._depth = 0
        tally.setdefault("elements", 0)
        self._parser, self._points_to_text = None, False

    def through(self, part):
        """Counts the elements of a part, to the place where it stops being XML, if it does. part : a binary file"""
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        self._depth = fed = 0
        while True:
            with _readable(self.name):
                chunk = part.read(STEP)
                try:
                    parser.Parse(chunk)
                except expat.ExpatError:  # a picture, or a part that openpyxl cannot read either
                    return
            if not chunk:
                return
            self.progress(0, 1)
            fed += len(chunk)
            if fed - max(0, parser.CurrentByteIndex) > LONGEST:
                raise refusal(self.name, f": its XML has a tag of more than {LONGEST >> 20} MB. Save it as CSV.")

    def _doctype(self, *declared):
        raise refusal(
            self.name,
            ": the workbook contains an XML DOCTYPE, which Excel never writes; it was not opened. Save it as CSV.",
        )

    def _start(self, tag, attributes):
        tag = tag.rpartition(":")[2]
        self._depth += 1
        if tag in CELL:
            self._tally["elements"] += 1
            self.cells += tag == "c"
            self._rows += tag == "row"
        else:
            self._others += 1
        if tag == "c":
            self._points_to_text = attributes.get("t") == "s"
        elif tag == "v" and self._points_to_text:
            self._parser.CharacterDataHandler = self._index
        if max(self.cells, self._rows) > MOST_CELLS:
            raise refusal(self.name, f" is a workbook of more than {MOST_CELLS:,} cells or rows. {SAVE_AS_CSV}")
        if self._tally["elements"] > MOST_ELEMENTS:
            sizes = f"more than {MOST_ELEMENTS:,} cells and texts, with the other workbooks of its archive"
            raise refusal(self.name, f" is a workbook of {sizes}. {SAVE_AS_CSV}")
        if self._others > MOST_OTHERS or self._depth > DEEPEST or len(attributes) > MOST_ATTRIBUTES:
            raise refusal(self.name, f" is a workbook that contains far more than tables. {SAVE_AS_CSV}")

    def _end(self, tag):
        self._depth -= 1
        self._parser.CharacterDataHandler = None

    def _index(self, text):
        """The number of a shared text. Python takes a negative one for the last, and the cell for another."""
        if text.lstrip().startswith("-"):
            message = f" is a workbook whose cells point to a text number {text.strip():.20}. Save it again."
            raise refusal(self.name, message)


# Reading


class _Reader:
    """Reads the worksheets of one workbook. cells : in all of them"""

    def __init__(self, name, fewest, cells, progress):
        self.name, self.fewest, self.cells, self.progress = name, fewest, cells, progress
        self._read = self._letters = 0

    def sheet(self, worksheet):
        """A worksheet as a Sheet, or None where it has no table; InputError where it has too many cells."""
        rows, lines, dates, inexact = [], [], {}, {}
        for number, cells in self._rows(worksheet):
            if number % 1000 == 0:
                self.progress(min(self._read, self.cells), self.cells)
            if len(cells) > WIDEST:
                return None
            self._count_letters([len(cell) for cell in cells if type(cell) is str], number)
            texts = [_text(cell) for cell in cells]
            if not any(texts) or (not rows and sum(map(bool, texts)) < 2):
                continue
            for place, cell in enumerate(cells):
                if type(cell) is str or cell is None:
                    continue
                if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
                    dates.setdefault(place, number)
                elif isinstance(cell, (int, float)) and abs(cell) >= NOT_EXACT:
                    inexact.setdefault(place, number)
            rows.append(texts)
            lines.append(number)
            self._read += len(texts)
            if self._read > MOST_CELLS:
                where = f"up to sheet {shortened(worksheet.title.encode())}"
                raise refusal(self.name, f": more than {MOST_CELLS:,} cells {where}. {SAVE_AS_CSV}", number)
        width = max((place + 1 for row in rows for place, text in enumerate(row) if text), default=0)
        if width < self.fewest:
            return None
        columns = tuple(
            pa.array([row[place] if place < len(row) else "" for row in rows], pa.string()) for place in range(width)
        )
        return Sheet(worksheet.title, "", columns, np.array(lines), dates, inexact)

    def _count_letters(self, lengths, row):
        if max(lengths, default=0) > LONGEST_CELL:
            raise refusal(self.name, f": a cell of more than {LONGEST_CELL:,} letters. {SAVE_AS_CSV}", row)
        self._letters += sum(lengths)
        if self._letters > MOST_LETTERS:
            raise refusal(self.name, f": more than {MOST_LETTERS >> 20} million letters so far. {SAVE_AS_CSV}", row)

    def _rows(self, worksheet):
        """The number of each row, from 1, and its cells."""
        with _readable(self.name):
            worksheet.reset_dimensions()  # a workbook may say of itself what it likes
            yield from enumerate(islice(worksheet.iter_rows(max_row=MOST_ROWS, values_only=True), MOST_ROWS), 1)


def _text(cell):
    """A cell as text: 1.0 as 1, for Excel knows no whole numbers, and what it takes for a date as a date."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        cell = int(cell)
    text = cell if isinstance(cell, str) else repr(cell) if isinstance(cell, float) else str(cell)
    return text.strip().encode("utf-8", "replace").decode("utf-8")
