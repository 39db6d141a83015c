"""Orderings: do two setups agree on which system is better, and do few judgments suffice for this?"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.estimating.estimators import ESTIMATORS, allowed_for, is_model
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.judgment_cuts import ascending_counts, ascending_depths, in_force, is_cut
from evalcore.questions.pairs import agreement, certain_ends, means_and_certainties, pair_table, tested, topic_scores
from evalcore.questions.question import LARGE, Across, Question
from evalcore.questions.table_helpers import mean_of_known, names_of
from evalcore.questions.table_notes import FEW_TOPICS, gaps, notes_on, only_one_judges
from evalcore.statistics import orderings
from evalcore.statistics.setups import Regime
from evalcore.statistics.setups import regime as regime_named
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import FUZZ
from evalcore.vocabulary.validation import EQUAL


def regimes(
    study: Study, *, regimes: Sequence[str] = ("RBP(p=0.8)", "P@10", "AP", "nDCG"),
    systems: str | Sequence[str] = "all", weight: int | str = 1,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """How well the orderings of systems by different setups agree: every ordered pair of setups, a the reference.

    A setup is a name such as `depth=10 | RBP(p=0.95) | rm`, which evalcore reads. rbo has p = .9; distance is
    that of [LMC17, eq. 11].
    """
    named = {name: regime_named(name) for name in regimes}
    study, notes = _on_common_topics(study, named.values())
    measured = {name: _measured(study, setup, systems) for name, setup in named.items()}
    table = pd.DataFrame(
        [{"a": a, "b": b, **_agreement(measured[a], measured[b], weight)} for a in regimes for b in regimes]
    )
    tied = "if all systems are tied in one of the two orderings"
    return table, [*notes, *_unguessed(study, named), *gaps(table, tau=tied)]


def _agreement(a, b, weight):
    """How far two orderings agree, as of `means_and_certainties`, the first the reference."""
    (of_a, _), (of_b, _), agreed = a, b, agreement(a, b, weight)
    return {
        "tau": agreed["tau"],
        "tau_a": orderings.kendall_tau_a(of_a, of_b),
        "tau_b": agreed["tau"],
        "tau_ap": orderings.tau_ap(of_a, of_b),
        "rbo": orderings.rank_biased_overlap(of_a, of_b),
    } | agreed


def orderings_agree(a: Study, b: Study, metric: Metric) -> str:
    """How far the orderings of systems by two studies of the same systems agree, in words."""
    if len(a.systems) < 2 or len(a.judged_topics) < 2:
        return "The agreement of the two orderings needs at least two systems and two topics."
    (of_a, rho), (of_b, sigma) = (_measured(study, Regime(metric=metric.name), "all") for study in (a, b))
    tau = orderings.kendall_tau(of_a, of_b)
    if np.isnan(tau):
        return "The agreement of the two orderings is undefined: in one of them, all systems have the same score."
    return (
        f"The two orderings: Kendall's tau-b = {tau:.3f}, "
        f"tau_AP = {orderings.tau_ap(of_a, of_b):.3f} with the first as the reference, "
        f"weighted distance = {orderings.weighted_distance(rho, sigma):.3f}, "
        f"{orderings.distance_per_pair(rho, sigma):.4f} per pair."
    )


def _on_common_topics(study, regimes):
    """The study on the topics that both qrels judge, if a setup uses the second, and notes on the other topics."""
    if not any(setup.qrels for setup in regimes):
        return study, []
    return study.on_shared_topics, [*only_one_judges(study)]


def _unguessed(study, named):
    """Notes on setups whose estimator has no effect because there is no interval."""
    for name, setup in named.items():
        if setup.estimator != "lower" and study.at(unjudged=setup.unjudged).kind(setup.metric) == "point":
            yield f"{name} has no interval, so the estimator {setup.estimator} has no effect."


def _measured(study, regime, systems):
    """The mean scores (S,) and the certainty of every pair with a setup, systems by name."""
    by_name = np.argsort(names_of(study, systems), kind="stable")
    return means_and_certainties(topic_scores(regime.judged(study), systems, **regime.params)[by_name])


def leaders(study: Study, regimes: Sequence[str], systems: str | Sequence[str] = "all") -> list[list[str]]:
    """The systems with the highest score under each setup, by name."""
    named = [regime_named(name) for name in dict.fromkeys(regimes)]
    study, _ = _on_common_topics(study, named)
    names, firsts = names_of(study, systems), []
    for setup in named:
        means = mean_of_known(topic_scores(setup.judged(study), systems, **setup.params).T)
        firsts.append(sorted(names[means > np.nanmax(means) - FUZZ]))
    return firsts


def swaps(
    study: Study, *, a: str = "depth=10", b: str = "RBP(p=0.8)", systems: str | Sequence[str] = "all"
) -> tuple[pd.DataFrame, list[str]]:
    """The system pairs that two setups order differently, the most certain in a first.

    certain : with a's judgments and metric, no further judging can reverse a's order; never without exact bounds
    """
    first, second = regime_named(a), regime_named(b)
    study, notes = _on_common_topics(study, (first, second))
    mean_a, p_a = tested(topic_scores(first.judged(study), systems, **first.params))
    mean_b, p_b = tested(topic_scores(second.judged(study), systems, **second.params))
    pairs = pair_table(study, systems)
    low, high = certain_ends(first.judged(study), first, systems)
    swapped = (mean_a * mean_b < 0) & (np.minimum(np.abs(mean_a), np.abs(mean_b)) > EQUAL)
    first_better = mean_a > 0
    table = pd.DataFrame(
        {
            "better": np.where(first_better, pairs["a"], pairs["b"]),
            "worse": np.where(first_better, pairs["b"], pairs["a"]),
            "difference_a": np.abs(mean_a),
            "difference_b": -np.abs(mean_b),
            "p_a": p_a,
            "p_b": p_b,
            "certain": np.where(first_better, low >= -EQUAL, high <= EQUAL),
        }
    )[swapped]
    return table.sort_values("p_a", kind="stable", ignore_index=True), notes


def separability(
    study: Study, *, metric: str = "RBP(p=0.8)", estimators: Sequence[str] = ("lower",),
    depths: Sequence[int | None] | None = None, judgments: Sequence[int | None] | None = None,
    systems: str | Sequence[str] = "all", level: float = 0.01,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The share of significant system pairs by number of judgments, and how many of them are later lost or reversed.

    By a paired t-test [RM10, sec. 4]. Shares of all pairs
    separable : p < level; reversed : separable, but not with all judgments; the next column : separable in
    both, in different directions
    """
    if depths is not None and judgments is not None:
        raise ValueError("depths and judgments cannot both be given. Choose pool depths or numbers of judgments.")
    by = "judgments" if depths is None else "depth"
    cuts = ascending_counts(study, judgments) if depths is None else ascending_depths(study, depths)
    table = _separable(study, metric, estimators, by, cuts, systems, level).drop(columns="separable_final")
    return table, _notes_on_each(study, metric, estimators)


