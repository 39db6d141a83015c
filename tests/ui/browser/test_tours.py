"""Tours: what a step speaks of is in sight below its words, on every screen, however one comes to it."""

import re

import pytest

from tests.ui.browser.acting import act, box, expect, finished, in_address, press, until, visit
from ui.tours.tours import TOURS

WORDS = ".st-key-tour-strip"
SPOKEN_OF = {4: "swaps", 6: "newcomer"}  # the sentences that steps of the pooling tour speak of
# How much of each picture is in sight below the words of the step, in pixels; at the top of the page without words.
IN_SIGHT = """() => {
  const words = document.querySelector(".st-key-tour-strip").parentElement.getBoundingClientRect().bottom
  const hosts = [...document.querySelectorAll("*")].filter((one) => one.shadowRoot)
  const inside = hosts.flatMap((one) => [...one.shadowRoot.querySelectorAll("svg.picture")])
  return [...document.querySelectorAll(".plot, [data-testid=stDataFrame]"), ...inside].map((one) => {
    const box = one.getBoundingClientRect()
    return Math.min(innerHeight, box.bottom) - Math.max(0, words, box.top)
  })
}"""


def step_is(page, number):
    """Wait for a step of the tour."""
    expect(page.get_by_text(f"step {number} of")).to_be_visible()


def words_are_above(page, part):
    """Wait until the words of the step are at the top, and this part of the page right below them."""

    def are():
        words, below = box(page.locator(WORDS)), box(page.locator(part).first)
        return 0 <= words[1] < words[3] <= below[1] + 10

    until(are, page)


def shows_a_picture(page):
    """Wait until a picture is in sight below the words."""
    until(lambda: max(page.evaluate(IN_SIGHT), default=0) > 100)


@pytest.mark.parametrize("name", TOURS)
def test_every_step_shows_the_picture_that_it_speaks_of(opened, server, name):
    """On a small screen, below its words, one step after the other by a key; where the track cannot show it, the page
    begins at its top."""
    page = opened(1024, 768)
    study = "variations" if "bailey" in name else "web"
    visit(page, server, f"?study={study}&tour={name}&step=1")
    for number, step in enumerate(TOURS[name].steps, 1):
        step_is(page, number)
        if step.part:
            page.locator(f".st-key-{step.part}").first.wait_for()
            if step.page != "pages/data.py":  # where the checks come before the map
                shows_a_picture(page)
            words_are_above(page, f".st-key-{step.part}")
            if step.then:
                act(page, page.get_by_role("button", name="Show the second picture").click, runs_script=False)
                until(lambda then=f".st-key-{step.then}": box(page.locator(then))[1] < 768 - 100)
                words_are_above(page, f".st-key-{step.then}")
        if number < len(TOURS[name].steps):
            press(page, "PageDown")


def test_a_step_begins_at_its_top_wherever_its_button_was(opened, server):
    page = opened(1024, 768)
    visit(page, server, "?study=web")
    act(page, page.get_by_role("button", name="Pooling in ten minutes").click)
    for step in (1, 2, 3):
        step_is(page, step)
        until(lambda: box(page.locator(WORDS))[1] >= 0)
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 400)")
        press(page, "PageDown")
    step_is(page, 4)


@pytest.mark.parametrize("step", [4, 6])
def test_a_step_opens_what_it_speaks_of_and_escape_leaves_the_reader_there(opened, server, step):
    """Below its words, with the axis or the legend of the picture, by its address and by a key."""
    page, said = opened(1024, 768), f".st-key-sub-finding-{SPOKEN_OF[step]}"
    for start in (step, step - 1):
        visit(page, server, f"?study=web&tour=pooling&step={start}&present=true")
        if start < step:
            step_is(page, start)
            press(page, "PageDown")
        step_is(page, step)
        words_are_above(page, said)
        until(lambda: box(page.locator(said))[1] < 200)
        foot = page.locator(f".st-key-panels-{ {4: 'slopes', 6: 'newcomer'}[step] } :is(.legendtext, .xtitle)").last
        until(lambda foot=foot: box(foot)[3] <= 768)
    press(page, "Escape")
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()
    words_are_above(page, said)
    until(lambda: box(page.locator(said))[1] < box(page.locator(WORDS))[3] + 100)


