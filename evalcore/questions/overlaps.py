"""Overlap: how much rankings have in common, of systems or of the wordings of a topic."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.questions.question import LARGE, Question
from evalcore.questions.table_notes import gaps, most_variations
from evalcore.statistics import significance
from evalcore.statistics.overlap import rank_biased_overlap
from evalcore.study import study_fusion
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import FUZZ


def rbo(
    study: Study, *, systems: str | Sequence[str] = "all", variations: bool = False, phi: float = 0.9, k: int = 100,
    topic: str | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """Rank-biased overlap (RBO) of every two systems on every query, over the first k ranks of both.

    The lower and the upper bound, and the value between them that the known ranks suggest
    variations : whether every two queries of a topic are compared instead, for each system
    k : None = the full rankings
    """
    depth = study.track.shape[2] if k is None else k
    study = study if topic is None else study.only(topics=[str(topic)])
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
    neither = gaps(table, extrapolated="if both rankings are empty")
    return table.drop(columns=[] if variations else "system"), [*_empty_lists(track.lengths[chosen] == 0), *neither]


def _of_systems(study, chosen, depth, phi):
    """The overlaps of these systems, query by query: tables."""
    each = (np.full(len(chosen), query) for query in range(study.track.shape[1]))
    return [_overlaps(study.track, chosen, queries, depth, phi, variations=False) for queries in each]


def _of_variations(study, chosen, depth, phi):
    """The overlaps of the queries of each topic, system by system: a table."""
    of_topics = study_fusion.variations_of(study).values()
    lists = [(np.full(len(queries), system), queries) for system in chosen for queries in of_topics]
    return pd.concat([_overlaps(study.track, *pair, depth, phi, variations=True) for pair in lists], ignore_index=True)


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
    number, whose = ("1", "is empty: its") if count == 1 else (f"{count:,}", "are empty: their")
    text = f"{number} of {empty.size:,} rankings {whose} overlap counts as 0 with any other, although it is unknown."
    return [text] if count else []


def ends(values: pd.Series) -> list[Any]:
    """The labels of the highest values and of the lowest, tied ones together. values : a series"""
    return [list(values.index[abs(values - end) < FUZZ]) for end in (values.max(), values.min())]


QUESTIONS = by_name(
    Question(
        "rbo", rbo, section="12.1", needs_judgments=False, long_from=LARGE,
        columns="a b topic minimum residual maximum extrapolated",
    ),
)  # fmt: skip
