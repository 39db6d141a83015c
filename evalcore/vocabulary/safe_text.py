"""Escape names from files for a terminal, a message, or a cell of a spreadsheet."""

import json
import re
from csv import QUOTE_NONNUMERIC
from typing import Any

import pandas as pd

MOST, LINE = 200, 2000  # letters of a word, or of a quotation, in a message, as many as paths have; and of its lines
QUOTED = rf"(?<!\w)'[^'\n]{{{MOST},}}'(?!\w)|(?<!\w)\"[^\"\n]{{{MOST},}}\"(?!\w)"
FORMULA = re.compile(r"'*[=+\-@\t\r\n]")


def printable(text: str) -> str:
    """Text of which everything can be seen: what controls a terminal, or reverses, hides or breaks text, as \\u202e."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cut(message: str) -> str:
    """A message whose words, and whatever it quotes, are cut to 200 letters: what people type may be of any length."""
    message = re.sub(rf"\S{{{MOST + 10},}}", _shorter, re.sub(QUOTED, _shorter, message))
    return re.sub(rf"(?m)^(.{{{LINE}}}).+", r"\1...", message)


def _shorter(match):
    word = match[0]
    ends = word[-1] if word[0] == word[-1] and word[0] in "'\"" else ""
    return f"{word[:MOST]}...{ends}"


def cell(value: Any) -> Any:
    """A cell of a CSV file that a spreadsheet shows and does not run; numbers stay numbers.

    A text that begins as a formula does, also behind apostrophes, gets one apostrophe more; without it, it reads back.
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def csv(table: pd.DataFrame) -> str:
    """A table as the text of a CSV file, every digit kept."""
    safe = table.copy()
    for name in safe.columns[[kind.kind not in "iufb" for kind in safe.dtypes]]:
        safe[name] = [cell(value) for value in safe[name]]
    safe.columns = [cell(name) for name in safe.columns]
    text = safe.to_csv(index=False)
    return safe.to_csv(index=False, quoting=QUOTE_NONNUMERIC) if "\r" in text else text  # it ends a line to many


def json_line(value: Any) -> str:
    """A value as JSON on one line, which reads back the same and of which everything can be seen."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
