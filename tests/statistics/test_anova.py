"""Tests of the analysis of variance: NIST's certified values, statsmodels, the definition in loops, and FS19's laws."""

import json
import math
import warnings
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from evalcore.parameters import parameter
from evalcore.statistics.anova import INTERVALS, MODELS, Anova
from evalcore.statistics.bootstrap import bootstrapped_means
from evalcore.statistics.tukey import exceeded, randomised_tukey, tukey_p
from tests.examples import examples
from tests.oracles import anova as oracle

SHARDED = [name for name in MODELS if name != "MD1"]
NIST_FILE = Path(__file__).parents[1] / "reference" / "nist_anova.json"
NIST = json.loads(NIST_FILE.read_text())["data"]
NIST_AS_PRINTED = json.loads(NIST_FILE.read_text(), parse_float=Fraction)["data"]
every_model = pytest.mark.parametrize("model", MODELS)
LAWS = settings(max_examples=examples(15), deadline=None, derandomize=True)


def scores_of(model, seed=0, R=4, T=5, S=3):
    """float (R, T, S) in [0, 1] with effects of everything; one shard for MD1."""
    rng = np.random.default_rng(seed)
    S = S if MODELS[model].sharded else 1
    systems, topics, shards = rng.random((R, 1, 1)), rng.random((1, T, 1)), rng.random((1, 1, S))
    mixed = rng.random((R, T, 1)) + rng.random((R, 1, S)) + rng.random((1, T, S))
    return (systems + topics + shards + mixed + 2 * rng.random((R, T, S))) / 8


@st.composite
def score_arrays(draw, shards=(2, 3), systems=(2, 4), topics=(2, 4)):
    """float (R, T, S): ties, equal systems and zeros among them."""
    shape = tuple(draw(st.integers(*ends)) for ends in (systems, topics, shards))
    n = math.prod(shape)
    values = st.one_of(st.integers(0, 4).map(lambda k: k / 4), st.floats(0, 1, width=32))
    return np.array(draw(st.lists(values, min_size=n, max_size=n))).reshape(shape)


def cells(scores):
    """The same scores as the oracle reads them: (topic, system, shard) -> score."""
    return {(i, j, k): float(scores[j, i, k]) for j, i, k in np.ndindex(scores.shape)}


def analysed(scores, model):
    return Anova(np.asarray(scores, float), MODELS[model])


def pair_differences(means):
    return np.array([means[a] - means[b] for a, b in combinations(range(len(means)), 2)])


def significant(analysis, level=0.05):
    """Which pairs of systems differ."""
    return (analysis.studentized(pair_differences(analysis.means)) > analysis.threshold(level)).tolist()


# NIST's certified values. A one-way analysis is MD2 of one topic: systems = treatments, shards = replicates


def lre(found, certified):
    """The number of digits on which two numbers agree, 15 at most: -log10 of the relative error."""
    error = abs(float(found) - float(certified)) / abs(float(certified))
    return 15.0 if error < 1e-15 else -math.log10(error)


def exact_one_way(treatments):
    """(between, within, F) in rational numbers."""
    rows = [[Fraction(value) for value in row] for row in treatments]
    n, k = sum(len(row) for row in rows), len(rows)
    grand = sum(sum(row) for row in rows) / n
    between = sum(len(row) * (sum(row) / len(row) - grand) ** 2 for row in rows)
    within = sum((value - sum(row) / len(row)) ** 2 for row in rows for value in row)
    return between, within, between / (k - 1) / (within / (n - k))


# Digits lost are those that the data lose when stored in double precision: 3 leading digits that all values share in
# SiRstv, 7 or more in AtmWtAg and SmLs04, 13 in SmLs07, whose values are then known to 1e-4 only.
NIST_DIGITS = {"SiRstv": 13, "AtmWtAg": 10, "SmLs01": 14, "SmLs04": 10, "SmLs07": 4}


