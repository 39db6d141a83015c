"""Slow questions, answered in separate processes, so that other visitors do not wait for them.

A worker answers one question at a time, at a lower priority than the server. It keeps the last studies with what it has
computed of them, so that a study is sent once.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any

import evalcore
from evalcore.answers import Answer
from evalcore.questions.question import LARGE
from evalcore.study.study import Study
from ui.serving import worker_limit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


STUDIES = 2  # that a worker keeps
MOST = 1 << 27  # documents of a study's rankings, of which every worker has a copy in memory: larger ones stay here
LONG = {name: row.long_from for name, row in evalcore.QUESTIONS.items() if row.long_from < math.inf}
ENDED = (
    "The process for this part ended, perhaps for lack of memory. Reload the page to try again; if it ends again, "
    "use fewer systems or topics."
)
STOP = "stop"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of workers, which inherit it: with more, they wait for each other
PROCESSES = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang


def long(study: Study, question: str) -> bool:
    """Whether the workers should answer this question."""
    return WORKERS.most > 0 and LONG.get(question, math.inf) <= math.prod(study.track.shape) <= MOST


def answer(study: Study, question: str, *, progress: Callable[[int, int], None] | None = None, **params: Any) -> Answer:
    """The answer to a question, as from `evalcore.ask`."""
    if long(study, question):
        try:
            return WORKERS.answer(study, question, params, progress, waits=LONG[question] < LARGE)  # else in the server
        except NoneIdle:
            pass
    return evalcore.ask(study, question, progress=progress, **params)


class NoneIdle(Exception):
    """All workers are busy, or none can be started."""


@dataclass
class Job:
    """A question for a worker. study : None if the worker has it; partial : partial results of slow questions"""

    digest: str
    study: Study | None
    question: str
    params: dict[str, Any]
    partial: list[Any]


class Workers:
    """A limited number of workers, started on demand."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._free, self._idle, self._lock = BoundedSemaphore(most), [], Lock()

    def answer(
        self, study: Study, question: str, params: dict[str, Any], progress: Callable[[int, int], None] | None = None,
        *, waits: bool = True,
    ) -> Answer:  # fmt: skip
        """The answer. What `progress` raises ends the work. ValueError if the worker has ended.

        waits : whether to wait for a free worker; else `NoneIdle` is raised
        """
        if not self._free.acquire(blocking=waits):
            raise NoneIdle
        try:
            worker = self._idle_worker(study.digest) or _started()
            try:
                return worker.answer(study, question, params, progress)
            except (OSError, EOFError):
                worker.end()
                raise ValueError(ENDED) from None
            finally:
                if worker.lives():
                    with self._lock:
                        self._idle.append(worker)
        finally:
            self._free.release()

    def end(self) -> None:
        """End idle workers."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()

    def _idle_worker(self, digest):
        """An idle worker, preferably one that has the study; None if there is none."""
        with self._lock:
            self._idle.sort(key=lambda worker: digest in worker.studies)
            while self._idle:
                worker = self._idle.pop()
                if worker.lives():
                    return worker
                worker.end()
        return None


class Worker:
    """A process that answers questions. studies : digests of the studies that it has"""

    def __init__(self) -> None:
        self.studies = OrderedDict()
        self._connection, theirs = PROCESSES.Pipe()
        self._process = PROCESSES.Process(target=work, args=(theirs,), daemon=True)
        with theirs:
            self._process.start()

    def answer(
        self, study: Study, question: str, params: dict[str, Any], progress: Callable[[int, int], None] | None
    ) -> Answer:
        """The answer; errors of the worker are raised here, and what `progress` raises stops it."""
        sent = study if study.digest not in self.studies else None
        sent = sent and replace(sent)  # without what the server computed of it
        self._connection.send(Job(study.digest, sent, question, params, study.memo.jobs.items()))
        _use(self.studies, study.digest, True)
        stopped = None
        while True:
            kind, content = self._connection.recv()
            if kind == "progress" and progress and not stopped:
                try:
                    progress(*content)
                except BaseException as why:  # Streamlit stops a page with a BaseException
                    stopped = why
                    self._connection.send(STOP)
            elif kind == "partial":
                _add_partial(study, content)
            elif kind == "answer" and not stopped:
                return content
            elif kind in ("answer", "failed"):
                raise stopped or content

    def lives(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    def end(self) -> None:
        """End the process if it is running."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _started():
    try:
        return Worker()
    except OSError as refused:  # no memory, or too many processes
        raise NoneIdle from refused


def _use(studies, digest, study):
    """Mark a study in a dict as last used, add it unless it is None, and drop the oldest ones."""
    if study is not None:
        studies[digest] = study
    studies.move_to_end(digest)
    while len(studies) > STUDIES:
        studies.popitem(last=False)


def _add_partial(study, partial):
    for key, results in partial:
        study.memo.jobs.get(key, dict).update(results)


WORKERS = Workers(worker_limit.allowed())


# The worker's side


class _Stopped(Exception):
    """The answer is no longer needed."""


def work(connection: Connection) -> None:
    """Answer jobs until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(5)
    studies = OrderedDict()
    with contextlib.suppress(EOFError, ConnectionError):  # the server has ended
        while True:
            job = connection.recv()
            if job == STOP:  # which came too late
                continue
            for known in studies.values() if job.study else ():
                job.study.share_pool(known)
            _use(studies, job.digest, job.study)
            study = studies[job.digest]
            _add_partial(study, job.partial)
            reply = _reply(connection, study, job)
            connection.send(("partial", study.memo.jobs.items()))
            connection.send(reply)


def _reply(connection, study, job):
    def progress(done, total):
        if connection.poll():
            connection.recv()
            raise _Stopped
        connection.send(("progress", (done, total)))

    try:
        return "answer", evalcore.ask(study, job.question, progress=progress, **job.params)
    except ConnectionError:
        raise
    except Exception as failure:
        if not isinstance(failure, (ValueError, _Stopped)):
            traceback.print_exc()
        return "failed", failure
