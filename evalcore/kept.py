"""What was worked out before, kept for the next who asks the same."""

from concurrent.futures import CancelledError, Future


def _one(made):
    return 1


class Kept:
    """The last few things that were made, by what was asked for.

    room : how much is kept, as `size` counts what was made; the newest always is
    Threads may share it: what one of them is making, the others wait for.
    """

    def __init__(self, room, size=_one):
        self.room, self.size, self._made = room, size, {}

    def __getstate__(self):
        """A copy, or what another process is sent, begins with nothing."""
        return vars(self) | {"_made": {}}

    def get(self, asked, make):
        """What `make` makes, made once for `asked`, a tuple of plain values. What it raises is raised here; others who
        wait for the same then make it themselves."""
        while True:
            ours = Future()
            found = self._made.setdefault(asked, ours)
            if found is ours:
                return self._fulfilled(ours, asked, make)
            try:
                return found.result()
            except CancelledError:
                continue

    def _fulfilled(self, promise, asked, make):
        try:
            made = make()
        except BaseException:
            self._made.pop(asked, None)
            promise.cancel()
            raise
        promise.set_result(made)
        self._clear_away()
        return made

    def ready(self):
        """All that is kept by now: pairs of what was asked and what was made."""
        return [(asked, found.result()) for asked, found in list(self._made.items()) if _is_made(found)]

    def forget(self):
        """Keep nothing of it."""
        self._made.clear()

    def _clear_away(self):
        ready = self.ready()
        over = sum(self.size(made) for _, made in ready) - self.room
        for asked, made in ready[:-1]:
            if over <= 0:
                return
            self._made.pop(asked, None)
            over -= self.size(made)


def _is_made(promise):
    return promise.done() and not promise.cancelled()
