"""The naive definitions against trec_eval's code, cwl-eval, the papers' figures, and full enumeration."""

import json
import math
from itertools import combinations
from pathlib import Path

import pytest
import pytrec_eval
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.ranking import Ranking
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples

from .oracles import estimates, metrics, pool, ranking

REFERENCE = Path(__file__).parent / "reference"
TREC_EVAL = {
    "AP": "map", "AP@5": "map_cut_5", "AP@10": "map_cut_10", "nDCG": "ndcg", "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10", "P@1": "P_1", "P@5": "P_5", "P@10": "P_10", "RR": "recip_rank", "Rprec": "Rprec",
    "bpref": "bpref", "infAP": "infAP", "R@5": "recall_5", "R@10": "recall_10", "R@20": "recall_20",
    "Success@1": "success_1", "Success@5": "success_5",
}  # fmt: skip
STORED = {name: theirs for name, theirs in TREC_EVAL.items() if not theirs.startswith("success")}
MEASURES = {
    "map", "map_cut.5,10", "ndcg", "ndcg_cut.5,10", "P.1,5,10", "recip_rank", "Rprec", "bpref", "infAP",
    "recall.5,10,20", "success.1,5",
}  # fmt: skip
CWL = {
    "P@5": lambda: PrecisionCWLMetric(5),
    "P@10": lambda: PrecisionCWLMetric(10),
    "RBP(p=0.8)": lambda: RBPCWLMetric(0.8),
    "RBP(p=0.95)": lambda: RBPCWLMetric(0.95),
    "SDCG@10": lambda: NDCGCWLMetric(10),
    "INST(T=0.5)": lambda: INSTCWLMetric(0.5),
    "INST(T=1)": lambda: INSTCWLMetric(1.0),
    "INST(T=2)": lambda: INSTCWLMetric(2.0),
    "RR": RRCWLMetric,
}
EXACT = [
    "P@3", "P@5", "RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.8)@4", "SDCG@5", "INST(T=0.5)", "INST(T=1)", "INST(T=2)", "RR",
    "Success@3", "ERR@3", "RR@3", "RR(rel=2)@4", "P(rel=2)@3", "Success(rel=2)@2",
]  # fmt: skip
GUIDES = ["AP", "AP@3", "AP(rel=2)@3", "nDCG", "nDCG(log=10)", "Q", "Rprec"]
NEITHER = ["bpref", "infAP", "R@5", "bpref(rel=2)", "R(rel=2)@5", "Judged@5"]


def reference(name):
    return json.loads((REFERENCE / name).read_text(encoding="utf-8"))


# ---------------------------------------------------------------- strategies

DOCUMENTS = ["d0", "d1", "d10", "d2", "D1", "é1", "z", "10", "9", "a-b", "a_b", "d3"]
GRADES = st.integers(-2, 3)


def qrels_of(grades=GRADES, documents=DOCUMENTS):
    return st.dictionaries(st.sampled_from(documents), grades)


def runs_of(documents=DOCUMENTS, **sizes):
    return st.dictionaries(st.sampled_from(documents), st.integers(0, 3).map(float), **sizes)


def tables():
    """Keyword settings: a gain table (also with no gain of 0 for a judged document), the largest grade 3."""
    given_table = {0: 0, 1: 0.125, 2: 0.25, 3: 0.75}
    return st.fixed_dictionaries(
        {
            "gains": st.sampled_from(["binary", "linear", "exponential", given_table]),
            "rel_level": st.sampled_from([1, 2]),
            "negative": st.sampled_from(["split", "unjudged", "judged"]),
            "g_max": st.just(3),
        }
    )


SMALL = DOCUMENTS[:5]
small_run, small_qrels = runs_of(SMALL, max_size=4), qrels_of(documents=SMALL)
empties = st.sampled_from(["unknown", "not relevant"])


# ---------------------------------------------------------------- trec_eval


