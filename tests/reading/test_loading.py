"""Reading a track: every format, every bad file by its exact words, names, order, duplicates, tables, real tracks."""

import gzip
import io as memory
import json
import os
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.__main__ import main
from evalcore.reading import archive_limits, file_kinds, files, formats, unpacking, white_space
from evalcore.reading import loading as reading_io
from evalcore.reading.files import PACK_FEWER
from evalcore.reading.loading import InputError, Upload
from tests.examples import examples
from tests.oracles import reading
from tests.reading.checked import load

BETWEEN_TABS = b"1\tQ0\td 1\t1\t2\tt\n"
RUN = b"401 Q0 d1 1 3.5 tag\n401 Q0 d2 2 2.5 tag\n402 Q0 d1 1 9 tag\n"
QRELS = b"401 0 d1 1\n401 0 d2 0\n402 0 d1 2\n"
ZEROS = b"\0" * (101 << 20)


def packed(data):
    """A gz file that is the same whenever it is made."""
    return gzip.compress(data, mtime=0)


def shown(value):
    """A test's name for a parameter that may be a megabyte."""
    return repr(value)[:30]


def loaded(*runs, qrels=QRELS, **options):
    """A track of runs given as bytes (a.run, b.run, ...) or uploads."""
    runs = [run if isinstance(run, Upload) else Upload(f"{'abcdefgh'[n]}.run", run) for n, run in enumerate(runs)]
    qrels = qrels if isinstance(qrels, Upload) else Upload("qrels.txt", qrels)
    return load(runs, qrels, cache=False, **options)


def rankings(found):
    """{system: {query: [document]}} of a Loaded."""
    track = found.track
    return {
        system: {
            query: track.documents(track.items[s, q, : track.lengths[s, q]])
            for q, query in enumerate(track.queries)
            if track.lengths[s, q]
        }
        for s, system in enumerate(track.systems)
    }


def grades(found):
    """{(topic, document): grade} of the listed items."""
    track = found.track
    items = np.flatnonzero(found.listed)
    topics = [track.topics[topic] for topic in track.topic_of_item[items]]
    return dict(zip(zip(topics, track.documents(items), strict=True), found.grade[items].tolist(), strict=True))


def zipped(members, **options):
    buffer = memory.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@cache
def zip_bomb():
    return zipped({"bomb.run": ZEROS})


def problem_of(*runs, **options):
    """The one problem of these files, as (file, line, message)."""
    with pytest.raises(InputError) as error:
        loaded(*runs, **options)
    (problem,) = error.value.problems
    assert str(error.value) == problem.message
    return problem.file, problem.line, problem.message


def found(loaded_track, check):
    return [finding for finding in loaded_track.findings if finding.check == check]


def columns(name, data, role):
    """The Rows of one file, or None, and its problems."""
    try:
        return formats.read(name, data, role)[0], []
    except InputError as error:
        return None, list(error.problems)


WHOLE = {"401": ["d1", "d2"], "402": ["d1"]}


# Formats


@pytest.mark.parametrize(
    "data",
    [
        RUN,
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b"  \t "),
        RUN.replace(b" ", b"\v\f"),
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b"\n", b"\r"),
        RUN.replace(b"\n", b" \n"),
        b" " + RUN,
        RUN.rstrip(),
        RUN.replace(b"\n", b"\n\n"),
        b"\xef\xbb\xbf" + RUN,
        b"# a comment\n#another\n\n" + RUN,
        RUN.replace(b" tag", b" tag and more"),
        RUN.replace(b"401 Q0 d2 2 2.5 tag", b"401\tQ0 d2 2 +2.5 tag extra"),
        RUN.replace(b"3.5", b"35e-1").replace(b" 9 ", b" 9. ").replace(b" 2.5", b" .5"),
        packed(RUN),
        packed(RUN[:20]) + packed(RUN[20:]) + b"\0" * 600,
    ],
    ids=shown,
)
def test_trec_runs(data):
    track = loaded(data)
    assert rankings(track) == {"tag": WHOLE}
    assert track.by_rank is None


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bm25.tsv", b"401\td1\t1\n401\td2\t2\n402\td1\t1\n"),
        ("bm25.txt.gz", packed(b"401 d2 7\n402 d1 0\n401 d1 3\n")),
        ("bm25.json", json.dumps({"401": {"d2": 2.5, "d1": 3}, "402": {"d1": 9}, "403": {}}).encode()),
        ("bm25.run", b'{"401": {"d2": 1}, "402": {"d1": 1e3}, "401": {"d1": 4}}'),
    ],
    ids=shown,
)
def test_msmarco_and_json_runs_are_named_by_file(name, data):
    track = loaded(Upload(name, data))
    assert rankings(track) == {"bm25": WHOLE}
    assert track.by_rank is None


@pytest.mark.parametrize(
    "data",
    [
        QRELS,
        QRELS.replace(b" 0 d", b" 0.5  d"),
        QRELS.replace(b" 0 d", b" d"),
        b"query-id\tcorpus-id\tscore\n" + QRELS.replace(b" 0 d", b"\td").replace(b" ", b"\t"),
        b"topic iteration document grade\n" + QRELS,
        json.dumps({"401": {"d1": 1, "d2": 0.0}, "402": {"d1": 2}}).encode(),
        packed(QRELS.replace(b"\n", b"\r\n")),
    ],
    ids=shown,
)
def test_qrels(data):
    expected = {("401", "d1"): 1, ("401", "d2"): 0, ("402", "d1"): 2}
    track = loaded(RUN, qrels=data)
    assert grades(track) == expected
    assert {finding.check for finding in track.findings} <= {"header", "line ends"}


SHAPES = {  # the same run, in the shapes that people have
    "without Q0": b"401 d1 1 3.5 tag\n401 d2 2 2.5 tag\n402 d1 1 9 tag\n",
    "without a tag": b"401 Q0 d1 1 3.5\n401 Q0 d2 2 2.5\n402 Q0 d1 1 9\n",
    "without both": b"401 d1 1 3.5\n401 d2 2 2.5\n402 d1 1 9\n",
    "without both, tabs": b"401\td1\t0\t3.5\n401\td2\t1\t2.5\n402\td1\t0\t9\n",
    "scores": b"401\td1\t3.5\n401\td2\t2.5\n402\td1\t9.25\n",
    "whole scores": b"401 d1 12\n401 d2 9\n402 d1 15\n402 d5 14\n402 d6 12\n402 d7 12\n",
    "scores below 0": b"401 d1 -1\n401 d2 -2\n402 d1 -5\n",
    "ranks": b"401 d1 1\n401 d2 2\n402 d1 1\n",
    "ranks as decimals": b"401 d1 1.0\n401 d2 2.0\n402 d1 1.0\n",
    "numbered by pandas": b"0 401 Q0 d1 1 3.5 tag\n1 401 Q0 d2 2 2.5 tag\n2 402 Q0 d1 1 9 tag\n",
    "comments": b"401 Q0 d1 1 3.5 tag\n#402 Q0 d2 1 9 tag\n401 Q0 d2 2 2.5 tag # a b\n # x y z 1 2\n402 Q0 d1 1 9 tag",
    "quotes": b'"401" "Q0" "d1" 1 3.5 "tag"\n"401" "Q0" "d2" 2 2.5 "tag"\n"402" "Q0" "d1" 1 9 "tag"\n',
    "quoted numbers": b'"401" "Q0" "d1" "1" "3.5" "t"\r\n"401" "Q0" "d2" "2" "2.5" "t"\r\n"402" "Q0" "d1" "1" "9" "t"',
    "topics without quotes": b'401 "Q0" "d1" 1 3.5 "tag"\n401 "Q0" "d2" 2 2.5 "tag"\n402 "Q0" "d1" 1 9 "tag"\n',
    "non-breaking blanks": RUN.decode().replace(" ", "\xa0").encode(),
    "some non-breaking blanks": RUN.decode().replace("d2 2", "d2\xa0 2").replace("402 ", "402\u202f").encode(),
    "joined files": RUN.replace(b"402", b"\xef\xbb\xbf402"),
    "padding": RUN + b"402 Q0 d8 2 -inf tag\n402 Q0 d7 3 -Infinity tag\n",
    "text in JSON": b'{"401": {"d1": "3.5", "d2": "2.5"}, "402": {"d1": "9"}}',
    "lines of JSON": b'{"qid": 401, "docid": "d1", "score": 3.5}\n{"qid": 401, "docid": "d2", "score": 2.5}\n'
    b'{"qid": 402, "docid": "d1", "score": 9}\n',
    "a list in JSON": b'[{"query_id": "401", "docno": "d1", "rank": 1, "docid": 5},'
    b' {"query_id": "401", "docno": "d2", "rank": 2, "docid": 6}, {"query_id": "402", "docno": "d1", "rank": 1}]',
    "lines of JSON by topic": b'{"401": {"d1": 3.5, "d2": 2.5}}\n{"402": {"d1": 9}}\n',
    "lists of names in JSON": b'{"qid": "401", "ranking": ["d1", "d2"]}\n{"qid": "402", "ranking": ["d1"]}\n',
    "rank_llm": b'{"query": {"text": "x", "qid": 401}, "candidates": [{"docid": "d1", "score": 3.5, "doc": {"c": "x"}},'
    b' {"docid": "d2", "score": 2.5}]}\n\n{"query": {"text": "y", "qid": "402"}, "candidates": [{"docid": "d1"}]}\n',
}
SENTENCES = [{"text": "Take it, often.", "citations": [0]}]
RETRIEVED = {"401": ["d1", "d2"], "402": ["d1"], "403": []}
SHAPES |= {
    "answers of TREC RAG 2024": "\n".join(
        json.dumps({"run_id": "t", "topic_id": topic, "topic": "a, question?", "references": documents,
                    "response_length": 3, "answer": SENTENCES})
        for topic, documents in RETRIEVED.items()
    ).encode(),
    "answers of TREC RAG 2025": "\r\n".join(
        json.dumps({"metadata": {"team_id": "t", "run_id": "t", "type": "automatic", "narrative_id": int(topic),
                                 "narrative": "I want \u2028to know"}, "references": documents, "answer": SENTENCES},
                   ensure_ascii=False)
        for topic, documents in RETRIEVED.items()
    ).encode(),
    "answers for AutoJudge": json.dumps(
        [{"metadata": {"team_id": "t", "run_id": "t", "topic_id": topic}, "responses": SENTENCES,
          "references": documents} for topic, documents in RETRIEVED.items()], indent=1).encode(),
    "requests of rank_llm": json.dumps(
        [{"query": {"text": "x", "qid": topic}, "candidates": [
            {"docid": document, "score": 9 - rank, "doc": {"title": "d9", "segment": "x"}}
            for rank, document in enumerate(documents)
        ]} for topic, documents in RETRIEVED.items()]).encode(),
}  # fmt: skip
BAD_RECORDS = {
    "no topic": ({"references": ["d1"], "answer": []}, "line 3: this record lacks a topic, a document or a score."),
    "no documents": ({"topic_id": "9", "answer": []}, "line 3: this record lacks a topic, a document or a score."),
    "a document without a name": (
        {"qid": "9", "candidates": [{"score": 1}]}, "line 3: this record lacks a topic, a document or a score.",
    ),
    "a text": ("d1", "line 3: this record lacks a topic, a document or a score."),
    "null": (None, "line 3: this record lacks a topic, a document or a score."),
    "a score that is none": (
        {"qid": "9", "candidates": [{"docid": "d7", "score": "x"}]}, 'query "9", document "d7": the score is "x"',
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if "answers" in shape or "rank_llm" in shape])
def test_records_of_a_query_are_recognised_as_a_run(shape):
    assert file_kinds.role_of(Upload("a", SHAPES[shape])) == "run"


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_a_bad_record_is_named(name):
    record, message = BAD_RECORDS[name]
    good, lines = SHAPES["answers of TREC RAG 2024"].decode().split("\n")[:2], json.dumps(record)
    assert message in problem_of("\n".join([*good, lines]).encode())[2]
    if "line 3" in message:
        in_list = message.replace("line 3: this record", "record 3")
        assert in_list in problem_of(f"[{', '.join([*good, lines])}]".encode())[2]


