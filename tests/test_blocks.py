"""A track in blocks of topics answers as the same track in memory, one block after another or by the workers of a
cluster; what takes all rankings at once is refused by name, with the reason."""

import gc
import gzip
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.large import block_cache, open_blocked, topic_block
from evalcore.questions.question import SPANS
from evalcore.reading import topic_index, unpacked_runs

SAMPLES = Path(__file__).parent.parent / "sample_data"
REAL = Path(os.environ.get("POOLSCOPE_DATA", "/nowhere"))
TOPICS = 3  # in a block
FEW = {  # parameters that make a question small
    "adjustment_experiment": {"system_samples": 2, "topic_samples": 5, "widths": [2], "common": [5]},
    "anova": {"models": ["MD1", "MD6"], "shards": 2},
    "bias_by_width": {"repeats": 2},
    "coverage": {"depths": [2, 5]},
    "depth_sweep": {"depths": [1, 5, None]},
    "estimator_error": {"depths": [2], "estimators": ["lower", "linear", "two-stage-b"]},
    "estimates": {"depth": 2},
    "judging_orders": {"budget": 200, "orders": ["depth"]},
    "models": {"resamples": 2, "models": ["MD1", "MD6"]},
    "pool": {"depths": [1, 5, None]},
    "rank_intervals": {"resamples": 100},
    "shard_stability": {"shards": [2], "resamples": 2},
    "system_estimates": {"depth": 2, "estimator": "linear"},
    "tukey_pairs": {"shards": 2},
    "two_strata": {"repeats": 1},
}
MORE = (  # beside the defaults: cuts by depth and by count, condensed, guesses by formula and by model
    ("leaderboard", {"metric": "AP", "depth": 3}),
    ("leaderboard", {"metric": "nDCG@10", "judgments": 100, "unjudged": "condensed"}),
    ("leaderboard", {"metric": "RBP(p=0.95)", "judgments": 150, "estimator": "two-stage-b"}),
    ("scores", {"metric": "INST(T=1)", "estimator": "lower", "systems": "pooled"}),
    ("scores", {"metric": "bpref", "judgments": 50}),
    ("depth_sweep", {"metric": "AP", "depths": [2, None], "estimator": "lower"}),
    ("depth_sweep", {"metric": "P@10", "depths": [2, None], "estimator": "linear"}),
    ("separability", {"judgments": [50, 100], "estimators": ["lower", "rm"]}),
    ("leave_out", {"metric": "AP", "depth": 5}),
    ("leave_out", {"metric": "P@10", "unjudged": "condensed"}),
    ("regimes", {"regimes": ["depth=5", "AP", "condensed | P@10", "judgments=100 | rm"]}),
    ("holes", {"depth": 8}),
    ("rbo", {"phi": 0.5, "k": 20}),
)


def needs(study):
    """What has no default."""
    first, last = study.systems[0], study.systems[-1]
    topic = study.track.topics[int(study.judged_topics[0])]
    return {
        "adjust_from_systems": {"system": last},
        "adjust_from_topics": {"system": last, "common": 4},
        "newcomer": {"system": last, "common": 4},
        "ranking": {"system": first, "topic": topic},
    }


def unpacked(source, folder, runs=None, topics=None):
    """Some runs of a folder as plain text in another one, of some topics."""
    folder.mkdir()
    for path in sorted(source.iterdir())[:runs]:
        data = path.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        lines = (line for line in data.splitlines(keepends=True) if topics is None or line.split()[0] in topics)
        (folder / path.name.removesuffix(".gz")).write_bytes(b"".join(lines))


def plain(folder, name, **some):
    """A sample with its runs as plain text, and what it is opened with."""
    unpacked(SAMPLES / name / "runs", folder / "runs", **some)
    here = {"systems": "systems.tsv", "queries": "queries.tsv", "other": "qrels.second.txt.gz"}
    said = {role: SAMPLES / name / file for role, file in here.items() if (SAMPLES / name / file).exists()}
    return folder / "runs", SAMPLES / name / "qrels.txt", said


OPENED = {"newswire": {}, "variations": {"variations": "run"}}


