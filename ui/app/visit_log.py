"""The server's log of visits: a line for each page opened, without names, addresses or files."""

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner import RerunException

from ui.data import study_choice
from ui.session import memory

LOG = logging.getLogger("poolscope.visits")
LOG.setLevel(logging.INFO)


def log_to_stderr() -> None:
    """Write the log to the terminal, or the container's log, with the time in UTC."""
    lines = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    lines.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(lines)
    LOG.handlers = [handler]


@contextmanager
def drawing(page: str) -> Iterator[None]:
    """Log a page when it is drawn, with the seconds it took; a rerun of the same page is not logged."""
    if memory.get("logged-page") == page:
        yield
        return
    visit = memory.get("logged-visit") or uuid.uuid4().hex[:8]  # not Streamlit's id, which gives access to the session
    memory.put("logged-visit", visit)
    began = time.monotonic()
    try:
        yield
    except RerunException:  # not completed: the next run is logged
        raise
    except BaseException:
        _log(visit, page, began)
        raise
    _log(visit, page, began)


def _log(visit, page, began):
    memory.put("logged-page", page)
    LOG.info("visit %s page %s study %s %.2f s", visit, page, study_choice.kind(), time.monotonic() - began)
