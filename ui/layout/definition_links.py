"""What opens the sections of METHODS where the numbers of a page are defined."""

import contextlib

import streamlit as st

import evalcore
from ui.layout.menu import NAMED, PAGES
from ui.session import memory, url_state
from ui.text import definitions
from ui.text.escape import md

METHODS = "pages/methods.py"
OF_METHODS = ("search", "section", "shown", "chapter")  # in the address of Methods
NOT_CARRIED = ("open", *OF_METHODS)  # the page that has these sections stays in the browser's history


def keep_place() -> None:
    """Keep the place of the line, at the end of the page's first section; not before an audience."""
    if not memory.presenting():
        memory.put("definitions", st.container(key="definitions"))


def draw() -> None:
    """Draw the links where `keep_place` was called; at the end of a run, when the address has all choices."""
    place = memory.get("definitions")
    memory.put("definitions", None)
    page = PAGES[NAMED[memory.get("page")]]
    if place:
        opened = place.popover("How these numbers are defined", type="tertiary")
        _links(opened, [*_of_metric(), *page.defined.split()])
        opened.markdown("Further down this page:")
        _links(opened, page.also_defined.split())


def _links(place, numbers):
    address = {name: values for name, values in url_state.everything().items() if name not in NOT_CARRIED}
    for number in numbers:
        section, title = {**address, "section": [number]}, definitions.sections()[number].title
        place.page_link(METHODS, label=f"{number} {md(title)}", query_params=section)


def _of_metric():
    """The section of the metric that the page uses; a list."""
    with contextlib.suppress(ValueError):  # an unknown name is refused where it is used
        if name := memory.get("settled").get("metric"):
            return [evalcore.metric(name).family.section]
    return []


def leave_choices() -> None:
    """Leave the choices of other pages in the address of this page, without a remark that it does not use them."""
    for page in PAGES.values():
        for name in (*page.choices.split(), "chosen"):
            url_state.values_of(name)


def arrive() -> None:
    """Let the browser scroll to the section that the address of Methods names; before the browser gets its tasks."""
    arrives = memory.get("page") == "Methods" and memory.get("just-arrived")
    if arrives and (number := url_state.value_of("section")) in definitions.sections():
        scroll_to(str(number))


def scroll_to(number: str) -> None:
    """Scroll to the section with this number once it is drawn."""
    times = memory.get("sections-opened", 0) + 1
    memory.put("sections-opened", times)
    memory.put("opened-by-click", [key_of(number), times])


def key_of(number: str) -> str:
    """Key of a section's container on Methods."""
    return f"section-{number.replace('.', '-')}"
