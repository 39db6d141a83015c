"""Runs and judgments that come as tables, CSV or Excel: what their columns are, as guessed or as the user says, and
what they say, a run for each system.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.reading import error_text, formats, json_files, layouts, sheets, workbooks
from evalcore.reading.column_meanings import MINUS_INFINITE, NUMBER, WHOLE, Guess, are_headings, guess
from evalcore.reading.error_text import NO_NUMBER, WANTED, also, columns_of, few_of, shortened
from evalcore.reading.fields import CALLED as NAMED
from evalcore.reading.fields import IN_TABLES, MEANINGS, NAMES, QRELS, RUN, TRUTH, USUAL, number_at, plain
from evalcore.reading.fields import NUMBER as AS_NUMBER
from evalcore.reading.files import Finding, InputError, Problem, refusal
from evalcore.reading.layouts import HEAD, MOST_GRADES, MOSTLY, first_line, first_lines
from evalcore.reading.rows import Rows, finite, whole_if_so
from evalcore.reading.sheets import Sheet
from evalcore.vocabulary import validation
from evalcore.vocabulary.sentences import digits, listed

MOST_SYSTEMS = 20_000  # in a table; each takes a millisecond
OTHER = {"run": "qrels", "qrels": "run"}
CALLED = {"run": "a run", "qrels": "judgments"}


# As the user says


def said_of(columns: dict[str, Any] | None, file: str) -> dict[str, Any]:
    """The settings of the option `columns` for one file: those for all files, overridden by those for its name, which
    also have the key `OF_FILE`. Meaning -> a heading, a number from 1, or None for no column."""
    if columns is None:
        return {}
    of_all = {meaning: column for meaning, column in columns.items() if not isinstance(column, dict)}
    own = next((own for name, own in columns.items() if isinstance(own, dict) and name == file), None)
    return of_all if own is None else of_all | own | {OF_FILE: True}


def ordered(name: str, rows: Rows, options: dict[str, Any]) -> Rows:
    """The lines of a run, or, where it is said of the file, in the order of its rank column, or with its scores in the
    reverse order, and with its ranks where it has no other scores. InputError if it has no ranks."""
    if options.get("order", "score") == "rank":
        if rows.ranks is None:
            raise refusal(name, ": it has no rank column that could order it. Leave out order=rank.")
        rows = replace(rows, values=-rows.ranks.astype(float))
    if not options.get("reverse"):
        return rows
    ranks = rows.ranks
    if ranks is not None and np.array_equal(rows.values, -ranks):
        ranks = (ranks.max() + ranks.min() - ranks).astype(np.int32)
    return replace(rows, values=-rows.values, ranks=ranks)


def read_option(columns: dict[str, Any] | None) -> dict[str, Any] | None:
    """The option `columns` as plain values; ValueError for what it cannot be. Words such as topic=qid do, too."""
    if columns is None or isinstance(columns, dict):
        option = columns or {}
    else:
        option = {}
        for word in validation.listed("columns", columns, "topic=qid"):
            key, equal, column = str(word).rpartition("=")
            if not equal:
                raise ValueError(
                    f"columns={word!r} is not valid; write topic=HEADING, or a number from 1 in place of HEADING."
                )
            file, _, meaning = key.rpartition(":")
            (option.setdefault(file, {}) if file else option)[meaning] = column
    for choice in (option, *(own for own in option.values() if isinstance(own, dict))):
        unknown = [key for key, column in choice.items() if not isinstance(column, dict) and key not in SAID]
        if unknown:
            raise ValueError(f"columns: {unknown[0]!r} is not known. Known: {', '.join(SAID)}.")
        if choice.get("order", "score") not in ("score", "rank"):
            raise ValueError(f"columns: order={choice['order']!r} is not valid; give score or rank.")
    return option or None


SAID = ("topic", "document", "rank", "score", "grade", "system", "header", "sheet", "reverse", "order")
OF_FILE = "of this file"  # marks what is said of one file by its name


def in_words(columns: dict[str, Any]) -> str:
    """The option `columns`, as people read it."""
    parts = [
        f"{meaning} = {f'column {column}' if str(column).isdigit() else column}"
        for meaning, column in columns.items()
        if not isinstance(column, dict) and column is not None and meaning != "header"
    ]
    of_files = [f"{name}: {in_words(own)}" for name, own in columns.items() if isinstance(own, dict)]
    return "; ".join([*filter(None, [", ".join(parts)]), *of_files])


def chosen(name: str, sheet: Sheet, role: str, choice: dict[str, Any]) -> Guess:
    """The guess for a sheet, changed to what the user says; InputError for a column that it has not."""
    places_given = {meaning: choice[meaning] for meaning in MEANINGS[role] if meaning in choice}
    has_headings = are_headings(sheet)
    if "header" in choice:
        has_headings = str(choice["header"]).lower() in ("true", "1", "yes")
    places = {meaning: _place(name, sheet, column, has_headings) for meaning, column in places_given.items()}
    meanings = replace(guess(sheet, role, places), chosen="document" in places)
    by_heading = any(column not in (None, "") and not _is_place(column, sheet) for column in places_given.values())
    return replace(meanings, header=has_headings) if "header" in choice or by_heading else meanings


def _is_place(column, sheet):
    """Whether this is the number of a column, from 1, and no heading."""
    return str(column).isdigit() and 1 <= int(column) <= len(sheet.first)


def _place(name, sheet, column, has_headings):
    if column is None or column == "":
        return None
    if _is_place(column, sheet):
        return int(column) - 1
    headings = [cell.lower() for cell in sheet.first]
    if has_headings and str(column).lower() in headings:
        return headings.index(str(column).lower())
    first = shortened(", ".join(sheet.first).encode(), 120)
    if has_headings:
        raise refusal(name, f": no column {column!r}. Its first row is {first}; use one of these, or a number from 1.")
    raise refusal(name, f": no column {column!r}, as its first row ({first}) names no columns. Use a number from 1.")


# A file as a table


@dataclass(frozen=True)
class Table:
    """A file that is a table, with its sheets and, for each, what its columns are.

    seems : the other role, where it fits that one and not its own
    one_sheet : whether it is one sheet of a workbook, which names its system
    """

    name: str
    role: str
    sheets: tuple[Sheet, ...]
    guesses: tuple[Guess, ...]
    seems: str = ""
    one_sheet: bool = False

    @property
    def used(self) -> list[tuple[Sheet, Guess]]:
        """The sheets that are read, with their guesses: in a run all that surely are runs, else the first that fits."""
        pairs = list(zip(self.sheets, self.guesses, strict=True))
        fitting = [pair for pair in pairs if pair[1].certain and pair[1].fits(self.role)]
        return fitting if self.role == "run" and fitting else (fitting or pairs)[:1]

    @property
    def certain(self) -> bool:
        """Whether it is known what the columns are."""
        return all(guess.certain and guess.fits(self.role) for _, guess in self.used)

    def refuse_unless_certain(self) -> None:
        """None; InputError if the meaning of the columns is unclear, or they are those of the other role."""
        if self.certain:
            return
        sheet, guessed = self.used[0]
        first = shortened(", ".join(sheet.first).encode(), 120)
        if self.seems:
            message = (
                f" contains {CALLED[self.seems]} ({first}), not {CALLED[self.role]}. Load it as {CALLED[self.seems]}."
            )
            reason = f"It contains {CALLED[self.seems]} ({first})."
            raise InputError([Problem.at(self.name, None, message, seems=self.seems, reason=reason)])
        lacks = guessed.lacks(self.role) or [*guessed.columns]
        any_of = " or the ".join(filter(None, (", the ".join(lacks[:-1]), lacks[-1])))
        message = f": it is not clear which column is the {any_of}. Assign the columns."
        usual = RUN if self.role == "run" else QRELS
        if not guessed.header and len(sheet.first) not in (len(usual), 1):
            message = (
                f": {digits(len(sheet.first), 'column')} where a {self.role} has {len(usual)} ({' '.join(usual)}); it "
                f"is not clear which is the {any_of}. Add what is missing, or assign the columns."
            )
        raise refusal(self.name, message, int(sheet.lines[0]), [first])


def table_of(
    name: str, data: bytes, role: str, choice: dict[str, Any] | None = None, read: dict[Any, Any] | None = None,
    sheet: str | None = None, progress: Callable[[int, int], None] | None = None,
) -> Table | None:  # fmt: skip
    """The Table that a file is, or None where it is lines of TREC's kind, or JSON, or nothing that can be read.

    data : unpacked bytes; choice : what `said_of` gives; read : a dict that keeps the sheets between looks at one file
    sheet : the title of the only sheet of a workbook that is meant; progress : as of `workbooks.sheets_of`
    Raises InputError for a table that cannot be read.
    """
    read = {} if read is None else read
    known = *MEANINGS[role], "header", "sheet", OF_FILE
    choice = {meaning: column for meaning, column in (choice or {}).items() if meaning in known}
    of_file = choice.pop(OF_FILE, False) and bool(choice)
    if sheets.is_workbook(name, data):
        sheets_found, title = _sheets_of_workbook(name, data, read, progress), sheet or choice.get("sheet")
        if title:
            sheets_found = [sheet for sheet in sheets_found if sheet.title == title] or _no_sheet(
                name, sheets_found, title
            )
    else:
        mark = mark_of_table(data, role, has_choice=bool(choice))
        of_lines = of_file or _is_of_lines(choice, data, role) or (role == "qrels" and _has_several_grades(data))
        if mark is None and of_lines:
            mark = b" "
        if mark is None:
            return None
        if not choice:
            error_text.refuse_other_formats(name, data[:HEAD], role)
        error_text.refuse_unless_text(name, data, role)
        if mark not in read:
            read[mark] = sheets.of_text(name, data, mark)
        sheets_found = [read[mark]]
    guesses = tuple(chosen(name, sheet, role, choice) for sheet in sheets_found)
    table = Table(name, role, tuple(sheets_found), guesses, one_sheet=sheet is not None)
    if not choice and not any(meanings.fits(role) and meanings.certain for meanings in guesses):
        of_other_role = (guess(sheet, OTHER[role]) for sheet in sheets_found)
        if any(other.certain and other.fits(OTHER[role]) for other in of_other_role):
            return replace(table, seems=OTHER[role])
    return table


def _sheets_of_workbook(name, data, read, progress):
    """The sheets of a workbook, which is read once, also where it is refused."""
    if "workbook" not in read:
        try:
            read["workbook"] = workbooks.sheets_of(name, data, progress=progress, tally=read.get("tally"))
        except InputError as error:
            read["workbook"] = error.problems
    if isinstance(read["workbook"], tuple):
        raise InputError(read["workbook"])
    return read["workbook"]


def _no_sheet(name, candidates, title):
    raise refusal(name, f" has no sheet {title!r}. It has {listed([sheet.title for sheet in candidates])}.")


COMMENT_AT_END = re.compile(rb"\s#.*")


def mark_of_table(data: bytes, role: str, has_choice: bool = False) -> bytes | None:
    """What stands between the cells of a text that is read as a table; None where its lines are TREC's, or JSON."""
    line = first_line(data)
    if line.lstrip()[:1] in (b"{", b"") or json_files.is_json(data):
        return None
    if role == "qrels" and not has_choice and layouts.is_in_strata(data):
        return None
    without = COMMENT_AT_END.sub(b"", line)
    if len(columns_of(without, role)) in USUAL[role]:
        line = without
    words = [word.decode("utf-8", "replace") for word in columns_of(line, role)]
    number, order = number_at(role, len(words)), USUAL[role].get(len(words), ())
    number_there = number is not None and (
        NUMBER.fullmatch(words[number]) or NO_NUMBER.fullmatch(words[number].encode())
    )
    of_commas = len(words) == 3 and any(words[0].count(mark) > 1 for mark in ",;|")  # and words between them
    trec = number_there and not line.rstrip().endswith((b",", b";")) and not of_commas
    if trec and not has_choice and not any(mark in words[0][-1:] for mark in ",;"):
        return None
    mark = sheets.mark_of(data)
    cells = [plain(word) for word in (line.decode("utf-8", "replace").split(mark.decode()) if mark else words)]
    called = sum(cell in NAMED for cell in cells)
    if number is not None and called >= 2 and _in_order(cells, order) and not sheets.is_of_a_data_frame(data):
        return None  # a header above lines of TREC's order, or of BEIR's
    if mark is None and called >= 3 and all({*cells} & {*NAMES[meaning]} for meaning in ("topic", "document")):
        return b" "
    return mark


