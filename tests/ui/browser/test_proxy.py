"""The app behind the real nginx with docs/nginx.conf, of which only the addresses are replaced."""

import asyncio
import copy
import http.client
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from tests.ui.browser.acting import ROOT, WEB, Server, expect, free_port, tiles, upload, visit
from tests.ui.browser.conftest import REQUIRED
from ui.serving import upload_limits

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
CONF = (ROOT / "docs" / "nginx.conf").read_text()
MAIN = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""
SECRETS = """
[auth]
redirect_uri = "http://localhost:{port}/poolscope/oauth2callback"
cookie_secret = "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
client_id = "poolscope"
client_secret = "s"
server_metadata_url = "http://localhost:{provider}/.well-known/openid-configuration"
"""
MEMORY = 40_000_000  # bytes, half of them for uploads
QUICK = "import sys; from ui.app import expiry; expiry.EVERY = 1; from streamlit.web.cli import main; sys.exit(main())"

pytestmark = pytest.mark.skipif(not NGINX and not REQUIRED, reason="no nginx on this machine")


class App(Server):
    """The app below /poolscope/, which looks for visits that are over every second."""

    streamlit = ("-c", QUICK)

    def url(self, path=""):
        return f"http://localhost:{self.port}/poolscope/{path}"

    def bytes_of_uploads(self):
        time.sleep(5.5)  # Streamlit gives the same number for five seconds
        with urllib.request.urlopen(self.url("_stcore/metrics?families=cache_memory_bytes"), timeout=20) as answer:
            counted = re.search(r'"UploadedFileManager".*\} (\d+)', answer.read().decode())
        return int(counted[1]) if counted else 0


class Site:
    """The app and nginx in front of it, which listens on `port`."""

    def __init__(self, folder, *options):
        self.port = free_port()
        self.app = App(folder, "--server.baseUrlPath=poolscope", "--server.disconnectedSessionTTL=1", *options)
        self.proxy = None

    def begin(self, folder, most="1001m"):
        """most : the largest upload that nginx accepts"""
        site = CONF.replace("listen 80;", f"listen {self.port};").replace(
            "poolscope:8501", f"127.0.0.1:{self.app.port}"
        )
        site = site.replace("client_max_body_size 1001m;", f"client_max_body_size {most};")
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, site=site))
        self.proxy = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"])
        for _ in range(100):
            try:
                return self.get("_stcore/health")
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("nginx did not start in 10 seconds")

    def url(self, path=""):
        return f"http://localhost:{self.port}/poolscope/{path}"

    def get(self, path, **how):
        return self.send("GET", path, **how)

    def send(self, method, path, headers=(), body=None, address="127.0.0.1", **how):
        """The answer to a request that comes from an address of this machine: status, headers, text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(address, 0))
        try:
            connection.request(method, f"/poolscope/{path}", body, dict(headers), **how)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")
        finally:
            connection.close()

    def put(self, visit, body, *, length=None, **how):
        """The answer to an upload of a visit. length : what is declared, where that is not the length of the body"""
        session_id, token = visit
        head = b'--part\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        headers = {
            "Host": f"localhost:{self.port}", "Cookie": f"_streamlit_xsrf={token}", "X-Xsrftoken": token,
            "Content-Type": "multipart/form-data; boundary=part",
        } | ({"Content-Length": str(length)} if length else {})  # fmt: skip
        parts = [head, *body, b"\r\n--part--\r\n"]
        whole = iter(parts) if how.get("encode_chunked") else b"".join(parts)
        return self.send("PUT", f"_stcore/upload_file/{session_id}/file", headers, whole, **how)

    def stop(self):
        if self.proxy is not None:
            self.proxy.terminate()
            self.proxy.wait(20)
        self.app.stop()


class Visit:
    """A visit without a browser: with it, (the session that Streamlit opens for it, its token)."""

    def __init__(self, site):
        _, headers, _ = site.get("_stcore/health")
        self.token = re.search(r"_streamlit_xsrf=([^;]+)", headers["Set-Cookie"])[1]
        self.socket = connect(
            f"ws://localhost:{site.port}/poolscope/_stcore/stream",
            subprotocols=["streamlit", self.token],
            origin=f"http://localhost:{site.port}",
            additional_headers={"Cookie": f"_streamlit_xsrf={self.token}"},
            max_size=None,
        )

    async def __aenter__(self):
        socket = await self.socket.__aenter__()
        run = BackMsg()
        run.rerun_script.query_string = ""
        await socket.send(run.SerializeToString())
        async for data in socket:
            message = ForwardMsg.FromString(data)
            if message.WhichOneof("type") == "new_session":
                return message.new_session.initialize.session_id, self.token
        raise ConnectionError("the server hung up")

    async def __aexit__(self, *ended):
        await self.socket.__aexit__(*ended)


@pytest.fixture(scope="module")
def asks_for_login(tmp_path_factory):
    folder, provider_port = tmp_path_factory.mktemp("login"), free_port()
    secrets = folder / "secrets.toml"
    provider = subprocess.Popen([sys.executable, "-m", "tests.oidc", str(provider_port), "a@b.org"], cwd=ROOT)
    site = Site(folder, "--secrets.files", str(secrets))
    try:
        secrets.write_text(SECRETS.format(port=site.port, provider=provider_port))
        site.begin(folder)
        yield site
    finally:
        site.stop()
        provider.terminate()
        provider.wait(20)


@pytest.fixture(scope="module")
def open_to_all(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POOLSCOPE_MEMORY_BYTES", str(MEMORY))
        site = Site(folder)
    try:
        site.begin(folder)
        yield site
    finally:
        site.stop()


def in_a_loop(work):
    """The result of a coroutine, in a thread of its own: this one has the browser's loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def test_an_upload_before_login_is_refused_and_leaves_no_bytes(asks_for_login):
    async def attempt():
        async with Visit(asks_for_login) as visit:
            return [await asyncio.to_thread(asks_for_login.put, visit, [bytes(30_000_000)]) for _ in range(3)]

    for status, _, text in in_a_loop(attempt()):
        assert (status, text) == (401, upload_limits.LOG_IN)
    assert asks_for_login.app.bytes_of_uploads() == 0


