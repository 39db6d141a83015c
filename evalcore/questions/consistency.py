"""Consistency: how much do the results of a system depend on the words of the query? [BMST17].

phi : the persistence of rank-biased overlap and of the centroid that a ranking is compared with
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import by_rank, mean_of_known, names_of, scores_by_topic
from evalcore.questions.table_notes import FEW_TOPICS, gaps, most_variations, unjudged_topics
from evalcore.statistics import consistency as measured
from evalcore.statistics import significance
from evalcore.statistics.agreement import alpha as krippendorff
from evalcore.statistics.orderings import ranks
from evalcore.study import study_fusion
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import digits


def consistency(
    study: Study, *, systems: str | Sequence[str] = "all", phi: float = 0.9
) -> tuple[pd.DataFrame, list[str]]:
    """How similar each system's rankings are for the query variations of each topic: the consistency C_t.

    The mean and the standard deviation of the rank-biased overlap of each distinct ranking with the rank-biased
    centroid of them all."""
    measures, names = _measured(study, systems, phi)
    table = pd.DataFrame(
        {
            "system": np.repeat(names, len(measures.topics)),
            "topic": np.tile(np.array(study.track.topics, object)[measures.topics], len(names)),
            "queries": measures.answered.ravel(),
            "variations": measures.distinct.ravel(),
            "consistency": measures.value.ravel(),
            "sd": measures.sd.ravel(),
        }
    )
    return table, gaps(table, consistency=FEWER_THAN_TWO, sd="if all rankings are the same, or there is only one")


def consistency_of_systems(
    study: Study, *, systems: str | Sequence[str] = "all", phi: float = 0.9
) -> tuple[pd.DataFrame, list[str]]:
    """The consistency of each system over its query variations: C_T, the mean over topics."""
    measures, names = _measured(study, systems, phi)
    means, counts = mean_of_known(measures.value.T), ~np.isnan(measures.value)
    columns = {"system": names, "rank": ranks(means), "consistency": means, "topics": counts.sum(axis=1)}
    table = by_rank(pd.DataFrame(columns))
    notes = gaps(table, consistency="for systems that have two rankings on no topic")
    if left := int(np.count_nonzero(~counts.all(axis=0))):
        topics = digits(left, "topic does", "topics do")
        notes.append(f"{topics} not count for every system: some have rankings for fewer than two queries there.")
    return table, notes


def consistency_of_topics(
    study: Study, *, systems: str | Sequence[str] = "all", phi: float = 0.9
) -> tuple[pd.DataFrame, list[str]]:
    """The consistency of each topic: its mean, range and standard deviation over systems, the most consistent first.

    Over the n systems for which it has a consistency."""
    measures, _ = _measured(study, systems, phi)
    table = pd.DataFrame(
        {
            "topic": np.array(study.track.topics, object)[measures.topics],
            "consistency": mean_of_known(measures.value),
            "lowest": np.fmin.reduce(measures.value, axis=0),
            "highest": np.fmax.reduce(measures.value, axis=0),
            "sd": pd.DataFrame(measures.value).std().to_numpy(),
            "n": np.count_nonzero(~np.isnan(measures.value), axis=0),
        }
    ).sort_values("consistency", ascending=False, kind="stable", ignore_index=True)
    missing = {
        "consistency": "for topics on which no system has two rankings",
        "sd": "for topics with fewer than two systems",
    }
    return table, gaps(table, **missing)


def consistency_pairs(
    study: Study, *, systems: str | Sequence[str] = "all", phi: float = 0.9
) -> tuple[pd.DataFrame, list[str]]:
    """A two-tailed paired t-test of consistency for every pair of systems, over n common topics."""
    measures, names = _measured(study, systems, phi)
    a, b = significance.pairs(len(names))
    differences = significance.differences(measures.value)
    _, t = significance.mean_and_t(differences)
    mean, p = significance.mean_and_p(differences)
    n = np.count_nonzero(~np.isnan(differences), axis=1)
    table = pd.DataFrame({"a": names[a], "b": names[b], "difference": mean, "t": t, "p": p, "n": n})
    return table, gaps(table, t=f"for pairs without any difference, and {FEW_TOPICS}", p=FEW_TOPICS)


def consistency_correlations(
    study: Study, *, systems: str | Sequence[str] = "all", phi: float = 0.9,
    metrics: Sequence[str] = ("AP", "nDCG@10", "RBP(p=0.95)"),
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Spearman's correlation over topics of each system's consistency with its scores and with attributes of topics.

    These are the number of variations, each metric, each numeric column of the queries table (the mean over the
    topic's queries), and each column of numbers of a table of topics.

    attributes : a table of topics, such as topics.csv; None = that of the study, see `Study.with_attributes`
    """
    measures, names = _measured(study, systems, phi)
    properties = {"queries": measures.answered.astype(float), "variations": measures.distinct.astype(float)}
    judged = np.searchsorted(measures.topics, study.judged_topics)
    for name in metrics:
        scores = np.full(measures.value.shape, np.nan)
        scores[:, judged] = scores_by_topic(study, name)[study.chosen(systems)]
        properties[metric_named(name).name] = scores
    numbers = study.query_table.set_index("query").reindex(study.track.queries).select_dtypes("number")
    of_topics = [numbers.groupby(study.track.topic_of_query).mean().set_axis(study.topics)]
    of_topics += [] if study.attributes is None else [study.attributes.reindex(study.topics)]
    for name, column in chain.from_iterable(table.items() for table in of_topics):
        own = f"{name} (table)" if name in properties else name
        properties[own] = np.tile(column.to_numpy(float), (len(names), 1))
    rows = [
        (system, name, *measured.spearman(of_system, values[s]), np.count_nonzero(~np.isnan(of_system + values[s])))
        for s, (system, of_system) in enumerate(zip(names, measures.value, strict=True))
        for name, values in properties.items()
    ]
    table = QUESTIONS["consistency_correlations"].table(rows)
    alike = "if one of the two quantities is the same on all topics, or there are fewer than 3 topics (n)"
    return table, [*unjudged_topics(study), *gaps(table, rho=alike)]


