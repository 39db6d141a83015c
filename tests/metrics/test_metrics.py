"""Every metric and its interval against the definition, `trec_eval`, `cwl-eval` and the papers."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.metrics.metrics import METRICS, metric
from tests.examples import examples
from tests.oracles import metrics as oracle
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, tracks

REFERENCE = Path(__file__).parents[1] / "reference"
VARIANTS = [
    "P@3", "RBP(p=0)", "RBP(p=0.5)@4", "SDCG@5", "INST(T=2.5)", "INST(T=0.5)", "AP@3", "nDCG@3", "nDCG(log=10)",
    "nDCG(log=10)@12", "R@3", "Judged@4", "RR@3", "P(rel=2)@3", "RR(rel=2)@3", "RR(rel=2)", "Success(rel=2)@3",
    "AP(rel=2)@3", "AP(rel=2)", "R(rel=2)@3", "Rprec(rel=2)", "bpref(rel=2)", "infAP(rel=2)",
]  # fmt: skip
NAMES = sorted({name for row in METRICS.values() for name in row.usual} | set(VARIANTS))
READINGS = st.fixed_dictionaries(
    {
        "gains": st.sampled_from(["binary", "linear", "exponential", {-2: 0, -1: 0, 0: 0.1, 1: 0.5, 2: 0.7, 3: 0.9}]),
        "rel_level": st.sampled_from([1, 2]),
        "negative": st.sampled_from(["split", "unjudged", "judged"]),
        "empty": st.sampled_from(["unknown", "not relevant"]),
    }
)


def pairs(study, runs, qrels):
    """(system, query index, its run, its topic's judgments) of every judged topic."""
    for s, system in enumerate(study.systems):
        for q, query in enumerate(study.track.queries):
            if query in qrels:
                yield s, q, runs[system].get(query, {}), qrels[query]


def settings_of(reading, qrels):
    return {key: value for key, value in reading.items() if key != "empty"} | {"g_max": g_max_of(qrels)}


@settings(max_examples=examples(300), deadline=None)
@given(track=tracks(), name=st.sampled_from(NAMES), reading=READINGS)
def test_value_and_interval_are_the_definitions(track, name, reading):
    runs, qrels = track
    study = small_study(runs, qrels, **reading)
    estimate = study.at().estimate(name)
    for s, q, run, judged in pairs(study, runs, qrels):
        asked = settings_of(reading, qrels)
        assert estimate.value[s, q] == pytest.approx(oracle.value(name, run, judged, **asked), abs=1e-9)
        ours = (estimate.lower[s, q], estimate.upper[s, q])
        theirs = oracle.bounds(name, run, judged, empty=reading["empty"], **asked)
        assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("empty", ["unknown", "not relevant"])
@pytest.mark.parametrize("gains", ["binary", "linear", "exponential", {0: 0.1, 1: 0.5, 2: 1}])
@pytest.mark.parametrize("name", ["INST(T=0.5)", "INST(T=1)", "INST(T=2.7)", "AP", "nDCG@20", "Q", "RR", "bpref"])
def test_long_rankings_are_the_definition(name, gains, empty):
    rng = np.random.default_rng(7)
    documents = [f"d{n}" for n in range(1400)]
    judged = {name: int(grade) for name, grade in zip(documents, rng.integers(0, 3, 700), strict=False)}
    runs = {
        f"{share}": {"t": {name: -float(rank) for rank, name in enumerate(rng.permutation(documents)[:length])}}
        for share, length in enumerate((1200, 1000, 999, 3, 1))
    }
    runs |= {"best": {"t": {name: float(judged[name]) for name in judged}}, "none": {"t": {"x": 1.0}}}
    study = small_study(runs, {"t": judged}, gains=gains, empty=empty)
    estimate = study.at().estimate(name)
    for s, system in enumerate(study.systems):
        asked = {"gains": gains, "g_max": 2}
        expected = oracle.value(name, runs[system]["t"], judged, **asked)
        assert estimate.value[s, 0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
        ours = (estimate.lower[s, 0], estimate.upper[s, 0])
        theirs = oracle.bounds(name, runs[system]["t"], judged, empty=empty, **asked)
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12, nan_ok=True)


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(), name=st.sampled_from(NAMES), reading=READINGS)
def test_condensed_lists_are_the_definitions(track, name, reading):
    runs, qrels = track
    study = small_study(runs, qrels, **reading)
    estimate = study.at(unjudged="condensed").estimate(name)
    assert estimate.kind == "point"
    assert np.isnan(estimate.lower).all()
    for s, q, run, judged in pairs(study, runs, qrels):
        expected = oracle.value(name, run, judged, unjudged="condensed", **settings_of(reading, qrels))
        assert estimate.value[s, q] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(), name=st.sampled_from(NAMES), reading=READINGS)
