"""Which systems contributed to the pool, and the pool depth of each topic, inferred from runs and judgments.

A contributing ranking is judged down to the depth of its topic's pool, and many have their first unjudged document
right below: a *wall*. A run that did not contribute has one early, by chance. So the wall is the rank from which
rankings have unjudged documents at a higher rate; the usual depth is the wall that most topics share; and a system
that is judged down to it, on nearly every topic that has it, looks pooled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judgments import Judgments
from evalcore.collection.pool import first_unjudged
from evalcore.collection.ragged import rows_of
from evalcore.collection.shares import share
from evalcore.collection.track import Track

FEWEST = 3  # systems, and topics with a wall in common, below which nothing is inferred
SHARED = 0.25  # share of the judged topics that must have it
OF_ALL, OF_SURE, DEEP = 0.1, 0.5, 10  # or of all, and of those with a sure one, where it is too deep to be chance
SURE = 10.0  # gain in log-likelihood below which a wall that no other topic has may be chance
ABOVE = 1.5  # documents right below a pool are often judged too, for another run: so much deeper is the same depth
TENTH = 10  # one ranking in so many may fall short of a depth: documents vanish between pooling and judging
POOLED, DOUBTFUL = 0.1, 0.3  # the share of its rankings that falls short is below this for a run that looks pooled
ROUNDS = 10
AT_ONCE = 1 << 20  # cells, topics by ranks, whose likelihoods are computed together


@dataclass(frozen=True)
class Pooling:
    """The depth of a pool, and how its contributing systems are known.

    depth : of most topics, at least 1
    depth_of_topic : int (topics,), 0 where the systems are judged to no common depth
    how : "named" by the user, "inferred" from the files, or "assumed" where they do not show it: then all contribute
    doubtful : the names of other systems that may have contributed, where `how` is "inferred"
    probability, draws : that each system contributed, float (S,), and sets of contributors drawn with it, bool (n, S);
        None where the systems are not inferred, see `contributor_draws`
    order : the order of the runs from which the pool is assumed to be formed, "score" or "rank"
    depth_known : whether the depth is given or visible in the files. A visible depth of 1 may be chance
    longest : the length of the longest contributing ranking, for a block of topics without its rankings; None = as the
        rankings show
    """

    depth: int
    depth_of_topic: NDArray[np.intp]
    how: str
    doubtful: tuple[str, ...] = ()
    probability: NDArray[np.float64] | None = None
    draws: NDArray[np.bool_] | None = None
    order: str = "score"
    depth_known: bool = True
    longest: int | None = None

    @property
    def known(self) -> bool:
        """Whether both the contributing systems and the depth are known."""
        return self.how != "assumed" and self.depth_known

    def without(self, systems: NDArray[np.bool_]) -> Pooling:
        """The same if these systems (bool (S,)) did not contribute."""
        if self.draws is None or self.probability is None:
            return self
        chosen = systems[: len(self.probability)]
        return replace(self, probability=np.where(chosen, 0.0, self.probability), draws=self.draws & ~chosen)


@dataclass(frozen=True)
class Leads:
    """How many documents at the top of each ranking are judged, before the first that is not.

    judged : int (S, Q); lengths : int (S, Q), 0 for a missing ranking or an unjudged topic
    topic_of_query : int (Q,); topics : how many there are
    """

    judged: NDArray[np.int32]
    lengths: NDArray[np.int32]
    topic_of_query: NDArray[np.int32]
    topics: int

    @property
    def judged_topics(self) -> NDArray[np.int32]:
        return np.unique(self.topic_of_query[(self.lengths > 0).any(axis=0)])

    def only(self, systems: NDArray[np.intp]) -> Leads:
        """The same of these systems (indices)."""
        return replace(self, judged=self.judged[systems], lengths=self.lengths[systems])

    def rankings(
        self, systems: slice | NDArray[np.bool_] = slice(None)
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """The topic, the lead and the length of each ranking of these systems, topic by topic. Three int (n,)."""
        system, query = np.nonzero(self.lengths[systems] > 0)
        topic = self.topic_of_query[query]
        by_topic = np.argsort(topic, kind="stable")
        cells = system[by_topic], query[by_topic]
        return topic[by_topic], self.judged[systems][cells], self.lengths[systems][cells]

    def short_of(self, depth: int) -> NDArray[np.bool_]:
        """Whether each ranking has an unjudged document above a depth; a shorter ranking need not. bool (S, Q)."""
        return (self.judged < depth) & (self.judged < self.lengths)

    def depth_of_system(self, topics: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The depth that nine in ten of each system's rankings of these topics (bool) are judged to. int (S,)."""
        here = topics[self.topic_of_query]
        return np.array([
            common_depth(judged[here & (lengths > 0)], lengths[here & (lengths > 0)])
            for judged, lengths in zip(self.judged, self.lengths, strict=True)
        ], int)  # fmt: skip


