"""The app in a real browser: what only a browser shows. Skipped without Chromium, unless POOLSCOPE_BROWSER=required."""

import csv
import io
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from functools import partial
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest

import evalcore
from tests.small import small_study
from tests.ui.test_export import HOSTILE_NAMES
from ui.layout.menu import PAGES as MENU
from ui.report import report
from ui.text.escape import text
from ui.tours.tours import TOURS
from ui.views import VIEWS

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

ROOT = Path(__file__).parents[2]
PAGES = [page.name for page in MENU.values()]
WEB = ROOT / "sample_data" / "web"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
REQUIRED = os.environ.get("POOLSCOPE_BROWSER") == "required"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM and not REQUIRED, reason="no Chromium on this machine"),
]


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
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
        for _ in range(600):
            try:
                with urllib.request.urlopen(self.url("_stcore/health"), timeout=5) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the app did not start in 60 seconds")

    def url(self, path=""):
        return f"http://localhost:{self.port}/{path}"

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """An empty page that notes what goes wrong in it and whom it calls."""
    opened = chromium.new_page(viewport={"width": 1440, "height": 900})
    opened.errors, opened.outside = [], []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.on("dialog", lambda dialog: (opened.errors.append(dialog.message), dialog.dismiss()))
    opened.on("request", lambda request: opened.outside.append(request.url) if is_outside(request.url) else None)
    yield opened
    opened.close()


def is_outside(url):
    return not re.match(r"(https?|wss?)://localhost[:/]|data:|blob:", url)


# Whether the script has not run for .6 s without a break, and nothing on the page is of an earlier run.
QUIET = """() => {
  const app = document.querySelector("[data-testid=stApp]")
  const runs = app?.dataset.testScriptState !== "notRunning" || document.querySelector("[data-stale=true]")
  if (runs) delete window.quiet
  else window.quiet ??= performance.now()
  return performance.now() - window.quiet >= 600
}"""


def settle(page):
    """Wait until the script has run and the page stands still."""
    page.wait_for_selector("h1")
    page.evaluate("delete window.quiet")
    page.wait_for_function(QUIET, polling=50, timeout=60_000)


def finds(page, text, finding="the-finding"):
    """Wait until what a page found says so: a string, or a pattern."""
    page.locator(f"[class*=st-key-{finding}]", has_text=text).first.wait_for(timeout=60_000)


def tiles(page, **numbers):
    """Wait until the page shows these numbers, by the labels of their tiles."""
    for label, number in numbers.items():
        tile = page.locator("[data-testid=stMetric]", has=page.get_by_text(label, exact=True))
        tile.get_by_text(number, exact=True).wait_for(timeout=60_000)


def visit(page, server, path=""):
    page.goto(server.url(path))
    settle(page)


def go(page, name):
    page.get_by_role("link", name=name, exact=True).first.click()
    page.wait_for_timeout(400)
    settle(page)


def upload(page, role, files):
    box = page.locator(f"[class*=st-key-upload-{role}] input[type=file]")
    if not box.count():
        page.get_by_text("Load files one by one").click()
    box.set_input_files(files)
    page.wait_for_timeout(600)
    settle(page)


