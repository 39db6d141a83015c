"""The faces of fusion and consistency: figures that Plotly accepts, and sentences that are true."""

import json

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.asking import Answer
from evalcore.questions import QUESTIONS
from evalcore.questions.consistency import beside_score
from evalcore.questions.fusion import gain, letters, way
from tests.oracles.facts import FACTS
from tests.small import small_study, topic_of, tracks
from tests.test_findings import case_of, check
from ui import theme
from ui.escape import plotly
from ui.views import VIEWS
from ui.views.consistency import BESIDE_SCORE

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
LOOK = LOOKS[0]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
OWN = ["fuse", "fusion_scores", "fusion_by_count", "fusion_topics", "rbo", "topic_agreement", "oracle_variation"]
OWN += [name for name in FACTS if name.startswith("consistency")]


def named(n):
    return (HOSTILE + [f"system {i}" for i in range(n)])[:n]


def answer(question, table, **params):
    return Answer(pd.DataFrame(table), question, {"metric": "<b>AP", **params}, (), "", (), {}, {})


def said(question, table, study=None, **params):
    """The finding of a table, as a text."""
    asked = QUESTIONS[question].parameters | {"metric": "AP"} | params
    return str(QUESTIONS[question].finding(pd.DataFrame(table), asked, study))


def gained(**more):
    row = {"method": "rbc", "phi": 0.9, "value": 0.559, "best_input": 0.532, "mean_input": 0.4, "gain_over_best": 0.027}
    return (
        row
        | {"best": "a", "better": True}
        | {"system": "", "metric": "AP", "p": 0.03, "p_against_borda": NAN, "n": 50}
        | more
    )


def apart(n):
    differences = ([0.1, -0.1, NAN] * n)[:n]
    return answer(
        "fusion_topics",
        {"topic": named(n), "difference": differences, "fused": 0.3, "best_input": 0.2, "best": "<img>", "system": ""},
    )


def answered(n, topics=3):
    rows = [(name, f"<img>{t}", NAN if t == 2 else 0.1 * t) for name in named(n) for t in range(topics)]
    return answer("consistency", pd.DataFrame(rows, columns=["system", "topic", "consistency"]))


def of_systems(n):
    return answer("consistency_of_systems", {"system": named(n), "consistency": [0.5] * n})


