"""The only user of session state and caches: which study is open, answers that were asked before, and the choices.

A choice that shapes a page stands in the query string, so that a page's address gives the page back.
"""

import contextlib
import hashlib
import json
import pickle
import re
import time
from functools import partial

import streamlit as st

import evalcore
from evalcore.memo import Kept
from ui import sources, words
from ui.escape import md
from ui.loads import Loads
from ui.prefetch import spare_time

CONVENTIONS = {  # options of open_study that a visitor may choose; the first is what goes without saying
    "order": ("score", "rank"),
    "gains": ("binary", "linear", "exponential"),
    "rel_level": (1, 2, 3, 4),
    "negative": ("split", "unjudged", "judged"),
    "empty": ("unknown", "not relevant"),
    "average": ("qrels", "common"),
    "variations": (None, "run", "-", "_", "."),
}
MEASURES = ["RBP(p=0.8)", "RBP(p=0.95)", "P@10", "SDCG@20", "INST(T=1)", "RR", "AP", "nDCG@10", "nDCG", "Q", "Rprec"]
MEASURES += ["bpref", "infAP", "R@100"]  # without an interval


# ---- studies


def choose_study():
    """The study chooser and the size of letters, for the sidebar."""
    names = {"folder": "This server's folder"} if sources.server_folder() else {}
    names |= {**sources.SAMPLES, "files": "Your files"}
    if (other := st.session_state.pop("_open", None)) is not None:
        st.session_state["study"] = other
    choose(st, "Study", list(names), key="study", format_func=names.get)
    st.toggle("Large text", key="large", persist_state="session", bind="query-params", help="For the projector.")


def open_another(name):
    """Open another study on the next run; for callbacks."""
    st.session_state["_open"] = name


def study_name():
    """Which study is chosen: a sample, the server's folder, or the visitor's files."""
    name = st.session_state.get("study", "newswire")
    return name if name in (*sources.SAMPLES, "folder", "files") else "newswire"


def source():
    """The source that is chosen."""
    name = study_name()
    if name == "files":
        return sources.loaded(loaded().values())
    if name == "folder":
        return sources.on_disk("This server's folder", **sources.server_folder())
    return sources.sample(name)


def current():
    """The study that is open, with the problems of the files that had to be left out."""
    chosen = source()
    if not chosen.runs or not chosen.qrels:
        return sources.incomplete(chosen)
    settings = {**assumed(), **({"systems": edits} if (edits := edited_systems()) else {})}
    key = json.dumps([chosen.key, digest_of(settings)])
    shelf = st.session_state.setdefault("_studies", Loads(2)) if chosen.private else shared_studies()
    found = in_sight(lambda watch: shelf.get(key, partial(sources.opened, chosen, settings), watch))
    keep_in_mind("opened", study_name())
    return found


@st.cache_resource
def shared_studies():
    """The studies that all visitors may see."""
    return Loads(4)


PATIENCE = 0.5  # seconds


def in_sight(wait):
    """What `wait(watch)` gives. While that takes long, a bar shows how far it is, and a button ends the waiting."""
    before = remember("opened", "newswire")
    place, began, shown = st.empty(), time.monotonic(), []

    def watch(done, total):
        if not shown and time.monotonic() - began > PATIENCE:
            with place.container(border=True):
                shown.append(st.progress(0.0))
                st.button("Cancel", on_click=open_another, args=(before if before != study_name() else "newswire",))
        if shown:
            files = f"{done:,} of {total:,} files" if done < total else "all files; putting them together"
            shown[0].progress(done / total, f"Reading runs and judgments: {files} …")

    try:
        return wait(watch)
    finally:
        place.empty()


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


def ask(study, question, *, slow=None, **params):
    """The answer to a question, computed once; `slow` is shown while one waits."""
    with st.spinner(slow) if slow else contextlib.nullcontext():
        return kept(study, question, params, lambda: evalcore.ask(study, question, **params))


def ask_at_length(study, question, progress, **params):
    """The same for a question that takes long: `progress` is called with (done, total), and may end the work. What is
    done of it stays with the study, so that asking again costs nothing or goes on."""
    return evalcore.ask(study, question, progress=progress, **params)


