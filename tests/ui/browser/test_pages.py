"""Every page on a large and a small screen and on a phone, a visit each: what is seen first, what is cut, what can be
read by those who cannot see or point, and what a picture offers."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.ui.browser.acting import (
    act,
    box,
    choose,
    expect,
    finished,
    open_part,
    until,
    visit,
)
from ui.layout.menu import NAMED
from ui.layout.menu import PAGES as MENU

PAGES = [page.name for page in MENU.values()]
SCREENS = {  # that a page takes with its folds closed
    "Scores": 2.05, "Orderings": 3.1, "Estimators": 3.0, "Confidence": 3.1, "Compare": 3.1, "Judges": 3.5
}  # fmt: skip
MOST_SCREENS = 2.7
GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 29)"}
MAIN = "[data-testid=stMain]"
IN_COLOUR = "ground => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === ground"


def address(name):
    """The path of a page."""
    return "" if name == "Start" else NAMED[name].removeprefix("pages/").removesuffix(".py")


def nothing_is_wider(page, what=MAIN):
    """Whether nothing must be scrolled sideways."""
    assert page.locator(what).first.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), page.url


def in_scheme(page, scheme):
    """The page in the light or in the dark, once its colours have changed."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(IN_COLOUR, arg=GROUND[scheme])
    finished(page)


