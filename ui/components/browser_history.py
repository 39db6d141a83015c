"""Our additions to Streamlit's document: scripts for the Back button and for uploads, the style of all pages, and a
message until the page is drawn. A component would run too late: by then, a page has set its address, a
tour has changed the page, and parts have moved."""

import json
from pathlib import Path
from typing import Any

from ui.serving import embedding, upload_limits

REFUSALS = {  # why an upload did not arrive
    "own": [text.partition("{")[0] for text in (upload_limits.LOG_IN, upload_limits.FULL)],  # how the app's texts begin
    "large": "The upload of {name} is larger than this server, or a proxy in front of it, accepts, so it was not "
    "loaded. Compress it (.gz or .zip), or ask the server's administrator to raise the limit.",
    "cut": "The upload of {name} was cut off, so it was not loaded. Load it again.",
}
SCRIPT = b"".join((
    Path(__file__).with_suffix(".js").read_bytes(),
    b"const refusals = %s\n" % json.dumps(REFUSALS).encode(),
    Path(__file__).with_name("browser_uploads.js").read_bytes(),
))  # fmt: skip
LOOK = "position: fixed; top: 40%; width: 100%; text-align: center; color: #6B7783; font: 1.1rem sans-serif"
OPENING = f'<p id="opening" role="status" style="{LOOK}">Poolscope is opening …</p>'.encode()
STYLE = b"<style>body {\n" + (Path(__file__).parent.parent / "layout" / "page.css").read_bytes() + b"}</style>"
OURS = {
    b"<title>Streamlit</title>": b"<title>Poolscope</title>\n" + STYLE + b"<script>\n" + SCRIPT + b"</script>",
    b'<div id="root"></div>': b'<div id="root"></div>' + OPENING,  # after it, so that it is on top
}
AS_IT_IS = {b"accept-encoding", b"if-none-match", b"if-modified-since", b"range"}  # of partial or cached requests


class InDocument:
    """Add our parts to the document, and who may frame it, for `st.App`; other responses pass unchanged."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        if scope["type"] == "http" and b"text/html" in headers.get(b"accept", b""):
            whole = [(name, value) for name, value in scope["headers"] if name not in AS_IT_IS]
            frames = embedding.headers(scope.get("query_string", b""))
            scope, send = {**scope, "headers": whole}, _Answer(send, frames).send
        await self.app(scope, receive, send)


class _Answer:
    """A response; a document is buffered until it is complete."""

    def __init__(self, send, headers):
        self.pass_on, self.headers, self.start, self.body = send, headers, None, b""

    async def send(self, message):
        if message["type"] == "http.response.start" and _is_document(message):
            self.start = message
        elif self.start is None or message["type"] != "http.response.body":
            await self.pass_on(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_whole(self.start, message)

    async def _send_whole(self, start, last):
        body = self.body
        for theirs, ours in OURS.items():
            body = body.replace(theirs, ours, 1)
        headers = [header for header in start["headers"] if header[0].lower() not in (b"content-length", b"etag")]
        length = b"%d" % len(body) if body else dict(start["headers"]).get(b"content-length", b"0")
        await self.pass_on({**start, "headers": [*headers, *self.headers, (b"content-length", length)]})
        await self.pass_on({**last, "body": body})


def _is_document(start):
    """Whether a response is a document to show, not a file to save."""
    headers = {name.lower(): value for name, value in start["headers"]}
    return headers.get(b"content-type", b"").startswith(b"text/html") and b"content-disposition" not in headers
