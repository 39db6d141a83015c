"""Judgments that one can trust: their health, the pool, suspects, a second set of them, and what to judge next."""

import math
import os
import re
import statistics
import warnings
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import evalcore
from evalcore.pooling.judging_orders import JUDGING_ORDERS
from evalcore.vocabulary.validation import NotKnown
from tests.examples import examples
from tests.oracles import judging as oracle
from tests.oracles import orderings
from tests.oracles.pool_inference import pooling
from tests.oracles.ranking import order
from tests.small import DOCUMENTS, small_study, topic_of, tracks

WEIGHTED = ["RBP(p=0.8)", "RBP(p=0.8)@4", "P@3", "SDCG@5"]
lawful = settings(max_examples=examples(60), deadline=None, derandomize=True)


# Studies


@st.composite
def varied_tracks(draw, grades=(-2, -1, 0, 0, 1, 1, 2)):
    """Runs whose topics have one to three queries, and judgments of some documents."""
    ranking = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4).map(float), min_size=1, max_size=7)
    names = ["t0-1", "t0-2", "t1", "t2-1", "t2-2", "t2-3"]
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(names, ranking))
    runs = {f"s{number}": draw(run) for number in range(draw(st.integers(1, 4)))}
    some = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(grades), min_size=1, max_size=9)
    return runs, {topic: draw(some) for topic in draw(st.sets(st.sampled_from(["t0", "t1", "t2"]), min_size=1))}


any_tracks = st.one_of(tracks(), varied_tracks()).filter(lambda track: track[1] and any(track[0].values()))


@st.composite
def judged_twice(draw, grades=(0, 0, 1, 1, 2, 3), least=1, apart=False):
    """Runs and two sets of judgments; each topic that both have shares a judged document, unless `apart`.

    least : how many systems there are, and topics that both judge
    """
    ranking = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4).map(float), min_size=1, max_size=9)
    topics = [f"t{number}" for number in range(draw(st.integers(least, 3)))]
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(topics, ranking)).filter(bool)
    runs = {f"s{number}": draw(run) for number in range(draw(st.integers(least, 4)))}
    some = st.dictionaries(st.sampled_from([*DOCUMENTS, "far"]), st.sampled_from(grades), min_size=1, max_size=9)
    qrels = {topic: draw(some) for topic in topics}
    other = {}
    for topic in sorted(draw(st.sets(st.sampled_from(topics), min_size=least))):
        other[topic] = draw(some)
        if not apart:
            other[topic] = other[topic] | {min(qrels[topic]): draw(st.sampled_from(grades))}
    return runs, qrels, other | draw(st.sampled_from([{}, {"t8": {"da": 1}}]))


def written(folder, runs, qrels, other=None, by_rank=None):
    """The files of a track in a new folder. by_rank : system -> query -> documents in the order of the rank column."""
    (folder / "runs").mkdir()
    for system, run in runs.items():
        lines = []
        for query, scored in run.items():
            place = (by_rank or runs)[system][query]
            place = order(place)
            lines += [f"{query} Q0 {D} {place.index(D) + 1} {score} {system}\n" for D, score in scored.items()]
        (folder / "runs" / f"{system}.run").write_text("".join(lines))
    for name, judged in (("qrels.txt", qrels), ("other.txt", other or {})):
        lines = [f"{topic} 0 {D} {grade}\n" for topic, rows in judged.items() for D, grade in rows.items()]
        (folder / name).write_text("".join(lines))
    return folder


