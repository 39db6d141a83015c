"""Memory of an object in bytes, each buffer counted once."""

import dataclasses
import mmap
import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.cache import Cache
from evalcore.study.study import Study

LIGHT = (type(None), bool, int, float, complex, type, type(sys))


def weigh(thing: Any, besides: Study | None = None) -> int:
    """Memory of an object in bytes, without what `besides` contains.

    Counts arrays, Arrow arrays, tables, texts, and the parts of containers, dataclasses and caches. A view counts as
    its whole buffer, an array that is mapped from a file as nothing. Approximate if other threads change the object.
    """
    seen = set()
    if besides is not None:
        _weigh(besides, seen)
    return _weigh(thing, seen)


def _weigh(thing, seen):
    total, left = 0, [thing]
    while left:
        item = left.pop()
        while isinstance(item, np.ndarray) and isinstance(item.base, np.ndarray):
            item = item.base  # which owns the buffer of a view
        is_buffer = isinstance(item, pa.Buffer)  # its Python object is new at each access, its address is not
        key = ("buffer", item.address) if is_buffer else id(item)
        if isinstance(item, LIGHT) or key in seen:
            continue
        seen.add(key)
        if is_buffer:
            total += item.size
        elif isinstance(item, np.ndarray):
            total += 0 if isinstance(item.base, mmap.mmap) else item.nbytes
            left += item.flat if item.dtype == object else ()
        elif isinstance(item, (pd.DataFrame, pd.Series)):
            total += int(np.sum(item.memory_usage(deep=True)))
        elif isinstance(item, (pa.Array, pa.ChunkedArray)):
            left += item.chunks if isinstance(item, pa.ChunkedArray) else item.buffers()
        else:
            total += sys.getsizeof(item, 0)
            left += _parts(item)
    return total


def _parts(thing):
    """The parts of an object."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, (tuple, list, set, frozenset)):
        return list(thing)
    if isinstance(thing, Cache):
        return [value for _, value in thing.items()]
    if dataclasses.is_dataclass(thing) or type(thing).__module__.startswith(("evalcore", "ui")):
        return list(vars(thing).values()) if hasattr(thing, "__dict__") else []
    return []