def test_a_line_that_is_cut_is_named():
    cut = SHAPES["answers of TREC RAG 2024"][:-9]
    assert "line 3: this is not JSON (" in problem_of(cut)[2]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_run_in_another_shape(shape, tmp_path):
    """As path and as upload, packed and not: the documents of the plain run, in its order."""
    expected = {"401": ["d1", "d2"], "402": ["d1"]}
    more = {"whole scores": ["d5", "d7", "d6"], "padding": ["d8", "d7"]}.get(shape, [])
    (tmp_path / "a.gz").write_bytes(packed(SHAPES[shape]))
    (tmp_path / "q").write_bytes(QRELS)
    for track in (loaded(SHAPES[shape]), load(tmp_path / "a.gz", tmp_path / "q", cache=tmp_path / "cache")):
        (ranking,) = rankings(track).values()
        assert ranking == {"401": expected["401"], "402": [*expected["402"], *more]}
        assert np.isfinite(track.track.scores[track.track.items > 0]).all()
        assert not {finding.severity for finding in track.findings} - {"note"}


SYSTEMS = {  # JSON of two systems
    "a list": b'[{"system": "A", "qid": 401, "docno": "d1", "score": 3}, {"system": "B", "qid": 401, "docno": "d2",'
    b' "score": 9}, {"system": "A", "qid": 401, "docno": "d2", "score": 2}, {"system": "B", "qid": 401, "docno": "d1",'
    b' "score": 7}]',
    "lines": b'{"run_id": "A", "qid": "401", "docid": "d1", "rank": 1}\n{"run_id": "A", "qid": "401", "docid": "d2",'
    b' "rank": 2}\n{"run_id": "B", "qid": "401", "docid": "d2", "rank": 1}\n{"run_id": "B", "qid": "401", "docid":'
    b' "d1", "rank": 2}\n',
    "lists of documents": b'{"model": "A", "qid": "401", "ranking": ["d1", "d2"]}\n{"model": "B", "qid": "401", "hits":'
    b' [{"docid": "d2", "score": 2}, {"docid": "d1", "score": 1}]}\n',
    "in the documents": b'{"qid": "401", "hits": [{"tag": "A", "docid": "d1", "score": 2}, {"tag": "B", "docid": "d2",'
    b' "score": 3}, {"tag": "A", "docid": "d2", "score": 1}, {"tag": "B", "docid": "d1", "score": 2}]}',
}


@pytest.mark.parametrize("shape", SYSTEMS)
def test_json_of_several_systems_is_a_run_for_each(shape):
    track = loaded(SYSTEMS[shape])
    assert rankings(track) == {"A": {"401": ["d1", "d2"]}, "B": {"401": ["d2", "d1"]}}
    assert not found(track, "duplicates")


def test_json_of_one_system_is_named_by_its_file():
    run = b'[{"system": "A", "qid": "401", "docno": "d1", "score": 3}]'
    assert rankings(loaded(run)) == {"a": {"401": ["d1"]}}


def test_json_has_ranks_beside_scores():
    records = [{"qid": "401", "docno": f"d{n}", "rank": n, "score": n - 1} for n in (1, 2, 3)]
    study = evalcore.open_study(Upload("a.json", json.dumps(records).encode()), Upload("q", QRELS), cache=False)
    by_rank = evalcore.open_study(
        Upload("a.json", json.dumps(records).encode()), Upload("q", QRELS), cache=False, order="rank"
    )
    scores = [evalcore.ask(one, "leaderboard", metric="RR").table["value"][0] for one in (study, by_rank)]
    assert scores == [pytest.approx(1 / 3 / 2), pytest.approx(1 / 2)]  # of two topics, one is not answered


def test_json_lists_of_names_with_scores():
    run = b'{"qid": "401", "documents": ["d1", "d2", "d3"], "scores": [1, 3, 2.5]}\n'
    assert rankings(loaded(run)) == {"a": {"401": ["d2", "d3", "d1"]}}
    assert "is JSON, but not of the form" in problem_of(run.replace(b", 2.5", b""))[2]


@pytest.mark.parametrize("least", [b"-Infinity", b'"-inf"', b'"-Infinity"'])
def test_json_has_minus_infinity_as_a_number_or_a_word(least):
    track = loaded(b'{"401": {"d1": %s, "d2": 2}}' % least)
    assert rankings(track) == {"a": {"401": ["d2", "d1"]}}


@pytest.mark.parametrize(
    ("values", "is_rank"),
    [
        ([979, 993, 972, 986, 965, 958], False),  # far above the number of lines
        ([1, 1, 0], False),  # ranks do not repeat
        ([2, 2, 1, 1, 1, 0], False),
        ([1, 3, 1, 2, 3, 2], False),
        ([3, 3, 2, 2], False),
        ([3, 2, 1, 0, "-inf", "-inf"], False),
        ([9, 8, 7, 5], False),
        ([3, 1, 2, 6, 5, 4], True),
        ([1, 2, 2, 4], True),  # ties in order
        ([958, 965, 972, 979], True),
        ([2, 1], True),
    ],
)
@pytest.mark.parametrize("topics", [1, 3])
@pytest.mark.filterwarnings("error")
def test_the_third_of_three_columns(values, is_rank, topics):
    lines = [(topic, n, value) for topic in range(topics) for n, value in enumerate(values)]
    rows, findings = formats.read("a.run", "".join(f"{t}\tD{n}\t{v}\n" for t, n, v in lines).encode(), "run")
    assert (rows.ranks is not None) == is_rank
    numbers = np.array([float(value) for _, _, value in lines])
    best = numbers.max() if not is_rank else numbers.min()
    assert np.array_equal(rows.values == rows.values.max(), numbers == best)
    assert {"columns"} <= {finding.check for finding in findings} or is_rank


JUDGED = {
    "decimals": QRELS.replace(b" 1\n", b" 1.0\n").replace(b" 2\n", b" 2.0\n"),
    "exponents": QRELS.replace(b" 1\n", b" 1e0\n").replace(b" 2\n", b" 2E+0\n"),
    "comments": b"401 0 d1 1 # sure\n# more\n401 0 d2 0\n  #\n402 0 d1 2 # 1 2\n",
    "quotes": b'"401" 0 "d1" 1\n"401" 0 "d2" 0\n"402" 0 "d1" 2\n',
    "non-breaking blanks": b"401 0 d1 1\xc2\xa0\n401\xc2\xa00 d2\xc2\xa0 0\n402 0 d1 2\n",
    "joined files": QRELS.replace(b"402", b"\xef\xbb\xbf402"),
    "lines of JSON": b'{"qid": "401", "docid": "d1", "relevance": 1}\n{"qid": "401", "docid": "d2", "relevance": 0.0}\n'
    b'{"qid": "402", "docid": "d1", "relevance": "2"}\n',
}


@pytest.mark.parametrize("shape", JUDGED)
def test_judgments_in_another_shape(shape):
    found = loaded(RUN, qrels=JUDGED[shape])
    assert grades(found) == {("401", "d1"): 1, ("401", "d2"): 0, ("402", "d1"): 2}
    assert found.grade.dtype == np.int32


def test_grades_in_words_and_without_any():
    true = b"401 0 d1 True\n401 0 d2 false\n402 0 d1 TRUE\n"
    assert list(grades(loaded(RUN, qrels=true)).values()) == [1, 0, 1]
    words = b'{"401": {"d1": true, "d2": false}, "402": {"d1": "yes"}}'
    assert list(grades(loaded(RUN, qrels=words)).values()) == [1, 0, 1]
    headed = b"qid docid\n401 d1\n402 d1\n", b"query;doc\n401;d1\n402;d1\n"
    for qrels in (b"401 d1\n402\td1\n", b"401,d1\n402,d1\n", *headed):
        pairs = loaded(RUN, qrels=qrels)
        assert grades(pairs) == {("401", "d1"): 1, ("402", "d1"): 1}
        assert found(pairs, "no grades")
    assert "2 columns where a qrels has 4" in problem_of(RUN, qrels=b"any words\nlike these\n")[2]


@pytest.mark.parametrize(
    "qrels",
    [
        b"401 0 d1 0.5\n401 0 d2 0\n402 0 d1 2.25\n",
        b"401 d1 .5\n401 d2 0\n402 d1 2.25\n",
        b'{"401": {"d1": 0.5, "d2": 0}, "402": {"d1": "2.25"}}',
        b"qid,docid,relevance\n401,d1,0.5\n401,d2,0\n402,d1,2.25\n",
        b"qid;docid;rating\n401;d1;0,5\n401;d2;0\n402;d1;2,25\n",
    ],
    ids=shown,
)
def test_fractional_grades_are_read_and_said(qrels):
    track = loaded(RUN, qrels=qrels)
    assert grades(track) == {("401", "d1"): 0.5, ("401", "d2"): 0, ("402", "d1"): 2.25}
    (warning,) = found(track, "fractional grades")
    assert (warning.severity, warning.count) == ("warning", 2)


def test_fractions_of_a_run_are_no_grades():
    scored = b"".join(b"401 0 d%d %.3f\n" % (n, n / 7) for n in range(1000))
    assert "look like scores of a run" in problem_of(RUN, qrels=scored)[2]


@pytest.mark.parametrize(("duplicates", "grade"), [("first", 1), ("last", 0), ("highest", 2)])
def test_one_of_several_grades_is_chosen(duplicates, grade):
    track = loaded(RUN, qrels=QRELS + b"401 0 d1 2\n402 0 d1 2\n401 0 d1 0\n", duplicates=duplicates)
    assert grades(track) == {("401", "d1"): grade, ("401", "d2"): 0, ("402", "d1"): 2}
    assert found(track, "two grades")[0].message == (
        f"qrels.txt: 1 document has two grades; the {duplicates} was used, as you set."
    )


@pytest.mark.parametrize("name", [b"Annual report 3", b"Report 7", b"a b c, 5"])
def test_names_with_blanks_between_blanks(name):
    run = b"".join(b"401 Q0 %s %d %d tag\n" % (name.replace(b"3", b"%d" % n), n, 90 - n) for n in range(1, 9))
    track = loaded(
        run + b"402 Q0 d1 1 9 tag\n",
        qrels=(QRELS + b"401 0 %s 1\n" % name.replace(b" ", b"~")).replace(b" ", b"\t").replace(b"~", b" "),
    )
    document = name.decode()
    assert rankings(track)["tag"]["401"][2 if b"3" in name else 0] == document
    assert grades(track)["401", document] == 1
    assert {f.severity for f in found(track, "names with blanks")} == {"warning"}
    assert not found(track, "several tags in one file")


