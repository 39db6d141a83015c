"""Attributes of topics: a user's table of numbers, such as difficulty, that consistency may depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from evalcore.reading import companion_tables, loading
from evalcore.reading.error_text import few_of
from evalcore.reading.files import File, refusal
from evalcore.study.study_data import SomeStudy


def with_attributes(study: SomeStudy, attributes: File) -> SomeStudy:
    """The study with a table of its topics' attributes, in place of an earlier one.

    attributes : a path or an `Upload` of a TSV, CSV or Excel table with a header: a column `topic` and columns of
        numbers. Other columns are ignored, and topics that the study does not have
    Raises `InputError`.
    """
    return with_table(study, "attributes", attributes, _numbers)


def with_table(study: SomeStudy, role: str, file: File, read: Callable[..., Any]) -> SomeStudy:
    """The study with one more table, in place of an earlier one. read(table, topics) gives its frame, and findings"""
    table, source, findings = loading.load_file(file, role, loading.How())
    kept = [earlier for earlier in study.sources if earlier.role != source.role]
    frame, more = read(table, study.whole.topics)
    findings = (*study.findings, *(finding for finding in (*findings, *more) if finding not in study.findings))
    added: Any = {role: frame}
    return replace(study, sources=(*kept, source), findings=findings, **added)


def of_track(name: str, frame: pd.DataFrame, topics: Sequence[str]) -> pd.DataFrame:
    """The rows of the track's topics. name : of the file; InputError if there are none"""
    known = frame[frame["topic"].isin(topics)]
    if not len(known):
        example = f"{few_of(list(frame['topic']))}; the track has {few_of(topics)}"
        raise refusal(name, f" has no topic of this track ({example}). Use the same names in both.")
    return known


def _numbers(table, topics):
    """The columns of numbers by topic. -> DataFrame, one row per topic of the track that the table has"""
    cells = {name: [row[name] for row in table.rows] for name in table.columns}
    frame = companion_tables.frame(cells)
    repeated = list(dict.fromkeys(frame["topic"][frame["topic"].duplicated()]))
    if repeated:
        raise refusal(table.name, f" has several rows for topic {few_of(repeated)}. Keep one row for each topic.")
    numbers = of_track(table.name, frame, topics).set_index("topic").select_dtypes("number")
    if not len(numbers.columns):
        raise refusal(table.name, " has no column of numbers. Add one, such as the difficulty of each topic.")
    return numbers, ()
