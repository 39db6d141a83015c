"""The server's cache: within its budget whatever is asked for, and nothing of a visitor who has left."""

import gc
import mmap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import evalcore
from evalcore.cache import Cache, run_with_progress
from evalcore.reading import own_process
from evalcore.turns import OWNER
from tests.small import small_study
from tests.ui.test_pages import opened, visit
from ui.data import sources
from ui.serving import server_cache
from ui.serving.memory_size import weigh
from ui.serving.server_cache import CHECKING, EVERYBODY, LOADING, ServerCache, Visitor, in_turn
from ui.session import answers

KB = 1 << 10


def block(kilobytes):
    return np.zeros(kilobytes * KB, np.uint8)


# ---- weight


@dataclass
class Holder:
    parts: object


@pytest.mark.parametrize(
    ("thing", "least"),
    [
        (block(8), 8),
        ([block(8), block(4)], 12),
        ({"a": block(8), "b": (block(4),)}, 12),
        (Holder(block(8)), 8),
        (np.zeros((4, 2 * KB), np.uint8)[1:, ::2], 8),  # a view keeps all of it alive
        (b"x" * 8 * KB, 8),
        ("x" * 8 * KB, 8),
        (pa.array(["x" * 1024] * 8), 8),
        (pa.chunked_array([["x" * 1024] * 4, ["y" * 1024] * 4]), 8),
        (pd.DataFrame({"n": np.zeros(KB), "name": ["x" * 1024] * KB}), 8 + KB),
        (np.array(["x" * 8 * KB, None], object), 8),
    ],
)
def test_a_thing_weighs_what_it_holds(thing, least):
    assert least * KB <= weigh(thing) <= least * KB * 1.2 + 2000


def test_what_is_held_twice_weighs_once():
    one = block(100)
    assert weigh([one, one, one[5:], {"again": one[::2]}]) < 102 * KB


def test_a_circle_ends():
    circle = [block(8)]
    circle.append(circle)
    assert 8 * KB <= weigh(circle) < 10 * KB


