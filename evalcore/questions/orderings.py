"""Orderings: do two ways of measuring order the systems alike, and do few judgments tell apart what all do?"""

import numpy as np
import pandas as pd

from evalcore.comparing import orderings, significance
from evalcore.comparing.regimes import Regime
from evalcore.comparing.regimes import regime as regime_named
from evalcore.names import by_name
from evalcore.questions.cuts import ascending_counts, ascending_depths
from evalcore.questions.notes import gaps, notes_on, only_one_judges
from evalcore.questions.pairs import certain_ends, pair_table, tested, topic_scores
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence, joined


def regimes(study, *, regimes=("RBP(p=0.8)", "P@10", "AP", "nDCG"), systems="all", weight=1, other=None):
    """How far the orderings of systems that ways of measuring give agree: every ordered pair of them, a the reference.

    A regime is a name such as `depth=10 | RBP(p=0.95) | rm`, see `evalcore.regime`. tau, tau_b, tau_ap (b against the
    reference a), rbo of the two orderings (p = .9); tau_distance = the share of pairs ordered oppositely, inversions
    their number; distance = the weighted distance [LMC17, eq. 11], each pair weighing 1 or, with
    weight="rho", as certain as it is in a.
    """
    named = {name: regime_named(name) for name in regimes}
    study, notes = _on_common_topics(study, named.values())
    measured = {name: _measured(study, one, systems) for name, one in named.items()}
    table = pd.DataFrame(
        [{"a": a, "b": b, **_agreement(*measured[a], *measured[b], weight)} for a in regimes for b in regimes]
    )
    tied = "where all systems are tied in one of the two"
    return table, [*notes, *_unguessed(study, regimes), *gaps(table, tau_b=tied)]


def _agreement(of_a, rho, of_b, sigma, weight):
    """How far two sets of mean scores (S,) and of certainties (pairs,) agree, the first the reference."""
    distance = orderings.weighted_distance(rho, sigma, weight=weight)
    return {
        "tau": orderings.kendall_tau(of_a, of_b),
        "tau_b": orderings.kendall_tau_b(of_a, of_b),
        "tau_ap": orderings.tau_ap(of_a, of_b),
        "rbo": orderings.rank_biased_overlap(of_a, of_b),
        "tau_distance": orderings.kendall_distance(of_a, of_b),
        "distance": distance,
        "distance_per_pair": distance / max(np.count_nonzero(~np.isnan(rho + sigma)), 1),
        "inversions": orderings.inversions(of_a, of_b),
    }


def orderings_agree(a, b, metric):
    """How far the orderings of systems by two studies of the same systems agree, in words."""
    if len(a.systems) < 2 or len(a.judged_topics) < 2:
        return "How far the two orderings agree takes two systems and two topics, or more."
    (of_a, rho), (of_b, sigma) = (_measured(one, Regime(metric=metric.name), "all") for one in (a, b))
    distance = orderings.weighted_distance(rho, sigma)
    return (
        f"The two orderings: tau = {orderings.kendall_tau(of_a, of_b):.3f}, "
        f"tau_AP = {orderings.tau_ap(of_a, of_b):.3f} with the first as the reference, "
        f"weighted distance = {distance:.3f}, {distance / max(len(rho), 1):.4f} a pair."
    )


def _on_common_topics(study, regimes):
    """The study on the topics that both qrels judge, where a regime speaks of the second, and what is left out."""
    if not any(one.qrels for one in regimes):
        return study, []
    return study.on_shared_topics, [*only_one_judges(study)]


def _unguessed(study, regimes):
    """Which regimes name an estimate that has no interval to lie in."""
    for name in regimes:
        one = regime_named(name)
        if one.estimator != "lower" and study.at(unjudged=one.unjudged).kind(one.metric) == "point":
            yield f"{name}: there is no interval, so the estimate {one.estimator} changes nothing."


