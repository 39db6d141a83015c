"""Fusion: is the crowd better than its best? Rankings of several systems, or of several wordings, made one. Bailey,
Moffat, Scholer & Thomas, SIGIR 2017.

k : how deep the fused rankings are at most; None = 1000, or as deep as the track. Deeper ones gain by AP and the like
method : a rule such as `rbc(phi=0.9)`, see `evalcore.FUSIONS`; phi, normalisation : where it does not say them
over : "systems"; "variations", each system by itself; or "both", the variations of each, then the systems
weights : None, a number for each system as they are listed, or for variations a column of the queries table
best_input : the input with the highest mean. Over variations an input is the first query of every topic, the second,
    and so on, a topic that has fewer giving its last; `oracle_variation` tells of each topic's best query in hindsight
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evalcore import fused_runs, fusion
from evalcore.comparing import significance
from evalcore.fusion import rule as rule_named
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic
from evalcore.track import EMPTY


def fuse(
    study,
    *,
    systems="all",
    method="rbc",
    phi=None,
    variations=False,
    weights=None,
    normalisation=None,
    topic=None,
    k=1000,
):
    """The fused ranking of every topic down to rank k: what the method gives each document, and which inputs put it
    where, as input@rank. lists = how many hold it; k = None: all that any input holds.

    variations : whether the queries of a topic are fused too; of one system alone then, or of each before the systems
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    if topic is not None:
        study = study.only(topics=[str(topic)])
    over = "systems" if not variations else "variations" if study.chosen(systems).sum() == 1 else "both"
    track, rankings = fused_runs.inputs_of(study, systems, over=over, weights=weights).last_step(rule)
    labels = [track.queries[q] if over == "variations" else track.systems[s] for s, q in _pairs(rankings)]
    at = np.cumsum([0, *(len(one[0]) for one in rankings)])
    tables = [
        _fused_table(track, rule, one, labels[first:last], k)
        for one, first, last in zip(rankings, at[:-1], at[1:], strict=True)
    ]
    table = pd.concat([one for one in tables if len(one)] or tables[:1], ignore_index=True)
    if over != "systems" or len(set(study.track.topic_of_query)) == study.track.shape[1]:
        table = table.drop(columns="query")
    return table, _notes_on(track, [rule], rankings)


def fusion_scores(
    study,
    *,
    systems="all",
    methods=("rbc", "borda", "combmnz"),
    phis=(0.8, 0.9, 0.95, 0.99),
    metrics=("AP", "nDCG@10", "RBP(p=0.95)"),
    over="systems",
    level=0.05,
    normalisation=None,
    weights=None,
    k=None,
):
    """What fusing gains, by method and metric: the mean score of the fused run, of its best input and of all of them.

    p, p_against_borda : of one-tailed paired t-tests over n topics that the fused run is better than the best input,
        and better than Borda's count on the same inputs; better = whether p is below the level
    system : whose variations are fused; "" for several systems made one
    """
    rules = [rule for name in methods for rule in _rules(name, phis, normalisation)]
    borda = rule_named("borda")
    inputs = fused_runs.inputs_of(study, systems, over=over, weights=weights, k=k)
    made = {rule.name: _fused_study(study, rule, inputs) for rule in [borda, *rules]}
    rows = []
    given = {rule.name: _study_of_inputs(study, rule, inputs) for rule in (rules if over == "both" else rules[:1])}
    for name in metrics:
        scores = {rule: scores_by_topic(of, name) for rule, of in made.items()}
        best = {rule: _inputs_of(of, over, name) for rule, of in given.items()}
        for rule in rules:
            compared = zip(best.get(rule.name, best[rules[0].name]), scores[rule.name], scores["borda"], strict=True)
            rows += [
                _gains(one, rule, metric_named(name).name, fused, against, level) for one, fused, against in compared
            ]
    table = pd.DataFrame(rows)
    return table, [
        *_notes(study, rules, inputs),
        *_deeper(made[rules[0].name].track, study.track, inputs.systems),
        *gaps(
            table,
            phi="for methods without a persistence",
            p="below two topics",
            p_against_borda="for Borda itself, and below two topics",
        ),
    ]


