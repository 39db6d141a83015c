"""CONTRIBUTING: each worked example works once it is added where the text says, and nowhere else."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
SAMPLE = ROOT / "sample_data" / "newswire"
FILES = str(SAMPLE / "runs"), str(SAMPLE / "qrels.txt")
DRAWN = """import sys, evalcore, ui.views
runs, qrels, question = sys.argv[1:]
print(ui.views.figure(evalcore.ask(evalcore.open_study(runs, qrels, cache=False), question)))"""
EXAMPLE = re.compile(r"`(\S+\.py)`[;,].*?row of `(\w+)`:\n\n```python\n(.*?)```\n\n```python\n(.*?)```", re.DOTALL)
FINDING = re.compile(r"`(evalcore/findings/\S+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)


def add(path, table, functions, row):
    """Add the functions before the table, and the row at its end."""
    text = path.read_text()
    line = re.search(rf"^{table} = .*$", text, re.MULTILINE)
    start = line.start()
    if line[0].endswith("}"):
        path.write_text(f"{text[:start]}{functions}\n\n{line[0][:-1]}, {row.strip()}}}{text[line.end() :]}")
        return
    row = row.strip() + ","
    end = text.index("\n)" if not text[start:].startswith(f"{table} = {{") else "\n}", start) + 1
    path.write_text(f"{text[:start]}{functions}\n\n{text[start:end]}    {row}\n{text[end:]}")


def asked(folder, *arguments):
    """What the command line of a copy of the program answers."""
    files = "--runs", FILES[0], "--qrels", FILES[1], "--cache", "none"
    command = [sys.executable, "-m", "evalcore", *arguments, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def copy(tmp_path):
    for folder in ("evalcore", "ui"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


SECTIONS = [part for part in TEXT.split("\n### ")[1:] if "```python" in part]


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_a_worked_example_works(copy, section):
    examples = EXAMPLE.findall(section)
    assert examples
    for path, table, functions, row in examples:
        add(copy / path, table, functions, row)
        assert len((copy / path).read_text().splitlines()) <= 400, f"{path} has no room for it."
    for path, function in FINDING.findall(section):
        with (copy / path).open("a") as module:
            module.write(f"\n\n{function}")
    command = re.search(r"```sh\n(.*)\n```", section)[1].split()
    assert asked(copy, *command)
    if len(examples) > 1:
        drawn = [sys.executable, "-c", DRAWN, *FILES, command[0]]
        assert "scatter" in subprocess.run(drawn, cwd=copy, capture_output=True, text=True, check=True).stdout


def test_the_modules_that_it_names_exist():
    for name in set(re.findall(r"`((?:evalcore|ui|tests|pages)/[a-z_/.]*)`", TEXT)):
        assert (ROOT / name).exists(), name