def opened(folder, **options):
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False, **options)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A study of runs and of two sets of judgments, made from files."""

    def make(runs, qrels, other, **options):
        folder = written(tmp_path_factory.mktemp("track"), runs, qrels, other)
        return opened(folder, other=folder / "other.txt", **options)

    return make


def table_of(study, question, **params):
    return evalcore.ask(study, question, **params).table


def assert_rows(table, rows):
    """The table has these rows, dicts of every column in order, to 1e-9."""
    assert len(table) == len(rows)
    for found, row in zip(table.to_dict("records"), rows, strict=True):
        assert list(found) == list(row)
        for name, value in row.items():
            if isinstance(value, float):
                assert found[name] == pytest.approx(value, abs=1e-9, nan_ok=True), (name, found, row)
            else:
                assert found[name] == value, (name, found, row)


def some_of(systems):
    """Every second system, from the first: those that contributed."""
    return sorted(systems)[::2]


def texts(answer):
    return " ".join(answer.notes)


# The definitions by hand


def test_move_to_front_stays_while_it_pays():
    lists = [["a", "b", "c"], ["d", "e", "f"], ["a", "g"]]
    assert oracle.move_to_front(lists, {"a", "e"}) == ["a", "b", "d", "g", "c", "e", "f"]


def test_a_bandit_returns_to_the_best_mean():
    lists = [["a", "b", "c"], ["d", "e", "f"], ["a", "g"]]
    # 1/2 each: a relevant, 2/3; b not, 2/4; c not, 2/5, and the first is done; d not, 1/3; g not; the rest
    assert oracle.bandit_mean(lists, {"a"}) == ["a", "b", "c", "d", "g", "e", "f"]


# Health


@lawful
@given(track=any_tracks, rel_level=st.sampled_from([1, 2]), negative=st.sampled_from(["split", "unjudged", "judged"]))
def test_the_health_of_every_topic(track, rel_level, negative):
    runs, qrels = track
    pooled = some_of(runs)
    study = small_study(runs, qrels, pooled=pooled, rel_level=rel_level, negative=negative)
    usual, depths, *_ = pooling(runs, qrels, pooled, negative=negative)
    rows = oracle.health(runs, qrels, pooled, usual, depths, rel_level=rel_level, negative=negative)
    assert_rows(table_of(study, "judgment_health"), rows)


def test_flags_say_what_is_odd():
    run = {"a": {t: {"d1": 2.0, "d2": 1.0} for t in "1234"}}
    judged = {
        "1": {"d1": 0, "d2": -1},
        "2": {"d1": 1, "d2": 0, "d3": 0},
        "3": {"d1": 1, "d2": 0, "d3": 2},
        "4": {f"d{n}": int(n < 5) for n in range(10)},
    }
    table = table_of(small_study(run, judged, pooled="all"), "judgment_health")
    assert table["flags"].tolist() == ["none relevant", "few relevant", "few relevant; mostly relevant", ""]
    assert table.judged.tolist() == [1, 3, 3, 10]
    assert table.columns[3:7].tolist() == ["grade_-1", "grade_0", "grade_1", "grade_2"]
    assert table.still_missing.isna().all()  # one run alone meets nothing twice
    assert table.coverage[1:].tolist() == [0, 0, 0]
    assert math.isnan(table.coverage[0])


def test_what_is_still_missing_by_hand():
    runs = {s: {"1": {"x": 2.0, D: 1.0}} for s, D in (("a", "y"), ("b", "x0"), ("c", "z0"))}
    study = small_study(runs, {"1": {"x": 1, "y": 1, "x0": 0, "z0": 0}}, pooled="all")
    assert study.depth == 2
    row = table_of(study, "judgment_health").iloc[0]
    assert row.coverage == pytest.approx(0.75)  # f_1 = 1, f_3 = 1, C = 4
    assert row.still_missing == pytest.approx(2 / 0.75 + 4 * 0.25 / 0.75 * 0.577350**2 - 2, abs=1e-5)


# The pool


@st.composite
def two_orders(draw):
    """A track, and its runs by a rank column that need not follow the scores."""
    runs, qrels = draw(tracks().filter(lambda track: any(set(run) & set(track[1]) for run in track[0].values())))
    runs = {system: run for system, run in runs.items() if run}
    by_rank = {s: {q: draw(st.permutations(sorted(scored))) for q, scored in run.items()} for s, run in runs.items()}
    return runs, by_rank, qrels


@lawful
@given(
    track=two_orders(),
    asked=st.sampled_from([None, "score", "rank"]),
    own_order=st.sampled_from(["score", "rank"]),
    stated=st.booleans(),
)
def test_the_audit_of_every_system_by_either_order(tmp_path_factory, track, asked, own_order, stated):
    runs, by_rank, qrels = track
    folder = written(tmp_path_factory.mktemp("track"), runs, qrels, by_rank=by_rank)
    pooled = some_of(runs) if stated else None
    study = opened(folder, pooled=pooled, order=own_order)
    in_force = {"score": runs, "rank": by_rank}
    depth, depths, pooled, _, how = pooling(in_force[own_order], qrels, pooled)
    assert study.depth == depth
    rows = oracle.audit(
        runs, by_rank, qrels, pooled, depths, depth, order=asked or own_order, own_order=own_order, how=how
    )
    table = table_of(study, "pool_audit", order=asked)
    assert (table.looks_pooled == (table.probability > 0.5)).all()
    assert_rows(table.drop(columns="probability"), rows)


@lawful
@given(track=any_tracks, negative=st.sampled_from(["split", "unjudged", "judged"]), rel_level=st.sampled_from([1, 2]))
def test_the_audit_with_groups_and_several_queries_to_a_topic(track, negative, rel_level):
    runs, qrels = track
    pooled, reading = some_of(runs), {"negative": negative, "rel_level": rel_level}
    groups = {system: f"g{n // 2}" for n, system in enumerate(sorted(runs))}
    study = small_study(runs, qrels, pooled=pooled, groups=groups, **reading)
    depth, depths, *_ = pooling(runs, qrels, pooled, negative=negative)
    rows = oracle.audit(runs, runs, qrels, pooled, depths, depth, groups=groups, **reading)
    assert_rows(table_of(study, "pool_audit").drop(columns="probability"), rows)


def test_files_cannot_tell_a_pooled_system_from_one_that_happens_to_be_judged():
    runs = {s: {t: {"x": 3.0, "y": 2.0, f"z{s}": 1.0} for t in "1234"} for s in "abcd"}
    runs |= {"e": {t: {"u": 2.0, "v": 1.0} for t in "1234"}}
    study = small_study(runs, {t: {"x": 1, "y": 0} for t in "1234"}, pooled=["a", "b", "c"])
    answer = evalcore.ask(study, "pool_audit")
    assert answer.table.pooled.tolist() == [True, True, True, False, False]
    assert answer.table.looks_pooled.tolist() == [True, True, True, True, False]
    assert "happen to be judged" in texts(answer)


def test_a_hole_is_not_guessed_where_nobody_knows_who_contributed():
    study = small_study({s: {"1": {"x": 2.0, "y": 1.0}} for s in "ab"}, {"1": {"x": 1}})
    for asked in ({}, {"depth": 2}):
        with pytest.raises(NotKnown, match="do not show which systems contributed"):
            evalcore.ask(study, "holes", **asked)
    audit = table_of(study, "pool_audit")
    assert audit[["holes", "unique_judged", "unique_relevant"]].isna().all(axis=None)
    told = small_study({s: {"1": {"x": 2.0, "y": 1.0}} for s in "ab"}, {"1": {"x": 1}}, pooled="all")
    assert len(table_of(told, "holes", depth=2)) == 2
    with pytest.raises(NotKnown, match="not judged to a common depth below rank 1"):
        evalcore.ask(told, "holes")


@lawful
@given(track=any_tracks, depth=st.one_of(st.none(), st.integers(1, 9)))
def test_every_hole_is_listed_for_every_system_that_has_it(track, depth):
    runs, qrels = track
    study = small_study(runs, qrels, pooled=some_of(runs))
    if depth is None and study.depth == 1:
        with pytest.raises(NotKnown):
            evalcore.ask(study, "holes")
        return
    deep = dict(zip(study.track.topics, study.pooling.depth_of_topic.tolist(), strict=True))
    expected = oracle.holes(runs, qrels, some_of(runs), {topic: depth or deep[topic] for topic in qrels})
    table = table_of(study, "holes", depth=depth)
    assert list(table) == ["topic", "document", "system", "rank"]
    assert list(table.itertuples(index=False, name=None)) == expected


def test_a_hole_that_a_system_has_for_two_queries_of_a_topic_is_one():
    runs = {"a": {"1-1": {"x": 2.0, "y": 1.0}, "1-2": {"y": 2.0, "x": 1.0}}}
    study = small_study(runs, {"1": {"x": 1}}, pooled="all")
    table = table_of(study, "holes", depth=2)
    assert list(table.itertuples(index=False, name=None)) == [("1", "y", "a", 1)]
    told = small_study(runs, {"1": {"x": 1}}, pooled="all", pool_depth=2)
    assert table_of(told, "pool_audit").holes.tolist() == [1]


@lawful
@given(track=any_tracks)
def test_the_audit_counts_the_holes_that_are_listed(track):
    study = small_study(*track, pooled=some_of(track[0]), pool_depth=2)
    counted = table_of(study, "pool_audit").set_index("system").holes
    listed = Counter(table_of(study, "holes").system)
    assert counted.to_dict() == {system: listed[system] for system in study.systems}


@lawful
@given(track=any_tracks, negative=st.sampled_from(["split", "unjudged", "judged"]))
def test_documents_that_no_run_retrieved_are_listed(track, negative):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all", negative=negative)
    table = table_of(study, "unretrieved")
    assert list(table) == ["topic", "document", "grade"]
    assert sorted(table.itertuples(index=False, name=None)) == sorted(
        oracle.unretrieved(runs, qrels, negative=negative)
    )


# Suspects


def suspects_of(table):
    """The rows without their reasons; NaN as None, so that rows compare."""
    rows = table.drop(columns=["reason", "kind"]).itertuples(index=False, name=None)
    return [(*row[:-1], None if math.isnan(row[-1]) else pytest.approx(row[-1])) for row in rows]


def expected_suspects(*args, **kwargs):
    return [(*row[:-1], None if math.isnan(row[-1]) else row[-1]) for row in oracle.suspects(*args, **kwargs)]


@lawful
@given(
    track=any_tracks,
    kind=st.sampled_from(["not relevant", "relevant"]),
    top=st.sampled_from([1, 50]),
    k=st.sampled_from([1, 2, 10]),
    metric=st.sampled_from(["RBP(p=0.8)@10", "P@3", "AP"]),
    rel_level=st.sampled_from([1, 2]),
)
def test_documents_that_look_misjudged(track, kind, top, k, metric, rel_level):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all", rel_level=rel_level)
    how = {"top": top, "k": k, "metric": metric}
    table = table_of(study, "suspects", kind=kind, **how)
    assert list(table) == ["topic", "document", "grade", "systems", "mean_rank", "reason", "kind"]
    assert suspects_of(table) == expected_suspects(kind, runs, qrels, rel_level=rel_level, **how)
    assert set(table.kind) <= {kind}
    assert all(table.reason)


@pytest.mark.parametrize("queries", [("1-1", "1-2"), ("1-2", "1-1")])
def test_a_document_stands_at_its_best_rank_over_the_queries_of_a_topic(queries):
    runs = {"a": dict(zip(queries, [{"x": 1.0}, {"y": 2.0, "x": 1.0}], strict=True))}
    table = table_of(small_study(runs, {"1": {"x": 0}}, pooled="all"), "suspects", k=2)
    assert suspects_of(table) == [("1", "x", 0, 1, 1)]


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=judged_twice(apart=True, grades=(-1, 0, 0, 1, 1, 2)), top=st.sampled_from([2, 50]))
def test_contradictions_and_all_kinds_in_order(both, track, top):
    runs, qrels, other = track
    study = both(runs, qrels, other, pooled="all")
    table = table_of(study, "suspects", kind="contradiction", top=top, k=2)
    assert suspects_of(table) == expected_suspects("contradiction", runs, qrels, other, top=top, k=2)
    whole = table_of(study, "suspects", top=top, k=2)
    kinds = ["not relevant", "relevant", "contradiction"]
    rows = [row for kind in kinds for row in expected_suspects(kind, runs, qrels, other, top=top, k=2)]
    assert suspects_of(whole) == rows
    assert whole.kind.tolist() == sorted(whole.kind, key=kinds.index)


def test_a_contradiction_needs_a_second_opinion():
    study = small_study({"a": {"1": {"x": 1.0}}}, {"1": {"x": 0}})
    assert "contradiction" not in set(table_of(study, "suspects").kind)
    with pytest.raises(ValueError, match="second"):
        evalcore.ask(study, "suspects", kind="contradiction")
    with pytest.raises(ValueError, match="odd"):
        evalcore.ask(study, "suspects", kind="odd")


# Two sets of judgments


@lawful
@given(
    track=judged_twice(apart=True, grades=(-2, -1, 0, 0, 1, 1, 2, 3)),
    rel_level=st.sampled_from([None, 1, 2]),
    study_rel_level=st.sampled_from([1, 2]),
    weights=st.sampled_from(["linear", "quadratic"]),
    negative=st.sampled_from(["split", "unjudged", "judged"]),
)
def test_agreement_by_topic_and_over_all(both, track, rel_level, study_rel_level, weights, negative):
    runs, qrels, other = track
    ranked = {(topic, document) for run in runs.values() for topic in run for document in run[topic]}
    judged = [(topic, document) for topic in qrels for document in qrels[topic]]
    assume(len(judged) < 10 or ranked.intersection(judged))  # else they are refused as of other collections
    study = both(runs, qrels, other, pooled="all", rel_level=study_rel_level, negative=negative)
    asked = {"rel_level": rel_level, "weights": weights}
    if not oracle.pairs_of(qrels, other, negative=negative):
        with pytest.raises(ValueError, match=r"[a-z ]{9}"):
            evalcore.ask(study, "agreement", **asked)
        return
    rows = oracle.agreement(qrels, other, negative=negative, study_rel_level=study_rel_level, **asked)
    assert_rows(table_of(study, "agreement", **asked).drop(columns=["first_alone", "second_alone"]), rows)
    table = table_of(study, "confusion")
    expected = [(*pair, count) for pair, count in oracle.confusion(qrels, other, negative=negative).items()]
    assert list(table) == ["grade", "grade_other", "count"]
    assert list(table.itertuples(index=False, name=None)) == expected


pairs = st.lists(st.tuples(st.sampled_from([-2, 0, 1, 3]), st.sampled_from([-2, 0, 1, 3])), min_size=1, max_size=25)


@lawful
@given(pairs=pairs, rel_level=st.sampled_from([None, 1]), weights=st.sampled_from(["linear", "quadratic"]))
def test_kappa_equals_scikit_learn_and_alpha_krippendorff(both, pairs, rel_level, weights):
    ours, theirs = ({"1": {f"d{n}": pair[side] for n, pair in enumerate(pairs)}} for side in (0, 1))
    row = table_of(both({"a": {"1": {"d0": 1.0}}}, ours, theirs), "agreement", rel_level=rel_level, weights=weights)
    row = row.iloc[-1]
    here, there = np.array([[n if rel_level is None else int(n >= rel_level) for n in pair] for pair in pairs]).T
    labels = list(range(-2, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, how in (("kappa", None), ("kappa_weighted", weights)):
            expected = cohen_kappa_score(here, there, labels=labels, weights=how)
            assert row[name] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    if len({*here, *there}) > 1:
        assert row.alpha == pytest.approx(krippendorff.alpha(np.array([here, there]), level_of_measurement="ordinal"))
    else:
        assert math.isnan(row.alpha)


@settings(max_examples=examples(15), deadline=None, derandomize=True)
@given(track=judged_twice())
def test_the_second_opinion_of_the_first_is_the_first_turned_round(both, track):
    runs, qrels, other = track
    here = table_of(both(runs, qrels, other), "agreement").set_index("topic")
    there = table_of(both(runs, other, qrels), "agreement").set_index("topic")
    for name, sign in (("both", 1), ("same", 1), ("kappa", 1), ("alpha", 1), ("overlap_relevant", 1), ("shift", -1)):
        assert here[name].tolist() == pytest.approx((sign * there[name]).tolist(), abs=1e-9, nan_ok=True)


RUNS = {
    "a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}, "2": {"u": 2.0, "v": 1.0}},
    "b": {"1": {"y": 3.0, "w": 2.0}, "2": {"v": 2.0, "u": 1.0}},
    "c": {"1": {"z": 3.0, "x": 2.0}, "2": {"q": 2.0, "v": 1.0}},
}
OURS = {"1": {"x": 1, "y": 0, "z": 2}, "2": {"u": 1, "v": 0}, "3": {"x": 1}}
THEIRS = {"1": {"x": 1, "y": 1, "far": 1}, "2": {"u": 0, "v": 1}, "9": {"x": 1}}


def test_a_second_file_may_be_named_in_the_question(tmp_path):
    folder = written(tmp_path, RUNS, OURS, THEIRS)
    path = folder / "other.txt"
    known, told = opened(folder, other=path), opened(folder)
    for question in ("agreement", "confusion", "agreement_effect"):
        expected = table_of(known, question)
        assert table_of(told, question, other=path).equals(expected)
        assert table_of(told, question, other=str(path)).equals(expected)
    with pytest.raises(ValueError, match="second"):
        evalcore.ask(told, "agreement")


def test_topics_that_one_alone_judges_are_told(tmp_path):
    folder = written(tmp_path, RUNS, OURS, THEIRS)
    answer = evalcore.ask(opened(folder), "agreement", other=folder / "other.txt")
    assert answer.table.topic.tolist() == ["1", "2", "all"]
    assert "3" in texts(answer)
    assert "9" in texts(answer)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("agreement", {"8": {"x": 1}}),
        ("agreement_effect", {"8": {"x": 1}}),
        ("confusion", {"8": {"x": 1}}),
        ("agreement", {"1": {"elsewhere": 1}, "2": {"elsewhere": 1}}),
        ("confusion", {"1": {"elsewhere": 1}, "2": {"elsewhere": 1}}),
    ],
)
def test_without_anything_in_common_there_is_a_sentence(tmp_path, question, other):
    folder = written(tmp_path, RUNS, OURS, other)
    with pytest.raises(ValueError, match=r"the two qrels (share no topic|judge 2 topics in common)"):
        evalcore.ask(opened(folder), question, other=folder / "other.txt")


@pytest.mark.parametrize(
    ("params", "word"), [({"weights": "cubic"}, "cubic"), ({"rel_level": "high"}, "high"), ({"other": "no"}, "no")]
)
def test_what_agreement_cannot_be_asked_is_said(tmp_path, params, word):
    folder = written(tmp_path, RUNS, OURS, THEIRS)
    with pytest.raises(ValueError, match=word):
        evalcore.ask(opened(folder), "agreement", **{"other": folder / "other.txt"} | params)


# What the second set does to the ordering


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(
    track=judged_twice(),
    metric=st.sampled_from(["RBP(p=0.8)", "P@3", "AP", "nDCG@5", "Rprec"]),
    rel_level=st.sampled_from([1, 2]),
    gains=st.sampled_from(["binary", "linear", "exponential"]),
)
def test_the_effect_on_every_system(both, track, metric, rel_level, gains):
    runs, qrels, other = track
    reading = {"rel_level": rel_level, "gains": gains}
    answer = evalcore.ask(both(runs, qrels, other, **reading), "agreement_effect", metric=metric)
    ours, theirs = oracle.scores_by_both(metric, runs, qrels, other, **reading)
    here, there = orderings.means_of(ours), orderings.means_of(theirs)
    table = answer.table.set_index("system")
    assert sorted(table.index) == sorted(runs)
    assert set(table) >= {"value", "value_other", "rank", "rank_other", "change"}
    for system, row in table.iterrows():
        assert row.value == pytest.approx(here[system], abs=1e-9)
        assert row.value_other == pytest.approx(there[system], abs=1e-9)
        assert row.change == pytest.approx(there[system] - here[system], abs=1e-9)
        assert row["rank"] == 1 + sum(here[u] > here[system] + 1e-12 for u in here)
        assert row.rank_other == 1 + sum(there[u] > there[system] + 1e-12 for u in there)


def test_a_document_that_no_run_holds_counts_for_recall(tmp_path):
    runs = {s: {t: {D: 1.0} for t in "12"} for s, D in (("a", "x"), ("b", "y"))}
    ours, theirs = {t: {"x": 1} for t in "12"}, {t: {"x": 1, "far": 1} for t in "12"}
    folder = written(tmp_path, runs, ours, theirs)
    table = table_of(opened(folder), "agreement_effect", other=folder / "other.txt", metric="AP").set_index("system")
    assert table.loc["a", ["value", "value_other"]].tolist() == [1, 0.5]


def test_the_effect_says_tau_tau_ap_and_the_distance(tmp_path):
    folder = written(tmp_path, RUNS, OURS, THEIRS)
    answer = evalcore.ask(opened(folder), "agreement_effect", other=folder / "other.txt", metric="AP")
    ours, theirs = oracle.scores_by_both("AP", RUNS, OURS, THEIRS)
    here, there = orderings.means_of(ours), orderings.means_of(theirs)
    distance = orderings.weighted_distance(ours, theirs)
    for number in (orderings.kendall_tau(here, there), orderings.tau_ap(here, there), distance):
        assert f"{number:.3f}".lstrip("-0") in texts(answer)


def test_judgments_that_give_all_systems_one_score_order_nothing(tmp_path):
    nothing = {topic: dict.fromkeys(judged, 0) for topic, judged in THEIRS.items()}
    folder = written(tmp_path, RUNS, OURS, nothing)
    answer = evalcore.ask(opened(folder), "agreement_effect", other=folder / "other.txt", metric="AP")
    assert set(answer.table["value_other"]) == {0}
    assert "is undefined: in one of them, all systems have the same score." in answer.notes[-1]
    assert not any("nan" in note for note in answer.notes)


def regimes_of(study, *names, **how):
    table = table_of(study, "regimes", regimes=list(names), **how)
    return table[(table.a == names[0]) & (table.b == names[1])].iloc[0]


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=judged_twice(least=2), metrics=st.tuples(*[st.sampled_from(["RBP(p=0.8)", "AP", "nDCG@5"])] * 2))
def test_regimes_by_the_other_judgments(both, track, metrics):
    runs, qrels, other = track
    study = both(runs, qrels, other)
    row = regimes_of(study, metrics[0], f"qrels=other | {metrics[1]}")
    ours, _ = oracle.scores_by_both(metrics[0], runs, qrels, other)
    _, theirs = oracle.scores_by_both(metrics[1], runs, qrels, other)
    here, there = orderings.means_of(ours), orderings.means_of(theirs)
    assert row.tau == pytest.approx(orderings.kendall_tau(here, there), abs=1e-9, nan_ok=True)
    assert row.tau_ap == pytest.approx(orderings.tau_ap(here, there), abs=1e-9)
    assert row.distance == pytest.approx(orderings.weighted_distance(ours, theirs), abs=1e-7)


def test_swaps_by_the_other_judgments(tmp_path):
    folder = written(tmp_path, RUNS, OURS, THEIRS)
    table = table_of(opened(folder), "swaps", a="AP", b="qrels=other | AP", other=folder / "other.txt")
    ours, theirs = map(orderings.means_of, oracle.scores_by_both("AP", RUNS, OURS, THEIRS))
    swapped = {(a, b) for a in ours for b in ours if ours[a] > ours[b] + 1e-12 and theirs[a] < theirs[b] - 1e-12}
    assert swapped
    assert set(zip(table.better, table.worse, strict=True)) == swapped
    for row in table.itertuples():
        assert row.difference_a == pytest.approx(ours[row.better] - ours[row.worse])
        assert row.difference_b == pytest.approx(theirs[row.better] - theirs[row.worse])


def test_a_regime_of_other_judgments_needs_them():
    with pytest.raises(ValueError, match=r"second|other"):
        evalcore.ask(small_study(RUNS, OURS), "regimes", regimes=["AP", "qrels=other | AP"])


# What to judge next


@lawful
@given(
    track=any_tracks,
    metric=st.sampled_from([*WEIGHTED, "nDCG@2", "nDCG@4"]),
    gains=st.sampled_from(["binary", "linear", "exponential", {0: 0.0, 1: 0.3, 2: 0.5, 3: 1.0}]),
    empty=st.sampled_from(["unknown", "not relevant"]),
    budget=st.sampled_from([None, 3]),
)
def test_what_to_judge_next_and_the_width_that_is_left(track, metric, gains, empty, budget):
    runs, qrels = track
    study = small_study(runs, qrels, pooled=some_of(runs), gains=gains, empty=empty)
    table = table_of(study, "judge_next", metric=metric, budget=budget)
    widths = ["width_left", "mean_width", "width_past_end"]
    assert list(table) == ["order", "topic", "document", "weight", "systems", "in_first_ten", *widths]
    weights = metric.replace("nDCG", "SDCG")
    expected = [row for row in oracle.next_to_judge(weights, runs, qrels) if row[2] > 0][:budget]
    table = table[table.weight > 0]
    assert table.order.tolist() == list(range(1, len(expected) + 1))
    for n, (row, (topic, document, weight, systems)) in enumerate(zip(table.itertuples(), expected, strict=True), 1):
        assert (row.topic, row.document, row.systems) == (topic, document, systems)
        assert row.in_first_ten == sum(
            any(document in order(ranked)[:10] for query, ranked in run.items() if topic_of(query) == topic)
            for run in runs.values()
        )
        assert row.weight == pytest.approx(weight, abs=1e-9)
        judged = oracle.judged_as(qrels, [one[:2] for one in expected[:n]])
        assert row.width_left == pytest.approx(oracle.mean_width(metric, runs, judged, empty=empty, gains=gains))
    if len(table):
        shut = oracle.mean_width(metric, runs, qrels, empty="not relevant", gains=gains)
        past_end = oracle.mean_width(metric, runs, qrels, empty=empty, gains=gains) - shut
        assert table.width_past_end.tolist() == pytest.approx([past_end] * len(table), abs=1e-12)
        width = oracle.mean_width(metric, runs, qrels, empty=empty, gains=gains)
        assert table.mean_width.tolist() == pytest.approx([width] * len(table), abs=1e-12)


def test_documents_without_weight_are_not_listed():
    study = small_study({"a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}}}, {"1": {"x": 1}}, pooled="all")
    assert evalcore.ask(study, "judge_next", metric="P@2", budget=None).table.document.tolist() == ["y"]


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=any_tracks, metric=st.sampled_from([*WEIGHTED, "nDCG@3"]), n=st.integers(1, 6))
def test_judging_them_not_relevant_leaves_the_width_that_was_said(track, metric, n):
    runs, qrels = track
    table = table_of(small_study(runs, qrels, pooled="all"), "judge_next", metric=metric, budget=n)
    assume(len(table))
    judged = oracle.judged_as(qrels, zip(table.topic, table.document, strict=True))
    board = table_of(small_study(runs, judged, pooled="all"), "leaderboard", metric=metric)
    board = board[[any(topic_of(query) in qrels for query in runs[name]) for name in board.system]]
    assert (board.upper - board.lower).mean() == pytest.approx(table.width_left.iloc[-1], abs=1e-9)


def test_what_is_left_of_a_cut_ndcg_where_no_document_was_judged_not_relevant():
    runs, found = {"a": {"1": {"x": 3.0, "y": 2.0}}, "b": {"1": {"z": 1.0}}}, {"1": {"y": 2, "z": 1}}
    tables = [
        evalcore.ask(small_study(runs, found, gains=gains), "judge_next", metric="nDCG@3").table
        for gains in ({1: 0.5, 2: 1.0}, {0: 0.0, 1: 0.5, 2: 1.0})
    ]
    judged = small_study(runs, {"1": found["1"] | {"x": 0}}, gains={0: 0.0, 1: 0.5, 2: 1.0})
    board = table_of(judged, "leaderboard", metric="nDCG@3")
    for table in tables:
        assert table.width_left.tolist() == pytest.approx([(board.upper - board.lower).mean()])


@pytest.mark.parametrize(
    ("found", "below"),
    [
        ({"y": 1, "w": 1}, ""),
        ({"y": 1}, " 0.2441 of that lies below the scores, because more documents of the highest grade may"),
    ],
)
def test_what_of_a_cut_ndcg_lies_below_its_score_is_told(found, below):
    study = small_study({"a": {"1": {"x": 3.0, "y": 2.0}}}, {"1": found})
    (note,) = evalcore.ask(study, "judge_next", metric="nDCG@2").notes
    board = table_of(study, "leaderboard", metric="nDCG@2")
    ideal, y = 1 + 1 / np.log2(3), 1 / np.log2(3)
    assert board.value[0] - board.lower[0] == pytest.approx(y - y / ideal if below else 0)
    assert below in note
    assert ("below the scores" in note) == bool(below)
    after = small_study({"a": {"1": {"x": 3.0, "y": 2.0}}}, {"1": found | {"x": 0}})
    judged = table_of(after, "leaderboard", metric="nDCG@2")
    assert judged.value[0] - judged.lower[0] == pytest.approx(board.value[0] - board.lower[0])


def test_where_every_ranked_document_is_judged_the_ideal_ranking_can_still_change():
    runs = {"a": {"1": {"x": 3.0, "y": 2.0}}, "b": {"1": {"y": 3.0, "x": 2.0}}}
    study = small_study(runs, {"1": {"x": 1, "y": 0}})
    board = table_of(study, "leaderboard", metric="nDCG@2")
    below = [score - score / (1 + 1 / np.log2(3)) for score in (1, 1 / np.log2(3))]  # if another is relevant, too
    assert (board.value - board.lower).tolist() == pytest.approx(below)
    answer = evalcore.ask(study, "judge_next", metric="nDCG@2")
    assert not len(answer.table)
    assert "the ideal ranking could still change" in answer.finding.headline
    assert answer.finding.facts["below"] == pytest.approx(sum(below) / 2)
    assert answer.notes[0].startswith("No ranked document that nDCG@2 counts is left to judge on a judged topic.")
    shut = evalcore.ask(small_study(runs, {"1": {"x": 1, "y": 1}}), "judge_next", metric="nDCG@2")
    assert shut.finding.headline == "Every document that nDCG@2 counts is judged."
    assert shut.notes == ("No unjudged document affects the scores of a judged topic.",)


def test_what_is_next_to_nothing_is_not_blamed_on_unfilled_ranks():
    """100 of 101 documents are judged; the weight of the last and of all ranks after it is below 1e-22."""
    ranked = {f"d{i:03}": 999.0 - i for i in range(101)}
    study = small_study({"a": {"1": ranked}}, {"1": dict.fromkeys(list(ranked)[:100], 1)})
    headline = evalcore.ask(study, "judge_next", metric="RBP(p=0.6)").finding.headline
    assert "almost exact" in headline
    assert "unfilled" not in headline


def test_what_is_left_of_a_cut_ndcg_cannot_be_said_where_grade_0_gains(monkeypatch):
    study = small_study(RUNS, OURS, gains={0: 0.1, 1: 0.5, 2: 1.0, 3: 1.0})
    with pytest.raises(ValueError, match="gains gives grade 0 a gain above 0"):
        evalcore.ask(study, "judge_next", metric="nDCG@5")
    monkeypatch.setattr("evalcore.pooling.judging_orders.MANY", 0)
    with pytest.raises(ValueError, match="the budget is too large for nDCG@5"):
        evalcore.ask(small_study(RUNS, OURS), "judge_next", metric="nDCG@5")


@pytest.mark.parametrize("metric", ["AP", "nDCG", "nDCG(log=10)@5", "nDCG@2000", "RR", "bpref"])
def test_only_a_weight_for_every_rank_says_what_to_judge_next(metric):
    with pytest.raises(ValueError, match=rf"{re.escape(metric)} has no weights of ranks"):
        evalcore.ask(small_study(RUNS, OURS), "judge_next", metric=metric)


@pytest.mark.parametrize("budget", [0, -1, 2.5, "many"])
def test_a_budget_is_a_whole_number(budget):
    with pytest.raises(ValueError, match="budget"):
        evalcore.ask(small_study(RUNS, OURS), "judge_next", budget=budget)


# Orders of judging


@lawful
@given(
    track=tracks(grades=(-2, 0, 0, 1, 1, 2)).filter(lambda track: track[1] and any(track[0].values())),
    metric=st.sampled_from(WEIGHTED),
    budget=st.sampled_from([None, 2, 5]),
    rel_level=st.sampled_from([1, 2]),
)
def test_every_order_of_judging_judgment_by_judgment(track, metric, budget, rel_level):
    runs, qrels = track
    pooled = some_of(runs)
    count = sum(map(len, oracle.candidates(runs, qrels, pooled).values()))
    assume(count >= (budget or 1))
    study = small_study(runs, qrels, pooled=pooled, rel_level=rel_level)
    orders = ["depth", "weight", "move-to-front", "bandit-mean"]
    table = table_of(study, "judging_orders", metric=metric, orders=orders, budget=budget)
    assert list(table) == ["order", "judgments", "relevant", "tau"]
    assert list(dict.fromkeys(table.order)) == orders
    for which, rows in table.groupby("order"):
        sequence = oracle.judging_order(which, metric, runs, qrels, pooled, rel_level=rel_level)
        assert len(set(sequence)) == len(sequence) == count
        assert rows.judgments.iloc[-1] == (budget or count)
        assert all(a < b for a, b in pairwise(rows.judgments))
        for row in rows.itertuples():
            relevant, tau = oracle.after(sequence, row.judgments, metric, runs, qrels, rel_level=rel_level)
            assert (which, row.judgments, row.relevant) == (which, row.judgments, relevant)
            assert row.tau == pytest.approx(tau, abs=1e-9, nan_ok=True)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=varied_tracks(), metric=st.sampled_from(WEIGHTED))
def test_orders_by_depth_and_weight_with_several_queries_to_a_topic(track, metric):
    runs, qrels = track
    pooled = some_of(runs)
    assume(any(oracle.candidates(runs, qrels, pooled).values()))
    study = small_study(runs, qrels, pooled=pooled)
    table = table_of(study, "judging_orders", metric=metric, orders=["depth", "weight"])
    for row in table.itertuples():
        sequence = oracle.judging_order(row.order, metric, runs, qrels, pooled)
        relevant, tau = oracle.after(sequence, row.judgments, metric, runs, qrels)
        assert row.relevant == relevant
        assert row.tau == pytest.approx(tau, abs=1e-9, nan_ok=True)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=tracks(), which=st.sampled_from(sorted(JUDGING_ORDERS)), seed=st.integers(0, 3))
def test_every_order_judges_everything_once_and_comes_from_its_seed(track, which, seed):
    runs, qrels = track
    found = oracle.candidates(runs, qrels, sorted(runs))
    assume(any(found.values()))
    study = small_study(runs, qrels, pooled="all")
    orders = list(dict.fromkeys(["depth", which]))
    table = table_of(study, "judging_orders", orders=orders, seed=seed)
    assert table.equals(table_of(small_study(runs, qrels, pooled="all"), "judging_orders", orders=orders, seed=seed))
    depth, drawn = (table[table.order == one] for one in ("depth", which))
    assert depth.judgments.tolist() == drawn.judgments.tolist()
    relevant = sum(qrels[topic][D] >= 1 for topic in found for D in found[topic])
    assert depth.iloc[-1, 1:].tolist() == pytest.approx(drawn.iloc[-1, 1:].tolist(), nan_ok=True)
    assert drawn.relevant.iloc[-1] == relevant
    for rows in (depth, drawn):
        gained = np.diff(rows.relevant, prepend=0)
        assert ((gained >= 0) & (gained <= np.diff(rows.judgments, prepend=0))).all()


def test_about_twenty_checkpoints():
    runs = {s: {"1": {f"{s}{n}": float(-n) for n in range(100)}} for s in "abc"}
    qrels = {"1": {D: int(D.endswith("7")) for run in runs.values() for D in run["1"]}}
    table = table_of(small_study(runs, qrels, pooled="all"), "judging_orders", orders=["depth", "bandit-mean"])
    counts = table.groupby("order").size()
    assert all(15 <= count <= 25 for count in counts)
    assert table.groupby("order").judgments.max().tolist() == [300, 300]


@pytest.mark.parametrize(
    ("params", "word"), [({"orders": ["alphabet"]}, "alphabet"), ({"orders": []}, "orders"), ({"budget": 0}, "budget")]
)
def test_what_order_cannot_be_asked_is_said(params, word):
    with pytest.raises(ValueError, match=word):
        evalcore.ask(small_study(RUNS, OURS, pooled="all"), "judging_orders", **params)


# The experiment on score adjustment


def drawn_track(systems=6, topics=6, seed=4):
    """Runs of eight documents a topic, some of them their own, and judgments of everything."""
    rng = np.random.default_rng(seed)
    names = [f"d{n:02}" for n in range(20)]
    runs = {
        f"s{s}": {
            f"t{t}": {D: float(8 - k) for k, D in enumerate(rng.permutation(names)[:8].tolist())} for t in range(topics)
        }
        for s in range(systems)
    }
    return runs, {f"t{t}": {D: int(rng.random() < 0.4) for D in names} for t in range(topics)}


def typed(folder, runs, qrels, types):
    """A study of files whose systems table says the type of each."""
    lines = [f"{s}\t1\t{types[s]}\n" for s in sorted(runs)]
    (written(folder, runs, qrels) / "systems.tsv").write_text("system\tpooled\ttype\n" + "".join(lines))
    return opened(folder, systems=folder / "systems.tsv")


COLUMNS = ["unadjusted", "mixed", "from_systems", "from_topics"]


def assert_near(rows, expected):
    """To a tenth of the error without adjustment. expected : number of common topics -> column -> mean error"""
    for row in rows.itertuples():
        tolerance = 0.1 * expected[row.common]["unadjusted"]
        for name in COLUMNS:
            assert getattr(row, name) == pytest.approx(expected[row.common][name], abs=tolerance), (name, row)


@pytest.mark.slow
@pytest.mark.parametrize("unjudged", ["irrelevant", "condensed"])
def test_the_experiment_tends_to_the_mean_over_every_choice(unjudged):
    track, common = drawn_track(), [2, 4, 6]
    systems = sorted(track[0])
    how = {"widths": [2, 3], "common": common, "system_samples": 600, "topic_samples": 20, "unjudged": unjudged}
    table = table_of(small_study(*track, pooled="all"), "adjustment_experiment", depth=3, **how)
    assert list(table) == ["width", "common", *COLUMNS, "samples", *(f"{name}_se" for name in COLUMNS)]
    assert list(zip(table.width, table.common, strict=True)) == [(w, n) for w in (2, 3) for n in (2, 4, 6)]
    assert set(table.samples) == {12_000}
    for width, rows in table.groupby("width"):
        assert_near(rows, oracle.experiment("RBP(p=0.8)@10", *track, systems, systems, width, common, 3, unjudged))


def test_one_choice_alone_gives_its_own_errors(tmp_path):
    runs, qrels = drawn_track(systems=3)
    study = typed(tmp_path, runs, qrels, {"s0": "automatic", "s1": "automatic", "s2": "manual"})
    how = {"new": "manual", "widths": [2], "common": [2, 5, 6], "system_samples": 3, "topic_samples": 4000}
    table = table_of(study, "adjustment_experiment", metric="P@3", depth=3, **how)
    for row in table.itertuples():
        expected = oracle.experiment_once("P@3", runs, qrels, ["s0", "s1"], "s2", 3, row.common)
        assert row.unadjusted == pytest.approx(expected["unadjusted"], abs=1e-9)
        assert row.from_systems == pytest.approx(expected["from_systems"], abs=1e-9)
        exactly = row.common == 6
        assert row.mixed == pytest.approx(expected["mixed"], abs=1e-9 if exactly else 0.01)
        assert row.from_topics == pytest.approx(expected["from_topics"], abs=1e-9 if exactly else 0.01)
        assert row.mixed == pytest.approx(row.unadjusted * (6 - row.common) / 6, abs=1e-9 if exactly else 0.01)


def test_where_every_topic_is_alike_topics_tell_the_bias(tmp_path):
    runs = {
        s: {f"t{t}": {D: 3.0 - k for k, D in enumerate(docs)} for t in range(5)}
        for s, docs in zip("abc", ("xy", "yz", "wx"), strict=True)
    }
    qrels = {f"t{t}": {"x": 0, "y": 1, "z": 0, "w": 1} for t in range(5)}
    study = typed(tmp_path, runs, qrels, {"a": "automatic", "b": "automatic", "c": "manual"})
    how = {"new": "manual", "widths": [2], "common": [2, 4, 5], "system_samples": 2, "topic_samples": 3}
    table = table_of(study, "adjustment_experiment", metric="P@2", depth=2, **how)
    assert table.unadjusted.tolist() == pytest.approx([0.5] * 3)
    assert table.from_topics.tolist() == pytest.approx([0] * 3)
    assert table.mixed.tolist() == pytest.approx([0.5 * 3 / 5, 0.5 / 5, 0])


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 999),
    metric=st.sampled_from(["RBP(p=0.8)@3", "P@3", "AP"]),
    best=st.sampled_from([None, 1, 2]),
    pools=st.sampled_from(["contributing", "all"]),
    unjudged=st.sampled_from(["irrelevant", "condensed"]),
)
def test_the_best_may_be_new_and_any_other_system_may_form_pools(seed, metric, best, pools, unjudged):
    """One choice of a new system and its pool, on all topics, is one of those that the definition allows."""
    runs, qrels = drawn_track(systems=4, topics=3, seed=seed)
    pooled = sorted(runs)[:3]
    everyone = sorted(runs) if pools == "all" else pooled
    study = small_study(runs, qrels, pooled=pooled)
    how = {"best": best, "pools": pools, "unjudged": unjudged, "widths": [2], "common": [3]}
    found = table_of(study, "adjustment_experiment", metric=metric, depth=3, system_samples=1, topic_samples=1, **how)
    candidates = oracle.best_of(metric, runs, qrels, everyone, best or len(everyone))
    remainder = [s for s in everyone if s not in candidates] if pools == "all" else []  # of the system set [WP09]
    allowed = [
        oracle.experiment_once(metric, runs, qrels, list(pool), new, 3, 3, unjudged)
        for new in candidates
        for pool in combinations([s for s in remainder or everyone if s != new], 2)
    ]
    row = found.iloc[0]
    assert any(all(abs(row[name] - one[name]) < 1e-9 for name in COLUMNS) for one in allowed)


def test_the_experiment_with_the_best_and_all_pools_tends_to_its_mean():
    runs, qrels = drawn_track()
    study = small_study(runs, qrels, pooled=["s0", "s1", "s2"])
    how = {"widths": [2], "common": [2, 6], "system_samples": 400, "topic_samples": 20, "best": 2, "pools": "all"}
    table = table_of(study, "adjustment_experiment", depth=3, **how)
    new = oracle.best_of("RBP(p=0.8)@10", runs, qrels, sorted(runs), 2)
    others = [s for s in sorted(runs) if s not in new]
    assert_near(table, oracle.experiment("RBP(p=0.8)@10", runs, qrels, new, others, 2, [2, 6], 3))


def test_no_pool_contains_a_system_that_may_be_new():
    """The paper's design: a pool as wide as the remainder is the remainder, whoever is new."""
    runs, qrels = drawn_track(systems=5)
    study = small_study(runs, qrels, pooled="all")
    how = {"best": 3, "pools": "all", "widths": [2, 3], "common": [6], "system_samples": 30, "topic_samples": 1}
    answer = evalcore.ask(study, "adjustment_experiment", metric="P@3", depth=3, **how)
    assert answer.table["width"].tolist() == [2]
    assert "The 3 systems that may be new are in no pool." in answer.notes
    new = oracle.best_of("P@3", runs, qrels, sorted(runs), 3)
    pool = [s for s in sorted(runs) if s not in new]
    each = [oracle.experiment_once("P@3", runs, qrels, pool, one, 3, 6)["unadjusted"] for one in new]
    assert min(each) - 1e-9 <= answer.table["unadjusted"].iloc[0] <= max(each) + 1e-9


