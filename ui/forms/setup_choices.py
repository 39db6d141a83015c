"""Parts of Orderings and Confidence: the setups that a visitor names, their ranks, and shards without relevant
documents."""

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

import evalcore
from evalcore.estimating.estimators import allowed_for
from evalcore.findings.confidence import undefined_changes
from evalcore.statistics.setups import Regime
from evalcore.study.study import Study
from ui.components import choices
from ui.data import additions
from ui.layout import page, section
from ui.session import answers

UNJUDGED = {"irrelevant": "not relevant", "condensed": "removed"}
USUAL_DEPTH = 10
BUILDER = "setup-builder"


def regimes_named(typed: Sequence[str]) -> dict[str, Regime]:
    """Setups by name; the page shows an error for each name that cannot be read."""
    setups = {}
    for name in typed:
        with page.part():
            regime = evalcore.regime(name)
            setups[regime.name] = regime
    return setups


def builder(where: choices.Place, study: Study, regimes: Iterable[Regime]) -> None:
    """Pickers for one more setup, and a button that compares all estimators at the chosen judgments, else at the
    deepest pool of the setups that the page compares."""
    with where.popover("Add a way of scoring", key=BUILDER, on_change="rerun"):
        places = [*st.columns(2), *st.columns(2)]
        metric = places[0].selectbox("Metric", choices.METRICS, key="setup-metric", accept_new_options=True)
        depths = {None: "all judgments"} | {depth: f"pool depth {depth}" for depth in range(1, study.depth + 1)}
        depth = places[1].selectbox("Judgments", list(depths), format_func=depths.__getitem__, key="setup-depth")
        unjudged = places[2].selectbox(
            "Unjudged documents", list(UNJUDGED), format_func=UNJUDGED.__getitem__, key="setup-unjudged"
        )
        estimator = places[3].selectbox("Estimator", list(evalcore.ESTIMATORS), key="setup-estimator")
        with page.part(), st.container(horizontal=True):
            metric = evalcore.metric(metric)
            setup = Regime(depth=depth, metric=metric.name, unjudged=unjudged, estimator=estimator)
            st.button("Add this setup", on_click=_add, args=([setup.name],), disabled=_is_without_effect(setup))
            depths_shown = [regime.depth for regime in regimes if regime.depth]
            depth = depth or max(depths_shown, default=min(USUAL_DEPTH, study.depth))
            every = _with_every_estimator(metric, depth)
            label = f"Compare all estimators at pool depth {depth}"
            st.button(label, on_click=_replace, args=(every,), disabled=metric.kind == "point", key="every-estimator")


def _is_without_effect(setup):
    """Whether an estimator is chosen for scores without an interval."""
    has_interval = setup.unjudged == "irrelevant" and evalcore.metric(setup.metric).kind != "point"
    return setup.estimator != "lower" and not has_interval


def _with_every_estimator(metric, depth):
    """The names of the setups at this depth with each estimator that the metric allows, after all judgments."""
    at_depth = [Regime(depth, metric=metric.name, estimator=name).name for name in estimators_of(metric.name)]
    return [Regime(metric=metric.name).name, *at_depth]


def estimators_of(metric: str) -> list[str]:
    """The names of the estimators that change scores on a metric, `lower` first."""
    return allowed_for(evalcore.metric(metric), list(evalcore.ESTIMATORS))


def _add(names):
    st.session_state["regimes"] = list(dict.fromkeys([*st.session_state["regimes"], *names]))


def _replace(names):
    st.session_state["regimes"] = names
    st.session_state[BUILDER] = False  # closed, because it covers the grid


def judged_for(study: Study, regimes: Iterable[Regime]) -> Study:
    """The study, with second judgments if one of these setups uses them. Raises ValueError if none are loaded."""
    if not any(regime.qrels for regime in regimes):
        return study
    judged = additions.attached_to(study, "other")
    if judged.other is None:
        raise ValueError("qrels=other needs second judgments, and none are loaded. Load them on the Judges page.")
    return judged


def ranks_under(judged: Study, regimes: Sequence[Regime]) -> list[dict[str, Any]]:
    """system -> rank, for each of these setups, on the topics that they share."""
    shared = judged.on_shared_topics if any(setup.qrels for setup in regimes) else judged
    boards = [answers.ask(setup.judged(shared), "leaderboard", **setup.params).table for setup in regimes]
    return [dict(zip(board["system"], board["rank"], strict=True)) for board in boards]


def partitions(study: Study, model: str, **params: Any) -> None:
    """Whether a model finds the same on other partitions, with few shards and with many."""
    if model == "MD1":
        st.markdown("MD1 uses the whole collection, without shards. Choose another model.")
        return
    cuts: dict[str, Any] = {
        "takes": "Splitting the documents again …",
        "growing": ("shards", section.prefixes(list(choices.SHARD_COUNTS))),
    }
    section.ask_at_length(study, "shard_stability", model=model, **cuts, **params).say().draw().table()


def undefined_shards(study: Study, **params: Any) -> None:
    """What changes in every model if shards without relevant documents get another score."""
    value = st.slider(
        "Score of every system on a shard without relevant documents", 0.0, 1.0, 0.5, 0.05, key="undefined"
    )
    other = answers.ask(study, "models", undefined=value, **params)
    zero = answers.ask(study, "models", **params)
    section.say(undefined_changes(zero.table, other.table, value, params["metric"]), key="undefined")
    section.table(
        other, key="undefined-table", title=f"Every model, with {value:g} on shards without relevant documents"
    )
