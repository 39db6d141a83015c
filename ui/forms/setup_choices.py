"""Parts of Orderings and Confidence: the setups that a visitor names, their ranks, and shards without relevant
documents."""

import streamlit as st

import evalcore
from evalcore.findings.confidence import undefined_changes
from ui.data import open_studies
from ui.layout import page, section
from ui.session import answers


def regimes_named(typed):
    """Setups by name; the page shows an error for each name that cannot be read."""
    setups = {}
    for name in typed:
        with page.part():
            regime = evalcore.regime(name)
            setups[regime.name] = regime
    return setups


def judged_for(study, regimes):
    """The study, with second judgments if one of these setups uses them. Raises ValueError if none are loaded."""
    if not any(regime.qrels for regime in regimes):
        return study
    judged = open_studies.judged_twice(study, open_studies.second_level())
    if judged.other is None:
        raise ValueError("qrels=other needs second judgments, and none are loaded. Load them on the Judgments page.")
    return judged


def places(judged, regimes):
    """system -> rank, for each of these setups, on the topics that they share."""
    shared = judged.on_shared_topics if any(one.qrels for one in regimes) else judged
    boards = [answers.ask(one.judged(shared), "leaderboard", **one.params).table for one in regimes]
    return [dict(zip(board["system"], board["rank"], strict=True)) for board in boards]


def partitions(study, model, **params):
    """Whether a model finds the same on other partitions, with few shards and with many."""
    if model == "MD1":
        st.markdown("MD1 uses the whole collection, without shards. Choose another model.")
        return
    cuts = {"takes": "Splitting the documents again …", "one_by_one": "shards", "shards": [2, 3, 5, 10, 25]}
    section.ask_at_length(study, "shard_stability", model=model, **cuts, **params).say().draw().table()


def undefined_shards(study, **params):
    """What changes in every model if shards without relevant documents get another score."""
    value = st.slider("Score of every system on such a shard", 0.0, 1.0, 0.5, 0.05, key="undefined")
    other = answers.ask(study, "models", undefined=value, **params)
    zero = answers.ask(study, "models", **params)
    section.say(undefined_changes(zero.table, other.table, value, params["metric"]), key="undefined")
    section.table(other, key="undefined-table", title=f"Every model, with {value:g} on such shards")
