"""The curves over ranks against the definitions, and the estimates that read a gain off them."""

import decimal
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating.rank_models import RANK_MODELS, weibull_shape
from tests.examples import examples
from tests.oracles import models as oracle
from tests.oracles import pool as oracle_pool
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, topic_of, tracks

GAINS = ["binary", "linear", "exponential", {0: 0.0, 1: 0.25, 2: 0.5, 3: 0.75}]
METRICS = ["RBP(p=0.95)", "RBP(p=0.8)@5", "SDCG@4", "P@3"]


def queries_of(runs, topic):
    return sorted({query for run in runs.values() for query in run if topic_of(query) == topic}) or [topic]


def varied(runs, topics):
    """Two queries to these topics, the second answered with the next system's list."""
    systems = sorted(runs)
    answered = {}
    for place, system in enumerate(systems):
        other = runs[systems[(place + 1) % len(systems)]]
        answered[system] = {topic: run for topic, run in runs[system].items() if topic not in topics}
        answered[system] |= {f"{topic}-1": runs[system][topic] for topic in topics if topic in runs[system]}
        answered[system] |= {f"{topic}-2": other[topic] for topic in topics if topic in other}
    return answered


def no_longer_than(runs, contributing):
    """The runs, those outside the pool cut where the longest contributing list ends."""
    K = max([1, *(len(run) for system in contributing for run in runs[system].values())])
    return {
        system: {query: {D: run[D] for D in order(run)[:K]} for query, run in answered.items()}
        for system, answered in runs.items()
    }


@st.composite
def cases(draw):
    """(runs, qrels, contributing): small tracks with ties, ragged lists, systems outside the pool, some topics asked
    twice."""
    runs, qrels = draw(tracks())
    runs = varied(runs, draw(st.lists(st.sampled_from(["t0", "t1", "t2"]), unique=True)))
    contributing = draw(st.lists(st.sampled_from(sorted(runs)), min_size=1, unique=True).map(sorted))
    return no_longer_than(runs, contributing), qrels, contributing


