"""In which order a person should check a judge's documents, so that the ordering of systems settles soon."""

import numpy as np

from evalcore.collection.track import EMPTY

CLOSE = 0.05  # systems whose scores differ by as much are hardly close any more


def separation(track, weights, share, scores, items):
    """How far each item separates systems whose scores are close: the squared difference of its weights in the two
    rankings, summed over pairs, each pair by its closeness exp(-(gap / .05)^2 / 2). float (n,)

    weights : float (K,), of ranks; share : float (S, Q), of each ranking; scores : float (S,), NaN = none; items : int
        (n,)
    """
    number = np.full(track.size, -1)
    number[items] = np.arange(len(items))
    number[EMPTY] = -1
    ranked = number[track.items[:, :, : np.count_nonzero(weights)]]
    system, query, rank = np.nonzero(ranked >= 0)
    of_item = ranked[system, query, rank]
    weight = np.zeros((len(track.systems), len(items)))
    np.add.at(weight, (system, of_item), share[system, query] * weights[rank])
    gap = np.nan_to_num(scores[:, None] - scores, nan=np.inf)
    close = np.exp(-((gap / CLOSE) ** 2) / 2)
    together = (weight * (close @ weight)).sum(axis=0)
    return np.maximum((weight**2 * close.sum(axis=1)[:, None]).sum(axis=0) - together, 0)


def by_document(separation, topic, name_order):
    """Document by document, those first that separate close systems most."""
    return np.lexsort((name_order, -np.round(separation, 12)))


def by_topic(separation, topic, name_order):
    """Topic by topic, those first whose documents separate close systems most, on average over those that do."""
    total, count = (np.bincount(topic, of) for of in (separation, separation > 0))
    mean = np.round(total / np.maximum(count, 1), 12)
    last = separation <= 0  # of no effect: after all others
    return np.lexsort((name_order, -np.round(separation, 12), topic, -mean[topic], last))


ORDERS = {"topics": by_topic, "documents": by_document}
