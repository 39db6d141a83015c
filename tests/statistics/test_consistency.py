"""Consistency and agreement against the definitions and against other packages.

reference: figures that the packages pingouin 0.6.1 and krippendorff 0.9.0 gave stand beside the live comparisons.
"""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalcore.statistics import agreement, consistency
from tests.examples import examples
from tests.oracles import consistency as oracle
from tests.small import small_study

# Consistency

RANKING = st.permutations("abcdefgh").flatmap(lambda p: st.integers(0, 6).map(lambda n: p[:n]))


@settings(max_examples=examples(100), deadline=None)
@given(lists=st.lists(RANKING, min_size=1, max_size=5), phi=st.sampled_from([0.5, 0.9]), again=st.booleans())
def test_consistency_equals_its_definition(lists, phi, again):
    lists = [*lists, lists[0]] if again else lists
    run = {f"1-{i}": {d: -float(k) for k, d in enumerate(one)} for i, one in enumerate(lists)}
    study = small_study({"A": run, "B": {query: {"a": 1.0} for query in run}}, {"1": {"a": 1}})
    found = consistency.consistency(study.track, phi=phi)
    answered = sum(bool(one) for one in lists)
    assert found.answered[0, 0] == answered
    if answered < 2:
        assert np.isnan(found.value[0, 0])
        return
    mean, sd, n = oracle.topic_consistency(lists, phi)
    assert found.distinct[0, 0] == n
    assert (found.value[0, 0], found.sd[0, 0]) == pytest.approx((mean, sd), nan_ok=True, abs=1e-9)
    assert 0 <= found.value[0, 0] <= 1 + 1e-12
    if len(lists) > 1:
        assert (found.value[1, 0], found.distinct[1, 0]) == (pytest.approx(1), 1)


# Agreement

SCORES = st.integers(2, 6).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 4).map(float), min_size=systems, max_size=systems), min_size=2, max_size=6
    )
)


@settings(max_examples=examples(100), deadline=None)
@given(rows=SCORES)
def test_agreement_of_topics_equals_its_definitions(rows):
    scores = np.array(rows).T
    varied = any(len(set(row)) > 1 for row in rows)
    w, p = consistency.kendall_w(scores)
    assert w == pytest.approx(oracle.kendall_w(rows)) if varied else np.isnan(w)
    assert 0 <= p <= 1 if varied else np.isnan(p)
    differ = len({v for row in rows for v in row}) > 1
    value, p = consistency.icc(scores)
    assert value == pytest.approx(oracle.icc(rows)) if differ else np.isnan(value)
    for level in ("nominal", "ordinal", "interval"):
        ours = agreement.alpha(scores.T, level)
        assert ours == pytest.approx(oracle.alpha(rows, level)) if differ else np.isnan(ours)


@settings(max_examples=examples(100), deadline=None)
@given(
    rows=st.lists(
        st.lists(st.sampled_from([None, 0.0, 1.0, 2.0, 5.0]), min_size=4, max_size=4), min_size=2, max_size=4
    ),
    level=st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_alpha_leaves_out_what_is_not_rated(rows, level):
    values = np.array([[np.nan if v is None else v for v in row] for row in rows])
    units = [[row[u] for row in rows if row[u] is not None] for u in range(4)]
    pairable = [v for unit in units if len(unit) > 1 for v in unit]
    ours = agreement.alpha(values, level)
    if len(set(pairable)) < 2:
        assert np.isnan(ours)
        return
    assert ours == pytest.approx(oracle.alpha(rows, level))
    krippendorff = pytest.importorskip("krippendorff")
    assume(np.unique(values[~np.isnan(values)]).size > 1)
    theirs = krippendorff.alpha(reliability_data=values, level_of_measurement=level)
    assert ours == pytest.approx(theirs)


def test_alpha_says_which_levels_there_are():
    with pytest.raises(ValueError, match=r"level='ratio' is not known\. Known: nominal, ordinal, interval\."):
        agreement.alpha([[1, 2]], "ratio")


def test_icc_equals_pingouins():
    scores = np.random.default_rng(3).random((5, 8)) + np.linspace(0, 0.4, 5)[:, None]
    value, p = consistency.icc(scores)
    assert (value, p) == pytest.approx((0.320390, 0.003532), abs=1e-6)  # by pingouin 0.6.1
    pingouin = pytest.importorskip("pingouin")
    system, topic = np.indices(scores.shape)
    table = pd.DataFrame({"system": system.ravel(), "topic": topic.ravel(), "score": scores.ravel()})
    with warnings.catch_warnings():  # its own, about pandas
        warnings.simplefilter("ignore")
        theirs = pingouin.intraclass_corr(table, targets="system", raters="topic", ratings="score").iloc[0]
    assert (value, p) == pytest.approx((theirs["ICC"], theirs["pval"]))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_p_of_a_correlation_is_never_less_than_all_orders_allow(n):
    values = np.arange(float(n))
    every = [np.corrcoef(values, order)[0, 1] for order in itertools.permutations(values)]
    exact = np.mean(np.abs(every) >= 1 - 1e-9)
    assert consistency.spearman(values, values)[1] == pytest.approx(exact)
    assert consistency.spearman(values, -values)[1] == pytest.approx(exact)
    many = np.arange(30.0)
    assert 0 < consistency.spearman(many, many)[1] < 1e-9


def test_spearman_is_missing_where_nothing_varies():
    known = np.array([1.0, 2, 3, np.nan])
    assert consistency.spearman(known, np.array([2.0, 4, 9, 1]))[0] == pytest.approx(1)
    assert np.isnan(consistency.spearman(known, np.ones(4))).all()
    assert np.isnan(consistency.spearman(known[:2], known[:2])).all()
