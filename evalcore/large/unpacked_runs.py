"""Packed run files as plain text on disk, while they are read topic by topic.

They are in a folder of their own within the cache folder, private to its user, and are deleted when they are read, or
with the program; what a killed program left is deleted by the next one that needs such a folder.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
import weakref
from pathlib import Path

from evalcore.reading.files import Given

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from evalcore.reading import memory_budget, track_cache
from evalcore.reading.files import InputError, Problem
from evalcore.reading.memory_budget import DISK_SETTING
from evalcore.reading.unpacking import Unpacker

BEGINS = "unpacked-"
HELD = "held"  # a file that is locked as long as the folder is needed
REMEDY = f"Unpack the runs yourself, or allow more ({DISK_SETTING}, in bytes)"


class OnDisk:
    """The text of packed files, as long as this object is in use. cache : as of `track_cache.open_cache`"""

    def __init__(self, cache: Path | str | bool | None = None) -> None:
        self._cache, self._room, self._most = cache, 0, 0
        self._folder: str | None = None

    def put(self, source: Given) -> tuple[str, str]:
        """Unpacks a file, step by step. given : a `files.Given` -> (the path of its text, the digest of what was given)

        Raises InputError where it is damaged; one that names no file where the disk does not hold the runs.
        """
        try:
            with memory_budget.enough(source.name, source.name):
                return self._put(source)
        except OSError as error:
            where = self._folder or "a folder for what is unpacked"
            why = f"{source.name}: {where} cannot be written: {error.strerror or error}. {REMEDY}."
            raise InputError([Problem("", None, why)]) from None

    def _put(self, source):
        folder = self._folder or self._made()
        path = os.path.join(folder, str(len(os.listdir(folder))))
        try:
            with open(path, "wb") as text:
                return path, self._written(source, text)
        except InputError:
            os.unlink(path)
            raise

    def _written(self, source, text):
        digest = hashlib.sha256()
        for part in Unpacker().parts(source, digest):
            self._room -= len(part)
            if self._room < 0:
                taken = memory_budget.amount(self._most - self._room)
                raise memory_budget.too_large(
                    f"{source.name}: unpacked, the runs up to it take {taken} or more, "
                    f"but only {memory_budget.amount(self._most)} of disk space is allowed in {self._folder}",
                    remedy="Unpack the runs yourself", name=DISK_SETTING,
                )  # fmt: skip
            text.write(part)
        return digest.hexdigest()

    def _made(self):
        inside = private_folder(self._cache)
        _delete_what_nobody_holds(inside)
        unlocked = tempfile.mkdtemp(dir=inside, prefix="new-")
        lock = open(os.path.join(unlocked, HELD), "wb")  # noqa: SIM115
        try:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder = os.path.join(inside, BEGINS + os.path.basename(unlocked))
            os.rename(unlocked, folder)  # found by others only once it is locked
        except OSError:
            _delete(unlocked, lock)
            raise
        weakref.finalize(self, _delete, folder, lock)
        self._folder, self._most = folder, memory_budget.on_disk(folder)
        self._room = self._most
        return folder


def private_folder(cache: Path | str | bool | None) -> str:
    """The cache folder where there is one that may be used, else the one for temporary files."""
    folder = track_cache.open_cache(cache).folder or Path(tempfile.gettempdir())
    with contextlib.suppress(OSError):
        folder.mkdir(0o700, parents=True, exist_ok=True)
    return os.path.abspath(folder)


def _delete(folder, lock):
    lock.close()
    shutil.rmtree(folder, ignore_errors=True)


def _delete_what_nobody_holds(inside):
    for folder in Path(inside).glob(f"{BEGINS}*") if fcntl else ():
        with contextlib.suppress(OSError):
            lock = open(folder / HELD, "rb+")  # noqa: SIM115
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                lock.close()
