"""Judged positions: the ranks that hold a judged document, which are all that a metric reads.

A ranking earns only where a judged document stands, and what is not known about it is what is left over. So every
metric, every pool depth and every shard is a sum over this list. A *row* is one ranking to score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.cache import cached_part
from evalcore.collection.judgments import NEVER_POOLED, Judgments, Scale
from evalcore.collection.ragged import Rows, offsets, rows_of
from evalcore.collection.track import Track

BLOCK = 1 << 19  # places


@dataclass(frozen=True)
class Places(Rows):
    """M places, row by row and down each ranking.

    rank, item : int64 (M,), for they are mostly used to look something up; ranks count from 0
    level : (M,), what the judgments in force say of the item (see `Judgments.level`): never that it was never pooled,
        but for weighted-precision metrics, to which such a place is as good as not listed
    topic_of_row : int32 (rows,)
    lengths : int32 (rows,), how many documents each ranking holds, pooled or not
    judgments : the judgments in force
    endless : whether the ranks past the end of a ranking count as not known; else they hold nothing
    """

    rank: NDArray[np.int64]
    item: NDArray[np.int64]
    level: NDArray[np.integer]
    topic_of_row: NDArray[np.integer]
    lengths: NDArray[np.integer]
    judgments: Judgments
    endless: bool = True

    @property
    def scale(self) -> Scale:
        return self.judgments.scale

    @cached_property
    def R(self) -> NDArray[np.intp]:
        """The relevant documents known for each row's topic. int64 (rows,)."""
        return self.judgments.relevant[self.topic_of_row]

    def marked(self, table: NDArray[Any]) -> NDArray[Any]:
        """Which places a bool table by level says yes to. bool (M,)."""
        mask = np.zeros(len(self.level), bool)
        for level in np.flatnonzero(table):  # a few comparisons of bytes are faster than a look-up
            mask |= self.level == level
        return mask

    @cached_property
    def relevant_at(self) -> NDArray[np.intp]:
        """Which places hold a relevant document. Ascending indices."""
        return np.flatnonzero(self.marked(self.scale.relevant))

    @cached_part
    def relevant(self) -> Places:
        """The places of relevant documents."""
        return self.where(self.relevant_at)

    @cached_property
    def worthy_at(self) -> NDArray[np.intp]:
        """Which places hold a document that is relevant or of some worth to nDCG and Q. Ascending indices."""
        alike = np.array_equal(self.scale.worthy, self.scale.relevant)
        return self.relevant_at if alike else np.flatnonzero(self.marked(self.scale.worthy))

    @cached_part
    def worthy(self) -> Places:
        """The places of those documents."""
        return self.relevant if self.worthy_at is self.relevant_at else self.where(self.worthy_at)

    @cached_part
    def judged(self) -> Places:
        """The places of judged documents."""
        return self if self.scale.judged[1:].all() else self.where(self.marked(self.scale.judged))

    def where(self, keep: NDArray[Any]) -> Places:
        """These places where `keep` (bool (M,) or ascending indices); the judgments stay."""
        if keep.dtype == bool:
            keep = np.flatnonzero(keep) if np.count_nonzero(keep) < len(keep) else keep
        if len(keep) == len(self.rank):
            return self
        starts = self.rows_among(keep).starts
        return replace(self, starts=starts, rank=self.rank[keep], item=self.item[keep], level=self.level[keep])

    def read_by(self, judgments: Judgments) -> Places:
        """These places as fewer judgments read them; those that they say nothing of stay, as never pooled."""
        return replace(self, level=np.take(judgments.level, self.item), judgments=judgments)

    def relevant_from(self, grade: float) -> Places:
        """These places with another lowest relevant grade."""
        judgments = self.judgments.relevant_from(grade)
        return self if judgments is self.judgments else replace(self, judgments=judgments)

    def under(self, judgments: Judgments) -> Places:
        """Those of these places that fewer judgments still speak of."""
        if judgments is self.judgments:
            return self
        known = self.read_by(judgments)
        return known.where(known.level != NEVER_POOLED)

    def blocks(self) -> Iterator[tuple[slice, Places]]:
        """The places in pieces of a few rankings, each with the slice of rows that it holds: work on arrays that stay
        in the processor's cache takes half the time."""
        first = 0
        while first < self.rows:
            last = max(first + 1, int(np.searchsorted(self.starts, self.starts[first] + BLOCK, "right")) - 1)
            rows = slice(first, last)
            yield rows, self.of_rows(rows)
            first = last

    def of_rows(self, rows: slice | NDArray[Any]) -> Places:
        """The judged positions of some of the rankings. rows : a slice of adjacent ones, bool (rows,), or indices"""
        if isinstance(rows, slice):
            first, last, _ = rows.indices(self.rows)
            positions = slice(self.starts[first], self.starts[last])
            starts = self.starts[first : last + 1] - self.starts[first]
        else:
            wanted = rows_of(self.counts[rows])
            positions, starts = wanted.each(self.starts[:-1][rows]) + wanted.nth - 1, wanted.starts
        return replace(
            self,
            starts=starts,
            rank=self.rank[positions],
            item=self.item[positions],
            level=self.level[positions],
            topic_of_row=self.topic_of_row[rows],
            lengths=self.lengths[rows],
        )

    def ending(self, rows: NDArray[np.bool_]) -> Places:
        """Some rankings, taken to end where they do: nothing stands at the ranks past their end. rows : bool (rows,)"""
        return replace(self.of_rows(rows), endless=False)

    def within(self, k: int | None) -> Places:
        """The places at the first k ranks; all of them when k is None."""
        return self if k is None or k >= self.lengths.max(initial=0) else self.where(self.rank < k)

    def nth_of(self, at: NDArray[np.intp]) -> NDArray[np.intp]:
        """Which of its ranking each of the places at these ascending indices is, from 1."""
        return at + 1 - self.rows_among(at).each(self.starts[:-1])

    @cached_property
    def first_rank(self) -> NDArray[np.float64]:
        """The rank of the first place of each row; infinite where it has none. float64 (rows,)."""
        first, some = np.full(self.rows, np.inf), self.counts > 0
        first[some] = self.rank[self.starts[:-1][some]]
        return first

    def above_gap(self, nth: NDArray[np.intp]) -> NDArray[np.intp]:
        """How many judged documents each ranking has above its nth unjudged rank (n from 0). int64 (rows,).

        nth : int (rows,)
        """
        low, high = np.zeros(self.rows, np.int64), self.counts
        for _ in range(int(self.counts.max(initial=0)).bit_length()):
            middle = (low + high) // 2
            at = np.minimum(self.starts[:-1] + middle, len(self.rank) - 1)
            above = (low < high) & (self.rank[at] - middle <= nth)
            low, high = np.where(above, middle + 1, low), np.where(above, high, middle)
        return low

    def condensed(self) -> Places:
        """The rankings with every unjudged document taken out and the rest closed up, so that nothing is
        unknown any more [Sak07c]; [WP09, sec. 2.1]."""
        judged = self.judged
        return replace(judged, rank=judged.nth - 1, lengths=judged.counts.astype(np.int32), endless=False)

    def cut_after_each(self, row: int) -> Places:
        """One ranking as it stands after each of its ranks: row i holds its places down to rank i and ends there."""
        length = int(self.lengths[row])
        positions = slice(self.starts[row], self.starts[row + 1])
        above = self.rank[positions] <= np.arange(length)[:, None]
        place = np.nonzero(above)[1]
        return replace(
            self,
            starts=offsets(np.count_nonzero(above, axis=1)),
            rank=self.rank[positions][place],
            item=self.item[positions][place],
            level=self.level[positions][place],
            topic_of_row=np.full(length, self.topic_of_row[row]),
            lengths=np.arange(1, length + 1, dtype=np.int32),
        )


