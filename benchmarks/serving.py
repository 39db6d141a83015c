"""The app, started for a measurement on a port of its own."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """The app, when it answers, on the files that `asked` names on its command line; `with` ends it.

    root : the checkout whose app it is; cache : the folder of its cache; port : 0 = one that is free
    """

    def __init__(self, asked, cache, *, root=ROOT, port=0):
        self.port = port or free_port()
        self.url = f"http://localhost:{self.port}"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += ["--server.port", str(self.port), *(["--", *asked] if asked else [])]
        quiet = {"cwd": root, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=os.environ | {"POOLSCOPE_CACHE": str(cache)}, **quiet)
        for _ in range(300):
            time.sleep(0.1)
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5):
                return
            if self.process.poll() is not None:
                break
        raise RuntimeError("the app did not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def busy(self):
        """Seconds of the processor so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        """Bytes that it and its workers hold."""
        return _memory_of(self.process.pid)


def given(folder):
    """The files of a folder as the app's command line names them: runs/, qrels.txt, and its tables if there are any."""
    for needed in ("runs", "qrels.txt"):
        if not (folder / needed).exists():
            raise SystemExit(f"{folder} holds no {needed}.")
    tables = {"--systems-table": folder / "systems.tsv", "--queries-table": folder / "queries.tsv"}
    said = {"--runs": folder / "runs", "--qrels": folder / "qrels.txt"}
    said |= {name: path for name, path in tables.items() if path.exists()}
    return [str(part) for pair in said.items() for part in pair]


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def _memory_of(process):
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    own = next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS")), 0)
    return own + sum(_memory_of(int(child)) for child in children)
