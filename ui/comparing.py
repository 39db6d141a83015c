"""What Orderings and Confidence have beside their questions: ways of measuring as a visitor names them, the places that
they give, and what shards that hold nothing to count change."""

import streamlit as st

import evalcore
from evalcore.questions.confidence import undefined_changes
from ui import page, session, studies


def regimes_named(typed):
    """The ways of measuring of these names: name -> regime; of a name that cannot be read it is said why."""
    found = {}
    for name in typed:
        with page.part():
            regime = evalcore.regime(name)
            found[regime.name] = regime
    return found


def judged_for(study, regimes):
    """The study, with the second qrels beside it where one of these ways of measuring goes by that. Raises
    ValueError."""
    if not any(regime.qrels for regime in regimes):
        return study
    judged = studies.judged_twice(study, studies.second_level())
    if judged.other is None:
        raise ValueError("qrels=other is by a second qrels, and there is none: load it on the Judgments page.")
    return judged


def places(judged, regimes):
    """system -> place, by each of these ways of measuring, on the topics that all of them know."""
    shared = judged.on_shared_topics if any(one.qrels for one in regimes) else judged
    boards = [session.ask(one.judged(shared), "leaderboard", **one.asked).table for one in regimes]
    return [dict(zip(board["system"], board["rank"], strict=True)) for board in boards]


def partitions(study, model, **asked):
    """Whether what a model says is the same on partitions that are drawn anew, into few shards and into many."""
    if model == "MD1":
        st.markdown("MD1 takes the whole collection, uncut. Choose another model.")
        return
    cuts = {"takes": "Cutting the documents anew …", "one_by_one": "shards", "shards": [2, 3, 5, 10, 25]}
    page.show_at_length(study, "shard_stability", model=model, **cuts, **asked)


def undefined_shards(study, **asked):
    """What becomes of every model where shards that hold nothing to count get another score."""
    value = st.slider("The score that such a shard gives every system", 0.0, 1.0, 0.5, 0.05, key="undefined")
    other = session.ask(study, "models", undefined=value, **asked)
    zero = session.ask(study, "models", **asked)
    page.finding(undefined_changes(zero.table, other.table, value, asked["metric"]), key="undefined")
    page.give(other, key="undefined-table", title=f"Every model, such shards holding {value:g}")
