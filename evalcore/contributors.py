"""Who formed the pool and how deep, per topic, as far as runs and judgments alone can tell.

A contributing ranking is judged down to the depth of its topic's pool, and many meet their first unjudged document
right below: a *wall*. A run that did not contribute meets one early, wherever chance has it. So the wall is the rank
from which on rankings meet unjudged documents at another, higher rate; the usual depth is the wall that most topics
share; and who is judged down to it, on nearly every topic that has it, looks pooled.
"""

from dataclasses import dataclass, replace

import numpy as np

from evalcore.joining import of_topics
from evalcore.pool import first_unjudged
from evalcore.ragged import rows_of

FEWEST = 3  # systems, and topics with a wall in common, below which nothing is inferred
SHARED = 0.25  # share of the judged topics that must have it
OF_ALL, OF_SURE, DEEP = 0.1, 0.5, 10  # or of all, and of those with a sure one, where it is too deep to be chance
SURE = 10.0  # gain in log-likelihood below which a wall that no other topic has may be chance
ABOVE = 1.5  # what stands right below a pool is often judged too, for another run: so much deeper is not another depth
TENTH = 10  # one ranking in so many may fall short of a depth: documents vanish between pooling and judging
POOLED, DOUBTFUL = 0.1, 0.3  # the share of its rankings that falls short is below this for a run that looks pooled
UNSURE = 0.03  # and above this for one that may not have been pooled all the same
ROUNDS = 10
AT_ONCE = 1 << 20  # cells, topics by ranks, whose likelihoods are computed together


@dataclass(frozen=True)
class Pooling:
    """What is known of a pool.

    depth : of most topics, at least 1
    depth_of_topic : int (topics,), 0 where a topic is judged down to no depth in common
    how : "told", "found" from the files, or "assumed" where they do not show it: then everybody contributes
    doubtful : the names of those who may have contributed besides, where it is found
    unsure : the names of contributors, as found, of whose rankings more than `UNSURE` fall short
    order : in which order of the runs the pool is taken to be formed, "score" or "rank"
    depth_known : whether the depth is told, or seen; else it is that of no pool. A depth of 1 that is only seen may be
        chance
    longest : how many documents the longest contributing ranking holds, where some topics of a track are looked at
        that is not held; None = as the rankings show
    """

    depth: int
    depth_of_topic: np.ndarray
    how: str
    doubtful: tuple = ()
    unsure: tuple = ()
    order: str = "score"
    depth_known: bool = True
    longest: int | None = None

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

    def rankings(self, systems=slice(None)):
        """The topic, the lead and the length of each ranking of these systems, topic by topic. Three int (n,)."""
        system, query = np.nonzero(self.lengths[systems] > 0)
        topic = self.topic_of_query[query]
        by_topic = np.argsort(topic, kind="stable")
        cells = system[by_topic], query[by_topic]
        return topic[by_topic], self.judged[systems][cells], self.lengths[systems][cells]

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
    return leads_from(first_unjudged(track, judgments), track, judgments)


def leads_from(first, track, judgments):
    """The same. first : int (S, Q), the rank of the first unjudged document of each ranking, as `pool` has it"""
    judged_topic = judgments.count(np.ones_like(judgments.scale.judged)) > 0
    lengths = np.where(judged_topic[track.topic_of_query], track.lengths, 0)
    return Leads(np.minimum(first, lengths), lengths, track.topic_of_query, len(judged_topic))


def common_depth(judged, lengths):
    """The depth that nine in ten of these rankings are judged to, 0 of none; a list that ends earlier is not short."""
    return int(_common_depths(np.zeros(len(judged), int), judged, lengths, 1)[0])


