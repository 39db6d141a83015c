"""Two-stage estimates: the losses that our weights attain against SLSQP's, and the scores that follow."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.estimating import two_stage
from evalcore.estimating.estimators import ESTIMATORS
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.metrics.metrics import rbp_weights
from tests.estimating.test_rank_models import at, cases, cut, made_up
from tests.examples import examples
from tests.oracles import models as oracle
from tests.oracles.metrics import weight
from tests.oracles.ranking import order
from tests.small import small_study

LOSSES = {"a": two_stage.by_score, "b": two_stage.by_document, "b-printed": two_stage.by_document_as_printed}
which_loss = pytest.mark.parametrize("which", LOSSES)


# ---------------------------------------------------------------- one minimisation


@st.composite
def problems(draw):
    """(lists, known, values) : rankings, the gains of judged documents, and some values to mix for each document."""
    rng = draw(st.randoms(use_true_random=False))
    names = [f"d{i}" for i in range(draw(st.integers(1, 9)))]
    lists = [rng.sample(names, rng.randint(0, len(names))) for _ in range(draw(st.integers(1, 4)))]
    known = {D: rng.choice([0.0, 0.0, 0.5, 1.0]) for D in names if rng.random() < 0.7}
    columns = draw(st.integers(1, 4))
    values = {D: [rng.choice([0.0, 0.25, rng.random()]) for _ in range(columns)] for D in names}
    return lists, known, values


def ours_and_theirs(which, problem):
    """(the loss at our weights, the loss at SLSQP's, the loss at nothing explained), and our weights."""
    lists, known, values = problem
    terms = oracle.errors_to_weigh(lists, known)
    documents = sorted(known)
    W = np.array([[{E: w for E, w, _ in run}.get(D, 0.0) for run in terms] for D in documents])
    predicted = np.array([values[D] for D in documents])
    ours = LOSSES[which](predicted, np.array([known[D] for D in documents]), W)

    def loss_of(weights):
        return oracle.loss(which, oracle.mixed(values, weights), terms)

    theirs = oracle.simplex_minimum(loss_of, predicted.shape[1])
    return loss_of(ours.tolist()), loss_of(theirs), oracle.loss(which, dict.fromkeys(values, 1.0), terms), ours


@which_loss
@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(problem=problems())
def test_our_weights_attain_no_larger_a_loss_than_slsqp(which, problem):
    if not problem[1]:
        return
    ours, theirs, size, weights = ours_and_theirs(which, problem)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert ours <= theirs * (1 + 1e-6) + 1e-9 * size


@which_loss
def test_a_single_run_has_all_the_weight(which):
    found = LOSSES[which](np.array([[0.25], [0.5]]), np.array([1.0, 0.0]), np.array([[0.05], [0.0475]]))
    assert found.tolist() == [1.0]


@which_loss
def test_gains_that_one_column_hits_are_found(which):
    gain = np.array([1.0, 0.0, 0.5, 0.0])
    predicted = np.stack([[0.5, 0.5, 0.1, 0.3], gain, [0.0, 0.2, 1.0, 0.0]], axis=1)
    W = np.array([[0.05, 0.0], [0.0475, 0.05], [0.045, 0.0475], [0.0, 0.045]])
    found = LOSSES[which](predicted, gain, W)
    if which == "a":  # only the scores come out
        assert W.T @ (predicted @ found - gain) == pytest.approx([0, 0], abs=1e-9)
    else:
        assert predicted @ found == pytest.approx(gain, abs=1e-6)


def test_a_loss_of_roots_whose_least_lies_in_a_corner():
    """One root falls to 0 there, and steps towards it grow ever smaller."""
    problem = [["b", "a"], ["a"]], {"a": 1.0, "b": 0.0}, {"a": [1.0, 0.5], "b": [1.0, 0.5]}
    ours, theirs, _, _ = ours_and_theirs("b", problem)
    assert theirs == pytest.approx(0.05)
    assert ours <= theirs * (1 + 1e-6)


def test_the_losses_by_hand():
    """Two runs, a at ranks 1 and 2, b at rank 2 of the first; G is off by 0.5 on a and by -1 on b."""
    lists, known = [["a", "b"], ["c", "a"]], {"a": 0.0, "b": 1.0}
    terms, G = oracle.errors_to_weigh(lists, known), {"a": 0.5, "b": 0.0, "c": 0.3}
    assert oracle.loss("a", G, terms) == pytest.approx((0.05 * 0.5 - 0.0475) ** 2 + (0.0475 * 0.5) ** 2)
    assert oracle.loss("b", G, terms) == pytest.approx(math.hypot(0.05 * 0.5, 0.0475) + 0.0475 * 0.5)
    assert oracle.loss("b-printed", G, terms) == pytest.approx((0.0975 * 0.5) ** 2 + 0.0475**2)


# ---------------------------------------------------------------- both stages


def evidence_of(study, topic, depth):
    judged = [study.track.topics[t] for t in study.judged_topics]
    return study.at(depth=depth).evidence()[judged.index(topic)][1]


def our_gains(study, topic, depth, which, K):
    """document -> the gain that we expect of it, for every document that a ranking of the topic holds."""
    evidence = evidence_of(study, topic, depth)
    queries = [q for q, t in enumerate(study.track.topic_of_query) if study.track.topics[t] == topic]
    rankings = study.track.items[:, queries].reshape(-1, study.track.shape[2])
    learnt = two_stage.document_gains(evidence, LOSSES[which], rbp_weights(np.arange(K), p=0.95))
    gains = evidence.at_places(rankings, *learnt)
    names = study.track.doc_of_item.to_pylist()
    held = rankings != 0
    return {names[item].decode(): float(gain) for item, gain in zip(rankings[held], gains[held], strict=True)}


@which_loss
@pytest.mark.parametrize(("seed", "gains", "depth"), [(1, "binary", 5), (2, "linear", 3), (4, "exponential", 8)])
def test_both_stages_attain_the_least_loss_and_give_its_scores(which, seed, gains, depth):
    """Here more documents are judged than there are weights, so that the scores are determined."""
    runs, qrels = made_up(seed, systems=4, topics=1)
    study = small_study(runs, qrels, pooled="all", gains=gains)
    here = at(runs, qrels, cut(runs, qrels, sorted(runs), depth), sorted(runs), "t0", depth, gains)
    curves = [evidence_of(study, "t0", depth).curve(model).tolist() for model in RANK_MODELS]
    terms = oracle.errors_to_weigh(here["lists"], here["known"])
    G2, _ = oracle.two_stage(which, curves, here["lists"], terms)
    ours = our_gains(study, "t0", depth, which, here["K"])
    theirs = oracle.loss(which, G2, terms)
    assert oracle.loss(which, ours, terms) <= theirs * (1 + 1e-6) + 1e-12
    assert oracle.loss(which, ours, terms) == pytest.approx(theirs, rel=1e-4, abs=1e-9)
    estimate = study.at(depth=depth).estimate("RBP(p=0.8)", estimator=f"two-stage-{which}")
    for s, system in enumerate(study.systems):
        expected = oracle.estimate(
            "two-stage", "RBP(p=0.8)", order(runs[system]["t0"]), here, gain_at=lambda D, k: G2[D]
        )
        assert estimate.value[s, 0] == pytest.approx(expected, abs=2e-4)


FITTED = {}  # the oracle's curves, which do not depend on the loss


@which_loss
@pytest.mark.parametrize("gains", ["binary", "linear"])
def test_the_whole_way_from_files_to_scores_with_fits_of_its_own(which, gains):
    """The curves too are the oracle's; a system outside the pool, and one that lacks the topic."""
    runs, qrels = made_up(8, systems=5, topics=2)
    runs["s3"] = {"t0": runs["s3"]["t0"] | {"unheard-of": 0.5, "unknown": -0.5}, "t1": runs["s3"]["t1"]}
    runs["s4"] = {"t1": runs["s4"]["t1"]}
    contributing, depth = ["s0", "s1", "s2"], 6
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    estimate = study.at(depth=depth).estimate("RBP(p=0.95)", estimator=f"two-stage-{which}")
    in_force = cut(runs, qrels, contributing, depth)
    for q, topic in enumerate(study.track.queries):
        here = at(runs, qrels, in_force, contributing, topic, depth, gains)
        if (gains, topic) not in FITTED:
            FITTED[gains, topic] = oracle.curves_of(here)
        gain_at = oracle.gain_at_of(f"two-stage-{which}", here, FITTED[gains, topic])
        for s, system in enumerate(study.systems):
            documents = order(runs[system].get(topic, {}))
            expected = oracle.estimate("two-stage", "RBP(p=0.95)", documents[: here["K"]], here, gain_at=gain_at)
            assert estimate.value[s, q] == pytest.approx(expected, abs=2e-3)


@which_loss
@settings(max_examples=examples(8), deadline=None, derandomize=True)
@given(case=cases(), depth=st.integers(1, 4))
def test_both_stages_attain_the_least_loss(which, case, depth):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing)
    in_force = cut(runs, qrels, contributing, depth)
    for topic in qrels:
        here = at(runs, qrels, in_force, contributing, topic, depth)
        terms = oracle.errors_to_weigh(here["lists"], here["known"])
        if not any(terms):
            continue
        curves = [evidence_of(study, topic, depth).curve(model).tolist() for model in RANK_MODELS]
        G2, _ = oracle.two_stage(which, curves, here["lists"], terms)
        ours = our_gains(study, topic, depth, which, here["K"])
        size = oracle.loss(which, dict.fromkeys(G2, 1.0), terms)
        slack = 1e-7 * size  # a second stage starts from a first that is found to so many digits
        assert oracle.loss(which, ours, terms) <= oracle.loss(which, G2, terms) * (1 + 1e-6) + slack


