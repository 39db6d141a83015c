"""What the server does before anybody visits."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st

from evalcore.reading import memory_budget, track_cache
from ui.app import startup
from ui.serving import worker_limit

ROOT = Path(__file__).parents[2]
WRONG = {
    "POOLSCOPE_WORKERS": ("many", "a whole number from 0, such as"),
    "POOLSCOPE_MEMORY_BYTES": ("4G", "a whole number from 1, such as 4294967296"),
    "POOLSCOPE_CACHE_BYTES": ("-1", "a whole number from 0, such as 4294967296"),
    "POOLSCOPE_UNPACKED_BYTES": ("much", "a whole number from 0, such as 68719476736"),
    "POOLSCOPE_CACHE": (str(ROOT / "app.py"), "the path of an existing or a new one"),
}


@pytest.fixture
def unset(monkeypatch):
    for name in WRONG:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.argv", ["app.py"])


def started(*named, **settings):
    """The server, told to stay away from anybody's port, and what it says; killed where it does not end by itself."""
    env = {name: value for name, value in os.environ.items() if name not in WRONG} | settings
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
    command += ["--", *named]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)


THREADS = """
import os, numpy, threadpoolctl
before = {pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
from ui.app import startup
startup.share_processors()
import scipy.linalg
print(before, {pool["num_threads"] for pool in threadpoolctl.threadpool_info()}, os.environ[startup.THREADS])
"""


def threads(**settings):
    """Of the BLAS that is loaded, before, after, and what a worker is told."""
    env = {name: value for name, value in os.environ.items() if name != startup.THREADS} | settings
    ran = subprocess.run([sys.executable, "-c", THREADS], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_a_server_multiplies_matrices_with_one_thread_unless_it_is_told_otherwise():
    assert threads().endswith("{1} 1")
    if os.cpu_count() > 1:  # else there is never more than one
        assert not threads().startswith("{1}")
        assert threads(OPENBLAS_NUM_THREADS="2") == "{2} {2} 2"


def test_a_server_with_wrong_settings_ends_and_says_all_of_them():
    ended = started(**{name: value for name, (value, _) in WRONG.items()})
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    lines = ended.stderr.splitlines()
    for name, (value, right) in WRONG.items():
        (line,) = [line for line in lines if line.startswith(f"{name}=")]
        assert repr(value) in line
        assert right in line


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_is_said(unset, monkeypatch, name):
    assert not [*startup.wrong()]
    value, right = WRONG[name]
    monkeypatch.setenv(name, value)
    (sentence,) = startup.wrong()
    assert sentence.startswith(f"{name}={value!r} ")
    assert right in sentence
    with pytest.raises(SystemExit, match=name):
        startup.end_if_settings_are_wrong()


WEB = ROOT / "sample_data" / "web"
MEANT = {
    "a folder without its name": [
        ["my-track"],
        "Unknown: my-track. Use only these options. usage: streamlit run app.py -- [--runs DIR]",
    ],
    "a name that is not there": [["--run", "x", "--qrels", "y"], "Unknown: --run and x. Use only"],
    "judgments without runs": [["--qrels", str(WEB / "qrels.txt")], "The option --runs is missing."],
    "no such file": [
        ["--runs", str(WEB), "--qrels", "nowhere.txt"],
        "--qrels: there is no file or folder nowhere.txt.",
    ],
    "a truth without a track": [["--truth", str(WEB / "qrels.txt")], "The option --runs is missing."],
    "no such table": [
        ["--runs", str(WEB), "--qrels", str(WEB / "qrels.txt"), "--systems-table", "nowhere.tsv"],
        "--systems-table: there is no file or folder nowhere.tsv.",
    ],
    "no number": [["--block", "many"], "argument --block: invalid int value: 'many'."],
}


@pytest.mark.parametrize("case", MEANT)
def test_what_a_server_is_started_with_and_is_not_understood_is_said(unset, monkeypatch, case):
    named, said = MEANT[case]
    monkeypatch.setattr("sys.argv", ["app.py", *named])
    (sentence,) = startup.wrong()
    assert " ".join(sentence.split()).startswith(said)


def test_a_server_that_is_started_with_a_folder_alone_ends():
    ended = started("my-track")
    assert ended.returncode == 1
    assert "Unknown: my-track." in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_track_that_is_there_is_taken(unset, monkeypatch):
    monkeypatch.setattr("sys.argv", ["app.py", "--runs", str(WEB / "runs"), "--qrels", str(WEB / "qrels.txt")])
    assert not [*startup.wrong()]


def test_right_settings_are_taken(unset, monkeypatch, tmp_path, capsys):
    for name, value in {"WORKERS": 3, "MEMORY_BYTES": 12345, "CACHE_BYTES": 0, "CACHE": tmp_path / "new"}.items():
        monkeypatch.setenv(f"POOLSCOPE_{name}", str(value))
    startup.end_if_settings_are_wrong()
    assert (worker_limit.allowed(), memory_budget.allowed(), track_cache.may_hold()) == (3, 12345, 0)
    assert track_cache.of_user() == str(tmp_path / "new")
    assert capsys.readouterr().err == ""


def test_a_cache_that_is_not_used_is_said(unset, monkeypatch, tmp_path, capsys):
    tmp_path.chmod(0o777)
    monkeypatch.setenv("POOLSCOPE_CACHE", str(tmp_path))
    startup.end_if_settings_are_wrong()
    assert "can be written by others" in capsys.readouterr().err


PLAIN = {
    "server.headless": False, "server.port": 8501, "server.address": "localhost", "server.baseUrlPath": "",
    "server.sslCertFile": None, "browser.serverAddress": "localhost",
}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "opened"),
    [
        ({}, ["http://localhost:8501/"]),
        ({"server.headless": True}, []),
        ({"server.address": "0.0.0.0", "server.port": 80}, ["http://localhost:80/"]),
        ({"server.address": "10.0.0.7", "server.baseUrlPath": "/pool/"}, ["http://10.0.0.7:8501/pool"]),
        ({"browser.serverAddress": "pool.org", "server.sslCertFile": "x.pem"}, ["https://pool.org:8501/"]),
    ],
    ids=range(5),
)
def test_a_browser_is_opened_where_there_is_one(monkeypatch, said, opened):
    told = []
    monkeypatch.setattr(st, "get_option", (PLAIN | said).get)
    monkeypatch.setattr("webbrowser.open", told.append)

    async def begun():
        async with startup.begin(None):
            pass

    asyncio.run(begun())  # which waits for what was begun
    assert told == opened
