"""Rank-biased overlap against its definition and against another package.

reference: figures that the package rbo 0.1.3 gave stand beside the live comparison, since it asks for an older NumPy
than this program.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.statistics import orderings, overlap
from tests.examples import examples
from tests.oracles import consistency as oracle

LISTS = st.permutations(list(range(1, 11))).flatmap(lambda p: st.integers(0, 8).map(lambda n: p[:n]))


def overlap_of(one, two, phi=0.9):
    """(minimum, residual, maximum, extrapolated) of two lists of numbers."""
    a, b = (np.array([[*one, 0]]) for one in (one, two))
    found = overlap.rank_biased_overlap(a, b, phi=phi)
    return tuple(float(getattr(found, name)[0]) for name in ("minimum", "residual", "maximum", "extrapolated"))


def coded(letters):
    return [ord(letter) - 96 for letter in letters]


def test_the_figures_of_webber_moffat_and_zobel():
    found = overlap_of(coded("abcdefg"), coded("bacdxyz"))
    assert [round(value, 3) for value in found] == [0.506, 0.321, 0.828, 0.639]
    assert found[0] == pytest.approx(oracle.equation_11("abcdefg", "bacdxyz", 0.9))


@settings(max_examples=examples(200), deadline=None)
@given(pairs=st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=4), phi=st.sampled_from([0.3, 0.8, 0.9, 0.98]))
def test_overlap_equals_its_definition(pairs, phi):
    a, b = (np.array([[*one[i], *[0] * (8 - len(one[i]))] for one in pairs]) for i in (0, 1))
    found = overlap.rank_biased_overlap(a, b, phi=phi)
    for i, (one, two) in enumerate(pairs):
        assert found.minimum[i] == pytest.approx(oracle.minimum(one, two, phi), abs=1e-9)
        assert found.maximum[i] == pytest.approx(oracle.maximum(one, two, phi), abs=1e-9)
        assert found.extrapolated[i] == pytest.approx(oracle.extrapolated(one, two, phi), abs=1e-9, nan_ok=True)
        if one or two:
            assert -1e-12 <= found.minimum[i] <= found.extrapolated[i] + 1e-12
            assert found.extrapolated[i] <= found.maximum[i] + 1e-12 <= 1 + 1e-9


@pytest.mark.parametrize("phi", [0.5, 0.9, 0.99])
def test_the_same_lists_and_lists_with_nothing_in_common(phi):
    minimum, residual, maximum, extrapolated = overlap_of([1, 2, 3], [1, 2, 3], phi)
    assert (maximum, extrapolated) == pytest.approx((1, 1))
    assert minimum == pytest.approx(oracle.minimum([1, 2, 3], [1, 2, 3], phi))
    minimum, residual, maximum, extrapolated = overlap_of([1, 2], [3, 4], phi)
    assert (minimum, extrapolated) == (0, 0)
    assert residual == pytest.approx(maximum)
    assert overlap_of([], [1], phi) == pytest.approx((0, 1, 1, 0))
    assert overlap_of([], [], phi) == pytest.approx((0, 1, 1, np.nan), nan_ok=True)
    assert overlap_of([1], [1], phi)[3] == 1


def test_many_pairs_in_blocks_are_as_each_alone(monkeypatch):
    rng = np.random.default_rng(1)
    a, b = (np.array([rng.permutation(40)[:12] + 1 for _ in range(30)]) for _ in range(2))
    a[:, 9:] = 0
    whole = overlap.rank_biased_overlap(a, b)
    monkeypatch.setattr(overlap, "PLACES_AT_ONCE", 50)
    parts = overlap.rank_biased_overlap(a, b)
    np.testing.assert_allclose(parts.extrapolated, whole.extrapolated)
    np.testing.assert_allclose(parts.residual, whole.residual)


RBO_PACKAGE = {  # one list, the other, phi -> RankingSimilarity(one, two).rbo_ext(p=phi), by rbo 0.1.3
    ("abcdefg", "bacdxyz", 0.9): 0.6394345714285714,
    ("abcdefg", "gfedcba", 0.8): 0.3915093333333334,
    ("abcde", "abxcyzw", 0.9): 0.6923349999999999,
    ("a", "bac", 0.95): 0.32458333333333333,
}


@pytest.mark.parametrize(("one", "two", "phi"), RBO_PACKAGE)
def test_the_package_rbo_extrapolates_alike(one, two, phi):
    ours = overlap_of(coded(one), coded(two), phi)[3]
    assert ours == pytest.approx(RBO_PACKAGE[one, two, phi])
    rbo = pytest.importorskip("rbo", reason="rbo 0.1.3 asks for NumPy below 2; its figures are above")
    assert ours == pytest.approx(rbo.RankingSimilarity(list(one), list(two)).rbo_ext(p=phi))


@pytest.mark.parametrize("phi", [0, 1, -0.1, True, "0.9"])
def test_a_persistence_that_cannot_be_is_said(phi):
    with pytest.raises(ValueError, match=r"phi=.* is not valid; it must be between 0 and 1, such as 0\.9\."):
        overlap_of([1], [1], phi)


@settings(max_examples=examples(60), deadline=None)
@given(values=st.lists(st.tuples(*[st.integers(0, 9).map(float)] * 2), min_size=2, max_size=40))
def test_two_orderings_overlap_as_two_lists_that_hold_all_do(values):
    both = np.array(values).T
    lists = [orderings.ordering(means)[None] + 1 for means in both]
    extrapolated = overlap.rank_biased_overlap(*lists, phi=0.8).extrapolated[0]
    assert orderings.rank_biased_overlap(*both, p=0.8) == pytest.approx(extrapolated, abs=1e-13)
