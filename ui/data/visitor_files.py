"""The files that a visitor loaded: a track of their own, files added to another one, and a second qrels."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from evalcore.cache import run_with_progress
from evalcore.study.judge_names import KINDS, judge_name
from ui.components import progress
from ui.data import sources, study_choice, upload_bundles, uploaded_file
from ui.data.study_choice import own
from ui.serving import server_cache, upload_limits
from ui.session import memory
from ui.text.escape import md

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


LIGHT = 1 << 18  # bytes of a file that may be checked without waiting
STEPS = 1000  # of a progress bar for each file
TRACK = {"runs", "qrels"}  # what a track is made of


def files() -> dict[str, Any]:
    """The files that this visitor loaded: key -> description, see `uploaded_file.taken`."""
    return st.session_state.setdefault("_files", {})


def uploader_key(role: str) -> str:
    """The key of an uploader; a new key empties it. Each uploader has its own, because a new key drops an upload that
    is still running."""
    return f"upload-{role}-{memory.get(f'uploads-{role}', 0)}"


def empty_uploader(role: str) -> None:
    """Empty an uploader on the next run."""
    memory.put(f"uploads-{role}", memory.get(f"uploads-{role}", 0) + 1)


def take_uploads(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Keep the uploader's files, open them on the next run, and empty the uploader. role : "any" = as recognised, and
    the page asks what they are for if they would close the track that is open"""
    taken = _looked_at(uploads, role)
    if role == "any":
        taken = [*undecided(), *taken]
        memory.put("undecided", taken if _must_be_asked(taken) else [])
        if undecided():
            empty_uploader(role)
            return
    once_each = {file["role"] for file in taken} - {"runs", uploaded_file.UNKNOWN}  # a new one replaces the old one
    if role == "any":  # several judgments are asked about
        once_each.discard("qrels")
    for once in once_each:
        remove([key for key, file in files().items() if file["role"] == once], files())
    _keep(taken, files())
    empty_uploader(role)
    study_choice.open_another("files")


def undecided() -> list[dict[str, Any]]:
    """Uploaded runs and judgments of which the visitor has not said what they are for."""
    return memory.get("undecided", [])


def _must_be_asked(taken):
    """Whether these files are for the open track or make one of their own is not clear: a run or judgments alone while
    a track is open, or other judgments than those of the visitor's own track."""
    roles, has = {file["role"] for file in taken}, {file["role"] for file in files().values()}
    if any(file["problem"] or uploaded_file.waits(file) for file in taken) or not roles <= TRACK:
        return False
    if study_choice.name() == "files":
        return has >= TRACK and "qrels" in roles
    return not roles | (has if not has >= TRACK else set()) >= TRACK


def decide(purpose: str | None) -> None:
    """Use the undecided files as the visitor says; for callbacks.

    purpose : "alone" = a track of their own; "add" = runs of the open track; "qrels", "second" or "truth" = in place of
    its judgments, as second or as complete judgments; "judge" = by further judges; None = not at all
    """
    taken = undecided()
    memory.put("undecided", [])
    if purpose == "alone":
        remove(list(files()), files())
        _keep(taken, files())
        study_choice.open_another("files")
        return
    wanted = "runs" if purpose == "add" else "qrels"
    for file in taken:
        if purpose is None or file["role"] != wanted:
            upload_limits.release(file["upload_id"])
        elif purpose == "second":
            use_second(file)
        elif purpose == "judge":
            _add_judge(uploaded_file.as_judge(file))
        else:
            kept = files() if study_choice.name() == "files" else added()
            _add(uploaded_file.as_truth(file) if purpose == "truth" else file, kept)


def added() -> dict[str, Any]:
    """Files that this visitor added to a sample or to the server's track: key -> description."""
    return own().setdefault("added", {})


def digests() -> frozenset[str]:
    """Digests of all files that this visitor loaded, for whichever data set."""
    given = list(files().values())
    for beside in st.session_state.get("_own", {}).values():
        given += [*beside.get("added", {}).values(), *beside.get("judges", {}).values(), beside.get("second")]
    return frozenset(file["digest"] for file in given if file)


def _looked_at(uploads, role):
    """Descriptions of an uploader's files. They are read in another thread, because a large workbook takes seconds, and
    many small files do, too; one progress bar for all has a button that cancels the upload."""
    count = len(uploads)

    def look(report):
        taken = []
        for number, file in enumerate(uploads):
            turns = server_cache.CHECKING if file.size > LIGHT else contextlib.nullcontext()
            read = partial(uploaded_file.taken, file.name, file.getvalue(), role)
            looked = server_cache.in_turn(turns, read)(partial(_report, report, number, count))
            taken += [part | {"upload_id": file.file_id} for part in looked]
        return taken

    def words(done, _):
        number = done // STEPS
        which = f", file {number + 1:,} of {count:,}" if count > 1 else ""
        return f"Reading {md(uploads[number].name)}{which} …"

    ids = [file.file_id for file in uploads]
    return progress.in_sight(partial(run_with_progress, look), words, partial(_drop_uploads, role, ids), ids[0])


