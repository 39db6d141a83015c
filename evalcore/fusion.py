"""Fusion: several rankings of a topic made one. Bailey, Moffat, Scholer & Thomas, SIGIR 2017.

A method gives every document that a list holds a value; documents stand by falling value, ties by document id
descending. A fused ranking is a ranking: its scores strictly fall, and it can be fused again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from evalcore import names
from evalcore.reading.rankings import score_order
from evalcore.track import EMPTY

DEPTH = 1000  # how deep a fused ranking is at most, as TREC's runs are, unless the track's own are deeper
DIGITS = 2.0**44  # values that agree to 13 digits are equal: sums of rounded numbers


@dataclass(frozen=True)
class Lists:
    """The L rankings of one topic that are to become one.

    items : int (L, K), codes of one topic's items, `EMPTY` after the end; scores : float (L, K)
    weights : float (L,), what each list counts, never rising; first, size : the topic's items are those from `first` on
    normalisation : a name of `NORMALISATIONS`
    A *place* is one document of one list; places stand rank by rank, so that sums do not depend on the lists' order.
    """

    items: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    first: int
    size: int
    normalisation: str

    @cached_property
    def _held(self):
        by_rank = self.items.T.ravel()
        at = np.flatnonzero(by_rank)
        return at, by_rank[at] - self.first

    @property
    def document(self):
        """The document at each place, a number from 0. int (M,)."""
        return self._held[1]

    @cached_property
    def rank(self):
        """The rank of each place, from 0. int (M,)."""
        return self._held[0] // len(self.items)

    @cached_property
    def listing(self):
        """The list that each place is in. int (M,)."""
        return self._held[0] - self.rank * len(self.items)

    @cached_property
    def score(self):
        """The normalised score at each place. float (M,)."""
        return NORMALISATIONS[self.normalisation].function(self.items != EMPTY, self.scores).T.ravel()[self._held[0]]

    @cached_property
    def count(self):
        """How many lists hold each document. int (size,)."""
        return np.bincount(self.document, minlength=self.size)

    def weighted(self, values):
        """What each place gives, times the weight of its list. float (M,)."""
        return values if np.all(self.weights == 1) else values * self.weights[self.listing]

    def total(self, values):
        """The sum over the lists of what each place gives, largest first. float (size,)."""
        values, document = self.weighted(values), self.document
        if np.any(values[1:] > values[:-1]):
            order = np.argsort(-values)
            values, document = values[order], document[order]
        return np.bincount(document, values, minlength=self.size)

    def best(self, values):
        """The most that any place gives a document; -inf for none. float (size,)."""
        most = np.full(self.size, -np.inf)
        np.maximum.at(most, self.document, values)
        return most


# ---------------------------------------------------------------------------------------------------------------------
# Methods. Each gives every document a value. float (size,); what no list holds is left out later.


def rbc(lists, *, phi=0.9):
    """Rank-biased centroid: the chance that readers of persistence phi, one to a list, get to the document.

    phi = 0 ranks by first places, phi = 1 by the number of lists that hold the document.
    """
    return lists.total(_of_each_rank(lists, lambda rank: phi**rank * (1 - phi if phi < 1 else 1.0)))


def borda(lists):
    """Borda's count: n - k + 1 for rank k, with n the number of distinct documents; 0 from lists without it."""
    n = np.count_nonzero(lists.count)
    return lists.total((n - lists.rank).astype(float))


def combsum(lists):
    """The sum of the normalised scores."""
    return lists.total(lists.score)


def combmnz(lists):
    """The sum of the normalised scores times the number of lists that hold the document."""
    return combsum(lists) * lists.count


def combmax(lists):
    """The largest normalised score."""
    return lists.best(lists.weighted(lists.score))


def round_robin(lists):
    """The lists in turn: the first of each, then the second of each, what was taken being passed over. The heaviest
    list comes first, then as they stand."""
    return lists.best(-(lists.rank * len(lists.items) + lists.listing).astype(float))