def saved(page, button, folder):
    """The file that a button gives, in a folder."""
    with page.expect_download() as download:
        button.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_from_files_to_a_table_and_back(page, server, tmp_path):
    files = [*sorted((WEB / "runs").iterdir())[:2], WEB / "qrels.txt"]
    for file in files:
        shutil.copy(file, tmp_path)
    visit(page, server, "data")
    upload(page, "runs", files[:2])
    upload(page, "qrels", files[2:])
    tiles(page, Systems="2")

    go(page, "Pool depth")
    finding, slider = page.locator(".finding"), page.locator("input.slider")
    page.wait_for_selector(".finding")
    before = finding.inner_text()
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(800)
    settle(page)
    assert finding.inner_text() != before
    assert "at depth 2" in finding.inner_text()
    assert "depth=2" in page.url
    assert page.locator(".stage").inner_text() == "2"

    page.get_by_text("Every system · at depth 2").click()
    settle(page)
    table = saved(page, page.locator("[class*=st-key-leaderboard-csv] button").first, tmp_path)
    script = saved(page, page.locator("[class*=st-key-leaderboard-script] button").first, tmp_path)
    again = subprocess.run(
        [sys.executable, script, tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    shown = list(csv.reader(io.StringIO(table.read_text("utf-8"))))
    assert shown == list(csv.reader(io.StringIO(again.stdout)))
    assert len(shown) == 3
    assert not page.errors
    assert not page.outside


def test_a_reload_finds_the_files_and_what_the_report_gathered(chromium, server):
    context = chromium.new_context()
    page = context.new_page()
    visit(page, server, "data")
    upload(page, "any", [*sorted((WEB / "runs").iterdir())[:2], WEB / "qrels.txt"])
    page.get_by_text("Loaded files (3)").wait_for()
    page.reload()
    page.get_by_text("Loaded files (3)").wait_for()
    assert "poolscope_visit" not in page.evaluate("document.cookie")
    go(page, "Report")
    finds(page, "pages visited: Data", "the-finding")
    context.close()
    other = chromium.new_context()
    visit(stranger := other.new_page(), server, "data?study=files")
    assert not stranger.get_by_text("Loaded files (").count()
    other.close()


FOUND = "[class*=st-key-the-finding]"


def test_an_upload_is_shared_with_a_link_until_its_owner_stops_and_outlives_a_restart(chromium, tmp_path, monkeypatch):
    monkeypatch.setenv("POOLSCOPE_STUDIES", str(tmp_path))
    monkeypatch.setenv("POOLSCOPE_SHARE", "7")
    monkeypatch.setenv("POOLSCOPE_KEEP", "1")
    shared_from = Server(tmp_path)
    owner, other = chromium.new_context(), chromium.new_context()
    try:
        visit(mine := owner.new_page(), shared_from, "data")
        upload(mine, "any", [*sorted((WEB / "runs").iterdir())[:3], WEB / "qrels.txt"])
        go(mine, "Scores")
        tiles(mine, Systems="3")
        answer = mine.locator(FOUND).first.inner_text()
        mine.get_by_role("button", name="Share with a link").click()
        mine.get_by_role("button", name="Create a link").click()
        link = mine.get_by_text("?study=shared-").inner_text()
        visit(theirs := other.new_page(), shared_from, link.split("/", 3)[3])
        tiles(theirs, Systems="3")
        assert theirs.locator(FOUND).first.inner_text() == answer
        assert not theirs.get_by_role("button", name="Share with a link").count()
        assert len([*(tmp_path / "visitors").glob("[0-9a-f]*")]) == 2  # what is shared, what is kept

        shared_from.stop()
        shared_from = Server(tmp_path, port=shared_from.port)
        theirs.goto(link)
        tiles(theirs, Systems="3")
        mine.goto(shared_from.url("scores?study=files"))
        tiles(mine, Systems="3")
        assert mine.locator(FOUND).first.inner_text() == answer

        mine.get_by_role("button", name="Share with a link").click()
        mine.get_by_role("button", name="Stop sharing").click()
        mine.get_by_text("?study=shared-").wait_for(state="detached")
        theirs.goto(link)
        theirs.get_by_text("This link has ended, or whoever shared the study stopped sharing it").wait_for()
        assert not theirs.locator(FOUND).count()
    finally:
        owner.close()
        other.close()
        shared_from.stop()


def test_three_clicks_from_own_tables_to_an_interval(page, server):
    example = ROOT / "sample_data" / "example"
    visit(page, server)
    if page.locator("h1").inner_text() != "Is my data ready, and what is missing?":
        go(page, "Data")  # the first click, where another page comes first
    uploader = page.locator("[class*=st-key-upload-any]")
    uploader.get_by_role("button", name="Upload", exact=True).wait_for()
    uploader.locator("input[type=file]").set_input_files([example / "runs.csv", example / "judgments.csv"])
    tiles(page, Systems="2", Topics="2", Judgments="6")
    page.get_by_role("link", name="See how good each system is").click()
    page.get_by_role("heading", name="How good is each system, and how sure are we?").wait_for()
    finds(page, re.compile("(first|second) leads on "))
    assert not page.errors


# How far below the uploader the progress of reading is first shown; it may be gone when the next line of a test runs.
WATCHED = """() => new MutationObserver(() => {
  const said = [...document.querySelectorAll("[data-testid=stProgress]")].find((one) => one.innerText.includes("Reading many_runs.xlsx"))
  const above = document.querySelector("[class*=st-key-upload-any]")
  if (said && above) window.below ??= said.getBoundingClientRect().top - above.getBoundingClientRect().bottom || 0.1
}).observe(document.body, { childList: true, subtree: true, characterData: true })"""  # noqa: E501


def test_what_a_large_workbook_holds_is_looked_at_in_sight(page, server, tmp_path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["system", "topic", "document", "score"])
    for row in range(120_000):
        sheet.append(["**A**", row // 100, f"d{row % 100}", 100 - row % 100])
    book.save(tmp_path / "many_runs.xlsx")
    visit(page, server, "data?study=web")
    uploader = page.locator("[class*=st-key-upload-any]")
    uploader.get_by_role("button", name="Upload", exact=True).wait_for()
    page.evaluate(WATCHED)
    uploader.locator("input[type=file]").set_input_files([tmp_path / "many_runs.xlsx"])
    below = page.wait_for_function("() => window.below", timeout=60_000).json_value()
    assert 0 <= below < 60  # where the visitor looks
    page.get_by_text("To open your own track, also load its judgments.").wait_for(timeout=60_000)
    assert not page.errors


def test_uploads_that_overlap_all_arrive(page, server, tmp_path):
    """Two large runs on a slow line, and the judgments chosen before these have arrived."""
    lines = [f"{t} Q0 d{d} {d} {9000 - d} TAG\n" for t in range(1, 11) for d in range(1, 4001)]
    for name in ("A", "B"):
        (tmp_path / f"{name}.run").write_text("".join(lines).replace("TAG", name))
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 d{d} {d % 2}\n" for t in range(1, 11) for d in range(1, 9)))
    visit(page, server, "data")
    page.get_by_text("Load files one by one").click()
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    line = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 400_000}
    slow.send("Network.emulateNetworkConditions", line)
    for role, files in (("runs", sorted(tmp_path.glob("*.run"))), ("qrels", [tmp_path / "qrels.txt"])):
        page.locator(f"[class*=st-key-upload-{role}] input[type=file]").set_input_files(files)
        page.wait_for_timeout(300)
    tiles(page, Systems="2", Topics="10", Judgments="80")
    assert not page.errors


def test_a_deep_link_on_a_fresh_server(page, tmp_path):
    fresh = Server(tmp_path)
    try:
        visit(page, fresh, "pool_depth?study=web&depth=5&metric=P%4010")
        page.wait_for_selector(".finding")
        assert "Judging to depth 5 " in page.locator(".finding").inner_text()
        assert page.locator(".stage").inner_text() == "5"
        assert page.locator(".dot-name").text_content() == "score · P@10"
        assert page.get_by_role("link", name="Scores", exact=True).count()
    finally:
        fresh.stop()


def test_the_picture_follows_the_slider_before_it_is_let_go(page, server):
    visit(page, server, "pool_depth?depth=10")
    page.wait_for_selector(".finding")
    three = round(950 * math.log(3) / math.log(20))  # the slider is logarithmic, down to a pool of 20
    move = "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')) }"
    page.locator("input.slider").evaluate(move, three)
    page.wait_for_timeout(200)
    assert "Judging to depth 3 " in page.locator(".finding").inner_text()
    assert "depth=10" in page.url
    assert page.locator(".row").count() == page.locator(".row .dot").count() > 10


def test_the_live_picture_names_and_outlines_pinned_systems_and_leaves_out_hidden_ones(page, server):
    visit(page, server, "pool_depth?study=web&depth=10&most=10&pin=indigo-dense&hide=lumen-prf")
    page.wait_for_selector(".finding")
    names = [one for one in page.locator(".row .name").all_text_contents() if one]
    assert [name.split("  ")[1] for name in names if "①" in name] == ["① indigo-dense"]
    assert page.locator(".row .pin").count() == 1
    drawn = page.locator(".row:visible")
    assert drawn.count() == 10
    assert not any("lumen-prf" in name for name in drawn.locator(".name").all_text_contents())


def test_the_live_picture_shows_who_could_still_be_first(page, server):
    """Of the six, none of which is among the ten with the highest scores, the five that come first."""
    visit(page, server, "pool_depth?study=web&depth=10&most=10")
    page.wait_for_selector(".finding")
    assert "6 other systems could still be first" in page.locator(".finding").inner_text()
    ranks = [int(name.split()[0]) for name in page.locator(".row:visible .name").all_text_contents()]
    assert len(ranks) == 10
    assert sum(rank > 10 for rank in ranks) >= 3


def test_play_reaches_the_end_and_tells_the_page(page, server):
    visit(page, server, "pool_depth?study=web&depth=1")
    page.wait_for_selector(".play")
    page.locator(".play").click()
    page.wait_for_url("**depth=all*", timeout=30_000)
    settle(page)
    assert page.locator(".stage").inner_text() == "all"
    page.get_by_text("Every system · with all judgments").wait_for()


def test_a_second_move_of_the_slider_counts_before_the_address_of_the_first_has_come(page, server):
    held, slow = [], False

    def hold_back(line):
        server_side = line.connect_to_server()
        server_side.on_message(lambda told: held.append((line, told)) if slow else line.send(told))

    page.route_web_socket(lambda url: "_stcore/stream" in url, hold_back)
    visit(page, server, "pool_depth?study=web&depth=10")
    page.wait_for_selector(".row")
    page.get_by_text("Where to go next").wait_for()
    settle(page)
    page.locator("input.slider").focus()
    slow = True
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
        page.wait_for_timeout(1500)
    assert "depth=10" in page.url
    slow = False
    for line, told in held:
        line.send(told)
    page.wait_for_url("**depth=2*")
    settle(page)
    assert page.locator(".stage").inner_text() == "2"
    assert not page.errors


def test_the_truth_is_marked_while_the_depth_moves(page, server):
    visit(page, server, "pool_depth?study=web&depth=1")
    page.wait_for_selector(".row")
    assert page.locator("rect.truth").count() == page.locator(".legend .truth:visible").count() == 0
    page.locator(".st-key-truth").get_by_text("Compare with complete judgments").click()
    page.wait_for_selector("rect.truth")
    settle(page)
    assert page.locator("rect.truth").count() == page.locator(".row").count()
    assert page.locator(".legend .truth").inner_text() == "with complete judgments"
    shallow = page.locator(".truth-said").inner_text()
    assert "system pairs are swapped" in shallow
    page.locator("input.slider").focus()
    page.keyboard.press("End")
    page.wait_for_timeout(400)
    assert page.locator(".truth-said").inner_text() != shallow
    assert "truth=true" in page.url


def test_the_live_picture_is_saved_as_svg(chromium, server, tmp_path):
    """With its legend, title, depth and study; in the dark the same file as in the light."""
    drawings = []
    for scheme in ("light", "dark"):
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
        visit(page, server, "pool_depth?study=web&depth=7")
        page.wait_for_selector(".save")
        page.wait_for_timeout(500)
        drawings.append(saved(page, page.locator(".save"), tmp_path).read_text("utf-8"))
        page.close()
    drawing = drawings[0]
    assert drawing == drawings[1]
    texts = [
        "".join(node.itertext()) for node in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert texts[0] == "Sample: web · RBP(p=0.8) · pool depth 7"
    assert "Judging to depth 7 " in texts[1]
    legend = {"known", "if unjudged are relevant", "did not contribute to the pool", "score · RBP(p=0.8)"}
    assert legend <= set(texts)
    assert not {"with all judgments", "change since the shallowest pool"} & set(texts)
    assert "var(" not in drawing
    assert "color(" not in drawing
    assert "#12171D" not in drawing


def test_a_report_needs_nobody(chromium, server, tmp_path):
    """One file: offline, under its own content policy, in light and in dark, on a wide and on a narrow screen."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    visit(page, server, "pool_depth?study=web&depth=7")
    page.wait_for_selector(".finding")
    go(page, "Scores")
    go(page, "Report")
    page.get_by_text("Add your own notes").click()
    page.get_by_label("On Scores").fill("Mine <b>own</b> </script>")
    page.keyboard.press("Control+Enter")
    settle(page)
    report = saved(page, page.get_by_role("button", name="Download report"), tmp_path)
    everything = saved(page, page.get_by_role("button", name="Download everything"), tmp_path)
    names = zipfile.ZipFile(everything).namelist()
    assert {"report.html", "references.bib", "README.txt", "Scores/01_leaderboard_RBP_p=0.8.tex"} <= set(names)
    page.close()
    for scheme, width in (("light", 1440), ("dark", 390)):
        opened = chromium.new_context(offline=True, color_scheme=scheme, viewport={"width": width, "height": 900})
        page, said, asked = opened.new_page(), [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(report.as_uri())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_timeout(1500)
        assert page.locator(".js-plotly-plot .main-svg").count() >= page.locator("figure").count() > 4
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator(".own").inner_text() == "Mine <b>own</b> </script>"
        assert page.locator("figure").count() == page.locator(".save").count()
        links = [link.get_attribute("href") for link in page.locator("p > a", has_text="with these choices").all()]
        assert links[0].startswith(server.url("pool_depth?"))
        assert "depth=7" in links[0]
        picture = saved(page, page.locator("figure .save").first, tmp_path)
        assert picture.name == "Pool_depth_pool.svg"
        assert {"Every depth", "judgments"} <= texts_of(picture.read_text("utf-8"))
        assert not said
        assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [report.as_uri()]
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 690, "height": 1000})  # of a sheet of paper
        wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".wide").evaluate_all(wide) == 0
        lines = """all => { const inside = new Range(), rects = (cell) => {
            inside.selectNodeContents(cell); return inside.getClientRects().length }; return all.map(rects) }"""
        assert set(page.locator("td.number").evaluate_all(lines)) <= {0, 1}
        opened.close()


def texts_of(drawing):
    """The texts of an SVG, which must be XML and cannot run anything."""
    parts = [*ElementTree.fromstring(drawing).iter()]
    assert {part.tag.partition("}")[0] for part in parts} == {"{http://www.w3.org/2000/svg"}
    assert not [part for part in parts if part.tag.endswith("script") or any(name[:2] == "on" for name in part.attrib)]
    return {"".join(part.itertext()) for part in parts if part.tag.endswith("}text")}


def test_all_pictures_of_a_report_are_saved(chromium, tmp_path):
    """Also those that were not yet scrolled to, offline, as a zip that other programs read; a name stays text."""
    runs = {name: {"t": {f"d{i}": 9.0 - i for i in range(n)}} for n, name in enumerate(HOSTILE_NAMES, 2)}
    study = small_study(runs, {"t": {"d0": 1, "d1": 0, "d2": 2}}, pooled="all")
    boards = {metric: evalcore.ask(study, "leaderboard", metric=metric) for metric in ("P@5", "RBP(p=0.8)", "AP")}
    make = VIEWS["leaderboard"].figure
    pictures = {metric: (f"{HOSTILE_NAMES[1]} 日本 {metric}", "", partial(make, boards[metric])) for metric in boards}
    note = {"findings": {"a": boards["AP"].finding}, "tables": {}, "pictures": pictures}
    body = report.report("T", [report.section_of("Scores", "How good?", note)], [], (), day="d", in_full=True)
    file = tmp_path / "report.html"
    file.write_bytes(report.report_page(body))
    opened = chromium.new_context(offline=True, viewport={"width": 390, "height": 300})
    page, errors = opened.new_page(), []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    figures = page.locator("figure")
    assert not figures.last.locator(".main-svg").count()
    packed = zipfile.ZipFile(saved(page, page.get_by_role("button", name="Save all pictures"), tmp_path))
    assert packed.testzip() is None
    assert packed.namelist() == ["01_Scores_P_5.svg", "02_Scores_RBP_p=0.8.svg", "03_Scores_AP.svg"]
    for (title, *_), name, metric in zip(pictures.values(), packed.namelist(), boards, strict=True):
        texts = texts_of(packed.read(name).decode())
        assert {title, metric} <= texts
        assert {name for name in map(text, HOSTILE_NAMES) if len(name) <= 24} <= texts
    assert not figures.last.locator(".main-svg").count()
    assert {error for error in errors if "MathJax is not loaded" not in error} == set()  # of a name between dollars
    opened.close()


def test_a_picture_of_a_page_is_saved(chromium, server, tmp_path):
    """As SVG and as PNG; in the dark the same as in the light."""
    drawings = []
    for scheme in ("light", "dark"):
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
        visit(page, server, "scores?study=web")
        plot = page.locator(".plot").first
        plot.locator(".main-svg").first.wait_for()
        plot.hover()
        drawing = saved(page, plot.locator("[data-title='Save as SVG']"), tmp_path).read_text("utf-8")
        drawings.append(re.sub(r"(clip|defs-|trace|legend)[0-9a-f]{6}", r"\1", drawing))  # random names of its parts
        picture = saved(page, plot.locator("[data-title='Save as PNG']"), tmp_path).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert int.from_bytes(picture[16:20]) == 3 * plot.evaluate("place => place.layout.width")
        page.close()
    assert drawings[0] == drawings[1]
    assert {"RBP(p=0.8)", "fjord-fusion"} <= texts_of(drawings[0])


COLUMN, PAGE_WIDE = 1004, 2008  # dots of 85 and of 170 mm at 300 per inch


@pytest.mark.parametrize(("address", "button"), [
    ("scores?study=web", "[data-title^='Copy, or save for a paper']"), ("pool_depth?study=web", ".on-paper"),
])  # fmt: skip
def test_a_figure_is_saved_for_a_paper(chromium, server, tmp_path, address, button):
    """At the width of a column, a page and a slide, always light, and copied; a PNG says that it has 300 dpi."""
    drawings = []
    for scheme in ("light", "dark"):
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        visit(page, server, address)
        if button.startswith("["):
            page.locator(".plot .main-svg").first.wait_for()
            page.locator(".plot").first.hover()

        def given(label, page=page):
            page.locator(button).first.click()
            return saved(page, page.get_by_role("button", name=label), tmp_path).read_bytes()

        for label, dots in (("PNG, a column", COLUMN), ("PNG, a page", PAGE_WIDE), ("PNG, a slide", 4000)):
            picture = given(label)
            assert picture.startswith(b"\x89PNG")
            assert abs(int.from_bytes(picture[16:20]) - dots) <= 4
            at = picture.index(b"pHYs") + 4
            assert (
                int.from_bytes(picture[at : at + 4]) == int.from_bytes(picture[at + 4 : at + 8]) == 11811
            )  # per metre
            crc = zlib.crc32(picture[at - 4 : at + 9])
            assert int.from_bytes(picture[at + 9 : at + 13]) == crc
        drawing = given("SVG, a column").decode("utf-8")
        assert abs(float(re.search(r'<svg[^>]* width="([\d.]+)"', drawing)[1]) - 85 / 25.4 * 96) <= 1
        drawings.append(re.sub(r"(clip|defs-|trace|legend)[0-9a-f]{6}", r"\1", drawing))
        page.locator(button).first.click()
        page.get_by_role("button", name="Copy as PNG").click()
        page.locator("dialog").wait_for(state="detached")
        types = page.evaluate("navigator.clipboard.read().then((all) => all[0].types)")
        assert "image/png" in types
        context.close()
    assert drawings[0] == drawings[1]


def test_a_study_is_saved_named_and_opened_again(page, server, tmp_path):
    """By the sidebar's buttons and by dropping the file on Data, in another visit; *Download everything* opens, too."""
    visit(page, server, "data")
    files = [*sorted((WEB / "runs").iterdir())[:2], WEB / "qrels.txt"]
    page.locator("input[type=file]").first.set_input_files(files)
    page.get_by_text("Your files are open").wait_for()
    settle(page)
    go(page, "Scores")
    page.wait_for_url("**/scores**")
    settle(page)
    page.get_by_role("button", name="Name", exact=True).click()
    page.get_by_role("textbox", name="Name of the data set").fill("Mine, 2026")
    page.keyboard.press("Enter")
    settle(page)
    page.keyboard.press("Escape")
    page.wait_for_function("document.title.includes('Mine, 2026')", timeout=60_000)
    study = saved(page, page.get_by_role("button", name="Save study"), tmp_path)
    assert study.name == "Mine_2026.poolscope"
    go(page, "Report")
    everything = saved(page, page.get_by_role("button", name="Download everything"), tmp_path)
    for file in (study, everything):
        other = page.context.browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
        visit(other, server, "data")
        other.locator("input[type=file]").first.set_input_files(file)
        other.get_by_text("Your files are open").wait_for()
        settle(other)
        assert not other.locator("[data-testid=stAlert]").count()
        other.wait_for_function("document.title.includes('Mine, 2026')", timeout=60_000)
        other.context.close()
    assert page.errors == []


def test_one_figure_is_shown_alone(page, server):
    """Nothing else of the page; no figure of uploaded files; and a key that no figure has is said."""
    visit(page, server, "scores?study=web")
    key = page.locator(".plot").first.evaluate(
        "plot => plot.closest('[class*=st-key-]').className.match(/st-key-([\\w-]+)/)[1]"
    )
    page.goto(server.url(f"scores?study=web&embed=1&figure={key}"))
    page.locator(".plot .main-svg").first.wait_for()
    assert page.locator(".plot:visible").count() == 1
    assert not page.locator("h1:visible, .finding:visible, [data-testid=stSidebar]:visible").count()
    page.goto(server.url("scores?study=web&embed=1&figure=nothing"))
    page.wait_for_selector("h1", state="attached")
    page.wait_for_timeout(1000)
    assert not page.locator(".plot:visible, h1:visible").count()
    page.goto(server.url(f"scores?study=files&embed=1&figure={key}"))
    page.get_by_text("A figure of uploaded files is never shown alone").wait_for()


def test_scores_of_another_program_are_compared(page, server, tmp_path):
    printed = tmp_path / "eval.txt"
    printed.write_text("map all 0.9999\nP_10 all 0.1234\nrunid all fjord-fusion\nmap all 0.1234\n")
    visit(page, server, "scores?study=web")
    page.get_by_text("Does another program, such as trec_eval").click()
    settle(page)
    page.locator("[class*=st-key-upload-theirs] input[type=file]").set_input_files(printed)
    finds(page, "of 3 printed scores", "sub-finding-score_differences")
    go(page, "Data")
    go(page, "Scores")
    page.get_by_text("Does another program, such as trec_eval").click()
    settle(page)
    assert page.get_by_text("Scores: eval.txt").is_visible()
    page.get_by_role("button", name="Remove", exact=True).click()
    settle(page)
    playwright.expect(page.get_by_text("Scores: eval.txt")).to_have_count(0, timeout=30_000)
    assert not page.errors


def test_a_row_can_be_read_by_keyboard(page, server):
    visit(page, server, "pool_depth")
    page.locator("svg.picture").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(200)
    assert "rank 2" in page.locator(".readout").inner_text()
    assert page.locator(".row.focus").count() == 1


def test_a_system_is_found_by_a_part_of_its_name(page, server):
    visit(page, server, "pool_depth")
    name = page.locator(".row .name").nth(4).text_content()
    page.locator(".find").fill(name.upper())
    page.wait_for_timeout(200)
    assert f"{name} (rank " in page.locator(".readout").inner_text()
    alike = sum(name in other for other in page.locator(".row .name").all_text_contents())
    assert page.locator(".row.aside").count() == page.locator(".row").count() - alike
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert page.locator(".row.focus .name").text_content() == name


@pytest.mark.parametrize("drawn", [".scatterlayer .trace:first-child .points path", ".barlayer .trace .point path"])
def test_a_click_on_a_row_opens_that_system(page, server, drawn):
    visit(page, server, "scores")
    marks = page.locator(f".st-key-leaderboard {drawn}")  # pictures mount in any order
    marks.nth(3).scroll_into_view_if_needed()
    box = marks.nth(3).bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**system=*", timeout=20_000)


def test_a_row_answers_over_its_whole_height_and_width(page, server):
    visit(page, server, "scores")
    plot = page.locator(".st-key-leaderboard .plot")
    plot.locator(".nsewdrag").first.scroll_into_view_if_needed()
    box = plot.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(box["x"], box["y"] + 5)
    said = []
    for far in range(40):
        page.mouse.move(box["x"] + 0.97 * box["width"], box["y"] + 50 + far)
        page.wait_for_timeout(80)
        said.append(plot.locator(".hovertext").all_text_contents())
    assert all(len(one) == 1 for one in said)  # a row of 15 pixels says the same at each of them
    assert 3 <= len({one[0] for one in said}) <= 4
    page.mouse.click(box["x"] + 0.97 * box["width"], box["y"] + 50)
    page.wait_for_url("**system=*", timeout=20_000)


def test_a_picture_is_drawn_when_it_is_seen_and_changes_in_place(page, server):
    visit(page, server, "scores?study=web&open=system&open=topic")
    plots = page.locator(".plot")
    first, below = plots.first, plots.last
    first.locator(".main-svg").first.wait_for()
    assert plots.count() == 3
    assert not below.locator(".main-svg").count()
    box = first.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 200, steps=5)
    page.mouse.up()
    moved = first.evaluate("place => place.layout.xaxis.range[0]")
    assert moved > 0
    first.locator(".main-svg").first.evaluate("drawn => { window.before = drawn }")
    title = first.locator(".xtitle").text_content()
    choose(page, "Judgments", 3)
    page.wait_for_url("**depth=3*")
    settle(page)
    assert first.locator(".xtitle").text_content() == title
    assert first.evaluate("place => place.layout.xaxis.range[0]") == moved
    choose(page, "Metric", 2)
    playwright.expect(first.locator(".xtitle")).not_to_have_text(title)
    assert first.evaluate("place => place.layout.xaxis.range[0]") == 0  # another axis begins anew
    assert first.locator(".main-svg").first.evaluate("drawn => drawn === window.before")
    scrolls = "place => ['auto', 'scroll'].includes(getComputedStyle(place.closest('.stElementContainer')).overflowY)"
    assert not first.evaluate(scrolls)  # it would hold the wheel, and cut its tools
    offered = [button.get_attribute("data-title") for button in first.locator(".modebar-btn").all()]
    assert {"Save as SVG", "Save as PNG", "Fullscreen", "Reset axes"} < set(offered)
    assert not [button for button in offered if "hare" in button or "loud" in button]  # nothing is sent to anybody
    below.scroll_into_view_if_needed()
    below.locator(".main-svg").first.wait_for()
    go(page, "Judgments")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(plot.locator(".main-svg").count() for plot in plots.all() if plot.is_visible())
    assert not page.errors


def test_all_that_is_compared_is_read_on_a_small_screen(chromium, server):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    for path, key in (("estimators", "guesses"), ("orderings", "regimes")):
        visit(page, server, f"{path}?study=web")
        inside = page.locator(f".st-key-{key} [data-testid=stMultiSelect]").bounding_box()
        chosen = page.locator(f".st-key-{key} [data-tag]")
        assert chosen.count() >= 5
        assert all(tag.bounding_box()["x"] + tag.bounding_box()["width"] < inside["x"] + inside["width"] - 40
                   for tag in chosen.all())  # fmt: skip
        assert all(tag.bounding_box()["y"] + tag.bounding_box()["height"] <= inside["y"] + inside["height"]
                   for tag in chosen.all())  # fmt: skip
    page.close()


def test_a_phone_shows_digests_whole_and_names_apart(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "report?study=web")
    page.locator("summary", has_text="41 files").click()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
    lines = "cell => { const all = new Range(); all.selectNodeContents(cell); return all.getClientRects().length }"
    assert page.get_by_role("cell", name="Consistency", exact=True).evaluate(lines) == 1  # the word whole
    visit(page, server, "data?study=web")
    plot = page.locator(".st-key-panels-judged .plot")
    plot.scroll_into_view_if_needed()
    plot.locator(".xtick text").first.wait_for()
    page.wait_for_timeout(500)
    assert plot.locator(".xtick text").count() == 10  # of 38 systems; on a wide screen 19
    page.close()


def test_the_tools_of_a_picture_cover_nothing(chromium, server):
    """Neither what it shows, nor what stands below it."""
    page = chromium.new_page(viewport={"width": 1024, "height": 1600})
    visit(page, server, "confidence?study=web")
    for place in (".st-key-panels-intervals-MD1", ".st-key-panels-intervals-MD6"):
        plot = page.locator(f"{place} .plot")
        plot.locator(".main-svg").first.wait_for()
        plot.hover(position={"x": 200, "y": 650})
        tools, drawn = plot.locator(".modebar").bounding_box(), plot.locator(".main-svg").first.bounding_box()
        below = page.locator(".st-key-fold-system_intervals").bounding_box()
        assert drawn["y"] + drawn["height"] <= tools["y"] < tools["y"] + tools["height"] <= below["y"]
        plot.locator(".modebar-btn").first.click(trial=True)  # the pointer gets there
    page.close()


def choose(page, label, downs):
    """Another option of a selectbox, so many below the one that is chosen."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    page.wait_for_timeout(500)  # the list opens
    for _ in range(downs):
        box.press("ArrowDown")
    box.press("Enter")
    page.wait_for_timeout(300)
    settle(page)


def test_back_undoes_one_choice(page, server):
    visit(page, server, "scores?study=web")
    measure, judgments = (page.get_by_role("combobox", name=name) for name in ("Metric", "Judgments"))
    first = measure.input_value()
    choose(page, "Metric", 2)
    second = measure.input_value()
    assert second != first
    before = page.evaluate("history.length")
    choose(page, "Judgments", 3)
    assert page.evaluate("history.length") == before + 1
    for undone in (second, first):
        page.go_back()
        playwright.expect(measure).to_have_value(undone, timeout=30_000)
        playwright.expect(judgments).to_have_value("all judgments", timeout=30_000)
        settle(page)


@pytest.mark.parametrize("name", MENU.values(), ids=lambda one: one.name)
def test_nothing_bars_the_way_of_those_who_cannot_see_or_point(page, server, name):
    """axe-core finds nothing serious or moderate, in the light and in the dark."""
    path = "" if name.name == "Start" else name.name.lower().replace(" ", "_")
    study = "web" if name.name == "Data" else "variations"  # there the checks warn of something
    visit(page, server, f"{path}?study={study}&open=coverage&open=letters")  # folds with sliders
    finds_nothing(page)


FOLDS = "judge_to_decide", "comparison_metrics", "against_baseline", "topics_left_out"


@pytest.mark.parametrize("present", ["", "&present=true"], ids=["read", "presented"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_nothing_bars_the_way_to_a_comparison(page, server, width, present):
    """On every width, before an audience too, with all sections and the filter of the figures open."""
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, server, f"compare?study=web&pin=lumen-prf{''.join(f'&open={fold}' for fold in FOLDS)}{present}")
    if width == 1440 and not present:
        page.get_by_text("Filter the figures").click()
        page.get_by_role("button", name="LaTeX").first.click()
    finds_nothing(page)


def finds_nothing(page):
    """That axe-core finds nothing serious or moderate on a page, in the light and in the dark."""
    axe = next(Path(pytest.importorskip("axe_playwright_python").__file__).parent.rglob("axe.min.js"))
    page.evaluate(axe.read_text("utf-8"))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(1500)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(told => told.violations)")
        bad = [one for one in found if one["impact"] != "minor"]
        said = [(one["id"], [(node["html"][:200], node["failureSummary"]) for node in one["nodes"][:3]]) for one in bad]
        assert not said, scheme


SCREENS = {  # that a page takes with its folds closed
    "Scores": 2.05, "Orderings": 3.1, "Estimators": 3.0, "Confidence": 3.1, "Compare": 3.1, "Judges": 3.5
}  # fmt: skip
MOST_SCREENS = 2.7


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_its_main_thing_on_the_first_screen(page, server, name):
    """Question, finding and numbers whole, and the picture begun; the rest is folded."""
    path = "" if name == "Start" else name.lower().replace(" ", "_")
    visit(page, server, f"{path}?study={'variations' if name == 'Consistency' else 'web'}")
    page.get_by_text("Where to go next").wait_for()
    page.wait_for_timeout(1000)
    tall = page.viewport_size["height"]
    whole = page.locator("[data-testid=stMain]").evaluate("main => main.scrollHeight")
    assert whole <= SCREENS.get(name, MOST_SCREENS) * tall
    if name not in ("Start", "Report", "Methods", "Data"):  # on Data, the checks come before the map
        assert page.locator(".plot:visible, svg.picture").first.bounding_box()["y"] < 0.75 * tall
    under = name in ("Pool depth", "Orderings")  # where they follow the slider, or are of the second picture
    numbers = [] if under else page.locator("[data-testid=stMetric]:visible").all()
    for whole in [page.locator("h1"), *page.locator("[class*=st-key-the-finding]").all(), *numbers[:4]]:
        box = whole.bounding_box()
        assert box["y"] + box["height"] < tall


def test_nothing_is_cut_beside_the_menu_of_a_small_screen(chromium, server):
    """The words of buttons, and those of pictures side by side."""
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    for path, name in (("?study=web", "Pooling in ten minutes"), ("data?study=web", "Example files")):
        visit(page, server, path)
        label = page.get_by_role("button", name=name).get_by_text(name)
        label.wait_for()
        assert label.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")
    visit(page, server, "confidence?study=web")
    first = page.locator("[class*=st-key-panels-models] .plot").first
    first.scroll_into_view_if_needed()
    title = first.locator(".xtitle")
    title.wait_for()
    inside = first.bounding_box()
    for said in [title, *first.locator(".legendtext").all()]:
        box = said.bounding_box()
        assert box["x"] >= inside["x"]
        assert box["x"] + box["width"] <= inside["x"] + inside["width"]
    page.close()


@pytest.mark.parametrize(
    "path",
    [
        "?study=web",
        "orderings?study=web&test=randomisation+bh&view=distance_per_pair",
        "fusion?study=variations&crowd=the+variations+of+cobalt-rerank&rule=reciprocal",
        "new_systems?study=web&unjudged=condensed",
    ],
)
def test_what_is_chosen_is_read_whole_on_a_small_screen(chromium, server, path):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, path)
    if path.startswith("?"):
        choose(page, "Paper", 4)  # the longest name
    page.get_by_text("Where to go next").wait_for()
    settle(page)
    shown = page.locator("[data-testid=stMain] [data-testid=stSelectbox] input:visible")
    assert shown.count()
    cut = shown.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)")
    assert [value for value in cut if " · " not in value] == []  # the words after a code are below the picker, too
    page.close()


def test_the_pages_of_the_menu_stand_apart(page, server):
    visit(page, server, "orderings?study=web")
    boxes = [link.bounding_box() for link in page.locator(".st-key-menu a").all()]
    assert len(boxes) == len(MENU)
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(boxes))
    assert min(box["height"] for box in boxes) >= 24  # what WCAG 2.2 asks of what is pointed at


@pytest.mark.parametrize("width", [390, 1024])
def test_formulas_are_read_whole_on_a_small_screen(chromium, server, width):
    page = chromium.new_page(viewport={"width": width, "height": 844})
    for chapter in ("3. Metrics", "6. Models of the unjudged documents", "8. Pairs of systems"):
        visit(page, server, f"methods?study=web&shown=defined&chapter={chapter}")
        page.get_by_text("Where to go next").wait_for()
        page.locator(".katex-display").first.wait_for()
        settle(page)
        shown = page.locator(".katex-display")
        assert shown.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length") == 0
    page.close()


def test_a_title_names_its_page(page, server):
    visit(page, server, "scores?study=web")
    assert page.title() == "Scores · Poolscope"


def test_a_step_of_a_tour_begins_at_its_top(chromium, server):
    """Wherever its button stood, and however far one had gone down."""
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, "?study=web")
    page.get_by_role("button", name="Pooling in ten minutes").click()
    for step in (1, 2, 3):
        page.get_by_text(f"step {step} of").wait_for()
        settle(page)
        assert page.locator(".st-key-tour-strip").bounding_box()["y"] >= 0
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 400)")
        page.keyboard.press("PageDown")
    page.close()


@pytest.mark.parametrize("step", [4, 6])
def test_a_step_opens_what_it_speaks_of(chromium, server, step):
    """Below its words, with the axis or the legend of the picture, however one comes to it."""
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    for start in (step, step - 1):
        visit(page, server, f"?study=web&tour=pooling&step={start}&present=true")
        if start < step:
            page.get_by_text(f"step {start} of").wait_for()
            page.keyboard.press("PageDown")
        page.get_by_text(f"step {step} of").wait_for()
        part = {4: "slopes", 6: "newcomer"}[step]
        foot = page.locator(f".st-key-panels-{part} :is(.legendtext, .xtitle)").last
        foot.wait_for()
        there = f"document.querySelector('.st-key-sub-finding-{SAID[step]}').getBoundingClientRect().top < 200"
        page.wait_for_function(there, timeout=15_000)
        settle(page)
        words, said = (
            page.locator(one).bounding_box() for one in (".st-key-tour-strip", f".st-key-sub-finding-{SAID[step]}")
        )
        assert 0 <= words["y"] < words["y"] + words["height"] <= said["y"] < 200
        assert foot.bounding_box()["y"] + foot.bounding_box()["height"] <= 768
    page.close()


SAID = {4: "swaps", 6: "newcomer"}  # the sentences that steps of the pooling tour speak of


@pytest.mark.parametrize("step", [1, 3])
def test_a_slider_that_was_moved_leaves_a_tour_its_keys(page, server, step):
    visit(page, server, f"?tour=pooling&study=web&step={step}")
    page.locator("input.slider").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    page.keyboard.press("PageDown")
    page.wait_for_url(f"**step={step + 1}*")
    settle(page)
    if step == 3:  # the depth that was dragged to is that step's
        playwright.expect(page.get_by_role("combobox", name="Judgments")).to_have_value("all judgments", timeout=30_000)
    assert not page.errors


@pytest.mark.parametrize(("role", "name"), [("combobox", "Metric"), ("switch", "Compare with complete judgments")])
def test_a_choice_that_has_the_focus_leaves_a_tour_its_keys(page, server, role, name):
    visit(page, server, "?tour=pooling&study=web&step=7")
    page.get_by_text("step 7 of").wait_for()
    settle(page)
    page.get_by_role(role, name=name).or_(page.get_by_role("checkbox", name=name)).first.focus()
    page.keyboard.press("PageUp")
    page.get_by_text("step 6 of").wait_for(timeout=20_000)
    assert not page.errors


def test_the_pooling_tour_is_walked_to_its_end_and_left_by_keys_alone(page, server):
    visit(page, server, "?tour=pooling&study=web")
    for step in range(1, 7):
        page.get_by_text(f"step {step} of").wait_for(timeout=20_000)
        settle(page)
        page.keyboard.press("PageDown")
    page.get_by_text("step 7 of").wait_for(timeout=20_000)
    settle(page)
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.innerText") == "End the tour":
            break
    page.keyboard.press("Enter")
    page.locator(".st-key-tour-strip").wait_for(state="detached")
    assert "tour=" not in page.url


def test_the_last_step_of_a_tour_ends_by_the_key_of_the_next_one(page, server):
    visit(page, server, "?tour=pooling&study=web&step=7&present=true")
    page.get_by_text("step 7 of").wait_for(timeout=20_000)
    settle(page)
    page.keyboard.press("PageDown")
    page.get_by_role("heading", name="What is this, and what can it show me?").wait_for(timeout=20_000)
    page.locator(".st-key-tour-strip").wait_for(state="detached")
    page.locator("[data-testid=stSidebar]").wait_for(state="visible")
    assert not re.search("tour=|step=|present=", page.url)
    assert not page.errors


@pytest.mark.parametrize("step", [4, 6])
def test_escape_leaves_the_reader_at_the_picture_of_the_step(chromium, server, step):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, f"?tour=pooling&study=web&step={step}&present=true")
    place = f".st-key-sub-finding-{SAID[step]}"
    page.locator(place).wait_for(timeout=20_000)
    page.wait_for_function(f"document.querySelector('{place}').getBoundingClientRect().top < 200", timeout=20_000)
    page.wait_for_timeout(12_000)  # until nothing scrolls by itself any more
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for(state="visible")
    settle(page)
    page.wait_for_timeout(3000)
    words, said = (page.locator(one).bounding_box() for one in (".st-key-tour-strip", place))
    assert 0 <= words["y"] < words["y"] + words["height"] <= said["y"] + 10
    assert said["y"] < words["y"] + words["height"] + 100
    page.close()


PICTURES = """() => {
  const words = document.querySelector(".st-key-tour-strip").parentElement.getBoundingClientRect().bottom
  const hosts = [...document.querySelectorAll("*")].filter((one) => one.shadowRoot)
  const inside = hosts.flatMap((one) => [...one.shadowRoot.querySelectorAll("svg.picture")])
  return [...document.querySelectorAll(".plot, [data-testid=stDataFrame]"), ...inside].map((one) => {
    const box = one.getBoundingClientRect()
    return Math.min(innerHeight, box.bottom) - Math.max(0, words, box.top)
  })
}"""


BELOW_THE_WORDS = """(part) => {
  const [words, below] = [".st-key-tour-strip", part].map((one) => document.querySelector(one).getBoundingClientRect())
  return words.top >= 0 && words.bottom <= below.top + 10
}"""


@pytest.mark.parametrize("name", TOURS)
def test_every_step_shows_the_picture_that_it_speaks_of(chromium, server, name):
    """On a small screen, below its words; where the track cannot show it, the page begins at its top."""
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    study = "variations" if "bailey" in name else "web"
    for number, step in enumerate(TOURS[name].steps, 1):
        if step.part:
            visit(page, server, f"?study={study}&tour={name}&step={number}")
            page.locator(f".st-key-{step.part}").wait_for(timeout=150_000)
            if step.page != "pages/data.py":  # where the checks come before the map
                page.wait_for_function(f"Math.max(...({PICTURES})()) > 100", timeout=150_000)
            page.wait_for_function(BELOW_THE_WORDS, arg=f".st-key-{step.part}", timeout=20_000)  # once it has scrolled
            words, part = (page.locator(one).bounding_box() for one in (".st-key-tour-strip", f".st-key-{step.part}"))
            assert 0 <= words["y"] < words["y"] + words["height"] <= part["y"] + 10, number
            if step.then:
                page.get_by_role("button", name="Show the second picture").click()
                page.wait_for_function(BELOW_THE_WORDS, arg=f".st-key-{step.then}", timeout=20_000)
                assert page.locator(f".st-key-{step.then}").bounding_box()["y"] < 768 - 100, number
    page.close()


def test_a_step_is_shown_where_it_belongs_once_a_track_has_it(chromium, server):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, "?study=web&tour=bailey-moffat-scholer-thomas&step=8")
    page.get_by_role("button", name="Open a suitable sample").click()
    page.locator(".st-key-open-fusion_by_count").wait_for(timeout=60_000)
    page.wait_for_function(f"Math.max(...({PICTURES})()) > 100")
    words, part = (page.locator(f".st-key-{one}").bounding_box() for one in ("tour-strip", "open-fusion_by_count"))
    assert 0 <= words["y"] < words["y"] + words["height"] <= part["y"] + 10
    page.close()


def test_a_page_that_opens_is_never_blank(chromium, server):
    """Neither before Streamlit's script runs, nor before the server's first word."""
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    page.route("**/static/js/**", lambda route: route.abort())
    page.goto(server.url("consistency?study=variations"))
    assert page.locator("#opening").inner_text() == "Poolscope is opening …"
    page.unroute("**/static/js/**")
    page.route_web_socket("**/_stcore/stream", lambda silent: None)
    page.goto(server.url("consistency?study=variations"))
    page.wait_for_selector("[data-testid=stAppSkeleton]")
    box = page.locator("#opening").bounding_box()
    at = f"{box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2}"
    assert page.evaluate(f"document.elementFromPoint({at}).id") == "opening"
    page.close()
    page = chromium.new_page()
    visit(page, server, "consistency?study=variations")
    assert not page.locator("#opening").count()
    page.close()


ASKED_FIRST = {
    "aborted": lambda route: route.abort(),
    "missing": lambda route: route.fulfill(status=404, body="Not Found"),
    "cut off": lambda route: route.fulfill(body="(function (", content_type="text/javascript"),
}


@pytest.mark.parametrize("how", ASKED_FIRST)
def test_pictures_are_drawn_where_their_library_comes_when_it_is_asked_for_again(chromium, server, how):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    page.route("**/plotly-*.min.js", ASKED_FIRST[how], times=1)
    visit(page, server, "consistency?study=variations")
    picture = page.locator(".plot").first
    picture.locator("svg.main-svg").first.wait_for()
    assert picture.get_attribute("aria-label") not in picture.text_content()
    page.close()


def test_a_picture_that_had_no_width_at_first_is_drawn_when_it_has(chromium, server):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {
      const none = document.createElement("style")
      none.id = "none"
      none.textContent = ".plot { width: 0 !important }"
      document.head.append(none)
    })""")
    visit(page, server, "consistency?study=variations")
    page.wait_for_function("window.Plotly && document.querySelector('.plot')")
    page.wait_for_timeout(1000)
    assert not page.locator(".plot svg").count()
    page.evaluate("document.querySelector('#none').remove()")
    page.locator(".plot svg.main-svg").first.wait_for()
    page.close()


@pytest.mark.parametrize(
    ("study", "tour", "step"), [("web", "pooling", 3), ("variations", "bailey-moffat-scholer-thomas", 8)]
)
def test_a_phone_goes_to_what_a_step_speaks_of(chromium, server, study, tour, step):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    part = f".st-key-{TOURS[tour].steps[step - 1].part}"
    visit(page, server, f"?study={study}&tour={tour}&step={step}")
    page.locator(part).wait_for(timeout=60_000)
    settle(page)
    assert page.locator(part).bounding_box()["y"] > 700
    page.get_by_role("button", name="Show it").click()
    page.wait_for_function(f"Math.abs(document.querySelector('{part}').getBoundingClientRect().top - 60) < 10")
    page.set_viewport_size({"width": 1024, "height": 768})
    page.get_by_role("button", name="Show it").wait_for(state="hidden")
    page.close()


def test_before_an_audience_the_pair_that_is_named_is_among_the_rows(page, server):
    visit(page, server, "?study=web&tour=pooling&step=7&present=true")
    said = page.locator(".st-key-sub-finding-truth")
    said.wait_for()
    pair = re.search(r"The clearest: (\S+) leads (\S+) by", said.inner_text()).groups()
    page.locator(".ytick text").first.wait_for()
    rows = " ".join(page.locator(".ytick text").all_text_contents())
    assert len(page.locator(".ytick text").all()) == 10
    assert all(name in rows for name in pair)


def test_names_of_two_orderings_can_be_read_on_a_phone(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "orderings?study=web&regimes=depth%3D5&regimes=RBP(p%3D0.8)")
    page.locator(".st-key-panels-slopes").scroll_into_view_if_needed()
    names = page.locator(".st-key-panels-slopes :is(.ytick, .y2tick) text")
    names.first.wait_for()
    page.wait_for_timeout(500)
    boxes = sorted((box["x"] > 195, box["y"], box["height"]) for box in (one.bounding_box() for one in names.all()))
    sizes = names.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 11
    assert all(b[1] - a[1] >= 11 for a, b in pairwise(boxes) if a[0] == b[0])
    page.close()


def test_numbers_below_a_narrow_picture_keep_their_distance(chromium, server):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, "confidence?study=web&metric=AP")
    page.locator(".st-key-panels-models").wait_for(timeout=60_000)
    for panel in page.locator(":is([class*=st-key-panels-intervals], .st-key-panels-models) .plot").all():
        panel.scroll_into_view_if_needed()
        panel.locator(".xtick text").first.wait_for()
        page.wait_for_timeout(600)
        ticks = sorted(
            (one["x"], one["width"]) for one in (tick.bounding_box() for tick in panel.locator(".xtick text").all())
        )
        assert all(right - left - width > 30 for (left, width), (right, _) in pairwise(ticks))
    page.close()


def test_a_section_that_an_answer_names_is_opened_at_its_head(page, server):
    visit(page, server, "methods?study=web")
    page.locator("summary").first.click()
    page.wait_for_timeout(600)  # what opens still moves, and a click between two places is lost
    page.get_by_role("button", name="3.14", exact=True).click()
    page.wait_for_function("document.querySelector('.st-key-section-3-14')?.getBoundingClientRect().top < 120")
    assert "shown=defined" in page.url
    page.wait_for_timeout(3000)
    assert 0 <= page.locator(".st-key-section-3-14").bounding_box()["y"] < 120
    assert not page.errors


def test_a_tour_is_walked_by_keys_and_back(page, server):
    visit(page, server, "?tour=pooling&study=web")
    page.get_by_text("step 1 of").wait_for()
    page.keyboard.press("PageDown")
    page.wait_for_url("**/pool_depth?*step=2*")
    settle(page)
    page.keyboard.press("PageDown")
    page.wait_for_url("**/pool_depth?*step=3*")
    settle(page)
    page.locator(".stage", has_text="10").wait_for()
    page.keyboard.press("PageUp")
    page.wait_for_url("**step=2*")
    settle(page)
    page.locator(".finding", has_text="depth 1").wait_for()
    assert not page.errors


def test_the_way_back_has_an_entry_for_each_step_of_a_tour_and_each_page(page, server):
    visit(page, server, "?tour=pooling&study=web&step=3")
    page.wait_for_url("**/pool_depth?*")
    page.get_by_text("step 3 of").wait_for()
    settle(page)
    before = page.evaluate("history.length")
    for step, path in ((4, "orderings"), (5, "new_systems"), (6, "new_systems")):
        page.keyboard.press("PageDown")
        page.wait_for_url(f"**/{path}?*step={step}*")
        page.get_by_text(f"step {step} of").wait_for()
        settle(page)
    assert page.evaluate("history.length") == before + 3
    for step, path in ((5, "new_systems"), (4, "orderings"), (3, "pool_depth")):
        page.go_back()
        page.wait_for_url(f"**/{path}?*step={step}*")
        page.get_by_text(f"step {step} of").wait_for()
        settle(page)
    page.go_forward()
    page.wait_for_url("**/orderings?*step=4*")
    page.get_by_text("step 4 of").wait_for()
    settle(page)
    before = page.evaluate("history.length - 2")  # two steps lie ahead, and go where one takes another way
    page.get_by_role("button", name="End the tour").click()
    settle(page)
    go(page, "Scores")
    assert page.evaluate("history.length") == before + 2
    assert not page.errors


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("scores?study=web&metric=RBP(p%3D0.8)", "/scores"),  # which goes without saying
        ("pool_depth", "/pool_depth?depth=10"),
        ("?tour=pooling&study=web&step=3", "/pool_depth?depth=10&tour=pooling&step=3"),
    ],
)
def test_what_an_address_settles_by_itself_when_it_is_opened_has_no_entry_in_the_way_back(page, server, path, shown):
    page.goto("about:blank")
    visit(page, server, path)
    page.wait_for_url(lambda url: url.endswith(shown))
    page.get_by_text("Where to go next").wait_for()
    settle(page)
    assert page.evaluate("history.length") == 2
    page.go_back()
    assert page.url == "about:blank"
    assert not page.errors


