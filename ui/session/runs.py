"""Marks of the runs of a visit: in the document, the number of the last run that began, and of the last that ended.

A program that drives the page reads the number, acts, and waits until a later run has ended. The page then shows the
answer to its action. A run that goes over into another one, by `st.rerun`, `st.switch_page` or a new action of the
visitor, leaves no end: the last of the chain does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from ui.session import memory


@contextmanager
def marked() -> Iterator[None]:
    """Mark a run of the whole script, around all that it draws."""
    number = _next()
    with st.container(key="runs"):
        place = st.empty()
    place.html(_mark("begun", number))
    memory.put("draws-page", True)
    try:
        with _ending(place, number):
            yield
    finally:
        memory.put("draws-page", False)


@contextmanager
def marked_part() -> Iterator[None]:
    """Mark a run of a fragment, if it runs without the page."""
    if memory.get("draws-page"):
        yield
        return
    with _ending(st, _next()):
        yield


@contextmanager
def _ending(place, number):
    """Write the mark of the end to a place, unless another run follows."""
    try:
        yield
    except RerunException:
        raise
    except BaseException:
        place.html(_mark("ended", number))
        raise
    place.html(_mark("ended", number))


def stop() -> NoReturn:
    """End the run here. After `st.stop` nothing can be sent, not even the mark, and the visit's memory raises."""
    raise StopException()


def _next():
    number = memory.get("runs", 0) + 1
    memory.put("runs", number)
    return number


def _mark(what, number):
    return f'<i data-{what}="{number}"></i>'
