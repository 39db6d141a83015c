"""Studies on the server, as study files in a folder: those of its owner, and those that visitors store for a time.

`POOLSCOPE_STUDIES` names the folder. A study of the owner is NAME.poolscope in it. Those of visitors are in its folder
`visitors`: an index in SQLite, and next to it the files, named by their digest. A name that a visitor asks for is
looked up in the list of the folder or in the index; no path is made of it.

A disk may be full or read-only at any time. So a file is removed before the row that names it, which needs no space;
and a row whose file is gone counts as ended.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from evalcore.reading.memory_budget import amount
from evalcore.study import study_file
from evalcore.vocabulary.validation import setting

FOLDER, SHARE, KEEP = "POOLSCOPE_STUDIES", "POOLSCOPE_SHARE", "POOLSCOPE_KEEP"
QUOTA, USUAL = "POOLSCOPE_STUDIES_BYTES", 4 << 30
PER_VISITOR = 10  # a visitor may fill one part in so many of it
LEAST = 1 << 16  # bytes for which a study counts, because many small ones slow the server down
SPARE = 1 << 18  # bytes that the index needs; a disk with less is full
HOUR, DAY = 3600, 86_400
NAME = re.compile(r"\w[\w .+-]{0,79}")  # of a study of the server's owner
DIGEST = re.compile(r"[0-9a-f]{64}")  # the name of a visitor's file
LINK = re.compile(r"shared-[\w-]{22}", re.ASCII)  # the name of a shared study: 128 random bits
TAKEN = {"web", "newswire", "variations", "folder", "files"}  # names of other data sets
VISITORS, INDEX = "visitors", "index.sqlite"
WAITS = 30  # seconds for another process that writes
TABLE = """CREATE TABLE IF NOT EXISTS studies
    (name TEXT PRIMARY KEY, owner TEXT, label TEXT, digest TEXT, bytes INTEGER, expires REAL) WITHOUT ROWID"""
UNAVAILABLE = "The server cannot write its folder or its list of studies, so the study was not stored."
DISK_IS_FULL = "The disk of the server is full, so the study was not stored."
TOO_LARGE = (
    f"This study has more than {study_file.LARGE >> 20} MB, {study_file.MOST_LISTED:,} files or "
    f"{study_file.MOST_FUSED} fused runs, so it was not stored. Remove some of the runs."
)
STILL_SHARED = (
    "The server cannot write its folder or its list of studies, so the study is still shared. Try again later, or ask "
    "the administrator of the server to remove it."
)
UNREADABLE = (
    "The server cannot read its list of shared studies now, so it is unknown whether this link is valid. Try again "
    "later."
)


class Unreadable(Exception):
    """The index cannot be read, so what is stored is unknown."""


class Stored(NamedTuple):
    """A visitor's study, as the index has it. expires : in seconds since 1970"""

    name: str
    label: str
    path: Path
    expires: float


# ---- settings


def folder() -> Path | None:
    """The folder of studies, or None."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


def days() -> int:
    """For how many days visitors may share a study; 0 = not at all. Raises ValueError."""
    return _needs_folder(SHARE, such_as=7)


def hours() -> int:
    """For how many hours visitors' files are stored, to survive a restart; 0 = not at all. Raises ValueError."""
    return _needs_folder(KEEP, such_as=1)


def quota() -> int:
    """How many bytes the studies of all visitors may take. Raises ValueError."""
    return setting(QUOTA, USUAL)


def are_set_well() -> None:
    """Raise ValueError if a setting is wrong."""
    if (at := folder()) and not at.is_dir():
        raise ValueError(f"{FOLDER}={str(at)!r} is not a folder. Write the path of an existing one.")
    quota()
    days()
    hours()


def why_not_stored() -> str:
    """Why visitors cannot store studies now, although they may, for the log; "" if they can."""
    try:
        remove_expired()
    except (OSError, sqlite3.Error) as error:
        full = " The disk is full: make space." if _is_full(error, SPARE) else ""
        return (
            f"{FOLDER}={str(folder())!r} cannot be written: {error}.{full} Poolscope starts, but visitors cannot store "
            f"studies. Permit it, restore a damaged index from a copy, delete {VISITORS!r} in it to begin again, or "
            f"unset {SHARE} and {KEEP}."
        )
    return ""


def _needs_folder(name, *, such_as):
    number = setting(name, 0, such_as=such_as)
    if number and folder() is None:
        raise ValueError(f"{name}={number} needs a folder to store studies in. Name one: {FOLDER}.")
    return number


