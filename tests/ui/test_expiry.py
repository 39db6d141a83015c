"""Visits that are over: what is left of them goes on time."""

import asyncio
import time
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import ActiveSessionInfo, SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from ui.app import expiry


class Session:
    """A session of Streamlit's, as far as it matters."""

    def __init__(self, id, uploads):
        self.id, self.uploads, self.ended = id, uploads, 0
        self.session_state = {"_visit": "what the pages keep"}

    def shutdown(self):
        self.ended += 1
        self.uploads.remove_session_files(self.id)


@pytest.fixture
def server():
    """A connected visit, one that left a moment ago and one that left long ago, each with a file, and a file more."""
    uploads = MemoryUploadedFileManager("/upload_file")
    storage = MemorySessionStorage(ttl_seconds=100)
    manager = WebsocketSessionManager(storage, uploads, script_cache=None, message_enqueued_callback=None)
    sessions = {name: Session(name, uploads) for name in ("connected", "left", "long gone")}
    manager._active_session_info_by_id["connected"] = ActiveSessionInfo(client=None, session=sessions["connected"])
    clock = time.monotonic
    storage._cache._timer = lambda: clock() - 200
    storage.save(SessionInfo(client=None, session=sessions["long gone"]))
    storage._cache._timer = clock
    storage._cache._data["left"] = SessionInfo(client=None, session=sessions["left"])
    storage._cache._expirations["left"] = clock() + 100
    for name in (*sessions, "nobody"):
        uploads.add_file(name, UploadedFileRec("f", "f.txt", "text/plain", b"some bytes"))
    return SimpleNamespace(_session_mgr=manager, uploaded_file_mgr=uploads, sessions=sessions)


def owners(server):
    return sorted(server.uploaded_file_mgr.file_storage)


def test_sessions_end_when_their_time_is_over(server):
    expiry.end_sessions(server)
    assert {name: session.ended for name, session in server.sessions.items()} == {
        "connected": 0, "left": 0, "long gone": 1,
    }  # fmt: skip
    assert owners(server) == ["connected", "left", "nobody"]
    assert [name for name, session in server.sessions.items() if session.session_state] == ["connected", "left"]


def test_uploads_that_no_session_owns_are_removed(server):
    expiry.drop_unowned_uploads(server)
    assert owners(server) == ["connected", "left"]


@pytest.fixture
def quick(server, monkeypatch):
    monkeypatch.setattr(expiry, "EVERY", 0.01)
    monkeypatch.setattr(expiry.runtime, "get_instance", lambda: server)

    async def several_times():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(expiry.repeat(), 0.3)

    return lambda: asyncio.run(several_times())


def test_it_is_done_again_and_again(server, quick):
    quick()
    assert owners(server) == ["connected", "left"]
    assert server.sessions["long gone"].ended == 1


def test_a_step_that_streamlit_does_not_allow_is_logged_once_and_the_others_go_on(server, quick, caplog):
    del server._session_mgr._session_storage._cache
    server._session_mgr._session_storage.list = list
    quick()
    assert [record.getMessage().split(";")[0] for record in caplog.records] == ["end_sessions failed"]
    assert owners(server) == ["connected"]
