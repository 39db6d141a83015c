"""Parts of Estimators: the estimators to compare with their parameters, and the agreement of orderings."""

import contextlib
from collections.abc import Sequence
from typing import Any

import streamlit as st

import evalcore
from evalcore.estimating.estimators import canonical, in_short, is_model
from ui.components import choices
from ui.layout import page

SAYS = {"rmse": "typical error", "accuracy": "share that is right", "order": "order of the systems"}
ERRORS = {"rmse": "Error (RMSE)", "accuracy": "Correct scores (Acc%)", "order": "Order of the systems"}
AGREEMENTS = {
    "tau_distance": "Share of swapped pairs",
    "tau": "Agreement of orderings (τ-b)",
    "distance": "Weighted distance",
    "distance_per_pair": "Weighted distance per pair",
}
STEPS = {"C": (1.0, 0.01, "%.2f"), "E": (1.0, 0.005, "%.3f"), "theta": (1.0, 0.001, "%.3f")}  # most, step, format
STARTS = {"theta": 0.018}  # of Lu, Moffat & Culpepper; the others start at the estimator's own values
SETTABLE = [name for name, row in evalcore.ESTIMATORS.items() if row.parameters.keys() & STEPS.keys()]
SETTABLE.sort(key=lambda name: name != "interpolated")
REFERENCES = (100, 80, 50, 20)  # top ranks; 100 in Lu, Moffat & Culpepper, or as deep as the pool
MODELS = ["two-stage-b", *(name for name, row in evalcore.ESTIMATORS.items() if row.model and name != "two-stage-b")]


def compared(where: choices.Place, metric: str) -> list[str]:
    """The names of the estimators to compare; the page shows an error for each name that cannot be read."""
    names = []
    for name in choices.estimators(where, metric):
        with page.part():
            canonical(name)
            names.append(name)
    return names or choices.COMPARED


def more(where: choices.Place, metric: str) -> dict[str, Any]:
    """The reference, and inputs for the parameters of an estimator with a button that adds it to those to compare.
    -> the reference as parameters of questions"""
    with where.popover("More choices", key="estimator-builder"):
        compared_with = _reference(st, metric)
        places = st.columns(3)
        name = places[0].selectbox("Estimator with parameters", SETTABLE, key="set-estimator")
        defaults = {key: value for key, value in evalcore.ESTIMATORS[name].parameters.items() if key in STEPS}
        values = {
            key: _value(place, name, key, default)
            for place, (key, default) in zip(places[1:], defaults.items(), strict=False)
        }
        written = in_short(f"{name}({', '.join(f'{key}={value:g}' for key, value in values.items())})")
        known = written in st.session_state["guesses"]
        st.button(f"Compare {written}", on_click=_add, args=(written,), key="add-estimator", disabled=known)
    return compared_with


def _reference(where, metric):
    """What estimates are compared with: all ranks with all judgments, or the top ranks."""
    names = {"all": "all judgments"} | {depth: f"all judgments to depth {depth}" for depth in REFERENCES}
    with contextlib.suppress(ValueError):  # an unknown name is refused where it is used
        if (dict(evalcore.metric(metric).values).get("k") or max(REFERENCES) + 1) <= min(REFERENCES):
            return {}  # all ranks of the metric are looked at
    note = "The scores that estimates are compared with. Ranks below the depth count as unknown."
    picked = choices.named(where, "Reference", names, key="reference", help=note)
    return {} if picked == "all" else {"reference_depth": picked}


def _value(place, name, parameter, default):
    most, step, form = STEPS[parameter]
    start = STARTS.get(parameter, default)
    value = place.number_input(parameter, 0.0, most, start, step, format=form, key=f"set-{name}-{parameter}")
    return round(value, 4)


def _add(name):
    st.session_state["guesses"] = list(dict.fromkeys([*st.session_state["guesses"], name]))


def formulas_first(names: Sequence[str]) -> list[Sequence[str]]:
    """The formulas among these estimators, which are computed at once, then all of them."""
    formulas = [name for name in names if not is_model(name)]
    return [formulas, names] if 0 < len(formulas) < len(names) else [names]
