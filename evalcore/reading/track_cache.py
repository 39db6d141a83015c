"""Loaded tracks on disk, so that a track opens faster the next time.

An entry is a zip archive, not compressed: the bytes of each array, and a description in JSON of the arrays and of other
plain values. Its name is a digest of the key, such as files and options, and of this program's reading code. The zip
format has a checksum of every member. An entry that is damaged, or has another's name, is deleted and made again.
Nothing in it can run. It is not mapped: a map ends the process where somebody cuts the file.

Whatever fails means "no cache", with a note, and never stops a track from opening. A folder that others may write to is
not used: a checksum shows damage, not who wrote.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.reading import files
from evalcore.vocabulary.validation import setting

T = TypeVar("T")
LIMIT = 4 << 30  # bytes; POOLSCOPE_CACHE_BYTES says otherwise
ABANDONED = 3600  # s; a temporary file older than this was left by a writer that ended, where none can be locked
FRESH = 5  # s; a temporary file younger than this may not be locked yet
DESCRIPTION = "description.json"


def open_cache(folder: Path | str | bool | None = None) -> TrackCache:
    """The cache in `folder`; None = the user's own, False = none. ValueError for anything else."""
    if folder is False:
        return TrackCache(None)
    folder = of_user() if folder is None else folder
    if not isinstance(folder, (str, os.PathLike)) or "\0" in os.fspath(folder):
        raise ValueError(f"cache={folder!r} is not a folder; give a path, None for the usual one, or False.")
    if unsafe := _open_to_others(folder):
        return TrackCache(None, f"The cache folder {folder} {unsafe}, so it was not used.")
    return TrackCache(Path(folder))


def of_user() -> str:
    """The user's own cache folder: a setting, or the usual place. ValueError where the setting names no folder."""
    if folder := os.environ.get("POOLSCOPE_CACHE"):
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise ValueError(f"POOLSCOPE_CACHE={folder!r} is not a folder; give the path of an existing or a new one.")
        return folder
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "poolscope")


def may_hold() -> int:
    """How many bytes the folder may hold: a setting, or `LIMIT`."""
    return setting("POOLSCOPE_CACHE_BYTES", LIMIT)


def _open_to_others(folder):
    """Why what is read from a folder might be another's, "" where it is the user's alone, or does not exist yet."""
    try:
        state = os.stat(folder)
    except OSError:
        return ""
    if not hasattr(os, "geteuid"):  # Windows, where a home folder is its user's
        return ""
    if state.st_uid != os.geteuid():
        return "belongs to another user"
    return f"can be written by others (chmod 700 {folder} prevents this)" if state.st_mode & 0o022 else ""


def key_of(listed: Sequence[files.Given], options: Mapping[str, Any]) -> str | None:
    """The key of the entry for these files and options; None where a file may change unnoticed.

    A file on disk is known by its path, size and times, an upload by its digest.
    """
    containers = {id(file.container): file.container for file in listed}
    if not all(container.settled for container in containers.values() if container.path is not None):
        return None
    contents = {
        number: hashlib.sha256(container.data).hexdigest()  # type: ignore[arg-type]
        if container.path is None
        else [os.path.abspath(container.path), *container.stamp]  # type: ignore[misc]
        for number, container in containers.items()
    }
    described = [[file.role, file.name, file.member, file.sheet, contents[id(file.container)]] for file in listed]
    return json.dumps([options, described])


def unchanged(listed: Sequence[files.Given]) -> bool:
    """Whether the files on disk are still as they were when they were listed."""
    containers = {id(file.container): file.container for file in listed}
    try:
        return all(files.stamp(outer.path) == outer.stamp for outer in containers.values() if outer.path is not None)
    except OSError:
        return False


READS = "reading/*.py", "matching/*.py", "collection/track.py"


@cache
def _version(*modules):
    """A digest of the code in these modules (patterns of paths), so that other code never gets its entries."""
    folder = Path(__file__).parent.parent
    code = [path for pattern in modules for path in sorted(folder.glob(pattern))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in code)).hexdigest()


class TrackCache:
    """Arrays and plain values by key, in a folder.

    folder : None = there is no cache; why : a sentence for the user where the folder could not be used
    """

    def __init__(self, folder: Path | None, why: str = "") -> None:
        self.folder, self.why = folder, why

    def read(self, key: str | None, make: Callable[..., T]) -> T | None:
        """The result of `make(arrays, values)` for an entry's content; None if there is no sound entry for this key.

        The arrays are read-only. key : see `key_of`; None = there is no entry
        """
        if self.folder is None or key is None:
            return None
        path = self._path(key)
        try:
            with _opened(path, may_hold()) as file:
                result = make(*_read(file, path.stem))
            os.utime(path)  # the least recently used goes first
            return result
        except FileNotFoundError:
            return None
        except Exception:  # whatever damage leads to: the track is loaded from its files
            _delete(path)
            return None

    def write(self, key: str | None, parts: Callable[[], tuple[dict[str, Any], dict[str, Any]]]) -> None:
        """Writes an entry and makes room for it; a failure becomes `why`.

        parts : a function that returns the arrays by name, and other plain values
        """
        if self.folder is None or key is None:
            return
        limit, path = may_hold(), self._path(key)
        try:
            members = _members(path.stem, *parts())
            size = sum(map(len, members.values()))
            if size > limit:
                return
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            _delete_abandoned(self.folder)
            _make_room(self.folder, limit - size, path)
            _write(path, members)
        except Exception as failure:  # an unwritable cache must not stop a track from opening
            reason = getattr(failure, "strerror", None) or f"{type(failure).__name__}: {failure}"
            tried = f"The track could not be written to the cache folder {self.folder}"
            self.why = f"{tried} ({reason:.200}), so it opens more slowly."

    def _path(self, key):
        assert self.folder  # as those who ask have seen
        return self.folder / f"{hashlib.sha256((_version(*READS) + key).encode()).hexdigest()}.track"


