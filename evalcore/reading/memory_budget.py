"""The memory and the disk that may be used: a setting, or half of what this machine or container has."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalcore.reading.files import InputError, Problem
from evalcore.reading.white_space import newlines
from evalcore.vocabulary.validation import setting

SETTING, DISK_SETTING = "POOLSCOPE_MEMORY_BYTES", "POOLSCOPE_UNPACKED_BYTES"
SHARE = 2  # of the memory there is, and of what is free on a disk, one part in so many
UNTOLD = 8 << 30  # bytes, where the system does not say how much memory it has
GROUPS = Path("/sys/fs/cgroup")
PER_BYTE = 2  # bytes of memory that a byte of text takes while it becomes columns, and the columns a track
PER_LINE, PER_PLACE = 100, 16  # the same of a line, however short, and of a place: system by query by rank
PER_BYTE_OF_JSON = 16  # every name and number of it is an object of Python's for a while
LESS = "Use fewer runs or topics, or truncate the runs"


def allowed() -> int:
    """How many bytes may be taken. ValueError where the setting is no number of bytes."""
    return setting(SETTING, None, least=1, such_as=4 << 30) or there_is() // SHARE


def on_disk(folder: str | None = None) -> int:
    """How many bytes unpacked runs may take on the disk of a folder. None = no folder, no setting.

    ValueError where the setting is no number of bytes.
    """
    limit = setting(DISK_SETTING, None, such_as=64 << 30)
    return shutil.disk_usage(folder).free // SHARE if limit is None and folder else limit


def for_uploads() -> int:
    """How many bytes of it uploaded files may occupy: half, for a text needs its size `PER_BYTE` times to be read."""
    return allowed() // PER_BYTE


def refuse_if_over(needed: int, what: str, *, file: str = "", remedy: str = LESS) -> None:
    """Raises InputError, with both numbers, where more bytes are needed than are allowed.

    what : the subject of the sentence, such as "These files"
    """
    if needed > (most := allowed()):
        raise too_large(f"{what} need {amount(needed)} of memory, but only {amount(most)} is allowed", file, remedy)


def more_than_text(text: bytes) -> int:
    """How many bytes more a text (bytes) takes than its length says: of many short lines, or JSON."""
    lines = max(newlines(text), text.count(b"\r"))
    per_byte = PER_BYTE_OF_JSON if text[:100].lstrip()[:1] in (b"{", b"[") else PER_BYTE
    return max(PER_LINE * lines, per_byte * len(text)) - PER_BYTE * len(text)


def too_large(sentence: str, file: str = "", remedy: str = LESS, name: str = SETTING) -> InputError:
    """An InputError for what does not fit: the sentence, and what to do. name : of the setting that allows more"""
    message = f"{sentence}. {remedy}, or allow more ({name}, in bytes)."
    return InputError([Problem(file, None, message)])


class Meter:
    """Adds up what files need while they are read. Safe to share between threads."""

    def __init__(self) -> None:
        self._needed, self._most, self._lock = 0, allowed(), threading.Lock()

    def take(self, size: int, file: str) -> None:
        """Counts so many bytes more; InputError where it is too much with this file."""
        with self._lock:
            self._needed += size
            needed = self._needed
        if needed > self._most:
            sentence = f"{file}: with it these files need {amount(needed)} of memory or more"
            raise too_large(f"{sentence}, but only {amount(self._most)} is allowed", file)


@contextmanager
def enough(what: str, file: str = "") -> Iterator[None]:
    """Running out of memory within it ends in an InputError; what : the subject of its sentence."""
    try:
        yield
    except MemoryError:
        raise too_large(f"{what} need more memory than is left here", file) from None


def amount(size: int) -> str:
    """Bytes as people say them: 3.2 GB, 740 MB."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6)):,} MB"


def there_is() -> int:
    """The bytes of memory of this machine, or of the smallest of the containers that we are in."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no such call
        machine = UNTOLD
    return min([machine, *_limits()])


def _limits(own=Path("/proc/self/cgroup")):
    """The limits of the control groups around this process, those of the second version and of the first."""
    try:
        paths = [line.split(":", 2)[1:] for line in own.read_text().splitlines()]
    except OSError:
        paths = []
    for kinds, path in [["", "/"], ["memory", "/"], *paths]:
        if kinds and "memory" not in kinds.split(","):
            continue
        top, name = (GROUPS / "memory", "memory.limit_in_bytes") if kinds else (GROUPS, "memory.max")
        inside = top / path.lstrip("/")
        for group in (inside, *inside.parents):
            if not group.is_relative_to(top):
                break
            try:
                text = (group / name).read_text().strip()
            except OSError:
                continue
            if text.isdigit():  # the other word is "max"
                yield int(text)
