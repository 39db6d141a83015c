"""Parts of Compare: the two systems, the next topic, and the judgments to fill in."""

import streamlit as st

from ui.components import choices
from ui.session import answers, memory


def pick(first, second, study, **cut):
    """The two systems: by default the best, or the one in focus on another page, and the next best. -> their names"""
    if len(study.systems) < 2:
        raise ValueError("a comparison needs at least two systems. Add another run on the Data page.")
    best = list(answers.ask(study, "leaderboard", limits=False, **cut).table["system"])
    a = choices.select(first, "System A", best, key="system")
    return a, choices.select(second, "System B", [name for name in best if name != a], key="rival")


def widest_first(by_topic):
    """The topics, that with the largest difference first. by_topic : the table of `comparison_topics`"""
    return list(by_topic.loc[by_topic["difference"].abs().sort_values(ascending=False, kind="stable").index, "topic"])


def step_through(topics, topic):
    """Buttons to the next topic and to the one before, in the order of the picture."""
    at = topics.index(topic)
    with st.container(horizontal=True):
        for label, step, key in (("Previous topic", -1, "left"), ("Next topic", 1, "right")):
            there = 0 <= at + step < len(topics)
            args = ("topic", topics[at + step]) if there else ()
            st.button(
                label, on_click=memory.take_click, args=args, disabled=not there, shortcut=key, key=f"topic{step}"
            )


def to_fill_in(answer):
    """The documents as lines of a qrels file, with a question mark for the grade."""
    rows = zip(answer.table["topic"], answer.table["document"], strict=True)
    lines = "".join(f"{topic} 0 {document} ?\n" for topic, document in rows)
    st.download_button(
        "Download as qrels lines to fill in", lines.encode(), "to-judge.qrels", "text/plain", on_click="ignore",
        help="Replace each question mark by a grade, and add the lines to your qrels.",
    )  # fmt: skip
