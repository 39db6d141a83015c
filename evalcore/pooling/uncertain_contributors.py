"""The studies that the files allow, where it is inferred which systems contributed to the pool, and to which depth.

Figures of all of them are the range of a figure that rests on the pool.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from evalcore.collection import pool_inference
from evalcore.collection.shares import share
from evalcore.collection.track import EMPTY
from evalcore.study import study_pool
from evalcore.study.study import Study

IN_FULL = 0.95  # a topic of which contributors have so large a share judged may have the pool's depth, despite holes


def possible_studies(study: Study) -> Iterator[Study]:
    """The study, had each set of systems contributed that was drawn for it, with the depths that these would show.

    Every other one, and the first, which has the contributors of the study, takes topics as having the usual depth
    where nearly all documents of contributors are judged down to it. None where contributors are not inferred.
    """
    pooling, whole = study.pooling, study.whole
    if pooling.draws is None:
        return
    leads = pool_inference.leads_of(whole, study.whole_judgments)
    more = whole.pooled[pooling.draws.shape[1] :]  # systems that were fused here
    for nth, who in enumerate([whole.pooled, *(np.append(draw, more) for draw in pooling.draws)]):
        shown = pooling
        if study.options["pool_depth"] is None:
            shown = pool_inference.from_contributors(leads, who) if nth else pooling
            shown = shown if nth % 2 else _despite_holes(study, who, shown)
        names = np.array(whole.systems, object)[who]
        yield _with_pool(study, names, replace(pooling, depth=shown.depth, depth_of_topic=shown.depth_of_topic))


def _with_pool(study, names, pooling):
    return study_pool.with_those(study, lambda track: np.isin(track.systems, names), pooling=pooling)


def _despite_holes(study, who, pooling):
    """The pooling with its usual depth for topics of which nearly all is judged down to it. who : bool (S,)"""
    present = study.whole.among(study.whole.items[who, :, : pooling.depth])
    present[EMPTY] = False
    top, topics = np.flatnonzero(present), len(pooling.depth_of_topic)
    topic, judged = study.whole.topic_of_item[top], study.whole_judgments.scale.judged[study.whole_judgments.level[top]]
    in_full = share(np.bincount(topic[judged], minlength=topics), np.bincount(topic, minlength=topics)) >= IN_FULL
    return replace(pooling, depth_of_topic=np.where(in_full, pooling.depth, pooling.depth_of_topic))