@pytest.mark.parametrize(
    "run",
    [
        b"1 Q0 d1 1 99 t\n1 Q0 Law 7 2 93 t\n1 Q0 Law 401 3 48.2 t\n1 Q0 d2 4 40 t\n",
        b"1 Q0 d1 0 99 t\n1 Q0 Law 7 1 93 t\n1 Q0 Law 401 2 48.2 t\n1 Q0 d2 3 40 t\n",
        b"1 Q0 Law 7 2 93 t\n1 Q0 Law 401 3 48.2 t\n1 Q0 d2 4 40 t\n1 Q0 d1 1 99 t\n2 Q0 Law 7 1 9 t\n",
        b"1 Q0 d1 6 99 t\n1 Q0 Law 7 7 93 t\n1 Q0 Law 401 8 48.2 t\n1 Q0 d2 9 40 t\n",
        b"1 Q0 Law 7 7 93 t\n1 Q0 Law 401 8 48.2 t\n1 Q0 d2 9 40 t\n2 Q0 d1 1 9 t\n1 Q0 d1 6 99 t\n",
    ],
)
def test_names_that_end_in_numbers_on_some_lines(run):
    track = loaded(run, qrels=b"1\t0\tLaw 7\t1\n1\t0\td1\t0\n")
    assert rankings(track)["t"]["1"] == ["d1", "Law 7", "Law 401", "d2"]
    assert found(track, "names with blanks")[0].count == run.count(b"Law")


def test_numbered_names_in_the_order_of_their_names():
    places = [*range(7, 31), *range(1, 7)]
    lines = [b"1 Q0 Law %d %d %d t\n" % (n, place, 100 - place) for n, place in enumerate(places, 1)]
    track = loaded(b"".join(lines), qrels=b"1\t0\tLaw 7\t1\n1\t0\tNone\t1\n")
    assert rankings(track)["t"]["1"][:7] == ["Law 25", "Law 26", "Law 27", "Law 28", "Law 29", "Law 30", "Law 1"]


@pytest.mark.parametrize("rank", [b"%d", b"0", b"1"])
@pytest.mark.parametrize("score", [b"%d", b"%d.5"])
def test_numbers_between_score_and_tag(rank, score):
    """They are extra columns, so names have no blanks."""
    lines = [(n, rank % n if b"%" in rank else rank, score % (1000 - n), n / 100) for n in range(1, 31)]
    track = loaded(b"".join(b"1 Q0 D%d %s %s %.2f t\n" % line for line in lines), qrels=b"1 0 D1 1\n1 0 D2 0\n")
    assert rankings(track) == {"a": {"1": [f"D{n}" for n in range(1, 31)]}}
    assert not found(track, "names with blanks")
    assert found(track, "extra columns")[0].count == 30


def test_tags_and_names_with_blanks():
    track = loaded(b"401 Q0 my d1 1 3.5 my tag\n401 Q0 my d2 2 2.5 my tag\n402 Q0 d1 1 9 my tag\n")
    assert rankings(track) == {"my": {"401": ["my d1", "my d2"], "402": ["d1"]}}


def test_names_with_blanks_in_judgments():
    names = [b"Annual report %d" % n for n in range(20)]
    run = b"".join(b"401\tQ0\t%s\t%d\t%d\tt\n" % (name, n, -n) for n, name in enumerate(names))
    for word in (b" ", b" x "):  # numbers that are too many for grades, and a word in their place
        spaced = [name.replace(b"report ", b"report" + word) for name in names]
        track = loaded(
            run.replace(b"report ", b"report" + word), qrels=b"".join(b"401 0 %s 1\n" % name for name in spaced)
        )
        assert len(grades(track)) == track.listed.sum() == 20
        assert (track.track.retrieved & track.listed).sum() == 20


def test_topics_with_blanks_between_blanks():
    track = loaded(b"topic 1 Q0 d1 1 3.5 a\ntopic 1 Q0 d2 2 2.5 a\n", qrels=b"topic 1\t0\td1\t1\n")
    assert rankings(track) == {"a": {"topic 1": ["d1", "d2"]}}


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        (b"map all 0.25\nP_10\tall\t0.5\nnum_q all 50\n", "contains scores, as trec_eval prints them"),
        (b"401 AP 0.25\n402 nDCG@10 0.5\nall P(rel=2)@5 0.1\n", "contains scores, as ir_measures prints them"),
        (b'{"401": {"map": 0.25, "P_5": 0.5}}', "contains scores, as trec_eval prints them"),
        (b"2 qid:401 1:0.5 2:1 # d1\n0 qid:401 1:0.1 2:0 # d2\n", "list for learning to rank"),
        (b"rating\tqid\tdoc\tquery\n2\tqid:401\t# d1\tx y\n0\tqid:401\t# d2\tx y\n", "list for learning to rank"),
        (b"401 d1 1 1 0.25\n401 d2 0 1 1.0\n", "prels of the Million Query track"),
        (b"401 0 d1 1 0\n401 0 d2 0 2\n", "it is not clear which is the grade"),
        (QRELS + b"402 0 my d2 1\n", "If names contain blanks, separate the columns by tabs."),
    ],
)
def test_formats_that_are_named(qrels, said):
    assert said in problem_of(RUN, qrels=qrels)[2]


@pytest.mark.parametrize(
    "junk", [b"", b"%PDF-1.4\n%", b"\x89PNG\r\n", b"2026-01-01 INFO loading the index 5\n" * 9, b"map all 0.3\n"]
)
def test_what_is_no_run_is_left_out_and_said(tmp_path, junk):
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "a.run").write_bytes(RUN)
    (runs / "other").write_bytes(junk)
    (tmp_path / "q").write_bytes(QRELS)
    for source in (runs, Upload("t.zip", zipped({"a.run": RUN, "other": junk})), [runs / "a.run", runs / "other"]):
        track = load(source, tmp_path / "q", cache=False)
        assert track.track.systems == ("tag",)
        (skipped,) = found(track, "file passed over")
        assert (skipped.severity, "other was skipped. " in skipped.message) == ("warning", True)
        assert [source.role for source in track.sources] == ["run", "qrels"]
    (runs / "judged").write_bytes(QRELS)
    assert "judged was skipped. It contains judgments." in [f.message for f in load(runs, tmp_path / "q").findings]
    (runs / "damaged").write_bytes(RUN.replace(b"2.5", b"?"))
    with pytest.raises(InputError, match=r"^damaged, line 2"):
        load(runs, tmp_path / "q", cache=False)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("über".encode("latin-1"), "über".encode(), r"\xfcber (not UTF-8)"),
        ("caf\u00e9".encode(), "cafe\u0301".encode(), "(U+0301)"),
        (b"d7", "d7\u200b".encode(), "(U+200B)"),
        ("d\u00ad7".encode(), b"d7", "(U+00AD)"),
        ("my\u00a0doc".encode(), b"my doc", "(U+00A0)"),
        ("Ã¼ber".encode(), "über".encode(), "über (U+00FC)"),
    ],
)
def test_names_in_other_characters_are_said(ours, theirs, said):
    run = RUN + b"401\tQ0\t%s\t3\t1\ttag\n" % ours
    track = loaded(
        run.replace(b" ", b"\t") if b"\t" not in ours else run,
        qrels=QRELS.replace(b" ", b"\t") + b"401\t0\t%s\t1\n" % theirs,
    )
    (warning,) = found(track, "names in other characters")
    assert (warning.severity, warning.system, warning.count) == ("warning", "tag", 1)
    assert said in warning.message
    alike = loaded(b"401\tQ0\t%s\t3\t1\ttag\n" % ours, qrels=b"401\t0\t%s\t1\n" % ours)
    assert not found(alike, "names in other characters")
    run = b"401\tQ0\t%s\t1\t1\tt\n401\tQ0\tx%s\t2\t0\tt\n" % (ours, ours)
    qrels = b"401\t0\t%s\t1\n401\t0\tx%s\t1\n" % (theirs, theirs)
    assert "have the name of" in problem_of(run, qrels=qrels)[2]


def test_topics_in_other_characters_are_said():
    track = loaded(RUN, "\u200b401 Q0 d1 1 1 odd\n".encode())
    (warning,) = found(track, "names in other characters")
    assert "1 topic of the runs has the name of a judged topic" in warning.message


def test_items_of_the_qrels_alone_and_of_the_runs_alone():
    track = loaded(RUN, qrels=b"401 0 deep 3\n403 0 only -2\n")
    assert grades(track) == {("401", "deep"): 3, ("403", "only"): -2}
    assert track.track.queries == track.track.topics == ("401", "402", "403")
    assert track.track.size == 1 + 5
    assert track.grade[0] == 0
    assert not track.listed[0]
    assert track.track.topic_of_item.tolist() == [-1, 0, 0, 0, 1, 2]
    assert [(f.check, f.count, f.topic) for f in track.findings] == [
        ("topics without judgments", 1, "402"),
        ("judgments without runs", 1, "403"),
    ]


def test_names_stay_exactly_as_they_are():
    names = ["NA", "1e5", "007", "7", "<b>x</b>", "*md*", '"q"', "'q'", "a,b", "#no", "nan", "😀", "Ünï"]
    topics = [name.lstrip("#") for name in names]  # a line that begins with # is a comment
    lines = [
        f"{topic} Q0 {name} 1 {len(names) - n} a|b\n" for n, (topic, name) in enumerate(zip(topics, names, strict=True))
    ]
    track = loaded(b"x Q0 y 1 1 a|b\n" + "".join(lines).encode(), qrels=b"x 0 y 1\n")
    expected = {topic: [name] for topic, name in zip(topics, names, strict=True)} | {"x": ["y"]}
    assert rankings(track) == {"a|b": expected}
    invalid = loaded(b"401 Q0 d\xff\xfe 1 1 t\xe9\n")
    assert invalid.track.doc_of_item[1].as_py() == b"d\xff\xfe"
    assert invalid.track.systems == ("t\\xe9",)


def test_topics_and_queries_are_in_natural_order():
    run = b"".join(b"%s Q0 d 1 1 t\n" % topic for topic in (b"10", b"2", b"T10", b"T9", b"a"))
    assert loaded(run, qrels=b"9 0 d 1\n2 0 d 1\n").track.topics == ("2", "9", "10", "T9", "T10", "a")


def test_the_order_of_the_files_does_not_matter():
    other = RUN.replace(b"tag", b"two").replace(b"d2", b"d3")
    uploads = [Upload("a.run", RUN), Upload("b.run", other), Upload("c.run", RUN.replace(b"tag", b"tag10"))]
    one, two = loaded(*uploads), loaded(*reversed(uploads))
    assert np.array_equal(one.track.items, two.track.items)
    assert one.track.doc_of_item.equals(two.track.doc_of_item)
    assert one.track.systems == two.track.systems == ("tag", "tag10", "two")
    assert one.sources == two.sources
    assert one.findings == two.findings


# The fast way against the slow one

# what a name may hold: everything but white space, and nothing at its start that makes a comment or JSON of a line
LETTERS = st.sampled_from([b"a", b"B", b"0", b"9", b"-", b'"', b"'", b",", b"#", b"\xff", b"\xc3\xa9", b"\\", b"{"])
NAMES = st.one_of(
    st.builds(lambda letters: b"x" + b"".join(letters), st.lists(LETTERS, max_size=6)),
    st.sampled_from([b"NA", b"1e5", b"007", b"7", b"null", b"nan", b"d1", b"d2", b"401"]),
)
BLANKS = st.one_of(st.sampled_from([b" ", b"\t"]), st.text(" \t\v\f", min_size=1, max_size=3).map(str.encode))
NEWLINES = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b" \n"])
SCORES = st.one_of(
    st.floats(-1e9, 1e9).map(lambda x: repr(x).encode()),
    st.integers(-5, 5).map(lambda n: b"%d" % n),
    st.sampled_from([b"+1.5", b".5", b"5.", b"1E3", b"1e-400", b"-0"]),
)
BAD_SCORES = st.sampled_from([b"x", b"nan", b"-inf", b"1e999", b"0x1p3", b"1_0", b"1,5", b"--1", b"1e", b"True"])


