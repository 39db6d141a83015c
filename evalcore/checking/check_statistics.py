"""Statistics that several checks share, computed once: numbers for every topic and every run."""

import re
from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.collection.ragged import rows_of
from evalcore.collection.shares import share
from evalcore.reading import files
from evalcore.reading.loading import Finding
from evalcore.study.study import Study

FEWEST = 5  # topics, or runs, that have a middle to be far from
DEEP = 100  # ranks within which documents are looked for
TOP = 10
FIRST = 5  # ranks at the very top
HALF = 0.5
FEW = 10  # documents of a kind below which their order says nothing
GAP = 0.75  # of a value, below which the next lower one is separate from it
LOST = 0.1  # a share that is next to nothing
FINDERS = 0.05  # share of the runs that have a document which is found for a topic
ALONE = 1.5  # times as often as further down is a first document in no other run, if left in from an earlier round
CLEARLY = 4.0  # standard errors over rankings
ROUNDING = 1e-12  # of sums of votes
LIKE = 1.4826  # the standard deviation of a normal distribution over its median absolute deviation


class CheckStatistics:
    """The statistics of a study that the checks use, each computed once. T' judged topics, S systems."""

    def __init__(self, study: Study) -> None:
        self.study, self.track = study, study.track
        self.topics = study.judged_topics
        self.names = [study.track.topics[topic] for topic in self.topics]
        scale, level = study.judgments.scale, study.judgments.level
        self.judged, self.relevant = scale.judged[level], scale.relevant[level] & scale.judged[level]
        self.top = study.track.items[:, :, :DEEP]
        self.explained: set[str] = set()  # systems of which a cause is known that explains what else is odd

    def per_topic(self, items: NDArray[np.bool_]) -> NDArray[Any]:
        """How many of these items (bool (N,)) each judged topic has. float (T',)."""
        return np.bincount(self.track.topic_of_item[1:], items[1:], len(self.track.topics))[self.topics]

    @cached_property
    def count(self) -> NDArray[np.float64]:
        """The judged documents of each topic."""
        return self.per_topic(self.judged)

    @cached_property
    def retrieved(self) -> NDArray[np.bool_]:
        """Whether any run has each item. bool (N,)."""
        return self.study.whole.retrieved

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """Whether any run has a document for each topic. bool (T,)"""
        answered = np.zeros(len(self.track.topics), bool)
        answered[self.track.topic_of_query[(self.track.lengths > 0).any(axis=0)]] = True
        return answered

    @cached_property
    def unheld(self) -> NDArray[np.float64]:
        """The share of each topic's judged documents that no run here retrieved."""
        return share(self.per_topic(self.judged & ~self.retrieved), self.count)

    @cached_property
    def pool(self) -> NDArray[np.bool_]:
        """What the contributing systems rank above the pool's usual depth. bool (N,)"""
        whole = self.study.whole
        pooled = whole.among(whole.items[whole.pooled, :, : min(self.study.depth, DEEP)])
        pooled[0] = False
        return pooled

    @cached_property
    def covered(self) -> NDArray[np.float64]:
        """The share of that which is judged, by topic."""
        return share(self.per_topic(self.pool & self.judged), self.per_topic(self.pool))

    @cached_property
    def score(self) -> NDArray[np.float64]:
        """How good each system is on each judged topic. float (S, T')."""
        return np.nan_to_num(self.study.topic_scores(self.study.at().values("RBP(p=0.8)")))

    @cached_property
    def quality(self) -> NDArray[np.float64]:
        """How good each system is on the topics other than each judged one. float (S, T')."""
        return (self.score.sum(axis=1, keepdims=True) - self.score) / max(1, len(self.topics) - 1)

    @cached_property
    def faring(self) -> NDArray[np.float64]:
        """The correlation over systems of their quality on a topic and on the others. float (T',)

        0 where all are alike, or there are too few systems.
        """
        if len(self.track.systems) < FEWEST:
            return np.zeros(len(self.topics))
        score, quality = (values - values.mean(axis=0) for values in (self.score, self.quality))
        norm = np.sqrt((score**2).sum(axis=0) * (quality**2).sum(axis=0))
        return np.divide((score * quality).sum(axis=0), norm, out=np.zeros(len(norm)), where=norm > 1e-9)

    def votes(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """The votes of the systems for each item of a judged topic, by the ranks that they give it. float (N,)

        weight : float (S, T'), the weight of each system
        """
        votes, by_rank = np.zeros(self.track.size), 1 / (TOP + np.arange(self.top.shape[2]))
        place = np.searchsorted(self.topics, self.track.topic_of_query)
        judged = np.flatnonzero(np.isin(self.track.topic_of_query, self.topics))
        for ranked, own in zip(self.top, weight, strict=True):
            np.add.at(votes, ranked[judged], own[place[judged], None] * by_rank)
        votes[0] = 0
        return votes

    def above(self, weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability that systems rank a relevant document of a topic above another judged one. Two float (T',)

        The second is its standard error if it were a half. NaN where there are few of either.
        weight : float (S, T'), the weight of each system
        """
        votes = self.votes(weight)
        chances = np.array([self._above(votes[items], items) for items in self.items_of_topic]).reshape(-1, 2)
        return chances[:, 0], chances[:, 1]

    def _above(self, votes, items):
        """That probability and its standard error for one topic, by the votes for its items (a slice)."""
        voted = (votes > 0) & self.judged[items]
        for seen in (voted, self.judged[items]):  # those that got no vote too, where the others are few
            good = self.relevant[items][seen]
            R, N = np.count_nonzero(good), np.count_nonzero(~good)
            if min(R, N) >= FEW:
                ranks = scipy.stats.rankdata(votes[seen])
                return (ranks[good].sum() - R * (R + 1) / 2) / (R * N), np.sqrt((R + N + 1) / (12 * R * N))
        return np.nan, np.nan

    def error_of_runs(self, place: int | np.integer, weight: NDArray[np.float64]) -> float:
        """The standard error of that probability for one topic if other systems had taken part, by leaving out each.

        Infinite for one system. place : of the topic among the judged ones; weight : as of `above`
        """
        if len(self.top) < 2:
            return np.inf
        items, by_rank = self.items_of_topic[place], 1 / (TOP + np.arange(self.top.shape[2]))
        queries = np.flatnonzero(self.track.topic_of_query == self.topics[place])
        of_each = np.zeros((len(self.top), items.stop - items.start))
        for votes, ranked, own in zip(of_each, self.top[:, queries], weight[:, place], strict=True):
            filled = ranked > 0
            np.add.at(votes, ranked[filled] - items.start, np.broadcast_to(own * by_rank, ranked.shape)[filled])
        votes = of_each.sum(axis=0)
        without = [self._above(np.where(votes - own < ROUNDING, 0, votes - own), items)[0] for own in of_each]
        return float(np.sqrt((len(without) - 1) * np.nanvar(without)))

    @cached_property
    def items_of_topic(self) -> list[slice]:
        """The items of each judged topic."""
        topics = np.arange(len(self.track.topics) + 1, dtype=np.int32)
        ends = np.searchsorted(self.track.topic_of_item, topics)  # of one topic's items, and where the next one's begin
        return [slice(int(ends[topic]), int(ends[topic + 1])) for topic in self.topics]

    def holders(self, k: int) -> NDArray[np.int32]:
        """How many systems have each item among their first k. int (N,)."""
        count = np.zeros(self.track.size, np.int32)
        for ranked in self.top:
            count[np.unique(ranked[:, :k])] += 1
        count[0] = 0
        return count

    @cached_property
    def first_holders(self) -> NDArray[np.int32]:
        """How many systems have each item at the very top. int (N,)."""
        return self.holders(FIRST)

    @cached_property
    def holders_of_item(self) -> NDArray[np.int32]:
        """How many systems have each item among the first ranks looked at. int (N,)."""
        return self.holders(DEEP)

    @cached_property
    def found(self) -> NDArray[np.intp]:
        """How many documents enough runs have for each topic. int (T,)"""
        return np.bincount(self.track.topic_of_item[self.found_by_document], minlength=len(self.track.topics))

    @cached_property
    def conversation(self) -> NDArray[np.intp]:
        """The conversation that each topic is a turn of, as names such as 31_4 show; its own where they do not. (T,)"""
        stems = [re.sub(r"[-_.]\d+$", "", name) for name in self.track.topics]
        several = len(set(stems)) > 1 and max(Counter(stems).values()) <= HALF * len(stems)
        return np.unique(stems if several else self.track.topics, return_inverse=True)[1]

    @property
    def enough(self) -> int:
        """How many other runs must retrieve a document for it to count as found."""
        return max(1, round(FINDERS * len(self.track.systems)))

    @cached_property
    def known_by_query(self) -> tuple[NDArray[np.intp], ...]:
        """How many of each ranking's first documents are judged or in enough other runs, and how many there are. Two
        int (S, Q)."""
        first = self.top[:, :, :TOP]
        known = ((self.holders_of_item > self.enough) | self.judged)[first] & (first != 0)
        return known.sum(axis=2), (first != 0).sum(axis=2)

    @cached_property
    def found_by_document(self) -> NDArray[np.intp]:
        """The items that enough runs have, in the order of their documents. int."""
        items = np.flatnonzero(self.holders_of_item >= self.enough)
        return items[np.argsort(self.track.document_of_item[items], kind="stable")]

    @cached_property
    def found_documents(self) -> NDArray[np.int32]:
        """The documents of those items, ascending. int32"""
        return self.track.document_of_item[self.found_by_document]

    @cached_property
    def of_others(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Judged documents of each topic that runs find for another topic instead. Three int (T,)

        How many they find for the one other topic with most of them; for the next such topic; and the first of both.
        """
        track, items = self.track, self.found_by_document
        strange = np.flatnonzero(self.judged & (self.holders_of_item < self.enough))
        documents, of_topic = track.document_of_item[strange], self.found_documents
        start, end = (np.searchsorted(of_topic, documents, side) for side in ("left", "right"))
        rows = rows_of(end - start)
        here = rows.each(track.topic_of_item[strange].astype(np.int64))
        there = track.topic_of_item[items[rows.each(start) + rows.nth - 1]]
        pairs, count = np.unique(here * len(track.topics) + there, return_counts=True)
        pairs, count = pairs[order := np.argsort(count, kind="stable")], count[order]
        topic, other = np.divmod(pairs, len(track.topics))
        most, main_topic = np.zeros((2, len(track.topics)), int)
        most[topic], main_topic[topic] = count, other  # the last of each topic is the largest
        next_one = np.zeros(len(track.topics), int)
        left = other != main_topic[topic]
        next_one[topic[left]] = count[left]
        return most, next_one, main_topic

    def of_run(self, s: int | np.integer) -> NDArray[np.bool_]:
        """Whether a run has each item among its first ranks. bool (N,)."""
        return self.track.among(self.top[s])

    def topics_of(self, documents: NDArray[np.integer], own: NDArray[np.bool_]) -> NDArray[np.intp]:
        """For each topic, how many of these documents (numbers) enough other runs retrieve. int (T,)

        own : bool (N,), what the run has itself
        """
        items = self.found_by_document
        ends = (np.searchsorted(self.found_documents, documents, side) for side in ("left", "right"))
        candidates = np.concatenate([items[:0], *(items[start:end] for start, end in zip(*ends, strict=True))])
        candidates = candidates[self.holders_of_item[candidates] - own[candidates] >= self.enough]
        return np.bincount(self.track.topic_of_item[candidates], minlength=len(self.track.topics))

    @property
    def known(self) -> NDArray[np.float64]:
        """That share of each run. float (S,)."""
        known, present = self.known_by_query
        return share(known.sum(axis=1), present.sum(axis=1))

    @cached_property
    def files_with(self) -> NDArray[np.intp]:
        """How many runs retrieve each document for any topic, plus two if it is judged for any. int (documents,)"""
        document = self.track.document_of_item
        count = np.zeros(int(document.max(initial=0)) + 1, int)
        for items in self.track.items:
            count[np.unique(document[items[items > 0]])] += 1
        count[np.unique(document[self.judged])] += 2
        return count

    def documents_elsewhere(self, s: int) -> NDArray[np.bool_]:
        """Which documents are judged, or in another run, for any topic. bool (documents,)."""
        own = np.zeros(len(self.files_with), int)
        items = self.track.items[s]
        own[self.track.document_of_item[items[items > 0]]] = 1
        return self.files_with > own

    @cached_property
    def met_nowhere_else(self) -> NDArray[np.float64]:
        """The share of each run's first documents that no other run has for any topic, nor the qrels. float (S,)."""
        single = np.zeros(len(self.top))
        for s, ranked in enumerate(self.top[:, :, :TOP]):
            items = ranked[ranked > 0]
            single[s] = np.mean(self.files_with[self.track.document_of_item[items]] == 1) if len(items) else 0
        return single

    @cached_property
    def left_in(self) -> dict[int, NDArray[np.intp]]:
        """The first documents that only one run has, of the runs that seem to hold documents of an earlier round.

        System -> int. One of the first ten is then more often such a document than one in the lower half of the
        rankings, and so is one of the unjudged; the rest of the first ones are as well known to other runs as those.
        """
        met, other_holders = {}, self.holders_of_item - 1
        for s, ranked in enumerate(self.top if len(self.top) >= FEWEST else ()):
            length = np.count_nonzero(ranked, axis=1)
            items = ranked[np.isin(self.track.topic_of_query, self.topics) & (length >= 2 * TOP)]
            if len(items) < FEWEST:
                continue
            below = (items > 0) & (np.arange(items.shape[1]) >= np.maximum(TOP, (items > 0).sum(axis=1) // 2)[:, None])
            unjudged = (items > 0) & ~self.judged[items]
            alone = unjudged & (other_holders[items] < 1)
            own, left = alone[:, :TOP], np.sum(alone & below)
            chance, further_down = left / max(1, np.sum(unjudged & below)), left / max(1, np.sum(below))
            more = (own - chance * unjudged[:, :TOP]).sum(axis=1)
            rest = (items > 0) & ~alone & own.any(axis=1, keepdims=True)
            first = rest & (rest.cumsum(axis=1) <= TOP)
            if (
                own.sum() >= max(FEW, ALONE * further_down * own.size)
                and more.mean() >= CLEARLY * more.std(ddof=1) / np.sqrt(len(more))
                and _mean(other_holders, items[first]) >= _mean(other_holders, items[rest & below])
            ):
                met[s] = np.unique(items[:, :TOP][own])
        return met

    def topic(self, check: str, place: int | np.integer, message: str, severity: str = "warning") -> files.Finding:
        """A finding about a topic, by its position among the judged ones."""
        name = self.names[place]
        return Finding(severity, check, "", name, 1, f"Topic {name}: {message}")

    def run(self, check: str, s: int | np.integer, message: str, severity: str = "warning") -> files.Finding:
        """A finding about a run."""
        return Finding(severity, check, self.track.systems[s], "", 1, f"{self.track.systems[s]}: {message}")


def _mean(of, items):
    return share(of[items].sum(), len(items))


def below(values: NDArray[np.float64], limits: float | NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of values below their limits, the lowest first; none where there are few values."""
    at = np.flatnonzero(values < limits) if len(values) >= FEWEST else np.zeros(0, int)
    return at[np.argsort(values[at], kind="stable")]


def far_below(values: NDArray[np.float64], limit: float) -> NDArray[np.intp]:
    """The same, where a gap separates these values from the rest: topics judged in another way have no such gap."""
    at, ordered = below(values, limit), np.sort(values)
    gaps = np.flatnonzero(ordered[: len(at)] < GAP * np.append(ordered[1:], 0)[: len(at)])
    return at[: gaps[-1] + 1] if len(gaps) else at[:0]
