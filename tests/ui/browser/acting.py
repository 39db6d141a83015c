"""Act on a page of the app, and wait until it has answered; never for a time.

The app marks each run of its script (ui/session/runs.py), and each picture whether it is drawn (plotly_component.js).
"""

import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

ROOT = Path(__file__).parents[3]
WEB = ROOT / "sample_data" / "web"
TIMEOUT = 90_000  # milliseconds; nothing waits as long, unless the machine does something else
expect = playwright.expect
expect.set_options(timeout=TIMEOUT)


def free_port():
    """A port that nobody listens on, below those that the system takes for outgoing connections."""
    while True:
        with socket.socket() as free, suppress(OSError):
            free.bind(("localhost", random.randrange(10_000, 32_000)))
            return free.getsockname()[1]


class Server:
    """The app on a port of its own."""

    app = "app.py"
    streamlit = ("-m", "streamlit")

    def __init__(self, folder, *told, port=None):
        self.port = port or free_port()
        command = [sys.executable, *self.streamlit, "run", self.app, "--server.headless=true"]
        command += ["--server.port", str(self.port), *told]
        self.log = open(folder / "server.log", "wb")  # noqa: SIM115
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=self.log, stderr=self.log)
        self.wait()

    def wait(self):
        for _ in range(1200):
            try:
                with urllib.request.urlopen(self.url("_stcore/health"), timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the app did not start in two minutes")

    def url(self, path=""):
        return f"http://localhost:{self.port}/{path}"

    def stop(self):
        """End the server. One that waits for a connection to close, such as one that a browser made in advance just
        before, is asked a second time."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(20)
        self.log.close()


RUNS = """() => Math.max(0, ...[...document.querySelectorAll("[data-begun], [data-ended]")]
  .map((one) => Number(one.dataset.begun ?? one.dataset.ended)))"""

# Whether, in three frames one after the other, a run later than this one has ended and no other has begun, nothing is
# of an earlier run, every picture in sight is drawn, and no part moves; `missing` says what is not so.
FINISHED = """(after) => {
  const all = (what) => [...document.querySelectorAll(what)]
  const last = (name) => Math.max(0, ...all(`[data-${name}]`).map((one) => Number(one.dataset[name])))
  const inSight = (one) => {
    const box = one.getBoundingClientRect()
    return box.width && box.height && box.bottom > 0 && box.top < innerHeight && one.checkVisibility()
  }
  // a section opens within half a second, and what is below it moves down
  const moves = (one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime)
  const late = all("[data-wanted]").filter((one) => one.dataset.drawn !== one.dataset.wanted && inSight(one))
  const unread = "[data-testid=stSkeleton], .plot:not([data-wanted])" // parts whose own script has not come
  const state = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState
  window.missing = last("ended") <= after || last("ended") < last("begun") ? "a later run has not ended" :
    state !== "notRunning" ? state : document.querySelector("[data-stale=true]") ? "something is of an earlier run" :
    document.querySelector(unread) ? "a part's script has not run" :
    late.length ? `${late.length} pictures are not drawn` : document.getAnimations().some(moves) ? "a part moves" : ""
  window.frames = window.missing ? 0 : (window.frames ?? 0) + 1
  return window.frames >= 3
}"""


def runs(page):
    """The number of the last run of the script that the page knows of."""
    return page.evaluate(RUNS)


def finished(page, after=0):
    """Wait until a run later than `after` has ended, and the page shows what it drew."""
    page.evaluate("window.frames = 0")
    try:
        page.wait_for_function(FINISHED, arg=after, timeout=TIMEOUT)
    except playwright.TimeoutError:
        pytest.fail(f"{page.url} is not finished: {page.evaluate('window.missing')}, after run {after}")


def act(page, what, *, runs_script=True):
    """Act on a finished page, and wait until it has answered. -> what the action returns

    what : a function without arguments; runs_script : False for an action that stays in the browser
    """
    finished(page)
    before = runs(page)
    given = what()
    finished(page, before if runs_script else 0)
    return given


SCROLLED = """() => { const { scrollTop, scrollHeight, clientHeight } = document.querySelector("[data-testid=stMain]")
  return { scrollTop, scrollHeight, clientHeight, frames: window.frames, missing: window.missing } }"""


def until(condition, page=None):
    """Wait until a condition is true; what the page scrolls or measures comes by itself. page : says where it is"""
    for _ in range(TIMEOUT // 100):
        try:
            if condition():
                return
        except playwright.Error:  # what it looks at is being drawn
            pass
        time.sleep(0.1)
    assert condition(), page.evaluate(SCROLLED) if page else ""


def visit(page, server, path=""):
    """Open an address, and wait for its page."""
    page.goto(server.url(path))
    finished(page)


def go(page, name):
    """Choose another page in the menu."""
    act(page, page.get_by_role("link", name=name, exact=True).first.click)


def press(page, *keys):
    """Press keys, each of which runs the script."""
    for key in keys:
        act(page, lambda key=key: page.keyboard.press(key))


PARTS = {"Metric": "metric", "Judgments": "depth", "System A": "system", "System B": "rival", "Left out": "by",
         "Find and pin systems": "pin"}  # fmt: skip


def part(page, key):
    """What a part of the line of choices says."""
    return page.locator(f".st-key-part-{key} button p")


def open_part(page, key):
    """Open the picker of a part of the line of choices, which gets the focus. -> its control"""
    act(page, page.locator(f".st-key-part-{key} button").click, runs_script=False)
    control = page.locator("[data-testid=stPopoverBody] input:focus")
    control.wait_for()
    return control


def choose(page, label, downs):
    """Another option of a picker, so many below the one that is chosen."""
    if label in PARTS:
        box = open_part(page, PARTS[label])
        if box.get_attribute("type") == "radio":
            press(page, *["ArrowDown"] * downs)
            act(page, lambda: page.keyboard.press("Enter"), runs_script=False)
            return
        page.get_by_role("option").first.wait_for()
    else:
        box = page.get_by_role("combobox", name=label)
        open_list(page, box)
    for _ in range(downs):
        box.press("ArrowDown")
    act(page, lambda: box.press("Enter"))


def open_list(page, box):
    """Open the list of a picker, and wait for its options."""
    box.scroll_into_view_if_needed()
    finished(page)  # which closes a list that opens while it scrolls
    box.click()
    page.get_by_role("option").first.wait_for()


def open_fold(page, title):
    """Open a collapsed section of the page, which is drawn then."""
    act(page, page.locator("summary", has_text=title).first.click)


def upload(page, role, files):
    """Give files to an uploader."""
    box = page.locator(f"[class*=st-key-upload-{role}] input[type=file]")
    if not box.count():
        act(page, page.get_by_text("loading one by one").click, runs_script=False)
    act(page, lambda: box.first.set_input_files(files))


def saved(page, button, folder):
    """The file that a button gives, in a folder."""
    with page.expect_download() as download:
        button.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def finds(page, text, finding="the-finding"):
    """Wait until what a page found says so: a string, or a pattern."""
    expect(page.locator(f"[class*=st-key-{finding}]", has_text=text).first).to_be_visible()


def tiles(page, **numbers):
    """Wait until the page shows these numbers, by the labels of their tiles; those of details once these are open."""
    for label, number in numbers.items():
        tile = page.locator("[data-testid=stMetric]", has=page.get_by_text(label, exact=True))
        shown = tile.get_by_text(number, exact=True).first
        shown.wait_for(state="attached", timeout=TIMEOUT)  # the answer to what was done last: its details are closed
        details = page.locator("[class*=st-key-details-] details:not([open]) > summary")
        if details.count() and not shown.is_visible():
            act(page, details.first.click, runs_script=False)
        expect(shown).to_be_visible()


def in_address(page, part):
    """Wait until the address has this part."""
    page.wait_for_url(re.compile(re.escape(part)), timeout=TIMEOUT)


def box(locator):
    """Where something is drawn: its left, top, right and lower edge."""
    at = locator.bounding_box()
    return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]
