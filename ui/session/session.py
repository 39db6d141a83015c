"""A visitor's session: choices and cached answers.

Choices are in the query string, so that the address of a page reproduces it.
"""

import contextlib
import hashlib
import json
import pickle

import streamlit as st

import evalcore
from ui.serving import upload_limits, workers
from ui.serving.server_cache import EVERYBODY, Shelf, Visitor
from ui.session import url_state
from ui.text.escape import md, short

# ---- memory


def remember(name, default=None):
    """A plain value of this visit."""
    return st.session_state.get(f"_{name}", default)


def keep_in_mind(name, value):
    """Remember a plain value for this visit."""
    st.session_state[f"_{name}"] = value


def presenting():
    """Whether presentation mode is on."""
    return bool(st.session_state.get("present"))


def present(on):
    """Switch presentation mode on or off; for callbacks."""
    st.session_state["present"] = on
    keep_in_mind("present", on)


def digest_of(settings):
    """A digest of plain values and uploads."""
    plain = {k: v.data.decode("utf-8", "replace") if isinstance(v, evalcore.Upload) else v for k, v in settings.items()}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()


# ---- choices and the address

OF_VISIT = {"study"}  # choices for the whole visit, kept if the address does not name them


def arrive(page):
    """Note which page is shown. Streamlit forgets a widget's value on another page, so the remembered one is set again
    on arrival, and also when the browser goes back to other choices."""
    settled = remember("settled", {})
    changed = any(st.session_state.get(key, chosen) != chosen for key, chosen in settled.items())
    went_back = url_state.begin() and page == remember("page") and not changed
    if went_back:
        url_state.hold()
        for key in settled.keys() - OF_VISIT:
            keep_in_mind(key, None)
    keep_in_mind("just-arrived", went_back or page != remember("page"))
    keep_in_mind("arrivals", remember("arrivals", 0) + remember("just-arrived"))
    keep_in_mind("page", page)
    keep_in_mind("settled", {})
    keep_in_mind("experiments", {})


def prepare(key, options, *, typed=False):
    """Set a widget before it is drawn: from the address, else the earlier choice, else the first option."""
    fits = key in st.session_state and (typed or st.session_state[key] in options)
    if not options:
        st.session_state.pop(key, None)
    if not options or (fits and not remember("just-arrived")):
        return
    value = url_state.value_of(key)
    wanted = remember(key) if value is None else value
    fitting = [option for option in options if str(option) == str(wanted)] or ([wanted] if typed and wanted else [])
    if value is not None and not fitting:
        url_state.say(key, None)
        st.toast(f"{md(short(value, 80))} is not available here, so the page shows {md(options[0])}.")
    st.session_state[key] = (fitting or options)[0]


def settle(key, chosen, default):
    """After a widget is drawn: remember the choice, and write it to the address unless it is the default. Defaults
    differ between pages, so a default is remembered only to replace a choice."""
    if chosen != default or remember(key) is not None:
        take_choice(key, chosen)
    remember("settled")[key] = chosen
    url_state.say(key, None if chosen == default else chosen)
    return chosen


def take_choice(key, chosen):
    """Remember a choice, for this page and the next ones."""
    keep_in_mind(key, chosen)
    keep_in_mind("choices", remember("choices", frozenset()) | {key})


def forget_choices(*, but):
    """Forget all choices except these."""
    for key in remember("choices", frozenset()).difference(but):
        keep_in_mind(key, None)


def chosen(key, options):
    """The choice among these options, before its selectbox is drawn: for a picture above it."""
    prepare(key, options)
    return st.session_state.get(key, options[0] if options else None)


def fold_key(key):
    """The widget key of a collapsed section; `key` is its name in the address."""
    return f"open-{key}"


def take_click(key, name):
    """Choose the name of a clicked dot under `key`, and open its collapsed section; for a picture's callback."""
    st.session_state[key] = name
    if fold_key(key) in st.session_state:
        st.session_state[fold_key(key)] = True
    keep_in_mind("opened-by-click", [key, remember("arrivals"), name])


# ---- answers


SHELF = Shelf(others=upload_limits.occupied)  # for all visitors


def owner():
    """Owner of results computed now: this visitor if they come from their own files."""
    if not remember("private"):
        return EVERYBODY
    if remember("visitor") is None:
        keep_in_mind("visitor", Visitor(SHELF))
    return remember("visitor").name


def kept(study, name, said, make, *, whose=None):
    """The result of `make` for a study, cached for these plain values; it must not be changed. The key is the study's
    digest, because hashing all its arrays is slow. whose : see `owner`; None = the owner of this page"""
    return SHELF.get(owner() if whose is None else whose, _key(study, name, said), make, besides=study)


def _key(study, name, params):
    return study.digest, name, json.dumps(params, sort_keys=True)


def ask(study, question, *, slow=None, **params):
    """The answer to a question, computed once; `slow` is shown meanwhile."""
    with st.spinner(slow) if slow else contextlib.nullcontext():
        return kept(study, question, params, lambda: workers.ask(study, question, **params))


def ask_ahead(study, question, *, whose, **params):
    """Answer a question in advance. whose : see `owner`"""
    kept(study, question, params, lambda: workers.ask(study, question, **params), whose=whose)


def watch(study, question, progress, **params):
    """The answer to a slow question, cached, but computed separately for each visitor who waits for it, so that each
    sees the progress and can stop it."""
    ready = SHELF.ready(owner(), _key(study, question, params))
    if ready is None:
        answer = workers.ask(study, question, progress=progress, **params)
        ready = kept(study, question, params, lambda: answer)
    return ready


def made(study, make, *answers, **plain):
    """The result of a pure function of answers and plain values, computed once. Each caller gets a copy, because
    Streamlit changes a figure for a moment while drawing it."""
    key = {"of": [[answer.question, answer.params] for answer in answers], "with": plain}
    name = f"{make.__module__}.{make.__qualname__}"
    return pickle.loads(kept(study, name, key, lambda: pickle.dumps(make(*answers, **plain))))