@pytest.mark.parametrize("name", NIST_DIGITS)
def test_certified_values(name):
    data, digits = NIST[name], NIST_DIGITS[name]
    certified = data["certified"]
    one_way = analysed(np.array(data["treatments"])[:, None, :], "MD2")
    assert (one_way.df("system"), one_way.df("error")) == (certified["df"], certified["df_error"])
    assert lre(one_way.ss("system"), certified["ss"]) >= digits
    assert lre(one_way.ss("error"), certified["ss_error"]) >= digits
    assert lre(one_way.f("system"), certified["f"]) >= digits
    assert lre(one_way.error, certified["ms_error"]) >= digits
    r_squared = one_way.ss("system") / (one_way.ss("system") + one_way.ss("error"))
    assert lre(r_squared, certified["r_squared"]) >= digits


@pytest.mark.parametrize("name", NIST_DIGITS)
def test_nothing_is_lost_beyond_what_storing_the_data_loses(name):
    """Rational arithmetic on the stored doubles: as good as any program can be."""
    data = NIST[name]
    one_way = analysed(np.array(data["treatments"])[:, None, :], "MD2")
    between, within, f = exact_one_way(data["treatments"])
    assert lre(one_way.ss("system"), between) >= 13
    assert lre(one_way.ss("error"), within) >= 13
    assert lre(one_way.f("system"), f) >= 13


@pytest.mark.parametrize("name", NIST_DIGITS)
def test_the_certified_values_belong_to_the_data_as_printed(name):
    certified = NIST[name]["certified"]
    for found, key in zip(exact_one_way(NIST_AS_PRINTED[name]["treatments"]), ("ss", "ss_error", "f"), strict=True):
        assert lre(found, certified[key]) >= 14


# statsmodels

TERMS = {
    "topic": "C(topic)", "system": "C(system)", "topic x system": "C(topic):C(system)", "shard": "C(shard)",
    "system x shard": "C(system):C(shard)", "topic x shard": "C(topic):C(shard)",
}  # fmt: skip


def of_statsmodels(scores, model):
    """The table of a linear model with the effects that METHODS 10.2 lists for this one."""
    rows = [(i, j, k, scores[j, i, k]) for j, i, k in np.ndindex(scores.shape)]
    data = pd.DataFrame(rows, columns=["topic", "system", "shard", "score"])
    fit = ols("score ~ " + " + ".join(TERMS[effect] for effect in oracle.EFFECTS[model]), data).fit()
    return anova_lm(fit, typ=1).rename(index={term: effect for effect, term in TERMS.items()})


