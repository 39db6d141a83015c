"""Studies on the server: in its folder, shared with a link, and stored for a restart."""

import pytest

from tests.reading.test_study_file import changed, hostile
from tests.ui.test_pages import PAGES, everything, findings, load, qrels_text, run_text, visit, went_well
from tests.ui.test_saved_studies import name_of, opened, study_of
from ui.app import startup
from ui.data import server_studies
from ui.session import answers

RUNS = [("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2")))]
SETTINGS = server_studies.FOLDER, server_studies.SHARE, server_studies.KEEP, server_studies.QUOTA


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The folder of studies, empty, on a server where nothing is shared."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.argv", ["app.py"])
    monkeypatch.setenv(server_studies.FOLDER, str(tmp_path))
    answers.CACHE.drop()
    return tmp_path


@pytest.fixture
def packed(monkeypatch):
    """A study file with two runs, a name, a metric, a pin and an option."""
    app = went_well(load(opened(), "any", *RUNS, ("qrels.txt", qrels_text())))
    went_well(name_of(app).set_value("My <b> track").run())
    visit(app, "pages/scores.py")
    app.session_state["_assumed"] = app.session_state["_assumed"] | {"average": "common"}
    went_well(app.selectbox(key="metric").set_value("AP").run())
    return study_of(went_well(app.multiselect(key="pin").set_value(["B"]).run()))


def linked(name, page="pages/scores.py", **address):
    """A new visit that follows a link to a study."""
    from streamlit.testing.v1 import AppTest

    from tests.ui.test_pages import ROOT

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in ({"study": name} | address).items():
        app.query_params[key] = value
    return went_well(app.switch_page(page).run())


def shown(app):
    """What a page says and the numbers on it."""
    return str(findings(app)), [(one.label, one.value) for one in app.metric]


# ---- the folder


def test_a_study_in_the_folder_opens_by_a_link_as_it_was_saved(folder, packed):
    (folder / "My course 2026.poolscope").write_bytes(packed)
    app = linked("My course 2026")
    assert app.selectbox(key="study").value == "My course 2026"
    assert (app.selectbox(key="metric").value, app.multiselect(key="pin").value) == ("AP", ["B"])
    assert app.session_state["_assumed"]["average"] == "common"
    assert not app.error
    assert not app.warning
    assert app.query_params["study"] == "My course 2026"
    own = went_well(load(opened(), "any", ("s.poolscope", packed)))
    assert shown(app) == shown(visit(own, "pages/scores.py"))
    again = linked("My course 2026", metric="P@10", average="qrels")  # a link's choices count more
    assert again.selectbox(key="metric").value == "P@10"
    assert again.session_state["_assumed"]["average"] == "qrels"


