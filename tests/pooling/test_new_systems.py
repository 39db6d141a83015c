"""Systems left out of the pool, against judgments that are built anew without them."""

import dataclasses
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import evalcore
from evalcore import QUESTIONS
from evalcore.pooling import pool_bias
from evalcore.questions.new_systems import own_losses
from evalcore.vocabulary.validation import NotKnown
from tests.examples import examples
from tests.oracles import bias as oracle
from tests.small import small_study, tracks

DEPTH = 2
METRICS = ["RBP(p=0.8)@10", "P@3", "AP", "nDCG@5", "bpref"]
OF_RANKING_ALONE = ["INST(T=2)", "RR", "RR@2", "Success@2", "ERR@3", "SDCG@3"]


def scores_of(runs, qrels, whole, metric, unjudged="irrelevant"):
    """system -> mean score over the topics of the whole qrels."""
    kept = {topic: judged for topic, judged in qrels.items() if judged}
    study = small_study(runs, kept, pooled="all")
    if not kept:
        return dict.fromkeys(runs, 0.0)
    of = study.by_topic(study.at(unjudged=unjudged).estimate(metric).value).sum(axis=1) / len(whole)
    return dict(zip(study.systems, of, strict=True))


def of_pool(runs, qrels, systems):
    """The judgments of what these systems have down to rank `DEPTH`."""
    top = {t: {D for s in systems for D in oracle.top(runs, s, t, DEPTH)} for t in qrels}
    return {t: {D: grade for D, grade in judged.items() if D in top[t]} for t, judged in qrels.items()}


def test_the_metrics_of_a_ranking_alone_are_those():
    alone = {
        row.name
        for row in evalcore.METRICS.values()
        if evalcore.metric(row.usual[0] if row.usual else "Judged@3").of_ranking_alone
    }
    assert alone == {evalcore.metric(name).family.name for name in [*OF_RANKING_ALONE, "P@3", "RBP(p=0.8)"]}


def place(scores, system):
    return 1 + sum(other > scores[system] + 1e-12 for other in scores.values())


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=tracks(), data=st.data())
@pytest.mark.parametrize("unjudged", ["irrelevant", "condensed"])
@pytest.mark.parametrize("name", [*METRICS, *OF_RANKING_ALONE, "Q", "infAP", "Judged@3"])
def test_without_the_judgments_of_each_is_by_all_others(name, unjudged, track, data):
    """Whoever they belong to, also of several queries of a topic."""
    runs, qrels = track
    runs = {s: of | {f"{topic}-2": dict(list(of[topic].items())[1:]) for topic in of} for s, of in runs.items()}
    study = small_study(runs, qrels, pooled="all")
    owned = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=study.track.size, max_size=study.track.size)))
    everything, metric = study.judgments, evalcore.metric(name)
    _, without = pool_bias.without_each(study, everything, metric, owned, 3, unjudged=unjudged)
    for owner in range(3):
        left = everything.only(owned != owner)
        assert without[:, owner] == pytest.approx(
            pool_bias.means(study, left, metric, unjudged), abs=1e-12, nan_ok=True
        )


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(
    track=tracks(grades=(0, 1, 1, 2)),
    metric=st.sampled_from(METRICS),
    unjudged=st.sampled_from(["irrelevant", "condensed"]),
    by=st.sampled_from(["run", "group"]),
)
def test_leaving_out_equals_judging_anew(track, metric, unjudged, by):
    runs, qrels = track
    if not qrels:
        return
    systems = sorted(runs)
    pooled = systems[: max(1, len(systems) - 1)]
    groups = {system: f"g{i // 2}" for i, system in enumerate(systems)}
    study = small_study(runs, qrels, pooled=pooled, groups=groups)
    depth = study.depth
    if depth == 1:
        with pytest.raises(NotKnown, match="not judged to a common depth below rank 1"):
            evalcore.ask(study, "leave_out", metric=metric)
        study = small_study(runs, qrels, pooled=pooled, groups=groups, pool_depth=1)
    before = scores_of(runs, qrels, qrels, metric, unjudged)
    table = evalcore.ask(study, "leave_out", metric=metric, by=by, unjudged=unjudged).table
    assert sorted(table.system) == pooled
    for row in table.itertuples():
        members = [s for s in pooled if s == row.system or (by == "group" and groups[s] == groups[row.system])]
        taken = oracle.own(runs, qrels, members, pooled, depth)
        after = scores_of(runs, oracle.without(qrels, taken), qrels, metric, unjudged)
        assert row.left_out == (groups[row.system] if by == "group" else row.system)
        assert row.value == pytest.approx(before[row.system], abs=1e-9)
        assert row.value_without == pytest.approx(after[row.system], abs=1e-9)
        assert (row.rank, row.rank_without) == (place(before, row.system), place(after, row.system))
        assert row.unique_judged == sum(map(len, taken.values()))
        assert row.unique_relevant == sum(qrels[t][D] >= 1 for t in taken for D in taken[t])
        mates = [s for s in systems if s == row.system or (by == "group" and groups[s] == groups[row.system])]
        alone = oracle.own(runs, qrels, mates, systems, 99)
        assert row.retrieved_alone == sum(qrels[t][D] >= 1 for t in alone for D in alone[t])


