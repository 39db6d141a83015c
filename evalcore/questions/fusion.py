"""Fusion: is a fused run better than its best input? Rankings of several systems or query variations fused [BMST17].

k : the largest depth of fused rankings; None = 1000, or as deep as the track. Deeper ones have a higher AP
over : "systems"; "variations", each system by itself; or "both", the variations of each, then the systems
best_input : the input with the highest mean. Over variations an input is the first query of every topic, the second,
    and so on, and the last of a topic with fewer; `oracle_variation` is about the best query of each topic
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.collection.track import EMPTY
from evalcore.fusion import fused_runs, methods
from evalcore.fusion.methods import rule as rule_named
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.fusion_inputs import as_good, fused_study, scores_of_inputs, study_of_inputs
from evalcore.questions.question import LARGE, Across, Question
from evalcore.questions.table_helpers import mean_of_known, names_of, scores_by_topic
from evalcore.questions.table_notes import gaps, most_variations, unjudged_topics
from evalcore.statistics import significance
from evalcore.study import study_fusion
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import known, verb


def fuse(
    study: Study, *, systems: str | Sequence[str] = "all", method: str = "rbc", phi: float | None = None,
    variations: bool = False, weights: Sequence[float] | None = None, normalisation: str | None = None,
    topic: str | None = None, k: int | None = 1000,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The fused ranking of every topic to rank k, with each document's score and its ranks in the inputs.

    inputs : as input@rank; lists : how many inputs contain it; k = None: all documents of any input

    variations : whether the queries of a topic are fused as well: for a single system, or for each before the systems
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    if topic is not None:
        study = study.only(topics=[str(topic)])
    over = "systems" if not variations else "variations" if study.chosen(systems).sum() == 1 else "both"
    track, rankings = study_fusion.inputs_of(study, systems, over=over, weights=weights).last_step(rule)
    tables = [_fused_table(track, rule, ranking, over, k) for ranking in rankings]
    table = pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
    if over != "systems" or not study.has_variations:
        table = table.drop(columns="query")
    return table, _notes_on(track, [rule], rankings)


def fusion_scores(
    study: Study, *, systems: str | Sequence[str] = "all", methods: Sequence[str] = ("rbc", "borda", "combmnz"),
    phis: Sequence[float] = (0.8, 0.9, 0.95, 0.99), metrics: Sequence[str] = ("AP", "nDCG@10", "RBP(p=0.95)"),
    over: str = "systems", level: float = 0.05, normalisation: str | None = None,
    weights: Sequence[float] | None = None, k: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The gain from fusion, by method and metric: the mean score of the fused run, its best input and all inputs.

    p : of a two-tailed paired t-test over topics against the best input; better : a gain with a p below the level
    p_one_tailed, p_against_borda : of one-tailed tests against the best input, and against Borda
    p_tukey : the p of the first test among all inputs, as the best one was chosen by its score
    system : the system whose variations are fused; "" for several systems
    best : the best input; for variations, which query of every topic
    """
    rules, borda = _rules(methods, phis, normalisation), rule_named("borda")
    inputs = study_fusion.inputs_of(study, systems, over=over, weights=weights, k=k)
    fused_by_rule = {rule.name: fused_study(study, rule, inputs) for rule in [borda, *rules]}
    rows, tied = [], []
    inputs_by_rule = {
        rule.name: study_of_inputs(study, rule, inputs) for rule in (rules if over == "both" else rules[:1])
    }
    for name in metrics:
        scores = {rule: scores_by_topic(of, name) for rule, of in fused_by_rule.items()}
        best = {rule: scores_of_inputs(of, over, name) for rule, of in inputs_by_rule.items()}
        tied += [note for beside in best.values() for note in as_good(beside, metric_named(name).name)]
        for rule in rules:
            compared = zip(best.get(rule.name, best[rules[0].name]), scores[rule.name], scores["borda"], strict=True)
            rows += [_gains(of_system, rule, name, fused, against, level) for of_system, fused, against in compared]
    table, few = pd.DataFrame(rows), "below two topics"
    notes = [
        *dict.fromkeys(tied),
        *_notes(study, rules, inputs),
        *_deeper(fused_by_rule[rules[0].name].track, study.track, inputs.systems),
    ]
    without = {"phi": "for methods without this parameter", "p": few, "p_against_borda": f"for Borda itself, and {few}"}
    return table, [*notes, *gaps(table, **without)]