@every_model
@pytest.mark.parametrize("shape", [(2, 2, 2), (4, 3, 2), (3, 5, 4)])
def test_the_tables_are_those_of_statsmodels(model, shape):
    R, T, S = shape
    scores = scores_of(model, seed=sum(shape), R=R, T=T, S=S)
    ours, theirs = analysed(scores, model), of_statsmodels(scores, model)
    assert set(theirs.index) == {*MODELS[model].effects, "Residual"}
    for effect in MODELS[model].effects:
        row = theirs.loc[effect]
        assert ours.df(effect) == row["df"]
        assert ours.ss(effect) == pytest.approx(row["sum_sq"], rel=1e-9)
        assert ours.f(effect) == pytest.approx(row["F"], rel=1e-8)
        assert ours.p(effect) == pytest.approx(row["PR(>F)"], rel=1e-7)
        excess = row["df"] * (row["F"] - 1)
        assert ours.omega2(effect) == pytest.approx(max(excess / (excess + scores.size), 0), abs=1e-10)
    error = theirs.loc["Residual"]
    assert ours.df("error") == error["df"]
    assert ours.ss("error") == pytest.approx(error["sum_sq"], rel=1e-9)
    assert ours.error == pytest.approx(error["mean_sq"], rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_md1_is_a_two_way_analysis_without_replication(seed):
    rng = np.random.default_rng(seed)
    table = rng.random((5, 7)) + rng.random((5, 1)) / 2
    ours = analysed(table[:, :, None], "MD1")
    rows = [(f"s{j}", f"t{i}", table[j, i]) for j, i in np.ndindex(table.shape)]
    data = pd.DataFrame(rows, columns=["system", "topic", "score"])
    theirs = anova_lm(ols("score ~ C(topic) + C(system)", data).fit(), typ=2)
    assert ours.df("error") == 24
    assert ours.f("system") == pytest.approx(theirs.loc["C(system)", "F"], rel=1e-9)
    assert ours.p("system") == pytest.approx(theirs.loc["C(system)", "PR(>F)"], rel=1e-8)
    mean_square = theirs.loc["Residual", "sum_sq"] / 24
    q = abs(table[0].mean() - table[3].mean()) / math.sqrt(mean_square / 7)
    assert ours.studentized(ours.means[0] - ours.means[3]) == pytest.approx(q, rel=1e-9)


# The definition


@every_model
@LAWS
@given(data=st.data())
def test_sums_of_squares_are_the_definition(model, data):
    scores = data.draw(score_arrays(shards=(2, 3) if MODELS[model].sharded else (1, 1)))
    ours, y = analysed(scores, model), cells(scores)
    ss, df = oracle.sums_of_squares(y, model), oracle.degrees_of_freedom(y, model)
    assert MODELS[model].effects == oracle.EFFECTS[model]
    for effect in (*MODELS[model].effects, "error"):
        assert ours.ss(effect) == pytest.approx(ss[effect], abs=1e-12)
        assert ours.df(effect) == df[effect]
    total = sum(ours.ss(effect) for effect in (*MODELS[model].effects, "error"))
    assert total == pytest.approx(ss["total"], abs=1e-12)
    assert sum(ours.df(effect) for effect in (*MODELS[model].effects, "error")) == df["total"] == scores.size - 1


@every_model
@LAWS
@given(data=st.data())
def test_f_p_and_omega2_are_the_definition(model, data):
    scores = data.draw(score_arrays(shards=(2, 3) if MODELS[model].sharded else (1, 1)))
    y = cells(scores)
    assume(oracle.sums_of_squares(y, model)["error"] > 1e-6)
    ours, expected = analysed(scores, model), oracle.anova(y, model)
    for effect in MODELS[model].effects:
        assert ours.f(effect) == pytest.approx(expected[effect]["f"], rel=1e-7, abs=1e-9)
        assert ours.p(effect) == pytest.approx(expected[effect]["p"], rel=1e-6, abs=1e-12)
        assert ours.omega2(effect) == pytest.approx(expected[effect]["omega2"], abs=1e-9)


def test_an_effect_smaller_than_the_error_has_size_0():
    scores = np.array([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])  # all means are 1/2
    ours = analysed(scores, "MD2")
    assert (ours.f("system"), ours.omega2("system"), ours.p("system")) == (0, 0, 1)


@pytest.mark.parametrize("T", [2, 50])
@pytest.mark.parametrize("S", [2, 5])
@pytest.mark.parametrize("R", [2, 129])
def test_error_degrees_of_freedom_are_those_of_the_table(R, T, S):
    expected = {
        "MD2": T * R * S - T - R + 1, "MD3": T * R * (S - 1), "MD4": T * R * (S - 1) - (S - 1),
        "MD5": T * R * (S - 1) - (S - 1) - (R - 1) * (S - 1), "MD6": (T - 1) * (R - 1) * (S - 1),
    }  # fmt: skip
    scores = np.zeros((R, T, S))
    assert {name: analysed(scores, name).df("error") for name in SHARDED} == expected
    assert analysed(scores[:, :, :1], "MD1").df("error") == (T - 1) * (R - 1)


def test_scores_are_not_touched():
    scores = scores_of("MD6")
    before = scores.copy()
    analysis = analysed(scores, "MD6")
    for effect in MODELS["MD6"].effects:
        analysis.f(effect)
    analysis.top_group(0.05)
    randomised_tukey(scores, resamples=5)
    assert np.array_equal(scores, before)


# FS19's propositions: a (topic, shard) without a relevant document holds x for every system


@st.composite
def with_undefined(draw):
    """Scores (R, T, S), which (T, S) cells are undefined, at least one but not all, and two values for them."""
    R, T, S = draw(st.sampled_from([(2, 3, 3), (3, 4, 2), (4, 5, 3), (5, 2, 4)]))
    scores = np.random.default_rng(draw(st.integers(0, 10_000))).random((R, T, S))
    scores += draw(st.sampled_from([0.0, 0.3])) * np.arange(R)[:, None, None]
    undefined = np.array(draw(st.lists(st.booleans(), min_size=T * S, max_size=T * S))).reshape(T, S)
    assume(0 < undefined.sum() < undefined.size)
    value = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 1e6, -1e6]), st.floats(-1e6, 1e6))
    return scores, undefined, draw(value)


