"""The questions on analysis of variance, Tukey's test and ranks, against the definitions in loops."""

import math
import statistics
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore import INTERVALS
from tests.examples import examples
from tests.oracles import anova as oracle
from tests.oracles import orderings
from tests.small import g_max_of, small_study, tracks
from tests.statistics.test_shards import parts_of

MODELS = list(oracle.EFFECTS)
SHARDED = MODELS[1:]
ANALYSED = ["anova", "models", "system_intervals", "tukey_pairs", "shard_stability"]
QUESTIONS = [*ANALYSED, "rank_intervals"]
ON_TOPICS = ["f_other_topics", "p_other_topics"]
every_model = pytest.mark.parametrize("model", MODELS)


def table(study, question, **how):
    return evalcore.ask(study, question, **how).table


def graded(systems=5, topics=6, documents=16, seed=0, spread=1.0):
    """Systems that are better the later their name, and judgments of most documents with grades 0 to 2."""
    rng = np.random.default_rng(seed)
    names = [f"d{number:02}" for number in range(documents)]
    grades = {
        f"t{t}": dict(zip(names, rng.choice([0, 0, 1, 2], documents).tolist(), strict=True)) for t in range(topics)
    }
    runs = {
        f"s{s}": {
            topic: {
                name: float(spread * (s / systems - 0.4) * (grade > 0) + rng.random())
                for name, grade in judged.items()
                if rng.random() < 0.9
            }
            for topic, judged in grades.items()
        }
        for s in range(systems)
    }
    qrels = {topic: {n: g for n, g in judged.items() if rng.random() < 0.8} for topic, judged in grades.items()}
    return runs, qrels


TRACK = graded()


@pytest.fixture(scope="module")
def study():
    return small_study(*TRACK, groups={"s1": "g", "s3": "g"})


def cells(study, model, track=TRACK, *, metric="AP", shards=4, seed=0, resample=0, undefined=0, **reading):
    """(topic, system, shard) -> score under a model (MD1: of the whole), and the number of undefined cells."""
    runs, qrels = track
    whole = [oracle.documents_of(runs, qrels)]
    parts = whole if model == "MD1" else parts_of(study, shards, seed=seed, resample=resample)
    y = oracle.scores(metric, runs, qrels, parts, **{"gains": "binary", "g_max": g_max_of(qrels), **reading})
    return oracle.filled(y, undefined), len(oracle.undefined_cells(y))


def outcomes(y, model, level=0.05):
    """The pairs that are significantly different."""
    return {pair for pair, row in oracle.tukey(y, model, level).items() if row["significant"]}


@st.composite
def analysable(draw):
    """Small tracks of two systems, two judged topics and three documents at least."""
    runs, qrels = draw(tracks(systems=3, topics=3))
    runs |= {"y": {"t0": {"da": 1.0, "db": 1.0}, "t1": {"db": 1.0}}, "z": {"t1": {"dc": 2.0, "dd": 1.0}}}
    qrels.setdefault("t0", {"da": 1})
    qrels.setdefault("t1", {"dd": 1, "dc": 0})
    return runs, qrels


# The tables of the models


def same_analysis(found, study, track, models, **how):
    """Whether a table of the question `anova` is the definition, row by row."""
    rows = iter(found.to_dict("records"))
    for model in models:
        y, _ = cells(study, model, track, **how)
        expected = oracle.anova(y, model)
        for effect in (*oracle.EFFECTS[model], "error", "total"):
            row, right = next(rows), expected[effect]
            assert (row["model"], row["effect"], row["df"]) == (model, effect, right["df"])
            assert row["ss"] == pytest.approx(right["ss"], abs=1e-11)
            assert row["share"] == pytest.approx(right["ss"] / expected["total"]["ss"], rel=1e-6, abs=1e-9)
            on_topics = [row["f_other_topics"], row["p_other_topics"]]
            if effect == "system":
                ratio = oracle.f_on_other_topics(y) if model != "MD1" else right["f"]
                within = oracle.anova(oracle.on_other_topics(y), "MD1")["system"]
                assert on_topics == pytest.approx([ratio, within["p"]], rel=1e-5, abs=1e-9)
                assert ratio == pytest.approx(within["f"], rel=1e-6)
            else:
                assert np.isnan(on_topics).all()
            if effect == "total":
                continue
            assert row["ms"] == pytest.approx(right["ms"], abs=1e-11)
            tested = [row["f"], row["p"], row["omega2"]]
            if effect == "error":
                assert np.isnan(tested).all()
            else:
                assert tested[0] == pytest.approx(right["f"], rel=1e-6, abs=1e-9)
                assert tested[1:] == pytest.approx([right["p"], right["omega2"]], rel=1e-5, abs=1e-9)
    assert next(rows, None) is None


