"""Run every page inside app.py, also after a deep link.

A fresh server has not yet run `st.navigation`, so a deep link such as /pool_depth?depth=5 makes Streamlit run only that
page's file. Each page calls `page.title`, which calls `enter`, which runs app.py, which runs the page again.
"""

import gc
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

APP = Path(__file__).resolve().parents[2] / "app.py"
INSIDE = "_inside_app"  # set just before app.py runs a page, removed by that page


def enter() -> None:
    """Make sure that app.py is running this page."""
    if not st.session_state.pop(INSIDE, False):
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()


def run(page: Any) -> None:
    """Run a page inside app.py."""
    st.session_state[INSIDE] = True
    page.run()
    settle_modules()


@cache
def settle_modules() -> None:
    """Freeze loaded modules once, after the first page, so that full garbage collections (.1 s each) skip them."""
    gc.freeze()
