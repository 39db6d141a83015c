"""A cluster of two workers, in a process of its own: what Dask's threads do there (they draw random numbers for as long
as they live) affects no other test.

    python -m tests.cluster < PICKLED (runs, qrels, cache) > PICKLED (a table of scores, how many workers were killed)
"""

import io
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import distributed

import evalcore
from evalcore.large import executors, open_blocked


def scores(runs, qrels, cache):
    """The table of a track that two workers read, one of which is killed after the first block, and how many were."""
    fresh = subprocess.run(
        [sys.executable, "-m", __name__], input=pickle.dumps((runs, qrels, cache)), capture_output=True,
        cwd=Path(__file__).parent.parent, timeout=300, check=False,
    )  # fmt: skip
    assert fresh.returncode == 0, fresh.stderr.decode(errors="replace")[-4000:]
    return pickle.loads(fresh.stdout)


def main():
    # What the libraries print must not be among the results.
    results, sys.stdout = sys.stdout.buffer, io.TextIOWrapper(sys.stderr.buffer, write_through=True)
    runs, qrels, cache = pickle.load(sys.stdin.buffer)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        read, killed = executors.Cluster(cluster.scheduler_address), []

        def each(function, calls):
            for result in read(function, calls):
                if not killed:
                    killed.append(next(iter(cluster.workers.values())).process.pid)
                    os.kill(killed[0], signal.SIGKILL)
                yield result

        study = open_blocked.open_blocks(runs, qrels, topics=1, cache=cache, each=each)
        results.write(pickle.dumps((evalcore.ask(study, "scores", metric="P@2").table, len(killed))))
    results.flush()
    os._exit(0)  # the threads of the client are not waited for


if __name__ == "__main__":
    main()
