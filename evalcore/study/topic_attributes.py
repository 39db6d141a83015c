"""Attributes of topics: a user's table of numbers, such as difficulty, that scores and consistency may depend on."""

import contextlib
import hashlib
from dataclasses import replace

from evalcore.reading import companion_tables
from evalcore.reading.error_text import few_of
from evalcore.reading.files import InputError, Problem, Source, listing, refusal
from evalcore.reading.unpacking import Unpacker


def with_attributes(study, attributes):
    """The study with a table of its topics' attributes, in place of an earlier one.

    attributes : a path or an `Upload` of a TSV, CSV or Excel table with a header: a column `topic` and columns of
        numbers. Other columns are ignored, topics that the study does not have as well
    Raises `InputError`.
    """
    listed = listing(attributes, "attributes")
    if listed.problems:
        raise InputError(listed.problems)
    if len(listed.files) != 1:
        raise InputError(
            [Problem("", None, f"{len(listed.files)} files were given for the topics' attributes. Give 1.")]
        )
    with contextlib.closing(listed.files[0]) as file:
        data, text = Unpacker().read(file)
    table, _ = companion_tables.read(file.name, text, "attributes", file.sheet)
    source = Source("attributes", file.name, hashlib.sha256(data).hexdigest(), file.size)
    kept = (one for one in study.sources if one.role != "attributes")
    return replace(study, attributes=_numbers(table, study.whole.topics), sources=(*kept, source))


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
