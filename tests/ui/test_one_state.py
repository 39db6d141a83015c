"""Every control of every page in a real browser: address, sentences, tiles, figures and tables show one state."""

import pytest

from tests.ui.test_browser import PAGES, chromium, page, pytestmark, server, settle  # noqa: F401
from ui.layout.menu import NAMED

STATE = """() => {
  const words = (of) => [...document.querySelectorAll(`[data-testid=stMain] ${of}`)].filter((n) => n.checkVisibility()).map((n) => n.innerText)
  return {
    sentences: words("[class*=finding]"),
    tiles: words("[data-testid=stMetric]"),
    controls: [...document.querySelectorAll("[data-testid=stMain] :is([data-testid=stSelectbox], [data-testid=stMultiSelect], [data-testid=stButtonGroup])")]
      .filter((n) => n.checkVisibility()).map((n) => n.innerText + [...n.querySelectorAll("input")].map((i) => i.value) + [...n.querySelectorAll("[aria-checked=true], [aria-pressed=true]")].map((i) => i.innerText)),
    tables: words("[data-testid=stExpander] summary"),
    tabs: words("[role=tab][aria-selected=true]"),
    figures: [...document.querySelectorAll(".plot")].map((n) => n.getAttribute("aria-label")),
    wrong: words("[data-testid=stException]"),
  }
}"""  # noqa: E501
# What a page answers: its words without those of the controls, and the numbers of its drawn figures.
ANSWER = """() => {
  const main = document.querySelector("[data-testid=stMain]"), of = (selector) => [...main.querySelectorAll(selector)]
  const controls = ":is([data-testid=stSelectbox], [data-testid=stMultiSelect], [data-testid=stButtonGroup], [data-testid=stCheckbox], [class*=st-key-plainly])"
  const words = of("[data-testid=stMarkdown], [data-testid=stCaptionContainer], [data-testid=stMetric], summary, [role=alert]")
  const figures = of(".plot").map((one) => JSON.stringify(one.data, (key, of) => (ArrayBuffer.isView(of) ? [...of] : of)))
  return JSON.stringify([words.filter((one) => !one.closest(controls)).map((one) => one.innerText), figures])
}"""  # noqa: E501
PLACES = {
    "select": "[data-testid=stSelectbox]",
    "several": "[data-testid=stMultiSelect]",
    "view": "[data-testid=stButtonGroup]",
    "tab": "[role=tab]",
    "switch": "[data-testid=stCheckbox]",
    "popover": "[data-testid=stPopover]",
}


def state_of(shown):
    settle(shown)
    live = shown.locator(".live").locator(".headline, .detail, .stage, .tiles")  # in a document of its own
    return shown.evaluate(STATE) | {"live": live.all_inner_texts()}


def answer_of(shown):
    live = shown.locator(".live").locator(".headline, .detail, .stage, .tiles, svg")
    return shown.evaluate(ANSWER) + str(live.evaluate_all("all => all.map((one) => one.outerHTML)"))


def comes_to(shown, state):
    """Whether the page comes to this state; figures take a while."""
    for _ in range(20):
        if (now := state_of(shown)) == state:
            return True
        shown.wait_for_timeout(500)
    print({name: [value, state[name]] for name, value in now.items() if value != state[name]})
    return False


def controls(shown, kind):
    """Those of the page that a visitor sees, without those of tables and closed sections."""
    found = shown.locator(f"[data-testid=stMain] {PLACES[kind]}")
    return [found.nth(i) for i in range(found.count()) if found.nth(i).is_visible()]


