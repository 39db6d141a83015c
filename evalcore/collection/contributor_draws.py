"""How probable it is that each system contributed to the pool, and sets of contributors drawn with that probability.

What a system has in its pool and no other contributor has is evidence: nearly all of it is judged if the system
contributed. So whether a system contributed is drawn again and again, given all others (a Gibbs sampler of a
pseudo-likelihood), from the contributors that `pool_inference` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection import pool_inference
from evalcore.collection.judgments import Judgments
from evalcore.collection.ragged import offsets
from evalcore.collection.shares import share
from evalcore.collection.track import EMPTY, Track

INSIDE = 60.0, 0.6  # the beta distribution of the share that is judged of a contributor's own documents: 99%
ALIKE = 0.02  # share of the other systems that are judged like contributors: nearly copies of runs that are not here
ENOUGH = 0.9  # of the systems that did not contribute, those with so large a share judged do not show what is usual
CHAINS, ROUNDS, UNUSED = 2, 120, 30  # of the chains, from seeds 0 and 1; the first rounds depend on where they begin
ALL_AGAIN, SURE = 40, 8.0  # every so many rounds all are drawn, else only those whose log odds are less sure
FEW = 5  # items that more contributors have are hardly ever the own ones of a system
MOST = 20  # draws that are carried through the figures
LIKELY, DOUBTFUL = 0.5, 0.05  # above this probability a system counts as contributing; above that it may have


def drawn(
    track: Track, judgments: Judgments, leads: pool_inference.Leads, contributes: NDArray[np.bool_],
    pooling: pool_inference.Pooling, remember: Callable[..., Any] = lambda given, compute: compute(),
) -> tuple[NDArray[np.bool_], pool_inference.Pooling]:  # fmt: skip
    """The contributing systems, bool (S,), and the `Pooling` with their probabilities and draws.

    contributes, pooling : where the chains begin, and the depth of each topic's pool
    remember : gives the draws of this track for the same arrays again, or computes them
    """
    judged = judgments.scale.judged[judgments.level]
    never = pool_inference.ranks_judged_alone(leads, pooling.depth_of_topic)
    given = judged, contributes, never, pooling.depth_of_topic
    known = remember(
        [array.tobytes() for array in given],
        lambda: _draws(tops_of(track, pooling.depth_of_topic, contributes, judged), contributes, never),
    )
    draws, probability = known["draws"], known["probability"]
    likely = probability > LIKELY
    if not likely.any():
        return contributes, pooling
    may_have = (probability >= DOUBTFUL) & ~likely | never
    kept = draws[np.linspace(0, len(draws) - 1, MOST).round().astype(int)]
    return likely, replace(
        pooling,
        doubtful=tuple(track.systems[s] for s in np.flatnonzero(may_have)),
        probability=probability,
        draws=np.unique(kept[kept.any(axis=1)], axis=0),
    )


def _draws(tops, contributes, never):
    """The draws of all chains, and the probabilities, of equal systems the same."""
    draws = np.concatenate([chain(tops, contributes, never, np.random.default_rng(seed)) for seed in range(CHAINS)])
    probability = draws.mean(axis=0)
    for equal in tops.equal(np.flatnonzero(~never)):
        probability[equal] = probability[equal].mean()
    return {"draws": draws, "probability": probability}


def tops_of(
    track: Track, depth_of_topic: NDArray[np.intp], contributes: NDArray[np.bool_], judged: NDArray[np.bool_]
) -> Tops:
    """The items of each system above its topics' pool depths that few contributors have. judged : bool (N,)"""
    depths = depth_of_topic[track.topic_of_query]
    inside = np.arange(min(depths.max(initial=0), track.shape[2])) < depths[:, None]
    tops = [pd.unique(rankings[:, : inside.shape[1]][inside]) for rankings in track.items]
    count = np.zeros(track.size, np.int32)
    for s in np.flatnonzero(contributes):
        count[tops[s]] += 1
    return Tops([np.sort(top[(count[top] <= FEW) & (top != EMPTY)]) for top in tops], judged)


