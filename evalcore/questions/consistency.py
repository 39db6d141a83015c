"""Consistency: how much do the results of a system depend on the words of the query? [BMST17].

phi : the persistence of rank-biased overlap and of the centroid that a ranking is compared with
"""

import numpy as np
import pandas as pd

from evalcore import fused_runs
from evalcore.comparing import consistency as measured
from evalcore.comparing import significance
from evalcore.comparing.agreement import alpha as krippendorff
from evalcore.comparing.orderings import ranks
from evalcore.joining import of_topics_looked_at
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions import overlaps
from evalcore.questions.clauses import chance
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic
from evalcore.reading.naming import counted
from evalcore.sentences import FUZZ, Sentence, joined, known


def consistency(study, *, systems="all", phi=0.9):
    """How similar each system's rankings are for the query variations of each topic: the consistency C_t.

    The mean and the standard deviation of the rank-biased overlap of each distinct ranking with the rank-biased
    centroid of them all."""
    found, names = _measured(study, systems, phi)
    table = pd.DataFrame(
        {
            "system": np.repeat(names, len(found.topics)),
            "topic": np.tile(np.array(study.track.topics, object)[found.topics], len(names)),
            "queries": found.answered.ravel(),
            "variations": found.distinct.ravel(),
            "consistency": found.value.ravel(),
            "sd": found.sd.ravel(),
        }
    )
    return table, gaps(table, consistency=FEWER_THAN_TWO, sd="where all rankings are the same, or there is only one")


def consistency_of_systems(study, *, systems="all", phi=0.9):
    """The consistency of each system over its query variations: C_T, the mean over topics."""
    found, names = _measured(study, systems, phi)
    means, counts = mean_of_known(found.value.T), ~np.isnan(found.value)
    table = pd.DataFrame(
        {"system": names, "rank": ranks(means), "consistency": means, "topics": counts.sum(axis=1)}
    ).sort_values(["rank", "system"], ignore_index=True)
    notes = gaps(table, consistency="for systems without two rankings for any topic")
    if left := int(np.count_nonzero(~counts.all(axis=0))):
        topics = counted(left, "topic does", "topics do")
        notes.append(f"{topics} not count for every system: some answer one query of it, or none.")
    return table, notes


def consistency_of_topics(study, *, systems="all", phi=0.9):
    """The consistency of each topic: the mean, lowest and highest over systems, the most consistent first.

    Over the n systems for which it has a consistency."""
    found, _ = _measured(study, systems, phi)
    table = pd.DataFrame(
        {
            "topic": np.array(study.track.topics, object)[found.topics],
            "consistency": mean_of_known(found.value),
            "lowest": np.fmin.reduce(found.value, axis=0),
            "highest": np.fmax.reduce(found.value, axis=0),
            "n": np.count_nonzero(~np.isnan(found.value), axis=0),
        }
    ).sort_values("consistency", ascending=False, kind="stable", ignore_index=True)
    return table, gaps(table, consistency="for topics without two rankings by any system")


def consistency_pairs(study, *, systems="all", phi=0.9):
    """A two-tailed paired t-test of consistency for every pair of systems, over n common topics."""
    found, names = _measured(study, systems, phi)
    a, b = significance.pairs(len(names))
    apart = significance.differences(found.value)
    _, t = significance.mean_and_t(apart)
    mean, p = significance.mean_and_p(apart)
    n = np.count_nonzero(~np.isnan(apart), axis=1)
    table = pd.DataFrame({"a": names[a], "b": names[b], "difference": mean, "t": t, "p": p, "n": n})
    few = "with fewer than two common topics"
    return table, gaps(table, t=f"for pairs without any difference, or {few}", p=few)


