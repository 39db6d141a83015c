"""Runs and judgments that a program has in memory: frames, dicts and records, as files that are read like any others.

Columns have the names of ir_measures, PyTerrier, ranx or pytrec_eval. Nothing is guessed from values.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from evalcore.reading.files import File, Upload

NAMES = {  # our column -> what other programs call it
    "topic": ("query_id", "qid", "q_id", "topic"),
    "document": ("doc_id", "docno", "docid", "document"),
    "score": ("score",),
    "grade": ("relevance", "rel", "label", "score", "grade"),
}
QRELS_FILE = "qrels.csv"  # what judgments in memory are called
RUN, QRELS = ("topic", "document", "score"), ("topic", "document", "grade")


def runs_as_files(runs: File | Iterable[File] | Mapping[str, Any]) -> File | Iterable[File]:
    """Runs as `Upload`s, each named by its key; paths and uploads stay as they are.

    runs : {name: a frame, a dict {topic: {document: score}} or records (topic, document, score)}, or an object with
        such a dict, as ranx has
    Raises ValueError for a frame without one of these columns.
    """
    if isinstance(runs, pd.DataFrame):
        raise ValueError('a frame needs the name of its run: runs={"bm25": frame}.')
    if not isinstance(runs, Mapping):
        return runs
    return [_upload(f"{name}.csv", _frame(of, RUN, name).assign(system=str(name))) for name, of in runs.items()]


def judgments_as_file(qrels: Any) -> Any:
    """Judgments as an `Upload`; a path, an upload, None and False stay as they are. qrels : as a run, with grades"""
    files = not qrels or not isinstance(qrels[0], tuple) if isinstance(qrels, list) else False
    records = isinstance(qrels, Iterable) and not isinstance(qrels, (str, bytes, Upload)) and not files
    if not (records or hasattr(qrels, "to_dict")) or hasattr(qrels, "__fspath__"):
        return qrels
    return _upload(QRELS_FILE, _frame(qrels, QRELS, "the judgments"))


def _frame(of, columns, name):
    """A frame of these columns. of : a frame, a dict of dicts, an object with one, or records"""
    try:
        frame = of if isinstance(of, pd.DataFrame) else pd.DataFrame(_records(of), columns=list(columns))
    except (AttributeError, TypeError, ValueError):
        raise ValueError(
            f"{name}: write a frame, a dict of dicts, such as {{topic: {{document: 1.5}}}}, or records of topic, "
            "document and number."
        ) from None
    found = {}
    for column in columns:
        called = next((one for one in NAMES[column] if one in frame), None)
        if called is None:
            raise ValueError(
                f"{name}: there is no column for the {column}. Name it {' or '.join(NAMES[column])}; the columns are "
                f"{', '.join(map(str, frame.columns))}."
            )
        found[column] = frame[called].to_numpy()
    return pd.DataFrame(found)


def _records(of):
    """Rows of three. of : a dict of dicts, an object with one, or records"""
    of = of.to_dict() if hasattr(of, "to_dict") else of
    if isinstance(of, Mapping):
        return [(topic, document, value) for topic, some in of.items() for document, value in some.items()]
    return [tuple(record)[:3] for record in of]


def _upload(name, frame):
    return Upload(name, frame.to_csv(index=False).encode("utf-8"))
