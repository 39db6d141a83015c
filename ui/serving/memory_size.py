"""Memory of an object in bytes, each buffer counted once."""

import dataclasses
import mmap
import sys

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.cache import Memo

LIGHT = (type(None), bool, int, float, complex, type, type(sys))


def weigh(thing, besides=None):
    """Memory of an object in bytes, without what `besides` contains.

    Counts arrays, Arrow arrays, tables, texts, and the parts of containers, dataclasses and memos; a view counts as its
    whole buffer, and an array that is mapped from a file as nothing. Approximate if other threads change the object.
    """
    seen = set()
    if besides is not None:
        _weigh(besides, seen)
    return _weigh(thing, seen)


def _weigh(thing, seen):
    total, left = 0, [thing]
    while left:
        item = left.pop()
        if isinstance(item, LIGHT) or id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            owner = _owner(item)
            in_memory = not isinstance(owner.base, mmap.mmap) and (owner is item or id(owner) not in seen)
            total += owner.nbytes if in_memory else 0
            seen.add(id(owner))
            left += item.flat if item.dtype == object else ()
        elif isinstance(item, (pa.Array, pa.ChunkedArray)):
            for chunk in getattr(item, "chunks", [item]):
                total += sum(_new(buffer, seen) for buffer in chunk.buffers() if buffer is not None)
        elif isinstance(item, (pd.DataFrame, pd.Series)):
            total += int(np.sum(item.memory_usage(deep=True)))
        else:
            total += sys.getsizeof(item, 0)
            left += _parts(item)
    return total


def _owner(array):
    """The array that owns a view's buffer."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _new(buffer, seen):
    """Bytes of an Arrow buffer on first sight. Its Python object is new at each access, so its address is compared."""
    key = ("buffer", buffer.address)
    if key in seen:
        return 0
    seen.add(key)
    return buffer.size


def _parts(thing):
    """The parts of an object."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, (tuple, list, set, frozenset)):
        return list(thing)
    if isinstance(thing, Memo):
        return [made for _, made in thing.ready()]
    if dataclasses.is_dataclass(thing) or type(thing).__module__.startswith(("evalcore", "ui")):
        return list(vars(thing).values()) if hasattr(thing, "__dict__") else []
    return []