def test_the_best_of_a_type_are_new_for_pools_of_any_other_systems(tmp_path):
    runs, qrels = drawn_track(systems=3)
    study = typed(tmp_path, runs, qrels, {"s0": "manual", "s1": "manual", "s2": "manual"})
    how = {"widths": [2], "common": [6], "system_samples": 1, "topic_samples": 1, "new": "manual", "best": 1}
    with pytest.raises(ValueError, match="of that type and of other types are both needed"):
        table_of(study, "adjustment_experiment", metric="P@3", depth=3, **how)
    row = table_of(study, "adjustment_experiment", metric="P@3", depth=3, pools="all", **how).iloc[0]
    (new,) = oracle.best_of("P@3", runs, qrels, sorted(runs), 1)
    others = [s for s in runs if s != new]
    expected = oracle.experiment_once("P@3", runs, qrels, others, new, 3, 6)
    assert row[COLUMNS].tolist() == pytest.approx([expected[name] for name in COLUMNS], abs=1e-9)


def test_more_common_topics_bring_a_smaller_error():
    runs, qrels = drawn_track(topics=12)
    how = {"widths": [2], "common": [2, 4, 8, 12], "system_samples": 20, "topic_samples": 100}
    table = table_of(small_study(runs, qrels, pooled="all"), "adjustment_experiment", depth=3, **how)
    assert table.from_topics.is_monotonic_decreasing
    assert table.mixed.is_monotonic_decreasing
    assert table.from_topics.iloc[-1] == pytest.approx(0, abs=1e-12)
    assert table.mixed.iloc[-1] == pytest.approx(0, abs=1e-12)
    by_law = [math.sqrt((12 - n) / (n * 12)) for n in (2, 4, 8)]
    assert table.from_topics[1] / table.from_topics[0] == pytest.approx(by_law[1] / by_law[0], rel=0.15)
    assert table.from_topics[2] / table.from_topics[0] == pytest.approx(by_law[2] / by_law[0], rel=0.15)


