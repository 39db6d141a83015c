"""Studies that are saved and opened again, as one file: from the sidebar, on Data, and by the command."""

import hashlib
import io
import json
import sys
import zipfile

import pytest

import evalcore
from evalcore.reading import own_process, workbooks
from evalcore.reading.files import Upload
from evalcore.study import study_file
from evalcore.study.study import Study
from tests.reading.test_column_files import JUDGMENTS, UNSURE, workbook
from tests.study.test_study_file import changed, hostile
from tests.ui.test_pages import (
    ROOT,
    assume,
    everything,
    finding,
    load,
    opened,
    own_files,
    press,
    qrels_text,
    record_of,
    run_text,
    visit,
    went_well,
)
from ui.app import command, startup
from ui.data import sources, study_parts
from ui.report import export
from ui.session import answers

WEB = ROOT / "sample_data" / "web"
RUNS = [("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2")))]


def study_of(app):
    """The study file that the sidebar offers."""
    return app.session_state["_save"]()


def described(packed):
    """The description in a study file."""
    return json.loads(zipfile.ZipFile(io.BytesIO(packed)).read(study_file.MANIFEST))


def name_of(app):
    """The box with the name of the data set."""
    return next(one for one in app.text_input if one.label == "Name of the data set")


def reopened(data, name="s.poolscope"):
    return went_well(load(opened(), "any", (name, data)))


def scores(app):
    """The table of Scores, which is opened for it."""
    app.session_state["fold-leaderboard"] = True
    visit(app, "pages/scores.py")
    (table,) = [frame.value for frame in app.dataframe if "value" in frame.value]
    return table.to_csv()


@pytest.fixture
def mine():
    """A visit with two runs and judgments, a metric, a pin and a note."""
    app = went_well(load(opened(), "any", *RUNS, ("qrels.txt", qrels_text())))
    visit(app, "pages/scores.py")
    went_well(app.selectbox(key="metric").set_value("AP").run())
    return went_well(app.multiselect(key="pin").set_value(["B"]).run())


def test_a_study_opens_as_it_was_saved(mine):
    visit(mine, "pages/report.py")
    note = next(area for area in mine.text_area if area.label == "On Scores")
    went_well(note.set_value("Mine **bold** <b>").run())
    saved = study_of(mine)
    shown = scores(mine)
    app = reopened(saved)
    assert app.selectbox(key="study").value == "files"
    assert not [*app.error, *app.warning]
    visit(app, "pages/scores.py")
    assert (app.selectbox(key="metric").value, app.multiselect(key="pin").value) == ("AP", ["B"])
    assert scores(app) == shown
    visit(app, "pages/report.py")
    assert next(area for area in app.text_area if area.label == "On Scores").value == "Mine **bold** <b>"
    assert described(study_of(app)) | {"address": {}} == described(saved) | {"address": {}}


def test_a_saved_study_opens_in_python_and_on_the_page_where_it_was_saved(mine):
    study = evalcore.open_study(Upload("s.poolscope", study_of(mine)), cache=False)
    assert evalcore.ask(study, "leaderboard", metric="AP").finding.headline == finding(mine).headline
    app = reopened(study_of(mine))
    (link,) = (link for link in app.get("page_link") if link.proto.label.startswith("**Continue on Scores**"))
    assert "metric=AP" in link.proto.query_string
    assert "pin=B" in link.proto.query_string


def test_documents_to_leave_out_are_loaded_and_saved():
    app = went_well(load(opened(), "any", *RUNS, ("qrels.txt", qrels_text())))
    all_of_them = scores(app)
    visit(app, "pages/data.py")
    went_well(load(app, "excluded", ("x.txt", b"1 d1\n2 d3\n")))
    left = scores(app)
    assert left != all_of_them
    saved = study_of(app)
    assert [file["name"] for file in described(saved)["files"] if file["role"] == "excluded"] == ["x.txt"]
    study = evalcore.open_study(Upload("s.poolscope", saved), cache=False)
    assert study.track.lengths.tolist() == [[2, 2], [2, 1]]  # of d1 d2 d3, and of d3 d2
    assert scores(reopened(saved)) == left


