"""Runs and judgments as other programs pack them, Parquet and lz4: the tables of the same text, or a refusal."""

import base64
import io
import sys

import pyarrow as pa
import pyarrow.parquet
import pytest

import evalcore
from evalcore.reading import unpacking
from evalcore.reading.loading import InputError, Upload
from tests.reading.test_loading import zipped

RUN = b"401 Q0 d1 1 3.5 a\n401 Q0 d2 2 2.5 a\n402 Q0 d1 1 9 a\n402 Q0 d3 2 -1e-07 a\n"
QRELS = b"401 0 d1 1\n401 0 d2 0\n402 0 d1 2\n402 0 d3 -1\n"
TOPICS, DOCUMENTS = ["401", "401", "402", "402"], ["d1", "d2", "d1", "d3"]
SCORES, GRADES = [3.5, 2.5, 9, -1e-7], [1, 0, 2, -1]


def parquet(columns, **how):
    """The bytes of a Parquet file. columns : name -> cells"""
    file = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), file, **how)
    return file.getvalue()


def lz4(data):
    """The bytes as lz4 packs them."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as packed:
        packed.write(data)
    return sink.getvalue().to_pybytes()


# lz4 of lz4 of CBOR, as `ranx.io.save_lz4` writes it with cbor2 6.3 and lz4 4.4
RANX_RUN = base64.b85decode(
    b"1R_lsXh22)00000002ux0001j1R_lsXh1sv0RZqR=Pv*N0MVjjG%zuuVq`J<Knwr@0AgZfGW$RT3;;r7G%zw902Cq}0H8DbzIxa4n!K+_0000000000"
)
RANX_QRELS = base64.b85decode(
    b"1R_lsXh1Rm00000004wA0001j1R_lsXh0hP0RZp_`WpZMfTCkGFfpQHWHA9^WHJC_G%zv^0FVM=WHTTD000000000"
)

RUNS = {
    "Parquet of ranx": parquet({"q_id": TOPICS, "doc_id": DOCUMENTS, "score": SCORES}),
    "Parquet of PyTerrier": parquet(
        {
            "qid": pa.array(TOPICS).dictionary_encode(), "docid": [7, 8, 7, 9], "docno": DOCUMENTS,
            "rank": [0, 1, 0, 1], "score": SCORES, "query": ["a, b", 'the "c"', "d\ne", "f"],
        },
        compression="gzip",
    ),
    "Parquet with lists and an index": parquet(
        {
            "score": SCORES, "corpus-id": [one.encode() for one in DOCUMENTS], "query-id": [401, 401, 402, 402],
            "vector": [[1.0], [2.0], [], None], "__index_level_0__": [4, 5, 6, 7],
        },
        row_group_size=2,
    ),
    "lz4 of TREC": lz4(RUN),
    "lz4 of JSON": lz4(b'{"401": {"d1": 3.5, "d2": 2.5}, "402": {"d1": 9, "d3": -1e-7}}'),
    "lz4 of ranx": RANX_RUN,
}  # fmt: skip
JUDGMENTS = {
    "Parquet of ranx": parquet({"q_id": TOPICS, "doc_id": DOCUMENTS, "score": GRADES}),
    "Parquet of BEIR": parquet({"query-id": [401, 401, 402, 402], "corpus-id": DOCUMENTS, "score": GRADES}),
    "Parquet with words": parquet(
        {"relevance": ["relevant", "not relevant", "highly relevant", None], "docno": DOCUMENTS, "topic": TOPICS}
    ),
    "lz4 of TREC": lz4(QRELS),
    "lz4 of JSON": lz4(b'{"401": {"d1": 1, "d2": 0}, "402": {"d1": 2, "d3": -1}}'),
    "lz4 of ranx": RANX_QRELS,
}


def table(run, qrels):
    """The scores of a track, by topic, and how its documents are judged."""
    study = evalcore.open_study([Upload("a", run)], Upload("q", qrels), cache=False)
    return evalcore.ask(study, "scores", metric="nDCG@5").table, evalcore.ask(study, "judged").table


@pytest.mark.parametrize("name", RUNS)
def test_a_packed_run_has_the_tables_of_its_text(name):
    for mine, of_text in zip(table(RUNS[name], QRELS), table(RUN, QRELS), strict=True):
        assert mine.equals(of_text)


@pytest.mark.parametrize("name", JUDGMENTS)
def test_packed_judgments_have_the_tables_of_their_text(name):
    text = QRELS.replace(b"402 0 d3 -1\n", b"") if name == "Parquet with words" else QRELS
    for mine, of_text in zip(table(RUN, JUDGMENTS[name]), table(RUN, text), strict=True):
        assert mine.equals(of_text)


def test_a_parquet_file_may_contain_several_runs():
    rows = {"run": ["A", "B", "A", "B"], "qid": ["401"] * 4, "docno": ["d1", "d2", "d2", "d1"], "score": [2.0, 3, 1, 2]}
    study = evalcore.open_study([Upload("a.parquet", parquet(rows))], Upload("q", QRELS), cache=False)
    assert study.track.systems == ("A", "B")


def test_a_whole_track_in_an_archive(tmp_path):
    files = {
        "bm25.parquet": RUNS["Parquet of ranx"],
        "splade.lz4": RANX_RUN,
        "qrels.parquet": JUDGMENTS["Parquet of ranx"],
    }
    (tmp_path / "track.zip").write_bytes(zipped(files))
    study = evalcore.open_study(tmp_path / "track.zip", cache=False)
    assert study.track.systems == ("bm25", "splade")
    assert [source.role for source in study.sources] == ["run", "run", "qrels"]


def problem(run, qrels=QRELS):
    with pytest.raises(InputError) as refused:
        evalcore.open_study([Upload("a", run)], Upload("q", qrels), cache=False)
    (one,) = refused.value.problems
    return one.message


def many(scores):
    """A run of 20 documents whose first scores are these."""
    return parquet(
        {"q_id": ["401"] * 20, "doc_id": [f"d{n}" for n in range(20)], "score": [*scores, *scores[:1] * 20][:20]}
    )


REFUSED = {
    "cut off": (RUNS["Parquet of ranx"][:-20], "a is a Parquet file that is damaged or cut off"),
    "noise": (b"PAR1" + bytes(range(256)) * 9, "a is a Parquet file that is damaged or cut off"),
    "no number": (many(["3.5", "2.5", "x"]), 'a, line 4: the score is "x", but must be a number.'),
    "not a number": (many([1.0, float("nan")]), 'a, line 3: the score is "nan", but must be a number.'),
    "no document": (
        parquet({"q_id": TOPICS, "doc_id": ["d1", None, "d2", "d3"], "score": SCORES}),
        "a, line 3 has no document, but every row needs one.",
    ),
    "other columns": (
        parquet({"x": ["a", "b"], "y": ["c", "d"], "z": [0.5, 0.25]}),
        "a, line 1: it is not clear which",
    ),
    "lists alone": (parquet({"a": [[1]], "b": [[2]]}), "a is a Parquet file that has no column of names or numbers"),
    "lz4 cut off": (lz4(RUN)[:-9], "a is an LZ4 file that is damaged or cut off."),
    "lz4 of a bad run": (lz4(RUN.replace(b"9 a", b"x a")), 'a, line 3: the score is "x"'),
    "lz4 of other CBOR": (lz4(b"\xa1c401\xa1bd1\xa1ad1"), 'up to query "401")'),
    "lz4 of CBOR that is cut off": (lz4(b"\xa2c401\xa1bd1\x01c402\xa1"), 'up to query "402")'),
    "lz4 of CBOR without numbers": (
        lz4(b"\xa1c401\xa1bd1\xf9\x7e\x00"),
        'query "401", document "d1": the score is NaN',
    ),
    "lz4 of lz4 of lz4": (lz4(lz4(lz4(RUN))), "a is "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_broken_is_refused_by_its_line_or_record(name):
    data, message = REFUSED[name]
    assert message in problem(data)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_parquet_file_that_asks_for_all_memory_is_refused():
    name = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), ["x" * (1 << 20)])
    trap = parquet({"q_id": ["1"] * 5_000, "doc_id": name, "score": [1.0] * 5_000})
    assert len(trap) < 200_000
    assert "a is a Parquet file that" in problem(trap)


def test_parquet_and_lz4_are_read_within_limits(monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_ROWS", 3)
    assert "a is a Parquet file that has 4 rows, but at most 3 are allowed" in problem(RUNS["Parquet of ranx"])
    monkeypatch.undo()
    monkeypatch.setattr(unpacking, "MOST_TEXT", 20)
    assert "a is a Parquet file that unpacks to more than" in problem(RUNS["Parquet of ranx"])
    assert "bytes unpack to" in problem(lz4(b"401 Q0 d1 1 3.5 t\n" * 10_000_000))
