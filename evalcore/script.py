"""The script that an answer exports: a complete program that reproduces its table, and the functions it calls."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from evalcore.interop.in_memory import IN_MEMORY
from evalcore.reading import json_files, loading, tar_files
from evalcore.reading.files import NO_JUDGMENTS, Source
from evalcore.study.opening import of_files
from evalcore.study.study import Study


def of(
    question: str, params: dict[str, Any], *, sources: Iterable[Source], options: dict[str, Any], scope: dict[str, Any],
    version: str,
) -> str:  # fmt: skip
    """The program that reproduces an answer, as text; see `answers.Answer` for what it consists of."""
    files = "\n".join(f"    {(source.role, source.name, source.sha256)!r}," for source in sources)
    only = "".join(f"study = study.{line}\n" for line in _narrowed(scope))
    return SCRIPT.format(
        question=question, version=version, files=files, only=only,
        options="\n".join(f"        {key}={value!r}," for key, value in options.items()),
        asked="".join(f", {key}={value!r}" for key, value in params.items()),
    )  # fmt: skip


SCRIPT = '''"""Reproduces the table {question!r} of Poolscope {version}.

    PYTHONPATH=POOLSCOPE python this_script.py FOLDER > table.csv

In PowerShell, on Windows:

    $env:PYTHONPATH = "POOLSCOPE"; $env:PYTHONUTF8 = "1"
    cmd /c 'python "this_script.py" "FOLDER" > table.csv'

POOLSCOPE is the folder that contains evalcore/. FOLDER contains the files named below, at any depth; by default it is
the folder of this script. Files that have changed are refused.
"""

import sys
from pathlib import Path

import evalcore

FILES = [  # kind, name and SHA-256
{files}
]

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
try:
    study = evalcore.reopen(
        FILES,
        folder,
{options}
    )
except ValueError as error:
    sys.exit(str(error))
{only}answer = evalcore.ask(study, {question!r}{asked})
print(answer.finding, file=sys.stderr)
answer.table.to_csv(sys.stdout, index=False, lineterminator="\\n")
'''


def _narrowed(scope):
    """The calls that restrict a whole study to this scope."""
    scope = dict(scope)
    for judged in ("judged_by_other", "judged_by_truth"):
        if scope.pop(judged, False):
            yield judged
    for judged in ("judged_by", "compared_with"):
        if (judge := scope.pop(judged, None)) is not None:
            yield f"{judged}({judge!r})"
    if (systems := scope.pop("without_contribution_of", None)) is not None:
        yield f"without_contribution_of({systems!r})"
    for fused in scope.pop("with_fused", ()):  # its inputs are named, so that it comes before what narrows
        yield f"with_fused({_arguments(fused)})"
    if scope:
        yield f"only({_arguments(scope)})"


def _arguments(values):
    return ", ".join(f"{key}={value!r}" for key, value in values.items())


def reopen(files: Iterable[tuple[str, str, str]], folder: Path | str, **options: Any) -> Study:
    """The study of these files, which are found by name below a folder.

    files : (role, name, sha256) of each, as in `Answer.sources`
    options : of `open_study`; judges : name -> kind, in the order of their files; judge_levels, judge_gains : by name
    Raises ValueError for a file that is missing or has changed.
    """
    by_role: dict[str, list[Any]] = {}
    for role, name, sha256 in files:
        by_role.setdefault(role, []).append(name != NO_JUDGMENTS.name and _find(Path(folder), name, sha256))
    return of_files(by_role, **options)


def _find(folder, name, sha256):
    """The file of that name and digest below a folder, as an upload of that name."""
    exists = False
    for data, sheet in _called(folder, PurePosixPath(name).parts):
        exists = True
        if hashlib.sha256(data).hexdigest() == sha256:
            return loading.Upload(name, data, sheet=sheet)
    if exists:
        raise ValueError(
            f"{name} is not the file that the table was made from: its SHA-256 differs. Use the original file."
        )
    if name.endswith(IN_MEMORY):
        raise ValueError(f"{name} was no file. Save it as one, open the study with it, and export the script again.")
    raise ValueError(f"{name} is not below {folder}. Use a folder that contains all of the files.")


def _called(folder, parts):
    """The bytes and the sheet of every file below a folder with this name.

    `tracks.zip/runs/a.gz` may be a member of a zip or tar archive, and `track.xlsx/Judgments` a sheet of a workbook.
    """
    for depth in range(len(parts), 0, -1):
        for path in sorted(folder.rglob("*")):
            if path.name != parts[depth - 1] or not path.is_file():
                continue
            if depth == len(parts):
                yield path.read_bytes(), None
            elif zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    if (member := "/".join(parts[depth:])) in archive.namelist():
                        yield archive.read(member), None
                    elif (book := "/".join(parts[depth:-1])) in archive.namelist():
                        yield archive.read(book), parts[-1]
                if depth == len(parts) - 1:
                    yield path.read_bytes(), parts[-1]
            elif depth == len(parts) - 1 and json_files.may_have_both(path.read_bytes()):
                yield path.read_bytes(), parts[-1]
            elif tar_files.is_tar(path.read_bytes()):
                wanted = "/".join(parts[depth:])
                members = (file for file in loading.listing(path, "run").files if file.member == wanted)
                yield from ((b"".join(file.steps()), None) for file in members)
