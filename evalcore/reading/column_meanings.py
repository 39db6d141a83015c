"""Which column of a table is the topic, the document, the rank, the score, the grade and the system: as its first row
says, or in TREC's order; for other tables the user says it.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from evalcore.reading.fields import CALLED, IN_TABLES, LAYOUTS, MEANINGS, NAMES, Q0, RUN, TRUTH, plain
from evalcore.reading.layouts import LINES, MOST_GRADES, counts_up, fits, mostly
from evalcore.reading.sheets import Sheet

NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
WHOLE = re.compile(r"[+-]?\d+([.,]0*)?")
MINUS_INFINITE = ("-inf", "-infinity")  # the score of a document that fills up a ranking
HIGHEST = 100  # grades without a heading are lower
MOST_FRACTIONS = 101  # more different fractions are scores of a run
SAMPLE = 5_000  # rows whose numbers are looked at; names are counted in all of them


@dataclass(frozen=True)
class Guess:
    """Which column of a sheet is what.

    columns : meaning -> the column's place, from 0; a meaning that no column has is not there
    header : whether the first row names the columns
    certain : whether the names say so, or the order is TREC's, or the user says it
    chosen : whether the user says which column is the document
    """

    columns: dict[str, int]
    header: bool
    certain: bool
    chosen: bool = False

    def fits(self, role: str) -> bool:
        """Whether there is all that a run, or that judgments need."""
        return not self.lacks(role)

    def lacks(self, role: str) -> list[str]:
        """The meanings that no column has; one of rank and score is enough."""
        has = {*self.columns, "system"} | ({"rank", "score"} if {"rank", "score"} & self.columns.keys() else set())
        return [meaning for meaning in MEANINGS[role] if meaning not in has]


def guess(sheet: Sheet, role: str, chosen: dict[str, int | None] | None = None) -> Guess:
    """What the columns of a sheet are, of a run or of a qrels. -> Guess

    The last is set by the user: meaning -> the column's position, or None for no column; then nothing is uncertain
    """
    chosen, words = chosen or {}, [plain(cell) for cell in sheet.first]
    known, numbers, numbers_below = _in_first_row(sheet)
    header, below = not numbers and (known >= 2 or (all(sheet.first) and numbers_below)), sheet.below
    place_of = {meaning: place for meaning, place in chosen.items() if place is not None}
    if not header:
        order = _by_order(sheet, role, bool(chosen))
        place_of |= {name: at for name, at in order.items() if name not in chosen and at not in place_of.values()}
    for meaning in MEANINGS[role] if header else ():
        # what another role calls by a name is not taken for this one's, such as a relevance for a score
        places = [(NAMES[meaning].index(word), place) for place, word in enumerate(words) if word in NAMES[meaning]]
        free = [place for _, place in sorted(places) if place not in place_of.values()]
        column = below.columns[free[0]] if free and meaning not in chosen else None
        if column is not None and (below is sheet or may_be(meaning, column, words[free[0]])):
            place_of[meaning] = free[0]
    twice = header and any(words.count(words[at]) > 1 for meaning, at in place_of.items() if meaning not in chosen)
    read = Guess(place_of, header, not twice)
    if read.fits(role):
        return read
    free = {place: below.columns[place] for place, word in enumerate(words) if word not in CALLED}
    suggested = _suggested(free, role, place_of, chosen)
    return Guess(place_of | suggested, header, bool(chosen))


def are_headings(sheet: Sheet) -> bool:
    """Whether the first row may name the columns: two of its cells are names that columns have, or it has no number and
    the next row has one."""
    known, numbers, numbers_below = _in_first_row(sheet)
    return known >= 2 or (not numbers and numbers_below)


def _in_first_row(sheet):
    """How many cells name columns that are read, and whether any is a number, and any in the row below."""
    known = sum(word in CALLED and word not in NAMES["passed"] for word in map(plain, sheet.first))
    return known, *(any(map(NUMBER.fullmatch, row)) for row in (sheet.first, sheet.below.first))


def _suggested(free, role, place_of, chosen):
    """Columns for what is not known yet: the topic comes first, then the document, then a number."""
    suggested, value = {}, "grade" if role == "qrels" else "score"
    for meaning in ("topic", value, "document"):
        taken = {*place_of.values(), *suggested.values()}
        places = [place for place, column in free.items() if place not in taken and may_be(meaning, column)]
        places = [place for place in places if meaning != "document" or _changes(free[place])] or places
        if places and meaning in Guess(place_of, False, False).lacks(role) and meaning not in chosen:
            suggested[meaning] = places[0]
    return {meaning: suggested[meaning] for meaning in (value, "document", "topic") if meaning in suggested}


def may_be(meaning: str, column: pa.Array, heading: str = "") -> bool:
    """Whether the values of a column do not contradict a meaning.

    heading : as `plain`; one that only grades have may be above fractions
    """
    if meaning not in ("rank", "score", "grade"):
        return True
    texts = [text for text in column[:SAMPLE].to_pylist() if text and text.lower() not in MINUS_INFINITE]
    whole, number = (bool(texts) and mostly(shape, texts) for shape in (WHOLE, NUMBER))
    if meaning != "grade":
        return whole if meaning == "rank" else number
    names = pc.count_distinct(column).as_py()
    if whole or (texts and texts[0].lower() in TRUTH):
        return names <= MOST_GRADES + 1
    return heading in NAMES["grade"] and heading not in NAMES["score"] and number and names <= MOST_FRACTIONS + 1


def _by_order(sheet, role, has_choice):
    """The columns of rows without a heading, meaning -> place, if they are in TREC's order. has_choice : whether the
    user says what some are"""
    cells = [[cell.replace(",", ".").encode() for cell in column] for column in zip(*sheet.head(LINES), strict=True)]
    layouts = (layout for layout in LAYOUTS[role] if len(layout) == len(cells) > 2 and fits(layout, cells))
    layout = next((layout for layout in layouts if _are(layout, dict(zip(layout, sheet.columns, strict=True)))), ())
    if has_choice and len(cells) == len(RUN) and mostly(Q0, cells[1]):
        layout = RUN
    if "value" in layout:
        layout = ("topic", "document", "rank" if counts_up(cells[-1]) else "score")
    places = {IN_TABLES.get(name, name): place for place, name in enumerate(layout)}
    return {meaning: place for meaning, place in places.items() if meaning in MEANINGS[role]}


def _are(layout, columns):
    """Whether columns without a heading are what a layout says, and not the same in another order."""
    topic, document = columns["topic"], columns["document"]
    names = {name: (pc.count_distinct(column).as_py(), _changes(column)) for name, column in columns.items()}
    decimals = has_decimals(topic) or has_decimals(document)
    constant = [name for name in ("document", "score") if name in layout and names[name][0] < min(2, len(topic))]
    repeats_more = any(names[name] > names["document"] for name in ("topic", "tag") if name in layout)
    if decimals or constant or repeats_more or mostly(Q0, _words(topic)):
        return False
    if "rank" in layout and "Q0" not in layout:  # from 0 or 1 on, none twice, and few are left out
        most, ranks = 2 * len(topic) / names["topic"][0], _numbers(columns["rank"])
        lists = [*zip(*(_words(columns[name]) for name in ("topic", "rank", "tag") if name in layout), strict=True)]
        return min(ranks) in (0, 1) and max(ranks) <= most and len(set(lists)) == len(lists)
    if "grade" in layout:
        of_topics = not may_be_grades(topic) or _in_blocks(topic)
        of_trec = "iteration" not in layout or mostly(Q0, _words(columns["iteration"]))
        return of_topics and of_trec and may_be_grades(columns["grade"]) and not may_be_grades(document)
    if "value" not in layout or has_decimals(value := columns["value"]):
        return True
    in_order = _in_blocks(topic) and not _in_blocks(value)
    return counts_up(_words(value)) or (in_order and names["value"][0] > MOST_GRADES and min(_numbers(value)) > 1)


def may_be_grades(column: pa.Array) -> bool:
    """Whether a column without a heading may contain grades: few whole numbers, the lowest at most 1."""
    numbers = _numbers(column)
    return may_be("grade", column) and min(numbers, default=0) < 2 and max(numbers, default=0) < HIGHEST


def has_decimals(column: pa.Array) -> bool:
    """Whether a column is numbers, and not whole ones."""
    return may_be("score", column) and not may_be("rank", column)


def has_grades(sheet: Sheet) -> bool:
    """Whether a table with unknown columns is rather one of judgments than a run."""
    numbers = [column for column in sheet.without_first().columns if may_be("score", column)]
    if any(has_decimals(column) or counts_up(_words(column)) for column in numbers):
        return False
    return any(may_be_grades(column) and not _in_blocks(column) for column in numbers)


def _words(column):
    return [text.encode() for text in column[:SAMPLE].to_pylist()]


def _numbers(column):
    return [float(text.replace(",", ".")) for text in column[:SAMPLE].to_pylist() if NUMBER.fullmatch(text)]


def _changes(column):
    return sum(before != after for before, after in pairwise(column[:SAMPLE].to_pylist()))


def _in_blocks(column):
    """Whether equal names stand together, as topics mostly do."""
    return 1 + _changes(column) == pc.count_distinct(column[:SAMPLE]).as_py()
