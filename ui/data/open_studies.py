"""The open study: a sample, the server's track or a visitor's files, with the chosen options, a second qrels and fused
runs."""

import contextlib
import hashlib
import json
import re
import time
from functools import partial

import streamlit as st

import evalcore
from evalcore.cache import Cache
from evalcore.interop.trec_files import trec_run
from evalcore.study.opening import OPTIONS
from ui.components import choices
from ui.data import sources, uploaded_file
from ui.serving import server_cache, upload_limits
from ui.session import answers, memory, url_state
from ui.text.escape import md

SERVERS = "The server's track"
FIRST = "web"  # the sample that opens first
LIGHT = 1 << 18  # bytes of a file that may be checked without waiting
PATIENCE = 0.5  # seconds
GONE = (
    "This link is to uploaded files, so nothing is open here. Only the browser that uploaded the files can open them, "
    "for up to an hour."
)
INVENTED = "Sample data are invented: their systems, documents and assessors are not real."
PRESENT = (
    "For an audience: hides this menu, enlarges the text, and fits the essentials on one screen. Press Escape to end."
)


# ---- the study that is open


def choose():
    """Show the data picker and the display switches, for the sidebar."""
    names = {"folder": SERVERS} if sources.server_folder() else {}
    names |= {**sources.SAMPLES, "files": "Your files"}
    if (other := st.session_state.pop("_open", None)) is not None:
        st.session_state["study"] = other
    choices.named(st, "Data set", names, key="study")
    if memory.get("linked") is None:
        memory.put("linked", name())
    memory.put("source", _looked_up())
    if invented():
        st.caption(INVENTED)
    choices.switch(st, "Large text", key="large", note="For a projector.")
    choices.switch(st, "Present", key="present", note=PRESENT)


def invented():
    """Whether a sample is open."""
    return name() in sources.SAMPLES


def gone():
    """Whether the address refers to files that were loaded elsewhere."""
    return memory.get("linked") == name() == "files"


def open_another(name):
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


def name():
    """The chosen study: a sample, the server's track, or the visitor's files."""
    chosen = st.session_state.get("study", FIRST)
    return chosen if chosen in (*sources.SAMPLES, "folder", "files") else FIRST


def label():
    """What the open track is called, for a sentence or a button."""
    return {"files": "your files", "folder": "the server's track"}.get(name()) or sources.SAMPLES[name()]


def source():
    """The chosen source, as when the picker was drawn, so that a large folder is listed once per page."""
    return memory.get("source") or _looked_up()


def _looked_up():
    if name() == "files":
        return sources.loaded(files().values())
    on_disk = name() == "folder"
    source = sources.on_disk(SERVERS, **sources.server_folder()) if on_disk else sources.sample(name())
    return sources.with_added(source, added().values()) if added() else source


def current():
    """The open study, with the problems of the files that were left out."""
    chosen = source()
    memory.put("private", chosen.private)
    if not chosen.runs or not chosen.qrels:
        return sources.incomplete(chosen)
    settings = {**assumed(), **({"systems": edits} if (edits := edited_systems()) else {})}
    key = json.dumps([chosen.key, memory.digest_of(settings)])
    opened = server_cache.in_turn(server_cache.LOADING, partial(sources.opened, chosen, settings))
    before = memory.get("opened", FIRST)
    leave = partial(open_another, FIRST if before == name() else before)
    opened_study = _in_sight(
        lambda watch: answers.CACHE.get((answers.owner(), key), opened, watch), _files_read, leave, "opening"
    )
    memory.put("opened", name())
    return opened_study


def _files_read(done, total):
    if done < total:
        return f"Reading runs and judgments: {done:,} of {total:,} files …"
    return "Combining runs and judgments …"


def _in_sight(wait, words, cancel, key):
    """The result of `wait(watch)`. If it takes long, show a progress bar with a *Cancel* button.

    words : (done, total) as a line; cancel : callback of the button; key : a unique key for the button
    """
    place, began, shown = st.empty(), time.monotonic(), []

    def watch(done, total):
        if not shown and time.monotonic() - began > PATIENCE:
            with place.container(border=True):
                shown.append(st.progress(0.0))
                st.button("Cancel", on_click=cancel, key=f"cancel-{key}")
        if shown:
            shown[0].progress(done / max(total, 1), words(done, total))

    try:
        return wait(watch)
    finally:
        place.empty()


# ---- a visitor's files


def files():
    """The files that this visitor loaded: key -> description, see `uploaded_file.taken`."""
    return st.session_state.setdefault("_files", {})


