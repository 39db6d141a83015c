"""A track that comes as one file or folder: each part is a file of its own, and what is none of them is named."""

import bz2
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.__main__ import main
from evalcore.reading import file_kinds
from evalcore.reading.files import InputError, Upload
from tests.cached import cached_for, opened_in_every_way
from tests.reading.test_column_files import workbook, zipped
from tests.ui.test_pages import PAGES, ROOT, everything, load, qrels_text, run_text, went_well
from ui.data import sources
from ui.data.sources import Opened

WEB = ROOT / "sample_data" / "web"
RUNS = {f"t/runs/{name}.run": run_text(name) for name in ("A", "B")}
LETTER = b"Dear colleagues,\n\nplease find attached our two runs.\nThe topics are those of last year.\n\nYours, A.\n"
TRACK = RUNS | {"t/qrels.txt": qrels_text(), "t/README": b"hello\n"}
SYSTEMS = b"run,group,pooled\nA,one,1\nB,two,0\n"
ROWS = [(f"40{topic}", f"d{n}", n, 9.5 - n) for topic in (1, 2) for n in range(1, 5)]
BOOK = {
    "About": [["Our submission of 2026"]],
    "Runs": [["topic", "document", "rank", "score"], *ROWS],
    "Judgments": [["topic", "document", "grade"], *((topic, document, n % 2) for topic, document, n, _ in ROWS)],
}


@pytest.fixture
def folder(tmp_path):
    """The track unpacked, as one zip and as one workbook, and a folder for the cache."""
    for name, data in TRACK.items():
        path = tmp_path / "track" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "t.zip").write_bytes(zipped(TRACK))
    (tmp_path / "book.xlsx").write_bytes(workbook(**BOOK))
    (tmp_path / "book.zip").write_bytes(zipped({"mail/book.xlsx": workbook(**BOOK), "mail/letter.txt": LETTER}))
    return tmp_path


def table(study):
    return evalcore.ask(study, "scores", metric="AP").table


def apart(folder):
    """The same track, its files given one by one."""
    return evalcore.open_study(folder / "track" / "t" / "runs", folder / "track" / "t" / "qrels.txt", cache=False)


WAYS = {
    "zip": lambda folder: (folder / "t.zip",),
    "zip named twice": lambda folder: (folder / "t.zip", folder / "t.zip"),
    "folder": lambda folder: (folder / "track",),
    "files": lambda folder: ([path for path in (folder / "track").rglob("*") if path.is_file()],),
    "upload": lambda folder: (Upload("t.zip", (folder / "t.zip").read_bytes()),),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_track_in_one_piece_is_the_same_track(folder, way):
    study = opened_in_every_way(lambda cache: evalcore.open_study(*WAYS[way](folder), cache=cache), folder / "cache")
    assert table(study).equals(table(apart(folder)))
    assert {source.role for source in study.sources} == {"run", "qrels"}


@pytest.mark.parametrize("name", ["book.xlsx", "book.zip"])
def test_a_workbook_with_runs_and_judgments(folder, name):
    study = opened_in_every_way(lambda cache: evalcore.open_study(folder / name, cache=cache), folder / "cache")
    assert study.systems == ("Runs",)
    assert study.track.topics == ("401", "402")
    assert len(study.judgments.pooled_items) == 8
    first = "book.xlsx" if name == "book.xlsx" else "book.zip/mail/book.xlsx"
    assert [source.name for source in study.sources] == [f"{first}/Runs", f"{first}/Judgments"]
    over = [finding.message for finding in study.findings if finding.check == "file passed over"]
    assert over == ([] if name == "book.xlsx" else [
        "book.zip/mail/letter.txt was skipped: it is no run, no judgments and no table of systems or queries."
    ])  # fmt: skip


def test_a_letter_is_not_the_gravest_finding_where_the_data_have_a_worse():
    runs = {name.replace("t/", ""): data for name, data in RUNS.items()}
    repeated = runs["runs/A.run"] + runs["runs/A.run"].splitlines(keepends=True)[0]
    parts = runs | {"runs/A.run": repeated, "qrels.txt": qrels_text(), "letter.txt": LETTER}
    study = evalcore.open_study(Upload("t.zip", zipped(parts)), cache=False)
    assert "file passed over" in [finding.check for finding in study.findings if finding.severity == "warning"]
    found = evalcore.ask(study, "findings").finding.facts
    assert (found["errors"], found["check"]) == (0, "two runs in one file")
    assert found["warnings"] > 1


def test_sheets_of_two_runs_and_of_judgments():
    rows = BOOK["Runs"]
    book = workbook(bm25=rows, dense=rows[:6], qrels=BOOK["Judgments"])
    assert evalcore.open_study(Upload("all.xlsx", book), cache=False).systems == ("bm25", "dense")
    (pair,) = file_kinds.parts(Upload("runs.xlsx", workbook(bm25=rows, dense=rows[:6])))
    assert pair[1] == "run"  # sheets of one kind stay one file


def test_a_table_in_the_zip_is_used_unless_another_is_given():
    data = Upload("t.zip", zipped(TRACK | {"systems.csv": SYSTEMS}))
    assert evalcore.open_study(data, cache=False).track.groups == ("one", "two")
    other = Upload("s.csv", SYSTEMS.replace(b"two", b"three"))
    study = evalcore.open_study(data, systems=other, cache=False)
    assert study.track.groups == ("one", "three")
    assert "t.zip/systems.csv was skipped: another table was given." in [one.message for one in study.findings]


def test_what_is_missing_or_twice_in_one_piece_is_named():
    with pytest.raises(InputError, match="No qrels file is left"):
        evalcore.open_study(Upload("t.zip", zipped(RUNS)), cache=False)
    two = zipped(TRACK | {"t/qrels.second.txt": qrels_text(("d1", "d2"))})
    with pytest.raises(InputError, match="2 qrels files, but only one can be used"):
        evalcore.open_study(Upload("t.zip", two), cache=False)


@pytest.mark.parametrize("way", ["zip", "folder"])
def test_the_command_line_opens_a_track_in_one_piece(folder, capsys, way):
    (one,) = WAYS[way](folder)
    for _ in range(2):
        assert main(["leaderboard", "--runs", str(one), "--cache", str(folder / "cache"), "--metric", "AP"]) == 0
        assert "A" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["t.zip", "book.xlsx"])
