"""Numbers in words, and sentences with their facts: never false by rounding, never a hole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import sentences as words
from evalcore.sentences import Sentence, joined

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.604, ".604"), (1, "1.000"), (0, ".000"), (-0.012, "−.012"), (NAN, "unknown"), (None, "unknown")],
)
def test_scores_have_three_digits_and_no_zero(value, said):
    assert words.score(value) == said


@given(st.floats(0, 1))
def test_limits_are_rounded_away_from_the_score(value):
    assert float(words.at_least(value)) <= value + 1e-8
    assert float(words.at_most(value)) >= value - 1e-8
    assert float(words.at_most(value)) - float(words.at_least(value)) < 0.0011


def test_a_limit_that_is_short_already_stays():
    assert (words.at_least(0.604), words.at_most(0.604)) == (".604", ".604")
    assert (words.at_least(3 * 0.1), words.at_most(3 * 0.1)) == (".300", ".300")


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (0.2784, 0.2776, "less than .001"),
        (0.2812, 0.2784, "{gain:score}"),
        (0.2784, 0.2814, "{gain:score}"),
        (0.2806, 0.2782, "{gain:finely}"),  # .281 and .278, which a reader puts .003 apart
    ],
)
def test_how_far_apart_two_scores_are_is_not_what_subtracting_them_would_deny(a, b, said):
    assert words.as_apart(a, b, "gain") == said
    assert str(Sentence(said, gain=abs(a - b))) in ("less than .001", ".002", ".003", ".0024")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.63, "63%"),
        (1e-5, "less than 1%"),
        (0.009999999999999998, "1%"),
        (0.99 + 1e-15, "99%"),
        (1e-12, "less than 1%"),
        (1 - 1e-12, "more than 99%"),
        (0.22499999999999998, "22%"),
        (0.22500000000000003, "22%"),
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


def test_all_systems_are_both_or_counted():
    said = [words.everyone(n) for n in (1, 2, 3, 1000)]
    assert said == ["the one system", "both systems", "all 3 systems", "all 1,000 systems"]


def test_a_sentence_writes_its_facts():
    sentence = Sentence("{n:Count query/queries} of {names:listed 4} score {part:share}.", n=2, names="AB", part=0.5)
    assert str(sentence) == "Two queries of A and B score 50%."
    assert sentence.facts == {"n": 2, "names": "AB", "part": 0.5}


def test_clauses_that_are_none_are_left_out():
    clauses = Sentence("{n:number}", n=1000), None, "words", Sentence("")
    assert str(joined(*clauses, end=".")) == "1,000; words."
    assert str(joined(None, "")) == ""
    assert not joined(None, "")


def test_a_text_with_an_unknown_fact_is_left_out_and_others_take_their_facts():
    said = joined(
        "{a:number} here", "{b:score} there", "{names:listed} {names:verb is/are} last", a=1, b=NAN, names=["A"]
    )
    assert str(said) == "1 here; A is last"
    assert said.facts == {"a": 1, "names": ["A"]}


def test_two_facts_of_one_name_are_refused():
    assert str(joined(Sentence("{n}", n=1), Sentence("{n}", n=1))) == "1; 1"
    with pytest.raises(ValueError, match="two facts are called n: 1 and 2"):
        joined(Sentence("{n}", n=1), Sentence("{n}", n=2))


def test_braces_in_a_name_are_a_name():
    assert str(Sentence("{system} leads.", system="{0}")) == "{0} leads."


def test_what_several_clauses_close_with_is_said_once():
    first, second = Sentence("{a} is so. This holds.", a="A"), Sentence("{b} is so. This holds.", b="B")
    assert str(joined(first, second, by=" ")) == "A is so. B is so. This holds."
    assert str(joined(first, Sentence("C is so."), by=" ")) == "A is so. This holds. C is so."


@pytest.mark.parametrize(
    ("value", "said"), [(0.42, "0.42"), (12.5, "12.5"), (999.4, "999"), (999.5, "1,000"), (1130, "1,130")]
)
def test_a_number_is_said_without_an_exponent(value, said):
    assert str(Sentence("{value:short}", value=value)) == said
