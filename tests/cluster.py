"""A cluster of two workers, in a process of its own: what Dask's threads do there (they draw random numbers for as long
as they live) reaches no other test.

    python -m tests.cluster < A PICKLED (arguments of open_blocks, [(question, parameters)]) > ITS ANSWERS, PICKLED
"""

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import distributed

import evalcore
from evalcore import blocks, spreading

KILL = "kill a worker while the next question is answered"


def asked(runs, qrels, said, calls):
    """[answer, or the words of its refusal] of two workers. calls : pairs of question and parameters; KILL stands for
    a worker's death"""
    fresh = subprocess.run(
        [sys.executable, "-m", __name__], input=pickle.dumps((runs, qrels, said, calls)), capture_output=True,
        cwd=Path(__file__).parent.parent, timeout=540,
    )  # fmt: skip
    assert fresh.returncode == 0, fresh.stderr.decode(errors="replace")[-4000:]
    return pickle.loads(fresh.stdout)


def _answers(cluster, runs, qrels, said, calls):
    study = blocks.open_blocks(runs, qrels, **said, each=spreading.Cluster(cluster.scheduler_address))
    for question, params in calls:
        if question == KILL:
            victim = next(iter(cluster.workers.values())).process.pid
            threading.Timer(0.3, os.kill, (victim, signal.SIGKILL)).start()
            continue
        try:
            yield evalcore.ask(study, question, **params)
        except ValueError as refused:
            yield str(refused)


def main():
    # What the libraries print must not stand among the answers.
    answers, sys.stdout = sys.stdout.buffer, io.TextIOWrapper(sys.stderr.buffer, write_through=True)
    runs, qrels, said, calls = pickle.load(sys.stdin.buffer)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        answers.write(pickle.dumps(list(_answers(cluster, runs, qrels, said, calls))))
    answers.flush()
    os._exit(0)  # the threads of the client are not waited for


if __name__ == "__main__":
    main()
