"""Samples of judgments in two strata, and what is inferred from them (METHODS 6.6; [LMC17, eq. 5])."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating import sampling
from evalcore.metrics.metrics import metric as metric_named
from tests.estimating.test_rank_models import cases, made_up
from tests.examples import examples
from tests.oracles import metrics as oracle_metrics
from tests.oracles import models as oracle
from tests.oracles import orderings as oracle_orderings
from tests.oracles.metrics import gain_of
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, topic_of

TABLE = ["repeat", "estimator", "judgments", "per_topic", "share_relevant", "tau_distance", "distance", "rmse"]
TABLE += ["reference_width"]


def sampled(study, *, depth, deepest, rate, seed=0):
    rng = np.random.default_rng(seed)
    return sampling.two_strata(study.judgments, study.pool_rank, depth=depth, deepest=deepest, rate=rate, rng=rng)


def named(study, mask):
    """The (topic, document) of the items of a mask."""
    names, topic = study.track.doc_of_item.to_pylist(), study.track.topic_of_item
    return {(study.track.topics[topic[item]], names[item].decode()) for item in np.flatnonzero(mask)}


def judged(qrels):
    return {(topic, D) for topic, rows in qrels.items() for D, grade in rows.items() if grade != -1}


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(
    case=cases(),
    depth=st.integers(1, 4),
    more=st.integers(1, 5),
    rate=st.sampled_from([0.1, 0.3, 0.5, 1.0]),
    seed=st.integers(0, 99),
)
def test_the_strata_are_the_shallow_pool_and_a_part_of_the_contributing_runs_deeper_pool(case, depth, more, rate, seed):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, negative="judged")
    ranks = oracle.pool_ranks(runs, contributing, topic_of)
    known = {(topic, D) for topic, rows in qrels.items() for D in rows}
    shallow = {pair for pair in known if ranks.get(pair, np.inf) <= depth}
    deeper = {pair for pair in ranks if depth < ranks[pair] <= depth + more}
    sample = sampled(study, depth=depth, deepest=depth + more, rate=rate, seed=seed)
    first, second = (named(study, sample.judgments.stratum == stratum) for stratum in (1, 2))
    assert first == shallow
    assert second <= deeper & known
    assert named(study, sample.shallow.level > 0) == shallow
    for topic in qrels:
        there = {pair for pair in deeper if pair[0] == topic}
        assert sum(pair[0] == topic for pair in second) <= rate * len(there) + 0.5
        if there <= known:
            assert abs(sum(pair[0] == topic for pair in second) - rate * len(there)) <= 0.5
    if rate == 1:
        assert second == deeper & known
    grades = {pair: qrels[pair[0]][pair[1]] for pair in first | second}
    assert {
        pair: int(sample.judgments.grade[item])
        for item in np.flatnonzero(sample.judgments.level)
        for pair in named(study, np.arange(study.track.size) == item)
    } == grades


def fully_judged():
    """Runs of 15 with one outside the pool; everything is judged."""
    runs, qrels = made_up(21, systems=6, topics=3, documents=60, ragged=False)
    return runs, qrels, [f"s{i}" for i in range(5)]


def test_the_same_seed_draws_the_same_sample_and_another_seed_another():
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    one, same, other = (sampled(study, depth=3, deepest=15, rate=0.3, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(one.judgments.stratum, same.judgments.stratum)
    assert not np.array_equal(one.judgments.stratum, other.judgments.stratum)
    assert np.array_equal(one.shallow.level, other.shallow.level)


def test_every_document_of_the_deeper_pool_is_as_likely_as_another():
    """A binomial count over 600 samples of 3 in 10, to four standard deviations."""
    runs = {"s": {"t": {f"d{k:02}": -float(k) for k in range(12)}}, "out": {"t": {"d90": 1.0}}}
    study = small_study(runs, {"t": {f"d{k:02}": k % 2 for k in range(12)} | {"d90": 1}}, pooled=["s"])
    times = np.zeros(study.track.size)
    for seed in range(600):
        times += sampled(study, depth=2, deepest=12, rate=0.3, seed=seed).judgments.stratum == 2
    drawn = {D for _, D in named(study, times > 0)}
    assert drawn == {f"d{k:02}" for k in range(2, 12)}
    assert np.all(np.abs(times[times > 0] - 180) < 4 * np.sqrt(600 * 0.3 * 0.7))


def strata_of(study, sample):
    """topic -> document -> stratum, of the sample."""
    found = {topic: {} for topic in study.track.topics}
    for stratum in (1, 2):
        for topic, D in named(study, sample.judgments.stratum == stratum):
            found[topic][D] = stratum
    return found


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    case=cases(),
    depth=st.integers(1, 4),
    rate=st.sampled_from([0.3, 0.5, 1.0]),
    metric=st.sampled_from(["RBP(p=0.95)", "RBP(p=0.8)@5", "SDCG@6"]),
    gains=st.sampled_from(["binary", "linear", "exponential"]),
)
def test_inferred_scores_are_those_of_equation_5(case, depth, rate, metric, gains):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains, negative="judged")
    sample = sampled(study, depth=depth, deepest=9, rate=rate)
    strata = strata_of(study, sample)
    places = study.at(judgments=sample.judgments).places
    ours = sampling.inferred(metric_named(metric), places, sample.judgments).reshape(study.track.shape[:2])
    for q, query in enumerate(study.track.queries):
        stratum = strata[topic_of(query)]
        rows = qrels.get(topic_of(query), {})
        known = {D: gain_of(rows[D], gains=gains, g_max=g_max_of(qrels)) for D in stratum}
        for s, system in enumerate(study.systems):
            expected = oracle.inf_rbp(metric, order(runs[system].get(query, {})), known, stratum)
            assert ours[s, q] == pytest.approx(expected, abs=1e-9)


def test_equation_5_by_hand():
    """Ranks 1 and 3 in stratum 1, 2 and 5 in stratum 2, 4 in neither."""
    documents = ["a", "b", "c", "d", "e"]
    stratum, known = {"a": 1, "c": 1, "b": 2, "e": 2}, {"a": 1.0, "b": 1.0, "c": 0.0, "e": 0.0}
    W = [0.2 * 0.8**k for k in range(5)]
    rho = (W[1] + W[3] + W[4]) / (W[1] + W[4])
    assert oracle.inf_rbp("RBP(p=0.8)", documents, known, stratum) == pytest.approx(W[0] + rho * W[1])
    assert oracle.inf_rbp("RBP(p=0.8)", documents, known, {"a": 1, "c": 1}) == pytest.approx(W[0])


def test_a_drawn_document_that_nobody_judged_tells_nothing():
    """It is in no stratum, and the documents of stratum 2 stand for it."""
    runs, qrels = {"s": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}}, {"t": {"a": 1, "b": -1, "c": 1}}
    study = small_study(runs, qrels, pooled="all")
    sample = sampled(study, depth=1, deepest=3, rate=1.0)
    stratum = strata_of(study, sample)["t"]
    assert stratum == {"a": 1, "c": 2}
    ours = sampling.inferred(metric_named("RBP(p=0.5)"), study.at(judgments=sample.judgments).places, sample.judgments)
    assert ours == pytest.approx(oracle.inf_rbp("RBP(p=0.5)", ["a", "b", "c"], {"a": 1.0, "c": 1.0}, stratum))


def test_with_everything_sampled_the_inferred_score_is_the_base():
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing).only(systems=contributing)
    sample = sampled(study, depth=4, deepest=15, rate=1.0)
    ours = sampling.inferred(metric_named("RBP(p=0.95)"), study.at(judgments=sample.judgments).places, sample.judgments)
    assert ours == pytest.approx(study.at().estimate("RBP(p=0.95)").lower.ravel(), abs=1e-12)


def test_a_topic_is_sampled_down_to_its_own_depth():
    """Of two topics pooled to other depths, each gives a share of what its own pool would add."""
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    ranks, deepest = oracle.pool_ranks(runs, contributing), {"t0": 6, "t1": 12}
    own = np.array([deepest.get(topic, 15) for topic in study.track.topics])
    sample = sampled(study, depth=3, deepest=own, rate=1.0)
    for topic, depth in deepest.items():
        there = {pair for pair, rank in ranks.items() if pair[0] == topic and 3 < rank <= depth}
        assert {pair for pair in named(study, sample.judgments.stratum == 2) if pair[0] == topic} == there
    pooling = replace(study.pooling, depth_of_topic=np.where(own == 15, 0, own))
    spent = asked(replace(study, pooling=pooling), depth=3, rate=1.0, repeats=1).set_index("estimator")["judgments"]
    more = sum(3 < rank <= deepest.get(topic, 15) for (topic, _), rank in ranks.items())
    assert spent["InfRBP"] - spent["pool"] == more


@pytest.mark.parametrize("holes", [False, True], ids=["judged in full", "with holes"])
def test_infap_reads_the_rest_of_the_deeper_pool_as_pooled_and_all_else_as_never_pooled(holes):
    """The rest is of the runs, so also what the qrels do not name."""
    runs, qrels, contributing = fully_judged()
    for rows in qrels.values() if holes else ():
        for D in sorted(rows)[::3]:
            del rows[D]
    study = small_study(runs, qrels, pooled=contributing)
    depth, deepest = 3, 10
    sample = sampled(study, depth=depth, deepest=deepest, rate=0.3)
    strata, ranks = strata_of(study, sample), oracle.pool_ranks(runs, contributing)
    ours = study.at(judgments=sample.pooled).estimate("infAP").value
    for q, topic in enumerate(study.track.queries):
        rows = {D: qrels[topic][D] for D in strata[topic]}
        rest = {D: -1 for t, D in ranks if t == topic and depth < ranks[t, D] <= deepest and D not in rows}
        assert rest
        for s, system in enumerate(study.systems):
            expected = oracle_metrics.inf_ap(order(runs[system][topic]), rows | rest)
            assert ours[s, q] == pytest.approx(expected, abs=1e-9)


# ---------------------------------------------------------------- the question


def asked(study, **values):
    return evalcore.ask(study, "two_strata", **values).table


def test_the_question_repeats_and_counts():
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    table = asked(study, depth=3, rate=0.2, repeats=3, seed=4)
    assert table.columns.tolist() == TABLE
    assert set(table["estimator"]) == {"pool", "InfRBP", "infAP", "two-stage-a", "two-stage-b"}
    assert table.groupby("repeat").size().tolist() == [5, 5, 5]
    assert table.equals(asked(study, depth=3, rate=0.2, repeats=3, seed=4))
    assert not table.equals(asked(study, depth=3, rate=0.2, repeats=3, seed=5))
    assert table[table["repeat"] <= 2].equals(asked(study, depth=3, rate=0.2, repeats=2, seed=4))
    ranks = oracle.pool_ranks(runs, contributing)
    shallow = sum(rank <= 3 for rank in ranks.values())
    drawn = [sum(rank > 3 for (t, _), rank in ranks.items() if t == topic) for topic in qrels]
    both = shallow + sum(round(0.2 * n) for n in drawn)
    assert table.loc[table["estimator"] == "pool", "judgments"].tolist() == [shallow] * 3
    assert table.loc[table["estimator"] != "pool", "judgments"].tolist() == [both] * 12
    shares = [
        sum(qrels[topic][doc] > 0 for (t, doc), rank in ranks.items() if t == topic and rank <= 3)
        / sum(t == topic and rank <= 3 for (t, _), rank in ranks.items())
        for topic in qrels
    ]
    pool = table[table["estimator"] == "pool"]
    assert pool["per_topic"].tolist() == [pytest.approx(shallow / len(qrels))] * 3
    assert pool["share_relevant"].tolist() == [pytest.approx(sum(shares) / len(shares))] * 3
    assert (pool.drop(columns="repeat").nunique() == 1).all()
    assert table.loc[table["estimator"] == "InfRBP", "rmse"].nunique() == 3


def test_the_question_goes_on_where_it_was_stopped():
    runs, qrels, contributing = fully_judged()
    study, whole = (small_study(runs, qrels, pooled=contributing) for _ in range(2))
    drawn = {"depth": 3, "rate": 0.2, "seed": 4, "repeats": 5}
    told = []

    def until(done, total):
        told.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evalcore.ask(study, "two_strata", progress=until, **drawn)
    answer = evalcore.ask(study, "two_strata", progress=lambda *far: told.append(far), **drawn)
    assert told == [(0, 5), (1, 5), (2, 5), (2, 5), (3, 5), (4, 5)]
    assert answer.table.equals(asked(whole, **drawn))
    assert "progress" not in answer.params


def test_with_everything_sampled_the_question_finds_no_error():
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    assert study.depth == 15
    table = asked(study, depth=4, rate=1.0, repeats=2).set_index("estimator")
    for name in ("InfRBP", "two-stage-a", "two-stage-b"):
        assert table.loc[name, ["tau_distance", "rmse"]].to_numpy(float) == pytest.approx(0, abs=1e-9)
        assert table.loc[name, "distance"].to_numpy(float) == pytest.approx(0, abs=1e-6)
    assert (table.loc["pool", "rmse"] > 0).all()
    assert table.loc["infAP", "tau_distance"].tolist() == [0.0, 0.0]  # pools of all that is judged: infAP is near AP


def test_the_pool_alone_against_the_reference():
    """rmse and the distances of the shallow pool's lower ends, by the definitions."""
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    row = asked(study, depth=3, repeats=1).set_index("estimator").loc["pool"]
    ranks = oracle.pool_ranks(runs, contributing)
    errors, full, shallow = {}, {}, {}
    for system in contributing:
        full[system], shallow[system] = {}, {}
        for topic, rows in qrels.items():
            documents = order(runs[system][topic])
            known = {D: float(grade >= 1) for D, grade in rows.items()}
            seen = {D: gain for D, gain in known.items() if ranks.get((topic, D), 99) <= 3}
            M, D = (f("RBP(p=0.95)", documents, known, 15) for f in (oracle.base, oracle.residual))
            X = oracle.base("RBP(p=0.95)", documents, seen, 15)
            errors[system, topic], full[system][topic], shallow[system][topic] = oracle.error(X, M, D), M, X
    means, other = ({s: sum(row.values()) / len(row) for s, row in scores.items()} for scores in (full, shallow))
    assert row["rmse"] == pytest.approx(oracle.rmse(errors), abs=1e-12)
    assert row["tau_distance"] == pytest.approx(oracle_orderings.kendall_distance(means, other))


