"""Fusion: is the crowd better than its best? Rankings of several systems, or of several wordings, made one [BMST17].

k : how deep the fused rankings are at most; None = 1000, or as deep as the track. Deeper ones gain by AP and the like
method : a rule such as `rbc(phi=0.9)`, see `evalcore.FUSIONS`; phi, normalisation : where it does not say them
over : "systems"; "variations", each system by itself; or "both", the variations of each, then the systems
weights : None, a number for each system as they are listed, or for variations a column of the queries table
best_input : the input with the highest mean. Over variations an input is the first query of every topic, the second,
    and so on, a topic that has fewer giving its last; `oracle_variation` tells of each topic's best query in hindsight
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import fused_runs, fusion
from evalcore.comparing import significance
from evalcore.fusion import rule as rule_named
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.inputs import fused_study, scores_of_inputs, study_of_inputs
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic
from evalcore.sentences import FUZZ, Sentence, joined, known, opening
from evalcore.track import EMPTY


def fuse(
    study, *, systems="all", method="rbc", phi=None, variations=False, weights=None, normalisation=None, topic=None,
    k=1000,
):  # fmt: skip
    """The fused ranking of every topic down to rank k: what the method gives each document, and which inputs put it
    where, as input@rank. lists = how many hold it; k = None: all that any input holds.

    variations : whether the queries of a topic are fused too; of one system alone then, or of each before the systems
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    if topic is not None:
        study = study.only(topics=[str(topic)])
    over = "systems" if not variations else "variations" if study.chosen(systems).sum() == 1 else "both"
    track, rankings = fused_runs.inputs_of(study, systems, over=over, weights=weights).last_step(rule)
    tables = [_fused_table(track, rule, one, over, k) for one in rankings]
    table = pd.concat([one for one in tables if len(one)] or tables[:1], ignore_index=True)
    if over != "systems" or not study.has_variations:
        table = table.drop(columns="query")
    return table, _notes_on(track, [rule], rankings)