@pytest.mark.parametrize("rel_level", [1, 2])
def test_stored_trec_eval_values(rel_level):
    stored = reference("trec_eval.json")
    seen = 0
    for system, by_topic in stored["values"][str(rel_level)].items():
        assert set(by_topic) == set(stored["runs"][system]) & set(stored["qrels"])
        for topic, expected in by_topic.items():
            for name, theirs in STORED.items():
                run, qrels = stored["runs"][system][topic], stored["qrels"][topic]
                found = metrics.value(name, run, qrels, rel_level=rel_level)
                assert found == pytest.approx(expected[theirs], abs=1e-9), (system, topic, name)
                seen += 1
    assert seen == 29 * len(STORED)


@settings(max_examples=examples(150), deadline=None)
@given(run=runs_of(min_size=1), qrels=qrels_of(), judged=st.integers(0, 3), rel_level=st.sampled_from([1, 2]))
def test_trec_eval_on_random_runs(run, qrels, judged, rel_level):
    qrels = qrels | {"a judged one": judged}
    evaluator = pytrec_eval.RelevanceEvaluator({"t": qrels}, MEASURES, relevance_level=rel_level)
    expected = evaluator.evaluate({"t": run})["t"]
    found = {theirs: metrics.value(name, run, qrels, rel_level=rel_level) for name, theirs in TREC_EVAL.items()}
    assert found == pytest.approx({theirs: expected[theirs] for theirs in found}, abs=1e-9)


@given(run=runs_of(min_size=1), qrels=qrels_of(), rel_level=st.sampled_from([1, 2]), k=st.integers(1, 5))
@settings(max_examples=examples(50), deadline=None)
def test_a_cut_and_a_level_are_those_of_trec_eval(run, qrels, rel_level, k):
    """RR@k is the recip_rank of the first k documents (trec_eval -M); `rel` is its relevance level (-l)."""
    qrels = qrels | {"a judged one": 1}
    evaluator = pytrec_eval.RelevanceEvaluator({"t": qrels}, MEASURES, relevance_level=rel_level)
    first = {document: run[document] for document in ranking.order(run)[:k]}
    whole, cut = evaluator.evaluate({"t": run})["t"], evaluator.evaluate({"t": first})["t"]
    for name in ("AP", "AP@5", "P@5", "RR", "Rprec", "bpref", "infAP", "R@5", "Success@5"):
        family, _, at = name.partition("@")
        levelled = f"{family}(rel={rel_level})" + (f"@{at}" if at else "")
        assert metrics.value(levelled, run, qrels) == pytest.approx(whole[TREC_EVAL[name]], abs=1e-9), levelled
    assert metrics.value(f"RR@{k}", run, qrels, rel_level=rel_level) == pytest.approx(cut["recip_rank"], abs=1e-9)
    assert metrics.value(f"RR(rel={rel_level})@{k}", run, qrels) == pytest.approx(cut["recip_rank"], abs=1e-9)


@given(run=runs_of(min_size=1), qrels=qrels_of())
@settings(max_examples=examples(50), deadline=None)
def test_condensed_is_trec_eval_on_the_judged_part_of_the_run(run, qrels):
    """trec_eval -J; it reads every negative grade as unjudged."""
    qrels = qrels | {"a judged one": 1}
    left = {doc: score for doc, score in run.items() if qrels.get(doc, -1) >= 0}
    evaluator = pytrec_eval.RelevanceEvaluator({"t": qrels}, MEASURES, judged_docs_only_flag=True)
    expected = evaluator.evaluate({"t": run}).get("t") if left else None
    for name in ("AP", "nDCG@10", "P@5", "RR", "Rprec"):
        found = metrics.value(name, run, qrels, negative="unjudged", unjudged="condensed")
        assert found == pytest.approx(expected[TREC_EVAL[name]] if left else 0, abs=1e-9)


# ---------------------------------------------------------------- cwl-eval


