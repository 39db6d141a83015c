"""Which systems further judging could still put first, and which ranks it leaves to each."""

import numpy as np

from evalcore.collection import pool
from evalcore.collection.track import EMPTY
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.pairs import certain_ends
from evalcore.questions.table_helpers import bounds_of
from evalcore.statistics import orderings, significance
from evalcore.study.study import share_of_topic
from evalcore.vocabulary.sentences import FUZZ
from evalcore.vocabulary.validation import EQUAL

LEADS, BY_JUDGING, PAST_END, NO, UNKNOWN = "leads", "yes", "past the end", "no", ""


def could_lead(study, metric, estimate, thresholds, by="depth", chosen=None):
    """Whether each system could still be first. An array of texts (S, thresholds).

    "leads", or shares the highest score; "yes", if unjudged documents turn out so; "past the end", only through ranks
    after the end of its runs, which no judging fills; "no", certainly behind the leader or another system, or without
    a judged topic; "" without exact bounds, or without a score.

    estimate : of every ranking, arrays (S, Q, thresholds); chosen : bool (S,), the systems that are compared
    METHODS 4.1.
    """
    means = study.means(estimate)
    if chosen is not None:
        means = means.map(lambda end: np.where(chosen[:, None], end, np.nan))
    value, known = means.value, ~np.isnan(means.value)
    states = np.full(value.shape, UNKNOWN, object)
    if means.kind != "bounds" or not known.any(axis=0).all():
        return states
    leader = np.argmax(np.where(known, value, -np.inf), axis=0)
    highest_of_others, answers = _highest_of_others(means.lower), _answers(study)[:, None]
    shared = _shared_with(study, metric_named(metric), leader, thresholds, by)
    states[known] = NO
    for ends, state in (("upper", PAST_END), ("upper_listed", BY_JUDGING)):
        behind = _behind(study, metric_named(metric), means, leader, ends, shared, thresholds, by)
        states[known & answers & ~behind & (getattr(means, ends) >= highest_of_others - EQUAL)] = state
    states[known & (np.nanmax(value, axis=0) - value < FUZZ)] = LEADS
    return states


def rank_limits(study, regime, means, systems):
    """The best and the worst possible rank of each of the chosen systems. Two float (systems,), NaN without bounds.

    1 + the systems that are certainly above it, and how many are not certainly below it: by the bound of each pair,
    which is never wider than two intervals next to each other.
    """
    chosen = study.chosen(systems)
    lower, upper = bounds_of(means, chosen)
    ahead = lower[:, None] - upper  # by how much each is ahead of each other at least
    if study.options["average"] == "qrels" and len(study.judged_topics):
        a, b = significance.pairs(len(lower))
        low, high = certain_ends(study, regime, systems)
        ahead[a, b], ahead[b, a] = np.fmax(ahead[a, b], low), np.fmax(ahead[b, a], -high)
    return orderings.ranks_between(ahead)


def _answers(study):
    """Whether each system ranks any document for a judged topic. bool (S,)."""
    return study.by_topic((study.track.lengths > 0).astype(float)).any(axis=1)


def _highest_of_others(lower):
    """The highest lower bound among the other systems. (S, thresholds)"""
    lower = np.where(np.isnan(lower), -np.inf, lower)
    highest, first = lower.max(axis=0), lower.argmax(axis=0)
    without = lower.copy()
    without[first, np.arange(lower.shape[1])] = -np.inf
    return np.where(np.arange(len(lower))[:, None] == first, without.max(axis=0), highest)


def _behind(study, metric, means, leader, ends, shared, thresholds, by):
    """Whether each system stays behind the leader, whatever `ends` (upper or upper_listed) allows. bool (S, thresholds)

    As in `comparing.certain_pairs`: a document that both retrieved has one gain, the same for both.
    """
    lead = means.lower[leader, np.arange(len(leader))] - getattr(means, ends)
    if metric.weighted and shared is not None:
        lead = lead + metric.highest(study.judgments.scale) * shared.mean(axis=1)
    elif shared is not None:
        lead = np.maximum(lead, _lead_of_ratios(study, metric, leader, ends, shared, thresholds, by))
    return lead >= -EQUAL


def _lead_of_ratios(study, metric, leader, ends, shared, thresholds, by):
    """Lower bound on the leader's mean nDCG lead over each system, after any further judging, which can only raise the
    ideal DCG. float (S, thresholds)."""
    estimate = study.at().sweep(metric, thresholds, by=by)
    weighed = study.at().sweep(metric.weighing, thresholds, by=by)
    value, lower = (study.by_topic(getattr(estimate, end)) for end in ("value", "lower"))
    unknown = study.by_topic(getattr(weighed, ends) - weighed.lower) / metric.weighing.highest(study.judgments.scale)
    low = lower[leader, :, np.arange(len(leader))].T - (lower + unknown) + shared
    with np.errstate(divide="ignore", invalid="ignore"):
        grows = np.where(lower > 0, value / lower, 0.0).max(axis=0)
        grows = np.where(grows > 0, grows, np.inf)
        return np.where(low < 0, low * grows, low).mean(axis=1)


def _shared_with(study, metric, leader, thresholds, by):
    """The weight that each system and the leader give the same unjudged documents. float (S, T', thresholds); None
    where that says nothing of their means: of other metrics, and of means over different topics."""
    weighing = metric if metric.weighted else metric.weighing
    if weighing is None or study.options["average"] != "qrels":
        return None
    shared = np.zeros((len(study.systems), len(study.judged_topics), len(thresholds)))
    for system in np.unique(leader):
        where = leader == system
        at = [threshold for threshold, of_leader in zip(thresholds, where, strict=True) if of_leader]
        shared[..., where] = _shared_with_system(study, weighing, int(system), at, by)
    return shared


def _shared_with_system(study, metric, leader, thresholds, by):
    """The same of one leader at every threshold: of each of its documents the smaller of the two weights."""
    track = study.track
    reached = study.pool_rank if by == "depth" else study.judging_order
    step = pool.steps(study.judgments, reached, thresholds)
    step[~study.judgments.scale.judged[study.judgments.level]] = len(thresholds)
    weights, share = metric.weights(track.shape[2]), share_of_topic(study)
    shared = np.zeros((len(track.systems), len(study.judged_topics), len(thresholds)))
    for t, topic in enumerate(study.judged_topics):
        queries = np.flatnonzero(track.topic_of_query == topic)
        items = track.items[:, queries]
        own = np.unique(items[leader][items[leader] != EMPTY])
        if not len(own):
            continue
        place = np.minimum(np.searchsorted(own, items), len(own) - 1)
        both = (own[place] == items) & (items != EMPTY)
        system, query, rank = np.nonzero(both)
        weight = np.bincount(
            system * len(own) + place[both], weights[rank] * share[:, queries][system, query], len(items) * len(own)
        ).reshape(len(items), len(own))
        late_first = np.argsort(step[own], kind="stable")[::-1]
        smaller = np.minimum(weight, weight[leader])[:, late_first].cumsum(axis=1)
        unjudged = np.searchsorted(-step[own][late_first].astype(int), -np.arange(len(thresholds)))
        shared[:, t] = np.pad(smaller, ((0, 0), (1, 0)))[:, unjudged]
    return shared
