"""The sorted rankings of one run file, and the judgments of one qrels file, by topic."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.ties import score_order
from evalcore.reading.archive_limits import MOST_TOPICS, too_many_topics
from evalcore.reading.error_text import also, shortened
from evalcore.reading.files import Finding, InputError, Problem, refusal
from evalcore.reading.rows import Rows
from evalcore.vocabulary.sentences import digits, verb

DUPLICATES = ("keep", "refuse", "first", "last", "highest")  # the option; the last three choose one of two grades
MOST_SLIPS, TENTH = 10, 0.1  # documents with two grades that may be slips; the share of lines that a second set is
MOST_ITERATIONS = 12  # different texts in a column that are no names of documents


@dataclass(frozen=True)
class How:
    """How a file is read: options of `open_study`, and judgments that the lines of runs are compared with.

    excluded : documents to leave out by topic, or None; judged : the judgments, where passages become documents
    """

    duplicates: str = "keep"
    names: str = "exact"
    columns: dict[str, Any] | None = None
    itself: str = "keep"
    aspect: str | None = None
    passages: str = "keep"
    excluded: Judged | None = None
    judged: Judged | None = None


@dataclass
class Rankings:
    """The rankings of one run file in score order, one query after another.

    starts : (n + 1,), the bounds of each query's places in all of these
    scores, ranks : in score order; no ranks where there is no such column
    documents, lines : still in the file's order within a query; `order` says which of them has which place in score
        order (None: they are in it), so that no names need to be moved; no documents once they are put in place
    """

    queries: list[str]
    tags: list[str]
    starts: NDArray[np.integer]
    documents: pa.Array | None
    scores: NDArray[np.number]
    ranks: NDArray[np.integer] | None
    order: NDArray[np.integer] | None
    lines: NDArray[np.integer] | range | None

    @cached_property
    def of_ranks(self) -> list[tuple[int, int, bool]]:
        """Of each query its smallest and its largest rank, and whether a rank is below the one before. (n,) triples."""
        assert self.ranks is not None
        begin, falls = self.starts[:-1], np.append(False, self.ranks[1:] < self.ranks[:-1])
        falls[begin] = False
        three = ((np.minimum, self.ranks), (np.maximum, self.ranks), (np.logical_or, falls))
        return list(zip(*(by.reduceat(values, begin).tolist() for by, values in three), strict=True))

    def line(self, place: int) -> str:
        """Where in the file a place was, for a message: ", line 7"; nothing in JSON."""
        return "" if self.lines is None else f", line {int(self.lines[self._row(place)]):,}"

    def document(self, place: int) -> bytes:
        """The name of the document at a place in score order, as bytes."""
        assert self.documents is not None  # messages name documents of runs that repeat one, which keep them
        return self.documents[self._row(place)].as_py()

    def _row(self, place):
        return int(place if self.order is None else self.order[place])


@dataclass
class Judged:
    """The judgments of a qrels file, one topic after another; `starts` as in `Rankings`.

    iteration : the second column in TREC's format (Arrow dictionary array), where it has several words; else None
    stratum : int8, where the judgments are a sample that was drawn in strata; else None
    subtopics : every judgment by subtopic, see `several_judgments.by_subtopic`; None where nobody asked for them
    """

    topics: list[str]
    starts: NDArray[np.integer]
    documents: pa.Array
    grades: NDArray[np.number]
    iteration: pa.Array | None = None
    stratum: NDArray[np.int8] | None = None
    subtopics: pd.DataFrame | None = None


NOTHING_JUDGED = Judged([], np.zeros(1, np.int64), pa.array([], pa.binary()), np.zeros(0, np.int32))


def rankings(name: str, rows: Rows, duplicates: str) -> Rankings:
    """The rankings of a run file in score order; InputError for duplicates to be refused."""
    _refuse_many(name, rows)
    if duplicates == "refuse":
        _refuse_repeats(name, rows)
    rows = rows.by_query()
    order, starts = score_order(rows.query, rows.values, rows.documents)
    scores, ranks = rows.values, rows.ranks
    if order is not None:
        scores, ranks = scores[order], None if ranks is None else ranks[order]
        order = order.astype(np.int32)
    return Rankings(_texts(rows.queries), _texts(rows.tags), starts, rows.documents, scores, ranks, order, rows.lines)


def adapted(name: str, rows: Rows, how: How) -> tuple[Rows, list[Finding]]:
    """The rows of a run as the options say: passages as documents, and documents left out. -> (Rows, findings)"""
    findings: list[Finding] = []
    if how.passages == "best" and how.judged is not None:
        rows = _best_passages(name, rows, how.judged, findings)
    if how.itself == "drop":
        own = pa.array(rows.queries, rows.documents.type).take(pa.array(rows.query))
        rows = _without(name, rows, pc.equal(rows.documents, own), "with the name of the query ", findings)
    if how.excluded is not None:
        pairs = _pairs(np.array(how.excluded.topics, object), np.diff(how.excluded.starts), how.excluded.documents)
        queries = [query.decode("utf-8", "backslashreplace") for query in rows.queries]
        own = [(queries[query], document) in pairs
               for query, document in zip(rows.query.tolist(), rows.documents.to_pylist(), strict=True)]  # fmt: skip
        rows = _without(name, rows, pa.array(own, pa.bool_()), "that you exclude ", findings)
    return rows, findings


def _pairs(topics, counts, documents):
    return set(zip(np.repeat(topics, counts).tolist(), documents.to_pylist(), strict=True))


def _without(file, rows, out, words, findings):
    """The rows without some, of which a finding says how many; all of them, where none would be left."""
    count = out.true_count
    if not count or count == len(out):
        return rows
    message = f"{file}: {digits(count, 'document')} {words}{verb(count, 'was', 'were')} left out."
    findings.append(Finding("note", "query left out", "", "", count, message))
    return rows.taken(np.flatnonzero(~out.to_numpy(zero_copy_only=False)))


PASSAGES = (  # how a passage is named: its document, what is between, and its number
    re.compile(rb"(.+?)(#)[^#]+"),
    re.compile(rb"(.+?)([#:_./-]+(?:chunk|passage|psg|para|segment|seg|part|sent)[#:_.-]?)\d+", re.IGNORECASE),
    re.compile(rb"(.+)([:_./-]+p?)\d+"),
)


def _split(name):
    """Each (document, what is between it and a number) that a name may be a passage of."""
    return [match.groups() for pattern in PASSAGES if (match := pattern.fullmatch(name))]


def _best_passages(file, rows, judged, findings):
    """The rows with the best passage of each document under its name, where passages of judged documents are ranked."""
    coded = rows.documents.dictionary_encode()
    names, known = coded.dictionary.to_pylist(), set(judged.documents.to_pylist())
    split = [() if name in known else _split(name) for name in names]
    kinds = {kind for ways in split for document, kind in ways if document in known}
    wholes = [next((document for document, kind in ways if kind in kinds), name)
              for name, ways in zip(names, split, strict=True)]  # fmt: skip
    at = next((at for at, name in enumerate(names) if wholes[at] != name), None)
    if at is None:
        return rows
    documents = pa.array(wholes, rows.documents.type).take(coded.indices).dictionary_encode()
    pair = rows.query * np.int64(len(documents.dictionary)) + documents.indices.to_numpy()
    ranks = np.zeros(len(pair)) if rows.ranks is None else rows.ranks
    by_pair = np.lexsort((ranks, -rows.values, pair))
    first = np.append(True, np.diff(pair[by_pair]) != 0)
    kept = np.sort(by_pair[first])
    best = replace(rows, documents=documents.dictionary.take(documents.indices))
    if rows.ranks is not None:
        least = np.minimum.reduceat(rows.ranks[by_pair], np.flatnonzero(first))
        best = replace(best, ranks=least[np.cumsum(first) - 1][np.argsort(by_pair)].astype(np.int32))
    shown = f"{shortened(names[at], 60)} of {shortened(wholes[at], 60)}"
    message = (
        f"{file}: passages are ranked (such as {shown}); each document has the score and the rank of its best passage. "
        f"{digits(len(pair), 'line')} became {len(kept):,}."
    )
    findings.append(Finding("note", "passages", "", "", len(pair), message))
    return best.taken(kept)


def _refuse_many(name, rows):
    if len(rows.queries) > MOST_TOPICS:
        raise refusal(name, too_many_topics(len(rows.queries)))


def repeats(rows: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The lines that name a document that an earlier line of the same query names. -> (lines, their first lines)"""
    codes = rows.documents.dictionary_encode().indices.to_numpy()
    pairs = pd.Series(rows.query.astype(np.int64) * (codes.max() + 1) + codes)
    again = pairs.duplicated().to_numpy()
    if not again.any():
        return np.empty(0, int), np.empty(0, int)
    nth, _ = pd.factorize(pairs)  # in order of first appearance
    return np.flatnonzero(again), np.flatnonzero(~again)[nth[again]]