def test_options_and_columns_are_saved():
    app = went_well(load(opened(), "any", ("a.csv", UNSURE), ("q.csv", JUDGMENTS["commas"])))
    next(box for box in app.selectbox if box.label == "Score").set_value(4)
    press(app, "Apply columns")
    assume(app, average="common")
    went_well(app.run())
    again = reopened(study_of(app))
    assert record_of(again).options["average"] == "common"
    before, after = (next(iter(own_files(one).values())).columns for one in (app, again))
    assert after == before
    assert not [info.value for info in again.info if "missing" in info.value]


def test_the_sheets_of_a_workbook_are_saved():
    rows = [["qid", "docid", "score"], ["401", "d1", 1.5], ["401", "d2", 0.5], ["402", "d1", 0.1]]
    book = workbook(run=rows, judged=[["qid", "docid", "relevance"], ["401", "d1", 1], ["402", "d1", 0]])
    app = went_well(load(opened(), "any", ("track.xlsx", book)))
    assert not app.error
    packed = study_of(app)
    assert [file["sheet"] for file in described(packed)["files"]] == ["run", "judged"]
    assert scores(reopened(packed)) == scores(app)


def test_a_workbook_with_many_sheets_is_read_once(monkeypatch):
    """Its cells count once, too."""
    rows = [["qid", "docid", "score"], ["401", "d1", 1.5], ["401", "d2", 0.5], ["402", "d1", 0.1]]
    judged = [["qid", "docid", "relevance"], ["401", "d1", 1], ["402", "d1", 0]]
    app = went_well(load(opened(), "any", ("t.xlsx", workbook(**{f"run{n}": rows for n in range(9)}, judged=judged))))
    monkeypatch.setattr(workbooks, "MOST_OF_ALL", 9 * 12 + 9)
    reads, printed = [], own_process.printed
    monkeypatch.setattr(own_process, "printed", lambda *given: reads.append(given) or printed(*given))
    again = reopened(study_of(app))
    assert len(described(study_of(app))["files"]) == 10
    assert ("Systems", "9") in [(one.label, one.value) for one in again.metric]
    assert len(reads) == 1


def test_what_was_added_to_a_sample_is_saved():
    """Its own files stay where they are; their digests are compared."""
    app = opened()
    data = next((WEB / "runs").iterdir()).read_bytes()
    went_well(load(app, "any", ("mine.run.gz", data)))
    went_well(next(button for button in app.button if button.label.startswith("Add to")).click().run())
    packed = study_of(app)
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert [name for name in names if name.startswith("files/")] == ["files/mine.run.gz"]
    again = reopened(packed)
    assert again.selectbox(key="study").value == "web"
    assert "mine.run.gz" in everything(again).replace("\\", "")
    assert not again.warning


def test_a_changed_or_missing_file_of_a_sample_is_named():
    packed = study_of(opened())

    def other(manifest):
        manifest["files"][0]["sha256"] = "0" * 64
        manifest["files"][1]["name"] = "gone.gz"
        manifest["version"] = "0.0.1"

    app = reopened(changed(packed, manifest=other).data)
    warnings = "\n".join(warning.value for warning in app.warning).replace("\\", "")
    assert described(packed)["files"][0]["name"] in warnings
    assert "The saved study also had gone.gz" in warnings
    assert "Poolscope 0.0.1 saved this study" in warnings


