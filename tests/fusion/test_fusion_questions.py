"""The questions of fusion and consistency, against the definitions on small tracks with query variations."""

import dataclasses
import math
import re
import shutil
import statistics
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import evalcore
from evalcore.interop.trec_files import trec_run
from evalcore.questions.requirements import several_rankings
from tests.examples import examples
from tests.oracles import consistency as consistency_oracle
from tests.oracles import fusion as oracle
from tests.oracles import metrics as metric_oracle
from tests.oracles.ranking import order
from tests.small import DOCUMENTS, small_study
from ui.data import sources

METRICS = ["AP", "nDCG@3", "RBP(p=0.8)"]
LETTERS = st.dictionaries(st.sampled_from(DOCUMENTS[:7]), st.integers(0, 3).map(float), max_size=5)


@st.composite
def varied_tracks(draw, systems=3, topics=3):
    """Systems that answer one to three queries of each topic, some with nothing; a weight for each query; judgments."""
    queries = [f"t{t}-{v}" for t in range(draw(st.integers(2, topics))) for v in range(draw(st.integers(1, 3)))]
    assume(any(query.endswith("-1") for query in queries))
    names = [f"s{number}" for number in range(draw(st.integers(1, systems)))]
    runs = {name: {query: draw(LETTERS) for query in queries} for name in names}
    judged = sorted({query.split("-")[0] for query in queries})
    qrels = {topic: {"da": 1, "db": 0} | draw(st.dictionaries(st.sampled_from(DOCUMENTS[2:7]), st.integers(0, 2)))
             for topic in judged}  # fmt: skip
    weight = {query: float(draw(st.integers(1, 3))) for query in queries}
    return runs, qrels, weight


def study_of(track):
    runs, qrels, weight = track
    study = small_study(runs, qrels)
    weights = [weight[query] for query in study.track.queries]
    return dataclasses.replace(study, query_table=study.query_table.assign(weight=weights))


def table(study, question, **params):
    return evalcore.ask(study, question, **params).table


def by_topic(track):
    """topic -> its queries as they are added."""
    runs, _, weight = track
    queries = sorted(next(iter(runs.values())))
    topics = sorted({query.split("-")[0] for query in queries})
    of = {topic: [query for query in queries if query.startswith(f"{topic}-")] for topic in topics}
    return {topic: oracle.by_falling_weight(asked, weight) for topic, asked in of.items()}


def score(metric, ranking, judged):
    return metric_oracle.value(metric, oracle.as_run(order(ranking)), judged, g_max=2)


def mean(values):
    return sum(values) / len(values)


@settings(max_examples=examples(40), deadline=None)
@given(track=varied_tracks(), method=st.sampled_from(["rbc", "combsum", "borda"]), variations=st.booleans())
def test_fuse_says_who_put_what_where(track, method, variations):
    runs, _, _ = track
    found = table(study_of(track), "fuse", method=method, variations=variations)
    queries_of, weighed = by_topic(track), sorted(runs)
    if not variations:
        lists = {q: {s: runs[s][q] for s in weighed} for of in queries_of.values() for q in of}
    elif len(runs) == 1:
        lists = {t: {q: runs["s0"][q] for q in of} for t, of in queries_of.items()}
    else:
        lists = {
            t: {s: oracle.values([runs[s][q] for q in of], method) for s in weighed} for t, of in queries_of.items()
        }
        if method == "combsum":
            return  # what it takes from a fused list are the scores that are saved of it, which are rounded
    key = "query" if "query" in found else "topic"
    for one, of_inputs in lists.items():
        rows = found[found[key] == one]
        values = oracle.values(list(of_inputs.values()), method)
        assert rows.document.tolist() == order(values)
        assert rows.score.tolist() == pytest.approx([float(values[document]) for document in rows.document])
        assert rows["rank"].tolist() == list(range(1, len(values) + 1))
        places = {name: order(scored) for name, scored in of_inputs.items()}
        for document, inputs, count in zip(rows.document, rows.inputs, rows.lists, strict=True):
            held = {f"{name}@{of.index(document) + 1}" for name, of in places.items() if document in of}
            assert set(inputs.split()) == held
            assert count == len(held)


