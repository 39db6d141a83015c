"""Which study is open: a sample, the server's folder or a visitor's files, as it was asked to be read; with a second
qrels beside it, and with fused runs among its systems."""

import contextlib
import hashlib
import json
import re
import time
from functools import partial

import streamlit as st

import evalcore
from evalcore.opening import OPTIONS
from evalcore.trec_files import trec_run
from ui import address, choices, given, session, sources, upload_limits
from ui.escape import md
from ui.loads import Loads

FIRST = "web"  # what a visitor finds
LOADS = Loads(session.SHELF)
PATIENCE = 0.5  # seconds
GONE = (
    "This link is to files that somebody loaded. Only the browser where that was done finds them again, for up to "
    "an hour, so nothing is open here."
)
INVENTED = "Sample data are invented: no system, document or assessor behind them is real."
PRESENT = "For an audience: without this menu, large, and what matters on one screen. Escape ends it."


# ---- the study that is open


def choose():
    """The study chooser and the size of letters, for the sidebar."""
    names = {"folder": "This server's folder"} if sources.server_folder() else {}
    names |= {**sources.SAMPLES, "files": "Your files"}
    if (other := st.session_state.pop("_open", None)) is not None:
        st.session_state["study"] = other
    choices.named(st, "Study", names, key="study")
    if session.remember("linked") is None:
        session.keep_in_mind("linked", name())
    session.keep_in_mind("source", _looked_up())
    if invented():
        st.caption(INVENTED)
    choices.switch(st, "Large text", key="large", note="For the projector.")
    choices.switch(st, "Present", key="present", note=PRESENT)


def invented():
    """Whether a sample is open."""
    return name() in sources.SAMPLES


def gone():
    """Whether an address led here to files that went with the tab where they were loaded."""
    return session.remember("linked") == name() == "files"


def open_another(name):
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


def name():
    """Which study is chosen: a sample, the server's folder, or the visitor's files."""
    chosen = st.session_state.get("study", FIRST)
    return chosen if chosen in (*sources.SAMPLES, "folder", "files") else FIRST


def source():
    """The source that is chosen, as it was when the chooser was drawn: a folder of hundreds of runs is not looked
    through twice for one page."""
    return session.remember("source") or _looked_up()


def _looked_up():
    if name() == "files":
        return sources.loaded(files().values())
    if name() == "folder":
        return sources.on_disk("This server's folder", **sources.server_folder())
    return sources.sample(name())


def current():
    """The study that is open, with the problems of the files that had to be left out."""
    chosen = source()
    session.keep_in_mind("private", chosen.private)
    if not chosen.runs or not chosen.qrels:
        return sources.incomplete(chosen)
    settings = {**assumed(), **({"systems": edits} if (edits := edited_systems()) else {})}
    key = json.dumps([chosen.key, session.digest_of(settings)])
    opened = partial(sources.opened, chosen, settings)
    before = session.remember("opened", FIRST)
    leave = partial(open_another, FIRST if before == name() else before)
    found = _in_sight(lambda watch: LOADS.get(session.owner(), key, opened, watch), _files_read, leave, "opening")
    session.keep_in_mind("opened", name())
    return found


def _files_read(done, total):
    far = f"{done:,} of {total:,} files" if done < total else "all files; putting them together"
    return f"Reading runs and judgments: {far} …"


