"""Consistency: how alike a system answers those who ask for the same thing in other words.

Bailey, Moffat, Scholer & Thomas, SIGIR 2017, with the rank-biased overlap of Webber, Moffat & Zobel, TOIS 2010.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from evalcore import fused_runs, fusion
from evalcore.track import EMPTY

PLACES_AT_ONCE = 1 << 17  # what stays in the processor's cache takes half the time
EQUAL = 1e-24  # variances below this are none
DECIMALS = 12  # what differs by less is tied
NOTHING = 1e-15  # the ranks of a list that together weigh no more are not looked at


@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap of P pairs of lists: what is certain, what is possible, and the point between that the seen
    ranks suggest. float (P,) each, 0 to 1."""

    minimum: np.ndarray
    maximum: np.ndarray
    extrapolated: np.ndarray

    @property
    def residual(self):
        """What the unseen ranks leave open."""
        return self.maximum - self.minimum


def rank_biased_overlap(a, b, *, phi=0.9):
    """The overlap of each list of `a` with the one beside it in `b`, whatever their lengths. -> Overlap

    a, b : int (P, K) and (P, K'), item codes, `EMPTY` after the end; no item twice in a list
    Webber, Moffat & Zobel 2010: the sum over depths d of (1 - phi) phi^(d-1) times the share of the first d in common;
    minimum eq. 11, extrapolated eq. 32. A list that holds nothing has 0 in common, for certain and by extrapolation.
    """
    _checked(phi)
    far = int(np.ceil(np.log(NOTHING) / np.log(phi)))
    a, b = a[:, :far], b[:, :far]
    step = max(1, PLACES_AT_ONCE // max(1, a.shape[1] + b.shape[1]))
    blocks = [_overlap(a[at : at + step], b[at : at + step], phi) for at in range(0, max(len(a), 1), step)]
    return Overlap(*(np.concatenate([getattr(block, name) for block in blocks]) for name in vars(blocks[0])))


def _checked(phi):
    if isinstance(phi, bool) or not isinstance(phi, int | float) or not 0 < phi < 1:
        raise ValueError(f"phi={phi!r} cannot be; it lies between 0 and 1, such as 0.9.")


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
        extrapolated=expected @ weight + expected[:, -1] * phi**end,
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


@dataclass(frozen=True)
class Consistency:
    """Of every system on every topic that has queries. float (S, T''); topics : int (T'',), indices.

    value, sd : mean and standard deviation, over the distinct rankings of a topic's variations, of their overlap with
        all of them fused; NaN where a system answers fewer than two queries of the topic (value) or gives but one
        distinct ranking (sd)
    answered, distinct : int, how many of the topic's queries the system answers and in how many different ways
    """

    topics: np.ndarray
    value: np.ndarray
    sd: np.ndarray
    answered: np.ndarray
    distinct: np.ndarray


def consistency(track, *, phi=0.9):
    """How alike each system answers the variations of each topic: C_t. -> Consistency

    The mean RBO, extrapolated, of each distinct variation with the rank-biased centroid of them, both of persistence
    phi (Bailey, Moffat, Scholer & Thomas 2017).
    """
    _checked(phi)
    rule, topics = fusion.rule("rbc", phi=phi), fused_runs.variations(track)
    systems = np.arange(len(track.systems))
    value, sd = np.full((2, len(systems), len(topics)), np.nan)
    answered, distinct = np.zeros((2, len(systems), len(topics)), int)
    for t, queries in enumerate(topics.values()):
        for s in systems:
            found = queries[track.lengths[s, queries] > 0]
            each = found[_first_of_its_kind(track.items[s, found])]
            answered[s, t], distinct[s, t] = len(found), len(each)
            if len(found) > 1:
                fused, _ = fused_runs.fused_list(track, rule, np.full(len(each), s), each, np.ones(len(each)))
                overlap = rank_biased_overlap(track.items[s, each], np.tile(fused, (len(each), 1)), phi=phi)
                value[s, t] = overlap.extrapolated.mean()
                sd[s, t] = overlap.extrapolated.std(ddof=1) if len(each) > 1 else np.nan
    return Consistency(np.array(list(topics), int), value, sd, answered, distinct)


def _first_of_its_kind(rankings):
    """The first of every set of equal rankings, in order. int."""
    first = {}
    for place, ranking in enumerate(rankings):
        first.setdefault(ranking.tobytes(), place)
    return np.array(list(first.values()), int)


# ---------------------------------------------------------------------------------------------------------------------
# Agreement of topics on the ordering of systems. scores : float (S, T); the topics judge, the systems are judged.


def icc(scores):
    """One-way intraclass correlation of single topics, ICC(1), and the p of its F test. (float, float)

    Shrout & Fleiss, Psychological Bulletin 1979, case 1. NaN where there is no variation, or fewer than two of either.
    """
    n, k = scores.shape
    if n < 2 or k < 2:
        return np.nan, np.nan
    means = scores.mean(axis=1)
    between = k * means.var(ddof=1)
    within = ((scores - means[:, None]) ** 2).sum() / (n * (k - 1))
    if between + within <= EQUAL:
        return np.nan, np.nan
    p = scipy.stats.f.sf(between / within, n - 1, n * (k - 1)) if within > 0 else 0.0
    return float((between - within) / (between + (k - 1) * within)), float(p)


def kendall_w(scores):
    """Kendall's coefficient of concordance, corrected for ties, and the p of its chi-square test. (float, float)

    Kendall & Babington Smith, Annals of Mathematical Statistics 1939. NaN where every topic ties all systems.
    """
    n, m = scores.shape
    ranks = scipy.stats.rankdata(np.round(scores, DECIMALS), axis=0)
    ties = sum((np.unique(column, return_counts=True)[1] ** 3.0).sum() - n for column in ranks.T)
    most = m * m * (n**3 - n) - m * ties
    if n < 2 or m < 2 or most <= 0:
        return np.nan, np.nan
    w = 12 * np.square(ranks.sum(axis=1) - m * (n + 1) / 2).sum() / most
    return float(w), float(scipy.stats.chi2.sf(m * (n - 1) * w, n - 1))


def spearman(a, b):
    """Spearman's rank correlation of what is known in both and its two-tailed p; NaN where there is no variation."""
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = np.round(a[known], DECIMALS), np.round(b[known], DECIMALS)
    if len(a) < 3 or np.all(a == a[0]) or np.all(b == b[0]):
        return np.nan, np.nan
    found = scipy.stats.spearmanr(a, b)
    return float(found.statistic), float(found.pvalue)
