"""The lines of one run or qrels file as columns, whatever the format.

Three steps, each only where the one before it does not do: Arrow's CSV reader on the bytes as they are; the same after
the white space was made regular; and a look at the numbers that Arrow refuses, one by one, to say which and why.
`layouts` has the columns that lines without a header may have.
"""

import io
import re
from array import array
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evalcore.reading import error_text, fields, json_files, layouts, white_space
from evalcore.reading.error_text import WANTED, also, columns_of, few_of, shortened
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.reading.layouts import HEAD, LINES, MARK, MOST_GRADES, MOSTLY, mostly
from evalcore.reading.rows import Rows, finite, whole_if_so
from evalcore.vocabulary.sentences import digits

LONGEST_LINE = 64 << 10
PARSED = 4 << 20  # bytes at a time: most files at once, so that no columns of several blocks are joined
MANY = 100_000  # lines
QUOTED = re.compile(rb'(?m)^(?:[^"\n]*[ \t])?"[^"\n]*"(?:[ \t]|$)')  # a line with a cell between quotes
DECIMAL_COMMA = re.compile(rb"[+-]?\d+,\d+([eE][+-]?\d+)?")
COMMENT = re.compile(rb"(?m)^[^\S\n]*#")
WHOLE_COMMENT = re.compile(rb"(?m)^[^\S\n]*#[^\n]*(?:\n|\Z)")
BLANKS = " If names contain blanks, separate the columns by tabs."
FITS = {  # what lines of so many columns, loaded as the one, may be: the other, and a hint
    ("run", 4): ("qrels", " It looks like a qrels file."),
    ("qrels", 6): ("run", " It looks like a run."),
}
NUMERIC = {"rank": pa.int32(), "score": pa.float64(), "value": pa.float64()}
UNREAD = {"Q0", "index"}  # columns
SHAPES = {"rank": fields.INTEGER, "stratum": fields.STRATUM}  # of the cells of columns that are not any number


class _Reader:
    """One file on its way to columns, and what was found wrong with it.

    start, skipped : where the data lines begin in `data`, and how many lines come before
    removed : int (n,), the comment lines that are no longer in `data`, by the number of lines of data before each
    """

    def __init__(self, name, data, role):
        self.name, self.data, self.role = name, data, role
        self.start = self.skipped = 0
        self.removed = np.empty(0, int)
        self.layout = ()
        self.problems, self.findings = [], []

    @property
    def first(self):
        """The first data line."""
        end = self.data.find(b"\n", self.start)
        return self.data[self.start : end if end >= 0 else None]

    def in_file(self, line):
        """The numbers that lines of `data` have in the file."""
        if line is None or not len(self.removed):
            return line
        numbers = np.asarray(line) + np.searchsorted(self.removed, line)
        return int(numbers) if numbers.ndim == 0 else numbers.astype(np.int32)

    def problem(self, message, line=None, examples=(), seems="", columns=None, reason=""):
        problem = Problem.at(self.name, self.in_file(line), message, examples, seems, reason)
        self.problems.append(replace(problem, columns=columns))

    def refuse(self, message, line=None, examples=(), reason="", seems=""):
        """A problem after which there is nothing more to read."""
        self.problem(message, line, examples, seems, reason=reason)
        raise InputError(self.problems)

    def note(self, check, count, message, severity="note"):
        self.findings.append(Finding(severity, check, "", "", count, f"{self.name}{message}"))


def read(name: str, data: bytes, role: str) -> tuple[Rows, list[Finding]]:
    """The lines of a run or qrels as columns. -> (Rows, findings); InputError with every problem of the file."""
    reader = _Reader(name, data, role)
    rows = _read(reader)
    if reader.problems:
        raise InputError(reader.problems)
    return rows, reader.findings


