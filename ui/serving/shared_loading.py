"""Shared loading: visitors who open a track at the same moment share one load."""

import contextlib
import math
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Semaphore, Thread

MOMENT = 0.1  # seconds between two checks of progress
AT_ONCE = 2  # parallel loads, or checks of large files: each needs extra memory and both processors
LIGHT = 1 << 18  # bytes of a file that may be checked without waiting


class _Abandoned(Exception):
    """No visitor waits for the load any more."""


@dataclass
class _Load:
    """A running load: its progress, and how many visitors wait for it."""

    far: tuple = (0, 1)
    waiting: int = 0
    made: Future = field(default_factory=Future)


class Loads:
    """Running loads. shelf : a `Shelf`, which caches the results"""

    def __init__(self, shelf):
        self._shelf, self._going, self._lock = shelf, {}, Lock()
        self._turns, self._turns_aside = Semaphore(AT_ONCE), Semaphore(AT_ONCE)

    def get(self, owner, key, load, watch=lambda done, total: None):
        """The result of `load(progress)`, loaded once for an owner and a key in a separate thread.

        load : calls progress(done, total) regularly
        watch : called with the same while this caller waits; what it raises ends the waiting, and the load where
            nobody else waits for it
        """
        while True:
            with self._lock:
                if (made := self._shelf.ready(owner, (key,))) is not None:
                    return made
                new = (owner, key) not in self._going
                going = self._going.setdefault((owner, key), _Load())
                going.waiting += 1
            if new:
                Thread(target=self._run, args=(owner, key, going, load), daemon=True).start()
            try:
                return _awaited(going, watch)
            except _Abandoned:
                continue
            finally:
                with self._lock:
                    going.waiting -= 1

    def aside(self, work, watch, size=math.inf):
        """The result of `work(progress)`, for this caller only, in a separate thread. No load waits for it.

        work, watch : as of `get`; size : of the file, in bytes
        """
        going = _Load(waiting=1)
        turns = self._turns_aside if size > LIGHT else contextlib.nullcontext()
        Thread(target=lambda: self._worked(going, work, turns)(), daemon=True).start()
        try:
            return _awaited(going, watch)
        finally:
            going.waiting = 0

    def _run(self, owner, key, going, load):
        report = self._worked(
            going, lambda progress: self._shelf.get(owner, (key,), lambda: load(progress)), self._turns
        )
        with self._lock:
            del self._going[owner, key]
        report()

    def _worked(self, going, work, turns):
        """Do the work when it is its turn. -> a function that reports the result to waiting callers"""

        def progress(done, total):
            going.far = done, total
            if not going.waiting:
                raise _Abandoned

        try:
            with turns:
                progress(*going.far)  # whoever asked for it may be gone by now
                return partial(going.made.set_result, work(progress))
        except BaseException as failure:  # whatever it is, those who wait must hear of it
            return partial(going.made.set_exception, failure)


def _awaited(going, watch):
    while True:
        with contextlib.suppress(NotYet):
            going.made.exception(MOMENT)  # waits for it, and raises nothing but that it is not there yet
        if going.made.done():  # also where that came just now
            return going.made.result()
        watch(*going.far)
