"""What was worked out before, kept for whoever asks the same again."""

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
                with self._lock:
                    if self._promises.get(asked) is ours:
                        del self._promises[asked]
                ours.cancel()
                raise
            if found is ours:
                self.measure(asked)
            try:
                return found.result()
            except CancelledError:
                continue

    def ready(self):
        """All that is kept by now: pairs of what was asked and what was made."""
        with self._lock:
            return [(asked, promise.result()) for asked, promise in self._promises.items() if _is_made(promise)]

    def ready_for(self, asked):
        """What is kept for this, used now, or None where it is not made yet."""
        with self._lock:
            promise = self._promises.get(asked)
            if promise is None or not _is_made(promise):
                return None
            self._promises.move_to_end(asked)
            return promise.result()

    def forget(self, which=lambda asked: True):
        """Keep nothing of what was asked so; what is being made is given to those who wait for it, and not kept."""
        with self._lock:
            for asked in [asked for asked in self._promises if which(asked)]:
                self._drop(asked)

    def measure(self, asked):
        """See how large this is by now, and make room for it."""
        with self._lock:
            promise = self._promises.get(asked)
        if promise is None or not _is_made(promise):
            return
        size = self.size(promise.result())
        with self._lock:
            if self._promises.get(asked) is not promise:
                return
            self._promises.move_to_end(asked)
            self._total += size - self._sizes.get(asked, 0)
            self._sizes[asked] = size
            self._shrink(asked)

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
        for oldest in [one for one in self._promises if one in self._sizes] if self._total > self.room else ():
            if self._total > self.room and oldest != newest:
                self._drop(oldest)

    def _drop(self, asked):
        del self._promises[asked]
        self._total -= self._sizes.pop(asked, 0)


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