def consistency_correlations(study, *, systems="all", phi=0.9, metrics=("AP", "nDCG@10", "RBP(p=0.95)")):
    """Spearman's correlation over topics of each system's consistency with its scores and with properties of topics.

    These are the number of variations, each metric, and each numeric column of the queries table (the mean over the
    topic's queries)."""
    found, names = _measured(study, systems, phi)
    beside = {"queries": found.answered.astype(float), "variations": found.distinct.astype(float)}
    judged = np.searchsorted(found.topics, study.judged_topics)
    for name in metrics:
        scores = np.full(found.value.shape, np.nan)
        scores[:, judged] = scores_by_topic(study, name)[study.chosen(systems)]
        beside[metric_named(name).name] = scores
    numbers = study.query_table.set_index("query").reindex(study.track.queries).select_dtypes("number")
    for name, column in numbers.groupby(study.track.topic_of_query).mean().items():
        beside[name] = np.tile(column.to_numpy(float), (len(names), 1))
    rows = [
        (system, name, *measured.spearman(of_system, values[s]), np.count_nonzero(~np.isnan(of_system + values[s])))
        for s, (system, of_system) in enumerate(zip(names, found.value, strict=True))
        for name, values in beside.items()
    ]
    table = pd.DataFrame(rows, columns=["system", "with", "rho", "p", "n"])
    alike = "where one of the two is the same on all n topics, or n is below 3"
    return table, [*unjudged_topics(study), *gaps(table, rho=alike)]


def topic_agreement(study, *, of="consistency", systems="all", phi=0.9, alpha="ordinal"):
    """How well topics agree on which systems are good: ICC, Kendall's W and Krippendorff's alpha.

    The topics act as the judges; ICC is the one-way intraclass correlation.

    p is of the F test (ICC) and of the chi-square test (W); n = topics
    """
    if of == "consistency":
        scores = _measured(study, systems, phi)[0].value
    else:
        scores = scores_by_topic(study, of)[study.chosen(systems)]
    whole = scores[:, ~np.isnan(scores).any(axis=0)]
    if min(whole.shape) < 2:
        found = " and ".join(map(str, whole.shape))
        raise ValueError(f"agreement takes two systems and two topics or more on which all count; here are {found}.")
    n, some = whole.shape[1], ~np.isnan(scores).all(axis=0)
    by_alpha = krippendorff(np.round(scores.T, measured.DECIMALS), alpha)
    rows = [
        ("ICC", *measured.icc(whole), n),
        ("W", *measured.kendall_w(whole), n),
        ("alpha", by_alpha, np.nan, some.sum()),
    ]
    table = pd.DataFrame(rows, columns=["measure", "value", "p", "n"])
    left = scores.shape[1] - n
    topics = counted(left, "topic", "topics")
    notes = [f"ICC and W leave out {topics} on which not every system has a value."] if left else []
    return table, [*notes, *gaps(table, p="for alpha, which has no test", value="where nothing varies")]


def oracle_variation(study, *, metric="AP", systems="all"):
    """The gain from choosing the best query: each system's mean score with all, the first and the best query.

    The first is the one with the largest weight, then in the order of the queries."""
    most_variations(study.track)
    chosen = study.chosen(systems)
    values = study.at().values(metric)
    of_topics = fused_runs.variations_of(study)
    of_topics = [of_topics[topic] for topic in study.judged_topics]
    first = values[:, [queries[0] for queries in of_topics]]
    best = np.array([values[:, queries].max(axis=1) for queries in of_topics]).reshape(-1, len(values)).T
    each = {"all_queries": study.by_topic(values), "first_query": first, "best_query": best}
    means = {name: mean_of_known(np.where(study.counted, of, np.nan)[chosen].T) for name, of in each.items()}
    names = np.array(study.systems, object)[chosen]
    table = pd.DataFrame({"system": names, **means, "n": study.counted[chosen].sum(axis=1)})
    return table, [*unjudged_topics(study), *gaps(table, all_queries="for systems without a topic that counts")]


FEWER_THAN_TWO = "where a system has rankings for fewer than two queries of the topic"