def _is_of_lines(choice, data, role):
    """Whether what is said of all files, by numbers, is meant of these lines too: they lack TREC's columns, or it names
    the grade, which only judgments have."""
    own = {meaning: column for meaning, column in choice.items() if meaning in MEANINGS[role] and column is not None}
    words = columns_of(first_line(data), role)
    numbers = all(str(column).isdigit() and int(column) <= len(words) for column in own.values())
    if not own or not numbers or json_files.is_json(data):
        return False
    number = number_at(role, len(words))
    return "grade" in own or number is None or len(words) < 4 or AS_NUMBER.fullmatch(words[number]) is None


def _has_several_grades(data):
    """Whether lines of judgments have more columns than TREC's, all of them numbers that may be grades."""
    if layouts.is_in_strata(data):
        return False
    columns = [*zip_longest(*(columns_of(line, "qrels") for line in first_lines(data)), fillvalue=b"")]
    return len(columns) > 4 and all(
        len(set(column)) <= MOST_GRADES and all(AS_NUMBER.fullmatch(word) for word in column) for column in columns[3:]
    )


def _in_order(cells, order):
    """Whether these names of columns are TREC's, in its order."""
    names = [NAMES.get(IN_TABLES.get(meaning, meaning)) for meaning in order]
    return len(cells) == len(order) and all(not own or cell in own for cell, own in zip(cells, names, strict=True))


