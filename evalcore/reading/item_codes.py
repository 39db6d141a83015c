"""Items: every (topic, document) gets its code, and the rankings become arrays of codes."""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, pairwise, starmap
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY, Track
from evalcore.reading import memory_budget
from evalcore.reading.files import InputError, Problem, refusal
from evalcore.reading.rankings import Judged

SPARSE = (100_000_000, 20), (20_000_000, 1000)  # arrays with more places than that may have so many to a line, at most
TOGETHER = 20_000  # places: topics with fewer are coded together
TWO, PARTS = 2, 8  # threads; parts of the runs that are put in place
AHEAD = 4  # how often that is done before what was done first is put in place
HEADLESS = 5  # ranks start from 0 or 1, and with some people from a little more


@dataclass
class Ranking:
    """One system's ranking for one query: the nth of a file's rankings, its places `start` to `end`, in score order."""

    system: int
    query: int
    run: Any
    nth: int
    start: int
    end: int

    @property
    def places(self) -> slice:
        return slice(self.start, self.end)

    def __len__(self) -> int:
        return self.end - self.start


def rankings_by_topic(
    runs: Sequence[Any], systems: Sequence[str], topics: Sequence[Sequence[str]], by_system: Sequence[str],
    by_query: Sequence[str], queries: Mapping[str, Any], topic_of: Mapping[str, int],
) -> list[list[Ranking]]:  # fmt: skip
    """Topic by topic the rankings for its queries, system by system. -> T lists of Ranking"""
    system_of = {name: number for number, name in enumerate(by_system)}
    query_of = {name: number for number, name in enumerate(by_query)}
    by_topic = [[] for _ in topic_of]
    for run, system, names in zip(runs, systems, topics, strict=True):
        for nth, (name, (start, end)) in enumerate(zip(names, pairwise(run.content.starts.tolist()), strict=True)):
            ranking = Ranking(system_of[system], query_of[name], run, nth, start, end)
            by_topic[topic_of[queries[name].topic]].append(ranking)
    for rankings in by_topic:
        rankings.sort(key=lambda ranking: (ranking.system, ranking.query))
    return by_topic