def as_run(gains):
    """(run, qrels) whose gains by rank are these; None = unjudged."""
    documents = [f"doc{place}" for place in range(len(gains))]
    return documents, {doc: gain for doc, gain in zip(documents, gains, strict=True) if gain is not None}


def test_stored_cwl_values():
    stored = reference("cwl.json")
    for title, gains in stored["rankings"].items():
        run, qrels = as_run(gains)
        for name, (value, residual) in stored["values"][title].items():
            lower, upper = metrics.bounds(name, run, qrels)
            assert (lower, upper - lower) == pytest.approx((value, residual), abs=1e-9), (title, name)
            assert metrics.value(name, run, qrels) == lower


@settings(max_examples=examples(30), deadline=None)
@given(gains=st.lists(st.sampled_from([0, 1, None]), max_size=30))
def test_cwl_on_random_rankings(gains):
    run, qrels = as_run(gains)
    for name, make in CWL.items():
        metric = make()
        metric.residuals = True
        row = [math.nan if gain is None else float(gain) for gain in gains]
        metric.measure(Ranking("topic", row, [1.0] * len(row)))
        lower, upper = metrics.bounds(name, run, qrels)
        expected = metric.expected_utility, metric.residual_expected_utility
        assert (lower, upper - lower) == pytest.approx(expected, abs=1e-9), name


def test_graded_inst_by_cwl():
    gains = [0.25, 0.0, 1.0, None, 0.5, 0.75]
    table = {0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1}
    run, qrels = as_run([None if gain is None else round(4 * gain) for gain in gains])
    for T in (0.5, 1.0, 2.5):
        metric = INSTCWLMetric(T)
        metric.residuals = True
        metric.measure(Ranking("topic", [math.nan if g is None else g for g in gains], [1.0] * len(gains)))
        lower, upper = metrics.bounds(f"INST(T={T})", run, qrels, gains=table)
        assert lower == pytest.approx(metric.expected_utility)
        assert upper - lower == pytest.approx(metric.residual_expected_utility)


def test_inst_refuses_a_small_t():
    with pytest.raises(ValueError, match=r"T is at least 0\.5"):
        metrics.value("INST(T=0.4)", ["d0"], {"d0": 1})


# ---------------------------------------------------------------- figures and cases by hand


def test_ravana_and_moffat_average_precision():
    case = reference("papers.json")["AP_guide_RM10"]
    inputs, expected = case["inputs"], case["values"]
    places = range(1, inputs["ranks"] + 1)
    gains = [None if k in inputs["unjudged"] else int(k in inputs["relevant"]) for k in places]
    run, qrels = as_run(gains)
    elsewhere = {f"elsewhere{n}": 1 for n in range(inputs["R"] - len(inputs["relevant"]))}
    lower, upper = metrics.bounds("AP", run, qrels | elsewhere)
    assert lower == pytest.approx(expected["B"], abs=1e-12)
    assert round(upper, case["digits"]) == expected["T"]


def test_order_and_ties():
    run = {"a": 1.0, "b": 2.0, "B": 2.0, "é": 2.0, "d10": 2.0, "d9": 2.0, "c": 3.0}
    assert ranking.order(run) == ["c", "é", "d9", "d10", "b", "B", "a"]
    assert ranking.tied_share(run) == 5 / 7
    assert ranking.order({"a": 1.0, "b": 1.0 + 2**-40}) == ["b", "a"]
    assert ranking.tied_share({"a": 1.0, "b": 2.0, "c": 1.0}) == 2 / 3
    assert ranking.tied_share({}) == 0.0


def test_worst_and_best_order_within_ties():
    run, qrels = {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0}, {"b": 1}
    found = ranking.worst_and_best_within_ties(run, lambda documents: metrics.value("RR", documents, qrels))
    assert found == (1 / 4, 1 / 2)
    assert len(list(ranking.orders_within_ties(run))) == 6
    assert list(ranking.orders_within_ties({})) == [[]]


