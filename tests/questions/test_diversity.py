"""Diversity against plain loops, and against what ndeval prints. METHODS 3.15."""

import math
import random

import pytest

import evalcore
from tests.oracles.diversity import measures
from tests.small import small_study

MEASURES = ["alpha_ndcg", "err_ia", "subtopic_recall"]
RUNS = {
    "s0": {"1": ["d04", "d07", "d01", "d11", "d02", "d09"], "2": ["d03", "d01", "d12", "d05"]},
    "s1": {"1": ["d02", "d03", "d10", "d05", "d06"], "2": ["d05", "d11", "d02", "d01", "d09", "d08"]},
}
QRELS = [  # topic, subtopic, document, grade
    ("1", "1", "d01", 1), ("1", "1", "d02", 1), ("1", "1", "d07", 0), ("1", "2", "d02", 2), ("1", "2", "d04", 1),
    ("1", "3", "d09", 1), ("1", "3", "d10", 1), ("1", "3", "d11", 0), ("1", "4", "d05", 0), ("1", "2", "d12", 1),
    ("2", "1", "d01", 1), ("2", "1", "d05", 3), ("2", "1", "d12", 1), ("2", "2", "d02", 1), ("2", "2", "d05", 1),
    ("2", "3", "d08", -2), ("2", "5", "d14", 1),
]  # fmt: skip
NDEVAL = {  # printed by pyndeval 0.0.8: (system, k) -> alpha-nDCG, ERR-IA, subtopic recall, means of both topics
    ("s0", 5): [0.5090316439627203, 0.3040847201210288, 0.6666666666666666],
    ("s0", 10): [0.5541859990723226, 0.3221399655565744, 0.8333333333333333],
    ("s0", 20): [0.5541859990723226, 0.3221017255279415, 0.8333333333333333],
    ("s1", 5): [0.7660303676736337, 0.5597579425113465, 0.8333333333333333],
    ("s1", 10): [0.7560155841829473, 0.5561047616917537, 0.8333333333333333],
    ("s1", 20): [0.7560155841829475, 0.5560387485785614, 0.8333333333333333],
}


def upload(name, lines):
    return evalcore.Upload(name, "".join(f"{' '.join(map(str, line))}\n" for line in lines).encode())


def opened(runs=RUNS, qrels=QRELS, **options):
    """The study of these rankings and judgments by subtopic."""
    files = [
        upload(f"{system}.run", [(topic, "Q0", document, rank, 100 - rank, system)
                                 for topic, ranking in of.items() for rank, document in enumerate(ranking, 1)])
        for system, of in runs.items()
    ]  # fmt: skip
    return evalcore.open_study(files, upload("qrels.txt", qrels), **{"aspect": "union"} | options)


def by_hand(runs, qrels, k=20, alpha=0.5, rel_level=1):
    """system -> the means over the judged topics."""
    means = {}
    for system, of in runs.items():
        by_topic = []
        for topic in dict.fromkeys(line[0] for line in qrels):
            subtopics_of = {}
            for _, subtopic, document, grade in (line for line in qrels if line[0] == topic):
                if grade >= rel_level:
                    subtopics_of.setdefault(document, set()).add(subtopic)
            by_topic.append(measures(of.get(topic, []), subtopics_of, k, alpha))
        means[system] = [sum(values) / len(by_topic) for values in zip(*by_topic, strict=True)]
    return means


def of_systems(answer):
    return {row["system"]: [row[name] for name in MEASURES] for row in answer.table.to_dict("records")}


def test_the_example_of_methods():
    runs, qrels = {"s": {"1": list("bac")}}, [("1", s, d, 1) for d, s in ("a1", "a2", "b1", "c3")]
    found = of_systems(evalcore.ask(opened(runs, qrels), "diversity", k=3))["s"]
    assert found[:2] == pytest.approx([0.8492, 0.5208], abs=5e-5)


def test_of_equal_documents_the_ideal_has_the_last_name_first():
    """a, b and c have two subtopics each. c first leaves 1.5 and 1.5; a or b first would leave 2 and 1."""
    runs, qrels = {"s": {"1": ["a"]}}, [("1", s, d, 1) for d, s in ("a1", "a2", "b3", "b4", "c2", "c3")]
    found = of_systems(evalcore.ask(opened(runs, qrels), "diversity", k=3))["s"]
    assert found[0] == pytest.approx(2 / (2 + 1.5 / math.log2(3) + 1.5 / 2))


@pytest.mark.parametrize("k", [5, 10, 20])
def test_measures_are_those_of_ndeval(k):
    found = of_systems(evalcore.ask(opened(), "diversity", k=k))
    for system, values in found.items():
        assert values == pytest.approx(NDEVAL[system, k], abs=1e-12)


