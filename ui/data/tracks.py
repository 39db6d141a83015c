"""The tracks that a visitor may compare: those of the server, their own, and the samples; never those of others."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import evalcore
from evalcore.reading.files import Upload
from evalcore.study import attached, study_file
from evalcore.study.study import Study
from ui.data import additions, open_options, open_studies, server_studies, sources, study_choice, study_parts
from ui.data import visitor_files as own_files
from ui.serving import server_cache, upload_limits
from ui.session import answers, memory, visit
from ui.session.visit import LoadedFile

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

OWN = "own: "  # before the name of a file that the visitor loaded as a track
JUDGES = ("other", "judge")  # roles of files with further judgments

Watch = Callable[[int, int], None]  # called with (done, total)


def offered() -> dict[str, str]:
    """Name -> what it is called: the samples last."""
    has_own = {file.role for file in own_files.files().values()} >= own_files.TRACK
    linked = [name for name in visit.now().studies if server_studies.is_link(name)]
    names = {"folder": sources.server_track()} if sources.server_folder() else {}
    names |= {name: study_choice.called(name) for name in (*server_studies.names(), *linked)}
    names |= {own_files.OWN: visit.of(own_files.OWN).name or "Your files"} if has_own else {}
    samples = {name: called.replace("Sample: ", "sample ") for name, called in sources.SAMPLES.items()}
    return names | {OWN + name: name for name in visit.now().tracks} | samples


def without_samples(names: Iterable[str]) -> list[str]:
    """These tracks without the samples, which are invented, where there are two others."""
    names = list(names)
    real = [name for name in names if name not in sources.SAMPLES]
    return real if len(real) > 1 else names


def take_uploads(role: str, uploads: Sequence["UploadedFile"]) -> None:
    """Keep uploaded files, each of which is a whole track."""
    for file in uploads:
        data = file.getvalue()
        upload, digest = Upload(file.name, data), hashlib.sha256(data).hexdigest()
        track = LoadedFile(file.name, upload, len(data), digest, "track", upload_id=file.file_id)
        name = sources.unlike({*visit.now().tracks}, file.name.removesuffix(study_file.ENDING))
        visit.change(tracks={**visit.now().tracks, name: track})
        memory.put("new-tracks", [*memory.get("new-tracks", ()), OWN + name])
    own_files.empty_uploader(role)


def remove(name: str) -> None:
    """Forget one of the visitor's tracks; for callbacks."""
    upload_limits.release(visit.now().tracks[name].upload_id)
    visit.change(tracks=visit.without(visit.now().tracks, name))


def opens(name: str, shown: Study, watch: Watch, *, judges: bool) -> tuple[str, Callable[[], Study]]:
    """The owner of a track's answers, and what opens it, which raises ValueError.

    shown : the study that is open; judges : whether the judges of the track are asked for
    """
    if name == study_choice.name():
        return answers.owner(), lambda: (additions.with_judges(shown) if judges else None) or shown
    if name.startswith(OWN):
        whose, file = answers.owner_of(private=True, audience=""), visit.now().tracks[name.removeprefix(OWN)]
        return whose, partial(_cached, whose, file.digest, partial(_uploaded, file.upload), watch)
    source = open_studies.source_named(name)
    whose = answers.owner_of(private=source.private, audience=source.audience)
    return whose, partial(_opened, source, whose, _options(name), judges, watch)


def _cached(whose, key, compute, watch):
    return answers.CACHE.get((whose, key), server_cache.in_turn(server_cache.LOADING, compute), watch)


def _uploaded(upload, progress):
    return evalcore.open_study(upload, cache=False, progress=progress)


def _opened(source, whose, settings, judges, watch):
    key = json.dumps([source.key, memory.digest_of(settings)])  # as if it were the open one
    opened = _cached(whose, key, partial(sources.opened, source, settings), watch)
    if opened.study is None:
        raise ValueError(source.gone or next((problem.message for problem in opened.problems), "It cannot be opened."))
    beside = [given for given in source.beside if judges and given.role in JUDGES]
    with_judges = partial(attached.attach_each, opened.study, beside)
    return answers.cached(opened.study, "tracks", JUDGES, with_judges, whose=whose) if beside else opened.study


def _options(name: str) -> dict[str, Any]:
    """The options with which a study is opened that is not open: those of its study file, or the usual ones."""
    defaults = {option: row.default for option, row in open_options.ASSUMED.items()}
    if name in (*sources.SAMPLES, "folder", own_files.OWN):
        return defaults
    try:
        saved = (study_parts.named(name).saved or {}).get("options", {})
    except (LookupError, server_studies.Unreadable, evalcore.InputError):  # as is said where it is opened
        return defaults
    return defaults | {option: value for option, value in saved.items() if option in defaults}
