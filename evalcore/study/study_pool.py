"""The pool of a study: its size, what was judged outside of it, other contributing systems, and another order of
judging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.cache import inherit
from evalcore.study.study_data import SomeStudy, StudyData


def contributing(study: StudyData) -> tuple[int, int]:
    """How many systems of the whole track count as contributing to the pool, and how many systems there are."""
    return int(np.count_nonzero(study.whole.pooled)), len(study.whole.pooled)


def in_pool(study: StudyData) -> NDArray[np.bool_]:
    """Whether each item is in a contributing run above the pool depth of its topic. bool (N,)"""
    return study.pool_rank < study.pooling.depth_of_topic[study.whole.topic_of_item]


def pool_sizes(study: StudyData) -> NDArray[np.intp]:
    """The number of documents in each topic's pool, judged or not. int (T,)"""
    return np.bincount(study.track.topic_of_item[in_pool(study)], minlength=len(study.track.topics))


def unexplained(study: StudyData, depth: int | None = None) -> float:
    """The share of judgments that are of documents outside the pool: judged for other runs, other rounds, or a sample.

    Of topics with a known pool depth; if no topic has one, `depth` is used. NaN where nothing is judged.
    """
    depths = study.pooling.depth_of_topic if study.pooling.depth_known else np.zeros_like(study.pooling.depth_of_topic)
    if not study.pooling.depth_known and depth is not None:
        depths = np.full_like(depths, depth)
    deep = depths[study.whole.topic_of_item]
    judged = study.judgments.scale.judged[study.judgments.level] & (deep > 0)
    total = np.count_nonzero(judged)
    return np.count_nonzero(judged & (study.pool_rank >= deep)) / total if total else np.nan


def depth_of_system(study: StudyData) -> NDArray[np.intp]:
    """The depth to which nine in ten of each system's rankings are judged, on topics of known depth. int (S,)"""
    return study.leads.depth_of_system(study.pooling.depth_of_topic > 0)


def with_those(study: SomeStudy, who: Callable[..., Any], **more: Any) -> SomeStudy:
    """The study with other contributing systems, and with more of its fields changed.

    who : a function of a track: which of its systems contributed, bool (S,)
    Cached values that do not depend on this are reused.
    """
    whole, track = (replace(old, pooled=who(old)) for old in (study.whole, study.track))
    other = replace(study, whole=whole, track=track, **more)
    other.memo.owners = study.memo.owners
    vars(other).update(
        {name: vars(study)[name] for name in ("judged_topics", "places", "counted") if name in vars(study)}
    )
    return other


def with_order(study: SomeStudy, seed: int) -> SomeStudy:
    """The study with another draw of the order of judging by number (METHODS 2.6); 0 is the order of all pages.

    For numbers over several orders: scripts and files of a study do not contain the seed. What does not depend on the
    order is reused. Everything by number of judgments is computed again, so no cache of scores is shared.
    """
    other = replace(study, order_seed=seed)
    other.memo.pools = study.memo.pools
    return inherit(other, study, ("judged_topics", "pool_rank", "places", "counted"))
