"""A program of its own: prints the rows of a Parquet file as CSV with a heading, or as JSON why it does not.

A Parquet file of a few bytes may ask for all memory. Then this process ends, and the one that started it goes on. The
file is its input, and its limits are its argument.
"""

import io
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

AT_A_TIME = 5_000  # rows
WHY = " is a Parquet file that {}. Save its table as CSV."


def csv_of(file: BinaryIO, limits: Mapping[str, int]) -> bytes:
    """The rows as CSV, without columns whose cells are lists or records; ValueError, with the reason, over a limit."""
    parquet = pa.parquet.ParquetFile(file)
    rows, names = (
        parquet.metadata.num_rows,
        [field.name for field in parquet.schema_arrow if not pa.types.is_nested(field.type)],
    )
    for count, most, units in ((rows, limits["rows"], "rows"), (len(names), limits["columns"], "columns")):
        if count > most:
            raise ValueError(f"has {count:,} {units}, but at most {most:,} are allowed")
    if not names:
        raise ValueError("has no column of names or numbers")
    text = io.BytesIO()
    for batch in parquet.iter_batches(AT_A_TIME, columns=names, use_threads=False):
        table = pa.table([_plain(column) for column in batch.columns], names=batch.schema.names)
        pa.csv.write_csv(table, text, pa.csv.WriteOptions(include_header=not text.tell()))
        if text.tell() > limits["bytes"]:
            raise ValueError(f"unpacks to more than {limits['bytes'] >> 20:,} MB of text")
    return text.getvalue()


def _plain(column):
    """A column that can be printed: categories as their names, and bytes as texts."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    is_bytes = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    return column.cast(pa.large_string()) if is_bytes else column


if __name__ == "__main__":
    limits = json.loads(sys.argv[1])
    with suppress(ImportError, OSError, ValueError):  # only Linux keeps the limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits["memory"],) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        printed = csv_of(sys.stdin.buffer, limits)
    except (pa.ArrowException, OSError) as error:
        printed = json.dumps({"damaged": WHY.format(f"is damaged or cut off ({type(error).__name__})")}).encode()
    except ValueError as error:
        printed = json.dumps({"refused": [WHY.format(error)]}).encode()
    sys.stdout.buffer.write(printed)
