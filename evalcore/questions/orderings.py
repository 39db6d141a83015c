"""Orderings: do two setups agree on which system is better, and do few judgments suffice for this?"""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from evalcore.comparing import orderings
from evalcore.comparing.regimes import Regime
from evalcore.comparing.regimes import regime as regime_named
from evalcore.estimating.estimators import is_model
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.clauses import is_cut, measured, the_first
from evalcore.questions.cuts import ascending_counts, ascending_depths, in_force
from evalcore.questions.notes import gaps, notes_on, only_one_judges
from evalcore.questions.pairs import certain_ends, pair_table, tested, topic_scores
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known
from evalcore.sentences import FUZZ, Sentence, joined, opening
from evalcore.values import EQUAL


def regimes(study, *, regimes=("RBP(p=0.8)", "P@10", "AP", "nDCG"), systems="all", weight=1, other=None):
    """How well the orderings of systems by different setups agree: every ordered pair of setups, a the reference.

    A setup is a name such as `depth=10 | RBP(p=0.95) | rm`, which `evalcore.regime` reads. rbo has p = .9; distance is
    that of [LMC17, eq. 11].
    """
    named = {name: regime_named(name) for name in regimes}
    study, notes = _on_common_topics(study, named.values())
    measured = {name: _measured(study, one, systems) for name, one in named.items()}
    table = pd.DataFrame(
        [{"a": a, "b": b, **_agreement(*measured[a], *measured[b], weight)} for a in regimes for b in regimes]
    )
    tied = "where all systems are tied in one of the two orderings"
    return table, [*notes, *_unguessed(study, named), *gaps(table, tau=tied)]


def _agreement(of_a, rho, of_b, sigma, weight):
    """How far two sets of mean scores (S,) and of certainties (pairs,) agree, the first the reference."""
    tau = orderings.kendall_tau(of_a, of_b)
    return {
        "tau": tau,
        "tau_a": orderings.kendall_tau_a(of_a, of_b),
        "tau_b": tau,
        "tau_ap": orderings.tau_ap(of_a, of_b),
        "rbo": orderings.rank_biased_overlap(of_a, of_b),
        "tau_distance": orderings.kendall_distance(of_a, of_b),
        "distance": orderings.weighted_distance(rho, sigma, weight=weight),
        "distance_per_pair": orderings.distance_per_pair(rho, sigma, weight=weight),
        "inversions": orderings.inversions(of_a, of_b),
    }


def orderings_agree(a, b, metric):
    """How far the orderings of systems by two studies of the same systems agree, in words."""
    if len(a.systems) < 2 or len(a.judged_topics) < 2:
        return "The agreement of the two orderings needs at least two systems and two topics."
    (of_a, rho), (of_b, sigma) = (_measured(one, Regime(metric=metric.name), "all") for one in (a, b))
    tau = orderings.kendall_tau(of_a, of_b)
    if np.isnan(tau):
        return "The agreement of the two orderings is undefined: in one of them, all systems have the same score."
    return (
        f"The two orderings: Kendall's tau-b = {tau:.3f}, "
        f"tau_AP = {orderings.tau_ap(of_a, of_b):.3f} with the first as the reference, "
        f"weighted distance = {orderings.weighted_distance(rho, sigma):.3f}, "
        f"{orderings.distance_per_pair(rho, sigma):.4f} a pair."
    )


def _on_common_topics(study, regimes):
    """The study on the topics that both qrels judge, if a setup uses the second, and notes on the other topics."""
    if not any(one.qrels for one in regimes):
        return study, []
    return study.on_shared_topics, [*only_one_judges(study)]


def _unguessed(study, named):
    """Notes on setups whose estimator has no effect because there is no interval."""
    for name, one in named.items():
        if one.estimator != "lower" and study.at(unjudged=one.unjudged).kind(one.metric) == "point":
            yield f"{name}: there is no interval, so the estimator {one.estimator} has no effect."


def _measured(study, regime, systems):
    """The mean scores (S,) and the certainty of every pair with a setup, systems by name."""
    names = np.array(study.systems, object)[study.chosen(systems)]
    scores = topic_scores(regime.judged(study), systems, **regime.asked)[np.argsort(names, kind="stable")]
    return mean_of_known(scores.T), orderings.certainties(*tested(scores))