def change(shown, kind, control):
    """Use a control once."""
    if kind in ("select", "several"):
        for _ in range(5):  # a page that is drawn again closes a list
            control.locator("input").first.click()
            shown.wait_for_timeout(500)
            if shown.locator("[role=option]").count():
                break
        free = shown.locator("[role=option]:not([aria-selected=true])")
        if not free.count():
            shown.keyboard.press("Escape")
            return
        free.first.click()
        if kind == "several":
            shown.keyboard.press("Escape")
    elif kind == "view":
        control.locator("button:not([aria-checked=true])").first.click()
    elif kind == "popover":
        control.locator("button").first.click()
        shown.keyboard.press("Escape")
    elif kind == "tab":
        control.click()
    else:
        control.locator("label").first.click()
    settle(shown)


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("Start", "Methods", "Report")])
def test_each_choice_leaves_one_state_that_its_address_gives_again(chromium, page, server, name):  # noqa: F811
    page.set_default_timeout(60_000)
    path = NAMED[name].removeprefix("pages/").removesuffix(".py")
    page.goto(server.url(f"{path}?study={'variations' if name == 'Consistency' else 'web'}"))
    settle(page)
    for kind in PLACES:
        for number in range(len(controls(page, kind))):
            shown = controls(page, kind)
            if number < len(shown):  # a choice may take another away
                before, answer = page.url, answer_of(page)
                change(page, kind, shown[number])
                if kind in ("select", "several", "view", "switch") and page.url != before:
                    assert any(answer_of(page) != answer or page.wait_for_timeout(500) for _ in range(30)), (
                        f"nothing changes with {kind} {number}: {before} {page.url}"
                    )
                state = state_of(page)
                assert not state["wrong"], (kind, number, page.url)
                assert not page.errors, (kind, number, page.errors)
                if kind == "tab":
                    assert state["tabs"] == [shown[number].inner_text()], "the click on a tab was lost"
                elif kind == "view":
                    assert page.url != before, (kind, number)
    chosen = state_of(page)
    for switch in ("Large text", "Present"):
        page.locator("[data-testid=stSidebar] label", has_text=switch).click()
        settle(page)
    presented = state_of(page)  # some sentences are hidden
    assert presented["live"] == chosen["live"]
    assert set(presented["sentences"]) <= set(chosen["sentences"])
    page.keyboard.press("Escape")  # ends the presentation
    page.wait_for_selector("[data-testid=stSidebar]")
    page.locator("[data-testid=stSidebar] label", has_text="Large text").click()
    page.wait_for_timeout(1000)
    assert comes_to(page, chosen)
    again = chromium.new_page(viewport={"width": 1440, "height": 900})
    again.goto(page.url)
    assert comes_to(again, chosen)
    again.close()


def test_the_depth_stays_in_another_size_and_before_an_audience(page, server):  # noqa: F811
    page.goto(server.url("pool_depth?depth=5"))
    settle(page)
    page.locator("input[type=range]").focus()
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**depth=16*")
    settle(page)
    chosen = state_of(page)
    assert "depth 16" in chosen["live"][0]
    for press in (
        lambda: page.locator("label", has_text="Large text").click(),
        lambda: page.locator("label", has_text="Present").first.click(),
        lambda: page.keyboard.press("Escape"),
    ):
        press()
        page.wait_for_timeout(1000)
        state = state_of(page)
        assert "depth=16" in page.url
        assert state["live"] == chosen["live"]


def test_every_click_on_a_tab_counts(page, server):  # noqa: F811
    page.goto(server.url("judgments"))
    settle(page)
    for number in (1, 2, 0, 2, 1, 0):
        page.locator("[role=tab]").nth(number).click()
        page.wait_for_timeout(1500)
        settle(page)
        assert page.locator("[role=tab]").nth(number).get_attribute("aria-selected") == "true"
        assert f"part={('trust', 'second', 'next')[number]}" in page.url or number == 0


@pytest.mark.parametrize("name", ["confidence", "estimators"])
def test_choices_of_a_view_are_on_the_screen_of_a_phone(chromium, server, name):  # noqa: F811
    page = chromium.new_page(viewport={"width": 390, "height": 844})  # noqa: F811
    page.goto(server.url(name))
    settle(page)
    for button in page.locator("[data-testid=stButtonGroup] button").all():
        assert button.bounding_box()["x"] + button.bounding_box()["width"] <= 390
    page.close()


def test_a_page_says_that_an_upload_was_cut_off_and_that_the_connection_is_lost(page, server, tmp_path):  # noqa: F811
    (tmp_path / "a.run").write_text("1 Q0 d1 1 9 a\n")
    page.goto(server.url("data"))
    settle(page)
    page.route("**/upload_file/**", lambda route: route.abort())
    page.locator("[data-testid=stFileUploader] input").first.set_input_files(tmp_path / "a.run")
    said = page.locator("#not-received")
    said.filter(has_text="The upload of a.run was cut off").wait_for()
    page.context.set_offline(True)
    said.filter(has_text="The connection to Poolscope is lost").wait_for()
    page.context.set_offline(False)
    said.filter(has_text="The upload of a.run was cut off").wait_for()
