"""The parts of a study file, as pages use them; and the studies on the server as sources, read once for everybody."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalcore.reading import study_file
from evalcore.reading.files import InputError, Upload, refusal, stamp
from evalcore.study.opening import checked
from ui.data import server_studies, sources, uploaded_file
from ui.serving.server_cache import EVERYBODY
from ui.session import answers

EDITED = "systems-edited.tsv"  # the systems table as a visitor edited it
GIVEN = {"theirs", "attributes", "assessors", "subtopics"}  # roles of files that are read by a part of a page


@dataclass(frozen=True)
class Parts:
    """The parts of a study file.

    files : of the track, as of `uploaded_file.described`; own : as of `study_choice.own`; given : role -> Upload
    """

    manifest: Mapping[str, Any]
    options: Mapping[str, Any]
    files: dict[str, dict[str, Any]]
    own: dict[str, Any]
    given: dict[str, Upload]


def of(saved: study_file.Saved, *, only_own: bool = False, whole: bool = False, upload_id: str = "") -> Parts:
    """The parts of a study file. Raises InputError for a changed file, and ValueError for an option.

    only_own : without the files of a track that is here; whole : a file that is not in it is an error
    """
    manifest, options = saved.manifest, checked(saved.manifest["options"])
    judges = dict(options.get("judges") or {})
    of_judges = [file for file in manifest["files"] if file["role"] == "judge"]
    if len(judges) != len(of_judges):
        raise ValueError(f"{saved.name} does not name each judge. Save the study again.")
    files: dict[str, Any] = {}
    own: dict[str, Any] = {}
    given: dict[str, Upload] = {}
    columns = options.get("columns") or {}
    for file in manifest["files"]:
        if not file["own"] and (only_own or (file["member"] is None and not whole)):
            continue
        upload, role = saved.upload(file), file["role"]
        if role in GIVEN:
            given[role] = upload
        elif role == "systems" and file["name"] == EDITED:
            own["systems"] = upload
        else:
            about = uploaded_file.described(upload, role, columns.get(file["name"])) | {"upload_id": upload_id}
            if role == "judge":
                name, kind = list(judges.items())[of_judges.index(file)]
                own.setdefault("judges", {})[name] = about | {"kind": kind}
            elif role == "other":
                own["second"] = about
            else:
                files[f"{about['role']}/{file['name']}/{file['sha256'][:12]}"] = about
    own["fused"] = {one["name"]: {key: one[key] for key in one if key != "name"} for one in manifest["fused"]}
    own |= {name: dict(options.get(name) or {}) for name in ("judge_levels", "judge_gains")}
    own |= {"add_to_truth": bool(options.get("add_to_truth")), "name": manifest["name"][:80], "saved": manifest}
    return Parts(manifest, options, files, own, given)


# ---- the studies of the server


def source_of(name: str) -> sources.Source:
    """The source of a study on the server; without runs if it has ended, with a problem if it cannot be read."""
    audience, label = (name, "Shared study") if server_studies.is_link(name) else (EVERYBODY, name)
    try:
        files = named(name).files.values()
    except InputError as refused:
        problems = tuple(replace(problem, file="") for problem in refused.problems)  # none that a visitor loaded
        return sources.Source(name, label, problems=problems, audience=audience)
    except LookupError:
        return sources.Source(name, label, audience=audience)
    source = sources.loaded(files)
    return replace(source, key=f"{name} {source.key}", label=label, private=False, audience=audience)


def named(name: str) -> Parts:
    """The parts of a study on the server. Raises LookupError if there is none, or none any more, and InputError for one
    that cannot be read."""
    try:
        path = server_studies.path_of(name)
        if path is None:
            raise LookupError(name)
        is_link = server_studies.is_link(name)
        key = (name if is_link else EVERYBODY, "study file", name, stamp(path))
        return answers.CACHE.get(key, lambda: _read("shared" if is_link else name, path))
    except OSError:  # removed meanwhile
        raise LookupError(name) from None


def _read(label, path):
    file = Upload(label + study_file.ENDING, path.read_bytes())
    try:
        return of(study_file.read(file), whole=True)
    except InputError:
        raise
    except ValueError as refused:  # of an option
        raise refusal(file.name, f" cannot be opened: {refused}") from None