@st.composite
def text_files(draw, row):
    """Lines in all the shapes that are read: one separator throughout, or any."""
    blank, newline = st.just(draw(BLANKS)), st.just(draw(NEWLINES))
    if draw(st.booleans()):
        blank, newline = BLANKS, NEWLINES
    start = draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"# by hand\n", b"\n \n#x\n"]))
    lines = []
    for words in draw(st.lists(row, min_size=1, max_size=8)):
        line = b"".join(word + draw(blank) for word in words[:-1]) + words[-1]
        lines.append(draw(st.sampled_from([b"", b"", b" "])) + line + draw(newline))
    whole = start + b"".join(lines)
    return whole.rstrip() if draw(st.booleans()) else whole


def run_rows(scores):
    ranks = st.one_of(st.integers(-3, 2000).map(lambda n: b"%d" % n), st.just(b"x"))
    whole = st.tuples(NAMES, st.sampled_from([b"Q0", b"0"]), NAMES, ranks, scores, NAMES)
    return st.one_of(whole, st.tuples(whole, st.lists(NAMES, max_size=2)).map(lambda row: (*row[0], *row[1])))


def has_three_cells(data):
    """Whether the first line may be one of MS MARCO's, of names with blanks."""
    return any(line.count(b"\t") == 2 for _, line in reading.data_lines(data)[:1])


def may_hold_blanks(data):
    """Whether a line of more than six words has a number where a rank is, counted from its end."""
    words = [line.split() for _, line in reading.data_lines(data)]
    return any(row[at].strip(b"+-").isdigit() for row in words if len(row) > 6 for at in range(4, len(row) - 2))


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text_files(run_rows(SCORES)))
@example(b"401  d1 1 2 3 x\n")
def test_the_fast_reader_equals_the_slow_one(data):
    rows, few, bad = reading.run(data)
    assume(not may_hold_blanks(data))
    assume(not (few or bad or has_three_cells(data)))  # where tabs stand between columns, a score may be read as a name
    got, problems = columns("a.run", data, "run")
    assert not problems
    assert [got.queries[code] for code in got.query] == [row[1] for row in rows]
    assert got.documents.to_pylist() == [row[2] for row in rows]
    assert got.values.tolist() == [row[4] for row in rows]
    assert got.tags == list(dict.fromkeys(row[5] for row in rows))
    assert list(got.lines) == [row[0] for row in rows]
    readable = all(row[3].lstrip(b"-").isdigit() for row in rows)
    assert (got.ranks is not None) == readable
    if readable:
        assert got.ranks.tolist() == [int(row[3]) for row in rows]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text_files(st.one_of(run_rows(SCORES), run_rows(BAD_SCORES), st.lists(NAMES, min_size=4, max_size=5))))
def test_the_bad_lines_are_those_that_the_slow_reader_finds(data):
    assume(not has_three_cells(data) and not may_hold_blanks(data))
    _, few, bad = reading.run(data)
    _, problems = columns("a.run", data, "run")
    assert {problem.line for problem in problems} == {lines[0] for lines in (few, bad) if lines}


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    text_files(
        st.tuples(
            NAMES, st.sampled_from([b"0", b"Q0", b"0.5"]), NAMES, st.sampled_from([b"0", b"1", b"-2", b"+1", b"x"])
        )
    )
)
def test_the_qrels_are_those_of_the_slow_reader(data):
    assume(not has_three_cells(data))  # "x", "0.5 x" and "0" between tabs: a blank belongs to the document's name
    rows, few, bad = reading.qrels(data)
    got, problems = columns("q", data, "qrels")
    assert not few
    assert [problem.line for problem in problems] == bad[:1]
    if not bad:
        assert [got.queries[code] for code in got.query] == [row[1] for row in rows]
        assert got.documents.to_pylist() == [row[2] for row in rows]
        assert got.values.tolist() == [row[3] for row in rows]


