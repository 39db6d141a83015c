"""Fusion against the definitions, the figures of Bailey, Moffat, Scholer & Thomas (2017), and laws."""

import dataclasses
import io
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import evalcore
from evalcore.fusion import fused_runs, methods
from evalcore.study import study_fusion
from tests.examples import examples
from tests.oracles import fusion as oracle
from tests.oracles import metrics as metric_oracle
from tests.oracles.ranking import order
from tests.questions.test_answers import folder, run_script  # noqa: F401  (a fixture)
from tests.small import g_max_of, small_study, tracks

FIGURE_1 = {"u1": "ADBCGF", "u2": "BDEC", "u3": "ABDCGFE", "u4": "GDEAFC"}  # BMST17, figure 1
QRELS = {"1": {"A": 1, "G": 1, "F": 0}}
METHODS = sorted(methods.FUSIONS)


def falling(letters):
    return {letter: float(-k) for k, letter in enumerate(letters)}


@pytest.fixture(scope="module")
def figure():
    return small_study({name: {"1": falling(letters)} for name, letters in FIGURE_1.items()}, QRELS)


def ranking(study, system, query=0):
    """The documents of a system, best first."""
    s = study.systems.index(system)
    return study.track.documents(study.track.items[s, query, : study.track.lengths[s, query]])


def value_of(study, **rule):
    """document -> what the rule gives it on the first query, by all systems."""
    made = methods.rule(**({"text": rule.pop("method", "rbc")} | rule))
    S = len(study.systems)
    items, values = fused_runs.fused_list(study.track, made, np.arange(S), np.zeros(S, int), np.ones(S))
    return dict(zip(study.track.documents(items), values, strict=True))


@pytest.mark.parametrize(
    ("phi", "printed"),
    [
        (0.6, "A .89 D .86 B .78 G .50 E .31 C .29 F .11"),
        (0.8, "D .61 A .50 B .49 C .37 G .36 E .31 F .21"),
        (0.9, "D .35 C .28 A .27 B .27 G .23 E .22 F .18"),
    ],
)
def test_figure_1_at_three_persistences(figure, phi, printed):
    documents, values = printed.split()[::2], [float(value) for value in printed.split()[1::2]]
    found = value_of(figure, phi=phi)
    assert methods.of_names(FIGURE_1.values(), methods.rule("rbc", phi=phi)) == list(found.items())
    assert list(found) == documents
    assert [round(value, 2) for value in found.values()] == values


def test_borda_on_the_lists_of_figure_1(figure):
    assert value_of(figure, method="borda") == {"D": 23, "B": 18, "A": 18, "C": 14, "G": 13, "E": 11, "F": 7}


def test_lists_of_names_are_fused_without_any_data():
    found = methods.of_names(["AB", "", "C"], methods.rule("combsum(normalisation=rank)"))
    assert found == [("C", 1), ("A", 1), ("B", 0.5)]
    assert methods.of_names([], methods.rule("rbc")) == methods.of_names([""], methods.rule("rbc")) == []
    with pytest.raises(ValueError, match=r"^A occurs 2 times in one ranking\. Keep it once\.$"):
        methods.of_names(["ABA"], methods.rule("rbc"))
    said = r"combmnz needs scores, but names have none\. Use combmnz\(normalisation=rank\)"
    with pytest.raises(ValueError, match=said):
        methods.of_names(["AB"], methods.rule("combmnz"))


def test_persistence_0_counts_first_places_and_1_counts_lists(figure):
    assert value_of(figure, phi=0) == {"A": 2, "G": 1, "B": 1, "F": 0, "E": 0, "D": 0, "C": 0}
    assert value_of(figure, phi=1) == {"D": 4, "C": 4, "G": 3, "F": 3, "E": 3, "B": 3, "A": 3}


