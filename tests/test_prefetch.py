"""Work ahead of a choice: one thread, the study asked for last first, never while a page is drawn."""

import gc
import threading
import weakref
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.questions.question import SMALL
from tests.small import small_study
from ui.components import choices
from ui.layout import prefetch
from ui.layout.prefetch import FIRST, SpareTime
from ui.serving import workers
from ui.session import session

ROOT = Path(__file__).parent.parent
PATIENCE = 30  # seconds
work = SpareTime.work  # before conftest.py takes it away


class Study:
    """Stands for a study: something that can be referred to weakly."""


@pytest.fixture
def spare():
    return SpareTime(moment=0.001)


def noting(done, *names):
    return [lambda study, name=name: done.append(name) for name in names]


def over():
    event = threading.Event()
    return event, lambda study: event.set()


def test_pieces_are_done_in_order(spare):
    study, done, (ended, end) = Study(), [], over()
    work(spare, study, [*noting(done, 0, 1, 2, 3), end])
    assert ended.wait(PATIENCE)
    assert done == [0, 1, 2, 3]


def test_a_page_goes_first_and_then_the_study_asked_for_last(spare):
    first, second, done, (ended, end) = Study(), Study(), [], over()
    with spare.drawing():
        with spare.drawing():  # of another visitor
            work(spare, first, [*noting(done, "first"), end])
            work(spare, second, noting(done, "second"))
        assert not ended.wait(0.1)
        done.append("page")
    assert ended.wait(PATIENCE)
    assert done == ["page", "second", "first"]


def test_a_page_that_ends_badly_holds_nothing_up(spare):
    study, (ended, end) = Study(), over()
    with pytest.raises(ZeroDivisionError), spare.drawing():
        1 / 0  # noqa: B018
    work(spare, study, [end])
    assert ended.wait(PATIENCE)


def test_a_piece_that_fails_holds_nothing_up(spare, caplog):
    study, (ended, end) = Study(), over()
    work(spare, study, [lambda study: 1 / 0, end])
    assert ended.wait(PATIENCE)
    assert "work ahead failed" in caplog.text


def test_a_study_is_worked_on_once(spare):
    study, done, (ended, end) = Study(), [], over()
    with spare.drawing():
        work(spare, study, [*noting(done, "once"), end])
        work(spare, study, noting(done, "twice"))
    assert ended.wait(PATIENCE)
    work(spare, study, noting(done, "again"))
    other, (ended, end) = Study(), over()
    work(spare, other, [end])
    assert ended.wait(PATIENCE)
    assert done == ["once"]


@pytest.mark.slow
def test_no_study_is_held_and_few_wait(spare):
    done, (ended, end) = [], over()
    before = threading.active_count()
    with spare.drawing():
        gone = Study()
        seen = weakref.ref(gone)
        work(spare, gone, noting(done, "gone"))
        del gone
        gc.collect()
        assert seen() is None
        studies = [Study() for _ in range(prefetch.ROOM + 2)]
        work(spare, studies[0], noting(done, "too long ago"))
        for number, study in enumerate(studies[1:-1]):
            work(spare, study, [*noting(done, number), *([end] if not number else [])])
        work(spare, studies[-1], noting(done, "last"))
        assert threading.active_count() <= before + 1
    assert ended.wait(PATIENCE) or done
    assert done[0] == "last"
    assert not {"gone", "too long ago"} & set(done)


def test_pages_find_what_was_asked_ahead_of_them(monkeypatch):
    asked = []

    def ask(study, question, progress=None, **params):
        asked.append(question)
        return evalcore.ask(study, question, **params)

    slow = {question for question, least in workers.LONG.items() if least == SMALL}
    monkeypatch.setattr(workers, "ask", ask)
    monkeypatch.setattr(workers, "LONG", dict.fromkeys(workers.LONG, 0))
    monkeypatch.setattr(SpareTime, "work", lambda spare, study, pieces: [piece(study) for piece in pieces])
    session.CACHE.drop()
    visit("pool_depth")
    assert set(FIRST) <= slow.intersection(asked)
    asked.clear()
    visit("confidence")
    visit("estimators")
    assert asked
    assert not slow.intersection(asked)


def visit(page):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(f"pages/{page}.py").run()
    assert not app.exception


def test_workers_are_not_sent_a_large_track_ahead(monkeypatch):
    monkeypatch.setattr(workers, "LONG", dict.fromkeys(workers.LONG, 0))
    monkeypatch.setattr(prefetch, "MODEST", 0)
    pieces = []
    monkeypatch.setattr(SpareTime, "work", lambda spare, study, those: pieces.extend(those))
    prefetch.look_ahead(small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}))
    assert len(pieces) == len(choices.MEASURES)
