"""Effectiveness metrics: one function and one row of `METRICS` each.

A weighted-precision metric is a function of the rank alone, its weight; the others are functions of the places that
the judgments speak of (`evalcore.places.Places`). Each gives one number per row, in [0, 1].
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from evalcore import names
from evalcore.inst import HOPES, inst, inst_upper
from evalcore.ndcg import BOUNDED_TO, ndcg, ndcg_lower, ndcg_upper
from evalcore.places import ideal

# ---------------------------------------------------------------------------------------------------------------------
# Weighted precision: M = sum_k W(k) r_k. Weights sum to 1 over an endless ranking, so what is past the end is 1 - sum.


def precision_weights(ranks, *, k=10):
    """The share of the first k ranks that are relevant: equal weights down to rank k.

    ranks : int (K,), from 0
    """
    return np.where(ranks < k, 1 / k, 0.0)


def rbp_weights(ranks, *, p=0.8, k=None):
    """The gain of a reader who goes on to the next rank with probability p: geometric weights.

    ranks : int (K,), from 0 [MZ08, eq. 3]. Cut at k, the weights are scaled up to sum to 1 [WP09, sec. 2.1].
    """
    weights = (1 - p) * p ** ranks.astype(float)
    return weights if k is None else np.where(ranks < k, weights, 0.0) / (1 - p**k)


def sdcg_weights(ranks, *, k=10):
    """Discounted gain, scaled to at most 1: weights `1 / log2(rank + 1)` that sum to 1 down to rank k.

    ranks : int (K,), from 0 [MZ08, sec. 2].
    """
    total = np.sum(1 / np.log2(np.arange(k) + 2))
    return np.where(ranks < k, 1 / np.log2(ranks + 2), 0.0) / total


# ---------------------------------------------------------------------------------------------------------------------
# The rest, each a number per row of `places`.


def average_precision(places, *, k=None):
    """The mean over all relevant documents of the precision where each stands; 0 for one not found by rank k."""
    found = places.relevant.within(k)
    return _share(found.sum(found.nth / (found.rank + 1)), places.R)


def q_measure(places):
    """Average precision with cumulated grades blended in (b = 1) [Sak07]."""
    worthy, best = places.worthy, ideal(places.judgments)
    cumulated = worthy.running((worthy.scale.relevant + worthy.scale.worth)[worthy.level])
    ideally = np.append(best.running(best.scale.worth[best.level]), 0.0)
    first, last = (worthy.each(of_topic[places.topic_of_row]) for of_topic in (best.starts[:-1], best.counts - 1))
    blended = cumulated / (worthy.rank + 1 + ideally[first + np.minimum(worthy.rank, last)])
    return _share(worthy.sum(blended * worthy.marked(worthy.scale.relevant)), places.R)


def reciprocal_rank(places):
    """One over the rank of the first relevant document; 0 where there is none."""
    return 1 / (places.relevant.first_rank + 1)


def reciprocal_rank_upper(places):
    """One over the first rank that holds a relevant document or one that nobody judged."""
    first_unjudged = places.judged.above_gap(np.zeros(places.rows, np.int64))
    first = np.minimum(places.relevant.first_rank, first_unjudged)
    return np.where(places.endless | (first < places.lengths), 1 / (first + 1), 0.0)


def r_precision(places):
    """Precision at rank R, the number of relevant documents known."""
    found = places.relevant
    return _share(found.sum(found.rank < found.each(places.R)), places.R)


def recall(places, *, k=100):
    """The share of the known relevant documents that stand in the first k ranks."""
    found = places.relevant.within(k)
    return _share(found.counts, places.R)


def bpref(places):
    """How seldom judged non-relevant documents stand above relevant ones; unjudged documents are passed over.

    [BV04], as `trec_eval` 9 computes it: every negative grade counts as not judged.
    """
    nonrelevant_known = places.judgments.nonrelevant[places.topic_of_row]
    found, R = places.relevant, places.R
    limit = np.maximum(np.minimum(nonrelevant_known, R), 1)
    above = np.minimum(_nonrelevant_above(places), found.each(R))
    return _share(found.sum(1 - above / found.each(limit)), R)


def _nonrelevant_above(places):
    """How many documents that `trec_eval` reads as judged and not relevant stand above each relevant one. int64."""
    scale = places.scale
    known = places.where(places.marked(scale.relevant | scale.nonrelevant))
    return known.nth_of(known.relevant_at) - places.relevant.nth


INFAP_EPSILON = 0.00001  # trec_eval's smoothing


def inferred_ap(places):
    """Average precision inferred from a sample of the pool; *pooled, not judged* is not *never pooled*.

    [YA06], as `trec_eval` 9 computes it.
    """
    found = places.relevant
    relevant_above, nonrelevant_above = found.nth - 1, _nonrelevant_above(places)
    pooled_above = places.nth_of(places.relevant_at) - 1
    precision_above = (relevant_above + INFAP_EPSILON) / (relevant_above + nonrelevant_above + 2 * INFAP_EPSILON)
    return _share(found.sum((1 + pooled_above * precision_above) / (found.rank + 1)), places.R)


def judged_share(places, *, k=10):
    """The share of the first k ranks that hold a judged document; empty ranks are not judged."""
    top = places.judged.within(k)
    return top.counts / k


def _share(part, whole):
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


# ---------------------------------------------------------------------------------------------------------------------
# The table.


NEGLIGIBLE = 1e-18  # a rank weight below this cannot change a score in its sixteenth digit


@dataclass(frozen=True, kw_only=True)
class Family(names.Row):
    """One row of the table of metrics: a metric up to its parameters.

    function : weights of ranks (`weighted`), or a number per row of places
    kind : of its interval: "bounds" (exact), "guide" (not a bound) or "point" (none)
    reads : what it reads of a judgment: "relevant", "gain", "worth" or "judged" (the tables of `judgments.Scale`)
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
    usual: tuple = ()
    weighted: bool = False
    lower: Callable | None = None
    upper: Callable | None = None
    bounded_to: int = 0
    weighing: str = ""
    monotone: bool = True
    of_worthy: bool = False
    of_whole_pool: bool = False