def test_the_inferred_score_by_the_question():
    """One repeat; the sample is found again from the seed that the question says it takes."""
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    rows = asked(study, depth=3, rate=0.5, repeats=1, seed=9).set_index("estimator")
    rng = np.random.default_rng([9, 1])
    sample = sampling.two_strata(study.judgments, study.pool_rank, depth=3, deepest=15, rate=0.5, rng=rng)
    strata, errors = strata_of(study, sample), {}
    for system in contributing:
        for topic, rows_of in qrels.items():
            documents = order(runs[system][topic])
            full = {D: float(grade >= 1) for D, grade in rows_of.items()}
            M, D = (f("RBP(p=0.95)", documents, full, 15) for f in (oracle.base, oracle.residual))
            X = oracle.inf_rbp("RBP(p=0.95)", documents, {E: full[E] for E in strata[topic]}, strata[topic])
            errors[system, topic] = oracle.error(X, M, D)
    assert rows.loc["InfRBP", "rmse"] == pytest.approx(oracle.rmse(errors), abs=1e-12)
    assert rows.loc["InfRBP", "rmse"] > 0


@pytest.mark.parametrize("which", ["a", "b"])
def test_two_stage_fits_the_shallow_ranks_and_learns_from_both_strata(which):
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing).only(topics=["t0"])
    sample = sampled(study, depth=4, deepest=15, rate=0.5)
    ours = (
        study.at(judgments=sample.judgments, judged_depth=4)
        .estimate("RBP(p=0.95)", estimator=f"two-stage-{which}")
        .value
    )
    evidence = study.at(judgments=sample.judgments, judged_depth=4).evidence(evalcore.metric("RBP(p=0.95)"))[0][1]
    stratum = strata_of(study, sample)["t0"]
    assert set(stratum.values()) == {1, 2}
    here = oracle.at(runs, {"t0": {D: qrels["t0"][D] for D in stratum}}, contributing, "t0", depth=4)
    assert evidence.observed.tolist() == pytest.approx(oracle.gains_observed(here))
    curves = [evidence.curve(model).tolist() for model in oracle.MODELS]
    gain_at = oracle.gain_at_of(f"two-stage-{which}", here, curves)
    for s, system in enumerate(study.systems):
        expected = oracle.estimate("two-stage", "RBP(p=0.95)", order(runs[system]["t0"]), here, gain_at=gain_at)
        assert ours[s, 0] == pytest.approx(expected, abs=5e-4)


def test_what_cannot_be_asked():
    runs, qrels, contributing = fully_judged()
    study = small_study(runs, qrels, pooled=contributing)
    with pytest.raises(ValueError, match=r"AP has no weight for every rank, .*Choose P, RBP or SDCG"):
        asked(study, metric="AP")
    with pytest.raises(ValueError, match=r"depth=15 leaves nothing to sample: the study's pool depth is 15\."):
        asked(study, depth=15)
    for rate in (0, 1.5, True):
        with pytest.raises(ValueError, match=r"rate=.* is not valid; it must be a share above 0, at most 1\."):
            asked(study, rate=rate)
    with pytest.raises(ValueError, match=r"no system 'nobody'\. Known: s0"):
        asked(study, depth=3, systems=["nobody"])
    with pytest.raises(ValueError, match=r"contributed|empty list of systems"):
        asked(study.without_contribution_of(contributing), depth=3)


def test_a_rate_that_is_no_number():
    runs, qrels, contributing = fully_judged()
    with pytest.raises(ValueError, match=r"rate=.* is not valid; it must be a share above 0, at most 1\."):
        asked(small_study(runs, qrels, pooled=contributing), rate="half")