@pytest.fixture(scope="module", params=OPENED)
def both(request, tmp_path_factory):
    """A sample in memory and in blocks."""
    folder = tmp_path_factory.mktemp(request.param)
    runs, qrels, said = plain(folder, request.param, runs={"newswire": 12}.get(request.param))
    said |= OPENED[request.param]
    return evalcore.open_study(runs, qrels, **said), open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said)


def answered(study, question, params):
    try:
        return evalcore.ask(study, question, **params)
    except ValueError as refused:
        return str(refused)


def assert_same(one, other):
    if isinstance(one, str):
        assert one == other
        return
    assert list(one.table.columns) == list(other.table.columns)
    assert len(one.table) == len(other.table)
    for column in one.table:
        ours, theirs = one.table[column], other.table[column]
        assert ours.dtype == theirs.dtype or ours.isna().all() or not len(ours), column
        if pd.api.types.is_float_dtype(ours):
            np.testing.assert_allclose(theirs.to_numpy(float), ours.to_numpy(float), rtol=0, atol=1e-12)
        else:
            assert ours.astype(str).tolist() == theirs.astype(str).tolist(), column
    assert one.finding.lines == other.finding.lines
    assert one.notes == other.notes


def test_every_question_says_how_it_spans_a_track():
    for row in evalcore.QUESTIONS.values():
        assert row.spans in SPANS, row.name
        assert bool(row.apart) == (row.spans == "track"), row.name


@pytest.mark.parametrize("question", evalcore.QUESTIONS)
def test_blocks_answer_as_memory_does(both, question):
    memory, blocked = both
    params = needs(memory).get(question, {}) | FEW.get(question, {})
    row = evalcore.QUESTIONS[question]
    if row.spans == "track":
        with pytest.raises(ValueError, match=f"{question} cannot be answered .*{row.apart}"):
            evalcore.ask(blocked, question, **params)
    else:
        assert_same(answered(memory, question, params), answered(blocked, question, params))


@pytest.mark.parametrize(("question", "params"), MORE, ids=lambda one: one if isinstance(one, str) else "")
def test_so_do_other_choices(both, question, params):
    memory, blocked = both
    assert_same(answered(memory, question, params), answered(blocked, question, params))


@pytest.mark.parametrize("question", ["scores", "leave_out", "pairs", "systems", "topics"])
def test_a_narrower_study_is_narrower_in_its_blocks(both, question):
    narrow = {"systems": list(both[0].systems[::2]), "topics": list(both[0].topics[1:6])}
    one, other = (study.only(**narrow) for study in both)
    assert_same(answered(one, question, {}), answered(other, question, {}))
    one, other = (study.without_contribution_of([study.systems[0]]) for study in both)
    assert_same(answered(one, question, {}), answered(other, question, {}))


def test_what_a_block_does_not_hold_is_refused_not_guessed(both):
    for touch in (
        lambda study: study.track.items[0],
        lambda study: np.asarray(study.track.scores),
        lambda study: study.places,
        lambda study: study.at().evidence(),
        lambda study: study.with_fused("all"),
    ):
        with pytest.raises(ValueError, match="blocks of topics"):
            touch(both[1])


OPTIONS = (
    {"gains": "linear", "empty": "not relevant", "average": "common", "order": "rank"},
    {"rel_level": 2, "pooled": "all", "negative": "judged", "names": "case"},
    {"pool_depth": 3, "gains": "exponential", "names": "prefix=FT"},
)


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_options_mean_the_same(tmp_path, options):
    runs, qrels, said = plain(tmp_path, "newswire")
    one = evalcore.open_study(runs, qrels, **said, **options)
    other = open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said, **options)
    for question in ("leaderboard", "pairs", "judgment_health", "agreement", "systems", "first_unjudged", "leave_out"):
        assert_same(answered(one, question, {}), answered(other, question, {}))


def test_truth_stands_beside_blocks(tmp_path):
    runs, qrels, said = plain(tmp_path, "newswire")
    truth = SAMPLES / "newswire" / "qrels.complete.txt.gz"
    if not truth.exists():
        pytest.skip("the sample has no complete judgments")
    one = evalcore.open_study(runs, qrels, **said, truth=truth)
    other = open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said, truth=truth)
    assert_same(answered(one, "wrong_pairs", {}), answered(other, "wrong_pairs", {}))