def uploader_key(role):
    """The key of an uploader; a new key empties it. Each uploader has its own, because a new key drops an upload that
    is still running."""
    return f"upload-{role}-{memory.get(f'uploads-{role}', 0)}"


def _empty_uploader(role):
    memory.put(f"uploads-{role}", memory.get(f"uploads-{role}", 0) + 1)


def take_uploads(role, uploads):
    """Keep the uploader's files, open them on the next run, and empty the uploader. role : "any" = as recognised, and
    the page asks what they are for if they would close the track that is open"""
    taken = _looked_at(uploads, role)
    if role == "any":
        taken = [*undecided(), *taken]
        memory.put("undecided", taken if _must_be_asked(taken) else [])
        if undecided():
            _empty_uploader(role)
            return
    once_each = {file["role"] for file in taken} - {"runs", uploaded_file.UNKNOWN}  # a new one replaces the old one
    if role == "any":  # several judgments are asked about
        once_each.discard("qrels")
    for once in once_each:
        remove_files([key for key, file in files().items() if file["role"] == once])
    _keep(taken)
    _empty_uploader(role)
    open_another("files")


def undecided():
    """Uploaded runs and judgments of which the visitor has not said what they are for."""
    return memory.get("undecided", [])


def _must_be_asked(taken):
    """Whether these files are for the open track or make one of their own is not clear: a run or judgments alone while
    a track is open, or other judgments than those of the visitor's own track."""
    roles, own = {file["role"] for file in taken}, {file["role"] for file in files().values()}
    if any(file["problem"] or uploaded_file.waits(file) for file in taken) or not roles <= TRACK:
        return False
    if name() == "files":
        return own >= TRACK and "qrels" in roles
    return not roles | (own if not own >= TRACK else set()) >= TRACK


TRACK = {"runs", "qrels"}  # what a track is made of


def decide(purpose):
    """Use the undecided files as the visitor says; for callbacks.

    purpose : "alone" = a track of their own; "add" = runs of the open track; "qrels", "second" or "truth" = in place of
    its judgments, as second or as complete judgments; None = not at all
    """
    taken = undecided()
    memory.put("undecided", [])
    if purpose == "alone":
        remove_files(list(files()))
        _keep(taken)
        open_another("files")
        return
    wanted = {"add": "runs"}.get(purpose, "qrels")
    for file in taken:
        if purpose is None or file["role"] != wanted:
            upload_limits.release(file["upload_id"])
        elif purpose == "second":
            _release(second_file())
            _own()["second"] = file
        else:
            _add(uploaded_file.as_truth(file) if purpose == "truth" else file)


def _add(file):
    """Add a file to the open track; judgments replace those of their role."""
    own = name() == "files"
    kept = files() if own else added()
    for key in [key for key, old in kept.items() if old["role"] == file["role"] != "runs"]:
        _release(kept.pop(key))
    if own:
        _keep([file])
    else:
        kept[_key_of_file(file)] = file


def added():
    """Files that this visitor added to a sample or to the server's track: key -> description."""
    return _own().setdefault("added", {})


def drop_added(key):
    """Remove an added file; for callbacks."""
    _release(added().pop(key))


def _looked_at(upload, role):
    """Descriptions of an uploader's files. They are read in another thread, because a large workbook takes seconds; a
    progress bar has a button that cancels the upload."""
    taken = []
    for number, file in enumerate(upload, 1):
        which = f", file {number:,} of {len(upload):,}" if upload[1:] else ""
        look = partial(uploaded_file.taken, file.name, file.getvalue(), role)
        words = partial("{} …".format, f"Reading {md(file.name)}{which}")
        cancel = partial(_drop_uploads, role, [each.file_id for each in upload])
        turns = server_cache.CHECKING if file.size > LIGHT else contextlib.nullcontext()
        check = partial(Cache(1).get, (), server_cache.in_turn(turns, look))
        looked = _in_sight(check, words, cancel, file.file_id)
        taken += [part | {"upload_id": file.file_id} for part in looked]
    return taken


def _drop_uploads(role, upload_ids):
    """Cancel an upload and empty its uploader; for callbacks."""
    for upload_id in upload_ids:
        upload_limits.release(upload_id)
    _empty_uploader(role)


def _keep(taken):
    memory.put("linked", "")  # from now on they are this visitor's own
    for file in taken:
        key = _key_of_file(file)
        if (old := files().get(key)) and old["upload_id"] != file["upload_id"]:
            _release(old)
        files()[key] = file


