"""Two systems compared, against the pairs' own rows, SciPy, enumeration of every judgment, and printed tables."""

import os
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.statistics.significance import dunnett, largest_of_many, tukey_to_one
from tests.examples import examples
from tests.oracles import metrics as oracle
from tests.oracles import orderings
from tests.small import small_study, topic_of
from tests.statistics.test_certain_pairs import EXACT, PLAIN, VARIED, WEIGHTED, small_tracks

SAME = 1e-9
WEB = Path(__file__).parents[2] / "sample_data" / "web"


def ask(study, question, **params):
    return evalcore.ask(study, question, **params).table


# ---- the difference, its range and its p


@settings(max_examples=examples(60), deadline=None)
@given(
    track=small_tracks(VARIED), metric=st.sampled_from([*EXACT, "AP", "RR", "bpref"]), depth=st.sampled_from([None, 1])
)
def test_a_comparison_is_the_row_of_the_pair(track, metric, depth):
    study = small_study(*track, pooled="all")
    for pair in ask(study, "pairs", metric=metric, depth=depth, correction="none").to_dict("records"):
        one = ask(study, "comparison", a=pair["a"], b=pair["b"], metric=metric, depth=depth).iloc[0]
        back = ask(study, "comparison", a=pair["b"], b=pair["a"], metric=metric, depth=depth).iloc[0]
        for name in ("difference", "certain_low", "certain_high", "p"):
            assert one[name] == pytest.approx(pair[name], abs=1e-12, nan_ok=True)
        assert (one["settled"], one["significant"]) == (pair["settled"], pair["significant"])
        assert back["difference"] == pytest.approx(-pair["difference"], abs=1e-12, nan_ok=True)
        assert back["certain_low"] == pytest.approx(-pair["certain_high"], abs=1e-12, nan_ok=True)
        assert (back["won"], back["lost"]) == (one["lost"], one["won"])
        assert (back["won_clearly"], back["lost_clearly"]) == (one["lost_clearly"], one["won_clearly"])


@settings(max_examples=examples(40), deadline=None)
@given(track=small_tracks(VARIED, systems=2), metric=st.sampled_from(["P@2", "RBP(p=0.8)", "AP"]))
def test_the_answer_is_the_same_whichever_system_is_named_first(track, metric):
    study = small_study(*track, pooled="all")
    one, back = (
        evalcore.ask(study, "comparison", a=a, b=b, metric=metric).finding for a, b in (("s0", "s1"), ("s1", "s0"))
    )
    if " have the same " not in one.headline:
        assert one.headline == back.headline


@settings(max_examples=examples(40), deadline=None)
@given(track=small_tracks(PLAIN, systems=2), metric=st.sampled_from(WEIGHTED))
def test_the_range_on_a_topic_is_that_of_every_completion(track, metric):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all")
    queries = orderings.queries_of(runs, qrels)
    for row in ask(study, "comparison_topics", a="s0", b="s1", metric=metric).itertuples():
        ends = orderings.difference_range(metric, runs["s0"], runs["s1"], qrels, queries, topics=[row.topic])
        assert (row.certain_low, row.certain_high) == (pytest.approx(ends[0]), pytest.approx(ends[1]))
        values = [oracle.value(metric, runs[s].get(row.topic, {}), qrels[row.topic]) for s in ("s0", "s1")]
        assert (row.value_a, row.value_b) == (pytest.approx(values[0]), pytest.approx(values[1]))


@settings(max_examples=examples(40), deadline=None)
@given(track=small_tracks(VARIED, systems=2), metric=st.sampled_from([*EXACT, "RR", "INST(T=1)"]))
def test_the_ranges_of_all_topics_have_the_ends_of_the_pair_as_their_mean(track, metric):
    study = small_study(*track, pooled="all")
    pair = ask(study, "pairs", metric=metric).iloc[0]
    ends = ask(study, "comparison_topics", a=pair["a"], b=pair["b"], metric=metric)[["certain_low", "certain_high"]]
    assert ends.mean().tolist() == pytest.approx(pair[["certain_low", "certain_high"]].tolist(), abs=1e-12)


