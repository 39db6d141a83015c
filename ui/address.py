"""The address of the page: what it asks for, and what the page makes of it. It is written once in each run, so that a
choice is one step of the browser's way back."""

import streamlit as st

SAID = "_address"  # name -> values, as this run has said them so far
LEFT = "_address-left"  # what the browser was left to show, or showed itself: a run that is ended early leaves nothing
HELD = "_address-held"  # whether this run takes in what the way back led to; the next one does where it was ended early


def begin():
    """Take what the browser shows. -> whether it has gone to what no run has taken in as a whole"""
    shown, left_off = _shown(), st.session_state.pop(HELD, False)
    elsewhere = left_off or shown != st.session_state.get(LEFT, shown)
    st.session_state[SAID], st.session_state[LEFT] = dict(shown), shown
    return elsewhere


def hold():
    """Leave the address in this run as the browser shows it: to write another would bar the way back."""
    st.session_state[HELD] = True


def write():
    """Have the browser show what was said; at the end of a run."""
    if st.session_state.pop(HELD, False):
        st.session_state[SAID] = dict(st.session_state[LEFT])
    elif st.session_state[SAID] != st.session_state[LEFT]:
        replace(st.session_state[SAID])


def _shown():
    return {name: st.query_params.get_all(name) for name in st.query_params}


def asked(name):
    """The value that the address has for a name, or None."""
    values = asked_all(name)
    return values[-1] if values else None


def asked_all(name):
    """All values that the address has for a name."""
    return st.session_state[SAID].get(name, [])


def was_given(name):
    """Whether the browser's address named it when this run began."""
    return name in st.session_state[LEFT]


def everything():
    """All names that the address has, with their values."""
    return dict(st.session_state[SAID])


def replace(said):
    """Have the browser show this address at once; for callbacks, before a run begins. said : name -> values"""
    st.session_state[SAID], st.session_state[LEFT] = said, dict(said)
    st.query_params.from_dict(said)


def say(name, value):
    """Have the address give a name this value, or these values; None = leave the name out."""
    said = st.session_state[SAID]
    if value is None:
        said.pop(name, None)
    else:
        said[name] = [str(one) for one in value] if isinstance(value, list) else [str(value)]