def test_a_value_is_made_of_the_near_places(track, name, reading):
    runs, qrels = track
    study = small_study(runs, qrels, **reading)
    near = metric(name).near(study.places)
    assert len(near.rank) <= len(study.places.rank)
    for judgments in (study.judgments, study.at(depth=1).judgments, study.at(judgments=2).judgments):
        expected = metric(name).value(study.places.under(judgments))
        assert metric(name).value(near.under(judgments)).tolist() == pytest.approx(expected.tolist(), abs=1e-12)


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(), name=st.sampled_from(NAMES), reading=READINGS)
def test_a_value_is_made_of_the_places_that_count(track, name, reading):
    study = small_study(*track, **reading)
    counts = metric(name).counting(study.judgments.scale)[study.places.level]
    assert metric(name).value(study.places.where(counts)).tolist() == metric(name).value(study.places).tolist()


@settings(max_examples=examples(60), deadline=None)
@given(
    track=tracks(),
    name=st.sampled_from([*NAMES, "INST(T=hope)"]),
    unjudged=st.sampled_from(["irrelevant", "condensed"]),
)
def test_scores_of_some_rankings_are_those_of_all(track, name, unjudged):
    study = small_study(*track)
    hopes = pd.DataFrame({"query": study.track.queries, "hope": 1.0 + np.arange(len(study.track.queries))})
    reading = replace(study, query_table=hopes).at(unjudged=unjudged)
    shape = study.track.shape[:2]
    for some in (np.arange(shape[0] * shape[1]).reshape(shape) % 3 == 1, np.ones(shape, bool), np.zeros(shape, bool)):
        assert reading.values(name, some) == pytest.approx(reading.values(name)[some], abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("gains", ["binary", {0: 0.1, 1: 0.3, 2: 1}])
@pytest.mark.parametrize("name", ["INST(T=0.5)", "INST(T=1)", "Q", "AP", "nDCG"])
def test_the_same_ranking_has_the_same_score_wherever_it_stands(name, gains):
    rng = np.random.default_rng(3)
    documents = [f"d{n}" for n in range(60)]
    judged = {name: int(rng.integers(0, 3)) for name in documents[:40]}
    best = sorted(documents, key=lambda name: -judged.get(name, 0))
    runs = [rng.permutation(documents), *[best] * 50]
    scored = [{"t": {name: -float(rank) for rank, name in enumerate(run)}} for run in (*runs, runs[0])]
    estimate = (
        small_study({f"s{i:02}": run for i, run in enumerate(scored)}, {"t": judged}, gains=gains).at().estimate(name)
    )
    for ends in (estimate.value, estimate.lower, estimate.upper):
        assert ends[0] == pytest.approx(ends[-1], abs=1e-15)


EXACT = [name for name in (*NAMES, "nDCG@2") if metric(name).kind == "bounds"]
ENUMERABLE = [name for name in EXACT if (oracle.parse(name)[2] or 0) <= 5]  # an empty list has as many places to fill
few = tracks(systems=1, topics=1, grades=(0, 1, 2))


@settings(max_examples=examples(60), deadline=None)
@given(
    track=few,
    name=st.sampled_from(ENUMERABLE),
    gains=st.sampled_from(["binary", "linear", "exponential"]),
    empty=st.sampled_from(["unknown", "not relevant"]),
)
def test_every_completion_of_the_judgments_lies_in_the_interval(track, name, gains, empty):
    runs, qrels = track
    runs = {system: {q: dict(list(run.items())[:4]) for q, run in run.items()} for system, run in runs.items()}
    study = small_study(runs, qrels, gains=gains, empty=empty)
    estimate = study.at().estimate(name)
    for s, q, run, judged in pairs(study, runs, qrels):
        asked = settings_of({"gains": gains}, qrels) | {"empty": empty}
        scores = list(oracle.completions(name, run, judged, **asked))
        assert estimate.lower[s, q] <= min(scores) + 1e-9
        assert estimate.upper[s, q] >= max(scores) - 1e-9
        if name.startswith("nDCG"):
            assert (estimate.lower[s, q], estimate.upper[s, q]) == pytest.approx((min(scores), max(scores)), abs=1e-9)


def test_average_precision_and_its_guide_of_ravana_and_moffat():
    run = {f"d{rank:02}": 10.0 - rank for rank in range(1, 11)}
    judged = {f"d{rank:02}": int(rank in (1, 5, 6)) for rank in range(1, 11) if rank not in (3, 8)}
    study = small_study({"s": {"t": run}}, {"t": judged | {"x": 1, "y": 1}})
    estimate = study.at().estimate("AP")
    assert estimate.lower.item() == pytest.approx(0.38)
    assert estimate.upper.item() == pytest.approx((1 / 1 + 2 / 3 + 3 / 5 + 4 / 6 + 5 / 8) / 5)
    assert estimate.kind == "guide"


LEVELLED = [name for name, row in METRICS.items() if "rel" in row.parameters]


@settings(max_examples=examples(100), deadline=None)
@given(track=tracks(), name=st.sampled_from(LEVELLED), level=st.sampled_from([0, 1, 2, 3]), reading=READINGS)
def test_a_level_of_its_own_is_that_of_the_study(track, name, level, reading):
    runs, qrels = track
    here = small_study(runs, qrels, **reading)
    there = small_study(runs, qrels, **reading | {"rel_level": level})
    for how in ({}, {"depth": 1}, {"judgments": 2}, {"unjudged": "condensed"}):
        mine, other = here.at(**how).estimate(f"{name}(rel={level})"), there.at(**how).estimate(name)
        for end in ("value", "lower", "upper", "upper_listed"):
            found, expected = (getattr(one, end).ravel().tolist() for one in (mine, other))
            assert found == pytest.approx(expected, abs=1e-15, nan_ok=True)


TREC_EVAL = json.loads((REFERENCE / "trec_eval.json").read_text())
CWL = json.loads((REFERENCE / "cwl.json").read_text())


@pytest.mark.parametrize("rel_level", TREC_EVAL["values"])
def test_equal_to_trec_eval(rel_level):
    study = small_study(TREC_EVAL["runs"], TREC_EVAL["qrels"], rel_level=int(rel_level))
    by_system = TREC_EVAL["values"][rel_level]
    measures = {name for by_topic in by_system.values() for values in by_topic.values() for name in values}
    estimates = {name: study.at().estimate(name).value for name in measures}
    compared = 0
    for s, system in enumerate(study.systems):
        for topic, values in by_system[system].items():
            q = study.track.queries.index(topic)
            for name, value in values.items():
                assert estimates[name][s, q] == pytest.approx(value, abs=5e-5), (name, system, topic)
                compared += 1
    assert compared > 200


def test_a_level_of_its_own_is_equal_to_trec_eval():
    study = small_study(TREC_EVAL["runs"], TREC_EVAL["qrels"])
    compared = 0
    for theirs, ours in {
        "map": "AP(rel=2)", "map_cut_5": "AP(rel=2)@5", "P_5": "P(rel=2)@5", "recall_10": "R(rel=2)@10",
        "recip_rank": "RR(rel=2)", "Rprec": "Rprec(rel=2)", "bpref": "bpref(rel=2)", "infAP": "infAP(rel=2)",
    }.items():  # fmt: skip
        values = study.at().values(ours)
        for s, system in enumerate(study.systems):
            for topic, expected in TREC_EVAL["values"]["2"][system].items():
                found = values[s, study.track.queries.index(topic)]
                assert found == pytest.approx(expected[theirs], abs=5e-5), (ours, system, topic)
                compared += 1
    assert compared > 200


@pytest.mark.parametrize("ranking", CWL["rankings"])
def test_equal_to_cwl_eval(ranking):
    grades = CWL["rankings"][ranking]
    run = {f"d{rank:03}": -float(rank) for rank in range(len(grades))}
    judged = {f"d{rank:03}": grade for rank, grade in enumerate(grades) if grade is not None}
    study = small_study({"s": {"t": run}}, {"t": judged | {"elsewhere": 0}})
    for name, (value, residual) in CWL["values"][ranking].items():
        estimate = study.at().estimate(name)
        assert estimate.value.item() == pytest.approx(value, abs=1e-9), name
        assert (estimate.upper - estimate.lower).item() == pytest.approx(residual, abs=1e-9), name


@pytest.mark.parametrize("name", NAMES)
def test_names_read_back(name):
    assert metric(metric(name).name) == metric(name)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("map", "AP"), ("map_cut_100", "AP@100"), ("ndcg", "nDCG"), ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("P_10", "P@10"), ("P.10", "P@10"), ("recip_rank", "RR"), ("recall_1000", "R@1000"), ("Rprec", "Rprec"),
        ("bpref", "bpref"), ("infAP", "infAP"), ("rbp", "RBP(p=0.8)"), ("ndcg@5", "nDCG@5"),
        (" RBP( p = 0.95 ) ", "RBP(p=0.95)"), ("success_5", "Success@5"), ("recall_100", "R@100"),
        ("MRR", "RR"), ("MRR@10", "RR@10"), ("MAP@10", "AP@10"), ("Recall@100", "R@100"), ("Precision@10", "P@10"),
        ("hit_rate@5", "Success@5"), ("nDCG@10", "nDCG@10"), ("P(rel=2)@10", "P(rel=2)@10"),
        ("RR(rel=2)@10", "RR(rel=2)@10"), ("MRR( rel = 2.0 )@10", "RR(rel=2)@10"), ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("Rprec(rel=1)", "Rprec(rel=1)"), ("r-precision", "Rprec"),
    ],
)  # fmt: skip
def test_names_of_others_are_understood(theirs, ours):
    assert metric(theirs).name == ours


