"""The views of fusion and consistency: figures that Plotly accepts, and findings that are true."""

import json

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.answers import Answer
from evalcore.findings import FINDINGS
from evalcore.findings.consistency import beside_score
from evalcore.findings.fusion import gain, letters
from evalcore.questions import QUESTIONS
from evalcore.questions.fusion import way
from tests.examples import examples
from tests.findings.test_findings import case_of, check
from tests.oracles.facts import FACTS
from tests.small import small_study, topic_of, tracks
from ui.text.escape import plotly
from ui.views import VIEWS, theme
from ui.views.consistency import BESIDE_SCORE, TOPICS_OF_SYSTEM

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
LOOK = LOOKS[0]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
OWN = ["fuse", "fusion_scores", "fusion_by_count", "fusion_topics", "rbo", "topic_agreement", "oracle_variation"]
OWN += [name for name in FACTS if name.startswith("consistency")]


TWO_WAYS = {"a": {"t-1": {"d": 1.0}, "t-2": {"e": 1.0}}}  # of asking for a topic


def named(n):
    return (HOSTILE + [f"system {i}" for i in range(n)])[:n]


def answer(question, table, **params):
    return Answer(pd.DataFrame(table), question, {"metric": "<b>AP", **params}, (), "", (), {}, {})


def finding(question, table, study=None, **params):
    """The finding of a table."""
    asked = QUESTIONS[question].parameters | {"metric": "AP"} | params
    return FINDINGS[question](pd.DataFrame(table), asked, study or small_study(TWO_WAYS, {"t": {"d": 1}}))


def gained(**more):
    row = {"method": "rbc", "phi": 0.9, "value": 0.559, "best_input": 0.532, "mean_input": 0.4, "gain_over_best": 0.027}
    row |= {"best": "a", "better": True, "system": "", "metric": "AP", "p": 0.03, "n": 50}
    row |= {"p_one_tailed": 0.015, "p_tukey": 0.4, "p_against_borda": NAN}
    return row | more


def apart(n):
    of = {"topic": named(n), "difference": ([0.1, -0.1, NAN] * n)[:n], "fused": 0.3, "best_input": 0.2}
    return answer("fusion_topics", of | {"best": "<img>", "system": ""})


def answered(n, topics=3):
    rows = [(name, f"<img>{t}", NAN if t == 2 else 0.1 * t, 0.1, 2) for name in named(n) for t in range(topics)]
    return answer("consistency", pd.DataFrame(rows, columns=["system", "topic", "consistency", "sd", "variations"]))


def of_systems(n):
    return answer("consistency_of_systems", {"system": named(n), "consistency": [0.5] * n})


def every_figure(look):
    for n in (0, 1, 6, 143):
        counts = pd.DataFrame({"system": named(n) * 2, "count": [1] * n + [2] * n, "value": ([0.1, NAN] * n)})
        yield VIEWS["fusion_by_count"].figure(answer("fusion_by_count", counts), look)
        yield VIEWS["fusion_topics"].figure(apart(n), look)
        yield VIEWS["consistency"].figure(answered(n), look)
        yield VIEWS["consistency"].figure(answered(n), look, order=named(n)[::-1])
        spread = {
            "topic": named(n), "consistency": ([0.5, NAN] * n)[:n], "lowest": 0.2, "highest": 0.6, "sd": 0.1, "n": 2,
        }  # fmt: skip
        yield VIEWS["consistency_of_topics"].figure(answer("consistency_of_topics", spread), look)
        yield TOPICS_OF_SYSTEM.figure(answered(1, topics=n), look)
        ranked = {"system": named(n), "with": "<img>AP", "rho": ([0.5, NAN] * n)[:n], "p": 0.1, "n": 3}
        yield VIEWS["consistency_correlations"].figure(answer("consistency_correlations", ranked), look)
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
    assert bar["text"] == ["RBC(phi=0.9)", "CombMNZ"]


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


# Findings of fusion


PAIR = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}})


