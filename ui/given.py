"""A file that a visitor loaded, as plain values: what it is taken for, what it seems to be, and of a table the first
rows and what its columns are.
"""

import hashlib

import evalcore
from evalcore.reading import roles

ROLE = {"run": "runs", "qrels": "qrels", "systems": "systems", "queries": "queries"}  # evalcore's word -> the page's
BESIDE = {"truth": "qrels", "other": "qrels"}  # judgments beside the others: the page's word -> what they are read as
OF = {page: own for own, page in ROLE.items()} | BESIDE
OTHER = {"runs": "qrels", "qrels": "runs"}
HEAD, MOST = 6, 80  # rows that are shown, and letters of a cell


def taken(name, data, role):
    """What is known of a file. role : a key of `OF`, or "any" = what it seems to be"""
    upload, read = evalcore.Upload(name, data), {}
    seems = ROLE.get(roles.role_of(upload, read), "")
    known = {"name": name, "size": len(data), "digest": hashlib.sha256(data).hexdigest(), "upload": upload}
    return known | _as(upload, (seems or "runs") if role == "any" else role, seems, read)


def as_other(file):
    """The same file as judgments in place of a run, or the other way round."""
    return file | _as(file["upload"], OTHER[file["role"]], file["seems"])


def as_truth(file):
    """The same file as the truth, in place of judgments."""
    return file | _as(file["upload"], "truth", file["seems"])


def waits(file):
    """Whether a file is a table of which nobody knows yet what its columns are."""
    return bool(file["table"] and not file["table"]["certain"] and not file["columns"])


def _as(upload, role, seems, read=None):
    """What is known of a file in a role. surely : whether it cannot be read in this role, and can in the other"""
    table = table_of(upload, role, read)
    lines = table is None and roles.words(upload) == {"runs": 4, "qrels": 6}.get(role)
    surely = bool(table and table["seems"]) or (lines and seems == OTHER[role])
    return {"role": role, "seems": seems, "surely": surely, "table": table, "columns": None}


def table_of(upload, role, read=None):
    """Of a table of runs or judgments its sheets, and whether it is certain what their columns are; None for others,
    and for a run given as judgments beside others. read : as in `evalcore.look`

    sheets : title -> the first rows, the places of its meanings, and whether the first row names the columns
    """
    if OF[role] not in (OF[one] for one in OTHER):
        return None
    try:
        table = evalcore.look(upload, OF[role], read=read)
    except evalcore.InputError:  # it is said when the file is opened
        return None
    if table is None or (role in BESIDE and table.seems):  # the latter is said when it is opened
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


def swapped(files):
    """The keys of those loaded runs and judgments that surely are the other, or where each looks like the other."""
    odd = {key: file for key, file in files.items() if OTHER.get(file["role"], file["role"]) == file["seems"]}
    both = {file["role"] for file in odd.values()} == set(OTHER)
    return [key for key, file in odd.items() if both or file["surely"]]
