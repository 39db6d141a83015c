"""Rankings on disk: arrays (S, Q, K) in files that are mapped into memory."""

import mmap
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.reading.files import InputError, Problem

FULL = "{folder} cannot hold the rankings: {why}. Free some space, or choose another folder for the cache."


@dataclass(frozen=True)
class TrackOnDisk(Track):
    """A track whose rankings are in files without a name, which are gone when nobody needs them any more.

    folder : where the files are
    """

    folder: str = ""

    def filled(self, shape: Sequence[int], dtype: Any, rows: Iterable[Any]) -> NDArray[Any]:
        """As for any track, but on disk."""
        return mapped(shape, dtype, rows, self.folder)


def mapped(shape: int | Sequence[int], dtype: Any, parts: Iterable[Any], folder: str) -> NDArray[Any]:
    """An array on disk with these parts, such as one array (Q, K) per system. Raises InputError if the disk is full."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for part in parts:
                file.write(np.ascontiguousarray(part, dtype))  # type: ignore[arg-type]
            file.flush()
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if np.prod(shape) else b""
    except OSError as error:
        raise InputError([Problem("", None, FULL.format(folder=folder, why=error.strerror or error))]) from None
    return np.ndarray(shape, dtype, text)


def mapped_names(arrays: Sequence[pa.Array], folder: str) -> pa.Array:
    """Arrays of names as one on disk. Arrow large binary"""
    arrays = [array.cast(pa.large_binary()) for array in arrays]
    offsets = [np.frombuffer(array.buffers()[1], np.int64)[array.offset :][: len(array) + 1] for array in arrays]
    texts = [
        np.frombuffer(array.buffers()[2] or b"", np.uint8)[first:last]
        for array, (first, last) in zip(arrays, (own[[0, -1]] for own in offsets), strict=True)
    ]
    ends = np.cumsum([0, *map(len, texts)])
    moved = (own[1:] - own[0] + end for own, end in zip(offsets, ends, strict=False))
    count = sum(map(len, arrays))
    buffers = mapped(count + 1, np.int64, chain([[0]], moved), folder), mapped(ends[-1], np.uint8, texts, folder)
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), count, [None, *map(pa.py_buffer, buffers)])
