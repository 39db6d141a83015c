"""A track that is read in blocks of topics is the same study as the track read at once, with its rankings on disk."""

import gc
import gzip
import os
import subprocess
import sys
import threading
import zipfile
from dataclasses import fields
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.large import open_blocked, topic_index, track_on_disk, unpacked_runs
from evalcore.large.executors import AHEAD, read_ahead
from evalcore.large.topic_block import OF_RANKINGS
from evalcore.reading import files as loading_files
from evalcore.study.study import Study

SAMPLES = Path(__file__).parents[2] / "sample_data"
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


def with_scope(study):
    """A study and what else can be made of it: narrower, in another order, with a fused run, by second judgments."""
    yield study
    yield study.only(systems=list(study.systems[::2]), topics=list(study.topics[1:6]))
    yield study.ordered_by("score" if study.options["order"] == "rank" else "rank")
    yield study.with_fused("fused", systems=list(study.systems[:3]))
    if study.other is not None:
        yield study.judged_by_other


def assert_same_study(one, other):
    """All that two studies contain, but for findings, which name the topics of their block."""
    for field in fields(Study):
        if field.name not in ("findings", "memo"):
            assert_equal(getattr(one, field.name), getattr(other, field.name), field.name)
    assert one.digest == other.digest
    assert isinstance(other.track, track_on_disk.TrackOnDisk)
    of_files = ([one for one in study.findings if one.check not in OF_RANKINGS] for study in (one, other))
    assert next(of_files) == next(of_files)


def assert_equal(one, other, name):
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, name)
        assert one.dtype == other.dtype
    elif isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other)
    elif isinstance(one, pa.Array):
        assert one.cast(pa.large_binary()).equals(other.cast(pa.large_binary())), name
    elif hasattr(one, "__dataclass_fields__"):
        for field in fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name), f"{name}.{field.name}")
    else:
        assert one == other, name


OPENED = (
    ("newswire", {}),
    ("variations", {"variations": "run"}),
    ("newswire", {"gains": "linear", "empty": "not relevant", "average": "common", "order": "rank"}),
    ("newswire", {"rel_level": 2, "pooled": "all", "negative": "judged", "names": "case"}),
    ("newswire", {"pool_depth": 3, "gains": "exponential", "names": "prefix=FT"}),
)


@pytest.mark.slow
@pytest.mark.parametrize("opened", OPENED, ids=range(len(OPENED)))
def test_blocks_are_put_together_as_the_whole_track(opened, tmp_path):
    name, options = opened
    runs, qrels, said = plain(tmp_path, name)
    one = evalcore.open_study(runs, qrels, **said, **options)
    other = open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said, **options)
    for pair in zip(with_scope(one), with_scope(other), strict=True):
        assert_same_study(*pair)


def test_judgments_by_subtopic_are_those_of_the_whole_track(tmp_path):
    runs, qrels, said = plain(tmp_path, "newswire")
    lines = [line.split() for line in qrels.read_text().splitlines()]
    by_subtopic = tmp_path / "diversity.txt"
    by_subtopic.write_text("".join(f"{t} {n % 3} {d} {grade}\n" for n, (t, _, d, grade) in enumerate(lines)))
    one = evalcore.open_study(runs, by_subtopic, aspect="union", **said)
    other = open_blocked.open_blocks(runs, by_subtopic, aspect="union", topics=TOPICS, **said)
    assert one.subtopics["subtopic"].nunique() == 3
    assert_same_study(one, other)


