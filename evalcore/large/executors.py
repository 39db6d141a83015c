"""How the blocks of a track are read: here, ahead of time, or by the workers of a Dask cluster.

Each is a function (function, calls) that yields the function's result for each tuple of arguments, in their order.
Whoever has had enough closes it. Left to the garbage collector, it would wait for its threads wherever the collector
runs. Where a thread begins, that is forever: Python holds a lock there.
"""

import importlib
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

AHEAD = 2  # blocks, each read by a thread
PATIENCE = 10  # seconds in which a scheduler answers
MISSING = "--scheduler needs dask.distributed: pip install -r requirements-cluster.txt."


def read_ahead(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any]:
    """The results, computed here: the next two while one is used."""
    waiting: deque[Any] = deque()
    with ThreadPoolExecutor(AHEAD) as threads:
        try:
            for call in calls:
                waiting.append(threads.submit(copy_context().run, function, *call))
                if len(waiting) > AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # whoever asked may have had enough
            threads.shutdown(cancel_futures=True)


class Cluster:
    """The results, computed by the workers of a Dask cluster at an address such as tcp://host:8786.

    Its workers see the run files at the same paths, and have this program and its versions of NumPy, pandas and Arrow.
    If a worker dies, Dask gives its calls to another one.
    """

    def __init__(self, address: str) -> None:
        try:
            distributed = importlib.import_module("distributed")
        except ModuleNotFoundError:
            raise ValueError(MISSING) from None
        try:
            distributed.comm.get_address_host_port(address)  # a client without a port ends after a minute
            self.client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(f"there is no Dask scheduler at {address}: {error}") from None

    def __call__(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any]:
        futures = [self.client.submit(function, *call, pure=False) for call in calls]
        for future in futures:
            yield future.result()
            future.release()  # the worker need not keep what has arrived here
