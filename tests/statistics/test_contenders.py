"""Who could still be first and which ranks are left, against every completion of the judgments."""

import random
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore import metric
from evalcore.questions import contenders
from evalcore.questions.pairs import at_one, certain_ends, least_leads
from evalcore.statistics.setups import Regime
from evalcore.vocabulary.validation import EQUAL
from tests.examples import examples
from tests.oracles import orderings as oracle
from tests.oracles import pool as pool_oracle
from tests.small import small_study
from tests.statistics.test_certain_pairs import EXACT, PLAIN, VARIED, WEIGHTED, small_tracks
from ui.text import interval_labels

NEAR = 1e-9


def least_lead(name, one, two, runs, qrels, **how):
    """The least mean difference of two systems over every completion of the judgments."""
    return oracle.difference_range(name, runs[one], runs[two], qrels, oracle.queries_of(runs, qrels), **how)[0]


def expected_states(name, board, runs, qrels):
    """system -> its state, by enumeration: never ahead of the leader, or certainly behind another, cannot be first.

    board : the table of scores
    """
    values = dict(zip(board.system, board.value, strict=True))
    leader = max(sorted(values), key=values.get)
    judged = {system for system, run in runs.items() if any(run.get(q) for q in run if q.split("-")[0] in qrels)}
    states = {}
    for system, value in values.items():
        state = "no"
        for empty, reached in (("unknown", "past the end"), ("not relevant", "yes")):
            # nothing past the end of the system's own rankings, and anything past the ends of the others
            rivals = [other for other in runs if other != system]
            others = {other: least_lead(name, other, system, runs, qrels, empty=empty) for other in rivals}
            behind = any(lead > oracle.SAME for lead in others.values())
            leaders = [other for other in others if values[leader] - values[other] < NEAR]
            if not behind and all(others[other] < -oracle.SAME for other in leaders):
                state = reached
        state = state if system in judged else "no"
        states[system] = "leads" if values[leader] - value < NEAR else state
    return states


@pytest.mark.parametrize("queries", [PLAIN, VARIED], ids=["topics", "variations"])
@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(data=st.data())
def test_who_could_lead_is_counted_out_over_every_completion(name, queries, data):
    runs, qrels = data.draw(small_tracks(queries, systems=4))
    variations = "-" if queries == VARIED else None
    study = small_study(runs, qrels, pooled="all", variations=variations)
    board = evalcore.ask(study, "leaderboard", metric=name).table
    assert dict(zip(board.system, board.could_lead, strict=True)) == expected_states(name, board, runs, qrels)


@pytest.mark.parametrize("name", [*EXACT, "RR", "INST(T=1)"])
@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4))
def test_nobody_is_counted_whom_orderings_puts_behind_the_leader_or_another(name, track):
    study = small_study(*track, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric=name).table
    states = dict(zip(board.system, board.could_lead, strict=True))
    leader = board.loc[board.value.idxmax(), "system"]
    for pair in evalcore.ask(study, "pairs", metric=name).table.itertuples():
        for ahead, behind, least in ((pair.a, pair.b, pair.certain_low), (pair.b, pair.a, -pair.certain_high)):
            if least > EQUAL or (ahead == leader and least >= -EQUAL):
                assert states[behind] in ("no", "leads")
    for row in board[board.could_lead == "yes"].itertuples():
        assert row.rank_best == 1


def test_a_system_certainly_behind_another_than_the_leader_is_not_counted():
    """The intervals of all three overlap, and s2 could pass the leader; but s1 is at least .296 ahead of it."""
    order = {"s0": "d5 d4 d1 d3 d0 d2", "s1": "d0 d4 d5 d1 d2 d3", "s2": "d0 d5 d2 d4 d3 d1"}
    runs = {
        system: {topic: {doc: 9.0 - rank for rank, doc in enumerate(docs.split())} for topic in ("1", "2")}
        for system, docs in order.items()
    }
    judged = {topic: {"d2": 0, "d3": 0, "d4": 1, "d5": 0} for topic in ("1", "2")}
    study = small_study(runs, judged, pooled="all", empty="not relevant")
    pairs = evalcore.ask(study, "pairs", metric="SDCG@3").table.set_index(["a", "b"])
    assert pairs.certain_low["s1", "s2"] == pytest.approx(0.296, abs=5e-4)
    board = evalcore.ask(study, "leaderboard", metric="SDCG@3").table.set_index("system")
    assert board.could_lead["s2"] == "no"
    assert board.rank_best["s2"] == 2