def test_the_way_back_has_an_entry_for_a_file_that_is_dropped(page, server):
    visit(page, server, "data")
    before = page.evaluate("history.length")
    given = page.evaluate_handle("new DataTransfer()")
    given.evaluate("data => data.items.add(new File(['1 Q0 a 1 1 r'], 'one.run'))")
    given.evaluate("data => data.items.add(new File(['1 0 a 1'], 'qrels.txt'))")
    place = page.locator("[data-testid=stFileUploaderDropzone]").first
    for event in ("dragenter", "dragover", "drop"):
        place.dispatch_event(event, {"dataTransfer": given})
    page.wait_for_url("**study=files*")
    settle(page)
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    page.wait_for_url(lambda url: "study=files" not in url)
    assert not page.errors


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen(chromium, server, scheme):
    page = chromium.new_page(color_scheme=scheme)
    visit(page, server)
    for name in (menu.name for menu in list(MENU.values())[:3]):
        link = page.locator(".st-key-menu").get_by_role("link", name=name, exact=True)
        page.keyboard.press("Tab")
        while not link.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Tab")
        assert link.evaluate("node => getComputedStyle(node).outline") == "rgb(58, 143, 196) solid 3px"
    page.close()


def test_the_numbers_below_the_live_picture_follow_it_while_it_plays(page, server):
    visit(page, server, "pool_depth?study=web&depth=1")
    page.locator("svg.picture .row").first.wait_for()
    live = page.locator(".live")
    live.locator(".speed").select_option("5")
    live.locator(".play").click()
    both = "all => [all.querySelector('.stage').textContent, all.querySelector('.tiles').innerText]"
    seen = {}
    while live.locator(".play").get_attribute("aria-pressed") == "true":
        depth, numbers = live.evaluate(both)
        judged = re.search(r"Judgments\s+([\d,]+)", numbers)[1]
        assert seen.setdefault(depth, judged) == judged  # one number for each depth
    assert len(set(seen.values())) > 5
    assert page.locator("[data-testid=stMetric]").count() == 0  # no number stays behind elsewhere
    assert not page.errors


