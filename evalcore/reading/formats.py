"""What one file says: the lines of a run or of a qrels as columns, whatever the format.

Three steps, each only where the one before it does not do: Arrow's CSV reader on the bytes as they are; the same after
the white space was made regular; and a look at the numbers that Arrow refuses, one by one, to say which and why.
"""

import json
import re
import sys
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evalcore.reading.files import Finding, Problem

RUN = ("topic", "Q0", "document", "rank", "score", "tag")
MSMARCO = ("topic", "document", "rank")
QRELS = ("topic", "iteration", "document", "grade")
SHORT_QRELS = ("topic", "document", "grade")

LONGEST_LINE = 64 << 10
BLOCK = 512 << 10  # bytes that Arrow parses at a time; fits the processor's cache
REGULARISED = 16 << 20  # bytes whose white space is made regular at a time; bounds the memory for it
BLANK = b" \t\v\f"
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
INTEGER = re.compile(rb"[+-]?\d+")
INT32 = range(-(2**31), 2**31)

HEADER_TOPIC = {"query-id", "query_id", "queryid", "qid", "query", "topic", "topic-id", "topic_id", "topicid"}
HEADER_GRADE = {"score", "grade", "relevance", "rel", "relevancy", "label", "judgment", "judgement"}

KINDS = (  # how files that are no text begin
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive inside an archive"),
    (b"\x1f\x8b", "a gz file inside a gz file"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"(\xb5/\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"PAR1", "a Parquet file"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)
NOT_TEXT = "not text (it holds zero bytes)"
WANTED = {
    "run": "a run has lines of 6 columns (topic Q0 document rank score tag)",
    "qrels": "a qrels has lines of 4 columns (topic iteration document grade)",
    "systems": "a table of systems is text with tabs or commas (run, group, pooled, type)",
    "queries": "a table of queries is text with tabs or commas (query, topic)",
}


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

    format: str
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
        return self.data[self.start : _line_end(self.data, self.start)]

    def problem(self, message, line=None, examples=()):
        where = self.name if line is None else f"{self.name}, line {line}"
        self.problems.append(Problem(self.name, line, where + message, tuple(examples)))

    def note(self, severity, check, count, message):
        self.findings.append(Finding(severity, check, "", "", count, f"{self.name}{message}"))


def read(name, data, role):
    """The lines of a run or qrels as columns. -> (Rows or None, problems, findings); None where there are problems."""
    reader = _Reader(name, data, role)
    rows = _read(reader)
    return (None if reader.problems else rows), reader.problems, reader.findings


def text_problem(name, data, role):
    """Why these bytes cannot be the text of such a file, or None."""
    kind = next((kind for magic, kind in KINDS if data.startswith(magic)), None)
    if kind is None and data[257:262] == b"ustar":
        kind = "a tar archive"
    if kind is None and b"\0" in data[:BLOCK]:
        kind = NOT_TEXT
    if kind is not None:
        return Problem(name, None, f"{name} is {kind}; {WANTED[role]}.")
    if not data[:BLOCK].strip() and not data.strip():
        return Problem(name, None, f"{name} is empty; {WANTED[role]}.")
    return None


def shortened(line, most=80):
    """A line of a file as printable text, cut to `most` characters."""
    text = line[: 4 * most].decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else " " if c == "\t" else ascii(c)[1:-1] for c in text)
    return text if len(text) <= most and len(line) <= 4 * most else text[:most] + "..."


def _read(reader):
    problem = text_problem(reader.name, reader.data, reader.role)
    if problem is not None:
        reader.problems.append(problem)
        return None
    reader.data = reader.data.removeprefix(b"\xef\xbb\xbf")
    if re.match(rb"\s*\{\s*[\"}]", reader.data[:4096]):
        return _read_json(reader)
    if b"\r" in reader.data[:BLOCK]:
        reader.data = _with_newlines(reader.data)
    _pass_leading(reader)
    if not reader.first.strip():
        reader.problem(f" holds no data line; {WANTED[reader.role]}.")
        return None
    if len(reader.first) > LONGEST_LINE:
        _too_long(reader, reader.skipped + 1, reader.first)
        return None
    return _read_run(reader) if reader.role == "run" else _read_qrels(reader)


def _with_newlines(data):
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _line_end(data, start):
    end = data.find(b"\n", start)
    return len(data) if end < 0 else end


def _pass_leading(reader):
    """Moves the start past blank lines and lines that start with #."""
    comments = 0
    while reader.start < len(reader.data):
        line = reader.first.strip()
        if line and not line.startswith(b"#"):
            break
        comments += bool(line)
        reader.start, reader.skipped = _line_end(reader.data, reader.start) + 1, reader.skipped + 1
    if comments:
        lines_are = "1 leading line that starts with # was" if comments == 1 else f"{comments} leading # lines were"
        reader.note("note", "comment lines", comments, f": {lines_are} passed over.")


# Runs and qrels in lines


def _read_run(reader):
    if len(reader.first.split()) == 3:
        columns, lines = _columns(reader, MSMARCO, {"rank": pa.int32()})
        ranks = columns and _integers(reader, columns["rank"], "rank", lines)
        # only their order counts: the best rank gets the highest score
        values = None if ranks is None else -ranks.astype(np.float64)
        return _rows("MS MARCO run", columns, lines, values, ranks)
    columns, lines = _columns(reader, RUN, {"rank": pa.int32(), "score": pa.float64()})
    values = columns and _scores(reader, columns["score"], lines)
    return _rows("TREC run", columns, lines, values, columns and _whole(columns["rank"]))


def _read_qrels(reader):
    words = [shortened(word).lower() for word in reader.first.split()]
    if len(words) in (3, 4) and words[0] in HEADER_TOPIC and words[-1] in HEADER_GRADE:
        reader.start, reader.skipped = reader.start + len(reader.first) + 1, reader.skipped + 1
        if not reader.data[reader.start :].strip():
            reader.problem(f" holds a header and no judgment; {WANTED[reader.role]}.")
            return None
    columns, lines = _columns(reader, SHORT_QRELS if len(words) == 3 else QRELS, {})
    values = columns and _integers(reader, columns["grade"], "grade", lines)
    return _rows("qrels", columns, lines, values, None)


def _rows(kind, columns, lines, values, ranks):
    if columns is None or values is None:
        return None
    topic = columns["topic"]
    tags = columns["tag"].names if "tag" in columns else []
    return Rows(kind, topic.codes, topic.names, columns["document"], values, ranks, tags, lines)


@dataclass(frozen=True)
class _Encoded:
    """A column of text with few values: int32 codes into its names, which are in order of first appearance."""

    codes: np.ndarray
    names: list


def _columns(reader, names, types):
    """The lines by column, and their line numbers. -> (name -> column, or None; lines)

    A column is a NumPy array where `types` says a number, an Arrow array (documents), or `_Encoded`.
    """
    body = reader.data[reader.start :] if reader.start else reader.data
    if _is_regular(body, len(names)):
        columns = _parsed(body, b"\t" if b"\t" in reader.first else b" ", names, types)
        if columns is not None and _longest(columns) < LONGEST_LINE // 8:
            return columns, range(reader.skipped + 1, reader.skipped + 1 + len(columns["document"]))
    if b"\0" in body:
        reader.problem(f" is {NOT_TEXT}; {WANTED[reader.role]}.")
        return None, None
    if b"\r" in body:
        body = _with_newlines(body)
        reader.data = reader.data[: reader.start] + body
    body, lines = _regularised(reader, body, names)
    if not body:
        return None, lines
    for numbers in (types, *({name: types[name]} for name in reversed(types)), {}):
        columns = _parsed(body, b" ", names, numbers)
        if columns is not None:
            break
    return columns, lines


def _is_regular(body, columns):
    """Whether there is one blank between columns and one newline between lines, as far as counting them can tell.

    Where a reader then finds the same number of columns on every line, there is no other blank or control character.
    """
    text = np.frombuffer(body, np.uint8)
    gaps = newlines = 0
    for start in range(0, len(text), BLOCK):
        block = text[start : start + BLOCK + 1]  # one byte of the next block, for a pair across the border
        gap = block <= ord(" ")
        if np.any(gap[1:] & gap[:-1]):
            return False
        gaps += np.count_nonzero(gap[:BLOCK])
        newlines += np.count_nonzero(block[:BLOCK] == ord("\n"))
    rest = 0 if body.endswith(b"\n") else columns - 1
    return text[0] > ord(" ") and gaps == columns * newlines + rest


def _longest(columns):
    """How many bytes the longest name in these columns has."""
    lengths = [len(name) for column in columns.values() if isinstance(column, _Encoded) for name in column.names]
    return max(*lengths, pc.max(pc.binary_length(columns["document"])).as_py())


def _parsed(body, delimiter, names, types):
    """The columns, as numbers where `types` says so and as text elsewhere; None where the file is not so regular."""
    needed = [name for name in names if name not in ("Q0", "iteration")]
    text = {name: pa.dictionary(pa.int32(), pa.binary()) for name in names}
    text["document"] = pa.binary() if len(body) < 2**31 else pa.large_binary()
    if "score" in names and "score" not in types:
        text["score"] = pa.binary()
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(body),
            pa.csv.ReadOptions(use_threads=len(body) > 16 * BLOCK, block_size=BLOCK, column_names=names),
            pa.csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False),
            pa.csv.ConvertOptions(
                check_utf8=False,
                column_types=text | types,
                include_columns=needed,
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    columns = {}
    for name in needed:
        columns[name] = _column(table.column(name))
        table = table.drop_columns(name)  # lets go of its memory
    return columns


def _column(column):
    if pa.types.is_dictionary(column.type):
        chunks = column.unify_dictionaries().chunks
        return _Encoded(np.concatenate([chunk.indices for chunk in chunks]), chunks[0].dictionary.to_pylist())
    if pa.types.is_primitive(column.type):
        return column.to_numpy()
    joined = column.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):  # more than 2 GiB of names
        joined = column.cast(pa.large_binary()).combine_chunks()
    return joined


