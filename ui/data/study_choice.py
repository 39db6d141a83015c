"""Which study a visitor has chosen, and what they have of it."""

from typing import Any

import streamlit as st

from ui.data import server_studies, sources
from ui.session import visit
from ui.session.visit import Additions
from ui.text.escape import plain_name, short, text

FIRST = "web"  # the sample that opens first


def name() -> str:
    """The chosen study: a sample, the server's track, the visitor's files, or by its name a study on the server, which
    may not be there."""
    return st.session_state.get("study") or FIRST


def is_of_server() -> bool:
    """Whether the chosen study is one on the server, there or not."""
    return name() not in (*sources.SAMPLES, "folder", "files") or (name() == "folder" and not sources.server_folder())


def kind() -> str:
    """The chosen study for the log, which has no link: a sample, "folder", "files", or "server"."""
    return "server" if is_of_server() else name()


def called(name: str) -> str:
    """What a study on the server is called in the picker: by its name, or by the one that a shared study was given."""
    if not server_studies.is_link(name):
        return short(text(name), 80)
    return visit.of(name).name or "Shared study"


def label() -> str:
    """What the open track is called, for a sentence or a button."""
    if name() == "folder":
        return given_name() or sources.server_track()
    return given_name() or {"files": "your files", **sources.SAMPLES}.get(name()) or called(name())


def given_name() -> str:
    """The name that this visitor gave to the data set, or ""."""
    return own().name


def file_name(name: str) -> str:
    """A file's name, after the name of the data set if it has one."""
    return f"{plain_name(given_name())}_{name}" if given_name() else name


def invented() -> bool:
    """Whether a sample is open."""
    return name() in sources.SAMPLES


def open_another(name: str) -> None:
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


def own() -> Additions:
    """What this visitor has of the chosen study."""
    return visit.of(name())


def change(**parts: Any) -> None:
    """Replace parts of what this visitor has of the chosen study; for callbacks, too."""
    visit.change_of(name(), **parts)
