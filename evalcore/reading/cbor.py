"""CBOR of rankings or judgments, {query: {document: number}}, as ranx packs it with lz4, as the same in JSON."""

import io
import json
import struct

from evalcore.reading.archive_limits import MOST_TOPICS, too_many_topics
from evalcore.reading.files import InputError, refusal

NUMBERS = {0xF9: ">e", 0xFA: ">f", 0xFB: ">d"}  # of 2, 4 and 8 bytes
LENGTHS = {24: ">B", 25: ">H", 26: ">I", 27: ">Q"}  # of what a count, or a whole number, takes behind its first byte
UNSIGNED, NEGATIVE, TEXT, MAP = 0, 1, 3, 5
ENDLESS, END = 31, b"\xff"  # of a map that does not say how many keys it has


def is_map(data: bytes) -> bool:
    """Whether bytes begin as a map does; no text in UTF-8 begins so."""
    return data[:1] != b"" and data[0] >> 5 == MAP


def as_json(name: str, data: bytes) -> bytes:
    """The map as JSON; InputError where it is no map of maps of numbers, or is cut off."""
    content, queries, query = io.BytesIO(data), [], "none"
    try:
        for query in _keys(content):
            documents = [f"{document}: {_number(content)}" for document in _keys(content)]
            queries.append(f"{query}: {{{', '.join(documents)}}}")
            if len(queries) > MOST_TOPICS:
                raise refusal(name, too_many_topics(len(queries)))
    except InputError:
        raise
    except (ValueError, OverflowError):
        place = f"it was read up to query {query}"
        raise refusal(
            name, f" is not a run or judgments as ranx packs them, or is cut off ({place}). Save it as JSON."
        ) from None
    return f"{{{', '.join(queries)}}}".encode()


def _keys(content):
    """The keys of the map that is next, as JSON; whoever takes one reads its value before the next. ValueError"""
    kind, count = _head(content, _taken(content, 1))
    if kind != MAP:
        raise ValueError(kind)
    while count != 0:
        first = _taken(content, 1)
        if count is None and first == END:
            return
        count = count and count - 1
        kind, length = _head(content, first)
        if kind != TEXT:
            raise ValueError(kind)
        yield json.dumps(_taken(content, length).decode())


def _number(content):
    """The number that is next, as JSON."""
    first = _taken(content, 1)
    if form := NUMBERS.get(first[0]):
        return json.dumps(_unpacked(content, form))
    kind, value = _head(content, first)
    if kind not in (UNSIGNED, NEGATIVE):
        raise ValueError(kind)
    return str(value if kind == UNSIGNED else -1 - value)


def _head(content, first):
    """What kind of value begins with a byte, and its number, length or count, None for one without an end."""
    kind, count = divmod(first[0], 32)
    if count in LENGTHS:
        return kind, _unpacked(content, LENGTHS[count])
    if count > max(LENGTHS) and (kind, count) != (MAP, ENDLESS):
        raise ValueError(count)
    return kind, None if count == ENDLESS else count


def _unpacked(content, form):
    (value,) = struct.unpack(form, _taken(content, struct.calcsize(form)))
    return value


def _taken(content, length):
    taken = content.read(length)
    if len(taken) < length:
        raise ValueError(length)
    return taken
