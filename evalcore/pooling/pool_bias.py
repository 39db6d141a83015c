"""Bias of new systems: what a system loses by not contributing to the pool [WP09].

A system is *unpooled* when the judgments that it alone brought into the pool are taken away: documents that it has
among its first d and no other contributing run has among its own. By group, the same of what its group alone brought.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from evalcore.collection.judgments import Judgments
from evalcore.collection.track import EMPTY
from evalcore.metrics.intervals import Metric
from evalcore.statistics.significance import half_width
from evalcore.study.study import Study
from evalcore.study.study_data import share_of_topic

NOBODY = -1


def sole_owners(items: tuple[NDArray[np.int32], int], owners: NDArray[np.intp]) -> NDArray[np.int32]:
    """Who alone brought each item into the pool. int (N,); `NOBODY` where none did, or several.

    items : (int (R, ...), N): item codes of R runs down to the pool's depth, and how many codes there are
    owners : int (R,), whose each run is
    """
    codes, size = items
    owner = np.broadcast_to(np.reshape(np.int32(owners), (-1, *(1,) * (codes.ndim - 1))), codes.shape)
    sole = np.full(size, NOBODY, np.int32)
    sole[codes] = owner  # one of them, whichever comes last
    sole[codes[sole[codes] != owner]] = NOBODY
    sole[0] = NOBODY
    return sole


def units(study: Study, by: str) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
    """The units that are left out together (runs, or groups where systems have one), and the index of each system's
    unit. A list, int (S,).

    Each is ("run", a name), or by group ("group", a name) for systems that have one: a group may be called as a system.
    """
    if by == "group" and not any(study.whole.groups):
        raise ValueError(
            "no system has a group. Load a systems table with a group column, or leave out one run at a time."
        )
    each = zip(study.whole.systems, study.whole.groups, strict=True)
    of_system = [("group", group) if by == "group" and group else ("run", name) for name, group in each]
    together = list(dict.fromkeys(of_system))
    return together, np.array([together.index(unit) for unit in of_system])


def left_out_with(study: Study, system: str, by: str) -> tuple[list[str], str | None]:
    """The contributing systems that are left out with a system (its name): itself, or its group. Names, and the group's
    name or None."""
    together, of_system = units(study, by)
    mine = of_system[study.whole.systems.index(system)]
    kind, name = together[mine]
    systems = np.array(study.whole.systems, object)[study.whole.pooled & (of_system == mine)]
    return list(systems), name if kind == "group" else None


def tops(
    study: Study, depth: int | None, systems: Sequence[str] | NDArray[np.object_] | None = None
) -> tuple[NDArray[np.int32], int]:
    """The items of the contributing runs, or of these systems (names), down to a depth, or to that of each topic's pool
    (None), int (R, Q, d), and how many codes there are."""
    who = study.whole.pooled if systems is None else np.isin(study.whole.systems, systems)
    deepest = study.pooling.depth_of_topic.max(initial=1) if depth is None else depth
    items = study.whole.items[who, :, :deepest]
    return (in_the_pool(study, items) if depth is None else items), study.whole.size


def brought_by_one(study: Study, depth: int | None, owners: NDArray[np.intp]) -> NDArray[np.int32]:
    """Which owner alone brought each item into the pool, down to a depth or to that of each topic's pool (None): see
    `sole_owners`. int (N,). owners : int, whose each contributing run is"""
    return sole_owners(tops(study, depth), owners)


def retrieved_by_one(study: Study, by: str = "run") -> NDArray[np.int32]:
    """Which unit of `units` alone retrieved each item, at any rank. int (N,). Kept, for nothing but `by` changes it."""
    whole = study.whole
    return study.memo.owners.get((by,), lambda: sole_owners((whole.items, whole.size), units(study, by)[1]))


def brought(study: Study, depth: int | None, systems: Sequence[str]) -> NDArray[np.bool_]:
    """Which items these systems (names) bring into the pool. bool (N,)."""
    return among(tops(study, depth, systems))


def in_the_pool(study: Study, items: NDArray[np.int32]) -> NDArray[np.int32]:
    """Rankings of the whole track (R, Q, K) down to the depth of each topic's pool, `EMPTY` below. int (R, Q, d)."""
    depth = study.pooling.depth_of_topic[study.whole.topic_of_query]
    deepest = min(int(depth.max(initial=1)), items.shape[2])
    return np.where(np.arange(deepest) < depth[:, None], items[:, :, :deepest], EMPTY)