def made(study, make, *answers, **plain):
    """What a pure function makes of the tables of answers and of plain values, made once. Everyone gets a copy:
    Streamlit changes a figure for a moment while it draws it, and other visitors' threads would see that."""
    said = {"of": [[answer.question, answer.params] for answer in answers], "with": plain}
    made_of = (answer.table for answer in answers)
    return pickle.loads(kept(study, make.__qualname__, said, lambda: pickle.dumps(make(*made_of, **plain))))


SPACED = {1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500}
FAR_APART = {1, 3, 10, 30, 100, 300}
MANY_PLACES = 1_000_000  # judged places, of which a depth takes some 100 ms


def depths(study, measure):
    """The pool depths to look at, then None for all judgments: every one where all come in one pass, else some."""
    every = range(1, study.depth + 1)
    if evalcore.metric(measure).weighted:
        return [*every, None]
    some = FAR_APART if len(study.places.row) > MANY_PLACES else SPACED
    return [*(depth for depth in every if depth in some or depth == study.depth), None]


def look_ahead(study):
    """Have the measures swept that a visitor may choose next. The study keeps it, so what takes long comes last: it
    stays where there is no room for all."""

    def sweep(study, measure):
        with contextlib.suppress(ValueError):  # said where it is asked for
            evalcore.ask(study, "pool", metric=measure, depths=depths(study, measure))

    slow_last = sorted(MEASURES, key=lambda name: not evalcore.metric(name).weighted)
    spare_time.work(study, [partial(sweep, measure=name) for name in slow_last])


def judged_topics(study):
    """The names of the topics that somebody judged."""
    return [study.track.topics[topic] for topic in study.judged_topics]


def contributing(study):
    """The names of the systems that contributed to the pool."""
    return [name for name, pooled in zip(study.systems, study.track.pooled, strict=True) if pooled]


# ---- a visitor's files


def loaded():
    """The files that this visitor loaded: name and role -> what is known of them."""
    return st.session_state.setdefault("_files", {})


def uploader_key(role):
    """The key of an uploader; a new one empties it, since its files now stand in the list of loaded files. Each has
    its own, for a new key drops what another uploader is still receiving."""
    return f"upload-{role}-{remember(f'uploads-{role}', 0)}"


def empty_uploader(role):
    """Have a new uploader in the place of the one whose files were taken."""
    keep_in_mind(f"uploads-{role}", remember(f"uploads-{role}", 0) + 1)


def take_uploads(role):
    """Keep what an uploader holds, open it, and empty the uploader; for its callback."""
    held = st.session_state.get(uploader_key(role)) or []
    if role != "runs":  # there is one of each; a new one takes the place of the old
        remove_files([key for key, file in loaded().items() if file["role"] == role])
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
    empty_uploader(role)
    open_another("files")


def remove_files(keys):
    """Forget loaded files."""
    for key in keys:
        loaded().pop(key, None)


# ---- what was assumed, and the edited table of systems


def assumed():
    """The settings with which studies are opened."""
    return {name: options[0] for name, options in CONVENTIONS.items()} | remember("assumed", {})


def assume(settings):
    """Open studies with other settings from now on."""
    keep_in_mind("assumed", settings)


def settle_assumptions():
    """On the first run take what the address assumes; then let it say all that is assumed."""
    if remember("assumed") is None:
        said = {name: st.query_params.get(name) for name in CONVENTIONS}
        assume({name: one for name, known in CONVENTIONS.items() for one in known if str(one) == said[name]})
    for name, value in assumed().items():
        if value != CONVENTIONS[name][0]:
            st.query_params[name] = str(value)
        elif name in st.query_params:
            del st.query_params[name]


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


# ---- fusion

CROWDS = (5, 10)  # so many of the best
PERSISTENCES = (0.9, 0.8, 0.95, 0.99)