def rrf(lists, *, k=60):
    """Reciprocal rank fusion: the sum of 1 / (k + rank), ranks from 1."""
    return lists.total(_of_each_rank(lists, lambda rank: 1 / (k + 1 + rank)))


def _of_each_rank(lists, of_rank):
    return of_rank(np.arange(lists.items.shape[1], dtype=float))[lists.rank]


# ---------------------------------------------------------------------------------------------------------------------
# Normalisations of the scores of each list. held : bool (L, K), scores : float (L, K); what is not held counts nothing.


def min_max(held, scores):
    """From 0 for a list's last to 1 for its first; 1 where all are equal."""
    scores = _at_most_1(held, scores)
    low = np.where(held, scores, np.inf).min(axis=1, keepdims=True)
    span = np.where(held, scores, -np.inf).max(axis=1, keepdims=True) - low
    return np.where(span > 0, np.divide(scores - low, span, out=np.ones(scores.shape), where=span > 0), 1.0)


def z_score(held, scores):
    """In standard deviations from a list's mean; 0 where all are equal."""
    n, scores = held.sum(axis=1, keepdims=True), _at_most_1(held, scores)
    centred = np.where(held, scores - np.where(held, scores, 0).sum(axis=1, keepdims=True) / n, 0)
    deviation = np.sqrt((centred**2).sum(axis=1, keepdims=True) / n)
    differ = ~all_equal(held, scores)[:, None]
    return np.divide(centred, deviation, out=np.zeros(scores.shape), where=differ)


def _at_most_1(held, scores):
    """The scores over the largest of their list, so that very large and very small ones can be squared."""
    most = np.where(held, np.abs(scores), 0).max(axis=1, keepdims=True)
    return np.divide(scores, most, out=np.zeros(scores.shape), where=most > 0)


def by_rank(held, scores):
    """From 1 for a list's first by equal steps to 1 / n for its last; the scores are not looked at."""
    return 1 - np.arange(scores.shape[1]) / held.sum(axis=1, keepdims=True)


def all_equal(held, scores):
    """Which lists have but one score for all of their documents. bool (L,)."""
    low, high = np.where(held, scores, np.inf).min(axis=1), np.where(held, scores, -np.inf).max(axis=1)
    return low >= high


# ---------------------------------------------------------------------------------------------------------------------
# The tables


@dataclass(frozen=True)
class Row:
    """One row: a method, function(lists, *, its parameters), or a normalisation, function(held, scores).

    uses_scores : whether scores matter, or ranks alone
    """

    name: str
    function: Callable
    summary: str
    source: str
    oracle: str
    uses_scores: bool = False

    @property
    def parameters(self):
        return names.parameters(self.function)

    @property
    def uses_phi(self):
        return "phi" in self.parameters


PLAIN = "the definition in plain Python"
FUSIONS = {
    row.name: row
    for row in (
        Row("rbc", rbc, "rank-biased centroid", "Bailey, Moffat, Scholer & Thomas, SIGIR 2017", PLAIN),
        Row("borda", borda, "Borda's count", "de Borda, 1784; Aslam & Montague, SIGIR 2001", PLAIN),
        Row("combsum", combsum, "sum of scores", "Fox & Shaw, TREC-2, 1993", PLAIN, True),
        Row("combmnz", combmnz, "sum of scores times lists", "Fox & Shaw, TREC-2, 1993", PLAIN, True),
        Row("combmax", combmax, "largest score", "Fox & Shaw, TREC-2, 1993", PLAIN, True),
        Row("round-robin", round_robin, "the lists in turn", "Voorhees, Gupta & Johnson-Laird, TREC-3, 1994", PLAIN),
        Row("rrf", rrf, "reciprocal rank fusion", "Cormack, Clarke & Büttcher, SIGIR 2009", PLAIN),
    )
}
NORMALISATIONS = {
    row.name: row
    for row in (
        Row("min-max", min_max, "from 0 to 1", "Lee, SIGIR 1997", PLAIN, True),
        Row("z-score", z_score, "in standard deviations", "Montague & Aslam, CIKM 2001", PLAIN, True),
        Row("rank", by_rank, "by rank, in equal steps", "Renda & Straccia, SAC 2003", PLAIN),
    )
}