def test_the_toy_follows_its_slider(page, server):
    visit(page, server)
    page.locator(".toy .finding", has_text="Two of six").wait_for()
    page.locator(".toy input.slider").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".toy .finding", has_text="Four of six").wait_for()
    assert page.locator(".toy .card.unread").count() == 3 * 2 + 1  # and the one of the legend


def test_a_presentation_fits_a_projector(chromium, server):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    for path in ("pool_depth?present=true&depth=10", "pool_depth?present=true&study=web&tour=pooling&step=3"):
        visit(page, server, path)
        name = page.locator("svg.picture .name:visible").first
        name.wait_for()
        page.wait_for_timeout(500)
        shown = page.locator("svg.picture .row:visible")
        assert 10 <= shown.count() <= 15
        assert page.locator("svg.picture .title").inner_html() == f"RBP(p=0.8) · {shown.count()} of 38 systems"
        assert page.locator("[data-testid=stSidebar]:visible").count() == 0
        assert float(name.get_attribute("font-size")) >= 18
        foot = page.locator("svg.picture").bounding_box()
        assert foot["y"] + foot["height"] <= 768
    for path in ("estimators?study=web", "estimators?study=web&large=true"):
        visit(page, server, f"{path}&present=true&truth=true")
        axis = page.locator(".st-key-panels-estimator_error .xtitle")
        axis.wait_for()
        page.wait_for_timeout(500)
        assert axis.bounding_box()["y"] + axis.bounding_box()["height"] <= 768
    visit(page, server, "data?study=web&present=true")
    axis = page.locator(".st-key-panels-judged .xtitle")
    axis.wait_for()
    page.wait_for_timeout(500)
    assert axis.bounding_box()["y"] + axis.bounding_box()["height"] <= 768
    for truth in ("", "&truth=true"):
        visit(page, server, f"confidence?present=true&study=web{truth}")
        for side in ("MD1", "MD6"):
            axis = page.locator(f".st-key-panels-intervals-{side} .xtitle")
            axis.wait_for()
            page.wait_for_timeout(500)
            assert axis.bounding_box()["y"] + axis.bounding_box()["height"] <= 768
            names = page.locator(f".st-key-panels-intervals-{side} .ytick text").all()
            tops = sorted(name.bounding_box()["y"] for name in names)
            assert len(tops) == 10
            assert min(b - a for a, b in pairwise(tops)) > 17  # as large as their letters
    visit(page, server, "new_systems?present=true&study=web&tour=pooling&step=5")
    axis = page.locator(".xtitle").first
    axis.wait_for()
    page.wait_for_timeout(500)
    assert axis.bounding_box()["y"] + axis.bounding_box()["height"] <= 768
    visit(page, server, "pool_depth?present=true&study=web&tour=pooling&step=7")  # the truth, on Scores
    last = page.locator(".st-key-leaderboard .barlayer .trace:first-child .point").last
    last.wait_for()
    page.locator(".st-key-sub-finding-truth").wait_for()
    page.wait_for_timeout(500)
    assert page.locator(".st-key-the-finding").bounding_box() is None
    for seen in (last, axis):
        assert seen.bounding_box()["y"] + seen.bounding_box()["height"] <= 768
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for(state="visible")
    page.close()


