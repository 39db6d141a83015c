"""Start of the server: check its settings, and open a browser on a laptop."""

import asyncio
import importlib
import os
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit as st
import threadpoolctl

from evalcore.reading import memory_budget, track_cache
from ui.data import server_studies, sources
from ui.serving import embedding, worker_limit

THREADS = "OPENBLAS_NUM_THREADS"


# each reads a setting, or raises ValueError
SETTINGS = (
    memory_budget.allowed,
    worker_limit.allowed,
    track_cache.of_user,
    track_cache.may_hold,
    memory_budget.on_disk,
    sources.named_at_start,
    embedding.origins,
    server_studies.are_set_well,
)


def wrong() -> Iterator[str]:
    """Problems of the settings and command-line options, a sentence each: which one, its value, a valid value."""
    for read in SETTINGS:
        try:
            read()
        except ValueError as error:
            yield str(error)


def end_if_settings_are_wrong() -> None:
    """Exit with the problems on the terminal, if any; print why the cache is not used, or why visitors cannot store
    studies."""
    if sentences := [*wrong()]:
        sys.exit("\n".join(["Poolscope did not start.", *sentences]))
    for why in (track_cache.open_cache().why, server_studies.why_not_stored()):
        if why:
            print(why, file=sys.stderr)


def share_processors() -> None:
    """Use one thread for matrix products, here and in the workers. Matrices are small: more threads gain nothing, and
    with three visitors on two processors they took twice as long."""
    if THREADS not in os.environ:
        os.environ[THREADS] = "1"  # for libraries not yet loaded
        threadpoolctl.threadpool_limits(1, user_api="blas")


@asynccontextmanager
async def begin(_: Any) -> AsyncIterator[None]:
    """Open a browser, unless Streamlit is headless, and meanwhile import scipy.stats, which is slow and used by nearly
    every page. While the server runs, log visits and drop those that have ended."""
    asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "scipy.stats")
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address())
    from ui.app import expiry, visit_log  # need valid settings, see `end_if_settings_are_wrong`

    visit_log.log_to_stderr()
    expiring = asyncio.create_task(expiry.repeat())
    try:
        yield
    finally:
        expiring.cancel()
        with suppress(asyncio.CancelledError):
            await expiring


def address() -> str:
    """Address of the app for a browser on this machine."""
    host = st.get_option("browser.serverAddress")
    if host == "localhost" and st.get_option("server.address") not in (None, "", "0.0.0.0", "::"):
        host = st.get_option("server.address")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{host}:{st.get_option('server.port')}/{path}"