@dataclass(frozen=True)
class Rule:
    """How lists become one: a method, its persistence where it has one, a normalisation where it uses scores, and how
    deep the fused rankings of a track are at most; None = 1000, or as deep as the track.

    Raises ValueError for what is not known or cannot be.
    """

    method: str = "rbc"
    phi: float = 0.9
    normalisation: str = "min-max"
    depth: int | None = None

    def __post_init__(self):
        for name, table, what in (
            (self.method, FUSIONS, "fusion method"),
            (self.normalisation, NORMALISATIONS, "normalisation"),
        ):
            if not isinstance(name, str) or name not in table:
                raise ValueError(f"no {what} {name!r}. Known: {', '.join(table)}.")
        if isinstance(self.phi, bool) or not isinstance(self.phi, int | float) or not 0 <= self.phi <= 1:
            raise ValueError(f"phi={self.phi!r} cannot be; it lies between 0 and 1, such as 0.9.")

    @property
    def uses_scores(self):
        return FUSIONS[self.method].uses_scores and NORMALISATIONS[self.normalisation].uses_scores

    @cached_property
    def _function(self):
        row = FUSIONS[self.method]
        return partial(row.function, phi=self.phi) if row.uses_phi else row.function

    def values(self, lists):
        """What the method gives each of the topic's documents. float (size,)."""
        part, power = np.frexp(self._function(lists))
        return np.ldexp(np.round(part * DIGITS) / DIGITS, power)


# ---------------------------------------------------------------------------------------------------------------------
# Fusing the rankings of a track


def fused_list(track, rule, systems, queries, weights, *, depth=None):
    """One ranking of these: the items, best first, and their values. int (n,) and float (n,).

    systems, queries : int (L,), indices, the rankings; weights : float (L,); depth : how deep it is at most; None = all
    Raises ValueError where a method needs scores that a ranking has not.
    """
    length = track.lengths[systems, queries]
    kept = np.flatnonzero(length)  # the order of equal weights stays
    kept = kept[np.argsort(-weights[kept], kind="stable")]
    if not len(kept):
        return np.zeros(0, np.int32), np.zeros(0)
    places = systems[kept], queries[kept], slice(length.max())
    topic = track.topic_of_query[queries[0]]
    first, last = np.searchsorted(track.topic_of_item, np.array([topic, topic + 1], track.topic_of_item.dtype))
    lists = Lists(track.items[places], track.scores[places], weights[kept], first, last - first, rule.normalisation)
    if rule.uses_scores:
        _refuse_missing_scores(track, rule, lists, systems[kept], queries[kept])
    names_of = track.doc_of_item.slice(int(first), int(last - first))
    documents, values = _best_first(lists, rule, names_of, depth)
    return (first + documents).astype(np.int32), values


def _best_first(lists, rule, names_of, depth=None):
    """The documents that a list holds, by falling value, ties by name descending; and the values. Two (n,)."""
    held = np.flatnonzero(lists.count)
    values = rule.values(lists)[held]
    if depth is not None and len(held) > depth:
        first = np.flatnonzero(values >= np.partition(values, -depth)[-depth])
        held, values = held[first], values[first]
    order, _ = score_order(np.zeros(len(held), np.int32), values, names_of.take(pa.array(held)))
    order = slice(depth) if order is None else order[:depth]
    return held[order], values[order]