def _measured(study, systems, phi):
    """The consistency of the systems that are asked for, and their names."""
    most_variations(study.track)
    chosen = np.flatnonzero(study.chosen(systems))
    found = measured.Consistency(np.unique(study.track.topic_of_query), *_by_topic_looked_at(study, chosen, phi))
    return found, np.array(study.systems, object)[chosen]


@of_topics_looked_at(axis=1)
def _by_topic_looked_at(study, chosen, phi):
    """The value, the standard deviation and the counts of `measured.Consistency`. Arrays (S, T'')."""
    found = measured.consistency(study.track.only(chosen, np.arange(study.track.shape[1])), phi=phi)
    return found.value, found.sd, found.answered, found.distinct


# ---------------------------------------------------------------------------------------------------------------------
# Findings

LEVEL = 0.05


def _ends(text, names, consistency, asked, *, whose=""):
    """Who has the highest value and who the lowest, tied ones together."""
    values = consistency.set_axis(names).dropna()
    if not len(values):
        return Sentence("No system answers two queries of one topic, so nothing is known of consistency.")
    most, least = overlaps.ends(values)
    if len(values) == 1 and whose is not None:
        text = (
            f"Only of {whose}" + "{most:listed} is the consistency known: {highest:score} at persistence {phi:short}."
        )
        return Sentence(text, most=most, highest=values.max(), phi=asked["phi"])
    text += " than {most:listed} ({highest:score} at persistence {phi:short})"
    told = Sentence(text, most=most, highest=values.max(), phi=asked["phi"])
    return overlaps.beside_least(told, least, values)


def _answers(table, asked, study):
    """Which system answers which topic most consistently, and which least."""
    names = "those of " + table["system"] + " to topic " + table["topic"]
    return _ends("No answers are more consistent", names, table["consistency"], asked, whose=None)


def _most_consistent(table, asked, study):
    """Who is the most consistent, and who the least."""
    return _ends("On average over topics, no system is more consistent", table["system"], table["consistency"], asked)


def _by_topic(table, asked, study):
    """Which topic is answered most consistently, and which least."""
    text = "On average over systems, no" if table["n"].max() > 1 else "No"
    return _ends(f"{text} topic is answered more consistently", table["topic"], table["consistency"], asked,
                 whose="topic ")  # fmt: skip


def _told_apart(table, asked, study):
    """How many pairs of systems a test tells apart, and from how many it tells the most consistent system."""
    if not len(table):
        return Sentence("One system alone has no other to be told apart from.")
    apart = table["p"] < LEVEL
    text = (
        "A paired t-test over topics tells {apart:number} of {pairs:digits pair} of systems apart in consistency "
        f"(p < {LEVEL}, uncorrected)"
    )
    if len(table) == 1:
        tells = "tells" if apart.all() else "does not tell"
        text = f"A paired t-test over topics {tells} the one pair of systems apart in consistency (p < {LEVEL})"
    told = Sentence(text, apart=int(apart.sum()), pairs=len(table))
    behind = {*table["a"][~(table["difference"] > FUZZ)], *table["b"][~(table["difference"] < -FUZZ)]}
    ahead = None
    for name in {*table["a"], *table["b"]} - behind:
        sure = int(apart[(table["a"] == name) | (table["b"] == name)].sum())
        of_them = f"{'{sure:number}' if sure else 'none'} of them"
        ahead = f"{{ahead}} is ahead of all others, and told apart from {of_them}"
        ahead = Sentence(ahead if len(table) > 1 else "{ahead} is ahead", ahead=name, sure=sure)
    return joined(told, ahead, end=".")


