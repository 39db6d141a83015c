"""Runs and judgments that a program has in memory: frames, dicts and records, as files that are read like any others.

Columns have the names of ir_measures, PyTerrier, ranx, pytrec_eval or BEIR. Nothing is guessed from values. A table
may be of any program: with `to_pandas()`, as of polars, pyarrow and datasets, or rows that are dicts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from evalcore.reading.error_text import also
from evalcore.reading.fields import TRUTH
from evalcore.reading.files import File, Upload

NAMES = {  # our column -> what other programs call it
    "topic": ("query_id", "qid", "q_id", "topic", "query-id"),
    "document": ("doc_id", "docno", "docid", "document", "corpus-id"),
    "score": ("score",),
    "grade": ("relevance", "rel", "label", "score", "grade"),
}
IN_MEMORY = " (in memory)"  # ends what takes the place of a file's name
RUN, QRELS = ("topic", "document", "score"), ("topic", "document", "grade")


def runs_as_files(runs: File | Iterable[File] | Mapping[str, Any]) -> File | Iterable[File]:
    """Runs as `Upload`s, each named by its key; paths and uploads stay as they are.

    runs : {name: a table, a dict {topic: {document: score}} or records (topic, document, score)}, or an object with
        such a dict, as ranx has
    Raises ValueError for a table without one of these columns.
    """
    if any(map(_is_table, runs if isinstance(runs, (list, tuple)) else [runs])):
        raise ValueError('a frame needs the name of its run: runs={"bm25": frame}.')
    if not isinstance(runs, Mapping):
        return runs
    return [_upload(name, _frame(of, RUN, name).assign(system=str(name))) for name, of in runs.items()]


def judgments_as_file(qrels: Any, name: str = "judgments") -> Any:
    """Judgments as an `Upload`; a path, an upload, None and False stay as they are. qrels : as a run, with grades"""
    files = not qrels or not isinstance(qrels[0], (tuple, Mapping)) if isinstance(qrels, (list, tuple)) else False
    records = isinstance(qrels, Iterable) and not isinstance(qrels, (str, bytes, Upload)) and not files
    if not (records or _is_table(qrels) or hasattr(qrels, "to_dict")) or hasattr(qrels, "__fspath__"):
        return qrels
    return _upload(name, _frame(qrels, QRELS, f"the {name}"))


def table_as_file(table: Any, name: str) -> Any:
    """A table of systems or of queries as an `Upload`; a path, an upload and None stay as they are."""
    return _upload(name, _as_pandas(table)) if _is_table(table) else table


def _is_table(of):
    """Whether this is a frame, or a table of another program."""
    return isinstance(of, pd.DataFrame) or hasattr(of, "to_pandas") or hasattr(of, "column_names")


def _as_pandas(table):
    if isinstance(table, pd.DataFrame):
        return table
    return table.to_pandas() if hasattr(table, "to_pandas") else pd.DataFrame(list(table))


def _frame(of, columns, name):
    """A frame of these columns. of : a table, a dict of dicts, an object with one, or records"""
    try:
        frame = _as_pandas(of) if _is_table(of) else _of_records(_records(of), columns)
    except (AttributeError, TypeError, ValueError):
        raise ValueError(
            f"{name}: write a frame, a dict of dicts, such as {{topic: {{document: 1.5}}}}, or records of topic, "
            "document and number."
        ) from None
    rows = {}
    for column in columns:
        called = next((name for name in NAMES[column] if name in frame), None)
        if called is None:
            raise ValueError(
                f"{name}: there is no column for the {column}. Name it {' or '.join(NAMES[column])}; the columns are "
                f"{', '.join(map(str, frame.columns))}."
            )
        rows[column] = frame[called].to_numpy()
    _refuse_unless_numbers(name, rows, columns[-1])
    return pd.DataFrame(rows)


def _refuse_unless_numbers(name, rows, column):
    """Raises ValueError for a score or grade that is no number, by its topic and document; a grade may be missing."""
    values = pd.Series(rows[column])
    bad = pd.to_numeric(values, errors="coerce").isna()
    if column == "grade":
        bad &= ~values.isna() & ~values.astype(str).str.lower().isin([*TRUTH])
    if bad.any():
        topic, document, value = (cells[int(bad.argmax())] for cells in rows.values())
        raise ValueError(
            f"{name}: topic {topic}, document {document}: the {column} is {value!r:.40}, but must be a number. "
            f"Correct it, or leave the row out.{also(int(bad.sum()), 'row')}"
        )


def _records(of):
    """Dicts, or rows of three. of : a dict of dicts, an object with one, or records"""
    of = of.to_dict() if hasattr(of, "to_dict") else of
    if isinstance(of, Mapping):
        return [(topic, document, value) for topic, some in of.items() for document, value in some.items()]
    return [record if isinstance(record, Mapping) else tuple(record)[:3] for record in of]


def _of_records(records, columns):
    of_dicts = bool(records) and isinstance(records[0], Mapping)
    return pd.DataFrame(records) if of_dicts else pd.DataFrame(records, columns=list(columns))


def _upload(name, frame):
    return Upload(f"{name}{IN_MEMORY}", frame.to_csv(index=False).encode("utf-8"))