def _measured(study, regime, systems):
    """The mean scores (S,) and the certainty of every pair under a regime, systems by name."""
    names = np.array(study.systems, object)[study.chosen(systems)]
    scores = topic_scores(regime.judged(study), systems, **regime.asked)[np.argsort(names, kind="stable")]
    means = np.array([row[~np.isnan(row)].mean() if (~np.isnan(row)).any() else np.nan for row in scores])
    return means, orderings.certainties(*tested(scores))


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
    take back [RM10, sec. 4]. Shares of all pairs.

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
    """The p-value of every pair's t-test with few judgments and with all [RM10, fig. 5].

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
        cut = regime_named(shallow)
        return {"depth": cut.depth} if cut.judgments is None else {"judgments": cut.judgments}
    return {"depth": shallow} if shallow <= study.depth else {"judgments": shallow}


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _nearest(table, asked, study):
    """Which two regimes agree most, and which least."""
    names = list(dict.fromkeys(asked["regimes"]))
    if len(names) < 2:
        return Sentence("A single regime has none to agree with; choose two.")
    apart = table[(table["a"] != table["b"]) & table["tau"].notna()]
    if not len(apart):
        return Sentence("Too few systems have a score to compare how two regimes order them.")
    most, least = apart.loc[apart["tau"].idxmax()], apart.loc[apart["tau"].idxmin()]
    facts = {"most": [most["a"], most["b"]], "most_tau": most["tau"]}
    if len(names) == 2:
        return Sentence("{most:listed} order the systems with a tau of {most_tau:score}.", **facts)
    if most["tau"] - least["tau"] < FUZZ:
        text = "Of {regimes:count regime}, every two agree equally well: tau is {most_tau:score}."
        return Sentence(text, regimes=len(names), most_tau=most["tau"])
    facts |= {"regimes": len(names), "least": [least["a"], least["b"]], "least_tau": least["tau"]}
    return Sentence(
        "Of {regimes:count regime}, no two agree more than {most:listed} (tau {most_tau:score}) and no two less than "
        "{least:listed} ({least_tau:score}).",
        **facts,
    )


def _swapped(table, asked, study):
    """How many pairs two regimes order oppositely, and how many of these are settled."""
    first, second = regime_named(asked["a"]), regime_named(asked["b"])
    if first == second:
        return Sentence("A regime agrees with itself; choose two.")
    both, swaps = {"a": first.name, "b": second.name}, len(table)
    compared = _pairs_compared(study, (first, second), asked["systems"])
    if not compared:
        return Sentence("No two systems have a judged topic in common, so {a} and {b} cannot be compared.", **both)
    if not swaps:
        return Sentence("No pair of systems swaps between {a} and {b}.", **both)
    alike = Sentence("{a} and {b} order {alike:share} of pairs alike or tied", **both, alike=1 - swaps / compared)
    certain = int(table["certain"].sum())
    if swaps == 1:
        swap = "one pair swaps, which is certain by {a}" if certain else "one pair swaps, which is not certain by {a}"
        return joined(alike, Sentence(swap, a=first.name), end=".")
    swap = "{swaps:count pair} swap, of which {certain:many} certain by {a}"
    return joined(alike, Sentence(swap, swaps=swaps, certain=certain, a=first.name), end=".")


def _pairs_compared(study, regimes, systems):
    """How many pairs of systems have a topic in common that is judged by every qrels that the regimes speak of."""
    counted = study.counted[study.chosen(systems)]
    if any(one.qrels for one in regimes):
        counted = counted[:, np.isin(study.judged_topics, study.judged_by_other.judged_topics)]
    return int(np.triu(counted.astype(float) @ counted.T, 1).astype(bool).sum())


def _separated(table, asked, study):
    """What few judgments separate and all take back, by the first of the estimates."""
    rows = table[table["estimator"] == table["estimator"].iloc[0]]
    few, full = rows.iloc[0], rows.iloc[-1]
    everything = int(study.judgments.count(study.judgments.scale.judged).sum())
    clauses = [_separable(few, asked["level"])]
    if few["judgments"] < everything:
        taken = Sentence("{reversed:share} of pairs are taken back by all judgments", reversed=few["reversed"])
        if few["opposite"] > 0:
            taken += Sentence(", which turn {opposite:share} round", opposite=few["opposite"])
        clauses = [joined(*clauses, taken, by=" and ")]
    if few["judgments"] < full["judgments"]:
        whole = "with all" if full["judgments"] == everything else "with"
        facts = {"full": int(full["judgments"]), "full_separable": full["separable"]}
        clauses.append(Sentence(whole + " {full:number}, {full_separable:share} are separable", **facts))
    return joined(*clauses, end=".")


def _separable(few, level):
    guessed = ", unjudged documents guessed by {estimator}," if few["estimator"] != "lower" else ","
    return Sentence(
        "With {few:digits judgment}" + guessed + " {separable:share} of pairs are separable (p < {level:short})",
        few=int(few["judgments"]), separable=few["separable"], level=level,
        **({"estimator": few["estimator"]} if few["estimator"] != "lower" else {}),
    )  # fmt: skip


def _told_apart(table, asked, study):
    """How many pairs few judgments tell apart and all do not, and the other way round."""
    if len(table) == 1:
        facts = dict(table.iloc[0][["a", "b", "quadrant"]])
        return Sentence("The one pair, {a} and {b}, is {quadrant} (p < {level:short}).", **facts, level=asked["level"])
    apart = {when: int((table["quadrant"] == quadrant).sum()) for when, quadrant in QUADRANTS.items()}
    facts, cut = {"pairs": len(table), "level": asked["level"]}, _shallow_cut(study, asked["shallow"])
    if not cut:
        text = "{apart:number} {apart:verb is/are} significant (p < {level:short}) with all judgments."
        return Sentence("Of {pairs:digits pair}, " + text, **facts, apart=apart[True, True])
    few = "at pool depth {depth:number}" if "depth" in cut else "with {judgments:digits judgment}"
    return Sentence(
        "Of {pairs:digits pair}, {taken_back:number} {taken_back:verb is/are} significant (p < {level:short}) "
        + few
        + " and not with all judgments; {missed:number} {missed:verb needs/need} all judgments to be told apart.",
        **facts, **cut, taken_back=apart[True, False], missed=apart[False, True],
    )  # fmt: skip


QUESTIONS = by_name(
    Question("regimes", regimes, finding=_nearest),
    Question("swaps", swaps, finding=_swapped),
    Question("separability", separability, finding=_separated),
    Question("p_values", p_values, finding=_told_apart),
)