def _regularised(reader, body, names):
    """The lines with one blank between columns and extra columns dropped; lines with too few are problems.

    -> (bytes, int32 line numbers of the lines that are left)
    """
    parts, numbers, bad, extra, start, line = [], [], [], [], 0, reader.skipped
    while start < len(body):
        end = len(body) if start + REGULARISED >= len(body) else body.rfind(b"\n", start, start + REGULARISED) + 1
        if end <= start:  # no line end in the whole block
            end = (body.find(b"\n", start) + 1) or len(body)
        block = body[start:end]
        block = block if block.endswith(b"\n") else block + b"\n"
        text, kept, few, more, count = _regular_block(reader, block, names, line)
        parts.append(text)
        numbers.append(kept)
        bad += few
        extra += more
        start, line = end, line + count
    _report_columns(reader, bad, extra, names)
    return b"".join(parts), np.concatenate(numbers).astype(np.int32)


def _regular_block(reader, block, names, line):
    """One block, made regular.

    -> (bytes, line numbers, lines with the wrong number of columns, lines with more than needed, how many lines)
    """
    text = np.frombuffer(block, np.uint8)
    newline = text == ord("\n")
    gap = newline.copy()
    for blank in BLANK:
        gap |= text == blank
    begins, ends = np.flatnonzero(np.diff(gap, prepend=True)).reshape(-1, 2).T
    line_ends = np.flatnonzero(newline)
    row = np.searchsorted(line_ends, begins)
    counts = np.bincount(row, minlength=len(line_ends))
    place = np.arange(len(begins)) - (np.cumsum(counts) - counts)[row]
    lengths = np.diff(line_ends, prepend=-1) - 1
    exact = names in (MSMARCO, QRELS, SHORT_QRELS)
    wrong = (counts > 0) & ((counts != len(names)) if exact else (counts < len(names)))
    long = lengths > LONGEST_LINE
    good = (counts > 0) & ~wrong & ~long

    def excerpt(r):
        return block[line_ends[r] - lengths[r] : line_ends[r]][:LONGEST_LINE]

    for r in np.flatnonzero(long)[:3]:
        _too_long(reader, line + int(r) + 1, excerpt(r), int(lengths[r]))
    few = [(line + int(r) + 1, int(counts[r]), shortened(excerpt(r))) for r in np.flatnonzero(wrong & ~long)]
    more = [line + int(r) + 1 for r in np.flatnonzero(good & (counts > len(names)))]
    kept = good[row] & (place < len(names))
    out = text.copy()
    out[ends[kept]] = np.where(place[kept] == len(names) - 1, ord("\n"), ord(" ")).astype(np.uint8)
    step = np.zeros(len(text) + 1, np.int8)
    step[begins[kept]] += 1
    step[ends[kept] + 1] -= 1
    mask = np.cumsum(step[:-1], dtype=np.int8).view(bool)
    return out[mask].tobytes(), np.flatnonzero(good) + line + 1, few, more, len(line_ends)


