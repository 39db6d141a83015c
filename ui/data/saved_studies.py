"""Save the open study as one file, and open such a file again: its files, options, choices, pins and notes."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

import evalcore
from evalcore.reading.files import File, Upload, stamp
from evalcore.study import attached, study_file
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import listed
from ui.data import (
    additions,
    open_options,
    open_studies,
    server_studies,
    sources,
    study_choice,
    study_parts,
    visitor_files,
)
from ui.session import memory, notes, url_state, visit
from ui.text.escape import md, plain_name

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

NOTE = "One file with your files, options, choices, pinned systems and notes. Drop it on Data to open it again."
NOT_KEPT = {"study", "tour", "step", "present"}  # of an address
JOINED = [role for role, row in attached.ROLES.items() if row.attach]  # roles of files that pages add to the study


# ---- saving


def offer(study: Study) -> None:
    """The button that saves the study, for the sidebar."""
    state: dict[str, Any] = {}
    memory.put("saving", (study, state))
    name = plain_name(study_choice.label()) + study_file.ENDING
    write = partial(_written, study, _given(study), state)
    memory.put("save", write)
    is_large = len(study.sources) > study_file.MOST_LISTED
    st.download_button(
        "Save study", write, name, "application/zip", on_click="ignore", key="save-study", disabled=is_large,
        help=f"A study with more than {study_file.MOST_LISTED:,} files cannot be saved." if is_large else NOTE,
    )  # fmt: skip


@contextlib.contextmanager
def noting() -> Iterator[None]:
    """Note the choices when the run ends, also after an error: the button is drawn before they are made."""
    memory.put("saving", None)
    try:
        yield
    finally:
        if memory.get("saving") is not None:
            study, state = memory.get("saving")
            state |= {
                "choices": memory.choices(),
                "address": _kept(url_state.everything()),
                "page": memory.get("page") or "",
            }
            state["notes"] = notes.own_notes(study)


def _given(study: Study) -> dict[str, Any]:
    """All that the file needs of this visit, because it is written outside of a run."""
    source, joined = open_studies.source(), {role: additions.given(study, role) for role in JOINED}
    edited = open_options.edited_systems()
    of_track = attached.of_track(source.beside) | ({"systems": edited} if edited else {})
    files = [*source.runs, *source.qrels, *of_track.values(), *(file for given, _ in joined.values() for file in given)]
    track = "files" if study_choice.is_of_server() else study_choice.name()
    return {"track": track, "name": study_choice.given_name(), "joined": joined, "files": files}


def _written(study, given, state, more=None, *, whole=False):
    """The study file, as bytes. more : further members of the zip; whole, or with more : also the files of a sample"""
    for role, (files, options) in given["joined"].items():
        with contextlib.suppress(ValueError):  # which the page shows
            study = attached.attach(study, role, files, options) if files else study
    own: list[File] = [file for file in given["files"] if isinstance(file, Upload)]
    is_sample = given["track"] in sources.SAMPLES
    shared = [file for file in given["files"] if not isinstance(file, Upload)] if (more or whole) and is_sample else []
    fused = study.scope.get("with_fused", ())
    manifest = {"version": evalcore.__version__, "name": given["name"], "track": given["track"], **state}
    manifest |= {"options": study.options, "fused": [dict(run) for run in fused]}
    return study_file.written(manifest, study.sources, own, shared, more or {})


# ---- opening


def take_uploads(role: str, uploads: Sequence[UploadedFile]) -> None:
    """Open the study file among an uploader's files, or keep the files; a refusal is shown on the next run."""
    given = [(Upload(file.name, file.getvalue()), file.file_id) for file in uploads]
    study, upload_id = next((pair for pair in given if study_file.is_study_file(pair[0])), (None, ""))
    memory.put("not-opened", "")
    if study is None:
        visitor_files.take_uploads(role, uploads)
        return
    visitor_files.empty_uploader(role)
    _opened(study, upload_id)


def _opened(study: File, upload_id: str = "") -> None:
    name = study.name if isinstance(study, Upload) else Path(study).name
    try:
        with study_parts.refusals_in_words(name):
            restore(study_file.read(study), upload_id)
    except evalcore.InputError as refused:
        memory.put("not-opened", str(refused))
        return
    if upload_id:
        url_state.replace({})


def open_track(name: str) -> bool:
    """Open one of the visitor's tracks if it is a study file with its own runs, and nothing of the visitor's is open,
    which it would replace. -> whether"""
    upload = visit.now().tracks[name].upload
    if visitor_files.files() or not study_file.is_study_file(upload):
        return False
    with contextlib.suppress(evalcore.InputError):
        if study_file.read(upload).manifest["track"] != visitor_files.OWN:
            return False
    _opened(upload)
    return not memory.get("not-opened")


