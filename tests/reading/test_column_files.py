"""Runs and judgments as tables: what their columns are, in the shapes that people have, and what is refused."""

import base64
import datetime
import gzip
import io
import random
import re
import subprocess
import sys
import time
import zipfile
import zlib
from contextlib import suppress

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.reading import column_files, file_kinds, sheets, workbooks
from evalcore.reading.loading import InputError, Upload
from tests.reading.test_loading import QRELS, WHOLE, grades, loaded, rankings, zipped

OLD = zlib.decompress(base64.b64decode(  # a run as .xls, as xlwt writes it
    b"eNrtWD1oFEEU/mZ379fkchcvQiKEI+AZY5poYxNXBRMQDDGNIoJebq8ICbe6aqGCRuOVgmCl2ATS2ERt/EEL7USEiBaCINxpmUpQSJHc+ubt"
    b"rt7FK3KgwZ/5lnnz9s18O2933rzd2dcLqfLs/a4KVmE3dFTdGMI1NkElFpwkQe2uK9WgjlJxFf4qxKI0keEQnrS+isg5lPNdgYZ7xnOSwEcq"
    b"x3ASI3axkFlH7GMfckL6MEhS4DZZEuhkr9pZ5lluZHmXez5luYct11gOUt+yOIoFc6Rvlx/FR7QebktAXvchc96zZQAdeCGj+NJ14fUNYa8z"
    b"kZv6Mxu6jRbMgeZtuFAsOLmpMtI0gXP46maAL8FKfZZR9vW1C5B9qd4eaWC/oRnANNwTHOAlbMBLXbboGDtbXEYvr8YQG3BqwiLNsvNFm+rT"
    b"edspUMRaA1LsiMvMzCs5WbeSWznCW0haaGM9xXGepFy9fOfzm4Pjo+Zxtkxz9vZy/BbpFlxclgwiJ7jFgOca0MeM7Syv8FU3s97FMk0eU50d"
    b"7fCVoRnuc5VbszTOTsZbc2uN3kt6afHQo+7SJ3Mb6fPDlfPp+XfmLHronWMRXx4z6Bf94tZNicdmUAs/H3xg2flTbohqSd9313+RtWEFcVZT"
    b"LL0z+XTE9zPNf1aSLVaxL2pxtqUwFPb6C2bLp+O1SfaFkMfWGrC1OrY3M4bP1pi9qHtsvQFbZ/YBn63Xja0zOyvf4Vo7HsiBKCP+QBwKCgoK"
    b"CgoKCgr/LwR/6Xrf9Ya/25A7h4j/X2eFSlX9JvlnMQabjjO0Md2PItUOzjUVP5sQEsG1xBo5wf9CicM0uoNJjLMfk03HL+38RO39rJmY/HVL"
    b"qNnxq834+ZvH/wbNM8ye"
))  # fmt: skip


def opendocument(rows):
    """The bytes of an OpenDocument spreadsheet."""
    cells = ""
    for row in rows:
        cells += "<table:table-row>"
        for cell in row:
            kind = "string" if isinstance(cell, str) else f'float" office:value="{cell}'
            cells += f'<table:table-cell office:value-type="{kind}"><text:p>{cell}</text:p></table:table-cell>'
        cells += "</table:table-row>"
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = f'<table:table table:name="Run">{cells}</table:table>'
    for element in ("spreadsheet", "body", "document-content"):
        content = f"<office:{element} {spaces}>{content}</office:{element}>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": "<x/>"})


# The run and the judgments that all shapes below hold
RUN = {"401": [("d1", 1, 3.5), ("d2", 2, 2.5)], "402": [("d1", 1, 9.0)]}
GRADES = {("401", "d1"): 1, ("401", "d2"): 0, ("402", "d1"): 2}


def workbook(**tables):
    """The bytes of an Excel workbook. tables : title -> rows"""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in tables.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


RUN_ROWS = [[topic, document, rank, score] for topic, ranking in RUN.items() for document, rank, score in ranking]
GRADE_ROWS = [[int(topic), document, grade] for (topic, document), grade in GRADES.items()]

