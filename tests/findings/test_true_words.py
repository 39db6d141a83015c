"""Findings and notes that small and tied tracks would make untrue, asked of studies and not of tables."""

from dataclasses import replace
from itertools import pairwise
from statistics import median

import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore.findings import FINDINGS
from evalcore.findings.caveats import IN_DOUBT, in_one
from evalcore.findings.conclusion import NOTHING, Conclusion
from evalcore.findings.confidence import top_groups
from evalcore.findings.diversity import diversity
from evalcore.findings.judgments import summary
from tests.small import small_study

RUN = {"da": 3.0, "db": 2.0, "dc": 1.0}
BACK = {"dc": 3.0, "db": 2.0, "da": 1.0}


def finding(study, question, **asked):
    return evalcore.ask(study, question, **asked).finding


def test_inputs_that_are_as_good_as_the_best_are_named_with_it():
    runs = {"s0": {"t0": RUN, "t1": BACK}, "s1": {"t0": BACK, "t1": RUN}, "s2": {"t0": {"dd": 1.0}, "t1": {"dd": 1.0}}}
    study = small_study(runs, {"t0": {"da": 1}, "t1": {"da": 1}}, pooled="all")
    for asked in ({"metric": "RR"}, {"metric": "P@1", "method": "borda"}):
        answer = evalcore.ask(study, "fusion_topics", **asked)
        assert set(answer.table["best"]) == {"s0"}
        assert f"s1 has the same {asked['metric']} as s0." in answer.notes
    answer = evalcore.ask(study, "fusion_scores", methods=["borda"], metrics=["RR"])
    assert "s1 has the same RR as s0." in answer.notes
    queries = {"s0": {"t0-1": RUN, "t0-2": RUN}, "s1": {"t0-1": RUN, "t0-2": BACK}}
    answer = evalcore.ask(
        small_study(queries, {"t0": {"da": 1}}, pooled="all", variations="-"),
        "fusion_scores", methods=["borda"], metrics=["RR"], over="variations",
    )  # fmt: skip
    assert list(answer.table["best"]) == ["query 1", "query 1"]
    assert "For 1 system, other queries are as good as the best one shown (RR)." in answer.notes


def test_estimates_are_compared_on_the_ranks_that_were_asked_for():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": BACK}}, {"t0": dict.fromkeys(RUN, 1)}, pooled="all")
    asked = {"depths": [1], "estimators": ["lower", "upper"]}
    caveats = finding(study, "estimator_error", reference_depth=3, **asked).caveats
    assert ["top 3 ranks" in caveat for caveat in caveats] == [True]
    assert not finding(study, "estimator_error", **asked).caveats


def test_notes_on_one_topic_speak_of_one():
    queries = {s: {"t0-1": RUN, "t0-2": BACK, "t1-1": RUN, "t1-2": RUN, "t2-1": RUN} for s in ("s0", "s1")}
    study = small_study(queries, {t: {"da": 1} for t in ("t0", "t1", "t2")}, pooled="all", variations="-")
    notes = evalcore.ask(study, "consistency_of_systems").notes
    assert "1 topic does not count for every system: some have rankings for fewer than two queries there." in notes
    notes = evalcore.ask(study, "topic_agreement").notes
    assert "ICC and W leave out 1 topic on which some system has no value." in notes
    notes = evalcore.ask(study, "fusion_topics", over="variations", systems=["s0"]).notes
    assert "1 of 3 fused rankings has only one input." in notes
    told = finding(study, "fuse", topic="t0", k=1, variations=True, systems=["s0"])
    assert "only document" in told.headline
    assert "several inputs" in told.headline


def test_a_ranking_that_holds_nothing_is_told_of_alone():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": RUN, "t1": RUN}}, {"t0": {"da": 1}}, pooled="all")
    notes = evalcore.ask(study, "rbo").notes
    assert any(note.startswith("1 of 4 rankings is empty: its overlap counts as 0") for note in notes)


