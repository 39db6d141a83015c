"""Parts of Compare: the two systems, the next topic, and the judgments to fill in."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore
from evalcore.answers import Answer
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import gain
from evalcore.vocabulary.validation import EQUAL
from ui.components import choices
from ui.layout import page, section
from ui.session import answers, memory
from ui.text.escape import md
from ui.text.in_words import topic as topic_in_words


def pick(where: choices.Place, study: Study, **cut: Any) -> tuple[str, str]:
    """The two systems: by default pinned ones or the one in focus on another page, then the best. -> their names"""
    best = list(answers.ask(study, "leaderboard", limits=False, **cut).table["system"])
    return _pair(where, best)


def _pair(where, names):
    """Two of these systems, by default pinned ones. Another pair has its own topics: one that was chosen for the
    earlier pair is forgotten."""
    pinned = [name for name in memory.get("pin") or () if name in names]
    if memory.get("pinned-before", pinned) != pinned and not memory.get("just-arrived"):
        # a default that nobody chose follows the pins
        for key in ("system", "rival"):
            if memory.remembered(key) is None:
                memory.forget(key)
    memory.put("pinned-before", pinned)
    names = [*pinned, *(name for name in names if name not in pinned)]
    a = choices.select(where, "System A", names, key="system")
    rivals = [name for name in names if name != a]
    pair = a, choices.select(where, "System B", rivals, key="rival", says="and {}".format)
    if memory.get("pair", pair) != pair and not memory.get("just-arrived"):
        memory.forget("topic")
    memory.put("pair", pair)
    return pair


def of_rankings(where: choices.Place, study: Study) -> None:
    """What two systems rank alike, for a track without judgments."""
    with page.part():
        a, b = _pair(where, list(study.systems))
        k = choices.view(st, RANKS, key="ranks", label="Ranks")
        shared = answers.ask(study, "comparison_overlap", a=a, b=b, k=k)
        section.ask(study, "comparison_overlap", answer=shared).say().draw(picks="topic").table()
        st.markdown("## Two rankings side by side")
        topic = choices.topic(st, study, list(dict.fromkeys(shared.table["topic"])))
        section.ask(study, "comparison_documents", a=a, b=b, topic=topic, k=k).say().draw().table()


CHOOSE, BEST = "", "*"  # no system is called so


def baseline(left: DeltaGenerator, right: DeltaGenerator, study: Study) -> dict[str, Any]:
    """The system that all others are compared with, and the correction; empty until one is chosen. The best system was
    chosen by its score, for which Tukey's test allows."""
    names = {CHOOSE: "Choose a baseline", BEST: "the best system, by Tukey's test"}
    chosen = choices.named(left, "Baseline", names | {name: name for name in study.systems}, key="baseline")
    tests = {name: row.label for name, row in evalcore.CORRECTIONS.items()} | {"dunnett": "Dunnett's test"}
    tests = {name: tests[name] for name in ("holm", *(key for key in tests if key != "holm"))}
    unused = chosen in (CHOOSE, BEST)
    correction = choices.named(right, "Correction", tests, key="correction", disabled=unused)
    if chosen == CHOOSE:
        st.caption("Choose the system that you want to improve on, for a reason other than its score; or the best.")
        return {}
    if chosen == BEST:
        return {"baseline": None, "correction": "tukey"}
    return {"baseline": chosen, "correction": correction}


FURTHEST = 3  # topics
RANKS = {20: "top 20", 10: "top 10", 50: "top 50"}


def widest_first(by_topic: pd.DataFrame) -> list[str]:
    """The topics, that with the largest difference first. by_topic : the table of `comparison_topics`"""
    return list(by_topic.loc[by_topic["difference"].abs().sort_values(ascending=False, kind="stable").index, "topic"])


def in_words(by_topic: pd.DataFrame, study: Study, a: str, b: str) -> None:
    """What the topics ask on which either system is furthest ahead, where a table of queries says so."""
    if not study.topic_texts:
        return
    rows = list(by_topic.itertuples())
    for place, name, best, sign in zip(st.columns(2), (a, b), (rows, rows[::-1]), (1, -1), strict=True):
        ahead = [row for row in best[:FURTHEST] if sign * row.difference > EQUAL]
        words = [f"- {md(topic_in_words(row.topic, study))} ({gain(abs(row.difference))})" for row in ahead]
        place.markdown("\n".join([f"**{md(name)}** is furthest ahead on", "", *(words or ["- no topic"])]))


def step_through(topics: Sequence[str], topic: str) -> None:
    """Buttons to the next topic and to the one before, in the order of the picture."""
    at = topics.index(topic)
    with st.container(horizontal=True):
        for label, step, key in (("Previous topic", -1, "left"), ("Next topic", 1, "right")):
            there = 0 <= at + step < len(topics)
            args = ("topic", topics[at + step]) if there else ()
            st.button(
                label, on_click=memory.take_click, args=args, disabled=not there, shortcut=key, key=f"topic{step}"
            )


def to_fill_in(answer: Answer) -> None:
    """The documents as lines of a qrels file, with a question mark for the grade."""
    rows = zip(answer.table["topic"], answer.table["document"], strict=True)
    lines = "".join(f"{topic} 0 {document} ?\n" for topic, document in rows)
    st.download_button(
        "Download as qrels lines to fill in", lines.encode(), "to-judge.qrels", "text/plain", on_click="ignore",
        help="Replace each question mark by a grade, and add the lines to your qrels.",
    )  # fmt: skip