@pytest.mark.parametrize("metric", ["AP", "P@5", "nDCG(log=10)", "RBP(p=0.8)", "Q"])
@pytest.mark.parametrize("how", [{}, {"shards": 2, "seed": 3}, {"undefined": "median", "shards": 8}])
def test_the_analyses_are_the_definition(study, metric, how):
    found = table(study, "anova", metric=metric, **{"shards": 4} | how)
    assert list(found) == ["model", "effect", "ss", "df", "ms", "f", "p", "omega2", *ON_TOPICS, "share"]
    same_analysis(found, study, TRACK, MODELS, metric=metric, **how)


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(
    track=analysable(),
    metric=st.sampled_from(["AP", "nDCG", "RBP(p=0.5)", "P@2"]),
    model=st.sampled_from(MODELS),
    undefined=st.sampled_from([0, 0.5, "mean", "median"]),
    gains=st.sampled_from(["binary", "exponential"]),
)
def test_the_analyses_of_ragged_runs_are_the_definition(track, metric, model, undefined, gains):
    small = small_study(*track, gains=gains)
    shards = min(3, len(oracle.documents_of(*track)))
    how = {"metric": metric, "shards": shards, "undefined": undefined}
    y, _ = cells(small, model, track, gains=gains, **how)
    assume(oracle.sums_of_squares(y, model)["error"] > 1e-6)
    same_analysis(table(small, "anova", models=[model], **how), small, track, [model], gains=gains, **how)


def test_chosen_models_stand_in_their_order(study):
    found = table(study, "anova", models=["MD6", "MD1"], shards=2)
    assert found.model.unique().tolist() == ["MD6", "MD1"]
    whole = table(study, "anova", shards=2)
    for model in ("MD1", "MD6"):
        ours, right = (one[one.model == model].reset_index(drop=True) for one in (found, whole))
        assert ours.equals(right)


def test_md1_needs_no_shards(study):
    one, many = (table(study, "anova", models=["MD1"], shards=shards, seed=shards) for shards in (1, 7))
    assert one.equals(many)


@pytest.mark.parametrize("undefined", [0, "mean"])
def test_what_the_models_tell_apart_is_the_definition(study, undefined):
    found = table(study, "models", shards=4, resamples=3, undefined=undefined, seed=1)
    columns = ["model", "omega2_system", "significant", "not_significant", "share_significant", "top_group"]
    columns += ["width_tukey", "width_anova", "tau"]
    columns += [f"{name}_other_topics" for name in ("significant", "share_significant", "top_group", "width_tukey")]
    assert list(found) == [*columns, "undefined", "significant_sd"]
    whole, _ = cells(study, "MD1")
    assert found.model.tolist() == MODELS
    for row in found.itertuples():
        drawn = []
        for resample in range(1 if row.model == "MD1" else 3):
            y, missing = cells(study, row.model, seed=1, resample=resample, undefined=undefined)
            apart = len(outcomes(y, row.model))
            widths = [oracle.half_width(y, row.model, interval, "s0") for interval in ("tukey", "anova")]
            of_model = [apart, 10 - apart, apart / 10, len(oracle.top_group(y, row.model)), *widths]
            on_topics = oracle.on_other_topics(y)
            there = len(outcomes(on_topics, "MD1"))
            of_topics = [there, there / 10, len(oracle.top_group(on_topics, "MD1"))]
            of_topics += [oracle.half_width(on_topics, "MD1", "tukey", "s0")]
            effect = oracle.anova(y, row.model)["system"]["omega2"]
            drawn.append([effect, *of_model, oracle.tau(whole, y), *of_topics, missing])
        assert list(row)[2:-1] == pytest.approx(np.mean(drawn, axis=0).tolist(), abs=1e-9)
        deviation = statistics.stdev(of_cut[1] for of_cut in drawn) if len(drawn) > 1 else math.nan
        assert row.significant_sd == pytest.approx(deviation, abs=1e-9, nan_ok=True)
    assert found.significant.max() > 0
    assert found.not_significant.min() > 0


