"""Work ahead of a choice is done in order, and waits while a page is drawn."""

import threading

import pytest

from ui import ahead
from ui.ahead import work  # before conftest.py takes it away

PATIENCE = 30  # seconds


@pytest.fixture(autouse=True)
def no_moment(monkeypatch):
    monkeypatch.setattr(ahead, "MOMENT", 0.001)


def test_pieces_are_done_in_order():
    done, over = [], threading.Event()
    work([*(lambda i=i: done.append(i) for i in range(5)), over.set])
    assert over.wait(PATIENCE)
    assert done == [0, 1, 2, 3, 4]


def test_a_page_goes_first():
    done, over = [], threading.Event()
    with ahead.drawing():
        with ahead.drawing():  # of another visitor
            work([lambda: done.append("ahead"), over.set])
        assert not over.wait(0.1)
        done.append("page")
    assert over.wait(PATIENCE)
    assert done == ["page", "ahead"]


def test_a_page_that_ends_badly_holds_nothing_up():
    over = threading.Event()
    with pytest.raises(ZeroDivisionError), ahead.drawing():
        1 / 0  # noqa: B018
    work([over.set])
    assert over.wait(PATIENCE)
