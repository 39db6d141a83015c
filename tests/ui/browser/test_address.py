"""Addresses and the way back: each action of a visitor is an entry, and an address gives what it names."""

import re

import pytest

from tests.ui.browser.acting import (
    Server,
    act,
    choose,
    expect,
    finds,
    finished,
    go,
    in_address,
    part,
    press,
    until,
    visit,
)


def test_a_deep_link_on_a_fresh_server(page, tmp_path):
    fresh = Server(tmp_path)
    try:
        visit(page, fresh, "pool_depth?study=web&depth=5&metric=P%4010")
        assert "At depth 5, " in page.locator(".finding").inner_text()
        assert page.locator(".stage").inner_text() == "5"
        assert page.locator(".dot-name").text_content() == "score"
        expect(page.locator("text.title")).to_contain_text("score (P@10)")
        assert page.get_by_role("link", name="Scores", exact=True).count()
    finally:
        fresh.stop()


def test_back_undoes_one_choice(page, server):
    visit(page, server, "scores?study=web")
    measure, judgments = part(page, "metric"), part(page, "depth")
    first = measure.inner_text()
    choose(page, "Metric", 2)
    second = measure.inner_text()
    assert second != first
    before = page.evaluate("history.length")
    choose(page, "Judgments", 3)
    assert page.evaluate("history.length") == before + 1
    for undone in (second, first):
        act(page, page.go_back)
        expect(measure).to_have_text(undone)
        expect(judgments).to_have_text("all judgments")


def test_a_named_section_opens_at_its_place_and_back_leads_to_the_page_as_it_was(page, server):
    visit(page, server, "scores?study=web&metric=P%4010&depth=5")
    act(page, page.locator(".st-key-definitions button").click, runs_script=False)
    act(page, page.get_by_role("link", name=re.compile(r"^4\.5 ")).click)
    in_address(page, "section=4.5")
    until(lambda: 0 < page.locator(".st-key-section-4-5").bounding_box()["y"] < 150, page)
    act(page, page.go_back)
    expect(part(page, "depth")).to_contain_text("pool depth 5")
    assert "metric=P%4010" in page.url


def test_a_search_is_one_step_of_the_history(page, server):
    visit(page, server, "scores?study=web")
    go(page, "Methods")
    before = page.evaluate("history.length")
    field = page.locator(".st-key-search input")
    for word in ("certain", " pair"):  # each typed after a pause
        act(page, lambda word=word: field.press_sequentially(word))
    in_address(page, "search=certain+pair")
    assert page.evaluate("history.length") == before
    act(page, page.locator(".st-key-found-section-8-5 button").click)
    until(lambda: 0 < page.locator(".st-key-section-8-5").bounding_box()["y"] < 150, page)
    act(page, page.go_back)
    expect(field).to_have_value("certain pair")


def test_what_is_assumed_is_in_the_address(page, server):
    visit(page, server, "scores?empty=not+relevant&gains=cubic")
    go(page, "Data")
    in_address(page, "empty=not+relevant")
    assert "gains" not in page.url
    act(page, page.get_by_text("Change assumptions").click, runs_script=False)
    assert page.get_by_role("combobox", name="Unfilled ranks").input_value() == "not relevant"
    visit(page, server, "scores?system=nobody")
    assert "“nobody” (system), which is not available here" in page.get_by_role("alert").first.inner_text()


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
    assert page.evaluate("history.length") == 2
    page.go_back()
    assert page.url == "about:blank"


def test_the_way_back_has_an_entry_for_each_step_of_a_tour_and_each_page(page, server):
    visit(page, server, "?tour=pooling&study=web&step=3")
    page.wait_for_url("**/pool_depth?*")
    before = page.evaluate("history.length")
    for step, path in ((4, "orderings"), (5, "new_systems"), (6, "new_systems")):
        press(page, "PageDown")
        is_at(page, step, path)
    assert page.evaluate("history.length") == before + 3
    for step, path in ((5, "new_systems"), (4, "orderings"), (3, "pool_depth")):
        act(page, page.go_back)
        is_at(page, step, path)
    act(page, page.go_forward)
    is_at(page, 4, "orderings")
    before = page.evaluate("history.length - 2")  # two steps lie ahead, and go where one takes another way
    act(page, page.get_by_role("button", name="End the tour").click)
    go(page, "Scores")
    assert page.evaluate("history.length") == before + 2


def is_at(page, step, path):
    """Whether the page shows a step of the tour, also in its address."""
    expect(page.get_by_text(f"step {step} of")).to_be_visible()
    page.wait_for_url(f"**/{path}?*step={step}*")


def test_every_click_on_a_tab_counts(page, server):
    visit(page, server, "judgments")
    for number in (1, 0, 1, 0):
        tab = page.locator("[role=tab]").nth(number)
        act(page, tab.click)
        expect(tab).to_have_attribute("aria-selected", "true")
        if number:  # the first goes without saying
            in_address(page, "part=next")


def test_setups_and_sections_of_an_address_are_compared(page, server):
    """A section that is opened is drawn, also where an address chose what it compares."""
    visit(page, server, "estimators?study=web&guesses=lower&guesses=rm")
    finds(page, re.compile("best guess|no guess|guesses are"))
    act(page, page.locator(".st-key-open-coverage summary").click)
    finds(page, "pass the gamma test", "sub-finding-coverage")
    visit(page, server, "orderings?study=web&regimes=depth%3D5+%7C+AP&regimes=AP")
    finds(page, "the two ways of scoring")
    act(page, page.locator(".st-key-open-verdicts summary").click)
    page.locator(".st-key-panels-verdicts").first.scroll_into_view_if_needed()
    finished(page)
    assert page.locator(".st-key-panels-verdicts .heatmaplayer").count()


def test_a_stopped_experiment_goes_on_and_stays(page, server):
    visit(page, server, "new_systems?study=newswire&metric=INST(T%3D1)")  # long enough to be stopped
    page.get_by_text("Webber and Park's experiment").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The results so far are kept")).to_be_visible()
    act(page, page.get_by_role("button", name="Continue").click)
    expect(page.get_by_text("a new system's mean error")).to_be_visible()
    choose(page, "Left out", 1)
    finds(page, "a group outside the pool")
    assert page.get_by_text("a new system's mean error").count() == 1
    assert not page.get_by_text("encountered an error").count()
