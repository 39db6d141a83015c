"""Studies on the server: in its folder, shared with a link, and stored for a restart."""

import hashlib
import io
import multiprocessing
import os
import re
import sqlite3
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import pytest

from evalcore.study import study_file
from tests.study.test_study_file import changed, hostile
from tests.ui import test_pages
from tests.ui.test_pages import (
    PAGES,
    ROOT,
    assume,
    everything,
    load,
    opened,
    own_files,
    press,
    qrels_text,
    record_of,
    run_text,
    visit,
    went_well,
)
from tests.ui.test_saved_studies import RUNS, name_of, study_of
from ui.app import expiry, kept_uploads, startup
from ui.data import server_studies
from ui.serving import login
from ui.session import answers

ANN, BOB = "a" * 43, "b" * 43  # cookies
SETTINGS = server_studies.FOLDER, server_studies.SHARE, server_studies.KEEP, server_studies.QUOTA


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The folder of studies, empty, on a server where nothing is shared."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.argv", ["app.py"])
    monkeypatch.setenv(server_studies.FOLDER, str(tmp_path))
    answers.CACHE.drop()
    return tmp_path


@pytest.fixture
def shares(folder, monkeypatch):
    """The same on a server where studies are shared for seven days."""
    monkeypatch.setenv(server_studies.SHARE, "7")
    kept_uploads._last.clear()
    yield folder
    answers.CACHE.drop()


@pytest.fixture
def packed(monkeypatch):
    """A study file with two runs, a name, a metric, a pin and an option."""
    app = own()
    went_well(name_of(app).set_value("My <b> track").run())
    visit(app, "pages/scores.py")
    assume(app, average="common")
    went_well(app.selectbox(key="metric").set_value("AP").run())
    return study_of(went_well(app.multiselect(key="pin").set_value(["B"]).run()))


def linked(name, page="pages/scores.py", **address):
    """A new visit that follows a link to a study."""
    return opened(page, study=name, **address)


def own():
    """A new visit that loads two runs and judgments."""
    return went_well(load(opened(), "any", *RUNS, ("qrels.txt", qrels_text())))


def shown(app):
    """What a page says and the numbers on it."""
    return str(test_pages.findings(app)), [(one.label, one.value) for one in app.metric]


# ---- the folder


def test_a_study_in_the_folder_opens_by_a_link_as_it_was_saved(folder, packed):
    (folder / "My course 2026.poolscope").write_bytes(packed)
    app = linked("My course 2026")
    assert app.selectbox(key="study").value == "My course 2026"
    assert (app.selectbox(key="metric").value, app.multiselect(key="pin").value) == ("AP", ["B"])
    assert record_of(app).options["average"] == "common"
    assert not [*app.error, *app.warning]
    assert app.query_params["study"] == "My course 2026"
    loaded = went_well(load(opened(), "any", ("s.poolscope", packed)))
    assert shown(app) == shown(visit(loaded, "pages/scores.py"))
    again = linked("My course 2026", metric="P@10", average="qrels")  # a link's choices count more
    assert again.selectbox(key="metric").value == "P@10"
    assert record_of(again).options["average"] == "qrels"