@settings(max_examples=examples(30), deadline=None)
@given(track=varied_tracks(), metric=st.sampled_from(METRICS))
def test_what_fusing_systems_gains(track, metric):
    runs, qrels, _ = track
    names, queries_of = sorted(runs), by_topic(track)
    each = {s: [mean([score(metric, runs[s][q], qrels[t]) for q in of]) for t, of in queries_of.items()] for s in names}
    best = max(names, key=lambda s: (round(mean(each[s]), 12), [-ord(c) for c in s]))
    fused = {
        rule: [
            mean([
                score(metric, oracle.values([runs[s][q] for s in names], rule[0], phi=rule[1]), qrels[t]) for q in of
            ])
            for t, of in queries_of.items()
        ]
        for rule in (("rbc", 0.8), ("rbc", 0.95), ("borda", 0.9))
    }  # fmt: skip
    found = table(study_of(track), "fusion_scores", methods=["rbc", "borda"], phis=[0.8, 0.95], metrics=[metric])
    assert list(zip(found.method, found.phi.fillna(0.9), strict=True)) == list(fused)
    for row, scores in zip(found.itertuples(), fused.values(), strict=True):
        assert row.value == pytest.approx(mean(scores))
        assert row.best_input == pytest.approx(mean(each[best]))
        assert row.mean_input == pytest.approx(mean([mean(each[s]) for s in names]))
        assert row.gain_over_best == pytest.approx(row.value - row.best_input)
        assert row.gain_over_mean == pytest.approx(row.value - row.mean_input)
        assert row.n == len(queries_of)
        assert row.better == (row.p < 0.05 and row.gain_over_best > 0)
        if all(mean(each[best]) - mean(each[s]) > 1e-9 for s in names if s != best):
            one_tail = one_tailed(scores, each[best])
            assert row.p_one_tailed == pytest.approx(one_tail, nan_ok=True)
            assert row.p == pytest.approx(2 * min(one_tail, 1 - one_tail), nan_ok=True)
        p = one_tailed(scores, fused["borda", 0.9])
        assert row.p_against_borda == pytest.approx(p, nan_ok=True) or row.method == "borda"
    assert found[found.method == "borda"].p_against_borda.isna().all()


WEB = Path(__file__).parents[2] / "sample_data" / "web"


@pytest.mark.parametrize("metric", ["AP", "RBP(p=0.8)", "nDCG@10"])
@pytest.mark.parametrize("systems", [slice(0, 3), slice(4, 9), slice(20, 23)])
def test_fusion_says_what_compare_says_of_the_same_two_runs(metric, systems):
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt", cache=False)
    names = evalcore.ask(study, "leaderboard", metric=metric).table["system"][systems].tolist()
    fused = evalcore.ask(study, "fusion_scores", systems=names, methods=["rbc"], phis=[0.9], metrics=[metric])
    row = fused.table.iloc[0]
    both = study.with_fused("fused", systems=names, method="rbc", phi=0.9)
    compared = evalcore.ask(both, "comparison", a="fused", b=row["best"], metric=metric)
    assert row["p"] == pytest.approx(compared.table["p"].iloc[0])
    assert row["better"] == (compared.table["significant"].iloc[0] and row["gain_over_best"] > 0)
    scores = evalcore.ask(both, "scores", metric=metric).table.pivot_table("value", "system", "topic")
    scores = scores.loc[["fused", *names]].to_numpy()
    S, T = scores.shape
    left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    error = ((left**2).sum() / ((S - 1) * (T - 1)) / T) ** 0.5
    apart = abs(scores[0].mean() - scores[1:].mean(axis=1).max()) / error
    assert row["p_tukey"] == pytest.approx(scipy.stats.studentized_range.sf(apart, S, (S - 1) * (T - 1)), abs=2e-5)
    facts = fused.finding.facts
    assert facts.get("reversed_by") == compared.finding.facts.get("reversed_by")
    said = str(compared.finding).replace("certain on these topics", "no further judging can reverse it")
    for words in ("could reverse it", "might reverse it", "no further judging can reverse it"):
        assert (words in str(fused.finding)) == (words in said)


def one_tailed(one, other):
    """SciPy's, where it has one."""
    apart = [a - b for a, b in zip(one, other, strict=True)]
    if max(apart) - min(apart) < 1e-12:
        return 0.5 if abs(apart[0]) < 1e-12 else float(apart[0] < 0)
    return stats.ttest_rel(one, other, alternative="greater").pvalue


@settings(max_examples=examples(30), deadline=None)
@given(track=varied_tracks(systems=2), metric=st.sampled_from(METRICS), method=st.sampled_from(["rbc", "combmnz"]))
def test_fusing_more_and_more_variations(track, metric, method):
    runs, qrels, _ = track
    queries_of = by_topic(track)
    most = max(map(len, queries_of.values()))
    found = table(study_of(track), "fusion_by_count", metric=metric, method=method)
    assert len(found) == len(runs) * most
    for row in found.itertuples():
        expected = mean([
            score(metric, oracle.values([runs[row.system][q] for q in of[: row.count]], method), qrels[t])
            for t, of in queries_of.items()
        ])  # fmt: skip
        assert row.value == pytest.approx(expected)
        assert row.topics == sum(len(of) >= row.count for of in queries_of.values())
    whole = table(study_of(track), "fusion_scores", methods=[method], phis=[0.9], metrics=[metric], over="variations")
    assert whole.value.tolist() == pytest.approx(found[found["count"] == most].value.tolist())


