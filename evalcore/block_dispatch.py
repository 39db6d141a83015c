"""Marks for functions that a study in blocks of topics computes block by block.

A function of a study whose arrays have such an axis is marked with it. For an ordinary study it is called directly; for
a study in blocks (`joined.JoinedStudy`) it is called for every block, and the results are concatenated.
"""

from dataclasses import dataclass
from functools import wraps

import numpy as np


def holding(study, topic):
    """A study that contains the rankings of a topic, by name: this one, or its block."""
    return study if study.blocks is None else study.blocks.holding(study, topic)


def _as_it_is(one):
    """What a function of an ordinary study takes."""
    if isinstance(one, ByBlock):
        return one.parts[0]
    return one.values if isinstance(one, ByItem) else one


def _by(kind, axis=0):
    def mark(function):
        @wraps(function)
        def told(study, *given):
            if study.blocks is None:
                return function(study, *(_as_it_is(one) for one in given))
            return study.blocks.joined(study, told, given, kind, axis)

        return told

    return mark


of_rankings = _by("rankings")  # arrays (S, Q, ...), of the systems and queries looked at
of_items = _by("items")  # arrays (N,), of all topics, looked at or not; of a study in blocks of its judged documents
sums = _by("sums")  # arrays of any shape that add up over topics
tables_by_query = _by("tables")  # a list of tables, one for each query looked at


def of_topics(axis=0):
    """Arrays with an axis of all topics, looked at or not."""
    return _by("topics", axis)


def of_judged_topics(axis=0):
    """Arrays with an axis of the judged topics looked at, or tables whose rows stand in their order."""
    return _by("judged topics", axis)


def of_topics_looked_at(axis=0):
    """Arrays with an axis of all topics looked at."""
    return _by("topics looked at", axis)


@dataclass(frozen=True)
class ByItem:
    """An array (N,) that is given to such a function. nothing : what stands at items that are not judged"""

    values: np.ndarray
    nothing: object


@dataclass(frozen=True)
class ByBlock:
    """What is given to each block: of an ordinary study there is one."""

    parts: list
