"""The only user of session state and caches: which study is open, answers that were asked before, and the choices.

A choice that shapes a page is bound to the query string, so that a page's address gives the page back.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

import evalcore

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = {"newswire": "Sample: newswire", "web": "Sample: web"}
ROLES = {"runs": "run", "qrels": "judgments", "systems": "systems table", "queries": "queries table"}
ASSUMED = {
    "order": "score",
    "gains": "binary",
    "rel_level": 1,
    "negative": "split",
    "empty": "unknown",
    "average": "qrels",
    "duplicates": "keep",
}
MEASURES = ["RBP(p=0.8)", "RBP(p=0.95)", "P@10", "SDCG@20", "INST(T=1)", "RR", "AP", "nDCG@10", "nDCG", "Q", "Rprec"]
MEASURES += ["bpref", "infAP", "R@100"]  # without an interval


# ---- studies


@dataclass(frozen=True)
class Source:
    """Where a study comes from. `key` changes when its content does; `private` = one visitor's files."""

    key: str
    label: str
    runs: tuple = ()
    qrels: tuple = ()
    systems: object = None
    queries: object = None
    private: bool = False


@dataclass(frozen=True)
class Opened:
    """A study, or None, with what kept files out of it."""

    study: object = None
    problems: tuple = ()
    missing: str = ""


def choose_study():
    """The study chooser and the size of letters, for the sidebar."""
    names = {"folder": "This server's folder"} if server_folder() else {}
    names |= {**SAMPLES, "files": "Your files"}
    if (other := st.session_state.pop("_open", None)) is not None:
        st.session_state["study"] = other
    choose(st, "Study", list(names), key="study", format_func=names.get)
    st.toggle("Large text", key="large", persist_state="session", help="For the projector.")


def open_another(name):
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


@st.cache_resource(max_entries=1)
def server_folder():
    """Files named when the server was started (`-- --runs DIR --qrels FILE`), or None."""
    named = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    for role in ROLES:
        named.add_argument(f"--{role}")
    given, _ = named.parse_known_args(sys.argv[1:])
    return vars(given) if given.runs and given.qrels else None


def study_name():
    """Which study is chosen: a sample, the server's folder, or the visitor's files."""
    name = st.session_state.get("study", "newswire")
    return name if name in (*SAMPLES, "folder", "files") else "newswire"


def source():
    """The source that is chosen."""
    name = study_name()
    if name == "files":
        return uploaded_source()
    if name == "folder" and (given := server_folder()):
        return disk_source("This server's folder", **given)
    folder = ROOT / "sample_data" / name
    tables = {role: folder / f"{role}.tsv" for role in ("systems", "queries")}
    return disk_source(SAMPLES[name], folder / "runs", folder / "qrels.txt", **tables)


