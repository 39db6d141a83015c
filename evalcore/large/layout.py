"""The systems, queries and topics of a track whose files are only indexed, and the topics of each block."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evalcore.large.topic_index import Piece
from evalcore.reading import companion_tables, id_matching, system_names
from evalcore.reading.files import Finding
from evalcore.reading.rankings import Judged


class Layout:
    """The systems, queries and topics, as loading the whole track would find them, and the topics of each file."""

    def __init__(
        self, pieces: Sequence[Piece], judged: Judged, tables: Sequence[companion_tables.Table | None],
        options: dict[str, Any], findings: list[Finding],
    ) -> None:  # fmt: skip
        variations, (system_table, query_table) = options["variations"], tables
        runs, names_of = [], {}
        for piece in pieces:
            compared = [
                name.decode("utf-8", "backslashreplace")
                for name in id_matching.topics_compared(piece.name, list(piece.places), options["names"])
            ]
            names_of[piece.name] = dict(zip(piece.places, compared, strict=True))
            runs.append(piece.run(list(dict.fromkeys(compared))))
        runs = sorted(runs, key=lambda run: (system_names.natural(run.source.name), run.source.sha256))
        runs = system_names.without_copies(runs, variations, findings)
        names = system_names.run_names(runs, variations, findings)
        of_run, own = system_names.systems(runs, names, variations, findings)
        self.systems = tuple(sorted(set(of_run), key=system_names.natural))
        queries, of_files = system_names.queries(runs, own, judged, query_table, variations, findings)
        self.topics = tuple(sorted({query.topic for query in queries.values()}, key=system_names.natural))
        self.queries = tuple(sorted(queries, key=system_names.natural))
        self.index_of_query = {name: number for number, name in enumerate(self.queries)}
        number = {topic: number for number, topic in enumerate(self.topics)}
        self.topic_of_query = np.array([number[queries[name].topic] for name in self.queries], np.int32)
        self.system_table = companion_tables.frame(
            system_names.system_rows(runs, of_run, self.systems, names, system_table, findings)
        )
        self.query_table = companion_tables.frame(system_names.query_rows(self.queries, queries))
        self.judged, self.names = judged, options["names"]
        by_name = {piece.name: piece for piece in pieces}
        self.pieces = []  # each with the topic of the track for every topic of its file
        for run, names in zip(runs, of_files, strict=True):
            topic_of = {name: queries[query].topic for name, query in zip(run.content.queries, names, strict=True)}
            raw = {topic: topic_of[name] for topic, name in names_of[run.source.name].items()}
            self.pieces.append((by_name[run.source.name], raw))

    def blocks(self, most: float, count: int | None) -> Iterator[tuple[tuple[str, ...], list[Piece]]]:
        """The topics of each block and its pieces. most : bytes of text; count : topics, or None"""
        size = dict.fromkeys(self.topics, 0)
        for piece, topic_of in self.pieces:
            for raw, topic in topic_of.items():
                size[topic] += piece.bytes_of(raw)
        blocks, names, text = [], [], 0
        for topic in self.topics:
            full = len(names) >= count if count else names and text + size[topic] > most
            if full and text:
                blocks.append(names)
                names, text = [], 0
            names.append(topic)
            text += size[topic]
        # no block is without a line
        blocks = [*blocks, names] if text or not blocks else [*blocks[:-1], blocks[-1] + names]
        block_of = {topic: b for b, names in enumerate(blocks) for topic in names}
        raws = [[[] for _ in self.pieces] for _ in blocks]
        for p, (_, topic_of) in enumerate(self.pieces):
            for raw, topic in topic_of.items():
                raws[block_of[topic]][p].append(raw)
        for names, of_piece in zip(blocks, raws, strict=True):
            yield tuple(names), [piece.only(raw) for (piece, _), raw in zip(self.pieces, of_piece, strict=True)]