def every_figure(look):
    for n in (0, 1, 6, 143):
        counts = pd.DataFrame({"system": named(n) * 2, "count": [1] * n + [2] * n, "value": ([0.1, NAN] * n)})
        yield VIEWS["fusion_by_count"].figure(answer("fusion_by_count", counts), look)
        yield VIEWS["fusion_topics"].figure(apart(n), look)
        yield VIEWS["consistency"].figure(answered(n), look)
        yield VIEWS["consistency"].figure(answered(n), look, order=named(n)[::-1])
        spread = {"topic": named(n), "consistency": ([0.5, NAN] * n)[:n], "lowest": 0.2, "highest": 0.6}
        yield VIEWS["consistency_of_topics"].figure(answer("consistency_of_topics", spread), look)
        scores = dict.fromkeys(named(n), 0.1)
        yield BESIDE_SCORE.figure(of_systems(n), look, scores=scores, metric="<img>AP")
        if n:
            many = [gained(phi=0.5 + i / 300, metric="<img>") for i in range(n)]
            yield VIEWS["fusion_scores"].figure(answer("fusion_scores", many), look)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_reaches_it_unescaped(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = [[trace.get(key) for key in ("name", "text", "hovertemplate", "x")] for trace in figure["data"]]
        shown = json.dumps([figure["layout"], texts], default=float)
        assert "<img" not in shown
        assert "<b>AP" not in shown


def test_one_fused_run_stands_beside_its_inputs_and_several_beside_each_other():
    bar = VIEWS["fusion_scores"].figure(answer("fusion_scores", [gained()]), LOOK)["data"][0]
    assert bar["text"] == ["fused", "best input", "mean input"]
    assert bar["x"] == [0.559, 0.532, 0.4]
    assert bar["marker"]["color"][0] == LOOK["focus"] != bar["marker"]["color"][1]
    other = [gained(phi=NAN, method="combmnz"), gained(metric="P@10"), gained(system="s")]
    bar = VIEWS["fusion_scores"].figure(answer("fusion_scores", [gained(), *other]), LOOK)["data"][0]
    assert bar["text"] == ["RBC(.9)", "CombMNZ"]


def test_topics_stand_by_what_they_gain_and_unknown_ones_nowhere():
    better, worse = VIEWS["fusion_topics"].figure(apart(6), LOOK)["data"]
    assert (better["y"], worse["y"]) == ([0.1, 0.1], [-0.1, -0.1])
    assert worse["x"] == [plotly(HOSTILE[1]), plotly(HOSTILE[4])]


def test_boxes_stand_in_the_order_that_is_given():
    first, second, _ = VIEWS["consistency"].figure(answered(2), LOOK, order=HOSTILE[1::-1])["data"]
    assert (first["name"], second["name"]) == (plotly(HOSTILE[1], 24), HOSTILE[0])
    assert first["x"] == [0.0, 0.1]
    assert (first["y"], second["y"]) == ([1, 1], [2, 2])


def test_a_system_without_a_score_has_no_dot():
    dots = BESIDE_SCORE.figure(of_systems(3), LOOK, scores={"=cmd()": 0.7}, metric="AP")["data"][0]
    assert (dots["text"], dots["x"], dots["y"]) == (["=cmd()"], [0.5], [0.7])


# Sentences of fusion


PAIR = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}})
SCORES = "RBC(.9) over the best 5 scores .559 by AP with all judgments, "
TEST = "(one-tailed t-test of a {} over 50 topics: p = {})."


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (gained(), f"{SCORES}.027 above the best input, a {TEST.format('gain', 0.03)}"),
        (gained(p=0.3), f"{SCORES}.027 above the best input, a {TEST.format('gain', '0.3, so it may be chance')}"),
        (gained(p=0.98, gain_over_best=-0.1), f"{SCORES}.100 below the best input, a {TEST.format('loss', 0.02)}"),
        (gained(p=0.5, gain_over_best=0.0), f"{SCORES}as much as the best input, a."),
        (gained(p=0.4, value=0.5594, gain_over_best=0.0008),  # .559 and .559
         f"{SCORES}less than .001 above the best input, a {TEST.format('gain', '0.4, so it may be chance')}"),
        (gained(p=0.98, value=0.5594, gain_over_best=-0.0024),  # .559 and .562
         f"{SCORES}.0024 below the best input, a {TEST.format('loss', 0.02)}"),
        (gained(p=NAN, method="rrf", phi=NAN),
         "Reciprocal rank fusion over the best 5 scores .559 by AP with all judgments, .027 above the best input, a."),
        (gained(value=NAN, gain_over_best=NAN), "RBC(.9) over the best 5 scores unknown by AP with all judgments."),
    ],
)  # fmt: skip
def test_what_a_crowd_gains(row, told):
    assert str(gain(row, "the best 5")) == told


def test_a_best_input_that_is_a_fused_run_says_so():
    assert "the best input, a, itself a fused run (one" in str(gain(gained(), "the best 5", best_is_fused=True))
    study = PAIR.with_fused("both")
    assert "the best input, both, itself a fused run" in str(
        evalcore.ask(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=["AP"], systems=["both"]).finding
    )