def test_ndeval_gives_these_figures():
    pyndeval = pytest.importorskip("pyndeval", reason="pyndeval is not installed; its figures are above")
    evaluator = pyndeval.RelevanceEvaluator(
        [pyndeval.SubtopicQrel(*line) for line in QRELS],
        [f"{name}@{k}" for name in ("alpha-nDCG", "ERR-IA", "strec") for k in (5, 10, 20)],
    )
    for system, of in RUNS.items():
        ranked = [(topic, document, 100 - rank) for topic, run in of.items() for rank, document in enumerate(run)]
        by_topic = evaluator.evaluate([pyndeval.ScoredDoc(*one) for one in ranked]).values()
        for k in (5, 10, 20):
            names = [f"{name}@{k}" for name in ("alpha-nDCG", "ERR-IA", "strec")]
            means = [sum(of_topic[name] for of_topic in by_topic) / len(by_topic) for name in names]
            assert means == pytest.approx(NDEVAL[system, k], abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_measures_are_those_of_plain_loops(seed):
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(15)]
    topics = [str(topic) for topic in range(1, 4)]
    qrels = [
        (topic, str(subtopic), document, draw.choice([-2, 0, 0, 1, 1, 2]))
        for topic in topics
        for subtopic in range(draw.randint(1, 4))
        for document in draw.sample(documents, 6)
    ] + [("9", "1", "d1", 0), ("9", "2", "d1", 0)]
    runs = {
        f"s{n}": {topic: draw.sample(documents, draw.randint(1, 15)) for topic in topics[n % 2 :]} for n in range(3)
    }
    study = opened(runs, qrels, rel_level=1 + seed % 2)
    for k, alpha in ((1, 0.5), (3, 0.0), (20, 1.0), (20, 0.3)):
        answer = evalcore.ask(study, "diversity", k=k, alpha=alpha)
        expected = by_hand(runs, qrels, k, alpha, 1 + seed % 2)
        for system, values in of_systems(answer).items():
            assert values == pytest.approx(expected[system], abs=1e-12)
        assert answer.table["alpha_ndcg"].is_monotonic_decreasing
        assert set(answer.table["n"]) == {len({line[0] for line in qrels})}


def test_judgments_by_subtopic_may_stand_beside_others():
    assert [one.check for one in opened().findings if one.check in ("two grades", "subtopics")] == ["subtopics"]
    one = opened(aspect="1")
    assert of_systems(evalcore.ask(one, "diversity")) == of_systems(evalcore.ask(opened(), "diversity"))
    runs = {s: {t: {d: -float(r) for r, d in enumerate(of)} for t, of in run.items()} for s, run in RUNS.items()}
    plain = small_study(runs, {"1": {"d01": 1}, "2": {"d02": 1}})
    with pytest.raises(ValueError, match="with_subtopics"):
        evalcore.ask(plain, "diversity")
    given = upload("subtopics.txt", QRELS)
    assert of_systems(evalcore.ask(plain, "diversity", subtopics=given)) == of_systems(evalcore.ask(one, "diversity"))
    added = plain.with_subtopics(given)
    assert added.judgments is plain.judgments
    assert [source.role for source in added.sources] == ["subtopics"]
    assert not [finding for finding in added.findings if finding.check == "subtopics"]  # the study's own stay
    assert of_systems(evalcore.ask(added, "diversity")) == of_systems(evalcore.ask(one, "diversity"))


def test_later_subtopics_take_the_place_of_earlier_ones():
    study, later = opened(aspect="1"), upload("later.txt", [("1", 1, "d03", 1), ("1", 2, "d02", 1)])
    alone, twice = study.with_subtopics(later), study.with_subtopics(upload("first.txt", QRELS)).with_subtopics(later)
    assert twice.sources == alone.sources
    assert [source.role for source in alone.sources] == [*(source.role for source in study.sources), "subtopics"]
    assert of_systems(evalcore.ask(twice, "diversity")) == of_systems(evalcore.ask(alone, "diversity"))


def test_files_without_subtopics_of_the_study_are_refused():
    with pytest.raises(evalcore.InputError, match="only one subtopic"):
        opened().with_subtopics(upload("plain.txt", [("1", 0, "d01", 1), ("2", 0, "d02", 1)]))
    with pytest.raises(evalcore.InputError, match="no topic of this track"):
        opened().with_subtopics(upload("other.txt", [("7", 1, "d01", 1), ("7", 2, "d02", 1)]))
    nothing = upload("nothing.txt", [("1", 1, "d01", 0), ("1", 2, "d02", 0)])
    with pytest.raises(ValueError, match="no document is relevant to a subtopic"):
        evalcore.ask(opened(), "diversity", subtopics=nothing)


def test_subtopics_are_kept_in_the_cache_and_compared_as_other_names(tmp_path):
    table = evalcore.ask(opened(cache=tmp_path), "diversity").table
    assert evalcore.ask(opened(cache=tmp_path), "diversity").table.equals(table)
    names = opened(qrels=[(topic, s, d.upper(), g) for topic, s, d, g in QRELS], names="case")
    assert evalcore.ask(names, "diversity").table.equals(table)