@settings(max_examples=examples(30), deadline=None)
@given(track=varied_tracks(), metric=st.sampled_from(METRICS), over=st.sampled_from(["systems", "variations", "both"]))
def test_the_topics_make_up_the_scores(track, metric, over):
    study = study_of(track)
    of_topics = table(study, "fusion_topics", metric=metric, over=over)
    whole = table(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=[metric], over=over).set_index("system")
    assert np.allclose(of_topics.difference, of_topics.fused - of_topics.best_input)
    means = of_topics.groupby("system")[["fused", "best_input", "mean_input"]].mean()
    for system, row in means.iterrows():
        expected = whole.loc[system, ["value", "best_input", "mean_input"]]
        assert row.tolist() == pytest.approx(expected.tolist())


@settings(max_examples=examples(30), deadline=None)
@given(track=varied_tracks(), metric=st.sampled_from(METRICS))
def test_the_best_variation_in_hindsight(track, metric):
    runs, qrels, _ = track
    queries_of = by_topic(track)
    found = table(study_of(track), "oracle_variation", metric=metric).set_index("system")
    for system, of_system in runs.items():
        scores = [[score(metric, of_system[q], qrels[t]) for q in of] for t, of in queries_of.items()]
        expected = [mean(list(map(mean, scores))), mean([of[0] for of in scores]), mean(list(map(max, scores)))]
        assert found.loc[system, ["all_queries", "first_query", "best_query"]].tolist() == pytest.approx(expected)