def test_the_name_of_a_crowd_is_shown_as_it_is():
    assert str(gain(gained(gain_over_best=0), "group {a} <b>")).startswith("RBC(.9) over group {a} <b> scores")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([gained(), gained(metric="P@10")],
         "RBC(.9) over both systems scores .559 by AP with all judgments, .027 above the best input, a "
         + TEST.format("gain", 0.03)),
        ([gained(value=NAN, gain_over_best=NAN)] * 2,
         "By AP with all judgments, none of 2 fused runs beats the best input."),
        ([gained(), gained(phi=0.95, value=0.6)],
         "By AP with all judgments, 2 of 2 fused runs beat the best input, 2 with a one-tailed p below 0.05; the "
         "highest score, .600, is that of RBC(.95)."),
        ([gained(better=False), gained(phi=NAN, method="borda", gain_over_best=-0.1, better=False), gained(value=0.1)],
         "By AP with all judgments, 2 of 3 fused runs beat the best input, 1 with a one-tailed p below 0.05; the "
         "others may be chance; the highest score, .559, is that of RBC(.9) and Borda."),
        ([gained(better=False), gained(phi=0.95, value=0.6, better=False)],
         "By AP with all judgments, 2 of 2 fused runs beat the best input, none of them with a one-tailed p below "
         "0.05; the highest score, .600, is that of RBC(.95)."),
        ([gained(better=False), gained(phi=0.95, gain_over_best=-0.1)],
         "By AP with all judgments, 1 of 2 fused runs beats the best input, but not with a one-tailed p below 0.05; "
         "the highest score, .559, is that of RBC(.9) and RBC(.95)."),
        ([gained(better=False, p=NAN), gained(phi=0.95, value=0.6, better=False, p=NAN)],  # one topic alone
         "By AP with all judgments, 2 of 2 fused runs beat the best input; the highest score, .600, is that of "
         "RBC(.95)."),
        ([gained(system="a"), gained(system="b", value=0.1, gain_over_best=-0.1)],
         "By AP with all judgments, 1 of 2 fused runs beats the best input, 1 with a one-tailed p below 0.05; the "
         "highest score, .559, is that of RBC(.9) over the variations of a."),
    ],
)  # fmt: skip
def test_the_finding_of_fusion_scores(rows, told):
    assert said("fusion_scores", rows, PAIR) == told


def test_numbers_of_fusion():
    tiles = VIEWS["fusion_scores"].tiles
    assert [value for _, value, _ in tiles(answer("fusion_scores", [gained()]))] == [".559", ".532", ".400", "–"]
    assert tiles(answer("fusion_scores", [gained(p_against_borda=0.5)]))[3][1] == "0.5"


def test_names_of_ways_to_fuse():
    assert [way("rbc", phi) for phi in (0.95, 1.0, 0)] == ["RBC(.95)", "RBC(1)", "RBC(0)"]
    assert way("combmnz", NAN) == "CombMNZ"


def test_topics_of_a_fused_run():
    table = pd.DataFrame(
        {"topic": ["1", "2", "3", "4"], "difference": [0.1, -0.2, NAN, 0.3], "system": "", "best": "s"}
    )
    begin = "By AP with all judgments, RBC(.9) beats the best input"
    lost = f"{begin}, s, on 2 of 3 topics and falls below it on 1; most is gained on topic 4 (.300), and most lost on "
    assert said("fusion_topics", table) == f"{lost}topic 2 (.200)."
    assert said("fusion_topics", table.assign(system=list("abcd"))) == (
        f"{begin.replace('best input', 'input that is best on average')} on 2 of 3 rankings and falls below it on 1; "
        "most is gained on topic 4 of d (.300), and most lost on topic 2 of b (.200)."
    )
    alike = table.assign(difference=[0.3, -0.2, -0.2, 0.3])
    assert said("fusion_topics", alike).endswith(
        "; most is gained on two topics (.300 on each), and most lost on two topics (.200 on each)."
    )
    assert "; most is gained on two rankings (.300 on each)" in said("fusion_topics", alike.assign(system=list("abcd")))


def test_topics_where_a_fused_run_never_wins_or_never_loses():
    table = pd.DataFrame({"topic": ["1", "2"], "difference": [0.1, 0.3], "system": "", "best": "s"})
    begin = "By AP with all judgments, RBC(.9) beats the best input, s, on "
    won = f"{begin}2 of 2 topics and falls below it on none; most is gained on topic 2 (.300)."
    assert said("fusion_topics", table) == won
    lost = said("fusion_topics", table.assign(difference=[-0.1, 0.0]))
    assert lost == f"{begin}none of 2 topics and falls below it on 1; most is lost on topic 1 (.100)."
    equal = said("fusion_topics", table.assign(difference=0.0), method="borda")
    assert equal == "By AP with all judgments, Borda scores what the best input, s, scores on each of 2 topics."
    one = "By AP with all judgments, RBC(.9) {} the best input, s,{} on the one topic"
    assert said("fusion_topics", table[:1]) == f"{one.format('beats', '')}; most is gained on topic 1 (.100)."
    below = said("fusion_topics", table[:1].assign(difference=-0.1))
    assert below == f"{one.format('falls below', '')}; most is lost on topic 1 (.100)."
    equal = said("fusion_topics", table[:1].assign(difference=0.0))
    assert equal == f"{one.format('scores what', ' scores')}."
    fused = said("fusion_topics", table, over="both")
    assert fused == won.replace(", s,", ", s with its variations fused,")