RUNS = {
    "a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"e1": 2.0, "e2": 1.0}},
    "b": {"1": {"d2": 3.0, "d4": 2.0, "d1": 1.0}, "2": {"e3": 2.0, "e1": 1.0}},
    "c": {"1": {"d5": 3.0, "d2": 2.0, "d6": 1.0}, "2": {"e1": 2.0, "e4": 1.0}},
    "new": {"1": {"d4": 3.0, "d7": 2.0, "d5": 1.0}, "2": {"e2": 2.0, "e5": 1.0}},
}
QRELS = {"1": {"d1": 1, "d2": 0, "d4": 1, "d5": 1}, "2": {"e1": 0, "e2": 1, "e3": 1, "e4": 0}}


@pytest.mark.parametrize("unjudged", ["irrelevant", "condensed"])
@pytest.mark.parametrize("metric", [*METRICS, *OF_RANKING_ALONE])
def test_the_losses_of_the_range_are_those_of_the_answer(metric, unjudged):
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"], pool_depth=DEPTH)
    table = evalcore.ask(study, "leave_out", metric=metric, unjudged=unjudged).table.sort_values("system")
    losses = own_losses(study, metric=metric, unjudged=unjudged)
    for column in losses:
        assert losses[column].tolist() == pytest.approx(table[column].tolist(), abs=1e-12)


def test_a_system_for_which_a_topic_counts_has_a_score():
    runs = {"a": {"1": RUNS["a"]["1"]}, "b": RUNS["b"], "c": {"3": {"x": 1.0}}, "new": RUNS["new"]}
    study = small_study(runs, QRELS, pooled=["a", "b", "c"], average="common")
    assert pool_bias.with_a_score(study).tolist() == ["a", "b"]
    assert pool_bias.with_a_score(study, contributing=False).tolist() == ["a", "b", "new"]


def test_adjusting_from_systems_lets_the_new_run_take_the_place_of_the_one_withdrawn():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"])
    found = evalcore.ask(study, "adjust_from_systems", system="new", metric="P@2", depth=DEPTH).table.iloc[0]
    judged = of_pool(RUNS, QRELS, "abc")
    whole = scores_of(RUNS, judged, QRELS, "P@2")
    biases = []
    for s in "abc":
        left = oracle.replaced(RUNS, judged, s, "new", ["a", "b", "c"], DEPTH)
        biases.append(whole[s] - scores_of(RUNS, left, QRELS, "P@2")[s])
    assert "d4" in oracle.replaced(RUNS, judged, "b", "new", ["a", "b", "c"], DEPTH)["1"]  # both retrieved it: it stays
    assert found.n == 3
    assert found.unadjusted == pytest.approx(whole["new"])
    assert found.adjustment == pytest.approx(np.mean(biases))
    assert found.adjusted == pytest.approx(whole["new"] + np.mean(biases))
    half = stats.t.ppf(0.975, 2) * np.std(biases, ddof=1) / math.sqrt(3)
    assert (found.lower, found.upper) == pytest.approx((found.adjusted - half, found.adjusted + half))


