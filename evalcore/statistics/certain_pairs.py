"""Certain pairs: bounds on the difference of two systems over all possible judgments.

Tighter than two intervals side by side: a document that both systems retrieved has one gain, the same for both.
"""

import numpy as np

from evalcore.collection.ragged import rows_of
from evalcore.collection.track import EMPTY
from evalcore.statistics.significance import pairs

NEGLIGIBLE = 1e-13  # the weight of all ranks further down


def certain_differences(lower, upper, shared=None):
    """The least and the greatest difference of each pair, topic by topic. Two float (pairs, T).

    lower, upper : float (S, T), exact bounds
    shared : float (S, S, T), see `shared_weight`, times the largest gain; None = nothing is known of it
    """
    a, b = pairs(len(lower))
    together = 0.0 if shared is None else shared[a, b]
    return lower[a] - upper[b] + together, upper[a] - lower[b] - together


def certain_differences_of_ratios(value, lower, unknown, shared):
    """The same for sums over one denominator that both systems share, such as the ideal ranking's of nDCG, which
    further judging can only raise, up to a largest one.

    value, lower : float (S, T), the sums that are known over the denominator as it is, and over the largest
    unknown, shared : float (S, T) and (S, S, T), the unknown weight of each, and what two have of it in common, of all
        weight
    A difference of sums that is surely positive is least over the largest denominator, another one over that of now.
    """
    low, high = certain_differences(lower, lower + unknown, shared)
    with np.errstate(divide="ignore", invalid="ignore"):
        grows = np.where(lower > 0, value / lower, 0.0).max(axis=0)  # by how much the denominator may
        grows = np.where(grows > 0, grows, np.inf)
        return np.where(low < 0, low * grows, low), np.where(high > 0, high * grows, high)


def shared_weight(items, weights, unjudged, share):
    """The weight that every two systems give the same unjudged documents: the sum of the smaller ones. float (S, S).

    items : int (S, Q, K), of one topic's queries; weights : float (K,), of ranks
    unjudged : bool (N,), by item; share : float (S, Q), what a query counts for in the topic's mean
    """
    reach = np.count_nonzero(weights.sum() - np.cumsum(weights) > NEGLIGIBLE) + 1  # to leave ranks out is safe
    items = items[:, :, :reach]
    S, Q, K = items.shape
    place = np.flatnonzero(unjudged[items] & (items != EMPTY))
    document = items.reshape(-1)[place]
    document -= document.min(initial=np.iinfo(document.dtype).max)
    by_document = np.argsort(document.astype(np.min_scalar_type(document.max(initial=0))), kind="stable")
    place, document = place[by_document], document[by_document]
    weight, system = weights[place % K] * share.reshape(-1)[place // K], place // (Q * K)
    first = np.flatnonzero(np.diff(document, prepend=-1) | np.diff(system, prepend=-1))  # of a system's queries
    weight, document, system = _sums(weight, first), document[first], system[first]
    shared = np.bincount(system * (S + 1), weights=weight, minlength=S * S)
    begins = np.flatnonzero(np.diff(document, prepend=-1))
    nth = rows_of(np.diff(begins, append=len(document))).nth
    before, late = 0, np.arange(len(nth))
    while len(late := late[nth[late] > before + 1]):  # each with the one so many places before it of its document
        before += 1
        early = late - before
        smaller = np.minimum(weight[late], weight[early])
        shared += np.bincount(system[early] * S + system[late], weights=smaller, minlength=S * S)
    shared = shared.reshape(S, S)
    return np.maximum(shared, shared.T)  # systems of a document stand in their order


def _sums(values, starts):
    return np.add.reduceat(values, starts) if len(starts) else values
