"""The marks that each run of the script leaves in the document, for programs that drive a page."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import ROOT


def mark(app):
    """What the document says of the last run: begun or ended, and its number."""
    what, number = re.fullmatch(r'<i data-(\w+)="(\d+)"></i>', app.get("html")[0].proto.body).groups()
    return what, int(number)


@pytest.mark.parametrize("page", ["pages/data.py", "pages/scores.py", "pages/fusion.py", "pages/report.py"])
@pytest.mark.parametrize("study", ["web", "files"], ids=["to its foot", "ends early"])
def test_each_run_ends_with_a_number_of_its_own(app, page, study):
    app.selectbox(key="study").set_value(study).run()
    before = mark(app)[1]
    assert mark(app.switch_page(page).run()) == ("ended", before + 1)
    assert mark(app.run()) == ("ended", before + 2)
    assert app.session_state["_logged-page"] == app.session_state["_page"]


def test_a_run_that_goes_over_into_another_one_leaves_the_end_to_that():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update({"study": "web", "tour": "pooling", "step": "3"})
    assert mark(app.run()) == ("ended", 2)  # the first run leads to the step's page
    assert app.session_state["_page"] == "Pool depth"


def test_a_run_that_fails_ends(app, monkeypatch):
    before = mark(app)[1]
    monkeypatch.setattr("ui.layout.page.answer_the_link", lambda **_: 1 / 0)
    assert app.run().exception
    assert mark(app) == ("ended", before + 1)


PART = """
import streamlit as st
from ui.session import runs

def part():
    with runs.marked_part():
        st.button("again")
"""


@pytest.mark.parametrize("shell", ["with runs.marked(): part()", "part()"], ids=["in the page", "alone"])
def test_a_part_that_runs_alone_marks_its_end_and_within_the_page_leaves_it_to_that(shell):
    app = AppTest.from_string(PART + shell)
    for number in (1, 2):
        assert [one.proto.body for one in app.run().get("html")] == [f'<i data-ended="{number}"></i>']
