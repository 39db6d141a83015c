"""Overlap: how much rankings have in common, of systems or of the wordings of a topic."""

import numpy as np
import pandas as pd

from evalcore import fused_runs
from evalcore.comparing import significance
from evalcore.comparing.overlap import rank_biased_overlap
from evalcore.names import by_name
from evalcore.questions.notes import most_variations
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence


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


def _empty_lists(track, compared):
    empty = sum(int(np.count_nonzero(track.lengths[lists] == 0)) for lists in compared)
    every = sum(len(lists[0]) for lists in compared)
    return [f"{empty} of {every} rankings hold nothing: their overlap is 0 and could be anything."] if empty else []


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _alike(table, asked, study):
    """Which two systems rank most alike, and which least; or which system does so for two queries of a topic."""
    if not len(table):
        return Sentence("No topic has two queries to compare.")
    rank, of = "two systems rank", ""
    if asked["variations"]:
        rank, of = "system ranks the queries of a topic", " for two queries of a topic"
    means = table.groupby("system" if asked["variations"] else ["a", "b"], sort=False)["extrapolated"].mean()
    most, least = (means.index[abs(means - end) < FUZZ][0] for end in (means.max(), means.min()))
    most, least = ([one] if asked["variations"] else list(one) for one in (most, least))
    facts = {"most": most, "highest": means.max()}
    if len(means) == 1:
        return Sentence(f"The rankings of {{most:listed}}{of} overlap by {{highest:score}} on average.", **facts)
    text = f"No {rank} more alike than {{most:listed}} (overlap {{highest:score}} on average), and none less"
    if most == least:
        return Sentence(text + ".", **facts)
    return Sentence(text + " than {least:listed} ({lowest:score}).", **facts, least=least, lowest=means.min())


QUESTIONS = by_name(Question("rbo", rbo, finding=_alike))