def crowds(study, board):
    """What may be fused: its name -> (the systems' names, over). Fused runs that are kept stand apart, in the last.

    board : the question `leaderboard`, best first
    """
    made = [fused["name"] for fused in study.scope.get("with_fused", ()) if fused["name"] in study.systems]
    names, best = ([name for name in some if name not in made] for some in (study.systems, board["system"]))
    found = {f"the best {n}": (best[:n], "systems") for n in CROWDS if n < len(names)}
    everyone = words.everyone(len(names))
    found |= {everyone: (names, "systems")} if len(names) > 1 else {}
    of_group = {}
    for name, group in zip(study.systems, study.track.groups, strict=True):
        of_group.setdefault(group, []).append(name)
    found |= {f"group {group}": (some, "systems") for group, some in of_group.items() if group and len(some) > 1}
    if has_variations(study):
        found |= {f"the variations of {name}": ([name], "variations") for name in names}
        found |= {f"the variations of {everyone}": (names, "both")} if len(names) > 1 else {}
    if made:
        found |= {f"{everyone} and fused runs": (list(study.systems), "systems")}
    return found


def look_like_variations(study):
    """Whether the names of systems look as if each were one variation: SYSTEM.v3."""
    return sum(re.search(r"\.v\d+$", name) is not None for name in study.systems) > 1


def has_variations(study):
    """Whether any topic has several queries."""
    return len(set(study.track.topic_of_query)) < study.track.shape[1]


def rules():
    """The ways of fusing: name -> (method, phi)."""
    with_phi = [name for name, row in evalcore.FUSIONS.items() if row.uses_phi]
    found = {f"{name}(phi={phi})": (name, phi) for phi in PERSISTENCES for name in with_phi}
    return found | {name: (name, 0.9) for name in evalcore.FUSIONS if name not in with_phi}


def deepest(study):
    """How many documents the longest ranking holds."""
    return int(study.track.lengths.max(initial=1))


FUSED_STUDIES = 1 << 29  # bytes of studies with a fused run among their systems


@st.cache_resource
def fused_studies():
    """Studies with fused runs, for all visitors: each is a whole study more, so bytes are counted."""
    return Kept(FUSED_STUDIES, lambda study: study.track.items.nbytes + study.track.scores.nbytes)


def fused_name(study, name, how):
    """What a fused run is called among the systems of a study, and whether it is kept there already; a free name where
    another one has its own."""
    there = next((kept for kept, one in fused_runs().items() if one == how and kept in study.systems), None)
    while not there and name in study.systems:
        name += "+"
    return there or name, there is not None


def fused_among_inputs(study, name, how, metric):
    """The question `leaderboard` of a fused run and its inputs; of the study that it takes no more is kept."""
    return kept(
        study,
        "fused_among_inputs",
        [name, how, metric],
        lambda: evalcore.ask(
            study if name in study.systems else study.with_fused(name, **how),
            "leaderboard",
            metric=metric,
            systems=[name, *how["systems"]],
        ),
    )


def fused_as_trec(study, name, how):
    """A fused run as a file."""
    return (study if name in study.systems else study.with_fused(name, **how)).trec_run(name)


def keep_fused(name, how):
    """Have a fused run among the systems of the study that is chosen, on every page; for callbacks."""
    st.session_state.setdefault("_fused", {}).setdefault(study_name(), {})[name] = how
    st.toast(f"{md(name)} is now among the systems, on every page but Data.")


def drop_fused():
    """Leave all fused runs out of the study that is chosen again; for callbacks."""
    st.session_state.get("_fused", {}).pop(study_name(), None)


def fused_runs():
    """The fused runs that are kept: name -> how they are made."""
    return st.session_state.get("_fused", {}).get(study_name(), {})


def with_fused_runs(study):
    """The study with the fused runs that are kept; those whose inputs are gone are left out."""
    for name, how in fused_runs().items():
        asked = (study.digest, name, json.dumps(how, sort_keys=True))
        with contextlib.suppress(ValueError):
            study = fused_studies().get(asked, partial(study.with_fused, name, **how))
    return study


# ---- a second qrels


def second_qrels():
    """The second qrels beside the study that is chosen: an Upload or a path, or None."""
    return st.session_state.get("_second", {}).get(study_name(), source().other)


def take_second():
    """Keep the second qrels that its uploader holds; for its callback."""
    held = st.session_state.get(uploader_key("other"))
    if held is not None:
        use_second(evalcore.Upload(held.name, held.getvalue()))
        empty_uploader("other")


