"""A cache in memory: values by key, each computed once however many threads ask, within a budget."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent import futures
from functools import cached_property, partial
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

MOMENT = 0.1  # seconds between two looks at the progress of a computation


class cached_part(cached_property[T]):  # named as what it is used as
    """A cached property for a part of a thing. Where that is all of it, the thing itself, it is not kept: what holds
    itself is freed by nothing but a full collection."""

    def __get__(self, whole: Any, owner: type | None = None) -> T:  # type: ignore[override]
        part = super().__get__(whole, owner)
        if part is whole:
            del whole.__dict__[self.attrname]
        return part


def inherit(thing: T, of: T, names: Iterable[str], become: Callable[[Any], Any] = lambda part: part) -> T:
    """A thing, given those cached properties of another that are computed already, each as it becomes in this one."""
    vars(thing).update({name: become(vars(of)[name]) for name in names if name in vars(of)})
    return thing


class Abandoned(Exception):
    """Nobody waits for a computation any more."""


class _Entry:
    """A cached value, or its computation with its progress and the number of callers who wait for it."""

    def __init__(self, size_of):
        self.future, self.waiting, self.progress = futures.Future(), 0, (0, 1)
        self.size_of, self.size, self.measured_at = size_of, 0, 0.0

    def report(self, done, total):
        self.progress = done, total
        if not self.waiting:
            raise Abandoned

    def wait(self, watch):
        while watch and not self.future.done():
            futures.wait([self.future], MOMENT)
            if not self.future.done():
                watch(*self.progress)
        return self.future.result()


def _one(value):
    return 1


def run_with_progress(compute: Callable[[Callable[[int, int], None]], T], watch: Callable[[int, int], None]) -> T:
    """The result of compute(progress), run in another thread, which calls progress(done, total) regularly.

    watch : called with (done, total) meanwhile; what it raises ends the waiting and the computation
    """
    entry = _Entry(_one)
    entry.waiting = 1

    def run():
        try:
            entry.future.set_result(compute(entry.report))
        except BaseException as failure:
            entry.future.set_exception(failure)

    Thread(target=run, daemon=True).start()
    try:
        return entry.wait(watch)
    finally:
        entry.waiting = 0


class Cache:
    """Values by key; the least recently used are dropped first.

    room : the budget, in the unit of `size_of`, which says how much a value takes; the newest value is always cached
    """

    def __init__(self, room: float, size_of: Callable[[Any], float] = _one) -> None:
        self.room, self.size_of, self.total = room, size_of, 0
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()  # the last used at the end
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.room, self.size_of)  # a copy, or what another process is sent, is empty

    def get(
        self, key: Hashable, compute: Callable[..., Any], watch: Callable[[int, int], None] | None = None,
        size_of: Callable[[Any], float] | None = None,
    ) -> Any:  # fmt: skip
        """The value for a key, computed by the first caller. Others wait for it, and get the same error.

        watch : None = compute() runs in this thread, and must not ask for the same key. Else see `run_with_progress`;
            the computation ends if nobody else waits.
        size_of : for this value, instead of the cache's
        """
        while True:
            with self._lock:
                is_new = key not in self._entries
                entry = self._entries.setdefault(key, _Entry(size_of or self.size_of))
                self._entries.move_to_end(key)
                entry.waiting += 1
            try:
                if is_new and watch:
                    Thread(target=self._fill, args=(key, entry, partial(compute, entry.report)), daemon=True).start()
                elif is_new:
                    self._fill(key, entry, compute)
                return entry.wait(watch)
            except futures.CancelledError:
                if not entry.future.cancelled():  # it is an error of the computation
                    raise
            finally:
                with self._lock:
                    entry.waiting -= 1

    def _fill(self, key, entry, compute):
        try:
            entry.future.set_result(compute())
        except BaseException as failure:
            with self._lock:
                if self._entries.get(key) is entry:
                    del self._entries[key]
            if isinstance(failure, Exception) and not isinstance(failure, Abandoned):
                entry.future.set_exception(failure)
                return
            entry.future.cancel()  # whoever waits computes it
            if not isinstance(failure, Abandoned):  # what stops a page or the program
                raise
        else:
            self.measure(key)

    def ready(self, key: Hashable) -> Any:
        """The cached value for a key, marked as used; None if it is not cached, or not computed yet."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or not entry.future.done():
                return None
            self._entries.move_to_end(key)
            return entry.future.result()

    def items(self) -> list[tuple[Any, Any]]:
        """All keys with their values, as pairs."""
        with self._lock:
            return [(key, entry.future.result()) for key, entry in self._entries.items() if entry.future.done()]

    def drop(self, which: Callable[[Any], bool] = lambda key: True) -> None:
        """Drop these keys. A computation goes on for those who wait for it."""
        with self._lock:
            for key in [key for key in self._entries if which(key)]:
                self._drop(key)

    def measure(self, key: Hashable, older_than: float = 0) -> None:
        """Measure a value again, because it may have grown, and make room for it.

        older_than : only if it was last measured so many seconds ago
        """
        with self._lock:
            entry = self._entries.get(key)
        if entry is None or not entry.future.done() or time.monotonic() - entry.measured_at < older_than:
            return
        size = entry.size_of(entry.future.result())
        with self._lock:
            if self._entries.get(key) is entry:
                self.total += size - entry.size
                entry.size, entry.measured_at = size, time.monotonic()
                self._entries.move_to_end(key)
                self._shrink()

    def resize(self, room: float) -> None:
        """Change the budget."""
        with self._lock:
            self.room = room
            self._shrink()

    def _shrink(self):
        """Drop the least recently used values until the rest fits, but not the newest."""
        for key in list(self._entries)[:-1] if self.total > self.room else ():
            if self.total > self.room and self._entries[key].future.done():
                self._drop(key)

    def _drop(self, key):
        self.total -= self._entries.pop(key).size
