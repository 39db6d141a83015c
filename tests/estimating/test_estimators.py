"""The six estimates inside an interval, against their formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.estimating.estimators import ESTIMATORS, canonical, errors, estimated
from tests.oracles import estimates as oracle
from tests.small import small_study

share = st.floats(0, 1).map(lambda x: round(x, 6))


FORMULAS = sorted(name for name, row in ESTIMATORS.items() if not row.model)


@given(st.sampled_from(FORMULAS), share, share, st.sampled_from([1.0, 0.875]))
def test_equal_to_the_formula_and_inside_the_interval(name, known, quality, highest):
    lower = known * quality * highest
    upper = lower + (1 - known) * highest
    ours = estimated(name, np.array([lower]), np.array([upper]), highest=highest)[0]
    assert ours == pytest.approx(getattr(oracle, name)(lower, upper, highest), abs=1e-9)
    assert lower <= ours <= upper


@given(share, share, share, share)
def test_smoothed_is_the_mix_of_interpolated_and_background(known, quality, C, E):
    D, B = 1 - known, known * quality
    lower, upper = np.array([B]), np.array([B + D])
    made = {
        name: estimated(f"{name}(C={C}, E={E})", lower, upper, highest=1.0)[0] for name in ("interpolated", "smoothed")
    }
    plain = estimated(f"background(E={E})", lower, upper, highest=1.0)[0]
    if known > 1e-6:
        assert made["smoothed"] == pytest.approx((1 - D) * made["interpolated"] + D * plain, abs=1e-9)


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_with_everything_judged_every_estimate_is_the_score(name):
    study = small_study({"s": {"t": {"a": 3.0, "b": 2.0}}}, {"t": {"a": 1, "b": 0}}, empty="not relevant")
    estimate = study.at().estimate("RBP(p=0.8)", estimator=name)
    assert estimate.value.item() == pytest.approx(0.2)
    assert estimate.lower.item() == pytest.approx(estimate.upper.item())


def test_nothing_judged_gives_the_background():
    nothing = np.array([0.0]), np.array([1.0])
    assert estimated("interpolated(C=0.42, E=0.03)", *nothing, highest=1.0) == 0.03
    assert estimated("smoothed(C=0.42, E=0.03)", *nothing, highest=1.0) == 0.03


def test_names_are_written_in_full():
    assert canonical("interpolated") == "interpolated(C=0.42, E=0.01)"
    assert canonical("Interpolated(E=0.02)") == "interpolated(C=0.42, E=0.02)"
    assert canonical("rm") == "rm"
    with pytest.raises(ValueError, match=r"no estimator 'guess'\. Known: lower, upper, background"):
        canonical("guess")
    with pytest.raises(ValueError, match=r"C = 2 is not valid; C must be a number from 0 to 1\."):
        canonical("smoothed(C=2)")


def test_an_error_of_a_trillionth_is_none():
    """METHODS 6.1: at most 1e-12 outside the reference interval, here [.25, .5], is 0."""
    values = np.array([0.25 - 2e-12, 0.25 - 5e-13, 0.25, 0.3, 0.5, 0.5 + 5e-13, 0.5 + 2e-12])
    ours = errors(values, 0.25, 0.5)
    assert ours[1:-1].tolist() == [0] * 5
    assert ours[[0, -1]] == pytest.approx([2e-12, 2e-12], rel=1e-3)
