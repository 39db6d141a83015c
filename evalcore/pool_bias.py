"""Bias: what a system that did not help to build the pool loses by it [WP09].

A system is *unpooled* when the judgments that it alone brought into the pool are taken away: documents that it has
among its first d and no other contributing run has among its own.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from evalcore.values import threshold

NOBODY = -1


def sole_owners(items, owners):
    """Who alone brought each item into the pool. int (N,); `NOBODY` where none did, or several.

    items : (int (R, ...), N): item codes of R runs down to the pool's depth, and how many codes there are
    owners : int (R,), whose each run is
    """
    codes, size = items
    owner = np.broadcast_to(np.reshape(owners, (-1, *(1,) * (codes.ndim - 1))), codes.shape)
    sole = np.full(size, NOBODY)
    sole[codes] = owner  # one of them, whichever comes last
    sole[codes[sole[codes] != owner]] = NOBODY
    sole[0] = NOBODY
    return sole


def tops(study, depth):
    """The items of the contributing runs down to the pool's depth, int (R, Q, d), and how many codes there are.

    depth : None = the study's pool depth
    """
    d = study.depth if threshold("depth", depth) is None else depth
    return study.whole.items[study.whole.pooled, :, :d], study.whole.size


def brought_alone(study, system, depth):
    """Which items a system (its name), taken as contributing, alone brings into the pool. bool (N,)."""
    codes, size = tops(study, depth)
    names = np.array(study.whole.systems)[study.whole.pooled]
    mine, theirs = np.zeros(size, bool), np.zeros(size, bool)
    mine[study.whole.items[study.whole.systems.index(system), :, : codes.shape[2]]] = True
    theirs[codes[names != system]] = True
    return mine & ~theirs


def without_its_own(study, in_force, system, depth):
    """These judgments as if the system (its name) had not helped to build the pool."""
    helped = study.whole.pooled[study.whole.systems.index(system)]
    return in_force.only(~brought_alone(study, system, depth)) if helped else in_force


def with_a_score(study):
    """The names of the contributing systems looked at for which a topic counts. (systems,)"""
    return np.array(study.systems, object)[study.track.pooled & study.counted.any(axis=1)]


def without_each(study, in_force, metric, owned, owners, *, unjudged="irrelevant"):
    """The mean score of every system without the judgments of each owner. float (S, owners).

    owned : int (N,), whose each judgment is; `NOBODY` for those that stay
    A weighted-precision score only loses what those judgments earned: one sum over places tells it for all owners.
    """
    if not metric.weighted or unjudged != "irrelevant":
        each = (
            study.mean(study.at(judgments=in_force.only(owned != owner), unjudged=unjudged).values(metric))
            for owner in range(owners)
        )
        return np.stack(list(each), axis=1)
    places = study.at(judgments=in_force).places_of(metric)
    at = np.flatnonzero(owned[places.item] >= 0)
    S, Q, K = study.track.shape
    system, query = np.divmod(places.row[at], Q)
    earned = metric.weights(K)[places.rank[at]] * metric.earned(in_force.scale)[places.level[at]]
    judged = np.isin(study.track.topic_of_query, study.judged_topics)
    earned *= (study.share_of_topic * judged)[system, query] / np.maximum(study.counted.sum(axis=1), 1)[system]
    lost = np.bincount(system * owners + owned[places.item[at]], weights=earned, minlength=S * owners)
    return study.mean(study.at(judgments=in_force).values(metric))[:, None] - lost.reshape(S, owners)


def in_the_place_of_each(study, in_force, metric, pool, names, own, *, unjudged="irrelevant"):
    """The bias that each contributing system that is looked at would suffer if a newcomer had contributed in its place
    (algorithm 1): its score less that without what it alone brought. float (systems,), of those that have a score

    pool, names : items and names of the contributing systems, see `sole_owners`
    own : bool (N,), what the newcomer would have brought, which stays
    """
    withdrawn = np.where((in_force.level > 0) & ~own, sole_owners(pool, np.arange(len(names))), NOBODY)
    whole = study.mean(study.at(judgments=in_force, unjudged=unjudged).values(metric))
    without = without_each(study, in_force, metric, withdrawn, len(names), unjudged=unjudged)
    row = {name: s for s, name in enumerate(study.systems)}
    each = np.array([whole[row[name]] - without[row[name], i] for i, name in enumerate(names) if name in row])
    return each[~np.isnan(each)]


def against_one_more(study, in_force, metric, width, rng, *, depth, unjudged="irrelevant"):
    """The bias against one more system of a pool that so many contributing systems, drawn at random, form. The one
    more is among those looked at [WP09, fig. 1]."""
    codes, size = tops(study, depth)
    names = np.array(study.whole.systems, object)[study.whole.pooled]
    left = rng.choice(np.flatnonzero(np.isin(names, with_a_score(study))))
    others = rng.choice(np.delete(np.arange(len(names)), left), width, replace=False)
    pooled = np.zeros(size, bool)
    pooled[codes[others]] = True
    with_it = pooled.copy()
    with_it[codes[left]] = True
    alone = study.only(systems=[names[left]])
    true, unpooled = (
        alone.mean(alone.at(judgments=in_force.only(kept), unjudged=unjudged).values(metric))[0]
        for kept in (with_it, pooled)
    )
    return true - unpooled


@dataclass(frozen=True)
class Adjusted:
    """A score with an adjustment for bias and the interval of the adjusted score."""

    unadjusted: float
    adjustment: float
    lower: float
    upper: float
    n: int

    @property
    def adjusted(self):
        """The score with the adjustment added."""
        return self.unadjusted + self.adjustment


def from_systems(unadjusted, biases, level):
    """The adjustment by the mean bias of the pooled systems (algorithm 1), with the t interval of that mean.

    biases : float (systems,)
    """
    n, mean = len(biases), float(np.mean(biases))
    half = scipy.stats.t.ppf(1 - level / 2, n - 1) * np.std(biases, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return Adjusted(unadjusted, mean, unadjusted + mean - half, unadjusted + mean + half, n)


@dataclass(frozen=True)
class FromTopics(Adjusted):
    """With two answers on whether it is likely to help (eqs 3, 5 and 6)."""

    helps_over_unadjusted: bool
    helps_over_common: bool


def from_topics(true, unpooled, everywhere, level, *, method="t", seed=0, resamples=10_000):
    """The adjustment by the mean bias on common topics, where the system is fully judged (algorithm 2).

    true, unpooled : float (n,), its scores on the common topics with and without what it alone brought
    everywhere : float (N,), its unpooled scores on all topics
    method : of the interval: "t" (n - 1 degrees of freedom), or "bootstrap" over the common topics
    """
    bias = true - unpooled
    n, N = len(bias), len(everywhere)
    adjustment, unadjusted = float(bias.mean()), float(everywhere.mean())
    spread = np.sum((true - (unpooled + adjustment)) ** 2) / (n - 1) if n > 1 else np.nan
    deviation = np.sqrt((N - n) / N * spread / n)
    if method == "t":
        half = scipy.stats.t.ppf(1 - level / 2, n - 1) * deviation if n > 1 else np.nan
        ends = (-half, half)
    elif method == "bootstrap":
        drawn = np.random.default_rng(seed).integers(0, n, (resamples, n))
        off = (bias[drawn].mean(axis=1) - adjustment) * np.sqrt((N - n) / N)
        ends = np.quantile(off, [level / 2, 1 - level / 2])
    else:
        raise ValueError(f"no method {method!r}. Known: t, bootstrap.")
    adjusted = unadjusted + adjustment
    return FromTopics(
        unadjusted,
        adjustment,
        float(adjusted + ends[0]),
        float(adjusted + ends[1]),
        n,
        helps_over_unadjusted=bool(deviation < abs(adjustment)),
        helps_over_common=bool(spread < np.var(true, ddof=1)) if n > 1 else False,
    )


# ---------------------------------------------------------------------------------------------------------------------
# The experiment


@dataclass(frozen=True)
class Trial:
    """One newcomer against one pool: mean absolute errors of its score, left as it is and adjusted (algorithm 3).

    mixed, from_topics : by how many topics are common
    """

    unadjusted: float
    from_systems: float
    mixed: dict
    from_topics: dict


def trial(study, in_force, metric, width, rng, *, depth, common, draws, newcomers=None, unjudged="irrelevant"):
    """Draws a newcomer and a pool of `width` systems, and for each number of common topics `draws` choices of them.

    newcomers : bool, by `with_a_score`, who may be the newcomer; the others form pools. None = all of them may be both
    """
    track, names = study.track, with_a_score(study)
    codes, size = track.items[np.isin(study.systems, names), :, :depth], track.size
    new = rng.choice(len(names) if newcomers is None else np.flatnonzero(newcomers))
    others = np.delete(np.arange(len(names)), new) if newcomers is None else np.flatnonzero(~newcomers)
    pool = rng.choice(others, width, replace=False)
    pooled, own = np.zeros(size, bool), np.zeros(size, bool)
    pooled[codes[pool]] = True
    own[codes[new]] = True
    sample = study.only(systems=[names[new], *names[pool]])
    r = sample.systems.index(names[new])
    kept = in_force.only(pooled)
    true, unpooled = (
        sample.by_topic(sample.at(judgments=judgments, unjudged=unjudged).values(metric))[r][sample.counted[r]]
        for judgments in (in_force.only(pooled | own), kept)
    )
    bias = true - unpooled
    each = in_the_place_of_each(
        sample.only(systems=list(names[pool])), kept, metric, (codes[pool], size), names[pool], own, unjudged=unjudged
    )
    by_common = {n: errors_of_topics(bias, n, draws, rng) for n in common}
    return Trial(
        unadjusted=abs(bias.mean()),
        from_systems=abs(bias.mean() - each.mean()),
        mixed={n: mixed for n, (mixed, _) in by_common.items()},
        from_topics={n: adjusted for n, (_, adjusted) in by_common.items()},
    )


def errors_of_topics(bias, n, draws, rng):
    """The mean absolute errors over draws of n common topics: of the mean of true scores there and unadjusted ones
    elsewhere, and of the adjusted score. bias : float (N,), by topic; n : at most N are drawn"""
    n = min(n, len(bias))
    drawn = rng.random((draws, len(bias))).argsort(axis=1)[:, :n]
    found = bias[drawn].sum(axis=1)
    return np.abs(bias.mean() - found / len(bias)).mean(), np.abs(bias.mean() - found / n).mean()
