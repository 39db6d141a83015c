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

from ui.session import memory

APP = Path(__file__).resolve().parents[2] / "app.py"
SECOND = "second"  # the section of second judgments on Judges, once a tab of Judgments
INSIDE = "_inside_app"  # set just before app.py runs a page, removed by that page


def enter() -> None:
    """Make sure that app.py is running this page."""
    if not st.session_state.pop(INSIDE, False):
        runpy.run_path(str(APP), run_name="__main__")
        st.stop()


def lead_on(page: str) -> None:
    """Go to Judges if an address of Judgments asks for second judgments, but not when the Back button comes from there.

    page : the name of the one to draw"""
    address = {name: st.query_params.get_all(name) for name in st.query_params}
    asks = address.pop("part", None) == [SECOND] or "other_rel_level" in address
    if page == "Judgments" and asks and memory.get("page") != "Judges":
        address.pop("budget", None)
        st.switch_page("pages/judges.py", query_params={**address, "open": SECOND})


def run(page: Any) -> None:
    """Run a page inside app.py."""
    st.session_state[INSIDE] = True
    page.run()
    settle_modules()


@cache
def settle_modules() -> None:
    """Freeze loaded modules once, after the first page, so that full garbage collections (.1 s each) skip them."""
    gc.freeze()
