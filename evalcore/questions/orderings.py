"""Orderings: do two ways of measuring order the systems alike, and do few judgments tell apart what all do?"""

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings, significance
from evalcore.comparing.regimes import Regime
from evalcore.comparing.regimes import regime as regime_named
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.cuts import ascending_counts, ascending_depths
from evalcore.questions.notes import gaps, notes_on, only_one_judges
from evalcore.questions.pairs import certain_ends, pair_table, tested, topic_scores
from evalcore.questions.question import Question


def regimes(study, *, regimes=("RBP(p=0.8)", "P@10", "AP", "nDCG"), systems="all", weight=1, other=None):
    """How far the orderings of systems that ways of measuring give agree: every ordered pair of them, a the reference.

    A regime is a name such as `depth=10 | RBP(p=0.95) | rm`, see `evalcore.regime`. tau, tau_b, tau_ap (b against the
    reference a), rbo of the two orderings (p = .9); tau_distance = the share of pairs ordered oppositely, inversions
    their number; distance = Lu, Moffat & Culpepper's weighted distance (2017, eq. 11), each pair weighing 1 or, with
    weight="rho", as certain as it is in a.
    """
    named = {name: regime_named(name) for name in regimes}
    study, notes = _on_common_topics(study, named.values())
    found = _all_measured(study, named, systems)
    found = [(name, found[name]) for name in regimes]
    rows = []
    for a, (of_a, rho) in found:
        for b, (of_b, sigma) in found:
            distance = orderings.weighted_distance(rho, sigma, weight=weight)
            rows.append(
                {
                    "a": a,
                    "b": b,
                    "tau": orderings.kendall_tau(of_a, of_b),
                    "tau_b": orderings.kendall_tau_b(of_a, of_b),
                    "tau_ap": orderings.tau_ap(of_a, of_b),
                    "rbo": orderings.rank_biased_overlap(of_a, of_b),
                    "tau_distance": orderings.kendall_distance(of_a, of_b),
                    "distance": distance,
                    "distance_per_pair": distance / max(np.count_nonzero(~np.isnan(rho + sigma)), 1),
                    "inversions": orderings.inversions(of_a, of_b),
                }
            )
    table = pd.DataFrame(rows)
    tied = "where all systems are tied in one of the two"
    return table, [*notes, *_unguessed(study, regimes), *gaps(table, tau_b=tied)]


def orderings_agree(a, b, metric):
    """How far the orderings of systems by two studies of the same systems agree, in words."""
    if len(a.systems) < 2 or len(a.judged_topics) < 2:
        return "How far the two orderings agree takes two systems and two topics, or more."
    by_a, by_b = (_measured(one, Regime(metric=metric.name), "all") for one in (a, b))
    distance = orderings.weighted_distance(by_a[1], by_b[1])
    return (
        f"The two orderings: tau = {orderings.kendall_tau(by_a[0], by_b[0]):.3f}, "
        f"tau_AP = {orderings.tau_ap(by_a[0], by_b[0]):.3f} with the first as the reference, "
        f"weighted distance = {distance:.3f}, {distance / max(len(by_a[1]), 1):.4f} a pair."
    )


def _on_common_topics(study, regimes):
    """The study on the topics that both qrels judge, where a regime speaks of the second, and what is left out."""
    if not any(said.qrels for said in regimes):
        return study, []
    return study.on_shared_topics, [*only_one_judges(study)]


def _all_measured(study, named, systems):
    """What `_measured` says of each regime. Those of one weighted metric at several depths come from one sweep."""
    by_metric = {}
    for name, said in named.items():
        by_metric.setdefault((said.metric, said.unjudged, said.qrels), []).append(name)
    found = {}
    for (metric, unjudged, _), names in by_metric.items():
        depths = {named[name].depth or pool.EVERYTHING for name in names if named[name].judgments is None}
        if len(depths) > 1 and metric_named(metric).weighted:
            named[names[0]].judged(study).at(unjudged=unjudged).sweep(metric, sorted(depths))
        found |= {name: _measured(study, named[name], systems) for name in names}
    return found


def _unguessed(study, regimes):
    """Which regimes name an estimate that has no interval to lie in."""
    for name in regimes:
        said = regime_named(name)
        if said.estimator != "lower" and study.at(unjudged=said.unjudged).kind(said.metric) == "point":
            yield f"{name}: there is no interval, so the estimate {said.estimator} changes nothing."


def _measured(study, regime, systems):
    """The mean scores (S,) and the certainty of every pair under a regime, systems by name."""
    names = np.array(study.systems, object)[study.chosen(systems)]
    scores = topic_scores(regime.judged(study), systems, **regime.asked)[np.argsort(names, kind="stable")]
    mean, p = tested(scores)
    return np.array([row[~np.isnan(row)].mean() if (~np.isnan(row)).any() else np.nan for row in scores]), (
        orderings.certainties(mean, p)
    )