def test_a_pooled_system_is_adjusted_as_if_it_were_new():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"])
    found = evalcore.ask(study, "adjust_from_systems", system="c", metric="P@2", depth=DEPTH).table.iloc[0]
    row = evalcore.ask(study, "leave_out", metric="P@2", depth=DEPTH).table.set_index("system").loc["c"]
    assert found.unadjusted == pytest.approx(row.value_without)
    assert found.n == 2


GROUPS = {"a": "g", "b": "g", "new": "h"}


def test_by_group_a_newcomer_comes_without_its_group():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"], groups=GROUPS)
    came, left = (
        evalcore.ask(study, question, metric="P@2", by="group", depth=3, **asked).table
        for question, asked in (("newcomer", {"system": "a", "common": 2}), ("leave_out", {}))
    )
    value, row = came.set_index("reading")["value"], left.set_index("system").loc["a"]
    assert value["unadjusted"] == pytest.approx(row.value_without)
    assert value["true"] == pytest.approx(row.value)
    alone = evalcore.ask(study, "leave_out", metric="P@2", depth=3).table.set_index("system").loc["a"]
    assert value["unadjusted"] < alone.value_without  # b has d1 too, which stays when a alone is left out
    assert value["from topics"] == pytest.approx(value["true"])  # all topics are common


def test_a_system_of_a_group_that_contributed_loses_what_the_group_brought():
    runs = RUNS | {"mate": {"1": {"d1": 1.0}, "2": {"e1": 1.0}}}
    study = small_study(runs, QRELS, pooled=["a", "b", "c"], groups=GROUPS | {"mate": "g"})
    value = evalcore.ask(study, "newcomer", system="mate", metric="P@1", by="group").table.set_index("reading")["value"]
    taken = oracle.own(runs, QRELS, ["a", "b"], ["a", "b", "c"], study.depth)
    assert value["unadjusted"] == pytest.approx(scores_of(runs, oracle.without(QRELS, taken), QRELS, "P@1")["mate"])
    assert "true" not in value


@pytest.mark.parametrize("by", ["run", "group"])
def test_adjusting_by_group_takes_the_mean_of_each_other_group(by):
    runs = RUNS | {"d": {"1": {"d1": 3.0, "d6": 2.0}, "2": {"e4": 2.0, "e3": 1.0}}}
    groups = {"new": "g", "a": "g", "b": "h", "c": "h"}
    study = small_study(runs, QRELS, pooled=["a", "b", "c", "d"], groups=groups)
    asked = {"metric": "P@2", "depth": DEPTH, "by": by}
    found = evalcore.ask(study, "adjust_from_systems", system="a", **asked).table.iloc[0]
    others = [["b"], ["c"], ["d"]] if by == "run" else [["b", "c"], ["d"]]
    in_force = of_pool(runs, QRELS, "abcd")
    judged = oracle.without(in_force, oracle.own(runs, in_force, ["a"], ["a", "b", "c", "d"], DEPTH))
    whole, biases = scores_of(runs, judged, QRELS, "P@2"), []
    for unit in others:
        taken = oracle.own(runs, judged, unit, ["b", "c", "d"], DEPTH)
        left = oracle.without(judged, {t: taken[t] - oracle.top(runs, "a", t, DEPTH) for t in taken})
        after = scores_of(runs, left, QRELS, "P@2")
        biases.append(np.mean([whole[s] - after[s] for s in unit]))
    assert found.n == len(others)
    assert found.unadjusted == pytest.approx(whole["a"])
    assert found.adjustment == pytest.approx(np.mean(biases))


