"""The same study in another order of judging by number, against the definitions: loops over seeds in plain Python."""

import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.study.study_pool import with_order
from tests.estimating.test_estimate_questions import GRID, plain_errors
from tests.estimating.test_rank_models import made_up
from tests.examples import examples
from tests.oracles import orderings as oracle_orderings
from tests.oracles import pool as oracle
from tests.small import small_study, tracks
from ui.session import notes
from ui.tours import drawn_orders

SEEDS = range(10)
POOLED = ["s0", "s1", "s2"]
SEPARABLE = {"metrics": ["P@3", "RBP(p=0.8)"], "estimators": ["lower", "rm"], "judgments": 20, "level": 0.2}


@pytest.fixture
def case():
    return made_up(53, systems=5, topics=5)


def study_of(case):
    return small_study(*case, pooled=POOLED)


def first(case, count, seed):
    runs, qrels = case
    return oracle.first_judgments(qrels, oracle.pool_ranks(runs, POOLED), count, seed=seed)


def in_force(study, count):
    """The (topic, document) of the first judgments of a study."""
    items = study.at(judgments=count).judgments.pooled_items
    topics = [study.track.topics[topic] for topic in study.track.topic_of_item[items]]
    return set(zip(topics, study.track.documents(items), strict=True))


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(), seed=st.integers(0, 9), count=st.integers(1, 12))
def test_the_first_judgments_are_those_of_the_definition(track, seed, count):
    runs, qrels = track
    pooled = sorted(runs)[:2]
    study = with_order(small_study(runs, qrels, pooled=pooled), seed)
    expected = oracle.first_judgments(qrels, oracle.pool_ranks(runs, pooled), count, seed=seed)
    assert in_force(study, count) == {(topic, doc) for topic, judged in expected.items() for doc in judged}


def test_orders_differ_and_the_first_is_that_of_the_pages(case):
    study = study_of(case)
    assert len({frozenset(in_force(with_order(study, seed), 8)) for seed in SEEDS}) == len(SEEDS)
    assert with_order(study, 0).judging_order.tolist() == study.judging_order.tolist()
    assert with_order(study, 0).digest == study.digest
    assert len({with_order(study, seed).digest for seed in SEEDS}) == len(SEEDS)


def asked(study):
    """What is cached by number of judgments: places, ends, sweeps, evidence and what is learnt of it."""
    reading = study.at(judgments=12)
    sweep = study.at().sweep("P@3", [4, 12], by="judgments", estimator="rm")
    return [
        study.at(judgments=4).places.item,  # the last that the sweep of AP leaves
        reading.estimate("P@3", estimator="two-stage-b").value,
        reading.estimate("AP", estimator="upper").value,
        study.at().sweep("AP", [4, 12], by="judgments").value,
        sweep.value,
        reading.values("nDCG"),
        np.array([evidence.depth for _, evidence in reading.evidence()]),
    ]


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_nothing_computed_in_one_order_is_taken_for_another(case):
    study = study_of(case)
    page = asked(study)
    for seed in SEEDS:
        fresh = asked(replace(study_of(case), order_seed=seed))
        other = with_order(study, seed)
        assert same(asked(other), fresh)
        assert same(asked(other.only(systems=study.systems)), fresh)  # which shares what was learnt of the pool
        assert same(asked(study), page)
        assert same(asked(with_order(other, 0)), page)
        assert same(page, fresh) is (seed == 0)


def test_a_process_that_has_another_order_shares_nothing_with_it(case):
    """As `workers.work` gets and keeps studies."""
    study, other = study_of(case), with_order(study_of(case), 3)
    page, expected = asked(study), asked(other)
    sent = pickle.loads(pickle.dumps(replace(with_order(study, 3))))
    sent.share_pool(study)
    assert sent.memo.evidence is not study.memo.evidence
    assert same(asked(sent), expected)
    assert not same(expected, page)
    narrower = sent.only(systems=["s1", "s0"])
    narrower.share_pool(sent)
    assert narrower.memo.evidence is sent.memo.evidence


def test_the_order_remains_when_the_study_is_narrowed_or_its_contributors_change(case):
    other = with_order(study_of(case), 4)
    assert in_force(other.only(systems=["s3"]), 8) == in_force(other, 8)
    assert other.only(topics=["t1"]).order_seed == other.without_contribution_of(["s0"]).order_seed == 4


# ---- the two questions of the first tour


def experiment(study, question, **params):
    answer = evalcore.ask(study, question, **params)
    return notes.Experiment(question, answer.params, answer.table, study)


