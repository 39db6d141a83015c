"""Work ahead of a choice: one thread, the study asked for last first, never while a page is drawn."""

import gc
import threading
import weakref

import pytest

from ui.prefetch import ROOM, SpareTime

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
        studies = [Study() for _ in range(ROOM + 2)]
        work(spare, studies[0], noting(done, "too long ago"))
        for number, study in enumerate(studies[1:-1]):
            work(spare, study, [*noting(done, number), *([end] if not number else [])])
        work(spare, studies[-1], noting(done, "last"))
        assert threading.active_count() <= before + 1
    assert ended.wait(PATIENCE) or done
    assert done[0] == "last"
    assert not {"gone", "too long ago"} & set(done)
