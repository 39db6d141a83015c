"""One block: some topics of a track that is too large for the memory, read as an ordinary track."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from evalcore.large.topic_index import Piece
from evalcore.matching import file_checks
from evalcore.reading import companion_tables, loading, track_cache
from evalcore.reading.files import InputError
from evalcore.reading.rankings import How, Judged

OF_RANKINGS = (  # checks of what a block alone has; those of files and names are made for the whole track
    "duplicate documents",
    "ranks disagree with scores",
    "ranks all alike",
    "head missing",
    "ranks not from 1",
    "names merged",
    "names left",
    "query left out",
    "passages",
)


@dataclass(frozen=True)
class Block:
    """Some topics of a track.

    topics : names; pieces : of each run file, see `topic_index.Piece`; judged : `rankings.Judged` of these topics
    tables : the tables of systems and of queries, as read, or None; options : of `open_study`; cache : likewise
    excluded : documents to leave out by topic, or None
    """

    topics: tuple[str, ...]
    pieces: tuple[Piece, ...]
    judged: Judged
    tables: Sequence[companion_tables.Table | None]
    options: dict[str, Any]
    cache: str | Path | bool | None
    excluded: Judged | None = None

    @cached_property
    def key(self) -> str:
        """A digest of the block's files and options."""
        pieces = [(piece.name, piece.sha256, piece.tags, [*map(repr, piece.places.items())]) for piece in self.pieces]
        judged = [self.judged.topics, self.judged.starts.tolist(), self.judged.grades.tolist()]
        judged += [hashlib.sha256(b"\n".join(self.judged.documents.to_pylist())).hexdigest()]
        judged += [None if self.judged.stratum is None else self.judged.stratum.tolist()]
        tables = [None if table is None else (table.name, table.rows) for table in self.tables]
        if self.excluded is not None:
            judged += [
                self.excluded.topics,
                self.excluded.starts.tolist(),
                *map(repr, self.excluded.documents.to_pylist()),
            ]
        described = json.dumps([pieces, judged, tables, self.options], default=str)
        return hashlib.sha256(described.encode()).hexdigest()


def load(block: Block) -> loading.Loaded:
    """The `Loaded` of a block, from the cache if it was read before; or the problems of its files, a list."""
    store, key = track_cache.open_cache(block.cache), "block: " + block.key
    loaded = store.read(key, loading.from_parts)
    if loaded is None:
        loaded = _read(block)
        if isinstance(loaded, loading.Loaded):
            store.write(key, lambda: loading.parts_of(loaded))
    return loaded


def _read(block):
    named = {name: block.options[name] for name in ("duplicates", "names", "columns", "itself", "passages")}
    options = How(**named, excluded=block.excluded, judged=block.judged)
    runs, problems = [], []
    for piece in block.pieces:
        try:
            runs.append(piece.read(options))
        except InputError as error:
            problems += error.problems
    if problems:
        return problems
    findings = [finding for run in runs for finding in run.findings]
    loaded = loading.assembled(
        runs,
        block.judged,
        *block.tables,
        variations=block.options["variations"],
        findings=findings,
        check=file_checks.of_rankings,
    )
    of_block = [finding for finding in loaded.findings if finding in findings or finding.check in OF_RANKINGS]
    return replace(loaded, findings=tuple(of_block))
