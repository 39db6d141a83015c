"""Studies on the server, as study files in a folder: those of its owner, and those that visitors store for a time.

`POOLSCOPE_STUDIES` names the folder. A study of the owner is NAME.poolscope in it. Those of visitors are in its folder
`visitors`: an index in SQLite, and next to it the files, named by their digest. A name that a visitor asks for is
looked up in the list of the folder or in the index; no path is made of it.
"""

import hashlib
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from evalcore.reading import memory_budget
from evalcore.reading.study_file import ENDING
from evalcore.vocabulary.validation import setting

FOLDER, SHARE, KEEP = "POOLSCOPE_STUDIES", "POOLSCOPE_SHARE", "POOLSCOPE_KEEP"
QUOTA, USUAL = "POOLSCOPE_STUDIES_BYTES", 4 << 30
HOUR, DAY = 3600, 86_400
NAME = re.compile(r"\w[\w .+-]{0,79}")  # of a study of the server's owner
LINK = re.compile(r"shared-[\w-]{22}", re.ASCII)  # the name of a shared study: 128 random bits
TAKEN = {"web", "newswire", "variations", "folder", "files"}  # names of other data sets
VISITORS, INDEX = "visitors", "index.sqlite"
WAITS = 30  # seconds for another process that writes
TABLE = """CREATE TABLE IF NOT EXISTS studies
    (name TEXT PRIMARY KEY, owner TEXT, label TEXT, digest TEXT, bytes INTEGER, expires REAL) WITHOUT ROWID"""
UNAVAILABLE = "The server cannot store the study. Try again later, or save the study instead."


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


def can_be_stored() -> None:
    """Raise ValueError if a setting is wrong, or if visitors may store studies, but the server cannot write them."""
    if (at := folder()) and not at.is_dir():
        raise ValueError(f"{FOLDER}={str(at)!r} is not a folder. Write the path of an existing one.")
    quota()
    if days() or hours():
        try:
            remove_expired()
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"{FOLDER}={str(folder())!r} cannot be written: {error}. Permit it, or unset "
                             f"{SHARE} and {KEEP}.") from None  # fmt: skip


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
            files = [Path(one.path) for one in entries if one.is_file(follow_symlinks=False)]
    except OSError:
        return {}
    named = {path.name.removesuffix(ENDING): path for path in files if path.suffix == ENDING}
    return {name: path for name, path in named.items()
            if NAME.fullmatch(name) and name not in TAKEN and not is_link(name)}  # fmt: skip


def is_link(name: object) -> bool:
    """Whether this is the name of a shared study, which may have ended."""
    return isinstance(name, str) and LINK.fullmatch(name) is not None


def is_named(name: object) -> bool:
    """Whether this names a study on the server: one of the owner's, or a shared one, which may have ended."""
    return (is_link(name) and days() > 0) or name in _paths()


def path_of(name: str) -> Path | None:
    """The study file of this name, or None if there is none, or none any more."""
    if not is_link(name):
        return _paths().get(name)
    stored = find(name) if days() else None
    return stored and stored.path


# ---- the studies of visitors


@contextmanager
def _index(*, writes: bool = False) -> Iterator[sqlite3.Connection]:
    """The index. writes : alone, until the end; then files that it no longer names are removed"""
    at = _visitors()
    at.mkdir(mode=0o700, exist_ok=True)
    with closing(sqlite3.connect(at / INDEX, timeout=WAITS, isolation_level=None)) as index:
        index.execute("PRAGMA journal_mode=WAL")
        if not writes:
            yield index
            return
        index.execute("BEGIN IMMEDIATE")
        try:
            index.execute(TABLE)
            index.execute("DELETE FROM studies WHERE expires <= ?", [time.time()])
            yield index
            named = {digest for (digest,) in index.execute("SELECT digest FROM studies")}
            for path in at.iterdir():
                if not path.name.startswith(INDEX) and path.name not in named:
                    path.unlink(missing_ok=True)
            index.execute("COMMIT")
        except BaseException:
            index.execute("ROLLBACK")
            raise


def _visitors():
    return (folder() or Path(os.devnull)) / VISITORS


def store(name: str, owner: str, label: str, data: bytes, seconds: float) -> None:
    """Store a study file for some seconds, in place of one with the same name. Raises ValueError over the quota, or if
    the server cannot write."""
    digest = hashlib.sha256(data).hexdigest()
    try:
        with _index(writes=True) as index:
            index.execute("DELETE FROM studies WHERE name = ?", [name])
            (taken,) = index.execute("SELECT COALESCE(SUM(bytes), 0) FROM studies").fetchone()
            if taken + len(data) > quota():
                raise ValueError(
                    f"The study takes {memory_budget.amount(len(data))}, but the server has only "
                    f"{memory_budget.amount(max(0, quota() - taken))} left for studies of visitors, so it was not "
                    "stored. Stop sharing another one, or save the study and send the file."
                )
            part = _visitors() / f"{digest}.part"
            part.write_bytes(data)
            part.replace(_visitors() / digest)  # the same file may be read at this moment
            row = [name, owner, label, digest, len(data), time.time() + seconds]
            index.execute("INSERT INTO studies VALUES (?, ?, ?, ?, ?, ?)", row)
    except (OSError, sqlite3.Error):
        raise ValueError(UNAVAILABLE) from None


def share(owner: str, label: str, data: bytes) -> str:
    """Store a study file for everybody who knows its name, which is returned. Raises ValueError, as `store`."""
    name = f"shared-{secrets.token_urlsafe(16)}"
    store(name, owner, label, data, days() * DAY)
    return name


def find(name: str) -> Stored | None:
    """The stored study of this name, or None if there is none, or none any more."""
    return next(iter(_found("name", name)), None)


def shared_by(owner: str) -> list[Stored]:
    """The studies that this visitor shares, the newest first."""
    return [one for one in _found("owner", owner) if is_link(one.name)]


def _found(column, value):
    rows = f"SELECT name, label, digest, expires FROM studies WHERE {column} = ? AND expires > ? ORDER BY expires DESC"
    try:
        with _index() as index:
            found = index.execute(rows, [value, time.time()]).fetchall()
    except (OSError, sqlite3.Error):  # such as before the first is stored
        return []
    return [Stored(name, label, _visitors() / digest, expires) for name, label, digest, expires in found]


def extend(name: str, seconds: float) -> None:
    """Keep a stored study for so many seconds from now."""
    with suppress(OSError, sqlite3.Error), _index(writes=True) as index:
        index.execute("UPDATE studies SET expires = ? WHERE name = ?", [time.time() + seconds, name])


def remove(name: str, owner: str) -> None:
    """Remove a study that this visitor stored, not another's. Raises ValueError if the server cannot write."""
    try:
        with _index(writes=True) as index:
            index.execute("DELETE FROM studies WHERE name = ? AND owner = ?", [name, owner])
    except (OSError, sqlite3.Error):
        raise ValueError(UNAVAILABLE) from None


def remove_expired() -> None:
    """Remove the studies whose time is over."""
    if days() or hours():
        with _index(writes=True):
            pass
