"""What the server does before anybody visits: it looks at its settings, and opens a browser on a laptop."""

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
    """How many workers there may be: a setting, or one for each processor, two at least and four at most."""
    return setting(WORKERS, min(4, max(2, os.cpu_count() or 1)))


# each reads one, or says what would be right
SETTINGS = (budget.allowed, workers, store.of_user, store.may_hold, on_disk.allowed, sources.named_at_start)


def wrong():
    """What is wrong with the settings and with what the server was started with, a sentence each: which one, what it
    holds, what would be right."""
    for read in SETTINGS:
        try:
            read()
        except ValueError as error:
            yield str(error)


def end_if_settings_are_wrong():
    """Ends the program, with what is wrong on the terminal; of a cache that is not used it says why."""
    if sentences := [*wrong()]:
        sys.exit("\n".join(["Poolscope did not start.", *sentences]))
    if why := store.open_cache().why:
        print(why, file=sys.stderr)


def share_processors():
    """Has matrices multiplied by one thread, here and in the workers. They are small: more threads gain nothing, and
    wait for each other where visitors are many (three at a time on two processors took twice as long)."""
    if THREADS not in os.environ:
        os.environ[THREADS] = "1"  # for what is not loaded yet
        threadpoolctl.threadpool_limits(1, user_api="blas")


@asynccontextmanager
async def begin(_):
    """Opens a browser, unless Streamlit is told not to (`server.headless`) or has nowhere to; meanwhile what takes most
    of a second to import, and nearly every page needs, is imported. While the server runs, visits are logged, and what
    is left of them is dropped."""
    asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "scipy.stats")
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address())
    from ui import expiry, visits  # which need right settings, and are seen after `end_if_settings_are_wrong`

    visits.log_to_stderr()
    expiring = asyncio.create_task(expiry.repeat())
    try:
        yield
    finally:
        expiring.cancel()
        with suppress(asyncio.CancelledError):
            await expiring


def address():
    """Where a browser on this machine finds the app."""
    host = st.get_option("browser.serverAddress")
    if host == "localhost" and st.get_option("server.address") not in (None, "", "0.0.0.0", "::"):
        host = st.get_option("server.address")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{host}:{st.get_option('server.port')}/{path}"