def nothing_bars_the_way(page):
    """Whether axe-core finds nothing serious or moderate on a page, in the light and in the dark."""
    axe = next(Path(pytest.importorskip("axe_playwright_python").__file__).parent.rglob("axe.min.js"))
    page.evaluate(axe.read_text("utf-8"))
    for scheme in ("light", "dark"):
        in_scheme(page, scheme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
        bad = [one for one in found if one["impact"] != "minor"]
        said = [(one["id"], [(node["html"][:200], node["failureSummary"]) for node in one["nodes"][:3]]) for one in bad]
        assert not said, scheme


@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_every_screen(opened, server, name):
    on_a_large_screen(opened(1440, 900), server, name)
    on_a_small_screen(opened(1024, 768), server, name)
    on_a_phone(opened(390, 844), server, name)


def on_a_large_screen(page, server, name):
    """Question, finding and numbers whole on the first screen, and the picture begun; the rest is folded."""
    visit(page, server, f"{address(name)}?study={'variations' if name == 'Consistency' else 'web'}")
    expect(page.get_by_text("Where to go next")).to_be_attached()
    expect(page).to_have_title(f"{name} · Poolscope")
    tall = page.viewport_size["height"]
    whole = page.locator(MAIN).evaluate("main => main.scrollHeight")
    assert whole <= SCREENS.get(name, MOST_SCREENS) * tall
    if name not in ("Start", "Report", "Methods", "Data"):  # on Data, the checks come before the map
        assert box(page.locator(".plot:visible, svg.picture").first)[1] < 0.75 * tall
    under = name in ("Pool depth", "Orderings")  # where they follow the slider, or are of the second picture
    numbers = [] if under else page.locator("[data-testid=stMetric]:visible").all()
    for whole in [page.locator("h1"), *page.locator("[class*=st-key-the-finding]").all(), *numbers[:4]]:
        assert box(whole)[3] < tall
    for plot in page.locator(".plot:visible:has(.main-svg)").all():
        scrolls = "one => ['auto', 'scroll'].includes(getComputedStyle(one.closest('.stElementContainer')).overflowY)"
        assert not plot.evaluate(scrolls)  # it would hold the wheel, and cut its tools
        offered = [button.get_attribute("data-title") for button in plot.locator(".modebar-btn").all()]
        assert {"Save as SVG", "Save as PNG", "Fullscreen"} < set(offered)
        assert not [button for button in offered if "hare" in button or "loud" in button]  # nothing is sent to anybody
    boxes = [box(link) for link in page.locator(".st-key-menu a").all()]
    assert len(boxes) == len(MENU)
    assert all(above[3] <= below[1] for above, below in pairwise(boxes))
    assert min(one[3] - one[1] for one in boxes) >= 24  # what WCAG 2.2 asks of what is pointed at


def on_a_small_screen(page, server, name):
    """With sliders in open sections, and on a track of query variations; on Data, where checks warn of something."""
    study = "web" if name == "Data" else "variations"
    visit(page, server, f"{address(name)}?study={study}&open=coverage&open=letters")
    nothing_is_wider(page)
    nothing_bars_the_way(page)


def on_a_phone(page, server, name):
    """Title below the button of the menu, numbers and choices of a view within the screen."""
    visit(page, server, f"{address(name)}?study={'variations' if name == 'Consistency' else 'web'}")
    nothing_is_wider(page)
    assert box(page.locator("h1"))[1] > 40
    for button in page.locator("[data-testid=stButtonGroup] button:visible").all():
        assert box(button)[2] <= 390
    for tabs in page.locator("[data-testid=stTabs] [role=tablist]").all():
        assert tabs.evaluate("all => all.scrollWidth <= all.clientWidth")
    if name == "Scores":
        act(page, page.locator(".st-key-details-leaderboard summary").click, runs_script=False)
        first, second, third = (box(number) for number in page.locator("[data-testid=stMetric]").all()[:3])
        assert first[1] == second[1] < third[1]  # two numbers side by side
    if name == "Report":
        act(page, page.locator("summary", has_text="41 files").click, runs_script=False)
        nothing_is_wider(page)
        lines = "cell => { const all = new Range(); all.selectNodeContents(cell); return all.getClientRects().length }"
        assert page.get_by_role("cell", name="Consistency", exact=True).evaluate(lines) == 1  # the word whole
    if name == "Data":
        plot = in_sight(page, ".st-key-panels-judged .plot")
        assert plot.locator(".xtick text").count() == 10  # of 38 systems; on a wide screen 19


def in_sight(page, what):
    """A picture, drawn after the page was scrolled to it."""
    plot = page.locator(what).first
    plot.scroll_into_view_if_needed()
    finished(page)
    return plot


FOLDS = "judge_to_decide", "comparison_metrics", "against_baseline", "topics_left_out"


@pytest.mark.parametrize("present", ["", "&present=true"], ids=["read", "presented"])
def test_nothing_bars_the_way_to_a_comparison(page, server, present):
    """On every width, before an audience too, with all sections and the filter of the figures open."""
    opened = "".join(f"&open={fold}" for fold in FOLDS)
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        visit(page, server, f"compare?study=web&pin=lumen-prf&baseline=*{opened}{present}")
        if width == 1440 and not present:
            act(page, page.get_by_text("Show only some systems").click, runs_script=False)
            act(page, page.get_by_role("button", name="LaTeX").first.click, runs_script=False)
        nothing_bars_the_way(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen(opened, server, scheme):
    page = opened(color_scheme=scheme)
    visit(page, server)
    for name in PAGES[:3]:
        link = page.locator(".st-key-menu").get_by_role("link", name=name, exact=True)
        page.keyboard.press("Tab")
        for _ in range(60):
            if link.evaluate("node => node === document.activeElement"):
                break
            page.keyboard.press("Tab")
        assert link.evaluate("node => getComputedStyle(node).outline") == "rgb(58, 143, 196) solid 3px"


def test_the_words_of_buttons_and_pictures_are_whole_on_a_small_screen(opened, server):
    page = opened(1024, 768)
    for path, name in (("?study=web", "Pooling in ten minutes"), ("data?study=web", "Example files")):
        visit(page, server, path)
        label = page.get_by_role("button", name=name).get_by_text(name)
        assert label.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")
    for metric in ("RBP(p=0.8)", "AP"):
        visit(page, server, f"confidence?study=web&metric={metric}")
        for panel in page.locator(":is([class*=st-key-panels-intervals], .st-key-panels-models) .plot").all():
            panel.scroll_into_view_if_needed()
            finished(page)
            ticks = sorted(box(tick) for tick in panel.locator(".xtick text").all())
            assert all(right[0] - left[2] > 30 for left, right in pairwise(ticks))  # numbers keep their distance
        first = in_sight(page, "[class*=st-key-panels-models] .plot")
        left, _, right, _ = box(first)
        for said in [first.locator(".xtitle"), *first.locator(".legendtext").all()]:
            assert left <= box(said)[0] < box(said)[2] <= right


@pytest.mark.parametrize(
    "path",
    [
        "?study=web",
        "orderings?study=web&test=randomisation+bh&view=distance_per_pair",
        "fusion?study=variations&crowd=the+variations+of+cobalt-rerank&rule=reciprocal",
        "new_systems?study=web&unjudged=condensed",
    ],
)
def test_what_is_chosen_is_read_whole_on_a_small_screen(opened, server, path):
    page = opened(1024, 768)
    visit(page, server, path)
    if path.startswith("?"):
        choose(page, "Paper", 4)  # the longest name
    parts = page.locator(".st-key-choices [class*=st-key-part-] button p")
    assert parts.count() == 0 or not any(parts.evaluate_all("all => all.map(one => one.scrollWidth > one.clientWidth)"))
    shown = page.locator(f"{MAIN} [data-testid=stSelectbox] input:visible")
    assert parts.count() or shown.count()
    cut = shown.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)")
    assert [value for value in cut if " · " not in value] == []  # the words after a code are below the picker, too


def test_all_that_is_compared_is_read_on_a_small_screen(opened, server):
    page = opened(1024, 768)
    for path, key in (("estimators", "guesses"), ("orderings", "regimes")):
        visit(page, server, f"{path}?study=web")
        open_part(page, key)
        _, _, right, foot = box(page.locator(f".st-key-{key} [data-testid=stMultiSelect]"))
        chosen = [box(tag) for tag in page.locator(f".st-key-{key} [data-tag]").all()]
        assert len(chosen) >= 5
        assert all(tag[2] < right - 40 and tag[3] <= foot for tag in chosen)


def test_the_tools_of_a_picture_cover_nothing(opened, server):
    """Neither what it shows, nor what is below it."""
    page = opened(1024, 1600)
    for elsewhere, place in (("topics", ".st-key-panels-intervals-MD1"), ("documents", ".st-key-panels-intervals-MD6")):
        visit(page, server, f"confidence?study=web&elsewhere={elsewhere}")
        plot = page.locator(f"{place} .plot")
        plot.hover(position={"x": 200, "y": 650})
        tools, drawn = box(plot.locator(".modebar")), box(plot.locator(".main-svg").first)
        below = box(page.locator(".st-key-fold-system_intervals"))
        assert drawn[3] <= tools[1] < tools[3] <= below[1]
        plot.locator(".modebar-btn").first.click(trial=True)  # the pointer gets there


def test_formulas_are_read_whole_on_small_screens(opened, server):
    page = opened(390, 844)
    for chapter in ("3. Metrics", "6. Models of the unjudged documents", "8. Pairs of systems"):
        visit(page, server, f"methods?study=web&shown=defined&chapter={chapter}")
        formulas = page.locator(".katex-display")
        formulas.first.wait_for()
        for width in (390, 1024):
            page.set_viewport_size({"width": width, "height": 844})
            finished(page)
            assert formulas.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length") == 0


def test_the_menu_of_a_phone_closes_behind_a_page(opened, server):
    page = opened(390, 844)
    visit(page, server, "scores?study=web")
    menu = "document.querySelector('[data-testid=stSidebar]').getBoundingClientRect()"
    page.locator("[data-testid=stExpandSidebarButton]").click()
    page.wait_for_function(f"{menu}.x >= 0")
    act(page, page.get_by_role("link", name="Confidence", exact=True).first.click)
    page.wait_for_function(f"{menu}.right <= 0")
    assert box(page.locator("h1"))[1] > 40  # below the button that opens the menu


def test_a_phone_shows_pairs_large_and_names_and_numbers_apart(opened, server):
    page = opened(390, 844)
    visit(page, server, "orderings?study=web&open=verdicts")
    around = in_sight(page, ".st-key-panels-verdicts .plot")
    square = box(around.locator(".heatmaplayer image"))
    assert square[2] - square[0] > 250
    assert box(around)[3] - box(around)[1] < square[3] - square[1] + 250  # with its legend and axis

    slopes = in_sight(page, ".st-key-panels-slopes .plot")
    left, _, right, _ = box(slopes)
    for name in slopes.locator(".ytick text, .y2tick text").all():
        assert left <= box(name)[0] < box(name)[2] <= right
    visit(page, server, "orderings?study=web&regimes=depth%3D5&regimes=RBP(p%3D0.8)")
    names = in_sight(page, ".st-key-panels-slopes .plot").locator(":is(.ytick, .y2tick) text")
    boxes = sorted((box(one)[0] > 195, box(one)[1]) for one in names.all())
    sizes = names.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 11
    assert all(b[1] - a[1] >= 11 for a, b in pairwise(boxes) if a[0] == b[0])

    visit(page, server, "pool_depth?study=web&depth=10")
    bought = in_sight(page, ".st-key-panels-pool .plot")
    marks = [box(mark) for mark in bought.locator(".shapelayer path").all()]
    for mark, ticks in zip(marks[:2], (".y2tick text", ".y3tick text"), strict=True):
        assert all(box(tick)[0] > mark[2] for tick in bought.locator(ticks).all())


# ---- before an audience


def test_a_presentation_fits_a_projector(opened, server):
    page = opened(1024, 768)

    def fits(axis):
        until(lambda: box(axis)[3] <= 768)

    for path in ("pool_depth?present=true&depth=10", "pool_depth?present=true&study=web&tour=pooling&step=3"):
        visit(page, server, path)
        shown = page.locator("svg.picture .row:visible")
        assert 10 <= shown.count() <= 15
        assert page.locator("svg.picture .title").inner_html() == f"score (RBP(p=0.8)) · {shown.count()} of 38 systems"
        assert page.locator("[data-testid=stSidebar]:visible").count() == 0
        assert float(page.locator("svg.picture .name:visible").first.get_attribute("font-size")) >= 18
        fits(page.locator("svg.picture"))
    for path in ("estimators?study=web", "estimators?study=web&large=true"):
        visit(page, server, f"{path}&present=true&truth=true")
        fits(page.locator(".st-key-panels-estimator_error .xtitle"))
    visit(page, server, "data?study=web&present=true")
    fits(page.locator(".st-key-panels-judged .xtitle"))
    for truth in ("", "&truth=true"):
        for elsewhere, side in (("topics", "MD1"), ("documents", "MD6")):
            visit(page, server, f"confidence?present=true&study=web&elsewhere={elsewhere}{truth}")
            fits(page.locator(f".st-key-panels-intervals-{side} .xtitle"))
            names = page.locator(f".st-key-panels-intervals-{side} .ytick text").all()
            tops = sorted(box(name)[1] for name in names)
            assert len(tops) == 10
            assert min(b - a for a, b in pairwise(tops)) > 17  # as large as their letters
    visit(page, server, "new_systems?present=true&study=web&tour=pooling&step=5")
    fits(page.locator(".xtitle").first)
    visit(page, server, "pool_depth?present=true&study=web&tour=pooling&step=7")  # complete judgments, on Scores
    expect(page.locator(".st-key-sub-finding-truth")).to_be_visible()
    assert page.locator(".st-key-the-finding").bounding_box() is None
    for seen in (
        page.locator(".st-key-leaderboard .barlayer .trace:first-child .point").last,
        page.locator(".xtitle").first,
    ):
        fits(seen)
    act(page, lambda: page.keyboard.press("Escape"))
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()


@pytest.mark.parametrize("path", ["estimators?truth=true&", "pool_depth?", "data?", "?tour=pooling&step=3&"])
def test_what_says_that_data_are_invented_covers_nothing_before_an_audience(opened, server, path):
    page = opened(1024, 768)
    visit(page, server, f"{path}study=web&present=true")
    badge = page.get_by_text("invented sample data").locator("visible=true")
    expect(badge).to_have_count(1)  # its style hides the other
    on_tour = "tour" in path
    own = box(badge)
    above = page.locator(".st-key-tour-strip") if on_tour else page.get_by_role("button", name="End presentation")
    assert own[3] <= (box(above)[3] if on_tour else 90)
    others = "h1, button, label, [data-testid=stWidgetLabel], .plot, svg.picture, [class*=st-key-the-finding]"
    for other in page.locator(others).all() if not on_tour else []:
        if other.is_visible() and (at := other.bounding_box()):
            left, top, right, foot = at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]
            apart = left >= own[2] or own[0] >= right
            words = other.evaluate("one => one.tagName") == "H1" and right - 11 * 19 <= own[0]
            assert apart or words or top >= own[3] or own[1] >= foot


@pytest.mark.parametrize(
    ("address", "by_truth"),
    [("estimators?study=web", "truth-of-guess"), ("consistency?study=variations", "truth-of-scores"),
     ("fusion?study=variations", "truth-of-fused")],
)  # fmt: skip
def test_what_the_page_found_stays_before_an_audience_where_complete_judgments_come_further_down(
    opened, server, address, by_truth
):
    page = opened(1024, 768)
    visit(page, server, f"{address}&present=true&truth=true")
    expect(page.locator(f".st-key-sub-finding-{by_truth}")).to_be_attached()
    until(lambda: box(page.locator(".st-key-the-finding").first)[1] < 768)
