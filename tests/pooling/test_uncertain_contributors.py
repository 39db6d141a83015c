"""Pools that are inferred: in which order of the runs they were formed, who is in doubt, and what depends on that
(METHODS 2.7)."""

import contextlib
import math
import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import evalcore
from evalcore import QUESTIONS
from evalcore.collection import contributor_draws, pool_inference
from evalcore.collection import pool as pool_ranks
from evalcore.large.open_blocked import open_blocks
from evalcore.pooling import uncertain_contributors
from evalcore.questions.judgments import count_of_holes
from evalcore.questions.requirements import pool_known
from evalcore.study import study_pool
from evalcore.study.run_order import Fit
from evalcore.vocabulary.validation import NotKnown
from tests.oracles import uncertain_contributors as oracle
from tests.small import small_study
from ui.report.report import formed

TOPICS = [str(number) for number in range(1, 9)]


def range_of(facts):
    """The least and the most of the range that a finding gives, or None."""
    ends = [[value for name, value in facts.items() if name.endswith(end)] for end in ("_from", "_to")]
    return tuple(end[0] for end in ends) if all(ends) else None


def test_the_findings_of_one_page_name_their_ranges_apart():
    """Judgments joins what two questions find; facts of one name would contradict each other."""
    names = [
        re.findall(r"{(\w+)", text) for text in (row.figure_range for row in evalcore.QUESTIONS.values() if row.figure)
    ]
    assert len({name for pair in names for name in pair}) == 2 * len(names)


def pooled_track(contributing=5, others=3, depth=4, length=8, seed=1):
    """Runs of which the first formed a pool, and its judgments, of which every third is relevant."""
    rng = np.random.default_rng(seed)
    runs = {}
    for s in range(contributing + others):
        order = {t: rng.permutation(40)[:length] for t in TOPICS}
        runs[f"s{s}"] = {t: {f"d{n:02}": float(length - k) for k, n in enumerate(ns)} for t, ns in order.items()}
    pool = {t: {D for s in range(contributing) for D in list(runs[f"s{s}"][t])[:depth]} for t in TOPICS}
    return runs, {t: {D: int(int(D[1:]) % 3 == 0) for D in sorted(of)} for t, of in pool.items()}


# ---------------------------------------------------------------- who is in doubt


def test_a_figure_is_given_between_the_least_and_the_most():
    runs, qrels = pooled_track()
    runs["copy"] = {t: dict(run) for t, run in runs["s0"].items()}
    study = small_study(runs, qrels)
    for question in ("leave_out", "pool_audit", "judgment_health"):
        figures = [QUESTIONS[question].figure(evalcore.ask(study, question).table)]
        for possible in uncertain_contributors.possible_studies(study):
            names = list(np.array(study.systems)[possible.whole.pooled])
            told = small_study(runs, qrels, pooled=names, pool_depth=study.depth)
            figures.append(QUESTIONS[question].figure(evalcore.ask(told, question).table))
        facts = evalcore.ask(study, question).finding.facts
        if max(figures) > min(figures):
            ends = min(figures), max(figures)
            if question == "judgment_health":  # of missing relevant documents, 5% further out
                ends = math.floor(0.95 * ends[0]), math.ceil(1.05 * ends[1])
            assert range_of(facts) == pytest.approx(ends)
        else:
            assert range_of(facts) is None
    assert evalcore.ask(study, "scores", depth=1).finding.facts["systems"] == list(study.systems)
    loss = range_of(evalcore.ask(study, "leave_out").finding.facts)
    assert loss[0] < loss[1]  # without the copy, s0 loses what both have


def test_no_range_is_given_where_the_contributors_are_named():
    runs, qrels = pooled_track()
    study = small_study(runs, qrels, pooled=["s0", "s1", "s2", "s3", "s4"])
    assert not [*uncertain_contributors.possible_studies(study)]
    assert range_of(evalcore.ask(study, "leave_out").finding.facts) is None


