"""Runs and judgments in the JSON of other programs are read as the same ones in lines."""

import json
import re

import pytest

import evalcore
from evalcore.reading import file_kinds
from evalcore.reading.files import InputError, Upload
from tests.reading.test_loading import found, grades, loaded, rankings

LINES = b"401 Q0 d3 1 9 r\n401 Q0 d1 2 8 r\n402 Q0 d2 1 7 r\n"
QRELS = b"401 0 d1 2\n401 0 d3 0\n402 0 d2 1\n"
SCORES = {"401": {"d3": 9, "d1": 8}, "402": {"d2": 7}}
PASSAGES = {topic: [{"id": name, "score": score} for name, score in own.items()] for topic, own in SCORES.items()}
RUNS = {
    "lists of names": {"401": ["d3", "d1"], "402": ["d2"]},
    "an object in records": [{"qid": topic, "results": own} for topic, own in SCORES.items()],
    "lists of pairs": {"401": [["d1", 8], ["d3", 9.5]], "402": [["d2", 7]]},
    "lists of objects": {topic: [{"docid": one["id"], "score": one["score"]} for one in PASSAGES[topic]]
                         for topic in SCORES},
    "predictions of MTEB": {"mteb_model_meta": {"model_name": "m", "revision": "1"}, "default": {"test": SCORES}},
    "a run of CAsT 2022": {"run_name": "r", "run_type": "automatic", "turns": [
        {"turn_id": topic, "responses": [{"rank": 1, "text": "x", "provenance": PASSAGES[topic]}]}
        for topic in SCORES]},
    "a run of iKAT 2023": {"run_name": "r", "run_type": "automatic", "eval_response": True, "turns": [
        {"turn_id": topic, "responses": [{"rank": 1, "text": "x", "ptkb_provenance": [{"id": "1", "score": 0.5}],
                                          "passage_provenance": PASSAGES[topic]}]} for topic in SCORES]},
}  # fmt: skip
IKAT_2025 = b"\n".join(
    json.dumps({"metadata": {"team_id": "t", "run_id": "r", "run_type": "automatic"}, "turn_id": topic,
                "references": own, "responses": [{"text": "x", "citations": {"d1": 8}, "ptkb_provenance": ["1"]}] * 2}
               ).encode()
    for topic, own in SCORES.items()
)  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [*(json.dumps(run).encode() for run in RUNS.values()), IKAT_2025, b'{"401": ["d3", "d1"]}\n{"402": ["d2"]}\n'],
    ids=[*RUNS, "iKAT 2025", "lists in lines"],
)
def test_a_run_of_another_program(data):
    (ranking,) = rankings(loaded(data, qrels=QRELS)).values()
    assert ranking == {"401": ["d3", "d1"], "402": ["d2"]}


def test_a_topic_with_an_empty_list_returned_nothing_and_is_named():
    runs = [Upload("a.json", b'{"401": ["d1"], "402": []}'), Upload("b.json", b'{"401": ["d1"], "402": ["d2"]}')]
    study = evalcore.open_study(runs, Upload("q", QRELS), cache=False)
    assert evalcore.ask(study, "leaderboard", metric="AP").table.set_index("system")["value"].to_dict() == {
        "a": 0.5, "b": 1.0,
    }  # fmt: skip
    messages = evalcore.ask(study, "findings").table["message"]
    assert messages.str.startswith("a returned nothing for 1 judged topic (402)").any()


@pytest.mark.parametrize(
    ("lengths", "role"), [((20, 20, 0, 17), "run"), ((9000,), "run"), ((3, 8, 2, 8, 1), "qrels"), ((1, 1, 1), "qrels")]
)
def test_lists_are_runs_where_most_are_as_long(lengths, role):
    """In a folder or dropped on Data, where nobody says what they are."""
    lists = {str(topic): [f"d{n}" for n in range(length)] for topic, length in enumerate(lengths)}
    assert file_kinds.role_of(Upload("a", json.dumps(lists).encode())) == role