@settings(max_examples=examples(150), deadline=None)
@given(
    track=tracks(),
    method=st.sampled_from(METHODS),
    phi=st.sampled_from([0, 0.5, 0.9, 1]),
    normalisation=st.sampled_from(sorted(methods.NORMALISATIONS)),
    weighed=st.booleans(),
)
def test_every_method_equals_its_definition(track, method, phi, normalisation, weighed):
    runs, qrels = track
    study = small_study(runs, qrels)
    weights = [1.0 + (3 * s) % 4 for s in range(len(runs))] if weighed else None
    rule = {"method": method, "phi": phi, "normalisation": normalisation}
    fused = study.with_fused("fused", **rule, weights=weights)
    for query, topic in enumerate(study.track.queries):
        lists = [runs[system].get(topic, {}) for system in sorted(runs)]
        values = oracle.values(lists, **rule, weights=weights)
        found = ranking(fused, "fused", query)
        assert sorted(found) == sorted(values)
        given = [round(float(values[document]), 9) for document in found]
        assert given == sorted(given, reverse=True)
        if normalisation != "z-score":  # whose equal sums are only nearly equal in the definition
            assert found == order(values)


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(topics=1), method=st.sampled_from(METHODS), depth=st.integers(1, 6))
def test_a_shallower_list_is_the_top_of_a_deeper_one(track, method, depth):
    runs, qrels = track
    study = small_study(runs, qrels | {"t0": {"da": 1}})
    ranking = np.arange(len(runs)), np.zeros(len(runs), int), np.ones(len(runs))
    whole, top = (fused_runs.fused_list(study.track, methods.rule(method), *ranking, depth=d) for d in (None, depth))
    assert np.array_equal(top[0], whole[0][:depth])
    assert np.array_equal(top[1], whole[1][:depth])


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(), method=st.sampled_from(METHODS), metric=st.sampled_from(["AP", "RBP(p=0.8)", "nDCG@5", "bpref"]))
def test_a_fused_system_is_scored_as_its_list_is(track, method, metric):
    runs, qrels = track
    assume(qrels)
    study = small_study(runs, qrels).with_fused("fused", method=method)
    lists = {topic: [run.get(topic, {}) for _, run in sorted(runs.items())] for topic in study.track.topics}
    fused = {topic: oracle.as_run(oracle.fused(of_topic, method)) for topic, of_topic in lists.items()}
    value, lower, upper, n = metric_oracle.mean(metric, fused, qrels, g_max=g_max_of(qrels))
    found = evalcore.ask(study, "leaderboard", metric=metric).table.set_index("system").loc["fused"]
    assert (found.value, found.lower, found.upper, found.n) == pytest.approx((value, lower, upper, n), nan_ok=True)
    assert (found.group, found.pooled) == ("", False)


# Laws

LISTS = st.lists(st.permutations("ABCDEFG"), min_size=2, max_size=5)


@settings(max_examples=examples(100), deadline=None)
@given(lists=LISTS, cut=st.lists(st.integers(1, 7), min_size=5, max_size=5), phi=st.sampled_from([0.3, 0.6, 0.9, 0.99]))
def test_what_every_list_prefers_the_fused_list_prefers(lists, cut, phi):
    lists = [one[:n] for one, n in zip(lists, cut, strict=False)]
    study = small_study({f"s{i}": {"1": falling(one)} for i, one in enumerate(lists)}, QRELS)
    for method in ("rbc", "borda"):
        found = ranking(study.with_fused("fused", method=method, phi=phi), "fused")
        for one, other in itertools.permutations(set(found), 2):
            place = [[of.index(x) if x in of else len(of) for x in (one, other)] for of in lists]
            if all(a <= b for a, b in place) and any(a < b for a, b in place):
                assert found.index(one) < found.index(other)


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(systems=1), method=st.sampled_from(METHODS), normalisation=st.sampled_from(["min-max", "z-score"]))
def test_a_run_fused_with_itself_keeps_its_order(track, method, normalisation):
    runs, qrels = track
    distinct = {  # among tied documents a method that uses scores keeps the order by name, as the run does
        topic: {d: score + 1e-3 * place for place, (d, score) in enumerate(scored.items())}
        for topic, scored in runs["s0"].items()
    }
    study = small_study({"a": distinct, "b": distinct}, qrels)
    fused = study.with_fused("fused", method=method, normalisation=normalisation)
    for query in range(len(study.track.queries)):
        assert ranking(fused, "fused", query) == ranking(fused, "a", query)