class Places:
    """The (system, query, rank) arrays while they are filled."""

    def __init__(self, systems: int, queries: int, by_topic: Sequence[Sequence[Ranking]]) -> None:
        rankings = [ranking for rankings in by_topic for ranking in rankings]
        lines, deepest = sum(map(len, rankings)), max(map(len, rankings))
        shape = systems, queries, deepest
        _refuse_sparse(rankings, shape, lines)
        needed = memory_budget.PER_LINE * lines + memory_budget.PER_PLACE * math.prod(shape)
        memory_budget.refuse_if_over(
            needed, f"{systems:,} systems by {queries:,} queries by {deepest:,} ranks, of {lines:,} lines,"
        )
        self.items = np.zeros(shape, np.int32)
        self.scores = np.empty(shape)
        self.by_rank: NDArray[np.int32] | None = None
        self.duplicates = []
        self.disagree, self.beyond_ties = Counter(), Counter()  # rankings by system
        self.unranked = Counter()  # the same, of which all documents have one rank
        self.first_ranks = defaultdict(Counter)  # the same by their smallest rank
        self.headless = defaultdict(list)  # (query, its first rank) of those whose first line was not found
        self._by_run = defaultdict(list)
        for ranking in rankings:
            self._by_run[id(ranking.run)].append(ranking)
        self._again = {}  # by ranking, its places of repeated documents
        self._lock = Lock()

    def name(self, ranking: Ranking, items: NDArray[np.int32]) -> None:
        """Put in the items of one ranking's documents, in the file's order."""
        self.items[ranking.system, ranking.query, : len(items)] = items

    def fill(self, by_topic: Sequence[Sequence[Ranking]], items: int) -> None:
        """Put all rankings in score order, now that all of their items are named. items : how many there are

        The memory of documents that are no longer needed returns to the system part by part.
        """
        runs, seen = list(self._by_run.values()), np.zeros((TWO, items), np.int32)
        with ThreadPoolExecutor(TWO) as workers:
            for part in (runs[first::PARTS] for first in range(PARTS)):
                list(workers.map(self._fill_runs, (part[first::TWO] for first in range(TWO)), seen))
                pa.default_memory_pool().release_unused()
        for ranking in chain.from_iterable(by_topic):
            self._note(ranking)
        self._mark_empty()

    def _fill_runs(self, runs, seen):
        for rankings in runs:
            self._fill_run(sorted(rankings, key=lambda ranking: ranking.start), seen)

    def _fill_run(self, rankings, seen):
        run, system, deepest = rankings[0].run.content, rankings[0].system, self.items.shape[2]
        begin = np.array([ranking.query * deepest - ranking.start for ranking in rankings])
        places = np.repeat(begin, np.diff(run.starts)) + np.arange(len(run.scores))
        of_system = self.items[system].ravel()
        items = of_system[places if run.order is None else places[run.order]]
        of_system[places] = items
        self.scores[system].ravel()[places] = run.scores
        if are_unique := _is_first(items, seen) is None:
            run.documents = None  # most of the memory, and only messages on repeated documents name them
        for ranking in rankings:
            cells = system, ranking.query, slice(len(ranking))
            ranks, falling = None, False
            if run.ranks is not None:
                ranks, falling = run.ranks[ranking.places], run.of_ranks[ranking.nth][2]
            if not are_unique and (first_place := _is_first(self.items[cells], seen)) is not None:
                cells, ranks, falling = self._without_repeats(ranking, first_place, ranks)
            if falling:
                self._order_by_rank(cells, ranks)

    def _without_repeats(self, ranking, first_place, ranks):
        """Leaves each document in its first place only. -> its cells, its best ranks, and whether these fall"""
        self._again[id(ranking)] = np.flatnonzero(~first_place)
        items = self.items[ranking.system, ranking.query, : len(ranking)]
        scores = self.scores[ranking.system, ranking.query, : len(ranking)]
        if ranks is not None:
            ranks = _best_ranks(items, ranks)[first_place]
        count = np.count_nonzero(first_place)
        items[:count], scores[:count] = items[first_place], scores[first_place]
        items[count:] = EMPTY
        cells = ranking.system, ranking.query, slice(count)
        return cells, ranks, ranks is not None and np.any(ranks[1:] < ranks[:-1])

    def _order_by_rank(self, cells, ranks):
        with self._lock:
            if self.by_rank is None:
                self.by_rank = np.tile(np.arange(self.items.shape[2], dtype=np.int32), (*self.items.shape[:2], 1))
            self.disagree[cells[0]] += 1
        self.by_rank[cells] = by_rank = np.argsort(np.asarray(ranks), kind="stable")
        if np.any(np.diff(self.scores[cells][by_rank]) > 0):
            with self._lock:
                self.beyond_ties[cells[0]] += 1

    def _note(self, ranking):
        """What is odd about a ranking."""
        run = ranking.run.content
        if id(ranking) in self._again:
            self.duplicates.append((ranking, self._again[id(ranking)]))
        if run.ranks is None:
            return
        first_rank, last_rank, _ = run.of_ranks[ranking.nth]
        self.first_ranks[ranking.system][first_rank] += 1
        self.unranked[ranking.system] += len(ranking) > 1 and last_rank == first_rank
        if first_rank >= HEADLESS and last_rank - first_rank < len(ranking):  # else they are other numbers
            ranks, scores = run.ranks[ranking.places], run.scores[ranking.places]
            if scores[ranks.argmin()] == scores[0]:
                self.headless[ranking.system].append((ranking.query, first_rank))

    def _mark_empty(self):
        """Also cuts the ranks that duplicates leave empty everywhere."""
        self.scores[self.items == EMPTY] = np.nan
        if self.duplicates and (deepest := int(np.count_nonzero(self.items, axis=2).max())) < self.items.shape[2]:
            self.items, self.scores = self.items[..., :deepest].copy(), self.scores[..., :deepest].copy()
            self.by_rank = None if self.by_rank is None else self.by_rank[..., :deepest].copy()


