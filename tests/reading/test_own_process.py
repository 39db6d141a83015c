"""Programs in a process of their own: what breaks off is tried once more, and what takes too long is not."""

import sys

import pytest

from evalcore.reading import own_process

COUNTED = "import sys\nwith open({!r}, 'a') as runs:\n    print('run', file=runs)\n"


@pytest.mark.parametrize(
    ("program", "printed", "runs"),
    [
        ("print(sys.stdin.read(), end='')", b"data", 1),
        ("sys.exit(3)", b"", 2),
        ("import time; time.sleep(30)", b"", 1),
        pytest.param("while True: pass", b"", 1, marks=pytest.mark.skipif(sys.platform != "linux", reason="no limit")),
        ("print(sys.stdin.read(), end='') if open({0!r}).read().count('run') > 1 else sys.exit(3)", b"data", 2),
    ],
)
def test_what_breaks_off_is_tried_once_more(tmp_path, monkeypatch, program, printed, runs):
    counted = str(tmp_path / "runs")
    (tmp_path / "program.py").write_text(COUNTED.format(counted) + program.format(counted))
    monkeypatch.setattr(own_process, "__file__", str(tmp_path / "own_process.py"))
    monkeypatch.setattr(own_process, "PATIENCE", 2 if "sleep" in program else 60)
    monkeypatch.setattr(own_process, "SECONDS", 1)
    assert own_process.printed("program.py", {}, b"data") == printed
    assert (tmp_path / "runs").read_text().count("run") == runs