# What a table says


def parts_of(
    name: str, data: bytes, role: str, columns: dict[str, Any] | None, sheet: str | None = None,
    read: dict[Any, Any] | None = None,
) -> tuple[list[tuple[str, Rows]], list[Finding]]:  # fmt: skip
    """The lines of a run or of a qrels, or of each of the runs in a table. -> (a list of (which, Rows), findings)

    sheet, read : as of `table_of`
    """
    choice = said_of(columns, name)
    table = table_of(name, data, role, choice, read, sheet)
    if table is None:
        rows, findings = formats.read(name, data, role)
        parts = [("", rows)] if rows.systems is None else _by_system(name, rows, rows.systems, "the system's key")
    else:
        parts, findings = rows_of(table)
        by_score = "reverse" not in choice and choice.get("order", "score") == "score"
        if role == "run" and by_score and _has_distances(table, parts):
            message = f"{name} was read in reverse order, from the lowest distance on."
            findings.append(Finding("note", "reversed", "", "", 1, message))
            choice = {**choice, "reverse": True}
            return [(part, ordered(name, rows, choice)) for part, rows in parts], findings
    if role != "run":
        return parts, findings
    for check, way, is_set in (
        ("reversed", "in reverse order", choice.get("reverse")),
        ("ordered by rank", "in the order of its rank column", choice.get("order", "score") == "rank"),
    ):
        message = f"{name} was read {way}, as you set."
        findings += [Finding("note", check, "", "", 1, message)] if is_set else []
    return [(part, ordered(name, rows, choice)) for part, rows in parts], findings


