"""Ties: documents of one ranking that share a score, so that only a rule and not the system orders them."""

import numpy as np


def tied(track):
    """Whether each place shares its score with a neighbour. bool (S, Q, K)."""
    same = track.scores[:, :, 1:] == track.scores[:, :, :-1]
    shared = np.zeros(track.shape, bool)
    shared[:, :, 1:] |= same
    shared[:, :, :-1] |= same
    return shared


def tied_share(track):
    """The share of each system's documents that are tied; NaN for a system without any. float (S,)."""
    documents = track.lengths.sum(axis=1)
    count = np.count_nonzero(tied(track), axis=(1, 2))
    return np.divide(count, documents, out=np.full(len(documents), np.nan), where=documents > 0)


def within_ties(track, judgments, metric, *, best):
    """The track with tied documents in the best order for a metric, or in the worst; the unknown earns nothing."""
    earned = metric.earned(judgments.scale)
    standing = np.empty(len(earned), np.int64)
    standing[np.lexsort((np.arange(len(earned)), earned))] = np.arange(len(earned))
    if best:
        standing = -standing
    system, query = np.nonzero(tied(track).any(axis=2))
    scores = track.scores[system, query]
    group = np.cumsum(scores[:, 1:] != scores[:, :-1], axis=1)
    group = np.concatenate([np.zeros((len(group), 1), np.int64), group], axis=1)
    key = group * (2 * len(earned) + 1) + standing[judgments.level[track.items[system, query]]]
    by = np.broadcast_to(np.arange(track.shape[2], dtype=np.int32), track.shape).copy()
    by[system, query] = np.argsort(key, axis=1, kind="stable")
    return track.reordered(by)