def test_names_in_lists_may_be_numbers():
    assert rankings(loaded(b'{"401": [12, 7, "x"]}', qrels=b"401 0 12 1\n"))["a"] == {"401": ["12", "7", "x"]}


def test_further_levels_are_systems():
    runs = {"bm25": {"401": {"d1": 2, "d2": 1}}, "dense": {"401": {"d2": 5}}}
    assert rankings(loaded(json.dumps(runs).encode(), qrels=QRELS)) == {
        "bm25": {"401": ["d1", "d2"]}, "dense": {"401": ["d2"]},
    }  # fmt: skip


OPENSEARCH = [
    {"query": "401", "ratings": [{"docId": "d1", "rating": "2.000"}, {"docId": "d3", "rating": "0.000"}]},
    {"query": "402", "ratings": [{"docId": "d2", "rating": "1.000"}]},
]
ASKED = {"query": {"match": {"title": "a question"}}}
RANK_EVAL = [
    {"id": "401", "request": ASKED, "ratings": [
        {"_index": "news", "_id": "d1", "rating": 2}, {"_index": "news", "_id": "d3", "rating": 0}]},
    {"id": "402", "request": ASKED, "ratings": [{"_index": "news", "_id": "d2", "rating": 1}]},
]  # fmt: skip
JUDGMENTS = {
    "OpenSearch, as imported": {"name": "n", "type": "IMPORT_JUDGMENT", "judgmentRatings": OPENSEARCH},
    "OpenSearch, as searched": {"took": 3, "hits": {"total": {"value": 1}, "hits": [
        {"_index": "i", "_id": "x", "_source": {"id": "x", "status": "COMPLETED", "judgmentRatings": OPENSEARCH}}]}},
    "rank_eval": {"requests": RANK_EVAL, "metric": {"precision": {"k": 20}}},
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGMENTS)
def test_judgments_of_another_program(name):
    data = json.dumps(JUDGMENTS[name]).encode()
    track = loaded(LINES, qrels=data)
    assert grades(track) == {("401", "d1"): 2, ("401", "d3"): 0, ("402", "d2"): 1}
    assert file_kinds.role_of(Upload("x", data)) == "qrels"


def test_failures_of_a_judge_are_unjudged_and_counted():
    with_failures = [one | {"failures": [{"docId": "d8"}, {"docId": "d9"}]} for one in OPENSEARCH]
    track = loaded(LINES, qrels=json.dumps({"judgmentRatings": with_failures}).encode())
    assert grades(track) == {("401", "d1"): 2, ("401", "d3"): 0, ("402", "d2"): 1}
    (note,) = found(track, "rows without a grade")
    assert ": 4 documents are failures of the judge without a rating, and count as unjudged." in note.message


def test_a_query_twice_is_read_where_its_ratings_agree():
    twice = [*OPENSEARCH, OPENSEARCH[0]]
    track = loaded(LINES, qrels=json.dumps({"judgmentRatings": twice}).encode())
    assert grades(track) == {("401", "d1"): 2, ("401", "d3"): 0, ("402", "d2"): 1}
    assert found(track, "repeated judgments")[0].message.startswith("qrels.txt: 2 judgments repeat an earlier one")
    other = {"query": "401", "ratings": [{"docId": "d1", "rating": "0.0"}]}
    with pytest.raises(InputError, match='topic 401, document "d1" has grade 2 and 0'):
        loaded(LINES, qrels=json.dumps({"judgmentRatings": [*OPENSEARCH, other]}).encode())


@pytest.mark.parametrize("grade", [2, 1])
def test_a_name_in_two_indices_is_refused_where_the_grades_differ(grade):
    more = [{"_index": "blogs", "_id": "d1", "rating": grade}, {"_index": "blogs", "_id": "d7", "rating": 1}]
    requests = [RANK_EVAL[0] | {"ratings": RANK_EVAL[0]["ratings"] + more}, RANK_EVAL[1]]
    data = json.dumps({"requests": requests}).encode()
    if grade == 2:
        assert grades(loaded(LINES, qrels=data))["401", "d7"] == 1
        return
    with pytest.raises(
        InputError, match=r'document "d1": the grade is 2 in the index news, but 1 in blogs\. .* Write a'
    ):
        loaded(LINES, qrels=data)


