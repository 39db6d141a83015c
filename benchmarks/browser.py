"""What a visitor waits for in the browser: python benchmarks/browser.py --help

Starts the app, opens each page in Chromium as a visitor who has the app open already, and makes one choice after the
other: the next option of every picker, then the one before again. Of each: milliseconds until the page stands still;
until the last byte from the server; the processor's time of page and server; bytes; and what the page is made of.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from serving import Server, given  # noqa: E402

from ui.layout.menu import PAGES  # noqa: E402

BROWSERS = "chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
STILL = 600  # ms in which nothing moves
CONTROLS = {  # what is found in the page, and how the next option is chosen
    "[data-testid=stSelectbox] input": "pick",
    "[data-testid=stMultiSelect] input": "pick",
    "[data-testid=stButtonGroup] button:nth-of-type(2)": "press",
    "[data-testid=stCheckbox] label": "press",
    "[role=tab]:nth-of-type(2)": "press",
}


class Visitor:
    """A tab of a browser, and what arrives in it."""

    def __init__(self, chromium, server, study):
        self.server, self.study = server, study
        self.context = chromium.new_context(viewport={"width": 1440, "height": 900})
        self.page = self.context.new_page()
        self.page.add_init_script(path=Path(__file__).with_suffix(".js"))
        self.tools = self.context.new_cdp_session(self.page)
        self.tools.send("Network.enable")
        self.tools.send("Performance.enable", {"timeDomain": "threadTicks"})  # what others work is not counted
        self.frames, self.loading = [], set()
        self.tools.on("Network.webSocketFrameReceived", self._frame)
        self.tools.on("Network.requestWillBeSent", lambda event: self.loading.add(event["requestId"]))
        for end in ("loadingFinished", "loadingFailed"):
            self.tools.on(f"Network.{end}", lambda event: self.loading.discard(event["requestId"]))

    def _frame(self, event):
        self.frames.append((time.perf_counter(), 3 * len(event["response"]["payloadData"]) // 4))

    def _metrics(self):
        found = {one["name"]: one["value"] for one in self.tools.send("Performance.getMetrics")["metrics"]}
        return {name: 1000 * found[name] for name in ("TaskDuration", "ScriptDuration")}

    def _still(self):
        """Wait until the script has run, all is loaded, and nothing moves any more."""
        rests = f"noted.changed && performance.now() - Math.max(noted.changed, noted.asked) > {STILL}"
        ended = "document.querySelector('[data-test-script-state=notRunning]')"
        for _ in range(30):
            self.page.wait_for_function(f"() => {ended} && {rests}", timeout=300_000, polling=100)
            if not self.loading:
                break
            self.page.wait_for_timeout(STILL)

    def open(self, path):
        self.page.goto(f"{self.server.url}/{path}")
        self.page.wait_for_selector("h1", timeout=120_000)
        self._still()

    def go(self, page):
        """What it costs to open a page by the menu."""
        link = self.page.locator(".st-key-menu").get_by_role("link", name=page.name, exact=True)
        return self.timed(link.click, page.question[:20])

    def timed(self, act, heading=""):
        """What an act costs until the page stands still. heading : how the page begins that it opens"""
        self.page.evaluate("heading => noted.begin(heading)", heading)
        offset = time.perf_counter() - self.page.evaluate("performance.now()") / 1000
        self.frames.clear()
        before, busy = self._metrics(), self.server.busy()
        act()
        self.page.wait_for_timeout(200)
        self._still()
        after, noted = self._metrics(), self.page.evaluate("({...noted, begin: 0})")
        asked = noted["asked"]
        last = max((1000 * (at - offset) for at, _ in self.frames), default=asked)
        return {
            "picture": noted["picture"] - asked if noted["picture"] > asked else None,
            "done": noted["changed"] - asked,
            "server": last - asked,
            "page": after["TaskDuration"] - before["TaskDuration"],
            "script": after["ScriptDuration"] - before["ScriptDuration"],
            "busy": 1000 * (self.server.busy() - busy),
            "bytes": sum(size for _, size in self.frames),
            "nodes": self.page.evaluate("document.querySelectorAll('*').length"),
        }


def choices(visitor):
    """Every control of the page that is in sight: (its name, a function that chooses the next option, one that goes
    back)."""
    main = visitor.page.locator("[data-testid=stMain]")
    for selector, how in CONTROLS.items():
        for place in range(main.locator(selector).count()):
            one = main.locator(selector).nth(place)
            if not one.is_visible() or not one.is_enabled():
                continue
            name = (one.get_attribute("aria-label") or one.inner_text()).split("\n")[0]
            yield name, *((step(visitor, one, key) if how == "pick" else one.click) for key in ("ArrowDown", "ArrowUp"))


def step(visitor, box, key):
    def act():
        box.click()
        visitor.page.wait_for_timeout(400)  # the list opens
        box.press(key)
        visitor.page.wait_for_timeout(50)
        box.press("Enter")

    return act


def look_through(visitor, page, visits):
    """Open a page as one who has the app and the study open, twice, and make every choice: pairs of what, and what it
    costs."""
    visitor.open(f"methods?study={visitor.study}")
    if page.name != "Report":
        visitor.go(PAGES["pages/report.py"])  # opens the study
    yield "first visit", visitor.go(page)
    if visits:
        return
    visitor.go(PAGES["pages/methods.py"])
    yield "visited again", visitor.go(page)
    for name, on, back in list(choices(visitor)):
        yield name, visitor.timed(on)
        yield f"{name}, back", visitor.timed(back)


def rounds(chromium, args, asked):
    """Every page in every round, each on a server of its own: {page: {what: [costs]}}."""
    found = {}
    for _ in range(args.rounds):
        with (
            tempfile.TemporaryDirectory() as scratch,
            Server(asked, scratch, root=args.root, port=args.port) as server,
        ):
            for page in PAGES.values():
                if page.name in args.pages if args.pages else page.asks_study:
                    visitor = Visitor(chromium, server, args.study)
                    for what, costs in look_through(visitor, page, args.visits):
                        found.setdefault(page.name, {}).setdefault(what, []).append(costs)
                    visitor.context.close()
    return found


COLUMNS = {
    "picture": "first picture",
    "done": "page stands still",
    "server": "last byte",
    "page": "page's processor",
    "script": "of it scripts",
    "busy": "server's processor",
    "bytes": "kB",
    "nodes": "nodes",
}


def table(found):
    """The medians as a Markdown table; times in ms."""
    lines = ["| page | what | " + " | ".join(COLUMNS.values()) + " |", "| --- " * (2 + len(COLUMNS)) + "|"]
    for page, acts in found.items():
        for what, costs in acts.items():
            cells = []
            for column in COLUMNS:
                there = [cost[column] for cost in costs if cost[column] is not None]
                value = median(there) / (1000 if column == "bytes" else 1) if there else None
                cells.append("" if value is None else f"{value:,.0f}")
            lines.append(f"| {page} | {what} | {' | '.join(cells)} |")
    return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    data = os.environ.get("POOLSCOPE_DATA")
    parser.add_argument("--track", type=Path, default=data and Path(data) / "trec-covid-r1", metavar="DIR",
                        help="a folder with runs/ and qrels.txt; trec-covid-r1 of POOLSCOPE_DATA")  # fmt: skip
    parser.add_argument("--study", default="folder", help="folder, or the name of a sample: web")
    parser.add_argument("--pages", nargs="+", metavar="NAME", help="as the menu calls them; all that ask a study")
    parser.add_argument("--visits", action="store_true", help="first visits alone, no choices")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="another version of Poolscope")
    parser.add_argument("--port", type=int)
    parser.add_argument("--json", type=Path, metavar="FILE", help="every measurement as JSON")
    return parser.parse_args()


def main():
    from playwright.sync_api import sync_playwright

    args = arguments()
    asked = given(args.track) if args.study == "folder" else []
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser, args=FLAGS)
        found = rounds(chromium, args, asked)
        chromium.close()
    print(table(found))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
