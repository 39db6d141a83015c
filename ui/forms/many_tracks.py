"""The choices of the page Tracks, and its tracks asked one after another."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import evalcore
from evalcore.estimating.estimators import counted
from evalcore.many_tracks.comparison import Compared
from evalcore.many_tracks.over_tracks import OverTracks, answer_of
from evalcore.metrics.phrases import in_a_phrase
from evalcore.questions.question import Across
from evalcore.vocabulary.sentences import digits, listed, verb
from ui.components import choices, progress
from ui.components.choice_line import Line
from ui.data import saved_studies, tracks
from ui.data.sources import SAMPLES
from ui.layout.menu import PAGES
from ui.session import answers, memory, visit
from ui.text import glossary, in_words
from ui.text.escape import md

DEPTHS = [5, 2, 10, 20, 50]
COMPARED = {name: row.across for name, row in evalcore.QUESTIONS.items() if row.across}


class Picker(NamedTuple):
    """How a key of an answer's rows is chosen. names : value -> its name in the picker; says : its words in the line"""

    label: str
    names: Mapping[Any, str]
    says: Callable[[Any], str]

    def shown(self, line: Line, first: Any, *, key: str, compared_with: bool = False) -> Any:
        """One of the values, at first this one. compared_with : whether it is what the chosen one is compared with"""
        label = f"{self.label}: compared with" if compared_with else self.label
        says = (lambda value: f"beside “{self.says(value)}”") if compared_with else self.says
        return choices.named(line, label, {first: self.names[first], **self.names}, key=key, says=says)


METRICS = {name: in_words.metric(name) for name in choices.METRICS}
PICKERS = {  # by key
    "estimator": Picker(
        "Guess about unread documents", {name: in_words.estimator(name) for name in choices.COMPARED}, counted
    ),
    "model": Picker(
        "Model", {name: row.worded for name, row in evalcore.MODELS.items()}, lambda name: evalcore.MODELS[name].label
    ),
    "a": Picker("One way of scoring", METRICS, in_a_phrase),
    "b": Picker("Another way of scoring", METRICS, in_a_phrase),
    "method": Picker("Method", {name: row.title for name, row in evalcore.FUSIONS.items()}, glossary.merged_by),
}


@dataclass(frozen=True)
class Comparison:
    """What is compared. keys : which rows of the answers; against : what with"""

    question: str
    params: dict[str, Any]
    keys: dict[str, Any]
    against: Any

    @property
    def across(self) -> Across:
        return COMPARED[self.question]

    @property
    def names(self) -> tuple[str, str]:
        """What the two numbers of each track are, in words; "" where it has one."""
        if not isinstance(self.against, str):
            return "", ""
        says, last = PICKERS[self.across.last].says, self.across.last
        return says(self.keys[last]), says(self.against)

    @property
    def page(self) -> str:
        """The page whose numbers the question gives."""
        section = evalcore.QUESTIONS[self.question].section
        return next(path for path, page in PAGES.items() if section in page.defined.split())

    @property
    def address(self) -> dict[str, Any]:
        """The choices of that page that show this track's number."""
        chosen = {"metric": self.params.get("metric"), "rule": self.keys.get("method"), **self.params, **self.keys}
        chosen["shallow"] = chosen.get("depth")
        wanted = PAGES[self.page].choices.split()
        return {key: value for key, value in chosen.items() if key in wanted and value is not None}

    def of(self, many: OverTracks) -> Compared:
        """The tracks compared."""
        return many.compared(self.against if any(self.names) else None, **self.keys)


def pick(line: Line) -> Comparison:
    """What is compared."""
    names = {name: across.label for name, across in COMPARED.items()}
    question = choices.named(line, "Compare", names, key="across")
    across = COMPARED[question]
    metric = choices.metric(line, fits=across.fits) if "a" not in across.keys else ""
    keys, against = {}, across.against
    for key, first in across.keys.items():
        if key in PICKERS:
            keys[key] = PICKERS[key].shown(line, first, key=f"across_{key}")
    if isinstance(against, str):
        against = PICKERS[across.last].shown(line, against, key="against", compared_with=True)
    if "depth" in across.keys:
        keys["depth"] = choices.select(
            line, "Judged to depth", DEPTHS, key="across_depth", says="judged to depth {}".format
        )
    return Comparison(question, across.params(metric, **(across.keys | keys)), keys, against)