def test_what_judging_leaves_is_not_said_to_be_nothing():
    ranked = {f"d{n:02}": float(-n) for n in range(40)}
    study = small_study({"s0": {"t0": ranked}}, {"t0": {"d00": 1}}, pooled="all")
    assert ">99%" in finding(study, "judge_next", budget=34).headline
    assert "100%" in finding(study, "judge_next", budget=39).headline
    assert "%" not in finding(study, "judge_next", budget=39, metric="nDCG@10").headline


def test_no_more_judgments_are_named_than_there_are():
    runs = {"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": BACK, "t1": RUN}}
    study = small_study(runs, {"t0": {"da": 1, "dc": 0}, "t1": {"da": 1, "db": 0}}, pooled="all")
    assert finding(study, "swaps", a="judgments=4", b="AP").facts["a"] == "RBP(p=0.8)"
    assert finding(study, "swaps", a="judgments=3", b="AP").facts["a"] == "RBP(p=0.8) (first 3 judgments)"
    assert "judgments" not in finding(study, "p_values", shallow="judgments=500").facts
    assert "1 judgment " in finding(study, "p_values", shallow="judgments=1").headline


def test_no_types_are_listed_where_none_is_told():
    study = small_study({"s0": {"t0": RUN}, "s1": {"t0": BACK}}, {"t0": {"da": 1}}, pooled="all")
    untold = replace(study, system_table=study.system_table.assign(type=""))
    with pytest.raises(ValueError, match="the types of systems are not known"):
        evalcore.ask(untold, "adjustment_experiment", widths=[1], common=[1], new="manual")


def test_two_systems_are_one_pair():
    runs = {"s0": dict.fromkeys(("t0", "t1"), RUN), "s1": dict.fromkeys(("t0", "t1"), BACK)}
    study = small_study(runs, {t: {"da": 1, "db": 0, "dc": 0} for t in ("t0", "t1")}, pooled="all")
    for metric, words in (("P@1", "is certain"), ("P@3", "two systems overlap")):
        told = finding(study, "depth_sweep", metric=metric, depths=[1])
        assert "the two systems" in told.headline
        assert words in told.headline
    runs["s0"]["t1"] = {"dc": 2.0, "da": 1.0}
    study = small_study(runs, {t: {"da": 1, "dc": 1} for t in ("t0", "t1")}, pooled="all")
    assert finding(study, "leaderboard", metric="AP", depth=1).facts["swaps"] == 0


ALIKE = [0.99961, 0.99989]  # both are written as over .999


@pytest.mark.parametrize(
    ("question", "rows", "params", "said"),
    [
        ("scores", {"system": "s0", "topic": ["t0", "t1"], "value": ALIKE}, {"metric": "AP"},
         "s0's AP is over .999 on every topic, to within .001."),
        ("scores", {"system": ["s0", "s1"], "topic": "t0", "value": ALIKE}, {"metric": "AP"},
         "AP is over .999 on topic t0, to within .001."),
        ("consistency_of_systems", {"system": ["s0", "s1"], "consistency": ALIKE}, {"phi": 0.9, "systems": "all"},
         "Mostly: consistency is over .999 for all systems, to within .001 (1 = identical rankings)."),
        ("regimes", {"a": ["P@1", "AP"], "b": ["AP", "nDCG"], "tau": ALIKE, "inversions": 0},
         {"regimes": ["P@1", "AP", "nDCG"], "systems": "all"},
         "Yes: no two of these 3 setups swap a system pair (τ-b over .999, to within .001; 1 = same order)."),
        ("trend", {"metric": "AP", "estimator": "lower", "pooled": True, "judgments": [1, 20], "value": ALIKE}, {},
         "The mean AP of contributing systems is over .999 both with 1 and with 20 judgments."),
        ("rank_models", {"rank": [1, 2], "observed": ALIKE}, {"topic": "t0"},
         "On topic t0, the mean gain is over .999 at the first rank and at the last judged (rank 2)."),
    ],
)  # fmt: skip
def test_two_numbers_that_are_written_alike_are_no_range(question, rows, params, said):
    study = small_study({"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": RUN}}, {"t0": {"da": 1}, "t1": {"da": 1}})
    table = pd.DataFrame(rows | {"kind": "point", "lower": np.nan, "upper": np.nan, "width": np.nan})
    table = table.assign(linear=0.5, zipf=0.5, weibull=0.5)
    assert FINDINGS[question](table, params, study).headline == said