def test_what_hangs_on_doubtful_contributors_is_given_with_them_too():
    runs = {f"s{i}": {f"{t}": {f"d{i}{t}": 2.0, f"c{t}": 1.0} for t in range(10)} for i in range(3)}
    runs["s3"] = {f"{t}": {f"d0{t}": 2.0, f"x{t}": 1.0} for t in range(10)}
    qrels = {f"{t}": {f"d{i}{t}": 1 for i in range(3)} | {f"c{t}": 0} for t in range(10)}
    study, told = (small_study(runs, qrels, pooled=pooled, pool_depth=2) for pooled in (["s0", "s1", "s2"], "all"))
    drawn = {"probability": np.array([1, 1, 1, 0.5]), "draws": np.ones((1, 4), bool)}
    doubtful = dataclasses.replace(study.pooling, how="inferred", doubtful=("s3",), **drawn)
    unsure = dataclasses.replace(study, pooling=doubtful)
    inferred = dataclasses.replace(study, pooling=dataclasses.replace(study.pooling, how="inferred"))
    for question, asked, differs in FIGURES:
        figure = QUESTIONS[question].figure
        ours, theirs = (figure(evalcore.ask(one, question, **asked).table) for one in (study, told))
        assert (ours != theirs) == differs
        ends = dict(
            zip(re.findall(r"{(\w+)", evalcore.QUESTIONS[question].figure_range), sorted([ours, theirs]), strict=True)
        )
        said = evalcore.ask(unsure, question, **asked).finding
        certain = evalcore.ask(study, question, **asked).finding
        doubt = {"formed": 3, "systems": 4, "doubtful": 1} | (ends if differs else {})
        assert said.facts == certain.facts | doubt
        alike = evalcore.ask(inferred, question, **asked).finding  # which says how the contributors are known
        assert said.headline == alike.headline
        assert len(said.caveats) - len(certain.caveats) == 1 + differs


FIGURES = [
    ("leave_out", {"metric": "P@2"}, True),
    ("newcomer", {"metric": "P@2", "system": "s0"}, True),
    ("newcomer", {"metric": "P@2", "system": "s1"}, False),
    ("pool_audit", {}, True),
]


def test_the_bias_of_a_pool_of_two_is_that_of_every_choice():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"])
    table = evalcore.ask(study, "bias_by_width", metric="P@2", depth=DEPTH, widths=[2, 5], repeats=300).table
    biases = []
    for left in "abc":
        taken = oracle.own(RUNS, QRELS, [left], ["a", "b", "c"], DEPTH)
        judged = of_pool(RUNS, QRELS, "abc")
        before = scores_of(RUNS, judged, QRELS, "P@2")[left]
        biases.append(before - scores_of(RUNS, oracle.without(judged, taken), QRELS, "P@2")[left])
    assert table["width"].tolist() == [2]
    assert table.q1[0] in [pytest.approx(one) for one in biases]
    assert min(biases) < table["mean"][0] < max(biases)
    assert table["mean"][0] == pytest.approx(np.mean(biases), abs=0.05)


@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(track=tracks(grades=(0, 1, 1, 2)), metric=st.sampled_from(METRICS), seed=st.integers(0, 9))
def test_both_biases_are_those_of_one_choice_of_systems(track, metric, seed):
    """Both treatments of unjudged documents, on the same new system and pool."""
    runs, qrels = track
    pooled = sorted(runs)
    if not qrels or len(pooled) < 2:
        return
    study = small_study(runs, qrels, pooled="all")
    how = {"metric": metric, "depth": DEPTH, "widths": [len(pooled) - 1], "repeats": 1, "seed": seed}
    both, *single = (
        evalcore.ask(study, "bias_by_width", unjudged=unjudged, **how).table
        for unjudged in ("both", "irrelevant", "condensed")
    )
    assert both.equals(pd.concat(single, ignore_index=True))
    judged = of_pool(runs, qrels, pooled)
    of_each = []
    for left in pooled:
        less = oracle.without(judged, oracle.own(runs, judged, [left], pooled, DEPTH))
        treatments = ("irrelevant", "condensed")
        whole, rest = (
            [scores_of(runs, some, qrels, metric, one)[left] for one in treatments] for some in (judged, less)
        )
        of_each.append(np.subtract(whole, rest))
    assert any(both["mean"].tolist() == pytest.approx(biases, abs=1e-9) for biases in of_each)


def test_from_topics_by_hand():
    true, unpooled = np.array([0.5, 0.3, 0.7]), np.array([0.4, 0.3, 0.5])
    everywhere = np.array([0.4, 0.3, 0.5, 0.2, 0.1, 0.3])
    found = pd.Series(pool_bias.from_topics(true, unpooled, everywhere, 0.05))
    assert found.adjustment == pytest.approx(0.1)
    assert found.adjusted == pytest.approx(0.4)
    spread = (0.0**2 + 0.1**2 + 0.1**2) / 2
    half = stats.t.ppf(0.975, 2) * math.sqrt(3 / 6 * spread / 3)
    assert (found.lower, found.upper) == pytest.approx((0.4 - half, 0.4 + half))
    assert found.helps_over_unadjusted == (math.sqrt(3 / 6 * spread / 3) < 0.1)
    assert found.helps_over_common == (spread < np.var(true, ddof=1))


