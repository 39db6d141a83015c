"""The cache: each value computed once however many ask, within its room, and stopped when nobody waits."""

import pickle
import threading
import time

import numpy as np
import pytest

from evalcore.cache import Cache, run_with_progress
from evalcore.estimating.evidence import Evidence


def put(cache, *names):
    """Each name's value, where it is computed: the name."""
    return [cache.get(name, lambda name=name: name) for name in names]


def values(cache):
    return [value for _, value in cache.items()]


def together(n, call):
    """The results, or errors, of `call(i)` in n threads that begin at the same moment."""
    gate, results = threading.Barrier(n), [None] * n

    def run(i):
        gate.wait()
        try:
            results[i] = call(i)
        except Exception as failure:
            results[i] = failure

    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return results


def test_a_value_is_computed_once():
    cache, calls = Cache(room=2), []
    assert [cache.get("a", lambda: calls.append("a") or len(calls)) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(("used", "left"), [("abc", "bc"), ("abac", "ac")], ids=["oldest", "oldest use"])
def test_the_least_recently_used_goes_first(used, left):
    cache = Cache(room=2)
    put(cache, *used)
    assert values(cache) == [*left]


def test_a_value_that_was_begun_first_and_computed_last_is_the_newest():
    cache = Cache(room=1)
    assert cache.get("slow", lambda: put(cache, "quick") and "slow") == "slow"
    assert values(cache) == ["slow"]


def test_the_newest_stays_even_if_it_is_too_large():
    cache = Cache(room=5, size_of=len)
    put(cache, "aa", "bbb")
    assert (values(cache), cache.total) == (["aa", "bbb"], 5)
    put(cache, "cccccc")
    assert (values(cache), cache.total) == (["cccccc"], 6)
    cache.drop()
    assert (values(cache), cache.total) == ([], 0)


def test_only_what_is_asked_for_is_dropped():
    cache = Cache(room=3)
    put(cache, "a", "b", "c")
    cache.drop(lambda key: key == "b")
    assert [cache.ready(name) for name in "abc"] == ["a", None, "c"]
    cache.resize(1)
    assert values(cache) == ["c"]


def test_a_copy_is_empty():
    cache = Cache(room=2)
    put(cache, "a")
    copied = pickle.loads(pickle.dumps(cache))
    assert values(copied) == []
    assert put(copied, "b") == ["b"]
    assert values(cache) == ["a"]


def test_a_value_may_grow_while_it_is_measured():
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


@pytest.mark.parametrize("watch", [None, lambda done, total: None])
@pytest.mark.parametrize("error", [ValueError, TimeoutError, None])
def test_callers_at_the_same_moment_share_one_computation_and_its_error(watch, error):
    cache, calls = Cache(room=2), []

    def compute(*progress):
        calls.append(1)
        time.sleep(0.3)
        if error:
            raise error("cut off")
        return object()

    results = together(20, lambda i: cache.get("a", compute, watch))
    assert len(calls) == 1
    assert len(set(map(id, results))) == 1
    if error:
        assert (type(results[0]), str(results[0])) == (error, "cut off")
        assert cache.get("a", lambda: "again") == "again"
    else:
        assert cache.get("a", compute) is results[0]


def test_a_computation_that_its_page_stops_is_computed_by_another_who_waits():
    """Streamlit stops a page with an exception that is no `Exception`."""
    cache, begun, may_stop, results = Cache(room=2), threading.Event(), threading.Event(), []

    def stopped():
        begun.set()
        assert may_stop.wait(10)
        raise KeyboardInterrupt

    def first():
        with pytest.raises(KeyboardInterrupt):
            cache.get("a", stopped)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert begun.wait(10)
    threads += [threading.Thread(target=lambda: results.append(cache.get("a", object))) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    assert cache.items() == []
    assert cache.ready("a") is None
    may_stop.set()
    for thread in threads:
        thread.join(10)
    assert len(results) == 3
    assert len(set(map(id, results))) == 1


def test_everyone_who_waits_sees_the_progress():
    cache, seen = Cache(room=2), [[], []]

    def compute(progress):
        for done in range(5):
            progress(done, 5)
            time.sleep(0.15)
        return "value"

    assert together(2, lambda i: cache.get("a", compute, lambda *far: seen[i].append(far))) == ["value"] * 2
    assert all((done, 5) in far for far in seen for done in (1, 3))


class Left(Exception):
    pass


def leave(done, total):
    raise Left


def test_a_computation_stops_when_the_last_one_leaves_and_not_before():
    cache, ended, last_leaves = Cache(room=2), threading.Event(), threading.Event()

    def endless(progress):
        try:
            while True:
                progress(1, 2)
                time.sleep(0.01)
        finally:
            ended.set()

    def watch(done, total):
        if last_leaves.is_set():
            raise Left

    def wait():
        with pytest.raises(Left):
            cache.get("a", endless, watch)

    waiter = threading.Thread(target=wait)
    waiter.start()
    with pytest.raises(Left):
        cache.get("a", endless, leave)
    assert not ended.wait(0.3)
    last_leaves.set()
    waiter.join(5)
    assert ended.wait(5)
    assert cache.get("a", lambda progress: "again", watch) == "again"


def test_a_run_with_progress_gives_its_result_or_error_and_stops_when_its_watcher_leaves():
    seen, ended = [], threading.Event()

    def once_seen(progress):
        progress(1, 2)
        while not seen:
            time.sleep(0.01)
        return seen[0]

    def endless(progress):
        try:
            while True:
                progress(1, 2)
                time.sleep(0.01)
        finally:
            ended.set()

    assert run_with_progress(once_seen, lambda done, total: seen.append((done, total))) in ((0, 1), (1, 2))
    with pytest.raises(ZeroDivisionError):
        run_with_progress(lambda progress: 1 / 0, seen.append)
    with pytest.raises(Left):
        run_with_progress(endless, leave)
    assert ended.wait(5)