@pytest.mark.parametrize("path", ["estimators?truth=true&", "pool_depth?", "data?", "?tour=pooling&step=3&"])
def test_what_says_that_data_are_invented_covers_nothing_before_an_audience(chromium, server, path):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, f"{path}study=web&present=true")
    badge = page.get_by_text("invented sample data").locator("visible=true")
    playwright.expect(badge).to_have_count(1, timeout=30_000)  # its style hides the other
    page.wait_for_timeout(500)
    on_tour = "tour" in path
    own, strip = badge.bounding_box(), page.locator(".st-key-tour-strip")
    above = strip if on_tour else page.get_by_role("button", name="End presentation")
    assert own["y"] + own["height"] <= (above.bounding_box()["y"] + above.bounding_box()["height"] if on_tour else 90)
    others = "h1, button, label, [data-testid=stWidgetLabel], .plot, svg.picture, [class*=st-key-the-finding]"
    for other in page.locator(others).all():
        if box := not on_tour and other.is_visible() and other.bounding_box():
            apart = box["x"] >= own["x"] + own["width"] or own["x"] >= box["x"] + box["width"]
            words = other.evaluate("one => one.tagName") == "H1" and box["x"] + box["width"] - 11 * 19 <= own["x"]
            assert apart or words or box["y"] >= own["y"] + own["height"] or own["y"] >= box["y"] + box["height"]
    page.close()


