"""A file that a visitor loaded, as plain values: its role, its recognised kind, and for a table the first rows and the
meaning of its columns.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import evalcore
from evalcore.reading import file_kinds, memory_budget
from evalcore.reading.files import Upload
from evalcore.study.attached import ROLES

ROLE = {"run": "runs", "qrels": "qrels", "systems": "systems", "queries": "queries"}  # evalcore's word -> the page's
BESIDE = {role: "qrels" for role, row in ROLES.items() if row.read_as == "qrels"}  # further judgments
OF = {page: own for own, page in ROLE.items()} | BESIDE
OTHER = {"runs": "qrels", "qrels": "runs"}
UNKNOWN = "unknown"  # the role of a file that is none of these
HEAD, MOST = 6, 80  # rows shown, and letters of a cell


def taken(
    name: str, data: bytes, role: str, progress: Callable[[int, int], None] | None = None
) -> list[dict[str, Any]]:
    """Reads an upload and describes it, or each file in it if it is a zip with runs and judgments.

    role : a key of `OF`, or "any" = as recognised; progress : as of `evalcore.reading.workbooks.sheets_of`
    """
    upload, digest = evalcore.Upload(name, data), hashlib.sha256(data).hexdigest()
    try:
        with memory_budget.enough(name, name):
            return _taken(upload, {"size": len(data), "digest": digest}, role, progress)
    except evalcore.InputError as error:
        return [
            {"name": name, "size": len(data), "digest": digest, "upload": upload} | _unknown(role, error.problems[0])
        ]
    finally:
        _let_go(upload)


def _taken(upload, known, role, progress):
    parts = file_kinds.parts(upload, progress)
    if len(parts) > 1 and role not in ("any", "runs"):  # judgments on one sheet of several
        parts = [(upload, OF[role])]
    one_role = "any" if len(parts) > 1 else role
    return [
        known | {"name": part.name, "upload": part} | _as(part, one_role, ROLE.get(seems, "")) for part, seems in parts
    ]


def _unknown(role, problem):
    """Description of a file that cannot be read in any role, with the reason."""
    role = UNKNOWN if role == "any" else role
    return dict.fromkeys(("seems", "surely", "table", "columns")) | {"role": role, "problem": problem}


def as_other(file: dict[str, Any]) -> dict[str, Any]:
    """The same file as judgments instead of a run, or as a run instead of judgments; an unknown file as a run."""
    role = OTHER.get(file["role"], "runs")
    seems = file["seems"] or role
    return file | _as(file["upload"], role, seems)


def _let_go(upload):
    """Drop parsed text tables, which are fast to read; keep workbooks, which are slow."""
    for key, read in upload.shared.items():
        if key[0] == "sheets":
            for mark in read.keys() - {"workbook", "tally", "counted"}:
                del read[mark]


def described(upload: Upload, role: str, columns: dict[str, Any] | None) -> dict[str, Any]:
    """Describes a file of a study that was saved. role : evalcore's word; columns : the meaning of a table's columns"""
    page = ROLE.get(role, role)
    known = {"name": upload.name, "size": len(upload.data), "digest": hashlib.sha256(upload.data).hexdigest()}
    about = known | {"upload": upload} | _as(upload, page, page) | {"columns": columns}
    _let_go(upload)
    return about


def as_truth(file: dict[str, Any]) -> dict[str, Any]:
    """The same file as complete judgments."""
    return file | _as(file["upload"], "truth", file["seems"])


def as_judge(file: dict[str, Any]) -> dict[str, Any]:
    """The same file as the judgments of one more judge."""
    return file | _as(file["upload"], "judge", file["seems"])


def waits(file: dict[str, Any]) -> bool:
    """Whether the meaning of a table's columns is still unknown."""
    return bool(file["table"] and not file["table"]["certain"] and not file["columns"])


def _as(upload, role, seems):
    """Description of a file in a role.

    surely : whether it can only be read in the other role; problem : why it can be read in none, or None
    """
    if not seems and role in ("any", *OTHER):
        return _unknown(role, file_kinds.why_none(upload))
    role = seems if role == "any" else role
    table = table_of(upload, role)
    lines = table is None and file_kinds.words(upload) == {"runs": 4, "qrels": 6}.get(role)
    surely = bool(table and table["seems"]) or (lines and seems == OTHER[role])
    return {"role": role, "seems": seems, "surely": surely, "table": table, "columns": None, "problem": None}


def table_of(upload: Upload, role: str) -> dict[str, Any] | None:
    """Sheets of a table of runs or judgments, and whether the meaning of their columns is certain; None for others, and
    for a run loaded as second or complete judgments

    sheets : title -> first rows, meaning -> column, and whether the first row contains column names
    """
    if OF[role] not in (OF[one] for one in OTHER):
        return None
    try:
        table = evalcore.look(upload, OF[role])
    except evalcore.InputError:  # the error is shown when the file is opened
        return None
    if table is None or (role in BESIDE and table.seems):  # shown when it is opened
        return None
    pairs = zip(table.sheets, table.guesses, strict=True)
    used = [sheet.title for sheet, _ in table.used]
    sheets = {
        sheet.title: {
            "rows": [[cell[:MOST] for cell in row] for row in sheet.head(HEAD)],
            "columns": dict(guess.columns),
            "header": guess.header,
        }
        for sheet, guess in pairs
    }
    return {"certain": table.certain, "seems": ROLE.get(table.seems, ""), "sheets": sheets, "used": used}


def swapped(files: dict[str, dict[str, Any]]) -> list[str]:
    """Keys of loaded runs and judgments that are certainly swapped, or that each look like the other."""
    odd = {key: file for key, file in files.items() if OTHER.get(file["role"], file["role"]) == file["seems"]}
    both = {file["role"] for file in odd.values()} == set(OTHER)
    return [key for key, file in odd.items() if both or file["surely"]]
