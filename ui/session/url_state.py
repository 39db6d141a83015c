"""The query string of the page. It is read at the start of a run and written once at its end, so that each choice is
one step in the browser's history."""

from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

SAID = "_address"  # name -> values, as set so far in this run
LEFT = "_address-left"  # the address in the browser when this run began, or as last written
HELD = "_address-held"  # whether this run restores choices after the Back button
READ = "_address-read"  # the names that this run has read or set


def begin() -> bool:
    """Read the browser's address. -> whether it changed outside of a complete run, as by the Back button"""
    shown, left_off = _shown(), st.session_state.pop(HELD, False)
    elsewhere = left_off or shown != st.session_state.get(LEFT, shown)
    st.session_state[SAID], st.session_state[LEFT] = dict(shown), shown
    st.session_state[READ] = set()
    return elsewhere


def hold() -> None:
    """Do not change the address in this run: a new one would break the Back button."""
    st.session_state[HELD] = True


def write() -> None:
    """Write the address to the browser; at the end of a run."""
    if st.session_state.pop(HELD, False):
        st.session_state[SAID] = dict(st.session_state[LEFT])
    elif st.session_state[SAID] != st.session_state[LEFT]:
        replace(st.session_state[SAID])


def _shown():
    return {name: st.query_params.get_all(name) for name in st.query_params}


def value_of(name: str) -> str | None:
    """The value of a name in the address, or None."""
    values = values_of(name)
    return values[-1] if values else None


def values_of(name: str) -> list[str]:
    """All values of a name in the address."""
    st.session_state[READ].add(name)
    return st.session_state[SAID].get(name, [])


def unread() -> list[str]:
    """The names in the address that this run has neither read nor set, in alphabetical order."""
    return sorted(st.session_state[SAID].keys() - st.session_state[READ])


def everything() -> dict[str, list[str]]:
    """All names in the address, with their values."""
    return dict(st.session_state[SAID])


def replace(params: dict[str, Any]) -> None:
    """Write this address at once; for callbacks, before a run. params : name -> values"""
    st.session_state[SAID], st.session_state[LEFT] = params, dict(params)
    st.query_params.from_dict(params)


def put(name: str, value: Any) -> None:
    """Set a name in the address to one or several values; None = remove it."""
    params = st.session_state[SAID]
    st.session_state[READ].add(name)
    if value is None:
        params.pop(name, None)
    else:
        params[name] = [str(part) for part in value] if isinstance(value, list) else [str(value)]


def page_address() -> str:
    """The address of this page with its choices, relative to the app's own."""
    path, query = urlsplit(st.context.url or "").path, urlencode(everything(), doseq=True)
    return path.rpartition("/")[2] + (f"?{query}" if query else "")


def link(**params: str) -> str:
    """The address of this page with these choices only, as a link for others."""
    return f"{app_address()}{page_address().partition('?')[0]}?{urlencode(params)}"


def app_address() -> str:
    """The app's own address, as this visitor reached it; "" if unknown."""
    at = urlsplit(st.context.url or "")
    return f"{at.scheme}://{at.netloc}{at.path.rpartition('/')[0]}/" if at.netloc else ""
