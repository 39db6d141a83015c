"""Judgments: the grade and the stratum of each item, and what a grade is worth.

*Never pooled*, *pooled but not judged* and *judged* are three different facts about an item. One small integer per
item, its level, says which it is; every reading of a grade is then a table by level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.cache import inherit
from evalcore.vocabulary import validation

NEVER_POOLED = 0
NEGATIVE_READINGS = ("split", "unjudged", "judged")
GAIN_RULES = ("binary", "linear", "exponential")


@dataclass(frozen=True)
class Scale:
    """How the grades of one qrels file are read. Four tables by level: level 0 is an item that was never pooled, level
    i + 1 one that has the i-th grade.

    grades : every grade in the whole file, ascending, int, or float where it is a fraction; the file's, never those of
        the judgments in force, else a shallower pool would rescale the gains and intervals would not nest
    rel_level : a grade is relevant from here on
    gains : what RBP, SDCG and INST earn: "binary", "linear" `max(g, 0) / g_max`, "exponential"
        `(2^max(g, 0) - 1) / 2^g_max`, or a dict grade -> gain in [0, 1]
    zero, unit : the grade that is worth nothing, from which all rules count, and how many grades are one step of theirs
    negative : "split" reads -1 as pooled but not judged and lower grades as judged, not relevant; "unjudged" and
        "judged" read all of them one way
    """

    grades: tuple[float, ...]
    rel_level: float = 1
    gains: str | Mapping[float, float] = "binary"
    negative: str = "split"
    zero: float = 0
    unit: float = 1

    def __post_init__(self) -> None:
        validation.number("rel_level", self.rel_level)
        if self.negative not in NEGATIVE_READINGS:
            raise ValueError(f"negative={self.negative!r} is not known. Known: {', '.join(NEGATIVE_READINGS)}.")
        if isinstance(self.gains, dict):
            missing = [grade for grade in self.grades if grade >= 0 and grade not in self.gains]
            if missing:
                raise ValueError(f"gains has no entry for grade {missing[0]}, which the qrels contain. Add it.")
            wrong = [(grade, gain) for grade, gain in self.gains.items() if not 0 <= gain <= 1]
            if wrong:
                raise ValueError(f"gains gives {wrong[0][1]} to grade {wrong[0][0]}; a gain must be between 0 and 1.")
            if not any(self.gains.values()):
                raise ValueError("gains gives 0 to every grade; give at least one grade a gain above 0.")
        elif self.gains not in GAIN_RULES:
            raise ValueError(
                f"gains={self.gains!r} is not known. Known: {', '.join(GAIN_RULES)}, or a dict such as {{0: 0, 1: .5}}."
            )

    @property
    def g_max(self) -> float:
        """The largest grade of the file, at least 1."""
        return max((*self.grades, 1))

    @property
    def height(self) -> float:
        """How many steps the largest grade is above the one that is worth nothing."""
        return (self.g_max - self.zero) / self.unit

    @property
    def r_max(self) -> float:
        """The largest gain that an unjudged document may turn out to have."""
        if isinstance(self.gains, dict):
            return float(max(self.gains.values()))
        return 1 - 2.0**-self.height if self.gains == "exponential" else 1.0

    def knowing(self, grade: float) -> Scale:
        """The same scale with one grade more, which gains nothing where it is not said what each grade gains."""
        gains = {grade: 0.0} | self.gains if isinstance(self.gains, dict) else self.gains
        return replace(self, grades=tuple(sorted({*self.grades, grade})), gains=gains)

    def relevant_from(self, grade: float) -> Scale:
        """The same scale with another lowest relevant grade."""
        return self if grade == self.rel_level else replace(self, rel_level=grade)

    @cached_property
    def pooled(self) -> NDArray[np.bool_]:
        """By level: was the document pooled, judged or not? bool."""
        return self._by_level(np.ones(len(self.grades), bool))

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """By level: is this a judgment? bool."""
        grades = np.array(self.grades)
        read_as_judged = {"split": grades != -1, "unjudged": grades >= 0, "judged": grades == grades}
        return self._by_level(read_as_judged[self.negative])

    @property
    def read(self) -> tuple[float, ...]:
        """The grades that are judgments, ascending."""
        return tuple(grade for grade, judged in zip(self.grades, self.judged[1:], strict=True) if judged)

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """By level: `grade >= rel_level`. bool."""
        return self._by_level(np.array(self.grades) >= self.rel_level) & self.judged

    @cached_property
    def gain(self) -> NDArray[np.float64]:
        """By level: what the weighted-precision metrics and INST earn, in [0, r_max]."""
        return self._by_level(self._gain(np.array(self.grades))) * self.judged

    @cached_property
    def worth(self) -> NDArray[np.float64]:
        """By level: what nDCG and Q cumulate: `max(grade, 0)`, or the gain where that is exponential or given."""
        if self.gains == "exponential" or isinstance(self.gains, dict):
            return self.gain
        return self._by_level(self._above_zero(self.grades).astype(float))

    @cached_property
    def satisfied(self) -> NDArray[np.float64]:
        """By level: the chance that a document satisfies ERR's reader, `(2^max(grade, 0) - 1) / 2^g`. g is 4, as in
        gdeval, or the largest grade if that is higher."""
        return self._by_level(self._satisfied(self._above_zero(self.grades))) * self.judged

    @property
    def most_satisfied(self) -> float:
        """The largest such chance of an unjudged document."""
        return float(self._satisfied(self.height))

    def _satisfied(self, grade):
        top = max(4, self.height)
        return np.exp2(np.maximum(grade - top, -1000.0)) - np.exp2(max(-top, -1000.0))

    @property
    def most_worth(self) -> float:
        """The largest worth that an unjudged document may turn out to have."""
        return self.r_max if self.gains == "exponential" or isinstance(self.gains, dict) else float(self.height)

    @cached_property
    def worthy(self) -> NDArray[np.bool_]:
        """By level: relevant, or worth something. bool."""
        return self.relevant | (self.worth > 0)

    @cached_property
    def nonrelevant(self) -> NDArray[np.bool_]:
        """By level: judged, not relevant, as `trec_eval` reads it: every negative grade is pooled, not judged. bool."""
        grades = np.array(self.grades)
        return self._by_level((grades >= 0) & (grades < self.rel_level))

    def _gain(self, grades):
        if isinstance(self.gains, dict):
            return np.array([self.gains.get(grade.item(), 0.0) for grade in grades], float)
        if self.gains == "binary":
            return (grades >= self.rel_level).astype(float)
        if self.gains == "linear":
            return self._above_zero(grades) / self.height
        below_best = np.maximum(self._above_zero(grades) - self.height, -2000)
        whole = np.floor(below_best)
        up_to_best = np.ldexp(np.exp2(below_best - whole), whole.astype(np.int32))
        return up_to_best - 2.0**-self.height  # as the definition, and 2^g need not be a number that a float holds

    def _above_zero(self, grades):
        return np.maximum(np.asarray(grades) - self.zero, 0) / self.unit

    @staticmethod
    def _by_level(of_grades):
        return np.concatenate([np.zeros(1, of_grades.dtype), of_grades])


@dataclass(frozen=True)
class Judgments:
    """The judgments in force over N items.

    level : small int (N,), 0 = never pooled, else 1 + the place of the item's grade in `scale.grades`
    stratum : int8 (N,), the stratum of a sample that the item was drawn in; 0 = never pooled, 1 = the pool
    topic_of_item : int32 (N,)
    topics : how many topics there are, T
    """

    level: NDArray[np.integer]
    stratum: NDArray[np.int8]
    scale: Scale
    topic_of_item: NDArray[np.int32]
    topics: int

    def __post_init__(self) -> None:
        if not self.level.shape == self.stratum.shape == self.topic_of_item.shape:
            raise ValueError("Judgments needs a level, a stratum and a topic for every item.")
        if self.level.size and (self.level[0] != NEVER_POOLED or np.logical_xor(self.level, self.stratum).any()):
            raise ValueError("An item has a level if and only if it has a stratum; the empty place has neither.")
        self.level.flags.writeable = False
        self.stratum.flags.writeable = False

    @property
    def grade(self) -> NDArray[np.number]:
        """The grade of each item as the qrels give it, 0 where they say nothing. int64 (N,), float64 with fractions."""
        return np.array((0, *self.scale.grades))[self.level]

    @cached_property
    def pooled_items(self) -> NDArray[np.intp]:
        """The items that the judgments speak of, ascending."""
        return np.flatnonzero(self.level != NEVER_POOLED)

    def marked(self, table: NDArray[Any]) -> NDArray[Any]:
        """Which items, of those that the judgments speak of, a bool table by level says yes to. bool (N,)."""
        mask = np.zeros(len(self.level), bool)
        mask[self.pooled_items] = table[self.level[self.pooled_items]]
        return mask

    def count(self, table: NDArray[np.bool_]) -> NDArray[np.intp]:
        """How many items of each topic a table by level says yes to. int64 (T,)."""
        items = self.pooled_items[table[self.level[self.pooled_items]]]
        return np.bincount(self.topic_of_item[items], minlength=self.topics)

    @cached_property
    def relevant(self) -> NDArray[np.intp]:
        """R, the relevant documents known for each topic. int64 (T,)."""
        return self.count(self.scale.relevant)

    @cached_property
    def nonrelevant(self) -> NDArray[np.intp]:
        """The documents of each topic that `trec_eval` reads as judged and not relevant. int64 (T,)."""
        return self.count(self.scale.nonrelevant)

    @cached_property
    def best(self) -> NDArray[np.intp]:
        """The items of some worth or relevance, topic by topic and the highest first: the best rankings there are."""
        items = self.pooled_items
        items = items[self.scale.worthy[self.level[items]]]
        return items[np.lexsort((items, -self.scale.worth[self.level[items]], self.topic_of_item[items]))]

    @cached_property
    def best_relevant(self) -> NDArray[np.intp]:
        """The relevant ones of `best`."""
        return self.best[self.scale.relevant[self.level[self.best]]]

    @cached_property
    def best_of_topic(self) -> NDArray[np.intp]:
        """A relevant item of each topic, of the highest worth; the empty place for a topic without any. int64 (T,)."""
        topics, first = np.unique(self.topic_of_item[self.best_relevant], return_index=True)
        best = np.zeros(self.topics, np.int64)
        best[topics] = self.best_relevant[first]
        return best

    @cached_property
    def standing(self) -> NDArray[np.int32]:
        """The position, from 0, of each relevant item in its topic's ideal ranking; 0 for items that are not relevant.
        int32 (N,)."""
        topic = self.topic_of_item[self.best_relevant]
        standing = np.zeros(len(self.level), np.int32)
        standing[self.best_relevant] = np.arange(len(topic)) - np.searchsorted(topic, topic)
        return standing

    def relevant_from(self, grade: float) -> Judgments:
        """These judgments with another lowest relevant grade."""
        scale = self.scale.relevant_from(grade)
        return self if scale is self.scale else inherit(replace(self, scale=scale), self, ("pooled_items",))

    def only(self, keep: NDArray[np.bool_]) -> Judgments:
        """These judgments where `keep` (bool (N,)), as if the rest had never been pooled."""
        return self.without(self.pooled_items[~keep[self.pooled_items]])

    def without(self, items: NDArray[np.intp]) -> Judgments:
        """These judgments but for those of some items (indices), as if these had never been pooled."""
        if not len(items):
            return self
        level, stratum = self.level.copy(), self.stratum.copy()
        level[items] = stratum[items] = NEVER_POOLED
        fewer, cached = replace(self, level=level, stratum=stratum), ("pooled_items", "best", "best_relevant")
        return inherit(fewer, self, cached, lambda items: items[level[items] != NEVER_POOLED])

    def and_not_relevant(self, items: NDArray[np.intp]) -> Judgments:
        """These judgments, and of more items (indices) that they were judged with grade 0."""
        scale = self.scale.knowing(0)
        moved = np.append(0, 1 + np.searchsorted(scale.grades, self.scale.grades))
        level = moved.astype(np.min_scalar_type(len(scale.grades)))[self.level]
        level[items] = 1 + scale.grades.index(0)
        return Judgments(level, np.maximum(self.stratum, level > 0), scale, self.topic_of_item, self.topics)


def judgments_from(
    grade: NDArray[Any], listed: NDArray[np.bool_], *, topic_of_item: NDArray[np.int32], topics: int,
    stratum: NDArray[np.int8] | None = None,
    rel_level: float = 1, gains: str | Mapping[float, float] = "binary", negative: str = "split",
) -> Judgments:  # fmt: skip
    """The judgments that a qrels file states.

    grade : int or float (N,), read only where listed
    listed : bool (N,), the file has a line for the item
    stratum : of a sample, 0 where not listed; None = all are in the pool
    """
    items = np.flatnonzero(listed)
    grades = np.unique(grade[items])
    level = np.zeros(len(grade), np.min_scalar_type(len(grades)))
    level[items] = 1 + np.searchsorted(grades, grade[items])
    scale = Scale(tuple(int(g) if g == int(g) else float(g) for g in grades), rel_level, gains, negative)
    stratum = listed.astype(np.int8) if stratum is None else stratum
    return Judgments(level, stratum, scale, topic_of_item, topics)


def grade(text: Any) -> float:
    """A grade from text: a whole number, or one with decimals."""
    value = float(text)
    return int(value) if value == int(value) else value


def gains_by_grade(gains: Mapping[Any, Any]) -> dict[float, float]:
    """The gain of each grade, from what somebody wrote. Raises ValueError unless all are numbers."""
    try:
        return {grade(of): float(gain) for of, gain in gains.items()}
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"gains={gains!r:.200} is not valid; write a number for each grade: {{0: 0, 1: .5}}."
        ) from None