def _refuse_repeats(name, rows):
    again, first = repeats(rows)
    if len(again):
        occurs = "occurs twice" if rows.lines is None else f"is already on line {rows.lines[first[0]]}"
        pairs = [_pair(rows, row) for row in again[:3]]
        message = f": {pairs[0]} {occurs}; a ranking may contain a document only once.{also(len(again))}"
        raise refusal(name, message, _line(rows, again[0]), pairs)


def _pair(rows, row):
    topic = shortened(rows.queries[rows.query[row]], 40)
    return f'topic {topic}, document "{shortened(rows.documents[int(row)].as_py(), 60)}"'


def _line(rows, row):
    return None if rows.lines is None else int(rows.lines[row])


def judged(name: str, rows: Rows, duplicates: str = "keep") -> tuple[Judged, list[Finding]]:
    """The judgments topic by topic, each (topic, document) once. -> (Judged, findings)

    duplicates : which of two grades of a document is used: the "first", "last" or "highest"; InputError for other words
    """
    _refuse_many(name, rows)
    again, first = repeats(rows)
    findings, differ = [], rows.values[again] != rows.values[first]
    if differ.any() and duplicates not in CHOOSE:
        raise _two_grades(name, rows, again, first, differ)
    if differ.any():
        values = rows.values.copy()
        CHOOSE[duplicates](values, first, rows.values[again])
        rows, several = replace(rows, values=values), len(np.unique(first[differ]))
        documents_have = digits(several, "document has", "documents have")
        message = f"{name}: {documents_have} two grades; the {duplicates} was used, as you set."
        findings.append(Finding("warning", "two grades", "", "", several, message))
    elif len(again):
        line = "" if rows.lines is None else f", line {rows.lines[again[0]]}"
        repeat = digits(len(again), "judgment repeats", "judgments repeat")
        message = f"{name}: {repeat} an earlier one, with the same grade (e.g. {_pair(rows, again[0])}{line})."
        findings.append(Finding("note", "repeated judgments", "", "", len(again), message))
    rows = rows.taken(np.delete(np.arange(len(rows.query)), again)).by_query()
    starts = np.searchsorted(rows.query, np.arange(len(rows.queries) + 1))
    iteration = rows.iteration if rows.iteration is not None and len(rows.iteration.dictionary) > 1 else None
    return Judged(_texts(rows.queries), starts, rows.documents, rows.values, iteration, rows.stratum), findings


