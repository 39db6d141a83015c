"""The Data page with files as people have them: CSV, Excel, swapped, unsure; what is asked, and what a click does."""

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.reading import roles
from evalcore.reading.loading import Upload
from tests.test_pages import HOSTILE, ROOT, everything, load, qrels_text, run_text, visit, went_well
from tests.test_tabular import JUDGMENTS, RUNS, UNSURE, workbook, zipped
from ui.session import SHELF
from ui.sources import Opened

EXAMPLE = ROOT / "sample_data" / "example"


@pytest.fixture
def data():
    """The Data page, on the sample."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    return app.switch_page("pages/data.py").run()


def press(app, label):
    return went_well(next(button for button in app.button if button.label == label).click().run())


def plainly(text):
    """What a reader sees of escaped text."""
    return text.replace("\\", "")


def finding(app):
    return next(plainly(one.value) for one in app.markdown if "down to rank" in one.value)


def folds(app):
    return [plainly(fold.label) for fold in app.expander]


def choices(app):
    """The selectboxes by label, of those with one label the first."""
    return {box.label: box for box in reversed(app.selectbox)}


@pytest.mark.parametrize("run", ["commas", "semicolons and decimal commas", "no header", "UTF-16", "Excel"])
def test_files_of_any_kind_are_opened_together(data, run):
    went_well(load(data, "any", ("mine.x", RUNS[run]), ("q.csv", JUDGMENTS["tabs, other order"])))
    assert data.selectbox(key="study").value == "files"
    assert finding(data).startswith("1 system, 2 topics, 3 judgments")
    assert any(label.startswith("Columns of q.csv: topic = qid, document = docid") for label in folds(data))
    assert not data.error
    visit(data, "pages/scores.py")


def test_the_step_asks_which_column_is_what(data):
    went_well(load(data, "any", ("a.csv", UNSURE), ("q.csv", JUDGMENTS["commas"])))
    assert "**Which column of a.csv is what?**" in plainly(everything(data))
    assert "the meanings of columns in a.csv are missing" in plainly(data.info[0].value)
    assert choices(data)["System"].options == ["—", "q", "d", "a", "b"]
    assert [choices(data)[name].value for name in ("Topic", "Document", "Rank", "Score")] == [1, 2, 0, 3]
    choices(data)["Topic"].set_value(0)
    press(data, "Take it so")
    assert data.error[0].value.startswith("Say which column is the topic.")
    choices(data)["Topic"].set_value(1)
    choices(data)["Score"].set_value(4)
    press(data, "Take it so")
    assert finding(data).startswith("1 system, 2 topics")
    assert "Columns of a.csv: topic = q, document = d, score = b" in folds(data)
    (opened,) = [one for one in SHELF.of(data.session_state["_visitor"].name) if isinstance(one, Opened)]
    meanings = {"topic": 1, "document": 2, "rank": None, "score": 4, "system": None, "header": True}
    assert opened.study.options["columns"] == {"a.csv": meanings}


def test_tables_of_one_kind_are_asked_for_once(data):
    other = UNSURE.replace(b"d1", b"d3")
    went_well(load(data, "any", ("a.csv", UNSURE), ("b.csv", other), ("q.csv", JUDGMENTS["commas"])))
    assert "**Which column of a.csv and 1 other like it is what?**" in plainly(everything(data))
    press(data, "Take it so")
    assert finding(data).startswith("2 systems")


def test_a_sheet_can_be_chosen(data):
    rows = [["qid", "docid", "score"], ["401", "d1", 1.5], ["401", "d2", 0.5]]
    book = workbook(one=rows, two=[*rows, ["402", "d1", 0.1]])
    went_well(load(data, "any", ("a.xlsx", book), ("q.csv", JUDGMENTS["commas"])))
    assert finding(data).startswith("2 systems")
    went_well(choices(data)["Sheet"].set_value("two").run())
    press(data, "Take it so")
    assert finding(data).startswith("1 system, 2 topics")


@pytest.mark.parametrize("kind", ["csv", "trec"])
def test_swapped_files_are_put_in_place(data, kind):
    run, qrels = (RUNS["commas"], JUDGMENTS["commas"]) if kind == "csv" else (run_text("A"), qrels_text())
    load(data, "runs", ("q", qrels))
    assert "**q** looks like judgments." in plainly(everything(data))
    load(data, "qrels", ("r", run))
    assert "These look swapped: **q** looks like judgments; **r** looks like a run." in plainly(everything(data))
    press(data, "Swap them")
    assert finding(data).startswith("1 system, 2 topics")
    assert "Swap them" not in [button.label for button in data.button]


def test_one_in_the_wrong_place_is_moved(data):
    load(data, "runs", ("a.run", run_text("A")), ("qrels.txt", qrels_text()))
    press(data, "Take it as judgments")
    assert finding(data).startswith("1 system, 2 topics")


def test_a_word_document_is_refused_in_a_sentence(data):
    docx = zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>", "word/styles.xml": "<x/>"})
    load(data, "any", ("a.run", run_text("A")), ("q.txt", qrels_text()), ("notes.docx", docx))
    assert finding(went_well(data)).startswith("1 system, 2 topics")
    refused = [one.value for one in data.text if "notes.docx" in one.value]
    assert refused == ["notes.docx is a Word document; save its table as a workbook (.xlsx) or as CSV."]


def test_hostile_names_in_a_table(data):
    rows = [["qid", "docid", "score", "model"], *(["1", name, 9 - n, name] for n, name in enumerate(HOSTILE))]
    unsure = [["a", "b", "*c*", "![x](http://evil/x.png)"], *rows[1:]]
    name = "![x](http://evil/y.png).csv"
    load(
        data,
        "any",
        (name, workbook(**{"<b>red(x) $y$": rows, "_z_": []})),
        ("u.xlsx", workbook(A=unsure)),
        ("q.txt", b"1 0 NA 1\n"),
    )
    said = everything(went_well(data)) + "".join(fold.label for fold in data.expander)
    assert "![x](http" not in said


def test_the_formats_are_in_sight(data):
    said = everything(data)
    assert all(word in said for word in ("TREC", "MS MARCO", "BEIR", "JSON", "CSV", "Excel", "UTF-16", ".gz", ".zip"))


def test_the_examples_say_the_same_in_both_forms():
    as_tables = evalcore.open_study(EXAMPLE / "runs.csv", EXAMPLE / "judgments.csv", cache=False)
    as_trec = evalcore.open_study(EXAMPLE / "run.txt", EXAMPLE / "qrels.txt", cache=False)
    assert as_tables.systems == ("first", "second")
    first = evalcore.ask(as_tables, "scores", metric="AP", systems=["first"]).table
    assert first.equals(evalcore.ask(as_trec, "scores", metric="AP").table)
    seem = {path.name: roles.role_of(Upload(path.name, path.read_bytes())) for path in EXAMPLE.iterdir()}
    assert seem == {"runs.csv": "run", "judgments.csv": "qrels", "run.txt": "run", "qrels.txt": "qrels"}
