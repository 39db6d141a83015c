"""Certain pairs against every completion of the judgments, counted out one by one."""

import math
from itertools import combinations, pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.statistics import certain_pairs
from tests.examples import examples
from tests.oracles import orderings as oracle
from tests.oracles import pool as pool_oracle
from tests.small import small_study

WEIGHTED = ["P@2", "RBP(p=0.5)", "RBP(p=0.8)@2", "SDCG@3"]
EXACT = [*WEIGHTED, "nDCG@2", "nDCG@3"]
GAINS = ["binary", "linear", "exponential", {0: 0.0, 1: 0.25, 2: 0.5, 3: 0.75}]
DOCUMENTS = ["da", "db", "dc", "dd", "de"]
ranking = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4).map(float), min_size=1, max_size=4)
grade = st.sampled_from([-2, -1, 0, 1, 2, 3])
PLAIN = ("t0", "t1", "t2")
VARIED = ("t0-1", "t0-2", "t1-1", "t1-2", "t1-3", "t2")


@st.composite
def small_tracks(draw, queries=PLAIN, systems=3):
    """Short runs with ties, some without a query or a topic; judgments of some documents of two or three topics."""
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(queries, ranking))
    runs = {f"s{number}": draw(run) for number in range(draw(st.integers(2, systems)))}
    some = st.dictionaries(st.sampled_from(DOCUMENTS), grade, min_size=1, max_size=5)
    qrels = {topic: draw(some) for topic in PLAIN[: draw(st.integers(2, 3))]}
    return runs, qrels


def ask(study, metric, **how):
    return evalcore.ask(study, "pairs", metric=metric, **how).table


def ranges(name, runs, qrels, **how):
    """[(smallest, largest)] of every pair by enumeration."""
    queries = oracle.queries_of(runs, qrels)
    pairs = combinations(sorted(runs), 2)
    return [oracle.difference_range(name, runs[a], runs[b], qrels, queries, **how) for a, b in pairs]


def assert_ranges(table, expected):
    assert table.certain_low.tolist() == pytest.approx([low for low, _ in expected], abs=1e-12, nan_ok=True)
    assert table.certain_high.tolist() == pytest.approx([high for _, high in expected], abs=1e-12, nan_ok=True)


def assert_certain(table, expected):
    certain_pairs = [low >= -oracle.SAME or high <= oracle.SAME for low, high in expected]
    assert (table.verdict == "certain").tolist() == certain_pairs


# The definition


@pytest.mark.parametrize("queries", [PLAIN, VARIED], ids=["topics", "variations"])
@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(data=st.data())
def test_the_range_is_that_of_every_completion(name, queries, data):
    runs, qrels = data.draw(small_tracks(queries))
    how = {
        "empty": data.draw(st.sampled_from(["unknown", "not relevant"])),
        "average": data.draw(st.sampled_from(["qrels", "common"])),
        "gains": data.draw(st.sampled_from(GAINS)),
        "rel_level": data.draw(st.sampled_from([1, 2])),
        "negative": data.draw(st.sampled_from(["split", "judged", "unjudged"])),
    }
    table = ask(small_study(runs, qrels, pooled="all", **how), name)
    expected = ranges(name, runs, qrels, **how)
    assert_ranges(table, expected)
    assert_certain(table, expected)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=small_tracks(), depth=st.integers(1, 3), name=st.sampled_from(WEIGHTED))
def test_the_range_at_a_pool_depth_is_that_of_the_judgments_there(track, depth, name):
    runs, qrels = track
    pooled = ["s0"]
    in_force = pool_oracle.judgments_at_depth(qrels, pool_oracle.pool_ranks(runs, pooled), depth)
    table = ask(small_study(runs, qrels, pooled=pooled), name, depth=depth)
    assert_ranges(table, ranges(name, runs, in_force))


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4), name=st.sampled_from(WEIGHTED), gains=st.sampled_from(GAINS))
def test_the_range_within_a_narrower_study_is_that_of_its_topics(track, name, gains):
    runs, qrels = track
    runs |= {"z": {"t0": {"da": 1.0}, "t1": {"de": 1.0}}}
    qrels |= {"t9": {"da": 3}}  # the largest grade of the file, looked at or not
    topics = ["t0", "t1"]
    study = small_study(runs, qrels, pooled="all", gains=gains).only(systems=["s0", "s1", "z"], topics=topics)
    few = {system: runs[system] for system in ("s0", "s1", "z")}
    assert_ranges(ask(study, name), ranges(name, few, qrels, topics=topics, gains=gains))


@settings(max_examples=examples(15), deadline=None, derandomize=True)
@given(track=small_tracks(systems=2), name=st.sampled_from(["RR", "INST(T=1)"]))
def test_a_metric_without_fixed_weights_has_a_range_that_is_safe(track, name):
    runs, qrels = track
    table = ask(small_study(runs, qrels, pooled="all"), name)
    for (low, high), ours in zip(ranges(name, runs, qrels), table.itertuples(), strict=True):
        assert ours.certain_low <= low + 1e-12
        assert ours.certain_high >= high - 1e-12