@settings(max_examples=examples(40), deadline=None)
@given(track=varied_tracks())
def test_consistency_and_its_means_and_tests(track):
    runs, _, _ = track
    study, queries_of = study_of(track), by_topic(track)
    found = table(study, "consistency").set_index(["system", "topic"])
    expected = {}
    for s, of_system in runs.items():
        for t, of in queries_of.items():
            lists = [order(of_system[q]) for q in of if of_system[q]]
            value, sd, n = (
                consistency_oracle.topic_consistency(lists) if len(lists) > 1 else (math.nan,) * 2 + (len(lists),)
            )
            expected[s, t] = value
            row = found.loc[(s, t)]
            assert (row.queries, row.variations) == (len(lists), n)
            assert (row.consistency, row.sd) == pytest.approx((value, sd), nan_ok=True, abs=1e-9)
    means = table(study, "consistency_of_systems").set_index("system")
    for s in runs:
        known = [expected[s, t] for t in queries_of if not math.isnan(expected[s, t])]
        assert means.consistency[s] == pytest.approx(mean(known) if known else math.nan, nan_ok=True)
        assert means.topics[s] == len(known)
    for row in table(study, "consistency_pairs").itertuples():
        both = [(expected[row.a, t], expected[row.b, t]) for t in queries_of]
        both = [pair for pair in both if not any(map(math.isnan, pair))]
        assert row.n == len(both)
        apart = [a - b for a, b in both]
        if len(both) > 1 and max(apart) - min(apart) > 1e-9:
            theirs = stats.ttest_rel(*zip(*both, strict=True))
            assert (row.t, row.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@settings(max_examples=examples(40), deadline=None)
@given(track=varied_tracks(), metric=st.sampled_from(METRICS))
def test_correlations_and_agreement_are_of_the_scores_shown(track, metric):
    study = study_of(track)
    shown = table(study, "consistency").pivot(index="system", columns="topic", values="consistency")
    scores = table(study, "scores", metric=metric).groupby(["system", "topic"]).value.mean().unstack()
    for row in table(study, "consistency_correlations", metrics=[metric]).itertuples():
        if row._2 == metric:  # the column "with"
            both = pd.DataFrame({"a": shown.loc[row.system], "b": scores.loc[row.system]}).dropna().round(12)
            assert row.n == len(both)
            if len(both) > 2 and both.nunique().min() > 1:
                assert row.rho == pytest.approx(stats.spearmanr(both.a, both.b).statistic, abs=1e-6)
    if len(scores) > 1:
        rows = scores.T.round(12).to_numpy().tolist()
        for level in ("ordinal", "interval"):
            agreed = table(study, "topic_agreement", of=metric, alpha=level).set_index("measure").value
            if len({round(v, 9) for of in rows for v in of}) > 1:
                assert agreed["alpha"] == pytest.approx(consistency_oracle.alpha(rows, level), abs=1e-6)
                assert agreed["ICC"] == pytest.approx(consistency_oracle.icc(rows), abs=1e-9, nan_ok=True)


@settings(max_examples=examples(30), deadline=None)
@given(track=varied_tracks(), variations=st.booleans(), k=st.sampled_from([1, 3, None]))
def test_overlaps_of_systems_and_of_variations(track, variations, k):
    runs, _, _ = track
    if len(runs) == 1 and not variations:
        return
    found = table(study_of(track), "rbo", variations=variations, phi=0.8, k=k)
    for row in found.itertuples():
        both = row.a, row.b
        pair = [runs[row.system][q] for q in both] if variations else [runs[s][row.query] for s in both]
        one, two = (order(scored)[:k] for scored in pair)
        expected = [of(one, two, 0.8) for of in (consistency_oracle.minimum, consistency_oracle.maximum)]
        assert (row.minimum, row.maximum) == pytest.approx(expected, abs=1e-9)
        assert row.residual == pytest.approx(expected[1] - expected[0], abs=1e-9)
        assert row.extrapolated == pytest.approx(consistency_oracle.extrapolated(one, two, 0.8), nan_ok=True)


def test_topics_that_neither_system_answers_do_not_lower_an_overlap():
    """METHODS 12.1."""
    one, two = {"a": 3.0, "b": 2.0, "c": 1.0}, {"a": 3.0, "c": 2.0, "b": 1.0}
    runs = {"A": {"1": one}, "B": {"1": two}, "C": {"1": two, "2": {"x": 1.0}}}
    answer = evalcore.ask(small_study(runs, {"1": {"a": 1}, "2": {"x": 1}}), "rbo")
    shared = consistency_oracle.extrapolated("abc", "acb", 0.9)
    mean = answer.table.groupby(["a", "b"])["extrapolated"].mean()
    assert mean["A", "B"] == pytest.approx(shared)
    assert mean["A", "C"] == pytest.approx(shared / 2)  # C answers a topic that A does not
    assert answer.finding.facts["highest"] == pytest.approx(shared)
    assert "The column “extrapolated” is empty if both rankings are empty." in answer.notes
    never = evalcore.ask(small_study({"A": {"1": one}, "B": {"2": two}, "C": {}, "D": {}}, {"1": {"a": 1}}), "rbo")
    assert never.finding.facts["most_others"] == 4  # C and D share no topic with anybody, nor with each other
    both_empty = evalcore.ask(small_study({"C": {}, "D": {}}, {"1": {"a": 1}}), "rbo")
    assert both_empty.finding.headline == "No overlap can be computed: no two of these rankings contain a document."


# What is odd is said

PLAIN = {"A": {"1": {"a": 3.0, "b": 2.0}, "2": {"x": 1.0}}, "B": {"1": {"c": 1.0, "d": 1.0}, "2": {"x": 4.0, "y": 3.0}}}
PLAIN_QRELS = {"1": {"a": 1, "c": 0}}
VARIED = {"A": {"1-1": {"a": 2.0, "b": 1.0}, "1-2": {"b": 2.0}, "2-1": {"x": 1.0}}}


@pytest.mark.parametrize(
    ("question", "params", "sentence"),
    [
        ("fuse", {}, "In 1 of 2 fused rankings, no two inputs share a document."),
        ("fuse", {}, "1 of 4 inputs has a single document."),
        (
            "fuse",
            {"method": "combmnz"},
            "1 of 4 inputs gives all of its documents the same score, which min-max normalisation",
        ),
        ("fuse", {"systems": ["A"]}, "2 of 2 fused rankings have only one input."),
        ("fuse", {"systems": ["A"], "variations": True}, "2 of 2 fused rankings have only one input"),
        ("fusion_scores", {}, "1 topic without judgments is left out (2)."),
        ("fusion_scores", {}, "The column “phi” is empty for methods without this parameter."),
        ("fusion_scores", {}, "The column “p_against_borda” is empty for Borda itself"),
    ],
)
def test_odd_inputs_are_said_in_a_note(question, params, sentence):
    notes = evalcore.ask(small_study(PLAIN, PLAIN_QRELS), question, **params).notes
    assert any(note.startswith(sentence) for note in notes), notes


@pytest.mark.parametrize(
    ("question", "params", "sentence"),
    [
        *(
            (question, params, "every topic has only one query, so there are no query variations. Set how queries")
            for question, params in [
                ("fusion_scores", {"over": "variations"}), ("fusion_by_count", {}), ("rbo", {"variations": True}),
                ("consistency", {}), ("consistency_of_systems", {}), ("consistency_pairs", {}),
                ("consistency_correlations", {}), ("topic_agreement", {}), ("oracle_variation", {}),
            ]
        ),
        ("fuse", {"method": "condorcet"}, "no fusion method 'condorcet'. Known: rbc, borda, "),
        ("fuse", {"k": 0}, "k=0 is not valid; it must be a whole number from 1."),
        ("fuse", {"topic": "9"}, "no topic '9'. Known: 1, 2."),
        ("fusion_scores", {"methods": "rbc"}, "methods='rbc' is one value; a list such as ['rbc'] is needed."),
        ("fusion_scores", {"phis": []}, "phis is empty; name at least one, such as 0.9."),
        ("fusion_scores", {"methods": ["rbc"], "phis": [2]}, "phi=2 is not valid; it must be between 0 and 1"),
        ("fusion_scores", {"over": "users"}, "over='users' is not known. Known: systems, variations, both."),
        ("fusion_scores", {"level": 5}, "level=5 is not valid"),
        ("fusion_topics", {"systems": "unpooled"}, "systems='unpooled' chooses no system, because all have"),
        ("rbo", {"systems": ["A"]}, "an overlap needs at least two systems. Choose another one,"),
        ("rbo", {"phi": 1}, "phi=1 is not valid; it must be between 0 and 1, such as 0.9."),
        ("topic_agreement", {"of": "AP", "alpha": "nominal"}, "alpha='nominal' is not known. Known: ordinal, "),
        ("topic_agreement", {"of": "AP"}, "agreement needs at least two systems and two topics that count"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(question, params, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        evalcore.ask(small_study(PLAIN, PLAIN_QRELS, pooled="all"), question, **params)


def test_a_topic_with_one_variation_has_no_consistency_and_says_so():
    answer = evalcore.ask(small_study(VARIED, {"2": {"x": 1}}), "consistency")
    assert answer.table.topic.tolist() == ["1", "2"]
    assert answer.table.consistency.notna().tolist() == [True, False]
    said = "The column “consistency” is empty if a system has rankings for fewer"
    assert any(note.startswith(said) for note in answer.notes)
    found = evalcore.ask(small_study(VARIED, {"2": {"x": 1}}), "oracle_variation")
    assert "1 topic without judgments is left out (1)." in found.notes


def test_the_same_answer_to_different_words_is_consistent():
    runs = {"A": {"1-1": {"a": 2.0, "b": 1.0}, "1-2": {"a": 5.0, "b": 1.0}}}
    found = table(small_study(runs, {"1": {"a": 1}}), "consistency").iloc[0]
    assert (found.queries, found.variations, found.consistency) == (2, 1, pytest.approx(1))


def test_numeric_columns_of_the_queries_are_correlated_with():
    runs = {"A": {f"{t}-{v}": {d: float(ord(d) * v % (5 + t)) for d in "abcdefg"} for t in range(4) for v in (1, 2, 3)}}
    study = small_study(runs, {"0": {"a": 1}})
    words = [float(query[0]) for query in study.track.queries]
    study = dataclasses.replace(study, query_table=study.query_table.assign(words=words, text="of the query"))
    found = table(study, "consistency_correlations", metrics=["AP"]).set_index("with")
    assert list(found.index) == ["queries", "variations", "AP", "words"]
    shown = table(study, "consistency").consistency
    assert found.rho["words"] == pytest.approx(stats.spearmanr(shown, range(4)).statistic)
    assert math.isnan(found.rho["variations"])


# Attributes of topics [BMST17, table 5]

SEVERAL = {"A": {f"{t}-{v}": {"a": 3.0, "bcde"[t * v % 4]: 2.0 + v, "f": 1.0 * t} for t in range(5) for v in (1, 2)}}
TOPICS = "qid,difficulty,kind\n0,3,easy\n2,1,hard\n1,5,hard\n9,7,hard\n4,2.5,easy\n"


def attributes(text):
    return evalcore.Upload("topics.csv", text.encode())


def test_consistency_is_correlated_with_attributes_of_topics():
    study = small_study(SEVERAL, {"0": {"a": 1}})
    found = table(study, "consistency_correlations", metrics=["AP"], attributes=attributes(TOPICS)).set_index("with")
    assert list(found.index) == ["queries", "variations", "AP", "difficulty"]
    shown = table(study, "consistency").set_index("topic").consistency.round(12)
    expected = stats.spearmanr(shown[["0", "1", "2", "4"]], [3, 5, 1, 2.5])
    assert found.rho["difficulty"] == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p["difficulty"] == pytest.approx(expected.pvalue, abs=1e-9)
    assert found.n["difficulty"] == 4  # topic 3 has no row


def test_an_attribute_with_the_name_of_a_metric_replaces_nothing():
    study = small_study(SEVERAL, {"0": {"a": 1}}).with_attributes(attributes(TOPICS.replace("difficulty", "AP")))
    assert table(study, "consistency_correlations", metrics=["AP"])["with"].tolist()[-2:] == ["AP", "AP (table)"]


def test_later_attributes_replace_earlier_ones():
    study = small_study(SEVERAL, {"0": {"a": 1}}).with_attributes(attributes(TOPICS))
    study = study.with_attributes(attributes("topic;age\n0;3\n1;4\n"))
    assert list(study.attributes.columns) == ["age"]
    assert [source.role for source in study.sources].count("attributes") == 1
    assert list(study.only(topics=["1", "2"]).attributes.age) == [3, 4]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "topic,n\n77,1\n",
            "topics.csv has no topic of this track (77; the track has 0, 1, 2, ...). Use the same names",
        ),
        ("topic,kind\n1,a\n", "topics.csv has no column of numbers. Add one, such as"),
        ("subject,n\n1,2\n", 'topics.csv, line 1: no column "topic" among subject, n; the first line must name'),
        ("topic,n\n1,2\n1,3\n", "topics.csv has several rows for topic 1. Keep one row for each topic."),
        ("", "topics.csv is empty; a table of topics is CSV, TSV or Excel"),
    ],
)
def test_attributes_that_cannot_be_used(text, sentence):
    with pytest.raises(evalcore.InputError, match="^" + re.escape(sentence)):
        small_study(SEVERAL, {"0": {"a": 1}}).with_attributes(attributes(text))


def test_the_script_of_an_answer_reads_the_attributes_again(tmp_path):
    study = evalcore.open_study("sample_data/variations/runs", "sample_data/variations/qrels.txt", variations="run")
    rows = "".join(f"{topic},{len(topic) + place % 4}\n" for place, topic in enumerate(study.topics))
    (tmp_path / "topics.csv").write_text("topic,difficulty\n" + rows)
    answer = evalcore.ask(study, "consistency_correlations", attributes=tmp_path / "topics.csv")
    for source in answer.sources[:-1]:
        (found,) = Path("sample_data/variations").glob(f"**/{Path(source.name).name}")
        shutil.copy(found, tmp_path)
    files = [(source.role, Path(source.name).name, source.sha256) for source in answer.sources]
    again = evalcore.ask(evalcore.reopen(files, tmp_path, **answer.options), answer.question, **answer.params)
    pd.testing.assert_frame_equal(again.table, answer.table)


# However the files name variations

SAID = {"401-1": "abc", "401-2": "bd", "402-1": "ea"}
FILES = {  # the same variations of the system A: by name, in a table, by run
    "separator": ({"A": {query: query for query in SAID}}, {"variations": "-"}, ""),
    "table": ({"A": {"q1": "401-1", "q2": "401-2", "q3": "402-1"}}, {}, "query,topic\nq1,401\nq2,401\nq3,402\n"),
    "run": ({"A.v1": {"401": "401-1", "402": "402-1"}, "A.v2": {"401": "401-2"}}, {"variations": "run"}, ""),
}


@pytest.mark.parametrize("way", FILES)
def test_variations_are_known_whichever_way_the_files_say_it(tmp_path, way):
    runs, options, queries = FILES[way]
    (tmp_path / "runs").mkdir()
    for name, asked in runs.items():
        rows = [(query, d, rank) for query, said in asked.items() for rank, d in enumerate(SAID[said], 1)]
        lines = [f"{query} Q0 {document} {rank} {-rank} {name}\n" for query, document, rank in rows]
        (tmp_path / "runs" / f"{name}.txt").write_text("".join(lines))
    (tmp_path / "qrels.txt").write_text("401 0 b 1\n402 0 a 1\n")
    if queries:
        (tmp_path / "queries.csv").write_text(queries)
        options = options | {"queries": tmp_path / "queries.csv"}
    study = evalcore.open_study(tmp_path / "runs", tmp_path / "qrels.txt", cache=False, **options)
    assert study.systems == ("A",)
    fused = table(study, "fuse", variations=True)
    assert fused.document[fused.topic == "401"].tolist() == oracle.fused(["abc", "bd"], "rbc")
    assert table(study, "consistency").variations.tolist() == [2, 1]
    assert table(study, "oracle_variation", metric="RR").best_query.tolist() == [0.75]


@settings(max_examples=examples(30))
@given(track=varied_tracks())
def test_a_topics_consistency_is_the_mean_of_the_systems(track):
    study = study_of(track)
    shown = table(study, "consistency").groupby("topic").consistency
    for row in table(study, "consistency_of_topics").itertuples():
        found = shown.get_group(row.topic).dropna()
        assert row.n == len(found)
        expected = [found.mean(), found.min(), found.max()] if len(found) else [math.nan] * 3
        assert [row.consistency, row.lowest, row.highest] == pytest.approx(expected, nan_ok=True)
        deviation = statistics.stdev(found) if len(found) > 1 else math.nan
        assert row.sd == pytest.approx(deviation, abs=1e-9, nan_ok=True)


# Runs to take home


def read_back(text, qrels, tmp_path, metric="AP", **options):
    (tmp_path / "back.run").write_bytes(text)
    lines = [f"{topic} 0 {document} {grade}" for topic, judged in qrels.items() for document, grade in judged.items()]
    (tmp_path / "qrels.txt").write_text("\n".join(lines))
    study = evalcore.open_study([tmp_path / "back.run"], tmp_path / "qrels.txt", cache=False, **options)
    return table(study, "leaderboard", metric=metric).value[0]


QUERIES = {"1-1": {"a": 3.0, "b": 2.0}, "1-2": {"b": 5.0, "c": 1.0}, "2-1": {"x": 1.0}, "2-2": {"y": 2.0, "x": 1.0}}
SOME = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"x": 1, "y": 0}}