def test_files_of_the_server_are_asked_for(monkeypatch):
    """Elsewhere only their digests are there: a visitor loads them, and those with another digest are named."""
    monkeypatch.setattr("sys.argv", ["app.py", "--runs", str(WEB / "runs"), "--qrels", str(WEB / "qrels.txt")])
    sources.server_folder.cache_clear()
    app = opened()
    assert app.selectbox(key="study").value == "folder"
    packed = study_of(app)
    assert zipfile.ZipFile(io.BytesIO(packed)).namelist() == ["manifest.json"]
    assert reopened(packed).selectbox(key="study").value == "folder"
    monkeypatch.setattr("sys.argv", ["app.py"])
    sources.server_folder.cache_clear()
    app = reopened(packed)
    assert app.selectbox(key="study").value == "files"
    (warning,) = app.warning
    assert warning.value.startswith("The saved study also had ")
    load(app, "any", *((file.name, file.read_bytes()) for file in (WEB / "runs").iterdir()))
    load(app, "any", ("qrels.txt", (WEB / "qrels.txt").read_bytes() + b"\n"))
    warnings = "\n".join(warning.value for warning in app.warning).replace("\\", "")
    assert warnings == "Since the study was saved, qrels.txt changed: the SHA-256 differs. Load the original on Data."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (hostile(options={"cache": "/tmp"}), "unknown option or value"),
        (hostile(options={"judges": {"m": "model"}}), "does not name each judge"),
        (hostile(notes=3), "wrong type"),
    ],
)
def test_a_hostile_study_file_is_refused_on_data(mine, change, said):
    app = reopened(changed(study_of(mine), manifest=change).data)
    assert any(said in error.value for error in app.error)
    assert app.selectbox(key="study").value == "web"


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest["files"][0].update(role="pickle"),
        lambda manifest: manifest["files"][0].update(name="\ud800"),
        hostile(name="\ud800"),
        hostile(options={"columns": "x"}),
        hostile(fused=[{"name": f"f{n}", "systems": "all", "method": "rbc"} for n in range(2000)]),
        lambda manifest: manifest["files"].extend([manifest["files"][0]] * 20_000),
    ],
)
def test_a_study_file_made_by_hand_is_refused_in_a_sentence(mine, change):
    app = reopened(changed(study_of(mine), manifest=change).data)
    assert not app.exception
    (error,) = app.error
    assert error.value.replace("\\", "").startswith("s.poolscope ")
    assert app.selectbox(key="study").value == "web"


def test_a_file_that_cannot_be_read_is_not_called_missing(mine):
    odd = b"1 Q0 d1 1 x A\n" * 9

    def change(manifest):
        manifest["files"][0]["sha256"] = hashlib.sha256(odd).hexdigest()

    app = reopened(changed(study_of(mine), manifest=change, **{"files/a.txt": odd}).data)
    assert "the score" in everything(app)
    assert not app.warning


def test_whatever_goes_wrong_is_a_sentence(mine, monkeypatch):
    def fails(saved, **more):
        raise KeyError("role")

    packed = study_of(mine)
    monkeypatch.setattr(study_parts, "of", fails)
    app = reopened(packed)
    assert not app.exception
    assert "its parts do not fit together" in app.error[0].value


def test_many_fused_runs_are_one_study_in_the_cache(mine):
    fused = [{"name": f"f{n}", "systems": ["A", "B"], "method": "rbc"} for n in range(50)]
    app = visit(reopened(changed(study_of(mine), manifest=hostile(fused=fused)).data), "pages/scores.py")
    assert ("Systems", "52") in [(one.label, one.value) for one in app.metric]
    studies = [value for _, value in answers.CACHE.items() if isinstance(value, Study) and "f0" in value.systems]
    assert [len(study.systems) for study in studies] == [52]
    visit(app, "pages/fusion.py")
    assert app.button(key="keep").disabled