def both(scores, undefined, x, model):
    """The analyses with undefined cells at 0 and at x."""
    return (analysed(np.where(undefined, value, scores), model) for value in (0.0, x))


@pytest.mark.parametrize("model", SHARDED)
@LAWS
@given(case=with_undefined())
def test_differences_of_systems_do_not_depend_on_undefined_cells(model, case):
    zero, x = both(*case, model)
    assert pair_differences(x.means) == pytest.approx(pair_differences(zero.means), abs=1e-8)
    assert x.ss("system") == pytest.approx(zero.ss("system"), abs=1e-7)


@LAWS
@given(case=with_undefined())
def test_under_md6_nothing_of_the_systems_depends_on_undefined_cells(case):
    zero, x = both(*case, "MD6")
    assume(zero.ss("error") > 1e-3)
    assert x.ss("error") == pytest.approx(zero.ss("error"), rel=1e-6)
    assert x.f("system") == pytest.approx(zero.f("system"), rel=1e-5, abs=1e-6)
    assert x.p("system") == pytest.approx(zero.p("system"), rel=1e-3, abs=1e-6)
    assert x.omega2("system") == pytest.approx(zero.omega2("system"), abs=1e-6)
    q = zero.studentized(pair_differences(zero.means))
    assert x.studentized(pair_differences(x.means)) == pytest.approx(q, abs=1e-5)
    assume(np.abs(q - zero.threshold(0.05)).min() > 1e-4)
    assert significant(x) == significant(zero)
    assert x.top_group(0.05).tolist() == zero.top_group(0.05).tolist()


@pytest.mark.parametrize("model", SHARDED)
def test_only_md6_is_free_of_the_value_of_undefined_cells(model):
    scores, undefined = scores_of(model, seed=3), np.zeros((5, 3), bool)
    undefined[1, 2] = undefined[4, 0] = True
    zero, one = both(scores, undefined, 1.0, model)
    assert (one.ss("error") == pytest.approx(zero.ss("error"), rel=1e-6)) == (model == "MD6")


# Tukey's HSD


class With100(Anova):
    """An analysis whose error has 100 degrees of freedom."""

    def df(self, effect):
        return 100 if effect == "error" else super().df(effect)


@pytest.mark.parametrize(("R", "q"), [(5, 3.93), (25, 5.32), (75, 6.12)])
def test_thresholds_are_those_of_methods(R, q):
    """As METHODS 10.3 gives them, at .05 and 100 degrees of freedom."""
    threshold = With100(np.zeros((R, 2, 2)), MODELS["MD2"]).threshold(0.05)
    assert threshold == pytest.approx(q, abs=0.005)
    assert threshold == pytest.approx(stats.studentized_range.ppf(0.95, R, 100), rel=1e-9)


class WithDf(Anova):
    """An analysis whose error has as many degrees of freedom as it has topics."""

    def df(self, effect):
        return self.scores.shape[1] if effect == "error" else super().df(effect)


@pytest.mark.parametrize("level", [0.001, 0.05, 0.5, 0.9])
@pytest.mark.parametrize("df", [1, 2, 30, 5000])
def test_the_threshold_of_two_means_is_that_of_the_t_test(df, level):
    threshold = WithDf(np.zeros((2, df, 2)), MODELS["MD2"]).threshold(level)
    assert threshold == pytest.approx(math.sqrt(2) * stats.t.isf(level / 2, df), rel=1e-8)


@pytest.mark.parametrize("level", [0.001, 0.05, 0.5])
@pytest.mark.parametrize(("R", "df"), [(3, 2), (12, 700), (143, 16472)])
def test_thresholds_are_scipys(R, df, level):
    threshold = WithDf(np.zeros((R, df, 1)), MODELS["MD2"]).threshold(level)
    assert threshold == pytest.approx(stats.studentized_range.ppf(1 - level, R, df), rel=1e-8)