def test_a_system_that_is_said_not_to_have_contributed_did_so_in_no_draw():
    study = small_study(*pooled_track()).without_contribution_of(["s1"])
    assert not any(
        one.whole.pooled[study.systems.index("s1")] for one in uncertain_contributors.possible_studies(study)
    )
    table = evalcore.ask(study, "systems").table.set_index("system")
    assert table.probability["s1"] == 0 < table.probability["s0"]


def test_a_topic_with_few_holes_has_the_usual_depth_in_half_of_the_possible_studies():
    """23 of the 24 documents of its pool are judged. In the others, its depth is as where they are named."""
    runs, qrels = pooled_track(contributing=10, others=4)
    del qrels["1"]["d04"]
    study = small_study(runs, qrels)
    topic = study.track.topics.index("1")
    for nth, one in enumerate(uncertain_contributors.possible_studies(study)):
        named = small_study(runs, qrels, pooled=list(np.array(study.systems)[one.whole.pooled])).pooling
        depth = named.depth_of_topic[topic] if nth % 2 else 4
        assert (one.pooling.depth, one.pooling.depth_of_topic[topic]) == (4, depth)
        assert nth % 2 == 0 or depth < 4


def test_a_run_that_ranks_judged_documents_only_is_no_contributor():
    runs, qrels = pooled_track()
    runs["reranked"] = {t: {D: float(n) for n, D in enumerate(sorted(of))} for t, of in qrels.items()}
    study = small_study(runs, qrels)
    assert study.depth == 4
    assert "reranked" not in [s for s, is_in in zip(study.systems, study.track.pooled, strict=True) if is_in]
    assert study.pooling.doubtful == ("reranked",)
    short = {t: dict(list(run.items())[:5]) for t, run in runs["s0"].items()}  # too short to show anything
    study = small_study(runs | {"s0": short}, qrels)
    assert study.track.pooled[study.systems.index("s0")]


def test_a_run_that_was_fused_here_was_not_pooled():
    study = small_study(*pooled_track())
    before = evalcore.ask(study, "pool_audit")
    after = evalcore.ask(study.with_fused("fused", k=4), "pool_audit")
    assert before.finding.facts["contributing"] == after.finding.facts["contributing"] == 5
    assert not after.finding.facts["others"]
    assert not after.table.set_index("system").looks_pooled["fused"]


# ---------------------------------------------------------------- what is not known


def test_where_nothing_shows_the_contributors_the_reason_is_that_no_rank_separates_them():
    runs, qrels = pooled_track(contributing=8, others=0, depth=8)
    (said,) = [one.message for one in small_study(runs, qrels).findings if one.check == "who contributed"]
    assert said.startswith(
        "Cannot determine which systems contributed to the pool: "
        "no rank separates contributing systems from the others. "
    )
    notes = evalcore.ask(small_study(runs, qrels), "pool_audit").notes  # they are judged to a common depth, all of them
    assert "no rank separates contributing systems from the others." in notes[0]


def test_who_is_only_assumed_to_have_contributed_is_not_said_to_have():
    runs, qrels = pooled_track(contributing=8, others=0, depth=8)
    told = {
        how: evalcore.ask(small_study(*track, pooled=pooled), "systems").finding
        for how, track, pooled in (
            ("assumed", (runs, qrels), None), ("named", (runs, qrels), "all"), ("inferred", pooled_track(), None),
        )
    }  # fmt: skip
    assert "contributed" not in str(told["assumed"])
    assert "contributed" in told["named"].headline
    assert "5 seem to have contributed" in told["inferred"].headline
    assert [len(told[how].caveats) for how in ("assumed", "inferred", "named")] == [1, 1, 0]


