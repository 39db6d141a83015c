"""The fuzzer, for as many seconds as POOLSCOPE_FUZZ_SECONDS says; the same examples each time."""

import os

import pytest

from tests.hostile import fuzz


@pytest.mark.slow
def test_files_changed_at_random(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", str(fuzz.MEMORY))
    assert fuzz.fuzz(float(os.environ.get("POOLSCOPE_FUZZ_SECONDS") or 20)) > 0