@pytest.mark.parametrize(
    ("role", "name"), [("button", "mainly the first"), ("switch", "Compare with complete judgments")]
)
def test_a_choice_that_has_the_focus_leaves_a_tour_its_keys(page, server, role, name):
    visit(page, server, "?tour=pooling&study=web&step=7")
    page.get_by_role(role, name=name).or_(page.get_by_role("checkbox", name=name)).first.focus()
    press(page, "PageUp")
    step_is(page, 6)


def test_the_pooling_tour_is_walked_and_left_by_keys_alone(page, server):
    """There and back, to its end; the last step ends by the key of the next one, too."""
    visit(page, server, "?tour=pooling&study=web")
    step_is(page, 1)
    press(page, "PageDown")
    page.wait_for_url("**/pool_depth?*step=2*")
    press(page, "PageDown")
    page.wait_for_url("**/pool_depth?*step=3*")
    expect(page.locator(".stage")).to_have_text("10")
    press(page, "PageUp")
    page.wait_for_url("**step=2*")
    expect(page.locator(".finding")).to_contain_text("depth 1")
    for step in range(3, 8):
        press(page, "PageDown")
        step_is(page, step)
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.innerText") == "End the tour":
            break
    press(page, "Enter")
    expect(page.locator(WORDS)).to_have_count(0)
    page.wait_for_url(lambda url: "tour=" not in url)

    visit(page, server, "?tour=pooling&study=web&step=7&present=true")
    press(page, "PageDown")
    expect(page.get_by_role("heading", name="What is this, and what can it show me?")).to_be_visible()
    expect(page.locator(WORDS)).to_have_count(0)
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()
    assert not re.search("tour=|step=|present=", page.url)


def test_a_step_is_shown_where_it_belongs_once_a_track_has_it(opened, server):
    page = opened(1024, 768)
    visit(page, server, "?study=web&tour=bailey-moffat-scholer-thomas&step=8")
    act(page, page.get_by_role("button", name="Open a suitable sample").click)
    shows_a_picture(page)
    words_are_above(page, ".st-key-open-fusion_by_count")


@pytest.mark.parametrize(
    ("study", "tour", "step"), [("web", "pooling", 3), ("variations", "bailey-moffat-scholer-thomas", 8)]
)
def test_a_phone_goes_to_what_a_step_speaks_of(opened, server, study, tour, step):
    page = opened(390, 844)
    part = page.locator(f".st-key-{TOURS[tour].steps[step - 1].part}")
    visit(page, server, f"?study={study}&tour={tour}&step={step}")
    assert box(part)[1] > 400
    act(page, page.get_by_role("button", name="Show it").click, runs_script=False)
    until(lambda: abs(box(part)[1] - 60) < 10)
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(page.get_by_role("button", name="Show it")).to_be_hidden()


def test_before_an_audience_the_pair_that_is_named_is_among_the_rows(page, server):
    visit(page, server, "?study=web&tour=pooling&step=7&present=true")
    said = page.locator(".st-key-sub-finding-truth").inner_text()
    pair = re.search(r"The clearest: (\S+) leads (\S+) by", said).groups()
    rows = page.locator(".ytick text")
    expect(rows).to_have_count(10)
    assert all(name in " ".join(rows.all_text_contents()) for name in pair)


def test_a_step_of_a_paper_opens_its_folds(page, server):
    visit(page, server, "?study=web&tour=lu-moffat-culpepper&step=3")
    in_address(page, "open=rank_models&open=coverage")
    opened = page.locator("details[open]", has_text="A topic's gains by rank, and the curves fitted to them")
    opened.locator(".plot").first.wait_for()
    words_are_above(page, ".st-key-open-rank_models")
    until(lambda: box(page.locator(".st-key-open-rank_models"))[1] < 400, page)


def test_a_section_that_an_answer_names_is_opened_at_its_head(page, server):
    visit(page, server, "methods?study=web")
    act(page, page.locator("summary").first.click, runs_script=False)
    act(page, page.get_by_role("button", name="3.14", exact=True).click)
    head = page.locator(".st-key-section-3-14")
    until(lambda: 0 < box(head)[1] < 120)
    in_address(page, "shown=defined")
    finished(page)
    until(lambda: 0 <= box(head)[1] < 120)  # also once the formulas are drawn
