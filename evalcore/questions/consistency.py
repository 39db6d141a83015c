"""Consistency: how much does the outcome hang on the words of the query? [BMST17].

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
from evalcore.questions import overlaps
from evalcore.questions.notes import gaps, most_variations, unjudged_topics
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, scores_by_topic
from evalcore.sentences import FUZZ, Sentence, joined, known


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


# ---------------------------------------------------------------------------------------------------------------------
# Findings

NO_CONSISTENCY = "No system answers two queries of one topic, so nothing is known of consistency."
LEVEL = 0.05


def _ends(rows, name, column="consistency"):
    """The names with the highest and those with the lowest value, tied ones together."""
    values = rows[column]
    return [list(rows[name][abs(values - end) < FUZZ]) for end in (values.max(), values.min())]


def _answers(table, asked, study):
    """Which system answers which topic most consistently, and which least."""
    rows = table[table["consistency"].notna()]
    if not len(rows):
        return Sentence(NO_CONSISTENCY)
    most, least = (rows.loc[at] for at in (rows["consistency"].idxmax(), rows["consistency"].idxmin()))
    facts = {"system": most["system"], "topic": most["topic"], "highest": most["consistency"]}
    if len(rows) == 1:
        return Sentence("{system} answers topic {topic} with a consistency of {highest:score}.", **facts)
    if most["consistency"] - least["consistency"] < FUZZ:
        text = "All {answers:number} pairs of a system and a topic are equally consistent ({highest:score})."
        return Sentence(text, answers=len(rows), highest=most["consistency"])
    return Sentence(
        "No answers are more consistent than those of {system} to topic {topic} ({highest:score}), and none less than "
        "those of {other} to topic {other_topic} ({lowest:score}).",
        **facts, other=least["system"], other_topic=least["topic"], lowest=least["consistency"],
    )  # fmt: skip


def _most_consistent(table, asked, study):
    """Who is the most consistent, and who the least."""
    rows = table[table["consistency"].notna()]
    if not len(rows):
        return Sentence(NO_CONSISTENCY)
    most, least = _ends(rows, "system")
    facts = {"most": most, "highest": rows["consistency"].max()}
    if len(rows) == 1:
        alone = "{most:listed} is the most consistent ({highest:score}), for no other answers two queries of a topic."
        return Sentence(alone, **facts)
    if len(most) == len(rows):
        return Sentence("{most:listed} are equally consistent ({highest:score}).", **facts)
    are = "is" if len(most) == 1 else "are"
    text = f"{{most:listed}} {are} the most consistent ({{highest:score}}), {{least:listed}} the least "
    return Sentence(text + "({lowest:score}).", **facts, least=least, lowest=rows["consistency"].min())


def _by_topic(table, asked, study):
    """Which topic is answered least consistently, and which most."""
    rows = table[table["consistency"].notna()]
    if not len(rows):
        return Sentence(NO_CONSISTENCY)
    most, least = _ends(rows, "topic")
    facts = {"most": most, "highest": rows["consistency"].max()}
    if len(rows) == 1:
        text = "Topic {most:listed} is answered with a consistency of {highest:score}, by {systems:digits system}."
        return Sentence(text, **facts, systems=int(rows["n"].iloc[0]))
    if len(most) == len(rows):
        return Sentence("Topics {most:listed} are answered equally consistently ({highest:score}).", **facts)
    topic, are = ("Topic", "is") if len(least) == 1 else ("Topics", "are")
    other = "topic" if len(most) == 1 else "topics"
    return Sentence(
        f"{topic} {{least:listed}} {are} the least consistently answered ({{lowest:score}}), {other} {{most:listed}} "
        "the most ({highest:score}).",
        **facts, least=least, lowest=rows["consistency"].min(),
    )  # fmt: skip


def _told_apart(table, asked, study):
    """How many pairs of systems a test tells apart, and from whom the most consistent system is not told apart."""
    if table["difference"].isna().all():
        return Sentence("No two systems have a consistency to compare.")
    apart, pairs = int((table["p"] < LEVEL).sum()), len(table)
    test = f"A paired t-test over topics tells {{}} apart in consistency (p < {LEVEL}, uncorrected)"
    if apart in (0, pairs):
        return Sentence(test.format("every two systems" if apart else "no two systems") + ".")
    some = Sentence(test.format("{apart:number} of {pairs:number} pairs of systems"), apart=apart, pairs=pairs)
    return joined(some, _ahead(table), end=".")


def _ahead(table):
    """From whom the system that is ahead of all others is not told apart; None where none is."""
    behind = {*table["a"][~(table["difference"] > FUZZ)], *table["b"][~(table["difference"] < -FUZZ)]}
    ahead = next(iter({*table["a"], *table["b"]} - behind), None)
    if ahead is None:
        return None
    doubtful = table[((table["a"] == ahead) | (table["b"] == ahead)) & ~(table["p"] < LEVEL)]
    doubt = [b if a == ahead else a for a, b in zip(doubtful["a"], doubtful["b"], strict=True)]
    ends = "but not told apart from {doubt:listed}" if doubt else "and told apart from each"
    return Sentence("{ahead} is ahead of all others, " + ends, ahead=ahead, **({"doubt": doubt} if doubt else {}))


def beside_score(systems, board, metric):
    """Whether consistent systems are good. systems, board : the tables of `consistency_of_systems` and `leaderboard`"""
    both = systems[["system", "consistency"]].merge(board[["system", "value"]], on="system").dropna()
    if len(both) < 2:
        return Sentence("Two systems or more are needed to compare consistency and score.")
    consistent, good = _ends(both, "system")[0], _ends(both, "system", "value")[0]
    if consistent == good and len(good) == 1:
        return Sentence("{good:listed} is the most consistent and the best by {metric}.", good=good, metric=metric)
    are = "is" if len(consistent) == 1 else "are"
    text = f"{{consistent:listed}} {are} the most consistent, {{good:listed}} the best by {{metric}}."
    return Sentence(text, consistent=consistent, good=good, metric=metric)


def _related(table, asked, study):
    """What goes most with consistency."""
    rows = table[table["rho"].notna()]
    if not len(rows):
        return Sentence("Nothing varies enough over topics to go with consistency.")
    means = rows.groupby("with", sort=False)["rho"].mean()
    rho = means[means.abs() > means.abs().max() - FUZZ].iloc[0]
    names = list(means.index[(means - rho).abs() < FUZZ])
    systems = rows["system"][rows["with"] == names[0]]
    text = "Over topics consistency goes most with {names:listed}: Spearman's rho is {rho:score}"
    ends = " on average over {systems:digits system}."
    if len(systems) == 1:
        return Sentence(text + " for {system}.", names=names, rho=rho, system=systems.iloc[0])
    return Sentence(text + ends, names=names, rho=rho, systems=len(systems))


def _agreed(table, asked, study):
    """How far topics agree on who is good."""
    w, alpha = (table[table["measure"] == name].iloc[0] for name in ("W", "alpha"))
    if not known(w["value"]):
        return Sentence("No topic tells the systems apart, so there is nothing to agree on.")
    by = Sentence("consistent") if asked["of"] == "consistency" else Sentence("good by {metric}", metric=asked["of"])
    told = Sentence("{topics:digits topic} agree on which systems are ", topics=int(w["n"])) + by
    of = Sentence(" with a Kendall's W of {w:score}, where 1 is full agreement (p = {p:short})", w=w["value"], p=w["p"])
    other = Sentence("Krippendorff's alpha is {alpha:score}", alpha=alpha["value"]) if known(alpha["value"]) else None
    return joined(told + of, other, end=".")


def _best_wording(table, asked, study):
    """What choosing the wording is worth."""
    gain = (table["best_query"] - table["all_queries"]).mean()
    if not known(gain):
        return Sentence("No topic counts, so no wording has a score.")
    text = "Whoever knew the best wording of each topic would gain {gain:score} {metric} on average."
    return Sentence(text, gain=gain, metric=asked["metric"])


QUESTIONS = overlaps.QUESTIONS | by_name(
    Question("consistency", consistency, finding=_answers),
    Question("consistency_of_systems", consistency_of_systems, finding=_most_consistent),
    Question("consistency_of_topics", consistency_of_topics, finding=_by_topic),
    Question("consistency_pairs", consistency_pairs, finding=_told_apart),
    Question("consistency_correlations", consistency_correlations, finding=_related),
    Question("topic_agreement", topic_agreement, finding=_agreed),
    Question("oracle_variation", oracle_variation, finding=_best_wording),
)
