"""Consistency: how much does the outcome hang on the words of the query? Bailey, Moffat, Scholer & Thomas, SIGIR 2017.

phi : the persistence of rank-biased overlap and of the centroid that a ranking is held against
"""

import numpy as np
import pandas as pd

from evalcore import fused_runs
from evalcore.comparing import consistency as measured
from evalcore.comparing import significance
from evalcore.comparing.agreement import alpha as krippendorff
from evalcore.comparing.orderings import ranks
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic


def rbo(study, *, systems="all", variations=False, phi=0.9, k=100, topic=None):
    """Rank-biased overlap of every two systems on every query, over the first k ranks of both: what is certain, what is
    possible and the point between that the seen ranks suggest.

    variations : whether every two queries of a topic are compared instead, system by system
    k : None = as deep as the rankings are
    """
    depth = study.track.shape[2] if k is None else k
    study = study if topic is None else study.only(topics=[str(topic)])
    track, chosen = study.track, np.flatnonzero(study.chosen(systems))
    if variations:
        most_variations(track)
        of_topics = fused_runs.variations(track, fused_runs.variation_order(study)).values()
        compared = [(np.full(len(queries), system), queries) for system in chosen for queries in of_topics]
    else:
        if len(chosen) < 2:
            raise ValueError("an overlap is of two systems or more; name another, or compare variations.")
        compared = [(chosen, np.full(len(chosen), query)) for query in range(track.shape[1])]
    table = pd.concat([_overlaps(track, *lists, depth, phi, variations) for lists in compared], ignore_index=True)
    several = len(np.unique(track.topic_of_query)) < track.shape[1]
    table = table.drop(columns="query" if variations or not several else [])
    return table.drop(columns=[] if variations else "system"), _empty_lists(track, compared)


def consistency(study, *, systems="all", phi=0.9):
    """How alike each system answers the variations of each topic, C_t: the mean and the standard deviation of the
    rank-biased overlap of each distinct ranking with the rank-biased centroid of them all.

    queries, variations : how many of the topic's queries the system answers, and in how many different ways
    """
    found, chosen = _measured(study, systems, phi)
    T = len(found.topics)
    table = pd.DataFrame(
        {
            "system": np.repeat(_names(study, chosen), T),
            "topic": np.tile(np.array(study.track.topics, object)[found.topics], len(chosen)),
            "queries": found.answered.ravel(),
            "variations": found.distinct.ravel(),
            "consistency": found.value.ravel(),
            "sd": found.sd.ravel(),
        }
    )
    return table, gaps(table, consistency=FEWER_THAN_TWO, sd="where all answers are the same, or only one is given")


def consistency_of_systems(study, *, systems="all", phi=0.9):
    """The consistency of each system, C_T: the mean over topics of what its variations have."""
    found, chosen = _measured(study, systems, phi)
    means = mean_of_known(found.value.T)
    table = pd.DataFrame(
        {
            "system": _names(study, chosen),
            "rank": ranks(means),
            "consistency": means,
            "topics": np.count_nonzero(~np.isnan(found.value), axis=1),
        }
    )
    return table.sort_values(["rank", "system"], ignore_index=True), [
        *gaps(table, consistency="for systems that answer no topic twice"),
        *_topics_left_out(found.value),
    ]


def consistency_of_topics(study, *, systems="all", phi=0.9):
    """How consistently each topic is answered: the mean over the n systems for which it has a consistency, the lowest
    and the highest; the most consistent first."""
    found, _ = _measured(study, systems, phi)
    table = pd.DataFrame(
        {
            "topic": np.array(study.track.topics, object)[found.topics],
            "consistency": mean_of_known(found.value),
            "lowest": np.fmin.reduce(found.value, axis=0),
            "highest": np.fmax.reduce(found.value, axis=0),
            "n": np.count_nonzero(~np.isnan(found.value), axis=0),
        }
    )
    nobody = "for topics of which no system answers two queries"
    return table.sort_values("consistency", ascending=False, kind="stable", ignore_index=True), gaps(
        table, consistency=nobody
    )


