"""How far two orderings of systems agree, against the definitions, SciPy, and figures worked out by hand."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.parameters import parameter
from evalcore.statistics import orderings, significance
from tests.examples import examples
from tests.oracles import orderings as oracle

NAN = math.nan
MEASURES = {
    "tau": (orderings.kendall_tau, oracle.kendall_tau),
    "tau_a": (orderings.kendall_tau_a, oracle.tau_a),
    "tau_ap": (orderings.tau_ap, oracle.tau_ap),
    "rbo": (orderings.rank_biased_overlap, oracle.rbo),
    "tau_distance": (orderings.kendall_distance, oracle.kendall_distance),
    "inversions": (orderings.inversions, oracle.inversions),
}
CORRELATIONS = ["tau", "tau_a", "tau_ap"]
few_values = st.integers(0, 5).map(lambda n: n / 8)
two_orderings = st.integers(2, 9).flatmap(lambda n: st.tuples(*[st.lists(few_values, min_size=n, max_size=n)] * 2))
no_ties = st.integers(2, 9).flatmap(lambda n: st.permutations([k / 16 for k in range(n)]))


def named(values):
    """system -> mean, the names in the order of the array."""
    return {f"s{number:02}": value for number, value in enumerate(values)}


def of(name, a, b):
    return MEASURES[name][0](np.array(a, float), np.array(b, float))


# The oracle itself


def test_the_oracle_finds_the_rbo_of_the_paper():
    assert oracle.rbo_of_lists("abcdefg", "bacdxyz", 0.9) == pytest.approx(0.639, abs=5e-4)  # METHODS 12.1
    assert oracle.rbo({"a": 2, "b": 1}, {"a": 1, "b": 2}) == pytest.approx(0.9)  # nothing at depth 1, both at depth 2


@pytest.mark.parametrize(("estimate", "tau_ap"), [("ABCD", 1), ("DCBA", -1), ("BACD", 1 / 3), ("ABDC", 7 / 9)])
def test_the_oracle_weighs_the_top_more(estimate, tau_ap):
    reference = dict(zip("ABCD", (4, 3, 2, 1), strict=True))
    assert oracle.tau_ap(reference, dict(zip(estimate, (4, 3, 2, 1), strict=True))) == pytest.approx(tau_ap)


# Two orderings


@pytest.mark.parametrize("name", MEASURES)
@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(both=two_orderings)
def test_agreement_is_the_definition(name, both):
    a, b = both
    assert of(name, a, b) == pytest.approx(MEASURES[name][1](named(a), named(b)), abs=1e-12, nan_ok=True)


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(both=two_orderings)
def test_tau_is_scipys_tau_b(both):
    a, b = both
    assert of("tau", a, b) == pytest.approx(stats.kendalltau(a, b, variant="b").statistic, abs=1e-12, nan_ok=True)


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(a=no_ties)
def test_an_ordering_agrees_with_itself_and_disagrees_with_its_reverse(a):
    back = [-value for value in a]
    pairs = len(a) * (len(a) - 1) / 2
    assert [of(name, a, a) for name in MEASURES] == pytest.approx([1, 1, 1, 1, 0, 0])
    assert [of(name, a, back) for name in CORRELATIONS] == pytest.approx([-1, -1, -1])
    assert (of("tau_distance", a, back), of("inversions", a, back)) == (1, pairs)
    assert of("rbo", a, back) < 1


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(a=no_ties, data=st.data())
def test_without_ties_tau_is_one_less_twice_the_distance(a, data):
    b = data.draw(st.permutations(a))
    assert of("tau", a, b) == pytest.approx(1 - 2 * of("tau_distance", a, b))
    assert of("tau_a", a, b) == pytest.approx(of("tau", a, b))


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(both=two_orderings)
def test_all_but_tau_ap_are_symmetric(both):
    a, b = both
    for name in set(MEASURES) - {"tau_ap"}:
        assert of(name, a, b) == pytest.approx(of(name, b, a), nan_ok=True)


def test_the_reference_of_tau_ap_is_the_first():
    reference, estimate = [4, 3, 2, 1], [1, 4, 3, 2]  # ABCD; BCDA
    assert of("tau_ap", reference, estimate) == pytest.approx(2 / 3 * (1 + 1 + 0) - 1)
    assert of("tau_ap", estimate, reference) == pytest.approx(2 / 3 * (0 + 1 / 2 + 2 / 3) - 1)


def test_a_tie_in_either_is_no_inversion():
    assert of("inversions", [1, 1, 0], [0, 1, 1]) == 1  # the first and the last
    assert of("tau_distance", [1, 1, 0], [0, 1, 1]) == pytest.approx(1 / 3)
    assert of("tau_a", [1, 1, 0], [0, 1, 1]) == pytest.approx(-1 / 3)
    assert of("tau_a", [1, 1], [1, 0]) == 0


def test_means_that_differ_by_rounding_are_tied():
    a, nearly = [0.5, 0.5, 0.25], [0.5, 0.5 + 5e-13, 0.25]
    apart = [0.5, 0.5 + 5e-12, 0.25]
    for name, (_, defined) in MEASURES.items():
        assert of(name, nearly, a) == of(name, a, a)
        assert of(name, a, apart) == pytest.approx(defined(named(a), named(apart)))
    assert of("tau_a", nearly, [2, 1, 0]) == pytest.approx(2 / 3)
    assert of("inversions", nearly, [2, 1, 0]) == 0
    assert of("inversions", apart, [2, 1, 0]) == 1


def test_tied_systems_stand_by_name():
    assert of("tau_ap", [3, 2, 1], [1, 1, 1]) == 1  # all tied: the order of the names, which is the reference's
    assert of("tau_ap", [1, 2, 3], [1, 1, 1]) == -1
    assert of("rbo", [3, 2, 1], [1, 1, 1]) == pytest.approx(1)


def test_tau_is_missing_where_all_are_tied():
    assert math.isnan(of("tau", [1, 1, 1], [1, 2, 3]))


@pytest.mark.parametrize("name", MEASURES)
def test_systems_without_a_score_are_left_out(name):
    a, b = [0.1, NAN, 0.3, 0.4, 0.2], [0.3, 0.9, 0.2, 0.4, NAN]
    assert of(name, a, b) == pytest.approx(of(name, [0.1, 0.3, 0.4], [0.3, 0.2, 0.4]))
    assert math.isnan(of(name, [0.1, NAN], [0.2, 0.3]))


# LMC17 eq. 11


@st.composite
def two_sets_of_scores(draw):
    """Scores of the same systems on the same topics, twice: ties, missing topics, systems that are copies."""
    S, T = draw(st.integers(2, 5)), draw(st.integers(2, 6))
    value = st.one_of(st.integers(0, 4).map(lambda n: n / 4), st.just(NAN))
    row = st.lists(value, min_size=T, max_size=T)
    both = []
    for _ in range(2):
        rows = draw(st.lists(row, min_size=S, max_size=S))
        if draw(st.booleans()):
            rows[1] = rows[0]
        if draw(st.booleans()):
            rows[-1] = [value + 0.125 for value in rows[0]]  # the same difference on every topic
        both.append(np.array(rows))
    return both


def topics(scores):
    """system -> (topic -> score)"""
    return {f"s{s}": dict(enumerate(row)) for s, row in enumerate(scores.tolist())}


def certainty(scores):
    difference = significance.differences(scores)
    return orderings.certainties(significance.mean_and_t(difference)[0], significance.t_test(difference))


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(both=two_sets_of_scores())
def test_certainty_of_a_pair_is_the_definition(both):
    for scores in both:
        rows = list(topics(scores).values())
        expected = [oracle.rho(*pair) for pair in combinations(rows, 2)]
        known = [not math.isnan(oracle.p_two_tailed(*pair)) for pair in combinations(rows, 2)]
        ours = certainty(scores)
        assert ours[known] == pytest.approx(np.array(expected)[known], abs=1e-9)


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(both=two_sets_of_scores())
def test_weighted_distance_is_the_double_loop(both):
    a, b = (np.nan_to_num(scores, nan=0.5) for scores in both)
    for weight, weighted in ((1, False), ("rho", True)):
        ours = orderings.weighted_distance(certainty(a), certainty(b), weight=weight)
        assert ours == pytest.approx(oracle.weighted_distance(topics(a), topics(b), weighted=weighted), abs=1e-9)
        assert ours <= orderings.largest_distance(len(a), weight=weight) + 1e-9


@pytest.mark.parametrize("systems", range(2, 7))
@pytest.mark.parametrize("weight", [1, "rho"])
def test_no_permutation_is_farther_than_the_largest_distance_and_the_reverse_is_as_far(systems, weight):
    """METHODS 7.4: every pair is certain, as all topics have the same scores."""
    scores = np.arange(systems, dtype=float)
    rho = certainty(np.stack([scores] * 3, axis=1))
    assert set(np.abs(rho)) == {0.5}
    distances = {
        order: orderings.weighted_distance(rho, certainty(np.stack([scores[list(order)]] * 3, axis=1)), weight=weight)
        for order in permutations(range(systems))
    }
    largest = orderings.largest_distance(systems, weight=weight)
    assert max(distances.values()) == distances[tuple(range(systems))[::-1]] == pytest.approx(largest)
    assert sum(distance > largest - 1e-9 for distance in distances.values()) == 1


def test_weighted_distance_by_hand():
    identical = [[0.5, 0.25], [0.5, 0.25]]
    always = [[0.5, 0.75], [0.25, 0.5]]  # .25 better on every topic: p = 0
    never = always[::-1]
    rho = {name: certainty(np.array(scores)) for name, scores in (("=", identical), (">", always), ("<", never))}
    assert [rho[name].tolist() for name in "=><"] == [[0.0], [0.5], [-0.5]]
    assert orderings.weighted_distance(rho[">"], rho["<"]) == 1
    assert orderings.weighted_distance(rho[">"], rho["<"], weight="rho") == 0.5
    assert orderings.weighted_distance(rho[">"], rho["="], weight="rho") == 0.25
    assert orderings.weighted_distance(rho["="], rho[">"], weight="rho") == 0  # lambda is the reference's


def test_another_weight_is_refused():
    with pytest.raises(ValueError, match="weight='sigma' is not valid"):
        parameter("regimes", "weight").read("sigma")
