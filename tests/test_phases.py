"""The two phases in which `python -m tests` runs all tests."""

from pathlib import Path

import pytest

from tests import __main__ as phases

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("line", "outcomes"),
    [
        (
            "==== 2 failed, 10 passed, 1 skipped, 160 deselected, 1 warning in 3.10s ====",
            "failed passed skipped warnings",
        ),
        ("= 1 passed, 2 errors in 700.00s (0:11:40) =", "passed errors"),
        ("no tests ran in 0.01s", ""),
    ],
)
def test_the_last_line_of_pytest_is_read(line, outcomes):
    found = phases.counted(line)
    assert set(found) - {"deselected"} == set(outcomes.split())
    assert all(f"{number} {word.rstrip('s')}" in line or f"{number} {word}" in line for word, number in found.items())


def test_both_phases_are_added_up_as_pytest_does():
    both = dict.fromkeys(phases.OUTCOMES, 0) | {"passed": 10_392, "failed": 1, "deselected": 7}
    assert phases.summary(both, 725.4) == "1 failed, 10392 passed in 725.40s (0:12:05)"


def test_the_phases_together_are_all_tests():
    """What is marked `browser`, which the first phase leaves out, is in the folder that the second one runs."""
    options = [[option for option in phase if option not in phases.WORKERS] for phase in phases.PHASES]
    assert options == [["-m", "not browser"], ["-m", "browser", "tests/ui/browser"]]
    others = {*(ROOT / "tests").rglob("*.py")} - {Path(__file__)}
    marking = [path for path in others if "mark.browser" in path.read_text("utf-8")]
    assert marking == [ROOT / "tests" / "ui" / "browser" / "conftest.py"]


@pytest.mark.parametrize(
    ("second", "code"),
    [("--version", 0), ("--no-such-option", 4), ("--collect-only -k nothing tests/test_words.py", 0)],
)
def test_a_phase_that_fails_fails_all_and_one_without_tests_none(monkeypatch, capsys, second, code):
    monkeypatch.setattr(phases, "PHASES", (("--version",), second.split()))
    monkeypatch.setattr(phases, "SHARED", ())
    assert phases.main([]) == code
    assert capsys.readouterr().out.splitlines()[-1].startswith("no tests ran in ")