def _separable(study, metric, estimators, by, cuts, systems, level):
    """The table of `separability`, and the share of pairs that are significant with all judgments."""
    rows = []
    for estimator in estimators:
        full_mean, full_p = tested(topic_scores(study, systems, metric=metric, estimator=estimator))
        for cut in cuts:
            mean, p = tested(topic_scores(study, systems, metric=metric, estimator=estimator, **{by: cut}))
            significant, finally_apart = p < level, full_p < level
            in_force = study.at(**{by: cut}).judgments
            rows.append(
                {
                    "estimator": estimator,
                    by: cut,
                    "judgments": int(in_force.count(in_force.scale.judged).sum()),
                    "separable": significant.mean(),
                    "separable_final": finally_apart.mean(),
                    "reversed": (significant & ~finally_apart).mean(),
                    "opposite": (significant & finally_apart & (mean * full_mean < 0)).mean(),
                    "pairs": len(p),
                }
            )
    return pd.DataFrame(rows)


def _notes_on_each(study, metric, estimators):
    notes = [note for estimator in estimators for note in notes_on(study, metric, estimator, "irrelevant")]
    return list(dict.fromkeys(notes))


def separability_by_metric(
    study: Study, *, metrics: Sequence[str] = ("P@10", "RBP(p=0.8)", "RBP(p=0.95)", "AP", "nDCG@10"),
    estimators: Sequence[str] = tuple(ESTIMATORS), judgments: int = 1000, systems: str | Sequence[str] = "all",
    level: float = 0.01,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The share of significant system pairs with few judgments, by metric and estimator [RM10, table 2].

    Columns as of `separability`. Estimators that a metric does not allow are left out: models need a weight for every
    rank, and the others an interval.
    """
    tables, notes = [], []
    for name in metrics:
        metric, cuts = metric_named(name), ascending_counts(study, [judgments])
        allowed = allowed_for(metric, estimators)
        table = _separable(study, name, allowed, "judgments", cuts, systems, level)
        tables.append(table.assign(metric=metric.name))
        notes += _notes_on_each(study, name, allowed)
    columns = ["metric", "estimator", "judgments", "separable", "reversed", "opposite", "pairs", "separable_final"]
    return pd.concat(tables, ignore_index=True)[columns], list(dict.fromkeys(notes))


QUADRANTS = {
    (True, True): "separable in both",
    (True, False): "separable only with few judgments",
    (False, True): "separable only with all judgments",
    (False, False): "separable in neither",
}


def p_values(
    study: Study, *, metric: str = "RBP(p=0.8)", estimator: str = "lower", shallow: int | str = "depth=10",
    systems: str | Sequence[str] = "all", level: float = 0.01,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The p-value of every pair in a t-test with few judgments and with all [RM10, fig. 5].

    shallow : "depth=10", or "judgments=1000"; a number alone is a pool depth, or a count of judgments where it is
        more than the study's depth
    """
    cut = shallow_cut(study, shallow)
    few, full = (
        tested(topic_scores(study, systems, metric=metric, estimator=estimator, **options))[1] for options in (cut, {})
    )
    table = pair_table(study, systems).assign(p_shallow=few, p_full=full)
    table["quadrant"] = [QUADRANTS[bool(a), bool(b)] for a, b in zip(few < level, full < level, strict=True)]
    notes = notes_on(study, metric, estimator, "irrelevant")
    if not isinstance(shallow, str) and "judgments" in cut:
        notes.append(
            f"{shallow} was read as a number of judgments, because the study's pool depth is only {study.depth}."
        )
    return table, [*notes, *gaps(table, p_shallow=FEW_TOPICS, p_full=FEW_TOPICS)]


def shallow_cut(study: Study, shallow: int | str | None) -> dict[str, int | None]:
    if shallow in (None, "all"):
        return {}
    if isinstance(shallow, str):
        cut = regime_named(shallow)
        return {"depth": cut.depth} if cut.judgments is None else {"judgments": cut.judgments}
    return {"depth": shallow} if shallow <= study.depth else {"judgments": shallow}


def _rests_on_the_pool(params, study):
    """Whether any of the setups depends on which systems contributed: by its pool depth, or by a model."""
    named = map(regime_named, params.get("regimes") or (params["a"], params["b"]))
    return any(is_cut(in_force(setup.params, study)) or is_model(setup.estimator) for setup in named)


QUESTIONS = by_name(
    Question(
        "regimes", regimes, section="7.5", of_pool_if=_rests_on_the_pool, files=("other",),
        columns="a b tau tau_a tau_b tau_ap rbo tau_distance distance distance_per_pair inversions",
        across=Across(
            "Agreement of two ways of scoring (τ)", "tau",
            ("“{a}” and “{b}” order the systems nearly alike", "“{a}” and “{b}” order the systems differently"),
            0.9, {"a": "RBP(p=0.8)", "b": "AP"}, lambda metric, a, b: {"regimes": [a, b]},
        ),
    ),
    Question(
        "swaps", swaps, section="7.1", of_pool_if=_rests_on_the_pool, files=("other",),
        columns="better worse difference_a difference_b p_a p_b certain",
    ),
    Question(
        "separability", separability, section="7.6", of_pool=True,
        columns="estimator judgments separable reversed opposite pairs",
    ),
    Question(
        "separability_by_metric", separability_by_metric, section="7.6", long_from=LARGE, of_pool=True,
        columns="metric estimator judgments separable reversed opposite pairs separable_final",
    ),
    Question("p_values", p_values, section="7.6", of_pool=True, columns="a b p_shallow p_full quadrant"),
)  # fmt: skip
