"""A server and a browser for the tests of this folder, which need Chromium: they are skipped without it, unless
POOLSCOPE_BROWSER=required."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.ui.browser.acting import TIMEOUT, Server, playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--process-per-site",  # a page has the scripts that another has read
    "--font-render-hinting=none",  # text as wide as on a screen of many pixels
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The first has no window and draws the same pages with three quarters of the work.
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
REQUIRED = os.environ.get("POOLSCOPE_BROWSER") == "required"


def pytest_collection_modifyitems(items):
    """All tests of this folder are browser tests."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM and not REQUIRED:
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The app, for all tests of a worker; each has a visit of its own."""
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def chromium():
    """The browser; of a module, as tests of other modules use event loops of their own."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def shared(chromium):
    """A context whose pages have what others loaded, such as the scripts."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def opened(chromium, shared):
    """Opens pages, each a visit of its own, which end with the test. What goes wrong in them, and whom they call, must
    be empty at its end: `page.errors`, `page.outside`. own : whether in a context of its own"""
    pages, own_contexts = [], []

    def opens(width=1440, height=900, *, own=False, color_scheme=None, **more):
        context = shared
        if own or more:
            own_contexts.append(context := chromium.new_context(**more))
        page = watched(context.new_page())
        page.set_viewport_size({"width": width, "height": height})
        # where Streamlit keeps that the menu of a phone is closed; a page without an address has none
        page.add_init_script("try { localStorage.clear() } catch {}")
        if color_scheme:
            page.emulate_media(color_scheme=color_scheme)
        pages.append(page)
        return page

    yield opens
    for page in pages:
        page.close()
    for context in own_contexts:
        context.close()
    shared.clear_cookies()  # with which uploads come back
    assert not [error for page in pages for error in page.errors]
    assert not [url for page in pages for url in page.outside]


def watched(page):
    """A page that notes what goes wrong in it and whom it calls."""
    page.set_default_timeout(TIMEOUT)
    page.errors, page.outside = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("dialog", lambda dialog: (page.errors.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: page.outside.append(request.url) if is_outside(request.url) else None)
    return page


def is_outside(url):
    """Whether an address is of another machine."""
    return not re.match(r"(https?|wss?)://localhost[:/]|data:|blob:", url)


@pytest.fixture
def page(opened):
    """An empty page on a large screen."""
    return opened()