# By hand


def pair(runs, qrels, metric="P@2", **options):
    return ask(small_study(runs, qrels, pooled="all", **options), metric).iloc[0]


def two(first, second):
    """The same two rankings, documents in order, on two topics."""
    runs = {"A": first, "B": second}
    return {s: {t: {d: float(-k) for k, d in enumerate(docs)} for t in ("1", "2")} for s, docs in runs.items()}


def test_a_document_that_both_hold_has_one_gain():
    judged = {topic: {"x": 1, "y": 0} for topic in ("1", "2")}
    found = pair(two(["x", "u"], ["u", "y"]), judged)  # two intervals alone say 0 to 1
    assert (found.certain_low, found.certain_high) == (0.5, 0.5)
    found = pair(two(["x", "u"], ["y", "u"]), judged, metric="RBP(p=0.5)@2")
    assert (found.certain_low, found.certain_high) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    found = pair(two(["u", "x"], ["y", "u"]), judged, metric="RBP(p=0.5)@2")  # u is worth more to A
    assert (found.certain_low, found.certain_high) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.verdict == "certain"


def test_a_document_that_is_judged_deeper_is_shared_until_then():
    runs, judged = two(["x", "u"], ["y", "u"]), {topic: {"x": 1, "y": 0, "u": 1} for topic in ("1", "2")}
    study = small_study(runs, judged, pooled="all")
    for depth in (1, 2):
        found = ask(study, "P@2", depth=depth).iloc[0]
        assert (found.certain_low, found.certain_high) == (0.5, 0.5)
    found = ask(study, "RBP(p=0.5)", depth=1).iloc[0]
    assert (found.certain_low, found.certain_high) == (0.25, 0.75)  # the tails


def test_the_range_grows_by_the_largest_gain():
    runs, judged = two(["u"], ["y"]), {topic: {"x": 3, "y": 0} for topic in ("1", "2")}
    for gains, highest in (("binary", 1), ("linear", 1), ("exponential", 7 / 8), ({0: 0, 3: 0.5}, 0.5)):
        found = pair(runs, judged, metric="RBP(p=0.5)", gains=gains)
        assert found.certain_low == pytest.approx(-0.5 * highest)  # nothing of A, and all of B's tail
        assert found.certain_high == pytest.approx(highest)  # u, and A's tail


def test_a_tail_is_never_shared():
    judged = {topic: {"x": 1} for topic in ("1", "2")}
    found = pair(two(["x"], ["x"]), judged, metric="RBP(p=0.5)")
    assert (found.certain_low, found.certain_high, found.verdict) == (-0.5, 0.5, "open")
    found = pair(two(["x"], ["x"]), judged, metric="RBP(p=0.5)", empty="not relevant")
    assert (found.certain_low, found.certain_high, found.verdict) == (0, 0, "certain")


def test_a_document_counts_once_for_all_queries_of_a_topic():
    runs = {"A": {"1-1": {"u": 1.0}, "1-2": {"x": 1.0}, "2": {"x": 1.0}}, "B": {"1-1": {"x": 1.0}, "1-2": {"u": 1.0}}}
    runs["B"]["2"] = {"x": 1.0}
    found = pair(runs, {"1": {"x": 1}, "2": {"x": 1}}, metric="P@1")  # u is at the top of one query of each
    assert (found.certain_low, found.certain_high, found.verdict) == (0, 0, "certain")


def test_a_missing_topic_is_unknown_or_does_not_count():
    runs = two(["x"], ["y"])
    del runs["B"]["2"]
    judged = {topic: {"x": 1, "y": 0} for topic in ("1", "2")}
    found = pair(runs, judged, metric="P@1")
    assert (found.certain_low, found.certain_high, found.verdict) == (0.5, 1, "certain")
    found = pair(runs, judged, metric="P@1", average="common")
    assert (found.difference, found.certain_low, found.certain_high, found.verdict) == (1, 1, 1, "certain")
    assert math.isnan(found.p)


# Laws