def test_the_interval_over_topics_is_scipys():
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    row = ask(study, "comparison", metric="P@10", level=0.1).iloc[0]
    scores = ask(study, "scores", metric="P@10").pivot_table("value", "system", "topic")
    ends = scipy.stats.ttest_rel(scores.loc[row["a"]], scores.loc[row["b"]]).confidence_interval(0.9)
    assert (row["interval_low"], row["interval_high"]) == pytest.approx(tuple(ends))


def test_by_default_the_two_best_are_compared():
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    board = ask(study, "leaderboard", metric="P@10")
    row = ask(study, "comparison", metric="P@10").iloc[0]
    assert [row["a"], row["b"]] == list(board["system"][:2])
    with pytest.raises(ValueError, match="cannot be compared with itself"):
        ask(study, "comparison", a=row["a"], b=row["a"])


TRACKS = [Path(os.environ["POOLSCOPE_DATA"]) / name for name in ("trec-covid-r1", "robust03", "dl21-passage")] if (
    os.environ.get("POOLSCOPE_DATA")
) else []  # fmt: skip


@pytest.mark.parametrize("folder", [one for one in TRACKS if one.is_dir()], ids=lambda one: one.name)
def test_pairs_of_a_real_track_are_compared_alike(folder):
    qrels = next(one for one in sorted(folder.glob("qrels*")) if one.is_file())
    study = evalcore.open_study(folder / "runs", qrels)
    every, rng = ask(study, "pairs", metric="P@10", correction="none"), np.random.default_rng(0)
    scores = ask(study, "scores", metric="P@10").pivot_table("value", "system", "topic")
    for pair in every.iloc[rng.choice(len(every), 67, replace=False)].itertuples():
        row = ask(study, "comparison", a=pair.a, b=pair.b, metric="P@10").iloc[0]
        assert (row["difference"], row["p"]) == (pytest.approx(pair.difference), pytest.approx(pair.p, nan_ok=True))
        assert row["difference"] == pytest.approx(scores.loc[pair.a].mean() - scores.loc[pair.b].mean())
        ends = pytest.approx(pair.certain_low, abs=1e-12), pytest.approx(pair.certain_high, abs=1e-12)
        assert (row["certain_low"], row["certain_high"]) == ends
        if row["p"] < 1:
            assert row["p"] == pytest.approx(scipy.stats.ttest_rel(scores.loc[pair.a], scores.loc[pair.b]).pvalue)


# ---- which documents decide

LETTERS = "abcdefg"
short = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=4, unique=True)


@st.composite
def two_runs(draw, queries=("t0", "t1")):
    """Two systems on two topics, and judgments that leave at most six of their documents unjudged."""
    runs = {name: {query: draw(short) for query in queries} for name in ("s0", "s1")}
    held = sorted({(topic_of(query), d) for run in runs.values() for query, ranking in run.items() for d in ranking})
    unjudged = draw(st.lists(st.sampled_from(held), max_size=6, unique=True))
    grade = {pair: draw(st.integers(0, 1)) for pair in held if pair not in unjudged}
    qrels = {topic: {"zz": 1} | {d: g for (t, d), g in grade.items() if t == topic} for topic in ("t0", "t1")}
    ranked = {name: {t: {d: 9.0 - n for n, d in enumerate(r)} for t, r in run.items()} for name, run in runs.items()}
    return ranked, qrels, unjudged


def difference(metric, runs, qrels, more):
    """The mean difference over topics, of each the mean over its queries, once these documents have these grades.

    more : (topic, document) -> grade
    """
    judged = {topic: of | {d: g for (t, d), g in more.items() if t == topic} for topic, of in qrels.items()}
    of_topic = {topic: [] for topic in qrels}
    for query in runs["s0"]:
        one, other = (oracle.value(metric, runs[s][query], judged[topic_of(query)]) for s in ("s0", "s1"))
        of_topic[topic_of(query)].append(one - other)
    return np.mean([np.mean(values) for values in of_topic.values()])


