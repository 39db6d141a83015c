"""Sentences that small and tied tracks would make untrue, asked of studies and not of tables."""

from dataclasses import replace

import pytest

import evalcore
from tests.small import small_study

RUN = {"da": 3.0, "db": 2.0, "dc": 1.0}
BACK = {"dc": 3.0, "db": 2.0, "da": 1.0}


def said(study, question, **asked):
    return str(evalcore.ask(study, question, **asked).finding)


def test_inputs_that_are_as_good_as_the_best_are_named_with_it():
    runs = {"s0": {"t0": RUN, "t1": BACK}, "s1": {"t0": BACK, "t1": RUN}, "s2": {"t0": {"dd": 1.0}, "t1": {"dd": 1.0}}}
    study = small_study(runs, {"t0": {"da": 1}, "t1": {"da": 1}}, pooled="all")
    for asked in ({"metric": "RR"}, {"metric": "P@1", "method": "borda"}):
        answer = evalcore.ask(study, "fusion_topics", **asked)
        assert set(answer.table["best"]) == {"s0"}
        assert f"By {asked['metric']}, s1 is as good an input as s0." in answer.notes
    answer = evalcore.ask(study, "fusion_scores", methods=["borda"], metrics=["RR"])
    assert "By RR, s1 is as good an input as s0." in answer.notes
    queries = {"s0": {"t0-1": RUN, "t0-2": RUN}, "s1": {"t0-1": RUN, "t0-2": BACK}}
    answer = evalcore.ask(
        small_study(queries, {"t0": {"da": 1}}, pooled="all", variations="-"),
        "fusion_scores", methods=["borda"], metrics=["RR"], over="variations",
    )  # fmt: skip
    assert list(answer.table["best"]) == ["query 1", "query 1"]
    assert "By RR, other queries are as good as the one called the best for 1 system." in answer.notes


def test_guesses_are_held_against_the_ranks_that_were_asked_for():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": BACK}}, {"t0": dict.fromkeys(RUN, 1)}, pooled="all")
    asked = {"depths": [1], "estimators": ["lower", "upper"]}
    told = said(study, "estimator_error", reference_depth=3, **asked)
    assert "scores of contributing systems by all judgments of the first 3 ranks" in told
    assert " scores by all judgments" in said(study, "estimator_error", systems="all", **asked)
    assert "ranks" not in said(study, "estimator_error", **asked)


def test_notes_on_one_topic_speak_of_one():
    queries = {s: {"t0-1": RUN, "t0-2": BACK, "t1-1": RUN, "t1-2": RUN, "t2-1": RUN} for s in ("s0", "s1")}
    study = small_study(queries, {t: {"da": 1} for t in ("t0", "t1", "t2")}, pooled="all", variations="-")
    notes = evalcore.ask(study, "consistency_of_systems").notes
    assert "1 topic does not count for every system: some answer one query of it, or none." in notes
    notes = evalcore.ask(study, "topic_agreement").notes
    assert "ICC and W leave out 1 topic on which not every system has a value." in notes
    notes = evalcore.ask(study, "fusion_topics", over="variations", systems=["s0"]).notes
    assert "1 of 3 fused rankings has one input alone." in notes
    told = said(study, "fuse", topic="t0", k=1, variations=True, systems=["s0"])
    assert told == "The first document that RBC(.9) puts together for topic t0 is from several inputs."


def test_a_ranking_that_holds_nothing_is_told_of_alone():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": RUN, "t1": RUN}}, {"t0": {"da": 1}}, pooled="all")
    notes = evalcore.ask(study, "rbo").notes
    assert "1 of 4 rankings holds nothing: an overlap with nothing is 0 and could be anything." in notes


def test_what_judging_leaves_is_not_said_to_be_nothing():
    ranked = {f"d{n:02}": float(-n) for n in range(40)}
    study = small_study({"s0": {"t0": ranked}}, {"t0": {"d00": 1}}, pooled="all")
    told = said(study, "judge_next", budget=34)
    assert "takes nearly all of the" in told
    assert "nearly" not in said(study, "judge_next", budget=3)
    assert "nearly" not in said(study, "judge_next", budget=39)
    assert "nearly" not in said(study, "judge_next", budget=39, metric="nDCG@10")


def test_the_first_judgment_is_one():
    runs = {"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": BACK, "t1": RUN}}
    study = small_study(runs, {"t0": {"da": 1, "dc": 0}, "t1": {"da": 1, "db": 0}}, pooled="all")
    assert said(study, "leaderboard", judgments=1).startswith("With the first judgment, ")
    assert " neither with the first judgment nor with all judgments" in said(study, "p_values", shallow="judgments=1")


def test_of_no_more_judgments_is_told_than_there_are():
    runs = {"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": BACK, "t1": RUN}}
    study = small_study(runs, {"t0": {"da": 1, "dc": 0}, "t1": {"da": 1, "db": 0}}, pooled="all")
    assert said(study, "swaps", a="judgments=4", b="AP").startswith("RBP(p=0.8) and AP ")
    assert said(study, "regimes", regimes=["judgments=500", "AP"]).startswith("RBP(p=0.8) and AP order")
    assert said(study, "regimes", regimes=["judgments=3", "AP"]).startswith("RBP(p=0.8) with the first 3 judgments and")
    assert said(study, "p_values", shallow="judgments=500").startswith("With all judgments, the one pair")


def test_no_types_are_listed_where_none_is_told():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": BACK}}, {"t0": {"da": 1}}, pooled="all")
    untold = replace(study, system_table=study.system_table.assign(type=""))
    with pytest.raises(ValueError, match="the types of systems are not known"):
        evalcore.ask(untold, "adjustment_experiment", widths=[1], common=[1], new="manual")


def test_of_two_systems_there_is_one_pair_to_tell_apart():
    runs = {"s0": dict.fromkeys(("t0", "t1"), RUN), "s1": dict.fromkeys(("t0", "t1"), BACK)}
    study = small_study(runs, {t: {"da": 1, "db": 0, "dc": 0} for t in ("t0", "t1")}, pooled="all")
    told = "At pool depth 1 (4 of 6 judgments), the one pair of systems is told apart; s0 is first of 2 systems by P@1"
    assert said(study, "depth_sweep", metric="P@1", depths=[1]).startswith(told)
    told = said(study, "depth_sweep", metric="P@3", depths=[1])
    assert "the one pair of systems is not told apart; " in told
    runs["s0"]["t1"] = {"dc": 2.0, "da": 1.0}
    study = small_study(runs, {t: {"da": 1, "dc": 1} for t in ("t0", "t1")}, pooled="all")
    told = said(study, "leaderboard", metric="AP", depth=1)
    assert told.endswith(" on average, and the two do not change places.")