# ---- the studies of the server's owner


def names() -> list[str]:
    """Names of the studies in the folder, in alphabetical order."""
    return sorted(_paths())


def _paths():
    """Name -> path. A link could lead out of the folder, so it is passed over."""
    try:
        with os.scandir(folder() or os.devnull) as entries:
            files = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    except OSError:
        return {}
    named = {path.name.removesuffix(study_file.ENDING): path for path in files if path.suffix == study_file.ENDING}
    return {name: path for name, path in named.items()
            if NAME.fullmatch(name) and name not in TAKEN and not is_link(name)}  # fmt: skip


def is_link(name: object) -> bool:
    """Whether this is the name of a shared study, which may have ended."""
    return isinstance(name, str) and LINK.fullmatch(name) is not None


def path_of(name: str) -> Path | None:
    """The study file of this name, or None if there is none, or none any more. Raises Unreadable."""
    if not is_link(name):
        return _paths().get(name)
    stored = find(name) if days() else None
    return stored and stored.path


# ---- the studies of visitors


@contextmanager
def _index(*, writes: bool = False) -> Iterator[sqlite3.Connection]:
    """The index. writes : alone, until the end; before and after, files that it does not name are removed"""
    at = _visitors()
    if writes:
        at.mkdir(mode=0o700, exist_ok=True)
    address = f"{(at / INDEX).absolute().as_uri()}?mode={'rwc' if writes else 'rw'}"
    with closing(sqlite3.connect(address, uri=True, timeout=WAITS, isolation_level=None)) as index:
        if not writes:
            yield index
            return
        # not a write-ahead log, which needs space and a writable disk to be read
        index.execute("PRAGMA journal_mode=DELETE")
        with _transaction(index):  # first of all, so that every file of a study is in a table, or was
            if _has_lost_its_table(index):
                raise sqlite3.DatabaseError("the index is empty, but there are files of studies")
            index.execute(TABLE)
        with _transaction(index):
            _remove_unnamed(index)
            index.execute("DELETE FROM studies WHERE expires <= ?", [time.time()])
            yield index
        with _transaction(index):  # now that nothing can bring back what a new file replaced
            _remove_unnamed(index)


@contextmanager
def _transaction(index):
    """All of it or nothing, and nobody else writes meanwhile."""
    index.execute("BEGIN IMMEDIATE")
    try:
        yield
        index.execute("COMMIT")
    finally:
        if index.in_transaction:
            index.execute("ROLLBACK")


def _has_lost_its_table(index):
    """Whether somebody removed or emptied the index: there are files of studies, but no table of them. Another process
    may make the first of both meanwhile, the table before the file, so the table is sought again."""
    return not _has_table(index) and _has_studies() and not _has_table(index)


def _has_table(index):
    return index.execute("SELECT 1 FROM sqlite_master WHERE name = 'studies'").fetchone() is not None


def _has_studies():
    return any(DIGEST.fullmatch(path.name) for path in _visitors().iterdir())


def _is_new():
    """Whether no study was ever stored. The folder of visitors is made a moment before its index."""
    if not _visitors().exists():
        return _visitors().parent.is_dir()
    return not (_visitors() / INDEX).exists() and not _has_studies()


def _remove_unnamed(index):
    """Remove files of no study, or only of expired ones, and those that a process left half-written when it ended."""
    named = {digest for (digest,) in index.execute("SELECT digest FROM studies WHERE expires > ?", [time.time()])}
    for path in _visitors().iterdir():
        if not path.name.startswith(INDEX) and path.name not in named and not path.is_dir():
            path.unlink(missing_ok=True)


def _visitors():
    return (folder() or Path(os.devnull)) / VISITORS


def _is_full(error, needed):
    """Whether an error is because the disk has no space for so many bytes."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    at = folder() or Path(os.devnull)
    return os.access(at, os.W_OK) and shutil.disk_usage(at).free < needed


def store(name: str, owner: str, label: str, data: bytes, seconds: float) -> None:
    """Store a study file for some seconds, in place of one with the same name. Raises ValueError for one that is too
    large to be opened again, over the quota or the visitor's part of it, or if the server cannot write."""
    if not study_file.is_whole(data):
        raise ValueError(TOO_LARGE)
    digest = hashlib.sha256(data).hexdigest()
    try:
        with _index(writes=True) as index:
            index.execute("DELETE FROM studies WHERE name = ?", [name])
            _refuse_over_quota(index, owner, max(len(data), LEAST))
            part = _visitors() / f"{digest}.part"
            try:
                part.write_bytes(data)
                part.replace(_visitors() / digest)  # the same file may be read at this moment
            finally:
                part.unlink(missing_ok=True)
            row = [name, owner, label, digest, max(len(data), LEAST), time.time() + seconds]
            index.execute("INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?)", row)
    except (OSError, sqlite3.Error) as error:
        raise ValueError(DISK_IS_FULL if _is_full(error, len(data) + SPARE) else UNAVAILABLE) from None


