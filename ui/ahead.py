"""Work ahead of a visitor's next choice, done while nobody waits for a page."""

import threading
import time
from contextlib import contextmanager

MOMENT = 0.25  # seconds after a page was drawn, in which another click is likely
_drawing, _drawn_at, _lock = 0, 0.0, threading.Lock()  # pages of all visitors: they share the processor


@contextmanager
def drawing():
    """A page is drawn meanwhile, and goes first."""
    global _drawing, _drawn_at
    with _lock:
        _drawing += 1
    try:
        yield
    finally:
        with _lock:
            _drawing -= 1
            _drawn_at = time.monotonic()


def work(pieces):
    """Call one function after the other, each when nobody has waited for a page for a moment. In the background."""

    def work_off():
        for piece in pieces:
            while _drawing or time.monotonic() - _drawn_at < MOMENT:
                time.sleep(MOMENT / 5)
            piece()

    threading.Thread(target=work_off, daemon=True).start()