BY_GAINS = "It reads gains; set the option gains, such as 0:0,1:0,2:1."


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("RPB(p=0.8)", f"no metric 'RPB(p=0.8)'. Known: {', '.join(METRICS)}; write P@10 or RBP(p=0.95)."),
        ("", f"no metric ''. Known: {', '.join(METRICS)}; write P@10 or RBP(p=0.95)."),
        ("RBP(p=1)", "metric 'RBP(p=1)': p = 1 is not valid; p must be a number from 0 to below 1."),
        ("RBP(0.8)", "metric 'RBP(0.8)': '0.8' is not a parameter; write name=value, such as p=0.95."),
        ("P@0", "metric 'P@0': k = 0 is not valid; k must be a whole number from 1 to 1,000,000."),
        ("P@ten", "metric 'P@ten': k = ten is not valid; k must be a whole number from 1 to 1,000,000."),
        ("P@1000001", "metric 'P@1000001': k = 1000001 is not valid; k must be a whole number from 1 to 1,000,000."),
        ("P@1234567890123456789", "metric 'P@1234567890123456789': k has 19 digits; use at most 18."),
        ("RBP(p=0.12345678901234567)", "metric 'RBP(p=0.12345678901234567)': p has 19 digits; use at most 18."),
        ("Q@10", "metric 'Q@10': Q has no parameter 'k'. It takes no parameters."),
        ("P(rel=all)", "metric 'P(rel=all)': rel = all is not valid; rel must be a grade, such as 2."),
        *(
            (f"{one}(rel=2)", f"metric '{one}(rel=2)': {one} has no parameter 'rel'. {BY_GAINS}")
            for one in ("RBP", "SDCG", "INST", "nDCG")
        ),
        ("RBP(q=1)", "metric 'RBP(q=1)': RBP has no parameter 'q'. It takes p, k."),
        ("INST(T=0.2)", "metric 'INST(T=0.2)': T = 0.2 is not valid; T must be a number from 0.5 (below that its "
         "interval is "
            "not exact) to a million, or a column of the queries table."),
    ],
)  # fmt: skip
def test_an_unknown_name_is_answered_with_what_is_known(name, sentence):
    with pytest.raises(ValueError, match="metric") as refused:
        metric(name)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("name", ["P@10", "RBP(p=0.95)", "RBP(p=0.8)@20", "SDCG@10"])