def among(items: tuple[NDArray[np.int32], int]) -> NDArray[np.bool_]:
    """Mask over all items of these item codes. bool (N,)"""
    codes, size = items
    present = np.zeros(size, bool)
    present[codes] = True
    return present


def brought_alone(study: Study, systems: Sequence[str], depth: int | None) -> NDArray[np.bool_]:
    """Which items these systems (names), counted as contributing, alone add to the pool. bool (N,)."""
    rest = np.array(study.whole.systems, object)[study.whole.pooled & ~np.isin(study.whole.systems, systems)]
    return among(tops(study, depth, systems)) & ~among(tops(study, depth, rest))


def without_its_own(study: Study, in_force: Judgments, system: str, depth: int | None, by: str = "run") -> Judgments:
    """These judgments as if the system (its name), or its group, had not contributed to the pool."""
    helped, _ = left_out_with(study, system, by)
    return in_force.only(~brought_alone(study, helped, depth)) if helped else in_force


def with_a_score(study: Study, *, contributing: bool = True) -> NDArray[np.object_]:
    """The names of the contributing systems looked at for which a topic counts, or of all such systems. (systems,)"""
    scored = study.counted.any(axis=1)
    return np.array(study.systems, object)[study.track.pooled & scored if contributing else scored]


def means(study: Study, judgments: Judgments, metric: Metric, unjudged: str) -> NDArray[np.float64]:
    """The mean score of every system by these judgments. float (S,)."""
    return study.mean(study.at(judgments=judgments, unjudged=unjudged).values(metric))