def _has_distances(table, parts):
    """Whether the scores of a run are called distances, and neither fall by rank, or from row to row where there is no
    rank, as some programs call similarities too, nor are negative."""
    headings = [sheet.first[meanings.columns["score"]] if meanings.header and "score" in meanings.columns else ""
                for sheet, meanings in table.used]  # fmt: skip
    if not all(plain(heading) == "distance" for heading in headings):
        return False
    falls = rises = 0
    for _, rows in parts:
        order = np.lexsort((np.arange(len(rows.query)) if rows.ranks is None else rows.ranks, rows.query))
        steps = np.diff(rows.values[order])[np.diff(rows.query[order]) == 0]
        falls, rises = falls + np.sum(steps < 0), rises + np.sum(steps > 0)
    return (falls == 0 or falls < MOSTLY * (falls + rises)) and all(rows.values.min() >= 0 for _, rows in parts)


def rows_of(table: Table) -> tuple[list[tuple[str, Rows]], list[Finding]]:
    """The runs that a table holds, or its judgments, once it is certain what its columns are.

    -> (a list of (the system's name or "", Rows), findings); InputError with what is wrong
    """
    table.refuse_unless_certain()
    findings = [_told(table)]
    several = table.one_sheet or len(table.used) > 1
    parts = []
    for sheet, meanings in table.used:
        parts += _rows_of_sheet(table, sheet, meanings, sheet.title if several else "", findings)
    return parts, findings


