"""Judging orders: the weight of unjudged documents, and how fast each order finds the relevant ones.

An order is a row of `JUDGING_ORDERS`: a function that puts the candidates of a `JudgingSimulation` in the order in
which it would have had them judged, knowing of each only what was judged before it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.judged_positions import Places
from evalcore.collection.judgments import Judgments
from evalcore.collection.ragged import rows_of
from evalcore.collection.track import EMPTY, Track
from evalcore.metrics.intervals import Metric
from evalcore.vocabulary.registry import Row, by_name

EQUAL_DIGITS = 12  # weights that agree to so many digits after the point are the same


def weight_of_items(
    track: Track, weights: NDArray[np.float64], share: NDArray[np.float64], *,
    systems: slice | NDArray[np.bool_] = slice(None),
) -> NDArray[Any]:  # fmt: skip
    """What every item weighs: its rank's weight, times `share` of its ranking, summed over rankings. float (N,).

    weights : float (K,), of ranks; share : float (S, Q); systems : which of them count
    """
    reach = np.count_nonzero(weights)
    items, share = track.items[systems][:, :, :reach], share[systems]
    weight = share[:, :, None] * weights[:reach]
    total = np.bincount(items.ravel(), weights=weight.ravel(), minlength=track.size)
    total[EMPTY] = 0.0
    return total


def weight_of_each(
    track: Track, weights: NDArray[np.float64], share: NDArray[np.float64], items: NDArray[np.intp]
) -> NDArray[Any]:
    """The same of some items, ascending. float (n,)."""
    system, query, rank = np.nonzero(track.among(items)[track.items[:, :, : np.count_nonzero(weights)]])
    number = np.searchsorted(items, track.items[system, query, rank])
    return np.bincount(number, weights=share[system, query] * weights[rank], minlength=len(items))


def heaviest(
    weight: NDArray[np.float64], name_order: NDArray[np.int32], items: NDArray[np.intp], n: int | None
) -> NDArray[np.intp]:
    """The n items (None = all) of the largest weight, the largest first, by name where they are equal. int (n,)

    weight : float (N,); name_order : int (N,); items : of which
    """
    lightness = -np.round(weight[items], EQUAL_DIGITS)
    if n is not None and n < len(items):  # to sort all of them takes long
        few = lightness <= np.partition(lightness, n)[n]
        items, lightness = items[few], lightness[few]
    return items[np.lexsort((name_order[items], lightness))][:n]


MANY = 1 << 26  # places of rankings as they read after each document: more of them take minutes


def changes_of_width(
    metric: Metric, places: Places, number: NDArray[np.intp], width: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[Any]:
    """By how much each document of a list moves the mean width of the intervals, once those before it are judged.
    float (n,).

    places : of all rankings, by the judgments and those of the list; number : int (N,), the number of an item in the
        list, from 0; -1 for those that were judged before
    width, share : float (rows,), how wide each interval was before, and what each ranking counts for in the mean
    """
    within = places.within(dict(metric.values)["k"])
    if np.dot(within.sum(number[within.item] >= 0), within.counts) > MANY:
        raise ValueError(f"the budget is too large for {metric.name}. Choose a smaller one.")
    after, row, last = _after_each(within, number)
    wide = np.empty(after.rows)
    for rows, block in after.blocks():
        _, lower, upper, _ = metric.ends(block)
        wide[rows] = upper - lower
    order = np.lexsort((last, row))
    row, last, wide = row[order], last[order], wide[order]
    first = np.diff(row, prepend=-1) > 0
    before = np.where(first, width[row], np.roll(wide, 1))
    return np.bincount(last, weights=share[row] * (wide - before), minlength=number.max(initial=-1) + 1)


def _after_each(places, number):
    """The rankings as they read while the list is judged: a row for each document of it that a ranking holds, in which
    those that come later are not judged yet. Which row of `places` each was, and after which number. Two int (rows',)
    """
    new = np.flatnonzero(number[places.item] >= 0)
    row, last = places.row[new], number[places.item[new]]
    whole = rows_of(places.counts[row])
    place = whole.each(places.starts[row]) + whole.nth - 1
    known = np.flatnonzero(number[places.item[place]] <= whole.each(last))
    at = place[known]
    after = replace(
        places,
        starts=whole.rows_among(known).starts,
        rank=places.rank[at],
        item=places.item[at],
        level=places.level[at],
        topic_of_row=places.topic_of_row[row],
        lengths=places.lengths[row],
    )
    return after, row, last


@dataclass(frozen=True)
class JudgingSimulation:
    """What can be judged, and what it would turn out to be.

    candidates : int (n,), items in the order of topics and names
    relevant : bool (n,)
    turn : int (n,), when each is judged by depth (`pool.judging_order`)
    weight : float (n,), what each weighs in all contributing rankings
    rankings : for each topic a list of int arrays, the candidates (places in `candidates`) of each contributing
        ranking, best first
    """

    candidates: NDArray[np.intp]
    relevant: NDArray[np.bool_]
    turn: NDArray[np.integer]
    weight: NDArray[np.float64]
    rankings: list[list[NDArray[np.intp]]]


def judging_simulation(
    track: Track, judgments: Judgments, turn: NDArray[np.int32], weight: NDArray[np.float64]
) -> JudgingSimulation:
    """The `JudgingSimulation` of the judged documents that contributing runs retrieved.

    turn : int (N,); weight : float (N,), by item
    """
    items = judgments.pooled_items[judgments.scale.judged[judgments.level[judgments.pooled_items]]]
    contributing = np.flatnonzero(track.pooled)
    items = items[track.among(track.items[contributing])[items]]
    items = items[np.argsort(track.name_order[items])]
    place, rankings = track.numbered(items), []
    for topic in np.unique(judgments.topic_of_item[items]):
        places = place[track.items[np.ix_(contributing, np.flatnonzero(track.topic_of_query == topic))]]
        rankings.append([row[row >= 0] for row in places.reshape(-1, places.shape[2])])
    relevant = judgments.scale.relevant[judgments.level[items]]
    return JudgingSimulation(items, relevant, turn[items], weight[items], rankings)


def by_depth(simulation: JudgingSimulation, seed: int) -> NDArray[np.intp]:
    """First the documents that any contributing run ranks first, then those that any ranks second, and so on; of one
    rank, all topics in turn."""
    return np.argsort(simulation.turn)


def by_weight(simulation: JudgingSimulation, seed: int) -> NDArray[np.intp]:
    """First the documents that matter most to the scores: by the summed weight of their ranks in contributing runs."""
    return np.argsort(-np.round(simulation.weight, EQUAL_DIGITS), kind="stable")


def move_to_front(simulation: JudgingSimulation, seed: int) -> NDArray[np.intp]:
    """The next document of the same run while these are relevant, then of the run with the fewest failures so far."""

    def choose(relevant, short, successful, rng):
        return int(np.argmin(short)) if successful is None else successful

    return _topic_by_topic(simulation, choose, seed)


def bandit_mean(simulation: JudgingSimulation, seed: int) -> NDArray[np.intp]:
    """The next document of the run with the largest share of relevant documents so far."""
    return _topic_by_topic(simulation, lambda hits, short, *_: int(np.argmax((1 + hits) / (2 + hits + short))), seed)


def bandit_beta(simulation: JudgingSimulation, seed: int) -> NDArray[np.intp]:
    """The next document of a run drawn at random; better runs so far are more likely (Thompson sampling)."""
    return _topic_by_topic(simulation, lambda hits, short, _, rng: int(np.argmax(rng.beta(1 + hits, 1 + short))), seed)


def _topic_by_topic(simulation, choose, seed):
    """The order in which a choice of runs has each topic judged; the n-th judgments of all topics stand together.

    choose(found, short, successful, rng) : the run to take from, by how many of its documents were relevant and were
        not, float (runs left,) each; successful : the run that brought a relevant document last, None if it was none
    """
    orders = [
        _judged_in_turn(rankings, simulation.relevant, choose, np.random.default_rng([seed, number]))
        for number, rankings in enumerate(simulation.rankings)
    ]
    turn = np.concatenate([np.arange(len(order)) for order in orders])
    return np.concatenate(orders)[np.argsort(turn, kind="stable")]


def _judged_in_turn(rankings, relevant, choose, rng):
    order, judged = [], set()
    left = [iter(ranking.tolist()) for ranking in rankings]
    relevant_count, short = np.zeros(len(left)), np.zeros(len(left))
    successful = None
    while left:
        run = choose(relevant_count, short, successful, rng)
        document = next((candidate for candidate in left[run] if candidate not in judged), None)
        if document is None:  # nothing left of that run
            del left[run]
            relevant_count, short, successful = np.delete(relevant_count, run), np.delete(short, run), None
            continue
        judged.add(document)
        order.append(document)
        (relevant_count if relevant[document] else short)[run] += 1
        successful = run if relevant[document] else None
    return np.array(order, int)


# Each is function(simulation, seed) and gives the order as int (n,), places in `simulation.candidates`.
JUDGING_ORDERS = by_name(
    Row("depth", by_depth, source="[SJR75]"),
    Row("weight", by_weight, source="[MWZ07]"),
    Row("move-to-front", move_to_front, source="[CPC98]"),
    Row("bandit-mean", bandit_mean, source="[LPB16]"),
    Row("bandit-beta", bandit_beta, source="[LPB16]"),
)
