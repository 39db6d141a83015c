"""The places of the rankings that hold a pooled document: all that a metric ever looks at.

A ranking earns only where a judged document stands, and what is not known about it is what is left over. So every
metric, every pool depth and every shard is a sum over this list. A *row* is one ranking to score.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.judgments import NEVER_POOLED, Judgments, marked

BLOCK = 1 << 18  # places


@dataclass(frozen=True)
class Places:
    """M places, row by row and down each ranking.

    row, rank, item : int64 (M,), for they are mostly used to look something up; ranks count from 0
    level : (M,), what the judgments in force say of the item (see `Judgments.level`), never that it was never pooled
    topic_of_row : int32 (rows,)
    lengths : int32 (rows,), how many documents each ranking holds, pooled or not
    judgments : the judgments in force
    endless : whether the ranks past the end of a ranking count as not known; else they hold nothing
    """

    row: np.ndarray
    rank: np.ndarray
    item: np.ndarray
    level: np.ndarray
    topic_of_row: np.ndarray
    lengths: np.ndarray
    judgments: Judgments
    endless: bool = True

    @property
    def rows(self):
        """How many rankings there are."""
        return len(self.topic_of_row)

    @property
    def scale(self):
        return self.judgments.scale

    @cached_property
    def starts(self):
        """Where each row's places begin; one more at the end. int64 (rows + 1,)."""
        return np.searchsorted(self.row, np.arange(self.rows + 1))

    @cached_property
    def R(self):
        """The relevant documents known for each row's topic. int64 (rows,)."""
        return self.judgments.relevant[self.topic_of_row]

    def marked(self, table):
        """Which places a bool table by level says yes to. bool (M,)."""
        return marked(self.level, table)

    @cached_property
    def relevant(self):
        """The places of relevant documents."""
        return self.where(self.marked(self.scale.relevant))

    @cached_property
    def worthy(self):
        """The places of documents that are relevant or of some worth to nDCG and Q."""
        return self.where(self.marked(self.scale.worthy))

    @cached_property
    def judged(self):
        """The places of judged documents."""
        return self.where(self.marked(self.scale.judged))

    def where(self, keep):
        """These places where `keep` (bool (M,), a slice or indices); the judgments stay."""
        if isinstance(keep, np.ndarray) and keep.dtype == bool:
            keep = np.flatnonzero(keep)
            if len(keep) == len(self.row):
                return self
        return replace(self, row=self.row[keep], rank=self.rank[keep], item=self.item[keep], level=self.level[keep])

    def under(self, judgments):
        """Those of these places that fewer judgments still speak of."""
        known = replace(self, level=np.take(judgments.level, self.item), judgments=judgments)
        return known.where(known.level != NEVER_POOLED)

    def blocks(self):
        """The places in pieces of a few rankings, each with the slice of rows that it holds: work on arrays that stay
        in the processor's cache takes half the time."""
        first = 0
        while first < self.rows:
            last = max(first + 1, int(np.searchsorted(self.starts, self.starts[first] + BLOCK, "right")) - 1)
            here = self.where(slice(self.starts[first], self.starts[last]))
            yield (
                slice(first, last),
                replace(
                    here,
                    row=here.row - first,
                    topic_of_row=self.topic_of_row[first:last],
                    lengths=self.lengths[first:last],
                ),
            )
            first = last

    def within(self, k):
        """The places at the first k ranks; all of them when k is None."""
        return self if k is None else self.where(self.rank < k)

    def sum(self, values, at=None):
        """Sum over each ranking, of all places or of those at these ascending indices. float64 (rows,)."""
        starts = self.starts if at is None else np.searchsorted(at, self.starts)
        sums, some = np.zeros(self.rows), starts[1:] > starts[:-1]
        sums[some] = np.add.reduceat(values, starts[:-1][some], dtype=float)
        return sums

    def running(self, values, at=slice(None)):
        """Running sum down each ranking, this place included; of all places, or of those at these indices."""
        total = _offsets(values)
        return total[1:][at] - total[self.starts[self.row[at]]]

    @cached_property
    def nth(self):
        """Which place of its ranking each is, counted from 1 over the places listed here. int64 (M,)."""
        return np.arange(1, len(self.row) + 1) - np.repeat(self.starts[:-1], np.diff(self.starts))

    @cached_property
    def others_above(self):
        """How many documents above each place are not listed here. int64 (M,)."""
        return self.rank - self.nth + 1

    def condensed(self):
        """The rankings with every unjudged document taken out and the rest closed up (Sakai, SIGIR 2007; Webber & Park
        2009, sec. 2.1). Nothing is unknown any more."""
        kept = self.judged
        return replace(kept, rank=kept.nth - 1, lengths=np.diff(kept.starts).astype(np.int32), endless=False)

    def cut_after_each(self, row):
        """One ranking as it stands after each of its ranks: row i holds its places down to rank i and ends there."""
        length = int(self.lengths[row])
        here = slice(self.starts[row], self.starts[row + 1])
        cut, place = np.nonzero(self.rank[here] <= np.arange(length)[:, None])
        repeated = replace(
            self.where(here),
            topic_of_row=np.full(length, self.topic_of_row[row]),
            lengths=np.arange(1, length + 1, dtype=np.int32),
        )
        return replace(repeated.where(place), row=cut)

    def promoted(self, k=None):
        """The rankings as a lucky assessor might leave them: each topic's relevant documents that a ranking has not
        retrieved, highest grades first, put into its earliest ranks that hold an unjudged document. A guide, not a
        bound (Ravana & Moffat, ADCS 2010, sec. 3). Only places of some worth are listed, and promotions below rank k.
        """
        missing = self.R - np.diff(self.relevant.starts)
        if k is not None:
            missing = np.minimum(missing, k)
        row = np.repeat(np.arange(self.rows), missing)
        nth = np.arange(len(row)) - np.repeat(_offsets(missing)[:-1], missing)
        rank = nth + self.judged._listed_above(missing, row)
        fits = np.flatnonzero(rank < self.lengths[row])
        row, nth, rank = row[fits], nth[fits], rank[fits]
        return self.judged._filled(row, rank, self._absent(row, nth))

    def _listed_above(self, missing, row):
        """How many of these places stand above each of a row's first `missing` ranks that are not listed here."""
        above = np.flatnonzero(self.others_above < np.repeat(missing, np.diff(self.starts)))
        offset = _offsets(missing)
        at = offset[self.row[above]] + self.others_above[above]
        listed_so_far = _offsets(np.bincount(at, minlength=len(row)))
        return listed_so_far[1:] - np.repeat(listed_so_far[offset[:-1]], missing)

    def _absent(self, row, nth):
        """The nth relevant document, best first, of those that a row's ranking has not retrieved. Items."""
        judgments = self.judgments
        offset = _offsets(self.R)
        absent = np.ones(offset[-1], bool)
        absent[offset[self.relevant.row] + judgments.standing[self.relevant.item]] = False
        first_absent = offset[:-1] - self.relevant.starts[:-1]
        nth_of_topic = np.flatnonzero(absent)[first_absent[row] + nth] - offset[row]
        return judgments.best_relevant[_offsets(judgments.relevant)[self.topic_of_row[row]] + nth_of_topic]

    def _filled(self, row, rank, item):
        """Those of these places that have some worth, and these items in each row's earliest ranks not listed here."""
        worthy = np.flatnonzero(self.marked(self.scale.worthy))
        found = self.where(worthy)
        filled = np.bincount(row, minlength=self.rows)
        filled_before = _offsets(filled)[found.row] + np.minimum(self.others_above[worthy], filled[found.row])
        stand = np.arange(len(worthy)) + filled_before
        put = np.ones(len(worthy) + len(row), bool)
        put[stand] = False
        put = np.flatnonzero(put)

        def merged(standing, more):
            together = np.empty(len(stand) + len(put), np.int64)
            together[stand], together[put] = standing, more
            return together

        item = merged(found.item, item)
        level = self.judgments.level[item]
        return replace(self, row=merged(found.row, row), rank=merged(found.rank, rank), item=item, level=level)