def test_qrels_of_relevant_documents_show_no_pool():
    runs, qrels = pooled_track()
    only = {t: {D: 1 for D, grade in of.items() if grade} for t, of in qrels.items()}
    for judged, known in ((qrels, True), (only, False)):
        assert pool_inference.relevant_only(small_study(runs, judged).judgments) != known
        for pooled in (None, ["s0", "s1", "s2", "s3", "s4"]):
            assert small_study(runs, judged, pooled=pooled).pooling.known == known
    study = small_study(runs, only, pooled=["s0"])
    with pytest.raises(NotKnown, match="qrels contain only relevant documents, so the pool depth is unknown"):
        pool_known(study)
    assert "the qrels contain only relevant documents" in small_study(runs, only).findings[-1].message
    assert small_study(runs, only, pooled=["s0"], pool_depth=4).pooling.known  # said by somebody


def test_topics_whose_depth_is_not_known_do_not_count_as_outside_the_pool():
    runs, qrels = pooled_track()
    elsewhere = {f"old{n}": {f"e{m}": m % 2 for m in range(30)} for n in range(4)}
    runs = {s: run | {t: {f"e{s}{k}": 9.0 - k for k in range(8)} for t in elsewhere} for s, run in runs.items()}
    qrels = {t: of | {"beyond": 0} for t, of in qrels.items()} | elsewhere
    study = small_study(runs, qrels)
    depths = dict(zip(study.track.topics, study.pooling.depth_of_topic.tolist(), strict=True))
    assert {t: depths[t] for t in elsewhere} == dict.fromkeys(elsewhere, 0)
    known = [t for t in qrels if depths[t]]
    pool = {(t, D) for s in range(5) for t in known for D in list(runs[f"s{s}"][t])[: depths[t]]}
    judged = {(t, D) for t in known for D in qrels[t]}
    assert study_pool.unexplained(study) == pytest.approx(len(judged - pool) / len(judged))
    assert any("known pool depth" in caveat for caveat in evalcore.ask(study, "pool_audit").finding.caveats)


def test_the_share_outside_an_unknown_pool_is_that_of_the_depth_that_is_asked_for():
    runs = {f"s{n}": {t: {f"u{n}": 3.0, f"a{n}": 2.0, f"v{n}": 1.0} for t in TOPICS} for n in range(3)}
    qrels = {t: {f"a{n}": 1 for n in range(3)} | {f"b{n}": 0 for n in range(5)} for t in TOPICS}
    study = small_study(runs, qrels, pooled="all")
    assert not study.pooling.depth_known
    assert np.isnan(study_pool.unexplained(study))
    said = {depth: evalcore.ask(study, "leave_out", metric="P@2", depth=depth).finding for depth in (1, 2)}
    assert said[2].facts["unexplained"] == pytest.approx(5 / 8)  # a0, a1 and a2 are at rank 2
    assert any("62%" in caveat for caveat in said[2].caveats)
    assert "unexplained" not in said[1].facts  # no system loses anything


# ---------------------------------------------------------------- the order of the pool


def two_orders(tmp_path, *, pooled_by):
    """Files whose rank column and scores disagree, and a pool that was formed by one of them."""
    rng = np.random.default_rng(3)
    ranked = {s: {t: [f"d{n:02}" for n in rng.permutation(40)[:8]] for t in TOPICS} for s in "abcdefgh"}
    scored = {s: {t: list(rng.permutation(of)) for t, of in run.items()} for s, run in ranked.items()}
    by = {"rank": ranked, "score": scored}
    pool = {t: {D for s in "abcde" for D in by[pooled_by][s][t][:4]} for t in TOPICS}
    for s, run in ranked.items():
        lines = [
            f"{t} Q0 {D} {k + 1} {8 - scored[s][t].index(D)} {s}" for t, of in run.items() for k, D in enumerate(of)
        ]
        (tmp_path / f"{s}.run").write_text("\n".join(lines) + "\n")
    judged = [f"{t} 0 {D} {int(D[1:]) % 2}" for t, of in pool.items() for D in sorted(of)]
    (tmp_path / "qrels.txt").write_text("\n".join(judged) + "\n")
    return by, pool