def _told(table):
    """A finding that says how the columns were read."""
    sheet, meanings = table.used[0]
    names = sheet.first if meanings.header else [f"column {place + 1}" for place in range(len(sheet.columns))]
    columns = ", ".join(
        f"{meaning} = {shortened(names[place].encode(), 40)}" for meaning, place in meanings.columns.items()
    )
    where = f", {_sheets_in_words([sheet.title for sheet, _ in table.used])}" if sheet.title else ""
    message = f"{table.name} was read as a table{where}: {columns}."
    used = {id(sheet) for sheet, _ in table.used}
    if over := [sheet.title for sheet in table.sheets if id(sheet) not in used]:
        message += f" {_sheets_in_words(over).capitalize()} {'was' if len(over) == 1 else 'were'} skipped."
    return Finding("note", "read as a table", "", "", len(sheet.lines), message)


def _sheets_in_words(titles):
    return f"{'sheet' if len(titles) == 1 else 'sheets'} {few_of(titles)}"


def _rows_of_sheet(table, sheet, meanings, title, findings):
    """-> a list of (system, Rows)"""
    name, place, headings = table.name, meanings.columns, []
    if sheet.comments:
        lines_were = digits(sheet.comments, "line that starts with # was", "lines that start with # were")
        findings.append(Finding("note", "comment lines", "", "", sheet.comments, f"{name}: {lines_were} skipped."))
    if meanings.header:
        headings, sheet = sheet.first, sheet.without_first()
        if not len(sheet.lines):
            raise refusal(name, f" contains headings but no row below; {WANTED[table.role]}.")
    if table.role == "qrels":
        sheet = _with_grade(name, sheet, place["grade"], findings)
    topic, document = (_names(name, sheet, place, meaning, findings) for meaning in ("topic", "document"))
    lines, ranks = sheet.lines.astype(np.int32), None
    if table.role == "qrels":
        grades = whole_if_so(name, _numbers(name, sheet, place["grade"], "grade", findings), findings)
        second = next((at for at, cell in enumerate(headings) if plain(cell) in NAMES["subtopic"]), None)
        subtopic = None if second is None else sheet.columns[second].cast(pa.binary()).dictionary_encode()
        rows = Rows(*_coded(topic), document, grades, None, [], lines, iteration=subtopic)
        return [("", replace(rows, for_subtopics=subtopic is not None))]
    if "rank" in place:
        ranks = _numbers(name, sheet, place["rank"], "rank", findings).astype(np.int32)
        scores = -ranks.astype(float)  # only their order counts: the best rank gets the highest score
    if "score" in place:
        scores = _numbers(name, sheet, place["score"], "score", findings)
    rivals = _rivals(table, sheet, meanings)
    if "system" not in place:
        tags = [title.encode()] if title else []
        return [(title, Rows(*_coded(topic), document, scores, ranks, tags, lines, rivals))]
    systems = _names(name, sheet, place, "system", findings).dictionary_encode()
    column = shortened(table.used[0][0].first[place["system"]].encode(), 40) if meanings.header else "it"
    return _by_system(name, Rows(*_coded(topic), document, scores, ranks, [], lines, rivals), systems, column)


def _by_system(name, rows, systems, column):
    """The rows of each system, in order of first appearance, those without one under "". -> a list of (system, Rows)

    systems : Arrow dictionary array (L,) of bytes; column : what names them, for a message
    """
    if len(systems.dictionary) > MOST_SYSTEMS:
        count = f"{len(systems.dictionary):,} systems, but at most {MOST_SYSTEMS:,} are allowed"
        raise refusal(name, f": {count}. Check that {column} is the right column, or use fewer systems.")
    codes = systems.indices.to_numpy()
    rows_by_system = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    return [
        (system.decode("utf-8", "backslashreplace"),
         replace(rows.part(own), tags=[system] if system else [], systems=None))
        for system, own in zip(systems.dictionary.to_pylist(), rows_by_system, strict=True)
    ]  # fmt: skip


def _rivals(table, sheet, meanings):
    """The other columns of a run whose headings name a document too, such as docid beside docno."""
    if not meanings.header or meanings.chosen:
        return ()
    headings = next(known.first for known in table.sheets if known.title == sheet.title)
    return tuple(
        (heading, sheet.columns[place])
        for place, heading in enumerate(headings)
        if plain(heading) in NAMES["document"] and place not in meanings.columns.values()
    )


