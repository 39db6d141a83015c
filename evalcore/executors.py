"""How the blocks of a track are computed: one after another, or on a Dask cluster.

Each is a function (function, calls) -> list: what the function says of each tuple of arguments, in their order.
"""

import importlib

PATIENCE = 10  # seconds in which a scheduler answers
MISSING = "--scheduler needs dask.distributed: pip install -r requirements-cluster.txt."


def one_after_another(function, calls):
    """Here, holding one block at a time."""
    return [function(*call) for call in calls]


class Cluster:
    """A Dask cluster that there is, at an address such as tcp://host:8786. Its workers see the run files under the same
    paths, and have this program and its versions of NumPy, pandas and Arrow.

    What a worker that dies was asked is asked of another one; all of that is Dask's.
    """

    def __init__(self, address):
        try:
            distributed = importlib.import_module("distributed")
        except ModuleNotFoundError:
            raise ValueError(MISSING) from None
        try:
            distributed.comm.get_address_host_port(address)  # a client without a port ends after a minute
            self.client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(f"there is no Dask scheduler at {address}: {error}") from None

    def __call__(self, function, calls):
        futures = [self.client.submit(function, *call, pure=False) for call in calls]
        return self.client.gather(futures)