def test_md1_is_always_the_whole_collection(study):
    one, other = (table(study, "models", shards=s, resamples=r, seed=r, models=["MD1"]) for s, r in ((2, 1), (6, 3)))
    assert one.equals(other)
    assert one.tau.tolist() == [1]
    assert one.undefined.tolist() == [0]


def test_models_count_the_cells_without_a_relevant_document():
    runs, qrels = graded(seed=2)
    qrels["t0"] = dict.fromkeys(qrels["t0"], 0)
    small = small_study(runs, qrels)
    found = table(small, "models", shards=2, resamples=1, models=["MD1", "MD2"])
    expected = [cells(small, model, (runs, qrels), shards=2)[1] for model in ("MD1", "MD2")]
    assert found.undefined.tolist() == expected
    assert expected[0] == 1
    assert expected[1] >= 2


def test_under_md6_the_value_of_undefined_cells_changes_no_outcome(study):
    how = {"shards": 8, "resamples": 2, "models": ["MD6"]}
    first = table(study, "models", **how)
    assert first.undefined[0] > 0
    outcome = ["omega2_system", "significant", "not_significant", "top_group", "width_tukey", "width_anova"]
    for undefined in (0.7, -3, 1e6, "mean", "median"):
        other = table(study, "models", undefined=undefined, **how)
        assert other[outcome].to_numpy() == pytest.approx(first[outcome].to_numpy(), rel=1e-6)
    values = [table(study, "system_intervals", shards=8, undefined=x).value.mean() for x in (0, 1)]
    assert values[0] < values[1]
    md3 = [table(study, "models", undefined=x, shards=8, resamples=1, models=["MD3"]).width_tukey[0] for x in (0, 1)]
    assert md3[0] != pytest.approx(md3[1], rel=1e-6)


# Intervals of systems


@pytest.mark.parametrize(
    ("model", "how"),
    [
        *((model, {}) for model in MODELS),
        ("MD6", {"level": 0.01}),
        ("MD6", {"metric": "nDCG(log=10)", "undefined": "mean", "seed": 2}),
    ],
)
@pytest.mark.parametrize("interval", ["tukey", "sem", "anova"])
def test_intervals_of_systems_are_the_definition(study, model, how, interval):
    found = table(study, "system_intervals", model=model, interval=interval, shards=4, **how)
    columns = ["system", "group", "rank", "value", "lower", "upper", "kind", "in_top_group", "n"]
    assert list(found) == [*columns, "in_top_group_other_topics"]
    level = how.get("level", 0.05)
    y, _ = cells(study, model, **{name: value for name, value in how.items() if name != "level"})
    means, top = oracle.system_means(y), oracle.top_group(y, model, level)
    on_topics = oracle.top_group(oracle.on_other_topics(y), "MD1", level)
    assert found.system.tolist() == orderings.best_first(means)
    for row in found.itertuples():
        half = oracle.half_width(y, model, interval, row.system, level)
        assert row.value == pytest.approx(means[row.system], abs=1e-12)
        assert (row.lower, row.upper) == pytest.approx((row.value - half, row.value + half), abs=1e-9)
        assert row.rank == 1 + sum(mean > means[row.system] + 1e-12 for mean in means.values())
        assert row.in_top_group == (row.system in top)
        assert row.in_top_group_other_topics == (row.system in on_topics)
        assert row.group == {"s1": "g", "s3": "g"}.get(row.system, "")
    assert set(found.kind) == {interval}
    assert set(found.n) == {len({topic for topic, _, _ in y})}


@pytest.mark.parametrize("system", [None, "s1"])
def test_every_kind_of_interval_under_every_model(study, system):
    found = table(study, "intervals_by_model", system=system, shards=4, level=0.2)
    best = table(study, "leaderboard", metric="AP").system[0]
    assert set(found.system) == {system or best}
    assert list(zip(found.model, found.kind, strict=True)) == [(model, kind) for model in MODELS for kind in INTERVALS]
    for row in found.itertuples():
        of_all = table(study, "system_intervals", model=row.model, interval=row.kind, shards=4, level=0.2)
        own = of_all[of_all.system == row.system].iloc[0]
        assert (row.value, row.lower, row.upper) == (own.value, own.lower, own.upper)
        assert row.mean_width == pytest.approx((of_all.upper - of_all.lower).mean())