def test_negative_grades():
    run, qrels = ["a", "b", "c", "d"], {"a": -1, "b": -2, "c": 1}
    judged = {way: ranking.condensed(run, qrels, negative=way) for way in ("split", "unjudged", "judged")}
    assert judged == {"split": ["b", "c"], "unjudged": ["c"], "judged": ["a", "b", "c"]}
    uppers = {way: metrics.bounds("P@4", run, qrels, negative=way)[1] for way in judged}
    assert uppers == {"split": 0.75, "unjudged": 1.0, "judged": 0.5}
    assert len({metrics.value("infAP", run, qrels, negative=way) for way in judged}) == 1


def test_gain_tables():
    assert metrics.gain_table() == [0, 1]
    assert metrics.gain_table(gains="linear", g_max=2) == [0, 0.5, 1]
    assert metrics.gain_table(gains="exponential", g_max=2) == [0, 0.25, 0.75]
    assert metrics.r_max("RBP(p=0.8)", gains="exponential", g_max=2) == 0.75
    assert metrics.r_max("P@5", gains="exponential", g_max=2) == 1
    assert metrics.gain_of(-2, gains="exponential", g_max=2) == 0
    with pytest.raises(ValueError, match="needs g_max"):
        metrics.gain_of(1, gains="linear")


def test_ndcg_gains():
    run, qrels = ["a", "b"], {"a": 1, "b": 2, "c": -2}
    by_grade = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert metrics.value("nDCG", run, qrels, rel_level=2) == pytest.approx(by_grade)
    assert metrics.value("nDCG", run, qrels, gains="linear", g_max=2) == pytest.approx(by_grade)
    by_power = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert metrics.value("nDCG", run, qrels, gains="exponential", g_max=2) == pytest.approx(by_power)
    assert metrics.value("nDCG", run, qrels, gains={0: 0, 1: 1, 2: 3}) == pytest.approx(by_power)


def test_ndcg_by_log_10_does_not_discount_ten_ranks():
    run = [f"d{place}" for place in range(12)]
    qrels = {"d9": 1, "d11": 1}
    assert metrics.value("nDCG(log=10)@10", run, qrels) == 1 / 2
    assert metrics.value("nDCG(log=10)", run, qrels) == pytest.approx((1 + 1 / math.log10(12)) / 2)


def test_q_by_hand():
    """Grades 0, 2, unjudged, 1 at ranks 1 to 4; a 3 not retrieved: cg = 0, 2, 2, 3 and cg* = 3, 5, 6, 6."""
    run, qrels = ["a", "b", "u", "c"], {"a": 0, "b": 2, "c": 1, "x": 3}
    assert metrics.value("Q", run, qrels) == pytest.approx(((1 + 2) / (2 + 5) + (2 + 3) / (4 + 6)) / 3)
    assert metrics.value("Q", run, qrels, rel_level=2) == pytest.approx((1 + 2) / (2 + 5) / 2)


@given(places=st.integers(0, 6).flatmap(lambda n: st.lists(st.integers(0, 1), min_size=n, max_size=n)))
def test_q_is_ap_where_no_relevant_rank_is_beyond_r(places):
    """Sakai: with binary grades the two differ only at relevant ranks beyond R."""
    run, qrels = as_run(places)
    qrels |= {f"elsewhere{n}": 1 for n in range(len(places))}
    assert metrics.value("Q", run, qrels) == pytest.approx(metrics.value("AP", run, qrels))


