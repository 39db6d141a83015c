"""Forty visitors at a time, on a server that has just begun: nothing fails, and nobody is shown another's choice."""

import json
import subprocess
import sys

import pytest

from tests.ui.test_pages import ROOT


@pytest.mark.slow
def test_forty_visitors_who_come_at_once():
    command = [sys.executable, "benchmarks/visitors.py", "sample_data/web", "--visitors", "40", "--pause", "3"]
    command += ["--minutes", "0.3"]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=500).stdout
    found = json.loads(said)
    assert found["failed"] == []
    assert found["pages that differ between visitors"] == []
    assert found["choices"] >= 40
    assert found["MB at the end"] < 1500