def test_lists_of_relevant_documents_are_binary_judgments():
    track = loaded(LINES, qrels=b'{"401": ["d1", "d3"], "402": []}')
    assert grades(track) == {("401", "d1"): 1, ("401", "d3"): 1}
    assert "all its documents count as relevant" in found(track, "no grades")[0].message


@pytest.mark.parametrize("run", ["results", "run"])
def test_a_file_with_a_run_and_judgments_is_read_as_both(run, tmp_path):
    judged = {"401": {"d1": 2, "d3": 0}, "402": {"d2": 1}}
    data = json.dumps({"queries": {"401": "a question"}, "qrels": judged, run: SCORES}).encode()
    (tmp_path / "all.json").write_bytes(data)
    for source in (Upload("all.json", data), tmp_path):
        study = evalcore.open_study(source, cache=False)
        # d1 is at rank 2 of topic 401, and d2 at rank 1 of topic 402
        assert evalcore.ask(study, "leaderboard", metric="AP").table["value"].tolist() == [0.75]
        assert study.systems == ("all",)
        assert [source.name for source in study.sources] == ["all.json", "all.json/qrels"]
        files = [(source.role, source.name, source.sha256) for source in study.sources]
        assert evalcore.reopen(files, tmp_path).systems == ("all",)
    assert [role for _, role in file_kinds.parts(Upload("all.json", data))] == ["run", "qrels"]


def test_several_sets_of_judgments_in_a_file_are_refused():
    sets = {"default": {"test": {"401": {"d1": 1}}, "dev": {"402": {"d2": 1}}}}
    with pytest.raises(InputError, match=r"contains 2 sets of judgments \(test, dev\), but only one can be used"):
        loaded(LINES, qrels=json.dumps(sets).encode())


@pytest.mark.parametrize("responses", [0, 2])
def test_an_answer_without_one_ranking_is_refused(responses):
    turn = {"turn_id": "401", "responses": [{"rank": 1, "text": "x", "provenance": PASSAGES["401"]}] * responses}
    with pytest.raises(InputError, match="is JSON, but not of the form"):
        loaded(json.dumps({"turns": [turn]}).encode(), qrels=QRELS)


@pytest.mark.parametrize("layout", ["{} {} {}", "{} 0 {} {}"])
def test_grades_of_ntcir(layout):
    rows = [("401", "d1", "L2"), ("401", "d3", "L0"), ("402", "d2", "L1")]
    data = "\n".join(layout.format(*row) for row in rows).encode()
    assert grades(loaded(LINES, qrels=data)) == {("401", "d1"): 2, ("401", "d3"): 0, ("402", "d2"): 1}
    assert file_kinds.role_of(Upload("q", data)) == "qrels"


LEADERBOARDS = {
    "known metrics": [f"{run} {metric} {topic} 0.{topic}" for run in "ab" for metric in ("AP", "nDCG@10", "P(rel=2)@5")
                      for topic in (401, 402)],
    "commas": ["run,measure,topic,value", *(f"{run},AP,{topic},0.5" for run in "ab" for topic in (401, 402))],
    "own metrics": [f"{run}\tCOVERAGE\t{topic}\t0.5" for run in "ab" for topic in ("401", "402", "all")],
}  # fmt: skip


@pytest.mark.parametrize("name", LEADERBOARDS)
def test_a_leaderboard_is_named(name):
    data = "\n".join(LEADERBOARDS[name]).encode()
    message = re.escape("contains scores of systems, as a leaderboard has them (run metric topic score). Load the runs")
    with pytest.raises(InputError, match=message):
        loaded(LINES, qrels=data)
    assert file_kinds.role_of(Upload("x", data)) == ""


def test_judgments_of_sources_are_no_leaderboard():
    qrels = b"401 AP d1 1\n401 AP all 0\n402 AP d2 1\n"
    assert grades(loaded(LINES, qrels=qrels)) == {("401", "d1"): 1, ("401", "all"): 0, ("402", "d2"): 1}