def test_more_variations():
    table = pd.DataFrame({"system": list("abab"), "count": [1, 1, 6, 6], "value": [0.1, 0.2, 0.3, 0.4]})
    first = "By AP with all judgments, RBC(.9) over at most one variation of each topic scores "
    assert said("fusion_by_count", table) == first + ".150 on average over 2 systems, over at most six .350."
    unknown = f"{first}unknown on average over 2 systems, over at most six unknown."
    assert said("fusion_by_count", table.assign(value=NAN)) == unknown
    assert said("fusion_by_count", table[:2]) == first + ".150 on average over 2 systems."
    assert said("fusion_by_count", table[:1]) == first + ".100."


def test_the_finding_of_a_fused_list():
    table = pd.DataFrame({"topic": "1", "document": ["d", "e", "f"], "lists": [2, 1, 1]})
    one = "Of the first 3 documents that RBC(.9) puts together for topic 1, two are each from a single input."
    assert said("fuse", table) == one
    several = "Of the first 3 documents that RBC(.9) puts together in 3 rankings, two are each from a single input."
    assert said("fuse", table.assign(query=["1", "2", "3"])) == several
    assert said("fuse", table[:2]).endswith(", one is from a single input.")


def test_letters():
    assert str(letters([("D", 0.6), ("A", 0.5)])) == "The fused ranking is D A."
    assert str(letters([])) == "Write at least one letter."


# Sentences of consistency


def test_overlaps():
    table = pd.DataFrame({"a": list("aab"), "b": list("bcc"), "extrapolated": [0.5, 0.5, 0.2], "system": list("sst")})
    most = "more alike than a and b (rank-biased overlap .500 on average, as has one other pair), and none less"
    assert said("rbo", table) == f"No two systems rank {most} than b and c (.200)."
    tied = "No two systems rank more alike than a and b (rank-biased overlap .500 on average, as has one other pair)"
    assert said("rbo", table[:2]) == f"{tied}."
    assert said("rbo", table[:1]) == "a and b rank with a rank-biased overlap of .500 on average."
    alone = "s ranks the queries of a topic with a rank-biased overlap of .500 on average."
    assert said("rbo", table[:1], variations=True) == alone
    assert said("rbo", table, variations=True) == (
        "No system ranks the queries of a topic more alike than s (rank-biased overlap .500 on average), and none less "
        "than t (.200)."
    )


SYSTEMS = pd.DataFrame({"system": ["S4", "S1", "S2"], "consistency": [0.44, 0.3, NAN]})


def test_who_is_consistent():
    finding = QUESTIONS["consistency_of_systems"].finding
    assert str(finding(SYSTEMS, {"phi": 0.9}, None)) == (
        "On average over topics, no system is more consistent than S4 (.440 at persistence 0.9), and none "
        "less than S1 (.300)."
    )
    tied = SYSTEMS.assign(consistency=[0.44, 0.44, 0.1])
    assert str(finding(tied, {"phi": 0.9}, None)) == (
        "On average over topics, no system is more consistent than S4 and S1 (.440 at persistence 0.9), "
        "and none less than S2 (.100)."
    )
    assert str(finding(tied[:2], {"phi": 0.9}, None)) == (
        "On average over topics, no system is more consistent than S4 and S1 (.440 at persistence 0.9)."
    )
    alone = "Only of S4 is the consistency known: .440 at persistence 0.9."
    assert str(finding(SYSTEMS[:1], {"phi": 0.9}, None)) == alone
    assert str(finding(SYSTEMS[2:], {"phi": 0.9}, None)).startswith("No system answers two queries of one topic")


