"""In which order a person can check a judge's documents: those first that separate systems with close scores."""

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY, Track

AT_ONCE = 1 << 14  # items
CLOSE = 0.05  # systems whose scores differ by as much are hardly close any more


def separation(
    track: Track, weights: NDArray[Any], share: NDArray[Any], scores: NDArray[Any], items: NDArray[Any]
) -> NDArray[Any]:
    """How far each item separates systems whose scores are close: the squared difference of its weights in the two
    rankings, summed over pairs, each pair by its closeness exp(-(gap / .05)^2 / 2). float (n,)

    weights : float (K,), of ranks; share : float (S, Q), of each ranking; scores : float (S,), NaN = none; items : int
        (n,)
    """
    number = track.numbered(items)
    number[EMPTY] = -1
    ranked = number[track.items[:, :, : np.count_nonzero(weights)]]
    system, query, rank = np.nonzero(ranked >= 0)
    of_item = ranked[system, query, rank]
    weights_of = scipy.sparse.csc_array(
        (share[system, query] * weights[rank], (system, of_item)), shape=(len(track.systems), len(items))
    )
    gap = np.nan_to_num(scores[:, None] - scores, nan=np.inf)
    close = np.exp(-((gap / CLOSE) ** 2) / 2)
    separation = np.empty(len(items))
    for first in range(0, len(items), AT_ONCE):
        weight = weights_of[:, first : first + AT_ONCE].toarray()
        alone = (weight**2 * close.sum(axis=1)[:, None]).sum(axis=0)
        separation[first : first + AT_ONCE] = alone - (weight * (close @ weight)).sum(axis=0)
    return np.maximum(np.round(separation, 12), 0)  # equal weights separate nothing


def by_document(separation: NDArray[Any], topic: NDArray[Any], name_order: NDArray[Any]) -> NDArray[Any]:
    """Document by document, those first that separate close systems most."""
    return np.lexsort((name_order, -separation))


def by_topic(separation: NDArray[Any], topic: NDArray[Any], name_order: NDArray[Any]) -> NDArray[Any]:
    """Topic by topic, those first whose documents separate close systems most, on average over those that do."""
    total, count = (np.bincount(topic, of) for of in (separation, separation > 0))
    mean = np.round(total / np.maximum(count, 1), 12)
    last = separation <= 0  # of no effect: after all others
    return np.lexsort((name_order, -separation, topic, -mean[topic], last))


ORDERS = {"documents": by_document, "topics": by_topic}
