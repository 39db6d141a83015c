"""Programs that read files which may be traps, each in a process of its own, within limits of memory and time."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

MEMORY, SECONDS = 2 * 10**9, 60  # bytes; that one file may take
TRIES = 2  # a machine may be out of memory for a moment; what takes too long is not tried again
ONE_AT_A_TIME = Lock()


def printed(
    program: str, limits: Mapping[str, int], data: bytes, progress: Callable[[int, int], None] | None = None
) -> bytes:
    """What a program prints, b"" where it breaks off or takes too long.

    program : the name of its file in this folder; its argument is the limits and `MEMORY` as JSON, its input the data
    progress : called with (0, 1) while it works; what it raises ends the program
    """
    path = str(Path(__file__).with_name(program))
    command = [sys.executable, "-P", path, json.dumps({**limits, "memory": MEMORY})]
    with ONE_AT_A_TIME, tempfile.TemporaryFile() as given:  # a pipe that is not read at once would wait for ever
        given.write(data)
        for _ in range(TRIES):
            given.seek(0)
            with subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                try:
                    for _ in range(10 * SECONDS):
                        if progress:
                            progress(0, 1)
                        with suppress(subprocess.TimeoutExpired):
                            output, _ = process.communicate(timeout=0.1)
                            break
                    else:
                        return b""
                finally:
                    process.kill()
            if not process.returncode:
                return output
    return b""