@pytest.mark.parametrize(
    ("row", "words", "verdict"),
    [
        (gained(), ["Yes:", ".027 above the best input, a."], "gain is significant"),
        (gained(p=0.3), ["Not clearly:", ".027 above"], "gain is not significant"),
        (gained(p=0.02, gain_over_best=-0.1), ["No:", ".100 below"], "loss is significant"),
        (gained(p=0.5, gain_over_best=0.0), ["No:", "like the best input, a."], ""),
        # both .559
        (gained(p=0.4, value=0.5594, gain_over_best=0.0008), ["Not clearly:", "under .001 above"], "gain is not"),
        (gained(p=0.98, value=0.5594, gain_over_best=-0.0024), ["No:", ".0024 below"], "loss is not"),  # .559 and .562
        (gained(p=NAN, method="rrf", phi=NAN), ["Yes: merging", "by reciprocal rank fusion", ".027 above"], ""),
        (gained(value=NAN, gain_over_best=NAN), ["no score"], "Check topics"),
    ],
)
def test_what_fusing_gains(row, words, verdict):
    told = gain(row, "the 5 best")
    assert [word for word in words if word.lower() not in told.headline.lower()] == []
    assert verdict in told.detail
    assert bool(verdict) == bool(told.detail)


def test_of_a_loss_tukeys_p_is_said_as_the_best_input_was_chosen_by_its_score():
    for p, p_tukey, words in (
        (0.02, 0.3, "significant (t-test over 50 topics, p = .02), but not among all inputs (Tukey's test, p = .3)."),
        (0.001, 0.02, ", also among all inputs (Tukey's test, p = .02)."), (0.3, 0.9, "loss is not significant"),
    ):  # fmt: skip
        told = gain(gained(p=p, p_tukey=p_tukey, gain_over_best=-0.1), "the 5 best")
        assert words in told.detail
        assert told.facts["p"] == p
        assert ("Tukey" in told.detail) == (p < 0.05)


@pytest.mark.parametrize(
    ("settled", "reversed_by", "only_longer", "p", "words"),
    [
        ("open", 29, False, 0.03, "p = .03), but judging 29 documents could reverse it."),
        ("open", NAN, False, 0.3, "p = .3), and judging might reverse it."),
        ("open", NAN, True, 0.3, "p = .3), and only longer rankings could reverse it."),
        ("a", NAN, False, 0.03, "p = .03), and no further judging can reverse it."),
        ("a", NAN, False, 0.3, "p = .3), though no further judging can reverse it."),
    ],
)
def test_the_box_says_what_judging_could_do(settled, reversed_by, only_longer, p, words):
    compared = {"certain_low": -0.1, "settled": settled, "reversed_by": reversed_by, "only_longer": only_longer}
    told = gain(gained(p=p), "the 5 best", compared=pd.Series(compared))
    assert told.detail.endswith(words)


def test_a_best_input_that_is_a_fused_run_says_so():
    assert "a, itself a fused run" in gain(gained(), "the 5 best", best_is_fused=True).headline
    study = PAIR.with_fused("both")
    answer = evalcore.ask(study, "fusion_scores", methods=["rbc"], phis=[0.9], metrics=["AP"], systems=["both"])
    assert "both, itself a fused run" in answer.finding.headline


def test_the_name_of_the_inputs_is_shown_as_it_is():
    assert "merging group {a} <b> by RBC(phi=0.9) scores" in gain(gained(gain_over_best=0), "group {a} <b>").headline