@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(data=st.data())
def test_a_certain_pair_stays_so_whatever_is_judged(data):
    runs, qrels = data.draw(small_tracks(systems=3))
    qrels["t0"] |= dict.fromkeys(DOCUMENTS[:4], 0) | qrels["t0"]
    name, gains = data.draw(st.sampled_from(EXACT)), data.draw(st.sampled_from(["binary", "exponential"]))
    options = {"pooled": "all", "gains": gains, "empty": data.draw(st.sampled_from(["unknown", "not relevant"]))}
    before = ask(small_study(runs, qrels, **options), name)
    for number, complete in enumerate(oracle.completions(runs, qrels)):
        if number % 3:  # every third of them
            continue
        after = ask(small_study(runs, complete, **options), name)
        assert (before.certain_low <= after.difference + 1e-12).all()
        assert (before.certain_high >= after.difference - 1e-12).all()
        assert (before.certain_low <= after.certain_low + 1e-12).all()
        assert (before.certain_high >= after.certain_high - 1e-12).all()
        was = before.verdict == "certain"
        assert (after.verdict[was] == "certain").all()


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4), name=st.sampled_from(EXACT))
def test_the_range_lies_within_what_two_intervals_say_and_holds_the_difference(track, name):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric=name).table.set_index("system")
    for one in ask(study, name).itertuples():
        a, b = board.loc[one.a], board.loc[one.b]
        assert a.lower - b.upper - 1e-12 <= one.certain_low <= one.difference + 1e-12
        assert one.difference - 1e-12 <= one.certain_high <= a.upper - b.lower + 1e-12


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4), name=st.sampled_from(EXACT))
def test_more_judgments_never_widen_the_range(track, name):
    runs, qrels = track
    study = small_study(runs, qrels, pooled=["s0", "s1"])
    each = [ask(study, name, depth=depth) for depth in (1, 2, 4, None)]
    for few, more in pairwise(each):
        assert (few.certain_low <= more.certain_low + 1e-12).all()
        assert (few.certain_high >= more.certain_high - 1e-12).all()


def test_all_judged_leaves_one_number():
    runs = two(["x", "y"], ["y", "x"])
    judged = {topic: {"x": 1, "y": 0} for topic in ("1", "2")}
    found = pair(runs, judged, metric="RBP(p=0.5)@2")
    assert found.certain_low == pytest.approx(found.difference)
    assert found.certain_high == pytest.approx(found.difference)


@pytest.mark.parametrize("name", ["AP", "nDCG", "bpref"])
def test_without_exact_bounds_nothing_is_certain(name):
    runs = two(["x", "u"], ["y", "v"])
    answer = evalcore.ask(
        small_study(runs, {"1": {"x": 1, "y": 0}, "2": {"x": 1, "y": 0}}, pooled="all"), "pairs", metric=name
    )
    assert answer.table[["certain_low", "certain_high"]].isna().all(axis=None)
    assert "certain" not in set(answer.table.verdict)
    assert any("certain" in note and name in note for note in answer.notes)


# The weight that is shared


def shared_weight(items, weights, step, *, number=0, several=False, share_of=None):
    """Over one sum. step : by item"""
    Q = items.shape[1]
    share_of = np.ones((len(items), Q)) if share_of is None else share_of
    sum_of = np.zeros(len(step), int), np.zeros(1, int)
    shared = certain_pairs.SharedWeight(items, weights, share_of, np.array(step), sum_of=sum_of, several=several)
    return shared.unjudged_from(number).columns(0)


def test_shared_weight_is_the_sum_of_the_smaller_weights():
    items = np.array([[[1, 2, 0]], [[2, 1, 3]], [[3, 0, 0]]], np.int32)
    shared = shared_weight(items, np.array([0.5, 0.25, 0.125]), [0, 1, 1, 0])  # 0 is the empty place
    assert shared[0, 1] == shared[1, 0] == 0.5  # .25 of each
    assert shared[0, 2] == shared[1, 2] == 0


def test_shared_weight_of_nothing():
    items, weights = np.zeros((2, 1, 3), np.int32), np.full(3, 1 / 3)
    assert shared_weight(items, weights, [0]).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("many", [certain_pairs.MANY, 0], ids=["all sums", "the few that change"])
@pytest.mark.parametrize("several", [False, True], ids=["queries", "variations"])
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(data=st.data())
def test_shared_weight_at_every_step_is_that_of_its_definition(several, many, data):
    """For each document the smaller of the weights that two systems give it, summed; ever more documents."""
    S, Q, K, N, last = 4, 2, 3, 7, 3
    ranking = st.permutations(range(1, N)).map(lambda order: order[:K])
    if not several:  # the documents of each query are its own
        ranking = ranking.map(lambda order: order)
    items = np.array(data.draw(st.lists(st.lists(ranking, min_size=Q, max_size=Q), min_size=S, max_size=S)), np.int32)
    if not several:
        items[:, 1] += N - 1
    size = N + (0 if several else N - 1)
    step = [0, *data.draw(st.lists(st.integers(0, last), min_size=size - 1, max_size=size - 1))]
    weights, share_of = np.array([0.5, 0.25, 0.125]), np.full((S, Q), 0.5 if several else 1.0)
    shared = certain_pairs.SharedWeight(
        items, weights, share_of, np.array(step), sum_of=(np.zeros(size, int), np.zeros(1, int)), several=several
    )
    for number in reversed(range(last)):
        with mock.patch.object(certain_pairs, "MANY", many):
            found = shared.unjudged_from(number).columns(0)
        for a, b in combinations(range(S), 2):
            expected = sum(
                min(
                    sum(weights[k] * share_of[s, q] for q in range(Q) for k in range(K) if items[s, q, k] == document)
                    for s in (a, b)
                )
                for document in range(1, size)
                if step[document] > number
            )
            assert found[a, b] == found[b, a] == pytest.approx(expected, abs=1e-15)