def fusion_by_count(
    study: Study, *, systems: str | Sequence[str] = "all", method: str = "rbc", phi: float | None = None,
    metric: str = "AP", counts: Sequence[int] | None = None, normalisation: str | None = None,
    weights: Sequence[float] | None = None, k: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score of each system's first query variations fused, by their number [BMST17, table 1].

    A topic with fewer uses all of its own; topics = how many have that many."""
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = study_fusion.inputs_of(study, systems, over="variations", weights=weights, k=k)
    every, most = inputs.variations or {}, most_variations(study.track)
    counts, rows = counts or range(1, most + 1), []
    for count in counts:
        fused = fused_study(study, rule, _first_variations(inputs, count))
        scores = scores_by_topic(fused, metric)
        enough = sum(len(every[topic]) >= count for topic in study.judged_topics)
        rows += [
            (system, count, value, n, enough)
            for system, value, n in zip(fused.systems, mean_of_known(scores.T), fused.counted.sum(axis=1), strict=True)
        ]
    table = QUESTIONS["fusion_by_count"].table(rows)
    table = table.sort_values(["system", "count"], ignore_index=True, kind="stable")
    notes = (
        [f"No topic has more than {most} variations; a larger count uses all of them."] if max(counts) > most else []
    )
    longer = _deeper(fused.track, study.track, inputs.systems)  # with the most variations
    return table, [*_notes(study, [rule], inputs), *longer, *notes]


def fusion_methods_by_count(
    study: Study, *, systems: str | Sequence[str] = "all", methods: Sequence[str] = ("rbc", "borda", "combmnz"),
    phis: Sequence[float] = (0.9,), metrics: Sequence[str] = ("AP", "nDCG@10", "RBP(p=0.95)"),
    counts: Sequence[int] | None = None, normalisation: str | None = None, weights: Sequence[float] | None = None,
    k: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score of fused query variations by method, number of variations and metric [BMST17, table 1].

    Over systems, then topics. p_against_borda : of a one-tailed paired t-test over the n topics
    """
    rules, borda = _rules(methods, phis, normalisation), rule_named("borda")
    inputs = study_fusion.inputs_of(study, systems, over="variations", weights=weights, k=k)
    most = most_variations(study.track)
    counts, rows = counts or range(1, most + 1), []
    for count in counts:
        few = _first_variations(inputs, count)
        fused = {name: fused_study(study, rule, few) for name, rule in {r.name: r for r in [borda, *rules]}.items()}
        for metric in metrics:
            of_topic = {rule: mean_of_known(scores_by_topic(of, metric)) for rule, of in fused.items()}
            for rule in rules:
                (against,) = significance.p_of_better((of_topic[rule.name] - of_topic["borda"])[None])
                means = of_topic[rule.name][~np.isnan(of_topic[rule.name])]
                rows.append(
                    {
                        "count": count,
                        **_named(rule, metric),
                        "value": float(np.mean(means)) if len(means) else np.nan,
                        "p_against_borda": np.nan if rule.name == "borda" else against,
                        "n": len(means),
                    }
                )
    notes = gaps(pd.DataFrame(rows), phi="for methods without this parameter", p_against_borda="for Borda itself")
    longer = _deeper(fused["borda"].track, study.track, inputs.systems)  # with the most variations
    return pd.DataFrame(rows), [*_notes(study, rules, inputs), *longer, *notes]


def double_fusion(
    study: Study, *, systems: str | Sequence[str] = "all", methods: Sequence[str] = ("rbc", "borda", "combmnz"),
    phis: Sequence[float] = (0.9,), metrics: Sequence[str] = ("AP", "nDCG@10", "RBP(p=0.95)"),
    normalisation: str | None = None, weights: Sequence[float] | None = None, k: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean score without fusion, of fused systems, of fused variations, and of both [BMST17, table 3].

    single : the mean of all systems and variations; over_systems : the mean over a topic's variations
    over_variations : the mean over systems; over_both : of the one ranking of each topic
    ..._max : that of the best of them: system, variation or both; gain : over_both as a share more than single
    """
    rules = _rules(methods, phis, normalisation)
    names = list(names_of(study, systems))
    most_variations(study.track)
    if len(names) < 2:
        raise ValueError("double fusion needs at least two systems. Choose another system.")
    rows, unfused = [], study.only(systems=names)
    for rule in rules:
        fused = {
            over: fused_study(study, rule, study_fusion.inputs_of(study, names, over=over, weights=weights, k=k))
            for over in ("systems", "variations", "both")
        }
        for metric in metrics:
            means = {f"over_{over}": _mean_over_topics(scores_by_topic(of, metric)) for over, of in fused.items()}
            rows.append(
                {
                    **_named(rule, metric),
                    "single": _mean_over_topics(scores_by_topic(unfused, metric)),
                    **means,
                    "single_max": _best_mean(scores_of_inputs(unfused, "variations", metric)),
                    "over_systems_max": _best_mean(scores_of_inputs(fused["systems"], "variations", metric)),
                    "over_variations_max": _best_mean(scores_of_inputs(fused["variations"], "both", metric)),
                }
            )
    table = pd.DataFrame(rows)
    for gain, of in (("gain", "single"), ("gain_over_max", "single_max")):
        table[gain] = table["over_both"] / table[of].replace(0, np.nan) - 1
    longer = _deeper(fused["both"].track, study.track, np.flatnonzero(study.chosen(systems)))
    without = {"phi": "for methods without this parameter", "gain": "if the mean score without fusion is 0"}
    without["gain_over_max"] = "if every score without fusion is 0"
    return table, [*unjudged_topics(study), *longer, *gaps(table, **without)]


def _first_variations(inputs, count):
    """The inputs with so many variations of each topic, the first ones."""
    return replace(inputs, variations={topic: queries[:count] for topic, queries in (inputs.variations or {}).items()})


def _named(rule, metric):
    """The columns that name a method of fusion and a metric."""
    return {"method": rule.method.name, "phi": rule.says("phi"), "metric": metric_named(metric).name}


def _best_mean(inputs):
    """The highest mean over topics of any best input."""
    return float(pd.Series([float(mean_of_known(scores.best)) for scores in inputs]).max())


def _rules(methods, phis, normalisation):
    """The fusion methods with each persistence, those without one once."""
    every = (rule_named(name, phi=phi, normalisation=normalisation) for name in methods for phi in phis)
    return list({rule.name: rule for rule in every}.values())


def _mean_over_topics(scores):
    """The mean over systems, then over topics, of scores (S, T'), NaN where there is none."""
    means = mean_of_known(scores)
    known_means = means[~np.isnan(means)]
    return float(np.mean(known_means)) if len(known_means) else np.nan


def fusion_topics(
    study: Study, *, systems: str | Sequence[str] = "all", method: str = "rbc", phi: float | None = None,
    metric: str = "AP", over: str = "systems", normalisation: str | None = None,
    weights: Sequence[float] | None = None, k: int | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The scores on each topic of the fused run, of its best input and of all inputs on average.

    system : the system whose variations are fused; "" for several systems; best : the best input, or its query
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = study_fusion.inputs_of(study, systems, over=over, weights=weights, k=k)
    scores = scores_by_topic(fused_study(study, rule, inputs), metric)
    input_scores = scores_of_inputs(study_of_inputs(study, rule, inputs), over, metric)
    tables = [
        pd.DataFrame(
            {
                "system": input_score.system,
                "topic": study.judged_topic_names,
                "fused": fused,
                "best_input": input_score.best,
                "mean_input": input_score.mean,
                "difference": fused - input_score.best,
                "best": input_score.names,
            }
        )
        for fused, input_score in zip(scores, input_scores, strict=True)
    ]
    table = pd.concat(tables, ignore_index=True).dropna(subset="fused", ignore_index=True)
    notes = [*as_good(input_scores, metric_named(metric).name), *_notes(study, [rule], inputs)]
    return table, [*notes, *gaps(table, difference="if the best input has no ranking that counts")]


def _fused_table(track, rule, ranking, over, k):
    """One fused ranking as rows."""
    systems, queries, _ = ranking
    items, values = fused_runs.fused_list(track, rule, *ranking, depth=k)
    named, numbers = (track.queries, queries) if over == "variations" else (track.systems, systems)
    by_rank = track.items[systems, queries].T
    rank, at = np.nonzero(np.isin(by_rank, items))  # best ranks first, then as the inputs stand
    labels = [f"{named[number]}@{place}" for number, place in zip(numbers[at], rank + 1, strict=True)]
    contents = pd.Series(labels, dtype=object).groupby(by_rank[rank, at]).agg([" ".join, "size"]).reindex(items)
    return pd.DataFrame(
        {
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "rank": np.arange(1, len(items) + 1),
            "document": track.documents(items),
            "score": values,
            "inputs": contents["join"].to_numpy(),
            "lists": contents["size"].to_numpy(),
        }
    )


def _gains(inputs, rule, metric, fused, borda, level):
    """One row of what fusing gains, over the topics that count for the fused run and for its best input."""
    counted = np.where(np.isnan(fused + inputs.best), np.nan, 1.0)
    fused, borda, every = fused * counted, borda * counted, inputs.every * counted
    value, best, mean = mean_of_known(np.stack([fused, every[inputs.at], inputs.mean * counted], axis=1))
    apart = np.stack([fused - every[inputs.at], fused - borda])
    (_, (p, _)), (one_tailed, against) = significance.mean_and_p(apart), significance.p_of_better(apart)
    among_all, _ = significance.tukey_to_one(np.concatenate([every, [fused]]), len(every), level)
    return {
        "system": inputs.system,
        **_named(rule, metric),
        "value": value,
        "best_input": best,
        "best": inputs.called,
        "mean_input": mean,
        "gain_over_best": value - best,
        "gain_over_mean": value - mean,
        "p": p,
        "p_one_tailed": one_tailed,
        "p_tukey": among_all[inputs.at],
        "p_against_borda": np.nan if rule.name == "borda" else against,
        "better": bool(value > best and p < level),
        "n": int(np.count_nonzero(~np.isnan(fused))),
    }


def _notes(study, rules, inputs):
    """What is to be said of these inputs, and of topics that cannot be scored."""
    if inputs.over != "systems":
        most_variations(study.track)
    _, rankings = replace(inputs, over=inputs.over.replace("both", "variations")).last_step(rules[0])
    return [*_notes_on(study.track, rules, rankings), *unjudged_topics(study)]


def _deeper(fused, track, systems):
    """A note where the fused rankings are longer than any that went in, which counts for measures that look deep."""
    longest, before = int(fused.lengths.max(initial=0)), int(track.lengths[systems].max(initial=0))
    note = f"Fused rankings have up to {longest:,} documents and their inputs {before:,}, which raises AP and others."
    return [note] if longest > before else []


def _notes_on(track, rules, rankings):
    """What is odd about the rankings to fuse, in sentences."""
    systems, queries = np.unique(np.concatenate([(s, q) for s, q, _ in rankings], axis=1), axis=1)
    length = track.lengths[systems, queries]
    inputs = [int(np.count_nonzero(track.lengths[s, q])) for s, q, _ in rankings]
    disjoint = sum(
        n > 1 and fused_runs.share_nothing(track, s, q) for n, (s, q, _) in zip(inputs, rankings, strict=True)
    )
    alone, short, of_fused, of_inputs = inputs.count(1), length == 1, len(rankings), len(length)
    notes = [
        (alone, f"{alone} of {of_fused} fused rankings {verb(alone, 'has', 'have')} only one input."),
        (disjoint, f"In {disjoint} of {of_fused} fused rankings, no two inputs share a document."),
        (
            short.any(),
            f"{short.sum():,} of {of_inputs:,} inputs {verb(int(short.sum()), 'has', 'have')} a single document.",
        ),
    ]
    if any(rule.uses_scores for rule in rules):
        items, scores = track.items[systems, queries], track.scores[systems, queries]
        unscored = fused_runs.ranks_for_scores(items, scores)
        bare = int(unscored.sum())
        ranked = f"{bare} of {of_inputs} inputs {verb(bare, 'has', 'have')} no scores, so ranks are used instead."
        equal = methods.all_equal(items != EMPTY, scores) & (length > 1)
        alike, all_of = int(equal.sum()), verb(int(equal.sum()), "gives all of its", "give all of their")
        one_score = (
            f"{alike} of {of_inputs} inputs {all_of} documents the same score, which min-max normalisation turns into "
            "1 and z-score into 0."
        )
        notes += [((unscored & (length > 1)).any(), ranked), (equal.any(), one_score)]
    return [note for is_so, note in notes if is_so]


def way(method: str, phi: float) -> str:
    """What a rule is called: RBC(phi=0.9), Borda."""
    return methods.FUSIONS[method].title + (f"(phi={phi:g})" if known(phi) else "")


QUESTIONS = by_name(
    Question("fuse", fuse, section="11", needs_judgments=False, columns="topic rank document score inputs lists"),
    Question(
        "fusion_scores", fusion_scores, section="11", long_from=LARGE,
        columns="system method phi metric value best_input best mean_input gain_over_best gain_over_mean p "
        "p_one_tailed p_tukey p_against_borda better n",
        across=Across(
            "Gain of merging all systems over the best of them", "gain_over_best",
            ("merging all systems beats the best of them", "merging all systems is worse than the best of them"),
            0, {"method": "rbc", "phi": 0.9},
            lambda metric, method, phi: {"metrics": [metric], "methods": [method], "phis": [phi]},
            lambda metric: metric.kind == "bounds",  # others gain from rankings that are longer than their inputs
        ),
    ),
    Question("fusion_by_count", fusion_by_count, section="11", columns="system count value n topics"),
    Question(
        "fusion_methods_by_count", fusion_methods_by_count, section="11", long_from=LARGE,
        columns="count method phi metric value p_against_borda n",
    ),
    Question(
        "double_fusion", double_fusion, section="11", long_from=LARGE,
        columns="method phi metric single over_systems over_variations over_both single_max over_systems_max "
        "over_variations_max gain gain_over_max",
    ),
    Question(
        "fusion_topics", fusion_topics, section="11",
        columns="system topic fused best_input mean_input difference best",
    ),
)  # fmt: skip