def _in_sight(wait, words, cancel, key):
    """What `wait(watch)` gives. While that takes long, a bar shows how far it is, and a button ends the waiting.

    words : (done, total) as a line; cancel : what the button does; key : of the button, which no other has on this run
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
    """The files that this visitor loaded: name and role -> what is known of them."""
    return st.session_state.setdefault("_files", {})


def uploader_key(role):
    """The key of an uploader; a new one empties it, since its files now stand in the list of loaded files. Each has
    its own, for a new key drops what another uploader is still receiving."""
    return f"upload-{role}-{session.remember(f'uploads-{role}', 0)}"


def _empty_uploader(role):
    session.keep_in_mind(f"uploads-{role}", session.remember(f"uploads-{role}", 0) + 1)


def take_uploads(role, held):
    """Keep what an uploader holds, open it on the next run, and empty the uploader. role : "any" = what each seems"""
    taken = _looked_at(held, role)
    once_each = {file["role"] for file in taken} - {"runs", given.UNKNOWN}  # a new one takes the place of the old
    if role == "any":  # nobody said what is to become of the first judgments: the page asks
        once_each.discard("qrels")
    for once in once_each:
        remove_files([key for key, file in files().items() if file["role"] == once])
    _keep(taken)
    _empty_uploader(role)
    open_another("files")


def _looked_at(held, role):
    """What is known of these files of an uploader. They are read off the page's thread: a large workbook takes seconds,
    and a bar shows how far it is, with a button that drops the upload."""
    taken = []
    for number, file in enumerate(held, 1):
        which = f", file {number:,} of {len(held):,}" if held[1:] else ""
        look = partial(given.taken, file.name, file.getvalue(), role)
        words = partial(_cells_read, f"Looking at what {md(file.name)} contains{which}")
        cancel = partial(_drop_uploads, role, [each.file_id for each in held])
        found = _in_sight(partial(LOADS.aside, look, size=file.size), words, cancel, file.file_id)
        taken += [part | {"upload_id": file.file_id} for part in found]
    return taken


def _drop_uploads(role, upload_ids):
    """Empty an uploader whose files nobody wants to wait for; for callbacks."""
    for upload_id in upload_ids:
        upload_limits.release(upload_id)
    _empty_uploader(role)


def _cells_read(begins, done, total):
    return f"{begins}: {done:,} of {total:,} cells …" if total > 1 else f"{begins} …"


def _keep(taken):
    session.keep_in_mind("linked", "")  # from now on they are this visitor's own
    for file in taken:
        key = f"{file['role']}/{file['name']}/{file['digest'][:12]}"
        if (old := files().get(key)) and old["upload_id"] != file["upload_id"]:
            _release(old)
        files()[key] = file


def _release(file):
    """Have Streamlit keep no copy of a loaded file any more, unless other parts of it are loaded; None = no file."""
    if file is not None and file["upload_id"] not in {other["upload_id"] for other in files().values()}:
        upload_limits.release(file["upload_id"])


def take_as_other(keys):
    """Have loaded runs be judgments, and judgments runs; for callbacks."""
    _keep([given.as_other(files().pop(key)) for key in keys])


def take_as_truth(key):
    """Have loaded judgments be the truth; for callbacks."""
    file = given.as_truth(files().pop(key))
    remove_files([key for key, old in files().items() if old["role"] == "truth"])
    _keep([file])


def take_columns(keys, columns):
    """Say which column of these loaded tables is what; for callbacks."""
    for key in keys:
        files()[key] = files()[key] | {"columns": columns}


def key_of(name):
    """The key of the loaded file that a study calls by this name, or None."""
    seen = set()
    for key, file in files().items():
        if not file["problem"] and sources.unlike(seen, file["name"]) == name:
            return key
    return None


def remove_files(keys):
    """Forget loaded files."""
    for key in keys:
        _release(files().pop(key, None))


# ---- what was assumed, and the edited table of systems

# to choose for every study
FREE = ("order", "gains", "rel_level", "negative", "empty", "average", "variations", "pool_depth", "names")
ASSUMED = {name: OPTIONS[name] for name in FREE}


def assumed():
    """The settings with which studies are opened."""
    return {name: option.default for name, option in ASSUMED.items()} | session.remember("assumed", {})


def assume(settings):
    """Open studies with other settings from now on."""
    session.keep_in_mind("assumed", settings)


def assume_at_once(**settings):
    """Have some other settings, in the form too; for callbacks."""
    assume(assumed() | settings)
    st.session_state.update({f"assume-{name}": value for name, value in settings.items()})


def settle_assumptions():
    """On the first run take what the address assumes; then let it say all that is assumed."""
    if session.remember("assumed") is None:
        said = {name: address.asked(name) for name in ASSUMED}
        assume({name: one for name, of in ASSUMED.items() for one in of.choices if str(one) == said[name]})
        assume(assumed() | {name: said[name] for name, of in ASSUMED.items() if of.fits(said[name])})
    for option, value in assumed().items():
        address.say(option, None if value == ASSUMED[option].default else value)


def _own():
    """What this visitor has made of the study that is chosen: an edited table, fused runs, a second qrels."""
    return st.session_state.setdefault("_own", {}).setdefault(name(), {})


def edited_systems():
    """The table of systems as this visitor changed it, an Upload, or None."""
    return _own().get("systems")


def edit_systems(table):
    """Take this table of systems (run, group, pooled) in place of the file's; None goes back."""
    _own()["systems"] = None if table is None else evalcore.Upload("systems-edited.tsv", table)


# ---- fused runs


def fused_name(study, name, how):
    """What a fused run is called among the systems of a study, and whether it is kept there already; a free name where
    another one has its own."""
    there = next((kept for kept, one in fused_runs().items() if one == how and kept in study.systems), None)
    while not there and name in study.systems:
        name += "+"
    return there or name, there is not None


