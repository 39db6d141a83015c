"""The rankings or judgments of one JSON file as columns."""

import json
import sys

import numpy as np
import pyarrow as pa

from evalcore.reading.error_text import also, shortened


def columns_of(reader):
    """{query: {document: score or grade}} as columns and values, in the file's order; a repeated key is not lost."""
    is_run = reader.role == "run"
    wanted = '{"query": {"document": %s}}' % ("score" if is_run else "grade")
    other = f"JSON, but not of the form {wanted}"
    try:
        queries = json.loads(reader.data.decode("utf-8", "backslashreplace"), object_pairs_hook=list)
    except json.JSONDecodeError as error:
        reader.refuse(f": this is not JSON ({error.msg}); {wanted} is needed.", error.lineno)
    except (RecursionError, ValueError):
        reader.refuse(f" is {other}.", reason=f"It is {other}.")
    for query, documents in queries:
        if not _is_object(documents):
            contains = f"query {_quoted(query)} contains {_kind(documents)}"
            reader.refuse(f" is {other}: {contains}.", reason=f"It is {other}: {contains}.")
    cells = [(query, document, value) for query, documents in queries for document, value in documents]
    if not cells:
        reader.refuse(f" contains no {'document' if is_run else 'judgment'}; {wanted} is needed.")
    _refuse_json_values(reader, [cell for cell in cells if not _is_json_number(cell[2], is_run)])
    asked, documents, values = zip(*cells, strict=True)
    topic = pa.array(map(_bytes, asked), pa.binary()).dictionary_encode()
    columns = {"topic": topic, "document": pa.array(map(_bytes, documents), pa.binary())}
    return columns, np.array(values, np.float64 if is_run else np.int32)


def _refuse_json_values(reader, bad):
    if bad:
        query, document, value = bad[0]
        name, needed = ("score", "a finite number") if reader.role == "run" else ("grade", "a whole number")
        message = (
            f": query {_quoted(query)}, document {_quoted(document)}: the {name} is {_kind(value)}, "
            f"but must be {needed}.{also(len(bad), 'value')}"
        )
        reader.refuse(
            message, None, [shortened(_bytes(f"{document}: {_kind(value)}")) for _, document, value in bad[:3]]
        )


def _is_json_number(value, is_run):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if is_run:
        return abs(value) <= sys.float_info.max
    return value == value and abs(value) < 2**31 and value == int(value)


def _is_object(value):
    return isinstance(value, list) and all(isinstance(pair, tuple) for pair in value)


def _kind(value):
    if isinstance(value, list):
        return "an object" if value and _is_object(value) else "a list"
    return shortened(_bytes(json.dumps(value)), 40)


def _bytes(text):
    return text.encode("utf-8", "surrogatepass")


def _quoted(text):
    return f'"{shortened(_bytes(text), 40)}"'