def consistency_pairs(study, *, systems="all", phi=0.9):
    """Every two systems by their consistency: the two-tailed paired t-test over the n topics on which both have one."""
    found, chosen = _measured(study, systems, phi)
    names = _names(study, chosen)
    a, b = significance.pairs(len(names))
    apart = significance.differences(found.value)
    _, t = significance.mean_and_t(apart)
    mean, p = significance.mean_and_p(apart)
    n = np.count_nonzero(~np.isnan(apart), axis=1)
    table = pd.DataFrame({"a": names[a], "b": names[b], "difference": mean, "t": t, "p": p, "n": n})
    few = "below two common topics"
    return table, gaps(table, t=f"for pairs without any difference, or {few}", p=few)


def consistency_correlations(study, *, systems="all", phi=0.9, metrics=("AP", "nDCG@10", "RBP(p=0.95)")):
    """Spearman's correlation over topics of each system's consistency with the number of variations, with its score by
    each metric, and with each numeric column of the queries table (the mean over the topic's queries).

    queries, variations : how many of the topic's queries the system answers, and in how many different ways
    """
    found, chosen = _measured(study, systems, phi)
    beside = {"queries": found.answered.astype(float), "variations": found.distinct.astype(float)}
    judged = np.searchsorted(found.topics, study.judged_topics)
    for name in metrics:
        scores = np.full(found.value.shape, np.nan)
        scores[:, judged] = scores_by_topic(study, name)[chosen]
        beside[metric_named(name).name] = scores
    beside |= _columns_by_topic(study, found)
    rows = [
        (system, name, *measured.spearman(found.value[s], values[s]), _both_known(found.value[s], values[s]))
        for s, system in enumerate(_names(study, chosen))
        for name, values in beside.items()
    ]
    table = pd.DataFrame(rows, columns=["system", "with", "rho", "p", "n"])
    alike = "where one of the two is the same on all of the n topics, or n is below three"
    return table, [*unjudged_topics(study), *gaps(table, rho=alike)]


def topic_agreement(study, *, of="consistency", systems="all", phi=0.9, alpha="ordinal"):
    """Whether topics agree on which systems are good: one-way intraclass correlation (ICC), Kendall's W and
    Krippendorff's alpha, topics being the judges.

    of : "consistency", or a metric; alpha : "ordinal" or "interval"
    p of the F test (ICC) and of the chi-square test (W); n = topics
    """
    if alpha not in ("ordinal", "interval"):
        raise ValueError(f"alpha={alpha!r} is not known. Known: ordinal, interval.")
    if of == "consistency":
        scores = _measured(study, systems, phi)[0].value
    else:
        scores = scores_by_topic(study, of)[study.chosen(systems)]
    whole = scores[:, ~np.isnan(scores).any(axis=0)]
    if min(whole.shape) < 2:
        found = " and ".join(map(str, whole.shape))
        raise ValueError(f"agreement takes two systems and two topics or more on which all count; here are {found}.")
    rows = [
        ("ICC", *measured.icc(whole), whole.shape[1]),
        ("W", *measured.kendall_w(whole), whole.shape[1]),
        (
            "alpha",
            krippendorff(np.round(scores.T, measured.DECIMALS), alpha),
            np.nan,
            np.count_nonzero(~np.isnan(scores).all(axis=0)),
        ),
    ]
    table = pd.DataFrame(rows, columns=["measure", "value", "p", "n"])
    left = scores.shape[1] - whole.shape[1]
    notes = [f"ICC and W leave out {left} topics on which not every system has a value."] if left else []
    return table, [*notes, *gaps(table, p="for alpha, which has no test", value="where nothing varies")]