@pytest.mark.parametrize(
    ("address", "by_truth"),
    [("estimators?study=web", "truth-of-guess"), ("consistency?study=variations", "truth-of-scores"),
     ("fusion?study=variations", "truth-of-fused")],
)  # fmt: skip
def test_what_the_page_found_stays_before_an_audience_where_the_truth_is_said_further_down(
    chromium, server, address, by_truth
):
    page = chromium.new_page(viewport={"width": 1024, "height": 768})
    visit(page, server, f"{address}&present=true&truth=true")
    page.locator(f".st-key-sub-finding-{by_truth}").wait_for()
    assert page.locator(".st-key-the-finding").first.is_visible()
    assert page.locator(".st-key-the-finding").first.bounding_box()["y"] < 768
    page.close()


def test_focus_goes_with_the_page_and_a_click_shows_what_it_opened(page, server):
    visit(page, server, "scores?study=web")
    go(page, "Confidence")
    page.wait_for_function("document.activeElement.tagName === 'H1'")
    go(page, "Scores")
    bars = page.locator(".st-key-leaderboard .barlayer .trace:first-child .point path")
    bars.nth(3).wait_for(state="attached")
    box = bars.nth(3).bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**system=*")
    page.wait_for_function("document.querySelector('.st-key-system').getBoundingClientRect().top < 100")
    assert "open=system" in page.url
    page.wait_for_timeout(3000)
    assert 0 < page.locator(".st-key-system").bounding_box()["y"] < 100  # and stays there while the picture is drawn
    page.go_back()
    page.locator(".st-key-system").wait_for(state="hidden")


