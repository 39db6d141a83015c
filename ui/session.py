"""A visitor's session, the address of the page, and answers that were asked before.

A choice that shapes a page stands in the query string, so that a page's address gives the page back.
"""

import contextlib
import hashlib
import json
import pickle
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import streamlit as st

import evalcore
from ui import address, upload_limits, workers
from ui.escape import md, short
from ui.shelf import EVERYBODY, Shelf, Visitor

# ---- memory


def remember(name, default=None):
    """A plain value of this visit."""
    return st.session_state.get(f"_{name}", default)


def keep_in_mind(name, value):
    """Remember a plain value for this visit."""
    st.session_state[f"_{name}"] = value


def presenting():
    """Whether the pages are shown to an audience."""
    return bool(st.session_state.get("present"))


def present(on):
    """Show the pages to an audience, or no more; for callbacks."""
    st.session_state["present"] = on
    keep_in_mind("present", on)


def digest_of(settings):
    """A digest of plain values and uploads."""
    plain = {k: v.data.decode("utf-8", "replace") if isinstance(v, evalcore.Upload) else v for k, v in settings.items()}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()


# ---- choices and the address

OF_VISIT = {"study"}  # what is chosen for the whole visit: an address that is silent of it does not undo it


def arrive(page):
    """Note which page is shown. A widget's value belongs to the page where it was drawn: on another one, what is
    remembered must be given to it anew; and so it is where the browser went back to other choices."""
    settled = remember("settled", {})
    changed = any(st.session_state.get(key, chosen) != chosen for key, chosen in settled.items())
    went_back = address.begin() and page == remember("page") and not changed
    if went_back:
        address.hold()
        for key in settled.keys() - OF_VISIT:
            keep_in_mind(key, None)
    keep_in_mind("just-arrived", went_back or page != remember("page"))
    keep_in_mind("arrivals", remember("arrivals", 0) + remember("just-arrived"))
    keep_in_mind("page", page)
    keep_in_mind("settled", {})
    keep_in_mind("experiments", {})


def prepare(key, options, *, typed=False):
    """Before a widget is drawn: what the address says, then what was chosen before, then the first option."""
    fits = key in st.session_state and (typed or st.session_state[key] in options)
    if not options:
        st.session_state.pop(key, None)
    if not options or (fits and not remember("just-arrived")):
        return
    asked = address.asked(key)
    wanted = remember(key) if asked is None else asked
    fitting = [option for option in options if str(option) == str(wanted)] or ([wanted] if typed and wanted else [])
    if asked is not None and not fitting:
        address.say(key, None)
        st.toast(f"{md(short(asked, 80))} is not among the choices here; the page shows {md(options[0])} instead.")
    st.session_state[key] = (fitting or options)[0]


def settle(key, chosen, default):
    """After it is drawn: remember the choice, and write it into the address unless it is the default. What goes without
    saying on one page does not on another: a default is remembered only in place of a choice."""
    if chosen != default or remember(key) is not None:
        take_choice(key, chosen)
    remember("settled")[key] = chosen
    address.say(key, None if chosen == default else chosen)
    return chosen


def take_choice(key, chosen):
    """Remember a choice, for this page and those that come after it."""
    keep_in_mind(key, chosen)
    keep_in_mind("choices", remember("choices", frozenset()) | {key})


def forget_choices(*, but):
    """Remember no choice any more, but these."""
    for key in remember("choices", frozenset()).difference(but):
        keep_in_mind(key, None)


def chosen(key, options):
    """What is, or is about to be, chosen among these options: for a picture that stands above its selectbox."""
    prepare(key, options)
    return st.session_state.get(key, options[0] if options else None)


def fold_key(key):
    """The key of the widget of the fold that the address calls `key`."""
    return f"open-{key}"


def take_click(key, name):
    """Make the name of a clicked dot the choice under `key`, and open the fold that it is made in; for a picture's
    callback."""
    st.session_state[key] = name
    if fold_key(key) in st.session_state:
        st.session_state[fold_key(key)] = True
    keep_in_mind("opened-by-click", [key, remember("arrivals"), name])


# ---- answers


SHELF = Shelf(others=upload_limits.occupied)  # for all visitors


def owner():
    """Whose what is made now is: this visitor's where it is made of their own files."""
    if not remember("private"):
        return EVERYBODY
    if remember("visitor") is None:
        keep_in_mind("visitor", Visitor(SHELF))
    return remember("visitor").name


def kept(study, name, said, make, *, whose=None):
    """What `make` makes of a study, made once for these plain values; nobody may change it. Kept under the study's
    digest: a hash of all its arrays takes too long. whose : see `owner`; None = of whoever looks at this page"""
    return SHELF.get(owner() if whose is None else whose, _key(study, name, said), make, besides=study)