def _key_of_file(file):
    return f"{file['role']}/{file['name']}/{file['digest'][:12]}"


def _release(file):
    """Drop Streamlit's copy of a loaded file, unless other parts of it are loaded; None = no file."""
    if file is not None and file["upload_id"] not in {other["upload_id"] for other in files().values()}:
        upload_limits.release(file["upload_id"])


def take_as_other(keys):
    """Use loaded runs as judgments, or judgments as runs; for callbacks."""
    _keep([uploaded_file.as_other(files().pop(key)) for key in keys])


def take_as_truth(key):
    """Use loaded judgments as complete judgments; for callbacks."""
    file = uploaded_file.as_truth(files().pop(key))
    remove_files([key for key, old in files().items() if old["role"] == "truth"])
    _keep([file])


def take_columns(keys, columns):
    """Set the meaning of the columns of loaded tables; for callbacks."""
    for key in keys:
        files()[key] = files()[key] | {"columns": columns}


def key_of(name):
    """The key of the loaded file with this name in the study, or None."""
    digests = set()
    for key, file in files().items():
        if not file["problem"] and sources.unlike(digests, file["name"]) == name:
            return key
    return None


def remove_files(keys):
    """Forget loaded files."""
    for key in keys:
        _release(files().pop(key, None))


# ---- what was assumed, and the edited table of systems

# to choose for every study
FREE = (
    "order", "gains", "rel_level", "negative", "empty", "average", "duplicates", "variations", "pool_depth", "names",
    "itself",
)  # fmt: skip
ASSUMED = {name: OPTIONS[name] for name in FREE}


def assumed():
    """The options with which studies are opened."""
    return {name: option.default for name, option in ASSUMED.items()} | memory.get("assumed", {})


def assume(settings):
    """Open studies with other options from now on."""
    memory.put("assumed", settings)


def assume_at_once(**settings):
    """Change some options, also in the form; for callbacks."""
    assume(assumed() | settings)
    st.session_state.update({f"assume-{name}": value for name, value in settings.items()})


def settle_assumptions():
    """Take the options from the address on the first run; then write all of them to it."""
    if memory.get("assumed") is None:
        chosen = {name: url_state.value_of(name) for name in ASSUMED}
        assume({name: one for name, of in ASSUMED.items() for one in of.choices if str(one) == chosen[name]})
        assume(assumed() | {name: of.kind(chosen[name]) for name, of in ASSUMED.items() if of.fits(chosen[name])})
    for option, value in assumed().items():
        url_state.say(option, None if value == ASSUMED[option].default else value)


def _own():
    """This visitor's additions to the chosen study: an edited table, fused runs, a second qrels."""
    return st.session_state.setdefault("_own", {}).setdefault(name(), {})


def edited_systems():
    """The systems table as edited by this visitor, an Upload, or None."""
    return _own().get("systems")


def edit_systems(table):
    """Use this systems table (run, group, pooled) instead of the file's; None undoes it."""
    _own()["systems"] = None if table is None else evalcore.Upload("systems-edited.tsv", table)


# ---- fused runs


def fused_name(study, name, recipe):
    """Name of a fused run among the systems of a study, unique there, and whether it has been added already."""
    existing = next((kept for kept, one in fused_runs().items() if one == recipe and kept in study.systems), None)
    while not existing and name in study.systems:
        name += "+"
    return existing or name, existing is not None


def fused_among_inputs(study, name, recipe, metric):
    """The question `leaderboard` for a fused run and its inputs; the study made for it is not cached."""

    def compute():
        with_it = study if name in study.systems else study.with_fused(name, **recipe)
        return evalcore.ask(with_it, "leaderboard", metric=metric, systems=[name, *recipe["systems"]])

    return answers.cached(study, "fused_among_inputs", [name, recipe, metric], compute)


def fused_as_trec(study, name, recipe):
    """A fused run as a file."""
    return trec_run((study if name in study.systems else study.with_fused(name, **recipe)).track, name)


def keep_fused(run, recipe):
    """Add a fused run to the systems of the chosen study, on every page; for callbacks."""
    fused_runs()[run] = recipe
    st.toast(f"{md(run)} was added to the systems on every page except Data.")


def drop_fused():
    """Remove all fused runs from the chosen study; for callbacks."""
    fused_runs().clear()


def fused_runs():
    """The added fused runs: name -> how they are made."""
    return _own().setdefault("fused", {})


