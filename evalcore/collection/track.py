"""A track: what every system retrieved, as arrays of item codes.

An *item* is a (topic, document) pair and has an integer code from 1 to N-1; code 0 is the empty place. A ranking is
an array of codes, and everything known about an item is a vector indexed by that code. Axes are always (system,
query, rank); ranks count from 0 in arrays and from 1 in tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

EMPTY = 0


@dataclass(frozen=True)
class Track:
    """The rankings of S systems for Q queries on T topics, at most K documents deep, over N items.

    items : int32 (S, Q, K), item codes, `EMPTY` after the end of a ranking and nowhere else; no item twice in one
    scores : float64 (S, Q, K), the scores that the runs gave, NaN at empty places
    systems, groups : S names; a group is the team that a system comes from ("" where nobody said)
    pooled : bool (S,), who contributed to the pool
    queries, topics : Q and T names
    topic_of_query : int32 (Q,); several queries may ask for one topic
    topic_of_item : int32 (N,), -1 for the empty place; never falling, so that a topic's items are one slice
    doc_of_item : Arrow binary array (N,), the document's name as the bytes of the file
    """

    items: NDArray[np.int32]
    scores: NDArray[np.float64]
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    pooled: NDArray[np.bool_]
    queries: tuple[str, ...]
    topics: tuple[str, ...]
    topic_of_query: NDArray[np.int32]
    topic_of_item: NDArray[np.int32]
    doc_of_item: pa.Array

    def __post_init__(self) -> None:
        S, Q, _ = self.items.shape
        N = len(self.topic_of_item)
        shapes = {
            "scores": self.items.shape,
            "pooled": (S,),
            "topic_of_query": (Q,),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"Track.{name} has shape {getattr(self, name).shape}; {shape} is needed.")
        if (len(self.systems), len(self.groups), len(self.queries)) != (S, S, Q):
            raise ValueError(f"Track needs {S} systems and groups and {Q} queries, as its items have.")
        if len(self.doc_of_item) != N:
            raise ValueError(f"Track.doc_of_item names {len(self.doc_of_item)} documents for {N} items.")
        if np.any(self.topic_of_item[1:] < self.topic_of_item[:-1]):
            raise ValueError("Track.topic_of_item falls; items must be grouped by topic, the empty place first.")
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def shape(self) -> tuple[int, int, int]:
        """(S, Q, K)."""
        return self.items.shape

    @property
    def size(self) -> int:
        """N, the empty place included."""
        return len(self.topic_of_item)

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """How many documents each ranking holds. int32 (S, Q)."""
        S, Q, K = self.shape
        ranking = np.arange(S * Q)
        items, low, high = self.items.reshape(S * Q, K), np.zeros(S * Q, np.int32), np.full(S * Q, K, np.int32)
        while np.any(low < high):  # halves where the first empty place must be, in every ranking at once
            middle = (low + high) // 2
            full = items[ranking, np.minimum(middle, K - 1)] != EMPTY
            low, high = np.where(full, middle + 1, low), np.where(full, high, middle)
        return np.minimum(low, K).reshape(S, Q)

    @cached_property
    def retrieved(self) -> NDArray[np.bool_]:
        """Whether any ranking has each item, the empty place included. bool (N,)."""
        retrieved = np.zeros(self.size, bool)
        for of_system in self.items:  # the indices of all systems at once would take twice the memory of the rankings
            retrieved[of_system] = True
        return retrieved

    @cached_property
    def name_order(self) -> NDArray[np.int32]:
        """Each item's place when items are sorted by topic, then by document name as bytes. int32 (N,)."""
        table = pa.table({"topic": self.topic_of_item, "name": self.doc_of_item})
        by_name = pc.sort_indices(table, sort_keys=[("topic", "ascending"), ("name", "ascending")]).to_numpy()
        order = np.empty(self.size, np.int32)
        order[by_name] = np.arange(self.size, dtype=np.int32)
        return order

    @cached_property
    def document_of_item(self) -> NDArray[np.int32]:
        """A number from 1 for the document of each item, the same in every topic; 0 for the empty place. int32 (N,)."""
        by_name = np.empty(self.size, np.int64)  # the same numbers whatever the order of the files
        by_name[self.name_order] = np.arange(self.size)
        number = np.empty(self.size, np.int32)
        of_name = self.doc_of_item.dictionary_encode().indices
        number[by_name] = of_name.take(pa.array(by_name)).dictionary_encode().indices.to_numpy()
        return number

    def among(self, items: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether each item is one of these. bool (N,)"""
        present = np.zeros(self.size, bool)
        present[items] = True
        return present

    def numbered(self, items: NDArray[np.integer]) -> NDArray[np.intp]:
        """The place of each item among these, from 0; -1 for the others. int (N,)"""
        number = np.full(self.size, -1)
        number[items] = np.arange(len(items))
        return number

    def documents(self, items: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """The names of these items' documents as text; bytes that are not UTF-8 show as \\xNN."""
        names = self.doc_of_item.take(pa.array(np.asarray(items, np.int64))).to_pylist()
        return [name.decode("utf-8", "backslashreplace") for name in names]

    def only(self, systems: Sequence[int] | NDArray[np.intp], queries: slice | NDArray[np.integer]) -> Track:
        """The same track with these systems and queries (indices, or a slice); the items and topics stay."""
        S, Q, _ = self.shape
        of_queries = np.arange(Q)[queries]
        if np.array_equal(systems, np.arange(S)) and np.array_equal(of_queries, np.arange(Q)):
            return self

        def chosen(rankings):
            if len(systems) == 1 and len(of_queries) == Q:
                return rankings[systems[0] : systems[0] + 1]
            shape = len(systems), len(of_queries), rankings.shape[2]
            return self.filled(shape, rankings.dtype, (rankings[s][queries] for s in systems))

        return replace(
            self,
            items=chosen(self.items),
            scores=chosen(self.scores),
            systems=tuple(self.systems[s] for s in systems),
            groups=tuple(self.groups[s] for s in systems),
            pooled=self.pooled[systems],
            queries=tuple(self.queries[q] for q in of_queries),
            topic_of_query=self.topic_of_query[queries],
        )

    def reordered(self, by: NDArray[np.int32]) -> Track:
        """The same rankings in another order: place k now holds the document that was at place `by[..., k]`."""
        return self._moved(lambda s: by[s])

    def ranked_by(self, order: str, by_rank: NDArray[np.int32], *, scores: bool = True) -> Track:
        """The same rankings by "rank", if they are in the order of scores, or by "score", if they are by rank.

        by_rank : int (S, Q, K), which place in score order has the document at each place of the rank column
        scores : False = they are left NaN, which takes half of the time
        """
        return self._moved(lambda s: by_rank[s] if order == "rank" else np.argsort(by_rank[s]), scores=scores)

    def _moved(self, places, *, scores=True):
        """The rankings with the documents of these places. places(s) : int (Q, K), of a system"""

        def moved(rankings):
            rows = (np.take_along_axis(row, places(s).astype(np.intp), axis=1) for s, row in enumerate(rankings))
            return self.filled(rankings.shape, rankings.dtype, rows)

        return replace(
            self, items=moved(self.items), scores=moved(self.scores) if scores else np.broadcast_to(np.nan, self.shape)
        )

    def recoded(self, new_code: NDArray[np.int32], topic_of_item: NDArray[np.int32], doc_of_item: pa.Array) -> Track:
        """The same rankings with other codes for their items. new_code : int32 (N,)"""
        items = self.filled(self.shape, np.int32, (new_code[row] for row in self.items))
        return replace(self, items=items, topic_of_item=topic_of_item, doc_of_item=doc_of_item)

    def filled(self, shape: Sequence[int], dtype: Any, rows: Iterable[Any]) -> NDArray[Any]:
        """An array (S, Q, K) of these rows, one (Q, K) per system."""
        array = np.empty(shape, dtype)
        for s, row in enumerate(rows):
            array[s] = row
        return array