def test_intervals_side_by_side_are_those_of_each_question(study):
    found = table(study, "intervals_compared", kinds=["tukey", "sem"], models=["MD1", "MD3"], shards=[2, 4], level=0.2)
    groups = dict(iter(found.groupby(["model", "shards", "kind"], sort=False)))
    expected = [
        (model, shards, kind) for model, shards in (("MD1", 1), ("MD3", 2), ("MD3", 4)) for kind in ("tukey", "sem")
    ]
    assert list(groups) == expected
    for (model, shards, kind), rows in groups.items():
        of_all = table(study, "system_intervals", model=model, interval=kind, shards=shards, level=0.2)
        shown = rows.set_index("system").loc[of_all.system, ["rank", "value", "lower", "upper"]]
        assert (shown.to_numpy() == of_all[["rank", "value", "lower", "upper"]].to_numpy()).all()
        assert rows["n"].tolist() == of_all["n"].tolist()


def test_models_by_number_of_shards(study):
    found = table(study, "models_by_shards", shards=[2, 4], models=["MD2", "MD6"], level=0.3)
    assert list(zip(found.shards, found.model, strict=True)) == [
        (1, "MD1"), (2, "MD2"), (2, "MD6"), (4, "MD2"), (4, "MD6"),
    ]  # fmt: skip
    for row in found.itertuples():
        y, _ = cells(study, row.model, shards=row.shards)
        pairs = oracle.tukey(y, row.model, 0.3)
        assert row.significant == sum(pair["significant"] for pair in pairs.values())
        assert row.share_significant == pytest.approx(row.significant / len(pairs))
        assert row.top_group == len(oracle.top_group(y, row.model, 0.3))
        assert row.width_tukey == pytest.approx(oracle.half_width(y, row.model, "tukey", "s0", 0.3))
    whole = found.significant[0]
    assert whole > 0
    assert list(found.change) == pytest.approx([n / whole - 1 for n in found.significant])


def test_on_the_whole_collection_the_values_are_the_scores(study):
    found = table(study, "system_intervals", model="MD1", metric="nDCG").set_index("system").value
    board = table(study, "leaderboard", metric="nDCG").set_index("system").value
    assert found.to_dict() == pytest.approx(board.to_dict())


def test_equal_systems_share_a_rank():
    runs, qrels = graded(seed=3)
    runs["copy"] = runs["s4"]
    found = table(small_study(runs, qrels), "system_intervals", shards=3).set_index("system")
    assert found["rank"]["copy"] == found["rank"]["s4"]
    assert found.value["copy"] == pytest.approx(found.value["s4"])
    assert found.in_top_group["copy"] == found.in_top_group["s4"]
    assert sorted(found["rank"])[0] == 1


# Pairs


@pytest.mark.parametrize(("model", "level"), [("MD1", 0.05), ("MD6", 0.05), ("MD6", 0.3)])
def test_pairs_are_the_definition(study, model, level):
    found = table(study, "tukey_pairs", model=model, shards=4, level=level)
    assert list(found) == ["a", "b", "difference", "q", "p", "significant", "significant_other_topics"]
    y, _ = cells(study, model)
    on_topics = outcomes(oracle.on_other_topics(y), "MD1", level)
    assert {(row.a, row.b) for row in found.itertuples() if row.significant_other_topics} == on_topics
    expected = oracle.tukey(y, model, level)
    assert list(zip(found.a, found.b, strict=True)) == list(expected)
    for row, right in zip(found.itertuples(), expected.values(), strict=True):
        assert row.difference == pytest.approx(right["difference"], abs=1e-12)
        assert row.q == pytest.approx(right["q"], rel=1e-8)
        assert row.p == pytest.approx(oracle.tukey_p(y, model, right["q"]), rel=1e-4, abs=1e-10)
        assert row.significant == right["significant"]
    assert set(found.significant) == {True, False}
    assert (found.significant == (found.p < level)).all()