def _report_columns(reader, bad, extra, names):
    if bad:
        line, count, _ = bad[0]
        columns = "1 column" if count == 1 else f"{count} columns"
        message = f": {columns} where a {reader.role} has {len(names)} ({' '.join(names)}).{also(len(bad))}"
        hint = {("run", 4): " Is it a qrels file?", ("qrels", 6): " Is it a run?"}.get((reader.role, count), "")
        reader.problem(message + hint, line, [text for _, _, text in bad[:3]])
    if extra:
        lines_have = "1 line has" if len(extra) == 1 else f"{len(extra):,} lines have"
        message = f": {lines_have} more than 6 columns (e.g. line {extra[0]}); the rest was ignored."
        reader.note("note", "extra columns", len(extra), message)


def also(count):
    """The end of a message about the first of `count` bad lines."""
    return "" if count == 1 else f" {count - 1:,} more {'line is' if count == 2 else 'lines are'} like it."


def _too_long(reader, line, excerpt, length=None):
    length = len(excerpt) if length is None else length
    message = f": a line of {length:,} bytes, where {LONGEST_LINE:,} are the most; {WANTED[reader.role]}."
    reader.problem(message, line, [shortened(excerpt)])


# Numbers


def _scores(reader, column, lines):
    if isinstance(column, np.ndarray):
        values, texts = column, None
    else:
        texts = column.to_pylist()
        values = np.array([float(text) if NUMBER.fullmatch(text) else np.nan for text in texts])
    rows = np.flatnonzero(~np.isfinite(values))
    if not len(rows):
        return values
    first = int(rows[0])
    text = texts[first] if texts else _line(reader.data, int(lines[first])).split()[RUN.index("score")]
    _bad_number(reader, "score", text, rows, lines)
    return None


