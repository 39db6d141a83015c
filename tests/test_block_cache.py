"""What blocks have told is kept whole or not at all, and for nobody but who asks the same of the same."""

import dataclasses

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.block_dispatch import ByItem
from evalcore.collection.judgments import Scale
from evalcore.large import block_cache
from evalcore.large.blocked_study import values_told
from evalcore.large.topic_block import Sent

TOLD = {
    "scores": np.arange(12, dtype=np.float32).reshape(3, 4),
    "no rows": np.zeros((3, 0, 2), np.int64),
    "a number": np.float64(2.5),
    "missing": np.array([np.nan, -0.0, np.inf]),
    "upside down": np.arange(12).reshape(3, 4).T[::-1],
    "parts": (np.ones(3, bool), [np.arange(2), None, "x"], (True, 5)),
    "names": pa.array([b"a", b"", b"\xff"]),
    "long names": pa.array([b"a"], pa.large_binary()),
    "a table": pd.DataFrame({"topic": ["301", "302"], "n": [1, 2], "value": [0.5, np.nan], "is": [True, False]}),
    "objects": pd.DataFrame(
        {"one": pd.Series(["a", None], dtype=object), "two": pd.Series([True, None], dtype=object)}
    ),
    "an empty table": pd.DataFrame({"topic": pd.Series([], dtype=str), "value": np.zeros(0)}),
}


def assert_alike(one, other):
    assert type(one) is type(other)
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for ours, theirs in zip(one, other, strict=True):
            assert_alike(ours, theirs)
    elif isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    elif isinstance(one, (np.ndarray, np.generic)):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert one.tobytes() == other.tobytes()
    elif isinstance(one, pa.Array):
        assert one.equals(other)
    else:
        assert one == other


def failing():
    raise AssertionError("this was kept")


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_what_was_told_is_given_back_as_it_was(monkeypatch, tmp_path, told):
    monkeypatch.setattr(block_cache, "WORTH", 0)
    assert_alike(block_cache.kept(tmp_path / "cache", ("x",), lambda: told), told)
    again = block_cache.kept(tmp_path / "cache", ("x",), failing)
    assert_alike(again, told)
    if isinstance(again, np.ndarray):
        assert again.flags.writeable  # as what is told the first time


@pytest.mark.parametrize(
    "told",
    [
        {1: 2},
        np.array(["a", None], dtype=object),
        pd.DataFrame({"a": [1.0]}, index=[5]),
        pd.DataFrame({"a": [(1, 2)]}),
        pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}),
        pa.array([b"a", None]),
        1.5,
        np.array(7),
        object,
    ],
    ids=range(9),
)
def test_what_cannot_be_given_back_is_told_again(monkeypatch, tmp_path, told):
    monkeypatch.setattr(block_cache, "WORTH", 0)
    for _ in range(2):
        made = []
        block_cache.kept(tmp_path, ("x",), lambda made=made: made.append(1) or told)
        assert made == [1]


def test_what_is_soon_told_or_large_is_not_kept(monkeypatch, tmp_path):
    block_cache.kept(tmp_path, ("x",), lambda: np.zeros(3))
    monkeypatch.setattr(block_cache, "WORTH", 0)
    monkeypatch.setattr(block_cache, "LARGEST", 1000)
    block_cache.kept(tmp_path, ("y",), lambda: np.zeros(200))
    assert [*tmp_path.iterdir()] == []
    block_cache.kept(False, ("z",), lambda: np.zeros(3))
    block_cache.kept(tmp_path, ("z",), lambda: np.zeros(3))
    assert len([*tmp_path.glob("*.track")]) == 1


def test_what_is_damaged_is_told_again(monkeypatch, tmp_path):
    monkeypatch.setattr(block_cache, "WORTH", 0)
    block_cache.kept(tmp_path, ("x",), lambda: np.arange(1000))
    (path,) = tmp_path.glob("*.track")
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    assert block_cache.kept(tmp_path, ("x",), lambda: "anew") == "anew"


@dataclasses.dataclass(frozen=True)
class One:
    x: object


@dataclasses.dataclass(frozen=True)
class Other:
    x: object


SAID = (
    1, 1.0, True, "1", b"1", None, (1,), [1], ((1,),), (1, 1), (), "", "(1)", ("1", "2"), ("1,2",), One(1), Other(1),
    One(One(1)), np.array([1]), np.array([1.0]), np.array([[1]]), np.array([1], np.int32), np.int64(1), np.array(1),
    {"a": 1}, {"b": 1}, [("a", 1)], values_told, block_cache.kept, Scale((0, 1)), Scale((0, 1), rel_level=2),
    Scale((0, 1), gains={0: 0.0, 1: 0.5}), Sent(np.array([1]), Scale((0, 1))), ByItem(np.array([1]), 0),
    ByItem(np.array([1]), 1),
)  # fmt: skip


def test_whatever_is_said_has_a_name_of_its_own():
    names = [block_cache.name_of(said) for said in SAID]
    assert len(set(names)) == len(SAID)
    assert names == [block_cache.name_of(said) for said in SAID]


@pytest.mark.parametrize("said", [lambda: 1, object(), np.array([None]), {1, 2}, (1, [object()])], ids=range(5))
def test_what_has_no_name_is_told_each_time(tmp_path, monkeypatch, said):
    monkeypatch.setattr(block_cache, "WORTH", 0)
    with pytest.raises(block_cache.NotPlain):
        block_cache.name_of(said)
    assert [block_cache.kept(tmp_path, said, lambda n=n: n) for n in range(3)] == [0, 1, 2]


def test_other_code_gets_nothing_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(block_cache, "WORTH", 0)
    block_cache.kept(tmp_path, ("x",), lambda: 1)
    monkeypatch.setattr(block_cache, "_code", lambda: b"other")
    assert block_cache.kept(tmp_path, ("x",), lambda: 2) == 2
