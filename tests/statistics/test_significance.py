"""Tests of all pairs at once, against SciPy, statsmodels and full enumeration, pair by pair."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from evalcore.statistics import significance
from evalcore.vocabulary.validation import row_of
from tests.examples import examples
from tests.oracles import orderings as oracle

NAN = math.nan
p_values = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.02, 0.05, 1.0])), min_size=1, max_size=12)
CORRECTIONS = {"none": list, "bonferroni": oracle.bonferroni, "holm": oracle.holm, "bh": oracle.benjamini_hochberg}


@st.composite
def score_tables(draw, missing=True, topics=7):
    """float (S, T): ties, copies of a system, the same difference everywhere, topics that do not count."""
    S, T = draw(st.integers(2, 5)), draw(st.integers(2, topics))
    value = st.integers(0, 8).map(lambda n: n / 8)
    scores = np.array(draw(st.lists(st.lists(value, min_size=T, max_size=T), min_size=S, max_size=S)))
    if draw(st.booleans()):
        scores[1] = scores[0]
    if draw(st.booleans()):
        scores[-1] = scores[0] + 0.125
    if missing:
        gone = draw(st.lists(st.booleans(), min_size=S * T, max_size=S * T))
        scores[np.array(gone).reshape(S, T) & draw(st.booleans())] = NAN
    return scores


def random_scores(S, T, seed=0):
    return np.random.default_rng(seed).random((S, T))


def rows(scores):
    """Each pair of systems, as two dicts topic -> score."""
    return combinations([dict(enumerate(row)) for row in scores.tolist()], 2)


def p_of(scores, test="t", **how):
    return significance.TESTS[test].function(significance.differences(scores), **how)


# The t-test


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(scores=score_tables())
def test_all_t_tests_are_the_definition_pair_by_pair(scores):
    mean, _ = significance.mean_and_t(significance.differences(scores))
    pairs = list(rows(scores))
    assert p_of(scores) == pytest.approx([oracle.p_two_tailed(*pair) for pair in pairs], abs=1e-9, nan_ok=True)
    expected = [oracle.mean_of(oracle.differences(*pair)) for pair in pairs]
    assert mean == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_all_t_tests_are_scipys_pair_by_pair():
    scores = random_scores(18, 30)  # 153 pairs
    scores[3, 5:9] = NAN
    mean, t = significance.mean_and_t(significance.differences(scores))
    each = [stats.ttest_rel(a, b, nan_policy="omit") for a, b in combinations(scores, 2)]
    assert t == pytest.approx([float(one.statistic) for one in each], rel=1e-9)
    assert p_of(scores) == pytest.approx([float(one.pvalue) for one in each], rel=1e-9)
    assert mean == pytest.approx([np.nanmean(a - b) for a, b in combinations(scores, 2)])


def test_pairs_stand_in_one_order():
    a, b = significance.pairs(4)
    assert list(zip(a.tolist(), b.tolist(), strict=True)) == list(combinations(range(4), 2))


def test_small_and_large_p_keep_their_digits():
    steady = np.array([[0.5 + 0.001 * (n % 3) for n in range(60)], [0.1] * 60])
    expected = stats.ttest_rel(*steady)
    assert p_of(steady)[0] == pytest.approx(float(expected.pvalue), rel=1e-6)
    assert 0 < p_of(steady)[0] < 1e-100


@pytest.mark.parametrize(
    ("differences", "t", "p"),
    [
        ([0.1] * 5, math.inf, 0),  # 0.1 everywhere, which rounding makes a sum of other digits
        ([-0.3] * 7, -math.inf, 0),
        ([0.0] * 5, NAN, 1),
        ([0.25, NAN, 0.25], math.inf, 0),
        ([0.25, NAN, NAN], NAN, NAN),  # one topic says nothing of the others
        ([NAN, NAN], NAN, NAN),
    ],
)
def test_differences_without_variance(differences, t, p):
    difference = np.array([differences])
    assert significance.mean_and_t(difference)[1][0] == pytest.approx(t, nan_ok=True)
    assert significance.t_test(difference)[0] == pytest.approx(p, nan_ok=True)


def test_differences_that_only_rounding_tells_apart_have_no_variance():
    scores = np.array([[0.3, 0.4, 0.5, 0.9], [0.2, 0.3, 0.4, 0.8]])  # .1, give or take the last digit
    assert len(set((scores[0] - scores[1]).tolist())) > 1
    assert p_of(scores)[0] == 0


def test_two_topics_are_enough():
    scores = np.array([[0.5, 0.75], [0.25, 0.0]])
    assert p_of(scores)[0] == pytest.approx(float(stats.ttest_rel(*scores).pvalue))
    assert p_of(scores, "randomisation")[0] == 0.5


# Randomisation


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(scores=score_tables())
def test_randomisation_is_the_full_enumeration(scores):
    expected = [oracle.randomisation(*pair) if len(oracle.differences(*pair)) > 1 else NAN for pair in rows(scores)]
    assert p_of(scores, "randomisation") == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(scores=score_tables(topics=12))
def test_wilcoxon_is_scipys_pair_by_pair(scores):
    def expected(a, b):
        differences = [round(d, 10) for d in oracle.differences(a, b)]
        if len(differences) < 2:
            return NAN
        return float(stats.wilcoxon(differences).pvalue) if any(differences) else 1.0

    found = p_of(scores, "wilcoxon")
    assert found == pytest.approx([expected(*pair) for pair in rows(scores)], abs=1e-12, nan_ok=True)


def test_wilcoxon_by_hand():
    """All of four differences have one sign: 2 of the 16 ways to sign them are as extreme."""
    assert p_of(np.array([[0.5, 0.7, 0.9, 0.8], [0.4, 0.5, 0.6, 0.4]]), "wilcoxon") == pytest.approx([2 / 16])


def test_randomisation_is_scipys():
    scores = random_scores(4, 8, seed=1)

    def mean_difference(a, b, axis):
        return np.mean(a - b, axis=axis)

    how = {"permutation_type": "samples", "vectorized": True, "n_resamples": np.inf}
    each = [stats.permutation_test(pair, mean_difference, **how) for pair in combinations(scores, 2)]
    assert p_of(scores, "randomisation") == pytest.approx([float(one.pvalue) for one in each])


def test_randomisation_of_many_pairs_is_that_of_each():
    scores = random_scores(18, 6, seed=2)
    together = p_of(scores, "randomisation")
    assert together.shape == (153,)
    assert together.tolist() == [p_of(scores[list(pair)], "randomisation")[0] for pair in combinations(range(18), 2)]


def test_sampled_randomisation_is_near_the_full_enumeration():
    scores = random_scores(2, 12, seed=3)
    exact = oracle.randomisation(*next(rows(scores)))
    drawn = p_of(scores, "randomisation", resamples=2000)[0]  # fewer than the 4096 exchanges
    assert drawn != exact
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 2000) + 1 / 2000)
    assert p_of(scores, "randomisation", resamples=4096)[0] == pytest.approx(exact, abs=1e-12)


# The bootstrap


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(scores=score_tables(missing=False, topics=4))
def test_bootstrap_is_near_the_full_enumeration(scores):
    drawn = p_of(scores, "bootstrap", resamples=4000)
    for p, pair in zip(drawn, rows(scores), strict=True):
        if oracle.same_everywhere(oracle.differences(*pair)):
            identical = oracle.differences(*pair)[0] == 0
            assert p == (1 if identical else pytest.approx(0, abs=1e-3))
            continue
        exact = oracle.bootstrap(*pair)
        assert p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 4000) + 1 / 4000)


@pytest.mark.parametrize(("t", "as_large"), [(2.2, 2 / 27), (1.8, 8 / 27)])
def test_the_variance_of_a_resample_is_that_of_a_sample(t, as_large):
    """Of the 27 resamples of -1, 0, 1 the two of -1 or 1 alone are infinite, and six like -1, -1, 0 have
    |t| = (2/3) / (1/sqrt(3) / sqrt(3)) = 2; the others have 1 or less."""
    topics = np.array([[-1.0, 0, 1]]) + t / math.sqrt(3)
    assert significance.mean_and_t(topics)[1] == pytest.approx([t])
    assert significance.bootstrap_test(topics, resamples=4000)[0] == pytest.approx(as_large, abs=0.03)  # 4 errors


# What every test keeps


@pytest.mark.parametrize("test", significance.TESTS)
def test_the_same_seed_gives_the_same_p(test):
    scores = random_scores(4, 20, seed=4)
    once, again = (p_of(scores, test, seed=7, resamples=300) for _ in range(2))
    assert once.tolist() == again.tolist()
    draws = p_of(scores, test, seed=7, resamples=1).tolist() != once.tolist()
    other = p_of(scores, test, seed=8, resamples=300)
    assert (other.tolist() != once.tolist()) == draws


@pytest.mark.parametrize("test", significance.TESTS)
def test_a_pair_does_not_depend_on_the_others(test):
    scores = random_scores(5, 9, seed=5)
    together = p_of(scores, test, seed=1)
    assert together[0] == pytest.approx(p_of(scores[:2], test, seed=1)[0])
    assert together[-1] == pytest.approx(p_of(scores[3:], test, seed=1)[0])


@pytest.mark.parametrize("test", significance.TESTS)
@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(scores=score_tables())
def test_p_is_a_probability_that_does_not_know_first_from_second(test, scores):
    S = len(scores)
    p = p_of(scores, test, resamples=200)
    known = [len(oracle.differences(*pair)) > 1 for pair in rows(scores)]
    assert (~np.isnan(p)).tolist() == known
    assert ((p[known] >= 0) & (p[known] <= 1)).all()
    turned = p_of(scores[::-1], test, resamples=200)
    of_pair = {(S - 1 - b, S - 1 - a): value for (a, b), value in zip(combinations(range(S), 2), turned, strict=True)}
    assert [of_pair[pair] for pair in combinations(range(S), 2)] == pytest.approx(p.tolist(), nan_ok=True)


@pytest.mark.parametrize("test", significance.TESTS)
def test_identical_systems_are_not_told_apart(test):
    scores = np.tile(random_scores(1, 6, seed=6), (2, 1))
    assert p_of(scores, test)[0] == 1


# Corrections


@pytest.mark.parametrize("name", CORRECTIONS)
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(p=p_values)
def test_corrections_are_the_definition(name, p):
    assert significance.corrected(np.array(p), name) == pytest.approx(CORRECTIONS[name](p), abs=1e-15)


@pytest.mark.parametrize("m", [1, 2, 50])
def test_holm_is_that_of_statsmodels(m):
    p = np.random.default_rng(m).random(m).round(2) ** 3  # some are tied
    assert significance.corrected(p, "holm") == pytest.approx(multipletests(p, method="holm")[1], abs=1e-15)


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(p=p_values)
def test_benjamini_hochberg_is_scipys(p):
    assert significance.corrected(np.array(p), "bh") == pytest.approx(stats.false_discovery_control(p), abs=1e-15)
    assert significance.corrected(np.array(p), "bh") == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-15)


def test_corrections_by_hand():
    p = np.array([0.04, 0.01, 0.03, 0.5])
    assert significance.corrected(p, "holm") == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert significance.corrected(p, "bh") == pytest.approx([0.16 / 3, 0.04, 0.16 / 3, 0.5])
    assert significance.corrected(p, "none").tolist() == p.tolist()


@pytest.mark.parametrize("name", significance.CORRECTIONS)
def test_pairs_without_p_are_not_counted(name):
    p = np.array([0.01, NAN, 0.02, NAN])
    ours = significance.corrected(p, name)
    assert np.isnan(ours).tolist() == [False, True, False, True]
    assert ours[[0, 2]] == pytest.approx(significance.corrected(p[[0, 2]], name))
    assert significance.corrected(np.array([NAN]), name) == pytest.approx([NAN], nan_ok=True)


@pytest.mark.parametrize("name", significance.CORRECTIONS)
@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(p=p_values)
def test_a_correction_keeps_the_order_and_lowers_nothing(name, p):
    ours = significance.corrected(np.array(p), name)
    assert (ours >= np.array(p) * (1 - 1e-12)).all()
    assert (np.diff(ours[np.argsort(p)]) >= -1e-15).all()


@pytest.mark.parametrize(("table", "what"), [(significance.TESTS, "test"), (significance.CORRECTIONS, "correction")])
def test_names_that_are_not_known(table, what):
    with pytest.raises(ValueError, match=f"no {what} 'horoscope'. Known: "):
        row_of(table, what, "horoscope")


def test_every_row_has_an_oracle():
    for row in [*significance.TESTS.values(), *significance.CORRECTIONS.values()]:
        assert row.oracle
        assert row.summary
