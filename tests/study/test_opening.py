"""What is no file, and no value of an option, is refused in words, whatever it is."""

import contextlib
import inspect
import os
import re
from pathlib import Path

import pytest

import evalcore
from evalcore.reading import archive_limits, files
from evalcore.study.opening import OPTIONS as TABLE

WRONG = (5, -1, 1.5, float("nan"), "", "x", b"x", True, False, [], [5], ("a", "b"), {}, {None: 1}, {"a": None}, {5: 5})
WRONG += (object(), Path("nowhere"))
OPTIONS = [name for name in inspect.signature(evalcore.open_study).parameters if name != "progress"]


@pytest.fixture
def track(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a").write_text("1 Q0 x 1 2 a\n1 Q0 y 2 1 a\n")
    (tmp_path / "runs" / "b").write_text("1 Q0 y 1 2 b\n1 Q0 z 2 1 b\n")
    (tmp_path / "qrels").write_text("1 0 x 1\n1 0 y 0\n")
    return {"runs": tmp_path / "runs", "qrels": tmp_path / "qrels"}


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))  # as every process has it: an object shows its place
@pytest.mark.parametrize("option", OPTIONS)
def test_only_value_errors(track, option, wrong, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where the cache "x" may be made
    with contextlib.suppress(ValueError):
        evalcore.open_study(**track | {option: wrong})


@pytest.mark.parametrize(
    ("option", "wrong", "said"),
    [
        ("runs", 5, "5 is not a run file; give a path, an Upload"),
        ("qrels", b"1 0 x 1", "is not a qrels file; give a path, an Upload"),
        ("qrels", [], "No qrels file is left"),
        ("other", [], "No qrels file is left"),
        ("truth", (), "No qrels file is left"),
        ("without", "a.run", "without='a.run' is not a list of file names"),
        ("columns", 5, "columns=5 is one value; a list such as ['topic=qid'] is needed"),
        ("gains", {None: 1}, "gains={None: 1} is not valid; write a number for each grade"),
        ("cache", 5, "cache=5 is not a folder"),
    ],
)
def test_what_would_be_right_is_said(track, option, wrong, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        evalcore.open_study(**track | {option: wrong})


def test_the_systems_table_says_who_contributed(track, tmp_path):
    (tmp_path / "systems.tsv").write_text("system\tpooled\na\tyes\nb\tno\n")
    study = evalcore.open_study(**track, systems=tmp_path / "systems.tsv", cache=False)
    assert study.track.pooled.tolist() == [True, False]
    (told,) = [one for one in study.findings if one.check == "who contributed"]
    assert told.message == "1 of 2 systems contributed to the pool, according to systems.tsv."
    assert (told.severity, told.count) == ("note", 1)


def test_without_whose_contribution_is_a_list(track):
    with pytest.raises(ValueError, match=r"systems='a' is one value; a list such as \['a'\] is needed"):
        evalcore.open_study(**track).without_contribution_of("a")


def test_a_folder_of_very_many_files_is_not_walked_to_its_end(track, monkeypatch):
    monkeypatch.setattr(archive_limits, "MOST_FILES", 1)
    walked = []
    walk = os.walk
    monkeypatch.setattr(files.os, "walk", lambda folder, **more: (walked.append(at) or at for at in walk(folder)))
    for name in "cd":
        (track["runs"] / name).mkdir()
        (track["runs"] / name / "run").write_text("1 Q0 x 1 2 a\n")
    with pytest.raises(evalcore.InputError, match="contains more than 1 files; choose the folder of the runs"):
        evalcore.open_study(**track)
    assert len(walked) == 1


def test_a_link_to_a_folder_is_no_file(track):
    (track["runs"] / "c").symlink_to(track["runs"], target_is_directory=True)
    assert evalcore.open_study(**track).systems == ("a", "b")


def test_options_have_the_defaults_of_their_table():
    parameters = inspect.signature(evalcore.open_study).parameters
    assert {name: parameters[name].default for name in TABLE} == {name: row.default for name, row in TABLE.items()}
    positional = [name for name, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert positional == ["runs", "qrels"]
