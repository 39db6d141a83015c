"""The benchmarks run and their reports can be read. How fast anything is, no test asks: machines differ."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from sample_data.make import make, write

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
# All rows but those that take many processes (cold) or a package that few have (fuse).
NAMES = {"measures", "depths", "steps", "pages", "reopen", "memory", "pairs", "guesses", "shards", "newcomers"}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What the benchmarks print and write of a tiny track."""
    folder = tmp_path_factory.mktemp("benchmarks")
    tiny = make("benchmark", systems=6, pooled=4, groups=3, topics=3, length=120, pool_depth=20)
    write(tiny, folder / "job", gz=False)
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), "--quick", "--only", *NAMES]
    command += ["--folder", str(folder / "job"), "--json", str(folder / "report.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((folder / "report.json").read_text())


def test_every_row_has_a_finite_ratio(report):
    _, found = report
    assert {row["name"] for row in found["rows"]} >= {"steps", "memory", "pages"}
    for row in found["rows"]:
        assert math.isfinite(row["ratio"])
        assert row["ratio"] > 0


def test_the_table_shows_every_row(report):
    printed, found = report
    lines = [line for line in printed.splitlines() if line.startswith("|")]
    assert len(lines) == len(found["rows"]) + 2
    assert len({line.count("|") for line in lines}) == 1


def test_both_sides_gave_the_same_scores(report):
    pytest.importorskip("pytrec_eval")
    _, found = report
    assert {row["name"] for row in found["rows"]} == NAMES
    assert any(note.startswith("pytrec_eval: the same scores") for note in found["notes"])


def test_the_job_is_described(report):
    _, found = report
    assert (found["about"]["runs"], found["about"]["topics"], found["about"]["lines"]) == (6, 3, 6 * 3 * 120)