def test_weights_sum_to_one_over_an_endless_ranking(name):
    assert metric(name).weights(5000).sum() == pytest.approx(1)


def test_precision_reads_relevance_and_not_gains():
    study = small_study({"s": {"t": {"a": 2.0, "b": 1.0}}}, {"t": {"a": 1, "b": 3}}, gains="linear")
    assert study.at().estimate("P@2").value.item() == 1
    assert study.at().estimate("RBP(p=0.5)").value.item() == pytest.approx(0.5 / 3 + 0.25)


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(), k=st.integers(1, 6), gains=st.sampled_from(["linear", "exponential"]))
def test_dcg_is_sdcg_times_a_constant_of_the_qrels(track, k, gains):
    runs, qrels = track
    study, top = small_study(runs, qrels, gains=gains), g_max_of(qrels)
    times = (top if gains == "linear" else 2**top) * sum(oracle.discount(rank) for rank in range(1, k + 1))
    values = study.at().values(f"SDCG@{k}")
    for s, q, run, judged in pairs(study, runs, qrels):
        grades = [max(judged.get(document, 0), 0) for document in order(run)[:k]]
        worth = grades if gains == "linear" else [2**grade - 1 for grade in grades]
        dcg = sum(oracle.discount(rank) * one for rank, one in enumerate(worth, start=1))
        assert values[s, q] * times == pytest.approx(dcg, abs=1e-9)


