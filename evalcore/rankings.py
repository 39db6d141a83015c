"""The rankings of one run file in the one order, and the judgments of one qrels file, topic by topic."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore import formats
from evalcore.files import Finding, Problem


@dataclass
class Rankings:
    """The rankings of one run file in score order, one query after another.

    `starts` (n + 1,) bounds each query's places in `documents`, `scores` and `ranks` (None where there is no such
    column); `order` (None where it is the file's) says which line each place came from.
    """

    format: str
    queries: list
    tags: list
    starts: np.ndarray
    documents: pa.Array
    scores: np.ndarray
    ranks: np.ndarray | None
    order: np.ndarray | None
    lines: np.ndarray | range | None

    def line(self, place):
        """Where in the file a place was, for a message: " (line 7)"."""
        row = place if self.order is None else self.order[place]
        return "" if self.lines is None else f", line {int(self.lines[int(row)]):,}"


@dataclass
class Judged:
    """The judgments of a qrels file, one topic after another; `starts` as in `Rankings`."""

    topics: list
    starts: np.ndarray
    documents: pa.Array
    grades: np.ndarray


def score_order(query, scores, documents):
    """The one order of a ranking: score descending, ties by document id descending as bytes.

    query : int32 (L,), codes of each line's query. -> (places in that order, query by query, or None where the lines
    are in it; where each query starts, (n + 1,)). Sorts only what is out of order.
    """
    order = None
    if np.any(query[1:] < query[:-1]):
        order = np.argsort(query, kind="stable")
        query, scores = query[order], scores[order]
    same = query[1:] == query[:-1]
    starts = np.concatenate([[0], np.flatnonzero(~same) + 1, [len(query)]])
    rising = same & (scores[1:] > scores[:-1])
    if rising.any():
        unsorted = np.zeros(len(starts) - 1, bool)
        unsorted[query[1:][rising]] = True
        places = np.flatnonzero(unsorted[query])
        by_score = places[np.lexsort((-scores[places], query[places]))]
        order = np.arange(len(query)) if order is None else order
        order[places] = order[by_score]
        scores = scores.copy()
        scores[places] = scores[by_score]
    tied = np.flatnonzero(same & (scores[1:] == scores[:-1]))
    if len(tied):
        order = _ties_ordered(tied, order, documents)
    return order, starts


def _ties_ordered(tied, order, documents):
    """`order` with each stretch of equal scores by document id descending; place i ties with i + 1 for i in `tied`."""
    names = documents if order is None else documents.take(pa.array(order))
    low = pc.less(names.take(pa.array(tied)), names.take(pa.array(tied + 1))).to_numpy(zero_copy_only=False)
    if not low.any():
        return order
    first = np.concatenate([[True], np.diff(tied) != 1])
    stretch = np.cumsum(first) - 1
    unsorted = np.zeros(stretch[-1] + 1, bool)
    unsorted[stretch[low]] = True
    tied, stretch, first = (values[unsorted[stretch]] for values in (tied, stretch, first))
    # a stretch of n tied pairs covers n + 1 places: its first place and each pair's second
    places = np.sort(np.concatenate([tied[first], tied + 1]))
    owner = np.sort(np.concatenate([stretch[first], stretch]))
    table = pa.table({"stretch": owner, "name": names.take(pa.array(places))})
    by_name = pc.sort_indices(table, sort_keys=[("stretch", "ascending"), ("name", "descending")]).to_numpy()
    order = np.arange(len(documents)) if order is None else order
    order[places] = order[places[by_name]]
    return order


def rankings(name, rows, duplicates):
    order, starts = score_order(rows.query, rows.values, rows.documents)
    documents, scores, ranks = rows.documents, rows.values, rows.ranks
    if order is not None:
        documents, scores = documents.take(pa.array(order)), scores[order]
        ranks = None if ranks is None else ranks[order]
        order = order.astype(np.int32)
    queries = [_text(query) for query in rows.queries]
    tags = [_text(tag) for tag in rows.tags]
    found = Rankings(rows.format, queries, tags, starts, documents, scores, ranks, order, rows.lines)
    problems = _repeated_lines(name, rows) if duplicates == "refuse" else []
    findings = []
    if rows.format == "TREC run" and rows.ranks is None:
        message = f"{name}: the rank column is not made of whole numbers; it is not read, the order is that of scores."
        findings = [Finding("note", "ranks not read", "", "", len(rows.query), message)]
    return found, problems, findings


def _repeats(rows):
    """The lines that name a document that an earlier line of the same query names. -> (lines, their first lines)"""
    codes = rows.documents.dictionary_encode().indices.to_numpy()
    key = rows.query.astype(np.int64) * (codes.max() + 1) + codes
    _, first, item = np.unique(key, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[item] != np.arange(len(key)))
    return again, first[item][again]


def _repeated_lines(name, rows):
    again, first = _repeats(rows)
    if not len(again):
        return []
    where = _pair(rows, again[0])
    line = None if rows.lines is None else int(rows.lines[again[0]])
    at = "" if line is None else f", line {line}"
    before = "" if line is None else f" as on line {rows.lines[first[0]]}"
    message = f"{name}{at}: {where} again{before}, where a ranking has a document once.{formats.also(len(again))}"
    return [Problem(name, line, message, tuple(_pair(rows, row) for row in again[:3]))]


def _pair(rows, row):
    topic = formats.shortened(rows.queries[rows.query[row]], 40)
    return f'topic {topic}, document "{formats.shortened(rows.documents[int(row)].as_py(), 60)}"'


def judged(name, rows):
    """The judgments topic by topic, each (topic, document) once. -> (Judged, problems, findings)"""
    again, first = _repeats(rows)
    problems, findings = [], []
    differ = rows.values[again] != rows.values[first]
    if differ.any():
        problems = [_two_grades(name, rows, again[differ], first[differ])]
    elif len(again):
        line = "" if rows.lines is None else f", line {rows.lines[again[0]]}"
        lines = "1 judgment repeats" if len(again) == 1 else f"{len(again):,} judgments repeat"
        message = f"{name}: {lines} an earlier one, with the same grade (e.g. {_pair(rows, again[0])}{line})."
        findings = [Finding("note", "repeated judgments", "", "", len(again), message)]
    keep = np.ones(len(rows.query), bool)
    keep[again] = False
    keep = np.flatnonzero(keep)
    by_topic = keep[np.argsort(rows.query[keep], kind="stable")]
    starts = np.searchsorted(rows.query[by_topic], np.arange(len(rows.queries) + 1))
    topics = [_text(topic) for topic in rows.queries]
    return Judged(topics, starts, rows.documents.take(pa.array(by_topic)), rows.values[by_topic]), problems, findings


def _two_grades(name, rows, again, first):
    def words(row, earlier):
        grades = f"grade {rows.values[earlier]}", f"{rows.values[row]}"
        if rows.lines is None:
            return " and ".join(grades)
        return f"{grades[0]} on line {rows.lines[earlier]} and {grades[1]} on line {rows.lines[row]}"

    line = None if rows.lines is None else int(rows.lines[again[0]])
    at = "" if line is None else f", line {line}"
    what = f"{_pair(rows, again[0])} has {words(again[0], first[0])}"
    message = f"{name}{at}: one document with two grades: {what}.{formats.also(len(again))}"
    both = zip(again[:3], first[:3], strict=True)
    examples = tuple(f"{_pair(rows, row)}: {words(row, earlier)}" for row, earlier in both)
    return Problem(name, line, message, examples)


def _text(name):
    return name.decode("utf-8", "backslashreplace")
