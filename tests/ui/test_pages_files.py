"""The Data page with files as people have them: CSV, Excel, swapped, unsure; what is asked, and what a click does."""

import threading
import time
import types

import pytest

import evalcore
from evalcore import cache
from evalcore.reading import file_kinds, sheets, workbooks
from evalcore.reading.loading import Upload
from tests.cached import cached_for
from tests.reading.test_column_files import JUDGMENTS, RUNS, UNSURE, workbook, zipped
from tests.ui import test_pages
from tests.ui.test_pages import (
    ROOT,
    everything,
    load,
    own_files,
    press,
    qrels_text,
    run_text,
    set_own_files,
    visit,
    went_well,
)
from ui.components import progress
from ui.data import uploaded_file, visitor_files
from ui.data.sources import Opened
from ui.serving import workers
from ui.session.visit import without

EXAMPLE = ROOT / "sample_data" / "example"


@pytest.fixture
def data(app):
    return app


def plainly(text):
    """What a reader sees of escaped text."""
    return text.replace("\\", "")


def counts(app):
    """How many systems, topics and judgments the Data page shows."""
    return [int(number.replace(",", "")) for number in test_pages.numbers_of(app, "Systems", "Topics", "Judgments")]


def folds(app):
    return [plainly(fold.label) for fold in app.expander]


def choices(app):
    """The selectboxes by label, of those with one label the first."""
    return {box.label: box for box in reversed(app.selectbox)}


@pytest.mark.parametrize("run", ["commas", "semicolons and decimal commas", "no header", "UTF-16", "Excel"])
def test_files_of_any_kind_are_opened_together(data, run):
    went_well(load(data, "any", ("mine.x", RUNS[run]), ("q.csv", JUDGMENTS["tabs, other order"])))
    assert data.selectbox(key="study").value == "files"
    assert counts(data) == [1, 2, 3]
    assert any(label.startswith("Columns of q.csv: topic = qid, document = docid") for label in folds(data))
    assert not data.error
    visit(data, "pages/scores.py")


def test_the_step_asks_which_column_is_what(data):
    went_well(load(data, "any", ("a.csv", UNSURE), ("q.csv", JUDGMENTS["commas"])))
    assert "**Check the columns of a.csv.**" in plainly(everything(data))
    assert "Still missing: the meanings of columns in a.csv" in plainly(data.info[0].value)
    assert choices(data)["System"].options == ["—", "q", "d", "a", "b"]
    assert [choices(data)[name].value for name in ("Topic", "Document", "Rank", "Score")] == [1, 2, 0, 3]
    choices(data)["Topic"].set_value(0)
    press(data, "Apply columns")
    assert data.error[0].value.endswith("Choose a column for topic.")
    choices(data)["Topic"].set_value(1)
    choices(data)["Score"].set_value(4)
    press(data, "Apply columns")
    assert counts(data)[:2] == [1, 2]
    assert "Columns of a.csv: topic = q, document = d, score = b" in folds(data)
    (opened,) = [one for one in cached_for(data.session_state["_visitor"].name) if isinstance(one, Opened)]
    meanings = {"topic": 1, "document": 2, "rank": None, "score": 4, "system": None, "header": True}
    assert opened.study.options["columns"] == {"a.csv": meanings}


def test_tables_of_one_kind_are_asked_for_once(data):
    other = UNSURE.replace(b"d1", b"d3")
    went_well(load(data, "any", ("a.csv", UNSURE), ("b.csv", other), ("q.csv", JUDGMENTS["commas"])))
    assert "**Check the columns of a.csv and 1 similar file.**" in plainly(everything(data))
    press(data, "Apply columns")
    assert counts(data)[0] == 2


def test_a_sheet_can_be_chosen(data):
    rows = [["qid", "docid", "score"], ["401", "d1", 1.5], ["401", "d2", 0.5]]
    book = workbook(one=rows, two=[*rows, ["402", "d1", 0.1]])
    went_well(load(data, "any", ("a.xlsx", book), ("q.csv", JUDGMENTS["commas"])))
    assert counts(data)[0] == 2
    went_well(choices(data)["Sheet"].set_value("two").run())
    press(data, "Apply columns")
    assert counts(data)[:2] == [1, 2]