class Tops:
    """The items at the top of each system's rankings, and the systems that have each item.

    items : a list of int arrays, numbers from 0; judged : int (n,), whether each item is judged, 0 or 1
    """

    def __init__(self, items: list[NDArray[np.integer]], judged: NDArray[np.bool_]) -> None:
        """items : of each system; judged : by item, bool (N,)"""
        occurs = np.zeros(len(judged), bool)
        for of_system in items:
            occurs[of_system] = True
        number = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        self.items = [number[of_system] for of_system in items]
        self.judged = judged[occurs].astype(np.intp)
        self._starts, self._places = self._by_item()

    def _by_item(self):
        """Where each item's places of `Own.count` begin, and these places: of the systems that have it."""
        count = np.zeros(len(self.judged), np.intp)
        for items in self.items:
            count[items] += 1
        starts = offsets(count)
        places, at = np.empty(starts[-1], np.intp), starts[:-1].copy()
        for s, items in enumerate(self.items):
            places[at[items]] = self.place(items, s)
            at[items] += 1
        return starts, places

    @property
    def systems(self) -> int:
        """How many systems there are, S."""
        return len(self.items)

    def equal(self, systems: Iterable[np.intp]) -> list[list[np.intp]]:
        """Those of these systems (indices) that have the same items. Lists of indices"""
        equal: dict[bytes, list[np.intp]] = {}
        for s in systems:
            equal.setdefault(self.items[s].tobytes(), []).append(s)
        return list(equal.values())

    def place(self, items: NDArray[np.integer], systems: NDArray[np.intp] | int) -> NDArray[np.intp]:
        """Where in a flat array of (2, S), not judged and judged, each of these items of these systems counts."""
        return self.judged[items] * self.systems + systems

    def places(self, items: NDArray[np.integer]) -> NDArray[np.intp]:
        """The same of all systems that have these items."""
        starts = self._starts[items]
        counts = self._starts[items + 1] - starts
        before = np.cumsum(counts) - counts
        return self._places[np.arange(counts.sum()) + np.repeat(starts - before, counts)]


class Own:
    """What each system has that no other contributor has, while systems join the contributors and leave them.

    inside : the contributors, bool (S,)
    count : int (2, S), how many items of its own each system has that are not judged, and that are
    """

    def __init__(self, tops: Tops, inside: NDArray[np.bool_]) -> None:
        self.tops, self.inside = tops, inside.copy()
        self._contributors = np.zeros(len(tops.judged), np.int32)  # how many each item has
        self._sum = np.zeros(len(tops.judged), np.intp)  # of their indices
        for s in np.flatnonzero(inside):
            self._add(s, 1)
        self.count = np.zeros((2, tops.systems), np.intp)
        for s, items in enumerate(tops.items):
            alone = items[self._contributors[items] == inside[s]]
            self.count[1, s] = tops.judged[alone].sum()
            self.count[0, s] = len(alone) - self.count[1, s]

    def _add(self, s, times):
        items = self.tops.items[s]
        self._contributors[items] += times
        self._sum[items] += times * s

    def move(self, s: np.intp) -> None:
        """Let a system join the contributors, or leave them. Others then lose, or gain, what both have."""
        items, was_inside = self.tops.items[s], self.inside[s]
        rest = self._contributors[items] - was_inside
        shared = items[rest == 1]  # with one contributor, whom the sum names
        of_one = self.tops.place(shared, self._sum[shared] - s * was_inside)
        places = np.concatenate([self.tops.places(items[rest == 0]), of_one])
        change = np.bincount(places, minlength=self.count.size).reshape(self.count.shape)
        change[:, s] = 0
        self.count += change if was_inside else -change
        self._add(s, -1 if was_inside else 1)
        self.inside[s] = not was_inside

    def mix(self, equal: list[np.intp], rng: np.random.Generator) -> None:
        """Let chance decide which of systems with the same items contributed: so many as before."""
        mixed = rng.permutation(self.inside[equal])
        if (mixed == self.inside[equal]).all():
            return
        before, after = np.array(equal)[self.inside[equal]], np.array(equal)[mixed]
        self.inside[equal] = mixed
        self._sum[self.tops.items[equal[0]]] += after.sum() - before.sum()
        if len(after) == 1:  # else no document is its own
            self.count[:, [*before, *after]] = self.count[:, [*after, *before]]

    def log_odds(self, inside: BetaBinomial, outside: BetaBinomial) -> NDArray[np.float64]:
        """The log odds that each system contributed, given all others. float (S,)

        inside, outside : how many of its own items are judged if it contributed, and usually if it did not
        """
        systems, rest = self.tops.systems, self.inside.sum() - self.inside
        judged, documents = self.count[1], self.count.sum(axis=0)
        if_inside = inside(documents, judged)
        if_outside = np.logaddexp(log(ALIKE) + if_inside, log(1 - ALIKE) + outside(documents, judged))
        odds = np.log((rest + 1) / (systems - rest)) + if_inside - if_outside
        return np.where(documents, odds, 0.0)  # without documents the files do not show it: even odds


