"""Byte ranges of the topics in a run file, from one pass, so that single topics can be read later.

Only plain text of six columns has such places; what is packed is unpacked onto the disk first. A topic may stand in
several; a file whose topics are mixed line by line is refused by name.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.large.unpacked_runs import OnDisk
from evalcore.reading import column_files, id_matching, rankings
from evalcore.reading.fields import HEADERS
from evalcore.reading.files import Finding, Given, Source, refusal
from evalcore.reading.unpacking import GZ

# a line, and those after it of the same topic; whatever does not look like one is read with what stands before it
TOGETHER = re.compile(rb"(?m)^(\S++)[ \t][^\n]*+\n*+(?:\1[ \t][^\n]*+\n*+)*+")
SCATTERED = 8  # places that a topic may have on average, beyond a thousand in all
STEP = 64 << 20  # bytes


@dataclass
class Run:
    """A run as read, in part: what `loading.assembled` takes."""

    source: Source
    content: rankings.Rankings
    findings: list[Finding]
    part: str = ""


@dataclass(frozen=True)
class Piece:
    """Some topics of a run file, or all of them.

    name, sha256, size : of the whole file as it was given; path, state : of its plain text, the latter as of `_state`
    tags : of the whole file, as far as the first lines of topics tell
    places : topic, as the file has it (bytes) -> ((start, end), ...), bytes of the file
    """

    name: str
    path: str
    sha256: str
    size: int
    state: tuple[Any, ...]
    tags: tuple[str, ...]
    places: dict[bytes, tuple[tuple[int, int], ...]]

    def only(self, topics: Iterable[bytes]) -> Piece:
        """The piece that holds these topics."""
        return Piece(
            self.name, self.path, self.sha256, self.size, self.state, self.tags,
            {topic: self.places[topic] for topic in topics},
        )  # fmt: skip

    def bytes_of(self, topic: bytes) -> int:
        """How many bytes of the file are of a topic."""
        return sum(end - start for start, end in self.places[topic])

    def text(self) -> bytes:
        """The lines of these topics, in the order of the file. InputError where the file has changed."""
        try:
            if _state(self.path) != self.state:
                raise refusal(self.name, " has changed since it was indexed. Open the track again.")
            with open(self.path, "rb") as file:
                parts = []
                for start, end in sorted(place for places in self.places.values() for place in places):
                    file.seek(start)
                    parts.append(file.read(end - start))
        except OSError as error:
            why = f" cannot be read as {self.path}: {error.strerror or error}. {SEEN_BY_ALL}"
            raise refusal(self.name, why) from None
        return b"".join(part if part.endswith(b"\n") else part + b"\n" for part in parts)

    def read(self, how: rankings.How) -> Run:
        """The rankings of these topics. -> Run; InputError"""
        if not self.places:
            return self.run([])
        (name, rows), findings = _rows(self, how.columns)
        rows, more = id_matching.compared_by(name, rows, how.names)
        rows, adapted = rankings.adapted(name, rows, how)
        findings = [*findings, *more, *adapted]
        ranked = rankings.rankings(name, rows, how.duplicates)
        if not set(ranked.tags) <= set(self.tags):
            raise refusal(self.name, f" changes its run tag within topic {ranked.queries[0]} or one after it. {WHOLE}")
        ranked.tags = list(self.tags)
        return Run(self.source, ranked, findings)

    def run(self, queries: list[str]) -> Run:
        """The run without any of its lines, but for what it is called and which queries it answers."""
        starts, nothing = np.zeros(len(queries) + 1, int), pa.array([], pa.binary())
        return Run(
            self.source, rankings.Rankings(queries, list(self.tags), starts, nothing, np.zeros(0), None, None, None), []
        )

    @property
    def source(self) -> Source:
        return Source("run", self.name, self.sha256, self.size)


SEEN_BY_ALL = (
    "Every worker must see the run files at the same paths. Compressed runs are unpacked into the cache folder "
    "(--cache)."
)
WHOLE = "Such a file can only be read as a whole: give it one tag, or use fewer runs."


def _rows(piece, columns):
    first = min(start for places in piece.places.values() for start, _ in places)
    name = piece.name if first == 0 else f"{piece.name} (counted from its byte {first:,})"
    parts, findings = column_files.parts_of(name, piece.text(), "run", columns)
    ((_, rows),) = parts
    return (name, rows), findings


def looked_through(source: Given, on_disk: OnDisk) -> Piece:
    """Where each topic stands in a run file. -> Piece, of all of its topics; InputError

    source : a `files.Given` on disk; on_disk : an `unpacked_runs.OnDisk`, for the text of one that is packed
    """
    path, digest = source.container.path, None
    if path is None:
        raise refusal(source.name, f" {PACKED}")
    if is_packed(source):
        path, digest = on_disk.put(source)
    state = _state(path)
    if not state[0]:
        raise refusal(source.name, " is empty.")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        _refuse_unless_plain(source.name, text)
        digest = digest or _digest(text)
        places, tags = _places(source.name, text)
    return Piece(source.name, path, digest, source.size, state, tuple(tags), places)


def is_packed(source: Given) -> bool:
    """Whether a file on disk is gz, or a member of an archive."""
    if source.member is not None:
        return True
    with open(source.container.path, "rb") as file:  # type: ignore[arg-type]
        return file.read(2) == GZ


def _state(path):
    """By what a change of a file shows: its size, and when it last was changed, ns."""
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns


def _digest(text):
    digest = hashlib.sha256()
    for start in range(0, len(text), STEP):
        digest.update(text[start : start + STEP])
    return digest.hexdigest()


PACKED = (
    "is not plain text of six columns (topic Q0 document rank score tag), from which one topic can be read. A track "
    "that does not fit into memory needs runs in this format: convert it."
)


def _refuse_unless_plain(name, text):
    first = text[: 1 << 16].lstrip().split(b"\n", 1)[0]
    try:
        _, _, _, rank, score, _ = first.split()
        int(rank), float(score)
    except ValueError:
        raise refusal(name, f" {PACKED}") from None


def _places(name, text):
    """topic -> its places, and the tags of the first line of each."""
    places, tags, count, topic, start = {}, {}, 0, None, 0
    for match in TOGETHER.finditer(text):
        if topic is None:
            topic = match[1]
        elif match[1] != topic:
            places.setdefault(topic, []).append((start, match.start()))
            topic, start, count = match[1], match.start(), count + 1
        if count > 1000 and count > SCATTERED * len(places):
            message = f" mixes the lines of its topics, so single topics cannot be read. {SORTED}"
            raise refusal(name, message)
        line_end = text.find(b"\n", match.start())
        line = text[match.start() : len(text) if line_end < 0 else line_end].split()
        if len(line) != 6:
            raise refusal(name, f": the first line of topic {shown(match[1])} has {len(line)} columns. {PACKED_OR_ODD}")
        tags.setdefault(line[-1].decode("utf-8", "backslashreplace"))
    if topic is not None:
        places.setdefault(topic, []).append((start, len(text)))
    if not places:
        raise refusal(name, f" {PACKED}")
    for topic in places:  # at the beginning of a block it would be read as the beginning of a file
        if topic.startswith(BEGINNINGS) or topic.decode("utf-8", "replace").casefold() in HEADERS["topic"]:
            message = (
                f": topic {shown(topic)} cannot be read separately, because some files begin with this. {PACKED_OR_ODD}"
            )
            raise refusal(name, message)
    return {topic: tuple(of_topic) for topic, of_topic in places.items()}, tags


def shown(topic: bytes) -> str:
    """A topic's name as text."""
    return topic.decode("utf-8", "backslashreplace")


BEGINNINGS = b"#", b"{", b"[", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"PK"  # comments, JSON, marks, archives
PACKED_OR_ODD = "A track that does not fit into memory needs runs of six columns whose topics have plain names."
SORTED = "Sort it by topic and keep the order within topics (sort -s -k1,1)."
