"""Visits that are over: their sessions and uploads are dropped on time, also where nobody else visits.

Streamlit drops a session that has lost its browser when the next one is stored, and not before.
"""

import asyncio
import logging

from streamlit import runtime

from ui import staying
from ui.session import SHELF

EVERY = 60  # seconds
LOG = logging.getLogger(__name__)


async def repeat():
    """Drop what is left of visits every minute. A step that this version of Streamlit does not allow is logged once."""
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


def end_sessions(server):
    """End the sessions that have been without a browser for longer than `server.disconnectedSessionTTL`."""
    for _, stored in server._session_mgr._session_storage._cache.expire():
        stored.session.shutdown()
        stored.session.session_state.clear()  # Streamlit's loop refers to the last session until the next one comes


def drop_unowned_uploads(server):
    """Remove the uploads of sessions that have ended, such as a file that was complete only afterwards."""
    uploads = server.uploaded_file_mgr
    owners = {stored.session.id for stored in server._session_mgr.list_sessions()}
    for session_id in set(uploads.file_storage) - owners:
        uploads.remove_session_files(session_id)


def give_room_back(_):
    """Drop what the shelf has of visits that are over, and let it use what their uploads occupied."""
    SHELF.let_go()


def end_visits(_):
    """Drop what reloads would have found, an hour after it was last used."""
    staying.let_go()


STEPS = end_sessions, end_visits, drop_unowned_uploads, give_room_back
