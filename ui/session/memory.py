"""What is remembered of a visit: plain values of its runs, and the choices of its record.

Choices are in the query string, so that the address of a page reproduces it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

import evalcore
from evalcore.vocabulary.sentences import listed
from ui.session import url_state, visit
from ui.text.escape import md, short

# ---- memory


def get(name: str, default: Any = None) -> Any:
    """A plain value of this visit."""
    return st.session_state.get(f"_{name}", default)


def put(name: str, value: Any) -> None:
    """Remember a plain value for this visit."""
    st.session_state[f"_{name}"] = value


def presenting() -> bool:
    """Whether presentation mode is on."""
    return bool(st.session_state.get("present"))


def present(on: bool) -> None:
    """Switch presentation mode on or off; for callbacks."""
    st.session_state["present"] = on
    put("present", on)


def digest_of(settings: Mapping[str, Any]) -> str:
    """A digest of plain values, uploads and loaded files."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value):
    if isinstance(value, visit.LoadedFile):
        return [value.key, value.columns, value.kind]
    return value.data.decode("utf-8", "replace") if isinstance(value, evalcore.Upload) else str(value)


# ---- choices and the address

OF_VISIT = {"study"}  # choices for the whole visit, kept if the address does not name them
NOT_RESTORED = {*OF_VISIT, "present"}  # what no study file chooses for a visitor
FOLLOWS = {"shallow": "depth", "guess": "estimator"}  # a page's own choice -> the choice of other pages that it begins
# with, and which replaces it when it changes


def arrive(page: str) -> None:
    """Note which page is shown. Streamlit forgets a widget's value on another page, so the remembered one is set again
    on arrival, and also when the browser goes back to other choices."""
    settled = get("settled", {})
    changed = any(st.session_state.get(key, chosen) != chosen for key, chosen in settled.items())
    went_back = url_state.begin() and page == get("page") and not changed
    if went_back:
        url_state.hold()
        forgotten = settled.keys() - OF_VISIT - get("stand-ins").keys()
        visit.change(choices=visit.without(visit.now().choices, *forgotten))
    put("just-arrived", went_back or page != get("page"))
    put("arrivals", get("arrivals", 0) + get("just-arrived"))
    put("page", page)
    put("settled", {})
    put("experiments", {})
    if get("just-arrived"):
        put("not-found", {})
        put("stand-ins", {})


def prepare(key: str, options: Sequence[Any], *, typed: bool = False) -> None:
    """Set a widget before it is drawn: from the address, else the earlier choice, else the first option, which stands
    in for an earlier choice as long as that is not among the options."""
    stand_ins = get("stand-ins")
    fits = key in st.session_state and (typed or st.session_state[key] in options)
    fits = fits and not (key in stand_ins and st.session_state[key] == stand_ins[key])
    if not options:
        st.session_state.pop(key, None)
    if not options or (fits and not get("just-arrived")):
        return
    value = url_state.value_of(key)
    wanted = remembered(key) if value is None else value
    fitting = [option for option in options if str(option) == str(wanted)] or ([wanted] if typed and wanted else [])
    if value is not None and not fitting:
        url_state.put(key, None)
        not_found(key, value, options[0])
    stand_ins.pop(key, None)
    if value is None and wanted is not None and not fitting:
        stand_ins[key] = options[0]
    st.session_state[key] = (fitting or options)[0]


def remembered(key: str, *, several: bool = False) -> Any:
    """A choice that was made on this or another page, or in the study file that is open, as in an address: a text, or
    None. several : of several values, a list"""
    values = visit.now().choices.get(key, [])
    if several:
        return values
    return values[-1] if values else remembered(FOLLOWS[key]) if key in FOLLOWS else None


def not_found(key: str, value: str, instead: Any) -> None:
    """Note that the address asks for a value that is not available, and what the page shows instead."""
    get("not-found")[key, short(value, 80)] = instead


def what_was_not_found() -> list[str]:
    """A line for each value of the address that is not available, until another one is chosen."""
    return [
        f"The link asks for “{md(value)}” ({md(key)}), which is not available here, so the page shows "
        f"{md(listed(instead) if isinstance(instead, list) else instead)}."
        for (key, value), instead in get("not-found", {}).items()
        if get("settled", {}).get(key, instead) == instead
    ]


def settle(key: str, chosen: Any, default: Any) -> Any:
    """After a widget is drawn: remember the choice, and write it to the address unless it is the default. Defaults
    differ between pages, so a default is remembered only to replace a choice, and not where it stands in for one."""
    stands_in = key in get("stand-ins") and chosen == get("stand-ins")[key]
    if not stands_in and (chosen != default or key in visit.now().choices):
        take_choice(key, chosen)
    get("settled")[key] = chosen
    url_state.put(key, None if chosen == default else chosen)
    return chosen


def take_choice(key: str, chosen: Any) -> None:
    """Remember a choice, for this page and the next ones: a value, a list of them, or None to forget it."""
    values = ["true"] * chosen if isinstance(chosen, bool) else chosen if isinstance(chosen, list) else [chosen]
    values = [str(value) for value in values if value is not None]
    if values == visit.now().choices.get(key, []):
        return
    followers = [follower for follower, followed in FOLLOWS.items() if followed == key]
    kept = visit.without(visit.now().choices, key, *followers)
    visit.change(choices=kept | {key: values} if values else kept)


def forget(key: str) -> None:
    """Forget one choice, before its widget is drawn: the first option is shown."""
    st.session_state.pop(key, None)
    take_choice(key, None)
    url_state.put(key, None)


def choices() -> dict[str, list[str]]:
    """All remembered choices as in an address: key -> values."""
    return visit.without(visit.now().choices, *NOT_RESTORED)


def restore(choices: dict[str, list[str]]) -> None:
    """Replace all choices by others, as in an address, such as those of a study file. A value that a page does not have
    has no effect."""
    visit.change(choices={key: values for key, values in visit.without(choices, *NOT_RESTORED).items() if values})
    put("page", None)  # so that the page reads its choices again


def forget_choices(*, but: Iterable[str]) -> None:
    """Forget all choices except these."""
    kept = set(but)
    visit.change(choices={key: values for key, values in visit.now().choices.items() if key in kept})


def chosen(key: str, options: Sequence[Any]) -> Any:
    """The choice among these options, before its selectbox is drawn: for a picture above it."""
    prepare(key, options)
    return st.session_state.get(key, options[0] if options else None)


def fold_key(key: str) -> str:
    """The widget key of a collapsed section; `key` is its name in the address."""
    return f"open-{key}"


def take_click(key: str, name: str) -> None:
    """Choose the name of a clicked dot under `key`, and open its collapsed section; for a picture's callback."""
    st.session_state[key] = name
    if fold_key(key) in st.session_state:
        st.session_state[fold_key(key)] = True
    put("opened-by-click", [key, get("arrivals"), name])
