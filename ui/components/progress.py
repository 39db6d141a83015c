"""A progress bar with a *Cancel* button, for what takes long."""

import time

import streamlit as st

PATIENCE = 0.5  # seconds


def in_sight(wait, words, cancel, key):
    """The result of `wait(watch)`. If it takes long, show a progress bar with a *Cancel* button.

    words : (done, total) as a line; cancel : callback of the button; key : a unique key for the button
    """
    place, began, shown = st.empty(), time.monotonic(), []

    def watch(done, total):
        if not shown and time.monotonic() - began > PATIENCE:
            with place.container(border=True):
                shown.append(st.progress(0.0))
                st.button("Cancel", on_click=cancel, key=f"cancel-{key}")
        if shown:
            shown[0].progress(done / max(total, 1), words(done, total))

    try:
        return wait(watch)
    finally:
        place.empty()
