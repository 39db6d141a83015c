"""The truth: judgments that hold the study's and all that pooling missed; what a shallow pool got wrong by them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.__main__ import main
from evalcore.findings.fusion import gain
from evalcore.findings.new_systems import beside_reference
from evalcore.metrics.metrics import METRICS
from tests.examples import examples
from tests.findings.test_findings import same
from tests.oracles import fusion
from tests.oracles import metrics as scored
from tests.oracles import pool as pooling
from tests.oracles import truth as oracle
from tests.oracles.facts.new_systems import nearest
from tests.oracles.facts.wrong_pairs import wrong_pairs as facts_of
from tests.small import DOCUMENTS, g_max_of, small_study, tracks
from ui.text.interval_labels import ALL_JUDGMENTS, COMPLETE

SAMPLES = Path(__file__).parents[2] / "sample_data"
BOUNDED = [*(usual for row in METRICS.values() if row.kind == "bounds" for usual in row.usual), "nDCG@3", "SDCG@2"]


def as_file(qrels, name="truth.txt"):
    lines = [f"{topic} 0 {document} {grade}\n" for topic, of in qrels.items() for document, grade in of.items()]
    return evalcore.Upload(name, "".join(lines).encode())


@st.composite
def known_in_the_end(draw, grades=(0, 0, 1, 1, 2)):
    """A track whose pool is judged, who formed it, and the truth: those judgments and others."""
    runs, qrels = draw(tracks(grades=grades).filter(lambda track: any(track[0].values()) and any(track[1].values())))
    most = max(grade for of in qrels.values() for grade in of.values())
    more = st.dictionaries(st.sampled_from([*DOCUMENTS, "far"]), st.sampled_from([g for g in grades if g <= most]))
    truth = {topic: draw(more) | of for topic, of in qrels.items()}
    return runs, qrels, truth, draw(st.lists(st.sampled_from(sorted(runs)), min_size=1, unique=True))


# ---------------------------------------------------------------------------------------------------------------------
# A truth beside a study


@settings(max_examples=examples(60), deadline=None)
@given(case=known_in_the_end(), name=st.sampled_from([*BOUNDED, "AP", "bpref"]))
def test_judged_by_the_truth_scores_are_those_of_the_complete_file(case, name):
    runs, qrels, truth, pooled = case
    study = small_study(runs, qrels, pooled=pooled).with_truth(as_file(truth))
    complete = {topic: of for topic, of in truth.items() if qrels[topic]}  # on the topics that the study judges
    estimate = study.judged_by_truth.means(study.judged_by_truth.at().estimate(name))
    for s, system in enumerate(study.systems):
        expected = scored.mean(name, runs[system], complete, g_max=g_max_of(qrels))
        assert estimate.value[s] == pytest.approx(expected[0], nan_ok=True)
        assert (estimate.lower[s], estimate.upper[s]) == pytest.approx(expected[1:3], nan_ok=True)


@settings(max_examples=examples(80), deadline=None)
@given(
    case=known_in_the_end(), name=st.sampled_from(BOUNDED), gains=st.sampled_from(["binary", "linear", "exponential"])
)
def test_the_truth_lies_in_the_interval_of_every_pool(case, name, gains):
    runs, qrels, truth, pooled = case
    study = small_study(runs, qrels, pooled=pooled, gains=gains).with_truth(as_file(truth))
    check_it_lies_within(study, name, [1, 2, 4, None])


@pytest.mark.parametrize("sample", ["newswire", "web", "variations"])
@pytest.mark.parametrize("name", ["RBP(p=0.8)", "RBP(p=0.95)", "nDCG@10", "P@10", "RR", "INST(T=1)"])
def test_the_truth_of_a_sample_lies_in_the_interval_of_every_pool(sample, name):
    study = opened(sample)
    check_it_lies_within(study, name, [1, 3, study.depth, None])


def check_it_lies_within(study, name, depths):
    final = study.judged_by_truth.at().estimate(name).value
    for depth in depths:
        ends = study.at(depth=depth).estimate(name)
        judged = np.isin(study.track.topic_of_query, study.judged_topics)
        assert np.all((final >= ends.lower - 1e-9)[:, judged])
        assert np.all((final <= ends.upper + 1e-9)[:, judged])


def test_off_nothing_changes():
    study, with_it = opened("web", truth=False), opened("web")
    for question in ("leaderboard", "depth_sweep"):
        plain, beside = (evalcore.ask(one, question, metric="nDCG@10").table for one in (study, with_it))
        assert plain.equals(beside)


def opened(sample, truth=True):
    folder = SAMPLES / sample
    beside = {"truth": folder / "qrels.complete.txt.gz"} if truth else {}
    options = {"variations": "run"} if sample == "variations" else {}
    return evalcore.open_study(
        folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv", queries=folder / "queries.tsv",
        **options, **beside,
    )  # fmt: skip


RUNS = {"A": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}}, "B": {"1": {"y": 3.0, "w": 2.0}}}
QRELS = {"1": {"x": 1, "y": 0}}


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        ({"1": {"x": 1}}, "truth.txt lack 1 judgment of the qrels, such as document y of topic 1; all other"),
        ({"1": {"x": 0}}, "truth.txt have another grade for document x of topic 1"),
        ({"1": {"x": 0, "y": 1}}, "document x of topic 1, judged in the qrels, as for 1 more document. "),
        ({"1": {"x": 1, "y": 0, "w": 2}}, "truth.txt have grade 2, but the highest grade of the qrels is 1"),
    ],
)  # fmt: skip
def test_what_contradicts_the_judgments_is_no_truth(truth, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        small_study(RUNS, QRELS).with_truth(as_file(truth))


@pytest.mark.parametrize("own", [{"x": 1, "y": 0}, {"x": 3, "y": 0}, {"x": 1, "y": 0, "z": -2}])
def test_what_the_truth_lacks_is_added_where_that_is_asked_for(own):
    """As if those lines were in its file."""
    lacks = {"1": {"y": 0, "w": 1}}
    study = small_study(RUNS, {"1": own}).with_truth(as_file(lacks), add=True)
    whole = small_study(RUNS, {"1": own}).with_truth(as_file({"1": lacks["1"] | own}))
    for metric in ("P@2", "RBP(p=0.5)", "nDCG@2", "AP"):
        tables = [evalcore.ask(one.judged_by_truth, "scores", metric=metric).table for one in (study, whole)]
        assert tables[0].equals(tables[1])
    (note,) = [finding.message for finding in study.findings if finding.check == "judgments added"]
    assert note.endswith(f"{' of the qrels were added to truth.txt' * (len(own) > 2)}, which lacks them.")
    assert evalcore.ask(study, "wrong_pairs", metric="P@2", depths=[1]).options["add_to_truth"]


def test_what_was_not_judged_may_have_any_grade_and_gains_may_name_higher_ones():
    study = small_study(RUNS, {"1": {"x": 1, "y": -1}}).with_truth(as_file({"1": {"x": 1, "y": 1}}))
    assert study.judged_by_truth.judgments.relevant.tolist() == [2]
    named = small_study(RUNS, QRELS, gains={0: 0, 1: 0.5, 2: 1}).with_truth(as_file({"1": {"x": 1, "y": 0, "w": 2}}))
    assert named.judged_by_truth.at().values("P@2").tolist() == [[0.5], [0.5]]


def test_what_is_found_by_other_judgments_than_the_studys_own_names_them():
    study = opened("variations").with_other(SAMPLES / "variations" / "qrels.second.txt.gz")
    for judged, whose in ((study.judged_by_truth, "complete"), (study.judged_by_other, "second")):
        questions = ("leaderboard", "fusion_scores", "topics")
        told = {question: evalcore.ask(judged, question).finding for question in questions}
        assert told["leaderboard"].facts.items() >= {"leaders": ["fjord-fusion"], "systems": 4}.items()
        for one in told.values():
            assert ["caveat" for caveat in one.caveats if f"the {whose} " in caveat] == ["caveat"]
            assert "all judgments" not in " ".join(one.lines)
    assert "all judgments" in evalcore.ask(study, "leaderboard").finding.setting


def test_there_must_be_one_to_be_judged_by_it():
    study = small_study(RUNS, QRELS)
    with pytest.raises(ValueError, match="there are no complete judgments"):
        _ = study.judged_by_truth
    judged = study.with_truth(as_file(QRELS)).judged_by_truth
    with pytest.raises(ValueError, match="already uses other judgments"):
        judged.with_truth(as_file(QRELS))


def test_topics_that_the_study_does_not_know_are_left_out_and_told():
    study = small_study(RUNS, QRELS).with_truth(as_file(QRELS | {"7": {"x": 1}}))
    (said,) = [finding.message for finding in study.findings if "complete" in finding.check]
    assert said == "truth.txt judges topic 7, which is in neither the runs nor the qrels."
    assert study.judged_by_truth.topics == ("1",)


def test_a_truth_and_a_second_qrels_stand_side_by_side():
    complete, other = as_file({"1": {"x": 1, "y": 0, "w": 1, "far": 1}}), as_file({"1": {"v": 1, "y": 1}}, "other.txt")
    one = small_study(RUNS, QRELS).with_truth(complete).with_other(other)
    two = small_study(RUNS, QRELS).with_other(other).with_truth(complete)
    for study in (one, two):
        assert study.judged_by_truth.judgments.relevant.tolist() == [3]
        assert study.judged_by_other.judgments.relevant.tolist() == [2]
        assert study.judged_by_truth.at().values("P@2").tolist() == [[0.5], [0.5]]
        assert study.judged_by_other.at().values("P@2").tolist() == [[0.5], [0.5]]
    assert one.only(topics=["1"]).judged_by_truth.judgments.relevant.tolist() == [3]


# ---------------------------------------------------------------------------------------------------------------------
# What a shallow pool got wrong


@settings(max_examples=examples(80), deadline=None)
@given(
    case=known_in_the_end(), name=st.sampled_from(["P@2", "RBP(p=0.8)", "AP", "nDCG@3"]), depth=st.integers(1, 4),
    beside=st.booleans(), average=st.sampled_from(["qrels", "common"]),
)  # fmt: skip
def test_wrong_pairs_are_those_that_the_truth_orders_the_other_way_round(case, name, depth, beside, average):
    runs, qrels, truth, pooled = case
    study = small_study(runs, qrels, pooled=pooled, average=average)
    study = study.with_truth(as_file(truth)) if beside else study
    answer = evalcore.ask(study, "wrong_pairs", metric=name, depths=[depth, None], level=0.3)
    judged = {topic: of for topic, of in qrels.items() if of}
    complete = {topic: truth[topic] for topic in judged} if beside else judged
    cut = pooling.judgments_at_depth(judged, pooling.pool_ranks(runs, pooled), depth)
    final = by_system(runs, name, complete, qrels, average)
    for row, in_force in zip(answer.table.to_dict("records"), (cut, judged), strict=True):
        check_row(row, by_system(runs, name, in_force, qrels, average), final)
        check_touching(row, runs, name, in_force, complete, qrels, average)
    pairs = SimpleNamespace(truth=beside, means=lambda metric: {s: [mean] for s, mean in means_of(final).items()})
    facts = answer.params | facts_of(answer.table.to_dict("records"), answer.params, pairs)
    assert {*answer.finding.facts} <= {*facts, "formed", "systems"}
    assert all(same(fact, facts[key]) for key, fact in answer.finding.facts.items() if key in facts)


@settings(max_examples=examples(40), deadline=None)
@given(case=known_in_the_end(), depth=st.integers(1, 3), name=st.sampled_from(["interpolated", "background", "rm"]))
def test_a_guess_may_be_held_against_a_truth_that_is_not_guessed(case, depth, name):
    runs, qrels, truth, pooled = case
    study = small_study(runs, qrels, pooled=pooled).with_truth(as_file(truth))
    asked = {"metric": "RBP(p=0.8)", "estimator": name}
    answer = evalcore.ask(study, "wrong_pairs", depths=[depth], final_estimator="lower", **asked)
    guessed = evalcore.ask(study, "leaderboard", depth=depth, **asked).table
    judged = {topic: truth[topic] for topic, of in qrels.items() if of}
    then = means_of(by_system(runs, "RBP(p=0.8)", judged, qrels, "qrels"))
    wrong = oracle.wrong_pairs(dict(zip(guessed["system"], guessed["value"], strict=True)), then)
    assert answer.table["inversions"].tolist() == [len(wrong)]
    alike = evalcore.ask(study, "wrong_pairs", depths=[depth], **asked).table
    assert alike.equals(evalcore.ask(study, "wrong_pairs", depths=[depth], **asked, final_estimator=name).table)


def check_touching(row, runs, name, in_force, complete, qrels, average):
    if name not in ("P@2", "RBP(p=0.8)"):
        assert np.isnan(row["touching"])
        return
    best = g_max_of(qrels)
    at_most = {}
    for system, run in runs.items():
        full = {
            topic: {document: best for document in run.get(topic, {}) if of.get(document, -1) == -1}
            | {document: grade for document, grade in of.items() if grade != -1}
            for topic, of in complete.items()
        }
        at_most |= means_of(by_system({system: run}, name, full, qrels, average))
    now, then = (means_of(by_system(runs, name, judged, qrels, average)) for judged in (in_force, complete))
    assert row["touching"] == oracle.touching(oracle.wrong_pairs(now, then), then, at_most)


def by_system(runs, name, qrels, whole, average):
    """system -> topic -> score, of the topics that count."""
    return {
        system: {
            topic: scored.value(name, run.get(topic, {}), of, g_max=g_max_of(whole))
            for topic, of in qrels.items()
            if average == "qrels" or topic in run
        }
        for system, run in runs.items()
    }


def means_of(scores):
    return {s: sum(of.values()) / len(of) if of else float("nan") for s, of in scores.items()}


def check_row(row, scores, final):
    now, then = means_of(scores), means_of(final)
    wrong = oracle.wrong_pairs(now, then)
    known = sum(1 for s in now if now[s] == now[s])
    assert row["pairs"] == known * (known - 1) / 2
    assert row["inversions"] == len(wrong)
    p_values = {pair: oracle.p_of(pair, scores) for pair in wrong}
    sure = [p for p in p_values.values() if p is not None and abs(p - 0.3) > 1e-9]
    if len(sure) == len(wrong):
        assert row["significant"] == sum(p < 0.3 for p in sure)
    if not wrong:
        assert pd.isna(row["a"])
        assert np.isnan(row["difference"])
        return
    pair = row["a"], row["b"]
    assert pair in wrong
    assert oracle.clear(pair, now, then) == pytest.approx(max(oracle.clear(one, now, then) for one in wrong))
    assert row["difference"] == pytest.approx(now[pair[0]] - now[pair[1]])
    assert row["difference_final"] == pytest.approx(then[pair[0]] - then[pair[1]])
    expected = np.nan if p_values[pair] is None else p_values[pair]
    assert row["p"] == pytest.approx(expected, abs=1e-7, nan_ok=True)


def test_in_words():
    runs = {s: {t: {f"{s}{k}": float(-k) for k in range(3)} for t in "1234"} for s in ("seen", "late")}
    qrels = {t: {"seen0": 1, "seen1": int(t == "1"), "seen2": 0} for t in "1234"}
    truth = {t: of | {"late0": 1, "late1": 1, "late2": int(t > "1")} for t, of in qrels.items()}
    study = small_study(runs, qrels, pooled=["seen"])
    ask = {"metric": "P@3", "depths": [3]}
    assert "No system pair" in evalcore.ask(study, "wrong_pairs", **ask).finding.headline
    whole = evalcore.ask(study, "wrong_pairs", metric="P@3", depths=[None])
    assert "No swapped pair can be shown" in whole.finding.headline
    study = study.with_truth(as_file(truth))
    facts = {"pairs": 1, "inversions": 1, "significant": 1, "a": "seen", "b": "late", "behind": 0.5}
    for depth in (3, None):
        told = evalcore.ask(study, "wrong_pairs", metric="P@3", depths=[depth]).finding
        assert told.facts.items() >= (facts | {"ahead": pytest.approx(5 / 12)}).items()
        assert told.facts.get("depth") == depth
        assert "The two systems" in told.headline
        assert "clearest" not in told.detail  # it is the only one


def test_a_truth_that_leaves_a_wrong_pair_open_says_so():
    runs = {s: {t: {f"{s}{k}": float(-k) for k in range(3)} for t in "12"} for s in ("seen", "late")}
    qrels = {t: {"seen0": 1, "seen1": 0} for t in "12"}
    study = small_study(runs, qrels, pooled=["seen"])

    def said(truth):
        answer = evalcore.ask(study.with_truth(as_file(truth)), "wrong_pairs", metric="P@3", depths=[None])
        return answer.table["touching"].tolist(), [caveat for caveat in answer.finding.caveats if "overlap" in caveat]

    late = {t: of | {"late0": 1, "late1": 1, "late2": 0} for t, of in qrels.items()}
    touching, caveats = said(late)  # seen2 is unknown: seen has 1/3 to 2/3, late 2/3
    assert touching == [1]
    assert len(caveats) == 1
    touching, caveats = said({t: of | {"seen2": 0} for t, of in late.items()})
    assert touching == [0]
    assert not caveats


@pytest.mark.parametrize("beside", [True, False])
def test_only_at_a_pool_depth_does_what_is_wrong_rest_on_who_formed_the_pool(beside):
    runs = {s: {t: {f"{s}{k}": float(-k) for k in range(6)} for t in "123"} for s in ("seen", "late")}
    qrels = {t: {f"seen{k}": int(k < 3) for k in range(6)} for t in "123"}
    study = small_study(runs, qrels)  # nobody said who contributed
    study = study.with_truth(as_file({t: of | {"late0": 1} for t, of in qrels.items()})) if beside else study
    for depths, rests in (([1], True), ([1, None], True), ([None], False)):
        caveats = evalcore.ask(study, "wrong_pairs", depths=depths).finding.caveats
        assert any("the pool" in caveat for caveat in caveats) == rests


# ---------------------------------------------------------------------------------------------------------------------
# Fused runs and newcomers


@settings(max_examples=examples(50), deadline=None)
@given(
    case=known_in_the_end(), name=st.sampled_from(["P@2", "RBP(p=0.8)", "AP", "nDCG@3"]),
    method=st.sampled_from(["rbc", "borda"]),
)  # fmt: skip
def test_a_fused_run_is_scored_by_the_truth_as_its_ranking_is(case, name, method):
    runs, qrels, truth, pooled = case
    ranking = {topic: fusion.fused([run.get(topic, {}) for run in runs.values()], method) for topic in qrels}
    complete = {topic: of for topic, of in truth.items() if qrels[topic]}
    run = {topic: fusion.as_run(documents) for topic, documents in ranking.items()}
    expected = scored.mean(name, run, complete, g_max=g_max_of(qrels))
    study, how = small_study(runs, qrels, pooled=pooled), {"systems": sorted(runs), "method": method}
    first, last = study.with_fused("F", **how).with_truth(as_file(truth)), study.with_truth(as_file(truth))
    for judged in (first.judged_by_truth, last.judged_by_truth.with_fused("F", **how)):
        board = evalcore.ask(judged, "leaderboard", metric=name).table.set_index("system")
        assert board.loc["F", "value"] == pytest.approx(expected[0], nan_ok=True)
        asked = {"metrics": [name], "methods": [method], "phis": [0.9], "systems": sorted(runs)}
        gained = evalcore.ask(judged, "fusion_scores", **asked)
        assert gained.table["value"].tolist() == pytest.approx([expected[0]], nan_ok=True)


def test_what_fusing_gains_with_the_complete_judgments():
    row = {"method": "rrf", "phi": np.nan, "value": 0.7, "metric": "AP", "gain_over_best": 0.1, "best": "a", "n": 9}
    told = gain(row | {"p": 0.02}, "the 5 best", by_truth=True)
    assert told.facts.items() >= {"value": 0.7, "apart": 0.1, "best": "a", "p": 0.02, "n": 9}.items()
    assert "complete judgments" in told.headline


@settings(max_examples=examples(60), deadline=None)
@given(
    case=known_in_the_end(), name=st.sampled_from(["P@2", "RBP(p=0.8)", "nDCG@3"]), beside=st.booleans(),
    average=st.sampled_from(["qrels", "common"]),
)  # fmt: skip
def test_which_reading_of_a_newcomer_comes_closest_to_the_truth(case, name, beside, average):
    runs, qrels, truth, pooled = case
    study = small_study(runs, qrels, pooled=pooled, pool_depth=3, average=average).with_truth(as_file(truth))
    judged = {topic: of for topic, of in qrels.items() if of}
    final = means_of(by_system(runs, name, {t: truth[t] for t in judged} if beside else judged, qrels, average))["s0"]
    came = evalcore.ask(study, "newcomer", system="s0", metric=name, depth=1, common=2)
    by = COMPLETE if beside else ALL_JUDGMENTS
    said = beside_reference(came.table, came.params, final, by)
    if np.isnan(final):
        assert not said
        return
    readings = [row for row in came.table.to_dict("records") if row["reading"] != "true" and not np.isnan(row["value"])]
    facts = {"system": "s0", "final": final, "metric": name}
    facts |= nearest({row["reading"]: row["value"] for row in readings}, final)
    assert said.facts == {key: pytest.approx(facts[key]) if key == "closest" else facts[key] for key in said.facts}
    assert said.facts.keys() >= {"system", "final", "metric"}
    assert by in said.headline


@pytest.mark.parametrize(
    ("final", "nearest", "words"),
    [
        (0.586, ["unjudged documents removed"], ".584"),
        (0.4, ["uncorrected"], ".445"),
        (0.5, ["uncorrected"], ".445"),
        (0.5145, ["uncorrected", "unjudged documents removed"], ""),  # one is below, one above
    ],
)
def test_the_reading_that_comes_closest(final, nearest, words):
    table = pd.DataFrame({"reading": ["unadjusted", "condensed", "true"], "value": [0.445, 0.584, 0.586]})
    told = beside_reference(table, {"system": "late", "metric": "nDCG@10"}, final, COMPLETE)
    assert told.facts.get("nearest", nearest) == nearest
    assert words in told.detail


# ---------------------------------------------------------------------------------------------------------------------
# Doors


def test_a_script_takes_the_truth_with_it(tmp_path):
    study = opened("variations")
    for asked, question in ((study, "wrong_pairs"), (study.judged_by_truth, "leaderboard")):
        answer = evalcore.ask(asked, question, metric="P@10")
        script = tmp_path / f"{question}.py"
        script.write_text(answer.script())
        run = [sys.executable, str(script), str(SAMPLES / "variations")]
        env = {"PYTHONPATH": str(SAMPLES.parent), "HOME": "/nowhere"}
        done = subprocess.run(run, capture_output=True, text=True, check=True, env=env)
        assert done.stdout == answer.table.to_csv(index=False)


def test_from_the_command_line(capsys):
    folder = SAMPLES / "web"
    files = ["--runs", str(folder / "runs"), "--qrels", str(folder / "qrels.txt")]
    files += ["--systems-table", str(folder / "systems.tsv"), "--cache", "none"]
    asked = ["wrong_pairs", *files, "--metric", "nDCG@10", "--depths", "5"]
    assert main([*asked, "--truth", str(folder / "qrels.complete.txt.gz")]) == 0
    assert "compared with the complete judgments" in capsys.readouterr().out
    assert main(asked) == 0
    assert "compared with all judgments" in capsys.readouterr().out
    assert main([*asked, "--truth", str(folder / "qrels.second.txt.gz")]) == 2
    assert "Complete judgments must contain all judgments" in capsys.readouterr().err


REAL = Path(os.environ.get("POOLSCOPE_DATA", "/nowhere")) / "trec-covid-r1"


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason="POOLSCOPE_DATA has no trec-covid-r1")
@pytest.mark.parametrize("name", ["RBP(p=0.8)", "nDCG@10", "P@10"])
def test_what_later_rounds_found_lies_in_the_interval_of_every_pool(name):
    files = {"systems": REAL / "systems.tsv", "truth": REAL / "qrels.union.txt"}
    check_it_lies_within(evalcore.open_study(REAL / "runs", REAL / "qrels.txt", **files), name, [1, 3, 7, None])


def test_on_one_topic_no_test_is_named():
    """A swapped pair on one topic: there is nothing to test it with, and the finding names no test."""
    runs = {"A": {"x": 2.0, "n": 1.0}, "B": {"u": 2.0, "v": 1.0}, "C": {"n": 3.0, "u": 2.0, "v": 1.0}}
    runs = {system: {"1": ranked} for system, ranked in runs.items()}
    judged = {"x": 1, "n": 0, "u": 1, "v": 1}
    answer = evalcore.ask(small_study(runs, {"1": judged}, pooled=["A", "C"]), "wrong_pairs", metric="P@2", depths=[1])
    assert answer.finding.facts["inversions"] >= 1
    assert "test" not in str(answer.finding)
    assert "significant" not in answer.finding.facts
