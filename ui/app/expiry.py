"""Drop the sessions and uploads of ended visits on time, even without new visitors.

Streamlit drops a disconnected session only when the next one is stored.
"""

import asyncio
import logging
import sqlite3
from contextlib import suppress
from typing import Any

from streamlit import runtime

from ui.app import kept_uploads
from ui.data import server_studies
from ui.session.answers import CACHE

EVERY = 60  # seconds
LOG = logging.getLogger(__name__)


async def repeat() -> None:
    """Drop the data of ended visits every minute. A step that fails with this version of Streamlit is logged once."""
    failed = set()
    while True:
        await asyncio.sleep(EVERY)
        for step in STEPS:
            try:
                step(runtime.get_instance())
            except Exception:
                if step not in failed:
                    LOG.exception("%s failed; uploads may stay in memory after a visitor has left", step.__name__)
                failed.add(step)


def end_sessions(server: Any) -> None:
    """End sessions that have been disconnected for longer than `server.disconnectedSessionTTL`."""
    for _, stored in server._session_mgr._session_storage._cache.expire():
        stored.session.shutdown()
        stored.session.session_state.clear()  # Streamlit keeps a reference to the last session


def drop_unowned_uploads(server: Any) -> None:
    """Remove the uploads of ended sessions, such as a file that was completed afterwards."""
    uploads = server.uploaded_file_mgr
    owners = {stored.session.id for stored in server._session_mgr.list_sessions()}
    for session_id in set(uploads.file_storage) - owners:
        uploads.remove_session_files(session_id)


def give_room_back(_: Any) -> None:
    """Drop cached objects of ended visits, and return the memory of their uploads to the cache."""
    CACHE.let_go()


def end_visits(_: Any) -> None:
    """Drop files and reports kept for a reload, an hour after they were last used."""
    kept_uploads.let_go()


def end_shared(_: Any) -> None:
    """Remove shared studies whose time is over, and drop what was computed of those that are not shared any more."""
    with suppress(OSError, sqlite3.Error):  # of a disk that is full: in a minute, again
        server_studies.remove_expired()
    with suppress(server_studies.Unreadable):
        for owner in {key[0] for key, _ in CACHE.items()}:
            if server_studies.is_link(owner) and server_studies.path_of(owner) is None:
                CACHE.leave(owner)


STEPS = end_sessions, end_visits, end_shared, drop_unowned_uploads, give_room_back