@settings(max_examples=examples(60), deadline=None)
@given(track=tracks(), method=st.sampled_from(METHODS), normalisation=st.sampled_from(["min-max", "z-score", "rank"]))
def test_the_order_of_inputs_does_not_matter(track, method, normalisation):
    runs, qrels = track
    study, rule = small_study(runs, qrels), {"method": method, "normalisation": normalisation}
    inputs = list(study.systems)
    one = study.with_fused("fused", systems=inputs, **rule)
    other = study.with_fused("fused", systems=inputs[::-1], **rule)
    assert np.array_equal(one.track.items, other.track.items)
    if method == "round-robin":
        return  # which takes the systems in the order of their names
    renamed = small_study({f"r{9 - int(name[1:])}": run for name, run in runs.items()}, qrels)
    for query in range(len(study.track.queries)):
        assert ranking(renamed.with_fused("fused", **rule), "fused", query) == ranking(one, "fused", query)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.sampled_from([3.0, 1.0, 1.0, 1e-50, 0.0, -2.0, 1e300, 0.1, -1e-46]), max_size=30))
def test_saved_scores_strictly_fall_for_those_who_read_32_bits(values):
    values = np.array(sorted(values, reverse=True))
    saved = fused_runs.falling(values)
    assert np.all(np.diff(saved.astype(np.float32)) < 0)
    assert np.array_equal(saved.astype(np.float32), saved)
    np.testing.assert_allclose(saved, np.clip(values, -3.4028234e38, 3.4028235e38), rtol=1e-5, atol=1e-40)


@settings(max_examples=examples(40), deadline=None)
@given(track=tracks(), method=st.sampled_from(METHODS))
def test_trec_eval_reads_the_order_that_is_saved(track, method):
    runs, qrels = track
    study = small_study(runs, qrels).with_fused("fused", method=method)
    for query in range(len(study.track.queries)):
        documents = ranking(study, "fused", query)
        scores = study.track.scores[-1, query, : len(documents)]
        assert order(dict(zip(documents, scores.tolist(), strict=True))) == documents


# Systems of a study

VARIED = {
    "A": {"1-1": falling("abc"), "1-2": falling("bad"), "1-3": falling("ea"), "2-1": falling("xy")},
    "B": {"1-1": falling("cde"), "1-2": {}, "2-1": falling("yz")},
}
VARIED_QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"y": 1}}


@pytest.fixture
def varied():
    return small_study(VARIED, VARIED_QRELS, pooled=["A"])


def of_topic(run, topic):
    return [run[query] for query in sorted(run) if query.startswith(topic)]


def test_the_fused_variations_answer_every_query_of_the_topic(varied):
    study = varied.with_fused("A.all", systems=["A"], over="variations", method="borda")
    for query, name in enumerate(study.track.queries):
        assert ranking(study, "A.all", query) == oracle.fused(of_topic(VARIED["A"], name[0]), "borda")


@pytest.mark.parametrize("method", ["rbc", "combsum"])
def test_double_fusion_is_fusing_what_was_fused(varied, method):
    twice = varied.with_fused("both", over="both", method=method)
    step = varied.with_fused("A.all", systems=["A"], over="variations", method=method)
    step = step.with_fused("B.all", systems=["B"], over="variations", method=method)
    step = step.with_fused("both", systems=["A.all", "B.all"], method=method)
    for query in range(len(varied.track.queries)):
        assert ranking(twice, "both", query) == ranking(step, "both", query)
    assert np.array_equal(twice.track.scores[-1], step.track.scores[-1], equal_nan=True)


def test_the_pool_stays_what_it_was(varied):
    study = varied.with_fused("fused").with_fused("again", systems=["fused", "B"])
    assert study.depth == varied.depth
    assert np.array_equal(study.pool_rank, varied.pool_rank)
    assert study.track.pooled.tolist() == [True, False, False, False]
    before = evalcore.ask(varied, "scores", depth=1).table
    after = evalcore.ask(study, "scores", depth=1, systems=["A", "B"]).table
    pd.testing.assert_frame_equal(before, after)
    assert study.digest != varied.digest
    assert study.system_table.system.tolist() == ["A", "B", "fused", "again"]


RECIPES = (
    {"name": "f", "systems": ["A", "B"]},
    {"name": "g", "systems": ["B"], "method": "combmnz", "pooled": True, "k": 2},
    {"name": "h", "systems": ["f", "B"], "method": "borda", "weights": [1, 2]},
    {"name": "i", "systems": "all", "method": "rbc(phi=0.8)"},
    {"name": "j", "systems": ["A"], "over": "variations", "method": "combsum"},
    {"name": "k", "systems": ["i", "j", "A"], "over": "both"},
)