def test_a_step_of_a_paper_opens_its_folds(page, server):
    visit(page, server, "?study=web&tour=lu-moffat-culpepper&step=3")
    page.wait_for_url("**open=rank_models&open=coverage**")
    opened = page.locator("details[open]", has_text="A topic's gains by rank, and the curves fitted to them")
    opened.locator(".plot").first.wait_for()
    page.wait_for_function("document.querySelector('.st-key-open-rank_models').getBoundingClientRect().top < 400")
    words, part = page.locator(".st-key-tour-strip").bounding_box(), page.locator(".st-key-open-rank_models")
    assert words["y"] + words["height"] <= part.bounding_box()["y"] + 1
    assert not page.errors


def test_the_slider_stays_in_sight(page, server):
    visit(page, server, "pool_depth?study=web")
    page.locator(".row .dot").first.wait_for()
    page.get_by_text("Where to go next").wait_for()  # the page is drawn to its foot
    page.locator("svg.picture").evaluate("picture => picture.scrollIntoView({block: 'end'})")
    page.locator("svg.picture").evaluate("picture => document.querySelector('[data-testid=stMain]').scrollBy(0, 100)")
    page.wait_for_timeout(500)
    assert page.locator("svg.picture").bounding_box()["y"] < 100
    assert 0 <= page.locator("input.slider").bounding_box()["y"] < 200


def test_the_menu_of_a_phone_closes_behind_a_page(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "scores?study=web")
    page.locator("[data-testid=stExpandSidebarButton]").click()
    page.wait_for_function("document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().x >= 0")
    page.get_by_role("link", name="Confidence", exact=True).first.click()
    page.wait_for_function("document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 0")
    settle(page)
    assert page.locator("h1").bounding_box()["y"] > 40  # below the button that opens the menu
    page.close()


