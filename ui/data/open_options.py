"""The options with which studies are opened: what was assumed, and the edited table of systems."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

import evalcore
from evalcore.reading.files import Upload
from evalcore.study.opening import OPTIONS
from ui.data import study_choice
from ui.data.study_parts import EDITED
from ui.session import url_state, visit

FREE = (  # to choose for every study
    "order", "gains", "rel_level", "negative", "empty", "average", "duplicates", "aspect",
    "variations", "pool_depth", "names",
    "itself", "passages",
)  # fmt: skip
ASSUMED = {name: OPTIONS[name] for name in FREE}


def assumed() -> dict[str, Any]:
    """The options with which studies are opened."""
    return {name: option.default for name, option in ASSUMED.items()} | dict(visit.now().options or {})


def assume(settings: dict[str, Any]) -> None:
    """Open studies with other options from now on."""
    visit.change(options=settings)


def assume_at_once(**settings: Any) -> None:
    """Change some options, also in the form; for callbacks."""
    assume(assumed() | settings)
    st.session_state.update({f"assume-{name}": value for name, value in settings.items()})


def take_texts(chosen: Mapping[str, str | None]) -> None:
    """Use these options, which anybody may have written; where there is no such value, the default."""
    chosen = dict.fromkeys(ASSUMED) | dict(chosen)
    assume({name: value for name, of in ASSUMED.items() for value in of.choices if str(value) == chosen[name]})
    assume(assumed() | {name: of.kind(chosen[name]) for name, of in ASSUMED.items() if of.fits(chosen[name])})


def settle_assumptions() -> None:
    """Take the options from the address on the first run; then write all of them to it."""
    if visit.now().options is None:
        take_texts({name: url_state.value_of(name) for name in ASSUMED})
    for option, value in assumed().items():
        url_state.put(option, None if value == ASSUMED[option].default else value)


def edited_systems() -> Upload | None:
    """The systems table as edited by this visitor, an Upload, or None."""
    return study_choice.own().systems


def edit_systems(table: bytes | None) -> None:
    """Use this systems table (run, group, pooled) instead of the file's; None undoes it."""
    study_choice.change(systems=None if table is None else evalcore.Upload(EDITED, table))