@pytest.mark.parametrize("pooled_by", ["score", "rank"])
@pytest.mark.parametrize("order", ["score", "rank"])
@pytest.mark.parametrize("told", [False, True])
def test_the_pool_is_taken_in_the_order_that_fits(tmp_path, pooled_by, order, told):
    by, pool = two_orders(tmp_path, pooled_by=pooled_by)
    files = [tmp_path / f"{s}.run" for s in "abcdefgh"]
    named = list("abcde") if told else None
    study = evalcore.open_study(files, tmp_path / "qrels.txt", order=order, pooled=named, cache=False)
    assert study.pooling.order == pooled_by
    assert study.depth == 4
    assert [s for s, is_in in zip(study.systems, study.track.pooled, strict=True) if is_in] == list("abcde")
    best = {}
    for s in "abcde":
        for t, of in by[pooled_by][s].items():
            for k, D in enumerate(of):
                best[t, D] = min(k, best.get((t, D), k))
    items = range(1, study.track.size)
    topics = [study.track.topics[t] for t in study.track.topic_of_item[1:]]
    ranks = zip(topics, study.track.documents(items), study.pool_rank[1:].tolist(), strict=True)
    assert {(t, D): rank for t, D, rank in ranks if rank < pool_ranks.NEVER} == best
    # the rankings themselves stay in the order that was asked for
    first = study.track.documents(study.track.items[0, :, 0])
    assert list(first) == [by[order]["a"][t][0] for t in TOPICS]
    assert evalcore.ask(study, "holes").table.empty
    said = [one for one in study.findings if one.check in ("order of the pool", "who contributed")]
    assert {one.check: one.count for one in said} == {"order of the pool": 1, "who contributed": 5}
    said = [one for one in said if one.check == "order of the pool"]
    full, holes = oracle.fit(by[pooled_by], pool, set("abcde"), TOPICS, 4)
    assert f"{full} of 8 systems are fully judged to rank 4, with {holes} unjudged" in said[0].message
    if told:  # else the other order has other contributors
        full, holes = oracle.fit(by["rank" if pooled_by == "score" else "score"], pool, set("abcde"), TOPICS, 4)
        assert f"by the latter, {full}, with {holes}. " in said[0].message
    assert said[0].severity == "note"
    assert ("To score runs as they were pooled" in said[0].message) == (order != pooled_by)
    audit = evalcore.ask(study, "pool_audit")
    assert audit.params["order"] is None
    assert audit.table.looks_pooled.tolist() == [True] * 5 + [False] * 3
    fused = evalcore.ask(study.with_fused("all", method="rbc(phi=0.9)"), "leaderboard").table
    plain = evalcore.open_study(files, tmp_path / "qrels.txt", order=order, pooled="all", pool_depth=8, cache=False)
    assert fused.value.max() == pytest.approx(
        evalcore.ask(plain.with_fused("all", method="rbc(phi=0.9)"), "leaderboard").table.value.max()
    )


@pytest.mark.parametrize(
    ("full", "holes", "other_full", "other_holes", "better"),
    [
        (5, 9, 2, 9, True),  # three full systems more
        (4, 9, 2, 9, False),
        (44, 9, 40, 9, True),  # and a tenth of the others
        (43, 9, 40, 9, False),
        (5, 0, 5, 10, True),  # ten holes fewer
        (5, 0, 5, 9, False),
        (5, 20, 5, 40, True),  # and half of them
        (5, 21, 5, 40, False),
        (8, 10, 2, 9, False),  # worse by the other count
        (1, 0, 2, 40, False),
    ],
)
def test_an_order_fits_clearly_better(full, holes, other_full, other_holes, better):
    assert Fit(4, full, holes).better(Fit(4, other_full, other_holes)) == better


def test_where_both_orders_fit_alike_the_own_one_is_taken_and_nothing_is_said():
    study = small_study(*pooled_track())
    assert study.pooling.order == "score"
    assert not [one for one in study.findings if one.check == "order of the pool"]


