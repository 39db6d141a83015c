"""The two phases in which `python -m tests` runs all tests."""

import subprocess
import sys
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


@pytest.mark.slow
def test_the_phases_together_collect_what_no_choice_collects():
    def collected(*options):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:randomly", *options]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
        return [line for line in told.splitlines() if "::" in line]

    halves = [collected(*(option for option in phase if option not in phases.WORKERS)) for phase in phases.PHASES]
    assert all(halves)
    assert sorted([*halves[0], *halves[1]]) == sorted(collected("-m", ""))


@pytest.mark.parametrize(
    ("second", "code"),
    [("--version", 0), ("--no-such-option", 4), ("--collect-only -k nothing tests/test_words.py", 0)],
)
def test_a_phase_that_fails_fails_all_and_one_without_tests_none(monkeypatch, capsys, second, code):
    monkeypatch.setattr(phases, "PHASES", (("--version",), second.split()))
    monkeypatch.setattr(phases, "SHARED", ())
    assert phases.main([]) == code
    assert capsys.readouterr().out.splitlines()[-1].startswith("no tests ran in ")