def test_the_standard_error_is_that_of_the_draws():
    """A draw depends on its number alone: the n-th is n times the mean of n less (n - 1) times that of n - 1."""
    study, how = (
        small_study(*drawn_track(), pooled="all"),
        {"widths": [2], "common": [2], "topic_samples": 5, "depth": 3},
    )
    rows = [table_of(study, "adjustment_experiment", system_samples=n, **how).iloc[0] for n in range(1, 7)]
    for name in COLUMNS:
        draws = [n * row[name] - (n - 1) * before for n, row, before in
                 zip(range(1, 7), rows, [0, *(row[name] for row in rows)], strict=False)]  # fmt: skip
        assert rows[-1][f"{name}_se"] == pytest.approx(statistics.stdev(draws) / math.sqrt(6), abs=1e-9)
        assert math.isnan(rows[0][f"{name}_se"])


SHORT = {"depth": 3, "widths": [2, 3], "common": [2, 4], "system_samples": 8, "topic_samples": 5}


def test_the_experiment_comes_from_its_seed():
    first, again, other = (
        table_of(small_study(*drawn_track(), pooled="all"), "adjustment_experiment", seed=seed, **SHORT)
        for seed in (1, 1, 2)
    )
    assert first.equals(again)
    assert not first.equals(other)