def test_which_topics_are_answered_consistently():
    topics = pd.DataFrame({"topic": ["7", "27", "8"], "consistency": [0.4, 0.1, NAN], "n": 4})
    first = "On average over systems, no topic is answered more consistently than 7 (.400 at persistence 0.9)"
    most = first + ", and none less than "
    assert said("consistency_of_topics", topics) == most + "27 (.100)."
    assert said("consistency_of_topics", topics.assign(consistency=[0.4, 0.1, 0.1])) == most + "27 and 8 (.100)."
    alone = "Only of topic 7 is the consistency known: .400 at persistence 0.9."
    assert said("consistency_of_topics", topics[:1]) == alone
    assert said("consistency_of_topics", topics[:2].assign(consistency=0.4)) == first.replace("7", "7 and 27") + "."
    of_one = said("consistency_of_topics", topics.assign(n=[1, 1, 0]))
    assert (
        of_one
        == "No topic is answered more consistently than 7 (.400 at persistence 0.9), and none less than 27 (.100)."
    )


def test_which_systems_are_told_apart():
    pairs = pd.DataFrame({"a": list("aab"), "b": list("bcc"), "difference": [0.1, 0.2, 0.1], "p": [0.2, 0.01, NAN]})
    test = "A paired t-test over topics tells {} apart in consistency (p < 0.05, uncorrected)"
    some, ahead = test.format("1 of 3 pairs of systems"), "; a is ahead of all others, and told apart from "
    assert said("consistency_pairs", pairs) == some + ahead + "1 of them."
    assert said("consistency_pairs", pairs.assign(difference=[0.1, -0.2, 0.1])) == some + "."  # nobody is
    sure = test.format("3 of 3 pairs of systems") + ahead + "2 of them."
    assert said("consistency_pairs", pairs.assign(p=0.01)) == sure
    none = test.format("0 of 3 pairs of systems") + ahead + "none of them."
    assert said("consistency_pairs", pairs.assign(p=0.3)) == none
    one = "A paired t-test over topics {} the one pair of systems apart in consistency (p < 0.05)"
    assert said("consistency_pairs", pairs[:1]) == one.format("does not tell") + "; a is ahead."
    assert said("consistency_pairs", pairs[:1].assign(p=0.01, difference=0.0)) == one.format("tells") + "."
    assert said("consistency_pairs", pairs[:0]) == "One system alone has no other to be told apart from."


def test_consistency_beside_scores():
    board = pd.DataFrame({"system": ["S1", "S4"], "value": [0.2, 0.1]})
    begin = "On average over topics, no system is more consistent than S4, and none better by AP, all judgments, than "
    assert str(beside_score(SYSTEMS, board, "AP")) == begin + "S1."
    assert str(beside_score(SYSTEMS, board.assign(value=1), "AP")) == begin + "S4 and S1."
    same = "On average over topics, no system is more consistent than S4, and none better by AP, all judgments."
    assert str(beside_score(SYSTEMS, board.assign(value=board["value"].to_numpy()[::-1]), "AP")) == same
    assert str(beside_score(SYSTEMS[:1], board, "AP")).startswith("Two systems or more")


def test_what_consistency_goes_with():
    table = pd.DataFrame(
        {"system": list("abab"), "with": ["AP", "AP", "queries", "queries"], "rho": [0.2, 0.4, 0, NAN], "p": 0.01}
    )
    start = "Over topics consistency goes most "
    assert said("consistency_correlations", table) == (
        start + "with AP: Spearman's rho is .300 on average over 2 systems."
    )
    assert said("consistency_correlations", table.assign(rho=[-0.5, NAN, -0.5, NAN])) == (
        start + "against AP and the number of queries: Spearman's rho is −.500 for one system."
    )
    for p in ([0.05, 0.3, 0.01, NAN], [0.02, 0.3, 0.5, NAN]):  # the least of three is below .05 by chance more often
        by_chance = said("consistency_correlations", table.assign(p=p))
        assert by_chance == start + "with AP: Spearman's rho is .300 on average over 2 systems, which may be chance."
    assert said("consistency_correlations", table[3:]).startswith("Nothing varies enough")


