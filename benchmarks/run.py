"""How fast Poolscope is beside other programs, as ratios taken side by side: python benchmarks/run.py --help

Every row times both sides in turn, A B A B, and shows the median of the ratios, because machines differ and are noisy.
Where both sides compute the same numbers, these are compared first: a row about different work is an error.
"""

import argparse
import json
import math
import os
import platform
import sys
import tempfile
from dataclasses import asdict
from datetime import date
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analysing import fuse, guesses, newcomers, pairs, shards
from job import Job, made, say
from scoring import cold, depths, measures, memory
from waiting import controls, pages, reopen, steps

EVERY = cold, measures, depths, steps, pages, controls, reopen, memory, pairs, guesses, shards, newcomers, fuse
GROUPS = {group.__name__: group for group in EVERY}


def measured(job, names):
    """The rows of these groups: pairs of a name and a Row; a note in place of those that miss a package."""
    rows = []
    for name in names:
        say(about(name).rstrip("."))
        try:
            rows += [(name, row) for row in GROUPS[name](job)]
        except ModuleNotFoundError as missing:
            job.notes.append(f"{missing.name} is not installed; the rows of {name} are left out.")
    return rows


def about(name):
    """What a group says of itself."""
    return GROUPS[name].__doc__.splitlines()[0]


def table(rows):
    """The rows as a Markdown table, aligned for a terminal too."""
    cells = [("job", "against", "ours", "theirs", "ratio", "lowest - highest", "target", "met?")]
    for row in rows:
        sign = "<=" if row.at_most else ">="
        target = "" if row.target is None else f"{sign} {_ratio(row, row.target)}"
        met = {True: "yes", False: "no", None: ""}[row.met]
        spread = f"{_ratio(row, min(row.ratios))} - {_ratio(row, max(row.ratios))}"
        amounts = [f"{_three(median(taken))} {row.unit}" for taken in (row.ours, row.theirs)]
        cells.append((row.job, row.against, *amounts, _ratio(row, row.ratio), spread, target, met))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    padded = ([text.ljust(width) for text, width in zip(line, widths, strict=True)] for line in cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def figures(row):
    """What the table shows of a row, as numbers."""
    medians = {"ours": median(row.ours), "theirs": median(row.theirs)}
    return medians | {"ratios": row.ratios, "ratio": row.ratio, "met": row.met}


def _ratio(row, ratio):
    """As a share where the ratio is at most something, else as a number of times."""
    digits = 0 if ratio >= 0.1 else 1 if ratio >= 0.01 else 2
    return f"{100 * ratio:.{digits}f}%" if row.at_most and row.unit == "s" else _three(ratio)


def _three(number):
    """Three digits, thousands in full."""
    if number == 0 or not math.isfinite(number):
        return str(number)
    return f"{number:,.{max(0, 2 - math.floor(math.log10(abs(number))))}f}"


def description(job):
    """What was worked on, where and when. Plain values."""
    S, Q, _ = job.study.track.shape
    return {
        "date": date.today().isoformat(),
        "runs": S,
        "topics": Q,
        "lines": int(job.study.track.lengths.sum()),
        "judgments": len(job.study.judgments.pooled_items),
        "megabytes": round(job.megabytes),
        "rounds": job.rounds,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    groups = "; ".join(f"{name}: {about(name)}" for name in GROUPS)
    parser.add_argument("--only", nargs="+", choices=GROUPS, metavar="NAME", help=groups)
    parser.add_argument("--quick", action="store_true", help="a tenth of the job, once: to see that all works")
    parser.add_argument("--rounds", type=int, help="how often each row is timed; 5, or 1 with --quick")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the same as JSON")
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="with runs and qrels.txt, such as a real track; made if it is not there",
    )
    return parser.parse_args()


def main():
    asked = arguments()
    rounds = asked.rounds or (1 if asked.quick else 5)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        job = Job(made(asked.folder or scratch / "job", asked.quick), scratch, rounds)
        rows = measured(job, asked.only or GROUPS)
        said = description(job)
    notes = list(dict.fromkeys(job.notes))
    told = (f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in said.items())
    print(", ".join(told), "", table([row for _, row in rows]), "", *(f"- {note}" for note in notes), sep="\n")
    if asked.json:
        found = [{"name": name} | asdict(row) | figures(row) for name, row in rows]
        asked.json.write_text(json.dumps({"about": said, "rows": found, "notes": notes}, indent=1))


if __name__ == "__main__":
    main()
