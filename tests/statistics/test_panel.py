"""The panel of judges against counts in plain Python, and the questions on two families that it answers alike.

METHODS 13.5 and 13.6.
"""

import gzip
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import evalcore
from evalcore.statistics.panel import panel, with_second
from tests.oracles.judging import alpha, pairs_of
from tests.small import small_study

WEB = Path(__file__).parents[2] / "sample_data" / "web"
FILES = {
    "second": WEB / "qrels.second.txt.gz",
    **{path.name.partition(".")[0]: path for path in sorted((WEB / "judges").iterdir())},
}
METRICS = ["RBP(p=0.8)", "AP", "nDCG@10"]


def read(path):
    """topic -> document -> grade"""
    text, qrels = path.read_bytes(), defaultdict(dict)
    text = gzip.decompress(text) if path.suffix == ".gz" else text
    for topic, _, document, grade in map(str.split, text.decode().splitlines()):
        qrels[topic][document] = int(grade)
    return qrels


def counts_of(pairs):
    """grade -> other grade -> how many documents have both"""
    counts = defaultdict(lambda: defaultdict(int))
    for first, second in pairs:
        counts[first][second] += 1
    return counts


def kappa(counts, weight):
    """Cohen's: 1 - what the two disagree over what they would by chance; NaN where that is nothing."""
    n = sum(sum(row.values()) for row in counts.values())
    down = {grade: sum(row.values()) for grade, row in counts.items()}
    across = defaultdict(int)
    for row in counts.values():
        for grade, count in row.items():
            across[grade] += count
    seen = sum(weight(a, b) * count for a, row in counts.items() for b, count in row.items())
    by_chance = sum(weight(a, b) * down[a] * across[b] / n for a in down for b in across)
    return 1 - seen / by_chance if by_chance else math.nan


def square(a, b):
    return (a - b) ** 2


def near(value):
    return pytest.approx(value, abs=1e-12, nan_ok=True)


@pytest.fixture(scope="module")
def track():
    return evalcore.open_study(WEB / "runs", WEB / "qrels.txt", systems=WEB / "systems.tsv", cache=False)


@pytest.fixture(scope="module", params=list(FILES))
def twice(request, track):
    """The sample with second judgments, with the same file as its only judge, and the pairs of grades by topic."""
    file = FILES[request.param]
    pairs = pairs_of(read(WEB / "qrels.txt"), read(file))
    return track.with_other(file), track.with_judges({"it": file}), pairs


def test_both_families_have_the_same_columns(twice):
    """To the last bit, but for alpha of a topic: `agreement` takes it from the ratings, `judge_topics` from their
    counts, so the last digit may differ."""
    second, judges, _ = twice
    for metric in METRICS:
        effect = evalcore.ask(second, "agreement_effect", metric=metric).table
        systems = evalcore.ask(judges, "judge_systems", metric=metric).table
        assert effect.equals(systems[list(effect)])
    confusion = evalcore.ask(second, "confusion").table
    assert confusion.equals(evalcore.ask(judges, "judge_confusion").table)
    *topics, every = evalcore.ask(second, "agreement").table.to_dict("records")
    of_judge = evalcore.ask(judges, "judge_topics").table.set_index("topic")
    assert sorted(of_judge.index) == [row["topic"] for row in topics]
    (judge,) = evalcore.ask(judges, "judges").table.to_dict("records")
    for row, same in [*((row, of_judge.loc[row["topic"]]) for row in topics), (every, judge)]:
        for column in ("both", "kappa_weighted", "shift"):
            assert row[column] == same[column]
        assert row["relevant"] / row["both"] == same["share_relevant"]
        assert row["relevant_other"] / row["both"] == same["share_relevant_other"]
        assert row["alpha"] == near(same["alpha"])