def use_second(qrels):
    """Have this file, an Upload or None, as the second qrels of the study that is chosen."""
    st.session_state.setdefault("_second", {})[study_name()] = qrels


def second_level():
    """From which grade on the second qrels finds a document relevant; None = as the first."""
    level = st.query_params.get("other_rel_level", remember("other_rel_level"))
    if level in (None, "as here"):
        return None
    st.query_params["other_rel_level"] = str(level)
    return int(level)


def judged_twice(study, rel_level=None):
    """The study with the second qrels beside its own; as it is where there is none. Raises evalcore.InputError."""
    second = second_qrels()
    if second is None:
        return study
    if not isinstance(second, evalcore.Upload) and not second.is_file():
        return study.with_other(second)  # which says what is wrong
    data = second.data if isinstance(second, evalcore.Upload) else second.read_bytes()
    said = [second.name, hashlib.sha256(data).hexdigest(), rel_level]
    return kept(study, "judged_twice", said, lambda: study.with_other(second, rel_level=rel_level))


# ---- what the pages say, for the report


STUDIES_NOTED = 4


def begin_notes(study):
    """Have what is noted from now on be of this page and this study, with the second qrels that stands beside it."""
    of = study.digest + digest_of({"other": second_qrels(), "level": remember("other_rel_level")})
    shelf = st.session_state.setdefault("_notes", {})
    shelf[of] = shelf.pop(of, {})  # the one used last stands last
    for old in list(shelf)[:-STUDIES_NOTED]:
        shelf.pop(old)
    keep_in_mind("note", {"finding": None, "tables": {}})


def notes():
    """What each page said of the study when it was last looked at: page -> its finding, and key -> (title, answer)."""
    return list(st.session_state["_notes"].values())[-1]


def note_finding(sentence):
    """Keep the finding of this page, and the tables that go with it, in the place of what it said before."""
    remember("note")["finding"] = sentence
    notes()[remember("page")] = remember("note")


def note_table(key, title, answer):
    """Keep a table of this page."""
    remember("note")["tables"][key] = title, answer


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


def arrive(page):
    """Note which page is shown. A widget's value belongs to the page where it was drawn: on another one, what is
    remembered must be given to it anew."""
    keep_in_mind("just-arrived", page != remember("page"))
    keep_in_mind("page", page)
    settle_assumptions()


def prepare(key, options, *, typed=False):
    """Before a widget is drawn: what the address says, then what was chosen before, then the first option."""
    fits = key in st.session_state and (typed or st.session_state[key] in options)
    if not options:
        st.session_state.pop(key, None)
    if not options or (fits and not remember("just-arrived")):
        return
    asked = st.query_params.get(key)
    wanted = remember(key) if asked is None else asked
    fitting = [option for option in options if str(option) == str(wanted)] or ([wanted] if typed and wanted else [])
    if asked is not None and not fitting:
        del st.query_params[key]
        st.toast(f"{md(asked)} is not among the choices here; the page shows {md(str(options[0]))} instead.")
    st.session_state[key] = (fitting or options)[0]


def settle(key, chosen, default):
    """After it is drawn: remember the choice, and write it into the address unless it is the default. What goes without
    saying on one page does not on another: a default is remembered only in place of a choice."""
    if chosen != default or remember(key) is not None:
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


SHARDED = ["AP", "nDCG@10", "nDCG", "nDCG(log=10)", "P@10", "RBP(p=0.8)", "RBP(p=0.95)", "RR", "Q"]


def choose_many(where, label, options, *, key, default, **more):
    """Some of these options; the choice stands in the address and is remembered."""
    typed = more.get("accept_new_options", False)
    held = st.session_state.get(key)
    if not held or remember("just-arrived"):
        emptied = key in st.session_state and not remember("just-arrived")
        wanted = default if emptied else st.query_params.get_all(key) or remember(key) or default
        held = st.session_state[key] = [one for one in wanted if typed or one in options] or list(default)
    said = where.multiselect(label, list(dict.fromkeys([*options, *held])), key=key, **more)
    chosen = said or list(default)
    keep_in_mind(key, chosen)
    if chosen == list(default):
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != chosen:
        st.query_params[key] = chosen
    return chosen


