"""Newcomers: is a system that did not help to build the pool treated fairly? Webber & Park, SIGIR 2009."""

import numpy as np
import pandas as pd

from evalcore import bias, orderings
from evalcore.metrics import metric as metric_named
from evalcore.questions.tidy import checked_count, checked_level, checked_seed, listed
from evalcore.study import NOBODY, checked_threshold, indices_of

WEBBER_PARK = "RBP(p=0.8)@10"


def leave_out(study, *, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant"):
    """Every contributing system's score and rank with and without the judgments that it alone brought into the pool,
    or its whole group alone; all systems are scored anew on what is left.

    unique_judged, unique_relevant : how many judgments, and relevant ones, those are
    """
    if by not in ("run", "group"):
        raise ValueError(f"by={by!r} is not known. Known: run, group.")
    _contributed(study)
    track = study.track
    names = [group if by == "group" and group else name for name, group in _named(study.whole)]
    if by == "group" and not any(study.whole.groups):
        raise ValueError("no system has a group; give a table of systems with a column group, or leave out by run.")
    known = list(dict.fromkeys(names))
    owners = np.array([known.index(name) for name in names])
    sole = bias.sole_owners(_tops(study, depth), owners[study.whole.pooled])
    in_force = study.judgments_at(depth=depth)
    owned = np.where(in_force.level > 0, sole, bias.NOBODY)
    level = in_force.level[owned >= 0]
    scale = in_force.scale
    counts = [
        np.bincount(owned[owned >= 0][table[level]], minlength=len(known)) for table in (scale.judged, scale.relevant)
    ]
    whole = study.mean(study.values_under(in_force, metric, unjudged=unjudged))
    without = _without_each(study, metric, depth, unjudged, owned, len(known))
    place = {name: i for i, name in enumerate(study.whole.systems)}
    rows = []
    for s in np.flatnonzero(track.pooled):
        owner = owners[place[study.systems[s]]]
        rows.append(
            {
                "left_out": known[owner],
                "system": study.systems[s],
                "rank": orderings.ranks(whole)[s],
                "rank_without": orderings.ranks(without[:, owner])[s],
                "value": whole[s],
                "value_without": without[s, owner],
                "unique_relevant": counts[1][owner],
                "unique_judged": counts[0][owner],
            }
        )
    return pd.DataFrame(rows).sort_values(["rank", "system"], ignore_index=True)


def bias_by_width(
    study, *, metric=WEBBER_PARK, depth=None, widths=(2, 4, 10, 20, 40), repeats=100, seed=0, unjudged="irrelevant"
):
    """The bias against one more system of pools that so many contributing systems form: mean and quartiles over random
    choices (Webber & Park 2009, fig. 1).

    The bias is the system's score when it helps to form the pool less that when it does not.
    """
    _contributed(study)
    listed(widths, "widths", 10)
    contributing = np.flatnonzero(study.track.pooled)
    metric, rng = metric_named(metric), np.random.default_rng(checked_seed(seed))
    tops, size = _tops(study, depth)
    in_force = study.judgments_at(depth=depth)
    rows = []
    for width in widths:
        if checked_count("widths", width) >= len(contributing):
            continue
        found = []
        for _ in range(checked_count("repeats", repeats)):
            left, *others = rng.choice(len(contributing), width + 1, replace=False)
            pooled, own = np.zeros(size, bool), np.zeros(size, bool)
            pooled[tops[others]] = True
            own[tops[left]] = True
            alone = study.only(systems=[study.systems[contributing[left]]])
            scores = [
                alone.mean(alone.values_under(in_force.only(kept), metric, unjudged=unjudged))[0]
                for kept in (pooled | own, pooled)
            ]
            found.append(scores[0] - scores[1])
        rows.append((width, len(found), np.mean(found), *np.quantile(found, [0.25, 0.5, 0.75])))
    if not rows:
        raise ValueError(f"widths={list(widths)!r}: all of them need more than the {len(contributing)} pooled systems.")
    table = pd.DataFrame(rows, columns=["width", "repeats", "mean", "q1", "median", "q3"])
    left_out = [width for width in widths if width >= len(contributing)]
    notes = [f"Widths {left_out} need more than the {len(contributing)} systems that contributed."] if left_out else []
    return table, notes


def adjust_from_systems(study, *, system, metric=WEBBER_PARK, depth=None, unjudged="irrelevant", level=0.05):
    """A system's score corrected by the mean bias that the pooled systems would suffer in its place (Webber & Park
    2009, algorithm 1), with the t interval of that mean.

    Each pooled system's own judgments are withdrawn but for those that the new system would have brought: it takes the
    other's place in the pool.
    """
    checked_level(level)
    _contributed(study)
    r = int(indices_of([system], study.systems, "system")[0])
    unadjusted = _unpooled(study, r, metric, depth, unjudged)
    tops, size = _tops(study, depth)
    contributing = [s for s in np.flatnonzero(study.track.pooled) if s != r]
    if len(contributing) < 2:
        raise ValueError("adjusting from systems needs at least two other systems that contributed to the pool.")
    own = np.zeros(size, bool)
    own[study.track.items[r][:, : tops.shape[2]]] = True
    others = study.without_contribution_of([system])
    sole = bias.sole_owners(_tops(others, depth), np.arange(len(others.whole.systems))[others.whole.pooled])
    place = {name: i for i, name in enumerate(others.whole.systems)}
    in_force = others.judgments_at(depth=depth)
    withdrawn = np.where((in_force.level > 0) & ~own, sole, bias.NOBODY)
    whole = study.mean(others.values_under(in_force, metric, unjudged=unjudged))
    without = _without_each(others, metric, depth, unjudged, withdrawn, len(others.whole.systems))
    biases = np.array([whole[s] - without[s, place[study.systems[s]]] for s in contributing])
    found = bias.from_systems(unadjusted, biases, level)
    return pd.DataFrame([_adjusted_row(system, found) | {"n": found.n}])


def adjust_from_topics(
    study,
    *,
    system,
    common=10,
    metric=WEBBER_PARK,
    depth=None,
    method="t",
    seed=0,
    unjudged="irrelevant",
    level=0.05,
):
    """A system's score corrected by its own bias on a few topics on which it is fully judged (Webber & Park 2009,
    algorithm 2), with an interval and two answers on whether that is likely to help.

    common : those topics, or how many to draw from the seed
    helps_over_unadjusted, helps_over_common : better than the score as it is, and than the mean over the common topics
    """
    checked_level(level)
    _contributed(study)
    r = int(indices_of([system], study.systems, "system")[0])
    topics = _common_topics(study, common, checked_seed(seed))
    in_force = study.judgments_at(depth=depth)
    true, unpooled = (
        study.by_topic(study.values_under(judgments, metric, unjudged=unjudged))[r]
        for judgments in (in_force, in_force.only(~_brought_alone(study, r, depth)))
    )
    found = bias.from_topics(
        true[topics], unpooled[topics], unpooled[study.counted[r]], level, method=method, seed=seed
    )
    names = [study.track.topics[study.judged_topics[topic]] for topic in topics]
    row = _adjusted_row(system, found) | {
        "helps_over_unadjusted": found.helps_over_unadjusted,
        "helps_over_common": found.helps_over_common,
        "n": found.n,
        "common": " ".join(names),
    }
    return pd.DataFrame([row])


# ---------------------------------------------------------------------------------------------------------------------
# Pieces


def _adjusted_row(system, found):
    return {
        "system": system,
        "unadjusted": found.unadjusted,
        "adjustment": found.adjustment,
        "adjusted": found.adjusted,
        "lower": found.lower,
        "upper": found.upper,
    }


def _common_topics(study, common, seed):
    """The judged topics that are named, or so many drawn at random. int, indices into `judged_topics`."""
    known = [study.track.topics[topic] for topic in study.judged_topics]
    if isinstance(common, list | tuple):
        topics = indices_of([str(topic) for topic in common], known, "judged topic")
    else:
        if checked_count("common", common) > len(known):
            raise ValueError(f"common={common}: there are only {len(known)} judged topics.")
        topics = np.sort(np.random.default_rng(seed).choice(len(known), common, replace=False))
    if len(topics) < 2:
        raise ValueError("adjusting from topics needs at least two common topics.")
    return topics


def _brought_alone(study, r, depth):
    """Which items a system, taken as contributing, alone brings into the pool. bool (N,)."""
    tops, size = _tops(study, depth)
    others = np.array([name != study.systems[r] for name, in_pool in _pooled(study) if in_pool], bool)
    mine, theirs = np.zeros(size, bool), np.zeros(size, bool)
    mine[study.track.items[r][:, : tops.shape[2]]] = True
    theirs[tops[others]] = True
    return mine & ~theirs


def _pooled(study):
    return zip(study.whole.systems, study.whole.pooled, strict=True)


def _contributed(study):
    if not study.whole.pooled.any():
        raise ValueError(NOBODY)


def _named(track):
    return zip(track.systems, track.groups, strict=True)


def _tops(study, depth):
    """The items of the contributing runs down to the pool's depth, int (R, Q, d), and how many codes there are."""
    d = study.depth if checked_threshold("depth", depth) is None else depth
    return study.whole.items[study.whole.pooled][:, :, :d], study.whole.size


def _without_each(study, metric, depth, unjudged, owned, owners):
    """The mean score of every system without the judgments of each owner. float (S, owners).

    owned : int (N,), whose each judgment is; `bias.NOBODY` for those that stay
    """
    metric, in_force = metric_named(metric), study.judgments_at(depth=depth)
    if not metric.weighted or unjudged != "irrelevant":
        each = (
            study.mean(study.values_under(in_force.only(owned != owner), metric, unjudged=unjudged))
            for owner in range(owners)
        )
        return np.stack(list(each), axis=1)
    places = study.places_under(in_force)
    at = np.flatnonzero(owned[places.item] >= 0)
    S, Q, K = study.track.shape
    system, query = np.divmod(places.row[at], Q)
    earned = metric.weights(K)[places.rank[at]] * metric.earned(in_force.scale)[places.level[at]]
    judged = np.isin(study.track.topic_of_query, study.judged_topics)
    earned *= (study.share_of_topic * judged)[system, query] / np.maximum(study.counted.sum(axis=1), 1)[system]
    lost = np.bincount(system * owners + owned[places.item[at]], weights=earned, minlength=S * owners)
    whole = study.mean(study.values_under(in_force, metric))
    return whole[:, None] - lost.reshape(S, owners)


def _unpooled(study, r, metric, depth, unjudged):
    """One system's mean score without what it alone brought into the pool."""
    left = study.judgments_at(depth=depth)
    if study.track.pooled[r]:
        left = left.only(~_brought_alone(study, r, depth))
    return float(study.mean(study.values_under(left, metric, unjudged=unjudged))[r])
