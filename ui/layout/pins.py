"""Find systems, and pin them: pinned ones are shown, named and outlined in every picture and marked in every table."""

import streamlit as st

from evalcore.study.study import Study
from ui.components import choices
from ui.session import memory
from ui.views.traces import NAMES_UP_TO, PINS

MOST_AT_FIRST = 20  # systems in a picture of a track that has no room for all names
NOTE = "Pinned systems are shown, named and outlined in every figure, and marked in every table, on all pages."


def choose(study: Study) -> None:
    """The search for systems, for the sidebar; and, where not all names have room, whether all systems are shown."""
    names = list(study.systems)
    shown = {"help": NOTE, "placeholder": "Type a name", "max_selections": len(PINS)}
    memory.put("pin", choices.select_several(st, "Find and pin systems", names, key="pin", default=[], **shown))
    many = len(names) > NAMES_UP_TO
    every = many and choices.switch(st, f"Show all {len(names)} systems", key="all-systems", note=SOME)
    memory.put("few-rows", MOST_AT_FIRST if many and not every else None)


def offer(names: list[str]) -> None:
    """A button that pins these systems, the first of them if they are too many."""
    if set(names) - set(memory.get("pin") or ()):
        label = f"Show the first {len(PINS)}" if len(names) > len(PINS) else "Show them"
        st.button(label, on_click=_pin, args=(names[: len(PINS)],), key="pin-rivals", help=NOTE)


def _pin(names):
    st.session_state["pin"] = list(names)


SOME = f"Otherwise figures show the first {MOST_AT_FIRST}, pinned systems and those that a sentence names."