RUNS = {
    "commas": b"topic,document,rank,score\n401,d1,1,3.5\n401,d2,2,2.5\n402,d1,1,9\n",
    "semicolons and decimal commas": b"query;doc;score\n401;d1;3,5\n401;d2;2,5\n402;d1;9,0\n",
    "tabs, other order": b"docno\tscore\tqid\nd1\t3.5\t401\nd2\t2.5\t401\nd1\t9\t402\n",
    "bars": b"qid|pid|rank\n401|d1|1\n401|d2|2\n402|d1|1\n",
    "white space, other order": b"score  docid   query_id\n3.5 d1 401\n2.5 d2  401\n9 d1 402\n",
    "quotes": b'"query_id","docid","similarity"\n"401","d1","3.5"\n"401","d2","2.5"\n"402","d1","9"\n',
    "quoted commas and line ends": (
        b'qid,text,docid,score\n401,"a, ""b""\nc",d1,3.5\n401,"",d2,2.5\n402,"d",d1,9\n'
    ),
    "an index that pandas wrote": b",qid,docid,score\n0,401.0,d1,3.5\n1,401.0,d2,2.5\n2,402.0,d1,9\n",
    "no header": b"401,d1,1,3.5\n401,d2,2,2.5\n402,d1,1,9\n",
    "TREC's columns with commas": b"401,Q0,d1,1,3.5,mine\n401,Q0,d2,2,2.5,mine\n402,Q0,d1,1,9,mine\n",
    "commas and blanks": b"401, Q0, d1, 1, 3.5, mine\n401, Q0, d2, 2, 2.5, mine\n402, Q0, d1, 1, 9, mine\n",
    "TREC's columns with a header": (
        b"topic,Q0,docno,rank,score,tag\n401,Q0,d1,1,3.5,x\n401,Q0,d2,2,2.5,x\n402,Q0,d1,1,9,x"
    ),
    "leading blank rows and a title": (
        b"\n;;;\nMy best run;;;\n\nTopic ID;Doc ID;Rank;Score\n401;d1;1;3,5\n;;;\n401;d2;2;2,5\n402;d1;1;9\n"
    ),
    "what Excel writes for itself": b"sep=;\r\nqid;docid;score\r\n401;d1;3,5\r\n401;d2;2,5\r\n402;d1;9\r\n",
    "UTF-16": "qid\tdocid\tscore\n401\td1\t3.5\n401\td2\t2.5\n402\td1\t9\n".encode("utf-16"),
    "UTF-16 without a mark": "qid\tdocid\tscore\n401\td1\t3.5\n401\td2\t2.5\n402\td1\t9\n".encode("utf-16-le"),
    "TREC in UTF-16": "401 Q0 d1 1 3.5 x\n401 Q0 d2 2 2.5 x\n402 Q0 d1 1 9 x\n".encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbfqid,docid,score\n401,d1,3.5\n401,d2,2.5\n402,d1,9\n",
    "gz": gzip.compress(b"qid,docid,score\n401,d1,3.5\n401,d2,2.5\n402,d1,9\n", mtime=0),
    "a text beside the topic": b"query,query_id,doc_id,score\nfish,401,d1,3.5\nfish,401,d2,2.5\nfowl,402,d1,9\n",
    "a relevance beside the score": b"qid,docid,score,label\n401,d1,3.5,1\n401,d2,2.5,0\n402,d1,9,2\n",
    "BEIR's names": b"query-id\tcorpus-id\trank\tscore\n401\td1\t1\t3.5\n401\td2\t2\t2.5\n402\td1\t1\t9\n",
    "five columns of TREC's": b"401\tQ0\td1\t1\t3.5\n401\tQ0\td2\t2\t2.5\n402\tQ0\td1\t1\t9.5\n",
    "PyTerrier": b"qid,docid,docno,rank,score,query\n401,7,d1,0,3.5,fish\n401,8,d2,1,2.5,fish\n402,7,d1,0,9,fowl\n",
    "PyTerrier with pandas' index": (
        b',qid,docid,docno,rank,score,query\r\n0,401,7,d1,0,3.5,"a, b"\r\n1,401,8,d2,1,2.5,"a, b"\r\n'
        b"2,402,7,d1,0,9,c\r\n"
    ),
    "PyTerrier with blanks": (
        b' qid docid docno rank score query\n0 401 7 d1 0 3.5 "a fish"\n1 401 8 d2 1 2.5 "a fish"\n'
        b"2 402 7 d1 0 9.0 fowl\n"
    ),
    "PyTerrier with blanks, no index": (
        b'qid docid docno rank score query\n401 7 d1 0 3.5 "a fish"\n401 8 d2 1 2.5 "a fish"\n402 7 d1 0 9.0 fowl\n'
    ),
    "pandas' index and blanks, ranks": b" qid docno rank\n0 401 d1 1\n1 401 d2 2\n2 402 d1 1\n",
    "R": b'"qid" "docno" "score"\n"1" "401" "d1" 3.5\n"2" "401" "d2" 2.5\n"3" "402" "d1" 9\n',
    "R with tabs": b'"qid"\t"docno"\t"score"\n"1"\t"401"\t"d1"\t3.5\n"2"\t"401"\t"d2"\t2.5\n"3"\t"402"\t"d1"\t9\n',
    "padding": b"qid,docid,score\n401,d1,3.5\n401,d2,-inf\n402,d1,9\n",
    "Excel": workbook(Run=[["Topic", "Document", "Rank", "Score"], *RUN_ROWS]),
    "Excel, numbers as topics": workbook(Run=[["qid", "docno", "score"],
                                              *([float(t), d, s] for t, d, _, s in RUN_ROWS)]),
    "Excel without a header": workbook(Run=RUN_ROWS),
    "Excel below blank rows": workbook(Run=[[], ["My run"], [], [None, "qid", "docno", "score"],
                                            *([None, t, d, s] for t, d, _, s in RUN_ROWS)]),
    "Excel's old form": OLD,
    "OpenDocument": opendocument([["qid", "docno", "score"], *([t, d, s] for t, d, _, s in RUN_ROWS)]),
    "Excel, the other sheets hold something else": workbook(
        Notes=[["hello"], ["made by", "me", "in May"]],
        Qrels=[["qid", "docid", "relevance"], *GRADE_ROWS],
        Run=[["qid", "docid", "score"], *([t, d, s] for t, d, _, s in RUN_ROWS)],
        Empty=[],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_a_run(name):
    track = loaded(Upload("mine.csv", RUNS[name]))
    (ranking,) = rankings(track).values()
    assert ranking == WHOLE
    assert track.track.systems in (("mine",), ("x",))


JUDGMENTS = {
    "commas": b"query_id,docid,relevance\n401,d1,1\n401,d2,0\n402,d1,2\n",
    "semicolons, other order": b"label;document;topic\n1;d1;401\n0;d2;401\n2;d1;402\n",
    "tabs, other order": b"docid\trel\tqid\nd1\t1\t401\nd2\t0\t401\nd1\t2\t402\n",
    "white space, other order": b"doc query grade\nd1 401 1\nd2 401 0\nd1 402 2\n",
    "no header": b"401,d1,1\n401,d2,0\n402,d1,2\n",
    "TREC's columns with commas": b"401,0,d1,1\n401,0,d2,0\n402,0,d1,2\n",
    "whole numbers written as others": b"qid;docid;judgment\n401;d1;1,0\n401;d2;0,0\n402;d1;2,0\n",
    "a score is a grade where nothing else is": b"docid,qid,score\nd1,401,1\nd2,401,0\nd1,402,2\n",
    "not a score where there is a grade": b"qid,docid,score,grade\n401,d1,0.3,1\n401,d2,0.2,0\n402,d1,0.5,2\n",
    "rows without a grade": b"qid,docid,grade\n401,d1,1\n401,d2,0\n402,d1,2\n402,d7,\n402,d8,\n",
    "UTF-16": "qid;docid;grade\r\n401;d1;1\r\n401;d2;0\r\n402;d1;2\r\n".encode("utf-16"),
    "R": b'"topic" "docno" "rel"\n"1" "401" "d1" 1\n"2" "401" "d2" 0\n"3" "402" "d1" 2\n',
    "R without quotes": b"topic docno rel\n1 401 d1 1\n2 401 d2 0\n3 402 d1 2\n",
    "pandas' index and blanks": b" qid docno label\n0 401 d1 1\n1 401 d2 0\n2 402 d1 2\n",
    "pandas' index and blanks, iterations": b" qid iter docno label\n0 401 0 d1 1\n1 401 0 d2 0\n2 402 0 d1 2\n",
    "pandas' index and blanks, sorted": b" qid docno label\n402 402 d1 2\n17 401 d1 1\n3 401 d2 0\n",
    "decimals": b"qid,docid,relevance\n401,d1,1.0\n401,d2,0.0\n402,d1,2e0\n",
    "Excel": workbook(Sheet1=[["Topic", "Document", "Relevance"], *GRADE_ROWS]),
    "Excel with numbers that are floats": workbook(Sheet1=[["Topic", "Document", "Relevance"],
                                                           *([float(t), d, float(g)] for t, d, g in GRADE_ROWS)]),
    "Excel, on its second sheet": workbook(Runs=[["qid", "docid", "score"], *([t, d, s] for t, d, _, s in RUN_ROWS)],
                                           Judged=[["qid", "docid", "grade"], *GRADE_ROWS]),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments(name):
    assert grades(loaded(RUNS["commas"], qrels=Upload("judged.csv", JUDGMENTS[name]))) == GRADES


COMMENTS = [
    (b"401,d1,1\n#401,d2,1\n401,d2,0\n# the second\n402,d1,2\n# one, two, 3 four\n# end\n", 4),
    (b"401,d1,1\n#403,d2,1\n# d2 was, in doubt\n401,d2,0\n402,d1,2", 2),
]


@pytest.mark.parametrize("mark", [b",", b";", b"\t"])
@pytest.mark.parametrize(("rows", "count"), COMMENTS)
@pytest.mark.parametrize("heading", [b"qid,docno,label\n", b""])
def test_lines_that_start_with_a_hash_are_comments(rows, count, heading, mark):
    found = loaded(RUNS["commas"], qrels=Upload("q", (heading + rows).replace(b",", mark)))
    assert grades(found) == GRADES
    (note,) = [finding for finding in found.findings if finding.check == "comment lines"]
    assert (note.count, note.severity) == (count, "note")


def test_comments_leave_line_numbers_as_they_are():
    data = b"qid,docno,label\n401,d1,1\n#401,d2,1\n# and\n401,,0\n"
    with pytest.raises(InputError, match="line 5 has no document"):
        loaded(RUNS["commas"], qrels=data)


@pytest.mark.parametrize(
    "data",
    [
        b'qid,text,docid,grade\n401,"a\n#b\nc",d1,1\n401,"#",d2,0\n402,#d,d1,2\n',
        b"text,qid,docid,grade\nfish,401,d1,1\n#oscars 2010,401,d2,0\nfowl,402,d1,2\n",
        b'text,qid,docid,grade\n"fish",401,d1,1\n"#fish",401,d2,0\n"#",402,d1,2\n',
    ],
)
def test_a_hash_within_a_cell_begins_no_comment(data):
    found = loaded(RUNS["commas"], qrels=data)
    assert grades(found) == GRADES
    assert "comment lines" not in {finding.check for finding in found.findings}


def test_topics_may_start_with_a_hash():
    run = RUNS["commas"].replace(b"\n4", b"\n#4")
    found = loaded(run, qrels=b"qid,docid,relevance\n#401,d1,1\n#401,d2,0\n#402,d1,2\n")
    assert grades(found) == {("#" + topic, document): grade for (topic, document), grade in GRADES.items()}


DISTANCES = {
    "from the nearest on": (b"401,d1,0.1\n401,d2,0.2\n401,d9,0.9\n", True),
    "in no order": (b"401,d2,0.2\n401,d9,0.9\n401,d1,0.1\n", True),
    "from the farthest on, as similarities": (b"401,d1,0.9\n401,d2,0.2\n401,d9,0.1\n", False),
    "negative": (b"401,d2,-0.2\n401,d9,-0.9\n401,d1,-0.1\n", False),
}


@pytest.mark.parametrize("name", DISTANCES)
def test_the_lowest_distance_comes_first(name):
    rows, reverse = DISTANCES[name]
    found = loaded(Upload("a", b"qid,docno,distance\n" + rows))
    assert rankings(found)["a"] == {"401": ["d1", "d2", "d9"]}
    notes = [finding.message for finding in found.findings if finding.check == "reversed"]
    assert notes == ["a was read in reverse order, from the lowest distance on."] * reverse
    opposite = loaded(Upload("a", b"qid,docno,score\n" + rows))
    assert rankings(opposite)["a"]["401"] == ["d1", "d2", "d9"][:: -1 if reverse else 1]


@pytest.mark.parametrize(("reverse", "order"), [(True, ["d1", "d2", "d9"]), (False, ["d9", "d2", "d1"])])
def test_the_order_of_distances_is_what_is_said(reverse, order):
    data = b"qid,docno,distance\n401,d1,0.1\n401,d2,0.2\n401,d9,0.9\n"
    assert rankings(loaded(Upload("a", data), columns={"a": {"reverse": reverse}}))["a"] == {"401": order}


@pytest.mark.parametrize(("distances", "reverse"), [((0.2, 0.1, 0.9), True), ((0.2, 0.9, 0.1), False)])
def test_ranks_say_what_a_distance_is(distances, reverse):
    rows = zip((2, 1, 3), ("d2", "d1", "d9"), distances, strict=True)
    data = b"qid,rank,docno,distance\n" + "".join(f"401,{r},{d},{s}\n" for r, d, s in rows).encode()
    found = loaded(Upload("a", data))
    assert rankings(found)["a"] == {"401": ["d1", "d2", "d9"]}
    assert ("reversed" in {finding.check for finding in found.findings}) == reverse


@pytest.mark.parametrize("quote", [b"", b'"'])
def test_two_columns_with_commas_are_relevant_documents(quote):
    pairs = [(b"qid", b"docno"), (b"401", b"d1"), (b"401", b"d2"), (b"402", b"d1")]
    data = b"\n".join(b",".join(quote + cell + quote for cell in pair) for pair in pairs)
    assert grades(loaded(RUNS["commas"], qrels=data)) == dict.fromkeys(GRADES, 1)


def test_a_number_of_the_index_is_asked_about_where_only_it_fits():
    swapped = b"qid,docno,docid,score\n401,7,d1,3.5\n401,8,d2,2.5\n402,7,d1,9\n"
    with pytest.raises(InputError) as refused:
        loaded(Upload("mine.csv", swapped))
    (problem,) = refused.value.problems
    assert problem.message == (
        "mine.csv: two columns could be the document. In 3 rows, 3 documents of the column docid are judged, but only "
        "0 of the column that was read. Assign the document."
    )
    assert rankings(loaded(Upload("mine.csv", swapped), columns=problem.columns)) == {"mine": WHOLE}


SEVERAL = b"401 0 d1 3 1\n401 0 d2 3 0\n402 0 d1 3 2\n"


@pytest.mark.parametrize(
    ("qrels", "column"),
    [
        (SEVERAL, 5),
        (SEVERAL.replace(b" ", b"\t"), 5),
        (SEVERAL.replace(b" ", b","), "5"),
        (SEVERAL.replace(b" 0 d", b" d"), 4),
        (b"401 0 d1 1 5\n401 0 d2 0 5\n402 0 d1 2 5\n", 4),
        (b"401 d1 1 5\n401 d2 0 4\n402 d1 2 5\n", 3),
        (b"401 d1 1 1 0.5\n401 d2 0 1 0.5\n402 d1 2 1 0.25\n", 3),
        (QRELS, 4),
    ],
)
def test_one_of_several_grades_is_named_once_for_all_files(qrels, column):
    run = b"401 Q0 d1 1 3 tag\n401 Q0 d2 2 2 tag\n402 Q0 d1 1 9 tag\n"
    for blank in (b" ", b"\t"):
        found = loaded(run.replace(b" ", blank), qrels=qrels, columns={"grade": column})
        assert grades(found) == GRADES
        assert rankings(found) == {"tag": WHOLE}


def test_decimal_commas_are_named_once_for_all_files():
    commas = b"401 Q0 d1 1 3,5 %s\n401 Q0 d2 2 2,5 %s\n402 Q0 d1 1 9,0 %s\n"
    runs = [commas.replace(b"%s", tag) for tag in (b"one", b"two")]
    plain = runs[0].replace(b",", b".").replace(b"one", b"six")
    with pytest.raises(InputError, match=r"Assign the column \(score=5\) to read decimal commas"):
        loaded(*runs, plain)
    found = loaded(*runs, plain, columns={"score": 5})
    assert rankings(found) == {"one": WHOLE, "two": WHOLE, "six": WHOLE}


@pytest.mark.parametrize(("columns", "order"), [({"score": 3}, ["d1", "d2"]), ({"rank": 3}, ["d2", "d1"])])
def test_three_columns_are_what_is_said(columns, order):
    assert rankings(loaded(b"401 d1 7\n401 d2 5\n", columns=columns))["a"] == {"401": order}


def test_words_are_grades():
    data = b"qid,docid,relevant\n401,d1,yes\n401,d2,No\n402,d1,TRUE\n"
    assert list(grades(loaded(RUNS["commas"], qrels=data)).values()) == [1, 0, 1]


TOPICS, DEPTH = range(401, 431), 20


ORDERS = {  # rows without a heading in another order than TREC's, and what the user has to say of them
    b"3.5;401;d1\n2.5;401;d2\n9.1;402;d1\n": {"score": 1, "topic": 2, "document": 3},
    b"d1;3.5;401\nd2;2.5;401\nd1;9;402\n": {"score": 2, "topic": 3, "document": 1},
    b"x;401;d1;3.5\nx;401;d2;2.5\nx;402;d1;9\n": {"system": 1, "topic": 2, "document": 3, "score": 4},
}


@pytest.mark.parametrize("data", ORDERS)
def test_rows_without_a_heading_in_another_order_are_asked_about(data):
    upload = Upload("a.csv", data)
    with pytest.raises(InputError, match=r"it is not clear which is the .* Add what is missing, or assign"):
        loaded(upload)
    assert list(rankings(loaded(upload, columns=ORDERS[data])).values()) == [WHOLE]


def test_numbers_in_the_place_of_ranks_are_none():
    """The score is missing, and documents are numbers."""
    rows = ((401 + n // 20, n, n * 7919 % 10007, 1 + n % 20, "x") for n in range(600))
    data = "\n".join("\t".join(map(str, row)) for row in rows).encode()
    with pytest.raises(InputError, match="it is not clear which is the"):
        loaded(Upload("a", data))


@pytest.mark.parametrize("data", [b"d1;1;401\nd2;0;401\nd1;2;402\n", b"1;d1;401\n0;d2;401\n2;d1;402\n"])
def test_judgments_without_a_heading_in_another_order_are_asked_about(data):
    with pytest.raises(InputError, match="it is not clear which is the grade"):
        loaded(RUNS["commas"], qrels=data)
    topic, grade, document = (1 + data.split(b"\n")[0].split(b";").index(cell) for cell in (b"401", b"1", b"d1"))
    said = {"topic": topic, "grade": grade, "document": document}
    assert grades(loaded(RUNS["commas"], qrels=Upload("q", data), columns={"q": said})) == GRADES


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0), (2, 0, 1)])
def test_whole_scores_are_not_taken_for_topics(order):
    rows = [
        (topic, f"LA{topic * 7 + rank}", 10 * (DEPTH - rank) - topic % 7) for topic in TOPICS for rank in range(DEPTH)
    ]
    found = evalcore.look(Upload("a", lines_of(rows, order)), "run").guesses[0]
    if order == (0, 1, 2):
        assert found.columns == {"topic": 0, "document": 1, "score": 2}
    assert found.certain == (order == (0, 1, 2))


def test_coarse_scores_are_asked_for():
    rows = [(topic, f"LA{topic * 7 + rank}", (DEPTH - rank) // 7) for topic in TOPICS for rank in range(DEPTH)]
    assert not evalcore.look(Upload("a", lines_of(rows, (2, 1, 0))), "run").certain


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 0, 1)])
def test_grades_that_are_mostly_0_are_not_ranks(order):
    rows = [(topic, 0, f"LA{topic * 7 + rank}", int(rank % 19 == 3)) for topic in TOPICS for rank in range(DEPTH)]
    data = lines_of(rows, order)
    assert evalcore.look(Upload("a", data), "qrels").certain == (order[0] == 0)
    assert not evalcore.look(Upload("a", data), "run").certain
    assert order[0] or file_kinds.role_of(Upload("a", data)) == "qrels"


@pytest.mark.parametrize("role", ["run", "qrels"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_documents_are_not_taken_for_topics_in_a_file_sorted_by_document(order, role):
    """There, every row has another topic than the row before, and a document that several topics have is repeated."""
    rows = [(topic, f"LA{(topic * 31 + rank * 17) % 97:02}", rank) for topic in TOPICS for rank in range(DEPTH)]
    last = {"run": lambda rank: 9.5 - rank / 7, "qrels": lambda rank: rank % 3}[role]
    rows = [(topic, document, last(rank)) for topic, document, rank in sorted(rows, key=lambda row: row[1])]
    found = evalcore.look(Upload("a", lines_of(rows, order)), role).guesses[0]
    meanings = ("topic", "document", "score" if role == "run" else "grade")
    assert found.certain == (order[0] == 0)
    assert order[0] or found.columns == {meaning: n for n, meaning in enumerate(meanings)}


def test_shuffled_ranks_are_asked_for():
    rows = [(topic, f"LA{topic * 7 + rank}", rank + 1) for topic in TOPICS for rank in range(DEPTH)]
    rows.sort(key=lambda row: row[1][::-1])
    assert not evalcore.look(Upload("a", lines_of(rows, (0, 1, 2))), "run").certain


def test_a_first_rank_of_0_names_no_column():
    rows = [(topic, "Q0", f"LA{topic * 7 + n}", n, 9 - n / 7, "x") for topic in TOPICS for n in range(DEPTH)]
    found = evalcore.look(Upload("a", lines_of(rows, range(6))), "run").guesses[0]
    assert (found.header, found.certain) == (False, True)
    assert found.columns == {"topic": 0, "document": 2, "rank": 3, "score": 4, "system": 5}


def lines_of(rows, order):
    return "\n".join(";".join(str(row[place]) for place in order) for row in rows).encode()


THREE = b"system,qid,docid,score\n%s" % b"".join(
    b"%s,%d,d%d,%d.5\n" % (system, topic, document, score)
    for system, scores in ((b"bm25", (3, 2, 1)), (b"dense", (1, 2, 3)), (b"both", (2, 3, 1)))
    for topic in (401, 402)
    for document, score in enumerate(scores, 1)
)


def test_a_table_may_hold_several_runs():
    track = loaded(Upload("all.csv", THREE), qrels=QRELS)
    assert track.track.systems == ("bm25", "both", "dense")
    assert rankings(track)["both"] == {"401": ["d2", "d1", "d3"], "402": ["d2", "d1", "d3"]}
    assert [source.name for source in track.sources] == ["all.csv", "qrels.txt"]
    assert track.system_table["file"].tolist() == ["all.csv"] * 3
    without_names = b"\n".join(THREE.split(b"\n")[1:])
    said = {"system": 1, "topic": 2, "document": 3, "score": 4}
    assert rankings(loaded(Upload("all.csv", without_names), columns=said)) == rankings(track)


def test_a_workbook_may_hold_a_run_on_every_sheet():
    rows = [["qid", "docid", "score"], *([t, d, s] for t, d, _, s in RUN_ROWS)]
    track = loaded(Upload("all.xlsx", workbook(bm25=rows, dense=rows[:3], notes=[["a", "b", "c"]])))
    assert track.track.systems == ("bm25", "dense")
    (told,) = [finding for finding in track.findings if finding.check == "read as a table"]
    assert told.message == (
        "all.xlsx was read as a table, sheets bm25, dense: topic = qid, document = docid, score = score. "
        "Sheet notes was skipped."
    )


def test_a_workbook_in_a_zip():
    data = zipped({"runs/mine.xlsx": RUNS["Excel"], "runs/other.csv": RUNS["commas"]})
    assert loaded(Upload("runs.zip", data)).track.systems == ("mine", "other")


def test_what_was_read_how_is_a_finding():
    track = loaded(
        Upload("a.csv", RUNS["semicolons and decimal commas"]), qrels=Upload("q.csv", JUDGMENTS["rows without a grade"])
    )
    assert {finding.check: finding.message for finding in track.findings} == {
        "read as a table": "q.csv was read as a table: topic = qid, document = docid, grade = grade.",
        "decimal comma": "a.csv: the scores have a decimal comma; 0,5 is read as 0.5.",
        "rows without a grade": "q.csv: 2 rows have no grade, so their documents count as unjudged.",
    }


SYSTEMS = [["run", "group", "pooled"], ["mine", "Team A", 1], ["x", "Team B", 0]]
QUERIES = [["query", "topic", "text"], [401, 401, "fish"], [402, 402, "chips; or fowl"]]


@pytest.mark.parametrize("kind", ["xlsx", "semicolons", "UTF-16"])
def test_tables_of_systems_and_queries(kind):
    def packed(rows):
        text = "\n".join(";".join(f'"{cell}"' for cell in row) for row in rows)
        return workbook(A=rows) if kind == "xlsx" else text.encode("utf-16" if kind == "UTF-16" else "utf-8")

    track = loaded(
        Upload("mine.csv", RUNS["commas"]), Upload("x", RUNS["TREC in UTF-16"]),
        systems=Upload("s", packed(SYSTEMS)), queries=Upload("q", packed(QUERIES)),
    )  # fmt: skip
    assert track.track.groups == ("Team A", "Team B")
    assert track.system_table["pooled"].tolist() == [True, False]
    assert track.query_table["text"].tolist() == ["fish", "chips; or fowl"]


def test_one_table_of_systems_of_two_columns():
    systems = Upload("s.xlsx", workbook(A=[["run", "group"], ["mine", "Team A"]]))
    assert loaded(Upload("mine.csv", RUNS["commas"]), systems=systems).track.groups == ("Team A",)


# What the user says


UNSURE = b"q,d,a,b\n401,d1,3.5,1.5\n401,d2,2.5,2.5\n402,d1,9,3\n"


@pytest.mark.parametrize(
    "columns",
    [
        {"topic": "q", "document": "d", "score": "a"},
        {"topic": 1, "document": 2, "score": 3, "header": True},
        {"a.csv": {"topic": "Q", "document": "D", "score": "A"}},
        {"score": "b", "a.csv": {"score": "a"}},
        ["topic=q", "document=2", "score=a"],
        ["a.csv:score=a", "score=b"],
    ],
)
def test_the_user_says_which_column_is_what(columns):
    assert list(rankings(loaded(Upload("a.csv", UNSURE), columns=columns)).values()) == [WHOLE]


def test_a_column_may_be_left_out():
    (ranking,) = rankings(loaded(RUNS["commas"].replace(b",2,2.5", b",2,7.5"), columns={"score": None})).values()
    assert ranking == WHOLE


def test_one_sheet_may_be_chosen():
    rows = [["qid", "docid", "score"], *([t, d, s] for t, d, _, s in RUN_ROWS)]
    book = workbook(bm25=rows, dense=rows[:3])
    assert loaded(Upload("all.xlsx", book), columns={"all.xlsx": {"sheet": "dense"}}).track.systems == ("all",)
    with pytest.raises(InputError, match=r"^all.xlsx has no sheet 'x'. It has bm25 and dense.$"):
        loaded(Upload("all.xlsx", book), columns={"sheet": "x"})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["topic"], "write topic=HEADING"),
        ({"tpoic": 1}, "columns: 'tpoic' is not known. Known: topic, document"),
        ({"a.csv": {"tpoic": 1}}, "columns: 'tpoic' is not known"),
        ({"topic": "x"}, "a.csv: no column 'x'. Its first row is q, d, a, b; use one of these, or a number from 1."),
        ({"topic": 5}, "a.csv: no column 5"),
    ],
)
def test_what_the_user_says_may_be_wrong(columns, message):
    with pytest.raises(ValueError, match=message):
        loaded(Upload("a.csv", UNSURE), columns=columns)