def test_hostile_values_have_no_effect(mine):
    change = {
        "choices": {"files": ["x"], "assumed": ["x"], "metric": ["<b>", "nothing"], "pin": ["nobody"], "k": []},
        "name": "<b>**x**</b>![x](http://evil/x)" * 9, "page": "pages/../secret", "track": "../../etc",
        "address": {"metric": ["<script>"]}, "notes": {"Scores": "![x](http://evil/x)"}, "version": "![x](http://evil)",
    }  # fmt: skip
    app = reopened(changed(study_of(mine), manifest=hostile(**change)).data)
    for page in ("pages/scores.py", "pages/compare.py", "pages/report.py", "pages/data.py"):
        visit(app, page)
        for element in (*app.markdown, *app.warning, *app.caption):
            assert "![" not in element.value.replace("\\!\\[", "")
    assert set(own_files(app)) == set(own_files(mine))


def test_everything_opens_again_when_it_is_dropped_on_data():
    """It contains the runs and the judgments, also those of a sample."""
    app = opened("pages/scores.py")
    packed = app.session_state["_save"](more=export.members(b"<html>", []))
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert {"report.html", "references.bib", "README.txt", "files/qrels.txt"} <= set(names)
    assert sum(name.startswith("files/") for name in names) > len([*(WEB / "runs").iterdir()])
    again = reopened(packed, "poolscope_report.zip")
    assert again.selectbox(key="study").value == "web"
    assert not again.error
    study = evalcore.open_study(Upload("poolscope_report.zip", packed), cache=False)
    own = evalcore.open_study(WEB / "runs", WEB / "qrels.txt", systems=WEB / "systems.tsv", cache=False)
    table = evalcore.ask(own, "leaderboard").table
    assert evalcore.ask(study, "leaderboard").table.equals(table)


def test_more_choices_than_a_picker_takes_are_cut(mine):
    pins = [system for _ in range(900) for system in ("B", "A")]
    app = reopened(changed(study_of(mine), manifest=hostile(choices={"pin": pins, "present": ["true"]})).data)
    visit(app, "pages/scores.py")
    assert app.multiselect(key="pin").value == ["B", "A"]
    assert not app.toggle(key="present").value  # which would hide the menu
    assert not opened("pages/scores.py", pin=["alder-bm25", "alder-dense"] * 9).exception
    names = sorted(path.name.partition(".")[0] for path in (WEB / "runs").iterdir())
    assert opened("pages/scores.py", pin=names).multiselect(key="pin").value == names[:5]


def test_choices_are_reset(mine):
    press(mine, "Reset choices")
    assert (mine.selectbox(key="metric").value, mine.multiselect(key="pin").value) == ("RBP(p=0.8)", [])
    assert mine.selectbox(key="study").value == "files"
    assert visit(mine, "pages/compare.py").selectbox(key="metric").value == "RBP(p=0.8)"


def test_a_data_set_is_named(mine):
    went_well(name_of(mine).set_value("My <b> track").run())
    visit(mine, "pages/report.py")
    assert any("My &lt;b&gt; track" in str(part.proto) for part in mine.get("html"))
    manifest = described(study_of(mine))
    assert manifest["name"] == "My <b> track"
    app = reopened(study_of(mine))
    assert name_of(app).value == "My <b> track"


def test_the_command_opens_a_study_file(monkeypatch, mine, tmp_path):
    started, file = [], tmp_path / "s.poolscope"
    file.write_bytes(study_of(mine))
    monkeypatch.setattr("streamlit.web.cli.main", lambda: started.extend(sys.argv))
    monkeypatch.setattr(sys, "argv", ["poolscope"])
    command.main([str(file)])
    assert started[3:] == ["--", "--study", str(file)]
    monkeypatch.setattr(sys, "argv", ["app.py", "--study", str(file)])
    assert not [*startup.wrong()]
    app = opened("pages/scores.py")
    assert (app.selectbox(key="study").value, app.selectbox(key="metric").value) == ("files", "AP")
    monkeypatch.setattr(sys, "argv", ["app.py", "--study", str(tmp_path)])
    assert any("is not a study that Poolscope saved" in line for line in startup.wrong())