@dataclass(frozen=True)
class Metric:
    """A family with its parameters. Make one with `metric("RBP(p=0.95)")`; its name reads back."""

    family: Family
    values: tuple

    def with_columns(self, column):
        """The metric with each parameter that names a column of the queries table replaced by `column(name)`."""
        values = ((key, column(value) if isinstance(value, str) else value) for key, value in self.values)
        return replace(self, values=tuple(values))

    @property
    def name(self):
        return names.write(self.family.name, dict(self.values))

    @property
    def kind(self):
        """Of its interval: "bounds", "guide" or "point"."""
        k = dict(self.values).get("k")
        return "bounds" if k is not None and k <= self.family.bounded_to else self.family.kind

    @property
    def weighted(self):
        """Whether it is a weighted-precision metric."""
        return self.family.weighted

    @property
    def weighing(self):
        """The weighted-precision metric whose sum it takes over that of the ideal ranking; None where there is none."""
        values = {key: value for key, value in self.values if value is not None}
        return metric(f"{self.family.weighing}@{values['k']}") if self.family.weighing and [*values] == ["k"] else None

    def earned(self, scale):
        """By level: what a document adds (see `Family.reads`)."""
        return getattr(scale, self.family.reads)

    def counting(self, scale):
        """By level: whether its value (not its interval) is made of such documents. bool."""
        if self.weighted:
            return self.earned(scale) > 0
        return scale.worthy if self.family.of_worthy else scale.pooled

    def highest(self, scale):
        """The highest score that there is: r_max where gains are read, else 1."""
        return scale.r_max if self.family.reads == "gain" else 1.0

    def weights(self, K):
        """The weights of the first K ranks. float64 (K,). Only for weighted-precision metrics."""
        return self.family.function(np.arange(K), **dict(self.values))

    def value(self, places):
        """The score of each row with unjudged documents as not relevant. float64 (rows,)."""
        if self.weighted:
            return self._base(near := self.near(places), near.sum)
        return self.family.function(places, **dict(self.values))

    def ends(self, places):
        """The score of each row with unjudged documents as not relevant, the lowest and the highest that it may come
        to, and the highest to which the documents in its list can bring it. Four float64 (rows,).

        Exact for kind "bounds"; for kind "guide" the lowest is the score and the highest a guide, 1 for a ranking of
        which nothing is known; NaN, all but the score, for kind "point".
        """
        if self.weighted:
            return self._weighted_ends(places)
        values, value = dict(self.values), self.value(places)
        if self.kind == "point":
            return value, *np.full((3, places.rows), np.nan)
        if self.kind == "guide":
            lucky = self.value(places.promoted(values.get("k"), graded=self.family.reads == "worth"))
            upper = np.where(places.endless & (places.lengths == 0), 1.0, np.maximum(value, lucky))
            return value, value, upper, np.full(places.rows, np.nan)
        lower = np.minimum(self.family.lower(places, **values), value) if self.family.lower else value
        upper = np.maximum(self.family.upper(places, **values), value)
        short = places.endless & (places.lengths < (values.get("k") or np.inf))
        of_list = upper.copy()
        if short.any():
            of_list[short] = np.maximum(self.family.upper(places.ending(short), **values), value[short])
        return value, lower, upper, of_list

    def sweep(self, places, step, steps):
        """The ends of each row at each of `steps` growing sets of judgments, in one pass. Four float64 (rows, steps).

        step : int (N,), by item, the first set that its judgment belongs to; `steps` where none does
        Only for weighted-precision metrics: base and known weight are plain sums over places.
        """
        near = self.near(places)
        at = near.each(np.arange(near.rows) * (steps + 1)) + step[near.item]

        def grown(values, which=slice(None)):
            sums = np.bincount(at[which], weights=values, minlength=near.rows * (steps + 1))
            return sums.reshape(near.rows, steps + 1)[:, :steps].cumsum(axis=1, dtype=float)  # of nothing, it is int

        base, known = self._base(near, grown), self._known(near, grown)
        in_all, listed = (weight[:, None] for weight in self._knowable(places))
        return self._about(base, known, in_all, listed, places.scale)

    def _weighted_ends(self, places):
        near = self.near(places)
        base, known = self._base(near, near.sum), self._known(near, near.sum)
        return self._about(base, known, *self._knowable(places), places.scale)

    def _about(self, base, known, in_all, listed, scale):
        """The ends about what is earned, by the weight that is known, that there is in all, and in the list."""
        upper, of_list = (base + self.highest(scale) * np.maximum(weight - known, 0) for weight in (in_all, listed))
        return base, base, upper, of_list

    def _base(self, places, total):
        """What the judged places earn, as `total(values, which places)` adds it up."""
        weights, earned = self.weights(_deepest(places)), self.earned(places.scale)
        earning = np.flatnonzero(places.marked(earned > 0))
        return total(weights[places.rank[earning]] * earned[places.level[earning]], earning)

    def _known(self, places, total):
        """What the judged places weigh."""
        return total(self.weights(_deepest(places))[places.rank] * places.marked(places.scale.judged))

    def near(self, places):
        """The places that its value (not its guide) is made of, by these judgments or fewer; all, where most are."""
        if not self.weighted:
            return places.worthy if self.family.of_worthy else places
        deepest = _deepest(places)
        weighing = np.count_nonzero(self.weights(deepest) > NEGLIGIBLE)
        return places.within(weighing) if 2 * weighing < deepest else places

    def _knowable(self, places):
        """The weight of all ranks of each row that may hold a document, and of those in its list: all there is, 1, but
        where a ranking is taken to end with its list. Two float64 (rows,)."""
        listed = np.concatenate([[0.0], np.cumsum(self.weights(_deepest(places)))])[places.lengths]
        return (np.ones(places.rows) if places.endless else listed), listed


