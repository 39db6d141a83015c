"""The lines of one run or qrels file as columns, whatever the format.

Three steps, each only where the one before it does not do: Arrow's CSV reader on the bytes as they are; the same after
the white space was made regular; and a look at the numbers that Arrow refuses, one by one, to say which and why.
"""

import io
import re
from array import array
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evalcore.reading import json_files
from evalcore.reading.error_text import (
    FITS,
    MOST_BAD,
    NUMBER,
    WANTED,
    also,
    columns_of,
    few_of,
    refuse_other_ends,
    refuse_unless_text,
    score_in,
    shortened,
    too_long,
)
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.reading.white_space import BLOCK, after_marks, evened, has_blanks, is_regular, stripped
from evalcore.vocabulary.sentences import digits

RUN = ("topic", "Q0", "document", "rank", "score", "tag")
MSMARCO = ("topic", "document", "rank")
QRELS = ("topic", "iteration", "document", "grade")
SHORT_QRELS = ("topic", "document", "grade")

LONGEST_LINE = 64 << 10
FEW_TAGS = 20  # more are no names of runs
MOST_GRADES = 12  # more different numbers are no grades
MANY = 100_000  # lines
INTEGER = re.compile(rb"[+-]?\d+")
DECIMAL_COMMA = re.compile(rb"[+-]?\d+,\d+([eE][+-]?\d+)?")
FIRST_DATA, COMMENT = re.compile(rb"(?m)^[^\S\n]*[^\s#]"), re.compile(rb"(?m)^[^\S\n]*#")
NUMERIC = {"rank": pa.int32(), "score": pa.float64()}

HEADER_TOPIC = {"query-id", "query_id", "queryid", "qid", "query", "topic", "topic-id", "topic_id", "topicid"}
HEADER_RUN = {"tag", "run", "run_id", "runid", "run_name", "system", "rank", "score"}
HEADER_GRADE = {"score", "grade", "relevance", "rel", "relevancy", "label", "judgment", "judgement"}


@dataclass(frozen=True)
class Rows:
    """The L data lines of a file, in its order.

    query : int32 (L,), codes into `queries` (bytes), which are in order of first appearance
    documents : Arrow binary array (L,)
    values : float64 (L,) scores of a run, or int32 (L,) grades of a qrels
    ranks : int32 (L,), or None where there is no rank column or it cannot be read
    tags : the run tags in the file (bytes), in order of first appearance
    lines : int32 (L,), the number of each line in the file; None in JSON, which has no lines
    """

    query: np.ndarray
    queries: list
    documents: pa.Array
    values: np.ndarray
    ranks: np.ndarray | None
    tags: list
    lines: np.ndarray | range | None


class _Reader:
    """One file on its way to columns, and what was found wrong with it.

    start, skipped : where the data lines begin in `data`, and how many lines come before
    """

    def __init__(self, name, data, role):
        self.name, self.data, self.role = name, data, role
        self.start = self.skipped = 0
        self.problems, self.findings = [], []

    @property
    def first(self):
        """The first data line."""
        end = self.data.find(b"\n", self.start)
        return self.data[self.start : end if end >= 0 else None]

    def problem(self, message, line=None, examples=(), seems="", columns=None, reason=""):
        problem = Problem.at(self.name, line, message, examples, seems, reason)
        self.problems.append(replace(problem, columns=columns))

    def refuse(self, message, line=None, examples=(), reason=""):
        """A problem after which there is nothing more to read."""
        self.problem(message, line, examples, reason=reason)
        raise InputError(self.problems)

    def note(self, check, count, message, severity="note"):
        self.findings.append(Finding(severity, check, "", "", count, f"{self.name}{message}"))


def read(name, data, role):
    """The lines of a run or qrels as columns. -> (Rows, findings); InputError with every problem of the file."""
    reader = _Reader(name, data, role)
    rows = _read(reader)
    if reader.problems:
        raise InputError(reader.problems)
    return rows, reader.findings


def _read(reader):
    refuse_unless_text(reader.name, reader.data, reader.role)
    reader.data = reader.data.removeprefix(b"\xef\xbb\xbf")
    if re.match(rb"\s*\{\s*[\"}]", reader.data[:4096]):
        columns, values = json_files.columns_of(reader)
        return _rows(columns, None, values)
    if b"\r" in reader.data:
        reader.note("line ends", 1, ": its lines end as on Windows or an old Mac (CR) and are read normally.")
        reader.data = reader.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    _pass_leading(reader)
    if not reader.first.strip():
        reader.refuse(f" contains no line of data; {WANTED[reader.role]}.")
    if len(reader.first) > LONGEST_LINE:
        reader.refuse(too_long(reader.first, LONGEST_LINE, reader.role), reader.skipped + 1, [shortened(reader.first)])
    return _read_run(reader) if reader.role == "run" else _read_qrels(reader)


