"""Keep a visitor's files and report for an hour, so that they survive a reload of the tab.

They are in the shared cache, within its budget, under a random cookie that no script can read. If the server
requires a login, only the same user finds them. With `POOLSCOPE_KEEP`, the open study is also stored on disk, as a
study file, so that it survives a restart of the server.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from typing import Any

import streamlit as st
from starlette.requests import cookie_parser

from ui.data import open_options, open_studies, saved_studies, server_studies, study_choice, visitor_files
from ui.serving import login
from ui.session import memory, visit
from ui.session.answers import CACHE
from ui.text.escape import md

COOKIE = "poolscope_visit"
LASTS = 3600  # seconds after the last run of a visit
ASKED_FIRST = "/_stcore/host-config"  # by Streamlit's own script, before it connects; from other sites without cookies
ISSUED = re.compile(r"[\w-]{43}", re.ASCII)
ANY = "-" * 43  # in place of a cookie: a user is the same in all browsers
PARTS = "notes", "visitor", "stored"  # of a session, beside the visit's record
VISIT = "visit"
EVERY = 60  # seconds until stored files are kept longer
_last: dict[str, float] = {}  # owner -> when its visit was last seen
_newest: dict[str, str] = {}  # owner -> the content that is to be stored
_refused: dict[str, str] = {}  # owner -> why it was not stored, which the next run shows
UNREADABLE = "The server cannot read the files that it stored for you."
ONLY_HERE = "Your files are lost if the server restarts: keep your own copies."
_WRITING = Lock()
NOTHING: tuple[str, frozenset[str]] = "", frozenset()  # what is stored of a visit: its digest, those of its files


class Cookie:
    """Set a cookie in every browser, for `st.App`. A link from another site requests the document without cookies, so
    the next request sets it."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        asks = scope["type"] == "http" and scope["path"].endswith(ASKED_FIRST)
        if not asks or _issued(scope):
            await self.app(scope, receive, send)
            return
        value = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Strict"
        value += "; Secure" if _is_https(scope) else ""

        async def give(message):
            if message["type"] == "http.response.start":
                ours = [(b"set-cookie", value.encode()), (b"cache-control", b"no-store")]
                theirs = [header for header in message.get("headers", ()) if header[0].lower() != b"cache-control"]
                message = {**message, "headers": [*theirs, *ours]}
            await send(message)

        await self.app(scope, receive, give)


class Kept:
    """What survives a reload: a visit's record, and parts of its session."""

    def __init__(self) -> None:
        self.record, self.parts = visit.Visit(), {}


def come_back() -> None:
    """On the first run of a session, restore what this visitor had before a reload; on each, remove what is stored of
    files that the visitor removed."""
    if (owner := _owner()) is None:
        return
    if st.session_state.get("_began"):
        _remove_stored(owner)
        _show_refusal(owner)
        return
    st.session_state["_began"] = True
    st.session_state["_whose"] = owner if login.settings() is None else owner_of(ANY, st.user)
    if (before := CACHE.ready((owner, VISIT))) is not None:
        st.session_state[visit.RECORD] = before.record
        for name, part in before.parts.items():
            memory.put(name, _copied(part))
    if before is not None or not server_studies.hours():
        return
    try:
        stored = server_studies.find(owner)
    except server_studies.Unreadable:
        _refused[owner] = UNREADABLE
        return
    if stored:
        saved_studies.reopen(stored.path)
        memory.put("stored", ("", visitor_files.digests()))


@contextmanager
def keeping() -> Iterator[None]:
    """Save the session's parts when the run ends, also after an error."""
    try:
        yield
    finally:
        _keep()


def _keep():
    if (owner := _owner()) is None:
        return
    _last[owner] = time.monotonic()
    if server_studies.hours():
        _store(owner)
    kept = CACHE.get((owner, VISIT), Kept)
    kept.record, kept.parts = visit.kept(), {name: memory.get(name) for name in PARTS if memory.get(name) is not None}


def _remove_stored(owner):
    """Remove what is stored for a restart as soon as one of its files is not loaded any more."""
    if memory.get("stored", NOTHING)[1] <= visitor_files.digests():
        return
    memory.put("stored", NOTHING)
    with _WRITING, suppress(ValueError):
        _newest.pop(owner, None)
        server_studies.remove(owner, memory.get("whose"))


def _store(owner):
    """Store the visitor's open files for a restart, in the background, where they changed."""
    source, stored = open_studies.source(), memory.get("stored", NOTHING)[0]
    content = memory.digest_of({**vars(study_choice.own()), **open_options.assumed(), "source": source.key})
    if source.private and memory.get("saving") is not None and content != stored:
        memory.put("stored", (content, visitor_files.digests()))
        _newest[owner] = content
        given = owner, memory.get("whose"), content, memory.get("save")
        Thread(target=_write, args=given, daemon=True).start()
    elif stored and memory.get("extended", -EVERY) <= time.monotonic() - EVERY:
        memory.put("extended", time.monotonic())
        server_studies.extend(owner, server_studies.hours() * server_studies.HOUR)


def _show_refusal(owner):
    """Show why the visitor's files are not stored, once in a visit."""
    refused = _refused.pop(owner, "")
    if refused and not memory.get("refusal-shown"):
        memory.put("refusal-shown", True)
        st.toast(f"{md(refused)} {ONLY_HERE}", duration="infinite")


def _write(owner, whose, content, save):
    """Store the visit. Why it could not be stored is shown in the visitor's next run."""
    data = save()
    with _WRITING:
        if _newest.get(owner) != content:
            return
        try:
            server_studies.store(owner, whose, "", data, server_studies.hours() * server_studies.HOUR)
        except ValueError as refused:
            _refused[owner] = str(refused)


def let_go(now: float | None = None) -> None:
    """Drop the data of visits that ended an hour ago."""
    now = time.monotonic() if now is None else now
    for owner, last_seen in list(_last.items()):
        if now - last_seen > LASTS:
            _last.pop(owner, None)
            _refused.pop(owner, None)
            CACHE.leave(owner)


def owner_of(cookie: str | None, user: Mapping[str, Any] | None) -> str | None:
    """Owner of a visit, or None. user : who is logged in, None if the server requires no login"""
    if not (isinstance(cookie, str) and ISSUED.fullmatch(cookie)):
        return None
    who = user and [user.get(name) for name in ("iss", "sub", "email")]
    if user is not None and not any(who or ()):
        return None
    return "visit-" + hashlib.sha256(json.dumps([cookie, who]).encode()).hexdigest()


def _owner():
    return owner_of(cookie(), None if login.settings() is None else st.user)


def cookie() -> Any:
    """This visitor's cookie, from the connection."""
    return st.context.cookies.get(COOKIE)


def _copied(part):
    """A copy of a part of a session, independent of later changes."""
    return {name: _copied(inside) for name, inside in part.items()} if isinstance(part, dict) else part


def _header(scope, name):
    return dict(scope.get("headers", ())).get(name, b"").decode("latin-1")


def _issued(scope):
    return ISSUED.fullmatch(cookie_parser(_header(scope, b"cookie")).get(COOKIE, ""))


def _is_https(scope):
    return "https" in (scope.get("scheme"), _header(scope, b"x-forwarded-proto"))
