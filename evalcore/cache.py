"""A memo in memory: computed values by key, within a budget in bytes; concurrent callers share one computation."""

from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from functools import cached_property
from threading import Lock


class cached_part(cached_property):  # named as what it is used as
    """A cached property for a part of a thing. Where that is all of it, the thing itself, it is not kept: what holds
    itself is freed by nothing but a full collection."""

    def __get__(self, whole, owner=None):
        part = super().__get__(whole, owner)
        if part is whole:
            del whole.__dict__[self.attrname]
        return part


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
        self._sizes, self._total = {}, 0  # of what is made

    def __reduce__(self):
        return Memo, (self.room, self.size)  # a copy, or what another process is sent, begins with nothing

    def get(self, key, make):
        """What `make` makes, made once for `asked`, a tuple of plain values. What it raises is raised here; others who
        wait for the same then make it themselves."""
        while True:
            ours = Future()
            try:
                with self._lock:
                    promise = self._promises.setdefault(key, ours)
                    self._promises.move_to_end(key)
                if promise is ours:
                    ours.set_result(make())
            except BaseException:  # also what stops a program: nobody may wait for a promise that is not kept
                with self._lock:
                    if self._promises.get(key) is ours:
                        del self._promises[key]
                ours.cancel()
                raise
            if promise is ours:
                self.measure(key)
            try:
                return promise.result()
            except CancelledError:
                continue

    def ready(self):
        """All that is kept by now: pairs of what was asked and what was made."""
        with self._lock:
            return [(key, promise.result()) for key, promise in self._promises.items() if _is_made(promise)]

    def ready_for(self, key):
        """What is kept for this, used now, or None where it is not made yet."""
        with self._lock:
            promise = self._promises.get(key)
            if promise is None or not _is_made(promise):
                return None
            self._promises.move_to_end(key)
            return promise.result()

    def forget(self, which=lambda key: True):
        """Keep nothing of what was asked so; what is being made is given to those who wait for it, and not kept."""
        with self._lock:
            for key in [key for key in self._promises if which(key)]:
                self._drop(key)

    def measure(self, key):
        """See how large this is by now, and make room for it."""
        with self._lock:
            promise = self._promises.get(key)
        if promise is None or not _is_made(promise):
            return
        size = self.size(promise.result())
        with self._lock:
            if self._promises.get(key) is not promise:
                return
            self._promises.move_to_end(key)
            self._total += size - self._sizes.get(key, 0)
            self._sizes[key] = size
            self._shrink(key)

    def resize(self, room):
        """Keep so much from now on."""
        with self._lock:
            self.room = room
            self._shrink(next(reversed(self._promises), None))

    @property
    def total(self):
        """How much is kept."""
        return self._total

    def _shrink(self, newest):
        """Drop what was used longest ago until the rest fits, but not the newest."""
        for oldest in [key for key in self._promises if key in self._sizes] if self._total > self.room else ():
            if self._total > self.room and oldest != newest:
                self._drop(oldest)

    def _drop(self, key):
        del self._promises[key]
        self._total -= self._sizes.pop(key, 0)


SWEEPS, ENDS, EVIDENCE, FUSED = 1 << 27, 1 << 24, 1 << 28, 1 << 27  # bytes
OWNERS, BIASES, SHARDS, JOBS = 2, 8, 64, 8  # how many of each


class Memos:
    """What was worked out of a study, for all visitors who share it."""

    def __init__(self):
        self.places = Memo(1)  # by cut
        self.ends = Memo(ENDS, _bytes)  # by metric and cut
        self.sweeps = Memo(SWEEPS, _bytes)  # by metric and thresholds
        self.pools = Memo(1)  # the contributing rankings, topic by topic
        self.evidence = Memo(EVIDENCE, _bytes_of_evidence)  # by cut and what documents earn
        self.owners = Memo(OWNERS)  # who alone retrieved each item, by unit
        self.biases = Memo(BIASES)  # of other systems in a newcomer's place, by newcomer and measure
        self.shards = Memo(SHARDS)  # scores by metric and partition
        self.weights = Memo(1)  # of every item in what to judge next, by measure
        self.fused = Memo(FUSED, _bytes_of_rankings)  # by rule and inputs
        self.jobs = Memo(JOBS)  # what is done of long ones, by their settings


def _bytes_of_rankings(track):
    return _bytes([track.items, track.scores])


def _bytes_of_evidence(gathered):
    return sum(one.nbytes for _, one in gathered) + sum(
        one.gain.nbytes + one.relevant.nbytes for _, one in gathered[:1]
    )


def _bytes(arrays):
    return sum(array.nbytes for array in arrays)


def _is_made(promise):
    return promise.done() and not promise.cancelled()
