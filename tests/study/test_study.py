"""A study: which part of a track is looked at, which judgments are in force, and means over topics."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.collection.judged_positions import judged_positions
from evalcore.collection.pool_inference import leads_of
from evalcore.pooling import pool_bias
from evalcore.study.evaluation import Evaluation
from evalcore.study.study_data import share_of_topic
from tests.oracles import metrics as oracle
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, tracks

RUNS = {
    "a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}, "2": {"u": 2.0, "v": 1.0}},
    "b": {"1": {"y": 2.0, "w": 1.0}, "2": {"v": 1.0}},
    "c": {"1": {"w": 2.0}},
}
QRELS = {"1": {"x": 1, "y": 0, "w": 2}, "2": {"u": 0, "v": 1}}


@pytest.fixture
def study():
    return small_study(RUNS, QRELS, pooled=["a", "b"], groups={"a": "G", "b": "H"})


# Which judgments are in force


def test_a_reading_says_which_judgments_are_in_force(study):
    everything = study.at()
    assert isinstance(everything, Evaluation)
    assert everything.judgments is study.judgments
    shallow = [item for item in study.judgments.pooled_items if study.pool_rank[item] < 1]
    assert study.at(depth=1).judgments.pooled_items.tolist() == shallow
    assert len(study.at(judgments=2).judgments.pooled_items) == 2
    given = study.judgments.only(np.zeros(study.track.size, bool))
    assert study.at(judgments=given).judgments is given


def test_a_depth_and_a_count_exclude_each_other(study):
    with pytest.raises(ValueError, match="depth and judgments exclude each other"):
        study.at(depth=1, judgments=2)
    said = "depth=0 is not valid; it must be a whole number from 1, or None for all judgments."
    with pytest.raises(ValueError, match=said):
        study.at(depth=0)
    with pytest.raises(ValueError, match=r"unjudged='gone' is not known. Known: irrelevant, condensed."):
        study.at(unjudged="gone")


def test_how_deep_the_contributing_runs_were_judged(study):
    assert study.at().judged_depth == study.depth
    assert study.at(depth=7).judged_depth == 7
    assert study.at(judgments=study.judgments, judged_depth=3).judged_depth == 3
    assert study.at(judgments=1).judged_depth == 1


@given(track=tracks(), name=st.sampled_from(["AP", "P@3", "nDCG", "bpref", "RR"]), depth=st.sampled_from([None, 1, 2]))
def test_values_are_the_scores_of_the_estimate(track, name, depth):
    reading = small_study(*track, pooled="all").at(depth=depth)
    np.testing.assert_allclose(reading.values(name), reading.estimate(name).value, atol=1e-15)


@given(track=tracks(grades=(0, 1, 2)), k=st.integers(1, 5))
def test_ranks_that_are_not_looked_at_are_unknown(track, k):
    runs, qrels = track
    study = small_study(runs, qrels)
    estimate = study.at().estimate("RBP(p=0.5)", ranks=k)
    for s, system in enumerate(study.systems):
        for q, query in enumerate(study.track.queries):
            top = order(runs[system].get(query, {}))[:k]
            lower, upper = oracle.bounds("RBP(p=0.5)", top, qrels.get(query, {}), g_max=g_max_of(qrels))
            assert (estimate.lower[s, q], estimate.upper[s, q]) == pytest.approx((lower, upper))


def test_what_was_worked_out_is_kept(study):
    first = study.at(depth=1).estimate("AP")
    assert study.at(depth=1).estimate("AP").lower.base is first.lower.base
    assert study.at(depth=1).places is study.at(depth=1).places


# Which part is looked at


@pytest.mark.parametrize("systems", [["b"], ["c", "a"]])
def test_a_narrower_study_takes_over_what_stays_the_same(study, systems):
    fresh = study.only(systems=systems)
    computed = [study.places, study.judged_topics, study.pool_rank, study.judging_order]
    narrower = study.only(systems=systems)
    assert narrower.judged_topics is computed[1]
    assert narrower.pool_rank is computed[2]
    assert narrower.judging_order is computed[3]
    for name in ("judged_topics", "pool_rank", "judging_order"):
        assert getattr(narrower, name).tolist() == getattr(fresh, name).tolist()
    expected = judged_positions(narrower.track, study.judgments)
    for name in ("starts", "rank", "item", "level", "topic_of_row", "lengths"):
        assert getattr(narrower.places, name).tolist() == getattr(expected, name).tolist()
    expected = leads_of(narrower.track, study.judgments)
    assert narrower.leads.judged.tolist() == expected.judged.tolist()
    assert narrower.leads.lengths.tolist() == expected.lengths.tolist()


def test_what_a_pool_tells_is_learnt_once_for_whichever_systems_are_looked_at(study):
    narrower, asked = study.only(systems=["c"]), {"metric": "RBP(p=0.95)", "estimator": "two-stage-b"}
    expected = small_study(RUNS, QRELS, pooled=["a", "b"]).at(depth=1).estimate(**asked).value[2]
    assert narrower.at(depth=1).estimate(**asked).value[0].tolist() == expected.tolist()
    assert study.at(depth=1).evidence() is narrower.at(depth=1).evidence()
    assert study.at(depth=1).evidence() is study.at(depth=1).evidence("P@2")  # binary gains: both earn the same
    assert study.at(depth=1).estimate(**asked).value[2].tolist() == expected.tolist()
    for other in (study.only(topics=["1"]), study.without_contribution_of(["a"])):
        assert other.at(depth=1).evidence() is not study.at(depth=1).evidence()
    graded = small_study(RUNS, QRELS, pooled=["a", "b"], gains="linear")
    assert graded.at(depth=1).evidence() is not graded.at(depth=1).evidence("P@2")


@pytest.mark.parametrize(("first", "second"), [({"depth": 1}, {"judgments": 1}), ({"judgments": 2}, {"depth": 2})])
def test_a_depth_and_as_many_judgments_are_told_apart(study, first, second):
    anew = small_study(RUNS, QRELS, pooled=["a", "b"])
    guess = {"metric": "RBP(p=0.8)", "estimator": "linear"}
    study.at(**first).estimate(**guess)
    assert study.at(**second).estimate(**guess).value.tolist() == anew.at(**second).estimate(**guess).value.tolist()
    assert study.at(**first).estimate(**guess).value.tolist() != study.at(**second).estimate(**guess).value.tolist()


def test_what_one_retrieved_alone_is_kept_by_unit():
    runs = {"a": {"1": {"x": 1.0}}, "b": {"1": {"x": 1.0}}, "c": {"1": {"y": 1.0}}}
    study = small_study(runs, {"1": {"x": 1, "y": 1}}, groups={"a": "G", "b": "G", "c": "H"})
    by = {unit: [set(pool_bias.retrieved_by_one(study, unit)) for _ in range(2)] for unit in ("run", "group")}
    assert by == {"run": [{pool_bias.NOBODY, 2}] * 2, "group": [{pool_bias.NOBODY, 0, 1}] * 2}


def test_what_is_learnt_of_a_pool_later_is_counted(study):
    study.at(depth=1).estimate("RBP(p=0.8)", estimator="linear")
    before = study.memo.evidence.total
    study.at(depth=1).estimate("RBP(p=0.8)", estimator="two-stage-b")
    study.at(depth=1).estimate("RBP(p=0.8)", estimator="linear")
    assert study.memo.evidence.total > before


def test_a_narrower_study_says_so_and_keeps_the_whole(study):
    narrow = study.only(systems=["c", "a"], topics=["1"])
    assert narrow.systems == ("c", "a")
    assert narrow.topics == ("1",)
    assert narrow.scope == {"systems": ["c", "a"], "topics": ["1"]}
    assert narrow.whole is study.whole
    assert narrow.digest != study.digest
    assert narrow.only().digest == narrow.digest


def test_systems_are_chosen_by_a_word_or_by_name(study):
    assert study.chosen("all").tolist() == [True, True, True]
    assert study.chosen("pooled").tolist() == [True, True, False]
    assert study.chosen("unpooled").tolist() == [False, False, True]
    assert study.chosen(["c", "b"]).tolist() == [False, True, True]
    with pytest.raises(ValueError, match=r"systems='best' is not known. Known: all, pooled, unpooled, or a list"):
        study.chosen("best")


def test_without_a_contribution_the_pool_is_another(study):
    without = study.without_contribution_of(["a"])
    assert without.track.pooled.tolist() == [False, True, False]
    alone = [item for item in range(1, study.track.size) if study.track.documents([item])[0] in ("x", "z", "u")]
    assert all(without.pool_rank[item] > 100 for item in alone)
    assert without.digest != study.digest


def test_queries_that_share_a_topic_are_variations():
    assert not small_study(RUNS, QRELS).has_variations
    assert small_study({"a": {"1-x": {"d": 1.0}, "1-y": {"d": 1.0}}}, {"1": {"d": 1}}).has_variations


# Means


@given(track=tracks(), average=st.sampled_from(["qrels", "common"]))
def test_the_mean_is_over_the_topics_that_count(track, average):
    runs, qrels = track
    study = small_study(runs, qrels, average=average)
    values = study.at().values("P@3")
    for s, system in enumerate(study.systems):
        topics = [topic for topic in qrels if average == "qrels" or runs[system].get(topic)]
        topics = [topic for topic in topics if topic in study.track.topics]
        scores = [values[s, study.track.queries.index(topic)] for topic in topics]
        mean = sum(scores) / len(scores) if scores else np.nan
        assert study.mean(values)[s] == pytest.approx(mean, nan_ok=True)
        known = [score for score in study.topic_scores(values)[s] if score == score]
        assert sum(known) == pytest.approx(sum(scores))


def test_a_topic_is_the_mean_of_its_queries():
    runs = {"a": {"1-x": {"d": 1.0}, "1-y": {"e": 1.0}}, "b": {"1-x": {"d": 1.0}}}
    study = small_study(runs, {"1": {"d": 1, "e": 0}})
    assert study.by_topic(study.at().values("P@1")).tolist() == [[0.5], [0.5]]
    common = small_study(runs, {"1": {"d": 1, "e": 0}}, average="common")
    assert common.by_topic(common.at().values("P@1")).tolist() == [[0.5], [1.0]]
    assert share_of_topic(common).tolist() == [[0.5, 0.5], [1.0, 0.0]]


def test_a_column_of_the_queries_table(study):
    with pytest.raises(ValueError, match=r"the queries table has no column 'hope'. It has"):
        study.at().estimate("INST(T=hope)")


def test_a_study_answers_from_several_threads_alike(study):
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: evalcore.ask(study, "leaderboard", metric="AP", depth=1), range(8)))
    assert all(answer.table.equals(answers[0].table) for answer in answers)
