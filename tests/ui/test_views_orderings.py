"""The page Orderings: what its questions find, in words and in figures."""

import json
from itertools import combinations

import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore
from evalcore.answers import Answer
from evalcore.findings import FINDINGS
from evalcore.findings.orderings import AGREEMENTS as WORDS
from tests.small import small_study
from ui.components import choices
from ui.text.escape import plotly
from ui.views import theme
from ui.views.charts import FEW_SYSTEMS, slopes
from ui.views.orderings import (
    AGREEMENTS,
    QUADRANTS,
    SHARES,
    agreement,
    agreement_in_rows,
    by_judgments,
    by_metric,
    p_values,
    side_by_side,
)
from ui.views.pairs import OPEN, STATES, UNKNOWN, tiles, verdicts
from ui.views.traces import WIDTH_OF_NAME

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
SETTLED_AND_SIGNIFICANT = [("tie", True), ("a", False), ("open", True), ("open", False)]  # in the order of STATES
BOTH = {"a": "<b>AP", "b": "depth=5"}


def answer(table, question="regimes", **params):
    return Answer(table, question, params, (), "", (), {}, {})


def names(n):
    return (HOSTILE + [f"system {i}" for i in range(n)])[:n]


def compared(regimes, value=0.5):
    rows = [{"a": a, "b": b, **dict.fromkeys(AGREEMENTS, value)} for a in regimes for b in regimes]
    return answer(pd.DataFrame(rows, columns=["a", "b", *AGREEMENTS]))


def places(ranks):
    return dict(zip(names(len(ranks)), ranks, strict=True))


def pairs(n):
    every = combinations(enumerate(names(n)), 2)
    rows = [(a, b, 0.1, 0.01, *SETTLED_AND_SIGNIFICANT[(i + j) % 4]) for (i, a), (j, b) in every]
    columns = ["a", "b", "difference", "p_corrected", "settled", "significant"]
    return answer(pd.DataFrame(rows, columns=columns), "pairs", metric="P@10")


def ps(n, shallow="depth=5"):
    ends = list(zip((0.0, NAN), QUADRANTS, strict=False))
    rows = [(a, b, 0.02, p, quadrant) for a, b in combinations(names(n), 2) for p, quadrant in ends]
    table = pd.DataFrame(rows, columns=["a", "b", "p_shallow", "p_full", "quadrant"])
    return answer(table, "p_values", shallow=shallow, level=0.01)


def separable(estimators):
    rows = [(name, judgments, 0.5, 0.1) for name in estimators for judgments in (1000, 2000)]
    return answer(pd.DataFrame(rows, columns=["estimator", "judgments", *SHARES]), "separability")


def every_figure(look):
    for by in AGREEMENTS:
        for regimes in ([], ["<b>AP"], ["depth=5", "<b>AP"], [f"<b>{i}" for i in range(14)]):
            yield agreement(compared(regimes), look, by=by)
            yield agreement_in_rows(compared(regimes), look, by=by)
    yield agreement(compared(["<b>AP", "P@10"], value=-0.2), look)
    for n in (0, 1, 6, 143):
        ranks = list(range(1, n + 1))
        falling = [NAN if rank == 1 else rank for rank in ranks[::-1]]
        yield sloped(ranks, falling, look, **BOTH)
        yield p_values(ps(n), look)
        yield verdicts(pairs(n), look)
        yield verdicts(pairs(n), look, order=names(n)[::-1])
    yield p_values(ps(2, "judgments=<b>5"), look)
    for estimators in ([], ["lower", "<b>x"], [f"e{i}" for i in range(14)]):
        for panel in SHARES:
            yield by_judgments(separable(estimators), look, panel=panel)


@pytest.mark.parametrize("by", AGREEMENTS)
def test_on_a_phone_the_pairs_that_agree_least_are_on_top(by):
    table, values = compared(["AP", "P@1", "P@5"]).table, {("AP", "P@1"): 0.5, ("AP", "P@5"): 0.9, ("P@1", "P@5"): 0.7}
    table[by] = [values.get(tuple(sorted(pair)), 1.0) for pair in zip(table["a"], table["b"], strict=True)]
    drawn = agreement_in_rows(answer(table), LOOKS[0], by=by)
    (bars,), across = drawn["data"], drawn["layout"]["xaxis"]["title"]["text"]
    assert bars["x"] == ([0.9, 0.7, 0.5] if by.startswith("distance") else [0.5, 0.7, 0.9])
    assert bars["text"][1] == "the first result<br>first 5"
    assert across == AGREEMENTS[by]


