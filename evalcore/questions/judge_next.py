"""What to judge next, and what other judging orders would have found."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.collection import pool
from evalcore.collection.judged_positions import judged_positions
from evalcore.metrics.metrics import metric as metric_named
from evalcore.pooling import judging_orders as orders_of_judging
from evalcore.questions.question import SMALL, Question
from evalcore.questions.requirements import contributed
from evalcore.questions.table_helpers import TOP, mean_over_systems
from evalcore.questions.table_helpers import documents as documents_of
from evalcore.questions.table_notes import gaps
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.study.study_data import share_of_topic
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import FUZZ


def judge_next(study: Study, *, metric: str = "RBP(p=0.8)", budget: int | None = 100) -> tuple[pd.DataFrame, list[str]]:
    """The unjudged documents that matter most to the scores, in the order to judge them [MWZ07].

    weight : the weight of its ranks, summed over systems
    width_left : for nDCG@k, what is left if none of them is relevant, because it depends on what is found
    """
    metric, track = metric_named(metric), study.track
    weighing = metric if metric.weighted else metric.weighing
    if weighing is None or metric.kind != "bounds":
        raise ValueError(
            f"{metric.name} has no weights of ranks, which judge_next needs. Choose P, RBP, SDCG or nDCG@k."
        )
    weight = study.memo.weights.get((weighing.name,), lambda: _weight_of_items(study, weighing))
    unjudged = ~study.judgments.scale.judged[study.judgments.level]
    items = np.flatnonzero(unjudged & np.isin(track.topic_of_item, study.judged_topics) & (weight > 0))
    items = orders_of_judging.heaviest(weight, track.name_order, items, budget)
    chosen = track.among(items)
    estimate = study.means(study.at().estimate(metric))
    holders, _ = pool.holders(track.items, chosen)
    first_ten, _ = pool.holders(track.items[:, :, :TOP], chosen)
    width, past_end, above = (
        float(mean_over_systems(study, estimate.upper - end))
        for end in (estimate.lower, estimate.upper_listed, estimate.value)
    )
    table = pd.DataFrame({"order": np.arange(1, len(items) + 1)})
    documents = documents_of(study, items).assign(
        weight=weight[items],
        systems=holders[items],
        in_first_ten=first_ten[items],
        width_left=_width_left(study, metric, items, width, past_end),
        mean_width=width,
        width_past_end=past_end,
    )
    past = (
        f", of which {_wide(past_end)} is due to unfilled ranks, which judging cannot fill" if past_end > FUZZ else ""
    )
    below = "" if metric.weighted else _open_below(width - above)
    note = f"Intervals of {metric.name} average {_wide(width)} in width{past}."
    if len(items):
        left = _wide(documents["width_left"].iloc[-1])
        if_not = "" if metric.weighted else " if none of them is relevant"
        note += f" Judging these documents leaves {left}{if_not}.{below}"
    elif below:
        note = f"No ranked document that {metric.name} counts is left to judge on a judged topic. {note}{below}"
    else:
        note = "No unjudged document affects the scores of a judged topic."
    return pd.concat([table, documents], axis=1), [note]


def _weight_of_items(study, weighing):
    """What every item weighs in the scores of the systems looked at. float (N,)."""
    weights = weighing.weights(study.track.shape[2])
    return orders_of_judging.weight_of_items(study.track, weights, share_of_topic(study))


def _wide(width):
    """A width to four digits; none is rounded to 0."""
    return f"{width:.4f}" if width < FUZZ or width >= 0.00005 else "less than 0.0001"


def _open_below(width):
    """What of the mean width (of nDCG@k) no document that is worth nothing takes away, in words; "" of none."""
    if width <= FUZZ:
        return ""
    return (
        f" {_wide(width)} of that lies below the scores, because more documents of the highest grade may exist; "
        "finding no relevant document does not remove it."
    )


def _width_left(study, metric, items, width, past_end):
    """The mean width over systems that answer a judged topic, once so many of the items are judged: whatever is found
    of a weighted-precision metric, else if none of them is relevant. float (n,)."""
    topics = study.counted.sum(axis=1)
    scored = (topics > 0) & study.answers
    of_mean = share_of_topic(study) * (scored / np.maximum(topics, 1) / max(scored.sum(), 1))[:, None]
    if not metric.weighted:
        return width + np.cumsum(_changes(study, metric, items, of_mean.ravel()))
    weights = metric.weights(study.track.shape[2])
    ascending, place = np.unique(items, return_inverse=True)
    narrowed = orders_of_judging.weight_of_each(study.track, weights, of_mean, ascending)[place]
    return np.maximum(width - np.cumsum(metric.highest(study.judgments.scale) * narrowed), past_end)


def _changes(study, metric, items, share):
    """By how much each item moves the mean width when it is judged not relevant, after those before it. float (n,).

    share : float (S * Q,), what each ranking counts for in the mean
    """
    judged = study.judgments.and_not_relevant(items)
    if judged.scale.worth[judged.level[items]].any():
        raise ValueError(
            "gains gives grade 0 a gain above 0, so documents that are not relevant add to scores. Set it to 0."
        )
    now, number = study.at().estimate(metric), study.track.numbered(items)
    positions = judged_positions(study.track, judged, endless=study.options["empty"] == "unknown")
    return orders_of_judging.changes_of_width(metric, positions, number, (now.upper - now.lower).ravel(), share)


CHECKPOINTS = 20


def judging_orders(
    study: Study, *, metric: str = "RBP(p=0.8)",
    orders: Sequence[str] = ("depth", "weight", "move-to-front", "bandit-mean", "bandit-beta"),
    budget: int | None = None, seed: int = 0,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The relevant documents found by number of judgments, for several orders of judging, and tau with all judgments.

    tau : of the ordering of systems with that for all judgments
    orders : see `evalcore.JUDGING_ORDERS`; all order the same documents, those that a contributing run retrieved and
        the qrels judge
    """
    contributed(study)
    metric = metric_named(metric)
    whole = study.whole
    weighing = metric if metric.weighted else metric_named("RBP(p=0.8)")
    share = 1 / np.bincount(whole.topic_of_query, minlength=len(whole.topics))[whole.topic_of_query]
    share = np.broadcast_to(share, whole.shape[:2])
    weight = orders_of_judging.weight_of_items(whole, weighing.weights(whole.shape[2]), share, systems=whole.pooled)
    simulation = orders_of_judging.judging_simulation(whole, study.judgments, study.judging_order, weight)
    n = len(simulation.candidates)
    if not n:
        raise ValueError("no contributing run retrieved a judged document. Check which systems contributed.")
    notes = []
    if budget is not None and budget > n:
        notes.append(f"There are only {n:,} documents to judge, fewer than {budget:,}.")
    steps = np.unique(np.ceil(np.linspace(0, min(budget or n, n), CHECKPOINTS + 1)[1:]).astype(int))
    full = study.mean(study.at().values(metric))
    tables = []
    for name in orders:
        order = orders_of_judging.JUDGING_ORDERS[name].function(simulation, seed)
        reached = np.full(study.track.size, pool.NEVER)
        reached[simulation.candidates[order]] = np.arange(n)
        scores = study.mean(study.at().values_as_judged(metric, reached, steps))
        relevant_count = np.cumsum(simulation.relevant[order])
        tau = [orderings.kendall_tau(full, column) for column in scores.T]
        tables.append(
            pd.DataFrame({"order": name, "judgments": steps, "relevant": relevant_count[steps - 1], "tau": tau})
        )
    table = pd.concat(tables, ignore_index=True)
    if not metric.weighted and "weight" in orders:
        notes.append(f"{metric.name} has no weight for each rank, so the judging order weight uses {weighing.name}.")
    return table, [*notes, *gaps(table, tau="if fewer than two systems have a score")]


QUESTIONS = by_name(
    Question(
        "judge_next", judge_next, section="14.1",
        columns="order topic document weight systems in_first_ten width_left mean_width width_past_end",
    ),
    Question(
        "judging_orders", judging_orders, section="14.2", long_from=SMALL, of_pool=True,
        columns="order judgments relevant tau",
    ),
)  # fmt: skip