def test_thresholds_are_of_the_systems_and_the_error_of_the_model():
    assert analysed(np.zeros((5, 26, 1)), "MD1").threshold(0.05) == pytest.approx(3.93, abs=0.005)  # 4 x 25
    assert analysed(np.zeros((25, 1, 5)), "MD2").threshold(0.05) == pytest.approx(5.32, abs=0.005)  # 125 - 25
    six = analysed(np.zeros((4, 5, 3)), "MD6")
    assert six.threshold(0.01) == pytest.approx(stats.studentized_range.ppf(0.99, 4, 24), rel=1e-9)


@pytest.mark.parametrize(
    ("R", "df", "farthest"),
    [(2, 10, 24.15), (4, 24, 13.25), (12, 700, 9.19)],  # where p is 1e-8
)
def test_tukey_p_is_scipys(R, df, farthest):
    q = np.array([0.33, 0.57, 0.83, 1.13, 1.57, 2.43, 3.17, 4.05, 5.13, 6.66, 8.31, farthest])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # far out the integration says that it is not sure
        expected = stats.studentized_range.sf(q, R, df)
    assert 5e-9 < expected[-1] < 2e-8
    assert tukey_p(q, R, df) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("R", "df"), [(2, 30), (3, 4), (5, 1), (38, 1073), (143, 16472), (1000, 44955)])
def test_the_chance_of_a_range_is_scipys(R, df):
    q = np.array([0.05, 0.5, 1.0, 2.0, 3.5, 5.0, 6.5, 8.0])
    assert exceeded(q, R, df) == pytest.approx(stats.studentized_range.sf(q, R, df), abs=2e-10)


def test_the_chance_of_a_range_of_two_is_that_of_t_with_a_million_degrees_of_freedom():
    q = np.array([0.05, 0.5, 1.0, 2.0, 3.5, 5.0, 6.5, 8.0])
    assert exceeded(q, 2, 10**6) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), 10**6), rel=1e-7)


@pytest.mark.parametrize("df", [1, 2, 9, 400, 100_000])
def test_the_chance_of_a_range_of_two_is_the_t_test_however_small(df):
    q = np.array([0.1, 1.0, 4.0, 8.0, 9.0])
    assert exceeded(q, 2, df) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), df), rel=1e-8)


def test_tukey_p_of_two_is_the_t_test():
    q = np.linspace(0.05, 12, 60)
    assert tukey_p(q, 2, 10) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), 10), rel=1e-5)


@pytest.mark.parametrize("df", [1, 2, 3, 4])
def test_tukey_p_of_few_degrees_of_freedom_is_soon_found(df, monkeypatch):
    """Tails that fall slowly: three systems on two topics and two shards have 2. A range takes SciPy milliseconds."""
    asked = []

    def of_two(q, systems, df):
        asked.extend(np.atleast_1d(q))
        assert len(asked) < 2000
        return 2 * stats.t.sf(np.asarray(q) / math.sqrt(2), df)

    monkeypatch.setattr(stats.studentized_range, "sf", of_two)
    q = np.array([0.1, 0.77, 1.5, 3.3, 6.1, 12.9, 40.0, 77.7])
    assert tukey_p(q, 2, df) == pytest.approx(2 * stats.t.sf(q / math.sqrt(2), df), rel=1e-4)


def test_tukey_p_at_the_ends():
    p = tukey_p(np.array([[0.0, 1e-9], [1e4, 1e300]]), 4, 24)
    assert p.shape == (2, 2)
    assert p[0] == pytest.approx([1, 1])
    assert (p[1] <= 1.01e-10).all()
    assert (p >= 0).all()


def test_tukey_p_falls_with_q_and_crosses_the_level_at_the_threshold():
    q = np.linspace(0, 12, 2000)
    assert (np.diff(tukey_p(q, 4, 24)) <= 0).all()
    for level in (0.2, 0.05, 0.01):
        threshold = analysed(np.zeros((4, 5, 3)), "MD6").threshold(level)
        assert tukey_p(np.array(threshold), 4, 24) == pytest.approx(level, rel=1e-5)