def swaps(study, *, a="depth=10", b="RBP(p=0.8)", systems="all", other=None):
    """The system pairs that two setups order differently, the most certain in a first.

    certain : with a's judgments and metric, no further judging can reverse a's order; never without exact bounds
    """
    first, second = regime_named(a), regime_named(b)
    study, notes = _on_common_topics(study, (first, second))
    mean_a, p_a = tested(topic_scores(first.judged(study), systems, **first.asked))
    mean_b, p_b = tested(topic_scores(second.judged(study), systems, **second.asked))
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
    study, *, metric="RBP(p=0.8)", estimators=("lower",), depths=None, judgments=None, systems="all", level=0.01
):
    """The share of significant system pairs by number of judgments, and how many of them are later lost or reversed.

    By a paired t-test [RM10, sec. 4]. Shares of all pairs
    separable : p < level; reversed : separable, but not with all judgments; opposite : separable in both, in different
    directions
    """
    if depths is not None and judgments is not None:
        raise ValueError("depths and judgments exclude each other: choose pool depths or numbers of judgments.")
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
                    by: cut,
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
    """The p-value of every pair in a t-test with few judgments and with all [RM10, fig. 5].

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


MEASURES = {  # of agreement: column of `regimes` -> how a sentence names it
    "tau": "tau-b",
    "tau_ap": "tau AP",
    "rbo": "RBO",
    "distance_per_pair": "weighted distance per pair",
}


def agreement(table, asked, study, by="tau"):
    """Which two regimes agree most, and which least, and on which topics. by : the measure of agreement, one of
    MEASURES"""
    return joined(_most_and_least(table, asked, study, by), _on_which_topics(study, asked["regimes"]), by=" ")


def _most_and_least(table, asked, study, by):
    """Which two regimes agree most, and which least."""
    apart = table[(table["a"] != table["b"]) & table[by].notna()]
    if not len(apart):
        return Sentence("How regimes agree takes two of them, by each of which two systems score differently.")
    regimes, name = [name for name in dict.fromkeys(asked["regimes"]) if name in set(apart["a"])], MEASURES[by]
    most, least = apart.loc[apart[by].idxmax()], apart.loc[apart[by].idxmin()]
    if most[by] - least[by] < FUZZ:
        every = "any two of " if len(regimes) > 2 else ""
        text = f"{opening(every)}{{regimes:listed}} order the systems with a {name} of {{{by}:score}}."
        return Sentence(text, **{"regimes": [_in_words(regime, study) for regime in regimes], by: most[by]})
    if by == "distance_per_pair":
        most, least = least, most
    as_much, as_little = (_as_do_others(apart, row[by], by, which) for row, which in ((most, "most"), (least, "least")))
    told = Sentence(
        "Of {regimes:count way} of measuring, {most:listed} order the systems most alike "
        f"({name} {{most_{by}:score}}",
        regimes=len(set(asked["regimes"])),
        **{"most": [_in_words(most[end], study) for end in "ab"], f"most_{by}": most[by]},
    ) + as_much  # fmt: skip
    least = {"least": [_in_words(least[end], study) for end in "ab"], f"least_{by}": least[by]}
    return told + Sentence(f") and {{least:listed}} least ({{least_{by}:score}}", **least) + as_little + ")."


def _look_at_the_pool(asked, study):
    """Whether any of the regimes hangs on who formed the pool: by its cut of the judgments, or by a model."""
    named = map(regime_named, asked.get("regimes") or (asked["a"], asked["b"]))
    return any(is_cut(in_force(one.asked, study)) or is_model(one.estimator) for one in named)


def _on_which_topics(study, regimes):
    """On how many topics regimes of two sets of judgments are compared, where one of the sets has more."""
    if study.other is None or not any(regime_named(name).qrels for name in regimes):
        return None
    shared = len(study.on_shared_topics.judged_topics)
    if shared == len(study.judged_topics) == len(study.judged_by_other.judged_topics):
        return None
    return Sentence("Compared on the {shared:digits topic} that both sets of judgments have.", shared=shared)


def _as_do_others(apart, value, by, which):
    """How many other pairs of regimes agree as much; nothing where none does."""
    same = apart[(apart[by] - value).abs() < FUZZ]
    others = len(set(map(frozenset, zip(same["a"], same["b"], strict=True)))) - 1
    text = f", as {{{which}_others:verb does/do}} {{{which}_others:count other pair}}"
    return Sentence(text, **{f"{which}_others": others}) if others > 0 else Sentence("")


def _swapped(table, asked, study):
    """How many pairs two regimes order oppositely, and how many of these are settled."""
    systems, first = int(study.chosen(asked["systems"]).sum()), regime_named(asked["a"])
    second = regime_named(asked["b"])
    bounded = first.unjudged == "irrelevant" and metric_named(first.metric).kind == "bounds" and len(table)
    bounded = bounded and not _judges_on(first, second)
    surest = table.iloc[0] if len(table) else {"better": None, "worse": None}
    order, settled = "order {swaps:number} of {pairs:digits pair}", "{certain:many}"
    if systems == 2:
        order = "order the one pair" if len(table) else "do not order the one pair"
        settled = "it is" if table["certain"].all() else "it is not"
    told = joined(
        f"{{a}} and {{b}} {order} of systems oppositely",
        f"{settled} settled by judging under the first" if bounded else None,
        "the clearest by the first is {better} ahead of {worse}" if len(table) > 1
        else "by the first {better} is ahead of {worse}", end=".",
        pairs=systems * (systems - 1) // 2, swaps=len(table), certain=int(table["certain"].sum()),
        a=_in_words(first.name, study), b=_in_words(second.name, study), better=surest["better"], worse=surest["worse"],
    )  # fmt: skip
    return joined(told, _on_which_topics(study, (asked["a"], asked["b"])), by=" ")


def _in_words(name, study):
    """A regime as one would say it: "RBP(p=0.8) at pool depth 10". No cut is told that takes in all judgments."""
    one = regime_named(name)
    cut = "" if one.depth is None else f" at pool depth {one.depth}"
    few = in_force({"judgments": one.judgments}, study)["judgments"]
    cut += f" with {the_first(few)}" if few else ""
    return measured(one.asked) + cut + (" by the second judgments" if one.qrels else "")


def _judges_on(first, second):
    """Whether the second regime is the first with more judged, where none that is settled can swap."""
    alike = all(getattr(first, name) == getattr(second, name) for name in ("qrels", "metric", "unjudged"))
    every = second.depth is None and second.judgments is None
    depths, counts = (
        None not in pair and pair[0] <= pair[1]
        for pair in ((first.depth, second.depth), (first.judgments, second.judgments))
    )
    return alike and second.estimator == "lower" and (every or depths or counts)


def _separated(table, asked, study):
    """What few judgments separate and all take back, by the first of the estimates."""
    rows = table[table["estimator"] == table["estimator"].iloc[0]]
    few, full = rows.iloc[0], rows.iloc[-1]
    ends = {"full": full["judgments"], "full_separable": full["separable"]} if len(rows) > 1 else {}
    told = joined(
        "By {measure}, {few:digits judgment} {few:verb separates/separate} {separable:share} of pairs of systems "
        "(p < {level:short})",
        "{full:number} {full:verb separates/separate} {full_separable:share}" if ends else None, by=" and ",
        separable=few["separable"], few=few["judgments"], level=asked["level"],
        measure=measured({"metric": asked["metric"], "estimator": few["estimator"]}), **ends,
    )  # fmt: skip
    if not few["separable"]:
        return told + "."
    back = "; with all judgments {reversed:share} of pairs are separable no more and "
    return told + Sentence(back + "{opposite:share} the other way round.", **few[["reversed", "opposite"]])


def _told_apart(table, asked, study):
    """How many pairs few judgments tell apart and all do not, and the other way round."""
    both, only_few, only_all, _ = (int((table["quadrant"] == quadrant).sum()) for quadrant in QUADRANTS.values())
    cut = in_force(_shallow_cut(study, asked["shallow"]), study)
    cut = {name: count for name, count in cut.items() if count is not None}
    facts = {"pairs": len(table), "both": both, "level": asked["level"], "measure": measured(asked)} | cut
    pairs, told = "{pairs:digits pair} of systems", "{both:number} {both:verb is/are} separable by {measure}"
    if not cut and len(table) == 1:
        told = f"the one pair of systems is {'' if both else 'not '}separable by {{measure}}"
        return Sentence(f"With all judgments, {told} (p < {{level:short}}).", **facts)
    if not cut:
        return Sentence(f"With all judgments, of {pairs}, {told} (p < {{level:short}}).", **facts)
    few = "at pool depth {depth}" if "depth" in cut else f"with {the_first(cut['judgments']).text}"
    if len(table) == 1:
        where = f"{few} alone, not" if only_few else f"neither {few} nor" if not (both or only_all) else f"{few} and"
        where = f"not {few}, but only" if only_all else where
        told = f"The one pair of systems is separable by {{measure}} {where} with all judgments (p < {{level:short}})."
        return Sentence(told, only_few=only_few, only_all=only_all, **facts)
    return Sentence(
        f"Of {pairs}, {told} {few} and with all judgments (p < {{level:short}}), {{only_few:number}} {few} alone, and "
        "{only_all:number} with all judgments alone.", only_few=only_few, only_all=only_all, **facts,
    )  # fmt: skip


def agreement_by(measure, answer, study):
    """What `regimes` finds by another measure of agreement, one of MEASURES."""
    row = replace(QUESTIONS["regimes"], finding=partial(agreement, by=measure))
    return row.says(answer.table, answer.params, study)


QUESTIONS = by_name(
    Question("regimes", regimes, section="7.5", finding=agreement, spans="scores", of_pool=_look_at_the_pool),
    Question("swaps", swaps, section="7.1", finding=_swapped, spans="topics", of_pool=_look_at_the_pool),
    Question("separability", separability, section="7.6", finding=_separated, spans="scores", of_pool=True),
    Question("p_values", p_values, section="7.6", finding=_told_apart, spans="scores", of_pool=True),
)