def topic_agreement(
    study: Study, *, of: str = "consistency", systems: str | Sequence[str] = "all", phi: float = 0.9,
    alpha: str = "ordinal",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
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
        shape = " and ".join(map(str, whole.shape))
        raise ValueError(
            f"agreement needs at least two systems and two topics that count for all of them, but there are {shape}."
        )
    n, scored = whole.shape[1], ~np.isnan(scores).all(axis=0)
    by_alpha = krippendorff(np.round(scores.T, measured.DECIMALS), alpha)
    rows = [
        ("ICC", *measured.icc(whole), n),
        ("W", *measured.kendall_w(whole), n),
        ("alpha", by_alpha, np.nan, scored.sum()),
    ]
    table = QUESTIONS["topic_agreement"].table(rows)
    left = scores.shape[1] - n
    topics = digits(left, "topic", "topics")
    notes = [f"ICC and W leave out {topics} on which some system has no value."] if left else []
    return table, [*notes, *gaps(table, p="for alpha, which has no test", value="if all values are the same")]


def oracle_variation(
    study: Study, *, metric: str = "AP", systems: str | Sequence[str] = "all"
) -> tuple[pd.DataFrame, list[str]]:
    """The gain from choosing the best query: each system's mean score with all, the first and the best query.

    The first is the one with the largest weight, then in the order of the queries."""
    most_variations(study.track)
    chosen = study.chosen(systems)
    values = study.at().values(metric)
    of_topics = study_fusion.variations_of(study)
    of_topics = [of_topics[topic] for topic in study.judged_topics]
    first = values[:, [queries[0] for queries in of_topics]]
    best = np.array([values[:, queries].max(axis=1) for queries in of_topics]).reshape(-1, len(values)).T
    each = {"all_queries": study.by_topic(values), "first_query": first, "best_query": best}
    means = {name: mean_of_known(np.where(study.counted, of, np.nan)[chosen].T) for name, of in each.items()}
    table = pd.DataFrame({"system": names_of(study, systems), **means, "n": study.counted[chosen].sum(axis=1)})
    return table, [*unjudged_topics(study), *gaps(table, all_queries="for systems without a topic that counts")]


FEWER_THAN_TWO = "if a system has rankings for fewer than two queries of the topic"


def _measured(study, systems, phi):
    """The consistency of the systems that are asked for, and their names."""
    most_variations(study.track)
    chosen = np.flatnonzero(study.chosen(systems))
    measures = measured.consistency(study.track.only(chosen, np.arange(study.track.shape[1])), phi=phi)
    return measures, names_of(study, systems)


QUESTIONS = by_name(
    Question(
        "consistency", consistency, section="12.2", needs_judgments=False,
        columns="system topic queries variations consistency sd",
    ),
    Question(
        "consistency_of_systems", consistency_of_systems, section="12.2", needs_judgments=False,
        columns="system rank consistency topics",
    ),
    Question(
        "consistency_of_topics", consistency_of_topics, section="12.2", needs_judgments=False,
        columns="topic consistency lowest highest sd n",
    ),
    Question(
        "consistency_pairs", consistency_pairs, section="12.2", needs_judgments=False,
        columns="a b difference t p n",
    ),
    Question(
        "consistency_correlations", consistency_correlations, section="12.3", files=("attributes",),
        columns="system with rho p n",
    ),
    Question("topic_agreement", topic_agreement, section="12.4", columns="measure value p n"),
    Question(
        "oracle_variation", oracle_variation, section="12.6",
        columns="system all_queries first_query best_query n",
    ),
)  # fmt: skip