class Computed:
    """What was computed from a track, each in an entry of its own.

    store, key : of the track's entry; None = everything is computed each time
    """

    def __init__(self, store: TrackCache | None = None, key: str | None = None) -> None:
        self._store, self._key = store, key

    def get(
        self, modules: str, given: Sequence[bytes], compute: Callable[[], dict[str, Any]]
    ) -> Mapping[str, NDArray[Any]]:
        """The arrays by name that `compute()` returns, from the cache if they are there.

        modules : a pattern of the paths of the code that computes; given : what they depend on beside the track
        """
        if self._store is None or self._key is None:
            return compute()
        of = [_version(modules), *(hashlib.sha256(part).hexdigest() for part in given)]
        key = json.dumps([self._key, modules, of])
        if (arrays := self._store.read(key, lambda arrays, _: arrays)) is not None:
            return arrays
        arrays = compute()
        self._store.write(key, lambda: (arrays, {}))
        return arrays


# An entry. Member 0 is the first array, and so on. Names of documents are two arrays: offsets and text.


def _members(name_of_entry, arrays, values):
    """The bytes of an entry's members by name."""
    described, buffers = [], []
    for name, array in arrays.items():
        if isinstance(array, np.ndarray):
            kind, several = [array.dtype.str, array.shape], [np.ascontiguousarray(array).reshape(-1).view(np.uint8)]
        else:
            array = pa.concat_arrays([array])  # from offset 0
            kind, several = [str(array.type), len(array)], [buffer or b"" for buffer in array.buffers()[1:]]
        described.append([name, *kind])
        buffers += several
    text = json.dumps({"entry": name_of_entry, "arrays": described, "values": values}, default=np.generic.item)
    return {DESCRIPTION: text.encode()} | {str(number): buffer for number, buffer in enumerate(buffers)}


def _read(file, name_of_entry):
    """The arrays by name, and the values, of an entry. Raises something where it is damaged, or has another name."""
    with zipfile.ZipFile(file) as archive, ThreadPoolExecutor(2) as threads:
        description = json.loads(archive.read(DESCRIPTION))
        if description["entry"] != name_of_entry:
            raise ValueError("another's")
        buffers = threads.map(archive.read, map(str, range(len(archive.namelist()) - 1)))
        arrays = {name: _array(buffers, *kind) for name, *kind in description["arrays"]}
    return arrays, description["values"]


def _array(buffers, kind, shape):
    """The next array. kind : of NumPy or Arrow"""
    if kind not in ("binary", "large_binary"):
        return np.frombuffer(next(buffers), kind).reshape(shape)
    of = pa.binary() if kind == "binary" else pa.large_binary()
    return pa.Array.from_buffers(of, shape, [None, pa.py_buffer(next(buffers)), pa.py_buffer(next(buffers))])


# Files


@contextlib.contextmanager
def _opened(path, most):
    """A file of the cache, to read. ValueError for a pipe, or for more bytes than `most`."""
    with open(path, "rb", opener=files.without_waiting) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            raise ValueError("not a file of the cache")
        yield file


def _write(path, members):
    """Writes a file completely or not at all."""
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-", suffix=".part")
    try:
        _is_free(number)  # locked from here on, until it is closed
        with open(number, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            for name, buffer in members.items():
                archive.writestr(name, buffer)
        os.replace(temporary, path)
    except BaseException:
        _delete(Path(temporary))
        raise


def _make_room(folder, room, path):
    """Deletes the entries used longest ago until the rest fit into `room` bytes."""
    entries = []
    for file in folder.glob("*.track"):
        with contextlib.suppress(OSError):
            state = file.stat()
            if file != path:
                entries.append((state.st_mtime_ns, state.st_size, file))
    for _, size, file in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            _delete(file)


def _delete_abandoned(folder):
    """Deletes what killed writers left: temporary files that nobody holds."""
    for path in folder.glob("new-*.part"):
        with contextlib.suppress(OSError):
            with open(path, "rb") as file:
                age = time.time() - os.fstat(file.fileno()).st_mtime
                abandoned = age > ABANDONED or (fcntl and age > FRESH and _is_free(file.fileno()))
            if abandoned:
                path.unlink()


def _is_free(number):
    """Whether no other program has locked an open file, which this one then has; True where files have no locks."""
    with contextlib.suppress(OSError):
        if fcntl:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _delete(path):
    with contextlib.suppress(OSError):
        path.unlink()