def test_the_audit_does_not_call_its_own_guess_a_fact(tmp_path):
    two_orders(tmp_path, pooled_by="rank")
    study = evalcore.open_study([tmp_path / f"{s}.run" for s in "abcdefgh"], tmp_path / "qrels.txt", cache=False)
    for order in (None, "score", "rank"):
        answer = evalcore.ask(study, "pool_audit", order=order)
        assert answer.finding.facts["contributing"] == study.track.pooled.sum()
        assert "seem to have contributed" in answer.finding.headline
        assert not any(note.startswith(("Pooled, though", "Not pooled, though")) for note in answer.notes)


# ---------------------------------------------------------------- one number of contributors


def how_many(words):
    """How many systems of how many a text says to have contributed: (5, 8)."""
    return [(int(some), int(of)) for some, of in re.findall(r"(\d+) of (\d+) systems", words)]


def questions_that_count_contributors(study):
    """What each says: of the questions whose sentences have a number of contributors, of the report, and of Data."""
    asked = [name for name, row in evalcore.QUESTIONS.items() if row.of_pool or name == "systems"]
    for name in asked:
        with contextlib.suppress(ValueError):  # refused, or about something that the study lacks
            told = evalcore.ask(study, name, **({"depths": [2]} if name == "pool" else {})).finding
            yield from (line for line in (told.headline, *told.caveats) if "contribut" in line)
    yield from (one.message for one in study.findings if one.check == "who contributed")
    yield formed(study)


@pytest.mark.parametrize("how", ["inferred", "named", "named otherwise", "by depth", "fused"])
def test_every_question_counts_the_same_contributors(how):
    """Also where the judgments look as if it were others."""
    runs, qrels = pooled_track()
    named = {"named": [f"s{n}" for n in range(5)], "named otherwise": ["s0", "s1", "s2", "s6"]}.get(how)
    study = small_study(runs, qrels, pooled=named, pool_depth=2 if how == "by depth" else None)
    study = study.with_fused("fused", k=4, pooled=True) if how == "fused" else study
    pooled = int(study.whole.pooled.sum())
    said = list(questions_that_count_contributors(study))
    counted = [count for line in said for count in how_many(line)]
    assert counted
    assert len(said) >= 4
    opened = {(5, 8)} if how == "fused" else set()  # what was found when the files were opened, before it was fused
    assert set(counted) - opened == {(pooled, len(study.systems))}, said
    audit = evalcore.ask(study, "pool_audit")
    looks, is_pooled = audit.table["looks_pooled"], audit.table["pooled"]
    odd = audit.table["system"][looks != is_pooled]
    assert bool(len(odd)) == (how in ("named otherwise", "fused"))
    assert all(name in audit.finding.detail for name in odd[:1])
    assert audit.finding.facts["others"] == list(audit.table["system"][looks & ~is_pooled])
    assert audit.finding.facts["unlike"] == list(audit.table["system"][is_pooled & ~looks])


# ---------------------------------------------------------------- on a real track


def inferred(study):
    """The contributing systems and the pooling that a study of all systems shows."""
    found = pool_inference.from_files(study.leads, study.systems)
    return contributor_draws.drawn(study.track, study.judgments, study.leads, *found)


def plain_opened(folder, systems, topics, told):
    """The study of some systems and topics of a track, as if there were no others."""
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt").only(systems=systems, topics=topics)
    rows = [line.split("\t") for line in (folder / "systems.tsv").read_text().splitlines()[1:]]
    pooled = {words[0] for words in rows if words[3] == "1"}
    shown = inferred(study)
    if told:
        contributes = np.isin(study.systems, list(pooled))
        shown = contributes, pool_inference.from_contributors(study.leads, contributes)
    track = replace(study.track, pooled=shown[0])
    return replace(study, track=track, whole=track, whole_judgments=study.judgments, pooling=shown[1], by_rank=None,
                   scope={})  # fmt: skip


