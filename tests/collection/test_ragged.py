"""Rows of unequal length against lists of lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.collection.ragged import offsets, rows_of

LISTS = st.lists(st.lists(st.integers(0, 50), max_size=6), max_size=6)


def flat(lists):
    return np.array([value for values in lists for value in values], np.int64)


def of(lists):
    return rows_of(np.array([len(values) for values in lists], np.int64))


@given(lists=LISTS)
def test_each_row_is_a_list(lists):
    rows, values = of(lists), flat(lists)
    assert (rows.rows, rows.size) == (len(lists), len(values))
    assert rows.counts.tolist() == [len(row) for row in lists]
    assert rows.row.tolist() == [i for i, row in enumerate(lists) for _ in row]
    assert rows.nth.tolist() == [n for row in lists for n in range(1, len(row) + 1)]
    assert rows.each(np.arange(len(lists)) * 10).tolist() == [i * 10 for i, row in enumerate(lists) for _ in row]
    assert rows.sum(values).tolist() == [sum(row) for row in lists]
    assert rows.above(values).tolist() == [sum(row[:n]) for row in lists for n in range(len(row))]
    assert rows.running(values).tolist() == [sum(row[: n + 1]) for row in lists for n in range(len(row))]


def test_rows_above_leave_no_noise():
    row = [0.1, 0.2, 0.3]
    lists = [row, *([100.0 + 0.1 * n, 1 / 3] for n in range(2000)), row]
    running = of(lists).running(np.concatenate(lists))
    assert running[:3] == pytest.approx(running[-3:], abs=1e-14)
    assert running[-3:] == pytest.approx([0.1, 0.3, 0.6], abs=1e-14)


@given(lists=LISTS, data=st.data())
def test_some_of_the_values_keep_their_rows(lists, data):
    rows, values = of(lists), flat(lists)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))), bool)
    counts = iter(kept.tolist())
    assert rows.rows_among(np.flatnonzero(kept)).counts.tolist() == [sum(next(counts) for _ in row) for row in lists]


@given(lists=st.lists(st.sets(st.integers(0, 20), max_size=6).map(sorted), max_size=6))
def test_the_numbers_between_ascending_ones(lists):
    between = [
        len([number for number in range(row[n]) if number > (row[n - 1] if n else -1)])
        for row in lists
        for n in range(len(row))
    ]
    assert of(lists).apart(flat(lists)).tolist() == between


def test_where_stretches_begin():
    assert offsets([2, 0, 3]).tolist() == [0, 2, 2, 5]
    assert offsets([]).tolist() == [0]
    assert offsets([0.5, 0.25]).tolist() == pytest.approx([0, 0.5, 0.75])