def test_an_interrupted_experiment_goes_on_where_it_stopped():
    study = small_study(*drawn_track(), pooled="all")
    calls = []

    def until(done, total):
        calls.append((done, total))
        if len(calls) == 5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        evalcore.ask(study, "adjustment_experiment", progress=until, **SHORT)
    again = []
    answer = evalcore.ask(study, "adjustment_experiment", progress=lambda *told: again.append(told), **SHORT)
    assert again[0][0] > 0
    assert {total for _, total in again} == {calls[0][1]}
    whole = table_of(small_study(*drawn_track(), pooled="all"), "adjustment_experiment", **SHORT)
    assert answer.table.equals(whole)
    assert "progress" not in answer.params


def test_widths_and_numbers_of_topics_that_cannot_be_are_left_out():
    study = small_study(*drawn_track(systems=4, topics=4), pooled="all")
    how = {"system_samples": 2, "topic_samples": 2}
    answer = evalcore.ask(study, "adjustment_experiment", widths=[2, 3, 4, 40], common=[2, 4, 5], depth=3, **how)
    assert list(zip(answer.table.width, answer.table.common, strict=True)) == [(2, 2), (2, 4), (3, 2), (3, 4)]
    assert "40" in texts(answer)
    assert "5" in texts(answer)


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({"widths": [40]}, "40|widths|systems"),
        ({"common": [99]}, "99|common|topics"),
        ({"new": "manual"}, "type|manual"),
        ({"best": 0}, "best"),
        ({"pools": "pooled"}, "pools"),
        ({"system_samples": 0}, "system_samples"),
        ({"topic_samples": 1.5}, "topic_samples"),
        ({"depth": 0}, "depth"),
    ],
)
def test_what_experiment_cannot_be_is_said(params, word):
    with pytest.raises(ValueError, match=word):
        evalcore.ask(small_study(*drawn_track(), pooled="all"), "adjustment_experiment", **SHORT | params)


