"""A metric with its parameters: the value of a ranking, and its bounds over all possible judgments.

The table of metrics is in `metrics`; here is what a row of it says, and how values and ends are made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places
from evalcore.collection.judgments import Scale
from evalcore.collection.ragged import offsets, rows_of
from evalcore.vocabulary import registry

NEGLIGIBLE = 1e-18  # a rank weight below this cannot change a score in its sixteenth digit


def highest_gain(scale: Scale, **values: Any) -> float:
    """The highest score of a mean of gains."""
    return scale.r_max


@dataclass(frozen=True, kw_only=True)
class Family(registry.Row):
    """One row of the table of metrics: a metric up to its parameters.

    function : weights of ranks (`weighted`), or a number per row of places
    kind : of its interval: "bounds" (exact), "guide" (not a bound) or "point" (none)
    reads : what it reads of a judgment: "relevant", "gain", "worth", "satisfied" or "judged" (tables of
        `judgments.Scale`)
    section : of docs/METHODS.md, where it is defined
    phrase : what it looks at, with parameters as in `phrases.words_of`: "the first {first}"
    plainly, of_one : what it is in one plain line, with parameters as in `phrases.words_of`, and with k = 1 if that
        needs another line
    highest : the function of a `judgments.Scale` and the parameters that gives its highest score; None = 1
    usual : the names under which it is offered
    lower, upper : the functions that give the ends of bounds of a metric that is not weighted; no lower = the value
    bounded_to : cut at this rank or above, its interval is exact, whatever its kind
    weighing : the weighted family whose sum it takes over that of the ideal ranking, where its parameters allow it
    monotone : moving a relevant document up never lowers it
    of_worthy : its value is made of the places of relevant documents, and those of some worth, alone (not weighted)
    of_whole_pool : it is not to be taken on a part of the documents
    """

    kind: str
    reads: str
    section: str
    phrase: str = ""
    plainly: str = ""
    of_one: str = ""
    highest: Callable[..., float] | None = None
    usual: tuple[str, ...] = ()
    weighted: bool = False
    lower: Callable[..., NDArray[np.float64]] | None = None
    upper: Callable[..., Any] | None = None
    bounded_to: int = 0
    weighing: Family | None = None
    monotone: bool = True
    of_worthy: bool = False
    of_whole_pool: bool = False

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Those of its function, and `rel` if its limits name it: the lowest grade that is relevant to this metric.
        None = as the judgments are read."""
        return {**super().parameters, **({"rel": None} if "rel" in self.limits else {})}