# ---------------------------------------------------------------- laws


@which_loss
def test_documents_at_the_same_ranks_in_all_runs_gain_the_same_and_later_ones_no_more(which):
    """With one run a document's gain is a mix of the curves at its rank."""
    runs, qrels = made_up(6, systems=1, topics=1, ragged=False)
    study = small_study(runs, qrels, pooled="all")
    curves = np.array([evidence_of(study, "t0", 5).curve(model) for model in RANK_MODELS])
    ours = our_gains(study, "t0", 5, which, 15)
    gains = [ours[D] for D in order(runs["s0"]["t0"])]
    mix, *_ = np.linalg.lstsq(curves.T, np.array(gains), rcond=None)
    assert mix @ curves == pytest.approx(gains, abs=1e-9)
    assert np.all(np.min(curves, axis=0) - 1e-12 <= gains)
    assert np.all(gains <= np.max(curves, axis=0) + 1e-12)


@which_loss
def test_a_copy_of_a_run_changes_no_score_where_only_the_best_runs_have_weight(which):
    """Identical runs share the weight between them: a doubled pool has the scores of the pool."""
    runs, qrels = made_up(9, systems=3, topics=2)
    doubled = {f"{system}{copy}": answered for system, answered in runs.items() for copy in "xy"}
    once = small_study(runs, qrels, pooled="all").at(depth=5).estimate("RBP(p=0.95)", estimator=f"two-stage-{which}")
    twice = (
        small_study(doubled, qrels, pooled="all").at(depth=5).estimate("RBP(p=0.95)", estimator=f"two-stage-{which}")
    )
    assert twice.value[0::2] == pytest.approx(twice.value[1::2], abs=1e-12)
    assert twice.value[0::2] == pytest.approx(once.value, abs=1e-4)