@pytest.mark.parametrize("name", ["RBP(p=0.5)", "RBP(p=0.8)", "SDCG@20", "nDCG@5", "RR"])
def test_ranks_that_weigh_next_to_nothing_may_be_left_out(name):
    """Never tighter than all ranks together, and at most 5e-6 less."""
    rng = np.random.default_rng(3)
    names = np.array([f"d{number}" for number in range(90)])
    runs = {
        f"s{system}": {
            topic: {doc: float(-rank) for rank, doc in enumerate(rng.permutation(names)[:60])} for topic in ("1", "2")
        }
        for system in range(5)
    }
    runs["near"] = {topic: ranked | {"d0": -1e6} for topic, ranked in runs["s0"].items()}
    judged = {topic: {doc: int(rng.integers(3)) for doc in rng.permutation(names)[:12]} for topic in ("1", "2")}
    study, all_of_them = small_study(runs, judged, pooled="all"), np.ones(6, bool)
    cuts, found = at_one(study.at()), metric(name)
    ends = (0.0, contenders.NEGLIGIBLE)
    exact, near = (next(least_leads(study, found, cuts, all_of_them, negligible=cut))() for cut in ends)
    assert (near <= exact).all()
    assert (near >= exact - 5e-6).all()
    if name == "RBP(p=0.8)":
        assert (near < exact).any()


@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(track=small_tracks(systems=3), depths=st.permutations([1, 2, None]))
def test_a_depth_is_answered_alike_first_and_later(name, track, depths):
    study = small_study(*track, pooled=["s0"])
    for depth in (*depths, depths[0]):
        both = study, small_study(*track, pooled=["s0"])
        boards = [evalcore.ask(one, "leaderboard", metric=name, depth=depth).table for one in both]
        pd.testing.assert_frame_equal(*boards)


@pytest.mark.parametrize("name", [*WEIGHTED, "nDCG@2", "RR"])
@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(track=small_tracks(systems=3), depths=st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True))
def test_a_sweep_counts_whom_each_depth_counts(name, track, depths):
    study = small_study(*track, pooled=["s0"])
    sweep = evalcore.ask(study, "depth_sweep", metric=name, depths=[*depths, None]).table
    for depth in (*depths, None):
        rows = sweep[sweep.depth.isna() if depth is None else sweep.depth == depth]
        board = evalcore.ask(small_study(*track, pooled=["s0"]), "leaderboard", metric=name, depth=depth).table
        swept, alone = (dict(zip(one.system, one.could_lead, strict=True)) for one in (rows, board))
        assert swept == alone


@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4))
def test_the_ranks_that_are_left_are_those_of_pairs_over_every_completion(name, track):
    runs, qrels = track
    board = evalcore.ask(small_study(runs, qrels, pooled="all"), "leaderboard", metric=name).table
    ahead = {}
    for one, two in combinations(sorted(runs), 2):
        low, high = oracle.difference_range(name, runs[one], runs[two], qrels, oracle.queries_of(runs, qrels))
        ahead |= {(one, two): low > oracle.SAME, (two, one): -high > oracle.SAME}
    for row in board.itertuples():
        others = [system for system in runs if system != row.system]
        assert row.rank_best == 1 + sum(ahead[other, row.system] for other in others)
        assert row.rank_worst == len(runs) - sum(ahead[row.system, other] for other in others)


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(track=small_tracks(systems=4), name=st.sampled_from([*EXACT, "RR"]))
def test_the_ranks_are_never_wider_than_those_of_intervals(track, name):
    board = evalcore.ask(small_study(*track, pooled="all"), "leaderboard", metric=name).table
    intervals = {row.system: (row.lower, row.upper) for row in board.itertuples()}
    best, worst = pool_oracle.rank_best(intervals), pool_oracle.rank_worst(intervals)
    for row in board.itertuples():
        assert best[row.system] <= row.rank_best <= row.rank_worst <= worst[row.system]


def test_one_document_that_both_retrieved_cannot_put_the_second_first():
    """By intervals next to each other B could be first; both gain from the unjudged document alike."""
    runs = {"A": {"1": {"r": 2.0, "u": 1.0}}, "B": {"1": {"n": 2.0, "u": 1.0}}}
    study = small_study(runs, {"1": {"r": 1, "n": 0}}, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric="P@2").table.set_index("system")
    assert board.upper["B"] >= board.lower["A"]
    assert board.could_lead.to_dict() == {"A": "leads", "B": "no"}
    assert board.rank_best["B"] == 2
    assert evalcore.ask(study, "leaderboard", metric="P@2").finding.facts["others"] == 0
    assert evalcore.ask(study, "depth_sweep", metric="P@2", depths=[None]).finding.facts["others"] == 0