@pytest.mark.parametrize(
    ("rows", "facts", "words"),
    [
        ([gained(), gained(metric="P@10")], {"inputs": "both systems", "best": "a"}, "Yes:"),
        ([gained(value=NAN, gain_over_best=NAN)] * 2, {"better": 0, "highest": []}, "No fused run beats"),
        ([gained(), gained(phi=0.95, value=0.6)],
         {"better": 2, "sure": 2, "value": 0.6, "highest": ["RBC(phi=0.95)"]}, "AP, significantly."),
        ([gained(better=False), gained(phi=NAN, method="borda", gain_over_best=-0.1, better=False), gained(value=0.1)],
         {"better": 2, "sure": 1, "highest": ["RBC(phi=0.9)", "Borda"]}, "2 of 3 fused runs beat"),
        ([gained(better=False), gained(phi=0.95, value=0.6, better=False)],
         {"better": 2, "sure": 0}, "none significantly"),
        ([gained(better=False), gained(phi=0.95, gain_over_best=-0.1)],
         {"better": 1, "sure": 0}, "1 of 2 fused runs beats the best input on AP, but not significantly."),
        ([gained(better=False, p=NAN), gained(phi=0.95, value=0.6, better=False, p=NAN)],  # there is one topic
         {"better": 2}, "beat the best input on AP."),
        ([gained(system="a"), gained(system="b", value=0.1, gain_over_best=-0.1)],
         {"better": 1, "sure": 1, "highest": ["RBC(phi=0.9) over the variations of a"]}, "1 of 2"),
    ],
)  # fmt: skip
def test_the_finding_of_fusion_scores(rows, facts, words):
    told = finding("fusion_scores", rows, PAIR)
    assert told.facts.items() >= facts.items()
    assert words in told.headline


def test_numbers_of_fusion():
    tiles = VIEWS["fusion_scores"].tiles
    assert [value for _, value, _ in tiles(answer("fusion_scores", [gained()], level=0.05))] == [
        ".559", ".532", ".400", "–",
    ]  # fmt: skip
    of_p = {0.5: "not significantly (p = .5)", 0.0421: "yes (p = .042)", 2.3e-7: "yes (p < .001)"}
    for p, written in (of_p | {1: "not significantly (p = 1)"}).items():
        assert tiles(answer("fusion_scores", [gained(p_against_borda=p)], level=0.05))[3][1] == written


def test_names_of_ways_to_fuse():
    assert [way("rbc", phi) for phi in (0.95, 1.0, 0)] == ["RBC(phi=0.95)", "RBC(phi=1)", "RBC(phi=0)"]
    assert way("combmnz", NAN) == "CombMNZ"


def test_topics_of_a_fused_run():
    table = pd.DataFrame({"topic": list("1234"), "difference": [0.1, -0.2, NAN, 0.3], "system": "", "best": "s"})
    told = finding("fusion_topics", table)
    ends = {"gained_topic": "4", "gained_there": 0.3, "lost_topic": "2", "lost_there": 0.2}
    assert told.facts.items() >= ({"rankings": 3, "won": 2, "lost": 1, "best": "s"} | ends).items()
    of_rankings = finding("fusion_topics", table.assign(system=list("abcd")))
    assert of_rankings.facts.items() >= (ends | {"gained_system": "d", "lost_system": "b"}).items()
    assert "rankings" in of_rankings.headline
    assert "best" not in of_rankings.facts
    alike = table.assign(difference=[0.3, -0.2, -0.2, 0.3])
    assert "2 topics (+.300)" in finding("fusion_topics", alike).detail
    assert "2 rankings (−.200)" in finding("fusion_topics", alike.assign(system=list("abcd"))).detail
    assert "with its variations fused" in finding("fusion_topics", table, over="both").headline


@pytest.mark.parametrize(
    ("differences", "words", "ends"),
    [
        ([0.1, 0.3], "on all 2 topics", ["gain"]),
        ([-0.1, 0.0], "on no topic and loses to it on 1 of 2", ["loss"]),
        ([-0.1, -0.2], "loses to the best input, s, on all 2 topics", ["loss"]),
        ([0.0, 0.0], "the same as the best input, s, on every topic", []),
        ([0.1], "beats the best input, s, on the only topic", ["gain"]),
        ([-0.1], "loses to the best input, s, on the only topic", ["loss"]),
        ([0.0], "the same as the best input, s, on the only topic", []),
        ([NAN], "no score", []),
    ],
)
def test_topics_where_a_fused_run_never_wins_or_never_loses(differences, words, ends):
    topics = [str(n) for n, _ in enumerate(differences)]
    told = finding("fusion_topics", {"topic": topics, "difference": differences, "system": "", "best": "s"})
    assert words in told.headline.replace("both topics", "all 2 topics")
    assert [end for end in ("gain", "loss") if end in told.detail] == ends