def made_up(seed, *, systems=4, topics=2, documents=30, length=15, ragged=True):
    """(runs, qrels) of runs that agree more on relevant documents, all of them judged in grades 0 to 2."""
    rng = random.Random(seed)
    runs, qrels = {f"s{i}": {} for i in range(systems)}, {}
    for t in range(topics):
        names = [f"d{i:02}" for i in range(documents)]
        grades = {D: rng.choice([0, 0, 0, 1, 1, 2]) for D in names}
        qrels[f"t{t}"] = grades
        for i in range(systems):
            skill = rng.uniform(0.2, 0.9)
            scores = {D: round(skill * grades[D] + rng.gauss(0, 1), 6) for D in names}
            here = length - (rng.randrange(length // 3) if ragged else 0)
            runs[f"s{i}"][f"t{t}"] = {D: scores[D] for D in order(scores)[:here]}
    return runs, qrels


def curve_of(model, gains, K):
    return RANK_MODELS[model].function(np.array(gains, float), K).tolist()


gain_vectors = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=1, max_size=12)


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(gains=gain_vectors, more=st.integers(0, 20))
def test_linear_is_the_closed_form(gains, more):
    assert curve_of("linear", gains, len(gains) + more) == pytest.approx(oracle.linear(gains, len(gains) + more))


def test_a_line_that_would_rise_is_flat_at_the_mean():
    assert curve_of("linear", [0.0, 0.5, 1.0], 5) == pytest.approx([0.5] * 5)
    assert curve_of("linear", [1.0, 0.5, 0.0], 4) == pytest.approx([1.0, 0.5, 0.0, -0.5])


@settings(max_examples=examples(10), deadline=None, derandomize=True)
@given(gains=gain_vectors, more=st.integers(0, 20))
def test_zipf_fits_no_worse_than_least_squares_from_many_starts(gains, more):
    check_fit("zipf", gains, len(gains) + more)


FALLING = [
    [0.75, 0.5, 0.5, 0.375, 0.25, 0.25, 0.125, 0.125, 0.0, 0.0],
    [0.5, 0.625, 0.375, 0.375, 0.5, 0.25, 0.125, 0.25, 0.125, 0.125, 0.125, 0.0],
    [0.25, 0.25, 0.375, 0.25, 0.25],
    [1.0, 0.5],
    [0.875, 0.125, 0.125, 0.0, 0.125, 0.0, 0.0],
    [0.0, 0.25, 0.5, 0.25, 0.0],
    [0.3],
    [0.05, 0.04, 0.01, 0.02, 0.01, 0.0, 0.01],
]


@pytest.mark.parametrize("model", ["zipf", "weibull"])
@pytest.mark.parametrize("gains", FALLING)
def test_fits_no_worse_than_least_squares_from_many_starts(model, gains):
    check_fit(model, gains, 30)


@pytest.mark.parametrize(
    "gains",
    [[0, 0, 0, 0, 1], [0, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0], [0, 0, 0, 0.25, 0, 0, 0, 0], [0, 0.15, 0, 0.92, 0.29]],
)
def test_weibull_fits_a_peak_no_worse_than_least_squares_from_many_starts(gains):
    check_fit("weibull", gains, 20)


def check_fit(model, gains, K):
    """The loss of ours is that of the best of many fits or less; to a millionth of what there is to explain."""
    ours = curve_of(model, gains, K)
    theirs = oracle.MODELS[model](gains, K)
    slack = 1e-6 * sum(gain**2 for gain in gains)
    assert oracle.squared_error(ours, gains) <= oracle.squared_error(theirs, gains) * (1 + 1e-6) + slack
    assert len(ours) == K
    assert min(ours) >= 0


@pytest.mark.parametrize(("b", "c"), [(1.0, 1.0), (2.5, 0.3), (0.7, 2.0), (3.0, 0.0)])
def test_zipf_finds_the_curve_that_the_gains_lie_on(b, c):
    truth = oracle.zipf_curve(b, c, 40)
    assert curve_of("zipf", truth[:10], 40) == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize(("a", "b", "c"), [(5.0, 0.8, 3.0), (4.0, 1.5, 2.0), (12.0, 1.0, 6.0), (2.0, 0.5, 1.5)])
def test_weibull_finds_the_curve_that_the_gains_lie_on(a, b, c):
    truth = oracle.weibull_curve(a, b, c, 40)
    assert curve_of("weibull", truth[:12], 40) == pytest.approx(truth, abs=1e-3)


@pytest.mark.parametrize("gains", FALLING[:5])
def test_what_comes_out_is_a_curve_of_its_family(gains):
    ours = curve_of("zipf", gains, 30)
    falls = [-np.log(ours[k - 1] / ours[0]) / np.log(k) for k in range(2, 31)]
    assert falls == pytest.approx([falls[0]] * 29, abs=1e-6)
    assert falls[0] >= 0
    ours = curve_of("weibull", gains, 30)
    assert oracle.weibull(ours, 30) == pytest.approx(ours, abs=2e-4 * max(ours))


def test_zipf_falls_no_faster_than_by_the_largest_exponent():
    assert curve_of("zipf", [0.8, 0.0, 0.0], 3) == pytest.approx([0.8, 0.8 * 2**-12, 0.8 * 3**-12], abs=1e-6)
    first, second, *_ = curve_of("zipf", [0.8, 0.0, 0.0], 3)
    assert second / first >= 2**-12 * (1 - 1e-6)


@pytest.mark.parametrize(("a", "b"), [(1e5, 4.5), (1e5, 1.5), (37000.0, 4.48), (0.05, 0.1), (20.0, 1.0), (3.0, 300.0)])
def test_a_curve_keeps_its_digits_where_it_is_nearly_nothing(a, b):
    """A difference of two exponentials near 1 keeps none, and a search then fits the rounding."""
    with decimal.localcontext(prec=400):
        survival = [(-((decimal.Decimal(x) / decimal.Decimal(a)) ** decimal.Decimal(b))).exp() for x in range(9)]
        exact = [float(one - next_one) for one, next_one in pairwise(survival)]
    assert weibull_shape(8, np.array([[a, b]]))[0].tolist() == pytest.approx(exact, rel=1e-11, abs=1e-300)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("model", RANK_MODELS)
def test_a_gain_at_the_last_rank_alone_is_no_warning(model):
    """Weibull's curve is then nearly nothing where it was observed, and rises past every number further down."""
    assert np.all(RANK_MODELS[model].function(np.array([0.0, 0, 0, 0, 1 / 17]), 1000) >= 0)


@pytest.mark.parametrize("model", RANK_MODELS)
def test_no_gain_observed_is_none_expected(model):
    assert curve_of(model, [0.0, 0.0, 0.0], 6) == [0.0] * 6
    assert curve_of(model, [0.0], 4) == [0.0] * 4


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(case=cases(), gains=st.sampled_from(GAINS), depth=st.integers(1, 9))
def test_the_question_shows_what_was_observed_and_curves_between_0_and_r_max(case, gains, depth):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    in_force = cut(runs, qrels, contributing, depth)
    for topic in qrels:
        here = at(runs, qrels, in_force, contributing, topic, depth, gains)
        depth = min(depth, here["K"])
        table = evalcore.ask(study, "rank_models", topic=topic, depth=depth).table
        assert table["rank"].tolist() == list(range(1, here["K"] + 1))
        assert table["observed"][:depth].tolist() == pytest.approx(oracle.gains_observed(here)[:depth])
        assert table["observed"][depth:].isna().all()
        for model in RANK_MODELS:
            assert table[model].between(0, here["r_max"]).all()
        line = oracle.clipped(oracle.linear(oracle.gains_observed(here)[:depth], here["K"]), here["r_max"])
        assert table["linear"].tolist() == pytest.approx(line)


def cut(runs, qrels, contributing, depth):
    """The judgments at pool depth d' (METHODS 2.6)."""
    return oracle_pool.judgments_at_depth(qrels, oracle.pool_ranks(runs, contributing, topic_of), depth)


def reads(metric, gains):
    """The table by grade that a metric's estimates are learnt from: P reads relevance, whatever the gains."""
    return "binary" if metric.startswith("P@") else gains


def at(runs, qrels, in_force, contributing, topic, depth, gains="binary", **table):
    how = {"queries": queries_of(runs, topic), "depth": depth, "gains": gains, "g_max": g_max_of(qrels)}
    return oracle.at(runs, in_force, contributing, topic, **how, **table)


def test_a_curve_is_clipped_at_the_largest_gain():
    gains = [1.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0]
    runs = {
        "s": {"t": {f"d{k}": -float(k) for k in range(1, 11)}},
        "u": {"t": {f"d{k if k != 5 else 11}": -float(k) for k in range(1, 11)}},
    }
    qrels = {"t": {f"d{k}": int(gains[k - 1] > 0) for k in range(1, 9)} | {"d11": 0}}
    study = small_study(runs, qrels, pooled="all")
    table = evalcore.ask(study, "rank_models", topic="t", depth=8).table
    assert table["observed"][:8].tolist() == gains
    free = oracle.linear(gains, 10)
    assert max(free) > 1
    assert min(free) < 0
    assert table["linear"].tolist() == pytest.approx(oracle.clipped(free, 1))


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    gains=st.sampled_from(GAINS),
    metric=st.sampled_from(METRICS),
    depth=st.integers(1, 9),
    empty=st.sampled_from(["unknown", "not relevant"]),
)
def test_linear_as_an_estimator(case, gains, metric, depth, empty):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains, empty=empty)
    depth = min(depth, max([1, *(len(run) for s in contributing for run in runs[s].values())]))
    in_force = cut(runs, qrels, contributing, depth)
    check_linear(study, runs, qrels, in_force, contributing, metric, depth, gains, empty, depth=depth)