@which_loss
@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(case=cases(), depth=st.integers(1, 6), gains=st.sampled_from(["binary", "linear", "exponential"]))
def test_inside_the_interval(which, case, depth, gains):
    runs, qrels, contributing = case
    study = small_study(runs, qrels, pooled=contributing, gains=gains)
    for metric in ("RBP(p=0.95)", "SDCG@4"):
        estimate = study.at(depth=depth).estimate(metric, estimator=f"two-stage-{which}")
        assert np.all(estimate.value >= estimate.lower)
        assert np.all(estimate.value <= estimate.upper)
        assert not np.isnan(estimate.value).any()


@which_loss
def test_a_new_systems_document_gains_what_it_gains_in_the_runs_that_retrieved_it(which):
    """A run outside the pool that holds the documents of one inside it in other places: known or G2, wherever it
    stands; a document that nobody else has: the mix of the curves at its own rank."""
    runs, qrels = made_up(12, systems=4, topics=1, ragged=False)
    last_first = list(reversed(order(runs["s0"]["t0"])))
    runs["new"] = {"t0": {D: -float(k) for k, D in enumerate([*last_first[:6], "alone", *last_first[6:-1]])}}
    contributing, depth = ["s0", "s1", "s2", "s3"], 5
    study = small_study(runs, qrels, pooled=contributing)
    evidence = evidence_of(study, "t0", depth)
    learnt = two_stage.document_gains(evidence, LOSSES[which], rbp_weights(np.arange(15), p=0.95))
    gains = evidence.at_places(study.track.items[:, 0], *learnt)
    new, first = study.systems.index("new"), study.systems.index("s0")
    of_s0 = dict(zip(order(runs["s0"]["t0"]), gains[first], strict=True))
    documents = order(runs["new"]["t0"])
    for k, D in enumerate(documents):
        if D != "alone":
            assert gains[new][k] == pytest.approx(of_s0[D], abs=1e-12)
    here = at(runs, qrels, cut(runs, qrels, contributing, depth), contributing, "t0", depth)
    curves = [evidence.curve(model).tolist() for model in RANK_MODELS]
    terms = oracle.errors_to_weigh(here["lists"], here["known"])
    stages = [oracle.stage_one(which, curve, here["lists"], terms) for curve in curves]
    _, mix = oracle.stage_two(which, stages, terms)
    assert gains[new][6] == pytest.approx(sum(v * curve[6] for v, curve in zip(mix, curves, strict=True)), abs=5e-3)
    low, high = min(curve[6] for curve in curves), max(curve[6] for curve in curves)
    assert low - 1e-12 <= gains[new][6] <= high + 1e-12