def test_empty_ranks():
    run, qrels = ["a", "u"], {"a": 1}
    cases = {
        "P@4": (0.25, 1.0, 0.5),
        "RBP(p=0.5)": (0.5, 1.0, 0.75),
        "RR": (1.0, 1.0, 1.0),
        "RBP(p=0.5)@4": (8 / 15, 1.0, 12 / 15),
    }
    for name, (lower, unknown, nothing) in cases.items():
        assert metrics.bounds(name, run, qrels) == pytest.approx((lower, unknown))
        assert metrics.bounds(name, run, qrels, empty="not relevant") == pytest.approx((lower, nothing))
    for name in EXACT:
        most = 1 / 16 + 15 / 16**2 / 2 + 15**2 / 16**3 / 3 if name == "ERR@3" else 1  # of grade 1, with chance 1/16
        assert metrics.bounds(name, [], qrels) == pytest.approx((0, most))
        assert metrics.bounds(name, [], qrels, empty="not relevant") == (0, 0)
    assert metrics.bounds("RR", ["b", "a2"], {"b": 0, "a2": 0}) == (0, 1 / 3)
    assert metrics.bounds("RR@3", ["b", "a2"], {"b": 0, "a2": 0}) == (0, 1 / 3)
    assert metrics.bounds("RR@2", ["b", "a2"], {"b": 0, "a2": 0}) == (0, 0)
    for name in GUIDES:
        assert metrics.bounds(name, [], qrels) == (0, 1)
        assert metrics.bounds(name, [], qrels, empty="not relevant") == (0, 0)


@pytest.mark.parametrize("name", EXACT + GUIDES + NEITHER)
def test_a_topic_without_relevant_documents_is_worth_nothing(name):
    expected = 2 / 5 if name == "Judged@5" else 0
    assert metrics.value(name, ["a", "u", "b"], {"a": 0, "b": -2}) == expected


@pytest.mark.parametrize("name", ["RPB(p=0.8)", "P", "Q@10", "R", "Rprec@10", "AP(k=1", "RBP(rel=2)"])
def test_unknown_names_are_refused(name):
    with pytest.raises(ValueError, match=r"no metric|cut-off|does not read relevance"):
        metrics.value(name, [], {})


def test_means_over_topics():
    runs, qrels = {"1": ["a"], "3": ["a"]}, {"1": {"a": 1}, "2": {"a": 1}}
    assert metrics.mean("P@2", runs, qrels) == (0.25, 0.25, 1.0, 2)
    assert metrics.mean("P@2", runs, qrels, average="common") == (0.5, 0.5, 1.0, 1)
    assert metrics.mean("P@2", runs, qrels, empty="not relevant") == (0.25, 0.25, 0.25, 2)
    assert metrics.mean("P@2", {}, qrels, average="common")[3] == 0
    queries = {"1-1": "1", "1-2": "1", "2-1": "2"}
    by_query = {"1-1": ["a"], "1-2": ["b"], "2-1": ["a"]}
    assert metrics.mean("RR", by_query, qrels, topic_of_query=queries)[0] == (0.5 + 1) / 2
    del by_query["1-2"], queries["2-1"]
    assert metrics.mean("RR", by_query, qrels, topic_of_query=queries) == (0.25, 0.25, 1.0, 2)
    assert metrics.mean("RR", by_query, qrels, topic_of_query=queries, average="common") == (1.0, 1.0, 1.0, 1)


def test_guides_by_hand():
    """A relevant document that the run lacks goes to the first unjudged place; one past the cut-off is not missing."""
    run, qrels = ["u", "a", "v", "b"], {"a": 1, "b": 2, "x": 3, "y": 1}
    assert metrics.bounds("AP", run, qrels)[1] == pytest.approx(1)
    assert metrics.bounds("AP@2", run, qrels) == pytest.approx(((1 / 2) / 4, (1 + 1) / 4))
    assert metrics.bounds("Rprec", run, qrels) == (2 / 4, 1)
    dcg = 3 + 1 / math.log2(3) + 1 / 2 + 2 / math.log2(5)
    ideal = 3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5)
    assert metrics.bounds("nDCG", run, qrels)[1] == pytest.approx(dcg / ideal)
    assert metrics.bounds("Rprec", run, qrels, rel_level=2) == (0, 1 / 2)
    assert metrics.bounds("AP", ["a"], qrels) == (1 / 4, 1 / 4)


# ---------------------------------------------------------------- the laws of the intervals