def choose_view(where, views, *, key):
    """One of a few views of a picture: value -> what it is called."""
    prepare(key, list(views))
    st.session_state[key] = st.session_state[key]  # as in choose_ranks
    shown = where.segmented_control("Shown", list(views), required=True, key=key, format_func=views.get)
    return settle(key, shown, next(iter(views)))


TESTS = (("t", "holm"), ("t", "bh"), ("t", "none"), ("randomisation", "bh"), ("bootstrap", "bh"))
GUESSES = ["lower", "rm", "linear", "two-stage-b"]


def usual_regimes(study):
    """Ways of measuring that people compare."""
    shallow = [f"depth={depth}" for depth in (5, 10, 20) if depth < study.depth] or ["judgments=500"]
    fuller = ["RBP(p=0.8)", "RBP(p=0.95)", "AP", "nDCG@10", "P@10", "condensed | AP"]
    other = ["qrels=other | RBP(p=0.8)"] if second_qrels() is not None else []
    return [*shallow[:2], *fuller[:3], *shallow[2:], *fuller[3:], *(f"{one} | rm" for one in shallow[:1]), *other]


def choose_measure(where, only=MEASURES, fits=None):
    """The measure, from the usual ones or typed. One that does not fit the page gives way to the first."""
    chosen = choose(
        where,
        "Measure",
        list(only),
        key="metric",
        accept_new_options=True,
        help="Choose one, or type any other: P@5, RBP(p=0.9), nDCG@20.",
    )
    with contextlib.suppress(ValueError):  # a name that cannot be read is refused where it is asked for
        if fits is not None and not fits(evalcore.metric(chosen)):
            where.caption(f"{md(chosen)} has no weight for every rank; the page shows {only[0]}.")
            return only[0]
    return chosen


FORMULAS = [name for name, row in evalcore.ESTIMATORS.items() if not row.model]


def choose_estimator(where, guesses=FORMULAS):
    """Where in its interval a system's dot stands."""
    names = {"lower": "unjudged = not relevant"}
    names |= {name: f"guess: {name}" for name in guesses if name != "lower"}
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
    st.session_state["k"] = st.session_state["k"]  # tells the browser anew, which forgets it while nothing is open
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


def chosen(key, options):
    """What is, or is about to be, chosen among these options: for a picture that stands above its selectbox."""
    prepare(key, options)
    return st.session_state.get(key, options[0] if options else None)


def take_click(picture, key):
    """Make the name of a clicked dot the choice under `key`; for a picture's callback."""
    points = st.session_state[picture]["selection"]["points"]
    if points and points[0].get("customdata"):
        name = points[0]["customdata"]
        st.session_state[key] = name[0] if isinstance(name, list) else name


WEIGHTED = ["RBP(p=0.8)", "RBP(p=0.95)", "P@10", "SDCG@20", "RBP(p=0.8)@10"]


def choose_stage(stages, show):
    """The depth at which the live picture was left, one of `stages`; the address says where it opens.

    stages : pool depths, ascending, then "all"
    show : draws the picture, given where it opens; gives the stage that it was left at, or None
    """
    opens = nearest(st.query_params.get("depth", remember("depth", 10)), stages)
    left_at = show(opens)
    stage = left_at if left_at in stages else opens
    if st.query_params.get("depth") != str(stage):
        st.query_params["depth"] = str(stage)
    if left_at is not None:
        keep_in_mind("depth", stage)
    return stage


def nearest(asked, stages):
    """The stage that was asked for, or the one closest to that depth; the last for what is no depth."""
    depths = [stage for stage in stages if stage != "all"]
    if not re.fullmatch(r"\d{1,18}", str(asked)) or not depths:
        return stages[-1]
    return min(depths, key=lambda depth: abs(depth - int(asked)))


def opening_stage(content_key, stage, picture):
    """Where a picture opens. It stays the same while the picture stands, for a changed value would send all anew."""
    stands = (st.session_state.get(picture) or {}).get("stage") is not None
    before = remember("opening")
    if before is None or before[0] != content_key or not stands:
        before = (content_key, stage)
        keep_in_mind("opening", before)
    return before[1]