def without_each(
    study: Study, in_force: Judgments, metric: Metric, owned: NDArray[np.int32], owners: int, *, unjudged: str,
    whose: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """The mean score of every system, float (S,), and without the judgments of each owner, float (S, owners).

    owned : int (N,), whose each judgment is; `NOBODY` for those that stay
    whose : bool (S, owners), which of these scores are wanted, the others being of no meaning; None = all
    A weighted-precision score only loses what those judgments earned: one sum over places tells it for all owners.
    """
    if not metric.weighted or unjudged != "irrelevant":
        scores = study.at(judgments=in_force, unjudged=unjudged).values(metric)
        whole = study.mean(scores)
        without = np.repeat(whole[:, None], owners, axis=1)
        for owner, items, touched in _touched(study, in_force, metric, owned, unjudged):
            wanted = touched if whose is None else touched & whose[:, [owner]]
            if wanted.any():
                left = scores.copy()
                reading = study.at(judgments=in_force.without(items), unjudged=unjudged)
                left[wanted] = reading.values(metric, wanted)
                without[:, owner] = study.mean(left)
        return whole, without
    topics = np.maximum(study.counted.sum(axis=1), 1)
    lost = _lost(study, in_force, metric, owned, owners, topics)
    whole = means(study, in_force, metric, unjudged)
    return whole, whole[:, None] - lost


def _touched(study, in_force, metric, owned, unjudged):
    """Each owner whose judgments any score is made of, those judgments (items), and the rankings whose score may be,
    bool (S, Q): those that have one of these documents, or all of their topics."""
    shape = study.track.shape[:2]
    counts = metric.counting(in_force.scale) if unjudged == "irrelevant" else in_force.scale.pooled
    items = in_force.pooled_items[owned[in_force.pooled_items] != NOBODY]
    items = items[counts[in_force.level[items]]]
    items = items[np.argsort(owned[items], kind="stable")]
    owners, first = np.unique(owned[items], return_index=True)
    if metric.of_ranking_alone:
        places = study.at(judgments=in_force, unjudged=unjudged).places_of(metric)
        places = places.within(dict(metric.values).get("k"))
        at = np.flatnonzero(study.track.among(items)[places.item])
        row, of_row = places.row[at], owned[places.item[at]]
    for owner, theirs in zip(owners, np.split(items, first)[1:], strict=True):
        if metric.of_ranking_alone:
            touched = np.zeros(shape, bool)
            touched.ravel()[row[of_row == owner]] = True
        else:
            touched = np.broadcast_to(np.isin(study.track.topic_of_query, in_force.topic_of_item[theirs]), shape)
        yield owner, theirs, touched


def _lost(study, in_force, metric, owned, owners, topics):
    """What the judgments of each owner earned every system, in its mean over so many topics. float (S, owners)."""
    places = study.at(judgments=in_force).places_of(metric)
    at = np.flatnonzero(places.marked(metric.counting(in_force.scale)))
    at = at[owned[places.item[at]] != NOBODY]
    S, Q, K = study.track.shape
    system, query = np.divmod(places.row[at], Q)
    earned = metric.weights(K)[places.rank[at]] * metric.earned(in_force.scale)[places.level[at]]
    judged = np.isin(study.track.topic_of_query, study.judged_topics)
    earned *= (share_of_topic(study) * judged)[system, query] / topics[system]
    lost = np.bincount(system * owners + owned[places.item[at]], weights=earned, minlength=S * owners)
    return lost.reshape(S, owners)


def in_the_place_of_each(
    study: Study, in_force: Judgments, metric: Metric, sole: NDArray[np.int32], names: NDArray[np.object_],
    own: NDArray[np.bool_], *, unjudged: str, unit: NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:  # fmt: skip
    """The bias of each selected contributing system if a new one had contributed in its place. float (systems,)

    Algorithm 1: its score minus that without what only it contributed, of systems that have a score
    sole : int (N,), the only unit that contributed each item; names : of the contributing systems
    own : bool (N,), what the new system would have contributed, which stays
    unit : whose each is, from 0, where whole groups give way; then a bias is the mean of a group. float (groups,)
    """
    unit = np.arange(len(names)) if unit is None else unit
    withdrawn, pooled = np.full(len(sole), NOBODY, np.int32), in_force.pooled_items
    withdrawn[pooled] = np.where(own[pooled], NOBODY, sole[pooled])
    row = {name: s for s, name in enumerate(study.systems)}
    each = [(row[name], u) for u, name in zip(unit, names, strict=True) if name in row]
    own_scores = np.zeros((len(row), unit.max(initial=-1) + 1), bool)
    own_scores[tuple(np.array(each, int).reshape(-1, 2).T)] = True
    options: dict[str, Any] = {"unjudged": unjudged, "whose": own_scores}
    whole, without = without_each(study, in_force, metric, withdrawn, own_scores.shape[1], **options)
    systems, of_unit = np.array(each, int).reshape(-1, 2).T
    biases = pd.Series(whole[systems] - without[systems, of_unit]).dropna()
    return biases.groupby(of_unit[biases.index]).mean().to_numpy()


def against_one_more(
    study: Study, in_force: Judgments, metric: Metric, width: int, rng: np.random.Generator, *,
    items: tuple[NDArray[np.int32], int], names: NDArray[np.object_], may_be_new: NDArray[np.intp],
    treatments: Sequence[str],
) -> list[float]:  # fmt: skip
    """The bias against one more system of a pool that so many contributing systems, drawn at random, form, for each
    treatment of unjudged documents. The one more is among those looked at [WP09, fig. 1]. A list

    items, names : of the contributing systems, the first as `tops` gives them; may_be_new : indices
    """
    codes, size = items
    left = rng.choice(may_be_new)
    drawn = rng.choice(np.delete(np.arange(len(names)), left), width, replace=False)
    alone = study.only(systems=[names[left]])
    with_it, without_it = (in_force.only(among((codes[runs], size))) for runs in ([*drawn, left], drawn))
    return [
        means(alone, with_it, metric, unjudged)[0] - means(alone, without_it, metric, unjudged)[0]
        for unjudged in treatments
    ]


def _adjusted(unadjusted, adjustment, ends):
    """A score with an adjustment for bias, and between which ends it lies, given from the adjusted score. A dict."""
    adjusted = float(unadjusted + adjustment)
    return {
        "unadjusted": float(unadjusted),
        "adjustment": float(adjustment),
        "adjusted": adjusted,
        "lower": float(adjusted + ends[0]),
        "upper": float(adjusted + ends[1]),
    }


def from_systems(unadjusted: float, biases: NDArray[np.float64], level: float) -> dict[str, Any]:
    """The adjustment by the mean bias of two pooled systems or more (algorithm 1), with the t interval of that mean.

    biases : float (n,)
    -> the columns of `adjust_from_systems`, all but the first
    """
    half = half_width(biases, level)
    return _adjusted(unadjusted, np.mean(biases), (-half, half)) | {"n": len(biases)}


def from_topics(
    true: NDArray[np.float64], unpooled: NDArray[np.float64], everywhere: NDArray[np.float64], level: float, *,
    method: str = "t", seed: int = 0, resamples: int = 10_000,
) -> dict[str, Any]:  # fmt: skip
    """The adjustment by the mean bias on two common topics or more, where the system is fully judged (algorithm 2).

    true, unpooled : float (n,), its scores on the common topics with and without what it alone brought
    everywhere : float (N,), its unpooled scores on all topics
    method : of the interval: "t" (n - 1 degrees of freedom), or "bootstrap" over the common topics
    -> the columns of `adjust_from_topics`, whether it is likely to help (eqs 3, 5 and 6) among them
    """
    bias = true - unpooled
    n, N = len(bias), len(everywhere)
    adjustment = bias.mean()
    spread = np.sum((true - (unpooled + adjustment)) ** 2) / (n - 1)
    deviation = np.sqrt((N - n) / N * spread / n)
    if method == "t":
        half = scipy.stats.t.ppf(1 - level / 2, n - 1) * deviation
        ends = (-half, half)
    else:
        drawn = np.random.default_rng(seed).integers(0, n, (resamples, n))
        off = (bias[drawn].mean(axis=1) - adjustment) * np.sqrt((N - n) / N)
        ends = np.quantile(off, [level / 2, 1 - level / 2])
    return _adjusted(everywhere.mean(), adjustment, ends) | {
        "helps_over_unadjusted": bool(deviation < abs(adjustment)),
        "helps_over_common": bool(spread < np.var(true, ddof=1)),
        "n": n,
    }


# ---------------------------------------------------------------------------------------------------------------------
# The experiment


def trial(
    study: Study, in_force: Judgments, metric: Metric, width: int, rng: np.random.Generator, *,
    codes: NDArray[np.int32], common: Sequence[int], draws: int, names: NDArray[np.object_],
    may_be_new: NDArray[np.bool_], may_pool: NDArray[np.bool_], unjudged: str,
) -> NDArray[np.float64]:  # fmt: skip
    """Mean absolute errors of the score of a random new system, with a random pool of `width` systems. (common, 4)

    Algorithm 3: uncorrected, with true scores on the common topics, corrected from systems, and from topics; for each
    number of common topics, over `draws` choices of them
    names : of the systems of the experiment, in the study's order; codes : int (systems, Q, depth), their items
    may_be_new, may_pool : bool, which of them may be new, and which may form the pool, where they are not the new one
    """
    size = study.track.size
    new = rng.choice(np.flatnonzero(may_be_new))
    candidates = np.flatnonzero(may_pool & (np.arange(len(names)) != new))
    pool = rng.choice(candidates, width, replace=False)
    pooled, own = among((codes[pool], size)), among((codes[new], size))
    alone, remaining = study.only(systems=[names[new]]), in_force.only(pooled)
    true, unpooled = (
        alone.by_topic(alone.at(judgments=judgments, unjudged=unjudged).values(metric))[alone.counted]
        for judgments in (in_force.only(pooled | own), remaining)
    )
    bias = true - unpooled
    each = in_the_place_of_each(
        study.only(systems=list(names[pool])), remaining, metric,
        sole_owners((codes[pool], size), np.arange(len(pool))), names[pool], own, unjudged=unjudged,
    )  # fmt: skip
    unadjusted, from_systems = abs(bias.mean()), abs(bias.mean() - each.mean())
    of_topics = [errors_of_topics(bias, n, draws, rng) for n in common]
    return np.array([(unadjusted, mixed, from_systems, from_topics) for mixed, from_topics in of_topics])


def errors_of_topics(bias: NDArray[np.float64], n: int, draws: int, rng: np.random.Generator) -> tuple[float, float]:
    """The mean absolute errors over draws of n common topics: of the mean of true scores there and unadjusted ones
    elsewhere, and of the adjusted score. bias : float (N,), by topic; n : at most N are drawn"""
    n = min(n, len(bias))
    drawn = rng.random((draws, len(bias))).argsort(axis=1)[:, :n]
    totals = bias[drawn].sum(axis=1)
    return np.abs(bias.mean() - totals / len(bias)).mean(), np.abs(bias.mean() - totals / n).mean()
