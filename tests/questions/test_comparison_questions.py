"""The questions on pairs of systems, separability and p-values, against the definitions and SciPy."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import evalcore
from tests.examples import examples
from tests.oracles import orderings as oracle
from tests.oracles import pool as pool_oracle
from tests.oracles.ranking import is_judged
from tests.small import small_study, tracks

METRICS = ["P@2", "RBP(p=0.8)", "SDCG@3", "AP"]
ESTIMATORS = ["lower", "rm", "upper"]
CORRECTIONS = {
    "none": list, "bonferroni": oracle.bonferroni, "holm": oracle.holm, "bh": oracle.benjamini_hochberg,
}  # fmt: skip
OPTIONS = st.fixed_dictionaries(
    {
        "average": st.sampled_from(["qrels", "common"]),
        "empty": st.sampled_from(["unknown", "not relevant"]),
        "gains": st.sampled_from(["binary", "exponential"]),
    }
)


def table(study, question, **how):
    return evalcore.ask(study, question, **how).table


@st.composite
def comparable(draw, topics=4, systems=4):
    """Runs and qrels of two systems and two judged topics at least."""
    runs, qrels = draw(tracks(systems=systems, topics=topics))
    runs |= {"y": {"t0": {"da": 1.0, "db": 1.0}, "t1": {"db": 1.0}}, "z": {"t1": {"dc": 2.0, "dd": 1.0}}}
    qrels.setdefault("t0", {"da": 1})
    qrels.setdefault("t1", {"dd": 1, "dc": 0})
    return dict(sorted(runs.items())), qrels


def large(systems=6, topics=16, seed=0):
    """Runs of six documents each and judgments of two thirds of all."""
    rng = np.random.default_rng(seed)
    documents = [f"d{number:02}" for number in range(12)]
    runs = {
        f"s{number}": {
            f"t{topic:02}": dict(zip(rng.permutation(documents)[:6].tolist(), range(6, 0, -1), strict=True))
            for topic in range(topics)
        }
        for number in range(systems)
    }
    qrels = {
        f"t{topic:02}": {d: int(rng.integers(0, 3)) for d in rng.permutation(documents)[:8].tolist()}
        for topic in range(topics)
    }
    return runs, qrels


@pytest.fixture(scope="module")
def study():
    return small_study(*large(), pooled="all")


def scores_in(study, name, **how):
    """float (S, T) as the question `scores` gives them."""
    found = table(study, "scores", metric=name, **how)
    return found.pivot(index="system", columns="topic", values="value").loc[list(study.systems)].to_numpy()


# Pairs


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(
    track=comparable(),
    options=OPTIONS,
    name=st.sampled_from(METRICS),
    estimator=st.sampled_from(ESTIMATORS),
    depth=st.sampled_from([None, 1, 2]),
    correction=st.sampled_from(sorted(CORRECTIONS)),
    level=st.sampled_from([0.05, 0.3]),
)
def test_pairs_are_the_definition(track, options, name, estimator, depth, correction, level):
    runs, qrels = track
    pooled = ["y", "z"]
    how = {"metric": name, "estimator": estimator, "depth": depth}
    study = small_study(runs, qrels, pooled=pooled, **options)
    found = table(study, "pairs", correction=correction, level=level, **how)
    scores = oracle.topic_scores(name, runs, qrels, pooled=pooled, estimator=estimator, depth=depth, **options)
    pairs = list(combinations(runs, 2))
    assert list(zip(found.a, found.b, strict=True)) == pairs
    expected = [oracle.mean_of(oracle.differences(scores[a], scores[b])) for a, b in pairs]
    assert found.difference.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)
    p = [oracle.p_two_tailed(scores[a], scores[b]) for a, b in pairs]
    assert found.p.tolist() == pytest.approx(p, abs=1e-9, nan_ok=True)
    known = [value for value in p if not math.isnan(value)]
    corrected = found.p_corrected[~np.isnan(p)].tolist()
    assert corrected == pytest.approx(CORRECTIONS[correction](known), abs=1e-9)
    assert found.p_corrected.isna().tolist() == np.isnan(p).tolist()
    assert found.verdict.tolist() == [verdict(row, level) for row in found.itertuples()]


def verdict(row, level):
    if row.certain_low >= -oracle.SAME or row.certain_high <= oracle.SAME:
        return "certain"
    return "likely" if row.p_corrected < level else "open"


def test_pairs_are_scipys(study):
    for name in ("AP", "RBP(p=0.8)"):
        found = table(study, "pairs", metric=name)
        each = [stats.ttest_rel(a, b) for a, b in combinations(scores_in(study, name), 2)]
        assert found.t.tolist() == pytest.approx([float(one.statistic) for one in each])
        assert found.p.tolist() == pytest.approx([float(one.pvalue) for one in each])


def test_every_verdict_is_met(study):
    verdicts = set(table(study, "pairs", metric="RBP(p=0.8)@2", level=0.3, correction="none").verdict)
    assert verdicts == {"likely", "open"}
    runs = {"A": "xx", "B": "yy"}
    runs = {s: {t: {d: 1.0} for t, d in zip("12", docs, strict=True)} for s, docs in runs.items()}
    certain = table(small_study(runs, {t: {"x": 1, "y": 0} for t in "12"}, pooled="all"), "pairs", metric="P@1")
    assert certain.verdict.tolist() == ["certain"]
    assert (certain.difference[0], certain.t[0], certain.p[0]) == (1, math.inf, 0)


def test_the_correction_and_the_level_decide_what_is_likely(study):
    strict, loose = (table(study, "pairs", metric="AP", correction=name, level=0.2) for name in ("holm", "none"))
    assert (loose.p_corrected == loose.p).all()
    assert strict.p_corrected.tolist() == pytest.approx(oracle.holm(strict.p.tolist()))
    assert (strict.verdict == "likely").sum() <= (loose.verdict == "likely").sum()
    assert (loose.verdict == "likely").tolist() == (loose.p < 0.2).tolist()
    assert 0 < (loose.verdict == "likely").sum() < len(loose)


def test_identical_systems_differ_in_nothing():
    runs = {"A": {t: {"x": 2.0, "u": 1.0} for t in "123"}}
    runs["B"] = runs["A"]
    study = small_study(runs, {t: {"x": 1} for t in "123"}, pooled="all")
    answer = evalcore.ask(study, "pairs", metric="P@2")
    found = answer.table.iloc[0]
    assert (found.difference, found.p, found.p_corrected) == (0, 1, 1)
    assert math.isnan(found.t)
    assert (found.certain_low, found.certain_high, found.verdict) == (0, 0, "certain")  # u has one gain
    assert any(note.startswith("The column “t” is empty") for note in answer.notes)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_the_same_seed_gives_the_same_p(study, test):
    once, again, other = (table(study, "pairs", test=test, seed=seed).p.tolist() for seed in (3, 3, 4))
    assert once == again
    assert once != other
    assert once == pytest.approx(table(study, "pairs").p.tolist(), abs=0.1)


def test_few_topics_are_randomised_in_full():
    runs, qrels = large(systems=4, topics=8, seed=1)
    study = small_study(runs, qrels, pooled="all")
    rows = [dict(enumerate(row)) for row in scores_in(study, "AP").tolist()]
    expected = [oracle.randomisation(*pair) for pair in combinations(rows, 2)]
    assert table(study, "pairs", metric="AP", test="randomisation").p.tolist() == pytest.approx(expected)


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(data=st.data(), average=st.sampled_from(["qrels", "common"]))
def test_variations_of_a_topic_count_as_one_topic(data, average):
    ranking = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3).map(float), min_size=1)
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(["t0-1", "t0-2", "t1-1", "t2-1", "t2-3"], ranking))
    runs = {f"s{number}": data.draw(run) for number in range(3)}
    grades = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 1), min_size=1)
    qrels = {topic: data.draw(grades) for topic in ("t0", "t1", "t2")}
    found = table(small_study(runs, qrels, pooled="all", average=average), "pairs", metric="RBP(p=0.5)")
    scores = oracle.topic_scores("RBP(p=0.5)", runs, qrels, average=average)
    expected = [oracle.p_two_tailed(a, b) for a, b in combinations(scores.values(), 2)]
    assert found.p.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_chosen_systems_and_topics(study):
    whole = table(study, "pairs", metric="AP")
    few = table(study, "pairs", metric="AP", systems=["s1", "s4"])
    wanted = whole[(whole.a == "s1") & (whole.b == "s4")]
    columns = ["a", "b", "difference", "t", "p", "certain_low", "certain_high"]
    assert few[columns].equals(wanted[columns].reset_index(drop=True))
    topics = [f"t{number:02}" for number in range(0, 16, 3)]
    narrow = table(study.only(topics=topics), "pairs", metric="AP")
    each = [stats.ttest_rel(a, b) for a, b in combinations(scores_in(study, "AP")[:, ::3], 2)]
    assert narrow.p.tolist() == pytest.approx([float(one.pvalue) for one in each])


# Two regimes and their pairs


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(track=comparable())
def test_swaps_are_the_inversions_of_the_two_regimes(track):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all")
    names = ["depth=1 | RBP(p=0.8)", "P@2 | upper"]
    regimes = table(study, "regimes", regimes=names).set_index(["a", "b"])
    assert len(table(study, "swaps", a=names[0], b=names[1])) == regimes.inversions[tuple(names)]


# Separability


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(
    track=comparable(topics=5),
    options=OPTIONS,
    name=st.sampled_from(METRICS),
    level=st.sampled_from([0.01, 0.2, 0.5]),
    by=st.sampled_from(["depths", "judgments"]),
)
def test_separability_is_the_definition(track, options, name, level, by):
    runs, qrels = track
    pooled, cuts = ["y", "z"], [1, 2, 4]
    study = small_study(runs, qrels, pooled=pooled, **options)
    found = table(study, "separability", metric=name, estimators=ESTIMATORS, level=level, **{by: cuts})
    rows = iter(found.to_dict("records"))
    ranks = pool_oracle.pool_ranks(runs, pooled)
    for estimator in ESTIMATORS:
        how = {"pooled": pooled, "estimator": estimator} | options
        full = oracle.topic_scores(name, runs, qrels, **how)
        for cut in cuts:
            row = next(rows)
            at = {by.removesuffix("s") if by == "depths" else by: cut}
            shallow = oracle.topic_scores(name, runs, qrels, **at, **how)
            apart = oracle.separability(shallow, full, level)
            assert (row["separable"], row["reversed"], row["opposite"]) == pytest.approx(apart), (estimator, cut)
            in_force = (
                pool_oracle.judgments_at_depth(qrels, ranks, cut)
                if by == "depths"
                else pool_oracle.first_judgments(qrels, ranks, cut)
            )
            judged = sum(is_judged(g) for of_topic in in_force.values() for g in of_topic.values())
            assert (row["estimator"], row["judgments"]) == (estimator, judged)
            assert row["pairs"] == len(runs) * (len(runs) - 1) / 2
            assert ("depth" in row) == (by == "depths")
    assert next(rows, None) is None


def test_with_all_judgments_nothing_is_taken_back(study):
    found = table(study, "separability", metric="P@3", estimators=["lower", "rm"], level=0.2)
    total = sum(len(judged) for judged in large()[1].values())
    last = found[found.judgments == total]
    assert len(last) == 2
    assert (last.reversed == 0).all()
    assert (last.opposite == 0).all()
    p = table(study, "pairs", metric="P@3").p
    assert last.separable.iloc[0] == pytest.approx((p < 0.2).mean())
    assert found[found.estimator == "lower"].judgments.is_monotonic_increasing


def test_the_worse_kind_of_reversal_is_counted_apart():
    """Few judgments put A above B on every topic, all judgments B above A; C and A stay as they were."""
    runs = {"A": ["a", "n"], "B": ["n", "b", "b2"], "C": ["c", "n"]}
    runs = {s: {t: {d: float(-k) for k, d in enumerate(docs)} for t in "123"} for s, docs in runs.items()}
    qrels = {t: {"a": 1, "b": 1, "b2": 1, "n": 0, "c": 0} for t in "123"}
    study = small_study(runs, qrels, pooled="all", empty="not relevant")
    found = table(study, "separability", metric="P@3", depths=[1, None])
    assert found.separable.tolist() == pytest.approx([2 / 3, 1])  # A above B and C; then B above A above C
    assert found.opposite.tolist() == pytest.approx([1 / 3, 0])
    assert found.reversed.tolist() == [0, 0]


def test_all_judgments_as_a_depth(study):
    found = table(study, "separability", depths=[None, 1])
    assert found.depth.tolist() == pytest.approx([1, math.nan], nan_ok=True)


# The p-values of few judgments and of all


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(
    track=comparable(topics=5),
    options=OPTIONS,
    name=st.sampled_from(METRICS),
    estimator=st.sampled_from(ESTIMATORS),
    cut=st.sampled_from([("depth", 1), ("depth", 3), ("judgments", 2), ("judgments", 4)]),
)
def test_p_values_are_those_of_both(track, options, name, estimator, cut):
    runs, qrels = track
    pooled, level = ["y", "z"], 0.3
    study = small_study(runs, qrels, pooled=pooled, **options)
    shallow = f"{cut[0]}={cut[1]}"
    found = table(study, "p_values", metric=name, estimator=estimator, shallow=shallow, level=level)
    few, full = (
        oracle.topic_scores(name, runs, qrels, pooled=pooled, estimator=estimator, **at, **options)
        for at in ({cut[0]: cut[1]}, {})
    )
    pairs = list(combinations(runs, 2))
    assert list(zip(found.a, found.b, strict=True)) == pairs
    p_shallow = [oracle.p_two_tailed(few[a], few[b]) for a, b in pairs]
    p_full = [oracle.p_two_tailed(full[a], full[b]) for a, b in pairs]
    assert found.p_shallow.tolist() == pytest.approx(p_shallow, abs=1e-9, nan_ok=True)
    assert found.p_full.tolist() == pytest.approx(p_full, abs=1e-9, nan_ok=True)
    quadrants = [oracle.quadrant(*both, level) for both in zip(p_shallow, p_full, strict=True)]
    assert found.quadrant.tolist() == [QUADRANT[one] for one in quadrants]


QUADRANT = {
    (True, True): "separable in both",
    (True, False): "separable only with few judgments",
    (False, True): "separable only with all judgments",
    (False, False): "separable in neither",
}


def test_separability_counts_the_quadrants(study):
    found = table(study, "p_values", metric="P@3", shallow="judgments=20", level=0.2)
    counted = table(study, "separability", metric="P@3", judgments=[20], level=0.2).iloc[0]
    shares = found.quadrant.value_counts(normalize=True)
    few = "separable only with few judgments"
    assert counted.separable == pytest.approx(shares.get("separable in both", 0) + shares.get(few, 0))
    assert counted.reversed == pytest.approx(shares.get(few, 0))
    assert counted.separable > 0


def test_a_depth_as_a_number(study):
    by_number, by_name = (table(study, "p_values", shallow=shallow) for shallow in (1, "depth=1"))
    assert by_number.equals(by_name)


def test_a_pair_with_one_common_topic_has_no_p():
    runs = {"A": {"1": {"x": 1.0}}, "B": {"1": {"x": 1.0}, "2": {"x": 1.0}}, "C": {"2": {"y": 1.0}, "1": {"x": 1.0}}}
    study = small_study(runs, {t: {"x": 1, "y": 0} for t in "12"}, pooled="all", average="common")
    answer = evalcore.ask(study, "p_values", metric="P@1", shallow=1)
    assert answer.table.p_full.isna().tolist() == [True, True, False]  # A has one topic
    assert any(note.startswith("The column “p_full” is empty") for note in answer.notes)


# What cannot be asked


def test_separability_by_metric_has_a_row_of_separability_for_each(study):
    options = {"metrics": ["P@3", "AP", "bpref"], "estimators": ["lower", "upper", "linear"]}
    found = table(study, "separability_by_metric", judgments=10, level=0.2, **options)
    pairs = [*(("P@3", name) for name in options["estimators"]), ("AP", "lower"), ("AP", "upper"), ("bpref", "lower")]
    assert list(zip(found.metric, found.estimator, strict=True)) == pairs
    for row in found.itertuples():
        one = {"metric": row.metric, "estimators": [row.estimator], "judgments": [10], "level": 0.2}
        own = table(study, "separability", **one).iloc[0]
        for column in ("separable", "reversed", "opposite", "pairs"):
            assert getattr(row, column) == own[column]
        every = table(study, "separability", **one | {"judgments": [None]}).iloc[0]
        assert row.separable_final == every["separable"]


@pytest.mark.parametrize("question", ["regimes", "pairs", "separability", "p_values"])
def test_one_topic_or_one_system_is_not_enough(study, question):
    with pytest.raises(ValueError, match="at least two judged topics"):
        evalcore.ask(study.only(topics=["t01"]), question)
    with pytest.raises(ValueError, match="at least two systems"):
        evalcore.ask(study.only(systems=["s1"]), question)
    with pytest.raises(ValueError, match="at least two systems"):
        evalcore.ask(study, question, systems=["s1"])


@pytest.mark.parametrize("question", ["pairs", "separability", "p_values"])
@pytest.mark.parametrize("level", [0, 1, 5, -0.1, True, math.nan])
def test_a_level_that_cannot_be_is_refused(study, question, level):
    with pytest.raises(ValueError, match="level"):
        evalcore.ask(study, question, level=level)


@pytest.mark.parametrize(
    ("question", "how", "message"),
    [
        ("pairs", {"test": "horoscope"}, "no test 'horoscope'"),
        ("pairs", {"correction": "bonferoni"}, "no correction 'bonferoni'"),
        ("pairs", {"systems": ["s1", "nobody"]}, "no system 'nobody'"),
        ("pairs", {"depth": 0}, "depth=0 is not valid"),
        ("separability", {"depths": [1], "judgments": [10]}, "cannot both be given"),
        ("separability", {"depths": []}, "depths is empty"),
        ("separability", {"judgments": []}, "judgments is empty"),
        ("separability", {"estimators": []}, "estimators is empty"),
        ("separability", {"estimators": ["median"]}, "median"),
        ("p_values", {"shallow": "AP"}, "is not a subset of the judgments"),
        ("p_values", {"shallow": 0}, "shallow=0 is not valid"),
    ],
)
def test_what_cannot_be_asked_says_why(study, question, how, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        evalcore.ask(study, question, **how)
    assert message in str(error.value)