def disk_source(label, runs, qrels, systems=None, queries=None):
    """A source on the server's disk; tables that do not exist are left out."""
    runs = Path(runs)
    files = sorted(f for f in runs.iterdir() if f.is_file() and f.name[0] != ".") if runs.is_dir() else [runs]
    held = {"runs": files, "qrels": [Path(qrels)], "systems": [systems], "queries": [queries]}
    held = {role: tuple(Path(f) for f in some if f and Path(f).exists()) for role, some in held.items()}
    stats = [(str(f), f.stat()) for some in held.values() for f in some]
    key = json.dumps([(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats])
    tables = [held[role][0] if held[role] else None for role in ("systems", "queries")]
    return Source(key, label, held["runs"], held["qrels"], *tables)


def uploaded_source():
    """A source made of the files that this visitor loaded."""
    files = loaded()
    held = {role: tuple(f for f in files.values() if f["role"] == role) for role in ROLES}
    key = json.dumps([(f["role"], f["name"], f["digest"]) for f in files.values()])
    uploads = {role: tuple(f["upload"] for f in some) for role, some in held.items()}
    tables = [uploads[role][-1] if uploads[role] else None for role in ("systems", "queries")]
    return Source(key, "Your files", uploads["runs"], uploads["qrels"], *tables, private=True)


def current():
    """The study that is open, with the problems of the files that had to be left out."""
    chosen = source()
    if not chosen.runs or not chosen.qrels:
        return Opened(missing=missing(chosen))
    settings = {**assumed(), **({"systems": edits} if (edits := edited_systems()) else {})}
    key = json.dumps([chosen.key, digest_of(settings)])
    return (open_private if chosen.private else open_shared)(key, chosen, settings)


def missing(chosen):
    """What a source still lacks."""
    lacks = [word for word, held in (("runs", chosen.runs), ("judgments", chosen.qrels)) if not held]
    return " and ".join(lacks)


def open_files(key, _source, _settings):
    """Open a source; files that cannot be read are left out, one round after the other, and reported."""
    given = {role: getattr(_source, role) for role in ROLES}
    if "systems" in _settings:
        given["systems"] = _settings["systems"]
    settings = {name: value for name, value in _settings.items() if name != "systems"}
    problems = []
    while given["runs"] and given["qrels"]:
        try:
            return Opened(evalcore.open_study(**{**given, **as_arguments(given)}, **settings), tuple(problems))
        except evalcore.InputError as error:
            problems += error.problems
            bad = {problem.file for problem in error.problems}
            kept = {role: without(files, bad) for role, files in given.items()}
            if kept == given:
                return Opened(None, tuple(problems))
            given = kept
    return Opened(None, tuple(problems), missing="runs" if not given["runs"] else "judgments")


def as_arguments(given):
    """Files as `open_study` takes them: a list of runs, one qrels file or a list."""
    qrels = given["qrels"]
    return {"runs": list(given["runs"]), "qrels": qrels[0] if len(qrels) == 1 else list(qrels)}


def without(files, bad):
    """A file or several, without the bad ones."""
    if isinstance(files, tuple):
        return tuple(f for f in files if not is_named(f, bad))
    return None if files is not None and is_named(files, bad) else files


def is_named(file, names):
    """Whether one of these names is this file's."""
    name = getattr(file, "name", None) or str(file)
    return bool({name, str(file) if isinstance(file, Path) else name} & names)


READING = "Reading runs and judgments …"
open_shared = st.cache_resource(max_entries=4, show_spinner=READING)(open_files)
open_private = st.cache_resource(max_entries=2, scope="session", show_spinner=READING)(open_files)


def digest_of(settings):
    """A digest of plain values and uploads."""
    plain = {k: v.data.decode("utf-8", "replace") if isinstance(v, evalcore.Upload) else v for k, v in settings.items()}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()


# ---- answers


def make_it(digest, name, said, _make):
    """What `_make` makes; kept under the study's digest, for Streamlit would hash a large study by a sample of it."""
    return _make()


kept_for_all = st.cache_resource(max_entries=150, show_spinner=False)(make_it)
kept_for_one = st.cache_resource(max_entries=60, scope="session", show_spinner=False)(make_it)


def kept(study, name, said, make):
    """What `make` makes of a study, made once for these plain values; nobody may change it."""
    keep = kept_for_one if study_name() == "files" else kept_for_all
    return keep(study.digest, name, json.dumps(said, sort_keys=True), make)


def ask(study, question, **params):
    """The answer to a question, computed once."""
    return kept(study, question, params, lambda: evalcore.ask(study, question, **params))


def made(study, make, *answers, **plain):
    """What a pure function makes of the tables of answers and of plain values, made once."""
    said = {"of": [[answer.question, answer.params] for answer in answers], "with": plain}
    return kept(study, make.__qualname__, said, lambda: make(*(answer.table for answer in answers), **plain))


SPACED = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)


def depths(study, measure):
    """The pool depths to look at, then None for all judgments: every one where all come in one pass, else some."""
    every = range(1, study.depth + 1)
    some = every if evalcore.metric(measure).weighted else [d for d in every if d in SPACED or d == study.depth]
    return [*some, None]


def contributing(study):
    """The names of the systems that contributed to the pool."""
    return [name for name, pooled in zip(study.systems, study.track.pooled, strict=True) if pooled]


# ---- a visitor's files


def loaded():
    """The files that this visitor loaded: name and role -> what is known of them."""
    return st.session_state.setdefault("_files", {})


def uploader_key(role):
    """The key of an uploader; a new one empties it, since its files now stand in the list of loaded files."""
    return f"upload-{role}-{st.session_state.get('_uploads', 0)}"


def take_uploads(role):
    """Keep what an uploader holds, open it, and empty the uploader; for its callback."""
    held = st.session_state.get(uploader_key(role)) or []
    for file in held if isinstance(held, list) else [held]:
        data = file.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        loaded()[f"{role}/{file.name}/{digest[:12]}"] = {
            "role": role,
            "name": file.name,
            "size": len(data),
            "digest": digest,
            "upload": evalcore.Upload(file.name, data),
        }
    st.session_state["_uploads"] = st.session_state.get("_uploads", 0) + 1
    open_another("files")


def remove_files(keys):
    """Forget loaded files."""
    for key in keys:
        loaded().pop(key, None)


# ---- what was assumed, and the edited table of systems


def assumed():
    """The settings with which studies are opened."""
    return {**ASSUMED, **st.session_state.get("_assumed", {})}


def assume(settings):
    """Open studies with other settings from now on."""
    st.session_state["_assumed"] = settings