def _appended(rows, again, first):
    """Whether lines that repeat a document (int, ascending) follow the others as a second assessor's do: nearly all
    from the first of them on, or a tenth of all, with other topics between them and the lines that they repeat."""
    block = np.cumsum(np.diff(rows.query, prepend=rows.query[0]) != 0)
    apart = 2 * np.count_nonzero(block[again] != block[first]) > len(again)
    to_the_end = len(again) >= (1 - TENTH) * (len(block) - again[0])
    return len(again) >= MOST_SLIPS and (to_the_end or (apart and len(again) >= TENTH * len(block)))


def _last(values, places, later_grades):
    values[places] = later_grades  # of several for one place, NumPy keeps the last


CHOOSE = {  # which of several grades; changes those at the first places to those of later lines
    "first": lambda values, places, later_grades: None,
    "last": _last,
    "highest": np.maximum.at,
}


def _two_grades(name, rows, again, first, differ):
    appended, count = _appended(rows, again, first), len(again)
    again, first = again[differ], first[differ]

    def grade_and_line(row):
        return f"{rows.values[row]}" if rows.lines is None else f"{rows.values[row]} on line {rows.lines[row]}"

    grades_listed = [
        (_pair(rows, row), f"grade {grade_and_line(earlier)} and {grade_and_line(row)}")
        for row, earlier in zip(again[:3], first[:3], strict=True)
    ]
    message = f": a document has two grades: {' has '.join(grades_listed[0])}.{also(len(again))}"
    if len(rows.documents.unique()) <= MOST_ITERATIONS < len(rows.query) < 2 * count:
        message += " There are hardly any other documents: check that the third column contains the documents."
    elif appended:
        message += (
            " A second assessor's judgments seem to follow the first's. Give each a file of its own, and open them as "
            "first and second judgments."
        )
    elif count >= max(MOST_SLIPS, TENTH * len(rows.query)):
        message += (
            " So many may be judgments of several assessors, or for subtopics. Give each assessor a file of its own, "
            "or set which grade is used: the first, last or highest (option duplicates)."
        )
    else:
        wrong = "grade" if len(again) == 1 else "grades"
        message += f" Remove the wrong {wrong}, or set which is used: the first, last or highest (option duplicates)."
    problem = Problem.at(name, _line(rows, again[0]), message, [": ".join(pair) for pair in grades_listed])
    return InputError([replace(problem, options=tuple(("duplicates", choice) for choice in CHOOSE))])


def _texts(names):
    return [name.decode("utf-8", "backslashreplace") for name in names]