@dataclass(frozen=True)
class Metric:
    """A family with its parameters. Make one with `metrics.metric("RBP(p=0.95)")`; its name reads back."""

    family: Family
    values: tuple[tuple[str, Any], ...]

    def with_columns(self, column: Callable[[str], NDArray[np.float64]]) -> Metric:
        """The metric with each parameter that names a column of the queries table replaced by `column(name)`."""
        values = ((key, column(value) if isinstance(value, str) else value) for key, value in self.values)
        return replace(self, values=tuple(values))

    @property
    def name(self) -> str:
        return registry.write(self.family.name, dict(self.values))

    @property
    def kind(self) -> str:
        """Of its interval: "bounds", "guide" or "point"."""
        k = dict(self.values).get("k")
        return "bounds" if k is not None and k <= self.family.bounded_to else self.family.kind

    @property
    def weighted(self) -> bool:
        """Whether it is a weighted-precision metric."""
        return self.family.weighted

    @property
    def of_ranking_alone(self) -> bool:
        """Whether judgments of documents that a ranking does not have leave its value as it is, whatever its topic."""
        return self.family.kind == "bounds"

    @property
    def weighing(self) -> Metric | None:
        """For a metric divided by that of the ideal ranking, such as nDCG@k: the weighted sum above the line, as a
        metric; else None."""
        values = tuple((key, value) for key, value in self.values if value is not None)
        return Metric(self.family.weighing, values) if self.family.weighing and [*dict(values)] == ["k"] else None

    @property
    def rel(self) -> float | None:
        """The lowest grade that is relevant to it; None = as the judgments are read."""
        return dict(self.values).get("rel")

    @property
    def _arguments(self):
        """The parameters of the functions of its family."""
        return {key: value for key, value in self.values if key != "rel"}

    def scale(self, scale: Scale) -> Scale:
        """How it reads grades: from `rel` on as relevant, if it has that."""
        return scale if self.rel is None else scale.relevant_from(self.rel)

    def read(self, places: Places) -> Places:
        """Places as it reads them, see `scale`."""
        return places if self.rel is None else places.relevant_from(self.rel)

    def earned(self, scale: Scale) -> NDArray[Any]:
        """By level: what a document adds (see `Family.reads`)."""
        return getattr(self.scale(scale), self.family.reads)

    def counting(self, scale: Scale) -> NDArray[np.bool_]:
        """By level: whether its value (not its interval) is made of such documents. bool."""
        if self.weighted:
            return self.earned(scale) > 0
        scale = self.scale(scale)
        return scale.worthy if self.family.of_worthy else scale.pooled

    def highest(self, scale: Scale) -> float:
        """The highest score that a ranking can have."""
        return self.family.highest(scale, **self._arguments) if self.family.highest else 1.0

    def weights(self, K: int) -> NDArray[np.float64]:
        """The weights of the first K ranks. float64 (K,). Only for weighted-precision metrics."""
        return self.family.function(np.arange(K), **self._arguments)

    def value(self, places: Places) -> NDArray[np.float64]:
        """The score of each row with unjudged documents as not relevant. float64 (rows,)."""
        if self.weighted:
            return self._base(near := self.near(places), near.sum)
        return self.family.function(self.read(places), **self._arguments)

    def ends(self, places: Places) -> tuple[NDArray[np.float64], ...]:
        """The score of each row with unjudged documents as not relevant, its lower and its upper bound, and the upper
        bound over the documents in its list alone. Four float64 (rows,).

        Exact for kind "bounds"; for kind "guide" the lower bound is the score and the upper one a guide, the highest
        score for a ranking of which nothing is known; for kind "point" all but the score are NaN.
        """
        if self.weighted:
            return self._weighted_ends(places)
        places = self.read(places)
        values, value = self._arguments, self.value(places)
        if self.kind == "point":
            return value, *np.full((3, places.rows), np.nan)
        if self.kind == "guide":
            lucky = self.value(promoted(places, values.get("k"), graded=self.family.reads == "worth"))
            unknown = places.endless & (places.lengths == 0)
            upper = np.where(unknown, self.highest(places.scale), np.maximum(value, lucky))
            return value, value, upper, np.full(places.rows, np.nan)
        lower = np.minimum(self.family.lower(places, **values), value) if self.family.lower else value
        assert self.family.upper  # as all of this kind have
        upper = np.maximum(self.family.upper(places, **values), value)
        short = places.endless & (places.lengths < (values.get("k") or np.inf))
        of_list = upper.copy()
        if short.any():
            of_list[short] = np.maximum(self.family.upper(places.ending(short), **values), value[short])
        return value, lower, upper, of_list

    def sweep(self, places: Places, step: NDArray[np.integer], steps: int) -> tuple[NDArray[np.float64], ...]:
        """The ends of each row at each of `steps` growing sets of judgments, in one pass. Four float64 (rows, steps).

        step : int (N,), by item, the first set that its judgment belongs to; `steps` where none does
        Only for weighted-precision metrics: base and known weight are plain sums over places.
        """
        near = self.near(places)
        at = near.each(np.arange(near.rows) * (steps + 1)) + step[near.item]

        def grown(values, chosen=slice(None)):
            sums = np.bincount(at[chosen], weights=values, minlength=near.rows * (steps + 1))
            return sums.reshape(near.rows, steps + 1)[:, :steps].cumsum(axis=1, dtype=float)  # of nothing, it is int

        base, known = self._base(near, grown), self._known(near, grown)
        in_all, listed = (weight[:, None] for weight in self._knowable(places))
        return self._about(base, known, in_all, listed, places.scale)

    def _weighted_ends(self, places):
        near = self.near(places)
        base, known = self._base(near, near.sum), self._known(near, near.sum)
        return self._about(base, known, *self._knowable(places), places.scale)

    def _about(self, base, known, in_all, listed, scale):
        """The score and the bounds of a weighted sum, from what is earned: the lower bound is the score, the upper
        bounds add the highest gain on all unjudged weight, and on that in the list alone."""
        upper, of_list = (base + self.highest(scale) * np.maximum(weight - known, 0) for weight in (in_all, listed))
        return base, base, upper, of_list

    def _base(self, places, total):
        """What the judged places earn, as `total(values, which places)` adds it up."""
        weights, earned = self.weights(_deepest(places)), self.earned(places.scale)
        earning = np.flatnonzero(places.marked(earned > 0))
        return total(weights[places.rank[earning]] * earned[places.level[earning]], earning)

    def _known(self, places, total):
        """The weight of the judged ranks."""
        return total(self.weights(_deepest(places))[places.rank] * places.marked(places.scale.judged))

    def near(self, places: Places) -> Places:
        """The places that its value (not its guide) is made of, by these judgments or fewer; all, where most are."""
        if not self.weighted:
            return self.read(places).worthy if self.family.of_worthy else places
        deepest = _deepest(places)
        weighing = np.count_nonzero(self.weights(deepest) > NEGLIGIBLE)
        return places.within(int(weighing)) if 2 * weighing < deepest else places

    def _knowable(self, places: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weight of all ranks of each row that may hold a document, and of those in its list: all there is, 1, but
        where a ranking is taken to end with its list. Two float64 (rows,)."""
        listed = np.concatenate([[0.0], np.cumsum(self.weights(_deepest(places)))])[places.lengths]
        return (np.ones(places.rows) if places.endless else listed), listed


def _deepest(places):
    return int(places.lengths.max(initial=0))


def promoted(places: Places, k: int | None = None, *, graded: bool = True) -> Places:
    """The rankings as a lucky assessor might leave them: each topic's relevant documents that a ranking has not
    retrieved, highest grades first, put into its earliest ranks that hold an unjudged document. A guide, not a bound
    [RM10, sec. 3]. Only places of some worth are listed; past rank k, not all.

    graded : whether it matters which documents these are; else one stands for all of its topic
    """
    missing = places.R - places.relevant.counts
    added, judged = rows_of(missing if k is None else np.minimum(missing, k)), places.judged.within(k)
    rank = _gaps(judged, added)
    item = _absent(places, added) if graded else added.each(places.judgments.best_of_topic[places.topic_of_row])
    inside = np.flatnonzero(rank < added.each(places.lengths))
    added, worthy = added.rows_among(inside), judged.worthy
    rank, item = np.append(worthy.rank, rank[inside]), np.append(worthy.item, item[inside])
    order = np.argsort(np.append(worthy.row, added.row) * _deepest(places) + rank, kind="stable")  # merges the two
    rank, item = rank[order], item[order]
    return replace(
        judged, starts=worthy.starts + added.starts, rank=rank, item=item, level=places.judgments.level[item]
    )


def _gaps(places, wanted):
    """The first ranks of each row that are not listed here, as many as `wanted` has values. int64."""
    above = rows_of(places.above_gap(wanted.counts - 1))
    begin = offsets(wanted.counts + above.counts)
    free = np.ones(begin[-1], bool)
    free[above.each(begin[:-1]) + places.rank[above.each(places.starts[:-1]) + above.nth - 1]] = False
    return np.flatnonzero(free) - wanted.each(begin[:-1])


def _absent(places, wanted):
    """The first relevant documents of each row's topic, best first, that its ranking has not retrieved. Items."""
    judgments, relevant, known = places.judgments, places.relevant, rows_of(places.R)
    absent = np.ones(known.size, bool)
    absent[relevant.each(known.starts[:-1]) + judgments.standing[relevant.item]] = False
    first = known.starts[:-1] - relevant.starts[:-1]
    standing = np.flatnonzero(absent)[wanted.each(first) + wanted.nth - 1]
    best = offsets(judgments.relevant)[places.topic_of_row] - known.starts[:-1]
    return judgments.best_relevant[wanted.each(best) + standing]