@pytest.mark.parametrize("kind", ["csv", "trec"])
def test_swapped_files_are_put_in_place(data, kind):
    run, qrels = (RUNS["commas"], JUDGMENTS["commas"]) if kind == "csv" else (run_text("A"), qrels_text())
    load(data, "runs", ("q", qrels))
    assert "**q** looks like judgments." in plainly(everything(data))
    load(data, "qrels", ("r", run))
    assert "These look swapped: **q** looks like judgments; **r** looks like a run." in plainly(everything(data))
    press(data, "Swap them")
    assert counts(data)[:2] == [1, 2]
    assert "Swap them" not in [button.label for button in data.button]


def test_one_in_the_wrong_place_is_moved(data):
    load(data, "runs", ("a.run", run_text("A")), ("qrels.txt", qrels_text()))
    press(data, "Use as judgments")
    assert counts(data)[:2] == [1, 2]


def test_a_word_document_is_refused_in_a_sentence(data):
    docx = zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>", "word/styles.xml": "<x/>"})
    load(data, "any", ("a.run", run_text("A")), ("q.txt", qrels_text()), ("notes.docx", docx))
    assert counts(went_well(data))[:2] == [1, 2]
    (refused,) = [one.value for one in data.text if "notes.docx" in one.value]
    remedy = "It is a Word document; save its table as a workbook (.xlsx) or as CSV."
    assert refused == f"notes.docx is neither a run nor judgments. {remedy}"


def test_hostile_names_in_a_table(data):
    hostile = [["1", name, 9 - n, name] for n, name in enumerate(test_pages.HOSTILE)]
    rows = [["qid", "docid", "score", "model"], *hostile]
    unsure = [["a", "b", "*c*", "![x](http://evil/x.png)"], *hostile]
    name = "![x](http://evil/y.png).csv"
    books = (name, workbook(**{"<b>red(x) $y$": rows, "_z_": []})), ("u.xlsx", workbook(A=unsure))
    load(data, "any", *books, ("q.txt", b"1 0 NA 1\n"))
    said = everything(went_well(data)) + "".join(fold.label for fold in data.expander)
    assert "![x](http" not in said


# ---- the truth


RUN_A, RUN_B = run_text("A", ("d1", "d2", "d3")), run_text("B", ("d3", "d2", "d1"))
POOL = b"1 0 d1 1\n2 0 d1 1\n"
TRUTH = POOL + b"".join(b"%d 0 %s 1\n" % (topic, document) for topic in (1, 2) for document in (b"d2", b"d3"))


@pytest.fixture
def own(data):
    """The Data page with two runs, of which the judgments know the first document of one."""
    return went_well(load(data, "any", ("A", RUN_A), ("B", RUN_B), ("pool.txt", POOL)))


def loaded_as(app):
    (table,) = (table.value for table in app.dataframe if "sha256" in table.value)
    return dict(zip(table["file"], table["as"], strict=True))


def remove(app, name):
    """Select a loaded file and remove it."""
    set_own_files(app, {key: file for key, file in own_files(app).items() if file.name != name})
    return went_well(app.run())


def test_a_run_that_is_dropped_on_an_open_track_is_added_to_it(data):
    before = counts(data)
    new = b"201 Q0 dx 1 9 new\n202 Q0 dx 1 9 new\n"
    went_well(load(data, "any", ("new.run", new)))
    assert (data.selectbox(key="study").value, counts(data)) == ("web", before)  # the track stays open meanwhile
    assert "**new.run: a run.** Add to the open track?" in plainly(everything(data))
    press(data, "Add to Sample: web")
    assert counts(data) == [before[0] + 1, *before[1:]]
    assert "new.run: run" in everything(data)
    visit(data, "pages/scores.py")
    assert "new" in data.session_state["_note"]["tables"]["leaderboard"][1].table["system"].tolist()
    visit(data, "pages/data.py")
    press(data, "Remove")
    assert counts(data) == before


def test_a_run_and_its_judgments_may_be_dropped_one_after_the_other(data):
    went_well(load(data, "any", ("a.run", run_text("A"))))
    assert "To open your own track, also load its judgments." in everything(data)
    went_well(load(data, "any", ("q.txt", qrels_text())))
    assert (data.selectbox(key="study").value, counts(data)) == ("files", [1, 2, 4])


