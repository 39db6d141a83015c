"""Every hostile input is refused with a sentence that says what and where, or scores as pytrec_eval scores it."""

import re
import warnings

import pytest
import pytrec_eval

import evalcore
from evalcore.__main__ import main
from evalcore.interop import score_files
from evalcore.metrics.metrics import metric
from evalcore.parameters import parameter
from evalcore.reading.files import InputError
from tests.cached import opened_in_every_way
from tests.examples import in_every_way
from tests.hostile import corpus, odd_files
from tests.hostile.corpus import ACCEPTED, JUDGED, QRELS, RANKED, RUN
from tests.reading.checked import load

CASES = corpus.cases() + odd_files.cases()
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


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_input(case, tmp_path):
    if case.kind == "address":
        refused = ValueError
        act = lambda: asked(*case.text)  # noqa: E731
    elif case.kind == "scores":
        refused = InputError
        act = lambda: score_files.scores_in(evalcore.Upload("theirs", case.text))  # noqa: E731
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

        def opened(cache=False):
            return evalcore.open_study(list(case.runs), case.qrels, cache=cache, **case.options)

        study = opened_in_every_way(opened, tmp_path) if in_every_way(case.name) else opened()
        assert all(finding.message.isprintable() for finding in study.findings)
        assert_scored(study, case.ranked or RANKED, case.judged or JUDGED)


@pytest.mark.parametrize(("options", "said"), [one[1:] for one in odd_files.options()],
                         ids=[one[0] for one in odd_files.options()])  # fmt: skip
def test_an_option_that_cannot_be(options, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        evalcore.open_study([evalcore.Upload("a", RUN)], evalcore.Upload("q", QRELS), **({"cache": False} | options))


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [
        ("--gains", "1:2:3", "gains='1:2:3' is not valid; write one gain for each grade"),
        ("--gains", ":,", "gains=':,' is not valid; write one gain for each grade"),
        ("--gains", "0:0,0:1,1:1,2:1", "write one gain for each grade"),
        ("--gains", "0:0,1:x,2:1", "is not valid; write a number for each grade"),
        ("--metric", "\x1b[31m", r"no metric '\x1b[31m'"),
        ("--metric", "AP" * 9999, "no metric 'APAP"),
        ("--systems", "\x1b[2J", r"no system '\x1b[2J'"),
        ("--qrels", "/nowhere\x1b[2J", r"there is no file or folder /nowhere\x1b[2J"),
        ("--runs", "a\0b", r"there is no file or folder a\x00b"),
        ("--runs", "/dev/null", "a pipe, a socket or a device"),
        ("--cache", "\0", "is not a folder; give a path"),
        ("--block", "0", "topics=0 is not valid; it must be a whole number from 1"),
        ("--columns", "=", "columns: '' is not known"),
        ("--estimator", "interpolated(C=1e308)", "C = 1e308 is not valid; C must be a number from 0 to 1"),
        ("--names", "prefix=\udcff", r"names='prefix=\udcff' is not known"),
    ],
    ids=range(15),
)
def test_a_command_line_that_cannot_be(tmp_path, capsys, flag, value, said):
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / "qrels").write_bytes(QRELS)
    files = {"--runs": str(tmp_path / "a.run"), "--qrels": str(tmp_path / "qrels"), "--cache": "none"}
    words = [word for pair in (files | {flag: value}).items() for word in pair]
    assert main(["leaderboard", *words]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.replace("\n", "").isprintable()
    assert len(printed) < 2000