def test_pairs_at_random_are_the_full_enumeration():
    """p = (1 + as wide) / (1 + tried), of exchanges within every topic and shard."""
    track = graded(systems=3, topics=2, documents=10, seed=5)
    small = small_study(*track)
    found = table(small, "tukey_pairs", shards=2, method="randomised", resamples=4000)
    y, _ = cells(small, "MD6", track, shards=2)
    blocks = [[y[t, s, k] for s in ("s0", "s1", "s2")] for t in ("t0", "t1") for k in (0, 1)]
    exact = oracle.randomised_tukey(blocks)
    assert len(set(exact.values())) > 1
    for row, p in zip(found.itertuples(), exact.values(), strict=True):
        assert row.p == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 4000) + 2 / 4001)
        assert (row.p * 4001) == pytest.approx(round(row.p * 4001), abs=1e-6)
    expected = oracle.tukey(y, "MD6").values()
    assert found.difference.tolist() == pytest.approx([row["difference"] for row in expected])
    assert found.q.tolist() == pytest.approx([row["q"] for row in expected])


def test_pairs_at_random_are_significant_below_the_level(study):
    found = table(study, "tukey_pairs", shards=4, method="randomised", resamples=99, level=0.1)
    assert (found.significant == (found.p < 0.1)).all()
    assert found.p.between(0.01, 1).all()
    assert set(found.significant) == {True, False}


def test_pairs_at_random_are_near_the_studentized_range():
    """Where there is nothing to find, both say how often chance does as much."""
    small = small_study(*graded(systems=4, topics=24, documents=12, seed=12, spread=0))
    drawn, usual = (
        table(small, "tukey_pairs", model="MD1", method=method, resamples=2000) for method in ("randomised", "tukey")
    )
    assert drawn.p.tolist() == pytest.approx(usual.p.tolist(), abs=0.06)


@pytest.mark.parametrize("method", ["tukey", "randomised"])
def test_md1_is_for_other_topics(study, method):
    """On the whole collection what differs is what differs on other topics too, by either test."""
    found = table(study, "tukey_pairs", model="MD1", method=method, resamples=99, level=0.3)
    assert (found.significant == found.significant_other_topics).all()
    assert found.significant.nunique() == 2
    row = table(study, "models", models=["MD1"]).iloc[0]
    for name in ("significant", "share_significant", "top_group", "width_tukey"):
        assert row[f"{name}_other_topics"] == row[name]


def test_pairs_at_random_on_other_topics_exchange_whole_topics():
    """Systems change places on a topic with all its shards."""
    track = graded(systems=3, topics=3, documents=10, seed=5)
    small = small_study(*track)
    y, _ = cells(small, "MD6", track, shards=2)
    of_topic = oracle.on_other_topics(y)
    exact = oracle.randomised_tukey([[of_topic[t, s, "all"] for s in ("s0", "s1", "s2")] for t in ("t0", "t1", "t2")])
    for level in (0.2, 0.5, 0.8):
        found = table(small, "tukey_pairs", shards=2, method="randomised", resamples=4000, level=level)
        for row, p in zip(found.itertuples(), exact.values(), strict=True):
            assert abs(p - level) < 0.03 or row.significant_other_topics == (p < level)


# Stability over partitions


def test_stability_is_the_definition(study):
    found = table(study, "shard_stability", shards=[2, 4], resamples=3, seed=2)
    parts = [f"{name}{end}" for name in ("tau", "width", "significant") for end in ("", "_low", "_high")]
    assert list(found) == ["shards", *parts, "common", "share_significant"]
    assert found.shards.tolist() == [2, 4]
    whole, _ = cells(study, "MD1")
    for row in found.itertuples():
        drawn = [cells(study, "MD6", shards=row.shards, seed=2, resample=resample)[0] for resample in range(3)]
        apart = [outcomes(y, "MD6") for y in drawn]
        each = [
            [oracle.tau(whole, y) for y in drawn],
            [oracle.half_width(y, "MD6", "tukey", "s0") for y in drawn],
            [len(pairs) for pairs in apart],
        ]
        expected = [end for values in each for end in oracle.mean_and_interval(values)]
        assert list(row)[2:-2] == pytest.approx(expected, abs=1e-9)
        assert row.share_significant == pytest.approx(
            row.significant / (len(study.systems) * (len(study.systems) - 1) / 2)
        )
        assert row.common == pytest.approx(oracle.common(apart), nan_ok=True)
    assert (found.tau_high > found.tau_low).any()