def swaps(study, *, a="depth=10", b="RBP(p=0.8)", systems="all", other=None):
    """The pairs of systems that two regimes order oppositely, the surest in a first.

    better : the system that a puts above `worse`; difference_a > 0 and difference_b < 0 are the mean differences, p_a
    and p_b those of t-tests; certain : by a's judgments and metric, nothing that is unjudged could make a wrong
    """
    first, second = regime_named(a), regime_named(b)
    study, notes = _on_common_topics(study, (first, second))
    mean_a, p_a = tested(topic_scores(first.judged(study), systems, **first.asked))
    mean_b, p_b = tested(topic_scores(second.judged(study), systems, **second.asked))
    table = pair_table(study, systems)
    low, high = certain_ends(first.judged(study), first, systems)
    swapped = (mean_a * mean_b < 0) & (np.minimum(np.abs(mean_a), np.abs(mean_b)) > orderings.EQUAL)
    first_better = mean_a > 0
    table = pd.DataFrame(
        {
            "better": np.where(first_better, table["a"], table["b"]),
            "worse": np.where(first_better, table["b"], table["a"]),
            "difference_a": np.abs(mean_a),
            "difference_b": -np.abs(mean_b),
            "p_a": p_a,
            "p_b": p_b,
            "certain": np.where(first_better, low >= -significance.EQUAL, high <= significance.EQUAL),
        }
    )[swapped]
    return table.sort_values("p_a", kind="stable", ignore_index=True), notes


def separability(
    study, *, metric="RBP(p=0.8)", estimators=("lower",), depths=None, judgments=None, systems="all", level=0.01
):
    """How many pairs of systems a paired t-test tells apart as judgments grow, and how many of those all judgments
    take back (Ravana & Moffat 2010, sec. 4). Shares of all pairs.

    separable : p < level; reversed : separable, but not with all judgments; opposite : separable in both, in opposite
    directions. By default 1/64, 1/32, ... of all judgments, then all.
    """
    if depths is not None and judgments is not None:
        raise ValueError("depths and judgments exclude each other: name pool depths or counts of judgments.")
    by = "judgments" if depths is None else "depth"
    cuts = ascending_counts(study, judgments) if depths is None else ascending_depths(study, depths)
    rows = []
    for estimator in estimators:
        full_mean, full_p = tested(topic_scores(study, systems, metric=metric, estimator=estimator))
        for cut in cuts:
            mean, p = tested(topic_scores(study, systems, metric=metric, estimator=estimator, **{by: cut}))
            apart, finally_apart = p < level, full_p < level
            in_force = study.at(**{by: cut}).judgments
            rows.append(
                {
                    "estimator": estimator,
                    **({"depth": cut} if by == "depth" else {}),
                    "judgments": int(in_force.count(in_force.scale.judged).sum()),
                    "separable": apart.mean(),
                    "reversed": (apart & ~finally_apart).mean(),
                    "opposite": (apart & finally_apart & (mean * full_mean < 0)).mean(),
                    "pairs": len(p),
                }
            )
    notes = [note for estimator in estimators for note in notes_on(study, metric, estimator, "irrelevant")]
    return pd.DataFrame(rows), list(dict.fromkeys(notes))


QUADRANTS = {
    (True, True): "separable in both",
    (True, False): "separable only with few judgments",
    (False, True): "separable only with all judgments",
    (False, False): "separable in neither",
}


def p_values(study, *, metric="RBP(p=0.8)", estimator="lower", shallow="depth=10", systems="all", level=0.01):
    """The p-value of every pair's t-test with few judgments and with all (Ravana & Moffat 2010, fig. 5).

    shallow : "depth=10", or "judgments=1000"; a number alone is a pool depth, or a count of judgments where it is
        more than the study's depth
    """
    cut = _shallow_cut(study, shallow)
    few, full = (
        tested(topic_scores(study, systems, metric=metric, estimator=estimator, **some))[1] for some in (cut, {})
    )
    table = pair_table(study, systems).assign(p_shallow=few, p_full=full)
    table["quadrant"] = [QUADRANTS[bool(a), bool(b)] for a, b in zip(few < level, full < level, strict=True)]
    notes = notes_on(study, metric, estimator, "irrelevant")
    if not isinstance(shallow, str) and "judgments" in cut:
        notes.append(f"{shallow} was taken as a count of judgments: the study's pool is {study.depth} deep.")
    few = "for pairs with fewer than two common topics"
    return table, [*notes, *gaps(table, p_shallow=few, p_full=few)]


def _shallow_cut(study, shallow):
    if shallow in (None, "all"):
        return {}
    if isinstance(shallow, str):
        said = regime_named(shallow)
        return {"depth": said.depth} if said.judgments is None else {"judgments": said.judgments}
    return {"depth": shallow} if shallow <= study.depth else {"judgments": shallow}


QUESTIONS = by_name(
    Question("regimes", regimes),
    Question("swaps", swaps),
    Question("separability", separability),
    Question("p_values", p_values),
)