def _pass_leading(reader):
    """Moves the start past blank lines and lines that start with #."""
    match = FIRST_DATA.search(reader.data)
    reader.start = after_marks(reader.data, match.start()) if match else len(reader.data)
    reader.skipped = reader.data.count(b"\n", 0, reader.start)
    comments = sum(1 for _ in COMMENT.finditer(reader.data, 0, reader.start))
    if comments:
        lines_were = digits(comments, "leading # line was", "leading # lines were")
        reader.note("comment lines", comments, f": {lines_were} skipped.")


def _pass_header(reader, last):
    """Moves the start past a line that names the columns: a topic first, and as the last word one of these."""
    words = [shortened(word).lower() for word in reader.first.split()]
    if len(words) > 2 and words[0] in HEADER_TOPIC and words[-1] in last:
        reader.note("header", 1, f": its first line names the columns ({' '.join(words)}) and was skipped.")
        _pass_line(reader)
        if not reader.data[reader.start :].strip():
            lacks = "line of a run" if reader.role == "run" else "judgment"
            reader.refuse(f" contains a header but no {lacks}; {WANTED[reader.role]}.")


def _pass_line(reader):
    reader.start, reader.skipped = reader.start + len(reader.first) + 1, reader.skipped + 1
    reader.start = after_marks(reader.data, reader.start)


# Runs and qrels in lines


def _read_run(reader):
    _pass_header(reader, HEADER_RUN)
    if len(columns_of(reader.first, reader.role)) == len(MSMARCO):
        columns, lines = _columns(reader, MSMARCO, ("rank",))
        ranks = _needed(reader, "rank", columns["rank"], lines, _int32).astype(np.int32, copy=False)
        # only their order counts: the best rank gets the highest score
        return _rows(columns, lines, -ranks.astype(np.float64), ranks)
    columns, lines = _columns(reader, RUN, ("rank", "score"))
    scores = _needed(reader, "score", columns["score"], lines, _score)
    ranks, bad = _numbers(columns["rank"], _int32)
    _note_two_in_one(reader, columns["topic"].indices.to_numpy(), columns["tag"], None if len(bad) else ranks)
    if len(bad):
        message = ": the rank column does not contain whole numbers, so it was ignored and scores give the order."
        if exchanged := _counts_up(columns["topic"].indices.to_numpy(), scores):
            message += " Scores count up from line to line: check whether the rank and score columns are swapped."
        reader.note("ranks not read", len(lines), message, "warning" if exchanged else "note")
    return _rows(columns, lines, scores, None if len(bad) else ranks.astype(np.int32, copy=False))


