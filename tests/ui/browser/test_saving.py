"""What people take away: tables, scripts, pictures, and the report."""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from functools import partial

import pytest

import evalcore
from tests.small import small_study
from tests.ui.browser.acting import (
    ROOT,
    WEB,
    act,
    expect,
    finished,
    go,
    in_address,
    open_fold,
    press,
    saved,
    tiles,
    upload,
    visit,
)
from tests.ui.test_export import HOSTILE_NAMES
from ui.report import report
from ui.text import interval_labels
from ui.text.escape import text
from ui.views import VIEWS

COLUMN, PAGE_WIDE = 1004, 2008  # dots of 85 and of 170 mm at 300 per inch
SVG = "{http://www.w3.org/2000/svg}"


def texts_of(drawing):
    """The texts of an SVG, which must be XML and cannot run anything."""
    parts = [*ElementTree.fromstring(drawing).iter()]
    assert {part.tag.partition("}")[0] + "}" for part in parts} == {SVG}
    assert not [part for part in parts if part.tag.endswith("script") or any(name[:2] == "on" for name in part.attrib)]
    return ["".join(part.itertext()) for part in parts if part.tag == f"{SVG}text"]


def without_random_names(drawing):
    """An SVG of Plotly without the names of its parts, which are random."""
    return re.sub(r"(clip|defs-|trace|legend)[0-9a-f]{6}", r"\1", drawing)


def test_from_files_to_a_table_and_back(page, server, tmp_path):
    files = [*sorted((WEB / "runs").iterdir())[:2], WEB / "qrels.txt"]
    for file in files:
        shutil.copy(file, tmp_path)
    visit(page, server, "data")
    upload(page, "runs", files[:2])
    upload(page, "qrels", files[2:])
    tiles(page, Systems="2")

    go(page, "Pool depth")
    before = page.locator(".finding").inner_text()
    page.locator("input.slider").focus()
    press(page, "Home", "ArrowRight")
    assert page.locator(".finding").inner_text() != before
    expect(page.locator(".finding")).to_contain_text(re.compile("at depth 2", re.IGNORECASE))
    in_address(page, "depth=2")
    assert page.locator(".stage").inner_text() == "2"

    open_fold(page, "Every system · at depth 2")
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


def test_a_report_needs_nobody(opened, chromium, server, tmp_path):
    """One file: offline, under its own content policy, in light and in dark, on a wide and on a narrow screen."""
    page = opened(own=True)
    visit(page, server, "pool_depth?study=web&depth=7")
    go(page, "Scores")
    go(page, "Report")
    act(page, page.get_by_text("Add your own notes").click, runs_script=False)
    page.get_by_label("On Scores").fill("Mine <b>own</b> </script>")
    press(page, "Control+Enter")
    report = saved(page, page.get_by_role("button", name="Download report"), tmp_path)
    everything = saved(page, page.get_by_role("button", name="Download everything"), tmp_path)
    names = zipfile.ZipFile(everything).namelist()
    assert {"report.html", "references.bib", "README.txt", "Scores/01_leaderboard_RBP_p=0.8.tex"} <= set(names)
    for scheme, width in (("light", 1440), ("dark", 390)):
        alone = chromium.new_context(offline=True, color_scheme=scheme, viewport={"width": width, "height": 900})
        page, said, asked = alone.new_page(), [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(report.as_uri())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        figures = page.locator("figure").count()
        assert figures > 4
        page.wait_for_function(
            "figures => document.querySelectorAll('.js-plotly-plot .main-svg').length >= figures", arg=figures
        )
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator(".own").inner_text() == "Mine <b>own</b> </script>"
        assert figures == page.locator(".save").count()
        links = [link.get_attribute("href") for link in page.locator("p > a", has_text="with these choices").all()]
        assert links[0].startswith(server.url("pool_depth?"))
        assert "depth=7" in links[0]
        picture = saved(page, page.locator("figure .save").first, tmp_path)
        assert picture.name == "Pool_depth_pool.svg"
        assert {"Every depth", "judgments"} <= {*texts_of(picture.read_text("utf-8"))}
        assert not said
        assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [report.as_uri()]
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 690, "height": 1000})  # of a sheet of paper
        wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".wide").evaluate_all(wide) == 0
        lines = """all => { const inside = new Range(), rects = (cell) => {
            inside.selectNodeContents(cell); return inside.getClientRects().length }; return all.map(rects) }"""
        assert set(page.locator("td.number").evaluate_all(lines)) <= {0, 1}
        alone.close()


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
    alone = chromium.new_context(offline=True, viewport={"width": 390, "height": 300})
    page, errors = alone.new_page(), []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    figures = page.locator("figure")
    assert not figures.last.locator(".main-svg").count()
    packed = zipfile.ZipFile(saved(page, page.get_by_role("button", name="Save all pictures"), tmp_path))
    assert packed.testzip() is None
    assert packed.namelist() == ["01_Scores_P_5.svg", "02_Scores_RBP_p=0.8.svg", "03_Scores_AP.svg"]
    for (title, *_), name, metric in zip(pictures.values(), packed.namelist(), boards, strict=True):
        texts = {*texts_of(packed.read(name).decode())}
        assert title in texts
        assert any(words.endswith(f"({metric})") for words in texts)  # the title of the axis
        assert {name for name in map(text, HOSTILE_NAMES) if len(name) <= 24} <= texts
    assert not figures.last.locator(".main-svg").count()
    assert {error for error in errors if "MathJax is not loaded" not in error} == set()  # of a name between dollars
    alone.close()