def test_files_of_many_blocks(monkeypatch):
    monkeypatch.setattr(formats, "PARSED", 4096)
    lines = [b"%d Q0 doc-%d 1 %d t%d" % (n // 100, n, -n, n % 2) for n in range(3000)]
    for data in (b"\n".join(lines), b"\r\n".join(lines) + b"\r\n", b" \n".join(lines).replace(b"Q0", b"Q0 ")):
        got, problems = columns("a.run", data, "run")
        assert not problems
        assert got.documents.to_pylist() == [b"doc-%d" % n for n in range(3000)]
        assert got.query.tolist() == [n // 100 for n in range(3000)]
        assert got.tags == [b"t0", b"t1"]
        assert list(got.lines) == list(range(1, 3001))
    assert columns("a", b"\n".join([*lines, b"1 2 3"]), "run")[1][0].line == 3001


# Order, ties, ranks, duplicates

DOCUMENTS = st.sampled_from(["a", "B", "b", "ba", "é", "z1", "z10", "z2", "0"])
ENTRIES = st.lists(
    st.tuples(DOCUMENTS, st.sampled_from([1.0, 2.0, 2.0000000001, -1.0, 0.0, -0.0]), st.integers(0, 4)), min_size=1
)


@settings(max_examples=examples(100), deadline=None)
@given(st.dictionaries(st.sampled_from(["1", "2", "10"]), ENTRIES, min_size=1), st.randoms(use_true_random=False))
def test_order_ties_and_ranks_are_those_of_a_naive_sort(run, random):
    lines = [(topic, *entry) for topic, entries in run.items() for entry in entries]
    random.shuffle(lines)
    data = "".join(f"{topic} Q0 {document} {rank} {score!r} s\n" for topic, document, score, rank in lines).encode()
    track = loaded(data, qrels="".join(f"{topic} 0 d1 1\n" for topic in run).encode())
    got = rankings(track)["s"]
    assert set(got) == set(run)
    dropped = 0
    for topic in run:
        entries = [(document.encode(), score, rank) for t, document, score, rank in lines if t == topic]
        documents, by_rank = reading.ranking(entries)
        assert got[topic] == [document.decode() for document in documents]
        dropped += len(entries) - len(documents)
        place = track.track.queries.index(topic)
        if track.by_rank is None:
            assert by_rank == sorted(by_rank)
        else:
            assert track.by_rank[0, place, : len(by_rank)].tolist() == by_rank
            depth = track.by_rank.shape[2]
            assert track.by_rank[0, place, len(by_rank) :].tolist() == list(range(len(by_rank), depth))
        length = len(documents)
        scores = track.track.scores[0, place]
        assert np.isnan(scores[length:]).all()
        assert np.all(np.diff(scores[:length]) <= 0)
    assert sum(f.count for f in found(track, "duplicate documents")) == dropped
    assert track.track.shape[2] == track.track.lengths.max()


def test_by_rank_is_kept_where_a_rank_column_disagrees():
    track = loaded(b"401 Q0 a 3 1.5 t\n401 Q0 b 2 2.5 t\n401 Q0 c 1 0.5 t\n", RUN)
    assert rankings(track)["t"] == {"401": ["b", "a", "c"]}
    assert track.track.systems == ("t", "tag")
    assert track.by_rank[0].tolist() == [[2, 0, 1], [0, 1, 2]]
    assert track.by_rank[1].tolist() == [[0, 1, 2], [0, 1, 2]]


def test_ranks_that_disagree_and_start_elsewhere_are_noted():
    track = loaded(b"401 Q0 a 0 1 t\n401 Q0 b 1 1 t\n402 Q0 a 5 1 t\n402 Q0 b 0 2 t\n402 Q0 c 3 0 t\n")
    assert {(f.severity, f.system, f.count) for f in track.findings} == {("note", "t", 2)}
    assert [(f.check, f.message) for f in track.findings] == [
        ("ranks disagree with scores", "t: in 2 of 2 rankings, the rank column gives another order than the scores, in "
         "1 of these even without tied scores."),
        ("ranks not from 1", "t: ranks start at 0, not 1, in 2 of 2 rankings, but only their order counts."),
    ]  # fmt: skip


def test_ranks_that_cannot_be_read_are_noted():
    track = loaded(RUN.replace(b"d1 1 ", b"d1 first "))
    assert track.by_rank is None
    (note,) = track.findings
    assert note.message == (
        "a.run: the rank column does not contain whole numbers, so it was ignored and scores give the order."
    )


def test_a_document_twice_keeps_the_place_that_the_order_puts_first():
    data = b"401 Q0 d1 1 1 t\n401 Q0 d2 2 2 t\n401 Q0 d1 9 3 t\n402 Q0 d1 1 1 t\n"
    track = loaded(data)
    assert rankings(track) == {"t": {"401": ["d1", "d2"], "402": ["d1"]}}
    assert track.track.scores[0, 0].tolist() == [3, 2]
    (warning,) = found(track, "duplicate documents")
    assert (warning.severity, warning.system, warning.count) == ("warning", "t", 1)
    assert warning.message == (
        "a.run: 1 line repeats a document within a ranking; its best rank is kept (e.g. topic 401, document d1, line "
        "1)."
    )
    assert problem_of(data, duplicates="refuse") == (
        "a.run",
        3,
        'a.run, line 3: topic 401, document "d1" is already on line 1; a ranking may contain a document only once.',
    )


# Bad input, by its exact words

COLUMNS = "where a run has 6 (topic Q0 document rank score tag)."
A_RUN = "a run has lines of 6 columns (topic Q0 document rank score tag)."
BAD_RUNS = [  # content, line, message after the name of the file and the line
    (b"", None, f" is empty; {A_RUN}"),
    (b" \n\n", None, f" is empty; {A_RUN}"),
    (b"# nothing\n", None, f" contains no line of data; {A_RUN}"),
    (b"\x89PNG\r\n\x1a\n" + bytes(50), None, f" is a PNG picture; {A_RUN}"),
    (b"\xff\xd8\xff\xe0 JFIF", None, f" is a JPEG picture; {A_RUN}"),
    (b"%PDF-1.7\n1 0 obj", None, f" is a PDF document; {A_RUN}"),
    (RUN.decode().encode("utf-16")[:-1], None,
     " is text in UTF-16 that is damaged or cut off. Copy it again, or save as UTF-8."),
    (RUN + b"\0", None, f" is not text (it contains zero bytes); {A_RUN}"),
    (packed(packed(RUN)), None, " is a gz file inside a gz file. Unpack it once."),
    (packed(RUN)[:-9], None, ": the gz file ends too early (it is cut off). Copy the file again."),
    (packed(RUN)[:-8] + b"abcd" + packed(RUN)[-4:], None, ": the gz compression is damaged. Copy the file again."),
    (RUN + b"401 Q0 d9 4 0.5\n", 4, f"5 columns {COLUMNS}"),
    (b"401  d1 1 2.5 tag\n" + RUN, 1, f"5 columns {COLUMNS}"),
    (RUN.replace(b" 1 ", b" ").replace(b" 2 ", b" "), 1,
     f"5 columns {COLUMNS} 2 more lines have the same problem."),
    (b"word\n", 1, f"1 column {COLUMNS}"),
    (QRELS, 1, f"4 columns {COLUMNS} 2 more lines have the same problem. It looks like a qrels file."),
    (b"401 d1 1\n401 d2\n", 2, "2 columns where a run has 3 (topic document rank or score)."),
    (b"401 d1 1\n401 d2 x\n", 2, 'the rank is "x", but must be a whole number.'),
    (RUN.replace(b"2.5", b"high"), 2, 'the score is "high", but must be a number.'),
    (RUN.replace(b"2.5", b"NaN"), 2, 'the score is "NaN", but must be a finite number.'),
    (RUN.replace(b"2.5", b"inf").replace(b" 9 ", b" Infinity "), 2,
     'the score is "inf", but must be a finite number. 1 more line has the same problem.'),
    (BETWEEN_TABS + b"1\tQ0\td 2\t2\tx\tt\n", 2, 'the score is "x", but must be a number.'),
    (BETWEEN_TABS + b"1\tQ0\td 2\t2\tinf\tt\n", 2, 'the score is "inf", but must be a finite number.'),
    (RUN.replace(b"2.5", b"1e999"), 2, 'the score is "1e999", but must be a finite number.'),
    (RUN + b"402 Q0 " + b"x" * (1 << 20) + b" 1 1 tag\n", 4,
     f"the line has 1,048,591 bytes, but at most 65,536 are allowed; {A_RUN}"),
    (b"x" * (1 << 20), 1, f"the line has 1,048,576 bytes, but at most 65,536 are allowed; {A_RUN}"),
    (b'{"401": {"d1": 1},\n "402": {"d1": }}', 2,
     'this is not JSON (Expecting value); {"query": {"document": score}} is needed.'),
    (b'{"401": [3.5]}', None,
     ' is JSON, but not of the form {"query": {"document": score}}: query "401" contains a list.'),
    (b'{"401": {"d1": "high", "d2": NaN}}', None,
     ': query "401", document "d1": the score is "high", but must be a finite number. '
     "1 more value has the same problem."),
    (b'{"401": {}}', None, ' contains no document; {"query": {"document": score}} is needed.'),
]  # fmt: skip


@pytest.mark.parametrize(("data", "line", "message"), BAD_RUNS, ids=shown)
def test_a_bad_run(data, line, message):
    assert problem_of(data) == ("a.run", line, f"a.run, line {line}: {message}" if line else f"a.run{message}")


A_QRELS = "a qrels has lines of 4 columns (topic iteration document grade)."
CHOOSE = "Remove the wrong grade, or set which is used: the first, last or highest (option duplicates)."
BAD_QRELS = [
    (b"", None, f" is empty; {A_QRELS}"),
    (b"query-id\tcorpus-id\tscore\n", None, f" contains a header but no judgment; {A_QRELS}"),
    (RUN, 1, "6 columns where a qrels has 4 (topic iteration document grade). "
     "2 more lines have the same problem. It looks like a run."),
    (QRELS + b"402 0 d2 high\n", 4, 'the grade is "high", but must be a number.'),
    (QRELS + b"402 0 d2 99999999999\n", 4, 'the grade is "99999999999", but must be a finite number.'),
    (QRELS + b"401 0 d1 2\n", 4, "a document has two grades: "
     f'topic 401, document "d1" has grade 1 on line 1 and 2 on line 4. {CHOOSE}'),
    (b'{"401": {"d1": 1, "d1": 2}}', None,
     f': a document has two grades: topic 401, document "d1" has grade 1 and 2. {CHOOSE}'),
    (b'{"401": {"d1": "high"}}', None, ': query "401", document "d1": the grade is "high", but must be a number.'),
]  # fmt: skip


@pytest.mark.parametrize(("data", "line", "message"), BAD_QRELS, ids=shown)
def test_bad_qrels(data, line, message):
    where = f"qrels.txt, line {line}: " if line else "qrels.txt"
    assert problem_of(RUN, qrels=data) == ("qrels.txt", line, where + message)


def test_a_repeated_judgment_is_a_note():
    (note,) = loaded(RUN, qrels=QRELS + b"401 0 d1 1\n").findings
    assert note.message == (
        'qrels.txt: 1 judgment repeats an earlier one, with the same grade (e.g. topic 401, document "d1", line 4).'
    )


def test_all_problems_of_all_files_come_at_once_and_bad_files_can_be_left_out():
    bad = [b"", b"401 Q0 d1 1 x t\nshort\n", RUN]
    with pytest.raises(InputError) as error:
        loaded(*bad)
    problems = error.value.problems
    assert [(problem.file, problem.line) for problem in problems] == [("b.run", 2), ("b.run", 1)]
    assert problems[0].examples == ("short",)
    with pytest.raises(InputError) as error:  # without any run, what is none is a problem too
        loaded(*bad[:2])
    problems = error.value.problems
    assert [(problem.file, problem.line) for problem in problems] == [("a.run", None), ("b.run", 2), ("b.run", 1)]
    track = loaded(*bad, without={problem.file for problem in problems})
    assert rankings(track) == {"tag": WHOLE}
    assert [source.name for source in track.sources] == ["c.run", "qrels.txt"]
    with pytest.raises(InputError, match=r"^No run file is left. Add at least one.$"):
        loaded(b"", without=["a.run"])


def test_examples_are_printable_and_short():
    with pytest.raises(InputError) as error:
        loaded(b"a\x1b[31m\xff" + b"x" * 500 + b"\n" + RUN)
    (problem,) = error.value.problems
    (text,) = problem.examples
    assert text.startswith("a\\x1b[31m\\xffxxx")
    assert text.isprintable()
    assert len(text) == 83


def test_one_ranking_far_longer_than_the_rest_is_refused(monkeypatch):
    monkeypatch.setattr("evalcore.reading.item_codes.SPARSE", ((1000, 20),))
    long = b"".join(b"1 Q0 d%d 1 1 deep\n" % n for n in range(100))
    wide = b"".join(b"%d Q0 d 1 1 wide\n" % n for n in range(100))
    assert problem_of(long, wide)[2] == (
        "a.run ranks 100 documents for one query: 2 systems and 102 queries would then take 20,400 ranks for only "
        "200 lines. Truncate this run or leave it out, or use fewer topics."
    )


def test_runs_that_rank_nearly_nothing_are_refused_together(monkeypatch):
    monkeypatch.setattr("evalcore.reading.item_codes.SPARSE", ((10, 4),))
    runs = [b"%d Q0 d 1 1 s%d\n" % (n, n) for n in (11, 12, 13)]
    assert problem_of(*runs)[::2] == ("", (
        "The runs have rankings for only 3 of 15 pairs of a system and a query: 3 systems and 5 queries would then "
        "take 15 ranks for only 3 lines. Use runs and judgments of the same topics."
    ))  # fmt: skip


def test_a_run_of_queries_that_no_other_has_is_refused_where_they_are_too_many(monkeypatch):
    monkeypatch.setattr("evalcore.reading.item_codes.SPARSE", ((1000, 20),))
    usual = b"".join(b"1 Q0 d%d 1 1 deep\n" % n for n in range(60))
    turned = b"".join(b"d%d Q0 1 1 1 turned\n" % n for n in range(100))
    assert problem_of(usual, usual.replace(b"deep", b"like"), turned)[2] == (
        "c.run has 100 queries that no other run has: 3 systems and 103 queries would then take 18,540 ranks for only "
        "220 lines. Check whether its topic and document are swapped."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duplicates": "drop"}, "'drop' is not known. Known: keep, refuse, first, last, highest"),
        ({"variations": ""}, "variations='' is not valid; give None, a separator"),
        ({"variations": 3}, "variations=3 is not valid; give None, a separator"),
    ],
)
def test_unknown_options(options, message):
    with pytest.raises(ValueError, match=message):
        loaded(RUN, **options)


# Names of systems


def test_a_system_is_named_by_its_tag_or_else_by_its_file():
    track = loaded(
        Upload("runs/one.txt.gz", RUN),
        Upload("two.run", RUN.replace(b"d2", b"d3")),
        Upload("three.res", RUN.replace(b"tag", b"own")),
        Upload("four", RUN.replace(b"2.5 tag", b"2.5 other")),
    )
    assert track.track.systems == ("four", "one", "own", "two")
    assert [(f.check, f.system, f.message) for f in track.findings] == [
        ("two runs in one file", "", "four: 1 of 2 topics has lines of several tags (tag, other). It looks like two "
         "runs in one file, which are read as a single ranking: give each run its own file."),
        ("one tag in several files", "",
         "2 files have the tag tag (runs/one.txt.gz, two.run), so each system is named after its file."),
        ("several tags in one file", "four",
         "four has 2 tags (tag, other), so its system is named after the file: four."),
    ]  # fmt: skip
    assert track.system_table["file"].tolist() == ["four", "runs/one.txt.gz", "three.res", "two.run"]


def test_the_same_file_twice_is_kept_once_and_two_systems_of_one_name_are_told_apart():
    other = RUN.replace(b"d2", b"d3")
    track = loaded(Upload("x/a.run", RUN), Upload("y/a.run", RUN), Upload("z/a.run", other))
    assert track.track.systems == ("a", "a (2)")
    assert [(f.severity, f.check, f.message) for f in track.findings if f.severity == "warning"] == [
        ("warning", "same file twice", "y/a.run is identical to x/a.run, byte for byte, and was left out."),
        ("warning", "two systems of one name", "z/a.run: another system is already named a; this one is named a (2)."),
    ]


# Topics


def test_a_run_without_any_topic_of_the_qrels():
    track = loaded(RUN, b"7 Q0 d1 1 1 lost\n8 Q0 d1 1 1 lost\n")
    messages = {f.check: (f.severity, f.system, f.count, f.message) for f in track.findings}
    assert messages == {
        "topics without judgments":
            ("warning", "", 2, "2 topics of the runs have no judgment (7, 8); only lost has 2 of them."),
        "no topic of the qrels":
            ("warning", "lost", 2, "lost shares no topic with the qrels. Check that the two belong together."),
    }  # fmt: skip


def test_judgments_without_runs():
    track = loaded(RUN, b"401 Q0 d1 1 1 short\n", qrels=QRELS + b"9 0 d 1\n")
    message = (
        "1 topic of the qrels is in no run (9); it counts as 0 in every mean over the topics of the qrels "
        '(average="qrels").'
    )
    assert [(f.severity, f.check, f.system, f.topic, f.message) for f in track.findings] == [
        ("warning", "judgments without runs", "", "9", message)
    ]
    track = loaded(RUN, b"401 Q0 d1 1 1 short\n", qrels=QRELS + b"9 0 d 1\n8 0 d 1\n")
    assert "in no run (8, 9); they count as 0 in every mean" in track.findings[0].message


# Folders, archives, several files


def test_folders_and_archives_are_searched_and_hidden_files_passed_over(tmp_path):
    inside = tmp_path / "runs"
    (inside / "deep").mkdir(parents=True)
    (inside / "a.run").write_bytes(RUN)
    (inside / "deep" / "b.gz").write_bytes(packed(RUN.replace(b"tag", b"two")))
    for name in (".DS_Store", "README.txt", "notes.md", "LICENSE"):
        (inside / name).write_bytes(b"not a run")
    (inside / "deep" / "more.zip").write_bytes(
        zipped({"x/c.run": RUN.replace(b"tag", b"three"), "__MACOSX/x/._c.run": b"\0"})
    )
    (tmp_path / "qrels.gz").write_bytes(packed(QRELS))
    track = load(str(inside), tmp_path / "qrels.gz", cache=False)
    assert track.track.systems == ("tag", "three", "two")
    assert [(source.role, source.name) for source in track.sources] == [
        ("run", "a.run"),
        ("run", "deep/b.gz"),
        ("run", "deep/more.zip/x/c.run"),
        ("qrels", "qrels.gz"),
    ]
    assert len(found(track, "file passed over")) == 5
    assert track.findings[0].message == (
        ".DS_Store was skipped: hidden files, README, LICENSE and .md files are not run files."
    )
    several = load([inside / "deep", inside / "a.run"], tmp_path / "qrels.gz", cache=False)
    assert [s.name for s in several.sources] == ["a.run", "deep/b.gz", "deep/more.zip/x/c.run", "qrels.gz"]


def tar(members, mode):
    buffer = memory.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, memory.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar_archives(tmp_path, mode, capsys):
    run = RUN.replace(b"tag", b"two")
    members = {"t/a.run": RUN, "./t/b.run.gz": packed(run), "t/._a.run": b"\0", "t/plot.png": b"\x89PNG\r\n"}
    data = tar(members, mode)
    (tmp_path / "runs.tgz").write_bytes(data)
    (tmp_path / "q").write_bytes(QRELS)
    for source in (Upload("runs.tgz", data), tmp_path / "runs.tgz"):
        track = load(source, tmp_path / "q", cache=False)
        assert rankings(track) == {"tag": WHOLE, "two": WHOLE}
        assert [one.name for one in track.sources] == ["runs.tgz/t/a.run", "runs.tgz/t/b.run.gz", "q"]
        assert {f.message.split(" was")[0] for f in found(track, "file passed over")} == {
            "runs.tgz/t/._a.run",
            "runs.tgz/t/plot.png",
        }
    files = ["--runs", str(tmp_path / "runs.tgz"), "--qrels", str(tmp_path / "q"), "--cache", "none"]
    assert main(["leaderboard", *files]) == 0
    assert main(["leaderboard", *files, "--block", "1"]) == 0
    assert "two" in capsys.readouterr().out
    answer = evalcore.ask(evalcore.open_study(tmp_path / "runs.tgz", tmp_path / "q", cache=False), "topics")
    again = evalcore.script.reopen([(one.role, one.name, one.sha256) for one in answer.sources], tmp_path)
    assert again.systems == ("tag", "two")
    whole = tar(members | {"t/qrels.txt": QRELS}, mode)
    assert rankings(load(Upload("track.tar", whole), None, cache=False)) == {"tag": WHOLE, "two": WHOLE}
    outside = tar({"../a.run": RUN}, mode)
    assert "this name points outside the archive" in problem_of(Upload("t.tar", outside))[2]
    cut = tar({"a.run": RUN * 1000, "b.run": run}, mode)
    assert "damaged or cut-off tar archive" in problem_of(Upload("t.tar", cut[: len(cut) * 2 // 3]))[2]
    if mode == "w:gz":
        assert "over 100 times their size" in problem_of(Upload("t.tar", tar({"a.run": ZEROS}, mode)))[2]


@pytest.mark.parametrize("name", ["../evil.run", "/etc/evil", "a/../../b", "..\\evil", "C:\\evil"])
def test_names_that_lead_out_of_an_archive_are_refused(name):
    archive = zipped({name: RUN, "good.run": RUN})
    file, line, message = problem_of(Upload("t.zip", archive))
    inside = zipfile.ZipFile(memory.BytesIO(archive)).namelist()[0]
    assert (file, line) == (f"t.zip/{inside}", None)
    assert message.startswith(
        f"t.zip/{inside}: this name points outside the archive. Pack the files under names without "
    )


BOMB = (
    "t.zip: {size:,} bytes unpack to 105,906,176 or more, which is over 100 times their size. No run packs so well: "
    "check what the file contains."
)
BAD_ARCHIVES = {
    "gz bomb": (lambda: packed(ZEROS.replace(b"\0", b"1")), BOMB),
    "zip bomb": (zip_bomb, BOMB),
    "cut off": (
        lambda: zipped({"a.run": RUN})[:-30], "t.zip is a damaged or cut-off zip archive. Make it or copy it again.",
    ),
    "empty": (lambda: zipped({}), "t.zip is a zip archive without any run file. Add one."),
    "nested": (
        lambda: zipped({"t.zip": zipped({"a.run": RUN})}),
        f"t.zip/t.zip is a zip archive inside an archive (unpack it once); {A_RUN}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_ARCHIVES)
def test_bad_archives(name):
    make, message = BAD_ARCHIVES[name]
    data, file = make(), "t.zip/t.zip" if name == "nested" else "t.zip"
    assert problem_of(Upload("t.zip", data)) == (file, None, message.format(size=len(data)))


def test_one_member_of_an_archive_may_be_the_bomb():
    """The archive as a whole packs as texts do."""
    rest = os.urandom(2 << 20)
    data = zipped({"bomb.run": ZEROS, "noise.run": rest})
    packed_to = zipfile.ZipFile(memory.BytesIO(data)).getinfo("bomb.run").compress_size
    with pytest.raises(InputError) as refused:
        loaded(Upload("t.zip", data))
    bomb = f"t.zip/bomb.run: {packed_to:,} bytes unpack to 105,906,176 or more, which is over 100 times"
    assert any(problem.message.startswith(bomb) for problem in refused.value.problems)


def test_all_files_together_have_one_budget(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "3000000")
    names = [Upload(f"{n}.gz", packed(RUN.replace(b"tag", b"t%d" % n) * 6000)) for n in range(3)]
    assert loaded(names[0])
    with pytest.raises(
        InputError, match=r"with it these files need [34] MB of memory or more, but only 3 MB is allowed\."
    ):
        loaded(*names)


def test_files_that_cannot_fit_are_not_read(monkeypatch):
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "1000000")
    monkeypatch.setattr(unpacking.Unpacker, "read", None)
    with pytest.raises(
        InputError, match=r"^These files need 3 MB of memory, but only 1 MB is allowed\. Use fewer runs"
    ):
        loaded(RUN * 26_000)


def test_a_track_that_cannot_fit_is_refused_by_its_numbers(monkeypatch):
    long = b"".join(b"1 Q0 d%d 1 1 deep\n" % n for n in range(300))
    wide = b"".join(b"%d Q0 d 1 1 wide\n" % n for n in range(300))
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "2000000")
    assert problem_of(long, wide)[2] == (
        "2 systems by 302 queries by 300 ranks, of 600 lines, need 3 MB of memory, but only 2 MB is allowed. Use fewer "
        "runs or topics, or truncate the runs, or allow more (POOLSCOPE_MEMORY_BYTES, in bytes)."
    )


def test_an_archive_of_too_many_files(monkeypatch):
    monkeypatch.setattr(archive_limits, "MOST_FILES", 2)
    file, _, message = problem_of(Upload("t.zip", zipped({f"{n}.run": RUN for n in range(3)})))
    assert (file, message) == ("t.zip", f"t.zip contains 3 files, but at most 2 are allowed. {PACK_FEWER}")


def test_members_that_are_the_same_few_bytes_count_together(monkeypatch):
    """A thousand members over one stretch of an archive: each packs as texts do, all of them do not."""
    monkeypatch.setattr(archive_limits, "RATIO_FROM", 10_000)
    data = zipped({f"{n:04}": b"" for n in range(300)})
    told, size = bytes(4), len(RUN).to_bytes(4, "little")
    start = data.index(b"PK\x01\x02")
    directory = bytearray(data[start:])
    at = 0
    while (at := directory.find(b"PK\x01\x02", at)) >= 0:
        directory[at + 24 : at + 28] = (10_000).to_bytes(4, "little")
        at += 46
    assert told != size
    _, _, message = problem_of(Upload("t.zip", data[:start] + bytes(directory)))
    assert "bytes unpack to 3,000,000 or more, which is over 100 times their size" in message


@pytest.mark.parametrize("layers", [2, 3, 10])
def test_gz_within_gz(layers):
    data = RUN
    for _ in range(layers):
        data = packed(data)
    _, _, message = problem_of(Upload("a.gz", data))
    assert message == "a.gz is a gz file inside a gz file. Unpack it once."


def test_a_bomb_within_a_bomb_counts_what_was_given(monkeypatch):
    """A gz in a zip: each unpacks to no more than a text does, both together do."""
    monkeypatch.setattr(archive_limits, "RATIO_FROM", 1 << 20)
    inner = packed(b"1 Q0 d 1 1 t\n" * 400_000)
    _, _, message = problem_of(Upload("t.zip", zipped({"a.run.gz": inner})))
    assert message.startswith("t.zip/a.run.gz: ")
    assert "which is over 100 times their size" in message


def test_many_small_bombs_are_one_large_bomb(monkeypatch):
    """Each is too small to be refused by itself; together they are refused before most of them are unpacked."""
    monkeypatch.setattr(archive_limits, "RATIO_FROM", 3 << 20)
    small = packed(b"1 Q0 d 1 1 t\n" * 200_000)
    with pytest.raises(InputError) as error:
        loaded(Upload("t.zip", zipped({f"{n}.gz": small for n in range(9)} | {"a.run.gz": packed(RUN)})))
    bombs = [problem for problem in error.value.problems if "which is over 100 times their size" in problem.message]
    assert len(bombs) == len(error.value.problems) == 8
    assert not any(problem.file == "t.zip/a.run.gz" for problem in bombs)


@pytest.mark.parametrize("pack", [lambda data: packed(data), lambda data: zipped({"a.run": data})], ids=["gz", "zip"])
def test_what_is_no_text_is_refused_before_it_is_unpacked(monkeypatch, pack):
    monkeypatch.setattr(unpacking, "STEP", 1 << 20)
    monkeypatch.setattr(archive_limits, "STEP", 1 << 20)
    given = files.listing(Upload("a", pack(bytes(50 << 20))), "run").files[0]
    unpacker = unpacking.Unpacker()
    with pytest.raises(InputError, match="is not text"):
        unpacker.read(given)
    assert unpacker._unpacked == 0


@pytest.mark.parametrize("content", [b"", b"1 Q0 d 1 1 t\n"], ids=["empty", "a line"])
def test_a_gz_of_very_many_parts(content):
    """A reader that copies the rest for each part would take hours."""
    given = files.listing(Upload("a.gz", packed(content) * 300_000), "run").files[0]
    assert unpacking.Unpacker().read(given)[1] == content * 300_000


def test_a_zip_that_lists_very_many_files_is_not_looked_through(monkeypatch):
    data = zipped({f"{n:05}": b"" for n in range(30)})
    monkeypatch.setattr(archive_limits, "MOST_DIRECTORY", 1000)
    assert problem_of(Upload("t.zip", data))[2].startswith("t.zip lists far more than 20,000 files")
    assert archive_limits.size_of_directory(data) == len(data) - data.index(b"PK\x01\x02") - 22
    assert archive_limits.size_of_directory(b"no zip") == 0


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_unpack_in_one_go_are_refused(packing):
    buffer = memory.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        archive.writestr("a.run", RUN)
    file, _, message = problem_of(Upload("t.zip", buffer.getvalue()))
    assert file == "t.zip/a.run"
    assert message == (
        "t.zip/a.run is packed by a method that Poolscope cannot read. Pack the files with deflate, the usual method."
    )


def test_what_an_archive_says_of_its_size_is_not_believed():
    """A member of 400 MB that calls itself a kilobyte, and one that calls itself small and is packed as a bomb."""
    data = zip_bomb()
    told, size = len(ZEROS).to_bytes(4, "little"), (1000).to_bytes(4, "little")
    _, _, message = problem_of(Upload("t.zip", data.replace(told, size)))
    assert message == "t.zip/bomb.run: the archive is damaged here. Make it or copy it again."


@pytest.mark.parametrize("where", ["_read_within_memory", "assembled"])
def test_too_little_memory_is_a_sentence(monkeypatch, where):
    def full(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(reading_io, where, full)
    with pytest.raises(InputError) as refused:
        loaded(RUN)
    message = refused.value.problems[0].message
    assert "need more memory than is left here. Use fewer runs" in message


def test_a_damaged_member_of_a_zip():
    data = zipped({"a.run": RUN * 50})
    start = data.index(b"a.run") + 20
    broken = data[:start] + bytes(byte ^ 255 for byte in data[start : start + 10]) + data[start + 10 :]
    file, _, message = problem_of(Upload("t.zip", broken))
    assert (file, message) == ("t.zip/a.run", "t.zip/a.run: the archive is damaged here. Make it or copy it again.")


def test_missing_and_too_many_files(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as error:
        load([tmp_path / "empty", tmp_path / "gone"], [Upload("q1", QRELS), Upload("q2", QRELS)], cache=False)
    assert [problem.message for problem in error.value.problems] == [
        "empty is a folder without any run file. Add one.",
        f"gone: there is no file or folder {tmp_path / 'gone'}.",
        "q1, q2: 2 qrels files, but only one can be used. Keep one.",
    ]


def test_progress_counts_files():
    seen = []
    loaded(RUN, RUN.replace(b"tag", b"two"), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


# Tables of systems and queries


def test_a_table_of_systems():
    table = b"run,team,pooled,type,year,note\ntag,A,1,automatic,2003,\nb.run,B,no,manual,,007\nnone,C,,,,\n"
    runs = [RUN, RUN.replace(b"tag", b"two"), RUN.replace(b"tag", b"left")]
    track = loaded(*runs, systems=Upload("systems.csv", table))
    rows = track.system_table
    assert rows.columns.tolist() == ["system", "group", "pooled", "type", "file", "year", "note"]
    assert rows["system"].tolist() == ["left", "tag", "two"]
    assert rows["group"].tolist() == ["", "A", "B"]
    assert rows["pooled"].tolist() == [None, True, False]
    assert rows["note"].tolist() == ["", "", "007"]
    assert rows["year"].dtype == np.float64
    assert rows["year"].tolist()[1] == 2003
    assert track.track.groups == ("", "A", "B")
    assert track.track.pooled.tolist() == [False, True, False]
    assert [(f.severity, f.message) for f in track.findings] == [
        ("note", "systems.csv: 1 row matches no run, or several (none)."),
        ("warning", "systems.csv: 1 system has no row (left)."),
    ]


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        (
            b"name\tteam\ntag\tA\n",
            1,
            'systems.csv, line 1: no column "run" or "system" among name, team; the first line must name the columns.',
        ),
        (
            b"run\tpooled\ntag\tmaybe\n",
            2,
            'systems.csv, line 2: pooled is "maybe", but must be 1, 0, true, false, yes or no.',
        ),
        (b"run,team\ntag,A,B\n", 2, "systems.csv, line 2: 3 columns where the header has 2."),
        (b"\n", None, "systems.csv is empty; a table of systems is CSV, TSV or Excel (run, group, pooled, type)."),
        (
            b"%PDF-1.4",
            None,
            "systems.csv is a PDF document; a table of systems is CSV, TSV or Excel (run, group, pooled, type).",
        ),
    ],
    ids=shown,
)
def test_bad_tables(table, line, message):
    assert problem_of(RUN, systems=Upload("systems.csv", table)) == ("systems.csv", line, message)


def test_a_table_of_queries_maps_them_to_topics():
    run = b"q1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\nq3 Q0 d9 1 2 t\n"
    table = b'query\ttopic\ttext\tweight\nq1\t401\tone \xc3\xa9\t0.5\nq2\t401\t"two\t2\nq9\t402\t\t1\n'
    track = loaded(run, qrels=b"401 0 d1 1\n", queries=Upload("queries.tsv", table))
    assert track.track.queries == ("q1", "q2", "q3")
    assert track.track.topics == ("401", "q3")
    assert track.track.topic_of_query.tolist() == [0, 0, 1]
    assert track.track.size == 3
    assert track.query_table["text"].tolist() == ["one é", '"two', ""]
    assert track.query_table["weight"].tolist()[:2] == [0.5, 2.0]
    assert [f.message for f in track.findings][:2] == [
        "queries.tsv: 1 row matches no query of the runs (q9).",
        "queries.tsv: 1 query has no row (q3).",
    ]


def test_a_separator_names_the_variation():
    run = b"4-0-1 Q0 d1 1 2 t\n4-0-2 Q0 d1 1 2 t\n5 Q0 d1 1 2 t\n"
    track = loaded(run, qrels=b"4-0 0 d1 1\n5 0 d1 1\n", variations="-")
    assert track.track.queries == ("4-0-1", "4-0-2", "5")
    assert track.query_table["topic"].tolist() == ["4-0", "4-0", "5"]
    assert track.query_table["variation"].tolist() == ["1", "2", ""]
    (note,) = track.findings
    assert note.message == '1 query has no "-" (5); each counts as its own topic.'


def test_runs_that_hold_one_variation_each():
    runs = [
        Upload("A_Run1.v1.gz", RUN.replace(b"tag", b"A.v1")),
        Upload("A_Run1.v2.gz", RUN.replace(b"tag", b"A.v2")),
        Upload("A_Run2.v1.gz", RUN.replace(b"tag", b"A.v1")),
        Upload("B.run", RUN.replace(b"tag", b"B.v10")),
        Upload("C.v1", RUN.replace(b"tag", b"whole")),
        Upload("D", RUN.replace(b"tag", b"plain")),
    ]
    table = b"401\t1\tfirst words\n401\t2\tother words\n402\t10\tlast\n"
    track = loaded(*runs, variations="run", queries=Upload("queryvariants.tsv", table))
    assert track.track.systems == ("A", "A_Run1", "A_Run2", "B", "C", "plain")
    assert track.track.queries == ("401", "401.v1", "401.v2", "401.v10", "402", "402.v1", "402.v2", "402.v10")
    assert track.track.topics == ("401", "402")
    assert track.query_table["variation"].tolist() == ["", "1", "2", "10"] * 2
    assert track.query_table["text"].tolist() == ["", "first words", "other words", "", "", "", "", "last"]
    assert found(track, "no variation in the name")[0].message == (
        "1 run has a name that does not end in .v1, .v2 and so on (D); each counts as a system with one query "
        "per topic."
    )
    assert found(track, "table without header")[0].message == (
        "queryvariants.tsv has no header; its three columns were read as topic, variation and text."
    )


# Real tracks; the counts come from zcat, awk and sort -u

REAL = pytest.mark.real


@pytest.fixture
def data():
    folder = os.environ.get("POOLSCOPE_DATA")
    if not folder:
        pytest.skip("POOLSCOPE_DATA does not say where real tracks are")
    return Path(folder)


@REAL
@pytest.mark.parametrize(
    ("name", "shape", "places", "items", "judged", "graded"),
    [
        ("robust03", (17, 100, 1000), 1_510_973, 475_340, 128_796, {0: 122_722, 1: 5_667, 2: 407}),
        ("trec-covid-r1", (143, 30, 100), 415_281, 113_850, 8_691, {0: 6_339, 1: 1_115, 2: 1_237}),
        ("dl21-passage", (63, 53, 100), 333_750, 58_320, 10_828, {0: 4_338, 1: 3_063, 2: 2_341, 3: 1_086}),
        ("clef-ehealth-2016-queryvariants", (5, 300, 782), 274_100, 91_565, 25_000, {0: 21_294, 1: 2_169, 2: 1_537}),
        ("messy", (5, 50, 1001), 196_702 - 916 - 1_224, 154_368, 26_025, {0: 13_316, 1: 5_775, 2: 6_934}),
    ],
)
def test_real_tracks(data, name, shape, places, items, judged, graded):
    variations = "run" if name.startswith("clef") else None
    track = load(data / name / "runs", data / name / "qrels.txt", variations=variations, cache=False)
    assert track.track.shape == shape
    assert np.count_nonzero(track.track.items) == places
    assert track.track.size == items + 1
    assert np.count_nonzero(track.listed) == judged
    levels, counts = np.unique(track.grade[track.listed], return_counts=True)
    assert dict(zip(levels.tolist(), counts.tolist(), strict=True)) == graded


@REAL
def test_the_messy_track(data):
    track = load(data / "messy" / "runs", data / "messy" / "qrels.txt", cache=False)
    duplicates = {f.system: f.count for f in found(track, "duplicate documents")}
    assert duplicates == {"RR": 916, "UEvoraIRtask1run1": 1_224}
    assert {f.system for f in found(track, "ranks not from 1")} == {"RR", "UEvoraIRtask1run1"}
    lengths = dict(zip(track.track.systems, track.track.lengths, strict=True))
    assert (lengths["BingAPI"].min(), lengths["BingAPI"].max()) == (1, 78)
    assert lengths["baseline_query"].min() == 999


@REAL
def test_the_tables_of_real_tracks(data):
    covid = data / "trec-covid-r1"
    track = load(covid / "runs", covid / "qrels.txt", systems=covid / "systems.tsv", cache=False)
    assert track.track.pooled.sum() == 56
    assert track.system_table.columns.tolist() == [
        "system", "group", "pooled", "type", "file", "j10", "j100", "pool_depth",
    ]  # fmt: skip
    assert {f.severity for f in track.findings} == {"note"}
    clef = data / "clef-ehealth-2016-queryvariants"
    track = load(clef / "runs", clef / "qrels.txt", variations="run", queries=clef / "queryvariants.tsv", cache=False)
    assert track.track.topics[:2] == ("101", "102")
    assert track.query_table["text"].iloc[2] == "inguinal hernia success rate"
    assert not found(track, "rows without a query")


@REAL
def test_real_orders_are_those_of_a_naive_sort(data):
    robust = data / "robust03"
    runs = [robust / "runs" / name for name in ("input.rutcor03100.gz", "input.NLPR03vb10.gz")]
    track = load(runs, robust / "qrels.txt", cache=False)
    for name, path in zip(("rutcor03100", "NLPR03vb10"), runs, strict=True):
        rows, _, _ = reading.run(gzip.decompress(path.read_bytes()))
        by_topic = {}
        for _, topic, document, rank, score, _ in rows:
            by_topic.setdefault(topic.decode(), []).append((document, score, int(rank)))
        system = track.track.systems.index(name)
        for topic, entries in list(by_topic.items())[::10]:
            documents, by_rank = reading.ranking(entries) if len(entries) < 50 else (_order(entries), None)
            query = track.track.queries.index(topic)
            length = track.track.lengths[system, query]
            items = track.track.items[system, query, :length]
            assert track.track.documents(items) == [document.decode() for document in documents]
            if by_rank:
                assert track.by_rank[system, query, :length].tolist() == by_rank


def _order(entries):
    return [d for d, _, _ in sorted(sorted(entries, key=lambda e: e[0], reverse=True), key=lambda e: -e[1])]


def test_a_gz_file_with_a_head_that_never_ends():
    data = b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (1 << 20) + b"\0" + gzip.compress(RUN)[10:]
    with pytest.raises(InputError, match=r"a\.gz: the gz compression is damaged\."):
        load([Upload("a.gz", data)], Upload("q", QRELS), cache=False)


def test_marks_before_a_run_are_looked_at_without_taking_memory_for_each():
    assert white_space.after_marks(b"\xef\xbb\xbf" * 1000, 0) == 300


def test_the_beginning_of_a_packed_file_is_all_that_is_unpacked_to_see_what_it_is():
    assert len(unpacking.beginning_of_text(gzip.compress(RUN * 100_000), 1000)) == 1000


SUBTOPICS = [(t, s, f"d{n}", int((n + s) % 3 == 0)) for t in (1, 2) for n in range(8) for s in range(1, 3 + n % 2)]


def qrels_of(lines):
    return "".join(f"{topic} {second} {document} {grade}\n" for topic, second, document, grade in lines).encode()


@pytest.mark.parametrize(
    "lines",
    [SUBTOPICS, [line for line in SUBTOPICS if line[3]] * 2, [(*line[:3], 1) for line in SUBTOPICS]],
    ids=["grades differ", "twice", "relevant only"],
)
def test_judgments_of_subtopics_are_refused_as_such(lines):
    if len(set(lines)) < len(lines):  # the same lines twice are no subtopics
        assert len(found(loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels_of(lines)), "repeated judgments")) == 1
        return
    _, _, message = problem_of(b"1 Q0 d1 1 1 r\n", qrels=qrels_of(lines))
    assert "documents are judged for subtopics, as for diversity, or in several rounds: " in message
    again = len(lines) - len({(line[0], line[2]) for line in lines})
    assert f"{again} of {len(lines)} lines judge a document again" in message
    assert "such as topic 1, document d0)" in message


STRATA = [
    (t, f"d{n}", 1 + (n + t) % 2, n % 3 if (n + t) % 2 == 0 or n % 4 == 0 else -1) for t in (1, 2) for n in range(20)
]
SAMPLED = "".join(f"{t} 0 {document} {s} {grade}\n" for t, document, s, grade in STRATA).encode()
IN_STRATA = {
    "of blanks": SAMPLED,
    "of tabs": SAMPLED.replace(b" ", b"\t"),
    "of Windows, with a comment": b"# sample\n" + SAMPLED.replace(b"\n", b"\r\n"),
    "packed": gzip.compress(SAMPLED),
}


@pytest.mark.parametrize("name", IN_STRATA)
def test_a_sample_in_strata_is_read(name):
    track = loaded(b"1 Q0 d1 1 1 r\n", qrels=IN_STRATA[name])
    assert grades(track) == {(str(t), document): grade for t, document, _, grade in STRATA}
    items = np.flatnonzero(track.listed)
    assert [track.stratum[item] for item in items] == [
        {(str(t), document): s for t, document, s, _ in STRATA}[pair] for pair in grades(track)
    ]
    assert not track.stratum[~track.listed].any()
    (finding,) = found(track, "judgments in strata")
    assert "(judged: 100% of 1, 25% of 2)" in finding.message
    assert file_kinds.role_of(Upload("q", IN_STRATA[name])) == "qrels"


@pytest.mark.parametrize("first", [1, 2])
def test_a_sample_may_be_sorted_by_stratum(first):
    """Then the first lines have no grade of -1, or nothing else."""
    rows = [(t, n, 1 + (n > 14), n % 3 if n < 15 or n % 4 == 0 else -1) for t in range(1, 11) for n in range(30)]
    rows.sort(key=lambda row: (row[2] != first, row[0]))
    track = loaded(b"1 Q0 d1 1 1 r\n", qrels="".join(f"{t} 0 d{n} {s} {grade}\n" for t, n, s, grade in rows).encode())
    assert grades(track) == {(str(t), f"d{n}"): grade for t, n, _, grade in rows}
    assert sorted(track.stratum[track.listed]) == sorted(row[2] for row in rows)


def test_a_sample_of_which_all_is_drawn_is_read_with_a_warning():
    rows = [(t, n, 1 + n % 2, n % 3) for t in (1, 2) for n in range(30)]
    qrels = "".join(f"{t} 0 d{n} {s} {grade}\n" for t, n, s, grade in rows).encode()
    track = loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels)
    assert grades(track) == {(str(t), f"d{n}"): grade for t, n, _, grade in rows}
    assert file_kinds.role_of(Upload("q", qrels)) == "qrels"
    (finding,) = found(track, "judgments in strata")
    assert finding.severity == "warning"
    assert finding.message.endswith("if the fourth column has grades, too, assign the columns (grade=4 or 5).")
    assert loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels, columns={"grade": 4}).stratum is None


def test_a_run_without_a_tag_is_no_sample():
    run = "".join(f"{t} 0 d{n} {n} {11 - n}\n" for t in (1, 2) for n in range(1, 11)).encode()
    assert file_kinds.role_of(Upload("a", run)) == "run"
    assert rankings(loaded(run, qrels=b"1 0 d1 1\n2 0 d1 1\n"))["a"]["1"] == [f"d{n}" for n in range(1, 11)]


@pytest.mark.parametrize(("second", "are_parts"), [("402", True), ("401", False)])
def test_parts_of_one_run_by_topic_are_named(second, are_parts):
    runs = (f"{topics[0]} Q0 d1 1 3 bm25\n{topics[1]} Q0 d1 1 3 bm25\n" for topics in (("401", "403"), (second, "404")))
    track = loaded(*(run.encode() for run in runs))
    assert track.track.systems == ("a", "b")
    (finding,) = found(track, "one tag in several files")
    assert finding.severity == ("warning" if are_parts else "note")
    assert ("seem to be parts of one run. They count as 2 systems" in finding.message) == are_parts


def test_a_sample_in_strata_is_kept_in_the_cache(tmp_path):
    tracks = [load([Upload("a", b"1 Q0 d1 1 1 r\n")], Upload("q", SAMPLED), cache=tmp_path / "cache") for _ in range(2)]
    assert tracks[0].stratum.tolist() == tracks[1].stratum.tolist()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1 0 d99 x 1\n", 'line 41: the stratum is "x", but must be a whole number from 1 to 99.'),
        (b"1 0 d99 0 1\n", 'line 41: the stratum is "0", but must be a whole number from 1 to 99.'),
        (b"1 0 d99 1 y\n", 'line 41: the grade is "y", but must be a number.'),
        (b"1 0 d99 1\n", "line 41: 4 columns where a qrels has 5 (topic iteration document stratum grade)."),
    ],
)
def test_a_bad_line_of_a_sample_in_strata_is_named(line, message):
    assert message in problem_of(b"1 Q0 d1 1 1 r\n", qrels=SAMPLED + line)[2]


@pytest.mark.parametrize(
    "lines",
    [
        [(t, 0, f"d{n}", n % 3, n % 2 - 1) for t in (1, 2) for n in range(9)],
        [(t, 0, f"d{n}", 1 + n % 2, n % 2) for t in (1, 2) for n in range(9)],
    ],
    ids=["grades from 0", "none that was not drawn"],
)
def test_five_columns_of_grades_are_no_strata(lines):
    qrels = "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()
    with pytest.raises(InputError):
        loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels)
    assert loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels, columns={"grade": 4}).stratum is None


