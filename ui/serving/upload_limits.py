"""Refuse uploads before they are received: from visitors who are not logged in, or beyond the memory limit.

Streamlit keeps uploads of every open page in memory, even if the page asks for a login.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from streamlit import runtime
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from evalcore.reading import memory_budget
from ui.serving import login

PATH = "/_stcore/upload_file/"  # of Streamlit, below the app's own path
LOG_IN = "You are not logged in, so the file was not uploaded. Reload the page and log in."
FULL = (
    "The server has too little memory left for this file: {used} of the {most} for uploads is in use. Remove files "
    "that you no longer need, or try again later."
)
LINGER = 30  # seconds in which the rest of a refused file is dropped
LOG = logging.getLogger(__name__)


class UploadLimits:
    """Refuses uploads, for `st.App`, before their body is read: 401 before login, 413 above
    `memory_budget.for_uploads`."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.uploads = set()  # that are not complete yet

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        upload = _Upload(receive, send, self._is_full)
        self.uploads.add(upload)
        try:
            await self._answer(scope)(scope, upload.receive, upload.send)
        finally:
            self.uploads.remove(upload)

    def _answer(self, scope):
        """The application that answers a request: a refusal, or what is behind this layer."""
        if not may_upload(Request(scope)):
            return PlainTextResponse(LOG_IN, 401)
        if self._is_full(_declared_length(scope)):
            return PlainTextResponse(_full(), 413)
        return self.app

    def _is_full(self, more=0):
        return occupied() + sum(upload.received for upload in self.uploads) + more > memory_budget.for_uploads()


class _Upload:
    """A request whose bytes are counted as they come, for their length may be declared wrongly, or not at all.

    A sender that is cut off within a body sees a broken connection, and a proxy answers 502. So when the answer is
    early, the rest of the body is received and dropped.
    """

    def __init__(self, receive, send, is_full):
        self._receive, self._send, self._is_full = receive, send, is_full
        self.received, self._is_complete = 0, False

    async def receive(self):
        message = await self._next()
        self.received += len(message.get("body", b""))
        if self._is_full():
            raise HTTPException(413, _full())
        return message

    async def send(self, message):
        ends = message["type"] == "http.response.body" and not message.get("more_body")
        if ends and not self._is_complete:
            self.received = 0  # nothing of it is kept
            await self._send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    while not self._is_complete:
                        await self._next()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _next(self):
        message = await self._receive()
        self._is_complete = not message.get("more_body")  # as is one whose sender has gone
        return message


def may_upload(request: Any) -> bool:
    """Whether the visitor who sends a request has logged in and may enter, or the server asks for no login."""
    try:
        settings = login.settings()
    except StreamlitSecretNotFoundError:
        return False
    if settings is None:
        return True
    try:
        return login.lets_in(login.user_of(request), settings)
    except Exception:  # the cookie is read by functions that Streamlit may change: then nobody uploads
        LOG.exception("The login cookie cannot be checked, so an upload is refused")
        return False


def occupied() -> int:
    """The bytes of all complete uploads that Streamlit keeps."""
    if not runtime.exists():  # pages are run by a test
        return 0
    stats = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(stat.byte_length for family in stats.values() for stat in family)  # type: ignore[attr-defined]


def release(file_id: str) -> None:
    """Have Streamlit no longer keep an upload of this visit."""
    visit = get_script_run_ctx()
    visit.uploaded_file_mgr.remove_file(session_id=visit.session_id, file_id=file_id)  # type: ignore[union-attr]


def keep(record: UploadedFileRec) -> None:
    """Have Streamlit keep a file of this visit as if it had been uploaded."""
    visit = get_script_run_ctx()
    visit.uploaded_file_mgr.add_file(session_id=visit.session_id, file=record)  # type: ignore[union-attr]


def _declared_length(scope):
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0


def _full():
    return FULL.format(most=memory_budget.amount(memory_budget.for_uploads()), used=memory_budget.amount(occupied()))