def fusion_by_count(
    study, *, systems="all", method="rbc", phi=None, metric="AP", counts=None, normalisation=None, weights=None
):
    """The mean score of each system's first variations fused, by how many (Bailey, Moffat, Scholer & Thomas 2017, table
    1). A topic that has fewer takes all that it has; topics = how many have that many.

    counts : numbers of variations; None = from 1 to as many as any topic has
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = fused_runs.inputs_of(study, systems, over="variations", weights=weights)
    every = inputs.variations
    most = most_variations(study.track)
    counts = range(1, most + 1) if counts is None else counts
    rows = []
    for count in counts:
        few = {topic: queries[:count] for topic, queries in every.items()}
        made = _fused_study(study, rule, replace(inputs, variations=few))
        scores = scores_by_topic(made, metric)
        enough = sum(len(every[topic]) >= count for topic in study.judged_topics)
        rows += [
            (system, count, value, n, enough)
            for system, value, n in zip(made.systems, mean_of_known(scores.T), made.counted.sum(axis=1), strict=True)
        ]
    table = pd.DataFrame(rows, columns=["system", "count", "value", "n", "topics"])
    table = table.sort_values(["system", "count"], ignore_index=True, kind="stable")
    notes = [f"No topic has more than {most} variations; a larger count takes those."] if max(counts) > most else []
    return table, [*_notes(study, [rule], inputs), *notes]


def fusion_topics(
    study,
    *,
    systems="all",
    method="rbc",
    phi=None,
    metric="AP",
    over="systems",
    normalisation=None,
    weights=None,
    k=None,
):
    """Topic by topic the score of the fused run, of its best input, of all inputs on average, and by how much the fused
    run is above the best input.

    system : whose variations are fused; "" for several systems made one; best : the best input, or its query
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = fused_runs.inputs_of(study, systems, over=over, weights=weights, k=k)
    scores = scores_by_topic(_fused_study(study, rule, inputs), metric)
    tables = [
        pd.DataFrame(
            {
                "system": given.system,
                "topic": [study.track.topics[topic] for topic in study.judged_topics],
                "fused": fused,
                "best_input": given.best,
                "mean_input": given.mean,
                "difference": fused - given.best,
                "best": given.names,
            }
        )
        for fused, given in zip(scores, _inputs_of(_study_of_inputs(study, rule, inputs), over, metric), strict=True)
    ]
    table = pd.concat(tables, ignore_index=True).dropna(subset="fused", ignore_index=True)
    return table, [*_notes(study, [rule], inputs), *gaps(table, difference="where the input does not count")]


def _rules(method, phis, normalisation):
    """The rules of a method: one for each persistence where it has one and its name does not say it."""
    rule = rule_named(method, normalisation=normalisation)
    if "phi" not in rule.method.parameters or "phi=" in str(method):
        return [rule]
    return [rule_named(method, phi=phi) for phi in phis]


def _pairs(rankings):
    return [pair for systems, queries, _ in rankings for pair in zip(systems, queries, strict=True)]


def _fused_table(track, rule, ranking, labels, k):
    """One fused ranking as rows."""
    systems, queries, _ = ranking
    items, values = fused_runs.fused_list(track, rule, *ranking, depth=k)
    lists, ranks, place = _holders(track.items[systems, queries], items)
    said = [f"{labels[which]}@{rank + 1}" for which, rank in zip(lists, ranks, strict=True)]
    count = np.bincount(place, minlength=len(items))
    ends = np.cumsum(count)
    return pd.DataFrame(
        {
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "rank": np.arange(1, len(items) + 1),
            "document": track.documents(items),
            "score": values,
            "inputs": [" ".join(said[end - n : end]) for n, end in zip(count, ends, strict=True)],
            "lists": count,
        }
    )


def _holders(lists, items):
    """Which list holds which of these items where: the list, the rank and the item's place, by place, best ranks first.
    Three int."""
    place_of = np.full(max(lists.max(initial=0), items.max(initial=0)) + 1, -1)
    place_of[items] = np.arange(len(items))
    place_of[EMPTY] = -1
    which, rank = np.nonzero(place_of[lists] >= 0)
    place = place_of[lists[which, rank]]
    order = np.lexsort((which, rank, place))
    return which[order], rank[order], place[order]


def _fused_study(study, rule, inputs):
    """The study with nothing but what the rule makes of its inputs."""
    return replace(study, track=fused_runs.fused(study, rule, inputs))


@dataclass(frozen=True)
class _Inputs:
    """What was fused: the scores of the best input and of all on average, and the best's name. (T',)"""

    system: str
    best: np.ndarray
    mean: np.ndarray
    names: object