def test_a_sample_without_a_judgment_adds_none():
    rows = {"estimator": ["pool", "InfRBP", "infAP"], "judgments": 9, "tau_distance": 0.1, "rmse": 0.1}
    table = pd.DataFrame(rows | {"reference_width": 0.1})
    study = small_study({"s0": {"t0": RUN}}, {"t0": {"da": 1}}, pooled="all")
    told = FINDINGS["two_strata"](table, {"depth": 2, "metric": "AP"}, study)
    assert told.headline == "Sampling adds no judgment below depth 2; 10% of system pairs are swapped."


def verdict(rows):
    """Whether new systems are treated fairly, by the definition of METHODS 9.1."""
    lost = [row["value"] - row["value_without"] for row in rows]
    scores = sorted(row["value"] for row in rows)
    gap = median(high - low for low, high in pairwise(scores))
    if abs(sum(lost) / len(lost)) >= max(min(gap, 0.05), 0.0005):
        return "No"
    falls = any(row["rank_without"] > row["rank"] for row in rows)
    return "Nearly" if falls or max(map(abs, lost)) > 0.001 else "Yes"


@pytest.mark.parametrize("sample", ["newswire", "web", "variations"])
@pytest.mark.parametrize("asked", [{}, {"by": "group"}, {"unjudged": "condensed"}])
def test_the_verdict_on_new_systems_compares_their_loss_with_the_gap_between_neighbours(sample, asked):
    folder = f"sample_data/{sample}"
    study = evalcore.open_study(f"{folder}/runs", f"{folder}/qrels.txt", systems=f"{folder}/systems.tsv")
    answer = evalcore.ask(study, "leave_out", **asked)
    assert answer.finding.headline.startswith(f"{verdict(answer.table.dropna().to_dict('records'))}: ")


def test_where_all_scores_are_0_nothing_shows_whether_new_systems_are_treated_fairly():
    runs = {name: {"t": {f"{name}1": 2.0, "both": 1.0}} for name in "ab"}
    nothing = small_study(runs, {"t": {"a1": 0, "b1": 0, "both": 0}}, pooled="all", pool_depth=2)
    said = evalcore.ask(nothing, "leave_out").finding.headline
    assert said == "Leaving a system out of the pool changes no score, as all scores are 0."
    known = small_study(runs, {"t": {"a1": 0, "b1": 0, "both": 1}}, pooled="all", pool_depth=2)
    assert evalcore.ask(known, "leave_out").finding.headline.startswith("Yes: ")


FOUND = {"judged": 1000, "topics": 10, "found": 90, "missing": 0, "total": 0}


@pytest.mark.parametrize(
    ("changed", "answer"),
    [
        ({}, "Yes"),
        ({"without": 1}, "Mostly"),
        ({"holes": 1}, "Mostly"),
        ({"missing": 45}, "Mostly"),
        ({"missing": 46}, "Only partly"),
        ({"total": 50}, "Mostly"),
        ({"total": 51}, "Only partly"),
        ({"untold": 5}, "Mostly"),
        ({"untold": 6}, "Only partly"),
        ({"unexplained": 0.6}, "Only partly"),
        ({"found": 0, "without": 10}, "Only partly"),
    ],
)
def test_the_page_on_judgments_says_first_whether_they_can_be_trusted(changed, answer):
    parts = Conclusion("s.", "Odd.", facts=FOUND | changed), Conclusion("h.", "Known.", facts=FOUND | changed), NOTHING
    found = summary(*parts, Conclusion("Judging helps."))
    assert found.headline.startswith(f"{answer}: ")
    assert found.detail == "Judging helps."
    assert summary(*parts, NOTHING).detail == "Known."


