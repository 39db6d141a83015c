"""The README and the documents that it links to: their Python prints what they say, their commands name real files."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import evalcore
from ui.layout import menu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PYTHON = (ROOT / "docs" / "python.md").read_text()
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def block(language, text=README):
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]


def printed(*arguments):
    """What Python prints in the project's folder."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()


def test_the_python_prints_what_it_says():
    assert printed("-c", block("python")) == block("text").split()


def test_the_python_of_the_longer_document_prints_what_it_says():
    blocks = re.findall(r"```python\n(.*?)```", PYTHON, re.DOTALL)
    assert [word for code in blocks for word in printed("-c", code)] == re.findall(r"This prints (\d+)", PYTHON)


def test_the_notebook_prints_what_it_says():
    """Its cells are one program."""
    text = (ROOT / "docs" / "notebook.md").read_text()
    code = "import ui.views\n" + "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    said = " ".join(re.findall(r"^This prints ((?:`[^`]+`(?:,| and)? ?)+)", text, re.MULTILINE))
    lines = re.findall("`([^`]+)`", said)
    assert len(lines) == 5
    assert printed("-c", code) == " ".join(lines).split()


def test_the_command_line_answers():
    command = re.search(r"^\.venv/bin/python (-m evalcore .+)$", README, re.MULTILINE)[1]
    assert "fjord-fusion" in printed(*command.split(), "--cache", "none")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_commands_name_files_that_are_there(document):
    for name in re.findall(r"(?:-r|run) ((?!/)\S+\.(?:txt|py))", document.read_text()):
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_links_and_pictures_lead_to_files(document):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text()):
        assert (document.parent / target).is_file(), target


def test_every_page_is_listed_with_its_question():
    listed = dict(re.findall(r"^\| ([A-Z][\w ]+?) \| (.+\?) \|$", README, re.MULTILINE))
    assert listed == {page.name: page.question for page in menu.PAGES.values()}


def test_the_newest_version_is_in_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(r"^## (\S+)", changelog, re.MULTILINE)[1] == evalcore.__version__