def of_names(lists, rule):
    """A few lists of names, best first, made one, as in a worked example: (name, value) pairs, best first.

    Raises ValueError for a name that is twice in a list, and for a method that needs scores.
    """
    if rule.uses_scores:
        raise ValueError(f'{rule.method} needs scores, which names have not; take normalisation="rank".')
    lists = [list(one) for one in lists if len(one)]
    for one in lists:
        if len(set(one)) < len(one):
            again = next(name for name in one if one.count(name) > 1)
            raise ValueError(f"{again} stands {one.count(again)} times in one list; once is enough.")
    known = sorted({name for one in lists for name in one}, key=str.encode)
    if not known:
        return []
    items = np.zeros((len(lists), max(map(len, lists))), np.int32)
    for row, one in zip(items, lists, strict=True):
        row[: len(one)] = [known.index(name) + 1 for name in one]
    scores = np.full(items.shape, np.nan)
    of = Lists(items, scores, np.ones(len(lists)), 1, len(known), rule.normalisation)
    documents, values = _best_first(of, rule, pa.array([name.encode() for name in known], pa.binary()))
    return [(known[document], float(value)) for document, value in zip(documents, values, strict=True)]


def _refuse_missing_scores(track, rule, lists, systems, queries):
    held = lists.items != EMPTY
    missing = np.any(held & ~np.isfinite(lists.scores), axis=1)
    rising = np.any(held[:, 1:] & (lists.scores[:, 1:] > lists.scores[:, :-1]), axis=1)  # in the rank column's order
    if (missing | rising).any():
        at = np.flatnonzero(missing | rising)[0]
        what = "lacks" if missing[at] else "has in another order than its rank column"
        raise ValueError(
            f"{rule.method} needs a score of every document, which {track.systems[systems[at]]} {what} on query "
            f'{track.queries[queries[at]]}; take normalisation="rank", or a method by rank: rbc, borda or rrf.'
        )


def ranks_for_scores(items, scores):
    """Which lists have no scores, but those that a file without them is given: -1, -2, ... bool (L,)."""
    return np.all((scores == -1.0 - np.arange(scores.shape[-1])) | (items == EMPTY), axis=-1)


OVER = ("systems", "variations", "both")


def fused(track, rule, systems, *, over="systems", weights=None, query_weights=None, order=None):
    """These systems (indices) fused: a track of one system, or of each over "variations", with the same queries.

    over : "systems", query by query; "variations", the queries of each topic, the outcome answering all of them; or
        "both", first the variations of every system, then the systems
    weights : float, one a system; query_weights : float (Q,), one a variation; order : see `variations`
    """
    if over == "systems":
        return over_systems(track, rule, systems, weights)
    of_topics = over_variations(track, rule, systems, variations(track, order), query_weights)
    if over == "both":
        of_topics = over_systems(of_topics, rule, np.arange(len(systems)), weights)
    return answering(of_topics, track.queries, track.topic_of_query)


def variations(track, order=None):
    """topic (index) -> int, its queries in the order in which they are added: heaviest first, then as they stand.

    order : float (Q,), how much each query weighs; None = all the same
    """
    by_weight = np.arange(track.shape[1]) if order is None else np.argsort(-order, kind="stable")
    topic = track.topic_of_query[by_weight]
    return {int(one): by_weight[topic == one] for one in np.unique(topic)}


def rankings_by_query(track, systems, weights=None):
    """What is fused over systems: query by query the systems, the query repeated, and the weights."""
    weights = np.ones(len(systems)) if weights is None else np.asarray(weights, float)
    return [(systems, np.full(len(systems), query), weights) for query in range(track.shape[1])]


def rankings_by_topic(track, system, variations, weights=None):
    """What is fused over variations: topic by topic the system repeated, the queries, and their weights.

    variations : topic (index) -> int, its queries, see `variations`; weights : float (Q,)
    """
    weights = np.ones(track.shape[1]) if weights is None else weights
    return [(np.full(len(queries), system), queries, weights[queries]) for queries in variations.values()]