def fewest(documents, enough):
    """The smallest number of documents for which a set of them is enough, or None."""
    sizes = (n for n in range(len(documents) + 1) if any(map(enough, combinations(documents, n))))
    return next(sizes, None)


@settings(max_examples=examples(60), deadline=None)
@given(
    of=two_runs() | two_runs(("t0-1", "t0-2", "t1-1", "t1-2", "t1-3")),
    metric=st.sampled_from(["P@2", "RBP(p=0.5)", "RBP(p=0.8)", "SDCG@3"]),
)
def test_the_documents_to_judge_are_the_fewest(of, metric):
    """Against every set of documents with every grade, also where topics have several queries; ranks past the end of a
    run count as not relevant."""
    runs, qrels, unjudged = of
    study = small_study(runs, qrels, pooled="all", empty="not relevant")
    table = ask(study, "judge_to_decide", a="s0", b="s1", metric=metric)
    now = difference(metric, runs, qrels, {})
    sign = 1 if now >= -1e-12 else -1

    def graded(some):
        return (dict(zip(some, grades, strict=True)) for grades in product((0, 1), repeat=len(some)))

    def reverses(some):
        return any(sign * difference(metric, runs, qrels, more) < -SAME for more in graded(some))

    def certain(more):
        left = [one for one in unjudged if one not in more]
        ends = [difference(metric, runs, qrels, more | rest) for rest in graded(left)]
        return min(ends) >= -SAME or max(ends) <= SAME

    least = fewest(unjudged, reverses)
    settling = fewest(unjudged, lambda some: all(
        sign * difference(metric, runs, qrels, dict.fromkeys(some, 0) | rest) >= -SAME
        for rest in graded([one for one in unjudged if one not in some])
    ))  # fmt: skip
    if abs(now) < SAME:  # nobody leads
        least = settling = 0
    assert (table["reverses"].sum(), table["settles"].sum()) == (least or 0, settling)
    listed = list(zip(table["topic"], table["document"], strict=True))
    assert all(certain(more) for more in graded(listed))
    for row in table.itertuples():
        moved = difference(metric, runs, qrels, {(row.topic, row.document): 1}) - now
        assert row.moves == pytest.approx(moved, abs=1e-12)


def decided(a, b, metric="P@2"):
    """What decides between the rankings of two systems on two topics each; r, s, t are relevant and m, n are not."""
    runs = {
        system: {f"t{n}": {d: -float(rank) for rank, d in enumerate(of)} for n, of in enumerate(rankings)}
        for system, rankings in (("s0", a), ("s1", b))
    }
    judged = {"r": 1, "s": 1, "t": 1, "m": 0, "n": 0}
    study = small_study(runs, {"t0": judged, "t1": judged}, pooled="all")
    return ask(study, "judge_to_decide", a="s0", b="s1", metric=metric)


def test_a_tie_that_nothing_can_turn_is_settled():
    uv, ur, un = (decided(["rn", "rn"], [ranking, "rn"]) for ranking in ("uv", "ur", "un"))
    assert uv["settles"].tolist() == [True, False]  # 1/2 against at most 1/2 once one of them is not relevant
    assert uv["reverses"].tolist() == [True, True]  # a tie is no reversal
    assert not ur["settles"].any()  # level: nobody leads
    assert not un["settles"].any()  # 1/2 against at most 1/2: certain already


def test_of_level_systems_none_leads_however_thirds_are_rounded():
    assert 1 / 3 + (2 / 3 - 1) < 0
    table = decided(["rmn", "rsn"], ["mnu", "rst"], "P@3")
    assert (table["reverses"].tolist(), table["settles"].tolist()) == ([False], [False])