def test_confidence_counts_those_near_the_best_on_documents_and_on_topics():
    documents = Conclusion("d.", facts={"model": "MD6", "best": ["a"], "others": 1, "systems": 9})
    topics = Conclusion("t.", facts={"model": "MD1", "best": ["a"], "others": 0, "systems": 9})
    assert top_groups(documents, topics).headline == (
        "Not significantly different from the best, a: 1 other system on other documents, 0 on other topics."
    )
    other = top_groups(documents, replace(topics, facts=topics.facts | {"best": ["b"], "others": 3}))
    assert other.headline.endswith("1 other system on other documents (best: a), 3 on other topics (best: b).")
    assert top_groups(topics, topics) is topics
    tied = replace(documents, facts=documents.facts | {"best": list("abcdefghi"), "others": 0})
    assert top_groups(tied, topics) is tied


def test_nothing_is_said_of_trust_where_suspects_or_missing_documents_are_unknown():
    suspects, health = Conclusion("Few.", facts={"total": 0, "systems": 3}), Conclusion("Many.", facts=FOUND)
    assert summary(suspects, health, NOTHING, NOTHING).headline == "Many."
    unknown = Conclusion("Cannot be estimated.", facts={"judged": 9, "topics": 1})
    assert summary(Conclusion("Odd.", facts={"total": 2}), unknown, NOTHING, NOTHING).headline == "Odd."


def test_the_box_of_data_names_the_runs_of_the_worst_check_and_the_topics_without_judgments():
    same = {f"t{n}": {f"d{i}": 9.0 - i for i in range(6)} for n in range(3)}
    other = [{t: {f"{s}{t}{i}": 9.0 - i for i in range(6)} for t in same} for s in "abcd"]
    runs = {"x": same, "y": same} | dict(zip("abcd", other, strict=True))
    qrels = {"t0": {f"{s}t0{i}": i % 2 for s in "abcd" for i in range(6)}}
    study = small_study(runs, qrels | {"t1": {f"{s}t1{i}": i % 2 for s in "abcd" for i in range(6)}}, pooled="all")
    found = finding(study, "findings")
    assert found.facts["bare"] == 1
    assert "1 of 3 topics has no judgment" in found.headline
    rows = evalcore.ask(study, "findings").table
    found = FINDINGS["findings"](rows[rows["check"] == "one list for all topics"], {}, study)
    assert found.detail == "2 runs return the same top documents for every topic (x and y)."


def test_what_depends_on_who_contributed_is_one_sentence():
    caveats = [IN_DOUBT + "a is 1 to 2.", "Assumes b.", IN_DOUBT + "c is 3 to 4.", "Assumes b."]
    assert in_one(caveats) == [IN_DOUBT + "a is 1 to 2; c is 3 to 4.", "Assumes b."]
    assert in_one(["Assumes b."]) == ["Assumes b."]


def test_setups_that_swap_nothing_but_tie_other_pairs_say_so():
    runs = {"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": BACK, "t1": BACK}, "s2": {"t0": RUN, "t1": BACK}}
    study = small_study(runs, {"t0": {"da": 1, "db": 0, "dc": 0}, "t1": {"da": 1, "db": 0, "dc": 0}}, pooled="all")
    alike = finding(study, "regimes", regimes=["AP", "P@1"])
    assert alike.headline.startswith("Yes: the two setups swap no system pair (")
    runs["s2"] = {"t0": {"db": 3.0, "da": 2.0}, "t1": {"db": 3.0, "da": 2.0}}
    study = small_study(runs, {"t0": {"da": 1, "db": 0, "dc": 0}, "t1": {"da": 1, "db": 0, "dc": 0}}, pooled="all")
    tied = finding(study, "regimes", regimes=["AP", "P@1"])  # s1 and s2 are tied by P@1 only
    assert tied.facts["swapped"] == 0
    assert "swap no system pair, but do not tie the same ones" in tied.headline


