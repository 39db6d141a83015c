"""Tracks from the cache: equal to the loaded one, never a damaged or stale one, and no trouble without a cache."""

import fcntl
import gzip
import os
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evalcore.reading import files, loading, track_cache
from evalcore.reading.loading import Upload
from tests.reading.checked import load

RUN = b"401 Q0 d1 1 3.5 tag\n401 Q0 d2 2 2.5 tag\n402 Q0 d1 3 9 tag\n402 Q0 \xff 2 9 tag\n402 Q0 d1 1 9 tag\n"
TABLE = b"run,group,pooled,year\ntag,A,1,2003\n"
QUERIES = b"query,topic,weight\n401,X,0.5\n402,402,\n"
OLD = 1_600_000_000


@pytest.fixture
def track(tmp_path, monkeypatch):
    """Files that count as written long ago, and a folder for the cache."""
    monkeypatch.setattr(files, "SETTLED", 0)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.run").write_bytes(RUN)
    (tmp_path / "runs" / "b.gz").write_bytes(gzip.compress(RUN.replace(b"tag", b"two").replace(b"3.5", b"-1")))
    (tmp_path / "qrels.txt").write_bytes(b"401 0 d1 1\n402 0 d1 0\n403 0 d3 -1\n")
    (tmp_path / "systems.csv").write_bytes(TABLE)
    (tmp_path / "queries.csv").write_bytes(QUERIES)
    return tmp_path


def opened(folder, **options):
    given = {"systems": folder / "systems.csv", "queries": folder / "queries.csv", "cache": folder / "cache"}
    return load(folder / "runs", folder / "qrels.txt", **given | options)


def entries(folder):
    return sorted((folder / "cache").glob("*.track"))


def equal(one, two):
    """Whether two Loaded are the same in everything."""
    arrays = ("items", "scores", "pooled", "topic_of_query", "topic_of_item")
    for name in arrays:
        a, b = getattr(one.track, name), getattr(two.track, name)
        assert a.dtype == b.dtype
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), name
    for name in ("systems", "groups", "queries", "topics"):
        assert getattr(one.track, name) == getattr(two.track, name)
    assert one.track.doc_of_item.equals(two.track.doc_of_item)
    for name in ("by_rank", "grade", "listed"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    for name in ("system_table", "query_table"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))
    assert one.sources == two.sources
    assert one.findings == two.findings
    return True


@pytest.fixture
def loads(monkeypatch):
    """How often files were parsed."""
    count = []
    monkeypatch.setattr(loading, "_load", lambda *args, load=loading._load: count.append(1) or load(*args))
    return count


def test_what_comes_from_the_cache_equals_what_was_loaded(track, loads):
    fresh = opened(track, cache=False)
    assert equal(opened(track), fresh)
    assert len(loads) == 2
    assert equal(opened(track), fresh)
    assert len(loads) == 2
    assert fresh.by_rank is not None
    assert fresh.findings


def test_arrays_from_the_cache_cannot_be_written(track):
    opened(track)
    again = opened(track)
    for array in (again.track.items, again.grade, again.by_rank):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_any_array_is_read_as_it_was_written(tmp_path):
    arrays = {
        "": np.zeros((2, 0, 3), np.int8),
        "upside down": np.arange(12.0).reshape(3, 4).T[::-1],
        "long": pa.array([b"", b"\xff", b"abc"], pa.large_binary()),
        "part": pa.array([b"a", b"bc", b"def"]).slice(1),
        "none": pa.array([], pa.binary()),
    }
    store = track_cache.open_cache(tmp_path / "cache")
    store.write("key", lambda: (arrays, {"n": np.int64(3), "x": [np.float64(0.5), np.bool_(True), None, "é"]}))
    again, values = store.read("key", lambda *parts: parts)
    assert store.why == ""
    assert values == {"n": 3, "x": [0.5, True, None, "é"]}
    assert list(again) == list(arrays)
    for name, array in arrays.items():
        if isinstance(array, np.ndarray):
            assert again[name].dtype == array.dtype
            assert again[name].shape == array.shape
            assert np.array_equal(again[name], array)
        else:
            assert again[name].equals(array)


