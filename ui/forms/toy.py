"""The toy of the start page: three systems, six documents, and a slider for the depth of the pool."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

import evalcore
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import count, listed, opening, small, verb
from ui import components
from ui.data.sources import SAMPLE_DATA

TOPIC, METRIC, FIRST_RANKS = "bees", "P@3", 3
NEED = "How do bees find their way home?"
JUDGED = ("relevant", "not relevant")

HTML = """
<div class="toy">
  <div class="drag">
    <label for="toy-depth">Read the top <b class="depth"></b> of every ranking</label>
    <input id="toy-depth" class="slider" type="range" min="1" step="1" value="1">
  </div>
  <p class="finding" aria-live="polite"></p>
  <div class="lists"></div>
  <p class="legend">
    <span><i class="card relevant">✓</i>read: helps</span>
    <span><i class="card nothing">✗</i>read: does not help</span>
    <span><i class="card unread">?</i>not read</span>
    <span><i class="piece known"></i>known</span>
    <span><i class="piece open"></i>possible</span>
  </p>
</div>
"""


@cache
def study() -> Study:
    """The toy as a study: one topic whose six documents are all judged."""
    folder = SAMPLE_DATA / "toy"
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", pooled="all", cache=False)


@cache
def content() -> dict[str, Any]:
    """Plain values for the picture, computed by `evalcore`: at each pool depth a sentence, and each system's documents
    with their state and its interval, counted in documents of the top 3."""
    return {"ranks": FIRST_RANKS, "stages": [_at(depth) for depth in range(1, 1 + _all_read())]}


def _all_read():
    """Pool depth at which every document is read."""
    pool = evalcore.ask(study(), "pool", metric=METRIC).table
    return int(pool["depth"][pool["judgments"] == pool["judgments"].max()].min())


def _at(depth):
    board = evalcore.ask(study(), "leaderboard", metric=METRIC, depth=depth).table.set_index("system")
    cards = {system: _cards(system, depth) for system in study().systems}
    lists = [{"system": system, "cards": cards[system], **_good(board.loc[system])} for system in study().systems]
    return {"sentence": finding(lists), "lists": lists}


def _cards(system, depth):
    """The documents of a ranking: (name, state)."""
    rows = evalcore.ask(study(), "ranking", system=system, topic=TOPIC, metric=METRIC, depth=depth).table
    states = [state if state in JUDGED else "unread" for state in rows["state"]]
    return list(zip(rows["document"], states, strict=True))


def _good(row):
    """Bounds as numbers of documents."""
    return {end: round(row[end] * FIRST_RANKS) for end in ("lower", "upper")}


def finding(lists: Sequence[dict[str, Any]]) -> str:
    """State what is known at this depth."""
    states = dict(card for ranking in lists for card in ranking["cards"])
    read, most = sum(state != "unread" for state in states.values()), max(ranking["lower"] for ranking in lists)
    leaders = [ranking for ranking in lists if ranking["lower"] == most]
    rivals = [ranking["system"] for ranking in lists if ranking not in leaders and ranking["upper"] >= most]
    names = listed([ranking["system"] for ranking in leaders])
    good = f"{count(most, 'document')} that {verb(most, 'helps', 'help')}"
    if len(leaders) > 1:
        sentence = f"{names} are level, each with {good} among its first three: it is unclear which is best."
    elif rivals:
        sentence = f"{names} seems best, with {good} among its first three; but {listed(rivals)} may still catch up."
    else:
        sentence = f"{names} is certainly best, with {good} among its first three."
    return f"{opening(small(read))} of {small(len(states))} documents read: {sentence}"


@cache
def component() -> Callable[..., Any]:
    """The component, registered once."""
    folder, keys = Path(__file__).parent, Path(components.__file__).with_name("keys.js")
    css, keys, js = (path.read_text("utf-8") for path in (folder / "toy.css", keys, folder / "toy.js"))
    return st.components.v2.component("poolscope.toy", html=HTML, css=css, js=keys + js)


def show() -> None:
    """Draw the toy."""
    component()(data=content(), key="toy")