@pytest.mark.parametrize("own", [None, {"a.csv": {"score": "a"}}, {"topic": "q", "document": "d", "score": "a"}])
def test_the_columns_of_a_second_qrels_are_said_with_it(tmp_path, own):
    (tmp_path / "a.csv").write_bytes(UNSURE)
    (tmp_path / "q.txt").write_bytes(b"401 0 d1 1\n402 0 d1 0\n")
    (tmp_path / "b.csv").write_bytes(b"q,d,x,y\n401,d1,1,0\n402,d1,0,0\n")
    own = own or {"a.csv": {"topic": "q", "document": "d", "score": "a"}}
    study = evalcore.open_study(tmp_path / "a.csv", tmp_path / "q.txt", columns=own, cache=False)
    said = {"topic": 1, "document": 2, "grade": 3, "score": None}
    for other in (tmp_path / "b.csv", Upload("b.csv", (tmp_path / "b.csv").read_bytes())):
        both = study.with_other(other, columns=said)
        assert both.options["columns"] == own | {"b.csv": said}
        answer = evalcore.ask(both, "agreement")
        assert answer.table["same"].tolist() == [1, 1, 2]  # by x; by y one of the two
        files = [(source.role, source.name, source.sha256) for source in answer.sources]
        assert evalcore.reopen(files, tmp_path, **answer.options).digest == both.digest
    assert study.options["columns"] == own
    with pytest.raises(ValueError, match="columns: 'colour' is not known"):
        study.with_other(tmp_path / "b.csv", columns={"colour": 1})