def test_nothing_judged_leaves_everything_open():
    study = small_study({"s": {"t": {"a": 1.0}}}, {"t": {"z": 0}})
    for name in EXACT:
        estimate = study.at().estimate(name)
        most = sum(1 / 16 * (15 / 16) ** (k - 1) / k for k in range(1, 21)) if name == "ERR@20" else 1
        assert (estimate.lower.item(), estimate.upper.item()) == pytest.approx((0, most)), name
    assert math.isnan(study.at().estimate("bpref").upper.item())


def test_err_is_the_example_of_its_definition():
    """METHODS 3.3; and grades 4, 0, 1 at ranks 1 to 3 by hand."""
    study = small_study({"s": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}}, {"t": {"a": 0, "c": 2}}, empty="not relevant")
    estimate = study.at().estimate("ERR@3")
    assert estimate.value.item() == pytest.approx(3 / 16 / 3)
    assert estimate.upper.item() == pytest.approx(3 / 16 / 2 + 3 / 16 / 3 * 13 / 16)
    study = small_study({"s": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}}, {"t": {"a": 4, "b": 0, "c": 1}})
    assert study.at().estimate("ERR@20").value.item() == pytest.approx(15 / 16 + 1 / 3 * 1 / 16 * 1 / 16)


def test_inst_takes_a_hope_for_each_topic_from_the_queries_table():
    runs = {"s": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}}}
    study = small_study(runs, {"1": {"b": 1}, "2": {"b": 1}})
    study = replace(study, query_table=pd.DataFrame({"query": ["1", "2"], "hope": [1, 3]}))
    values = study.at().estimate("INST(T=hope)").value[0]
    assert values.tolist() == [study.at().estimate(f"INST(T={T})").value[0, q] for q, T in enumerate((1, 3))]
    with pytest.raises(ValueError, match=r"no column 'wish'\. It has hope\."):
        study.at().estimate("INST(T=wish)")


def test_grades_that_are_not_read_as_judged_earn_nothing():
    runs, qrels = {"A": {"1": {"b": 1.0}}}, {"1": {"b": -1, "c": 1}}
    for options in ({"gains": {-1: 0.5, 0: 0, 1: 1}}, {"rel_level": -1}, {"rel_level": -1, "negative": "unjudged"}):
        estimate = small_study(runs, qrels, **options).at().estimate("RBP(p=0.8)")
        assert (estimate.lower.item(), estimate.upper.item()) == (0, 1)