def named_at_start() -> None:
    """On the first run of a visit, open the study file that the server was started with; before the address is read."""
    file = sources.study_at_start()
    if file is not None and visit.now().from_link is None and "study" not in st.query_params:
        visit.change(from_link=False)
        _opened(Path(file))


def of_server() -> None:
    """Take over the choices of a study on the server where this visitor opens it first; before the address is read. The
    address of a link counts more than the study file; that of another study does not count."""
    first = "study" not in st.session_state
    name = str(st.session_state.get("_open") or (st.query_params if first else st.session_state).get("study"))
    if visit.of(name).saved is not None:
        return
    try:
        saved = study_parts.named(name)
    except (LookupError, ValueError, server_studies.Unreadable):  # which the page shows
        return
    _take_over(replace(saved, files={}), name, st.query_params if first else {})  # its files are those of the source
    if not first:
        url_state.replace({"study": [name]})


def reopen(path: Path) -> None:
    """Load the files of a study file that a visitor had before the server restarted; the address says what is shown."""
    with contextlib.suppress(ValueError), study_parts.refusals_in_words(path.name):  # it was removed meanwhile
        restore(study_file.read(path), address=st.query_params)
        st.session_state.pop("_open")
        memory.take_choice("study", None)


def restore(saved: study_file.Saved, upload_id: str = "", address: Mapping[str, str] = MappingProxyType({})) -> None:
    """Open a study file on the next run. Raises InputError for a changed file, and ValueError for an option.

    address : options that count more than those of the file"""
    track = saved.manifest["track"]
    is_here = track in sources.SAMPLES or (track == "folder" and sources.server_folder())
    data_set = track if is_here else visitor_files.OWN
    opened = study_parts.of(saved, only_own=bool(is_here), upload_id=upload_id)
    visitor_files.remove(list(visit.of(data_set).files), data_set)
    if data_set == visitor_files.OWN:
        visit.change(from_link=False)
    _take_over(opened, data_set, address)


def _take_over(opened, data_set, address):
    """Open a data set with what a study file has of it, its options and its choices."""
    visit.change(studies={**visit.now().studies, data_set: opened})
    saved = opened.saved
    open_options.take_texts({name: str(value) for name, value in saved["options"].items()} | dict(address))
    memory.restore(saved["choices"])
    memory.take_choice("study", data_set)
    study_choice.open_another(data_set)


def saved_at() -> tuple[str, dict[str, list[str]]]:
    """The page on which the open study was saved, "" for none, and its address: name -> values."""
    saved = study_choice.own().saved or {"page": "", "address": {}}
    return saved["page"], _kept(saved["address"])


def _kept(address):
    return {name: values for name, values in address.items() if name not in NOT_KEPT}


def differences(study: Study | None) -> list[str]:
    """What differs from the study file that was opened, in sentences: files, and the version."""
    saved = study_choice.own().saved
    if saved is None or open_studies.source().gone:
        return []
    source, now = (
        open_studies.source(),
        {(file.role, file.name): file.sha256 for file in (study.sources if study else ())},
    )
    paths = [(role, file) for role, file, _ in source.beside
             if role in JOINED and isinstance(file, Path) and file.is_file()]  # fmt: skip
    now |= {(role, path.name): _digest(path, stamp(path)) for role, path in paths}
    then = {(file["role"], file["name"]): file["sha256"] for file in saved["files"]}
    whole = study_choice.is_of_server()  # all its files are in the study file
    own = {(file["role"], file["name"]) for file in saved["files"]
           if (whole or file["own"]) and file["role"] in JOINED}  # fmt: skip
    checked_here = then.keys() - own  # those of `own` were checked when the study was opened
    loaded = visitor_files.digests()  # those that cannot be read are named with their problem
    missing = [name for role, name in checked_here if (role, name) not in now and then[role, name] not in loaded]
    changed = [name for key in checked_here & now.keys() if now[key] != then[key] for name in key[1:]]
    added = [name for role, name in now if role == "run" and (role, name) not in then]
    sentences = [
        sentence.format(md(listed(sorted(names), 5)))
        for names, sentence in ((changed, CHANGED), (missing, MISSING), (added, ADDED))
        if names
    ]
    if saved["version"] != evalcore.__version__:
        was = f"Poolscope {md(saved['version'][:20])} saved this study, and this is {evalcore.__version__}"
        sentences.append(f"{was}: numbers may differ.")
    return sentences


CHANGED = "Since the study was saved, {} changed: the SHA-256 differs. Load the original on Data."
MISSING = "The saved study also had {}, which is not here. Load it on Data."
ADDED = "The saved study did not have {}. For the same numbers, remove it."


@cache
def _digest(path, stamped):
    return hashlib.sha256(path.read_bytes()).hexdigest()