def test_stability_of_another_model_and_level(study):
    found = table(study, "shard_stability", shards=[3], resamples=3, model="MD3", level=0.3).iloc[0]
    drawn = [cells(study, "MD3", shards=3, resample=resample)[0] for resample in range(3)]
    apart = [outcomes(y, "MD3", 0.3) for y in drawn]
    expected = oracle.mean_and_interval([len(pairs) for pairs in apart], 0.3)
    assert (found.significant, found.significant_low, found.significant_high) == pytest.approx(expected)
    widths = oracle.mean_and_interval([oracle.half_width(y, "MD3", "tukey", "s0", 0.3) for y in drawn], 0.3)
    assert (found.width, found.width_low, found.width_high) == pytest.approx(widths)
    assert found.common == pytest.approx(oracle.common(apart))


def test_a_single_partition_has_no_interval(study):
    answer = evalcore.ask(study, "shard_stability", shards=[2], resamples=1)
    row = answer.table.iloc[0]
    assert np.isnan([row.tau_low, row.tau_high, row.width_low, row.significant_high]).all()
    assert row.common == 1
    assert any(note.startswith("The column “tau_low” is empty") for note in answer.notes)


def test_a_sentence_names_as_many_partitions_as_there_are(study):
    for question, shards, words in (
        ("shard_stability", [2], ["", "significant in both (", "significant in all 3 ("]),
        ("models", 2, ["other documents (MD6) and"] * 3),
    ):
        for resamples, word in enumerate(words, 1):
            said = str(evalcore.ask(study, question, shards=shards, resamples=resamples, level=0.3).finding)
            assert word in said, said
            assert ("both" in said, "all 3" in said) == (word.endswith("both ("), word.endswith("3 (")), said


def test_without_a_significant_pair_nothing_is_in_common():
    answer = evalcore.ask(small_study(*graded(seed=7, spread=0)), "shard_stability", shards=[2], level=1e-6)
    assert answer.table.significant.tolist() == [0]
    assert answer.table.common.isna().all()
    assert any(note.startswith("The column “common” is empty") for note in answer.notes)


def test_stability_and_models_tell_of_the_same_partitions(study):
    stable = table(study, "shard_stability", shards=[4], resamples=3, seed=4).iloc[0]
    model = table(study, "models", models=["MD6"], shards=4, resamples=3, seed=4).iloc[0]
    assert (stable.tau, stable.width, stable.significant) == pytest.approx(
        (model.tau, model.width_tukey, model.significant)
    )


# Ranks over other topics


def rank_of(means, system):
    return 1 + sum(mean > means[system] + 1e-12 for mean in means.values())


@pytest.mark.parametrize(("level", "metric"), [(0.05, "AP"), (0.4, "AP"), (0.2, "RBP(p=0.8)")])
def test_ranks_are_the_full_enumeration(level, metric):
    """The ends are quantiles of the rank over all T^T samples of the topics, but for the chance of drawing 4000."""
    track = graded(systems=4, topics=4, seed=8, spread=0.3)
    small = small_study(*track)
    found = table(small, "rank_intervals", metric=metric, level=level, resamples=4000)
    assert list(found)[:4] == ["system", "rank", "lower", "upper"]
    scores = orderings.topic_scores(metric, *track)
    ranks = {system: [] for system in scores}
    for drawn in product(track[1], repeat=4):
        means = {system: sum(of[topic] for topic in drawn) / 4 for system, of in scores.items()}
        for system in scores:
            ranks[system].append(rank_of(means, system))
    means = orderings.means_of(scores)
    slack = 4 * math.sqrt(level / 2 * (1 - level / 2) / 4000)
    for row in found.itertuples():
        assert row.rank == rank_of(means, row.system)
        for end, share in ((row.lower, level / 2), (row.upper, 1 - level / 2)):
            below = sum(rank < end for rank in ranks[row.system]) / 256
            to_it = sum(rank <= end for rank in ranks[row.system]) / 256
            assert below - slack <= share <= to_it + slack
    assert found["rank"].is_monotonic_increasing
    assert (found.lower < found.upper).any()


