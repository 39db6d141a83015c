"""The live picture of Pool depth: it follows its slider in the browser, and the page follows when it is let go."""

import math
import re
from itertools import pairwise

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.ui.browser.acting import (
    act,
    box,
    expect,
    finished,
    in_address,
    part,
    press,
    runs,
    until,
    visit,
)

SHOWS_POOL = "pool_depth?study=web"


def stays(page, what):
    """Act in the browser: the script does not run."""
    before = runs(page)
    act(page, what, runs_script=False)
    assert runs(page) == before


def test_the_picture_follows_the_slider_before_it_is_let_go(page, server):
    """With pinned systems outlined, hidden ones left out, and those that could still be first among the rows."""
    visit(page, server, f"{SHOWS_POOL}&depth=10&most=10&pin=indigo-dense&hide=lumen-prf")
    names = [one for one in page.locator(".row .name").all_text_contents() if one]
    assert [name.split("  ")[1] for name in names if "①" in name] == ["① indigo-dense"]
    assert page.locator(".row .pin").count() == 1
    drawn = page.locator(".row:visible")
    expect(drawn).to_have_count(10)
    assert not any("lumen-prf" in name for name in drawn.locator(".name").all_text_contents())

    visit(page, server, f"{SHOWS_POOL}&depth=10&most=10")
    expect(page.locator("[class*=st-key-details-live]")).to_contain_text("6 other systems could still be first")
    ranks = [int(name.split()[0]) for name in page.locator(".row:visible .name").all_text_contents()]
    assert len(ranks) == 10
    assert sum(rank > 10 for rank in ranks) >= 3  # none of the six is among the ten with the highest scores
    with_line = page.locator(".row:visible", has=page.locator(".jump:not([style*=none])")).locator(".name")
    jumps = {then for rank, then in pairwise(sorted(ranks)) if then > rank + 1}
    assert {int(name.split()[0]) for name in with_line.all_text_contents()} == jumps != set()

    visit(page, server, f"{SHOWS_POOL}&depth=10")
    three = round(950 * math.log(3) / math.log(20))  # the slider is logarithmic, down to a pool of 20
    move = "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')) }"
    stays(page, lambda: page.locator("input.slider").evaluate(move, three))
    expect(page.locator(".finding")).to_contain_text("At depth 3, ")
    assert "depth=10" in page.url
    assert page.locator(".row").count() == page.locator(".row .dot").count() > 10


def test_the_numbers_follow_the_picture_while_it_plays_to_the_end(page, server):
    visit(page, server, f"{SHOWS_POOL}&depth=1")
    live = page.locator(".live")
    live.locator(".speed").select_option("5")
    before = runs(page)
    live.locator(".play").click()
    both = "all => [all.querySelector('.stage').textContent, all.querySelector('.tiles').innerText]"
    seen = {}
    while live.locator(".play").get_attribute("aria-pressed") == "true":
        depth, numbers = live.evaluate(both)
        judged = re.search(r"Judgments\s+([\d,]+)", numbers)[1]
        assert seen.setdefault(depth, judged) == judged  # one number for each depth
    assert len(set(seen.values())) > 5
    finished(page, before)
    in_address(page, "depth=all")
    assert page.locator(".stage").inner_text() == "all"
    expect(page.get_by_text("Every system · with all judgments")).to_be_visible()
    assert page.locator("[data-testid=stMetric]").count() == 0  # no number stays behind elsewhere


def test_a_second_move_of_the_slider_counts_before_the_address_of_the_first_has_come(page, server):
    held, slow, ended = [], False, 0

    def hold_back(line):
        server_side = line.connect_to_server()
        server_side.on_message(lambda message: held.append((line, message)) if slow else line.send(message))

    page.route_web_socket(lambda url: "_stcore/stream" in url, hold_back)
    visit(page, server, f"{SHOWS_POOL}&depth=10")
    page.locator("input.slider").focus()
    before, slow = runs(page), True
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
        while len(runs_ended(held)) == ended:  # which the browser does not hear of
            page.wait_for_timeout(20)
        ended = len(runs_ended(held))
    assert "depth=10" in page.url
    slow = False
    for line, message in held:
        line.send(message)
    finished(page, before + 1)
    in_address(page, "depth=2")
    assert page.locator(".stage").inner_text() == "2"


def runs_ended(held):
    """The messages among these that end a run of the script."""
    return [one for _, one in held if ForwardMsg.FromString(one).WhichOneof("type") == "script_finished"]


def test_complete_judgments_are_marked_while_the_depth_moves(page, server):
    visit(page, server, f"{SHOWS_POOL}&depth=1")
    assert page.locator("rect.truth").count() == page.locator(".legend .truth:visible").count() == 0
    act(page, page.locator(".st-key-truth").get_by_text("Compare with complete judgments").click)
    assert page.locator("rect.truth").count() == page.locator(".row").count() > 0
    assert page.locator(".legend .truth").inner_text() == "with complete judgments"
    shallow = page.locator(".truth-said").inner_text()
    assert "system pairs are swapped" in shallow
    page.locator("input.slider").focus()
    press(page, "End")
    expect(page.locator(".truth-said")).not_to_have_text(shallow)
    in_address(page, "truth=true")