@pytest.mark.parametrize("recipes", [*itertools.permutations(RECIPES[:4]), RECIPES, RECIPES[::-1], (), RECIPES * 2])
@pytest.mark.parametrize("how", ["whole", "narrowed", "by rank"])
def test_fused_all_at_once_is_fused_one_after_the_other(varied, recipes, how):
    """Also where they are fused again, where all that came before are fused, and where some cannot be made."""
    start = varied.only(systems=["A", "B"], topics=["1"]) if how == "narrowed" else varied
    if how == "by rank":
        S, Q, K = varied.whole.shape
        start = dataclasses.replace(varied, by_rank=np.broadcast_to(np.arange(K, dtype=np.int32), (S, Q, K)))
    one_by_one, wrong = start, False
    for recipe in recipes:
        try:
            one_by_one = one_by_one.with_fused(**recipe)
        except ValueError:
            wrong = True
    at_once = study_fusion.with_each_fused(start, recipes, skip=True)
    assert (at_once.systems, at_once.digest, at_once.scope) == (one_by_one.systems, one_by_one.digest, one_by_one.scope)
    for name in ("items", "scores", "pooled"):
        for one, other in ((at_once.track, one_by_one.track), (at_once.whole, one_by_one.whole)):
            assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name == "scores")
    assert (at_once.by_rank is None) == (one_by_one.by_rank is None)
    assert at_once.by_rank is None or np.array_equal(at_once.by_rank, one_by_one.by_rank)
    pd.testing.assert_frame_equal(at_once.system_table, one_by_one.system_table)
    if wrong:
        with pytest.raises(ValueError, match=r"no system|already"):
            study_fusion.with_each_fused(start, recipes)
    else:
        assert study_fusion.with_each_fused(start, recipes).digest == at_once.digest


def test_fused_runs_of_a_study_are_joined_once(varied, monkeypatch):
    joins = []
    monkeypatch.setattr(study_fusion, "joined", lambda *given: joins.append(given) or fused_runs.joined(*given))
    names = [f"f{n}" for n in range(20)]
    study = study_fusion.with_each_fused(varied, [{"name": name, "systems": ["A", "B"]} for name in names])
    assert study.systems == ("A", "B", *names)
    assert len(joins) == 1


def test_narrowing_before_or_after_makes_the_same_study(varied):
    after = varied.with_fused("fused", systems=["A", "B"]).only(systems=["A", "fused"], topics=["1"])
    before = varied.only(topics=["1"]).with_fused("fused").only(systems=["A", "fused"])
    assert np.array_equal(after.track.items, before.track.items)
    assert after.systems == before.systems == ("A", "fused")
    alone = varied.only(systems=["B"]).with_fused("fused")
    assert alone.systems == ("B", "fused")
    assert ranking(alone, "fused") == list("cde")


def test_a_fused_list_may_be_longer_than_its_inputs():
    runs = {"A": {"1": {"a": 1.0}}, "B": {"1": {"b": 1.0}}}
    study = small_study(runs, {"1": {"a": 1}}).with_fused("fused")
    assert study.track.shape == (3, 1, 2)
    assert ranking(study, "fused") == ["b", "a"]  # nothing in common: a tie, by document id descending
    deep = {f"s{i}": {"1": {f"d{i}-{k}": -float(k) for k in range(400)}} for i in range(4)}
    assert small_study(deep, {"1": {"d0-0": 1}}).with_fused("fused").track.lengths.tolist()[-1] == [fused_runs.DEPTH]


def test_the_rank_column_of_the_inputs_stays_in_force(varied):
    by_rank = np.broadcast_to(np.arange(varied.track.shape[2], dtype=np.int32)[::-1], varied.track.shape).copy()
    study = dataclasses.replace(varied, by_rank=by_rank).with_fused("fused")
    assert np.array_equal(study.by_rank[:2, :, :3], by_rank)
    assert np.array_equal(study.by_rank[2, 0], np.arange(study.track.shape[2]))


def test_weights_are_as_the_systems_are_listed(figure):
    heavy = {"systems": ["u4", "u1"], "weights": [10, 1]}
    assert ranking(figure.with_fused("fused", **heavy), "fused")[0] == "G"
    assert ranking(figure.with_fused("fused", **heavy, method="round-robin"), "fused")[:2] == ["G", "A"]
    assert ranking(figure.with_fused("fused", systems=["u1", "u4"], weights=[10, 1]), "fused")[0] == "A"