def test_a_run_fused_over_variations_is_written_topic_by_topic(tmp_path):
    study = small_study({"A": QUERIES, "B": QUERIES}, SOME).with_fused("f", systems=["A"], over="variations")
    text = trec_run(study.track, "f")
    assert {line.split()[0] for line in text.splitlines()} == {b"1", b"2"}
    right = table(study, "leaderboard", metric="AP").set_index("system").value["f"]
    assert read_back(text, SOME, tmp_path) == pytest.approx(right)


def test_a_run_with_variations_is_written_query_by_query(tmp_path):
    study = small_study({"A": QUERIES}, SOME)
    text = trec_run(study.track, "A")
    assert text.splitlines()[0] == b"1-1 Q0 a 1 3.0 A"
    right = table(study, "leaderboard", metric="AP").value[0]
    assert read_back(text, SOME, tmp_path, variations="-") == pytest.approx(right)


def test_a_name_with_a_blank_has_no_place_in_a_run():
    study = small_study({"A": {"1": {"a b": 1.0}}}, {"1": {"a b": 1}})
    with pytest.raises(ValueError, match="six columns"):
        trec_run(study.track, "A")


# Inputs of unlike extent


def test_a_topic_with_fewer_variations_gives_its_last_to_the_best_input():
    runs = {"A": {"1-1": {"n": 1.0}, "1-2": {"r": 1.0}, "1-3": {"r": 1.0}, "2-1": {"n": 2.0, "r": 1.0}}}
    study = small_study(runs, {"1": {"r": 1, "n": 0}, "2": {"r": 1, "n": 0}})
    row = table(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=["AP"], over="variations").iloc[0]
    assert row.best_input == pytest.approx((1 + 0.5) / 2)