def test_a_row_is_read_by_keyboard_and_found_by_a_part_of_its_name(page, server):
    """And the slider stays in sight, however far down the picture goes."""
    visit(page, server, "pool_depth")
    page.locator("svg.picture").focus()
    for _ in range(2):
        stays(page, lambda: page.keyboard.press("ArrowDown"))
    expect(page.locator(".readout")).to_contain_text("rank 2")
    assert page.locator(".row.focus").count() == 1
    stays(page, lambda: page.keyboard.press("Escape"))

    name = page.locator(".row .name").nth(4).text_content()
    stays(page, lambda: page.locator(".find").fill(name.upper()))
    expect(page.locator(".readout")).to_contain_text(f"{name} (rank ")
    alike = sum(name in other for other in page.locator(".row .name").all_text_contents())
    assert page.locator(".row.aside").count() == page.locator(".row").count() - alike
    stays(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".row.focus .name")).to_have_text(name)

    page.locator("svg.picture").evaluate("picture => picture.scrollIntoView({block: 'end'})")
    page.locator("svg.picture").evaluate("picture => document.querySelector('[data-testid=stMain]').scrollBy(0, 100)")
    until(lambda: box(page.locator("svg.picture"))[1] < 100 and 0 <= box(page.locator("input.slider"))[1] < 200)


def test_the_depth_stays_in_another_size_and_before_an_audience(page, server):
    visit(page, server, "pool_depth?depth=5")
    page.locator("input[type=range]").focus()
    press(page, *["ArrowRight"] * 3)
    in_address(page, "depth=8")
    finds_depth = page.locator(".live .headline")
    expect(finds_depth).to_contain_text("depth 8")
    chosen = page.locator(".live").locator(".headline, .detail, .stage, .tiles").all_inner_texts()
    for change in (
        page.locator("label", has_text="Large text").click,
        page.locator("label", has_text="Present").first.click,
        lambda: page.keyboard.press("Escape"),
    ):
        act(page, change)
        assert "depth=8" in page.url
        assert page.locator(".live").locator(".headline, .detail, .stage, .tiles").all_inner_texts() == chosen


def plays(page):
    """Play, until the depth that it began at is passed. -> the depth, which still goes on"""
    page.locator(".live .speed").select_option("24")
    began = page.locator(".stage").inner_text()
    page.locator(".live .play").click()
    expect(page.locator(".stage")).not_to_have_text(began)
    return int(page.locator(".stage").inner_text())


def depth_in(page):
    """The depth in the address, 0 without one."""
    return int((re.search(r"depth=(\d+)", page.evaluate("location.href")) or [0, 0])[1])


def ends_presentation(page):
    page.keyboard.press("Escape")


def enlarges(page):
    page.locator("label", has_text="Large text").click()


def goes_to_scores(page):
    page.get_by_role("link", name="Scores", exact=True).first.click()


@pytest.mark.parametrize("leaves", [ends_presentation, enlarges, goes_to_scores])
def test_the_depth_at_which_play_is_left_stays(page, server, leaves):
    visit(page, server, f"{SHOWS_POOL}&depth=1")
    if leaves is ends_presentation:
        act(page, page.locator("label", has_text="Present").first.click)
    before, reached = runs(page), plays(page)
    leaves(page)
    until(lambda: depth_in(page) >= reached > 1, page)
    finished(page, before)
    if leaves is goes_to_scores:
        expect(part(page, "depth")).to_have_text(f"pool depth {depth_in(page)}")
        assert "/scores" in page.url
    else:
        expect(page.locator(".stage")).to_have_text(str(depth_in(page)))
        expect(page.locator(".live .play")).to_have_attribute("aria-pressed", "false")


def test_the_toy_follows_its_slider(page, server):
    visit(page, server)
    expect(page.locator(".toy .finding")).to_contain_text("Two of six")
    page.locator(".toy input.slider").focus()
    stays(page, lambda: page.keyboard.press("ArrowRight"))
    expect(page.locator(".toy .finding")).to_contain_text("Four of six")
    assert page.locator(".toy .card.unread").count() == 3 * 2 + 1  # and the one of the legend


def test_a_step_that_shows_the_slider_leaves_the_tour_its_keys(page, server):
    for step in (1, 3):
        visit(page, server, f"?tour=pooling&study=web&step={step}")
        page.locator("input.slider").focus()
        stays(page, lambda: page.keyboard.press("ArrowRight")) if step == 1 else press(page, "ArrowRight")
        press(page, "PageDown")
        in_address(page, f"step={step + 1}")
    # the depth that was dragged to is that step's
    expect(page.get_by_role("combobox", name="Judgments")).to_have_value("all judgments")