def _refuse_sparse(rankings, shape, lines):
    """An error where one very long ranking, or a run of queries that no other has, would make the arrays mostly empty
    and too large for the memory."""
    (systems, queries, deepest), places = shape, math.prod(shape)
    if all(places <= most or places <= most_empty * lines for most, most_empty in SPARSE):
        return
    makes = f"{systems:,} systems and {queries:,} queries would then take {places:,} ranks for only {lines:,} lines"
    longest = max(rankings, key=len)
    of_others = max((len(ranking) for ranking in rankings if ranking.system != longest.system), default=0)
    runs_of_query = Counter(ranking.query for ranking in rankings)
    alone = Counter(ranking.run.source.name for ranking in rankings if runs_of_query[ranking.query] == 1)
    name, count = max(alone.items(), key=lambda pair: pair[1], default=("", 0))
    if 2 * of_others >= deepest and 2 * count > queries:
        why = (
            f" has {count:,} queries that no other run has: {makes}. Check whether its topic and document are swapped."
        )
        raise refusal(name, why)
    if 2 * of_others >= deepest:
        few = (
            f"The runs have rankings for only {len(rankings):,} of {systems * queries:,} pairs of a system and a query"
        )
        raise InputError([Problem("", None, f"{few}: {makes}. Use runs and judgments of the same topics.")])
    why = (
        f" ranks {deepest:,} documents for one query: {makes}. Truncate this run or leave it out, or use fewer topics."
    )
    raise refusal(longest.run.source.name, why)


def _is_first(items, seen):
    """Which places name an item that none before them names, bool; None where all do. seen : int (N,), is changed"""
    counting = np.arange(len(items), dtype=np.int32)
    seen[items] = counting
    if np.array_equal(seen[items], counting):
        return None
    seen[items[::-1]] = counting[::-1]  # the first of equal items is written last
    return seen[items] == counting


def _best_ranks(items, ranks):
    """Each place's document's smallest rank."""
    _, code = np.unique(items, return_inverse=True)
    best = np.full(len(items), np.iinfo(ranks.dtype).max, ranks.dtype)
    np.minimum.at(best, code, ranks)
    return best[code]


@dataclass
class Items:
    """N items; row : int (N,), which judgment of the qrels each has, -1 where none."""

    topic: NDArray[np.int32]
    documents: pa.Array
    grade: NDArray[np.number]
    listed: NDArray[np.bool_]
    row: NDArray[np.intp]


def coded(by_topic: Sequence[Sequence[Ranking]], judged: Judged, topics: Sequence[str], places: Places) -> Items:
    """Gives every (topic, document) its code, topic by topic, and fills the places. -> Items"""
    bounds = _bounds(judged, topics)
    names, sizes, judged_items = [pa.array([b""], pa.binary())], [[1]], [np.empty(0, np.int32)]
    first = 1
    pa.default_memory_pool().release_unused()  # what was needed to read the files
    for together, (codes, is_judged, documents, size) in _coded_ahead(by_topic, judged, bounds):
        items = codes + np.int32(first)
        ranked, start = items[~is_judged], 0
        for ranking in chain.from_iterable(by_topic[together]):
            places.name(ranking, ranked[start : start + len(ranking)])
            start += len(ranking)
        judged_items.append(items[is_judged])
        names.append(documents)
        sizes.append(size)
        first += len(documents)
    pa.default_memory_pool().release_unused()
    places.fill(by_topic, first)
    return _items(names, np.concatenate(sizes), judged_items, judged, bounds)


def _coded_ahead(by_topic, judged, bounds):
    """Small topics together, large ones alone: (a slice of the topics, what `_codes` says of them), one after another.

    Arrow codes the names of some topics while those before them are put in place.
    """
    sizes = [sum(map(len, rankings)) + end - start for rankings, (start, end) in zip(by_topic, bounds, strict=True)]
    ends, so_far = [], 0
    for topic, count in enumerate(sizes, 1):
        so_far += count
        if so_far >= TOGETHER or topic == len(sizes):
            ends.append(topic)
            so_far = 0
    ahead = deque()
    with ThreadPoolExecutor(TWO) as workers:
        for together in starmap(slice, pairwise([0, *ends])):
            ahead.append((together, workers.submit(_codes, by_topic[together], judged, bounds[together])))
            if len(ahead) > AHEAD:
                together, result = ahead.popleft()
                yield together, result.result()
        for together, result in ahead:
            yield together, result.result()