# On real tracks


@pytest.fixture(scope="module")
def data():
    if "POOLSCOPE_DATA" not in os.environ:
        pytest.skip("POOLSCOPE_DATA does not name the folder of real tracks")
    return Path(os.environ["POOLSCOPE_DATA"])


@pytest.mark.real
def test_without_a_table_the_audit_names_all_pooled_runs_of_trec_covid(data):
    folder = data / "trec-covid-r1"
    truth = [line.split("\t") for line in (folder / "systems.tsv").read_text().splitlines()[1:]]
    pooled = {words[0] for words in truth if words[3] == "1"}
    answer = evalcore.ask(opened(folder), "pool_audit")
    found = answer.table[answer.table.looks_pooled]
    assert len(pooled) == 56
    assert pooled <= set(found.system)
    assert len(found) <= 61
    assert set(found[found.system.isin(pooled)].depth_by_score) <= {7, 8}
    assert "happen to be judged" in texts(answer)


UMBRELA = {"umbrela.gpt-4.txt": 0.35, "umbrela.gpt-4o.txt": 0.37}  # kappa of four grades


@pytest.mark.real
def test_kappa_of_llm_judgments_equals_scikit_learn(data):
    folder = data / "dl21-passage"
    study = opened(folder)
    for path in sorted((folder / "llm-qrels").iterdir()):
        files = []
        for file in (folder / "qrels.txt", path):
            rows = [line.split() for line in file.read_text().splitlines()]
            files.append({(topic, D): int(grade) for topic, _, D, grade in rows})
        ours, theirs = files
        both = [key for key in ours if key in theirs and theirs[key] >= 0]
        here, there = [ours[key] for key in both], [theirs[key] for key in both]
        row = table_of(study, "agreement", other=path).iloc[-1]
        assert row.both == len(both)
        assert row.kappa == pytest.approx(cohen_kappa_score(here, there), abs=1e-12)
        assert row.kappa_weighted == pytest.approx(cohen_kappa_score(here, there, weights="quadratic"), abs=1e-12)
        if path.name in UMBRELA:
            assert round(row.kappa, 2) == UMBRELA[path.name]


