"""The figures that Plotly draws: when they are seen, in place, and with what a pointer does to them."""

import pytest

from tests.ui.browser.acting import act, box, choose, expect, finished, go, in_address, until, visit

DRAWN = "place => place.dataset.drawn === place.dataset.wanted"


def leaderboard(page):
    """The figure of the page Scores."""
    return page.locator(".st-key-leaderboard .plot")


def test_a_row_answers_over_its_whole_height_and_width_and_a_click_shows_its_system(page, server):
    """In sight, where it stays while the pictures are drawn, until the visitor goes back."""
    visit(page, server, "confidence?study=web")
    go(page, "Scores")
    expect(page.locator("h1")).to_be_focused()  # with the page
    drag = leaderboard(page).locator(".nsewdrag").first
    drag.scroll_into_view_if_needed()
    left, top, right, _ = box(drag)
    label = leaderboard(page).locator(".hovertext")
    page.mouse.move(left, top + 5)
    of_the_first, shown = label.text_content(), []
    for far in range(40):
        page.mouse.move(left + 0.97 * (right - left), top + 50 + far)
        expect(label).not_to_have_text(of_the_first or "")  # it follows the pointer a little later
        shown.append(label.text_content())
    assert 3 <= len({*shown}) <= 4  # a row of 15 pixels says the same at each of them
    act(page, lambda: page.mouse.click(left + 0.97 * (right - left), top + 50))
    opens_its_system(page)
    for mark in (".barlayer .trace:first-child .point path", ".scatterlayer .trace:first-child .points path"):
        act(page, page.go_back)
        expect(page.locator(".st-key-system")).to_be_hidden()
        row = leaderboard(page).locator(mark).nth(3)
        row.scroll_into_view_if_needed()
        left, top, right, foot = box(row)
        act(page, lambda right=right, top=top, foot=foot: page.mouse.click(right - 2, (top + foot) / 2))
        opens_its_system(page)


def opens_its_system(page):
    """Whether a click opened the section of a system, which stays at the top of the page."""
    in_address(page, "system=")
    in_address(page, "open=system")
    until(lambda: 0 < box(page.locator(".st-key-system"))[1] < 100)
    finished(page)
    until(lambda: 0 < box(page.locator(".st-key-system"))[1] < 100)  # also once the pictures are drawn


def test_a_picture_is_drawn_when_it_is_seen_and_changes_in_place(page, server):
    visit(page, server, "scores?study=web&open=system&open=topic")
    plots = page.locator(".plot")
    first, below = plots.first, plots.last
    assert plots.count() == 3
    assert first.evaluate(DRAWN)
    assert not below.locator(".main-svg").count()
    left, top, _, _ = box(first.locator(".nsewdrag").first)
    page.mouse.move(left + 300, top + 200)
    page.mouse.down()
    page.mouse.move(left + 200, top + 200, steps=5)
    page.mouse.up()
    until(lambda: first.evaluate("place => place.layout.xaxis.range[0]") > 0)
    moved = first.evaluate("place => place.layout.xaxis.range[0]")
    first.locator(".main-svg").first.evaluate("drawn => { window.before = drawn }")
    title = first.locator(".xtitle").text_content()
    choose(page, "Judgments", 3)
    in_address(page, "depth=3")
    assert first.locator(".xtitle").text_content() == title
    assert first.evaluate("place => place.layout.xaxis.range[0]") == moved
    choose(page, "Metric", 2)
    expect(first.locator(".xtitle")).not_to_have_text(title)
    assert first.evaluate("place => place.layout.xaxis.range[0]") == 0  # another axis begins again
    assert first.locator(".main-svg").first.evaluate("drawn => drawn === window.before")
    below.scroll_into_view_if_needed()
    finished(page)
    assert below.locator(".main-svg").count()
    go(page, "Judgments")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    until(lambda: all(plot.locator(".main-svg").count() for plot in plots.all() if plot.is_visible()))

    for scheme, colour in (("dark", "rgb(244, 247, 250)"), ("light", "rgb(27, 39, 51)")):  # and in other colours
        page.emulate_media(color_scheme=scheme)
        expect(plots.first.locator(".ytick text").first).to_have_css("fill", colour)


