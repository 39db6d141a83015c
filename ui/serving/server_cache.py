"""The server's cache for all visitors: studies, fused tracks, answers and pictures, within one budget in bytes. The
least recently used entry is dropped first."""

import time
import uuid
import weakref
from collections import deque

from evalcore.cache import Memo
from evalcore.reading import memory_budget
from evalcore.study.study import Study
from ui.serving.memory_size import weigh

EVERYBODY = ""  # owner of what all visitors may see
GROWS_FOR = 10  # seconds until a study is weighed again


class Shelf:
    """Cached objects by owner and key, each made once.

    room : bytes; None = the server's budget, see `evalcore.reading.memory_budget`
    others : a function that returns how many bytes of the budget are used elsewhere, such as by uploads
    """

    def __init__(self, room=None, *, others=lambda: 0):
        self._all = memory_budget.allowed() if room is None else room
        self._others = others
        self._memo = Memo(self._all, _Kept.weigh)
        self._gone = deque()  # owners who have left; they may leave at any time

    def get(self, owner, key, make, *, besides=None):
        """The result of `make`, cached under `key`, a tuple of plain values.

        besides : the study that it is made from, whose buffers are not counted again; None = none
        """
        self.let_go()
        entry = self._memo.get((owner, *key), lambda: _Kept(make(), besides))
        return self._weighed((owner, *key), entry).thing

    def ready(self, owner, key):
        """The cached object for this key, marked as used, or None."""
        entry = self._memo.ready_for((owner, *key))
        return entry and self._weighed((owner, *key), entry).thing

    def of(self, owner):
        """All cached objects of an owner."""
        return [kept.thing for asked, kept in self._memo.ready() if asked[0] == owner]

    def leave(self, owner):
        """Mark an owner as gone; its objects are dropped at the next request, or by `let_go`."""
        self._gone.append(owner)

    def clear(self):
        """Drop everything."""
        self._memo.forget()

    @property
    def room(self):
        """Maximum size in bytes, after subtracting what others used when last checked."""
        return self._memo.room

    @property
    def bytes(self):
        """Current size in bytes."""
        return self._memo.total

    def let_go(self):
        """Drop objects of owners who have left, and objects that no longer fit the budget."""
        while self._gone:
            gone = self._gone.popleft()
            self._memo.forget(lambda asked, gone=gone: asked[0] == gone)
        self._memo.resize(max(0, self._all - self._others()))

    def _weighed(self, key, entry):
        if entry.may_have_grown:
            self._memo.measure(key)
        return entry


class _Kept:
    """A cached object with the time it was weighed: a study grows as it caches results."""

    def __init__(self, thing, besides):
        self.thing, self._at = thing, time.monotonic()
        self._grows = besides is None or isinstance(thing, Study)
        self._besides = weakref.ref(besides) if besides is not None and self._grows else None

    @property
    def may_have_grown(self):
        return self._grows and time.monotonic() - self._at > GROWS_FOR

    def weigh(self):
        """Its current size in bytes."""
        self._at = time.monotonic()
        return weigh(self.thing, self._besides and self._besides())


class Visitor:
    """Owner of results from one visitor's files. They are dropped when the visit, and this object, ends."""

    def __init__(self, shelf):
        self.name = uuid.uuid4().hex
        weakref.finalize(self, shelf.leave, self.name)
