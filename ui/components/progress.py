"""A progress bar, usually with a *Cancel* button, for what takes long."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")

PATIENCE = 0.5  # seconds


def in_sight(wait: Callable[..., T], words: Callable[..., str], cancel: Callable[[], Any] | None, key: str) -> T:
    """The result of `wait(watch)`. If it takes long, show a progress bar with a *Cancel* button.

    words : (done, total) as a line; cancel : callback of the button, None = there is none; key : unique, for the button
    """
    place, began, shown = st.empty(), time.monotonic(), []

    def watch(done, total):
        if not shown and time.monotonic() - began > PATIENCE:
            with place.container(border=True):
                shown.append(st.progress(0.0))
                if cancel:
                    st.button("Cancel", on_click=cancel, key=f"cancel-{key}")
        if shown:
            shown[0].progress(done / max(total, 1), words(done, total))

    try:
        return wait(watch)
    finally:
        place.empty()
