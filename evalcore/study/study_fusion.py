"""A study's fused runs: what is fused of it, by which weights, and the study with the outcome as one system more."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection import pool_inference
from evalcore.collection.query_numbers import query_numbers
from evalcore.collection.track import Track
from evalcore.fusion.fused_runs import OVER, Inputs, joined, variations
from evalcore.fusion.methods import Rule
from evalcore.fusion.methods import rule as rule_named
from evalcore.study.study_data import SomeStudy, StudyData
from evalcore.vocabulary.registry import indices_of
from evalcore.vocabulary.validation import one_of, threshold


def inputs_of(
    study: StudyData, systems: str | Sequence[str] = "all", *, track: Track | None = None, over: str = "systems",
    weights: Sequence[float] | None = None, k: int | None = None,
) -> Inputs:  # fmt: skip
    """What is fused of a study, in its order. -> Inputs

    systems : "all", "pooled", "unpooled" or names; track : whose rankings; None = those looked at
    weights : None, a number for each system as they are listed, or for variations a column of the queries table
    """
    one_of("over", over, OVER)
    track = study.track if track is None else track
    named = isinstance(systems, str)
    inputs = np.flatnonzero(study.chosen(systems)) if named else indices_of(systems, track.systems, "system")
    if not len(inputs):
        raise ValueError(f"systems={systems!r} contains no system to fuse. Choose others.")
    in_order = np.argsort(inputs)  # whichever order they were named in
    of_each = _weights_of_systems(weights, inputs, over)
    return Inputs(
        track,
        inputs[in_order],
        over,
        None if of_each is None else of_each[in_order],
        variations_of(study, track),
        _weights_of_queries(study, weights, track) if isinstance(weights, str) else None,
        threshold("k", k),
    )


def fused(study: StudyData, rule: Rule, inputs: Inputs) -> Track:
    """What a rule makes of these inputs: a track. The last ones are kept with the study."""
    key = (inputs.track is study.whole_as_ranked, rule.name, *inputs.plain)
    return study.memo.fused.get(key, lambda: inputs.fused(rule))


def with_fused(
    study: SomeStudy, name: str, *, systems: str | Sequence[str] = "all", method: str = "rbc", phi: float | None = None,
    normalisation: str | None = None, over: str = "systems", weights: Sequence[float] | None = None,
    k: int | None = None, pooled: bool = False,
) -> SomeStudy:  # fmt: skip
    """The study with one system more, made of these: their rankings fused. It is in no group.

    method : a rule such as `rbc(phi=0.9)`; phi, normalisation : where it does not say them
    over, weights : see `inputs_of`; the variations of one system give a ranking that answers every query of the topic
    k : how deep its rankings are at most; None = 1000 documents, or as deep as the deepest of the track
    pooled : whether it counts as contributing to the pool
    """
    recipe = {"systems": systems, "method": method, "phi": phi, "normalisation": normalisation, "over": over}
    return _with_runs(study, [_fused_run(study, name, **recipe, weights=weights, k=k, pooled=pooled)])


def with_each_fused(study: SomeStudy, recipes: Sequence[Mapping[str, Any]], *, skip: bool = False) -> SomeStudy:
    """The study with several systems more, as by `with_fused` one after the other. The rankings of the study are copied
    once, or where fused runs are fused again, once for each step.

    recipes : arguments of `with_fused`, with the name; skip : leave out those that cannot be made. Raises ValueError
    """
    runs: list[FusedRun] = []
    for recipe in recipes:
        systems = recipe.get("systems", "all")
        if isinstance(systems, str) or not {run.name for run in runs}.isdisjoint({*systems, recipe["name"]}):
            study, runs = _with_runs(study, runs), []
        try:
            runs.append(_fused_run(study, **recipe))
        except ValueError:
            if not skip:
                raise
    return _with_runs(study, runs)


class FusedRun(NamedTuple):
    """A fused run: its name, its rankings as a track of one system, and how it was made, as plain values."""

    name: str
    track: Track
    recipe: dict[str, Any]


def _fused_run(
    study, name, *, systems="all", method="rbc", phi=None, normalisation=None, over="systems", weights=None, k=None,
    pooled=False,
):  # fmt: skip
    """One `FusedRun`; see `with_fused`."""
    if not isinstance(name, str) or not name or len(name.split()) != 1:
        raise ValueError(f"{name!r} is not a valid name for a system. Use a word, such as 'rbc'.")
    if name in study.whole.systems:
        raise ValueError(f"there already is a system {name!r}. Give the fused run another name.")
    rule = rule_named(method, phi=phi, normalisation=normalisation)
    chosen = [system for system, is_chosen in zip(study.systems, study.chosen(systems), strict=True) if is_chosen]
    chosen_names = list(dict.fromkeys(systems)) if not isinstance(systems, str) else chosen
    if over == "variations" and len(chosen_names) != 1:
        raise ValueError(
            f"over='variations' needs one system, but {len(chosen_names)} are given. Choose one, or over='both'."
        )
    fused_track = fused(
        study, rule, inputs_of(study, chosen_names, track=study.whole_as_ranked, over=over, weights=weights, k=k)
    )
    fused_track = replace(fused_track, pooled=np.array([bool(pooled)]))
    everything = isinstance(systems, str) and systems == "all" and "systems" not in study.scope
    description: dict[str, Any] = {
        "name": name,
        "systems": "all" if everything else chosen_names,
        "method": rule.name,
        "over": over,
    }
    description |= {} if k is None else {"k": threshold("k", k)}
    description |= {"pooled": True} if pooled else {}
    if weights is not None:
        description["weights"] = weights if isinstance(weights, str) else [float(weight) for weight in weights]
    return FusedRun(name, fused_track, description)


def _with_runs(study, runs):
    """The study with these fused runs as further systems. runs : a list of `FusedRun`"""
    if not runs:
        return study
    names = tuple(run.name for run in runs)
    visible = np.flatnonzero(np.isin(study.whole.queries, study.track.queries))
    track = joined(study.track, [run.track.only([0], visible) for run in runs], names)
    whole = track if study.whole is study.track else joined(study.whole, [run.track for run in runs], names)
    table = study.system_table
    for run in runs:
        table = _with_row(table, run.name, bool(run.track.pooled[0]))
    scope = study.scope | {"with_fused": [*study.scope.get("with_fused", ()), *(run.recipe for run in runs)]}
    if "systems" in scope:
        scope["systems"] = [*scope["systems"], *names]
    return replace(
        study,
        track=track,
        whole=whole,
        leads=pool_inference.leads_of(track, study.judgments),
        by_rank=None if study.by_rank is None else _in_place(study.by_rank, whole),
        system_table=table,
        scope=scope,
    )


def _in_place(by_rank, track):
    """The orders by rank column with the systems and ranks of a track, whose order is the one that they stand in."""
    order = np.broadcast_to(np.arange(track.shape[2], dtype=np.int32), track.shape[1:])
    K = by_rank.shape[2]
    own = (np.concatenate([row, order[:, K:]], axis=1) for row in by_rank)
    return track.filled(track.shape, np.int32, chain(own, repeat(order, len(track.systems) - len(by_rank))))


def _with_row(table, system, pooled):
    """The table of systems with a row for one that was made here, of which nothing else is known."""
    row = {column: np.nan if pd.api.types.is_numeric_dtype(table[column]) else "" for column in table}
    row |= {"system": system, "pooled": pooled}
    return pd.DataFrame({column: [*table[column], row[column]] for column in table})


# Weights


def variations_of(study: StudyData, track: Track | None = None) -> dict[int, NDArray[np.intp]]:
    """The `variations` of a track by the column weight of the queries table; what it says nothing of weighs 0."""
    track = study.track if track is None else track
    if "weight" not in study.query_table:
        return variations(track)
    return variations(track, np.nan_to_num(query_numbers(track.queries, study.query_table, "weight")))


def _weights_of_queries(study, column, track):
    """A column of the queries table as weights of a track's queries. float (Q,); ValueError for what is no weight."""
    values = query_numbers(track.queries, study.query_table, column)
    wrong = np.flatnonzero(~((values > 0) & np.isfinite(values)))
    if len(wrong):
        query = track.queries[wrong[0]]
        raise ValueError(f"column {column!r} of the queries table: query {query} needs a number above 0.")
    return values


def _weights_of_systems(weights, inputs, over):
    """The weights as float, one a system; None where there are none, or they are a column for variations."""
    if isinstance(weights, str) and over == "systems":
        raise ValueError(
            f"weights={weights!r}: a column can only give weights of variations. Give each system a number instead."
        )
    if weights is None or isinstance(weights, str):
        return None
    if over == "variations":
        raise ValueError(
            "weights: weights of variations come from a column of the queries table. Name it, such as 'weight'."
        )
    if np.shape(weights) != (len(inputs),):
        raise ValueError(
            f"{len(np.atleast_1d(weights))} weights for {len(inputs)} systems. Give each system one weight."
        )
    if wrong := [weight for weight in weights if not _is_weight(weight)]:
        raise ValueError(f"a weight of {wrong[0]!r:.80} is not valid; it must be a number above 0.")
    return np.array(weights, float)


def _is_weight(value: Any) -> bool:
    """Whether a value is a number above 0 that a float can be; a whole number may be larger."""
    return not isinstance(value, bool) and isinstance(value, Real) and 0 < value <= sys.float_info.max  # type: ignore[operator]