def test_variations_are_weighed_by_a_column(varied):
    table = varied.query_table.assign(weight=[1.0, 1.0, 9.0, 2.0])
    study = dataclasses.replace(varied, query_table=table)
    fused = study.with_fused("fused", systems=["A"], over="variations", phi=0.5, weights="weight")
    assert ranking(fused, "fused")[:2] == ["e", "a"]
    order_of = study_fusion.variations_of(study)
    assert [study.track.queries[q] for q in order_of[0]] == ["1-3", "1-1", "1-2"]


@pytest.mark.parametrize("normalisation", ["min-max", "z-score"])
def test_scores_that_are_all_equal_count_alike(normalisation):
    study = small_study({"A": {"1": dict.fromkeys("abc", 7.1)}, "B": {"1": {"a": 2.0}}}, {"1": {"a": 1}})
    found = value_of(study, method="combsum", normalisation=normalisation)
    each = 1.0 if normalisation == "min-max" else 0.0
    assert found == {"a": 2 * each, "c": each, "b": each}


def test_missing_scores_are_said_where_scores_are_used(figure):
    scores = figure.track.scores.copy()
    scores[1] = np.nan
    study = dataclasses.replace(figure, whole=dataclasses.replace(figure.track, scores=scores))
    with pytest.raises(ValueError, match="CombSUM needs a score for every document, but u2 lacks some on query 1"):
        study.with_fused("fused", method="combsum")
    assert ranking(study.with_fused("fused", method="combsum", normalisation="rank"), "fused")[0] == "D"
    assert ranking(study.with_fused("fused"), "fused")[0] == "D"


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"method": "condorcet"}, "no fusion method 'condorcet'. Known: rbc, borda, combsum, combmnz, combmax, "),
        ({"normalisation": "sum"}, "no normalisation 'sum'. Known: min-max, z-score, rank."),
        ({"phi": 1.2}, "phi=1.2 is not valid; it must be between 0 and 1, such as 0.9."),
        ({"phi": "0.9"}, "phi='0.9' is not valid"),
        ({"over": "topics"}, "over='topics' is not known. Known: systems, variations, both."),
        ({"over": "variations"}, "over='variations' needs one system, but 2 are given. Choose one, or over='both'."),
        ({"systems": ["C"]}, "no system 'C'. Known: A, B."),
        ({"systems": []}, "an empty list of systems"),
        ({"systems": "best"}, "systems='best' is not known. Known: all, pooled, unpooled, or a list"),
        ({"weights": [1]}, "1 weights for 2 systems. Give each system one weight."),
        ({"weights": [1, 0]}, "a weight of 0 is not valid; it must be a number above 0."),
        ({"weights": [1, 10**400]}, f"a weight of 1{'0' * 79} is not valid; it must be a number above 0."),
        ({"weights": [1, np.inf]}, "a weight of inf is not valid; it must be a number above 0."),
        (
            {"weights": "weight"},
            "weights='weight': a column can only give weights of variations. Give each system a number instead.",
        ),
        ({"over": "both", "weights": "votes"}, "the queries table has no column 'votes'. It has "),
        ({"over": "variations", "systems": ["A"], "weights": [1]}, "weights: weights of variations come from a column"),
        ({"name": "B"}, "there already is a system 'B'. Give the fused run another name."),
        ({"name": "two words"}, "'two words' is not a valid name for a system. Use a word, such as 'rbc'."),
    ],
)
def test_what_cannot_be_fused_is_said(varied, params, sentence):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  (the words follow)
        varied.with_fused(**({"name": "fused"} | params))
    assert str(refused.value).startswith(sentence)


# Scripts


@pytest.mark.parametrize("narrowed_first", [True, False])
def test_the_script_fuses_again(folder, narrowed_first):  # noqa: F811
    (folder / "runs" / "three.run").write_text("1 Q0 c 1 9 three\n1 Q0 b 2 3 three\n2 Q0 z 1 1 three\n")
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)
    if narrowed_first:
        study = study.only(systems=["three", "one"]).with_fused("fused", phi=0.8, weights=[1, 2])
    else:
        study = study.with_fused("first").with_fused("fused", systems=["first", "two"], method="combmnz")
        study = study.only(systems=["fused", "two"], topics=["1"])
    answer = evalcore.ask(study, "scores", metric="AP")
    assert "fused" in set(answer.table.system)
    done = run_script(answer, folder)
    assert done.returncode == 0, done.stderr
    unknown = {"upper_listed": [""]}  # AP has none
    again = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, na_values=unknown, dtype={"topic": str})
    pd.testing.assert_frame_equal(again, answer.table, check_dtype=False)


