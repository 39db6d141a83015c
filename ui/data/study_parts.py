"""A study file as what a visitor has of a data set; and the studies on the server as sources, read once for all."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from evalcore.reading import memory_budget
from evalcore.reading.files import InputError, Upload, refusal, stamp
from evalcore.study import attached, study_file
from evalcore.study.opening import checked
from ui.data import server_studies, sources, uploaded_file
from ui.serving.server_cache import EVERYBODY
from ui.session import answers
from ui.session.visit import Additions, without
from ui.text.escape import md, short

LOG = logging.getLogger(__name__)
EDITED = "systems-edited.tsv"  # the systems table as a visitor edited it


ENDED = "This link has ended, or whoever shared the study stopped sharing it. Check the link, or ask for a new one."
NOT_HERE = (
    "This server has no study “{}”. It was renamed or removed, or the link has a mistake. Check the link, or ask "
    "whoever sent it to you."
)


@contextmanager
def refusals_in_words(name: str) -> Iterator[None]:
    """Raise an InputError for whatever goes wrong with a study file of this name, which anybody may have made."""
    try:
        with memory_budget.enough(name, name):
            yield
    except InputError:
        raise
    except ValueError as refused:  # of an option
        raise refusal(name, f" cannot be opened: {refused}") from None
    except (OSError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        LOG.warning("a study file cannot be opened: %r", error)
        raise refusal(name, study_file.NOT_SAVED.format("its parts do not fit together")) from None


def of(saved: study_file.Saved, *, only_own: bool = False, whole: bool = False, upload_id: str = "") -> Additions:
    """What a study file has of its data set. Raises InputError for a changed file, and ValueError for an option.

    only_own : without the files of a track that is here; whole : a file that is not in it is an error
    """
    manifest, options = saved.manifest, checked(saved.manifest["options"])
    judges = dict(options.get("judges") or {})
    names = iter(judges.items())
    if len(judges) != sum(file["role"] == "judge" for file in manifest["files"]):
        raise ValueError(f"{saved.name} does not name each judge. Save the study again.")
    files: dict[str, Any] = {"files": {}, "judges": {}, "by_page": {}}
    columns = options.get("columns") or {}
    for file in manifest["files"]:
        judge = next(names) if file["role"] == "judge" else ("", "")
        if not file["own"] and (only_own or (file["member"] is None and not whole)):
            continue
        upload, role = saved.upload(file), file["role"]
        if role in attached.ROLES and attached.ROLES[role].by_page:
            files["by_page"][role] = upload
        elif role == "systems" and file["name"] == EDITED:
            files["systems"] = upload
        else:
            loaded = uploaded_file.of_saved(upload, role, columns.get(file["name"]))
            loaded = replace(loaded, upload_id=upload_id, kind=judge[1])
            if role == "judge":
                files["judges"][judge[0]] = loaded
            elif role == "other":
                files["second"] = loaded
            else:
                files["files"][loaded.key] = loaded
    return Additions(
        **files,
        fused={run["name"]: without(run, "name") for run in manifest["fused"]},
        name=manifest["name"][:80],
        judge_levels=dict(options.get("judge_levels") or {}),
        judge_gains=dict(options.get("judge_gains") or {}),
        add_to_truth=bool(options.get("add_to_truth")),
        saved={**manifest, "options": options},
    )


# ---- the studies of the server


def source_of(name: str) -> sources.Source:
    """The source of a study on the server; without runs if it is not there, with a problem if it cannot be read."""
    audience, label = (name, "Shared study") if server_studies.is_link(name) else (EVERYBODY, name)
    try:
        files = named(name).files.values()
    except InputError as refused:
        problems = tuple(replace(problem, file="") for problem in refused.problems)  # none that a visitor loaded
        return sources.Source(name, label, problems=problems, audience=audience)
    except LookupError:
        gone = ENDED if server_studies.is_link(name) else NOT_HERE.format(md(short(name, 80)))
        return sources.Source(name, label, audience=audience, gone=gone)
    except server_studies.Unreadable as unknown:
        return sources.Source(name, label, audience=audience, gone=str(unknown))
    source = sources.loaded(files)
    return replace(source, key=f"{name} {source.key}", label=label, private=False, audience=audience)


def named(name: str) -> Additions:
    """What a study on the server has. Raises LookupError if there is none, or none any more, Unreadable if that is
    unknown, and InputError for one that cannot be read."""
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
    with refusals_in_words(file.name):
        return of(study_file.read(file), whole=True)