def test_it_is_in_the_picker_and_every_page_shows_it(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    app = opened("pages/scores.py")
    assert app.selectbox(key="study").value == "web"
    assert "course" in app.selectbox(key="study").options
    went_well(app.selectbox(key="metric").set_value("P@10").run())
    went_well(app.selectbox(key="study").set_value("course").run())
    assert app.selectbox(key="metric").value == "AP"
    for page in PAGES:
        visit(app, page)
        assert app.selectbox(key="study").value == "course"
    went_well(app.selectbox(key="study").set_value("web").run())
    assert app.selectbox(key="study").value == "web"


def test_a_visitor_does_not_change_it_for_others(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    app = linked("course", "pages/data.py")
    load(app, "any", ("c.txt", run_text("C")))
    went_well(next(button for button in app.button if button.label.startswith("Add to")).click().run())
    assert ("Systems", "3") in shown(visit(app, "pages/scores.py"))[1]
    assert "c.txt" not in everything(linked("course", "pages/data.py"))
    assert (folder / "course.poolscope").read_bytes() == packed
    again = went_well(load(opened(), "any", ("s.poolscope", study_of(app))))  # and saves what they see
    assert again.selectbox(key="study").value == "files"
    assert shown(visit(again, "pages/scores.py")) == shown(app)


def test_visitors_share_what_is_computed_of_it(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    linked("course")
    keys = {key for key, _ in answers.CACHE.items() if key[0] == ""}
    linked("course")
    assert {key for key, _ in answers.CACHE.items() if key[0] == ""} == keys
    assert keys


BROKEN = {
    "no zip": (b"hello", "is damaged"),
    "cut": (None, "cannot be read"),
    "a path": ({"files": [{"role": "run", "name": "/etc/passwd", "sha256": "0" * 64, "own": True, "sheet": None,
                           "member": "../../../etc/passwd"}]}, "was changed or removed"),
    "digests only": ({"files": [{"role": "run", "name": "a.txt", "sha256": "0" * 64, "own": False, "sheet": None,
                                 "member": None}]}, "only its SHA-256"),
    "options": ({"options": {"cache": "/tmp"}}, "unknown option or value"),
    "types": ({"notes": 3}, "wrong type"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_named_when_it_is_chosen_and_breaks_nothing(folder, packed, case):
    change, said = BROKEN[case]
    data = changed(packed, manifest=hostile(**change)).data if isinstance(change, dict) else change or packed[:-40]
    (folder / "course.poolscope").write_bytes(data)
    assert not [*startup.wrong()]
    app = opened("pages/scores.py")
    assert not app.error
    went_well(app.selectbox(key="study").set_value("course").run())
    assert "course.poolscope" in everything(app)
    assert said in everything(app)
    assert "This study cannot be opened" in everything(app)
    for page in ("pages/data.py", "pages/report.py"):
        assert said in everything(visit(app, page))
    press(app, "Open the sample")
    assert app.selectbox(key="study").value == "web"


def test_no_name_leads_out_of_the_folder(folder, packed, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.poolscope"
    elsewhere.write_bytes(packed)
    (folder / "link.poolscope").symlink_to(elsewhere)
    (folder / "deep").mkdir()
    for name in ("deep/in", ".hidden", "web", "files", "shared-" + "a" * 22, "new\nline", "x" * 90, "ok"):
        (folder / f"{name}.poolscope").write_bytes(packed)
    (folder / "other.zip").write_bytes(packed)
    (folder / "dir.poolscope").mkdir()
    assert server_studies.names() == ["ok"]
    for name in (
        f"../{elsewhere.parent.name}/secret", str(elsewhere), str(elsewhere)[:-10], "link", "deep/in", ".hidden", "dir",
        "ok/../ok", "OK", "\0", "shared-" + "a" * 21, "<b>x</b>", "![x](http://evil)", "folder",
    ):  # fmt: skip
        assert server_studies.path_of(name) is None
        app = linked(name)
        assert not app.metric
        assert "This server has no study" in everything(app)


def test_a_figure_of_it_is_shown_alone_as_it_is_no_upload(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    assert "never shown alone" not in everything(linked("course", figure="leaderboard"))


def test_a_link_opens_in_a_browser_with_other_choices(folder, packed, monkeypatch):
    (folder / "course.poolscope").write_bytes(packed)
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    first = opened("pages/scores.py")
    went_well(first.selectbox(key="metric").set_value("P@10").run())
    app = linked("course")
    assert (app.selectbox(key="metric").value, app.multiselect(key="pin").value) == ("AP", ["B"])
    went_well(app.selectbox(key="metric").set_value("P@10").run())
    visit(app, "pages/compare.py")
    assert app.selectbox(key="metric").value == "P@10"  # taken over only once


def test_a_folder_that_is_gone_breaks_nothing(folder, monkeypatch):
    monkeypatch.setenv(server_studies.SHARE, "7")
    monkeypatch.setenv(server_studies.KEEP, "1")
    monkeypatch.setenv(server_studies.FOLDER, str(folder / "gone"))
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    app = own()
    press(app, "Create a link")
    assert any("cannot write its folder or its list of studies" in error.value for error in app.error)
    assert "This server has no study" in everything(linked("course"))
    assert "cannot read its list of shared studies" in everything(linked("shared-" + "a" * 22))
    answers.CACHE.drop()


def test_without_the_setting_there_are_none(folder, packed, monkeypatch):
    (folder / "course.poolscope").write_bytes(packed)
    monkeypatch.delenv(server_studies.FOLDER)
    assert server_studies.names() == []
    assert "This server has no study" in everything(linked("course"))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (server_studies.FOLDER, "/nowhere/at/all", "is not a folder"),
        (server_studies.SHARE, "a week", "a whole number from 0, such as 7"),
        (server_studies.KEEP, "-1", "a whole number from 0, such as 1"),
        (server_studies.QUOTA, "4G", "a whole number from 0, such as 4294967296"),
    ],
)
def test_a_wrong_setting_is_named(folder, monkeypatch, name, value, said):
    assert not [*startup.wrong()]
    monkeypatch.setenv(name, value)
    (sentence,) = startup.wrong()
    assert sentence.startswith(f"{name}={value!r} ")
    assert said in sentence


def test_sharing_needs_a_folder(folder, monkeypatch):
    monkeypatch.delenv(server_studies.FOLDER)
    monkeypatch.setenv(server_studies.SHARE, "7")
    (sentence,) = startup.wrong()
    assert sentence == "POOLSCOPE_SHARE=7 needs a folder to store studies in. Name one: POOLSCOPE_STUDIES."


# ---- the index


def test_what_is_stored_is_found_by_its_name_until_it_expires(shares, monkeypatch):
    name = server_studies.share("ann", "mine", b"data")
    found = server_studies.find(name)
    assert (found.label, found.path.read_bytes()) == ("mine", b"data")
    assert found.path.name == hashlib.sha256(b"data").hexdigest()
    assert found.expires == pytest.approx(time.time() + 7 * 86_400, abs=60)
    assert [one.name for one in server_studies.shared_by("ann")] == [name]
    assert server_studies.shared_by("bob") == []
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 7 * 86_400 + 60)
    assert server_studies.find(name) is None
    assert server_studies.shared_by("ann") == []
    assert found.path.exists()
    server_studies.remove_expired()
    assert not found.path.exists()


def test_names_cannot_be_guessed(shares):
    names = {server_studies.share("ann", "mine", b"data") for _ in range(20)}
    assert len(names) == 20
    for name in names:
        assert re.fullmatch(r"shared-[A-Za-z0-9_-]{22}", name)  # 22 letters of 6 bits: 16 bytes
        for other in (name[:-1], name + "a", name.upper(), name[7:], "shared-%", "shared-" + "_" * 22, "", "*", None):
            assert server_studies.find(other) is None
        assert server_studies.path_of(name.removeprefix("shared-")) is None
    assert not names & {*server_studies.names()}


def test_only_who_shared_it_removes_it(shares):
    name, same = (server_studies.share(who, "mine", b"data") for who in ("ann", "bob"))
    path = server_studies.path_of(name)
    for who in ("bob", "", None, "ann' OR '1'='1", "%"):
        server_studies.remove(name, who)
        assert server_studies.path_of(name) == path
    server_studies.remove(name, "ann")
    assert server_studies.path_of(name) is None
    assert server_studies.path_of(same) == path  # which has the same content
    server_studies.remove(same, "bob")
    assert not path.exists()


HOSTILE = ["x'); DROP TABLE studies; --", "../../etc/passwd", "a\0b", "\U0001f600", "%", "_" * 30, "shared-" + "'" * 22]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(shares, text):
    kept = server_studies.share("ann", text, b"data")
    server_studies.store(text, text, text, b"mine", 60)
    assert server_studies.find(text).path.parent == shares / "visitors"
    assert server_studies.path_of(text) is None  # only the names of links are found in the index
    server_studies.remove(text, text)
    assert server_studies.find(text) is None
    assert server_studies.find(kept).label == text


def test_the_quota_counts_what_is_stored_and_expired_studies_go_first(shares, monkeypatch):
    monkeypatch.setenv(server_studies.QUOTA, "20000000")
    for n in range(9):
        server_studies.store(f"old{n}", f"ann{n}", "old", bytes([n]) * 2_000_000, 60)
    server_studies.store("last", "bob", "old", b"x" * 1_000_000, 60)
    full = "The studies of all visitors use 19 MB of the 20 MB on this server, and this study takes 2 MB"
    with pytest.raises(ValueError, match=full):
        server_studies.share("cid", "new", b"y" * 2_000_000)
    assert len(files_in(shares)) == 10
    server_studies.store("last", "bob", "old", b"z" * 2_000_000, 60)  # in place of itself
    assert hashlib.sha256(b"x" * 1_000_000).hexdigest() not in files_in(shares)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 61)
    assert server_studies.find(server_studies.share("cid", "new", b"y" * 2_000_000))
    assert len(files_in(shares)) == 1


def test_a_visitor_fills_a_tenth_of_the_quota(shares, monkeypatch):
    monkeypatch.setenv(server_studies.QUOTA, "20000000")
    server_studies.share("ann", "mine", b"1" * 1_500_000)
    said = "A visitor may store 2 MB on this server. You use 2 MB, and this study takes 1 MB, so it was not stored"
    with pytest.raises(ValueError, match=said):
        server_studies.share("ann", "mine", b"2" * 600_000)
    with pytest.raises(ValueError, match="A visitor may store 2 MB on this server, but this study takes 3 MB"):
        server_studies.share("dora", "mine", b"3" * 3_000_000)
    server_studies.share("bob", "mine", b"2" * 600_000)
    monkeypatch.setenv(server_studies.QUOTA, str(server_studies.LEAST * 100))
    for n in range(10):  # a study counts for 64 kB, however small it is
        server_studies.share("cid", "mine", bytes([n]))
    with pytest.raises(ValueError, match="A visitor may store"):
        server_studies.share("cid", "mine", b"10")


def files_in(folder):
    """The files of visitors."""
    return [path.name for path in (folder / "visitors").iterdir() if not path.name.startswith("index")]


def _shares(folder, number, names):
    os.environ[server_studies.FOLDER] = folder
    os.environ[server_studies.SHARE] = "7"
    for one in range(10):
        names.put(server_studies.share(f"p{number}", "mine", f"{number} {one % 5}".encode()))


@pytest.mark.slow
def test_several_processes_and_threads_write_at_once(shares):
    context = multiprocessing.get_context("spawn")
    names = context.Queue()
    processes = [context.Process(target=_shares, args=(str(shares), number, names)) for number in range(3)]
    for process in processes:
        process.start()
    with ThreadPoolExecutor(4) as threads:
        own = list(threads.map(lambda n: server_studies.share("t", "mine", f"t {n % 9}".encode()), range(20)))
    stored = own + [names.get(timeout=60) for _ in range(30)]
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert len(set(stored)) == 50
    assert all(server_studies.path_of(name).exists() for name in stored)
    for name in own:
        server_studies.remove(name, "t")
    files = [shares / "visitors" / name for name in files_in(shares)]
    assert sorted(path.read_text() for path in files) == sorted(f"{n} {one}" for n in range(3) for one in range(5))
    with sqlite3.connect(shares / "visitors" / "index.sqlite") as index:
        assert index.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # which is read without writing


def _shares_without_end(folder, names):
    os.environ[server_studies.FOLDER] = folder
    os.environ[server_studies.SHARE] = "7"
    for number in count():
        data = f"{os.getpid()} {number} ".encode() * 50_000
        names.send((server_studies.share("p", "mine", data), hashlib.sha256(data).hexdigest()))


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_stores_leaves_nothing_wrong(shares, monkeypatch):
    """Whatever was stored opens as it was, and of what was not, no file remains."""
    monkeypatch.setenv(server_studies.QUOTA, str(1 << 40))
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    stored = {}
    for number in range(24):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_shares_without_end, args=(str(shares), sender))
        process.start()
        sender.close()
        with suppress(EOFError):
            for _ in range(1 + number % 3):
                stored.update([receiver.recv()])
            time.sleep(number * 0.0007)  # into the middle of the next one, at another place each time
            process.kill()
            while True:  # what it sent before its end
                stored.update([receiver.recv()])
        process.join(60)
        for name, digest in stored.items():
            assert hashlib.sha256(server_studies.path_of(name).read_bytes()).hexdigest() == digest
    server_studies.remove(server_studies.share("q", "mine", b"one more"), "q")
    names = {one.path.name for one in server_studies.shared_by("p")}
    assert names >= set(stored.values())
    assert set(files_in(shares)) == names
    index = [path.name for path in (shares / "visitors").iterdir() if path.name.startswith("index")]
    assert index == [server_studies.INDEX]  # no journal


def test_a_reader_may_come_before_the_first_study_is_stored(shares):
    assert server_studies.find("shared-" + "a" * 22) is None
    (shares / "visitors").mkdir()  # as a writer does, a moment before it makes the index
    assert server_studies.find("shared-" + "a" * 22) is None
    name = server_studies.share("ann", "mine", b"data")
    assert server_studies.find(name).path.read_bytes() == b"data"


def test_a_reader_may_come_while_the_first_study_is_stored(shares, monkeypatch):
    """It finds no table, then another process makes the table and the file, then it finds the file."""
    name = server_studies.share("ann", "mine", b"data")
    seen = iter([False])
    has_table = server_studies._has_table
    monkeypatch.setattr(server_studies, "_has_table", lambda index: next(seen, has_table(index)))
    assert server_studies.find(name).path.read_bytes() == b"data"


@pytest.mark.parametrize("how", ["emptied", "deleted"])
def test_an_index_that_is_gone_is_named_and_takes_no_study_with_it(shares, how):
    name = server_studies.share("ann", "mine", b"data")
    index = shares / "visitors" / server_studies.INDEX
    copy = index.read_bytes()
    index.write_bytes(b"") if how == "emptied" else index.unlink()
    with pytest.raises(server_studies.Unreadable):
        server_studies.find(name)
    with pytest.raises(ValueError, match="cannot write its folder or its list of studies"):
        server_studies.share("bob", "mine", b"other")
    assert "there are files of studies" in server_studies.why_not_stored()
    index.write_bytes(copy)
    assert server_studies.find(name).path.read_bytes() == b"data"
    assert not server_studies.why_not_stored()


def test_a_folder_among_the_files_of_visitors_is_left_alone(shares):
    name = server_studies.share("ann", "mine", b"data")
    (shares / "visitors" / "backup").mkdir()
    server_studies.share("bob", "mine", b"other")
    server_studies.remove(name, "ann")
    assert (shares / "visitors" / "backup").is_dir()


def test_a_damaged_index_is_named_and_ends_no_link(shares, monkeypatch):
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    name = server_studies.share("ann", "mine", b"data")
    for file in (shares / "visitors").glob("index*"):
        file.write_bytes(b"nonsense" * 1000)
    with pytest.raises(server_studies.Unreadable):
        server_studies.find(name)
    with pytest.raises(ValueError, match="cannot write its folder or its list of studies"):
        server_studies.share("ann", "mine", b"data")
    with pytest.raises(ValueError, match="is still shared"):
        server_studies.remove(name, "ann")
    assert not [*startup.wrong()]
    assert "cannot be written: file is not a database. Poolscope starts" in server_studies.why_not_stored()
    app = linked(name)
    assert "it is unknown whether this link is valid" in everything(app)
    assert "has ended" not in everything(app)
    assert "your links are not shown" in everything(own())


# ---- a link


def links(app):
    return re.findall(r"shared-[\w-]{22}", str([one.value for one in app.code]))


def share(app):
    """The name in the link to the study that a visit shares."""
    (name,) = links(press(app, "Create a link"))
    return name


@pytest.fixture
def mine(shares, monkeypatch):
    """A visit with a cookie, two runs and judgments, and a metric."""
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    app = own()
    visit(app, "pages/scores.py")
    return went_well(app.selectbox(key="metric").set_value("AP").run())


def test_a_shared_study_shows_the_same_until_sharing_stops(mine, monkeypatch):
    name = share(mine)
    monkeypatch.setattr(kept_uploads, "cookie", lambda: BOB)
    other = linked(name)
    assert shown(other) == shown(mine)
    assert other.selectbox(key="study").value == name
    assert not links(other)
    assert not [one for one in other.button if one.label in ("Create a link", "Stop sharing")]
    assert not other.warning
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    press(mine, "Stop sharing")
    assert not links(mine)
    for app in (went_well(other.run()), linked(name), visit(other, "pages/data.py")):
        said = everything(app).replace("\\", "")
        assert "This link has ended, or whoever shared the study stopped sharing it" in said
        assert len([*app.warning, *app.error, *app.info]) == 1
        assert not [file for file in ("a.txt", "b.txt", "qrels.txt") if file in said]
        assert not app.metric
    assert not [key for key, _ in answers.CACHE.items() if key[0] == name]


def test_the_same_study_keeps_its_link_and_another_visitor_gets_another_one(mine, monkeypatch):
    name = share(mine)
    assert share(mine) == name
    went_well(mine.selectbox(key="metric").set_value("P@10").run())
    press(mine, "Create a link")
    first, second = links(mine)
    assert name in (first, second)  # with another choice, it is another study
    monkeypatch.setattr(kept_uploads, "cookie", lambda: BOB)
    app = own()
    visit(app, "pages/scores.py")
    went_well(app.selectbox(key="metric").set_value("AP").run())
    assert share(app) not in (first, second)


def test_a_deleted_study_and_one_with_a_typing_mistake_are_not_replaced_by_the_sample(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    app = linked("course")
    (folder / "course.poolscope").unlink()
    for one in (went_well(app.run()), linked("coarse"), linked("course"), linked("folder"), linked("x" * 9000)):
        (said,) = one.info
        assert said.value.startswith("This server has no study")
        assert "Check the link, or ask whoever sent it to you" in said.value
        assert not [*one.warning, *one.error, *one.metric]
    press(app, "Open the sample")
    assert app.selectbox(key="study").value == "web"
    assert app.metric


def test_the_study_that_was_open_is_kept_when_a_link_is_followed(mine, monkeypatch):
    name = share(mine)
    tab = linked(name)  # in the same browser
    assert own_files(tab).keys() == own_files(mine).keys()
    assert tab.selectbox(key="metric").value == "AP"
    went_well(tab.selectbox(key="study").set_value("files").run())
    assert shown(tab) == shown(mine)


def test_what_was_added_to_a_sample_is_shared(shares, monkeypatch):
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    app = opened()
    assert not [one for one in app.button if one.label == "Create a link"]  # of a sample alone
    data = next((ROOT / "sample_data" / "web" / "runs").iterdir()).read_bytes()
    went_well(load(app, "any", ("mine.run.gz", data)))
    went_well(next(one for one in app.button if one.label.startswith("Add to")).click().run())
    name = share(app)
    other = linked(name)
    assert shown(other) == shown(visit(app, "pages/scores.py"))
    assert not other.warning


def test_sharing_is_off_by_default_and_for_visitors_without_a_cookie(mine, monkeypatch):
    name = share(mine)
    monkeypatch.setenv(server_studies.SHARE, "0")
    went_well(mine.run())
    assert not [one for one in mine.button if one.label in ("Create a link", "Stop sharing")]
    assert "This link has ended" in everything(linked(name))
    monkeypatch.setenv(server_studies.SHARE, "7")
    monkeypatch.setattr(kept_uploads, "cookie", lambda: None)
    app = own()
    assert not [one for one in app.button if one.label == "Create a link"]


def test_over_the_quota_sharing_is_refused(mine, monkeypatch):
    monkeypatch.setenv(server_studies.QUOTA, "100")
    press(mine, "Create a link")
    assert any("A visitor may store" in error.value for error in mine.error)
    assert not links(mine)
    monkeypatch.setattr(study_file, "LARGE", 10)
    press(mine, "Create a link")
    assert any("Remove some of the runs" in error.value for error in mine.error)


def test_an_embedded_figure_shows_no_shared_study_and_offers_no_link(mine):
    name = share(mine)
    app = linked(name, figure="leaderboard")
    assert "never shown alone" in everything(app)
    assert not app.metric
    assert not links(app)


def test_the_log_has_no_link(mine, caplog):
    name = share(mine)
    caplog.clear()
    linked(name)
    lines = [record.getMessage() for record in caplog.records if record.name == "poolscope.visits"]
    assert any("study server" in line for line in lines)
    assert not [line for line in lines if name[7:] in line]


def test_a_saved_file_has_no_link(mine):
    name = share(mine)
    packed = study_of(linked(name))
    assert not [member for member in zipfile.ZipFile(io.BytesIO(packed)).namelist()
                if name.encode() in zipfile.ZipFile(io.BytesIO(packed)).read(member)]  # fmt: skip


def test_behind_a_login_the_user_owns_it_in_all_browsers(shares, monkeypatch):
    def enter(name, cookie):
        monkeypatch.setattr("streamlit.user", {"iss": "i", "sub": name, "email": f"{name}@x", "is_logged_in": True})
        monkeypatch.setattr(kept_uploads, "cookie", lambda: cookie)

    monkeypatch.setattr(login, "settings", dict)
    enter("ann", ANN)
    app = own()
    assert "Only you can stop sharing." in everything(app)
    name = share(app)
    enter("bob", ANN)
    other = linked(name)
    assert ("Systems", "2") in shown(other)[1]
    assert not links(other)
    enter("ann", BOB)
    again = linked(name)
    assert links(again) == [name]
    press(again, "Stop sharing")
    assert server_studies.path_of(name) is None
    assert kept_uploads.owner_of(kept_uploads.ANY, {}) is None


def test_what_was_computed_of_an_expired_study_is_dropped(mine, monkeypatch):
    name = share(mine)
    linked(name)
    expiry.end_shared(None)
    answers.CACHE.let_go()
    assert [key for key, _ in answers.CACHE.items() if key[0] == name]
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 8 * 86_400)
    expiry.end_shared(None)
    answers.CACHE.let_go()
    assert not [key for key, _ in answers.CACHE.items() if key[0] == name]


# ---- a restart


@pytest.fixture
def keeping(folder, monkeypatch):
    """A visitor with a cookie on a server that stores files for an hour."""
    monkeypatch.setenv(server_studies.KEEP, "1")
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    yield folder
    restart()


def restart():
    """What a new process does not have."""
    answers.CACHE.drop()
    kept_uploads._last.clear()
    kept_uploads._newest.clear()
    kept_uploads._refused.clear()


def stored(after=None):
    """The path of Ann's stored study file, as soon as it is written. after : the path of an earlier one"""
    for _ in range(600):
        study = server_studies.find(kept_uploads.owner_of(ANN, None))
        if study and study.path != after:
            with kept_uploads._WRITING:  # the index is closed, too
                return study.path
        time.sleep(0.1)
    raise AssertionError("nothing is stored")


def files_of(app):
    return sorted(file.name for file in own_files(app).values())


def test_files_outlive_a_restart(keeping, monkeypatch):
    app = own()
    visit(app, "pages/scores.py")
    stored()
    restart()
    monkeypatch.setattr(kept_uploads, "cookie", lambda: BOB)
    assert files_of(linked("files")) == []
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    after = linked("files")
    assert files_of(after) == ["a.txt", "b.txt", "qrels.txt"]
    assert shown(after) == shown(app)
    assert not after.warning
    assert server_studies.path_of(kept_uploads.owner_of(ANN, None)) is None
    restart()
    sample = opened("pages/scores.py")  # the address says what is shown
    assert sample.selectbox(key="study").value == "web"
    assert files_of(sample) == files_of(after)


def test_what_cannot_be_stored_is_said_once(keeping, monkeypatch):
    monkeypatch.setenv(server_studies.QUOTA, "1000")
    app = own()
    for _ in range(100):
        if kept_uploads._refused:
            break
        time.sleep(0.1)
    went_well(app.run())
    (said,) = app.toast
    assert "A visitor may store" in said.value
    assert "Your files are lost if the server restarts" in said.value
    monkeypatch.setattr(study_file, "LARGE", 10)
    went_well(load(app, "any", ("c.txt", run_text("C"))))
    for _ in range(100):
        if kept_uploads._refused:
            break
        time.sleep(0.1)
    assert "Remove some of the runs" in next(iter(kept_uploads._refused.values()))
    went_well(app.run())
    assert not app.toast


def test_stored_files_that_cannot_be_read_are_named(keeping):
    own()
    stored()
    restart()
    (keeping / "visitors" / server_studies.INDEX).write_bytes(b"nonsense" * 1000)
    app = went_well(opened().run())
    (said,) = app.toast
    assert said.value.startswith("The server cannot read the files that it stored for you")


def test_what_was_added_to_a_sample_is_stored(keeping):
    """Of the sample, only digests are."""
    app = opened()
    data = next((ROOT / "sample_data" / "web" / "runs").iterdir()).read_bytes()
    went_well(load(app, "any", ("mine.run.gz", data)))
    went_well(next(one for one in app.button if one.label.startswith("Add to")).click().run())
    assert "files/mine.run.gz" in zipfile.ZipFile(stored()).namelist()


def test_what_is_added_or_removed_later_is_stored_or_removed(keeping):
    app = own()
    before = stored()
    went_well(load(app, "any", ("c.txt", run_text("C"))))
    after = stored(before)
    assert not before.exists()
    assert "files/c.txt" in zipfile.ZipFile(after).namelist()
    press(app, "Remove all")
    assert not after.exists()
    restart()
    assert files_of(opened()) == []


def test_what_was_removed_after_a_reload_is_not_stored(keeping):
    own()
    path = stored()
    app = linked("files", "pages/data.py")
    assert len(files_of(app)) == 3
    press(app, "Remove all")
    assert not path.exists()


def test_stored_files_expire_an_hour_after_the_last_click(keeping, monkeypatch):
    app = own()
    stored()
    name, now = kept_uploads.owner_of(ANN, None), time.time()
    monkeypatch.setattr("time.time", lambda: now + 1800)
    monkeypatch.setattr(kept_uploads, "EVERY", 0)
    went_well(app.run())
    assert server_studies.find(name).expires == pytest.approx(now + 5400, abs=60)
    monkeypatch.setattr("time.time", lambda: now + 5500)
    restart()
    assert files_of(opened()) == []
    server_studies.remove_expired()
    assert [path.name for path in (keeping / "visitors").iterdir() if "index" not in path.name] == []


def test_nothing_is_stored_by_default_or_over_the_quota(folder, monkeypatch):
    monkeypatch.setattr(kept_uploads, "cookie", lambda: ANN)
    own()
    assert not (folder / "visitors").exists()
    monkeypatch.setenv(server_studies.KEEP, "1")
    monkeypatch.setenv(server_studies.QUOTA, "10")
    written = []
    monkeypatch.setattr(kept_uploads, "_write", lambda *given, write=kept_uploads._write: written.append(write(*given)))
    app = own()
    for _ in range(100):
        if written:
            break
        time.sleep(0.1)
    assert written
    assert server_studies.find(kept_uploads.owner_of(ANN, None)) is None
    assert len(files_of(went_well(app.run()))) == 3
    restart()
