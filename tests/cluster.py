"""A cluster of two workers, in a process of its own: what Dask's threads do there (they draw random numbers for as long
as they live) reaches no other test.

    python -m tests.cluster < A PICKLED (arguments of open_blocks, [(question, parameters)]) > ITS ANSWERS, PICKLED
    python -m tests.cluster ADDRESS < THE SAME, of a cluster that there is, until it is killed
"""

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import distributed

import evalcore
from evalcore import executors
from evalcore.large import block_cache, open_blocked, topic_block

KILL = "kill a worker while the next question is answered"


KILL_CLIENT = "kill a client that asks the next question, once some blocks have told"
SLOWLY = 0.7  # seconds that a block takes


def asked(runs, qrels, said, calls):
    """[answer, or the words of its refusal] of two workers. calls : pairs of question and parameters; KILL stands for
    a worker's death, KILL_CLIENT for that of somebody who asks the same, which gives how often blocks have told then"""
    fresh = subprocess.run(
        [sys.executable, "-m", __name__], input=pickle.dumps((runs, qrels, said, calls)), capture_output=True,
        cwd=Path(__file__).parent.parent, timeout=540,
    )  # fmt: skip
    assert fresh.returncode == 0, fresh.stderr.decode(errors="replace")[-4000:]
    return pickle.loads(fresh.stdout)


def tell_slowly():
    """In a worker: every block takes its time, what it tells is kept, and how often it told is counted."""
    tell = topic_block._told

    def slowly(*asked):
        time.sleep(SLOWLY)
        return tell(*asked)

    if not hasattr(topic_block, "tells"):
        topic_block._told, block_cache.WORTH, topic_block.tells = (
            Mock(wraps=slowly),
            0,
            lambda: topic_block._told.call_count,
        )


def tells():
    """In a worker: how often its blocks have told."""
    return topic_block.tells()


def _killed_client(cluster, client, files, call):
    client.run(tell_slowly)
    command = [sys.executable, "-m", __spec__.name, cluster.scheduler_address]
    victim = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    victim.stdin.write(pickle.dumps((*files, [call])))
    victim.stdin.close()
    told = 0
    while told < 2 and victim.poll() is None:
        time.sleep(0.05)
        told = sum(client.run(tells).values())
    victim.kill()
    victim.wait()
    told = -1
    while told != (told := sum(client.run(tells).values())):  # what runs is told to its end
        time.sleep(2 * SLOWLY)
    return told


def _answers(cluster, runs, qrels, said, calls):
    each = executors.Cluster(cluster.scheduler_address)
    study = open_blocked.open_blocks(runs, qrels, **said, each=each)
    for at, (question, params) in enumerate(calls):
        if question == KILL_CLIENT:
            yield _killed_client(cluster, each.client, (runs, qrels, said), calls[at + 1])
            continue
        if question == KILL:
            victim = next(iter(cluster.workers.values())).process.pid
            threading.Timer(0.3, os.kill, (victim, signal.SIGKILL)).start()
            continue
        try:
            yield evalcore.ask(study, question, **params)
        except ValueError as refused:
            yield str(refused)
    if any(question == KILL_CLIENT for question, _ in calls):
        yield sum(each.client.run(tells).values())


def main():
    # What the libraries print must not stand among the answers.
    answers, sys.stdout = sys.stdout.buffer, io.TextIOWrapper(sys.stderr.buffer, write_through=True)
    runs, qrels, said, calls = pickle.load(sys.stdin.buffer)
    if sys.argv[1:]:
        list(_answers(SimpleNamespace(scheduler_address=sys.argv[1]), runs, qrels, said, calls))
        os._exit(0)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        answers.write(pickle.dumps(list(_answers(cluster, runs, qrels, said, calls))))
    answers.flush()
    os._exit(0)  # the threads of the client are not waited for


if __name__ == "__main__":
    main()
