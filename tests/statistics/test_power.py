"""The power of paired t-tests against statsmodels and against a simulation."""

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

import evalcore
from evalcore.statistics import power
from tests.small import small_study


@pytest.mark.parametrize("level", [0.05, 0.01])
@pytest.mark.parametrize("effect", [0.1, 0.3, 1.5])
def test_power_and_topics_are_those_of_statsmodels(effect, level):
    for topics in (2, 10, 50):
        theirs = TTestPower().power(effect, topics, level)
        if theirs == theirs:  # else it is above 1 - 1e-12
            assert power.power(effect, topics, level) == pytest.approx(theirs, abs=1e-9)
    needed = power.topics_needed(effect, 0.8, level)
    assert needed == np.ceil(TTestPower().solve_power(effect, alpha=level, power=0.8) - 1e-6)
    assert power.smallest_effect(needed, 0.8, level) <= effect


def test_a_difference_is_found_as_often_as_said():
    rng, effect, topics = np.random.default_rng(3), 0.5, 20
    drawn = rng.normal(effect, 1, (20_000, topics))
    t = drawn.mean(axis=1) / drawn.std(axis=1, ddof=1) * topics**0.5
    assert power.power(effect, topics, 0.05) == pytest.approx((np.abs(t) > 2.0930).mean(), abs=0.01)


def test_the_deviation_is_that_of_the_model_of_topics_and_systems():
    scores = {"a": [1, 0, 1, 0], "b": [1, 1, 0, 0], "c": [0, 0, 1, 1]}
    runs = {s: {f"t{t}": {"x": 1.0} if hit else {"y": 1.0} for t, hit in enumerate(of)} for s, of in scores.items()}
    study = small_study(runs, {f"t{t}": {"x": 1, "y": 0} for t in range(4)}, pooled="all")
    row = evalcore.ask(study, "topics_needed", metric="P@1", differences=[0.2]).table.iloc[1]
    table = np.array(list(scores.values()), float)
    means, hard, whole = table.mean(axis=1), table.mean(axis=0), table.mean()
    left = sum((table[s, t] - means[s] - hard[t] + whole) ** 2 for s in range(3) for t in range(4))
    assert row["effect_size"] == pytest.approx(0.2 / (2 * left / 6) ** 0.5)
    needed = np.ceil(TTestPower().solve_power(row["effect_size"], alpha=0.05, power=0.8))
    assert (row["n"], row["topics_needed"]) == (4, needed)
