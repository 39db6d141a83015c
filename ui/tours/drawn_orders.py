"""A page's experiment in several orders of judging by number: one order is one draw (METHODS 2.6)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

import evalcore
from evalcore.study import study_pool
from evalcore.study.study import Study
from ui.session import answers

if TYPE_CHECKING:
    from ui.session.notes import Experiment
    from ui.tours.printed_numbers import Printed

SEEDS = range(10)  # of the orders; 0 is the order of the pages
MOST = 1 << 23  # documents in the rankings of another track than the paper's; up to here it takes some two seconds


def added(experiments: Iterable[Experiment], rows: Sequence[Printed], study: Study) -> list[Experiment]:
    """The experiments, with their tables in every order where these rows show one that is by number of judgments.

    study : the open track; if it is not the paper's own, a large one is left out
    """
    is_small = math.prod(study.track.shape) <= MOST
    rows = [row for row in rows if row.by_number and (is_small or (row.track and row.track.is_of(study)))]
    return [
        experiment._replace(in_orders=_tables(experiment)) if any(row.on(experiment) for row in rows) else experiment
        for experiment in experiments
    ]


def _tables(experiment: Experiment) -> Sequence[pd.DataFrame]:
    """The table of each order; () if one cannot be computed, for lack of memory, say: the page has its own."""
    study, table = experiment.study, experiment.table
    if study is None or table is None:
        return ()
    with contextlib.suppress(ValueError, MemoryError), st.spinner("Judging in other orders …"):
        return [table, *(_table(study_pool.with_order(study, seed), experiment) for seed in SEEDS if seed)]
    return ()


def _table(study, experiment):
    """The same in one order, computed once: here, since sending a study to a worker takes longer."""
    question, params = experiment.question, experiment.params
    return answers.cached(study, question, params, partial(evalcore.ask, study, question, **params)).table
