"""The script that a document has before Streamlit's own."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from ui.components import browser_history
from ui.serving import embedding

PAGE = '<head><title>Streamlit</title></head><div id="root"></div>' + "<p>text</p>" * 100
SAVED = {"content-disposition": "attachment"}
GIVEN = {
    "/page": lambda _: HTMLResponse(PAGE, headers={"etag": "old"}),
    "/in_parts": lambda _: StreamingResponse(iter([PAGE[:20], PAGE[20:]]), media_type="text/html"),
    "/report": lambda _: HTMLResponse(PAGE, headers=SAVED),
    "/table": lambda _: Response(PAGE, media_type="text/csv"),
}


def answer(path, accept, query=b""):
    """What a server gives with the script before it: headers, body."""
    inner = Starlette(routes=[Route(at, give) for at, give in GIVEN.items()], middleware=[Middleware(GZipMiddleware)])
    headers = [(b"accept", accept), (b"accept-encoding", b"gzip"), (b"if-none-match", b"old")]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": headers}
    sent = []

    async def receive():
        await asyncio.Event().wait()  # nobody goes away

    async def send(message):
        sent.append(message)

    asyncio.run(browser_history.InDocument(inner)(scope, receive, send))
    return dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:])


@pytest.mark.parametrize("path", ["/page", "/in_parts"])
def test_a_document_has_the_script_first(path):
    headers, body = answer(path, b"text/html,*/*")
    assert body.index(browser_history.SCRIPT) < body.index(browser_history.OPENING) < body.index(b"<p>")
    assert int(headers[b"content-length"]) == len(body)
    assert b"etag" not in headers
    assert b"content-encoding" not in headers


ONE = b"embed=1&figure=leaderboard"
NOBODY, THEM = b"frame-ancestors 'none'", b"frame-ancestors https://blog.example.org http://localhost:8000"


@pytest.mark.parametrize(
    ("query", "setting", "who"),
    [
        (b"", "", NOBODY),
        (ONE, "", NOBODY),
        (ONE, "https://blog.example.org http://localhost:8000", THEM),
        (b"embed=1", "https://blog.example.org", NOBODY),
        (b"embed=true&figure=x", "https://blog.example.org", NOBODY),
        (b"embed=1&embed=0&figure=x", "https://blog.example.org", NOBODY),
        (b"figure=leaderboard", "https://blog.example.org", NOBODY),
        (b"", "https://blog.example.org", NOBODY),
    ],
)
def test_a_document_says_who_may_frame_it(monkeypatch, query, setting, who):
    monkeypatch.setenv("POOLSCOPE_EMBED", setting)
    headers, _ = answer("/page", b"text/html", query)
    assert headers[b"content-security-policy"] == who


@pytest.mark.parametrize(
    "setting", ["*", "blog.example.org", "https://a.org; script-src *", "https://a.org/path", "'self'"]
)
def test_an_origin_that_is_none_is_refused(monkeypatch, setting):
    monkeypatch.setenv("POOLSCOPE_EMBED", setting)
    with pytest.raises(ValueError, match="is no origin"):
        embedding.origins()


@pytest.mark.parametrize("key", ["</style><script>", "a b", ".x, *", ""])
def test_a_key_is_no_style(key):
    assert embedding.style(key) == embedding.style("none")


@pytest.mark.parametrize(("path", "accept"), [("/report", b"text/html"), ("/table", b"text/html"), ("/page", b"*/*")])
def test_what_is_no_document_to_be_shown_goes_through(path, accept):
    headers, body = answer(path, accept)
    assert browser_history.SCRIPT not in body
    assert b"etag" in headers or path != "/page"
