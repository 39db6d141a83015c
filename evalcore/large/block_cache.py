"""Results of blocks on disk, so that a question that was stopped can continue.

They are stored like loaded tracks (`reading.track_cache`), under a digest of everything they depend on.
"""

import dataclasses
import hashlib
import time
from functools import cache as once
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.reading import track_cache

WORTH = 0.5  # seconds: faster results are computed again instead
LARGEST = 64 << 20  # bytes: more would drive blocks out of the cache
PLAIN = (str, int, bool, type(None))


class NotPlain(TypeError):
    """A value that is not an array, a table, a plain value, or a tuple or list of these."""


def kept(cache, said, make):
    """The result of `make`, or the cached one.

    cache : as for `track_cache.open_cache`; said : everything that it depends on: plain values, arrays, functions of
    modules, and tuples and dataclasses of these
    """
    try:
        store, key = track_cache.open_cache(cache), "result of a block: " + name_of(said).decode()
    except NotPlain:
        return make()
    if (made := store.read(key, made_of)) is not None:
        return made
    began = time.monotonic()
    made = make()
    if time.monotonic() - began >= WORTH and (parts := parts_of(made)) is not None:
        store.write(key, lambda: parts)
    return made


# ---- names


def name_of(said):
    """A name (bytes) for what was said and for the code that answers it; `NotPlain` where something has none."""
    digest = hashlib.sha256(_code())
    _add(digest.update, said)
    return digest.hexdigest().encode()


@once
def _code():
    """A digest of this program, so that other code never gets its answers."""
    here = Path(__file__).parents[1]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(here.rglob("*.py")))).digest()


def _add(update, one):
    update(type(one).__qualname__.encode() + b"(")
    if isinstance(one, (*PLAIN, float, bytes)):
        update(repr(one).encode())
    elif isinstance(one, (np.ndarray, np.generic)) and one.dtype.kind != "O":
        update(repr((one.dtype.str, one.shape)).encode() + np.ascontiguousarray(one).tobytes())
    elif isinstance(one, (tuple, list)):
        for part in one:
            _add(update, part)
    elif isinstance(one, dict):
        _add(update, list(one.items()))
    elif dataclasses.is_dataclass(one):
        _add(update, [(part.name, getattr(one, part.name)) for part in dataclasses.fields(one)])
    elif callable(one) and "<" not in getattr(one, "__qualname__", "<"):
        update(f"{one.__module__}.{one.__qualname__}".encode())
    else:
        raise NotPlain
    update(b")")


# ---- what is told, as arrays and plain values


def parts_of(made):
    """The arrays by name, and how they are put together; None where that is not all, or is too large."""
    arrays = {"": np.zeros(1)}  # an entry holds one at least
    try:
        form = _form(made, arrays)
    except NotPlain:
        return None
    return (arrays, form) if sum(array.nbytes for array in arrays.values()) <= LARGEST else None


def made_of(arrays, form):
    """The result with these parts; its arrays are not shared."""
    kind, *parts = form
    if kind == "plain":
        return parts[0]
    if kind == "array":
        array = arrays[parts[0]]
        return array.copy() if isinstance(array, np.ndarray) else array
    if kind == "number":
        return arrays[parts[0]][0]
    if kind in ("tuple", "list"):
        several = [made_of(arrays, part) for part in parts]
        return tuple(several) if kind == "tuple" else several
    columns = {name: made_of(arrays, part) if dtype is None else pd.Series(part, dtype=dtype)
               for name, dtype, part in parts}  # fmt: skip
    return pd.DataFrame(columns)


def _form(made, arrays):
    if isinstance(made, PLAIN):
        return ["plain", made]
    without_axis = isinstance(made, np.ndarray) and not made.shape
    if isinstance(made, (np.ndarray, np.generic)) and not without_axis and made.dtype.kind in "biuf":
        arrays[name := str(len(arrays))] = np.atleast_1d(made)
        return ["array" if isinstance(made, np.ndarray) else "number", name]
    if isinstance(made, (pa.BinaryArray, pa.LargeBinaryArray)) and not made.null_count:
        arrays[name := str(len(arrays))] = made
        return ["array", name]
    if type(made) in (tuple, list):
        return [type(made).__name__, *(_form(part, arrays) for part in made)]
    if isinstance(made, pd.DataFrame):
        return _form_of_table(made, arrays)
    raise NotPlain


def _form_of_table(table, arrays):
    form = ["table"]
    for name in table.columns:
        column = table[name]
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
            form.append([name, None, _form(column.to_numpy(), arrays)])
        else:
            form.append([name, str(column.dtype), column.tolist()])
            if not all(isinstance(value, PLAIN) for value in form[-1][2]):
                raise NotPlain
    again = made_of(arrays, form)
    if not (again.dtypes.equals(table.dtypes) and again.index.equals(table.index) and again.equals(table)):
        raise NotPlain
    return form
