"""What a loaded file is: its role, its recognised kind, and for a table its first rows and what its columns mean."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import evalcore
from evalcore.reading import file_kinds, memory_budget
from evalcore.reading.files import Upload
from evalcore.study.attached import ROLES
from ui.session.visit import LoadedFile

ROLE = {"run": "runs", "qrels": "qrels", "systems": "systems", "queries": "queries"}  # evalcore's word -> the page's
BESIDE = {role: "qrels" for role, row in ROLES.items() if row.read_as == "qrels"}  # further judgments
OF = {page: own for own, page in ROLE.items()} | BESIDE
OTHER = {"runs": "qrels", "qrels": "runs"}
UNKNOWN = "unknown"  # the role of a file that is none of these
HEAD, MOST = 6, 80  # rows shown, and letters of a cell


def taken(name: str, data: bytes, role: str, progress: Callable[[int, int], None] | None = None) -> list[LoadedFile]:
    """Reads an upload, or each file in it if it is a zip with runs and judgments.

    role : a key of `OF`, or "any" = as recognised; progress : as of `evalcore.reading.workbooks.sheets_of`
    """
    whole = _whole(evalcore.Upload(name, data), role)
    try:
        with memory_budget.enough(name, name):
            return _taken(whole, role, progress)
    except evalcore.InputError as error:
        return [_unknown(whole, role, error.problems[0])]
    finally:
        _let_go(whole.upload)


def _whole(upload, role):
    return LoadedFile(upload.name, upload, len(upload.data), hashlib.sha256(upload.data).hexdigest(), role)


def _taken(whole, role, progress):
    upload = whole.upload
    parts = file_kinds.parts(upload, progress)
    if len(parts) > 1 and role not in ("any", "runs"):  # judgments on one sheet of several
        parts = [(upload, OF[role])]
    one_role = "any" if len(parts) > 1 else role
    return [_as(replace(whole, name=part.name, upload=part), one_role, ROLE.get(seems, "")) for part, seems in parts]


def _unknown(file, role, problem):
    """A file that cannot be read in any role, with the reason."""
    role = UNKNOWN if role == "any" else role
    return replace(file, role=role, seems="", surely=False, table=None, columns=None, problem=problem)


def as_other(file: LoadedFile) -> LoadedFile:
    """The same file as judgments instead of a run, or as a run instead of judgments; an unknown file as a run."""
    role = OTHER.get(file.role, "runs")
    return _as(file, role, file.seems or role)


def _let_go(upload):
    """Drop parsed text tables, which are fast to read; keep workbooks, which are slow."""
    for key, read in upload.shared.items():
        if key[0] == "sheets":
            for mark in read.keys() - {"workbook", "tally", "counted"}:
                del read[mark]


def of_saved(upload: Upload, role: str, columns: dict[str, Any] | None) -> LoadedFile:
    """A file of a study that was saved. role : evalcore's word; columns : the meaning of a table's columns"""
    page = ROLE.get(role, role)
    file = replace(_as(_whole(upload, page), page, BESIDE.get(page, page)), columns=columns)
    _let_go(upload)
    return file


def as_truth(file: LoadedFile) -> LoadedFile:
    """The same file as complete judgments."""
    return _as(file, "truth", file.seems)


def as_judge(file: LoadedFile) -> LoadedFile:
    """The same file as the judgments of one more judge."""
    return _as(file, "judge", file.seems)


def _as(file, role, seems):
    """The file in a role."""
    upload = file.upload
    if not seems and role in ("any", *OTHER):
        return _unknown(file, role, file_kinds.why_none(upload))
    role = seems if role == "any" else role
    table = table_of(upload, role)
    lines = table is None and file_kinds.words(upload) == {"runs": 4, "qrels": 6}.get(role)
    surely = bool(table and table["seems"]) or (lines and seems == OTHER[role])
    return replace(file, role=role, seems=seems, surely=surely, table=table, columns=None, problem=None)


def table_of(upload: Upload, role: str) -> dict[str, Any] | None:
    """Sheets of a table of runs or judgments, and whether the meaning of their columns is certain; None for others, and
    for a run loaded as second or complete judgments

    sheets : title -> first rows, meaning -> column, and whether the first row contains column names
    """
    if OF[role] not in (OF[page] for page in OTHER):
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


def swapped(files: Mapping[str, LoadedFile]) -> list[str]:
    """Keys of loaded runs and judgments that are certainly swapped, or that each look like the other."""
    odd = {key: file for key, file in files.items() if OTHER.get(file.role, file.role) == file.seems}
    swapped_kinds = {file.role for file in odd.values()} == set(OTHER)
    return [key for key, file in odd.items() if swapped_kinds or file.surely]
