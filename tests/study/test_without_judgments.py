"""Tracks that are opened without any judgments: rankings are compared, everything else is refused in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evalcore
from evalcore.vocabulary.registry import REQUIRED
from evalcore.vocabulary.validation import NotKnown
from tests.oracles.consistency import extrapolated
from tests.ui.test_pages import everything, load, opened, press, run_text, visit

RUNS = {
    "a.run": "1 Q0 x 1 3 A\n1 Q0 y 2 2 A\n1 Q0 z 3 1 A\n2 Q0 x 1 2 A\n",
    "b.run": "1 Q0 y 1 3 B\n1 Q0 w 2 2 B\n2 Q0 x 1 2 B\n",
}
WITHOUT = {"systems", "topics", "findings", "judged", "pool_audit", "rbo", "fuse", "comparison_overlap",
           "comparison_documents", "consistency", "consistency_of_systems", "consistency_of_topics",
           "consistency_pairs"}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for name, lines in RUNS.items():
        (tmp_path / name).write_text(lines)
    return tmp_path


def test_what_two_systems_rank_alike(folder):
    study = evalcore.open_study(folder, qrels=False)
    assert study.without_judgments
    answer = evalcore.ask(study, "comparison_overlap", k=2, phi=0.5)
    rows = answer.table.set_index("topic")
    assert rows.loc["1", ["overlap", "entered", "left"]].tolist() == [1, 1, 1]
    assert rows.loc["2", ["overlap", "entered", "left"]].tolist() == [1, 0, 0]
    assert rows.loc["1", "extrapolated"] == pytest.approx(extrapolated(["x", "y", "z"], ["y", "w"], 0.5))
    assert "nothing shows which system is better" in str(answer.finding)
    for k in (3, 10):  # past the end of a list there is nothing
        rows = evalcore.ask(study, "comparison_overlap", k=k).table.set_index("topic")
        assert rows.loc["1", ["overlap", "entered", "left"]].tolist() == [1, 1, 2]
        assert rows.loc["2", ["overlap", "entered", "left"]].tolist() == [1, 0, 0]


def test_only_what_needs_no_judgments_is_answered(folder):
    study = evalcore.open_study(folder, qrels=False)
    assert {name for name, row in evalcore.QUESTIONS.items() if not row.needs_judgments} == WITHOUT
    for name, row in evalcore.QUESTIONS.items():
        if row.needs_judgments and REQUIRED not in row.parameters.values():
            with pytest.raises(NotKnown, match="needs judgments"):
                evalcore.ask(study, name)


def test_it_is_another_study_than_one_with_judgments(folder):
    (folder / "qrels.txt").write_text("1 0 x 1\n2 0 x 0\n")
    runs = [folder / name for name in RUNS]
    without, judged = evalcore.open_study(runs, qrels=False), evalcore.open_study(runs, folder / "qrels.txt")
    assert without.digest != judged.digest
    assert not judged.without_judgments
    again = evalcore.open_study(runs, qrels=False)  # from the cache
    assert (again.digest, again.without_judgments) == (without.digest, True)


def test_script_and_command_line_work(folder):
    script = folder / "again.py"
    script.write_text(evalcore.ask(evalcore.open_study(folder, qrels=False), "comparison_overlap").script())
    made = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, env=with_path())
    assert made.returncode == 0, made.stderr
    words = ["comparison_overlap", "--runs", *(str(folder / name) for name in RUNS)]
    words += ["--qrels", "none", "--cache", "none"]
    asked = subprocess.run([sys.executable, "-m", "evalcore", *words], capture_output=True, text=True, env=with_path())
    assert "share" in asked.stdout, asked.stderr


def with_path():
    return os.environ | {"PYTHONPATH": str(Path(evalcore.__file__).parents[1])}


def test_the_pages():
    app = load(opened(), "runs", ("a.txt", run_text("A")), ("b.txt", run_text("B", documents=("d3", "d1", "d9"))))
    press(app, "Compare rankings without judgments")
    assert "Opened without judgments" in everything(app)
    visit(app, "pages/compare.py")
    assert "nothing shows which system is better" in everything(app)
    visit(app, "pages/scores.py")
    assert "opened without any" in everything(app) + "".join(one.value for one in app.info)