def test_topics_that_a_reader_cannot_tell_apart_are_level():
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    names = list(ask(study, "leaderboard")["system"])
    found = 0
    for other in names[1:12]:
        of = {"a": names[0], "b": other, "metric": "RBP(p=0.95)"}
        row, differences = ask(study, "comparison", **of).iloc[0], ask(study, "comparison_topics", **of)["difference"]
        assert (row["won"], row["lost"]) == ((differences > 1e-12).sum(), (differences < -1e-12).sum())
        clear = [(sign * differences > 0.001).sum() for sign in (1, -1)]
        assert [row["won_clearly"], row["lost_clearly"]] == clear
        found += row["won"] + row["lost"] - sum(clear)
        said = evalcore.ask(study, "comparison", **of).finding.detail
        ahead, behind = clear if row["difference"] > 0 else clear[::-1]
        topics = f"by .001 or more on {ahead} of {len(differences)} topics, and behind on {behind}"
        assert topics in said
    assert found  # some are so close


@settings(max_examples=examples(60), deadline=None)
@given(of=two_runs(), metric=st.sampled_from(["RR", "nDCG@3", "ERR@3", "P@2", "RBP(p=0.5)"]), empty=st.booleans())
def test_where_only_longer_rankings_could_reverse_an_order_no_grades_do(of, metric, empty):
    """Against every grade of the documents that either ranking has."""
    runs, qrels, unjudged = of
    study = small_study(runs, qrels, pooled="all", empty="unknown" if empty else "not relevant")
    row = ask(study, "comparison", a="s0", b="s1", metric=metric).iloc[0]
    now = difference(metric, runs, qrels, {})
    sign = 1 if now >= -1e-12 else -1
    ends = [
        sign * difference(metric, runs, qrels, dict(zip(unjudged, grades, strict=True)))
        for grades in product((0, 1), repeat=len(unjudged))
    ]
    if row["settled"] != "open":
        assert not row["only_longer"]
    elif row["only_longer"]:
        assert empty
        assert min(ends) >= -SAME
    elif metric in ("P@2", "RBP(p=0.5)"):  # whose leads are reached
        assert min(ends) < -SAME
    if not np.isnan(row["reversed_by"]):
        assert not row["only_longer"]


def test_what_has_no_weights_has_no_list():
    study = small_study({"s0": {"t": {"a": 1.0}}, "s1": {"t": {"b": 1.0}}}, {"t": {"a": 1}})
    with pytest.raises(ValueError, match="no fixed weights"):
        ask(study, "judge_to_decide", metric="AP")


def test_the_documents_of_two_rankings():
    runs = {
        "s0": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}, "u": {"a": 1.0}},
        "s1": {"t": {"b": 3.0, "d": 2.0}, "u": {"b": 1.0}},
    }
    study = small_study(runs, {"t": {"a": 1, "b": 0}, "u": {"a": 1}}, pooled="all")
    rows = ask(study, "comparison_documents", a="s0", b="s1", topic="t", metric="RBP(p=0.5)", k=2)
    assert list(rows["document"]) == ["a", "b", "d"]
    assert rows["rank_a"].tolist() == pytest.approx([1, 2, np.nan], nan_ok=True)
    assert rows["rank_b"].tolist() == pytest.approx([np.nan, 1, 2], nan_ok=True)
    assert rows["state"].tolist() == ["relevant", "not relevant", "not judged"]
    assert rows["gives_a"].tolist() == pytest.approx([0.5, 0, np.nan], nan_ok=True)
    assert rows["moves"].tolist() == pytest.approx([0, 0, -0.25])


def test_one_topic_is_compared_topic_by_topic_and_has_a_list():
    runs = {"s0": {"t": {"a": 3.0, "b": 2.0}}, "s1": {"t": {"c": 3.0, "b": 2.0}}}
    study = small_study(runs, {"t": {"a": 1, "b": 0}}, pooled="all")
    assert ask(study, "comparison_topics")["difference"].iloc[0] > 0
    assert set(ask(study, "comparison_documents")["document"]) == {"a", "b", "c"}
    assert list(ask(study, "judge_to_decide")["document"]) == ["c"]
    with pytest.raises(ValueError, match="at least two judged topics"):
        ask(study, "comparison")