def _read(reader):
    error_text.refuse_unless_text(reader.name, reader.data, reader.role)
    reader.data = reader.data.removeprefix(MARK)
    if json_files.is_json(reader.data):
        columns, values = json_files.columns_of(reader)
        read_as = finite if reader.role == "run" else whole_if_so
        rows = _rows(reader, columns, None, read_as(reader.name, values, reader.findings), columns.get("rank"))
        return replace(rows, systems=columns.get("system"))
    if b"\r" in reader.data:
        reader.note("line ends", 1, ": its lines end as on Windows or an old Mac (CR) and are read normally.")
        reader.data = reader.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not reader.data.isascii():
        _remove_marks(reader)
        _replace_unicode_blanks(reader)
    _pass_leading(reader)
    if not reader.first.strip():
        reader.refuse(f" contains no line of data; {WANTED[reader.role]}.", reason="It contains no line of data.")
    if len(reader.first) > LONGEST_LINE:
        reader.refuse(
            error_text.too_long(reader.first, LONGEST_LINE, reader.role), reader.skipped + 1, [shortened(reader.first)]
        )
    error_text.refuse_other_formats(reader.name, reader.data[reader.start : reader.start + HEAD], reader.role)
    return _read_run(reader) if reader.role == "run" else _read_qrels(reader)


def _remove_marks(reader):
    """Removes byte order marks at the beginning of lines, as where files were joined."""
    count = reader.data.count(b"\n" + MARK)
    if count:
        reader.data = reader.data.replace(b"\n" + MARK, b"\n")
        begin = digits(count, "line begins", "lines begin")
        reader.note("byte order marks", count, f": {begin} with a byte order mark (U+FEFF), which was skipped.")


def _replace_unicode_blanks(reader):
    """Replaces non-breaking blanks and the like where they stand between columns, or at the ends of words."""
    if not white_space.may_have_unicode_blanks(reader.data):
        return
    role, changed = reader.role, []
    lines = layouts.first_lines(reader.data)
    versions = lines, map(_with_blanks, lines)
    as_it_is, replaced = (Counter(len(columns_of(line, role)) for line in of) for of in versions)
    usual = [len(layout) for layout in fields.LAYOUTS[role]]
    fitting = [n for n in fields.USUAL[role] if as_it_is[n] >= MOSTLY * len(lines)]
    fitting += [n for n in usual if replaced[n] >= MOSTLY * len(lines)]
    wanted = (fitting or usual)[0]

    def with_blanks(match):
        fits = len(columns_of(match[0], role)) == wanted  # then they may belong to names
        line = white_space.AT_ENDS.sub(b" ", match[0]) if fits else _with_blanks(match[0])
        if line == match[0] or len(columns_of(line, role)) != wanted:
            return match[0]
        changed.append(match[0])
        return line

    data = white_space.LINE_WITH_THEM.sub(with_blanks, reader.data)
    if changed:
        reader.data = data
        blanks = white_space.code_points(
            "".join(white_space.as_text(blank) for blank in white_space.UNICODE_BLANKS.findall(b"".join(changed)))
        )
        lines_have = digits(len(changed), "line has", "lines have")
        message = f": {lines_have} blanks that are not plain ones ({blanks}), but were read as such."
        reader.note("unusual blanks", len(changed), message)


def _with_blanks(line):
    return white_space.UNICODE_BLANKS.sub(b" ", line)


def _pass_leading(reader):
    """Moves the start past blank lines and lines that start with #, and removes the other lines that do."""
    match = layouts.FIRST_DATA.search(reader.data)
    reader.start = white_space.after_marks(reader.data, match.start()) if match else len(reader.data)
    reader.skipped = reader.data.count(b"\n", 0, reader.start)
    leading = sum(1 for _ in COMMENT.finditer(reader.data, 0, reader.start))
    if leading:
        lines_were = digits(leading, "leading # line was", "leading # lines were")
        reader.note("comment lines", leading, f": {lines_were} skipped.")
    if b"#" in reader.data and any(begins in reader.data for begins in (b"\n#", b" #", b"\t#")):
        _remove_comments(reader)


