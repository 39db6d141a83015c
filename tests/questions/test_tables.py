"""Laws that every row of every table obeys, and what every row must say of itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating.estimators import canonical
from evalcore.metrics.metrics import METRICS, metric
from tests.examples import examples
from tests.small import small_study, tracks

KINDS = ("bounds", "guide", "point")
HALF = {-2: 0, -1: 0, 0: 0, 1: 0.25, 2: 0.5, 3: 0.5}  # gains of which none is 1


@pytest.mark.parametrize("row", [*evalcore.METRICS.values(), *evalcore.ESTIMATORS.values()], ids=lambda row: row.name)
def test_every_row_names_its_source_its_oracle_and_its_parameters(row):
    assert row.summary
    assert row.source
    assert row.oracle
    assert row.function.__doc__
    assert set(row.limits) <= set(row.parameters)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_reads_back_and_names_its_kind(name):
    made = metric(name)
    assert metric(made.name) == made
    assert made.kind in KINDS
    assert made.family.weighted == (made.kind == "bounds" and made.family.upper is None)


def test_ndcg_has_exact_bounds_down_to_rank_1000():
    assert [metric(name).kind for name in ("nDCG@1", "nDCG@1000", "nDCG@1001")] == ["bounds", "bounds", "guide"]


@pytest.mark.parametrize("name", evalcore.ESTIMATORS)
def test_every_estimator_reads_back(name):
    assert canonical(canonical(name)) == canonical(name)


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(), gains=st.sampled_from(["binary", "linear", "exponential", HALF]))
def test_scores_and_intervals_lie_between_0_and_the_highest_score(track, gains):
    runs, qrels = track
    study = small_study(runs, qrels, gains=gains)
    for name in METRICS:
        highest = metric(name).highest(study.judgments.scale)
        assert 0 < highest <= 1
        estimate = study.at().estimate(name)
        assert np.all((estimate.value >= 0) & (estimate.value <= highest + 1e-12))
        known = ~np.isnan(estimate.lower)
        assert np.all(estimate.lower[known] <= estimate.upper[known])
        assert np.all(estimate.upper[known] <= highest + 1e-12)


@pytest.mark.parametrize("gains", ["binary", "exponential", HALF], ids=str)
def test_a_ranking_without_judgments_may_have_the_highest_score(gains):
    study = small_study({"s": {"t": {"a": 2.0, "b": 1.0}}}, {"t": {"elsewhere": 2}}, gains=gains)
    for name in (name for name, row in METRICS.items() if row.kind == "bounds"):
        highest = metric(name).highest(study.judgments.scale)
        assert study.at().estimate(name).upper[0, 0] == pytest.approx(highest), name


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(systems=3), name=st.sampled_from([n for n, row in METRICS.items() if row.kind == "bounds"]))
def test_more_judgments_never_widen_bounds(track, name):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all", negative="judged")
    for by in ("depth", "judgments"):
        swept = study.at().sweep(name, [1, 2, 3, 5, 8], by=by)
        assert np.all(np.diff(swept.lower, axis=2) >= -1e-12)
        assert np.all(np.diff(swept.upper, axis=2) <= 1e-12)


@settings(max_examples=examples(150), deadline=None)
@given(data=st.data(), name=st.sampled_from([n for n, row in METRICS.items() if row.monotone]))
def test_moving_a_relevant_document_up_never_lowers_a_score(data, name):
    grades = data.draw(st.lists(st.sampled_from([None, 0, 0, 1, 2]), min_size=2, max_size=8))
    at = data.draw(st.integers(1, len(grades) - 1))
    judged = {f"d{rank}": grade for rank, grade in enumerate(grades) if grade is not None} | {"elsewhere": 1}
    if not grades[at]:
        judged[f"d{at}"] = 1
    if (judged.get(f"d{at - 1}") or 0) > judged[f"d{at}"]:
        return  # what it passes is more relevant: a swap for the worse
    order = [f"d{rank}" for rank in range(len(grades))]
    moved = [*order[: at - 1], order[at], order[at - 1], *order[at + 1 :]]
    runs = {
        label: {"t": {document: float(-rank) for rank, document in enumerate(ranking)}}
        for label, ranking in (("before", order), ("later", moved))
    }
    for gains in ("binary", "linear", "exponential"):
        before, later = small_study(runs, {"t": judged}, gains=gains).at().estimate(name).value[:, 0]
        assert later >= before - 1e-12


@pytest.mark.parametrize("name", evalcore.QUESTIONS)
def test_every_question_takes_plain_values_with_defaults(name):
    required = evalcore.QUESTIONS[name].parameters
    plain = (str, int, float, bool, tuple, type(None))
    without = [key for key, default in required.items() if not isinstance(default, plain)]
    needed = {"ranking": ["system", "topic"], "adjust_from_systems": ["system"], "adjust_from_topics": ["system"]}
    needed |= {"newcomer": ["system"]}
    assert without == needed.get(name, [])
    assert required.get("seed", 0) == 0
