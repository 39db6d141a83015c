"""Blocks of topics put together: one track, whose rankings are on disk and numbered as if it had been read at once."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from evalcore.collection.track import EMPTY
from evalcore.large.layout import Layout
from evalcore.large.track_on_disk import TrackOnDisk, mapped, mapped_names
from evalcore.matching import half_judged, other_names, ranking_findings
from evalcore.reading import loading
from evalcore.reading.files import InputError


def joined(read: Iterable[loading.Loaded], layout: Layout, folder: str) -> loading.Loaded:
    """The `Loaded` of the whole track, without its sources. Raises `InputError` with the problems of all blocks.

    read : what `topic_block.load` gives for each block; layout : a `Layout`; folder : where the rankings are put
    """
    parts, problems = _Parts(layout, folder), []
    for loaded in read:
        if isinstance(loaded, loading.Loaded):
            parts.add(loaded)
        else:
            problems += loaded
        del loaded  # before the next one is read
    if problems:
        raise InputError(problems)
    track = TrackOnDisk(
        items=parts.rankings("items", EMPTY),
        scores=parts.rankings("scores", np.nan),
        systems=layout.systems,
        groups=tuple(layout.system_table["group"]),
        pooled=np.array([value is True for value in layout.system_table["pooled"]], bool),
        queries=layout.queries,
        topics=layout.topics,
        topic_of_query=layout.topic_of_query,
        topic_of_item=parts.of_items("topic"),
        doc_of_item=mapped_names(parts.arrays.pop("names"), folder),
        folder=folder,
    )
    listed = parts.of_items("listed")
    other_names.refuse_unless_they_belong(track, layout.judged, listed, layout.names)
    return loading.Loaded(
        track=track,
        by_rank=parts.rankings("by_rank", np.arange(track.shape[2])),
        grade=parts.of_items("grade"),
        listed=listed,
        stratum=parts.of_items("stratum") if layout.judged.stratum is not None else None,
        system_table=layout.system_table,
        query_table=layout.query_table,
        subtopics=layout.judged.subtopics,
        sources=(),
        findings=(
            *_of_all(parts.findings),
            *ranking_findings.coverage_findings(track, layout.judged),
            *half_judged.half_judged_findings(layout.judged),
        ),
    )


class _Parts:
    """The arrays of all blocks, by name; large ones are on disk until they are put together.

    queries : of each block, the indices of its queries in the whole track; findings : likewise, with its topics
    """

    def __init__(self, layout, folder):
        self.layout, self.folder = layout, folder
        self.arrays, self.queries, self.findings = defaultdict(list), [], []
        self._topics, self._items, self._depth = 0, 0, 0

    def add(self, loaded):
        """Adds a block. The codes of its topics and items come after those of the blocks before it."""
        track, first = loaded.track, bool(self.queries)  # item 0, the unfilled rank, is that of the first block
        rankings = {"items": (np.where(row == EMPTY, EMPTY, row + self._items) for row in track.items)}
        rankings |= {"scores": track.scores, "by_rank": loaded.by_rank}
        for name, rows in rankings.items():
            kind = np.float64 if name == "scores" else np.int32
            self.arrays[name].append(None if rows is None else mapped(track.shape, kind, rows, self.folder))
        self.arrays["names"].append(mapped_names([track.doc_of_item.slice(first)], self.folder))
        self.arrays["topic"].append(track.topic_of_item[first:] + np.int32(self._topics))
        for name in ("grade", "listed"):  # copies: a view would keep all that the cache has of the block
            self.arrays[name].append(getattr(loaded, name)[first:].copy())
        if loaded.stratum is not None:
            self.arrays["stratum"].append(loaded.stratum[first:].copy())
        self.queries.append([self.layout.index_of_query[name] for name in track.queries])
        self.findings.append((track.topics, loaded.findings))
        self._topics += len(track.topics)
        self._items += track.size - 1
        self._depth = max(self._depth, track.shape[2])

    def of_items(self, name):
        """An array (N,)."""
        return np.concatenate(self.arrays.pop(name))

    def rankings(self, name, unfilled):
        """An array (S, Q, K) on disk, or None if no block has one.

        unfilled : the value, or the values (K,), at ranks that a block does not have
        """
        arrays = self.arrays.pop(name)
        if all(array is None for array in arrays):
            return None
        kind = next(array.dtype for array in arrays if array is not None)
        S, Q, K = len(self.layout.systems), len(self.layout.queries), self._depth

        def rows():
            for s in range(S):
                row = np.full((Q, K), unfilled, kind)
                for queries, array in zip(self.queries, arrays, strict=True):
                    if array is not None:
                        row[queries, : array.shape[2]] = array[s]
                yield row

        return mapped((S, Q, K), kind, rows(), self.folder)


def _of_all(findings):
    """The findings of the blocks' files: once if all blocks have them, else with the topics of the block."""
    everywhere = [finding for finding in findings[0][1] if all(finding in of_block for _, of_block in findings)]
    yield from everywhere
    for topics, of_block in findings:
        where = f"Topics {topics[0]} to {topics[-1]}: " if len(topics) > 1 else f"Topic {topics[0]}: "
        for finding in of_block:
            if finding not in everywhere:
                yield replace(finding, message=where + finding.message)
