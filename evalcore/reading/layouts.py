"""What the columns of lines without a header are, and lines whose names contain blanks."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import AnyStr

from evalcore.reading.error_text import columns_of
from evalcore.reading.fields import FIELDS, INTEGER, LAYOUTS, NUMBER, Q0, QRELS, RUN, STRATA, STRATUM, USUAL, ZERO

HEAD, LINES = 1 << 16, 100  # bytes and lines that show which layout a file has
FEWEST_CELLS = 3  # between tabs; a tab alone may be any blank
MOSTLY = 0.9  # the share of lines that show it

FEW_TAGS = 20  # more are no names of runs
MOST_GRADES = 12  # more different numbers are no grades
FEWEST_STEPS = 3  # from line to line, before their order shows anything
NUMBERED = re.compile(rb".*\d.*")
MARK = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a text
FIRST_DATA = re.compile(rb"(?m)^[^\S\n]*[^\s#]")
FIRST_LINE = re.compile(rb"(?:\A|(?<=[\r\n]))[^\S\r\n]*[^\s#][^\r\n]*")


def layout_of(data: bytes, role: str) -> tuple[str, ...] | None:
    """The row of `LAYOUTS` that most of the first lines fit; None where there is none."""
    if b"\t" in data[:HEAD] and (layout := _between_tabs(data, role)):
        return layout
    if len(_cells(data[:HEAD].split(b"\n", 1)[0], role)) == len(LAYOUTS[role][0]):  # as of nearly all files
        return LAYOUTS[role][0]
    words = [_cells(line, role) for line in first_lines(data)]
    width, count = max(Counter(map(len, words)).items(), key=lambda pair: pair[1], default=(0, 0))
    if count >= MOSTLY * len(words):
        columns = [*zip(*(row for row in words if len(row) == width), strict=True)]
        for layout in LAYOUTS[role]:
            if len(layout) == width and fits(layout, columns):
                return layout
    blanks = [row for row in words if _place_from_end(row, role)]
    blanks = [row for row in blanks if role == "qrels" or any(map(Q0.fullmatch, row[1:]))]
    if words and len(blanks) >= MOSTLY * len(words):
        return LAYOUTS[role][0]
    width = len(words[0]) if words else 0  # the first line may say what others lack
    return next((names for names in LAYOUTS[role] if len(names) == width and width in USUAL[role]), None)


def first_lines(data: bytes) -> list[bytes]:
    """The first lines of a text that are neither blank nor comments, without one that is cut."""
    lines = [line for line in data[:HEAD].removeprefix(MARK).splitlines()[: 2 * LINES] if FIRST_DATA.match(line)]
    return lines[: max(1, min(LINES, len(lines) - (len(data) > HEAD)))]


def first_line(data: bytes) -> bytes:
    """The first of them, b"" where there is none."""
    match = FIRST_LINE.search(data[:HEAD].removeprefix(MARK))
    return match[0] if match else b""


def _between_tabs(data, role):
    """The layout of lines that all have as many tabs as it needs, with blanks in names of documents, and nowhere else;
    words would give other columns. A name does not begin with Q0: then blanks separate columns too."""
    columns = [*zip_longest(*([cell.strip() for cell in line.split(b"\t")] for line in first_lines(data)))]
    if len(columns) < FEWEST_CELLS or not all(map(all, columns)):
        return None
    numbers = role == "run" or mostly(NUMBER, columns[-1])
    fitting = (layout for layout in LAYOUTS[role] if numbers and len(layout) == len(columns) and fits(layout, columns))
    layout = next(fitting, ())
    blank = [name for name, cells in zip(layout, columns, strict=False) if any(len(cell.split()) > 1 for cell in cells)]
    if blank != ["document"] or any(Q0.fullmatch(name.split()[0]) for name in columns[layout.index("document")]):
        return None
    return layout


def _cells(line, role):
    """The words of a line, without quotes around them, and without a comment at the end."""
    words = [word.strip(b'"') or word for word in columns_of(line, role)]
    end = next((at for at, word in enumerate(words) if at > 2 and word.startswith(b"#")), None)
    return words[:end]


def fits(layout: Sequence[str], columns: Sequence[Sequence[bytes]]) -> bool:
    """Whether columns of words may be what a layout says. Without Q0 or a tag, more has to show that it is a run."""
    of = dict(zip(layout, columns, strict=True))
    if len(layout) == 2:  # any two words would do
        return mostly(NUMBERED, of["topic"])
    shapes = {name: FIELDS[name].cells for name in layout if name in FIELDS}
    if not all(mostly(shape, of[name]) for name, shape in shapes.items() if shape):
        return False
    if layout == STRATA:
        return _are_strata(of)
    if "score" not in of or {"Q0", "tag"} <= of.keys():
        return True
    one_tag = len(set(of.get("tag", (b"0", b"1")))) == 1 and not NUMBER.fullmatch(of["tag"][0])
    decimals = "Q0" in of and not mostly(INTEGER, of["score"])
    return not mostly(Q0, of["document"]) and (one_tag or counts_up(of["rank"]) or decimals)


def _are_strata(of):
    """Whether columns are those of a sample in strata: numbers from 1, and grades, which are -1 where not drawn.

    Without a -1, strata repeat in a topic, as ranks do not, and are all numbers to their highest, with several grades.
    """
    shapes = {"iteration": ZERO, "stratum": STRATUM, "grade": INTEGER}
    few = all(len({*of[name]}) <= MOST_GRADES for name in shapes)
    if not few or not all(mostly(shape, of[name]) for name, shape in shapes.items()):
        return False
    strata, grades = {*of["stratum"]}, {*zip(of["stratum"], of["grade"], strict=True)}
    repeat = 2 * len({*zip(of["topic"], of["stratum"], strict=True)}) <= len(of["topic"])
    return b"-1" in of["grade"] or (repeat and len(grades) > len(strata) == max(map(int, strata)))


def is_in_strata(data: bytes) -> bool:
    """Whether the lines of a text are judgments of a sample in strata."""
    match = FIRST_DATA.search(data)
    return match is not None and layout_of(data[match.start() : match.start() + 2 * HEAD], "qrels") == STRATA


def may_be_of_run(words: Sequence[bytes]) -> bool:
    """Whether a line has the columns of a run, with numbers where they must be."""
    words = [word.replace(b",", b".") for word in words]
    layouts = (dict(zip(layout, words, strict=True)) for layout in LAYOUTS["run"] if len(layout) == len(words))
    return any(all(NUMBER.fullmatch(row[name]) for name in row.keys() & {"rank", "score", "value"}) for row in layouts)


def counts_up(words: Sequence[bytes]) -> bool:
    """Whether words are ranks: from 0 or 1 on, each is one more than the one before, or starts again."""
    ranks = [int(rank) for rank in words if INTEGER.fullmatch(rank)]
    ups = sum(rank in (0, 1) or rank == before + 1 for before, rank in pairwise(ranks))
    steps = sum(rank == before + 1 for before, rank in pairwise(ranks))
    several = max(ranks, default=0) > 1 or (ranks[:2] == [0, 1] and 2 * steps >= len(ranks) - 1)
    return ranks[:1] in ([0], [1]) and several and ups >= MOSTLY * (len(ranks) - 1)


def mostly(shape: re.Pattern[AnyStr], words: Sequence[AnyStr]) -> bool:
    return sum(shape.fullmatch(word) is not None for word in words) >= MOSTLY * len(words)


# Lines of more words than columns


class Blanks:
    """Lines of more words than columns, which are read from both ends where names contain blanks."""

    def __init__(self, body: bytes, names: tuple[str, ...]) -> None:
        self.role = {RUN: "run", QRELS: "qrels"}.get(names)
        self.body, self.names = body, names

    @cached_property
    def shown(self) -> bool:
        """Whether a line has a word at the place of a number (of judgments one of three lines, for a line end may be
        lost); else, of a run, whether ranks count up rather from the end than from the beginning, where the word before
        them must change; else whether lines have more different numbers than there are tags or grades at the place of a
        tag or a grade."""
        is_run = self.role == "run"
        place, most = (self.names.index("tag"), FEW_TAGS) if is_run else (self.names.index("grade"), MOST_GRADES)
        count, odd, numbers, different = 0, False, 0, set()
        ranks, name, ups = [b"", b""], b"", [0, 0]  # of the line before; how often ranks count up, from each end
        for line in io.BytesIO(self.body):
            words = line.split()
            before, other, end = ranks, words[2:3] != [name], _place_from_end(words, self.role)
            ranks, name = ([words[3], words[end or 3]], words[2]) if len(words) > 3 else (before, name)
            if not end:
                continue
            count, odd = count + 1, odd or not _ends_fit(words, self.role)
            if NUMBER.fullmatch(words[place]):
                numbers += 1
                different.add(words[place])
            if odd and (is_run or count >= FEWEST_STEPS):
                return True
            follow = [_follows(*pair) for pair in zip(before, ranks, strict=True)]
            ups = [ups[0] + (follow[0] and other), ups[1] + follow[1]]
        if is_run and ups[0] != ups[1] and 2 * max(ups) >= count:
            return ups[1] > ups[0]
        return len(different) > most or (is_run and numbers > FEWEST_STEPS and 2 * len(different) > numbers)

    def fit(self, words: Sequence[bytes]) -> bool:
        """Whether a line is read so: from its beginning, it would have other columns."""
        return bool(self.role) and _place_from_end(words, self.role) > 3 and self.shown

    def joined(self, words: Sequence[bytes]) -> list[bytes]:
        """The columns of a line."""
        end = _place_from_end(words, self.role)
        q0 = next((at for at, word in enumerate(words[1:end], 1) if self.role == "run" and Q0.fullmatch(word)), 1)
        return [b" ".join(words[:q0]), words[q0], b" ".join(words[q0 + 1 : end]), *words[end : end + 3]]


def _follows(before, rank):
    """Whether a rank (bytes) is the first, or the next."""
    numbers = INTEGER.fullmatch(rank) and (int(rank) in (0, 1) or INTEGER.fullmatch(before))
    return bool(numbers and (int(rank) in (0, 1) or int(rank) == int(before) + 1))


def _ends_fit(words, role):
    """Whether the words of a line have numbers where they must be, counted from the beginning."""
    if role == "qrels":
        return NUMBER.fullmatch(words[3]) is not None
    return INTEGER.fullmatch(words[3]) is not None and NUMBER.fullmatch(words[4]) is not None


def _place_from_end(words, role):
    """Where in a line of more words than columns the last rank is that has a score and a tag behind it, or the grade; 0
    where there is none."""
    if len(words) <= len(LAYOUTS[role][0]):
        return 0
    if role == "qrels":
        return len(words) - 1 if NUMBER.fullmatch(words[-1]) else 0
    places = range(len(words) - 3, 2, -1)
    return next((at for at in places if INTEGER.fullmatch(words[at]) and NUMBER.fullmatch(words[at + 1])), 0)
