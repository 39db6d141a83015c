"""Numeric columns of the table of queries."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def query_numbers(queries: Sequence[str], table: pd.DataFrame, column: str) -> NDArray[np.float64]:
    """The numbers of a column in the order of `queries`; NaN where a query has none. float (Q,).

    Raises ValueError for a column that the table does not have.
    """
    table = table.set_index("query")
    if column not in table:
        raise ValueError(f"the queries table has no column {column!r}. It has {', '.join(table)}.")
    return pd.to_numeric(table[column].reindex(queries), errors="coerce").to_numpy(float)
