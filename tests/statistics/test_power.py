"""The power of paired t-tests against statsmodels and against a simulation."""

import numpy as np
import pytest
import scipy
from statsmodels.stats.power import FTestAnovaPower, TTestPower

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
    needed = power.fewest(lambda topics: power.power(effect, topics, level) >= 0.8)
    assert needed == np.ceil(TTestPower().solve_power(effect, alpha=level, power=0.8) - 1e-6)
    assert power.smallest_effect(lambda other: power.power(other, needed, level), 0.8) <= effect
    if (effect, level) == (0.3, 0.05):
        assert needed == 90  # as G*Power says


@pytest.mark.parametrize(("effect", "topics", "systems"), [(0.2, 50, 2), (0.5, 30, 5), (1.0, 10, 20), (0.1, 200, 100)])
def test_the_power_among_systems_is_that_of_statsmodels(effect, topics, systems):
    least = effect / (2 * systems) ** 0.5  # Cohen's f where all but two systems are half-way between these
    theirs = FTestAnovaPower().power(least, systems * topics, 0.05, k_groups=systems)
    assert power.power_among(effect, topics, 0.05, systems) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("topics", [2, 5, 30])
def test_the_width_is_that_of_drawn_samples_on_average(topics):
    drawn = np.random.default_rng(5).normal(0, 1, (200_000, topics))
    widths = 2 * scipy.stats.t.ppf(0.975, topics - 1) * drawn.std(axis=1, ddof=1) / topics**0.5
    assert power.width(topics, 0.05) == pytest.approx(widths.mean(), rel=0.01)


def test_a_power_that_chance_reaches_needs_no_effect():
    assert power.smallest_effect(lambda effect: power.power(effect, 10, 0.05), 0.03) == 0


def test_the_fewest_topics_that_are_enough():
    for least in (*range(2, 20), 500_000):
        assert power.fewest(least.__le__) == least
    assert power.fewest(lambda topics: True) == 2
    assert np.isnan(power.fewest(lambda topics: topics > 2 * 10**6))


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


def test_two_topics_are_enough_for_a_deviation():
    """Two systems, of which one is ahead by 1 on one topic and level on the other: 2 MSE is 1/2, as is the variance of
    1 and 0."""
    runs = {"a": {"t0": {"x": 1.0}, "t1": {"x": 1.0}}, "b": {"t0": {"y": 1.0}, "t1": {"x": 1.0}}}
    study = small_study(runs, {t: {"x": 1, "y": 0} for t in ("t0", "t1")}, pooled="all")
    row = evalcore.ask(study, "topics_needed", metric="P@1", differences=[0.2]).table.iloc[1]
    assert (row["effect_size"], row["n"]) == (pytest.approx(0.2 / 0.5**0.5), 2)


def study_of_depths():
    """Four systems on six topics; each topic has one document at rank 1, judged by all, and one of its own below."""
    hits = {"a": "111010", "b": "101011", "c": "010101", "d": "110001"}
    first = {"1": "x", "0": "y"}
    runs = {s: {f"t{t}": {first[hit]: 2.0, f"{s}2": 1.0} for t, hit in enumerate(of)} for s, of in hits.items()}
    judged = {"x": 1, "y": 0, "a2": 1, "b2": 0, "c2": 1, "d2": 0}
    return small_study(runs, {f"t{t}": judged for t in range(6)}, pooled="all"), hits


def test_all_systems_and_the_width_of_an_interval():
    study, hits = study_of_depths()
    table = np.array([[int(hit) for hit in of] for of in hits.values()], float)
    within = np.mean([row.var(ddof=1) for row in table]) ** 0.5
    row = evalcore.ask(study, "topics_needed", metric="P@1", design="anova", differences=[0.4]).table.iloc[1]
    least = row["effect_size"] / 8**0.5
    assert row["effect_size"] == pytest.approx(0.4 / within)
    needed = FTestAnovaPower().solve_power(least, alpha=0.05, power=0.8, k_groups=4) / 4
    assert row["topics_needed"] == np.ceil(needed)
    first, row = evalcore.ask(study, "topics_needed", metric="P@1", design="width", differences=[0.3]).table.iloc
    left = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    deviation = (2 * (left**2).sum() / 15) ** 0.5
    assert first["difference"] == pytest.approx(deviation * power.width(6, 0.05))
    few, enough = (power.width(int(n), 0.05) * deviation for n in (row["topics_needed"] - 1, row["topics_needed"]))
    assert enough <= 0.3 < few
    assert np.isnan(row["power"])


def test_more_topics_or_deeper_pools():
    """To rank 1 a topic has two judged documents, to rank 2 six, so as many judgments give three times the topics."""
    study, hits = study_of_depths()
    shallow, deep = evalcore.ask(study, "topics_or_depth", metric="P@2").table.iloc
    assert (shallow["depth"], shallow["per_topic"], shallow["topics"]) == (1, 2, 18)
    assert (deep["per_topic"], deep["topics"]) == (6, 6)
    found = TTestPower().solve_power(nobs=18, alpha=0.05, power=0.8)
    assert shallow["difference"] == pytest.approx(found * shallow["deviation"], abs=1e-6)
    table = np.array([[int(hit) / 2 for hit in of] for of in hits.values()])
    left = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    assert shallow["deviation"] == pytest.approx((2 * (left**2).sum() / 15) ** 0.5)
    assert (shallow["mean_width"], deep["mean_width"]) == (0.5, 0)
    fewer = evalcore.ask(study, "topics_or_depth", metric="P@2", budget=7).table
    assert list(fewer["topics"]) == [3, 1]
    assert list(fewer["difference"].isna()) == [False, True]
