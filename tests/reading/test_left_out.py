"""Passages that become their documents, and documents that are left out of rankings."""

import json

import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.large.open_blocked import open_blocks
from evalcore.reading.files import InputError, Upload
from tests.reading.test_loading import QRELS, RUN, found, loaded, rankings

JUDGED = b"1 0 D1 1\n1 0 D2 0\n1 0 D-3 1\n2 0 D1 1\n"


def run_of(documents, topic=1):
    lines = (f"{topic} Q0 {name} {rank} {9 - rank} r\n" for rank, name in enumerate(documents, 1))
    return "".join(lines).encode()


@pytest.mark.parametrize(
    "form", ["{}#{}", "{}#chunk{}", "{}_chunk_{}", "{}-{}", "{}.{}", "{}_p{}", "{}-passage-{}", "{}:{}"]
)
def test_a_document_has_the_rank_of_its_best_passage(form):
    """Also D9, which is not judged; D-3 is judged, and so no passage of D."""
    passages = [("D9", 4), ("D1", 2), ("D1", 1), ("D2", 0), ("D9", 1), ("D-3", 7), ("D2", 5)]
    data = run_of([form.format(*one) for one in passages] + ["D-3"])
    track = loaded(data, qrels=JUDGED, passages="best")
    assert rankings(track)["r"]["1"] == ["D9", "D1", "D2", "D-3"]
    assert track.track.scores[0, 0].tolist() == [8, 7, 5, 3]  # of ranks 1, 2, 4 and 6
    (note,) = found(track, "passages")
    assert note.message.endswith("its best passage. 8 lines became 4.")
    assert not found(track, "duplicates")


def test_by_rank_a_document_has_the_least_rank_of_its_passages():
    data = b"1 Q0 D1#1 3 9 r\n1 Q0 D2#1 2 8 r\n1 Q0 D1#2 1 7 r\n"
    study = evalcore.open_study(Upload("r", data), Upload("q", JUDGED), passages="best", order="rank", cache=False)
    assert study.track.documents(study.track.items[0, 0, :2]) == ["D1", "D2"]


@pytest.mark.parametrize("form", ["{}#{}", "{}_{}"])
def test_the_refusal_of_passages_offers_their_best(form):
    data = run_of([form.format(f"D{n}", k) for n in range(20) for k in (1, 2)])
    qrels = "".join(f"1 0 D{n} {n % 2}\n" for n in range(20)).encode()
    with pytest.raises(
        InputError, match=r"score each document as its best passage, with the option passages=best\.$"
    ) as error:
        loaded(data, qrels=qrels)
    (problem,) = error.value.problems
    assert problem.options == (("passages", "best"),)
    assert rankings(loaded(data, qrels=qrels, passages="best"))["r"]["1"] == [f"D{n}" for n in range(20)]
    with pytest.raises(InputError) as error:  # no topic in common
        loaded(data, qrels=qrels.replace(b"1 0 ", b"7 0 "))
    assert not error.value.problems[0].options


def test_a_run_of_documents_stays():
    """The last number of clueweb09-en0000-01-12345 is part of its name, also where another run ranks passages."""
    names = [f"clueweb09-en0000-0{n}-1234{n}" for n in range(4)]
    qrels = "".join(f"1 0 {name} 1\n" for name in names[:2]).encode()
    documents, passages = (
        run_of(names),
        run_of([f"{name}-{n}" for name in names for n in (1, 2)]).replace(b" r\n", b" p\n"),
    )
    track = loaded(documents, passages, qrels=qrels, passages="best")
    assert rankings(track) == {"p": {"1": names}, "r": {"1": names}}
    assert len(found(track, "passages")) == 1
    kept = loaded(documents, qrels=qrels)
    np.testing.assert_array_equal(kept.track.scores, loaded(documents, qrels=qrels, passages="best").track.scores)


EXCLUDED = {
    "lines": b"401 0 d1 1\n402 0 d7 1\n",
    "two columns": b"401 d1\n402 d7\n",
    "a table": b"query,document\n401,d1\n402,d7\n",
    "lists": json.dumps({"401": ["d1"], "402": ["d7", "N/A"]}).encode(),
}


@pytest.mark.parametrize("form", EXCLUDED)
def test_documents_are_left_out_of_single_topics(form):
    track = loaded(RUN, excluded=Upload("x", EXCLUDED[form]))
    assert rankings(track)["tag"] == {"401": ["d2"], "402": ["d1"]}
    (note,) = found(track, "query left out")
    assert note.message == "a.run: 1 document that you exclude was left out."
    assert [source.role for source in track.sources] == ["run", "qrels", "excluded"]


def test_excluded_documents_may_be_in_memory_and_are_kept_by_scripts_and_blocks(tmp_path, capsys):
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / "q").write_bytes(QRELS)
    (tmp_path / "x").write_bytes(EXCLUDED["two columns"])
    files = tmp_path / "a.run", tmp_path / "q"
    study = evalcore.open_study(*files, excluded=tmp_path / "x", cache=tmp_path / "cache")
    again = evalcore.open_study(*files, excluded=tmp_path / "x", cache=tmp_path / "cache")
    in_blocks = open_blocks([files[0]], files[1], excluded=tmp_path / "x", topics=1, cache=tmp_path / "cache")
    in_memory = evalcore.open_study(
        *files, excluded=pd.DataFrame({"qid": [401], "docno": ["d1"], "rel": 1}), cache=False
    )
    reopened = evalcore.reopen([(one.role, one.name, one.sha256) for one in study.sources], tmp_path)
    for one in (study, again, in_blocks, in_memory, reopened):
        assert one.track.lengths.tolist() == [[1, 1]]
    assert evalcore.open_study(*files, cache=tmp_path / "cache").track.lengths.tolist() == [[2, 1]]
    command = ["ranking", "--runs", str(files[0]), "--qrels", str(files[1]), "--cache", "none", "--system", "tag"]
    assert main([*command, "--topic", "401", "--excluded", str(tmp_path / "x"), "--format", "csv"]) == 0
    assert "d1" not in capsys.readouterr().out


def test_passages_in_blocks_are_those_of_the_whole_track(tmp_path):
    (tmp_path / "a").write_bytes(run_of(["D1#2", "D2#1", "D1#1"]) + run_of(["D1#4", "D1#1"], topic=2))
    (tmp_path / "q").write_bytes(JUDGED)
    whole = evalcore.open_study(tmp_path / "a", tmp_path / "q", passages="best", cache=False)
    blocks = open_blocks([tmp_path / "a"], tmp_path / "q", passages="best", topics=1, cache=tmp_path / "cache")
    for study in (whole, blocks):
        assert study.track.lengths.tolist() == [[2, 1]]


def test_what_cannot_be_left_out_is_said():
    with pytest.raises(InputError, match=r"x, line 2: "):
        loaded(RUN, excluded=Upload("x", b"401 0 d1 1\n401 0 d2 y\n"))
    with pytest.raises(ValueError, match=r"passages='all' is not known\. Known: keep, best"):
        loaded(RUN, passages="all")
