"""A program of its own: prints the cells of a workbook, Excel's (.xlsx, .xls, .xlsb) or OpenDocument's (.ods), as JSON.

A workbook of a few bytes may ask for all memory. Then this process ends, and the one that started it goes on. The
workbook is its input, and its limits are its argument.
"""

import datetime
import io
import json
import re
import sys
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import python_calamine

CELL = re.compile(  # of .xlsx: its tag, attributes, formula, and value
    rb"<((?:\w+:)?c)\b([^<>]*)>(?:<(?:\w+:)?f\b[^<>]*?(?:/>|>([^<]*)</(?:\w+:)?f>))?"
    rb"(?:<((?:\w+:)?v)>([^<]*)</\4>|<(?:\w+:)?v ?/>)?</\1>"
)
KIND = re.compile(rb'\st="(\w+)"')
NOT_EXACT = 10**15  # Excel keeps 15 digits of a number


class _Refused(Exception):
    """A workbook is too large; arguments: the message, and the number of the row or None."""


def cells_of(data: bytes, limits: Mapping[str, int]) -> dict[str, Any]:
    """{"sheets": [...], "cells": how many} of a workbook; {"refused": arguments of a refusal} or {"damaged": what}."""
    with suppress(ImportError, OSError, ValueError):  # only Linux keeps the limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits["memory"],) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        return _Reader(limits).book(data)
    except _Refused as refused:
        return {"refused": refused.args}
    except MemoryError:
        raise
    except BaseException as error:  # calamine's panics are no Exception
        return {"damaged": f" is a workbook that cannot be read ({type(error).__name__}). {AGAIN}"}


AGAIN = "Save it again, or save as CSV."
SAVE_AS_CSV = "Save its table as CSV, which can have any size."


class _Reader:
    """Reads a workbook, and counts what it has read."""

    def __init__(self, limits):
        self.limits, self.cells, self.letters, self.places = limits, 0, 0, 0

    def book(self, data):
        data = _with_texts(data, self.limits["tags"]) if data[:2] == b"PK" else data
        book = python_calamine.load_workbook(io.BytesIO(data))
        titles = [sheet.name for sheet in book.sheets_metadata if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet]
        if len(titles) > self.limits["sheets"]:
            many = f" is a workbook of {len(titles):,} sheets, but at most {self.limits['sheets']} are read."
            raise _Refused(f"{many} {SAVE_AS_CSV}", None)
        return {"sheets": [self.sheet(title, book.get_sheet_by_name(title)) for title in titles], "cells": self.cells}

    def sheet(self, title, sheet):
        """The rows of a sheet that hold anything, from the first that has two cells; none of a sheet that is too wide.

        dates, inexact : column -> the first row where it has a date, or a number of more digits than Excel keeps
        """
        left = [""] * (sheet.start or (0, 0))[1]
        table = {"title": title, "rows": [], "lines": [], "dates": {}, "inexact": {}}
        wide = len(left) + sheet.width > self.limits["columns"]
        self.places += 0 if wide else sheet.height * sheet.width  # between the first cell and the last
        if self.places > self.limits["places"]:
            most = f"{self.limits['places'] // 10**6} million"
            raise _Refused(f": its cells are among more than {most} places up to sheet {title}. {SAVE_AS_CSV}", None)
        for line, cells in enumerate([] if wide else sheet.iter_rows(), 1):
            texts = left + [_text(cell) for cell in cells]
            while texts and not texts[-1]:
                texts.pop()
            if not texts or (not table["rows"] and sum(map(bool, texts)) < 2):
                continue
            for place, cell in enumerate(cells, len(left)):
                if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
                    table["dates"].setdefault(place, line)
                elif isinstance(cell, float) and abs(cell) >= NOT_EXACT:
                    table["inexact"].setdefault(place, line)
            self._count(texts, line, title)
            table["rows"].append(texts)
            table["lines"].append(line)
        return table

    def _count(self, texts, line, title):
        self.cells += len(texts)
        self.letters += sum(map(len, texts))
        if self.cells > self.limits["cells"]:
            raise _Refused(f": more than {self.limits['cells']:,} cells up to sheet {title}. {SAVE_AS_CSV}", line)
        if self.letters > self.limits["letters"]:
            raise _Refused(f": more than {self.limits['letters'] >> 20} million letters so far. {SAVE_AS_CSV}", line)


def _text(cell):
    """A cell as text: 1.0 as 1, for Excel knows no whole numbers, and what it takes for a date as a date."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return str(cell)


def _with_texts(data, most):
    """A workbook in which what calamine leaves empty are texts: errors such as #N/A, and formulas without a value.

    most : tags of XML in all of its parts
    """
    packed, tags = io.BytesIO(), 0
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(packed, "w") as archive:
        for name in dict.fromkeys(given.namelist()):
            part = given.read(name)
            if (tags := tags + part.count(b"<")) > most:
                raise _Refused(f" is a workbook of more than {most // 10**6} million tags of XML. {SAVE_AS_CSV}", None)
            archive.writestr(name, CELL.sub(_as_text, part) if b"sheetData>" in part else part)
    return packed.getvalue()


def _as_text(match):
    cell, attributes, formula, _, value = match.groups(b"")
    kind = (KIND.search(attributes) or (b"", b"n"))[1]
    if formula and not value and kind == b"n":
        value = b"=" + formula
    elif kind != b"e":
        return match[0]
    prefix = cell[:-1]
    return b'<%s%s t="str"><%sv>%s</%sv></%s>' % (cell, KIND.sub(b"", attributes), prefix, value, prefix, cell)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(cells_of(sys.stdin.buffer.read(), json.loads(sys.argv[1]))))
