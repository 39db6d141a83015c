"""Whether a pool was formed from runs ordered by score or by rank: whichever fits the judgments better."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from evalcore.collection.pool_inference import Leads
from evalcore.collection.track import EMPTY
from evalcore.reading import files
from evalcore.reading.loading import Finding
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import number

ORDERS = ("score", "rank")
CHECK = "order of the pool"
MORE_FULL, TENTH = 3, 0.1  # by so many systems, and such a share of them, an order is clearly better
FEWER_HOLES, HALF = 10, 0.5  # or by so many holes
WORDS = {"score": "the order of scores", "rank": "the rank column"}


@dataclass(frozen=True)
class Fit:
    """How well an order of the runs fits a pool.

    depth : the rank to which both orders are compared
    full : how many systems are fully judged to this depth, on the topics that show such a depth
    holes : how many documents above it are unjudged, of the systems that contribute according to this order
    """

    depth: int
    full: int
    holes: int

    def better(self, other: Fit) -> bool:
        """Whether this order fits better than another one: clearly by one count, and no worse by the other."""
        more, fewer = self.full - other.full, other.holes - self.holes
        clearly = more >= max(MORE_FULL, TENTH * other.full) or fewer >= max(FEWER_HOLES, HALF * other.holes)
        return min(more, fewer) >= 0 and clearly


def fits(each: dict[str, tuple[Study, Leads]]) -> dict[str, Fit]:
    """The `Fit` of each order, a dict; empty where neither shows the depth of the pool.

    each : by order, the study with the pool that this order shows, and the `Leads` of its rankings
    """
    poolings = [study.pooling for study, _ in each.values() if study.pooling.known]
    if not poolings:
        return {}
    depth = max(pooling.depth for pooling in poolings)
    topics = np.any([pooling.depth_of_topic >= depth for pooling in poolings], axis=0)
    depths = np.where(topics, depth, 0)
    fit = {}
    for order, (study, leads) in each.items():
        ranked = topics[leads.topic_of_query] & (leads.lengths > 0)
        full = ranked.any(axis=1) & ~(leads.short_of(depth) & ranked).any(axis=1)
        holes = _holes(replace(study, pooling=replace(study.pooling, depth_of_topic=depths)))
        fit[order] = Fit(depth, int(full.sum()), int(holes))
    return fit


def _holes(study):
    """How many documents of the contributing systems are in the pool but unjudged."""
    whole, judgments, depth = study.whole, study.whole_judgments, study.pooling.depth_of_topic
    top = whole.items[whole.pooled, :, : depth.max(initial=0)]
    inside = np.arange(top.shape[2]) < depth[whole.topic_of_query][:, None]
    hole = ~judgments.scale.judged[judgments.level[top]] & (top != EMPTY) & inside
    return len(np.unique(top[hole]))


def better(fits: dict[str, Fit], own: str) -> str:
    """The order that fits better; `own` where both fit equally well, or neither is known."""
    other = next(order for order in ORDERS if order != own)
    return other if fits and fits[other].better(fits[own]) else own


def finding(fits: dict[str, Fit], order: str, own: str, systems: int) -> tuple[files.Finding, ...]:
    """A note on the order that fits better, and on what to do if systems are ranked in the other. () for a tie.

    order, own : the order of the pool, and of the rankings; systems : how many there are
    """
    other = next(name for name in ORDERS if name != order)
    if not fits or not fits[order].better(fits[other]):
        return ()
    best, worse = fits[order], fits[other]
    message = (
        f"The judgments fit {WORDS[order]} better than {WORDS[other]}: by the former, {best.full} of {systems} systems "
        f"are fully judged to rank {best.depth}, with {number(best.holes)} unjudged documents in the pool; by the "
        f"latter, {worse.full}, with {number(worse.holes)}. "
    )
    if order == own:
        return (Finding("note", CHECK, "", "", 1, f"{message}Runs are scored by the former as well."),)
    message += (
        f"The pool is therefore assumed to follow {WORDS[order]}, but scores follow {WORDS[own]}. To score runs as "
        "they were pooled, change the order of a run."
    )
    return (Finding("note", CHECK, "", "", 1, message),)
