"""Overlap: how much rankings have in common, of systems or of the wordings of a topic."""

import numpy as np
import pandas as pd

from evalcore import fused_runs
from evalcore.comparing import significance
from evalcore.comparing.overlap import rank_biased_overlap
from evalcore.joining import holding, of_topics_looked_at, tables_by_query
from evalcore.names import by_name
from evalcore.questions.notes import most_variations
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence, joined


def rbo(study, *, systems="all", variations=False, phi=0.9, k=100, topic=None):
    """Rank-biased overlap (RBO) of every two systems on every query, over the first k ranks of both.

    The lower and the upper bound, and the value between them that the known ranks suggest
    variations : whether every two queries of a topic are compared instead, for each system
    k : None = the full rankings
    """
    depth = study.track.shape[2] if k is None else k
    study = study if topic is None else holding(study, str(topic)).only(topics=[str(topic)])
    track, chosen = study.track, np.flatnonzero(study.chosen(systems))
    if variations:
        most_variations(track)
        tables = [_of_variations(study, chosen, depth, phi)]
    else:
        if len(chosen) < 2:
            raise ValueError("an overlap needs at least two systems. Choose another one, or compare variations.")
        tables = _of_systems(study, chosen, depth, phi)
    table = pd.concat(tables, ignore_index=True)
    several = len(np.unique(track.topic_of_query)) < track.shape[1]
    table = table.drop(columns="query" if variations or not several else [])
    return table.drop(columns=[] if variations else "system"), _empty_lists(track.lengths[chosen] == 0)


@tables_by_query
def _of_systems(study, chosen, depth, phi):
    """The overlaps of these systems, query by query: tables."""
    each = (np.full(len(chosen), query) for query in range(study.track.shape[1]))
    return [_overlaps(study.track, chosen, queries, depth, phi, variations=False) for queries in each]


def _of_variations(study, chosen, depth, phi):
    """The overlaps of the queries of each topic, system by system: a table."""
    table = _of_variations_by_topic(study, chosen, depth, phi)
    place = {name: number for number, name in enumerate(study.systems)}
    return table.iloc[np.argsort(table["system"].map(place), kind="stable")]


@of_topics_looked_at()
def _of_variations_by_topic(study, chosen, depth, phi):
    of_topics = fused_runs.variations_of(study).values()
    lists = [(np.full(len(queries), system), queries) for system in chosen for queries in of_topics]
    return pd.concat([_overlaps(study.track, *one, depth, phi, variations=True) for one in lists], ignore_index=True)


def _overlaps(track, systems, queries, depth, phi, variations):
    """The overlap of every two of these rankings, which are of one topic, as rows."""
    a, b = significance.pairs(len(systems))
    lists = track.items[systems, queries, :depth]
    overlap = rank_biased_overlap(lists[a], lists[b], phi=phi)
    names = np.array(track.queries if variations else track.systems, object)[queries if variations else systems]
    return pd.DataFrame(
        {
            "system": track.systems[systems[0]],
            "a": names[a],
            "b": names[b],
            "topic": track.topics[track.topic_of_query[queries[0]]],
            "query": track.queries[queries[0]],
            "minimum": overlap.minimum,
            "residual": overlap.residual,
            "maximum": overlap.maximum,
            "extrapolated": overlap.extrapolated,
        }
    )


def _empty_lists(empty):
    """A note on the rankings without a document. empty : bool, which of those compared are"""
    count = int(np.count_nonzero(empty))
    text = f"{count:,} of {empty.size:,} rankings are empty: their overlap counts as 0, although it is unknown."
    if count == 1:
        text = f"1 of {empty.size:,} rankings is empty: its overlap counts as 0, although it is unknown."
    return [text] if count else []


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def ends(values):
    """The labels of the highest values and of the lowest, tied ones together. values : a series"""
    return [list(values.index[abs(values - end) < FUZZ]) for end in (values.max(), values.min())]


def _alike(table, asked, study):
    """Which two systems rank most alike, and which least; or which system does so for two queries of a topic."""
    if not len(table):
        return Sentence("No topic has two queries to compare.")
    who, rank = ["a", "b"], "two systems rank"
    if asked["variations"]:
        who, rank = ["system"], "system ranks the queries of a topic"
    means = table.groupby(who, sort=False)["extrapolated"].mean()
    highest, lowest = ends(means)
    most, least = (np.atleast_1d(tied[0]).tolist() for tied in (highest, lowest))
    overlap = "rank-biased overlap {highest:score} on average"
    if len(means) == 1:
        text = "{most:listed} ranks the queries of a topic" if asked["variations"] else "{most:listed} rank"
        return Sentence(
            f"{text} with a rank-biased overlap of {{highest:score}} on average.", most=most, highest=means.max()
        )
    told = Sentence(f"No {rank} more alike than {{most:listed}} ({overlap}", most=most, highest=means.max())
    told += _as_do_others(len(highest) - 1, "most", asked) + ")"
    if means.max() - means.min() <= FUZZ:
        return told + "."
    told += Sentence(", and none less than {least:listed} ({lowest:score}", least=least, lowest=means.min())
    return told + _as_do_others(len(lowest) - 1, "least", asked) + ")."


def _as_do_others(others, end, asked):
    """How many others rank as much or as little alike as those that are named; nothing where none does."""
    other = "other system" if asked["variations"] else "other pair"
    text = f", as {{{end}_others:verb has/have}} {{{end}_others:count {other}}}"
    return Sentence(text, **{f"{end}_others": others}) if others else Sentence("")


def beside_least(most, least, values):
    """What was said of the highest value, and who has the lowest, unless all have the same."""
    last = Sentence("and none less than {least:listed} ({lowest:score})", least=least, lowest=values.min())
    return joined(most, last if values.max() - values.min() > FUZZ else None, by=", ", end=".")


QUESTIONS = by_name(Question("rbo", rbo, section="12.1", finding=_alike, spans="topics"))
