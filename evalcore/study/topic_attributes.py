"""Attributes of topics: a user's table of numbers, such as difficulty, that consistency may depend on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evalcore.reading import companion_tables, loading
from evalcore.reading.error_text import few_of
from evalcore.reading.files import File, refusal

if TYPE_CHECKING:
    from evalcore.study.study import Study


def with_attributes(study: Study, attributes: File) -> Study:
    """The study with a table of its topics' attributes, in place of an earlier one.

    attributes : a path or an `Upload` of a TSV, CSV or Excel table with a header: a column `topic` and columns of
        numbers. Other columns are ignored, and topics that the study does not have
    Raises `InputError`.
    """
    table, source, findings = loading.load_attributes(attributes)
    kept = [one for one in study.sources if one.role != source.role]
    findings = (*study.findings, *(finding for finding in findings if finding not in study.findings))
    numbers = _numbers(table, study.whole.topics)
    return replace(study, attributes=numbers, sources=(*kept, source), findings=findings)


def _numbers(table, topics):
    """The columns of numbers by topic. -> DataFrame, one row per topic of the track that the table has"""
    cells = {name: [row[name] for row in table.rows] for name in table.columns}
    frame = companion_tables.frame(cells).set_index("topic")
    repeated = list(dict.fromkeys(frame.index[frame.index.duplicated()]))
    if repeated:
        raise refusal(table.name, f" has several rows for topic {few_of(repeated)}. Keep one row for each topic.")
    known = frame[frame.index.isin(topics)]
    if not len(known):
        example = f"{few_of(list(frame.index))}; the track has {few_of(topics)}"
        raise refusal(table.name, f" has no topic of this track ({example}). Use the same names in both.")
    numbers = known.select_dtypes("number")
    if not len(numbers.columns):
        raise refusal(table.name, " has no column of numbers. Add one, such as the difficulty of each topic.")
    return numbers
