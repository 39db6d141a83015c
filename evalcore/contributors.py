"""Who formed the pool and how deep, per topic, as far as runs and judgments alone can tell.

A contributing ranking is judged down to the depth of its topic's pool, and many meet their first unjudged document
right below: a *wall*. A run that did not contribute meets one early, wherever chance has it. So the wall is the rank
from which on rankings meet unjudged documents at another, higher rate; the usual depth is the wall that most topics
share; and who is judged down to it, on nearly every topic that has it, looks pooled.
"""

from dataclasses import dataclass, replace

import numpy as np

from evalcore.pool import first_unjudged

FEWEST = 3  # systems, and topics with a wall in common, below which nothing is inferred
SHARED = 0.25  # share of the judged topics that must have it
SURE = 10.0  # gain in log-likelihood below which a wall that no other topic has may be chance
ABOVE = 1.5  # what stands right below a pool is often judged too, for another run: so much deeper is not another depth
TENTH = 10  # one ranking in so many may fall short of a depth: documents vanish between pooling and judging
POOLED, DOUBTFUL = 0.1, 0.3  # the share of its rankings that falls short is below this for a run that looks pooled
ROUNDS = 10


@dataclass(frozen=True)
class Pooling:
    """What is known of a pool.

    depth : of most topics, at least 1
    depth_of_topic : int (topics,), 0 where a topic is judged down to no depth in common
    how : "told", "found" from the files, or "assumed" where they do not show it: then everybody contributes
    doubtful : the names of those who may have contributed besides, where it is found
    depth_known : whether the depth is told, or seen; else it is that of no pool. A depth of 1 that is only seen may be
        chance
    """

    depth: int
    depth_of_topic: np.ndarray
    how: str
    doubtful: tuple = ()
    depth_known: bool = True

    @property
    def known(self):
        """Whether both are: who formed the pool, and how deep."""
        return self.how != "assumed" and self.depth_known


@dataclass(frozen=True)
class Leads:
    """How many documents at the top of each ranking are judged, before the first that is not.

    judged : int (S, Q); lengths : int (S, Q), 0 for a ranking that is not there or whose topic is not judged
    topic_of_query : int (Q,); topics : how many there are
    """

    judged: np.ndarray
    lengths: np.ndarray
    topic_of_query: np.ndarray
    topics: int

    @property
    def judged_topics(self):
        return np.unique(self.topic_of_query[(self.lengths > 0).any(axis=0)])

    def of_topic(self, topic, systems=slice(None)):
        """The leads and the lengths of a topic's rankings. Two int (n,)."""
        queries = self.topic_of_query == topic
        judged, lengths = self.judged[systems][:, queries], self.lengths[systems][:, queries]
        return judged[lengths > 0], lengths[lengths > 0]

    def short_of(self, depth):
        """Which rankings meet an unjudged document above a depth; a list that ends does not. bool (S, Q)."""
        return (self.judged < depth) & (self.judged < self.lengths)

    def depth_of_system(self, topics):
        """The depth that nine in ten of each system's rankings of these topics (bool) are judged to. int (S,)."""
        here = topics[self.topic_of_query]
        return np.array([
            common_depth(judged[here & (lengths > 0)], lengths[here & (lengths > 0)])
            for judged, lengths in zip(self.judged, self.lengths, strict=True)
        ], int)  # fmt: skip


def leads_of(track, judgments):
    """The judged top of every ranking. -> `Leads`"""
    judged_topic = judgments.count(np.ones_like(judgments.scale.judged)) > 0
    lengths = np.where(judged_topic[track.topic_of_query], track.lengths, 0)
    judged = np.minimum(first_unjudged(track, judgments), lengths)
    return Leads(judged, lengths, track.topic_of_query, len(judged_topic))