def test_queries_as_good_as_the_best_one_are_named():
    runs = {"A": {"1-1": {"r": 1.0}, "1-2": {"n": 1.0}, "1-3": {"r": 1.0}, "1-4": {"r": 2.0, "n": 1.0}}}
    study = small_study(runs, {"1": {"r": 1, "n": 0}})
    answer = evalcore.ask(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=["AP"], over="variations")
    assert "query 3 and query 4 have the same AP as query 1." in answer.notes


def test_inputs_without_scores_or_with_one_alone_are_counted():
    """A file without scores is given -1, -2, ... by rank."""
    scores = {"A": [-1, -2, -3], "B": [-3, -4, -5], "C": [5, 5, 5], "D": [9, 1]}
    runs = {s: {"1": dict(zip("abc", map(float, of), strict=False))} for s, of in scores.items()}
    notes = evalcore.ask(small_study(runs, {"1": {"a": 1}}), "fuse", method="combsum").notes
    assert "1 of 4 inputs has no scores, so ranks are used instead." in notes
    assert any(note.startswith("1 of 4 inputs gives all of its documents the same score, which ") for note in notes)


def test_gains_are_over_topics_that_both_have():
    runs = {"A": {"2": {"r": 1.0}}, "B": {"1": {"n": 2.0, "r": 1.0}, "2": {"r": 1.0}}}
    study = small_study(runs, {"1": {"r": 1, "n": 0}, "2": {"r": 1}}, average="common")
    row = table(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=["AP"]).iloc[0]
    assert (row.value, row.best_input, row.gain_over_best, row.n) == (1, 1, 0, 1)