@every_model
@pytest.mark.parametrize("seed", range(6))
def test_tukey_is_the_definition(model, seed):
    scores = scores_of(model, seed=seed)
    ours, y = analysed(scores, model), cells(scores)
    expected = oracle.tukey(y, model)
    assert ours.standard_error == pytest.approx(oracle.error_of_mean(y, model))
    assert ours.studentized(pair_differences(ours.means)) == pytest.approx([row["q"] for row in expected.values()])
    assert significant(ours) == [row["significant"] for row in expected.values()]
    assert set(np.flatnonzero(ours.top_group(0.05))) == oracle.top_group(y, model)


def test_the_cases_above_have_pairs_of_both_kinds():
    decisions = {
        one for seed in range(6) for model in MODELS for one in significant(analysed(scores_of(model, seed), model))
    }
    assert decisions == {True, False}


def test_tukey_of_one_way_is_scipys():
    """With a single topic nothing but the systems is taken out of the error."""
    groups = np.random.default_rng(2).random((4, 1, 7)) + np.array([0, 0.1, 0.3, 0.5])[:, None, None]
    ours, theirs = analysed(groups, "MD2"), stats.tukey_hsd(*groups[:, 0])
    q = ours.studentized(pair_differences(ours.means))
    assert tukey_p(q, 4, ours.df("error")) == pytest.approx(
        [theirs.pvalue[p] for p in combinations(range(4), 2)], rel=1e-4
    )


def test_the_topic_is_a_block():
    """Topics that differ by far more than systems do not hide a difference, as one-way Tukey lets them."""
    rng = np.random.default_rng(4)
    scores = (np.linspace(0, 0.8, 12)[None, :] + np.array([0, 0.05])[:, None] + rng.normal(0, 0.005, (2, 12)))[
        :, :, None
    ]
    assert significant(analysed(scores, "MD1")) == [True]
    assert stats.tukey_hsd(*scores[:, :, 0]).pvalue[0, 1] > 0.5


# Randomised Tukey


def every_range(scores):
    """The range of means under every exchange of the systems within each (topic, shard)."""
    blocks = scores.reshape(len(scores), -1).T.tolist()
    n = len(blocks)
    for exchanged in product(*(permutations(block) for block in blocks)):
        means = [math.fsum(block[j] for block in exchanged) / n for j in range(len(scores))]
        yield max(means) - min(means)


@pytest.mark.parametrize("shape", [(3, 3, 1), (3, 1, 3), (2, 3, 2)])
def test_randomised_tukey_is_near_the_full_enumeration(shape):
    scores = np.random.default_rng(5).random(shape)
    ranges, drawn = np.array(list(every_range(scores))), 4000
    widest = randomised_tukey(scores, seed=1, resamples=drawn)
    assert widest.shape == (drawn,)
    assert (np.diff(widest) >= 0).all()
    assert np.abs(widest[:, None] - np.unique(ranges.round(12))).min(axis=1).max() < 1e-9  # nothing else can come
    for limit in np.quantile(ranges, [0.1, 0.5, 0.9, 1.0]) - 1e-9:
        exact = (ranges >= limit).mean()
        assert (widest >= limit).mean() == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / drawn) + 1e-9)


def test_the_oracles_p_counts_those_ranges():
    scores = np.random.default_rng(5).random((3, 3, 1))
    ranges = np.array(list(every_range(scores)))
    p = oracle.randomised_tukey(scores.reshape(3, -1).T.tolist())
    means = scores.mean(axis=(1, 2))
    for a, b in combinations(range(3), 2):
        assert p[a, b] == pytest.approx((ranges >= abs(means[a] - means[b]) - 1e-12).mean())


def test_randomised_tukey_has_a_seed():
    scores = scores_of("MD6")
    once, again, other = (randomised_tukey(scores, seed=seed, resamples=50).tolist() for seed in (3, 3, 4))
    assert once == again
    assert once != other