def test_more_variations():
    table = pd.DataFrame({"system": list("abab"), "count": [1, 1, 6, 6], "value": [0.1, 0.2, 0.3, 0.4]})
    facts = {"few": 1, "few_value": pytest.approx(0.15), "many": 6, "many_value": pytest.approx(0.35), "systems": 2}
    assert finding("fusion_by_count", table).facts.items() >= facts.items()
    assert " raises " in finding("fusion_by_count", table).headline
    assert " lowers " in finding("fusion_by_count", table.assign(value=[0.3, 0.4, 0.1, 0.2])).headline
    assert " leaves " in finding("fusion_by_count", table.assign(value=0.1)).headline
    assert "no score" in finding("fusion_by_count", table.assign(value=NAN)).headline
    assert "1 variation " in finding("fusion_by_count", table[:2]).headline


def test_the_finding_of_a_fused_ranking():
    table = pd.DataFrame({"topic": "1", "document": ["d", "e", "f"], "lists": [2, 1, 1]})
    assert finding("fuse", table).facts.items() >= {"documents": 3, "alone": 2, "topic": "1"}.items()
    several = finding("fuse", table.assign(query=["1", "2", "3"]))
    assert "3 fused rankings" in several.headline
    assert "topic" not in several.facts
    assert "comes" in finding("fuse", table[:2]).headline
    assert "nothing to fuse" in finding("fuse", table[:0]).headline


def test_letters():
    assert letters([("D", 0.6), ("A", 0.5)]).facts == {"ranking": "D A"}
    tied = [("D", 23), ("B", 18), ("A", 18), ("C", 14)]
    assert letters(tied).headline == "The fused ranking is D A=B C."
    assert not letters([]).facts


def twice(**changed):
    columns = {"method": "rbc", "phi": 0.9, "metric": "AP", "single": 0.2, "over_systems": 0.3, "over_variations": 0.25}
    columns |= {"over_both": 0.4, "single_max": 0.35, "over_systems_max": 0.32, "over_variations_max": 0.38}
    return pd.DataFrame([columns | {"gain": 1.0, "gain_over_max": 0.4 / 0.35 - 1} | changed])


def test_double_fusion_gains_a_share():
    told = finding("double_fusion", twice())
    assert told.headline == (
        "Fusing variations and systems scores .400 on AP, 100% more than .200 without fusion (RBC(phi=0.9))."
    )
    assert told.detail.endswith("the best system and variation without fusion, .350.")
    assert "50% less than .200" in finding("double_fusion", twice(over_both=0.1, gain=-0.5)).headline
    assert "%" not in finding("double_fusion", twice(single=0, gain=NAN)).headline


def test_double_fusion_has_a_diamond_at_each_maximum():
    bars, diamonds, texts = VIEWS["double_fusion"].figure(answer("double_fusion", twice()), LOOKS[0])["data"]
    assert list(bars["x"]) == [0.2, 0.25, 0.3, 0.4]
    assert list(diamonds["x"]) == [0.35, 0.38, 0.32, None]
    assert texts["text"][-1].endswith("0.400 (+100%)")


# Findings of consistency


def test_overlaps():
    table = pd.DataFrame({"a": list("aab"), "b": list("bcc"), "extrapolated": [0.5, 0.5, 0.2], "system": list("sst")})
    facts = {"most": ["a", "b"], "highest": 0.5, "most_others": 1, "least": ["b", "c"], "lowest": 0.2}
    told = finding("rbo", table)
    assert told.facts.items() >= (facts | {"least_others": 0}).items()
    assert "as does 1 other pair" in told.headline
    assert "other" not in told.detail
    assert "Every pair" in finding("rbo", table[:2]).headline
    assert "a and b" in finding("rbo", table[:1]).headline
    assert not finding("rbo", table[:1]).detail
    of_queries = finding("rbo", table, variations=True)
    assert of_queries.facts.items() >= {"most": ["s"], "least": ["t"]}.items()
    assert "queries" in of_queries.headline
    assert finding("rbo", table[:1], variations=True).facts["most"] == ["s"]
    assert "two queries" in finding("rbo", table[:0], variations=True).headline