def oracle_variation(study, *, metric="AP", systems="all"):
    """What choosing the query is worth: each system's mean score over all queries of a topic, with its first one (the
    heaviest, then as they stand), and with the one that turns out best."""
    most_variations(study.track)
    chosen = study.chosen(systems)
    values = study.at().values(metric)
    of_topic = fused_runs.variations(study.track, fused_runs.variation_order(study))
    first = values[:, [of_topic[topic][0] for topic in study.judged_topics]]
    each = (study.by_topic(values), first, _best_by_topic(study, values))
    means = [mean_of_known(np.where(study.counted, of, np.nan)[chosen].T) for of in each]
    table = pd.DataFrame(
        {
            "system": _names(study, chosen),
            "all_queries": means[0],
            "first_query": means[1],
            "best_query": means[2],
            "n": study.counted[chosen].sum(axis=1),
        }
    )
    return table, [*unjudged_topics(study), *gaps(table, all_queries="for systems without a topic that counts")]


FEWER_THAN_TWO = "where a system answers fewer than two queries of the topic: one alone would always be consistent"


def _best_by_topic(study, values):
    """The best of each judged topic's queries. (S, Q) to (S, T')."""
    best = np.empty((len(values), len(study.judged_topics)))
    for t, topic in enumerate(study.judged_topics):
        best[:, t] = values[:, study.track.topic_of_query == topic].max(axis=1)
    return best


def _measured(study, systems, phi):
    """The consistency of the systems that are asked for, and which they are (indices)."""
    most_variations(study.track)
    chosen = np.flatnonzero(study.chosen(systems))
    return measured.consistency(study.track.only(chosen, np.arange(study.track.shape[1])), phi=phi), chosen


def _names(study, chosen):
    return np.array(study.systems, object)[chosen]


def _overlaps(track, systems, queries, depth, phi, variations):
    """The overlap of every two of these rankings, which are of one topic, as rows."""
    a, b = significance.pairs(len(systems))
    lists = track.items[systems, queries, :depth]
    found = measured.rank_biased_overlap(lists[a], lists[b], phi=phi)
    names = np.array(track.queries if variations else track.systems, object)[queries if variations else systems]
    return pd.DataFrame(
        {
            "system": track.systems[systems[0]],
            "a": names[a],
            "b": names[b],
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "minimum": found.minimum,
            "residual": found.residual,
            "maximum": found.maximum,
            "extrapolated": found.extrapolated,
        }
    )


def _empty_lists(track, compared):
    empty = sum(int(np.count_nonzero(track.lengths[lists] == 0)) for lists in compared)
    every = sum(len(lists[0]) for lists in compared)
    return [f"{empty} of {every} rankings hold nothing: their overlap is 0 and could be anything."] if empty else []


def _topics_left_out(value):
    left = np.isnan(value).any(axis=0).sum()
    return [f"{left} topics do not count for every system, which answers one query or none of them."] if left else []


def _columns_by_topic(study, found):
    """name -> the mean of a numeric column of the queries table over the queries of each topic. (S, T'') each."""
    table = study.query_table.set_index("query").reindex(study.track.queries)
    numeric = table.select_dtypes("number")
    topics = study.track.topic_of_query
    by_topic = {
        name: [mean_of_known(column.to_numpy(float)[topics == topic]) for topic in found.topics]
        for name, column in numeric.items()
    }
    return {name: np.tile(np.array(values, float), (len(found.value), 1)) for name, values in by_topic.items()}


def _both_known(a, b):
    return int(np.count_nonzero(~(np.isnan(a) | np.isnan(b))))


QUESTIONS = by_name(
    Question("rbo", rbo),
    Question("consistency", consistency),
    Question("consistency_of_systems", consistency_of_systems),
    Question("consistency_of_topics", consistency_of_topics),
    Question("consistency_pairs", consistency_pairs),
    Question("consistency_correlations", consistency_correlations),
    Question("topic_agreement", topic_agreement),
    Question("oracle_variation", oracle_variation),
)
