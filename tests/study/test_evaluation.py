"""Scores of a study under some of its judgments: sweeps, what is remembered, and interval ends, against the oracles.

A study remembers what it computed, so each side of a comparison is a study of its own, or the oracle.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalcore.metrics.metrics import METRICS, metric
from evalcore.study.evaluation import UNJUDGED
from tests.estimating.test_rank_models import at, estimated, made_up
from tests.examples import examples
from tests.oracles import estimates as oracle_estimates
from tests.oracles import metrics as oracle
from tests.oracles import models as oracle_models
from tests.oracles import pool as oracle_pool
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, tracks

USUAL = [name for row in METRICS.values() for name in row.usual]
GAINS = ["binary", "linear", "exponential", {0: 0.0, 1: 0.25, 2: 0.5, 3: 0.75}]
EMPTY = ["unknown", "not relevant"]
pooled_tracks = tracks().flatmap(
    lambda track: st.tuples(st.just(track), st.lists(st.sampled_from(sorted(track[0])), min_size=1, unique=True))
)


def cut(runs, qrels, contributing, by, threshold):
    """The judgments at a pool depth, or the first so many."""
    ranks = oracle_pool.pool_ranks(runs, contributing)
    judgments_of = oracle_pool.judgments_at_depth if by == "depth" else oracle_pool.first_judgments
    return judgments_of(qrels, ranks, threshold)


def definition(name, study, runs, qrels, in_force, *, unjudged="irrelevant", empty="unknown", gains="binary"):
    """(value, lower, upper) of each ranking of a judged topic, by its place (system, query) in the study."""
    table = {"gains": gains, "g_max": g_max_of(qrels)}
    by_cell = {}
    for (s, system), (q, query) in product(enumerate(study.systems), enumerate(study.track.queries)):
        if query in qrels:
            run = runs[system].get(query, {})
            value = oracle.value(name, run, in_force[query], unjudged=unjudged, **table)
            no_interval = oracle.NAN, oracle.NAN
            ends = oracle.bounds(name, run, in_force[query], empty=empty, **table)
            by_cell[s, q] = (value, *(no_interval if unjudged == "condensed" else ends))
    return by_cell


def assert_is(estimate, expected, at=...):
    """That an estimate, or its part at one threshold, is the definition."""
    for (s, q), row in expected.items():
        ours = [getattr(estimate, end)[s, q, at].item() for end in ("value", "lower", "upper")]
        assert ours == pytest.approx(row, abs=1e-9, nan_ok=True)


# ---------------------------------------------------------------- sweeps


@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("by", ["depth", "judgments"])
@pytest.mark.parametrize("name", USUAL)
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=pooled_tracks, thresholds=st.sampled_from([[1, 2, 4, 7], [2], [3, 100]]))
def test_a_sweep_is_each_cut_by_itself(name, by, unjudged, case, thresholds):
    (runs, qrels), contributing = case
    study = small_study(runs, qrels, pooled=contributing)
    swept = study.at(unjudged=unjudged).sweep(name, thresholds, by=by)
    for place, threshold in enumerate(thresholds):
        fresh = small_study(runs, qrels, pooled=contributing).at(**{by: threshold}, unjudged=unjudged).estimate(name)
        for end in ("value", "lower", "upper", "upper_listed"):
            np.testing.assert_allclose(getattr(swept, end)[..., place], getattr(fresh, end), atol=1e-12)
        assert swept.kind == fresh.kind
        in_force = cut(runs, qrels, contributing, by, threshold)
        assert_is(swept, definition(name, study, runs, qrels, in_force, unjudged=unjudged), place)


@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("by", ["depth", "judgments"])
@pytest.mark.parametrize("estimator", ["interpolated", "rm", "linear", "two-stage-b"])
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=pooled_tracks, name=st.sampled_from(["P@3", "RBP(p=0.8)", "SDCG@5"]), gains=st.sampled_from(GAINS))
def test_a_sweep_of_estimates_is_each_cut_by_itself(estimator, by, unjudged, case, name, gains):
    (runs, qrels), contributing = case
    qrels = {topic: {D: max(grade, 0) for D, grade in judged.items()} for topic, judged in qrels.items()}

    def reading(**in_force):
        return small_study(runs, qrels, pooled=contributing, gains=gains).at(**in_force, unjudged=unjudged)

    swept = reading().sweep(name, [1, 2, 5], by=by, estimator=estimator)
    for place, threshold in enumerate([1, 2, 5]):
        fresh = reading(**{by: threshold}).estimate(name, estimator=estimator)
        for end in ("value", "lower", "upper"):
            np.testing.assert_allclose(getattr(swept, end)[..., place], getattr(fresh, end), atol=1e-12)
        assert swept.kind == fresh.kind


@pytest.mark.parametrize("name", [*USUAL, "Judged@3"])
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=pooled_tracks)
def test_values_as_judging_goes_on_are_the_definition(name, case):
    (runs, qrels), contributing = case
    assume(qrels)
    study = small_study(runs, qrels, pooled=contributing)
    ours = study.at().values_as_judged(name, study.judging_order, [1, 2, 5])
    for place, count in enumerate([1, 2, 5]):
        in_force = cut(runs, qrels, contributing, "judgments", count)
        for cell, (value, *_) in definition(name, study, runs, qrels, in_force).items():
            assert ours[(*cell, place)] == pytest.approx(value, abs=1e-9)


# ---------------------------------------------------------------- what is remembered

RUNS = {
    "a": {"1": {"x": 5.0, "y": 4.0, "z": 3.0, "w": 2.0}, "2": {"u": 2.0, "v": 1.0}},
    "b": {"1": {"y": 5.0, "q": 4.0, "w": 3.0, "x": 2.0}, "2": {"v": 2.0, "s": 1.0}},
    "new": {"1": {"k": 5.0, "w": 4.0, "y": 3.0}, "2": {"s": 4.0, "u": 3.0, "m": 2.0, "v": 1.0}},
}
QRELS = {"1": {"x": 1, "y": 2, "z": 0, "w": 1, "q": 0}, "2": {"u": 1, "v": 1, "s": 2}}
POOLED = ["a", "b"]
ASKED = [
    *product(["estimate"], ["depth", "judgments"], [2, 3], UNJUDGED),
    *product(["sweep"], ["depth", "judgments"], [(1, 2), (2, 3)], UNJUDGED),
]


@lru_cache
def remembered_definition(name, by, threshold, unjudged):
    in_force = cut(RUNS, QRELS, POOLED, by, threshold)
    return definition(name, small_study(RUNS, QRELS), RUNS, QRELS, in_force, unjudged=unjudged)


def check_asked(study, name, how, by, threshold, unjudged):
    if how == "estimate":
        estimate = study.at(**{by: threshold}, unjudged=unjudged).estimate(name)
        assert_is(estimate, remembered_definition(name, by, threshold, unjudged))
        return
    swept = study.at(unjudged=unjudged).sweep(name, threshold, by=by)
    for place, each in enumerate(threshold):
        assert_is(swept, remembered_definition(name, by, each, unjudged), place)


@pytest.mark.parametrize("name", ["RBP(p=0.8)", "INST(T=1)", "AP", "nDCG@10", "bpref"])
def test_no_answer_is_that_to_an_earlier_question(name):
    """Estimates and sweeps, by depth and by count, with unjudged documents irrelevant or taken out: each right after
    each of the others."""
    for before, after in permutations(ASKED, 2):
        study = small_study(RUNS, QRELS, pooled=POOLED)
        check_asked(study, name, *before)
        check_asked(study, name, *after)


@pytest.mark.parametrize("names", [("RBP(p=0.8)", "RBP(p=0.95)"), ("nDCG", "nDCG@10"), ("INST(T=1)", "INST(T=3)")])
def test_metrics_of_a_family_are_not_mixed_up(names):
    study = small_study(RUNS, QRELS, pooled=POOLED)
    for asked, name in product(ASKED, names):
        check_asked(study, name, *asked)


@pytest.mark.parametrize("name", ["RBP(p=0.8)", "INST(T=1)", "AP", "nDCG@10"])
def test_the_answers_to_these_questions_differ(name):
    """Else the test above could not notice a mix-up. (bpref passes over unjudged documents either way.)"""
    cases = [*product(["depth", "judgments"], [1, 2, 3], UNJUDGED)]
    assert len({str(remembered_definition(name, *case)) for case in cases}) == len(cases)


@pytest.mark.parametrize("gains", ["linear", "exponential"])
def test_models_do_not_mix_up_what_was_learnt(gains):
    """What documents earn under P is not what they earn under RBP, nor what one cut shows what another does."""
    asked = [*product(["P@3", "RBP(p=0.8)"], ["depth", "judgments"], [1, 2, 3], ["linear", "two-stage-b"])]
    fresh = {}
    for name, by, threshold, estimator in asked:
        study = small_study(RUNS, QRELS, pooled=POOLED, gains=gains)
        fresh[name, by, threshold, estimator] = study.at(**{by: threshold}).estimate(name, estimator=estimator).value
    for asked_in_order in (asked, asked[::-1]):
        study = small_study(RUNS, QRELS, pooled=POOLED, gains=gains)
        for name, by, threshold, estimator in asked_in_order:
            ours = study.at(**{by: threshold}).estimate(name, estimator=estimator).value
            assert ours.tolist() == fresh[name, by, threshold, estimator].tolist()


def test_what_is_remembered_cannot_be_written_to():
    study = small_study(RUNS, QRELS, pooled=POOLED)
    for name, unjudged in product(["RBP(p=0.8)", "AP"], UNJUDGED):
        for estimate in (
            study.at(depth=2, unjudged=unjudged).estimate(name),
            study.at(unjudged=unjudged).sweep(name, [1, 3]),
            study.at(depth=3, unjudged=unjudged).estimate(name),  # of the sweep
        ):
            with pytest.raises(ValueError, match="read-only"):
                estimate.upper[:] = 9


# ---------------------------------------------------------------- judgments given in place of a cut


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("name", [*USUAL, "Judged@3"])
def test_given_judgments_may_name_documents_that_the_qrels_do_not(name, unjudged, empty):
    fewer = {"1": {"x": 0, "y": 2}, "2": {"u": 0}}
    given = small_study(RUNS, QRELS, pooled=POOLED, empty=empty).judgments
    study = small_study(RUNS, fewer, pooled=POOLED, empty=empty)
    expected = definition(name, study, RUNS, QRELS, QRELS, unjudged=unjudged, empty=empty)
    reading = study.at(judgments=given, unjudged=unjudged)
    of_all = definition(name, study, RUNS, fewer, fewer, unjudged=unjudged, empty=empty)
    for _ in range(2):  # what is remembered of all judgments is not that of given ones
        assert_is(study.at(unjudged=unjudged).estimate(name), of_all)
        assert_is(reading.estimate(name), expected)
    values = reading.values(name)
    assert {cell: values[cell] for cell in expected} == pytest.approx({cell: row[0] for cell, row in expected.items()})


@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("name", ["P@10", "RBP(p=0.95)", "SDCG@20", "INST(T=1)", "RR", "nDCG@2", "nDCG@4"])
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(track=tracks(grades=(0, 1, 2)), k=st.integers(1, 5))
def test_ranks_that_are_not_looked_at_are_unknown(name, unjudged, track, k):
    runs, qrels = track
    study = small_study(runs, qrels)
    top = {system: {q: order(run)[:k] for q, run in answered.items()} for system, answered in runs.items()}
    expected = definition(name, study, top, qrels, qrels, unjudged=unjudged)
    assert_is(study.at(unjudged=unjudged).estimate(name, ranks=k), expected)


# ---------------------------------------------------------------- INST's T for each query

HOPES = {"1": 0.5, "2": 4.0, "3": 1e6}


def hoping(runs, qrels, hopes, **options):
    study = small_study(runs, qrels, pooled="all", **options)
    table = pd.DataFrame({"query": list(hopes), "hope": list(hopes.values())})
    return replace(study, query_table=table)


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("places_at_once", [1, 1 << 19])
def test_inst_hopes_for_what_the_queries_table_gives_each_query(monkeypatch, places_at_once, unjudged, empty):
    """The rows of the table are in another order than the queries, and rankings may be scored one at a time."""
    monkeypatch.setattr("evalcore.collection.judged_positions.BLOCK", places_at_once)
    runs = {
        "a": {"1": {"x": 3.0, "y": 2.0}, "2": {"y": 3.0, "x": 2.0, "z": 1.0}, "3": {"x": 1.0}},
        "b": {"1": {"y": 3.0, "z": 2.0, "x": 1.0}, "2": {"x": 3.0}, "3": {"z": 2.0, "y": 1.0}},
    }
    qrels = {topic: {"x": 1, "y": 0} for topic in HOPES}
    fresh = [hoping(runs, qrels, dict(reversed(HOPES.items())), empty=empty).at(unjudged=unjudged) for _ in range(3)]
    estimate, values = fresh[0].estimate("INST(T=hope)"), fresh[1].values("INST(T=hope)")
    swept = fresh[2].sweep("INST(T=hope)", [1, 3])
    some = np.array([[False, True, True], [True, False, True]])
    of_some = dict(zip(zip(*np.nonzero(some), strict=True), fresh[1].values("INST(T=hope)", some), strict=True))
    for q, (query, T) in enumerate(HOPES.items()):
        alone = {query: qrels[query]}
        name = f"INST(T={T:.1f})"
        expected = definition(name, fresh[0].study, runs, alone, alone, unjudged=unjudged, empty=empty)
        assert_is(estimate, expected)
        assert_is(swept, expected, 1)
        in_force = cut(runs, qrels, sorted(runs), "depth", 1)
        shallow = definition(name, fresh[0].study, runs, alone, in_force, unjudged=unjudged, empty=empty)
        assert_is(swept, shallow, 0)
        for s in range(2):
            assert values[s, q] == pytest.approx(expected[s, q][0], abs=1e-9)
            assert of_some.get((s, q), expected[s, q][0]) == pytest.approx(expected[s, q][0], abs=1e-9)


@pytest.mark.parametrize("wrong", [0.49, 1.1e6, np.nan])
def test_a_query_that_a_run_answers_needs_a_hope(wrong):
    runs, qrels = {"a": {"1": {"x": 1.0}}, "b": {}}, {"1": {"x": 1}, "2": {"x": 1}}
    with pytest.raises(ValueError, match=r"column 'hope' of the queries table: query 1 needs a number from .5 to"):
        hoping(runs, qrels, {"1": wrong, "2": 1.0}).at().estimate("INST(T=hope)")
    estimate = hoping(runs, qrels, {"1": 2.0, "2": wrong}).at().estimate("INST(T=hope)")
    assert_is(estimate, definition("INST(T=2.0)", small_study(runs, qrels), runs, {"1": qrels["1"]}, qrels))
    assert (estimate.value[:, 1].tolist(), estimate.upper[:, 1].tolist()) == ([0, 0], [1, 1])


# ---------------------------------------------------------------- how deep a topic was judged

OWN_DEPTHS = {"t0": 3, "t1": 12, "t2": 0, "t3": 8}  # the usual one is 8; t2 has none


def pooled_unevenly():
    """(study, runs, qrels): topics whose pools have another depth than the usual, or none."""
    runs, qrels = made_up(5, topics=4, systems=3, ragged=False)
    study = small_study(runs, qrels, pooled="all")
    own = np.array([OWN_DEPTHS[topic] for topic in study.track.topics])
    return replace(study, pooling=replace(study.pooling, depth=8, depth_of_topic=own)), runs, qrels


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 8, 10, 14])
def test_a_topic_is_judged_no_deeper_than_its_own_pool_at_a_depth(depth):
    study, runs, qrels = pooled_unevenly()
    in_force = cut(runs, qrels, sorted(runs), "depth", depth)
    depths = {topic: oracle_models.judged_depth(8, own, asked=depth) for topic, own in OWN_DEPTHS.items()}
    check_depths(study.at(depth=depth), runs, qrels, in_force, depths)


def test_a_topic_is_judged_no_deeper_than_its_own_pool_with_all_judgments():
    study, runs, qrels = pooled_unevenly()
    depths = {topic: oracle_models.judged_depth(8, own) for topic, own in OWN_DEPTHS.items()}
    assert depths == {"t0": 3, "t1": 8, "t2": 8, "t3": 8}
    check_depths(study.at(), runs, qrels, qrels, depths)


@pytest.mark.parametrize("count", [1, 20, 35, 60, 80, 85, 100])
def test_a_topic_is_judged_no_deeper_than_its_own_pool_by_a_count(count):
    study, runs, qrels = pooled_unevenly()
    ranks = oracle_pool.pool_ranks(runs, sorted(runs))
    in_force = oracle_pool.first_judgments(qrels, ranks, count)
    to_come = [ranks.get((t, D), np.inf) for t in qrels for D in qrels[t] if D not in in_force[t]]
    depths = {topic: oracle_models.judged_depth(8, own, to_come=to_come) for topic, own in OWN_DEPTHS.items()}
    check_depths(study.at(judgments=count), runs, qrels, in_force, depths)


def test_a_topic_is_judged_no_deeper_than_its_own_pool_by_given_judgments():
    study, runs, qrels = pooled_unevenly()
    in_force = cut(runs, qrels, sorted(runs), "depth", 10)
    given = study.at(depth=10).judgments
    depths = {topic: oracle_models.judged_depth(8, own, asked=10) for topic, own in OWN_DEPTHS.items()}
    check_depths(study.at(judgments=given, judged_depth=10), runs, qrels, in_force, depths)


def check_depths(reading, runs, qrels, in_force, depths):
    """That evidence, and the estimates that it gives, use the judged ranks of each topic and no others."""
    name, study = "RBP(p=0.8)", reading.study
    ours = reading.estimate(name, estimator="linear").value
    for queries, evidence in reading.evidence(name):
        (q,) = queries
        topic = study.track.queries[q]
        assert evidence.depth == depths[topic]
        of_topic = at(runs, qrels, in_force, sorted(runs), topic, depths[topic])
        assert evidence.observed.tolist() == pytest.approx(oracle_models.gains_observed(of_topic))
        assert (evidence.systems, evidence.r_max) == (of_topic["n"], of_topic["r_max"])
        assert evidence.gamma == pytest.approx(oracle_models.gamma_of(of_topic))
        line = oracle_models.clipped(oracle_models.linear(oracle_models.gains_observed(of_topic), of_topic["K"]), 1)
        for s, system in enumerate(study.systems):
            documents = order(runs[system][topic])
            lower, upper = oracle_models.interval(name, documents, of_topic)
            value = estimated(name, documents, of_topic, oracle_models.rank_model_gain(line))
            assert ours[s, q] == pytest.approx(min(max(value, lower), upper), abs=1e-9)


def test_gamma_is_per_contributing_system():
    """The check of METHODS 6.5: two relevant documents, met once and three times. Whichever systems are looked at."""
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"x": 1.0}}, "c": {"t": {"x": 1.0}}, "new": {"t": {"y": 1.0}}}
    contributing = ["a", "b", "c"]
    study = small_study(runs, {"t": {"x": 1, "y": 1}}, pooled=contributing)
    for looked_at in (study, study.only(systems=["new"]), study.only(systems=["a", "b"])):
        ((_, evidence),) = looked_at.at(depth=2).evidence()
        assert evidence.systems == 3
        assert evidence.gamma == pytest.approx(0.5774 / 3, abs=1e-4)


@pytest.mark.parametrize(("name", "unjudged"), [("AP", "condensed"), ("RR", "condensed"), ("bpref", "irrelevant")])
@pytest.mark.parametrize("estimator", ["interpolated", "linear", "two-stage-b"])
def test_an_estimate_of_a_point_is_the_score(name, unjudged, estimator):
    study = small_study(RUNS, QRELS, pooled=POOLED)
    reading = study.at(depth=1, unjudged=unjudged)
    in_force = cut(RUNS, QRELS, POOLED, "depth", 1)
    expected = definition(name, study, RUNS, QRELS, in_force, unjudged=unjudged)
    assert_is(reading.estimate(name, estimator=estimator), expected)


@pytest.mark.parametrize("name", ["AP", "RR", "INST(T=1)", "nDCG@10"])
def test_a_model_needs_a_weight_for_every_rank(name):
    with pytest.raises(ValueError, match="needs a metric with a weight for every rank"):
        small_study(RUNS, QRELS, pooled=POOLED).at(depth=1).estimate(name, estimator="linear")


# ---------------------------------------------------------------- ends

LISTS = {  # the grades down a list, None where nobody judged
    "nothing": [], "judged in full, without a relevant document": [0, 0], "unjudged at its end": [0, None],
    "unjudged at first": [None, 0], "relevant after an unjudged document": [0, None, 1],
    "relevant before an unjudged document": [0, 1, None], "relevant at its end": [0, 0, 1],
}  # fmt: skip


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("grades", LISTS.values(), ids=LISTS)
def test_the_upper_end_of_rr_is_the_best_of_all_completions(grades, empty):
    """Every way to judge what nobody judged; where empty ranks are not relevant, none of them adds anything."""
    run = {f"d{rank}": -float(rank) for rank in range(len(grades))}
    judged = {f"d{rank}": grade for rank, grade in enumerate(grades) if grade is not None} | {"elsewhere": 1}
    study = small_study({"s": {"t": run} if run else {"other": {"x": 1.0}}}, {"t": judged}, empty=empty)
    estimate, q = study.at().estimate("RR"), study.track.queries.index("t")
    scores = []
    for relevant in product([False, True], repeat=grades.count(None) + 1):  # the last: what may follow the list
        filling = iter(relevant)
        row = [next(filling) if grade is None else grade > 0 for grade in grades]
        row.append(next(filling) and empty == "unknown")
        scores.append(1 / (row.index(True) + 1) if True in row else 0.0)
    assert (estimate.lower[0, q], estimate.upper[0, q]) == (min(scores), max(scores))


def highest_of(name, gains, qrels):
    """The largest score: what the largest gain at every rank scores, for metrics that read gains; else 1."""
    if oracle.parse(name)[0] == "ERR":
        best = g_max_of(qrels) or 0
        return oracle.score_gains(name, [], after=oracle.satisfied(max(1, best), g_max=best))
    reads_gains = oracle.parse(name)[0] in ("RBP", "SDCG", "INST")
    return oracle.r_max(name, gains=gains, g_max=g_max_of(qrels)) if reads_gains else 1.0


@pytest.mark.parametrize("unjudged", UNJUDGED)
@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("name", [*USUAL, "nDCG(log=10)@3", "RBP(p=0.5)@4", "Judged@3"])
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=pooled_tracks, gains=st.sampled_from(GAINS))
def test_no_score_and_no_upper_end_is_above_the_highest(name, empty, unjudged, case, gains):
    (runs, qrels), contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains, empty=empty)
    highest = highest_of(name, gains, qrels)
    assert metric(name).highest(study.judgments.scale) == pytest.approx(highest, abs=1e-12)
    reading = study.at(unjudged=unjudged)
    sweeps = reading.sweep(name, [1, 2, 4]), reading.sweep(name, [1, 9], by="judgments")
    for estimate in (reading.estimate(name), *sweeps):
        for end in (estimate.value, estimate.upper, estimate.upper_listed):
            assert np.all((end <= highest + 1e-12) | np.isnan(end))
    if oracle.kind(name) == "bounds" and unjudged == "irrelevant":
        ends = [definition(name, study, runs, qrels, qrels, empty=empty, gains=gains)]
        assert_is(reading.estimate(name), *ends)


@pytest.mark.parametrize("gains", GAINS, ids=str)
@pytest.mark.parametrize("formula", oracle_estimates.ESTIMATES)
@pytest.mark.parametrize("name", ["P@3", "RBP(p=0.8)", "SDCG@5", "INST(T=1)", "RR", "nDCG@3"])
def test_a_formula_lies_between_value_and_upper_end_as_defined(name, formula, gains):
    """The share of the metric's weight that is not known is the width over the highest score."""
    qrels = {**QRELS, "2": {**QRELS["2"], "m": 3}}
    study = small_study(RUNS, qrels, pooled=POOLED, gains=gains)
    in_force = cut(RUNS, qrels, POOLED, "depth", 2)
    expected = definition(name, study, RUNS, qrels, in_force, gains=gains)
    highest = highest_of(name, gains, qrels)
    estimate = study.at(depth=2).estimate(name, estimator=formula)
    swept = study.at().sweep(name, [1, 2], estimator=formula)
    for cell, (base, _, upper) in expected.items():
        value = oracle_estimates.ESTIMATES[formula](base, upper, highest)
        assert (estimate.value[cell], swept.value[(*cell, 1)]) == pytest.approx((value, value), abs=1e-9)


@pytest.mark.parametrize("gains", GAINS, ids=str)
@pytest.mark.parametrize("name", [name for name in USUAL if oracle.kind(name) == "bounds"])
def test_where_nothing_is_judged_the_upper_end_is_the_highest(name, gains):
    qrels = {"t": {"z": 3}}
    study = small_study({"s": {"t": {"a": 2.0, "b": 1.0}}}, qrels, gains=gains)
    assert study.at().estimate(name).upper.item() == pytest.approx(highest_of(name, gains, qrels))


def test_a_study_without_queries_is_judged_on():
    study = small_study({"s0": {}}, {}, pooled="all")
    assert study.at().values_as_judged("SDCG@20", study.judging_order, [1, 2]).shape == (1, 0, 2)