def _offsets(counts):
    """Where each of consecutive stretches of these lengths begins, and where the last ends."""
    counts = np.asarray(counts)
    total = np.zeros(len(counts) + 1, np.float64 if counts.dtype.kind == "f" else np.int64)
    np.cumsum(counts, out=total[1:])
    return total


def places(track, judgments, *, endless=True):
    """The pooled places of every ranking of a track; row = system * Q + query."""
    S, Q, K = track.shape
    level = np.take(judgments.level, track.items).reshape(S * Q, K)
    speaks = level != NEVER_POOLED
    at, counts = np.flatnonzero(speaks), np.count_nonzero(speaks, axis=1)
    rows = np.arange(S * Q)
    return Places(
        row=np.repeat(rows, counts),
        rank=at - np.repeat(rows * K, counts),
        item=track.items.reshape(-1)[at].astype(np.int64),
        level=level.reshape(-1)[at],
        topic_of_row=np.tile(track.topic_of_query, S),
        lengths=track.lengths.reshape(-1),
        judgments=judgments,
        endless=endless,
    )


def ideal(judgments):
    """The best ranking of each topic: every document of some worth, highest first. One row per topic."""
    items = judgments.best
    topic = judgments.topic_of_item[items]
    lengths = np.bincount(topic, minlength=judgments.topics)
    return Places(
        row=topic.astype(np.int64),
        rank=np.arange(len(items)) - _offsets(lengths)[topic],
        item=items,
        level=judgments.level[items],
        topic_of_row=np.arange(judgments.topics),
        lengths=lengths,
        judgments=judgments,
        endless=False,
    )
