"""The log of visits: a line for each page that a visit comes to."""

import io
import logging
import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import ROOT, load, opened
from ui.app import visit_log

LINE = re.compile(r"visit ([0-9a-f]{8}) page ([\w ]+) study (\w+) \d+\.\d\d s")


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, visit_log.LOG.name)

    def read():
        messages = [record.getMessage() for record in caplog.records if record.name == visit_log.LOG.name]
        return [LINE.fullmatch(message).groups() for message in messages]

    return read


def test_a_visit_has_a_line_for_each_page_it_comes_to_and_none_for_its_choices(lines):
    app = opened("pages/scores.py").run()
    app.selectbox(key="metric").select_index(1).run()
    assert [page for _, page, _ in lines()] == ["Scores"]
    app.switch_page("pages/orderings.py").run()
    app.switch_page("pages/scores.py").run()
    assert [(page, study) for _, page, study in lines()] == [("Scores", "web"), ("Orderings", "web"), ("Scores", "web")]
    assert len({visit for visit, _, _ in lines()}) == 1


def test_another_visit_has_another_number_and_its_own_study(lines):
    for study in ("web", "newswire"):
        opened("pages/scores.py", study=study)
    (first, _, web), (second, _, newswire) = lines()
    assert first != second
    assert (web, newswire) == ("web", "newswire")


def test_a_line_names_no_file(lines):
    app = opened()
    load(app, "runs", ("secret.run", b"1 Q0 d 1 2 A\n"))
    load(app, "qrels", ("secret.txt", b"1 0 d 1\n"))
    app.switch_page("pages/scores.py").run()
    assert [(page, study) for _, page, study in lines()] == [("Data", "web"), ("Scores", "files")]


def test_whoever_has_not_logged_in_comes_to_no_page(lines):
    app = AppTest.from_file(str(ROOT / "app.py"))
    app.secrets["auth"] = {"redirect_uri": "http://localhost:8501/oauth2callback", "cookie_secret": "x" * 32}
    app.switch_page("pages/scores.py").run()
    assert lines() == []


def test_the_log_has_the_time_in_utc(monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr(visit_log.LOG, "handlers", [])
    visit_log.log_to_stderr()
    monkeypatch.setattr("time.time", lambda: 1795561510.4)
    monkeypatch.setattr("time.time_ns", lambda: 1795561510400000000)
    visit_log.LOG.info("visit 3f2a page Scores study web 0.41 s")
    assert written.getvalue() == "2026-11-24T23:05:10Z visit 3f2a page Scores study web 0.41 s\n"
