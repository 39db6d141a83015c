"""What was worked out before, kept for whoever asks the same again."""

from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from threading import Lock


def _one(made):
    return 1


class Memo:
    """The last few things that were made or asked for again.

    room : how much is kept, as `size` counts what was made; the newest always is
    Threads may share it: what one of them is making, the others wait for. So `make` must not ask for the same again.
    """

    def __init__(self, room, size=_one):
        self.room, self.size = room, size
        self._promises, self._lock = OrderedDict(), Lock()  # asked -> Future, the one used last at the end

    def __reduce__(self):
        return Memo, (self.room, self.size)  # a copy, or what another process is sent, begins with nothing

    def get(self, asked, make):
        """What `make` makes, made once for `asked`, a tuple of plain values. What it raises is raised here; others who
        wait for the same then make it themselves."""
        while True:
            ours = Future()
            try:
                with self._lock:
                    found = self._promises.setdefault(asked, ours)
                    self._promises.move_to_end(asked)
                if found is ours:
                    ours.set_result(make())
            except BaseException:  # also what stops a program: nobody may wait for a promise that is not kept
                self._drop(asked, ours)
                ours.cancel()
                raise
            if found is ours:
                self._make_room(asked)
            try:
                return found.result()
            except CancelledError:
                continue

    def ready(self):
        """All that is kept by now: pairs of what was asked and what was made."""
        with self._lock:
            return [(asked, promise.result()) for asked, promise in self._promises.items() if _is_made(promise)]

    def forget(self):
        """Keep nothing of it."""
        with self._lock:
            self._promises.clear()

    def _drop(self, asked, promise):
        with self._lock:
            if self._promises.get(asked) is promise:
                del self._promises[asked]

    def _make_room(self, newest):
        with self._lock:
            if newest in self._promises:
                self._promises.move_to_end(newest)
            sizes = {asked: self.size(made.result()) for asked, made in self._promises.items() if _is_made(made)}
            over = sum(sizes.values()) - self.room
            for asked in list(sizes)[:-1]:
                if over <= 0:
                    return
                del self._promises[asked]
                over -= sizes[asked]


SWEEPS, ENDS, FUSED = 1 << 27, 1 << 24, 1 << 27  # bytes
EVIDENCE, SHARDS, JOBS = 2, 64, 8  # how many of each


class Memos:
    """What was worked out of a study, for all visitors who share it."""

    def __init__(self):
        self.places = Memo(1)  # by cut
        self.ends = Memo(ENDS, _bytes)  # by metric and cut
        self.sweeps = Memo(SWEEPS, _bytes)  # by metric and thresholds
        self.evidence = Memo(EVIDENCE)  # by cut
        self.shards = Memo(SHARDS)  # scores by metric and partition
        self.fused = Memo(FUSED, lambda track: _bytes([track.items, track.scores]))  # by rule and inputs
        self.jobs = Memo(JOBS)  # what is done of long ones, by their settings


def _bytes(arrays):
    return sum(array.nbytes for array in arrays)


def _is_made(promise):
    return promise.done() and not promise.cancelled()