def test_a_shorter_list_changes_no_count_of_the_sentence():
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    names = ask(study, "leaderboard")["system"]
    pair = {"a": names[30], "b": names[33]}
    whole, few = (evalcore.ask(study, "judge_to_decide", **pair, top=top) for top in (None, 2))
    assert len(few.table) == 2 < len(whole.table)
    assert str(few.finding) == str(whole.finding)


# ---- against a baseline

PRINTED = {  # two-tailed 5% points of Dunnett's t, as his tables of 1964 have them: df -> comparisons -> t
    5: {1: 2.57, 2: 3.03, 3: 3.29}, 10: {1: 2.23, 2: 2.57, 3: 2.76, 5: 2.99}, 20: {1: 2.09, 2: 2.38, 3: 2.54, 5: 2.73},
    10**7: {1: 1.96, 2: 2.21, 3: 2.35, 5: 2.51},
}  # fmt: skip


@pytest.mark.parametrize("df", PRINTED)
def test_dunnetts_printed_points(df):
    for k, t in PRINTED[df].items():
        inside = largest_of_many(np.array([t - 0.006, t + 0.006]), k, df)
        assert inside[0] < 0.95 < inside[1]


def test_dunnetts_probability_is_that_of_a_simulation():
    rng, k, df = np.random.default_rng(1), 6, 18
    z = rng.standard_normal((200_000, k + 1))
    t = np.abs(z[:, 1:] - z[:, :1]).max(axis=1) / np.sqrt(2 * rng.chisquare(df, 200_000) / df)
    at = np.array([0.5, 1.5, 2.5, 3.5])
    assert largest_of_many(at, k, df) == pytest.approx([(t <= one).mean() for one in at], abs=0.004)


def test_dunnett_uses_the_error_of_all_systems():
    scores = np.array([[0.5, 0.7, 0.4], [0.2, 0.6, 0.1], [0.9, 0.5, 0.7]])
    means = [sum(row) / 3 for row in scores.tolist()]
    columns, whole = [sum(column) / 3 for column in scores.T.tolist()], scores.mean()
    left = sum((scores[s, t] - means[s] - columns[t] + whole) ** 2 for s in range(3) for t in range(3))
    error = (2 * left / 4 / 3) ** 0.5
    p, half = dunnett(scores, 0, 0.05)
    expected = 1 - largest_of_many(np.array([abs(means[s] - means[0]) / error for s in (1, 2)]), 2, 4)
    assert p == pytest.approx(expected)
    assert 1 - largest_of_many(half[:1] / error, 2, 4)[0] == pytest.approx(0.05)


@settings(max_examples=examples(30), deadline=None)
@given(track=small_tracks(PLAIN), metric=st.sampled_from(["P@2", "RBP(p=0.5)", "AP"]))
def test_against_a_baseline_are_the_pairs_with_it(track, metric):
    runs, qrels = track
    study = small_study(runs, qrels, pooled="all")
    table = ask(study, "against_baseline", baseline="s0", metric=metric, correction="none").set_index("system")
    assert set(table.index) == set(runs) - {"s0"}
    for pair in ask(study, "pairs", metric=metric, correction="none").to_dict("records"):
        if pair["a"] == "s0":  # the table has the other one first
            row = table.loc[pair["b"]]
            assert row["difference"] == pytest.approx(-pair["difference"], abs=1e-12, nan_ok=True)
            assert row["p"] == pytest.approx(pair["p"], nan_ok=True)
            assert row["certain_low"] == pytest.approx(-pair["certain_high"], abs=1e-12, nan_ok=True)
            assert row["certain_high"] == pytest.approx(-pair["certain_low"], abs=1e-12, nan_ok=True)


