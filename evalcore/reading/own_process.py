"""Programs that read files which may be traps, each in a process of its own, within limits of memory and time."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from evalcore.reading.files import damage, refusal
from evalcore.turns import Turns

MEMORY, SECONDS = 2 * 10**9, 20  # bytes, and seconds of a processor; that one file may take
PATIENCE = 60  # seconds until a program has had as many of a processor, on a machine that does something else
TRIES = 2  # a machine may be out of memory for a moment; what takes too long is not tried again
TOO_LONG = -getattr(signal, "SIGXCPU", 0)  # what a program returns that had all its seconds
TURNS = Turns(2)


def text_of(
    name: str, program: str, limits: Mapping[str, int], data: bytes, too_much: str,
    progress: Callable[[int, int], None] | None = None,
) -> bytes:  # fmt: skip
    """What a program prints of a file. The arguments but for the first and `too_much` are those of `printed`.

    Raises InputError where it breaks off (`too_much`), and where it prints as JSON why the file is "damaged", or the
    arguments of a refusal ("refused").
    """
    text = printed(program, limits, data, progress)
    if not text:
        raise refusal(name, too_much)
    if text.startswith(b'{"damaged"'):
        raise damage(name, json.loads(text)["damaged"])
    if text.startswith(b'{"refused"'):
        raise refusal(name, *json.loads(text)["refused"])
    return text


def printed(
    program: str, limits: Mapping[str, int], data: bytes, progress: Callable[[int, int], None] | None = None
) -> bytes:
    """What a program prints, b"" where it breaks off or takes too long.

    program : the name of its file in this folder; its argument is the limits and `MEMORY` as JSON, its input the data
    progress : called with (0, 1) while it works; what it raises ends the program
    """
    path = str(Path(__file__).with_name(program))
    command = [sys.executable, "-P", path, json.dumps({"memory": MEMORY, **limits})]
    with TURNS, tempfile.TemporaryFile() as given:  # a pipe that is not read at once would wait for ever
        given.write(data)
        for _ in range(TRIES):
            given.seek(0)
            with subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                with suppress(ImportError, AttributeError, OSError):  # only Linux limits another process
                    import resource

                    resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
                try:
                    for _ in range(10 * PATIENCE):
                        if progress:
                            progress(0, 1)
                        with suppress(subprocess.TimeoutExpired):
                            output, _ = process.communicate(timeout=0.1)
                            break
                    else:
                        return b""
                finally:
                    process.kill()
            if process.returncode in (0, TOO_LONG):
                return b"" if process.returncode else output
    return b""