@pytest.mark.parametrize(("question", "at"), [("leaderboard", {"depth": 2}), ("depth_sweep", {"depths": [1, 2]})])
def test_limits_are_left_out_if_not_asked_for(question, at):
    runs = {s: {"1": {"r": 2.0, "u": 1.0, s: 0.5}, "2": {s: 2.0}} for s in "ABC"}
    study = small_study(runs, {"1": {"r": 1}, "2": {"A": 1, "B": 0}}, pooled="all")
    whole, plain = (evalcore.ask(study, question, limits=limits, **at) for limits in (True, False))
    of_limits = [column for column in ("could_lead", "rank_best", "rank_worst") if column in whole.table]
    assert plain.table.drop(columns=of_limits).equals(whole.table.drop(columns=of_limits))
    assert all(plain.table[column].isin([""]).all() or plain.table[column].isna().all() for column in of_limits)
    assert any("limits=True" in note for note in plain.notes)
    assert not any("limits=True" in note for note in whole.notes)
    assert "judging" not in plain.finding.headline


def test_a_system_that_can_pass_one_of_two_leaders_only_is_not_said_to_stay_behind_it():
    """A and B lead; D can be ahead of A, but never of B, which has its document u1 and r1 besides; C of both."""
    runs = {
        "A": {"1": ["r1", "n1"], "2": ["r2", "n2"]}, "B": {"1": ["r1", "u1"], "2": ["r2", "n2"]},
        "C": {"1": ["u3", "u4"], "2": ["r2", "u5"]}, "D": {"1": ["u1", "u2"], "2": ["r2", "n2"]},
    }  # fmt: skip
    scored = {s: {t: {d: 2.0 - k for k, d in enumerate(row)} for t, row in of.items()} for s, of in runs.items()}
    study = small_study(scored, {"1": {"r1": 1, "n1": 0}, "2": {"r2": 1, "n2": 0}}, pooled="all")
    for question, at in (("leaderboard", {}), ("depth_sweep", {"depths": [None]})):
        said = evalcore.ask(study, question, metric="P@2", **at).finding
        assert said.facts["others"] == 1
        assert "with more judging, only C might overtake them." in str(said)


def test_what_no_judging_fills_and_a_run_without_a_judged_topic():
    runs = {"A": {"1": {"r": 3.0, "r2": 2.0, "n": 1.0}}, "B": {"1": {"r": 2.0}}, "C": {"7": {"x": 1.0}}}
    study = small_study(runs, {"1": {"r": 1, "r2": 1, "n": 0}}, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric="P@3")
    states = dict(zip(board.table.system, board.table.could_lead, strict=True))
    assert states == {"A": "leads", "B": "past the end", "C": "no"}
    assert (board.finding.facts["others"], board.finding.facts["only_past_end"]) == (0, 1)


def test_what_is_said_of_a_measure_is_true_of_it():
    for name, more, grows in (("P@10", True, False), ("nDCG@10", True, True), ("RR", False, True)):
        row = interval_labels.of_metric("bounds", metric(name))
        assert (row.pairs == interval_labels.KINDS["bounds"].pairs) is more
        assert (row.deeper == interval_labels.MAY_GROW) is grows


def test_what_is_left_does_not_depend_on_what_was_asked_before():
    """Sums that were kept of one pool depth or number of judgments are not taken for those of another."""
    draw = random.Random(5)
    runs = {
        f"s{n}": {t: {d: -float(rank) for rank, d in enumerate(draw.sample("abcdefgh", 6))} for t in ("t", "u")}
        for n in range(4)
    }
    qrels = {t: {d: draw.randint(0, 1) for s in runs for d in list(runs[s][t])[:3]} for t in ("t", "u")}
    once = small_study(runs, qrels, pooled="all", pool_depth=3)
    for cut in ({"judgments": 1}, {"judgments": 2}, {"depth": 1}, {"depth": 2}, {"judgments": 3}, {"depth": 3}):
        fresh = small_study(runs, qrels, pooled="all", pool_depth=3)
        ends = [certain_ends(study, Regime(metric="P@5", **cut), "all") for study in (once, fresh)]
        assert np.array(ends[0]).tolist() == np.array(ends[1]).tolist()
