"""Run all tests: `python -m tests`, with options of pytest after it, such as -k.

In two phases, because browser tests need the processors that the other tests would take from them. The last line sums
up both.
"""

import os
import re
import subprocess
import sys
import time

WORKERS = "-n", "auto", "--dist", "worksteal"
PHASES = ("-m", "not browser", *WORKERS), ("-m", "browser", "tests/ui/browser", *WORKERS)
SHARED = "--durations=15", "--durations-min=5", "-p", "no:cacheprovider"
# as pytest writes and orders its last line
OUTCOMES = "failed", "passed", "skipped", "deselected", "xfailed", "xpassed", "warnings", "errors"


def main(options: list[str]) -> int:
    """Run the phases one after the other. -> the exit code of the first that failed"""
    began, counts, codes = time.monotonic(), dict.fromkeys(OUTCOMES, 0), []
    # pytest rewrites each module of tests, 20 seconds for all: what one process wrote is there for the next
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for phase in PHASES:
        last = ""
        command = [sys.executable, "-m", "pytest", *phase, *SHARED, *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as run:
            for line in run.stdout or ():
                print(line, end="", flush=True)
                last = line
        codes.append(run.returncode)
        for outcome, number in counted(last).items():
            counts[outcome] += number
    print(summary(counts, time.monotonic() - began))
    without_tests = 5  # of pytest, where -k leaves a phase none
    return next((code for code in codes if code not in (0, without_tests)), min(codes))


def counted(line: str) -> dict[str, int]:
    """The numbers in pytest's last line: outcome -> tests."""
    found = re.findall(r"(\d+) ([a-z]+)", line.partition(" in ")[0])
    plural = {"error": "errors", "warning": "warnings"}
    return {plural.get(word, word): int(number) for number, word in found if plural.get(word, word) in OUTCOMES}


def summary(counts: dict[str, int], seconds: float) -> str:
    """A last line as pytest writes it, without what each phase left to the other."""
    told = [f"{number} {outcome}" for outcome, number in counts.items() if number and outcome != "deselected"]
    minutes, rest = divmod(round(seconds), 60)
    return f"{', '.join(told) or 'no tests ran'} in {seconds:.2f}s ({minutes // 60}:{minutes % 60:02}:{rest:02})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