def judged_positions(track: Track, judgments: Judgments, *, endless: bool = True) -> Places:
    """The pooled places of every ranking of a track; row = system * Q + query."""
    S, Q, K = track.shape
    rankings = track.items.reshape(S * Q, K)
    at_once = max(1, BLOCK // max(K, 1))
    counts, ranks, items, levels = [], [], [], []
    for first in range(0, max(1, S * Q), at_once):  # some rankings at a time, which stay in the processor's cache
        ranked = rankings[first : first + at_once]
        level = judgments.level[ranked]
        speaks = level != NEVER_POOLED
        at, count = np.flatnonzero(speaks), np.count_nonzero(speaks, axis=1)
        counts.append(count)
        ranks.append(at - np.repeat(np.arange(len(ranked)) * K, count))
        items.append(ranked.reshape(-1)[at])
        levels.append(level.reshape(-1)[at])
    return Places(
        starts=offsets(np.concatenate(counts)),
        rank=np.concatenate(ranks),
        item=np.concatenate(items, dtype=np.int64),
        level=np.concatenate(levels),
        topic_of_row=np.tile(track.topic_of_query, S),
        lengths=track.lengths.reshape(-1),
        judgments=judgments,
        endless=endless,
    )


def ideal(judgments: Judgments) -> Places:
    """The best ranking of each topic: every document of some worth, highest first. One row per topic."""
    items = judgments.best
    topic = judgments.topic_of_item[items]
    rows = rows_of(np.bincount(topic, minlength=judgments.topics))
    return Places(
        starts=rows.starts,
        rank=rows.nth - 1,
        item=items,
        level=judgments.level[items],
        topic_of_row=np.arange(judgments.topics),
        lengths=rows.counts,
        judgments=judgments,
        endless=False,
    )
