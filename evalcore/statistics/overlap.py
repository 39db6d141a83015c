"""Rank-biased overlap (RBO): the similarity of two rankings, weighted towards the top.

Two orderings of the same systems have a shorter form, which stands in `orderings`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY
from evalcore.vocabulary.validation import persistence_within

PLACES_AT_ONCE = 1 << 17  # what stays in the processor's cache takes half the time
NOTHING = 1e-15  # the ranks of a list that together weigh no more are not looked at


@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap of P pairs of rankings: the bounds, and the value extrapolated from known ranks.

    float (P,) each, 0 to 1; nothing can be extrapolated (NaN) from two empty rankings
    """

    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    extrapolated: NDArray[np.float64]

    @property
    def residual(self) -> NDArray[np.float64]:
        """The difference of the bounds, due to unknown ranks."""
        return self.maximum - self.minimum


def rank_biased_overlap(a: NDArray[np.integer], b: NDArray[np.integer], *, phi: float = 0.9) -> Overlap:
    """The overlap of each list of `a` with the one beside it in `b`, whatever their lengths. -> Overlap

    a, b : int (P, K) and (P, K'), item codes, `EMPTY` after the end; no item twice in a list
    The sum over depths d of (1 - phi) phi^(d-1) times the share of the first d in common [WMZ10]: minimum eq. 11,
    extrapolated eq. 32. An empty list extrapolates to 0 in common with another; with a second empty list, to NaN.
    """
    persistence_within("phi", phi)
    far = int(np.ceil(np.log(NOTHING) / np.log(phi)))
    a, b = a[:, :far], b[:, :far]
    step = max(1, PLACES_AT_ONCE // max(1, a.shape[1] + b.shape[1]))
    blocks = [_overlap(a[at : at + step], b[at : at + step], phi) for at in range(0, max(len(a), 1), step)]
    return Overlap(*(np.concatenate([getattr(block, name) for block in blocks]) for name in vars(blocks[0])))


def _overlap(a, b, phi):
    short, long = np.sort([np.count_nonzero(a, axis=1), np.count_nonzero(b, axis=1)], axis=0)[..., None]
    end = int((short + long).max(initial=0))  # below it nothing changes any more
    depth = np.arange(end + 1)
    of, weight = np.maximum(depth, 1), np.where(depth, (1 - phi) * phi ** (depth - 1.0), 0)
    common = _common(a, b, end)  # X_d
    below = (1 - phi) / phi * (-np.log1p(-phi) - np.sum(phi ** depth[1:] / depth[1:]))
    possible = np.minimum(common + np.maximum(depth - short, 0) + np.maximum(depth - long, 0), depth)
    at = np.minimum(depth, long)
    unseen = np.take_along_axis(common, short, axis=1) / np.maximum(short, 1) * np.maximum(at - short, 0)
    expected = (np.take_along_axis(common, at, axis=1) + unseen) / np.maximum(at, 1)
    return Overlap(
        minimum=common / of @ weight + common[:, -1] * below,
        maximum=possible / of @ weight + phi**end,
        extrapolated=np.where(long[:, 0] > 0, expected @ weight + expected[:, -1] * phi**end, np.nan),
    )


def _common(a, b, end):
    """How many documents the first d of both lists share, for each depth d from 0. int (P, end + 1)."""
    items = np.concatenate([a, b], axis=1)
    rank = np.concatenate([np.arange(a.shape[1]), np.arange(b.shape[1])])
    order = np.argsort(items, axis=1, kind="stable")
    items, rank = np.take_along_axis(items, order, axis=1), rank[order]
    pair, at = np.nonzero((items[:, 1:] == items[:, :-1]) & (items[:, 1:] != EMPTY))
    from_depth = np.maximum(rank[pair, at], rank[pair, at + 1]) + 1
    new = np.bincount(pair * (end + 1) + from_depth, minlength=len(a) * (end + 1)).reshape(len(a), end + 1)
    return new.cumsum(axis=1)