def check_linear(study, runs, qrels, in_force, contributing, metric, judged_depth, gains, empty="unknown", **cut):
    ours = study.at(**cut).estimate(metric, estimator="linear")
    for topic in qrels:
        here = at(runs, qrels, in_force, contributing, topic, judged_depth, reads(metric, gains))
        gain_at = oracle.rank_model_gain(oracle.clipped(oracle.linear(oracle.gains_observed(here), here["K"]), 1))
        for query in here["queries"]:
            q = study.track.queries.index(query)
            for s, system in enumerate(study.systems):
                documents = order(runs[system].get(query, {}))
                B, T = oracle.interval(metric, documents, here, empty=empty)
                assert (ours.lower[s, q], ours.upper[s, q]) == pytest.approx((B, T), abs=1e-9)
                value = min(max(estimated(metric, documents, here, gain_at), B), T)
                assert ours.value[s, q] == pytest.approx(value, abs=1e-9)


def estimated(metric, documents, here, gain_at):
    """P reads relevance where judged; what is expected of the rest is a gain."""
    known = here["as_P"] if metric.startswith("P@") else here["known"]
    return oracle.base(metric, documents, known, here["K"]) + oracle.expected(
        metric, documents, known, gain_at, here["K"]
    )


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(case=cases(), gains=st.sampled_from(GAINS[:3]), count=st.integers(1, 20))
def test_linear_from_a_count_of_judgments(case, gains, count):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    ranks = oracle.pool_ranks(runs, contributing, topic_of)
    in_force = oracle_pool.first_judgments(qrels, ranks, count)
    to_come = [ranks.get((t, D), np.inf) for t in qrels for D in qrels[t] if D not in in_force[t]]
    judged_depth = max(1, min([study.depth, *(rank - 1 for rank in to_come)]))
    check_linear(study, runs, qrels, in_force, contributing, METRICS[0], judged_depth, gains, judgments=count)


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(case=cases(), depth=st.integers(1, 6), data=st.data())
@pytest.mark.parametrize("estimator", ["linear", "zipf", "weibull", "two-stage-a", "two-stage-b"])
def test_looking_at_fewer_systems_or_topics_changes_no_estimate(estimator, case, depth, data):
    runs, qrels, contributing = case
    if not qrels:
        return
    study = small_study(runs, qrels, pooled=contributing)
    systems = data.draw(st.lists(st.sampled_from(sorted(runs)), min_size=1, unique=True))
    topics = data.draw(st.none() | st.lists(st.sampled_from(sorted(qrels)), min_size=1, unique=True))
    whole = study.at(depth=depth).estimate(METRICS[0], estimator=estimator)
    part = study.only(systems=systems, topics=topics)
    narrow = part.at(depth=depth).estimate(METRICS[0], estimator=estimator)
    rows = [study.systems.index(system) for system in part.systems]
    columns = [study.track.queries.index(query) for query in part.track.queries]
    assert narrow.value == pytest.approx(whole.value[np.ix_(rows, columns)], abs=1e-12)