def _deepest(places):
    return int(places.lengths.max(initial=0))


DEEPEST = 10**6  # the cut-off of a metric: no track is deeper, and there is a weight for every rank down to it
AT_RANK = (lambda k: isinstance(k, int) and 1 <= k <= DEEPEST, f"a whole number from 1 to {DEEPEST:,}")
PERSISTENCE = (lambda p: isinstance(p, float) and 0 <= p < 1, "a number from 0 to below 1")
HOPE = (
    lambda T: isinstance(T, str) or HOPES[0] <= T <= HOPES[1],
    "a number from 0.5 (below that its interval is not exact) to a million, or a column of the queries table",
)
BASE = (lambda b: isinstance(b, float) and 1 < b < np.inf, "a number above 1")

TREC_EVAL = "[TREC_EVAL]"

LIKE_TREC_EVAL = {"source": TREC_EVAL, "oracle": "pytrec_eval"}

METRICS = names.by_name(
    Family(
        name="P", function=precision_weights, kind="bounds", reads="relevant", usual=("P@10",), weighted=True,
        limits={"k": AT_RANK}, **LIKE_TREC_EVAL,
    ),
    Family(
        name="RBP", function=rbp_weights, kind="bounds", reads="gain", usual=("RBP(p=0.8)", "RBP(p=0.95)"),
        weighted=True, limits={"p": PERSISTENCE, "k": AT_RANK}, source="[MZ08]",
        oracle="cwl-eval; the definition in plain Python",
    ),
    Family(
        name="SDCG", function=sdcg_weights, kind="bounds", reads="gain", usual=("SDCG@20",), weighted=True,
        limits={"k": AT_RANK}, source="[MZ08]",
    ),
    Family(
        name="INST", function=inst, kind="bounds", reads="gain", usual=("INST(T=1)",), upper=inst_upper, of_worthy=True,
        limits={"T": HOPE}, source="[BMST15]", oracle="cwl-eval",
    ),
    Family(
        name="AP", function=average_precision, kind="guide", reads="relevant", usual=("AP",), of_worthy=True,
        limits={"k": AT_RANK}, source=TREC_EVAL, oracle="pytrec_eval; [RM10, sec. 3]",
    ),
    Family(
        name="nDCG", function=ndcg, kind="guide", reads="worth", usual=("nDCG@10", "nDCG"), of_worthy=True,
        lower=ndcg_lower, upper=ndcg_upper, bounded_to=BOUNDED_TO, weighing="SDCG",
        limits={"k": AT_RANK, "log": BASE}, source="[JK02]; [TREC_EVAL]",
        oracle="pytrec_eval; every completion, enumerated",
    ),
    Family(
        name="Q", function=q_measure, kind="guide", reads="worth", usual=("Q",), of_worthy=True,
        source="[Sak07]",
    ),
    Family(
        name="RR", function=reciprocal_rank, kind="bounds", reads="relevant", usual=("RR",),
        upper=reciprocal_rank_upper, of_worthy=True, **LIKE_TREC_EVAL,
    ),
    Family(
        name="Rprec", function=r_precision, kind="guide", reads="relevant", usual=("Rprec",), of_worthy=True,
        **LIKE_TREC_EVAL,
    ),
    Family(
        name="R", function=recall, kind="point", reads="relevant", usual=("R@100",), of_worthy=True,
        limits={"k": AT_RANK}, **LIKE_TREC_EVAL,
    ),
    Family(
        name="bpref", function=bpref, kind="point", reads="relevant", usual=("bpref",),
        source="[BV04]; [TREC_EVAL]", oracle="pytrec_eval",
    ),
    Family(
        name="infAP", function=inferred_ap, kind="point", reads="relevant", usual=("infAP",), monotone=False,
        of_whole_pool=True, source="[YA06]; [TREC_EVAL]", oracle="pytrec_eval",
    ),
    Family(
        name="Judged", function=judged_share, kind="point", reads="judged", limits={"k": AT_RANK}, source="[IRM22]",
    ),
)  # fmt: skip

TREC_EVAL_NAMES = {
    "map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "mrr": "RR", "rprec": "Rprec", "bpref": "bpref", "infap": "infAP",
}  # fmt: skip
TREC_EVAL_CUTS = {"map_cut": "AP", "ndcg_cut": "nDCG", "p": "P", "recall": "R"}


def metric(text):
    """The metric that a name means: `P@10`, `RBP(p=0.95)@10`, `nDCG(log=10)`, or `trec_eval`'s `ndcg_cut_10`.

    Raises ValueError with what is known for a name that is not.
    """
    if isinstance(text, Metric):
        return text
    family, values = names.read(_ours(str(text)), METRICS, what="metric", examples="P@10 or RBP(p=0.95)")
    return Metric(family, tuple(values.items()))


def _ours(text):
    """`ndcg_cut_10` and `ndcg_cut.10` as nDCG@10; a name that `trec_eval` does not have as it is."""
    name, _, cut = text.strip().lower().replace(".", "_").rpartition("_")
    if cut.isdecimal() and name in TREC_EVAL_CUTS:
        return f"{TREC_EVAL_CUTS[name]}@{cut}"
    return TREC_EVAL_NAMES.get(text.strip().lower(), text)
