"""Slow questions, answered in separate processes, so that other visitors do not wait for them.

A worker is this file, run as a program. It reads pickled jobs from standard input and writes answers to standard
output. It keeps the last studies, so that a study is sent once. It runs at a lower priority than the server.
"""

import contextlib
import math
import os
import pickle
import subprocess
import sys
import traceback
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Event, Thread

import evalcore
from evalcore.questions.question import LARGE
from ui.serving import worker_limit

ROOT = Path(__file__).resolve().parents[2]
STUDIES = 2  # that a worker keeps
MOST = 1 << 27  # documents of a study's rankings, of which every worker has a copy in memory: larger ones stay here
LONG = {name: row.long_from for name, row in evalcore.QUESTIONS.items() if row.long_from < math.inf}
ENDED = (
    "The process that computed this ended, perhaps for lack of memory. Reload the page to try again; if it ends again, "
    "use fewer systems or topics."
)


def long(study, question):
    """Whether the workers should answer this question."""
    return WORKERS.most > 0 and LONG.get(question, math.inf) <= math.prod(study.track.shape) <= MOST


def ask(study, question, *, progress=None, **params):
    """The answer to a question, as from `evalcore.ask`."""
    if long(study, question):
        try:
            return WORKERS.ask(study, question, params, progress, waits=LONG[question] < LARGE)  # else in the server
        except NoneIdle:
            pass
    return evalcore.ask(study, question, progress=progress, **params)


class NoneIdle(Exception):
    """All workers are busy, or none can be started."""


@dataclass
class Job:
    """A question for a worker. study : None if the worker has it; finished : partial results of slow questions"""

    digest: str
    study: object
    question: str
    params: dict
    finished: list = field(default_factory=list)


class Workers:
    """A limited number of workers, started on demand."""

    def __init__(self, most):
        self.most = most
        self._idle, self._begun, self._changed = [], 0, Condition()

    def ask(self, study, question, params, progress=None, *, waits=True):
        """The answer. What `progress` raises ends the work. ValueError if the worker has ended.

        waits : whether to wait for an idle worker; else `NoneIdle` is raised
        """
        worker = self._take(study.digest, waits)
        try:
            return worker.ask(study, question, params, progress)
        except (OSError, EOFError, pickle.UnpicklingError):
            worker.end()
            raise ValueError(ENDED) from None
        finally:
            self._give_back(worker)

    def end(self):
        """End idle workers."""
        with self._changed:
            for worker in list(self._idle):
                self._drop(worker)

    def _take(self, digest, waits):
        """An idle worker, preferably one that has the study. `NoneIdle` if no process can be started."""
        with self._changed:
            if not waits and not self._idle and self._begun >= self.most:
                raise NoneIdle
            self._changed.wait_for(lambda: self._idle or self._begun < self.most)
            for worker in [worker for worker in self._idle if not worker.lives()]:
                self._drop(worker)
            if not self._idle:
                return self._begin()
            self._idle.sort(key=lambda worker: digest in worker.knows)
            return self._idle.pop()

    def _begin(self):
        try:
            worker = Worker()
        except OSError as refused:  # no memory, or too many processes
            raise NoneIdle from refused
        self._begun += 1
        return worker

    def _give_back(self, worker):
        with self._changed:
            self._idle.append(worker)
            if not worker.lives():
                self._drop(worker)
            self._changed.notify()

    def _drop(self, worker):
        worker.end()
        self._idle.remove(worker)
        self._begun -= 1


class Worker:
    """A process that answers one question at a time. knows : digests of the studies that it has"""

    def __init__(self):
        self.knows = OrderedDict()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ui.serving.workers"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, study, question, params, progress):
        """The answer; errors of the worker are raised here, and what `progress` raises stops it."""
        known = study.digest in _used_last(self.knows, study.digest)
        self._tell(Job(study.digest, None if known else replace(study), question, params, study.memo.jobs.ready()))
        _used_last(self.knows, study.digest, True)
        stopped = None
        while True:
            kind, *reply = pickle.load(self._process.stdout)
            if kind == "far" and progress and not stopped:
                try:
                    progress(*reply)
                except BaseException as why:  # Streamlit stops a page with a BaseException
                    stopped = why
                    self._tell("stop")
            elif kind == "finished":
                for asked, done in reply[0]:
                    study.memo.jobs.get(asked, dict).update(done)
            elif kind == "answer" and not stopped:
                return reply[0]
            elif kind in ("answer", "failed"):
                raise stopped or reply[0]

    def lives(self):
        """Whether the process is running."""
        return self._process.poll() is None

    def end(self):
        """End the process if it is running, and close its pipes."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        with contextlib.suppress(OSError):  # what was not sent yet cannot be
            self._process.stdin.close()

    def _tell(self, what):
        _send(what, self._process.stdin)


def _used_last(known, digest, study=None):
    """Mark a study in a dict as last used, add it if new, and drop the oldest ones."""
    if study is not None:
        known[digest] = study
    if digest in known:
        known.move_to_end(digest)
    while len(known) > STUDIES:
        known.popitem(last=False)
    return known


def _send(what, file):
    """Write a pickle completely, or not at all if it cannot be pickled."""
    file.write(pickle.dumps(what, protocol=5))
    file.flush()


WORKERS = Workers(worker_limit.allowed())


# ---------------------------------------------------------------------------------------------------------------------
# The worker's side


class _Stopped(Exception):
    """The answer is no longer needed."""


def work(asks, answers):
    """Answer jobs until there are no more. asks, answers : binary files"""
    jobs, stop, studies = SimpleQueue(), Event(), OrderedDict()

    def say(*what):
        _send(what, answers)

    def progress(done, total):
        if stop.is_set():
            raise _Stopped
        say("far", done, total)

    Thread(target=_listen, args=(asks, jobs, stop), daemon=True).start()
    while (job := jobs.get()) is not None:
        study = _used_last(studies, job.digest, job.study)[job.digest]
        for asked, done in job.finished:
            study.memo.jobs.get(asked, dict).update(done)
        try:
            reply = "answer", evalcore.ask(study, job.question, progress=progress, **job.params)
        except BrokenPipeError:  # the server has ended
            raise
        except Exception as failure:
            if not isinstance(failure, (ValueError, _Stopped)):
                traceback.print_exc()
            reply = "failed", failure
        say("finished", study.memo.jobs.ready())
        stop.clear()
        say(*reply)


def _listen(asks, jobs, stop):
    """Sort incoming messages until the server has gone."""
    while True:
        try:
            what = pickle.load(asks)
        except (EOFError, pickle.UnpicklingError):  # the latter where it ended within a job
            jobs.put(None)
            return
        if what == "stop":
            stop.set()
        else:
            jobs.put(what)


if __name__ == "__main__":
    from ui.serving import workers  # by its own name, as what is pickled calls it

    if hasattr(os, "nice"):
        os.nice(5)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed here is no answer
    try:
        workers.work(sys.stdin.buffer, answers)
    except BrokenPipeError:  # the server has ended: that is no failure to report
        os._exit(0)