def fusion_scores(
    study, *, systems="all", methods=("rbc", "borda", "combmnz"), phis=(0.8, 0.9, 0.95, 0.99),
    metrics=("AP", "nDCG@10", "RBP(p=0.95)"), over="systems", level=0.05, normalisation=None, weights=None, k=None,
):  # fmt: skip
    """What fusing gains, by method and metric: the mean score of the fused run, of its best input and of all of them.

    p, p_against_borda : of one-tailed paired t-tests over n topics that the fused run is better than the best input,
        and better than Borda's count on the same inputs; better = whether p is below the level
    system : whose variations are fused; "" for several systems made one
    """
    every = (rule_named(name, phi=phi, normalisation=normalisation) for name in methods for phi in phis)
    rules = list({rule.name: rule for rule in every}.values())  # one without a persistence, or that says it, once
    borda = rule_named("borda")
    inputs = fused_runs.inputs_of(study, systems, over=over, weights=weights, k=k)
    made = {rule.name: fused_study(study, rule, inputs) for rule in [borda, *rules]}
    rows = []
    given = {rule.name: study_of_inputs(study, rule, inputs) for rule in (rules if over == "both" else rules[:1])}
    for name in metrics:
        scores = {rule: scores_by_topic(of, name) for rule, of in made.items()}
        best = {rule: scores_of_inputs(of, over, name) for rule, of in given.items()}
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
    """The mean score of each system's first variations fused, by how many [BMST17, table 1]. A topic that has
    fewer takes all that it has; topics = how many have that many.

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
        made = fused_study(study, rule, replace(inputs, variations=few))
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
    study, *, systems="all", method="rbc", phi=None, metric="AP", over="systems", normalisation=None, weights=None,
    k=None,
):  # fmt: skip
    """Topic by topic the score of the fused run, of its best input, of all inputs on average, and by how much the fused
    run is above the best input.

    system : whose variations are fused; "" for several systems made one; best : the best input, or its query
    """
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = fused_runs.inputs_of(study, systems, over=over, weights=weights, k=k)
    scores = scores_by_topic(fused_study(study, rule, inputs), metric)
    beside = scores_of_inputs(study_of_inputs(study, rule, inputs), over, metric)
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
        for fused, given in zip(scores, beside, strict=True)
    ]
    table = pd.concat(tables, ignore_index=True).dropna(subset="fused", ignore_index=True)
    return table, [*_notes(study, [rule], inputs), *gaps(table, difference="where the input does not count")]


def _fused_table(track, rule, ranking, over, k):
    """One fused ranking as rows."""
    systems, queries, _ = ranking
    items, values = fused_runs.fused_list(track, rule, *ranking, depth=k)
    lists, ranks, place = _holders(track.items[systems, queries], items)
    names = [track.queries[q] if over == "variations" else track.systems[s] for s, q in zip(*ranking[:2], strict=True)]
    inputs = [f"{names[which]}@{rank + 1}" for which, rank in zip(lists, ranks, strict=True)]
    count = np.bincount(place, minlength=len(items))
    ends = np.cumsum(count)
    return pd.DataFrame(
        {
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "rank": np.arange(1, len(items) + 1),
            "document": track.documents(items),
            "score": values,
            "inputs": [" ".join(inputs[end - n : end]) for n, end in zip(count, ends, strict=True)],
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
    systems, queries = np.unique(np.concatenate([(s, q) for s, q, _ in rankings], axis=1), axis=1)
    length = track.lengths[systems, queries]
    inputs = [int(np.count_nonzero(track.lengths[s, q])) for s, q, _ in rankings]
    apart = sum(n > 1 and fused_runs.share_nothing(track, s, q) for n, (s, q, _) in zip(inputs, rankings, strict=True))
    notes = []
    if alone := inputs.count(1):
        notes.append(f"{alone} of {len(rankings)} fused rankings have one input alone.")
    if apart:
        notes.append(f"In {apart} of {len(rankings)} fused rankings no two inputs have a document in common.")
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


# ---------------------------------------------------------------------------------------------------------------------
# Findings

SAME_SCORE = 0.0005  # what differs by less is written alike


def way(method, phi):
    """What a rule is called, in short: RBC .9, Borda."""
    return fusion.FUSIONS[method].title + (f" {phi:g}".replace(" 0.", " .") if known(phi) else "")


def gain(row, crowd, *, best="the best of them"):
    """Whether the crowd beats its best. row : of the question `fusion_scores`; crowd : what was fused, in words"""
    crowd = Sentence("{crowd}", crowd=crowd) if isinstance(crowd, str) else crowd
    fused = Sentence("{method} over ", method=opening(way(row["method"], None))) + crowd
    if not known(row["value"]):
        return fused + " has no score: no topic counts."
    scores = fused + Sentence(" scores {value:score}", value=row["value"])
    apart, size = row["gain_over_best"], row["best_input"]
    if abs(apart) < SAME_SCORE:
        return scores + f", as {best} does."
    if not known(size) or size <= 0:
        return scores + "."
    side = "above" if apart > 0 else "below"
    beside = Sentence(f", {{{side}:share}} {side} {best}", **{side: abs(apart) / size})
    sure = Sentence(" (p = {p:short})", p=row["p"]) if known(row["p"]) and apart > 0 else None
    return joined(scores, beside, sure, by="", end=".")


def _gained(table, asked, study):
    """Whether the crowd beats its best, by the first metric; of several fused runs, how many do and which is best."""
    first = table.iloc[0]
    rows = table[(table["metric"] == first["metric"]) & table["value"].notna()]
    if len(rows) > 1:
        return _best_run(rows)
    row, n = rows.iloc[0] if len(rows) else first, int(study.chosen(asked["systems"]).sum())
    if asked["over"] == "variations":
        return gain(row, Sentence("the variations of {system}", system=row["system"]))
    crowd = Sentence("{systems:digits system}", systems=n)
    crowd = joined("the variations of", crowd, by=" ") if asked["over"] == "both" else crowd
    return gain(row, crowd, **({} if n > 1 else {"best": "its one input"}))


def _best_run(rows):
    """How many fused runs beat the best of their inputs, and which of them scores highest."""
    names = [
        way(method, phi) + (f" over the variations of {system}" if system else "")
        for method, phi, system in zip(rows["method"], rows["phi"], rows["system"], strict=True)
    ]
    value = rows["value"].max()
    highest = [name for name, score in zip(names, rows["value"], strict=True) if score > value - FUZZ]
    better = Sentence(
        "Of {runs:small} fused runs {better:many} above the best of their inputs by {metric}",
        runs=len(rows), better=int((rows["gain_over_best"] > FUZZ).sum()), metric=rows["metric"].iloc[0],
    )  # fmt: skip
    if len(highest) == len(rows):
        return joined(better, Sentence("all score {value:score}", value=value), end=".")
    ends = " scores highest, " if len(highest) == 1 else " score highest, "
    return joined(better, Sentence("{highest:listed}" + ends + "{value:score}", highest=highest, value=value), end=".")


def _won_and_lost(table, asked, study):
    """Where the crowd wins and loses, and where it loses most."""
    apart, systems = table["difference"].dropna(), table["system"].unique()
    won, lost = int((apart > FUZZ).sum()), int((apart < -FUZZ).sum())
    if not len(apart):
        return Sentence("No topic counts for a fused ranking and its best input.")
    if not won and not lost:
        return Sentence("On no topic does the fused ranking differ from the best input.")
    if len(systems) > 1:
        text = "Of {rankings:digits fused ranking} {won:many} better than the best input and {lost:many} worse"
        told = Sentence(text, rankings=len(apart), won=won, lost=lost)
    else:
        text = "The fused ranking is better than the best input on {won:count topic} and worse on "
        told = Sentence(text, won=won) + (Sentence("{lost:small}", lost=lost) if lost else "none")
    if not lost:
        return told + "."
    worst = table.loc[apart.idxmin()]
    who = Sentence("; {system}", system=worst["system"]) if len(systems) > 1 else Sentence("; it")
    loss = Sentence(" loses most on topic {topic}, {loss:score}.", topic=worst["topic"], loss=-worst["difference"])
    return told + who + loss


def _grown(table, asked, study):
    """What more variations buy."""
    means = table.groupby("count")["value"].mean()
    if means.isna().all():
        return Sentence("No topic counts, so what is fused has no score.")
    few, many = means.index[0], means.index[-1]
    systems = table["system"].unique()
    who = Sentence("{system} scores", system=systems[0]) if len(systems) == 1 else Sentence("the systems score")
    average = "" if len(systems) == 1 else " on average"
    text = f"With {_at_most(table, few)}{{few:count variation}} fused "
    told = Sentence(text, few=int(few)) + who + Sentence(f" {{few_value:score}}{average}", few_value=means[few])
    more = Sentence(
        f"with {_at_most(table, many)}{{many:small}} {{many_value:score}}", many=int(many), many_value=means[many]
    )
    return joined(told, more if many > few else None, by=", ", end=".")


def _at_most(table, count):
    """What stands before a count of variations that not every topic has."""
    rows = table[table["count"] == count]
    return "up to " if (rows["topics"] < rows["n"]).any() else ""


def _from_how_many(table, asked, study):
    """What comes first, and how much of the fused ranking one input alone has."""
    if not len(table):
        return Sentence("No input holds a document.")
    rankings = len(table[[name for name in ("topic", "query") if name in table]].drop_duplicates())
    documents, alone = len(table), int((table["lists"] == 1).sum())
    if rankings > 1:
        text = "{rankings:digits fused ranking} with {documents:digits document}; {alone:share} of them are from one"
        return Sentence(f"{text} input alone.", rankings=rankings, documents=documents, alone=alone / documents)
    first = table.iloc[0]
    told = Sentence(
        "{document} comes first, from {lists:count input}", document=first["document"], lists=int(first["lists"])
    )
    text = "of the {documents:number} documents {alone:many} from one input alone"
    return joined(told, Sentence(text, documents=documents, alone=alone) if documents > 1 else None, end=".")


def letters(ranking):
    """What a worked example gives. ranking : (name, value) pairs, best first"""
    if not ranking:
        return Sentence("Write at least one letter.")
    return Sentence("The fused ranking is {ranking}.", ranking=" ".join(name for name, _ in ranking))


QUESTIONS = by_name(
    Question("fuse", fuse, finding=_from_how_many),
    Question("fusion_scores", fusion_scores, finding=_gained),
    Question("fusion_by_count", fusion_by_count, finding=_grown),
    Question("fusion_topics", fusion_topics, finding=_won_and_lost),
)