@pytest.mark.parametrize("name", [*EXACT, "nDCG@2"])
@settings(max_examples=examples(12), deadline=None)
@given(run=small_run, qrels=small_qrels, table=tables(), empty=empties)
def test_exact_bounds_are_those_of_all_completions(name, run, qrels, table, empty):
    scores = list(metrics.completions(name, run, qrels, empty=empty, **table))
    found = metrics.bounds(name, run, qrels, empty=empty, **table)
    assert found == pytest.approx((min(scores), max(scores)), abs=1e-12)


@pytest.mark.parametrize("name", [*EXACT, "nDCG@2"])
@settings(max_examples=examples(25), deadline=None)
@given(run=runs_of(), qrels=qrels_of(), more=qrels_of(), table=tables(), empty=empties)
def test_more_judgments_never_widen_exact_bounds(name, run, qrels, more, table, empty):
    grown = more | {d: g for d, g in qrels.items() if ranking.is_judged(g, negative=table["negative"])}
    wide = metrics.bounds(name, run, qrels, empty=empty, **table)
    narrow = metrics.bounds(name, run, grown, empty=empty, **table)
    assert wide[0] <= narrow[0] + 1e-12
    assert narrow[1] <= wide[1] + 1e-12


@pytest.mark.parametrize("name", EXACT + GUIDES)
@settings(max_examples=examples(25), deadline=None)
@given(run=runs_of(), qrels=qrels_of(), table=tables(), empty=empties)
def test_value_is_lower_and_all_lie_in_order(name, run, qrels, table, empty):
    lower, upper = metrics.bounds(name, run, qrels, empty=empty, **table)
    assert lower == pytest.approx(metrics.value(name, run, qrels, **table), abs=1e-12)
    assert 0 <= lower <= upper + 1e-12
    assert upper <= 1 + 1e-12


@pytest.mark.parametrize("name", [name for name in EXACT + GUIDES if not name.startswith(("INST", "Q"))])
@given(run=small_run, qrels=small_qrels, table=tables())
@settings(max_examples=examples(25), deadline=None)
def test_a_fully_judged_list_has_no_residual(name, run, qrels, table):
    qrels = dict.fromkeys(run, 0) | {doc: max(grade, 0) for doc, grade in qrels.items()}
    lower, upper = metrics.bounds(name, run, qrels, empty="not relevant", **table)
    assert upper == pytest.approx(lower, abs=1e-12)


def test_weights_and_tail_sum_to_one():
    for name in ("P@7", "SDCG@7", "RBP(p=0.8)", "RBP(p=0.8)@7", "RBP(p=0.95)"):
        assert sum(metrics.weight(name, k) for k in range(1, 8)) + metrics.tail(name, 7) == pytest.approx(1), name


# ---------------------------------------------------------------- estimates


unit = st.floats(0, 1)


@st.composite
def intervals(draw):
    """(B, T, r_max) of a weighted-precision metric: a known share of the weight, with gains up to r_max on it."""
    most = draw(st.floats(0.05, 1))
    known = draw(unit)
    B = draw(unit) * known * most
    return B, B + (1 - known) * most, most


@given(interval=intervals(), C=unit, E=unit)
def test_smoothed_mixes_interpolated_and_background(interval, C, E):
    """a*X_I + (1-a)*X_B at a = 1 - D, before clipping (r_max = 1: none occurs)."""
    B, T = interval[0] / interval[2], interval[1] / interval[2]
    D = estimates.unknown_share(B, T)
    mixed = (1 - D) * estimates.interpolated(B, T, C=C, E=E) + D * estimates.background(B, T, E=E)
    assert estimates.smoothed(B, T, C=C, E=E) == pytest.approx(mixed, abs=1e-9)


@given(interval=intervals())
def test_estimates_stay_inside(interval):
    B, T, _ = interval
    for name, estimate in estimates.ESTIMATES.items():
        assert B <= estimate(*interval) <= T, name
    assert estimates.rm(*interval) == pytest.approx(estimates.interpolated(*interval, C=1), abs=1e-12)