ASKED_FIRST = {
    "aborted": lambda route: route.abort(),
    "missing": lambda route: route.fulfill(status=404, body="Not Found"),
    "cut off": lambda route: route.fulfill(body="(function (", content_type="text/javascript"),
}


@pytest.mark.parametrize("how", ASKED_FIRST)
def test_pictures_are_drawn_where_their_library_comes_when_it_is_asked_for_again(opened, server, how):
    page = opened(1024, 768, own=True)  # which has nothing of the library yet
    page.route("**/plotly-*.min.js", ASKED_FIRST[how], times=1)
    visit(page, server, "consistency?study=variations")
    picture = page.locator(".plot").first
    assert picture.locator("svg.main-svg").count()
    assert picture.get_attribute("aria-label") not in picture.text_content()
    assert [error for error in page.errors if "Unexpected end" not in error] == []
    page.errors.clear()  # of the script that was cut off


def test_a_picture_that_had_no_width_at_first_is_drawn_when_it_has(opened, server):
    page = opened(1024, 768)
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {
      const none = document.createElement("style")
      none.id = "none"
      none.textContent = ".plot { width: 0 !important }"
      document.head.append(none)
    })""")
    visit(page, server, "consistency?study=variations")
    page.wait_for_function("window.Plotly && document.querySelector('.plot[data-wanted]')")
    assert not page.locator(".plot svg").count()
    page.evaluate("document.querySelector('#none').remove()")
    expect(page.locator(".plot svg.main-svg").first).to_be_attached()


def test_one_figure_is_shown_alone(page, server):
    """Nothing else of the page; no figure of uploaded files; and a key that no figure has shows nothing."""
    visit(page, server, "scores?study=web")
    key = page.locator(".plot").first.evaluate(
        "plot => plot.closest('[class*=st-key-]').className.match(/st-key-([\\w-]+)/)[1]"
    )
    visit(page, server, f"scores?study=web&embed=1&figure={key}")
    assert page.locator(".plot:visible .main-svg").count() > 0
    assert page.locator(".plot:visible").count() == 1
    assert not page.locator("h1:visible, .finding:visible, [data-testid=stSidebar]:visible").count()
    visit(page, server, "scores?study=web&embed=1&figure=nothing")
    assert page.locator("h1").count() == 1
    assert not page.locator(".plot:visible, h1:visible").count()
    visit(page, server, f"scores?study=files&embed=1&figure={key}")
    expect(page.get_by_text("A figure of uploaded files is never shown alone")).to_be_visible()


def test_a_page_that_opens_is_never_blank(opened, server):
    """Neither before Streamlit's script runs, nor before the server's first word."""
    page = opened(1024, 768)
    page.route("**/static/js/**", lambda route: route.abort())
    page.goto(server.url("consistency?study=variations"))
    expect(page.locator("#opening")).to_have_text("Poolscope is opening …")
    page.unroute("**/static/js/**")
    page.route_web_socket("**/_stcore/stream", lambda silent: None)
    page.goto(server.url("consistency?study=variations"))
    page.wait_for_selector("[data-testid=stAppSkeleton]")
    left, top, right, foot = box(page.locator("#opening"))
    there = f"document.elementFromPoint({(left + right) / 2}, {(top + foot) / 2})?.id === 'opening'"
    page.wait_for_function(there)
    page = opened(1024, 768)
    visit(page, server, "consistency?study=variations")
    assert not page.locator("#opening").count()


def test_a_dot_of_a_track_opens_the_track(page, server):
    visit(page, server, "tracks?study=web")
    picture = page.locator(".st-key-over_tracks .plot")
    dot = picture.locator(".scatterlayer .points path").first  # the largest share of certain pairs
    dot.scroll_into_view_if_needed()
    left, top, right, foot = box(dot)
    act(page, lambda: page.mouse.click((left + right) / 2, (top + foot) / 2))
    expect(page.locator("h1")).to_have_text("What does deeper judging show?")
    in_address(page, "study=newswire")
    act(page, page.go_back)
    expect(page.locator("h1")).to_have_text("Does it hold on other collections?")