DIVERSITY = {  # judgments for subtopics, of which topic 2 has only two
    "TREC Web": [(1, 1, "d0", 0), (1, 2, "d0", 1), (1, 3, "d0", 0), (1, 1, "d1", 2), (1, 2, "d1", -2), (1, 3, "d2", 1),
                 (1, 1, "d3", 0), (1, 2, "d3", 0), (2, 1, "d0", 0), (2, 2, "d0", 3), (2, 1, "d4", 1), (2, 2, "d4", 0)],
    "all relevant": [(t, s, f"d{n}", 1) for t in (1, 2) for n in range(6) for s in range(1, 2 + (n + t) % 3)],
    "named aspects": [(t, s, f"d{n}", (n + len(s)) % 3) for t in (1, 2) for n in range(6)
                      for s in ("usefulness", "credibility", "support")[: 1 + (n + t) % 3]],
}  # fmt: skip


@pytest.mark.parametrize("form", ["lines", "table"])
@pytest.mark.parametrize("name", DIVERSITY)
def test_one_subtopic_or_the_highest_grade_over_all_is_chosen(name, form):
    lines = DIVERSITY[name]
    qrels = qrels_of(lines)
    if form == "table":
        qrels = b"topic,subtopic,docno,judgment\n" + qrels.replace(b" ", b",")
    subtopics = sorted({str(line[1]) for line in lines})
    with pytest.raises(InputError) as refused:
        loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels)
    offered = [value for option, value in refused.value.problems[0].options if option == "aspect"]
    assert offered == ["union", *subtopics]
    for aspect in offered:
        expected = {}
        for topic, subtopic, document, grade in lines:
            if aspect in ("union", str(subtopic)):
                pair = str(topic), document
                expected[pair] = max(grade, expected.get(pair, grade))
        track = loaded(b"1 Q0 d1 1 1 r\n2 Q0 d0 1 1 r\n", qrels=qrels, aspect=aspect)
        assert grades(track) == expected
        assert next(one.message for one in found(track, "subtopics")).startswith("qrels.txt: ")
        assert not found(track, "columns exchanged")


