"""Effectiveness metrics: one function and one row of `METRICS` each.

A weighted-precision metric is a function of the rank alone, its weight; the others are functions of the places that
the judgments speak of (`evalcore.collection.judged_positions.Places`). Each gives one number per row, in [0, 1].
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places, ideal
from evalcore.collection.judgments import NEVER_POOLED, Scale
from evalcore.collection.shares import share
from evalcore.metrics.inst import HOPES, inst, inst_upper
from evalcore.metrics.intervals import Family, Metric, highest_gain
from evalcore.metrics.ndcg import BOUNDED_TO, ndcg, ndcg_lower, ndcg_upper
from evalcore.vocabulary import registry

# ---------------------------------------------------------------------------------------------------------------------
# Weighted precision: M = sum_k W(k) r_k. Weights sum to 1 over an endless ranking, so what is past the end is 1 - sum.


def precision_weights(ranks: NDArray[np.intp], *, k: int = 10) -> NDArray[np.float64]:
    """The share of relevant documents in the top k: all ranks to k have the same weight.

    ranks : int (K,), from 0
    """
    return np.where(ranks < k, 1 / k, 0.0)


def rbp_weights(ranks: NDArray[np.intp], *, p: float = 0.8, k: int | None = None) -> NDArray[np.float64]:
    """The expected gain of a reader who continues to the next rank with probability p: geometric weights.

    ranks : int (K,), from 0 [MZ08, eq. 3]. Cut at k, the weights are scaled up to sum to 1 [WP09, sec. 2.1].
    """
    weights = (1 - p) * p ** ranks.astype(float)
    return weights if k is None else np.where(ranks < k, weights, 0.0) / (1 - p**k)


def sdcg_weights(ranks: NDArray[np.intp], *, k: int = 10) -> NDArray[np.float64]:
    """Discounted gain, scaled to at most 1: weights `1 / log2(rank + 1)` that sum to 1 over the top k.

    ranks : int (K,), from 0 [MZ08, sec. 2].
    """
    total = np.sum(1 / np.log2(np.arange(k) + 2))
    return np.where(ranks < k, 1 / np.log2(ranks + 2), 0.0) / total


# ---------------------------------------------------------------------------------------------------------------------
# The rest, each a number per row of `places`.


def average_precision(places: Places, *, k: int | None = None) -> NDArray[np.float64]:
    """The mean, over all known relevant documents, of the precision at their ranks; 0 for those not in the top k."""
    relevant = places.relevant.within(k)
    return share(relevant.sum(relevant.nth / (relevant.rank + 1)), places.R)


def q_measure(places: Places) -> NDArray[np.float64]:
    """Average precision for graded relevance, which blends in cumulated grades (b = 1) [Sak07]."""
    worthy, best = places.worthy, ideal(places.judgments)
    cumulated = worthy.running((worthy.scale.relevant + worthy.scale.worth)[worthy.level])
    ideally = np.append(best.running(best.scale.worth[best.level]), 0.0)
    first, last = (worthy.each(of_topic[places.topic_of_row]) for of_topic in (best.starts[:-1], best.counts - 1))
    blended = cumulated / (worthy.rank + 1 + ideally[first + np.minimum(worthy.rank, last)])
    return share(worthy.sum(blended * worthy.marked(worthy.scale.relevant)), places.R)


def reciprocal_rank(places: Places, *, k: int | None = None) -> NDArray[np.float64]:
    """The reciprocal of the rank of the first relevant document; 0 if there is none in the top k."""
    return 1 / (places.relevant.within(k).first_rank + 1)


def reciprocal_rank_upper(places: Places, *, k: int | None = None) -> NDArray[np.float64]:
    """One over the first rank that holds a relevant document or one that nobody judged; 0 if that is below rank k."""
    first_unjudged = places.judged.above_gap(np.zeros(places.rows, np.int64))
    first = np.minimum(places.relevant.first_rank, first_unjudged)
    possible = (places.endless | (first < places.lengths)) & (first < (k or np.inf))
    return np.where(possible, 1 / (first + 1), 0.0)


def success(places: Places, *, k: int = 10) -> NDArray[np.float64]:
    """Whether a relevant document is in the top k: 1 or 0."""
    return (reciprocal_rank(places, k=k) > 0).astype(float)


def success_upper(places: Places, *, k: int = 10) -> NDArray[np.float64]:
    """Whether a relevant document or one that nobody judged is in the top k."""
    return (reciprocal_rank_upper(places, k=k) > 0).astype(float)


def err(places: Places, *, k: int = 20) -> NDArray[np.float64]:
    """The expected reciprocal of the rank at which a reader is satisfied: the higher the grade, the likelier
    [CMZG09]."""
    return _expected_reciprocal(places, k, 0.0)


def err_upper(places: Places, *, k: int = 20) -> NDArray[np.float64]:
    """The same with every unjudged document as likely as any to satisfy. Each rank counts more the likelier it is, for
    a reader gets less further down; so no completion has more."""
    return _expected_reciprocal(places, k, places.scale.most_satisfied)


def _expected_reciprocal(places, k, unjudged):
    judged = places.judged.within(k)
    ranks = np.arange(k if places.endless and unjudged else min(k, _longest(places)))
    chance = np.where(places.endless | (ranks < places.lengths[:, None]), unjudged, 0.0)
    chance[judged.row, judged.rank] = places.scale.satisfied[judged.level]
    reached = np.cumprod(1 - chance, axis=1)
    return (np.hstack([np.ones((places.rows, 1)), reached])[:, : len(ranks)] * chance / (ranks + 1)).sum(axis=1)


def highest_err(scale: Scale, *, k: int = 20) -> float:
    """The highest ERR that a ranking can have."""
    ranks, chance = np.arange(k), scale.most_satisfied
    return float((chance * (1 - chance) ** ranks / (ranks + 1)).sum())


def _longest(places):
    return int(places.lengths.max(initial=0))


def r_precision(places: Places) -> NDArray[np.float64]:
    """Precision at rank R, the number of known relevant documents."""
    relevant = places.relevant
    return share(relevant.sum(relevant.rank < relevant.each(places.R)), places.R)


def recall(places: Places, *, k: int = 100) -> NDArray[np.float64]:
    """The share of the known relevant documents that are in the top k (recall)."""
    relevant = places.relevant.within(k)
    return share(relevant.counts, places.R)


def bpref(places: Places) -> NDArray[np.float64]:
    """How rarely judged non-relevant documents rank above relevant ones; unjudged documents are ignored.

    [BV04], as `trec_eval` 9 computes it: every negative grade counts as not judged.
    """
    nonrelevant_known = places.judgments.nonrelevant[places.topic_of_row]
    relevant, R = places.relevant, places.R
    limit = np.maximum(np.minimum(nonrelevant_known, R), 1)
    above = np.minimum(_nonrelevant_above(places), relevant.each(R))
    return share(relevant.sum(1 - above / relevant.each(limit)), R)


def _nonrelevant_above(places):
    """How many documents that `trec_eval` reads as judged and not relevant stand above each relevant one. int64."""
    scale = places.scale
    known = places.where(places.marked(scale.relevant | scale.nonrelevant))
    return known.nth_of(known.relevant_at) - places.relevant.nth


INFAP_EPSILON = 0.00001  # trec_eval's smoothing


def inferred_ap(places: Places) -> NDArray[np.float64]:
    """Average precision inferred from a judged sample of the pool; pooled but unjudged differs from never pooled.

    [YA06], as `trec_eval` 9 computes it; from a sample that was drawn in strata, as sample_eval does [YKA08].
    """
    if places.judgments.stratum.max(initial=0) > 1:
        return _inferred_from_strata(places)
    relevant = places.relevant
    relevant_above, nonrelevant_above = relevant.nth - 1, _nonrelevant_above(places)
    pooled_above = places.nth_of(places.relevant_at) - 1
    precision_above = (relevant_above + INFAP_EPSILON) / (relevant_above + nonrelevant_above + 2 * INFAP_EPSILON)
    return share(relevant.sum((1 + pooled_above * precision_above) / (relevant.rank + 1)), places.R)


def _inferred_from_strata(places):
    """The same from strata: the sum over strata of the estimated relevant documents above, each relevant document
    weighted by the pooled documents of its stratum over the judged ones."""
    judgments, scale, relevant = places.judgments, places.scale, places.relevant
    stratum, rows = judgments.stratum[places.item], relevant.each(places.starts[:-1])
    known = scale.relevant | scale.nonrelevant
    estimated, weight = np.zeros((2, len(relevant.rank)))
    inferred_R = np.zeros(judgments.topics)
    for number in np.unique(judgments.stratum[judgments.pooled_items]):
        inside = judgments.only(judgments.stratum == number)
        pooled, judged = inside.count(np.arange(len(known)) > NEVER_POOLED), inside.count(known)
        of_topic = share(pooled, judged)
        inferred_R += of_topic * inside.relevant
        weight += np.where(stratum[places.relevant_at] == number, of_topic[relevant.each(places.topic_of_row)], 0)
        above = []
        for table in (np.ones(len(known), bool), known, scale.relevant):
            so_far = np.append(0, np.cumsum((stratum == number) & table[places.level]))
            above.append(so_far[places.relevant_at] - so_far[rows])
        estimated += above[0] * (above[2] + INFAP_EPSILON) / (above[1] + 3 * INFAP_EPSILON)
    return share(relevant.sum(weight * (1 + estimated) / (relevant.rank + 1)), inferred_R[places.topic_of_row])


def judged_share(places: Places, *, k: int = 10) -> NDArray[np.float64]:
    """The share of the first k ranks with a judged document; unfilled ranks count as unjudged."""
    top = places.judged.within(k)
    return top.counts / k


# ---------------------------------------------------------------------------------------------------------------------
# The table.


DEEPEST = 10**6  # the cut-off of a metric: no track is deeper, and there is a weight for every rank down to it
AT_RANK = (lambda k: isinstance(k, int) and 1 <= k <= DEEPEST, f"a whole number from 1 to {DEEPEST:,}")
TO_THE_THOUSANDTH = (lambda k: isinstance(k, int) and 1 <= k <= 1000, "a whole number from 1 to 1,000")
PERSISTENCE = (lambda p: isinstance(p, float) and 0 <= p < 1, "a number from 0 to below 1")
HOPE = (
    lambda T: isinstance(T, str) or HOPES[0] <= T <= HOPES[1],
    "a number from 0.5 (below that its interval is not exact) to a million, or a column of the queries table",
)
GRADE = (lambda rel: isinstance(rel, float) and abs(rel) < 2**31, "a grade, such as 2")
BASE = (lambda b: isinstance(b, float) and 1 < b < np.inf, "a number above 1")
BY_GAINS = {"rel": "It reads gains; set the option gains, such as 0:0,1:0,2:1."}

TREC_EVAL = "[TREC_EVAL]"
LIKE_TREC_EVAL: dict[str, Any] = {"source": TREC_EVAL, "oracle": "pytrec_eval"}

SDCG = Family(
    name="SDCG", label="discounted gain of the top {k}", phrase="the first {first}, early ones more",
    plainly="Relevant results count less the lower they rank; below rank {k} they do not count.",
    function=sdcg_weights, kind="bounds", reads="gain", highest=highest_gain, usual=("SDCG@20",), weighted=True,
    limits={"k": AT_RANK}, instead=BY_GAINS, source="[MZ08]", section="3.1",
)  # fmt: skip
METRICS = registry.by_name(
    Family(
        name="P", label="relevant share of the top {k}", phrase="the first {first}",
        plainly="The share of the first {k} results that are relevant.",
        of_one="Whether the first result is relevant.",
        function=precision_weights, kind="bounds", reads="relevant", usual=("P@10",), weighted=True,
        limits={"k": AT_RANK, "rel": GRADE}, section="3.1", **LIKE_TREC_EVAL,
    ),
    Family(
        name="RBP", label="a reader of about {seen}", phrase="mainly the first {seen}{past}",
        plainly="How relevant the first results are to a reader of about {seen}{past}.",
        function=rbp_weights, kind="bounds", reads="gain", highest=highest_gain,
        usual=("RBP(p=0.8)", "RBP(p=0.95)"), weighted=True, limits={"p": PERSISTENCE, "k": AT_RANK},
        instead=BY_GAINS, source="[MZ08]",
        oracle="cwl-eval; the definition in plain Python", section="3.1",
    ),
    SDCG,
    Family(
        name="INST", label="a reader who wants {hoped}", phrase="a reader who hopes for {hoped}",
        plainly="How much a reader finds when hoping for {hoped}, and reading further if few are found.",
        function=inst, kind="bounds", reads="gain", highest=highest_gain, usual=("INST(T=1)",),
        upper=inst_upper, of_worthy=True,
        limits={"T": HOPE}, instead=BY_GAINS, source="[BMST15]", oracle="cwl-eval", section="3.2",
    ),
    Family(
        name="AP", label="average precision", phrase="every relevant result{to}",
        plainly="At each relevant result{to}, the share of results so far that are relevant, averaged over "
                "all known relevant documents.",
        function=average_precision, kind="guide", reads="relevant", usual=("AP",), of_worthy=True,
        limits={"k": AT_RANK, "rel": GRADE}, source=TREC_EVAL, oracle="pytrec_eval; [RM10, sec. 3]", section="3.4",
    ),
    Family(
        name="nDCG", label="ranking quality", phrase="good results early{to}",
        plainly="Credit for good results{early}, as a share of the best possible ranking's credit.",
        function=ndcg, kind="guide", reads="worth", usual=("nDCG@10", "nDCG"), of_worthy=True,
        lower=ndcg_lower, upper=ndcg_upper, bounded_to=BOUNDED_TO, weighing=SDCG,
        limits={"k": AT_RANK, "log": BASE}, instead=BY_GAINS, source="[JK02]; [TREC_EVAL]",
        oracle="pytrec_eval; every completion, enumerated", section="3.5",
    ),
    Family(
        name="Q", label="graded average precision", phrase="every relevant result, by grade",
        plainly="Like AP, with more credit for documents of higher grade.",
        function=q_measure, kind="guide", reads="worth", usual=("Q",), of_worthy=True,
        source="[Sak07]", section="3.6",
    ),
    Family(
        name="RR", label="how early the first hit is", phrase="the first relevant result{to}",
        plainly="One divided by the rank of the first relevant result{to}.",
        of_one="Whether the first result is relevant.",
        function=reciprocal_rank, kind="bounds", reads="relevant", usual=("RR", "RR@10"),
        upper=reciprocal_rank_upper, of_worthy=True, limits={"k": AT_RANK, "rel": GRADE}, section="3.3",
        source=f"{TREC_EVAL}; cut: [BCC16]", oracle="pytrec_eval; the definition in plain Python",
    ),
    Family(
        name="Success", label="any hit in the top {k}", phrase="any relevant result{to}",
        plainly="Whether any of the first {k} results is relevant.",
        of_one="Whether the first result is relevant.",
        function=success, kind="bounds", reads="relevant", usual=("Success@10",),
        upper=success_upper, of_worthy=True, limits={"k": AT_RANK, "rel": GRADE}, section="3.3", **LIKE_TREC_EVAL,
    ),
    Family(
        name="ERR", label="a reader satisfied by good grades", phrase="the result that satisfies{to}",
        plainly="One divided by the rank at which a reader is satisfied, on average; higher grades satisfy more often.",
        function=err, kind="bounds", reads="satisfied", highest=highest_err, usual=("ERR@20",),
        upper=err_upper, limits={"k": TO_THE_THOUSANDTH}, source="[CMZG09]",
        oracle="gdeval's definition in plain Python; every completion, enumerated", section="3.3",
    ),
    Family(
        name="Rprec", label="precision at rank R", phrase="as many results as are relevant",
        plainly="The share of relevant results among the first R, where R relevant documents are known.",
        function=r_precision, kind="guide", reads="relevant", usual=("Rprec",), of_worthy=True,
        limits={"rel": GRADE}, section="3.7", **LIKE_TREC_EVAL,
    ),
    Family(
        name="R", label="share found in the top {k}", phrase="what is found in the first {first}",
        plainly="The share of the known relevant documents that are in the first {k} results.",
        of_one="The share of the known relevant documents that ranks first.",
        function=recall, kind="point", reads="relevant", usual=("R@100",), of_worthy=True,
        limits={"k": AT_RANK, "rel": GRADE}, section="3.7", **LIKE_TREC_EVAL,
    ),
    Family(
        name="bpref", label="judged pairs in order", phrase="judged documents in order",
        plainly="How rarely documents judged not relevant rank above relevant ones; unjudged documents are skipped.",
        function=bpref, kind="point", reads="relevant", usual=("bpref",), limits={"rel": GRADE},
        source="[BV04]; [TREC_EVAL]", oracle="pytrec_eval", section="3.8",
    ),
    Family(
        name="infAP", label="AP from a judged sample", phrase="every relevant result, from a sample",
        plainly="An estimate of AP, as if the judged documents were drawn at random from the pool.",
        function=inferred_ap, kind="point", reads="relevant", usual=("infAP",), monotone=False, limits={"rel": GRADE},
        of_whole_pool=True, source="[YA06]; [YKA08]; [TREC_EVAL]", oracle="pytrec_eval", section="3.9",
    ),
    Family(
        name="Judged", label="judged share of the top {k}", phrase="how much of the first {first} is judged",
        plainly="The share of the first {k} results that is judged; it does not show how good they are.",
        of_one="Whether the first result is judged; it does not show how good it is.",
        function=judged_share, kind="point", reads="judged", limits={"k": AT_RANK}, source="[IRM22]",
        section="3.10",
    ),
)  # fmt: skip

TREC_EVAL_CUTS = {"map_cut": "AP", "ndcg_cut": "nDCG", "p": "P", "recall": "R", "success": "Success"}
NAMES_OF_OTHERS = {"map": "AP", "recip_rank": "RR", "mrr": "RR", "r-precision": "Rprec"}
NAMES_WITH_CUT = {"recall": "R", "precision": "P", "hit_rate": "Success"}  # clear only with a cut-off
NAMED = re.compile(r"([\w-]+)(\s*(?:\([^()]*\))?\s*(@?).*)", re.DOTALL)


def metric(text: str | Metric) -> Metric:
    """The metric that a name means: `P@10`, `RBP(p=0.95)@10`, `AP(rel=2)`, `trec_eval`'s `ndcg_cut_10`, or `MRR@10`.

    Raises ValueError with what is known for a name that is not.
    """
    if isinstance(text, Metric):
        return text
    family, values = registry.read(_ours(str(text)), METRICS, what="metric", examples="P@10 or RBP(p=0.95)")
    return Metric(family, tuple(values.items()))


def _ours(text):
    """`ndcg_cut_10` and `ndcg_cut.10` as nDCG@10, `MRR@10` as RR@10; a name that nobody else has as it is."""
    name, _, cut = text.strip().lower().replace(".", "_").rpartition("_")
    if cut.isdecimal() and name in TREC_EVAL_CUTS:
        return f"{TREC_EVAL_CUTS[name]}@{cut}"
    if not (written := NAMED.fullmatch(text.strip())):
        return text
    name, parameters, at = written.groups()
    known = NAMES_OF_OTHERS | (NAMES_WITH_CUT if at else {})
    return known[name.lower()] + parameters if name.lower() in known else text
