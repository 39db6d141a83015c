"""Diversity: the measures of the Web track on a topic whose documents are judged by subtopic. METHODS 3.15."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@dataclass(frozen=True)
class Subtopics:
    """What the documents of one topic are relevant to.

    documents : names of the D that are relevant to any subtopic; relevant : bool (D, n), one column per subtopic that
    any document is relevant to
    """

    documents: pd.Index
    relevant: NDArray[np.bool_]

    def of(self, names: NDArray[np.object_]) -> NDArray[np.bool_]:
        """The same for documents of these names, relevant to none where they are not known. bool (..., n)"""
        place = self.documents.get_indexer(names.ravel()).reshape(names.shape)
        nothing = np.zeros((1, self.relevant.shape[1]), bool)
        return np.concatenate([self.relevant, nothing])[place]  # -1 is the last row

    def ideal(self, k: int, alpha: float) -> NDArray[np.float64]:
        """The gains of the greedy ideal ranking, as ndeval makes it: the best next document, ties by name. (k,)"""
        left, worth, gains = np.ones(len(self.documents), bool), np.ones(self.relevant.shape[1]), np.zeros(k)
        last_name_first = self.documents.argsort()[::-1]
        for rank in range(min(k, len(left))):
            of_each = np.where(left, self.relevant @ worth, -1)[last_name_first]
            best = last_name_first[of_each.argmax()]
            gains[rank] = self.relevant[best] @ worth
            left[best], worth = False, np.where(self.relevant[best], worth * (1 - alpha), worth)
        return gains


def gains(relevant: NDArray[np.bool_], alpha: float) -> NDArray[np.float64]:
    """The gain of each rank: a subtopic counts 1, times (1 - alpha) for each earlier document relevant to it.

    relevant : bool (..., K, n), by rank and subtopic -> float (..., K)
    """
    earlier = relevant.cumsum(axis=-2) - relevant
    return (relevant * (1 - alpha) ** earlier).sum(axis=-1)


def measures(of: Subtopics, names: NDArray[np.object_], k: int, alpha: float) -> dict[str, NDArray[np.float64]]:
    """alpha_ndcg, err_ia and subtopic_recall of rankings, each (S,). names : of their first documents (S, K), K <= k"""
    relevant, ranks = of.of(names), np.arange(1, k + 1)
    n, of_ranks = relevant.shape[-1], gains(relevant, alpha)

    def share(discount, best):
        return of_ranks @ discount[: of_ranks.shape[1]] / (best @ discount)

    return {
        "alpha_ndcg": share(1 / np.log2(ranks + 1), of.ideal(k, alpha)),
        "err_ia": share(1 / ranks, n * (1 - alpha) ** (ranks - 1.0)),
        "subtopic_recall": relevant.any(axis=1).mean(axis=-1),
    }