def _note_two_in_one(reader, query, tag, ranks):
    """Two runs in one file: lines of several tags, or every rank twice, in one topic. query : (L,)"""
    tags, topics = tag.dictionary.to_pylist(), int(query.max()) + 1
    if 1 < len(tags) <= FEW_TAGS:
        pairs = np.unique(query.astype(np.int64) * len(tags) + tag.indices.to_numpy())
        both = int(np.count_nonzero(np.bincount(pairs // len(tags), minlength=topics) > 1))
        what = f"lines of several tags ({few_of([one.decode('utf-8', 'replace') for one in tags])})"
    else:
        first = ranks is not None and ranks[query == query[0]]
        if ranks is None or not 2 < len(first) == 2 * len(np.unique(first)):  # most files are out of question at once
            return
        _, count = np.unique(query * 2.0**32 + ranks, return_counts=True)
        both, what = (topics if np.median(count) == 2 else 0), "every rank twice"
    if both:
        message = (
            f": {both} of {digits(topics, 'topic')} {'has' if both == 1 else 'have'} {what}. It looks like two runs in "
            "one file, which are read as a single ranking: give each run its own file."
        )
        reader.note("two runs in one file", both, message, "warning")


def _counts_up(query, scores):
    """Whether the scores of every query rise by one from line to line."""
    same = query[1:] == query[:-1]
    return bool(same.any() and np.all(np.diff(scores)[same] == 1))


def _read_qrels(reader):
    _pass_header(reader, HEADER_GRADE)
    columns, lines = _columns(reader, SHORT_QRELS if len(columns_of(reader.first, reader.role)) == 3 else QRELS)
    grades = _needed(reader, "grade", columns["grade"], lines, _int32)
    if len(columns_of(reader.first, reader.role)) == len(QRELS) and np.all(grades == grades[0]):
        _note_grades_before_documents(reader, int(grades[0]), len(grades))
    return _rows(columns, lines, grades.astype(np.int32))


def _note_grades_before_documents(reader, grade, count):
    """An error where the grade and iteration columns look swapped, because all lines have the same grade."""
    lines = islice(io.BytesIO(reader.data[reader.start :]), MANY)
    before = {words[1] for line in lines if len(words := line.split()) > 1}
    if 1 < len(before) <= MOST_GRADES and all(INTEGER.fullmatch(word) for word in before):
        message = (
            f": the grade of all {count:,} lines is {grade}, but the iteration column contains "
            f"{', '.join(sorted(word.decode() for word in before))}. The two columns look swapped. Correct them: until "
            "then, all documents have the same grade."
        )
        reader.note("columns exchanged", count, message, "error")


def _rows(columns, lines, values, ranks=None):
    topic = columns["topic"]
    tags = columns["tag"].dictionary.to_pylist() if "tag" in columns else []
    return Rows(topic.indices.to_numpy(), topic.dictionary.to_pylist(), columns["document"], values, ranks, tags, lines)


def _columns(reader, names, numeric=()):
    """The lines by column, and their line numbers. -> (name -> column, lines)

    A column is a NumPy array where it is numeric and Arrow can read it, else an Arrow array, of documents plain, of
    everything that repeats with a dictionary in order of first appearance.
    """
    body = reader.data[reader.start :]
    if is_regular(body, len(names)):
        columns = _parsed(body, b"\t" if b"\t" in reader.first else b" ", names, numeric)
        if columns is not None and _longest(columns) < LONGEST_LINE // 8:
            return columns, range(reader.skipped + 1, reader.skipped + 1 + len(columns["document"]))
    even = evened(body)
    if is_regular(even, len(names)):
        columns = _parsed(even, b" ", names, numeric)
        if columns is not None and _longest(columns) < LONGEST_LINE // 8:
            return columns, range(reader.skipped + 1, reader.skipped + 1 + len(columns["document"]))
    del even
    if reader.first.count(b"\t") == len(names) - 1 and has_blanks(body) and b"\n\n" not in body.rstrip(b"\n") + b"\n":
        columns = _between_tabs(body, names, numeric)
        if columns is not None:
            return columns, range(reader.skipped + 1, reader.skipped + 1 + len(columns["document"]))
    body, lines = _regularised(reader, body, names)
    tries = (_parsed(body, b" ", names, numeric[left_out:]) for left_out in range(len(numeric) + 1))
    return next(columns for columns in tries if columns is not None), lines


def _between_tabs(body, names, numeric):
    """The columns where tabs stand between them, so that names may hold blanks; None where a cell is empty."""
    tries = (_parsed(body, b"\t", names, numeric[left_out:]) for left_out in range(len(numeric) + 1))
    columns = next((columns for columns in tries if columns is not None), None)
    if columns is None or _longest(columns) >= LONGEST_LINE // 8:
        return None
    tidied = {}
    for name, column in columns.items():
        if isinstance(column, pa.DictionaryArray):
            column = stripped(column.dictionary.take(column.indices)).dictionary_encode()
        elif isinstance(column, pa.Array):
            column = stripped(column)
        tidied[name] = column
    shortest = min(pc.min(pc.binary_length(texts)).as_py() for texts in _texts(tidied))
    return tidied if shortest else None


def _longest(columns):
    """How many bytes the longest name in these columns has."""
    return max(pc.max(pc.binary_length(texts)).as_py() for texts in _texts(columns))


def _texts(columns):
    """The names in these columns, each once where it repeats."""
    texts = [column for column in columns.values() if isinstance(column, pa.Array)]
    return [text.dictionary if isinstance(text, pa.DictionaryArray) else text for text in texts]


def _parsed(body, delimiter, names, numeric):
    """The columns, those that are numeric as numbers; None where the file is not so regular."""
    types = {name: pa.dictionary(pa.int32(), pa.binary()) for name in names if name not in ("Q0", "iteration")}
    types["document"] = pa.binary() if len(body) < 2**31 else pa.large_binary()
    types |= {name: NUMERIC[name] for name in numeric}
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(body),
            pa.csv.ReadOptions(use_threads=len(body) > 16 * BLOCK, block_size=BLOCK, column_names=names),
            pa.csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False),
            pa.csv.ConvertOptions(
                check_utf8=False, column_types=types, include_columns=list(types), null_values=[],
                strings_can_be_null=False,
            ),
        )  # fmt: skip
    except pa.ArrowInvalid:
        return None
    columns = {}
    for name in types:
        columns[name] = _column(table.column(name))
        table = table.drop_columns(name)  # lets go of its memory
    return columns


def _column(chunked):
    if pa.types.is_primitive(chunked.type):
        return chunked.to_numpy()
    return chunked.unify_dictionaries().combine_chunks()


def _regularised(reader, body, names):
    """The lines with one blank between columns and extra columns dropped; lines with too few are problems.

    -> (bytes, int32 line numbers of the lines that are left)
    """
    regular, lines, bad, extra = io.BytesIO(), array("i"), [], []
    for number, line in enumerate(io.BytesIO(body), reader.skipped + 1):
        line, words = line.rstrip(b"\n"), line.split()
        if len(line) > LONGEST_LINE:
            if len(reader.problems) < 3:
                reader.problem(too_long(line, LONGEST_LINE, reader.role), number, [shortened(line)])
        elif words and (len(words) < len(names) or (len(words) > len(names) and names != RUN)):
            bad.append((number, line))
            if len(bad) == MOST_BAD:
                break
        elif words:
            regular.write(b" ".join(words[: len(names)]) + b"\n")
            lines.append(number)
            if len(words) > len(names):
                extra.append(number)
                refuse_other_ends(reader.name, number, line)
    _report_columns(reader, bad, extra, names)
    if not lines:
        raise InputError(reader.problems)
    return regular.getvalue(), np.array(lines, np.int32)


def _report_columns(reader, bad, extra, names):
    if bad:
        number, line = bad[0]
        count, role = len(line.split()), reader.role
        seems, hint = FITS.get((role, count), ("", ""))
        if len(bad) == 1 and not seems and reader.data.endswith(line):
            hint = " The file ends here and may be cut off: copy it again."
        columns = f"{digits(count, 'column')} where a {role} has {len(names)} ({' '.join(names)})"
        message, texts = f": {columns}.{also(len(bad))}", [shortened(text) for _, text in bad[:3]]
        reader.problem(f"{message}{hint}", number, texts, seems, reason=f"Line {number}{message}")
    if extra:
        lines_have = digits(len(extra), "line has", "lines have")
        message = f": {lines_have} more than 6 columns (e.g. line {extra[0]}); the rest was ignored."
        reader.note("extra columns", len(extra), message)


# Numbers


def _score(text):
    return float(text) if NUMBER.fullmatch(text) else np.nan


def _int32(text):
    value = float(text) if INTEGER.fullmatch(text) else np.nan
    return value if -(2**31) <= value < 2**31 else np.nan


def _numbers(column, number):
    """A column as numbers, its texts read by `number`, and the rows that hold none."""
    if not isinstance(column, np.ndarray):
        values = np.array([number(text) for text in column.dictionary.to_pylist()])
        column = values[column.indices.to_numpy()]
    return column, np.flatnonzero(~np.isfinite(column))


def _needed(reader, name, column, lines, number):
    """A column as numbers; a problem where one is none."""
    values, rows = _numbers(column, number)
    if len(rows):
        _refuse_number(reader, name, rows, lines)
    return values


def _refuse_number(reader, name, rows, lines):
    numbers = [int(lines[row]) for row in rows[:3]]
    bad = [reader.data.split(b"\n", number)[number - 1] for number in numbers]
    text = score_in(bad[0], len(RUN)) if name == "score" else bad[0].split()[-1]
    needed = "a number"
    if name != "score":
        needed = "a whole number"
    elif NUMBER.fullmatch(text) or re.fullmatch(rb"[+-]?(nan|inf|infinity)", text, re.IGNORECASE):
        needed = "a finite number"
    message = f': the {name} is "{shortened(text, 40)}", but must be {needed}.{also(len(rows))}'
    if name == "score" and DECIMAL_COMMA.fullmatch(text):
        reader.problem(message, numbers[0], [shortened(line) for line in bad], columns={"score": 5})
        raise InputError(reader.problems)
    reader.refuse(message, numbers[0], [shortened(line) for line in bad])
