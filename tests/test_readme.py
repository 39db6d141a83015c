"""The README keeps its word: its Python prints what it says, its commands name files that are there."""

import re
import subprocess
import sys
from pathlib import Path

import evalcore

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def block(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


def test_the_python_prints_what_it_says():
    done = subprocess.run([sys.executable, "-c", block("python")], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == block("text").split()


def test_the_commands_name_files_that_are_there():
    for name in re.findall(r"(?:-r|run) (\S+\.(?:txt|py))", README):
        assert (ROOT / name).is_file(), name


def test_every_page_is_listed():
    titles = {path.stem.replace("_", " ") for path in (ROOT / "pages").glob("*.py")}
    listed = {name.lower() for name in re.findall(r"^\| ([A-Z][\w ]+?) \|", README, re.MULTILINE)}
    assert titles <= listed


def test_the_newest_version_is_in_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(r"^## (\S+)", changelog, re.MULTILINE)[1] == evalcore.__version__
