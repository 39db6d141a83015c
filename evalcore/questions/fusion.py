"""Fusion: is a fused run better than its best input? Rankings of several systems or query variations fused [BMST17].

k : the largest depth of fused rankings; None = 1000, or as deep as the track. Deeper ones have a higher AP
over : "systems"; "variations", each system by itself; or "both", the variations of each, then the systems
best_input : the input with the highest mean. Over variations an input is the first query of every topic, the second,
    and so on, and the last of a topic with fewer; `oracle_variation` is about the best query of each topic
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore import fused_runs, fusion
from evalcore.comparing import significance
from evalcore.fusion import rule as rule_named
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions import apart
from evalcore.questions.clauses import chance
from evalcore.questions.inputs import as_good, fused_study, scores_of_inputs, study_of_inputs
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic
from evalcore.questions.truth import BY_TRUTH
from evalcore.sentences import FUZZ, Sentence, as_apart, digits, everyone, joined, known, opening, verb
from evalcore.track import EMPTY


def fuse(
    study, *, systems="all", method="rbc", phi=None, variations=False, weights=None, normalisation=None, topic=None,
    k=1000,
):  # fmt: skip
    """The fused ranking of every topic to rank k, with each document's score and its ranks in the inputs.

    inputs : as input@rank; lists : how many inputs contain it; k = None: all documents of any input

    variations : whether the queries of a topic are fused as well: for a single system, or for each before the systems
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
    """The gain from fusion, by method and metric: the mean score of the fused run, its best input and all inputs.

    p, p_against_borda : of one-tailed paired t-tests over topics
    system : the system whose variations are fused; "" for several systems
    best : the best input; for variations, which query of every topic
    """
    every = (rule_named(name, phi=phi, normalisation=normalisation) for name in methods for phi in phis)
    rules = list({rule.name: rule for rule in every}.values())  # one without a persistence, or that says it, once
    borda = rule_named("borda")
    inputs = fused_runs.inputs_of(study, systems, over=over, weights=weights, k=k)
    made = {rule.name: fused_study(study, rule, inputs) for rule in [borda, *rules]}
    rows, tied = [], []
    given = {rule.name: study_of_inputs(study, rule, inputs) for rule in (rules if over == "both" else rules[:1])}
    for name in metrics:
        scores = {rule: scores_by_topic(of, name) for rule, of in made.items()}
        best = {rule: scores_of_inputs(of, over, name) for rule, of in given.items()}
        tied += [note for beside in best.values() for note in as_good(beside, metric_named(name).name)]
        for rule in rules:
            compared = zip(best.get(rule.name, best[rules[0].name]), scores[rule.name], scores["borda"], strict=True)
            rows += [
                _gains(one, rule, metric_named(name).name, fused, against, level) for one, fused, against in compared
            ]
    table, few = pd.DataFrame(rows), "below two topics"
    notes = [
        *dict.fromkeys(tied),
        *_notes(study, rules, inputs),
        *_deeper(made[rules[0].name].track, study.track, inputs.systems),
    ]
    without = {"phi": "for methods without a persistence", "p": few, "p_against_borda": f"for Borda itself, and {few}"}
    return table, [*notes, *gaps(table, **without)]