# ---- no more than the number can show


def two(a, b, qrels, **options):
    return small_study({"a": a, "b": b}, qrels, pooled="all", **options)


FAR = {"t0": {"x": 2.0, "y": 1.0}, "t1": {"x": 2.0, "y": 1.0}}  # x is relevant on one topic, y on the other
NEAR = {"t0": {"y": 2.0, "x": 1.0}, "t1": {"y": 2.0, "x": 1.0}}
TURNED = {"t0": {"x": 1, "y": 0}, "t1": {"x": 0, "y": 1}}


def test_no_test_finds_a_difference_larger_than_the_largest_possible_one():
    study = two(FAR, NEAR, TURNED)
    answer = evalcore.ask(study, "topics_needed", metric="P@1")
    assert answer.table["difference"].iloc[0] > 1
    said = "With 2 topics, not even the largest possible difference in P@1 would be found 80% of the time."
    assert str(answer.finding) == said


def test_systems_with_the_same_scores_show_no_difference_on_any_number_of_topics():
    with pytest.raises(ValueError, match="all systems have the same scores, so there is no difference to find"):
        evalcore.ask(two(FAR, FAR, TURNED), "topics_needed")
    apart = two(FAR, NEAR, {"t0": {"x": 1, "y": 0}, "t1": {"x": 1, "y": 0}})
    with pytest.raises(ValueError, match="differ alike on every topic, so one topic shows every difference"):
        evalcore.ask(apart, "topics_needed")


def test_one_judgment_is_too_little_for_two_topics():
    said = evalcore.ask(two(FAR, NEAR, TURNED), "topics_or_depth", budget=1).finding
    assert str(said) == "1 judgment is too few: at no depth here would two topics be judged."


def test_a_judge_with_one_grade_orders_no_systems():
    study = two(FAR, NEAR, {"t0": {"x": 1, "y": 0}}).with_judges({"j": {"t0": {"x": 1, "y": 1}}})
    said = evalcore.ask(study, "judge_systems", metric="P@1").finding.headline
    assert said == "By the judgments of j, all systems have the same P@1, so there is no order to compare."


@pytest.mark.parametrize(("estimator", "what"), [("lower", "with .880 ("), ("interpolated", "with an estimated ")])
def test_only_an_estimate_is_called_estimated(estimator, what):
    study = two({"t0": {"x": 2.0, "z": 1.0}}, {"t0": {"z": 1.0}}, {"t0": {"x": 2, "y": 1}})
    metric = "nDCG@2" if estimator == "lower" else "RBP(p=0.8)"
    said = evalcore.ask(study, "leaderboard", metric=metric, estimator=estimator).finding.headline
    assert ("an estimated" in said) == (estimator != "lower")
    assert " possible)" in said


def test_systems_that_return_nothing_have_no_part_in_a_judges_tau():
    """Both give them 0, so they would agree with every judge."""
    runs = {f"s{n}": {"t0": {"x": 1.0 + n % 2, "y": 2.0 - n % 2, "z": 0.1 * n}} for n in range(4)}
    silent = {f"z{n}": {"t9": {"x": 1.0}} for n in range(3)}
    qrels, judge = {"t0": {"x": 1, "y": 0, "z": 0}}, {"j": {"t0": {"x": 0, "y": 1, "z": 1}}}
    few, all_of_them = (small_study(of, qrels, pooled="all").with_judges(judge) for of in (runs, runs | silent))
    for question, columns in (("judges", ["tau", "tau_ap", "rbo", "top5"]), ("judge_pairs", ["tau", "tau_ap"])):
        one, other = (evalcore.ask(study, question, metric="AP").table for study in (few, all_of_them))
        pd.testing.assert_frame_equal(one[columns], other[columns])