def with_fused_runs(study):
    """The study with the added fused runs; those with missing inputs are left out."""
    for run, recipe in fused_runs().items():
        with contextlib.suppress(ValueError):
            study = answers.cached(study, "with_fused", [run, recipe], partial(study.with_fused, run, **recipe))
    return study


# ---- a second qrels


def second_file():
    """Description of the second qrels that this visitor loaded, or None."""
    return _own().get("second")


def second_qrels():
    """The second qrels of the chosen study: an Upload or a path, or None."""
    if "second" not in _own():
        return source().other
    file = second_file()
    return None if file is None or uploaded_file.waits(file) else file["upload"]


def take_second(role, uploads):
    """Keep the uploaded second qrels, and empty the uploader."""
    _release(second_file())
    _own()["second"] = _looked_at(uploads, role)[0]
    _empty_uploader(role)


def take_columns_of_second(columns):
    """Set the meaning of the columns of the second qrels."""
    _own()["second"] = second_file() | {"columns": columns}


def remove_second():
    """Remove the second qrels of the chosen study; for callbacks."""
    _release(second_file())
    _own()["second"] = None


SECOND_LEVELS = ("same as first", 1, 2, 3, 4)


def second_level():
    """Lowest relevant grade of the second qrels; None = as in the first."""
    level_asked = url_state.value_of("other_rel_level") or memory.get("other_rel_level")
    level = next((level for level in SECOND_LEVELS[1:] if str(level) == str(level_asked)), None)
    url_state.say("other_rel_level", level)
    return level


def judged_twice(study, rel_level=None):
    """The study with its second qrels, if there are any. Raises evalcore.InputError."""
    second = second_qrels()
    if second is None:
        return study
    if columns := (second_file() or {}).get("columns"):  # columns are given by file name
        second = evalcore.Upload(sources.unlike({one.name for one in study.sources}, second.name), second.data)
    with_second = partial(study.with_other, second, rel_level=rel_level, columns=columns)
    return _beside(study, "judged_twice", second, [rel_level, columns], with_second)


# ---- complete judgments


def with_truth(study):
    """The study with the complete judgments of its source, if there are any. Raises ValueError."""
    truth, add = source().truth, bool(_own().get("add_to_truth"))
    if truth is None:
        return study
    return _beside(study, "with_truth", truth, [add], partial(study.with_truth, truth, add=add))


def add_to_truth():
    """Add the judgments that the complete ones lack; for callbacks."""
    _own()["add_to_truth"] = True


def _beside(study, name, file, settings, make):
    """The result of `make` for a study and a file, an Upload or a path, cached by the file's content."""
    if isinstance(file, evalcore.Upload):
        return answers.cached(study, name, [file.name, hashlib.sha256(file.data).hexdigest(), *settings], make)
    if not file.is_file():
        return make()  # raises an error that explains it
    return answers.cached(study, name, [str(file), file.stat().st_mtime_ns, *settings], make)


# ---- contents of a study


def contributing(study):
    """Names of the contributing systems."""
    return [system for system, pooled in zip(study.systems, study.track.pooled, strict=True) if pooled]


def subsets_of_systems(study):
    """Subsets that people compare: value in the address -> (label, names of systems). Types are those of the systems
    table, such as manual."""
    names, pooled = study.systems, study.track.pooled
    subsets = {"contributing": ("contributing", contributing(study))}
    subsets["other"] = ("other", [name for name, has in zip(names, pooled, strict=True) if not has])
    table = study.system_table
    types = dict(zip(table["system"], table["type"], strict=True)) if "type" in table else {}
    groups = dict(zip(names, study.track.groups, strict=True))
    for column, of_system in (("type", types), ("group", groups)):
        for value in sorted({of_system[name] for name in names if of_system.get(name)}):
            members = [name for name in names if of_system.get(name) == value]
            subsets[f"{column} {value}"] = f"{column} {value}", members
    return {key: subset for key, subset in subsets.items() if 0 < len(subset[1]) < len(names)}


def narrowed(study, systems):
    """The study with these systems only (names; None = all)."""
    if systems is None:
        return study
    return answers.cached(study, "narrowed", systems, lambda: study.only(systems=systems))


def judged_topics(study):
    """Names of the judged topics."""
    return [study.track.topics[topic] for topic in study.judged_topics]


def look_like_variations(study):
    """Whether the names of systems look like query variations: SYSTEM.v3."""
    return sum(re.search(r"\.v\d+$", system) is not None for system in study.systems) > 1
