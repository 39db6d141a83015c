"""What is said of judgments, of a second opinion and of what to judge next, and how it is drawn."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore
from evalcore import QUESTIONS, contributors
from evalcore.asking import Answer
from evalcore.contributors import Pooling
from evalcore.questions import second_opinion
from tests.small import small_study
from ui import kinds, theme
from ui.views import VIEWS
from ui.views.judgments import tiles_of

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]


def answer(question, table, **params):
    return Answer(table, question, params, (), "", (), {}, {})


def said(question, table, systems=10, depths=(10, 10, 10), grades=(1, 1), **asked):
    """The finding of a table. systems, depths : how many the study has, and of the pool of its topics; grades : the
    highest of its judgments and of the second ones"""
    judgments, other = (SimpleNamespace(scale=SimpleNamespace(g_max=highest)) for highest in grades)
    options = {"order": "score", "rel_level": 1, "other_rel_level": None}
    study = SimpleNamespace(
        systems=["s"] * systems, options=options, depth=10, judged_topics=np.arange(len(depths)),
        pooling=Pooling(10, np.array(depths), "told"), whole=SimpleNamespace(pooled=np.ones(systems, bool)),
        judgments=judgments, other=other,
    )  # fmt: skip
    return str(QUESTIONS[question].finding(table, QUESTIONS[question].parameters | asked, study))


def health(relevant=(3, 0), missing=(0.2, NAN)):
    return pd.DataFrame({"relevant": relevant, "still_missing": missing, "judged": 10})


def audited(looks=(True, False), pooled=(True, False)):
    return pd.DataFrame(
        {"system": list("ab"), "looks_pooled": looks, "pooled": pooled, "unique_relevant": [1, 0], "holes": 0}
    )


def holes(*documents):
    return pd.DataFrame({"topic": "1", "document": list(documents), "system": "a"})


def suspected(*kinds):
    return pd.DataFrame({"kind": list(kinds)})


# Judgments


BESIDE = "By Chao and Lee's estimate, beside {} known, about {} may still be missing"
CANNOT = "How many relevant documents may still be missing cannot be estimated"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (health(), BESIDE.format(3, "0 relevant documents") + "; 1 of 2 topics allows no estimate; "
         "one topic has nothing relevant."),
        (health((3, 4), (2.6, 0.2)), BESIDE.format(7, "3 relevant documents") + "."),
        (health((1, 1), (0.9, 0.0)), BESIDE.format(2, "1 relevant document") + "."),
        (health((0, 4), (NAN, NAN)), f"{CANNOT}; one topic has nothing relevant."),
        (health((), ()), f"{CANNOT}."),
    ],
)  # fmt: skip
def test_what_may_be_missing(table, words, monkeypatch):
    monkeypatch.setattr(contributors, "unexplained", lambda study: 0.4)
    assert said("judgment_health", table) == words
    monkeypatch.setattr(contributors, "unexplained", lambda study: 0.918)
    elsewhere = "; the estimate knows the pool alone, and 92% of the judgments lie outside it"
    assert said("judgment_health", table).replace(elsewhere, "") == words
    assert (elsewhere in said("judgment_health", table)) == words.startswith("By Chao")


def test_a_pool_of_single_documents_does_not_tell_what_it_did_not_meet():
    runs = {f"s{i}": {topic: {"d": 2.0, f"e{i}": 1.0} for topic in "123"} for i in range(3)}
    qrels = {topic: {"d": 1, "e1": 1} for topic in "123"}
    deep = small_study(runs, qrels, pooled="all", pool_depth=2)
    assert evalcore.ask(deep, "judgment_health").table["still_missing"].notna().all()
    for study, why in (
        (
            small_study(runs, qrels, pooled="all", pool_depth=1),
            "because a pool of depth 1 does not allow an estimate",
        ),
        (small_study(runs, qrels), "because the files do not show which systems contributed to the pool"),
        (
            deep.without_contribution_of(["s0", "s1", "s2"]),
            "because no system is known to have contributed to the pool",
        ),
    ):
        answer = evalcore.ask(study, "judgment_health")
        assert answer.table[["coverage", "still_missing"]].isna().all(axis=None)
        assert str(answer.finding).startswith(f"{CANNOT}, {why}.")
        assert f"still_missing is blank {why}." in answer.notes


WITNESSES = {f"s{i}": {"1": {f"{'good' if i < 6 else 'bad'}": 2.0, f"own{i}": 1.0}} for i in range(10)}
TOP = "that most of the better half of systems (by RBP(p=0.8)@10) rank in their top {}"


@pytest.mark.parametrize(
    ("judged", "asked", "words"),
    [
        ({"good": 1, "bad": 0, "own1": 0}, {},
         f"Not one of 1 judged document {TOP.format(10)} was judged not relevant."),
        ({"own0": 2, "own1": 1, "own9": 1, "bad": -1}, {"k": 1},
         f"No document {TOP.format(1)} is judged."),
        ({"good": 0, "bad": 1}, {"kind": "not relevant"},
         f"1 of 1 judged document {TOP.format(10)} was judged not relevant."),
        ({"good": 0, "bad": 1}, {"kind": "not relevant", "top": 1},
         f"At least 1 of 1 judged document {TOP.format(10)} was judged not relevant."),
        ({"good": 1}, {"kind": "relevant"},
         "Not one of 1 relevant document is in a single run, one of the worse half by RBP(p=0.8)@10."),
        ({"own7": 1, "own8": 1, "good": 1}, {"kind": "relevant"},
         "2 of 3 relevant documents are each in a single run, one of the worse half by RBP(p=0.8)@10."),
    ],
)  # fmt: skip
def test_judgments_that_look_wrong(judged, asked, words):
    finding = str(evalcore.ask(small_study(WITNESSES, {"1": judged}, pooled="all"), "suspects", **asked).finding)
    assert finding == words


def test_contradictions_are_counted():
    table = suspected("contradiction")
    assert said("suspects", table, kind="contradiction") == (
        "One document is relevant by only one of the two sets of judgments."
    )
    assert said("suspects", table, kind="contradiction", top=1).startswith("At least one document is relevant")


def test_few_systems_are_no_witnesses():
    alone = "Five systems are too few to suspect single judgments."
    assert said("suspects", suspected("not relevant"), systems=5) == alone
    assert said("suspects", suspected("relevant"), systems=1, kind="relevant") == (
        "One system is too few to suspect single judgments."
    )
    assert said("suspects", suspected("relevant", "contradiction"), systems=5) == (
        f"{alone} One document is relevant by only one of the two sets of judgments."
    )


def test_holes_are_counted_by_document():
    hole = "(unjudged documents of contributing systems) down to"
    assert said("holes", holes()) == f"The pool has no holes {hole} rank 10."
    assert said("holes", holes(*"xxy"), depth=5) == f"The pool has two holes {hole} rank 5."
    hole = "(an unjudged document of a contributing system) down to"
    assert said("holes", holes("x")) == f"The pool has one hole {hole} rank 10."
    usual = f"The pool has one hole {hole} the depth of each topic's pool, mostly 10"
    assert said("holes", holes("x"), depths=(10, 7, 10)) == f"{usual}."
    unknown = "two topics whose pool's depth is not known are left out."
    assert said("holes", holes("x"), depths=(10, 7, 0, 0)) == f"{usual}; {unknown}"
    assert said("holes", holes("x"), depths=(10, 0, 0)) == f"The pool has one hole {hole} rank 10; {unknown}"
    assert said("holes", holes("x"), depths=(10, 7, 0, 0), depth=5) == f"The pool has one hole {hole} rank 5."


def test_judged_and_in_no_run():
    assert said("unretrieved", pd.DataFrame({"grade": []})) == "Every judged document is in some run of the track."
    assert said("unretrieved", pd.DataFrame({"grade": [0]})) == (
        "1 judged document is in no run of the track (0 relevant)."
    )
    assert said("unretrieved", pd.DataFrame({"grade": [0, 2, 1]})) == (
        "3 judged documents are in no run of the track (2 relevant)."
    )


def test_the_audit(monkeypatch):
    def shown(*depths, short=0.05):
        found = None, Pooling(7, np.array(depths), "found")
        monkeypatch.setattr("evalcore.questions.judgments._shown", lambda study, order: found)
        monkeypatch.setattr("evalcore.questions.judgments._largest_share_short", lambda *asked: short)
        return "more than nine in ten of {} rankings are judged without a gap down to rank 7, or to their end"

    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study: 0.25)
    brought = "1 relevant document is in the pool through a single system."
    beware = (
        f"{brought} Of the judgments, 25% are of documents that no contributing system has within the pool's depth: "
        "judged for runs that are not here, or in other ways."
    )
    seven = shown(7, 7, 8)
    assert said("pool_audit", audited()) == f"1 of 2 systems looks pooled: {seven.format('its')}. {beware}"
    assert said("pool_audit", audited((True, True))) == (
        f"2 of 2 systems look pooled: {seven.format('their')}, but b did not contribute. {beware}"
    )
    shown(7, 7, 8, short=0.1)
    assert "looks pooled: nine in ten or nearly as many of its rankings" in said("pool_audit", audited())
    none = audited((False, False))
    assert said("pool_audit", none) == (
        "Of no system do its runs and the judgments show that it was pooled; 1 of 2 systems is said to have been. "
        + beware.removeprefix(f"{brought} ")
    )
    shown(7, 0, 8)
    assert "to their end, on the 2 topics that show that depth or more. " in said("pool_audit", audited())
    seven = shown(7, 0, 7)
    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study: 0.0)
    assert said("pool_audit", audited()) == (
        f"1 of 2 systems looks pooled: {seven.format('its')}, on the 2 topics that show that depth. {brought} "
        "All judgments are of documents that a contributing system has within the pool's depth."
    )
    monkeypatch.setattr(Pooling, "known", property(lambda pooling: False))  # then nothing lies outside of it
    assert "contributing system" not in said("pool_audit", audited())


def test_numbers_of_judgments():
    several, none = answer("judgment_health", health()), answer("judgment_health", health()[:0])
    audit, unknown = answer("pool_audit", audited()), answer("pool_audit", audited())
    audit.finding.facts["unexplained"] = 0.25
    told = tiles_of(several, answer("holes", holes("x", "x")), audit)
    assert [value for _, value, _ in told] == ["20", "3", "0", "1", "25%"]
    assert [value for _, value, _ in tiles_of(none, None, unknown)] == ["0", "0", "–", "0", "–"]
    unseen = answer("pool_audit", audited().assign(holes=NAN))
    assert [value for _, value, _ in tiles_of(several, None, unseen)] == ["20", "3", "0", "–", "–"]


# Second judgments


def agreed(*, level=None, **more):
    """The finding of `agreement`."""
    row = {"topic": "all", "both": 200, "first_alone": 0, "second_alone": 1200, "same": 100, "kappa": 0.35}
    row |= {"relevant": 62, "relevant_other": 70, "relevant_both": 43, "overlap_relevant": 43 / 89}
    return said("agreement", pd.DataFrame([row | {"shift": -0.2} | more]), rel_level=level)


def test_agreement():
    relevant = (
        "Of the documents that both judge, these judgments find 62 relevant; the second find 43 of them relevant, and "
        "27 others (overlap .483). "
    )
    same = f"{relevant}The two give the same grade to 50% of 200 documents that both judge"
    shift = (
        "the second grade less the first is −.200 on average. Documents judged by one alone: 0 by these judgments and "
    )
    assert agreed() == f"{same} (kappa .350); {shift}1,200 by the second."
    row = {
        "both": 200,
        "same": 100,
        "kappa": 0.35,
        "first_alone": 0,
        "second_alone": 0,
        "shift": 0,
        "relevant": 1,
        "relevant_other": 1,
    }
    table = pd.DataFrame([row | {"relevant_both": 1, "overlap_relevant": 1.0}])
    scales = "(kappa .350), though the one grades up to 3 and the other up to 1; "
    assert scales in said("agreement", table, grades=(3, 1), rel_level=None)
    assert "grades up to" not in said("agreement", table, grades=(3, 1), rel_level=2)
    assert agreed(kappa=NAN, second_alone=1) == f"{same} (kappa unknown); {shift}1 by the second."
    relevance = f"{relevant}The two agree on the relevance of 50% of 200 documents that both judge (kappa .350); "
    assert agreed(level=1) == f"{relevance}{shift}1,200 by the second."
    none = agreed(relevant=0, relevant_both=0, overlap_relevant=0)
    assert none.startswith(
        "Of the documents that both judge, these judgments find not one relevant, and the second 70."
    )
    assert agreed(relevant=0, relevant_both=0, relevant_other=0).startswith("Of the documents that both judge, these")


def test_grades_that_differ():
    table = pd.DataFrame({"grade": [0, 0, 1, 1], "grade_other": [0, 1, 0, 1], "count": [5, 2, 1, 4]})
    assert said("confusion", table) == (
        "The two grades differ for 3 of 12 documents that both judge, most often grade 0 here and 1 in the "
        "second (2 documents)."
    )
    assert said("confusion", table.assign(count=1)) == ("The two grades differ for 2 of 4 documents that both judge.")
    assert said("confusion", table.assign(count=[1, 0, 0, 0])) == (
        "The two grades differ for 0 of 1 document that both judge."
    )


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        (([1, 2, 3], [1, 3, 2]),
         "2 of 3 systems to another place; c gains most (one place); b loses most (one place)."),
        (([1, 2, 3], [3, 1, 2]),
         "3 of 3 systems to another place; b and c gain most (one place); a loses most (two places)."),
        (([1, 1, 3], [1, 2, 3]), "1 of 3 systems to another place; b loses most (one place)."),
        (([1, 2, 3], [1, 2, 3]), "none of 3 systems to another place."),
        (([1, 2, 3], [NAN] * 3), "none of 0 systems to another place."),
    ],
)  # fmt: skip
def test_what_a_second_opinion_changes(monkeypatch, ranks, words):
    monkeypatch.setattr(second_opinion, "_judged_by_one", lambda study: 1200)
    monkeypatch.setattr(second_opinion, "_on_fewer_topics", lambda study: "")
    table = pd.DataFrame({"system": list("abc"), "rank": ranks[0], "rank_other": ranks[1]})
    words = f"By AP with all judgments, the second ones move {words} Judged by one of the two alone: 1,200 documents."
    assert said("agreement_effect", table, metric="AP") == words


def test_topics_that_one_of_the_two_does_not_judge_are_said_to_be_left_out():
    runs = {"a": {"t": {"x": 1.0}, "u": {"y": 1.0}}, "b": {"t": {"z": 1.0}, "u": {"y": 1.0}}}
    study = small_study(runs, {"t": {"x": 1, "z": 0}, "u": {"y": 1}})
    for second, told in (
        ("t 0 x 0\nt 0 z 1\n", "By P@1 with all judgments, on 1 topic that both judge, the second ones move 2 of 2"),
        ("t 0 x 0\nt 0 z 1\nu 0 y 1\n", "By P@1 with all judgments, the second ones move 2 of 2"),
    ):
        other = evalcore.Upload("other.txt", second.encode())
        said = str(evalcore.ask(study, "agreement_effect", metric="P@1", other=other).finding)
        assert said.startswith(told)
        there = " there" if "on 1 topic" in told else ""
        assert said.endswith(f"Judged{there} by one of the two alone: 0 documents.")


@pytest.mark.parametrize(
    ("told", "known", "words"),
    [
        (["a", "b"], True, "; 2 of 2 systems are said to have been."),
        (["a"], True, "; 1 of 2 systems is said to have been."),
        (None, False, "."),
    ],
)
def test_of_a_pool_that_is_told_and_not_seen_both_are_said(told, known, words):
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"z": 1.0}}}
    study = small_study(runs, {"t": {"x": 1}}, pooled=told)
    said = str(evalcore.ask(study, "pool_audit").finding)
    assert said.startswith(f"Of no system do its runs and the judgments show that it was pooled{words}")


@pytest.mark.parametrize(
    ("ranks", "whose"), [(([1, 2, 3], [1, 1, 1]), "the second"), (([1, 1, 1], [3, 2, 1]), "these")]
)
def test_judgments_by_which_all_score_the_same_move_nobody(monkeypatch, ranks, whose):
    monkeypatch.setattr(second_opinion, "_judged_by_one", lambda study: 0)
    monkeypatch.setattr(second_opinion, "_on_fewer_topics", lambda study: "")
    table = pd.DataFrame({"system": list("abc"), "rank": ranks[0], "rank_other": ranks[1]})
    for some, systems in ((table, "all 3 systems"), (table[:2], "both systems")):
        assert said("agreement_effect", some, metric="AP") == (
            f"By AP with all judgments, {whose} judgments give {systems} one score, and so no order. Judged by one of "
            "the two alone: 0 documents."
        )


# What to judge next


def test_what_to_judge_next():
    runs = {"s0": {"7": {"a": 2.0, "d": 1.0}}, "s1": {"7": {"d": 2.0, "e": 1.0}}, "s2": {"7": {"a": 1.0}}}
    study = small_study(runs, {"7": {"a": 0}})
    first, every = (evalcore.ask(study, "judge_next", metric="P@2", budget=n) for n in (1, 9))
    ends = (
        "of the .500 that judging can take from the mean width of the intervals of P@2; .167 more lies past the end of "
        "lists, where nothing can be judged; the first is d of topic 7, which two systems have, both among their first "
        "ten."
    )
    assert str(first.finding) == f"Judging this 1 document takes .333 {ends}"
    assert str(every.finding) == f"Judging these 2 documents takes .500 {ends}"
    lucky = evalcore.ask(study, "judge_next", metric="nDCG@2", budget=1)  # 1 / log2(3) = .631
    assert str(lucky.finding) == (
        "Judging this 1 document takes .333 of the .754 that the intervals of nDCG@2 are wide on average, if none of "
        "them is relevant; .210 lies past the end of lists, where nothing can be judged; the first is d of topic 7, "
        "which two systems have, both among their first ten."
    )
    table = pd.DataFrame(columns=["topic", "document"])
    assert (
        said("judge_next", table, metric="P@10")
        == "Every document of the runs that P@10 reads is judged on the judged topics."
    )


def test_what_weighs_next_to_nothing_is_not_counted_in_zeros():
    """All that is judged stands above the only document that is not, at rank 151."""
    judged = [f"j{i:03}" for i in range(150)]
    runs = {name: {"7": {one: 999.0 - k for k, one in enumerate([*judged, "z"])}} for name in ("s0", "s1")}
    first = "the first is z of topic 7, which two systems have, none of them among their first ten."
    nothing = "Judging can take next to nothing from the mean width of the intervals of RBP(p=0.8); "
    study = small_study(runs, {"7": dict.fromkeys(judged, 1)})
    assert str(evalcore.ask(study, "judge_next").finding) == nothing + first
    short = small_study(runs | {"s2": {"7": {judged[0]: 1.0}}}, {"7": dict.fromkeys(judged, 1)})
    past = ".267 lies past the end of lists, where nothing can be judged; "
    assert str(evalcore.ask(short, "judge_next").finding) == nothing + past + first


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((12,), "one system has, though not among its first ten."),
        ((1, 2), "two systems have, both among their first ten."),
        ((1, 10, 2), "three systems have, all among their first ten."),
        ((1, 11, 2), "three systems have, two of them among their first ten."),
        ((11, 12), "two systems have, none of them among their first ten."),
    ],
)
def test_what_is_judged_first_stands_among_the_first_of_so_many(places, words):
    judged = [f"j{i:02}" for i in range(11)]
    runs = {}
    for n, place in enumerate(places):
        ranked = [*judged[: place - 1], "d"]
        runs[f"s{n}"] = {"7": {name: 99.0 - k for k, name in enumerate(ranked)}}
    answer = evalcore.ask(small_study(runs, {"7": dict.fromkeys(judged, 1)}), "judge_next")
    assert str(answer.finding).endswith(f"the first is d of topic 7, which {words}")


def test_orders_of_judging():
    table = pd.DataFrame({"order": ["depth", "weight"] * 2, "judgments": [10, 10, 20, 20], "relevant": [3, 5, 6, 6]})
    assert said("judging_orders", table[:2]) == (
        "After 10 judgments most relevant documents are found in the order weight (5), and fewest in the order depth "
        "(3)."
    )
    tied = "After 10 judgments the orders depth and weight have each found 4 relevant documents."
    assert said("judging_orders", table.assign(relevant=4)) == tied
    three = pd.DataFrame({"order": list("abc"), "judgments": 1, "relevant": [1, 1, 0]})
    assert said("judging_orders", three) == (
        "After 1 judgment most relevant documents are found in the orders a and b (1), and fewest in the order c (0)."
    )


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
    assert (left["name"], past["name"]) == ("remaining", kinds.PAST_THE_END)
    lucky, _ = VIEWS["judge_next"].figure(answer("judge_next", table, metric="nDCG@10"), LOOKS[0])["data"]
    assert lucky["name"] == "remaining if none is relevant"
