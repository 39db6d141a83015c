"""Files that are no plain files: odd names, pipes and devices, archives with one name twice; and lines cut off."""

import gzip
import io
import os
import re
import socket
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.collection.judgments import Scale
from evalcore.reading import formats
from evalcore.reading.files import InputError, Upload
from tests.reading.checked import load
from tests.reading.test_loading import tar, zipped
from ui.data import sources

RUN = b"q1 Q0 d1 1 9.5 tag\nq1 Q0 d2 2 8.5 tag\n"
QRELS = Upload("qrels.txt", b"q1 0 d1 1\nq1 0 d2 0\n")


def said(loaded):
    return [finding.message for finding in loaded.findings]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.run").write_bytes(RUN)
    return tmp_path


def test_a_file_name_that_is_not_utf8(folder):
    path = os.fsencode(folder) + b"/b\xff.run"
    with open(path, "wb") as file:
        file.write(RUN.replace(b"tag", b"two"))
    found = load(folder, QRELS, cache=folder / "cache" / "inner")
    assert found.track.systems == ("tag", "two")
    assert [source.name for source in found.sources] == ["a.run", r"b\xff.run", "qrels.txt"]
    with open(path, "wb") as file:
        file.write(b"short\n")
    (skipped,) = (message for message in said(load(folder, QRELS, cache=False)) if "skipped" in message)
    assert skipped.startswith(r"b\xff.run was skipped. Line 1: 1 column where a run has 6")


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "kernel"])
def test_what_is_no_file_is_passed_over_in_a_folder_and_refused_alone(folder, kind):
    odd = folder / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    elif kind == "device":
        odd.symlink_to("/dev/zero")
    elif kind == "kernel":  # as /proc/kmsg, which waits for the next message
        odd.symlink_to("/proc/self/status")
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(odd))
    assert "odd was skipped: it is a pipe, a socket or a device, not a file." in said(load(folder, QRELS, cache=False))
    with pytest.raises(InputError, match=r"^odd is a pipe, a socket or a device, not a file\.$"):
        load(odd, QRELS, cache=False)


LINKS = {
    "loop": ("odd", "a link that leads to no file"),
    "dangling": ("nowhere", "a link that leads to no file"),
    "cycle": (".", "a link to a folder"),
}


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_to_no_file_is_passed_over_in_a_folder(folder, kind, capsys):
    leads_to, what = LINKS[kind]
    (folder / "odd").symlink_to(leads_to)
    skipped = f"odd was skipped: it is {what}."
    assert skipped in said(load(folder, QRELS, cache=False))
    (folder / "qrels.txt").write_bytes(QRELS.data)
    assert main(["findings", "--runs", str(folder), "--qrels", str(folder / "qrels.txt"), "--cache", "none"]) == 0
    assert skipped in capsys.readouterr().out
    whole = sources.opened(sources.on_disk("Folder", folder), {"cache": False})
    assert skipped in said(whole.study)
    by_file = sources.on_disk("Folder", folder, folder / "qrels.txt")
    assert folder / "odd" not in by_file.runs
    left_out = [problem.message for problem in sources.opened(by_file, {"cache": False}).problems]
    assert (skipped in left_out) == (kind != "cycle")  # the folders of a folder are not looked at there


@pytest.mark.parametrize("kind", ["file", "folder", "listed"])
def test_what_may_not_be_read_is_passed_over_in_a_folder(folder, kind):
    """listed : a folder whose names may be seen, but not its files"""
    odd = folder / "odd"
    if kind == "file":
        odd.write_bytes(RUN)
    else:
        odd.mkdir()
        (odd / "b.run").write_bytes(RUN)
    odd.chmod(0o400 if kind == "listed" else 0)
    name = "odd/b.run" if kind == "listed" else "odd"
    try:
        if os.access(odd, os.X_OK if kind == "listed" else os.R_OK):
            pytest.skip("the superuser may read everything")
        messages = said(load(folder, QRELS, cache=False))
        assert f"{name} was skipped. It cannot be read: Permission denied." in messages
        assert sources.opened(sources.on_disk("Folder", folder, folder / "a.run"), {"cache": False}) is not None
        with pytest.raises(InputError, match=rf"^{Path(name).name} cannot be read: Permission denied\.$"):
            load(odd, QRELS, cache=False)
    finally:
        odd.chmod(0o700)


def test_two_members_of_one_name_are_two_files():
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a.run", RUN)
        archive.writestr("a.run", RUN.replace(b"tag", b"two"))
    found = load(Upload("t.zip", packed.getvalue()), QRELS, cache=False)
    assert found.track.systems == ("tag", "two")
    assert "t.zip contains several files named a.run; one of them is called t.zip/a.run (2) here." in said(found)