def test_a_subtopic_that_no_line_has_is_refused_and_one_word_is_no_subtopic():
    _, _, message = problem_of(b"1 Q0 d1 1 1 r\n", qrels=qrels_of(SUBTOPICS), aspect="9")
    assert ": it has no subtopic 9. Its second column is 1, 2, 3; choose one." in message
    assert grades(loaded(RUN, qrels=QRELS, aspect="9")) == grades(loaded(RUN))


def test_a_second_qrels_has_the_subtopic_of_the_study():
    files = [Upload("a.run", b"1 Q0 d1 1 1 r\n")], Upload("q", qrels_of(SUBTOPICS))
    study = evalcore.open_study(*files, other=Upload("o", qrels_of(SUBTOPICS)), aspect="2", cache=False)
    table = evalcore.ask(study, "confusion").table
    assert table["count"].sum() == len([line for line in SUBTOPICS if line[1] == 2])
    assert "aspect='2'" in evalcore.ask(study, "scores").script()


@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("assessors", ["AB", "XYZ"])
def test_sets_of_judgments_in_one_file_are_refused_as_such(assessors, separator):
    lines = [(t, a, f"d{n}", (n + ord(a)) % 2) for t in (1, 2) for a in assessors for n in range(4)]
    qrels = qrels_of(lines).replace(b" ", separator.encode())
    _, _, message = problem_of(b"1 Q0 d1 1 1 r\n", qrels=qrels)
    assert f": {len(assessors)} sets of judgments are in one file" in message
    assert "open one as the judgments and another as second judgments" in message


