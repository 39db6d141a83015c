"""The files that a visitor loaded: a track of their own, files added to another one, and a second qrels."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from evalcore.cache import run_with_progress
from evalcore.study.judge_names import KINDS, judge_name
from ui.components import progress
from ui.data import sources, study_choice, upload_bundles, uploaded_file
from ui.data.study_choice import own
from ui.serving import server_cache, upload_limits
from ui.session import memory, visit
from ui.session.visit import LoadedFile
from ui.text.escape import md

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


LIGHT = 1 << 18  # bytes of a file that may be checked without waiting
STEPS = 1000  # of a progress bar for each file
TRACK = {"runs", "qrels"}  # what a track is made of
OWN = "files"  # the data set of a visitor's own files


def files() -> Mapping[str, LoadedFile]:
    """The files of the visitor's own track, by their keys."""
    return visit.of(OWN).files


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
    once_each = {file.role for file in taken} - {"runs", uploaded_file.UNKNOWN}  # a new one replaces the old one
    if role == "any":  # several judgments are asked about
        once_each.discard("qrels")
    remove([key for key, file in files().items() if file.role in once_each], OWN)
    _keep(taken, OWN)
    empty_uploader(role)
    study_choice.open_another(OWN)


def undecided() -> list[LoadedFile]:
    """Uploaded runs and judgments of which the visitor has not said what they are for."""
    return memory.get("undecided", [])


def _must_be_asked(taken):
    """Whether these files are for the open track or make one of their own is not clear: a run or judgments alone while
    a track is open, or other judgments than those of the visitor's own track."""
    roles, has = {file.role for file in taken}, {file.role for file in files().values()}
    if any(file.problem or file.waits for file in taken) or not roles <= TRACK:
        return False
    if study_choice.name() == OWN:
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
        remove(list(files()), OWN)
        _keep(taken, OWN)
        study_choice.open_another(OWN)
        return
    wanted = "runs" if purpose == "add" else "qrels"
    for file in taken:
        if purpose is None or file.role != wanted:
            upload_limits.release(file.upload_id)
        elif purpose == "second":
            use_second(file)
        elif purpose == "judge":
            _add_judge(uploaded_file.as_judge(file))
        else:
            _add(uploaded_file.as_truth(file) if purpose == "truth" else file, study_choice.name())


def added() -> Mapping[str, LoadedFile]:
    """Files that this visitor added to a sample or to the server's track, by their keys."""
    return {} if study_choice.name() == OWN else own().files


def digests() -> frozenset[str]:
    """Digests of all files that this visitor loaded, for whichever data set."""
    return frozenset(file.digest for file in visit.now().loaded())


def _looked_at(uploads, role):
    """The files of an uploader. They are read in another thread, because a large workbook takes seconds, and
    many small files do, too; one progress bar for all has a button that cancels the upload."""
    count = len(uploads)

    def look(report):
        taken = []
        for number, file in enumerate(uploads):
            turns = server_cache.CHECKING if file.size > LIGHT else contextlib.nullcontext()
            read = partial(uploaded_file.taken, file.name, file.getvalue(), role)
            looked = server_cache.in_turn(turns, read)(partial(_report, report, number, count))
            taken += [replace(part, upload_id=file.file_id) for part in looked]
        return taken

    def words(done, _):
        number = done // STEPS
        of_several = f", file {number + 1:,} of {count:,}" if count > 1 else ""
        return f"Reading {md(uploads[number].name)}{of_several} …"

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


def _keep(taken, study):
    """Add files to a data set."""
    if study == OWN:
        visit.change(from_link=False)  # from now on they are this visitor's own
    replaced = visit.of(study).files
    visit.change_of(study, files={**replaced, **{file.key: file for file in taken}})
    _release(*(replaced[file.key] for file in taken if file.key in replaced))


def _add(file, study):
    """Add a file to a data set; judgments replace those of their role."""
    remove([key for key, old in visit.of(study).files.items() if old.role == file.role != "runs"], study)
    _keep([file], study)


def _release(*removed):
    """Drop Streamlit's copies of files that are not loaded any more, unless other parts of them are; None = no file."""
    still_loaded = {file.upload_id for file in visit.now().loaded()}
    for upload_id in {file.upload_id for file in removed if file is not None} - still_loaded:
        upload_limits.release(upload_id)


def take_as_other(keys: Sequence[str]) -> None:
    """Use loaded runs as judgments, or judgments as runs; for callbacks."""
    changed = [uploaded_file.as_other(files()[key]) for key in keys]
    visit.change_of(OWN, files=visit.without(files(), *keys))
    _keep(changed, OWN)


def take_as_truth(key: str) -> None:
    """Use loaded judgments as complete judgments; for callbacks."""
    truth = uploaded_file.as_truth(files()[key])
    visit.change_of(OWN, files=visit.without(files(), key))
    _add(truth, OWN)


def take_columns(keys: Iterable[str], columns: dict[str, Any] | None) -> None:
    """Set the meaning of the columns of loaded tables; for callbacks."""
    read = {key: replace(files()[key], columns=columns) for key in keys}
    visit.change_of(OWN, files={**files(), **read})


def key_of(name: str | None) -> str | None:
    """The key of the loaded file with this name in the study, or None."""
    digests = set()
    for key, file in files().items():
        if not file.problem and sources.unlike(digests, file.name) == name:
            return key
    return None


def remove(keys: Sequence[str], study: str) -> None:
    """Forget some of the files of a data set; for callbacks."""
    before = visit.of(study).files
    visit.change_of(study, files=visit.without(before, *keys))
    _release(*(before[key] for key in keys if key in before))


def use_second(file: LoadedFile | None = None) -> None:
    """Use a file as the second qrels of the chosen study; None = none."""
    before = own().second
    study_choice.change(second=file, without_second=file is None)
    _release(before)


def take_judges(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Keep uploaded files as judges, each named by its file, and empty the uploader."""
    for file in _looked_at(uploads, role):
        _add_judge(file)
    empty_uploader(role)


def _add_judge(file: LoadedFile) -> None:
    """Keep a file as a judge; one with the same content stays what it is."""
    judges = own().judges
    if all((file.digest, file.name) != (kept.digest, kept.name) for kept in judges.values()):
        name = sources.unlike({*judges, *sources.KEPT_NAMES}, judge_name(file.name))
        study_choice.change(judges={**judges, name: replace(file, kind=KINDS[0])})


def set_kind(name: str, kind: str) -> None:
    """Say whether a judge is a model or people; for callbacks."""
    study_choice.change(judges={**own().judges, name: replace(own().judges[name], kind=kind)})


def remove_judge(name: str) -> None:
    """Forget a judge; for callbacks."""
    before = own()
    judges, levels, gains = (
        visit.without(of_judges, name) for of_judges in (before.judges, before.judge_levels, before.judge_gains)
    )
    study_choice.change(judges=judges, judge_levels=levels, judge_gains=gains)
    _release(before.judges.get(name))


def take_second(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Keep the uploaded second qrels, and empty the uploader."""
    use_second(_looked_at(uploads, role)[0])
    empty_uploader(role)


def take_columns_of_second(columns: dict[str, Any]) -> None:
    """Set the meaning of the columns of the second qrels."""
    if (second := own().second) is not None:
        study_choice.change(second=replace(second, columns=columns))