def test_an_array_that_is_mapped_from_a_file_weighs_nothing(tmp_path):
    (tmp_path / "array").write_bytes(bytes(100 * KB))
    with open(tmp_path / "array", "rb") as file:
        mapped = np.ndarray((10, 10 * KB), np.uint8, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    assert weigh([mapped, mapped[1:3]]) < KB


def test_a_cache_weighs_what_it_contains():
    cache = Cache(room=2)
    light = weigh(cache)
    cache.get("a", lambda: block(8))
    assert weigh(cache) - light >= 8 * KB


def test_beside_what_is_kept_anyway_only_the_rest_weighs():
    one = block(100)
    assert weigh([one, block(8)], besides=Holder(one)) < 10 * KB


def study(ranks=200):
    runs = {f"s{s}": {"t": {f"d{d}": 1.0 / (d + 1) for d in range(ranks)}} for s in range(4)}
    return small_study(runs, {"t": {"d0": 1, "d3": 0}})


def test_a_study_weighs_at_least_its_arrays_and_grows_with_what_is_worked_out():
    fresh = study()
    before = weigh(fresh)
    assert before >= fresh.track.items.nbytes + fresh.track.scores.nbytes
    evalcore.ask(fresh, "pool", metric="RBP(p=0.8)")
    assert weigh(fresh) > before


def test_a_study_made_of_another_weighs_only_what_is_new():
    fresh = study(2000)
    narrower = replace(fresh, scope={"x": [block(8)]})
    assert weigh(narrower, besides=fresh) < 10 * KB + 5000 < weigh(narrower)


# ---- the cache


def cached(cache, *names):
    return [name for name in names if cache.ready((EVERYBODY, name)) is not None]


def put(cache, name, kilobytes, owner=EVERYBODY):
    return cache.get((owner, name), lambda: block(kilobytes))


def test_what_was_used_longest_ago_goes_when_bytes_run_out():
    small = ServerCache(room=100 * KB)
    for name in ("a", "b", "a", "c"):
        put(small, name, 40)
    assert cached(small, "a", "b", "c") == ["a", "c"]
    put(small, "large", 70)
    assert cached(small, "a", "c", "large") == ["large"]
    assert small.total <= small.room


def test_what_is_larger_than_all_there_is_stays_alone_until_the_next_comes():
    small = ServerCache(room=10 * KB)
    put(small, "a", 4)
    put(small, "huge", 50)
    assert cached(small, "a", "huge") == ["huge"]
    put(small, "b", 4)
    assert cached(small, "huge", "b") == ["b"]


def test_however_much_is_asked_for_the_budget_holds():
    small = ServerCache(room=200 * KB)
    order = np.random.default_rng(0).integers(1, 60, 300)

    def ask(part):
        for size in part:
            put(small, int(size), int(size))

    threads = [threading.Thread(target=ask, args=(part,)) for part in np.array_split(order, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alive = [put(small, name, name) for name in range(1, 60) if cached(small, name)]
    assert sum(one.nbytes for one in alive) <= small.total <= small.room


def test_what_has_grown_makes_others_go(monkeypatch):
    monkeypatch.setattr(server_cache, "MEASURE_AFTER", 0)
    small, grows = ServerCache(room=100 * KB), [block(10)]
    put(small, "old", 40)
    small.get((EVERYBODY, "grows"), lambda: grows)
    grows.append(block(80))
    assert small.ready((EVERYBODY, "grows")) is grows
    assert cached(small, "old", "grows") == ["grows"]


def test_what_a_visitor_has_goes_when_the_visit_ends():
    small = ServerCache(room=100 * KB)
    visitor = Visitor(small)
    name = visitor.name
    put(small, "mine", 8, owner=name)
    put(small, "all", 8)
    assert small.ready((name, "mine")) is not None
    del visitor
    gc.collect()
    put(small, "other", 1)
    assert small.ready((name, "mine")) is None
    assert cached(small, "all", "other") == ["all", "other"]


def test_nobody_is_given_what_another_visitor_has():
    small, one, other = ServerCache(room=100 * KB), *[Visitor(ServerCache(room=1)) for _ in range(2)]
    mine = put(small, "track", 8, owner=one.name)
    assert put(small, "track", 8, owner=other.name) is not mine
    assert put(small, "track", 8) is not mine


def test_what_others_use_of_the_room_is_left_to_them():
    used = [0]
    small = ServerCache(room=100 * KB, others=lambda: used[0])
    for name in ("old", "newer", "newest"):
        put(small, name, 30)
    used[0] = 60 * KB
    small.let_go()
    assert small.room == 40 * KB
    assert cached(small, "old", "newer", "newest") == ["newest"]
    used[0] = 0
    put(small, "other", 30)
    assert cached(small, "newest", "other") == ["newest", "other"]


def test_the_budget_is_a_setting(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "12345")
    assert ServerCache().room == 12345


# ---- turns


def watch_for(seconds):
    """A watch that ends the waiting after so many seconds."""
    began = time.monotonic()

    def watch(done, total):
        if time.monotonic() - began > seconds:
            raise TimeoutError

    return watch


def as_visitor(owner, act):
    """What `act` returns in a thread of a visitor's page."""

    def of_page():
        OWNER.set(owner)
        return act()

    return copy_context().run(of_page)


def test_no_more_than_two_load_at_a_time():
    cache, lock, loading = ServerCache(room=KB), threading.Lock(), []

    def load(progress):
        with lock:
            loading.append(loading[-1] + 1 if loading else 1)
        time.sleep(0.05)
        with lock:
            loading.append(loading[-1] - 1)
        return "loaded"

    def of_visitor(number):
        key = EVERYBODY, f"track {number}"
        return as_visitor(f"visitor {number}", lambda: cache.get(key, in_turn(LOADING, load), watch_for(20)))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(of_visitor, range(6)))
    assert max(loading) == 2


@pytest.mark.parametrize("turns", [LOADING, CHECKING, own_process.TURNS], ids=["load", "check", "program"])
def test_a_visitor_has_one_turn_and_others_are_served_meanwhile(turns):
    begun, ends = threading.Semaphore(0), threading.Event()

    def slow(progress):
        begun.release()
        ends.wait(20)

    def of_visitor(owner, compute, seconds=20):
        return as_visitor(owner, lambda: run_with_progress(in_turn(turns, compute), watch_for(seconds)))

    with ThreadPoolExecutor(4) as threads:
        slow_ones = [threads.submit(of_visitor, "a", slow) for _ in range(3)]
        try:
            assert begun.acquire(timeout=20)
            assert threads.submit(of_visitor, "b", lambda progress: "served").result(20) == "served"
            assert not begun.acquire(blocking=False)
        finally:
            ends.set()
        for one in slow_ones:
            one.result(20)
    assert all(begun.acquire(timeout=20) for _ in range(2))  # one after the other
    with pytest.raises(ZeroDivisionError):
        of_visitor("a", lambda progress: 1 / 0)
    assert of_visitor("a", lambda progress: "again") == "again"


def test_a_visitor_who_leaves_while_waiting_takes_no_turn():
    begun, ends, computed = threading.Semaphore(0), threading.Event(), []

    def slow(progress):
        begun.release()
        ends.wait(20)

    def of_visitor(compute, seconds):
        return as_visitor("a", lambda: run_with_progress(in_turn(CHECKING, compute), watch_for(seconds)))

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(of_visitor, slow, 20)
        try:
            assert begun.acquire(timeout=20)
            with pytest.raises(TimeoutError):
                of_visitor(lambda progress: computed.append("in vain"), 0)
        finally:
            ends.set()
        first.result(20)
    assert of_visitor(lambda progress: "next", 20) == "next"
    assert not computed


def test_a_load_waits_for_no_check():
    cache, begun, ends = ServerCache(room=KB), threading.Semaphore(0), threading.Event()

    def slow(progress):
        begun.release()
        ends.wait(20)

    def check(owner, compute, seconds):
        return as_visitor(owner, lambda: run_with_progress(in_turn(CHECKING, compute), watch_for(seconds)))

    with ThreadPoolExecutor(2) as threads:
        checks = [threads.submit(check, owner, slow, 20) for owner in "ab"]
        try:
            assert all(begun.acquire(timeout=20) for _ in checks)
            assert cache.get((EVERYBODY, "a"), in_turn(LOADING, lambda progress: "loaded"), watch_for(5)) == "loaded"
            with pytest.raises(TimeoutError):
                check("c", lambda progress: "checked", 0.5)
        finally:
            ends.set()


def test_a_page_opens_its_study_as_its_visitor(monkeypatch):
    owners = []

    def opens(source, settings, progress=None):
        owners.append(OWNER.get())
        return sources.Opened(missing="runs")

    monkeypatch.setattr(sources, "opened", opens)
    monkeypatch.setattr(answers, "CACHE", ServerCache(room=KB))
    app = opened(study="newswire")
    app.session_state["_whose"] = "a visitor with a cookie"
    visit(app, "pages/data.py", study="web")
    of_session, of_cookie = dict.fromkeys(owners)
    assert of_session
    assert of_cookie == "a visitor with a cookie"