def common_depth(judged, lengths):
    """The depth that nine in ten of these rankings are judged to, 0 of none; a list that ends earlier is not short."""
    if not len(judged):
        return 0
    judged_to = np.where(judged < lengths, judged, lengths.max())
    return int(np.sort(judged_to)[len(judged_to) // TENTH])


def wall(judged, lengths):
    """The rank down to which the rankings of one topic seem to have been pooled, and the gain in log-likelihood that
    speaks for it; 0, 0.0 where nothing does. int, float

    judged : int (n,), leading judged documents of each; lengths : int (n,), its documents
    Rankings meet their first unjudged document at two rates by rank, the second higher; the rank where it begins is
    that of the highest likelihood. What is gained is over a single rate.
    """
    ranks = int(lengths.max(initial=0)) + 1
    met = np.bincount(judged[judged < lengths], minlength=ranks)
    reached = np.bincount(judged, minlength=ranks)[::-1].cumsum()[::-1]
    tried = reached - np.bincount(judged[judged == lengths], minlength=ranks)  # those that have a document at the rank
    met_above, tried_above = (np.concatenate([[0], np.cumsum(counts)]).astype(float) for counts in (met, tried))
    above, rate_above = _log_likelihood(met_above, tried_above)
    below, rate_below = _log_likelihood(met_above[-1] - met_above, tried_above[-1] - tried_above)
    gain = np.where(rate_below > rate_above, above + below - below[0], 0.0)
    at = int(gain[1:].argmax()) + 1
    return (at, float(gain[at])) if gain[at] > 0 else (0, 0.0)


def walls(leads, systems=slice(None)):
    """The wall of each topic, of these systems' rankings, and what speaks for it. int, float (topics,)"""
    at, gain = np.zeros(leads.topics, int), np.zeros(leads.topics)
    for topic in leads.judged_topics:
        at[topic], gain[topic] = wall(*leads.of_topic(topic, systems))
    return at, gain


def _log_likelihood(met, tried):
    """Of meeting so many in so many trials, at their own rate; and that rate. Two float (n,)."""
    rate = np.divide(met, tried, out=np.zeros(len(met)), where=tried > 0)
    rest = 1 - rate
    certain = (rate == 0) | (rest == 0)
    terms = met * np.log(np.where(certain, 1, rate)) + (tried - met) * np.log(np.where(certain, 1, rest))
    return terms, rate


def told(leads, contributes):
    """The pooling when it is known who contributed (bool (S,)): as deep, in most topics, as they are judged, and so in
    all but those that show another wall."""
    own = _depths(leads, contributes)
    common, _ = _most_common(own[own > 0])
    wall_of_topic, gain = walls(leads, contributes)
    shown = _close(wall_of_topic, own) & (gain >= SURE)
    depth = max(1, common)
    return Pooling(*_common(np.where(shown, own, depth), depth), "told", depth_known=common > 1)


def assumed(leads):
    """The pooling when nothing is known: everybody contributed."""
    return replace(told(leads, np.ones(len(leads.judged), bool)), how="assumed", depth_known=False)


def judged_down_to(leads, depth, systems):
    """Who contributed, bool (S,), and the pooling, when it is known how deep the pool was (int) and the files show
    nothing more: those that are judged so far down; None where nobody is, or the depth is not known (None)."""
    if depth is None:
        return None
    missed = _share(leads.short_of(depth), leads.lengths > 0)
    if not (missed < POOLED).any():
        return None
    doubtful = [systems[s] for s in np.flatnonzero((missed >= POOLED) & (missed < DOUBTFUL))]
    return missed < POOLED, to_depth(Pooling(depth, np.empty(0), "found", tuple(doubtful)), leads, depth)


def to_depth(pooling, leads, depth):
    """The pooling when it is known how deep the pool was (int); who formed it is as well known as before."""
    depth_of_topic = np.zeros(leads.topics, int)
    depth_of_topic[leads.judged_topics] = depth
    return replace(pooling, depth=depth, depth_of_topic=depth_of_topic, depth_known=True)


def found(leads, systems):
    """Who contributed, bool (S,), and the pooling that the files show; None where they do not show any.

    The topics with the usual wall say who is judged down to it; and who is says which other topics are as deep.
    """
    judged_topics = leads.judged_topics
    wall_of_topic, gain = walls(leads)
    depth, shared_by = _most_common(wall_of_topic[wall_of_topic > 1])
    if min(len(leads.judged), shared_by) < FEWEST or shared_by < SHARED * len(judged_topics):
        return None
    short = leads.short_of(depth)
    alike = _close(wall_of_topic, depth)
    for _ in range(ROUNDS):
        missed = _share(short, (leads.lengths > 0) & alike[leads.topic_of_query])
        contributes, before = missed < POOLED, alike
        own = _depths(leads, contributes)
        alike = own >= depth
        if (alike == before).all():
            break
    if not contributes.any():
        return None
    in_common = np.where(alike | (_close(wall_of_topic, own) & (gain >= SURE)), own, 0)
    doubtful = [systems[s] for s in np.flatnonzero((missed < DOUBTFUL) & ~contributes)]
    return contributes, Pooling(*_common(in_common, 0), "found", tuple(doubtful))


def _close(deeper, depth):
    """Where one depth is the other, but for what is judged right below by chance."""
    return (depth <= deeper) & (deeper <= ABOVE * depth)


def _share(some, of):
    """The share of each row; 1 of nothing. float (S,)"""
    total = of.sum(axis=1)
    return np.divide((some & of).sum(axis=1), total, out=np.ones(len(of)), where=total > 0)


def _depths(leads, contributes):
    """By topic, the depth that the contributing rankings have in common. int (topics,), 0 where there is none."""
    depths = np.zeros(leads.topics, int)
    for topic in leads.judged_topics:
        depths[topic] = common_depth(*leads.of_topic(topic, contributes))
    return depths


def _most_common(depths):
    """The depth that occurs most often, the shallowest of several, and how often. 0, 0 of none."""
    values, counts = np.unique(depths, return_counts=True)
    return (int(values[counts.argmax()]), int(counts.max())) if len(depths) else (0, 0)


def _common(depth_of_topic, otherwise):
    """The usual depth, and that of each topic: what is a little above a more common one is that one, and what few
    topics have is no depth of a pool, but `otherwise`."""
    left, depths = depth_of_topic > 0, depth_of_topic.copy()
    depth = max(1, _most_common(depths[left])[0])
    while left.any():
        common, _ = _most_common(depth_of_topic[left])
        near = left & _close(depth_of_topic, common)
        shared = common == depth or np.count_nonzero(near) >= FEWEST
        depths[near], left = common if shared else otherwise, left & ~near
    return depth, depths


# ---------------------------------------------------------------------------------------------------------------------
# What comes of it in a study


def in_pool(study):
    """Which items a contributing run has within the depth of its topic's pool. bool (N,)."""
    return study.pool_rank < study.pooling.depth_of_topic[study.whole.topic_of_item]


def unexplained(study):
    """The share of the judgments looked at that are of documents outside the pool: judged for others' runs, in other
    rounds, or as a sample. NaN where nothing is judged."""
    judged = study.judgments.scale.judged[study.judgments.level]
    total = np.count_nonzero(judged)
    return np.count_nonzero(judged & ~in_pool(study)) / total if total else np.nan


def depth_of_system(study):
    """The depth that nine in ten of each system's rankings are judged to, of topics whose pool's depth is known. int
    (S,)"""
    return study.leads.depth_of_system(study.pooling.depth_of_topic > 0)


def with_doubtful(study):
    """The study, had those who may have contributed done so: to see what hangs on it. Its depth stays what it was."""
    may = study.pooling.doubtful
    whole, track = (replace(one, pooled=one.pooled | np.isin(one.systems, may)) for one in (study.whole, study.track))
    return replace(study, whole=whole, track=track, pooling=replace(study.pooling, doubtful=()))