def test_q_counts_relevant_documents_that_gain_nothing():
    study = small_study(
        {"A": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}}, {"1": {"a": 1, "b": 0, "c": 2}}, gains={0: 0, 1: 0, 2: 1}
    )
    assert study.at().estimate("Q").value.item() == pytest.approx(((1 + 0) / (1 + 1) + (2 + 1) / (3 + 1)) / 2)


def test_gains_of_nothing_are_refused():
    with pytest.raises(ValueError, match="gives 0 to every grade"):
        small_study({"A": {"1": {"a": 1.0}}}, {"1": {"a": 1}}, gains={0: 0, 1: 0})


@pytest.mark.parametrize("T", [0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 30])
@pytest.mark.parametrize("gains", ["binary", "exponential"])
def test_an_estimate_where_nothing_is_known(T, gains):
    study = small_study({"A": {"1": {"a": 1.0}}}, {"1": {"z": 1}}, gains=gains)
    for estimator in ("interpolated", "rm"):
        assert study.at().estimate(f"INST(T={T})", estimator=estimator).value.item() == pytest.approx(0.01)


@pytest.mark.parametrize(
    "text", ["P(k=5)@10", "RBP(p=0.5,p=0.9)", "map_cut", "ndcg_cut", "map_10", "ndcg_10", "recall"]
)
def test_names_that_nobody_would_write(text):
    with pytest.raises(ValueError, match=r"twice|no metric"):
        metric(text)


def test_what_is_kept_of_a_sweep_cannot_be_written_to():
    study = small_study({"A": {"1": {"a": 1.0}}}, {"1": {"a": 1}})
    with pytest.raises(ValueError, match="read-only"):
        study.at().sweep("AP", [1, 2]).lower[:] = 9


SAMPLED = [  # topic, document, stratum, grade: of stratum 1 all documents are judged, of 2 and 3 some
    (topic, f"d{n:02}", stratum, (n * n + topic) % 3 if n % stratum**2 == 0 else -1)
    for topic in (1, 2, 3)
    for n in range(30)
    for stratum in (1 + n * topic % 3,)
]
BY_SAMPLE_EVAL = {
    5: [0.5117, 0.3659, 0.5248],
    11: [0.3061, 0.3239, 0.4429],
}  # infAP, as NIST's version of 2011 prints it


def sampled_study(qrels, **how):
    runs = (
        "".join(
            f"{t} Q0 d{(rank * step + t) % 37:02} {rank} {100 - rank} r\n" for t in (1, 2, 3) for rank in range(1, 26)
        )
        for step in BY_SAMPLE_EVAL
    )
    files = [evalcore.Upload(f"r{step}", run.encode()) for step, run in zip(BY_SAMPLE_EVAL, runs, strict=True)]
    return evalcore.open_study(files, evalcore.Upload("q", qrels.encode()), cache=False, **how)


def test_a_sample_in_strata_is_scored_as_sample_eval_does():
    study = sampled_study("".join(f"{t} 0 {document} {s} {grade}\n" for t, document, s, grade in SAMPLED))
    assert {
        int(name[1:]): study.at().estimate("infAP").value[s].round(4).tolist() for s, name in enumerate(study.systems)
    } == BY_SAMPLE_EVAL
    plain = sampled_study("".join(f"{t} 0 {document} {grade}\n" for t, document, _, grade in SAMPLED))
    for name in ("P@10", "AP", "nDCG@10", "bpref", "RBP(p=0.8)", "Judged@10"):
        mine, other = (evalcore.ask(one, "scores", metric=name).table for one in (study, plain))
        pd.testing.assert_frame_equal(mine, other)


def test_one_stratum_is_a_sample_as_of_trec_eval():
    one, other = (
        sampled_study("".join(f"{t} 0 {document} {stratum}{grade}\n" for t, document, _, grade in SAMPLED))
        for stratum in ("1 ", "")
    )
    assert one.at().estimate("infAP").value.tolist() == other.at().estimate("infAP").value.tolist()