def test_a_script_finds_the_parts_again(folder, name):
    answer = evalcore.ask(evalcore.open_study(folder / name, cache=False), "scores", metric="AP")
    (folder / "script.py").write_text(answer.script())
    done = subprocess.run(
        [sys.executable, folder / "script.py", folder], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT), "POOLSCOPE_CACHE": str(folder / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == answer.table.to_csv(index=False, lineterminator="\n")


@pytest.mark.parametrize("way", ["zip", "folder"])
def test_a_server_is_started_with_a_track_in_one_piece(folder, way):
    (one,) = WAYS[way](folder)
    for _ in range(2):
        opened = sources.opened(sources.on_disk("track", str(one)), {"cache": folder / "cache"})
        assert table(opened.study).equals(table(apart(folder)))
    before = sources.on_disk("track", str(one)).key
    path = folder / ("t.zip" if way == "zip" else "track/t/qrels.txt")
    path.write_bytes(path.read_bytes() + b"")
    os.utime(path, ns=(1, 1))
    assert sources.on_disk("track", str(one)).key != before


def test_a_track_in_one_piece_is_not_opened_in_blocks(folder):
    with pytest.raises(InputError, match="needs its runs and its judgments in separate files"):
        evalcore.open_within(folder / "t.zip", topics=1)


# On the Data page


def data_page():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/data.py").run()


page = pytest.fixture(data_page)


def loaded_files(app):
    """What the list of loaded files says: name -> as what."""
    (listed,) = [one.value for one in app.dataframe if "sha256" in one.value]
    return dict(zip(listed["file"], listed["as"], strict=True))


def open_on(app):
    """The study that the page opened last."""
    return [one for one in cached_for(app.session_state["_visitor"].name) if isinstance(one, Opened)][-1].study


@pytest.mark.parametrize("role", ["any", "runs"])
def test_one_zip_is_dropped_on_the_page(page, role):
    went_well(load(page, role, ("t.zip", zipped(TRACK | {"t/letter.txt": LETTER, "t/systems.csv": SYSTEMS}))))
    assert loaded_files(page) == {
        "t.zip/t/runs/A.run": "run",
        "t.zip/t/runs/B.run": "run",
        "t.zip/t/qrels.txt": "judgments",
        "t.zip/t/systems.csv": "systems table",
        "t.zip/t/letter.txt": "not recognised",
    }
    assert open_on(page).systems == ("A", "B")
    said = everything(page)
    assert "t.zip/t/letter.txt is neither a run nor judgments. Line 1: 2 columns where a run has 6" in said
    assert not page.info  # nothing is missing


def test_one_workbook_is_dropped_on_the_page(page):
    went_well(load(page, "any", ("book.xlsx", workbook(**BOOK))))
    assert loaded_files(page) == {"book.xlsx/Runs": "run", "book.xlsx/Judgments": "judgments"}
    assert open_on(page).systems == ("Runs",)


MAPS = "bm25 0.2512 0.31\ndense 0.3011 0.35\nfused 0.3312 0.41\n"
NO_RUNS = {  # name -> (bytes, why it is no run)
    "letter.txt": (LETTER, "Line 1: 2 columns where a run has 6"),
    "six.txt": (
        b"Dear Anna, please find our runs\nattached.\n\nThe second is the better one.\nYours, Bo\n",
        "Line 2: 1 column where a run has 6",
    ),
    "letter.docx": (
        zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}),
        "It is a Word document; save its table as",
    ),
    "maps.txt": (MAPS.encode(), 'Line 1: the rank is "0.31", but must be a whole number'),
    "maps.csv": (MAPS.replace(" ", ",").encode(), "of which at most 1 contains names"),
    "named.csv": (b"system,map,p10\n" + MAPS.replace(" ", ",").encode(), "of which at most 1 contains names"),
    "eval.txt": (b"runid\tall\tbm25\nmap\tall\t0.2512\nP_10\tall\t0.31\n", "It contains scores, as trec_eval prints"),
    "scores.txt": (b"System MAP P@10 nDCG\nbm25 .2512 .31 .45\n", "Line 1: 4 columns where a run has 6"),
    "settings.json": (b'{"k1": 0.9, "b": 0.4}\n', "It is JSON, but not of the form"),
    "topics.xml": (b'<topics><topic number="1">covid</topic></topics>\n', "It is an HTML or XML document"),
    "page.html": (b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "It is an HTML or XML document"),
    "pointer.run": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "It is a Git LFS pointer",
    ),
    "run.bz2": (bz2.compress(RUNS["t/runs/A.run"]), "It is a bzip2 archive (unpack it"),
    "empty.run": (b"", "It is empty."),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("role", ["any", "runs"])
