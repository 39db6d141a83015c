"""Compute probable next choices while no visitor waits for a page."""

import contextlib
import logging
import math
import threading
import time
import weakref
from collections import deque
from contextlib import contextmanager
from functools import partial

import evalcore
from ui.components import choices
from ui.serving import workers
from ui.session import session

MOMENT = 0.25  # seconds after a page was drawn, in which another click is likely
ROOM = 4  # studies, the ones that were asked for last
MODEST = 1 << 24  # documents in the rankings of a study that workers may be sent before anybody asks
FIRST = {  # what takes seconds of what pages ask when they are opened, as they ask it
    "estimator_error": {"metric": choices.USUAL, "estimators": choices.COMPARED},
    "tukey_pairs": {"metric": choices.USUAL, "model": choices.FULLEST, "shards": choices.SHARDS[0]},
    "models": {"metric": choices.USUAL, "shards": choices.SHARDS[0]},
}


class SpareTime:
    """One thread for all visitors. It works while no page is drawn or was drawn a moment ago."""

    def __init__(self, moment=MOMENT):
        self.moment = moment
        self._drawing, self._drawn_at = 0, 0.0
        self._asked = deque(maxlen=ROOM)  # (weak reference to a study, what is left to do for it)
        self._changed = threading.Condition()
        self._worker = None

    @contextmanager
    def drawing(self):
        """Pause the work while a page is drawn."""
        with self._changed:
            self._drawing += 1
        try:
            yield
        finally:
            with self._changed:
                self._drawing -= 1
                self._drawn_at = time.monotonic()
                self._changed.notify()

    def work(self, study, pieces):
        """Call these functions of a study in turn; the latest study goes first.

        A study already in the queue continues; one that nothing else refers to is dropped.
        """
        with self._changed:
            if any(one() is study for one, _ in self._asked):
                return
            self._asked.append((weakref.ref(study), deque(pieces)))
            if self._worker is None:
                self._worker = threading.Thread(target=self._work_on, daemon=True)
                self._worker.start()
            self._changed.notify()

    def _work_on(self):
        while True:
            study, piece = self._next()
            try:
                piece(study)
            except Exception:
                logging.getLogger(__name__).exception("work ahead failed")
            del study, piece

    def _next(self):
        with self._changed:
            while True:
                piece = None if self._drawing else self._first_left()
                quiet = self._drawn_at + self.moment - time.monotonic()
                if piece and quiet <= 0:
                    study, pieces = piece
                    return study, pieces.popleft()
                piece = None  # holds no study while it waits
                self._changed.wait(max(quiet, 0.001) if quiet > 0 and not self._drawing else None)

    def _first_left(self):
        studies = ((one(), pieces) for one, pieces in reversed(self._asked))
        return next(((study, pieces) for study, pieces in studies if study is not None and pieces), None)


spare_time = SpareTime()


def look_ahead(study):
    """Compute in advance the depths of the default metric, slow questions of the next pages, then other metrics. The
    slowest come last, because the cache keeps the latest."""
    slow_last = sorted(choices.MEASURES, key=lambda name: not evalcore.metric(name).weighted)
    usual, *others = (partial(_sweep, measure=name) for name in slow_last)
    spare_time.work(study, [usual, *_first_of_pages(study), *others])


def _first_of_pages(study):
    """Slow questions that pages ask when they are opened."""
    if math.prod(study.track.shape) > MODEST:
        return []
    theirs = [question for question in FIRST if workers.long(study, question)]
    return [partial(_ask, question=question, whose=session.owner(), params=FIRST[question]) for question in theirs]


def _ask(study, question, whose, params):
    with contextlib.suppress(ValueError):
        session.ask_ahead(study, question, whose=whose, **params)


def _sweep(study, measure):
    with contextlib.suppress(ValueError):  # said where it is asked for
        evalcore.ask(study, "pool", metric=measure, depths=choices.depths(study, measure))
