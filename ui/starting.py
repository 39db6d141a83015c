"""Start of the server: check its settings, and open a browser on a laptop."""

import asyncio
import importlib
import os
import sys
import webbrowser
from contextlib import asynccontextmanager, suppress

import streamlit as st
import threadpoolctl

from evalcore.reading import budget, on_disk, store
from evalcore.values import setting
from ui import sources

WORKERS = "POOLSCOPE_WORKERS"
THREADS = "OPENBLAS_NUM_THREADS"


def workers():
    """Maximum number of workers: a setting, or one per processor, from 2 to 4."""
    return setting(WORKERS, min(4, max(2, os.cpu_count() or 1)))


# each reads a setting, or raises ValueError
SETTINGS = (budget.allowed, workers, store.of_user, store.may_hold, on_disk.allowed, sources.named_at_start)


def wrong():
    """Problems of the settings and command-line options, a sentence each: which one, its value, a valid value."""
    for read in SETTINGS:
        try:
            read()
        except ValueError as error:
            yield str(error)


def end_if_settings_are_wrong():
    """Exit with the problems on the terminal, if any; print why the cache is not used, if it is not."""
    if sentences := [*wrong()]:
        sys.exit("\n".join(["Poolscope did not start.", *sentences]))
    if why := store.open_cache().why:
        print(why, file=sys.stderr)


def share_processors():
    """Use one thread for matrix products, here and in the workers. Matrices are small: more threads gain nothing, and
    with three visitors on two processors they took twice as long."""
    if THREADS not in os.environ:
        os.environ[THREADS] = "1"  # for libraries not yet loaded
        threadpoolctl.threadpool_limits(1, user_api="blas")


@asynccontextmanager
async def begin(_):
    """Open a browser, unless Streamlit is headless, and meanwhile import scipy.stats, which is slow and used by nearly
    every page. While the server runs, log visits and drop those that have ended."""
    asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "scipy.stats")
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address())
    from ui import expiry, visits  # need valid settings, see `end_if_settings_are_wrong`

    visits.log_to_stderr()
    expiring = asyncio.create_task(expiry.repeat())
    try:
        yield
    finally:
        expiring.cancel()
        with suppress(asyncio.CancelledError):
            await expiring


def address():
    """Address of the app for a browser on this machine."""
    host = st.get_option("browser.serverAddress")
    if host == "localhost" and st.get_option("server.address") not in (None, "", "0.0.0.0", "::"):
        host = st.get_option("server.address")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{host}:{st.get_option('server.port')}/{path}"
