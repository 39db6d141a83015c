"""Tasks of the browser: copy the address, focus the title of a new page, scroll to what a click or a tour opened, close
the menu on a phone when a page was chosen, and preload the plotting library."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from ui.components import plotly_component
from ui.data import study_choice
from ui.session import memory

HTML = '<button class="copy" type="button">Copy link</button><span class="done" role="status"></span>'
CSS = """
.copy {
  font: inherit; color: var(--st-text-color); background: var(--st-background-color); cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: 6px; padding: 0.3rem 0.8rem;
}
.copy:hover, .copy:focus-visible { border-color: var(--st-primary-color); outline: 2px solid var(--st-primary-color); }
.done { margin-left: 0.6rem; color: var(--st-text-color); }
"""


WAY = """export default ({ parentElement: root, data }) => {
  root.querySelector(".copy").onclick = () => {
    const part = document.querySelector(`.st-key-${data}`), main = document.querySelector("[data-testid=stMain]")
    const words = document.querySelector(".st-key-tour-strip:has(.st-key-tour-stays)")?.parentElement
    const above = words && innerWidth > 640 ? words.offsetHeight : 60
    if (part) main.scrollBy(0, part.getBoundingClientRect().top - main.getBoundingClientRect().top - above)
  }
}"""


@cache
def component() -> Callable[..., Any]:
    """The component, registered once."""
    return st.components.v2.component(
        "poolscope.browser", html=HTML, css=CSS, js=plotly_component.with_library("browser.js")
    )


@cache
def way(label: str) -> Callable[..., Any]:
    """The way to a part of the page, registered once."""
    html = f'<button class="copy" type="button">{label}</button>'
    return st.components.v2.component(f"poolscope.{label.replace(' ', '-').lower()}", html=html, css=CSS, js=WAY)


def way_to(part: str) -> None:
    """A button that scrolls to the part of the page with this key; shown on phones only, where a step's words fill the
    screen."""
    with st.container(key="tour-part"):
        way("Show it")(data=part, key="way")


def show(page: str) -> None:
    """Draw the button that copies the address, and start the other tasks. page : the open page"""
    reached = {"step": memory.get("tour"), "clicked": memory.get("opened-by-click")}
    reached["presented"] = memory.presenting()  # the page is laid out again where a presentation begins or ends
    reached["opens"] = memory.get("tour-opens") if reached["step"] else ""
    without = " The link does not contain your files." if study_choice.name() == "files" else ""
    component()(data={"page": page, "copied": f"Copied.{without}", **reached}, key="browser")
