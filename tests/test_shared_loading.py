"""Loads: one for all who wait, ended when nobody does."""

import threading
import time
from concurrent.futures import Future

import pytest

from ui.serving.server_cache import EVERYBODY, Shelf
from ui.serving.shared_loading import AT_ONCE, LIGHT, Loads, _awaited, _Load


def together(n, do):
    """What `do(i)` gives in n threads that begin at the same moment."""
    gate, results = threading.Barrier(n), [None] * n

    def run(i):
        gate.wait()
        try:
            results[i] = do(i)
        except Exception as failure:
            results[i] = failure

    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return results


def test_twenty_who_come_at_once_share_one_load():
    loads, begun = Loads(Shelf(room=1000)), []

    def load(progress):
        begun.append(1)
        time.sleep(0.3)
        return object()

    found = together(20, lambda i: loads.get(EVERYBODY, "track", load))
    assert len(begun) == 1
    assert len(set(map(id, found))) == 1
    assert loads.get(EVERYBODY, "track", load) is found[0]
    assert len(begun) == 1


def test_everyone_who_waits_sees_how_far_it_is():
    loads, seen = Loads(Shelf(room=1000)), [[], []]

    def load(progress):
        for done in range(5):
            progress(done, 5)
            time.sleep(0.15)
        return "made"

    assert together(2, lambda i: loads.get(EVERYBODY, "a", load, lambda *far: seen[i].append(far))) == ["made"] * 2
    assert all((done, 5) in far for far in seen for done in (1, 3))


class _Left(Exception):
    pass


def leave(done, total):
    raise _Left


def endless(ended):
    def load(progress):
        try:
            for _ in range(1000):
                progress(1, 2)
                time.sleep(0.01)
            return "made"
        finally:
            ended.set()

    return load


def test_a_load_ends_when_the_last_one_leaves_and_not_before():
    loads, ended = Loads(Shelf(room=1000)), threading.Event()
    stays = threading.Event()

    def watch(done, total):
        if stays.is_set():
            raise _Left

    def wait():
        with pytest.raises(_Left):
            loads.get(EVERYBODY, "a", endless(ended), watch)

    waiter = threading.Thread(target=wait)
    waiter.start()
    with pytest.raises(_Left):
        loads.get(EVERYBODY, "a", endless(ended), leave)
    assert not ended.wait(0.3)
    stays.set()
    waiter.join(5)
    assert ended.wait(5)
    assert loads.get(EVERYBODY, "a", lambda progress: "anew") == "anew"


def test_a_failure_is_everybodys_and_the_next_one_tries_again():
    loads = Loads(Shelf(room=1000))

    def load(progress):
        time.sleep(0.2)
        raise ValueError("cut off")

    found = together(3, lambda i: loads.get(EVERYBODY, "a", load))
    assert [str(one) for one in found] == ["cut off"] * 3
    assert loads.get(EVERYBODY, "a", lambda progress: "whole") == "whole"


def test_what_one_visitor_loads_no_other_is_given():
    loads = Loads(Shelf(room=1000))
    assert [loads.get(owner, "a", lambda progress, owner=owner: owner) for owner in ("x", "y", "x")] == ["x", "y", "x"]


class _DoneAsOneLooks(Future):
    """Is set after each look at it that came too early."""

    def _look(self, how, timeout):
        try:
            return how(timeout)
        except TimeoutError:
            self.set_result("made")
            raise

    def result(self, timeout=None):
        return self._look(super().result, timeout)

    def exception(self, timeout=None):
        return self._look(super().exception, timeout)


def test_a_load_that_ends_just_after_a_look_is_given_and_is_no_timeout():
    assert _awaited(_Load(made=_DoneAsOneLooks()), lambda done, total: None) == "made"


def test_a_load_that_fails_with_a_timeout_does_so():
    def load(progress):
        raise TimeoutError("of the network")

    with pytest.raises(TimeoutError, match="of the network"):
        Loads(Shelf(room=1000)).get(EVERYBODY, "a", load)


def test_no_more_than_two_load_at_a_time():
    loads, lock, going, most = Loads(Shelf(room=1000)), threading.Lock(), [0], [0]

    def load(progress):
        with lock:
            going[0] += 1
            most[0] = max(most[0], going[0])
        time.sleep(0.05)
        with lock:
            going[0] -= 1
        return "made"

    together(6, lambda i: loads.get(EVERYBODY, f"track {i}", load))
    assert most[0] == 2


def test_a_load_and_a_light_look_wait_for_no_heavy_look():
    loads, begun, ends = Loads(Shelf(room=1000)), threading.Semaphore(0), threading.Event()

    def slow(progress):
        begun.release()
        ends.wait(20)

    def heavy():
        loads.aside(slow, lambda *far: None, size=LIGHT + 1)

    threads = [threading.Thread(target=heavy) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    try:
        assert all(begun.acquire(timeout=20) for _ in threads)
        assert loads.aside(lambda progress: "seen", _at_most(5), size=LIGHT) == "seen"
        assert loads.get(EVERYBODY, "a", lambda progress: "loaded", _at_most(5)) == "loaded"
        with pytest.raises(_Left):
            loads.aside(lambda progress: "seen", _at_most(0.5), size=LIGHT + 1)
    finally:
        ends.set()
        for thread in threads:
            thread.join(20)


def _at_most(seconds):
    """Leaves whoever waits for longer."""
    began = time.monotonic()

    def watch(done, total):
        if time.monotonic() - began > seconds:
            raise _Left

    return watch