def test_a_run_alone_may_be_opened_as_another_track_or_not_at_all(data):
    before = counts(data)
    went_well(load(data, "any", ("a.run", run_text("A"))))
    press(data, "Discard")
    assert (counts(data), "a.run" in everything(data)) == (before, False)
    went_well(load(data, "any", ("a.run", run_text("A"))))
    press(data, "Open as another track")
    assert "Nothing is open yet. Still missing: judgments." in plainly(data.info[0].value)


def test_judgments_that_come_later_have_the_role_that_is_chosen(own):
    def drop():
        went_well(load(own, "any", ("later.txt", TRUTH)))
        assert counts(own) == [2, 2, 2]  # the track stays open
        assert "**later.txt: judgments.** What are they for?" in plainly(everything(own))

    drop()
    press(own, "Complete judgments: contain the track's and more")
    assert loaded_as(own) == {"A": "run", "B": "run", "pool.txt": "judgments", "later.txt": "complete judgments"}
    drop()
    press(own, "Use in place of the judgments of your files")
    assert loaded_as(own)["later.txt"] in ("judgments", "complete judgments")
    assert "pool.txt" not in loaded_as(own)
    assert counts(own) == [2, 2, 6]
    went_well(load(own, "any", ("other.txt", POOL)))
    press(own, "Second judgments: compare two assessors")
    assert counts(own) == [2, 2, 6]
    visit(own, "pages/judgments.py", part="second")
    assert "Second judgments: other.txt" in [one.value for one in own.text]


def test_judgments_that_are_dropped_on_a_sample_are_used_as_chosen(data):
    systems, topics, judged = counts(data)
    web = ROOT / "sample_data" / "web"
    few = b"".join((web / "qrels.txt").read_bytes().splitlines(keepends=True)[:100])
    went_well(load(data, "any", ("few.txt", few)))
    press(data, "Use in place of the judgments of Sample: web")
    assert (counts(data)[0], counts(data)[2]) == (systems, 100)
    press(data, "Remove")
    assert counts(data) == [systems, topics, judged]


def test_judgments_that_the_truth_lacks_are_added_with_one_click(own):
    went_well(load(own, "truth", ("all.txt", TRUTH.removeprefix(b"1 0 d1 1\n"))))
    assert "lack 1 judgment of pool.txt" in plainly(own.error[0].value)
    press(own, "Add the missing 1 judgment")
    assert not own.error
    assert "1 judgment of pool.txt was added to all.txt, which lacks them." in plainly(everything(own))
    assert "all.txt contains the complete judgments" in plainly(everything(own))


def test_a_truth_is_a_file_of_its_own_and_has_the_switch_appear(own):
    assert "All judgments above, with the same grades, and further judgments" in everything(own)
    went_well(load(own, "truth", ("all.txt", TRUTH)))
    assert loaded_as(own) == {"A": "run", "B": "run", "pool.txt": "judgments", "all.txt": "complete judgments"}
    assert counts(own) == [2, 2, 2]
    assert "all.txt contains the complete judgments." in plainly(everything(own))
    visit(own, "pages/scores.py", metric="nDCG@10")
    assert own.toggle(key="truth").label == "Compare with complete judgments"
    went_well(own.toggle(key="truth").set_value(True).run())
    assert "Every system with complete judgments (2 rows)" in folds(own)
    visit(own, "pages/fusion.py")
    gained = test_pages.findings(own)["truth-of-fused"].facts
    assert (gained["value"], gained["metric"]) == (1, "nDCG@10")


def test_a_truth_is_removed_and_another_takes_its_place(own):
    load(own, "truth", ("all.txt", TRUTH))
    went_well(load(own, "truth", ("more.txt", TRUTH + b"1 0 d9 0\n")))
    assert set(loaded_as(own)) == {"A", "B", "pool.txt", "more.txt"}
    remove(own, "more.txt")
    assert set(loaded_as(own)) == {"A", "B", "pool.txt"}
    assert "contains the complete judgments" not in everything(own)
    visit(own, "pages/pool_depth.py")
    assert own.toggle(key="truth").label == "Compare with all judgments"
    visit(own, "pages/data.py")
    load(own, "truth", ("all.txt", TRUTH))
    press(own, "Remove all")
    assert "Still missing\\: runs and judgments" in own.info[0].value


