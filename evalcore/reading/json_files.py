"""The rankings or judgments of one JSON file as columns: {query: {document: value}}, or records in a list or in lines,
one for each document, or one for each query with the list of its documents.
"""

import json
import re
import sys
from typing import Any, TypeGuard

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.reading.column_meanings import MINUS_INFINITE, NAMES, NUMBER, TRUTH, plain
from evalcore.reading.error_text import also, refuse_scores, shortened
from evalcore.reading.files import InputError

LOOKED_AT = 1000  # documents that show whether they are metrics
BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(\{\s*["}]|\[\s*\{)')
LISTS = (  # what people call the documents of a query; the last is TREC RAG's
    "candidates", "results", "hits", "ranking", "documents", "docs", "references",
)  # fmt: skip
VALUES = {"run": "score", "qrels": "grade"}


def is_json(data: bytes) -> bool:
    """Whether a text begins as JSON of objects does."""
    return BEGINS.match(data[:4096]) is not None


def keys_of(data: bytes) -> set[str]:
    """The keys in the beginning of JSON records, as `plain`; an empty set where it is not of records."""
    found = {plain(key.decode("utf-8", "replace")) for key in re.findall(rb'"((?:[^"\\]|\\.)*)"\s*:', data)}
    of_list, of_document = found & {*LISTS}, found & {*NAMES["document"]}
    return found if found & {*NAMES["topic"]} and (of_list or of_document) else set()


def columns_of(reader: Any) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Rankings or judgments as columns and values, in the file's order; a repeated key is not lost.

    The columns have a rank only where every document has one, and a system where the records name several.
    """
    is_run = reader.role == "run"
    wanted = '{"query": {"document": %s}}' % ("score" if is_run else "grade")
    cells = _cells(reader, _parsed(reader, wanted), f"JSON, but not of the form {wanted}")
    if not cells:
        reader.refuse(f" contains no {'document' if is_run else 'judgment'}; {wanted} is needed.")
    asked, documents, values, ranks, systems = zip(*cells, strict=True)
    numbers = [_number(value, is_run) for value in values]
    lacks_any = not any(number is not None and number > -np.inf for number in numbers)
    pairs = zip(cells, numbers, strict=True)
    _refuse_json_values(reader, [cell[:3] for cell, number in pairs if number is None or lacks_any])
    refuse_scores(reader.name, [_bytes(document) for document in documents[:LOOKED_AT]])
    columns = {"topic": _column(asked).dictionary_encode(), "document": _column(documents)}
    if all(map(_is_rank, ranks)):
        columns["rank"] = np.array([_number(rank, True) for rank in ranks], np.int32)
    if len({*systems}) > 1:
        columns["system"] = _column(system or "" for system in systems).dictionary_encode()
    return columns, np.array(numbers, np.float64)


def _parsed(reader, wanted):
    """The value of the text, or the list of the values of its lines. Objects are lists of pairs."""
    text = reader.data.decode("utf-8", "backslashreplace")
    try:
        try:
            return json.loads(text, object_pairs_hook=list)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                raise
            return _records(reader, text, error)
    except json.JSONDecodeError as error:
        reader.refuse(f": this is not JSON ({error.msg}); {wanted} is needed.", error.lineno)
    except InputError:
        raise
    except (RecursionError, ValueError):
        other = f"JSON, but not of the form {wanted}"
        reader.refuse(f" is {other}.", reason=f"It is {other}.")


def _records(reader, text, error):
    """The values of the lines of a text; the error of the text as a whole where its first line is no object."""
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            records += [(number, json.loads(line, object_pairs_hook=list))] if line.strip() else []
        except json.JSONDecodeError as own:
            if not records:
                raise error from None
            reader.refuse(f": this is not JSON ({own.msg}); every line must be a record.", number)
    values = [record for _, record in records]
    if all(_is_object(record) and _is_list([one for _, one in record]) for record in values):
        return [pair for record in values for pair in record]
    are_records = [_record(record, reader.role) is not None for record in values]
    if not are_records[0]:
        raise error
    if not all(are_records):
        reader.refuse(f": this record {_lacks(reader)}.", records[are_records.index(False)][0])
    return values


def _lacks(reader):
    return f"lacks a topic, a document or a {VALUES[reader.role]}"


def _cells(reader, content, other):
    """-> a list of (query, document, value, rank, system)"""
    records = [content] if _is_object(content) else content
    found = [_record(record, reader.role) for record in records]
    if found and None not in found:
        return [cell for cells in found for cell in cells]
    if found and found[0]:
        reader.refuse(f": record {found.index(None) + 1:,} {_lacks(reader)}.")
    if not _is_object(content):
        reader.refuse(f" is {other}.", reason=f"It is {other}.")
    for query, documents in content:
        if not _is_object(documents):
            contains = f"query {_quoted(query)} contains {_kind(documents)}"
            reader.refuse(f" is {other}: {contains}.", reason=f"It is {other}: {contains}.")
    return [(query, document, value, None, None) for query, documents in content for document, value in documents]


def _record(record, role):
    """What a record (pairs of key and value) says, as (query, document, value, rank, system); None where it is none. No
    rank or system is None."""
    if not _is_object(record):
        return None
    named = {plain(key): value for key, value in record}
    if _is_object(named.get("metadata")):  # of TREC RAG's answers
        named = {plain(key): value for key, value in named["metadata"]} | named
    query, system = _first(named, NAMES["topic"]), _first(named, NAMES["system"]) if role == "run" else None
    documents = next((named[name] for name in LISTS if _is_list(named.get(name)) or _is_names(named.get(name))), None)
    if query is None:
        return None
    if documents is None and role == "run" and any(named.get(name) == [] for name in LISTS):
        return []
    if _is_names(documents):
        scores = next((named[name] for name in NAMES["score"] if isinstance(named.get(name), list)), None)
        scores = [-rank for rank in range(len(documents))] if scores is None else scores
        fits = role == "run" and len(scores) == len(documents)
        return [(query, *cell, None, system) for cell in zip(documents, scores, strict=True)] if fits else None
    if documents is None:
        return [(query, *cell)] if (cell := _document(named, role, None, system)) else None
    named = ({plain(key): value for key, value in one} for one in documents)
    cells = [_document(one, role, rank, system) for rank, one in enumerate(named)]
    return [(query, *cell) for cell in cells] if all(cells) else None


def _document(named, role, place, system):
    """(document, value, rank, system) of a record; place : its place in a list, used where it has neither a score nor a
    rank; system : of the list"""
    document = _first(named, NAMES["document"])
    score, rank = (next((named[name] for name in NAMES[one] if name in named), None) for one in (VALUES[role], "rank"))
    if score is None and role == "run":
        number = _number(place if rank is None else rank, True)
        score = None if number is None else -number
    if role == "run":
        system = _first(named, NAMES["system"]) or system
    return None if document is None or score is None else (document, score, rank, system)


def _first(named, names):
    """The first name that these keys give, of an object its id."""
    for name in names:
        value = named.get(name)
        if value and _is_object(value):
            value = _first({plain(key): one for key, one in value}, (*names, "id"))
        if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "":
            return str(value)
    return None


def _number(value, is_run):
    """A value as a float, None where it is no score or grade."""
    if isinstance(value, str) and is_run and value.lower() in MINUS_INFINITE:
        return -np.inf
    if isinstance(value, str):
        text = value if is_run else TRUTH.get(value.lower(), value)
        value = float(text) if NUMBER.fullmatch(text) and "," not in text else value
    if isinstance(value, bool) and not is_run:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    most = sys.float_info.max if is_run else 2**31 - 1
    return float(value) if -most <= value <= most or (is_run and value == -np.inf) else None


def _is_rank(value):
    number = None if value is None else _number(value, True)
    return number is not None and number == np.floor(number) and abs(number) < 2**31


def _refuse_json_values(reader, bad):
    if bad:
        query, document, value = bad[0]
        name, needed = ("score", "a finite number") if reader.role == "run" else ("grade", "a number")
        message = (
            f": query {_quoted(query)}, document {_quoted(document)}: the {name} is {_kind(value)}, "
            f"but must be {needed}.{also(len(bad), 'value')}"
        )
        reader.refuse(
            message, None, [shortened(_bytes(f"{document}: {_kind(value)}")) for _, document, value in bad[:3]]
        )


def _is_object(value):
    return isinstance(value, list) and all(isinstance(pair, tuple) for pair in value)


def _is_list(value):
    return isinstance(value, list) and bool(value) and all(map(_is_object, value))


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value)


def _kind(value):
    if isinstance(value, list):
        return "an object" if value and _is_object(value) else "a list"
    return shortened(_bytes(json.dumps(value)), 40)


def _column(texts):
    return pa.array(map(_bytes, texts), pa.binary())


def _bytes(text):
    return text.encode("utf-8", "surrogatepass")


def _quoted(text):
    return f'"{shortened(_bytes(text), 40)}"'