def test_with_query_variations_the_families_differ_in_the_last_digit_only():
    """One sums scores in the order of topics, the other in pairs."""
    folder = WEB.parent / "variations"
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", variations="run", cache=False)
    file = folder / "qrels.second.txt.gz"
    effect = evalcore.ask(study.with_other(file), "agreement_effect").table
    systems = evalcore.ask(study.with_judges({"it": file}), "judge_systems").table[list(effect)]
    assert effect.select_dtypes(exclude="float").equals(systems.select_dtypes(exclude="float"))
    for column in effect.select_dtypes("float"):
        assert effect[column].tolist() == near(systems[column].tolist())


def test_every_column_on_documents_is_its_definition(twice):
    second, _, by_topic = twice
    table = evalcore.ask(second, "agreement").table
    everything = [pair for pairs in by_topic.values() for pair in pairs]
    assert list(table["topic"]) == [*by_topic, "all"]
    for row, pairs in zip(table.to_dict("records"), [*by_topic.values(), everything], strict=True):
        counts = counts_of(pairs)
        assert row["both"] == len(pairs)
        assert row["same"] == sum(counts[grade][grade] for grade in list(counts))
        assert row["kappa"] == near(kappa(counts, lambda a, b: a != b))
        assert row["kappa_weighted"] == near(kappa(counts, square))
        assert row["alpha"] == near(alpha(pairs))
        ours, theirs, shared = (sum(test(a, b) for a, b in pairs) for test in (
            lambda a, _: a > 0, lambda _, b: b > 0, lambda a, b: a > 0 and b > 0
        ))  # fmt: skip
        assert (row["relevant"], row["relevant_other"], row["relevant_both"]) == (ours, theirs, shared)
        assert row["overlap_relevant"] == near(shared / (ours + theirs - shared))
        assert row["shift"] == near(sum(b - a for a, b in pairs) / len(pairs))
    counts = counts_of(everything)
    for row in evalcore.ask(second, "confusion").table.to_dict("records"):
        assert row["count"] == counts[row["grade"]][row["grade_other"]]


OURS = {"1": {"x": 2, "y": 0, "z": 1}, "2": {"x": 1}, "3": {"x": 1, "w": 0}}
THEIRS = {"1": {"x": 1, "z": 1, "far": 0}, "2": {"z": 2}, "4": {"x": 1}}
RUNS = {s: {t: {d: float(n) for n, d in enumerate(order)} for t in "1234"} for s, order in (("a", "xyz"), ("b", "zyx"))}


def test_a_panel_aligns_what_each_judges():
    """A topic on which both judge other documents is scored by both, and has no agreement."""
    study = small_study(RUNS, OURS, pooled="all").with_judges({"it": THEIRS})
    of, alike = panel(study, "P@1"), with_second(study)
    names = [(study.track.topics[t], d) for t, d in zip(of.topic, study.track.documents(of.items), strict=True)]
    for judge, qrels in enumerate((OURS, THEIRS)):
        given = {name: grade for name, grade in zip(names, of.grades[judge], strict=True) if not math.isnan(grade)}
        known = {topic for topic in qrels if topic in study.track.topics}
        assert given == {(t, d): grade for t in known for d, grade in qrels[t].items()}
        assert np.array_equal(of.grades[judge], alike.grades[judge], equal_nan=True)
    assert [names[place] for place in of.both(0, 1)] == [("1", "x"), ("1", "z")]
    assert sorted(names[place] for place in of.alone(0, 1)) == [("1", "y"), ("2", "x"), ("3", "w"), ("3", "x")]
    assert ("2", "z") in [names[place] for place in of.alone(1, 0)]
    assert [study.track.topics[topic] for topic in of.shared(0, 1)] == ["1", "2"]
    grades, counts = of.confusion(0, 1)
    assert grades.tolist() == [0, 1, 2]
    assert np.argwhere(counts).tolist() == [[1, 1], [2, 1]]
    assert evalcore.ask(study, "agreement").table["topic"].tolist() == ["1", "all"]
    assert sorted(evalcore.ask(study, "judge_topics").table["topic"]) == ["1", "2"]