@pytest.mark.parametrize(
    ("name", "truth", "said"),
    [
        ("less.txt", b"1 0 d1 1\n", "less.txt lack 1 judgment of pool.txt, such as document d1 of topic 2"),
        ("other.txt", TRUTH.replace(b"2 0 d1 1", b"2 0 d1 0"), "have another grade for document d1 of topic 2"),
        ("more.txt", TRUTH + b"1 0 d9 2\n", "have grade 2, but the highest grade of pool.txt is 1"),
        ("lines.txt", b"one two\n", "2 columns"),
        ("empty.txt", b"", "empty.txt is empty"),
        ("run.txt", RUN_A, "6 columns"),
        ("run.csv", RUNS["commas"], "not judgments"),
        ("notes.docx", b"PK\x03\x04", "notes.docx"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_truth_is_said_in_words_and_the_rest_stays(own, name, truth, said):
    went_well(load(own, "truth", (name, truth)))
    words = plainly(everything(own))
    assert said in words
    assert "contains the complete judgments" not in words
    assert counts(own) == [2, 2, 2]
    visit(own, "pages/pool_depth.py")
    went_well(own.toggle(key="truth").set_value(True).run())
    assert own.toggle(key="truth").label == "Compare with all judgments"
    told = plainly(own.error[0].value)
    assert name in told  # as it is written, with no capital
    assert "=)" not in told  # a page has no parameters


def test_topics_of_a_truth_that_nobody_knows_are_told(own):
    went_well(load(own, "truth", ("all.txt", TRUTH + b"<b>7 0 d1 1\n")))
    words = plainly(everything(own))
    assert "all.txt contains the complete judgments" in words
    assert "all.txt judges topic <b>7, which is in neither the runs nor the qrels." in words


def test_a_broken_run_and_a_broken_truth_are_both_said(own):
    load(own, "runs", ("bad.run", b"one two\n"))
    went_well(load(own, "truth", ("bad.txt", b"one two\n")))
    words = plainly(everything(own))
    assert "bad.run" in words
    assert "bad.txt" in words


def test_a_truth_is_its_visitor_s_alone(own):
    load(own, "truth", ("mine.txt", TRUTH))
    visit(own, "pages/scores.py")
    went_well(own.toggle(key="truth").set_value(True).run())
    held = [one for one in cached_for("") if getattr(one, "truth", None) is not None]
    assert not [one for one in held if any(source.name == "mine.txt" for source in one.sources)]
    mine = [one for one in cached_for(own.session_state["_visitor"].name) if getattr(one, "truth", None) is not None]
    assert mine
    own.selectbox(key="study").set_value("newswire").run()
    assert own.toggle(key="truth").label == "Compare with complete judgments"  # the sample's own


def test_of_judgments_dropped_together_one_is_taken_as_the_truth(data):
    load(data, "any", ("A", RUN_A), ("B", RUN_B), ("pool.txt", POOL), ("all.txt", TRUTH))
    assert "2 qrels files, but only one can be used" in everything(data)
    assert "could not be read" not in str(folds(data))  # each of them can
    assert "Several judgment files are loaded, but a track uses one" in everything(data)
    key = next(key for key, file in own_files(data).items() if file.name == "all.txt")
    taken = uploaded_file.as_truth(own_files(data)[key])
    assert (taken.role, taken.seems) == ("truth", "qrels")
    set_own_files(data, {**without(own_files(data), key), "truth/all.txt": taken})
    went_well(data.run())
    assert counts(data) == [2, 2, 2]
    assert "all.txt contains the complete judgments" in plainly(everything(data))


GRADES = b"a,b,c,d\n1,d1,1,1\n1,d2,1,0\n1,d3,1,1\n2,d1,1,1\n2,d2,0,1\n2,d3,1,0\n"


def test_the_columns_of_a_truth_are_asked_for(own):
    went_well(load(own, "truth", ("all.csv", GRADES)))
    assert "**Check the columns of all.csv.**" in plainly(everything(own))
    assert "contains the complete judgments" not in everything(own)
    assert counts(own)[0] == 2  # without it
    choices(own)["Grade"].set_value(3)
    press(own, "Apply columns")
    assert "all.csv contains the complete judgments" in plainly(everything(own))
    assert any(label.startswith("Columns of all.csv: topic = a, document = b, grade = c") for label in folds(own))


# ---- the second qrels


def second(app, name, data):
    return went_well(load(app, "other", (name, data)))


@pytest.mark.parametrize("name", ["second.csv", "pool.txt"])
def test_the_columns_of_a_second_qrels_are_asked_for(own, name):
    visit(own, "pages/judges.py", open="second")
    second(own, name, GRADES)
    assert f"**Check the columns of {name}.**" in plainly(everything(own))
    assert "agreement" not in test_pages.findings(own)
    choices(own)["Grade"].set_value(0)
    press(own, "Apply columns")
    assert own.error[0].value.endswith("Choose a column for grade.")
    choices(own)["Grade"].set_value(4)
    press(own, "Apply columns")
    assert test_pages.findings(own)["agreement"].facts.items() >= {"same": 1, "both": 2}.items()
    assert f"Columns of {name}: topic = a, document = b, grade = d" in folds(own)
    visit(own, "pages/orderings.py", regimes=["AP", "qrels=other | AP"])
    assert test_pages.findings(own)["swaps"].facts.items() >= {"a": "AP", "b": "AP (second judgments)"}.items()
    visit(own, "pages/judges.py", open="second")
    press(own, "Remove")
    assert "Columns of" not in "".join(folds(own))
    assert "Load a second set of judgments" in everything(own)


def test_a_second_qrels_of_which_nobody_knows_the_columns_is_removed(own):
    visit(own, "pages/judges.py", open="second")
    second(own, "second.csv", GRADES)
    press(own, "Remove")
    assert "Which column of" not in everything(own)
    second(own, "run.csv", RUNS["commas"])
    assert "not judgments" in plainly(everything(own))


@pytest.mark.parametrize("sample", ["web", "newswire", "variations"])
def test_the_tables_of_a_sample_are_known_for_what_they_are(sample):
    folder = ROOT / "sample_data" / sample
    for name, role in (("systems.tsv", "systems"), ("queries.tsv", "queries"), ("qrels.txt", "qrels")):
        assert file_kinds.role_of(Upload(name, (folder / name).read_bytes())) == role


@pytest.mark.parametrize("role", ["any", "runs", "qrels", "truth", "other"])
@pytest.mark.parametrize("form", ["workbook", "commas"])
def test_a_table_that_comes_is_parsed_once(form, role, monkeypatch):
    """A large one takes seconds."""
    module, name, parsed = (workbooks, "sheets_of", []) if form == "workbook" else (sheets, "of_text", [])
    real = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *said, **more: parsed.append(said) or real(*said, **more))
    rows = [["topic", "document", "rank", "score"], [401, "d1", 1, 3.5], [401, "d2", 2, 2.5], [402, "d1", 1, 9]]
    name, data = ("a.xlsx", workbook(runs=rows)) if form == "workbook" else ("a.csv", RUNS["commas"])
    assert uploaded_file.taken(name, data, role)[0].seems == "runs"
    assert len(parsed) == 1


def test_a_table_of_runs_may_have_groups():
    rows = b"run,team,qid,docid,score\nA,x,1,d1,2.5\nA,x,1,d2,1.5\nB,x,1,d2,2.25\n"
    assert file_kinds.role_of(Upload("a.csv", rows)) == "run"


def test_the_formats_are_in_sight(data):
    said = everything(data)
    assert all(word in said for word in ("TREC", "MS MARCO", "BEIR", "JSON", "CSV", "Excel", "UTF-16", ".gz", ".zip"))


def test_the_examples_say_the_same_in_both_forms():
    as_tables = evalcore.open_study(EXAMPLE / "runs.csv", EXAMPLE / "judgments.csv", cache=False)
    as_trec = evalcore.open_study(EXAMPLE / "run.txt", EXAMPLE / "qrels.txt", cache=False)
    assert as_tables.systems == ("first", "second")
    first = evalcore.ask(as_tables, "scores", metric="AP", systems=["first"]).table
    assert first.equals(evalcore.ask(as_trec, "scores", metric="AP").table)
    seem = {path.name: file_kinds.role_of(Upload(path.name, path.read_bytes())) for path in EXAMPLE.iterdir()}
    assert seem == {"runs.csv": "run", "judgments.csv": "qrels", "run.txt": "run", "qrels.txt": "qrels"}


def test_a_workbook_can_be_dropped_while_its_cells_are_counted():
    def leave(done, total):
        assert (done, total) == (0, 1)  # before the cells are known
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        workbooks.sheets_of("a.xlsx", workbook(one=[["topic", "document", "score"]]), progress=leave)


def test_a_selected_row_of_the_list_does_not_select_the_file_that_takes_its_place(data):
    def row_list():
        return next(one.proto.id for one in data.dataframe if "sha256" in one.value)

    went_well(load(data, "any", ("a.run", run_text("A")), ("q.txt", qrels_text())))
    before = row_list()
    went_well(data.run())
    assert row_list() == before
    went_well(load(data, "any", ("b.run", run_text("B"))))
    assert row_list() != before


def test_several_slow_files_have_one_progress_bar(data, monkeypatch):
    def slowly(*asked):
        asked[-1](1, 1)  # the file is looked through, but not described yet
        for _ in range(6000):
            if any(asked[0] in plainly(line) for _, line in seen):
                break
            time.sleep(0.01)
        return taken(*asked)

    def watched(wait, words, cancel, key):
        return wait(lambda done, total: seen.append((done / total, words(done, total))))

    taken, seen = uploaded_file.taken, []
    monkeypatch.setattr(uploaded_file, "taken", slowly)
    monkeypatch.setattr(cache, "MOMENT", 0.01)
    monkeypatch.setattr(visitor_files.progress, "in_sight", watched)
    went_well(load(data, "any", ("a.run", run_text("A")), ("b.run", run_text("B")), ("q.txt", qrels_text())))
    assert counts(data)[0] == 2
    reading = {words: share for share, words in seen if ", file " in words}
    assert [*map(plainly, reading)] == [
        f"Reading {name}, file {n} of 3 …" for n, name in enumerate(("a.run", "b.run", "q.txt"), 1)
    ]
    assert sorted(reading.values()) == [*reading.values()]


def test_the_checks_show_their_steps(data, monkeypatch):
    shown, is_shown, answer = [], threading.Event(), workers.answer

    def bar(value, words=""):
        shown.append(words)
        if words.startswith("Checking"):
            is_shown.set()
        return types.SimpleNamespace(progress=bar)

    def slowly(study, question, *, progress=None, **params):
        if question == "findings":
            progress(2, 9)
            assert is_shown.wait(60)
        return answer(study, question, progress=progress, **params)

    monkeypatch.setattr(cache, "MOMENT", 0.01)
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(progress.st, "progress", bar)
    monkeypatch.setattr(workers, "answer", slowly)
    went_well(load(data, "any", ("a.run", run_text("A")), ("q.txt", qrels_text())))
    assert "Checking runs and judgments: step 3 of 9 …" in shown


# ---- fixes


def named(app, beginning):
    return [button.label for button in app.button if button.label.startswith(beginning)]


def test_rank_and_score_that_are_exchanged_are_put_right_with_one_click(data):
    exchanged = b"".join(b"%d Q0 d%d %.1f %d A\n" % (topic, n, 9.5 - n, n) for topic in (1, 2) for n in range(1, 6))
    went_well(load(data, "any", ("a.run", exchanged), ("b.run", run_text("B")), ("q.txt", qrels_text(("d1", "d2")))))
    assert "check whether the rank and score columns are swapped" in everything(data)
    press(data, named(data, "Swap rank and score of")[0])
    assert "check whether the rank and score columns are swapped" not in everything(data)
    (opened,) = [one for one in cached_for(data.session_state["_visitor"].name) if isinstance(one, Opened)][-1:]
    track = opened.study.track
    assert list(track.documents(track.items[0, 0]))[:5] == ["d1", "d2", "d3", "d4", "d5"]
    assert not named(data, "Exchange")


def test_queries_that_rank_themselves_are_left_out_with_one_click(data):
    lines = b"".join(b"arg%d Q0 arg%d 1 %d A\n" % (t, d, 9 if d == t else d) for t in range(1, 6) for d in range(1, 6))
    judged = b"".join(b"arg%d 0 arg%d %d\n" % (t, t % 5 + 1, t % 2) for t in range(1, 6))
    went_well(load(data, "any", ("a.run", lines), ("q.txt", judged)))
    assert "it ranks the query itself in 5 of 5 rankings" in everything(data)
    press(data, "Leave out each query's own document")
    assert "it ranks the query itself" not in everything(data)
    assert "5 documents with the name of the query were left out" in everything(data)
    assert not named(data, "Leave out each")


def test_a_run_upside_down_is_reversed_or_left_out(data):
    lines = b"".join(b"%d Q0 d%d %d %.1f A\n" % (topic, n, n, n) for topic in range(1, 9) for n in range(1, 9))
    judged = b"".join(b"%d 0 d%d %d\n" % (topic, n, n == 1) for topic in range(1, 9) for n in range(1, 4))
    other = run_text("B", tuple(f"d{n}" for n in range(1, 9)), tuple(map(str, range(1, 9))))
    went_well(load(data, "any", ("a.run", lines), ("b.run", other), ("q.txt", judged)))
    assert "contradicts its scores" in everything(data)
    press(data, named(data, "Reverse the scores of")[0])
    assert "contradicts its scores" not in everything(data)
    assert not named(data, "Reverse")


def test_a_run_of_tied_scores_is_read_by_its_rank_column_with_one_click(data):
    """Its names, in alphabetical order, are the wrong order."""
    documents = [f"d{n:02}" for n in range(30)]
    tied = b"".join(b"%d Q0 %s %d 1 A\n" % (t, d.encode(), k) for t in range(8) for k, d in enumerate(documents, 1))
    judged = b"".join(
        b"%d 0 %s %d\n" % (t, d.encode(), k % 3 == 0) for t in range(8) for k, d in enumerate(documents[:12])
    )
    went_well(load(data, "any", ("a.run", tied), ("q.txt", judged)))
    assert "of its documents have tied scores" in everything(data)
    press(data, named(data, "Order ")[0])
    assert "was read in the order of its rank column" in everything(data)
    assert not named(data, "Order ")
    (opened,) = [one for one in cached_for(data.session_state["_visitor"].name) if isinstance(one, Opened)][-1:]
    assert opened.study.track.documents(opened.study.track.items[0, 0]) == documents


def test_documents_under_other_names_are_compared_otherwise_with_one_click(data):
    def run(tag, name):
        return b"".join(b"%d Q0 %s %d %d %s\n" % (t, name(n), n, 9 - n, tag) for t in range(4) for n in range(1, 7))

    judged = b"".join(b"%d 0 d%d %d\n" % (t, n, n % 2) for t in range(4) for n in range(1, 7))
    files = [("a.run", run(b"A", lambda n: b"D%d" % n)), ("b.run", run(b"B", lambda n: b"d%d" % n)), ("q.txt", judged)]
    went_well(load(data, "any", *files))
    assert "have the name of a judged one if case is ignored" in everything(data)
    press(data, named(data, "Compare names: ignoring case")[0])
    assert "have the name of a judged one" not in everything(data)
    assert not named(data, "Compare names")


def test_scores_with_decimal_commas_in_lines_of_trec_are_read_after_one_click(data):
    commas = b"1 Q0 d1 1 9,5 B\n1 Q0 d2 2 8,5 B\n"
    went_well(load(data, "any", ("a.run", run_text("A")), ("b.run", commas), ("q", qrels_text())))
    assert 'the score is "9,5", but must be a number' in everything(data)
    press(data, named(data, "Read the scores of")[0])
    assert 'the score "9,5"' not in everything(data)
    (opened,) = [one for one in cached_for(data.session_state["_visitor"].name) if isinstance(one, Opened)][-1:]
    assert opened.study.systems == ("A", "B")
