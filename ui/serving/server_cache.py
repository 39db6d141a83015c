"""The server's cache for all visitors: studies, fused tracks, answers and pictures, within one budget in bytes."""

import uuid
import weakref
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import Any

import evalcore
from evalcore.cache import Cache
from evalcore.reading import memory_budget
from evalcore.study.study import Study
from evalcore.turns import OWNER, Turns
from ui.serving.memory_size import weigh

EVERYBODY = ""  # owner of what all visitors may see
MEASURE_AFTER = 10  # seconds until a value that may have grown is measured again
FINAL = (evalcore.Answer, bytes)  # values that do not grow; a study grows as it caches results
LOADING, CHECKING = Turns(2), Turns(2)  # at a time, because each needs extra memory and both processors


class ServerCache(Cache):
    """Values of all visitors. The first part of a key is the owner: a visitor's name, or `EVERYBODY`.

    room : bytes; None = the server's budget, see `evalcore.reading.memory_budget`
    others : a function that returns how many bytes of the budget are used elsewhere, such as by uploads
    """

    def __init__(self, room: float | None = None, *, others: Callable[[], float] = lambda: 0) -> None:
        super().__init__(memory_budget.allowed() if room is None else room, weigh)
        self._budget, self._used_elsewhere = self.room, others
        self._gone = deque()  # owners who have left; they may leave at any time

    def get(  # type: ignore[override]
        self, key: Hashable, compute: Callable[..., Any], watch: Callable[[int, int], None] | None = None, *,
        besides: Study | None = None,
    ) -> Any:  # fmt: skip
        """The value for a key, as from `Cache.get`.

        besides : the study that it is computed from, whose buffers are not counted again; None = none
        """
        self.let_go()
        whole = weakref.ref(besides) if besides is not None else lambda: None
        size_of = lambda value: weigh(value, None if isinstance(value, FINAL) else whole())  # noqa: E731
        return self._measured(key, super().get(key, compute, watch, size_of))

    def ready(self, key: Hashable) -> Any:
        """The cached value for a key, as from `Cache.ready`."""
        return self._measured(key, super().ready(key))

    def leave(self, owner: str) -> None:
        """Mark an owner as gone; its values are dropped at the next request, or by `let_go`."""
        self._gone.append(owner)

    def let_go(self) -> None:
        """Drop values of owners who have left, and values that no longer fit the budget."""
        while self._gone:
            owner = self._gone.popleft()
            self.drop(lambda key, owner=owner: key[0] == owner)  # type: ignore[misc]
        self.resize(max(0, self._budget - self._used_elsewhere()))

    def _measured(self, key, value):
        if not isinstance(value, FINAL):
            self.measure(key, MEASURE_AFTER)
        return value


class Visitor:
    """Owner of results from one visitor's files. They are dropped when the visit, and this object, ends."""

    def __init__(self, cache: ServerCache) -> None:
        self.name = uuid.uuid4().hex
        weakref.finalize(self, cache.leave, self.name)


def in_turn(turns: AbstractContextManager[Any], compute: Callable[..., Any]) -> Callable[..., Any]:
    """`compute`, to be started when it is its turn, and only if somebody still waits for it.

    turns : a context manager, such as `LOADING`, entered for the `OWNER` of this thread; compute : see `Cache.get`
    """
    owner = OWNER.get()

    def started(progress):
        OWNER.set(owner)  # it may be in another thread
        with turns:
            progress(0, 1)
            return compute(progress)

    return started