def test_shares_that_are_written_alike_are_no_more_and_less():
    row = {"n": 20, "err_ia": 0.5}
    table = pd.DataFrame(
        [row | {"system": "a", "alpha_ndcg": 0.8, "subtopic_recall": 0.906},
         row | {"system": "b", "alpha_ndcg": 0.7, "subtopic_recall": 0.914}]
    )  # fmt: skip
    said = diversity(table, {"k": 20}, None).detail
    assert "91% of the subtopics; no other system covers a percentage point more." in said


def test_two_qrels_on_two_scales_are_compared_on_relevance_or_said_to_wait():
    people = {"t0": {"x": 1, "y": 0, "z": 2}, "t1": {"x": 2, "y": 0, "z": 1}}
    shifted = {t: {d: grade + 1 for d, grade in of.items()} for t, of in people.items()}
    study = small_study({"a": FAR, "b": NEAR}, people, pooled="all")
    level = study.with_judges({"j": shifted}, rel_levels={"j": 2})
    said = evalcore.ask(level, "confusion").finding
    assert said.headline == "The two sets differ on the relevance of 0 of 6 documents."
    text = "".join(f"{t} 0 {d} {grade}\n" for t, of in shifted.items() for d, grade in of.items())
    other = evalcore.Upload("second.txt", text.encode())
    for question, asked in (
        ("agreement", {}), ("confusion", {}), ("agreement_effect", {"metric": "P@1"}),
        ("regimes", {"regimes": ["nDCG@2", "qrels=other | nDCG@2"]}),
    ):  # fmt: skip
        caveats = finding(study.with_other(other), question, **asked).caveats
        assert any("Choose the lowest relevant grade of second: on Judges" in one for one in caveats), question


def test_two_systems_that_swap_are_not_almost_alike_however_uncertain():
    study = two({"t0": {"x": 2.0, "y": 1.0}, "t1": {"y": 2.0, "x": 1.0}}, {"t0": {"y": 2.0}, "t1": {"y": 2.0}}, TURNED)
    rows = pd.DataFrame([{"a": "P@1", "b": "RR", "tau": -1.0, "distance": 0.025, "inversions": 1}])
    said = FINDINGS["regimes"](rows, {"regimes": ["P@1", "RR"], "systems": "all", "weight": 1}, study, by="distance")
    assert said.headline.startswith("Not always: the two setups order the systems differently (weighted distance 0.025")


def test_more_topics_are_not_proposed_where_scores_would_be_too_uncertain():
    rows = [(5, 60, 0.05, 0.2, 0.95), (10, 40, 0.06, 0.12, 0.97), (None, 30, 0.08, 0.05, 1.0)]
    table = pd.DataFrame(rows, columns=["depth", "topics", "difference", "mean_width", "tau"])
    said = FINDINGS["topics_or_depth"](table, {"metric": "RBP(p=0.8)", "budget": None}, None).headline
    assert said.endswith("would show smaller differences, but scores would be too uncertain for these.")


def test_what_is_judged_beyond_the_pool_counts_among_the_same_judgments():
    runs = {s: {t: {f"{t}{((n + 1) * m * (k + 1)) % 11}": 9.0 - n for n in range(8)}
                for k, t in enumerate(("t0", "t1", "t2"))} for m, s in ((1, "a"), (2, "b"), (3, "c"))}  # fmt: skip
    qrels = {t: {f"{t}{n}": n % 2 for n in range(11)} | {f"{t}far{n}": 1 for n in range(4)} for t in ("t0", "t1", "t2")}
    study = small_study(runs, qrels, pooled="all", pool_depth=3)
    table = evalcore.ask(study, "topics_or_depth").table
    assert np.isnan(table["depth"].iloc[-1])
    assert table["topics"].iloc[-1] == 3
