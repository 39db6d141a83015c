"""CBOR of rankings or judgments, {query: {document: number}}, as ranx packs it with lz4, as the same in JSON."""

import json
import struct

from evalcore.reading.archive_limits import MOST_TOPICS, too_many_topics
from evalcore.reading.files import InputError, refusal

NUMBERS = {0xF9: ">e", 0xFA: ">f", 0xFB: ">d"}  # of 2, 4 and 8 bytes
LENGTHS = {24: ">B", 25: ">H", 26: ">I", 27: ">Q"}  # of what a count, or a whole number, takes behind its first byte
UNSIGNED, NEGATIVE, TEXT, MAP = 0, 1, 3, 5
ENDLESS, END = 31, 0xFF  # of a map that does not say how many keys it has


def is_map(data: bytes) -> bool:
    """Whether bytes begin as a map does; no text in UTF-8 begins so."""
    return data[:1] != b"" and data[0] >> 5 == MAP


def as_json(name: str, data: bytes) -> bytes:
    """The map as JSON; InputError where it is no map of maps of numbers, or is cut off."""
    reader, queries, query = _Reader(data), [], "none"
    try:
        for query in reader.each_key():
            documents = [f"{document}: {reader.number()}" for document in reader.each_key()]
            queries.append(f"{query}: {{{', '.join(documents)}}}")
            if len(queries) > MOST_TOPICS:
                raise refusal(name, too_many_topics(len(queries)))
    except InputError:
        raise
    except (ValueError, IndexError, struct.error):
        place = f"it was read up to query {query}"
        raise refusal(
            name, f" is not a run or judgments as ranx packs them, or is cut off ({place}). Save it as JSON."
        ) from None
    return f"{{{', '.join(queries)}}}".encode()


class _Reader:
    """What is next in the bytes; ValueError, IndexError or struct.error for what is something else."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def each_key(self):
        """The keys of a map, as JSON; whoever takes one reads its value before the next."""
        kind, count = self._head()
        while kind == MAP and count != 0:
            if count is None and self.data[self.at] == END:
                self.at += 1
                return
            count = count and count - 1
            of_key, length = self._head()
            if of_key != TEXT:
                raise ValueError(of_key)
            yield json.dumps(self._taken(length).decode())
        if kind != MAP:
            raise ValueError(kind)

    def number(self):
        """A number, as JSON."""
        if form := NUMBERS.get(self.data[self.at]):
            self.at += 1
            return json.dumps(self._unpacked(form))
        kind, value = self._head()
        if kind not in (UNSIGNED, NEGATIVE):
            raise ValueError(kind)
        return str(value if kind == UNSIGNED else -1 - value)

    def _head(self):
        """What kind of value is next, and its number, length or count, None for one without an end."""
        kind, count = divmod(self.data[self.at], 32)
        self.at += 1
        if count in LENGTHS:
            return kind, self._unpacked(LENGTHS[count])
        if count > max(LENGTHS) and (kind, count) != (MAP, ENDLESS):
            raise ValueError(count)
        return kind, None if count == ENDLESS else count

    def _unpacked(self, form):
        (value,) = struct.unpack(form, self._taken(struct.calcsize(form)))
        return value

    def _taken(self, length):
        self.at += length
        if self.at > len(self.data):
            raise ValueError(length)
        return self.data[self.at - length : self.at]
