"""Visits that are over: their sessions and uploads are dropped on time, also where nobody else visits.

Streamlit drops a session that has lost its browser when the next one is stored, and not before.
"""

import asyncio
import gc
import logging

from streamlit import runtime

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
                await step(runtime.get_instance())
            except Exception:
                if step not in failed:
                    LOG.exception("%s failed; uploads may stay in memory after a visitor has left", step.__name__)
                failed.add(step)


async def end_sessions(server):
    """End the sessions that have been without a browser for longer than `server.disconnectedSessionTTL`."""
    ended = server._session_mgr._session_storage._cache.expire()
    for _, stored in ended:
        stored.session.shutdown()
    if ended:
        del stored
        ended.clear()
        # What a visit keeps refers to itself in circles, and Streamlit is set not to collect them after every run.
        await asyncio.get_running_loop().run_in_executor(None, gc.collect)


async def drop_unowned_uploads(server):
    """Remove the uploads of sessions that have ended, such as a file that was complete only afterwards."""
    uploads = server.uploaded_file_mgr
    owners = {stored.session.id for stored in server._session_mgr.list_sessions()}
    for session_id in set(uploads.file_storage) - owners:
        uploads.remove_session_files(session_id)


async def give_room_back(_):
    """Drop what the shelf has of visits that are over, and let it use what their uploads occupied."""
    SHELF.let_go()


STEPS = end_sessions, drop_unowned_uploads, give_room_back
