"""What a visitor loaded is there after a reload of the tab, for this visitor alone and for an hour."""

import asyncio
import time

import pytest

from tests.cached import cached_for
from tests.ui.test_pages import load_track, numbers_of, opened, own_files
from ui.app import kept_uploads
from ui.session.answers import CACHE

MINE, ANOTHERS = "a" * 43, "b" * 43


@pytest.fixture
def visit(monkeypatch):
    """A function that opens the Data page in a new tab with a cookie."""

    def of(cookie):
        monkeypatch.setattr(kept_uploads, "cookie", lambda: cookie)
        return opened()

    CACHE.drop()
    kept_uploads._last.clear()
    yield of
    CACHE.drop()
    kept_uploads._last.clear()


def load(app):
    return load_track(app, ("a.run", b"1 Q0 d1 1 2 A\n1 Q0 d2 2 1 A\n"), qrels=b"1 0 d1 1\n1 0 d2 0\n")


def loaded(app):
    return [file.name for file in own_files(app).values()]


def test_files_and_the_report_outlive_a_reload(visit):
    before = load(visit(MINE))
    assert loaded(before) == ["a.run", "qrels.txt"]
    after = visit(MINE)
    assert loaded(after) == ["a.run", "qrels.txt"]
    gathered = list(after.session_state["_notes"].values())
    assert any("Data" in pages for pages in gathered)
    after.selectbox(key="study").set_value("files").run()
    assert numbers_of(after, "Systems") == ["1"]


@pytest.mark.parametrize("cookie", [ANOTHERS, None, "", "x", MINE + "a"])
def test_nobody_else_finds_them(visit, cookie):
    load(visit(MINE))
    assert loaded(visit(cookie)) == []


def test_what_is_removed_in_one_tab_is_not_found_again_and_other_tabs_keep_theirs(visit):
    first = load(visit(MINE))
    second = visit(MINE)
    next(button for button in second.button if button.label == "Remove all").click().run()
    assert loaded(second) == []
    assert loaded(first) == ["a.run", "qrels.txt"]
    assert loaded(visit(MINE)) == []


def test_after_an_hour_nothing_is_left(visit):
    load(visit(MINE))
    kept_uploads.let_go(time.monotonic() + kept_uploads.LASTS - 60)
    CACHE.let_go()
    assert loaded(visit(MINE)) == ["a.run", "qrels.txt"]
    kept_uploads.let_go(time.monotonic() + kept_uploads.LASTS + 60)
    CACHE.let_go()
    assert not kept_uploads._last
    assert loaded(visit(MINE)) == []


def test_it_counts_in_the_budget(visit):
    load(visit(MINE))
    owner = kept_uploads.owner_of(MINE, None)
    assert isinstance(cached_for(owner)[0], kept_uploads.Kept)
    before = CACHE.total
    CACHE.leave(owner)
    CACHE.let_go()
    assert CACHE.total < before


def test_with_a_login_the_cookie_alone_gives_nothing():
    ann, bob = ({"iss": "i", "sub": name, "email": f"{name}@x"} for name in ("ann", "bob"))
    owners = [kept_uploads.owner_of(MINE, user) for user in (None, ann, bob)] + [kept_uploads.owner_of(ANOTHERS, ann)]
    assert len(set(owners)) == 4
    assert kept_uploads.owner_of(MINE, dict(ann)) == owners[1]
    assert kept_uploads.owner_of(MINE, {}) is None
    assert kept_uploads.owner_of(MINE, {"is_logged_in": True}) is None


def answered(path, *, cookie="", scheme="http", headers=()):
    """The headers of the answer to a request that goes through the layer."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Cache-Control", b"max-age=9")]})
        await send({"type": "http.response.body", "body": b"{}"})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "scheme": scheme, "headers": [(b"cookie", cookie.encode()), *headers]}
    asyncio.run(kept_uploads.Cookie(app)(scope, None, send))
    return sent[0]["headers"]


def test_a_browser_gets_one_cookie_that_no_script_and_no_other_site_can_use():
    path = "/base" + kept_uploads.ASKED_FIRST
    given = [dict(answered(path))[b"set-cookie"].decode() for _ in range(2)]
    assert given[0] != given[1]
    name, _, rest = given[0].partition("=")
    value, *flags = rest.split("; ")
    assert name == kept_uploads.COOKIE
    assert kept_uploads.ISSUED.fullmatch(value)
    assert flags == ["Path=/", "HttpOnly", "SameSite=Strict"]
    assert [one for one in answered(path) if one[0].lower() == b"cache-control"] == [(b"cache-control", b"no-store")]
    assert b"set-cookie" not in dict(answered(path, cookie=f"a=b; {name}={value}"))
    assert b"set-cookie" in dict(answered(path, cookie=f"{name}=forged"))
    assert b"set-cookie" not in dict(answered("/data"))
    assert dict(answered(path, scheme="https"))[b"set-cookie"].endswith(b"; Secure")
    assert dict(answered(path, headers=[(b"x-forwarded-proto", b"https")]))[b"set-cookie"].endswith(b"; Secure")