def test_equal_systems_have_no_range():
    assert randomised_tukey(np.tile(scores_of("MD6")[:1], (3, 1, 1)), resamples=20) == pytest.approx(0, abs=1e-12)


# Intervals (eqs 3 to 5)


@pytest.mark.parametrize(("model", "level"), [*((model, 0.05) for model in MODELS), ("MD6", 0.2)])
def test_intervals_are_the_definition(model, level):
    scores = scores_of(model, seed=8)
    ours, y = analysed(scores, model), cells(scores)
    assert set(INTERVALS) == {"tukey", "sem", "anova", "bootstrap"}
    for kind in ("tukey", "sem", "anova"):
        expected = [oracle.half_width(y, model, kind, system, level) for system in range(4)]
        assert ours.half_widths(kind, level) == pytest.approx(expected, rel=1e-9)


def test_intervals_of_the_mean_are_scipys():
    scores = scores_of("MD6", seed=9)
    expected = [stats.ttest_1samp(own.ravel(), 0).confidence_interval(0.95) for own in scores]
    halves = [(one.high - one.low) / 2 for one in expected]
    assert analysed(scores, "MD6").half_widths("sem", 0.05) == pytest.approx(halves)


@pytest.mark.parametrize("level", [0.05, 0.4])
def test_the_bootstrap_is_the_distribution_over_all_resamples_of_few_topics(level):
    """With 4 topics there are 256 equally likely samples; quantiles of 10,000 of them fall on those or between them."""
    scores = scores_of("MD6", seed=4)[:, :4]
    ours = analysed(scores, "MD6")
    below, above = ours.reaches("bootstrap", level)
    for own, mean, low, high in zip(scores, ours.means, ours.means - below, ours.means + above, strict=True):
        of_topic = [sum(topic) / len(topic) for topic in own]
        everything = sorted(sum(drawn) / 4 for drawn in product(of_topic, repeat=4))
        assert everything[0] <= low <= mean <= high <= everything[-1]
        for end, quantile in ((low, level / 2), (high, 1 - level / 2)):
            share_below = sum(value < end - 1e-9 for value in everything) / 256
            share_up_to = sum(value <= end + 1e-9 for value in everything) / 256
            assert share_below - 0.02 <= quantile <= share_up_to + 0.02


def test_the_bootstrap_is_scipys():
    scores = scores_of("MD1", seed=2)
    below, above = analysed(scores, "MD1").reaches("bootstrap", 0.1)
    for own, under, over in zip(scores[:, :, 0], below, above, strict=True):
        theirs = stats.bootstrap((own,), np.mean, confidence_level=0.9, method="percentile", rng=1).confidence_interval
        assert (own.mean() - under, own.mean() + over) == pytest.approx(tuple(theirs), abs=0.05 * (under + over))


def test_the_bootstrap_takes_10_000_samples():
    scores = np.random.default_rng(8).random((3, 40, 1))
    low, high = bootstrapped_means(scores[:, :, 0], 0.1, resamples=10_000)
    ours = analysed(scores, "MD1")
    assert ours.reaches("bootstrap", 0.1) == pytest.approx(np.array([ours.means - low, high - ours.means]), abs=1e-15)


@pytest.mark.parametrize("seed", range(8))
def test_tukeys_intervals_overlap_where_two_systems_do_not_differ(seed):
    analysis = analysed(scores_of("MD6", seed=seed), "MD6")
    half = analysis.half_widths("tukey", 0.05)
    ends = list(zip(analysis.means - half, analysis.means + half, strict=True))
    overlap = [a[0] <= b[1] and b[0] <= a[1] for a, b in combinations(ends, 2)]
    assert significant(analysis) == [not one for one in overlap]


# Nothing to divide by


@every_model
def test_equal_systems_do_not_differ(model):
    scores = np.tile(scores_of(model, seed=1)[:1].round(1), (3, 1, 1))
    analysis = analysed(scores, model)
    assert analysis.ss("system") == pytest.approx(0, abs=1e-20)
    assert significant(analysis) == [False] * 3
    assert analysis.top_group(0.05).tolist() == [True] * 3


