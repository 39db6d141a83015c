"""Runs and judgments in memory give the same tables as files do, in the forms of four programs."""

from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pytest

import evalcore

LISTS = {
    "bm25": {"1": {"d1": 2.5, "d2": 1.0, "d3": 1.0}, "2": {"d1": 0.1234567890123, "d9": 0.1234567890122}},
    "dense": {"1": {"d2": 0.9, "d4": 0.4}, "2": {"d9": 7.0}},
}
QRELS = {"1": {"d1": 0, "d2": 2, "d4": 1}, "2": {"d9": 1}}


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Held:
    """An object with a dict, as ranx has them."""

    def __init__(self, of):
        self.of = of

    def to_dict(self):
        return self.of


def rows(of):
    return [(topic, document, value) for topic, some in of.items() for document, value in some.items()]


class Rows:
    """Rows of `datasets`: dicts, with the names of their columns, and no frame where they are streamed."""

    def __init__(self, rows, names):
        self.rows, self.column_names = rows, names

    def __iter__(self):
        return (dict(zip(self.column_names, row, strict=True)) for row in self.rows)


class Polars:
    """A frame of polars: it becomes one of pandas, and has no columns that pandas knows."""

    def __init__(self, frame):
        self.to_pandas = lambda: frame


FORMS = {
    "dicts": lambda of, number: of,
    "an object with a dict": lambda of, number: Held(of),
    "ir_measures": lambda of, number: pd.DataFrame(rows(of), columns=["query_id", "doc_id", number]),
    "PyTerrier": lambda of, number: pd.DataFrame(
        rows(of), columns=["qid", "docno", {"relevance": "label"}.get(number, number)]
    ).assign(rank=0),
    "records": lambda of, number: (ScoredDoc(*row) for row in rows(of)),
    "a list of records": lambda of, number: [ScoredDoc(*row) for row in rows(of)],
    "a list of dicts": lambda of, number: [dict(zip(("topic", "docid", number), row, strict=True)) for row in rows(of)],
    "pyarrow": lambda of, number: pa.Table.from_pylist(FORMS["a list of dicts"](of, number)),
    "polars": lambda of, number: Polars(FORMS["ir_measures"](of, number)),
    "datasets of BEIR": lambda of, number: Rows(rows(of), ["query-id", "corpus-id", "score"]),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, run in LISTS.items():
        lines = [f"{t} Q0 {d} {n} {s!r} {name}" for t, some in run.items() for n, (d, s) in enumerate(some.items(), 1)]
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    lines = [f"{topic} 0 {document} {grade}" for topic, document, grade in rows(QRELS)]
    (folder / "qrels").write_text("\n".join(lines) + "\n")
    return evalcore.open_study([folder / f"{name}.run" for name in LISTS], folder / "qrels", cache=False)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_in_memory_gives_the_tables_of_files(files, form):
    runs = {name: FORMS[form](run, "score") for name, run in LISTS.items()}
    study = evalcore.open_study(runs, FORMS[form](QRELS, "relevance"), cache=False)
    for question in ("leaderboard", "scores", "pairs", "topics"):
        here, there = (evalcore.ask(one, question).table for one in (study, files))
        pd.testing.assert_frame_equal(here, there)


def test_names_may_have_any_letters():
    run = {"a topic": {'d "1"': 2.0, "d\t2": 1.0, "d,3;4": 0.5}}
    study = evalcore.open_study({"my run": run}, {"a topic": {"d\t2": 1}}, cache=False)
    assert study.systems == ("my run",)
    ranked = evalcore.ask(study, "ranking", system="my run", topic="a topic").table
    assert ranked["document"].tolist() == ['d "1"', "d\t2", "d,3;4"]


def test_what_is_missing_is_said():
    with pytest.raises(ValueError, match=r"bm25: there is no column for the document\. Name it doc_id or docno"):
        evalcore.open_study({"bm25": pd.DataFrame({"qid": ["1"], "score": [1.0]})}, QRELS)
    with pytest.raises(ValueError, match="needs the name of its run"):
        evalcore.open_study(pd.DataFrame({"qid": ["1"], "docno": ["d"], "score": [1.0]}), QRELS)


def test_a_table_needs_the_name_of_its_run_also_in_a_list():
    table = pa.table({"qid": ["1"], "docno": ["d1"], "score": [1.0]})
    for runs in (table, [table], [pd.DataFrame({"qid": ["1"]})], Rows([], ["qid"])):
        with pytest.raises(ValueError, match=r'needs the name of its run: runs=\{"bm25": frame\}'):
            evalcore.open_study(runs, QRELS)


@pytest.mark.parametrize("score", ["high", None, float("nan")])
def test_a_score_that_is_no_number_is_named_by_its_document(score):
    runs = {"bm25": {"1": {"d1": 2.0, "d2": score, "d3": score}}}
    with pytest.raises(
        ValueError, match=r"^bm25: topic 1, document d2: the score is .*, but must be a number\. "
    ) as error:
        evalcore.open_study(runs, QRELS)
    assert str(error.value).endswith("1 more row has the same problem.")


def test_what_is_in_memory_is_not_called_a_file():
    frame = pd.DataFrame(rows(QRELS), columns=["qid", "docno", "label"])
    truth = pa.Table.from_pandas(frame)
    table = pd.DataFrame({"run": ["bm25", "dense"], "group": ["a", "b"]})
    study = evalcore.open_study(LISTS, QRELS, other=frame, truth=truth, systems=table, cache=False)
    study = study.with_judges({"gpt": [{"qid": "1", "docno": "d1", "rel": 1}]})
    assert [source.name for source in study.sources] == [
        f"{name} (in memory)"
        for name in ("bm25", "dense", "judgments", "table of systems", "second judgments", "complete judgments", "gpt")
    ]
    assert evalcore.ask(study, "systems").table["group"].tolist() == ["a", "b"]
    with pytest.raises(
        ValueError, match=r"^the judgments: topic 1, document d1: the grade is 'high', but must be a number"
    ):
        evalcore.open_study(LISTS, {"1": {"d1": "high", "d2": 1}}, cache=False)
    with pytest.raises(ValueError, match=r"^judgments \(in memory\).*: a document has two grades: "):
        evalcore.open_study(LISTS, [("1", "d1", 1), ("1", "d1", 2)], cache=False)
    files = [(source.role, source.name, source.sha256) for source in study.sources]
    with pytest.raises(ValueError, match=r"bm25 \(in memory\) was no file\. Save it as one"):
        evalcore.reopen(files, ".")
