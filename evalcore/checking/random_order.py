"""Runs that rank some topics at random and the others well, as when a part of their lines was shuffled."""

from collections.abc import Iterator

import numpy as np

from evalcore.checking.check_statistics import FEWEST, TOP, CheckStatistics
from evalcore.collection.track import EMPTY
from evalcore.reading.files import Finding
from evalcore.vocabulary.sentences import digits

AGREED = 2.5  # the usual agreement of runs on a topic, in standard errors, from which the topic tells a random order
LOW = 1.65  # the agreement that one random order in twenty exceeds
RANDOM = 0.2, 0.6  # share of a run's topics that may be in random order while the others show that it is not so bad
GAIN = 7.0  # log-likelihood of two groups of topics over one; the largest of 396 runs of clean tracks is 4.5
ROUNDS = 30


def runs_random_in_some_topics(stats: CheckStatistics) -> Iterator[Finding]:
    """Runs of which a part of the rankings agree with other runs as a random order does, and the rest as usual."""
    queries = np.flatnonzero(np.isin(stats.track.topic_of_query, stats.topics))
    votes = stats.votes(np.ones((len(stats.track.systems), len(stats.topics))))
    agreement = np.array([_agreement(votes, items) for items in stats.top[:, queries]])
    known = np.count_nonzero(~np.isnan(agreement), axis=0) >= FEWEST
    agreement, queries = agreement[:, known], queries[known]
    usual = np.nanmedian(agreement, axis=0) if len(queries) else np.zeros(0)
    for s, own in enumerate(agreement):
        clear = (usual >= AGREED) & ~np.isnan(own)
        if clear.sum() < 2 * FEWEST or not RANDOM[0] / 2 < np.mean(own[clear] < LOW) < 1 - RANDOM[0]:
            continue
        gain, random = _two_groups(own[clear], usual[clear])
        if gain >= GAIN and RANDOM[0] <= random.mean() <= RANDOM[1]:
            count, first = np.count_nonzero(random > 0.5), queries[clear][random.argmax()]
            message = (
                f"in {count} of {digits(int(clear.sum()), 'ranking')} (such as {stats.track.queries[first]}), it seems "
                "to rank documents in random order: those that other runs retrieve, too, do not come first there, as "
                "they do in its other rankings. Create the file again, or leave it out."
            )
            yield stats.run("some rankings at random", s, message)


def _agreement(votes, items):
    """How far a run's rankings fall from documents that many other runs have to those of few, in standard errors.

    The correlation of the logarithms of rank and number, times the root of its degrees of freedom. items : int (Q, k)
    -> float (Q,), about N(0, 1) in random order; NaN for short rankings
    """
    filled = items != EMPTY
    n = np.maximum(filled.sum(axis=1), 1)
    own = 1 / (TOP + np.arange(items.shape[1]))
    votes = np.log(np.maximum(votes[items] - own, 0) + 1 / TOP)
    ranks = np.broadcast_to(-np.log(own), items.shape)
    votes, ranks = (
        np.where(filled, of - (of * filled).sum(axis=1, keepdims=True) / n[:, None], 0) for of in (votes, ranks)
    )
    spread = np.sqrt((votes**2).sum(axis=1) * (ranks**2).sum(axis=1))
    known = (n >= 3 * TOP) & (spread > 1e-9)
    return np.where(known, -(votes * ranks).sum(axis=1) / np.where(known, spread, 1) * np.sqrt(n - 1), np.nan)


def _two_groups(own, usual):
    """The gain in log-likelihood of two groups of rankings over one, and how likely each is of the random one.

    Agreement is N(a u, s) in one group, with u the usual one of the topic, and N(0, 1) in the other. float, float (n,)
    """
    ratio = (own * usual).sum() / (usual**2).sum()
    alone = _log_normal(own, ratio * usual, np.sqrt(np.mean((own - ratio * usual) ** 2))).sum()
    part, ratio, spread = 0.3, np.median((own / usual)[own >= LOW]), 1.0
    for _ in range(ROUNDS):
        at_random = np.log(part) + _log_normal(own, 0, 1)
        sound = np.log1p(-part) + _log_normal(own, ratio * usual, spread)
        together = np.logaddexp(at_random, sound)
        random = np.exp(at_random - together)
        part, weight = np.clip(random.mean(), 0.001, 0.999), 1 - random
        ratio = (weight * own * usual).sum() / (weight * usual**2).sum()
        spread = max(0.5, np.sqrt((weight * (own - ratio * usual) ** 2).sum() / weight.sum()))
    return together.sum() - alone, random


def _log_normal(values, mean, spread):
    return -(((values - mean) / spread) ** 2) / 2 - np.log(spread)