def _refuse_over_quota(index, owner, size):
    """Raise ValueError if a study of so many bytes is too much for its owner, or for the server."""
    total = "SELECT COALESCE(SUM(bytes), 0) FROM studies"
    (taken,) = index.execute(total).fetchone()
    (own,) = index.execute(f"{total} WHERE owner = ?", [owner]).fetchone()
    most, takes = quota() // PER_VISITOR, f"this study takes {amount(size)}, so it was not stored."
    if size > most:
        raise ValueError(f"A visitor may store {amount(most)} on this server, but {takes}")
    if own + size > most:
        raise ValueError(
            f"A visitor may store {amount(most)} on this server. You use {amount(own)}, and {takes} Stop sharing "
            "another study."
        )
    if taken + size > quota():
        raise ValueError(
            f"The studies of all visitors use {amount(taken)} of the {amount(quota())} on this server, and {takes}"
        )


def share(owner: str, label: str, data: bytes) -> str:
    """Store a study file for everybody who knows its name, which is returned. The same study that the visitor shares
    already keeps its name; that of another visitor does not, because to stop sharing ends it. Raises ValueError, as
    `store`."""
    content = study_file.content_of(data)
    with suppress(Unreadable):
        for study in shared_by(owner):
            if content and study_file.content_of(study.path) == content:
                store(study.name, owner, label, data, days() * DAY)
                return study.name
    name = f"shared-{secrets.token_urlsafe(16)}"
    store(name, owner, label, data, days() * DAY)
    return name


def find(name: str) -> Stored | None:
    """The stored study of this name, or None if there is none, or none any more. Raises Unreadable."""
    return next(iter(_found("name", name)), None)


def shared_by(owner: str) -> list[Stored]:
    """The studies that this visitor shares, the newest first. Raises Unreadable."""
    return [study for study in _found("owner", owner) if is_link(study.name)]


def _found(column, value):
    rows = f"SELECT name, label, digest, expires FROM studies WHERE {column} = ? AND expires > ? ORDER BY expires DESC"
    try:
        if _is_new():
            return []
        with _index() as index:
            if _has_lost_its_table(index):
                raise Unreadable(UNREADABLE)
            stored_rows = index.execute(rows, [value, time.time()]).fetchall()
    except (OSError, sqlite3.Error) as error:
        if "no such table" in str(error):  # a process was killed before the first was stored
            return []
        raise Unreadable(UNREADABLE) from None
    stored = [Stored(name, label, _visitors() / digest, expires) for name, label, digest, expires in stored_rows]
    return [study for study in stored if study.path.exists()]


def extend(name: str, seconds: float) -> None:
    """Keep a stored study for so many seconds from now."""
    with suppress(OSError, sqlite3.Error), _index(writes=True) as index:
        index.execute("UPDATE studies SET expires = ? WHERE name = ?", [time.time() + seconds, name])


def remove(name: str, owner: str) -> None:
    """Remove a study that this visitor stored, not another's. Raises ValueError if the server cannot write."""
    is_removed = False
    try:
        with _index(writes=True) as index:
            mine = [name, owner]
            for (digest,) in index.execute("SELECT digest FROM studies WHERE name = ? AND owner = ?", mine).fetchall():
                of_others = "SELECT 1 FROM studies WHERE digest = ? AND name <> ?"
                if not index.execute(of_others, [digest, name]).fetchone():
                    (_visitors() / digest).unlink(missing_ok=True)
                    is_removed = True
            index.execute("DELETE FROM studies WHERE name = ? AND owner = ?", mine)
    except (OSError, sqlite3.Error):
        if not is_removed:
            raise ValueError(STILL_SHARED) from None


def remove_expired() -> None:
    """Remove the studies whose time is over. Raises OSError or sqlite3.Error."""
    if days() or hours():
        with _index(writes=True):
            pass