def test_scores_that_are_all_0_make_no_system_better():
    """A small new collection, in which nobody found anything: no warning, no difference."""
    analysis = analysed(np.zeros((3, 4, 2)), "MD6")
    assert math.isnan(analysis.f("system"))
    assert math.isnan(analysis.omega2("system"))
    assert significant(analysis) == [False] * 3
    assert analysis.top_group(0.05).tolist() == [True] * 3


@every_model
def test_systems_a_constant_apart_differ_where_the_model_leaves_no_error(model):
    """0 and 1 wherever: the error is 0 and the difference is not."""
    S = 2 if MODELS[model].sharded else 1
    analysis = analysed(np.stack([np.zeros((3, S)), np.ones((3, S))]), model)
    assert analysis.ss("error") == 0
    assert analysis.ss("system") == pytest.approx(analysis.scores.size / 4)
    assert significant(analysis) == [True]
    assert analysis.top_group(0.05).tolist() == [False, True]


def test_means_that_differ_only_by_the_order_of_a_sum_are_equal_where_the_model_leaves_no_error():
    analysis = analysed(np.array([[0.1, 0.2, 0.3], [0.1, 0.3, 0.2]])[:, :, None].repeat(2, axis=2), "MD3")
    assert analysis.error == 0
    assert analysis.means[0] != analysis.means[1]
    assert significant(analysis) == [False]
    assert analysis.top_group(0.05).tolist() == [True, True]


@pytest.mark.parametrize("size", [1e-6, 1e-9, 1e-11])
def test_a_small_error_is_not_taken_for_rounding(size):
    """Only a mean square below the square of 1e-14 of the largest score is none. In rational numbers."""
    treatments = 1 + size * np.random.default_rng(1).integers(0, 9, (3, 5))
    ours = analysed(treatments[:, None, :], "MD2")
    _, within, f = exact_one_way(treatments.tolist())
    assert ours.error == pytest.approx(float(within / 12), rel=1e-3)
    assert ours.f("system") == pytest.approx(float(f), rel=1e-3)


def test_an_error_of_rounding_alone_is_none():
    rounded = np.array([[0.1 + 0.2, 0.3, 0.3], [0.7, 0.7, 0.8 - 0.1]])
    assert len(np.unique(rounded)) > 2
    ours = analysed(rounded[:, None, :], "MD2")
    assert ours.error == 0
    assert significant(ours) == [True]


def test_two_systems_as_far_apart_as_the_threshold_do_not_differ(monkeypatch):
    """They differ above it."""
    analysis = analysed(scores_of("MD6"), "MD6")
    apart = np.sort(analysis.studentized(analysis.means.max() - analysis.means))
    monkeypatch.setattr("evalcore.statistics.tukey.threshold", lambda level, systems, df: apart[2])
    assert np.count_nonzero(analysis.top_group(0.05)) == 3
    monkeypatch.setattr("evalcore.statistics.tukey.threshold", lambda level, systems, df: np.nextafter(apart[2], 0))
    assert np.count_nonzero(analysis.top_group(0.05)) == 2


def test_an_effect_without_degrees_of_freedom_has_no_f():
    """One topic, on several shards: nothing is known of topics."""
    ours = analysed(scores_of("MD2", T=1), "MD2")
    assert ours.df("topic") == 0
    assert math.isnan(ours.f("topic"))
    assert math.isnan(ours.p("topic"))
    assert ours.f("system") > 0


def test_a_single_shard_leaves_no_error_to_md3():
    analysis = analysed(scores_of("MD1"), "MD3")
    assert analysis.df("error") == 0
    assert math.isnan(analysis.error)
    assert math.isnan(analysis.f("system"))


def test_a_model_that_is_not_known():
    assert list(MODELS) == ["MD1", "MD2", "MD3", "MD4", "MD5", "MD6"]
    with pytest.raises(ValueError, match=r"no model 'MD7'\. Known: MD1, MD2, MD3, MD4, MD5, MD6\."):
        parameter("anova", "models").read(["MD7"])


def test_every_row_names_its_source_and_oracle():
    for row in MODELS.values():
        assert row.source
        assert row.oracle
        assert row.summary
