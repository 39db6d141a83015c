"""Two systems: which is better, on which topics and documents, on which metrics, and what judging could change."""

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
import pandas as pd

from evalcore.collection.track import EMPTY
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.pairs import at_one, certain_ends, leads_by_topic, least_leads, settled, topic_scores
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import documents, every_ranking, mean_of_known, names_of, query_of, share_of
from evalcore.questions.table_notes import FEW_TOPICS, gaps, notes_on
from evalcore.statistics import orderings, significance
from evalcore.statistics.overlap import rank_biased_overlap
from evalcore.statistics.setups import Regime
from evalcore.study.study import Study
from evalcore.study.study_data import share_of_topic
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.validation import EQUAL

USUAL = ("RBP(p=0.8)", "RBP(p=0.95)", "P@10", "nDCG@10", "AP", "RR", "R@100")
CLEARLY = 0.001  # a difference that a reader of three digits sees
TOGETHER = 20  # ranks of two rankings side by side
ONLY_A, ONLY_B = (f"for documents that only the {ordinal} system retrieved" for ordinal in ("first", "second"))


def comparison(
    study: Study, *, a: str | None = None, b: str | None = None, metric: str = "RBP(p=0.8)", depth: int | None = None,
    unjudged: str = "irrelevant", test: str = "t", level: float = 0.05, seed: int = 0, resamples: int = 10_000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Is one system better than another? Their mean difference, its possible range, and its significance over topics.

    The same as the row of `pairs` without a correction: a single comparison, planned beforehand.

    won, tied_topics, lost : on how many topics a is ahead, level and behind
    won_clearly, lost_clearly : the same by .001 or more
    reversed_by : the fewest documents whose judging could put the leading system behind; blank without fixed weights of
    ranks, and if none can
    only_longer : whether judging alone cannot reverse an open order, only that and documents past the ends of rankings
    """
    two = two_of(study, a, b, metric, depth)
    row = _compared(two, metric, depth, unjudged, test, level, seed, resamples)
    row |= {"reversed_by": np.nan, "only_longer": False}
    if row["settled"] == "open" and np.isfinite(row["certain_low"]):
        row["only_longer"] = _leads_as_listed(two, metric_named(metric), depth, 0 if row["difference"] >= 0 else 1)
    if metric_named(metric).weighted and unjudged == "irrelevant":
        deciding = _to_judge(two, metric_named(metric), depth)
        row["reversed_by"] = int(deciding["reverses"].sum()) or np.nan
    table = pd.DataFrame([row])
    weights = "because no judging reverses the order, or the metric has no fixed weights of ranks"
    missing = gaps(
        table, p=FEW_TOPICS, interval_low=FEW_TOPICS, certain_low="without exact bounds", reversed_by=weights
    )
    return table, [*notes_on(two, metric, "lower", unjudged), *missing]


def two_of(study: Study, a: str | None, b: str | None, metric: str | None, depth: int | None) -> Study:
    """The study of two systems alone, a first. None = the best, or the next best; in order of name without a metric."""
    best = study.systems
    if metric and None in (a, b) and not study.without_judgments:
        best = _best_first(study, metric, depth)
    a = a if a is not None else next((name for name in best if name != b), None)
    b = b if b is not None else next((name for name in best if name != a), None)
    if b is None:
        raise ValueError("a comparison needs at least two systems. Add another system.")
    if a == b:
        raise ValueError(f"a system cannot be compared with itself. Choose two systems, not {a!r} twice.")
    return study.only(systems=[a, b])  # type: ignore[list-item]


def _best_first(study, metric, depth):
    """The names of the systems by mean score, those without one last."""
    means = study.means(study.at(depth=depth).estimate(metric)).value
    return [study.systems[s] for s in orderings.ordering(np.nan_to_num(means, nan=-np.inf))]


def _compared(two, metric, depth, unjudged, test, level, seed, resamples):
    """The row of two systems (a study of them alone) on one metric."""
    scores = topic_scores(two, "all", metric=metric, depth=depth, unjudged=unjudged)
    difference = scores[:1] - scores[1:]
    mean, _ = significance.mean_and_t(difference)
    p = significance.TESTS[test].function(difference, seed=seed, resamples=resamples)
    low, high = certain_ends(two, Regime(depth=depth, metric=metric, unjudged=unjudged), "all")
    known = difference[~np.isnan(difference)]
    half = significance.half_width(known, level)
    values = mean_of_known(np.where(np.isnan(difference), np.nan, scores).T)
    return {
        "a": two.systems[0],
        "b": two.systems[1],
        "value_a": values[0],
        "value_b": values[1],
        "difference": mean[0],
        "interval_low": mean[0] - half,
        "interval_high": mean[0] + half,
        "certain_low": low[0],
        "certain_high": high[0],
        "won": int((known > EQUAL).sum()),
        "tied_topics": int((np.abs(known) <= EQUAL).sum()),
        "lost": int((known < -EQUAL).sum()),
        "won_clearly": int((known >= CLEARLY - EQUAL).sum()),
        "lost_clearly": int((known <= EQUAL - CLEARLY).sum()),
        "n": len(known),
        "p": p[0],
        "significant": bool(p[0] < level),
        "settled": str(settled(low, high)[0]),
    }


def _leads_as_listed(two, metric, depth, leader):
    """Whether the leading one of two systems (0 or 1) stays ahead or level, whatever the documents of the rankings as
    they are turn out to be."""
    (least,) = least_leads(two, metric, at_one(two.at(depth=depth)), np.ones(2, bool))
    return bool(least("upper_listed")[leader, 1 - leader] >= -EQUAL)


def comparison_topics(
    study: Study, *, a: str | None = None, b: str | None = None, metric: str = "RBP(p=0.8)", depth: int | None = None,
    unjudged: str = "irrelevant",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The difference of two systems on every topic, with its possible range, the largest first.

    METHODS 8.6."""
    two = two_of(study, a, b, metric, depth)
    scores = topic_scores(two, "all", least=1, metric=metric, depth=depth, unjudged=unjudged)
    low = high = np.full(scores.shape[1], np.nan)
    if metric_named(metric).kind == "bounds" and unjudged == "irrelevant":
        ahead = leads_by_topic(two, metric_named(metric), two.at(depth=depth))
        low, high = ahead[:, 0, 1], -ahead[:, 1, 0]
    table = pd.DataFrame(
        {
            "topic": two.judged_topic_names,
            "value_a": scores[0],
            "value_b": scores[1],
            "difference": scores[0] - scores[1],
            "certain_low": low,
            "certain_high": high,
        }
    )
    table = table.dropna(subset="difference").sort_values("difference", ascending=False, kind="stable")
    return table.reset_index(drop=True), notes_on(two, metric, "lower", unjudged)


def comparison_documents(
    study: Study, *, a: str | None = None, b: str | None = None, topic: str | None = None, query: str | None = None,
    metric: str = "RBP(p=0.8)", depth: int | None = None, k: int = TOGETHER,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Two rankings of a topic side by side: where each document of their tops stands, and what it gives to each score.

    moves : by how much the difference of the two scores on this query can change if an unjudged document turns out to
    have the highest gain; positive if that helps a. Without a topic, that with the largest difference.
    """
    two = two_of(study, a, b, metric, depth)
    if topic is None and study.without_judgments:
        topic = study.topics[0]
    elif topic is None:
        first = comparison_topics(study, a=two.systems[0], b=two.systems[1], metric=metric, depth=depth)[0]
        topic = first["topic"].iloc[first["difference"].abs().argmax()]
    q = query_of(two, topic, query)
    metric, judgments, track = metric_named(metric), two.at(depth=depth).judgments, two.track
    places = [{item: n for n, item in enumerate(track.items[s, q, : track.lengths[s, q]])} for s in (0, 1)]
    tops = [list(ranks)[: k or None] for ranks in places]
    items = np.array(list(dict.fromkeys(item for pair in zip_longest(*tops) for item in pair if item is not None)), int)
    rank = np.array([[ranks.get(item, -1) for item in items] for ranks in places], int).reshape(2, -1)
    level, scale = judgments.level[items], judgments.scale
    known = scale.judged[level]
    weights = metric.weights(track.shape[2]) if metric.weighted else np.full(track.shape[2], np.nan)
    weight = np.where(rank < 0, 0.0, weights[rank])
    gain = np.where(known, metric.earned(scale)[level], np.nan) if metric.weighted else np.full(len(items), np.nan)
    table = documents(two, items).drop(columns="topic").assign(
        rank_a=np.where(rank[0] < 0, np.nan, rank[0] + 1.0),
        rank_b=np.where(rank[1] < 0, np.nan, rank[1] + 1.0),
        state=np.select([scale.relevant[level], known], ["relevant", "not relevant"], "not judged"),
        grade=np.where(level > 0, judgments.grade[items], np.nan),
        gives_a=gain * weight[0],
        gives_b=gain * weight[1],
        moves=np.where(known, 0.0, (weight[0] - weight[1]) * metric.highest(scale)),
    )  # fmt: skip
    table.insert(0, "topic", str(topic))
    unjudged = "for unjudged documents"
    without = unjudged if metric.weighted else f"because {metric.name} has no fixed weights of ranks"
    return table, gaps(table, rank_a=ONLY_B, grade=unjudged, rank_b=ONLY_A, gives_a=without)


def comparison_overlap(
    study: Study, *, a: str | None = None, b: str | None = None, k: int = 10, phi: float = 0.9
) -> tuple[pd.DataFrame, list[str]]:
    """What two systems rank alike on each topic or query, the least alike first: what has changed from a to b.

    overlap : how many documents both have in their first k ranks; entered, left : how many only b has there, only a
    extrapolated : the overlap (RBO) of the full rankings. It needs no judgments.
    """
    two = two_of(study, a, b, None, None)
    lists = two.track.items
    full = rank_biased_overlap(lists[0], lists[1], phi=phi)
    tops = [[set(row[row != EMPTY]) for row in of[:, : k or None]] for of in lists]
    table = every_ranking(two).drop(columns=["system", "group", "pooled"])[: two.track.shape[1]].assign(
        overlap=[len(before & after) for before, after in zip(*tops, strict=True)],
        entered=[len(after - before) for before, after in zip(*tops, strict=True)],
        left=[len(before - after) for before, after in zip(*tops, strict=True)],
        extrapolated=full.extrapolated,
    )  # fmt: skip
    ranked = (two.track.lengths > 0).any(axis=0)
    table = table[ranked].sort_values("extrapolated", kind="stable", ignore_index=True)
    return table, gaps(table, extrapolated="if both rankings are empty")


def comparison_metrics(
    study: Study, *, a: str | None = None, b: str | None = None, metrics: Sequence[str] = USUAL,
    depth: int | None = None, test: str = "t", level: float = 0.05, seed: int = 0, resamples: int = 10_000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The difference of two systems on several metrics, with its possible range and p, uncorrected."""
    two = two_of(study, a, b, metrics[0], depth)
    rows = [_compared(two, metric, depth, "irrelevant", test, level, seed, resamples) for metric in metrics]
    table = pd.DataFrame(rows)
    table.insert(0, "metric", list(metrics))
    return table, gaps(table, p=FEW_TOPICS, interval_low=FEW_TOPICS, certain_low="without exact bounds")


def judge_to_decide(
    study: Study, *, a: str | None = None, b: str | None = None, metric: str = "RBP(p=0.8)", depth: int | None = None,
    top: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The unjudged documents that could change the order of two systems, those that could move it most first.

    moves : the change of the mean difference if the document turns out to have the highest gain; positive helps a
    reverses : whether it is one of the fewest documents that could put the leading system behind
    settles : whether it is one of the fewest that make the order certain if none of them turns out relevant
    After all documents of the list are judged, the order is certain whatever their grades, unless ranks past the end of
    a run decide. Of two systems with the same score none leads, so nothing reverses or settles an order. METHODS 8.6.
    """
    metric = metric_named(metric)
    if not metric.weighted:
        raise ValueError(
            f"{metric.name} has no fixed weights of ranks, so no shortest list is known. Choose P, RBP or SDCG."
        )
    table = _to_judge(two_of(study, a, b, metric.name, depth), metric, depth)
    return table.head(top) if top else table, gaps(table, rank_a=ONLY_B, rank_b=ONLY_A)


def _to_judge(two, metric, depth):
    """The table of `judge_to_decide` for a study of two systems."""
    track, reading = two.track, two.at(depth=depth)
    judgments = reading.judgments
    counted = np.zeros(len(track.topics), bool)
    counted[two.judged_topics[two.counted.all(axis=0)]] = True
    wanted = ~judgments.scale.judged[judgments.level] & counted[track.topic_of_item]
    wanted[EMPTY] = False
    weights, share_of = metric.weights(track.shape[2]), share_of_topic(two)
    moved, rank = np.zeros((2, two.whole.size)), np.full((2, two.whole.size), np.nan)
    for s in (0, 1):
        for q in range(track.shape[1]):
            items = track.items[s, q, : track.lengths[s, q]]
            at = np.flatnonzero(wanted[items])
            moved[s, items[at]] += weights[at] * share_of[s, q]
            rank[s, items[at]] = np.fmin(rank[s, items[at]], at + 1.0)
    moves = (moved[0] - moved[1]) * metric.highest(judgments.scale) / max(1, counted.sum())
    items = np.flatnonzero(np.abs(moves) > EQUAL)
    items = items[np.argsort(-np.abs(moves[items]), kind="stable")]
    scores = topic_scores(two, "all", least=1, metric=metric.name, depth=depth)
    difference = np.nan_to_num(mean_of_known(scores[0] - scores[1]))
    first_leads = difference >= -EQUAL  # also where both are level
    towards = moves[items] * (1 if first_leads else -1)  # below 0: helps the system that is behind
    low, high = certain_ends(two, Regime(depth=depth, metric=metric.name), "all")
    spare = low[0] if first_leads else -high[0]  # by how much the leader is ahead at least
    helps = np.cumsum(np.where(towards < 0, -towards, 0))
    follows = (towards < 0) & (abs(difference) > EQUAL)  # it helps the one that is behind
    reverses = _down_to_first(helps - abs(difference) > EQUAL) & follows
    settles = _down_to_first(spare + helps >= -EQUAL) & follows & (spare < -EQUAL)
    return documents(two, items).assign(
        rank_a=rank[0, items], rank_b=rank[1, items], moves=moves[items], reverses=reverses, settles=settles
    )  # fmt: skip


def _down_to_first(met):
    """The rows down to the first that meets a condition (bool); none if none does."""
    return np.arange(len(met)) <= (met.argmax() if met.any() else -1)


TO_ONE = {"dunnett": significance.dunnett, "tukey": significance.tukey_to_one}


def correction_against(baseline: str | None, correction: str | None) -> str:
    """The correction against a baseline that is used where none is named."""
    return correction or ("tukey" if baseline is None else "holm")


def against_baseline(
    study: Study, *, baseline: str | None = None, metric: str = "RBP(p=0.8)", depth: int | None = None,
    test: str = "t", correction: str | None = None, level: float = 0.05, systems: str | Sequence[str] = "all",
    seed: int = 0, resamples: int = 10_000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """One system against all others: the difference to it, its possible range, its interval, and p with a correction.

    correction : as for `pairs`, but over the comparisons with the baseline alone; or "dunnett", for many comparisons
    with one that was named beforehand; or "tukey", for one that was chosen by its score. The intervals of these two
    hold for all comparisons together. None = "holm" with a named baseline; without one it is the first by mean score,
    and "tukey".
    """
    chosen = study.chosen(systems)
    study = study if chosen.all() else study.only(systems=list(names_of(study, systems)))
    scores = topic_scores(study, "all", metric=metric, depth=depth)
    first = _best_first(study, metric, depth)[0] if baseline is None else baseline
    correction = correction_against(baseline, correction)
    if correction in TO_ONE:
        scores = np.where(np.isnan(scores).any(axis=0), np.nan, scores)
    index, means = int(indices_of([first], study.systems, "system")[0]), mean_of_known(scores.T)
    rivals = np.flatnonzero(np.arange(len(scores)) != index)
    difference = scores[rivals] - scores[index]
    low, high = _ends_to(study, metric, depth, index, rivals)
    n = (~np.isnan(difference)).sum(axis=1)
    mean, _ = significance.mean_and_t(difference)
    if correction in TO_ONE:
        p, half = TO_ONE[correction](scores, index, level)
        corrected = p
    else:
        p = significance.TESTS[test].function(difference, seed=seed, resamples=resamples)
        corrected = significance.corrected(p, correction)
        half = np.array([significance.half_width(row[~np.isnan(row)], level) for row in difference])
    table = pd.DataFrame(
        {
            "system": [study.systems[s] for s in rivals],
            "baseline": first,
            "value": means[rivals],
            "difference": mean,
            "interval_low": mean - half,
            "interval_high": mean + half,
            "certain_low": low,
            "certain_high": high,
            "n": n,
            "p": p,
            "p_corrected": corrected,
            "significant": corrected < level,
        }
    )
    notes = [*notes_on(study, metric, "lower", "irrelevant"), *gaps(table, p=FEW_TOPICS, interval_low=FEW_TOPICS)]
    if correction in TO_ONE:
        name = correction.capitalize()
        notes.append(f"{name}'s test replaces the chosen test, and uses only topics that count for all systems.")
    if baseline is None and correction != "tukey":
        notes.append("p is too small: the baseline was chosen because its score is the highest. Use correction tukey.")
    return table.sort_values("value", ascending=False, kind="stable", ignore_index=True), notes


def _ends_to(study, metric, depth, index, rivals):
    """The least and the greatest mean difference of each other system to one. Two float (others,)."""
    first, second = significance.pairs(len(study.systems))
    low, high = certain_ends(study, Regime(depth=depth, metric=metric), "all")
    ahead = np.full((len(study.systems),) * 2, np.nan)
    ahead[first, second], ahead[second, first] = low, -high
    return ahead[rivals, index], -ahead[index, rivals]


def topics_left_out(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, systems: str | Sequence[str] = "all"
) -> tuple[pd.DataFrame, list[str]]:
    """How hard each topic is, how far it tells systems apart, and what changes in their ordering without it.

    tau, inversions_of_top : of the ordering without the topic against that of all topics
    """
    scores = topic_scores(study, systems, metric=metric, depth=depth)
    whole = mean_of_known(scores.T)
    without = [mean_of_known(np.delete(scores, t, axis=1).T) for t in range(scores.shape[1])]
    mean, n = mean_of_known(scores), (~np.isnan(scores)).sum(axis=0)
    top = orderings.ordering(whole)[:10]
    table = pd.DataFrame(
        {
            "topic": study.judged_topic_names,
            "value": mean,
            "sd": np.sqrt(share_of(mean_of_known((scores - mean) ** 2) * n, n - 1)),
            "tau": [orderings.kendall_tau(whole, means) for means in without],
            "inversions": [orderings.inversions(whole, means) for means in without],
            "inversions_of_top": [orderings.inversions(whole[top], means[top]) for means in without],
        }
    )
    return table, notes_on(study, metric, "lower", "irrelevant")


BETWEEN = (
    "a b value_a value_b difference interval_low interval_high certain_low certain_high won tied_topics lost "
    "won_clearly lost_clearly n p significant settled"
)
QUESTIONS = by_name(
    Question("comparison", comparison, section="8.6", columns=f"{BETWEEN} reversed_by only_longer"),
    Question(
        "comparison_topics", comparison_topics, section="8.6",
        columns="topic value_a value_b difference certain_low certain_high",
    ),
    Question(
        "comparison_documents", comparison_documents, section="8.6", needs_judgments=False,
        columns="topic document rank_a rank_b state grade gives_a gives_b moves",
    ),
    Question(
        "comparison_overlap", comparison_overlap, section="8.6", needs_judgments=False,
        columns="topic overlap entered left extrapolated",
    ),
    Question("comparison_metrics", comparison_metrics, section="8.6", columns=f"metric {BETWEEN}"),
    Question(
        "judge_to_decide", judge_to_decide, section="8.6",
        columns="topic document rank_a rank_b moves reverses settles",
    ),
    Question(
        "against_baseline", against_baseline, section="8.7",
        columns="system baseline value difference interval_low interval_high certain_low certain_high n p p_corrected "
        "significant",
    ),
    Question(
        "topics_left_out", topics_left_out, section="8.8", columns="topic value sd tau inversions inversions_of_top"
    ),
)  # fmt: skip
