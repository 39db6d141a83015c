"""The rows of one file: what each line of a run or of judgments says, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.reading.column_meanings import MOST_FRACTIONS
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.vocabulary.sentences import digits


@dataclass(frozen=True)
class Rows:
    """The L data lines of a file, in its order.

    query : int32 (L,), codes into `queries` (bytes), which are in order of first appearance
    documents : Arrow binary array (L,)
    values : float64 (L,) scores of a run, or grades of a qrels, int32 (L,), float64 where some are fractions
    ranks : int32 (L,), or None where there is no rank column or it cannot be read
    tags : the run tags in the file (bytes), in order of first appearance
    lines : int32 (L,), the number of each line in the file; None in JSON, which has no lines
    rivals : other columns of a table that its headings call documents, as (heading, Arrow strings (L,))
    systems : Arrow dictionary array (L,), the system of each document where JSON names several; else None
    iteration : Arrow dictionary array (L,), the second column of a qrels in TREC's format, or the column of a table
        that its heading calls a subtopic; else None
    for_subtopics : whether it is the latter
    stratum : int8 (L,), where the judgments are a sample that was drawn in strata; else None
    """

    query: NDArray[np.int32]
    queries: list[bytes]
    documents: pa.Array
    values: NDArray[np.number]
    ranks: NDArray[np.int32] | None
    tags: list[bytes]
    lines: NDArray[np.int32] | range | None
    rivals: tuple[tuple[str, pa.Array], ...] = ()
    systems: pa.Array | None = None
    iteration: pa.Array | None = None
    for_subtopics: bool = False
    stratum: NDArray[np.int8] | None = None

    def taken(self, places: NDArray[np.integer]) -> Rows:
        """Some of the rows. places : int (n,), in the order wanted"""
        arrow = pa.array(places)

        def of(column: Any) -> Any:
            if column is None:
                return None
            return column.take(arrow) if isinstance(column, pa.Array) else np.asarray(column)[places]

        columns = {name: of(getattr(self, name)) for name in OF_ROWS}
        return replace(self, **columns, rivals=tuple((heading, of(column)) for heading, column in self.rivals))

    def part(self, places: NDArray[np.integer]) -> Rows:
        """The same with only their queries."""
        rows = self.taken(places)
        query, first = pd.factorize(rows.query)
        return replace(rows, query=query.astype(np.int32), queries=[self.queries[place] for place in first.tolist()])

    def by_query(self) -> Rows:
        """The rows with each query's together, in the order of the queries' first lines."""
        if np.all(self.query[1:] >= self.query[:-1]):
            return self
        return self.taken(np.argsort(self.query, kind="stable"))


OF_ROWS = ("query", "documents", "values", "ranks", "lines", "systems", "iteration", "stratum")


def finite(name: str, scores: NDArray[np.float64], findings: list[Finding]) -> NDArray[np.float64]:
    """Scores with just less than the lowest other one in place of minus infinity, if there is another."""
    least = np.isneginf(scores)
    if least.any() and np.isfinite(scores).any():
        scores_are = digits(int(least.sum()), "score is", "scores are")
        message = f"{name}: {scores_are} −inf, which was read as just below all others."
        findings.append(Finding("note", "infinite scores", "", "", int(least.sum()), message))
        scores = np.where(least, np.nextafter(scores[np.isfinite(scores)].min(), -np.inf), scores)
    return scores


FRACTIONAL = "fractional grades"  # a check


def whole_if_so(name: str, grades: NDArray[np.float64], findings: list[Finding]) -> NDArray[Any]:
    """Grades as int32 where all are whole; else as they are, with a warning. InputError where they are many scores"""
    fractions = np.flatnonzero(grades != np.floor(grades))
    if not len(fractions):
        return grades.astype(np.int32)
    different, first = np.unique(grades), f"{grades[fractions[0]]:g}"
    if len(different) > MOST_FRACTIONS:
        looks = f"grades are {len(different):,} different numbers, such as {first}, so they look like scores of a run."
        message = f"{name}: the {looks} Load it as a run, or round the grades."
        raise InputError([Problem(name, None, message, seems="run", reason=f"The {looks}")])
    lowest = next((grade for grade in different if grade > 0), different[-1])
    grades_are = digits(len(fractions), "grade is a fraction", "grades are fractions")
    message = (
        f"{name}: {grades_are}, such as {first}. Unless you choose gains, grades are read as gains (divided by the "
        f"highest, if that is above 1). Set the lowest relevant grade (rel_level), such as {lowest:g}."
    )
    findings.append(Finding("warning", FRACTIONAL, "", "", len(fractions), message))
    return grades
