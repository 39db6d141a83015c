"""Where the bytes of a file come from."""

import zipfile
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Container:
    """Where bytes come from: a file on disk (`path`) or in memory (`data`), opened as `archive` where it is a zip.

    stamp : what a change of the file on disk shows by, as it was before the file was read: size, times, place
    settled : whether its last change was long enough ago that another one would show
    shared : as of an `Upload`
    """

    name: str
    path: str | None = None
    data: bytes | None = field(default=None, repr=False)
    archive: zipfile.ZipFile | None = field(default=None, repr=False, compare=False)
    stamp: tuple[Any, ...] | None = None
    settled: bool = False
    shared: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
