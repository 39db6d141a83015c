"""Samples of judgments: a shallow pool judged in full, and a part of the deeper pool.

After [Voo14] and [LMC17, eq. 5]. The metric infAP is `metrics.inferred_ap`.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places
from evalcore.collection.judgments import Judgments
from evalcore.collection.shares import share
from evalcore.metrics.intervals import Metric


@dataclass(frozen=True)
class TwoStrata:
    """Judgments of a pool down to d' and of a sample of what the pool holds down to d.

    judgments : those of both strata; all else as never pooled
    pooled : the same, with the rest of the deeper pool as pooled, not judged (for `infAP`)
    """

    judgments: Judgments
    pooled: Judgments

    @property
    def shallow(self) -> Judgments:
        """The judgments of the first stratum alone."""
        return self.judgments.only(self.judgments.stratum == 1)


def two_strata(
    judgments: Judgments, pool_rank: NDArray[np.int32], *, depth: int, deepest: NDArray[np.intp], rate: float,
    rng: np.random.Generator,
) -> TwoStrata:  # fmt: skip
    """A sample of judgments: all with a pool rank below `depth`, and a share `rate` of each topic's others down to
    `deepest`, drawn evenly from its contributing runs' pool.

    judgments : all there are; pool_rank : int (N,), from 0; deepest : int, or int (topics,); rng :
    numpy.random.Generator
    """
    shallow = pool_rank < depth
    deepest = np.append(np.broadcast_to(deepest, judgments.topics), 0)  # the empty place is of topic -1
    deeper = np.flatnonzero((pool_rank >= depth) & (pool_rank < deepest[judgments.topic_of_item]))
    topic = judgments.topic_of_item[deeper]
    by_chance = np.lexsort((rng.random(len(deeper)), topic))
    starts = np.searchsorted(topic[by_chance], topic[by_chance])
    wanted = np.round(rate * np.bincount(topic, minlength=judgments.topics)).astype(int)
    drawn = np.zeros(len(pool_rank), bool)
    drawn[deeper[by_chance[np.arange(len(deeper)) - starts < wanted[topic[by_chance]]]]] = True
    drawn &= judgments.scale.judged[judgments.level]  # what nobody judged tells nothing
    stratum = np.where(shallow, 1, 2).astype(np.int8)
    sampled = replace(judgments, stratum=stratum * (judgments.level > 0)).only(shallow | drawn)
    return TwoStrata(sampled, _with_the_rest(sampled, deeper))


def _with_the_rest(sampled, deeper):
    """The sample with other items of its pool as pooled, not judged; one stratum, as infAP has it in [Voo14]."""
    scale = replace(sampled.scale, grades=tuple(sorted({-1, *sampled.scale.grades})), negative="split")
    moved = np.array([0, *(1 + scale.grades.index(grade) for grade in sampled.scale.grades)])
    level = moved[sampled.level]
    rest = deeper[level[deeper] == 0]
    level[rest] = 1 + scale.grades.index(-1)
    return replace(sampled, level=level, stratum=(level > 0).astype(np.int8), scale=scale)


def inferred(metric: Metric, places: Places, judgments: Judgments) -> NDArray[np.float64]:
    """A weighted-precision score inferred from both strata: the first as it is, the second scaled up. float (rows,).

    places : the track's, under `judgments`; those of the second stratum stand for all documents outside the first:
    their part of the base is multiplied by the weight of the ranks outside stratum 1 over that of the ranks in stratum
    2 (InfRBP: [LMC17, eq. 5]). Nothing of stratum 2 in a list: 0.
    """
    stratum = judgments.stratum[places.item]
    first, second = places.where(stratum == 1), places.where(stratum == 2)
    weights = metric.weights(int(places.lengths.max(initial=0)))
    whole = np.concatenate([[0.0], np.cumsum(weights)])[places.lengths]
    outside, inside = whole - first.sum(weights[first.rank]), second.sum(weights[second.rank])
    scaled_up = share(outside, inside)
    return metric.value(first) + scaled_up * metric.value(second)