def test_estimates_by_hand():
    found = {name: estimate(0.2, 0.6) for name, estimate in estimates.ESTIMATES.items()}
    assert found == pytest.approx(
        {
            "lower": 0.2, "upper": 0.6, "background": 0.22, "interpolated": 0.2 + 0.42 * 0.4 * 0.2 / 0.6,
            "smoothed": 0.2 + 0.91 * 0.4 * 0.2 + 0.16 * 0.05, "rm": 0.2 / 0.6,
        }
    )  # fmt: skip
    nothing = {name: estimate(0.0, 0.75, 0.75) for name, estimate in estimates.ESTIMATES.items()}
    assert nothing == pytest.approx(
        {"lower": 0, "upper": 0.75, "background": 0.05, "interpolated": 0.01, "smoothed": 0.05, "rm": 0.01}
    )
    half_known = {name: estimate(0.3, 0.6, 0.6) for name, estimate in estimates.ESTIMATES.items()}
    assert half_known == pytest.approx(
        {
            "lower": 0.3, "upper": 0.6, "background": 0.325, "interpolated": 0.3 + 0.42 * 0.3,
            "smoothed": 0.3 + 0.91 * 0.5 * 0.3 + 0.25 * 0.05, "rm": 0.6,
        }
    )  # fmt: skip
    assert estimates.background(0.0, 0.1, 0.1, E=1) == 0.1
    assert estimates.interpolated(0.5, 0.6, C=0, E=1) == 0.5


# ---------------------------------------------------------------- pools


RUNS = {
    "one": {"1": ["a", "b", "c"], "2": ["a", "z"]},
    "two": {"1": ["b", "d"], "2": ["y", "z", "x"]},
    "out": {"1": ["e", "a", "f"]},
}
QRELS = {"1": {"a": 1, "b": 0, "d": -1, "e": 1}, "2": {"a": 0, "z": 1, "y": 0}}


def test_pool_ranks_and_depths():
    ranks = pool.pool_ranks(RUNS, ["one", "two"])
    assert ranks == {
        ("1", "a"): 1, ("1", "b"): 1, ("1", "c"): 3, ("1", "d"): 2, ("2", "a"): 1, ("2", "z"): 2, ("2", "y"): 1,
        ("2", "x"): 3,
    }  # fmt: skip
    assert pool.judgments_at_depth(QRELS, ranks, 1) == {"1": {"a": 1, "b": 0}, "2": {"a": 0, "y": 0}}
    assert pool.judgments_at_depth(QRELS, ranks, 9) == {"1": {"a": 1, "b": 0, "d": -1}, "2": QRELS["2"]}
    assert pool.judgments_at_depth(QRELS, ranks, None) == QRELS


def test_first_judgments():
    ranks = pool.pool_ranks(RUNS, ["one", "two"])
    assert pool.first_judgments(QRELS, ranks, 0) == {"1": {}, "2": {}}
    for n, of_each in ((1, {1, 0}), (2, {1}), (3, {1, 2}), (4, {2})):  # of pool rank 1, two in each topic
        assert {len([d for d in of if d != "d"]) for of in pool.first_judgments(QRELS, ranks, n).values()} == of_each
    assert pool.first_judgments(QRELS, ranks, 4) == {"1": {"a": 1, "b": 0, "d": -1}, "2": {"a": 0, "y": 0}}
    assert pool.first_judgments(QRELS, ranks, 4, negative="judged") == {"1": {"a": 1, "b": 0}, "2": {"a": 0, "y": 0}}
    assert pool.first_judgments(QRELS, ranks, 5)["2"] == QRELS["2"]
    assert "e" not in pool.first_judgments(QRELS, ranks, 5)["1"]
    assert pool.first_judgments(QRELS, ranks, 6) == QRELS


