"""The questions about estimates: their errors, intervals, constants and leave-one-out pools, by the definitions."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating.estimators import ESTIMATORS, most_farther
from tests.estimating.test_rank_models import at, cases, curve_of, cut, made_up, reads
from tests.examples import examples
from tests.oracles import estimates as formulas
from tests.oracles import metrics
from tests.oracles import models as oracle
from tests.oracles import orderings as oracle_orderings
from tests.oracles import pool as oracle_pool
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, topic_of

METRICS = ["RBP(p=0.95)", "RBP(p=0.8)@5", "SDCG@4", "P@3"]
GAINS = ["binary", "linear", "exponential"]
FORMULAS = ["lower", "upper", "background", "interpolated", "smoothed", "rm"]


def reference_and_estimates(case, metric, estimator, depth, reference_depth, gains, empty="unknown", theta=0.0):
    """(system, topic) -> (X, M, M + D), each a mean over the topic's queries, with the oracle's curves."""
    runs, qrels, contributing = case
    in_force = cut(runs, qrels, contributing, depth)
    found = {}
    for topic in qrels:
        shallow = at(runs, qrels, in_force, contributing, topic, depth, reads(metric, gains))
        full = at(runs, qrels, qrels, contributing, topic, depth, reads(metric, gains))
        gain_at = None
        if estimator in ESTIMATORS and ESTIMATORS[estimator].model:
            fits = [curve_of(model, oracle.gains_observed(shallow), shallow["K"]) for model in oracle.MODELS]
            gain_at = oracle.gain_at_of(estimator, shallow, [oracle.clipped(fit, shallow["r_max"]) for fit in fits])
        for system in runs:
            lists = [order(runs[system].get(query, {})) for query in full["queries"]]
            ends = [oracle.interval(metric, documents, full, reference_depth, empty=empty) for documents in lists]
            how = {"depth": reference_depth, "gain_at": gain_at, "empty": empty, "theta": theta}
            made = [oracle.estimate(estimator, metric, documents, shallow, **how) for documents in lists]
            columns = [made, *zip(*ends, strict=True)]
            found[system, topic] = tuple(sum(column) / len(lists) for column in columns)
    return found


def errors_of(found):
    return {pair: oracle.error(X, M, upper - M) for pair, (X, M, upper) in found.items()}


# ---------------------------------------------------------------- errors (LMC17 eq. 3)


def test_the_error_of_equation_3():
    assert oracle.error(0.5, 0.4, 0.2) == 0
    assert oracle.error(0.4, 0.4, 0.2) == 0
    assert oracle.error(0.3, 0.4, 0.2) == pytest.approx(0.1)
    assert oracle.error(0.7, 0.4, 0.2) == pytest.approx(0.1)
    errors = {("s", "t"): 0.3, ("u", "t"): 0.4, ("s", "v"): 0.0, ("u", "v"): 0.0}
    assert oracle.rmse(errors) == pytest.approx(math.sqrt(0.125) / 2)
    assert oracle.rmse_plain(errors) == pytest.approx(math.sqrt(0.25 / 4))
    assert oracle.accuracy(errors) == 50


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(METRICS),
    gains=st.sampled_from(GAINS),
    depth=st.integers(1, 4),
    more=st.integers(1, 5),
    estimator=st.sampled_from([*FORMULAS, "linear"]),
    empty=st.sampled_from(["unknown", "not relevant"]),
)
def test_estimates_and_references_are_those_of_the_definition(case, metric, gains, depth, more, estimator, empty):
    runs, qrels, contributing = case
    if not qrels or (metric == "P@3" and gains != "binary" and estimator == "linear"):
        return  # P reads relevance and the models gains: nothing says what a mean of both should be
    study = small_study(runs, qrels, pooled=contributing, gains=gains, empty=empty)
    depth = min(depth, max([1, *(len(run) for s in contributing for run in runs[s].values())]))
    table = evalcore.ask(
        study, "estimates", metric=metric, depth=depth, estimator=estimator, reference_depth=depth + more
    ).table
    found = reference_and_estimates(case, metric, estimator, depth, depth + more, gains, empty)
    assert set(zip(table["system"], table["topic"], strict=True)) == set(found)
    for row in table.itertuples():
        X, M, upper = found[row.system, row.topic]
        assert row.value == pytest.approx(X, abs=1e-9)
        assert (row.reference, row.reference_upper) == pytest.approx((M, upper), abs=1e-9)
        assert row.error == pytest.approx(oracle.error(X, M, upper - M), abs=1e-9)
        assert row.lower - 1e-12 <= row.value <= row.upper + 1e-12
    assert table["adjusted"].all()


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(METRICS[:3]),
    gains=st.sampled_from(GAINS),
    depths=st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(sorted),
    systems=st.sampled_from(["all", "pooled"]),
)
def test_the_error_of_estimators_is_that_of_the_definition(case, metric, gains, depths, systems):
    runs, qrels, contributing = case
    if not qrels or max([0, *(len(run) for s in contributing for run in runs[s].values())]) < 3:
        return
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    estimators = ["lower", "rm", "interpolated", "linear"]
    asked = {"metric": metric, "reference_depth": 5, "depths": depths, "estimators": estimators, "systems": systems}
    table = evalcore.ask(study, "estimator_error", **asked).table
    assert list(zip(table["depth"], table["estimator"], strict=True)) == [(d, e) for d in depths for e in estimators]
    for row in table.itertuples():
        found = reference_and_estimates(case, metric, row.estimator, row.depth, 5, gains)
        found = {pair: row for pair, row in found.items() if systems == "all" or pair[0] in contributing}
        check_errors(row, found)


def between_the_ends(case, metric, estimator, depth, **table):
    """(system, topic) -> (X, lower, upper) of metrics without a weight for every rank, by the definition of a score."""
    runs, qrels, contributing = case
    in_force = cut(runs, qrels, contributing, depth)
    best = metrics.r_max(metric, **table) if metric.startswith("INST") else 1.0  # the others reach 1 whatever gains are
    found = {}
    for topic, system in ((topic, system) for topic in qrels for system in runs):
        queries = [query for query in {q: 0 for run in runs.values() for q in run} if topic_of(query) == topic]
        lists = [order(runs[system].get(query, {})) for query in queries or [topic]]
        rows = []
        for ranked in lists:
            B, _, T = metrics.score_and_bounds(metric, ranked, in_force.get(topic, {}), **table)
            X = formulas.ESTIMATES[estimator](B, T, best)
            rows.append((X, *metrics.bounds(metric, ranked, qrels[topic], **table)))
        found[system, topic] = tuple(metrics.column_means(rows))
    return found


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(["nDCG@3", "nDCG@5", "RR", "INST(T=1)"]),
    gains=st.sampled_from(GAINS),
    depth=st.integers(1, 2),
)
def test_every_metric_with_an_exact_interval_has_estimates(case, metric, gains, depth):
    runs, qrels, contributing = case
    assume(qrels and any(runs[system] for system in contributing))
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    table = {"rel_level": 1, "gains": gains, "g_max": g_max_of(qrels)}
    deep = {"metric": metric, "reference_depth": 9}  # deeper than any list
    errors = evalcore.ask(study, "estimator_error", depths=[depth], systems="all", **deep)
    assert list(errors.table["estimator"]) == [name for name in FORMULAS if ESTIMATORS[name].compared]
    assert "left out: linear, two-stage-a, two-stage-b" in " ".join(errors.notes)
    for row in errors.table.itertuples():
        found = between_the_ends(case, metric, row.estimator, depth, **table)
        check_errors(row, found)
        asked = {"depth": depth, "estimator": row.estimator}
        for one in evalcore.ask(study, "estimates", **asked, **deep).table.itertuples():
            ends = found[one.system, one.topic]
            assert (one.value, one.reference, one.reference_upper) == pytest.approx(ends, abs=1e-9)


def check_errors(row, found, tolerance=1e-9):
    errors = errors_of(found)
    assert row.n == len(errors)
    assert row.rmse == pytest.approx(oracle.rmse(errors), abs=tolerance)
    assert row.rmse_plain == pytest.approx(oracle.rmse_plain(errors), abs=tolerance)
    if tolerance == 1e-9:
        near = [abs(X - end) for X, M, upper in found.values() for end in (M, upper)]
        if not any(1e-15 < gap < 1e-11 for gap in near):
            assert row.accuracy == pytest.approx(oracle.accuracy(errors))
    assert row.mean_estimate == pytest.approx(np.mean([X for X, _, _ in found.values()]), abs=tolerance)
    assert row.mean_reference == pytest.approx(np.mean([M for _, M, _ in found.values()]), abs=tolerance)


def test_the_error_with_each_group_left_out_continues_where_it_was_stopped():
    runs, qrels = made_up(36, systems=4, topics=2)
    study = small_study(runs, qrels, pooled="all", pool_depth=8, groups={"s0": "g", "s1": "g"})
    asked = {"depths": [2, 4], "estimators": ["lower", "linear"], "by": "group"}
    steps = []

    def progress(done, total):
        steps.append((done, total))
        if len(steps) == 6:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        evalcore.ask(study, "estimator_error", progress=progress, **asked)
    stopped = evalcore.ask(study, "estimator_error", progress=progress, **asked)
    assert steps == [(done, 12) for done in (*range(6), *range(5, 12))]  # 3 groups, 2 depths, 2 estimators
    pd.testing.assert_frame_equal(stopped.table, evalcore.ask(study, "estimator_error", **asked).table)


# ---------------------------------------------------------------- the gamma test (LMC17 fig. 3)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(["RBP(p=0.95)", "SDCG@4"]),
    gains=st.sampled_from(GAINS),
    depths=st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(sorted),
    thetas=st.lists(st.sampled_from([0.0, 0.01, 0.1, 0.2, 0.5]), min_size=1, unique=True),
    systems=st.sampled_from(["all", "pooled"]),
    reference=st.sampled_from([None, 4, 6]),
)
def test_the_error_by_threshold_is_that_of_the_definition(case, metric, gains, depths, thetas, systems, reference):
    runs, qrels, contributing = case
    assume(qrels)
    study = small_study(runs, qrels, pooled=contributing, gains=gains, pool_depth=9)
    asked = {"metric": metric, "depths": depths, "thetas": thetas, "systems": systems, "estimator": "linear"}
    asked["reference_depth"] = reference
    table = evalcore.ask(study, "error_by_theta", **asked).table
    assert list(zip(table["depth"], table["theta"], strict=True)) == [(d, t) for d in depths for t in sorted(thetas)]
    for row in table.itertuples():
        cells = reference_and_estimates(case, metric, "linear", row.depth, reference, gains, theta=row.theta)
        errors = errors_of({pair: cell for pair, cell in cells.items() if systems == "all" or pair[0] in contributing})
        assert row.rmse == pytest.approx(oracle.rmse(errors), abs=1e-9)
        gammas = gammas_of(case, row.depth, gains)
        assert (row.topics, row.n) == (sum(oracle.is_adjusted(one, row.theta) for one in gammas), len(qrels))
    passed = evalcore.ask(study, "gamma_by_depth", depths=depths, theta=thetas[0]).table
    for row in passed.itertuples():
        gammas = gammas_of(case, row.depth, gains)
        assert (row.gamma, row.lowest, row.highest) == pytest.approx((np.mean(gammas), min(gammas), max(gammas)))
        assert (row.topics, row.n) == (sum(oracle.is_adjusted(one, thetas[0]) for one in gammas), len(qrels))


def gammas_of(case, depth, gains):
    runs, qrels, contributing = case
    in_force = cut(runs, qrels, contributing, depth)
    topics = (at(runs, qrels, in_force, contributing, topic, depth, reads("RBP(p=0.95)", gains)) for topic in qrels)
    return [oracle.gamma_of(topic) for topic in topics]


def test_thresholds_go_from_0_to_above_every_gamma():
    runs, qrels = made_up(34, systems=4, topics=3)
    study = small_study(runs, qrels, pooled="all", pool_depth=8)
    table = evalcore.ask(study, "error_by_theta", depths=[3], estimator="two-stage-b(theta=0.5)").table
    assert table["theta"].iloc[0] == 0
    assert table["topics"].tolist() == sorted(table["topics"], reverse=True)
    assert (table["topics"].iloc[0], table["topics"].iloc[-1]) == (3, 0)
    ends = table["rmse"].iloc[[0, -1]].tolist()
    errors = evalcore.ask(study, "estimator_error", depths=[3], estimators=["two-stage-b", "lower"]).table
    assert ends == pytest.approx(errors["rmse"].tolist())
    one = f"two-stage-b(theta={table['theta'].iloc[1]})"
    errors = evalcore.ask(study, "estimator_error", depths=[3], estimators=[one]).table
    assert table["rmse"].iloc[1] == pytest.approx(errors["rmse"].item())


@pytest.mark.parametrize(
    ("asked", "message"),
    [({"estimator": "rm"}, "Choose a model, such as two-stage-b"), ({"metric": "RR"}, "no weight for every rank")],
)
def test_a_threshold_needs_a_model_and_weights(asked, message):
    study = small_study(*made_up(35), pooled="all", pool_depth=8)
    with pytest.raises(ValueError, match=message):
        evalcore.ask(study, "error_by_theta", **asked)


# ---------------------------------------------------------------- the order of the systems (LMC17 fig. 4)


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(["RBP(p=0.95)", "RBP(p=0.8)@5", "SDCG@4"]),
    gains=st.sampled_from(GAINS),
    depth=st.integers(1, 3),
    weight=st.sampled_from([1, "rho"]),
    systems=st.sampled_from(["all", "pooled"]),
)
def test_the_agreement_of_estimators_with_all_judgments_is_the_definition(
    case, metric, gains, depth, weight, systems
):  # fmt: skip
    runs, qrels, contributing = case
    chosen = [name for name in sorted(runs) if systems == "all" or name in contributing]
    assume(len(qrels) > 1 and len(chosen) > 1)
    study = small_study(runs, qrels, pooled=contributing, gains=gains, pool_depth=9)
    estimators = ["lower", "rm", "smoothed", "linear"]
    asked = {"metric": metric, "depths": [depth], "estimators": estimators, "weight": weight, "systems": systems}
    table = evalcore.ask(study, "estimator_agreement", **asked).table
    assert list(table["estimator"]) == estimators
    for row in table.to_dict("records"):
        of_estimator, of_lower = (
            reference_and_estimates(case, metric, name, depth, None, gains) for name in (row["estimator"], "lower")
        )
        answering = [
            name for name, run in runs.items() if any(run[query] for query in run if query.split("-")[0] in qrels)
        ]
        cells = {  # of a run without a judged topic nothing is expected
            pair: of_estimator[pair] if pair[0] in answering or not answering else of_lower[pair]
            for pair in of_estimator
        }
        reference, scores = (
            {name: {topic: cells[name, topic][end] for topic in qrels} for name in chosen} for end in (1, 0)
        )
        assert row["depth"] == depth
        for column, value in oracle_orderings.agreement(reference, scores, weighted=weight == "rho").items():
            assert row[column] == pytest.approx(value, abs=1e-9, nan_ok=True), column


def test_an_estimate_from_all_but_the_last_rank_orders_the_systems_as_setups_do():
    runs, qrels = made_up(33, systems=5, topics=3, ragged=False)
    study = small_study(runs, qrels, pooled="all", pool_depth=8)
    for row in evalcore.ask(study, "estimator_agreement", depths=[2, 5]).table.to_dict("records"):
        setups = ["RBP(p=0.95)", f"depth={row['depth']} | RBP(p=0.95) | {row['estimator']}"]
        same = evalcore.ask(study, "regimes", regimes=setups).table.iloc[1]
        for column in ("tau", "tau_distance", "distance", "distance_per_pair", "inversions"):
            assert row[column] == pytest.approx(same[column]), column
        setups = ["RBP(p=0.95)", "RBP(p=0.95) | linear"]
        final = evalcore.ask(study, "regimes", regimes=setups).table.iloc[1]
        assert row["tau_final"] == pytest.approx(final["tau"])
    of_rr = evalcore.ask(study, "estimator_agreement", metric="RR", depths=[2], estimators=["lower"]).table
    assert of_rr["tau_final"].isna().all()  # it has no model of gain by rank


@pytest.mark.parametrize("gains", ["binary", "linear"])
def test_the_error_of_two_stage_estimates(gains):
    runs, qrels = made_up(31, systems=4, topics=2)
    contributing = ["s0", "s1", "s2"]
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    estimators = ["two-stage-a", "two-stage-b", "two-stage-b-printed"]
    table = evalcore.ask(
        study, "estimator_error", reference_depth=12, depths=[5], estimators=estimators, systems="pooled"
    ).table
    for row in table.itertuples():
        found = reference_and_estimates((runs, qrels, contributing), "RBP(p=0.95)", row.estimator, 5, 12, gains)
        check_errors(row, {pair: x for pair, x in found.items() if pair[0] in contributing}, tolerance=5e-4)


def test_a_reference_interval_holds_its_tail():
    """All of a perfect run is judged to depth 2: the rest of the weight is not known, so that 1 is no error."""
    runs = {"s": {"t": {"a": 3.0, "b": 2.0}}}
    study = small_study(runs, {"t": {"a": 1, "b": 1}}, pooled="all")
    ask = {"depth": 1, "reference_depth": 2}
    row = evalcore.ask(study, "estimates", metric="RBP(p=0.8)", estimator="upper", **ask).table.iloc[0]
    assert (row["reference"], row["reference_upper"]) == pytest.approx((0.36, 1.0))
    assert (row["value"], row["error"]) == pytest.approx((1.0, 0.0))
    row = evalcore.ask(study, "estimates", metric="RBP(p=0.8)", estimator="lower", **ask).table.iloc[0]
    assert (row["value"], row["error"]) == pytest.approx((0.2, 0.16))


@pytest.mark.parametrize("depth", [3, None])
def test_the_reference_looks_at_all_ranks_unless_told(depth):
    runs, qrels = made_up(32, systems=3, topics=1, ragged=False)
    ranks = oracle_pool.pool_ranks(runs, sorted(runs))
    qrels = {"t0": {D: grade for D, grade in qrels["t0"].items() if ranks.get(("t0", D), 99) <= 6 or grade == 1}}
    study = small_study(runs, qrels, pooled="all")
    here = at(runs, qrels, qrels, sorted(runs), "t0", 3)
    cut = {}
    for reference in (None, 7):
        asked = {"depth": depth, "estimator": "lower", "reference_depth": reference}
        for row in evalcore.ask(study, "estimates", **asked).table.itertuples():
            ends = oracle.interval("RBP(p=0.95)", order(runs[row.system]["t0"]), here, reference)
            assert (row.reference, row.reference_upper) == pytest.approx(ends, abs=1e-12)
            cut.setdefault(row.system, []).append(row.reference_upper - row.reference)
    assert all(short > whole for whole, short in cut.values())


# ---------------------------------------------------------------- which guess is closest, whatever the truth


def bounded(draw_reference, guesses):
    """References and estimates as arrays (S, T)."""
    M, width, a, b = (np.array(values).reshape(2, -1) for values in (*draw_reference, *guesses))
    return M, M + width * (1 - M), a, b


numbers = st.lists(st.floats(0, 1), min_size=6, max_size=6)


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(M=numbers, width=numbers, narrow=st.sampled_from([0, 0.05, 1]), a=numbers, b=numbers, truths=st.integers(0, 99))
def test_no_truth_in_the_reference_puts_an_error_further_above_another_than_said(M, width, narrow, a, b, truths):
    M, T, a, b = bounded((M, [narrow * one for one in width]), (a, b))
    cells = {(s, t): (M[s, t], T[s, t]) for s in range(2) for t in range(3)}
    limit = most_farther(a, b, M, T)
    as_cells = [{cell: float(values[cell]) for cell in cells} for values in (a, b)]
    assert limit == pytest.approx(oracle.most_farther(*as_cells, cells), abs=1e-9)
    rng = np.random.default_rng(truths)
    corners = [M, T, np.where(a > b, M, T), *(np.where(rng.random((2, 3)) < 0.5, M, T) for _ in range(10))]
    for truth in [*corners, *(M + rng.random((2, 3)) * (T - M) for _ in range(10))]:
        apart = np.subtract(*(np.sqrt(((one - truth) ** 2).mean(axis=0)).mean() for one in (a, b)))
        assert apart <= limit + 1e-9
    if narrow == 0:
        exact = np.subtract(*(np.sqrt(((one - M) ** 2).mean(axis=0)).mean() for one in (a, b)))
        assert limit == pytest.approx(exact, abs=1e-9)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(case=cases(), metric=st.sampled_from(METRICS), depth=st.integers(1, 2))
def test_a_guess_is_certainly_farther_by_the_definition_and_by_every_completion(case, metric, depth):
    runs, qrels, contributing = case
    if not qrels or max([0, *(len(run) for s in contributing for run in runs[s].values())]) < 3:
        return
    study = small_study(runs, qrels, pooled=contributing)
    asked = {"metric": metric, "depths": [depth], "estimators": FORMULAS, "reference_depth": 9}
    table = evalcore.ask(study, "estimator_error", **asked).table
    found = {}
    for name in FORMULAS:
        of_all = reference_and_estimates(case, metric, name, depth, 9, "binary")
        found[name] = {pair: row for pair, row in of_all.items() if pair[0] in contributing}
    ends = {pair: (M, upper) for pair, (_, M, upper) in found["lower"].items()}
    values = {name: {pair: X for pair, (X, _, _) in rows.items()} for name, rows in found.items()}
    closest = table.loc[table["rmse"].idxmin(), "estimator"]
    for row in table.itertuples():
        limit = oracle.most_farther(values[closest], values[row.estimator], ends)
        assert abs(limit) < 1e-9 or row.certainly_farther == (limit < 0)
        assert row.reference_width == pytest.approx(np.mean([upper - M for M, upper in ends.values()]), abs=1e-9)
    grades = {topic: dict(rows) for topic, rows in qrels.items()}
    for seed in range(5):  # judge all that is left, somehow
        rng = np.random.default_rng(seed)
        every = {(topic_of(q), D) for run in runs.values() for q, scored in run.items() for D in scored}
        judged = {
            topic: {D: int(rng.random() < 0.5) for t, D in sorted(every) if t == topic}
            | {D: grade for D, grade in rows.items() if grade != -1}
            for topic, rows in grades.items()
        }
        final = reference_and_estimates((runs, judged, contributing), metric, "lower", depth, 9, "binary")
        for row in table[table["certainly_farther"]].itertuples():
            for end in (1, 2):  # what lists that end leave open may be lost or won
                errors = [
                    {pair: abs(values[name][pair] - final[pair][end]) for pair in ends}
                    for name in (closest, row.estimator)
                ]
                assert oracle.rmse(errors[0]) < oracle.rmse(errors[1])


def test_topics_of_another_depth_are_told():
    runs, qrels = made_up(32, systems=4, topics=3, ragged=False)
    study = small_study(runs, qrels, pooled="all")
    own = study.pooling.depth_of_topic.copy()
    own[:2] = 2, 0
    study = replace(study, pooling=replace(study.pooling, depth_of_topic=own))
    notes = evalcore.ask(study, "estimator_error", estimators=["lower"], depths=[2, 3]).notes
    assert "1 topic was pooled no deeper than 3." in notes
    assert any(note.startswith("1 topic has an unknown pool depth") for note in notes)


def test_the_default_depths_are_shallower_than_the_studys_pool():
    runs, qrels = made_up(33, systems=3, topics=1, ragged=False)
    study = small_study(runs, qrels, pooled="all")
    assert study.depth == 15
    table = evalcore.ask(study, "estimator_error", estimators=["lower"]).table
    assert table["depth"].tolist() == [5, 10]
    assert (table["rmse"].diff().dropna() <= 0).all()
    deep = evalcore.ask(study, "estimator_error", estimators=["lower"], reference_depth=100).table
    assert deep["depth"].tolist() == [5, 10]


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=cases(), gains=st.sampled_from(GAINS), metric=st.sampled_from(METRICS), depth=st.integers(1, 4))
def test_every_estimate_lies_inside_its_interval(estimator, case, gains, metric, depth):
    runs, qrels, contributing = case
    if not qrels:
        return
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    table = evalcore.ask(study, "estimates", metric=metric, depth=depth, estimator=estimator, reference_depth=9).table
    assert len(table) == len(runs) * len(qrels)
    assert (table["lower"] <= table["value"] + 1e-12).all()
    assert (table["value"] <= table["upper"] + 1e-12).all()


@settings(max_examples=examples(12), deadline=None, derandomize=True)
@given(case=cases(), metric=st.sampled_from(["P@10", "P@3"]), depth=st.integers(1, 4))
def test_a_level_of_a_metric_is_that_of_the_study(case, metric, depth):
    runs, qrels, contributing = case
    levelled = metric.replace("@", "(rel=2)@")
    gains = {grade: float(grade >= 2) for grade in range(4)}  # what P(rel=2) earns, with another relevance
    here = small_study(runs, qrels, pooled=contributing, gains=gains)
    there = small_study(runs, qrels, pooled=contributing, rel_level=2)
    for estimator in ESTIMATORS:
        here.at(depth=depth).estimate("RBP(p=0.8)", estimator=estimator)  # what it learns is not for the other metric
        mine, other = (
            one.at(depth=depth).estimate(name, estimator=estimator) for one, name in ((here, levelled), (there, metric))
        )
        assert mine.value.ravel().tolist() == pytest.approx(other.value.ravel().tolist(), abs=1e-12), estimator
    if qrels:
        tables = [
            evalcore.ask(one, "estimates", metric=name, depth=depth, reference_depth=9).table
            for one, name in ((here, levelled), (there, metric))
        ]
        pd.testing.assert_frame_equal(*(one.drop(columns="metric", errors="ignore") for one in tables))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_with_everything_judged_every_estimate_is_the_reference(estimator):
    runs, qrels = made_up(34, systems=3, topics=2, ragged=False)
    ranks = oracle_pool.pool_ranks(runs, sorted(runs))
    deepest = max(rank for rank in ranks.values())
    study = small_study(runs, qrels, pooled="all", empty="not relevant", gains="linear")
    table = evalcore.ask(study, "estimates", depth=deepest, estimator=estimator, reference_depth=deepest + 1).table
    assert table["value"].tolist() == pytest.approx(table["reference"].tolist(), abs=1e-9)
    assert table["upper"].tolist() == pytest.approx(table["lower"].tolist(), abs=1e-9)
    assert (table["error"] == 0).all()


def test_topics_that_a_system_lacks_count_only_where_all_of_the_qrels_do():
    runs, qrels = made_up(35, systems=3, topics=2)
    del runs["s2"]["t1"]
    ask = {"estimators": ["lower"], "depths": [2], "reference_depth": 10}
    for average, n in (("qrels", 6), ("common", 5)):
        study = small_study(runs, qrels, pooled="all", average=average)
        assert evalcore.ask(study, "estimator_error", **ask).table["n"].tolist() == [n]


# ---------------------------------------------------------------- leave one group out


def grouped():
    runs, qrels = made_up(41, systems=6, topics=2)
    return runs, qrels, {"s0": "one", "s1": "one", "s2": "two", "s3": "two", "s4": "three", "s5": ""}


def test_a_group_left_out_is_estimated_from_the_pool_of_the_others():
    runs, qrels, groups = grouped()
    contributing = ["s0", "s1", "s2", "s4"]
    study = small_study(runs, qrels, pooled=contributing, groups=groups)
    estimators = ["lower", "rm", "linear", "weibull", "two-stage-a", "two-stage-b"]
    ask = {"depths": [2, 5], "reference_depth": 10, "estimators": estimators}
    ours = evalcore.ask(study, "estimator_error", by="group", **ask)
    groups_out = [["s0", "s1"], ["s2"], ["s4"]]
    for row in ours.table.itertuples():
        cells = {}  # of all systems, each from the pool without its own group
        for members in groups_out:
            rest = [name for name in contributing if name not in members]
            alone = small_study(runs, qrels, pooled=rest, groups=groups)
            asked = {"depth": row.depth, "estimator": row.estimator, "reference_depth": 10}
            for cell in evalcore.ask(alone, "estimates", **asked).table.itertuples():
                if cell.system in members:
                    cells[cell.system, cell.topic] = cell.value, cell.reference, cell.reference_upper
        check_errors(row, cells)
        assert row.n == 8
    assert any("3 groups" in note for note in ours.notes)


def test_the_error_of_groups_of_one_run_is_a_root_mean_square_over_all_of_them():
    """Two groups of one run, of which one loses nothing: the mean of their errors would be smaller."""
    runs = {"a": {"t": {"x": 9.0, "y": 8.0}}, "b": {"t": {"x": 9.0, "z": 8.0}}}
    study = small_study(runs, {"t": {"x": 1, "y": 0, "z": 1}}, pooled="all", groups={"a": "one", "b": "two"})
    asked = {"metric": "RBP(p=0.5)", "depths": [1], "estimators": ["lower"], "by": "group"}
    row = evalcore.ask(study, "estimator_error", **asked).table.iloc[0]
    lost = 0.5 * 0.5  # z, at rank 2 of b; y is not relevant
    assert row["rmse"] == pytest.approx(math.sqrt((0 + lost**2) / 2))
    assert row["rmse"] == pytest.approx(row["rmse_plain"])


def test_runs_without_a_group_are_left_out_one_by_one():
    runs, qrels, _ = grouped()
    names = ["s0", "s1", "s2"]
    ask = {"depths": [3], "reference_depth": 10, "estimators": ["lower", "linear"]}
    without = evalcore.ask(small_study(runs, qrels, pooled=names), "estimator_error", by="group", **ask).table
    each = dict(zip(names, names, strict=True))
    named = evalcore.ask(small_study(runs, qrels, pooled=names, groups=each), "estimator_error", by="group", **ask)
    pd.testing.assert_frame_equal(without, named.table)
    together = evalcore.ask(small_study(runs, qrels, pooled=names), "estimator_error", **ask).table
    assert (without["rmse"] > together["rmse"]).any()


@settings(max_examples=examples(15), deadline=None, derandomize=True)
@given(case=cases(), estimator=st.sampled_from(["lower", "linear", "zipf", "two-stage-a", "two-stage-b"]))
def test_a_study_without_the_contribution_of_some_is_one_that_they_did_not_contribute_to(case, estimator):
    runs, qrels, contributing = case
    if not qrels or len(contributing) < 2:
        return
    out, rest = contributing[:1], contributing[1:]
    runs = cases_cut(runs, rest)
    ours = small_study(runs, qrels, pooled=contributing).without_contribution_of(out)
    theirs = small_study(runs, qrels, pooled=rest)
    for depth in (1, 3):
        made = [study.at(depth=depth).estimate("RBP(p=0.95)", estimator=estimator) for study in (ours, theirs)]
        for part in ("value", "lower", "upper"):
            np.testing.assert_allclose(getattr(made[0], part), getattr(made[1], part), atol=1e-12)


def cases_cut(runs, contributing):
    K = max([1, *(len(run) for system in contributing for run in runs[system].values())])
    return {s: {q: {D: run[D] for D in order(run)[:K]} for q, run in rows.items()} for s, rows in runs.items()}


# ---------------------------------------------------------------- constants (METHODS 5.1; [RM10])


def plain_errors(case, metric, estimator, cuts, gains, pairs):
    """(C, E) -> the plain RMSE over (system, topic, cut) by a double loop, of a few pairs."""
    runs, qrels, contributing = case
    points = []
    for in_force in cuts:
        for topic in qrels:
            shallow = at(runs, qrels, in_force, contributing, topic, 1, gains)
            full = at(runs, qrels, qrels, contributing, topic, 1, gains)
            highest = oracle.highest(metric, **full["table"])
            for system in runs:
                ends = []
                for query in full["queries"]:
                    documents = order(runs[system].get(query, {}))
                    truth, _ = oracle.interval(metric, documents, full)
                    ends.append((*oracle.interval(metric, documents, shallow), truth))
                points.append((ends, highest))
    made = formulas.ESTIMATES[estimator]
    found = {}
    for C, E in pairs:
        errors = []
        for ends, highest in points:
            X = sum(made(B, T, highest, C=C, E=E) for B, T, _ in ends) / len(ends)
            errors.append(X - sum(truth for _, _, truth in ends) / len(ends))
        found[C, E] = math.sqrt(sum(e * e for e in errors) / len(errors))
    return found


GRID = [(C / 10, E / 10) for C in range(0, 11, 2) for E in (0, 0.1, 0.5, 2, 5, 10)]


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(
    case=cases(),
    metric=st.sampled_from(METRICS),
    estimator=st.sampled_from(["interpolated", "smoothed"]),
    by=st.sampled_from(["depths", "judgments"]),
    gains=st.sampled_from(GAINS),
)
def test_the_error_surface_is_that_of_a_double_loop(case, metric, estimator, by, gains):
    """E goes up to the largest gain there is."""
    runs, qrels, contributing = case
    if not qrels:
        return
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    ranks = oracle.pool_ranks(runs, contributing, topic_of)
    taken = oracle_pool.judgments_at_depth if by == "depths" else oracle_pool.first_judgments
    cuts = [taken(qrels, ranks, size) for size in (1, 3)]
    table = evalcore.ask(study, "constants", metric=metric, estimator=estimator, **{by: [1, 3]}).table
    highest = oracle.highest(metric, gains=gains, g_max=g_max_of(qrels))
    ours = {(round(row.C, 2), round(row.E / highest, 2)): row.rmse_plain for row in table.itertuples()}
    pairs = [(C, E * highest) for C, E in GRID]
    expected = plain_errors(case, metric, estimator, cuts, gains, pairs)
    for C, E in GRID:
        assert ours[C, E] == pytest.approx(expected[C, E * highest], abs=1e-7)
    assert table["best"].sum() == 1
    assert table.loc[table["best"], "rmse_plain"].item() == table["rmse_plain"].min()


@pytest.mark.parametrize("estimator", ["interpolated", "smoothed"])
def test_the_least_error_is_below_every_other_of_the_grid(estimator):
    runs, qrels = made_up(51, systems=4, topics=3)
    contributing = ["s0", "s1", "s2"]
    study = small_study(runs, qrels, pooled=contributing)
    table = evalcore.ask(study, "constants", metric="P@10", estimator=estimator, judgments=[10, 30]).table
    assert len(table) == 101 * 101
    assert sorted(set(table["C"].round(2))) == [n / 100 for n in range(101)]
    best = table[table["best"]].iloc[0]
    ranks = oracle.pool_ranks(runs, contributing)
    cuts = [oracle_pool.first_judgments(qrels, ranks, n) for n in (10, 30)]
    C, E = round(best["C"], 2), round(best["E"], 2)
    around = [(round(C + i / 100, 2), round(E + j / 100, 2)) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    pairs = {*GRID, *(pair for pair in around if min(pair) >= 0 and max(pair) <= 1)}
    found = plain_errors((runs, qrels, contributing), "P@10", estimator, cuts, "binary", sorted(pairs))
    assert best["rmse_plain"] == pytest.approx(found[C, E], abs=1e-9)
    assert found[C, E] <= min(found.values()) + 1e-12


def test_the_systems_that_learn_can_be_chosen():
    runs, qrels = made_up(52, systems=4, topics=2)
    study = small_study(runs, qrels, pooled=["s0", "s1"])
    outside = evalcore.ask(study, "constants", judgments=[8], systems="unpooled").table
    listed = evalcore.ask(study, "constants", judgments=[8], systems=["s2", "s3"]).table
    pd.testing.assert_frame_equal(outside, listed)
    everyone = evalcore.ask(study, "constants", judgments=[8]).table
    inside = evalcore.ask(study, "constants", judgments=[8], systems="pooled").table
    squares = [table["rmse_plain"].to_numpy() ** 2 for table in (everyone, inside, outside)]
    assert squares[0] == pytest.approx((squares[1] + squares[2]) / 2, abs=1e-9)


# ---------------------------------------------------------------- what cannot be asked


@pytest.fixture(scope="module")
def study():
    runs, qrels = made_up(61, systems=3, topics=2, ragged=False)
    return small_study(runs, qrels, pooled=["s0", "s1"])


@pytest.mark.parametrize("question", ["estimator_error", "estimates"])
def test_a_reference_no_deeper_than_the_shallow_pool(study, question):
    depths = {"depths": [5]} if question == "estimator_error" else {"depth": 5}
    for reference in (5, 4):
        with pytest.raises(ValueError, match=rf"depth 5 is not shallower than the reference, of depth {reference}"):
            evalcore.ask(study, question, reference_depth=reference, **depths)
    with pytest.raises(ValueError, match=r"reference_depth=0 is not valid; it must be a whole number from 1"):
        evalcore.ask(study, question, reference_depth=0, **depths)


@pytest.mark.parametrize("question", ["estimator_error", "estimates"])
@pytest.mark.parametrize("metric", ["AP", "nDCG", "nDCG@2000", "Rprec", "bpref"])
def test_a_metric_that_has_no_exact_interval(study, question, metric):
    with pytest.raises(ValueError, match=rf"{question} needs a metric whose interval is exact.*{metric} has none\."):
        evalcore.ask(study, question, metric=metric)


def test_a_model_needs_a_weight_for_every_rank(study):
    for question, models in (("estimates", {"estimator": "linear"}), ("estimator_error", {"estimators": ["linear"]})):
        with pytest.raises(ValueError, match=r"linear.* needs a metric with a weight for every rank.*such as interp"):
            evalcore.ask(study, question, metric="nDCG@10", **models)


@pytest.mark.parametrize("depths", [[None], [5, None]])
def test_all_judgments_are_no_shallow_pool(study, depths):
    with pytest.raises(ValueError, match="depth"):
        evalcore.ask(study, "estimator_error", depths=depths)


def test_where_no_topic_counts_for_the_systems_the_errors_are_missing_with_a_reason():
    runs = {"s": {"t": {"a": 1.0}}, "u": {"elsewhere": {"b": 1.0}}}
    study = small_study(runs, {"t": {"a": 1, "c": 1}}, pooled="all", average="common")
    answer = evalcore.ask(study, "estimator_error", depths=[1], reference_depth=3, systems=["u"])
    assert answer.table["rmse"].isna().all()
    assert (answer.table["n"] == 0).all()
    assert answer.notes


def test_models_need_a_weighted_metric(study):
    with pytest.raises(ValueError, match=r"linear needs a metric with a weight for every rank.*AP has none\."):
        study.at(depth=3).estimate("AP", estimator="linear")


def test_no_contributing_run(study):
    nobody = study.without_contribution_of(["s0", "s1"])
    with pytest.raises(ValueError, match="no run is known to have contributed to the pool"):
        evalcore.ask(nobody, "estimates", depth=3, estimator="linear")
    for question in ("coverage", "rank_models"):
        with pytest.raises(ValueError, match="no run is known to have contributed to the pool"):
            evalcore.ask(nobody, question)
    with pytest.raises(ValueError, match="no run is known to have contributed to the pool"):
        evalcore.ask(nobody, "estimator_error", depths=[3])
    with pytest.raises(ValueError, match=r"systems='pooled' chooses no system"):
        evalcore.ask(study.only(systems=["s2"]), "estimator_error", depths=[3])


def test_a_group_that_formed_the_pool_alone(study):
    with pytest.raises(ValueError, match="only one group contributed to the pool"):
        evalcore.ask(study.without_contribution_of(["s1"]), "estimator_error", depths=[3], by="group")
    with pytest.raises(ValueError, match=r"by='team' is not known\. Known: all, group\."):
        evalcore.ask(study, "estimator_error", depths=[3], by="team")


def test_depths_are_shallower_than_the_pool(study):
    for depths in ([15], [5, 16]):
        with pytest.raises(ValueError, match=rf"depth {depths[-1]} is not shallower than the study's pool, of depth"):
            evalcore.ask(study, "estimator_error", depths=depths)


def test_an_unknown_topic_system_or_estimator(study):
    with pytest.raises(ValueError, match=r"no judged topic '999'\. Known: t0, t1"):
        evalcore.ask(study, "rank_models", topic="999")
    with pytest.raises(ValueError, match=r"no system 'nobody'\. Known: s0"):
        evalcore.ask(study, "estimator_error", depths=[3], systems=["nobody"])
    with pytest.raises(ValueError, match=r"no estimator 'guess'\. Known: lower"):
        evalcore.ask(study, "estimator_error", depths=[3], estimators=["guess"])
    with pytest.raises(ValueError, match=r"theta = -1.* is not valid; theta must be a number from 0\."):
        evalcore.ask(study, "estimates", depth=3, estimator="linear(theta=-1)")


def test_constants_of_an_estimator_without_them(study):
    with pytest.raises(ValueError, match="Choose the estimator interpolated or smoothed"):
        evalcore.ask(study, "constants", estimator="background")
    with pytest.raises(ValueError, match="depths and judgments cannot both be given"):
        evalcore.ask(study, "constants", depths=[1], judgments=[5])
    with pytest.raises(ValueError, match="bpref has no interval"):
        evalcore.ask(study, "constants", metric="bpref", judgments=[5])
