"""The range of a number over the sets of contributing systems that the files allow.

The files show whose rankings are judged in full, not whether they were judged for that run. A run that contributed no
document alone may not have contributed at all; one that contributed few alone is nearly a copy of others; and a group
rarely has more than one or two of its runs pooled.
"""

from dataclasses import replace

import numpy as np

from evalcore.collection import pool_inference
from evalcore.collection.track import EMPTY
from evalcore.pooling import pool_bias

NEAR = 0.3  # share of a run's judged pool that only it contributed: below this it is nearly a copy of others


def contributors_in_doubt(study):
    """The sets of contributing systems that the files allow, each bool (S,) over the whole track.

    All that may have contributed; those that seem to have; the fewest that contributed the same documents; and the
    surest, which are judged in full, contributed many documents alone, and are their group's only one. No empty sets or
    duplicates.
    """
    pooling, whole = study.pooling, study.whole
    names, seem = np.array(whole.systems, object), np.flatnonzero(whole.pooled)
    retrieved = _retrieved(study, seem)
    sure = ~np.isin(names[seem], pooling.unsure)
    fewest = without_copies(retrieved, np.ones(len(seem), bool), 0.0)
    surest = first_of_each_group(retrieved, without_copies(retrieved, sure, NEAR), np.array(whole.groups, object)[seem])
    sets = [whole.pooled | np.isin(names, pooling.doubtful), whole.pooled]
    sets += [np.isin(np.arange(len(names)), seem[chosen]) for chosen in (fewest, surest)]
    return [who for n, who in enumerate(sets) if who.any() and not any((who == other).all() for other in sets[:n])]


def _retrieved(study, systems):
    """Which judged documents these systems (indices) have in the pool. bool (documents, systems)"""
    packed = _packed(study, systems)
    judged = study.whole_judgments.scale.judged[study.whole_judgments.level]
    packed = packed[judged & packed.any(axis=1)]
    return np.unpackbits(packed, axis=1, count=len(systems)).astype(bool)


def _packed(study, systems):
    """Which of these systems have each item in the pool, a bit for each. uint8 (N, ...)."""
    retrieved = np.zeros((study.whole.size, (len(systems) + 7) // 8), np.uint8)
    for n, s in enumerate(systems):
        retrieved[pool_bias.in_the_pool(study, study.whole.items[s : s + 1]), n // 8] |= np.uint8(128 >> n % 8)
    retrieved[EMPTY] = 0
    return retrieved


def without_copies(retrieved, systems, near):
    """These systems without those that contributed too few documents alone. bool (systems,)

    Repeatedly, the system with the smallest share of its documents contributed alone (the last of several) is removed,
    as long as this share is 0 or less than `near`.

    retrieved : bool (documents, systems); systems : bool (systems,)
    """
    left = systems.copy()
    count = retrieved[:, left].sum(axis=1)
    own = retrieved.sum(axis=0)
    alone = retrieved[count == 1].sum(axis=0)
    while left.any():
        share = np.where(left, alone / np.maximum(own, 1), np.inf)
        least = len(share) - 1 - int(share[::-1].argmin())
        if share[least] > 0 and share[least] >= near:
            break
        left[least] = False
        count -= retrieved[:, least]
        alone += retrieved[retrieved[:, least] & (count == 1)].sum(axis=0)
    return left


def first_of_each_group(retrieved, systems, groups):
    """Of these systems, the one of each group that contributed most documents alone, and all without a group.

    bool (systems,); the first of several. groups : (systems,), "" for none
    """
    alone = retrieved[retrieved[:, systems].sum(axis=1) == 1].sum(axis=0)
    first = systems.copy()
    for group in set(groups[systems]) - {""}:
        mine = np.flatnonzero(systems & (groups == group))
        first[mine] = mine == mine[alone[mine].argmax()]
    return first


def in_the_place_of(study, who):
    """The study if exactly these systems had contributed, with the same depth. who : bool (S,), of the whole"""
    names = np.array(study.whole.systems, object)[who]
    pooling = replace(study.pooling, doubtful=(), unsure=())
    return pool_inference.with_those(study, lambda track: np.isin(track.systems, names), pooling=pooling)
