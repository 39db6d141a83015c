"""Names written as Markdown, in a browser: what stands on the page is the name, whatever Streamlit does."""

import re

import pytest

from tests.hostile.markdown_names import ALLOWED, all_names
from tests.ui.browser.acting import Server
from ui.text import escape

READ = """() => [...document.querySelectorAll('[data-testid=stMarkdownContainer]')].map(one => [
    one.textContent, [...one.querySelectorAll('*')].map(inner => inner.tagName)])"""
DRAWN = """names => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
    && document.querySelectorAll("[data-testid=stMarkdownContainer]").length >= names"""


class NamesServer(Server):
    """A page with nothing but names."""

    app = "tests/hostile/names_page.py"


@pytest.fixture(scope="module")
def written(chromium, tmp_path_factory):
    """What every paragraph shows: (its text, the elements in it)."""
    server = NamesServer(tmp_path_factory.mktemp("names"))
    page = chromium.new_page()
    try:
        page.goto(server.url())
        page.get_by_text("all names are written").wait_for()
        page.wait_for_function(DRAWN, arg=2 * len(all_names()))
        return page.evaluate(READ)
    finally:
        page.close()
        server.stop()


def plain(text):
    """Without what only keeps a name together, its white space as one sees it."""
    return re.sub(r"[\xa0\t\n\r]", " ", text.replace(escape.JOINER, ""))


def test_every_name_stands_on_the_page_as_it_is(written):
    names = all_names()
    assert len(names) > 500
    assert len(written) == 2 * len(names)
    wrong = []
    for name, (alone, in_sentence) in zip(names, zip(written[::2], written[1::2], strict=True), strict=True):
        shown = plain(escape.text(name).replace(escape.JOINER, ""))
        if plain(alone[0]) != shown or plain(in_sentence[0]) != f"system {shown} is {shown} here":
            wrong.append((name, alone[0], in_sentence[0]))
        elif not {*alone[1], *in_sentence[1]} <= ALLOWED:
            wrong.append((name, alone[1], in_sentence[1]))
    assert not wrong, f"{len(wrong)} of {len(names)}: {wrong[:20]}"
