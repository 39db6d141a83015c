"""In which order of the runs a pool was formed: by score or by the rank column, whichever fits the judgments better."""

from dataclasses import dataclass, replace

import numpy as np

from evalcore.joining import sums
from evalcore.reading.loading import Finding
from evalcore.sentences import digits
from evalcore.track import EMPTY

ORDERS = ("score", "rank")
CHECK = "order of the pool"
WORDS = {"score": "the order of scores", "rank": "the rank column"}


@dataclass(frozen=True)
class Fit:
    """How well an order of the runs fits a pool.

    depth : down to which rank it is looked at, the same for both orders
    full : how many systems are judged in full down to it, on the topics that show such a depth
    holes : how many documents there are not judged, of those whom this order takes as contributing
    """

    depth: int
    full: int
    holes: int

    @property
    def better(self):
        """What is larger of the order that fits better."""
        return self.full, -self.holes


def fits(each):
    """How well each order fits. A dict, by order, of `Fit`; empty where neither shows how deep the pool is.

    each : by order, the study with the pool that this order shows, and the `Leads` of its rankings
    """
    poolings = [study.pooling for study, _ in each.values() if study.pooling.known]
    if not poolings:
        return {}
    depth = max(pooling.depth for pooling in poolings)
    topics = np.any([pooling.depth_of_topic >= depth for pooling in poolings], axis=0)
    depths = np.where(topics, depth, 0)
    found = {}
    for order, (study, leads) in each.items():
        there = topics[leads.topic_of_query] & (leads.lengths > 0)
        full = there.any(axis=1) & ~(leads.short_of(depth) & there).any(axis=1)
        holes = _holes(replace(study, pooling=replace(study.pooling, depth_of_topic=depths)))
        found[order] = Fit(depth, int(full.sum()), int(holes))
    return found


@sums
def _holes(study):
    """How many documents the contributing systems have in the pool that are not judged."""
    whole, judgments, depth = study.whole, study.whole_judgments, study.pooling.depth_of_topic
    top = whole.items[whole.pooled][:, :, : depth.max(initial=0)]
    inside = np.arange(top.shape[2]) < depth[whole.topic_of_query][:, None]
    hole = ~judgments.scale.judged[judgments.level[top]] & (top != EMPTY) & inside
    return np.array(len(np.unique(top[hole])))


def better(fits, own):
    """The order that fits better; the own one where both fit alike, or neither is known to."""
    other = next(order for order in ORDERS if order != own)
    return other if fits and fits[other].better > fits[own].better else own


def finding(fits, order, own, systems):
    """Which order fits better and by how much; a warning where it is not that in which the systems are ranked. A tuple,
    empty where both fit alike. order, own : of the pool, and of the rankings; systems : how many there are"""
    other = next(one for one in ORDERS if one != order)
    if not fits or fits[order] == fits[other]:
        return ()
    best, worse = fits[order], fits[other]
    message = (
        f"The pool fits {WORDS[order]} better: {best.full} of {digits(systems, 'system')} are judged in full to rank "
        f"{best.depth}, with {digits(best.holes, 'hole')} in those taken as contributing; by {WORDS[other]}, "
        f"{worse.full} are, with {digits(worse.holes, 'hole')}. "
    )
    if order == own:
        return (Finding("note", CHECK, "", "", 1, f"{message}Runs are ranked in this order, too."),)
    message += (
        f"Who contributed, how deep the pool is and pool ranks follow {WORDS[order]}; scores follow {WORDS[own]}. If "
        "systems were meant to be ranked as they were pooled, change the order of a run."
    )
    return (Finding("warning", CHECK, "", "", 1, message),)
