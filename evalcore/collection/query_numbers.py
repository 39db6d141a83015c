"""Numeric columns of the table of queries."""

import pandas as pd


def query_numbers(queries, table, column):
    """The numbers of a column in the order of `queries`; NaN where a query has none. float (Q,).

    Raises ValueError for a column that the table does not have.
    """
    table = table.set_index("query")
    if column not in table:
        raise ValueError(f"the queries table has no column {column!r}. It has {', '.join(table)}.")
    return pd.to_numeric(table[column].reindex(queries), errors="coerce").to_numpy(float)
