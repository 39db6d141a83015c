"""Tests of the shards: what a partition is, and the scores on its parts against the definition."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.parameters import parameter
from evalcore.statistics import shards
from evalcore.statistics.shards import filled, partition, shard_scores
from tests.examples import examples
from tests.oracles import anova as oracle
from tests.oracles.ranking import order
from tests.small import DOCUMENTS, g_max_of, small_study, topic_of, tracks

METRICS = ["AP", "AP@2", "P@3", "nDCG", "nDCG(log=10)", "nDCG@2", "RBP(p=0.8)", "RBP(p=0.5)@2", "Q", "RR"]
OTHERS = [
    "RR@2",
    "RR(rel=2)@2",
    "AP(rel=2)",
    "P(rel=2)@3",
    "SDCG@3",
    "INST(T=1)",
    "Rprec",
    "R@2",
    "bpref",
    "Judged@2",
    "nDCG(log=10)@3",
    "P@10",
]
OPTIONS = st.fixed_dictionaries(
    {
        "empty": st.sampled_from(["unknown", "not relevant"]),
        "gains": st.sampled_from(["binary", "linear", "exponential"]),
        "negative": st.sampled_from(["split", "unjudged", "judged"]),
        "rel_level": st.sampled_from([1, 2]),
    }
)


def parts_of(study, shards, *, seed=0, resample=0):
    """The shards, sets of document names."""
    document = study.track.document_of_item
    shard = partition(int(document.max()), shards, np.random.default_rng([seed, resample]))
    parts = [set() for _ in range(shards)]
    for number, name in zip(document.tolist(), study.track.doc_of_item.to_pylist(), strict=True):
        if number:  # 0 is the empty place
            parts[shard[number - 1]].add(name.decode())
    return parts


def expected_scores(metric, runs, qrels, parts, *, gains="binary", negative="split", rel_level=1, queries=None):
    """(float (S, T, shards) with NaN where undefined), systems and topics in order of name."""
    settings_of_oracle = {"gains": gains, "negative": negative, "rel_level": rel_level, "g_max": g_max_of(qrels)}
    y = oracle.scores(metric, runs, qrels, parts, queries=queries, **settings_of_oracle)
    return np.array([[[y[t, s, k] for k in range(len(parts))] for t in sorted(qrels)] for s in sorted(runs)])


@st.composite
def judged_tracks(draw):
    """Small tracks with a judged topic at least; some documents are in several topics."""
    runs, qrels = draw(tracks())
    return runs, qrels or {"t0": {"da": 1, "db": 0}}


def permuted(runs=5, topics=4, documents=11, seed=0):
    """Runs of all documents in any order on every topic, and judgments of two thirds of them."""
    rng = np.random.default_rng(seed)
    names = [f"d{number:02}" for number in range(documents)]
    every = [f"t{t}" for t in range(topics)]

    def shuffled():
        return rng.permutation(names).tolist()

    made = {
        f"s{s}": {t: dict(zip(shuffled(), range(documents, 0, -1), strict=True)) for t in every} for s in range(runs)
    }
    return made, {t: {name: int(rng.integers(0, 3)) for name in shuffled()[: 2 * documents // 3]} for t in every}


# The partition


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(documents=st.integers(1, 300), shards=st.integers(1, 50), seed=st.integers(0, 3))
def test_a_partition_is_even(documents, shards, seed):
    if shards > documents:
        with pytest.raises(ValueError, match=f"{shards} shards are more than the {documents} documents"):
            partition(documents, shards, np.random.default_rng(seed))
        return
    shard = partition(documents, shards, np.random.default_rng(seed))
    sizes = np.bincount(shard, minlength=shards)
    assert (len(shard), len(sizes), sizes.sum()) == (documents, shards, documents)
    assert sizes.max() - sizes.min() <= 1


def test_a_partition_has_a_seed():
    once, again, other = (partition(40, 4, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_any_two_documents_can_share_a_shard_or_not():
    """Of 6 documents in 2 shards, a pair shares one in 2 of 5 partitions; every even partition comes."""
    rng = np.random.default_rng(0)
    drawn = np.array([partition(6, 2, rng) for _ in range(2000)])
    for a, b in combinations(range(6), 2):
        assert (drawn[:, a] == drawn[:, b]).mean() == pytest.approx(0.4, abs=4 * math.sqrt(0.24 / 2000))
    assert len({tuple(row) for row in drawn.tolist()}) == 20


@pytest.mark.parametrize("shards", [0, -1, 2.5, True, None, "5"])
def test_a_number_of_shards_that_cannot_be(shards):
    with pytest.raises(ValueError, match="shards") as error:
        parameter("models", "shards").read(shards)
    assert repr(shards) in str(error.value)


def test_more_shards_than_documents_are_refused():
    runs, qrels = permuted(documents=5)
    study = small_study(runs, qrels)
    assert shard_scores(study, "AP", 5)[0].shape == (5, 4, 5)
    with pytest.raises(ValueError, match="6 shards are more than the 5 documents"):
        shard_scores(study, "AP", 6)


def test_documents_that_only_the_qrels_or_only_a_run_name_count():
    study = small_study({"s": {"t": {"a": 2.0, "b": 1.0}}}, {"t": {"b": 1, "c": 1, "d": 0}})
    assert shard_scores(study, "AP", 4)[0].shape == (1, 1, 4)
    with pytest.raises(ValueError, match="5 shards are more than the 4 documents"):
        shard_scores(study, "AP", 5)


# The scores


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=examples(18), deadline=None, derandomize=True)
@given(
    track=judged_tracks(), options=OPTIONS, shards=st.integers(1, 4), seed=st.integers(0, 2), resample=st.integers(0, 2)
)
def test_scores_are_the_definition(metric, track, options, shards, seed, resample):
    check(metric, track, options, shards, seed, resample)


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(metric=st.sampled_from(OTHERS), track=judged_tracks(), options=OPTIONS, shards=st.integers(2, 4))
def test_scores_of_the_other_metrics_are_the_definition(metric, track, options, shards):
    check(metric, track, options, shards, seed=0, resample=0)


def check(metric, track, options, shards, seed, resample):
    runs, qrels = track
    shards = min(shards, len(oracle.documents_of(runs, qrels)))
    study = small_study(runs, qrels, **options)
    scores, defined = shard_scores(study, metric, shards, seed=seed, resample=resample)
    parts = parts_of(study, shards, seed=seed, resample=resample)
    reading = {name: options[name] for name in ("gains", "negative", "rel_level")}
    expected = expected_scores(metric, runs, qrels, parts, **reading)
    assert scores.shape == expected.shape
    assert defined.tolist() == (~np.isnan(expected[0])).tolist()
    assert np.where(defined, scores, np.nan) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert filled(scores, defined, 0) == pytest.approx(np.nan_to_num(expected), abs=1e-12)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=judged_tracks())
def test_the_parts_are_all_documents_and_do_not_overlap(track):
    runs, qrels = track
    documents = oracle.documents_of(runs, qrels)
    parts = parts_of(small_study(runs, qrels), min(3, len(documents)))
    assert set.union(*parts) == documents
    assert sum(len(part) for part in parts) == len(documents)


def test_one_even_partition_explains_all_scores():
    """Whichever it is, and without asking how it was drawn: the same for every system, topic and metric."""
    runs, qrels = permuted(documents=6, seed=2)
    study = small_study(runs, qrels, gains="linear")
    documents = sorted(oracle.documents_of(runs, qrels))
    found = [shard_scores(study, metric, 2, seed=5) for metric in ("AP", "RBP(p=0.8)")]

    def explains(part):
        parts = [set(part), set(documents) - set(part)]
        return all(
            np.allclose(
                np.where(defined, scores, -1),
                np.nan_to_num(expected_scores(metric, runs, qrels, parts, gains="linear"), nan=-1),
            )
            for metric, (scores, defined) in zip(("AP", "RBP(p=0.8)"), found, strict=True)
        )

    assert sum(explains(part) for part in combinations(documents, 3)) == 1


def test_metrics_that_count_the_same_documents_share_a_partition(monkeypatch):
    study, drawn = small_study(*permuted(documents=6, seed=2), gains="linear"), []
    monkeypatch.setattr(shards, "partition", lambda *told: drawn.append(told) or partition(*told))
    for metric in ("AP", "RBP(p=0.8)", "P@2"):
        shard_scores(study, metric, 2)
    assert len(drawn) == 1
    shard_scores(study, "bpref", 2)  # which reads what was judged not relevant
    shard_scores(study, "AP", 2, resample=1)
    assert len(drawn) == 3


@pytest.mark.parametrize("seed", range(6))
def test_a_document_of_two_topics_is_in_one_shard(seed):
    """One document relevant to both topics: the shard that finds it is the same for both."""
    scored = {document: float(-place) for place, document in enumerate(DOCUMENTS)}
    only_one = {"de": 1} | {document: 0 for document in DOCUMENTS if document != "de"}
    runs = {"s": {"t0": scored, "t1": dict(list(scored.items())[3:])}}
    study = small_study(runs, {"t0": only_one, "t1": only_one | {"zz": 0}})
    scores, defined = shard_scores(study, "R@20", 4, seed=seed)
    assert scores[0].sum(axis=1).tolist() == [1, 1]
    assert scores[0, 0].tolist() == scores[0, 1].tolist() == defined[0].tolist() == defined[1].tolist()


@pytest.mark.parametrize("metric", METRICS + OTHERS)
def test_one_shard_is_the_plain_score(metric):
    runs, qrels = permuted(seed=3)
    del runs["s2"]["t1"]
    runs["s3"]["t0"] = dict(list(runs["s3"]["t0"].items())[:2])
    study = small_study(runs, qrels, gains="exponential")
    scores, defined = shard_scores(study, metric, 1)
    assert defined.all()
    table = evalcore.ask(study, "scores", metric=metric).table
    plain = table.pivot(index="system", columns="topic", values="value").loc[list(study.systems), sorted(qrels)]
    assert scores[:, :, 0] == pytest.approx(plain.to_numpy(), abs=1e-12)


def test_one_shard_is_the_same_whatever_the_seed():
    study = small_study(*permuted())
    first, second = (shard_scores(study, "AP", 1, seed=seed, resample=seed)[0] for seed in (0, 7))
    assert np.array_equal(first, second)


def test_as_many_shards_as_documents_hold_one_each():
    """A part of one relevant document scores 1 where the run holds it, else 0."""
    runs = {"s": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}, "u": {"t": {"d": 1.0, "a": 0.0}}}
    study = small_study(runs, {"t": {"a": 1, "d": 1, "b": 0}})
    scores, defined = shard_scores(study, "AP", 4)
    assert defined.sum() == 2
    assert sorted(scores[0, 0].tolist()) == [0, 0, 0, 1]
    assert sorted(scores[1, 0].tolist()) == [0, 0, 1, 1]


def test_scores_have_a_seed_and_a_resample():
    study, same = (small_study(*permuted()) for _ in range(2))
    first = shard_scores(study, "AP", 3, seed=1, resample=2)[0]
    assert np.array_equal(first, shard_scores(same, "AP", 3, seed=1, resample=2)[0])
    assert np.array_equal(first, shard_scores(study, "AP", 3, seed=1, resample=2)[0])
    for seed, resample in ((1, 0), (1, 1), (2, 1), (2, 2)):
        assert not np.array_equal(first, shard_scores(study, "AP", 3, seed=seed, resample=resample)[0])


def test_metrics_share_the_partition():
    """Which cells have a relevant document does not depend on the metric."""
    study = small_study(*permuted(documents=9))
    defined = [shard_scores(study, metric, 5, seed=3)[1].tolist() for metric in ("AP", "P@2", "nDCG", "RR")]
    assert all(one == defined[0] for one in defined)


def test_more_rankings_than_are_scored_at_once(monkeypatch):
    """Many systems, topics and shards: the last as the first."""
    monkeypatch.setattr("evalcore.collection.judged_positions.BLOCK", 500)
    runs, qrels = permuted(runs=40, topics=12, documents=30, seed=4)
    study = small_study(runs, qrels)
    scores, defined = shard_scores(study, "nDCG(log=10)", 10, seed=1)
    parts = parts_of(study, 10, seed=1)
    for system in ("s0", "s25", "s39", "s9"):
        expected = expected_scores("nDCG(log=10)", {system: runs[system]}, qrels, parts)
        ours = np.where(defined, scores[study.systems.index(system)], np.nan)
        assert ours == pytest.approx(expected[0], abs=1e-12, nan_ok=True)


# How runs are given


def written(folder, runs, qrels, *, backwards=False):
    """Run files and qrels; backwards: every file from its last line to its first."""
    folder.mkdir()
    files = []
    for system, run in runs.items():
        rows = [(topic, rank, document) for topic in run for rank, document in enumerate(order(run[topic]), start=1)]
        lines = [f"{topic} Q0 {document} {rank} {run[topic][document]} {system}" for topic, rank, document in rows]
        (folder / f"{system}.run").write_text("\n".join(lines[::-1] if backwards else lines) + "\n")
        files.append(str(folder / f"{system}.run"))
    lines = [f"{topic} 0 {document} {grade}" for topic in qrels for document, grade in qrels[topic].items()]
    (folder / "qrels.txt").write_text("\n".join(lines[::-1] if backwards else lines) + "\n")
    return files, str(folder / "qrels.txt")


def test_the_partition_does_not_depend_on_the_order_of_files_and_lines(tmp_path):
    runs, qrels = permuted(seed=6)
    files, judged = written(tmp_path / "there", runs, qrels)
    back, judged_back = written(tmp_path / "back", runs, qrels, backwards=True)
    one = evalcore.open_study(files, judged, cache=False)
    other = evalcore.open_study(back[::-1], judged_back, cache=False)
    place = [other.systems.index(system) for system in one.systems]
    assert one.topics == other.topics
    for metric in ("AP", "P@2"):
        ours, defined = shard_scores(one, metric, 4, seed=2)
        theirs, also = shard_scores(other, metric, 4, seed=2)
        assert np.array_equal(ours, theirs[place])
        assert np.array_equal(defined, also)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=judged_tracks(), data=st.data(), metric=st.sampled_from(METRICS))
def test_a_narrower_study_has_the_same_shards(track, data, metric):
    runs, qrels = track
    study = small_study(runs, qrels, gains="exponential")
    systems = data.draw(st.lists(st.sampled_from(sorted(runs)), min_size=1, unique=True))
    topics = data.draw(st.lists(st.sampled_from(sorted(qrels)), min_size=1, unique=True))
    shards = min(3, len(oracle.documents_of(runs, qrels)))
    narrow = study.only(systems=systems, topics=topics)
    ours, defined = shard_scores(narrow, metric, shards, seed=1)
    scores, everywhere = shard_scores(study, metric, shards, seed=1)
    rows = [study.systems.index(system) for system in narrow.systems]
    columns = [sorted(qrels).index(topic) for topic in sorted(topics)]
    assert ours == pytest.approx(scores[np.ix_(rows, columns)], abs=1e-12)
    assert np.array_equal(defined, everywhere[columns])


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(data=st.data(), metric=st.sampled_from(METRICS), shards=st.integers(1, 3))
def test_a_topic_with_several_queries_is_their_mean(data, metric, shards):
    """A query that a system did not answer counts as 0."""
    ranking = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3).map(float), min_size=1)
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(["t0-1", "t0-2", "t0-3", "t1-1", "t2-1", "t2-3"], ranking))
    runs = {f"s{number}": data.draw(run) for number in range(3)}
    grades = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2), min_size=1)
    qrels = {topic: data.draw(grades) for topic in ("t0", "t1", "t2")}
    shards = min(shards, len(oracle.documents_of(runs, qrels)))
    asked = {query for answered in runs.values() for query in answered}
    queries = {topic: sorted(query for query in asked if topic_of(query) == topic) or [topic] for topic in qrels}
    study = small_study(runs, qrels)
    scores, defined = shard_scores(study, metric, shards, seed=1)
    expected = expected_scores(metric, runs, qrels, parts_of(study, shards, seed=1), queries=queries)
    assert np.where(defined, scores, np.nan) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_infap_is_refused():
    study = small_study(*permuted())
    with pytest.raises(ValueError, match="infAP"):
        shard_scores(study, "infAP", 2)


# Undefined cells


def test_a_cell_is_defined_where_the_shard_holds_a_document_of_the_topic_that_counts():
    runs = {"s": {t: {"a": 2.0, "b": 1.0} for t in ("t0", "t1", "t2", "t3")}}
    qrels = {"t0": {"a": 1, "b": 1}, "t1": {"a": 1, "b": 0}, "t2": {"a": 0, "b": -1}, "t3": {"b": 2}}
    study = small_study(runs, qrels)
    _, defined = shard_scores(study, "AP", 2)
    assert defined.sum(axis=1).tolist() == [2, 1, 0, 1]
    assert defined[1].tolist() == (~defined[3]).tolist()  # a and b are in different shards
    _, whole = shard_scores(study, "AP", 1)
    assert whole[:, 0].tolist() == [True, True, False, True]
    strict = small_study(runs, qrels, rel_level=2)
    assert shard_scores(strict, "AP", 2)[1].sum(axis=1).tolist() == [0, 0, 0, 1]
    assert shard_scores(strict, "RBP(p=0.8)", 2)[1].sum(axis=1).tolist() == [0, 0, 0, 1]
    assert shard_scores(strict, "nDCG@10", 2)[1].sum(axis=1).tolist() == [2, 1, 0, 1]  # which reads grades
    graded = small_study(runs, qrels, rel_level=2, gains="linear")
    assert shard_scores(graded, "RBP(p=0.8)", 2)[1].sum(axis=1).tolist() == [2, 1, 0, 1]


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(data=st.data(), x=st.sampled_from([0, 1, -2.5, 1e6, "mean", "median"]))
def test_undefined_cells_are_filled_as_defined(data, x):
    S, T, K = (data.draw(st.integers(1, 4)) for _ in range(3))
    values = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=S * T * K, max_size=S * T * K)
    scores = np.array(data.draw(values)).reshape(S, T, K)
    defined = np.array(data.draw(st.lists(st.booleans(), min_size=T * K, max_size=T * K))).reshape(T, K)
    before = scores.copy()
    y = {(t, s, k): float(scores[s, t, k]) if defined[t, k] else math.nan for s, t, k in np.ndindex(S, T, K)}
    expected = oracle.filled(y, x)
    ours = filled(scores, defined, x)
    assert ours.shape == scores.shape
    assert {cell: ours[cell[1], cell[0], cell[2]] for cell in y} == pytest.approx(expected)
    assert np.array_equal(scores, before)
    assert (~defined).sum() == len(oracle.undefined_cells(y))


@pytest.mark.parametrize("undefined", ["mode", "", True, math.nan, math.inf, None, [0]])
def test_a_value_of_undefined_cells_that_cannot_be(undefined):
    scores, defined = np.zeros((2, 2, 2)), np.ones((2, 2), bool)
    with pytest.raises(ValueError, match='a number, "mean" or "median"'):
        filled(scores, defined, undefined)


def test_a_topic_without_any_defined_shard_is_0():
    scores = np.full((2, 2, 2), 0.5)
    defined = np.array([[True, False], [False, False]])
    for undefined in ("mean", "median"):
        ours = filled(scores, defined, undefined)
        assert (ours[:, 0] == 0.5).all()
        assert (ours[:, 1] == 0).all()
