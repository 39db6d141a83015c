"""Certain pairs: by how much one system beats another at least and at most, whatever the unjudged documents are.

Tighter than two intervals side by side: a document that both systems retrieved has one gain, the same for both.
"""

import numpy as np
import scipy

from evalcore.comparing.significance import pairs
from evalcore.track import EMPTY

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
    system, query, rank = np.nonzero(unjudged[items] & (items != EMPTY))
    S, start = len(items), items[items != EMPTY].min(initial=np.iinfo(items.dtype).max)
    code = items[system, query, rank] - start
    given = scipy.sparse.coo_array(
        (weights[rank] * share[system, query], (system, code)), shape=(S, int(code.max(initial=0)) + 1)
    ).tocsr()  # adds up what a system gives a document for several queries
    row = np.repeat(np.arange(S), np.diff(given.indptr))
    shared, of_one = np.zeros((S, S)), np.zeros(given.shape[1])
    for i in range(S):
        mine, rest = slice(*given.indptr[i : i + 2]), slice(given.indptr[i], None)
        of_one[given.indices[mine]] = given.data[mine]
        smaller = np.minimum(of_one[given.indices[rest]], given.data[rest])
        shared[i, i:] = shared[i:, i] = np.bincount(row[rest], weights=smaller, minlength=S)[i:]
        of_one[given.indices[mine]] = 0.0
    return shared