def _coded(topic: pa.Array) -> tuple[NDArray[np.int32], list[bytes]]:
    coded = topic.dictionary_encode()
    return coded.indices.to_numpy(), coded.dictionary.to_pylist()


def _with_grade(name, sheet, place, findings):
    """The rows that have a grade: a sheet that assessors fill has others, which are not judged."""
    filled = pc.greater(pc.binary_length(sheet.columns[place]), 0).to_numpy(zero_copy_only=False)
    if without := int(np.sum(~filled)):
        rows = digits(without, "row has", "rows have")
        message = f"{name}: {rows} no grade, so their documents count as unjudged."
        findings.append(Finding("note", "rows without a grade", "", "", without, message))
    if not filled.any():
        raise refusal(name, f" contains no grade; {WANTED['qrels']}.")
    return sheet.only(filled)


def _names(name, sheet, places, meaning, findings):
    """A column of names, as Arrow binary; InputError for one that is empty, or that Excel made a date."""
    column, place = sheet.columns[places[meaning]], places[meaning]
    if place in sheet.dates:
        message = (
            f": the {meaning} is a date. Excel makes dates of names such as 3-1: format the column as text, type it "
            "again, or save the original file as it is."
        )
        raise refusal(name, message, sheet.dates[place])
    empty = np.flatnonzero(pc.equal(pc.binary_length(column), 0).to_numpy(zero_copy_only=False))
    if len(empty):
        examples = [shortened(", ".join(sheet.row(int(row))).encode()) for row in empty[:3]]
        message = f" has no {meaning}, but every row needs one.{also(len(empty))}"
        raise refusal(name, message, int(sheet.lines[empty[0]]), examples)
    if place in sheet.inexact:
        message = (
            f"{name}, line {sheet.inexact[place]}: the {meaning} is a number of more than 15 digits. Excel keeps "
            "only 15, so names may have changed. Use the original file."
        )
        findings.append(Finding("warning", "names cut by Excel", "", "", 1, message))
    if pc.all(pc.match_substring_regex(column, r"^\d+\.0$")).as_py():  # as programs write 1 where a cell was empty
        column = pc.replace_substring_regex(column, r"\.0$", "")
        message = f"{name}: every {meaning} ends in .0, which was removed, because programs often add it to numbers."
        findings.append(Finding("note", "names with .0", "", "", len(column), message))
    return column.cast(pa.large_binary() if pa.types.is_large_string(column.type) else pa.binary())


def _numbers(name, sheet, place, meaning, findings):
    """A column of numbers, float (L,); InputError where one is none."""
    coded = sheet.columns[place].dictionary_encode()
    texts = coded.dictionary.to_pylist()
    # between commas, or beside 0.5, 1,234 may be a thousand
    decimal = sheet.mark != "," and not any("." in text for text in texts)
    values = np.array([_number(text, meaning, decimal) for text in texts], float)[coded.indices.to_numpy()]
    if meaning == "score":
        values = finite(name, values, findings)
    bad = np.flatnonzero(~np.isfinite(values) | (meaning != "score") & (np.abs(values) >= 2**31))
    if len(bad):
        text = sheet.columns[place][int(bad[0])].as_py()
        needed = "a whole number" if meaning == "rank" else "a number"
        formula = " It is a formula: paste the column as values." if text.startswith("=") else ""
        examples = [shortened(", ".join(sheet.row(int(row))).encode()) for row in bad[:3]]
        message = f': the {meaning} is "{shortened(text.encode(), 40)}", but must be {needed}.{formula}{also(len(bad))}'
        raise refusal(name, message, int(sheet.lines[bad[0]]), examples)
    if any("," in text for text in texts):
        message = f"{name}: the {meaning}s have a decimal comma; 0,5 is read as 0.5."
        findings.append(Finding("note", "decimal comma", "", "", len(values), message))
    return values


def _number(text, meaning, decimal):
    if meaning == "grade":
        text = TRUTH.get(text.lower(), text)
    wanted = WHOLE if meaning == "rank" else NUMBER
    if meaning == "score" and text.lower() in MINUS_INFINITE:
        return -np.inf
    if not wanted.fullmatch(text) or ("," in text and not decimal):
        return np.nan
    return float(text.replace(",", "."))