def test_an_answer_is_made_again_from_tables(tmp_path):
    (tmp_path / "all.csv").write_bytes(UNSURE)
    (tmp_path / "qrels.xlsx").write_bytes(JUDGMENTS["Excel"])
    said = {"all.csv": {"score": "a"}}
    study = evalcore.open_study(tmp_path / "all.csv", tmp_path / "qrels.xlsx", columns=said, cache=tmp_path / "cache")
    again = evalcore.open_study(tmp_path / "all.csv", tmp_path / "qrels.xlsx", columns=said, cache=tmp_path / "cache")
    other = evalcore.open_study(
        tmp_path / "all.csv", tmp_path / "qrels.xlsx", columns={"score": "b"}, cache=tmp_path / "cache"
    )
    assert study.digest == again.digest != other.digest
    answer = evalcore.ask(study, "leaderboard", metric="AP")
    assert "columns={'all.csv': {'score': 'a'}}" in answer.script()
    files = [(source.role, source.name, source.sha256) for source in answer.sources]
    assert evalcore.reopen(files, tmp_path, **answer.options).digest == study.digest


# What cannot be told, or not be read


def problem(run, qrels=QRELS, **options):
    with pytest.raises(InputError) as error:
        loaded(run if isinstance(run, Upload) else Upload("a.csv", run), qrels=qrels, **options)
    (one,) = error.value.problems
    return one.line, one.message