@which_loss
def test_weights_of_the_metric_itself_in_the_loss(which):
    runs, qrels = made_up(14, systems=3, topics=1)
    study = small_study(runs, qrels, pooled="all")
    metric = "RBP(p=0.5)"
    here = at(runs, qrels, cut(runs, qrels, sorted(runs), 6), sorted(runs), "t0", 6)
    evidence = evidence_of(study, "t0", 6)
    curves = [evidence.curve(model).tolist() for model in RANK_MODELS]
    terms = oracle.errors_to_weigh(here["lists"], here["known"], metric)
    G2, _ = oracle.two_stage(which, curves, here["lists"], terms)
    ours = study.at(depth=6).estimate(metric, estimator=f"two-stage-{which}(weigh=own)")
    usual = study.at(depth=6).estimate(metric, estimator=f"two-stage-{which}")
    for s, system in enumerate(study.systems):
        documents = order(runs[system]["t0"])
        expected = oracle.estimate("two-stage", metric, documents, here, gain_at=lambda D, k: G2[D])
        assert ours.value[s, 0] == pytest.approx(expected, abs=2e-4)
    assert not np.allclose(ours.value, usual.value, atol=1e-6)


@pytest.mark.parametrize("metric", ["RBP(p=0.95)", "P@5", "SDCG@7"])
def test_the_loss_weighs_as_rbp_95_whatever_metric_is_scored(metric):
    """So the same expected gains enter every metric."""
    runs, qrels = made_up(15, systems=3, topics=1)
    study = small_study(runs, qrels, pooled="all")
    gains = our_gains(study, "t0", 4, "b", 15)
    here = at(runs, qrels, cut(runs, qrels, sorted(runs), 4), sorted(runs), "t0", 4)
    estimate = study.at(depth=4).estimate(metric, estimator="two-stage-b")
    for s, system in enumerate(study.systems):
        documents = order(runs[system]["t0"])
        expected = sum(weight(metric, k) * here["known"].get(D, gains[D]) for k, D in enumerate(documents, start=1))
        assert estimate.value[s, 0] == pytest.approx(expected, abs=1e-9)