def test_rounds_that_agree_and_one_slip_are_no_subtopics():
    rounds = [(t, r, f"d{n}", n % 2) for t in (1, 2) for r in (1, 2) for n in range(8)]
    assert len(found(loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels_of(rounds)), "repeated judgments")) == 1
    _, _, message = problem_of(b"1 Q0 d1 1 1 r\n", qrels=qrels_of([*rounds[:8], (1, 2, "d1", 0)]))
    assert message.endswith("(option duplicates).")


def of_two_rounds(earlier_grade):
    """Twelve documents that no run has, judged in round 1, and twelve of both runs, judged in round 2."""
    earlier = [(1, 1, f"e{n}", earlier_grade) for n in range(12)]
    qrels = qrels_of([*earlier, *((1, 2, f"d{n}", 1 - n % 2) for n in range(12))])
    runs = [b"".join(b"1 Q0 d%d %d %d %s\n" % (n, n + 1, 20 - n, tag) for n in range(12)) for tag in (b"a", b"b")]
    return found(loaded(*runs, qrels=qrels), "judgments of several rounds")


def test_rounds_of_which_runs_have_nothing_are_named_with_their_documents():
    (message,) = (finding.message for finding in of_two_rounds(1))
    assert "the judgments of 2 rounds (their second column)" in message
    assert "hardly any of the 12 documents judged in 1, but 100% of those judged in 2" in message
    assert not of_two_rounds(0)  # none is relevant, as of documents that are hard to find


def test_the_second_column_of_judgments_may_be_empty():
    study = loaded(b"1 Q0 d1 1 1 r\n", qrels=b"1\t\td1\t1\n1\t\td2\t0\n")
    assert study.listed.sum() == 2


def test_grades_are_not_exchanged_with_a_second_column_under_which_documents_repeat():
    lines = [(1, n % 3, f"d{n}", 1) for n in range(40)]
    assert len(found(loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels_of(lines)), "columns exchanged")) == 1
    assert not found(loaded(b"1 Q0 d1 1 1 r\n", qrels=qrels_of([*lines, (1, 9, "d1", 1)])), "columns exchanged")


def test_a_table_with_two_grades_of_a_document_has_no_second_column():
    table = b"topic,document,grade\n" + b"".join(b"1,d%d,%d\n" % (n % 3, n % 2) for n in range(12))
    assert "a document has two grades" in problem_of(b"1 Q0 d1 1 1 r\n", qrels=table)[2]
