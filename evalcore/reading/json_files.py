"""The rankings or judgments of one JSON file as columns: {query: {document: value}} or {query: [documents]}, or records
in a list or in lines, one for each document, or one for each query with the list of its documents.
"""

import json
import re
import sys
from typing import Any, TypeGuard

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.reading.archive_limits import MOST_TOPICS, too_many_topics
from evalcore.reading.column_meanings import MINUS_INFINITE, NUMBER
from evalcore.reading.error_text import also, few_of, refuse_scores, shortened
from evalcore.reading.fields import NAMES, TRUTH, VALUES, plain
from evalcore.reading.files import InputError
from evalcore.vocabulary.sentences import digits

LOOKED_AT = 1000  # documents that show whether they are metrics
MOST_KEYS = 1000  # of a record; an object with more has queries or documents for keys
BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(\{\s*["}]|\[\s*\{)')
TOPICS = (*NAMES["topic"], "turnid")  # the last is iKAT's
LISTS = NAMES["list"]
SECTIONS = {"run": ("results", "run"), "qrels": ("qrels",)}  # keys of a file that has both, by role
SECTION = re.compile(rb'"(results|run|qrels)"\s*:\s*\{\s*"')


def is_json(data: bytes) -> bool:
    """Whether a text begins as JSON of objects does."""
    return BEGINS.match(data[:4096]) is not None


def keys_of(data: bytes) -> set[str]:
    """The keys in the beginning of JSON records, as `plain`; an empty set where it is not of records."""
    keys = {plain(key.decode("utf-8", "replace")) for key in re.findall(rb'"((?:[^"\\]|\\.)*)"\s*:', data)}
    of_list, of_document = keys & {*LISTS}, keys & {*NAMES["document"]}
    return keys if keys & {*TOPICS} and (of_list or of_document) else set()


def may_have_both(head: bytes) -> bool:
    """Whether the beginning of a file shows that it may have a run and judgments."""
    return is_json(head) and SECTION.search(head) is not None


def sections(data: bytes) -> dict[str, str]:
    """The key of the run and that of the judgments, by role, in an object that has both; else nothing."""
    names = {key.decode() for key in SECTION.findall(data)}
    of_role = {role: key for role, keys in SECTIONS.items() for key in keys if key in names}
    return of_role if len(of_role) == len(SECTIONS) else {}


def columns_of(reader: Any) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Rankings or judgments as columns and values, in the file's order; a repeated key is not lost.

    The columns have a rank only where every document has one, and a system where the records name several.
    """
    is_run = reader.role == "run"
    wanted = '{"query": {"document": %s}}' % ("score" if is_run else "grade")
    cells = _cells(reader, _parsed(reader, wanted), f"JSON, but not of the form {wanted}")
    if not cells:
        reader.refuse(f" contains no {'document' if is_run else 'judgment'}; {wanted} is needed.")
    if not is_run:
        _refuse_indices(reader, cells)
    queries, documents, values, ranks, systems = zip(*cells, strict=True)
    numbers = [_number(value, is_run) for value in values]
    lacks_any = not any(number is not None and number > -np.inf for number in numbers)
    pairs = zip(cells, numbers, strict=True)
    _refuse_json_values(reader, [cell[:3] for cell, number in pairs if number is None or lacks_any])
    refuse_scores(reader.name, [_bytes(document) for document in documents[:LOOKED_AT]])
    columns = {"topic": _column(queries).dictionary_encode(), "document": _column(documents)}
    if all(map(_is_rank, ranks)):
        columns["rank"] = np.array([_number(rank, True) for rank in ranks], np.int32)
    if is_run and len({*systems}) > 1:
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
    records, is_record = [], None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=list)
        except json.JSONDecodeError as own:
            if not records:
                raise error from None
            reader.refuse(f": this is not JSON ({own.msg}); every line must be a record.", number)
        if is_record is None:
            is_record = _record(record, reader.role) is not None
        if is_record and _record(record, reader.role) is None:
            reader.refuse(f": this record {_lacks(reader)}.", number)
        if not is_record and not (_is_object(record) and _has_lists(record)):
            raise error
        records.append(record)
    return records if is_record else [pair for record in records for pair in record]


def _has_lists(record):
    return bool(record) and all(isinstance(value, list) for _, value in record)


def _lacks(reader):
    return f"lacks a topic, a document or a {VALUES[reader.role]}"


def _cells(reader, content, other):
    """-> a list of (query, document, value, rank, system)"""
    if _is_object(content) and _record(content, reader.role) is None:
        content = _within(content) or _section(content, reader.role)
    records = [content] if _is_object(content) else content
    read = []
    for record in records:
        read.append(_record(record, reader.role))
        if read[-1] is None:  # the others are not looked at
            break
    if read and None not in read:
        _note_failures(reader, records)
        return [cell for cells in read for cell in cells]
    if read and read[0]:
        reader.refuse(f": record {read.index(None) + 1:,} {_lacks(reader)}.")
    if not _is_object(content):
        reader.refuse(f" is {other}.", reason=f"It is {other}.")
    if len(content) > MOST_TOPICS:  # before anything is done with each of them
        reader.refuse(too_many_topics(len(content)))
    cells, of_names = [], 0
    for around, query, documents in _queries(reader, content):
        if _is_object(documents):
            own = [(document, value, None, around) for document, value in documents]
        else:
            own = _listed(documents, {}, reader.role, around)
            of_names += _is_names(documents)
        if own is None:
            contains = f"query {_quoted(query)} contains {_kind(documents)}"
            reader.refuse(f" is {other}: {contains}.", reason=f"It is {other}: {contains}.")
        cells += [(query, *cell) for cell in own]
    if of_names and reader.role == "qrels":
        reader.note("no grades", len(cells), ": it has no grades, so all its documents count as relevant (grade 1).")
    return cells


def _within(content):
    """The records within the objects that programs put around them; None where there are none."""
    for key, inner in content if _is_object(content) and len(content) <= MOST_KEYS else ():
        if plain(key) in NAMES["around"] and isinstance(inner, list):
            return (_within(inner[0] if len(inner) == 1 else inner) or inner) if _is_list(inner) else _within(inner)
    return None


def _section(content, role):
    """The run or the judgments of an object that has both; else the object."""
    by_role = {
        of_role: next(
            (value for key, value in content if key in keys and _is_list([inner for _, inner in value or ()])), None
        )
        for of_role, keys in SECTIONS.items()
    }
    return by_role[role] if all(by_role.values()) else content


def _queries(reader, content, around=()):
    """The queries of an object, (name of what is around them or None, query, documents); it may have further levels,
    such as the data set and its part in MTEB's predictions, or several runs."""
    content = [pair for pair in content if pair[0] != "mteb_model_meta"]
    inner = [value for _, values in content if _is_object(values) for _, value in values]
    if not inner or not all(_is_object(values) for _, values in content):
        return [("/".join(around) or None, *pair) for pair in content]
    if not all(isinstance(value, list) and value for value in inner):
        return [("/".join(around) or None, *pair) for pair in content]
    if reader.role == "qrels" and len(content) > 1:
        names = f"{len(content)} sets of judgments ({few_of([name for name, _ in content])})"
        reader.refuse(f" contains {names}, but only one can be used. Give each its own file.")
    return [query for name, values in content for query in _queries(reader, values, (*around, name))]


def _note_failures(reader, records):
    """That documents have no rating because their judge failed, as OpenSearch writes them."""
    lists = [value for record in records for key, value in record if plain(key) == "failures"]
    if count := sum(len(failures) for failures in lists if isinstance(failures, list)):
        are = digits(count, "document is a failure", "documents are failures")
        reader.note("rows without a grade", count, f": {are} of the judge without a rating, and count as unjudged.")


def _refuse_indices(reader, cells):
    """Refuses a document that has two grades because two indices of Elasticsearch have one of its name."""
    first = {}
    for query, document, value, _, index in cells:
        before = first.setdefault((query, document), (value, index))
        if index and before[1] and index != before[1] and value != before[0]:
            reader.refuse(
                f": query {_quoted(query)}, document {_quoted(document)}: the grade is {_kind(before[0])} in the index "
                f"{before[1]}, but {_kind(value)} in {index}. A run that has only its name could mean either. Write a "
                "file for each index, or names that contain the index."
            )


def _record(record, role):
    """What a record (pairs of key and value) says, as (query, document, value, rank, system); None where it is none. No
    rank or system is None."""
    if not record or not _is_object(record) or len(record) > MOST_KEYS:
        return None
    named = {plain(key): value for key, value in record}
    if _is_object(named.get("metadata")):  # of TREC RAG's answers
        named = {plain(key): value for key, value in named["metadata"]} | named
    query, system = _first(named, TOPICS), _first(named, NAMES["system"]) if role == "run" else None
    documents = next((named[name] for name in LISTS if _is_list(named.get(name)) or _is_names(named.get(name))), None)
    if documents is None:
        pairs = next((named[name] for name in LISTS if named.get(name) and _is_object(named[name])), None)
        documents = _of_one_answer(named) if pairs is None else [[*pair] for pair in pairs]
    if "ratings" in named:  # of rank_eval, whose request may have a query, too
        query = _first(named, ("id",)) or query
    if query is None:
        return None
    if documents is None and any(named.get(name) == [] for name in (*LISTS, "references")):
        return [] if role == "run" or named.get("ratings") == [] else None
    if documents is None:
        return [(query, *cell)] if (cell := _document(named, role, None, system)) else None
    if role == "qrels" and _is_names(documents):
        return None
    cells = _listed(documents, named, role, system)
    return None if cells is None else [(query, *cell) for cell in cells]


def _of_one_answer(named):
    """The passages that the only response of an answer of iKAT comes from."""
    if not _is_list(named.get("responses")) or len(named["responses"]) > 1:
        return None
    response = {plain(key): value for key, value in named["responses"][0]}
    passages = (response.get(name) for name in ("passageprovenance", "provenance"))
    return next((listed for listed in passages if _is_list(listed)), None)


def _listed(documents, named, role, system):
    """(document, value, rank, system) for each of a list of names, of [name, number] or of objects; else None.

    named : of the record that the list is in, which may have the scores of the names; {} where there is none
    """
    if _is_names(documents):
        scores = next((named[name] for name in NAMES["score"] if isinstance(named.get(name), list)), None)
        if scores is None:
            scores = [1 if role == "qrels" else -rank for rank in range(len(documents))]
        fits = len(scores) == len(documents)
        return [(*cell, None, system) for cell in zip(map(str, documents), scores, strict=True)] if fits else None
    if not isinstance(documents, list):
        return None
    if documents and all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in documents):
        return [(*pair, None, system) for pair in documents]
    if not all(map(_is_object, documents)):
        return None
    objects = ({plain(key): value for key, value in record} for record in documents)
    cells = [_document(record, role, rank, system) for rank, record in enumerate(objects)]
    return cells if all(cells) else None


def _document(named, role, place, system):
    """(document, value, rank, system) of a record; place : its place in a list, used where it has neither a score nor a
    rank; system : of the list"""
    document = _first(named, NAMES["document"])
    score, rank = (next((named[name] for name in NAMES[key] if name in named), None) for key in (VALUES[role], "rank"))
    if score is None and role == "run":
        number = _number(place if rank is None else rank, True)
        score = None if number is None else -number
    index = named.get("index")
    if role == "run":
        system = _first(named, NAMES["system"]) or system
    elif isinstance(index, str):  # of Elasticsearch
        system = index
    return None if document is None or score is None else (document, score, rank, system)


def _first(named, names):
    """The first name that these keys give, of an object its id."""
    for name in names:
        value = named.get(name)
        if value and _is_object(value):
            value = _first({plain(key): inner for key, inner in value}, (*names, "id"))
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


def _is_names(value: object) -> TypeGuard[list[str | int]]:
    return isinstance(value, list) and bool(value) and all(type(name) in (str, int) for name in value)


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
