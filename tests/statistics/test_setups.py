"""Names of regimes, and how far the orderings that they give agree, against the definitions."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.statistics.setups import Regime, regime
from tests.examples import examples
from tests.oracles import orderings as oracle
from tests.small import small_study, tracks

METRICS = ["RBP(p=0.95)", "RBP(p=0.8)@10", "P@10", "AP", "nDCG(log=10)", "SDCG@5", "INST(T=2)", "bpref", "Judged@5"]
ESTIMATORS = ["upper", "rm", "background(E=0.1)", "interpolated(C=0.42, E=0.01)", "two-stage-b(theta=0.018)"]
ORACLE_OF = {  # regime -> what the oracle is asked
    "RBP(p=0.8)": {"name": "RBP(p=0.8)"},
    "P@2": {"name": "P@2"},
    "AP": {"name": "AP"},
    "condensed | P@3": {"name": "P@3", "unjudged": "condensed"},
    "depth=1 | rm": {"name": "RBP(p=0.8)", "depth": 1, "estimator": "rm"},
    "judgments=3 | RBP(p=0.5)": {"name": "RBP(p=0.5)", "judgments": 3},
    "depth=2 | SDCG@3 | upper": {"name": "SDCG@3", "depth": 2, "estimator": "upper"},
}
OPTIONS = {"average": ["qrels", "common"], "empty": ["unknown", "not relevant"], "gains": ["binary", "exponential"]}


def distances(study, names, **how):
    return evalcore.ask(study, "regimes", regimes=names, **how).table


def one(table, a, b):
    return table[(table.a == a) & (table.b == b)].iloc[0]


# Names


parts = st.fixed_dictionaries(
    {},
    optional={
        "cut": st.one_of(*(st.tuples(st.just(by), st.integers(1, 9999)) for by in ("depth", "judgments"))),
        "metric": st.sampled_from(METRICS),
        "unjudged": st.sampled_from(["condensed", "irrelevant"]),
        "estimator": st.sampled_from(ESTIMATORS),
    },
)


@settings(max_examples=examples(80), deadline=None, derandomize=True)
@given(said=parts, data=st.data())
def test_a_name_reads_back(said, data):
    words = [f"{value[0]}={value[1]}" if key == "cut" else value for key, value in said.items()]
    found = regime(" | ".join(data.draw(st.permutations(words))))
    assert regime(found.name) == found
    count, number = said.get("cut", ("depth", None))
    expected = {"depth": None, "judgments": None, count: number}
    expected |= {"metric": said.get("metric", "RBP(p=0.8)"), "unjudged": said.get("unjudged", "irrelevant")}
    assert {name: getattr(found, name) for name in expected} == expected
    assert found.estimator == said.get("estimator", "lower")
    assert found.params == expected | {"estimator": found.estimator}


def test_a_name_says_what_differs_from_the_default():
    written = "depth=10 | RBP(p=0.95) | condensed | rm"
    assert regime(written) == Regime(depth=10, metric="RBP(p=0.95)", unjudged="condensed", estimator="rm")
    assert regime(written).name == written
    assert regime("rm|RBP(p=0.95)  | depth = 10|condensed").name == written
    assert regime("judgments=1000 | irrelevant | lower | RBP(p=0.8)").name == "judgments=1000"
    assert regime("").name == regime("lower").name == "RBP(p=0.8)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("depth=0", "'depth=0' is not valid; depth must be a whole number from 1"),
        ("judgments=many | AP", "'judgments=many' is not valid"),
        ("depth=2 | judgments=3", "two parts for the judgments"),
        ("depth=2 | depth=2", "has two parts for the"),
        ("P@10 | AP", "two parts for the metric"),
        ("rm | upper", "two parts for the estimator"),
        ("condensed | irrelevant", "has two parts for the"),
        ("RPB(p=0.8)", "RPB"),
        ("AP | shallow", "'shallow' is neither a count"),
    ],
)
def test_a_name_that_cannot_be_read_says_why(text, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        regime(text)
    assert message in str(error.value)


# The question


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(track=tracks(systems=5), data=st.data())
def test_regimes_are_the_definitions(track, data):
    runs, qrels = track
    options = {name: data.draw(st.sampled_from(choices)) for name, choices in OPTIONS.items()}
    pooled = sorted(runs)[:2]
    study = small_study(runs, qrels, pooled=pooled, **options)
    if len(runs) < 2 or len(qrels) < 2:
        with pytest.raises(ValueError, match="at least two"):
            distances(study, list(ORACLE_OF))
        return
    weighted = data.draw(st.booleans())
    table = distances(study, list(ORACLE_OF), weight="rho" if weighted else 1)
    scores = {
        said: oracle.topic_scores(runs=runs, qrels=qrels, pooled=pooled, **asked, **options)
        for said, asked in ORACLE_OF.items()
    }
    every = list(itertools.product(ORACLE_OF, repeat=2))
    assert list(zip(table.a, table.b, strict=True)) == every
    for (a, b), ours in zip(every, table.to_dict("records"), strict=True):
        expected = expected_row(scores[a], scores[b], weighted)
        assert {name: ours[name] for name in expected} == pytest.approx(expected, abs=1e-9, nan_ok=True), (a, b)


def expected_row(here, there, weighted):
    """What follows from two sets of scores; the distance only where every pair has two common topics."""
    means, other = ({s: m for s, m in oracle.means_of(of).items() if not math.isnan(m)} for of in (here, there))
    row = dict.fromkeys(("tau", "tau_a", "tau_b", "tau_ap", "rbo", "tau_distance", "inversions"), math.nan)
    if len(means) > 1:
        row = {
            "tau": oracle.kendall_tau(means, other), "tau_a": oracle.tau_a(means, other),
            "tau_b": oracle.kendall_tau(means, other), "tau_ap": oracle.tau_ap(means, other),
            "rbo": oracle.rbo(means, other), "tau_distance": oracle.kendall_distance(means, other),
            "inversions": oracle.inversions(means, other),
        }  # fmt: skip
    pairs = list(itertools.combinations(here, 2))
    if all(len(oracle.differences(here[a], here[b])) > 1 for a, b in pairs):
        row["distance"] = oracle.weighted_distance(here, there, weighted=weighted)
        row["distance_per_pair"] = row["distance"] / len(pairs)
    return row


@pytest.fixture(scope="module")
def study():
    """Five systems on four topics; A holds best what is relevant, E worst, and no two are tied."""
    good = {"A": 4, "B": 3, "C": 2, "D": 1, "E": 0}
    runs = {
        system: {
            str(topic): {f"{'r' if k < relevant or (k == 4 and topic > relevant) else 'n'}{k}": -k for k in range(5)}
            for topic in range(4)
        }
        for system, relevant in good.items()
    }
    qrels = {str(topic): {f"{name}{k}": int(name == "r") for k in range(5) for name in "rn"} for topic in range(4)}
    return small_study(runs, qrels, pooled="all")


def test_a_regime_agrees_with_itself(study):
    names = ["RBP(p=0.8)", "P@3", "depth=2 | rm", "judgments=10"]
    for name in names[:2]:
        same = one(distances(study, names), name, name)
        assert (same.tau_b, same.tau_ap) == (1, 1)
        assert same.rbo == pytest.approx(1)
        assert (same.tau_distance, same.distance, same.distance_per_pair, same.inversions) == (0, 0, 0, 0)
    assert one(distances(study, names), "RBP(p=0.8)", "RBP(p=0.8)").tau == 1


@pytest.fixture(scope="module")
def turned():
    """P@1 ranks A, B, C; P@3 ranks C, B, A. A is above C by as much on both topics, above B on one of them."""
    first, more = {"x": 3.0, "m": 2.0, "n": 1.0}, {"n": 3.0, "x": 2.0, "y": 1.0}
    runs = {"A": {"1": first, "2": first}, "B": {"1": first, "2": more}, "C": {"1": more, "2": more}}
    return small_study(runs, {topic: {"x": 1, "y": 1, "m": 0, "n": 0} for topic in "12"}, pooled="all")


def test_an_ordering_and_its_reverse_are_as_far_apart_as_can_be(turned):
    found = one(distances(turned, ["P@1", "P@3"]), "P@1", "P@3")
    assert (found.tau, found.tau_b, found.tau_ap) == (-1, -1, -1)
    assert (found.tau_distance, found.inversions) == (1, 3)
    assert found.rbo == pytest.approx(0.1 * (0 + 0.9 * 1 / 2 + 0.81) + 0.729)


def test_weighted_distance_by_hand(turned):
    found = one(distances(turned, ["P@1", "P@3"]), "P@1", "P@3")
    assert found.distance == pytest.approx(1 + 0.5 + 0.5)  # A and C: p = 0; the others: t = 1, one-tailed p = .25
    assert found.distance_per_pair == pytest.approx(2 / 3)
    found = one(distances(turned, ["P@1", "P@3"], weight="rho"), "P@1", "P@3")
    assert found.distance == pytest.approx(0.5 * 1 + 0.25 * 0.5 + 0.25 * 0.5)


def test_names_in_the_table_are_those_that_were_asked(study):
    names = ["depth=2 | rm", "rm | depth = 2"]
    table = distances(study, names)
    assert set(table.a) == set(table.b) == set(names)
    assert (table.tau_distance == 0).all()


def test_tau_ap_and_a_weight_of_rho_have_a_reference(study):
    names = ["RBP(p=0.8)", "RBP(p=0.8)@1"]
    table = distances(study, names, weight="rho")
    there, back = one(table, *names), one(table, *names[::-1])
    assert there.distance != pytest.approx(back.distance)
    plain = distances(study, names)
    assert one(plain, *names).distance == pytest.approx(one(plain, *names[::-1]).distance)


@pytest.mark.parametrize("systems", [["A", "B", "C"], ["C", "B", "A"]])
def test_tied_systems_stand_by_name_however_they_are_chosen(turned, systems):
    names = ["P@1", "Judged@1"]  # A, B, C; all are tied
    for table in (distances(turned.only(systems=systems), names), distances(turned, names, systems=systems)):
        assert one(table, *names).tau_ap == one(table, *names[::-1]).tau_ap == 1
        assert one(table, *names).rbo == pytest.approx(1)


@settings(max_examples=examples(15), deadline=None, derandomize=True)
@given(track=tracks(systems=4))
def test_a_narrower_study_is_the_same_systems_and_topics(track):
    runs, qrels = track
    runs |= {"y": {"t0": {"da": 1.0}}, "z": {"t0": {"db": 1.0}}}
    qrels |= {"t8": {"da": 1}, "t9": {"db": 3}}
    study = small_study(runs, qrels, pooled=["y"]).only(systems=["s0", "y", "z"], topics=["t0", "t8"])
    narrow = {system: runs[system] for system in ("s0", "y", "z")}
    ranks = {"name": "RBP(p=0.8)"}, {"name": "RBP(p=0.8)", "depth": 1}
    kept = [topic for topic in ("t0", "t8") if topic in qrels]
    if len(kept) < 2:
        return
    scores = []
    for asked in ranks:
        all_topics = oracle.topic_scores(runs=narrow, qrels=qrels, pooled=["y"], **asked)
        scores.append({s: {t: row[t] for t in kept} for s, row in all_topics.items()})
    found = one(distances(study, ["RBP(p=0.8)", "depth=1"]), "RBP(p=0.8)", "depth=1")
    expected = expected_row(*scores, False)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_chosen_systems_are_those_of_a_narrower_study(study):
    names = ["RBP(p=0.8)", "P@2"]
    chosen = distances(study, names, systems=["A", "C", "E"])
    assert chosen.equals(distances(study.only(systems=["A", "C", "E"]), names))


@settings(max_examples=examples(20), deadline=None, derandomize=True)
@given(data=st.data())
def test_variations_of_a_topic_count_as_one(data):
    names = ["t0-1", "t0-2", "t1-1", "t1-2"]
    ranking = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3).map(float), min_size=1)
    run = st.fixed_dictionaries({}, optional=dict.fromkeys(names, ranking))
    runs = {f"s{number}": data.draw(run) for number in range(3)}
    grades = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 1), min_size=1)
    qrels = {"t0": data.draw(grades), "t1": data.draw(grades)}
    average = data.draw(st.sampled_from(["qrels", "common"]))
    study = small_study(runs, qrels, pooled="all", average=average)
    scores = [oracle.topic_scores(name, runs, qrels, average=average) for name in ("P@1", "RBP(p=0.5)")]
    found = one(distances(study, ["P@1", "RBP(p=0.5)"]), "P@1", "RBP(p=0.5)")
    expected = expected_row(*scores, False)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9, nan_ok=True)


# What cannot be asked


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"names": []}, "regimes is empty"),
        ({"names": "AP"}, "a list"),
        ({"names": ["AP"], "weight": 2}, "weight=2 is not valid"),
        ({"names": ["AP"], "systems": ["A"]}, "at least two systems"),
    ],
)
def test_what_cannot_be_compared_says_why(study, how, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        distances(study, how.pop("names"), **how)
    assert message in str(error.value)


def test_one_topic_is_not_enough(study):
    with pytest.raises(ValueError, match="at least two judged topics"):
        distances(study.only(topics=["1"]), ["P@1", "AP"])
