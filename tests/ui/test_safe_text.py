"""Names on a terminal, in CSV and in JSON: everything can be seen, nothing runs, and there is one way back."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.reading.files import Finding, InputError, Problem, Upload
from evalcore.vocabulary import safe_text
from tests.reading.checked import load

ROOT = Path(__file__).parents[2]
MARKS = (
    "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u200b\u2060\ufeff\x1b\x9b\x07\x08\x7f\x85\u2028\u2029"
)
TEXTS = st.text(st.sampled_from(f"ab'=+-@\t\r\n, é漢{MARKS}"), max_size=12)


def read_back(cell):
    """What a cell held before `safe_text.cell`."""
    runs = isinstance(cell, str) and cell.lstrip("'")[:1] in [*"=+-@\t\r\n"]
    return cell.removeprefix("'") if runs else cell


@given(text=TEXTS)
def test_printable_text_can_be_seen(text):
    said = safe_text.printable(text)
    assert said.isprintable()
    assert safe_text.printable(said) == said
    if text.isprintable():
        assert said == text


@given(text=TEXTS)
def test_a_cell_runs_nothing_and_reads_back(text):
    cell = safe_text.cell(text)
    assert cell[:1] not in set("=+-@\t\r\n")
    assert read_back(cell) == text


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "'=1", "''=1"])
def test_a_spreadsheet_runs_no_cell(name):
    assert safe_text.cell(name) == "'" + name


@pytest.mark.parametrize("value", ["NA", "a=1", -1.5, 3, None, True, "'quoted'"])
def test_other_cells_stay(value):
    assert safe_text.cell(value) == value
    assert read_back(value) == value


@given(texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_csv_reads_back(texts):
    table = pd.DataFrame({"system": texts, "value": 0.1 + 0.2})
    read = pd.read_csv(io.StringIO(safe_text.csv(table), newline=""), dtype={"system": "str"}, keep_default_na=False)
    assert [read_back(name) for name in read["system"]] == texts
    assert (read["value"] == 0.1 + 0.2).all()


def test_csv_keeps_every_digit_and_name():
    table = pd.DataFrame({"system": ["=cmd()", "NA", "a,b"], "value": [-0.1 - 0.2, float("nan"), 1.0], "n": [1, 2, 3]})
    assert safe_text.csv(table) == 'system,value,n\n\'=cmd(),-0.30000000000000004,1\nNA,,2\n"a,b",1.0,3\n'
    assert list(table["system"]) == ["=cmd()", "NA", "a,b"]


@given(text=TEXTS)
def test_a_line_of_json_is_seen_and_reads_back(text):
    line = safe_text.json_line({"system": text})
    assert line.isprintable()
    assert json.loads(line) == {"system": text}


def test_messages_are_cut_where_they_quote():
    assert safe_text.cut("no metric 'AP'. Known: ...") == "no metric 'AP'. Known: ..."
    assert safe_text.cut(f"no metric {'x' * 300!r}.") == f"no metric '{'x' * 199}...'."
    assert safe_text.cut(f"no metric {'x y ' * 100!r} here.") == f"no metric '{('x y ' * 50)[:199]}...' here."
    apart = f"A topic's scores {'and more ' * 40}of the system's."
    assert safe_text.cut(apart) == apart
    assert safe_text.cut(f"a line\n{'so ' * 1000}") == f"a line\n{('so ' * 1000)[:2000]}..."


def test_messages_and_examples_are_printable():
    problem = Problem.at(f"a{MARKS}.run", 3, f": {MARKS}", [MARKS])
    assert problem.message.isprintable()
    assert problem.examples[0].isprintable()
    assert problem.file == f"a{MARKS}.run"  # by which it is left out
    assert Finding("note", "x", MARKS, "", 1, MARKS).message.isprintable()


@pytest.mark.parametrize("where", ["tag", "topic", "document", "score", "grade", "file", "junk"])
def test_marks_in_files_are_spelled_out_in_whatever_is_said(where):
    marks = "\u202e\u2066\u200b\x1b[2J"
    said = {"tag": "tag", "topic": "1", "document": "d1", "score": "9", "grade": "1", "junk": ""}
    said |= {where: f"{said.get(where, '')}{marks}"}
    first = f"{said['topic']} Q0 {said['document']} 1 {said['score']} {said['tag']}"
    run = f"{first}\n1 Q0 d1 1 9 {said['tag']}2\n{said['junk']}"
    qrels = f"1 0 d1 {said['grade']}\n2 0 d1 1\n"
    try:
        found = load(Upload(f"a{marks}.run" if where == "file" else "a.run", run.encode()),
                     Upload("q", qrels.encode()), cache=False)  # fmt: skip
        messages = [finding.message for finding in found.findings]
    except InputError as error:
        messages = [text for problem in error.problems for text in (problem.message, *problem.examples)]
    assert messages
    assert all(message.isprintable() for message in messages)


# The command line


@pytest.fixture
def files(tmp_path):
    (tmp_path / "runs").mkdir()
    for number, tag in enumerate(("\x1b[31mred\x07", "=1+1", "\u202eabc\u200b", "'=2")):
        (tmp_path / "runs" / f"{number}.run").write_text(f"1 Q0 d1 1 9.5 {tag}\n1 Q0 d2 2 8.5 {tag}\n", "utf-8")
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    return tmp_path


def run(files, question="leaderboard", *more, out=subprocess.PIPE):
    command = [sys.executable, "-m", "evalcore", question, "--metric", "AP", "--runs", files / "runs", "--qrels",
               files / "qrels.txt", "--cache", "none", *more]  # fmt: skip
    done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def test_nothing_that_is_printed_controls_a_terminal(files):
    for more in ([], ["--format", "jsonl"]):
        code, out, _ = run(files, "leaderboard", *more)
        assert code == 0
        assert out.replace("\n", "").isprintable()
    code, out, _ = run(files, "scores", "--trec")
    assert code == 0
    assert out.replace("\n", "").replace("\t", "").isprintable()
    assert r"\x1b[31mred\x07" in out


def test_the_csv_of_the_command_line_runs_nothing(files):
    code, out, _ = run(files, "leaderboard", "--format", "csv")
    assert code == 0
    names = pd.read_csv(io.StringIO(out))["system"]
    assert {*names} == {"\x1b[31mred\x07", "'=1+1", "\u202eabc\u200b", "''=2"}


def test_a_full_disk_is_a_sentence(files):
    with open("/dev/full", "w") as full:
        code, _, said = run(files, out=full)
    assert (code, said) == (2, "The answer cannot be written: No space left on device.\n")