def test_on_a_phone_of_many_pairs_a_dozen_are_listed():
    drawn = agreement_in_rows(compared([f"P@{k}" for k in range(1, 14)]), LOOKS[0])
    assert len(drawn["data"][0]["x"]) == 12
    assert drawn["layout"]["xaxis"]["title"]["text"].endswith(", 12 of 78 pairs")


def few_slopes(left, right, most):
    """Two orderings before an audience: the picture, the ends of its lines, and what stands at its places."""
    drawn = slopes(left, right, LOOKS[0] | {"rows": most}, names=("a", "b"))
    go.Figure(drawn)
    ends = [(x, y) for trace in drawn["data"] for x, y in zip(trace["x"], trace["y"], strict=True)]
    sides = drawn["layout"]["yaxis"], drawn["layout"]["yaxis2"]
    return drawn, ends, [dict(zip(side["tickvals"], side["ticktext"], strict=True)) for side in sides]


def test_before_an_audience_the_first_and_those_that_move_farthest():
    names = [f"s{n}" for n in range(1, 31)]
    left = dict(zip(names, range(1, 31), strict=True))
    right = left | {"s20": 29, "s21": 20, "s29": 21, "s30": NAN}
    drawn, ends, (first, then) = few_slopes(left, right, 4)
    assert first == {1: "1  s1", 2: "2  s2", 3: "20  s20", 4: "29  s29"}
    assert then == {1: "1  s1", 2: "2  s2", 3: "21  s29", 4: "29  s20"}
    assert {(0, 3), (1, 4), (0, 4), (1, 3)} <= set(ends)  # these lines cross
    assert drawn["layout"]["yaxis"]["title"]["text"] == "4 of 30 systems"
    assert drawn["layout"]["yaxis"]["range"] == [4.7, 0.3]
    every, _, (first, _) = few_slopes(left, right, None)
    assert len(first) == 30
    assert "title" not in every["layout"]["yaxis"]
    assert few_slopes(left, right, 30)[0] == every


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_is_unescaped(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = ([one.get(key) for key in ("name", "text", "hovertemplate")] for one in figure["data"])
        shown = json.dumps([figure["layout"], *texts])
        assert "<img" not in shown
        assert "<b>AP" not in shown
        assert "<b>5" not in shown
        assert "<b>0" not in shown


# Regimes


def test_the_cells_of_the_square_are_those_of_the_table():
    table = compared(["depth=5", "AP"]).table.assign(tau_ap=[1, 0.2, 0.3, 1])
    shown = agreement(answer(table), LOOKS[0], by="tau_ap")["data"][0]
    assert shown["z"] == [[1, 0.2], [0.3, 1]]  # the reference down the side
    assert shown["text"][0][1] == "mainly first 5, depth 5<br>every relevant result"


def test_setups_that_mostly_agree_are_bright():
    table = compared(["a", "b"]).table.assign(tau=[1, 0.81, 0.81, 1], tau_ap=[1, 0.3, 0.3, 1], distance=[0, 3, 3, 0])
    scales = [agreement(answer(table), LOOKS[0], by=by)["data"][0] for by in ("tau", "tau_ap", "distance")]
    assert [(scale["zmin"], scale["zmax"]) for scale in scales] == [(0.5, 1), (0.3, 1), (0, 3)]


@pytest.mark.parametrize(
    ("by", "value", "ends"),
    [
        ("tau", 1.0, (0, 1)), ("distance_per_pair", 0.0, (0, 1)), ("tau", 0.0, (0, 1)), ("rbo", 7, (0, 7)),
        ("tau", -0.3, (-1, 1)),
    ],
)  # fmt: skip
def test_a_square_of_one_value_has_a_scale_that_could_be(by, value, ends):
    shown = agreement(compared(["a", "b"], value), LOOKS[0], by=by)["data"][0]
    assert (shown["zmin"], shown["zmax"]) == ends
    assert shown.get("reversescale", False) == by.startswith("distance")


def finding(question, table, of=None, **asked):
    of = study() if of is None else of
    return FINDINGS[question](pd.DataFrame(table), asked, of)


NAMED = {"A": "AP", "B": "depth=5", "C": "judgments=3 | P@10 | rm"}
SAID = {"A": "AP", "B": "RBP(p=0.8) (judged to depth 5)", "C": "P@10 estimated by rm (first 3 judgments)"}


def taus(**of):
    rows = [(*(NAMED[one] for one in pair.split("_")), tau) for pair, tau in of.items()]
    rows += [*((b, a, tau) for a, b, tau in rows), ("AP", "AP", 1.0)]
    return pd.DataFrame(rows, columns=["a", "b", "tau"]).assign(inversions=1)


@pytest.mark.parametrize(
    ("table", "most", "least", "answer"),
    [
        (taus(A_B=0.8, A_C=-0.05, B_C=0.9), "BC", "AC", "Not always"),
        (taus(A_B=0.8, A_C=NAN, B_C=0.9), "BC", "AB", "Mostly"),
        (taus(A_B=0.95, A_C=0.91, B_C=0.9), "AB", "BC", "Yes"),
    ],
)
def test_which_setups_agree_most_and_least(table, most, least, answer):
    told = finding("regimes", table, regimes=list(NAMED.values()), systems="all")
    assert told.headline.split(":")[0] == answer
    for name, pair in (("most", most), ("least", least)):
        assert sorted(told.facts[name]) == sorted(SAID[setup] for setup in pair)
    assert (told.facts["most_tau"], told.facts["least_tau"]) == (table["tau"][:3].max(), table["tau"][:3].min())
    assert not told.caveats


@pytest.mark.parametrize(
    ("table", "setups", "words", "caveats"),
    [
        (taus(A_B=0.8, A_C=0.8, B_C=0.8), "ABC", "any two of these 3 setups swap at most 1 of ", 0),
        (taus(A_B=0.8, A_C=NAN, B_C=NAN), "ABC", "(τ-b .800; 1 =", 1),  # all systems score alike under the third
        (taus(A_B=0.8), "AB", "Mostly: the two setups swap 1 of ", 0),
        (taus(A_B=1.0), "AB", "Yes: ", 0),
        (taus(A_B=NAN), "AB", "fewer than two setups", 0),
        (taus(), "AA", "fewer than two setups", 0),
    ],
)
def test_setups_that_agree_alike_have_no_extremes(table, setups, words, caveats):
    told = finding("regimes", table, regimes=[NAMED[setup] for setup in setups], systems="all")
    assert words in told.headline
    assert len(told.caveats) == caveats
    assert not told.facts.keys() & {"most", "least"}


DISTANCES = {("A", "B"): 0.03, ("A", "C"): 0.05, ("B", "C"): 0.02}


@pytest.mark.parametrize(
    ("by", "most", "least"),
    [
        ("distance_per_pair", "BC", "AC"), ("distance", "BC", "AC"), ("rbo", "AC", "BC"), ("tau_ap", "AC", "BC"),
        ("tau", "AC", "BC"),
    ],
)  # fmt: skip
def test_which_setups_agree_most_is_by_the_agreement_of_the_heatmap(by, most, least):
    """The least distance is the most alike; of the others the greatest."""
    rows = [(NAMED[a], NAMED[b], value) for pair, value in DISTANCES.items() for a, b in (pair, pair[::-1])]
    table = pd.DataFrame(rows, columns=["a", "b", by]).assign(inversions=0)
    table = table.assign(tau=table.get("tau", 1.0))
    asked = {"regimes": list(NAMED.values()), "systems": "all", "weight": 1}
    told = FINDINGS["regimes"](table, asked, study(), by=by)
    for name, pair in (("most", most), ("least", least)):
        assert sorted(told.facts[name]) == sorted(SAID[setup] for setup in pair)
    assert (told.facts[f"most_{by}"], told.facts[f"least_{by}"]) == (0.05, 0.02)
    assert WORDS[by] in told.headline
    largest = {"distance": 3, "distance_per_pair": 1}  # of three systems
    assert told.facts.get("largest") == largest.get(by)


@pytest.mark.parametrize(
    ("by", "weight", "distance", "words"),
    [
        ("distance", 1, 0.15, "Yes: the two setups order the systems almost alike (weighted distance 0.15,"),
        ("distance", 1, 0.16, "Mostly: the two setups order the systems largely alike (weighted distance 0.16,"),
        ("distance", "rho", 0.15, "Mostly: the two setups order the systems largely alike (weighted distance 0.15,"),
        ("distance", "rho", 0.16, "Not always: the two setups order the systems differently (weighted distance 0.16,"),
        ("distance", 1, 0.0, "Yes: the two setups order the systems alike (weighted distance 0,"),
        (
            "distance_per_pair",
            1,
            0.04,
            "Yes: the two setups order the systems almost alike (weighted distance per pair",
        ),
        (
            "distance_per_pair",
            "rho",
            0.3,
            "Not always: the two setups order the systems differently (weighted distance",
        ),
    ],
)
def test_the_weighted_distance_answers_whether_the_setups_agree_and_says_how_far_it_could_be(
    by, weight, distance, words
):
    """By 5% and 10% of the largest distance (METHODS 7.5)."""
    table = pd.DataFrame({"a": ["AP", "P@1"], "b": ["P@1", "AP"], by: distance, "tau": 1.0})
    told = FINDINGS["regimes"](table, {"regimes": ["AP", "P@1"], "systems": "all", "weight": weight}, study(), by=by)
    assert told.headline.startswith(words)
    largest = {("distance", 1): "3", ("distance", "rho"): "1.5", ("distance_per_pair", 1): "1"}.get((by, weight), ".5")
    assert told.headline.endswith(f", of at most {largest}).")
    assert told.facts["largest"] == float(largest)


@pytest.mark.parametrize("by", ["distance", "distance_per_pair"])
@pytest.mark.parametrize("weight", [1, "rho"])
def test_the_distances_of_several_setups_are_those_of_the_definition(by, weight):
    of, names = study(), ["RBP(p=0.95) | two-stage-b(theta=0.1)", "P@1", "depth=1 | AP", "judgments=2 | nDCG@10"]
    asked = evalcore.ask(of, "regimes", regimes=names, weight=weight)
    told = FINDINGS["regimes"](asked.table, asked.params, of, by=by)
    others = [row[by] for row in asked.table.to_dict("records") if row["a"] != row["b"]]
    assert (told.facts[f"least_{by}"], told.facts[f"most_{by}"]) == (min(others), max(others))
    pairs = 3 if by == "distance" else 1
    assert told.facts["largest"] == sum(1 if weight == 1 else 0.5 for _ in range(pairs))
    assert "any two of these 4 setups" in told.headline or "some of these 4 setups" in told.headline
    assert told.headline.split(":")[0] in ("Yes", "Mostly", "Not always")
    assert len(told.headline.split()) <= 24


def test_every_agreement_of_the_heatmap_has_a_word():
    assert list(WORDS) == list(AGREEMENTS)


def test_a_distance_has_the_digits_of_the_sentence():
    """.034 and .027 would both be .03."""
    shown = agreement(compared(["a", "b"], 0.0274), LOOKS[0], by="distance_per_pair")["data"][1]
    assert set(shown["text"]) == {".027"}


def test_a_sum_of_distances_is_written_alike_in_sentence_and_cell():
    asked = {"regimes": ["P@1", "P@2"], "systems": "all", "weight": 1}
    told = FINDINGS["regimes"](compared(asked["regimes"], 69.693).table, asked, study(), by="distance")
    assert "(weighted distance 69.7, of at most 3)." in told.headline
    assert set(agreement(compared(["a", "b"], 69.693), LOOKS[0], by="distance")["data"][1]["text"]) == {"69.7"}


def test_all_estimators_and_all_judgments_are_drawn_with_their_numbers():
    setups = ["AP", *(f"depth=5 | {name}" for name in evalcore.ESTIMATORS)]
    _, numbers = agreement(compared(setups, 0.5), LOOKS[0])["data"]
    assert len(numbers["text"]) == len(setups) ** 2


# Two orderings side by side


def sloped(first, then, look=LOOKS[0], **of):
    none = answer(pd.DataFrame({"better": [], "worse": []}), "swaps", **{"a": "a", "b": "b"} | of)
    return side_by_side(none, look, left=places(first), right=places(then))


def test_a_system_that_falls_is_drawn_as_falling():
    same, climbs, falls, _ = sloped([1, 2], [2, 1])["data"]
    assert (climbs["y"], falls["y"], same["y"]) == ([2, 1, None], [1, 2, None], [])


def test_many_systems_side_by_side_show_about_every_tenth():
    ranks = [1, 1, *range(3, 144)]
    layout = sloped(ranks, ranks[::-1])["layout"]
    assert layout["yaxis"]["tickvals"][:3] == [1, 10, 20]
    first, tenth = (plotly(names(143)[n], WIDTH_OF_NAME) for n in (0, 9))
    assert layout["yaxis"]["ticktext"][:2] == [f"{first} +1 · 1", f"{tenth} · 10"]
    assert layout["yaxis2"]["tickvals"][-1] == 140


def test_after_many_ties_labels_keep_their_distance():
    ranks = [*[1] * 18, *range(19, 61)]
    assert sloped(ranks, ranks)["layout"]["yaxis"]["tickvals"] == [1, 19, 30, 40, 50, 60]


RANKED = [{f"d{i}": 9.0 - i for i in range(6)}, {f"d{5 - i}": 9.0 - i for i in range(6)}, {"d2": 3.0, "d0": 2.0}]


def study(**options):
    """Three systems on two topics; on the second, only two of them."""
    runs = {f"s{i}": {"t0": run, **({"t1": run} if i else {})} for i, run in enumerate(RANKED)}
    return small_study(runs, {"t0": {"d0": 1, "d5": 0}, "t1": {"d2": 1, "d4": 1}}, pooled="all", **options)


def swapped(*certain):
    return {"certain": list(certain), "better": ["x"] * len(certain), "worse": ["y"] * len(certain)}


@pytest.mark.parametrize(
    ("certain", "words"),
    [((), "No system pair swaps"), ((True,), "1 of 3 system pairs swaps"), ((False,), "1 of 3 system pairs swaps"),
     ((True, False, True), "3 of 3 system pairs swap ")],
)  # fmt: skip
def test_how_many_pairs_swap(certain, words):
    told = finding("swaps", swapped(*certain), study(), a="depth = 5", b="AP", systems="all")
    facts = {"a": "RBP(p=0.8) (judged to depth 5)", "b": "AP", "swaps": len(certain), "pairs": 3}
    facts |= {"certain": sum(certain), "better": "x", "worse": "y"} if certain else {}
    assert told.facts == facts
    assert words in told.headline
    assert ("certain" in told.detail) == any(certain)
    assert ("clearest" in told.detail) == (len(certain) > 1)


@pytest.mark.parametrize(("a", "words"), [("AP", "AP"), ("P@5 | condensed", "P@5 without unjudged documents")])
def test_without_bounds_no_swap_is_called_certain(a, words):
    told = finding("swaps", swapped(True), study(), a=a, b="P@10", systems="all")
    assert told.facts["a"] == words
    assert "certain" not in str(told)


@pytest.mark.parametrize("b", ["RBP(p=0.8)", "depth=10", "depth=5 | RBP(p=0.80)"])
def test_more_judging_swaps_no_certain_pair(b):
    assert "certain" not in str(finding("swaps", swapped(True), study(), a="depth=5", b=b, systems="all"))


@pytest.mark.parametrize("b", ["depth=4", "judgments=9", "depth=10 | rm", "RBP(p=0.5)", "qrels=other", "condensed"])
def test_another_setup_may_swap_a_certain_pair(b):
    assert "certain" in finding("swaps", swapped(True), study(), a="depth=5", b=b, systems="all").detail


def test_setups_that_look_at_a_pool_say_who_is_assumed_to_have_formed_it():
    runs = {f"s{i}": {t: {f"d{(i + k) % 9}": 9.0 - k for k in range(9)} for t in "12"} for i in range(3)}
    judged = small_study(runs, {t: {"d0": 1, "d4": 0} for t in "12"})
    for cut, caveats in (
        ("depth=1", 1),
        ("judgments=2", 1),
        ("P@3 | linear", 1),
        ("RBP(p=0.5)", 0),
        ("judgments=4", 0),
    ):
        assert len(evalcore.ask(judged, "regimes", regimes=[cut, "AP"]).finding.caveats) == caveats
        assert len(evalcore.ask(judged, "swaps", a="AP", b=cut).finding.caveats) == caveats


def test_on_how_many_topics_two_sets_of_judgments_are_compared():
    runs = {f"s{i}": {t: {f"d{(i + k) % 3}": 9.0 - k for k in range(3)} for t in "123"} for i in range(3)}
    judged = small_study(runs, {t: {"d0": 1, "d1": 0} for t in "123"}, pooled="all")
    for theirs, caveats in (("123", []), ("12", [True])):
        other = evalcore.Upload("other.txt", "".join(f"{t} 0 d1 1\n" for t in theirs).encode())
        questions = {"regimes": {"regimes": ["qrels=other | P@1", "P@1"]}, "swaps": {"a": "P@1", "b": "qrels=other"}}
        for question, asked in questions.items():
            told = evalcore.ask(judged, question, other=other, **asked).finding
            assert ["the 2 topics" in caveat for caveat in told.caveats] == caveats


def test_a_setup_is_named_in_words():
    asked = {"a": "RBP(p=0.80)", "b": "depth=3 | RBP(p=0.8) | qrels=other", "systems": ["s0", "s2"]}
    told = finding("swaps", swapped(), study(), **asked)
    assert (told.facts["a"], told.facts["b"]) == ("RBP(p=0.8)", "RBP(p=0.8) (judged to depth 3, second judgments)")
    for certain in (True, False):
        told = finding("swaps", swapped(certain), study(), **asked)
        assert told.headline.startswith("The two systems swap")
        assert ("certain" in told.detail) == certain
    first = finding("swaps", swapped(), study(), **asked | {"a": "judgments=1"})
    assert first.facts["a"] == "RBP(p=0.8) (first judgment)"


# Pairs


@pytest.mark.parametrize("n", [2, 13, 143])
def test_a_square_of_systems_has_no_place_that_nobody_holds(n):
    layout = verdicts(pairs(n), LOOKS[0], order=names(n))["layout"]
    assert layout["xaxis"]["range"] == layout["yaxis"]["range"][::-1] == [0.5, n + 0.5]  # the first on top
    assert layout["xaxis"]["constrain"] == layout["yaxis"]["constrain"] == "domain"


def test_a_square_of_many_systems_says_who_they_are_and_is_small():
    n = FEW_SYSTEMS + 1
    picture = verdicts(pairs(n), LOOKS[0], order=names(n))
    field, sides = picture["data"][0], [picture["layout"][f"{letter}axis"] for letter in "xy"]
    assert "text" not in field
    assert field["x"] == field["y"]
    assert field["x"][1:3] == [f"{place}  {plotly(name)}" for place, name in ((2, HOSTILE[1]), (3, HOSTILE[2]))]
    assert sides[0]["range"] == sides[1]["range"][::-1] == [-0.5, n - 0.5]
    assert (sides[0]["tickvals"], sides[0]["ticktext"]) == ([0, 100, 200], ["1", "101", "201"])
    assert len(json.dumps(field)) < 8 * n * n
    go.Figure(picture)


def test_a_verdict_stands_on_both_sides_of_the_diagonal():
    cells = verdicts(pairs(3), LOOKS[0], order=names(3))["data"][0]["z"]
    assert cells == [[None, 1, 2], [1, None, 3], [2, 3, None]]
    assert [(label, number) for label, number, _ in tiles(pairs(3))] == [
        ("Certain and significant", "0"), ("Certain only", "1"), ("Significant only", "1"), ("Neither", "1"),
    ]  # fmt: skip
    assert [both for both, *_ in STATES] == [(of != "open", far) for of, far in SETTLED_AND_SIGNIFICANT]


def test_without_an_order_the_best_stand_first():
    ahead = pairs(3).table.assign(a=["x", "x", "y"], b=["y", "z", "z"], difference=[-0.1, 0.1, 0.2])
    shown = answer(ahead, "pairs", metric="P@10")
    assert verdicts(shown, LOOKS[0]) == verdicts(shown, LOOKS[0], order=list("yxz"))


@pytest.mark.parametrize("metric", ["AP", "bpref"])
def test_without_an_interval_that_holds_pairs_are_significant_or_not(metric):
    table = pairs(3).table.assign(settled="open", significant=[True, False, True])
    shown = answer(table, "pairs", metric=metric)
    field, *named = verdicts(shown, LOOKS[0])["data"]
    assert [one["name"] for one in named] == ["significant", "not significant"]
    assert field["z"] == [[None, 0, 1], [0, None, 0], [1, 0, None]]
    assert [(label, number) for label, number, _ in tiles(shown)] == [("Significant", "2"), ("Not significant", "1")]


@pytest.mark.parametrize(
    ("asked", "settled", "words"),
    [
        ({"depth": 10}, ["a", "open", "a"], "x's lead over y is certain and significant"),
        ({"depth": None}, ["b", "open", "a"], "certain to undo"),  # an estimate puts x ahead
        ({"depth": None}, ["tie", "open", "a"], "certain to undo"),
        ({"depth": None, "metric": "AP"}, ["open"] * 3, "no exact bounds"),
        ({"depth": None}, ["open"] * 3, "x's lead over y is significant but not certain"),
    ],
)
def test_pairs_are_certain_significant_both_or_neither(asked, settled, words):
    table = pd.DataFrame({"a": ["x", "x", "y"], "b": ["y", "z", "z"], "difference": [0.1, 0.2, 0.1]})
    table = table.assign(settled=settled, significant=[True, True, False])
    told = finding("pairs", table, **{"metric": "P@10", "estimator": "lower"} | asked)
    assert words in told.detail
    certain = sum(kind != "open" for kind in settled)
    facts = {"pairs": 3, "significant": 2, "certain": certain, "both": min(certain, 1), "first": "x", "second": "y"}
    assert told.facts.items() >= facts.items()
    assert ("No system pair" in told.headline) == (not certain and "metric" not in asked)


@pytest.mark.parametrize(("judged", "first"), [(3, "judgments=1"), (41, "judgments=20"), (2000, "judgments=500")])
def test_where_no_pool_is_shallower_fewer_judgments_than_there_are_are_compared_with_all(judged, first):
    documents = [f"d{n:04}" for n in range(judged)]
    study = small_study({"a": {"t": {"d0000": 1.0}}}, {"t": dict.fromkeys(documents, 1)}, pooled="all")
    assert choices.usual_regimes(study, second=False)[0] == first


@pytest.mark.parametrize(("metric", "all_shown"), [("RBP(p=0.8)", True), ("nDCG@10", False), ("RR", False)])
def test_only_weights_of_ranks_show_all_that_is_settled(metric, all_shown):
    """By RR two rankings with the same top stay equal whatever it holds, and their intervals do not show it."""
    shown = answer(pairs(3).table.assign(settled="open", significant=False), "pairs", metric=metric)
    *_, (_, _, significant), (_, _, neither) = tiles(shown)
    why = OPEN if all_shown else UNKNOWN
    assert significant.startswith(why)
    assert neither.startswith(why)
    table = pd.DataFrame({"a": ["x"], "b": ["y"], "difference": [0.1], "settled": ["open"], "significant": [True]})
    asked = {"metric": metric, "estimator": "lower", "depth": None}
    several = pd.concat([table, table.assign(b="z"), table.assign(a="y", b="z")])
    for rows in (table, several):
        assert bool(finding("pairs", rows, **asked).caveats) is not all_shown
        assert not finding("pairs", rows.assign(settled="a"), **asked).caveats


def test_two_rankings_with_one_top_are_equal_by_rr_though_nothing_shows_it():
    runs = {s: {t: {"d1": 3.0, "d2": 2.0, last: 1.0} for t in "12"} for s, last in (("x", "d3"), ("y", "d4"))}
    study = small_study(runs, {"1": {"d2": 1}, "2": {"d2": 1}})
    pair = evalcore.ask(study, "pairs", metric="RR")
    assert list(pair.table["settled"]) == ["open"]
    assert len(pair.finding.caveats) == 1
    for grade in (0, 1):
        judged = small_study(runs, {t: {"d1": grade, "d2": 1} for t in "12"})
        assert evalcore.ask(judged, "pairs", metric="RR").table["difference"].tolist() == [0]


@pytest.mark.parametrize(
    ("changed", "asked", "words"),
    [
        ({}, {}, ["is certain", "not significant"]),
        ({"significant": True}, {}, ["is certain", "is significant"]),
        ({"difference": 0.0, "settled": "tie"}, {}, ["certain to have the same P@5"]),
        ({"settled": "b"}, {}, ["certain to undo"]),
        ({"settled": "open"}, {}, ["not certain"]),
        ({"settled": "open"}, {"metric": "AP", "depth": 3}, ["do not differ significantly", "no exact bounds"]),
    ],
)
def test_of_one_pair_the_finding_says_what_is_true_of_it(changed, asked, words):
    row = {"a": ["x"], "b": ["y"], "difference": [0.1], "settled": ["a"], "significant": [False]}
    told = finding("pairs", pd.DataFrame(row).assign(**changed), **{"metric": "P@5", "estimator": "lower"} | asked)
    assert [word for word in words if word not in str(told)] == []
    assert told.facts["pairs"] == 1


def test_what_judging_cannot_turn_may_stay_open_past_the_end_of_lists():
    runs = {s: {t: {"a": 2.0, "b": 1.0} for t in "12"} for s in "xy"}
    judged = small_study(runs, {t: {"a": 1, "b": 0} for t in "12"})  # all that is there
    pair = evalcore.ask(judged, "pairs", metric="RBP(p=0.8)")
    assert list(pair.table["settled"]) == ["open"]
    assert "judging" not in str(pair.finding)  # no judging can change it
    assert [name for name, number, _ in tiles(pair) if number == "1"] == ["Neither"]
    ends = small_study(runs, {t: {"a": 1, "b": 0} for t in "12"}, empty="not relevant")
    assert list(evalcore.ask(ends, "pairs", metric="RBP(p=0.8)").table["settled"]) == ["tie"]


# Few judgments and all


def test_the_p_of_a_pair_stands_in_its_quadrant():
    shown = p_values(ps(2), LOOKS[0])
    both, few, *_ = shown["data"]
    assert (both["name"], both["x"], both["y"]) == ("separable in both (1)", [0.02], [1e-12])  # a logarithm has no 0
    assert both["text"][0].endswith("<br>p 0.02 with few judgments, 0 with all")  # which is drawn elsewhere
    assert both["hovertemplate"] == "%{text}<extra></extra>"
    assert few["name"] == "separable only with few judgments (1)"
    assert [line["x0"] for line in shown["layout"]["shapes"]] == [0.01, 0]
    titles = [shown["layout"][axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    assert titles == ["p, pool depth 5", "p, all judgments"]


@pytest.mark.parametrize(
    ("shallow", "said"),
    [("judgments=1000", "p, 1000 judgments"), (1000, "p, few judgments"), (None, "p, few judgments")],
)
def test_the_axis_says_what_the_few_judgments_are(shallow, said):
    assert p_values(ps(2, shallow), LOOKS[0])["layout"]["xaxis"]["title"]["text"] == said


def test_how_many_pairs_are_significant_with_few_judgments_and_with_all():
    both, only_few, only_all, neither = QUADRANTS
    table = pd.DataFrame({"quadrant": [only_few, only_all, both, both, neither]})
    asked = {"level": 0.0005, "metric": "AP", "estimator": "lower"}
    told = finding("p_values", table, shallow="depth=5", **asked)
    assert told.facts.items() >= {"pairs": 5, "both": 2, "only_few": 1, "only_all": 1, "depth": 5}.items()
    assert finding("p_values", table, shallow="judgments=3", **asked).facts["judgments"] == 3
    assert finding("p_values", table, shallow="depth=5", **asked | {"estimator": "rm"}).facts["measure"].endswith(" rm")
    full = finding("p_values", table, shallow=None, **asked)
    assert "2 of 5 system pairs differ " in full.headline
    assert "only_few" not in full.facts
    for row, words in ((0, "at depth 5, but not"), (1, "but not at depth 5"), (2, "both"), (4, "neither")):
        assert words in finding("p_values", table[row : row + 1], shallow="depth=5", **asked).headline
    for row, words in ((2, "differ significantly"), (4, "do not differ")):
        assert words in finding("p_values", table[row : row + 1], shallow=None, **asked).headline


@pytest.mark.parametrize(
    ("rows", "facts", "words"),
    [
        ([("lower", 2, 0.6, 0.02, 0), ("lower", 4, 0.8, 0, 0), ("rm", 2, 0.1, 0.1, 0)],
         {"measure": "AP", "few": 2, "full": 4, "reversed": 0.02, "swapped": 0, "most_at": 2}, "2% of pairs"),
        ([("lower", 2, 0.6, 0, 0), ("lower", 4, 0.6, 0, 0)], {"separable": 0.6}, "lost or reversed"),
        ([("rm", 1, 0.6, 0.02, 0.004)], {"measure": "AP estimated by rm", "few": 1, "separable": 0.6}, ""),
        ([("lower", 2, 0, 0, 0), ("lower", 4, 0.8, 0, 0)], {"separable": 0, "full_separable": 0.8}, ""),
    ],
)  # fmt: skip
def test_what_few_judgments_find_significant(rows, facts, words):
    table = pd.DataFrame(rows, columns=["estimator", "judgments", "separable", "reversed", "opposite"])
    told = finding("separability", table, study(), level=0.01, metric="AP")
    assert told.facts.items() >= facts.items()
    assert words in told.detail
    assert bool(words) == bool(told.detail)


def test_every_line_differs_in_more_than_its_colour():
    shown = by_judgments(separable([f"e{i}" for i in range(12)]), LOOKS[0], panel="separable")["data"]
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in shown}) == 12


def test_orderings_of_many_systems_leave_room_for_what_follows():
    many, few = ({f"S{n}": n for n in range(1, size + 1)} for size in (143, 40))
    tall = [slopes(places, places, LOOKS[0], names=("a", "b"))["layout"]["height"] for places in (many, few)]
    assert tall[0] <= 500 < tall[1]


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_reversals_stand_next_to_separable_pairs(look):
    """A cell for each metric and estimator; none where a metric does not allow the estimator."""
    rows = [("P@10", "lower", 0.689, 0.058), ("P@10", "rm", 0.586, 0.022), ("AP", "lower", 0.691, 0)]
    table = pd.DataFrame(rows, columns=["metric", "estimator", "separable", "reversed"])
    field, numbers = by_metric(answer(table, "separability_by_metric"), look)["data"]
    go.Figure(data=[field, numbers])
    cells = dict(zip(zip(numbers["x"], numbers["y"], strict=True), numbers["text"], strict=True))
    assert cells == {(0, 0): "68.9 / 5.8", (1, 0): "69.1 / 0.0", (0, 1): "58.6 / 2.2"}