@pytest.mark.parametrize(("address", "button"), [
    ("scores?study=web", "[data-title^='Copy, or save for a paper']"), ("pool_depth?study=web&depth=7", ".on-paper"),
])  # fmt: skip
def test_a_figure_is_saved(opened, server, tmp_path, address, button):
    """As it is shown; at the width of a column, a page and a slide, and copied; in the dark the same as in the light. A
    PNG says that it has 300 dots per inch."""
    drawings = []
    for scheme in ("light", "dark"):
        page = opened(color_scheme=scheme, permissions=["clipboard-read", "clipboard-write"])
        visit(page, server, address)
        plot = page.locator(".plot").first
        if button.startswith("["):
            plot.hover()
            shown = saved(page, plot.locator("[data-title='Save as SVG']"), tmp_path).read_text("utf-8")
            picture = saved(page, plot.locator("[data-title='Save as PNG']"), tmp_path).read_bytes()
            assert picture.startswith(b"\x89PNG")
            assert int.from_bytes(picture[16:20]) == 3 * plot.evaluate("place => place.layout.width")
        else:
            shown = saved(page, page.locator(".save"), tmp_path).read_text("utf-8")

        def given(label, page=page):
            page.locator(button).first.click()
            return saved(page, page.get_by_role("button", name=label), tmp_path).read_bytes()

        for label, dots in (("PNG, a column", COLUMN), ("PNG, a page", PAGE_WIDE), ("PNG, a slide", 4000)):
            picture = given(label)
            assert picture.startswith(b"\x89PNG")
            assert abs(int.from_bytes(picture[16:20]) - dots) <= 4
            at = picture.index(b"pHYs") + 4
            across, down = (int.from_bytes(picture[at + 4 * i : at + 4 * i + 4]) for i in (0, 1))
            assert across == down == 11811  # per metre
            crc = zlib.crc32(picture[at - 4 : at + 9])
            assert int.from_bytes(picture[at + 9 : at + 13]) == crc
        drawing = given("SVG, a column").decode("utf-8")
        assert abs(float(re.search(r'<svg[^>]* width="([\d.]+)"', drawing)[1]) - 85 / 25.4 * 96) <= 1
        drawings.append([without_random_names(shown), without_random_names(drawing)])
        page.locator(button).first.click()
        page.get_by_role("button", name="Copy as PNG").click()
        page.locator("dialog").wait_for(state="detached")
        assert "image/png" in page.evaluate("navigator.clipboard.read().then((all) => all[0].types)")
        finished(page)
    assert drawings[0] == drawings[1]
    is_pool = address.startswith("pool_depth")
    (of_a_pool if is_pool else of_scores)(drawings[0][0])


def of_scores(drawing):
    """Whether an SVG shows what the figure of Scores does."""
    texts = texts_of(drawing)
    assert "fjord-fusion" in texts
    assert any(words.endswith("(RBP(p=0.8))") for words in texts)  # the title of the axis


def of_a_pool(drawing):
    """Whether an SVG shows what the live picture does, with its title and those parts of the legend that are drawn."""
    texts = texts_of(drawing)
    assert texts[0] == "Sample: web · RBP(p=0.8) · pool depth 7"
    assert "Judging to depth 7 " in texts[1]
    legend = {"known", interval_labels.UNJUDGED, "did not contribute to the pool", "score"}
    assert legend <= set(texts)
    assert not {"with all judgments", "change since the shallowest pool"} & set(texts)
    assert "var(" not in drawing
    assert "color(" not in drawing
    assert "#12171D" not in drawing
