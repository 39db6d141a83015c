"""Uploads: who may send them, and how much memory they may occupy."""

import asyncio
import json

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit.auth_util import secrets_singleton
from streamlit.web.server.starlette import starlette_app_utils

from evalcore.reading import memory_budget
from tests.ui.test_pages import load, opened, own_files, press
from ui.serving import login, upload_limits

SECRET = "c" * 64
AUTH = {"redirect_uri": "http://localhost:8501/poolscope/oauth2callback", "cookie_secret": SECRET}
USER = {"is_logged_in": True, "origin": "http://localhost:8501", "email": "a@b.org"}
PATH = "/poolscope/_stcore/upload_file/session/file"


@pytest.fixture
def auth(monkeypatch):
    """Settings of a login, to be changed by a test."""
    settings = dict(AUTH)
    monkeypatch.setattr(secrets_singleton, "_secrets", {"auth": settings})
    return settings


@pytest.fixture
def no_login(monkeypatch):
    monkeypatch.setattr(login, "settings", lambda: None)


def cookie(user=USER, secret=SECRET, name="_streamlit_user"):
    return starlette_app_utils.create_signed_value(secret, name, json.dumps(user)).decode()


def request(cookie=None):
    headers = [] if cookie is None else [(b"cookie", f"_streamlit_user={cookie}".encode())]
    return Request({"type": "http", "method": "PUT", "path": PATH, "query_string": b"", "headers": headers})


def test_a_visitor_who_logged_in_may_upload(auth):
    assert upload_limits.may_upload(request(cookie()))


@pytest.mark.parametrize(
    "value",
    [
        None, "", "nonsense", json.dumps(USER), cookie(secret="d" * 64), cookie(name="_streamlit_user_tokens"),
        cookie(USER | {"is_logged_in": False}), cookie(USER | {"origin": "http://evil.org"}),
        cookie({"email": "a@b.org"}), cookie(["a@b.org"]), cookie()[:-2],
    ],
    ids=range(11),
)  # fmt: skip
def test_without_a_valid_login_cookie_nobody_may_upload(auth, value):
    assert not upload_limits.may_upload(request(value))


@pytest.mark.parametrize(
    ("user", "allowed", "may"),
    [
        ({}, ["@b.org"], True), ({}, ["x@b.org"], False), ({"email_verified": False}, ["@b.org"], False),
        ({"email_verified": True}, ["@b.org"], True), ({}, [], False),
    ],
)  # fmt: skip
def test_an_upload_is_for_those_who_may_enter(auth, user, allowed, may):
    auth["allowed"] = allowed
    assert upload_limits.may_upload(request(cookie(USER | user))) is may


def test_a_login_that_lasts_too_long_has_to_be_renewed(auth, monkeypatch):
    old = cookie()
    now = starlette_app_utils.time.time()
    monkeypatch.setattr("time.time", lambda: now + 32 * 24 * 3600)
    assert not upload_limits.may_upload(request(old))


def test_where_no_login_is_asked_for_everybody_may_upload(no_login):
    assert upload_limits.may_upload(request())


def test_secrets_that_cannot_be_read_let_nobody_upload(monkeypatch, tmp_path):
    broken = tmp_path / "secrets.toml"
    broken.write_text("[auth]\noops = [")
    monkeypatch.setattr(secrets_singleton, "_secrets", None)
    monkeypatch.setattr(st, "get_option", lambda name: [str(broken)])
    assert not upload_limits.may_upload(request())


def test_a_cookie_that_streamlit_reads_in_another_way_is_refused_and_logged(auth, monkeypatch, caplog):
    monkeypatch.delattr(login.starlette_websocket, "_get_signed_cookie_with_chunks")
    assert not upload_limits.may_upload(request(cookie()))
    assert "cannot be checked" in caplog.text


# ---- memory


@pytest.fixture
def stored(no_login, monkeypatch):
    """What the server keeps of uploads; all of them may take 1,000 bytes."""
    files = []
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "2000")
    monkeypatch.setattr(upload_limits, "occupied", lambda: sum(map(len, files)))
    return files


def limited(stored, early=False):
    """An app that keeps the bodies it receives, or answers at once, behind the limits."""

    async def keep(request):
        if early:
            return PlainTextResponse("not so", 403)
        body = b"".join([chunk async for chunk in request.stream()])
        stored.append(body)
        return PlainTextResponse("", 204)

    return upload_limits.UploadLimits(Starlette(routes=[Route(PATH, keep, methods=["PUT", "GET"])]))


async def sent(app, parts, length=None, method="PUT"):
    """The status and text of the answer, and how many parts of the body were received."""
    headers = [] if length is None else [(b"content-length", str(length).encode())]
    scope = {"type": "http", "method": method, "path": PATH, "query_string": b"", "headers": headers}
    waiting, answers = list(parts), []

    async def receive():
        await asyncio.sleep(0)
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message):
        answers.append(message)

    await app(scope, receive, send)
    assert not answers[-1].get("more_body")
    return answers[0]["status"], b"".join(a.get("body", b"") for a in answers[1:]).decode(), len(parts) - len(waiting)


def test_uploads_have_half_of_the_memory(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "2000")
    assert memory_budget.for_uploads() == 1000


def test_files_are_taken_until_their_share_is_full(stored):
    app = limited(stored)
    assert asyncio.run(sent(app, [bytes(600)], 600))[0] == 204
    assert asyncio.run(sent(app, [bytes(400)], 400))[0] == 204
    status, text, _ = asyncio.run(sent(app, [bytes(1)], 1))
    assert status == 413
    assert text.startswith("The server has too little memory left for this file")
    stored.pop()
    assert asyncio.run(sent(app, [bytes(400)], 400))[0] == 204
    assert not app.uploads


@pytest.mark.parametrize("length", [None, 5, "x", "-3"])
def test_a_body_is_counted_as_it_comes(stored, length):
    app = limited(stored)
    status, text, received = asyncio.run(sent(app, [bytes(100)] * 20, length))
    assert status == 413
    assert text.startswith("The server has too little memory left for this file")
    assert received == 20  # its sender is heard out, and nothing of it is kept
    assert stored == []
    assert not app.uploads


def test_bodies_that_come_together_are_counted_together(stored):
    app = limited(stored)

    async def both():
        return await asyncio.gather(*[sent(app, [bytes(100)] * 8, 800) for _ in range(2)])

    assert sorted(status for status, _, _ in asyncio.run(both())) == [204, 413]
    assert not app.uploads


def test_whoever_is_answered_early_is_heard_out(stored):
    assert asyncio.run(sent(limited(stored, early=True), [bytes(10)] * 5)) == (403, "not so", 5)


def test_nothing_but_uploads_is_limited(stored):
    assert asyncio.run(sent(limited(stored), [bytes(1500)], 1500, method="GET"))[0] == 204


def test_streamlit_keeps_no_file_that_its_visitor_removed():
    app, released = opened(), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upload_limits, "release", released.append)
        for text in (b"1 Q0 d 1 2 A\n", b"1 Q0 d 1 2 B\n"):
            load(app, "runs", ("a.run", text))
        ids = [file.upload_id for file in own_files(app).values()]
        assert len(set(ids)) == 2
        press(app, "Remove all")
    assert sorted(released) == sorted(ids)