def pick_tracks(line: Line) -> dict[str, str]:
    """The tracks to compare, name -> what it is called."""
    offered = tracks.offered()
    if "tracks" in st.session_state:
        before, new = st.session_state["tracks"], memory.get("new-tracks", [])
        wanted = tracks.without_samples([*before, *new]) if new else before
        st.session_state["tracks"] = [name for name in wanted if name in offered]  # one may have been removed
        memory.put("new-tracks", [])
    chosen = choices.select_several(
        line, "Tracks", list(offered), key="tracks", default=tracks.without_samples(offered),
        format_func=offered.get, says=lambda names: digits(len(names), "track"),
    )  # fmt: skip
    return {name: offered[name] for name in chosen}


def invented(named: Mapping[str, str]) -> str:
    """A sentence about the samples among the tracks, or ""."""
    samples = [called for name, called in named.items() if name in SAMPLES]
    return f"{listed(samples)} {verb(samples, 'is', 'are')} invented." if samples else ""


def ask_each(named: Mapping[str, str], compared: Comparison) -> OverTracks:
    """Their answers. Where they take long, a progress bar with a *Stop* button, and the tracks so far meanwhile; those
    before the stop are shown. named : track -> what it is called"""
    question, params = compared.question, compared.params
    job, judges = json.dumps([*named, question, params]), "judge" in evalcore.QUESTIONS[question].columns.split()
    stopped_job, most = memory.get("tracks-stopped", ("", 0))
    most = most if stopped_job == job else len(named)
    place, began, done, shown = st.empty(), time.monotonic(), [], []

    def watch(part, whole):
        if not shown and time.monotonic() - began > progress.PATIENCE:
            with place.container(border=True, key="asking-tracks"):
                shown.append(st.progress(0.0))
                st.button("Stop", key="stop-tracks", on_click=_stop)
                shown.append(st.empty())
        if shown:
            share = (len(done) + part / max(whole, 1)) / len(named)
            shown[0].progress(min(share, 1.0), f"{md(called)}: track {len(done) + 1} of {len(named)} …")

    for name, called in list(named.items())[:most]:
        memory.put("tracks-done", (job, len(done)))
        watch(0, 1)
        if shown:
            so_far = compared.of(OverTracks.of(question, params, done)).rows
            names = {"value": compared.across.label, "other": "compared with"}
            shown[1].dataframe(so_far[["track", *names]].rename(columns=names), hide_index=True)
        whose, opens = tracks.opens(name, watch, judges=judges)
        asks = partial(answers.watch, question=question, progress=watch, whose=whose, **params)
        done.append(answer_of(called, opens, asks))
    place.empty()
    if most < len(named):
        with place.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Stopped after {most} of {digits(len(named), 'track')}.")
            st.button("Continue", key="continue-tracks", on_click=memory.put, args=("tracks-stopped", ("", 0)))
    return OverTracks.of(question, params, done)


def left_out(many: OverTracks) -> list[str]:
    """Which tracks have no rows, and why: a sentence for each reason, in Markdown."""
    tracks_of: dict[str, list[str]] = {}
    for track, reason in many.refused.items():
        tracks_of.setdefault(reason, []).append(track)
    is_left = "{} {} left out: {}"
    return [md(is_left.format(listed(names), verb(names, "is", "are"), why)) for why, names in tracks_of.items()]


def _stop():
    memory.put("tracks-stopped", memory.get("tracks-done"))


def open_clicked(compared: Comparison, named: Mapping[str, str]) -> None:
    """Open the track of a clicked dot on the page of the question. named : track -> what it is called"""
    clicked = st.session_state.pop("clicked-track", None)
    name = next((name for name, called in named.items() if called == clicked), None)
    if name is None:
        return
    if name in visit.now().tracks and not saved_studies.open_track(name):
        st.info(f"{md(named[name])} is only compared here. Load it on Data to open it.")
        return
    st.switch_page(compared.page, query_params={**compared.address, "study": tracks.data_set(name)})


def own_tracks() -> None:
    """The visitor's own tracks, each with a button that removes it."""
    for name, file in visit.now().tracks.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(md(file.name))
            st.button("Remove", key=f"remove-track-{name}", on_click=tracks.remove, args=(name,))
