"""Unpack files within limits, for each file and in total; what a program packed for itself becomes text, too.

Nothing is unpacked to disk, but for what `on_disk` asks for.
"""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import pyarrow as pa
from isal import igzip, isal_zlib

from evalcore.reading import cbor, memory_budget, own_process
from evalcore.reading.archive_limits import DAMAGED, DAMAGED_GZ, RATIO_FROM, RATIO_LIMIT, STEP, bomb, is_bomb
from evalcore.reading.error_text import WANTED, refuse_if_binary
from evalcore.reading.files import Given, InputError, damage, refusal

GZ, LZ4, PARQUET = b"\x1f\x8b", b'\x04"M\x18', b"PAR1"  # how they begin
MOST_ROWS, MOST_COLUMNS, MOST_TEXT = 50_000_000, 200, 1 << 30  # of a Parquet file, the last in bytes
HEAD = 1 << 16  # bytes that show whether a file can be text


class Unpacker:
    """Undoes gz compression, and counts what all files of a track need. Safe to share between threads."""

    def __init__(self) -> None:
        self.meter = memory_budget.Meter()
        self._packed = self._unpacked = 0  # bytes of all packed files so far
        self._lock = threading.Lock()

    def read(self, source: Given) -> tuple[bytes, bytes]:
        """The bytes of a file and their unpacked text. -> (bytes, bytes); Problem as InputError."""
        with _said(source.name):
            steps = source.steps()
            if source.member is None:
                self.meter.take(memory_budget.PER_BYTE * source.size, source.name)
            else:  # an archive may say of itself what it likes
                steps = self._counted(source, steps)
            data = text = _joined(steps)
            for magic, unpacked in (GZ, _gunzipped), (LZ4, _of_lz4), (LZ4, _of_lz4), (PARQUET, _of_parquet):
                if text.startswith(magic):  # ranx packs twice with lz4
                    text = _joined(self._counted(source, unpacked(source.name, text)))
                    if magic == LZ4 and cbor.is_map(text):
                        text = cbor.as_json(source.name, text)
            return data, text

    def parts(self, source: Given, digest: Any) -> Iterator[bytes]:
        """The unpacked text of a file, part by part. Problems raise InputError.

        digest : is updated with the original bytes
        """
        with _said(source.name):
            if source.member is None:
                self.meter.take(source.size, source.name)
            steps, unpacked = source.steps(), 0
            first = next(steps, b"")
            parts = chain([first], steps)
            if first[:2] == GZ:
                data = b"".join(parts if source.member is None else self._counted(source, parts))
                digest.update(data)
                parts = _gunzipped(source.name, data)
            for part in parts:
                unpacked += len(part)
                if is_bomb(source.packed, unpacked):
                    raise refusal(source.name, bomb(source.packed, unpacked))
                if first[:2] != GZ:
                    digest.update(part)
                yield part

    def _counted(self, source, parts):
        """The parts that a file unpacks to, until they are too much, or cannot be those of a text.

        Too much : for this file, or for all packed files together, so that many small bombs are not a large one
        """
        unpacked = 0
        self._count(source.packed, 0)
        try:
            for part in parts:
                if not unpacked and source.role in WANTED:
                    refuse_if_binary(source.name, part[:HEAD], source.role)
                unpacked += len(part)
                for packed, total in ((source.packed, unpacked), self._count(0, len(part))):
                    if is_bomb(packed, total):
                        raise refusal(source.name, bomb(packed, total))
                self.meter.take(memory_budget.PER_BYTE * len(part), source.name)
                yield part
        except InputError:
            self._count(-source.packed, -unpacked)  # or sound files would be refused for its sake
            raise

    def _count(self, packed, unpacked):
        """Counts bytes of packed files, as given and unpacked. -> both numbers so far"""
        with self._lock:
            self._packed, self._unpacked = self._packed + packed, self._unpacked + unpacked
            return self._packed, self._unpacked


def is_binary(data: bytes) -> bool:
    """Whether a file that begins so, gz or not, must be unpacked as a whole before its text can be looked at."""
    return beginning_of_text(data, len(data)).startswith((LZ4, PARQUET))


def beginning_of_text(data: bytes, most: int = STEP) -> bytes:
    """What the first bytes of a file, gz or not, unpack to, as far as they do. most : so many bytes, or up to twice"""
    if data[:2] != GZ:
        return data
    text = b""
    while data[:2] == GZ and len(text) < most:
        stream = isal_zlib.decompressobj(wbits=31)
        try:
            text += stream.decompress(data, most)
        except (DAMAGED_GZ, EOFError):
            break
        data = stream.unused_data
    return text


@contextmanager
def _said(name):
    """What is wrong with a file, whose name it is, as an InputError."""
    try:
        yield
    except InputError:
        raise
    except DAMAGED:
        raise damage(name, ": the archive is damaged here. Make it or copy it again.") from None
    except OSError as error:
        raise refusal(name, f" cannot be read: {error.strerror or error}.") from None


def _joined(parts):
    """The parts in one piece; two copies of them never exist."""
    first, second = next(parts, b""), next(parts, None)
    if second is None:
        return first
    whole = io.BytesIO()
    for part in chain([first, second], parts):
        whole.write(part)
    return whole.getvalue()


def _gunzipped(name, data):
    """The text of a gz file, part by part; it may consist of several gz files, one after another."""
    first = True
    try:
        with igzip.open(io.BytesIO(data)) as text:
            while part := text.read(STEP):
                if first and part[:2] == GZ:
                    raise refusal(name, " is a gz file inside a gz file. Unpack it once.")
                first = False
                yield part
    except EOFError:
        raise damage(name, ": the gz file ends too early (it is cut off). Copy the file again.") from None
    except (OSError, OverflowError, DAMAGED_GZ):  # the second for a head that is longer than any
        raise damage(name, ": the gz compression is damaged. Copy the file again.") from None


def _of_lz4(name, data):
    """The bytes that were packed with lz4, part by part."""
    try:
        with pa.CompressedInputStream(pa.BufferReader(data), "lz4") as stream:
            while part := stream.read(STEP):
                yield part
    except OSError:
        raise damage(name, " is an LZ4 file that is damaged or cut off. Copy it again.") from None


def _of_parquet(name, data):
    """The rows of a Parquet file as CSV, in one part."""
    most = min(max(RATIO_FROM, RATIO_LIMIT * len(data)), MOST_TEXT, memory_budget.allowed())
    limits = {"rows": MOST_ROWS, "columns": MOST_COLUMNS, "bytes": most}
    within = f"{memory_budget.amount(own_process.MEMORY)} of memory in {own_process.SECONDS} seconds"
    too_much = f" is a Parquet file that cannot be read with {within}. Save its table as CSV."
    yield own_process.text_of(name, "parquet_rows.py", limits, data, too_much)