def test_the_three_losses_are_three_estimators():
    runs, qrels = made_up(1, systems=4, topics=2)
    study = small_study(runs, qrels, pooled="all")
    made = [study.at(depth=5).estimate("RBP(p=0.95)", estimator=f"two-stage-{which}").value for which in LOSSES]
    for one in range(3):
        assert not np.allclose(made[one], made[one - 1], atol=1e-4)


@which_loss
def test_nothing_relevant_in_the_shallow_pool_leaves_the_lower_end(which):
    runs = {"s": {"t": {"a": 3.0, "b": 2.0}}, "u": {"t": {"c": 3.0, "d": 2.0}}}
    for qrels in ({"t": {"a": 0, "c": 0, "b": 1, "d": 1}}, {"t": {"z": 1}}):
        study = small_study(runs, qrels, pooled="all")
        estimate = study.at(depth=1).estimate("RBP(p=0.95)", estimator=f"two-stage-{which}")
        assert np.array_equal(estimate.value, estimate.lower)


@pytest.mark.parametrize("estimator", evalcore.ESTIMATORS)
def test_with_everything_judged_every_estimate_is_the_score(estimator):
    runs, qrels = made_up(16, systems=3, topics=2)
    study = small_study(runs, qrels, pooled="all", empty="not relevant", gains="linear")
    estimate = study.at().estimate("RBP(p=0.95)", estimator=estimator)
    for s, system in enumerate(study.systems):
        for q, topic in enumerate(study.track.queries):
            score = sum(
                weight("RBP(p=0.95)", k) * qrels[topic][D] / 2
                for k, D in enumerate(order(runs[system][topic]), start=1)
            )
            assert estimate.value[s, q] == pytest.approx(score, abs=1e-9)
            assert estimate.lower[s, q] == pytest.approx(estimate.upper[s, q], abs=1e-9)


def test_models_put_nothing_at_empty_ranks_or_in_the_tail():
    """Everything that the runs hold is judged, so a model has nothing to add though the interval is wide."""
    runs = {"s": {"t": {"a": 3.0, "b": 2.0}}, "u": {"t": {"a": 3.0}}}
    study = small_study(runs, {"t": {"a": 1, "b": 1}}, pooled="all")
    for estimator in [name for name, row in evalcore.ESTIMATORS.items() if row.model]:
        estimate = study.at().estimate("RBP(p=0.95)", estimator=estimator)
        assert np.array_equal(estimate.value, estimate.lower)
        assert np.all(estimate.upper - estimate.lower > 0.5)


@pytest.mark.parametrize("estimator", [name for name, row in ESTIMATORS.items() if row.model])
def test_a_model_scores_as_many_ranks_as_the_longest_contributing_ranking_has(estimator):
    """What a longer ranking gains further down is taken off: cut to that length, it has the same estimate."""
    pool = {f"p{i}": {"1": {d: 9.0 - k for k, d in enumerate(documents)}} for i, documents in enumerate(("abc", "bad"))}
    ranking = ["x", "a", "y", "b", "c", "z"]
    qrels = {"1": {"a": 1, "b": 1, "c": 0, "d": 1}}
    values = {}
    for length in (3, 6):
        runs = pool | {"new": {"1": {d: 9.0 - k for k, d in enumerate(ranking[:length])}}}
        study = small_study(runs, qrels, pooled=["p0", "p1"])
        estimate = study.at().estimate("RBP(p=0.8)", estimator=estimator)
        values[length] = estimate.value[study.systems.index("new"), 0]
    assert values[6] == pytest.approx(values[3], abs=1e-12)
    assert values[3] > 0
