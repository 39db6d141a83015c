"""What is kept: made once however many ask, and only so much of it."""

import pickle
import threading

import numpy as np
import pytest

from evalcore.cache import Memo
from evalcore.estimating.evidence import Evidence


def made_by(kept, *asked):
    """What each of these is made as, where all are made anew: its own name."""
    return [kept.get((name,), lambda name=name: name) for name in asked]


def names(kept):
    return [made for _, made in kept.ready()]


def test_a_thing_is_made_once():
    kept, calls = Memo(room=2), []
    assert [kept.get(("a",), lambda: calls.append("a") or len(calls)) for _ in range(3)] == [1, 1, 1]


def test_the_oldest_goes_when_there_is_no_room():
    kept = Memo(room=2)
    made_by(kept, "a", "b", "c")
    assert names(kept) == ["b", "c"]


def test_what_was_asked_for_again_stays():
    kept = Memo(room=2)
    made_by(kept, "a", "b", "a", "c")
    assert names(kept) == ["a", "c"]


def test_what_was_begun_first_and_made_last_is_the_newest():
    kept = Memo(room=1)
    assert kept.get(("slow",), lambda: made_by(kept, "quick") and "slow") == "slow"
    assert names(kept) == ["slow"]


def test_the_newest_stays_even_where_it_alone_is_too_large():
    kept = Memo(room=5, size=len)
    made_by(kept, "aa", "bbb")
    assert names(kept) == ["aa", "bbb"]
    made_by(kept, "cccccc")
    assert names(kept) == ["cccccc"]


def test_a_copy_begins_with_nothing():
    kept = Memo(room=2)
    made_by(kept, "a")
    copied = pickle.loads(pickle.dumps(kept))
    assert names(copied) == []
    assert made_by(copied, "b") == ["b"]
    assert names(kept) == ["a"]


def test_what_is_measured_may_learn_more_meanwhile():
    evidence = Evidence(np.zeros((1, 1), int), np.zeros(1), np.zeros(1, bool), 1, 1, 1.0, slice(0, 1))

    class Learning:
        @property
        def nbytes(self):  # as another thread may learn in between
            evidence.once("more", lambda: [np.zeros(1)])
            return 8

    evidence.once("one", lambda: [Learning()])
    evidence.once("two", lambda: [Learning()])
    assert evidence.nbytes == 16
    assert evidence.nbytes == 24


def test_nothing_is_kept_once_it_is_forgotten():
    kept = Memo(room=2)
    made_by(kept, "a")
    kept.forget()
    assert names(kept) == []


def test_what_fails_is_raised_and_not_kept():
    kept = Memo(room=2)

    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept.get(("a",), fail)
    assert names(kept) == []
    assert made_by(kept, "a") == ["a"]


@pytest.mark.parametrize("fails", [False, True])
def test_others_wait_for_the_first_who_asks_and_make_it_where_that_fails(fails):
    kept, begun, may_end, calls = Memo(room=2), threading.Event(), threading.Event(), []

    def first():
        begun.set()
        assert may_end.wait(10)
        if fails:
            raise ValueError("no")
        return "of the first"

    def ask(make, answers):
        try:
            answers.append(kept.get(("a",), make))
        except ValueError as refused:
            answers.append(str(refused))

    of_first, of_others = [], []
    threads = [threading.Thread(target=ask, args=(first, of_first))]
    threads[0].start()
    assert begun.wait(10)
    threads += [threading.Thread(target=ask, args=(lambda: calls.append(1) or "anew", of_others)) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    assert kept.ready() == []  # somebody is at it
    may_end.set()
    for thread in threads:
        thread.join(10)
    assert (of_first, of_others) == ((["no"], ["anew"] * 3) if fails else (["of the first"], ["of the first"] * 3))
    assert len(calls) == fails