SYSTEMS = pd.DataFrame({"system": ["S4", "S1", "S2"], "consistency": [0.44, 0.3, NAN]})


@pytest.mark.parametrize(
    ("question", "names", "column"),
    [
        ("consistency_of_systems", ["S4", "S1", "S2"], "system"),
        ("consistency_of_topics", ["topic 7", "topic 27", "topic 8"], "topic"),
        ("consistency", ["topic 7", "topic 27", "topic 8"], "topic"),
    ],
)
def test_what_is_most_consistent_and_what_least(question, names, column):
    table = pd.DataFrame({"system": "a", column: [name.split()[-1] for name in names]})

    def told(*values):
        return finding(question, table[: len(values)].assign(consistency=values))

    assert told(0.44, 0.3, NAN).facts.items() >= {"most": names[:1], "least": names[1:2], "highest": 0.44}.items()
    assert told(0.44, 0.1, 0.1).facts.items() >= {"least": names[1:], "lowest": 0.1}.items()
    assert "for all" in told(0.44, 0.44).headline
    assert f"({names[0]}; 1 = identical" in told(0.44, NAN).headline
    assert "ranges" not in told(0.44, NAN).headline
    assert "two queries" in told(NAN).headline


@pytest.mark.parametrize(("values", "answer"), [([0.9, 0.8], "Mostly"), ([0.5, 0.4], "Partly"), ([0.2, 0], "Hardly")])
def test_whether_systems_are_consistent(values, answer):
    told = finding("consistency_of_systems", {"system": list("ab"), "consistency": values})
    assert told.headline.split(":")[0] == answer


def test_which_systems_differ_in_consistency():
    pairs = pd.DataFrame({"a": list("aab"), "b": list("bcc"), "difference": [0.1, 0.2, 0.1], "p": [0.2, 0.01, NAN]})

    def facts(table):
        return finding("consistency_pairs", table).facts

    assert facts(pairs) == {"apart": 1, "pairs": 3, "ahead": "a", "sure": 1}
    assert facts(pairs.assign(difference=[0.1, -0.2, 0.1])) == {"apart": 1, "pairs": 3}  # none is ahead of all
    assert facts(pairs.assign(p=0.01)) == {"apart": 3, "pairs": 3, "ahead": "a", "sure": 2}
    assert facts(pairs.assign(p=0.3)) == {"apart": 0, "pairs": 3, "ahead": "a", "sure": 0}
    assert "1 of 3 system pairs differs" in finding("consistency_pairs", pairs).headline
    assert "do not differ" in finding("consistency_pairs", pairs[:1]).headline
    tied = finding("consistency_pairs", pairs[:1].assign(p=0.01, difference=0.0))
    assert "systems differ" in tied.headline
    assert not tied.detail
    assert "fewer than two systems" in finding("consistency_pairs", pairs[:0]).headline


def test_consistency_beside_scores():
    board = pd.DataFrame({"system": ["S1", "S4"], "value": [0.2, 0.1]})
    assert beside_score(SYSTEMS, board, "AP").facts == {"consistent": ["S4"], "good": ["S1"], "metric": "AP"}
    assert beside_score(SYSTEMS, board.assign(value=1), "AP").facts["good"] == ["S4", "S1"]
    same = board.assign(value=board["value"].to_numpy()[::-1])
    assert "and the best on AP" in beside_score(SYSTEMS, same, "AP").headline
    assert "fewer than two systems" in beside_score(SYSTEMS[:1], board, "AP").headline


