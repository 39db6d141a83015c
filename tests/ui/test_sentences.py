"""Ways of writing numbers: never false by rounding, never a hole, and as a second implementation writes them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.vocabulary import sentences as words
from tests.oracles import words as oracle

NAN = float("nan")
SCORES = st.one_of(
    st.floats(-1.5, 1.5), st.just(NAN), st.integers(0, 1), st.integers(-2000, 2000).map(lambda n: n / 1000)
)
SHARES = st.one_of(st.floats(0, 1), st.just(NAN), st.integers(0, 1))
COUNTS = st.integers(0, 10**7)
TAKES = {  # way -> what it writes
    **dict.fromkeys(("score", "figure", "gain", "at_least", "at_most"), SCORES),
    **dict.fromkeys(("width", "finely"), st.one_of(st.floats(0, 1), st.just(NAN))),
    "share": SHARES,
    "percent": SHARES,
    "number": st.one_of(COUNTS, st.just(NAN)),
    "digits": COUNTS,
    "short": st.one_of(st.floats(-1e6, 1e6), st.just(NAN)),
    "chance": st.floats(0, 1),
    "level": st.sampled_from([0.1, 0.05, 0.01, 0.005, 0.001]),
    "listed": st.lists(st.text("AB {}", min_size=1), max_size=6),
}


@pytest.mark.parametrize("way", TAKES)
@given(data=st.data())
def test_every_way_of_writing_is_that_of_the_second_implementation(way, data):
    value = data.draw(TAKES[way])
    assert getattr(words, way)(value) == oracle.WAYS[way](value)


@given(n=COUNTS, value=SCORES, names=st.lists(st.text("AB{}", min_size=1), max_size=5))
@example(n=1, value=-0.0001, names=["{n}"])
def test_a_template_is_written_with_its_facts(n, value, names):
    text = "{n} of {n:digits query/queries}: {names:listed 4} {value:gain}, {value:score}."
    facts = {"n": n, "value": value, "names": names}
    assert words.written(text, facts) == oracle.written(text, facts)


@given(st.floats(0, 1))
def test_bounds_are_rounded_outward(value):
    assert float(words.at_least(value).replace("over ", "").replace("under .001", "0")) <= value + 1e-8
    assert float(words.at_most(value).replace("over .999", "1").replace("under ", "")) >= value - 1e-8


def test_a_bound_that_is_short_already_stays():
    assert (words.at_least(0.604), words.at_most(0.604)) == (".604", ".604")
    assert (words.at_least(3 * 0.1), words.at_most(3 * 0.1)) == (".300", ".300")


@pytest.mark.parametrize(
    ("a", "b", "text", "written"),
    [
        (0.2784, 0.2776, "under .001", "under .001"),
        (0.2812, 0.2784, "{gain:score}", ".003"),
        (0.2784, 0.2814, "{gain:score}", ".003"),
        (0.2806, 0.2782, "{gain:finely}", ".0024"),  # .281 and .278, which a reader puts .003 apart
    ],
)
def test_how_far_apart_two_scores_are_is_not_what_subtracting_them_would_deny(a, b, text, written):
    assert words.as_apart(a, b, "gain") == text
    assert words.written(text, {"gain": abs(a - b)}) == written


@pytest.mark.parametrize(
    ("way", "value", "written"),
    [
        ("score", 0.604, ".604"), ("score", 1, "1.000"), ("score", 0, ".000"), ("score", -0.012, "−.012"),
        ("score", None, "unknown"), ("score", 1e-5, "under .001"), ("score", 0.9999, "over .999"),
        ("gain", 0.9997, "over +.999"), ("gain", -0.9997, "under −.999"), ("gain", 1.0, "+1.000"),
        ("gain", 0.074, "+.074"), ("gain", -0.003, "−.003"), ("gain", 0, ".000"),
        ("gain", 0.00021, "+.0002"), ("gain", -0.00049, "−.0005"),
        ("gain", 1e-5, "under .0001"), ("gain", -1e-5, "over −.0001"),
        ("width", 0.14, ".140"), ("width", 0.0089, ".0089"), ("width", 1e-6, "under .0001"), ("width", 0, ".000"),
        ("share", 0, "0%"), ("share", 1, "100%"), ("share", 0.63, "63%"), ("share", 1e-12, "<1%"),
        ("share", 0.009999999999999998, "1%"), ("share", 0.99 + 1e-15, "99%"), ("share", 1 - 1e-12, ">99%"),
        ("share", 0.22499999999999998, "22%"), ("share", 0.22500000000000003, "22%"), ("percent", NAN, "–"),
        ("chance", 0.043, "= .043"), ("chance", 0.0004, "< .001"), ("chance", 0.2, "= .2"), ("level", 0.05, ".05"),
        ("digits", 33080, "33,080 "), ("short", 0.42, "0.42"), ("short", 12.5, "12.5"), ("short", 999.4, "999"),
        ("short", 999.5, "1,000"), ("short", 1130, "1,130"), ("number", 1000, "1,000"),
        ("listed", [], ""), ("listed", "A", "A"), ("listed", "AB", "A and B"), ("listed", "ABC", "A, B and C"),
        ("listed", "ABCDE", "A, B and 3 others"), ("listed", "ABCD", "A, B and 2 others"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_agreed(way, value, written):
    assert getattr(words, way)(value).rstrip("s") == written.rstrip("s")


def test_nouns_of_one_and_of_many():
    assert [words.digits(n, "query", "queries") for n in (0, 1, 1300)] == ["0 queries", "1 query", "1,300 queries"]


def test_braces_in_a_name_are_a_name():
    assert words.written("{system} leads.", {"system": "{0}"}) == "{0} leads."