def _study_of_inputs(study, rule, inputs):
    """The study with nothing but the systems that the last step takes: over both, each with its variations fused."""
    if inputs.over == "both":
        return _fused_study(study, rule, replace(inputs, over="variations", weights=None))
    return study.only(systems=[study.systems[system] for system in inputs.systems])


def _inputs_of(given, over, metric):
    """The inputs of each fused system, from the study of them all. List of _Inputs."""
    scores = scores_by_topic(given, metric)
    if over == "variations":
        return _variations_of(given, metric, scores)
    best = _best(scores)
    return [_Inputs("", scores[best], mean_of_known(scores), given.systems[best])]


def _variations_of(given, metric, scores):
    """The inputs of each system's own variations: the first of every topic, the second, ...; a topic that has fewer
    gives its last."""
    of_topic = fused_runs.variations(given.track, fused_runs.variation_order(given))
    of_topic = [of_topic[topic] for topic in given.judged_topics]
    most = max(map(len, of_topic), default=0)
    nth = np.array([[queries[min(n, len(queries) - 1)] for queries in of_topic] for n in range(most)] or [()], int)
    values = given.at().values(metric)[:, nth]
    values = np.where(given.counted[:, None], values, np.nan)
    names = np.array(given.track.queries, object)
    best = [_best(of_system) for of_system in values]
    return [
        _Inputs(system, values[s, best[s]], scores[s], names[nth[best[s]]]) for s, system in enumerate(given.systems)
    ]


def _best(scores):
    """Which of these has the highest mean over topics. scores : float (inputs, T')"""
    means = mean_of_known(scores.T)
    return int(np.nanargmax(means)) if np.any(~np.isnan(means)) else 0


def _gains(given, rule, metric, fused, borda, level):
    """One row of what fusing gains, over the topics that count for the fused run and for its best input."""
    both = np.where(np.isnan(fused + given.best), np.nan, 1.0)
    fused, borda = fused * both, borda * both
    given = replace(given, best=given.best * both, mean=given.mean * both)
    value, best, mean = mean_of_known(np.stack([fused, given.best, given.mean], axis=1))
    p, against = significance.p_of_better(np.stack([fused - given.best, fused - borda]))
    return {
        "system": given.system,
        "method": rule.method.name,
        "phi": rule.says("phi"),
        "metric": metric,
        "value": value,
        "best_input": best,
        "mean_input": mean,
        "gain_over_best": value - best,
        "gain_over_mean": value - mean,
        "p": p,
        "p_against_borda": np.nan if rule.name == "borda" else against,
        "better": bool(p < level),
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
    if longest <= before:
        return []
    return [
        f"The fused rankings hold up to {longest:,} documents, their inputs {before:,}: AP and others gain by that."
    ]


def _notes_on(track, rules, rankings):
    """What is odd about the rankings to fuse, in sentences."""
    pairs = _pairs(rankings)
    systems, queries = (np.array(some, int) for some in zip(*pairs, strict=True))
    systems, queries = np.unique(np.stack([systems, queries]), axis=1)
    length = track.lengths[systems, queries]
    held = [int(np.count_nonzero(track.lengths[s, q])) for s, q, _ in rankings]
    apart = sum(n > 1 and fused_runs.share_nothing(track, s, q) for n, (s, q, _) in zip(held, rankings, strict=True))
    notes = []
    if (alone := sum(n == 1 for n in held)) and len(held):
        notes.append(f"{alone} of {len(held)} fused rankings have one input alone.")
    if apart:
        notes.append(f"In {apart} of {len(held)} fused rankings no two inputs have a document in common.")
    if (short := int(np.count_nonzero(length == 1))) > 0:
        notes.append(f"{short} of {len(length)} inputs hold a single document.")
    if any(rule.uses_scores for rule in rules):
        unscored = fused_runs.ranks_for_scores(track.items[systems, queries], track.scores[systems, queries])
        if (unscored & (length > 1)).any():
            notes.append(f"{unscored.sum()} of {len(length)} inputs have no scores: their ranks are taken for them.")
        equal = fusion.all_equal(track.items[systems, queries] != EMPTY, track.scores[systems, queries]) & (length > 1)
        if equal.any():
            notes.append(
                f"{equal.sum()} of {len(length)} inputs give all of their documents one score: min-max normalisation "
                "makes each of them 1, z-score 0."
            )
    return notes


QUESTIONS = by_name(
    Question("fuse", fuse),
    Question("fusion_scores", fusion_scores),
    Question("fusion_by_count", fusion_by_count),
    Question("fusion_topics", fusion_topics),
)