HEADED = b"qid,docid,score\n"
BAD_TABLES = [  # content, line, message after the name of the file and the line
    (UNSURE, 1, ": it is not clear which column is the topic, the score or the document. Assign the columns."),
    (HEADED + b"401,d1,high\n401,d2,2.5\n402,d1,9\n" + b"402,d2,1\n" * 9, 2,
     ': the score is "high", but must be a number.'),
    (HEADED + b"401,d1,3.5\n401,d2\n402,d1,9\n402\n", 3,
     ": 2 columns where the first rows have 3. 1 more line has the same problem."),
    (b"a" + b",b" * 999 + b"\n", None,
     ": 1,000 columns, but at most 200 are allowed. Remove those that are not needed."),
    (HEADED + b"401,d1,3.5\n,d2,1\n", 3, " has no topic, but every row needs one."),
    (HEADED + b'401,d1,"1,234"\n401,d2,2\n402,d1,9\n402,d2,9\n' + b"402,d2,1\n" * 9, 2,
     ': the score is "1,234", but must be a number.'),
    (HEADED, None,
     " contains headings but no row below; a run has lines of 6 columns (topic Q0 document rank score tag)."),
    (workbook(A=[["qid", "docid", "score"], *([401, f"d{n}", n / 7] for n in range(20)), [401, "x", "=1/B2"]]), 22,
     ': the score is "=1/B2", but must be a number. It is a formula: paste the column as values.'),
    (workbook(A=[["qid", "docid", "score"], [401, "d", 0.5], [datetime.date(2026, 1, 3), "d", 0.4]]), 3,
     ": the topic is a date. Excel makes dates of names such as 3-1: format the column as text, type it again, or save "
     "the original file as it is."),
    (b"301 Q3 Q0 d1 1 9.5 sys\n301 Q0 d2 2 8.5 sys\n" + b"301\tQ0\td3\t3\t7\tsys\n302\tQ0\td4\t1\t5\tsys\n" * 2, 1,
     ": its columns are separated by blanks, unlike those of later lines. Use one separator in all lines."),
    (workbook(A=[["only", "two"]]), None, " is a workbook without a table of 3 to 200 columns."),
]  # fmt: skip


@pytest.mark.parametrize(("data", "line", "message"), BAD_TABLES, ids=range(len(BAD_TABLES)))  # a workbook has the time
def test_a_bad_table(data, line, message):
    assert problem(data) == (line, ("a.csv" if line is None else f"a.csv, line {line}") + message)


@pytest.mark.parametrize("data", [b"\n,\n", b"\n;\n;"])
def test_separators_alone_are_no_judgments(data):
    with pytest.raises(InputError, match=r"^q contains no line of data; a qrels has lines of 4 columns"):
        loaded(RUNS["commas"], qrels=Upload("q", data))


def test_a_title_above_a_table_is_passed_over_whatever_numbers_it_has():
    text = b"My 3 runs of 2026 and the 2nd\nqid,docid,score\n401,d1,3.5\n401,d2,2.5\n"
    assert rankings(loaded(text, qrels=b"401 0 x 1\n")) == {"a": {"401": ["d1", "d2"]}}


def test_a_formula_stays_text():
    rows = [["qid", "docid", "score"], *([401, f"=HYPERLINK({n})", n / 7] for n in range(3))]
    (documents,) = rankings(loaded(Upload("a.xlsx", workbook(A=rows)), qrels=b"401 0 x 1\n")).values()
    assert documents["401"] == ["=HYPERLINK(2)", "=HYPERLINK(1)", "=HYPERLINK(0)"]


def test_a_formula_that_was_computed_is_its_value_and_an_error_is_none():
    def change(name, content):
        return re.sub(rb"(<f>5/2</f>)(<v></v>|<v ?/>)?", rb"\1<v>2.5</v>", content)

    rows = [
        ["qid", "docid", "score", "note"],
        ["401", "d1", 3.5, "#N/A"],
        ["401", "d2", "=5/2", 1],
        ["402", "d1", 9, 1],
    ]
    assert list(rankings(loaded(Upload("a.xlsx", rebuilt(workbook(A=rows), change)))).values()) == [WHOLE]
    rows = [["qid", "docid", "score", "grade"], ["401", "d1", 3.5, 1], ["401", "d2", 2, "#N/A"]]
    with pytest.raises(InputError, match='line 3: the grade is "#N/A", but must be a number'):
        loaded(RUNS["commas"], qrels=Upload("q.xlsx", workbook(A=rows)), columns={"q.xlsx": {"grade": "grade"}})


def test_names_that_excel_cut_are_told():
    rows = [["qid", "docid", "score"], *([401, 12345678901234567 + 16 * n, n / 7] for n in range(3))]
    (told,) = [f for f in loaded(Upload("a.xlsx", workbook(A=rows)), qrels=b"401 0 x 1\n").findings
               if f.check == "names cut by Excel"]  # fmt: skip
    assert told.message == (
        "a.xlsx, line 2: the document is a number of more than 15 digits. Excel keeps only 15, so names may have "
        "changed. Use the original file."
    )


@pytest.mark.parametrize(
    ("member", "what"),
    [
        ("word/document.xml", "a Word document; save its table as a workbook (.xlsx) or as CSV"),
        ("ppt/presentation.xml", "a PowerPoint presentation; save its table as a workbook (.xlsx) or as CSV"),
        ("content.xml", "an OpenDocument file, but no spreadsheet; save its table as .ods or as CSV"),
    ],
)
def test_other_office_files_are_refused_in_one_sentence(member, what):
    data = zipped({"[Content_Types].xml": "<x/>", member: "<x/>", "docProps/app.xml": "<x/>"})
    assert problem(Upload("a.docx", data)) == (None, f"a.docx is {what}.")
    inside = zipped({"a.docx": data})
    assert problem(Upload("t.zip", inside)) == (None, f"t.zip/a.docx is {what}.")


