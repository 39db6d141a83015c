"""Coverage, gamma and the gamma test, against the definitions and the figures that METHODS gives."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating.coverage import Coverage, coverage_of
from tests.estimating.test_rank_models import at, cases, cut, made_up
from tests.examples import examples
from tests.oracles import models as oracle
from tests.small import small_study

PRINTED = [  # (R, C, f_1, sum i(i-1) f_i), contributing systems, gamma: METHODS 6.5
    ((12, 67, 3, 864), 42, 0.028715),
    ((25, 326, 1, 6640), 42, 0.018001),
    ((37, 154, 15, 1564), 42, 0.031235),
    ((1, 1, 1, 0), 42, 0.0),
    ((2, 4, 1, 6), 1, 0.577350),
]


@pytest.mark.parametrize(("figures", "systems", "gamma"), PRINTED)
def test_gamma_as_printed(figures, systems, gamma):
    assert Coverage(*figures).variation / systems == pytest.approx(gamma, abs=5e-7)
    assert oracle.gamma_before_dividing(*figures) / systems == pytest.approx(gamma, abs=5e-7)


def test_one_document_seen_once_and_one_three_times():
    met = coverage_of([1, 3, 0, 0])
    assert (met.relevant, met.occurrences, met.once, met.repeats) == (2, 4, 1, 6)
    assert met.variation == pytest.approx(0.577350, abs=5e-7)
    assert met.expected == pytest.approx(2 / 0.75 + 4 * 0.25 / 0.75 / 3)


@pytest.mark.parametrize("times", [[], [0, 0], [1], [1, 1, 1]])
def test_where_nothing_is_met_twice_gamma_is_0_by_definition(times):
    met = coverage_of(times)
    assert met.variation == 0
    assert not met.defined
    assert math.isnan(met.expected)


@settings(max_examples=examples(100), deadline=None, derandomize=True)
@given(times=st.lists(st.integers(0, 9), max_size=15))
def test_equal_to_the_definition(times):
    f = {i: times.count(i) for i in set(times) if i}
    met = coverage_of(times)
    assert (met.relevant, met.occurrences, met.once, met.repeats) == oracle.sums(f)
    assert met.variation == pytest.approx(oracle.gamma_before_dividing(*oracle.sums(f)), abs=1e-9)
    assert met.covered == pytest.approx(oracle.coverage(f), nan_ok=True)
    assert met.expected == pytest.approx(oracle.chao_lee(f), nan_ok=True)


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    depths=st.lists(st.integers(1, 9), min_size=1, max_size=3, unique=True),
    theta=st.sampled_from([0.0, 0.018, 0.1, 0.5]),
    rel_level=st.sampled_from([1, 2]),
    gains=st.sampled_from(["binary", "exponential"]),
)
def test_the_question_against_the_definition(case, depths, theta, rel_level, gains):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, rel_level=rel_level, gains=gains)
    answer = evalcore.ask(study, "coverage", depths=depths, theta=theta)
    rows = {(row.depth, row.topic): row for row in answer.table.itertuples()}
    assert set(rows) == {(depth, topic) for depth in depths for topic in qrels}
    undefined = set()
    for (depth, topic), row in rows.items():
        here = at(runs, qrels, cut(runs, qrels, contributing, depth), contributing, topic, depth, rel_level=rel_level)
        f = oracle.occurrences(here["lists"], here["relevant"], depth)
        R, C, f_1, _ = oracle.sums(f)
        assert (row.relevant, row.occurrences, row.once) == (R, C, f_1)
        assert row.gamma == pytest.approx(oracle.gamma(f, len(contributing)), abs=1e-12)
        assert row.adjusted == oracle.is_adjusted(row.gamma, theta)
        assert row.chao_lee == pytest.approx(oracle.chao_lee(f), nan_ok=True)
        if R == 0 or C <= 1 or f_1 == C:
            undefined.add(topic)
    for topic in undefined:
        assert any(topic in note and "gamma is 0 by definition" in note for note in answer.notes)
    assert undefined or not any("gamma" in note for note in answer.notes)


def seen(times, systems):
    """Runs that retrieve document i in the first times[i] of them; every document is relevant."""
    runs = {f"s{s:02}": {"t": {f"d{i:02}": -float(i) for i, n in enumerate(times) if s < n}} for s in range(systems)}
    return runs, {"t": {f"d{i:02}": 1 for i in range(len(times))}}


def times_with(R, C, f_1, pairs):
    """Some times at which R documents were met that give these sums."""
    times = [1] * f_1 + [2] * (R - f_1)
    missing = C - sum(times)
    for _ in range(missing):  # raise the one that brings the squares nearest to what is wanted
        best = min(
            (i for i in range(f_1, R) if times[i] < 42),
            key=lambda i: abs(pairs - sum(x * (x - 1) for x in times) - 2 * times[i] * missing),
        )
        times[best] += 1
        missing -= 1
    for _ in range(400):  # move one over, as long as the squares come nearer
        off = pairs - sum(x * (x - 1) for x in times)
        moves = [
            (abs(off - 2 * (times[i] - times[j] + 1)), i, j)
            for i in range(f_1, R)
            for j in range(f_1, R)
            if i != j and times[j] > 2 and times[i] < 42
        ]
        if off == 0 or not moves:
            break
        _, i, j = min(moves)
        times[i] += 1
        times[j] -= 1
    return times


@pytest.mark.parametrize(("figures", "systems", "gamma"), PRINTED[:2])
def test_gamma_of_a_study_with_the_printed_figures(figures, systems, gamma):
    R, C, f_1, pairs = figures
    times = times_with(*figures)
    assert (len(times), sum(times), times.count(1), sum(i * (i - 1) for i in times)) == (R, C, f_1, pairs)
    study = small_study(*seen(times, systems), pooled="all")
    row = evalcore.ask(study, "coverage", depths=[R], theta=0.018).table.iloc[0]
    assert row["gamma"] == pytest.approx(gamma, abs=5e-7)
    assert bool(row["adjusted"]) == (gamma > 0.01805)  # .018001 rounds to .0180, which is not above .018


@pytest.mark.parametrize(
    "estimator", ["linear", "zipf", "weibull", "two-stage-a", "two-stage-b", "two-stage-b-printed"]
)
def test_a_topic_whose_gamma_is_not_above_theta_stays_at_its_lower_end(estimator):
    runs, qrels = made_up(7, systems=5, topics=4)
    study = small_study(runs, qrels, pooled="all")
    gammas = evalcore.ask(study, "coverage", depths=[4]).table.set_index("topic")["gamma"]
    theta = sorted(round(gamma, 4) for gamma in gammas)[1]  # one topic lies at theta: not above it
    assert gammas.max() > theta
    left = evalcore.ask(study, "estimates", depth=4, estimator=f"{estimator}(theta={theta})", reference_depth=15).table
    all_adjusted = evalcore.ask(study, "estimates", depth=4, estimator=estimator, reference_depth=15).table
    assert all_adjusted["adjusted"].all()
    assert left["adjusted"].tolist() == [round(gammas[topic], 4) > theta for topic in left["topic"]]
    assert 0 < left["adjusted"].sum() < len(left)
    expected = np.where(left["adjusted"], all_adjusted["value"], left["lower"])
    assert left["value"].to_numpy() == pytest.approx(expected, abs=1e-12)
    assert (all_adjusted["value"] > all_adjusted["lower"] + 1e-6).any()


def test_theta_0_adjusts_a_topic_whose_gamma_is_0():
    runs = {"s": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}, "u": {"t": {"d": 3.0, "e": 2.0, "f": 1.0}}}
    study = small_study(runs, {"t": {"a": 1, "d": 0}}, pooled="all")
    table = evalcore.ask(study, "estimates", depth=1, estimator="linear", reference_depth=3).table
    assert evalcore.ask(study, "coverage", depths=[1]).table["gamma"].tolist() == [0.0]
    assert table["adjusted"].all()
    assert (table["value"] > table["lower"]).all()


def test_formulas_have_no_gamma_test():
    runs, qrels = made_up(11, systems=5, topics=2)
    study = small_study(runs, qrels, pooled="all")
    assert evalcore.ask(study, "estimates", depth=4, estimator="rm", reference_depth=15).table["adjusted"].all()


def test_a_pool_without_some_systems_counts_only_the_others():
    runs, qrels = made_up(5, systems=4, topics=2)
    whole = small_study(runs, qrels, pooled="all").without_contribution_of(["s0"])
    fewer = small_study(runs, qrels, pooled=["s1", "s2", "s3"])
    ours, theirs = (evalcore.ask(study, "coverage", depths=[3, 6]).table for study in (whole, fewer))
    pd.testing.assert_frame_equal(ours, theirs)