def fused_among_inputs(study, name, how, metric):
    """The question `leaderboard` of a fused run and its inputs; of the study that it takes no more is kept."""

    def asked():
        with_it = study if name in study.systems else study.with_fused(name, **how)
        return evalcore.ask(with_it, "leaderboard", metric=metric, systems=[name, *how["systems"]])

    return session.kept(study, "fused_among_inputs", [name, how, metric], asked)


def fused_as_trec(study, name, how):
    """A fused run as a file."""
    return trec_run((study if name in study.systems else study.with_fused(name, **how)).track, name)


def keep_fused(run, how):
    """Have a fused run among the systems of the study that is chosen, on every page; for callbacks."""
    fused_runs()[run] = how
    st.toast(f"{md(run)} is now among the systems, on every page but Data.")


def drop_fused():
    """Leave all fused runs out of the study that is chosen again; for callbacks."""
    fused_runs().clear()


def fused_runs():
    """The fused runs that are kept: name -> how they are made."""
    return _own().setdefault("fused", {})


def with_fused_runs(study):
    """The study with the fused runs that are kept; those whose inputs are gone are left out."""
    for run, how in fused_runs().items():
        with contextlib.suppress(ValueError):
            study = session.kept(study, "with_fused", [run, how], partial(study.with_fused, run, **how))
    return study


# ---- a second qrels


def second_file():
    """What is known of the second qrels that this visitor loaded, or None."""
    return _own().get("second")


def second_qrels():
    """The second qrels beside the study that is chosen: an Upload or a path, or None."""
    if "second" not in _own():
        return source().other
    file = second_file()
    return None if file is None or given.waits(file) else file["upload"]


def take_second(role, held):
    """Keep the second qrels that its uploader holds, and empty the uploader."""
    _release(second_file())
    _own()["second"] = _looked_at(held, role)[0]
    _empty_uploader(role)


def take_columns_of_second(columns):
    """Say which column of the second qrels is what."""
    _own()["second"] = second_file() | {"columns": columns}


def remove_second():
    """Have no second qrels beside the study that is chosen; for callbacks."""
    _release(second_file())
    _own()["second"] = None


SECOND_LEVELS = ("as here", 1, 2, 3, 4)


def second_level():
    """From which grade on the second qrels finds a document relevant; None = as the first."""
    asked = address.asked("other_rel_level") or session.remember("other_rel_level")
    level = next((level for level in SECOND_LEVELS[1:] if str(level) == str(asked)), None)
    address.say("other_rel_level", level)
    return level


def judged_twice(study, rel_level=None):
    """The study with the second qrels beside its own; as it is where there is none. Raises evalcore.InputError."""
    second = second_qrels()
    if second is None:
        return study
    if columns := (second_file() or {}).get("columns"):  # which are said of a file by its name
        second = evalcore.Upload(sources.unlike({one.name for one in study.sources}, second.name), second.data)
    beside = partial(study.with_other, second, rel_level=rel_level, columns=columns)
    return _beside(study, "judged_twice", second, [rel_level, columns], beside)


# ---- the truth


def with_truth(study):
    """The study with the complete judgments of its source beside it; as it is where there are none. Raises
    ValueError."""
    truth, add = source().truth, bool(_own().get("add_to_truth"))
    if truth is None:
        return study
    return _beside(study, "with_truth", truth, [add], partial(study.with_truth, truth, add=add))


def add_to_truth():
    """Add the judgments that the complete ones lack to them; for callbacks."""
    _own()["add_to_truth"] = True


def _beside(study, name, file, said, make):
    """What `make` makes of a study and a file, an Upload or a path, kept for what the file holds."""
    if isinstance(file, evalcore.Upload):
        return session.kept(study, name, [file.name, hashlib.sha256(file.data).hexdigest(), *said], make)
    if not file.is_file():
        return make()  # which says what is wrong
    return session.kept(study, name, [str(file), file.stat().st_mtime_ns, *said], make)


# ---- what a study holds


def contributing(study):
    """The names of the systems that contributed to the pool."""
    return [system for system, pooled in zip(study.systems, study.track.pooled, strict=True) if pooled]


def judged_topics(study):
    """The names of the topics that somebody judged."""
    return [study.track.topics[topic] for topic in study.judged_topics]


def look_like_variations(study):
    """Whether the names of systems look as if each were one variation: SYSTEM.v3."""
    return sum(re.search(r"\.v\d+$", system) is not None for system in study.systems) > 1
