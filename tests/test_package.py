"""The wheel: its dependencies are those of requirements*.txt, and installed elsewhere it opens the app and answers."""

import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from ui.app import command

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FILES = {"": "dependencies", "-login": "login", "-cluster": "cluster", "-dev": "dev"}
WEB = ROOT / "sample_data" / "web"


@pytest.mark.parametrize("file", FILES)
def test_requirements_are_those_of_the_project(file):
    lines = (ROOT / f"requirements{file}.txt").read_text().splitlines()
    listed = [line.strip() for line in lines if line.strip() and not line.startswith(("#", "-r"))]
    group = FILES[file]
    assert listed == (PROJECT[group] if group in PROJECT else PROJECT["optional-dependencies"][group])


def test_the_lock_has_the_tested_versions_with_hashes():
    """requirements.lock: what a server installs, with all that it needs."""
    text = (ROOT / "requirements.lock").read_text()
    locked = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)([^#]*?)(?=^ +#)", text, re.M)
    tested = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "constraints.txt").read_text(), re.M))
    assert all(len(re.findall("--hash=sha256:[0-9a-f]{64}", hashes)) > 0 for _, _, hashes in locked)
    assert {name: version for name, version, _ in locked if name in tested and tested[name] != version} == {}
    needed = {re.split(r"[\[<>=]", one)[0].lower() for one in PROJECT["dependencies"]}
    assert needed <= {name.lower() for name, _, _ in locked}


def test_the_command_answers_a_question(capsys):
    words = ["ask", "leaderboard", "--runs", str(WEB / "runs"), "--qrels", str(WEB / "qrels.txt"), "--format", "csv"]
    assert command.main(words) == 0
    assert capsys.readouterr().out.startswith("system,")


def test_the_command_explains_itself(capsys):
    assert command.main(["--help"]) == 0
    assert "poolscope ask QUESTION" in capsys.readouterr().out


def test_the_command_opens_the_app_on_a_track(monkeypatch):
    """What Streamlit is started with."""
    started = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda: started.extend(sys.argv))
    monkeypatch.setattr(sys, "argv", ["poolscope"])
    command.main(["--runs", "r", "--qrels", "q"])
    assert started == ["streamlit", "run", str(ROOT / "app.py"), "--", "--runs", "r", "--qrels", "q"]


@pytest.mark.slow
def test_the_wheel_works_in_a_bare_environment(tmp_path):
    """Built, installed without the checkout in sight, asked a question, and its app run as a server's visit would."""
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("poolscope-*.whl")
    venv.create(tmp_path / "bare", with_pip=True, system_site_packages=False)
    python = tmp_path / "bare" / "bin" / "python"
    install = [python, "-m", "pip", "install", "-q", str(wheel), "-c", str(ROOT / "constraints.txt")]
    subprocess.run(install, check=True)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    how = {"cwd": tmp_path, "env": own, "check": True, "capture_output": True, "text": True}
    poolscope = tmp_path / "bare" / "bin" / "poolscope"
    track = ["--runs", str(WEB / "runs"), "--qrels", str(WEB / "qrels.txt")]
    answered = subprocess.run([poolscope, "ask", "leaderboard", *track, "--format", "csv"], **how).stdout
    here = subprocess.run([sys.executable, "-m", "evalcore", "leaderboard", *track, "--format", "csv"],
                          **how | {"cwd": ROOT}).stdout  # fmt: skip
    assert answered == here
    visit = (
        "from streamlit.testing.v1 import AppTest; from ui.app.command import APP\n"
        "from ui.report.report import report_page\n"
        "app = AppTest.from_file(str(APP), default_timeout=120).run().switch_page('pages/report.py').run()\n"
        "assert b'Plotly.toImage' in report_page(app.get('html')[-1].proto.body + '<figure>')\n"
        "app.switch_page('pages/scores.py').run()\n"
        "assert not app.exception, app.exception\n"
        "print([metric.value for metric in app.metric][:2])"
    )
    assert subprocess.run([python, "-c", visit], **how).stdout.strip() == "['38', '30']"
