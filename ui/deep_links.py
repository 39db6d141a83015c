"""Every page runs inside app.py, however it is reached.

A fresh server has not yet met `st.navigation`, so a deep link such as /pool_depth?depth=5 makes Streamlit run that
page's file alone. Each page calls `page.title`, and that `enter`, which then runs app.py, and that the page again.
"""

import gc
import runpy
from functools import cache
from pathlib import Path

import streamlit as st

from ui.prefetch import spare_time

APP = Path(__file__).resolve().parent.parent / "app.py"
INSIDE = "_inside_app"  # set just before app.py runs a page, taken away by that page


def enter():
    """Make sure that app.py is running this page."""
    if not st.session_state.pop(INSIDE, False):
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()


def run(page):
    """Run a page inside app.py."""
    st.session_state[INSIDE] = True
    with spare_time.drawing():
        page.run()
    settle_modules()


@cache
def settle_modules():
    """Once, after the first page: what was loaded stays, so full garbage collections, .1 s in the midst of a page, need
    not look at it again."""
    gc.freeze()