@pytest.mark.parametrize(
    "lines",
    [
        b"q1\tQ0\tmy doc\t1\t9.5\tthe tag\nq1\tQ0\td2\t2\t8.5\tthe tag\n",
        b"q1\tQ0\td2\t2\t8.5\tthe tag\nq1\tQ0\tmy doc\t1\t9.5\tthe tag\n",
        b"q1\tQ0\t my doc \t1\t9.5\tthe tag\nq1\tQ0\td2\t2\t8.5\tthe tag\n",
        b"q1\tmy doc\t1\nq1\td2\t2\n",
    ],
)
def test_between_tabs_names_may_hold_blanks(lines):
    found = load(Upload("a.run", lines), Upload("qrels.txt", b"q1\t0\tmy doc\t1\nq1\t0\td2\t0\n"), cache=False)
    ranked = found.track.doc_of_item.take(found.track.items[0, 0]).to_pylist()
    assert ranked == [b"my doc", b"d2"]
    assert found.grade[found.track.items[0, 0]].tolist() == [1, 0]
    assert found.track.systems == (("the tag",) if b"tag" in lines else ("a",))


OF_TWO, *OF_THREE, OF_FOUR = b"Act %d", b"My act %d", b"Act %d b", b"Law 7 %d", b"My big act %d"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        *((b"1\tQ0\t%s\t%d\t%d.5\tt\n", name) for name in (OF_TWO, *OF_THREE, OF_FOUR)),
        *((b"1\t%s\t%d\n", name) for name in (OF_TWO, *OF_THREE, OF_FOUR)),
        (b"1\tQ0\t%s\t%d\t%d.5\n", OF_TWO),
        *((b"1\t%s\t%d\t%d.5\n", name) for name in OF_THREE),
    ],
)
def test_where_all_lines_have_as_many_tabs_they_win(line, name):
    """Words would give another layout."""
    names, more = [name % n for n in range(1, 7)], line.count(b"%") - 2
    run = b"".join(line % (one, n, *[9 - n] * more) for n, one in enumerate(names, 1))
    for judged in (b"1\t%s\t%d\n", b"1\t0\t%s\t%d\n"):
        grades = b"".join(judged % (one, n % 2) for n, one in enumerate(names))
        found = load(Upload("a.run", run), Upload("qrels.txt", grades), cache=False)
        assert found.track.doc_of_item.take(found.track.items[0, 0]).to_pylist() == names
        assert found.grade[found.track.items[0, 0]].tolist() == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("lines", "role"),
    [
        (b"q1\t0 d%d\t1\n", "qrels"),
        (b"q1 0\td%d\t1\n", "qrels"),
        (b"q1\tQ0 d%d\t1\t95\tt\n", "run"),
        (b"q1 Q0\td%d\t1\t95\tt\n", "run"),
        (b"q1\tQ0\td%d 1\t95\tt\n", "run"),
        (b"q1\tQ0\td%d\t1\t95 t\n", "run"),
        (b"q1\tQ0 d%d 1 95\tt\n", "run"),
        (b"q1\td%d 1\n", "qrels"),
    ],
)
def test_tabs_and_blanks_may_both_separate_columns(lines, role):
    rows, _ = formats.read("a", b"".join(lines % n for n in range(4)), role)
    assert rows.queries == [b"q1"]
    assert rows.documents.to_pylist() == [b"d%d" % n for n in range(4)]


@pytest.mark.parametrize("white", [b" \n", b"  \n", b"\t\n", b"\x0b\n"])
@pytest.mark.parametrize("between", [b" ", b"  ", b"\t", b" \t "])
def test_any_white_space_gives_the_same_columns(white, between):
    plain, _ = formats.read("a.run", RUN, "run")
    odd, _ = formats.read("a.run", RUN.replace(b" ", between).replace(b"\n", white), "run")
    assert odd.documents.equals(plain.documents)
    assert (odd.queries, odd.tags, [*odd.lines]) == (plain.queries, plain.tags, [*plain.lines])
    assert np.array_equal(odd.values, plain.values)
    assert np.array_equal(odd.ranks, plain.ranks)


@pytest.mark.parametrize(("cut", "file"), [(b"q1 Q0 d3 3 7.", "a.run"), (b"q1 Q0 d3", "a.run")])
def test_a_last_line_that_is_cut_off(cut, file):
    columns = len(cut.split())
    with pytest.raises(InputError) as refused:
        load(Upload(file, RUN + cut), QRELS, cache=False)
    assert str(refused.value) == (
        f"a.run, line 3: {columns} columns where a run has 6 (topic Q0 document rank score tag). The file ends here "
        "and may be cut off: copy it again."
    )