@pytest.mark.skipif(not (REAL / "robust03").exists(), reason="no real tracks here")
@pytest.mark.parametrize("question", ["leaderboard", "scores", "pairs", "leave_out", "judgment_health", "models"])
def test_a_real_track(real, question):
    memory, blocked = real
    params = FEW.get(question, {})
    assert_same(answered(memory, question, params), answered(blocked, question, params))


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    folder = tmp_path_factory.mktemp("real") / "runs"
    unpacked(REAL / "robust03" / "runs", folder, 12)
    qrels = REAL / "robust03" / "qrels.txt"
    return evalcore.open_study(folder, qrels), open_blocked.open_blocks(folder, qrels, topics=10)


# ---------------------------------------------------------------------------------------------------------------------
# A cluster of two workers


SPREAD = [row.name for row in evalcore.QUESTIONS.values() if row.spans != "track"]
AFTER_A_DEATH = [("leave_out", {"metric": "AP", "depth": 4}), ("leave_out", {"metric": "nDCG@20"})]


@pytest.fixture(scope="module")
def spread(tmp_path_factory):
    """A sample in memory, and what a cluster says of each question."""
    pytest.importorskip("distributed")
    from tests import cluster  # here: it needs dask

    topics = {str(topic).encode() for topic in range(401, 408)}
    runs, qrels, said = plain(tmp_path_factory.mktemp("spread"), "newswire", topics=topics, runs=12)
    memory = evalcore.open_study(runs, qrels, **said)
    calls = [(question, needs(memory).get(question, {}) | FEW.get(question, {})) for question in SPREAD]
    each = [*calls, (cluster.KILL, {}), *AFTER_A_DEATH]
    answers = cluster.asked(runs, qrels, said | {"topics": TOPICS}, each)
    return memory, [(*call, answer) for call, answer in zip(calls + AFTER_A_DEATH, answers, strict=True)]


@pytest.mark.parametrize("at", range(len(SPREAD)), ids=SPREAD)
def test_a_cluster_answers_as_memory_does(spread, at):
    memory, answers = spread
    question, params, answer = answers[at]
    assert_same(answered(memory, question, params), answer)


def test_a_killed_worker_loses_nothing(spread):
    memory, answers = spread
    for question, params, answer in answers[len(SPREAD) :]:
        assert_same(answered(memory, question, params), answer)


def test_a_killed_client_loses_nothing_that_blocks_have_told(files):
    pytest.importorskip("distributed")
    from tests import cluster  # here: it needs dask

    said = {"topics": 1, "cache": files / "cache"}
    call = ("scores", {"metric": "P@2"})
    before, answer, after = cluster.asked(
        files / "runs", files / "qrels", said, [(cluster.KILL_CLIENT, {}), call]
    )  # fmt: skip
    assert 2 <= before < 6
    assert after == 6  # of six blocks, each once
    assert_same(evalcore.ask(evalcore.open_study(files / "runs", files / "qrels"), call[0], **call[1]), answer)


