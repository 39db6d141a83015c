"""Every hostile input is refused with a sentence that says what and where, or scores as pytrec_eval scores it."""

import warnings

import pytest
import pytrec_eval

import evalcore
from evalcore.metrics import metric
from evalcore.parameters import parameter
from evalcore.reading import score_files
from evalcore.reading.files import InputError
from evalcore.reading.loading import load
from tests.hostile.corpus import ACCEPTED, JUDGED, RANKED, cases

CASES = cases()
MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10"}


def test_there_are_enough_and_each_has_a_name():
    assert len(CASES) >= 500
    assert len({case.name for case in CASES}) == len(CASES)


def scores_of(study):
    """topic -> measure -> value, of the one system."""
    values = {}
    for name, theirs in MEASURES.items():
        table = evalcore.ask(study, "scores", metric=name).table
        for topic, value in zip(table["topic"], table["value"], strict=True):
            values.setdefault(topic, {})[theirs] = value
    return values


def assert_scored(study, ranked, judged):
    theirs = pytrec_eval.RelevanceEvaluator(judged, {*MEASURES.values()}).evaluate(ranked)
    ours = scores_of(study)
    for topic, values in theirs.items():
        for measure, value in values.items():
            assert ours[topic][measure] == pytest.approx(value, abs=1e-6), (topic, measure)


def asked(kind, text):
    """What becomes of a word of an address."""
    if kind == "metric":
        return metric(text)
    row = parameter("leaderboard", kind)
    value = row.kind.word(text)
    study = evalcore.open_study(
        [evalcore.Upload("a", b"1 Q0 d 1 1 t\n")], evalcore.Upload("q", b"1 0 d 1\n"), cache=False
    )
    return evalcore.ask(study, "leaderboard", metric="P@5", **{kind: value})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_input(case):
    if case.kind == "address":
        refused = ValueError
        act = lambda: asked(*case.text)  # noqa: E731
    elif case.kind == "scores":
        refused = InputError
        act = lambda: score_files.read(evalcore.Upload("theirs", case.text))  # noqa: E731
    else:
        refused = InputError
        act = lambda: load(list(case.runs), case.qrels, cache=False, **case.options)  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if case.said != ACCEPTED:
            with pytest.raises(refused) as error:
                act()
            assert case.said in str(error.value)
            assert str(error.value).replace("\n", "").isprintable() or case.kind == "address"
            assert len(str(error.value)) < 5000
            return
        if case.kind != "track":
            act()
            return
        study = evalcore.open_study(list(case.runs), case.qrels, cache=False, **case.options)
        assert all(finding.message.isprintable() for finding in study.findings)
        assert_scored(study, case.ranked or RANKED, case.judged or JUDGED)
