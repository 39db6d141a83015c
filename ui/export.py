"""What leaves a page as a file: a table as CSV, and the script that makes it again."""

import re

from ui.safe import cell


def csv(table):
    """A table as CSV bytes, every digit kept; a cell that a spreadsheet would run begins with an apostrophe."""
    safe = table.copy()
    for name in safe.columns[[kind.kind not in "iufb" for kind in safe.dtypes]]:
        safe[name] = [cell(value) for value in safe[name]]
    safe.columns = [cell(name) for name in safe.columns]
    return safe.to_csv(index=False).encode("utf-8")


def file_name(answer, ending):
    """A file name that tells what is inside: scores_RBP_p=0.8.csv."""
    parts = [
        answer.question,
        *(
            str(answer.params[name])
            for name in ("metric", "system", "topic", "depth")
            if answer.params.get(name) is not None
        ),
    ]
    return re.sub(r"[^\w.=-]+", "_", "_".join(parts)).strip("_")[:80] + "." + ending