def edited_systems():
    """The table of systems as this visitor changed it, an Upload, or None."""
    return st.session_state.get("_systems", {}).get(study_name())


def edit_systems(table):
    """Take this table of systems (run, group, pooled) in place of the file's; None goes back."""
    edits = st.session_state.setdefault("_systems", {})
    if table is None:
        edits.pop(study_name(), None)
    else:
        edits[study_name()] = evalcore.Upload("systems-edited.tsv", table)


# ---- choices


def remember(name, default=None):
    """A plain value of this visit."""
    return st.session_state.get(f"_{name}", default)


def keep_in_mind(name, value):
    """Remember a plain value for this visit."""
    st.session_state[f"_{name}"] = value


def large():
    """Whether letters are large."""
    return bool(st.session_state.get("large"))


def dark():
    """Whether the page is dark."""
    return st.context.theme.type == "dark"


def prepare(key, options, *, typed=False):
    """Before a widget is drawn: what the address says, then what was chosen before, then the first option."""
    if key in st.session_state:
        if not typed and st.session_state[key] not in options:
            del st.session_state[key]  # the options of another study
        return
    wanted = st.query_params.get(key, remember(key))
    known = next((option for option in options if str(option) == str(wanted)), wanted if typed else None)
    if known is not None:
        st.session_state[key] = known


def settle(key, chosen, default):
    """After it is drawn: remember the choice, and write it into the address unless it is the default."""
    keep_in_mind(key, chosen)
    if chosen in (None, default):
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != str(chosen):
        st.query_params[key] = str(chosen)
    return chosen


def choose(where, label, options, *, key, **more):
    """A selectbox whose choice stands in the address and is remembered while other pages are looked at."""
    prepare(key, options, typed=more.get("accept_new_options", False))
    return settle(key, where.selectbox(label, options, key=key, **more), options[0])


def choose_measure(where):
    """The measure, from the usual ones or typed."""
    return choose(
        where,
        "Measure",
        MEASURES,
        key="metric",
        accept_new_options=True,
        help="Choose one, or type any other: P@5, RBP(p=0.9), nDCG@20.",
    )


def choose_estimator(where):
    """Where in its interval a system's dot stands."""
    names = {"lower": "unjudged = not relevant"}
    names |= {name: f"guess: {name}" for name in evalcore.ESTIMATORS if name != "lower"}
    return choose(
        where,
        "The dot shows",
        list(names),
        key="estimator",
        format_func=names.get,
        help="The interval stays; the guess only moves the dot inside it.",
    )


def choose_ranks(where):
    """How many ranks of a ranking are looked at."""
    options = [10, 5, 20, 50, 100]
    prepare("k", options)
    st.session_state.setdefault("k", options[0])
    shown = where.segmented_control("How many ranks", sorted(options), required=True, key="k")
    return settle("k", shown, options[0])


def choose_depth(where, study):
    """The judgments in force: a pool depth, or None for all of them."""
    names = ["all", *range(1, study.depth + 1)]
    chosen = choose(
        where,
        "Judgments",
        names,
        key="depth",
        format_func=lambda depth: "all judgments" if depth == "all" else f"pool depth {depth}",
    )
    return None if chosen == "all" else chosen


def choose_one(where, label, names, *, key):
    """One of these names; what a click or the address says, else the first."""
    return choose(where, label, names, key=key)


def chosen(key):
    """What is chosen under this key, or None."""
    return st.session_state.get(key)


def take_click(picture, key):
    """Make the name of a clicked dot the choice under `key`; for a picture's callback."""
    points = st.session_state[picture]["selection"]["points"]
    if points and points[0].get("customdata"):
        name = points[0]["customdata"]
        st.session_state[key] = name[0] if isinstance(name, list) else name


def choose_stage(study, show):
    """The depth at which the live picture was left: a number or "all"; the address says where it opens.

    show : draws the picture, given where it opens; gives the stage that it was left at, or None
    """
    asked = st.query_params.get("depth", remember("stage", min(10, study.depth)))
    asked = int(asked) if str(asked).isdecimal() else asked
    stage = show(asked)
    stage = asked if stage is None else stage
    stage = stage if stage == "all" or (isinstance(stage, int) and 1 <= stage <= study.depth) else study.depth
    if st.query_params.get("depth") != str(stage):
        st.query_params["depth"] = str(stage)
    keep_in_mind("stage", stage)
    return stage


def opening_stage(content_key, stage, picture):
    """Where a picture opens. It stays the same while the picture stands, for a changed value would send all anew."""
    stands = (st.session_state.get(picture) or {}).get("stage") is not None
    before = remember("opening")
    if before is None or before[0] != content_key or not stands:
        before = (content_key, stage)
        keep_in_mind("opening", before)
    return before[1]