def test_intervals_and_corrections_against_a_baseline():
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    scores = ask(study, "scores", metric="P@10").pivot_table("value", "system", "topic")
    best, other = scores.mean(axis=1).sort_values().index[[-1, -4]]
    table, p = ask(study, "against_baseline", baseline=other, metric="P@10"), []
    base = scores.loc[other]
    for row in table.itertuples():
        tested = scipy.stats.ttest_rel(scores.loc[row.system], base)
        low, high = tested.confidence_interval(0.95)
        assert (row.interval_low, row.interval_high) == (pytest.approx(low), pytest.approx(high))
        p.append(tested.pvalue)
    worst, holm = 0.0, {}
    for n, at in enumerate(np.argsort(p)):  # step down
        worst = max(worst, min(1.0, p[at] * (len(p) - n)))
        holm[at] = worst
    assert table["p_corrected"].tolist() == pytest.approx([holm[at] for at in range(len(p))])
    caveats = [
        evalcore.ask(study, "against_baseline", baseline=one, metric="P@10").finding.caveats for one in (best, other)
    ]
    assert sum("has the highest score" in one for one in caveats[0]) == 1
    assert not any("has the highest score" in one for one in caveats[1])


def test_the_best_as_the_baseline_is_tested_as_one_of_all():
    """Tukey's p of SciPy's studentized range, over all systems; other corrections say that their p is too small."""
    study = evalcore.open_study(WEB / "runs", WEB / "qrels.txt")
    scores = ask(study, "scores", metric="P@10").pivot_table("value", "system", "topic").to_numpy()
    names = sorted(study.systems)
    S, T = scores.shape
    left = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    error = ((left**2).sum() / ((S - 1) * (T - 1)) / T) ** 0.5
    answer = evalcore.ask(study, "against_baseline", metric="P@10")
    best, half = scores.mean(axis=1).max(), scipy.stats.studentized_range.ppf(0.95, S, (S - 1) * (T - 1)) * error
    assert (answer.table["difference"] <= 0).all()
    for row in answer.table.itertuples():
        mean = scores[names.index(row.system)].mean()
        assert row.p == pytest.approx(
            scipy.stats.studentized_range.sf((best - mean) / error, S, (S - 1) * (T - 1)), abs=2e-5
        )
        assert row.p_corrected == row.p
        assert (row.interval_low, row.interval_high) == pytest.approx((mean - best - half, mean - best + half))
    assert "Tukey's test" in answer.finding.headline
    assert not answer.finding.caveats
    for correction in ("dunnett", "holm"):
        chosen = evalcore.ask(study, "against_baseline", metric="P@10", correction=correction)
        assert any("p is too small" in note for note in chosen.notes)


def test_of_equal_systems_the_best_is_rarely_called_better():
    """20 systems that differ by chance, on 50 topics: the best of them against all others."""
    rng, false = np.random.default_rng(2), {dunnett: 0, tukey_to_one: 0}
    for _ in range(300):
        scores = rng.beta(2, 3, 50) + rng.normal(0, 0.15, (20, 50))
        best = int(scores.mean(axis=1).argmax())
        for test in false:
            p, _ = test(scores, best, 0.05)
            false[test] += bool((p < 0.05).any())
    assert false[tukey_to_one] <= 0.08 * 300
    assert false[dunnett] > 0.2 * 300  # which is for a baseline that was chosen before


# ---- topics


@settings(max_examples=examples(20), deadline=None)
@given(track=small_tracks(PLAIN))
def test_a_topic_left_out(track):
    runs, qrels = track
    assume(len(qrels) == 3)
    study = small_study(runs, qrels, pooled="all")
    value = {s: {t: oracle.value("P@2", run.get(t, {}), qrels[t]) for t in qrels} for s, run in runs.items()}
    whole = {s: sum(of.values()) for s, of in value.items()}
    for row in ask(study, "topics_left_out", metric="P@2").itertuples():
        rest = {s: whole[s] - of[row.topic] for s, of in value.items()}
        swapped = [
            pair for pair in combinations(runs, 2)
            if (whole[pair[0]] - whole[pair[1]]) * (rest[pair[0]] - rest[pair[1]]) < -1e-15
        ]  # fmt: skip
        assert row.inversions == len(swapped)
        assert row.value == pytest.approx(np.mean([of[row.topic] for of in value.values()]))
        assert row.sd == pytest.approx(np.std([of[row.topic] for of in value.values()], ddof=1))