@pytest.mark.parametrize("grade", [1, 52, 1023, 1024, 5000, 2**31 - 1])
def test_exponential_gains_of_any_grade(grade):
    scale = Scale((0, 1, grade), gains="exponential")
    gain = scale.gain[1:]
    assert gain[0] == 0
    assert gain[2] == pytest.approx(1 - 2.0**-grade)
    if grade <= 52:
        assert gain[1] == (2**1 - 1) / 2**grade
    study = evalcore.open_study(
        Upload("a.run", RUN), Upload("q", b"q1 0 d1 %d\nq1 0 d2 0\n" % grade), cache=False, gains="exponential"
    )
    (value,) = evalcore.ask(study, "leaderboard", metric="RBP(p=0.8)").table["value"]
    assert value == pytest.approx(0.2 * (1 - 2.0**-grade))


def test_a_file_changed_with_its_size_and_time_kept_is_another_source(folder):
    (folder / "qrels.txt").write_bytes(QRELS.data)
    before = sources.on_disk("Folder", folder, folder / "qrels.txt").key
    assert sources.on_disk("Folder", folder, folder / "qrels.txt").key == before
    state = os.stat(folder / "a.run")
    (folder / "a.run").write_bytes(RUN.replace(b"9.5", b"1.5"))
    os.utime(folder / "a.run", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert sources.on_disk("Folder", folder, folder / "qrels.txt").key != before


WORKBOOK = zipped({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook"})
SCRIPT = b"from x import a, b, c\nprint(a, b, c)\n\nfor n in 1, 2, 3:\n    print(n, a, b)\n"
UNREADABLE = {  # what is wrong -> a file that has it, and what is said
    "a cut gz": (gzip.compress(RUN * 90)[:-9], "The gz file ends too early"),
    "a cut zip": (zipped({"b.run": RUN * 9})[:-30], "It is a damaged or cut-off zip archive."),
    "a cut tar": (tar({"b.run": RUN * 999}, "w")[:900], "It is a damaged or cut-off tar archive."),
    "a damaged workbook": (WORKBOOK, r"It is a workbook that cannot be read \(\w+\)."),
    "a cut Parquet": (b"PAR1" + bytes(range(256)), "It is a Parquet file that is damaged or cut off"),
    "a Word document": (zipped({"[Content_Types].xml": b"x", "word/document.xml": b"x"}), "It is a Word document"),
    "a zip without runs": (zipped({}), "It is a zip archive without any run file"),
    "a script": (SCRIPT, "Line |It "),
    "a log": (b"10:00:01,123 INFO topic 401: 1,000 documents\n" * 3, "Line 1: the score is"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_file_that_cannot_be_read_does_not_stop_a_folder(kind, tmp_path):
    data, reason = UNREADABLE[kind]
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "b").write_bytes(data)
    with pytest.raises(InputError):  # nothing else can be read
        load(tmp_path / "runs", QRELS, cache=False)
    (tmp_path / "runs" / "a.run").write_bytes(RUN)
    track = load(tmp_path / "runs", QRELS, cache=False)
    assert track.track.systems == ("tag",)
    (skipped,) = [finding for finding in track.findings if finding.check == "file passed over"]
    assert skipped.severity == "warning"
    assert re.match(rf"b was skipped\. ({reason})", skipped.message)
    if kind not in ("a script", "a log"):  # what was named must be read
        with pytest.raises(InputError):
            load([tmp_path / "runs" / "a.run", tmp_path / "runs" / "b"], QRELS, cache=False)


@pytest.mark.parametrize("cut", [b"q1 Q0 d3 3 7.", b"q1 Q0 d3"])
def test_a_run_with_a_cut_line_still_stops_a_folder(cut, tmp_path):
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / "b.run").write_bytes(RUN + cut)
    with pytest.raises(InputError, match=r"^b\.run, line \d+: "):
        load(tmp_path, QRELS, cache=False)


@pytest.mark.parametrize(
    "name", ["a.run~", "a.run.bak", "A.RUN.ORIG", "#a.run#", "a.run.swp", "Thumbs.db", "bm25.log", "~$a.xlsx"]
)
def test_backups_and_logs_are_left_out_and_named(name, tmp_path):
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / name).write_bytes(RUN.replace(b" d1 ", b" d9 "))
    archive = Upload("t.zip", zipped({"a.run": RUN, name: b"x"}))
    for source, before in ((tmp_path, ""), (archive, "t.zip/")):
        track = load(source, QRELS, cache=False)
        assert track.track.systems == ("tag",)
        assert [finding.message for finding in track.findings if finding.check == "file passed over"] == [
            f"{before}{name} was skipped: it seems to be a log or an editor's backup. If it is a run, rename it."
        ]