def test_a_system_that_is_always_best_is_first():
    runs = {"A": ["x", "y"], "B": ["n", "x"], "C": ["n", "m"]}
    runs = {s: {t: {d: -float(k) for k, d in enumerate(docs)} for t in "1234"} for s, docs in runs.items()}
    found = table(small_study(runs, {t: {"x": 1, "y": 1, "n": 0, "m": 0} for t in "1234"}), "rank_intervals")
    assert found.system.tolist() == ["A", "B", "C"]
    for column in ("rank", "lower", "upper"):
        assert found[column].tolist() == [1, 2, 3]


def test_ranks_are_those_of_the_estimator_and_the_depth():
    runs, qrels = graded(seed=9, spread=0.3)
    small = small_study(runs, qrels, pooled="all")
    for how in ({"estimator": "upper", "metric": "RBP(p=0.9)"}, {"depth": 2, "metric": "P@5"}):
        board = table(small, "leaderboard", **how).set_index("system")["rank"]
        found = table(small, "rank_intervals", **how).set_index("system")["rank"]
        assert found.to_dict() == board.to_dict()


# Seeds, notes, chosen systems and topics


@pytest.mark.parametrize(
    ("question", "how"),
    [
        ("anova", {"models": ["MD6"]}),
        ("models", {"models": ["MD6"], "resamples": 2}),
        ("system_intervals", {"interval": "anova"}),
        ("tukey_pairs", {"method": "randomised", "resamples": 200}),
        ("shard_stability", {"shards": [3], "resamples": 2}),
        ("rank_intervals", {"resamples": 40, "level": 0.3}),
    ],
)
def test_the_same_seed_gives_the_same_table(question, how):
    track = graded(seed=10, spread=0.1)
    first, again, other = (table(small_study(*track), question, seed=seed, **how) for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


def test_chosen_systems_and_topics(study):
    narrow = study.only(systems=["s0", "s2", "s4"], topics=["t1", "t2", "t5"])
    runs, qrels = TRACK
    chosen = (
        {s: {t: runs[s][t] for t in ("t1", "t2", "t5")} for s in ("s0", "s2", "s4")},
        {t: qrels[t] for t in ("t1", "t2", "t5")},
    )
    parts = parts_of(study, 4)
    y = oracle.filled(oracle.scores("AP", *chosen, parts))
    found = table(narrow, "anova", shards=4, models=["MD6"])
    expected = oracle.anova(y, "MD6")
    assert found.ss.tolist() == pytest.approx([expected[effect]["ss"] for effect in found.effect])
    assert found.f[1] == pytest.approx(expected["system"]["f"])


@pytest.mark.parametrize("question", ANALYSED)
def test_what_is_assumed_is_said(question):
    runs, qrels = graded(seed=11)
    del runs["s1"]["t3"]
    how = {"shards": [4]} if question == "shard_stability" else {"shards": 4}
    answers = [
        evalcore.ask(small_study(runs, qrels, average=average), question, **how) for average in ("qrels", "common")
    ]
    assert answers[0].table.equals(answers[1].table)  # the missing topic counts as 0
    said = [any("missing topics" in note for note in answer.notes) for answer in answers]
    assert said == [False, True]
    assert all(any("Unjudged" in note for note in answer.notes) for answer in answers)


# Nothing to tell apart


@pytest.mark.parametrize("question", ANALYSED)
def test_systems_that_found_nothing_are_not_told_apart(question):
    """All scores are 0: no warning, no difference, and gaps have a reason."""
    runs = {s: {t: {"n": 2.0, "m": 1.0} for t in "123456"} for s in "ABCDE"}
    small = small_study(runs, {t: {"x": 1, "n": 0, "m": 0, "y": 1} for t in "123456"})
    how = {"shards": [4], "resamples": 2} if question == "shard_stability" else {"shards": 4}
    answer = evalcore.ask(small, question, **how)
    found = answer.table
    if question == "tukey_pairs":
        assert not found.significant.any()
    if question in ("models", "shard_stability"):
        assert (found.significant == 0).all()
    if question == "models":
        assert (found.top_group == 5).all()
    if question == "system_intervals":
        assert found.in_top_group.all()
    if found.drop(columns=["ms", "f", "p", "omega2", "share", *ON_TOPICS], errors="ignore").isna().any(axis=None):
        assert any("is empty" in note for note in answer.notes)


# What cannot be asked


TOO_LITTLE = [  # questions, what of the study is looked at, what is asked, what is said
    (QUESTIONS, {"topics": ["t1"]}, {}, "two judged topics"),
    (ANALYSED, {"systems": ["s1"]}, {}, "two systems"),
    (ANALYSED, {}, {"shards": 17}, "17 shards are more than the 16 documents"),
    (ANALYSED, {}, {"metric": "infAP"}, "infAP"),
]


@pytest.mark.parametrize(("question", "of", "how", "said"), [(q, *row) for asked, *row in TOO_LITTLE for q in asked])
def test_what_is_too_little_or_has_no_shards_is_refused(study, question, of, how, said):
    how = {"shards": [17]} if "shards" in how and question == "shard_stability" else how
    with pytest.raises(ValueError, match=said):
        evalcore.ask(study.only(**of) if of else study, question, **how)


@pytest.mark.parametrize("model", SHARDED)
@pytest.mark.parametrize("question", ["anova", "models", "system_intervals", "tukey_pairs"])
def test_a_single_shard_is_for_md1_only(study, question, model):
    how = {"models": [model]} if question in ("anova", "models") else {"model": model}
    with pytest.raises(ValueError, match=f"{model} needs at least 2 shards.*or MD1"):
        evalcore.ask(study, question, shards=1, **how)


def test_stability_needs_shards(study):
    with pytest.raises(ValueError, match="at least 2 shards"):
        evalcore.ask(study, "shard_stability", shards=[2, 1])
    with pytest.raises(ValueError, match="MD1 uses the whole collection"):
        evalcore.ask(study, "shard_stability", model="MD1")
    for shards in (5, []):
        with pytest.raises(ValueError, match=r"shards(=5 is one value; a list such as| is empty)"):
            evalcore.ask(study, "shard_stability", shards=shards)


DRAWN = {"models": {}, "shard_stability": {"shards": [2]}, "tukey_pairs": {"method": "randomised"},
         "rank_intervals": {}}  # fmt: skip
NOT_VALID = [
    *product(QUESTIONS, ["level"], [0, 1, 5, -0.1, True, math.nan, None, "5%"]),
    *product(QUESTIONS, ["seed"], [-1, 0.5, None, True]),
    *product(DRAWN, ["resamples"], [0, -3, 1.5, True, None]),
]


@pytest.mark.parametrize(("question", "name", "value"), NOT_VALID)
def test_a_value_that_cannot_be_is_refused(study, question, name, value):
    with pytest.raises(ValueError, match=rf"{name}=.* is not valid"):
        evalcore.ask(study, question, **{name: value}, **(DRAWN[question] if name == "resamples" else {}))


@pytest.mark.parametrize(
    ("question", "undefined"),
    [*product(ANALYSED, ["mode", math.nan, True]), ("anova", math.inf), ("anova", None), ("models", [0])],
)
def test_a_value_of_undefined_cells_that_cannot_be_is_refused(study, question, undefined):
    with pytest.raises(ValueError, match='a number, "mean" or "median"'):
        evalcore.ask(study, question, undefined=undefined)


@pytest.mark.parametrize(
    ("question", "how", "message"),
    [
        ("anova", {"models": ["MD7"]}, "no model 'MD7'. Known: MD1, MD2, MD3, MD4, MD5, MD6."),
        ("models", {"models": ["md1"]}, "no model 'md1'. Known: MD1,"),
        ("system_intervals", {"model": "MD0"}, "no model 'MD0'"),
        ("tukey_pairs", {"model": "MD0"}, "no model 'MD0'"),
        ("shard_stability", {"model": "MD0"}, "no model 'MD0'"),
        (
            "system_intervals",
            {"interval": "jackknife"},
            "no interval 'jackknife'. Known: tukey, sem, anova, bootstrap.",
        ),
        ("tukey_pairs", {"method": "holm"}, "no method 'holm'. Known: tukey, randomised."),
        ("rank_intervals", {"method": "t"}, "no method 't'. Known: bootstrap."),
        ("anova", {"metric": "APP"}, "no metric 'APP'"),
        ("anova", {"shards": 2.5}, "shards=2.5 is not valid"),
        ("models", {"shards": 0}, "shards=0 is not valid"),
    ],
)
def test_what_cannot_be_asked_says_why(study, question, how, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        evalcore.ask(study, question, **how)
    assert message in str(error.value)