def test_scores_in_another_order_than_the_one_in_force_are_refused():
    study = small_study({"A": {"1": {"a": 1.0, "b": 2.0}}, "B": {"1": {"a": 1.0}}}, {"1": {"a": 1}})
    turned = dataclasses.replace(study.track, **{
        name: getattr(study.track, name)[:, :, ::-1].copy() for name in ("items", "scores")
    })  # fmt: skip
    turned = dataclasses.replace(study, track=turned).only(systems=["A"])
    with pytest.raises(ValueError, match="orders scores unlike its rank column"):
        evalcore.ask(turned, "fuse", method="combsum")
    assert evalcore.ask(turned, "fuse", method="combsum", normalisation="rank").table.document.tolist() == ["a", "b"]


def test_ranks_in_place_of_scores_are_said():
    study = small_study({"A": {"1": {"a": -1.0, "b": -2.0}}, "B": {"1": {"b": 7.0, "a": 3.0}}}, {"1": {"a": 1}})
    notes = evalcore.ask(study, "fuse", method="combsum").notes
    assert any("1 of 2 inputs has no scores" in note for note in notes)


# Methods by number of variations, and double fusion


def mean_of_means(rows):
    """Of score by (system, topic): the mean over systems of each topic, then over topics."""
    by_topic = {}
    for (_, topic), value in rows.items():
        by_topic.setdefault(topic, []).append(value)
    means = {topic: sum(values) / len(values) for topic, values in by_topic.items()}
    return sum(means.values()) / len(means), means