def fusion_by_count(
    study, *, systems="all", method="rbc", phi=None, metric="AP", counts=None, normalisation=None, weights=None
):
    """The mean score of each system's first query variations fused, by their number [BMST17, table 1].

    A topic with fewer uses all of its own; topics = how many have that many."""
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    inputs = fused_runs.inputs_of(study, systems, over="variations", weights=weights)
    every, most = inputs.variations, most_variations(study.track)
    counts, rows = counts or range(1, most + 1), []
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
    """The scores on each topic of the fused run, of its best input and of all inputs on average.

    system : the system whose variations are fused; "" for several systems; best : the best input, or its query
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
    notes = [*as_good(beside, metric_named(metric).name), *_notes(study, [rule], inputs)]
    return table, [*notes, *gaps(table, difference="where the input does not count")]


def _fused_table(track, rule, ranking, over, k):
    """One fused ranking as rows."""
    systems, queries, _ = ranking
    items, values = fused_runs.fused_list(track, rule, *ranking, depth=k)
    named, which = (track.queries, queries) if over == "variations" else (track.systems, systems)
    by_rank = track.items[systems, queries].T
    rank, at = np.nonzero(np.isin(by_rank, items))  # best ranks first, then as the inputs stand
    said = [f"{named[one]}@{place}" for one, place in zip(which[at], rank + 1, strict=True)]
    held = pd.Series(said, dtype=object).groupby(by_rank[rank, at]).agg([" ".join, "size"]).reindex(items)
    return pd.DataFrame(
        {
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "rank": np.arange(1, len(items) + 1),
            "document": track.documents(items),
            "score": values,
            "inputs": held["join"].to_numpy(),
            "lists": held["size"].to_numpy(),
        }
    )


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
        "best": given.called,
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
    note = f"The fused rankings hold up to {longest:,} documents, their inputs {before:,}: AP and others gain by that."
    return [note] if longest > before else []


def _notes_on(track, rules, rankings):
    """What is odd about the rankings to fuse, in sentences."""
    systems, queries = np.unique(np.concatenate([(s, q) for s, q, _ in rankings], axis=1), axis=1)
    length = track.lengths[systems, queries]
    inputs = [int(np.count_nonzero(track.lengths[s, q])) for s, q, _ in rankings]
    apart = sum(n > 1 and fused_runs.share_nothing(track, s, q) for n, (s, q, _) in zip(inputs, rankings, strict=True))
    alone, short, of_fused, of_inputs = inputs.count(1), length == 1, len(rankings), len(length)
    found = [
        (alone, f"{alone} of {of_fused} fused rankings {verb(alone, 'has', 'have')} only one input."),
        (apart, f"In {apart} of {of_fused} fused rankings, no two inputs share a document."),
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
        equal = fusion.all_equal(items != EMPTY, scores) & (length > 1)
        alike, all_of = int(equal.sum()), verb(int(equal.sum()), "gives all of its", "give all of their")
        one_score = (
            f"{alike} of {of_inputs} inputs {all_of} documents the same score, which min-max normalisation turns into "
            "1 and z-score into 0."
        )
        found += [((unscored & (length > 1)).any(), ranked), (equal.any(), one_score)]
    return [note for is_so, note in found if is_so]


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def way(method, phi):
    """What a rule is called, in short: RBC(.9), Borda."""
    return fusion.FUSIONS[method].title + (f"({phi:g})".replace("(0.", "(.") if known(phi) else "")


def gain(row, crowd, *, level=0.05, best_is_fused=False, by_truth=False):
    """Whether the crowd beats its best, and whether that may be chance. row : of the question `fusion_scores`; crowd :
    what was fused, in words; best_is_fused : whether the best input is itself a fused run; by_truth : whether the row
    is that of `Study.judged_by_truth`"""
    by, of = row["gain_over_best"], {"method": opening(way(row["method"], row["phi"])), "crowd": crowd}
    text = "{method} over {crowd} scores {value:score} by {metric} with all judgments"
    if by_truth:  # which may call others the best
        text, of = f"{opening(BY_TRUTH)}, the same fused run scores {{value:score}} by {{metric}}", {}
    told = Sentence(text, value=row["value"], metric=row["metric"], **of)
    if not known(by):
        return told + "."
    how_far = as_apart(row["value"], row["value"] - by)
    where = "as much as" if abs(by) < FUZZ else f"{how_far} {'above' if by > 0 else 'below'}"
    text = f", {where} the best input, {{best}}{', itself a fused run' if best_is_fused else ''}"
    told += Sentence(text, best=row["best"], **({"apart": abs(by)} if "{apart" in where else {}))
    if abs(by) < FUZZ or not known(row["p"]):
        return told + "."
    p, what = (row["p"], "gain") if by > 0 else (1 - row["p"], "loss")
    test = Sentence(f" (one-tailed t-test of a {what} over {{n:digits topic}}: ", n=row["n"]) + chance(p)
    return told + test + (", so it may be chance)." if p >= level else ").")


def _gained(table, asked, study):
    """How many fused runs beat the best of their inputs by the first metric, and which of them scores highest; of one
    alone, by how much."""
    metric = table["metric"].iloc[0]
    rows = table[table["metric"] == metric]
    if len(rows) == 1:
        best_is_fused = rows["best"].iloc[0] in [one["name"] for one in study.scope.get("with_fused", ())]
        return gain(rows.iloc[0], _crowd(asked, study), level=asked["level"], best_is_fused=best_is_fused)
    better = rows["gain_over_best"] > FUZZ
    beat = "{better:number} of {runs:digits fused run} {better:verb beats/beat}" if better.any() else NONE_BEATS
    text = f"By {{metric}} with all judgments, {beat} the best input"
    told = joined(text, runs=len(rows), better=int(better.sum()), metric=metric)
    sure = int((better & rows["better"]).sum())
    chance = "; the others may be chance" if 0 < sure < better.sum() else ""
    text = (
        "{sure:number}" if sure else NOT_ONE[int(better.sum() > 1)]
    ) + f" with a one-tailed p below {{level}}{chance}"
    test = joined(text, sure=sure, level=asked["level"])
    value = rows["value"].max()
    highest = [
        way(one["method"], one["phi"]) + (f" over the variations of {one['system']}" if one["system"] else "")
        for _, one in rows[rows["value"] > value - FUZZ].iterrows()
    ]
    text = "the highest score, {value:score}, is that of {highest:listed}"
    most = Sentence(text, value=value, highest=highest) if highest else None
    return joined(joined(told, test if rows["p"][better].notna().any() else None, by=", "), most, end=".")


NONE_BEATS = "none of {runs:digits fused run} beats"
NOT_ONE = "but not", "none of them"


def _crowd(asked, study):
    """What was fused, in words."""
    chosen = study.chosen(asked["systems"])
    systems = everyone(len(chosen)) if chosen.all() else digits(int(chosen.sum()), "system")
    if chosen.sum() == 1:
        systems = study.systems[int(np.flatnonzero(chosen)[0])]
    return systems if asked["over"] == "systems" else f"the variations of {systems}"


def _won_and_lost(table, asked, study):
    """On how many topics the crowd wins and loses, and where most."""
    apart = table["difference"].dropna()
    won, lost = int((apart > FUZZ).sum()), int((apart < -FUZZ).sum())
    of_systems = not table["system"].any()
    does, where = _came(won, lost, len(apart), "topic" if of_systems else "ranking")
    best = "the best input" if of_systems else "the input that is best on average"
    text = f"By {{metric}} with all judgments, {{method}} {does} {best}"
    told = Sentence(text, metric=asked["metric"], method=_way_of(asked))
    if of_systems and len(apart):
        fused = " with its variations fused" if asked["over"] == "both" else ""
        told += Sentence(f", {{best}}{fused},", best=table["best"].iloc[0])
    told += Sentence(where, rankings=len(apart), won=won, lost=lost)
    most = []
    for count, side, what in ((won, apart, "gained"), (lost, -apart, "lost")):
        if count:
            most.append(_most(table.loc[side[side > side.max() - FUZZ].index], what, of_systems))
    most = joined(*most, by=", and most ")
    return joined(told, Sentence("most is ") + most if most else None, end=".")


def _came(won, lost, n, one):
    """What the crowd does to the best input, and on how many of n topics or rankings (`one` of them)."""
    if n == 1:
        does = "beats" if won else "falls below" if lost else "scores what"
        return does, f"{'' if won or lost else ' scores'} on the one {one}"
    if n and not won and not lost:
        return "scores what", f" scores on each of {{rankings:digits {one}}}"
    ahead, behind = "{won:number}" if won else "none", "{lost:number}" if lost else "none"
    return "beats", f" on {ahead} of {{rankings:digits {one}}} and falls below it on {behind}"


def _most(rows, what, of_systems):
    """Where most is gained or lost: on one topic, which is named, or on several."""
    there, row = f"{{{what}_there:score}}", rows.iloc[0]
    facts = {f"{what}_there": abs(row["difference"])}
    if len(rows) > 1:
        on = f"{what} on {{{what}_most:count {'topic' if of_systems else 'ranking'}}} ({there} on each)"
        return Sentence(on, **{f"{what}_most": len(rows)}, **facts)
    whose = "" if of_systems else f" of {{{what}_system}}"
    facts |= {f"{what}_topic": row["topic"]} | ({} if of_systems else {f"{what}_system": row["system"]})
    return Sentence(f"{what} on topic {{{what}_topic}}{whose} ({there})", **facts)


def _way_of(asked):
    """What the rule that was asked for is called, in short."""
    rule = rule_named(asked["method"], phi=asked["phi"], normalisation=asked["normalisation"])
    return way(rule.method.name, rule.says("phi"))


def _grown(table, asked, study):
    """What more variations buy."""
    means = table.groupby("count")["value"].mean()
    text = (
        "By {metric} with all judgments, {method} over at most {few:count variation} of each topic scores "
        "{few_value:score}"
    )
    several = table["system"].nunique()
    of = Sentence(" on average over {systems:digits system}", systems=several) if several > 1 else ""
    few, many = means.index[0], means.index[-1]
    told = Sentence(text, metric=asked["metric"], method=_way_of(asked), few=int(few), few_value=means[few]) + of
    most = Sentence("over at most {many:small} {many_value:score}", many=int(many), many_value=means[many])
    return joined(told, most if many > few else None, by=", ", end=".")


def _from_how_many(table, asked, study):
    """How much of the fused rankings one input alone has."""
    rankings, alone = table.filter(["topic", "query"]).drop_duplicates(), int((table["lists"] == 1).sum())
    facts = {"documents": len(table), "method": _way_of(asked)}
    if len(rankings) == 1:
        facts["topic"] = table["topic"].iloc[0]
        if len(table) == 1:
            where = "a single input" if alone else "several inputs"
            text = f"The first document that {{method}} puts together for topic {{topic}} is from {where}."
            return Sentence(text, alone=alone, **facts)
        text = "Of the first {documents:digits document} that {method} puts together for topic {topic}, "
        told = Sentence(text, **facts)
    else:
        text = "Of the first {documents:digits document} that {method} puts together in {rankings:digits ranking}, "
        told = Sentence(text, rankings=len(rankings), **facts)
    return told + Sentence(f"{{alone:many}} {'each ' if alone > 1 else ''}from a single input.", alone=alone)


def letters(ranking):
    """What a worked example gives. ranking : (name, value) pairs, best first"""
    if not ranking:
        return Sentence("Write at least one letter.")
    return Sentence("The fused ranking is {ranking}.", ranking=" ".join(name for name, _ in ranking))


QUESTIONS = by_name(
    Question("fuse", fuse, section="11", finding=_from_how_many, spans="track", apart=apart.FUSED),
    Question("fusion_scores", fusion_scores, section="11", finding=_gained, spans="track", apart=apart.FUSED),
    Question("fusion_by_count", fusion_by_count, section="11", finding=_grown, spans="track", apart=apart.FUSED),
    Question("fusion_topics", fusion_topics, section="11", finding=_won_and_lost, spans="track", apart=apart.FUSED),
)