def test_uploads_archives_and_renamed_files(track, loads):
    def uploads(name="a.run", data=RUN):
        return load(Upload(name, data), Upload("q", b"401 0 d1 1\n"), cache=track / "cache")

    uploads(), uploads()
    assert len(loads) == 1
    uploads("other.run")
    assert len(loads) == 2
    uploads(data=RUN.replace(b"3.5", b"4.5"))
    assert len(loads) == 3
    with zipfile.ZipFile(track / "t.zip", "w") as archive:
        archive.write(track / "runs" / "a.run", "a.run")
        archive.write(track / "runs" / "b.gz", "b.gz")
    one = load(track / "t.zip", track / "qrels.txt", cache=track / "cache")
    two = load(track / "t.zip", track / "qrels.txt", cache=track / "cache")
    assert len(loads) == 4
    assert equal(one, two)
    assert [source.name for source in two.sources] == ["t.zip/a.run", "t.zip/b.gz", "qrels.txt"]


def test_two_uploads_of_one_name_are_not_mixed_up(track, loads):
    def both(one, two):
        found = load([Upload("a", one), Upload("a", two)], Upload("q", b"401 0 d1 1\n"), cache=track / "cache")
        return found.track.systems

    other = RUN.replace(b" tag", b" gat")
    assert both(RUN, other) == ("gat", "tag")
    assert both(RUN, other) == ("gat", "tag")
    assert len(loads) == 1
    assert both(other, other) == ("gat",)
    assert both(RUN, RUN) == ("tag",)


def test_options_make_another_entry(track, loads):
    opened(track)
    opened(track, variations="-")
    opened(track, queries=None)
    opened(track, without=["b.gz"])
    assert len(loads) == 4
    opened(track), opened(track, variations="-")
    assert len(loads) == 4


def test_another_program_version_makes_another_entry(track, loads, monkeypatch):
    opened(track)
    monkeypatch.setattr(track_cache, "_version", lambda *modules: "other code")
    opened(track)
    assert len(loads) == 2


def test_a_changed_file_is_loaded_again_even_with_its_size_and_time_kept(track, loads):
    path = track / "runs" / "a.run"
    os.utime(path, (OLD, OLD))
    opened(track)
    path.write_bytes(RUN.replace(b"3.5", b"0.5"))
    os.utime(path, (OLD, OLD))
    assert opened(track).track.scores[0, 0, 0] == 2.5
    assert len(loads) == 2


def test_a_file_that_may_change_unnoticed_or_changes_while_it_is_read_leaves_no_entry(track, loads, monkeypatch):
    opened(track, progress=lambda done, total: os.utime(track / "qrels.txt", (OLD, OLD)))
    assert entries(track) == []
    monkeypatch.setattr(files, "SETTLED", 10**12)
    opened(track), opened(track)
    assert entries(track) == []
    assert len(loads) == 3


@pytest.mark.slow
def test_one_flipped_bit_anywhere_changes_nothing(track, loads):
    fresh = opened(track)
    (path,) = entries(track)
    whole = path.read_bytes()
    store = track_cache.open_cache(track / "cache")
    store._path = lambda key: path
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        again = store.read("", loading.from_parts)
        if again is None:
            assert not path.exists()
        else:  # such as the date of a member
            equal(again, fresh)
    assert equal(opened(track), fresh)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: b"garbage",
        lambda whole: whole[:-1],
        lambda whole: whole[:20],
        lambda whole: whole[20:],
        lambda whole: os.urandom(len(whole)),
    ],
    ids=["empty", "garbage", "one byte short", "cut off", "without its beginning", "noise"],
)
def test_a_damaged_entry_is_made_again(track, loads, damage):
    fresh = opened(track)
    (path,) = entries(track)
    path.write_bytes(damage(path.read_bytes()))
    assert equal(opened(track), fresh)
    assert len(loads) == 2
    assert equal(opened(track), fresh)
    assert len(loads) == 2


def test_what_fails_with_a_sound_entry_is_raised(track, loads):
    opened(track)

    def make(loaded):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        opened(track, make=make)
    assert len(loads) == 1
    assert entries(track)


def test_nothing_in_an_entry_can_run(track):
    opened(track)
    (path,) = entries(track)
    assert b"pickle" not in path.read_bytes()
    assert "pickle" not in vars(track_cache)


def test_bad_files_leave_no_entry(track):
    (track / "runs" / "bad.run").write_bytes(b"401 Q0 d1 1 x tag\n")
    with pytest.raises(loading.InputError):
        opened(track)
    assert entries(track) == []