@pytest.mark.parametrize("name", NO_RUNS)
def test_what_is_no_run_is_named_before_anything_is_asked_for(page, name, role):
    data, why = NO_RUNS[name]
    went_well(load(page, role, (name, data)))
    assert loaded_files(page) == {name: "not recognised"}
    (refused,) = [one.value for one in page.text if one.value.startswith(name)]  # once
    assert refused.startswith(f"{name} is neither a run nor judgments. ")
    assert why in refused
    assert "?" not in refused
    assert "looks like" not in refused
    assert "Still missing\\: runs and judgments" in page.info[0].value
    assert "Which column of" not in everything(page)
    went_well(load(page, "any", ("A.run", run_text("A")), ("q.txt", qrels_text())))
    assert open_on(page).systems == ("A",)
    assert why in everything(page)


def test_each_file_of_a_zip_without_runs_is_named(page):
    went_well(load(page, "any", ("mail.zip", zipped({"letter.txt": LETTER, "maps.csv": MAPS.replace(" ", ",")}))))
    assert loaded_files(page) == {"mail.zip/letter.txt": "not recognised", "mail.zip/maps.csv": "not recognised"}
    assert len([one for one in page.text if one.value.startswith("mail.zip/")]) == 2


def test_a_zip_in_a_zip_is_no_run():
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_STORED) as archive:  # so that its bytes contain the lines of the run
        archive.writestr("A.run", RUNS["t/runs/A.run"])
    data = Upload("t.zip", zipped({"in.zip": inner.getvalue(), "qrels.txt": qrels_text()}))
    assert [role for _, role in file_kinds.parts(data)] == ["", "qrels"]


@pytest.mark.real
@pytest.mark.skipif(not os.environ.get("POOLSCOPE_DATA"), reason="POOLSCOPE_DATA does not name real tracks")
@pytest.mark.parametrize("name", ["messy", "dl21-passage", "clef-ehealth-2016-queryvariants"])
def test_a_real_track_as_one_zip(name, tmp_path):
    folder = Path(os.environ["POOLSCOPE_DATA"]) / name
    files = [*sorted((folder / "runs").iterdir()), folder / "qrels.txt"]
    (tmp_path / "t.zip").write_bytes(zipped({str(path.relative_to(folder)): path.read_bytes() for path in files}))
    study = opened_in_every_way(lambda cache: evalcore.open_study(tmp_path / "t.zip", cache=cache), tmp_path / "cache")
    assert table(study).equals(table(evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)))


@pytest.fixture(scope="module")
def of_web():
    """The app with the runs and judgments of a sample, and no table of its systems."""
    files = {f"runs/{run.name}": run.read_bytes() for run in (WEB / "runs").iterdir()}
    web = "web.zip", zipped(files | {"qrels.txt": (WEB / "qrels.txt").read_bytes()})
    return went_well(load(data_page(), "any", web))


@pytest.mark.parametrize("path", [path for path in PAGES if "report" not in path])
def test_every_page_of_a_track_whose_contributors_are_inferred(of_web, path):
    """With no table of systems, so that findings give ranges for the systems in doubt."""
    went_well(of_web.switch_page(path).run())
    assert [one.value for one in of_web.error] == []
    assert open_on(of_web).pooling.how == "inferred"
