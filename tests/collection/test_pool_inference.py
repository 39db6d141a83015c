"""Who formed the pool, and how deep, against the definition, on pools whose makers are known, and under damage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.collection import pool_inference
from evalcore.study import study_pool
from evalcore.vocabulary.validation import NotKnown
from tests.examples import examples
from tests.oracles import pool_inference as oracle
from tests.small import small_study

PAIRS = st.tuples(st.integers(0, 8), st.integers(1, 8)).map(lambda pair: (min(pair), pair[1]))
TOPICS = st.lists(st.lists(st.lists(PAIRS, max_size=1), min_size=4, max_size=6), min_size=4, max_size=8)


def leads_of(table):
    """Leads of table[topic][system], a list of none or one (judged to, length)."""
    S = max(len(row) for row in table)
    judged, lengths = np.zeros((2, S, len(table)), int)
    for t, row in enumerate(table):
        for s, pairs in enumerate(row):
            for judged[s, t], lengths[s, t] in pairs:
                pass
    return pool_inference.Leads(judged, lengths, np.arange(len(table)), len(table)), S


def pairs_of(table):
    return {t: {s: pairs for s, pairs in enumerate(row) if pairs} for t, row in enumerate(table) if any(row)}


def as_dict(pooling, pairs):
    return {t: int(pooling.depth_of_topic[t]) for t in pairs}


@settings(max_examples=examples(300), deadline=None)
@given(pairs=st.lists(PAIRS, min_size=1, max_size=12))
def test_a_wall_is_the_likeliest_change(pairs):
    judged, lengths = (np.array(column) for column in zip(*pairs, strict=True))
    (at,), (gain,) = pool_inference._walls(np.zeros(len(pairs), int), judged, lengths, 1)
    expected_at, expected = oracle.wall(pairs)
    assert gain == pytest.approx(expected, abs=1e-9)
    assert at == expected_at or gain == pytest.approx(expected, abs=1e-9)
    assert pool_inference.common_depth(judged, lengths) == oracle.common_depth(pairs)


@settings(max_examples=examples(300), deadline=None)
@given(table=TOPICS, data=st.data())
def test_what_is_told_is_the_definition(table, data):
    leads, S = leads_of(table)
    out = data.draw(st.sets(st.integers(0, S - 1)))
    pairs = pairs_of(table)
    chosen = np.isin(np.arange(S), list(out))
    pooling = pool_inference.from_contributors(leads, chosen)
    depth, depths = oracle.told(pairs, sorted(out))
    assert (pooling.depth, as_dict(pooling, pairs)) == (depth, depths)


@settings(max_examples=examples(300), deadline=None)
@given(table=TOPICS)
def test_what_is_found_is_the_definition(table):
    leads, S = leads_of(table)
    pairs = pairs_of(table)
    pooling, expected = pool_inference.from_files(leads, range(S)), oracle.found(pairs, range(S))
    assert (pooling is None) == (expected is None)
    if expected:
        depth, depths, contributes, doubtful = expected
        contributed, pooling = pooling
        assert (pooling.depth, as_dict(pooling, pairs)) == (depth, depths)
        assert np.flatnonzero(contributed).tolist() == contributes
        assert list(pooling.doubtful) == doubtful


# ---------------------------------------------------------------------------------------------------------------------
# Pools that were made


def found(leads):
    return pool_inference.from_files(leads, range(len(leads.judged)))


def made(rng, *, depths, pooled=12, others=8, K=60, documents=400):
    """Leads of rankings of which the first `pooled` formed a pool, topic by topic, to these depths."""
    S, T = pooled + others, len(depths)
    judged, lengths = np.zeros((S, T), int), np.full((S, T), K)
    appeal = rng.gamma(0.3, size=(T, documents))
    for t, depth in enumerate(depths):
        rankings = [np.argsort(-(appeal[t] + rng.gamma(0.3, size=documents)))[:K] for _ in range(S)]
        pool = {document for ranking in rankings[:pooled] for document in ranking[:depth]}
        judged[:, t] = [oracle.leads(ranking.tolist(), pool) for ranking in rankings]
    return pool_inference.Leads(judged, lengths, np.arange(T), T)


@pytest.mark.parametrize("seed", range(5))
def test_a_pool_that_was_made_is_found(seed):
    leads = made(np.random.default_rng(seed), depths=[10] * 20)
    contributes, pooling = found(leads)
    assert pooling.depth == 10
    assert contributes.tolist() == [True] * 12 + [False] * 8
    assert set(pooling.depth_of_topic) == {10}


@pytest.mark.parametrize("seed", range(5))
def test_two_sets_of_topics_have_their_own_depths(seed):
    contributes, pooling = found(made(np.random.default_rng(seed), depths=[10] * 12 + [30] * 8))
    assert pooling.depth_of_topic.tolist() == [10] * 12 + [30] * 8
    assert contributes.tolist() == [True] * 12 + [False] * 8


@pytest.mark.parametrize("seed", range(5))
def test_the_deeper_of_two_sets_of_topics_shows_who_contributed(seed):
    """Where the pool is shallow, most others are judged to its depth, too."""
    rng, depths = np.random.default_rng(seed), np.repeat([10, 100], 25)
    hole = rng.geometric(0.008, (70, 50)) - 1
    hole[:40] = depths
    judged = np.where(hole < depths, hole, depths + rng.geometric(0.2, (70, 50)) - 1)
    contributes, pooling = found(pool_inference.Leads(judged, np.full((70, 50), 1000), np.arange(50), 50))
    assert contributes.tolist() == [True] * 40 + [False] * 30
    assert pooling.depth_of_topic.tolist() == depths.tolist()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("new", "old"), [(8, 40), (12, 40), (25, 40), (40, 20)])
def test_new_topics_among_old_ones_that_others_pooled_have_their_depth(seed, new, old):
    """As in TREC's Robust tracks: the old topics were judged years before, for runs that are not here."""
    rng = np.random.default_rng(seed)
    ours = made(rng, depths=[20] * new, pooled=15, others=0)
    theirs = made(rng, depths=[60] * old, pooled=8, others=15, K=200)
    judged = np.hstack([ours.judged, np.minimum(theirs.judged[8:], 60)])
    lengths = np.full(judged.shape, 60)
    contributes, pooling = found(pool_inference.Leads(judged, lengths, np.arange(new + old), new + old))
    assert contributes.all()
    assert pooling.depth_of_topic[:new].tolist() == [20] * new
    assert np.count_nonzero(pooling.depth_of_topic[new:]) <= old / 20


