"""Which study a visitor has chosen, and what they added to it: an edited table, files, fused runs, a second qrels."""

from typing import Any

import streamlit as st

from ui.data import sources
from ui.text.escape import plain_name

FIRST = "web"  # the sample that opens first


def name() -> str:
    """The chosen study: a sample, the server's track, or the visitor's files."""
    chosen = st.session_state.get("study", FIRST)
    return chosen if chosen in (*sources.SAMPLES, "folder", "files") else FIRST


def label() -> str:
    """What the open track is called, for a sentence or a button."""
    if name() == "folder":
        return given_name() or sources.server_track()
    return given_name() or ("your files" if name() == "files" else sources.SAMPLES[name()])


def given_name() -> str:
    """The name that this visitor gave to the data set, or ""."""
    return own().get("name", "")


def file_name(name: str) -> str:
    """A file's name, after the name of the data set if it has one."""
    return f"{plain_name(given_name())}_{name}" if given_name() else name


def invented() -> bool:
    """Whether a sample is open."""
    return name() in sources.SAMPLES


def open_another(name: str) -> None:
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


def own() -> dict[str, Any]:
    """This visitor's additions to the chosen study: "systems", "added", "fused", "second", "judges"."""
    return st.session_state.setdefault("_own", {}).setdefault(name(), {})
