"""What each question answers, against the definitions on small studies."""

import dataclasses
import math
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore import columns, questions
from evalcore.vocabulary import registry
from tests.examples import examples
from tests.oracles import metrics as oracle
from tests.oracles import pool as pool_oracle
from tests.oracles.ranking import order, tied_share, worst_and_best_within_ties
from tests.small import g_max_of, small_study, tracks
from ui.data import sources
from ui.report import export

RUNS = {
    "good": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0, "x": 0.5}},
    "fair": {"1": {"b": 3.0, "z": 2.0, "a": 1.0}, "2": {"y": 2.0}},
    "poor": {"1": {"z": 3.0, "y": 2.0}},
}
QRELS = {"1": {"a": 2, "b": 1, "z": 0, "c": 0}, "2": {"a": 1, "y": 0}, "3": {"q": 1}}


@pytest.fixture(scope="module")
def study():
    return small_study(RUNS, QRELS, pooled=["good", "fair"], groups={"good": "G", "fair": "F", "poor": "F"})


def table(study, question, **params):
    return evalcore.ask(study, question, **params).table


def row(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def test_systems(study):
    good = row(table(study, "systems"), system="good")
    assert (good.group, good.pooled, good.topics, good.documents, good.deepest) == ("G", True, 2, 5, 3)
    assert good.judged_at_10 == pytest.approx((0.3 + 0.1 + 0) / 3)
    assert (good.pool_depth, good.tied) == (1, 0)
    assert math.isnan(good.first_unjudged)  # rank 2 on topic 2, none on topic 1
    poor = row(table(study, "systems"), system="poor")
    assert (poor.pool_depth, poor.first_unjudged) == (1, 2)


def test_topics(study):
    topics = table(study, "topics")
    assert topics.topic.tolist() == ["1", "2", "3"]
    assert topics.judged.tolist() == [4, 2, 1]
    assert topics.relevant.tolist() == [2, 1, 1]
    assert topics.share_relevant.tolist() == [0.5, 0.5, 1]
    assert study.depth == 1  # good's x on topic 2 is not judged
    assert topics.pool.tolist() == [2, 2, 0]  # a b; a y


def test_topics_without_judgments_have_no_share():
    study = small_study({"s": {"1": {"a": 1.0}, "2": {"a": 1.0}}}, {"1": {"a": 1}})
    assert math.isnan(table(study, "topics").share_relevant[1])
    assert table(study, "scores").topic.tolist() == ["1"]


def test_a_missing_topic_counts_as_zero_and_stays_open(study):
    scores = table(study, "scores", metric="RBP(p=0.5)")
    missing = row(scores, system="poor", topic="2")
    assert (missing.value, missing.lower, missing.upper) == (0, 0, 1)
    assert len(scores) == 9


def test_topics_in_common():
    study = small_study(RUNS, QRELS, average="common")
    board = table(study, "leaderboard", metric="P@1")
    assert row(board, system="poor").n == 1
    assert row(board, system="good").n == 2
    assert row(board, system="good").value == 1
    assert len(table(study, "scores")) == 5


def test_leaderboard_is_sorted_and_says_its_n(study):
    board = table(study, "leaderboard", metric="RBP(p=0.5)")
    assert board.system.tolist() == ["good", "fair", "poor"]
    assert board["rank"].tolist() == [1, 2, 3]
    assert board.n.tolist() == [3, 3, 3]
    assert set(board.kind) == {"bounds"}


@settings(max_examples=examples(40), deadline=None)
@given(track=tracks(), name=st.sampled_from(["RBP(p=0.8)", "nDCG@3", "AP", "bpref"]))
def test_leaderboard_is_the_definition(track, name):
    runs, qrels = track
    if not qrels:
        return
    study = small_study(runs, qrels)
    board = table(study, "leaderboard", metric=name)
    means = {s: oracle.mean(name, runs[s], qrels, g_max=g_max_of(qrels)) for s in runs}
    for s, (value, lower, upper, n) in means.items():
        ours = row(board, system=s)
        assert (ours.value, ours.lower, ours.upper, ours.n) == pytest.approx((value, lower, upper, n), nan_ok=True)
    assert dict(zip(board.system, board["rank"], strict=True)) == pool_oracle.rank({s: m[0] for s, m in means.items()})
    assert board.value_final.tolist() == pytest.approx(board.value.tolist())
    if name in ("AP", "bpref"):  # a guide bounds nothing
        assert board[["rank_best", "rank_worst", "upper_listed"]].isna().all(axis=None)
        return
    shut = [oracle.mean(name, runs[s], qrels, g_max=g_max_of(qrels), empty="not relevant")[2] for s in board.system]
    assert board.upper_listed.tolist() == pytest.approx(shut)
    intervals = {s: m[1:3] for s, m in means.items()}
    best, worst = pool_oracle.rank_best(intervals), pool_oracle.rank_worst(intervals)
    for one in board.itertuples():  # exactly, over every completion: tests/statistics/test_contenders.py
        assert best[one.system] <= one.rank_best
        assert one.rank_worst <= worst[one.system]


def test_systems_can_be_chosen(study):
    assert set(table(study, "leaderboard", systems="pooled").system) == {"good", "fair"}
    assert set(table(study, "leaderboard", systems="unpooled").system) == {"poor"}
    assert set(table(study, "depth_sweep", systems=["fair", "poor"]).system) == {"fair", "poor"}
    assert row(table(study, "leaderboard", systems=["poor"]), system="poor")["rank"] == 1


def test_depth_sweep_ends_at_all_judgments_when_asked(study):
    sweep = table(study, "depth_sweep", metric="RBP(p=0.5)", depths=[2, 1, None])
    good = sweep[sweep.system == "good"]
    assert good.depth.tolist()[:2] == [1, 2]
    assert math.isnan(good.depth.iloc[2])
    assert good.lower.is_monotonic_increasing
    assert good.upper.is_monotonic_decreasing
    board = table(study, "leaderboard", metric="RBP(p=0.5)")
    assert good.value.iloc[2] == pytest.approx(row(board, system="good").value)


def test_pool(study):
    pool = table(study, "pool", metric="P@2", depths=[1, 2, None])
    assert pool.judgments.tolist() == [4, 5, 7]  # a b | a y; z; c q
    assert pool.relevant.tolist() == [3, 3, 4]
    assert pool.per_topic.tolist() == pytest.approx([4 / 3, 5 / 3, 7 / 3])
    assert pool.share_relevant.tolist() == pytest.approx([(1 + 0.5) / 2, (2 / 3 + 0.5) / 2, (0.5 + 0.5 + 1) / 3])
    assert pool.tau.iloc[2] == 1
    sweep = table(study, "depth_sweep", metric="P@2", depths=[1])
    assert pool.mean_width.iloc[0] == pytest.approx((sweep.upper - sweep.lower).mean())
    assert pool.width_past_end.tolist() == pytest.approx([(sweep.upper - sweep.upper_listed).mean()] * 3)


@settings(max_examples=examples(40), deadline=None)
@given(track=tracks(systems=12), name=st.sampled_from(["P@2", "AP", "bpref"]))
def test_how_far_a_pool_is_from_all_judgments(track, name):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all")
    pool = table(study, "pool", metric=name, depths=[1, None])
    shallow, full = (table(study, "leaderboard", metric=name, depth=depth).set_index("system") for depth in (1, None))
    now, final = (dict(board.value.dropna()) for board in (shallow, full))
    if not now:
        return
    answering = [s for s in now if any(runs[s].get(topic) for topic in qrels)] or now  # the others say nothing of it
    change = sum(final[s] - now[s] for s in answering) / len(answering)
    assert pool.change.tolist() == pytest.approx([change, 0], abs=1e-12)
    ten = sorted(now, key=lambda s: (-round(now[s], 12), study.systems.index(s)))[:10]
    for column, systems in (("inversions", list(now)), ("inversions_of_top", ten)):
        pairs = len(systems) * (len(systems) - 1) / 2
        expected = pool_oracle.kendall_distance({s: now[s] for s in systems}, final) * pairs if pairs else math.nan
        assert pool[column].tolist() == pytest.approx([expected, 0 if pairs else math.nan], nan_ok=True)
    assert pool[["mean_width", "pairs_decided"]].isna().all(axis=None) == (name != "P@2" or len(now) < 1)


def test_a_tie_that_must_stay_is_settled_as_a_tie():
    runs = {s: {t: {"x": 2.0, "u": 1.0} for t in "12"} for s in ("a", "b")} | {"c": {t: {"y": 2.0} for t in "12"}}
    study = small_study(runs, {t: {"x": 1, "y": 0} for t in "12"}, pooled="all")
    found = table(study, "pairs", metric="P@1")
    assert found.settled.tolist() == ["tie", "a", "a"]
    assert found.verdict.tolist() == ["certain"] * 3
    assert found.significant.tolist() == [False, True, True]
    assert set(table(study, "pairs", metric="AP").settled) == {"open"}


def test_trend_goes_up_to_all_judgments(study):
    trend = table(study, "trend", metrics=["P@2", "AP"], estimators=["lower", "rm"])
    assert trend.judgments.max() == 7
    assert set(trend.pooled) == {True, False}
    last = trend[(trend.judgments == 7) & (trend.metric == "P@2") & (trend.estimator == "lower")]
    board = table(study, "leaderboard", metric="P@2")
    for pooled, rows in board.groupby("pooled"):
        assert row(last, pooled=pooled).value == pytest.approx(rows.value.mean())
        assert row(last, pooled=pooled).width == pytest.approx((rows.upper - rows.lower).mean())


@pytest.mark.parametrize(("judged", "numbers"), [(192, [3, 6, 12, 24, 48, 96, 192]), (7, [1, 2, 4, 7])])
def test_judgments_are_halved_six_times(judged, numbers):
    study = small_study({"s": {"t": {"d0": 1.0}}}, {"t": {f"d{n}": n % 2 for n in range(judged)}}, pooled="all")
    assert list(dict.fromkeys(table(study, "trend", metrics=["P@1"], estimators=["lower"]).judgments)) == numbers


def test_first_unjudged(study):
    found = table(study, "first_unjudged")
    of_pooled = found[found.pooled]
    assert of_pooled["rank"].tolist()[0] == 2
    assert of_pooled.share.sum() == pytest.approx(1)
    assert of_pooled[of_pooled["rank"].isna()].share.item() == pytest.approx(3 / 4)


@pytest.mark.parametrize("metric", ["RBP(p=0.5)", "P@2", "AP", "nDCG@2", "INST(T=1)", "RR", "bpref"])
def test_a_ranking_ends_where_the_topic_stands(study, metric):
    shown = table(study, "ranking", system="fair", topic="1", metric=metric)
    assert shown.document.tolist() == ["b", "z", "a"]
    assert shown.grade.tolist() == [1, 0, 2]
    assert shown.pool_rank.tolist() == [1, 2, 1]
    topic = row(table(study, "scores", metric=metric), system="fair", topic="1")
    last = shown.iloc[-1]
    assert (last.lower, last.upper) == pytest.approx((topic.lower, topic.upper), nan_ok=True)


@settings(max_examples=examples(30), deadline=None)
@given(track=tracks(systems=1, topics=1), metric=st.sampled_from(["RBP(p=0.5)", "AP", "RR"]))
def test_each_line_of_a_ranking_is_the_ranking_cut_there(track, metric):
    runs, qrels = track
    if not qrels or not runs["s0"]:
        return
    shown = table(small_study(runs, qrels), "ranking", system="s0", topic="t0", metric=metric)
    documents = order(runs["s0"]["t0"])
    assert shown.document.tolist() == documents
    for rank, (lower, upper) in enumerate(zip(shown.lower, shown.upper, strict=True), 1):
        expected = oracle.bounds(metric, documents[:rank], qrels["t0"], g_max=g_max_of(qrels))
        assert (lower, upper) == pytest.approx(expected)


@settings(max_examples=examples(60), deadline=None)
@given(
    track=tracks(systems=2, topics=1), metric=st.sampled_from(["P@2", "RBP(p=0.8)", "AP", "nDCG", "bpref", "Judged@3"])
)
def test_ties_are_the_worst_and_the_best_of_all_orders(track, metric):
    runs, qrels = track
    small = {s: {t: dict(list(run.items())[:6]) for t, run in of.items()} for s, of in runs.items()}
    if not qrels:
        return
    found = table(small_study(small, qrels), "ties", metric=metric)
    for system, by_topic in small.items():
        ours = row(found, system=system)
        run = by_topic.get("t0", {})
        score = lambda ranking: oracle.value(metric, ranking, qrels["t0"], g_max=g_max_of(qrels))  # noqa: E731
        assert (ours.lowest, ours.highest) == pytest.approx(worst_and_best_within_ties(run, score))
        assert ours.value == pytest.approx(score(order(run)))
        assert ours.tied == pytest.approx(tied_share(run), nan_ok=True) or not run


def test_several_queries_of_a_topic_are_averaged_first():
    runs = {"s": {"1-a": {"d": 1.0}, "1-b": {"e": 1.0}, "2": {"d": 1.0}}}
    study = small_study(runs, {"1": {"d": 1, "e": 0}, "2": {"d": 1}})
    scores = table(study, "scores", metric="P@1")
    assert scores["query"].tolist() == ["1-a", "1-b", "2"]
    assert row(table(study, "leaderboard", metric="P@1"), system="s").value == pytest.approx(0.75)
    assert row(table(study, "leaderboard", metric="P@1"), system="s").n == 2
    assert table(study, "ranking", system="s", topic="1", query="1-b").document.tolist() == ["e"]


def test_a_narrower_study_keeps_the_pool(study):
    narrow = study.only(systems=["poor"], topics=["1"])
    assert narrow.topics == ("1",)
    whole = table(study, "scores", depth=1)
    assert row(table(narrow, "scores", depth=1), system="poor").value == row(whole, system="poor", topic="1").value
    assert table(narrow, "pool", depths=[None]).judgments.tolist() == [4]
    assert narrow.digest != study.digest


def test_condensed_and_point_metrics_say_why_there_is_no_interval(study):
    answer = evalcore.ask(study, "leaderboard", metric="bpref")
    assert answer.table.lower.isna().all()
    assert answer.notes[0].startswith("bpref has no simple bounds")
    answer = evalcore.ask(study, "leaderboard", metric="P@10", unjudged="condensed", estimator="rm")
    assert "are removed" in answer.notes[0]
    assert "The estimator rm has no effect." in answer.notes[0]
    assert "AP has no exact bounds" in evalcore.ask(study, "leaderboard", metric="AP").notes[0]
    assert evalcore.ask(study, "leaderboard", metric="P@10").notes == ()


@pytest.mark.parametrize(
    ("question", "params", "sentence"),
    [
        ("bord", {}, "there is no question 'bord'. Ask one of these: scores"),
        ("leaderboard", {"metrik": "AP"}, "leaderboard has no parameter 'metrik'. It takes metric, depth,"),
        ("leaderboard", {"depth": 1, "judgments": 5}, "depth and judgments exclude each other"),
        ("leaderboard", {"depth": 0}, "depth=0 is not valid; it must be a whole number from 1"),
        ("leaderboard", {"depth": True}, "depth=True is not valid"),
        ("leaderboard", {"unjudged": "ignored"}, "unjudged='ignored' is not known. Known: irrelevant, condensed."),
        ("leaderboard", {"systems": "some"}, "systems='some' is not known. Known: all, pooled, unpooled, or a list"),
        ("leaderboard", {"systems": ["nobody"]}, "no system 'nobody'. Known: fair, good, poor."),
        ("ranking", {"system": "good"}, "ranking needs a value for topic."),
        ("ranking", {"system": "good", "topic": "9"}, "no topic '9'. Known: 1, 2, 3"),
        ("depth_sweep", {"depths": []}, "depths is empty"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(study, question, params, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        evalcore.ask(study, question, **params)


@pytest.mark.parametrize("question", evalcore.QUESTIONS)
def test_every_question_answers_on_odd_studies(question):
    """One system, one topic, nothing relevant, an empty ranking: a table comes out, with the contract's columns."""
    odd = [
        small_study({"s": {"1": {"a": 1.0}}}, {"1": {"a": 0}}),
        small_study({"s": {}}, {"1": {"a": 1}}),
        small_study({"s": {"1": {"a": 1.0}}, "r": {"1": {"a": 1.0}}}, {"2": {"a": 1}}),
    ]
    for study in odd:
        takes = evalcore.QUESTIONS[question].parameters
        params = {"system": "s"} if takes.get("system", "") is registry.REQUIRED else {}
        params |= {"topic": study.topics[0]} if question == "ranking" else {}
        params |= {"system_samples": 2, "topic_samples": 2} if question == "adjustment_experiment" else {}
        answer, refusal = asked(study, question, params)
        if refusal:
            assert question not in ALWAYS_ANSWER
            assert refusal.endswith((".", ")."))
            continue
        assert isinstance(answer.table, pd.DataFrame)
        assert set(evalcore.QUESTIONS[question].columns.split()) <= set(answer.table.columns)
        assert isinstance(answer.table.index, pd.RangeIndex)
        assert not without_a_row(answer)


FEW = {"adjustment_experiment": {"system_samples": 2, "topic_samples": 2, "widths": [1], "common": [2]}}
FEW |= {"bias_by_width": {"repeats": 2, "widths": [1]}, "two_strata": {"repeats": 1}}
FEW |= {name: {"resamples": 2} for name in ("models", "shard_stability", "models_by_shards")}


@cache
def of_contributors(variations):
    """Studies of three systems to which all contribute, none, all of which one is looked at, and one."""
    of_topic = ("-1", "-2") if variations else ("",)
    runs = {
        s: {f"{t}{v}": {f"d{(i * k + len(v)) % 9}": float(-k) for k in range(1, 6)} for t in "123" for v in of_topic}
        for i, s in enumerate("abc", 1)
    }
    qrels = {t: {"d1": 1, "d2": 0, "d3": 2, "d4": 0, "d6": int(t == "1")} for t in "123"}
    everyone = small_study(runs, qrels, pooled="all", pool_depth=3, variations="-", groups={"a": "g", "b": "h"})
    nobody = everyone.without_contribution_of(["a", "b", "c"])
    return everyone, nobody, everyone.only(systems=["b"]), small_study(runs, qrels, pooled=["a"])


@pytest.mark.slow
@pytest.mark.parametrize("question", evalcore.QUESTIONS)
@pytest.mark.parametrize("variations", [False, True])
def test_every_choice_of_systems_is_answered_or_refused_in_words(question, variations):
    """Also where the choice is empty, or one system."""
    takes = evalcore.QUESTIONS[question].parameters
    params = FEW.get(question, {}) | ({"topic": "1"} if question == "ranking" else {})
    params |= {"system": "b"} if "system" in takes else {}
    for study in of_contributors(variations):
        for systems in ("all", "pooled", "unpooled", ["b"]) if "systems" in takes else (None,):
            for metric in ("RBP(p=0.8)", "AP", "nDCG@10") if "metric" in takes else (None,):
                given = {name: of for name, of in (("systems", systems), ("metric", metric)) if of is not None}
                answer, refusal = asked(study, question, params | given)
                assert answer.finding.headline if answer else re.fullmatch(r"\S.*\S[.)]", refusal), (given, refusal)
                assert not refusal or not re.search("array|unpack|index|concatenate|operand|shape", refusal), refusal
                empty = study.track.pooled.all() if systems == "unpooled" else not study.track.pooled.any()
                if systems in ("pooled", "unpooled") and empty:
                    assert refusal


def without_a_row(answer):
    """The columns of an answer's table that `evalcore/columns.py` does not explain."""
    return [f"{answer.question}.{name}" for name in answer.table if columns.row_of(answer.question, name) is None]


@pytest.mark.slow
@pytest.mark.parametrize("name", sources.SAMPLES)
def test_every_column_of_a_sample_is_explained(name):
    """The columns of a table are the same however often it draws."""
    study, drawn = sources.opened(sources.sample(name), {}).study, {"resamples", "repeats", "system_samples"}
    few = {question: dict.fromkeys(drawn & row.parameters.keys(), 2) for question, row in evalcore.QUESTIONS.items()}
    answers = (asked(study, question, few[question])[0] for question in few if question != "ranking")
    assert [column for answer in answers if answer for column in without_a_row(answer)] == []


@pytest.mark.parametrize("value", ["text", 0.5, 3, True, float("nan")])
def test_a_column_without_a_row_is_shown_under_its_own_name(value):
    assert columns.column("scores", "new_column").meaning == "new column"
    assert export.written("scores", "new_column", value)


def asked(study, question, params):
    """The answer, or the sentence that refuses it."""
    try:
        return evalcore.ask(study, question, **params), None
    except ValueError as refused:
        return None, str(refused)


ALWAYS_ANSWER = {  # the others may need a pool, two of something, or another program's scores
    "systems", "topics", "findings", "judged", "first_unjudged", "scores", "leaderboard", "ranking", "ties",
    "depth_sweep", "trend", "pool", "wrong_pairs", "judgment_health", "pool_audit", "unretrieved", "suspects",
    "judge_next", "fuse", "fusion_scores", "fusion_topics",
}  # fmt: skip


def test_every_question_has_a_summary():
    for row_ in questions.QUESTIONS.values():
        assert row_.summary


def test_nothing_judged_is_an_error_finding_and_no_number():
    study = small_study({"s": {"1": {"a": 1.0}}}, {})
    assert table(study, "findings").severity[0] == "error"
    assert np.isnan(table(study, "leaderboard").value[0])
    assert table(study, "scores").empty


# What is missing is said, and does not spread


def test_a_system_without_a_topic_that_counts_has_no_rank_and_blanks_nothing_else():
    runs = {"A": {"1": {"a": 2.0, "b": 1.0}}, "B": {"1": {"b": 2.0, "a": 1.0}}, "N": {"7": {"a": 1.0}}}
    study = small_study(runs, {"1": {"a": 1, "b": 0}}, average="common", pooled="all")
    board = evalcore.ask(study, "leaderboard", metric="P@1")
    assert board.table.system.tolist() == ["A", "B", "N"]
    assert board.table["rank"].tolist()[:2] == [1, 2]
    assert math.isnan(board.table["rank"].iloc[2])
    assert board.table.rank_worst.tolist()[:2] == [1, 2]
    assert any("N" in note and "empty" in note for note in board.notes)
    pool = table(study, "pool", metric="P@1", depths=[None]).iloc[0]
    assert (pool.mean_width, pool.pairs_decided, pool.tau) == (0, 1, 1)
    trend = table(study, "trend", metrics=["P@1"], judgments=[2])
    assert trend.value.tolist() == [0.5]


@pytest.mark.parametrize("estimator", ["lower", "rm", "upper", "background", "interpolated", "smoothed"])
def test_a_run_without_a_judged_topic_moves_no_mean_and_never_leads(estimator):
    """METHODS 2.5. The same as if the run were not there."""
    runs = {"A": {"1": {"a": 2.0, "b": 1.0}}, "B": {"1": {"b": 2.0, "a": 1.0}}}
    with_it, without = (
        small_study(runs | more, {"1": {"a": 1, "b": 0}}, pooled="all") for more in ({"N": {"7": {"a": 1.0}}}, {})
    )
    asked = {"metric": "RBP(p=0.8)", "estimator": estimator}
    board = evalcore.ask(with_it, "leaderboard", **asked)
    row = board.table.set_index("system").loc["N"]
    assert (row["value"], row["lower"], row["upper"]) == pytest.approx((0, 0, 1))
    assert board.table.system.tolist() == ["A", "B", "N"]
    expected = evalcore.ask(without, "leaderboard", **asked).finding.facts
    assert board.finding.facts["leaders"] == expected["leaders"]
    assert all(board.finding.facts[name] == pytest.approx(expected[name]) for name in ("width", "past"))
    for study in (with_it, without):
        few = evalcore.ask(study, "leaderboard", depth=1, **asked).table.set_index("system")
        assert few.value_final["B"] == pytest.approx(board.table.set_index("system").value["B"])
        assert table(study, "wrong_pairs", depths=[1], **asked).inversions.tolist() == [0]
    for question, params, names in (
        ("pool", {"depths": [1, None]}, ["mean_width", "change", "width_past_end"]),
        ("trend", {"estimators": [estimator]}, ["value", "width"]),
        ("judge_next", {}, ["mean_width", "width_left", "width_past_end"]),
    ):
        some, all_of_them = (table(study, question, **params)[names] for study in (with_it, without))
        pd.testing.assert_frame_equal(some, all_of_them)
    for question, fact in (("scores", "worst_value"), ("systems", "judged_at_10"), ("judged", "judged")):
        said, expected = (evalcore.ask(study, question).finding.facts[fact] for study in (with_it, without))
        assert said == pytest.approx(expected)


def test_queries_that_a_system_lacks_do_not_count_in_a_common_average():
    runs = {"A": {"1-1": {"a": 1.0}, "1-2": {"b": 1.0}}, "B": {"1-1": {"a": 1.0}}}
    study = small_study(runs, {"1": {"a": 1, "b": 0}}, average="common", variations="-")
    board = table(study, "leaderboard", metric="P@1").set_index("system")
    assert board.value.to_dict() == {"A": 0.5, "B": 1.0}
    scores = table(study, "scores", metric="P@1")
    assert scores.groupby("system").value.mean().to_dict() == {"A": 0.5, "B": 1.0}


@given(tracks(), st.sampled_from(["qrels", "common"]))
def test_the_mean_of_the_scores_is_the_leaderboards(made, average):
    study = small_study(*made, average=average)
    board = table(study, "leaderboard", metric="RBP(p=0.8)").set_index("system").value.dropna()
    means = table(study, "scores", metric="RBP(p=0.8)").groupby("system").value.mean()
    assert means.to_dict() == pytest.approx(board.to_dict())


def test_gaps_have_a_reason(study):
    for question, params, column in (
        ("systems", {}, "first_unjudged"),
        ("pool", {"depths": [1, None]}, "depth"),
        ("depth_sweep", {"depths": [1, None]}, "depth"),
        ("ranking", {"system": "good", "topic": "2", "metric": "AP"}, "weight"),
        ("ranking", {"system": "good", "topic": "2"}, "gain"),
        ("first_unjudged", {}, "rank"),
    ):
        answer = evalcore.ask(study, question, **params)
        assert answer.table[column].isna().any()
        assert any(note.startswith(f"The column “{column}” is empty") for note in answer.notes)
    assert "no simple bounds" in evalcore.ask(study, "trend", metrics=["bpref"]).notes[0]


def test_trend_counts_what_was_judged():
    study = small_study({"A": {"1": {"a": 1.0}}}, {"1": {"a": 1, "b": -1, "c": -1, "d": -1}, "2": {"x": 0}})
    assert table(study, "trend").judgments.unique().tolist() == [1, 2]
    assert table(study, "trend", judgments=[1, None]).judgments.unique().tolist() == [1, 2]


def test_the_first_judgments_are_those_of_the_whole_track():
    runs = {"A": {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 2.0, "d": 1.0}}}
    study = small_study(runs, {"1": {"a": 1, "b": 1}, "2": {"c": 1, "d": 1}}, pooled="all")
    asked = {"metric": "P@2", "judgments": 2}
    whole, narrow = table(study, "scores", **asked), table(study.only(topics=["2"]), "scores", **asked)
    assert row(whole, topic="2").value == row(narrow, topic="2").value == 0.5


def test_a_list_of_names_is_a_list(study):
    with pytest.raises(ValueError, match="one value; a list such as"):
        evalcore.ask(study, "trend", metrics="P@10")
    with pytest.raises(ValueError, match="empty list of topics"):
        study.only(topics=[])
    named = table(study, "scores", systems=np.array(["good"]))
    assert named.system.unique().tolist() == ["good"]


def test_ties_under_the_rank_column():
    scores = {"a": 5.0, "b": 4.0, "c": 5.0, "d": 4.0}
    study = small_study({"A": {"1": scores}}, {"1": {"c": 1, "b": 0}})
    by = np.array([[[1, 3, 0, 2]]])  # of c a d b: a, b, c, d
    ranked = dataclasses.replace(study, track=study.track.reordered(by))
    assert ranked.track.documents(ranked.track.items[0, 0]) == ["a", "b", "c", "d"]
    told = table(ranked, "ties", metric="RR").iloc[0]
    assert told.tied == 1
    assert (told.lowest, told.value, told.highest) == (1 / 3, 1 / 3, 1)
