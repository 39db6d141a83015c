"""The views of judgments, second judgments and what to judge next: findings that are true, and their figures."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore
from evalcore import QUESTIONS
from evalcore.answers import Answer
from evalcore.collection.pool_inference import Pooling
from evalcore.findings import FINDINGS, judges
from evalcore.findings.conclusion import Conclusion
from evalcore.study import study_pool
from tests.small import small_study
from ui.text import interval_labels
from ui.views import VIEWS, theme
from ui.views.judgments import tiles_of

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]


def answer(question, table, **params):
    return Answer(table, question, params, (), "", (), {}, {})


def finding(question, table, systems=10, depths=(10, 10, 10), grades=(1, 1), **asked):
    """The finding of a table. systems, depths : how many the study has, and of the pool of its topics; grades : the
    highest of its judgments and of the second ones"""
    judgments, other = (SimpleNamespace(scale=SimpleNamespace(g_max=highest)) for highest in grades)
    options = {"order": "score", "rel_level": 1, "other_rel_level": None}
    study = SimpleNamespace(
        systems=["s"] * systems, options=options, depth=10, judged_topics=np.arange(len(depths)),
        pooling=Pooling(10, np.array(depths), "named"), whole=SimpleNamespace(pooled=np.ones(systems, bool)),
        judgments=judgments, other=other, judges={},
    )  # fmt: skip
    return FINDINGS[question](table, QUESTIONS[question].parameters | asked, study)


def health(relevant=(3, 0), missing=(0.2, NAN)):
    return pd.DataFrame({"relevant": relevant, "still_missing": missing, "judged": 10})


def audited(looks=(True, False), pooled=(True, False)):
    table = pd.DataFrame({"system": list("ab"), "looks_pooled": looks, "pooled": pooled})
    return table.assign(unique_relevant=[1, 0], holes=0)


def holes(*documents):
    return pd.DataFrame({"topic": "1", "document": list(documents), "system": "a"})


def suspected(*kinds):
    return pd.DataFrame({"kind": list(kinds)})


# Judgments


CANNOT = "cannot be estimated"


@pytest.mark.parametrize(
    ("table", "facts", "words"),
    [
        (health(), {"missing": 0, "found": 3, "untold": 1, "without": 1}, ["No relevant", "for 1 of 2 topics"]),
        (health((3, 4), (2.6, 0.2)), {"missing": 3, "found": 7, "without": 0}, ["About 3 relevant documents"]),
        (health((1, 1), (0.9, 0.0)), {"missing": 1, "found": 2}, ["About 1 relevant document "]),
        (health((0, 4), (NAN, NAN)), {"without": 1}, [CANNOT, "1 topic has no relevant document"]),
        (health((0, 0), (NAN, NAN)), {"without": 2}, [CANNOT, "2 topics have no relevant document"]),
        (health((), ()), {"without": 0}, [CANNOT]),
    ],
)  # fmt: skip
def test_what_may_be_missing(table, facts, words, monkeypatch):
    monkeypatch.setattr(study_pool, "unexplained", lambda study: 0.4)
    told = finding("judgment_health", table)
    assert told.facts.items() >= facts.items()
    assert [word for word in words if word not in str(told)] == []
    assert not told.caveats
    monkeypatch.setattr(study_pool, "unexplained", lambda study: 0.918)
    assert bool(finding("judgment_health", table).caveats) == (CANNOT not in words)


def test_a_pool_of_single_documents_does_not_tell_what_it_did_not_meet():
    runs = {f"s{i}": {topic: {"d": 2.0, f"e{i}": 1.0} for topic in "123"} for i in range(3)}
    qrels = {topic: {"d": 1, "e1": 1} for topic in "123"}
    deep = small_study(runs, qrels, pooled="all", pool_depth=2)
    assert evalcore.ask(deep, "judgment_health").table["still_missing"].notna().all()
    for study, why in (
        (small_study(runs, qrels, pooled="all", pool_depth=1), "because a pool of depth 1 does not allow an estimate"),
        (small_study(runs, qrels), "because the files do not show which systems contributed to the pool"),
        (deep.without_contribution_of(list(runs)), "because no system is known to have contributed to the pool"),
    ):
        answer = evalcore.ask(study, "judgment_health")
        assert answer.table[["coverage", "still_missing"]].isna().all(axis=None)
        assert f"{CANNOT}, {why}." in answer.finding.headline
        assert f"The column “still_missing” is empty {why}." in answer.notes


WITNESSES = {f"s{i}": {"1": {f"{'good' if i < 6 else 'bad'}": 2.0, f"own{i}": 1.0}} for i in range(10)}


@pytest.mark.parametrize(
    ("judged", "asked", "facts", "words"),
    [
        ({"good": 1, "bad": 0, "own1": 0}, {}, {"not_relevant": 0, "popular": 1}, "No judgment"),
        ({"own0": 2, "own1": 1, "own9": 1, "bad": -1}, {"k": 1}, {"popular": 0}, ""),
        ({"good": 0, "bad": 1}, {"kind": "not relevant"}, {"not_relevant": 1, "total": 1}, "1 judgment deserves"),
        ({"good": 0, "bad": 1}, {"kind": "not relevant", "top": 1}, {"not_relevant": 1}, "At least 1 judgment "),
        ({"good": 1}, {"kind": "relevant"}, {"relevant": 0, "total": 0}, "No judgment"),
        ({"own7": 1, "own8": 1, "good": 1}, {"kind": "relevant"}, {"relevant": 2}, "2 judgments deserve"),
    ],
)  # fmt: skip
def test_judgments_that_look_wrong(judged, asked, facts, words):
    told = evalcore.ask(small_study(WITNESSES, {"1": judged}, pooled="all"), "suspects", **asked).finding
    assert told.facts.items() >= facts.items()
    assert words in told.headline


def test_contradictions_are_counted():
    table = suspected("contradiction")
    told = finding("suspects", table, kind="contradiction")
    assert told.facts.items() >= {"contradiction": 1, "total": 1}.items()
    assert "two sets" in told.detail
    assert "At least" in finding("suspects", table, kind="contradiction", top=1).headline


def test_few_systems_cannot_question_a_judgment():
    assert "With 5 systems, no judgment can" in finding("suspects", suspected("not relevant"), systems=5).headline
    alone = finding("suspects", suspected("relevant"), systems=1, kind="relevant")
    assert "With 1 system, no judgment can" in alone.headline
    told = finding("suspects", suspected("relevant", "contradiction"), systems=5)
    assert told.facts.items() >= {"contradiction": 1, "total": 1}.items()
    assert "relevant" not in told.facts


def test_holes_are_counted_by_document():
    def told(*documents, **asked):
        one = finding("holes", holes(*documents), **asked)
        where = "each topic" if "each topic" in one.headline else "rank"
        return one.facts["holes"], one.facts["depth"], where, one.facts.get("unknown"), len(one.caveats)

    assert told() == (0, 10, "rank", None, 0)
    assert "no holes" in finding("holes", holes()).headline
    assert told(*"xxy", depth=5) == (2, 5, "rank", None, 0)
    assert told("x", depths=(10, 7, 10)) == (1, 10, "each topic", None, 0)
    assert told("x", depths=(10, 7, 0, 0)) == (1, 10, "each topic", 2, 1)
    assert told("x", depths=(10, 0, 0)) == (1, 10, "rank", 2, 1)
    assert told("x", depths=(10, 7, 0, 0), depth=5) == (1, 5, "rank", None, 0)


def test_judged_and_in_no_run():
    assert "Every judged document" in finding("unretrieved", pd.DataFrame({"grade": []})).headline
    assert "1 judged document is" in finding("unretrieved", pd.DataFrame({"grade": [0]})).headline
    several = finding("unretrieved", pd.DataFrame({"grade": [0, 2, 1]}))
    assert several.facts == {"documents": 3, "relevant": 2}


def test_the_audit(monkeypatch):
    def audit(*looks_pooled, outside=0.0, **more):
        monkeypatch.setattr("evalcore.study.study_pool.unexplained", lambda study: outside)
        return finding("pool_audit", audited(*looks_pooled), systems=2, **more)

    told = audit((True, True), (True, True), outside=0.25)
    facts = {"systems": 2, "contributing": 2, "depth": 10, "alone": 1}
    assert told.facts == facts | {"unexplained": 0.25, "others": [], "unlike": []}
    assert told.headline == "2 of 2 systems contributed to the pool, of depth 10."
    assert told.detail.endswith("by only one system.")
    assert ["25%" in caveat for caveat in told.caveats] == [True]
    for looks, pooled, odd in (
        ((True, True), (True, False), "By the judgments alone, b would be counted, too."),
        ((True, False), (True, True), "By the judgments alone, b would not be counted."),
        ((False, True), (True, False), "By the judgments alone, b would be counted, too, but not a."),
        ((False, False), (True, True), "By the judgments alone, no system would be counted."),
    ):
        told = audit(looks, pooled)
        assert told.headline == "2 of 2 systems contributed to the pool, of depth 10."  # as all pages say
        assert told.detail.endswith(f"by only one system. {odd}")
    assert audit((True, False), (True, True), order="rank").detail.endswith("By rank, b would not be counted.")
    told = audit((True, True), (True, True), depths=(10, 0, 10))
    assert told.facts["alike"] == 2
    assert len(told.caveats) == 1
    monkeypatch.setattr(Pooling, "known", property(lambda pooling: False))  # then nothing lies outside of it
    assert "unexplained" not in audit((True, True), (True, True)).facts


def test_numbers_of_judgments():
    several, none = answer("judgment_health", health()), answer("judgment_health", health()[:0])
    audit, unknown = answer("pool_audit", audited()), answer("pool_audit", audited())
    audit = replace(audit, finding=Conclusion("25% lie outside.", facts={"unexplained": 0.25}))
    told = tiles_of(several, answer("holes", holes("x", "x")), audit)
    assert [value for _, value, _ in told] == ["20", "3", "1", "25%"]
    assert [value for _, value, _ in tiles_of(none, None, unknown)] == ["0", "0", "0", "–"]
    unseen = answer("pool_audit", audited().assign(holes=NAN))
    assert [value for _, value, _ in tiles_of(several, None, unseen)] == ["20", "3", "–", "–"]


# Second judgments


AGREED = {"topic": "all", "both": 200, "first_alone": 0, "second_alone": 1200, "same": 100, "kappa": 0.35}
AGREED |= {"relevant": 62, "relevant_other": 70, "relevant_both": 43, "overlap_relevant": 43 / 89, "shift": -0.2}


def agreed(*, level=None, grades=(1, 1), **more):
    """The finding of `agreement`."""
    return finding("agreement", pd.DataFrame([AGREED | more]), rel_level=level, grades=grades)


def test_agreement():
    told = agreed()
    facts = {"same": 0.5, "both": 200, "kappa": 0.35, "relevant_both": 43, "first_only": 19, "others": 27}
    assert told.facts.items() >= facts.items()
    assert "the grade" in told.headline
    assert "the relevance" in agreed(level=1).headline
    assert "κ" not in agreed(kappa=NAN).headline
    assert "Neither" in agreed(relevant=0, relevant_both=0, relevant_other=0, overlap_relevant=NAN).detail
    assert agreed(relevant=0, relevant_both=0, overlap_relevant=0).facts["others"] == 70
    assert not told.caveats
    assert not agreed(level=2, grades=(3, 1)).caveats
    assert ["up to 3" in caveat for caveat in agreed(grades=(3, 1)).caveats] == [True]


def test_grades_that_differ():
    table = pd.DataFrame({"grade": [0, 0, 1, 1], "grade_other": [0, 1, 0, 1], "count": [5, 2, 1, 4]})
    told = finding("confusion", table)
    assert "3 of 12" in told.headline
    assert told.facts.items() >= {"grade": 0, "grade_other": 1, "count": 2}.items()
    assert "2 of 4" in finding("confusion", table.assign(count=1)).headline
    assert not finding("confusion", table.assign(count=1)).detail  # two differ equally often
    assert not finding("confusion", table.assign(count=[1, 0, 0, 0])).detail


@pytest.mark.parametrize(
    ("ranks", "facts"),
    [
        (([1, 2, 3], [1, 3, 2]),
         {"moving": 2, "climbers": ["c"], "climbers_places": 1, "fallers": ["b"], "fallers_places": 1}),
        (([1, 2, 3], [3, 1, 2]),
         {"moving": 3, "climbers": ["b", "c"], "climbers_places": 1, "fallers": ["a"], "fallers_places": 2}),
        (([1, 1, 3], [1, 2, 3]), {"moving": 1, "fallers": ["b"], "fallers_places": 1}),
        (([1, 2, 3], [1, 2, 3]), {"moving": 0}),
        (([1, 2, 3], [NAN] * 3), {"moving": 0, "systems": 0}),
    ],
)  # fmt: skip
def test_what_second_judgments_change(monkeypatch, ranks, facts):
    monkeypatch.setattr(judges, "judged_by_one", lambda study: 1200)
    monkeypatch.setattr(judges, "of_two_sets", lambda study: [])
    table = pd.DataFrame({"system": list("abc"), "rank": ranks[0], "rank_other": ranks[1]})
    told = finding("agreement_effect", table, metric="AP")
    assert told.facts == {"metric": "AP", "systems": 3, "alone": 1200} | facts
    assert ["1,200" in caveat for caveat in told.caveats] == [True]
    assert ("No system" in told.headline) == (not facts["moving"])


def test_topics_that_one_of_the_two_does_not_judge_are_said_to_be_left_out():
    runs = {"a": {"t": {"x": 1.0}, "u": {"y": 1.0}}, "b": {"t": {"z": 1.0}, "u": {"y": 1.0}}}
    study = small_study(runs, {"t": {"x": 1, "z": 0}, "u": {"y": 1}})
    for second, caveats in (("t 0 x 0\nt 0 z 1\n", [True]), ("t 0 x 0\nt 0 z 1\nu 0 y 1\n", [])):
        other = evalcore.Upload("other.txt", second.encode())
        told = evalcore.ask(study, "agreement_effect", metric="P@1", other=other).finding
        assert told.facts["moving"] == 2
        assert ["1 topic" in caveat for caveat in told.caveats if "topic" in caveat] == caveats


@pytest.mark.parametrize(
    ("pooled", "words"), [(["a", "b"], "2 of 2 systems contributed"), (["a"], "1 of 2 systems contributed"), (None, "")]
)
def test_of_a_pool_that_is_named_and_not_seen_both_are_said(pooled, words):
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"z": 1.0}}}
    told = evalcore.ask(small_study(runs, {"t": {"x": 1}}, pooled=pooled), "pool_audit").finding
    assert words in told.headline
    assert ("no system would be counted" in told.detail) == bool(words) == ("do not show" not in told.headline)


@pytest.mark.parametrize("ranks", [([1, 2, 3], [1, 1, 1]), ([1, 1, 1], [3, 2, 1])])
def test_judgments_by_which_all_score_the_same_move_no_system(monkeypatch, ranks):
    monkeypatch.setattr(judges, "judged_by_one", lambda study: 0)
    monkeypatch.setattr(judges, "of_two_sets", lambda study: [])
    table = pd.DataFrame({"system": list("abc"), "rank": ranks[0], "rank_other": ranks[1]})
    for rows in (table, table[:2]):
        assert "same score" in finding("agreement_effect", rows, metric="AP").headline


# What to judge next


def test_what_to_judge_next():
    runs = {"s0": {"7": {"a": 2.0, "d": 1.0}}, "s1": {"7": {"d": 2.0, "e": 1.0}}, "s2": {"7": {"a": 1.0}}}
    study = small_study(runs, {"7": {"a": 0}})
    first, every = (evalcore.ask(study, "judge_next", metric="P@2", budget=n).finding for n in (1, 9))
    facts = {"document": "d", "topic": "7", "holders": 2, "top": 2, "can": pytest.approx(0.5)}
    assert first.facts.items() >= (facts | {"documents": 1, "removed": pytest.approx(1 / 3)}).items()
    assert every.facts.items() >= (facts | {"documents": 2, "removed": pytest.approx(0.5), "part": 1}).items()
    assert "1 document would" in first.headline
    assert "100%" in every.headline
    lucky = evalcore.ask(study, "judge_next", metric="nDCG@2", budget=1).finding
    assert "if it is not relevant" in lucky.headline
    assert ".333" in lucky.headline
    assert "is judged" in finding("judge_next", pd.DataFrame(columns=["topic", "document"]), metric="P@10").headline


def test_what_weighs_next_to_nothing_is_not_counted_in_zeros():
    """All that is judged is ranked above the only document that is not, at rank 151."""
    judged = [f"j{i:03}" for i in range(150)]
    runs = {name: {"7": {one: 999.0 - k for k, one in enumerate([*judged, "z"])}} for name in ("s0", "s1")}
    for more in ({}, {"s2": {"7": {judged[0]: 1.0}}}):
        told = evalcore.ask(small_study(runs | more, {"7": dict.fromkeys(judged, 1)}), "judge_next").finding
        assert "hardly" in told.headline
        assert ".000" not in str(told)
        assert told.facts.items() >= {"document": "z", "holders": 2, "top": 0}.items()
        assert "part" not in told.facts


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((12,), "which 1 system retrieved"), ((1, 2), "top 10 of 2 systems"), ((1, 10, 2), "top 10 of 3 systems"),
        ((1, 11, 2), "top 10 of 2 systems"), ((1, 11), "top 10 of 1 system."), ((11, 12), "which 2 systems retrieved"),
    ],
)  # fmt: skip
def test_the_first_to_judge_is_in_the_top_of_so_many(places, words):
    judged = [f"j{i:02}" for i in range(11)]
    runs = {}
    for n, place in enumerate(places):
        ranked = [*judged[: place - 1], "d"]
        runs[f"s{n}"] = {"7": {name: 99.0 - k for k, name in enumerate(ranked)}}
    told = evalcore.ask(small_study(runs, {"7": dict.fromkeys(judged, 1)}), "judge_next").finding
    assert told.facts.items() >= {"document": "d", "holders": len(places)}.items()
    assert words in told.detail


def test_orders_of_judging():
    table = pd.DataFrame({"order": ["depth", "weight"] * 2, "judgments": [10, 10, 20, 20], "relevant": [3, 5, 6, 6]})
    facts = {"judgments": 10, "first": ["weight"], "most": 5, "last": ["depth"], "fewest": 3}
    assert finding("judging_orders", table[:2]).facts == facts
    assert "equally many" in finding("judging_orders", table.assign(relevant=4)).headline
    three = finding("judging_orders", pd.DataFrame({"order": list("abc"), "judgments": 1, "relevant": [1, 1, 0]}))
    assert three.headline == "After 1 judgment, judging orders a and b have found the most relevant documents (1)."
    assert "c has found " in three.detail


# Pictures


def answers():
    """An answer of every question that has a figure, some of them long or empty."""
    for n in (0, 1, 6, 143):
        topics = (HOSTILE * 24)[:n]
        of_topics = {"topic": topics, "relevant": 3, "still_missing": [NAN, *[1.5] * n][:n]}
        yield answer("judgment_health", pd.DataFrame(of_topics)), {}
        names = [f"{HOSTILE[i % 6]}{i}" for i in range(n)]
        ranks = {"rank": range(1, n + 1), "rank_other": [NAN, *range(n, 1, -1)][:n]}
        yield answer("agreement_effect", pd.DataFrame({"system": names, **ranks})), {}
        left = pd.DataFrame({"order": range(1, n + 1), "width_left": [0.1] * n, "width_past_end": [0.01] * n})
        yield answer("judge_next", left, metric="RBP(p=0.8)"), {}
        raced = pd.DataFrame({"order": names, "judgments": 10, "relevant": 4, "tau": NAN})
        for panel in ("relevant", "tau"):
            yield answer("judging_orders", raced), {"panel": panel}
    grades = {"grade": [-2, -2, 1, 1], "grade_other": [-2, 1] * 2}
    for count in (range(4), 0):
        yield answer("confusion", pd.DataFrame(grades).assign(count=count)), {}


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_reaches_it_unescaped(look):
    for one, asked in answers():
        figure = VIEWS[one.question].figure(one, look, **asked)
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = json.dumps(figure["layout"])
        for trace in figure["data"]:
            places = [trace.get(key) for key in ("name", "text", "hovertemplate", "x")]
            texts += json.dumps([place for place in places if place is not None], default=str)
        assert "<img" not in texts


def test_what_is_missing_stands_on_what_is_known_and_where_nobody_can_tell_there_is_no_bar():
    some = answer("judgment_health", pd.DataFrame({"topic": list("78"), "relevant": 3, "still_missing": [0.2, NAN]}))
    none = answer("judgment_health", some.table.assign(still_missing=NAN))
    both, known = (VIEWS["judgment_health"].figure(one, LOOKS[0])["data"] for one in (some, none))
    assert [(list(trace["x"]), list(trace["y"])) for trace in both] == [(["7", "8"], [3, 3]), (["7", "8"], [0.2, None])]
    assert [trace["name"] for trace in known] == ["known relevant"]
    assert VIEWS["judgment_health"].figure(some, LOOKS[0])["layout"]["barmode"] == "stack"


def test_these_judgments_stand_down_and_the_second_across():
    table = pd.DataFrame({"grade": [0, 0, 2, 2], "grade_other": [0, 2] * 2, "count": [5, 2, 1, 4]})
    figure = VIEWS["confusion"].figure(answer("confusion", table), LOOKS[0])
    assert figure["data"][0]["z"] == [[5, 2], [1, 4]]
    assert figure["layout"]["xaxis"]["title"]["text"] == "second judgments"
    assert figure["layout"]["yaxis"]["title"]["text"] == "first judgments"


def test_what_stays_unknown_after_each_judgment_and_what_no_judging_takes_away():
    table = pd.DataFrame({"order": [1, 2], "width_left": [0.2, 0.1], "width_past_end": [0.05, 0.05]})
    left, past = VIEWS["judge_next"].figure(answer("judge_next", table, metric="P@10"), LOOKS[0])["data"]
    assert (left["y"], past["y"]) == ([0.2, 0.1], [0.05, 0.05])
    assert (left["name"], past["name"]) == ("remaining", interval_labels.PAST_THE_END)
    lucky, _ = VIEWS["judge_next"].figure(answer("judge_next", table, metric="nDCG@10"), LOOKS[0])["data"]
    assert lucky["name"] == "remaining if none is relevant"
