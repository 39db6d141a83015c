"""The finding sentences: right for none, one, many, ties and missing numbers, and never false."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.small import small_study
from ui import words

NAN = float("nan")
scores = st.floats(0, 1)


def board(*rows, kind="bounds"):
    """A leaderboard of (system, value, lower, upper)."""
    table = pd.DataFrame(rows, columns=["system", "value", "lower", "upper"])
    return table.assign(kind=kind, n=50, rank_best=1, rank_worst=len(rows), group="", pooled=True)


def at_depth(*rows, depth=10, kind="bounds", decided=0.63, judgments=13100):
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    return words.pool_depth(*columns, depth=depth, kind=kind, decided=decided, judgments=judgments)


# ---- numbers in words


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.604, ".604"), (1, "1.000"), (0, ".000"), (-0.012, "−.012"), (NAN, "unknown"), (None, "unknown")],
)
def test_scores_have_three_digits_and_no_zero(value, said):
    assert words.score(value) == said


@given(scores)
def test_limits_are_rounded_away_from_the_score(value):
    assert float(words.at_least(value)) <= value + 1e-8
    assert float(words.at_most(value)) >= value - 1e-8
    assert float(words.at_most(value)) - float(words.at_least(value)) < 0.0011


def test_a_limit_that_is_short_already_stays():
    assert (words.at_least(0.604), words.at_most(0.604)) == (".604", ".604")
    assert (words.at_least(3 * 0.1), words.at_most(3 * 0.1)) == (".300", ".300")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.63, "63%"),
        (1e-5, "less than 1%"),
        (0.9999, "more than 99%"),
        (NAN, "an unknown share"),
    ],
)
def test_a_share_is_never_rounded_to_none_or_all(part, said):
    assert words.share(part) == said


def test_percent_is_short_enough_for_a_number():
    assert [words.percent(part) for part in (0.63, 0.001, 0.999, NAN)] == ["63%", "<1%", ">99%", "–"]


def test_counts_and_their_nouns():
    assert words.count(0, "system") == "no systems"
    assert words.count(1, "system") == "one system"
    assert words.count(12, "system") == "twelve systems"
    assert words.count(1300, "query", "queries") == "1,300 queries"
    assert words.digits(1, "topic") == "1 topic"
    assert words.digits(33080, "judgment") == "33,080 judgments"


def test_names_in_a_row():
    assert words.listed([]) == ""
    assert words.listed("A") == "A"
    assert words.listed("AB") == "A and B"
    assert words.listed("ABC") == "A, B and C"
    assert words.listed("ABCDE") == "A, B and 3 others"


# ---- Pool depth


def test_many_systems_at_a_depth():
    rows = [("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.65), ("C", 0.1, 0.1, 0.2)]
    said = at_depth(*rows)
    assert said.startswith("At depth 10, the intervals of 63% of pairs do not touch; ")
    assert said.endswith("; that of one system still touches the leader's (A); 13,100 judgments.")


def test_intervals_that_just_meet_still_touch():
    rows = [("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.6), ("C", 0.5, 0.5, 0.6), ("D", 0, 0, 0.1)]
    assert "those of two systems still touch the leader's (A)" in at_depth(*rows)


def test_nobody_touches_the_leader():
    rows = [("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.55)]
    said = at_depth(*rows, decided=1, judgments=1)
    assert said == "At depth 10, no two intervals touch; none touches the leader's (A); 1 judgment."


def test_everybody_touches_everybody():
    rows = [("A", 0.6, 0.6, 0.9), ("B", 0.5, 0.5, 0.8), ("C", 0.4, 0.4, 0.7)]
    said = at_depth(*rows, decided=0, depth=None)
    start = "With all judgments, the intervals of every pair of systems touch; "
    assert said == start + "A is ahead with .600, which the intervals do not settle; 13,100 judgments."


def test_all_tied():
    rows = [(name, 0.5, 0.5, 0.7) for name in "ABC"]
    assert "all 3 systems share the same score, .500" in at_depth(*rows, decided=0)
    assert "both systems share the same score, .500" in at_depth(*rows[:2], decided=0)
    assert "A and B share first place with .500" in at_depth(*rows[:2], ("C", 0.4, 0.4, 0.6), decided=0)


def test_one_system_at_a_depth():
    assert at_depth(("A", 0.6, 0.6, 0.7), decided=NAN) == (
        "At depth 10, A scores at least .600 and at most .700; 13,100 judgments."
    )
    assert "A scores exactly .600" in at_depth(("A", 0.6, 0.6, 0.6), decided=NAN)


def test_a_guide_is_not_called_an_interval():
    rows = [("A", 0.6, 0.6, 0.7), ("B", 0.5, 0.5, 0.55), ("C", 0.5, 0.5, 0.65)]
    said = at_depth(*rows, kind="guide")
    assert "the guides of 63% of pairs do not touch" in said
    assert "interval" not in said
    assert "certain" not in at_depth(*rows[:1], kind="guide")
    assert "least" not in at_depth(*rows[:1], kind="guide")


def test_a_measure_without_interval():
    rows = [("A", 0.6, NAN, NAN), ("B", 0.5, NAN, NAN)]
    assert at_depth(*rows, kind="point", decided=NAN) == (
        "At depth 10, A leads with .600, without an interval; 13,100 judgments."
    )


def test_no_score_and_no_system():
    assert at_depth(("A", NAN, NAN, NAN)) == "At depth 10, no system has a score."
    assert at_depth() == "At depth 10, no system has a score."


@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=8), st.floats(0, 1))
def test_who_reaches_the_leader_is_counted_right(ends, decided):
    rows = [(f"s{i}", min(pair), min(pair), max(pair)) for i, pair in enumerate(ends)]
    best = max(value for _, value, _, _ in rows)
    leaders = [row for row in rows if row[1] == best]
    said = at_depth(*rows, decided=decided)
    reach = sum(upper >= best for _, _, _, upper in rows) - 1
    if len(leaders) > 1 or decided == 0:
        return
    if reach == 0:
        assert "none touches" in said
    elif reach == len(rows) - 1 and reach > 1:
        assert "those of all other systems" in said
    else:
        assert f"of {words.count(reach, 'system')} still touch" in said


# ---- Scores


def test_the_leader_and_those_below():
    table = board(("A", 0.604, 0.604, 0.665), ("B", 0.5, 0.5, 0.62), ("C", 0.1, 0.1, 0.2), ("D", 0.1, 0.1, 0.3))
    said = "A scores at least .604 and at most .665; the intervals of two of the 3 others end below it."
    assert words.scores(table) == said


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([("B", 0.1, 0.1, 0.2)], "; the interval of the other ends below it."),
        ([("B", 0.1, 0.1, 0.9)], "; the interval of the other reaches it."),
        ([("B", 0.1, 0.1, 0.2), ("C", 0.1, 0.1, 0.2)], "; the intervals of both others end below it."),
        ([("B", 0.1, 0.1, 0.9), ("C", 0.1, 0.1, 0.9)], "; the intervals of both others reach it."),
        ([("B", 0.1, 0.1, 0.2)] * 3, "; the intervals of all 3 others end below it."),
        ([], "."),
    ],
)
def test_how_many_intervals_end_below(others, said):
    assert words.scores(board(("A", 0.5, 0.5, 0.6), *others)) == "A scores at least .500 and at most .600" + said


def test_all_systems_are_both_or_counted():
    said = [words.everyone(n) for n in (1, 2, 3, 1000)]
    assert said == ["the one system", "both systems", "all 3 systems", "all 1,000 systems"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"metric": "P@5", "depth": None}, "Measured by P@5."),
        ({"metric": "P@5", "depth": 3, "estimator": "rm"},
         "Measured by P@5, unjudged documents guessed by rm, at pool depth 3."),
        ({"metric": "P@5", "unjudged": "condensed"}, "Measured by P@5, unjudged documents taken out."),
        ({"metrics": ["AP", "RR"]}, "Measured by AP and RR."),
        ({"k": 10}, ""),
    ],
)  # fmt: skip
def test_what_a_table_was_measured_by(params, said):
    assert words.measured_by(params) == said


def test_touching_is_not_below():
    assert "the interval of the other reaches it" in words.scores(board(("A", 0.5, 0.5, 0.6), ("B", 0.4, 0.4, 0.5)))


def test_stops_are_said_when_some_depths_are_left_out():
    assert words.stops_at([1, 2, 3, None], 3, "P@5") is None
    assert words.stops_at([1, 3, 10, None], 10, "AP") == (
        "AP is scored anew at every stop, so the slider stops only at 1, 3 and 10, and at all judgments."
    )


def test_leaders_that_tie():
    rows = [("A", 0.5, 0.5, 0.6), ("B", 0.5, 0.5, 0.6)]
    three = board(*rows, ("C", 0.1, 0.1, 0.2)).assign(rank_best=[1, 1, 3])
    assert words.scores(three) == "A and B share first place with .500; by their intervals 2 systems could be first."
    assert words.scores(three.assign(kind="guide")) == (
        "A and B share first place with .500; a guide is not a bound, so nothing here is certain."
    )
    assert words.scores(three.assign(kind="point", lower=NAN, upper=NAN)) == (
        "A and B share first place with .500; this measure has no interval."
    )
    assert words.scores(board(*rows)) == "Both systems share the same score, .500."
    assert words.scores(board(*rows, ("C", 0.5, 0.5, 0.6))) == "All 3 systems share the same score, .500."


def test_nothing_is_certain_of_a_guide():
    said = words.scores(board(("A", 0.6, 0.6, 0.7), ("B", 0.1, 0.1, 0.2), kind="guide"))
    assert said == "A leads 2 systems with .600; its guide, .600 to .700, is not a bound, so nothing here is certain."


def test_points_and_nothing():
    assert words.scores(board(("A", 0.6, NAN, NAN), ("B", 0.1, NAN, NAN), kind="point")) == (
        "A leads 2 systems with .600; this measure has no interval."
    )
    assert words.scores(board(("A", 0.6, NAN, NAN), kind="point")) == "A scores .600; this measure has no interval."
    assert words.scores(board()) == "No system has a score here."
    assert words.scores(board(("A", NAN, NAN, NAN))) == "No system has a score here."


def test_numbers_of_a_leaderboard():
    values = [value for _, value, _ in words.leaderboard_numbers(board(("A", 0.5, 0.5, 0.6)))]
    assert values == ["1", "50", "1", ".100"]
    assert [value for _, value, _ in words.leaderboard_numbers(board())] == ["0", "0", "–", "–"]
    uneven = board(("A", 0.5, NAN, NAN), ("B", 0.4, NAN, NAN), kind="point").assign(n=[50, 48])
    assert [value for _, value, _ in words.leaderboard_numbers(uneven)] == ["2", "48–50", "–", "–"]


def topics(*rows, kind="bounds"):
    return pd.DataFrame(rows, columns=["topic", "value", "lower", "upper"]).assign(system="A", kind=kind)


def test_topics_of_a_system():
    said = words.topics_of(topics(("301", 0.9, 0.9, 0.9), ("302", 0.1, 0.1, 0.5)))
    assert said == (
        "A does best on topic 301 (.900) and worst on topic 302 (.100); topic 302 is the most uncertain (.400 wide)."
    )
    assert words.topics_of(topics(("301", 0.9, 0.9, 1))) == (
        "On its only topic, 301, A scores at least .900 and at most 1.000."
    )
    level = topics(("1", 0.2, 0.2, 0.2), ("2", 0.2, 0.2, 0.2))
    assert words.topics_of(level) == "A scores .200 on all of its 2 topics."
    assert "uncertain" not in words.topics_of(topics(("1", 0.3, NAN, NAN), ("2", 0.2, NAN, NAN), kind="point"))
    assert words.topics_of(topics()) == "This system has no score on any topic."
    assert words.topics_of(topics(("1", NAN, NAN, NAN))) == "This system has no score on any topic."


def documents(gains, lower=0.2, upper=0.6):
    ranks = range(1, len(gains) + 1)
    return pd.DataFrame({"rank": ranks, "gain": gains, "grade": gains, "lower": lower, "upper": upper})


def test_one_ranking():
    said = words.ranking(documents([1.0, NAN, 0.0]))
    assert said == (
        "Of the first 3 documents, one is relevant and one is unjudged; "
        "down to rank 3 it scores at least .200 and at most .600."
    )
    assert "none is relevant and two are unjudged" in words.ranking(documents([NAN, NAN, 0.0]))
    assert words.ranking(documents([1.0], NAN, NAN)) == "The only document is relevant."
    assert words.ranking(documents([NAN], NAN, NAN)) == "The only document is unjudged."
    assert words.ranking(documents([0.0], NAN, NAN)) == "The only document is judged not relevant."
    assert words.ranking(documents([])) == "This system returned nothing for this topic."
    assert "least" not in words.ranking(documents([1.0, 0.0]), "guide")


def test_ties():
    table = pd.DataFrame({"system": ["A", "B"], "lowest": [0.1, 0.3], "value": [0.2, 0.3], "highest": [0.4, 0.3]})
    said = "One system would score otherwise with another order of tied documents; most of all A, from .100 to .400."
    assert words.ties(table) == said
    none = "The order of documents with tied scores moves no system's score."
    assert words.ties(table[1:]) == none
    assert words.ties(table[:0]) == none


# ---- Data


def data(systems=2, judged=(0.5, 1.0), judgments=(100, 20), severities=("warning", "note")):
    return (
        pd.DataFrame({"system": range(systems), "pooled": True}),
        pd.DataFrame({"topic": range(len(judgments)), "judged": judgments, "relevant": 1}),
        pd.DataFrame({"judged": judged, "k": 10}),
        pd.DataFrame({"severity": severities, "check": "a check", "message": "This."}),
    )


def test_data_in_a_sentence():
    judged = "25% of the first 10 ranks hold no judged document"
    assert words.data(*data()) == f"2 systems, 2 topics, 120 judgments; {judged}; the checks give one warning."
    assert words.data(*data(systems=0)) == "No run could be read."
    assert words.data(*data(judgments=(0, 0))) == "2 systems, 2 topics; no judgment says anything about them yet."
    complete = words.data(*data(judged=(1, 1), severities=()))
    assert "everything in the first 10 ranks is judged; no check found" in complete
    assert "the checks give one error and two warnings" in words.data(*data(severities=("error", "warning", "warning")))
    assert "rank" not in words.data(*data(judged=(NAN, NAN)))


def test_numbers_of_the_data_page():
    assert [value for _, value, _ in words.data_numbers(*data()[:3])] == ["2", "2", "120", "75%"]


def test_findings_by_check():
    table = data(severities=("warning", "warning", "note"))[3].assign(check=["a", "a", "assumed"])
    rows = words.by_check(table)
    assert list(rows["message"]) == ["This. (The same check found 1 more such thing.)"]
    assert words.assumptions(table) == ["This."]
    assert len(words.by_check(table[:0])) == 0


def test_a_guess_is_named_with_the_measure():
    assert words.measured({"metric": "AP", "estimator": "lower"}) == "AP"
    assert words.measured({"metric": "AP", "estimator": "rm"}) == "AP, rm"
    assert words.measured({"metric": "AP"}) == "AP"


def test_nothing_says_nan():
    assert "nan" not in words.data(*data(judged=()))
    assert "nan" not in words.interval(NAN, NAN)


# ---- Estimators


def errors_at(**rmse):
    columns = {"estimator": list(rmse), "rmse": list(rmse.values()), "accuracy": [30.0] * len(rmse)}
    return pd.DataFrame({**columns, "mean_reference": 0.4, "mean_estimate": 0.39})


@pytest.mark.parametrize(
    ("rmse", "said"),
    [
        (
            {"lower": 0.045, "rm": 0.0393},
            "At depth 5, the guess rm comes closest of the two compared, missing by .039 on average (RMSE); "
            "taking unjudged documents as not relevant misses by .045.",
        ),
        (
            {"lower": 0.03, "rm": 0.05, "linear": 0.04},
            "At depth 5, taking unjudged documents as not relevant comes closest of the three compared, "
            "missing by .030 on average (RMSE); "
            "the best guess of these, linear, misses by .040.",
        ),
        (
            {"rm": 0.03, "lower": 0.03},
            "At depth 5, taking unjudged documents as not relevant comes closest of the two compared, missing by .030 "
            "on average (RMSE); the guess rm misses by .030.",
        ),
        ({"rm": 0.05}, "At depth 5, the guess rm misses by .050 on average (RMSE)."),
        (
            {"rm": 0.05, "linear": 0.04},
            "At depth 5, the guess linear comes closest of the two compared, missing by .040 on average (RMSE).",
        ),
        ({"rm": NAN}, "There is nothing to compare."),
    ],
)
def test_estimators(rmse, said):
    assert words.estimators(errors_at(**rmse), 5) == said


def test_estimates_are_inside_above_or_below():
    table = pd.DataFrame({"value": [0.5, 0.9, 0.1], "reference": 0.4, "reference_upper": [0.6, 0.6, 0.6]})
    assert words.estimates(table, "rm") == (
        "The guess rm puts 1 system of 3 inside what the deeper judgments leave possible, 1 above it and 1 below it; "
        "that is .200 wide on average."
    )
    assert words.estimates(table[:1], "lower").endswith("leave possible; that is .200 wide on average.")


def test_coverage():
    table = pd.DataFrame({"adjusted": [True, False, False]})
    assert words.coverage(table, 0.018) == (
        "1 topic of 3 has a gamma above 0.018 and is adjusted; the others stay at their lower end."
    )
    assert words.coverage(table.assign(adjusted=True), 0) == "A threshold of 0 adjusts all 3 topics."


def test_constants():
    rows = [(0.42, 0.01, 0.08, False), (0.6, 0.02, 0.07, True)]
    table = pd.DataFrame(rows, columns=["C", "E", "rmse_plain", "best"])
    assert words.constants(table, "interpolated", {"C": 0.42, "E": 0.01}) == (
        "Over pools of 1/64 to 1/2 of the judgments, interpolated comes closest with C = 0.6 and E = 0.02 (plain RMSE "
        ".070); the published C = 0.42 and E = 0.01 give .080."
    )


@pytest.mark.parametrize(
    ("inferred", "said"),
    [
        (0.04, "With 200 more judgments drawn at random, InfRBP comes closest, missing by .040; the shallow pool alone "
               "misses by .060."),
        (0.09, "The shallow pool alone comes closest, missing by .060; the sample of 200 more judgments does not "
               "help."),
    ],
)  # fmt: skip
def test_two_strata(inferred, said):
    table = pd.DataFrame(
        {"estimator": ["pool", "InfRBP", "infAP"], "rmse": [0.06, inferred, 0.01], "judgments": [300, 500, 500]}
    )
    assert words.two_strata(table) == said


# ---- Orderings


def agreement(a="depth=5", b="AP", tau=0.8, distance=0.09, inversions=12):
    return {"a": a, "b": b, "tau": tau, "tau_distance": distance, "inversions": inversions}


@pytest.mark.parametrize(
    ("row", "certain", "said"),
    [
        (agreement(), 0, "depth=5 and AP order 91% of pairs alike or tied; twelve pairs swap, none of them certain by "
                         "depth=5."),
        (agreement(inversions=1), 1, "depth=5 and AP order 91% of pairs alike or tied; one pair swaps, one of them "
                                     "certain by depth=5."),
        (agreement(tau=1, distance=0, inversions=0), 0, "No pair of systems swaps between depth=5 and AP; tau is "
                                                        "1.000."),
        (agreement(b="depth=5"), 0, "A regime agrees with itself; choose two."),
        (agreement(tau=NAN), 0, "depth=5 and AP have too few systems in common to be compared."),
    ],
)  # fmt: skip
def test_orderings(row, certain, said):
    assert words.orderings(row, pd.DataFrame({"certain": [True] * certain + [False]})) == said


def test_pairs_are_certain_likely_or_open():
    table = pd.DataFrame({"verdict": ["certain", "certain", "likely", "open"], "certain_low": 0.1})
    assert words.pairs(table, {"level": 0.05}) == (
        "Of 4 pairs, 2 are certain whatever further judging finds, 1 more is likely, and 1 is open."
    )
    assert words.pairs(table.assign(certain_low=NAN)[2:], {"level": 0.05}) == (
        "Of 2 pairs, 1 is significant at .050; this measure makes none certain."
    )


def test_separability():
    rows = [("lower", 100, 0.6, 0.02), ("lower", 400, 0.8, 0.0), ("rm", 100, 0.1, 0.1)]
    table = pd.DataFrame(rows, columns=["estimator", "judgments", "separable", "reversed"])
    assert words.separability(table) == (
        "With 100 judgments, 60% of pairs are separable (p < .01) and 2% of pairs are taken back by all judgments; "
        "with all 400, 80% are separable."
    )


def test_p_values():
    quadrants = ["separable only with few judgments", "separable only with all judgments", "separable in both"]
    assert words.p_values(pd.DataFrame({"quadrant": quadrants}), "pool depth 7") == (
        "Of 3 pairs, 1 is significant (p < .01) at pool depth 7 and not with all judgments; 1 needs all judgments to "
        "be told apart."
    )


# ---- Confidence


@pytest.mark.parametrize(
    ("top", "params", "said"),
    [
        ([True, False, False], {"model": "MD6", "shards": 5},
         "MD6 with 5 shards tells 67% of pairs apart on one cut of the documents (62% of pairs on average "
         "over random cuts); one system is best, a."),
        ([True, True, False], {"model": "MD1", "shards": 5},
         "MD1 tells 67% of pairs apart; one other system cannot be told apart from the best, a."),
        ([True, True, True], {"model": "MD2", "shards": 2},
         "MD2 with 2 shards tells 67% of pairs apart on one cut of the documents (50% of pairs on average "
         "over random cuts); no system stands out."),
    ],
)  # fmt: skip
def test_confidence(top, params, said):
    pairs = pd.DataFrame({"significant": [True, True, False]})
    board = pd.DataFrame({"system": list("abc"), "in_top_group": top})
    compared = pd.DataFrame({"model": ["MD1", "MD2", "MD6"], "share_significant": [0.67, 0.5, 0.62]})
    assert words.confidence(pairs, board, compared, params) == said


def test_where_nothing_differs_nothing_is_told_apart():
    board = pd.DataFrame({"system": list("ab"), "in_top_group": True})
    none = pd.DataFrame({"significant": [False]})
    compared = pd.DataFrame({"model": ["MD1", "MD6"], "share_significant": [0.0, 0.3]})
    said = [words.confidence(none, board, compared, {"model": model, "shards": 5}) for model in ("MD1", "MD6")]
    assert said == [
        "MD1 tells no two systems apart.",
        "MD6 with 5 shards tells no two systems apart on one cut of the documents (30% of pairs on average over random "
        "cuts).",
    ]
    assert (
        words.variance(["topic", "error"], [NAN, NAN]) == "All scores are the same, so there is no variance to divide."
    )


def test_a_guess_without_any_topic_has_no_number():
    assert words.estimator_numbers(errors_at(rm=NAN))[0][1] == "–"


def test_what_sharding_buys():
    table = pd.DataFrame({"model": ["MD1", "MD6"], "share_significant": [0.41, 0.72], "tau": [1.0, 0.95]})
    assert words.models(table) == (
        "On the whole collection (MD1) 41% of pairs are told apart, over shards (MD6) 72% on average over "
        "random cuts; their orderings have tau .950 on average."
    )
    assert words.models(table[:1]) == "Compare MD1 with a model over shards."


def test_where_the_variance_lies():
    assert words.variance(["topic", "system", "error"], [0.5, 0.2, 0.3]) == (
        "50% lies in topics and 30% lies in what no effect explains."
    )


def test_stability():
    table = pd.DataFrame({"shards": [2, 10], "tau": [0.99, 0.97], "common": [0.8, NAN]})
    assert words.stability(table) == (
        "With 2 shards the ordering has tau .990 with the whole, with 10 .970; 80% of the significant pairs of 2 "
        "shards are significant on every partition."
    )
    assert words.stability(table.assign(common=NAN)).endswith("with 10 .970.")


def test_what_undefined_cells_change():
    before = pd.DataFrame({"model": ["MD1", "MD5", "MD6"], "significant": [3.0, 5.0, 7.0], "undefined": [0, 4, 4]})
    after = before.assign(significant=[3.0, 6.0, 7.0])
    assert words.undefined(before, after, 0.5) == (
        "On average 4 shards of topics hold no relevant document. With 0.5 there in place of 0, MD5 tells other "
        "numbers of pairs apart; MD1 and MD6 tell the same."
    )
    assert words.undefined(before, before, 0.5).endswith("in place of 0, nothing changes.")
    assert words.undefined(before, after.assign(undefined=0), 0.5).startswith("Every shard holds")


# ---- New systems


def left_out(*rows):
    columns = ["system", "left_out", "value", "value_without", "rank", "rank_without", "unique_relevant"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize(
    ("rows", "by", "said"),
    [
        ([("a", "a", 0.5, 0.48, 1, 1, 2), ("b", "b", 0.4, 0.38, 2, 11, 3)], "run",
         "Left out, a system loses .020 on average; b falls nine places, from 2 to 11."),
        ([("a", "G", 0.5, 0.45, 1, 1, 2)], "group",
         "Left out, a system whose group is left out loses .050 on average; none falls in the ordering."),
        ([("a", "a", 0.5, 0.52, 2, 1, 2)], "run",
         "Left out, a system gains .020 on average; none falls in the ordering."),
        ([], "run", "No system that helped to build the pool has a score."),
    ],
)  # fmt: skip
def test_left_out(rows, by, said):
    assert words.left_out(left_out(*rows), by) == said


def test_what_one_alone_found_is_counted_once_a_group():
    table = left_out(("a", "G", 0.5, 0.4, 1, 2, 7), ("b", "G", 0.4, 0.4, 2, 2, 7))
    assert [value for _, value, _ in words.left_out_numbers(table)] == [".050", ".100", "1", "7"]


def test_widths():
    table = pd.DataFrame({"width": [2, 40], "mean": [0.283, 0.022]})
    assert words.widths(table) == "A pool of 2 systems takes .283 from one more on average, one of 40 .022."
    assert words.widths(table[:1]) == "A pool of 2 systems takes .283 from one more on average."


def test_adjusted():
    row = {"system": "a", "unadjusted": 0.2, "adjusted": 0.25, "lower": 0.24, "upper": 0.26}
    assert words.adjusted(row, "the other systems") == (
        "From the other systems, a scores .250 instead of .200, between .240 and .260 (t interval)."
    )
    assert words.adjusted({**row, "adjusted": 0.2001}, "10 common topics") == (
        "From 10 common topics nothing is to be corrected: a scores .200."
    )
    assert words.adjusted({**row, "lower": NAN, "helps_over_unadjusted": False}, "10 common topics") == (
        "From 10 common topics, a scores .250 instead of .200; correcting may not help."
    )


def test_the_hardest_hit_come_first():
    assert words.hardest_hit(left_out(("a", "a", 0.5, 0.4, 1, 2, 7), ("b", "b", 0.4, 0.2, 2, 2, 7))) == ["b", "a"]


def test_a_newcomer():
    table = pd.DataFrame({"reading": ["unadjusted", "from topics", "true"], "value": [0.2, 0.28, 0.3]})
    assert words.newcomer(table, "a") == (
        "Had a come too late, it would score .200 in place of .300; closest comes “corrected from common topics” with "
        ".280."
    )
    assert words.newcomer(table.assign(value=NAN), "a") == "No topic counts for a."
    assert words.newcomer(table[:1], "a") == "a was not pooled, so its true score is not known: left as it is .200."


def test_the_experiment():
    row = {"width": [2], "common": [10], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.15, "from_topics": 0.01}
    assert words.experiment(pd.DataFrame(row)) == (
        "Correcting from topics comes closest: with 2 systems in the pool and 10 common topics it is off by .010 on "
        "average; leaving it as it is .200, taking true scores on the common topics .100 and correcting from systems "
        ".150."
    )


# ---- Judgments


def health(relevant=(3, 0), missing=(0.2, NAN)):
    return pd.DataFrame({"relevant": relevant, "still_missing": missing, "judged": 10})


def audited(looks=(True, False), pooled=(True, False), depths=(7, 0)):
    return pd.DataFrame({"system": list("ab"), "looks_pooled": looks, "pooled": pooled, "depth_by_score": depths})


def holes(*documents):
    return pd.DataFrame({"topic": "1", "document": list(documents), "system": "a"})


def suspected(*kinds):
    return pd.DataFrame({"kind": list(kinds)})


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ((health(), None, suspected()),
         "No document that most good systems rank at the top was judged not relevant; one topic has nothing relevant."),
        ((health((3, 4), (2.6, NAN)), holes(*"xxy"), suspected("not relevant", "not relevant", "relevant")),
         "Two documents that most good systems rank in their first ten were judged not relevant; about 3 relevant "
         "documents may still be missing; the pool has two holes."),
        ((health((3, 0), (0.9, NAN)), None, suspected("not relevant")),
         "One document that most good systems rank in their first ten was judged not relevant; about 1 relevant "
         "document may still be missing; one topic has nothing relevant."),
    ],
)  # fmt: skip
def test_judgments(tables, said):
    assert words.judgments(*tables, 10) == said


def test_where_nothing_is_judged_nothing_is_trusted():
    said = words.judgments(health((), ()), None, suspected(), 10)
    assert said == "Nothing is judged, so there is nothing to trust or to doubt."


def test_few_systems_are_no_witnesses():
    said = words.judgments(health((3, 4), (NAN, NAN)), None, suspected("not relevant"), 5)
    assert said == "Five systems are too few to suspect single judgments."


def test_numbers_of_judgments():
    assert [value for _, value, _ in words.judgment_numbers(health(), holes("x"))] == ["20", "3", "0", "1"]
    assert [value for _, value, _ in words.judgment_numbers(health()[:0], None)] == ["0", "0", "–", "0"]


def test_the_audit():
    beware = "Files cannot tell a pooled system from one whose documents all happen to be judged."
    assert words.audit(audited()) == f"1 of 2 systems looks pooled, judged without a gap down to rank 7. {beware}"
    both = audited((True, True), depths=(5, 7))
    assert words.audit(both) == (
        f"2 of 2 systems look pooled, judged without a gap down to rank 5 to 7; b was not pooled. {beware}"
    )
    assert words.audit(audited((False, False))) == "The files do not show which systems were pooled."


def agreed(**more):
    row = {"topic": "all", "both": 200, "first_alone": 0, "second_alone": 0, "same": 100, "kappa": 0.35, "shift": 0.2}
    return pd.DataFrame([row | more])


def scales(highest, other):
    return pd.DataFrame({"grade": [0, highest, 9], "grade_other": [0, other, 9], "count": [5, 1, 0]})


@pytest.mark.parametrize(
    ("more", "scale", "by_grade", "said"),
    [
        ({}, (3, 3), True, "The two give the same grade to 50% of the 200 documents that both judge (kappa .350); the "
         "second grades .200 higher on average."),
        ({"kappa": NAN, "shift": 0.0}, (3, 3), True,
         "The two give the same grade to 50% of the 200 documents that both judge."),
        ({}, (3, 1), True, "The two give the same grade to 50% of the 200 documents that both judge (kappa .350); "
         "their scales differ, so say from which grade on the second finds a document relevant."),
        ({"first_alone": 2000, "second_alone": 1}, (3, 1), False,
         "The two agree on the relevance of 50% of the 200 documents that both judge (kappa .350). Judged by one "
         "alone: 2,000 by these judgments and 1 by the second."),
    ],
)  # fmt: skip
def test_agreement(more, scale, by_grade, said):
    assert words.agreement(agreed(**more), scales(*scale), by_grade=by_grade) == said


def test_what_a_second_opinion_changes():
    table = pd.DataFrame({"system": list("abc"), "rank": [1, 2, 3], "rank_other": [1, 3, 2]})
    assert words.agreement_effect(table, "AP") == (
        "By AP and the second judgments, 2 of 3 systems change places; c gains most, from 3 to 2; b loses most, from 2 "
        "to 3."
    )
    assert words.agreement_effect(table, "AP", 1200).endswith(
        "to 3. The second leaves 1,200 of these documents unjudged, which may move systems too."
    )
    assert words.agreement_effect(table.assign(rank_other=[1, 2, 3]), "AP") == "By AP every system keeps its place."
    assert words.agreement_effect(table.assign(rank_other=NAN), "AP") == "By AP every system keeps its place."
    assert words.agreement_effect(table.assign(rank=[1, 1, 3], rank_other=[1, 2, 3]), "AP") == (
        "By AP and the second judgments, 1 of 3 systems changes its place; b loses most, from 1 to 2."
    )


def test_what_to_judge_next():
    table = pd.DataFrame({"topic": ["7"], "document": ["d"], "systems": [1], "width_left": [0.12]})
    assert words.judge_next(table, "P@10") == (
        "Judge d of topic 7 first, which one system has. After this one document the intervals of P@10 are still .120 "
        "wide on average."
    )
    assert words.judge_next(table[:0], "P@10") == "No unjudged document counts for P@10 on a judged topic."


def test_orders_of_judging():
    table = pd.DataFrame({"order": ["depth", "weight"] * 2, "judgments": [10, 10, 20, 20], "relevant": [3, 5, 6, 6]})
    assert words.judging_orders(table) == ("After 10 judgments weight has found 5 relevant documents, depth 3.")
    same = table.assign(relevant=4)
    assert words.judging_orders(same) == "After 10 judgments all orders have found as many relevant documents."


# ---- Fusion and Consistency


def gained(**more):
    row = {"method": "rbc", "value": 0.559, "best_input": 0.532, "mean_input": 0.4, "gain_over_best": 0.027, "p": 0.03}
    return row | {"p_against_borda": NAN, "n": 50} | more


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (gained(), "RBC over the best 5 scores .559, 5% above the best of them (p = 0.03)."),
        (gained(gain_over_best=-0.1, p=0.9), "RBC over the best 5 scores .559, 19% below the best of them."),
        (gained(gain_over_best=0.0), "RBC over the best 5 scores .559, as the best of them does."),
        (gained(p=NAN, method="rrf"),
         "reciprocal rank fusion over the best 5 scores .559, 5% above the best of them."),
        (gained(best_input=0.0), "RBC over the best 5 scores .559."),
        (gained(value=NAN), "RBC over the best 5 has no score: no topic counts."),
    ],
)  # fmt: skip
def test_fusion(row, said):
    assert words.fusion(row, "the best 5") == said


def test_numbers_of_fusion():
    assert [value for _, value, _ in words.fusion_numbers(gained())] == [".559", ".532", ".400", "–"]
    assert words.fusion_numbers(gained(p_against_borda=0.5))[3][1] == "0.5"


def test_names_of_ways_to_fuse():
    assert words.fusion_rule("rbc(phi=0.95)") == "RBC, persistence .95"
    assert words.fusion_rule("borda") == "Borda"
    assert words.method_and_phi("rbc", 0.95) == "RBC .95"
    assert words.method_and_phi("combmnz", NAN) == "CombMNZ"


def test_topics_of_a_fused_run():
    table = pd.DataFrame({"topic": ["1", "2", "3"], "difference": [0.1, -0.2, NAN]})
    assert words.fusion_topics(table) == (
        "The fused ranking is better than the best input on one topic and worse on one; it loses most on topic 2, .200."
    )
    assert words.fusion_topics(table[:1]).endswith("on one topic and worse on none.")
    assert words.fusion_topics(table[2:]) == "On no topic does the fused ranking differ from the best input."


def test_the_report():
    assert words.report([], 10).startswith("No page has said anything of this study yet")
    assert words.report(["Scores"], 10) == "Scores has said what it finds; nine of ten pages have said nothing yet."
    said = "Data, Pool depth and 2 others have said what they find; one of five pages has said nothing yet."
    assert words.report(["Data", "Pool depth", "Scores", "Fusion"], 5) == said
    assert words.report(["Data", "Scores"], 2) == "All two pages have said what they find in this study."


def settled(study):
    return dict(words.settings(study.options, study.scope))


def two_systems(**options):
    return small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}}, **options)


def test_settings_are_said_in_words():
    said = settled(two_systems())
    assert said["Order of a run"] == "by score, as trec_eval"
    assert said["Gain of a grade"] == "binary"
    assert said["Relevant from grade"] == 1
    assert said["Contributed to the pool"].startswith("those that the systems table names")
    assert set(words.SETTLED) == set(two_systems().options)


@pytest.mark.parametrize(
    ("options", "label", "how"),
    [
        ({"gains": {0: 0.0, 1: 0.5}}, "Gain of a grade", "grade 0: 0, grade 1: 0.5"),
        ({"pooled": "all"}, "Contributed to the pool", "all systems"),
        ({"pooled": ["a"]}, "Contributed to the pool", "a"),
        ({"empty": "not relevant"}, "Ranks past a list's end", "not relevant"),
        ({"average": "common"}, "Means over", "topics that both have"),
        ({"negative": "judged"}, "Negative grades", "all not relevant"),
        ({"order": "rank"}, "Order of a run", "by the file's rank column"),
        ({"duplicates": "refuse"}, "A document twice in a list", "refused"),
    ],
)
def test_a_setting_is_said_in_words(options, label, how):
    assert settled(two_systems(**options))[label] == how


def test_the_scope_is_said_in_words():
    study = two_systems().with_fused("f", systems=["a", "b"], phi=0.8).only(systems=["a", "b", "f"], topics=["t"])
    said = settled(study.without_contribution_of(["b"]))
    assert said["Fused run f"] == "RBC of 2 systems, persistence .8"
    assert said["Only these systems"] == "a, b and f"
    assert said["Only these topics"] == "t"
    assert said["Taken out of the pool"] == "b"
    study = two_systems().with_fused("g", method="combmnz", k=7, weights=[1, 2], pooled=True)
    assert settled(study)["Fused run g"] == (
        "CombMNZ of all systems, min-max normalisation, 7 documents at most, weighted, "
        "taken as contributing to the pool"
    )


def test_a_second_qrels_is_said_in_words():
    said = dict(words.settings({**two_systems().options, "other_rel_level": 2}, {"judged_by_other": True}))
    assert said["Relevant in the second qrels from grade"] == 2
    assert said["Judged by"] == "the second qrels"


def test_more_variations():
    table = pd.DataFrame({"count": [1, 1, 6, 6], "value": [0.1, 0.2, 0.3, 0.4]})
    assert words.fusion_by_count(table) == (
        "With one variation fused the systems score .150 on average, with six .350."
    )


def test_letters():
    assert words.letters([("D", 0.6), ("A", 0.5)]) == "The fused ranking is D A."
    assert words.letters([]) == "Write at least one letter."


def test_consistency():
    systems = pd.DataFrame({"system": ["S4", "S1"], "consistency": [0.44, 0.3]})
    topics = pd.DataFrame({"topic": ["7", "27"], "consistency": [0.4, 0.1]})
    pairs = pd.DataFrame({"a": ["S1"], "b": ["S4"], "p": [0.01]})
    assert words.consistency(systems, topics, pairs) == (
        "S4 is the most consistent (.440); topic 27 is the least consistently answered (.100)."
    )
    assert words.consistency(systems, topics, pairs.assign(p=NAN)) == (
        "S4 is the most consistent (.440), not told apart from S1; topic 27 is the least consistently answered (.100)."
    )
    assert words.consistency(systems[:0], topics, pairs).startswith("No system answers two queries of one topic")


def test_consistency_beside_scores():
    table = pd.DataFrame({"system": list("ab"), "consistency": [0.4, 0.3], "value": [0.1, 0.2]})
    assert words.consistency_against_score(table, "AP") == "a is the most consistent, b the best by AP."
    both = words.consistency_against_score(table.assign(value=[2, 1]), "AP")
    assert both == "a is the most consistent and the best by AP."
    assert words.consistency_against_score(table[:1], "AP").startswith("Two systems or more")


def test_the_best_wording():
    table = pd.DataFrame({"all_queries": [0.1, 0.2], "best_query": [0.2, 0.4]})
    assert words.oracle(table, "AP") == "Whoever knew the best wording of each topic would gain .150 AP on average."