@settings(max_examples=examples(15), deadline=None, derandomize=True)
@given(case=cases(), gains=st.sampled_from(GAINS), metric=st.sampled_from(METRICS), depth=st.integers(1, 6))
@pytest.mark.parametrize("model", ["zipf", "weibull"])
def test_zipf_and_weibull_as_estimators_read_the_gain_off_their_curve(model, case, gains, metric, depth):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    in_force = cut(runs, qrels, contributing, depth)
    ours = study.at(depth=depth).estimate(metric, estimator=model)
    for topic in qrels:
        here = at(runs, qrels, in_force, contributing, topic, depth, reads(metric, gains))
        learnt = small_study(runs, qrels, pooled=contributing, gains=reads(metric, gains))
        curve = evalcore.ask(learnt, "rank_models", topic=topic, depth=depth).table[model].tolist()
        for query in here["queries"]:
            q = study.track.queries.index(query)
            for s, system in enumerate(study.systems):
                documents = order(runs[system].get(query, {}))
                value = estimated(metric, documents, here, oracle.rank_model_gain(curve))
                assert ours.value[s, q] == pytest.approx(value, abs=1e-9)


def test_the_clipped_curves_of_a_made_up_study_attain_the_least_loss():
    runs, qrels = made_up(3)
    study = small_study(runs, qrels, pooled="all", gains="linear")
    in_force = cut(runs, qrels, sorted(runs), 6)
    for topic in qrels:
        here = at(runs, qrels, in_force, sorted(runs), topic, 6, "linear")
        table = evalcore.ask(study, "rank_models", topic=topic, depth=6).table
        gains = oracle.gains_observed(here)
        for model, curve in zip(oracle.MODELS, oracle.curves_of(here), strict=True):
            ours = oracle.squared_error(table[model].tolist(), gains)
            assert ours <= oracle.squared_error(curve, gains) * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("estimator", ["lower", "linear", "two-stage-a"])
def test_a_list_longer_than_any_contributing_one_is_scored_to_their_length(estimator):
    runs = {
        "s": {"t": {"a": 5.0, "b": 4.0, "c": 3.0}},
        "u": {"t": {"c": 5.0, "d": 4.0, "a": 3.0}},
        "new": {"t": {"e": 5.0, "f": 4.0, "b": 3.0, "a": 2.0, "g": 1.0}},
    }
    qrels = {"t": {"a": 1, "b": 0, "c": 1, "d": 0}}
    study = small_study(runs, qrels, pooled=["s", "u"])
    table = evalcore.ask(study, "estimates", metric="RBP(p=0.95)", depth=1, estimator=estimator, reference_depth=3)
    row = table.table.set_index("system").loc["new"]
    here = at(runs, qrels, cut(runs, qrels, ["s", "u"], 1), ["s", "u"], "t", 1)
    assert here["K"] == 3
    gain_at = None if estimator == "lower" else oracle.gain_at_of(estimator, here, oracle.curves_of(here))
    expected = oracle.estimate(estimator, "RBP(p=0.95)", order(runs["new"]["t"]), here, depth=3, gain_at=gain_at)
    assert row["value"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("estimator", ["linear", "zipf", "weibull", "two-stage-a", "two-stage-b"])
def test_what_a_longer_list_is_known_to_gain_further_down_never_puts_it_below_its_lower_end(estimator):
    """A model scores no deeper than the longest contributing list; here the relevant document at rank 4 counts."""
    runs = {
        "s": {"t": {"a": 5.0, "b": 4.0, "c": 3.0}},
        "u": {"t": {"c": 5.0, "d": 4.0, "a": 3.0}},
        "new": {"t": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}},
    }
    study = small_study(runs, {"t": {"a": 1, "b": 0, "c": 1, "d": 1}}, pooled=["s", "u"])
    estimate = study.at().estimate("RBP(p=0.5)", estimator=estimator)
    new = study.systems.index("new")
    assert (estimate.value[new, 0], estimate.lower[new, 0]) == pytest.approx((0.5 + 0.125 + 0.0625,) * 2)