def test_whether_topics_agree():
    rows = {"measure": ["ICC", "W", "alpha"], "value": [0.1, 0.5, -0.02], "p": [0.5, 0.04, NAN], "n": 9}
    told = (
        "By {}, how far 9 topics agree on the order of systems is a Kendall's W of .500 (0 is not at all, 1 is fully; "
    )
    alpha = "Krippendorff's alpha is −.020 (0 is chance)."
    assert said("topic_agreement", rows) == f"{told.format('consistency')}p = 0.04); {alpha}"
    assert said("topic_agreement", rows, of="AP") == f"{told.format('AP')}p = 0.04); {alpha}"
    by_chance = said("topic_agreement", rows | {"p": [0.5, 0.2, NAN]}, of="AP")
    assert by_chance == f"{told.format('AP')}p = 0.2), which may be chance; {alpha}"
    assert (
        said("topic_agreement", rows | {"p": [0, 0.0, NAN]}, of="AP") == f"{told.format('AP')}p below 0.001); {alpha}"
    )
    blank = said("topic_agreement", rows | {"value": [0.1, NAN, NAN]})
    assert blank == "By consistency, no topic tells the systems apart."


def test_the_best_wording():
    table = pd.DataFrame({"all_queries": [0.1, 0.2], "best_query": [0.2, 0.4]})
    gain = "On average over systems, knowing the best wording of each topic adds .150 to the mean AP of all wordings, "
    gain += "by all judgments."
    assert said("oracle_variation", table) == gain
    one = said("oracle_variation", table.assign(all_queries=[0.1, NAN]))
    assert one == "Knowing the best wording of each topic adds .100 to the mean AP of all wordings, by all judgments."
    none = said("oracle_variation", table.assign(all_queries=NAN))
    assert none == "No system has a score on a judged topic."


def test_the_picture_marks_the_mean_that_the_sentence_tells():
    table = pd.DataFrame({"system": list("aaabb"), "topic": list("12312"), "consistency": [0.1, 0.2, 0.9, 0.5, NAN]})
    means = VIEWS["consistency"].figure(answer("consistency", table), LOOK)["data"][-1]
    assert means["name"] == "mean over topics"
    assert means["x"] == pytest.approx([0.4, 0.5])
    assert means["y"] == [1, 2]
    told = QUESTIONS["consistency_of_systems"].finding
    of_systems = pd.DataFrame({"system": list("ab"), "consistency": means["x"]})
    assert "than b (.500 at persistence 0.9), and none less than a (.400)" in str(told(of_systems, {"phi": 0.9}, None))


def test_answers_of_systems_to_topics():
    table = pd.DataFrame({"system": list("ab"), "topic": ["1", "2"], "consistency": [0.5, 0.25]})
    assert said("consistency", table) == (
        "No answers are more consistent than those of a to topic 1 (.500 at persistence 0.9), and none less than "
        "those of b to topic 2 "
        "(.250)."
    )
    one = "No answers are more consistent than those of a to topic 1 (.500 at persistence 0.9)."
    assert said("consistency", table[:1]) == one
    assert said("consistency", table.assign(consistency=NAN)).startswith("No system answers two queries")


# Facts, where topics have several queries


@st.composite
def varied_tracks(draw):
    """Runs and judgments of up to three topics with up to two queries each."""
    runs, qrels = draw(tracks(systems=3, topics=6, grades=(-1, 0, 1, 1)).filter(lambda track: any(track[0].values())))
    query = {f"t{n}": f"t{n // 2}-{n % 2 + 1}" for n in range(6)}
    runs = {system: {query[t]: scored for t, scored in run.items()} for system, run in runs.items()}
    return runs, {topic_of(query[topic]): judged for topic, judged in qrels.items()}


@pytest.mark.parametrize("question", OWN)
@settings(max_examples=25, deadline=None)
@given(track=varied_tracks())
def test_the_facts_of_studies_with_variations(question, track):
    study = small_study(*track, pooled="all")
    check(study, case_of(study, *track), question)