def test_it_is_in_the_picker_and_every_page_shows_it(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    app = opened("pages/scores.py")
    assert app.selectbox(key="study").value == "web"
    assert "course" in app.selectbox(key="study").options
    went_well(app.selectbox(key="metric").set_value("P@10").run())
    went_well(app.selectbox(key="study").set_value("course").run())
    assert app.selectbox(key="metric").value == "AP"
    for page in PAGES:
        visit(app, page)
        assert app.selectbox(key="study").value == "course"
    went_well(app.selectbox(key="study").set_value("web").run())
    assert app.selectbox(key="study").value == "web"


def test_a_visitor_does_not_change_it_for_others(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    app = linked("course", "pages/data.py")
    load(app, "any", ("c.txt", run_text("C")))
    went_well(next(button for button in app.button if button.label.startswith("Add to")).click().run())
    assert ("Systems", "3") in shown(visit(app, "pages/scores.py"))[1]
    assert "c.txt" not in everything(linked("course", "pages/data.py"))
    assert (folder / "course.poolscope").read_bytes() == packed
    again = went_well(load(opened(), "any", ("s.poolscope", study_of(app))))  # and saves what they see
    assert again.selectbox(key="study").value == "files"
    assert shown(visit(again, "pages/scores.py")) == shown(app)


def test_visitors_share_what_is_computed_of_it(folder, packed):
    (folder / "course.poolscope").write_bytes(packed)
    linked("course")
    keys = {key for key, _ in answers.CACHE.items() if key[0] == ""}
    linked("course")
    assert {key for key, _ in answers.CACHE.items() if key[0] == ""} == keys
    assert keys


BROKEN = {
    "no zip": (b"hello", "is damaged"),
    "cut": (None, "cannot be read"),
    "a path": ({"files": [{"role": "run", "name": "/etc/passwd", "sha256": "0" * 64, "own": True, "sheet": None,
                           "member": "../../../etc/passwd"}]}, "was changed or removed"),
    "digests only": ({"files": [{"role": "run", "name": "a.txt", "sha256": "0" * 64, "own": False, "sheet": None,
                                 "member": None}]}, "only its SHA-256"),
    "options": ({"options": {"cache": "/tmp"}}, "unknown option or value"),
    "types": ({"notes": 3}, "wrong type"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_named_when_it_is_chosen_and_breaks_nothing(folder, packed, case):
    change, said = BROKEN[case]
    data = changed(packed, manifest=hostile(**change)).data if isinstance(change, dict) else change or packed[:-40]
    (folder / "course.poolscope").write_bytes(data)
    assert not [*startup.wrong()]
    app = opened("pages/scores.py")
    assert not app.error
    went_well(app.selectbox(key="study").set_value("course").run())
    assert "course.poolscope" in everything(app)
    assert said in everything(app)
    assert "This study cannot be opened" in everything(app)
    for page in ("pages/data.py", "pages/report.py"):
        assert said in everything(visit(app, page))
    went_well(next(button for button in app.button if button.label == "Open the sample").click().run())
    assert app.selectbox(key="study").value == "web"


def test_no_name_leads_out_of_the_folder(folder, packed, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.poolscope"
    elsewhere.write_bytes(packed)
    (folder / "link.poolscope").symlink_to(elsewhere)
    (folder / "deep").mkdir()
    for name in ("deep/in", ".hidden", "web", "files", "shared-" + "a" * 22, "new\nline", "x" * 90, "ok"):
        (folder / f"{name}.poolscope").write_bytes(packed)
    (folder / "other.zip").write_bytes(packed)
    (folder / "dir.poolscope").mkdir()
    assert server_studies.names() == ["ok"]
    for name in (
        f"../{elsewhere.parent.name}/secret", str(elsewhere), str(elsewhere)[:-10], "link", "deep/in", ".hidden", "dir",
        "ok/../ok", "OK", "", "\0", "shared-" + "a" * 22,
    ):  # fmt: skip
        assert server_studies.path_of(name) is None
        assert linked(name).selectbox(key="study").value == "web"


def test_without_the_setting_there_are_none(folder, packed, monkeypatch):
    (folder / "course.poolscope").write_bytes(packed)
    monkeypatch.delenv(server_studies.FOLDER)
    assert server_studies.names() == []
    assert linked("course").selectbox(key="study").value == "web"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (server_studies.FOLDER, "/nowhere/at/all", "is not a folder"),
        (server_studies.SHARE, "a week", "a whole number from 0, such as 7"),
        (server_studies.KEEP, "-1", "a whole number from 0, such as 1"),
        (server_studies.QUOTA, "4G", "a whole number from 0, such as 4294967296"),
    ],
)
def test_a_wrong_setting_is_named(folder, monkeypatch, name, value, said):
    assert not [*startup.wrong()]
    monkeypatch.setenv(name, value)
    (sentence,) = startup.wrong()
    assert sentence.startswith(f"{name}={value!r} ")
    assert said in sentence


def test_sharing_needs_a_folder(folder, monkeypatch):
    monkeypatch.delenv(server_studies.FOLDER)
    monkeypatch.setenv(server_studies.SHARE, "7")
    (sentence,) = startup.wrong()
    assert sentence == "POOLSCOPE_SHARE=7 needs a folder to store studies in. Name one: POOLSCOPE_STUDIES."
