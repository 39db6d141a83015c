"""What the server keeps for its visitors, studies, fused tracks, answers and pictures, under one budget in bytes: what
was used longest ago goes first."""

import time
import uuid
import weakref
from collections import deque

from evalcore.memo import Memo
from evalcore.reading import budget
from evalcore.study import Study
from ui.weight import weigh

EVERYBODY = ""  # the owner of what all visitors may see
GROWS_FOR = 10  # seconds, after which what may have grown is weighed again


class Shelf:
    """Things by owner and key, made once however many ask.

    room : bytes; None = what the server may take, see `evalcore.reading.budget`
    others : a function that returns how many bytes of the room are in use elsewhere, such as by uploads
    """

    def __init__(self, room=None, *, others=lambda: 0):
        self._all = budget.allowed() if room is None else room
        self._others = others
        self._memo = Memo(self._all, _Kept.weigh)
        self._gone = deque()  # owners, who may leave in the midst of anything

    def get(self, owner, key, make, *, besides=None):
        """What `make` makes, kept for `key`, a tuple of plain values.

        besides : the study that it is made of, whose buffers are not counted again; None = of none
        """
        self.let_go()
        kept = self._memo.get((owner, *key), lambda: _Kept(make(), besides))
        return self._weighed((owner, *key), kept).thing

    def ready(self, owner, key):
        """What is kept for this key, used now, or None."""
        kept = self._memo.ready_for((owner, *key))
        return kept and self._weighed((owner, *key), kept).thing

    def of(self, owner):
        """All that an owner has."""
        return [kept.thing for asked, kept in self._memo.ready() if asked[0] == owner]

    def leave(self, owner):
        """Keep nothing of this owner; it is let go when anybody asks for anything, or by `let_go`."""
        self._gone.append(owner)

    def clear(self):
        """Keep nothing."""
        self._memo.forget()

    @property
    def room(self):
        """How many bytes are kept at most, beside what others used when it last looked."""
        return self._memo.room

    @property
    def bytes(self):
        """How many bytes are kept."""
        return self._memo.total

    def let_go(self):
        """Drop what belongs to owners who left, and what does not fit beside what others use of the room."""
        while self._gone:
            gone = self._gone.popleft()
            self._memo.forget(lambda asked, gone=gone: asked[0] == gone)
        self._memo.resize(max(0, self._all - self._others()))

    def _weighed(self, asked, kept):
        if kept.may_have_grown:
            self._memo.measure(asked)
        return kept


class _Kept:
    """A thing and when it was weighed: what a study has worked out is kept inside it."""

    def __init__(self, thing, besides):
        self.thing, self._at = thing, time.monotonic()
        self._grows = besides is None or isinstance(thing, Study)
        self._besides = weakref.ref(besides) if besides is not None and self._grows else None

    @property
    def may_have_grown(self):
        return self._grows and time.monotonic() - self._at > GROWS_FOR

    def weigh(self):
        """Its bytes by now."""
        self._at = time.monotonic()
        return weigh(self.thing, self._besides and self._besides())


class Visitor:
    """Who owns what one visitor's files give. When the visit ends, and this object with it, that is let go."""

    def __init__(self, shelf):
        self.name = uuid.uuid4().hex
        weakref.finalize(self, shelf.leave, self.name)