def test_every_method_and_normalisation_names_its_source_and_its_oracle():
    for row in (*methods.FUSIONS.values(), *methods.NORMALISATIONS.values()):
        assert row.summary
        assert row.source
        assert row.oracle
        assert row.function.__doc__


@pytest.mark.parametrize("name", [*methods.FUSIONS, "rbc(phi=0.5)", "combsum(normalisation=rank)", "rrf(constant=10)"])
def test_the_name_of_a_rule_reads_back(name):
    assert methods.rule(methods.rule(name).name) == methods.rule(name)


def test_what_a_name_says_goes_before_what_stands_beside_it():
    assert methods.rule("rbc(phi=0.5)", phi=0.7).name == "rbc(phi=0.5)"
    assert methods.rule("rbc", phi=0.7, normalisation="rank").name == "rbc(phi=0.7)"
    assert methods.rule("combmnz", phi=0.7, normalisation="z-score").name == "combmnz(normalisation=z-score)"


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e307])
def test_very_small_and_very_large_scores_are_normalised(scale):
    held, scores = np.ones((1, 3), bool), np.array([[2.0, 1.0, 0.0]]) * scale
    assert methods.min_max(held, scores).tolist() == [[1, 0.5, 0]]
    assert methods.z_score(held, scores)[0].tolist() == pytest.approx([1.5**0.5, 0, -(1.5**0.5)])


def test_a_fused_run_may_be_taken_as_pooled():
    runs = {"A": {"1": {"a": 3.0, "b": 2.0}}, "B": {"1": {"c": 2.0, "b": 1.0}}}
    study = small_study(runs, {"1": {"a": 1, "b": 1, "c": 0}}, pooled=["A"])
    assert study.with_fused("f").track.pooled.tolist() == [True, False, False]
    pooled = study.with_fused("f", pooled=True)
    assert pooled.track.pooled.tolist() == [True, False, True]
    judged = [evalcore.ask(one, "pool", metric="P@1", depths=[1]).table.judgments[0] for one in (study, pooled)]
    assert judged == [1, 2]  # a; then also b, which both lists hold
    assert "pooled=True" in evalcore.ask(pooled, "systems").script()


def test_z_scores_of_lists_of_different_lengths_are_scipys():
    """Ranks past the end of a shorter list change neither its mean nor its standard deviation."""
    filled = np.array([[True, True, True, True], [True, True, False, False]])
    scores = np.array([[9.0, 4.0, 2.0, 1.0], [7.0, 3.0, np.nan, np.nan]])
    found = methods.z_score(filled, scores)
    for row, has, own in zip(found, filled, scores, strict=True):
        assert row[has] == pytest.approx(stats.zscore(own[has]))
        assert (row[~has] == 0).all()


@pytest.mark.parametrize("name", ["rbc(phi=0.5)", "borda", "rrf", "round-robin", "combsum(normalisation=rank)"])
@given(lists=st.lists(st.lists(st.sampled_from("ABCDEF"), unique=True), min_size=1, max_size=4).filter(any))
def test_the_values_of_a_method_are_those_of_its_definition(name, lists):
    """Not their order alone: a constant that is off by one changes no order of most examples."""
    rule = methods.rule(name)
    expected = oracle.values(lists, rule.method.name, **dict(rule.parameters) if rule.method.name != "rrf" else {})
    found = dict(methods.of_names(lists, rule))
    if name == "round-robin":  # only which comes before which is defined
        found, expected = (sorted(of, key=of.get) for of in (found, expected))
        assert found == expected
    else:
        assert found == pytest.approx({document: float(value) for document, value in expected.items()}, abs=1e-12)


def test_reciprocal_rank_fusion_counts_ranks_from_one():
    """[CCB09]: the sum of 1 / (60 + rank), and the first document has rank 1."""
    found = dict(methods.of_names(["AB", "BC"], methods.rule("rrf")))
    assert found == pytest.approx({"A": 1 / 61, "B": 1 / 62 + 1 / 61, "C": 1 / 62})