def test_what_correlates_with_consistency():
    table = pd.DataFrame(
        {
            "system": list("abab"), "with": ["AP", "AP", "queries", "queries"], "rho": [0.2, 0.4, 0, NAN], "p": 0.01,
            "n": [5, 4, 5, 5],
        }
    )  # fmt: skip
    told = finding("consistency_correlations", table)
    assert told.facts == {"names": ["AP"], "rho": pytest.approx(0.3), "systems": 2, "topics": 5, "fewest_topics": 4,
                          "tests": 3, "significant": 3}  # fmt: skip
    assert told.detail.startswith("3 of 3 correlations are significant after correcting for many tests (Bonferroni")
    negative = finding("consistency_correlations", table.assign(rho=[-0.5, NAN, -0.5, NAN]))
    assert negative.facts.items() >= {"names": ["AP", "the number of queries"], "rho": -0.5, "systems": 1}.items()
    assert "across 4–5 topics" in told.headline
    assert "across 5 topics" in negative.headline
    of_another = finding("consistency_correlations", table.assign(p=[0.05, 0.3, 0.01, NAN]))  # not of what is named
    assert of_another.detail.startswith("1 of 3 correlations is significant")
    by_chance = finding("consistency_correlations", table.assign(p=[0.02, 0.3, 0.5, NAN]))  # the least of three
    assert by_chance.detail.startswith("No correlation is significant after correcting")
    assert "too few or too alike" in finding("consistency_correlations", table[3:]).headline


def test_whether_topics_agree():
    rows = {"measure": ["ICC", "W", "alpha"], "value": [0.1, 0.5, -0.02], "p": [0.5, 0.04, NAN], "n": 9}
    told = finding("topic_agreement", rows)
    assert told.facts == {"topics": 9, "of": "consistency", "w": 0.5, "p": 0.04, "alpha": -0.02}
    assert "p < .001" in finding("topic_agreement", rows | {"p": [0, 0.0, NAN]}).headline
    assert "p " not in finding("topic_agreement", rows | {"p": NAN}).headline.replace("Partly", "")
    assert "same score" in finding("topic_agreement", rows | {"value": [0.1, NAN, NAN]}).headline


def test_the_best_query_variation():
    table = pd.DataFrame({"all_queries": [0.1, 0.2], "best_query": [0.2, 0.4]})
    assert finding("oracle_variation", table).facts["gain"] == pytest.approx(0.15)
    assert finding("oracle_variation", table.assign(all_queries=[0.1, NAN])).facts["gain"] == pytest.approx(0.1)
    assert "no score" in finding("oracle_variation", table.assign(all_queries=NAN)).headline


def test_the_picture_marks_the_mean_that_the_sentence_tells():
    table = pd.DataFrame({"system": list("aaabb"), "topic": list("12312"), "consistency": [0.1, 0.2, 0.9, 0.5, NAN]})
    means = VIEWS["consistency"].figure(answer("consistency", table), LOOK)["data"][-1]
    assert means["name"] == "mean over topics"
    assert means["x"] == pytest.approx([0.4, 0.5])
    assert means["y"] == [1, 2]
    told = finding("consistency_of_systems", {"system": list("ab"), "consistency": means["x"]})
    assert told.facts.items() >= {"most": ["b"], "least": ["a"], "lowest": means["x"][0]}.items()


# Facts, where topics have several queries


@st.composite
def varied_tracks(draw):
    """Runs and judgments of up to three topics with up to two queries each."""
    runs, qrels = draw(tracks(systems=3, topics=6, grades=(-1, 0, 1, 1)).filter(lambda track: any(track[0].values())))
    query = {f"t{n}": f"t{n // 2}-{n % 2 + 1}" for n in range(6)}
    runs = {system: {query[t]: scored for t, scored in run.items()} for system, run in runs.items()}
    return runs, {topic_of(query[topic]): judged for topic, judged in qrels.items()}


@pytest.mark.parametrize("question", OWN)
@settings(max_examples=examples(25), deadline=None)
@given(track=varied_tracks())
def test_the_facts_of_studies_with_variations(question, track):
    study = small_study(*track, pooled="all")
    check(study, case_of(study, *track), question)
