"""Ragged rows, stored in one array: the count, the sum and the running sum of each row.

A ranking has as many places as pooled documents, a topic as many relevant ones as were found: most of what is added up
here comes in such rows, and a loop over them would take a hundred times as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Rows:
    """A ragged array: rows of different lengths in one flat array, with the start of each row.

    starts : int64 (rows + 1,), where each row's values begin; one more at the end
    """

    starts: NDArray[np.integer]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.starts) - 1

    @property
    def size(self) -> int:
        """How many values there are in all, M."""
        return int(self.starts[-1])

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """How many values each row has. int64 (rows,)."""
        return np.diff(self.starts)

    @cached_property
    def row(self) -> NDArray[np.intp]:
        """The row of each value. int64 (M,)."""
        return self.each(np.arange(self.rows))

    @cached_property
    def nth(self) -> NDArray[np.intp]:
        """Which of its row each value is, from 1. int64 (M,)."""
        return np.arange(1, self.size + 1) - self.each(self.starts[:-1])

    def each(self, of_row: NDArray[Any]) -> NDArray[Any]:
        """A value of each row, for each value of the row. (rows,) to (M,)."""
        return np.repeat(of_row, self.counts)

    def rows_among(self, at: NDArray[np.intp]) -> Rows:
        """The rows of the values at these ascending indices alone."""
        return Rows(np.searchsorted(at, self.starts))

    def sum(self, values: NDArray[Any], at: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Sum over each row of all values, (M,), or of those at ascending indices alone. To float64 (rows,)."""
        if at is not None:
            return self.rows_among(at).sum(values)
        sums, filled = np.zeros(self.rows), self.counts > 0
        sums[filled] = np.add.reduceat(values, self.starts[:-1][filled], dtype=float)
        return sums

    def apart(self, values: NDArray[np.intp]) -> NDArray[np.intp]:
        """How many whole numbers lie between each ascending one of a row and the one before it; from 0 on. int64."""
        between = np.diff(values, prepend=0) - 1
        filled = self.starts[:-1][self.counts > 0]
        between[filled] = values[filled]
        return between

    def running(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sum over the values of a row down to each one. Of the shape of `values`.

        A row's total is taken off where the next one begins, and then what rounding left of those above: equal rows
        have equal sums wherever they stand.
        """
        filled = self.counts > 0
        begin = self.starts[:-1][filled]
        steps = values + 0  # of numbers, where they are bool
        steps[begin[1:]] -= np.add.reduceat(steps, begin)[:-1]
        total = np.cumsum(steps)
        return total - np.repeat(total[begin] - values[begin], self.counts[filled])

    def above(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same without the value itself."""
        return self.running(values) - values


def rows_of(counts: NDArray[np.intp]) -> Rows:
    """Rows of so many values each. counts : int (rows,)"""
    return Rows(offsets(counts))


def offsets(counts: NDArray[np.intp]) -> NDArray[Any]:
    """Where each of consecutive stretches of these lengths begins, and where the last ends."""
    counts = np.asarray(counts)
    total = np.zeros(len(counts) + 1, np.float64 if counts.dtype.kind == "f" else np.int64)
    np.cumsum(counts, out=total[1:])
    return total