@pytest.mark.real
def test_the_first_judgments_against_those_of_all_rounds(data):
    folder = data / "trec-covid-r1"
    study = opened(folder, systems=folder / "systems.tsv", other=folder / "qrels.union.txt")
    rows = table_of(study, "agreement")
    assert rows.iloc[-1].both == rows.iloc[:-1].both.sum()
    effect = evalcore.ask(study, "agreement_effect")
    assert len(effect.table) == 143


def test_what_one_alone_judges_is_counted(tmp_path):
    runs = {"a": {"1": {"x": 2.0}, "2": {"y": 1.0}, "3": {"z": 1.0}}}
    qrels, other = {"1": {"x": 1, "u": 0, "v": 0}, "2": {"y": 1}}, {"1": {"x": 1, "w": 1}, "3": {"z": 1}}
    folder = written(tmp_path, runs, qrels, other)
    table = table_of(opened(folder, other=folder / "other.txt"), "agreement").set_index("topic")
    assert table.loc["1", ["both", "first_alone", "second_alone"]].tolist() == [1, 2, 1]
    assert table.loc["all", ["both", "first_alone", "second_alone"]].tolist() == [1, 3, 2]


@pytest.mark.parametrize(("empty", "past"), [("unknown", True), ("not relevant", False)])
def test_what_lies_past_the_end_of_lists_is_noted_where_anything_does(empty, past):
    study = small_study({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"t": {"x": 1}}, empty=empty)
    (note,) = evalcore.ask(study, "judge_next", metric="P@3").notes
    assert ("unfilled ranks" in note) == past
    assert f"average {0.6667 if past else 0.3333} in width" in note


def test_no_width_that_is_left_is_told_as_nothing():
    study = small_study({"a": {"t": {f"d{i:02}": 99.0 - i for i in range(40)}}}, {"t": {"d00": 1}})
    (note,) = evalcore.ask(study, "judge_next", metric="RBP(p=0.7)").notes
    assert "of which less than 0.0001 is due to unfilled ranks" in note
    assert note.endswith("Judging these documents leaves less than 0.0001.")