def row_of(question, *, own=False, by_number=True):
    track = SimpleNamespace(is_of=lambda study: own)
    return SimpleNamespace(by_number=by_number, on=lambda one: one.question == question, track=track)


@pytest.fixture
def asked_for(monkeypatch):
    """The orders that were computed, each with its question; the cache is empty at first."""
    found, cache = [], {}

    def cached(study, name, params, make):
        if (study.digest, name) not in cache:
            found.append((study.order_seed, name))
            cache[study.digest, name] = make()
        return cache[study.digest, name]

    monkeypatch.setattr(drawn_orders.answers, "cached", cached)
    return found


def in_orders(of_page, asked_for):
    """The tables of an experiment in ten orders, each computed once."""
    row, other = row_of(of_page.question), experiment(of_page.study, "leaderboard")
    for _ in range(2):
        added, unchanged = drawn_orders.added([of_page, other], [row, row], of_page.study)
        assert unchanged is other
        assert asked_for == [(seed, of_page.question) for seed in range(1, 10)]
    return added.in_orders


@pytest.mark.parametrize("estimator", ["interpolated", "smoothed"])
def test_the_least_errors_are_those_of_a_loop_over_seeds(case, estimator, asked_for):
    params = {"metric": "P@3", "estimator": estimator, "judgments": [10, 30]}
    study = study_of(case)
    tables = in_orders(experiment(study, "constants", **params), asked_for)
    least = []
    for seed, table in zip(SEEDS, tables, strict=True):
        best = table[table["best"]].iloc[0]
        C, E = round(best["C"], 2), round(best["E"], 2)
        cuts = [first(case, count, seed) for count in (10, 30)]
        found = plain_errors((*case, POOLED), "P@3", estimator, cuts, "binary", [*GRID, (C, E)])
        assert best["rmse_plain"] == pytest.approx(found[C, E], abs=1e-9)
        assert found[C, E] <= min(error for (_, E), error in found.items() if E <= 1) + 1e-12
        least.append(found[C, E])
    assert len({round(error, 9) for error in least}) == len(SEEDS)


def test_the_significant_pairs_are_those_of_a_loop_over_seeds(case, asked_for):
    tables = in_orders(experiment(study_of(case), "separability_by_metric", **SEPARABLE), asked_for)
    runs, qrels = case
    for seed, table in zip(SEEDS, tables, strict=True):
        few = first(case, SEPARABLE["judgments"], seed)
        for row in table.itertuples():
            scores = [
                oracle_orderings.topic_scores(row.metric, runs, judged, pooled=POOLED, estimator=row.estimator)
                for judged in (few, qrels)
            ]
            found = row.separable, row.reversed, row.opposite
            assert found == pytest.approx(oracle_orderings.separability(*scores, SEPARABLE["level"]))
    assert len({tuple(table["separable"]) for table in tables}) > 1
    assert len({tuple(table["separable_final"]) for table in tables}) == 1


def test_the_page_s_table_is_the_first(case, asked_for):
    of_page = experiment(study_of(case), "separability_by_metric", **SEPARABLE)
    first_table = in_orders(of_page, asked_for)[0]
    assert first_table is of_page.table
    again = evalcore.ask(with_order(study_of(case), 0), of_page.question, **of_page.params).table
    pd.testing.assert_frame_equal(first_table, again)


def test_other_orders_are_computed_only_where_they_are_shown(case, asked_for, monkeypatch):
    of_page = experiment(study_of(case), "separability_by_metric", **SEPARABLE)
    question, study = of_page.question, of_page.study

    def orders(row, one=of_page):
        (added,) = drawn_orders.added([one], [row], study)
        return len(added.in_orders)

    assert orders(row_of(question, by_number=False)) == orders(row_of("constants")) == 0
    assert orders(row_of(question), of_page._replace(study=None)) == 0
    monkeypatch.setattr(drawn_orders, "MOST", 1)
    assert orders(row_of(question)) == 0
    assert not asked_for
    assert orders(row_of(question, own=True)) == len(SEEDS)


def test_where_an_order_is_refused_the_page_s_own_number_stays(case, monkeypatch):
    def refused(*_):
        raise ValueError("separability_by_metric needs more memory than is available.")

    monkeypatch.setattr(drawn_orders.answers, "cached", refused)
    of_page = experiment(study_of(case), "separability_by_metric", **SEPARABLE)
    (added,) = drawn_orders.added([of_page], [row_of(of_page.question)], of_page.study)
    assert not added.in_orders
    assert added.table is of_page.table
