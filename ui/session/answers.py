"""Answers and what is computed of them, cached on the server for all visitors who may see them."""

import contextlib
import json
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from evalcore.answers import Answer
from evalcore.study.study import Study
from ui.serving import upload_limits, workers
from ui.serving.server_cache import EVERYBODY, ServerCache, Visitor
from ui.session import memory

T = TypeVar("T")

CACHE = ServerCache(others=upload_limits.occupied)  # for all visitors


def owner() -> str:
    """Owner of results computed now: this visitor if they come from their own files, else all who may see them."""
    return owner_of(private=memory.get("private"), audience=memory.get("audience", EVERYBODY))


def owner_of(*, private: bool, audience: str) -> str:
    """The same for a source, see `ui.data.sources.Source`."""
    if not private:
        return audience
    if memory.get("visitor") is None:
        memory.put("visitor", Visitor(CACHE))
    return memory.get("visitor").name


def cached(study: Study, name: str, params: Any, make: Callable[[], T], *, whose: str | None = None) -> T:
    """The result of `make` for a study, cached for these plain values; it must not be changed. The key is the study's
    digest, because hashing all its arrays is slow. whose : see `owner`; None = the owner of this page"""
    return CACHE.get(_key(study, name, params, whose), make, besides=study)


def _key(study, name, params, whose=None):
    return owner() if whose is None else whose, study.digest, name, json.dumps(params, sort_keys=True)


def ask(study: Study, question: str, *, slow: str | None = None, **params: Any) -> Answer:
    """The answer to a question, computed once; `slow` is shown meanwhile."""
    with st.spinner(slow) if slow else contextlib.nullcontext():
        return cached(study, question, params, lambda: workers.answer(study, question, **params))


def ask_ahead(study: Study, question: str, *, whose: str, **params: Any) -> None:
    """Answer a question in advance. whose : see `owner`"""
    cached(study, question, params, lambda: workers.answer(study, question, **params), whose=whose)


def ask_and_watch(study: Study, question: str, progress: Callable[[int, int], None], **params: Any) -> Answer:
    """As `ask`, with the progress of a question that has steps: (done, total), of the one who asked first."""

    def compute(report):
        return workers.answer(study, question, progress=report, **params)

    return CACHE.get(_key(study, question, params), compute, progress, besides=study)


def watch(
    study: Study, question: str, progress: Callable[[int, int], None], *, whose: str | None = None, **params: Any
) -> Answer:
    """The answer to a slow question, cached, but computed separately for each visitor who waits for it, so that each
    sees the progress and can stop it. whose : see `cached`"""
    ready = CACHE.ready(_key(study, question, params, whose))
    if ready is None:
        answer = workers.answer(study, question, progress=progress, **params)
        ready = cached(study, question, params, lambda: answer, whose=whose)
    return ready


def computed(study: Study, make: Callable[..., T], *answers: Answer, **plain: Any) -> T:
    """The result of a pure function of answers and plain values, computed once. Each caller gets a copy, because
    Streamlit changes a figure for a moment while drawing it."""
    key = {"of": [[answer.question, answer.params] for answer in answers], "with": plain}
    name = f"{make.__module__}.{make.__qualname__}"
    return pickle.loads(cached(study, name, key, lambda: pickle.dumps(make(*answers, **plain))))