def test_complete_judgments_are_those_of_the_whole_track(tmp_path):
    runs, qrels, said = plain(tmp_path, "newswire")
    said["truth"] = SAMPLES / "newswire" / "qrels.complete.txt.gz"
    one, other = evalcore.open_study(runs, qrels, **said), open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said)
    assert_same_study(one, other)
    assert_same_study(one.judged_by_truth, other.judged_by_truth)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A sample in memory and in blocks."""
    runs, qrels, said = plain(tmp_path_factory.mktemp("both"), "newswire", runs=12)
    return evalcore.open_study(runs, qrels, **said), open_blocked.open_blocks(runs, qrels, topics=TOPICS, **said)


@pytest.mark.slow
@pytest.mark.parametrize("question", evalcore.QUESTIONS)
def test_every_question_is_answered_as_in_memory(both, question):
    answers = [answered(study, question, needs(study).get(question, {}) | FEW.get(question, {})) for study in both]
    if question == "findings":
        answers = [answer.table[~answer.table["check"].isin(OF_RANKINGS)].values.tolist() for answer in answers]
        assert answers[0] == answers[1]
    else:
        assert_same_answer(*answers)


def answered(study, question, params):
    try:
        return evalcore.ask(study, question, **params)
    except ValueError as refused:
        return str(refused)


def assert_same_answer(one, other):
    if isinstance(one, str):
        assert one == other
        return
    pd.testing.assert_frame_equal(one.table, other.table, rtol=0, atol=1e-12)
    assert one.finding.lines == other.finding.lines
    assert one.notes == other.notes


@pytest.mark.skipif(not (REAL / "robust03").exists(), reason="no real tracks here")
def test_a_real_track(tmp_path):
    unpacked(REAL / "robust03" / "runs", tmp_path / "runs", 12)
    qrels = REAL / "robust03" / "qrels.txt"
    one = evalcore.open_study(tmp_path / "runs", qrels)
    assert_same_study(one, open_blocked.open_blocks(tmp_path / "runs", qrels, topics=10))


# ---------------------------------------------------------------------------------------------------------------------
# A cluster of two workers


def test_a_cluster_reads_as_one_process_does_even_if_a_worker_dies(files):
    pytest.importorskip("distributed")
    from tests import cluster  # here: it needs dask

    table, deaths = cluster.scores(files / "runs", files / "qrels", files / "cache")
    assert deaths == 1
    one = evalcore.open_study(files / "runs", files / "qrels")
    pd.testing.assert_frame_equal(table, evalcore.ask(one, "scores", metric="P@2").table)


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
    assert_same_study(one, open_blocked.open_blocks(files / "runs", files / "qrels", topics=2))


def blocks_read(monkeypatch):
    """The topics of each block that is read from here on. A list, which grows"""
    read, topics = open_blocked.topic_block.load, []
    monkeypatch.setattr(open_blocked.topic_block, "load", lambda block: topics.append(block.topics) or read(block))
    return topics


def test_no_more_is_read_at_a_time_than_fits(files, monkeypatch):
    topics = blocks_read(monkeypatch)
    open_blocked.open_blocks(files / "runs", files / "qrels", memory=open_blocked.SHARE * 260)
    assert topics == [("1", "2"), ("3", "4"), ("5", "6", "7")]  # a topic has 128 bytes in the two runs
    open_blocked.open_blocks(files / "runs", files / "qrels")
    assert len(topics) == 4


def test_blocks_may_differ_in_depth(files):
    with open(files / "runs" / "a", "a") as run:
        run.writelines(f"6 Q0 more{rank} {rank} {-rank} a\n" for rank in range(4, 9))
    one = evalcore.open_study(files / "runs", files / "qrels")
    assert_same_study(one, open_blocked.open_blocks(files / "runs", files / "qrels", topics=1))
    assert one.track.shape[2] == 9


def test_ranks_that_disagree_with_scores_in_one_block(files):
    run = files / "runs" / "a"
    run.write_text(run.read_text().replace("6 Q0 d6-0 0 4", "6 Q0 d6-0 9 4"))
    for order in ("score", "rank"):
        one = evalcore.open_study(files / "runs", files / "qrels", order=order)
        assert one.by_rank is not None
        other = open_blocked.open_blocks(files / "runs", files / "qrels", order=order, topics=1)
        assert_same_study(one, other)


TWO, MANY = run_of("12").encode(), "".join(run_of("123") for _ in range(900)).encode()
APART = "cannot be read separately"
NOT_BY_TOPIC = [
    ("a.run", TWO + b"x" * 2_000_000, "line 9: the line has 2,000,000 bytes"),
    ("a.run", TWO + b"#3 Q0 d 1 2 t\n", f"topic #3 {APART}"),
    ("a.run", TWO + b"query Q0 d 1 2 run\n", f"topic query {APART}"),
    ("a.run", TWO + b"\xef\xbb\xbf3 Q0 d 1 2 t\n", f"{APART}, because some files begin with this"),
    ("a.run", TWO + b"4 Q0 d 1 5 tag x y\n", "the first line of topic 4 has 8 columns"),
    ("a.run", TWO + b"foo bar 4\n2 Q0 d 1 5 t\n", "the first line of topic foo has 3 columns"),
    ("a.run", TWO.replace(b" ", b"\v"), "a.run is not plain text of six columns"),
    ("packed.gz", gzip.compress(b"topic,document,score\n1,d1-1,2\n", mtime=0), "packed.gz is not plain text of six"),
    ("mixed.gz", gzip.compress(MANY, mtime=0), "mixed.gz mixes the lines of its"),
    ("bomb.gz", gzip.compress(b"1 Q0 d1 1 1 c\n" * (1 << 16), mtime=0) * 128, "over 100 times their size"),
    ("table.csv", b"topic,document,score\n1,d1-1,2\n", "table.csv is not plain text"),
    ("mixed", MANY, "mixed mixes the lines of its topics"),
    (
        "tags",
        run_of("1", "c").encode() + b"1 Q0 d9 9 -9 other\n" + run_of("2", "c").encode(),
        "tags changes its run tag",
    ),
    ("broken", TWO + b"3 Q0 d1 1 high c\n", "broken"),
]


@pytest.mark.parametrize(("name", "data", "said"), NOT_BY_TOPIC, ids=range(len(NOT_BY_TOPIC)))
def test_a_file_that_cannot_be_read_by_topic_is_refused_by_name(files, name, data, said):
    (files / "runs" / name).write_bytes(data)
    with pytest.raises(evalcore.InputError, match=said):
        open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        gzip.compress(b"", mtime=0),
        b"\x89PNG\r\n",
        b"done in 5 minutes\n",
        gzip.compress(TWO, mtime=0)[:-9],
        b"PK\3\4",
    ],
    ids=range(6),
)
def test_what_is_no_run_is_left_out_and_said(files, data):
    before = open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)
    (files / "runs" / "other").write_bytes(data)
    study = open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)
    assert study.systems == before.systems
    assert any(finding.message.startswith("other was skipped. ") for finding in study.findings)


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
def test_packed_runs_are_unpacked_while_they_are_read_and_leave_nothing(files, how, monkeypatch):
    runs, cache, read = packed(files, how), files / "cache", open_blocked.topic_block.load

    def watched(block):
        (folder,) = (path for path in unpacked_in(cache) if path.is_dir())  # the other reader may be storing its block
        assert folder.stat().st_mode & 0o077 == 0
        return read(block)

    monkeypatch.setattr(open_blocked.topic_block, "load", watched)
    other = open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    gc.collect()
    assert unpacked_in(cache) == []
    assert_same_study(evalcore.open_study(runs, files / "qrels", cache=False), other)


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
        "evalcore.large.unpacked_runs.os.rename", Mock(side_effect=OSError(28, "No space left on device"))
    )
    with pytest.raises(evalcore.InputError, match=r"a: .* cannot be written: No space left on device"):
        open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=files / "cache")
    assert unpacked_in(files / "cache") == []


@pytest.mark.skipif(unpacked_runs.fcntl is None, reason="no locks of files here")
def test_what_a_killed_program_unpacked_is_deleted_by_the_next(files):
    runs, cache = packed(files, "gz"), files / "cache"
    program = (
        "import os, signal\nfrom evalcore.large import open_blocked, topic_block\n"
        "topic_block.load = lambda block: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"open_blocked.open_blocks({str(runs)!r}, {str(files / 'qrels')!r}, topics=2, cache={str(cache)!r})"
    )
    subprocess.run([sys.executable, "-c", program], cwd=SAMPLES.parent, check=False, timeout=60)
    (left,) = unpacked_in(cache)
    held = unpacked_runs.OnDisk(cache)
    for given in loading_files.listing(runs, "run").files:
        held.put(given)
        given.close()
    (folder,) = unpacked_in(cache)
    assert folder != left
    open_blocked.open_blocks(runs, files / "qrels", topics=2, cache=cache)
    gc.collect()
    assert unpacked_in(cache) == [folder]  # which is still in use


def between(monkeypatch, change):
    """Does something after the files are indexed and before the first block is read."""
    read = topic_index.Piece.read
    monkeypatch.setattr(topic_index.Piece, "read", lambda piece, *how: (change(), read(piece, *how))[1])


def test_a_run_that_is_gone_is_named(files, monkeypatch):
    between(monkeypatch, lambda: (files / "runs" / "a").unlink(missing_ok=True))
    with pytest.raises(evalcore.InputError, match=r"a cannot be read as .*: No such file"):
        open_blocked.open_blocks(files / "runs", files / "qrels", topics=2, cache=False)


def test_a_file_that_changes_in_between_is_refused(files, monkeypatch):
    between(monkeypatch, lambda: (files / "runs" / "a").write_text(run_of("123456", n=5)))
    with pytest.raises(evalcore.InputError, match="a has changed since"):
        open_blocked.open_blocks(files / "runs", files / "qrels", topics=2, cache=False)


def test_reading_goes_on_where_it_was_stopped(files, monkeypatch):
    read, pieces, third = topic_index.Piece.read, [], {b"5", b"6"}  # of three blocks; two are read at a time

    def counted(piece, *how):
        pieces.append(topics := {*piece.places})
        if topics == third and pieces.count(third) == 1:
            raise KeyboardInterrupt
        return read(piece, *how)

    monkeypatch.setattr(topic_index.Piece, "read", counted)
    opens = {"topics": 2, "cache": files / "cache"}
    with pytest.raises(KeyboardInterrupt):
        open_blocked.open_blocks(files / "runs", files / "qrels", **opens)
    before = len(pieces)
    study = open_blocked.open_blocks(files / "runs", files / "qrels", **opens)
    assert pieces[before:] == [third] * 2  # both runs of the block that was broken off, and no other
    assert_same_study(evalcore.open_study(files / "runs", files / "qrels"), study)


def test_rankings_that_the_disk_does_not_hold_are_refused(files, monkeypatch):
    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr(track_on_disk.tempfile, "TemporaryFile", full)
    with pytest.raises(evalcore.InputError, match="cannot hold the rankings: No space left on device"):
        open_blocked.open_blocks(files / "runs", files / "qrels", topics=2)


def test_an_unknown_option_is_refused(files):
    with pytest.raises(TypeError, match="no option 'poled'"):
        open_blocked.open_blocks(files / "runs", files / "qrels", poled="all")


def test_the_command_line_goes_by_blocks(files, capsys, monkeypatch):
    asked = ["leaderboard", "--runs", str(files / "runs"), "--qrels", str(files / "qrels"), "--format", "csv"]
    assert main(asked) == 0
    whole = capsys.readouterr().out
    assert main([*asked, "--block", "2"]) == 0
    assert capsys.readouterr().out == whole
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "4000")  # the runs take 4,800, of 100 a line
    assert main(asked) == 0
    assert capsys.readouterr().out == whole


def test_a_sample_in_strata_is_read_in_blocks(tmp_path):
    (tmp_path / "runs").mkdir()
    for run in "ab":
        lines = (f"{t} Q0 d{n} {n} {9 - n} {run}\n" for t in range(7) for n in range(1, 6))
        (tmp_path / "runs" / run).write_text("".join(lines))
    lines = (f"{t} 0 d{n} {1 + n % 2} {t % 2 - n % 3 % 2}\n" for t in range(7) for n in range(1, 6))
    (tmp_path / "qrels").write_text("".join(lines))
    files = tmp_path / "runs", tmp_path / "qrels"
    whole = evalcore.open_study(*files, cache=False)
    assert whole.judgments.stratum.max() == 2
    assert_same_study(whole, open_blocked.open_blocks(*files, topics=TOPICS, cache=tmp_path / "cache"))


def test_queries_are_left_out_of_blocks_as_of_the_whole_track(tmp_path):
    (tmp_path / "runs").mkdir()
    topics = [f"arg{number}" for number in range(7)]
    for run in "ab":
        lines = (f"{t} Q0 {d} 1 {9 if d == t else n} {run}\n" for t in topics for n, d in enumerate(topics))
        (tmp_path / "runs" / run).write_text("".join(lines))
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} 1\n" for t, d in zip(topics, reversed(topics), strict=True)))
    files = tmp_path / "runs", tmp_path / "qrels"
    whole = evalcore.open_study(*files, itself="drop", cache=False)
    assert_same_study(whole, open_blocked.open_blocks(*files, itself="drop", topics=TOPICS, cache=tmp_path / "cache"))
    assert whole.track.shape == (2, 7, 6)


def test_two_blocks_are_read_while_one_is_used_and_none_when_nobody_waits():
    begun = []

    def read(number):
        begun.append(number)
        return number

    results = read_ahead(read, [(number,) for number in range(9)])
    for expected in range(4):
        assert next(results) == expected
        assert len(begun) <= expected + 1 + AHEAD
    results.close()
    assert len(begun) <= 4 + AHEAD


def test_no_thread_is_left_to_the_garbage_collector_where_reading_fails(files, monkeypatch):
    # Python waits forever for a thread that the garbage collector ends while another thread begins.
    no_room = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr("evalcore.large.joined_blocks._Parts.add", no_room)
    gc.collect()
    gc.disable()
    before = threading.enumerate()
    try:
        with pytest.raises(OSError, match="No space left") as error:  # whose traceback keeps what was half done
            open_blocked.open_blocks(files / "runs", files / "qrels", topics=1, cache=False)
        assert error.tb
        new = [thread.name for thread in threading.enumerate() if thread not in before]
        assert not [name for name in new if name.startswith("ThreadPoolExecutor")]
    finally:
        gc.enable()
