"""What a file seems to be before it is read: a run, judgments, or a table of systems or of queries; which column of a
table is what; and which files a track has that comes as one zip archive, one folder or one workbook.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

from evalcore.reading import formats, json_files, layouts, memory_budget, sheets
from evalcore.reading.column_files import COMMENT_AT_END, OTHER, Table, mark_of_table, said_of, table_of
from evalcore.reading.column_meanings import NUMBER, WHOLE, has_decimals, has_grades, may_be
from evalcore.reading.error_text import OF_TREC_EVAL, columns_of, other_format, refuse_if_binary, shortened
from evalcore.reading.fields import CALLED, LAYOUTS, NAMES, STRATA, TRUTH, USUAL, as_number, number_at, plain
from evalcore.reading.fields import NUMBER as AS_NUMBER
from evalcore.reading.files import File, Given, InputError, Problem, Upload, listing
from evalcore.reading.layouts import MOST_GRADES, MOSTLY, first_line, first_lines
from evalcore.reading.unpacking import Unpacker, beginning_of_text, is_binary
from evalcore.reading.white_space import UNICODE_BLANKS
from evalcore.vocabulary.sentences import digits

HEAD = 1 << 16  # bytes that show what a text is
LINES = 200  # of them
MEASURE = re.compile(  # a heading in a table of scores
    r"measure|metric|(gm_?)?m?ap|m?rr|recip_?rank|r-?prec|bpref|infap|err|rbp|precision|recall|success|f1|accuracy|"
    r"(n?dcg|p|r|m?ap|m?rr|err|precision|recall|success)([@_ ]|_cut_)?\d+|n?dcg",
    re.IGNORECASE,
)
JSON = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')  # of runs and of judgments: {"query": {"document": ...}}
JSON_OF_LISTS = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*["\d\]]')  # {"query": ["document", ...]}
FEWEST_RANKED = 5  # documents of a list, where most lists of a file have as many
MARKUP = re.compile(rb"\s*<[a-zA-Z]+[\s>]")
FRACTIONS = {*(n / 10 for n in range(11)), 0.25, 0.75}  # that people grade with
FEW = 0.1  # share of lines that look like those of a run, below which a file is none
MOST = 0.5  # share of lines that must look like those of a run for the others to be mistakes


def look(
    upload: File, role: str, columns: dict[str, Any] | None = None, read: dict[Any, Any] | None = None
) -> Table | None:
    """The `Table` that a file is, or None where it is none, or several files.

    upload : an `Upload` or a path, plain or packed with gz; role : "run" or "qrels"; columns : as in `open_study`
    read : a dict that keeps what was read between looks at this one file; None = the upload keeps it
    Raises InputError for a table that cannot be read.
    """
    with _only_file(upload, role) as file:
        if file is None:
            return None
        read = file.read if read is None else read
        return table_of(file.name, _text(file), role, said_of(columns, file.name), read, file.sheet)


def role_of(upload: Upload) -> str:
    """What a file seems to be: "run", "qrels", "systems", "queries", or "" where it is none of them."""
    try:
        with _only_file(upload, "run") as file:
            return "" if file is None else _role_of_text(file.name, _text(file), file.read, file.sheet)
    except InputError:  # it is said when the file is read
        return ""


def why_none(upload: Upload) -> Problem:
    """Why a file is no run, and neither judgments nor a table of systems or queries. -> Problem"""
    try:
        with _only_file(upload, "run") as file:
            reason = "It contains several files, but none is a run or judgments." if file is None else _why_none(file)
            problem = Problem.at(upload.name, None, "", reason=reason)
    except InputError as error:
        problem = error.problems[0]
        if not problem.reason:
            return problem
    return replace(problem, message=f"{upload.name} is neither a run nor judgments. {problem.reason}")


def why_no_run(file: Given, problems: Sequence[Problem]) -> str:
    """Why a file that cannot be read as a run is none, a sentence or two; "" where it may be one with mistakes.

    file : a `files.Given`; problems : what the reader says of it
    """
    if file.inside and problems and problems[0].damaged:
        return problems[0].damaged
    if not all(problem.reason for problem in problems):
        return ""
    try:
        data = _text(file) if _is_whole(file) else _beginning(file)
        lines = [line.split() for line in first_lines(data)]
        with_q0 = sum(words[1:2] == [b"Q0"] or (len(words) > 4 and words[1] == b"0") for words in lines)
        if lines and with_q0 >= MOST * len(lines):
            return ""
        role = _role_of_text(file.name, data, {}, file.sheet)
        table = table_of(file.name, data, "run", sheet=file.sheet) if role in (*OTHER, "") else None
        if table and (why := _why_neither(table, file.inside)):
            return why
    except InputError as error:
        return error.problems[0].reason
    if file.inside and table is None and sum(map(layouts.may_be_of_run, lines)) < FEW * len(lines):
        return NO_RUN.get(role) or problems[0].reason
    if role == "run" or (role == "qrels" and not (file.inside and any(problem.seems == role for problem in problems))):
        return ""
    return NO_RUN.get(role) or problems[0].reason


NO_RUN = {
    "qrels": "It contains judgments.",
    "systems": "It is a table of systems.",
    "queries": "It is a table of queries.",
}


def _why_neither(table, inside):
    """Why a table whose columns are uncertain is no run and no judgments, a sentence; "" where it may be one.

    table : read as a run
    inside : whether it was in a folder or an archive; what was named itself may be either without a known heading
    """
    if table.certain or table.seems:
        return ""
    sheet, guessed = table.used[0]
    headings, first = {plain(cell) for cell in sheet.first}, shortened(", ".join(sheet.first).encode())
    if not any(NUMBER.fullmatch(cell) or cell.lower() in TRUTH for row in sheet.head(LINES) for cell in row):
        return f"It is a table without numbers ({first})."
    if headings.isdisjoint(NAMES["document"]) and any(map(MEASURE.fullmatch, sheet.first)):
        return f"It is a table of scores ({first})."
    if inside and not any(may_be("score", column) for column in sheet.below.columns):
        return f"It is a table without a column of numbers ({first})."
    if inside and guessed.header and headings.isdisjoint(CALLED):
        return f"It is a table without a heading of a run ({first})."
    return ""


def _why_none(file):
    """The reason as a sentence; InputError if the reader gives a better one, with the line."""
    data = _text(file)
    if (known_format := other_format(data[:HEAD], "run")) and known_format[0] == OF_TREC_EVAL:
        return f"It {OF_TREC_EVAL}."
    if MARKUP.match(data):
        return "It is an HTML or XML document."
    table = table_of(file.name, data, "run", read=file.read, sheet=file.sheet)
    if table is None:
        formats.read(file.name, data if data.lstrip()[:1] == b"{" else _whole_lines(data), "run")
        return "Its lines have the columns of neither."
    columns = digits(len(table.used[0][0].columns), "column")
    return f"It has {columns}, of which at most 1 contains names, but it needs 2: topics and documents."


def words(upload: Upload) -> int:
    """How many words the first line of a file has; 0 where it is several files, or cannot be unpacked."""
    try:
        with _only_file(upload, "run") as file:
            return 0 if file is None else len(first_line(_text(file)).split())
    except InputError:
        return 0


# Several files in one


def parts(upload: Upload, progress: Callable[[int, int], None] | None = None) -> list[tuple[Upload, str]]:
    """The files in an upload, each with what it seems to be. -> a list of (Upload, role), role as of `role_of`

    Those of a zip archive, and the sheets of a workbook; the upload itself where all of them are runs, or all
    are judgments.
    progress : as of `evalcore.reading.workbooks.sheets_of`
    """
    files = listing(upload, "run")
    try:
        pairs = [pair for file in files.files for pair in parts_of(file, progress)]
    finally:
        _close(files)
    unreadable = [problem.file.removeprefix(f"{upload.name}/") for problem in files.problems]
    all_roles = {role for _, role in pairs} | {"" for _ in unreadable}
    if len(pairs) + len(unreadable) < 2 or (len(all_roles) < 2 and "" not in all_roles):
        return [(upload, pairs[0][1] if pairs else "")]
    pieces = [(file.name, file.member, file.sheet, role) for file, role in pairs]
    pieces += [(f"{upload.name}/{member}", member, None, "") for member in unreadable]
    return [(Upload(name, upload.data, member, sheet, upload.shared), role) for name, member, sheet, role in pieces]


def parts_of(file: Given, progress: Callable[[int, int], None] | None = None) -> list[tuple[Given, str]]:
    """A listed file with its role as of `role_of`, or each sheet of a workbook whose sheets have several. -> a list of
    (`files.Given`, role)"""
    try:
        if json_files.may_have_both(_beginning(file)) and (keys := json_files.sections(_text(file))):
            judgments = replace(file, name=f"{file.name}/{keys['qrels']}", sheet=keys["qrels"])
            return [(file, "run"), (judgments, "qrels")]
        if not _is_whole(file):
            data = _text(file) if file.member is None and file.container.path is None else _beginning(file)
            return [(file, _role_of_text(file.name, data, file.read))]
        data = _text(file)
        table = table_of(file.name, data, "run", read=file.read, sheet=file.sheet, progress=progress)
        titles = [sheet.title for sheet in table.sheets] if table else []
        by_sheet = {title: _role_of_text(file.name, data, file.read, title) for title in titles}
        if len(named := {title: role for title, role in by_sheet.items() if role}) > 1 < len({*named.values()}):
            return [(replace(file, name=f"{file.name}/{title}", sheet=title), role) for title, role in named.items()]
        return [(file, _role_of_text(file.name, data, file.read, file.sheet))]
    except InputError:  # it is said when the file is read
        return [(file, "")]


# One file


@contextmanager
def _only_file(upload, role):
    """The only file that an upload or a path stands for, a `files.Given`, or None where it is several."""
    listed = listing(upload, role)
    try:
        if listed.problems:
            raise InputError(listed.problems)
        yield listed.files[0] if len(listed.files) == 1 else None
    finally:
        _close(listed)


def _close(files):
    for file in files.files:
        file.close()


def _is_whole(file):
    """Whether the first lines of a file can only be seen where it is unpacked as a whole."""
    head = file.beginning(HEAD)
    return head.startswith(sheets.OFFICE) or is_binary(head)


def _text(file):
    """The bytes of a file, unpacked, as UTF-8 where they are text. All files of an archive have one budget, in which
    each counts once."""
    of_all = file.container.shared.setdefault(("unpacker",), Unpacker())
    unpacker = Unpacker() if file.read.get("counted") else of_all
    with memory_budget.enough(file.name, file.name):
        data = unpacker.read(file)[1]
        file.read["counted"] = True
        return sheets.in_utf8(file.name, data)[0]


def _beginning(file):
    """The first lines of a file, unpacked, as UTF-8; only so many, for an archive may have thousands of files."""
    text = _whole_lines(sheets.in_utf8(file.name, beginning_of_text(file.beginning(HEAD), HEAD))[0])
    return b"".join(text.splitlines(keepends=True)[:LINES])


def _whole_lines(data):
    """The first lines of a text, without one that is cut."""
    if len(data) < HEAD:
        return data
    head, end, _ = data[:HEAD].rpartition(b"\n")
    return head + end or data[:HEAD]


def _role_of_text(name, data, read, sheet=None):
    refuse_if_binary(name, data[:HEAD], "run")
    data = data.removeprefix(sheets.MARK)
    if len(first_line(data).split()) < 3 and UNICODE_BLANKS.search(first_line(data)):
        data, read = UNICODE_BLANKS.sub(b" ", _whole_lines(data)), {}
    quoted = not data.startswith(sheets.OFFICE) and b'"' in first_line(data) and not json_files.is_json(data)
    if quoted and sheets.mark_of(data) in (None, b"\t"):
        data = re.sub(rb'"([^"\n]*)"', lambda cell: cell[1].replace(b" ", b"_"), _whole_lines(data))
        read = {}
    is_other_zip = data[:4] == b"PK\x03\x04" and not sheets.is_workbook(name, data)
    if data.isspace() or is_other_zip or other_format(data[:HEAD], "run"):
        return ""
    if data.lstrip()[:1] == b"{" or json_files.is_json(data):
        return _role_of_json(data[:HEAD])
    if not data.startswith(sheets.OFFICE) and _has_pairs_below_names(data):
        return "qrels"
    if not data.startswith(sheets.OFFICE) and COMMENT_AT_END.search(data[:HEAD]):
        data, read = b"\n".join(map(_without_comment, _whole_lines(data).split(b"\n"))), {}
    words = first_line(data).split()
    by_width = next((role for role in OTHER if len(words) > 3 and len(words) in USUAL[role]), None)
    if by_width and mark_of_table(data, by_width) is None and not sheets.is_workbook(name, data):
        if by_width == "qrels" and layouts.layout_of(data, "run") in LAYOUTS["run"][1:]:
            return "run"
        return by_width if _looks_like(data, by_width) else ""
    if len(words) == len(STRATA) and layouts.is_in_strata(data):
        return "qrels"
    if len(words) > 4 and sheets.mark_of(data) is None and layouts.layout_of(data, "run"):
        return "run"
    tables = {role: table_of(name, data, role, read=read, sheet=sheet) for role in OTHER}
    if any(table is None and len(words) in USUAL[role] for role, table in tables.items()):
        last = [line.split()[-1] for line in data[:HEAD].splitlines()[:LINES] if line.split()]
        if role := _role_by_order(data):
            return role
        last = [as_number(word) for word in last]
        role = _role_by_values([word for word in last if word[-1:].isdigit()])
        return role if tables[role] or _looks_like(data, role) else ""
    heading = {
        cell.strip().strip('"').lower() for cell in re.split(r"[\t,;]", first_line(data).decode("utf-8", "replace"))
    }
    if tables["run"]:
        heading = {cell.lower() for cell in tables["run"].sheets[0].first}
    of_documents = {plain(cell) for cell in heading} & {*NAMES["document"]}
    if heading & {"system", "run"} and heading & {"group", "team", "pooled", "type"} and not of_documents:
        return "systems"
    sure = {role: table.used[0][1].columns for role, table in tables.items() if table and table.certain}
    if len(sure) == 2:  # one column may be either's, such as a score of whole numbers
        return "qrels" if sure["qrels"]["grade"] == sure["run"].get("score") else "run"
    if sure:
        return next(iter(sure))
    if heading & {"query", "topic", "qid", "query_id", "query-id"} and heading & {"text", "topic", "variation"}:
        return "queries"
    if not any(tables.values()):
        if layouts.layout_of(data, "run"):
            return "run"
        return next((role for role in OTHER if _looks_like(data, role)), "qrels" if _has_pairs(data) else "")
    if not _has_topics_and_documents(tables) or (tables["run"] and _why_neither(tables["run"], inside=False)):
        return ""
    return "qrels" if tables["qrels"] and has_grades(tables["qrels"].used[0][0]) else "run"


def _role_of_json(head):
    """The same of JSON, by the keys of its records, or by its values."""
    number = rb'"?([+-]?[\d.][\d.eE+-]*)'
    if keys := json_files.keys_of(head):
        if "ratings" in keys:
            return "qrels"
        if keys & {*NAMES["list"], *NAMES["rank"]}:
            return "run"
        if keys & {*NAMES["grade"]} - {*NAMES["score"]}:
            return "qrels"
        values = re.findall(rb'"([^"\\]*)"\s*:\s*' + number, head)
        scores = [text for key, text in values if plain(key.decode("utf-8", "replace")) in NAMES["score"]]
        return _role_by_values(scores)
    if JSON_OF_LISTS.match(head):
        return _role_of_lists([names.count(b",") + 1 for names in re.findall(rb":\s*\[\s*([^\[\]{}]+)\]", head)])
    return _role_by_values(re.findall(rb":\s*" + number, head)) if JSON.match(head) else ""


def _role_of_lists(lengths):
    """Lists of names are runs where most are as long, and have several names, or are too long to be seen."""
    usual, count = max(Counter(lengths).items(), key=lambda pair: pair[1], default=(0, 0))
    return "run" if not lengths or (usual >= FEWEST_RANKED and 2 * count >= len(lengths)) else "qrels"


def _has_pairs(data):
    """Whether a text has two columns of names with numbers, and the names in the first repeat, as topics do."""
    lines = [line.split() for line in first_lines(data)]
    names = [words[0] for words in lines if len(words) == 2 and all(re.search(rb"\d", word) for word in words)]
    return len(names) == len(lines) > len(set(names)) > 0


def _has_pairs_below_names(data):
    """Whether a text has two columns that its first line calls topic and document."""
    lines = [re.split(rb"[,;]|\s+", line.strip().replace(b'"', b"")) for line in first_lines(data)]
    first, *rows = [[plain(word.decode("utf-8", "replace")) for word in words] for words in lines] or [[]]
    if not rows or len(first) != 2 or first[0] not in NAMES["topic"] or first[1] not in NAMES["document"]:
        return False
    repeats = len({words[0] for words in rows}) < len(rows)
    return all(len(words) == 2 and all(words) for words in rows) and (repeats or first[1] != "id")


def _role_by_order(data):
    """Lines of three columns are a run where the third has decimals and falls within a topic, and judgments where it
    has coarse fractions in another order; "" where they are neither, such as scores of systems by topic."""
    lines = first_lines(data)
    rows = [cells for line in lines if len(cells := columns_of(line, "run")) == 3 and AS_NUMBER.fullmatch(cells[2])]
    values = [float(cells[2]) for cells in rows]
    if len(rows) < max(2, MOSTLY * len(lines)) or all(value.is_integer() for value in values):
        return ""
    steps = [other - value for (row, value), (next_row, other) in pairwise(zip(rows, values, strict=True))
             if row[0] == next_row[0]]  # fmt: skip
    falls = sum(step < 0 for step in steps)
    if falls < len(steps) and all(value in FRACTIONS for value in values):
        return "qrels"
    return "run" if falls and falls >= MOSTLY * sum(step != 0 for step in steps) else ""


def _has_topics_and_documents(tables):
    """Whether two columns of a table at least may be names: not numbers with decimals, as scores are."""
    sheet, guess = (tables["run"] or tables["qrels"]).used[0]
    columns = sheet.without_first().columns if guess.header else sheet.columns
    return sum(not has_decimals(column) for column in columns) > 1


def _looks_like(data, role):
    """Whether most lines of a text have the columns of a run, or of judgments, with a number where one must be."""
    lines = first_lines(data)
    return bool(lines) and sum(_is_line_of(line, role) for line in lines) >= MOST * len(lines)


def _is_line_of(line, role):
    cells = columns_of(line, role)
    if role == "qrels" and len(cells) > 2:
        cells[-1] = as_number(cells[-1])
    number = number_at(role, len(cells))
    if number is None:
        return False
    if role == "qrels" and _is_decimal(cells[-2].decode("utf-8", "replace")):
        return False  # of a table of scores
    form = WHOLE if len(cells) == 3 else NUMBER
    return form.fullmatch(cells[number].decode("utf-8", "replace")) is not None


def _without_comment(line):
    """A line without the comment at its end, if it is one of a run or of judgments then."""
    without = COMMENT_AT_END.sub(b"", line)
    return without if any(_is_line_of(without, role) for role in OTHER) else line


def _is_decimal(text):
    return NUMBER.fullmatch(text) is not None and WHOLE.fullmatch(text) is None


def _role_by_values(numbers):
    """Judgments have a few whole numbers; ranks and scores are many, or have decimals."""
    whole = all(re.fullmatch(rb"[+-]?\d+", number) for number in numbers)
    counts = numbers[:3] in ([b"0", b"1", b"2"], [b"1", b"2", b"3"])
    return "qrels" if whole and not counts and len(set(numbers)) <= MOST_GRADES else "run"