def leads_of(track: Track, judgments: Judgments) -> Leads:
    """The judged top of every ranking. -> `Leads`"""
    judged_topic = judgments.count(np.ones_like(judgments.scale.judged)) > 0
    lengths = np.where(judged_topic[track.topic_of_query], track.lengths, 0)
    return Leads(
        np.minimum(first_unjudged(track, judgments), lengths), lengths, track.topic_of_query, len(judged_topic)
    )


def common_depth(judged: NDArray[np.integer], lengths: NDArray[np.integer]) -> int:
    """The depth to which nine in ten of these rankings are judged, 0 for none; a ranking may end earlier."""
    return int(_common_depths(np.zeros(len(judged), int), judged, lengths, 1)[0])


def _common_depths(topic, judged, lengths, topics):
    """The depth that nine in ten of each topic's rankings are judged to. int (topics,), 0 where there is none"""
    longest, depths = _longest(topic, lengths, topics), np.zeros(topics, int)
    judged_to = np.where(judged < lengths, judged, longest[topic])
    judged_to = judged_to[np.lexsort((judged_to, topic))]
    count = np.bincount(topic, minlength=topics)
    present = count > 0
    depths[present] = judged_to[(np.cumsum(count) - count + count // TENTH)[present]]
    return depths


def _longest(topic, lengths, topics):
    longest = np.zeros(topics, int)
    np.maximum.at(longest, topic, lengths)
    return longest


def _walls(topic, judged, lengths, topics):
    """The rank to which the rankings of each topic seem to have been pooled, and its gain in log-likelihood.

    int, float (topics,); 0 and 0.0 where no rank is supported.

    topic : int (n,), that of each ranking; judged : int (n,), its leading judged documents; lengths : int (n,), its
        documents
    Rankings have their first unjudged document at two rates by rank, the second higher; the rank where it begins
    maximises the likelihood. The gain is over a single rate.
    """
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


def walls(
    leads: Leads, systems: slice | NDArray[np.bool_] = slice(None)
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The wall of each topic in these systems' rankings, and its gain in log-likelihood. int, float (topics,)"""
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
    """The log-likelihood of so many events in so many trials, at their own rate; and that rate. Two float arrays"""
    rate = share(met, tried)
    rest = 1 - rate
    certain = (rate == 0) | (rest == 0)
    terms = met * np.log(np.where(certain, 1, rate)) + (tried - met) * np.log(np.where(certain, 1, rest))
    return terms, rate


def from_contributors(leads: Leads, contributes: NDArray[np.bool_]) -> Pooling:
    """The `Pooling` when the contributing systems (bool (S,)) are known.

    The depth is that to which most topics are judged; it applies to all topics that are judged to it and show no other
    wall. A topic that is judged a little less deep has its own depth, any other one an unknown one.
    """
    own = _depths(leads, contributes)
    common, _ = _most_common(own[own > 0])
    depth = max(1, common)
    wall_of_topic, gain = walls(leads, contributes)
    shown = _close(wall_of_topic, own) & (gain >= SURE)
    usual = np.where(own < depth, np.where(_close(depth, own), own, 0), depth)
    depth, depths = _common(np.where(shown, own, usual), 0)
    return Pooling(depth, np.where(depths, depths, usual), "named", depth_known=common > 1)


def assuming_all(leads: Leads) -> Pooling:
    """The `Pooling` when nothing is known: all systems contributed."""
    return replace(from_contributors(leads, np.ones(len(leads.judged), bool)), how="assumed", depth_known=False)


def judged_down_to(leads: Leads, depth: int | None, systems: Sequence[str]) -> tuple[NDArray[np.bool_], Pooling] | None:
    """The contributing systems (bool (S,)) and the `Pooling` for a depth that the user names: those judged down to it.

    None where no system is, or where the depth is None.
    """
    if depth is None:
        return None
    missed = _share(leads.short_of(depth), leads.lengths > 0)
    return _sorted_out(leads, systems, missed, to_depth(Pooling(depth, np.empty(0, int), "inferred"), leads, depth))


def to_depth(pooling: Pooling, leads: Leads, depth: int) -> Pooling:
    """The `Pooling` with this depth (int) for every topic, and the contributing systems unchanged."""
    depth_of_topic = np.zeros(leads.topics, int)
    depth_of_topic[leads.judged_topics] = depth
    return replace(pooling, depth=depth, depth_of_topic=depth_of_topic, depth_known=True)


def from_files(leads: Leads, systems: Sequence[str]) -> tuple[NDArray[np.bool_], Pooling] | None:
    """The contributing systems, bool (S,), and the `Pooling` that the files show; None where they show none.

    The topics with the usual wall show which systems are judged to it, and these show which other topics are as deep.
    """
    wall_of_topic, gain = walls(leads)
    depth, alike = _usual(wall_of_topic, gain >= SURE, len(leads.judged_topics))
    if not depth or len(leads.judged) < FEWEST:
        return None
    shallow, (deeper, shared_by) = depth, _most_common(wall_of_topic[(wall_of_topic > ABOVE * depth) & (gain >= SURE)])
    if shared_by >= max(FEWEST, SHARED * len(leads.judged_topics)):
        depth, alike = deeper, _close(wall_of_topic, deeper) & (gain >= SURE)
    short = leads.short_of(depth)
    for _ in range(ROUNDS):
        missed = _share(short, (leads.lengths > 0) & alike[leads.topic_of_query])
        contributes, before = missed < POOLED, alike
        own = _depths(leads, contributes)
        alike = own >= depth
        if (alike == before).all():
            break
    in_common = np.where(alike | (_close(wall_of_topic, own) & (gain >= SURE)), own, 0)
    for usual in (shallow, depth):
        in_common[_close(own, usual)] = usual
    if not in_common.any():
        return None
    return _sorted_out(leads, systems, missed, Pooling(*_common(in_common, 0), "inferred"))


def _sorted_out(leads, systems, missed, pooling):
    """The contributing systems, bool (S,), and the `Pooling` with the doubtful ones named; None where none contributed.

    missed : float (S,), the share of each system's rankings that are judged less deep
    """
    ends = ranks_judged_alone(leads, pooling.depth_of_topic)
    contributes = (missed < POOLED) & ~ends
    if not contributes.any():
        return None
    doubtful = [systems[s] for s in np.flatnonzero((missed < DOUBTFUL) & ~contributes)]
    return contributes, replace(pooling, doubtful=tuple(doubtful))


def ranks_judged_alone(leads: Leads, depth_of_topic: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which systems rank only judged documents, far below the pool: they were made from the judgments. bool (S,)

    At least `FEWEST` rankings that continue below the pool, and nine in ten of these, are judged to their end.
    """
    depths = depth_of_topic[leads.topic_of_query]
    long = (depths > 0) & (leads.lengths > ABOVE * depths)
    ended = _share(leads.judged == leads.lengths, long)
    return (long.sum(axis=1) >= FEWEST) & (ended >= 1 - POOLED)


def _usual(wall_of_topic, sure, topics):
    """The usual wall, 0 for none, and the topics (bool) that have it or a sure wall close to it."""
    has_wall = wall_of_topic > 1
    sure = sure & has_wall
    depth, shared_by = _most_common(wall_of_topic[has_wall])
    surest, shared_by_sure = _most_common(wall_of_topic[sure])
    near = _close(wall_of_topic, surest) & sure
    few = max(OF_ALL * topics, OF_SURE * np.count_nonzero(sure)) if surest >= DEEP else SHARED * topics
    if shared_by_sure >= FEWEST and np.count_nonzero(near) >= few:
        by_chance = 2 * np.count_nonzero(wall_of_topic[sure] == depth) < shared_by
        if by_chance or shared_by < SHARED * topics:
            return surest, near
    if shared_by < max(FEWEST, SHARED * topics):
        return 0, has_wall
    return depth, _close(wall_of_topic, depth) & (sure if shared_by_sure >= FEWEST else has_wall)


def _close(deeper, depth):
    """Where two depths are the same, except for documents judged right below by chance."""
    return (depth <= deeper) & (deeper <= ABOVE * depth)


def _share(part, of):
    """The share of each row; 1 for an empty row. float (S,)"""
    total = of.sum(axis=1)
    return share((part & of).sum(axis=1), total, without=1.0)


def _depths(leads: Leads, contributes: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The common depth of the contributing rankings, by topic. int (topics,), 0 for none"""
    return _common_depths(*leads.rankings(contributes), leads.topics)


def _most_common(depths):
    """The most frequent depth (the shallowest of several), and how often it occurs. 0, 0 for none"""
    values, counts = np.unique(depths, return_counts=True)
    return (int(values[counts.argmax()]), int(counts.max())) if len(depths) else (0, 0)


def _common(depth_of_topic: NDArray[np.intp], otherwise: int) -> tuple[int, NDArray[np.intp]]:
    """The usual depth, and that of each topic.

    A depth a little above a more common one is replaced by it, and a depth that few topics have by `otherwise`.
    """
    left, depths = depth_of_topic > 0, depth_of_topic.copy()
    depth = max(1, _most_common(depths[left])[0])
    while left.any():
        common, _ = _most_common(depth_of_topic[left])
        near = left & _close(depth_of_topic, common)
        shared = common == depth or np.count_nonzero(near) >= FEWEST
        depths[near], left = common if shared else otherwise, left & ~near
    return depth, depths


# ---------------------------------------------------------------------------------------------------------------------
# Where the files show nothing

FEW = 10  # judgments below which it may be chance that all are relevant


def relevant_only(judgments: Judgments) -> bool:
    """Whether no document is judged not relevant.

    Then the contributing systems and the depth cannot be inferred: a rejected document looks like an unjudged one.
    """
    level, scale = judgments.level, judgments.scale
    return np.count_nonzero(scale.judged[level]) == np.count_nonzero(scale.relevant[level]) >= FEW


def why_not_shown(judgments: Judgments) -> str:
    """Why the files do not show which systems contributed, in words."""
    if relevant_only(judgments):
        return "the qrels contain only relevant documents"
    return "no rank separates contributing systems from the others"