@pytest.mark.parametrize("seed", range(5))
def test_a_damaged_topic_does_not_decide_for_all(seed):
    rng = np.random.default_rng(seed)
    leads = made(rng, depths=[20] * 15)
    judged = leads.judged.copy()
    judged[:, 4] = np.minimum(judged[:, 4], rng.geometric(0.6, len(judged)) - 1)  # most of its judgments are gone
    contributes, pooling = found(pool_inference.Leads(judged, leads.lengths, leads.topic_of_query, leads.topics))
    assert pooling.depth == 20
    assert contributes.tolist() == [True] * 12 + [False] * 8
    assert np.flatnonzero(pooling.depth_of_topic != 20).tolist() == [4]


def test_a_run_that_falls_short_now_and_then_is_doubtful():
    leads = made(np.random.default_rng(1), depths=[10] * 20)
    judged = leads.judged.copy()
    judged[3, :4] = 2
    contributes, pooling = found(pool_inference.Leads(judged, leads.lengths, leads.topic_of_query, leads.topics))
    assert pooling.doubtful == (3,)
    assert not contributes[3]


def test_few_topics_show_nothing():
    assert found(made(np.random.default_rng(2), depths=[10, 10])) is None


# ---------------------------------------------------------------------------------------------------------------------
# What is said of it


def track_of(contributing, others, topics=4):
    """Runs of two judged documents and one of their own, and runs of other documents; qrels of the two."""
    names = [str(number) for number in range(topics)]
    runs = {f"c{n}": {t: {"x": 3.0, "y": 2.0, f"z{n}": 1.0} for t in names} for n in range(contributing)}
    runs |= {f"o{n}": {t: {f"u{n}": 2.0, "x": 1.0} for t in names} for n in range(others)}
    return runs, {t: {"x": 1, "y": 0} for t in names}


def finding(question, pooled=None, tracks=None, **asked):
    runs, qrels = tracks or track_of(4, 2)
    return evalcore.ask(small_study(runs, qrels, pooled=pooled), question, **asked).finding


def test_a_finding_that_assumes_who_formed_the_pool_says_so():
    told = finding("leaderboard", metric="P@2", depth=1)
    assert ["4 of 6 systems" in caveat for caveat in told.caveats] == [True]
    assert told.facts.items() >= {"formed": 4, "systems": 6}.items()
    assert not finding("leaderboard", metric="P@2").caveats
    assert not finding("leaderboard", pooled=["c0", "c1"], metric="P@2", depth=1).caveats


def test_a_finding_where_the_files_do_not_show_who_formed_the_pool():
    runs, qrels = track_of(2, 2, topics=1)
    told = finding("leaderboard", tracks=(runs, qrels), metric="P@2", depth=1)
    assert ["every system" in caveat for caveat in told.caveats] == [True]


def test_the_depth_of_the_pool_can_be_told():
    runs, qrels = track_of(4, 2)
    study = small_study(runs, qrels, pool_depth=3)
    assert (study.depth, study.pooling.how) == (3, "inferred")  # that it was these four is still a guess
    answer = evalcore.ask(study, "holes")
    assert len(answer.table) == 4 * 4  # a third document of each contributing run and topic
    assert any("4 of 6 systems" in caveat for caveat in answer.finding.caveats)
    alone = small_study(*track_of(2, 0, topics=1), pool_depth=3)
    assert (alone.depth, alone.pooling.how) == (3, "assumed")
    with pytest.raises(NotKnown, match="no system is judged to rank 3"):
        evalcore.ask(alone, "holes")
    with pytest.raises(ValueError, match="pool_depth='deep' is not valid; it must be a whole number from 1"):
        small_study(runs, qrels, pool_depth="deep")


def test_judgments_beyond_the_pool_are_counted():
    runs, qrels = track_of(4, 2)
    study = small_study(runs, {t: of | {"elsewhere": 0, "far": 1} for t, of in qrels.items()})
    assert study_pool.unexplained(study) == 0.5
    told = evalcore.ask(study, "pool_audit").finding
    assert told.facts["unexplained"] == 0.5
    assert any("50%" in caveat for caveat in told.caveats)