@pytest.mark.parametrize("system", ["a", "new"])
def test_adjusting_from_topics_takes_the_bias_of_the_common_ones(system):
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"])
    found = evalcore.ask(study, "adjust_from_topics", system=system, common=["1", "2"], metric="P@2").table.iloc[0]
    taken = oracle.own(RUNS, QRELS, [system], sorted({"a", "b", "c", system}), study.depth)
    true = [scores_of(RUNS, {t: QRELS[t]}, {t: 0}, "P@2")[system] for t in "12"]
    unpooled = [scores_of(RUNS, oracle.without({t: QRELS[t]}, taken), {t: 0}, "P@2")[system] for t in "12"]
    assert found.unadjusted == pytest.approx(np.mean(unpooled))
    assert found.adjustment == pytest.approx(np.mean(true) - np.mean(unpooled))
    assert found.lower == pytest.approx(found.adjusted)  # every topic is common: nothing is left to vary
    assert (found.n, found.common) == (2, "1 2")


def test_common_topics_are_drawn_from_the_seed():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"])
    found = evalcore.ask(study, "adjust_from_topics", system="a", common=2).table.iloc[0]
    assert found.common == "1 2"


@pytest.mark.parametrize(
    ("question", "params", "sentence"),
    [
        ("leave_out", {"by": "team"}, "by='team' is not known"),
        ("leave_out", {"by": "group"}, "no system has a group"),
        ("bias_by_width", {"widths": [40]}, "all need more than the 3 contributing systems"),
        ("bias_by_width", {"widths": []}, "widths is empty"),
        ("newcomer", {"system": "a", "by": "group"}, "no system has a group"),
        ("adjust_from_systems", {"system": "nobody"}, "no system 'nobody'"),
        ("adjust_from_systems", {"system": "new", "level": 2}, "level=2 is not valid"),
        ("adjust_from_topics", {"system": "a", "common": 3}, "only 2 judged topics count for a"),
        ("adjust_from_topics", {"system": "a", "common": ["1"]}, "at least two common topics"),
        ("adjust_from_topics", {"system": "a", "common": ["1", "9"]}, "no judged topic '9'"),
        ("adjust_from_topics", {"system": "a", "common": 2, "method": "guess"}, "no method 'guess'"),
    ],
)
def test_what_cannot_be_asked_is_said(question, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        evalcore.ask(small_study(RUNS, QRELS, pooled=["a", "b", "c"]), question, **params)


def test_a_single_topic_that_counts_is_called_one():
    study = small_study(RUNS, QRELS, pooled=["a", "b", "c"]).only(topics=["1"])
    with pytest.raises(ValueError, match=r"^common=2: only 1 judged topic counts for a\. Choose fewer\.$"):
        evalcore.ask(study, "adjust_from_topics", system="a", common=2)


def test_topics_whose_pool_has_no_known_depth_are_named_where_nothing_is_taken_away():
    run = {topic: {"d": 2.0, "e": 1.0} for topic in "12"}
    study = small_study({"a": run, "b": run}, {topic: {"d": 1} for topic in "12"}, pooled="all", pool_depth=1)
    one_unknown = dataclasses.replace(study.pooling, depth_of_topic=np.array([1, 0]))
    study = dataclasses.replace(study, pooling=one_unknown)
    note = "All judgments are kept on 1 topic of unknown pool depth (2)."
    assert note in evalcore.ask(study, "leave_out").notes
    assert note in evalcore.ask(study, "newcomer", system="a").notes
    assert note not in evalcore.ask(study, "leave_out", depth=1).notes


def test_the_score_of_a_system_that_did_not_contribute_is_never_corrected_below_what_is_certain():
    """Documents that only it retrieved are judged, as those of a later round are: they count."""
    runs = {
        "a": {t: {"x": 3.0, "y": 2.0} for t in "1234"},
        "b": {t: {"y": 3.0, "x": 2.0} for t in "1234"},
        "new": {t: {"own": 3.0, "x": 2.0} for t in "1234"},
    }
    judged = {t: {"x": 1, "y": 0, "own": int(t in "123")} for t in "1234"}
    study = small_study(runs, judged, pooled=["a", "b"])
    found = evalcore.ask(study, "adjust_from_topics", system="new", common=["3", "4"], metric="P@2").table.iloc[0]
    board = evalcore.ask(study, "leaderboard", metric="P@2").table.set_index("system")
    assert found.unadjusted == board.lower["new"] == (1 + 1 + 1 + 0.5) / 4
    assert found.adjusted == pytest.approx(found.unadjusted + (0.5 + 0) / 2)  # on 3 it loses its own, on 4 nothing


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=tracks(), metric=st.sampled_from(["RBP(p=0.8)@10", "P@3", "nDCG@2"]), system=st.sampled_from(["s0", "s3"]))
def test_the_interval_of_a_corrected_score_holds_nothing_that_no_judging_could_reach(track, metric, system):
    runs, qrels = track
    study = small_study(runs, qrels, pooled=[name for name in runs if name != "s3"])
    if system not in runs or not study.track.pooled.any():
        return
    rows = evalcore.ask(study, "newcomer", system=system, metric=metric, common=2, depth=2).table.set_index("reading")
    if system == "s3":  # it did not contribute, so all of its judgments stay
        board = evalcore.ask(study, "leaderboard", metric=metric, depth=2).table.set_index("system")
        assert rows.loc["unadjusted", ["lower", "upper"]].tolist() == board.loc["s3", ["lower", "upper"]].tolist()
    for reading in {"from systems", "from topics"} & set(rows.index):
        assert rows["lower"][reading] >= rows["lower"]["unadjusted"] - 1e-12
        assert rows["upper"][reading] <= rows["upper"]["unadjusted"] + 1e-12