def test_old_office_files_are_refused():
    assert problem(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))[1].startswith(
        "a.csv is an old Office file, or one with a password (save its table as .xlsx or CSV)"
    )


def rebuilt(data, change):
    """A workbook whose members `change(name, content)` has changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zipped({name: change(name, archive.read(name)) for name in archive.namelist()})


LAUGHS = b"<!DOCTYPE x [%s]>" % b"".join(
    b'<!ENTITY l%d "%s">' % (n, b"ha" * 10 if n == 0 else b"&l%d;" % (n - 1) * 10) for n in range(9)
)


def declared(content):
    """The XML of a part with a bomb of entities that its first text asks for."""
    head, end, text = content.rpartition(b"?>")
    return head + end + LAUGHS + text.replace(b"</v>", b"&l8;</v>", 1).replace(b"</t>", b"&l8;</t>", 1)


TEXT = re.compile(rb't="inlineStr"><is><t>(.*?)</t></is>')
SHARED = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def strings_apart(data):
    """A workbook whose texts are shared, as Excel writes them."""
    texts = []

    def change(name, content):
        if name.endswith("sheet1.xml"):
            texts.extend(TEXT.findall(content))
            numbers = iter(range(len(texts)))
            return TEXT.sub(lambda found: b't="s"><v>%d</v>' % next(numbers), content)
        part = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % SHARED
        return content.replace(b"</Types>", part)

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: change(name, archive.read(name)) for name in archive.namelist()}
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    items = b"".join(b"<si><t>%s</t></si>" % text for text in texts)
    return zipped(parts | {"xl/sharedStrings.xml": b'<sst xmlns="%s">%s</sst>' % (space, items)})


def test_texts_that_are_shared_are_read_as_texts_in_cells():
    for data in (RUNS["Excel"], strings_apart(RUNS["Excel"])):
        assert rankings(loaded(Upload("a.xlsx", data))) == rankings(loaded(Upload("a.xlsx", RUNS["Excel"])))


SHARING = b'<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>' * 200_000  # a long text, 200,000 times
TRAPS = {  # a part of a workbook, what is replaced there, by what, and what is said; "" where it is read all the same
    "entities in cells": ("sheet1.xml", None, declared, ""),
    "entities in texts": ("sharedStrings.xml", None, declared, " is a workbook that cannot be read (CalamineError)."),
    "entities in styles": ("styles.xml", None, declared, ""),
    "elements": ("sheet1.xml", b"</sheetData>", b"</sheetData>" + b"<x/>" * 60_000, ""),
    "depth": ("sheet1.xml", b"</sheetData>", b"</sheetData>" + b"<x>" * 200 + b"</x>" * 200, ""),
    "a long tag": ("sheet1.xml", b"<sheetData>", b"<sheetData><row " + b'a="%s" ' % (b"x" * (6 << 20)) + b"/>", ""),
    "empty cells": ("sheet1.xml", b"<sheetData>", b"<sheetData>" + b"<row><c/></row>" * 600_000, ""),
    "a cell far away": ("sheet1.xml", b'r="D4"', b'r="XFD1048576"', " is a workbook that cannot be read with 1.5 GB"),
    "a cell beyond": ("sheet1.xml", b'r="D1"', b'r="ZZZ1"', " is a workbook without a table of 3 to 200 columns."),
    "a shared text": ("sharedStrings.xml", b"<t>", b"<t>" + b"y" * 30_000, " is a workbook that cannot be read with"),
    "too large": ("sheet1.xml", None, lambda content: b" " * (300 << 20), " is a workbook that unpacks to 300 MB, but"),
    "cut off": ("sheet1.xml", None, lambda content: content[:60], " is a workbook that cannot be read (XmlError)."),
    "no sheets": ("workbook.xml", None, lambda content: b"<workbook/>", " is a workbook without a table of"),
    "no encoding": ("sheet1.xml", b"<worksheet", b'<?xml version="1.0" encoding="rot13"?><worksheet', ""),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("name", TRAPS)
def test_a_workbook_that_is_a_trap(name):
    part, old, new, message = TRAPS[name]

    def change(member, content):
        if name == "a shared text" and member.endswith("sheet1.xml"):
            return content.replace(b"<sheetData>", b"<sheetData>" + SHARING)
        if not member.endswith(part):
            return content
        assert old is None or old in content
        return new(content) if old is None else content.replace(old, new, 1)

    upload = Upload("a.xlsx", rebuilt(strings_apart(RUNS["Excel"]), change))
    if message:
        assert problem(upload)[1].startswith("a.xlsx" + message)
    else:
        assert list(rankings(loaded(upload)).values()) == [WHOLE]


def test_a_large_workbook_comes_through():
    """The process that reads it does so when it has started, and a pipe would have been full before."""
    picture = random.Random(1).randbytes(16 << 20)
    with zipfile.ZipFile(io.BytesIO(RUNS["Excel"])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | {"xl/media/image1.png": picture}
    assert list(rankings(loaded(Upload("a.xlsx", zipped(parts)))).values()) == [WHOLE]


def test_a_text_that_many_cells_share(monkeypatch):
    rows = [[401, f"d{n}", "x" * 1000] for n in range(20)]
    monkeypatch.setattr(workbooks, "MOST_LETTERS", 10_000)
    assert problem(Upload("a.xlsx", workbook(A=rows)))[1].startswith("a.xlsx, line 10: more than 0 million letters")


def test_a_refused_workbook_is_read_once(monkeypatch):
    reads, sheets_of = [], workbooks.sheets_of
    monkeypatch.setattr(
        workbooks, "sheets_of", lambda name, *_, **how: reads.append(name) or sheets_of(name, *_, **how)
    )
    upload = Upload("a.xlsx", rebuilt(RUNS["Excel"], lambda name, content: content[:60]))
    assert file_kinds.role_of(upload) == ""
    assert "is a workbook that cannot be read (" in file_kinds.why_none(upload).message
    assert reads == ["a.xlsx"]


def test_workbooks_of_an_archive_are_counted_together(monkeypatch):
    data = workbook(A=[["topic", "document", "score"], *([401, f"d{n}", n] for n in range(100))])
    monkeypatch.setattr(workbooks, "MOST_OF_ALL", 2000)
    together = Upload("a.zip", zipped({f"{n}.xlsx": data for n in range(9)}))
    with pytest.raises(
        InputError, match="is a workbook that, with the other workbooks of its archive, has more than 2,000 cells"
    ):
        loaded(together)
    assert loaded(Upload("a.zip", zipped({"1.xlsx": data})))


def test_lines_above_a_table_without_end(monkeypatch):
    monkeypatch.setattr(sheets, "MOST_ABOVE", 10)
    table = b"topic,document,score\n401,d1,1\n401,d2,1\n402,d1,1\n"
    assert loaded(Upload("a.csv", b",,\n" * 9 + table))
    assert sheets._start(b",,\n" * 50 + table, ",") == (30, 10)


def test_rows_without_end_that_are_too_short(monkeypatch):
    monkeypatch.setattr(sheets, "MOST_BAD", 50)
    line, message = problem(b"topic,document,score\n" + b"401,d1,1\n" * 30 + b"401,d2\n" * 100)
    assert line == 32
    assert message.startswith(
        "a.csv, line 32: 2 columns where the first rows have 3. 49 more lines have the same problem."
    )


def test_a_table_of_too_many_systems(monkeypatch):
    monkeypatch.setattr(column_files, "MOST_SYSTEMS", 30)
    rows = "".join(f"401,d{n},{n},sys{n}\n" for n in range(31))
    found = problem(Upload("a.csv", f"topic,document,score,system\n{rows}".encode()))[1]
    assert found.startswith("a.csv: 31 systems, but at most 30 are allowed. Check that system is the right column")


def test_a_workbook_of_many_cells_that_hold_little(monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_CELLS", 1000)
    far = workbook(A=[[401, "d", 0.5], *([*[None] * 150, "x"] for _ in range(20))])
    message = "a.xlsx, line 8: more than 1,000 cells up to sheet A. Save its table as CSV, which can have any size."
    assert problem(Upload("a.xlsx", far)) == (8, message)


HEADINGS = b"topic,document,score\n401,d1,1\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HEADINGS + b"401," + b"d" * (10 << 20) + b",3\n", "a.csv, line 3: a line of 10,485,766 bytes, but"),
        (
            HEADINGS + b"401,d2,2\n" * 20 + b'401,"' + b"d\n" * (5 << 20) + b'",3\n',
            "a.csv: a row of more than 4,194,304 bytes, over",
        ),
        (HEADINGS + b"401,d2," + b"1" * 10**6 + b"x\n", "a.csv, line 1: it is not clear"),
        (b"topic document score\n401" + b" " * 10**6 + b"d 3 4\n", "a.csv, line 1: 3 columns where the first"),
        (b",".join([b"1"] * 10**6) + b"\n", "a.csv: 32,769 columns, but at most 200 are allowed."),
        (
            b"topic;document;score\n401;d1;1,234\n401;d2;0.4\n",
            'a.csv, line 2: the score is "1,234", but must be a number',
        ),
        (b"topic,topic,document,score\n401,402,d1,3\n", "a.csv, line 1: it is not clear which column"),
    ],
    ids=["long line", "long row", "digits", "white space", "columns", "commas and points", "headings twice"],
)
def test_a_hostile_table_is_refused_soon(data, message):
    began = time.monotonic()
    assert problem(data)[1].startswith(message)
    assert time.monotonic() - began < 30


CELLS = st.text() | st.sampled_from(
    ["401", "d1", "1", "0,5", "1.5", "NaN", "-Infinity", "=1/A1", '"', "\u202e", "\0", "topic"]
)


@given(
    st.lists(st.lists(CELLS, max_size=7), max_size=9),
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
    st.sampled_from(["", "topic document score", "qid docid rank", "topic document grade"]),
    st.sampled_from(["run", "qrels"]),
)
def test_whatever_stands_in_a_table_it_is_read_or_refused(rows, mark, encoding, heading, role):
    lines = [heading.replace(" ", mark), *(mark.join(row) for row in rows)]
    upload = Upload("a.csv", "\n".join(lines).encode(encoding, "replace"))
    assert file_kinds.role_of(upload) in (*FILES, "")
    refused = ()
    try:
        loaded(upload, qrels=QRELS) if role == "run" else loaded(Upload("r", RUNS["commas"]), qrels=upload)
    except InputError as error:
        refused = error.problems
    assert all(one.message and one.message[-1] in ".?" for one in refused)


NO_RUNS = {
    b"query_id,measure,value\n401,map,0.5\n401,ndcg,0.3\n": "It is a table of scores (query_id, measure, value).",
    b"system,qid,AP\na,401,0.5\na,402,0.25\n": "It is a table of scores (system, qid, AP).",
    b"name,nDCG@10,P_20\na,0.5,0.25\nb,0.4,0.2\n": "It is a table of scores (name, nDCG@10, P_20).",
    b"a;b;c\n": "It is a table without numbers (a; b; c).",
    b"name;from;role\nAda;London;lead\n": "It is a table without numbers (name; from; role).",
    b"a;b;c\n1;2;3\n2;3;4\n": "It is a table without a heading of a run (a; b; c).",
    b"qid,docno,label\n401,d1,1\n401,d2,0\n402,d1,1\n": "It contains judgments.",
}


@pytest.mark.parametrize("data", NO_RUNS)
def test_a_table_among_the_runs_that_is_none_is_skipped(data, tmp_path):
    (tmp_path / "other.csv").write_bytes(data)
    (tmp_path / "mine.csv").write_bytes(RUNS["commas"])
    found = evalcore.open_study(tmp_path, Upload("q", QRELS))
    assert found.systems == ("mine",)
    (skipped,) = [one for one in found.findings if one.check == "file passed over"]
    assert skipped.message == f"other.csv was skipped. {NO_RUNS[data].replace('; ', ', ')}"
    (tmp_path / "qrels.txt").write_bytes(QRELS)
    if "judgments" not in NO_RUNS[data]:
        assert evalcore.open_study(tmp_path).systems == ("mine",)
    (tmp_path / "qrels.txt").unlink()
    (tmp_path / "mine.csv").unlink()
    with pytest.raises(InputError, match=r"other\.csv"):
        evalcore.open_study(tmp_path, Upload("q", QRELS))


@pytest.mark.parametrize(
    "data", [UNSURE, b"qid,foo,score\n401,d1,0.5\n401,d2,0.4\n", b"qid,docno,score\n401,d1,zero\n401,d2,0.2\n"]
)
def test_a_table_among_the_runs_that_may_be_one_is_asked_about(data, tmp_path):
    (tmp_path / "other.csv").write_bytes(data)
    (tmp_path / "mine.csv").write_bytes(RUNS["commas"])
    with pytest.raises(InputError, match="it is not clear which column is"):
        evalcore.open_study(tmp_path, Upload("q", QRELS))


# One given as the other


def test_a_table_of_the_other_kind_is_told():
    with pytest.raises(InputError) as error:
        loaded(Upload("q.csv", JUDGMENTS["commas"]), qrels=Upload("r.csv", RUNS["commas"]))
    both, *problems = error.value.problems
    assert both.message == (
        "Runs and judgments are swapped: r.csv is a run and q.csv contains judgments. Load each as the other."
    )
    assert {(one.file, one.seems) for one in problems} == {("q.csv", "qrels"), ("r.csv", "run")}


FILES = {
    "run": [*RUNS.values(), THREE, b"401 Q0 d1 1 3.5 x\n", b"401\td1\t1\n401\td2\t2\n401\td3\t3\n401\td4\t4\n",
            b'{"401": {"d1": 3.5, "d2": 2.5}}', b"401\td1\t3.5\n401\td2\t2.5\n402\td1\t9.25\n",
            b"401 Q0 d1 1 3.5 x # ok\n401 Q0 d2 2 2.5 x # not sure\n", b"401 d1 1e999\n401 d2 0.5\n401 d3 0.25\n"],
    "qrels": [*JUDGMENTS.values(), QRELS, QRELS.replace(b" ", b"\t"), b"query-id\tcorpus-id\tscore\n1\td\t1\n2\te\t0\n",
              b'{"401": {"d1": 1, "d2": 0}}', gzip.compress(QRELS, mtime=0), QRELS.decode().encode("utf-16"),
              *(rows.replace(b" ", mark) for mark in (b" ", b"\t") for rows in (
                  b"401 d1 0.5\n401 d2 1\n402 d1 0\n", b"401 d1 1\n401 d2 0.5\n401 d3 0.5\n402 d1 0.0\n",
                  b"401 0 d1 True\n401 0 d2 False\n402 0 d1 True\n", b"401 d1 yes\n401 d2 no\n402 d1 no\n",
                  b"query document\n401 d1\n401 d2\n402 d3\n")),
              b"401 0 d1 1 # ok\n401 0 d2 0 # not sure\n", b"401 0 d1 1\n401 0 d2 0 # ok\n402 0 d1 1 # ok\n",
              b"401\t0\td1\t1\t# ok\n401\t0\td2\t0\t# not sure\n", b'"qid","docno"\n"401","d1"\n"401","d2"\n',
              b"topic,docno\n401,d1\n401,d2\n402,d3\n"],
    "systems": [b"run,group,pooled\nbm25,a,1\n", b"run\tgroup\nbm25\ta\n"],
    "queries": [b"query;topic;text\n1;1;fish\n", b"qid\ttext\n1\tfish and chips\n"],
}  # fmt: skip


@pytest.mark.parametrize("role", FILES)
def test_what_a_file_seems_to_be(role):
    both = (RUNS["Excel, the other sheets hold something else"], JUDGMENTS["Excel, on its second sheet"])
    both += (JUDGMENTS["not a score where there is a grade"],)
    seems = [file_kinds.role_of(Upload("a", data)) for data in FILES[role] if data not in both]
    assert seems == [role] * len(seems)


@pytest.mark.parametrize("data", FILES["qrels"][-15:])
def test_judgments_of_any_form_are_found_in_a_folder(data, tmp_path):
    run = b"401 Q0 d1 1 9.5 x\n401 Q0 d2 2 8.5 x\n402 Q0 d1 1 7.5 x\n"
    (tmp_path / "a").write_bytes(run)
    (tmp_path / "qrels.txt").write_bytes(data)
    assert evalcore.open_study(tmp_path).systems == ("x",)
    archive = zipped({"a": run, "b": b"401\td2\t9.5\n401\td1\t8.5\n402\td1\t7.5\n", "qrels.txt": data})
    assert evalcore.open_study(Upload("all.zip", archive)).systems == ("b", "x")


@pytest.mark.parametrize(
    "data", [b"a 401 0.5123\na 402 0.7\na 403 0.2\na 404 0.7\n", b"401 a 0.21\n401 b 0.7\n402 a 0.2\n402 b 0.1\n"]
)
def test_scores_of_systems_by_topic_are_nothing(data):
    assert file_kinds.role_of(Upload("a", data)) == file_kinds.role_of(Upload("a", data.replace(b" ", b"\t"))) == ""


@pytest.mark.parametrize("data", [b"", b"\0", b"PK\x03\x04", b"{", b'{"', b"\n\n", b",,,", b"\xff\xfe", b'"', b"a,b,c"])
def test_what_is_nothing_seems_something_and_nothing_breaks(data):
    assert file_kinds.role_of(Upload("a", data)) in (*FILES, "")
    for role in ("run", "qrels"):
        with suppress(InputError):
            assert evalcore.look(Upload("a", data), role) is None or data == b"a,b,c"


def test_columns_are_said_of_a_file_of_trec_lines():
    exchanged = b"1 Q0 d1 9.5 1 t\n1 Q0 d2 8.5 2 t\n1 Q0 d3 7.5 3 t\n"

    def order(**options):
        (by_query,) = rankings(loaded(Upload("a.run", exchanged), qrels=b"1 0 d1 1\n", **options)).values()
        return list(by_query["1"])

    assert order() != order(columns={"a.run": {"rank": 5, "score": 4}})
    assert order(columns={"a.run": {"rank": 5, "score": 4}}) == order(columns={"a.run": {"reverse": True}})
    assert order(columns=["a.run:reverse=yes"]) == order()[::-1]
    assert order(columns={"topic": "qid"}) == order()  # of tables only


def test_a_run_of_tied_scores_is_read_in_the_order_of_its_rank_column():
    """As the same run with the ranks, negative, for scores, which ranks alone say."""
    tied = b"1 Q0 d1 3 7 t\n1 Q0 d2 1 7 t\n1 Q0 d3 2 7 t\n"
    scored = b"1 Q0 d1 3 -3 t\n1 Q0 d2 1 -1 t\n1 Q0 d3 2 -2 t\n"

    def read(data, **options):
        return loaded(Upload("a.run", data), qrels=b"1 0 d1 1\n", **options)

    by_name, by_rank = ["d3", "d2", "d1"], ["d2", "d3", "d1"]
    assert rankings(read(tied)) == {"t": {"1": by_name}}
    for columns in ({"a.run": {"order": "rank"}}, {"order": "rank"}, ["a.run:order=rank"], ["order=rank"]):
        found = read(tied, columns=columns)
        assert rankings(found) == rankings(read(scored)) == {"t": {"1": by_rank}}
        assert {finding.check for finding in found.findings} & {"ordered by rank"}
    assert rankings(read(tied, columns={"b.run": {"order": "rank"}})) == {"t": {"1": by_name}}
    assert rankings(read(tied, columns={"order": "score"})) == {"t": {"1": by_name}}
    distances = b"qid,docno,rank,distance\n1,d1,3,.3\n1,d2,1,.1\n1,d3,2,.2\n"  # which are read from the lowest on
    assert rankings(read(distances, columns={"order": "rank"}))["a"] == {"1": by_rank}
    with pytest.raises(ValueError, match=r"order='best' is not valid; give score or rank"):
        read(tied, columns={"order": "best"})
    with pytest.raises(InputError, match="no rank column that could order it"):
        read(b"qid,docno,score\n1,d1,7\n1,d2,7\n", columns={"order": "rank"})


def test_a_workbook_of_sixty_sheets_is_sixty_runs():
    book = openpyxl.Workbook()
    book.remove(book.active)
    for n in range(60):
        sheet = book.create_sheet(f"s{n}")
        for row in (["topic", "document", "score"], ["1", f"d{n}", 2], ["1", "d", 1]):
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    study = evalcore.open_study(
        Upload("all.xlsx", file.getvalue()), Upload("q.txt", b"1 0 d 1\n1 0 d3 0\n"), cache=False
    )
    assert len(study.systems) == 60


# ---- the number of a column, and a heading of digits


def comma_run(first_topic):
    lines = [f"{topic} Q0 d{n} {n} {9 - n},5 a" for topic in (first_topic, "x") for n in (1, 2, 3)]
    return evalcore.Upload("a.run", "\n".join(lines).encode())


def test_a_number_is_that_of_the_column_whatever_the_first_row_holds(tmp_path):
    """As the message advises: in Python for all files and for one, as the form says it, and on the command line."""
    qrels = evalcore.Upload("q.txt", b"5 0 d1 1\n5 0 d2 0\nx 0 d3 1\n")
    with pytest.raises(evalcore.InputError) as refused:
        evalcore.open_study([comma_run("5")], qrels, cache=False)
    (problem,) = refused.value.problems
    advice = re.search(r"\((score=\d+)\)", problem.message)[1]
    boards = [
        evalcore.ask(evalcore.open_study([comma_run(topic)], one, cache=False, columns=columns), "leaderboard").table
        for topic, one, columns in (
            ("5", qrels, [advice]),
            ("5", qrels, {"a.run": dict(problem.columns)}),
            ("z", evalcore.Upload("q.txt", qrels.data.replace(b"5 ", b"z ")), [advice]),
        )
    ]
    assert len({board["value"].iloc[0] for board in boards}) == 1
    for upload in (comma_run("5"), qrels):
        (tmp_path / upload.name).write_bytes(upload.data)
    files = ["--runs", str(tmp_path / "a.run"), "--qrels", str(tmp_path / "q.txt"), "--cache", "none"]
    done = subprocess.run(
        [sys.executable, "-m", "evalcore", "leaderboard", *files, "--columns", advice, "--format", "csv"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert float(done.stdout.splitlines()[1].split(",")[6]) == pytest.approx(boards[0]["value"].iloc[0])


PLAIN_ROWS = b"t,d1,4,1\nt,d2,0,0\nt,d3,0,1\n"  # without headings; the first row holds a 4
WITH_DIGITS = b"topic,document,4,2021\nt,d1,1,3\nt,d2,0,2\n"


@pytest.mark.parametrize(
    ("data", "column", "grades"),
    [
        (PLAIN_ROWS, 4, [1, 0, 1]), (PLAIN_ROWS, "4", [1, 0, 1]), (PLAIN_ROWS, 3, [4, 0, 0]), (WITH_DIGITS, 4, [3, 2]),
        (WITH_DIGITS, "2021", [3, 2]), (WITH_DIGITS, 3, [1, 0]),
    ],
)  # fmt: skip
def test_digits_are_a_heading_only_where_there_is_no_such_column(data, column, grades):
    columns = {
        "q.csv": {"topic": 1, "document": 2, "grade": column} | ({"header": True} if data is WITH_DIGITS else {})
    }
    judged = evalcore.Upload("q.csv", data)
    study = evalcore.open_study({"a": {"t": {"d1": 1.0}}}, judged, columns=columns, cache=False)
    items = study.judgments.pooled_items
    found = dict(zip(study.track.documents(items), study.judgments.grade[items].tolist(), strict=True))
    assert [found[f"d{n}"] for n in range(1, len(grades) + 1)] == grades


def test_a_word_is_a_heading_and_refused_where_there_are_none():
    for column in ("d1", "t", "7"):
        columns = {"q.csv": {"topic": 1, "document": 2, "grade": column}}
        with pytest.raises(evalcore.InputError, match="no column") as refused:
            evalcore.open_study(
                {"a": {"t": {"d1": 1.0}}}, evalcore.Upload("q.csv", PLAIN_ROWS), columns=columns, cache=False
            )
        assert "(t, d1, 4, 1) names no columns. Use a number from 1." in str(refused.value)