def _remove_comments(reader):
    """Removes lines that start with # among the data, as trec_eval 10 does."""
    kept, removed, end, before = [], [], reader.start, reader.skipped
    for match in WHOLE_COMMENT.finditer(reader.data, reader.start):
        kept.append(reader.data[end : match.start()])
        before += kept[-1].count(b"\n")
        removed.append(before)
        end = match.end()
    if removed:
        reader.data = reader.data[: reader.start] + b"".join(kept) + reader.data[end:]
        reader.removed = np.array(removed)
        lines_were = digits(len(removed), "line that starts with # was", "lines that start with # were")
        reader.note("comment lines", len(removed), f": {lines_were} skipped, as trec_eval 10 does.")


def _pass_header(reader):
    """Moves the start past a line that names the columns, a topic first."""
    words = [shortened(word).lower().strip('"') for word in reader.first.split()]
    names_pairs = len(words) == 2 and fields.plain(words[-1]) in fields.NAMES["document"]
    names_more = len(words) > 2 and words[-1] in fields.HEADERS[reader.role]
    if words and words[0] in fields.HEADERS["topic"] and (names_pairs or names_more):
        reader.note("header", 1, f": its first line names the columns ({' '.join(words)}) and was skipped.")
        _pass_line(reader)
        if not reader.data[reader.start :].strip():
            lacks = "line of a run" if reader.role == "run" else "judgment"
            reader.refuse(f" contains a header but no {lacks}; {WANTED[reader.role]}.")


def _pass_line(reader):
    reader.start, reader.skipped = reader.start + len(reader.first) + 1, reader.skipped + 1
    reader.start = white_space.after_marks(reader.data, reader.start)


# Runs and qrels in lines


def _read_run(reader):
    _pass_header(reader)
    layout = layouts.layout_of(reader.data[reader.start : reader.start + 2 * HEAD], "run") or fields.RUN
    if layout == fields.RANKED_OR_SCORED:
        return _read_ranked_or_scored(reader)
    columns, lines = _columns(reader, layout, tuple(name for name in layout if name in NUMERIC))
    if layout != fields.RUN:
        reader.note("columns", len(lines), f": its columns were read as {' '.join(layout)}.")
    scores = _needed(reader, "score", columns["score"], lines)
    ranks, bad = _numbers("rank", columns["rank"])
    if "tag" in layout:
        _note_two_in_one(reader, columns["topic"].indices.to_numpy(), columns["tag"], None if len(bad) else ranks)
    if len(bad):
        message = ": the rank column does not contain whole numbers, so it was ignored and scores give the order."
        if exchanged := _counts_up(columns["topic"].indices.to_numpy(), scores):
            message += " Scores count up from line to line: check whether the rank and score columns are swapped."
        reader.note("ranks not read", len(lines), message, "warning" if exchanged else "note")
    return _rows(reader, columns, lines, scores, None if len(bad) else ranks.astype(np.int32, copy=False))


def _read_ranked_or_scored(reader):
    """Lines of three columns: the third is a rank where it may be one, and its order is not that of scores."""
    columns, lines = _columns(reader, fields.RANKED_OR_SCORED, ("value",))
    values, _ = _numbers("score", columns["value"])
    whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**31)
    documents = columns["document"].slice(0, LINES).to_pylist()
    decimals = mostly(fields.NUMBER, documents) and not mostly(fields.INTEGER, documents)
    if decimals and not whole.all():  # as in tables of scores
        _refuse_number(reader, "rank", np.flatnonzero(~whole), lines)
    scored = np.mean(whole | np.isnan(values)) < MOSTLY or values.min(where=~np.isnan(values), initial=0) < 0
    topic = columns["topic"].indices.to_numpy()
    if scored or _ordered_as_scores(topic, values):
        reader.note("columns", len(lines), ": its columns were read as topic document score.")
        return _rows(reader, columns, lines, _needed(reader, "score", columns["value"], lines))
    if len(rows := np.flatnonzero(~whole)):
        _refuse_number(reader, "rank", rows, lines)
    ranks = values.astype(np.int32)
    # only their order counts: the best rank gets the highest score
    return _rows(reader, columns, lines, -ranks.astype(np.float64), ranks)