def _integers(reader, column, name, lines):
    """A column of whole numbers, int32; None and a problem where one is not."""
    values = _whole(column)
    if values is None:
        bad = np.array([not _is_whole(text) for text in column.names])
        rows = np.flatnonzero(bad[column.codes])
        _bad_number(reader, name, column.names[column.codes[rows[0]]], rows, lines)
    return values


def _whole(column):
    """A column as int32, or None where it holds anything else."""
    if isinstance(column, np.ndarray):
        return column
    if not all(map(_is_whole, column.names)):
        return None
    return np.array([int(text) for text in column.names], np.int32)[column.codes]


def _is_whole(text):
    return bool(INTEGER.fullmatch(text)) and len(text) < 20 and int(text) in INT32


def _bad_number(reader, name, text, rows, lines):
    line = int(lines[rows[0]])
    needed = "a number"
    if name != "score":
        needed = "a whole number"
    elif NUMBER.fullmatch(text) or re.fullmatch(rb"[+-]?(nan|inf|infinity)", text, re.IGNORECASE):
        needed = "a finite number"
    message = f': the {name} "{shortened(text, 40)}" where {needed} is needed.{also(len(rows))}'
    reader.problem(message, line, [shortened(_line(reader.data, int(lines[row]))) for row in rows[:3]])


def _line(data, number):
    """The text of a line by its number, from 1."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    start = 0 if number == 1 else int(ends[number - 2]) + 1
    return data[start : int(ends[number - 1]) if number <= len(ends) else len(data)]


# JSON


def _read_json(reader):
    """{query: {document: score or grade}}; the order in the file is kept and a repeated key is not lost."""
    wanted = '{"query": {"document": %s}}' % ("score" if reader.role == "run" else "grade")
    try:
        queries = json.loads(reader.data.decode("utf-8", "backslashreplace"), object_pairs_hook=list)
    except json.JSONDecodeError as error:
        reader.problem(f": this is not JSON ({error.msg}); {wanted} is needed.", error.lineno)
        return None
    except (RecursionError, ValueError):
        reader.problem(f": this JSON is not of the form {wanted}.")
        return None
    for query, documents in queries:
        if not _is_object(documents):
            reader.problem(f": this JSON is not of the form {wanted}: query {_quoted(query)} holds {_kind(documents)}.")
            return None
    names = list(dict.fromkeys(query for query, documents in queries if documents))
    code = {query: number for number, query in enumerate(names)}
    cells = [(code[query], document, value) for query, documents in queries for document, value in documents]
    if not cells:
        reader.problem(f" holds no {'judgment' if reader.role == 'qrels' else 'document'}; {wanted} is needed.")
        return None
    values = _json_values(reader, [value for _, _, value in cells], cells, names)
    if values is None:
        return None
    documents = pa.array([_bytes(document) for _, document, _ in cells], pa.binary())
    query = np.array([number for number, _, _ in cells], np.int32)
    kind = "JSON run" if reader.role == "run" else "qrels"
    return Rows(kind, query, [_bytes(name) for name in names], documents, values, None, [], None)


def _json_values(reader, values, cells, names):
    role = "score" if reader.role == "run" else "grade"
    bad = [row for row, value in enumerate(values) if not _json_number(value, role)]
    if not bad:
        return np.array(values, np.float64 if role == "score" else np.int32)
    number, document, value = cells[bad[0]]
    needed = "a finite number" if role == "score" else "a whole number"
    message = (
        f": query {_quoted(names[number])}, document {_quoted(document)}: the {role} {_kind(value)} "
        f"where {needed} is needed.{also(len(bad)).replace('line', 'value')}"
    )
    examples = [f"{cells[row][1]}: {_kind(values[row])}" for row in bad[:3]]
    reader.problem(message, None, [shortened(_bytes(text)) for text in examples])
    return None


def _json_number(value, role):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if role == "score":
        return abs(value) <= sys.float_info.max
    return value == value and abs(value) < 2**31 and value == int(value)


def _is_object(value):
    return isinstance(value, list) and all(isinstance(pair, tuple) for pair in value)


def _kind(value):
    if isinstance(value, list):
        return "an object" if value and _is_object(value) else "a list"
    return shortened(_bytes(json.dumps(value)), 40)


def _bytes(text):
    return text.encode("utf-8", "surrogatepass")


def _quoted(text):
    return f'"{shortened(_bytes(text), 40)}"'
