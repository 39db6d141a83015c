"""The sheets of a workbook, Excel's or OpenDocument's, which a process of its own reads within limits."""

import io
import json
import zipfile
from collections.abc import Callable

import numpy as np
import pyarrow as pa

from evalcore.reading import own_process
from evalcore.reading.files import refusal
from evalcore.reading.memory_budget import amount
from evalcore.reading.sheets import FEWEST, WIDEST, Sheet
from evalcore.reading.workbook_cells import SAVE_AS_CSV

MOST_SHEETS, MOST_CELLS = 500, 500_000  # cells of all sheets, empty ones before filled ones among them
MOST_OF_ALL = 5 * MOST_CELLS  # cells of all workbooks of an archive
TOO_MANY = " is a workbook that, with the other workbooks of its archive, has more than {:,} cells. {}"
MOST_PLACES = 40 * MOST_CELLS  # of all sheets, from the first cell to the last; empty ones are looked at, too
MOST_TAGS = 20 * MOST_CELLS  # of XML; a cell has 4 to 8
MOST_LETTERS = 64 << 20  # of all cells, for many may be one shared text
MEMORY = 1_500_000_000  # bytes; the cells above take a third
UNPACKED = 128 << 20  # bytes; so many cells take 20 to 60 MB


def sheets_of(
    name: str, data: bytes, fewest: int = FEWEST, progress: Callable[[int, int], None] | None = None,
    tally: dict[str, int] | None = None,
) -> list[Sheet]:  # fmt: skip
    """The sheets of a workbook that have as many columns; numbers as short texts, and formulas as their values.

    progress : called with (0, 1) while a workbook is read; what it raises ends the reading
    tally : a dict that counts the cells of all workbooks of an archive
    Raises InputError for a workbook that is damaged, too large, or a trap.
    """
    tally = {} if tally is None else tally
    if tally.get("cells", 0) > MOST_OF_ALL:
        raise refusal(name, TOO_MANY.format(MOST_OF_ALL, SAVE_AS_CSV))
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
        if unpacked > UNPACKED:
            sizes = f"unpacks to {unpacked >> 20:,} MB, but at most {UNPACKED >> 20} are allowed"
            raise refusal(name, f" is a workbook that {sizes}. {SAVE_AS_CSV}")
    limits = {
        "sheets": MOST_SHEETS, "cells": MOST_CELLS, "places": MOST_PLACES, "tags": MOST_TAGS, "letters": MOST_LETTERS,
        "columns": WIDEST, "memory": MEMORY,
    }  # fmt: skip
    within = f"with {amount(MEMORY)} of memory in {own_process.SECONDS} seconds"
    too_much = f" is a workbook that cannot be read {within}. {SAVE_AS_CSV}"
    content = json.loads(own_process.text_of(name, "workbook_cells.py", limits, data, too_much, progress))
    tally["cells"] = tally.get("cells", 0) + content["cells"]
    if tally["cells"] > MOST_OF_ALL:
        raise refusal(name, TOO_MANY.format(MOST_OF_ALL, SAVE_AS_CSV))
    sheets = [sheet for parts in content["sheets"] if len((sheet := _sheet(**parts)).columns) >= fewest]
    if not sheets:
        reason = f"is a workbook without a table of {fewest} to {WIDEST} columns."
        raise refusal(name, f" {reason}", reason=f"It {reason}")
    return sheets


def _sheet(title, rows, lines, dates, inexact):
    width = max(map(len, rows), default=0)
    columns = [
        pa.array([row[place] if place < len(row) else "" for row in rows], pa.string()) for place in range(width)
    ]
    dates, inexact = ({int(place): line for place, line in places.items()} for places in (dates, inexact))
    return Sheet(title, "", tuple(columns), np.array(lines, int), dates, inexact)
