"""The tracks that a visitor may compare: those of the server, their own, and the samples; never those of others."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import evalcore
from evalcore.reading.files import Upload
from evalcore.study import study_file
from evalcore.study.study import Study
from ui.data import additions, open_options, open_studies, server_studies, sources, study_choice, study_parts
from ui.data import visitor_files as own_files
from ui.serving import server_cache, upload_limits
from ui.session import answers, memory, visit
from ui.session.visit import Additions, LoadedFile

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

Watch = Callable[[int, int], None]  # called with (done, total)


def offered() -> dict[str, str]:
    """Name -> what it is called, each differently: the samples last. A file of the visitor, and what was opened by a
    link, has a name that says nothing, because the address and saved studies have it."""
    has_own = {file.role for file in own_files.files().values()} >= own_files.TRACK
    names = {"folder": sources.server_track()} if sources.server_folder() else {}
    names |= {name: study_choice.called(name) for name in server_studies.names()}
    names |= {name: study_choice.called(link) for name, link in _links().items()}
    names |= {own_files.OWN: visit.of(own_files.OWN).name or "Your files"} if has_own else {}
    names |= {name: file.name.removesuffix(study_file.ENDING) for name, file in visit.now().tracks.items()}
    names |= {name: called.replace("Sample: ", "sample ") for name, called in sources.SAMPLES.items()}
    taken: set[str] = set()
    return {name: sources.unlike(taken, called) for name, called in names.items()}


def _links():
    """The studies that were opened by a link: name -> link."""
    links = (name for name in visit.now().studies if server_studies.is_link(name))
    return {_nameless("link", link): link for link in links}


def _nameless(kind, secret):
    return f"{kind}-{hashlib.sha256(secret.encode()).hexdigest()[:12]}"


def data_set(name: str) -> str:
    """The data set that a track is, as the menu opens it; the visitor's own files for one of their tracks."""
    return own_files.OWN if name in visit.now().tracks else _links().get(name, name)


def without_samples(names: Iterable[str]) -> list[str]:
    """These tracks without the samples, which are invented, where there are two others."""
    names = list(names)
    real = [name for name in names if name not in sources.SAMPLES]
    return real if len(real) > 1 else names


def take_uploads(role: str, uploads: Sequence["UploadedFile"]) -> None:
    """Keep uploaded files, each of which is a whole track."""
    for file in uploads:
        data = file.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        track = LoadedFile(file.name, Upload(file.name, data), len(data), digest, "track", upload_id=file.file_id)
        name = _nameless("own", digest)
        if name in visit.now().tracks:
            upload_limits.release(file.file_id)
            continue
        visit.change(tracks={**visit.now().tracks, name: track})
        memory.put("new-tracks", [*memory.get("new-tracks", ()), name])
    own_files.empty_uploader(role)


def remove(name: str) -> None:
    """Forget one of the visitor's tracks; for callbacks."""
    upload_limits.release(visit.now().tracks[name].upload_id)
    visit.change(tracks=visit.without(visit.now().tracks, name))


def opens(name: str, watch: Watch, *, judges: bool) -> tuple[str, Callable[[], Study]]:
    """The owner of a track's answers, and what opens it as if it were the open one, which raises ValueError. judges :
    whether with its judges"""
    if (file := visit.now().tracks.get(name)) is not None:
        whose = answers.owner_of(private=True, audience="")
        return whose, partial(_cached, whose, file.digest, partial(_uploaded, file.upload), watch)
    source = open_studies.source_named(data_set(name))
    whose = answers.owner_of(private=source.private, audience=source.audience)
    return whose, partial(_opened, data_set(name), source, whose, watch, judges)


def _cached(whose, key, compute, watch):
    return answers.CACHE.get((whose, key), server_cache.in_turn(server_cache.LOADING, compute), watch)


def _uploaded(upload, progress):
    return evalcore.open_study(upload, cache=False, progress=progress)


def _opened(name, source, whose, watch, judges):
    has = _has(name)
    settings = {**_options(name, has), **({"systems": has.systems} if has.systems else {})}
    key = json.dumps([source.key, memory.digest_of(settings)])  # as if it were the open one
    opened = _cached(whose, key, partial(sources.opened, source, settings), watch)
    if opened.study is None:
        raise ValueError(source.gone or next((problem.message for problem in opened.problems), "It cannot be opened."))
    of = additions.DataSet(source, has, whose)
    study = additions.with_fused_runs(opened.study, of)
    return (additions.with_judges(study, of) if judges else None) or study


def _has(name):
    """What the visitor has of a data set; of a study of the server that they did not open, what its file has."""
    if name in visit.now().studies or name in (*sources.SAMPLES, "folder", own_files.OWN):
        return visit.of(name)
    try:
        return study_parts.named(name)
    except (LookupError, server_studies.Unreadable, evalcore.InputError):  # as is said where it is opened
        return Additions()


def _options(name: str, has: Additions) -> dict[str, Any]:
    """The options with which a data set is opened: those of its study file where it has one and is not open, or else
    those of this visit."""
    if has.saved is None or name in (*sources.SAMPLES, "folder", own_files.OWN, study_choice.name()):
        return open_options.assumed()
    saved, usual = has.saved["options"], open_options.ASSUMED
    return {option: saved.get(option, row.default) for option, row in usual.items()}