UNEVEN = QRELS | {"2": {"e1": 0, "e2": 1, "e3": 0, "e4": 0}}  # b loses less than a and c


def test_the_interval_of_a_correction_is_cut_at_the_certain_end_only():
    study = small_study(RUNS, UNEVEN, pooled=["a", "b", "c"])
    asked = {"system": "new", "metric": "RBP(p=0.5)", "depth": DEPTH}
    board = evalcore.ask(study, "leaderboard", metric="RBP(p=0.5)", depth=DEPTH).table.set_index("system").loc["new"]
    for level in (0.5, 0.05, 0.001):
        found = evalcore.ask(study, "adjust_from_systems", level=level, **asked).table.iloc[0]
        biases = [value - without for value, without in bias_in_its_place()]
        half = stats.t.ppf(1 - level / 2, 2) * np.std(biases, ddof=1) / math.sqrt(3)
        ends = found.adjusted - half, found.adjusted + half
        assert (found.lower, found.upper) == pytest.approx((max(ends[0], board.lower), min(ends[1], board.upper)))
    assert (found.lower, found.upper) == (board.lower, board.upper)


def bias_in_its_place():
    """The scores of the contributing systems, and those when the new one takes the place of each."""
    judged = of_pool(RUNS, UNEVEN, "abc")
    whole = scores_of(RUNS, judged, UNEVEN, "RBP(p=0.5)")
    for s in "abc":
        left = oracle.replaced(RUNS, judged, s, "new", ["a", "b", "c"], DEPTH)
        yield whole[s], scores_of(RUNS, left, UNEVEN, "RBP(p=0.5)")[s]


def test_what_is_in_the_pool_goes_down_to_the_depth_of_each_topic():
    """Pool depths 1 and 2 of two topics, and 0 of a third: so many documents of each ranking, and no more."""
    run = {topic: {f"d{topic}{n}": -float(n) for n in range(3)} for topic in "123"}
    qrels = {topic: dict.fromkeys(of, 0) for topic, of in run.items()}
    study = small_study({"a": run, "b": run}, qrels, pooled="all")
    pooling = dataclasses.replace(study.pooling, depth=2, depth_of_topic=np.array([1, 2, 0]))
    study = dataclasses.replace(study, pooling=pooling)
    inside = pool_bias.in_the_pool(study, study.whole.items[:1])[0]
    named = [study.track.documents(items[items > 0]) for items in inside]
    assert named == [["d10"], ["d20", "d21"], []]
    assert pool_bias.brought(study, None, ["a"])[1:].sum() == 3
