"""The record of a visit: it is never changed, only replaced, and it comes back from a study file as it was."""

from dataclasses import FrozenInstanceError, replace

import pytest

from evalcore.study import study_file
from tests.reading.test_column_files import UNSURE
from tests.ui.test_pages import assume, load, opened, press, qrels_text, record_of, run_text, visit, went_well
from tests.ui.test_saved_studies import reopened, study_of
from ui.data import study_parts
from ui.session.visit import Additions, LoadedFile, Visit

RELABELLED = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n2 0 d1 1\n2 0 d2 0\n"


@pytest.fixture
def filled():
    """A visit with two data sets, judges, second judgments, a fused run, a name, a note, options and choices."""
    app = opened()
    went_well(load(app, "any", ("a.run", run_text("A")), ("b.run", run_text("B")), ("q.txt", qrels_text())))
    assume(app, average="common")
    visit(app, "pages/judges.py", open="second")
    went_well(load(app, "judge", ("strict.txt", RELABELLED.encode())))
    went_well(load(app, "other", ("second.txt", RELABELLED.encode())))
    visit(app, "pages/fusion.py")
    press(app, "Add to systems")
    visit(app, "pages/report.py")
    app.text_area[0].set_value("Ask the assessors.")
    went_well(app.run())
    return went_well(visit(app, "pages/scores.py", metric="AP"))


def test_the_record_comes_back_from_its_study_file(filled):
    before, after = record_of(filled), record_of(reopened(study_of(filled)))
    assert after.options["average"] == "common"
    assert after.choices == {**before.choices, "study": ["files"]}
    mine, again = (record.studies["files"] for record in (before, after))
    assert (mine.judges.keys(), mine.second.name, [*mine.files]) == ({"strict"}, "second.txt", [*again.files])
    for part in ("files", "judges", "second", "fused", "systems", "judge_levels", "judge_gains", "add_to_truth"):
        assert plain(getattr(again, part)) == plain(getattr(mine, part)), part
    written = {page: note for notes_of in mine.notes.values() for page, note in notes_of.items() if note}
    assert again.saved["notes"] == written != {}


def plain(part):
    """A part of the record without what belongs to an upload of one session."""
    if isinstance(part, LoadedFile):
        return replace(part, upload_id="", upload=part.upload.data, table=part.table and part.table["used"])
    return {name: plain(value) for name, value in part.items()} if isinstance(part, dict) else part


def test_a_change_leaves_the_earlier_record_as_it_was(filled):
    before = record_of(filled)
    kept = {study: (dict(own.files), dict(own.judges), dict(own.fused)) for study, own in before.studies.items()}
    press(visit(filled, "pages/data.py"), "Remove all")
    assert not record_of(filled).studies["files"].files
    assert {study: (own.files, own.judges, own.fused) for study, own in before.studies.items()} == kept
    with pytest.raises(FrozenInstanceError):
        before.choices = {}


def test_what_a_study_of_the_server_has_is_the_same_for_all_who_open_it(filled, tmp_path):
    path = tmp_path / "course.poolscope"
    path.write_bytes(study_of(filled))
    parts = study_parts.of(study_file.read(path), whole=True)
    assert isinstance(parts, Additions)
    assert [file.role for file in parts.loaded()] == ["runs", "runs", "qrels", "judge", "other"]


def test_a_table_waits_until_its_columns_are_known():
    app = went_well(load(opened(), "any", ("a.csv", UNSURE)))
    (file,) = record_of(app).studies["files"].files.values()
    assert file.waits
    assert not replace(file, columns={"topic": 1}).waits


def test_a_visit_begins_with_nothing():
    assert (Visit().studies, Visit().options, Visit().choices) == ({}, None, {})