def test_after_login_an_upload_works_and_is_gone_soon_after_its_visitor(opened, asks_for_login):
    site, files = asks_for_login, [*sorted((WEB / "runs").iterdir())[:2], WEB / "qrels.txt"]
    page = opened(own=True)
    answer = page.goto(site.url())
    assert answer.headers["x-frame-options"] == "DENY"
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    visit(page, site, "data")
    upload(page, "runs", files[:2])
    upload(page, "qrels", files[2:])
    tiles(page, Systems="2")
    assert site.app.bytes_of_uploads() == sum(file.stat().st_size for file in files)
    page.context.close()
    assert site.app.bytes_of_uploads() == 0


def test_files_above_the_share_of_memory_are_refused_also_where_their_length_is_not_declared(open_to_all):
    small, large = bytes(MEMORY // 8), bytes(MEMORY)

    async def attempt():
        async with Visit(open_to_all) as visit:
            for body, how in (([small], {}), ([large], {}), ([large[: 1 << 16]] * 700, {"encode_chunked": True})):
                yield await asyncio.to_thread(open_to_all.put, visit, body, **how)

    async def answers():
        return [answer async for answer in attempt()]

    accepted, declared, streamed = in_a_loop(answers())
    assert accepted[0] == 204
    for status, _, text in (declared, streamed):
        assert status == 413
        assert text.startswith("The server has too little memory left for this file: 5 MB of the 20 MB")
    assert open_to_all.app.bytes_of_uploads() == 0  # the visit is over


def test_the_page_says_why_an_upload_was_refused(opened, open_to_all, tmp_path):
    """By a proxy with a smaller limit, and by the app, whose memory is full."""
    large = tmp_path / "large.run"
    large.write_bytes(bytes(MEMORY * 6 // 10))
    narrow = copy.copy(open_to_all)
    narrow.port = free_port()
    narrow.begin(tmp_path, most="1m")
    try:
        for site, why in ((narrow, "or a proxy in front of it, accepts"), (open_to_all, "of the 20 MB for uploads")):
            page = opened(own=True)
            visit(page, site, "data")
            page.locator("[class*=st-key-upload-any] input[type=file]").set_input_files(large)
            refused = page.locator("[class*=st-key-upload-any] [role=alert]#not-received")
            expect(refused).to_contain_text(why)
            expect(refused).to_contain_text("large.run")
            page.get_by_role("button", name="Remove large.run").click()
            expect(refused).to_have_count(0)
    finally:
        narrow.proxy.terminate()
        narrow.proxy.wait(20)


@pytest.mark.parametrize(
    ("method", "path", "length"),
    [("PUT", "_stcore/upload_file/a/b", 1_100_000_000), ("PUT", "", 100_000), ("POST", "_stcore/health", 100_000)],
)
def test_too_large_bodies_are_refused_by_the_proxy(asks_for_login, method, path, length):
    status, headers, _ = asks_for_login.send(method, path, {"Content-Length": str(length)})
    assert (status, headers["Server"].split("/")[0]) == (413, "nginx")


def test_whoever_opens_too_many_visits_is_refused_and_others_are_not(open_to_all):
    burst = [open_to_all.get("_stcore/stream", address="127.0.0.9")[0] for _ in range(200)]
    assert 429 not in burst[:100]  # fifty browsers, twice
    assert burst.count(429) > 20
    assert open_to_all.get("_stcore/stream")[0] != 429
    assert open_to_all.get("_stcore/health", address="127.0.0.9")[0] == 200


def test_metrics_are_read_on_the_machine_and_not_through_the_proxy(open_to_all):
    assert open_to_all.get("_stcore/metrics")[0] == 404
    with urllib.request.urlopen(open_to_all.app.url("_stcore/metrics"), timeout=20) as answer:
        assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
        assert "active_sessions" in answer.read().decode()