def test_the_least_recently_used_goes_first(track, monkeypatch):
    opened(track)
    (first,) = entries(track)
    os.utime(first, (OLD, OLD))
    size = first.stat().st_size
    opened(track, variations="-")
    (second,) = set(entries(track)) - {first}
    os.utime(second, (OLD + 1, OLD + 1))
    opened(track)  # the first is used again
    monkeypatch.setenv("POOLSCOPE_CACHE_BYTES", str(int(size * 2.5)))
    opened(track, variations="#")
    assert first.exists()
    assert not second.exists()
    assert len(entries(track)) == 2
    monkeypatch.setenv("POOLSCOPE_CACHE_BYTES", "10")
    opened(track, variations="+")
    assert len(entries(track)) == 2


def test_what_a_killed_writer_left_is_cleared(track):
    (track / "cache").mkdir()
    left, busy = track / "cache" / "new-a.part", track / "cache" / "new-b.part"
    left.write_bytes(b"x")
    busy.write_bytes(b"x")
    os.utime(left, (OLD, OLD))
    opened(track)
    assert not left.exists()
    assert busy.exists()


def test_what_nobody_holds_is_cleared_at_once(track):
    """As after a kill a minute ago; what another program still writes is locked."""
    (track / "cache").mkdir()
    left, busy = track / "cache" / "new-a.part", track / "cache" / "new-b.part"
    for path in (left, busy):
        path.write_bytes(b"x")
        minute_ago = time.time() - 60
        os.utime(path, (minute_ago, minute_ago))
    with open(busy, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        opened(track)
    assert not left.exists()
    assert busy.exists()


def test_a_folder_that_cannot_be_written_is_no_failure(track, monkeypatch, loads):
    (track / "cache").write_bytes(b"a file, not a folder")
    assert opened(track).track.systems == ("tag", "two")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(track_cache.os, "replace", full)
    for _ in range(2):
        assert opened(track, cache=track / "full").track.systems == ("tag", "two")
    assert len(loads) == 3
    assert not list((track / "full").iterdir())


@pytest.mark.parametrize("broken", ["_members", "parts_of", "from_parts"])
def test_a_track_that_the_cache_cannot_take_or_give_back_opens_all_the_same(track, monkeypatch, broken, loads):
    opened(track)

    def fails(*args):
        raise TypeError("Object of type object is not JSON serializable")

    monkeypatch.setattr(track_cache if broken == "_members" else loading, broken, fails)
    if broken != "from_parts":
        found = opened(track, cache=track / "other")
        assert notes_on_the_cache(found) == [
            f"The track could not be written to the cache folder {track / 'other'} (TypeError: Object of type object "
            "is not JSON serializable), so it opens more slowly."
        ]
    else:
        assert equal(opened(track), opened(track, cache=False))
    assert opened(track).track.systems == ("tag", "two")


def notes_on_the_cache(found):
    return [finding.message for finding in found.findings if finding.check == "cache not used"]


@pytest.mark.parametrize("odd", ["pipe", "sparse", "device", "folder"])
def test_a_pipe_or_a_huge_file_in_place_of_an_entry_is_no_entry(track, odd, loads):
    """A pipe would be waited for, and eight terabytes of zeros read."""
    fresh = opened(track)
    (path,) = entries(track)
    path.unlink()
    if odd == "pipe":
        os.mkfifo(path)
    elif odd == "sparse":
        with open(path, "wb") as file:
            file.truncate(8 << 40)
    elif odd == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    for _ in range(2):
        found = opened(track)
        assert equal(replace(found, findings=fresh.findings), fresh)
    if odd != "folder":  # which is not deleted: it may be somebody's
        assert len(loads) == 2
        assert not notes_on_the_cache(found)


def test_a_finding_takes_plain_values_only():
    for count, system in ((np.int64(3), "a"), (True, "a"), (3, np.str_("a")), (3.0, "a"), (None, "a")):
        with pytest.raises(TypeError, match="is needed"):
            files.Finding("note", "ties", system, "", count, "said")


def test_several_at_once(track):
    fresh = opened(track, cache=False)
    failures = []

    def work():
        try:
            for _ in range(5):
                equal(opened(track), fresh)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(entries(track)) == 1


def test_where_the_cache_is(tmp_path, monkeypatch):
    monkeypatch.setenv("POOLSCOPE_CACHE", str(tmp_path / "own"))
    assert track_cache.open_cache().folder == tmp_path / "own"
    monkeypatch.delenv("POOLSCOPE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert track_cache.open_cache().folder == tmp_path / "xdg" / "poolscope"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert track_cache.open_cache().folder == tmp_path / ".cache" / "poolscope"
    assert track_cache.open_cache(tmp_path).folder == tmp_path
    assert track_cache.open_cache(False).folder is None


@pytest.mark.real
def test_a_real_track_from_the_cache(tmp_path):
    folder = os.environ.get("POOLSCOPE_DATA")
    if not folder:
        pytest.skip("POOLSCOPE_DATA does not say where real tracks are")
    given = [os.path.join(folder, "messy", name) for name in ("runs", "qrels.txt")]
    fresh = load(*given, cache=tmp_path)
    again = load(*given, cache=tmp_path)
    assert equal(again, fresh)


def test_an_entry_under_anothers_name_is_not_served(track, loads):
    """Two entries whose files are exchanged: each is whole, and of something else than its name says."""
    one, other = opened(track), opened(track, names="case")
    first, second = entries(track)
    content = first.read_bytes(), second.read_bytes()
    stored = unzipped(first), unzipped(second)
    first.write_bytes(content[1])
    second.write_bytes(content[0])
    assert equal(opened(track), one)
    assert equal(opened(track, names="case"), other)
    assert len(loads) == 4
    assert (unzipped(first), unzipped(second)) == stored


def unzipped(entry):
    """What an entry contains; the archive has the time of writing, too."""
    with zipfile.ZipFile(entry) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_entry_that_is_cut_while_it_is_in_use_harms_nothing(track):
    """In a process of its own: a map of the file would end it."""
    opened(track)
    program = (
        "import sys, os; from pathlib import Path; from evalcore.reading import files; files.SETTLED = 0\n"
        "from evalcore.reading.loading import load\n"
        "folder = Path(sys.argv[1])\n"
        "entry, = (folder / 'cache').glob('*.track')\n"
        "def make(loaded):\n"
        "    os.truncate(entry, 0)\n"
        "    return float(loaded.track.scores[0, 0, 0]), loaded.track.doc_of_item.to_pylist()[1]\n"
        "print(load(folder / 'runs', folder / 'qrels.txt', systems=folder / 'systems.csv', queries=folder / "
        "'queries.csv', cache=folder / 'cache', make=make))"
    )
    done = subprocess.run([sys.executable, "-c", program, track], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "(3.5, b'd1')\n"), done.stderr


def test_the_folder_is_the_users_alone(track):
    opened(track)
    assert (track / "cache").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used_and_that_is_said(track, loads, mode):
    opened(track)
    (track / "cache").chmod(mode)
    found = opened(track)
    assert len(loads) == 2
    said = [(f.severity, f.message) for f in found.findings if f.check == "cache not used"]
    folder = track / "cache"
    message = (
        f"The cache folder {folder} can be written by others (chmod 700 {folder} prevents this), so it was not used."
    )
    assert said == [("note", message)]
    (track / "cache").chmod(0o700)
    assert equal(opened(track), opened(track, cache=False))


def test_a_folder_of_another_user_is_not_used(track, monkeypatch):
    opened(track)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert track_cache.open_cache(track / "cache").why == (
        f"The cache folder {track / 'cache'} belongs to another user, so it was not used."
    )


def test_a_limit_that_is_no_number_is_said(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_CACHE_BYTES", "4G")
    with pytest.raises(ValueError, match="POOLSCOPE_CACHE_BYTES='4G' is not valid"):
        track_cache.may_hold()


def test_a_sparse_file_takes_no_memory(track):
    """Gigabytes of zeros behind an entry are not read."""
    opened(track)
    (entry,) = entries(track)
    with open(entry, "ab") as file:
        file.truncate(3 << 30)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from evalcore.reading.track_cache import _read\n"
        "try:\n    _read(open(sys.argv[1], 'rb'), '')\n"
        "except Exception as failure:\n    print(type(failure).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(entry)], capture_output=True, text=True)
    assert done.stdout == "BadZipFile\n", done.stderr