def beside_score(systems, board, metric):
    """Whether consistent systems are good. systems, board : the tables of `consistency_of_systems` and `leaderboard`"""
    both = systems[["system", "consistency"]].merge(board[["system", "value"]], on="system").dropna()
    if len(both) < 2:
        return Sentence("Two systems or more are needed to compare consistency and score.")
    both = both.set_index("system")
    consistent, good = (overlaps.ends(both[name])[0] for name in ("consistency", "value"))
    than = "On average over topics, no system is more consistent than {consistent:listed}, and none better by {metric}"
    if consistent == good:
        return Sentence(than + ", all judgments.", consistent=consistent, metric=metric)
    return Sentence(than + ", all judgments, than {good:listed}.", consistent=consistent, good=good, metric=metric)


def _related(table, asked, study):
    """What goes most with consistency, and whether no system tells it from chance, of all that was tried."""
    rows = table[table["rho"].notna()]
    if not len(rows):
        return Sentence("Nothing varies enough over topics to go with consistency.")
    means = rows.groupby("with", sort=False)["rho"].mean()
    rho = means[means.abs() > means.abs().max() - FUZZ].iloc[0]
    alike = list(means.index[(means - rho).abs() < FUZZ])
    text = "Over topics consistency goes most " + ("against" if rho < 0 else "with")
    systems = int((rows["with"] == alike[0]).sum())
    text += " {names:listed}: Spearman's rho is {rho:score} "
    text += "on average over {systems:digits system}" if systems > 1 else "for {systems:count system}"
    least = rows["p"][rows["with"].isin(alike)].min()
    text += "." if least * len(rows) < LEVEL else ", which may be chance."  # the least of so many [Bonferroni]
    return Sentence(text, names=[COUNTS.get(name, name) for name in alike], rho=rho, systems=systems)


COUNTS = {"queries": "the number of queries", "variations": "the number of distinct answers"}


def _agreed(table, asked, study):
    """How far topics agree on who is good."""
    by = table.set_index("measure")
    w, alpha = by.loc["W"], by.loc["alpha"]
    if not known(w["value"]):
        return Sentence("By {of}, no topic tells the systems apart.", of=asked["of"])
    likely = chance(w["p"])
    text = "By {of}, how far {topics:digits topic} {topics:verb agrees/agree} on the order of systems is a Kendall's W "
    text += "of {w:score} (0 is not at all, 1 is fully"
    clauses = [f"{text}; {likely.text}" if known(w["p"]) else text]
    clauses[0] += ")" + (", which may be chance" if w["p"] >= LEVEL else "")
    facts = {"topics": int(w["n"]), "of": asked["of"], "w": w["value"], "alpha": alpha["value"]}
    facts |= likely.facts
    return joined(*clauses, "Krippendorff's alpha is {alpha:score} (0 is chance)", end=".", **facts)


def _best_wording(table, asked, study):
    """What choosing the wording is worth."""
    gain = (table["best_query"] - table["all_queries"]).mean()
    if not known(gain):
        return UNSCORED
    one = table["all_queries"].notna().sum() == 1
    text = "Knowing" if one else "On average over systems, knowing"
    text += " the best wording of each topic adds {gain:score} to the mean {metric} of all wordings, by all judgments."
    return Sentence(text, gain=gain, metric=asked["metric"])


UNSCORED = Sentence("No system has a score on a judged topic.")


QUESTIONS = overlaps.QUESTIONS | by_name(
    Question("consistency", consistency, section="12.2", finding=_answers, spans="topics"),
    Question(
        "consistency_of_systems", consistency_of_systems, section="12.2", finding=_most_consistent, spans="topics"
    ),
    Question("consistency_of_topics", consistency_of_topics, section="12.2", finding=_by_topic, spans="topics"),
    Question("consistency_pairs", consistency_pairs, section="12.2", finding=_told_apart, spans="topics"),
    Question("consistency_correlations", consistency_correlations, section="12.3", finding=_related, spans="topics"),
    Question("topic_agreement", topic_agreement, section="12.4", finding=_agreed, spans="topics"),
    Question("oracle_variation", oracle_variation, section="12.6", finding=_best_wording, spans="scores"),
)
