"""Turns to do what needs much memory or time: so many at once, and one for each owner."""

from contextvars import ContextVar
from threading import Condition
from typing import Any

OWNER = ContextVar("owner", default="")  # for whom this thread works: a visitor of a server, "" without any


class Turns:
    """A context manager: so many are within at a time, and of one `OWNER` only one; all others wait."""

    def __init__(self, count: int) -> None:
        self._count, self._within, self._changed = count, set[str](), Condition()

    def __enter__(self) -> None:
        owner = OWNER.get()
        with self._changed:
            self._changed.wait_for(lambda: len(self._within) < self._count and owner not in self._within)
            self._within.add(owner)

    def __exit__(self, *_: Any) -> None:
        with self._changed:
            self._within.remove(OWNER.get())
            self._changed.notify_all()