def test_first_unjudged_ranks():
    assert pool.first_unjudged_ranks(RUNS, QRELS, ["one", "two"]) == {3: 2, 2: 1, math.inf: 1}
    assert pool.first_unjudged_ranks(RUNS, QRELS, ["out"]) == {3: 1}
    assert pool.first_unjudged_rank([], {}) == math.inf


@st.composite
def pooled_study(draw):
    topics = ["1", "10", "2"]
    runs = {s: draw(st.dictionaries(st.sampled_from(topics), runs_of(SMALL))) for s in ("r", "s", "t")}
    return runs, {topic: draw(qrels_of(documents=DOCUMENTS[:7])) for topic in topics}


@settings(max_examples=examples(40), deadline=None)
@given(study=pooled_study(), depth=st.integers(0, 6), n=st.integers(0, 20))
def test_pools_nest(study, depth, n):
    runs, qrels = study
    ranks = pool.pool_ranks(runs, ["r", "s"])
    for smaller, larger in [
        (pool.judgments_at_depth(qrels, ranks, depth), pool.judgments_at_depth(qrels, ranks, depth + 1)),
        (pool.first_judgments(qrels, ranks, n), pool.first_judgments(qrels, ranks, n + 1)),
    ]:
        for topic in qrels:
            assert smaller[topic].items() <= larger[topic].items() <= qrels[topic].items()
    judged = [g for rows in pool.first_judgments(qrels, ranks, n).values() for g in rows.values() if g != -1]
    total = sum(g != -1 for rows in qrels.values() for g in rows.values())
    assert len(judged) == min(n, total)


# ---------------------------------------------------------------- orderings


def test_ranks():
    assert pool.rank({"a": 0.5, "b": 0.7, "c": 0.5 + 1e-14, "d": 0.1}) == {"a": 2, "b": 1, "c": 2, "d": 4}
    spans = {"a": (0.1, 0.3), "b": (0.2, 0.4), "c": (0.3, 0.9), "d": (0.5, 0.6)}
    assert pool.rank_best(spans) == {"a": 2, "b": 2, "c": 1, "d": 1}
    assert pool.rank_worst(spans) == {"a": 4, "b": 4, "c": 4, "d": 2}
    assert pool.pairs_decided(spans) == 2 / 6
    assert math.isnan(pool.pairs_decided({"a": (0, 1)}))


@given(spans=st.dictionaries(st.sampled_from("abcde"), st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_rank_lies_between_best_and_worst(spans):
    """By enumeration: every choice of one value in each interval's ends gives a rank between the two."""
    spans = {s: (min(ends) / 4, max(ends) / 4) for s, ends in spans.items()}
    best, worst = pool.rank_best(spans), pool.rank_worst(spans)
    for end in (0, 1):
        for own in spans:
            means = {s: spans[s][1 - end if s == own else end] for s in spans}
            assert best[own] <= pool.rank(means)[own] <= worst[own]
            if end == 0:
                assert pool.rank(means)[own] == best[own]


def test_kendall():
    a, b = {"x": 3, "y": 2, "z": 1, "w": 1}, {"x": 1, "y": 2, "z": 3, "w": 0}
    # xy and xz turn, yz turns, xw and yw agree, zw is tied in the first
    assert pool.tau_a(a, b) == (2 - 3) / 6
    assert pool.kendall_distance(a, b) == 3 / 6
    assert pool.tau_a(a, a) == 5 / 6
    assert pool.kendall_tau(a, a) == pytest.approx(1)
    assert math.isnan(pool.kendall_tau({"x": 1}, {"x": 2}))


@given(values=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_tau_and_distance_leave_the_ties(values):
    a, b = ({n: pair[i] / 3 for n, pair in enumerate(values)} for i in (0, 1))
    tied = sum(1 for u, v in combinations(a, 2) if a[u] == a[v] or b[u] == b[v])
    pairs = math.comb(len(values), 2)
    assert pool.tau_a(a, b) == pytest.approx(1 - tied / pairs - 2 * pool.kendall_distance(a, b))