def over_systems(track, rule, systems, weights=None):
    """The rankings of these systems (indices) fused query by query: a track of one system."""
    rankings = [
        fused_list(track, rule, *one, depth=rule.depth or _depth(track))
        for one in rankings_by_query(track, systems, weights)
    ]
    return _track_of(track, [rankings], ("fused",), track.queries, track.topic_of_query)


def over_variations(track, rule, systems, variations, weights=None):
    """Each of these systems' rankings for the queries of a topic fused: a track of those systems, its queries topics.

    variations, weights : see `rankings_by_topic`
    """
    rankings = [
        [
            fused_list(track, rule, *one, depth=rule.depth or _depth(track))
            for one in rankings_by_topic(track, system, variations, weights)
        ]
        for system in systems
    ]
    topics = np.array(list(variations), np.int32)
    names_of = tuple(track.topics[topic] for topic in topics)
    return _track_of(track, rankings, tuple(track.systems[system] for system in systems), names_of, topics)


def share_nothing(track, systems, queries):
    """Whether no document is in two of these rankings."""
    items = track.items[systems, queries].ravel()
    items = items[items != EMPTY]
    return not len(items) or np.bincount(items - items.min()).max() < 2


def _depth(track):
    """How deep the track's fused rankings are at most."""
    return max(DEPTH, track.shape[2])


def _track_of(track, rankings, systems, queries, topic_of_query):
    """A track of these rankings, (items, values) by system and query, of the same items as another."""
    longest = max((len(items) for of_system in rankings for items, _ in of_system), default=0)
    shape = (len(systems), len(queries), longest)
    items, scores = np.zeros(shape, np.int32), np.full(shape, np.nan)
    for s, of_system in enumerate(rankings):
        for q, (found, values) in enumerate(of_system):
            items[s, q, : len(found)] = found
            scores[s, q, : len(found)] = falling(values)
    return replace(
        track,
        items=items,
        scores=scores,
        systems=systems,
        groups=("",) * len(systems),
        pooled=np.zeros(len(systems), bool),
        queries=queries,
        topic_of_query=topic_of_query,
    )


def falling(values):
    """Scores that strictly fall, in single precision too, and are as near to these never rising values as can be.

    trec_eval before its version 10 and pytrec_eval compare scores as 32-bit floats. float (n,).
    """
    most = np.finfo(np.float32).max
    bits = np.clip(values, -most, most).astype(np.float32).view(np.int32).astype(np.int64)
    number = np.where(bits >= 0, bits, -(bits & 0x7FFFFFFF))  # counts the 32-bit floats from 0 on
    place = np.arange(len(values))
    number = np.minimum.accumulate(number + place) - place
    bits = np.where(number >= 0, number, -number | 0x80000000)
    return bits.astype(np.uint32).view(np.float32).astype(float)


def answering(track, queries, topic_of_query):
    """A track whose queries are topics, its rankings answering every query of the topic; of no topic else."""
    at = np.searchsorted(track.topic_of_query, topic_of_query)
    return replace(
        track,
        items=track.items[:, at],
        scores=track.scores[:, at],
        queries=queries,
        topic_of_query=topic_of_query,
    )


def joined(track, more, systems):
    """The systems of a track and, under these names, those of another with the same queries and items."""
    deepest = max(track.shape[2], more.shape[2])

    def together(name, empty):
        shape = (len(track.systems) + len(systems), track.shape[1], deepest)
        both = np.full(shape, empty, getattr(track, name).dtype)
        both[: len(track.systems), :, : track.shape[2]] = getattr(track, name)
        both[len(track.systems) :, :, : more.shape[2]] = getattr(more, name)
        return both

    return replace(
        track,
        items=together("items", EMPTY),
        scores=together("scores", np.nan),
        systems=(*track.systems, *systems),
        groups=(*track.groups, *more.groups),
        pooled=np.concatenate([track.pooled, more.pooled]),
    )