@pytest.mark.real
def test_a_deep_learning_track_was_pooled_by_the_rank_column():
    if "POOLSCOPE_DATA" not in os.environ:
        pytest.skip("POOLSCOPE_DATA does not name the folder of real tracks")
    folder = Path(os.environ["POOLSCOPE_DATA"]) / "dl21-passage"
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt")
    judged, systems = {}, list(study.systems)
    for line in (folder / "qrels.txt").read_text().splitlines():
        topic, _, document, _ = line.split()
        judged.setdefault(topic, set()).add(document)
    fits = {}
    for order in ("score", "rank"):
        track = study.ordered_by(order).track
        names = np.array(["", *track.documents(range(1, track.size))], object)
        runs = {
            s: {q: [D for D in names[track.items[n, i, :10]] if D] for i, q in enumerate(track.queries) if q in judged}
            for n, s in enumerate(systems)
        }
        ordered = study.ordered_by(order)
        shown = pool_inference.from_files(ordered.leads, ordered.systems)[0]
        fits[order] = oracle.fit(runs, judged, set(np.array(systems)[shown]), list(judged), 10)
    assert fits["rank"][0] > fits["score"][0]
    assert study.pooling.order == "rank"
    (said,) = [one for one in study.findings if one.check == "order of the pool"]
    (full, holes), (full_by_score, holes_by_score) = fits["rank"], fits["score"]
    assert f"{full} of {len(systems)} systems are fully judged to rank 10, with {holes} unjudged" in said.message
    assert f"by the latter, {full_by_score}, with {holes_by_score}." in said.message
    assert said.severity == "note"


@pytest.mark.real
def test_figures_for_known_contributors_lie_in_the_range_given_for_inferred_ones():
    """TREC-COVID round 1, and ten slices of it, whose systems and topics were drawn at random."""
    if "POOLSCOPE_DATA" not in os.environ:
        pytest.skip("POOLSCOPE_DATA does not name the folder of real tracks")
    folder, inside, asked = Path(os.environ["POOLSCOPE_DATA"]) / "trec-covid-r1", 0, 0
    whole = evalcore.open_study(folder / "runs", folder / "qrels.txt")
    for seed in range(-1, 10):
        rng, systems, topics = np.random.default_rng(seed + 100), None, None
        if seed >= 0:
            systems, topics = (
                [names[n] for n in sorted(rng.choice(len(names), rng.integers(least, len(names) + 1), replace=False))]
                for names, least in ((whole.systems, 40), (whole.topics, 12))
            )
        told, found = (plain_opened(folder, systems, topics, told) for told in (True, False))
        for question in ("leave_out", "pool_audit", "holes", "judgment_health"):
            figure = QUESTIONS[question].figure or count_of_holes
            known = figure(evalcore.ask(told, question).table)
            answer = evalcore.ask(found, question)
            facts, own = answer.finding.facts, figure(answer.table)
            least, most = range_of(facts) or (own, own)
            if question == "holes":  # whose range is not shown
                possible = [own]
                for one in uncertain_contributors.possible_studies(found):
                    possible.append(figure(evalcore.ask(one, question).table))
                least, most = min(possible), max(possible)
            is_inside = least - 1e-9 <= known <= most + 1e-9
            assert is_inside or seed >= 0
            inside, asked = inside + is_inside, asked + 1
    assert inside >= 0.85 * asked


@pytest.mark.parametrize("pooled_by", ["score", "rank"])
def test_blocks_take_the_same_order(tmp_path, pooled_by):
    two_orders(tmp_path, pooled_by=pooled_by)
    files, qrels = [tmp_path / f"{s}.run" for s in "abcdefgh"], tmp_path / "qrels.txt"
    one = evalcore.open_study(files, qrels, cache=False)
    several = open_blocks(files, qrels, topics=3, cache=tmp_path / "cache")
    assert several.pooling.order == one.pooling.order == pooled_by
    assert several.pool_rank[several.judgments.pooled_items].tolist() == (
        one.pool_rank[one.judgments.pooled_items].tolist()
    )
    for question in ("holes", "leave_out", "judgment_health"):
        ours, theirs = (evalcore.ask(study, question) for study in (one, several))
        assert ours.finding == theirs.finding
    for check in ("who contributed", "order of the pool"):
        ours, theirs = ([found for found in study.findings if found.check == check] for study in (one, several))
        assert ours == theirs