def _report(report, number, count, done, total):
    """Report the progress within one of several files as that of them all."""
    report(number * STEPS + min(done * STEPS // max(total, 1), STEPS - 1), count * STEPS)


def _drop_uploads(role, upload_ids):
    """Cancel an upload and empty its uploader; for callbacks."""
    for upload_id in upload_ids:
        upload_limits.release(upload_id)
    upload_bundles.drop(upload_ids)
    empty_uploader(role)


def _keep(taken, kept):
    """Add files to `files` or `added`."""
    if kept is files():
        memory.put("linked", "")  # from now on they are this visitor's own
    for file in taken:
        key = f"{file['role']}/{file['name']}/{file['digest'][:12]}"
        if (old := kept.get(key)) and old["upload_id"] != file["upload_id"]:
            _release(old)
        kept[key] = file


def _add(file, kept):
    """Add a file to `files` or `added`; judgments replace those of their role."""
    remove([key for key, old in kept.items() if old["role"] == file["role"] != "runs"], kept)
    _keep([file], kept)


def _release(file):
    """Drop Streamlit's copy of a loaded file, unless other parts of it are loaded; None = no file."""
    if file is not None and file["upload_id"] not in {other["upload_id"] for other in files().values()}:
        upload_limits.release(file["upload_id"])


def take_as_other(keys: Iterable[str]) -> None:
    """Use loaded runs as judgments, or judgments as runs; for callbacks."""
    _keep([uploaded_file.as_other(files().pop(key)) for key in keys], files())


def take_as_truth(key: str) -> None:
    """Use loaded judgments as complete judgments; for callbacks."""
    _add(uploaded_file.as_truth(files().pop(key)), files())


def take_columns(keys: Iterable[str], columns: dict[str, Any] | None) -> None:
    """Set the meaning of the columns of loaded tables; for callbacks."""
    for key in keys:
        files()[key] = files()[key] | {"columns": columns}


def key_of(name: str | None) -> str | None:
    """The key of the loaded file with this name in the study, or None."""
    digests = set()
    for key, file in files().items():
        if not file["problem"] and sources.unlike(digests, file["name"]) == name:
            return key
    return None


def remove(keys: Iterable[str], kept: dict[str, Any]) -> None:
    """Forget some of the files in `files` or `added`; for callbacks."""
    for key in keys:
        _release(kept.pop(key, None))


def second_file() -> dict[str, Any] | None:
    """Description of the second qrels that this visitor loaded, or None."""
    return own().get("second")


def use_second(file: dict[str, Any] | None = None) -> None:
    """Use a file as the second qrels of the chosen study; None = none."""
    _release(second_file())
    own()["second"] = file


def judges() -> dict[str, dict[str, Any]]:
    """The judges that this visitor added to the chosen study: name -> description of the file, with its "kind"."""
    return own().setdefault("judges", {})


def take_judges(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Keep uploaded files as judges, each named by its file, and empty the uploader."""
    for file in _looked_at(uploads, role):
        _add_judge(file)
    empty_uploader(role)


def _add_judge(file: dict[str, Any]) -> None:
    """Keep a file as a judge; one with the same content stays what it is."""
    if all(file["digest"] != kept["digest"] or file["name"] != kept["name"] for kept in judges().values()):
        name = sources.unlike({*judges(), *sources.KEPT_NAMES}, judge_name(file["name"]))
        judges()[name] = file | {"kind": KINDS[0]}


def set_kind(name: str, kind: str) -> None:
    """Say whether a judge is a model or people; for callbacks."""
    judges()[name] = judges()[name] | {"kind": kind}


def remove_judge(name: str) -> None:
    """Forget a judge; for callbacks."""
    _release(judges().pop(name, None))
    for option in ("judge_levels", "judge_gains"):
        own().get(option, {}).pop(name, None)


def take_second(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Keep the uploaded second qrels, and empty the uploader."""
    use_second(_looked_at(uploads, role)[0])
    empty_uploader(role)


def take_columns_of_second(columns: dict[str, Any]) -> None:
    """Set the meaning of the columns of the second qrels."""
    own()["second"] = (second_file() or {}) | {"columns": columns}
