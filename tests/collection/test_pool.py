"""Pools by depth and by number of judgments, and who contributed, against the definitions."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.collection import pool
from evalcore.statistics import orderings
from evalcore.study import study_pool
from tests.examples import examples
from tests.oracles import metrics as oracle_metrics
from tests.oracles import pool as oracle
from tests.oracles.pool_inference import depth_of_system, pairs_of, pooling
from tests.small import g_max_of, small_study, tracks

SAMPLES = Path(__file__).parents[2] / "sample_data"
METRICS = [
    "P@3",
    "RBP(p=0.8)",
    "SDCG@5",
    "AP",
    "nDCG@4",
    "RR",
    "bpref",
    "infAP",
    "INST(T=1)",
    "RR@3",
    "P(rel=2)@3",
    "AP(rel=2)",
]
pooled_tracks = tracks().flatmap(
    lambda track: st.tuples(st.just(track), st.lists(st.sampled_from(sorted(track[0])), min_size=1, unique=True))
)


@settings(max_examples=examples(80), deadline=None)
@given(case=pooled_tracks, name=st.sampled_from(METRICS), depth=st.integers(1, 10))
def test_scores_at_a_depth_are_those_of_the_judgments_cut_there(case, name, depth):
    (runs, qrels), contributing = case
    study = small_study(runs, qrels, pooled=contributing)
    cut = oracle.judgments_at_depth(qrels, oracle.pool_ranks(runs, contributing), depth)
    check_scores(study, runs, cut, name, g_max_of(qrels), depth=depth)


@settings(max_examples=examples(80), deadline=None)
@given(case=pooled_tracks, name=st.sampled_from(METRICS), count=st.integers(1, 12))
def test_scores_with_a_number_of_judgments_are_those_of_the_first_ones(case, name, count):
    (runs, qrels), contributing = case
    study = small_study(runs, qrels, pooled=contributing)
    cut = oracle.first_judgments(qrels, oracle.pool_ranks(runs, contributing), count)
    check_scores(study, runs, cut, name, g_max_of(qrels), judgments=count)


def sequence(study):
    """The (topic, document) of all judgments in the order of judging by number."""
    judgments = study.judgments
    items = judgments.pooled_items[judgments.scale.judged[judgments.level[judgments.pooled_items]]]
    items = items[np.argsort(study.judging_order[items])]
    topics = [study.track.topics[number] for number in study.track.topic_of_item[items]]
    return list(zip(topics, study.track.documents(items), strict=True))


def test_judging_by_number_takes_the_topics_in_turn():
    """The check of METHODS 2.6."""
    lists = {"A": {"t": "ab", "u": "a"}, "B": {"t": "ba", "u": "ca"}}
    runs = {s: {t: {d: -float(n) for n, d in enumerate(of)} for t, of in run.items()} for s, run in lists.items()}
    study = small_study(runs, {"t": {"a": 1, "b": 1, "z": 1}, "u": {"a": 1, "c": 1}}, pooled="all")
    assert sequence(study) == [("t", "b"), ("u", "c"), ("t", "a"), ("u", "a"), ("t", "z")]


def test_no_topic_of_a_sample_is_ahead_of_another_that_has_some_to_come():
    """Of one pool rank, by more than one judgment."""
    study = evalcore.open_study(SAMPLES / "web" / "runs", SAMPLES / "web" / "qrels.txt", cache=False)
    topic, rank = study.track.topic_of_item, study.pool_rank
    items = study.judgments.pooled_items
    items = items[np.argsort(study.judging_order[items])]
    assert (np.diff(rank[items].astype(np.int64)) >= 0).all()
    for at in np.unique(rank[items]):
        left, done = Counter(topic[items[rank[items] == at]]), Counter()
        for one in topic[items[rank[items] == at]]:
            done[one] += 1
            left[one] -= 1
            assert all(done[one] <= done[other] + 1 for other in left if left[other])
    assert len({*topic[items[:30]]}) == 30  # all topics, where the first run's document of each is judged


@settings(max_examples=examples(40), deadline=None)
@given(case=pooled_tracks, seed=st.integers(0, 9))
def test_the_order_of_judging_is_of_names_alone(case, seed):
    """Also with fewer topics, and with a run that changes no pool rank."""
    (runs, qrels), contributing = case
    study = small_study(runs, qrels, pooled=contributing)
    whole = sequence(study)
    again = {**runs, "zz-again": runs[contributing[0]]}
    assert sequence(small_study(again, qrels, pooled=[*contributing, "zz-again"])) == whole
    some = [topic for number, topic in enumerate(study.judged_topic_names) if (seed >> number) & 1]
    if some:
        assert sequence(study.only(topics=some)) == [one for one in whole if one[0] in some]
    assert sequence(study.only(systems=[study.systems[-1]])) == whole


def check_scores(study, runs, cut, name, g_max, **in_force):
    estimate = study.at(**in_force).estimate(name)
    for s, system in enumerate(study.systems):
        for q, query in enumerate(study.track.queries):
            if query in cut:
                run = runs[system].get(query, {})
                value = oracle_metrics.value(name, run, cut[query], g_max=g_max)
                bounds = oracle_metrics.bounds(name, run, cut[query], g_max=g_max)
                assert estimate.value[s, q] == pytest.approx(value, abs=1e-9)
                assert (estimate.lower[s, q], estimate.upper[s, q]) == pytest.approx(bounds, abs=1e-9, nan_ok=True)


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(systems=6), negative=st.sampled_from(["split", "unjudged", "judged"]))
def test_who_contributed_is_found_as_defined(track, negative):
    runs, qrels = track
    study = small_study(runs, qrels, negative=negative)
    depth, depth_of_topic, contributing, doubtful, how = pooling(runs, qrels, negative=negative)
    found = [system for system, is_in in zip(study.systems, study.track.pooled, strict=True) if is_in]
    assert found == list(contributing)
    assert (study.depth, list(study.pooling.doubtful), study.pooling.how) == (depth, doubtful, how)
    topics = {study.track.topics[t]: d for t, d in enumerate(study.pooling.depth_of_topic.tolist())}
    assert {topic: topics[topic] for topic in depth_of_topic} == depth_of_topic
    pairs = pairs_of(runs, qrels, negative=negative)
    depths = [depth_of_system(pairs, system, topics) for system in study.systems]
    assert study_pool.depth_of_system(study).tolist() == depths


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks())
def test_first_unjudged_ranks(track):
    runs, qrels = track
    study = small_study(runs, qrels)
    first = pool.first_unjudged(study.track, study.judgments)
    for s, system in enumerate(study.systems):
        for q, query in enumerate(study.track.queries):
            if query in qrels:
                rank = oracle.first_unjudged_rank(runs[system].get(query, {}), qrels[query])
                assert first[s, q] == (pool.NEVER if math.isinf(rank) else rank - 1)


intervals = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=7)


@given(intervals)
def test_ranks_and_pairs_decided(drawn):
    lower = np.array([low / 10 for low, _ in drawn])
    upper = lower + np.array([width / 10 for _, width in drawn])
    by_name = {number: (lower[number], upper[number]) for number in range(len(drawn))}
    assert orderings.ranks(lower).tolist() == list(oracle.rank(dict(enumerate(lower))).values())
    assert orderings.best_ranks(lower, upper).tolist() == list(oracle.rank_best(by_name).values())
    assert orderings.worst_ranks(lower, upper).tolist() == list(oracle.rank_worst(by_name).values())
    assert orderings.pairs_decided(lower, upper) == pytest.approx(oracle.pairs_decided(by_name), nan_ok=True)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
def test_kendall_tau(drawn):
    a, b = (np.array(column) / 10 for column in zip(*drawn, strict=True))
    expected = oracle.kendall_tau(dict(enumerate(a)), dict(enumerate(b)))
    assert orderings.kendall_tau(a, b) == pytest.approx(expected, nan_ok=True)


def test_means_that_differ_only_by_the_order_of_a_sum_are_equal():
    a, b = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert a != b
    values = np.array([a, b])
    assert orderings.ranks(values).tolist() == [1, 1]
    assert orderings.pairs_decided(values, values) == 0
    assert orderings.kendall_tau_a(values, np.array([1, 2])) == 0