def test_a_cluster_that_is_not_there_is_named():
    """In a process of its own: a client's threads outlive it."""
    pytest.importorskip("distributed")
    said = subprocess.run(
        [sys.executable, "-m", "evalcore", "leaderboard", "--scheduler", "nowhere",
         "--runs", SAMPLES / "newswire" / "runs", "--qrels", SAMPLES / "newswire" / "qrels.txt"],
        cwd=SAMPLES.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 2
    assert "no Dask scheduler at nowhere" in said.stderr


# ---------------------------------------------------------------------------------------------------------------------
# Files


def run_of(topics, tag="a", n=4):
    return "".join(f"{topic} Q0 d{topic}-{rank} {rank} {n - rank} {tag}\n" for topic in topics for rank in range(n))


@pytest.fixture
def files(tmp_path):
    """Two runs on six topics, one of them in another order and with a topic in two places."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a").write_text(run_of("123456"))
    lines = run_of("654321", "b").splitlines(keepends=True)
    (tmp_path / "runs" / "b").write_text("".join(lines[2:] + lines[:2]).rstrip("\n"))
    judged = "".join(f"{topic} 0 d{topic}-{rank} {rank % 2}\n" for topic in "1234567" for rank in range(3))
    (tmp_path / "qrels").write_text(judged)
    return tmp_path


def test_topics_may_stand_in_any_order_and_in_several_places(files):
    one = evalcore.open_study(files / "runs", files / "qrels")
    other = open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)
    assert [part.topics for part in other.blocks.parts] == [("1", "2"), ("3", "4"), ("5", "6", "7")]
    assert_same(evalcore.ask(one, "scores"), evalcore.ask(other, "scores"))


def test_no_more_is_opened_than_fits(files):
    study = open_blocked.open_blocks(files / "runs", files / "qrels", memory=open_blocked.SHARE * 260)
    assert len(study.blocks.parts) == 3  # a topic has 128 bytes in the two runs
    assert len(open_blocked.open_blocks(files / "runs", files / "qrels").blocks.parts) == 1


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.run", run_of("12").encode() + b"x" * 2_000_000, "line 9: the line has 2,000,000 bytes"),
        ("a.run", run_of("12").encode() + b"#3 Q0 d 1 2 t\n", "topic #3 cannot be read separately"),
        ("a.run", run_of("12").encode() + b"query Q0 d 1 2 run\n", "topic query cannot be read separately"),
        (
            "a.run",
            run_of("12").encode() + b"\xef\xbb\xbf3 Q0 d 1 2 t\n",
            "cannot be read separately, because some files begin with this",
        ),
        ("a.run", run_of("12").encode() + b"4 Q0 d 1 5 tag x y\n", "the first line of topic 4 has 8 columns"),
        ("a.run", run_of("12").encode() + b"foo bar 4\n2 Q0 d 1 5 t\n", "the first line of topic foo has 3 columns"),
        ("a.run", run_of("12").encode().replace(b" ", b"\v"), "a.run is not plain text of six columns"),
        (
            "packed.gz",
            gzip.compress(b"topic,document,score\n1,d1-1,2\n", mtime=0),
            "packed.gz is not plain text of six",
        ),
        ("cut.gz", gzip.compress(run_of("12").encode(), mtime=0)[:-9], "cut.gz: the gz"),
        (
            "mixed.gz",
            gzip.compress("".join(run_of("123") for _ in range(900)).encode(), mtime=0),
            "mixed.gz mixes the lines of its",
        ),
        ("bomb.gz", gzip.compress(b"1 Q0 d1 1 1 c\n" * (8 << 20), mtime=0), "over 100 times their size"),
        ("nothing.gz", gzip.compress(b"", mtime=0), "nothing.gz is empty"),
        ("table.csv", b"topic,document,score\n1,d1-1,2\n", "table.csv is not plain text"),
        ("empty", b"", "empty is empty"),
        ("mixed", "".join(run_of("123") for _ in range(900)).encode(), "mixed mixes the lines of its topics"),
        (
            "tags",
            run_of("1", "c").encode() + b"1 Q0 d9 9 -9 other\n" + run_of("2", "c").encode(),
            "tags changes its tag",
        ),
        ("broken", run_of("12").encode() + b"3 Q0 d1 1 high c\n", "broken"),
    ],
)
def test_a_file_that_cannot_be_read_by_topic_is_refused_by_name(files, name, data, said):
    (files / "runs" / name).write_bytes(data)
    with pytest.raises(evalcore.InputError, match=said):
        open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)


def packed(files, how):
    """The two runs, packed: a folder or an archive."""
    runs = {path.name: path.read_bytes() for path in (files / "runs").iterdir()}
    if how == "gz":
        folder = files / "packed"
        folder.mkdir()
        halves = [runs["b"][:90], runs["b"][90:]]
        (folder / "a").write_bytes(gzip.compress(runs["a"]))
        (folder / "b").write_bytes(b"".join(map(gzip.compress, halves)))
        return folder
    with zipfile.ZipFile(files / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", runs["a"])
        archive.writestr("b", gzip.compress(runs["b"]))
    return files / "t.zip"


def unpacked_in(cache):
    return [*cache.glob("unpacked-*"), *cache.glob("new-*")]


@pytest.mark.parametrize("how", ["gz", "zip"])
def test_packed_runs_answer_as_in_memory_and_leave_nothing(files, how):
    runs, cache = packed(files, how), files / "cache"
    one = evalcore.open_study(runs, files / "qrels", cache=False)
    other = open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    assert len(other.blocks.parts) == 3
    (folder,) = unpacked_in(cache)
    assert folder.stat().st_mode & 0o077 == 0
    for question in ("scores", "leaderboard", "leave_out"):
        assert_same(answered(one, question, {}), answered(other, question, {}))
    assert sorted(map(str, other.sources)) == sorted(map(str, one.sources))
    narrow = other.only(topics=["1", "2"])
    del other
    assert unpacked_in(cache) == [folder]  # the narrower one reads it
    assert_same(evalcore.ask(one.only(topics=["1", "2"]), "scores"), evalcore.ask(narrow, "scores"))
    del narrow
    gc.collect()
    assert unpacked_in(cache) == []


def test_packed_runs_go_by_blocks_where_memory_is_short(files, capsys, monkeypatch):
    runs = packed(files, "gz")
    asked = ["scores", "--runs", str(runs), "--qrels", str(files / "qrels"), "--format", "csv", "--cache", "none"]
    assert main(asked) == 0
    whole = capsys.readouterr().out
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "4000")  # the runs take 4,800, of 100 a line
    assert main(asked) == 0
    assert capsys.readouterr().out == whole


def test_what_the_disk_does_not_hold_is_refused_by_name(files, monkeypatch):
    runs, cache = packed(files, "gz"), files / "cache"
    monkeypatch.setenv("POOLSCOPE_UNPACKED_BYTES", "500")  # each has 384
    with pytest.raises(evalcore.InputError) as error:
        open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    (problem,) = error.value.problems
    assert not problem.file  # so that no page leaves some of the runs out
    for said in ("b: unpacked, the runs up to it take", "of disk space is allowed", "POOLSCOPE_UNPACKED_BYTES"):
        assert said in problem.message
    del error, problem
    gc.collect()
    assert unpacked_in(cache) == []


def test_a_disk_that_is_full_is_said(files, monkeypatch):
    runs = packed(files, "gz")
    monkeypatch.setattr(
        "evalcore.reading.unpacked_runs.os.rename", Mock(side_effect=OSError(28, "No space left on device"))
    )
    with pytest.raises(evalcore.InputError, match=r"a: .* cannot be written: No space left on device"):
        open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=files / "cache")
    assert unpacked_in(files / "cache") == []


@pytest.mark.skipif(unpacked_runs.fcntl is None, reason="no locks of files here")
def test_what_a_killed_program_unpacked_is_deleted_by_the_next(files):
    runs, cache = packed(files, "gz"), files / "cache"
    program = (
        "import os, signal\nfrom evalcore.large import open_blocked\n"
        f"study = open_blocked.open_blocks({str(runs)!r}, {str(files / 'qrels')!r}, topics=2, cache={str(cache)!r})\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=SAMPLES.parent, check=False, timeout=60)
    (left,) = unpacked_in(cache)
    one = open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    (held,) = unpacked_in(cache)
    assert held != left
    two = open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    assert held in unpacked_in(cache)  # for somebody holds it
    assert_same(evalcore.ask(one, "scores"), evalcore.ask(two, "scores"))


def test_a_run_that_is_gone_is_named(files):
    study = open_blocked.open_blocks(files / "runs", files / "qrels", topics=2, cache=False)
    (files / "runs" / "a").unlink()
    with pytest.raises(ValueError, match=r"a cannot be read as .*: No such file"):
        evalcore.ask(study, "leaderboard")


def test_a_file_that_changes_in_between_is_refused(files):
    study = open_blocked.open_blocks(files / "runs", files / "qrels", topics=2, cache=False)
    (files / "runs" / "a").write_text(run_of("123456", n=5))
    with pytest.raises(ValueError, match="a has changed since"):
        evalcore.ask(study, "leaderboard")


def test_what_was_stopped_goes_on_where_it_stopped(files, monkeypatch):
    read, opened = topic_index.Piece.read, []

    def counted(piece, *how):
        opened.append(piece)
        if len(opened) == 5:  # the third of three blocks
            raise KeyboardInterrupt
        return read(piece, *how)

    monkeypatch.setattr(topic_index.Piece, "read", counted)
    asked = {"topics": 2, "cache": files / "cache"}
    with pytest.raises(KeyboardInterrupt):
        open_blocked.open_blocks(files / "runs", files / "qrels", **asked)
    study = open_blocked.open_blocks(files / "runs", files / "qrels", **asked)
    evalcore.ask(study, "leaderboard")
    assert len(opened) == 7  # two runs each of the first two blocks, and of the third that was broken off


def test_what_blocks_have_told_is_not_asked_again(files, monkeypatch):
    """A question that is stopped in its third block, asked again by somebody who opens the track anew."""
    monkeypatch.setattr(block_cache, "WORTH", 0)
    tell, told = topic_block._told, []

    def counted(part, *asked):
        told.append(part.topics)
        if len(told) == 3:
            raise KeyboardInterrupt
        return tell(part, *asked)

    monkeypatch.setattr(topic_block, "_told", counted)
    asked = {"topics": 2, "cache": files / "cache"}
    with pytest.raises(KeyboardInterrupt):
        evalcore.ask(open_blocked.open_blocks(files / "runs", files / "qrels", **asked), "scores")
    study = open_blocked.open_blocks(files / "runs", files / "qrels", **asked)
    answer = evalcore.ask(study, "scores")
    assert told == [("1", "2"), ("3", "4"), ("5", "6", "7"), ("5", "6", "7")]
    assert_same(evalcore.ask(evalcore.open_study(files / "runs", files / "qrels"), "scores"), answer)
    evalcore.ask(study, "scores", metric="P@1")  # which is another question
    assert len(told) == 7


@pytest.mark.parametrize("question", ["leaderboard", "leave_out", "depth_sweep", "judgment_health", "tukey_pairs"])
def test_what_is_kept_is_what_was_told(both, question, tmp_path_factory, monkeypatch):
    memory, blocked = both
    folder = tmp_path_factory.mktemp("kept")
    parts = tuple(replace(part, cache=folder) for part in blocked.blocks.parts)
    blocked = replace(blocked, blocks=replace(blocked.blocks, parts=parts))
    monkeypatch.setattr(block_cache, "WORTH", 0)
    params = FEW.get(question, {})
    first = answered(blocked, question, params)
    monkeypatch.setattr(topic_block, "_told", Mock(side_effect=AssertionError("this was told before")))
    again = answered(replace(blocked), question, params)
    for answer in (first, again):
        assert_same(answered(memory, question, params), answer)


def test_a_second_qrels_is_told_apart(files):
    """Two studies that differ in what stands beside them alone, one after the other."""
    for name, grades in (("one", "1100"), ("two", "0011")):
        lines = (f"{topic} 0 d{topic}-{rank} {grades[rank]}\n" for topic in "123456" for rank in range(4))
        (files / name).write_text("".join(lines))

    opened = [
        [opens(files / "runs", files / "qrels", other=files / name, **more) for name in ("one", "two")]
        for opens, more in ((evalcore.open_study, {}), (open_blocked.open_blocks, {"topics": 7}))
    ]
    answers = [[evalcore.ask(study, "agreement") for study in studies] for studies in opened]
    for memory, blocked in zip(*answers, strict=True):
        assert_same(memory, blocked)
    assert not answers[0][0].table.equals(answers[0][1].table)


def test_the_command_line_goes_by_blocks(files, capsys, monkeypatch):
    asked = ["leaderboard", "--runs", str(files / "runs"), "--qrels", str(files / "qrels"), "--format", "csv"]
    assert main(asked) == 0
    whole = capsys.readouterr().out
    assert main([*asked, "--block", "2"]) == 0
    assert capsys.readouterr().out == whole
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "4000")  # the runs take 4,800, of 100 a line
    assert main(asked) == 0
    assert capsys.readouterr().out == whole
    assert main([asked[0].replace("leaderboard", "findings"), *asked[1:]]) == 2
    assert "findings cannot be answered for a track in blocks of topics" in capsys.readouterr().err