class BetaBinomial:
    """How likely a number of judged documents is if the share judged follows Beta(a, b)."""

    def __init__(self, a: float, b: float, most: int) -> None:
        """most : documents"""
        self._judged, self._not_judged, self._all = (
            np.concatenate([[0.0], np.cumsum(np.log(start + np.arange(most)))]) for start in (a, b, a + b)
        )

    def __call__(self, documents: NDArray[np.intp], judged: NDArray[np.intp]) -> NDArray[np.float64]:
        """The log likelihood, without the constant. documents, judged : int (n,)"""
        return self._judged[judged] + self._not_judged[documents - judged] - self._all[documents]


def chain(
    tops: Tops, contributes: NDArray[np.bool_], never: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Draws of the contributing systems, one a round, without the first. bool (rounds, S)

    contributes : bool (S,), where it begins; never : bool (S,)
    """
    own = Own(tops, contributes & ~never)
    copies = [equal for equal in tops.equal(np.flatnonzero(~never)) if len(equal) > 1]
    most = max(map(len, tops.items))
    inside, log_odds, draws = BetaBinomial(*INSIDE, most), np.zeros(tops.systems), []
    for nth in range(ROUNDS):
        if nth < 2 or nth % ALL_AGAIN == 0:
            systems = np.flatnonzero(~never)
            usual = beta_of(own.count.sum(axis=0)[~own.inside], own.count[1, ~own.inside])
            outside = BetaBinomial(*usual, most)
        _draw_each(own, systems, inside, outside, log_odds, rng)
        for equal in copies:  # any of them may be the one that contributed
            own.mix(equal, rng)
        if nth > 0:
            systems = np.flatnonzero((np.abs(log_odds) < SURE) & ~never)
        draws.append(own.inside.copy())
    return np.array(draws[UNUSED:])


def _draw_each(own, systems, inside, outside, log_odds, rng):
    """Draw whether each of these systems (indices) contributed, one after another, and note its log odds."""
    drawn = rng.random(len(systems))
    below = np.log(drawn) - np.log1p(-drawn)  # log odds
    while len(systems):
        now = own.log_odds(inside, outside)[systems]
        moves = np.flatnonzero((below < now) != own.inside[systems])
        done = moves[0] + 1 if len(moves) else len(systems)
        log_odds[systems[:done]] = now[:done]
        if len(moves):
            own.move(systems[moves[0]])
        systems, below = systems[done:], below[done:]


def beta_of(documents: NDArray[np.intp], judged: NDArray[np.intp]) -> tuple[float, float]:
    """The beta distribution (a, b) with the mean and the variance of the shares judged, by the method of moments.

    documents, judged : int (n,); systems of which `ENOUGH` is judged, and those without documents, do not count.
    """
    usual = judged < ENOUGH * documents
    documents, judged = documents[usual], judged[usual]
    n, total = len(documents), documents.sum()
    if total <= n or n < 2:
        return 1.0, 1.0
    mean = min(max(judged.sum() / total, 0.5 / total), 1 - 0.5 / total)
    binomial = mean * (1 - mean)
    variance = (documents * (share(judged, documents) - mean) ** 2).sum() / total
    alike = min(max((variance - binomial * n / total) / (binomial * (1 - n / total)), 0.01), 0.9)  # a correlation
    return mean * (1 - alike) / alike, (1 - mean) * (1 - alike) / alike