def with_room(track: Track, judged: Judged) -> tuple[Items, NDArray[np.int32]]:
    """Items for what one more qrels file judges as well. -> (Items, moved int32 (N,): the new code of each old one)

    The file's judgments of topics that the track does not have are left out.
    """
    starts = np.searchsorted(track.topic_of_item, np.arange(len(track.topics) + 1))
    names, sizes, judged_items, bounds = [track.doc_of_item.slice(0, 1)], [1], [], _bounds(judged, track.topics)
    first = 1
    moved = np.zeros(track.size, np.int32)
    for (start, end), (low, high) in zip(pairwise(starts.tolist()), bounds, strict=True):
        known = track.doc_of_item.slice(start, end - start)
        documents = judged.documents.slice(low, high - low).cast(known.type)
        at = pc.fill_null(pc.index_in(documents, known), -1).to_numpy()
        unknown = at < 0
        at = np.where(unknown, len(known) + np.cumsum(unknown) - 1, at)
        moved[start:end] = first + np.arange(end - start)
        names += [known, documents.filter(pa.array(unknown))]
        sizes.append(len(known) + int(unknown.sum()))
        judged_items.append((first + at).astype(np.int32))
        first += sizes[-1]
    return _items(names, sizes, judged_items, judged, bounds), moved


def _bounds(judged, topics):
    """Where each topic's judgments begin and end; none of a topic that is not judged."""
    of_topic = dict(zip(judged.topics, pairwise(judged.starts.tolist()), strict=True))
    return [of_topic.get(topic, (0, 0)) for topic in topics]


def _items(names, sizes, judged_items, judged, bounds):
    """Puts together what was found topic by topic, the empty place first."""
    row, grade = np.full(sum(sizes), -1), np.zeros(sum(sizes), judged.grades.dtype)
    row[np.concatenate(judged_items)] = np.concatenate([np.arange(start, end) for start, end in bounds])
    listed = row >= 0
    grade[listed] = judged.grades[row[listed]]
    topic_of_item = np.repeat(np.arange(-1, len(sizes) - 1, dtype=np.int32), sizes)
    return Items(topic_of_item, _joined(names), grade, listed, row)


def _codes(by_topic, judged, bounds):
    """Codes from 0 for the documents of some topics, topic by topic in order of first appearance: in its rankings, then
    in its judgments.

    -> (int32 codes of all these places, one after another; which of them are judgments, bool; the names of the codes;
    how many codes each topic has)
    """
    lists, counts = [], []
    for rankings, (start, end) in zip(by_topic, bounds, strict=True):
        lists += [ranking.run.content.documents[ranking.places] for ranking in rankings]
        lists.append(judged.documents[start:end])
        counts.append((sum(map(len, lists[-1 - len(rankings) : -1])), end - start))
    is_judged = np.repeat(np.tile([False, True], len(counts)), np.ravel(counts))
    encoded = _joined(lists).dictionary_encode()
    codes, documents = encoded.indices.to_numpy(), encoded.dictionary
    if len(counts) == 1:
        return codes, is_judged, documents, [len(documents)]
    topic = np.repeat(np.arange(len(counts)), np.sum(counts, axis=1))
    key = pa.array(topic * len(documents) + codes).dictionary_encode()
    topic_of, name_of = np.divmod(key.dictionary.to_numpy(), max(1, len(documents)))
    size = np.bincount(topic_of, minlength=len(counts))
    return key.indices.to_numpy(), is_judged, documents.take(pa.array(name_of)), size


def _joined(arrays):
    """Arrays of names as one; with 64-bit offsets where it holds 2 GiB or more."""
    large = any(pa.types.is_large_binary(array.type) for array in arrays)
    large = large or sum(array.nbytes for array in arrays) >= 2**31
    return pa.concat_arrays([array.cast(pa.large_binary()) for array in arrays] if large else arrays)
