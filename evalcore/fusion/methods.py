"""Fusion methods: combine several rankings of a topic into one [BMST17].

A rule is a name, such as `rbc(phi=0.9)` or `combmnz(normalisation=min-max)`: it gives every document that a list holds
a value; documents stand by falling value, ties by document id descending.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.collection.shares import share
from evalcore.collection.ties import score_order
from evalcore.collection.track import EMPTY
from evalcore.vocabulary import registry
from evalcore.vocabulary.validation import persistence, row_of

DIGITS = 2.0**44  # values that agree to 13 digits are equal: sums of rounded numbers


@dataclass(frozen=True)
class Lists:
    """The L rankings of one topic that are to become one.

    items : int (L, K), codes of one topic's items, `EMPTY` after the end; scores : float (L, K)
    weights : float (L,), what each list counts, never rising; first, size : the topic's items are those from `first` on
    A *place* is one document of one list; places stand rank by rank, so that sums do not depend on the lists' order.
    """

    items: NDArray[np.int32]
    scores: NDArray[np.float64]
    weights: NDArray[np.float64]
    first: int
    size: int

    @cached_property
    def _at(self):
        return np.flatnonzero(self.items.T)

    @cached_property
    def document(self) -> NDArray[np.integer]:
        """The document at each place, a number from 0. int (M,)."""
        return self.items.T.ravel()[self._at] - self.first

    @cached_property
    def rank(self) -> NDArray[np.intp]:
        """The rank of each place, from 0. int (M,)."""
        return self._at // len(self.items)

    @property
    def listing(self) -> NDArray[np.intp]:
        """The list that each place is in. int (M,)."""
        return self._at % len(self.items)

    def score(self, normalisation: str) -> NDArray[np.float64]:
        """The normalised score at each place. float (M,). normalisation : a name of `NORMALISATIONS`"""
        return NORMALISATIONS[normalisation].function(self.items != EMPTY, self.scores).T.ravel()[self._at]

    @cached_property
    def count(self) -> NDArray[np.intp]:
        """How many lists hold each document. int (size,)."""
        return np.bincount(self.document, minlength=self.size)

    def weighted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each place gives, times the weight of its list. float (M,)."""
        return values if np.all(self.weights == 1) else values * self.weights[self.listing]

    def total(self, values: NDArray[np.float64]) -> NDArray[Any]:
        """The sum over the lists of what each place gives, largest first. float (size,)."""
        values, document = self.weighted(values), self.document
        if np.any(values[1:] > values[:-1]):
            order = np.argsort(-values)
            values, document = values[order], document[order]
        return np.bincount(document, values, minlength=self.size)

    def best(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The most that any place gives a document; -inf for none. float (size,)."""
        most = np.full(self.size, -np.inf)
        np.maximum.at(most, self.document, values)
        return most


# ---------------------------------------------------------------------------------------------------------------------
# Methods. Each gives every document a value. float (size,); what no list holds is left out later.


def rbc(lists: Lists, *, phi: float = 0.9) -> NDArray[np.float64]:
    """Rank-biased centroid: each ranking gives a document a weight that falls with its rank, by a factor phi per rank.

    The weights sum up the readers of persistence phi who reach it. phi = 0 ranks by the number of first ranks, phi = 1
    by the number of rankings that contain the document.
    """
    return lists.total(_of_each_rank(lists, lambda rank: phi**rank * (1 - phi if phi < 1 else 1.0)))


def borda(lists: Lists) -> NDArray[np.float64]:
    """Borda's count: with n documents in all, a ranking gives its first document n points, its second n - 1, and so on.

    A ranking gives no points to documents that it does not contain."""
    n = np.count_nonzero(lists.count)
    return lists.total((n - lists.rank).astype(float))


def combsum(lists: Lists, *, normalisation: str = "min-max") -> NDArray[np.float64]:
    """The sum of a document's scores, after the scores of all runs are normalised."""
    return lists.total(lists.score(normalisation))


def combmnz(lists: Lists, *, normalisation: str = "min-max") -> NDArray[np.float64]:
    """The sum of a document's normalised scores, times the number of rankings that contain it."""
    return combsum(lists, normalisation=normalisation) * lists.count


def combmax(lists: Lists, *, normalisation: str = "min-max") -> NDArray[np.float64]:
    """The highest of a document's scores, after the scores of all runs are normalised."""
    return lists.best(lists.weighted(lists.score(normalisation)))


def round_robin(lists: Lists) -> NDArray[np.float64]:
    """The rankings take turns: the first document of each, then the second of each, without repetitions.

    The ranking with the largest weight comes first; equal weights keep the order of the inputs."""
    return lists.best(-(lists.rank * len(lists.items) + lists.listing).astype(float))


def rrf(lists: Lists, *, constant: float = 60.0) -> NDArray[np.float64]:
    """Reciprocal rank fusion: the sum over rankings of 1 / (60 + the document's rank)."""
    return lists.total(_of_each_rank(lists, lambda rank: 1 / (constant + 1 + rank)))


def _of_each_rank(lists, of_rank):
    return of_rank(np.arange(lists.items.shape[1], dtype=float))[lists.rank]


# ---------------------------------------------------------------------------------------------------------------------
# Normalisations of the scores of each list. held : bool (L, K), scores : float (L, K); what is not held counts nothing.


def min_max(filled: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores from 0 for the last document of a ranking to 1 for the first; 1 if all are equal."""
    scores = _at_most_1(filled, scores)
    low = np.where(filled, scores, np.inf).min(axis=1, keepdims=True)
    span = np.where(filled, scores, -np.inf).max(axis=1, keepdims=True) - low
    return np.where(span > 0, np.divide(scores - low, span, out=np.ones(scores.shape), where=span > 0), 1.0)


def z_score(filled: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores in standard deviations from the mean of a ranking; 0 if all are equal."""
    n, scores = filled.sum(axis=1, keepdims=True), _at_most_1(filled, scores)
    centred = np.where(filled, scores - np.where(filled, scores, 0).sum(axis=1, keepdims=True) / n, 0)
    deviation = np.sqrt((centred**2).sum(axis=1, keepdims=True) / n)
    differ = ~all_equal(filled, scores)[:, None]
    return np.divide(centred, deviation, out=np.zeros(scores.shape), where=differ)


def _at_most_1(filled, scores):
    """The scores over the largest of their list, so that very large and very small ones can be squared."""
    most = np.where(filled, np.abs(scores), 0).max(axis=1, keepdims=True)
    return share(scores, most)


def by_rank(filled: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equal steps from 1 for the first document of a ranking to 1 / n for the last; scores are ignored."""
    return 1 - np.arange(scores.shape[1]) / filled.sum(axis=1, keepdims=True)


def all_equal(filled: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[Any]:
    """Which lists have but one score for all of their documents. bool (L,)."""
    low, high = np.where(filled, scores, np.inf).min(axis=1), np.where(filled, scores, -np.inf).max(axis=1)
    return low >= high


# ---------------------------------------------------------------------------------------------------------------------
# The tables, and rules

NORMALISATIONS = registry.by_name(
    registry.Row("min-max", min_max, source="[Lee97]"),
    registry.Row("z-score", z_score, source="[MA01]"),
    registry.Row("rank", by_rank, source="[RS03]"),
)
BY_RANK = "rank"  # the normalisation that does not look at scores
PHI = {"phi": (lambda phi: isinstance(phi, float) and 0 <= phi <= 1, "a number from 0 to 1")}
SCORED = {"normalisation": (lambda name: name in NORMALISATIONS, f"one of {', '.join(NORMALISATIONS)}")}
CONSTANT = {"constant": (lambda k: isinstance(k, float) and 0 <= k <= 1e6, "a number from 0 to a million")}
FOX = "[FS94]"

FUSIONS = registry.by_name(
    registry.Row("rbc", rbc, "RBC", "[BMST17]", limits=PHI),
    registry.Row("borda", borda, "Borda", "[Bor84]; [AM01]"),
    registry.Row("combsum", combsum, "CombSUM", FOX, limits=SCORED),
    registry.Row("combmnz", combmnz, "CombMNZ", FOX, limits=SCORED),
    registry.Row("combmax", combmax, "CombMAX", FOX, limits=SCORED),
    registry.Row("round-robin", round_robin, "round robin", "[VGJ94]"),
    registry.Row("rrf", rrf, "reciprocal rank fusion", "[CCB09]", limits=CONSTANT),
)


@dataclass(frozen=True)
class Rule:
    """How lists become one: a method with its parameters. Make one with `rule("rbc(phi=0.9)")`; its name reads back."""

    method: registry.Row
    parameters: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        return registry.write(self.method.name, dict(self.parameters))

    def says(self, parameter: str) -> Any:
        """What the rule says of a parameter; NaN where its method has none of that name."""
        return dict(self.parameters).get(parameter, np.nan)

    @property
    def uses_scores(self) -> bool:
        """Whether scores matter, or ranks alone."""
        return self.says("normalisation") in NORMALISATIONS and self.says("normalisation") != BY_RANK

    def values(self, lists: Lists) -> NDArray[np.float64]:
        """What the method gives each of the topic's documents. float (size,)."""
        part, power = np.frexp(self.method.function(lists, **dict(self.parameters)))
        return np.ldexp(np.round(part * DIGITS) / DIGITS, power)


def rule(text: str, *, phi: float | None = None, normalisation: str | None = None) -> Rule:
    """The rule of a name such as `rbc(phi=0.9)` or `borda`.

    phi, normalisation : for methods that have them, where the name does not say it
    Raises ValueError for what is not known or cannot be.
    """
    if isinstance(text, Rule):
        return text
    if phi is not None:
        persistence("phi", phi)
    if normalisation is not None:
        row_of(NORMALISATIONS, "normalisation", normalisation)
    row, params = registry.read(text, FUSIONS, what="fusion method", examples="borda or rbc(phi=0.9)")
    for name, value in (("phi", phi), ("normalisation", normalisation)):
        if value is not None and name in params and f"{name}=" not in str(text).replace(" ", ""):
            params[name] = float(value) if name == "phi" else value
    return Rule(row, tuple(params.items()))


def best_first(
    lists: Lists, rule: Rule, names_of: pa.Array, depth: int | None = None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The documents that a list holds, by falling value, ties by name descending; and the values. Two (n,)."""
    retrieved = np.flatnonzero(lists.count)
    values = rule.values(lists)[retrieved]
    if depth is not None and len(retrieved) > depth:
        first = np.flatnonzero(values >= np.partition(values, -depth)[-depth])
        retrieved, values = retrieved[first], values[first]
    order, _ = score_order(np.zeros(len(retrieved), np.int32), values, names_of.take(pa.array(retrieved)))
    order = slice(depth) if order is None else order[:depth]
    return retrieved[order], values[order]


def of_names(lists: Iterable[Sequence[str]], rule: Rule) -> list[tuple[str, float]]:
    """A few lists of names, best first, made one, as in a worked example: (name, value) pairs, best first.

    Raises ValueError for a name that is twice in a list, and for a method that needs scores.
    """
    if rule.uses_scores:
        raise ValueError(
            f"{rule.method.name} needs scores, but names have none. Use {rule.method.name}(normalisation={BY_RANK})."
        )
    lists = [list(names_listed) for names_listed in lists if len(names_listed)]
    for names_listed in lists:
        again, times = Counter(names_listed).most_common(1)[0]
        if times > 1:
            raise ValueError(f"{again} occurs {times} times in one ranking. Keep it once.")
    known = sorted({name for names_listed in lists for name in names_listed}, key=str.encode)
    if not known:
        return []
    items = np.zeros((len(lists), max(map(len, lists))), np.int32)
    for row, names_listed in zip(items, lists, strict=True):
        row[: len(names_listed)] = [known.index(name) + 1 for name in names_listed]
    of = Lists(items, np.full(items.shape, np.nan), np.ones(len(lists)), 1, len(known))
    documents, values = best_first(of, rule, pa.array([name.encode() for name in known], pa.binary()))
    return [(known[document], float(value)) for document, value in zip(documents, values, strict=True)]