def _ordered_as_scores(topic, values):
    """Whether values fall from line to line, and begin above 2 in most topics; or they do not rise, and repeat within
    topics, as ranks do not, or are all above the number of lines in most topics."""
    same = topic[1:] == topic[:-1]
    falls, rises = int((values[1:] < values[:-1])[same].sum()), int((values[1:] > values[:-1])[same].sum())
    if not falls or rises >= MOSTLY * (falls + rises):
        return False
    _, first, lines = np.unique(topic, return_index=True, return_counts=True)
    if falls >= layouts.FEWEST_STEPS and rises <= (1 - MOSTLY) * (falls + rises) and np.median(values[first]) > 2:
        return True
    by_value = np.lexsort((values, topic))
    topic, values = topic[by_value], values[by_value]
    repeat = topic[1:][(topic[1:] == topic[:-1]) & (values[1:] == values[:-1])]
    if len(np.unique(repeat)) > (1 - MOSTLY) * len(lines):
        return True
    lowest = values[np.cumsum(lines) - lines]
    return falls + rises >= layouts.FEWEST_STEPS and bool(np.median(lowest - lines) > 0)


def _note_two_in_one(reader, query, tag, ranks):
    """Two runs in one file: lines of several tags, or every rank twice, in one topic. query : (L,)"""
    tags, topics = tag.dictionary.to_pylist(), int(query.max()) + 1
    if 1 < len(tags) <= layouts.FEW_TAGS:
        pairs = np.unique(query.astype(np.int64) * len(tags) + tag.indices.to_numpy())
        mixed = int(np.count_nonzero(np.bincount(pairs // len(tags), minlength=topics) > 1))
        sign = f"lines of several tags ({few_of([name.decode('utf-8', 'replace') for name in tags])})"
    else:
        if ranks is None:
            return
        first = ranks[query == query[0]]
        if not 2 < len(first) == 2 * len(np.unique(first)):  # most files are out of question at once
            return
        _, count = np.unique(query * 2.0**32 + ranks, return_counts=True)
        mixed, sign = (topics if np.median(count) == 2 else 0), "every rank twice"
    if mixed:
        message = (
            f": {mixed} of {digits(topics, 'topic')} {'has' if mixed == 1 else 'have'} {sign}. It looks like two runs "
            "in one file, which are read as a single ranking: give each run its own file."
        )
        reader.note("two runs in one file", mixed, message, "warning")


def _counts_up(query, scores):
    """Whether the scores of every query rise by one from line to line."""
    same = query[1:] == query[:-1]
    return bool(same.any() and np.all(np.diff(scores)[same] == 1))


def _read_qrels(reader):
    for mark in (b",", b";"):  # a table of two columns
        first = reader.first
        if len(first.split()) == first.count(mark) == 1:
            reader.data = reader.data[: reader.start] + reader.data[reader.start :].replace(mark, b"\t")
    _pass_header(reader)
    layout = layouts.layout_of(reader.data[reader.start : reader.start + 2 * HEAD], "qrels") or fields.QRELS
    columns, lines = _columns(reader, layout)
    if "grade" not in layout:
        reader.note("no grades", len(lines), ": it has no grades, so all its documents count as relevant (grade 1).")
        return _rows(reader, columns, lines, np.ones(len(lines), np.int32))
    grades = _needed(reader, "grade", columns["grade"], lines)
    grades = whole_if_so(reader.name, grades, reader.findings)
    if layout == fields.STRATA:
        return replace(_rows(reader, columns, lines, grades), stratum=_strata(reader, columns, lines, grades))
    if layout == fields.QRELS and np.all(grades == grades[0]):
        _note_grades_before_documents(reader, grades[0].item(), len(grades))
    return _rows(reader, columns, lines, grades)


def _strata(reader, columns, lines, grades):
    """The strata of judgments as int8, with a note on how many of each are judged."""
    strata = _needed(reader, "stratum", columns["stratum"], lines).astype(np.int8)
    judged = [f"{np.mean(grades[strata == stratum] >= 0):.0%} of {stratum}" for stratum in np.unique(strata)]
    message = (
        f": its judgments are a sample in strata, as sample_eval reads them (judged: {', '.join(judged)}). infAP "
        "infers from each stratum; to other metrics, documents that were not drawn are unjudged."
    )
    all_drawn = bool(np.all(grades >= 0))
    if all_drawn:
        message += " None is −1 (not drawn): if the fourth column has grades, too, assign the columns (grade=4 or 5)."
    reader.note("judgments in strata", len(judged), message, "warning" if all_drawn else "note")
    return strata


def _note_grades_before_documents(reader, grade, count):
    """An error where the grade and iteration columns look swapped, because all lines have the same grade."""
    lines = islice(io.BytesIO(reader.data[reader.start :]), MANY)
    before = {words[1] for line in lines if len(words := line.split()) > 1}
    if 1 < len(before) <= MOST_GRADES and all(fields.INTEGER.fullmatch(word) for word in before):
        message = (
            f": the grade of all {count:,} lines is {grade}, but the iteration column contains "
            f"{', '.join(sorted(word.decode() for word in before))}. The two columns look swapped. Correct them: until "
            "then, all documents have the same grade."
        )
        reader.note("columns exchanged", count, message, "error")


def _rows(reader, columns, lines, values, ranks=None):
    topic = columns["topic"]
    tags = columns["tag"].dictionary.to_pylist() if "tag" in columns else []
    return Rows(
        topic.indices.to_numpy(), topic.dictionary.to_pylist(), columns["document"], values, ranks, tags,
        reader.in_file(lines), iteration=columns.get("iteration"),
    )  # fmt: skip


def _columns(reader, names, numeric=()):
    """The lines by column, and their line numbers. -> (name -> column, lines)

    A column is a NumPy array where it is numeric and Arrow can read it, else an Arrow array, of documents plain, of
    everything that repeats with a dictionary in order of first appearance.
    """
    body, reader.layout = reader.data[reader.start :], names
    if b'"' in reader.first and (columns := _unquoted(body, names, numeric)):
        reader.note("quotes", len(columns["document"]), ": the quotes around its cells were removed.")
        return columns, _numbered(reader, columns)
    for columns in _as_it_is(reader, body, names, numeric):
        if columns is not None:
            return columns, _numbered(reader, columns)
    body, lines = _regularised(reader, body, names)
    return _parsed(body, b"\t", names, numeric, longest=np.inf), lines


def _numbered(reader, columns):
    return range(reader.skipped + 1, reader.skipped + 1 + len(columns["document"]))


def _as_it_is(reader, body, names, numeric):
    """The columns of lines that need no look at each of them, or None, by one way of reading after another."""
    if white_space.is_regular(body, len(names)):
        yield _parsed(body, b"\t" if b"\t" in reader.first else b" ", names, numeric)
    even = white_space.evened(body)
    if white_space.is_regular(even, len(names)):
        yield _parsed(even, b" ", names, numeric)
    del even
    if (
        reader.first.count(b"\t") == len(names) - 1
        and any(blank in body for blank in (b" ", b"\v", b"\f"))
        and b"\n\n" not in body.rstrip(b"\n") + b"\n"
    ):
        yield _between_tabs(body, names, numeric)


def _unquoted(body, names, numeric):
    """The columns where every line has a cell between quotes, as R writes them; else None."""
    lines = body.rstrip(b"\n").count(b"\n") + 1
    if b"\n\n" in body or len(QUOTED.findall(body)) < lines:
        return None
    mark = b"\t" if b"\t" in body.split(b"\n", 1)[0] else b" "
    columns = _parsed(body if mark == b"\t" else white_space.evened(body), mark, names, numeric, quote='"')
    return columns if columns is not None and len(columns["document"]) == lines else None


def _between_tabs(body, names, numeric):
    """The columns where tabs stand between them, so that names may hold blanks; None where a cell is empty."""
    columns = _parsed(body, b"\t", names, numeric) or {}
    for name, column in columns.items():
        if isinstance(column, pa.DictionaryArray):
            columns[name] = white_space.stripped(column.dictionary.take(column.indices)).dictionary_encode()
        elif isinstance(column, pa.Array):
            columns[name] = white_space.stripped(column)
    has_all = all(pc.min(pc.binary_length(texts)).as_py() for texts in _texts(columns))
    return columns if columns and has_all else None


def _texts(columns):
    """The names in these columns, each once where it repeats; TREC's second one may be empty."""
    texts = [column for name, column in columns.items() if isinstance(column, pa.Array) and name != "iteration"]
    return [text.dictionary if isinstance(text, pa.DictionaryArray) else text for text in texts]


def _parsed(body, delimiter, names, numeric, quote=False, longest=LONGEST_LINE // 8):
    """The columns, as many of those that are numeric as Arrow can read as numbers; None where the file is not so
    regular, or has a name that is longer."""
    for left_out in range(len(numeric) + 1):
        with suppress(pa.ArrowInvalid):
            columns = _with_numbers(body, delimiter, names, numeric[left_out:], quote)
            lengths = (pc.max(pc.binary_length(texts)).as_py() for texts in _texts(columns))
            return columns if max(lengths) < longest else None
    return None


def _with_numbers(body, delimiter, names, numeric, quote):
    """The columns, the numeric ones as numbers. Raises ArrowInvalid."""
    types = {name: pa.dictionary(pa.int32(), pa.binary()) for name in names if name not in UNREAD}
    types["document"] = pa.binary() if len(body) < 2**31 else pa.large_binary()
    types |= {name: NUMERIC[name] for name in numeric}
    table = pa.csv.read_csv(
        pa.BufferReader(body),
        pa.csv.ReadOptions(use_threads=len(body) > 2 * PARSED, block_size=PARSED, column_names=names),
        pa.csv.ParseOptions(delimiter=delimiter, quote_char=quote, double_quote=bool(quote), escape_char=False),
        pa.csv.ConvertOptions(
            check_utf8=False, column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
        ),
    )
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
    """The lines with one tab between columns and extra columns dropped; lines with too few are problems.

    -> (bytes, int32 line numbers of the lines that are left)
    """
    regular, lines, bad, extra, spaced, comments = io.BytesIO(), array("i"), [], [], {}, 0
    blanks = layouts.Blanks(body, names)
    for number, line in enumerate(io.BytesIO(body), reader.skipped + 1):
        line, words = line.rstrip(b"\n"), line.split()
        if len(words) > len(names) and words[len(names)].startswith(b"#"):  # a comment at the end
            words, comments = words[: len(names)], comments + 1
        elif len(words) > len(names) and blanks.fit(words):
            words = blanks.joined(words)
            spaced[number] = words[names.index("document")]
        if len(line) > LONGEST_LINE:
            if len(reader.problems) < 3:
                reader.problem(error_text.too_long(line, LONGEST_LINE, reader.role), number, [shortened(line)])
        elif words and (len(words) < len(names) or (len(words) > len(names) and names != fields.RUN)):
            bad.append((number, line))
            if len(bad) == error_text.MOST_BAD:
                break
        elif words:
            regular.write(b"\t".join(words[: len(names)]) + b"\n")
            lines.append(number)
            if len(words) > len(names):
                extra.append(number)
                error_text.refuse_other_ends(reader.name, reader.in_file(number), line)
    _report_columns(reader, bad, extra, spaced, names)
    if comments:
        lines_end = digits(comments, "line ends", "lines end")
        reader.note("comment lines", comments, f": {lines_end} with a comment (#), which was skipped.")
    if not lines and not reader.problems:
        reader.refuse(f" contains no line of data; {WANTED[reader.role]}.")
    if not lines:
        raise InputError(reader.problems)
    return regular.getvalue(), np.array(lines, np.int32)


def _report_columns(reader, bad, extra, spaced, names):
    if spaced:
        number, name = next(iter(spaced.items()))
        lines_have = digits(len(spaced), "line has a name", "lines have names")
        message = (
            f": {lines_have} with blanks (e.g. line {reader.in_file(number)}: {shortened(name)}), so the other columns "
            "were read from its end. Check these names, or separate the columns by tabs."
        )
        reader.note("names with blanks", len(spaced), message, "warning")
    if bad:
        number, line = bad[0]
        count, role = len(line.split()), reader.role
        seems, hint = FITS.get((role, count), ("", BLANKS if names == fields.QRELS and count > len(names) else ""))
        if len(bad) == 1 and not seems and reader.data.endswith(line):
            hint = " The file ends here and may be cut off: copy it again."
        wanted = " ".join(names).replace("value", "rank or score")
        columns = f"{digits(count, 'column')} where a {role} has {len(names)} ({wanted})"
        message, texts = f": {columns}.{also(len(bad))}", [shortened(text) for _, text in bad[:3]]
        reader.problem(f"{message}{hint}", number, texts, seems, reason=f"Line {reader.in_file(number)}{message}")
    if extra:
        lines_have = digits(len(extra), "line has", "lines have")
        message = f": {lines_have} more than 6 columns (e.g. line {reader.in_file(extra[0])}); the rest was ignored."
        reader.note("extra columns", len(extra), message)


# Numbers


def _number(name, text):
    """A cell as a number, NaN where it is none. name : of its column"""
    text = fields.as_number(text) if name == "grade" else text
    infinite = name == "score" and fields.MINUS_INFINITE.fullmatch(text)
    value = float(text) if infinite or SHAPES.get(name, fields.NUMBER).fullmatch(text) else np.nan
    return value if name == "score" or -(2**31) <= value < 2**31 else np.nan


def _numbers(name, column):
    """A column as numbers, and the rows that hold none."""
    if not isinstance(column, np.ndarray):
        values = np.array([_number(name, text) for text in column.dictionary.to_pylist()])
        column = values[column.indices.to_numpy()]
    return column, np.flatnonzero(~np.isfinite(column))


def _needed(reader, name, column, lines):
    """A column as numbers; a problem where one is none."""
    values, rows = _numbers(name, column)
    if len(rows) and name == "score":
        values = finite(reader.name, values, reader.findings)
        rows = np.flatnonzero(~np.isfinite(values))
    if len(rows):
        _refuse_number(reader, name, rows, lines)
    return values


def _refuse_number(reader, name, rows, lines):
    numbers = [int(lines[row]) for row in rows[:3]]
    bad = [reader.data.split(b"\n", number)[number - 1] for number in numbers]
    place = reader.layout.index(name if name in reader.layout else "value")
    text = bad[0].split()[-1] if name == "grade" else error_text.cell_in(bad[0], len(reader.layout), place)
    needed = "a number"
    if name in ("rank", "stratum"):
        needed = "a whole number" if name == "rank" else "a whole number from 1 to 99"
    elif fields.NUMBER.fullmatch(text) or re.fullmatch(rb"[+-]?(nan|inf|infinity)", text, re.IGNORECASE):
        needed = "a finite number"
    message = f': the {name} is "{shortened(text, 40)}", but must be {needed}.{also(len(rows))}'
    if name == "score" and DECIMAL_COMMA.fullmatch(text):
        message += f" Assign the column (score={place + 1}) to read decimal commas."
        reader.problem(message, numbers[0], [shortened(line) for line in bad], columns={"score": place + 1})
        raise InputError(reader.problems)
    reader.refuse(message, numbers[0], [shortened(line) for line in bad])