def fused_by_topic(study, method, metric, *, systems, over):
    """The fused runs' scores from `fusion_topics`, whose fused rankings are tested against the definition above."""
    table = evalcore.ask(study, "fusion_topics", method=method, metric=metric, systems=systems, over=over).table
    return {(row.system, row.topic): row.fused for row in table.itertuples()}


@pytest.fixture(scope="module")
def varied():
    return sources.opened(sources.sample("variations"), {}).study


def test_methods_are_compared_over_systems_then_topics(varied):
    most = max(np.bincount(varied.track.topic_of_query))
    found = evalcore.ask(varied, "fusion_methods_by_count", counts=[int(most)], metrics=["AP"]).table
    found = found.set_index("method")
    means = {}
    for method in ("rbc(phi=0.9)", "borda", "combmnz"):
        scores = fused_by_topic(varied, method, "AP", systems="all", over="variations")
        value, means[method] = mean_of_means(scores)
        assert found.loc[method.partition("(")[0], "value"] == pytest.approx(value)
    for method in ("rbc(phi=0.9)", "combmnz"):
        pairs = [(means[method][topic], means["borda"][topic]) for topic in means["borda"]]
        p = scipy.stats.ttest_rel(*zip(*pairs, strict=True), alternative="greater").pvalue
        assert found.loc[method.partition("(")[0], "p_against_borda"] == pytest.approx(p)
    assert np.isnan(found.loc["borda", "p_against_borda"])


def test_double_fusion_has_every_step(varied):
    row = evalcore.ask(varied, "double_fusion", methods=["borda"], metrics=["AP"]).table.iloc[0]
    scores = evalcore.ask(varied, "scores", metric="AP").table
    by_topic = scores.groupby(["system", "topic"])["value"].mean().to_dict()
    assert row.single == pytest.approx(mean_of_means(by_topic)[0])
    variations = fused_by_topic(varied, "borda", "AP", systems="all", over="variations")
    assert row.over_variations == pytest.approx(mean_of_means(variations)[0])
    both = fused_by_topic(varied, "borda", "AP", systems=list(varied.systems), over="both")
    assert row.over_both == pytest.approx(mean_of_means(both)[0])
    systems = fused_by_topic(varied, "borda", "AP", systems=list(varied.systems), over="systems")
    assert row.over_systems == pytest.approx(mean_of_means(systems)[0])


def test_double_fusion_needs_two_systems(varied):
    with pytest.raises(ValueError, match="at least two systems"):
        evalcore.ask(varied, "double_fusion", systems=[varied.systems[0]])


def test_two_systems_can_be_fused_and_one_without_variations_not():
    """Also as a question of the page: what a study lacks is said before anything is chosen."""
    two = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1}}, pooled="all")
    several_rankings(two)
    one = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}, pooled="all")
    with pytest.raises(ValueError, match="there is nothing to fuse: the track has one system"):
        several_rankings(one)
    several_rankings(small_study({"a": {"t-1": {"d": 1.0}, "t-2": {"e": 1.0}}}, {"t": {"d": 1}}, variations="-"))