def _common_depths(topic, judged, lengths, topics):
    """The depth that nine in ten of each topic's rankings are judged to. int (topics,), 0 where there is none"""
    longest, depths = _longest(topic, lengths, topics), np.zeros(topics, int)
    judged_to = np.where(judged < lengths, judged, longest[topic])
    judged_to = judged_to[np.lexsort((judged_to, topic))]
    count = np.bincount(topic, minlength=topics)
    there = count > 0
    depths[there] = judged_to[(np.cumsum(count) - count + count // TENTH)[there]]
    return depths


def _longest(topic, lengths, topics):
    longest = np.zeros(topics, int)
    np.maximum.at(longest, topic, lengths)
    return longest


def wall(judged, lengths):
    """The rank down to which the rankings of one topic seem to have been pooled, and the gain in log-likelihood that
    speaks for it; 0, 0.0 where nothing does. int, float

    judged : int (n,), leading judged documents of each; lengths : int (n,), its documents
    Rankings meet their first unjudged document at two rates by rank, the second higher; the rank where it begins is
    that of the highest likelihood. What is gained is over a single rate.
    """
    (at,), (gain,) = _walls(np.zeros(len(judged), int), judged, lengths, 1)
    return int(at), float(gain)


def _walls(topic, judged, lengths, topics):
    """The same of several topics, topic being that of each ranking. int, float (topics,)"""
    ranks = int(lengths.max(initial=0)) + 1

    def by_rank(chosen):
        place = topic[chosen] * ranks + judged[chosen]
        return np.bincount(place, minlength=topics * ranks).reshape(topics, ranks)

    met = by_rank(judged < lengths)
    tried = by_rank(slice(None))[:, ::-1].cumsum(axis=1)[:, ::-1]
    tried = tried - by_rank(judged == lengths)  # those that have a document at the rank
    met, tried = (np.pad(counts.cumsum(axis=1), ((0, 0), (1, 0))).astype(float) for counts in (met, tried))
    above, rate_above = _log_likelihood(met, tried)
    below, rate_below = _log_likelihood(met[:, -1:] - met, tried[:, -1:] - tried)
    gain = np.where(rate_below > rate_above, above + below - below[:, :1], 0.0)
    at = gain[:, 1:].argmax(axis=1) + 1
    best = gain[np.arange(topics), at]
    return np.where(best > 0, at, 0), np.maximum(best, 0.0)


def walls(leads, systems=slice(None)):
    """The wall of each topic, of these systems' rankings, and what speaks for it. int, float (topics,)"""
    topic, judged, lengths = leads.rankings(systems)
    at, gain = np.zeros(leads.topics, int), np.zeros(leads.topics)
    starts = np.searchsorted(topic, np.arange(leads.topics + 1))
    longest = _longest(topic, lengths, leads.topics)
    start, by_length = 0, np.argsort(-longest, kind="stable")
    while start < leads.topics and longest[by_length[start]]:
        together = by_length[start : start + max(1, AT_ONCE // (int(longest[by_length[start]]) + 1))]
        rows = rows_of(starts[together + 1] - starts[together])
        place = rows.each(starts[together]) + rows.nth - 1
        at[together], gain[together] = _walls(rows.row, judged[place], lengths[place], len(together))
        start += len(together)
    return at, gain


def _log_likelihood(met, tried):
    """Of meeting so many in so many trials, at their own rate; and that rate. Two float, of this shape."""
    rate = np.divide(met, tried, out=np.zeros(met.shape), where=tried > 0)
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
    return _sorted_out(leads, systems, missed, to_depth(Pooling(depth, np.empty(0), "found"), leads, depth))


def to_depth(pooling, leads, depth):
    """The pooling when it is known how deep the pool was (int); who formed it is as well known as before."""
    depth_of_topic = np.zeros(leads.topics, int)
    depth_of_topic[leads.judged_topics] = depth
    return replace(pooling, depth=depth, depth_of_topic=depth_of_topic, depth_known=True)


def found(leads, systems):
    """Who contributed, bool (S,), and the pooling that the files show; None where they do not show any.

    The topics with the usual wall say who is judged down to it; and who is says which other topics are as deep.
    """
    wall_of_topic, gain = walls(leads)
    depth, alike = _usual(wall_of_topic, gain >= SURE, len(leads.judged_topics))
    if not depth or len(leads.judged) < FEWEST:
        return None
    short = leads.short_of(depth)
    for _ in range(ROUNDS):
        missed = _share(short, (leads.lengths > 0) & alike[leads.topic_of_query])
        contributes, before = missed < POOLED, alike
        own = _depths(leads, contributes)
        alike = own >= depth
        if (alike == before).all():
            break
    in_common = np.where(alike | (_close(wall_of_topic, own) & (gain >= SURE)), own, 0)
    in_common[_close(own, depth)] = depth
    if not in_common.any():
        return None
    return _sorted_out(leads, systems, missed, Pooling(*_common(in_common, 0), "found"))


def _sorted_out(leads, systems, missed, pooling):
    """Who contributed, bool (S,), and the pooling with those in doubt named; None where nobody did. missed : float
    (S,), the share of each system's rankings that falls short"""
    ends = ranks_judged_alone(leads, pooling.depth_of_topic)
    contributes = (missed < POOLED) & ~ends
    if not contributes.any():
        return None
    doubtful = [systems[s] for s in np.flatnonzero((missed < DOUBTFUL) & ~contributes)]
    unsure = [systems[s] for s in np.flatnonzero((missed > UNSURE) & contributes)]
    return contributes, replace(pooling, doubtful=tuple(doubtful), unsure=tuple(unsure))


def ranks_judged_alone(leads, depth_of_topic):
    """Which systems rank nothing but judged documents, far below the pool: made of the judgments, and not before them.
    bool (S,). At least `FEWEST` rankings that go on below the pool have to be judged to their end, and nine in ten."""
    depths = depth_of_topic[leads.topic_of_query]
    long = (depths > 0) & (leads.lengths > ABOVE * depths)
    ended = _share(leads.judged == leads.lengths, long)
    return (long.sum(axis=1) >= FEWEST) & (ended >= 1 - POOLED)


def _usual(wall_of_topic, sure, topics):
    """The usual wall, 0 where there is none, and the topics (bool) that have it or a sure one near it."""
    some = wall_of_topic > 1
    sure = sure & some
    depth, shared_by = _most_common(wall_of_topic[some])
    surest, shared_by_sure = _most_common(wall_of_topic[sure])
    near = _close(wall_of_topic, surest) & sure
    few = max(OF_ALL * topics, OF_SURE * np.count_nonzero(sure)) if surest >= DEEP else SHARED * topics
    if shared_by_sure >= FEWEST and np.count_nonzero(near) >= few:
        by_chance = 2 * np.count_nonzero(wall_of_topic[sure] == depth) < shared_by
        if by_chance or shared_by < SHARED * topics:
            return surest, near
    if shared_by < max(FEWEST, SHARED * topics):
        return 0, some
    return depth, _close(wall_of_topic, depth) & (sure if shared_by_sure >= FEWEST else some)


def _close(deeper, depth):
    """Where one depth is the other, but for what is judged right below by chance."""
    return (depth <= deeper) & (deeper <= ABOVE * depth)


def _share(some, of):
    """The share of each row; 1 of nothing. float (S,)"""
    total = of.sum(axis=1)
    return np.divide((some & of).sum(axis=1), total, out=np.ones(len(of)), where=total > 0)


def short_of_pool(leads, pooling):
    """The share of each system's rankings, on the topics that show the pool's depth, that meet an unjudged document
    above it. float (S,)"""
    alike = pooling.depth_of_topic >= pooling.depth
    return _share(leads.short_of(pooling.depth), (leads.lengths > 0) & alike[leads.topic_of_query])


def _depths(leads, contributes):
    """By topic, the depth that the contributing rankings have in common. int (topics,), 0 where there is none."""
    return _common_depths(*leads.rankings(contributes), leads.topics)


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

FEW = 10  # judgments below which it may be chance that all are relevant


def relevant_only(judgments):
    """Whether no document is judged not relevant. Then who was pooled, and how deep, cannot be seen: what was judged
    and rejected looks like what nobody judged."""
    level, scale = judgments.level, judgments.scale
    return np.count_nonzero(scale.judged[level]) == np.count_nonzero(scale.relevant[level]) >= FEW


def why_not_shown(judgments):
    """Why the files do not show who contributed, in words."""
    if relevant_only(judgments):
        return "the qrels contain only relevant documents"
    return "no rank separates contributing systems from the others"


def in_pool(study):
    """Which items a contributing run has within the depth of its topic's pool. bool (N,)."""
    return study.pool_rank < study.pooling.depth_of_topic[study.whole.topic_of_item]


@of_topics()
def pool_sizes(study):
    """How many documents each topic's pool holds, judged or not. int (T,)."""
    return np.bincount(study.track.topic_of_item[in_pool(study)], minlength=len(study.track.topics))


def unexplained(study, depth=None):
    """The share of the judgments looked at that are of documents outside the pool: judged for others' runs, in other
    rounds, or as a sample. Of topics whose pool's depth is known; where it is of none, down to a depth that is given.
    NaN where nothing is judged there."""
    depths = study.pooling.depth_of_topic if study.pooling.depth_known else np.zeros_like(study.pooling.depth_of_topic)
    if not study.pooling.depth_known and depth is not None:
        depths = np.full_like(depths, depth)
    deep = depths[study.whole.topic_of_item]
    judged = study.judgments.scale.judged[study.judgments.level] & (deep > 0)
    total = np.count_nonzero(judged)
    return np.count_nonzero(judged & (study.pool_rank >= deep)) / total if total else np.nan


def depth_of_system(study):
    """The depth that nine in ten of each system's rankings are judged to, of topics whose pool's depth is known. int
    (S,)"""
    return study.leads.depth_of_system(study.pooling.depth_of_topic > 0)


def with_those(study, who, **more):
    """The study, had others contributed, with more of its fields changed. What does not hang on that is kept.

    who : a function of a track, which of its systems did. bool (S,)
    """
    whole, track = (replace(one, pooled=who(one)) for one in (study.whole, study.track))
    other = replace(study, whole=whole, track=track, **more)
    other.memo.owners = study.memo.owners
    vars(other).update({name: vars(study)[name] for name in ("places", "counted") if name in vars(study)})
    return other