def _key(study, name, said):
    return study.digest, name, json.dumps(said, sort_keys=True)


def ask(study, question, *, slow=None, **params):
    """The answer to a question, computed once; `slow` is shown while one waits."""
    with st.spinner(slow) if slow else contextlib.nullcontext():
        return kept(study, question, params, lambda: workers.ask(study, question, **params))


def ask_ahead(study, question, *, whose, **params):
    """Have a question answered that a visitor may ask next. whose : see `owner`"""
    kept(study, question, params, lambda: workers.ask(study, question, **params), whose=whose)


def watch(study, question, progress, **params):
    """The answer to a question that takes long, kept as the others are, but worked out for each visitor who does not
    find it: everyone sees how far it is, and may stop it."""
    found = SHELF.ready(owner(), _key(study, question, params))
    if found is None:
        answer = workers.ask(study, question, progress=progress, **params)
        found = kept(study, question, params, lambda: answer)
    return found


def made(study, make, *answers, **plain):
    """What a pure function makes of answers and of plain values, made once. Everyone gets a copy: Streamlit changes a
    figure for a moment while it draws it, and other visitors' threads would see that."""
    said = {"of": [[answer.question, answer.params] for answer in answers], "with": plain}
    name = f"{make.__module__}.{make.__qualname__}"
    return pickle.loads(kept(study, name, said, lambda: pickle.dumps(make(*answers, **plain))))


# ---- what the pages say, for the report

STUDIES_NOTED = 4


def begin_notes(study, beside):
    """Have what is noted from now on be of this page and this study, with what stands beside it (plain values)."""
    of = study.digest + digest_of(beside)
    shelf = st.session_state.setdefault("_notes", {})
    shelf[of] = shelf.pop(of, {})  # the one used last stands last
    for old in list(shelf)[:-STUDIES_NOTED]:
        shelf.pop(old)
    keep_in_mind("note", {"findings": {}, "tables": {}, "pictures": {}, "unopened": {}, "too_long": [],
                          "address": "", "refusal": ""})  # fmt: skip


def notes():
    """What each page said of the study when it was last looked at: page -> its findings by key; key -> (title, answer)
    of its tables, and (title, what it shows, what makes it) of its pictures; what its folds would show, see
    `ui.unopened`, and the titles of those that take long; its address; why it has no finding."""
    return list(st.session_state["_notes"].values())[-1]


def note_finding(key, conclusion):
    """Keep a finding of this page, and the tables that go with it. -> whether it is the first, the page's own"""
    note = notes()[remember("page")] = remember("note")
    first = not note["findings"]
    note["findings"][key] = conclusion
    note["address"] = page_address()
    return first


def says_first(words):
    """Whether this page says these words for the first time, since it was begun."""
    said = remember("note").setdefault("said", set())
    first = words not in said
    said.add(words)
    return first


def note_refusal(words):
    """Keep why this page has nothing to say, unless it has said something."""
    note = remember("note")
    if note and not note["findings"]:
        notes()[remember("page")] = note | {"refusal": words}


def note_table(key, title, answer):
    """Keep a table of this page."""
    remember("note")["tables"][key] = title, answer
    note_experiment(key, Experiment(answer.question, answer.params, answer.table))
    remember("note")["address"] = page_address()


class Experiment(NamedTuple):
    """What a page computes: a question, its parameters in full, and the table that comes of them."""

    question: str
    params: dict
    table: Any = None


def note_experiment(key, experiment):
    """Keep what this page computes, for the numbers that a paper prints of the same."""
    remember("experiments")[key] = experiment


def note_picture(key, title, shows, make):
    """Keep what makes a picture of this page, `make(look=)`."""
    remember("note")["pictures"][key] = title, shows, make


def note_unopened(key, what):
    """Keep what a fold of this page would show."""
    remember("note")["unopened"][key] = what


def note_too_long(title):
    """Keep the title of a fold of this page that takes long and was not opened."""
    remember("note")["too_long"].append(title)


def page_address():
    """The address of this page with its choices, relative to the app's own."""
    path, said = urlsplit(st.context.url or "").path, urlencode(address.everything(), doseq=True)
    return path.rpartition("/")[2] + (f"?{said}" if said else "")


def own_address():
    """The app's own address, as this visitor reached it; "" where that is not known."""
    at = urlsplit(st.context.url or "")
    return f"{at.scheme}://{at.netloc}{at.path.rpartition('/')[0]}/" if at.netloc else ""


def own_note(study, page):
    """What the visitor writes about a page, for the report of this study; kept while the tab is open."""
    key = f"own-{study.digest[:12]}-{page}"
    written = st.text_area(f"On {page}", remember(key, ""), key=key, height=80, max_chars=5000)
    keep_in_mind(key, written)
    return written
