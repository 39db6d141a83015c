"""Single judgments that look wrong, and topics with unusual counts."""

import numpy as np
from numpy.typing import NDArray

from evalcore.collection import pool
from evalcore.pooling import pool_bias
from evalcore.study.study import Study

FEW_RELEVANT = 5  # below, a topic's scores depend on single documents
MOSTLY_RELEVANT = 0.5  # share of judged documents above which the pool may well have ended too early


def flags(judged: int, relevant: int) -> str:
    """What is unusual about a topic with so many judged and relevant documents; "" where nothing is."""
    if relevant == 0:
        return "none relevant"
    odd = {"few relevant": relevant < FEW_RELEVANT, "mostly relevant": relevant > MOSTLY_RELEVANT * judged}
    return "; ".join(name for name, holds in odd.items() if holds)


def judged_by_nobodys_run(study: Study) -> NDArray[np.intp]:
    """The judged items that no run of the whole track retrieved. int, ascending"""
    items = study.judgments.pooled_items
    return items[study.judgments.scale.judged[study.judgments.level[items]] & ~study.whole.retrieved[items]]


def holders(
    study: Study, systems: NDArray[np.intp], wanted: NDArray[np.bool_], k: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """How many of these systems (indices) rank each wanted item in their top k, and their mean rank for it.

    int and float (N,), as in `pool.holders`. wanted : bool (N,)
    """
    return pool.holders(study.track.items[systems, :, :k], wanted)


def rejected_at_the_top(
    study: Study, good: NDArray[np.bool_], k: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Documents judged not relevant that more than half of the good systems (bool (S,)) rank in their top k.

    -> items, how many of those systems rank them so, and their mean rank; the most suspicious first
    """
    scale, level = study.judgments.scale, study.judgments.level
    rejected = (scale.judged & ~scale.relevant)[level]
    systems, mean_rank = holders(study, np.flatnonzero(good), rejected, k)
    return _sorted(study, 2 * systems > good.sum(), systems, mean_rank, by=(-systems, mean_rank))


def found_by_a_poor_one(
    study: Study, good: NDArray[np.bool_], k: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Documents judged relevant that only one system retrieved at any rank, which is not a good one. See the first."""
    only = pool_bias.retrieved_by_one(study)
    poor = np.isin(study.whole.systems, np.array(study.systems, object)[~good])
    suspicious = study.judgments.scale.relevant[study.judgments.level] & (only != pool_bias.NOBODY) & poor[only]
    systems, mean_rank = pool.holders(study.whole_as_ranked.items, suspicious)
    return _sorted(study, suspicious, systems, mean_rank, by=(mean_rank,))


def contradicted(
    study: Study, good: NDArray[np.bool_], k: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Documents relevant in only one of the two sets of judgments; none without second judgments. See the first.

    The largest difference of grades first, then what most systems rank in their top k.
    """
    if study.other is None:
        return np.zeros(0, int), np.zeros(0, int), np.zeros(0)
    ours, theirs = study.judgments, study.judged_by_other.judgments
    shared = ours.scale.judged[ours.level] & theirs.scale.judged[theirs.level]
    differ = shared & (ours.scale.relevant[ours.level] != theirs.scale.relevant[theirs.level])
    systems, mean_rank = holders(study, np.arange(len(study.systems)), differ, k)
    return _sorted(study, differ, systems, mean_rank, by=(-np.abs(ours.grade - theirs.grade), -systems))


def _sorted(study, suspected, systems, mean_rank, by):
    """The suspected items (bool (N,)) with their systems and mean ranks, in the order of these keys and names."""
    items = np.flatnonzero(suspected)
    items = items[np.lexsort((study.track.name_order[items], *(key[items] for key in reversed(by))))]
    return items, systems[items], mean_rank[items]


def reason(study: Study, item: int, kind: str, systems: int, mean_rank: float, k: int) -> str:
    """Why a judgment is suspected, in words."""
    if kind == "not relevant":
        better = "one better system ranks it in its" if systems == 1 else f"{systems} better systems rank it in their"
        return f"judged not relevant, although {better} top {k}"
    if kind == "relevant":
        return f"judged relevant, although only one weaker system retrieved it (rank {mean_rank:.0f})"
    theirs = study.judged_by_other.judgments
    return f"grade {study.judgments.grade[item]} in the first judgments, {theirs.grade[item]} in the second"


SUSPECTS = {"not relevant": rejected_at_the_top, "relevant": found_by_a_poor_one, "contradiction": contradicted}