def test_a_phone_shows_every_part_of_judgments_and_pairs_large(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "judgments?study=web")
    last = page.get_by_role("tab", name="What to judge next").bounding_box()
    assert last["x"] + last["width"] <= 390
    tabs = page.locator("[data-testid=stTabs] [role=tablist]")
    assert tabs.evaluate("all => all.scrollWidth <= all.clientWidth")
    visit(page, server, "orderings?study=web&open=verdicts")
    page.locator(".st-key-panels-verdicts").scroll_into_view_if_needed()
    square = page.locator(".st-key-panels-verdicts .heatmaplayer image")
    square.wait_for(state="attached")
    page.wait_for_timeout(500)
    assert square.bounding_box()["width"] > 250
    around = page.locator(".st-key-panels-verdicts .plot").bounding_box()
    assert around["height"] < square.bounding_box()["height"] + 250  # with its legend and axis
    page.close()


def test_a_phone_shows_two_numbers_side_by_side(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "scores?study=web")
    numbers = page.locator("[data-testid=stMetric]")
    numbers.nth(2).wait_for()
    first, second, third = (number.bounding_box() for number in numbers.all()[:3])
    assert first["y"] == second["y"] < third["y"]
    page.close()


def test_a_phone_shows_names_on_both_sides_and_numbers_between_panels(chromium, server):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    visit(page, server, "orderings?study=web")
    slopes = page.locator(".st-key-panels-slopes .plot")
    slopes.scroll_into_view_if_needed()
    slopes.locator(".y2tick").first.wait_for()
    page.wait_for_timeout(500)
    inside = slopes.bounding_box()
    for name in slopes.locator(".ytick text, .y2tick text").all():
        box = name.bounding_box()
        assert box["x"] >= inside["x"]
        assert box["x"] + box["width"] <= inside["x"] + inside["width"]
    visit(page, server, "pool_depth?study=web&depth=10")
    bought = page.locator(".st-key-panels-pool .plot")
    bought.scroll_into_view_if_needed()
    bought.locator(".y3tick").first.wait_for()
    page.wait_for_timeout(500)
    marks = [mark.bounding_box() for mark in bought.locator(".shapelayer path").all()]
    for mark, ticks in zip(marks[:2], (".y2tick text", ".y3tick text"), strict=True):
        for tick in bought.locator(ticks).all():
            assert tick.bounding_box()["x"] > mark["x"] + mark["width"]
    page.close()


def test_what_is_assumed_stands_in_the_address(page, server):
    visit(page, server, "scores?empty=not+relevant&gains=cubic")
    go(page, "Data")
    page.wait_for_url("**empty=not+relevant*")
    assert "gains" not in page.url
    page.get_by_text("Change assumptions").click()
    assert page.get_by_role("combobox", name="Unfilled ranks").input_value() == "not relevant"
    visit(page, server, "scores?system=nobody")
    assert "“nobody” (system), which is not available here" in page.get_by_role("alert").first.inner_text()


def test_hostile_names_do_nothing(page, server, tmp_path):
    names = [
        "**bold**",
        "<img/src=x/onerror=alert(1)>",
        "=cmd()",
        "![x](http://evil.invalid/x.png)",
        "http://evil.invalid",
    ]
    for i, name in enumerate(names):
        lines = (
            f"{t} Q0 <b>d{k}</b> {k} {9 - k} {name}" for t in ("![t](http://evil.invalid/t)", "2") for k in (1, 2, 3)
        )
        (tmp_path / f"{i}.txt").write_text("\n".join(lines))
    (tmp_path / "qrels.txt").write_text("![t](http://evil.invalid/t) 0 <b>d1</b> 1\n2 0 <b>d2</b> 1\n")
    visit(page, server, "data")
    upload(page, "runs", sorted(tmp_path.glob("[0-9].txt")))
    upload(page, "qrels", [tmp_path / "qrels.txt"])
    for name in PAGES:
        go(page, name)
        assert not page.locator("a[href*=evil], img[src*=evil], img[src=x]").count()
    assert not page.errors
    assert not page.outside


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(chromium, server, scheme):
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 1024, "height": 768})
    page = context.new_page()
    visit(page, server, "pool_depth")
    page.wait_for_selector(".finding")
    ground = page.locator("[data-testid=stApp]").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 29)"}[scheme]
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= page.evaluate("document.querySelector('[data-testid=stMain]').clientWidth") + 1
    context.close()


def test_a_picture_takes_the_colours_of_a_scheme_that_changes_while_it_is_open(page, server):
    page.emulate_media(color_scheme="light")
    visit(page, server, "scores")
    text = "() => getComputedStyle(document.querySelector('.plot .ytick text')).fill"
    page.locator(".plot .ytick text").first.wait_for()
    for scheme, colour in (("dark", "rgb(244, 247, 250)"), ("light", "rgb(27, 39, 51)")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"({text})() === '{colour}'", timeout=5_000)


def test_guesses_and_orderings_are_compared(page, server):
    visit(page, server, "estimators?study=web&guesses=lower&guesses=rm")
    finds(page, re.compile("closest|comes closer"))
    page.locator(".st-key-open-coverage summary").click()
    settle(page)
    finds(page, "pass the gamma test", finding="sub-finding-coverage")
    visit(page, server, "orderings?study=web&regimes=depth%3D5+%7C+AP&regimes=AP")
    finds(page, "the two setups")
    page.locator(".st-key-open-verdicts summary").click()
    settle(page)
    page.locator(".st-key-panels-verdicts").first.scroll_into_view_if_needed()
    page.wait_for_selector(".st-key-panels-verdicts .heatmaplayer", state="attached")
    assert not page.errors
    assert not page.outside


def test_a_stopped_experiment_goes_on_and_stays(page, server):
    visit(page, server, "new_systems?study=newswire&metric=INST(T%3D1)")  # long enough to be stopped
    page.get_by_text("Webber and Park's experiment").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("The results so far are kept").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("a new system's mean error").wait_for(timeout=120_000)
    left_out = page.get_by_role("combobox", name="Left out")
    left_out.click()
    page.wait_for_timeout(500)  # the list opens
    left_out.press("ArrowDown")
    left_out.press("Enter")
    settle(page)
    finds(page, "outside the pool, a group")
    assert page.get_by_text("a new system's mean error").count() == 1
    assert not page.get_by_text("encountered an error").count()
    assert not page.errors


def test_letters_are_fused_and_variations_read(page, server):
    visit(page, server, "fusion?study=variations")
    page.get_by_text("A worked example with letters").click()
    page.get_by_text("The fused ranking is D A B C G E F").wait_for()
    visit(page, server, "consistency?study=variations")
    finds(page, "consistency ranges from")
    visit(page, server, "judgments?study=web")
    finds(page, "deserve a second look")
    assert not page.errors
    assert not page.outside


README_PICTURES = {  # in docs/, of the README -> path, height
    "screenshot": ("pool_depth?depth=5", 1000),
    "teach": ("pool_depth?tour=pooling&step=3&present=true", 800),
    "check": ("data", 900),
    "reuse": ("new_systems", 900),
}


@pytest.mark.skipif(not os.environ.get("POOLSCOPE_SCREENSHOT"), reason="POOLSCOPE_SCREENSHOT is not set")
@pytest.mark.parametrize("name", README_PICTURES)
def test_pictures_for_the_readme(page, server, name):
    path, height = README_PICTURES[name]
    page.set_viewport_size({"width": 1200, "height": height})
    visit(page, server, path)
    page.locator("[class*=st-key-the-finding], .headline").first.wait_for()
    page.wait_for_timeout(4000)
    page.screenshot(path=ROOT / "docs" / f"{name}.png")


# ---- login


@pytest.mark.parametrize(("allowed", "enters"), [("", True), ('allowed = ["@b.org"]', True), ("allowed = []", False)])
def test_whoever_a_provider_vouches_for_comes_in_if_allowed(chromium, tmp_path, allowed, enters):
    provider_port, port = free_port(), free_port()
    issuer = f"http://localhost:{provider_port}"
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(f"""
[auth]
redirect_uri = "http://localhost:{port}/oauth2callback"
cookie_secret = "{"c" * 64}"
client_id = "poolscope"
client_secret = "s"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
{allowed}
""")
    provider = subprocess.Popen([sys.executable, "-m", "tests.oidc", str(provider_port), "a@b.org"], cwd=ROOT)
    server = Server(tmp_path, "--secrets.files", str(secrets), port=port)
    page = chromium.new_page()
    try:
        page.goto(server.url("scores"))
        page.get_by_role("button", name="Log in").click(timeout=60000)
        if enters:
            page.get_by_role("button", name="Log out").wait_for(timeout=60000)
            page.get_by_role("heading", name="What is this, and what can it show me?").wait_for(timeout=60000)
            page.goto(server.url("scores"))  # the way back from a provider leads to the first page
            page.get_by_role("heading", name="How good is each system").wait_for(timeout=60000)
        else:
            page.get_by_text("has no access to this server").wait_for(timeout=60000)
            assert page.locator("h1").all_inner_texts() == ["Poolscope"]
    finally:
        page.close()
        server.stop()
        provider.terminate()
        provider.wait(20)


def test_secrets_that_cannot_be_read_let_nobody_in(chromium, tmp_path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("[auth]\noops = [")
    server = Server(tmp_path, "--secrets.files", str(secrets))
    page = chromium.new_page()
    try:
        page.goto(server.url("scores"))
        page.get_by_text("so nobody can log in").wait_for(timeout=60000)
        assert page.locator("h1").all_inner_texts() == ["Poolscope"]
    finally:
        page.close()
        server.stop()
