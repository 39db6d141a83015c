"""Loading once for everybody who waits: visitors who open one track at the same moment share one load."""

from collections import OrderedDict
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from threading import Lock, Thread

MOMENT = 0.1  # seconds between two looks at how far a load is


class _Abandoned(Exception):
    """Nobody waits for the load any more."""


@dataclass
class _Load:
    """A load that is going on: how far it is, and how many wait for it."""

    far: tuple = (0, 1)
    waiting: int = 0
    made: Future = field(default_factory=Future)


class Loads:
    """What was loaded last, and what is being loaded.

    room : how many are kept, the ones used last
    """

    def __init__(self, room):
        self.room = room
        self._loaded, self._going, self._lock = OrderedDict(), {}, Lock()

    def get(self, key, load, watch=lambda done, total: None):
        """What `load(progress)` gives, loaded once for `key` in a thread of its own.

        load : calls progress(done, total) every now and then
        watch : called with the same while this caller waits; what it raises ends the waiting, and the load where
            nobody else waits for it
        """
        while True:
            with self._lock:
                if key in self._loaded:
                    self._loaded.move_to_end(key)
                    return self._loaded[key]
                new = key not in self._going
                going = self._going.setdefault(key, _Load())
                going.waiting += 1
            if new:
                Thread(target=self._run, args=(key, going, load), daemon=True).start()
            try:
                return _awaited(going, watch)
            except _Abandoned:
                continue
            finally:
                with self._lock:
                    going.waiting -= 1

    def _run(self, key, going, load):
        def progress(done, total):
            going.far = done, total
            if not going.waiting:
                raise _Abandoned

        try:
            made = load(progress)
        except BaseException as failure:  # whatever it is, those who wait must hear of it
            with self._lock:
                del self._going[key]
            going.made.set_exception(failure)
            return
        with self._lock:
            del self._going[key]
            self._loaded[key] = made
            while len(self._loaded) > self.room:
                self._loaded.popitem(last=False)
        going.made.set_result(made)


def _awaited(going, watch):
    while True:
        try:
            return going.made.result(MOMENT)
        except NotYet:
            if going.made.done():
                raise
            watch(*going.far)
